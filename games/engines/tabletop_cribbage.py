"""Tabletop Cribbage, for two or for four in partnerships: cards are placed on a square of five by five, then counted.

Source: "Ultimate Book of Card Games", "Tabletop Cribbage" (the whole play and what counts). Length of a game, the fixed
centre and four players are completed from pagat.com.
Rulings, where it is silent or unclear:
- the first card is the middle of the square, c3, and "touching" is by a side or a corner;
- piles are turned over in the order in which they were dealt, and the card of the player to move lies open;
- a game is to 121; the non-dealer counts first, so of two who would reach it he wins; after twenty deals the higher
  score wins;
- with jacks on (an option), the centre card itself is no nobs, and heels count with the dealer's columns.

Sides are numbered like their first seats: the side of a seat is `seat % 2`. The dealer's side counts the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import ClassVar, NamedTuple, NoReturn, Self, TypeAlias

from games.core.cards import Card, in_capitals, pack
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
    Peg,
    Phrase,
    Position,
    ScoreLine,
    State,
    Track,
    UnreadableMove,
    View,
    Zone,
    open_zone,
    switch,
)
from games.core.cribbage import Count, line, nobs, side_names, side_seats
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import SidesReader, card_list, check_cards, check_pegs
from games.core.rummy.deadwood import BIT, CARD, bits

SIZE = 5
COLUMNS = "abcde"
CELLS = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in COLUMNS)
CENTRE = CELLS.index("c3")
TO_PLACE = len(CELLS) - 1
HEELS = 2
DIFFERENCE_TARGET = 31
DEALS_AT_MOST = 20
DEALS_OF = {"one-deal": 1, "two-deals": 2}

ROWS = tuple(tuple(range(row * SIZE, row * SIZE + SIZE)) for row in range(SIZE))
LINES = ROWS + tuple(tuple(range(column, len(CELLS), SIZE)) for column in range(SIZE))
"""The cells of the five rows, then of the five columns."""
LINE_NAMES = (*(f"Row {row + 1}" for row in range(SIZE)), *(f"Column {column}" for column in COLUMNS))

_NUMBER = {name: cell for cell, name in enumerate(CELLS)}
EMPTY = "--"

_NEAR = {"touch": (1, 1), "orthogonal": (0, 1), "anywhere": (SIZE, SIZE)}
"""By contact: how far away a cell may be in its nearer and in its farther direction."""


def _neighbours(contact: str, cell: int) -> int:
    """The cells that touch a cell, as bits."""
    nearer, farther = _NEAR[contact]
    found = 0
    for other in range(len(CELLS)):
        away = sorted((abs(other // SIZE - cell // SIZE), abs(other % SIZE - cell % SIZE)))
        if other != cell and away[0] <= nearer and away[1] <= farther:
            found |= 1 << other
    return found


NEIGHBOURS = {contact: [_neighbours(contact, cell) for cell in range(len(CELLS))] for contact in _NEAR}


# Moves


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Places the card turned up on a cell: `7H@b4`."""

    card: Card
    cell: str

    def __str__(self) -> str:
        return f"{self.card}@{self.cell}"


_PLACES = {card: [Place(card, cell) for cell in CELLS] for card in BIT}
_CARD, _CELL = r"[A2-9TJQK][CDHS]", r"[A-Z][0-9]{1,2}"
_MOVE = re.compile(rf"(?P<card>{_CARD})[ @]*(?P<cell>{_CELL})|(?P<cell_first>{_CELL})[ @]*(?P<card_last>{_CARD})")
_HALF = 0x1FFF


@cache
def _cells(half: int) -> tuple[int, ...]:
    """The cells among half of the board."""
    return tuple(bit.bit_length() - 1 for bit in bits(half))


def read_move(text: str) -> Place:
    match = _MOVE.fullmatch(" ".join(in_capitals(text).split()))
    if match is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Tabletop Cribbage. Write the card and its space, such as 7H@b4."
        )
    return Place(match["card"] or match["card_last"], (match["cell"] or match["cell_first"]).lower())


# Counting

Line: TypeAlias = tuple[str, str, int]  # short id of a rule, what it counts, points


def _line_parts(count: Count) -> list[Line]:
    found = [
        ("line-fifteen", "fifteens", count.fifteens),
        ("line-pair", "a pair" if count.pairs == 2 else "pairs", count.pairs),
        ("line-run", "a run" if count.runs <= SIZE else "runs", count.runs),
        ("line-flush", "a flush", count.flush),
        ("no-jack-points", "his nobs", count.nobs),
    ]
    return [part for part in found if part[2]]


def count_line(board: Sequence[int], cells: Iterable[int], *, jacks: bool) -> Count:
    """What the cards of a line are worth as they lie, in whatever order."""
    found = sum(board[cell] for cell in cells)
    count = line(found)
    centre = board[CENTRE]
    return count._replace(nobs=nobs(found & ~centre, centre)) if jacks else count


# State


class Placed(NamedTuple):
    """A card that was placed in this deal."""

    seat: int
    card: Card
    cell: str

    def __str__(self) -> str:
        return f"{self.seat}:{self.card}@{self.cell}"


class TabletopState(State):
    """A game of Tabletop Cribbage. Cards on the board are bits of `core.rummy.deadwood`, cells are numbered row by row.

    board: 0 where it is empty. empty, open: the empty cells and those where a card may go, as bits.
    piles: by seat, the next card first.
    unused: the rest of the pack. placed: the moves of this deal. deals: finished ones.
    scores, rear: by side; the rear peg shows the score before the last one that counted.
    """

    __slots__ = (
        "_decks", "_next_deck", "board", "contact", "dealer", "deals", "empty", "open", "options", "piles", "placed",
        "rear", "results", "scores", "seats", "to_act", "unused",
    )  # fmt: skip

    results: tuple[HandResult, ...]

    def __init__(self, seats: int, options: Options, decks: Decks, dealer: int) -> None:
        self.seats = seats
        self.options = options
        self.contact = NEIGHBOURS[str(options["contact"])]
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.deals = 0
        self.scores = [0, 0]
        self.rear = [0, 0]
        self.results = ()
        self.clear_table()

    def clear_table(self) -> None:
        self.board = [0] * len(CELLS)
        self.empty = (1 << len(CELLS)) - 1
        self.open = 0
        self.piles: list[tuple[Card, ...]] = [()] * self.seats
        self.unused: tuple[Card, ...] = ()
        self.placed: list[Placed] = []
        self.to_act: tuple[int, ...] = ()

    def deal_hand(self) -> None:
        """Deals the piles, one card at a time from the dealer's left, and lays the next card in the middle."""
        self.clear_table()
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        first = (self.dealer + 1) % self.seats
        for step in range(self.seats):
            self.piles[(first + step) % self.seats] = deck[step : TO_PLACE : self.seats]
        self.lay(CENTRE, deck[TO_PLACE])
        self.unused = deck[TO_PLACE + 1 :]
        self.to_act = (first,)

    def lay(self, cell: int, card: Card) -> None:
        self.board[cell] = BIT[card]
        self.empty ^= 1 << cell
        self.open = (self.open | self.contact[cell]) & self.empty

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in TabletopState.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if type(value) is list else value)
        return twin

    def cards(self) -> list[Card]:
        lying = [CARD[card] for card in self.board if card]
        return [*lying, *(card for pile in self.piles for card in pile), *self.unused]

    @property
    def turned(self) -> Card | None:
        """The card that lies open and is to be placed."""
        return self.piles[self.to_act[0]][0] if self.to_act else None

    # Moves

    def legal_moves(self, seat: int) -> Sequence[Place]:
        if seat not in self.to_act:
            return ()
        places = _PLACES[self.piles[seat][0]]
        return [places[cell] for cell in self.open_cells()]

    def open_cells(self) -> tuple[int, ...]:
        """The cells where a card may go."""
        return _cells(self.open & _HALF) + _cells(self.open & ~_HALF)

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn()
        assert isinstance(move, Place), f"{move!r} is a move of another game"
        if move.card != self.piles[seat][0]:
            self._refuse_card(move.card)
        cell = _NUMBER.get(move.cell, -1)
        if cell < 0 or not self.open >> cell & 1:
            self._refuse_cell(move.cell)
        self.piles[seat] = self.piles[seat][1:]
        self.placed.append(Placed(seat, move.card, move.cell))
        self.lay(cell, move.card)
        if self.empty:
            self.to_act = ((seat + 1) % self.seats,)
        else:
            self.end_deal()

    # Refusals

    def _refuse_turn(self) -> NoReturn:
        if not self.to_act:
            raise NotYourTurn("The game is over; start another one.", rule="tabletop-cribbage:game-121")
        message = "It is another player's turn; the non-dealer begins, and then you take turns."
        raise NotYourTurn(message, rule="tabletop-cribbage:nondealer-first")

    def _refuse_card(self, card: Card) -> NoReturn:
        if BIT[card] in self.board:
            _refuse("no-moving", f"{card} lies on the board and stays there; place {self.turned}.")
        _refuse("turn-up-then-place", f"You have turned up {self.turned}; place this card.")

    def _refuse_cell(self, name: str) -> NoReturn:
        if name not in _NUMBER:
            _refuse("inside-board", f"There is no space {name}; columns go from a to e and rows from 1 to 5.")
        if self.board[_NUMBER[name]]:
            _refuse("touching", f"A card lies on {name} already; choose an empty space.")
        _refuse("touching", f"{name} touches no card; choose a space beside one.")

    # The end of a deal

    @property
    def limit(self) -> int | None:
        """The score that ends the game, None where the number of deals does."""
        if self.options["scoring"] == "difference":
            return DIFFERENCE_TARGET
        target = self.options["target"]
        return target if isinstance(target, int) else None

    def is_decided(self) -> bool:
        if self.limit is None:
            return self.deals >= DEALS_OF[str(self.options["target"])]
        return max(self.scores) >= self.limit or self.deals >= DEALS_AT_MOST

    def end_deal(self) -> None:
        """Counts the full board: first the rows, then the columns."""
        jacks = bool(self.options["heels_nobs"])
        counts = [count_line(self.board, cells, jacks=jacks) for cells in LINES]
        parts = [
            [(rule, f"{name}: {what}", points) for rule, what, points in _line_parts(count)]
            for name, count in zip(LINE_NAMES, counts, strict=True)
        ]
        rows, columns = sum(parts[:SIZE], []), sum(parts[SIZE:], [])
        if jacks and CARD[self.board[CENTRE]][0] == "J":
            columns.insert(0, ("no-jack-points", "His heels, a jack in the middle", HEELS))
        self._finish(rows, columns, _board_zones(self.board, counts, self.unused))

    def _finish(self, rows: list[Line], columns: list[Line], zones: tuple[Zone, ...]) -> None:
        column_side = self.dealer % 2
        row_side = 1 - column_side
        before = self.scores[:]
        mine, theirs = (sum(points for _rule, _text, points in parts) for parts in (rows, columns))
        if self.options["scoring"] == "difference":
            lines = self._peg(row_side if mine > theirs else column_side, _difference(mine, theirs))
        else:
            lines = self._peg(row_side, rows)
            if self.scores[row_side] != self.limit:
                lines += self._peg(column_side, columns)
        gained = [now - then for now, then in zip(self.scores, before, strict=True)]
        whose = [side_names(side, self.seats) for side in (row_side, column_side)]
        result = HandResult(
            number=self.deals + 1,
            summary=f"Rows {mine} for {whose[0]}, columns {theirs} for {whose[1]}.",
            points=tuple(gained[seat % 2] for seat in range(self.seats)),
            lines=tuple(lines),
            zones=zones,
        )
        self.results += (result,)
        self.deals += 1
        if self.is_decided():
            self.clear_table()
        else:
            self.dealer = (self.dealer + 1) % self.seats
            self.deal_hand()

    def _peg(self, side: int, parts: Iterable[Line]) -> list[ScoreLine]:
        """Scores for a side as far as the target goes."""
        score = self.scores[side]
        lines = []
        for rule, text, points in parts:
            if self.limit is not None:
                points = min(points, self.limit - score)
            if points:
                lines.append(ScoreLine(side_seats(side, self.seats), f"tabletop-cribbage:{rule}", text, points))
                score += points
        if lines:
            self.rear[side], self.scores[side] = self.scores[side], score
        return lines

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        by_seat = tuple(self.scores[seat % 2] for seat in range(self.seats))
        return Outcome(by_seat, tuple(1 + (score < max(by_seat)) for score in by_seat), self._reason())

    def _reason(self) -> str:
        high, low = max(self.scores), min(self.scores)
        winner = side_names(self.scores.index(high), self.seats)
        if high == self.limit:
            return f"{winner} reached {high} against {low}."
        played = f"After {self.deals} {'deal' if self.deals == 1 else 'deals'}"
        if high == low:
            return f"{played} both have {high} points; the game is drawn."
        return f"{played} {winner} won by {high} to {low}."

    # Views and positions

    def view(self, seat: int | None) -> TabletopView:
        return TabletopView(
            seat=seat,
            seats=self.seats,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores[seat % 2] for seat in range(self.seats)),
            log=tuple(self._events()),
            results=self.results,
            dealer=self.dealer,
            deals=self.deals,
            board=tuple(CARD.get(card) for card in self.board),
            turned=self.turned,
            pile_counts=tuple(len(pile) - (seat in self.to_act) for seat, pile in enumerate(self.piles)),
            unused_count=len(self.unused),
            placed=tuple(self.placed),
            rear=tuple(self.rear),
        )

    def _events(self) -> Iterator[Event]:
        """What everybody saw since the last deal ended, oldest first."""
        for result in self.results[-1:]:
            yield Event(None, Phrase("", f"Deal {result.number}: {result.summary}"))
        for seat, card, cell in self.placed:
            yield Event(seat, Phrase("place", f"{card} on {cell}"), (card,))

    def dump(self) -> Position:
        rows = [" ".join(CARD.get(self.board[cell], EMPTY) for cell in row) for row in ROWS]
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "deals": self.deals,
            "to_move": self.to_act[0] if self.to_act else None,
            "board": rows if self.to_act else None,
            "piles": [list(pile) for pile in self.piles],
            "unused": list(self.unused),
            "placed": [str(placed) for placed in self.placed],
            "scores": self.scores[:],
            "rear": self.rear[:],
        }


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"tabletop-cribbage:{rule}")


def _unreadable(rule: str, message: str) -> NoReturn:
    raise UnreadableMove(message, rule=f"tabletop-cribbage:{rule}")


def _difference(rows: int, columns: int) -> list[Line]:
    better, worse = ("rows", "columns") if rows > columns else ("columns", "rows")
    return [("game-121", f"{max(rows, columns)} in {better}, {min(rows, columns)} in {worse}", abs(rows - columns))]


def _board_zones(board: Sequence[int], counts: Sequence[Count], unused: Iterable[Card]) -> tuple[Zone, ...]:
    """The full board row by row, the column values, and the cards that were not used."""
    notes = [f"{count.total} {'point' if count.total == 1 else 'points'}" for count in counts]
    zones = [
        open_zone(f"line:{name[-1]}", "row", name, [CARD[board[cell]] for cell in cells], note=note)
        for name, cells, note in zip(LINE_NAMES, LINES, notes, strict=True)
    ]
    return (*zones, open_zone("unused", "row", "Not used", unused))


# View


@dataclass(frozen=True, slots=True, kw_only=True)
class TabletopView(View):
    """What everybody knows of a game of Tabletop Cribbage; all seats see the same.

    board: row by row, None where it is empty. turned: the open card of the player to move.
    pile_counts: closed cards by seat. deals: finished ones. rear: the rear pegs, by side.
    """

    dealer: int
    deals: int
    board: tuple[Card | None, ...]
    turned: Card | None
    pile_counts: tuple[int, ...]
    unused_count: int
    placed: tuple[Placed, ...]
    rear: tuple[int, ...]

    @property
    def line_values(self) -> tuple[int, ...]:
        """What the five rows and then the five columns are worth so far."""
        board = [BIT[card] if card else 0 for card in self.board]
        return tuple(count_line(board, cells, jacks=bool(self.options["heels_nobs"])).total for cells in LINES)

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        seats = [(first + n) % self.seats for n in range(self.seats)]
        piles = [
            Zone(f"pile:{seat}", "stock", self._pile_label(seat), (), self.pile_counts[seat], seat) for seat in seats
        ]
        own = [] if self.seat is None else [piles.pop()]
        cells = [
            open_zone(f"cell:{name}", "cell", name, [card] if card else [], note="middle" if name == "c3" else "")
            for name, card in zip(CELLS, self.board, strict=True)
        ]
        return (*piles, *cells, *own, self._turned_zone())

    def _turned_zone(self) -> Zone:
        """The card to place: in the hand, so to speak, of the player to move."""
        shown = [self.turned] if self.turned else []
        if self.seat in self.to_act:
            return open_zone("turned", "hand", "Your card", shown, owner=self.seat)
        return open_zone("turned", "row", "Card to place", shown)

    def _pile_label(self, seat: int) -> str:
        return "Your pile" if seat == self.seat else f"Pile of @{seat}"

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        return f"Place {self.turned}. You count the {'columns' if self.seat % 2 == self.dealer % 2 else 'rows'}."

    def choice(self, move: Move) -> Choice:
        assert isinstance(move, Place), f"{move!r} is a move of another game"
        return Choice(move, Phrase("place", f"{move.card} on {move.cell}"), (move.card, f"cell:{move.cell}"))

    @property
    def track(self) -> Track | None:
        """A cribbage board, where the game is to a number of points."""
        length = DIFFERENCE_TARGET if self.options["scoring"] == "difference" else self.options["target"]
        if not isinstance(length, int):
            return None
        pegs = (Peg(side_seats(side, self.seats), self.scores[side], self.rear[side]) for side in (0, 1))
        return Track(length, tuple(pegs))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        values = self.line_values
        rows, columns = values[:SIZE], values[SIZE:]
        column_side = self.dealer % 2
        return (
            ("Dealer", f"@{self.dealer}"),
            (f"Rows of {side_names(1 - column_side, self.seats)}", f"{' '.join(map(str, rows))}, in all {sum(rows)}"),
            (
                f"Columns of {side_names(column_side, self.seats)}",
                f"{' '.join(map(str, columns))}, in all {sum(columns)}",
            ),
        )


# The game

_PACK = pack()
_FILLER = next(numbered_decks(_PACK))
_KEYS = (
    "seats", "players", "options", "target", "dealer", "deals", "to_move", "board", "centre", "card", "piles", "unused",
    "placed", "scores", "rear",
)  # fmt: skip


class TabletopCribbage(Game[TabletopState, TabletopView, Place]):
    slug: ClassVar[str] = "tabletop-cribbage"
    name: ClassVar[str] = "Tabletop Cribbage"
    summary: ClassVar[str] = "Place cards on a square: one side counts its rows, the other its columns."
    seats: ClassVar[tuple[int, ...]] = (2, 4)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "target",
            "Length",
            121,
            {121: "to 121 points", 61: "to 61 points", "one-deal": "one deal", "two-deals": "one deal each as dealer"},
            "Without a number of points the higher total wins.",
        ),
        Option(
            "scoring",
            "Scoring",
            "total",
            {"total": "everybody scores the total", "difference": "the better one scores the difference, to 31"},
            "The difference needs no other length.",
        ),
        Option(
            "contact",
            "Contact",
            "touch",
            {"touch": "sides and corners", "orthogonal": "sides only", "anywhere": "none needed"},
            "What a new card has to touch.",
        ),
        switch("heels_nobs", "Jacks", default=False, help="Whether his heels and his nobs score."),
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return _PACK

    def has_several_deals(self, options: Options) -> bool:
        return options["target"] != "one-deal" or options["scoring"] == "difference"

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return (side_seats(0, seats), side_seats(1, seats))

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> TabletopState:
        return TabletopState(seats, options, decks, dealer)

    def parse(self, text: str) -> Place:
        return read_move(text)

    def attempt(self, view: TabletopView, picks: Sequence[str]) -> Place:
        """The card turned up with a space, or a card of the board that is to lie elsewhere."""
        assert view.turned is not None, "somebody is to place a card"
        lies_on = {card: cell for card, cell in zip(view.board, CELLS, strict=True) if card}
        spaces = dict.fromkeys(lies_on.get(pick, pick.removeprefix("cell:")) for pick in picks)
        cells = [cell for cell in spaces if cell in _NUMBER]
        moved = [pick for pick in picks if pick in lies_on]
        if any(pick.startswith("pile:") for pick in picks):
            _unreadable("no-peeking", f"The piles stay closed, and one card a turn comes up; place {view.turned}.")
        if moved and not {view.turned, "turned"} & {*picks}:
            return Place(moved[0], cells[-1])
        if not cells:
            _unreadable("touching", f"Choose also the empty space, beside another card, where {view.turned} is to lie.")
        if len(cells) > 1:
            _unreadable("turn-up-then-place", f"You place one card in a turn; choose one space for {view.turned}.")
        return Place(view.turned, cells[0])

    def sample(self, view: TabletopView, rng: Random) -> TabletopState:
        """`rng` deals all closed cards."""
        state = TabletopState(view.seats, view.options, Decks(random_decks(_PACK, rng)), view.dealer)
        state.deals, state.results = view.deals, view.results
        state.scores, state.rear = list(view.scores[:2]), list(view.rear)
        if view.to_act:
            seen = {*view.board, view.turned}
            closed = [card for card in _PACK if card not in seen]
            rng.shuffle(closed)
            for cell, card in enumerate(view.board):
                if card:
                    state.lay(cell, card)
            for seat, count in enumerate(view.pile_counts):
                top = [view.turned] if seat in view.to_act and view.turned else []
                state.piles[seat] = (*top, *closed[:count])
                closed = closed[count:]
            state.unused = tuple(closed)
            state.placed, state.to_act = list(view.placed), view.to_act
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> TabletopState:
        """A position; every key may be left out.

        seats: 2 or 4 (2); `players` is the same, also among the options. options: by name; `target` may stand alone.
        dealer: the last seat. deals: finished ones. scores, rear (the rear pegs): by side, by seat, or as a mapping of
        `nondealer` and `dealer`.
        board: five rows from top to bottom, texts or lists, `--` is empty; or `centre`, the card in the middle alone.
        Without either the game must be over. A full board is counted at once.
        to_move: a seat, `nondealer` or `dealer`; by the number of cards on the board if not given.
        piles: by seat, the next card first; cards that are wanting are taken from those that lie nowhere else.
        card: the card turned up. unused: the rest of the pack. placed: the moves of this deal, `0:QS@c2`.
        """
        return _Loader(self, data, _KEYS).load(Decks(numbered_decks(_PACK) if deals is None else deals))


class _Loader(SidesReader):
    """Reads a position. :raises ImpossiblePosition:"""

    def _options(self) -> dict[str, bool | int | str]:
        """The target may stand beside the options."""
        options, target = self.data.get("options"), self.data.get("target")
        if target is not None and (options is None or isinstance(options, Mapping)):
            self.data = {**self.data, "options": {"target": target, **(options or {})}}
        return super()._options()

    def load(self, decks: Decks) -> TabletopState:
        dealer = self.seat("dealer", self.seats - 1) or 0
        self.state = state = TabletopState(self.seats, self.options, decks, dealer)
        state.deals = self.number("deals", 0, high=DEALS_AT_MOST)
        state.scores, state.rear = self._scores("scores"), self._scores("rear")
        check_pegs(state.scores, state.rear)
        board = self._board()
        if board is None:
            if not state.is_decided():
                raise ImpossiblePosition("board: the centre card, on c3, is missing.")
            return state
        if state.is_decided():
            raise ImpossiblePosition("scores, deals: with these the game is over and has no board.")
        for cell, card in board.items():
            if card not in BIT:
                raise ImpossiblePosition(f"There is no card {card} in this pack.")
            state.lay(cell, card)
        self._read_placed(board)
        self._read_piles(list(board.values()))
        if not state.empty:
            state.end_deal()
        return state

    def _scores(self, key: str) -> list[int]:
        value = self.data.get(key)
        if isinstance(value, Mapping) and set(value) <= {"nondealer", "dealer"}:
            by_side = [value.get("nondealer", 0), value.get("dealer", 0)]
            self.data = {**self.data, key: by_side if self.state.dealer % 2 else by_side[::-1]}
        found = self.numbers_by_side(key, high=1000)
        if self.state.limit is not None and max(found) > self.state.limit:
            raise ImpossiblePosition(f"{key}: points past {self.state.limit} are not counted.")
        if min(found) == self.state.limit:
            raise ImpossiblePosition(f"{key}: only one side can reach {self.state.limit}, and then the game is over.")
        return found

    def _board(self) -> dict[int, Card] | None:
        """The cards by their cells."""
        value = self.data.get("board")
        centre = self._one_card("centre")
        if value is None:
            return {CENTRE: centre[0]} if centre else None
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != SIZE:
            raise ImpossiblePosition("board: write its five rows.")
        rows = [card_list(row, "board") for row in value]
        if any(len(row) != SIZE for row in rows):
            raise ImpossiblePosition("board: every row has five spaces; write -- for an empty one.")
        found = {cell: card for cell, card in enumerate(sum(rows, [])) if card.strip("-")}
        if CENTRE not in found or centre not in ([], [found[CENTRE]]):
            raise ImpossiblePosition("board: the centre card, on c3, is missing.")
        return found

    def _one_card(self, key: str) -> list[Card]:
        """The card in a list, or [] where none is given."""
        found = card_list(self.data.get(key), key)
        if len(found) > 1:
            raise ImpossiblePosition(f"{key}: it is one card.")
        return found

    def _read_placed(self, board: Mapping[int, Card]) -> None:
        entries = self.data.get("placed") or []
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise ImpossiblePosition("placed: write a list such as 0:QS@c2.")
        for text in entries:
            seat, _, rest = str(text).partition(":")
            try:
                move = read_move(rest)
            except UnreadableMove:
                raise ImpossiblePosition(f"placed: {text!r} is no seat with its move, such as 0:QS@c2.") from None
            known = seat.strip() in map(str, range(self.seats))
            if not known or board.get(_NUMBER.get(move.cell, -1)) != move.card:
                raise ImpossiblePosition(f"placed: {text!r} is no card on the board with the seat that placed it.")
            self.state.placed.append(Placed(int(seat), move.card, move.cell))

    def _read_piles(self, board: list[Card]) -> None:
        """The piles as they have to be: turn by turn, as many cards as there are empty cells."""
        state = self.state
        piles, unused = self.card_lists("piles"), card_list(self.data.get("unused"), "unused")
        turn = self._turn(len(board))
        card = self._one_card("card")
        if card and piles[turn][:1] != card:
            piles[turn] = card + piles[turn]
        used = [*board, *(card for pile in piles for card in pile), *unused]
        check_cards(used, _PACK)
        rest = [card for card in _FILLER if card not in used]
        for step in range(self.seats):
            seat = (turn + step) % self.seats
            count = len(range(step, state.empty.bit_count(), self.seats))
            if len(piles[seat]) > count:
                raise ImpossiblePosition(f"piles: seat {seat} has {count} cards to place, not {len(piles[seat])}.")
            missing = count - len(piles[seat])
            if missing > len(rest):
                raise ImpossiblePosition("unused: these cards are needed for the piles.")
            state.piles[seat], rest = (*piles[seat], *rest[:missing]), rest[missing:]
        state.unused = (*unused, *rest)
        state.to_act = (turn,)

    def _turn(self, cards: int) -> int:
        value, first = self.data.get("to_move"), (self.state.dealer + 1) % self.seats
        sides = {"nondealer": first, "dealer": self.state.dealer}
        if isinstance(value, str) and value in sides:
            return sides[value]
        turn = self.seat("to_move", (first + cards - 1) % self.seats)
        assert turn is not None, "there is a default"
        return turn


TABLETOP_CRIBBAGE = TabletopCribbage()
