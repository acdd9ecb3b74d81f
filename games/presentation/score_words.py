"""Words for the rules that score: what a difference in points is made of."""

from collections import defaultdict
from collections.abc import Mapping

from games.bots.cuarenta import WON

WORDS = {
    # Casino
    "score-cards": "most cards",
    "score-spades": "most spades",
    "score-big": "big casino",
    "score-little": "little casino",
    "score-aces": "aces",
    "sweep": "sweeps",
    # Cuarenta
    "caida": "caídas",
    "limpia": "limpias",
    "ronda": "rondas",
    "ronda-caida": "rondas caught",
    "count-twenty": "the count of cards",
    "count-neither": "the count of cards",
    "count-both": "the count of cards",
    "forty-wins": f"winning the game (counted as {WON:.0f} points)",
    # Cribbage
    "peg-fifteen": "the play",
    "peg-pair": "the play",
    "peg-run": "the play",
    "thirty-one": "the play",
    "go-point": "the play",
    "last-card": "the play",
    "his-heels": "his heels",
    "his-nobs": "his nobs",
    "show-fifteen": "fifteens",
    "show-pair": "pairs",
    "show-run": "runs",
    "show-flush": "flushes",
    "crib-flush": "flushes",
    # Tabletop Cribbage
    "line-fifteen": "fifteens",
    "line-pair": "pairs",
    "line-run": "runs",
    "line-flush": "flushes",
    "no-jack-points": "his nobs",
    # Gin Rummy and its relatives
    "score-knock": "knocks",
    "score-gin": "gin",
    "score-undercut": "undercuts",
    "score-zero": "hands without deadwood",
    "score-lowest": "the lowest hand",
    "score-tie": "ties",
    # Russian Bank, where the coach counts what is left in the piles
    "stock-turn-up": "the stocks",
    "reserve-turn": "reserves and wastes",
    "vacancy-fill": "empty piles",
    "score-out": "going out",
    "score-blocked": "blocked games",
    # Piquet
    "carte-blanche": "carte blanche",
    "point-score": "the point",
    "sequence-score": "sequences",
    "set-score": "sets",
    "repique": "repique",
    "pique": "pique",
    "play-lead-1": "tricks",
    "play-win-1": "tricks",
    "play-last": "the last trick",
    "cards-10": "the cards",
    "capot-40": "capot",
    # Sixty-Six
    "rate-1": "hands of one point",
    "rate-2": "hands of two points",
    "rate-3": "hands of three points",
    "claim-wrong": "wrong claims",
    "claim-against-closer": "going out against the closer",
    "claim-after-last": "going out against the closer",
    "close-failed": "closing without 66",
    "played-out": "hands played out",
    "tie-carry": "points carried over",
}
"""By the name of a rule, without its game. A rule that stands alone in its game needs no words."""

SMALL = 0.15  # share of a loss that is not worth a word


def made_of(lost: Mapping[str, float], loss: float) -> list[tuple[str, float]]:
    """What a loss is made of, in words and points, the largest part first. lost: by full rule id; empty if too little.

    Empty also if all of it comes from one source: then it says no more than the loss itself.
    """
    parts: defaultdict[str, float] = defaultdict(float)
    for rule, points in lost.items():
        words = WORDS.get(rule.partition(":")[2])
        if words:
            parts[words] += points
    if len(parts) < 2:
        return []
    large = [(words, points) for words, points in parts.items() if abs(points) >= SMALL * abs(loss)]
    return sorted(large, key=lambda part: -abs(part[1]))
