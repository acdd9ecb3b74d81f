"""Undo: which moves can be taken back, because they revealed nothing hidden."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.core.cards import Card
from games.core.contract import Game, GameError, Move, State, View

WORLDS = 6


def can_take_back(
    game: Game[Any, Any, Any],
    before: State,
    seat: int,
    move: Move,
    rng: Random,
    *,
    since: Sequence[tuple[int, Move]] = (),
) -> bool:
    """Whether `seat` may take back `move`, played from `before`, with all that has been played since.

    since: moves of bots alone, who do not mind what they have shown, and moves of this player who had no other.
    The deal goes on. The mover has seen no card that they did not know, and has learned nothing else of the hidden
    cards: in other worlds that they could not tell from this one (`Game.sample`, drawn by `rng`) everything would have
    looked the same to them. Their own moves have shown the others none but their own cards, and no card has left the
    stock or come into another hand by them.
    """
    worlds = [game.sample(before.view(seat), rng) for _ in range(WORLDS)]
    known, now = seen(before.view(seat)), before.copy()
    for mover, played in [(seat, move), *since]:
        earlier = now.copy()
        now.play(mover, played)
        if now.outcome() is not None or len(now.results) != len(before.results):
            return False
        viewers = (None, *range(now.seats)) if mover == seat else (seat,)
        if any(not seen(now.view(viewer)) <= seen(earlier.view(viewer)) | known for viewer in viewers):
            return False
        view = now.view(seat)
        if mover == seat and _counts(earlier.view(seat), seat) != _counts(view, seat):
            return False
        if not all(_looks_the_same(world, mover, played, view) for world in worlds):
            return False
    return True


def seen(view: View) -> set[Card]:
    """The cards whose faces this viewer sees."""
    return {card for zone in view.zones for card in zone.cards}


def _counts(view: View, mover: int) -> Mapping[str, int]:
    """Number of cards that a move of the player's own cards leaves alone: in the stock, and in other hands."""
    others = (zone for zone in view.zones if zone.kind == "stock" or (zone.kind == "hand" and zone.owner != mover))
    return {zone.id: zone.count for zone in others}


def _looks_the_same(world: State, mover: int, move: Move, view: View) -> bool:
    """Plays the move in another world, and says whether that leads to this view."""
    try:
        world.play(mover, move)
    except GameError:  # by another hand
        return False
    return world.view(view.seat) == view
