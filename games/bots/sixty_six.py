"""House bots of Sixty-Six.

First steps takes rich tricks and shows its marriages, but plays many a card just so and is slow to notice its 66. Club
counts, keeps trumps, aces and marriages for later, and closes when the rest is sure. Strong deals the unseen cards many
times, plays every move out with Club's habits, and searches the last tricks to the end (`sixty_six_hands`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

from games.bots import Reason
from games.bots.sixty_six_hands import BIT, CARD, SUIT, Eyes, Line, mask, masters, sure_points
from games.core.cards import Card
from games.core.contract import Move
from games.core.tricks import beats
from games.core.words import counted, joined
from games.engines.sixty_six.game import SIXTY_SIX
from games.engines.sixty_six.moves import (
    CLAIM,
    CLOSE,
    DRAW,
    END,
    EXCHANGE,
    HAND_CARDS,
    LAY_OF,
    PACK,
    PLAIN_MARRIAGE,
    POINTS,
    RANKS,
    TRUMP_MARRIAGE,
    Lay,
    Marry,
    Phase,
    SixtySixMove,
    pair_of,
)
from games.engines.sixty_six.scoring import GOAL, PENALTY
from games.engines.sixty_six.state import SixtySixState
from games.engines.sixty_six.view import SixtySixView

SEARCHED = 3  # the last cards of an imagined hand, which are searched instead of played by habit


def eyes_of(view: SixtySixView) -> Eyes:
    """What the viewer goes by."""
    gone = {*view.hand, *view.memory.won[0], *view.memory.won[1], view.led, view.upcard, view.memory.turned_down}
    return Eyes(mask(view.hand), mask(set(PACK) - gone), SUIT[view.trump], view.is_open)


def simple_move(view: SixtySixView) -> SixtySixMove:
    """A move by habit, without a claim or a closing."""
    for call in (DRAW, END, EXCHANGE):
        if call in view.moves:
            return call
    marriages = [move for move in view.moves if isinstance(move, Marry)]
    if marriages:
        return max(marriages, key=lambda move: move.suit == view.trump)
    eyes, cards = eyes_of(view), mask(move.card for move in view.moves if isinstance(move, Lay))
    return LAY_OF[CARD[eyes.best_lead(cards) if view.led is None else eyes.best_answer(cards, BIT[view.led])]]


def has_won(view: SixtySixView) -> bool:
    """Whether a claim would be right, by an exact count."""
    assert view.seat is not None, "a bot sits at the table"
    return view.tricks[view.seat] > 0 and view.memory.points[view.seat] >= GOAL


def sure_tricks(view: SixtySixView) -> int:
    """The viewer's cards that cannot be beaten, where suit must be followed."""
    eyes = eyes_of(view)
    return masters(eyes.hand, eyes.unseen, eyes.trump)


def is_sure(view: SixtySixView) -> bool:
    """Whether the viewer's marriages and unbeatable cards make 66 once the stock is closed."""
    assert view.seat is not None, "a bot sits at the table"
    eyes = eyes_of(view)
    return view.memory.points[view.seat] + sure_points(eyes.hand, eyes.unseen, eyes.trump) >= GOAL


# Levels


class FirstSteps:
    """whim: how often it plays a card just so. slack: points above 66 that it needs to be sure at once."""

    whim = 0.3
    slack = 8

    def choose(self, view: SixtySixView, rng: Random) -> SixtySixMove:
        assert view.seat is not None, "a bot sits at the table"
        if has_won(view) and (view.memory.points[view.seat] >= GOAL + self.slack or rng.random() < 0.5):
            return CLAIM
        cards = [move for move in view.moves if isinstance(move, Lay)]
        if cards and rng.random() < self.whim:
            return rng.choice(cards)
        return simple_move(view)


class Club:
    def choose(self, view: SixtySixView, rng: Random) -> SixtySixMove:
        assert view.seat is not None, "a bot sits at the table"
        if has_won(view):
            return CLAIM
        if CLOSE in view.moves and is_sure(view):
            return CLOSE
        return simple_move(view)


@dataclass(frozen=True, slots=True)
class Strong:
    """Monte Carlo search: the move with the best average in sampled hands. worlds: how many of them."""

    worlds: int = 24

    def choose(self, view: SixtySixView, rng: Random) -> SixtySixMove:
        if has_won(view):
            return CLAIM
        choices = thoughtful(legal(view))
        if len(choices) == 1:
            return choices[0]
        is_known = not view.stock_count
        gains = dict.fromkeys(choices, 0.0)
        for _ in range(1 if is_known else self.worlds):
            world = SIXTY_SIX.sample(view, rng)
            for move in choices:
                gains[move] += gain(world, move, HAND_CARDS if is_known else SEARCHED)
        return max(gains, key=gains.__getitem__)


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


# Looking ahead in imagined games


def gain(world: SixtySixState, move: SixtySixMove, searched: int) -> float:
    """Game points that the mover gains by the hand; its last `searched` cards are played as well as can be."""
    after, seat = world.copy(), world.to_act[0]
    after.play(seat, move)
    return gain_of_hand(after, len(world.results), seat, searched)


def gain_of_hand(state: SixtySixState, hands: int, seat: int = 0, searched: int = SEARCHED) -> float:
    """Game points that the seat gains by the hand after the first `hands`, which may be over."""
    if len(state.results) == hands:
        return Line(state).gain(seat, searched)
    points = state.results[-1].points
    return points[seat] - points[1 - seat]


def sensible_moves(state: SixtySixState) -> Sequence[SixtySixMove]:
    """The moves worth trying in an imagined hand."""
    seat = state.to_act[0]
    if state.tricks[seat] and state.points[seat] >= GOAL:
        return [CLAIM]
    return [DRAW] if state.phase is Phase.AFTER else thoughtful(state.legal_moves(seat))


def thoughtful(moves: Sequence[SixtySixMove]) -> Sequence[SixtySixMove]:
    """Moves without a claim; an exchange and marriages come before a lead."""
    if EXCHANGE in moves:
        return [EXCHANGE]
    married = [card for move in moves if isinstance(move, Marry) for card in pair_of(move.suit)]
    return [move for move in moves if move != CLAIM and not (isinstance(move, Lay) and move.card in married)]


def legal(view: SixtySixView) -> tuple[SixtySixMove, ...]:
    """The viewer's moves, which are moves of Sixty-Six."""
    return cast(tuple[SixtySixMove, ...], view.moves)


def worth_trying(view: SixtySixView) -> Sequence[Move]:
    """The moves that may be right; none where the strong bot is exact: once the stock is used up or 66 are won."""
    return [] if has_won(view) or not view.stock_count else thoughtful(legal(view))


# What speaks for a move


def reason(view: SixtySixView, move: SixtySixMove) -> Reason:
    match move:
        case Lay():
            text, rule = _for_answer(view, move.card) if view.phase is Phase.FOLLOW else _for_lead(view, move.card)
        case Marry():
            text, rule = _for_marriage(view, move.suit)
        case _:
            text, rule = _for_call(view, move)
    return Reason(text, f"sixty-six:{rule}")


def _for_answer(view: SixtySixView, card: Card) -> tuple[str, str]:
    led = view.led
    assert led is not None, "somebody has led"
    others = [move.card for move in view.moves if isinstance(move, Lay)]
    if beats(card, led, RANKS, view.trump):
        gained = counted(POINTS[led[0]] + POINTS[card[0]], "point")
        return f"{card} beats {led}: you win {gained} and the lead.", "trick-points"
    points = POINTS[card[0]]
    is_least = points == min(POINTS[other[0]] for other in others)
    remark = ", the least you can" if points and is_least and len(others) > 1 else ""
    can_beat = any(beats(other, led, RANKS, view.trump) for other in others)
    lead = f"You let {led} win" if can_beat else f"Nothing you can play beats {led}"
    return f"{lead}. {card} gives away {_some(points)}{remark}.", "trick-points"


def _for_lead(view: SixtySixView, card: Card) -> tuple[str, str]:
    if view.declared is not None:
        return f"You declared a marriage, so you lead {' or '.join(pair_of(view.declared))}.", "marriage-lead"
    if not view.is_open and sure_tricks(view) & BIT[card]:
        return f"Nothing left beats {card}, and the other player must follow suit.", "strict-follow"
    points = POINTS[card[0]]
    is_least = points == min(POINTS[other[0]] for other in view.hand)
    facts = [f"{card} risks {'only ' if points and is_least else ''}{_some(points)}"]
    if card[1] != view.trump and any(other[1] == view.trump for other in view.hand):
        facts.append("your trumps stay in your hand")
    kept = [suit for suit in "CDHS" if {*pair_of(suit)} <= {*view.hand} - {card}]
    facts += [f"{' '.join(pair_of(suit))} stay together" for suit in kept]
    rule = "open-any-card" if view.is_open else "strict-follow"
    return f"{joined(facts)}.", rule


def _some(points: int) -> str:
    """Points in words: "no points", "1 point", "4 points"."""
    return counted(points, "point") if points else "no points"


def _for_marriage(view: SixtySixView, suit: str) -> tuple[str, str]:
    assert view.seat is not None, "a bot sits at the table"
    worth = f"{TRUMP_MARRIAGE} points in trumps" if suit == view.trump else f"{PLAIN_MARRIAGE} points"
    if not view.tricks[view.seat]:
        return f"It's worth {worth}, which count as soon as you win a trick.", "marriage-pending"
    return f"It's worth {worth} at once.", "marriage"


def _for_wrong_claim(view: SixtySixView) -> str:
    """What it costs, which may be less than to play on: the coach then says this in its favour."""
    assert view.seat is not None, "a bot sits at the table"
    cost = PENALTY if view.tricks[1 - view.seat] else int(view.options["trickless_penalty"])
    words = f"You don't have 66 yet, so a claim loses the hand for {counted(cost, 'game point')}."
    if view.tricks[view.seat] or cost > PENALTY:
        return words
    return f"{words} If you play on and win no trick, you can lose 3."


def _for_call(view: SixtySixView, move: SixtySixMove) -> tuple[str, str]:
    if move == CLAIM:
        if has_won(view):
            return "You have 66 points or more, and a claim wins the hand at once.", "claim-right"
        return _for_wrong_claim(view), "claim-wrong"
    if move == CLOSE:
        sure = sure_tricks(view).bit_count()
        strength = f"{counted(sure, 'card')} of yours can't be beaten" if sure else "None of your cards is sure to win"
        return f"No one draws from the stock now, and you both must follow suit. {strength}.", "close-effects"
    if move == EXCHANGE:
        assert view.upcard is not None, "it lies there to be exchanged"
        gained = counted(POINTS[view.upcard[0]], "point")
        return f"{view.upcard} is a higher trump than 9{view.trump}, and counts {gained}.", "nine-exchange"
    if move == DRAW:
        return "You both draw after a trick, the winner first.", "draw-order"
    return "All tricks are played, and there is nothing left to win.", "played-out"
