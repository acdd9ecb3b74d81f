"""The position of a table, replayed from its options, deals and moves.

Each process keeps the newest position of some tables, so that a move costs one move and not a whole game.
It is only a cache, never written from anywhere but the record.
"""

from collections import OrderedDict
from threading import Lock

from games.core import deals
from games.core.contract import Event, Move, State
from games.models import Table

CACHED_TABLES = 500

_newest: OrderedDict[str, tuple[int, State]] = OrderedDict()
_lock = Lock()


def state_of(table: Table, move_count: int | None = None) -> State:
    """The position after `move_count` moves, all if None. It is the caller's own and may be played on."""
    wanted = table.move_count if move_count is None else move_count
    with _lock:
        played, state = _newest.get(table.code, (0, None))
        if state is None or played > wanted:
            played, state = 0, first_state(table)
        else:
            state = state.copy()
    if played < wanted:
        for seat, text in table.moves.filter(number__gt=played, number__lte=wanted).values_list(
            "seat", "text"
        ):
            state.play(seat, table.rules.parse(text))
    remember(table.code, wanted, state)
    return state


def remember(code: str, move_count: int, state: State) -> None:
    """Keeps a copy of the position, unless a newer one is known."""
    with _lock:
        if move_count >= _newest.get(code, (0, None))[0]:
            _newest[code] = (move_count, state.copy())
            _newest.move_to_end(code)
        while len(_newest) > CACHED_TABLES:
            _newest.popitem(last=False)


def first_state(table: Table) -> State:
    """The position before the first move."""
    pack = table.rules.deck(table.options)
    return table.rules.start(
        deals.verifiable_decks(pack, bytes(table.secret), table.entropy),
        seats=table.seat_count,
        options=table.options,
        dealer=table.first_dealer,
    )


def told_moves(table: Table) -> list[Event]:
    """Every move of the game as the table told it, oldest first."""
    state = first_state(table)
    events = []
    for seat, text in table.moves.values_list("seat", "text"):
        move, before = table.rules.parse(text), state.copy()
        state.play(seat, move)
        told = (event for event in reversed(state.view(None).log) if event.seat == seat)
        events.append(next(told, None) or _told_by_mover(before, seat, move))
    return events


def _told_by_mover(before: State, seat: int, move: Move) -> Event:
    """A move that ended a hand: the table tells of the next one already."""
    choice = before.view(seat).choice(move)
    return Event(seat, choice.phrase, choice.touches)
