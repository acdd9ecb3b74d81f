"""Words of Krambambuli: moves as the log and the buttons name them."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import Card, by_display
from games.core.contract import Phrase
from games.core.rummy.steps import Step


def step_phrase(step: Step, laid: Sequence[Card]) -> Phrase:
    """A step in words; laid: the cards that come from the hand."""
    if step.number:
        return Phrase("add", f"{' '.join(by_display(laid))} to meld {step.number}")
    stolen = [f", {theft.card} from meld {theft.number}" for theft in step.thefts]
    return Phrase("lay", f"{step.meld}{''.join(stolen)}")
