"""Words of Krambambuli: steps as the log and the buttons name them, and prompts."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import Card, by_display
from games.core.contract import Phrase
from games.core.rummy.steps import Step
from games.core.words import joined


def step_phrase(step: Step, laid: Sequence[Card]) -> Phrase:
    """A step in words; laid: the cards that come from the hand."""
    stolen = [f"{theft.card} from meld {theft.number}" for theft in step.thefts]
    if step.number:
        own = [" ".join(by_display(laid))] if laid or not stolen else []
        return Phrase("add", f"{joined([*own, *stolen])} to meld {step.number}")
    return Phrase("lay", f"{step.meld} with {joined(stolen)}" if stolen else str(step.meld))


def start_prompt(upcard: Card | None) -> str:
    """upcard: None where it cannot be taken."""
    return "Draw from the stock." if upcard is None else f"Draw from the stock, or take the upcard {upcard}."


def melding_prompt(steps: Sequence[Step]) -> str:
    """steps: the legal ones."""
    kinds = {
        "lay a meld": any(step.is_from_hand for step in steps),
        "add to your melds": any(step.number for step in steps),
        "steal a card": any(step.thefts for step in steps),
    }
    possible = " or ".join(kind for kind, is_possible in kinds.items() if is_possible)
    return f"You can {possible}. Then discard a card." if possible else "Discard a card."
