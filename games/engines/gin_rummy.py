"""Gin Rummy for two: meld in the hand, knock when little is left over, or wait for gin.

Source: "Ultimate Book of Card Games", "Gin Rummy" (deal, card values, target); it breaks off there. Turn,
knock, showdown and bonuses follow the traditional rules (pagat.com), the preset `modern` the bonuses of most
apps.
Rulings, where they are silent or disagree:
- equal deadwood is an undercut, unless the option says that nobody scores;
- the grouping is part of the knock, because groupings of equal deadwood may take different lay-offs; any
  grouping within the limit is legal, and `legal_moves` lists them all, the least deadwood first;
- the defender's grouping and lay-offs are computed unless `defence` is manual: less deadwood is never worse;
- after 12 turns in a row that began with the upcard the next one begins with the stock, and after five dead
  hands in a row the game is settled as it stands, so that every game ends;
- a tie with `undercut_on_tie` off counts as a dead hand, and a dead hand is dealt again by the same dealer
  even with `next_dealer` alternate;
- a shutout under `bonus-200` is worth 200 even where the game bonus is off;
- without an upcard on the pile, which happens in positions made by hand only, a turn begins with the stock;
- only the top discard can be looked at, in the log too, unless `review_discards` is on. Cards taken from the
  pile stay known until they are discarded again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from random import Random
from typing import Any, ClassVar, NoReturn, Self, TypeAlias, cast

from games.core.cards import RANK_INDEX, Card, pack
from games.core.contract import (
    Choice,
    Event,
    Game,
    HandResult,
    IllegalMove,
    ImpossiblePosition,
    Move,
    NotYourTurn,
    Option,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    State,
    UnreadableMove,
    View,
    Zone,
    ZoneKind,
    move_that_touches,
    numbers,
    open_zone,
    switch,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import PositionReader, card_list, check_cards
from games.core.rummy.deadwood import (
    BIT,
    CARD,
    MELDS,
    PACK,
    Defence,
    all_layoffs,
    best_deadwood,
    best_defence,
    best_grouping,
    bits,
    cards,
    groupings,
    mask,
    may_fit,
    points,
    union,
)

SEATS = 2
HAND_CARDS = 10
STOCK_CARDS = 31
UNDRAWN_CARDS = 2
UPCARD_TURNS_IN_A_ROW = 12
DEAD_HANDS_IN_A_ROW = 5
SHUTOUT_BONUS = 200
MOST_CARD_POINTS = 10


class Phase(StrEnum):
    FIRST_UPCARD = "first-upcard"
    DRAW = "draw"
    DISCARD = "discard"
    SHOWDOWN = "showdown"
    OVER = "over"


FIRST_UPCARD, DRAW, DISCARD, SHOWDOWN, OVER = Phase


# Moves

Meld: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Leaves the first upcard: `P`."""

    def __str__(self) -> str:
        return "P"


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Takes the upcard: `U`."""

    def __str__(self) -> str:
        return "U"


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """Takes the top card of the stock: `D`."""

    def __str__(self) -> str:
        return "D"


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Ends the turn with a card face up: `X 9C`."""

    card: Card

    def __str__(self) -> str:
        return f"X {self.card}"


@dataclass(frozen=True, slots=True)
class Knock(Move):
    """Ends the hand with `card` face down: `K 9C: 3H-4H-5H 7C+7D+7S`; cards that are not named are deadwood.

    melds: by their lowest cards, each in display order; build it by `Knock.of`.
    """

    card: Card
    melds: tuple[Meld, ...]

    @classmethod
    def of(cls, card: Card, melds: Iterable[Iterable[Card]]) -> Self:
        return cls(card, _laid_out(melds))

    def __str__(self) -> str:
        return f"K {self.card}: {_meld_texts(self.melds)}".strip()


@dataclass(frozen=True, slots=True)
class BigGin(Move):
    """Ends the hand with eleven cards in melds and no discard: `B: meld meld meld`."""

    melds: tuple[Meld, ...]

    def __str__(self) -> str:
        return f"B: {_meld_texts(self.melds)}".strip()


@dataclass(frozen=True, slots=True)
class Showdown(Move):
    """The defender's melds and lay-offs: `S: KC+KD+KS / 8H>1 9H>1`.

    layoffs: card and the knocker's meld, from 1 by their lowest cards; in display order.
    """

    melds: tuple[Meld, ...]
    layoffs: tuple[tuple[Card, int], ...] = ()

    def __str__(self) -> str:
        layoffs = " ".join(f"{card}>{meld}" for card, meld in self.layoffs)
        return " ".join(part for part in ("S:", _meld_texts(self.melds), layoffs and "/ " + layoffs) if part)


GinRummyMove: TypeAlias = Pass | Take | Draw | Discard | Knock | BigGin | Showdown

PASS, TAKE, DRAW_CARD = Pass(), Take(), Draw()
_ANSWERS: tuple[GinRummyMove, ...] = (TAKE, PASS)
_DRAWS: tuple[GinRummyMove, ...] = (DRAW_CARD, TAKE)
_STOCK_ONLY: tuple[GinRummyMove, ...] = (DRAW_CARD,)
_DISCARD_OF = {bit: Discard(card) for bit, card in CARD.items()}
_TURN_OF = ((0,), (1,))
_TURN_AFTER = ((1,), (0,))


def _meld_text(meld: Meld) -> str:
    return ("+" if meld[0][0] == meld[-1][0] else "-").join(meld)


def _meld_texts(melds: Iterable[Meld]) -> str:
    return " ".join(map(_meld_text, melds))


def _laid_out(melds: Iterable[Iterable[Card]]) -> tuple[Meld, ...]:
    """Melds as they lie on the table: by their lowest cards, each in display order."""
    return tuple(sorted((tuple(sorted(meld, key=BIT.__getitem__)) for meld in melds), key=_places))


def _places(meld: Meld) -> list[int]:
    return [BIT[card] for card in meld]


@cache
def _quarter_discards(part: int) -> tuple[GinRummyMove, ...]:
    """The discards of the cards that a hand holds of a quarter of the pack; few enough to keep them all."""
    return tuple(_DISCARD_OF[bit] for bit in bits(part))


@cache
def _meld_cards(meld: int) -> Meld:
    return cards(meld)


@lru_cache(maxsize=4096)
def _knocks(hand: int, kept: int, limit: int) -> tuple[GinRummyMove, ...]:
    """Every knock of eleven cards within the limit: the least deadwood first, then by discard.

    kept: the upcard just taken, which cannot be the discard; 0 if there is none.
    """
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for melds in groupings(hand):
        loose = hand & ~union(melds)
        total = points(loose)
        if total - MOST_CARD_POINTS <= limit:
            lefts = [(total - points(bit), bit) for bit in bits(loose & ~kept)]
            found.extend((left, bit, melds) for left, bit in lefts if left <= limit)
    return tuple(Knock(CARD[bit], tuple(map(_meld_cards, melds))) for _left, bit, melds in sorted(found))


@lru_cache(maxsize=1024)
def _big_gins(hand: int) -> tuple[GinRummyMove, ...]:
    return tuple(BigGin(tuple(map(_meld_cards, melds))) for melds in groupings(hand) if union(melds) == hand)


@lru_cache(maxsize=256)
def _showdowns(hand: int, open_melds: tuple[int, ...]) -> tuple[GinRummyMove, ...]:
    """Every grouping of the defender with every way to lay off, the least deadwood first."""
    found = []
    for melds in groupings(hand):
        loose = hand & ~union(melds)
        for layoffs in all_layoffs(loose, open_melds):
            found.append((points(loose & ~union(layoffs)), -union(melds).bit_count(), melds, layoffs))
    return tuple(_showdown(melds, layoffs) for _left, _count, melds, layoffs in sorted(found))


def _showdown(melds: Iterable[int], layoffs: Iterable[int]) -> Showdown:
    added = {bit: meld for meld, layoff in enumerate(layoffs, start=1) for bit in bits(layoff)}
    return Showdown(tuple(map(_meld_cards, melds)), tuple((CARD[bit], added[bit]) for bit in sorted(added)))


# Reading moves

_CARD = r"[A2-9TJQK][CDHS]"
_MELD = rf"{_CARD}(?:[-+]{_CARD})*"
_MELDS = rf"(?:{_MELD}(?: {_MELD})*)?"
_LAYOFF = rf"{_CARD}>[0-9]{{1,2}}"
_MOVE = re.compile(
    rf"(?P<simple>[PUD])"
    rf"|X ?(?P<discard>{_CARD})"
    rf"|K ?(?P<knock>{_CARD}) ?:? ?(?P<melds>{_MELDS})"
    rf"|B ?:? ?(?P<big>{_MELDS})"
    rf"|S ?:? ?(?P<own>{_MELDS})(?: ?/ ?(?P<layoffs>(?:{_LAYOFF}(?: {_LAYOFF})*)?))?"
)
_SIMPLE: dict[str, GinRummyMove] = {"P": PASS, "U": TAKE, "D": DRAW_CARD}


def _read_move(text: str) -> GinRummyMove:
    tidy = " ".join(text.upper().split())
    match = _MOVE.fullmatch(re.sub(r" ?([-+>]) ?", r"\1", tidy))
    if match is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Gin Rummy. "
            "Write U, D or P to begin a turn, X 9C to discard, K 9C: 3H-4H-5H 7C+7D+7S to knock."
        )
    if match["simple"]:
        return _SIMPLE[match["simple"]]
    if match["discard"]:
        return _DISCARD_OF[BIT[match["discard"]]]
    if match["knock"]:
        return Knock.of(match["knock"], _read_melds(match["melds"]))
    if match["big"] is not None:
        return BigGin(_laid_out(_read_melds(match["big"])))
    return Showdown(_laid_out(_read_melds(match["own"])), _read_layoffs(match["layoffs"] or ""))


def _read_melds(text: str) -> list[list[Card]]:
    return [re.split("[-+]", meld) for meld in text.split()]


def _read_layoffs(text: str) -> tuple[tuple[Card, int], ...]:
    layoffs = {(laid[:2], int(laid[3:])) for laid in text.split()}
    return tuple(sorted(layoffs, key=lambda layoff: (BIT[layoff[0]], layoff[1])))


# State

Deed: TypeAlias = tuple[int, str, int]  # seat, letter of the move, and the card it showed or 0
Line: TypeAlias = tuple[str, str, int]  # short id of a rule, what it counts, points


@dataclass(frozen=True, slots=True)
class OpenKnock:
    """A knock on the table while the defender lays his hand open. `discard` is known to the knocker alone."""

    seat: int
    melds: tuple[Meld, ...]
    deadwood: tuple[Card, ...]
    discard: Card | None


class GinRummyState(State):
    """A game of Gin Rummy. Cards are the bits of `games.core.rummy.deadwood`, hands their unions.

    stock: the next card last. pile: the upcard last. known: cards that everybody saw being taken into a hand.
    taken: the upcard just taken in this turn, else 0. bar: the rule that forbids to take the upcard, or "".
    knocker, knock: the knock that waits for the defender; the knocker's hand no longer holds the discard.
    limit, doubled: the knock limit of this hand and whether its points count double.
    """

    __slots__ = (
        "_decks",
        "_next_deck",
        "bar",
        "dead_hands",
        "dealer",
        "doubled",
        "hands",
        "hands_played",
        "hands_won",
        "history",
        "knock",
        "knocker",
        "known",
        "limit",
        "options",
        "phase",
        "pile",
        "results",
        "scores",
        "seats",
        "stock",
        "taken",
        "to_act",
        "upcard_turns",
    )

    results: tuple[HandResult, ...]

    def __init__(self, options: Options, decks: Decks, dealer: int) -> None:
        self.seats = SEATS
        self.options = options
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.scores = [0] * SEATS
        self.hands_won = [0] * SEATS
        self.hands_played = 0
        self.dead_hands = 0
        self.results = ()
        self.clear_table()

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act: tuple[int, ...] = ()
        self.hands = [0] * SEATS
        self.stock: list[int] = []
        self.pile: list[int] = []
        self.history: list[Deed] = []
        self.known = 0
        self.taken = 0
        self.bar = ""
        self.upcard_turns = 0
        self.knocker = 0
        self.knock: Knock | BigGin | None = None
        self.limit = int(self.options["knock_limit"])
        self.doubled = False

    def deal_hand(self) -> None:
        """Deals the next hand: ten cards each, one at a time, then the upcard; the rest is the stock."""
        self.clear_table()
        deck = list(map(BIT.__getitem__, self._decks[self._next_deck]))
        self._next_deck += 1
        eldest = 1 - self.dealer
        dealt = SEATS * HAND_CARDS
        self.hands[eldest] = sum(deck[0:dealt:2])
        self.hands[self.dealer] = sum(deck[1:dealt:2])
        self.stock = deck[: dealt - 1 : -1]
        self.pile = [self.stock.pop()]
        self.set_limit(self.pile[0])
        self.phase = FIRST_UPCARD
        self.to_act = _TURN_OF[eldest]

    def set_limit(self, upcard: int) -> None:
        if self.options["oklahoma"]:
            self.limit = points(upcard)
            self.doubled = bool(self.options["oklahoma_spades"]) and CARD[upcard][1] == "S"

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in GinRummyState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.scores = self.scores[:]
        twin.hands_won = self.hands_won[:]
        twin.hands = self.hands[:]
        twin.stock = self.stock[:]
        twin.pile = self.pile[:]
        twin.history = self.history[:]
        return twin

    def cards(self) -> list[Card]:
        found = [card for hand in self.hands for card in cards(hand)]
        found += [CARD[bit] for bit in (*self.pile, *reversed(self.stock))]
        if isinstance(self.knock, Knock):
            found.append(self.knock.card)
        return found

    # Legal moves

    def legal_moves(self, seat: int) -> tuple[GinRummyMove, ...]:
        if seat not in self.to_act:
            return ()
        phase = self.phase
        if phase is DISCARD:
            hand = self.hands[seat]
            loose = hand ^ self.taken
            moves = (
                _quarter_discards(loose & 0x1FFF)
                + _quarter_discards(loose & 0x1FFF << 13)
                + _quarter_discards(loose & 0x1FFF << 26)
                + _quarter_discards(loose & 0x1FFF << 39)
            )
            return moves + self._endings(hand) if may_fit(hand, self.limit) else moves
        if phase is DRAW:
            return _STOCK_ONLY if self.bar else _DRAWS
        if phase is FIRST_UPCARD:
            return _ANSWERS
        return _showdowns(self.hands[seat], self._open_melds())

    def _endings(self, hand: int) -> tuple[GinRummyMove, ...]:
        knocks = _knocks(hand, self.taken, self.limit)
        return knocks + _big_gins(hand) if self.options["big_gin"] and hand.bit_count() > HAND_CARDS else knocks

    def _open_melds(self) -> tuple[int, ...]:
        """The knocker's melds that take lay-offs: none of a gin hand."""
        if self.knock is None or self.knocker_deadwood() == 0:
            return ()
        return tuple(map(mask, self.knock.melds))

    def knocker_deadwood(self) -> int:
        assert self.knock is not None, "somebody has knocked"
        return points(self.hands[self.knocker] & ~union(map(mask, self.knock.melds)))

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn()
        _PLAYS[type(move)](self, seat, move)

    def _discard(self, seat: int, move: Discard) -> None:
        bit = BIT[move.card]
        hand = self.hands[seat]
        if self.phase is not DISCARD or bit == self.taken or not hand & bit:
            self._refuse_discard(seat, bit)
        self.hands[seat] = hand ^ bit
        self.known &= ~bit
        self.taken = 0
        self.pile.append(bit)
        self.history.append((seat, "X", bit))
        if len(self.stock) <= UNDRAWN_CARDS:
            self._end_dead_hand()
        else:
            self.phase = DRAW
            self.to_act = _TURN_AFTER[seat]

    def _draw(self, seat: int, _move: Draw) -> None:
        if self.phase is not DRAW:
            self._refuse_draw()
        self.hands[seat] |= self.stock.pop()
        self.upcard_turns = 0
        self.bar = ""
        self.history.append((seat, "D", 0))
        self.phase = DISCARD

    def _take(self, seat: int, _move: Take) -> None:
        if self.bar or self.phase is not DRAW and self.phase is not FIRST_UPCARD:
            self._refuse_take()
        self.taken = bit = self.pile.pop()
        self.hands[seat] |= bit
        self.known |= bit
        self.upcard_turns += 1
        if self.upcard_turns == UPCARD_TURNS_IN_A_ROW:
            self.bar = "draw-cap"
        self.history.append((seat, "U", bit))
        self.phase = DISCARD

    def _pass(self, seat: int, _move: Pass) -> None:
        if self.phase is not FIRST_UPCARD:
            self._refuse_pass()
        self.history.append((seat, "P", 0))
        self.to_act = _TURN_AFTER[seat]
        if seat == self.dealer:
            self.bar = "first-upcard"
            self.phase = DRAW

    def _knock(self, seat: int, move: Knock) -> None:
        bit = BIT[move.card]
        if self.phase is not DISCARD or bit == self.taken or not self.hands[seat] & bit:
            self._refuse_discard(seat, bit)
        melded = self.melded(move.melds, self.hands[seat])
        if melded & bit:
            _refuse(
                "knock-discard",
                f"{move.card} goes face down, so it cannot lie in a meld too; leave it out of the melds.",
            )
        left = points(self.hands[seat] & ~melded & ~bit)
        if left > self.limit:
            _refuse(
                "knock-limit",
                f"Those groups leave {left} points; the limit is {self.limit}. You may discard instead.",
            )
        self.hands[seat] ^= bit
        self.known &= ~bit
        self.taken = 0
        self._lay_open(seat, move)

    def _big_gin(self, seat: int, move: BigGin) -> None:
        if self.phase is not DISCARD:
            _refuse("turn-draw", self._what_now().capitalize())
        if not self.options["big_gin"]:
            _refuse("big-gin", "Big gin is not played at this table; discard one card to knock.")
        melded = self.melded(move.melds, self.hands[seat])
        if melded.bit_count() <= HAND_CARDS:
            _refuse("big-gin", "Big gin needs all eleven cards in melds; discard one card to knock.")
        self.taken = 0
        self._lay_open(seat, move)

    def _lay_open(self, seat: int, move: Knock | BigGin) -> None:
        self.knocker, self.knock = seat, move
        if self.options["defence"] == "manual":
            self.phase = SHOWDOWN
            self.to_act = _TURN_AFTER[seat]
        else:
            self._score(best_defence(self.hands[1 - seat], self._open_melds()))

    def _showdown(self, seat: int, move: Showdown) -> None:
        if self.phase is not SHOWDOWN:
            _refuse("turn-draw", "Nobody has knocked; " + self._what_now())
        hand = self.hands[seat]
        melded = self.melded(move.melds, hand)
        layoffs = self._laid_off(move.layoffs, hand, melded)
        left = points(hand & ~melded & ~union(layoffs))
        self._score(Defence(tuple(map(mask, move.melds)), layoffs, left))

    # Refusals

    def _refuse_turn(self) -> NoReturn:
        message = (
            "It is the other player's turn; yours comes next."
            if self.to_act
            else "The game is over; start another one."
        )
        raise NotYourTurn(message, rule="gin-rummy:turn-draw")

    def _what_now(self) -> str:
        return {
            FIRST_UPCARD: "take the upcard or pass.",
            DRAW: "take one card first: the stock or the upcard.",
            DISCARD: "discard one card, or knock if you can.",
            SHOWDOWN: "lay your hand open: name your melds and lay-offs.",
            OVER: "start another game.",
        }[self.phase]

    def _refuse_discard(self, seat: int, bit: int) -> NoReturn:
        card = CARD[bit]
        if self.phase is not DISCARD:
            _refuse("turn-draw", self._what_now().capitalize())
        if not self.hands[seat] & bit:
            _refuse("turn-discard", f"You do not hold {card}; choose a card of your hand.")
        _refuse("no-return-upcard", f"You took {card} this turn; discard another one.")

    def _refuse_draw(self) -> NoReturn:
        if self.phase is FIRST_UPCARD:
            _refuse("first-upcard", "Take the upcard or pass; the stock comes later.")
        self._refuse_second_card()

    def _refuse_take(self) -> NoReturn:
        if self.phase is not DRAW:
            self._refuse_second_card()
        _refuse(self.bar, _BARS[self.bar])

    def _refuse_second_card(self) -> NoReturn:
        why = "The hand has ended by a knock; " if self.phase is SHOWDOWN else "You have your card for this turn; "
        _refuse("turn-draw", why + self._what_now())

    def _refuse_pass(self) -> NoReturn:
        _refuse("first-upcard", "Only the first upcard of a hand can be passed; " + self._what_now())

    def melded(self, melds: tuple[Meld, ...], hand: int) -> int:
        """The cards of announced melds. :raises IllegalMove: not held, in two melds, or no meld."""
        melded = 0
        named = [card for meld in melds for card in meld]
        for card in named:
            if not hand & BIT[card]:
                _refuse("turn-discard", f"You do not hold {card}; meld cards of your hand.")
        for card in named:
            if melded & BIT[card]:
                _refuse("meld-disjoint", f"A card can be in one meld only; choose one for {card}.")
            melded |= BIT[card]
        for meld in melds:
            if mask(meld) not in MELDS:
                _refuse_meld(meld)
        return melded

    def _laid_off(self, layoffs: tuple[tuple[Card, int], ...], hand: int, melded: int) -> tuple[int, ...]:
        """The cards added to each of the knocker's melds. :raises IllegalMove: they do not fit there."""
        assert self.knock is not None, "somebody has knocked"
        if layoffs and self.knocker_deadwood() == 0:
            _refuse("layoff-not-gin", "Nothing can be laid off against gin; count those cards as deadwood.")
        open_melds = self._open_melds()
        added = [0] * len(open_melds)
        for card, number in layoffs:
            if not hand & BIT[card]:
                _refuse("layoff", f"You do not hold {card}; lay off cards of your hand.")
            if (melded | union(added)) & BIT[card]:
                _refuse("meld-disjoint", f"A card can be in one meld only; use {card} once.")
            if not 1 <= number <= len(added):
                _refuse("layoff", f"There is no meld {number}; the knocker's melds are 1 to {len(added)}.")
            added[number - 1] |= BIT[card]
        for meld, more, shown in zip(open_melds, added, self.knock.melds, strict=False):
            if meld | more not in MELDS:
                what = f"{' '.join(cards(more))} does not fit {_meld_text(shown)}"
                _refuse("layoff", f"{what}; add a fourth of a kind or the next of a run.")
        return tuple(added)

    # The end of a hand

    def _score(self, defence: Defence) -> None:
        """Scores the knock on the table against a defence."""
        knocker, defender = self.knocker, 1 - self.knocker
        mine, theirs = self.knocker_deadwood(), defence.deadwood
        zones = self._open_zones(defence)
        if mine == 0:
            what = "Big gin" if isinstance(self.knock, BigGin) else "Gin"
            summary = f"{what} for @{knocker}, {theirs} left for @{defender}"
            self._end_hand(knocker, summary, self._gin_lines(theirs), zones)
        elif mine < theirs:
            summary = f"Knock by @{knocker} with {mine} against {theirs}"
            self._end_hand(knocker, summary, [("score-knock", f"{theirs} less {mine}", theirs - mine)], zones)
        elif mine == theirs and not self.options["undercut_on_tie"]:
            self._end_hand(None, f"Knock by @{knocker} with {mine}, a tie with @{defender}", [], zones)
        else:
            summary = f"Knock by @{knocker} with {mine}, undercut by @{defender} with {theirs}"
            self._end_hand(defender, summary, self._undercut_lines(mine, theirs), zones)

    def _gin_lines(self, theirs: int) -> list[Line]:
        is_big = isinstance(self.knock, BigGin)
        rule, name = ("big-gin", "Big gin bonus") if is_big else ("score-gin", "Gin bonus")
        bonus = self._number("big_gin" if is_big else "gin_bonus")
        return [(rule, "Deadwood of the other hand", theirs), (rule, name, bonus)]

    def _undercut_lines(self, mine: int, theirs: int) -> list[Line]:
        return [
            ("score-undercut", f"{mine} less {theirs}", mine - theirs),
            ("score-undercut", "Undercut bonus", self._number("undercut_bonus")),
        ]

    def _open_zones(self, defence: Defence) -> tuple[Zone, ...]:
        """Both hands laid open: the knocker's melds with the lay-offs, the defender's melds, what is left."""
        assert self.knock is not None, "somebody has knocked"
        knocker, defender = self.knocker, 1 - self.knocker
        melds = [mask(meld) for meld in self.knock.melds]
        layoffs = defence.layoffs or (0,) * len(melds)
        zones = [
            _meld_zone(number, f"Meld of @{knocker}", meld, knocker, laid_off=more)
            for number, (meld, more) in enumerate(zip(melds, layoffs, strict=True), start=1)
        ]
        zones += [
            _meld_zone(number, f"Meld of @{defender}", meld, defender)
            for number, meld in enumerate(defence.melds, start=len(melds) + 1)
        ]
        loose = {knocker: self.hands[knocker] & ~union(melds)}
        loose[defender] = self.hands[defender] & ~union(defence.melds) & ~union(layoffs)
        zones += [_deadwood_zone(seat, cards(hand)) for seat, hand in loose.items() if hand]
        if isinstance(self.knock, Knock):
            zones.append(open_zone("discards", "pile", f"Last discard of @{knocker}", [self.knock.card]))
        return tuple(zones)

    def _end_dead_hand(self) -> None:
        self._end_hand(None, "Only two cards are left in the stock", [], ())

    def _end_hand(self, winner: int | None, summary: str, lines: list[Line], zones: tuple[Zone, ...]) -> None:
        gained = [0] * SEATS
        if self.doubled and lines:
            total = sum(points for _rule, _text, points in lines)
            lines.append((lines[0][0], "Doubled, because the first upcard was a spade", total))
        if winner is None:
            self.dead_hands += 1
            summary += "; nobody scores."
        else:
            gained[winner] = sum(line[2] for line in lines)
            self.scores[winner] += gained[winner]
            self.hands_won[winner] += 1
            self.dead_hands = 0
            self.dealer = self._next_dealer(winner)
            summary += f"; {_count(gained[winner], 'point')} for @{winner}."
        self.hands_played += 1
        self.results += (
            HandResult(
                self.hands_played,
                summary,
                tuple(gained),
                tuple(ScoreLine((winner,), f"gin-rummy:{rule}", text, n) for rule, text, n in lines)
                if winner is not None
                else (),
                zones,
            ),
        )
        if self.is_decided():
            self.clear_table()
        else:
            self.deal_hand()

    def _next_dealer(self, winner: int) -> int:
        return {"loser": 1 - winner, "winner": winner, "alternate": 1 - self.dealer}[str(self.options["next_dealer"])]

    # The end of the game

    def _number(self, option: str) -> int:
        return int(self.options[option])

    def is_decided(self) -> bool:
        return max(self.scores) >= self._number("target") or self.dead_hands >= DEAD_HANDS_IN_A_ROW

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        if self.scores[0] == self.scores[1]:
            return self._drawn()
        winner = 0 if self.scores[0] > self.scores[1] else 1
        lines = self._bonuses(winner)
        totals = [self.scores[seat] + sum(line.points for line in lines if seat in line.seats) for seat in range(SEATS)]
        if self.scores[winner] >= self._number("target"):
            reason = f"Won by @{winner} with {self.scores[winner]} points against {self.scores[1 - winner]}"
        else:
            reason = f"Five hands in a row were dead, so the game goes to @{winner}, in the lead"
        ours, theirs = totals[winner], totals[1 - winner]
        reason += f"; with the bonuses {ours} to {theirs}, a margin of {ours - theirs}."
        return Outcome(tuple(totals), (1, 2) if winner == 0 else (2, 1), reason, tuple(lines))

    def _drawn(self) -> Outcome:
        boxes = tuple(
            ScoreLine((seat,), "gin-rummy:dead-cap", f"{_count(won, 'hand')} won, shown only", 0)
            for seat, won in enumerate(self.hands_won)
        )
        reason = "Five hands in a row were dead and the scores are equal, so the game is drawn."
        return Outcome(tuple(self.scores), (1, 1), reason, boxes)

    def _bonuses(self, winner: int) -> list[ScoreLine]:
        is_shutout = self.scores[1 - winner] == 0
        lines = []
        if is_shutout and self.options["shutout"] == "bonus-200":
            lines.append(ScoreLine((winner,), "gin-rummy:shutout", "Game bonus after a shutout", SHUTOUT_BONUS))
        elif self.options["game_bonus"]:
            lines.append(ScoreLine((winner,), "gin-rummy:game-bonus", "Game bonus", self._number("game_bonus")))
        box = self._number("box_bonus")
        for seat, won in enumerate(self.hands_won):
            if won and box:
                lines.append(
                    ScoreLine((seat,), "gin-rummy:box-bonus", f"{_count(won, 'hand')} won, {box} each", won * box)
                )
        if is_shutout and self.options["shutout"] == "double-total":
            total = self.scores[winner] + sum(line.points for line in lines if winner in line.seats)
            lines.append(ScoreLine((winner,), "gin-rummy:shutout", "Everything counts double after a shutout", total))
        return lines

    # Views and positions

    def view(self, seat: int | None) -> GinRummyView:
        history = self._public_history()
        return GinRummyView(
            seat=seat,
            seats=SEATS,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=(*_result_events(self.results), *map(_event, history), *self._knock_events()),
            results=self.results,
            dealer=self.dealer,
            phase=self.phase,
            hand=() if seat is None else cards(self.hands[seat]),
            discards=tuple(CARD[bit] for bit in (self.pile if self.options["review_discards"] else self.pile[-1:])),
            discard_count=len(self.pile),
            stock_count=len(self.stock),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            known=tuple(cards(hand & self.known) for hand in self.hands),
            taken_upcard=CARD.get(self.taken),
            upcard_turns=self.upcard_turns,
            history=tuple(map(_deed_text, history)),
            limit=self.limit,
            is_doubled=self.doubled,
            hands_won=tuple(self.hands_won),
            hands_played=self.hands_played,
            dead_hands=self.dead_hands,
            knock=self._open_knock(seat),
        )

    def _public_history(self) -> list[Deed]:
        """The deeds of this hand with the discards that can still be looked at."""
        if self.options["review_discards"]:
            return self.history
        last = max((index for index, deed in enumerate(self.history) if deed[1] in "UX"), default=0)
        return [
            (seat, letter, bit if letter != "X" or index == last else 0)
            for index, (seat, letter, bit) in enumerate(self.history)
        ]

    def _knock_events(self) -> list[Event]:
        if self.knock is None:
            return []
        melds = _meld_texts(self.knock.melds)
        left = self.knocker_deadwood()
        gin = "big gin" if isinstance(self.knock, BigGin) else "gin"
        phrase = Phrase("knock", f"with {left}: {melds}") if left else Phrase("go", f"{gin}: {melds}")
        return [Event(self.knocker, phrase, _all_cards(self.knock.melds))]

    def _open_knock(self, seat: int | None) -> OpenKnock | None:
        if self.knock is None:
            return None
        loose = self.hands[self.knocker] & ~union(map(mask, self.knock.melds))
        discard = self.knock.card if isinstance(self.knock, Knock) and seat == self.knocker else None
        return OpenKnock(self.knocker, self.knock.melds, cards(loose), discard)

    def dump(self) -> Position:
        return {
            "seats": SEATS,
            "options": dict(self.options),
            "dealer": self.dealer,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(cards(hand)) for hand in self.hands],
            "stock": [CARD[bit] for bit in reversed(self.stock)],
            "discards": [CARD[bit] for bit in self.pile],
            "taken_upcard": CARD.get(self.taken),
            "known": list(cards(self.known)),
            "upcard_turns": self.upcard_turns,
            "history": [_deed_text(deed) for deed in self.history],
            "knock": None if self.knock is None else f"{self.knocker}:{self.knock}",
            "limit": self.limit,
            "doubled": self.doubled,
            "scores": list(self.scores),
            "hands_won": list(self.hands_won),
            "hands_played": self.hands_played,
            "dead_hands": self.dead_hands,
        }


_PLAYS: Mapping[type[Move], Callable[[GinRummyState, int, Any], None]] = {
    Pass: GinRummyState._pass,
    Take: GinRummyState._take,
    Draw: GinRummyState._draw,
    Discard: GinRummyState._discard,
    Knock: GinRummyState._knock,
    BigGin: GinRummyState._big_gin,
    Showdown: GinRummyState._showdown,
}


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"gin-rummy:{rule}")


def _refuse_meld(meld: Meld) -> NoReturn:
    """Refuses cards that are neither set nor run by the rule that they miss."""
    text = _meld_text(meld)
    ranks = {RANK_INDEX[card[0]] for card in meld}
    if len(ranks) < len(meld) or len(meld) == 1:
        _refuse("meld-set", f"{text} is no set; a set is three or four cards of one rank.")
    if len({card[1] for card in meld}) == 1 and _wraps(ranks):
        _refuse(
            "card-order",
            f"{text} is no run; the ace is low only, so end the run at the king or begin it with the ace.",
        )
    _refuse("meld-run", f"{text} is no run; a run is three or more cards of one suit in sequence.")


def _wraps(ranks: set[int]) -> bool:
    """Whether ranks follow one another only if the ace comes after the king."""
    return {0, 12} <= ranks and len(ranks) > 2 and sum((rank + 1) % 13 not in ranks for rank in ranks) == 1


_BARS = {
    "first-upcard": "Both players passed, so this first turn starts from the stock.",
    "draw-cap": f"The upcard was taken {UPCARD_TURNS_IN_A_ROW} times in a row; draw from the stock now.",
    "turn-draw": "The discard pile is empty; draw from the stock.",
}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


# View

_LETTER_PHRASES = {
    "P": ("pass", ""),
    "D": ("draw", "from the stock"),
    "U": ("take", "the upcard {}"),
    "X": ("discard", "{}"),
}
_LETTER_TOUCHES = {"P": (), "D": ("stock",), "U": (), "X": ("discards",)}


def _deed_text(deed: Deed) -> str:
    seat, letter, bit = deed
    return f"{seat}:{letter} {CARD[bit]}" if bit else f"{seat}:{letter}"


def _meld_zone(number: int, label: str, meld: int, owner: int, *, laid_off: int = 0) -> Zone:
    note = f"{' '.join(cards(laid_off))} laid off" if laid_off else ""
    return open_zone(f"meld:{number}", "meld", label, cards(meld | laid_off), owner=owner, note=note)


def _deadwood_zone(seat: int, loose: tuple[Card, ...]) -> Zone:
    note = _count(points(mask(loose)), "point")
    return open_zone(f"hand:{seat}", "row", f"Deadwood of @{seat}", loose, owner=seat, note=note)


def _event(deed: Deed) -> Event:
    seat, letter, bit = deed
    verb, rest = _LETTER_PHRASES[letter]
    card = CARD[bit] if bit else ("a card" if letter == "X" else "")
    touched = (CARD[bit],) if letter == "X" and bit else ()
    return Event(seat, Phrase(verb, rest.format(card).strip()), (*touched, *_LETTER_TOUCHES[letter]))


def _result_events(results: tuple[HandResult, ...]) -> list[Event]:
    return [Event(None, Phrase("", f"Hand {result.number}: {result.summary}")) for result in results[-1:]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GinRummyView(View):
    """What a seat knows of a game of Gin Rummy.

    hand: the viewer's cards, () for a spectator. discards: the discards one may look at, the upcard last.
    known: by seat, cards taken from the discard pile that are still in that hand.
    taken_upcard: taken in this turn. history: the deeds of this hand, `1:U 7H`, without covered discards.
    knock: what lies open while the defender makes up his mind.
    """

    dealer: int
    phase: Phase
    hand: tuple[Card, ...]
    discards: tuple[Card, ...]
    discard_count: int
    stock_count: int
    hand_counts: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    taken_upcard: Card | None
    upcard_turns: int
    history: tuple[str, ...]
    limit: int
    is_doubled: bool
    hands_won: tuple[int, ...]
    hands_played: int
    dead_hands: int
    knock: OpenKnock | None

    @property
    def upcard(self) -> Card | None:
        return self.discards[-1] if self.discards else None

    @property
    def deadwood(self) -> int:
        """The least deadwood of the viewer's hand, after the best discard when one is due."""
        hand = mask(self.hand)
        if self.phase is not DISCARD or self.seat not in self.to_act:
            return best_deadwood(hand)
        return min(best_deadwood(hand ^ bit) for bit in bits(hand) if CARD[bit] != self.taken_upcard)

    @property
    def zones(self) -> tuple[Zone, ...]:
        others = [seat for seat in range(SEATS) if seat != self.seat]
        own = (
            []
            if self.seat is None
            else [open_zone(f"hand:{self.seat}", "hand", "Your hand", self.hand, owner=self.seat)]
        )
        return (*(self._hand_zone(seat) for seat in others), *self._meld_zones(), *self._shared_zones(), *own)

    def _hand_zone(self, seat: int) -> Zone:
        if self.knock is not None and self.knock.seat == seat:
            return _deadwood_zone(seat, self.knock.deadwood)
        note = f"took {' '.join(self.known[seat])}" if self.known[seat] else ""
        return Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", (), self.hand_counts[seat], seat, note)

    def _meld_zones(self) -> list[Zone]:
        if self.knock is None or self.knock.seat == self.seat:
            return []
        return [
            _meld_zone(number, f"Meld {number} of @{self.knock.seat}", mask(meld), self.knock.seat)
            for number, meld in enumerate(self.knock.melds, start=1)
        ]

    def _shared_zones(self) -> list[Zone]:
        kind: ZoneKind = "row" if self.options["review_discards"] else "pile"
        return [
            Zone("stock", "stock", "Stock", (), self.stock_count),
            Zone("discards", kind, "Discard pile", self.discards, self.discard_count),
        ]

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is FIRST_UPCARD:
            return f"Take the upcard {self.upcard} or pass."
        if self.phase is SHOWDOWN:
            assert self.knock is not None, "a showdown follows a knock"
            return f"@{self.knock.seat} knocked. Lay your hand open: choose your melds and lay-offs."
        if self.phase is DISCARD:
            can_end = any(isinstance(move, Knock | BigGin) for move in self.moves)
            return "Discard a card, or knock." if can_end else "Discard a card."
        if TAKE in self.moves:
            return f"Draw from the stock or take the upcard {self.upcard}."
        if self.upcard is None:
            return "Draw from the stock."
        if self.upcard_turns:
            return "Draw from the stock: the upcard was taken twelve times in a row."
        return "Draw from the stock: both players passed the upcard."

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Pass):
            return Choice(move, Phrase("pass"))
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "from the stock"), ("stock",))
        if isinstance(move, Take):
            return Choice(move, Phrase("take", f"the upcard {self.upcard}"), (str(self.upcard), "discards"))
        if isinstance(move, Discard):
            return Choice(move, Phrase("discard", move.card), (move.card, "discards"))
        if isinstance(move, Knock):
            return Choice(move, self._knock_phrase(move), (move.card, "discards", *_all_cards(move.melds)))
        if isinstance(move, BigGin):
            return Choice(move, Phrase("go", f"big gin: {_meld_texts(move.melds)}"), _all_cards(move.melds))
        assert isinstance(move, Showdown), f"{move!r} is a move of another game"
        return self._showdown_choice(move)

    def _knock_phrase(self, move: Knock) -> Phrase:
        """The knock in words, with what a better one would leave: a poorer grouping should be no accident."""
        hand = mask(self.hand)
        left = points(hand & ~BIT[move.card] & ~mask(_all_cards(move.melds)))
        what = f"{_meld_texts(move.melds) or 'no melds'}, {move.card} face down"
        if left == 0:
            return Phrase("go", f"gin: {what}")
        best = self.deadwood
        warning = " (you could go gin)" if best == 0 else f" (you could leave {best})" if best < left else ""
        return Phrase("knock", f"with {left}: {what}{warning}")

    def _showdown_choice(self, move: Showdown) -> Choice:
        laid = [card for card, _meld in move.layoffs]
        left = points(mask(self.hand) & ~mask(_all_cards(move.melds)) & ~mask(laid))
        parts = [_meld_texts(move.melds) or "no melds"]
        if laid:
            parts.append("lay off " + ", ".join(f"{card} on meld {meld}" for card, meld in move.layoffs))
        touches = (
            *_all_cards(move.melds),
            *laid,
            *(f"meld:{meld}" for meld in sorted({m for _c, m in move.layoffs})),
        )
        return Choice(move, Phrase("show", f"{'; '.join(parts)}; {left} left"), touches)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [
            ("Dealer", f"@{self.dealer}"),
            ("Knock limit", str(self.limit)),
            ("Target", str(self.options["target"])),
        ]
        if self.is_doubled:
            found.append(("This hand", "counts double"))
        if self.dead_hands:
            found.append(("Dead hands in a row", str(self.dead_hands)))
        if self.hand:
            found.append(("Your deadwood", str(self.deadwood)))
        return tuple(found)


def _meant_ending(view: GinRummyView, mine: list[Card], *, gives_discard: bool) -> Knock | BigGin:
    """Cards of the hand as melds to knock with. The first one is the discard if the pile was chosen too."""
    chosen = mine[1:] if gives_discard else mine
    loose = [card for card in reversed(view.hand) if card not in chosen and card != view.taken_upcard]
    if not loose and not gives_discard:
        return BigGin(_meant_melds(chosen))
    return Knock.of(mine[0] if gives_discard else max(loose, key=lambda card: points(BIT[card])), _meant_melds(chosen))


def _meant_showdown(mine: list[Card], melds: list[str]) -> Showdown:
    if not melds:
        return Showdown(_meant_melds(mine))
    number = int(melds[0].partition(":")[2])
    return Showdown((), tuple((card, number) for card in sorted(mine, key=BIT.__getitem__)))


def _meant_melds(chosen: list[Card]) -> tuple[Meld, ...]:
    """The melds that leave least of these cards; what is left comes as another one, to be refused."""
    melds = best_grouping(mask(chosen))
    rest = cards(mask(chosen) & ~union(melds))
    return _laid_out([*map(cards, melds), *([rest] if rest else [])])


def _all_cards(melds: Iterable[Meld]) -> tuple[Card, ...]:
    return tuple(card for meld in melds for card in meld)


# The game

_POSITION_KEYS = frozenset(
    [
        "seats",
        "options",
        "dealer",
        "phase",
        "to_move",
        "hands",
        "hand",
        "stock",
        "stock_count",
        "discards",
        "upcard",
        "taken_upcard",
        "known",
        "upcard_turns",
        "history",
        "knock",
        "limit",
        "doubled",
        "scores",
        "hands_won",
        "hands_played",
        "dead_hands",
    ]
)
_DEED = re.compile(rf"([01]) ?: ?([PDUX])(?:(?<=[UX]) ?({_CARD}))?")
_DECK = pack()
_FILLER = next(numbered_decks(_DECK))


class GinRummy(Game[GinRummyState, GinRummyView, GinRummyMove]):
    slug: ClassVar[str] = "gin-rummy"
    name: ClassVar[str] = "Gin Rummy"
    summary: ClassVar[str] = "Meld sets and runs in your hand, and knock before your opponent does."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    has_hand_melds: ClassVar[bool] = True
    options: ClassVar[tuple[Option, ...]] = (
        numbers("target", "Target", (50, 100, 150, 250), default=100, help="Points that end the game."),
        numbers("knock_limit", "Knock limit", range(11), default=10, help="With 0 only gin ends a hand."),
        numbers("gin_bonus", "Gin bonus", (20, 25), default=20),
        numbers("undercut_bonus", "Undercut bonus", (10, 20, 25), default=10),
        numbers("box_bonus", "Box bonus", (0, 20, 25), default=20, help="For each hand won, added at the end."),
        numbers("game_bonus", "Game bonus", (0, 100), default=100, help="For reaching the target."),
        Option(
            "shutout",
            "Shutout",
            "bonus-200",
            {
                "bonus-200": "game bonus 200",
                "double-total": "the winner's total counts double",
                "none": "nothing extra",
            },
            "When the loser has no points at all.",
        ),
        Option("big_gin", "Big gin", 0, {0: "off", 31: "31", 50: "50"}, "Bonus for eleven cards in melds."),
        switch("undercut_on_tie", "Undercut on a tie", default=True, help="Off: equal deadwood scores nothing."),
        switch(
            "oklahoma",
            "Oklahoma",
            default=False,
            help="The first upcard's points are the knock limit of the hand.",
        ),
        switch(
            "oklahoma_spades",
            "Spades double",
            default=False,
            help="With Oklahoma, a spade upcard doubles the hand.",
        ),
        Option(
            "next_dealer",
            "Next dealer",
            "loser",
            {
                "loser": "the loser of the hand",
                "winner": "the winner of the hand",
                "alternate": "the players in turn",
            },
        ),
        switch("review_discards", "Open discard pile", default=False, help="All discards may be looked at."),
        Option(
            "defence",
            "Defence",
            "auto",
            {"auto": "the table finds the best", "manual": "the defender melds and lays off"},
        ),
    )
    presets: ClassVar[Mapping[str, Options]] = {
        "classic": {},
        "modern": {
            "gin_bonus": 25,
            "undercut_bonus": 25,
            "box_bonus": 25,
            "shutout": "double-total",
            "big_gin": 31,
        },
    }

    strength_means: ClassVar[str] = "its deadwood, so that less is better"

    def hand_strength(self, hand: Sequence[Card]) -> int:
        return best_deadwood(mask(hand))

    def deck(self, options: Options) -> tuple[Card, ...]:
        return _DECK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> GinRummyState:
        return GinRummyState(options, decks, dealer)

    def parse(self, text: str) -> GinRummyMove:
        return _read_move(text)

    def hand_melds(self, view: GinRummyView) -> Sequence[Sequence[Card]]:
        return [cards(meld) for meld in best_grouping(mask(view.hand))]

    def attempt(self, view: GinRummyView, picks: Sequence[str]) -> GinRummyMove:
        """A draw, a discard, or cards of the hand as melds: with a knock, or against one."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(GinRummyMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if view.phase is SHOWDOWN:
            return _meant_showdown(mine, [pick for pick in picks if pick.startswith("meld:")])
        if len(mine) > 1 and view.phase is DISCARD:
            return _meant_ending(view, mine, gives_discard=len(mine) < len(picks))
        if mine:
            return Discard(mine[0])
        if set(picks) <= {view.upcard, "discards"}:
            return TAKE
        if "stock" in picks:
            return DRAW_CARD
        message = "Choose the stock or the top discard to draw, or cards of your hand."
        raise UnreadableMove(message, rule="gin-rummy:turn-draw")

    def sample(self, view: GinRummyView, rng: Random) -> GinRummyState:
        """`rng` deals the cards that are neither the viewer's, nor open, nor known to be in a hand."""
        state = GinRummyState(view.options, Decks(random_decks(_DECK, rng)), view.dealer)
        _copy_public(view, state)
        melded = 0 if view.knock is None else mask(_all_cards(view.knock.melds)) | mask(view.knock.deadwood)
        for seat in range(SEATS):
            state.hands[seat] = mask(view.known[seat])
        if view.knock is not None:
            state.hands[view.knock.seat] = melded
        if view.seat is not None:
            state.hands[view.seat] = mask(view.hand)
        state.pile = [BIT[card] for card in view.discards]
        discard = view.knock.discard if view.knock is not None else None
        hidden = list(bits(PACK & ~union(state.hands) & ~union(state.pile) & ~mask([discard] if discard else [])))
        rng.shuffle(hidden)
        for seat, count in enumerate(view.hand_counts):
            while state.hands[seat].bit_count() < count:
                state.hands[seat] |= hidden.pop()
        while len(state.pile) < view.discard_count:
            state.pile.insert(0, hidden.pop())
        state.stock = [hidden.pop() for _ in range(view.stock_count)]
        state.bar = _bar(state)
        if view.knock is not None:
            state.knocker, melds = view.knock.seat, view.knock.melds
            is_big_gin = view.hand_counts[state.knocker] > HAND_CARDS
            state.knock = BigGin(melds) if is_big_gin else Knock(discard or CARD[hidden.pop()], melds)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> GinRummyState:
        """A position; every key may be left out.

        options: by name, the others at their defaults. dealer: seat 1 if not given.
        to_move: if not given the seat with eleven cards, else the non-dealer.
        phase: first-upcard, draw, discard, showdown or over; found from the hands where it is missing.
        hands: by seat, lists or text; `hand` is that of the seat to move.
        discards: the upcard last, or `upcard` alone.
        stock: the next card first, or `stock_count` cards that lie nowhere else, 31 of them without both.
        taken_upcard: the upcard taken in this turn. known: cards that were seen being taken from the pile.
        history: what happened in this hand, `1:P`, `0:U 7H`, `0:X KC`; two passes at its end bar the upcard.
        upcard_turns: turns in a row that began with the upcard, counted from the history where it is missing.
        knock: to be answered, `0:K QC: 5H-6H-7H`; that hand has its ten cards. limit, doubled: of this hand.
        scores, hands_won: by seat. dead_hands: in a row. hands_played: before this one, at least those won or dead.
        """
        return _Reader(self, data, Decks(numbered_decks(_DECK) if deals is None else deals)).state


class _Reader(PositionReader):
    """Reads a position into a fresh state, zone by zone. :raises ImpossiblePosition:"""

    def __init__(self, game: GinRummy, data: Position, decks: Decks) -> None:
        super().__init__(game, data, _POSITION_KEYS)
        self.state = GinRummyState(self.options, decks, self.number("dealer", 1, high=SEATS - 1))
        self._read_scores()
        self._read_cards()
        self._read_turn()
        self._read_history()
        self._check_phase()

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers("scores", high=10_000)
        state.hands_won = self.numbers("hands_won", high=10_000)
        state.dead_hands = self.number("dead_hands", 0, high=DEAD_HANDS_IN_A_ROW)
        fewest = sum(state.hands_won) + state.dead_hands
        state.hands_played = self.number("hands_played", fewest, low=fewest, high=100_000)
        if min(state.scores) >= int(state.options["target"]):
            raise ImpossiblePosition("scores: only one player can have reached the target.")

    def _read_cards(self) -> None:
        data, state = self.data, self.state
        hands = self.card_lists("hands")
        if "hand" in data:
            if "hands" in data:
                raise ImpossiblePosition("hand, hands: write only one of them.")
            hands[self.number("to_move", 1 - state.dealer, high=SEATS - 1)] = card_list(data["hand"], "hand")
        pile = card_list(data.get("discards"), "discards")
        upcard = card_list(data.get("upcard"), "upcard")
        if len(upcard) > 1:
            raise ImpossiblePosition("upcard: it is one card; write all of them as discards.")
        if upcard and pile[-1:] != upcard:
            pile += upcard
        stock = card_list(data.get("stock"), "stock")
        knock = self._read_knock()
        check_cards([*hands[0], *hands[1], *pile, *stock, *([knock.card] if isinstance(knock, Knock) else [])], _DECK)
        state.hands = [mask(hand) for hand in hands]
        state.pile = [BIT[card] for card in pile]
        state.knock = knock
        state.stock = self._filled([BIT[card] for card in stock])[::-1]
        self._read_taken()

    def _read_taken(self) -> None:
        data, state = self.data, self.state
        taken = card_list(data.get("taken_upcard"), "taken_upcard")
        seen = [*card_list(data.get("known"), "known"), *taken]
        if len(taken) > 1 or not set(seen) <= {CARD[bit] for bit in bits(union(state.hands))}:
            raise ImpossiblePosition("taken_upcard, known: these cards must lie in a hand.")
        state.taken, state.known = mask(taken), mask(seen)

    def _filled(self, stock: list[int]) -> list[int]:
        """The stock, the next card first, made up to `stock_count` by cards that lie nowhere else."""
        state = self.state
        used = union(state.hands) | union(state.pile) | union(stock)
        if isinstance(state.knock, Knock):
            used |= BIT[state.knock.card]
        unseen = [BIT[card] for card in _FILLER if not BIT[card] & used]
        default = min(STOCK_CARDS, len(unseen)) if self.data.get("stock") is None else len(stock)
        count = self.number("stock_count", default, high=len(stock) + len(unseen))
        if count < len(stock):
            raise ImpossiblePosition(f"stock_count: {len(stock)} cards are named, which is more than {count}.")
        return stock + unseen[: count - len(stock)]

    def _read_knock(self) -> Knock | BigGin | None:
        text = self.data.get("knock")
        if text is None:
            return None
        seat, _, move = str(text).partition(":")
        try:
            knock = _read_move(move)
        except UnreadableMove:
            knock = None
        if seat.strip() not in ("0", "1") or not isinstance(knock, Knock | BigGin):
            raise ImpossiblePosition("knock: write the seat and its knock, such as 0:K QC: 5H-6H-7H.")
        self.state.knocker = int(seat)
        return knock

    def _read_turn(self) -> None:
        state = self.state
        if state.is_decided():
            if str(self.data.get("phase") or OVER).lower() != OVER:
                raise ImpossiblePosition("phase: with these scores the game is over.")
            state.clear_table()
            return
        seat = self.number("to_move", self._likely_seat(), high=SEATS - 1)
        state.to_act = _TURN_OF[seat]
        try:
            state.phase = Phase(str(self.data.get("phase") or self._likely_phase(seat)).lower())
        except ValueError:
            raise ImpossiblePosition(f"phase: choose one of {', '.join(Phase)}.") from None

    def _likely_seat(self) -> int:
        state = self.state
        if state.knock is not None:
            return 1 - state.knocker
        full = [seat for seat in range(SEATS) if state.hands[seat].bit_count() > HAND_CARDS]
        return full[0] if full else 1 - state.dealer

    def _likely_phase(self, seat: int) -> Phase:
        if self.state.knock is not None:
            return SHOWDOWN
        return DISCARD if self.state.taken or self.state.hands[seat].bit_count() > HAND_CARDS else DRAW

    def _read_history(self) -> None:
        state = self.state
        if state.phase is OVER:
            return
        entries = self.data.get("history") or []
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise ImpossiblePosition("history: write a list such as 1:P, 0:U 7H.")
        state.history = [_read_deed(entry) for entry in entries]
        self._check_passes()
        taken = min(_last_in_a_row("U", state.history), UPCARD_TURNS_IN_A_ROW)
        state.upcard_turns = self.number("upcard_turns", taken, high=UPCARD_TURNS_IN_A_ROW)
        state.bar = _bar(state)
        first = state.pile[0] if state.pile else state.taken
        if first:
            state.set_limit(first)
        state.limit = self.number("limit", state.limit, high=10)
        state.doubled = self.switch("doubled", state.doubled)

    def _check_passes(self) -> None:
        """Only the first upcard is passed: by the non-dealer, then by the dealer."""
        state = self.state
        eldest = 1 - state.dealer
        passes: list[Deed] = [(eldest, "P", 0), (state.dealer, "P", 0)]
        if state.phase is FIRST_UPCARD:
            so_far = passes[: state.to_act[0] == state.dealer]
            if state.history not in ([], so_far):
                raise ImpossiblePosition("history: before the first turn there is only a pass of the non-dealer.")
            state.history = so_far
        found = [deed for deed in state.history if deed[1] == "P"]
        if found != passes[: len(found)] or found != state.history[: len(found)]:
            raise ImpossiblePosition("history: a hand begins with the passes, the non-dealer's first.")
        if state.phase is DRAW and state.history == passes and state.to_act[0] != eldest:
            raise ImpossiblePosition("to_move: after two passes the non-dealer begins.")

    def _check_phase(self) -> None:
        state = self.state
        phase = state.phase
        if phase is OVER:
            if not state.is_decided():
                raise ImpossiblePosition("phase: the game is not over before somebody reaches the target.")
            return
        seat = state.to_act[0]
        if phase in (FIRST_UPCARD, DRAW) and len(state.stock) <= UNDRAWN_CARDS:
            raise ImpossiblePosition("stock: a turn can only begin with three or more cards in the stock.")
        if phase is FIRST_UPCARD and not state.pile:
            raise ImpossiblePosition("upcard: the first upcard is missing.")
        if (phase is SHOWDOWN) != (state.knock is not None):
            raise ImpossiblePosition("knock: it belongs to the phase showdown, and the showdown to a knock.")
        for place, hand in enumerate(state.hands):
            most = HAND_CARDS + (phase is DISCARD and place == seat)
            if hand.bit_count() > most and not (isinstance(state.knock, BigGin) and place == state.knocker):
                raise ImpossiblePosition(f"hands: seat {place} can hold {most} cards now.")
        if phase is DISCARD and not state.hands[seat] & ~state.taken:
            raise ImpossiblePosition("hands: the seat to move needs a card to discard.")
        if state.taken and (phase is not DISCARD or not state.hands[seat] & state.taken):
            raise ImpossiblePosition("taken_upcard: only the seat to move can have taken it, before it discards.")
        if state.knock is not None:
            self._check_knock()

    def _check_knock(self) -> None:
        """The knock on the table must have been legal."""
        state, knock = self.state, self.state.knock
        assert knock is not None, "checked before"
        if state.to_act[0] == state.knocker or state.options["defence"] != "manual":
            raise ImpossiblePosition("knock: the other seat answers it, at a table with manual defence.")
        try:
            melded = state.melded(knock.melds, state.hands[state.knocker])
        except IllegalMove as error:
            raise ImpossiblePosition(f"knock: {error}") from None
        if isinstance(knock, BigGin) and not (state.options["big_gin"] and melded.bit_count() > HAND_CARDS):
            raise ImpossiblePosition("knock: big gin is eleven cards in melds, at a table that plays it.")
        if state.knocker_deadwood() > state.limit:
            raise ImpossiblePosition(f"knock: more than {state.limit} points are left.")


def _read_deed(text: object) -> Deed:
    match = _DEED.fullmatch(" ".join(str(text).upper().split()))
    if match is None:
        raise ImpossiblePosition(f"history: {text!r} is no deed such as 1:P, 0:U 7H, 0:D or 0:X KC.")
    return int(match[1]), match[2], BIT.get(match[3], 0)


def _last_in_a_row(letter: str, history: Sequence[Deed]) -> int:
    """How many turns up to now began with this letter."""
    begun = "".join(deed[1] for deed in history if deed[1] != "X")
    return len(begun) - len(begun.rstrip(letter))


def _bar(state: GinRummyState) -> str:
    """The rule that keeps the upcard on the pile in the next turn, "" if it may be taken."""
    if state.upcard_turns == UPCARD_TURNS_IN_A_ROW:
        return "draw-cap"
    if state.phase is DRAW and _last_in_a_row("P", state.history) == SEATS:
        return "first-upcard"
    return "turn-draw" if state.phase is DRAW and not state.pile else ""


def _copy_public(view: GinRummyView, state: GinRummyState) -> None:
    """What everybody knows of a game, without the cards."""
    state.phase, state.to_act = view.phase, view.to_act
    state.scores, state.hands_won = list(view.scores), list(view.hands_won)
    state.hands_played, state.dead_hands, state.results = view.hands_played, view.dead_hands, view.results
    state.limit, state.doubled = view.limit, view.is_doubled
    state.history = [_read_deed(text) for text in view.history]
    state.known = mask(card for hand in view.known for card in hand)
    state.taken = BIT.get(view.taken_upcard or "", 0)
    state.upcard_turns = view.upcard_turns


GIN_RUMMY = GinRummy()
