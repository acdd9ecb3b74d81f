"""The state of Tabletop Cribbage: dealing, legal moves and play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NoReturn

from games.core.card_bits import BIT, CARD, bits
from games.core.cards import Card
from games.core.contract import Event, Game, HandResult, Move, Options, Outcome, Phrase, ScoreLine
from games.core.cribbage import SIDES
from games.core.deals import Decks
from games.core.dealt import DealtState
from games.core.sides import seats_of_side, side_in_words
from games.core.words import within_sentence
from games.engines.tabletop_cribbage.moves import (
    CELL_NUMBER,
    CELLS,
    CENTRE,
    NEIGHBOURS,
    TO_PLACE,
    WHERE,
    Place,
    Placed,
)
from games.engines.tabletop_cribbage.scoring import (
    DEALS_AT_MOST,
    DEALS_OF,
    BoardCount,
    Line,
    board_zones,
    count_board,
    difference,
    game_outcome,
    score_limit,
)
from games.engines.tabletop_cribbage.view import TabletopView

_PLACES = {card: [Place(card, cell) for cell in CELLS] for card in BIT}
_HALF = 0x1FFF


@cache
def _cells(half: int) -> tuple[int, ...]:
    """The cells among half of the board."""
    return tuple(bit.bit_length() - 1 for bit in bits(half))


class TabletopState(DealtState):
    """A game of Tabletop Cribbage. Cards on the board are bits of `games.core.card_bits`.

    Cells are numbered row by row. board: 0 where it is empty. contact: the cells that touch each cell, as bits.
    empty, open: the empty cells and those where a card may go, as bits.
    piles: by seat, the next card first. unused: the rest of the pack. placed: the moves of this deal.
    scores, rear: by side; the rear peg shows the score before the last one that counted.
    limit: the score that ends the game, None where the number of deals does.
    """

    __slots__ = ("board", "contact", "empty", "limit", "open", "piles", "placed", "rear", "unused")

    PUBLIC = (*DealtState.PUBLIC, "deal_number")

    contact: Sequence[int]
    limit: int | None
    board: list[int]
    empty: int
    open: int
    piles: list[tuple[Card, ...]]
    unused: tuple[Card, ...]
    placed: list[Placed]
    rear: list[int]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.contact = NEIGHBOURS[str(options["contact"])]
        self.limit = score_limit(options)
        self.scores = [0, 0]
        self.rear = [0, 0]

    def clear_table(self) -> None:
        self.to_act = ()
        self.board = [0] * len(CELLS)
        self.empty = (1 << len(CELLS)) - 1
        self.open = 0
        self.piles = [()] * self.seats
        self.unused = ()
        self.placed = []

    def deal_hand(self) -> None:
        """Deals the piles, one card at a time from the dealer's left, and lays the next card in the middle."""
        self.clear_table()
        deck = tuple(self.next_deck())
        for step, seat in enumerate(self.seats_after(self.dealer)):
            self.piles[seat] = deck[step : TO_PLACE : self.seats]
        self.lay(CENTRE, deck[TO_PLACE])
        self.unused = deck[TO_PLACE + 1 :]
        self.to_act = (self.seat_after(self.dealer),)

    def lay(self, cell: int, card: Card) -> None:
        self.board[cell] = BIT[card]
        self.empty ^= 1 << cell
        self.open = (self.open | self.contact[cell]) & self.empty

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
        cell = CELL_NUMBER.get(move.cell, -1)
        if cell < 0 or not self.open >> cell & 1:
            self._refuse_cell(move.cell)
        self.piles[seat] = self.piles[seat][1:]
        self.placed.append(Placed(seat, move.card, move.cell))
        self.lay(cell, move.card)
        if self.empty:
            self.to_act = ((seat + 1) % self.seats,)
        else:
            self.end_hand()

    # Refusals

    def _refuse_turn(self) -> NoReturn:
        if not self.to_act:
            self.game.refuse_turn("game-121", "The game is over; start another one.")
        message = "It's another player's turn. The player who didn't deal goes first, and then turns alternate."
        self.game.refuse_turn("nondealer-first", message)

    def _refuse_card(self, card: Card) -> NoReturn:
        if BIT[card] in self.board:
            self.refuse("no-moving", f"{card} is on the board and stays where it is; place {self.turned}.")
        self.refuse("turn-up-then-place", f"Your card this turn is {self.turned}; place that one.")

    def _refuse_cell(self, name: str) -> NoReturn:
        if name not in CELL_NUMBER:
            self.refuse("inside-board", f"There is no space {name}; columns are a to e and rows 1 to 5.")
        if self.board[CELL_NUMBER[name]]:
            self.refuse("touching", f"There's already a card on {name}; choose an empty space.")
        where = WHERE[str(self.options["contact"])]
        self.refuse("touching", f"{name} doesn't touch a card; choose an empty space {where}.")

    # The end of a deal

    def is_decided(self) -> bool:
        finished = self.deal_number - 1
        if self.limit is None:
            return finished >= DEALS_OF[str(self.options["target"])]
        return max(self.scores) >= self.limit or finished >= DEALS_AT_MOST

    def end_hand(self) -> None:
        """Counts the full board, first the rows, then the columns; then deals again or ends the game."""
        board = count_board(self.board, jacks=bool(self.options["heels_nobs"]))
        before = self.scores[:]
        lines = self._score(board)
        gained = [now - then for now, then in zip(self.scores, before, strict=True)]
        column_side = self.dealer % 2
        rows, columns = board.totals
        whose_rows, whose_columns = (side_in_words(side, self.seats, SIDES) for side in (1 - column_side, column_side))
        result = HandResult(
            number=self.deal_number,
            summary=f"Rows {rows} for {whose_rows}, columns {columns} for {whose_columns}.",
            points=tuple(gained[seat % 2] for seat in range(self.seats)),
            lines=tuple(lines),
            zones=board_zones(self.board, board.counts, self.unused),
        )
        self.results += (result,)
        self.deal_number += 1
        if self.is_decided():
            self.clear_table()
        else:
            self.dealer = self.seat_after(self.dealer)
            self.deal_hand()

    def _score(self, board: BoardCount) -> list[ScoreLine]:
        """Scores the rows for the non-dealer's side, then the columns for the dealer's."""
        column_side = self.dealer % 2
        row_side = 1 - column_side
        if self.options["scoring"] == "difference":
            rows, columns = board.totals
            return self._peg(row_side if rows > columns else column_side, difference(rows, columns))
        lines = self._peg(row_side, board.rows)
        if self.scores[row_side] != self.limit:
            lines += self._peg(column_side, board.columns)
        return lines

    def _peg(self, side: int, parts: Iterable[Line]) -> list[ScoreLine]:
        """Scores for a side as far as the target goes."""
        score = self.scores[side]
        lines = []
        for rule, text, points in parts:
            if self.limit is not None:
                points = min(points, self.limit - score)
            if points:
                lines.append(
                    ScoreLine(seats_of_side(side, self.seats, SIDES), f"tabletop-cribbage:{rule}", text, points)
                )
                score += points
        if lines:
            self.rear[side], self.scores[side] = self.scores[side], score
        return lines

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        return game_outcome(self.scores, seats=self.seats, limit=self.limit, deals=self.deal_number - 1)

    # What a seat sees

    def view(self, seat: int | None) -> TabletopView:
        return TabletopView(
            seat=seat,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores[seat % 2] for seat in range(self.seats)),
            log=tuple(self._events()),
            board=tuple(CARD.get(card) for card in self.board),
            turned=self.turned,
            pile_counts=tuple(len(pile) - (seat in self.to_act) for seat, pile in enumerate(self.piles)),
            placed=tuple(self.placed),
            rear=tuple(self.rear),
            **self.public_fields(),
        )

    def _events(self) -> Iterator[Event]:
        """What everybody saw since the last deal ended, oldest first."""
        for result in self.results[-1:]:
            yield Event(None, Phrase("", f"Deal {result.number}: {within_sentence(result.summary)}"))
        for seat, card, cell in self.placed:
            yield Event(seat, Phrase("place", f"{card} on {cell}"), (card,))
