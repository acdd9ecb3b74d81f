"""A game of Tabletop Cribbage: the deal, placing cards, and counting the full board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NoReturn, Self

from games.core.cards import Card
from games.core.contract import (
    Event,
    HandResult,
    IllegalMove,
    Move,
    NotYourTurn,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    State,
    Zone,
    open_zone,
)
from games.core.cribbage import Count, side_names, side_seats
from games.core.deals import Decks
from games.core.rummy.deadwood import BIT, CARD, bits
from games.engines.tabletop_cribbage.moves import (
    CELLS,
    CENTRE,
    EMPTY,
    LINE_NAMES,
    LINES,
    NEIGHBOURS,
    NUMBER,
    ROWS,
    SIZE,
    TO_PLACE,
    Place,
    Placed,
)
from games.engines.tabletop_cribbage.scoring import (
    DEALS_AT_MOST,
    DEALS_OF,
    DIFFERENCE_TARGET,
    HEELS,
    Line,
    count_line,
    difference,
    line_parts,
)
from games.engines.tabletop_cribbage.view import TabletopView

_PLACES = {card: [Place(card, cell) for cell in CELLS] for card in BIT}
_HALF = 0x1FFF


@cache
def _cells(half: int) -> tuple[int, ...]:
    """The cells among half of the board."""
    return tuple(bit.bit_length() - 1 for bit in bits(half))


class TabletopState(State):
    """A game of Tabletop Cribbage. Cards on the board are bits of `games.core.rummy.deadwood`.

    Cells are numbered row by row.

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
        cell = NUMBER.get(move.cell, -1)
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
        if name not in NUMBER:
            _refuse("inside-board", f"There is no space {name}; columns go from a to e and rows from 1 to 5.")
        if self.board[NUMBER[name]]:
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
            [(rule, f"{name}: {what}", points) for rule, what, points in line_parts(count)]
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
            lines = self._peg(row_side if mine > theirs else column_side, difference(mine, theirs))
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


def _board_zones(board: Sequence[int], counts: Sequence[Count], unused: Iterable[Card]) -> tuple[Zone, ...]:
    """The full board row by row, the column values, and the cards that were not used."""
    notes = [f"{count.total} {'point' if count.total == 1 else 'points'}" for count in counts]
    zones = [
        open_zone(f"line:{name[-1]}", "row", name, [CARD[board[cell]] for cell in cells], note=note)
        for name, cells, note in zip(LINE_NAMES, LINES, notes, strict=True)
    ]
    return (*zones, open_zone("unused", "row", "Not used", unused))
