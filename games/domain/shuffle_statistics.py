"""Shuffle statistics: counts of dealt cards, and chi-square tests of how even they are. Pure.

In a deck of k cards each card lies somewhere and each place holds one card. So for fair shuffles the counts of cards
by place have the covariance of (I - J/k) x (I - J/k) / (k - 1) for each deck, and Pearson's sum of (counted -
expected)^2 / expected, times (k - 1) / k, is distributed like chi-square with (k - 1)(c - 1) degrees of freedom, where
the places of a deck are put together to c groups (c = k: each by itself). Its mean is exact for any number of decks.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, islice, repeat
from math import ceil, exp, floor, lgamma, log, sqrt
from typing import Any

from games.core.cards import Card
from games.core.contract import Game, Options, State
from games.core.deals import numbered_decks

FEWEST_DECKS = 50  # from then on chi-square describes the sums well
NO_HAND = "-"
WITHIN = 1.96  # standard deviations that hold 95 % of a normal distribution
_PRECISION = 1e-15


@dataclass(slots=True)
class Tally:
    """The decks of one pack that were dealt in one way, counted.

    pack: unshuffled. places: for each place of a deck the number of the hand that gets it, as a digit, the hand at the
    dealer's left being 0; "-" for none. positions: by card of the pack and place of the deck, how often it lay there.
    sums, squares: of the strengths of the hands, and of their squares, by hand. squared_totals: the sum over all decks
    of the square of the strengths of all hands together.
    """

    pack: tuple[Card, ...]
    places: str
    decks: int = 0
    positions: list[list[int]] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)
    squared_totals: int = 0

    def __post_init__(self) -> None:
        self.positions = self.positions or [[0] * len(self.pack) for _ in self.pack]
        self.sums, self.squares = self.sums or [0] * self.hands, self.squares or [0] * self.hands

    @property
    def hands(self) -> int:
        """How many hands are dealt, 0 where the game has none."""
        return len(set(self.places) - {NO_HAND})

    def take(self, deck: Sequence[Card], strength: Callable[[Sequence[Card]], int]) -> None:
        """Counts one more deck, in dealing order. strength: of a hand."""
        self.decks += 1
        place_of = {card: place for place, card in enumerate(deck)}
        for row, card in zip(self.positions, self.pack, strict=True):
            row[place_of[card]] += 1
        strengths = [strength(hand) for hand in dealt(deck, self.places, self.hands)]
        self.sums = [before + value for before, value in zip(self.sums, strengths, strict=True)]
        self.squares = [before + value * value for before, value in zip(self.squares, strengths, strict=True)]
        self.squared_totals += sum(strengths) ** 2

    @property
    def by_hand(self) -> list[list[int]]:
        """By card of the pack and hand, how often it was dealt there; last, how often it was dealt to none of them."""
        hands = [*map(str, range(self.hands)), NO_HAND]
        return [
            [sum(n for n, place in zip(row, self.places, strict=True) if place == hand) for hand in hands]
            for row in self.positions
        ]

    @property
    def widths(self) -> list[int]:
        """The number of places in a deck that belong to each column of `by_hand`."""
        return [self.places.count(hand) for hand in [*map(str, range(self.hands)), NO_HAND]]


def dealt(deck: Sequence[Card], places: str, hands: int) -> list[list[Card]]:
    """The cards of each hand, see `Tally.places`."""
    return [[card for card, place in zip(deck, places, strict=True) if place == str(hand)] for hand in range(hands)]


def places_dealt(rules: Game[Any, Any, Any], options: Options, seats: int) -> str:
    """See `Tally.places`: how a game deals the first cards of a hand, seen from the dealer; all "-" without hands."""
    [deck] = islice(numbered_decks(rules.deck(options)), 1)
    state = rules.start(repeat(deck), seats=seats, options=options, dealer=seats - 1)
    owner = {card: str(seat) for seat in range(seats) for card in _hand(state, seat)}
    return "".join(owner.get(card, NO_HAND) for card in deck)


def _hand(state: State, seat: int) -> Iterable[Card]:
    return (card for zone in state.view(seat).zones if zone.id == f"hand:{seat}" for card in zone.cards)


@dataclass(frozen=True, slots=True)
class Evenness:
    """A sum that is distributed like chi-square where chance is fair, and how probable one as large as this is."""

    chi_square: float
    freedom: int

    @property
    def p(self) -> float:
        return chance_above(self.chi_square, self.freedom)

    @property
    def usual_range(self) -> tuple[int, int]:
        """Between these it lies in about 95 % of all cases (by the normal approximation, which is close for many)."""
        margin = WITHIN * sqrt(2 * self.freedom)
        return max(round(self.freedom - margin), 0), round(self.freedom + margin)


def evenness(counts: Sequence[Sequence[int]], widths: Sequence[int]) -> Evenness:
    """Of cards over places, or over groups of places that hold `widths` of them; see the formula above.

    counts: by card and group, at least one deck of at least two cards. Groups without a place are left out.
    """
    cards, groups = len(counts), [group for group, width in enumerate(widths) if width]
    expected = [sum(counts[0]) * width / cards for width in widths]
    pearson = sum((row[group] - expected[group]) ** 2 / expected[group] for row in counts for group in groups)
    return Evenness(pearson * (cards - 1) / cards, (cards - 1) * (len(groups) - 1))


def deviations(counts: Sequence[Sequence[int]], widths: Sequence[int]) -> list[list[float]]:
    """How far each count is from the expected one, in standard deviations of a fair shuffle; 0 where nothing varies."""
    decks, cards = sum(counts[0]), len(counts)
    expected = [decks * width / cards for width in widths]
    spread = [sqrt(mean * (1 - width / cards)) for mean, width in zip(expected, widths, strict=True)]
    return [
        [(n - mean) / sd if sd else 0.0 for n, mean, sd in zip(row, expected, spread, strict=True)] for row in counts
    ]


def chance_of_farthest(count: int, decks: int, cards: int) -> float:
    """The probability that some card is as far from decks / cards in some place as this count is, up or down.

    Each count is binomial; all cards ** 2 of them are taken as independent, which is close for many.
    """
    mean = decks / cards
    away = round(abs(count - mean), 9)
    nearer = range(max(floor(mean - away) + 1, 0), min(ceil(mean + away), decks + 1))
    return 1 - sum(_binomial(n, decks, 1 / cards) for n in nearer) ** (cards * cards)


def _binomial(n: int, trials: int, chance: float) -> float:
    """The probability of n hits."""
    ways = lgamma(trials + 1) - lgamma(n + 1) - lgamma(trials - n + 1)
    return exp(ways + n * log(chance) + (trials - n) * log(1 - chance))


@dataclass(frozen=True, slots=True)
class Strength:
    """The strength of the cards that one hand was dealt. margin: of the mean, with 95 % confidence."""

    hand: int
    mean: float
    deviation: float
    margin: float


def strengths(tally: Tally) -> list[Strength]:
    """By hand; [] before the second deck."""
    n = tally.decks
    return [
        Strength(hand, total / n, sd := sqrt(max(squares - total * total / n, 0) / (n - 1)), WITHIN * sd / sqrt(n))
        for hand, (total, squares) in enumerate(zip(tally.sums, tally.squares, strict=True))
        if n > 1
    ]


def evenness_of_strengths(tally: Tally) -> Evenness | None:
    """Whether all hands are equally strong on average; None where they are not comparable, or before the second deck.

    The hands of a deck depend on each other, alike for every two of them. So the differences from the mean of their
    deck tell the variance, and the sum of squared differences of the means in its units is like chi-square.
    """
    n, hands = tally.decks, tally.hands
    sizes = {tally.places.count(str(hand)) for hand in range(hands)}
    within = sum(tally.squares) - tally.squared_totals / hands if hands > 1 else 0
    if n < 2 or len(sizes) != 1 or within <= 0:
        return None
    variance = within / (n * (hands - 1))
    mean = sum(tally.sums) / (n * hands)
    return Evenness(sum(n * (total / n - mean) ** 2 for total in tally.sums) / variance, hands - 1)


def chance_above(chi_square: float, freedom: int) -> float:
    """The probability that chi-square with so many degrees of freedom is larger: Q(freedom / 2, chi_square / 2).

    Source: the incomplete gamma function, Abramowitz and Stegun 6.5.29 (series) and 6.5.31 (continued fraction).
    """
    a, x = freedom / 2, chi_square / 2
    if x <= 0 or freedom <= 0:
        return 1.0
    factor = exp(a * log(x) - x - lgamma(a))
    return 1 - factor * _series(a, x) if x < a + 1 else factor * _fraction(a, x)


def _series(a: float, x: float) -> float:
    """The sum of x^n / (a (a + 1) ... (a + n)) over n = 0, 1, 2 ..."""
    term = total = 1 / a
    for n in count(1):
        term *= x / (a + n)
        total += term
        if term < total * _PRECISION:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))), by Lentz's method."""
    b = x + 1 - a
    c, d = float("inf"), 1 / b
    value = d
    for n in count(1):
        b += 2
        top = -n * (n - a)
        c, d = b + top / c, 1 / (b + top * d)
        value *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return value


def merged(tallies: Iterable[Tally]) -> list[list[int]]:
    """The positions of several tallies of the same pack, added up."""
    first, *others = (tally.positions for tally in tallies)
    total = [list(row) for row in first]
    for positions in others:
        for row, more in zip(total, positions, strict=True):
            row[:] = map(sum, zip(row, more, strict=True))
    return total


def is_usual(p: float) -> bool:
    """Neither less nor more even than chance has it in about 95 % of all cases."""
    return 0.05 <= p <= 0.999


def verdict(p: float) -> str:
    """What such a probability means, in words that were fixed before there was anything to count."""
    if is_usual(p):
        return "As even as chance would have it."
    if p > 0.5:
        return "More even than chance would have it."
    if p >= 0.001:
        return "A little uneven, as chance alone makes it now and then."
    return "More uneven than chance alone explains."
