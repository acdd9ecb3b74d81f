"""The sentences of Gin Rummy."""

from __future__ import annotations

from games.core.contract import Event, HandResult, Phrase
from games.core.rummy.deadwood import CARD
from games.engines.gin_rummy.moves import UPCARD_TURNS_IN_A_ROW, Deed

BARS = {
    "first-upcard": "Both players passed, so this first turn starts from the stock.",
    "draw-cap": f"The upcard was taken {UPCARD_TURNS_IN_A_ROW} times in a row; draw from the stock now.",
    "turn-draw": "The discard pile is empty; draw from the stock.",
}


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


_LETTER_PHRASES = {
    "P": ("pass", ""),
    "D": ("draw", "from the stock"),
    "U": ("take", "the upcard {}"),
    "X": ("discard", "{}"),
}
_LETTER_TOUCHES = {"P": (), "D": ("stock",), "U": (), "X": ("discards",)}


def event_of(deed: Deed) -> Event:
    seat, letter, bit = deed
    verb, rest = _LETTER_PHRASES[letter]
    card = CARD[bit] if bit else ("a card" if letter == "X" else "")
    touched = (CARD[bit],) if letter == "X" and bit else ()
    return Event(seat, Phrase(verb, rest.format(card).strip()), (*touched, *_LETTER_TOUCHES[letter]))


def result_events(results: tuple[HandResult, ...]) -> list[Event]:
    return [Event(None, Phrase("", f"Hand {result.number}: {result.summary}")) for result in results[-1:]]
