"""Playback of a game for replay pages: its moves in words, its deals, and any of its positions.

One pass over the moves computes all of it, and each process caches some games, with a position every few moves: a step
of a replay plays on from the nearest one. It is only a cache of the record.
"""

from dataclasses import dataclass
from datetime import datetime

from games.core.contract import Event, HandResult, State
from games.models import Table
from games.record import replay
from games.record.replay import RecordRow
from infra.cache import LRUCache

CACHED_GAMES = 30
KEPT_EVERY = 10  # moves from one kept position to the next

_cached: LRUCache[tuple[str, int], "Playback"] = LRUCache(CACHED_GAMES)


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal. start: how many rows of the record come before it; end: how many there were at its end, if it has one."""

    number: int
    start: int
    end: int | None = None
    result: HandResult | None = None


class Playback:
    """The moves of a table, all replayed by the constructor."""

    def __init__(self, table: Table) -> None:
        self.rows = replay.rows_of(table)
        self.times: list[datetime] = list(table.moves.values_list("played_at", flat=True))
        self.events: list[Event] = []
        self.deals: list[Deal] = []
        self._parse = table.rules.parse
        self._kept: list[State] = []
        state = replay.first_state(table)
        self._note(state, 0)
        for row in self.rows:
            state = self._after(state, row)
            self.events.append(self._event_of(row, state))
            self._note(state, row.number)
        if state.outcome() is None and self._dealt_at < len(self.rows):
            self.deals.append(Deal(len(self.deals) + 1, self._dealt_at))

    def state_at(self, at: int) -> State:
        """A copy of the position after `at` rows of the record."""
        kept = at // KEPT_EVERY
        state = self._kept[kept].copy()
        for row in self.rows[kept * KEPT_EVERY : at]:
            state = self._after(state, row)
        return state

    def _after(self, state: State, row: RecordRow) -> State:
        """The position after a row: its move played, or the earlier position that an undo returns to."""
        if row.takes_back_to is not None:
            return self.state_at(row.takes_back_to)
        state.play(row.seat, self._parse(row.text))
        return state

    @property
    def last_open(self) -> int | None:
        """The newest position that shows nothing of an unfinished deal, None while the first one lasts.

        The move that ends a deal shows the next one, so it is the position before that move.
        """
        ends = [deal.end for deal in self.deals if deal.end]
        return ends[-1] - 1 if ends else None

    def _note(self, state: State, at: int) -> None:
        if at % KEPT_EVERY == 0:
            self._kept.append(state.copy())
        for result in state.results[len(self.deals) :]:
            self.deals.append(Deal(result.number, self._dealt_at, at, result))

    @property
    def _dealt_at(self) -> int:
        """The number of moves made before the newest deal."""
        return self.deals[-1].end or 0 if self.deals else 0

    def _event_of(self, row: RecordRow, state: State) -> Event:
        """The event of a row; made of the choice if the move ended a hand, since the log starts again with the next."""
        if row.takes_back_to is not None:
            return Event(row.seat, replay.TAKEN_BACK)
        event = next((line for line in reversed(state.view(None).log) if line.seat == row.seat), None)
        if event is not None:
            return event
        choice = self.state_at(row.number - 1).view(row.seat).choice(self._parse(row.text))
        return Event(row.seat, choice.phrase, choice.touches)


def playback_of(table: Table) -> Playback:
    """The playback of a table's game so far, from the cache if possible."""
    key = table.code, table.move_count
    found = _cached.get(key)
    if found is None:
        found = Playback(table)
        _cached.set(key, found)
    return found
