"""`manage.py review_game`: what the coach finds in a game in the time of a review. Nothing is stored."""

import time
from collections.abc import Container, Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import engines
from games.bots import coach
from games.bots.coach import Choice
from games.bots.puzzles import played_by_bots
from games.core.contract import Game, View
from games.core.words import render_text
from games.models import Table
from games.presentation import coach_page
from games.record import coach_rows
from games.record.coach_rows import DecisionRow
from games.services.coaching import GAME_SECONDS, judge_in_turn


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
        rows: dict[int, DecisionRow] = {}

        def choices(among: Container[int]) -> Iterator[tuple[int, Choice]]:
            return ((choice.number, choice) for choice in coach.choices_of(record, seat, among))

        def spent() -> float:
            return time.process_time() - began

        for _ in judge_in_turn(record.game, choices, rows, after=0, moves=len(record.moves), seed=seed, spent=spent):
            if spent() >= GAME_SECONDS:
                break
        taken = spent()
        mistakes = {at for at, row in rows.items() if row.is_mistake}
        for at, choice in choices(mistakes):
            self.report(record.game, choice.view, rows[at])
        unjudged = sum(row.is_unjudged for row in rows.values())
        self.stdout.write(
            f"{record.game.slug}: {len(record.moves)} moves, {len(rows)} decisions, {len(mistakes)} mistakes, "
            f"{unjudged} not judged, {taken:.1f} s of the processor"
        )

    def report(self, game: Game[Any, Any, Any], view: View, row: DecisionRow) -> None:
        chance = coach_page.chance_name(len(game.sides(view.options, view.seats)))
        unit = f"% of {chance}" if row.in_percent else "points"
        names = [f"player {seat + 1}" for seat in range(view.seats)]
        played, best = (
            render_text(view.choice(game.parse(text)).phrase.text, names, view.seat) for text in (row.played, row.best)
        )
        loss = f"{row.loss:.1f} ± {row.error:.1f} {unit}"
        self.stdout.write(f"  move {row.at + 1}: {played}: {loss}; better: {best}")
