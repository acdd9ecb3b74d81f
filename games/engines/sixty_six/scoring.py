"""Scoring of Sixty-Six: what a hand is worth in game points, and how the game ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.core.contract import Options, Outcome, ScoreLine, places

GOAL = 66
HALF = 33
PENALTY = 2
HAND_CAP = 30

RULE_TEXTS = {
    "rate-1": "the other player has 33 points or more",
    "rate-2": "the other player has fewer than 33 points",
    "rate-3": "the other player has no trick",
    "claim-wrong": "wrong claim",
    "claim-against-closer": "going out against the closer",
    "claim-after-last": "66 with the last trick, against the closer",
    "close-made": "after closing",
    "close-failed": "closed without reaching 66",
    "played-out": "more points in a hand played out",
}


# A hand


class Win(NamedTuple):
    """A hand that somebody wins: by which rule, with how many game points, and how it came. also: a second rule."""

    seat: int
    rule: str
    points: int
    how: str
    also: str = ""

    def lines(self, slug: str, carry: int) -> list[ScoreLine]:
        """The score sheet. carry: game points that ties have left for this hand."""
        text = RULE_TEXTS[self.rule] + (f", {RULE_TEXTS[self.also]}" if self.also else "")
        lines = [ScoreLine((self.seat,), f"{slug}:{self.rule}", text[0].upper() + text[1:], self.points)]
        if carry:
            lines.append(ScoreLine((self.seat,), f"{slug}:tie-carry", "Carried over from a tie", carry))
        return lines


class HandCount(NamedTuple):
    """What both players have at the end of a hand. at_close: what the closer's opponent had when it was closed."""

    options: Options
    points: Sequence[int]
    tricks: Sequence[int]
    closed_by: int | None
    at_close: tuple[int, int] | None

    def claimed(self, seat: int) -> Win:
        """The claimant has 66 and a trick, or the other is paid for the mistake."""
        has = self.points[seat]
        if has >= GOAL and self.tricks[seat]:
            rule, points = self.rate(seat)
            if self.closed_by == 1 - seat and points < PENALTY:
                rule, points = "claim-against-closer", PENALTY
            return Win(seat, rule, points, f"@{seat} [go] out, {self._totals(seat)}")
        mistake = f"with only {has}" if self.tricks[seat] else "without a trick"
        how = f"@{seat} [claim] 66 {mistake}"
        return Win(1 - seat, "claim-wrong", self.penalty(seat), how)

    def closed(self, closer: int, *, last: int, brought: int) -> Win:
        """A closed hand in which nobody went out. last: the winner of the last trick, which brought so many points."""
        other = 1 - closer
        if self.points[closer] >= GOAL:
            rule, points = self.rate(closer)
            how = f"@{closer} [win] after closing the stock, {self._totals(closer)}"
            return Win(closer, rule, points, how, "close-made")
        if last == other and self.points[other] >= GOAL > self.points[other] - brought:
            points = max(PENALTY, self.rate(other)[1])
            how = f"@{other} [reach] 66 with the last trick, {self._totals(other)}"
            return Win(other, "claim-after-last", points, how)
        how = f"@{closer} [have] only {self.points[closer]} after closing the stock"
        return Win(other, "close-failed", self.penalty(closer), how)

    def played_out(self) -> Win | None:
        """A hand played out without a claim; None if it is a tie."""
        if self.points[0] == self.points[1]:
            return None
        winner = 0 if self.points[0] > self.points[1] else 1
        return Win(winner, "played-out", 1, f"The hand is played out and @{winner} [win] {self._totals(winner)}")

    def _totals(self, seat: int) -> str:
        return f"{self.points[seat]} to {self.points[1 - seat]}"

    def rate(self, winner: int) -> tuple[str, int]:
        """The rule and the game points of a hand won with 66, by what the loser has."""
        points, tricks = self.points[1 - winner], self.tricks[1 - winner]
        if self.closed_by == winner and self.options["close_snapshot"] and self.at_close is not None:
            points, tricks = self.at_close
        if not tricks:
            return "rate-3", 3
        return ("rate-2", 2) if points < HALF else ("rate-1", 1)

    def penalty(self, loser: int) -> int:
        """What a wrong claim or a failed close costs."""
        return PENALTY if self.tricks[1 - loser] else int(self.options["trickless_penalty"])


# The game


def game_outcome(scores: Sequence[int], target: int) -> Outcome:
    """The end of a game: somebody has reached the target, or the last hand is played."""
    ours, theirs, found = max(scores), min(scores), places(scores)
    if ours == theirs:
        reason = "Thirty hands have been played and the scores are equal: a draw."
    elif ours >= target:
        reason = f"@{found.index(1)} [reach] {target} game points."
    else:
        reason = f"Thirty hands have been played, and @{found.index(1)} [lead]."
    return Outcome(tuple(scores), found, reason)
