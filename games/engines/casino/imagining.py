"""Imagined states of Casino (`sample`): what a view shows, and hidden cards in keeping with what the turns tell."""

from collections.abc import Iterable
from random import Random

from games.core.cards import Card
from games.engines.casino.builds import Build
from games.engines.casino.moves import PACK, Capture, MakeBuild, Turn
from games.engines.casino.state import CasinoState
from games.engines.casino.view import CasinoView


def imagine(state: CasinoState, view: CasinoView, rng: Random) -> None:
    """Fills an empty table so that it looks like this view; `rng` deals the hidden cards."""
    state.take_public(view)
    state.scores = list(view.scores[: view.sides])
    state.sweeps = list(view.sweeps)
    state.sweep_cards = list(map(list, view.sweep_cards))
    state.loose = list(view.loose)
    state.builds = {build.value: build for build in view.builds}
    state.turns = list(view.turns)
    state.log = view.log[: len(view.log) - len(view.turns)]
    if view.seat is not None:
        state.hands[view.seat] = list(view.hand)
    state.won = list(map(list, view.remembered))
    _deal_hidden_cards(state, view, rng)


def _deal_hidden_cards(state: CasinoState, view: CasinoView, rng: Random) -> None:
    alone = state.card_values.alone
    seen = set(state.cards())
    unseen = [card for card in PACK if card not in seen]
    rng.shuffle(unseen)
    for seat, value in announced(view.builds, view.turns):
        if seat != view.seat and view.hand_counts[seat]:
            backing = next(card for card in unseen if alone.get(card) == value)
            unseen.remove(backing)
            state.hands[seat].append(backing)
    for seat, count in enumerate(view.hand_counts):
        _fill(state.hands[seat], count, unseen)
    _fill(state.stock, view.stock_count, unseen)


def _fill(cards: list[Card], count: int, unseen: list[Card]) -> None:
    while len(cards) < count:
        cards.append(unseen.pop())


# What turns and builds tell


def known_won(turns: Iterable[Turn], sides: int) -> list[list[Card]]:
    """Cards in each side's pile that these turns name: played or taken, also inside a build that was taken later."""
    known: list[list[Card]] = [[] for _ in range(sides)]
    built: dict[int, list[Card]] = {}
    for seat, move in turns:
        if isinstance(move, (Capture, MakeBuild)):
            used = [move.card, *move.loose, *(card for value in move.builds for card in built.pop(value, []))]
            if isinstance(move, Capture):
                known[seat % sides] += used
            else:
                built[move.value] = used
    return known


def announced(builds: Iterable[Build], turns: Iterable[Turn]) -> list[tuple[int, int]]:
    """Seats with a value that they must hold: of builds they control or made in their last turn."""
    last_turns = dict(turns).items()
    made = {(seat, move.value) for seat, move in last_turns if isinstance(move, MakeBuild)}
    return sorted(made | {(build.controller, build.value) for build in builds})
