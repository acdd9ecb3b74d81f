"""Piquet for two: exchange, declare point, sequences and sets, then play twelve tricks without trumps.

Source: "Ultimate Book of Card Games", "Piquet"; only the manners of declaring are left of that chapter, the rest
follows the laws of the Portland and Turf Clubs. Rubicon Piquet is a match of its own, `games.engines.rubicon_piquet`.
Rulings, where they are silent or disagree:
- the game goes to 100 and a deal is always finished; the winner of the game is looked up after a deal only;
- every deal begins with a word of the dealer, carte blanche or nothing, whatever he holds, and elder says his
  together with the number of cards he will exchange in place of exchanging at once. So nobody can tell from the
  turn, the log or the number of moves who was dealt one and kept silent. Once shown it lies open to everybody;
- a deck is dealt as elder's twelve cards, the dealer's twelve, then the talon with its top card first;
- elder declares point, sequence, set in this order; younger's best holding is what contests a claim;
- a winning answer names what wins: the size if that is greater, else the value or the top card;
- extras count by themselves; what a player does not want to show he does not claim;
- a repique is announced as soon as nothing can prevent it, younger's after elder's first lead;
- after four further deals that leave the totals equal the game is drawn, so that every game ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import Any, ClassVar, NoReturn, Self, TypeAlias

from games.core.cards import Card
from games.core.contract import (
    BadOption,
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
    OptionValue,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    Selection,
    State,
    UnreadableMove,
    View,
    Zone,
    numbers,
    open_zone,
    places,
    switch,
    truth,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import PositionReader, by_seat, card_list, check_cards, known_keys, whole_number
from games.core.tricks import beats

SEATS = 2
HAND_CARDS = 12
TALON_CARDS = 8
TRICKS = 12
ELDER_MOST = 5
CARTE_BLANCHE_POINTS = 10
QUATORZE_POINTS, TRIO_POINTS = 14, 3
SEQUENCE_POINTS = {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}
BONUS_FROM = 30
REPIQUE_POINTS, PIQUE_POINTS = 60, 30
CARDS_POINTS, CAPOT_POINTS = 10, 40
EXTRA_DEALS = 4

RANKS = "789TJQKA"
SUITS = "CDHS"
LOWEST_IN_SETS = RANKS.index("T")
PIPS = (7, 8, 9, 10, 10, 10, 10, 11)


class Phase(StrEnum):
    BLANCHE = "blanche"
    EXCHANGE = "exchange"
    DECLARE = "declare"
    LEAD = "lead"
    CLAIMS = "claims"
    LEFT = "left"
    PLAY = "play"
    OVER = "over"


BLANCHE, EXCHANGE, DECLARE, LEAD, CLAIMS, LEFT, PLAY, OVER = Phase


class Category(StrEnum):
    """What is declared, in this order."""

    POINT = "point"
    SEQUENCE = "sequence"
    SET = "set"


POINT, SEQUENCE, SET = Category
LETTERS = {POINT: "PT", SEQUENCE: "SQ", SET: "ST"}
CATEGORY = {letters: category for category, letters in LETTERS.items()}


class Item(IntEnum):
    """What a score sheet counts, in the order of counting; the bonuses stand where they are won."""

    CARTE_BLANCHE = 0
    POINT = 1
    SEQUENCE = 2
    SET = 3
    REPIQUE = 4
    LEADS = 5
    WINS = 6
    LAST = 7
    PIQUE = 8
    CARDS = 9


ITEM_OF = {POINT: Item.POINT, SEQUENCE: Item.SEQUENCE, SET: Item.SET}
RULE_OF = {
    Item.CARTE_BLANCHE: "carte-blanche",
    Item.POINT: "point-score",
    Item.SEQUENCE: "sequence-score",
    Item.SET: "set-score",
    Item.REPIQUE: "repique",
    Item.LEADS: "play-lead-1",
    Item.WINS: "play-win-1",
    Item.LAST: "play-last",
    Item.PIQUE: "pique",
    Item.CARDS: "cards-10",
}
PLAY_ITEMS = (Item.LEADS, Item.WINS, Item.LAST)


# Cards: bit 8 * suit + rank, so that a suit is a byte; hands are unions of bits.

Hand: TypeAlias = int

PACK = tuple(rank + suit for suit in SUITS for rank in reversed(RANKS))
BIT = {rank + suit: 1 << 8 * s + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
ALL_CARDS: Hand = (1 << 32) - 1
COURT_CARDS: Hand = sum(BIT[rank + suit] for suit in SUITS for rank in "JQK")


def mask(cards: Iterable[Card]) -> Hand:
    return sum({BIT[card] for card in cards})


@cache
def _suit_cards(suit: int, byte: int) -> tuple[Card, ...]:
    return tuple(RANKS[rank] + SUITS[suit] for rank in range(7, -1, -1) if byte >> rank & 1)


def cards_of(hand: Hand) -> tuple[Card, ...]:
    """A hand as it is held: suit by suit, the highest card of each first."""
    return (
        *_suit_cards(0, hand & 255),
        *_suit_cards(1, hand >> 8 & 255),
        *_suit_cards(2, hand >> 16 & 255),
        *_suit_cards(3, hand >> 24),
    )


def suit_of(hand: Hand, suit: int) -> int:
    """The cards of a suit as a byte."""
    return hand >> 8 * suit & 255


def _value(byte: int) -> int:
    return sum(PIPS[rank] for rank in range(8) if byte >> rank & 1)


def _runs(byte: int) -> tuple[tuple[int, int], ...]:
    """Whole runs of three or more as (length, index of the top rank), the highest first."""
    found, length = [], 0
    for rank in range(7, -2, -1):
        if rank >= 0 and byte >> rank & 1:
            length += 1
        else:
            if length >= 3:
                found.append((length, rank + length))
            length = 0
    return tuple(found)


VALUE_OF = tuple(map(_value, range(256)))
RUNS_OF = tuple(map(_runs, range(256)))


# Holdings: what can be declared

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANK_NAMES = dict(zip(RANKS, "seven eight nine ten jack queen king ace".split(), strict=True))
NUMBER_NAMES = "no one two three four five six seven eight nine ten eleven twelve".split()
SEQUENCE_NAMES = dict(enumerate("tierce quart quint sixième septième huitième".split(), start=3))


@dataclass(frozen=True, slots=True)
class Holding:
    """A point, a whole run or a set.

    size: how many cards. height: the value of a point, else the index of the (top) rank. suit: "" for a set.
    """

    category: Category
    size: int
    height: int
    suit: str = ""

    @property
    def figure(self) -> tuple[int, int]:
        """The greater figure wins the category."""
        return self.size, self.height

    @property
    def what(self) -> str:
        """Its notation behind the letters of the category: `H`, `KH4`, `K4`."""
        return self.suit if self.category is POINT else f"{RANKS[self.height]}{self.suit}{self.size}"

    @property
    def points(self) -> int:
        if self.category is POINT:
            return self.size
        if self.category is SEQUENCE:
            return SEQUENCE_POINTS[self.size]
        return QUATORZE_POINTS if self.size == 4 else TRIO_POINTS

    @property
    def cards(self) -> Hand:
        """The cards of a run; 0 for one that the pack does not have."""
        lowest = self.height - self.size + 1
        return 0 if lowest < 0 else (1 << self.size) - 1 << 8 * SUITS.index(self.suit) + lowest

    @property
    def size_in_words(self) -> str:
        """What is said of it first: "point of five", "quart", "three kings"."""
        if self.category is POINT:
            return f"point of {NUMBER_NAMES[self.size]}"
        if self.category is SEQUENCE:
            return SEQUENCE_NAMES[self.size]
        return f"{NUMBER_NAMES[self.size]} {RANK_NAMES[RANKS[self.height]]}s"

    @property
    def height_in_words(self) -> str:
        """What decides between equal sizes: "making 48", "to the king"."""
        return f"making {self.height}" if self.category is POINT else f"to the {RANK_NAMES[RANKS[self.height]]}"

    @property
    def in_full(self) -> str:
        """Everything that can be said of it."""
        if self.category is SET:
            return self.size_in_words
        tail = f" {self.height_in_words}" if self.category is SEQUENCE else ""
        return f"{self.size_in_words}{tail} in {SUIT_NAMES[self.suit]}"


@lru_cache(maxsize=4096)
def holdings(hand: Hand, category: Category) -> tuple[Holding, ...]:
    """All that a hand can claim: suits in the order C D H S, runs and sets the highest first."""
    if category is SET:
        counted = [(sum(hand >> 8 * suit + rank & 1 for suit in range(4)), rank) for rank in range(7, 2, -1)]
        return tuple(Holding(SET, count, rank) for count, rank in counted if count >= 3)
    found = []
    for number, suit in enumerate(SUITS):
        byte = suit_of(hand, number)
        if category is SEQUENCE:
            found += [Holding(SEQUENCE, size, top, suit) for size, top in RUNS_OF[byte]]
        elif byte:
            found.append(Holding(POINT, byte.bit_count(), VALUE_OF[byte], suit))
    return tuple(found)


@lru_cache(maxsize=4096)
def best_holding(hand: Hand, category: Category) -> Holding | None:
    """The first of those with the greatest figure."""
    return max(holdings(hand, category), key=lambda holding: holding.figure, default=None)


def extras(hand: Hand, claimed: Holding) -> tuple[Holding, ...]:
    """What else counts for the winner of a category: all other runs or sets that do not outrank the claim."""
    if claimed.category is POINT:
        return ()
    others = holdings(hand, claimed.category)
    return tuple(other for other in others if other != claimed and other.figure <= claimed.figure)


# Moves


@dataclass(frozen=True, slots=True)
class CarteBlanche(Move):
    """Declares it: elder with the number of cards he will exchange, `BL3`, younger without, `BL` (number 0)."""

    number: int = 0

    def __str__(self) -> str:
        return f"BL{self.number or ''}"


@dataclass(frozen=True, slots=True)
class Word(Move):
    """`GD` good, `MK` making, `EQ` equal, `NG` not good; `NB` no carte blanche; `LK`, `NL` the cards left."""

    letters: str

    def __str__(self) -> str:
        return self.letters


@dataclass(frozen=True, slots=True)
class Exchange(Move):
    """Lays cards aside and draws as many: `EX 8C 7C 9D`, suit by suit from the highest."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join(("EX", *self.cards))


@dataclass(frozen=True, slots=True)
class Claim(Move):
    """`PT:H` the point in hearts, `SQ:KH4` four hearts down from the king, `ST:K4` four kings."""

    category: Category
    what: str

    def __str__(self) -> str:
        return f"{LETTERS[self.category]}:{self.what}"


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Claims nothing in a category: elder's `SQ:-`; younger's plain `-` (None) in the category that is due."""

    category: Category | None = None

    def __str__(self) -> str:
        return "-" if self.category is None else f"{LETTERS[self.category]}:-"


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Leads or follows with a card: `AS`."""

    card: Card

    def __str__(self) -> str:
        return self.card


PiquetMove: TypeAlias = CarteBlanche | Word | Exchange | Claim | Pass | Play

GOOD, MAKING, EQUAL, NOT_GOOD = Word("GD"), Word("MK"), Word("EQ"), Word("NG")
SILENT, TURN_UP, LEAVE_DOWN = Word("NB"), Word("LK"), Word("NL")
ANSWERS = (GOOD, MAKING, EQUAL, NOT_GOOD)
PLAY_OF = {card: Play(card) for card in PACK}
_PASS_OF = {category: Pass(category) for category in Category}
_TURN_OF = ((0,), (1,))


@lru_cache(maxsize=64)
def _exchanges(hand: Hand, low: int, high: int) -> tuple[PiquetMove, ...]:
    held = cards_of(hand)
    return tuple(Exchange(chosen) for size in range(low, high + 1) for chosen in combinations(held, size))


@lru_cache(maxsize=4096)
def _claims(hand: Hand, category: Category) -> tuple[PiquetMove, ...]:
    return tuple(Claim(category, holding.what) for holding in holdings(hand, category))


@cache
def _suit_plays(suit: int, byte: int) -> tuple[PiquetMove, ...]:
    return tuple(PLAY_OF[card] for card in _suit_cards(suit, byte))


_CARD = r"[AKQJT987][CDHS]"
_MOVE = re.compile(
    rf"(?P<card>{_CARD})"
    rf"|EX(?P<exchange>(?:{_CARD})*)"
    rf"|BL(?P<blanche>[0-9]?)"
    rf"|(?P<word>GD|MK|EQ|NB|LK|NL)"
    rf"|(?P<beaten>NG)[0-9]{{0,2}}"
    rf"|(?P<passed>PT|SQ|ST)?:?-"
    rf"|PT:?(?P<suit>[CDHS])"
    rf"|SQ:?(?:(?P<top>{_CARD})(?P<size>[3-8])|(?P<size2>[3-8])(?P<top2>{_CARD}))"
    rf"|ST:?(?:(?P<rank>[AKQJT987])(?P<count>[34])|(?P<count2>[34])(?P<rank2>[AKQJT987]))"
)


def _read_move(text: str) -> PiquetMove:
    tidy = "".join(text.upper().split()).replace("10", "T")
    match = _MOVE.fullmatch(tidy)
    if match is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Piquet. Write EX 9D 8C to exchange, PT:H, SQ:KH4 or ST:K4 to "
            "declare, GD, MK, EQ or NG to answer, AS to play a card."
        )
    if match["card"]:
        return PLAY_OF[match["card"]]
    if match["exchange"] is not None:
        return _read_exchange(re.findall(_CARD, match["exchange"]))
    if match["blanche"] is not None:
        return CarteBlanche(int(match["blanche"] or 0))
    if match["word"] or match["beaten"]:
        return Word(match["word"] or match["beaten"])
    if match["suit"]:
        return Claim(POINT, match["suit"])
    if match["top"] or match["top2"]:
        return Claim(SEQUENCE, (match["top"] or match["top2"]) + (match["size"] or match["size2"]))
    if match["rank"] or match["rank2"]:
        return Claim(SET, (match["rank"] or match["rank2"]) + (match["count"] or match["count2"]))
    return _PASS_OF[CATEGORY[match["passed"]]] if match["passed"] else Pass()


def _read_exchange(cards: Sequence[Card]) -> Exchange:
    if len(set(cards)) < len(cards):
        raise UnreadableMove("A card is named twice; name each card of the exchange once.")
    return Exchange(cards_of(mask(cards)))


# What is said about a category


class Stage(StrEnum):
    """How far a category is settled; ELDER, YOUNGER, EQUAL and NOBODY are final."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    MAKING = "making"
    PASSED = "passed"
    ELDER = "elder"
    YOUNGER = "younger"
    EQUAL = "equal"
    NOBODY = "nobody"


BEFORE_LEAD = (Stage.WAITING, Stage.CLAIMED, Stage.MAKING)


@dataclass(frozen=True, slots=True)
class Talk:
    """A category with all that is behind the words.

    asked: younger has asked for the tie-break figure. claim: elder's. reply: younger's, once he has won or equalled.
    extras: what else the winner counts.
    """

    stage: Stage = Stage.WAITING
    asked: bool = False
    claim: Holding | None = None
    reply: Holding | None = None
    extras: tuple[Holding, ...] = ()

    @property
    def points(self) -> tuple[int, int]:
        """For elder and younger."""
        winner = self.claim if self.stage is Stage.ELDER else self.reply if self.stage is Stage.YOUNGER else None
        if winner is None:
            return 0, 0
        total = winner.points + sum(extra.points for extra in self.extras)
        return (total, 0) if self.stage is Stage.ELDER else (0, total)


@dataclass(frozen=True, slots=True)
class Figures:
    """What is known of a holding; 0 and "" are unknown, `height` -1 too."""

    size: int = 0
    height: int = -1
    suit: str = ""

    def fit(self, holding: Holding) -> bool:
        return (
            self.size in (0, holding.size) and self.height in (-1, holding.height) and self.suit in ("", holding.suit)
        )


@dataclass(frozen=True, slots=True)
class Heard:
    """A category as one viewer knows it: the stage, elder's and younger's holding, the extras announced."""

    stage: Stage
    asked: bool
    elder: Figures
    younger: Figures
    extras: tuple[Holding, ...]


UNHEARD = Figures()


def _due(phase: Phase, talks: Sequence[Talk | Heard]) -> tuple[int, Category]:
    """The category that is being settled: elder's next before the lead, then younger's among those passed."""
    stages = (Stage.PASSED,) if phase is CLAIMS else BEFORE_LEAD
    place = next(place for place, talk in enumerate(talks) if talk.stage in stages)
    return place, tuple(Category)[place]


def _in_full(holding: Holding | None) -> Figures:
    return UNHEARD if holding is None else Figures(holding.size, holding.height, holding.suit)


def _heard(talk: Talk, category: Category, *, is_elder: bool, is_younger: bool, is_led: bool, bare: bool) -> Heard:
    """What a viewer knows of a category. is_led: elder has led, so younger has scored. bare: `replies` is bare."""
    claim, reply = talk.claim, talk.reply
    names_rank = category is SET
    elder = younger = UNHEARD
    if claim is not None:
        is_named = talk.stage in (Stage.ELDER, Stage.EQUAL)
        elder = Figures(claim.size, claim.height if talk.asked or names_rank else -1, claim.suit if is_named else "")
    if reply is not None:
        is_told = is_led or not bare or talk.stage is Stage.EQUAL
        younger = Figures(
            reply.size if is_told or talk.asked else 0,
            reply.height if is_told and (talk.asked or names_rank) else -1,
            reply.suit if is_led else "",
        )
    if is_elder:
        elder = _in_full(claim)
    if is_younger:
        younger = _in_full(reply)
    shows_extras = talk.stage is Stage.ELDER or is_led or is_younger
    return Heard(talk.stage, talk.asked, elder, younger, talk.extras if shows_extras else ())


# State


@dataclass(frozen=True, slots=True)
class Blanche:
    """A declared carte blanche. number: what elder will exchange, 0 if it is younger's. cards: the hand as dealt."""

    seat: int
    number: int
    cards: Hand


def _exchange_limits(
    options: Options, blanche: Blanche | None, held: int, left: int, *, is_elder: bool
) -> tuple[int, int]:
    """The fewest and the most cards to exchange with so many in the hand and so many left in the talon."""
    promised = blanche.number if blanche is not None else 0
    if not is_elder:
        return int(options["younger_min"]), min(held, left - promised)
    return (promised, promised) if promised else (1, min(ELDER_MOST, held, left))


class PiquetState(State):
    """A game of Piquet. By seat unless it says otherwise; elder is the seat that does not deal.

    talon: what is left of it, the top card first. drawn: the cards that a seat took, the first one first.
    talks: point, sequence, set. led: the card that waits for its answer, or None. played: seats with cards, in order.
    turned_up: whether the cards left lie open. sheet: points of this deal by `Item`. has_bonus: a repique or pique.
    deal_number: of the deal being played, from 1. extra_deals: how many of them were needed by a tie.
    """

    __slots__ = (
        "_decks",
        "_next_deck",
        "blanche",
        "deal_number",
        "dealer",
        "discards",
        "drawn",
        "extra_deals",
        "game",
        "hands",
        "has_bonus",
        "led",
        "log",
        "options",
        "phase",
        "played",
        "results",
        "scores",
        "seats",
        "sheet",
        "spoken",
        "talks",
        "talon",
        "to_act",
        "tricks",
        "turned_up",
    )

    results: tuple[HandResult, ...]

    def __init__(self, game: Piquet, options: Options, decks: Decks, dealer: int) -> None:
        self.game = game
        self.seats = SEATS
        self.options = options
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.scores = [0] * SEATS
        self.deal_number = 1
        self.extra_deals = 0
        self.results = ()
        self.clear_table()

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act: tuple[int, ...] = ()
        self.hands: list[Hand] = [0] * SEATS
        self.discards: list[Hand] = [0] * SEATS
        self.drawn: list[tuple[Card, ...]] = [()] * SEATS
        self.talon: tuple[Card, ...] = ()
        self.blanche: Blanche | None = None
        self.talks: tuple[Talk, ...] = (Talk(),) * len(Category)
        self.spoken: tuple[tuple[int, str], ...] = ()
        self.led: Card | None = None
        self.played: tuple[tuple[int, Card], ...] = ()
        self.tricks = [0] * SEATS
        self.turned_up = False
        self.sheet = [[0] * len(Item) for _ in range(SEATS)]
        self.has_bonus = False
        self.log: tuple[Event, ...] = ()

    def deal_hand(self) -> None:
        self.clear_table()
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        self.hands[self.elder] = mask(deck[:HAND_CARDS])
        self.hands[self.dealer] = mask(deck[HAND_CARDS : 2 * HAND_CARDS])
        self.talon = tuple(deck[2 * HAND_CARDS :])
        self.begin()

    def begin(self) -> None:
        """The first turn of a deal, once the cards are dealt."""
        asks = bool(self.options["carte_blanche"])
        self.phase = BLANCHE if asks else EXCHANGE
        self.to_act = _TURN_OF[self.dealer if asks else self.elder]

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in PiquetState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.scores = self.scores[:]
        twin.hands = self.hands[:]
        twin.discards = self.discards[:]
        twin.drawn = self.drawn[:]
        twin.tricks = self.tricks[:]
        twin.sheet = [points[:] for points in self.sheet]
        return twin

    def cards(self) -> list[Card]:
        hidden = [card for hand in (*self.hands, *self.discards) for card in cards_of(hand)]
        return [*hidden, *self.talon, *(card for _seat, card in self.played)]

    @property
    def elder(self) -> int:
        return 1 - self.dealer

    @property
    def younger(self) -> int:
        return self.dealer

    @property
    def deal_score(self) -> list[int]:
        """The points of the deal so far."""
        return [sum(points) for points in self.sheet]

    def due(self) -> tuple[int, Category]:
        """The category that is being settled, with its place among the talks."""
        return _due(self.phase, self.talks)

    def pass_due(self) -> Pass:
        """The move that claims nothing in the category due."""
        return Pass() if self.phase is CLAIMS else _PASS_OF[self.due()[1]]

    # Legal moves

    def legal_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        if seat not in self.to_act:
            return ()
        return _LEGAL[self.phase](self, seat)

    def _blanche_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        return (SILENT, CarteBlanche()) if self.has_blanche(seat) else (SILENT,)

    def _exchange_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        low, high = self.exchange_limits(seat)
        moves = _exchanges(self.hands[seat], low, high)
        if seat == self.elder and self.blanche is None and self.has_blanche(seat):
            moves = (*(CarteBlanche(number) for number in range(low, high + 1)), *moves)
        return moves

    def _declare_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        place, category = self.due()
        if seat == self.elder:
            return (*_claims(self.hands[seat], category), self.pass_due())
        return tuple(word for word in ANSWERS if self._lie(word, place, category) is None)

    def _claim_moves(self, seat: int) -> tuple[PiquetMove, ...]:
        return (*_claims(self.hands[seat], self.due()[1]), self.pass_due())

    def _left_moves(self, _seat: int) -> tuple[PiquetMove, ...]:
        return TURN_UP, LEAVE_DOWN

    def _plays(self, seat: int) -> tuple[PiquetMove, ...]:
        hand = self.hands[seat]
        if self.led is not None:
            suit = SUITS.index(self.led[1])
            if suit_of(hand, suit):
                return _suit_plays(suit, suit_of(hand, suit))
        return (
            _suit_plays(0, hand & 255)
            + _suit_plays(1, hand >> 8 & 255)
            + _suit_plays(2, hand >> 16 & 255)
            + _suit_plays(3, hand >> 24)
        )

    def has_blanche(self, seat: int) -> bool:
        """Whether the cards just dealt to a seat are a carte blanche that counts at this table."""
        hand = self.hands[seat]
        return bool(self.options["carte_blanche"]) and hand.bit_count() == HAND_CARDS and not hand & COURT_CARDS

    def exchange_limits(self, seat: int) -> tuple[int, int]:
        """The fewest and the most cards that a seat may exchange now."""
        held, left = self.hands[seat].bit_count(), len(self.talon)
        return _exchange_limits(self.options, self.blanche, held, left, is_elder=seat == self.elder)

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn(seat)
        handler = _PLAYS.get(type(move))
        assert handler is not None, f"{move!r} is a move of another game"
        handler(self, seat, move)

    def refuse(self, rule: str, message: str) -> NoReturn:
        self.game.refuse(rule, message)

    def _refuse_turn(self, seat: int) -> NoReturn:
        if not self.to_act:
            message, rule = "The game is over; start another one.", "elder-leads"
        else:
            message, rule = _WAITING[self.phase]
            if self.phase is EXCHANGE and seat == self.elder:
                message, rule = "The other player exchanges now; wait until they have drawn.", "younger-exchange"
        raise NotYourTurn(message, rule=f"{self.game.slug}:{rule}")

    def _refuse_phase(self, move: Move) -> NoReturn:
        """Refuses a kind of move that has no place in this phase."""
        if self.phase is PLAY and isinstance(move, Claim | Pass) or self.phase is PLAY and move in ANSWERS:
            self.refuse("late-declaration", "The time for declaring is over; play a card.")
        if isinstance(move, Exchange) and self.phase is not BLANCHE:
            self.refuse("exchange-final", "The exchange is over for this deal; " + _NOW[self.phase][1])
        if isinstance(move, CarteBlanche):
            self.refuse("carte-blanche-when", "It is too late for carte blanche; " + _NOW[self.phase][1])
        rule, what_now = _NOW[self.phase]
        if self.phase is EXCHANGE and self.to_act == (self.younger,):
            rule = "younger-exchange"
        self.refuse(rule, _sentence(what_now))

    # Carte blanche and the exchange

    def _carte_blanche(self, seat: int, move: CarteBlanche) -> None:
        if not self.options["carte_blanche"]:
            self.refuse("carte-blanche", "Carte blanche does not count at this table; exchange as usual.")
        is_first = self.phase is EXCHANGE and seat == self.elder and self.blanche is None
        if self.phase is not BLANCHE and not is_first:
            self._refuse_phase(move)
        if not self.has_blanche(seat):
            self.refuse("carte-blanche", "Carte blanche is a hand without king, queen or jack; go on without it.")
        if seat == self.elder:
            low, high = self.exchange_limits(seat)
            if not move.number:
                self.refuse("carte-blanche-when", "Say how many cards you will exchange too, such as BL3.")
            if not low <= move.number <= high:
                self.refuse("elder-exchange", f"You may exchange {low} to {high} cards; promise one of these.")
        elif move.number:
            self.refuse("carte-blanche-when", "Only elder names a number; say BL alone.")
        self.blanche = Blanche(seat, move.number, self.hands[seat])
        self._count(seat, Item.CARTE_BLANCHE, CARTE_BLANCHE_POINTS)
        promise = f", and will exchange {count_cards(move.number)}" if move.number else ""
        self.log += (Event(seat, Phrase("declare", f"carte blanche{promise}")),)
        self.spoken = ((seat, "Carte blanche"),)
        self.phase = EXCHANGE
        self.to_act = _TURN_OF[1 - seat]

    def _exchange(self, seat: int, move: Exchange) -> None:
        if self.phase is not EXCHANGE:
            self._refuse_phase(move)
        self._check_exchange(seat, move)
        laid_aside = mask(move.cards)
        self.hands[seat] &= ~laid_aside
        self.discards[seat] = laid_aside
        is_promised = self.blanche is not None and self.blanche.number > 0
        if seat == self.elder:
            self._draw(seat)
            self.spoken = ()
            self.to_act = _TURN_OF[self.younger]
            if is_promised:
                self._draw(self.younger)
                self._begin_declaring()
        elif is_promised:
            self.to_act = _TURN_OF[self.elder]
        else:
            self._draw(seat)
            self._begin_declaring()

    def _check_exchange(self, seat: int, move: Exchange) -> None:
        low, high = self.exchange_limits(seat)
        rule = "elder-exchange" if seat == self.elder else "younger-exchange"
        for card in move.cards:
            if not self.hands[seat] & BIT[card]:
                self.refuse(rule, f"You do not hold {card}; exchange cards of your hand.")
        if low <= len(move.cards) <= high:
            return
        is_promised = seat == self.elder and self.blanche is not None
        if is_promised and 1 <= len(move.cards) <= ELDER_MOST:
            self.refuse("carte-blanche-when", f"You promised to exchange {count_cards(low)}; choose just as many.")
        most = f"{low} to {high} cards" if low < high else count_cards(low)
        why = "" if seat == self.elder else ", as many as the talon still holds"
        self.refuse(rule, f"You may exchange {most}{why}; choose again.")

    def _draw(self, seat: int) -> None:
        """Gives a seat as many cards from the top of the talon as it has laid aside."""
        number = self.discards[seat].bit_count()
        self.drawn[seat], self.talon = self.talon[:number], self.talon[number:]
        self.hands[seat] |= mask(self.drawn[seat])
        left = ELDER_MOST - number if seat == self.elder else len(self.talon)
        told = f"{count_cards(number)}, leaving {NUMBER_NAMES[left]}" if left else count_cards(number)
        self.log += (Event(seat, Phrase("exchange", told), ("talon",)),)

    def _begin_declaring(self) -> None:
        self.phase = DECLARE
        self.to_act = _TURN_OF[self.elder]

    # Declaring

    def _claim(self, seat: int, move: Claim) -> None:
        if seat == self.elder and self.phase is DECLARE or self.phase is CLAIMS:
            place, category = self.due()
            holding = self._claimed(seat, move, category)
        else:
            self._refuse_phase(move)
        if seat == self.elder:
            self._set_talk(place, stage=Stage.CLAIMED, claim=holding)
            self._say(seat, _sentence(holding.size_in_words), is_first=True)
            self.to_act = _TURN_OF[self.younger]
        else:
            more = extras(self.hands[seat], holding)
            self._set_talk(place, stage=Stage.YOUNGER, reply=holding, extras=more)
            self._count_for_younger(place)
            self._next_claim()

    def _claimed(self, seat: int, move: Claim, due: Category) -> Holding:
        """The holding that a claim means. :raises IllegalMove: it is not there, not whole, or not due."""
        held = holdings(self.hands[seat], move.category)
        for holding in held:
            if holding.what == move.what and move.category is due:
                return holding
        if move.category is not due:
            rule = "declare-order" if seat == self.elder else "younger-declares-after-lead"
            self.refuse(rule, f"It is the turn of the {due}; claim yours or pass.")
        if move.category is SET:
            self._refuse_set(seat, move.what)
        if move.category is SEQUENCE and _is_part(move.what, self.hands[seat]):
            self.refuse("no-part-claims", "A run is claimed as a whole; name its top card and all its cards.")
        self.refuse("declare-truth", f"You do not hold that {due}; claim what is in your hand, or pass.")

    def _refuse_set(self, seat: int, what: str) -> NoReturn:
        rank, size = RANKS.index(what[0]), int(what[1])
        if rank < LOWEST_IN_SETS:
            self.refuse("set-def", "Nines, eights and sevens make no sets; claim tens or better, or pass.")
        if size == 3 and any(holding.height == rank for holding in holdings(self.hands[seat], SET)):
            self.refuse("no-part-claims", "A set is claimed with all cards of its rank; say four.")
        self.refuse("declare-truth", "You do not hold that set; claim what is in your hand, or pass.")

    def _pass(self, seat: int, move: Pass) -> None:
        if not (seat == self.elder and self.phase is DECLARE or self.phase is CLAIMS):
            self._refuse_phase(move)
        place, category = self.due()
        if move != self.pass_due():
            words = f"It is the turn of the {category}; claim yours, or pass with {self.pass_due()}."
            self.refuse("declare-order", words)
        self._say(seat, f"No {category}", is_first=True)
        if seat == self.elder:
            self._set_talk(place, stage=Stage.PASSED)
            self._next_category()
        else:
            self._set_talk(place, stage=Stage.NOBODY)
            self._next_claim()

    def _word(self, seat: int, move: Word) -> None:
        if move == SILENT:
            self._keep_silent(move)
        elif move in (TURN_UP, LEAVE_DOWN):
            self._settle_left(move)
        else:
            self._answer(seat, move)

    def _keep_silent(self, move: Word) -> None:
        if self.phase is not BLANCHE:
            self.refuse("carte-blanche-when", "The time for carte blanche is over; " + _NOW[self.phase][1])
        self.phase = EXCHANGE
        self.to_act = _TURN_OF[self.elder]

    def _answer(self, seat: int, move: Word) -> None:
        if self.phase is not DECLARE or seat == self.elder:
            self._refuse_phase(move)
        place, category = self.due()
        lie = self._lie(move, place, category)
        if lie is not None:
            self.refuse(*lie)
        claim = self.talks[place].claim
        assert claim is not None, "only a claim is answered"
        best = best_holding(self.hands[seat], category)
        if move == MAKING:
            self._say(seat, "Making?")
            self._say(self.elder, _sentence(claim.height_in_words))
            self._set_talk(place, stage=Stage.MAKING, asked=True)
            return
        if move == GOOD:
            self._say(seat, "Good")
            self._set_talk(place, stage=Stage.ELDER, extras=extras(self.hands[self.elder], claim))
        elif move == EQUAL:
            self._say(seat, "Equal")
            self._set_talk(place, stage=Stage.EQUAL, reply=best)
        else:
            assert best is not None, "a better holding has been found"
            self._say(seat, winning_words(best, best.size > claim.size, self.options))
            self._set_talk(place, stage=Stage.YOUNGER, reply=best, extras=extras(self.hands[seat], best))
        self._count_for_elder(place)
        self._next_category()

    def _lie(self, word: Word, place: int, category: Category) -> tuple[str, str] | None:
        """Why younger may not give this answer, as rule and sentence; None if he may."""
        talk = self.talks[place]
        best = best_holding(self.hands[self.younger], category)
        assert talk.claim is not None, "only a claim is answered"
        mine, claimed = (0, 0) if best is None else best.figure, talk.claim.figure
        is_same_size = mine[0] == claimed[0]
        if word == GOOD:
            return None
        if word == MAKING:
            if category is SET:
                return "reply-making", "The rank of a set is named at once; say good, or win with a better set."
            if talk.asked:
                return "reply-making", "You have asked already; say good, equal, or that yours is better."
            if not is_same_size:
                return "declare-truth", "You may ask that only with as many cards; choose another answer."
            return None
        if is_same_size and category is not SET and not talk.asked:
            return "reply-making", "With as many cards ask what it is making first."
        if word == EQUAL:
            return None if mine == claimed else ("declare-truth", "Yours is not equal; choose another answer.")
        return None if mine > claimed else ("declare-truth", "Yours is not better; choose another answer.")

    def _say_extras(self, seat: int, talk: Talk) -> None:
        if talk.extras:
            self._say(seat, f"Also {' and '.join(_with_article(extra.in_full) for extra in talk.extras)}")

    def _count_for_elder(self, place: int) -> None:
        """Names the suit of a claim that is good or equal, and counts a good one with its extras."""
        talk = self.talks[place]
        if talk.stage in (Stage.ELDER, Stage.EQUAL) and talk.claim is not None and talk.claim.suit:
            self._say(self.elder, f"In {SUIT_NAMES[talk.claim.suit]}")
        if talk.stage is Stage.ELDER:
            self._say_extras(self.elder, talk)
            self._count(self.elder, ITEM_OF[tuple(Category)[place]], talk.points[0])

    def _count_for_younger(self, place: int) -> None:
        """Names the suit of what younger has won or equalled, and counts what he has won."""
        talk = self.talks[place]
        if talk.reply is None:
            return
        is_won = talk.stage is Stage.YOUNGER
        name = talk.reply.size_in_words if is_won else f"equal {talk.reply.category}"
        where = f" in {SUIT_NAMES[talk.reply.suit]}" if talk.reply.suit else ""
        is_figure_due = is_won and talk.asked and self.options["replies"] == "bare"
        figure = f" {talk.reply.height_in_words}" if is_figure_due else ""
        self._say(self.younger, _sentence(name + figure + where))
        self._say_extras(self.younger, talk)
        self._count(self.younger, ITEM_OF[talk.reply.category], talk.points[1])

    def _next_category(self) -> None:
        self._look_for_repique()
        self.to_act = _TURN_OF[self.elder]
        if all(talk.stage not in BEFORE_LEAD for talk in self.talks):
            self.phase = LEAD

    def _next_claim(self) -> None:
        """Lets younger claim in the categories that elder passed, then settles the bonuses."""
        if any(talk.stage is Stage.PASSED for talk in self.talks):
            self.phase = CLAIMS
            self.to_act = _TURN_OF[self.younger]
            return
        self.phase = LEFT if self.talon else PLAY
        self.to_act = _TURN_OF[self.younger]
        self._look_for_repique()
        self._look_for_pique()

    def _settle_left(self, move: Word) -> None:
        if self.phase is not LEFT:
            _rule, what_now = _NOW[self.phase]
            self.refuse("younger-left-cards", "There are no cards left to look at now; " + what_now)
        self.turned_up = move == TURN_UP
        what = f"the {count_cards(len(self.talon))} left"
        phrase = Phrase("turn", f"up {what}") if self.turned_up else Phrase("leave", f"{what} face down")
        self.log += (Event(self.younger, phrase, ("talon",)),)
        self.phase = PLAY

    def _set_talk(self, place: int, **changes: Any) -> None:
        talks = list(self.talks)
        talks[place] = replace(talks[place], **changes)
        self.talks = tuple(talks)

    def _say(self, seat: int, words: str, *, is_first: bool = False) -> None:
        self.log += (Event(seat, Phrase("say", f'"{words}"')),)
        self.spoken = ((seat, words),) if is_first else (*self.spoken, (seat, words))

    # Playing cards

    def _play_card(self, seat: int, move: Play) -> None:
        card = move.card
        if self.phase not in (LEAD, PLAY):
            self._refuse_phase(move)
        if not self.hands[seat] & BIT[card]:
            self.refuse("elder-leads", f"You do not hold {card}; play a card of your hand.")
        if self.led is not None and move not in self._plays(seat):
            self.refuse("follow-suit", f"{SUIT_NAMES[self.led[1]].capitalize()} were led; play one of yours.")
        self.hands[seat] ^= BIT[card]
        self.played += ((seat, card),)
        if self.phase is PLAY:
            self.spoken = ()
        if self.led is None:
            self._lead(seat, card)
        else:
            self._follow(seat, card)

    def _lead(self, seat: int, card: Card) -> None:
        self.log += (Event(seat, Phrase("lead", card), (card,)),)
        self.led = card
        self._count(seat, Item.LEADS, 1)
        self.to_act = _TURN_OF[1 - seat]
        if self.phase is PLAY:
            self._look_for_pique()
            return
        self.phase = CLAIMS
        for place in range(len(self.talks)):
            self._count_for_younger(place)
        self._next_claim()

    def _follow(self, seat: int, card: Card) -> None:
        assert self.led is not None, "somebody has led"
        wins = beats(card, self.led, RANKS)
        winner = seat if wins else 1 - seat
        self.log += (Event(seat, Phrase("play", f"{card} and {'wins' if wins else 'loses'}"), (card,)),)
        self.led = None
        self.tricks[winner] += 1
        if wins:
            self._count(seat, Item.WINS, 1)
        is_last = not any(self.hands)
        if is_last:
            self._count(winner, Item.LAST, 1)
        self._look_for_pique()
        self.to_act = _TURN_OF[winner]
        if is_last:
            self._end_deal()

    # Counting

    def _count(self, seat: int, item: Item, points: int) -> None:
        self.sheet[seat][item] += points

    def _look_for_repique(self) -> None:
        """Adds 60 for 30 points in hand against nothing, once no earlier group is open; see the rule `repique`."""
        if self.has_bonus:
            return
        totals = [self.sheet[self.elder][Item.CARTE_BLANCHE], self.sheet[self.younger][Item.CARTE_BLANCHE]]
        for talk in self.talks:
            if talk.stage in BEFORE_LEAD or talk.stage is Stage.PASSED:
                return
            totals = [total + points for total, points in zip(totals, talk.points, strict=True)]
            if totals[0] >= BONUS_FROM and totals[1] == 0:
                self._add_bonus(self.elder, Item.REPIQUE, REPIQUE_POINTS)
                return
            if totals[1] >= BONUS_FROM and totals[0] == 0 and self.phase is not DECLARE:
                self._add_bonus(self.younger, Item.REPIQUE, REPIQUE_POINTS)
                return

    def _look_for_pique(self) -> None:
        elder, younger = (self.deal_score[seat] for seat in (self.elder, self.younger))
        has_played = any(self.sheet[self.elder][item] for item in PLAY_ITEMS)
        if elder >= BONUS_FROM and younger == 0 and has_played and not self.has_bonus:
            self._add_bonus(self.elder, Item.PIQUE, PIQUE_POINTS)

    def _add_bonus(self, seat: int, item: Item, points: int) -> None:
        self.has_bonus = True
        self._count(seat, item, points)
        self.log += (Event(seat, Phrase("make", f"a {item.name.lower()}: {points} more")),)

    # The end of a deal

    def _end_deal(self) -> None:
        for seat, tricks in enumerate(self.tricks):
            if tricks > TRICKS // 2:
                self._count(seat, Item.CARDS, CAPOT_POINTS if tricks == TRICKS else CARDS_POINTS)
        lines = tuple(self._lines())
        gained = tuple(sum(line.points for line in lines if seat in line.seats) for seat in range(SEATS))
        summary = "; ".join(f"{gained[seat]} for @{seat}" for seat in (self.elder, self.younger))
        won = tuple(_won_zone(seat, _won(self.played, seat), self.tricks[seat]) for seat in range(SEATS))
        self.add_result(HandResult(self.deal_number, f"{summary}.", gained, lines, won))
        if self.is_decided():
            self.clear_table()
            return
        self.extra_deals += self.extra_deals > 0 or self.is_tied()
        self.deal_number += 1
        self.dealer = self.elder
        self.deal_hand()

    def add_result(self, result: HandResult) -> None:
        self.results += (result,)
        self.scores = [score + points for score, points in zip(self.scores, result.points, strict=True)]

    def weight(self, _deal_number: int) -> int:
        """How many times a deal counts."""
        return 1

    def _lines(self) -> Iterator[ScoreLine]:
        for item in Item:
            for seat in (self.elder, self.younger):
                if self.sheet[seat][item]:
                    yield self._line(seat, item, self.sheet[seat][item])
        if self.tricks[0] == self.tricks[1] == TRICKS // 2:
            yield ScoreLine((0, 1), f"{self.game.slug}:cards-split", "Six tricks each: the cards are divided", 0)

    def _line(self, seat: int, item: Item, points: int) -> ScoreLine:
        rule = "capot-40" if item is Item.CARDS and points == CAPOT_POINTS else RULE_OF[item]
        return ScoreLine((seat,), f"{self.game.slug}:{rule}", self._line_text(item, points), points)

    def _line_text(self, item: Item, points: int) -> str:
        for place, category in enumerate(Category):
            talk = self.talks[place]
            winner = talk.claim if talk.stage is Stage.ELDER else talk.reply
            if item is ITEM_OF[category] and winner is not None:
                names = [winner.size_in_words, *(extra.size_in_words for extra in talk.extras)]
                return _sentence(", ".join(names))
        if item is Item.CARDS:
            return "All twelve tricks: capot" if points == CAPOT_POINTS else "More than six tricks"
        return _ITEM_TEXTS[item]

    # The end of the game

    def _may_end(self) -> bool:
        is_uneven = self.options["equal_deals"] and self.deal_number % 2 == 1
        return max(self.scores) >= int(self.options["target"]) and not is_uneven

    def likely_deals(self) -> int:
        """How many deals a finished match has had, 0 where its scores do not tell."""
        return 0

    def is_tied(self) -> bool:
        """Whether the game would be over but for equal totals."""
        return self._may_end() and self.scores[0] == self.scores[1]

    def is_decided(self) -> bool:
        """Whether the game ends with the deal just finished, `deal_number`."""
        return self._may_end() and (not self.is_tied() or self.extra_deals == EXTRA_DEALS)

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        if self.scores[0] == self.scores[1]:
            reason = f"Four further deals left both players with {self.scores[0]} points, so the game is drawn."
            return Outcome(tuple(self.scores), (1, 1), reason)
        winner = 0 if self.scores[0] > self.scores[1] else 1
        ours, theirs = self.scores[winner], self.scores[1 - winner]
        reason = f"Won by @{winner} with {ours} points against {theirs}"
        lines: tuple[ScoreLine, ...] = ()
        if theirs < int(self.options["double_under"]):
            reason += ", a double game"
            text = f"The other has fewer than {self.options['double_under']}: worth 2 match points, not 1"
            lines = (ScoreLine((winner,), f"{self.game.slug}:double-game", text, 0),)
        return Outcome(tuple(self.scores), places(self.scores), reason + ".", lines)

    # Views and positions

    def view(self, seat: int | None) -> PiquetView:
        elder = self.elder
        return self.game.view_class(
            seat=seat,
            seats=SEATS,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=(*_result_events(self.results), *self.log),
            results=self.results,
            dealer=self.dealer,
            phase=self.phase,
            deal_number=self.deal_number,
            extra_deals=self.extra_deals,
            hand=() if seat is None else cards_of(self.hands[seat]),
            discards=() if seat is None else cards_of(self.discards[seat]),
            drawn=() if seat is None else self.drawn[seat],
            looked_at=self.looked_at() if seat == elder else (),
            left=self.talon if self.turned_up else (),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            discard_counts=tuple(cards.bit_count() for cards in self.discards),
            drawn_counts=tuple(map(len, self.drawn)),
            talon_count=len(self.talon),
            turned_up=self.turned_up,
            blanche=self._open_blanche(seat),
            talks=self._heard_talks(seat),
            spoken=self.spoken,
            led=self.led,
            played=self.played,
            tricks=tuple(self.tricks),
            sheet=tuple(map(tuple, self.sheet)),
            has_bonus=self.has_bonus,
        )

    def looked_at(self) -> tuple[Card, ...]:
        """Those of the top five cards that elder left, in the order of the talon before younger drew."""
        number = len(self.drawn[self.elder])
        return (*self.drawn[self.younger], *self.talon)[: ELDER_MOST - number] if number else ()

    def _open_blanche(self, seat: int | None) -> Blanche | None:
        """A carte blanche as that seat sees it: the cards lie open once the other has fixed his discards."""
        found = self.blanche
        if found is None or seat == found.seat or self.phase is not EXCHANGE:
            return found
        is_fixed = self.to_act[0] == found.seat
        return found if is_fixed else replace(found, cards=0)

    def _heard_talks(self, seat: int | None) -> tuple[Heard, ...]:
        bare = self.options["replies"] == "bare"
        return tuple(
            _heard(
                talk,
                category,
                is_elder=seat == self.elder,
                is_younger=seat == self.younger,
                is_led=bool(self.played),
                bare=bare,
            )
            for talk, category in zip(self.talks, Category, strict=True)
        )

    def dump(self) -> Position:
        return {
            "seats": SEATS,
            "options": dict(self.options),
            "dealer": self.dealer,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(cards_of(hand)) for hand in self.hands],
            "talon": list(self.talon),
            "discards": [list(cards_of(cards)) for cards in self.discards],
            "drawn": [list(cards) for cards in self.drawn],
            "carte_blanche": self._dumped_blanche(),
            "said": [str(move) for move in self._said()],
            "leader": self.played[0][0] if self.played else None,
            "played": [card for _seat, card in self.played],
            "turned_up": self.turned_up,
            "tricks": self.tricks[:],
            "counted": [_counted(points) for points in self.sheet],
            "scores": self.scores[:],
            "deal": self.deal_number,
            "deals": [[points // self.weight(result.number) for points in result.points] for result in self.results],
            "extra_deals": self.extra_deals,
        }

    def _dumped_blanche(self) -> Position | None:
        if self.blanche is None:
            return None
        return {
            "seat": self.blanche.seat,
            "number": self.blanche.number,
            "cards": list(cards_of(self.blanche.cards)),
        }

    def _said(self) -> Iterator[PiquetMove]:
        """The declarations that led here: elder's claims with the answers, then younger's own."""
        for category, talk in zip(Category, self.talks, strict=True):
            if talk.claim is not None:
                yield Claim(category, talk.claim.what)
                if talk.asked:
                    yield MAKING
                if talk.stage in _ANSWER_OF:
                    yield _ANSWER_OF[talk.stage]
            elif talk.stage is not Stage.WAITING:
                yield _PASS_OF[category]
        for category, talk in zip(Category, self.talks, strict=True):
            if talk.claim is None and talk.reply is not None:
                yield Claim(category, talk.reply.what)
            elif talk.stage is Stage.NOBODY:
                yield Pass()


_LEGAL: Mapping[Phase, Callable[[PiquetState, int], tuple[PiquetMove, ...]]] = {
    BLANCHE: PiquetState._blanche_moves,
    EXCHANGE: PiquetState._exchange_moves,
    DECLARE: PiquetState._declare_moves,
    LEAD: PiquetState._plays,
    CLAIMS: PiquetState._claim_moves,
    LEFT: PiquetState._left_moves,
    PLAY: PiquetState._plays,
}
_PLAYS: Mapping[type[Move], Callable[[PiquetState, int, Any], None]] = {
    CarteBlanche: PiquetState._carte_blanche,
    Word: PiquetState._word,
    Exchange: PiquetState._exchange,
    Claim: PiquetState._claim,
    Pass: PiquetState._pass,
    Play: PiquetState._play_card,
}
_ANSWER_OF = {Stage.ELDER: GOOD, Stage.EQUAL: EQUAL, Stage.YOUNGER: NOT_GOOD}

# For each phase what a player who is not to act is told, and what one is told who tries another kind of move.
_WAITING = {
    BLANCHE: ("The dealer looks at the hand first; you exchange next.", "elder-exchange"),
    EXCHANGE: ("Elder exchanges first; your exchange comes next.", "elder-exchange"),
    DECLARE: ("The other player is speaking; your turn comes next.", "declare-order"),
    LEAD: ("Elder leads to the first trick; your turn comes next.", "elder-leads"),
    CLAIMS: ("The other player may claim what you passed; wait.", "younger-declares-after-lead"),
    LEFT: ("The other player decides about the cards left; wait.", "younger-left-cards"),
    PLAY: ("It is the other player's turn to play; wait for the card.", "trick-winner"),
}
_NOW = {
    BLANCHE: ("elder-exchange", "go on first (NB); elder exchanges next."),
    EXCHANGE: ("elder-exchange", "exchange first; declaring and playing come later."),
    DECLARE: ("declare-order", "the declarations come first: claim, pass or answer."),
    LEAD: ("elder-leads", "the declarations are settled; lead any card."),
    CLAIMS: ("younger-declares-after-lead", "claim in the category that elder passed, or pass it (-)."),
    LEFT: ("younger-left-cards", "say first whether the cards left are turned up (LK) or not (NL)."),
    PLAY: ("elder-leads", "play a card."),
}
_ITEM_TEXTS = {
    Item.CARTE_BLANCHE: "Carte blanche",
    Item.POINT: "Point",
    Item.SEQUENCE: "Sequences",
    Item.SET: "Sets",
    Item.REPIQUE: "Repique: 30 in hand against nothing",
    Item.PIQUE: "Pique: 30 in hand and play against nothing",
    Item.LEADS: "Leads",
    Item.WINS: "Tricks won as second player",
    Item.LAST: "Last trick",
}


def count_cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _with_article(words: str) -> str:
    return words if words.startswith(("three", "four")) else f"a {words}"


def _is_part(what: str, hand: Hand) -> bool:
    """Whether a claimed run lies within one of the hand."""
    cards = Holding(SEQUENCE, int(what[2]), RANKS.index(what[0]), what[1]).cards
    return cards != 0 and not cards & ~hand


def _counted(points: Sequence[int]) -> dict[str, int]:
    return {item.name.lower(): points[item] for item in Item if points[item]}


def _won(played: Sequence[tuple[int, Card]], seat: int) -> tuple[Card, ...]:
    """The cards of the tricks that a seat has won, in order."""
    found: list[Card] = []
    for (leader, led), (answerer, answer) in zip(played[::2], played[1::2], strict=False):
        if (answerer if beats(answer, led, RANKS) else leader) == seat:
            found += (led, answer)
    return tuple(found)


def _won_zone(seat: int, cards: Sequence[Card], tricks: int) -> Zone:
    note = "1 trick" if tricks == 1 else f"{tricks} tricks"
    return open_zone(f"tricks:{seat}", "pile", f"Tricks of @{seat}", cards, owner=seat, note=note)


def _result_events(results: tuple[HandResult, ...]) -> list[Event]:
    return [Event(None, Phrase("", f"Deal {result.number}: {result.summary}")) for result in results[-1:]]


# View


@dataclass(frozen=True, slots=True, kw_only=True)
class PiquetView(View):
    """What a seat knows of a game of Piquet.

    hand, discards, drawn: the viewer's own, () for a spectator. looked_at: for elder, those of the top five that he
    left. left: the cards left in the talon, if they were turned up. blanche: `cards` 0 while they are hidden.
    talks: what is known of point, sequence and set. sheet: by seat, the points of this deal by `Item`.
    """

    dealer: int
    phase: Phase
    deal_number: int
    extra_deals: int
    hand: tuple[Card, ...]
    discards: tuple[Card, ...]
    drawn: tuple[Card, ...]
    looked_at: tuple[Card, ...]
    left: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    discard_counts: tuple[int, ...]
    drawn_counts: tuple[int, ...]
    talon_count: int
    turned_up: bool
    blanche: Blanche | None
    talks: tuple[Heard, ...]
    spoken: tuple[tuple[int, str], ...]
    led: Card | None
    played: tuple[tuple[int, Card], ...]
    tricks: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    has_bonus: bool

    @property
    def elder(self) -> int:
        return 1 - self.dealer

    @property
    def younger(self) -> int:
        return self.dealer

    @property
    def deal_score(self) -> tuple[int, ...]:
        return tuple(map(sum, self.sheet))

    @property
    def known_talon(self) -> tuple[Card, ...]:
        """The cards left in the talon that the viewer knows, from its top."""
        return self.left or self.looked_at[self.drawn_counts[self.younger] :]

    @property
    def known_of_other(self) -> tuple[Card, ...]:
        """Cards that the other has taken from the talon after the viewer, as elder, has looked at them."""
        return self.looked_at[: self.drawn_counts[self.younger]]

    @property
    def due(self) -> tuple[int, Category]:
        """The category that is being settled, with its place among the talks."""
        return _due(self.phase, self.talks)

    @property
    def exchange_limits(self) -> tuple[int, int]:
        """The fewest and the most cards that the viewer may exchange now."""
        is_elder = self.seat == self.elder
        return _exchange_limits(self.options, self.blanche, len(self.hand), self.talon_count, is_elder=is_elder)

    @property
    def zones(self) -> tuple[Zone, ...]:
        others = [seat for seat in range(SEATS) if seat != self.seat]
        found = [zone for seat in others for zone in self._places_of(seat)]
        if self.talon_count:
            found.append(Zone("talon", "row", "Talon", self.known_talon, self.talon_count))
        if self.phase in (LEAD, CLAIMS, LEFT, PLAY):
            found.append(self._trick_zone())
        if self.seat is not None:
            found += self._places_of(self.seat)
        return tuple(found)

    def _places_of(self, seat: int) -> list[Zone]:
        """The tricks, the discards and the hand of a seat."""
        is_own = seat == self.seat
        taken = self.played[:-2] if self.led is None else self.played[:-1]
        found = [_won_zone(seat, _won(taken, seat), self.tricks[seat])] if self.played else []
        if self.discard_counts[seat]:
            label = "Your discards" if is_own else f"Discards of @{seat}"
            cards = self.discards if is_own else ()
            found.append(Zone(f"discards:{seat}", "row", label, cards, self.discard_counts[seat], seat))
        if is_own:
            return [*found, open_zone(f"hand:{seat}", "hand", "Your hand", self.hand, owner=seat)]
        shown, note = self._shown_of(seat)
        return [*found, Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", shown, self.hand_counts[seat], seat, note)]

    def _shown_of(self, seat: int) -> tuple[tuple[Card, ...], str]:
        """The cards of a carte blanche that certainly lie in another's hand, and what else is known of it."""
        if self.blanche is None or self.blanche.seat != seat or not self.blanche.cards:
            return (), ""
        if not self.discard_counts[seat]:
            return cards_of(self.blanche.cards), "carte blanche"
        return (), f"carte blanche, dealt {' '.join(cards_of(self.blanche.cards))}"

    def _trick_zone(self) -> Zone:
        """The card led; before the next lead the trick just played."""
        if self.led is not None:
            return open_zone("trick", "row", "Trick", [self.led], note=f"led by @{self.played[-1][0]}")
        last = [card for _seat, card in self.played[-2:]]
        return open_zone("trick", "row", "Last trick" if last else "Trick", last)

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is BLANCHE:
            can_declare = len(self.moves) > 1
            return (
                "You were dealt carte blanche. Declare it now or go on."
                if can_declare
                else f"Look at your hand, then let @{self.elder} exchange."
            )
        if self.phase is EXCHANGE:
            low, high = self.exchange_limits
            number = f"{low} to {high} cards" if low < high else count_cards(low)
            return f"Exchange {number}: choose what to lay aside."
        if self.phase is DECLARE:
            return self._declaring_prompt()
        if self.phase is CLAIMS:
            return f"@{self.elder} passed the {self.due[1]}. Claim yours or pass."
        if self.phase is LEFT:
            return f"Turn up the {count_cards(self.talon_count)} left in the talon for both to see?"
        if self.led is None:
            return "Lead any card."
        suit = SUIT_NAMES[self.led[1]]
        can_follow = any(card[1] == self.led[1] for card in self.hand)
        return f"Follow with one of your {suit}." if can_follow else f"You have no {suit}: play any card."

    def _declaring_prompt(self) -> str:
        _place, category = self.due
        if self.seat == self.elder:
            return f"Declare your {category}, or pass."
        heard = [f'"{words}"' for seat, words in self.spoken if seat == self.elder]
        return f"@{self.elder} says {', '.join(heard)}. Answer."

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Play):
            return Choice(move, Phrase("play" if self.led else "lead", move.card), (move.card,))
        if isinstance(move, Exchange):
            return Choice(move, Phrase("exchange", " ".join(move.cards) or "nothing"), (*move.cards, "talon"))
        if isinstance(move, Claim):
            holding = self._holding(move)
            what = f"{holding.in_full}{f', making {holding.height}' if holding.category is POINT else ''}"
            return Choice(move, Phrase("claim", _with_article(what)))
        if isinstance(move, Pass):
            category = move.category or (self.due[1] if self.phase is CLAIMS else "category")
            return Choice(move, Phrase("pass", f"the {category}"))
        if isinstance(move, CarteBlanche):
            promise = f" and promise to exchange {count_cards(move.number)}" if move.number else ""
            return Choice(move, Phrase("declare", f"carte blanche{promise}"))
        assert isinstance(move, Word), f"{move!r} is a move of another game"
        return Choice(move, self._word_phrase(move))

    def _holding(self, move: Claim) -> Holding:
        """What a claim would be; lessons show such moves even where they are refused."""
        what = move.what
        if move.category is POINT:
            byte = suit_of(mask(self.hand), SUITS.index(what))
            return Holding(POINT, byte.bit_count(), VALUE_OF[byte], what)
        suit = what[1] if move.category is SEQUENCE else ""
        return Holding(move.category, int(what[-1]), RANKS.index(what[0]), suit)

    def _word_phrase(self, word: Word) -> Phrase:
        if word == NOT_GOOD and word in self.moves:
            place, category = self.due
            best = best_holding(mask(self.hand), category)
            assert best is not None, "a better holding has been found"
            is_longer = best.size > self.talks[place].elder.size
            return Phrase("say", f'"{winning_words(best, is_longer, self.options)}"')
        if word == LEAVE_DOWN:
            return Phrase("leave", "them face down")
        return _WORD_PHRASES[word]

    @property
    def offered(self) -> Sequence[Move]:
        return [move for move in self.moves if not isinstance(move, Exchange)]

    @property
    def selection(self) -> Selection | None:
        if self.phase is not EXCHANGE or self.seat not in self.to_act:
            return None
        low, high = self.exchange_limits
        return Selection("Exchange", self.hand, low, high)

    @property
    def forced(self) -> Move | None:
        """Only the last card: an answer or a card played unasked would show that there was no choice."""
        return self.moves[0] if self.phase is PLAY and len(self.hand) == 1 and self.moves else None

    @property
    def said(self) -> tuple[tuple[int, str], ...]:
        return self.spoken

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        elder, younger = self.elder, self.younger
        return (
            ("Elder", f"@{elder}"),
            ("Dealer", f"@{younger}"),
            ("This deal", f"@{elder} {self.deal_score[elder]}, @{younger} {self.deal_score[younger]}"),
            *self.match_facts,
        )

    @property
    def match_facts(self) -> tuple[tuple[str, str], ...]:
        """How far the match is."""
        return (("Deal", str(self.deal_number)), ("Target", str(self.options["target"])))


_WORD_PHRASES = {
    GOOD: Phrase("say", '"Good"'),
    MAKING: Phrase("say", '"Making?"'),
    EQUAL: Phrase("say", '"Equal"'),
    NOT_GOOD: Phrase("say", '"Not good"'),
    SILENT: Phrase("go", "on"),
    TURN_UP: Phrase("turn", "them up"),
}


def winning_words(best: Holding, is_longer: bool, options: Options) -> str:
    """Younger's answer that beats a claim: the figure that wins, or a bare "Not good" at a table that has it so."""
    if options["replies"] == "bare":
        return "Not good"
    if best.category is SET:
        return f"I have {best.size_in_words}"
    if is_longer:
        return f"I have {NUMBER_NAMES[best.size]}" if best.category is POINT else f"I have a {best.size_in_words}"
    return f"I have {best.height}" if best.category is POINT else f"Mine is {best.height_in_words}"


# Imagining what is hidden

SAMPLE_TRIES = 20_000


class _Imagination:
    """Hands that a view cannot tell from the real ones: they hold what was said, shown and looked at."""

    def __init__(self, view: PiquetView, rng: Random) -> None:
        self.view = view
        self.rng = rng
        self.known = [_played_by(view, seat) for seat in range(SEATS)]
        if view.seat is not None:
            self.known[view.seat] |= mask(view.hand)
            self.known[1 - view.seat] |= mask(view.known_of_other)
        for seat in range(SEATS):
            for category, figures in self._wishes(seat, ()):
                self.known[seat] |= _certain(category, figures)
        self.sizes = [
            view.hand_counts[seat] + sum(owner == seat for owner, _card in view.played) for seat in range(SEATS)
        ]
        self.pool = ALL_CARDS & ~self.known[0] & ~self.known[1] & ~mask(view.discards) & ~mask(view.known_talon)

    def hands(self) -> list[Hand]:
        """Both hands as they were when declaring, or as they are before that."""
        for _try in range(SAMPLE_TRIES):
            elder = self._hand(self.view.elder, self.pool, None)
            if elder is None:
                continue
            younger = self._hand(self.view.younger, self.pool & ~elder, elder)
            if younger is not None:
                return [elder, younger] if self.view.elder == 0 else [younger, elder]
        raise AssertionError("some hand agrees with what was said")

    def _hand(self, seat: int, pool: Hand, elder: Hand | None) -> Hand | None:
        """A hand for a seat that agrees with what is known of it, None if this attempt found none."""
        if seat == self.view.seat:
            return self.known[seat]
        claims = [] if elder is None else self._elder_claims(elder)
        blanche = self.view.blanche
        if blanche is not None and blanche.seat != seat:
            pool &= ~blanche.cards
        elif blanche is not None and not blanche.cards:
            pool &= ~COURT_CARDS
        hand = self._guess(seat, pool, self._wishes(seat, claims))
        return hand if hand is not None and self._agrees(seat, hand, claims) else None

    def _elder_claims(self, elder: Hand) -> list[Holding | None]:
        return [_matching(elder, category, heard) for category, heard in zip(Category, self.view.talks, strict=True)]

    def _wishes(self, seat: int, claims: Sequence[Holding | None]) -> list[tuple[Category, Figures]]:
        """Holdings that the hand must have."""
        found = []
        for place, (category, heard) in enumerate(zip(Category, self.view.talks, strict=True)):
            figures = heard.elder if seat == self.view.elder else heard.younger
            claim = claims[place] if claims else None
            if heard.asked and claim is not None and not figures.size:
                figures = Figures(claim.size)
            if figures.size:
                found.append((category, figures))
            is_winner = heard.stage is (Stage.ELDER if seat == self.view.elder else Stage.YOUNGER)
            if is_winner:
                found += [(category, _in_full(extra)) for extra in heard.extras]
        return found

    def _guess(self, seat: int, pool: Hand, wishes: Sequence[tuple[Category, Figures]]) -> Hand | None:
        """A random hand with the wished holdings, each suit without a suit named falling on any."""
        rng = self.rng
        hand, thrown = self._blanche_parts(seat, pool)
        banned = thrown
        by_suit: dict[int, list[tuple[Category, Figures]]] = {}
        for category, figures in wishes:
            if category is SET:
                cards = [BIT[RANKS[figures.height] + suit] for suit in SUITS]
                if figures.size == 3:
                    banned |= cards.pop(rng.randrange(4))
                hand |= sum(card for card in cards if not hand & card)
            else:
                suit = SUITS.index(figures.suit) if figures.suit else rng.randrange(4)
                by_suit.setdefault(suit, []).append((category, figures))
        free = pool & ~hand & ~banned
        for suit, wished in by_suit.items():
            chosen = self._guess_suit(suit, hand, free, wished, self.sizes[seat])
            if chosen is None:
                return None
            hand |= chosen
            free &= ~(255 << 8 * suit)
        missing = self.sizes[seat] - hand.bit_count()
        rest = [BIT[card] for card in cards_of(free)]
        if not 0 <= missing <= len(rest) or hand & (~(pool | self.known[seat]) | thrown):
            return None
        return hand | sum(rng.sample(rest, missing))

    def _guess_suit(
        self, suit: int, hand: Hand, free: Hand, wished: Sequence[tuple[Category, Figures]], size: int
    ) -> Hand | None:
        """Cards of a suit that make the wished holdings, each choice as likely as there are ways to go on."""
        held, offered = suit_of(hand, suit), suit_of(free, suit)
        rest = (free & ~(255 << 8 * suit)).bit_count()
        choices, weights = [], []
        for more in _subsets(offered):
            left = size - hand.bit_count() - more.bit_count()
            if 0 <= left <= rest and all(_suit_fits(held | more, *wish) for wish in wished):
                choices.append(more)
                weights.append(comb(rest, left))
        return self.rng.choices(choices, weights)[0] << 8 * suit if choices else None

    def _blanche_parts(self, seat: int, pool: Hand) -> tuple[Hand, Hand]:
        """What the hand holds for certain, and cards of a shown carte blanche that are taken to be discarded."""
        found, known = self.view.blanche, self.known[seat]
        if found is None or found.seat != seat or not found.cards:
            return known, 0
        loose = [BIT[card] for card in cards_of(found.cards & pool)]
        thrown = sum(self.rng.sample(loose, min(len(loose), self.view.discard_counts[seat])))
        return known | found.cards & pool & ~thrown, thrown

    def _agrees(self, seat: int, hand: Hand, claims: Sequence[Holding | None]) -> bool:
        is_led = bool(self.view.played)
        for place, (category, heard) in enumerate(zip(Category, self.view.talks, strict=True)):
            if seat == self.view.elder:
                fits = not heard.elder.size or _matching(hand, category, heard) is not None
            else:
                fits = _fits_younger(hand, category, heard, claims[place], is_led=is_led)
            if not fits:
                return False
        return True

    def talks(self, held: Sequence[Hand]) -> tuple[Talk, ...]:
        """What these hands have said, so that the view hears the same."""
        elder, younger = held[self.view.elder], held[self.view.younger]
        claims = self._elder_claims(elder)
        return tuple(
            _talk(elder, younger, category, heard, claim)
            for category, heard, claim in zip(Category, self.view.talks, claims, strict=True)
        )


def imagined_hands(view: PiquetView, rng: Random) -> list[Hand]:
    """Both hands as they may lie now, for all that the view knows."""
    held = _Imagination(view, rng).hands()
    return [held[seat] & ~_played_by(view, seat) for seat in range(SEATS)]


def _played_by(view: PiquetView, seat: int) -> Hand:
    return mask(card for owner, card in view.played if owner == seat)


@cache
def _subsets(byte: int) -> tuple[int, ...]:
    return tuple(subset for subset in range(256) if not subset & ~byte)


def _certain(category: Category, figures: Figures) -> Hand:
    """The cards that a holding shows: those of a run named in full, and four of a rank."""
    if category is SET and figures.size == 4:
        return 0x01010101 << figures.height
    is_named = category is SEQUENCE and figures.suit and figures.height >= 0
    return Holding(SEQUENCE, figures.size, figures.height, figures.suit).cards if is_named else 0


def _suit_fits(byte: int, category: Category, figures: Figures) -> bool:
    """Whether the cards of a suit are the wished point, or have the wished run."""
    if category is POINT:
        return byte.bit_count() == figures.size and figures.height in (-1, VALUE_OF[byte])
    return any(size == figures.size and figures.height in (-1, top) for size, top in RUNS_OF[byte])


def _matching(hand: Hand, category: Category, heard: Heard) -> Holding | None:
    """The first holding of elder that what was heard can mean, None if nothing was claimed."""
    if not heard.elder.size:
        return None
    return next((found for found in holdings(hand, category) if _may_be_claim(hand, found, heard)), None)


def _may_be_claim(hand: Hand, holding: Holding, heard: Heard) -> bool:
    is_settled = heard.stage is Stage.ELDER
    return heard.elder.fit(holding) and (not is_settled or extras(hand, holding) == heard.extras)


def _fits_younger(hand: Hand, category: Category, heard: Heard, claim: Holding | None, *, is_led: bool) -> bool:
    """Whether a hand of younger could have answered elder's claim, or claimed itself, as was heard."""
    if claim is None:
        return heard.stage is not Stage.YOUNGER or _own_claim(hand, category, heard) is not None
    best = best_holding(hand, category)
    if best is None:
        return not heard.asked and heard.stage not in (Stage.YOUNGER, Stage.EQUAL)
    if heard.asked and best.size != claim.size:
        return False
    if heard.stage is Stage.EQUAL:
        return best.figure == claim.figure and heard.younger.fit(best)
    if heard.stage is not Stage.YOUNGER:
        return True
    needs_more = category is not SET and not heard.asked
    is_better = best.size > claim.size if needs_more else best.figure > claim.figure
    return is_better and heard.younger.fit(best) and (not is_led or extras(hand, best) == heard.extras)


def _own_claim(hand: Hand, category: Category, heard: Heard) -> Holding | None:
    """What younger has claimed in a category that elder passed."""
    found = holdings(hand, category)
    return next((one for one in found if heard.younger.fit(one) and extras(hand, one) == heard.extras), None)


def _talk(elder: Hand, younger: Hand, category: Category, heard: Heard, claim: Holding | None) -> Talk:
    reply = None
    if heard.stage in (Stage.YOUNGER, Stage.EQUAL):
        reply = _own_claim(younger, category, heard) if claim is None else best_holding(younger, category)
    more: tuple[Holding, ...] = ()
    if heard.stage is Stage.ELDER and claim is not None:
        more = extras(elder, claim)
    elif heard.stage is Stage.YOUNGER and reply is not None:
        more = extras(younger, reply)
    return Talk(heard.stage, heard.asked, claim, reply, more)


# The game

_FILLER = next(numbered_decks(PACK))
_MANY_POINTS = 10_000


class Piquet(Game[PiquetState, PiquetView, PiquetMove]):
    slug: ClassVar[str] = "piquet"
    name: ClassVar[str] = "Piquet"
    summary: ClassVar[str] = "Exchange cards, declare what your hand is worth, and play twelve tricks."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    match: ClassVar[str] = "hundred"
    state_class: ClassVar[type[PiquetState]] = PiquetState
    view_class: ClassVar[type[PiquetView]] = PiquetView
    hand_options: ClassVar[tuple[Option, ...]] = (
        Option(
            "younger_min",
            "Younger exchanges",
            1,
            {1: "at least one card", 0: "or nothing at all"},
            "Elder always exchanges at least one card.",
        ),
        Option(
            "replies",
            "Winning answers",
            "figure",
            {"figure": "name the figure that wins", "bare": '"not good" alone'},
            "With bare answers the figures are named when younger scores.",
        ),
        switch("carte_blanche", "Carte blanche", default=True, help="10 points for a hand without court cards."),
    )
    options: ClassVar[tuple[Option, ...]] = (
        numbers("target", "Target", range(50, 501, 5), default=100, help="Looked at after each deal."),
        Option(
            "double_under",
            "Double game",
            50,
            {0: "off", **{points: f"the loser has fewer than {points}" for points in range(5, 101, 5)}},
            "Such a win counts twice.",
        ),
        switch("equal_deals", "Equal deals", default=False, help="The game ends after an even number of deals only."),
        *hand_options,
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def read_options(self, given: Mapping[str, object] | None, seats: int) -> dict[str, OptionValue]:
        """The game names its own match, so `match` may be given and says nothing new; `double_under` may be off."""
        chosen = dict(given or {})
        if chosen.pop("match", self.match) != self.match:
            raise BadOption(f"{self.name} is one way to play a match; choose the other game for the other way.")
        if truth(chosen.get("double_under")) is False:
            chosen["double_under"] = 0
        return super().read_options(chosen, seats)

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> PiquetState:
        return self.state_class(self, options, decks, dealer)

    def parse(self, text: str) -> PiquetMove:
        """`NG 49`, as it stands in records, is `NG`: the table names the figure."""
        return _read_move(text)

    def select(self, view: PiquetView, cards: Sequence[Card]) -> PiquetMove:
        unknown = [card for card in cards if card not in BIT]
        if unknown:
            raise UnreadableMove(f"There is no card {unknown[0]} in this pack.")
        return _read_exchange(cards)

    def attempt(self, view: PiquetView, picks: Sequence[str]) -> PiquetMove:
        """Cards of the hand to lay aside, to claim with or to play, as the phase has it."""
        mine = [pick for pick in picks if pick in view.hand]
        if view.phase is LEFT and "talon" in picks:
            return TURN_UP
        if not mine:
            raise UnreadableMove("Choose from your own hand.", rule=f"{self.slug}:exchange-hidden")
        if view.phase is EXCHANGE:
            return Exchange(cards_of(mask(mine)))
        if view.phase is CLAIMS or view.phase is DECLARE and view.seat == view.elder:
            return self._meant_claim(view.due[1], mine)
        if view.phase in (LEAD, PLAY) and len(mine) > 1:
            raise UnreadableMove("One card is played to a trick; choose one.", rule=f"{self.slug}:trick-winner")
        return PLAY_OF[mine[0]]

    def _meant_claim(self, category: Category, mine: Sequence[Card]) -> Claim:
        """The claim of these cards. :raises UnreadableMove: they are no point, sequence or set."""
        suits, ranks = {card[1] for card in mine}, sorted({RANKS.index(card[0]) for card in mine})
        if category is SET:
            if len(ranks) > 1:
                raise UnreadableMove("A set is three or four cards of one rank.", rule=f"{self.slug}:set-def")
            return Claim(SET, f"{mine[0][0]}{len(mine)}")
        if len(suits) > 1:
            rule = "point-length" if category is POINT else "sequence-def"
            raise UnreadableMove(f"A {category} lies in one suit.", rule=f"{self.slug}:{rule}")
        if category is POINT:
            return Claim(POINT, mine[0][1])
        if len(mine) < 3 or ranks[-1] - ranks[0] >= len(ranks):
            message = "A sequence is three or more cards of a suit that follow one another."
            raise UnreadableMove(message, rule=f"{self.slug}:sequence-def")
        return Claim(SEQUENCE, f"{RANKS[ranks[-1]]}{mine[0][1]}{len(mine)}")

    def sample(self, view: PiquetView, rng: Random) -> PiquetState:
        """`rng` deals what is hidden so that it agrees with all that was said, and the later decks."""
        state = self.state_class(self, view.options, Decks(random_decks(PACK, rng)), view.dealer)
        _copy_public(view, state)
        imagined = _Imagination(view, rng)
        held = imagined.hands()
        state.talks = imagined.talks(held)
        if view.blanche is not None:
            state.blanche = replace(view.blanche, cards=view.blanche.cards or held[view.blanche.seat])
        for seat in range(SEATS):
            state.hands[seat] = held[seat] & ~_played_by(view, seat)
        _hide_rest(view, state, held, rng)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> PiquetState:
        """A position; every key may be left out, and seats may be written A and B, or elder and younger.

        options: by name. dealer: seat 1 if not given; `first_dealer` instead, and the deal has passed since.
        phase: blanche, exchange, declare (or the category that is due: point, sequence, set), lead, claims, left,
        play, over; found from the cards where it is missing. to_move: checked, or who exchanges or leads.
        hands: by seat, or `elder` and `younger`, as they are now. Before the declarations hands and talon that are
        left out are made up from cards that lie nowhere else, later only the one hand that is left out.
        talon: what is left, the top card first. discards, drawn: by seat.
        carte_blanche: {seat, number, cards}; number is what elder promised to exchange, cards the hand as dealt.
        said: declarations and answers of this deal in order, `PT:H GD SQ:- ST:K4 NG` and younger's own after the
        lead. Without it, in a later phase than the first claim, both have declared their best: all but what
        `elder_calls` ({point: H, set: "-"}) says otherwise or `younger_passes` ([sequence]) leaves out.
        In the phase play without any of them nothing was declared. With younger to move in declare, elder has claimed.
        leader: who led the first of the cards in `played`; if not given the shorter hand, or else elder.
        turned_up: the cards left lie open.
        tricks, counted: by seat, the tricks won and points of this deal ({point: 5, leads: 3}), where not all of
        it has been played here.
        deals: points of the finished deals, by seat; scores: the sum of them if not given; deal: the number of the
        deal being played. extra_deals: deals after a tie, the one being played included.
        Without any cards the next deck is dealt.
        """
        state = self.state_class(self, {}, Decks(numbered_decks(PACK) if deals is None else deals), SEATS - 1)
        return _Reader(self, data, state).read()


def _copy_public(view: PiquetView, state: PiquetState) -> None:
    """What everybody knows of a game, without the cards."""
    state.phase, state.to_act = view.phase, view.to_act
    state.scores, state.results = list(view.scores), view.results
    state.deal_number, state.extra_deals = view.deal_number, view.extra_deals
    state.log = view.log[len(_result_events(view.results)) :]
    state.spoken, state.led, state.played = view.spoken, view.led, view.played
    state.tricks, state.turned_up = list(view.tricks), view.turned_up
    state.sheet, state.has_bonus = [list(points) for points in view.sheet], view.has_bonus


def _hide_rest(view: PiquetView, state: PiquetState, held: Sequence[Hand], rng: Random) -> None:
    """Discards, talon and what was drawn, once the hands are settled."""
    shown = view.blanche.cards if view.blanche is not None else 0
    hidden = ALL_CARDS & ~held[0] & ~held[1] & ~mask(view.discards) & ~mask(view.known_talon) & ~shown
    for seat in range(SEATS):
        if seat == view.seat:
            state.discards[seat], state.drawn[seat] = mask(view.discards), view.drawn
            continue
        dealt = shown if view.blanche is not None and view.blanche.seat == seat else 0
        thrown = dealt & ~held[seat] if dealt else _some(hidden, view.discard_counts[seat], rng)
        state.discards[seat] = thrown
        hidden &= ~thrown
        seen = view.known_of_other
        fresh = held[seat] & ~mask(seen) & ~dealt
        more = _some(fresh, view.drawn_counts[seat] - len(seen), rng)
        state.drawn[seat] = (*seen, *cards_of(more))
    known = view.known_talon
    state.talon = (*known, *cards_of(_some(hidden, view.talon_count - len(known), rng)))


def _some(cards: Hand, number: int, rng: Random) -> Hand:
    return sum(BIT[card] for card in rng.sample(cards_of(cards), number))


class _Reader(PositionReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    KEYS = (
        "seats", "options", "dealer", "first_dealer", "phase", "to_move", "hands", "elder", "younger", "talon",
        "discards", "drawn", "carte_blanche", "said", "elder_calls", "younger_passes", "leader", "played",
        "turned_up", "tricks", "counted", "scores", "deal", "deals", "extra_deals",
    )  # fmt: skip
    PHASES = ("blanche", "exchange", "declare", "point", "sequence", "set", "lead", "claims", "left", "play", "over")

    def __init__(self, game: Piquet, data: Position, state: PiquetState) -> None:
        super().__init__(game, data, self.KEYS)
        self.game: Piquet = game
        self.state = state
        state.options = self.options
        self._number_seats({"a": 0, "b": 1})

    def read(self) -> PiquetState:
        state = self.state
        is_over = self._read_match()
        is_last_extra = state.is_tied() and not is_over and self._text("phase") != OVER
        if state.is_decided() and not is_last_extra or self._text("phase") == OVER:
            return self._over()
        state.deal_number = self.number("deal", len(state.results) + 1, low=1, high=1000)
        self._read_dealer()
        self._number_seats({"elder": state.elder, "younger": state.younger})
        hands = self._read_hands()
        if not any((hands, *map(self.data.get, ("talon", "played", "phase")))):
            state.deal_hand()
            self._check_turn()
            return state
        self._read_cards(hands)
        self._fill(hands)
        if self.phase in (BLANCHE, EXCHANGE):
            self._begin()
        else:
            self._replay()
        self._read_counts()
        self._check_turn()
        return state

    # The match

    def _read_match(self) -> bool:
        """Whether the game ended with the last of the `deals`."""
        state = self.state
        is_over = False
        for number, points in enumerate(self._list("deals"), start=1):
            if is_over:
                raise ImpossiblePosition(f"deals: the game was over after {number - 1} of them.")
            raw = [whole_number(value, "deals", low=0, high=_MANY_POINTS) for value in by_seat(points, SEATS, "deals")]
            state.deal_number = number
            state.add_result(_bare_result(self.game, number, [value * state.weight(number) for value in raw]))
            is_over = state.is_decided()  # before the deal that would follow is counted
            state.extra_deals += not is_over and (state.extra_deals > 0 or state.is_tied())
        finished, being_played = len(state.results), self._text("phase") != OVER
        if self.data.get("scores") is not None:
            state.scores = self.numbers("scores", high=_MANY_POINTS)
            finished = finished if finished or being_played else state.likely_deals()
        state.deal_number = self.number("deal", finished + being_played, low=1, high=1000) - being_played
        state.extra_deals = self.number("extra_deals", max(state.extra_deals, int(state.is_tied())), high=EXTRA_DEALS)
        is_uneven = state.options.get("equal_deals") and (state.deal_number + being_played - state.extra_deals) % 2 == 1
        if state.extra_deals and not is_over and (is_uneven or max(state.scores) < int(state.options.get("target", 0))):
            raise ImpossiblePosition("extra_deals: further deals follow equal totals at the end of the game.")
        return is_over

    def _over(self) -> PiquetState:
        if not self.state.is_decided():
            raise ImpossiblePosition("phase: with these scores the game is not over.")
        if self._text("phase") not in ("", OVER):
            raise ImpossiblePosition("phase: with these scores the game is over.")
        self._read_dealer()
        return self.state

    def _read_dealer(self) -> None:
        state = self.state
        first = self._seat("first_dealer", 0 if state.results and "deals" in self.data else None)
        rotated = None if first is None else (first + state.deal_number - 1) % SEATS
        dealer = self._seat("dealer", SEATS - 1 if rotated is None else rotated)
        assert dealer is not None, "there is a default"
        state.dealer = dealer

    def _number_seats(self, names: Mapping[str, int]) -> None:
        """Writes zones that are given by the names of seats by their numbers instead."""
        self.data = dict(self.data)
        for key in ("hands", "discards", "drawn", "tricks", "counted", "scores"):
            given = self.data.get(key)
            if isinstance(given, Mapping):
                self.data[key] = {names.get(str(seat).lower(), seat): entry for seat, entry in given.items()}

    def _seat(self, key: str, default: int | None) -> int | None:
        """A seat by number, as A or B, or, for turns, as elder or younger."""
        word = self._text(key)
        named = {"a": 0, "b": 1}
        if key in ("to_move", "leader"):
            named |= {"elder": self.state.elder, "younger": self.state.younger}
        return named[word] if word in named else self.seat(key, default)

    # The cards

    def _read_hands(self) -> dict[int, list[Card]]:
        """The hands that are given."""
        by_role = {self.state.elder: "elder", self.state.younger: "younger"}
        roles = {seat: key for seat, key in by_role.items() if self.data.get(key) is not None}
        if roles and self.data.get("hands") is not None:
            raise ImpossiblePosition("hands: write them by seat or as elder and younger, not both.")
        if roles:
            return {seat: card_list(self.data[key], key) for seat, key in roles.items()}
        entries = by_seat(self.data.get("hands"), SEATS, "hands")
        return {seat: card_list(cards, "hands") for seat, cards in enumerate(entries) if cards is not None}

    def _read_cards(self, hands: Mapping[int, Sequence[Card]]) -> None:
        state = self.state
        talon, played = card_list(self.data.get("talon"), "talon"), card_list(self.data.get("played"), "played")
        discards, drawn = self.card_lists("discards"), self.card_lists("drawn")
        check_cards([*(card for cards in (*hands.values(), *discards) for card in cards), *talon, *played], PACK)
        check_cards([card for cards in drawn for card in cards], PACK)
        for seat, cards in hands.items():
            if len(cards) > HAND_CARDS:
                raise ImpossiblePosition(f"hands: seat {seat} can hold {HAND_CARDS} cards at most.")
            state.hands[seat] = mask(cards)
        if len(talon) + len(drawn[0]) + len(drawn[1]) > TALON_CARDS:
            raise ImpossiblePosition(f"talon: {TALON_CARDS} cards at most lie there, those drawn included.")
        state.talon = tuple(talon)
        state.discards = [mask(cards) for cards in discards]
        state.drawn = [tuple(cards) for cards in drawn]
        self.cards_played = played
        self.phase, self.due = self._read_phase(hands)

    def _read_phase(self, hands: Mapping[int, Sequence[Card]]) -> tuple[Phase, str]:
        """The phase, and for `declare` the category that is due if one is named."""
        word = self._text("phase") or self._likely_phase(hands)
        if word not in self.PHASES:
            raise ImpossiblePosition(f"phase: choose one of {', '.join(self.PHASES)}.")
        return (DECLARE, word) if word in tuple(Category) else (Phase(word), "")

    def _likely_phase(self, hands: Mapping[int, Sequence[Card]]) -> str:
        if self.cards_played:
            return PLAY
        if self._list("said"):
            return DECLARE
        if self.data.get("elder_calls") or self.data.get("younger_passes"):
            return LEAD
        if self.state.talon and not any(self.state.discards):
            return BLANCHE if self.state.has_blanche(self.state.younger) else EXCHANGE
        return PLAY if hands and max(map(len, hands.values())) < HAND_CARDS else DECLARE

    def _fill(self, hands: Mapping[int, Sequence[Card]]) -> None:
        """Makes up what was left out from cards that lie nowhere else."""
        state = self.state
        used = state.hands[0] | state.hands[1] | state.discards[0] | state.discards[1]
        used |= mask(state.talon) | mask(self.cards_played)
        spare = [card for card in _FILLER if not BIT[card] & used]
        is_early = self.phase in (BLANCHE, EXCHANGE)
        size = len(next(iter(hands.values()))) if hands else HAND_CARDS
        for seat in range(SEATS):
            if seat not in hands and (is_early or len(self.cards_played) == 0):
                state.hands[seat] = mask(spare[:size])
                spare = spare[size:]
        if is_early and self.data.get("talon") is None:
            state.talon = tuple(spare[: TALON_CARDS - self._taken()])

    def _taken(self) -> int:
        """How many cards have left the talon before an exchange; five if elder has drawn and nothing else is said."""
        state = self.state
        given = self.data.get("carte_blanche")
        is_promised = isinstance(given, Mapping) and bool(given.get("number"))
        has_drawn = self.phase is EXCHANGE and self._exchanger(is_promised) == state.younger and not is_promised
        drawn = sum(map(len, state.drawn))
        return drawn or (state.discards[state.elder].bit_count() or ELDER_MOST if has_drawn else 0)

    def _exchanger(self, is_promised: bool) -> int:
        """Who exchanges now: elder first, but after his promise younger first."""
        state = self.state
        first, second = (state.younger, state.elder) if is_promised else (state.elder, state.younger)
        seat = self._seat("to_move", second if state.discards[first] else first)
        assert seat is not None, "there is a default"
        return seat

    # What has happened

    def _begin(self) -> None:
        """The state before an exchange."""
        state = self.state
        self._read_blanche()
        is_promised = state.blanche is not None and state.blanche.number > 0
        held = [hand.bit_count() for hand in state.hands]
        if self.phase is BLANCHE:
            if not state.options["carte_blanche"]:
                raise ImpossiblePosition("phase: carte blanche does not count at this table.")
            state.begin()
        else:
            state.phase = EXCHANGE
            seat = self._exchanger(is_promised)
            state.to_act = _TURN_OF[seat]
            self._check_exchange(seat, is_promised)
            if is_promised and seat == state.elder:
                held[state.younger] += state.discards[state.younger].bit_count()
        if held[0] != held[1]:
            raise ImpossiblePosition("hands: both players need as many cards.")

    def _check_exchange(self, seat: int, is_promised: bool) -> None:
        state = self.state
        if state.discards[seat]:
            raise ImpossiblePosition("discards: the seat to exchange has laid nothing aside yet.")
        if seat == state.younger and not is_promised and len(state.talon) == TALON_CARDS:
            raise ImpossiblePosition(f"talon: elder has drawn first, so fewer than {TALON_CARDS} cards are left.")

    def _read_blanche(self) -> None:
        state = self.state
        given = self.data.get("carte_blanche")
        if given is None:
            return
        if not isinstance(given, Mapping) or not state.options["carte_blanche"]:
            raise ImpossiblePosition("carte_blanche: write its seat and number, at a table that plays it.")
        known_keys(given, ("seat", "number", "cards"))
        word = str(given.get("seat")).lower()
        named = {"a": 0, "b": 1, "elder": state.elder, "younger": state.younger}
        seat = whole_number(named.get(word, given.get("seat")), "carte_blanche", low=0, high=SEATS - 1)
        low, high = (1, ELDER_MOST) if seat == state.elder else (0, 0)
        number = whole_number(given.get("number", 0), "carte_blanche", low=low, high=high)
        dealt = card_list(given.get("cards"), "carte_blanche") or cards_of(state.hands[seat])
        check_cards(dealt, PACK)
        if len(dealt) != HAND_CARDS or mask(dealt) & COURT_CARDS:
            raise ImpossiblePosition("carte_blanche: it is twelve cards without king, queen or jack.")
        state.blanche = Blanche(seat, number, mask(dealt))
        thrown = mask(dealt) & ~state.hands[seat]
        state.discards[seat] = state.discards[seat] or thrown
        check_cards([card for hand in (*state.hands, *state.discards) for card in cards_of(hand)], PACK)
        if state.discards[seat] != thrown:
            raise ImpossiblePosition("carte_blanche: what is gone from it must be the discards of that seat.")
        state.sheet[seat][Item.CARTE_BLANCHE] = CARTE_BLANCHE_POINTS

    def _replay(self) -> None:
        """Plays what was said and played, from the hands as they were before."""
        state = self.state
        said = [self._move(text) for text in self._list("said")]
        words = ("elder_calls", "younger_passes")
        has_declared = bool(said or self.phase is not PLAY or any(self.data.get(key) is not None for key in words))
        leader = self._leader(has_declared)
        for owner, card in _owners(self.cards_played, leader):
            state.hands[owner] |= BIT[card]
        if state.hands[0].bit_count() != state.hands[1].bit_count():
            raise ImpossiblePosition("hands: both players need as many cards, those played included.")
        self._read_blanche()
        state.phase, state.to_act = (DECLARE, _TURN_OF[state.elder]) if has_declared else (PLAY, _TURN_OF[leader])
        cards: list[PiquetMove] = [PLAY_OF[card] for card in self.cards_played]
        while (move := self._next_move(said, cards)) is not None:
            try:
                state.play(state.to_act[0], move)
            except IllegalMove as error:
                raise ImpossiblePosition(f"{move}: {error}") from None
        if said or cards or not any(state.hands) or state.phase is not self.phase:
            raise ImpossiblePosition(f"said, played: they lead to the phase {state.phase}, not to {self.phase}.")

    def _leader(self, has_declared: bool) -> int:
        state = self.state
        elder, younger = (state.hands[seat].bit_count() for seat in (state.elder, state.younger))
        likely = self._seat("to_move", state.younger if elder < younger else state.elder)
        assert likely is not None, "there is a default"
        if has_declared:
            likely = state.elder
        elif len(self.cards_played) == 1:
            likely = 1 - likely
        leader = self._seat("leader", likely)
        assert leader is not None, "there is a default"
        return leader

    def _next_move(self, said: list[PiquetMove], cards: list[PiquetMove]) -> PiquetMove | None:
        """What was done next, None when the position is reached."""
        state = self.state
        if state.phase is LEFT and self.phase is PLAY:
            return TURN_UP if self.switch("turned_up") else LEAVE_DOWN
        if state.phase in (DECLARE, CLAIMS):
            if self._list("said"):
                return said.pop(0) if said else None
            is_turn = self._seat("to_move", state.to_act[0]) == state.to_act[0]
            is_there = is_turn and state.phase is self.phase and self.due in ("", state.due()[1])
            return None if is_there else self._likely_move()
        if state.phase in (LEAD, PLAY):
            return cards.pop(0) if cards else None
        return None

    def _likely_move(self) -> PiquetMove:
        """The best claim or answer, or what the position says of it."""
        state = self.state
        seat = state.to_act[0]
        _place, category = state.due()
        if seat == state.younger and state.phase is DECLARE:
            return state.legal_moves(seat)[-1]
        best = best_holding(state.hands[seat], category)
        nothing = state.pass_due()
        if state.phase is CLAIMS:
            return nothing if best is None or category in self._list("younger_passes") else Claim(category, best.what)
        calls = self.data.get("elder_calls") or {}
        if not isinstance(calls, Mapping):
            raise ImpossiblePosition('elder_calls: write categories with calls, such as {point: H, set: "-"}.')
        known_keys(calls, Category)
        call = calls.get(str(category))
        if call is not None:
            return self._move(f"{LETTERS[category]}:{str(call).upper().removeprefix(LETTERS[category] + ':')}")
        return nothing if best is None else Claim(category, best.what)

    def _move(self, text: object) -> PiquetMove:
        try:
            return _read_move(str(text))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"said: {error}") from None

    def _read_counts(self) -> None:
        state = self.state
        if self.data.get("tricks") is not None:
            state.tricks = self.numbers("tricks", high=TRICKS)
            if sum(state.tricks) + max(hand.bit_count() for hand in state.hands) > TRICKS:
                raise ImpossiblePosition(f"tricks: with the cards still held there are more than {TRICKS}.")
        for seat, given in enumerate(by_seat(self.data.get("counted"), SEATS, "counted")):
            if given is not None:
                state.sheet[seat] = self._points(given)
        state.has_bonus = any(points[item] for points in state.sheet for item in (Item.REPIQUE, Item.PIQUE))
        state.turned_up = self.switch("turned_up")

    def _points(self, given: object) -> list[int]:
        names = [item.name.lower() for item in Item]
        if not isinstance(given, Mapping):
            raise ImpossiblePosition("counted: write points by name, such as {point: 5, leads: 3}.")
        known_keys(given, names)
        return [whole_number(given.get(name, 0), "counted", low=0, high=_MANY_POINTS) for name in names]

    def _check_turn(self) -> None:
        state = self.state
        if not state.legal_moves(state.to_act[0]):
            raise ImpossiblePosition("hands, talon: the seat to move has nothing that it could do.")
        for seat, cards in enumerate(state.drawn):
            gone = {card for owner, card in state.played if owner == seat}
            if not set(cards) <= {*cards_of(state.hands[seat]), *gone}:
                raise ImpossiblePosition("drawn: these cards must be in the hand that drew them, or played from it.")
        if self._seat("to_move", state.to_act[0]) != state.to_act[0]:
            raise ImpossiblePosition(f"to_move: it is the turn of seat {state.to_act[0]}.")

    def _text(self, key: str) -> str:
        value = self.data.get(key)
        return str(value).strip().lower() if isinstance(value, str) else ""

    def _list(self, key: str) -> list[Any]:
        """A list, or the words of a text; [] if nothing is given."""
        value = self.data.get(key)
        if value is None:
            return []
        if isinstance(value, str):
            return value.split()
        if not isinstance(value, Sequence):
            raise ImpossiblePosition(f"{key}: write a list.")
        return list(value)


def _owners(played: Sequence[Card], leader: int) -> Iterator[tuple[int, Card]]:
    """Who played each card, from who led the first."""
    for place in range(0, len(played), 2):
        yield leader, played[place]
        if place + 1 < len(played):
            yield 1 - leader, played[place + 1]
            if beats(played[place + 1], played[place], RANKS):
                leader = 1 - leader


def _bare_result(game: Piquet, number: int, points: Sequence[int]) -> HandResult:
    """A finished deal of which only the points are known."""
    rule = f"{game.slug}:running-score"
    lines = tuple(ScoreLine((seat,), rule, "Counted in this deal", gained) for seat, gained in enumerate(points))
    return HandResult(number, f"{points[0]} for @0; {points[1]} for @1.", tuple(points), lines)


PIQUET = Piquet()
