"""How fast games are played by drawing every move by lot, and how that compares with other libraries.

One game here is one deal: a fresh start, then moves until the first hand is scored. All contenders draw their
moves by the same code, and their rounds take turns. Seconds are processor time of this process, so that other
programs count little.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from random import Random
from statistics import median
from time import process_time
from typing import Any, TypeVar

from games.core.contract import Game
from games.core.deals import random_decks

PlayDeal = Callable[[], int]
"""Plays one deal and says how many decisions that took, chance not counted."""

T = TypeVar("T")


def drawn(choices: Sequence[T], rng: Random) -> T:
    return choices[int(rng.random() * len(choices))]


def deal_of(game: Game[Any, Any, Any], seats: int, rng: Random) -> PlayDeal:
    """One deal of a game of ours through its public contract."""
    decks = random_decks(game.deck(game.read_options(None, seats)), rng)

    def play() -> int:
        state = game.start(decks, seats=seats)
        decisions = 0
        while not state.results:
            seat = state.to_act[0]
            state.play(seat, drawn(state.legal_moves(seat), rng))
            decisions += 1
        return decisions

    return play


def open_spiel_gin(rng: Random) -> PlayDeal:
    """:raises ImportError: OpenSpiel is not installed."""
    game = import_module("pyspiel").load_game("gin_rummy")

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(drawn(state.legal_actions(), rng))
        return decisions

    return play


CHANCE_OF_A_DEAL = 13  # six cards each and the starter


def open_spiel_cribbage(rng: Random) -> PlayDeal:
    """Two players. The passes of a player who cannot play count as decisions, as our gos do; there are more of them.

    :raises ImportError: OpenSpiel is not installed.
    """
    game = import_module("pyspiel").load_game("cribbage")

    def play() -> int:
        state = game.new_initial_state()
        decisions = chances = 0
        while not state.is_terminal():
            if state.is_chance_node():
                chances += 1
                if chances > CHANCE_OF_A_DEAL:
                    break
            else:
                decisions += 1
            state.apply_action(drawn(state.legal_actions(), rng))
        return decisions

    return play


def rlcard_gin(rng: Random) -> PlayDeal:
    """:raises ImportError: RLCard is not installed."""
    env = import_module("rlcard").make("gin-rummy", config={"seed": rng.getrandbits(32)})

    def play() -> int:
        state, _seat = env.reset()
        decisions = 0
        while not env.is_over():
            state, _seat = env.step(drawn(list(state["legal_actions"]), rng))
            decisions += 1
        return decisions

    return play


@dataclass(frozen=True, slots=True)
class Speed:
    """The median round of a contender. decisions: a deal, over all rounds."""

    deals_per_second: float
    decisions: float


def race(contenders: dict[str, PlayDeal], *, rounds: int, seconds: float) -> dict[str, Speed]:
    """The speed of each contender, from rounds of `seconds` each that the contenders play in turns."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    counts: dict[str, list[int]] = {name: [] for name in contenders}
    for play in contenders.values():
        play()
    for _round in range(rounds):
        for name, play in contenders.items():
            rate, decisions = _timed(play, seconds)
            rates[name].append(rate)
            counts[name] += decisions
    return {name: Speed(median(rates[name]), sum(counts[name]) / len(counts[name])) for name in contenders}


def _timed(play: PlayDeal, seconds: float) -> tuple[float, list[int]]:
    decisions = []
    begin = now = process_time()
    while now - begin < seconds:
        decisions.append(play())
        now = process_time()
    return len(decisions) / (now - begin), decisions


@dataclass(frozen=True, slots=True)
class Cost:
    """What the calls of an engine cost at the worst, in milliseconds, and how many moves there were to choose from.

    most_legal_moves: what 99 % of these calls cost at the most.
    """

    mean_moves: float
    most_moves: int
    legal_moves: float
    most_legal_moves: float
    play: float
    view: float
    sample: float


def cost(game: Game[Any, Any, Any], seats: int, rng: Random, *, deals: int) -> Cost:
    """The slowest call of each kind over some deals. A view is taken and sampled before every tenth move."""
    decks = random_decks(game.deck(game.read_options(None, seats)), rng)
    counts: list[int] = []
    times: dict[str, list[float]] = {"legal_moves": [], "play": [], "view": [], "sample": []}

    def timed(name: str, call: Callable[[], T]) -> T:
        begin = process_time()
        answer = call()
        times[name].append(1000 * (process_time() - begin))
        return answer

    for _deal in range(deals):
        state = game.start(decks, seats=seats)
        while not state.results:
            seat = state.to_act[0]
            moves = timed("legal_moves", partial(state.legal_moves, seat))
            if len(counts) % 10 == 0:
                view = timed("view", partial(state.view, seat))
                timed("sample", partial(game.sample, view, rng))
            counts.append(len(moves))
            timed("play", partial(state.play, seat, drawn(moves, rng)))
    most = sorted(times["legal_moves"])[len(counts) * 99 // 100]
    slowest = {name: max(found) for name, found in times.items()}
    return Cost(sum(counts) / len(counts), max(counts), most_legal_moves=most, **slowest)
