"""Scoring of Advantage: fours of a kind, dead ties, and why a game ends."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.contract import Options
from games.engines.advantage.moves import Pair

BEST_RANKS_FIRST = "AKQJT98765432"
RANK_NAMES = dict(
    zip(
        BEST_RANKS_FIRST,
        "aces kings queens jacks tens nines eights sevens sixes fives fours threes twos".split(),
        strict=True,
    )
)
ENDINGS = {
    "end-cannot-drop": "no card can be dropped and the stock is empty",
    "end-cannot-pick": "no pile can be taken and the stock is empty",
    "end-out-of-cards": "a hand and the stock are empty",
    "end-stalled": "too many rounds went by without a draw or a pair",
}


def best_quad(pairs: Sequence[Pair]) -> int:
    """The place of the best rank with both pairs in ace-high order, the number of ranks if there is none."""
    ranks = [pair[0][0] for pair in pairs]
    quads = (place for place, rank in enumerate(BEST_RANKS_FIRST) if ranks.count(rank) == 2)
    return next(quads, len(BEST_RANKS_FIRST))


def dead_tie_winner(options: Options, dealer: int) -> int:
    """Who wins when pairs and fours of a kind decide nothing: the dealer on an odd day."""
    return dealer if options["day"] == "odd" else 1 - dealer
