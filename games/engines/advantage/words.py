"""The sentences of Advantage: prompts, the log, moves in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.core.cards import Card
from games.core.contract import Event, Phrase
from games.core.words import counted
from games.engines.advantage.moves import (
    AdvantageMove,
    DrawToPick,
    Drop,
    LayPair,
    PassPick,
    StopDropping,
    StopPairing,
    Trade,
    parse_move,
)
from games.engines.advantage.scoring import ENDINGS


def drop_prompt(*, has_dropped: bool, drawn: Card | None) -> str:
    """drawn: the card that a blocked player has drawn and has to drop."""
    if has_dropped:
        return "Drop a second card, or stop."
    if drawn:
        return f"No card fitted, so you drew {drawn}. Drop it."
    return "Drop a card on a pile that it fits. After the drops you swap hands."


def pick_prompt(*, may_draw: bool, has_drawn: bool) -> str:
    if may_draw:
        return "None of your cards fits a pile. Draw a card, or pass."
    if has_drawn:
        return "The card you drew fits. Trade it for a pile, or pass."
    return "Trade a card for a whole pile, or pass."


def phrase(move: AdvantageMove, piles: Sequence[Sequence[Card]]) -> Phrase:
    """A move in words, with the cards that lie in its pile."""
    match move:
        case Drop(card, pile):
            return Phrase("drop", f"{card} on {piles[pile - 1][-1]}")
        case Trade(card, pile):
            return Phrase("trade", f"{card} for {' '.join(piles[pile - 1])}")
        case LayPair(cards):
            return Phrase("lay", f"{' '.join(cards)} aside")
        case DrawToPick():
            return Phrase("draw", "from the stock")
        case PassPick():
            return Phrase("pass", "the pick")
        case StopDropping():
            return Phrase("stop", "dropping")
        case StopPairing():
            return Phrase("stop", "pairing")


# The log


@lru_cache(maxsize=4096)
def log_event(text: str) -> Event:
    """A line of the state's log in words."""
    seat_text, _, deed = text.rpartition(":")
    seat = int(seat_text) if seat_text else None
    if deed == "X":
        return Event(None, Phrase("", "The players swap hands."), ("hand:0", "hand:1"))
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
    return _move_event(seat, parse_move(deed))


def _move_event(seat: int | None, move: AdvantageMove) -> Event:
    """A move for readers who no longer see what its pile looked like."""
    match move:
        case Drop(card, pile):
            return Event(seat, Phrase("drop", f"{card} on pile {pile}"), (card,))
        case Trade(card, pile):
            return Event(seat, Phrase("trade", f"{card} for pile {pile}"), (card,))
        case LayPair(cards):
            return Event(seat, Phrase("lay", f"{' '.join(cards)} aside"), cards)
    return Event(seat, Phrase("pass", "the pick"))
