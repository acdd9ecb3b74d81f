"""Duplicate: every table of a round plays the same numbered deals, and results are compared.

Luck of the deal is the same for everyone who sits in the same seats with the same cards, so they are compared with each
other and not with their opponents. What is compared is the difference that a side made: its points less those of the
other side, or less the mean of the others where there are more. There are two ways to compare it:
- matchpoints: one for every other table where it was less, one half where it was the same (Laws of Duplicate Bridge
  2017, Law 78A, which counts 2 and 1). How much better does not matter.
- differences: by how much it was more than the mean of the other tables, as in the cross-scoring of bridge, without
  its scale of IMPs.
In a deal between two sides what one wins the other loses, so the side that did better against the field has won the
match. A mirrored deal, played again by the same pair with seats changed, is just another table. Leave out tables that
did not finish.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tournaments.formats.match_play import Decision, places_of
from tournaments.formats.numbers import written

MATCHPOINTS, DIFFERENCES = "matchpoints", "differences"


@dataclass(frozen=True, slots=True)
class DuplicateBoard:
    """A deal as it was played at one table.

    deal: its number. entrants: by seat; partners have the same one. points: by seat, more is better.
    game: any number by which the caller knows this board again.
    """

    deal: int
    entrants: tuple[int, ...]
    points: tuple[Fraction, ...]
    game: int = 0


Cards: TypeAlias = tuple[int, int, tuple[int, ...]]
"""What a side held: the deal, the number of seats, its seats."""


@dataclass(frozen=True, slots=True)
class _Hand:
    """A side of a board, and the difference it made."""

    entrant: int
    cards: Cards
    difference: Fraction


@dataclass(frozen=True, slots=True)
class TravellerResult:
    """What a side made of its cards. compared: None where no other table held them."""

    entrant: int
    difference: Fraction
    compared: Fraction | None


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """A table of a traveller. results: by side."""

    board: DuplicateBoard
    results: tuple[TravellerResult, ...]


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often a result was made. differences, compared: by side."""

    differences: tuple[Fraction, ...]
    tables: int
    compared: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True)
class Traveller:
    """All results of a deal, those first that are best for the first side.

    sides: the seats of each side.
    """

    deal: int
    sides: tuple[tuple[int, ...], ...]
    lines: tuple[TravellerLine, ...]

    @property
    def frequencies(self) -> tuple[Frequency, ...]:
        """Each different result once, in the same order."""
        made = Counter(tuple(result.difference for result in line.results) for line in self.lines)
        compared = {
            tuple(result.difference for result in line.results): tuple(result.compared for result in line.results)
            for line in self.lines
        }
        return tuple(Frequency(differences, tables, compared[differences]) for differences, tables in made.items())


@dataclass(frozen=True, slots=True)
class DuplicateTotal:
    """The sum of an entrant's comparisons. most: the matchpoints that were to be had."""

    made: Fraction = Fraction()
    most: int = 0

    def __add__(self, other: DuplicateTotal) -> DuplicateTotal:
        return DuplicateTotal(self.made + other.made, self.most + other.most)

    @property
    def percent(self) -> Fraction | None:
        """Of the matchpoints that were to be had; None without any comparison."""
        return 100 * self.made / self.most if self.most else None


class DuplicateField:
    """All boards of a round."""

    def __init__(self, boards: Iterable[DuplicateBoard]) -> None:
        self._boards = tuple(boards)
        self._hands: dict[frozenset[int], list[_Hand]] = defaultdict(list)
        made: dict[Cards, list[Fraction]] = defaultdict(list)
        for board in self._boards:
            for hand in _hands(board):
                self._hands[frozenset(board.entrants)].append(hand)
                made[hand.cards].append(hand.difference)
        self._made = {cards: sorted(differences) for cards, differences in made.items()}
        self._sums = {cards: sum(differences, Fraction()) for cards, differences in made.items()}

    def compared(self, by: str) -> dict[int, Fraction]:
        """Matchpoints, or points beyond the mean of the others, of every entrant, over all their boards.

        by: `MATCHPOINTS` or `DIFFERENCES`.
        """
        return self._compared([hand for hands in self._hands.values() for hand in hands], by)

    def totals(self, by: str) -> dict[int, DuplicateTotal]:
        """The comparisons of every entrant, with what was to be had. by: as in `compared`."""
        most: Counter[int] = Counter()
        for hands in self._hands.values():
            for hand in hands:
                most[hand.entrant] += self._others(hand)
        return {entrant: DuplicateTotal(made, most[entrant]) for entrant, made in self.compared(by).items()}

    def travellers(self, by: str) -> list[Traveller]:
        """One for each deal, and number of seats where tables differ. by: as in `compared`."""
        compare = self._comparison(by)
        lines: dict[tuple[Cards, ...], list[TravellerLine]] = defaultdict(list)
        for board in self._boards:
            hands = _hands(board)
            results = tuple(
                TravellerResult(
                    hand.entrant, hand.difference, compare(hand, others) if (others := self._others(hand)) else None
                )
                for hand in hands
            )
            lines[tuple(hand.cards for hand in hands)].append(TravellerLine(board, results))
        return [
            Traveller(
                cards[0][0],
                tuple(seats for _, _, seats in cards),
                tuple(sorted(found, key=lambda line: [-result.difference for result in line.results])),
            )
            for cards, found in sorted(lines.items())
        ]

    def decide(self, entrants: Sequence[int], *, by: str, seeds: Sequence[int] = ()) -> Decision:
        """The result of a match: the side that did better against the field wins; at level, or where nobody else held
        the cards, the difference at the table itself decides.

        entrants: by side. seeds: by side, where a winner is needed and the better one goes on at last; () allows a
        draw.
        """
        hands = self._hands.get(frozenset(entrants), [])
        made = [sum((hand.difference for hand in hands if hand.entrant == own), Fraction()) for own in entrants]
        if self.has_others(entrants):
            totals = self._compared(hands, by)
            against = [totals.get(own, Fraction()) for own in entrants]
            reason = f"{_score(against)} {'matchpoints' if by == MATCHPOINTS else 'points against the field'}"
        else:
            against, reason = made, f"{_score(made)} points; no one else had these cards"
        merits = list(zip(against, made, strict=True))
        places = places_of(merits)
        if places.count(1) > 1 and seeds:
            places = places_of([(*merit, -seed) for merit, seed in zip(merits, seeds, strict=True)])
            reason += "; tied, so the better seed advances"
        return Decision(places, reason)

    def has_others(self, entrants: Sequence[int]) -> bool:
        """Whether any of the cards of a match were held at the table of another one."""
        own = Counter(hand.cards for hand in self._hands.get(frozenset(entrants), []))
        return any(len(self._made[cards]) > count for cards, count in own.items())

    def _compared(self, hands: Iterable[_Hand], by: str) -> dict[int, Fraction]:
        compare = self._comparison(by)
        totals: dict[int, Fraction] = defaultdict(Fraction)
        for hand in hands:
            others = self._others(hand)
            totals[hand.entrant] += compare(hand, others) if others else 0
        return dict(totals)

    def _comparison(self, by: str) -> Callable[[_Hand, int], Fraction]:
        return {MATCHPOINTS: self._beaten, DIFFERENCES: self._beyond_mean}[by]

    def _others(self, hand: _Hand) -> int:
        """At how many other tables the same cards were held."""
        return len(self._made[hand.cards]) - 1

    def _beaten(self, hand: _Hand, others: int) -> Fraction:
        less = bisect_left(self._made[hand.cards], hand.difference)
        more = others + 1 - bisect_right(self._made[hand.cards], hand.difference)
        return Fraction(others + less - more, 2)

    def _beyond_mean(self, hand: _Hand, others: int) -> Fraction:
        return hand.difference - (self._sums[hand.cards] - hand.difference) / others


def _hands(board: DuplicateBoard) -> list[_Hand]:
    """One for each side. What partners make is the mean of their seats."""
    seats: dict[int, list[int]] = defaultdict(list)
    for seat, entrant in enumerate(board.entrants):
        seats[entrant].append(seat)
    made = {entrant: _mean([board.points[seat] for seat in own]) for entrant, own in seats.items()}
    return [
        _Hand(
            entrant,
            (board.deal, len(board.entrants), tuple(own)),
            made[entrant] - _mean([points for other, points in made.items() if other != entrant]),
        )
        for entrant, own in seats.items()
    ]


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)


def _score(merits: Sequence[Fraction]) -> str:
    return " : ".join(map(written, merits))
