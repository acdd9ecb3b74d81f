"""Reading positions of Gin Rummy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from games.core.contract import Game, IllegalMove, ImpossiblePosition, Position, UnreadableMove
from games.core.deals import Decks, numbered_decks
from games.core.positions import PositionReader, card_list, check_cards
from games.core.rummy.deadwood import BIT, CARD, bits, mask, union
from games.engines.gin_rummy.moves import (
    CARD_PATTERN,
    DEAD_HANDS_IN_A_ROW,
    DISCARD,
    DRAW,
    FIRST_UPCARD,
    HAND_CARDS,
    OVER,
    PACK,
    SEATS,
    SHOWDOWN,
    STOCK_CARDS,
    UNDRAWN_CARDS,
    UPCARD_TURNS_IN_A_ROW,
    BigGin,
    Deed,
    Knock,
    Phase,
    parse_move,
)
from games.engines.gin_rummy.state import TURN_OF, GinRummyState

_POSITION_KEYS = frozenset(
    [
        "seats",
        "options",
        "dealer",
        "phase",
        "to_move",
        "hands",
        "hand",
        "stock",
        "stock_count",
        "discards",
        "upcard",
        "taken_upcard",
        "known",
        "upcard_turns",
        "history",
        "knock",
        "limit",
        "doubled",
        "scores",
        "hands_won",
        "hands_played",
        "dead_hands",
    ]
)
_DEED = re.compile(rf"([01]) ?: ?([PDUX])(?:(?<=[UX]) ?({CARD_PATTERN}))?")
_FILLER = next(numbered_decks(PACK))


class GinRummyReader(PositionReader):
    """Reads a position into a fresh state, zone by zone. :raises ImpossiblePosition:"""

    def __init__(self, game: Game[Any, Any, Any], data: Position, decks: Decks) -> None:
        super().__init__(game, data, _POSITION_KEYS)
        self.state = GinRummyState(self.options, decks, self.number("dealer", 1, high=SEATS - 1))
        self._read_scores()
        self._read_cards()
        self._read_turn()
        self._read_history()
        self._check_phase()

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers("scores", high=10_000)
        state.hands_won = self.numbers("hands_won", high=10_000)
        state.dead_hands = self.number("dead_hands", 0, high=DEAD_HANDS_IN_A_ROW)
        fewest = sum(state.hands_won) + state.dead_hands
        state.hands_played = self.number("hands_played", fewest, low=fewest, high=100_000)
        if min(state.scores) >= int(state.options["target"]):
            raise ImpossiblePosition("scores: only one player can have reached the target.")

    def _read_cards(self) -> None:
        data, state = self.data, self.state
        hands = self.card_lists("hands")
        if "hand" in data:
            if "hands" in data:
                raise ImpossiblePosition("hand, hands: write only one of them.")
            hands[self.number("to_move", 1 - state.dealer, high=SEATS - 1)] = card_list(data["hand"], "hand")
        pile = card_list(data.get("discards"), "discards")
        upcard = card_list(data.get("upcard"), "upcard")
        if len(upcard) > 1:
            raise ImpossiblePosition("upcard: it is one card; write all of them as discards.")
        if upcard and pile[-1:] != upcard:
            pile += upcard
        stock = card_list(data.get("stock"), "stock")
        knock = self._read_knock()
        check_cards([*hands[0], *hands[1], *pile, *stock, *([knock.card] if isinstance(knock, Knock) else [])], PACK)
        state.hands = [mask(hand) for hand in hands]
        state.pile = [BIT[card] for card in pile]
        state.knock = knock
        state.stock = self._filled([BIT[card] for card in stock])[::-1]
        self._read_taken()

    def _read_taken(self) -> None:
        data, state = self.data, self.state
        taken = card_list(data.get("taken_upcard"), "taken_upcard")
        seen = [*card_list(data.get("known"), "known"), *taken]
        if len(taken) > 1 or not set(seen) <= {CARD[bit] for bit in bits(union(state.hands))}:
            raise ImpossiblePosition("taken_upcard, known: these cards must lie in a hand.")
        state.taken, state.known = mask(taken), mask(seen)

    def _filled(self, stock: list[int]) -> list[int]:
        """The stock, the next card first, made up to `stock_count` by cards that lie nowhere else."""
        state = self.state
        used = union(state.hands) | union(state.pile) | union(stock)
        if isinstance(state.knock, Knock):
            used |= BIT[state.knock.card]
        unseen = [BIT[card] for card in _FILLER if not BIT[card] & used]
        default = min(STOCK_CARDS, len(unseen)) if self.data.get("stock") is None else len(stock)
        count = self.number("stock_count", default, high=len(stock) + len(unseen))
        if count < len(stock):
            raise ImpossiblePosition(f"stock_count: {len(stock)} cards are named, which is more than {count}.")
        return stock + unseen[: count - len(stock)]

    def _read_knock(self) -> Knock | BigGin | None:
        text = self.data.get("knock")
        if text is None:
            return None
        seat, _, move = str(text).partition(":")
        try:
            knock = parse_move(move)
        except UnreadableMove:
            knock = None
        if seat.strip() not in ("0", "1") or not isinstance(knock, Knock | BigGin):
            raise ImpossiblePosition("knock: write the seat and its knock, such as 0:K QC: 5H-6H-7H.")
        self.state.knocker = int(seat)
        return knock

    def _read_turn(self) -> None:
        state = self.state
        if state.is_decided():
            if str(self.data.get("phase") or OVER).lower() != OVER:
                raise ImpossiblePosition("phase: with these scores the game is over.")
            state.clear_table()
            return
        seat = self.number("to_move", self._likely_seat(), high=SEATS - 1)
        state.to_act = TURN_OF[seat]
        try:
            state.phase = Phase(str(self.data.get("phase") or self._likely_phase(seat)).lower())
        except ValueError:
            raise ImpossiblePosition(f"phase: choose one of {', '.join(Phase)}.") from None

    def _likely_seat(self) -> int:
        state = self.state
        if state.knock is not None:
            return 1 - state.knocker
        full = [seat for seat in range(SEATS) if state.hands[seat].bit_count() > HAND_CARDS]
        return full[0] if full else 1 - state.dealer

    def _likely_phase(self, seat: int) -> Phase:
        if self.state.knock is not None:
            return SHOWDOWN
        return DISCARD if self.state.taken or self.state.hands[seat].bit_count() > HAND_CARDS else DRAW

    def _read_history(self) -> None:
        state = self.state
        if state.phase is OVER:
            return
        entries = self.data.get("history") or []
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise ImpossiblePosition("history: write a list such as 1:P, 0:U 7H.")
        state.history = [read_deed(entry) for entry in entries]
        self._check_passes()
        taken = min(_last_in_a_row("U", state.history), UPCARD_TURNS_IN_A_ROW)
        state.upcard_turns = self.number("upcard_turns", taken, high=UPCARD_TURNS_IN_A_ROW)
        state.bar = bar_of(state)
        first = state.pile[0] if state.pile else state.taken
        if first:
            state.set_limit(first)
        state.limit = self.number("limit", state.limit, high=10)
        state.doubled = self.switch("doubled", state.doubled)

    def _check_passes(self) -> None:
        """Only the first upcard is passed: by the non-dealer, then by the dealer."""
        state = self.state
        eldest = 1 - state.dealer
        passes: list[Deed] = [(eldest, "P", 0), (state.dealer, "P", 0)]
        if state.phase is FIRST_UPCARD:
            so_far = passes[: state.to_act[0] == state.dealer]
            if state.history not in ([], so_far):
                raise ImpossiblePosition("history: before the first turn there is only a pass of the non-dealer.")
            state.history = so_far
        found = [deed for deed in state.history if deed[1] == "P"]
        if found != passes[: len(found)] or found != state.history[: len(found)]:
            raise ImpossiblePosition("history: a hand begins with the passes, the non-dealer's first.")
        if state.phase is DRAW and state.history == passes and state.to_act[0] != eldest:
            raise ImpossiblePosition("to_move: after two passes the non-dealer begins.")

    def _check_phase(self) -> None:
        state = self.state
        phase = state.phase
        if phase is OVER:
            if not state.is_decided():
                raise ImpossiblePosition("phase: the game is not over before somebody reaches the target.")
            return
        seat = state.to_act[0]
        if phase in (FIRST_UPCARD, DRAW) and len(state.stock) <= UNDRAWN_CARDS:
            raise ImpossiblePosition("stock: a turn can only begin with three or more cards in the stock.")
        if phase is FIRST_UPCARD and not state.pile:
            raise ImpossiblePosition("upcard: the first upcard is missing.")
        if (phase is SHOWDOWN) != (state.knock is not None):
            raise ImpossiblePosition("knock: it belongs to the phase showdown, and the showdown to a knock.")
        for place, hand in enumerate(state.hands):
            most = HAND_CARDS + (phase is DISCARD and place == seat)
            if hand.bit_count() > most and not (isinstance(state.knock, BigGin) and place == state.knocker):
                raise ImpossiblePosition(f"hands: seat {place} can hold {most} cards now.")
        if phase is DISCARD and not state.hands[seat] & ~state.taken:
            raise ImpossiblePosition("hands: the seat to move needs a card to discard.")
        if state.taken and (phase is not DISCARD or not state.hands[seat] & state.taken):
            raise ImpossiblePosition("taken_upcard: only the seat to move can have taken it, before it discards.")
        if state.knock is not None:
            self._check_knock()

    def _check_knock(self) -> None:
        """The knock on the table must have been legal."""
        state, knock = self.state, self.state.knock
        assert knock is not None, "checked before"
        if state.to_act[0] == state.knocker or state.options["defence"] != "manual":
            raise ImpossiblePosition("knock: the other seat answers it, at a table with manual defence.")
        try:
            melded = state.melded(knock.melds, state.hands[state.knocker])
        except IllegalMove as error:
            raise ImpossiblePosition(f"knock: {error}") from None
        if isinstance(knock, BigGin) and not (state.options["big_gin"] and melded.bit_count() > HAND_CARDS):
            raise ImpossiblePosition("knock: big gin is eleven cards in melds, at a table that plays it.")
        if state.knocker_deadwood() > state.limit:
            raise ImpossiblePosition(f"knock: more than {state.limit} points are left.")


def read_deed(text: object) -> Deed:
    match = _DEED.fullmatch(" ".join(str(text).upper().split()))
    if match is None:
        raise ImpossiblePosition(f"history: {text!r} is no deed such as 1:P, 0:U 7H, 0:D or 0:X KC.")
    return int(match[1]), match[2], BIT.get(match[3], 0)


def _last_in_a_row(letter: str, history: Sequence[Deed]) -> int:
    """How many turns up to now began with this letter."""
    begun = "".join(deed[1] for deed in history if deed[1] != "X")
    return len(begun) - len(begun.rstrip(letter))


def bar_of(state: GinRummyState) -> str:
    """The rule that keeps the upcard on the pile in the next turn, "" if it may be taken."""
    if state.upcard_turns == UPCARD_TURNS_IN_A_ROW:
        return "draw-cap"
    if state.phase is DRAW and _last_in_a_row("P", state.history) == SEATS:
        return "first-upcard"
    return "turn-draw" if state.phase is DRAW and not state.pile else ""
