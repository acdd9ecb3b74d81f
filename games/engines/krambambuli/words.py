"""Words of Krambambuli: steps as the log and the buttons name them, and prompts."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import Card, by_display
from games.core.contract import Phrase
from games.core.rummy.steps import Step


def step_phrase(step: Step, laid: Sequence[Card]) -> Phrase:
    """A step in words; laid: the cards that come from the hand."""
    if step.number:
        return Phrase("add", f"{' '.join(by_display(laid))} to meld {step.number}")
    stolen = [f" with {theft.card} from meld {theft.number}" for theft in step.thefts]
    return Phrase("lay", f"{step.meld}{''.join(stolen)}")


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
