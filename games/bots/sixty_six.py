"""House bots of Sixty-Six.

First steps takes rich tricks and shows its marriages, but plays many a card just so and is slow to notice its 66. Club
counts, keeps trumps, aces and marriages for later, and closes when the rest is sure. Strong deals the unseen cards many
times, plays every move out with Club's habits, and searches the last tricks to the end.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from random import Random

from games.bots import Reason
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
    PACK,
    PLAIN_MARRIAGE,
    POINTS,
    RANKS,
    TRUMP_MARRIAGE,
    Call,
    Lay,
    Marry,
    Phase,
    SixtySixMove,
    pair_of,
)
from games.engines.sixty_six.scoring import GOAL
from games.engines.sixty_six.state import SixtySixState
from games.engines.sixty_six.view import SixtySixView

# What a card is worth as long as one keeps it, beside its points.
KEEP_TRUMP = {"A": 9.0, "T": 8.0, "K": 7.0, "Q": 7.0, "J": 5.0, "9": 4.0}
KEEP_PLAIN = {"A": 6.0, "T": 3.0, "K": 2.0, "Q": 2.0, "J": 0.0, "9": 0.0}
KEEP_PAIR = 14.0


@dataclass(frozen=True, slots=True)
class Eyes:
    """Knowledge needed to choose a card. unseen: cards that may be in the opponent's hand."""

    moves: Sequence[SixtySixMove]
    hand: Sequence[Card]
    led: Card | None
    trump: str
    is_open: bool
    unseen: Collection[Card]

    @classmethod
    def of(cls, view: SixtySixView) -> "Eyes":
        assert view.seat is not None, "a bot sits at the table"
        moves = [move for move in view.moves if isinstance(move, Lay | Marry | Call)]
        gone = {*view.hand, *view.memory.won[0], *view.memory.won[1], view.led, view.upcard, view.memory.turned_down}
        unseen = [card for card in PACK if card not in gone]
        return cls(moves, view.hand, view.led, view.trump, view.is_open, unseen)

    @classmethod
    def of_state(cls, state: SixtySixState, seat: int) -> "Eyes":
        """The same for a seat of a sampled game."""
        unseen = (*state.hands[1 - seat], *state.stock)
        return cls(state.legal_moves(seat), state.hands[seat], state.led, state.trump, state.is_open, unseen)


# Habits: what a sensible player does without much thought


def keeping_worth(card: Card, eyes: Eyes) -> float:
    """Cost of giving a card away, apart from its points."""
    if card[0] in "KQ" and ("Q" if card[0] == "K" else "K") + card[1] in eyes.hand and eyes.is_open:
        return KEEP_PAIR * (2 if card[1] == eyes.trump else 1)
    return KEEP_TRUMP[card[0]] if card[1] == eyes.trump else KEEP_PLAIN[card[0]]


def is_master(card: Card, eyes: Eyes) -> bool:
    """Whether no unseen card can beat it if it is led, where suit must be followed."""
    return not any(beats(other, card, RANKS, eyes.trump) for other in eyes.unseen) or (
        any(other[1] == card[1] for other in eyes.unseen)
        and not any(beats(other, card, RANKS) for other in eyes.unseen)
    )


def best_lead(cards: Sequence[Card], eyes: Eyes) -> Card:
    """The lead. Open stock: a cheap card. Closed: unbeatable cards, trumps first; else a cheap card."""
    if not eyes.is_open:
        masters = [card for card in cards if is_master(card, eyes)]
        if masters:
            return max(masters, key=lambda card: (card[1] == eyes.trump, POINTS[card[0]]))
    return min(cards, key=lambda card: POINTS[card[0]] + keeping_worth(card, eyes))


def best_answer(cards: Sequence[Card], eyes: Eyes) -> Card:
    """The card that gains most, less its value later."""
    led = eyes.led
    assert led is not None, "somebody has led"

    def gain(card: Card) -> float:
        at_stake = POINTS[led[0]] + POINTS[card[0]]
        return (at_stake if beats(card, led, RANKS, eyes.trump) else -at_stake) - keeping_worth(card, eyes)

    return max(cards, key=gain)


def simple_move(eyes: Eyes) -> SixtySixMove:
    """A move without a claim or a closing."""
    if DRAW in eyes.moves:
        return DRAW
    if END in eyes.moves:
        return END
    if EXCHANGE in eyes.moves:
        return EXCHANGE
    marriages = [move for move in eyes.moves if isinstance(move, Marry)]
    if marriages:
        return max(marriages, key=lambda move: move.suit == eyes.trump)
    cards = [move.card for move in eyes.moves if isinstance(move, Lay)]
    return Lay(best_lead(cards, eyes) if eyes.led is None else best_answer(cards, eyes))


def has_won(view: SixtySixView) -> bool:
    """Whether a claim would be right, by an exact count."""
    assert view.seat is not None, "a bot sits at the table"
    return view.tricks[view.seat] > 0 and view.memory.points[view.seat] >= GOAL


def sure_points(view: SixtySixView) -> int:
    """Points that closing is sure to add: marriages, and the cards that the opponent cannot beat."""
    eyes = Eyes.of(view)
    held = [move.suit for move in view.moves if isinstance(move, Marry)]
    married = sum(TRUMP_MARRIAGE if suit == view.trump else PLAIN_MARRIAGE for suit in held)
    return married + sum(POINTS[card[0]] for card in view.hand if is_master(card, eyes))


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
        return simple_move(Eyes.of(view))


class Club:
    def choose(self, view: SixtySixView, rng: Random) -> SixtySixMove:
        assert view.seat is not None, "a bot sits at the table"
        if has_won(view):
            return CLAIM
        if CLOSE in view.moves and view.memory.points[view.seat] + sure_points(view) >= GOAL:
            return CLOSE
        return simple_move(Eyes.of(view))


@dataclass(frozen=True, slots=True)
class Strong:
    """worlds: how often it deals the unseen cards. searched: hands up to this size are searched to the end."""

    worlds: int = 24
    searched: int = 4

    def choose(self, view: SixtySixView, rng: Random) -> SixtySixMove:
        assert view.seat is not None, "a bot sits at the table"
        if has_won(view):
            return CLAIM
        choices = [move for move in Eyes.of(view).moves if move != CLAIM]
        if EXCHANGE in choices:
            return EXCHANGE
        if len(choices) == 1:
            return choices[0]
        seat = view.seat
        if not view.stock_count:
            return best_of(choices, seat, [SIXTY_SIX.sample(view, rng)], searched)
        worlds = [SIXTY_SIX.sample(view, rng) for _ in range(self.worlds)]
        is_short = view.closed_by is not None and max(view.hand_counts) <= self.searched
        return best_of(choices, seat, worlds, searched if is_short else played_out)


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


# Looking ahead in imagined games

Judge = Callable[[SixtySixState, int], float]


def best_of(choices: Sequence[SixtySixMove], seat: int, worlds: Sequence[SixtySixState], judge: Judge) -> SixtySixMove:
    """The move after which the judge gives the seat most, over all worlds."""
    gains = {}
    for move in choices:
        gains[move] = 0.0
        for world in worlds:
            after = world.copy()
            after.play(seat, move)
            gains[move] += judge(after, seat)
    return max(gains, key=gains.__getitem__)


def hand_points(state: SixtySixState, seat: int, hands: int) -> float | None:
    """Game points of the seat for the hand, None while it goes on."""
    if len(state.results) == hands:
        return None
    points = state.results[-1].points
    return points[seat] - points[1 - seat]


def played_out(state: SixtySixState, seat: int) -> float:
    """Game points of the hand if both play by the simple rules and claim as soon as they may."""
    hands = len(state.results)
    while (result := hand_points(state, seat, hands)) is None:
        mover = state.to_act[0]
        can_claim = state.tricks[mover] and state.points[mover] >= GOAL
        state.play(mover, CLAIM if can_claim else simple_move(Eyes.of_state(state, mover)))
    return result


def worth_trying(view: SixtySixView) -> Sequence[Move]:
    """The moves that may be right; none where the strong bot is exact: once the stock is used up or 66 are won."""
    if has_won(view) or not view.stock_count:
        return []
    return [move for move in view.moves if move != CLAIM]


class Playouts:
    """Quick way to play a hand on, by simple rules."""

    def outcome(self, world: SixtySixState, move: SixtySixMove) -> float:
        after, seat = world.copy(), world.to_act[0]
        after.play(seat, move)
        return played_out(after, seat)


def searched(state: SixtySixState, seat: int, low: float = -99.0, high: float = 99.0) -> float:
    """Exact search: game points of the hand with best play, once no more cards are drawn."""
    return best_line(state, seat, len(state.results), low, high)


def best_line(state: SixtySixState, seat: int, hands: int, low: float, high: float) -> float:
    result = hand_points(state, seat, hands)
    if result is not None:
        return result
    mover = state.to_act[0]
    can_claim = state.tricks[mover] and state.points[mover] >= GOAL
    moves = (CLAIM,) if can_claim else [move for move in state.legal_moves(mover) if move != CLAIM]
    best = -99.0 if mover == seat else 99.0
    for move in moves:
        after = state.copy()
        after.play(mover, move)
        found = best_line(after, seat, hands, low, high)
        if mover == seat:
            best, low = max(best, found), max(low, found)
        else:
            best, high = min(best, found), min(high, found)
        if low >= high:
            break
    return best


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
    is_least = POINTS[card[0]] == min(POINTS[other[0]] for other in others)
    remark = ", the least you can" if is_least and len(others) > 1 else ""
    can_beat = any(beats(other, led, RANKS, view.trump) for other in others)
    lead = f"You let {led} win" if can_beat else f"Nothing you can play beats {led}"
    return f"{lead}. {card} gives away {counted(POINTS[card[0]], 'point')}{remark}.", "trick-points"


def _for_lead(view: SixtySixView, card: Card) -> tuple[str, str]:
    if view.declared is not None:
        return f"You declared a marriage, so you lead {' or '.join(pair_of(view.declared))}.", "marriage-lead"
    eyes = Eyes.of(view)
    if is_master(card, eyes) and not view.is_open:
        return f"Nothing left beats {card}, and the other player must follow suit.", "strict-follow"
    is_least = POINTS[card[0]] == min(POINTS[other[0]] for other in view.hand)
    facts = [f"{card} risks {'only ' if is_least else ''}{counted(POINTS[card[0]], 'point')}"]
    if card[1] != view.trump and any(other[1] == view.trump for other in view.hand):
        facts.append("your trumps stay in your hand")
    kept = [suit for suit in "CDHS" if {*pair_of(suit)} <= {*view.hand} - {card}]
    facts += [f"{' '.join(pair_of(suit))} stay together" for suit in kept]
    rule = "open-any-card" if view.is_open else "strict-follow"
    return f"{joined(facts)}.", rule


def _for_marriage(view: SixtySixView, suit: str) -> tuple[str, str]:
    assert view.seat is not None, "a bot sits at the table"
    worth = f"{TRUMP_MARRIAGE} points in trumps" if suit == view.trump else f"{PLAIN_MARRIAGE} points"
    if not view.tricks[view.seat]:
        return f"It's worth {worth}, which count as soon as you win a trick.", "marriage-pending"
    return f"It's worth {worth} at once.", "marriage"


def _for_call(view: SixtySixView, move: SixtySixMove) -> tuple[str, str]:
    if move == CLAIM:
        if has_won(view):
            return "You have 66 points or more, and a claim wins the hand at once.", "claim-right"
        return "A claim ends the hand at once, and you don't have 66 yet.", "claim-wrong"
    if move == CLOSE:
        sure = sum(is_master(card, Eyes.of(view)) for card in view.hand)
        strength = f"{counted(sure, 'card')} of yours can't be beaten" if sure else "None of your cards is sure to win"
        return f"Nobody draws from the stock now, and you both must follow suit. {strength}.", "close-effects"
    if move == EXCHANGE:
        assert view.upcard is not None, "it lies there to be exchanged"
        gained = counted(POINTS[view.upcard[0]], "point")
        return f"{view.upcard} is a higher trump than 9{view.trump}, and counts {gained}.", "nine-exchange"
    if move == DRAW:
        return "You both draw after a trick, the winner first.", "draw-order"
    return "All tricks are played, and there is nothing left to win.", "played-out"
