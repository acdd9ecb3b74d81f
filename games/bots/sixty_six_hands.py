"""Imagined hands of Sixty-Six as bit sets: played on by a sensible player's habits, and searched to the end.

A card is a bit, six to a suit, the nine lowest; trumps are all bits of their suit. An imagined hand lies open: it comes
from a sampled state, and tells what a move is worth there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from games.core.card_bits import bits
from games.core.cards import SUITS, Card
from games.engines.sixty_six.moves import AFTER, PLAIN_MARRIAGE, POINTS, RANKS, TRUMP_MARRIAGE, pair_of
from games.engines.sixty_six.scoring import GOAL, HandCount, Win
from games.engines.sixty_six.state import SixtySixState

BIT = {rank + suit: 1 << (6 * place + RANKS.index(rank)) for place, suit in enumerate(SUITS) for rank in RANKS}
CARD = {bit: card for card, bit in BIT.items()}
SUIT = {suit: sum(BIT[rank + suit] for rank in RANKS) for suit in SUITS}
SUIT_OF = {bit: SUIT[card[1]] for bit, card in CARD.items()}
POINTS_OF = {bit: POINTS[card[0]] for bit, card in CARD.items()}
PAIRS = tuple(sum(BIT[card] for card in pair_of(suit)) for suit in SUITS)
PARTNER = {bit: pair ^ bit for pair in PAIRS for bit in CARD if bit & pair}

# What a card is worth as long as one keeps it, beside its points: by rank, the nine first. A king or queen whose
# partner is there may still be declared, twice as much in trumps.
KEEP_TRUMP = (7.0, 6.0, 8.0, 9.0, 10.0, 16.0)
KEEP_PLAIN = (-1.0, -2.0, 3.0, 2.0, 4.0, 4.0)
KEEP_PAIR = 10.0
KEEP = {
    trump: {bit: (KEEP_TRUMP if bit & trump else KEEP_PLAIN)[RANKS.index(card[0])] for bit, card in CARD.items()}
    for trump in SUIT.values()
}
# A lead risks half its points, and a long suit is rather led from. To have to lead is a burden.
RISK, LENGTH, BURDEN = 0.5, 1.0, 4.0


def mask(cards: Iterable[Card]) -> int:
    return sum([BIT[card] for card in cards])


def wins(answer: int, led: int, trump: int) -> bool:
    """Whether the second card of a trick takes it."""
    return answer > led if answer & SUIT_OF[led] else bool(answer & trump)


def strict_answers(hand: int, led: int, trump: int, *, must_beat: bool) -> int:
    """The cards that may be played once no more are drawn."""
    same = hand & SUIT_OF[led]
    if not must_beat:
        return same or hand
    return same & -(led << 1) or same or hand & trump or hand


def masters(hand: int, unseen: int, trump: int) -> int:
    """The cards that none unseen can beat if they are led, where suit must be followed."""
    found, is_safe = 0, not unseen & trump
    for suit in SUIT.values():
        theirs = unseen & suit
        if theirs or is_safe:
            found |= hand & suit & -(1 << theirs.bit_length())
    return found


def pairs_in(hand: int, trump: int) -> list[tuple[int, int]]:
    """Kings with their queens, and what they are worth when they are declared; trumps first."""
    found = [(pair, TRUMP_MARRIAGE if pair & trump else PLAIN_MARRIAGE) for pair in PAIRS if hand & pair == pair]
    return sorted(found, key=lambda pair: -pair[1])


def sure_points(hand: int, unseen: int, trump: int) -> int:
    """Points that closing is sure to add: marriages, and the cards that the other cannot beat."""
    married = sum([worth for _pair, worth in pairs_in(hand, trump)])
    return married + sum([POINTS_OF[card] for card in bits(masters(hand, unseen, trump))])


# Habits: what a sensible player does without much thought


@dataclass(frozen=True, slots=True)
class Eyes:
    """What a player goes by. unseen: cards that may be in the other hand. is_open: cards are still drawn."""

    hand: int
    unseen: int
    trump: int
    is_open: bool

    def keeping_worth(self, card: int) -> float:
        """Cost of giving a card away, apart from its points."""
        if self.is_open and card in PARTNER and PARTNER[card] & self.hand:
            return 2 * KEEP_PAIR if card & self.trump else KEEP_PAIR
        return KEEP[self.trump][card]

    def best_lead(self, cards: int) -> int:
        """The lead. Open stock: a cheap card. Closed: unbeatable cards, trumps first; else a cheap card."""
        if not self.is_open and (tops := masters(cards, self.unseen, self.trump)):
            return max(bits(tops), key=lambda card: (bool(card & self.trump), POINTS_OF[card]))
        return min(bits(cards), key=self._lead_cost)

    def _lead_cost(self, card: int) -> float:
        length = 0 if card & self.trump else (self.hand & SUIT_OF[card]).bit_count()
        return RISK * POINTS_OF[card] + self.keeping_worth(card) - LENGTH * length

    def best_answer(self, cards: int, led: int) -> int:
        """The card that gains most, less its value later."""
        best, chosen = -99.0, 0
        for card in bits(cards):
            stake = POINTS_OF[led] + POINTS_OF[card]
            gain = (stake - BURDEN if wins(card, led, self.trump) else -stake) - self.keeping_worth(card)
            if gain > best:
                best, chosen = gain, card
        return chosen


# Imagined hands


class Side(NamedTuple):
    """What a player has in an imagined hand. pending: points of marriages that wait for a trick."""

    hand: int
    points: int
    tricks: int
    pending: int

    @property
    def has_won(self) -> bool:
        return self.tricks > 0 and self.points >= GOAL

    def without(self, card: int) -> "Side":
        return Side(self.hand ^ card, self.points, self.tricks, self.pending)

    def married(self, worth: int) -> "Side":
        if self.tricks:
            return Side(self.hand, self.points + worth, self.tricks, self.pending)
        return Side(self.hand, self.points, self.tricks, self.pending + worth)

    def took(self, points: int) -> "Side":
        """After a trick with cards of so many points."""
        return Side(self.hand, self.points + points + self.pending, self.tricks + 1, 0)


class Line:
    """A hand with all cards open, from a state on.

    stock: the next card last, the upcard first; empty once it is closed or used up. leader: who leads, or has led.
    """

    __slots__ = (
        "at_close", "carry", "closed_by", "declared", "leader", "led", "must_beat", "options", "sides", "stock",
        "trump",
    )  # fmt: skip

    def __init__(self, state: SixtySixState) -> None:
        self.options, self.carry, self.trump = state.options, state.carry, SUIT[state.trump]
        self.must_beat = state.options["endgame_follow"] == "strict"
        self.stock = [mask([card]) for card in (state.upcard, *state.stock) if card and state.is_open]
        self.closed_by, self.at_close = state.closed_by, state.at_close
        self.sides = list(map(Side, map(mask, state.hands), state.points, state.tricks, state.pending))
        mover = state.to_act[0]
        self.led, self.leader = (BIT[state.led], 1 - mover) if state.led else (0, mover)
        self.declared = mask(pair_of(state.declared)) if state.declared else 0
        if state.phase is AFTER:
            self._draw()

    @property
    def may_marry(self) -> bool:
        return bool(self.stock) or self.closed_by is not None or bool(self.options["late_marriages"])

    def gain(self, seat: int, searched: int) -> float:
        """Game points of the seat for the hand.

        Both play by habit and go out as soon as they may; the last `searched` cards are played as well as can be.
        """
        while self.stock or min([side.hand.bit_count() for side in self.sides]) > searched:
            mover = 1 - self.leader if self.led else self.leader
            if self.sides[mover].has_won:
                break
            if self.led:
                self._answer(mover)
            else:
                self._lead(mover)
        return self._searched(seat)

    # Playing on by habit

    def _eyes(self, seat: int) -> Eyes:
        unseen = self.sides[1 - seat].hand | sum(self.stock)
        return Eyes(self.sides[seat].hand, unseen, self.trump, bool(self.stock))

    def _lead(self, mover: int) -> None:
        """Leads a card, after an exchange, a closing and a marriage; no card if the marriage wins the hand."""
        if not self.declared:
            self._prepare(mover)
        side = self.sides[mover]
        if not side.has_won:
            self.led = self._eyes(mover).best_lead(self.declared or side.hand)
            self.declared = 0
            self.sides[mover] = side.without(self.led)

    def _prepare(self, mover: int) -> None:
        side, nine = self.sides[mover], self.trump & -self.trump
        if self.stock and side.hand & nine and side.tricks:
            side = side._replace(hand=side.hand ^ nine | self.stock[0])
            self.stock[0] = nine
        if self.stock:
            other = self.sides[1 - mover]
            if side.points + sure_points(side.hand, other.hand | sum(self.stock), self.trump) >= GOAL:
                self.stock, self.closed_by, self.at_close = [], mover, (other.points, other.tricks)
        if self.may_marry and (pairs := pairs_in(side.hand, self.trump)):
            self.declared, worth = pairs[0]
            side = side.married(worth)
        self.sides[mover] = side

    def _answer(self, mover: int) -> None:
        led, side = self.led, self.sides[mover]
        cards = side.hand if self.stock else self._answers(side, led)
        card = self._eyes(mover).best_answer(cards, led)
        self.sides[mover] = side.without(card)
        self.led, self.leader = 0, mover if wins(card, led, self.trump) else 1 - mover
        self.sides[self.leader] = self.sides[self.leader].took(POINTS_OF[led] + POINTS_OF[card])
        if self.stock:
            self._draw()

    def _answers(self, side: Side, led: int) -> int:
        return strict_answers(side.hand, led, self.trump, must_beat=self.must_beat)

    def _draw(self) -> None:
        for seat in (self.leader, 1 - self.leader):
            side = self.sides[seat]
            self.sides[seat] = side._replace(hand=side.hand | self.stock.pop())

    # Searching to the end: `mine` is the side of the leader, whose gain it is

    def _searched(self, seat: int) -> float:
        leader = self.leader
        mine, theirs = self.sides[leader], self.sides[1 - leader]
        if self.led:
            found = self._answered(leader, mine, theirs, self.led, -99.0, 99.0)
        else:
            found = self._best(leader, mine, theirs, -99.0, 99.0, self.declared)
        return found if leader == seat else -found

    def _best(self, leader: int, mine: Side, theirs: Side, low: float, high: float, declared: int = 0) -> float:
        if mine.has_won:
            return self._claimed(leader, mine, theirs)
        if not (mine.hand and theirs.hand):
            return self._worth(leader, self._count(leader, mine, theirs).played_out())
        for card in sorted(bits(declared or mine.hand), key=POINTS_OF.__getitem__, reverse=True):
            after = mine
            if not declared and self.may_marry and card in PARTNER and PARTNER[card] & mine.hand:
                after = mine.married(TRUMP_MARRIAGE if card & self.trump else PLAIN_MARRIAGE)
                if after.has_won:
                    return self._claimed(leader, after, theirs)
            low = max(low, self._answered(leader, after.without(card), theirs, card, low, high))
            if low >= high:
                break
        return low

    def _answered(self, leader: int, mine: Side, theirs: Side, led: int, low: float, high: float) -> float:
        if theirs.has_won:
            return -self._claimed(1 - leader, theirs, mine)
        for card in bits(self._answers(theirs, led)):
            points, other = POINTS_OF[led] + POINTS_OF[card], theirs.without(card)
            if wins(card, led, self.trump):
                found = -self._next(1 - leader, other, mine, points, -high, -low)
            else:
                found = self._next(leader, mine, other, points, low, high)
            high = min(high, found)
            if high <= low:
                break
        return high

    def _next(self, winner: int, mine: Side, theirs: Side, points: int, low: float, high: float) -> float:
        """After a trick with cards of so many points, which the new leader has won."""
        after = mine.took(points)
        if after.hand and theirs.hand:
            return self._best(winner, after, theirs, low, high)
        if self.closed_by is None:
            bonus = int(self.options["last_trick_bonus"])
            return self._best(winner, after._replace(points=after.points + bonus), theirs, low, high)
        brought = after.points - mine.points
        win = self._count(winner, after, theirs).closed(self.closed_by, last=winner, brought=brought)
        return self._worth(winner, win)

    def _claimed(self, seat: int, mine: Side, theirs: Side) -> float:
        return self._worth(seat, self._count(seat, mine, theirs).claimed(seat))

    def _count(self, seat: int, mine: Side, theirs: Side) -> HandCount:
        by_seat = (mine, theirs) if seat == 0 else (theirs, mine)
        points, tricks = [side.points for side in by_seat], [side.tricks for side in by_seat]
        return HandCount(self.options, points, tricks, self.closed_by, self.at_close)

    def _worth(self, seat: int, win: Win | None) -> float:
        if win is None:
            return 0.0
        points = win.points + self.carry
        return points if win.seat == seat else -points
