"""Rubicon Piquet: six deals of Piquet, and a loser who fails to reach a hundred pays dearly.

Source: "Ultimate Book of Card Games", "Rubicon Piquet". A deal is played as in `games.engines.piquet`; this
file has what makes six of them a partie.
Rulings, where the source is silent or unclear:
- exactly 100 points cross the line; the source has more than 100 and fewer than 100 only;
- the loser's total decides between difference and sum, as a winner is never below the loser;
- equal totals after six deals call for two more, so that both have been elder as often, and then stand as a draw;
- with four deals the first and the last count double, so that the line can stay where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.core.contract import Option, Options, Outcome, ScoreLine, numbers, places
from games.engines.piquet.game import Piquet
from games.engines.piquet.scoring import leader
from games.engines.piquet.state import PiquetState
from games.engines.piquet.view import PiquetView

BASE_POINTS = 100
SHORT_DEALS = 4
TIE_DEALS = 2


def game_score(totals: Sequence[int], line: int) -> int:
    """What the winner of a partie scores: 100 and the difference, or the sum if the loser is below the line."""
    low, high = sorted(totals)
    return high + sum(points for _rule, _text, points in _final_points(low, line))


def _final_points(theirs: int, line: int) -> tuple[tuple[str, str, int], ...]:
    """What is added to the winner's total, as rule, text and points. theirs: the loser's total."""
    has_crossed = theirs >= line
    rule = "final-difference" if has_crossed else "final-sum"
    text = "Less the loser's points" if has_crossed else "The loser's points too, below the rubicon"
    return (rule, "For the partie", BASE_POINTS), (rule, text, -theirs if has_crossed else theirs)


@dataclass(frozen=True, slots=True, kw_only=True)
class RubiconView(PiquetView):
    """What a seat knows of a partie."""

    @property
    def match_facts(self) -> tuple[tuple[str, str], ...]:
        deals, line = int(self.options["deals"]), int(self.options["rubicon_at"])
        of = f"{self.deal_number} of {deals}" if self.deal_number <= deals else f"{self.deal_number}, after a tie"
        found = [("Deal", of), ("Rubicon", str(line))]
        if self.to_act and self.deal_number not in (deals, deals + TIE_DEALS):
            found.append(("Elder in the next deal", f"@{self.younger}"))
        ahead = leader(self.scores)
        if ahead is not None:
            found.append(("If the game ended now", f"@{ahead} {game_score(self.scores, line)}"))
        return tuple(found)


class RubiconState(PiquetState):
    """A partie of Rubicon Piquet; `scores` are the totals of the deals."""

    __slots__ = ()

    view_class: ClassVar[type[PiquetView]] = RubiconView

    def weight(self, deal_number: int) -> int:
        is_short = self.options["deals"] == SHORT_DEALS
        return 2 if is_short and deal_number in (1, SHORT_DEALS) else 1

    def score_lines(self) -> Iterator[ScoreLine]:
        lines = list(super().score_lines())
        yield from lines
        if self.weight(self.deal_number) == 1:
            return
        for seat in range(self.seats):
            total = sum(line.points for line in lines if seat in line.seats)
            yield ScoreLine((seat,), f"{self.game.slug}:totals", "The first and the last deal count double", total)

    def likely_deals(self) -> int:
        deals, is_long = int(self.options["deals"]), self.options["tie"] == "two-deals"
        return deals + TIE_DEALS if is_long and self.scores[0] == self.scores[1] else deals

    def can_be_dealt(self) -> bool:
        further = TIE_DEALS if self.options["tie"] == "two-deals" else 0
        return self.deal_number <= int(self.options["deals"]) + further

    def is_tied(self) -> bool:
        """Further deals are counted by their number here."""
        return False

    def is_decided(self) -> bool:
        deals = int(self.options["deals"])
        if self.deal_number != deals:
            return self.deal_number == deals + TIE_DEALS
        return self.scores[0] != self.scores[1] or self.options["tie"] == "draw-at-once"

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        totals = self.scores
        winner = leader(totals)
        if winner is None:
            reason = f"Both players have {totals[0]} points: a draw."
            taken = tuple(
                self._final_line((seat,), "tie-drawn", "A draw scores nothing", -totals[seat]) for seat in (0, 1)
            )
            return Outcome((0, 0), (1, 1), reason, taken)
        lines = self._final_lines(winner)
        score = game_score(totals, int(self.options["rubicon_at"]))
        reason = f"@{winner} [win] {totals[winner]} to {totals[1 - winner]}, worth {score}."
        return Outcome((score, 0) if winner == 0 else (0, score), places(totals), reason, lines)

    def _final_lines(self, winner: int) -> tuple[ScoreLine, ...]:
        """From the totals to the game score: 100 more, the loser's points added or taken off, none for the loser."""
        theirs = self.scores[1 - winner]
        added = _final_points(theirs, int(self.options["rubicon_at"]))
        return (
            *(self._final_line((winner,), rule, text, points) for rule, text, points in added),
            self._final_line((1 - winner,), "loser-zero", "The loser's game score is 0", -theirs),
        )

    def _final_line(self, seats: tuple[int, ...], rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(seats, f"{self.game.slug}:{rule}", text, points)


class RubiconPiquet(Piquet):
    slug: ClassVar[str] = "rubicon-piquet"
    name: ClassVar[str] = "Rubicon Piquet"
    summary: ClassVar[str] = "Six deals of Piquet. A loser below a hundred gives all points to the winner."
    match: ClassVar[str] = "rubicon"
    state_class: ClassVar[type[PiquetState]] = RubiconState
    options: ClassVar[tuple[Option, ...]] = (
        Option("deals", "Deals", 6, {6: "six", SHORT_DEALS: "four, the first and the last count double"}),
        numbers(
            "rubicon_at",
            "Rubicon",
            range(50, 151, 10),
            default=100,
            help="The total that saves the loser.",
            span=range(50, 151),
        ),
        Option(
            "tie",
            "Equal totals",
            "two-deals",
            {"two-deals": "two more deals", "draw-at-once": "a draw at once"},
            "When the totals are equal after the last deal.",
        ),
        *Piquet.hand_options,
    )
    presets: ClassVar[Mapping[str, Options]] = {"short": {"deals": SHORT_DEALS}}


RUBICON_PIQUET = RubiconPiquet()
