"""Scoring of Cribbage: what a card pegs, what hands and crib show, how a finished deal and a game are written down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from games.core.card_bits import cards, union
from games.core.contract import HandResult, Outcome, ScoreLine, Zone, open_zone
from games.core.cribbage import SIDES, Count, Pegged, show
from games.core.sides import seats_of_side, side_in_words
from games.core.words import counted
from games.engines.partnership_cribbage.moves import AFTER, Pegging, Shown
from games.engines.partnership_cribbage.words import scored_words

HEELS = 2
SKUNK_LINES = {121: (90, 60), 61: (30,)}  # by target: at or below the first line one skunk, the second two

_SHOW_RULES = {
    "fifteens": "show-fifteen",
    "pairs": "show-pair",
    "runs": "show-run",
    "flush": "show-flush",
    "nobs": "his-nobs",
}

Line: TypeAlias = tuple[str, int]  # short id of a rule, points


@cache
def peg_lines(gained: Pegged) -> tuple[Line, ...]:
    lines = (
        ("peg-fifteen", gained.fifteen),
        ("peg-pair", gained.pair),
        ("peg-run", gained.run),
        ("thirty-one", gained.thirty_one),
    )
    return tuple(line for line in lines if line[1])


@cache
def show_order(seats: int, dealer: int, by_team: bool) -> tuple[tuple[int, bool], ...]:
    """Whose hand is counted when, and last the dealer's crib (True)."""
    order = AFTER[seats][dealer]
    if by_team:
        order = sorted(order, key=lambda seat: seat % 2 == dealer % 2)
    return (*((seat, False) for seat in order), (dealer, True))


def show_rule(kind: str, *, is_crib: bool) -> str:
    """The short id of the rule that scores a kind of points, a field of `Count`."""
    if kind == "flush" and is_crib:
        return "crib-flush"
    return _SHOW_RULES[kind]


def _show_lines(count: Count, *, is_crib: bool) -> list[Line]:
    kinds = zip(Count._fields, count, strict=True)
    return [(show_rule(kind, is_crib=is_crib), points) for kind, points in kinds if points]


def _up_to(lines: Iterable[Line], points: int) -> Iterator[Line]:
    """The lines as far as there are points for them."""
    for rule, worth in lines:
        if points:
            yield rule, min(worth, points)
            points -= min(worth, points)


# Finished deals


class FinishedDeal(NamedTuple):
    """What is needed to write out the result of a deal. hands: as they were counted. gained: by side."""

    number: int
    seats: int
    dealer: int
    hands: Sequence[int]
    crib: Sequence[int]
    starter: int
    four_flush: bool
    pegs: Sequence[Pegging]
    shown: Sequence[Shown]
    gained: tuple[int, int]

    def result(self) -> HandResult:
        sides = ", ".join(
            f"{side_in_words(side, self.seats, SIDES)} [score] {gained}" for side, gained in enumerate(self.gained)
        )
        return HandResult(
            number=self.number,
            summary=f"{sides}.",
            points=tuple(self.gained[seat % 2] for seat in range(self.seats)),
            lines=tuple(self._lines()),
            zones=tuple(self._zones()),
        )

    def cards_of(self, owner: int, is_crib: bool) -> int:
        return union(self.crib) if is_crib else self.hands[owner]

    def worth(self, owner: int, is_crib: bool) -> Count:
        return show(self.cards_of(owner, is_crib), self.starter, is_crib=is_crib, four_flush=self.four_flush)

    def _lines(self) -> Iterator[ScoreLine]:
        for peg in self.pegs:
            text = f"@{peg.seat}: {scored_words(peg.rule, peg.points)}"
            yield self._line(peg.seat, peg.rule, text, peg.points)
        for one in self.shown:
            whose = f"@{one.owner}'s {'crib' if one.is_crib else 'hand'}"
            if one.owner != one.seat:
                yield self._line(one.seat, "auto-count", f"{whose}: missed", one.points)
                continue
            lines = _show_lines(self.worth(one.owner, one.is_crib), is_crib=one.is_crib)
            for rule, points in _up_to(lines, one.points):
                yield self._line(one.owner, rule, f"{whose}: {scored_words(rule, points)}", points)

    def _line(self, seat: int, rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(seats_of_side(seat % 2, self.seats, SIDES), f"partnership-cribbage:{rule}", text, points)

    def _zones(self) -> Iterator[Zone]:
        """All hands and the crib are open; a note says what they gave to their owner, if they were counted."""
        given = {(one.owner, one.is_crib): one.points for one in self.shown if one.owner == one.seat}
        for seat in AFTER[self.seats][self.dealer]:
            yield self._zone(f"hand:{seat}", f"@{seat}'s hand", self.hands[seat], seat, given.get((seat, False)))
        crib = given.get((self.dealer, True))
        yield self._zone("crib", f"@{self.dealer}'s crib", union(self.crib), self.dealer, crib)
        yield self._zone("starter", "Starter", self.starter, None, None)

    def _zone(self, id: str, label: str, hand: int, owner: int | None, points: int | None) -> Zone:
        note = "" if points is None else counted(points, "point")
        return open_zone(id, "row", label, cards(hand), owner=owner, note=note)


class LateResult(HandResult):
    """The result of a finished deal, written out when it is first read: games that nobody watches never are."""

    __slots__ = ("deal",)

    deal: FinishedDeal

    def __init__(self, deal: FinishedDeal) -> None:
        object.__setattr__(self, "deal", deal)

    def __getattr__(self, name: str) -> Any:
        """Python asks this for a field that is not there yet; then all are filled in."""
        result = self.deal.result()
        for field in HandResult.__slots__:
            object.__setattr__(self, field, getattr(result, field))
        return getattr(result, name)


# The end of the game


def game_outcome(scores: Sequence[int], *, seats: int, target: int, skunks: bool) -> Outcome:
    """The result of a game in which one side has reached the target. scores: by side."""
    winner = 0 if scores[0] > scores[1] else 1
    theirs = scores[1 - winner]
    games = 1 + sum(theirs <= line for line in SKUNK_LINES[target])
    lines: tuple[ScoreLine, ...] = ()
    if games > 1 and skunks:
        counts = f"The game counts as {('two', 'three')[games - 2]}"
        lines = (ScoreLine(seats_of_side(winner, seats, SIDES), "partnership-cribbage:skunk", counts, 0),)
    skunk = ("", ": a skunk", ": a double skunk")[games - 1]
    reason = f"{side_in_words(winner, seats, SIDES)} reached {target}{skunk}."
    by_seat = tuple(scores[seat % 2] for seat in range(seats))
    return Outcome(by_seat, tuple(1 if seat % 2 == winner else 2 for seat in range(seats)), reason, lines)
