"""Positions of Krambambuli: writes those of states, and reads those that people write."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain

from games.core.cards import Card, by_display
from games.core.contract import ImpossiblePosition, Position
from games.core.positions import by_seat, whole_number
from games.core.rummy.melds import MeldRules
from games.core.rummy.state import RummyState
from games.core.rummy.stealing import StealingReader, dump_stealing
from games.engines.krambambuli.melds import OwnMeld
from games.engines.krambambuli.moves import AFTER_DRAW, START, UPCARD_TURNS_IN_A_ROW
from games.engines.krambambuli.state import KrambambuliState

_OWNED = re.compile(r"(?P<meld>[^()]+)\((?P<owner>\d)\)\s*")


def dump_position(state: KrambambuliState) -> Position:
    return dump_stealing(state) | {
        "table": {str(number): {"meld": str(own.meld), "owner": own.owner} for number, own in state.table.items()},
        "discards": list(state.discards),
        "taken_upcard": state.taken_upcard,
        "known": by_display(state.known),
        "melded_before": state.had_melded,
        "stolen": state.stolen,
        "turnovers": state.turnovers,
        "upcard_turns": state.upcard_turns,
    }


class KrambambuliReader(StealingReader):
    """Reads a position. :raises ImpossiblePosition:"""

    KEYS = (
        *StealingReader.KEYS,
        *("discards", "upcard", "taken_upcard", "known"),
        *("melded_before", "stolen", "turnovers", "upcard_turns"),
    )
    SUCH_AS = "{meld: 9C+9D+9H, owner: 0}"

    def state(self) -> KrambambuliState:
        state: KrambambuliState = self.table(self.game, most_hands=100_000)
        to_move = self.seat("to_move", None)
        out = self._gone_out() if to_move is None else None
        if state.is_decided():
            state.clear_table()
        elif out is not None:
            state.end_hand(out)
        elif to_move is None and self.is_over:
            raise ImpossiblePosition("to_move: no one has gone out and the game goes on, so it is a player's turn.")
        else:
            self._read_turn(state, (state.dealer + 1) % self.seats if to_move is None else to_move)
        return state

    def _gone_out(self) -> int | None:
        """The seat whose hand is written and empty."""
        hands = by_seat(self.data.get("hands"), self.seats, "hands")
        return next((seat for seat, hand in enumerate(hands) if hand is not None and not len(hand)), None)

    def read_cards(self, state: RummyState, rules: MeldRules) -> None:
        assert isinstance(state, KrambambuliState), "made by this game"
        state.discards = self.cards("discards")
        upcard = self.cards("upcard")
        if len(upcard) > 1:
            raise ImpossiblePosition("upcard: it is one card; write all of them as discards.")
        state.discards += upcard if upcard != state.discards[-1:] else []
        super().read_cards(state, rules)

    def unread_stock(self, used: set[Card]) -> list[Card]:
        rest = self.unused_cards(used)
        return rest[: self.number("stock_count", len(rest), high=len(rest))]

    def entry(self, rules: MeldRules, entry: object) -> OwnMeld:
        match = _OWNED.fullmatch(entry) if isinstance(entry, str) else None
        if match is not None:
            entry = {"meld": match["meld"], "owner": int(match["owner"])}
        if not isinstance(entry, Mapping) or set(entry) != {"meld", "owner"}:
            raise ImpossiblePosition(f"table: write each meld with its owner, such as {self.SUCH_AS}.")
        owner = whole_number(entry["owner"], "owner", low=0, high=self.seats - 1)
        return OwnMeld(self.meld(rules, entry["meld"]), owner)

    def _read_turn(self, state: KrambambuliState, seat: int) -> None:
        state.turnovers = self.number("turnovers", 0, high=int(state.options["turnovers"]))
        state.upcard_turns = self.number("upcard_turns", 0, high=UPCARD_TURNS_IN_A_ROW)
        taken = self.cards("taken_upcard")
        state.known = frozenset((*self.cards("known"), *taken))
        if len(taken) > 1 or not state.known <= set(chain(*state.hands)) or not set(taken) <= set(state.hands[seat]):
            raise ImpossiblePosition("taken_upcard, known: these cards must lie in the hand that took them.")
        phase = self.read_turn_phase((START, AFTER_DRAW), AFTER_DRAW if state.hands[seat] else START)
        if phase is START:
            if taken:
                raise ImpossiblePosition("phase, taken_upcard: at the start of a turn nothing has been taken.")
            state.begin_turn(seat)
        elif not state.hands[seat]:
            raise ImpossiblePosition("hands: the seat to move has drawn, so it holds a card.")
        else:
            state.to_act, state.phase = (seat,), AFTER_DRAW
            state.taken_upcard = taken[0] if taken else None
            state.stolen = self.switch("stolen")
        # Without a stock the turn could not begin, and another hand has been dealt.
        if not state.results:
            state.had_melded = self.switch("melded_before", state.owns_a_meld(seat))
