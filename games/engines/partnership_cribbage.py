"""Partnership Cribbage, four in two partnerships, and its two-seat form, ordinary six-card Cribbage.

Source: "Ultimate Book of Card Games", the end of the four-hand variation of Cribbage (who cuts and leads, who leads
after a go, one score a team, the order of the show). The rest is common Cribbage.
Rulings, where the source is silent:
- discards are made in any order and stay; the starter is the card of the deck that follows the cards dealt;
- a count ends with 31, or when the turn comes back to the player of the last card and he cannot play;
- after a go the first who was unable to play leads, as the source says; it speaks of go points only, so after
  31 the next holder of cards to the left of its player leads;
- within a team the hand nearer to the dealer's left is counted first;
- the table counts; where players count themselves, a number that is too high is put right, and with muggins the
  opponent to the left of the hand may name what was overlooked, whether or not anything was;
- the last card of a deal always pegs, so a game to 121 has at most 241 deals.

Sides are numbered like their first seats: the side of a seat is `seat % 2`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, TypeAlias, overload

from games.core.cards import Card, by_display, in_capitals, pack
from games.core.contract import (
    Choice,
    Event,
    Game,
    GameError,
    HandResult,
    IllegalMove,
    ImpossiblePosition,
    Move,
    NotYourTurn,
    Option,
    Options,
    Outcome,
    Peg,
    Phrase,
    Position,
    ScoreLine,
    Selection,
    State,
    Track,
    UnreadableMove,
    View,
    Zone,
    numbers,
    open_zone,
    switch,
)
from games.core.cribbage import FITS, MOST, VALUE, Count, Pegged, after, pegged, show, side_names, side_seats
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import SidesReader, card_list, check_cards, check_pegs
from games.core.rummy.deadwood import BIT, CARD, bits, cards, mask, union

KEPT = 4
DEALT = {2: 6, 4: 5}  # cards, by the number of seats
LAID_AWAY = {2: 2, 4: 1}
HEELS = 2
NEVER = 1000  # more than a deal can give
BEST_HAND = 29
SKUNK_LINES = {121: (90, 60), 61: (30,)}  # by target: at or below the first line one skunk, the second two


class Phase(StrEnum):
    DISCARD = "discard"
    PLAY = "play"
    SHOW = "show"
    OVER = "over"


DISCARD, PLAY, SHOW, OVER = Phase


# Moves


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Lays cards away to the crib: `D:7C,KD`. cards: in display order; build it by `Discard.of`."""

    cards: tuple[Card, ...]

    @classmethod
    def of(cls, laid: Iterable[Card]) -> Self:
        return cls(tuple(by_display(laid)))

    def __str__(self) -> str:
        return f"D:{','.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Plays a card: `7C`."""

    card: Card

    def __str__(self) -> str:
        return self.card


@dataclass(frozen=True, slots=True)
class Go(Move):
    """Holds cards, but none that fits: `GO`."""

    def __str__(self) -> str:
        return "GO"


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """What the owner says his hand or crib is worth, where players count themselves: `S 8`."""

    points: int

    def __str__(self) -> str:
        return f"S {self.points}"


@dataclass(frozen=True, slots=True)
class Muggins(Move):
    """What an opponent says was overlooked, `M 4`; `M 0` is nothing."""

    points: int

    def __str__(self) -> str:
        return f"M {self.points}"


CribbageMove: TypeAlias = Discard | Play | Go | Claim | Muggins

GO = Go()
_STUCK: tuple[CribbageMove, ...] = (GO,)
_CLAIMS: tuple[CribbageMove, ...] = tuple(map(Claim, range(BEST_HAND + 1)))
_MUGGINS: tuple[CribbageMove, ...] = tuple(map(Muggins, range(BEST_HAND + 1)))
_PLAY_OF = {bit: Play(card) for bit, card in CARD.items()}
_LOWER_HALF = (1 << 26) - 1

_TURN = ((0,), (1,), (2,), (3,))
_ALL = {2: (0, 1), 4: (0, 1, 2, 3)}
_AFTER = {seats: [[(seat + n) % seats for n in range(1, seats + 1)] for seat in range(seats)] for seats in (2, 4)}
"""By number of seats and seat: everybody clockwise, the seat itself last."""


_DISCARDS = [Discard((card,)) for card in CARD.values()]
_DISCARDS_OF_TWO = [[Discard.of({one, other}) for other in CARD.values()] for one in CARD.values()]


# What a hand holds of a part of the pack; few enough to keep them all.


@cache
def _plays(half: int) -> tuple[CribbageMove, ...]:
    return tuple(_PLAY_OF[bit] for bit in bits(half))


@cache
def _places(quarter: int) -> tuple[int, ...]:
    """The places of its cards in the pack."""
    return tuple(bit.bit_length() - 1 for bit in bits(quarter))


def _discards(hand: int, number: int) -> list[CribbageMove]:
    """Every way to lay away one or two cards."""
    found = (
        _places(hand & 0x1FFF)
        + _places(hand & 0x1FFF << 13)
        + _places(hand & 0x1FFF << 26)
        + _places(hand & 0x1FFF << 39)
    )
    if number == 1:
        return [_DISCARDS[place] for place in found]
    return [_DISCARDS_OF_TWO[one][other] for one, other in combinations(found, 2)]


# Reading moves

_CARD = r"[A2-9TJQK][CDHS]"
_MOVE = re.compile(
    rf"(?P<go>GO)"
    rf"|(?P<card>{_CARD})"
    rf"|D ?:? ?(?P<cards>{_CARD}(?:[ ,+]*{_CARD}){{0,5}})"
    rf"|(?P<word>[SM]) ?:? ?(?P<points>[0-9]{{1,2}})"
)


def read_move(text: str) -> CribbageMove:
    match = _MOVE.fullmatch(" ".join(in_capitals(text).split()))
    if match is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Cribbage. "
            "Write D:7C to lay a card away, 7C to play it, GO if no card fits."
        )
    if match["go"]:
        return GO
    if match["card"]:
        return Play(match["card"])
    if match["cards"]:
        laid = re.findall(_CARD, match["cards"])
        if len(set(laid)) < len(laid):
            raise UnreadableMove("A card can be laid away only once; name each card once.")
        return Discard.of(laid)
    points = int(match["points"])
    if points > BEST_HAND:
        raise UnreadableMove(f"No hand is worth more than {BEST_HAND}; name a number up to that.")
    return Claim(points) if match["word"] == "S" else Muggins(points)


# What pegs


@cache
def _show_order(seats: int, dealer: int, by_team: bool) -> tuple[tuple[int, bool], ...]:
    """Whose hand is counted when, and last the dealer's crib (True)."""
    order = _AFTER[seats][dealer]
    if by_team:
        order = sorted(order, key=lambda seat: seat % 2 == dealer % 2)
    return (*((seat, False) for seat in order), (dealer, True))


Line: TypeAlias = tuple[str, int]  # short id of a rule, points


class Pegging(NamedTuple):
    """Points pegged during the play. deeds: how many cards and gos of this deal came before."""

    deeds: int
    seat: int
    rule: str
    points: int


class Shown(NamedTuple):
    """A hand or crib that was counted. points: what it gave to the side of `seat`, an opponent after a muggins."""

    owner: int
    is_crib: bool
    seat: int
    points: int


@cache
def _peg_lines(gained: Pegged) -> tuple[Line, ...]:
    lines = (
        ("peg-fifteen", gained.fifteen),
        ("peg-pair", gained.pair),
        ("peg-run", gained.run),
        ("thirty-one", gained.thirty_one),
    )
    return tuple(line for line in lines if line[1])


def _show_lines(count: Count, *, is_crib: bool) -> list[Line]:
    lines = [
        ("show-fifteen", count.fifteens),
        ("show-pair", count.pairs),
        ("show-run", count.runs),
        ("crib-flush" if is_crib else "show-flush", count.flush),
        ("his-nobs", count.nobs),
    ]
    return [line for line in lines if line[1]]


def _up_to(lines: Iterable[Line], points: int) -> Iterator[Line]:
    """The lines as far as there are points for them."""
    for rule, worth in lines:
        if points:
            yield rule, min(worth, points)
            points -= min(worth, points)


_WORDS = {
    "peg-fifteen": "fifteen",
    "thirty-one": "thirty-one",
    "go-point": "the go",
    "last-card": "the last card",
    "his-heels": "his heels",
    "show-fifteen": "fifteens",
    "show-run": "runs",
    "show-flush": "a flush",
    "crib-flush": "a flush",
    "his-nobs": "his nobs",
}
_OF_A_RANK = {2: "a pair", 6: "three of a rank", 12: "four of a rank"}


def _words(rule: str, points: int) -> str:
    """What scored, in words."""
    if rule == "peg-pair":
        return _OF_A_RANK.get(points, "a pair")
    if rule == "show-pair":
        return "a pair" if points == 2 else "pairs"
    return f"a run of {points}" if rule == "peg-run" else _WORDS[rule]


# State


class CribbageState(State):
    """A game of Cribbage. Cards are the bits of `core.rummy.deadwood`, hands their unions, lists go by seat or side.

    hands: cards still held. kept: the hands as they will be counted. crib: what each seat has laid away.
    starter: 0 before it is turned. stock: the rest of the deck, next card first.
    played: the cards and gos of this deal as seat, card or 0, the count then.
    trail, count: of the count that runs, see `games.core.cribbage`.
    last: who played its last card. stuck: who said go in it, in this order. left: cards held by all.
    pegs, shown: what scored in this deal. claims: what was said of the hands where players count themselves;
    overlooked: what an opponent may name now, None if nobody is asked.
    rear: the rear pegs, by side. before: the scores when the deal began.
    """

    __slots__ = (
        "_decks", "_next_deck", "before", "claims", "count", "crib", "dealer", "hands", "kept", "last", "left",
        "options", "overlooked", "pegs", "phase", "played", "rear", "results", "scores", "seats", "shown", "starter",
        "stock", "stuck", "target", "to_act", "trail",
    )  # fmt: skip

    results: Sequence[HandResult]

    def __init__(self, seats: int, options: Options, decks: Decks, dealer: int) -> None:
        self.seats = seats
        self.options = options
        self.target = int(options["target"])
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.scores = [0, 0]
        self.rear = [0, 0]
        self.results = ()

    def clear_table(self) -> None:
        self.phase = OVER
        self.hands = [0] * self.seats
        self.kept = [0] * self.seats
        self.crib = [0] * self.seats
        self.starter = 0
        self.stock: tuple[Card, ...] = ()
        self.played: list[tuple[int, int, int]] = []
        self.pegs: list[Pegging] = []
        self.shown: list[Shown] = []
        self.claims: list[tuple[int, Claim | Muggins]] = []
        self.overlooked: int | None = None
        self.before = self.scores[:]
        self.left = 0
        self.last = 0
        self.trail = 0
        self.count = 0
        self.stuck: tuple[int, ...] = ()
        self.to_act: tuple[int, ...] = ()

    def deal_hand(self) -> None:
        """Clears the table for the next hand, which is dealt when somebody looks at it: few simulations do."""
        self.clear_table()
        self.phase = DISCARD
        self.to_act = _ALL[self.seats]

    def deal(self) -> None:
        """Deals the hand if that is still to be done: one card at a time from the dealer's left."""
        if self.phase is not DISCARD or self.stock:
            return
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        seats = self.seats
        dealt = seats * DEALT[seats]
        found = [BIT[card] for card in deck[:dealt]]
        for place, seat in enumerate(_AFTER[seats][self.dealer]):
            self.hands[seat] = sum(found[place::seats])
        self.stock = deck[dealt:]

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in CribbageState.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if type(value) is list else value)
        return twin

    def cards(self) -> list[Card]:
        self.deal()
        found = union(self.hands) | union(self.crib) | union(card for _seat, card, _count in self.played)
        return [*cards(found | self.starter), *self.stock]

    # Legal moves

    def legal_moves(self, seat: int) -> Sequence[CribbageMove]:
        if seat not in self.to_act:
            return ()
        if self.phase is PLAY:
            fitting = self.hands[seat] & FITS[self.count]
            return _plays(fitting & _LOWER_HALF) + _plays(fitting & ~_LOWER_HALF) if fitting else _STUCK
        if self.phase is DISCARD:
            self.deal()
            return _discards(self.hands[seat], LAID_AWAY[self.seats])
        return _CLAIMS if self.overlooked is None else _MUGGINS

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn(move)
        _PLAYS[type(move)](self, seat, move)

    def _discard(self, seat: int, move: Discard) -> None:
        self.deal()
        laid = mask(move.cards)
        if self.phase is not DISCARD or laid & ~self.hands[seat] or len(move.cards) != LAID_AWAY[self.seats]:
            self._refuse_discard(seat, move)
        self.hands[seat] ^= laid
        self.crib[seat] = laid
        self.to_act = tuple([other for other in self.to_act if other != seat])
        if not self.to_act:
            self.turn_up()

    def turn_up(self) -> None:
        """Turns up the starter: all cards are laid away, and the play begins."""
        self.starter, self.stock = BIT[self.stock[0]], self.stock[1:]
        self.kept = self.hands[:]
        if not (self.is_heels() and self._peg(self.dealer, (("his-heels", HEELS),))):
            self.begin_play()

    def is_heels(self) -> bool:
        return bool(self.starter) and CARD[self.starter][0] == "J"

    def begin_play(self) -> None:
        """Lets the first holder of cards from the dealer's left lead; without cards it is already the show."""
        self.left = union(self.hands).bit_count()
        if self.left:
            self.phase = PLAY
            self._lead(self._next_holder(self.dealer))
        else:
            self.begin_show()

    def _next_holder(self, seat: int) -> int:
        """The next player clockwise who still has cards; the seat itself comes last."""
        return next(other for other in _AFTER[self.seats][seat] if self.hands[other])

    def _lead(self, seat: int) -> None:
        """Starts a new count."""
        self.trail = 0
        self.count = 0
        self.stuck = ()
        self.to_act = _TURN[seat]

    def _play_card(self, seat: int, move: Play) -> None:
        bit = BIT[move.card]
        hand = self.hands[seat]
        if self.phase is not PLAY or not hand & bit & FITS[self.count]:
            self._refuse_card(seat, move.card)
        self.hands[seat] = hand ^ bit
        self.left -= 1
        self.last = seat
        self.trail = after(self.trail, bit)
        gained = pegged(self.trail)
        self.count = gained.reached
        self.played.append((seat, bit, self.count))
        if gained.points and self._peg(seat, _peg_lines(gained)):
            return
        if not self.left:
            self._end_play(seat)
        elif self.count == MOST:
            self._lead(self._next_holder(seat))
        else:
            self._pass_on(seat)

    def _go(self, seat: int, _move: Go) -> None:
        if self.phase is not PLAY or self.hands[seat] & FITS[self.count]:
            self._refuse_go(seat)
        self.stuck += (seat,)
        self.played.append((seat, 0, self.count))
        self._pass_on(seat)

    def _pass_on(self, seat: int) -> None:
        """The next player clockwise who has cards and has not said go, until the turn is back at the last card."""
        for other in _AFTER[self.seats][seat]:
            if other == self.last:
                if self.hands[other] & FITS[self.count]:
                    self.to_act = _TURN[other]
                else:
                    self._end_count()
                return
            if self.hands[other] and other not in self.stuck:
                self.to_act = _TURN[other]
                return

    def _end_count(self) -> None:
        """Nobody can play below 31."""
        if self._peg(self.last, (("go-point", 1),)):
            return
        if self.options["lead_after_go"] == "left-of-last":
            self._lead(self._next_holder(self.last))
        else:
            self._lead(self.stuck[0] if self.stuck else self.last)

    def _end_play(self, seat: int) -> None:
        """The very last card of the deal has been played."""
        if self.count == MOST or not self._peg(seat, (("last-card", 1),)):
            self.begin_show()

    def _peg(self, seat: int, lines: Iterable[Line]) -> bool:
        """Pegs for the side of a seat, up to the target; whether that ends the game."""
        side, deeds = seat % 2, len(self.played)
        score = self.rear[side] = self.scores[side]
        for rule, points in lines:
            points = min(points, self.target - score)
            if points:
                self.pegs.append(Pegging(deeds, seat, rule, points))
                score += points
        self.scores[side] = score
        if score < self.target:
            return False
        self._end_deal()
        return True

    # The show

    def show_order(self) -> tuple[tuple[int, bool], ...]:
        return _show_order(self.seats, self.dealer, self.options["show_order"] == "by-team")

    def worth(self, seat: int, is_crib: bool) -> Count:
        hand = union(self.crib) if is_crib else self.kept[seat]
        four_flush = bool(self.options["four_flush_in_hand"])
        return show(hand, self.starter, is_crib=is_crib, four_flush=four_flush)

    def begin_show(self) -> None:
        """Counts hands and crib. A position without a starter, made by hand, has no show."""
        if not self.starter:
            self._end_deal()
        elif self.options["counting"] == "auto":
            self._show_all()
        else:
            self.phase = SHOW
            self.hands = self.kept[:]
            self._ask()

    def _show_all(self) -> None:
        for seat, is_crib in self.show_order():
            if self._score_show(seat, is_crib, seat, self.worth(seat, is_crib).total):
                return
        self._end_deal()

    def _score_show(self, owner: int, is_crib: bool, seat: int, points: int) -> bool:
        """Scores a hand or crib for the side of `seat`; whether that ends the game."""
        side = seat % 2
        score = self.scores[side]
        points = min(points, self.target - score)
        self.shown.append(Shown(owner, is_crib, seat, points))
        if points:
            self.rear[side] = score
            self.scores[side] = score + points
        if score + points < self.target:
            return False
        self._end_deal()
        return True

    def counted_now(self) -> tuple[int, bool] | None:
        """The hand or crib (True) that is being counted, and its owner."""
        if self.phase is not SHOW:
            return None
        done = sum(one.owner == one.seat for one in self.shown) - (self.overlooked is not None)
        return self.show_order()[done]

    def _ask(self) -> None:
        """Asks the next owner what his cards are worth."""
        self.overlooked = None
        if self.shown and self.shown[-1].is_crib:
            self._end_deal()
        else:
            self.to_act = _TURN[self._now()[0]]

    def _now(self) -> tuple[int, bool]:
        now = self.counted_now()
        assert now is not None, "somebody counts"
        return now

    def _claim(self, seat: int, move: Claim) -> None:
        if self.phase is not SHOW or self.overlooked is not None:
            self._refuse_count()
        owner, is_crib = self._now()
        worth = self.worth(owner, is_crib).total
        self.claims.append((seat, move))
        if self._score_show(owner, is_crib, owner, min(move.points, worth)):
            return
        if self.options["counting"] == "muggins" and move.points <= worth:
            self.overlooked = worth - move.points
            self.to_act = _TURN[_AFTER[self.seats][seat][0]]
        else:
            self._ask()

    def _muggins(self, seat: int, move: Muggins) -> None:
        if self.overlooked is None:
            self._refuse_count()
        owner, is_crib = self._now()
        self.claims.append((seat, move))
        if not self._score_show(owner, is_crib, seat, min(move.points, self.overlooked)):
            self._ask()

    def _end_deal(self) -> None:
        self.results = Sheets.of(self.results, FinishedDeal(len(self.results) + 1, self))
        if max(self.scores) >= self.target:
            self.clear_table()
        else:
            self.dealer = _AFTER[self.seats][self.dealer][0]
            self.deal_hand()

    # Positions

    def restore(
        self,
        deeds: Iterable[tuple[int, CribbageMove]],
        claims: Iterable[tuple[int, CribbageMove]],
        *,
        leader: int | None,
        scores: Sequence[int],
    ) -> None:
        """Plays a deal again whose cards lie ready as when the play began; without a leader it goes to the show.

        scores: those after these deeds and claims. :raises IllegalMove: one of them could not have been made.
        """
        self.scores, self.target = [0, 0], NEVER
        self.kept = self.hands[:]
        if self.is_heels():
            self._peg(self.dealer, (("his-heels", HEELS),))
        if leader is None:
            self.begin_show()
        else:
            self.begin_play()
            self._lead(leader)
        for seat, move in (*deeds, *claims):
            self.play(seat, move)
        self.target = int(self.options["target"])
        self.before = [score - gained for score, gained in zip(scores, self.scores, strict=True)]
        self.scores = list(scores)

    # Refusals

    def _refuse_turn(self, move: Move) -> NoReturn:
        rule, message = self._why_not(move)
        raise NotYourTurn(message, rule=f"partnership-cribbage:{rule}")

    def _why_not(self, move: Move) -> tuple[str, str]:
        if self.phase is OVER:
            return "game-121", "The game is over; start another one."
        if self.phase is DISCARD:
            return "discard-final", "Your discard is made and stays; the play starts when all are in."
        if isinstance(move, Discard):
            return "discard-final", "The discards are made and stay; wait for your turn."
        if self.phase is SHOW:
            return "show-order", "Another player counts now; hands are counted in their order."
        if self.count or not self.played:
            return "turn-order", "It is another player's turn; turns go clockwise."
        if self.played[-1][2] == MOST:
            return "lead-after-31", "After 31 the next player with cards leads; wait for that card."
        return "lead-after-go", "Another player leads after this go; wait for that card."

    def _refuse_discard(self, seat: int, move: Discard) -> NoReturn:
        if self.phase is not DISCARD:
            _refuse("discard-final", "The discards are made and stay; " + self._what_now())
        number = LAID_AWAY[self.seats]
        if len(move.cards) != number:
            _refuse("crib-discard", f"Everybody lays away {_count(number, 'card')}; choose that many.")
        missing = cards(mask(move.cards) & ~self.hands[seat])
        _refuse("crib-discard", f"You do not hold {missing[0]}; lay away cards of your hand.")

    def _refuse_card(self, seat: int, card: Card) -> NoReturn:
        if self.phase is not PLAY:
            self._refuse_early_or_late()
        if not self.hands[seat] & BIT[card]:
            _refuse("turn-order", f"You do not hold {card}; " + self._what_now())
        reached, room = self.count + VALUE[BIT[card]], MOST - self.count
        _refuse("count-limit", f"{card} would take the count to {reached}; {self._within(seat, room)}")

    def _within(self, seat: int, room: int) -> str:
        return f"play a card of {room} or less." if self.hands[seat] & FITS[self.count] else "say go."

    def _refuse_go(self, seat: int) -> NoReturn:
        if self.phase is not PLAY:
            self._refuse_early_or_late()
        card = cards(self.hands[seat] & FITS[self.count])[0]
        _refuse("must-play", f"You can play {card}, so you may not say go; play a card that fits.")

    def _refuse_early_or_late(self) -> NoReturn:
        if self.phase is DISCARD:
            _refuse("crib-discard", "The play has not begun; " + self._what_now())
        _refuse("play-all", "All cards have been played; " + self._what_now())

    def _refuse_count(self) -> NoReturn:
        if self.options["counting"] == "auto":
            _refuse("auto-count", "The table counts all hands; " + self._what_now())
        _refuse("show-order", "Now is not the time for this number; " + self._what_now())

    def _what_now(self) -> str:
        if self.phase is DISCARD:
            return f"lay away {_count(LAID_AWAY[self.seats], 'card')} first."
        if self.phase is PLAY:
            return "play a card that fits, or say go if none does."
        return "name what the cards are worth." if self.overlooked is None else "name what was overlooked."

    # The end of the game

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        winner = 0 if self.scores[0] > self.scores[1] else 1
        theirs = self.scores[1 - winner]
        games = 1 + sum(theirs <= line for line in SKUNK_LINES[self.target])
        skunk = ("", ", a skunk", ", a double skunk")[games - 1]
        lines: tuple[ScoreLine, ...] = ()
        if games > 1 and self.options["skunk"]:
            counts = f"The game counts as {('two', 'three')[games - 2]}"
            lines = (ScoreLine(side_seats(winner, self.seats), "partnership-cribbage:skunk", counts, 0),)
        reason = f"{side_names(winner, self.seats)} reached {self.target} against {theirs}{skunk}."
        by_seat = tuple(self.scores[seat % 2] for seat in range(self.seats))
        return Outcome(by_seat, tuple(1 if seat % 2 == winner else 2 for seat in range(self.seats)), reason, lines)

    # Views and positions

    def view(self, seat: int | None) -> CribbageView:
        self.deal()
        now = self.counted_now()
        seats = range(self.seats)
        return CribbageView(
            seat=seat,
            seats=self.seats,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores[seat % 2] for seat in seats),
            log=tuple(self._events()),
            results=tuple(self.results),
            dealer=self.dealer,
            phase=self.phase,
            hand=() if seat is None else cards(self.hands[seat]),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            open_hands=tuple(map(cards, self.hands)) if now else (),
            laid_away=() if seat is None else cards(self.crib[seat]),
            crib_counts=tuple(laid.bit_count() for laid in self.crib),
            open_crib=cards(union(self.crib)) if now and now[1] else (),
            starter=CARD.get(self.starter),
            stock_count=len(self.stock),
            played=tuple(Deed(seat, CARD.get(card), count) for seat, card, count in self.played),
            count=self.count,
            pegs=tuple(self.pegs),
            shown=tuple(self.shown),
            claims=tuple(self.claims),
            counted_now=now,
            overlooked=self.overlooked is not None,
            rear=tuple(self.rear),
        )

    def _events(self) -> Iterator[Event]:
        """What everybody saw since the last hand ended, oldest first."""
        for result in self.results[-1:]:
            yield Event(None, Phrase("", f"Hand {result.number}: {result.summary}"))
        for seat in _AFTER[self.seats][self.dealer]:
            if self.crib[seat]:
                laid = _count(self.crib[seat].bit_count(), "card")
                yield Event(seat, Phrase("lay", f"{laid} away to the crib of @{self.dealer}"), ("crib",))
        if self.starter:
            yield Event(None, Phrase("", f"{CARD[self.starter]} is turned up"), (CARD[self.starter],))
        yield from self._table_events(0)
        for number, (seat, card, count) in enumerate(self.played, start=1):
            gained = [peg for peg in self.pegs if peg.deeds == number and peg.rule in _BY_CARD]
            yield _deed_event(seat, CARD.get(card), count, gained)
            yield from self._table_events(number)
        yield from (Event(seat, _claim_phrase(move)) for seat, move in self.claims)

    def _table_events(self, deeds: int) -> Iterator[Event]:
        """What was pegged after so many deeds by no card: his heels, a go, the last card."""
        for peg in self.pegs:
            if peg.deeds == deeds and peg.rule not in _BY_CARD:
                yield Event(None, Phrase("", f"@{peg.seat} pegs {peg.points} for {_words(peg.rule, peg.points)}"))

    def dump(self) -> Position:
        self.deal()
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(cards(hand)) for hand in self.hands],
            "crib": [list(cards(laid)) for laid in self.crib],
            "starter": CARD.get(self.starter),
            "stock": list(self.stock),
            "played": [_deed_text(Deed(seat, CARD.get(card), count)) for seat, card, count in self.played],
            "claims": [f"{seat}:{move}" for seat, move in self.claims],
            "scores": self.scores[:],
            "rear": self.rear[:],
        }


_PLAYS: Mapping[type[Move], Callable[[CribbageState, int, Any], None]] = {
    Discard: CribbageState._discard,
    Play: CribbageState._play_card,
    Go: CribbageState._go,
    Claim: CribbageState._claim,
    Muggins: CribbageState._muggins,
}


def _unreadable(rule: str, message: str) -> NoReturn:
    raise UnreadableMove(message, rule=f"partnership-cribbage:{rule}")


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"partnership-cribbage:{rule}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


# Finished deals


class FinishedDeal:
    """What is needed to write out the result of a deal, should anybody read it."""

    __slots__ = (
        "_result", "crib", "dealer", "four_flush", "gained", "hands", "number", "pegs", "seats", "shown", "starter",
    )  # fmt: skip

    def __init__(self, number: int, state: CribbageState) -> None:
        self._result: HandResult | None = None
        self.number = number
        self.seats = state.seats
        self.dealer = state.dealer
        self.starter = state.starter
        self.hands = state.kept
        self.crib = state.crib
        self.four_flush = bool(state.options["four_flush_in_hand"])
        self.pegs = state.pegs
        self.shown = state.shown
        self.gained = (state.scores[0] - state.before[0], state.scores[1] - state.before[1])

    @property
    def result(self) -> HandResult:
        if self._result is None:
            self._result = self._written()
        return self._result

    def _written(self) -> HandResult:
        sides = " and ".join(f"{gained} for {side_names(side, self.seats)}" for side, gained in enumerate(self.gained))
        return HandResult(
            number=self.number,
            summary=f"Points: {sides}.",
            points=tuple(self.gained[seat % 2] for seat in range(self.seats)),
            lines=tuple(self._lines()),
            zones=tuple(self._zones()),
        )

    def _worth(self, owner: int, is_crib: bool) -> Count:
        hand = union(self.crib) if is_crib else self.hands[owner]
        return show(hand, self.starter, is_crib=is_crib, four_flush=self.four_flush)

    def _lines(self) -> Iterator[ScoreLine]:
        for peg in self.pegs:
            text = f"@{peg.seat}: {_words(peg.rule, peg.points)}"
            yield self._line(peg.seat, peg.rule, text, peg.points)
        for one in self.shown:
            whose = f"{'Crib' if one.is_crib else 'Hand'} of @{one.owner}"
            if one.owner != one.seat:
                yield self._line(one.seat, "auto-count", f"{whose}: overlooked", one.points)
                continue
            lines = _show_lines(self._worth(one.owner, one.is_crib), is_crib=one.is_crib)
            for rule, points in _up_to(lines, one.points):
                yield self._line(one.owner, rule, f"{whose}: {_words(rule, points)}", points)

    def _line(self, seat: int, rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(side_seats(seat % 2, self.seats), f"partnership-cribbage:{rule}", text, points)

    def _zones(self) -> Iterator[Zone]:
        """All hands and the crib are open; a note says what they gave to their owner, if they were counted."""
        given = {(one.owner, one.is_crib): one.points for one in self.shown if one.owner == one.seat}
        for seat in _AFTER[self.seats][self.dealer]:
            yield self._zone(f"hand:{seat}", f"Hand of @{seat}", self.hands[seat], seat, given.get((seat, False)))
        crib = given.get((self.dealer, True))
        yield self._zone("crib", f"Crib of @{self.dealer}", union(self.crib), self.dealer, crib)
        yield self._zone("starter", "Starter", self.starter, None, None)

    def _zone(self, id: str, label: str, hand: int, owner: int | None, points: int | None) -> Zone:
        note = "" if points is None else _count(points, "point")
        return open_zone(id, "row", label, cards(hand), owner=owner, note=note)


class Sheets(Sequence[HandResult]):
    """The results of finished deals, each written out when it is first read: games that nobody watches never are."""

    __slots__ = ("_deals",)

    def __init__(self, deals: tuple[HandResult | FinishedDeal, ...]) -> None:
        self._deals = deals

    @classmethod
    def of(cls, results: Sequence[HandResult], last: FinishedDeal) -> Self:
        return cls((*(results._deals if isinstance(results, Sheets) else results), last))

    def __len__(self) -> int:
        return len(self._deals)

    @overload
    def __getitem__(self, index: int) -> HandResult: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[HandResult, ...]: ...
    def __getitem__(self, index: int | slice) -> HandResult | tuple[HandResult, ...]:
        if isinstance(index, slice):
            return tuple(_written(deal) for deal in self._deals[index])
        return _written(self._deals[index])


def _written(deal: HandResult | FinishedDeal) -> HandResult:
    return deal if isinstance(deal, HandResult) else deal.result


# View


class Deed(NamedTuple):
    """A card that was played, None for a go, and the count it reached."""

    seat: int
    card: Card | None
    reached: int


_BY_CARD = ("peg-fifteen", "peg-pair", "peg-run", "thirty-one")


def _deed_text(deed: Deed) -> str:
    return f"{deed.seat}:{deed.card or GO}"


def _for_points(count: int, points: int) -> str:
    return f"{count} for {points}" if points else str(count)


def _deed_event(seat: int, card: Card | None, count: int, gained: Sequence[Pegging]) -> Event:
    if card is None:
        return Event(seat, Phrase("say", "go"))
    said = _for_points(count, sum(peg.points for peg in gained))
    what = f" ({', '.join(_words(peg.rule, peg.points) for peg in gained)})" if gained else ""
    return Event(seat, Phrase("play", f"{card}: {said}{what}"), (card,))


def _claim_phrase(move: Claim | Muggins) -> Phrase:
    if isinstance(move, Claim):
        return Phrase("count", _count(move.points, "point"))
    return Phrase("claim", f"{_count(move.points, 'point')} that were overlooked" if move.points else "nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class CribbageView(View):
    """What a seat knows of a game of Cribbage.

    hand, laid_away: the viewer's cards and discard, () for a spectator. open_hands, open_crib: while they are counted.
    played: the whole play of this deal. count: of the count that runs, 0 at its start.
    counted_now: whose hand or crib (True) is being counted. overlooked: an opponent is asked what was overlooked.
    rear: the rear pegs, by side.
    """

    dealer: int
    phase: Phase
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    open_hands: tuple[tuple[Card, ...], ...]
    laid_away: tuple[Card, ...]
    crib_counts: tuple[int, ...]
    open_crib: tuple[Card, ...]
    starter: Card | None
    stock_count: int
    played: tuple[Deed, ...]
    count: int
    pegs: tuple[Pegging, ...]
    shown: tuple[Shown, ...]
    claims: tuple[tuple[int, Claim | Muggins], ...]
    counted_now: tuple[int, bool] | None
    overlooked: bool
    rear: tuple[int, ...]

    @property
    def this_count(self) -> tuple[Deed, ...]:
        """The cards and gos of the count that runs or, before its first card, of the one that has just ended."""
        leads = [place for place, deed in enumerate(self.played) if deed.card and deed.reached == VALUE[BIT[deed.card]]]
        return self.played[leads[-1] :] if leads else ()

    @property
    def leader(self) -> int | None:
        """Who led the first card of the deal or is to lead it, None in a show without a play."""
        if self.played:
            return self.played[0].seat
        return self.to_act[0] if self.phase is PLAY else None

    @property
    def trail(self) -> int:
        """The count that runs in the form of `games.core.cribbage`."""
        trail = 0
        for deed in self.this_count if self.count else ():
            trail = after(trail, BIT[deed.card]) if deed.card else trail
        return trail

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        others = [(first + n) % self.seats for n in range(self.seats - (self.seat is not None))]
        zones = [self._hand_zone(seat) for seat in others]
        if self.phase is PLAY:
            now = [deed.card for deed in self.this_count if deed.card] if self.count else []
            zones += [self._played_zone(seat, now) for seat in range(self.seats)]
            zones.append(open_zone("count", "row", "This count", now, note=str(self.count)))
        zones += self._shared_zones()
        return (*zones, *(self._hand_zone(seat) for seat in [self.seat] if seat is not None))

    def _hand_zone(self, seat: int) -> Zone:
        is_own = seat == self.seat
        label = "Your hand" if is_own else f"Hand of @{seat}"
        if self.open_hands:
            return open_zone(f"hand:{seat}", "hand" if is_own else "row", label, self.open_hands[seat], owner=seat)
        said_go = self.count and any(deed.seat == seat and not deed.card for deed in self.this_count)
        shown = self.hand if is_own else ()
        return Zone(f"hand:{seat}", "hand", label, shown, self.hand_counts[seat], seat, "said go" if said_go else "")

    def _played_zone(self, seat: int, now: Sequence[Card]) -> Zone:
        """What a seat has played in earlier counts."""
        earlier = [deed.card for deed in self.played if deed.card and deed.seat == seat and deed.card not in now]
        return open_zone(f"played:{seat}", "row", f"Played by @{seat}", earlier, owner=seat)

    def _shared_zones(self) -> list[Zone]:
        crib = Zone("crib", "row", f"Crib of @{self.dealer}", self.open_crib or self.laid_away, sum(self.crib_counts))
        if self.starter is None:
            return [Zone("stock", "stock", "Stock", (), self.stock_count), crib]
        return [Zone("stock", "pile", "Starter", (self.starter,), self.stock_count + 1), crib]

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is DISCARD:
            return f"Lay {_count(LAID_AWAY[self.seats], 'card')} away to {self._whose_crib()}."
        if self.phase is SHOW:
            return self._count_prompt()
        if self.moves == _STUCK:
            return f"The count is {self.count} and no card of yours fits: say go."
        return f"Play a card; the count is {self.count}." if self.count else "Lead a card to a new count."

    def _whose_crib(self) -> str:
        if self.dealer == self.seat:
            return "your own crib"
        partner = self.seat is not None and self.dealer % 2 == self.seat % 2
        return f"the crib of @{self.dealer}, your {'partner' if partner else 'opponent'}"

    def _count_prompt(self) -> str:
        assert self.counted_now is not None, "somebody counts"
        owner, is_crib = self.counted_now
        what = "crib" if is_crib else "hand"
        if self.overlooked:
            named = self.claims[-1][1].points
            return f"@{owner} counted {named} in the {what}. Name what was overlooked, 0 if nothing was."
        return f"Name what your {what} is worth with the starter {self.starter}."

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Play):
            gained = pegged(after(self.trail, BIT[move.card]))
            fits = gained.reached <= MOST
            rest = f"{move.card}: {_for_points(gained.reached, gained.points)}" if fits else move.card
            return Choice(move, Phrase("play", rest), (move.card,))
        if isinstance(move, Go):
            return Choice(move, Phrase("say", "go"))
        if isinstance(move, Discard):
            return Choice(move, Phrase("lay", f"{' '.join(move.cards)} away"), move.cards)
        assert isinstance(move, Claim | Muggins), f"{move!r} is a move of another game"
        return Choice(move, _claim_phrase(move))

    @property
    def offered(self) -> Sequence[Move]:
        return () if self.selection else self.moves

    @property
    def selection(self) -> Selection | None:
        """Two players mark the two cards that they lay away."""
        number = LAID_AWAY[self.seats]
        if self.phase is not DISCARD or self.seat not in self.to_act or number == 1:
            return None
        return Selection("Lay away", self.hand, number, number)

    @property
    def forced(self) -> Move | None:
        """A go and a last card: with more cards, that only one of them fits is not for the others to know."""
        return self.moves[0] if len(self.moves) == 1 and (self.moves == _STUCK or len(self.hand) == 1) else None

    @property
    def said(self) -> tuple[tuple[int, str], ...]:
        """What each player said last in this count or of his cards."""
        if self.phase is SHOW:
            return tuple({seat: _count(move.points, "point") for seat, move in self.claims}.items())
        start = len(self.played) - len(self.this_count)
        words = {}
        for number, deed in enumerate(self.this_count, start=start + 1):
            points = sum(peg.points for peg in self.pegs if peg.deeds == number and peg.rule in _BY_CARD)
            words[deed.seat] = _for_points(deed.reached, points) if deed.card else "Go"
        return tuple(words.items())

    @property
    def track(self) -> Track:
        fronts = self.scores[:2]
        pegs = (Peg(side_seats(side, self.seats), fronts[side], self.rear[side]) for side in (0, 1))
        return Track(int(self.options["target"]), tuple(pegs))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Dealer", f"@{self.dealer}"), ("Target", str(self.options["target"]))]
        return (*found, ("Count", str(self.count))) if self.phase is PLAY else tuple(found)


# The game

_PACK = pack()
_KEYS = (
    "seats", "players", "options", "dealer", "phase", "to_move", "hands", "hand", "crib", "starter", "stock", "played",
    "claims", "scores", "rear",
)  # fmt: skip
_JUST_TURNED = "starter"  # a phase that positions may name


class PartnershipCribbage(Game[CribbageState, CribbageView, CribbageMove]):
    slug: ClassVar[str] = "partnership-cribbage"
    name: ClassVar[str] = "Partnership Cribbage"
    summary: ClassVar[str] = "Peg fifteens, pairs and runs up to thirty-one, then count your hand and the crib."
    seats: ClassVar[tuple[int, ...]] = (2, 4)
    options: ClassVar[tuple[Option, ...]] = (
        numbers("target", "Target", (121, 61), default=121, help="Points that win the game."),
        Option(
            "lead_after_go",
            "Lead after a go",
            "first-unable",
            {"first-unable": "the first player who could not play", "left-of-last": "left of the last card"},
            "With two players both are the same.",
        ),
        Option(
            "show_order",
            "Order of the show",
            "by-team",
            {"by-team": "the dealer's opponents first", "clockwise": "clockwise from the dealer's left"},
            "Near the target it matters who counts first.",
        ),
        Option(
            "counting",
            "Counting",
            "auto",
            {
                "auto": "the table counts",
                "manual": "players count their own cards",
                "muggins": "and opponents may claim what was overlooked",
            },
        ),
        switch("skunk", "Skunks", default=False, help="A loser far behind loses two or three games at once."),
        switch("four_flush_in_hand", "Four-card flush", default=True, help="Whether four of a suit in a hand count."),
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return _PACK

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return (side_seats(0, seats), side_seats(1, seats))

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> CribbageState:
        return CribbageState(seats, options, decks, dealer)

    def parse(self, text: str) -> CribbageMove:
        return read_move(text)

    def attempt(self, view: CribbageView, picks: Sequence[str]) -> CribbageMove:
        """Cards to lay away or one to play, the viewer's own if there are any; none while players count."""
        named = [pick for pick in picks if pick in BIT]
        mine = [card for card in named if card in view.hand]
        number = LAID_AWAY[view.seats] if view.phase is DISCARD else 1
        if "crib" in picks and not mine and not view.open_crib and view.phase is not DISCARD:
            _unreadable("crib-blind", "Nobody looks at the crib before it is counted; go on with your own cards.")
        if view.phase is SHOW:
            _unreadable("show-five-cards", "No card is played any more: name what these are worth with the starter.")
        if view.phase is DISCARD and mine:
            return Discard.of(mine)
        if not named:
            rule = "crib-discard" if view.phase is DISCARD else "turn-order"
            deed = "lay away" if view.phase is DISCARD else "play"
            _unreadable(rule, f"Choose {_count(number, 'card')} of your hand to {deed}.")
        if len(mine) > 1:
            _unreadable("turn-order", f"You play one card at a time; choose one of {' '.join(mine)}.")
        return Play((mine or named)[0])

    def select(self, view: CribbageView, cards: Sequence[Card]) -> CribbageMove:
        if len(cards) != LAID_AWAY[view.seats]:
            raise UnreadableMove(f"Mark {_count(LAID_AWAY[view.seats], 'card')} to lay away.")
        return Discard.of(cards)

    def sample(self, view: CribbageView, rng: Random) -> CribbageState:
        """`rng` deals the cards unseen, so that every go was true and who is to play can."""
        state = CribbageState(view.seats, view.options, Decks(random_decks(_PACK, rng)), view.dealer)
        state.results = view.results
        scores = view.scores[:2]
        state.clear_table()
        if view.phase is OVER:
            state.scores = list(scores)
        else:
            _Imagined(view, rng).deal_to(state)
            if view.phase is DISCARD:
                state.phase, state.to_act = DISCARD, view.to_act
                state.scores, state.before = list(scores), list(scores)
            else:
                deeds = [(deed.seat, Play(deed.card) if deed.card else GO) for deed in view.played]
                state.restore(deeds, view.claims, leader=view.leader, scores=scores)
        state.rear = list(view.rear)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> CribbageState:
        """A position; every key may be left out.

        seats: 2 or 4 (4); `players` is the same, also among the options. options: by name.
        dealer: the last seat. phase: discard, starter (it is just being turned up), play, show (the hands are to be
        counted) or over; found from the cards where it is missing: hands of more than four are to be discarded from,
        a starter alone is just being turned, hands with a starter but neither `to_move` nor `played` are counted.
        to_move: the seat to act; in the play the first holder of cards from the dealer's left.
        hands: by seat, lists or text: the cards held, in the show the cards kept. `hand` is that of the seat to move.
        crib: by seat, or as a text, whose cards are given to the seats in order. starter: without one there is no show.
        stock: the next card first; without it all cards that lie nowhere else.
        played: the cards and gos of this deal from its first lead, `1:KH 0:GO` as a list or text.
        claims: what was said in a show where players count, `1:S 8`, `2:M 4`, as a list.
        scores, rear (the rear pegs): by side, or by seat.
        """
        loader = _Loader(self, data, _KEYS)
        return loader.load(Decks(numbered_decks(_PACK) if deals is None else deals))


class _Imagined:
    """The cards of a view, the unseen ones drawn by lot."""

    def __init__(self, view: CribbageView, rng: Random) -> None:
        self.view = view
        self.rng = rng
        played = [deed.card for deed in view.played if deed.card]
        seen = {
            *view.hand,
            *view.laid_away,
            *view.open_crib,
            *played,
            *(card for hand in view.open_hands for card in hand),
        }
        self.unseen = [card for card in _PACK if card not in seen and card != view.starter]

    def deal_to(self, state: CribbageState) -> None:
        """Hands and crib as they were when the play began; the hands still with their discards before that."""
        view = self.view
        hands = view.open_hands or self._hands()
        state.hands = [mask(hand) for hand in hands]
        if not view.open_hands:
            for deed in view.played:
                state.hands[deed.seat] |= BIT[deed.card] if deed.card else 0
        state.crib = self._crib()
        state.starter = BIT.get(view.starter or "", 0)
        self.rng.shuffle(self.unseen)
        state.stock = tuple(self.unseen)

    def _draw(self, number: int, among: Sequence[Card]) -> list[Card]:
        drawn = self.rng.sample(among, number)
        self.unseen = [card for card in self.unseen if card not in drawn]
        return drawn

    def _hands(self) -> list[Sequence[Card]]:
        """Those who hold no low cards draw first: then the others never want for cards, and every deal is as likely."""
        view, least = self.view, self._least_values()
        hands: list[Sequence[Card]] = [() for _seat in range(view.seats)]
        for seat in sorted(range(view.seats), key=lambda seat: -least[seat]):
            if seat == view.seat:
                hands[seat] = view.hand
            else:
                hands[seat] = self._hand(seat, least[seat])
        return hands

    def _hand(self, seat: int, least: int) -> list[Card]:
        number, hand = self.view.hand_counts[seat], []
        allowed = [card for card in self.unseen if VALUE[BIT[card]] >= least]
        if seat in self.view.to_act and self._has_one_that_fits(seat):
            hand = self._draw(1, [card for card in allowed if BIT[card] & FITS[self.view.count]])
        return hand + self._draw(number - len(hand), [card for card in allowed if card not in hand])

    def _has_one_that_fits(self, seat: int) -> bool:
        """The turn is back at the player of the last card, so he can play."""
        played = [deed for deed in self.view.this_count if deed.card]
        return self.view.count > 0 and played[-1].seat == seat

    def _least_values(self) -> list[int]:
        """By seat the least value that its cards can have after what it could not play."""
        least = [1] * self.view.seats
        last = Deed(0, None, 0)
        for deed in self.view.played:
            if deed.card is None:
                least[deed.seat] = max(least[deed.seat], MOST - deed.reached + 1)
                continue
            if last.reached < MOST and deed.reached == VALUE[BIT[deed.card]]:
                self._could_not_go_on(last, least)
            last = deed
        if self.view.count == 0 and last.reached < MOST:
            self._could_not_go_on(last, least)
        return least

    def _could_not_go_on(self, last: Deed, least: list[int]) -> None:
        """The count ended below 31 with this card, so its player had none that fitted."""
        if last.card:
            least[last.seat] = max(least[last.seat], MOST - last.reached + 1)

    def _crib(self) -> list[int]:
        """The viewer's own discard, and any cards for the others'."""
        view = self.view
        rest = [card for card in view.open_crib if card not in view.laid_away]
        crib = []
        for seat, number in enumerate(view.crib_counts):
            if seat == view.seat:
                crib.append(mask(view.laid_away))
            elif view.open_crib:
                crib.append(mask(rest[:number]))
                rest = rest[number:]
            else:
                crib.append(mask(self._draw(number, self.unseen)))
        return crib


class _Loader(SidesReader):
    """Reads a position. :raises ImpossiblePosition:"""

    default_seats = 4

    def load(self, decks: Decks) -> CribbageState:
        self.state = state = CribbageState(self.seats, self.options, decks, self.seat("dealer", self.seats - 1) or 0)
        state.clear_table()
        self.scores = self.numbers_by_side("scores", high=121)
        state.rear = self.numbers_by_side("rear", high=121)
        check_pegs(self.scores, state.rear)
        self.turn = self.seat("to_move", None)
        self.deeds = self._entries("played", (Play, Go))
        self.claims = self._entries("claims", (Claim, Muggins))
        self._read_cards()
        self.phase = self._phase()
        self._check_scores()
        if self.phase != OVER:
            self._check_hands()
            self._begin()
            if self.turn is not None and self.phase in (DISCARD, PLAY, SHOW) and self.turn not in state.to_act:
                raise ImpossiblePosition(f"to_move: seat {self.turn} cannot be to move; {state.to_act} would be.")
        elif any(state.hands):
            raise ImpossiblePosition("hands: a game that is over has no cards.")
        return state

    def _entries(self, key: str, kinds: tuple[type[Move], ...]) -> list[tuple[int, Any]]:
        """Seats with their moves, `1:KH`."""
        value = self.data.get(key) or []
        texts = value.split() if isinstance(value, str) else value
        if not isinstance(texts, Sequence):
            raise ImpossiblePosition(f"{key}: write a list such as 1:KH, 0:GO.")
        found = []
        for text in texts:
            seat, _, move = str(text).partition(":")
            try:
                entry = int(seat), read_move(move)
            except (ValueError, UnreadableMove):
                raise ImpossiblePosition(f"{key}: {text!r} is no seat with its move.") from None
            if entry[0] not in range(self.seats) or not isinstance(entry[1], kinds):
                raise ImpossiblePosition(f"{key}: {text!r} does not belong here.")
            found.append(entry)
        return found

    def _read_cards(self) -> None:
        state, data = self.state, self.data
        hands = self.card_lists("hands")
        if data.get("hand") is not None:
            if data.get("hands") is not None:
                raise ImpossiblePosition("hand, hands: write only one of them.")
            hands[self.turn or 0] = card_list(data["hand"], "hand")
        crib = self._crib_lists()
        starter = card_list(data.get("starter"), "starter")
        stock = card_list(data.get("stock"), "stock")
        if len(starter) > 1:
            raise ImpossiblePosition("starter: it is one card.")
        self.played = [(seat, move.card) for seat, move in self.deeds if isinstance(move, Play)]
        again = [card for _seat, card in self.played if not self.claims and str(data.get("phase")).lower() != SHOW]
        used = [*(card for zone in (*hands, *crib) for card in zone), *starter, *again]
        check_cards([*used, *stock], _PACK)
        state.hands, state.crib = [mask(hand) for hand in hands], [mask(laid) for laid in crib]
        state.starter = mask(starter)
        state.stock = tuple(stock) if data.get("stock") is not None else tuple(c for c in _FILLER if c not in used)

    def _crib_lists(self) -> list[list[Card]]:
        """By seat; cards without seats go round in seat order."""
        value = self.data.get("crib")
        is_flat = isinstance(value, str) or (isinstance(value, Sequence) and len(value) != self.seats)
        if not is_flat:
            return self.card_lists("crib")
        laid, number = card_list(value, "crib"), LAID_AWAY[self.seats]
        if len(laid) > KEPT:
            raise ImpossiblePosition("crib: it has four cards at most.")
        return [laid[seat * number : (seat + 1) * number] for seat in range(self.seats)]

    def _phase(self) -> str:
        named = self.data.get("phase")
        phase = self._likely_phase() if named is None else str(named).lower()
        if phase not in (*Phase, _JUST_TURNED):
            raise ImpossiblePosition(f"phase: choose one of {', '.join((*Phase, _JUST_TURNED))}.")
        return phase

    def _likely_phase(self) -> str:
        state = self.state
        if max(self.scores) >= state.target:
            return OVER
        if max(hand.bit_count() for hand in state.hands) > KEPT:
            return DISCARD
        if not state.starter or self.deeds or self.turn is not None:
            return PLAY
        return SHOW if any(state.hands) else _JUST_TURNED

    def _check_scores(self) -> None:
        reached = [score for score in self.scores if score >= self.state.target]
        if self.phase == OVER and (len(reached) != 1 or reached[0] > self.state.target):
            raise ImpossiblePosition("scores: a game is over when one side has reached the target.")
        if self.phase != OVER and reached:
            raise ImpossiblePosition("scores: with a side at the target the game is over.")
        self.state.scores = self.scores[:]

    def _check_hands(self) -> None:
        state = self.state
        laid_away = LAID_AWAY[self.seats]
        for seat, (hand, laid) in enumerate(zip(state.hands, state.crib, strict=True)):
            if laid.bit_count() not in (0, laid_away):
                raise ImpossiblePosition(f"crib: every seat lays away {_count(laid_away, 'card')}.")
            most = DEALT[self.seats] if self.phase == DISCARD and not laid else KEPT
            played = [card for by, card in self.played if by == seat and self.phase == PLAY]
            if hand.bit_count() + len(played) > most:
                raise ImpossiblePosition(f"hands: seat {seat} can have {most} cards now.")
        if self.claims and (self.phase != SHOW or state.options["counting"] == "auto"):
            raise ImpossiblePosition("claims: they belong to the show where players count themselves.")

    def _begin(self) -> None:
        {DISCARD: self._discard, _JUST_TURNED: self._turn_up, PLAY: self._play, SHOW: self._show}[self.phase]()

    def _discard(self) -> None:
        state, number = self.state, LAID_AWAY[self.seats]
        if self.deeds:
            raise ImpossiblePosition("played: nothing is played before the discards are in.")
        if state.starter:
            state.stock, state.starter = (CARD[state.starter], *state.stock), 0
        if not state.stock:
            raise ImpossiblePosition("stock: the starter has to come from there.")
        waiting = zip(range(self.seats), state.hands, state.crib, strict=True)
        state.to_act = tuple(seat for seat, hand, laid in waiting if hand.bit_count() >= number and not laid)
        if not state.to_act:
            raise ImpossiblePosition("hands: nobody has cards to lay away.")
        state.phase = DISCARD
        state.before = state.scores[:]

    def _turn_up(self) -> None:
        state = self.state
        if not state.starter:
            raise ImpossiblePosition("starter: the card that is turned up is missing.")
        state.stock = (CARD[state.starter], *state.stock)
        state.before = state.scores[:]
        state.turn_up()

    def _play(self) -> None:
        state = self.state
        for seat, card in self.played:
            state.hands[seat] |= BIT[card]
        if not any(state.hands):
            raise ImpossiblePosition("hands: nobody has a card to play.")
        first = next(seat for seat in _AFTER[self.seats][state.dealer] if state.hands[seat])
        leader = self.deeds[0][0] if self.deeds else first if self.turn is None else self.turn
        if not state.hands[leader]:
            raise ImpossiblePosition(f"to_move: seat {leader} has no card to lead.")
        self._restore(leader)
        if state.phase is not PLAY or not state.left or state.results:
            raise ImpossiblePosition("played: after these cards the play is over.")

    def _show(self) -> None:
        state = self.state
        if not state.starter:
            raise ImpossiblePosition("starter: hands are counted with a starter.")
        if state.options["counting"] == "auto":
            if self.deeds:
                raise ImpossiblePosition("played: where the table counts, the show needs the hands alone.")
            state.kept, state.before = state.hands[:], state.scores[:]
            state.begin_show()
            return
        self._restore(self.deeds[0][0] if self.deeds else None)
        if state.phase is not SHOW or state.results:
            raise ImpossiblePosition("phase: after this play and these claims nobody counts.")

    def _restore(self, leader: int | None) -> None:
        rear = self.state.rear[:]
        try:
            self.state.restore(self.deeds, self.claims, leader=leader, scores=self.scores)
        except GameError as error:
            raise ImpossiblePosition(f"played: {error}") from None
        self.state.rear = rear


_FILLER = next(numbered_decks(_PACK))

PARTNERSHIP_CRIBBAGE = PartnershipCribbage()
