"""Matches between bots on mirrored deals, and how sure one may be of their result.

A mirrored match plays every deal once for each way to turn the table, so that luck of the deal cancels out: with two
seats the bots change places, with more the first bot sits once in every seat among opponents of the second kind.
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


def score_share(outcome: Outcome, seat: int) -> float:
    """The share of opponents that a seat left behind; a shared place counts half."""
    mine = outcome.places[seat]
    others = [place for other, place in enumerate(outcome.places) if other != seat]
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
    pack = game.deck(game.read_options(options, seats))
    shares = []
    for _ in range(matches):
        decks = Decks(random_decks(pack, Random(rng.getrandbits(64))))
        games = []
        for place in range(seats):
            bots = [first if seat == place else second for seat in range(seats)]
            games.append(score_share(play_game(game, bots, decks, rng, options), place))
        shares.append(sum(games) / seats)
    return Comparison(tuple(shares))
