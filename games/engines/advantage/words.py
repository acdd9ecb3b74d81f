"""The sentences of Advantage."""

from __future__ import annotations

from functools import lru_cache

from games.core.contract import Event, Phrase
from games.engines.advantage.moves import AdvantageMove, Drop, LayPair, Trade, read_move
from games.engines.advantage.scoring import ENDINGS


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


@lru_cache(maxsize=4096)
def event_of(text: str) -> Event:
    """What a line of the history says in words."""
    seat_text, _, deed = text.rpartition(":")
    seat = int(seat_text) if seat_text else None
    if deed == "X":
        return Event(None, Phrase("", "The hands change owners."), ("hand:0", "hand:1"))
    if deed == "D-":
        return Event(seat, Phrase("pass", "because no card fits"))
    if deed[0] == "+":
        card = "a card" if deed[1:] == "?" else deed[1:]
        return Event(seat, Phrase("draw", f"{card} because no card fits"), ("stock",))
    if deed[0] == "=":
        return Event(seat, Phrase("draw", f"{counted(int(deed[1:]), 'card')} to hold three"), ("stock",))
    if deed[0] == "#":
        why = ENDINGS[deed.replace("#", "end-")]
        return Event(seat, Phrase("", f"The game ends: {why}.") if seat is None else Phrase("end", f"the game: {why}"))
    return _move_event(seat, read_move(deed))


def _move_event(seat: int | None, move: AdvantageMove) -> Event:
    if isinstance(move, Drop):
        return Event(seat, Phrase("drop", f"{move.card} on pile {move.pile}"), (move.card,))
    if isinstance(move, Trade):
        return Event(seat, Phrase("trade", f"{move.card} for pile {move.pile}"), (move.card,))
    if isinstance(move, LayPair):
        return Event(seat, Phrase("lay", f"{' '.join(move.cards)} aside"), move.cards)
    return Event(seat, Phrase("pass", "the pick"))
