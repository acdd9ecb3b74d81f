"""House bots of Gin Rummy.

First steps sees its melds, throws a loose card without much thought and sometimes takes one for no reason. Club keeps
the cards that are worth most by a learned table (`gin_worth`), takes one that makes a meld or lowers its deadwood by
much, and knocks as soon as it can. Strong imagines hands of the other by learned signs, what they took, left and
discarded, and by the turns that they had to tidy them. It keeps from them what they could use, plays its best discards
on against them, and tries a knock on them; the expert does so in more of them. All remember the covered discards, which
everybody has seen.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import exp
from random import Random
from typing import TypeAlias

from games.bots import Reason
from games.bots.gin_worth import HELD_BACK, SIGNS, WEIGHTS
from games.core.card_bits import ALL_CARDS, BIT, CARD, bits, cards, mask, union
from games.core.cards import RANKS, SUITS
from games.core.contract import Options
from games.core.moves import TAKE, Discard
from games.core.rummy.deadwood import MELDS, best_deadwood, best_defence, best_grouping, completing, loose_cards, points
from games.engines.gin_rummy.moves import (
    DRAW_CARD,
    PASS,
    UNDRAWN_CARDS,
    UPCARD_TURNS_IN_A_ROW,
    BigGin,
    GinRummyMove,
    Knock,
    Phase,
    Showdown,
)
from games.engines.gin_rummy.view import GinRummyView

Ending: TypeAlias = Knock | BigGin

WORTH_TAKING = 6  # points that an upcard which makes no meld must save

KNOCK_LIMIT = 10  # of the hands that the tables of weights were learned from
FEWEST_TO_WAIT = 7  # loose cards that never allow a knock: six without a meld count 12 at least
STAGES = (28, 24, 19)  # a hand is in its second, third and fourth stage while the stock is smaller than this

KNOCK_WORLDS = 40  # hands of the other on which knocks are tried

# How likely a hand of the other is, as a logarithm
TIDIED = 0.012  # less for each point of its deadwood and each turn that they have had,
TIDY_TURNS = 5  # of which so many count
UNKNOCKED = 4.0  # less if they could have knocked with it

SWAPS = 20  # of a card between one imagined hand and the next
SETTLING = 6  # imagined hands before the first that counts

DISCARDED, LEFT, TAKEN = range(3)  # rows of the table of signs

# For each card the pairs of cards that make a meld of three with it.
PARTNERS = {bit: [meld ^ bit for meld in MELDS if meld & bit and meld.bit_count() == 3] for bit in BIT.values()}


def _related(card: int) -> tuple[int, int, int]:
    rank, suit = divmod(card.bit_length() - 1, len(SUITS))
    in_suit = [1 << len(SUITS) * other + suit for other in range(len(RANKS))]
    near = [union([bit for other, bit in enumerate(in_suit) if abs(other - rank) == steps]) for steps in (1, 2)]
    return (15 << len(SUITS) * rank) ^ card, near[0], near[1]


RELATED = {bit: _related(bit) for bit in BIT.values()}
"""For each card the others of its rank, those next to it in its suit, and those next but one."""


class FirstSteps:
    """Throws a loose card without much thought, takes some for no reason, and lets a knock with much left go by.

    whim: how often it takes the upcard, or knocks, just so. slack: it overlooks discards that are better by so much.
    content: it knocks with so much.
    """

    whim = 0.15
    slack = 4
    content = 7

    def choose(self, view: GinRummyView, rng: Random) -> GinRummyMove:
        if view.phase is Phase.SHOWDOWN:
            return showdown(view)
        if view.phase is not Phase.DISCARD:
            return draw(view, wants_upcard=completes_meld(view) or rng.random() < self.whim)
        ending = best_ending(view)
        if ending is not None and (deadwood_after(view, ending) <= self.content or rng.random() < self.whim):
            return ending
        return careless_discard(view, self.slack, rng)


class Club:
    """Keeps the hand that wins most, by a table, and knocks at once.

    Waiting for a better knock costs more hands than it wins, even where the other hand may be better already.
    """

    def choose(self, view: GinRummyView, rng: Random) -> GinRummyMove:
        if view.phase is Phase.SHOWDOWN:
            return showdown(view)
        if view.phase is not Phase.DISCARD:
            return draw(view, wants_upcard=wants_upcard(view))
        ending = best_ending(view)
        if ending is not None:
            return ending
        unseen = unseen_by(view)
        found = sensible_discards(view)
        return max(found, key=lambda move: worth_after(view, BIT[move.card], danger(view, move, unseen)))


@dataclass(frozen=True, slots=True)
class Strong:
    """Plays the best discards on against imagined hands of the other, and knocks at once.

    worlds: in which two discards are compared; all candidates are tried in half of them. candidates: discards that are
    tried, most. trust: the table counts as much as so many worlds. clear: discards that the table puts so far behind
    its best one are not tried.
    """

    worlds: int = 200
    candidates: int = 4
    trust: int = 200
    clear: float = 8.0

    def choose(self, view: GinRummyView, rng: Random) -> GinRummyMove:
        if view.phase is Phase.SHOWDOWN:
            return showdown(view)
        if view.phase is not Phase.DISCARD:
            return draw(view, wants_upcard=wants_upcard(view))
        return self._ending(view, rng) or self._discard(view, rng)

    def _ending(self, view: GinRummyView, rng: Random) -> GinRummyMove | None:
        """Gin at once, else the knock with the highest average gain."""
        best = best_ending(view)
        if best is None or deadwood_after(view, best) == 0:
            return best
        most = deadwood_after(view, best) + 3
        knocks = [move for move in view.moves if isinstance(move, Knock) and deadwood_after(view, move) <= most]
        if len(knocks) == 1:
            return best
        others = likely_hands(view, rng, KNOCK_WORLDS)
        gains = {move: sum(knock_gain(view, move, other) for other in others) for move in knocks[:6]}
        return max(gains, key=gains.__getitem__)

    def _discard(self, view: GinRummyView, rng: Random) -> Discard:
        """The discard with the highest worth, as the table and the worlds see it."""
        found = sensible_discards(view)
        if len(found) == 1:
            return found[0]
        others = likely_hands(view, rng, self.worlds)
        worth = {move: self.trust * worth_after(view, BIT[move.card], given(others, BIT[move.card])) for move in found}
        least = max(worth.values()) - self.trust * self.clear
        tried = nlargest(self.candidates, [move for move in worth if worth[move] >= least], key=worth.__getitem__)
        if len(tried) == 1:
            return tried[0]
        for number, other in enumerate(others):
            if number == self.worlds // 2:
                tried = nlargest(2, tried, key=worth.__getitem__)
            stock = list(bits(unseen_by(view) & ~other))
            rng.shuffle(stock)
            for move in tried:
                worth[move] += played_on(view, BIT[move.card], other, stock)
        return max(tried, key=worth.__getitem__)


# Worlds: hands of the other, and how a hand is played on


def signs(view: GinRummyView) -> list[tuple[int, int]]:
    """What the other discarded, left and took in this hand: the row of `SIGNS`, and the card."""
    found, offered = [], 0
    for seat, letter, bit in view.remembered_deeds:
        if seat == view.seat:
            offered = bit if letter == "X" else 0
        elif letter == "X":
            found.append((DISCARDED, bit))
        elif letter == "U":
            found.append((TAKEN, bit))
        elif letter == "D" and offered:
            found.append((LEFT, offered))
    return found


def turns_of_other(view: GinRummyView) -> int:
    return sum([letter == "X" and seat != view.seat for seat, letter, _card in view.remembered_deeds])


def held_odds(view: GinRummyView) -> dict[int, float]:
    """For each unseen card how much likelier than another one it is in the other's hand, as a logarithm."""
    unseen, turns = unseen_by(view), turns_of_other(view)
    odds = {bit: HELD_BACK * turns * points(bit) for bit in bits(unseen)}
    for kind, card in signs(view):
        for weight, related in zip(SIGNS[kind], RELATED[card], strict=True):
            for bit in bits(related & unseen):
                odds[bit] += weight
    return odds


def likely_hands(view: GinRummyView, rng: Random, count: int) -> list[int]:
    """Imagined hands of the other, by the odds of their cards, and the likelier the less deadwood they have.

    Each comes from the one before by swaps of a card, of which unlikely ones are seldom made: a Metropolis walk.
    """
    known, odds, turns = other_known(view), held_odds(view), turns_of_other(view)
    rest = list(odds)
    rng.shuffle(rest)
    number = view.hand_counts[other_seat(view)] - known.bit_count()
    held, rest = rest[:number], rest[number:]
    hand = known | union(held)
    if not held or not rest:
        return [hand] * count
    tidied = TIDIED * min(turns, TIDY_TURNS)

    def doubt(hand: int) -> float:
        left = best_deadwood(hand)
        return tidied * left + UNKNOCKED * (turns > 0 and left <= view.limit)

    found, doubted = [], doubt(hand)
    for step in range((SETTLING + count) * SWAPS):
        out, new = int(rng.random() * len(held)), int(rng.random() * len(rest))
        swapped = hand ^ held[out] ^ rest[new]
        swapped_doubted = doubt(swapped)
        if rng.random() < exp(min(odds[rest[new]] - odds[held[out]] + doubted - swapped_doubted, 0.0)):
            held[out], rest[new] = rest[new], held[out]
            hand, doubted = swapped, swapped_doubted
        if step >= SETTLING * SWAPS and step % SWAPS == 0:
            found.append(hand)
    return found


def given(hands: Sequence[int], card: int) -> float:
    """Average number of melds of three that a card makes in these hands."""
    return sum([not pair & ~hand for hand in hands for pair in PARTNERS[card]]) / len(hands)


def played_on(view: GinRummyView, discard: int, other: int, stock: Sequence[int]) -> int:
    """Points that the viewer wins by a discard if both play the hand on quickly.

    A quick player takes what makes a meld or allows a knock, discards the highest loose card, and knocks at once.
    stock: cards that may be drawn, the next one first.
    """
    hand, waiting, upcard, limit = other, mask(view.hand) ^ discard, discard, view.limit
    sign, drawn, taken_in_a_row = -1, 0, 0
    while drawn < view.stock_count - UNDRAWN_CARDS:
        held, kept = hand | upcard, upcard
        loose = loose_cards(held)
        if loose & upcard and not _may_knock(loose, kept, limit) or taken_in_a_row == UPCARD_TURNS_IN_A_ROW:
            held, kept = hand | stock[drawn], 0
            loose = loose_cards(held)
            drawn, taken_in_a_row = drawn + 1, -1
        taken_in_a_row += 1
        spare = highest(loose & ~kept or held & ~kept)
        hand = held ^ spare
        if _may_knock(loose, kept, limit):
            return sign * quick_showdown(hand, waiting, view.options)
        hand, waiting, upcard, sign = waiting, hand, spare, -sign
    return 0


def _may_knock(loose: int, kept: int, limit: int) -> bool:
    """Whether all loose cards but the highest are few enough points to knock with."""
    return loose.bit_count() < FEWEST_TO_WAIT and points(loose & ~highest(loose & ~kept)) <= limit


def quick_showdown(knocker: int, other: int, options: Options) -> int:
    """Points of a knocker, negative after an undercut; the other lays off what fits, close enough."""
    loose, left = loose_cards(other), best_deadwood(knocker)
    if not left:
        return points(loose) + int(options["gin_bonus"])
    melds = knocker ^ loose_cards(knocker)
    theirs = points(union(bit for bit in bits(loose) if loose_cards(melds | bit)))
    return _score(left, theirs, options)


def highest(hand: int) -> int:
    """The last card in display order, 0 of none."""
    return 1 << hand.bit_length() - 1 if hand else 0


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


# What a view tells


def other_seat(view: GinRummyView) -> int:
    assert view.seat is not None, "a bot sits at the table"
    return 1 - view.seat


def other_known(view: GinRummyView) -> int:
    """The cards that the other was seen to take and has not discarded."""
    return mask(view.known[other_seat(view)])


def unseen_by(view: GinRummyView) -> int:
    """The cards that the viewer has not seen in this hand."""
    return ALL_CARDS & ~mask(view.hand) & ~mask(view.remembered) & ~other_known(view)


def out_of_sight(view: GinRummyView) -> int:
    """The cards that the viewer does not see now, the covered discards among them."""
    return ALL_CARDS & ~mask(view.hand) & ~mask(view.discards) & ~other_known(view)


def discards(view: GinRummyView) -> list[Discard]:
    return [move for move in view.moves if isinstance(move, Discard)]


def sensible_discards(view: GinRummyView) -> list[Discard]:
    """Those of loose cards, or all if no loose card may be discarded."""
    loose, found = loose_cards(mask(view.hand)), discards(view)
    return [move for move in found if BIT[move.card] & loose] or found


def careless_discard(view: GinRummyView, slack: int, rng: Random) -> Discard:
    """One of the discards that leave the least, or up to `slack` points more."""
    left = {move: deadwood_after(view, move) for move in discards(view)}
    return rng.choice([move for move in left if left[move] <= min(left.values()) + slack])


def draw(view: GinRummyView, *, wants_upcard: bool) -> GinRummyMove:
    if wants_upcard and TAKE in view.moves:
        return TAKE
    return PASS if PASS in view.moves else DRAW_CARD


def showdown(view: GinRummyView) -> GinRummyMove:
    """The first showdown listed, which leaves the least."""
    return next(move for move in view.moves if isinstance(move, Showdown))


def with_upcard(view: GinRummyView) -> tuple[int, int]:
    """The viewer's hand with the upcard, and the upcard; 0 where there is none."""
    upcard = BIT.get(view.upcard or "", 0)
    return mask(view.hand) | upcard, upcard


def completes_meld(view: GinRummyView) -> bool:
    """Whether the upcard would be in a meld, with less left over than without it."""
    hand, upcard = with_upcard(view)
    return best_deadwood(hand) < best_deadwood(hand ^ upcard)


def saved_by_upcard(view: GinRummyView) -> int:
    """The deadwood that the upcard saves once another card is discarded; negative if it costs some."""
    hand, upcard = with_upcard(view)
    return best_deadwood(hand ^ upcard) - min(best_deadwood(hand ^ bit) for bit in bits(hand & ~upcard))


def wants_upcard(view: GinRummyView) -> bool:
    """Whether the upcard makes a meld, allows a knock, or saves much."""
    return completes_meld(view) or allows_knock(view) or saved_by_upcard(view) >= WORTH_TAKING


def allows_knock(view: GinRummyView) -> bool:
    hand, upcard = with_upcard(view)
    return upcard > 0 and min(best_deadwood(hand ^ bit) for bit in bits(hand & ~upcard)) <= view.limit


def outs(hand: int, unseen: int) -> int:
    """Number of unseen cards that would make or lengthen a meld that saves points."""
    now = best_deadwood(hand)
    return sum([best_deadwood(hand | bit) < now for bit in bits(unseen)])


def danger(view: GinRummyView, move: Discard, unseen: int) -> float:
    """Expected number of melds of three that a discard gives the opponent, whose hidden cards are any unseen ones."""
    return melds_given(BIT[move.card], unseen, other_known(view), view.hand_counts[other_seat(view)])


def melds_given(card: int, unseen: int, known: int, count: int) -> float:
    """Expected number of melds of three that a card makes in a hand of `count` cards, of which some are known."""
    share = (count - known.bit_count()) / unseen.bit_count()
    return sum([share ** (pair & ~known).bit_count() for pair in PARTNERS[card] if not pair & ~(known | unseen)])


# What a hand is worth after a discard


def stage(stock_count: int) -> int:
    """The stage of a hand for the tables of weights: 0 for its first draws."""
    return sum([stock_count < begin for begin in STAGES])


def worth_after(view: GinRummyView, discard: int, melds: float) -> float:
    """Estimated worth of the viewer's hand after a discard, comparable among the discards of one turn.

    melds: expected number of melds of three that it gives the other.
    """
    hand, unseen = mask(view.hand) ^ discard, unseen_by(view)
    values = (*own_features(hand, unseen), knock_chance(hand, unseen), melds)
    return sum([weight * value for weight, value in zip(WEIGHTS[stage(view.stock_count)], values, strict=True)])


def own_features(hand: int, unseen: int) -> tuple[float, ...]:
    """What the worth of ten cards is estimated from, in the order of the tables of weights.

    One, the deadwood, the number of loose cards; the pairs of unseen cards, and of a loose and an unseen card, that
    make a meld of three with a loose card.
    """
    loose = loose_cards(hand)
    pairs = [pair for bit in bits(loose) for pair in PARTNERS[bit] if not pair & ~(unseen | loose)]
    counts = Counter([(pair & unseen).bit_count() for pair in pairs])
    return 1.0, points(loose), loose.bit_count(), counts[2], counts[1] / 2


def knock_chance(hand: int, unseen: int) -> float:
    """The chance to be able to knock with ten after the next draw, close enough."""
    helpful, loose = unseen & completing(hand), loose_cards(hand)
    chances = sum([_may_knock(loose_cards(hand | bit), 0, KNOCK_LIMIT) for bit in bits(helpful)])
    if loose.bit_count() < FEWEST_TO_WAIT - 1:
        chances += sum([_may_knock(loose | bit, 0, KNOCK_LIMIT) for bit in bits(unseen ^ helpful)])
    return chances / unseen.bit_count()


# Ending a hand


def best_ending(view: GinRummyView) -> Ending | None:
    """Big gin, else the knock that leaves least, else None."""
    endings = [move for move in view.moves if isinstance(move, Knock | BigGin)]
    return next((move for move in endings if isinstance(move, BigGin)), endings[0] if endings else None)


def deadwood_after(view: GinRummyView, move: Discard | Ending) -> int:
    """The deadwood of a discard's best grouping, or of the grouping that a knock announces."""
    hand = mask(view.hand)
    if isinstance(move, Discard):
        return best_deadwood(hand ^ BIT[move.card])
    discard = BIT[move.card] if isinstance(move, Knock) else 0
    return points(hand & ~discard & ~union(map(mask, move.melds)))


def knock_gain(view: GinRummyView, move: Knock, other: int) -> int:
    """Score of a knock without gin against a hand, negative if it is undercut."""
    return _score(deadwood_after(view, move), best_defence(other, map(mask, move.melds)).deadwood, view.options)


def _score(mine: int, theirs: int, options: Options) -> int:
    """Points of a knocker without gin."""
    if mine < theirs:
        return theirs - mine
    if mine == theirs and not options["undercut_on_tie"]:
        return 0
    return theirs - mine - int(options["undercut_bonus"])


# What speaks for a move


def reason(view: GinRummyView, move: GinRummyMove) -> Reason:
    match move:
        case Knock() | BigGin():
            text, rule = _for_ending(view, move)
        case Discard():
            text, rule = _for_discard(view, move), "deadwood"
        case Showdown():
            text, rule = _for_showdown(view, move)
        case _ if move == TAKE:
            text, rule = _for_upcard(view)
        case _:
            text, rule = _for_stock(view), "turn-draw"
    return Reason(text, f"gin-rummy:{rule}")


def _points(count: int) -> str:
    return f"{count} point{'' if count == 1 else 's'}"


def _for_upcard(view: GinRummyView) -> tuple[str, str]:
    hand, upcard = with_upcard(view)
    now = best_deadwood(hand ^ upcard)
    left = min(best_deadwood(hand ^ bit) for bit in bits(hand & ~upcard))
    meld = next((meld for meld in best_grouping(hand) if meld & upcard), 0)
    lead = f"With it {' '.join(cards(meld))} are a meld" if meld else f"{CARD[upcard]} is in no meld yet"
    text = f"{lead}; after a discard you keep {left} of deadwood, and {now} without it."
    if left <= view.limit:
        return f"{text} You may knock with {view.limit} or less.", "knock-limit"
    return text, "deadwood"


def _for_stock(view: GinRummyView) -> str:
    unseen, hand = out_of_sight(view), mask(view.hand)
    lead = ""
    if TAKE in view.moves and not completes_meld(view):
        lead = f"{view.upcard} makes no meld with your cards. "
    helps = outs(hand, unseen)
    odds = f"{helps or 'None'} of the {unseen.bit_count()} cards that you cannot see would lower your deadwood"
    return f"{lead}{odds} of {best_deadwood(hand)}."


def _for_discard(view: GinRummyView, move: Discard) -> str:
    hand, bit = mask(view.hand), BIT[move.card]
    left = best_deadwood(hand ^ bit)
    is_least = left == min(deadwood_after(view, other) for other in discards(view))
    facts = [f"You keep {_points(left)} of deadwood{', the least you can' if is_least else ''}"]
    before = best_deadwood(hand)
    if left > before:
        facts.append(f"That breaks up a meld with {move.card}")
    elif before == left + points(bit):
        kept = [pair for pair in PARTNERS[bit] if pair & hand]
        facts.append(f"{move.card} is in no meld" + ("" if kept else ", and nothing in your hand goes with it"))
    if danger(view, move, out_of_sight(view)) == 0:
        facts.append("The other player cannot make a new meld with it")
    return f"{'. '.join(facts)}."


def _for_ending(view: GinRummyView, move: Ending) -> tuple[str, str]:
    if isinstance(move, BigGin):
        return f"All eleven cards are in melds, for a bonus of {_points(int(view.options['big_gin']))}.", "big-gin"
    left = deadwood_after(view, move)
    if left == 0:
        bonus = _points(int(view.options["gin_bonus"]))
        return f"No deadwood is left: nothing can be laid off, and gin brings {bonus} more.", "score-gin"
    fewer = f"{left} or less" if view.options["undercut_on_tie"] else f"less than {left}"
    text = f"You are left with {_points(left)}; the limit is {view.limit}. Only a hand of {fewer} can undercut you."
    return text, "score-undercut"


def _for_showdown(view: GinRummyView, move: Showdown) -> tuple[str, str]:
    assert view.knock is not None, "a showdown follows a knock"
    left, theirs = _left_open(view, move), points(mask(view.knock.deadwood))
    least = min(_left_open(view, other) for other in view.moves if isinstance(other, Showdown))
    remark = ", the least you can" if left == least else ""
    text = f"It leaves you {_points(left)}{remark}; the knocker has {theirs}."
    return text, "layoff" if move.layoffs else "defence-melds"


def _left_open(view: GinRummyView, move: Showdown) -> int:
    """The deadwood of a hand after its melds and lay-offs."""
    laid = mask(card for card, _meld in move.layoffs)
    return points(mask(view.hand) & ~union(map(mask, move.melds)) & ~laid)
