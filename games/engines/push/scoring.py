"""Scoring of Push: what cards left in a hand cost, the lines of a deal, and who wins the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.core.cards import Card
from games.core.contract import Options, Outcome, ScoreLine, places
from games.engines.push.moves import SEATS, SIDES, WILD

PENALTIES = dict.fromkeys(WILD, 20) | {"A": 15} | dict.fromkeys("KQJT", 10) | dict.fromkeys("3456789", 5)


def penalty(cards: Iterable[Card]) -> int:
    """What cards left in a hand cost."""
    return sum([PENALTIES[card[0]] for card in cards])


def score_lines(hands: Sequence[Sequence[Card]], out: int | None) -> Iterator[ScoreLine]:
    """What a deal costs. out: the seat that went out, None if nobody did."""
    if out is not None:
        yield ScoreLine(SIDES[out % 2], "push:score-winner-side-zero", f"@{out} went out", 0)
    rule = "score-dead-deal" if out is None else "score-losers-both-hands"
    for seat, hand in enumerate(hands):
        if out is None or seat % 2 != out % 2:
            text = f"Left in @{seat}'s hand: {' '.join(hand) or 'nothing'}"
            yield ScoreLine(SIDES[seat % 2], f"push:{rule}", text, penalty(hand))


def summary(out: int | None, points: Sequence[int]) -> str:
    """A deal in a sentence. points: by seat."""
    if out is None:
        return f"No one went out; {points[0]} points against @0 and @2, {points[1]} against @1 and @3."
    first, partner = SIDES[1 - out % 2]
    return f"@{out} went out; {points[first]} points against @{first} and @{partner}."


def outcome_of(scores: Sequence[int], deals_won: Sequence[int], options: Options) -> Outcome:
    """The end of the game. scores, deals_won: by side."""
    by_seat = tuple(scores[seat % 2] for seat in range(SEATS))
    low, high = sorted(scores)
    if low != high:
        first, partner = SIDES[scores.index(low)]
        reason = f"@{first} and @{partner} [win] with {low} penalty points against {high}."
        return Outcome(by_seat, places([-score for score in by_seat]), reason)
    ours, theirs = deals_won
    if ours == theirs or options["tiebreak"] != "deals_won":
        return Outcome(by_seat, (1,) * SEATS, f"Both sides have {low} penalty points: the game is a draw.")
    first, partner = SIDES[0 if ours > theirs else 1]
    reason = f"Both sides have {low} penalty points; @{first} and @{partner} [win], having gone out more often."
    return Outcome(by_seat, places([deals_won[seat % 2] for seat in range(SEATS)]), reason)
