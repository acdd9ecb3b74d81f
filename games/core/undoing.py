"""Undo: which moves can be taken back, because they revealed nothing hidden."""

from collections.abc import Mapping
from random import Random
from typing import Any

from games.core.cards import Card
from games.core.contract import Game, Move, State, View

WORLDS = 6


def can_take_back(game: Game[Any, Any, Any], before: State, seat: int, move: Move, rng: Random) -> bool:
    """Whether `seat` may take back `move`, played from `before`, as long as no move has been made since.

    No player may have seen a card that was unknown to them, except those that the mover has shown; no card may have
    left the stock or come into another hand, and the deal goes on. Nor may the move have told the mover anything else
    of the hidden cards: in other worlds that the mover could not tell from this one (`Game.sample`, drawn by `rng`) it
    would have looked the same to them.
    """
    after = before.copy()
    after.play(seat, move)
    if after.outcome() is not None or len(after.results) != len(before.results):
        return False
    known = seen(before.view(seat))
    viewers = (None, *range(before.seats))
    if any(not seen(after.view(viewer)) <= seen(before.view(viewer)) | known for viewer in viewers):
        return False
    mine, now = before.view(seat), after.view(seat)
    return _counts(mine, seat) == _counts(now, seat) and _is_foreseen(game, mine, move, now, rng)


def seen(view: View) -> set[Card]:
    """The cards whose faces this viewer sees."""
    return {card for zone in view.zones for card in zone.cards}


def _counts(view: View, mover: int) -> Mapping[str, int]:
    """Number of cards that a move of the player's own cards leaves alone: in the stock, and in other hands."""
    others = (zone for zone in view.zones if zone.kind == "stock" or (zone.kind == "hand" and zone.owner != mover))
    return {zone.id: zone.count for zone in others}


def _is_foreseen(game: Game[Any, Any, Any], mine: View, move: Move, now: View, rng: Random) -> bool:
    """Whether the move leads to the view `now` from any state that the view `mine` allows."""
    for _ in range(WORLDS):
        world = game.sample(mine, rng)
        world.play(mine.seat, move)
        if world.view(mine.seat) != now:
            return False
    return True
