"""Positions of Gin Rummy: writes those of states, and reads those that people write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from games.core.card_bits import BIT, CARD, bits, cards, mask, union
from games.core.cards import Card, in_capitals
from games.core.contract import Game, IllegalMove, ImpossiblePosition, Position, UnreadableMove
from games.core.positions import PositionReader, as_json, card_list, check_cards
from games.engines.gin_rummy.moves import (
    CARD_PATTERN,
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
    GinRummyMove,
    Knock,
    Phase,
    deed_text,
    parse_move,
    turns_in_a_row,
)
from games.engines.gin_rummy.scoring import DEAD_HANDS_IN_A_ROW
from games.engines.gin_rummy.state import TURN_OF, GinRummyState
from games.engines.gin_rummy.view import GinRummyView

_DEED = re.compile(rf"([01]) ?: ?([PDUX])(?:(?<=[UX]) ?({CARD_PATTERN}))?")

# Keys with the fields of the state whose names they have.
FIELDS = ("upcard_turns", "limit", "scores", "hands_won", "dead_hands")


def dump_position(state: GinRummyState) -> Position:
    return {
        "seats": SEATS,
        "options": dict(state.options),
        "dealer": state.dealer,
        "phase": str(state.phase),
        "to_move": state.to_act[0] if state.to_act else None,
        "hands": [list(cards(hand)) for hand in state.hands],
        "stock": [CARD[bit] for bit in reversed(state.stock)],
        "discards": [CARD[bit] for bit in state.discards],
        "taken_upcard": CARD.get(state.taken_upcard),
        "known": list(cards(state.known)),
        "history": [deed_text(deed) for deed in state.log],
        "knock": None if state.knock is None else f"{state.knocker}:{state.knock}",
        "doubled": state.is_doubled,
        "hands_played": state.deal_number - 1,
        **{name: as_json(getattr(state, name)) for name in FIELDS},
    }


class GinRummyReader(PositionReader):
    """Reads a position into a fresh state, zone by zone. :raises ImpossiblePosition:"""

    KEYS = (
        "seats", "options", "dealer", "phase", "to_move", *FIELDS, "hands", "hand", "stock", "stock_count", "discards",
        "upcard", "taken_upcard", "known", "history", "knock", "doubled", "hands_played",
    )  # fmt: skip

    def __init__(
        self,
        game: Game[GinRummyState, GinRummyView, GinRummyMove],
        data: Position,
        deals: Iterable[Sequence[Card]] | None,
    ) -> None:
        super().__init__(game, data, self.KEYS)
        dealer = self.number("dealer", 1, high=SEATS - 1)
        self.state = game.undealt(self.following_decks(deals), seats=SEATS, options=self.options, dealer=dealer)
        self._read_scores()
        self._read_history()
        self._read_cards()
        self._read_turn()
        self._read_log()
        self._check_phase()

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers("scores", high=10_000)
        state.hands_won = self.numbers("hands_won", high=10_000)
        state.dead_hands = self.number("dead_hands", 0, high=DEAD_HANDS_IN_A_ROW)
        fewest = sum(state.hands_won) + state.dead_hands
        state.deal_number = 1 + self.number("hands_played", fewest, low=fewest, high=100_000)
        if min(state.scores) >= int(state.options["target"]):
            raise ImpossiblePosition("scores: only one player can have reached the target.")

    def _read_cards(self) -> None:
        data, state = self.data, self.state
        hands = self.card_lists("hands")
        if "hand" in data:
            if "hands" in data:
                raise ImpossiblePosition("hand, hands: write only one of them.")
            hands[self.number("to_move", self._seat_after_history(), high=SEATS - 1)] = card_list(data["hand"], "hand")
        pile = self.cards_of("discards")
        upcard = self.cards_of("upcard")
        if len(upcard) > 1:
            raise ImpossiblePosition("upcard: it is one card; write all of them as discards.")
        if upcard and pile[-1:] != upcard:
            pile += upcard
        stock = self.cards_of("stock")
        knock = self._read_knock()
        check_cards([*hands[0], *hands[1], *pile, *stock, *([knock.card] if isinstance(knock, Knock) else [])], PACK)
        state.hands = [mask(hand) for hand in hands]
        state.discards = [BIT[card] for card in pile]
        state.knock = knock
        state.stock = self._filled([BIT[card] for card in stock])[::-1]
        self._read_taken()

    def _read_taken(self) -> None:
        data, state = self.data, self.state
        just_taken = [] if state.knock else self._still_held(state.log[-1:])
        taken = self.cards_of("taken_upcard") if "taken_upcard" in data else just_taken
        seen = [*(self.cards_of("known") if "known" in data else self._still_held(state.log)), *taken]
        if len(taken) > 1 or not set(seen) <= {CARD[bit] for bit in bits(union(state.hands))}:
            raise ImpossiblePosition("taken_upcard, known: these cards must lie in a hand.")
        state.taken_upcard, state.known = mask(taken), mask(seen)

    def _still_held(self, deeds: Sequence[Deed]) -> list[Card]:
        """The upcards taken by these deeds that are in the taker's hand."""
        return [CARD[bit] for seat, letter, bit in deeds if letter == "U" and self.state.hands[seat] & bit]

    def _filled(self, stock: list[int]) -> list[int]:
        """The stock, the next card first, made up to `stock_count` by cards that lie nowhere else."""
        state = self.state
        used = union(state.hands) | union(state.discards) | union(stock)
        if isinstance(state.knock, Knock):
            used |= BIT[state.knock.card]
        unseen = [BIT[card] for card in self.unused_cards(cards(used))]
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
        state.phase = self.read_phase(Phase, self._likely_phase(seat))

    def _likely_seat(self) -> int:
        state = self.state
        if state.knock is not None:
            return 1 - state.knocker
        full = [seat for seat in range(SEATS) if state.hands[seat].bit_count() > HAND_CARDS]
        return full[0] if full else self._seat_after_history()

    def _seat_after_history(self) -> int:
        """Who is to move after the deeds of the hand; the non-dealer begins."""
        if not self.state.log:
            return 1 - self.state.dealer
        seat, letter, _card = self.state.log[-1]
        return seat if letter in "DU" else 1 - seat

    def _likely_phase(self, seat: int) -> Phase:
        state = self.state
        if state.knock is not None:
            return SHOWDOWN
        has_drawn = any(by == seat and letter in "DU" for by, letter, _card in state.log[-1:])
        if has_drawn or state.taken_upcard or state.hands[seat].bit_count() > HAND_CARDS:
            return DISCARD
        return FIRST_UPCARD if self._has_one_pass() else DRAW

    def _has_one_pass(self) -> bool:
        """Whether the non-dealer has passed and nothing else has happened: the dealer answers the first upcard."""
        return self.state.log == [(1 - self.state.dealer, "P", 0)]

    def _read_history(self) -> None:
        entries = self.data.get("history") or []
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise ImpossiblePosition("history: write a list such as 1:P, 0:U 7H.")
        self.state.log = [_read_deed(entry) for entry in entries]

    def _read_log(self) -> None:
        state = self.state
        if state.phase is OVER:
            return
        self._check_passes()
        taken = min(turns_in_a_row("U", state.log), UPCARD_TURNS_IN_A_ROW)
        state.upcard_turns = self.number("upcard_turns", taken, high=UPCARD_TURNS_IN_A_ROW)
        state.set_bar()
        first = self._first_upcard()
        if first:
            state.set_limit(first)
        state.limit = self.number("limit", state.limit, high=10)
        state.is_doubled = self.switch("doubled", state.is_doubled)

    def _first_upcard(self) -> int:
        """The card turned up before the first turn, as far as the position tells; 0 if it does not."""
        state = self.state
        _seat, letter, card = next((deed for deed in state.log if deed[1] != "P"), (0, "", 0))
        if letter == "U" and card:
            return card
        return state.discards[0] if state.discards else state.taken_upcard

    def _check_passes(self) -> None:
        """Only the first upcard is passed: by the non-dealer, then by the dealer."""
        state = self.state
        eldest = 1 - state.dealer
        passes: list[Deed] = [(eldest, "P", 0), (state.dealer, "P", 0)]
        if state.phase is FIRST_UPCARD:
            so_far = passes[: state.to_act[0] == state.dealer]
            if state.log not in ([], so_far):
                raise ImpossiblePosition("history: before the first turn there is only a pass of the non-dealer.")
            state.log = so_far
        found = [deed for deed in state.log if deed[1] == "P"]
        if found != passes[: len(found)] or found != state.log[: len(found)]:
            raise ImpossiblePosition("history: a hand begins with the passes, the non-dealer's first.")
        if state.phase is not FIRST_UPCARD and self._has_one_pass():
            raise ImpossiblePosition("phase: after one pass the dealer answers the first upcard.")
        if state.phase is DRAW and state.log == passes and state.to_act[0] != eldest:
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
        if phase is FIRST_UPCARD and len(state.discards) != 1:
            raise ImpossiblePosition("upcard: before the first turn it lies alone on the discard pile.")
        if (phase is SHOWDOWN) != (state.knock is not None):
            raise ImpossiblePosition("knock: it belongs to the phase showdown, and the showdown to a knock.")
        self._check_hand_sizes(holds_drawn_card=seat if phase is DISCARD else None)
        if phase is DISCARD and not state.hands[seat] & ~state.taken_upcard:
            raise ImpossiblePosition("hands: the seat to move needs a card to discard.")
        if state.taken_upcard and (phase is not DISCARD or not state.hands[seat] & state.taken_upcard):
            raise ImpossiblePosition("taken_upcard: only the seat to move can have taken it, before it discards.")
        if state.knock is not None:
            self._check_knock()

    def _check_hand_sizes(self, *, holds_drawn_card: int | None) -> None:
        state = self.state
        for seat, hand in enumerate(state.hands):
            most = HAND_CARDS + (seat == holds_drawn_card)
            if hand.bit_count() > most and not (isinstance(state.knock, BigGin) and seat == state.knocker):
                raise ImpossiblePosition(f"hands: seat {seat} can hold {most} cards now.")

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


def _read_deed(text: object) -> Deed:
    match = _DEED.fullmatch(" ".join(in_capitals(str(text)).split()))
    if match is None:
        raise ImpossiblePosition(f"history: {text!r} is no deed such as 1:P, 0:U 7H, 0:D or 0:X KC.")
    return int(match[1]), match[2], BIT.get(match[3], 0)
