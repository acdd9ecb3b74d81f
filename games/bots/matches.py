"""Bot matches on mirrored deals, with a confidence interval of the result.

A mirrored match plays every deal once for each rotation of the table, so that the luck of the deal cancels out: with
two sides the bots swap seats; with more, the first bot plays each side once, against copies of the second bot.
Partners are the same bot.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import sqrt
from random import Random
from typing import Any

from games.bots import Bot
from games.core.cards import Card
from games.core.contract import Game, Move, Options, Outcome
from games.core.deals import Decks, random_decks


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game. moves: each with the seat that played it."""

    moves: tuple[tuple[int, Move], ...]
    outcome: Outcome


def play_game(
    game: Game[Any, Any, Any], bots: Sequence[Bot], decks: Decks, rng: Random, options: Options | None = None
) -> Record:
    """Plays one game to its end; `bots` by seat. The last seat deals first."""
    state = game.start(decks_from(decks), seats=len(bots), options=options)
    moves = []
    while state.to_act:
        seat = state.to_act[0]
        move = bots[seat].choose(state.view(seat), rng)
        state.play(seat, move)
        moves.append((seat, move))
    outcome: Outcome | None = state.outcome()
    assert outcome is not None, "a state without a seat to act has an outcome"
    return Record(tuple(moves), outcome)


@dataclass(frozen=True, slots=True)
class MirroredGame:
    """One of the games of a mirrored match. side: the seats of the first bot."""

    side: tuple[int, ...]
    record: Record


def play_mirrored(
    game: Game[Any, Any, Any], first: Bot, second: Bot, decks: Decks, rng: Random, *, seats: int, options: Options
) -> list[MirroredGame]:
    """Plays a mirrored match: the same decks once for each rotation of the table."""
    match = []
    for side in game.sides(options, seats):
        bots = [first if seat in side else second for seat in range(seats)]
        match.append(MirroredGame(side, play_game(game, bots, decks, rng, options)))
    return match


def decks_from(decks: Decks) -> Iterator[tuple[Card, ...]]:
    """All decks from the first one on, whether they were drawn before or not."""
    return (decks[index] for index in count())


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of a comparison. shares: of the first bot, one for each match, from 0 (lost all) to 1 (won all)."""

    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        return sum(self.shares) / len(self.shares)

    @property
    def margin(self) -> float:
        """Half of the 95 % confidence interval of the mean (normal approximation over independent matches)."""
        n = len(self.shares)
        variance = sum((share - self.mean) ** 2 for share in self.shares) / max(n - 1, 1)
        return 1.96 * sqrt(variance / n)

    @property
    def interval(self) -> tuple[float, float]:
        return (self.mean - self.margin, self.mean + self.margin)


def score_share(outcome: Outcome, side: tuple[int, ...]) -> float:
    """The share of opponents that a side left behind; a shared place counts half."""
    mine = outcome.places[side[0]]
    others = [place for seat, place in enumerate(outcome.places) if seat not in side]
    return sum(1.0 if mine < place else 0.5 if mine == place else 0.0 for place in others) / len(others)


def match_share(match: Sequence[MirroredGame]) -> float:
    """The first bot's share of a mirrored match: the mean of its games."""
    return sum(score_share(game.record.outcome, game.side) for game in match) / len(match)


def mirrored_shares(
    game: Game[Any, Any, Any], first: Bot, second: Bot, *, seats: int, seed: int, options: Options | None = None
) -> Iterator[float]:
    """The first bot's share of mirrored matches without end, each on its own decks, which every rotation repeats."""
    rng = Random(seed)
    chosen = game.read_options(options, seats)
    pack = game.deck(chosen)
    while True:
        decks = Decks(random_decks(pack, Random(rng.getrandbits(64))))
        yield match_share(play_mirrored(game, first, second, decks, rng, seats=seats, options=chosen))


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
    """Plays `matches` mirrored matches."""
    return Comparison(
        tuple(islice(mirrored_shares(game, first, second, seats=seats, seed=seed, options=options), matches))
    )
