"""Imagined states of Gin Rummy (`sample`): what a view shows, and hidden cards for the rest."""

from __future__ import annotations

from random import Random

from games.core.card_bits import ALL_CARDS, BIT, CARD, bits, mask, union
from games.engines.gin_rummy.moves import HAND_CARDS, BigGin, Knock, all_cards
from games.engines.gin_rummy.state import GinRummyState
from games.engines.gin_rummy.view import GinRummyView


def imagine(state: GinRummyState, view: GinRummyView, rng: Random) -> None:
    """Fills an empty table so that it looks like this view; `rng` deals the hidden cards."""
    state.take_public(view)
    state.scores, state.hands_won, state.log = list(view.scores), list(view.hands_won), list(view.remembered_deeds)
    state.known = mask(card for hand in view.known for card in hand)
    state.taken_upcard = BIT.get(view.taken_upcard or "", 0)
    state.discards = [BIT[card] for card in view.remembered]
    state.hands = [mask(known) for known in view.known]
    knock = view.knock
    if knock is not None:
        state.hands[knock.seat] = mask(all_cards(knock.melds)) | mask(knock.deadwood)
    if view.seat is not None:
        state.hands[view.seat] = mask(view.hand)
    discard = knock.discard if knock is not None else None
    hidden = list(bits(ALL_CARDS & ~union(state.hands) & ~union(state.discards) & ~mask([discard] if discard else [])))
    rng.shuffle(hidden)
    for seat, count in enumerate(view.hand_counts):
        while state.hands[seat].bit_count() < count:
            state.hands[seat] |= hidden.pop()
    state.stock = [hidden.pop() for _ in range(view.stock_count)]
    state.set_bar()
    if knock is not None:
        state.knocker = knock.seat
        is_big_gin = view.hand_counts[knock.seat] > HAND_CARDS
        state.knock = BigGin(knock.melds) if is_big_gin else Knock(discard or CARD[hidden.pop()], knock.melds)
