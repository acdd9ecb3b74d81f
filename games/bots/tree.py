"""Tree search for two players who don't see all cards: single-observer information-set Monte Carlo tree search.

Each try deals the hidden cards at random and walks down one tree for all these worlds, by moves that have done well so
far or were seldom tried. It adds one move to the tree, and a quick way of playing on tells what that is worth. Unlike
the search of `games.bots.search`, it finds good answers of the other player and plans of several moves by itself.

The budget is a number of tries, never of seconds: the same view and random numbers give the same move on every machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from typing import Any

from games.bots import Bot
from games.core.contract import Game, Move, State


@dataclass(slots=True)
class Node:
    """A move of the tree. offered: tries in which it could be chosen. gained: in all, by the player who moves."""

    tried: int = 0
    offered: int = 1
    gained: float = 0.0
    below: dict[Move, "Node"] = field(default_factory=dict)

    def appeal(self, curiosity: float) -> float:
        """Upper bound of what the move may be worth."""
        return self.gained / self.tried + curiosity * sqrt(log(self.offered) / self.tried)


@dataclass(frozen=True, slots=True)
class TreeSearch:
    """A bot that searches a tree where the view has moves worth trying, and else asks the adviser.

    moves_of: of a view, the moves worth trying; none where the adviser is exact. sensible: the same of a world. gain:
    what seat 0 gains by the hand of a world, played on in a quick way; with the number of hands before it. curiosity:
    what the search would give up to know more of a move.
    """

    game: Game[Any, Any, Any]
    adviser: Bot
    moves_of: Callable[[Any], Sequence[Move]]
    sensible: Callable[[Any], Sequence[Move]]
    gain: Callable[[Any, int], float]
    tries: int = 2000
    curiosity: float = 1.0

    def choose(self, view: Any, rng: Random) -> Move:
        moves = self.moves_of(view)
        if len(moves) < 2:
            return self.adviser.choose(view, rng)
        root = Node()
        for _ in range(self.tries):
            self._try(root, moves, self.game.sample(view, rng), rng)
        return max(root.below, key=lambda move: root.below[move].tried)

    def _try(self, node: Node, moves: Sequence[Move], world: State, rng: Random) -> None:
        hands, path, is_new = len(world.results), [], False
        while True:
            mover, move = world.to_act[0], moves[0]
            if len(moves) > 1:
                move = self._pick(node, moves, rng)
                is_new = move not in node.below
                node = node.below.setdefault(move, Node())
                path.append((mover, node))
            world.play(mover, move)
            if is_new or len(world.results) > hands:
                break
            moves = self.sensible(world)
        gained = self.gain(world, hands)
        for mover, node in path:
            node.tried += 1
            node.gained += gained if mover == 0 else -gained

    def _pick(self, node: Node, moves: Sequence[Move], rng: Random) -> Move:
        """A move that is not in the tree yet, or else the one with most appeal."""
        known = [move for move in moves if move in node.below]
        for move in known:
            node.below[move].offered += 1
        if len(known) < len(moves):
            return rng.choice([move for move in moves if move not in node.below])
        return max(moves, key=lambda move: node.below[move].appeal(self.curiosity))
