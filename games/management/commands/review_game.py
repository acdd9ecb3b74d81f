"""`manage.py review_game`: what the coach finds in a game, and how long it takes. Nothing is stored."""

import time
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import engines
from games.bots import coach
from games.bots.coach import Decision
from games.bots.puzzles import Record, played_by_bots
from games.core.words import render_text
from games.models import Table
from games.record import coach_rows
from games.services.coaching import DECISION_SECONDS


class Command(BaseCommand):
    help = "Reviews a finished game from one seat, or a game of club bots, and prints the mistakes and the time."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", nargs="?", help="code of a table")
        parser.add_argument("--game", choices=[game.slug for game in engines.GAMES], help="club bots play one")
        parser.add_argument("--seat", type=int, default=0)
        parser.add_argument("--seed", default="1")

    def handle(self, *, code: str | None, game: str | None, seat: int, seed: str, **options: Any) -> None:
        if code:
            table = Table.objects.filter(code=code, status=Table.Status.FINISHED).first()
            if table is None:
                raise CommandError(f"There is no finished table {code}.")
            record, seed = coach_rows.record_of(table), f"review {code}"
        elif game:
            rules = engines.get(game)
            record = played_by_bots(rules, seats=rules.seats[0], seed=seed)
        else:
            raise CommandError("Name a table or a --game.")
        began = time.process_time()
        decisions = [self.report(decision) for decision in self.decisions(record, seat, seed)]
        taken = time.process_time() - began
        mistakes = sum(decision.is_mistake for decision in decisions)
        self.stdout.write(
            f"{record.game.slug}: {len(record.moves)} moves, {len(decisions)} decisions, {mistakes} mistakes, "
            f"{taken:.1f} s of the processor"
        )

    def decisions(self, record: Record, seat: int, seed: str) -> Iterator[Decision]:
        for choice in coach.choices_of(record, seat):
            until = time.process_time() + DECISION_SECONDS
            found = coach.judge(record.game, choice, seed=seed, clock=time.process_time, until=until)
            if found is not None:
                yield found

    def report(self, decision: Decision) -> Decision:
        if decision.is_mistake:
            view, unit = decision.choice.view, "% of winning" if decision.in_percent else "points"
            names = [f"player {seat + 1}" for seat in range(view.seats)]
            played, best = (
                render_text(view.choice(move).phrase.text, names, view.seat)
                for move in (decision.choice.played, decision.best)
            )
            loss = f"{decision.loss.mean:.1f} ± {decision.loss.error:.1f} {unit}"
            self.stdout.write(f"  move {decision.choice.number + 1}: {played}: {loss}; better: {best}")
        return decision
