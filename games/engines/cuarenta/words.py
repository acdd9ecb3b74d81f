"""The sentences of Cuarenta."""

import re
from collections.abc import Sequence
from functools import lru_cache

from games.core.cards import Card
from games.core.contract import Event, Phrase
from games.engines.cuarenta.moves import CARD_PATTERN, Capture, Claim, CuarentaMove, Declare, Lay, Turn
from games.engines.cuarenta.scoring import POINTS, SPOKEN


def run_in_words(run: Sequence[Card]) -> str:
    return " ".join(run) if run else "nothing"


def calls(turn: Turn) -> tuple[str, ...]:
    """The rules that are called out. A ronda is proclaimed even where 38 points bar its four."""
    return turn.gains or (("ronda",) if turn.move is None else ())


@lru_cache(maxsize=4096)
def told(turn: Turn) -> Event:
    """A turn as the log has it."""
    points = sum(POINTS.get(rule, 0) for rule in turn.gains)
    gains = " and ".join(SPOKEN[rule].lower() for rule in turn.gains if rule in SPOKEN)
    match turn.move:
        case None if "four-wins" in turn.gains:
            return Event(turn.seat, Phrase("hold", "four of a kind and win"))
        case None:
            return Event(turn.seat, Phrase("proclaim", f"a ronda: {points or 'no'} points"))
        case Declare(card) if card:
            result = f"{points} points" if points else "no points"
            return Event(turn.seat, Phrase("declare", f"{card} a ronda card: {result}"))
    words = phrase(turn.move)
    touches = tuple(re.findall(CARD_PATTERN, str(turn.move)))
    if gains:
        words = Phrase(words.verb, f"{words.rest}: {gains}, {points} points")
    return Event(turn.seat, words, touches)


def phrase(move: CuarentaMove) -> Phrase:
    """A legal move in words."""
    match move:
        case Lay(card):
            return Phrase("lay", card)
        case Capture(card, taken, run):
            return Phrase("take", f"{' '.join([*taken, *run])} with {card}")
        case Claim(cards):
            return Phrase("claim", " ".join(cards) or "nothing")
        case Declare(None):
            return Phrase("declare", "nothing")
        case Declare(card):
            return Phrase("declare", f"{card} a ronda card")
