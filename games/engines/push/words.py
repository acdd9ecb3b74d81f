"""Words of Push: melds and moves as the log and the buttons name them."""

from __future__ import annotations

from games.core.contract import Phrase
from games.engines.push.melds import ONE_OF_A_SUIT, meld_fault
from games.engines.push.moves import NewMeld, Open, PushMeld, Spot, Swap, is_wild


def in_words(meld: PushMeld) -> str:
    """A meld as one speaks of it, "the run from 5S to 7S: XB1 2D1 7S1"; also where it is none and will be refused."""
    cards = " ".join(meld.cards)
    is_wild_run = meld.kind == "run" and any(map(is_wild, meld.cards))
    if not is_wild_run or meld_fault(ONE_OF_A_SUIT, meld) is not None:
        return f"the {meld.kind} {cards}"
    low, *_, high = ONE_OF_A_SUIT.run_faces(meld.cards)
    return f"the run from {low} to {high}: {cards}"


def laid_phrase(move: Open | NewMeld) -> Phrase:
    if isinstance(move, NewMeld):
        return Phrase("lay", in_words(move.meld))
    return Phrase("open", f"with {' and '.join(map(in_words, move.melds))}")


def swap_phrase(move: Swap) -> Phrase:
    swapped = f"{move.card} for {move.joker} of meld {move.number}"
    if isinstance(move.use, Spot):
        return Phrase("exchange", f"{swapped}, which goes to meld {move.use.number}")
    if move.use is None:
        return Phrase("exchange", f"{swapped} and keep the joker")
    phrase = laid_phrase(move.use)
    return Phrase("exchange", f"{swapped} to {phrase.verb} {phrase.rest}")
