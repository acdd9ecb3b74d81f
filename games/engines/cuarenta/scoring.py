"""Scoring of Cuarenta: what scores on the way, the count of a hand, and how a game is won. Lists are by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.core.cards import Card, by_display
from games.core.contract import HandResult, ScoreLine, open_zone
from games.core.sides import seats_of_side, side_in_words
from games.engines.cuarenta.moves import SIDES

TARGET = 40
LIMPIA_BAR = 38
LAST_HAND = 60
GAMES_TO_WIN = {"1": 1, "best-of-3": 2}
# What is scored on the way, in the order in which the score sheet has it.
POINTS = {"ronda": 4, "caida": 2, "limpia": 2, "ronda-caida": 10}
TITLES = {"ronda": "Rondas", "caida": "Caídas", "limpia": "Limpias", "ronda-caida": "Rondas caught"}
COUNTED = 20
COUNT_POINTS, MAJORITY_POINTS = 6, 2
# How a game can be won.
FOUR, FORTY, LAST = "four", "forty", "last"


@dataclass(frozen=True, slots=True)
class HandCount:
    """What a hand has brought, for its score sheet.

    slug: of the game. tally: how often each side scored by each rule. piles: the captured cards. pot: what is left.
    dealt: by seat, cards that ended the hand as they were dealt: a ronda that reaches forty, or four of a kind.
    """

    slug: str
    seats: int
    tally: Mapping[str, Sequence[int]]
    piles: Sequence[Sequence[Card]]
    pot: Sequence[Card]
    dealt: Mapping[int, Sequence[Card]]

    def result(self, number: int, last: Sequence[ScoreLine]) -> HandResult:
        """last: the lines that follow those of the tally."""
        lines = (*self.tally_lines(), *last)
        points = [sum(line.points for line in lines if seat in line.seats) for seat in range(self.seats)]
        names = [side_in_words(side, self.seats, SIDES) for side in range(SIDES)]
        summary = ", ".join(f"{names[side]} {points[side]}" for side in range(SIDES))
        zones = [
            open_zone(f"pile:{side}", "pile", f"Captured by {names[side]}", by_display(pile), owner=side)
            for side, pile in enumerate(self.piles)
        ]
        if self.pot:
            zones.append(open_zone("pot", "row", "Left in the pot", self.pot))
        zones += [
            open_zone(f"hand:{seat}", "hand", f"@{seat}'s hand", by_display(cards), owner=seat)
            for seat, cards in self.dealt.items()
        ]
        return HandResult(number, f"This hand: {summary}.", tuple(points), lines, tuple(zones))

    def tally_lines(self) -> Iterator[ScoreLine]:
        for rule, times in self.tally.items():
            for side in range(SIDES):
                if times[side]:
                    yield self.line(side, rule, f"{TITLES[rule]}, {POINTS[rule]} each", times[side] * POINTS[rule])

    def cards_line(self, side: int, rule: str, points: int) -> ScoreLine:
        """The count of the captured cards, by which a side scores."""
        counts = len(self.piles[side]), len(self.piles[1 - side])
        return self.line(side, rule, f"Cards: {counts[0]} against {counts[1]}", points)

    def line(self, side: int, rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(seats_of_side(side, self.seats, SIDES), f"{self.slug}:{rule}", text, points)


def card_count(counts: Sequence[int], elder: int, *, is_even: bool) -> tuple[int, str, int]:
    """The side that scores with these numbers of captured cards, the rule, and the points.

    elder: the side that did not deal. is_even: two points for every two cards above twenty, or part of it.
    """
    more = elder if counts[0] == counts[1] else counts.index(max(counts))
    if counts[more] < COUNTED:
        return more, "count-neither", MAJORITY_POINTS
    if counts[0] == counts[1]:
        return elder, "count-both", COUNT_POINTS
    extra = counts[more] - COUNTED
    return more, "count-twenty", COUNT_POINTS + (2 * -(-extra // 2) if is_even else extra // 2)


def leader(scores: Sequence[int], elder: int) -> int:
    """The side with more points; if they are equal the one that did not deal."""
    return elder if scores[0] == scores[1] else scores.index(max(scores))


def outcome_reason(
    winner: int, by: str, scores: Sequence[int], games: Sequence[int], *, seats: int, match: str, has_ronda: bool
) -> str:
    """Why a side has won, in a sentence. by: how. match: the option of that name. has_ronda: one has reached forty.

    The score of a single game is that of the result, which is written beside it.
    """
    with_ronda = f" with the {POINTS['ronda']} points of a ronda" if has_ronda else ""
    name, points = side_in_words(winner, seats, SIDES), f"{scores[winner]} to {scores[1 - winner]}"
    with_score = "" if match == "1" else f" and won {points}"
    reason = {
        FOUR: f"{name} won at once with four of a kind, dealt in one hand.",
        FORTY: f"{name} reached {TARGET}{with_ronda}{with_score}.",
        LAST: f"Hand {LAST_HAND} was the last one; {name} won {points}.",
    }[by]
    if match == "1":
        return reason
    return f"{reason} That makes {games[winner]} games to {games[1 - winner]}."
