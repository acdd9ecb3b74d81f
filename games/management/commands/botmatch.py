import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice, pairwise, product, tee
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots import LEVELS, bot
from games.bots.matches import Comparison, mirrored_shares
from games.engines import GAMES, get
from games.management.bench.sparring import (
    LEVEL_BARS,
    SPARRING_BARS,
    TABLES,
    OwnTable,
    Stopwatch,
    sparring_matches,
)
from games.management.options import add_option_argument, read_option_argument

FEWEST = 20  # matches before an interval means something
SECONDS_BETWEEN_REPORTS = 60


class Command(BaseCommand):
    help = (
        "Plays mirrored matches between house bots, or against sparring players (OpenSpiel and RLCard where they are "
        "installed), and prints how often the first level wins, the processor time of a move, and whether the low end "
        "of the 95 % interval reaches the bar. Stops when that interval is narrow enough. Prints progress to stderr "
        "each minute; Ctrl-C or SIGTERM ends it with the result so far."
    )
    is_stopped = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", nargs="?", choices=[game.slug for game in GAMES])
        parser.add_argument(
            "--all", action="store_true", help="every game and number of seats, and all sparring players"
        )
        parser.add_argument("--levels", nargs=2, action="append", choices=list(LEVELS), metavar=("FIRST", "SECOND"))
        parser.add_argument("--against", choices=sorted({name for tables in TABLES.values() for name in tables}))
        parser.add_argument("--level", choices=list(LEVELS), action="append", help="that meets the sparring player")
        parser.add_argument("--seats", type=int)
        parser.add_argument("--matches", type=int, default=100, help="at most")
        parser.add_argument("--margin", type=float, default=0.0, help="stop at this half width of the interval: 0.02")
        parser.add_argument("--seed", type=int, default=1)
        add_option_argument(parser)

    def handle(self, *, game: str | None, against: str | None, **given: Any) -> None:
        if (game is None) != given["all"]:
            raise CommandError("Name a game, or use --all.")
        try:
            with sigterm_as_ctrl_c():
                self.measure(game, against, given)
        except KeyboardInterrupt:
            raise CommandError("Stopped.", returncode=128 + signal.SIGINT) from None

    def measure(self, game: str | None, against: str | None, given: dict[str, Any]) -> None:
        if against:
            self.spar(game, against, given)
            return
        pairings = given["levels"] or [(better, worse) for worse, better in pairwise(LEVELS)]
        for engine in GAMES if game is None else [get(game)]:
            seats = engine.seats if game is None else [given["seats"] or engine.seats[0]]
            for number, (first, second) in product(seats, pairings):
                self.compare(engine.slug, number, first, second, given)
        if game is None:
            self.spar_with_all(given)

    def compare(self, game: str, seats: int, first: str, second: str, given: dict[str, Any]) -> None:
        engine, players = get(game), [timed_bot(game, level) for level in (first, second)]
        options = read_option_argument(engine, given["option"], seats)
        shares = mirrored_shares(engine, *players, seats=seats, seed=given["seed"], options=options)
        found = self.until_narrow(shares, given)
        self.print_result(f"{game}, {seats} seats", found, f"{first} beats {second}", players)
        if bar := LEVEL_BARS.get((first, second)):
            self.print_bar(f"{bar:.0%}", found, bar)
        self.end_if_stopped()

    def spar_with_all(self, given: dict[str, Any]) -> None:
        for game, tables in TABLES.items():
            for against in tables:
                try:
                    self.spar(game, against, given)
                except CommandError as error:
                    self.stdout.write(str(error))

    def spar(self, game: str | None, against: str, given: dict[str, Any]) -> None:
        if game is None or against not in TABLES.get(game, {}):
            raise CommandError(f"{against} does not play this game.")
        try:
            table = TABLES[game][against]()
        except ImportError as error:
            raise CommandError(f"{against} is not installed: {error}") from error
        for level in given["level"] or LEVELS:
            player = timed_bot(game, level)
            by_share, by_lead = tee(sparring_matches(table, player, seed=given["seed"]))
            found = self.until_narrow((score.share for score in by_share), given)
            leads = Comparison(tuple(score.lead for score in islice(by_lead, len(found.shares))))
            timed = [player, table.player] if isinstance(table, OwnTable) else [player]
            self.print_result(game, found, f"{level} beats {against}", timed)
            unit = "a hand" if table.is_hand else "a game"
            self.stdout.write(f"    by {leads.mean:+.2f} points {unit} (give or take {leads.margin:.2f})")
            if bar := SPARRING_BARS[against].get(level):
                self.print_bar(f"{bar.share:.0%}", found, bar.share)
                if bar.lead:
                    self.print_bar(f"{bar.lead:+.0f} points {unit}", leads, bar.lead)
            self.end_if_stopped()

    def until_narrow(self, shares: Iterator[float], given: dict[str, Any]) -> Comparison:
        """Matches until there are enough, their interval is narrow enough, or Ctrl-C. Prints progress."""
        found, reported = Comparison((next(shares),)), monotonic()
        try:
            while len(found.shares) < given["matches"]:
                if len(found.shares) >= FEWEST and found.margin <= given["margin"]:
                    break
                if monotonic() - reported >= SECONDS_BETWEEN_REPORTS:
                    reported = monotonic()
                    self.stderr.write(f"    {len(found.shares)} matches so far: {found.mean:.1%} ± {found.margin:.1%}")
                found = Comparison((*found.shares, next(shares)))
        except KeyboardInterrupt:
            self.is_stopped = True
        return found

    def end_if_stopped(self) -> None:
        if self.is_stopped:
            raise KeyboardInterrupt

    def print_result(self, where: str, found: Comparison, what: str, players: Iterable[Stopwatch]) -> None:
        low, high = found.interval
        times = " and ".join(f"{player.milliseconds:.1f}" for player in players)
        self.stdout.write(
            f"{where}, {len(found.shares)} mirrored matches: {what} {found.mean:.1%} "
            f"(95% interval {low:.1%} to {high:.1%}), {times} ms a move"
        )

    def print_bar(self, name: str, found: Comparison, bar: float) -> None:
        """Prints whether all of the interval, none or a part of it lies above the bar."""
        low, high = found.interval
        self.stdout.write(f"    bar {name}: {'reached' if low >= bar else 'missed' if high < bar else 'not certain'}")


def timed_bot(game: str, level: str) -> Stopwatch:
    """:raises CommandError: the game has no bot of this level, as while it is being added."""
    try:
        return Stopwatch(bot(game, level))
    except KeyError:
        raise CommandError(f"{game} has no bot of the level {level} yet.") from None


@contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
