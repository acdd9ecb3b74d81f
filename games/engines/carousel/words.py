"""Words of Carousel: steps as the log and the buttons name them, prompts, and what else a seat may do."""

from __future__ import annotations

from games.core.cards import is_joker
from games.core.contract import Phrase
from games.core.rummy.melds import Meld
from games.core.rummy.steps import Step
from games.core.words import joined
from games.engines.carousel.moves import MELDING, START, Phase


def step_phrase(step: Step, enlarged: Meld | None) -> Phrase:
    """A step in words; enlarged: the meld that it adds to, as it was."""
    sources = [
        f"{theft.card} from meld {theft.number}" + (f" for {theft.swap}" if theft.swap else "") for theft in step.thefts
    ]
    if enlarged is None:
        return Phrase("lay", f"{step.meld} with {joined(sources)}" if sources else str(step.meld))
    added = [card for card in step.laid(enlarged) if card in step.meld.cards]
    has_joker = step.meld.kind == "run" and any(map(is_joker, step.meld.cards))
    where = f": {step.meld}" if has_joker else ""  # else two steps that place it differently would read alike
    return Phrase("add", f"{', '.join([*added, *sources])} to meld {step.number}{where}")


# Prompts


def start_prompt(has_stock: bool, may_knock: bool) -> str:
    first = "Draw a card" if has_stock else "The stock is empty: lay a meld, or pass"
    return f"{first}, or knock." if may_knock else f"{first}."


def draw_prompt(may_draw: bool, is_last: bool) -> str:
    """After a draw. is_last: the next draw would end the turn."""
    again = "draw again" if may_draw else "end your turn"
    return f"Meld, or {again}.{' A third card ends your turn.' if is_last else ''}"


def melding_prompt(has_cards: bool) -> str:
    return "Keep melding, or end your turn." if has_cards else "Your hand is empty: end your turn."


# Why not


def what_now(phase: Phase, has_stock: bool, may_draw_again: bool) -> str:
    """What the seat to act may do, as the end of a sentence."""
    if phase is MELDING:
        return "keep melding, or end your turn"
    if phase is START:
        return "draw a card" if has_stock else "lay a meld or pass"
    return "meld or draw again" if may_draw_again else "meld or end your turn"


def robbery_hint(meld: Meld) -> str:
    """What a meld can give."""
    if meld.kind == "set":
        return "a set of four can spare one card"
    return "a run of four can spare an end card, and a run of seven one from the middle"
