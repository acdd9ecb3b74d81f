"""End of a finished hand of a table, played again from the record."""

from dataclasses import replace
from typing import Any

from games.core.contract import HandEnd
from games.core.shows import end_of_hand
from games.models import Table
from games.record import replay
from infra.after_commit import nonblocking
from infra.cache import LRUCache

CACHED_ENDS = 200

_ends: LRUCache[tuple[str, int], HandEnd[Any, Any]] = LRUCache(CACHED_ENDS)


def hand_end(table: Table, hand: int) -> HandEnd[Any, Any]:
    """The end of a finished hand. hand: its number at this table, from 1. :raises LookupError: it is not over.

    It is final: no undo leads back across it (`games.core.undoing`).
    """
    if hand > len(replay.position_of(table).results):
        raise LookupError(f"Hand {hand} of table {table.code} is not over.")
    key = table.code, hand
    found = _ends.get(key)
    if found is None:
        found = _played_again(table, hand)
        _ends.set(key, found)
    return found


@nonblocking
def cache_hand_end(code: str, end: HandEnd[Any, Any]) -> None:
    """Caches the end of a hand as it is played, and of further hands that are over at once. code: of the table."""
    for further in range(len(end.after.results) - len(end.before.results)):
        found = replace(end, further=further)
        _ends.set((code, found.number), found)


def _played_again(table: Table, hand: int) -> HandEnd[Any, Any]:
    state = replay.first_state(table)
    for row in replay.standing(replay.rows_of(table)):
        before, move = state.copy(), table.rules.parse(row.text)
        state.play(row.seat, move)
        if len(state.results) >= hand > len(before.results):
            return replace(end_of_hand(before, row.seat, move), further=hand - len(before.results) - 1)
    raise LookupError(f"Hand {hand} of table {table.code} is not over.")
