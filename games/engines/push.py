"""Push for four in two partnerships: contract rummy in which an unwanted card is pushed on to the next player.

Source: "The Penguin Book of Card Games", the pages from "Play" on. Pack, hand sizes, the table of initial melds and
the number of deals, which it lacks there, follow pagat.com.
Rulings, where they are silent or unclear:
- the pile never holds more than one card, so a stock that has run out ends the deal: below two cards nobody can push,
  and who does not want the upcard ends the deal instead; then both sides are charged;
- after eight turns in a row that took the upcard and laid nothing the next player has to push;
- the upcard just taken may be discarded only as the last card of a hand;
- a wild upcard goes back into the stock before the first turn, at a place computed from the order of the deck;
- only jokers are exchanged, never deuces, never for a two, and only by players who have made their initial meld;
- deuces never count as natural, so a set of twos cannot exist;
- `deals` 1 plays one contract for practice, chosen by `contract`; an extra deal repeats the last contract;
- who gets the lower total wins; if equal, the side that went out more often, or as `tiebreak` says.
It ends: a push takes two cards from the stock, a play lays one for good, and between them lie at most eight turns.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from itertools import chain, combinations, product
from random import Random
from typing import Any, NoReturn, Self, TypeAlias, cast

from games.core.cards import RANKS, SUITS, Card, display_key, face, is_joker, pack
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
    Selection,
    State,
    UnreadableMove,
    View,
    Zone,
    move_that_touches,
    open_zone,
    places,
    switch,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import SidesReader, by_seat, card_list, check_cards, whole_number
from games.core.rummy.initial_melds import Contract, find_initial_meld, run_with, split_into
from games.core.rummy.melds import LONGEST_RUN, SEQUENCES, SMALLEST_MELD, Fault, Growth, Meld, MeldRules, upwards

PACK = pack(copies=2, jokers=4)
KNOWN_CARDS = frozenset(PACK)
SEATS = 4
SIDES = ((0, 2), (1, 3))
SEAT_LETTERS = "NESW"
SIDE_NAMES = ("NS", "EW")
WILD = "X2"
STALL_TURNS = 8
PUSHED_CARDS = 2
MOST_EXTRA_DEALS = 3
LAST_CONTRACT = 5

PENALTIES = dict.fromkeys(WILD, 20) | {"A": 15} | dict.fromkeys("KQJT", 10) | dict.fromkeys("3456789", 5)


def penalty(cards: Iterable[Card]) -> int:
    """What cards left in a hand cost."""
    return sum([PENALTIES[card[0]] for card in cards])


def is_wild(card: Card) -> bool:
    return card[0] in WILD


def in_hand_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """By rank and suit, the wild cards last."""
    return tuple(sorted(cards, key=lambda card: (is_wild(card), display_key(card))))


# Melds


class PushMeld(Meld):
    """A meld as this game writes it: `S(5S2 5H1 5C1)`, `R(9D1 TD2 JD1 2H1)`, runs from low to high."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.kind[0].upper()}({' '.join(self.cards)})"


def set_of(cards: Iterable[Card]) -> PushMeld:
    """Kept by suit S H D C, then the wild cards."""
    return PushMeld("set", tuple(sorted(cards, key=lambda card: (is_wild(card), "SHDCBR".index(card[1]), card))))


def run_of(cards: Iterable[Card]) -> PushMeld:
    return PushMeld("run", tuple(cards))


ONE_OF_A_SUIT = MeldRules("high_or_low", wild=WILD)
ANY_SUITS = MeldRules("high_or_low", "any", largest_set=8, wild=WILD)
ROUND_THE_CORNER = MeldRules("round", wild=WILD)


def meld_fault(rules: MeldRules, meld: PushMeld) -> Fault | None:
    """The first rule that a meld breaks."""
    if len(meld.cards) < SMALLEST_MELD:
        return Fault("meld-min-three", f"{meld} is too small: a meld needs at least three cards.")
    naturals = [card for card in meld.cards if not is_wild(card)]
    if not naturals:
        return Fault("wild-one-natural", f"{meld} has only wild cards: add a natural card to them.")
    return _set_fault(rules, meld, naturals) if meld.kind == "set" else _run_fault(rules, meld, naturals)


def _set_fault(rules: MeldRules, meld: PushMeld, naturals: Sequence[Card]) -> Fault | None:
    if len({card[0] for card in naturals}) > 1:
        return Fault("meld-set", f"{meld} mixes ranks: choose cards of one rank for a set.")
    if rules.set_suits == "different" and len({card[1] for card in naturals}) < len(naturals):
        return Fault("set-suits-differ", f"{meld} shows a suit twice: use each suit only once in a set.")
    if len(meld.cards) > rules.largest_set:
        return Fault("set-max-four", f"{meld} is too large: a set has at most {rules.largest_set} cards.")
    return None


def _run_fault(rules: MeldRules, meld: PushMeld, naturals: Sequence[Card]) -> Fault | None:
    if len({card[1] for card in naturals}) > 1:
        return Fault("meld-run", f"{meld} mixes suits: choose cards of one suit for a run.")
    if len(meld.cards) > LONGEST_RUN:
        return Fault("run-ace-ends", f"{meld} is too long: a run has at most 13 cards, with the ace at one end.")
    if rules.run_start(meld.cards) is not None:
        return None
    if ROUND_THE_CORNER.run_start(meld.cards) is not None:
        return Fault("run-ace-ends", f"{meld} goes round the corner: end a run at the ace, or begin one with it.")
    return Fault("meld-run", f"{meld} has a gap: the ranks of a run follow each other, wild cards filling in.")


@lru_cache(maxsize=4096)
def growth(rules: MeldRules, meld: PushMeld) -> dict[Growth, frozenset[str]]:
    return rules.growth(meld)


@lru_cache(maxsize=4096)
def faces(rules: MeldRules, meld: PushMeld) -> tuple[frozenset[str], ...]:
    return rules.faces(meld)


def grown(meld: PushMeld, card: Card, end: Growth) -> PushMeld:
    if end == "set":
        return set_of((*meld.cards, card))
    return run_of((card, *meld.cards) if end == "low" else (*meld.cards, card))


def exchanged(meld: PushMeld, joker: Card, card: Card) -> PushMeld:
    """The meld with a natural card in the joker's place."""
    cards = [card if old == joker else old for old in meld.cards]
    return set_of(cards) if meld.kind == "set" else run_of(cards)


def in_words(meld: PushMeld) -> str:
    """A meld as one speaks of it, "the run from 5S to 7S: XB1 2D1 7S1"; also where it is none and will be refused."""
    cards = " ".join(meld.cards)
    is_wild_run = meld.kind == "run" and any(map(is_wild, meld.cards))
    if not is_wild_run or meld_fault(ONE_OF_A_SUIT, meld) is not None:
        return f"the {meld.kind} {cards}"
    low, *_, high = ONE_OF_A_SUIT.run_faces(meld.cards)
    return f"the run from {low} to {high}: {cards}"


def laid_out(meld: Meld) -> PushMeld:
    """A meld in the order of this game."""
    return set_of(meld.cards) if meld.kind == "set" else run_of(meld.cards)


def reading(rules: MeldRules, cards: Sequence[Card]) -> PushMeld:
    """What marked cards are: a run if they are one as they stand, else a set or a run; no meld if they make none."""
    naturals = [card for card in cards if not is_wild(card)]
    filled = run_with(rules, naturals, [card for card in cards if is_wild(card)]) if naturals else None
    for meld in (run_of(cards), set_of(cards), filled):
        if meld is not None and meld_fault(rules, laid_out(meld)) is None:
            return laid_out(meld)
    is_set = len({card[0] for card in naturals}) <= 1
    return set_of(cards) if is_set else run_of(in_hand_order(cards))


# The initial melds. Each has as many cards as a player is dealt.

CONTRACTS = {
    1: Contract((("set", 3), ("set", 3)), "two sets of three"),
    2: Contract((("set", 3), ("run", 4)), "a set of three and a run of four"),
    3: Contract((("run", 4), ("run", 4)), "two runs of four"),
    4: Contract((("set", 3), ("set", 3), ("set", 3)), "three sets of three"),
    5: Contract((("run", 5), ("run", 5)), "two runs of five"),
}


# Moves


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Takes the upcard: `TAKE 9D1`."""

    card: Card

    def __str__(self) -> str:
        return f"TAKE {self.card}"


@dataclass(frozen=True, slots=True)
class Push(Move):
    """Hands the upcard and the next stock card to the left, and draws: `PUSH`."""

    def __str__(self) -> str:
        return "PUSH"


@dataclass(frozen=True, slots=True)
class End(Move):
    """Ends a deal whose stock has run out: `END`."""

    def __str__(self) -> str:
        return "END"


@dataclass(frozen=True, slots=True)
class Open(Move):
    """The initial meld: `OPEN S(5S2 5H1 5C1) R(9D1 TD2 JD1 2H1)`; the melds are numbered as they are written."""

    melds: tuple[PushMeld, ...]

    def __str__(self) -> str:
        return f"OPEN {' '.join(map(str, self.melds))}"

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(chain.from_iterable(meld.cards for meld in self.melds))


@dataclass(frozen=True, slots=True)
class NewMeld(Move):
    """A further meld: `MELD R(8H1 XB1 TH2)`."""

    meld: PushMeld

    def __str__(self) -> str:
        return f"MELD {self.meld}"

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.meld.cards


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a card is laid off: a meld and, for a run, its end: `M2`, `M3+` high, `M3-` low."""

    number: int
    end: str = ""

    def __str__(self) -> str:
        return f"M{self.number}{self.end}"


@dataclass(frozen=True, slots=True)
class LayOff(Move):
    """Adds a card to a meld of the table: `LAY 8S1>M3+`."""

    card: Card
    spot: Spot

    def __str__(self) -> str:
        return f"LAY {self.card}>{self.spot}"


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Exchanges a joker and uses it at once: `SWAP 6S2>M1=XB1 LAY>M2`, `SWAP 6S2>M1=XB1 MELD R(8H1 XB1 TH2)`.

    use: where the joker goes, None if that is not said, which is never legal.
    """

    card: Card
    number: int
    joker: Card
    use: Spot | NewMeld | Open | None = None

    def __str__(self) -> str:
        use = "" if self.use is None else f" LAY>{self.use}" if isinstance(self.use, Spot) else f" {self.use}"
        return f"SWAP {self.card}>M{self.number}={self.joker}{use}"

    @property
    def from_hand(self) -> tuple[Card, ...]:
        more = self.use.cards if isinstance(self.use, NewMeld | Open) else ()
        return (self.card, *(card for card in more if card != self.joker))


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Ends the turn: `DISC KC1`."""

    card: Card

    def __str__(self) -> str:
        return f"DISC {self.card}"


PushMove: TypeAlias = Take | Push | End | Open | NewMeld | LayOff | Swap | Discard

PUSH, END = Push(), End()
_TAKE_OF = {card: Take(card) for card in PACK}
_DISCARD_OF = {card: Discard(card) for card in PACK}
_GROWTH_AT: dict[str, Growth] = {"": "set", "-": "low", "+": "high"}
_END_OF = {growth: end for end, growth in _GROWTH_AT.items()}


# Reading moves

_CARD = r"([A-Z0-9]{2,3})"
_SPOT = r"M(\d{1,3})([+-]?)"
_MELD = r"[SR]\([A-Z0-9 ,]*\)"
_MELDS = rf"({_MELD}(?:,?{_MELD})*)"
_SIMPLE_MOVE = re.compile(rf"(TAKE|DISC) {_CARD}")
_PUSH_MOVE = re.compile(r"PUSH(?: [A-Z0-9]{3}(?:\+(?:\?|[A-Z0-9]{3}=[A-Z0-9]{3}))?)?")
_MELD_MOVE = re.compile(rf"(OPEN|MELD) {_MELDS}")
_LAY_MOVE = re.compile(rf"LAY {_CARD}>{_SPOT}")
_SWAP_MOVE = re.compile(rf"SWAP {_CARD}>M(\d{{1,3}})={_CARD}(?: (.+))?")
_SWAP_LAY = re.compile(rf"LAY>{_SPOT}")
_HELP = (
    "Write TAKE 9D1, PUSH or END to begin a turn; OPEN S(5S2 5H1 5C1) S(9D1 9H1 9S2), MELD R(8H1 XB1 TH2), LAY 8S1>M3+ "
    "or SWAP 6S2>M1=XB1 LAY>M2 to lay cards; DISC KC1 to end it."
)


def read_move(text: str) -> PushMove:
    """:raises UnreadableMove:"""
    tidy = _tidy(text)
    if tidy == "END":
        return END
    if _PUSH_MOVE.fullmatch(tidy):
        return PUSH
    if match := _SIMPLE_MOVE.fullmatch(tidy):
        return (_TAKE_OF if match[1] == "TAKE" else _DISCARD_OF)[_read_card(match[2])]
    if match := _MELD_MOVE.fullmatch(tidy):
        return _read_melding(match[1], match[2])
    if match := _LAY_MOVE.fullmatch(tidy):
        return LayOff(_read_card(match[1]), Spot(int(match[2]), match[3]))
    if match := _SWAP_MOVE.fullmatch(tidy):
        return Swap(_read_card(match[1]), int(match[2]), _read_card(match[3]), _read_use(match[4]))
    raise UnreadableMove(f"{text.strip()[:40]!r} is no move of Push. {_HELP}")


def _tidy(text: str) -> str:
    """Upper case, with single spaces between words and cards and none beside a sign."""
    return re.sub(r" ?([()>=,+-]) ?", r"\1", " ".join(text.upper().split()))


def _read_card(text: str) -> Card:
    if text not in KNOWN_CARDS:
        raise UnreadableMove(f"There is no card {text}; write rank, suit and pack, such as 4H1, and jokers XB1 or XR2.")
    return text


def _read_melding(word: str, text: str) -> Open | NewMeld:
    melds = tuple(map(read_meld, re.findall(_MELD, text)))
    if word == "OPEN":
        return Open(melds)
    if len(melds) > 1:
        raise UnreadableMove("MELD lays one meld; lay the next one by a move of its own.")
    return NewMeld(melds[0])


def read_meld(text: str) -> PushMeld:
    """`S(..)` or `R(..)`; a run in any order that tells where its wild cards stand. :raises UnreadableMove:"""
    compact = _tidy(text)
    if not re.fullmatch(_MELD, compact):
        raise UnreadableMove(f"{text.strip()[:40]!r} is no meld; write S(5S2 5H1 5C1) or R(9D1 TD2 JD1).")
    cards = [_read_card(card) for card in re.split("[ ,]+", compact[2:-1])]
    if compact[0] == "S":
        return set_of(cards)
    return run_of(upwards(cards, WILD))


def _read_use(text: str | None) -> Spot | NewMeld | Open | None:
    if text is None:
        return None
    if match := _SWAP_LAY.fullmatch(text):
        return Spot(int(match[1]), match[2])
    if match := _MELD_MOVE.fullmatch(text):
        return _read_melding(match[1], match[2])
    raise UnreadableMove(f"After the exchange write LAY>M2, LAY>M4+ or MELD R(8H1 XB1 TH2), not {text[:40]!r}.")


# Enumeration


@lru_cache(maxsize=1024)
def melds_of_three(rules: MeldRules, hand: tuple[Card, ...]) -> tuple[PushMeld, ...]:
    """Every meld of three cards in a hand; of deuces and of jokers, which are all alike, two at most are used."""
    jokers = [card for card in hand if is_joker(card)]
    wilds = [card for card in hand if is_wild(card) and not is_joker(card)][:2] + jokers[:2]
    held: dict[str, list[Card]] = defaultdict(list)
    for card in hand:
        if not is_wild(card):
            held[face(card)].append(card)
    return (*_sets_of_three(rules, held, wilds), *_runs_of_three(held, wilds))


def _sets_of_three(rules: MeldRules, held: Mapping[str, list[Card]], wilds: Sequence[Card]) -> Iterator[PushMeld]:
    for rank in RANKS:
        naturals = [card for suit in SUITS for card in held.get(rank + suit, ())]
        for count in range(1, SMALLEST_MELD + 1):
            for part in combinations(naturals, count):
                if rules.set_suits == "any" or len({card[1] for card in part}) == count:
                    for fill in combinations(wilds, SMALLEST_MELD - count):
                        yield set_of((*part, *fill))


def _runs_of_three(held: Mapping[str, list[Card]], wilds: Sequence[Card]) -> Iterator[PushMeld]:
    ranks = SEQUENCES["high_or_low"]
    windows = [[rank + suit for rank in ranks[low : low + 3]] for suit in SUITS for low in range(len(ranks) - 2)]
    for window in windows:
        naturals = [held.get(name, []) for name in window]
        for has_natural in product((True, False), repeat=SMALLEST_MELD):
            choices = [own if is_own else wilds for own, is_own in zip(naturals, has_natural, strict=True)]
            if any(has_natural) and all(choices):
                for cards in product(*choices):
                    if len(set(cards)) == SMALLEST_MELD:
                        yield run_of(cards)


# State


class Phase(StrEnum):
    DRAW = "draw"
    PLAY = "play"
    OVER = "over"


DRAW, PLAY, OVER = Phase


class PushState(State):
    """A game of Push.

    deal_number: that of the contract, 1 to 5. scores, deals_won: by side, NS first; scores are penalty points.
    hands: in hand order. stock: the next card last. table: the melds M1, M2 ...; laid_by: the seat that laid each,
    None where a position does not say. upcard: None while a turn is in progress. taken: the upcard taken in this turn
    that is still in the hand. stall: turns in a row that took the upcard and laid nothing, this one included.
    known: cards that everybody saw being taken or pushed into the hand that holds them.
    turned_back: wild cards that were turned up after the deal, as long as nobody has drawn from the stock.
    just_out: somebody has gone out, and nothing has been done since.
    """

    __slots__ = (
        "deal_number",
        "dealer",
        "deals_won",
        "decks",
        "extra_deals",
        "hands",
        "just_out",
        "known",
        "laid_by",
        "log",
        "next_deck",
        "opened",
        "options",
        "phase",
        "results",
        "rules",
        "scores",
        "seats",
        "stall",
        "stock",
        "table",
        "taken",
        "to_act",
        "turned_back",
        "upcard",
    )

    def __init__(self, options: Options, decks: Decks, dealer: int) -> None:
        self.seats = SEATS
        self.options = options
        self.rules = ANY_SUITS if options["set_duplicates"] else ONE_OF_A_SUIT
        self.decks = decks
        self.next_deck = 0
        self.dealer = dealer
        self.deal_number = int(options["contract"]) if options["deals"] == 1 else 1
        self.extra_deals = 0
        self.scores = [0, 0]
        self.deals_won = [0, 0]
        self.results: tuple[HandResult, ...] = ()
        self.log: tuple[Event, ...] = ()
        self.just_out = False
        self.clear_table()

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act: tuple[int, ...] = ()
        self.hands: list[tuple[Card, ...]] = [()] * SEATS
        self.stock: list[Card] = []
        self.upcard: Card | None = None
        self.taken: Card | None = None
        self.table: tuple[PushMeld, ...] = ()
        self.laid_by: tuple[int | None, ...] = ()
        self.opened = [False] * SEATS
        self.stall = 0
        self.known: frozenset[Card] = frozenset()
        self.turned_back: tuple[Card, ...] = ()

    @property
    def contract(self) -> Contract:
        return CONTRACTS[self.deal_number]

    @property
    def last_deal(self) -> int:
        return self.deal_number if self.options["deals"] == 1 else int(self.options["deals"])

    def deal_hand(self) -> None:
        """Deals one card at a time from the dealer's left, then turns an upcard that is natural."""
        self.clear_table()
        deck = self.decks[self.next_deck]
        self.next_deck += 1
        each = self.contract.cards
        for step in range(SEATS):
            self.hands[self._after(self.dealer, step)] = in_hand_order(deck[step : SEATS * each : SEATS])
        self.stock = list(deck[: SEATS * each - 1 : -1])
        self._turn_upcard(deck)
        self.phase = DRAW
        self.to_act = (self._after(self.dealer),)
        self._tell(None, Phrase("deal", f"{each} cards each, @{self.dealer} dealing; {self.upcard} is turned up"))

    def _turn_upcard(self, deck: Sequence[Card]) -> None:
        turned: list[Card] = []
        while is_wild(self.stock[-1]):
            wild = self.stock.pop()
            self.stock.insert(_random_place((*deck, *turned), len(self.stock)), wild)
            self._tell(None, Phrase("turn", f"up {wild}, which goes back into the stock"))
            turned.append(wild)
        self.turned_back = tuple(dict.fromkeys(turned))
        self.upcard = self.stock.pop()

    @staticmethod
    def _after(seat: int, steps: int = 0) -> int:
        return (seat + 1 + steps) % SEATS

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in PushState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.scores, twin.deals_won = self.scores[:], self.deals_won[:]
        twin.hands, twin.opened, twin.stock = self.hands[:], self.opened[:], self.stock[:]
        return twin

    def cards(self) -> list[Card]:
        upcard = [] if self.upcard is None else [self.upcard]
        return [*chain(*self.hands), *chain(*(meld.cards for meld in self.table)), *upcard, *self.stock]

    # Legal moves

    def legal_moves(self, seat: int) -> Sequence[PushMove]:
        """Draws and discards, single cards laid off, melds of three, exchanges, and one way to open.

        Longer melds are reached by laying off, other initial melds are proposed.
        """
        if seat not in self.to_act:
            return ()
        if self.phase is DRAW:
            return self._draws()
        if self.opened[seat]:
            return (*self._discards(seat), *self._lay_offs(seat), *self._swaps(seat), *self._new_melds(seat))
        return (*self._discards(seat), *self._openings(seat))

    def _draws(self) -> tuple[PushMove, ...]:
        decline = PUSH if len(self.stock) >= PUSHED_CARDS else END
        return (_TAKE_OF[self.upcard], decline) if self.upcard and self.stall < STALL_TURNS else (decline,)

    def _discards(self, seat: int) -> Iterator[Discard]:
        return (_DISCARD_OF[card] for card in self.hands[seat] if self._discard_fault(seat, card) is None)

    def _lay_offs(self, seat: int) -> Iterator[LayOff]:
        return (LayOff(card, spot) for card in self.hands[seat] for spot in self.spots_for(card))

    def spots_for(self, card: Card) -> Iterator[Spot]:
        """Where a card fits on the table."""
        for number, meld in enumerate(self.table, start=1):
            for end, fitting in growth(self.rules, meld).items():
                if is_wild(card) or face(card) in fitting:
                    yield Spot(number, _END_OF[end])

    def _new_melds(self, seat: int) -> Iterator[NewMeld]:
        return map(NewMeld, melds_of_three(self.rules, self.hands[seat]))

    def _swaps(self, seat: int) -> Iterator[Swap]:
        """Every exchange, the joker being laid off or in a meld of three."""
        for card, number, joker in self.exchanges(seat):
            for spot in self.spots_for(joker):
                if spot.number != number:
                    yield Swap(card, number, joker, spot)
            hand = (own for own in self.hands[seat] if own != card)
            for meld in melds_of_three(self.rules, (joker, *hand)):
                if joker in meld.cards:
                    yield Swap(card, number, joker, NewMeld(meld))

    def exchanges(self, seat: int) -> Iterator[tuple[Card, int, Card]]:
        """A natural card of the hand, the meld and the joker that it could free."""
        for number, meld in enumerate(self.table, start=1):
            for joker, wanted in zip(meld.cards, faces(self.rules, meld), strict=True):
                if is_joker(joker):
                    for card in self.hands[seat]:
                        if face(card) in wanted and not is_wild(card):
                            yield card, number, joker

    def _openings(self, seat: int) -> Iterator[Open | Swap]:
        found = find_initial_meld(self.rules, self.contract, self.hands[seat])
        if found is not None:
            yield Open(tuple(map(laid_out, found)))
        elif self.options["swap_before_open"]:
            for card, number, joker in self.exchanges(seat):
                hand = in_hand_order([*(own for own in self.hands[seat] if own != card), joker])
                found = find_initial_meld(self.rules, self.contract, hand)
                if found is not None and any(joker in meld.cards for meld in found):
                    yield Swap(card, number, joker, Open(tuple(map(laid_out, found))))

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn()
        _PLAYS[type(move)](self, seat, move)

    def _take(self, seat: int, move: Take) -> None:
        self._require_draw()
        upcard = self.upcard
        if upcard is None or move.card != upcard:
            _refuse("draw-take", f"The upcard is {upcard}: take that one, or push it.")
        if self.stall >= STALL_TURNS:
            _refuse(
                "stall-limit",
                f"The upcard was taken {STALL_TURNS} times in a row and nothing was laid: {self._decline()} instead.",
            )
        self._receive(seat, upcard)
        self.known |= {upcard}
        self.stall += 1
        self.taken, self.upcard = upcard, None
        self._tell(seat, Phrase("take", f"the upcard {upcard}"), upcard)
        self._begin_play()

    def _push(self, seat: int, _move: Push) -> None:
        self._require_draw()
        if len(self.stock) < PUSHED_CARDS:
            _refuse(
                "push-needs-two",
                f"A push takes two cards from the stock, which has {len(self.stock)}: {self._upcard_or_end()}.",
            )
        assert self.upcard is not None, "a turn begins with an upcard"
        receiver = self._after(seat)
        self._receive(receiver, self.upcard, self.stock.pop())
        self._receive(seat, self.stock.pop())
        self.known |= {self.upcard}
        self.stall = 0
        phrase = Phrase("push", f"{self.upcard} and a card from the stock to @{receiver}")
        self._tell(seat, phrase, self.upcard, "stock", f"hand:{receiver}")
        self.taken = self.upcard = None
        self.turned_back = ()
        self._begin_play()

    def _begin_play(self) -> None:
        self.just_out = False
        self.phase = PLAY

    def _end(self, seat: int, _move: End) -> None:
        self._require_draw()
        if len(self.stock) >= PUSHED_CARDS:
            _refuse(
                "end-only-when-stock-out",
                f"The stock still has {len(self.stock)} cards: take the upcard, or push it.",
            )
        self._tell(seat, Phrase("end", "the deal"))
        self._end_deal(None)

    def _receive(self, seat: int, *cards: Card) -> None:
        self.hands[seat] = in_hand_order((*self.hands[seat], *cards))

    def _open(self, seat: int, move: Open) -> None:
        self._require_play()
        if self.opened[seat]:
            _refuse("meld-further", "You have made your initial meld: lay further melds one by one with MELD.")
        _require(self._not_held(seat, move.cards))
        self._require_contract(move)
        self._tell(seat, _laid_phrase(move), *move.cards)
        self._lay(seat, move.cards, move.melds)

    def _new_meld(self, seat: int, move: NewMeld) -> None:
        self._require_opened(seat)
        _require(self._not_held(seat, move.cards))
        _require(meld_fault(self.rules, move.meld))
        self._tell(seat, _laid_phrase(move), *move.cards)
        self._lay(seat, move.cards, [move.meld])

    def _lay_off(self, seat: int, move: LayOff) -> None:
        self._require_opened(seat)
        _require(self._not_held(seat, [move.card]))
        number, end = self._end_for(move.card, move.spot)
        self._tell(seat, Phrase("add", f"{move.card} to meld {number}"), move.card, f"meld:{number}")
        self._lay(seat, [move.card], grow={number: grown(self.table[number - 1], move.card, end)})

    def _swap(self, seat: int, move: Swap) -> None:
        self._require_play()
        self._require_exchange(seat, move)
        changed = {move.number: exchanged(self.table[move.number - 1], move.joker, move.card)}
        melds: Sequence[PushMeld] = ()
        if isinstance(move.use, Spot):
            number, end = self._end_for(move.joker, move.use)
            changed[number] = grown(self.table[number - 1], move.joker, end)
        else:
            assert move.use is not None, "checked with the exchange"
            melds = self._melds_with_joker(seat, move, move.use)
        self._tell(seat, _swap_phrase(move), *move.from_hand, move.joker, *(f"meld:{number}" for number in changed))
        self._lay(seat, move.from_hand, melds, changed)

    def _melds_with_joker(self, seat: int, move: Swap, use: NewMeld | Open) -> Sequence[PushMeld]:
        """The new melds of an exchange. :raises IllegalMove: they are none, or not of these cards."""
        if use.cards.count(move.joker) > 1:
            _refuse("cards-from-hand", f"{move.joker} is there only once; use it in one place.")
        _require(self._not_held(seat, move.from_hand))
        if isinstance(use, Open):
            self._require_contract(use)
            return use.melds
        _require(meld_fault(self.rules, use.meld))
        return [use.meld]

    def _lay(
        self,
        seat: int,
        cards: Sequence[Card],
        melds: Sequence[PushMeld] = (),
        grow: Mapping[int, PushMeld] | None = None,
    ) -> None:
        """Moves cards from a hand into new melds and into those that grow."""
        self._drop(seat, cards)
        table = [(grow or {}).get(number, meld) for number, meld in enumerate(self.table, start=1)]
        self.table = (*table, *melds)
        self.laid_by = (*self.laid_by, *(seat for _meld in melds))
        self.opened[seat] = True
        self.stall = 0
        if not self.hands[seat]:
            self._end_deal(seat)

    def _drop(self, seat: int, cards: Sequence[Card]) -> None:
        self.hands[seat] = tuple(card for card in self.hands[seat] if card not in cards)
        self.known = self.known.difference(cards)
        if self.taken in cards:
            self.taken = None

    def _discard(self, seat: int, move: Discard) -> None:
        self._require_play()
        _require(self._not_held(seat, [move.card]))
        _require(self._discard_fault(seat, move.card))
        self._drop(seat, [move.card])
        self._tell(seat, Phrase("discard", move.card), move.card, "discards")
        self.upcard, self.taken = move.card, None
        if not self.hands[seat]:
            return self._end_deal(seat)
        self.phase = DRAW
        self.to_act = (self._after(seat),)

    def _tell(self, seat: int | None, phrase: Phrase, *touches: str) -> None:
        self.log = (*self.log, Event(seat, phrase, touches))

    # What is wrong with a move

    def _refuse_turn(self) -> NoReturn:
        if not self.to_act:
            rule, why = "game-end", "The game is over; start another one."
        else:
            rule, why = "turn-order", f"It is the turn of @{self.to_act[0]}; yours will come."
        if self.just_out:
            rule = "out-immediate"
            why = f"Somebody has gone out, and the deal ended at once. {why}"
        raise NotYourTurn(why, rule=f"push:{rule}")

    def _require_draw(self) -> None:
        if self.phase is PLAY:
            _refuse("turn-order", "You have drawn for this turn: lay cards if you like, then discard one.")

    def _require_play(self) -> None:
        if self.phase is DRAW:
            _refuse("turn-order", f"Begin your turn with the upcard first: {self._upcard_or_end()}.")

    def _decline(self) -> str:
        return "push it" if len(self.stock) >= PUSHED_CARDS else "end the deal"

    def _upcard_or_end(self) -> str:
        return f"take {self.upcard}, or {self._decline()}" if self.stall < STALL_TURNS else self._decline()

    def _require_opened(self, seat: int) -> None:
        self._require_play()
        if not self.opened[seat]:
            _refuse(
                "open-individual",
                f"Make your own initial meld first, {self.contract.words}; your partner's does not count for you.",
            )

    def _require_contract(self, move: Open) -> None:
        for meld in move.melds:
            _require(meld_fault(self.rules, meld))
        if not self.contract.is_met_by(move.melds):
            _refuse(
                "contract-table",
                f"The initial meld of this deal is {self.contract.words} or longer, all at once: mark cards for that.",
            )

    def _not_held(self, seat: int, cards: Sequence[Card]) -> Fault | None:
        for card, times in Counter(cards).items():
            if card not in self.hands[seat]:
                return Fault("cards-from-hand", f"You do not hold {card}; use cards of your own hand.")
            if times > 1:
                return Fault("cards-from-hand", f"You hold {card} only once; use it in one place.")
        return None

    def _discard_fault(self, seat: int, card: Card) -> Fault | None:
        hand = self.hands[seat]
        if len(hand) == 1:
            return None
        kept = None if self.options["taken_upcard_discard"] else self.taken
        if card == kept:
            return Fault("taken-upcard-kept", f"You took {card} in this turn: discard another card.")
        if self.options["wild_discard"] == "only_last" and is_wild(card):
            natural = next((other for other in hand if other != kept and not is_wild(other)), None)
            if natural is not None:
                return Fault(
                    "discard-any",
                    f"At this table a wild card is only discarded last: choose another, such as {natural}.",
                )
        return None

    def _end_for(self, card: Card, spot: Spot) -> tuple[int, Growth]:
        """The meld and the end where a card goes. :raises IllegalMove: it does not fit there."""
        meld = self._meld_at(spot.number)
        ends: list[Growth] = ["set"] if meld.kind == "set" else ["high", "low"]
        if meld.kind == "run" and spot.end:
            ends = [_GROWTH_AT[spot.end]]
        faults = {end: self._lay_off_fault(card, spot.number, end) for end in ends}
        fitting = [end for end, fault in faults.items() if fault is None]
        if len(fitting) > 1:
            _refuse("lay-off-fits", f"{card} fits both ends of meld {spot.number}: write + for high or - for low.")
        if not fitting:
            _require(faults[ends[0]])
        return spot.number, fitting[0]

    def _meld_at(self, number: int) -> PushMeld:
        if not 1 <= number <= len(self.table):
            there = f"choose from M1 to M{len(self.table)}" if self.table else "there is none on the table yet"
            _refuse("lay-off-fits", f"There is no meld M{number}; {there}.")
        return self.table[number - 1]

    def _lay_off_fault(self, card: Card, number: int, end: Growth) -> Fault | None:
        meld = self.table[number - 1]
        fitting = growth(self.rules, meld).get(end)
        if fitting is not None and (is_wild(card) or face(card) in fitting):
            return None
        name = f"meld {number} ({in_words(meld)})"
        repeats_suit = not is_wild(card) and face(card) in map(face, meld.cards)
        if end == "set" and self.rules.set_suits == "different" and repeats_suit:
            return Fault("set-suits-differ", f"The suit of {card} is in {name} already: a set has each suit once.")
        if fitting is None:
            if end == "set":
                return Fault("set-max-four", f"Nothing more fits {name}: {len(meld.cards)} cards fill a set.")
            return Fault("run-ace-ends", f"Nothing fits there on {name}: an ace ends a run.")
        wanted = " or ".join(sorted(fitting))
        return Fault("lay-off-fits", f"{card} does not fit {name}: there it takes {wanted} or a wild card.")

    def _require_exchange(self, seat: int, move: Swap) -> None:
        if not self.opened[seat] and not self.options["swap_before_open"]:
            _refuse(
                "swap-after-open",
                f"Jokers are exchanged after your own initial meld, {self.contract.words}: lay it first.",
            )
        _require(self._not_held(seat, [move.card]))
        _require(self._wrong_joker(move))
        _require(self._joker_kept(move))
        if self.opened[seat] and isinstance(move.use, Open):
            _refuse("meld-further", "You have made your initial meld: use the joker in a further meld.")
        if not self.opened[seat] and not isinstance(move.use, Open):
            _refuse("open-individual", f"Use the joker in your initial meld, {self.contract.words}.")

    def _wrong_joker(self, move: Swap) -> Fault | None:
        meld = self.table[move.number - 1] if 1 <= move.number <= len(self.table) else None
        if meld is None or move.joker not in meld.cards:
            return Fault("swap-joker", f"{move.joker} does not lie in meld {move.number}: name a joker and its meld.")
        if not is_joker(move.joker):
            return Fault("swap-joker-only", f"{move.joker} stays where it is: only jokers can be exchanged.")
        if is_wild(move.card):
            return Fault("swap-natural-only", f"{move.card} is wild itself: give the natural card of that place.")
        wanted = faces(self.rules, meld)[meld.cards.index(move.joker)]
        if all(name[0] in WILD for name in wanted):
            return Fault("swap-not-two", f"{move.joker} stands for a two and stays: no natural card can free it.")
        if face(move.card) not in wanted:
            names = " or ".join(sorted(wanted))
            return Fault("swap-exact-card", f"{move.joker} stands for {names} in meld {move.number}: give that card.")
        return None

    def _joker_kept(self, move: Swap) -> Fault | None:
        laid = move.use.cards if isinstance(move.use, NewMeld | Open) else ()
        if not isinstance(move.use, Spot) and move.joker not in laid:
            return Fault("swap-use-at-once", f"{move.joker} cannot go to your hand: lay it off or meld it at once.")
        if isinstance(move.use, Spot) and move.use.number == move.number:
            return Fault("swap-other-meld", f"{move.joker} came from meld {move.number}: lay it at another meld.")
        return None

    # The end of a deal and of the game

    def _end_deal(self, out: int | None) -> None:
        """Scores the deal that a seat has ended by going out, or nobody, and deals again."""
        lines = tuple(self._score_lines(out))
        points = tuple(sum(line.points for line in lines if seat in line.seats) for seat in range(SEATS))
        for side, (first, _partner) in enumerate(SIDES):
            self.scores[side] += points[first]
        if out is not None:
            self.deals_won[out % 2] += 1
        number = self.extra_deals + (1 if self.options["deals"] == 1 else self.deal_number)
        result = HandResult(number, self._summary(out, points), points, lines, self._zones_after(out))
        self.results = (*self.results, result)
        self.log = (Event(None, Phrase("", f"Deal {result.number}: {result.summary}")),)
        self.just_out = out is not None
        self.dealer = self._after(self.dealer)
        if self._go_on():
            self.deal_hand()
        else:
            self.clear_table()

    def _score_lines(self, out: int | None) -> Iterator[ScoreLine]:
        if out is not None:
            yield ScoreLine(SIDES[out % 2], "push:score-winner-side-zero", f"@{out} went out", 0)
        rule = "score-dead-deal" if out is None else "score-losers-both-hands"
        for seat, hand in enumerate(self.hands):
            if out is None or seat % 2 != out % 2:
                text = f"Left with @{seat}: {' '.join(hand) or 'nothing'}"
                yield ScoreLine(SIDES[seat % 2], f"push:{rule}", text, penalty(hand))

    def _summary(self, out: int | None, points: Sequence[int]) -> str:
        if out is None:
            return f"Nobody went out; {points[0]} points against @0 and @2, {points[1]} against @1 and @3."
        first, partner = SIDES[1 - out % 2]
        return f"@{out} went out; {points[first]} points against @{first} and @{partner}."

    def _zones_after(self, out: int | None) -> tuple[Zone, ...]:
        """The melds, and what was left in the hands, which is free for the partner of who went out."""
        notes = [
            "free" if out is not None and seat % 2 == out % 2 else f"{penalty(hand)} points"
            for seat, hand in enumerate(self.hands)
        ]
        left = (
            open_zone(f"hand:{seat}", "row", f"Left with @{seat}", hand, owner=seat, note=notes[seat])
            for seat, hand in enumerate(self.hands)
            if hand
        )
        return (*_meld_zones(self.rules, self.table, self.laid_by), *left)

    def _go_on(self) -> bool:
        """Whether another deal follows; its contract is set."""
        if self.deal_number < self.last_deal:
            self.deal_number += 1
            return True
        if not self.is_decided():
            self.extra_deals += 1
            return True
        return False

    def is_decided(self) -> bool:
        """Whether the game is over if its last contract has been played."""
        is_tied = self.scores[0] == self.scores[1]
        return not is_tied or self.options["tiebreak"] != "extra_deal" or self.extra_deals >= MOST_EXTRA_DEALS

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        scores = tuple(self.scores[seat % 2] for seat in range(SEATS))
        low, high = sorted(self.scores)
        if low != high:
            first, partner = SIDES[self.scores.index(low)]
            reason = f"@{first} and @{partner} win with {low} penalty points against {high}."
            return Outcome(scores, places([-score for score in scores]), reason)
        ours, theirs = self.deals_won
        if ours == theirs or self.options["tiebreak"] != "deals_won":
            return Outcome(scores, (1,) * SEATS, f"Both sides have {low} penalty points: the game is a draw.")
        first, partner = SIDES[0 if ours > theirs else 1]
        reason = f"Both sides have {low} penalty points; @{first} and @{partner} win, having gone out more often."
        return Outcome(scores, places([self.deals_won[seat % 2] for seat in range(SEATS)]), reason)

    # Views and positions

    def view(self, seat: int | None) -> PushView:
        return PushView(
            seat=seat,
            seats=SEATS,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores[other % 2] for other in range(SEATS)),
            log=self.log,
            results=self.results,
            dealer=self.dealer,
            deal_number=self.deal_number,
            extra_deals=self.extra_deals,
            deals_won=(self.deals_won[0], self.deals_won[1]),
            phase=self.phase,
            hand=() if seat is None else self.hands[seat],
            hand_counts=tuple(map(len, self.hands)),
            known=tuple(tuple(card for card in hand if card in self.known) for hand in self.hands),
            table=self.table,
            laid_by=self.laid_by,
            opened=tuple(self.opened),
            upcard=self.upcard,
            taken=self.taken,
            stock_count=len(self.stock),
            turned_back=self.turned_back,
            stall=self.stall,
            just_out=self.just_out,
        )

    def dump(self) -> Position:
        return {
            "seats": SEATS,
            "options": dict(self.options),
            "dealer": self.dealer,
            "to_move": self.to_act[0] if self.to_act else None,
            "deal": self.deal_number,
            "extra_deals": self.extra_deals,
            "phase": str(self.phase),
            "scores": dict(zip(SIDE_NAMES, self.scores, strict=True)),
            "deals_won": dict(zip(SIDE_NAMES, self.deals_won, strict=True)),
            "hands": [list(hand) for hand in self.hands],
            "known": sorted(self.known),
            "opened": list(self.opened),
            "table": [str(meld) for meld in self.table],
            "laid_by": list(self.laid_by),
            "upcard": self.upcard,
            "taken_upcard": self.taken,
            "stall": self.stall,
            "stock": self.stock[::-1],
            "turned_back": list(self.turned_back),
            "just_out": self.just_out,
        }


_PLAYS: Mapping[type[Move], Callable[[PushState, int, Any], None]] = {
    Take: PushState._take,
    Push: PushState._push,
    End: PushState._end,
    Open: PushState._open,
    NewMeld: PushState._new_meld,
    LayOff: PushState._lay_off,
    Swap: PushState._swap,
    Discard: PushState._discard,
}


def _unreadable(rule: str, message: str) -> NoReturn:
    raise UnreadableMove(message, rule=f"push:{rule}")


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"push:{rule}")


def _require(fault: Fault | None) -> None:
    """:raises IllegalMove: there is a fault."""
    if fault is not None:
        _refuse(fault.rule, fault.message)


def _random_place(cards: Sequence[Card], places: int) -> int:
    """A place from 0 to `places` that nobody can choose, computed from the places and the order of these cards.

    cards: a whole deck and the wild cards turned up before. Without those one that goes back on top would stay there.
    """
    digest = sha256(f"{' '.join(cards)} {places}".encode()).digest()
    return int.from_bytes(digest, "big") % (places + 1)


def _laid_phrase(move: Open | NewMeld) -> Phrase:
    if isinstance(move, NewMeld):
        return Phrase("lay", in_words(move.meld))
    return Phrase("open", f"with {' and '.join(map(in_words, move.melds))}")


def _swap_phrase(move: Swap) -> Phrase:
    swapped = f"{move.card} for {move.joker} of meld {move.number}"
    if isinstance(move.use, Spot):
        return Phrase("exchange", f"{swapped}, which goes to meld {move.use.number}")
    if move.use is None:
        return Phrase("exchange", f"{swapped} and keep the joker")
    phrase = _laid_phrase(move.use)
    return Phrase("exchange", f"{swapped} to {phrase.verb} {phrase.rest}")


# View


def _meld_zones(rules: MeldRules, table: Sequence[PushMeld], laid_by: Sequence[int | None]) -> Iterator[Zone]:
    for number, (meld, seat) in enumerate(zip(table, laid_by, strict=True), start=1):
        label = f"Meld {number}" if seat is None else f"Meld {number} of @{seat}"
        note = _wild_note(rules, meld)
        yield open_zone(f"meld:{number}", "meld", label, meld.cards, owner=seat, note=note)


def _wild_note(rules: MeldRules, meld: PushMeld) -> str:
    """What the wild cards of a run stand for; in a set they stand for whatever suit is missing."""
    if meld.kind == "set":
        return ""
    shown = zip(meld.cards, faces(rules, meld), strict=True)
    return ", ".join(f"{card} is {next(iter(names))}" for card, names in shown if is_wild(card))


@dataclass(frozen=True, slots=True, kw_only=True)
class PushView(View):
    """What a seat knows of a game of Push; the fields are those of `PushState`.

    hand: the viewer's cards, () for a spectator. known: by seat, the cards that everybody saw going there.
    """

    dealer: int
    deal_number: int
    extra_deals: int
    deals_won: tuple[int, int]
    phase: Phase
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    table: tuple[PushMeld, ...]
    laid_by: tuple[int | None, ...]
    opened: tuple[bool, ...]
    upcard: Card | None
    taken: Card | None
    stock_count: int
    turned_back: tuple[Card, ...]
    stall: int
    just_out: bool

    @property
    def contract(self) -> Contract:
        return CONTRACTS[self.deal_number]

    @property
    def rules(self) -> MeldRules:
        return ANY_SUITS if self.options["set_duplicates"] else ONE_OF_A_SUIT

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        around = [(first + step) % SEATS for step in range(SEATS)]
        others = [self._hidden_hand(seat) for seat in around if seat != self.seat]
        shared = (
            Zone("stock", "stock", "Stock", count=self.stock_count, note="" if self.stock_count else "used up"),
            open_zone("discards", "pile", "Upcard", [] if self.upcard is None else [self.upcard]),
        )
        return (*others, *shared, *_meld_zones(self.rules, self.table, self.laid_by), *self._own_hand())

    def _hidden_hand(self, seat: int) -> Zone:
        count, note = self.hand_counts[seat], self._note(seat)
        return Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", count=count, owner=seat, note=note)

    def _own_hand(self) -> Iterator[Zone]:
        if self.seat is not None:
            note = self._note(self.seat)
            yield open_zone(f"hand:{self.seat}", "hand", "Your hand", self.hand, owner=self.seat, note=note)

    def _note(self, seat: int) -> str:
        return "open" if self.opened[seat] else ""

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is DRAW:
            return self._draw_prompt()
        if not self.opened[self.seat]:
            return f"Discard a card, or mark cards for the initial meld: {self.contract.words}."
        return "Lay off cards, or mark three or more for a new meld; then discard a card."

    def _draw_prompt(self) -> str:
        if self.stock_count < PUSHED_CARDS:
            decline = "end the deal"
        else:
            decline = f"push it and a card from the stock to @{(self.to_act[0] + 1) % SEATS} and draw"
        if self.stall >= STALL_TURNS:
            return f"{STALL_TURNS} turns in a row laid nothing: {decline}."
        return f"Take {self.upcard}, or {decline}."

    def choice(self, move: Move) -> Choice:
        match move:
            case Take():
                return Choice(move, Phrase("take", move.card), (move.card,))
            case Push():
                phrase = Phrase("push", f"{self.upcard} to @{(self.to_act[0] + 1) % SEATS} and draw")
                return Choice(move, phrase, ("stock",))
            case Discard():
                return Choice(move, Phrase("discard", move.card), (move.card, "discards"))
            case LayOff():
                return Choice(move, self._lay_off_phrase(move), (move.card, f"meld:{move.spot.number}"))
            case Swap():
                return Choice(move, _swap_phrase(move), (*move.from_hand, *self._touched(move)))
            case Open() | NewMeld():
                return Choice(move, _laid_phrase(move), move.cards)
        return Choice(move, Phrase("end", "the deal"))

    def _lay_off_phrase(self, move: LayOff) -> Phrase:
        """What a wild card of a run stands for is said, since it may fit both ends."""
        number, end = move.spot.number, _GROWTH_AT[move.spot.end]
        fitting = growth(self.rules, self.table[number - 1]).get(end, ())
        shown = f" as {min(fitting)}" if is_wild(move.card) and end != "set" and fitting else ""
        return Phrase("add", f"{move.card}{shown} to meld {number}")

    @staticmethod
    def _touched(move: Swap) -> tuple[str, ...]:
        """The joker, its meld, and the meld where it goes."""
        to = (f"meld:{move.use.number}",) if isinstance(move.use, Spot) else ()
        return (move.joker, f"meld:{move.number}", *to)

    @property
    def offered(self) -> Sequence[Move]:
        """Melds are made by marking their cards; those with wild cards are buttons too, as they can differ."""
        return [
            move
            for move in self.moves
            if not isinstance(move, Open | NewMeld) or isinstance(move, NewMeld) and any(map(is_wild, move.cards))
        ]

    @property
    def selection(self) -> Selection | None:
        if self.seat not in self.to_act or self.phase is not PLAY:
            return None
        is_open = self.opened[self.seat]
        if len(self.hand) < (SMALLEST_MELD if is_open else self.contract.cards):
            return None
        return Selection("Lay" if is_open else "Open with", self.hand, SMALLEST_MELD, len(self.hand))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Deal", self._deal_name()), ("Initial meld", self.contract.words), ("Dealer", f"@{self.dealer}")]
        if any(self.deals_won):
            ours, theirs = self.deals_won
            found.append(("Deals gone out", f"@0 and @2 {ours}, @1 and @3 {theirs}"))
        if self.stall:
            found.append(("Upcards taken in a row", f"{self.stall} of {STALL_TURNS}"))
        return tuple(found)

    def _deal_name(self) -> str:
        if self.extra_deals:
            return f"extra deal {self.extra_deals}"
        return "for practice" if self.options["deals"] == 1 else f"{self.deal_number} of {self.options['deals']}"


# The game

_POSITION_KEYS = (
    "seats",
    "options",
    "dealer",
    "to_move",
    "deal",
    "extra_deals",
    "phase",
    "scores",
    "deals_won",
    "hands",
    "hand",
    "known",
    "opened",
    "table",
    "laid_by",
    "upcard",
    "taken_upcard",
    "stall",
    "stock",
    "stock_count",
    "turned_back",
    "just_out",
)


_SPOT_ENDS = ("", "+", "-")


def _for_the_table(view: PushView, mine: Sequence[Card], picks: Sequence[str]) -> list[PushMove]:
    """What hand cards can mean beside picks of the table, the likeliest first; [] without any."""
    melds = dict(enumerate(view.table, start=1))
    touched = [number for number, meld in melds.items() if not {f"meld:{number}", *meld.cards}.isdisjoint(picks)]
    spots = [Spot(number, end) for number in touched for end in _SPOT_ENDS]
    freed = [(number, card) for number in touched for card in melds[number].cards if is_wild(card) and card in picks]
    swaps = [swap for number, wild in freed for swap in _swaps_meant(view, mine, number, wild, spots)]
    return [*swaps, *(LayOff(card, spot) for card in mine for spot in spots)]


def _swaps_meant(view: PushView, mine: Sequence[Card], number: int, wild: Card, spots: Iterable[Spot]) -> list[Swap]:
    """Exchanges of a wild card: for another meld that was chosen, else for a new one with the rest of the cards."""
    meld = view.table[number - 1]
    wanted = faces(view.rules, meld)[meld.cards.index(wild)]
    elsewhere = [spot for spot in spots if spot.number != number]
    found: list[Swap] = []
    for card in sorted(mine, key=lambda card: face(card) not in wanted):
        rest = [other for other in mine if other != card]
        melded = NewMeld(reading(view.rules, [*rest, wild])) if rest else None
        found += [Swap(card, number, wild, spot) for spot in elsewhere] or [Swap(card, number, wild, melded)]
    return found


class PushGame(Game[PushState, PushView, PushMove]):
    slug = "push"
    name = "Push"
    summary = "Partnership rummy with a contract for each deal: what you do not want you push on to the left."
    seats = (SEATS,)
    proposals = True
    options = (
        Option(
            "deals",
            "Deals",
            5,
            {5: "all five", 3: "the first three", 1: "one, for practice"},
            "Each deal has a contract of its own.",
        ),
        Option(
            "contract",
            "Contract to practise",
            1,
            {number: contract.words for number, contract in CONTRACTS.items()},
            "The initial meld when only one deal is played.",
        ),
        Option(
            "tiebreak",
            "Equal totals",
            "deals_won",
            {"deals_won": "who went out more often", "extra_deal": "extra deals, three at most", "draw": "a draw"},
            "What decides when both sides have the same penalty points.",
        ),
        switch(
            "swap_before_open",
            "Joker in the initial meld",
            default=False,
            help="A joker won by exchange may be used in the initial meld.",
        ),
        switch(
            "taken_upcard_discard",
            "Upcard straight back",
            default=False,
            help="The upcard just taken may be discarded in the same turn.",
        ),
        switch(
            "set_duplicates",
            "Twins in a set",
            default=False,
            help="Both copies of a card may be in one set, which may have up to eight cards.",
        ),
        Option(
            "wild_discard",
            "Discarding wild cards",
            "any",
            {"any": "always", "only_last": "only last"},
            "Only last: while another card may be discarded, a wild card may not.",
        ),
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return SIDES

    def has_several_deals(self, options: Options) -> bool:
        return options["deals"] != 1

    def fewer_is_better(self, options: Options) -> bool:
        return True

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> PushState:
        return PushState(options, decks, dealer)

    def parse(self, text: str) -> PushMove:
        return read_move(text)

    def attempt(self, view: PushView, picks: Sequence[str]) -> PushMove:
        """A draw, a discard, a meld, or hand cards for melds of the table or for a wild card there."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(PushMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if "stock" in picks:
            return PUSH
        if not mine and view.upcard is not None and {*picks} <= {view.upcard, "discards"}:
            return Take(view.upcard)
        if not mine:
            _unreadable("cards-from-hand", "Choose cards of your hand, to be laid or added or discarded.")
        if view.phase is DRAW or {*picks} <= {mine[0], "discards"}:
            return Discard(mine[0])
        if "discards" in picks:
            _unreadable("discard-end", f"A turn ends with one discard; choose one of {' '.join(mine)}.")
        meant = _for_the_table(view, mine, picks)
        return next((move for move in meant if move in view.moves), meant[0]) if meant else self._melding(view, mine)

    def _melding(self, view: PushView, cards: Sequence[Card]) -> Open | NewMeld:
        try:
            return self.select(view, cards)
        except IllegalMove as refusal:
            raise UnreadableMove(str(refusal), rule=refusal.rule) from None

    def select(self, view: PushView, cards: Sequence[Card]) -> Open | NewMeld:
        """The initial meld or the further meld of the marked cards.

        Wild cards fill the gaps of a run, then go to its high end, unless the cards are a run as they were marked.
        Cards that make no further meld are given as what they are closest to, which `play` refuses.
        :raises IllegalMove: the cards do not go into the contract.
        """
        unknown = [card for card in cards if card not in KNOWN_CARDS]
        if unknown or not cards:
            raise UnreadableMove("Mark cards of your hand that make a meld.")
        if view.seat is not None and view.opened[view.seat]:
            return NewMeld(reading(view.rules, cards))
        melds = split_into(view.rules, view.contract, cards)
        if melds is None:
            self.refuse(
                "contract-table",
                f"These cards do not make {view.contract.words}. Mark the whole initial meld and nothing else.",
            )
        return Open(tuple(map(laid_out, melds)))

    def sample(self, view: PushView, rng: Random) -> PushState:
        """`rng` deals the cards that are neither the viewer's, nor open, nor known to be in a hand."""
        state = PushState(view.options, Decks(random_decks(PACK, rng)), view.dealer)
        _copy_public(view, state)
        seen = {*state.cards(), *chain(*view.known), *view.hand, *view.turned_back}
        unseen = [card for card in PACK if card not in seen]
        rng.shuffle(unseen)
        for seat, count in enumerate(view.hand_counts):
            hand = list(view.hand if seat == view.seat else view.known[seat])
            hand += [unseen.pop() for _ in range(count - len(hand))]
            state.hands[seat] = in_hand_order(hand)
        state.stock = [*view.turned_back, *unseen][: view.stock_count]
        rng.shuffle(state.stock)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> PushState:
        """A position; every key may be left out. Seats are 0 to 3 or N E S W; what is said by seat may be a list.

        options: by name. dealer: seat 3 (W). to_move: the seat at the dealer's left; null once the game is over.
        deal: 1 to 5, the contract; without it the first, or the last once the game is over.
        extra_deals: played so far to break a tie.
        phase: draw, play or over; without it `draw` where there is an upcard, else `play`.
        scores, deals_won: by side, {NS: 30, EW: 0} or [30, 0], or by seat.
        hands: by seat, lists or text; `hand` is that of the seat to move.
        known: cards that everybody saw going into the hand that holds them.
        opened: by seat; a list of the seats that are open, or text, "N S"; true or false for the seat to move.
        Who laid a meld is open.
        table: melds in the order of their numbers, "S(8S1 8H2 8D1)", or by number, {M1: "S(..)"}.
        laid_by: by meld, the seat that laid it. upcard: at the beginning of a turn.
        taken_upcard: taken in this turn and still in the hand. stall: turns in a row that took the upcard and laid
        nothing. stock: the next card first, or stock_count cards that lie nowhere else.
        turned_back: wild cards that went back into the stock before the first turn, none once somebody has pushed.
        just_out: true as long as nobody has drawn since the deal before ended with somebody going out.
        """
        return _Reader(data, Decks(numbered_decks(PACK) if deals is None else deals)).state


def _copy_public(view: PushView, state: PushState) -> None:
    """What everybody knows of a game."""
    state.phase, state.to_act, state.results, state.log = view.phase, view.to_act, view.results, view.log
    state.scores, state.deals_won = list(view.scores[:2]), list(view.deals_won)
    state.deal_number, state.extra_deals = view.deal_number, view.extra_deals
    state.table, state.laid_by, state.opened = view.table, view.laid_by, list(view.opened)
    state.upcard, state.taken, state.stall = view.upcard, view.taken, view.stall
    state.known, state.turned_back, state.just_out = frozenset(chain(*view.known)), view.turned_back, view.just_out


class _Reader(SidesReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    def __init__(self, data: Position, decks: Decks) -> None:
        super().__init__(PUSH_GAME, _with_numbers(data), _POSITION_KEYS)
        dealer = self.seat("dealer", SEATS - 1)
        assert dealer is not None, "the default is a seat"
        self.state = PushState(self.options, decks, dealer)
        self._read_score()
        self._read_turn()
        self._read_table()
        self._read_cards()
        self._check()

    def _read_score(self) -> None:
        state = self.state
        last = state.last_deal if self.options["deals"] != 1 else LAST_CONTRACT
        first = state.last_deal if self._is_over() else state.deal_number
        state.deal_number = self.number("deal", first, low=1, high=last)
        state.extra_deals = self.number("extra_deals", 0, high=MOST_EXTRA_DEALS)
        if state.extra_deals and (state.deal_number != state.last_deal or self.options["tiebreak"] != "extra_deal"):
            raise ImpossiblePosition("extra_deals: they follow the last deal, where they break ties.")
        state.scores = self.numbers_by_side("scores", high=10_000)
        state.deals_won = self.numbers_by_side("deals_won", high=LAST_CONTRACT + MOST_EXTRA_DEALS)

    def _is_over(self) -> bool:
        data = self.data
        return str(data.get("phase")).lower() == OVER or ("to_move" in data and data["to_move"] is None)

    def _read_turn(self) -> None:
        data, state = self.data, self.state
        if self._is_over():
            if state.deal_number != state.last_deal or not state.is_decided():
                raise ImpossiblePosition("phase: the game is not over before its last deal is decided.")
            return
        seat = self.seat("to_move", state._after(state.dealer))
        assert seat is not None, "the default is a seat"
        state.to_act = (seat,)
        phase = data.get("phase") or (DRAW if data.get("upcard") else PLAY)
        try:
            state.phase = Phase(str(phase).lower())
        except ValueError:
            raise ImpossiblePosition(f"phase: choose one of {', '.join(Phase)}.") from None

    def _read_table(self) -> None:
        state = self.state
        state.table = tuple(map(self._meld, self._numbered("table")))
        laid_by = [
            None if seat is None else whole_number(seat, "laid_by", low=0, high=SEATS - 1)
            for seat in self._numbered("laid_by")
        ]
        if len(laid_by) > len(state.table):
            raise ImpossiblePosition("laid_by: name one seat for each meld of the table.")
        state.laid_by = (*laid_by, *[None] * (len(state.table) - len(laid_by)))
        state.opened = self._opened()
        for seat in state.laid_by:
            if seat is not None:
                state.opened[seat] = True

    def _numbered(self, key: str) -> list[Any]:
        """A list, or a mapping of meld numbers to entries, as a list."""
        value = self.data.get(key)
        if value is None:
            return []
        if isinstance(value, Mapping):
            entries = {str(name).upper().removeprefix("M"): entry for name, entry in value.items()}
            value = [entries.get(str(number)) for number in range(1, len(entries) + 1)]
            if len(entries) != len(self.data[key]) or not entries.keys() <= set(map(str, range(1, len(value) + 1))):
                raise ImpossiblePosition(f"{key}: number the melds from 1 on without a gap.")
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ImpossiblePosition(f"{key}: write a list, or name the melds M1, M2 and so on.")
        return list(value)

    def _meld(self, text: object) -> PushMeld:
        try:
            meld = read_meld(str(text))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"table: {error}") from None
        fault = meld_fault(self.state.rules, meld)
        if fault is not None:
            raise ImpossiblePosition(f"table: {fault.message}")
        return meld

    def _opened(self) -> list[bool]:
        value, state = self.data.get("opened"), self.state
        if value is None or isinstance(value, bool):
            return [bool(value) and seat in state.to_act for seat in range(SEATS)]
        if isinstance(value, Mapping):
            value = [bool(entry) if entry is None else entry for entry in by_seat(value, SEATS, "opened")]
        if isinstance(value, Sequence) and len(value) == SEATS and all(isinstance(entry, bool) for entry in value):
            return list(value)
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ImpossiblePosition("opened: say true or false for each seat, or list the seats that are open.")
        open_seats = [whole_number(seat, "opened", low=0, high=SEATS - 1) for seat in value]
        return [seat in open_seats for seat in range(SEATS)]

    def _read_cards(self) -> None:
        data, state = self.data, self.state
        hands = self.card_lists("hands")
        if "hand" in data:
            if "hands" in data and any(hands[seat] for seat in state.to_act):
                raise ImpossiblePosition("hand, hands: write the hand of the seat to move only once.")
            for seat in state.to_act:
                hands[seat] = card_list(data["hand"], "hand")
        check_cards(chain(*hands), PACK)
        state.hands = [in_hand_order(hand) for hand in hands]
        state.upcard, state.taken = self._one_card("upcard"), self._one_card("taken_upcard")
        state.stall = self.number("stall", 0, high=STALL_TURNS)
        state.just_out = self.switch("just_out")
        state.stock = card_list(data.get("stock"), "stock")[::-1]
        check_cards(state.cards(), PACK)
        if data.get("stock") is None:
            lying = set(state.cards())
            rest = [card for card in PACK if card not in lying]
            state.stock = rest[: self.number("stock_count", 0, high=len(rest))]
        state.turned_back = tuple(card_list(data.get("turned_back"), "turned_back"))
        seen = [*card_list(data.get("known"), "known"), *([state.taken] if state.taken else [])]
        state.known = frozenset(seen)

    def _one_card(self, key: str) -> Card | None:
        cards = card_list(self.data.get(key), key)
        if len(cards) > 1:
            raise ImpossiblePosition(f"{key}: it is one card.")
        return cards[0] if cards else None

    def _check(self) -> None:
        state = self.state
        if state.phase is OVER:
            if state.cards():
                raise ImpossiblePosition("phase: no cards lie on the table once the game is over.")
            return
        seat = state.to_act[0]
        if (state.phase is DRAW) != (state.upcard is not None):
            raise ImpossiblePosition("upcard: one card lies there when a turn begins, and none after the draw.")
        if state.phase is PLAY and not state.hands[seat]:
            raise ImpossiblePosition("hands: the seat to move needs a card to discard.")
        if state.phase is PLAY and state.just_out:
            raise ImpossiblePosition("just_out: somebody has drawn since.")
        if state.taken is not None and (state.phase is not PLAY or state.taken not in state.hands[seat]):
            raise ImpossiblePosition("taken_upcard: it is in the hand of the seat to move, which has drawn.")
        if not state.known <= set(chain(*state.hands)):
            raise ImpossiblePosition("known: these cards must lie in a hand.")
        check_cards(state.turned_back, PACK)
        if not set(state.turned_back) <= set(filter(is_wild, state.stock)):
            raise ImpossiblePosition("turned_back: these are wild cards in the stock.")


def _with_numbers(data: Any) -> Any:
    """The same position with seats as numbers: N E S W are 0 to 3, what a side has both its seats have."""
    if not isinstance(data, Mapping):
        return data
    return {key: _numbered_seats(key, value) for key, value in data.items()}


def _numbered_seats(key: str, value: Any) -> Any:
    if key in ("dealer", "to_move"):
        return _seat_number(value)
    if key in ("hands", "opened") and isinstance(value, Mapping):
        return {_seat_number(seat): entry for seat, entry in value.items()}
    if key == "laid_by" and isinstance(value, Mapping):
        return {number: _seat_number(seat) for number, seat in value.items()}
    if key in ("opened", "laid_by") and isinstance(value, str):
        value = value.replace(",", " ").split()
    if key in ("opened", "laid_by") and isinstance(value, list | tuple):
        return [_seat_number(seat) for seat in value]
    if key in ("scores", "deals_won") and isinstance(value, Mapping):
        return {seat: number for name, number in value.items() for seat in _seats_named(name)}
    return value


def _seat_number(seat: Any) -> Any:
    """What is no seat is left for the reader to complain of."""
    name = str(seat).strip().upper()
    if len(name) == 1 and name in SEAT_LETTERS:
        return SEAT_LETTERS.index(name)
    return int(name) if isinstance(seat, str) and name.isdecimal() else seat


def _seats_named(name: Any) -> Sequence[Any]:
    """The seats of a side or of a seat's name."""
    side = str(name).strip().upper()
    return SIDES[SIDE_NAMES.index(side)] if side in SIDE_NAMES else (_seat_number(name),)


PUSH_GAME = PushGame()
