"""Scoring of Advantage: the pairs laid aside, ties, and why a game ends."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.contract import HandResult, Options, ScoreLine, Zone, open_zone
from games.core.words import counted
from games.engines.advantage.moves import SEATS, Pair

BEST_RANKS_FIRST = "AKQJT98765432"
RANK_NAMES = dict(
    zip(
        BEST_RANKS_FIRST,
        "aces kings queens jacks tens nines eights sevens sixes fives fours threes twos".split(),
        strict=True,
    )
)
# Why a game ends, by the rule that ends it.
ENDINGS = {
    "end-cannot-drop": "no card can be dropped and the stock is empty",
    "end-cannot-pick": "no pile can be taken and the stock is empty",
    "end-out-of-cards": "a hand and the stock are empty",
    "end-stalled": "too many rounds went by without a draw or a pair",
}


def game_result(pairs: Sequence[Sequence[Pair]], over: str) -> HandResult:
    """The score sheet of a game. pairs: by seat. over: the rule that ended it."""
    counts = [len(laid) for laid in pairs]
    lines = [
        ScoreLine((seat,), "advantage:win-pairs", f"{counted(count, 'pair')} laid aside", count)
        for seat, count in enumerate(counts)
    ]
    summary = f"The game ends: {ENDINGS[over]}. @0 [have] {counted(counts[0], 'pair')}, @1 [have] {counts[1]}."
    zones = tuple(pairs_zone(seat, laid) for seat, laid in enumerate(pairs))
    return HandResult(1, summary, tuple(counts), tuple(lines), zones)


def pairs_zone(seat: int, pairs: Sequence[Pair], label: str = "") -> Zone:
    cards = [card for pair in pairs for card in pair]
    return open_zone(f"pairs:{seat}", "row", label or f"@{seat}'s pairs", cards, owner=seat)


def winner_by_pairs(
    pairs: Sequence[Sequence[Pair]], options: Options, dealer: int
) -> tuple[int | None, str, tuple[ScoreLine, ...]]:
    """The winner, None for a drawn game, with the reason and the tie-break that decided."""
    counts = [len(laid) for laid in pairs]
    if counts[0] != counts[1]:
        winner = 0 if counts[0] > counts[1] else 1
        return winner, f"@{winner} [win] {counted(counts[winner], 'pair')} to {counts[1 - winner]}.", ()
    level = f"Both have {counted(counts[0], 'pair')}"
    best = [best_quad(laid) for laid in pairs]
    if best[0] != best[1]:
        winner = min(range(SEATS), key=best.__getitem__)
        quad = f"all four {RANK_NAMES[BEST_RANKS_FIRST[best[winner]]]}"
        line = ScoreLine((winner,), "advantage:tie-quads", quad.capitalize(), 0)
        return winner, f"{level}. @{winner} [win] with {quad}.", (line,)
    if options["dead_tie"] == "shared":
        return None, f"{level}, and no four of a kind decides: a draw.", ()
    winner, day = dead_tie_winner(options, dealer), options["day"]
    line = ScoreLine((winner,), "advantage:tie-date", f"The game began on an {day} day", 0)
    return winner, f"{level}, and no four of a kind decides. @{winner} [win] by the {day} date.", (line,)


def best_quad(pairs: Sequence[Pair]) -> int:
    """The place of the best rank with both pairs in ace-high order, the number of ranks if there is none."""
    ranks = [pair[0][0] for pair in pairs]
    quads = (place for place, rank in enumerate(BEST_RANKS_FIRST) if ranks.count(rank) == 2)
    return next(quads, len(BEST_RANKS_FIRST))


def dead_tie_winner(options: Options, dealer: int) -> int:
    """Who wins when pairs and fours of a kind decide nothing: the dealer on an odd day."""
    return dealer if options["day"] == "odd" else 1 - dealer
