"""Positions of Tabletop Cribbage: writes those of states, and reads those that people write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.core.card_bits import BIT, CARD
from games.core.cards import Card
from games.core.contract import Game, ImpossiblePosition, Position, UnreadableMove
from games.core.positions import SidesReader, as_json, card_list, check_cards, check_pegs
from games.engines.tabletop_cribbage.moves import (
    CELL_NUMBER,
    CENTRE,
    EMPTY,
    PACK,
    ROWS,
    SIZE,
    Place,
    Placed,
    parse_move,
)
from games.engines.tabletop_cribbage.scoring import DEALS_AT_MOST
from games.engines.tabletop_cribbage.state import TabletopState
from games.engines.tabletop_cribbage.view import TabletopView

# Keys with the fields of the state whose names they have.
FIELDS = ("piles", "unused", "scores", "rear")


def dump_position(state: TabletopState) -> Position:
    rows = [" ".join(CARD.get(state.board[cell], EMPTY) for cell in row) for row in ROWS]
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "dealer": state.dealer,
        "deals": state.deal_number - 1,
        "to_move": state.to_act[0] if state.to_act else None,
        "board": rows if state.to_act else None,
        "placed": [str(placed) for placed in state.placed],
        **{name: as_json(getattr(state, name)) for name in FIELDS},
    }


class TabletopReader(SidesReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    KEYS = (
        "seats", "players", "options", "target", "dealer", "deals", "to_move", *FIELDS, "board", "centre", "card",
        "placed",
    )  # fmt: skip

    def __init__(
        self,
        game: Game[TabletopState, TabletopView, Place],
        data: Position,
        deals: Iterable[Sequence[Card]] | None,
    ) -> None:
        super().__init__(game, data, self.KEYS)
        dealer = self.seat("dealer", self.seats - 1) or 0
        self.state = game.undealt(self.following_decks(deals), seats=self.seats, options=self.options, dealer=dealer)
        self.state.deal_number = 1 + self.number("deals", 0, high=DEALS_AT_MOST)
        self.state.scores, self.state.rear = self._scores("scores"), self._scores("rear")
        check_pegs(self.state.scores, self.state.rear)
        board = self._board()
        if board is None:
            if not self.state.is_decided():
                raise ImpossiblePosition("board: the centre card, on c3, is missing.")
        elif self.state.is_decided():
            raise ImpossiblePosition("scores, deals: with these the game is over and has no board.")
        else:
            self._lay(board)

    def _options(self) -> dict[str, bool | int | str]:
        """The target may stand beside the options."""
        options, target = self.data.get("options"), self.data.get("target")
        if target is not None and (options is None or isinstance(options, Mapping)):
            self.data = {**self.data, "options": {"target": target, **(options or {})}}
        return super()._options()

    def _lay(self, board: Mapping[int, Card]) -> None:
        for cell, card in board.items():
            if card not in BIT:
                raise ImpossiblePosition(f"There is no card {card} in this pack.")
            self.state.lay(cell, card)
        self._read_placed(board)
        self._read_piles(list(board.values()))
        if not self.state.empty:
            self.state.end_hand()

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
        centre = self.card_of("centre")
        if value is None:
            return {CENTRE: centre} if centre else None
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != SIZE:
            raise ImpossiblePosition("board: write its five rows.")
        rows = [card_list(row, "board") for row in value]
        if any(len(row) != SIZE for row in rows):
            raise ImpossiblePosition("board: every row has five spaces; write -- for an empty one.")
        found = {cell: card for cell, card in enumerate(sum(rows, [])) if card.strip("-")}
        if CENTRE not in found or centre not in (None, found[CENTRE]):
            raise ImpossiblePosition("board: the centre card, on c3, is missing.")
        return found

    def _read_placed(self, board: Mapping[int, Card]) -> None:
        entries = self.data.get("placed") or []
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise ImpossiblePosition("placed: write a list such as 0:QS@c2.")
        for text in entries:
            seat, _, rest = str(text).partition(":")
            try:
                move = parse_move(rest)
            except UnreadableMove:
                raise ImpossiblePosition(f"placed: {text!r} is no seat with its move, such as 0:QS@c2.") from None
            known = seat.strip() in map(str, range(self.seats))
            if not known or board.get(CELL_NUMBER.get(move.cell, -1)) != move.card:
                raise ImpossiblePosition(f"placed: {text!r} is no card on the board with the seat that placed it.")
            self.state.placed.append(Placed(int(seat), move.card, move.cell))

    def _read_piles(self, board: list[Card]) -> None:
        """The piles as they have to be: turn by turn, as many cards as there are empty cells."""
        state = self.state
        piles, unused = self.card_lists("piles"), self.cards_of("unused")
        turn = self._turn(len(board))
        card = self.card_of("card")
        if card and piles[turn][:1] != [card]:
            piles[turn].insert(0, card)
        used = [*board, *(card for pile in piles for card in pile), *unused]
        check_cards(used, PACK)
        rest = self.unused_cards(used)
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
