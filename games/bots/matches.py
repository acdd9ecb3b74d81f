"""Matches between bots on mirrored deals, and how sure one may be of their result.

A mirrored match plays every deal once for each way to turn the table, so that luck of the deal cancels out: with two
sides the bots change places, with more the first bot plays once for every side against others of the second kind.
Partners are of one kind.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import sqrt
from random import Random
from typing import Any

from games.bots import Bot
from games.core.cards import Card
from games.core.contract import Game, Options, Outcome
from games.core.deals import Decks, random_decks


def play_game(
    game: Game[Any, Any, Any], bots: list[Bot], decks: Decks, rng: Random, options: Options | None = None
) -> Outcome:
    """One game to its end; `bots` by seat."""
    state = game.start(_from(decks), seats=len(bots), options=options)
    while state.to_act:
        seat = state.to_act[0]
        state.play(seat, bots[seat].choose(state.view(seat), rng))
    outcome: Outcome | None = state.outcome()
    assert outcome is not None, "a state without a seat to act has an outcome"
    return outcome


def _from(decks: Decks) -> Iterator[tuple[Card, ...]]:
    return (decks[index] for index in count())


@dataclass(frozen=True, slots=True)
class Comparison:
    """How often the first bot beat the second. `shares`: one a match, from 0 (lost all) to 1 (won all)."""

    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        return sum(self.shares) / len(self.shares)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the mean (normal approximation over independent matches)."""
        n = len(self.shares)
        variance = sum((share - self.mean) ** 2 for share in self.shares) / max(n - 1, 1)
        margin = 1.96 * sqrt(variance / n)
        return (self.mean - margin, self.mean + margin)


def score_share(outcome: Outcome, side: tuple[int, ...]) -> float:
    """The share of opponents that a side left behind; a shared place counts half."""
    mine = outcome.places[side[0]]
    others = [place for seat, place in enumerate(outcome.places) if seat not in side]
    return sum(1.0 if mine < place else 0.5 if mine == place else 0.0 for place in others) / len(others)


def compare(
    game: Game[Any, Any, Any],
    first: Bot,
    second: Bot,
    *,
    seats: int,
    matches: int,
    seed: int,
    options: Options | None = None,
) -> Comparison:
    """`matches` mirrored matches, each on decks of its own that every turn of the table plays again."""
    rng = Random(seed)
    chosen = game.read_options(options, seats)
    pack, sides = game.deck(chosen), game.sides(chosen, seats)
    shares = []
    for _ in range(matches):
        decks = Decks(random_decks(pack, Random(rng.getrandbits(64))))
        games = []
        for side in sides:
            bots = [first if seat in side else second for seat in range(seats)]
            games.append(score_share(play_game(game, bots, decks, rng, options), side))
        shares.append(sum(games) / len(sides))
    return Comparison(tuple(shares))
