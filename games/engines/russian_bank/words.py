"""Words of Russian Bank: prompts, plays and deeds in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from games.core.cards import Card
from games.core.contract import Event, HandResult, Phrase
from games.engines.russian_bank.moves import FOUNDATION, LOADS, STOCK, THEIR_STOCK, WASTE, Deed, Play


def either_of(due: Sequence[Play]) -> str:
    """The cards of foundation plays, the stock card alone because it goes first."""
    cards = [str(play.card) for play in (due[:1] if due[0].source == STOCK else due)]
    return " or ".join(cards)


# Prompts

OPENING_PROMPT = "Play your aces, and whatever fits on them, to the foundations."
DUE_PROMPT = "A card fits a foundation: play it there before anything else."


def place_prompt(turned: Card, *, can_waste: bool) -> str:
    return f"Find a place for {turned}, or put it on your waste." if can_waste else f"Find a place for {turned}."


def turn_prompt(*, can_turn_up: bool, can_pass: bool) -> str:
    if can_turn_up:
        return "Play a card or turn up a reserve card."
    return "Play a card or pass." if can_pass else "Fill the empty pile before you turn up a reserve card."


def answer_prompt(turn: int, *, has_ended: bool, may_stop: bool) -> str:
    """For the player who is not on turn. has_ended: the turn is over, and this player takes the next one."""
    if not has_ended:
        return f"@{turn} [be] playing. Call stop if they miss a card that must be played."
    if may_stop:
        return f"@{turn} [have] finished. Take your turn, or call stop if something was missed."
    return f"@{turn} [have] finished. Take your turn."


# The log and the buttons

_EVENTS = {
    "T": ("turn", "up {}"),
    "VT": ("turn", "the waste over; the first card is {}"),
    "+": ("turn", "up the stock card {}"),
    "P": ("pass", ""),
    "STOP": ("call", "stop, but nothing was missed"),
    "STOP!": ("call", "stop: a card was missed, and the cards go back"),
}

CALL_PHRASES = {"P": Phrase("pass"), "STOP": Phrase("call", "stop"), "GO": Phrase("take", "your turn")}


@cache
def _event(deed: Deed) -> Event:
    if not deed.target:
        verb, rest = _EVENTS[deed.what]
        return Event(deed.seat, Phrase(verb, rest.format(deed.card)), (deed.card,) if deed.card else ())
    return Event(deed.seat, play_phrase(deed.seat, deed.target, deed.card), (deed.card,))


def events_of(deeds: Iterable[Deed]) -> list[Event]:
    """The deeds of a turn; a stock card that comes up after a play is told with it."""
    found: list[Event] = []
    for deed in deeds:
        event = _event(deed)
        if deed.source == "+" and found:
            last = found.pop()
            phrase = Phrase(last.phrase.verb, f"{last.phrase.rest}; the next stock card is {deed.card}")
            event = Event(last.seat, phrase, (*last.touches, deed.card))
        found.append(event)
    return found


def play_phrase(seat: int, target: str, card: Card, below: Card | None = None) -> Phrase:
    """A play in words. below: the card that it covers, where the sentence should name it."""
    if target == FOUNDATION:
        return Phrase("play", f"{card} to a foundation")
    if target == WASTE:
        return Phrase("put", f"{card} on the waste")
    if target in LOADS:
        pile = "stock" if target == THEIR_STOCK else "waste"
        return Phrase("load", f"{card} on @{1 - seat}'s {pile}")
    return Phrase("move", f"{card} on {below}" if below else f"{card} to pile {target}")


def result_events(results: tuple[HandResult, ...]) -> list[Event]:
    return [Event(None, Phrase("", f"Game {result.number}: {result.summary}")) for result in results[-1:]]
