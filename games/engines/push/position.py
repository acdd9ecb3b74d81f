"""Positions of Push: writes those of states, and reads those that people write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from games.core.cards import Card
from games.core.contract import Game, ImpossiblePosition, Position, UnreadableMove
from games.core.positions import SidesReader, by_seat, card_list, check_cards, whole_number
from games.core.rummy.position import dump_rummy
from games.engines.push.melds import meld_fault
from games.engines.push.moves import (
    DRAW,
    LAST_CONTRACT,
    MOST_EXTRA_DEALS,
    OVER,
    PACK,
    PLAY,
    SEAT_LETTERS,
    SEATS,
    SIDE_NAMES,
    SIDES,
    STALL_TURNS,
    Phase,
    PushMeld,
    is_wild,
    read_meld,
)
from games.engines.push.state import PushState


def dump_position(state: PushState) -> Position:
    return dump_rummy(state) | {
        "deal": state.deal_number,
        "extra_deals": state.extra_deals,
        "phase": str(state.phase),
        "scores": dict(zip(SIDE_NAMES, state.scores, strict=True)),
        "deals_won": dict(zip(SIDE_NAMES, state.deals_won, strict=True)),
        "known": sorted(state.known),
        "opened": list(state.opened),
        "table": [str(meld) for meld in state.table.values()],
        "laid_by": list(state.laid_by),
        "upcard": state.upcard,
        "taken_upcard": state.taken_upcard,
        "stall": state.stall,
        "turned_back": list(state.turned_back),
        "just_out": state.just_out,
    }


class PushReader(SidesReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    KEYS = (
        *("seats", "options", "dealer", "to_move", "deal", "extra_deals", "phase", "scores", "deals_won"),
        *("hands", "hand", "known", "opened", "table", "laid_by", "upcard", "taken_upcard", "stall"),
        *("stock", "stock_count", "turned_back", "just_out"),
    )

    def __init__(self, game: Game[PushState, Any, Any], data: Position, deals: Iterable[Sequence[Card]] | None) -> None:
        super().__init__(game, _with_numbers(data), self.KEYS)
        dealer = self.number("dealer", SEATS - 1, high=SEATS - 1)
        decks = self.following_decks(deals)
        self.state = game.undealt(decks, seats=SEATS, options=self.options, dealer=dealer)
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
        state.to_act = (self.number("to_move", state.seat_after(state.dealer), high=SEATS - 1),)
        state.phase = self.read_phase(Phase, DRAW if data.get("upcard") else PLAY)

    def _read_table(self) -> None:
        state = self.state
        state.table = dict(enumerate(map(self._meld, self._numbered("table")), start=1))
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
        state.hands = [state.in_order(hand) for hand in hands]
        state.upcard, state.taken_upcard = self.card_of("upcard"), self.card_of("taken_upcard")
        state.stall = self.number("stall", 0, high=STALL_TURNS)
        state.just_out = self.switch("just_out")
        state.stock = self.cards_of("stock")[::-1]
        check_cards(state.cards(), PACK)
        if data.get("stock") is None:
            lying = set(state.cards())
            rest = [card for card in PACK if card not in lying]
            state.stock = rest[: self.number("stock_count", 0, high=len(rest))]
        state.turned_back = tuple(self.cards_of("turned_back"))
        seen = [*self.cards_of("known"), *([state.taken_upcard] if state.taken_upcard else [])]
        state.known = frozenset(seen)

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
        if state.taken_upcard is not None and (state.phase is not PLAY or state.taken_upcard not in state.hands[seat]):
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
