"""Open tables of the lobby: the list of tables that anyone may join, rendered once for each change."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.cache import cache
from django.template.loader import render_to_string

from games import live
from games.models import Rating, Table

LOBBY = "lobby"
CHANGED = "lobby:changed"  # tells all processes of the last change
KEPT_SECONDS = 5  # names and ratings change without it
LISTED = 20


@dataclass(frozen=True, slots=True)
class OpenTableRow:
    """An open table as the lobby lists it. people: ids of its players."""

    people: frozenset[int]
    html: str


@dataclass(frozen=True, slots=True)
class RenderedList:
    changed: int | None
    rendered_at: float
    rows: tuple[OpenTableRow, ...]


_last = RenderedList(None, 0, ())


def invalidate_open_tables() -> None:
    """Invalidates the list: a table was opened, filled or closed. Call it on commit."""
    cache.set(CHANGED, time.time_ns(), None)
    live.announce(LOBBY, live.moment())


def open_table_rows(user_id: int | None) -> list[OpenTableRow]:
    """The newest tables with free seats, without those of the reader."""
    return [row for row in _rows() if user_id not in row.people]


def _rows() -> tuple[OpenTableRow, ...]:
    """Renders the list; each time where no last change is known, as after a restart of Redis."""
    global _last
    changed, now = cache.get(CHANGED), time.monotonic()
    if changed is None or changed != _last.changed or now - _last.rendered_at > KEPT_SECONDS:
        newest = Table.objects.open().with_seats().order_by("-created_at")[:LISTED]
        _last = RenderedList(changed, now, tuple(_row(table) for table in _with_ratings(newest)))
    return _last.rows


def _row(table: Table) -> OpenTableRow:
    people = frozenset(seat.user_id for seat in table.seat_rows if seat.user_id is not None)
    return OpenTableRow(people, render_to_string("games/_table_row.html", {"table": table, "action": "Sit down"}))


def _with_ratings(tables: Iterable[Table]) -> list[Table]:
    """Gives each player at these tables a `rating` in its game, None before the first rated game."""
    found = list(tables)
    seats = [(table, seat) for table in found for seat in table.seat_rows]
    known = Rating.objects.filter(user__in={seat.user_id for _, seat in seats if seat.user_id}, games__gt=0)
    by_game: dict[tuple[int | None, str], Rating] = {(rating.user_id, rating.game): rating for rating in known}
    for table, seat in seats:
        seat.rating = by_game.get((seat.user_id, table.game))  # type: ignore[attr-defined]  # for this page alone
    return found
