from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from operator import mul
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from django.core.management.base import BaseCommand, CommandParser

from games import bots
from games.bots.gin_rummy import (
    RELATED,
    STAGES,
    Club,
    highest,
    knock_chance,
    melds_given,
    other_known,
    own_features,
    signs,
    stage,
    turns_of_other,
    unseen_by,
)
from games.bots.gin_worth import SIGNS
from games.core.card_bits import ALL_CARDS, BIT, bits, union
from games.core.deals import random_decks
from games.core.moves import TAKE, Discard
from games.core.rummy.deadwood import loose_cards, points
from games.engines.gin_rummy.endings import knocks
from games.engines.gin_rummy.game import GIN_RUMMY
from games.engines.gin_rummy.moves import DISCARD_OF, DRAW_CARD, HAND_CARDS, PASS, GinRummyMove, Phase
from games.engines.gin_rummy.state import GinRummyState

Row: TypeAlias = tuple[float, ...]

WIN_POINTS = 60  # what winning a hand counts for, apart from its points
TRIED = 0.3  # share of the discards that are any loose card
WATCHED = 0.2  # share of the discards at which a hand between club bots is looked at
NEWTON_STEPS = 8
KINDS, RELATIONS = len(SIGNS), len(SIGNS[0])
FEATURES = 7

TARGET = Path(bots.__file__).with_name("gin_worth.py")
HEAD = '''"""Worth of a hand of Gin Rummy after a discard: weights of its features, by the stage of the hand.

Made by `manage.py gin_table`: least squares over the results of hands between two quick players with some discards at
random. The features, in their order, and the stages are those of `games.bots.gin_rummy`.

Signs of the cards that the other holds, from a logistic regression over hands between two club bots. Rows: they
discarded, left or took a card. Columns: what that adds to the logarithm of the odds that they hold another card of its
rank, one next to it in its suit, and one next but one. The last figure is added for each turn and point of a card.
"""
'''


class Command(BaseCommand):
    help = (
        "Simulates hands of Gin Rummy and writes to games/bots/gin_worth.py what a hand is worth after a discard, by "
        "which the club and strong bots discard, and by which signs the strong bot guesses the other's cards."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hands", type=int, default=40000)
        parser.add_argument("--watched", type=int, default=3000, help="hands between club bots, for the signs")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *, hands: int, watched: int, seed: int, **_: Any) -> None:
        weights, (*signs, (held_back,)) = table_of(hands, Random(seed)), signs_of(watched, Random(seed))
        tables = [_source("WEIGHTS", weights), _source("SIGNS", signs), f"HELD_BACK = {held_back:.3f}\n"]
        TARGET.write_text("\n".join([HEAD, *tables]))
        self.stdout.write(f"{TARGET.name}: {hands} hands, and {watched} between club bots.")


def table_of(hands: int, rng: Random) -> list[Row]:
    """For each stage the weights that fit the results best."""
    fits = [LeastSquares(FEATURES) for _stage in range(len(STAGES) + 1)]
    for _hand in range(hands):
        for number, row, worth in _played(rng):
            fits[number].add(row, worth)
    return [fit.weights() for fit in fits]


def _played(rng: Random) -> Iterator[tuple[int, Row, float]]:
    """A hand between quick players: of each discard the stage, the features of the cards kept, and what was won."""
    decks = random_decks(GIN_RUMMY.deck(GIN_RUMMY.read_options(None, 2)), rng)
    state, rows = GIN_RUMMY.start(decks, seats=2), []
    while not state.results and not state.dead_hands:
        seat = state.to_act[0]
        move = quick_move(state, seat)
        if isinstance(move, Discard):
            if rng.random() < TRIED:
                move = _any_loose(state, seat, rng) or move
            rows.append((seat, stage(len(state.stock)), _features(state, seat, BIT[move.card])))
        state.play(seat, move)
    won = state.results[-1].points if state.results else (0, 0)
    for seat, number, row in rows:
        lead = won[seat] - won[1 - seat]
        yield number, row, lead + WIN_POINTS * ((lead > 0) - (lead < 0))


def quick_move(state: GinRummyState, seat: int) -> GinRummyMove:
    """A move of the quick player who plays hands on for the strong bot (`played_on`), there without a state."""
    hand = state.hands[seat]
    if state.phase is Phase.DISCARD:
        loose = loose_cards(hand)
        spare = highest((loose or hand) & ~state.taken_upcard) or highest(hand & ~state.taken_upcard)
        if points(loose & ~spare) <= state.limit:
            endings = knocks(hand, state.taken_upcard, state.limit)
            if endings:
                return endings[0]
        return DISCARD_OF[spare]
    if not state.bar:
        upcard = state.discards[-1]
        loose = loose_cards(hand | upcard)
        if not loose & upcard or points(loose & ~highest(loose & ~upcard)) <= state.limit:
            return TAKE
    return DRAW_CARD if state.phase is Phase.DRAW else PASS


def _any_loose(state: GinRummyState, seat: int, rng: Random) -> Discard | None:
    loose = loose_cards(state.hands[seat]) & ~state.taken_upcard
    return DISCARD_OF[rng.choice(list(bits(loose)))] if loose else None


def _features(state: GinRummyState, seat: int, discard: int) -> Row:
    """As a player sees them who remembers every discard."""
    hand, known = state.hands[seat] ^ discard, state.known & state.hands[1 - seat]
    unseen = ALL_CARDS & ~(hand | discard | known | union(state.discards))
    given = melds_given(discard, unseen, known, HAND_CARDS)
    return (*own_features(hand, unseen), knock_chance(hand, unseen), given)


def signs_of(hands: int, rng: Random) -> list[Row]:
    """The rows of `SIGNS`, and that of `HELD_BACK`, that fit best in a logistic regression."""
    seen = [card for _hand in range(hands) for card in _watched(rng)]
    weights: Row = (0.0,) * len(seen[0].features)
    for _step in range(NEWTON_STEPS):
        fit = LeastSquares(len(weights))
        for card in seen:
            guess = card.odds + sum(map(mul, weights, card.features))
            chance = 1 / (1 + exp(-guess))
            trust = sqrt(chance * (1 - chance))
            aim = guess - card.odds + (card.is_held - chance) / trust**2
            fit.add([trust * feature for feature in card.features], trust * aim)
        weights = fit.weights()
    _constant, held_back, *by_sign = weights
    return [*zip(*[iter(by_sign)] * RELATIONS, strict=True), (held_back,)]


class SeenCard(NamedTuple):
    """An unseen card at a discard. odds: of the other holding any unseen card, as a logarithm."""

    odds: float
    features: Row
    is_held: bool


def _watched(rng: Random) -> Iterator[SeenCard]:
    """The unseen cards at some discards of a hand between club bots."""
    decks = random_decks(GIN_RUMMY.deck(GIN_RUMMY.read_options(None, 2)), rng)
    state = GIN_RUMMY.start(decks, seats=2)
    while not state.results and not state.dead_hands:
        seat = state.to_act[0]
        view = state.view(seat)
        hidden = state.hands[1 - seat] & ~other_known(view)
        if view.phase is Phase.DISCARD and hidden and rng.random() < WATCHED:
            unseen, shown, turns = unseen_by(view), signs(view), turns_of_other(view)
            odds = log(hidden.bit_count() / (unseen ^ hidden).bit_count())
            for bit in bits(unseen):
                counts = [0.0] * (KINDS * RELATIONS)
                for kind, card in shown:
                    for relation, related in enumerate(RELATED[card]):
                        counts[RELATIONS * kind + relation] += related & bit > 0
                yield SeenCard(odds, (1.0, turns * points(bit), *counts), hidden & bit > 0)
        state.play(seat, Club().choose(view, rng))


class LeastSquares:
    """The normal equations of a linear fit, one row after another."""

    def __init__(self, size: int) -> None:
        self.products = [[0.0] * size for _row in range(size)]
        self.sums = [0.0] * size

    def add(self, row: Sequence[float], value: float) -> None:
        for index, feature in enumerate(row):
            self.sums[index] += feature * value
            products = self.products[index]
            for other, its in enumerate(row):
                products[other] += feature * its

    def weights(self) -> Row:
        """The best weights. A little is added so that there is always one fit."""
        lines = [[*products, total] for products, total in zip(self.products, self.sums, strict=True)]
        for index, line in enumerate(lines):
            line[index] += 1.0
        for index, line in enumerate(lines):
            line[:] = [value / line[index] for value in line]
            for other in lines:
                if other is not line:
                    _subtract(other, line, times=other[index])
        return tuple(line[-1] for line in lines)


def _subtract(line: list[float], other: Sequence[float], *, times: float) -> None:
    line[:] = [value - times * its for value, its in zip(line, other, strict=True)]


def _source(name: str, table: Sequence[Row]) -> str:
    lines = [f"    ({', '.join(f'{weight:.2f}' for weight in row)})," for row in table]
    return "\n".join([f"{name} = (", *lines, ")"]) + "\n"
