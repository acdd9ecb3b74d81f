"""House bots of Advantage.

First steps drops what fits without much thought and often overlooks the best pile. Club takes the pile that makes most
pairs, and drops so that the hand it will get makes pairs where the hand it gives away does not. Strong thinks
the round through to the end: what the other drops and picks in answer, what is left in both hands, and when the game
would end.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from games.bots import Reason
from games.core.cards import RANK_INDEX, Card
from games.core.contract import Move
from games.engines.advantage.moves import (
    DRAW_TO_PICK,
    FITTING,
    PASS_PICK,
    STOP_DROPPING,
    Drop,
    LayPair,
    Phase,
    StopDropping,
    StopPairing,
    Trade,
)
from games.engines.advantage.view import AdvantageView

# Count of each rank among some cards, three bits a rank, so that the pairs can be counted at once.
RANKS = {card: 1 << 3 * RANK_INDEX[card[0]] for card in FITTING["all"]}
LOWEST_BITS = sum(set(RANKS.values()))
DECIDED = 100.0
MANY_DROPS = 16

Plan: TypeAlias = tuple[Drop, ...]


def ranks_of(cards: Iterable[Card]) -> int:
    return sum([RANKS[card] for card in cards])


def pairs_of(ranks: int) -> int:
    """Number of pairs among cards with these ranks."""
    return (ranks >> 1 & LOWEST_BITS).bit_count() + 2 * (ranks >> 2 & LOWEST_BITS).bit_count()


@dataclass(frozen=True, slots=True)
class Pile:
    top: Card
    ranks: int
    size: int

    @classmethod
    def of(cls, cards: Sequence[Card]) -> "Pile":
        return cls(cards[-1], ranks_of(cards), len(cards))

    def under(self, card: Card) -> "Pile":
        return Pile(card, self.ranks + RANKS[card], self.size + 1)


Hand: TypeAlias = tuple[Card, ...]
Piles: TypeAlias = tuple[Pile, ...]
After: TypeAlias = tuple[Hand, Piles]
Pick: TypeAlias = tuple[Card, int] | None


def replaced(piles: Piles, number: int, pile: Pile) -> Piles:
    return (*piles[: number - 1], pile, *piles[number:])


def without(hand: Hand, card: Card) -> Hand:
    return tuple(other for other in hand if other != card)


class FirstSteps:
    """Drops anything that fits, and takes the best pile only now and then.

    care: how often it looks for the pile with most pairs.
    """

    care = 0.5

    def choose(self, view: AdvantageView, rng: Random) -> Move:
        if view.phase is Phase.PICK and rng.random() < self.care:
            return Judge(view, burden=0.0).best_pick()
        if view.phase is Phase.PAIR:
            return first_pair(view)
        return rng.choice(view.moves)


class Club:
    """Looks at both hands before it drops, but not at the opponent's answer, and likes to drop two."""

    def choose(self, view: AdvantageView, rng: Random) -> Move:
        judge = Judge(view, burden=0.0)
        if view.phase is Phase.DROP:
            plans = judge.plans()
            return first_of(max(plans, key=lambda plan: (judge.outlook(plans[plan]), len(plan))))
        return judge.best_pick() if view.phase is Phase.PICK else first_pair(view)


class Strong:
    """Assumes the opponent's best answer to its drops and its pick.

    burden: what a card left in the hand after the round costs, since the other gets it. width: plans looked at closely.
    """

    burden = 0.1
    width = 6

    def choose(self, view: AdvantageView, rng: Random) -> Move:
        judge = Judge(view, burden=self.burden)
        if view.phase is Phase.PAIR:
            return first_pair(view)
        if view.phase is Phase.PICK:
            return judge.best_pick_with_answer()
        plans = judge.plans()
        likely = sorted(plans, key=lambda plan: judge.after_drops(plans[plan]), reverse=True)[: self.width]
        return first_of(max(likely, key=lambda plan: judge.after_answer(plans[plan])))


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


def first_pair(view: AdvantageView) -> Move:
    """Lays a pair while there is one, then stops."""
    return next((move for move in view.moves if isinstance(move, LayPair)), view.moves[-1])


def first_of(plan: Plan) -> Move:
    return plan[0] if plan else STOP_DROPPING


class Judge:
    """Value of the cards that a seat sees, in pairs, up to the end of the round.

    burden: what a card costs that is left in a hand after the round. Face-down cards do not count.
    """

    def __init__(self, view: AdvantageView, *, burden: float) -> None:
        assert view.seat is not None, "a bot sits at the table"
        self.view = view
        self.burden = burden
        self._fits = FITTING[str(view.options["colour"])]
        self.own: Hand = view.hands[view.seat]
        self.other: Hand = view.hands[1 - view.seat]
        self.piles: Piles = tuple(map(Pile.of, view.piles))
        self.lead = view.scores[view.seat] - view.scores[1 - view.seat]
        self.is_first = view.first == view.seat

    def ended(self, lead: int) -> float:
        """Value of a game that ends with this lead."""
        return DECIDED * ((lead > 0) - (lead < 0))

    # Dropping

    def plans(self) -> dict[Plan, After]:
        """The ways to finish the drop turn, with the own hand and the piles afterwards."""
        if STOP_DROPPING not in self.view.moves:
            return self.turns(self.own, self.piles)
        return {(): (self.own, self.piles), **self.single_drops(self.own, self.piles)}

    def turns(self, hand: Hand, piles: Piles) -> dict[Plan, After]:
        """All drops of one card, and of two unless there are very many."""
        found = self.single_drops(hand, piles)
        if len(found) > MANY_DROPS:
            return found
        twos = {
            first + second: after
            for first, between in found.items()
            for second, after in self.single_drops(*between).items()
        }
        return {**found, **twos}

    def single_drops(self, hand: Hand, piles: Piles) -> dict[Plan, After]:
        return {
            (Drop(card, number),): (without(hand, card), replaced(piles, number, piles[number - 1].under(card)))
            for card, number in self.fitting(hand, piles)
        }

    def fitting(self, hand: Hand, piles: Piles) -> Iterator[tuple[Card, int]]:
        for card in hand:
            fits = self._fits[card]
            for number, pile in enumerate(piles, start=1):
                if pile.top in fits:
                    yield card, number

    def outlook(self, after: After) -> float:
        """The picks of each hand after the hands have changed owners."""
        hand, piles = after
        return self.best(self.other, piles) - self.best(hand, piles)

    def after_drops(self, after: After) -> float:
        """Value of the pick if the opponent drops nothing more."""
        hand, piles = after
        if not hand and not self.view.stock_count:
            return self.ended(self.lead)
        if self.is_first:
            return self.first_pick(self.other, hand, piles, self.lead)
        return -self.first_pick(hand, self.other, piles, -self.lead)

    def after_answer(self, after: After) -> float:
        """Value of the pick after the opponent's strongest drop."""
        hand, piles = after
        if not self.is_first or not hand:
            return self.after_drops(after)
        turns = self.turns(self.other, piles).values()
        answers = [self.first_pick(rest, hand, changed, self.lead) for rest, changed in turns]
        return min(answers, default=self.after_drops(after))

    # Picking

    def taking(self, ranks: int, size: int, card: Card, pile: Pile) -> float:
        """Value of a trade to a hand with these ranks, before the opponent's pick."""
        pairs = pairs_of(ranks - RANKS[card] + pile.ranks)
        return pairs - self.burden * (size - 1 + pile.size - 2 * pairs)

    def answer(self, hand: Hand, piles: Piles) -> float | None:
        """Value of the best trade, None if there is none."""
        ranks, size = ranks_of(hand), len(hand)
        trades = [self.taking(ranks, size, card, piles[number - 1]) for card, number in self.fitting(hand, piles)]
        return max(trades, default=None)

    def best(self, hand: Hand, piles: Piles) -> float:
        """Value of the best trade, or of a pass."""
        trade, passing = self.answer(hand, piles), self.passing(hand)
        return passing if trade is None else max(passing, trade)

    def passing(self, hand: Hand) -> float:
        return -self.burden * len(hand)

    def first_pick(self, hand: Hand, answering: Hand, piles: Piles, lead: int) -> float:
        """Value of the best pick to the player who picks first, after the best answer. lead: of that player."""
        picks = self.picks(hand, answering, piles, lead)
        return max(picks.values(), default=self.ended(lead))

    def picks(self, hand: Hand, answering: Hand, piles: Piles, lead: int) -> dict[Pick, float]:
        """Each pick of the first to pick, None for a pass, with its value after the best answer."""
        ranks, size = ranks_of(hand), len(hand)
        answers = [self.answer(answering, (pile,)) for pile in piles]
        left = {card: self.answer(answering, (Pile.of((card,)),)) for card in hand}
        found: dict[Pick, float] = {}
        for card, number in self.fitting(hand, piles):
            rest = [*answers[: number - 1], *answers[number:], left[card]]
            worth = self.taking(ranks, size, card, piles[number - 1])
            found[(card, number)] = self.against(worth, rest, answering, lead)
        if found or self.view.stock_count:
            found[None] = self.against(self.passing(hand), answers, answering, lead)
        return found

    def against(self, worth: float, answers: Sequence[float | None], answering: Hand, lead: int) -> float:
        trades = [answer for answer in answers if answer is not None]
        if not trades and not self.view.stock_count:
            return self.ended(lead)
        return worth - max([self.passing(answering), *trades])

    def best_pick(self) -> Move:
        """The trade that makes most pairs, without regard to the opponent's pick; else a draw."""
        ranks, size = ranks_of(self.own), len(self.own)
        trades = [move for move in self.view.moves if isinstance(move, Trade)]
        if not trades:
            return self.view.moves[0]
        return max(trades, key=lambda move: self.taking(ranks, size, move.card, self.piles[move.pile - 1]))

    def best_pick_with_answer(self) -> Move:
        """The pick that is worth most after the best answer; no draw that may end a game that is being lost."""
        if DRAW_TO_PICK in self.view.moves:
            return PASS_PICK if self.view.stock_count == 1 and self.lead < 0 else DRAW_TO_PICK
        if not self.is_first:
            trade = self.best_pick()
            assert isinstance(trade, Trade), "who need not draw can trade"
            gain = self.taking(ranks_of(self.own), len(self.own), trade.card, self.piles[trade.pile - 1])
            return trade if gain > self.passing(self.own) else PASS_PICK
        picks = self.picks(self.own, self.other, self.piles, self.lead)
        best = max(picks, key=picks.__getitem__)
        return PASS_PICK if best is None else Trade(*best)


# What speaks for a move


def reason(view: AdvantageView, move: Move) -> Reason:
    match move:
        case Drop() | StopDropping():
            text, rule = _for_dropping(Judge(view, burden=0.0), move), "switch"
        case Trade():
            text, rule = _for_trade(Judge(view, burden=0.0), move), "pick-trade"
        case LayPair():
            text, rule = "The player with more pairs wins.", "win-pairs"
        case StopPairing():
            text, rule = "You don't have to lay a pair aside.", "pair-optional"
        case _ if move == PASS_PICK:
            text, rule = _for_passing(Judge(view, burden=0.0)), "pick-may-pass"
        case _:
            text, rule = _for_drawing(view), "pick-blocked-draw"
    return Reason(text, f"advantage:{rule}")


def _pairs(count: float) -> str:
    return "1 pair" if count == 1 else f"{count:.0f} pairs" if count else "no pair"


def _for_dropping(judge: Judge, move: Drop | StopDropping) -> str:
    hand, piles = judge.own, judge.piles
    if isinstance(move, Drop):
        hand, piles = judge.single_drops(hand, piles)[(move,)]
    got, given = judge.best(judge.other, piles), judge.best(hand, piles)
    return (
        f"After that, a trade makes {_pairs(got)} for the hand you'll get, as far as you can see it, and "
        f"{_pairs(given)} for the hand you give away."
    )


def _for_trade(judge: Judge, move: Trade) -> str:
    pile = judge.piles[move.pile - 1]
    gained = judge.taking(ranks_of(judge.own), len(judge.own), move.card, pile)
    text = f"With this pile you have {_pairs(gained)}"
    if not judge.is_first:
        return f"{text}."
    left = judge.best(judge.other, replaced(judge.piles, move.pile, Pile.of((move.card,))))
    return f"{text}. The piles left make {_pairs(left)} for the other player, as far as you can see that hand."


def _for_passing(judge: Judge) -> str:
    best = judge.answer(judge.own, judge.piles)
    if best is None:
        return "None of your cards fits a pile."
    return f"The best trade makes {_pairs(best)}, and brings you cards that the other player may get."


def _for_drawing(view: AdvantageView) -> str:
    seen = {card for zone in view.zones for card in zone.cards}
    unseen = FITTING[str(view.options["colour"])].keys() - seen
    tops = {pile[-1] for pile in view.piles}
    fitting = sum(not FITTING[str(view.options["colour"])][card].isdisjoint(tops) for card in unseen)
    return f"None of your cards fits, but {fitting} of the {len(unseen)} cards you haven't seen would."
