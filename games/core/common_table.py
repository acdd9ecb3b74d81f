"""Games whose melds belong to everybody: what Vatican and Shanghai share beside their plays.

A game adds its turn, the end of a hand and its scores. The rule ids cited here stand in the book of each.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any, ClassVar, Self, TypeAlias, TypeVar, cast

from games.core.cards import Card, by_display, is_joker
from games.core.contract import (
    Choice,
    Event,
    Game,
    HandResult,
    IllegalMove,
    ImpossiblePosition,
    Move,
    NotYourTurn,
    Options,
    Phrase,
    Position,
    State,
    UnreadableMove,
    Verdict,
    View,
    Zone,
    move_that_touches,
    open_zone,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.melds import SMALLEST_MELD, Fault, Meld
from games.core.positions import PositionReader, by_seat, card_list, check_cards, numbered_melds
from games.core.rearranging import (
    DRAW,
    Draw,
    HouseRules,
    Pass,
    Play,
    Situation,
    Suggestions,
    TableMove,
    joker_faces,
    keeps_jokers,
    known_meld,
    play_to,
    read_move,
    require_known,
    suggestions,
    table_after,
)

Test: TypeAlias = Callable[[int, Play], Fault | None]


class CommonTableState(State):
    """A game in progress.

    hands: in display order. table: melds by number, ascending. stock: the next card last. passes: in a row.
    hand_number: of the deal, from 1.
    """

    __slots__ = (
        "dealer",
        "decks",
        "game",
        "hand_number",
        "hands",
        "house",
        "log",
        "options",
        "passes",
        "results",
        "scores",
        "seats",
        "stock",
        "table",
        "to_act",
    )

    def __init__(
        self, game: CommonTableGame[Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int
    ) -> None:
        self.game = game
        self.decks = decks
        self.seats = seats
        self.options = options
        self.house = game.house_rules(options)
        self.dealer = dealer
        self.hand_number = 1
        self.scores = [0] * seats
        self.results: tuple[HandResult, ...] = ()
        self.log: tuple[Event, ...] = ()
        self.clear()

    def clear(self) -> None:
        """The table before a deal."""
        self.hands: list[tuple[Card, ...]] = [()] * self.seats
        self.table: dict[int, Meld] = {}
        self.stock: list[Card] = []
        self.passes = 0
        self.to_act: tuple[int, ...] = (self._after(self.dealer),)

    def deal_hand(self) -> None:
        self.clear()
        deck = self.decks[self.hand_number - 1]
        each = int(self.options["deal"])
        for seat in range(self.seats):
            first = self._after(self.dealer, seat)
            self.hands[first] = tuple(by_display(deck[seat * each : (seat + 1) * each]))
        self.stock = list(reversed(deck[self.seats * each :]))
        self._tell(None, Phrase("deal", f"{each} cards each, @{self.dealer} dealing"))

    def _deal_next(self) -> None:
        self.hand_number += 1
        self.dealer = self._after(self.dealer)
        self.deal_hand()

    def _after(self, seat: int, steps: int = 0) -> int:
        return (seat + 1 + steps) % self.seats

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.game, other.decks, other.house = self.game, self.decks, self.house
        other.seats, other.options, other.dealer = self.seats, self.options, self.dealer
        other.hand_number, other.passes, other.to_act = self.hand_number, self.passes, self.to_act
        other.results, other.log = self.results, self.log
        other.scores, other.hands = self.scores[:], self.hands[:]
        other.table, other.stock = dict(self.table), self.stock[:]
        return other

    def cards(self) -> list[Card]:
        return [*chain(*self.hands), *chain(*(meld.cards for meld in self.table.values())), *self.stock]

    # Moves

    def suggestions(self, seat: int) -> Suggestions:
        return suggestions(self.situation(seat))

    def situation(self, seat: int) -> Situation:
        return Situation(self.house, tuple(self.table.items()), self.hands[seat], has_opened=True)

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            message = "It is another player's turn; yours will come." if self.to_act else "The game is over."
            raise NotYourTurn(message, rule=f"{self.game.slug}:seats")
        if isinstance(move, Draw):
            self._draw(seat)
        elif isinstance(move, Pass):
            self._pass(seat)
        else:
            assert isinstance(move, Play), f"{move!r} is a move of another game"
            self._play(seat, move)

    @abstractmethod
    def _draw(self, seat: int) -> None: ...

    @abstractmethod
    def _pass(self, seat: int) -> None: ...

    @abstractmethod
    def _play(self, seat: int, move: Play) -> None: ...

    def _lay(self, seat: int, move: Play) -> None:
        """Makes a legal play."""
        played = move.from_hand(self.table)
        self._tell(seat, play_phrase(move, self.table), *by_display(played))
        self.hands[seat] = tuple(card for card in self.hands[seat] if card not in played)
        self.table = table_after(self.table, move)
        self.passes = 0

    def _take(self, seat: int, cards: int) -> None:
        drawn = [self.stock.pop() for _ in range(min(cards, len(self.stock)))]
        self.hands[seat] = tuple(by_display((*self.hands[seat], *drawn)))

    def _end_turn(self, seat: int) -> None:
        self.to_act = (self._after(seat),)

    def _tell(self, seat: int | None, phrase: Phrase, *touches: str) -> None:
        self.log = (*self.log, Event(seat, phrase, touches))

    # What is wrong with a play, in the order in which the rules are tested

    def check(self, seat: int, move: Move) -> list[Verdict]:
        if not isinstance(move, Play):
            return []
        verdicts = [Verdict(str(meld), self._as_refusal(self.house.melds.fault(meld))) for meld in move.melds]
        if any(verdict.refusal for verdict in verdicts):
            return verdicts
        return [*verdicts, Verdict("", self._refusal(seat, move))]

    def _refusal(self, seat: int, move: Play) -> IllegalMove | None:
        fault = next(filter(None, (test(seat, move) for test in self._tests())), None)
        return self._as_refusal(fault)

    def _tests(self) -> tuple[Test, ...]:
        return (
            self._wrong_numbers,
            self._card_twice,
            self._table_card_missing,
            self._card_not_held,
            self._no_card_played,
            self._wrong_meld,
            self._joker_not_replaced,
        )

    def _as_refusal(self, fault: Fault | None) -> IllegalMove | None:
        return None if fault is None else IllegalMove(fault.message, rule=f"{self.game.slug}:{fault.rule}")

    def _wrong_numbers(self, seat: int, move: Play) -> Fault | None:
        for number in move.dissolved:
            if number not in self.table:
                there = ", ".join(map(str, self.table)) or "none yet"
                return Fault("rearrange", f"There is no meld {number} on the table; choose from: {there}.")
        return None

    def _card_twice(self, seat: int, move: Play) -> Fault | None:
        for card, times in Counter(move.cards).items():
            if times > 1:
                return Fault("cards-available", f"{card} is there only once: use it in one meld.")
        return None

    def _table_card_missing(self, seat: int, move: Play) -> Fault | None:
        laid = set(move.cards)
        for number in move.dissolved:
            for card in self.table[number].cards:
                if card not in laid:
                    rule = " (joker-stays)" if is_joker(card) else ""
                    return Fault(
                        "table-stays",
                        f"{card} of meld {number} has to stay on the table{rule}: find a meld for it.",
                    )
        return None

    def _card_not_held(self, seat: int, move: Play) -> Fault | None:
        for card in move.from_hand(self.table):
            if card in self.hands[seat]:
                continue
            for number, meld in self.table.items():
                if card in meld.cards:
                    return Fault("cards-available", f"{card} lies in meld {number}: dissolve that meld, too.")
            hand = " ".join(self.hands[seat]) or "none"
            return Fault("cards-available", f"{card} is not in your hand; your cards are {hand}.")
        return None

    def _no_card_played(self, seat: int, move: Play) -> Fault | None:
        if move.from_hand(self.table):
            return None
        return Fault("play-at-least-one", "Rearranging alone is no turn: add a card from your hand.")

    def _wrong_meld(self, seat: int, move: Play) -> Fault | None:
        return next(filter(None, map(self.house.melds.fault, move.melds)), None)

    def _joker_not_replaced(self, seat: int, move: Play) -> Fault | None:
        before = [self.table[number] for number in move.dissolved]
        if keeps_jokers(self.house, self.table, move):
            return None
        stood_for = sorted({shown for faces in joker_faces(self.house, before) for shown in faces.values()})
        where = "from your hand " if self.house.release == "hand_only" else ""
        return Fault(
            "joker-bound",
            f"A joker stays what it was until the real card lies on the table: play {' or '.join(stood_for)} "
            f"{where}in its place, or use the joker as that card.",
        )

    # The end of a hand

    def _hand_zones(self) -> tuple[Zone, ...]:
        """What everybody has left, laid open."""
        return tuple(
            open_zone(f"hand:{seat}", "hand", f"Left in the hand of @{seat}", hand, owner=seat)
            for seat, hand in enumerate(self.hands)
        )

    def _record(self, result: HandResult) -> None:
        self.results = (*self.results, result)
        self.scores = [score + points for score, points in zip(self.scores, result.points, strict=True)]
        self.to_act = ()
        self._tell(None, Phrase("end", f"deal {result.number}: {result.summary}"))

    # What is kept

    def dump(self) -> Position:
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "to_move": self.to_act[0] if self.to_act else None,
            "hand": self.hand_number,
            "scores": list(self.scores),
            "hands": [list(hand) for hand in self.hands],
            "table": {str(number): str(meld) for number, meld in self.table.items()},
            "stock": self.stock[::-1],
            "passes_in_a_row": self.passes,
        }

    def _public(self) -> dict[str, Any]:
        """The fields of a view that are the same for everybody."""
        return {
            "seats": self.seats,
            "options": self.options,
            "to_act": self.to_act,
            "scores": tuple(self.scores),
            "log": self.log,
            "results": self.results,
            "hand_counts": tuple(map(len, self.hands)),
            "table": tuple(self.table.items()),
            "stock_count": len(self.stock),
            "passes": self.passes,
            "dealer": self.dealer,
            "hand_number": self.hand_number,
        }


# View


def play_phrase(move: Play, table: Mapping[int, Meld]) -> Phrase:
    """A play in words, given the table before it."""
    played = " ".join(by_display(move.from_hand(table)))
    if not move.dissolved:
        return Phrase("lay", " and ".join(map(str, move.melds)))
    if len(move.dissolved) == 1 and len(move.melds) == 1:
        return Phrase("add", f"{played} to meld {move.dissolved[0]}")
    changed = ", ".join(map(str, move.dissolved))
    return Phrase("play", f"{played}, rearranging meld{'s' * (len(move.dissolved) > 1)} {changed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonTableView(View):
    """hand: in display order, () for a spectator. hand_counts: by seat. table: number and meld, ascending.

    passes: in a row, without stock. hand_number: of the deal, from 1.
    """

    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    table: tuple[tuple[int, Meld], ...]
    stock_count: int
    passes: int
    dealer: int
    hand_number: int

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        around = [(first + step) % self.seats for step in range(self.seats)]
        others = [self._hidden_hand(seat) for seat in around if seat != self.seat]
        melds = [open_zone(f"meld:{number}", "meld", f"Meld {number}", meld.cards) for number, meld in self.table]
        stock = Zone("stock", "stock", "Stock", count=self.stock_count, note="" if self.stock_count else "used up")
        return (*others, stock, *melds, *self._own_hand())

    def _hidden_hand(self, seat: int) -> Zone:
        count = self.hand_counts[seat]
        return Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", count=count, owner=seat, note=self._note(seat))

    def _own_hand(self) -> Iterator[Zone]:
        if self.seat is not None:
            note = self._note(self.seat)
            yield open_zone(f"hand:{self.seat}", "hand", "Your hand", self.hand, owner=self.seat, note=note)

    def _note(self, seat: int) -> str:
        """What the table says beside a hand."""
        return ""

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Play):
            table = dict(self.table)
            touches = (*by_display(move.from_hand(table)), *(f"meld:{number}" for number in move.dissolved))
            return Choice(move, play_phrase(move, table), touches)
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "a card"), ("stock",))
        return Choice(move, Phrase("pass"))


# The game

StateT = TypeVar("StateT", bound=CommonTableState)
ViewT = TypeVar("ViewT", bound=CommonTableView)
POSITION_KEYS = (
    "seats",
    "players",
    "options",
    "dealer",
    "to_move",
    "hand",
    "scores",
    "hands",
    "table",
    "stock",
    "stock_count",
    "passes_in_a_row",
)


class CommonTableGame(Game[StateT, ViewT, TableMove]):
    proposals: ClassVar[bool] = True
    workbench: ClassVar[bool] = True

    @abstractmethod
    def house_rules(self, options: Options) -> HouseRules:
        """What decides which plays are legal at a table with these options."""


    def parse(self, text: str) -> TableMove:
        return read_move(text)

    def arrange(self, view: ViewT, groups: Sequence[Sequence[Card]]) -> Play:
        require_known(chain(*groups))
        return play_to(self.house_rules(view.options), dict(view.table), groups)

    def attempt(self, view: ViewT, picks: Sequence[str]) -> TableMove:
        """Cards of the hand as a meld, with a meld of the table, or with cards out of melds."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(TableMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if not mine and set(picks) == {"stock"}:
            return DRAW
        if not mine:
            message = "Rearranging alone is no turn: choose a card of your hand, too."
            raise UnreadableMove(message, rule=f"{self.slug}:play-at-least-one")
        plays = [self.arrange(view, groups) for groups in tables_meant(dict(view.table), mine, picks)]
        melds = self.house_rules(view.options).melds
        return next((play for play in plays if not any(map(melds.fault, play.melds))), plays[0])

    def sample(self, view: ViewT, rng: Random) -> StateT:
        deck = self.deck(view.options)
        state = self.undealt(Decks(random_decks(deck, rng)), seats=view.seats, options=view.options, dealer=view.dealer)
        state.hand_number = view.hand_number
        state.scores = list(view.scores)
        state.results, state.log, state.to_act = view.results, view.log, view.to_act
        state.table = dict(view.table)
        state.passes = view.passes
        if view.seat is not None:
            state.hands[view.seat] = view.hand
        seen = set(state.cards())
        unseen = [card for card in deck if card not in seen]
        rng.shuffle(unseen)
        for seat, size in enumerate(view.hand_counts):
            if seat != view.seat:
                state.hands[seat] = tuple(by_display(unseen.pop() for _ in range(size)))
        state.stock = [unseen.pop() for _ in range(view.stock_count)]
        return state


def tables_meant(table: Mapping[int, Meld], mine: Sequence[Card], picks: Sequence[str]) -> list[list[list[Card]]]:
    """The tables that hand cards and picks of the table may make, the likeliest first.

    Three cards or more with some of the table are rather a new meld of these, fewer are added to their melds.
    """
    melds = [list(meld.cards) for meld in table.values()]
    taken = [pick for pick in picks if any(pick in meld for meld in melds)]
    joined = list(mine)
    rest = []
    for number, meld in table.items():
        if f"meld:{number}" in picks or not {*meld.cards}.isdisjoint(taken):
            joined += meld.cards
        else:
            rest.append(list(meld.cards))
    apart = [[card for card in meld if card not in taken] for meld in melds]
    tables = [[joined, *rest], [[*taken, *mine], *apart]]
    return tables[::-1] if taken and len(taken) + len(mine) >= SMALLEST_MELD else tables[: 1 + bool(taken)]


class CommonTableReader(PositionReader):
    """Reads what the games share of a position. :raises ImpossiblePosition:

    seats (or players): as many as the other keys need. options: by name. dealer: the last seat.
    to_move: the seat at the dealer's left; null once the game is over. hands: by seat, lists or texts.
    table: melds by number, such as "9C1+9D1+XB". stock: the next card first, or stock_count cards that lie nowhere
    else. passes_in_a_row: up to now. scores: by seat. hand: number of the deal, from 1.
    """

    def table(self, game: CommonTableGame[StateT, Any], deals: Iterable[Sequence[Card]] | None) -> StateT:
        """A state with the cards of the position."""
        self.deck = game.deck(self.options)
        decks = Decks(numbered_decks(self.deck) if deals is None else deals)
        dealer = self.number("dealer", self.seats - 1, high=self.seats - 1)
        state = game.undealt(decks, seats=self.seats, options=self.options, dealer=dealer)
        to_move = self.seat("to_move", None)
        if to_move is not None:
            state.to_act = (to_move,)
        self._read_cards(state)
        state.scores = self.numbers("scores", high=10_000)
        state.passes = self.number("passes_in_a_row", 0, high=self.seats)
        if state.passes and state.stock:
            raise ImpossiblePosition("passes_in_a_row: nobody passes while there is stock.")
        return state

    @property
    def is_over(self) -> bool:
        """Whether the position says that nobody is to move."""
        return "to_move" in self.data and self.data["to_move"] is None

    def _seats(self) -> int:
        key = "players" if "players" in self.data else "seats"
        return self.number(key, self._seats_needed(), low=min(self.game.seats), high=max(self.game.seats))

    def _seats_needed(self) -> int:
        """The fewest seats that have all the seats that the position names."""
        needed = [min(self.game.seats)]
        for key in ("hands", "opened", "scores"):
            value = self.data.get(key)
            if isinstance(value, Mapping):
                needed += [int(seat) + 1 for seat in map(str, value) if seat.isdecimal()]
            elif isinstance(value, Sequence) and not isinstance(value, str):
                needed.append(len(value))
        for key in ("to_move", "dealer"):
            value = self.data.get(key)
            if isinstance(value, int):
                needed.append(value + 1)
        return min(max(needed), max(self.game.seats))

    def _read_cards(self, state: CommonTableState) -> None:
        hands = by_seat(self.data.get("hands"), state.seats, "hands")
        state.hands = [tuple(by_display(self._cards(hand, "hands"))) for hand in hands]
        state.table = dict(sorted(self._read_table(state.house)))
        state.stock = self._cards(self.data.get("stock"), "stock")[::-1]
        check_cards(state.cards(), self.deck)
        if self.data.get("stock") is None:
            lying = set(state.cards())
            rest = [card for card in self.deck if card not in lying]
            size = self.number("stock_count", 0, high=len(rest))
            state.stock = rest[:size][::-1]

    def _cards(self, value: object, name: str) -> list[Card]:
        cards = card_list(value, name)
        check_cards(cards, self.deck)
        return cards

    def _read_table(self, house: HouseRules) -> Iterator[tuple[int, Meld]]:
        for number, text in numbered_melds(self.data.get("table"), most=len(self.deck)):
            yield number, self._meld(house, text)

    def _meld(self, house: HouseRules, text: object) -> Meld:
        try:
            meld = known_meld(str(text))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"table: {error}") from None
        fault = house.melds.fault(meld)
        if fault is not None:
            raise ImpossiblePosition(f"table: {fault.message}")
        return meld
