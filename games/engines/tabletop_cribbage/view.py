"""The view of Tabletop Cribbage: what everybody sees, in zones, choices and facts."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.card_bits import BIT
from games.core.cards import Card
from games.core.contract import Choice, Move, Peg, Phrase, Track, View, Zone, open_zone
from games.core.cribbage import SIDES
from games.core.sides import seats_of_side, side_in_words
from games.engines.tabletop_cribbage.moves import CELLS, LINES, SIZE, Place, Placed
from games.engines.tabletop_cribbage.scoring import count_line, score_limit


@dataclass(frozen=True, slots=True, kw_only=True)
class TabletopView(View):
    """What everybody knows of a game of Tabletop Cribbage; all seats see the same.

    board: row by row, None where it is empty. turned: the open card of the player to move.
    pile_counts: closed cards by seat. rear: the rear pegs, by side.
    """

    dealer: int
    deal_number: int
    board: tuple[Card | None, ...]
    turned: Card | None
    pile_counts: tuple[int, ...]
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
        piles = [Zone(f"pile:{seat}", "stock", f"@{seat}'s pile", (), self.pile_counts[seat], seat) for seat in seats]
        own = [] if self.seat is None else [piles.pop()]
        cells = [
            open_zone(f"cell:{name}", "cell", name, [card] if card else [], note="middle" if name == "c3" else "")
            for name, card in zip(CELLS, self.board, strict=True)
        ]
        return (*piles, *cells, *own, *self._turned_zones())

    def _turned_zones(self) -> list[Zone]:
        """The card to place: in the hand, so to speak, of a viewer who is to move. Both zones are always there."""
        shown = [self.turned] if self.turned else []
        in_hand, on_table = (shown, []) if self.seat in self.to_act else ([], shown)
        zones = [open_zone("turned", "row", "Card to place", on_table)]
        if self.seat is not None:
            zones.append(open_zone(f"turned:{self.seat}", "hand", "Your card", in_hand, owner=self.seat))
        return zones

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
        length = score_limit(self.options)
        if length is None:
            return None
        pegs = (Peg(seats_of_side(side, self.seats, SIDES), self.scores[side], self.rear[side]) for side in (0, 1))
        return Track(length, tuple(pegs))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        dealer = ("Dealer", f"@{self.dealer}")
        if not any(self.board):  # the game is over, and its last square in the results
            return (dealer,)
        values = self.line_values
        rows, columns = values[:SIZE], values[SIZE:]
        column_side = self.dealer % 2
        whose_rows, whose_columns = (side_in_words(side, self.seats, SIDES) for side in (1 - column_side, column_side))
        return (
            dealer,
            (f"Rows for {whose_rows}", f"{' '.join(map(str, rows))}, in all {sum(rows)}"),
            (f"Columns for {whose_columns}", f"{' '.join(map(str, columns))}, in all {sum(columns)}"),
        )
