"""House bots of Push.

First steps keeps pairs and neighbours, opens at once and adds what fits. Club counts how many cards are missing for
the contract, and throws away what costs most and helps least. Strong also looks for the way to lay a whole hand, takes
what frees a joker, and weighs what a push does to the player on the left and what a discard offers.
"""

from collections.abc import Iterable, Sequence
from random import Random

from games.bots import Reason
from games.core.cards import RANK_INDEX, Card, face, is_joker
from games.core.contract import Move
from games.core.rummy.initial_melds import fewest_gaps
from games.engines.push.game import PUSH_GAME
from games.engines.push.melds import faces, melds_of_three
from games.engines.push.moves import (
    DRAW,
    END,
    PACK,
    PLAY,
    Discard,
    End,
    LayOff,
    NewMeld,
    Open,
    PushMove,
    Swap,
    Take,
    in_hand_order,
    is_wild,
)
from games.engines.push.scoring import PENALTIES, penalty
from games.engines.push.state import PushState
from games.engines.push.view import PushView

AVERAGE_PENALTY = penalty(PACK) / len(PACK)
# A hand so small may be laid in one turn.
FEW_CARDS = 3


def fits_with(card: Card, other: Card) -> bool:
    """Whether two natural cards could be part of one meld."""
    if card[1] == other[1]:
        gap = abs(RANK_INDEX[card[0]] - RANK_INDEX[other[0]])
        return 0 < gap <= 2 or gap >= 11 and "A" in (card[0], other[0])
    return card[0] == other[0]


def count_fitting(card: Card, hand: Iterable[Card]) -> int:
    return sum(fits_with(card, other) for other in hand if other != card and not is_wild(other))


class FirstSteps:
    """Takes what fits with a card of the hand, lays what it can, and discards something that fits with nothing."""

    def choose(self, view: PushView, rng: Random) -> Move:
        if view.phase is DRAW:
            take = [move for move in view.moves if isinstance(move, Take)]
            wants = view.upcard is not None and count_fitting(view.upcard, view.hand) >= 2
            return take[0] if take and (wants or rng.random() < 0.2) else view.moves[-1]
        laying = [move for move in view.moves if not isinstance(move, Discard | Swap)]
        if laying and rng.random() < 0.8:
            return rng.choice(laying)
        discards = [move for move in view.moves if isinstance(move, Discard)]
        return min(discards, key=lambda move: self._keep(move.card, view.hand) + rng.random())

    @staticmethod
    def _keep(card: Card, hand: Sequence[Card]) -> float:
        return 9 if is_wild(card) else count_fitting(card, hand)


class Club:
    """Counts what is missing for the contract; once open, lays whatever it can."""

    def choose(self, view: PushView, rng: Random) -> Move:
        return Judgement(view).choose()


class Strong:
    """Pushes unless the upcard really helps, and looks for a way to lay the whole hand."""

    def choose(self, view: PushView, rng: Random) -> Move:
        return Insight(view, rng).choose()


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


class Judgement:
    """Move evaluation of a club player. The value of a hand is counted in missing cards.

    eager: a card is taken if it brings more than this, where a push might bring as much.
    """

    eager = 0.1

    def __init__(self, view: PushView) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.left = (view.seat + 1) % view.seats
        self.is_open = view.opened[view.seat]

    def choose(self) -> Move:
        if self.view.phase is DRAW:
            return self.draw()
        laying = [move for move in self.view.moves if not isinstance(move, Discard)]
        if laying:
            return max(laying, key=self.laying_preference)
        discards = [move for move in self.view.moves if isinstance(move, Discard)]
        return max(discards, key=lambda move: self.worth_without(move.card))

    def draw(self) -> Move:
        take, decline = self.view.moves[0], self.view.moves[-1]
        return take if isinstance(take, Take) and self.gain(take.card) > self.eager else decline

    def gain(self, card: Card) -> float:
        """Value of one more card, once the least useful other one has been discarded."""
        hand = self.view.hand
        kept = [self.worth(_without((*hand, card), out)) for out in hand]
        return max(kept, default=0) - self.worth(hand)

    def worth_without(self, card: Card) -> float:
        return self.worth(_without(self.view.hand, card)) + 0.01 * PENALTIES[card[0]]

    def worth(self, hand: tuple[Card, ...]) -> float:
        company = 0.02 * sum(count_fitting(card, hand) for card in hand if not is_wild(card))
        if self.is_open:
            return company - 0.1 * penalty(card for card in hand if not self.fits(card))
        return company - self.gaps(hand) + sum(map(is_wild, hand))

    def gaps(self, hand: tuple[Card, ...]) -> int:
        """Number of natural cards that a hand lacks for the contract, after its wild cards."""
        view = self.view
        found = fewest_gaps(view.rules, view.contract, hand, view.contract.cards)
        return view.contract.cards if found is None else found[0]

    def fits(self, card: Card) -> bool:
        """Whether a card can be laid off."""
        places = (self.view.rules.growth(meld) for _number, meld in self.view.table)
        return any(is_wild(card) or card[:2] in faces for place in places for faces in place.values())

    def laying_preference(self, move: Move) -> float:
        """Preference for laying cards: many natural ones at once first, wild ones last."""
        match move:
            case Open():
                return 100
            case NewMeld():
                return sum(1 if is_wild(card) else 10 for card in move.cards)
            case Swap():
                return 9
            case LayOff():
                return 1 if is_wild(move.card) else 8
        raise TypeError(f"{move!r} lays nothing")


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple(other for other in hand if other != card)


class Insight(Judgement):
    """Move evaluation of a strong player.

    effort: so many positions are looked at for a way to lay a hand of at most `longest` cards.
    """

    eager = 0.5
    effort = 200
    longest = 9
    breadth = 12

    def __init__(self, view: PushView, rng: Random) -> None:
        super().__init__(view)
        self.rng = rng

    def choose(self) -> Move:
        if self.is_open and self.view.phase is PLAY and 1 < len(self.view.hand) <= self.longest:
            found = self._way_out(PUSH_GAME.sample(self.view, self.rng))
            if found is not None:
                return found
        return super().choose()

    def _way_out(self, state: PushState) -> Move | None:
        """The first move of a line that lays the whole hand, or all but a card to discard."""
        self.effort -= 1
        hand = state.hands[self.seat]
        if len(hand) == 1:
            return Discard(hand[0])
        laying = [move for move in state.legal_moves(self.seat) if not isinstance(move, Discard)]
        for move in sorted(laying, key=self.laying_preference, reverse=True)[: self.breadth]:
            if self.effort <= 0:
                return None
            after = state.copy()
            after.play(self.seat, move)
            if len(after.results) > len(state.results) or self._way_out(after) is not None:
                return move
        return None

    def draw(self) -> Move:
        take, decline = self.view.moves[0], self.view.moves[-1]
        if not isinstance(take, Take):
            return decline
        if self.goes_out_with(take):
            return take
        if isinstance(decline, End):
            return decline if self._is_lighter() else take
        return take if self.gain(take.card) > self.eager + self._value_of_pushing() else decline

    def goes_out_with(self, take: Take) -> bool:
        """Whether taking the upcard lets us lay the whole hand, or all but a card to discard."""
        if not self.is_open or len(self.view.hand) >= self.longest:
            return False
        state = PUSH_GAME.sample(self.view, self.rng)
        state.play(self.seat, take)
        return self._way_out(state) is not None

    def fits(self, card: Card) -> bool:
        """Whether a card can be laid off, or frees a joker."""
        return super().fits(card) or bool(_freed_by(self.view, card))

    def _value_of_pushing(self) -> float:
        """The value to us of two cards for the player on the left: a burden if they have opened, else a help."""
        if not self.view.opened[self.left]:
            return -0.3
        return 0.8 if self.view.hand_counts[self.left] <= FEW_CARDS else 0.3

    def _is_lighter(self) -> bool:
        """Whether our side would pay less for a dead deal, unseen cards counted by their average."""
        counts = self.view.hand_counts
        ours = penalty(self.view.hand) + AVERAGE_PENALTY * counts[(self.seat + 2) % 4]
        return ours < AVERAGE_PENALTY * (counts[self.left] + counts[(self.seat + 3) % 4])

    def worth_without(self, card: Card) -> float:
        """A card that the player on the left can lay at once is a poor discard when they are nearly out."""
        is_near = self.view.opened[self.left] and self.view.hand_counts[self.left] <= FEW_CARDS
        return super().worth_without(card) - (0.5 if is_near and self.fits(card) else 0)


# What speaks for a move

LAYING = {Open: "contract-table", NewMeld: "meld-further", LayOff: "lay-off-any", Swap: "swap-joker"}


def reason(view: PushView, move: PushMove) -> Reason:
    judge = Judgement(view)
    match move:
        case Take():
            text, rule = _for_taking(judge, move.card), "draw-take"
        case Discard():
            text, rule = _for_discard(judge, move.card)
        case Open() | NewMeld() | LayOff() | Swap():
            text, rule = _for_laying(view, move)
        case End():
            text, rule = _for_ending(view), "score-dead-deal"
        case _:
            text, rule = _for_push(judge), "draw-push"
    return Reason(text, f"push:{rule}")


def _missing_cards(judge: Judgement, hand: tuple[Card, ...]) -> int:
    return max(0, judge.gaps(hand) - sum(map(is_wild, hand)))


def _in_words(missing: int) -> str:
    return f"{missing} card{'' if missing == 1 else 's'}"


def _use_of(judge: Judgement, card: Card) -> str:
    """What the upcard does at once for the viewer, in words without a full stop; "" if nothing."""
    hand = in_hand_order((*judge.view.hand, card))
    if not judge.is_open:
        missing, before = _missing_cards(judge, hand), _missing_cards(judge, judge.view.hand)
        contract = judge.view.contract.words
        if missing >= before:
            return ""
        if not missing:
            return f"With {card} you can open; without it you lack {_in_words(before)} for {contract}"
        return f"With {card} you lack {_in_words(missing)} for {contract}, without it {before}"
    if freed := _freed_by(judge.view, card):
        return f"{card} frees {freed}, which you can use at once"
    if judge.fits(card):
        return f"{card} can be added to a meld on the table"
    return _makes_meld(judge, hand, card)


def _makes_meld(judge: Judgement, hand: tuple[Card, ...], card: Card) -> str:
    """That a card of the hand makes a meld with others of it; "" if it makes none."""
    makes_meld = any(card in meld.cards for meld in melds_of_three(judge.view.rules, hand))
    return f"{card} makes a meld with cards in your hand" if makes_meld else ""


def _freed_by(view: PushView, card: Card) -> str:
    """The joker that a card frees for another meld, as "XB1 in meld 3"; "" if none."""
    for number, meld in view.table:
        shown = zip(meld.cards, faces(view.rules, meld), strict=True)
        joker = next((old for old, wanted in shown if is_joker(old) and face(card) in wanted), None)
        rest = in_hand_order((*view.hand, joker)) if joker else ()
        if (
            not is_wild(card)
            and joker
            and (
                any(view.rules.growth(other) for place, other in view.table if place != number)
                or any(joker in found.cards for found in melds_of_three(view.rules, rest))
            )
        ):
            return f"{joker} in meld {number}"
    return ""


def _uselessness(judge: Judgement, card: Card) -> str:
    if judge.is_open:
        return f"{card} neither fits a meld on the table nor makes one with your cards"
    missing = _missing_cards(judge, judge.view.hand)
    if not missing:
        return f"You can already open without {card}"
    lack = _in_words(missing)
    return f"{card} brings you no nearer to {judge.view.contract.words}: you lack {lack} with it or without it"


def _for_taking(judge: Judgement, card: Card) -> str:
    if use := _use_of(judge, card):
        return f"{use}."
    if Insight(judge.view, Random(0)).goes_out_with(Take(card)):
        return f"With {card} in your hand you can go out this turn."
    company = [other for other in judge.view.hand if not is_wild(other) and fits_with(card, other)]
    out = min(judge.view.hand, key=lambda other: -judge.worth(_without((*judge.view.hand, card), other)), default=card)
    if company and not is_wild(card):
        text = f"{card} makes no meld yet, but goes with {' '.join(company)}"
    elif penalty([out]) > penalty([card]):
        text = f"{card} costs {penalty([card])} and lets you discard {out}, which costs {penalty([out])}"
    elif END in judge.view.moves:
        return f"{_uselessness(judge, card)}; taking it only keeps the deal going. {_for_ending(judge.view)}"
    else:
        text = f"{_uselessness(judge, card)}; taking it only keeps it from @{judge.left}"
    return f"{text}."


def _for_ending(view: PushView) -> str:
    """What both sides would pay for, as far as the viewer sees it."""
    assert view.seat is not None
    left, partner, right = ((view.seat + places) % view.seats for places in (1, 2, 3))
    ours, theirs = len(view.hand) + view.hand_counts[partner], view.hand_counts[left] + view.hand_counts[right]
    return (
        f"In a dead deal both sides pay: you and @{partner} for {ours} cards (yours cost {penalty(view.hand)}), "
        f"@{left} and @{right} for {theirs}."
    )


def _for_push(judge: Judgement) -> str:
    """Why not to take the upcard, and what two more cards are to the player on the left."""
    view, left = judge.view, judge.left
    use = _use_of(judge, view.upcard) if view.upcard else ""
    text = f"{use or _uselessness(judge, view.upcard)}. " if view.upcard else ""
    if not view.opened[left]:
        return f"{text}The push gives @{left}, who isn't open, two cards that may help; you draw one instead."
    held = view.hand_counts[left]
    load = f"holds only {held} card{'' if held == 1 else 's'}" if held <= FEW_CARDS else "is open"
    return f"{text}{'But ' if use else ''}@{left} {load}: the push makes that hand two cards longer."


def _for_laying(view: PushView, move: Open | NewMeld | LayOff | Swap) -> tuple[str, str]:
    laid = move.from_hand if isinstance(move, Swap) else (move.card,) if isinstance(move, LayOff) else move.cards
    left = [card for card in view.hand if card not in laid]
    if not left:
        return "It leaves you without cards: the deal ends, and your side pays nothing.", "score-winner-side-zero"
    text = f"It takes {penalty(laid)} penalty points out of your hand, which then costs {penalty(left)}."
    return text, LAYING[type(move)]


def _for_discard(judge: Judgement, card: Card) -> tuple[str, str]:
    hand = _without(judge.view.hand, card)
    if not hand:
        return "It is your last card: the deal ends, and your side pays nothing.", "score-winner-side-zero"
    cost = f"would cost {penalty([card])}"
    if judge.is_open and (use := _makes_meld(judge, judge.view.hand, card)):
        return f"{card} {cost}, but {use}.", "score-values"
    if judge.is_open:
        fit = f"but {card} fits a meld" if judge.fits(card) else "and fits no meld"
        return f"{card} {cost}, {fit} on the table.", "score-values"
    missing, before = _missing_cards(judge, hand), _missing_cards(judge, judge.view.hand)
    if missing == before == 0:
        return f"You can open without {card}, and it {cost}.", "score-values"
    if missing == before:
        return f"{card} brings you no nearer to {judge.view.contract.words}, and {cost}.", "score-values"
    lack = f"but without it you lack {_in_words(missing)} for {judge.view.contract.words} instead of {before or 'none'}"
    return f"{card} {cost}, {lack}.", "score-values"
