"""Imagined hands of Casino: what the turns tell of the hidden cards."""

from collections.abc import Iterable

from games.core.cards import Card
from games.engines.casino.builds import Build
from games.engines.casino.moves import Capture, MakeBuild, Turn


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


def fill(cards: list[Card], count: int, unseen: list[Card]) -> None:
    while len(cards) < count:
        cards.append(unseen.pop())
