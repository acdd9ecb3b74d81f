"""The position of a table, replayed from its options, deals and moves.

Each process caches the newest position of some tables, so that a move costs one move and not a whole game. The cache
is filled from the record alone.
"""

from collections.abc import Iterable
from typing import NamedTuple

from games.core import deals
from games.core.contract import GameError, Phrase, State
from games.models import Table
from infra.after_commit import nonblocking
from infra.cache import LRUCache

CACHED_TABLES = 500
RECENT_ROWS = 20  # of each table
TAKEN_BACK = Phrase("take", "back the last move")

_newest: LRUCache[str, tuple[int, State]] = LRUCache(CACHED_TABLES)
_recent_rows: LRUCache[str, "tuple[RecordRow, ...]"] = LRUCache(CACHED_TABLES)


class OtherRules(GameError):
    """The record was made by other rules than those of today, by which its moves may mean something else."""


def state_of(table: Table, move_count: int | None = None) -> State:
    """The position after so many rows of the record, all if None. It is a copy and may be played on.

    :raises OtherRules:
    """
    return position_of(table, move_count).copy()


def position_of(table: Table, move_count: int | None = None) -> State:
    """The same position shared with other callers, so read-only."""
    wanted = table.move_count if move_count is None else move_count
    played, state = _newest.get(table.code) or (0, None)
    if state is not None and played == wanted:
        return state
    if state is None or played > wanted:
        played, state = 0, first_state(table)
    else:
        state = state.copy()
    rows = _rows_between(table, played, wanted)
    if played and any(row.takes_back_to is not None for row in rows):
        state, rows = first_state(table), rows_of(table, upto=wanted)
    for row in standing(rows):
        state.play(row.seat, table.rules.parse(row.text))
    if table.started_at is not None:  # before that the shuffle is incomplete, and no player has these cards
        cache_position(table.code, wanted, state)
    return state


class RecordRow(NamedTuple):
    """See `games.models.Move`."""

    number: int
    seat: int
    text: str
    takes_back_to: int | None


def rows_of(table: Table, *, after: int = 0, upto: int | None = None) -> list[RecordRow]:
    """The rows of the record, in order."""
    rows = table.moves.filter(number__gt=after, number__lte=table.move_count if upto is None else upto)
    return [RecordRow(*row) for row in rows.values_list(*RecordRow._fields)]


def cache_row(code: str, row: RecordRow) -> None:
    """Caches a row that another process has stored, with those right before it."""
    recent = _recent_rows.get(code) or ()
    follows = bool(recent) and recent[-1].number == row.number - 1
    _recent_rows.set(code, (*recent, row)[-RECENT_ROWS:] if follows else (row,))


def _rows_between(table: Table, after: int, upto: int) -> list[RecordRow]:
    """The rows with these numbers, from memory if it has all."""
    recent = [row for row in _recent_rows.get(table.code) or () if after < row.number <= upto]
    return recent if len(recent) == upto - after else rows_of(table, after=after, upto=upto)


def standing(rows: Iterable[RecordRow]) -> list[RecordRow]:
    """The moves among these rows that were not undone."""
    kept: list[RecordRow] = []
    for row in rows:
        if row.takes_back_to is None:
            kept.append(row)
        else:
            kept = [earlier for earlier in kept if earlier.number <= row.takes_back_to]
    return kept


@nonblocking
def cache_position(code: str, move_count: int, state: State) -> None:
    """Caches a copy of the position, unless a newer one is cached."""
    _newest.set(code, (move_count, state.copy()), unless=lambda known: known[0] > move_count)


def decks_dealt(table: Table) -> int:
    """How many decks were dealt at a finished table; that of an unfinished deal was, too."""
    return len(state_of(table).results) + (table.ended_by != Table.EndedBy.RULES)


def first_state(table: Table) -> State:
    """The position before the first move. :raises OtherRules:"""
    if table.rules_version != table.rules.rules_version:
        raise OtherRules(f"The rules of {table.rules.name} have changed since, so this game can no longer be shown.")
    pack = table.rules.deck(table.options)
    state: State = table.rules.start(
        deals.verifiable_decks(pack, bytes(table.secret), table.entropy),
        seats=table.seat_count,
        options=table.options,
        dealer=table.first_dealer,
    )
    return state
