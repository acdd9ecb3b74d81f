"""Reading positions of Tabletop Cribbage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.core.cards import Card
from games.core.contract import ImpossiblePosition, UnreadableMove
from games.core.deals import Decks, numbered_decks
from games.core.positions import SidesReader, card_list, check_cards, check_pegs
from games.core.rummy.deadwood import BIT
from games.engines.tabletop_cribbage.moves import CENTRE, NUMBER, PACK, SIZE, Placed, parse_move
from games.engines.tabletop_cribbage.scoring import DEALS_AT_MOST
from games.engines.tabletop_cribbage.state import TabletopState

_FILLER = next(numbered_decks(PACK))
POSITION_KEYS = (
    "seats", "players", "options", "target", "dealer", "deals", "to_move", "board", "centre", "card", "piles", "unused",
    "placed", "scores", "rear",
)  # fmt: skip


class TabletopReader(SidesReader):
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
                move = parse_move(rest)
            except UnreadableMove:
                raise ImpossiblePosition(f"placed: {text!r} is no seat with its move, such as 0:QS@c2.") from None
            known = seat.strip() in map(str, range(self.seats))
            if not known or board.get(NUMBER.get(move.cell, -1)) != move.card:
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
        check_cards(used, PACK)
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
