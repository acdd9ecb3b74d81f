"""`manage.py find_puzzles`: search games of bots for puzzles, and print how each was checked. Nothing is stored."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import engines
from games.bots.puzzles import Puzzle, find_puzzles, played_by_bots
from games.core.contract import Move
from games.core.words import render_text
from tutorials.content.runner import seat_names


class Command(BaseCommand):
    help = "Searches games of club bots for puzzles and prints what it finds, with the checks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", choices=[game.slug for game in engines.GAMES], required=True)
        parser.add_argument("--games", type=int, default=1, help="games to play and search (default: %(default)s)")
        parser.add_argument("--seats", type=int)
        parser.add_argument("--seconds", type=float, default=30, help="of the processor, for a game (default: 30)")
        parser.add_argument("--seed", default="1")

    def handle(self, *, game: str, games: int, seats: int | None, seconds: float, seed: str, **options: Any) -> None:
        rules, began, count = engines.get(game), time.process_time(), 0
        for number in range(1, games + 1):
            name = f"{game} {seed} {number}"
            record = played_by_bots(rules, seats=seats or rules.seats[0], seed=name)
            until = time.process_time() + seconds
            for puzzle in find_puzzles(record, seed=name, clock=time.process_time, until=until):
                count += 1
                self.stdout.write(f"\n{name}, after {puzzle.number} of {len(record.moves)} moves")
                self.print_puzzle(puzzle)
        self.stdout.write(f"\n{count} puzzles in {games} games, {time.process_time() - began:.0f} s")

    def print_puzzle(self, puzzle: Puzzle) -> None:
        view, unit = puzzle.state.view(puzzle.seat), "%" if puzzle.in_percent else "points"
        names = seat_names(view.seats, puzzle.seat)

        def words(move: Move) -> str:
            return render_text(view.choice(move).phrase.text, names, puzzle.seat)

        for zone in view.zones:
            if zone.count:
                hidden = f"({zone.hidden} face down)" if zone.hidden else ""
                self.stdout.write(f"  {render_text(zone.label, names, puzzle.seat)}: {' '.join([*zone.cards, hidden])}")
        self.stdout.write(
            f"  {render_text(view.prompt, names, puzzle.seat)} Scores {view.scores}, rating {puzzle.difficulty}"
        )
        self.stdout.write(f"  Best: {'; or '.join(map(words, puzzle.best))}. {puzzle.reason.text}")
        for value in puzzle.values[:4]:
            self.stdout.write(f"    {value.behind:5.1f} ± {value.error:.1f} {unit} less: {words(value.move)}")
        for check in puzzle.checks:
            self.stdout.write(f"  Check: {check.gain:.1f} ± {check.error:.1f} {unit} in {check.worlds} worlds")
        for level, chosen in puzzle.chosen.items():
            moves = ", ".join(f"{words(move)} ({times})" for move, times in chosen.most_common(3))
            self.stdout.write(f"  {level}: {moves}")
