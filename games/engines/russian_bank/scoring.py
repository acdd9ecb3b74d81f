"""Scoring of Russian Bank: what going out and a blocked game give, and why a match is won."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.contract import Outcome, ScoreLine, places

OUT_BONUS = 30
STOCK_POINTS = 2
DRAWS_IN_A_ROW = 3


def out_lines(winner: int, stock: int, others: int) -> list[ScoreLine]:
    """The score for going out. stock, others: the loser's cards in the stock, and in reserve and waste."""
    loser = 1 - winner
    parts = (
        ("Going out", OUT_BONUS),
        (f"In @{loser}'s stock: {stock}, at {STOCK_POINTS} each", STOCK_POINTS * stock),
        (f"In @{loser}'s reserve and waste: {others}, at 1 each", others),
    )
    return [ScoreLine((winner,), "russian-bank:score-out", text, points) for text, points in parts]


def blocked_winner(left: Sequence[int]) -> int | None:
    """Who has less left in a blocked game, None if both have the same. left: by seat, as `value_left`."""
    return None if left[0] == left[1] else left.index(min(left))


def blocked_lines(winner: int, left: Sequence[int]) -> list[ScoreLine]:
    text = f"Left: {min(left)} against {max(left)}"
    return [ScoreLine((winner,), "russian-bank:score-blocked", text, max(left) - min(left))]


def game_summary(winner: int | None, gained: int, left: Sequence[int]) -> str:
    """How a game ended, told from the cards that are left: a position has these, too."""
    if winner is None:
        return f"The game is blocked with {left[0]} points left on both sides; no one scores."
    how = f"The game is blocked. @{winner} [have] less left" if left[winner] else f"@{winner} [go] out"
    return f"{how} and [score] {gained}."


def match_outcome(scores: Sequence[int], *, target: int | None, left: Sequence[int]) -> Outcome:
    """The result of a match. target: None where a single game decides. left: by seat, as `value_left`."""
    return Outcome(tuple(scores), places(scores), _reason(scores, target, left))


def _reason(scores: Sequence[int], target: int | None, left: Sequence[int]) -> str:
    best = max(scores)
    winner = scores.index(best)
    if target is None:
        return game_summary(winner if best else None, best, left)
    if best >= target:
        return f"@{winner} [reach] the target of {target} points."
    standing = f"@{winner} [win] the match" if len(set(scores)) > 1 else "so is the match"
    return f"Three games in a row were drawn, and {standing}."
