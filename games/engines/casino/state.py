"""Casino, 2 to 4 seats: take table cards by rank or by sum, or build them into parcels to be taken later.

Source: document "casino" (the game without its variation).
Rulings, where it is silent or unclear:
- cards left on the table at the end go to the side that captured last, to nobody if no side captured;
- partners (0 and 2 against 1 and 3) keep one pile and one score, but each answers for his own builds;
- a build belongs to the last seat that made, joined or raised it; builds of one value are united at once;
- several sides past the target: the highest total wins, a tie for it means another hand, up to a last hand;
- it ends: a hand with a capture gives at least 7 points, and `hand_cap` stops endless ties and refusals to
  capture.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, NoReturn, Self, TypeAlias

from games.core.captures import COMPLETE, Sums, division
from games.core.cards import RANKS, SUITS, Card, by_display, in_capitals, pack
from games.core.contract import (
    Choice,
    Event,
    Game,
    HandResult,
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
    numbers,
    open_zone,
    places,
    switch,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import SidesReader, by_seat, card_list, check_cards, known_keys, whole_number

PACK = pack()
# A counts 1, 2-10 their face value; face cards have no number value and are missing here.
VALUES: Mapping[Card, int] = {card: RANKS.index(card[0]) + 1 for card in PACK if card[0] not in "JQK"}
HIGHEST_BUILD = 10
# The place of a card in display order, which is the order of the items of a move.
_PLACE = {card: place for place, card in enumerate(by_display(PACK))}

HAND_SIZE = 4
MOST_CARDS_POINTS = 3
MOST_SPADES_POINTS = 1
ACE_POINTS = 1
BIG_CASINO, BIG_CASINO_POINTS = "TD", 2
LITTLE_CASINO, LITTLE_CASINO_POINTS = "2S", 1
SWEEP_POINTS = 1
LEAST_POINTS_OF_A_HAND = 7

FACES = {"J": "jack", "Q": "queen", "K": "king"}


# Moves


@dataclass(frozen=True, slots=True)
class Trail(Move):
    card: Card

    def __str__(self) -> str:
        return self.card


@dataclass(frozen=True, slots=True)
class Capture(Move):
    """`card` takes `loose` cards, in display order, and the builds with the values `builds`, ascending."""

    card: Card
    loose: tuple[Card, ...]
    builds: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.card}x{_items(self.loose, self.builds)}"


@dataclass(frozen=True, slots=True)
class Sweep(Capture):
    """A capture that has taken everything, as it is recorded where sweeps count: `KSxKD+[13]*`."""

    def __str__(self) -> str:
        return f"{self.card}x{_items(self.loose, self.builds)}*"


@dataclass(frozen=True, slots=True)
class MakeBuild(Move):
    """`card` makes a build of `value` with `loose` cards, in display order, and older `builds`, ascending.

    An older build of the same value is joined, one of another value is raised.
    """

    card: Card
    value: int
    loose: tuple[Card, ...]
    builds: tuple[int, ...] = ()

    @property
    def raised(self) -> tuple[int, ...]:
        return tuple([build for build in self.builds if build != self.value])

    def __str__(self) -> str:
        return f"{self.card}={self.value}:{_items(self.loose, self.builds)}"


@dataclass(frozen=True, slots=True)
class NotOneCard(Move):
    """No card (a pass) or several: readable, never legal, so that the refusal can name the rule."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return "+".join(self.cards) or "pass"


CasinoMove: TypeAlias = Trail | Capture | MakeBuild | NotOneCard


def _items(loose: Sequence[Card], builds: Sequence[int]) -> str:
    return "+".join([*loose, *(f"[{build}]" for build in builds)])


_CARD = rf"[{RANKS}][{SUITS}]"
_PLAY = re.compile(rf"({_CARD})(?:X|=(\d{{1,2}}):?)(.*)")
_ITEM = re.compile(rf"({_CARD})|\[(\d{{1,2}})\]")
HOW_TO_WRITE = "Write 8S to trail it, 8Sx3C+5H to capture, 5H=8:3C to build eight; [8] means the build of 8."


def read_move(text: str) -> CasinoMove:
    """The move that a text means. :raises UnreadableMove:"""
    packed = re.sub(r" ?([X=:+,]) ?", r"\1", " ".join(in_capitals(text).split()))
    if packed == "PASS":
        return NotOneCard(())
    play = _PLAY.fullmatch(packed)
    if play is None:
        cards, builds = _read_items(packed)
        if not cards or builds:
            raise UnreadableMove(f"That is not a move of Casino. {HOW_TO_WRITE}")
        return Trail(cards[0]) if len(cards) == 1 else NotOneCard(cards)
    card, value, items = play.groups()
    loose, builds = _read_items(items)
    return Capture(card, loose, builds) if value is None else MakeBuild(card, int(value), loose, builds)


def _read_items(text: str) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """Loose cards and build values, each in canonical order; what is named twice stays so, to be refused."""
    found = [_ITEM.fullmatch(word) for word in re.split(r"[+, ]+", re.sub(r"\[ ?(\d+) ?\]", r"[\1]", text)) if word]
    items = [item.groups() for item in found if item]
    if len(items) < len(found):
        raise UnreadableMove(f"One of the parts is neither a card nor a build. {HOW_TO_WRITE}")
    loose = by_display(card for card, _ in items if card)
    return tuple(loose), tuple(sorted(int(value) for _, value in items if value))


# State


@dataclass(frozen=True, slots=True)
class Build:
    """Cards on the table that are taken together by a card worth `value`.

    sets: each worth `value`, at least two cards in all. controller: the seat that owes a card of this value.
    """

    value: int
    sets: tuple[tuple[Card, ...], ...]
    controller: int

    @property
    def cards(self) -> list[Card]:
        return [card for cards in self.sets for card in cards]

    @property
    def is_single(self) -> bool:
        return len(self.sets) == 1

    def __str__(self) -> str:
        return f"[{self.value}:{'|'.join(' '.join(cards) for cards in self.sets)}@{self.controller}]"


Turn: TypeAlias = tuple[int, CasinoMove]


class CasinoState(State):
    """Lists by seat or, for won piles, totals and sweeps, by side; a side is a seat or a partnership.

    stock: next card first. loose: oldest first. builds: by value. turns: those of this hand.
    record: what was done in the finished hands. last_taken: the cards of the last turn if it captured.
    sweep_cards: by side, the cards that made sweeps, face up on its pile where sweeps count.
    values: what a card counts in a set of several. alone: what it counts when it takes, when it is a set of its own
    and when it backs a build.
    """

    __slots__ = (
        "_decks", "_next_deck", "builds", "dealer", "game", "hand_number", "hands", "last_capturer",
        "last_taken", "loose", "options", "record", "results", "seats", "sides", "stock", "sweep_cards", "sweeps",
        "to_act", "totals", "turns", "won",
    )  # fmt: skip

    values: ClassVar[Mapping[Card, int]] = VALUES
    alone: ClassVar[Mapping[Card, int]] = VALUES
    complete: ClassVar[int] = COMPLETE
    highest_build: ClassVar[int] = HIGHEST_BUILD

    game: "Casino"
    hands: list[list[Card]]
    stock: list[Card]
    loose: list[Card]
    builds: dict[int, Build]
    won: list[list[Card]]
    sweeps: list[int]
    sweep_cards: list[list[Card]]
    totals: list[int]
    turns: list[Turn]
    last_taken: tuple[Card, ...]
    last_capturer: int | None
    dealer: int
    hand_number: int
    record: tuple[Event, ...]
    results: tuple[HandResult, ...]

    def __init__(self, game: "Casino", decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        """A table before the first card; `deal_hand` begins."""
        self.game = game
        self.seats = seats
        self.options = options
        self.sides = 2 if options["partners"] else seats
        self.dealer = dealer
        self.totals = [0] * self.sides
        self.hand_number = 1
        self.results = ()
        self.record = ()
        self.to_act = ()
        self._decks = decks
        self._next_deck = 0
        self._clear_table()

    def _clear_table(self) -> None:
        self.hands = [[] for _ in range(self.seats)]
        self.stock, self.loose, self.builds = [], [], {}
        self.won = [[] for _ in range(self.sides)]
        self.sweeps = [0] * self.sides
        self.sweep_cards = [[] for _ in range(self.sides)]
        self.turns, self.last_taken, self.last_capturer = [], (), None

    def side(self, seat: int) -> int:
        return seat % self.sides

    # Dealing

    def deal_hand(self) -> None:
        """Two cards to each hand, two to the table after the last of the others, and all that once more."""
        self._clear_table()
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        self.stock = list(deck)
        for _ in range(2):
            for seat in self._from_left_of_dealer():
                if seat == self.dealer:
                    self.loose += self._draw(2)
                self.hands[seat] += self._draw(2)
        self._give_turn(after=self.dealer)

    def _deal_again(self) -> None:
        for _ in range(2):
            for seat in self._from_left_of_dealer():
                self.hands[seat] += self._draw(2)

    def _from_left_of_dealer(self) -> list[int]:
        return [(self.dealer + step) % self.seats for step in range(1, self.seats + 1)]

    def _draw(self, count: int) -> list[Card]:
        cards = self.stock[:count]
        del self.stock[:count]
        return cards

    # Moves that are legal

    def legal_moves(self, seat: int) -> list[CasinoMove]:
        """All legal moves, up to `complete` loose number cards.

        On a more crowded table, which only players who refuse to capture can reach, captures and builds are a
        selection with maximal ones among them; `play` accepts the others all the same.
        """
        if seat not in self.to_act:
            return []
        hand = sorted(self.hands[seat], key=_PLACE.__getitem__)
        loose = sorted(self.loose, key=_PLACE.__getitem__)
        sums = self.sums(loose)
        may_trail = not self._forbids_trailing(seat)
        owed = self._controlled(seat)
        moves: list[CasinoMove] = []
        for card in hand:
            rest = {self.alone[other] for other in hand if other != card and other in self.values}
            found: list[CasinoMove] = [Trail(card)] if may_trail else []
            found += self._captures(card, sums)
            found += self._makeable_builds(card, rest, sums)
            moves += found if rest.issuperset(owed) else [move for move in found if not self._unkept(seat, move)]
        return moves

    @classmethod
    def sums(cls, loose: Iterable[Card]) -> Sums:
        """What the number cards among these add up to."""
        cards = [card for card in loose if card in cls.values]
        return Sums(cards, cls.values, cls.highest_build, alone=cls.alone, complete=cls.complete)

    def _captures(self, card: Card, sums: Sums) -> Iterator[Capture]:
        value = self.alone.get(card)
        if value is None:
            return self._face_captures(card)
        return self._number_captures(card, value, sums)

    def _face_captures(self, card: Card) -> Iterator[Capture]:
        equal = [other for other in by_display(self.loose) if other[0] == card[0]]
        if self.options["face_capture"] == "one":
            return (Capture(card, (other,)) for other in equal)
        choices = range(1, 1 << len(equal))
        return (Capture(card, tuple(c for i, c in enumerate(equal) if mask >> i & 1)) for mask in choices)

    def _number_captures(self, card: Card, value: int, sums: Sums) -> Iterator[Capture]:
        for union in sums.unions(value):
            loose = sums.pick(union)
            if union:
                yield Capture(card, loose)
            if value in self.builds:
                yield Capture(card, loose, (value,))

    def _makeable_builds(self, card: Card, rest: Iterable[int], sums: Sums) -> Iterator[MakeBuild]:
        """Builds with `card` for each value of the cards that stay in the hand."""
        played = self.values.get(card)
        if played is None:
            return
        for value in sorted(rest):
            joined = (value,) if value in self.builds else ()
            for union in self._built_with(card, value, sums):
                if union or joined:
                    yield MakeBuild(card, value, sums.pick(union), joined)
            raised = self.builds.get(value - played)
            if raised and raised.is_single:
                for union in sums.unions(value):
                    yield MakeBuild(card, value, sums.pick(union), (raised.value, *joined))

    def _built_with(self, card: Card, value: int, sums: Sums) -> list[int]:
        """Groups of loose cards that go into a build of `value` together with the card played, ascending."""
        unions = sums.unions(value)
        firsts = sums.offers(value - self.values[card])
        if self.alone[card] == value:
            firsts = [0, *firsts]
        return sorted({first | more for first in firsts for more in unions if not first & more})

    # Duties of a builder

    def _controlled(self, seat: int) -> list[int]:
        return [build.value for build in self.builds.values() if build.controller == seat]

    def _forbids_trailing(self, seat: int) -> bool:
        return self.options["trail_with_build"] == "forbidden" and bool(self._controlled(seat))

    def _unkept(self, seat: int, move: CasinoMove) -> list[int]:
        """Values of builds that the seat would still control after the move without a card to take them."""
        assert not isinstance(move, NotOneCard)
        owed = self._controlled(seat)
        if not owed:
            return []
        given_up = () if isinstance(move, Trail) else move.builds
        held = {self.alone.get(card) for card in self.hands[seat] if card != move.card}
        return [value for value in owed if value not in given_up and value not in held]

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_out_of_turn()
        match move:
            case Trail():
                self._check_card(seat, move.card)
                self._check_trail(seat, move)
                self._trail(seat, move)
            case Capture():
                self._check_card(seat, move.card)
                self._check_capture(seat, move)
                move = self._capture(seat, move)
            case MakeBuild():
                self._check_card(seat, move.card)
                move = self._with_joined_build(move)
                self._check_build(seat, move)
                self._build(seat, move)
            case NotOneCard():
                self._refuse("one-card", "Play exactly one card of your hand; it captures, builds or trails.")
            case _:
                raise TypeError(f"not a move of Casino: {move!r}")
        self.turns.append((seat, move))
        self._give_turn(after=seat)

    def _trail(self, seat: int, move: Trail) -> None:
        self.hands[seat].remove(move.card)
        self.loose.append(move.card)
        self.last_taken = ()

    def _capture(self, seat: int, move: Capture) -> Capture:
        """Plays a capture and returns it as it is recorded."""
        self.hands[seat].remove(move.card)
        self.loose = [card for card in self.loose if card not in move.loose]
        taken = [move.card, *move.loose]
        for value in move.builds:
            taken += self.builds.pop(value).cards
        self.won[self.side(seat)] += taken
        self.last_taken = tuple(taken)
        self.last_capturer = seat
        if not self._is_sweep():
            return move
        self.sweeps[self.side(seat)] += 1
        if self.options["sweeps"] == "off":
            return move
        self.sweep_cards[self.side(seat)].append(move.card)
        return Sweep(move.card, move.loose, move.builds)

    def _is_sweep(self) -> bool:
        """Whether the capture just made has taken everything on the table."""
        return not self.loose and not self.builds

    def _build(self, seat: int, move: MakeBuild) -> None:
        self.hands[seat].remove(move.card)
        self.loose = [card for card in self.loose if card not in move.loose]
        sets: list[tuple[Card, ...]] = []
        if move.value in move.builds:
            sets += self.builds.pop(move.value).sets
        for value in move.raised:
            sets.append((*self.builds.pop(value).cards, move.card))
        built = move.loose if move.raised else by_display([move.card, *move.loose])
        sets += self.division(built, move.value) or []
        self.builds[move.value] = Build(move.value, tuple(sets), seat)
        self.last_taken = ()

    @classmethod
    def division(cls, cards: Sequence[Card], value: int) -> list[tuple[Card, ...]] | None:
        """All cards in sets worth `value`; None when they cannot be divided like that."""
        single = [card for card in cards if cls.alone[card] == value != cls.values[card]]
        for count in range(len(single), -1, -1):
            rest = [card for card in cards if card not in single[:count]]
            sets = division(rest, cls.values, value)
            if sets is not None:
                return [*((card,) for card in single[:count]), *sets]
        return None

    def set_value(self, cards: Sequence[Card]) -> int:
        """What a set is worth, 0 if a card without value is in it."""
        if any(card not in self.values for card in cards):
            return 0
        return self.alone[cards[0]] if len(cards) == 1 else sum(self.values[card] for card in cards)

    def _with_joined_build(self, move: MakeBuild) -> MakeBuild:
        """Builds of one value merge by themselves: the older one is part of the move even if not named.

        It stays the last of the items, because a build is raised from a lower value.
        """
        if move.value in self.builds and move.value not in move.builds:
            return MakeBuild(move.card, move.value, move.loose, (*move.builds, move.value))
        return move

    def _give_turn(self, after: int) -> None:
        """The next seat with a card; when nobody has one, the dealer deals again or the hand ends."""
        if not any(self.hands):
            if not self.stock:
                return self._end_hand()
            self._deal_again()
            after = self.dealer
        order = [(after + step) % self.seats for step in range(1, self.seats + 1)]
        self.to_act = (next(seat for seat in order if self.hands[seat]),)

    # Refusals, in the order in which the rules are tested

    def _refuse(self, rule: str, message: str) -> NoReturn:
        self.game.refuse(rule, message)

    def _refuse_out_of_turn(self) -> NoReturn:
        message = "It is another player's turn; yours will come." if self.to_act else "The game is over."
        raise NotYourTurn(message, rule=f"{self.game.slug}:turn-order")

    def _check_card(self, seat: int, card: Card) -> None:
        if card not in self.hands[seat]:
            hand = " ".join(by_display(self.hands[seat]))
            self._refuse("one-card", f"{card} is not in your hand; play one of {hand}.")

    def _check_trail(self, seat: int, move: Trail) -> None:
        if self._forbids_trailing(seat):
            self._refuse(
                "no-trail-with-build",
                f"You control {_builds(self._controlled(seat))}, so you may not trail: "
                "capture something, make a build or add to one.",
            )
        self._check_kept(seat, move)

    def _check_capture(self, seat: int, move: Capture) -> None:
        if not move.loose and not move.builds:
            self._refuse("capture-min", f"Choose at least one card or build that {move.card} takes.")
        self._check_items(move.loose, move.builds)
        if move.card in self.values:
            self._check_number_capture(move, self.alone[move.card])
        else:
            self._check_face_capture(move)
        self._check_kept(seat, move)

    def _check_items(self, loose: Iterable[Card], builds: Iterable[int]) -> None:
        for card in loose:
            for build in self.builds.values():
                if card in build.cards:
                    self._refuse(
                        "build-unit",
                        f"{card} is inside the build of {build.value}, which is only taken or added to "
                        f"as a whole: choose [{build.value}].",
                    )
            if card not in self.loose:
                lying = f"choose from {' '.join(by_display(self.loose))}" if self.loose else "none lies there now"
                self._refuse("build-unit", f"{card} is not a loose card on the table; {lying}.")
        for value in builds:
            if value not in self.builds:
                lying = f"only {_builds(sorted(self.builds))}" if self.builds else "no build at all"
                self._refuse("build-unit", f"There is no build of {value}; the table has {lying}.")

    def _check_face_capture(self, move: Capture) -> None:
        face = FACES[move.card[0]]
        if move.builds or any(card[0] != move.card[0] for card in move.loose):
            self._refuse("capture-face", f"{move.card} only takes another {face} that lies loose on the table.")
        if len(move.loose) > 1 and self.options["face_capture"] == "one":
            self._refuse("capture-face-one", f"A face card takes exactly one card: choose one {face}.")
        self._check_named_once("capture-sum", move)

    def _check_number_capture(self, move: Capture, value: int) -> None:
        for card in move.loose:
            if card not in self.values:
                self._refuse(
                    "capture-face",
                    f"{card} has no number value and is only taken by another {FACES[card[0]]}; "
                    f"{move.card} takes number cards that add up to {value}.",
                )
        for build in move.builds:
            if build != value:
                self._refuse(
                    "capture-build",
                    f"The build of {build} is only taken by a card worth {build}; "
                    f"{move.card} takes cards, sets and a build worth {value}."
                    f"{self._reminder([move.card, *self._worth(build)])}",
                )
        self._check_named_once("capture-sum", move)
        if self.division(move.loose, value) is None:
            self._refuse(
                "capture-sum",
                f"{move.card} takes cards worth {value} and sets that add up to {value}, each card once; "
                f"{' '.join(move.loose)} cannot be divided like that.{self._reminder((move.card, *move.loose))}",
            )

    def _worth(self, value: int) -> list[Card]:
        """The cards that take a build of this value."""
        return [card for card in self.alone if self.alone[card] == value]

    def _reminder(self, cards: Iterable[Card]) -> str:
        """A sentence about cards whose values are easily forgotten."""
        return ""

    def _check_named_once(self, rule: str, move: Capture | MakeBuild) -> None:
        for items in (move.loose, move.builds):
            if len(set(items)) < len(items):
                self._refuse(rule, "A card or a build counts once in a play; name each of them once.")

    def _check_build(self, seat: int, move: MakeBuild) -> None:
        self._check_items(move.loose, move.builds)
        for card in (move.card, *move.loose):
            if card not in self.values:
                advice = "capture with it or trail it" if card == move.card else "leave it out"
                self._refuse("build-numbers-only", f"Builds are made of number cards and {card} is none: {advice}.")
        if not any(self.alone.get(card) == move.value for card in self.hands[seat] if card != move.card):
            self._refuse(
                "build-hold",
                f"To build {move.value} you must keep a card worth {move.value} in your hand; "
                f"build a value that you keep, or use {move.card} in another way."
                f"{self._reminder([move.card, *self._worth(move.value)])}",
            )
        self._check_raise(move)
        self._check_sets(move)
        self._check_kept(seat, move)

    def _check_raise(self, move: MakeBuild) -> None:
        for value in move.raised:
            if not self.builds[value].is_single:
                self._refuse(
                    "build-raise-multiple",
                    f"The build of {value} has several sets, so its value is fixed: take it or add sets of {value}.",
                )
        risen = [value + self.values[move.card] for value in move.raised]
        if risen and risen != [move.value]:
            self._refuse_raise(move.card, move.raised[0], risen[0])

    def _refuse_raise(self, card: Card, value: int, risen: int) -> NoReturn:
        becomes = f"a build of {risen}" if risen <= self.highest_build else "too high a build; leave it as it is"
        self._refuse(
            "build-raise-exact",
            f"Only the card from your hand raises a build: {card} would make the build of {value} {becomes}."
            f"{self._reminder([card])}",
        )

    def _check_sets(self, move: MakeBuild) -> None:
        if not move.loose and not move.builds:
            self._refuse("build-min", f"A build has at least two cards: choose what to put together with {move.card}.")
        self._check_named_once("build-sets", move)
        built = move.loose if move.raised else (move.card, *move.loose)
        if self.division(built, move.value) is None:
            self._refuse(
                "build-sets",
                f"All cards of this build must be worth {move.value} or add up to it in sets, each card "
                f"once; {' '.join(built)} cannot be divided like that.{self._reminder(built)}",
            )

    def _check_kept(self, seat: int, move: CasinoMove) -> None:
        unkept = self._unkept(seat, move)
        if unkept:
            self._refuse(
                "keep-capture-card",
                f"You control the build of {unkept[0]} and need a card worth {unkept[0]} to take it: "
                f"play another card, or take the build now.{self._reminder(self._worth(unkept[0]))}",
            )

    # The end of a hand

    def _end_hand(self) -> None:
        left = [*self.loose, *(card for build in self.builds.values() for card in build.cards)]
        unclaimed: list[Card] = []
        if self.last_capturer is None:
            unclaimed = left
        else:
            self.won[self.side(self.last_capturer)] += left
        result = self._result(left, unclaimed)
        self.results = (*self.results, result)
        self.totals = [total + result.points[side] for side, total in enumerate(self.totals)]
        self.record += tuple(told(turn) for turn in self.turns)
        self.loose, self.builds = unclaimed, {}
        self.to_act = ()
        if not self._winners():
            self.dealer = (self.dealer + 1) % self.seats
            self.hand_number += 1
            self.deal_hand()

    def _result(self, left: Sequence[Card], unclaimed: Sequence[Card]) -> HandResult:
        """The score of the won piles. left: cards on the table at the end; unclaimed: if nobody gets them."""
        lines = (*self._leftover_lines(left), *self._lines())
        by_side = [sum(line.points for line in lines if side in line.seats) for side in range(self.sides)]
        summary = ", ".join(f"{self._name(side)} {points}" for side, points in enumerate(by_side))
        zones = [self._won_zone(side) for side in range(self.sides)]
        if unclaimed:
            zones.append(open_zone("unclaimed", "row", "Left on the table for nobody", by_display(unclaimed)))
        points = tuple(by_side[self.side(seat)] for seat in range(self.seats))
        return HandResult(self.hand_number, f"This hand: {summary}.", points, lines, tuple(zones))

    def _won_zone(self, side: int) -> Zone:
        return open_zone(f"won:{side}", "pile", f"Won by {self._name(side)}", by_display(self.won[side]), owner=side)

    def _leftover_lines(self, left: Sequence[Card]) -> Iterator[ScoreLine]:
        if not left:
            return
        cards = " ".join(by_display(left))
        if self.last_capturer is None:
            yield self._line(None, "last-capture", f"Nobody captured, so nobody gets what is left: {cards}", 0)
        else:
            side = self.side(self.last_capturer)
            yield self._line(side, "last-capture", f"Last to capture, takes what is left: {cards}", 0)

    def _lines(self) -> Iterator[ScoreLine]:
        """What scores, in the order in which it is counted out."""
        yield self._most("score-cards", "cards", [len(won) for won in self.won], MOST_CARDS_POINTS)
        spades = [sum(card[1] == "S" for card in won) for won in self.won]
        yield self._most("score-spades", "spades", spades, MOST_SPADES_POINTS)
        yield from self._honour("score-big", "Big casino", BIG_CASINO, BIG_CASINO_POINTS)
        yield from self._honour("score-little", "Little casino", LITTLE_CASINO, LITTLE_CASINO_POINTS)
        for ace in ("AS", "AH", "AC", "AD"):
            yield from self._honour("score-aces", "Ace", ace, ACE_POINTS)
        yield from self._sweep_lines()

    def _sweep_lines(self) -> Iterator[ScoreLine]:
        if self.options["sweeps"] == "each":
            for side, sweeps in enumerate(self.sweeps):
                if sweeps:
                    yield self._line(side, "sweep", f"Sweeps: {sweeps}", sweeps * SWEEP_POINTS)

    def _most(self, rule: str, what: str, counts: Sequence[int], points: int) -> ScoreLine:
        best = max(counts)
        if counts.count(best) > 1:
            tie = rule if self.sides == 2 else "score-tie-many"
            return self._line(None, tie, f"Most {what}: shared with {best} each, nobody scores", 0)
        return self._line(counts.index(best), rule, f"Most {what}: {best}", points)

    def _honour(self, rule: str, name: str, card: Card, points: int) -> Iterator[ScoreLine]:
        for side, won in enumerate(self.won):
            if card in won:
                yield self._line(side, rule, f"{name}: {card}", points)

    def _line(self, side: int | None, rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(self._seats_of(side), f"{self.game.slug}:{rule}", text, points)

    def _seats_of(self, side: int | None) -> tuple[int, ...]:
        return () if side is None else tuple(range(side, self.seats, self.sides))

    def _name(self, side: int) -> str:
        return " and ".join(f"@{seat}" for seat in self._seats_of(side))

    # The end of the game

    @property
    def hand_cap(self) -> int:
        """The number of the last hand that is played, whatever the totals are."""
        return -(-(self._target - 1) * self.sides // LEAST_POINTS_OF_A_HAND) + 8

    @property
    def _target(self) -> int:
        return int(self.options["target"])

    def _winners(self) -> list[int]:
        """The winning sides after a hand, [] if another one is needed; several only after the last hand."""
        winner = self._winner_by_target()
        if winner is not None:
            return [winner]
        return self._leaders() if self.hand_number >= self.hand_cap else []

    def _leaders(self) -> list[int]:
        best = max(self.totals)
        return [side for side, total in enumerate(self.totals) if total == best]

    def _winner_by_target(self) -> int | None:
        """The side that won with these totals; None when the target is not reached, or shared at the top."""
        leaders = self._leaders()
        if self.totals[leaders[0]] < self._target:
            return None
        if self.options["end"] == "count-out":
            leaders = self._first_to_target() or leaders
        return leaders[0] if len(leaders) == 1 else None

    def _first_to_target(self) -> list[int]:
        """The side that reached the target first when the last hand is counted line by line, if any."""
        if not self.results:
            return []
        last = self.results[-1]
        running = [total - last.points[side] for side, total in enumerate(self.totals)]
        if max(running) >= self._target:
            return []
        for line in last.lines:
            for side in range(self.sides):
                if side in line.seats:
                    running[side] += line.points
                    if running[side] >= self._target:
                        return [side]
        return []

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        winners = self._winners()
        scores = self._scores()
        # A side that counted out stands before sides with more points.
        standing = [score + (self.side(seat) in winners) * max(scores) for seat, score in enumerate(scores)]
        return Outcome(scores, places(standing), self._reason(winners))

    def _reason(self, winners: Sequence[int]) -> str:
        points = self.totals[winners[0]]
        names = " and ".join(self._name(side) for side in winners)
        if points < self._target or len(winners) > 1:
            return f"Hand {self.hand_cap} was the last one: {names} had the highest total, {points} points."
        if self._leaders() != winners:
            return f"{names} reached {self._target} points first when the hand was counted."
        return f"{names} won with {points} points; the target is {self._target}."

    def _scores(self) -> tuple[int, ...]:
        return tuple([self.totals[self.side(seat)] for seat in range(self.seats)])

    # What others see of it

    def view(self, seat: int | None) -> "CasinoView":
        turns = self._visible_turns()
        return CasinoView(
            seat=seat,
            seats=self.seats,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=self._scores(),
            log=self.record + tuple([told(turn) for turn in turns]),
            results=self.results,
            sides=self.sides,
            hand=() if seat is None else tuple(by_display(self.hands[seat])),
            hand_counts=tuple([len(hand) for hand in self.hands]),
            stock_count=len(self.stock),
            loose=tuple(self.loose),
            builds=tuple([self.builds[value] for value in sorted(self.builds)]),
            won_counts=tuple([len(won) for won in self.won]),
            sweeps=tuple(self.sweeps),
            sweep_cards=tuple(map(tuple, self.sweep_cards)),
            dealer=self.dealer,
            last_capturer=self.last_capturer,
            hand_number=self.hand_number,
            turns=turns,
            last_taken=self.last_taken,
        )

    def _visible_turns(self) -> tuple[Turn, ...]:
        """The previous turn of each seat, while the hand lasts."""
        if not self.to_act:
            return ()
        recent = self.turns[-self.seats :]
        later = [{seat for seat, _ in recent[index + 1 :]} for index in range(len(recent))]
        return tuple([turn for turn, after in zip(recent, later, strict=True) if turn[0] not in after])

    def cards(self) -> list[Card]:
        built = [card for build in self.builds.values() for card in build.cards]
        piles = [*self.hands, *self.won]
        return [*self.stock, *self.loose, *built, *(card for pile in piles for card in pile)]

    def copy(self) -> Self:
        other = object.__new__(type(self))
        for name in CasinoState.__slots__:
            setattr(other, name, getattr(self, name))
        other.hands = [hand[:] for hand in self.hands]
        other.won = [won[:] for won in self.won]
        other.stock = self.stock[:]
        other.loose = self.loose[:]
        other.builds = self.builds.copy()
        other.sweeps = self.sweeps[:]
        other.sweep_cards = [cards[:] for cards in self.sweep_cards]
        other.turns = self.turns[:]
        return other

    def dump(self) -> Position:
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "hand": self.hand_number,
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(hand) for hand in self.hands],
            "stock": list(self.stock),
            "loose": list(self.loose),
            "builds": [
                {
                    "value": build.value,
                    "sets": [list(cards) for cards in build.sets],
                    "controller": build.controller,
                }
                for _, build in sorted(self.builds.items())
            ],
            "won": [list(won) for won in self.won],
            "last_taken": list(self.last_taken),
            "last_capturer": self.last_capturer,
            "sweeps": list(self.sweeps),
            "sweep_cards": [list(cards) for cards in self.sweep_cards],
            "totals": list(self.totals),
            "turns": [[seat, str(move)] for seat, move in self.turns],
        }


def _builds(values: Sequence[int]) -> str:
    """Builds in words: the build of 8, the builds of 2, 5 and 8."""
    *others, last = map(str, values)
    return f"the builds of {', '.join(others)} and {last}" if others else f"the build of {last}"


# View


@dataclass(frozen=True, slots=True, kw_only=True)
class CasinoView(View):
    """hand: in display order, () for a spectator. hand_counts: by seat. won_counts, sweeps, sweep_cards: by side.

    turns: the previous turn of each seat. last_taken: the cards of the last turn, () unless it was a capture;
    they lie on top of the capturing side's pile until the next card is played.
    """

    sides: int
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    stock_count: int
    loose: tuple[Card, ...]
    builds: tuple[Build, ...]
    won_counts: tuple[int, ...]
    sweeps: tuple[int, ...]
    sweep_cards: tuple[tuple[Card, ...], ...]
    dealer: int
    last_capturer: int | None
    hand_number: int
    turns: tuple[Turn, ...]
    last_taken: tuple[Card, ...]

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        others = [(first + step) % self.seats for step in range(self.seats)]
        if self.seat is not None:
            others.remove(self.seat)
        mine = (
            []
            if self.seat is None
            else [open_zone(f"hand:{self.seat}", "hand", "Your hand", self.hand, owner=self.seat)]
        )
        return (
            *(self._hidden_hand(seat) for seat in others),
            Zone(
                "stock",
                "stock",
                "Stock",
                count=self.stock_count,
                note="" if self.stock_count else "last deal",
            ),
            open_zone("table", "row", "Loose cards", self.loose),
            *(self._build_zone(build) for build in self.builds),
            *(self._won_zone(side) for side in range(self.sides)),
            *mine,
        )

    def _hidden_hand(self, seat: int) -> Zone:
        return Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", count=self.hand_counts[seat], owner=seat)

    def _build_zone(self, build: Build) -> Zone:
        note = f"worth {build.value}" if build.is_single else f"worth {build.value}, multiple"
        label = f"Build of {build.value} by @{build.controller}"
        return open_zone(f"build:{build.value}", "build", label, build.cards, note=note)

    def _won_zone(self, side: int) -> Zone:
        top = self.last_taken if self.last_capturer is not None and self.last_capturer % self.sides == side else ()
        names = " and ".join(f"@{seat}" for seat in range(side, self.seats, self.sides))
        sweeps = self.sweeps[side] if self.options["sweeps"] != "off" else 0
        note = f"sweeps: {sweeps}" if sweeps else ""
        cards = tuple([card for card in self.sweep_cards[side] if card not in top]) + top
        return Zone(f"won:{side}", "pile", f"Won by {names}", cards, self.won_counts[side], side, note)

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        mine = [build.value for build in self.builds if build.controller == self.seat]
        if not mine:
            return "Play one card: capture, build or trail."
        if self.options["trail_with_build"] == "allowed":
            return f"Play one card: capture, build or trail. Keep a card for {_builds(mine)}."
        return f"Play one card: capture or build. You control {_builds(mine)}, so you may not trail."

    def choice(self, move: Move) -> Choice:
        match move:
            case Trail():
                touches: tuple[str, ...] = (move.card, "table")
            case Capture() | MakeBuild():
                touches = (move.card, *move.loose, *(f"build:{value}" for value in move.builds))
            case _:
                raise TypeError(f"not a legal move of Casino: {move!r}")
        return Choice(move, phrase(move), touches)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        last = "nobody yet" if self.last_capturer is None else f"@{self.last_capturer}"
        return (
            ("Hand", str(self.hand_number)),
            ("Dealer", f"@{self.dealer}"),
            (
                "Deals left",
                str(-(-self.stock_count // (HAND_SIZE * self.seats))) if self.stock_count else "none, this is the last",
            ),
            ("Last capture", last),
            ("Target", f"{self.options['target']} points"),
        )


@lru_cache(maxsize=4096)
def told(turn: Turn) -> Event:
    """A turn as the log has it."""
    seat, move = turn
    assert not isinstance(move, NotOneCard)
    touches: tuple[str, ...] = (move.card,)
    if isinstance(move, MakeBuild):
        touches = (move.card, *move.loose, f"build:{move.value}")
    elif isinstance(move, Capture):
        touches = (move.card, *move.loose)
    return Event(seat, phrase(move), touches)


def phrase(move: CasinoMove) -> Phrase:
    """A legal move in words."""
    match move:
        case Trail():
            return Phrase("trail", move.card)
        case Sweep():
            return Phrase("sweep", f"{_in_words(move.loose, move.builds)} off the table with {move.card}")
        case Capture():
            return Phrase("take", f"{_in_words(move.loose, move.builds)} with {move.card}")
        case MakeBuild():
            return _build_phrase(move)
    raise TypeError(f"not a legal move of Casino: {move!r}")


def _build_phrase(move: MakeBuild) -> Phrase:
    joined = [value for value in move.builds if value == move.value]
    if move.raised:
        more = f", joining {_in_words(move.loose, joined)}" if move.loose or joined else ""
        return Phrase("raise", f"{_in_words((), move.raised)} to {move.value} with {move.card}{more}")
    cards = _in_words((move.card, *move.loose), ())
    if joined:
        return Phrase("add", f"{cards} to {_in_words((), joined)}")
    return Phrase("build", f"{move.value} from {cards}")


def _in_words(loose: Sequence[Card], builds: Sequence[int]) -> str:
    parts = [" ".join(loose)] if loose else []
    return " and ".join([*parts, *(f"the build of {value}" for value in builds)])


# The game


class Casino(Game[CasinoState, CasinoView, CasinoMove]):
    slug = "casino"
    name = "Casino"
    summary = "Capture table cards by rank or by sum, and build for the next turn."
    seats = (2, 3, 4)
    proposals = True  # a crowded table has more sums than are listed, and a build joins an older one unnamed
    options: ClassVar[tuple[Option, ...]] = (
        switch(
            "partners",
            "Partners",
            default=False,
            help="Four seats in two partnerships, partners opposite.",
            seats=(4,),
        ),
        numbers(
            "target",
            "Target",
            (11, 21, 31, 50),
            default=21,
            help="Points that win the game; 11 is one good hand.",
        ),
        Option(
            "trail_with_build",
            "Trailing with a build",
            "forbidden",
            {"forbidden": "forbidden", "allowed": "allowed"},
            "Whether a player who controls a build may trail; a card for the build must be kept in any case.",
        ),
        Option(
            "face_capture",
            "Face cards take",
            "one",
            {"one": "one equal card", "any": "any number of equal cards"},
            "How many loose cards of its own rank a jack, queen or king may take in one play.",
        ),
        Option(
            "sweeps",
            "Sweeps",
            "off",
            {"off": "do not count", "each": "one point each"},
            "A sweep is a capture that takes everything on the table.",
        ),
        Option(
            "end",
            "Several sides pass the target",
            "highest",
            {"highest": "the highest total wins", "count-out": "the first to reach it wins"},
            "Counting out: cards, spades, big casino, little casino, aces, sweeps.",
        ),
    )

    state_class: ClassVar[type[CasinoState]] = CasinoState

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return ((0, 2), (1, 3)) if options["partners"] else super().sides(options, seats)

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> CasinoState:
        return self.state_class(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> CasinoMove:
        return read_move(text)

    def attempt(self, view: CasinoView, picks: Sequence[str]) -> CasinoMove:
        """One card of the hand, and what it takes or builds with."""
        mine = tuple(pick for pick in picks if pick in view.hand)
        loose = tuple(by_display(pick for pick in picks if pick in _PLACE and pick not in view.hand))
        builds = tuple(build.value for build in view.builds if f"build:{build.value}" in picks)
        if len(mine) + len(loose) + len(builds) + ("table" in picks) < len(picks):
            message = "Nobody draws or looks: new cards are dealt when all hands are empty. Choose a card of your hand."
            raise UnreadableMove(message, rule=f"{self.slug}:deal-next")
        if not mine:
            message = "Choose the card of your hand that is to take these or to build with them."
            raise UnreadableMove(message, rule=f"{self.slug}:one-card")
        if len(mine) > 1:
            return NotOneCard(mine)
        return self._meant(view, mine[0], loose, builds) if loose or builds else Trail(mine[0])

    def _meant(self, view: CasinoView, card: Card, loose: tuple[Card, ...], builds: tuple[int, ...]) -> CasinoMove:
        """A legal one of the plays with these cards; else a capture that adds up, else a build that would."""
        rules = self.state_class
        capture = Capture(card, loose, builds)
        if any(other not in rules.values for other in (card, *loose)):
            return capture
        taken = all(value == rules.alone[card] for value in builds)
        adds_up = taken and rules.division(loose, rules.alone[card]) is not None
        held = {rules.alone.get(other) for other in view.hand if other != card}
        values = sorted(range(1, rules.highest_build + 1), key=lambda value: (value not in held, -value))
        meant: list[CasinoMove] = [capture] if adds_up else []
        meant += [
            MakeBuild(card, value, loose, builds) for value in values if self._fits_build(card, value, loose, builds)
        ]
        return next((move for move in meant if move in view.moves), [*meant, capture][0])

    def _fits_build(self, card: Card, value: int, loose: tuple[Card, ...], builds: tuple[int, ...]) -> bool:
        raised = [build for build in builds if build != value]
        if any(build + self.state_class.values[card] != value for build in raised):
            return False
        return self.state_class.division(loose if raised else (card, *loose), value) is not None

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> CasinoState:
        """A position with the keys of `dump`, each of which may be left out.

        seats (2), options, dealer (0), hand (its number, 1), to_move (the first seat with cards from the
        dealer's left), hands, stock (next card first), loose, builds ({value, sets, controller} or the text
        `[8:3C 5H|8D@1]`), won, totals, sweeps and sweep_cards (by side, or by seat), last_capturer, last_taken, turns
        ([[seat, move], ...] of this hand; with a star behind a sweep, where sweeps count).
        `deck` instead of cards: a deck to be dealt, of which the first cards are enough. `full`: all 52 cards must
        lie there.
        Without cards in the hands and the stock the hand is over and is scored (unless `to_move` is null:
        then that has been done and the game is over). Without any cards the totals decide, or the next hand
        is dealt.
        """
        return _Loader(self, data, deals).state

    def sample(self, view: CasinoView, rng: Random) -> CasinoState:
        decks = Decks(random_decks(PACK, rng))
        state = self.state_class(self, decks, seats=view.seats, options=view.options, dealer=view.dealer)
        state.hand_number = view.hand_number
        state.totals = [view.scores[side] for side in range(view.sides)]
        state.sweeps = list(view.sweeps)
        state.sweep_cards = list(map(list, view.sweep_cards))
        state.loose = list(view.loose)
        state.builds = {build.value: build for build in view.builds}
        state.turns = list(view.turns)
        state.last_taken = view.last_taken
        state.last_capturer = view.last_capturer
        state.to_act = view.to_act
        state.results = tuple(view.results)
        state.record = view.log[: len(view.log) - len(view.turns)]
        self._imagine_hidden_cards(state, view, rng)
        return state

    def _imagine_hidden_cards(self, state: CasinoState, view: CasinoView, rng: Random) -> None:
        state.won = _known_won(view.turns, view.sides)
        if view.last_capturer is not None:
            pile = state.won[state.side(view.last_capturer)]
            pile += [card for card in view.last_taken if card not in pile]
        for pile, marks in zip(state.won, view.sweep_cards, strict=True):
            pile += [card for card in marks if card not in pile]
        if view.seat is not None:
            state.hands[view.seat] = list(view.hand)
        seen = set(state.cards())
        unseen = [card for card in PACK if card not in seen]
        rng.shuffle(unseen)
        for seat, value in _announced(view.builds, view.turns):
            if seat != view.seat and view.hand_counts[seat]:
                backing = next(card for card in unseen if state.alone.get(card) == value)
                unseen.remove(backing)
                state.hands[seat].append(backing)
        for seat, count in enumerate(view.hand_counts):
            _fill(state.hands[seat], count, unseen)
        for side, count in enumerate(view.won_counts):
            _fill(state.won[side], count, unseen)
        _fill(state.stock, view.stock_count, unseen)


def _known_won(turns: Iterable[Turn], sides: int) -> list[list[Card]]:
    """Cards in each side's pile that these turns name: played or taken, also inside a build that was taken later."""
    known: list[list[Card]] = [[] for _ in range(sides)]
    built: dict[int, list[Card]] = {}
    for seat, move in turns:
        if isinstance(move, (Capture, MakeBuild)):
            used = [move.card, *move.loose, *(card for value in move.builds for card in built.pop(value, []))]
            if isinstance(move, Capture):
                known[seat % sides] += used
            else:
                built[move.value] = used
    return known


def _announced(builds: Iterable[Build], turns: Iterable[Turn]) -> list[tuple[int, int]]:
    """Seats with a value that they must hold: of builds they control or made in their last turn."""
    last_turns = dict(turns).items()
    made = {(seat, move.value) for seat, move in last_turns if isinstance(move, MakeBuild)}
    return sorted(made | {(build.controller, build.value) for build in builds})


def _fill(cards: list[Card], count: int, unseen: list[Card]) -> None:
    while len(cards) < count:
        cards.append(unseen.pop())


class _Loader(SidesReader):
    """Reads one position and refuses what cannot be."""

    KEYS = (
        "seats", "options", "dealer", "hand", "to_move", "hands", "stock", "loose", "builds", "won",
        "last_taken", "last_capturer", "sweeps", "sweep_cards", "totals", "turns", "deck", "full",
    )  # fmt: skip

    def __init__(self, game: Casino, data: Position, deals: Iterable[Sequence[Card]] | None) -> None:
        super().__init__(game, data, self.KEYS)
        dealer = self.seat("dealer", 0) or 0
        decks = Decks(numbered_decks(PACK) if deals is None else deals)
        self.state = game.undealt(decks, seats=self.seats, options=self.options, dealer=dealer)
        self.sides = self.state.sides
        self._read_scores()
        if data.get("deck") is not None:
            self._deal_deck(deals)
            return
        self._read_cards()
        self._read_history()
        self._check_cards()
        self._settle()

    def _read_scores(self) -> None:
        self.state.totals = self.numbers_by_side("totals", high=1000)
        self.state.sweeps = self.numbers_by_side("sweeps", high=1000)
        after_last = self.state.hand_cap + 1
        self.state.hand_number = self.number("hand", 1, low=1, high=after_last)

    def _deal_deck(self, deals: Iterable[Sequence[Card]] | None) -> None:
        for name in ("hands", "stock", "loose", "builds", "won", "turns", "last_taken"):
            if self.data.get(name):
                raise ImpossiblePosition(f"deck: a deck is dealt by itself, so leave out {name}.")
        deck = card_list(self.data["deck"], "deck")
        check_cards(deck, PACK)
        needed = HAND_SIZE * (self.seats + 1)
        if len(deck) < needed:
            raise ImpossiblePosition(f"deck: the first deal needs {needed} cards.")
        if self.state._winner_by_target() is not None:
            raise ImpossiblePosition("totals: with these the game is over, so no deck is dealt.")
        self.state._decks = Decks(_chained(deck, numbered_decks(PACK) if deals is None else deals))
        self.state.deal_hand()
        if self.seat("to_move", None) not in (None, *self.state.to_act):
            raise ImpossiblePosition(f"to_move: after the deal it is the turn of seat {self.state.to_act[0]}.")

    def _read_cards(self) -> None:
        state = self.state
        for seat, cards in enumerate(by_seat(self.data.get("hands"), self.seats, "hands")):
            state.hands[seat] = card_list(cards, f"hands, seat {seat}")
            if len(state.hands[seat]) > HAND_SIZE:
                raise ImpossiblePosition(f"hands: seat {seat} holds more than {HAND_SIZE} cards.")
        state.stock = card_list(self.data.get("stock"), "stock")
        state.loose = card_list(self.data.get("loose"), "loose")
        for side, piles in enumerate(self.by_side("won")):
            state.won[side] = [card for pile in piles for card in card_list(pile, "won")]
        for side, piles in enumerate(self.by_side("sweep_cards")):
            state.sweep_cards[side] = self._sweep_cards(side, piles)
        for entry in self._builds():
            build = self._build(entry)
            if build.value in state.builds:
                raise ImpossiblePosition(f"builds: two builds of {build.value} are one build; put their sets together.")
            state.builds[build.value] = build

    def _sweep_cards(self, side: int, piles: Iterable[Any]) -> list[Card]:
        cards = [card for pile in piles for card in card_list(pile, "sweep_cards")]
        if len(cards) > self.state.sweeps[side] or not set(cards) <= set(self.state.won[side]):
            raise ImpossiblePosition("sweep_cards: they lie in the pile of their side, one for each of its sweeps.")
        return cards

    def _builds(self) -> Sequence[Any]:
        builds = self.data.get("builds") or []
        if isinstance(builds, str):
            return re.findall(r"\[[^\]]*\]|[^\s\[\]]+", builds)
        if not isinstance(builds, Sequence):
            raise ImpossiblePosition("builds: a list is needed.")
        return builds

    def _build(self, entry: Any) -> Build:
        if isinstance(entry, str):
            entry = self._build_from_text(entry)
        if not isinstance(entry, Mapping) or not isinstance(entry.get("sets"), (list, tuple, str)):
            raise ImpossiblePosition("builds: each one needs its value, its sets and its controller.")
        known_keys(entry, ("value", "sets", "controller"))
        value = whole_number(entry.get("value"), "builds, value", low=1, high=self.state.highest_build)
        controller = whole_number(entry.get("controller"), "builds, controller", low=0, high=self.seats - 1)
        sets = entry["sets"].split("|") if isinstance(entry["sets"], str) else entry["sets"]
        build = Build(value, tuple(tuple(card_list(cards, f"build of {value}")) for cards in sets), controller)
        self._check_sets(build)
        return build

    def _check_sets(self, build: Build) -> None:
        for cards in build.sets:
            if not cards or self.state.set_value(cards) != build.value:
                raise ImpossiblePosition(
                    f"build of {build.value}: {' '.join(cards) or 'a set'} is not worth {build.value}."
                )
        if len(build.cards) < 2:
            raise ImpossiblePosition(f"build of {build.value}: a build has at least two cards.")

    def _build_from_text(self, text: str) -> Position:
        read = re.fullmatch(r"\[(\d+):([^@]*)@(\d+)\]", text.strip())
        if read is None:
            raise ImpossiblePosition(f"builds: {text} is not a build; write [8:3C 5H|8D@1].")
        value, sets, controller = read.groups()
        return {"value": int(value), "sets": sets, "controller": int(controller)}

    def _read_history(self) -> None:
        state = self.state
        state.last_capturer = self.seat("last_capturer", None)
        state.last_taken = tuple(card_list(self.data.get("last_taken"), "last_taken"))
        turns = self.data.get("turns") or ()
        if not isinstance(turns, Sequence):
            raise ImpossiblePosition("turns: a list is needed.")
        state.turns = [self._turn(entry) for entry in turns]
        self._check_turns()
        pile = [] if state.last_capturer is None else state.won[state.side(state.last_capturer)]
        if not set(state.last_taken) <= set(pile):
            raise ImpossiblePosition("last_taken: these cards lie in the pile of the side that captured last.")

    def _turn(self, entry: Any) -> Turn:
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 2:
            raise ImpossiblePosition("turns: each one is a seat and a move, such as [1, 8Sx8D].")
        seat = whole_number(entry[0], "turns", low=0, high=self.seats - 1)
        try:
            move = self.game.parse(str(entry[1]).removesuffix("*"))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"turns: {error}") from None
        if isinstance(move, NotOneCard):
            raise ImpossiblePosition(f"turns: {move} is not a turn.")
        if str(entry[1]).endswith("*") and isinstance(move, Capture):
            move = Sweep(move.card, move.loose, move.builds)
        return seat, move

    def _check_turns(self) -> None:
        """What the turns tell must be so, because views and samples rely on it."""
        state = self.state
        played = {move.card for _, move in state.turns if not isinstance(move, NotOneCard)}
        if not played.isdisjoint([*state.stock, *(card for hand in state.hands for card in hand)]):
            raise ImpossiblePosition("turns: a card that was played is no longer in a hand or in the stock.")
        known = _known_won(state.turns, state.sides)
        if any(not set(cards) <= set(won) for cards, won in zip(known, state.won, strict=True)):
            raise ImpossiblePosition("turns: captured cards lie in the pile of the side that took them.")

    def _check_cards(self) -> None:
        state = self.state
        cards = state.cards()
        check_cards(cards, PACK)
        if self.data.get("full") and len(cards) != len(PACK):
            raise ImpossiblePosition(f"full: all {len(PACK)} cards are needed, not {len(cards)}.")
        for seat, value in _announced(state.builds.values(), state.turns):
            hand = state.hands[seat]
            if (hand or state.stock) and value not in map(state.alone.get, hand):
                raise ImpossiblePosition(
                    f"build of {value}: seat {seat} controls or has just made it and must hold such a card."
                )

    def _settle(self) -> None:
        """Gives the turn, or ends what is already over."""
        state = self.state
        to_move = self.seat("to_move", None)
        if any(state.hands):
            if state._winner_by_target() is not None:
                raise ImpossiblePosition("totals: with these the game is over, so nobody holds cards.")
            state._give_turn(after=state.dealer if to_move is None else to_move - 1)
            if to_move is not None and state.to_act != (to_move,):
                raise ImpossiblePosition(f"to_move: seat {to_move} holds no card.")
        elif state.stock:
            state._give_turn(after=state.dealer)
        elif "to_move" in self.data and to_move is None:
            self._settle_finished_game()
        elif state.cards():
            state._end_hand()
        else:
            self._settle_between_hands()

    def _settle_finished_game(self) -> None:
        """The hand in the piles is part of the totals already."""
        state = self.state
        if state.cards():
            state.results = (state._result((), unclaimed=state.loose),)
        if not state._winners():
            raise ImpossiblePosition("to_move: nobody has won yet, so it is somebody's turn.")

    def _settle_between_hands(self) -> None:
        """`hand` is the next hand, unless the totals have decided."""
        state = self.state
        if state._winner_by_target() is None and state.hand_number <= state.hand_cap:
            state.deal_hand()


def _chained(deck: Sequence[Card], deals: Iterable[Sequence[Card]]) -> Iterator[Sequence[Card]]:
    yield deck
    yield from deals


CASINO = Casino()
