"""Words of Carousel: moves as the log and the buttons name them."""

from __future__ import annotations

from games.core.contract import Phrase
from games.core.rummy.melds import Meld
from games.core.rummy.steps import Step


def step_phrase(step: Step, enlarged: Meld | None) -> Phrase:
    """A step in words; enlarged: the meld that it adds to, as it was."""
    sources = [
        f"{theft.card} from meld {theft.number}" + (f" for {theft.swap}" if theft.swap else "") for theft in step.thefts
    ]
    if enlarged is None:
        return Phrase("lay", f"{step.meld}{', ' if sources else ''}{', '.join(sources)}")
    added = [card for card in step.laid(enlarged) if card in step.meld.cards]
    return Phrase("add", f"{', '.join([*added, *sources])} to meld {step.number}")
