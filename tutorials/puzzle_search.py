"""Search for puzzles: a night goes through finished games in slices, until its seconds are used or no game is left.

People's games come first, then those of bot leagues. Where a game has few puzzles, club bots play some, so a new site
has puzzles, too. A slice that got lost is due again by itself, and a game is never searched twice.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from itertools import chain, islice
from typing import Any

from django.db import transaction
from django.db.models import Count, F

from games import engines
from games.bots.puzzles import Puzzle as Found
from games.bots.puzzles import Record, find_puzzles, played_by_bots
from games.core.contract import Game, GameError
from games.domain.rating_math import Skill
from games.models import Table
from games.record.coach_rows import record_of
from infra.due import claim_due
from infra.task_queue import enqueue_on_commit
from tutorials.models import Puzzle, PuzzleNight, PuzzleSource
from tutorials.signals import bot_games_wanted

logger = logging.getLogger(__name__)

NIGHT_SECONDS = 600.0  # of the processor
SLICE_SECONDS = 5.0  # a position that was begun is finished, so a slice can take three times as long
REST = 3.0  # times as long as a slice took, before the next one: visitors and their bots may need the core
SLICE_TIMEOUT = timedelta(minutes=3)
LOOK_BACK = timedelta(days=7)  # older games are not searched
MOST_LEAGUE_GAMES = 60  # a night
STOCK = 12  # puzzles of a game that bots provide
QUICK = ("partnership-cribbage", "gin-rummy", "sixty-six")  # so that a new site has a puzzle within a minute
SCHEDULED_DAYS = 2  # ahead of today, as it is tomorrow elsewhere


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game to be searched. name: unlike that of any other. table: of people's games. load: reads its record."""

    name: str
    game: str
    load: Callable[[], Record]
    table: Table | None = None


def start_night(*, now: datetime) -> None:
    """A night of this date, unless there is one."""
    PuzzleNight.objects.get_or_create(day=now.date(), defaults={"due_at": now})


def claim_due_nights(*, now: datetime) -> list[int]:
    """Claims nights whose next slice is due; the first one of a new site starts here."""
    if not PuzzleNight.objects.exists():
        start_night(now=now)
    return [pk for pk, _ in claim_due(PuzzleNight.objects.all(), "due_at", until=now, patience=SLICE_TIMEOUT)]


def search_slice(*, night_id: int, now: datetime) -> None:
    """Searches for some seconds, outside of any transaction, and queues the next slice.

    Between slices it rests, except where the next days have no puzzles, as on a new site.
    """
    night = PuzzleNight.objects.get(pk=night_id)
    if night.due_at is None:
        return
    began = time.process_time()
    until = began + min(SLICE_SECONDS, NIGHT_SECONDS - night.seconds)
    has_games = True
    while has_games and time.process_time() < until:
        has_games = search_next_game(now=now, until=until)
    has_days = schedule_days(now=now)
    seconds = time.process_time() - began
    with transaction.atomic():
        PuzzleNight.objects.filter(pk=night_id).update(seconds=F("seconds") + seconds)
        night.refresh_from_db()
        if not has_games or night.seconds >= NIGHT_SECONDS:
            night.due_at = None
        else:
            night.due_at = now + SLICE_TIMEOUT
            enqueue_on_commit("tutorials.tasks.search_slice", night.pk, countdown=REST * seconds if has_days else 0)
        night.save(update_fields=["due_at"])


def search_next_game(*, now: datetime, until: float) -> bool:
    """Searches one game. until: seconds of the processor. False: there is none left."""
    for finished in chain(_tables(now), _league_games(), _games_of_club_bots()):
        source = _claim(finished, now)
        if source is not None:
            _search(source, finished, now, until)
            return True
    return False


def _claim(finished: FinishedGame, now: datetime) -> PuzzleSource | None:
    """The row of a game that is searched now; None if another worker has it."""
    source, is_new = PuzzleSource.objects.get_or_create(
        name=finished.name, defaults={"game": finished.game, "table": finished.table, "searched_at": now}
    )
    return source if is_new else None


def _search(source: PuzzleSource, finished: FinishedGame, now: datetime, until: float) -> None:
    try:
        record = finished.load()
    except GameError as error:  # a record by other rules
        logger.warning("%s cannot be searched for puzzles: %s", source, error)
        return
    for found in find_puzzles(record, seed=source.name, clock=time.process_time, until=until):
        store_puzzle(source, record.game, found, now=now)


# Games to search


def _tables(now: datetime) -> Iterator[FinishedGame]:
    """People's games, newest first: not private, and with cards that no other table has."""
    over = (
        Table.objects.by_todays_rules()
        .own_deals()
        .filter(status=Table.Status.FINISHED, ended_by=Table.EndedBy.RULES, finished_at__gte=now - LOOK_BACK)
    )
    fresh = over.filter(
        is_private=False, is_hidden=False, is_compared=False, shares_deals=False, offers_deal=False, puzzle_source=None
    )
    for table in fresh.order_by("-finished_at", "-pk"):
        yield FinishedGame(f"table {table.pk}", table.game, partial(record_of, table), table)


def _league_games() -> Iterator[FinishedGame]:
    answers: Sequence[tuple[object, Any]] = bot_games_wanted.send(sender=PuzzleSource, most=MOST_LEAGUE_GAMES)
    games: Iterator[FinishedGame] = chain.from_iterable(games for _, games in answers)
    newest = list(islice(games, MOST_LEAGUE_GAMES))
    known = set(PuzzleSource.objects.filter(name__in=[game.name for game in newest]).values_list("name", flat=True))
    yield from (game for game in newest if game.name not in known)


def _games_of_club_bots() -> Iterator[FinishedGame]:
    """A new game of bots: of the game that was searched least, among those with few puzzles."""
    stock = dict(Puzzle.objects.open().values_list("game").annotate(Count("pk")))
    searched = dict(PuzzleSource.objects.values_list("game").annotate(Count("pk")))
    short = [game for game in engines.GAMES if stock.get(game.slug, 0) < STOCK]
    if short:
        game = min(short, key=lambda game: (searched.get(game.slug, 0), game.slug not in QUICK))
        name = f"{game.slug} by club bots, number {searched.get(game.slug, 0) + 1}"
        yield FinishedGame(name, game.slug, partial(played_by_bots, game, seats=game.seats[0], seed=name))


# Storing


def store_puzzle(source: PuzzleSource, game: Game[Any, Any, Any], found: Found, *, now: datetime) -> Puzzle:
    """Stores a puzzle; a second call changes nothing."""
    return Puzzle.objects.get_or_create(
        source=source,
        number=found.number,
        defaults={
            "game": game.slug,
            "rules_version": game.rules_version,
            "position": found.state.dump(),
            "seat": found.seat,
            "best": [str(move) for move in found.best],
            "gain": found.gain,
            "in_percent": found.in_percent,
            "values": [
                {"move": str(value.move), "behind": value.behind, "error": value.error} for value in found.values
            ],
            "checks": [
                {"seed": check.seed, "worlds": check.worlds, "gain": check.gain, "error": check.error}
                for check in found.checks
            ],
            "chosen": {
                level: {str(move): times for move, times in moves.most_common()}
                for level, moves in found.chosen.items()
            },
            "reason": found.reason.text,
            "rule": found.reason.rule,
            "mu": Skill.of_number(found.difficulty).mu,
            "found_at": now,
        },
    )[0]


def schedule_days(*, now: datetime) -> bool:
    """Gives the next days their puzzles, of each game in turn. A day keeps what it has while that may be shown.

    False: there are too few puzzles.
    """
    days = [now.date() + timedelta(days=ahead) for ahead in range(SCHEDULED_DAYS + 1)]
    for day in days:
        if not Puzzle.objects.open().filter(day=day).exists():
            Puzzle.objects.filter(day=day).update(day=None)
            _choose_for(day)
    return Puzzle.objects.open().filter(day__in=days).count() == len(days)


def _choose_for(day: date) -> None:
    free = Puzzle.objects.open().filter(day=None)
    shown = dict(Puzzle.objects.exclude(day=None).order_by("day").values_list("game", "day"))
    games = sorted(set(free.values_list("game", flat=True)), key=lambda game: (str(shown.get(game, "")), game))
    if games:
        puzzle = free.filter(game=games[0]).nearest(Skill()).first()
        if puzzle is not None:
            free.filter(pk=puzzle.pk).update(day=day)
