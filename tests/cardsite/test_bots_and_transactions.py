"""Bots think outside of transactions: on SQLite nobody else could write for as long as they take."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from django.db import connection
from django.utils import timezone

from games import services
from games.bots import matches
from tests.tournaments import leagues
from tournaments.services import league
from tutorials import drill_stock, puzzle_search

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("sqlite")]

BOTS = str(Path(matches.__file__).parent)
NOW = timezone.now()


@contextmanager
def thinking() -> Iterator[dict[bool, set[str]]]:
    """Which bots chose moves, by whether a transaction was open."""
    found: dict[bool, set[str]] = {False: set(), True: set()}

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name == "choose" and code.co_filename.startswith(BOTS):
            found[connection.in_atomic_block].add(code.co_qualname)

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


def test_a_bot_at_a_table(house_bot):
    players = [house_bot("Ada").user, house_bot("Bruno").user]
    table = services.seat_and_start(game="casino", players=players, options={"target": 11}, move_seconds=None)
    with thinking() as found:
        services.play_bot(table_id=table.pk)
    assert found[False] and not found[True]


def test_a_game_of_a_bot_league():
    night = league.start_due_night(league_id=leagues.planned().pk, now=leagues.SOON)
    with thinking() as found:
        league.play_chunk(chunk_id=night.chunks.first().pk, now=leagues.SOON)
    assert found[False] and not found[True]


def test_fresh_positions_for_reviews():
    with thinking() as found:
        drill_stock.add_seed(game="sixty-six", seed=1)
    assert found[False] and not found[True]


def test_a_search_for_puzzles():
    with thinking() as found:
        assert puzzle_search.search_next_game(now=NOW, until=0)
    assert found[False] and not found[True]
