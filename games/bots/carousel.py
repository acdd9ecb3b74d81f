"""House bots of Carousel.

All levels lay every meld that they see; they differ in what they see. First steps looks at its own hand and at single
cards for a meld, and overlooks much. Club overlooks about half of the thefts at each look, lays the step with the most
points first and knocks as soon as it may. Strong plans the steps of its turn together and knocks when sampled hands say
that it pays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from games.bots import Reason
from games.core.cards import Card
from games.core.contract import Move
from games.core.moves import DRAW, PASS
from games.core.rummy.melds import SMALLEST_MELD, Meld
from games.core.rummy.rearranging import Play
from games.core.rummy.steps import Step
from games.core.words import counted
from games.engines.carousel.game import CAROUSEL
from games.engines.carousel.moves import KNOCK, MOST_DRAWS, Phase
from games.engines.carousel.scoring import card_points, deadwood
from games.engines.carousel.state import CarouselState
from games.engines.carousel.steps import Table
from games.engines.carousel.view import CarouselView

Plan: TypeAlias = tuple[tuple[int, int], Move]
"""The deadwood that a turn leaves and the cards that the table can spare then, and the turn's first step."""


def cards_laid(move: Step | Play, table: Table) -> tuple[Card, ...]:
    """The cards that leave the hand."""
    return move.laid(table.get(move.number)) if isinstance(move, Step) else move.from_hand(table)


def points_laid(move: Step | Play, table: Table) -> int:
    return sum(map(card_points, cards_laid(move, table)))


def plays_of(moves: Iterable[Move]) -> list[Step | Play]:
    return [move for move in moves if isinstance(move, Step | Play)]


def is_theft(move: Step | Play) -> bool:
    """Whether a move takes cards out of melds, which is harder to see than a meld in the hand."""
    return bool(move.thefts) if isinstance(move, Step) else len(move.dissolved) > 1


def without_a_play(view: CarouselView) -> Move:
    """Draws, or else ends the turn or passes."""
    return DRAW if DRAW in view.moves else view.moves[-1 if view.phase is not Phase.AFTER_DRAW else 0]


@dataclass(frozen=True, slots=True)
class Human:
    """Lays the step that rids it of most points among those that it notices.

    overlooks, overlooks_thefts: the chance to miss a step. misses_knock: the chance not to think of knocking.
    """

    overlooks: float
    overlooks_thefts: float
    misses_knock: float

    def choose(self, view: CarouselView, rng: Random) -> Move:
        if KNOCK in view.moves and rng.random() >= self.misses_knock:
            return KNOCK
        table = dict(view.table)
        seen = [play for play in plays_of(view.moves) if rng.random() >= self._overlooking_chance(play)]
        return max(seen, key=lambda play: points_laid(play, table), default=without_a_play(view))

    def _overlooking_chance(self, play: Step | Play) -> float:
        return self.overlooks_thefts if is_theft(play) else self.overlooks


class Strong:
    """Plans a whole turn, and knocks when it is likely to be lowest.

    looks: number of positions searched for a plan. width: beam width, the positions kept at each step.
    worlds: sampled hands of the others, to judge a knock.
    """

    looks = 24
    width = 4
    worlds = 60

    def choose(self, view: CarouselView, rng: Random) -> Move:
        if KNOCK in view.moves and self._pays_to_knock(view, rng):
            return KNOCK
        plays = plays_of(view.moves)
        if not plays:
            return without_a_play(view)
        if len(plays) == 1 or isinstance(plays[0], Play):
            table = dict(view.table)
            return max(plays, key=lambda play: points_laid(play, table))
        plan = self.plan(view, CAROUSEL.sample(view, rng))
        assert plan is not None, "there was a step"
        return plan[1]

    def plan(self, view: CarouselView, state: CarouselState) -> Plan | None:
        """The turn that leaves the least in hand and, of equal ones, feeds the others least; None without a step.

        On the way, of equal hands it keeps the table with the most cards to spare, for the steps that follow.
        """
        seat = state.to_act[0]
        best: Plan | None = None
        layer: list[tuple[CarouselState, Move | None]] = [(state, None)]
        looks = 0
        while layer and looks < self.looks:
            grown: dict[tuple[Card, ...], tuple[tuple[int, int], CarouselState, Move]] = {}
            for before, first in layer:
                looks += 1
                for step in plays_of(before.legal_moves(seat)):
                    after = before.copy()
                    after.play(seat, step)
                    if after.results != before.results:
                        return (0, 0), first or step
                    hand, opening = after.hands[seat], first or step
                    left, spare = deadwood(view.options, view.rules, hand), spare_cards(after.table.values())
                    if best is None or (left, spare) < best[0]:
                        best = ((left, spare), opening)
                    if hand not in grown or (left, -spare) < grown[hand][0]:
                        grown[hand] = ((left, -spare), after, opening)
            ranked = sorted(grown.values(), key=lambda entry: entry[0])[: self.width]
            layer = [(after, opening) for _cost, after, opening in ranked]
        return best

    def _pays_to_knock(self, view: CarouselView, rng: Random) -> bool:
        assert view.seat is not None, "a bot sits at the table"
        if view.deadwood == 0:
            return True
        net = 0
        for _ in range(self.worlds):
            world = CAROUSEL.sample(view, rng)
            left = [world.deadwood(seat) for seat in range(view.seats)]
            net += net_gain(left, view.seat, int(view.options["undercut_bonus"]))
        return net > 0


def spare_cards(melds: Iterable[Meld]) -> int:
    """Roughly how many cards the table can spare: those beyond three in each meld."""
    return sum(len(meld.cards) - SMALLEST_MELD for meld in melds)


def net_gain(left: Sequence[int], knocker: int, undercut: int) -> int:
    """Points that a knock wins against the deadwood of the others; negative if another is lower."""
    gain = sum(left) - min(left) * len(left)
    if left[knocker] > min(left):
        return -gain - undercut
    return gain // left.count(left[knocker])


STRONG = Strong()
LEVELS = {
    "first-steps": Human(overlooks=0.35, overlooks_thefts=0.9, misses_knock=0.3),
    "club": Human(overlooks=0.05, overlooks_thefts=0.55, misses_knock=0.0),
    "strong": STRONG,
}


# What speaks for a move


def reason(view: CarouselView, move: Move) -> Reason:
    text, rule = _for_play(view, move) if isinstance(move, Step | Play) else _for_word(view, move)
    return Reason(text, f"carousel:{rule}")


def _for_play(view: CarouselView, move: Step | Play) -> tuple[str, str]:
    laid = cards_laid(move, dict(view.table))
    hand = tuple(card for card in view.hand if card not in laid)
    left = deadwood(view.options, view.rules, hand)
    if not hand:
        return "It gets rid of all your cards, so you have no deadwood.", "empty-hand"
    text = f"Your deadwood goes from {view.deadwood} to {left}"
    if left <= int(view.options["knock_limit"]):
        return f"{text}; with that you could knock on your next turn.", "knock-limit"
    return f"{text}.", "steal" if is_theft(move) else "deadwood"


def _for_word(view: CarouselView, move: Move) -> tuple[str, str]:
    limit, can = int(view.options["knock_limit"]), "can" if plays_of(view.moves) else "can't"
    if move == KNOCK:
        if view.deadwood == 0:
            return "You have no deadwood, so no one can be lower.", "score-undercut"
        return f"Your deadwood is {view.deadwood}, and the limit is {limit}.", "knock-limit"
    if move == PASS:
        return f"The stock is empty, and you {can} make a step.", "stock-empty"
    if move != DRAW:
        return f"You {can} make another step.", "draw-or-meld"
    if view.phase is Phase.START:
        compared = "more than" if view.deadwood > limit else "within"
        return f"Your deadwood is {view.deadwood}, {compared} the limit of {limit} for a knock.", "turn-start"
    assert view.seat is not None, "only a player at the table asks"
    more = min(MOST_DRAWS - view.draws[view.seat], view.stock_count)
    drawing = f"{'or' if can == 'can' else 'but you can'} draw {counted(more, 'more card')}"
    return f"You {can} make a step now, {drawing}.", "draw-or-meld"


def comparison(view: CarouselView, better: Move, other: Move) -> Reason | None:
    """Steps are compared by the turn that each of them begins: the one that lays most may leave more in the end."""
    if not isinstance(better, Step) or not isinstance(other, Step):
        return None
    (left, spare), (more, spare_then) = _end_of_turn(view, better), _end_of_turn(view, other)
    if left < more:
        text = f"The coach found further steps for this turn that leave {left} of deadwood; after your move, {more}."
    elif points_laid(better, dict(view.table)) > points_laid(other, dict(view.table)):
        return None
    elif left == more and spare < spare_then:
        text = f"In this turn both can leave {left} of deadwood, but this one leaves fewer cards that others can steal."
    else:
        text = "No one reason tells them apart: this move came out ahead in the deals that the coach tried."
    return Reason(text, f"carousel:{'steal' if is_theft(better) else 'deadwood'}")


def _end_of_turn(view: CarouselView, step: Step) -> tuple[int, int]:
    """The deadwood after the best turn that begins with a step, and the cards that the table can spare then."""
    state = CAROUSEL.sample(view, Random(0))
    seat = state.to_act[0]
    state.play(seat, step)
    if state.to_act != (seat,):
        return 0, 0
    now = deadwood(view.options, view.rules, state.hands[seat]), spare_cards(state.table.values())
    plan = STRONG.plan(view, state)
    return min(now, plan[0]) if plan else now
