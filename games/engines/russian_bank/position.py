"""Positions of Russian Bank: writes those of states, and reads those that people write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.core.cards import RANK_INDEX, RANKS, Card
from games.core.contract import Game, ImpossiblePosition, Position
from games.core.positions import PositionReader, as_json, by_seat, card_list, check_cards, whole_number
from games.engines.russian_bank.imagining import drawn
from games.engines.russian_bank.moves import (
    BUILDS_ON,
    CARD_PATTERN,
    FOUNDATIONS,
    OPENING,
    OVER,
    OWN_PILES,
    PACK,
    RANK_OF,
    RESERVE_CARDS,
    SEATS,
    SHIFT,
    TURN,
    WRONG_CALLS,
    Deed,
    Mark,
    Phase,
    RussianBankMove,
)
from games.engines.russian_bank.scoring import DRAWS_IN_A_ROW
from games.engines.russian_bank.state import RussianBankState
from games.engines.russian_bank.view import RussianBankView

_DEED = re.compile(
    r"(?P<seat>[01]):(?:(?P<what>P|STOP!?)|(?P<play>(?:S|R|[1-8])>(?:F|OS|OW|W|[1-8])) |(?P<turn>V?T)=|(?P<up>\+))"
    rf"(?P<card>{CARD_PATTERN}|)"
)

# Keys with the fields of the state whose names they have.
FIELDS = ("tableau", "foundations", "waste", "turned", "rounds", "wrong_calls", "scores", "draws")


def dump_position(state: RussianBankState) -> Position:
    return {
        "seats": SEATS,
        "options": dict(state.options),
        "dealer": state.dealer,
        "to_move": None if state.phase is OVER else state.turn,
        "phase": str(state.phase),
        "stock": [pile[::-1] for pile in state.stock],
        "face_up": list(state.stock_shown),
        "reserve": [pile[::-1] for pile in state.reserve],
        "turn": [str(deed) for deed in state.log],
        "previous_turn": [str(deed) for deed in state.previous],
        "error": None if state.mark is None else {"after": state.mark.deeds, "rounds": list(state.mark.rounds)},
        "corrected": state.is_corrected,
        "games_played": state.deal_number - 1,
        **{name: as_json(getattr(state, name)) for name in FIELDS},
    }


def _by_number(value: Any) -> Any:
    """P1 and P2, wherever a position names them, as the seats 0 and 1."""
    names = {"P1": 0, "P2": 1}
    if isinstance(value, Mapping):
        return {names.get(key, key): _by_number(entry) for key, entry in value.items()}
    return names.get(value, value) if isinstance(value, str) else value


def _in_order(value: Any, count: int, name: str) -> Any:
    """The piles of a mapping of numbers from 1 to `count`, None where none is given; anything else as it is."""
    if not isinstance(value, Mapping):
        return value
    numbers = {str(key): entry for key, entry in value.items()}
    piles = [numbers.pop(str(number), None) for number in range(1, count + 1)]
    if numbers:
        raise ImpossiblePosition(f"{name}: they are numbered from 1 to {count}.")
    return piles


class RussianBankReader(PositionReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    KEYS = (
        "seats", "options", "dealer", "to_move", "phase", *FIELDS, "stock", "face_up", "reserve", "turn",
        "previous_turn", "error", "corrected", "games_played",
    )  # fmt: skip

    def __init__(
        self,
        game: Game[RussianBankState, RussianBankView, RussianBankMove],
        data: Position,
        deals: Iterable[Sequence[Card]] | None,
    ) -> None:
        super().__init__(game, _by_number(data), self.KEYS)
        dealer = self.seat("dealer", 1) or 0
        self.state = game.undealt(self.following_decks(deals), seats=SEATS, options=self.options, dealer=dealer)
        self.state.turn = self.seat("to_move", 0) or 0
        self._read_cards()
        self._read_scores()
        self._read_phase()
        self._read_deeds()
        self._settle()

    # Cards

    def _read_cards(self) -> None:
        state = self.state
        state.tableau = [self._piles(entry) for entry in by_seat(self.data.get("tableau"), SEATS, "tableau")]
        foundations = self._foundations()
        stocks, reserves, wastes = map(self._packets, ("stock", "reserve", "waste"))
        state.turned = self._turned()
        named = [card for piles in state.tableau for pile in piles for card in pile]
        named += [card for pile in foundations for card in pile if card in PACK or len(pile) > 1]
        packets = [*stocks, *wastes, *(packet or [] for packet in reserves)]
        named += [card for packet in packets for card in packet or [] if isinstance(card, str)]
        named += [state.turned] if state.turned else []
        check_cards(named, PACK)
        self.free = self.unused_cards(named)
        state.foundations = [self._foundation(pile) for pile in foundations]
        for seat in range(SEATS):
            state.stock[seat] = self._filled(stocks[seat], seat)[::-1]
            state.waste[seat] = self._filled(wastes[seat], seat)
        for seat, packet in enumerate(reserves):
            state.reserve[seat] = self._filled(self._full_reserve(seat) if packet is None else packet, seat)[::-1]
        for piles in state.tableau:
            for pile in piles:
                self._check_pile(pile)

    def _piles(self, value: Any) -> list[list[Card]]:
        if isinstance(value, str):
            value = value.split("/") if "/" in value else value.split()
        value = _in_order(value, OWN_PILES, "tableau")
        if value is not None and not isinstance(value, Sequence):
            raise ImpossiblePosition("tableau: write up to four piles for each seat, such as 9H1 8S1 / KC1.")
        piles = [card_list(pile, "tableau") for pile in value or []]
        if len(piles) > OWN_PILES:
            raise ImpossiblePosition("tableau: each seat has four piles.")
        return piles + [[] for _ in range(OWN_PILES - len(piles))]

    def _check_pile(self, pile: Sequence[Card]) -> None:
        for below, card in zip(pile, pile[1:], strict=False):
            if below not in BUILDS_ON[card]:
                raise ImpossiblePosition(f"tableau: {card} cannot lie on {below}.")

    def _foundations(self) -> list[list[Card]]:
        value = self.data.get("foundations")
        if isinstance(value, str):
            value = value.replace(",", " ").split()
        value = _in_order(value, FOUNDATIONS, "foundations")
        if value is not None and not isinstance(value, Sequence):
            raise ImpossiblePosition("foundations: write the piles or their top cards, such as 4S 8D.")
        piles = [card_list(pile, "foundations") for pile in value or []]
        if len(piles) > FOUNDATIONS:
            raise ImpossiblePosition("foundations: there are eight.")
        return piles + [[] for _ in range(FOUNDATIONS - len(piles))]

    def _foundation(self, pile: Sequence[Card]) -> list[Card]:
        """A whole foundation; of one with its top card alone the rest is added."""
        if len(pile) == 1:
            top = pile[0]
            if not re.fullmatch(CARD_PATTERN, top):
                raise ImpossiblePosition(f"There is no card {top} in this pack.")
            lower = [rank + top[1] for rank in RANKS[: RANK_INDEX[top[0]]]]
            pile = [*map(self._free_card, lower), top if top in PACK else self._free_card(top)]
        for place, card in enumerate(pile):
            if RANK_OF[card] != place or card[1] != pile[0][1]:
                raise ImpossiblePosition(f"foundations: {' '.join(pile)} does not go up in suit from the ace.")
        return list(pile)

    def _free_card(self, name: str) -> Card:
        """A card of this name that lies nowhere else; without a copy either one."""
        found = min((card for card in self.free if card.startswith(name)), default=None)
        if found is None:
            raise ImpossiblePosition(f"The card {name} for a foundation is somewhere else already.")
        self.free.remove(found)
        return found

    def _packets(self, key: str) -> list[list[Card | int] | None]:
        """Cards and numbers of cards by seat, None where nothing is given."""
        return [self._packet(entry, key) for entry in by_seat(self.data.get(key), SEATS, key)]

    def _packet(self, value: Any, key: str) -> list[Card | int] | None:
        if value is None:
            return None
        if isinstance(value, str):
            value = [int(word) if word.isdecimal() else word for word in value.split()]
        items = value if isinstance(value, Sequence) else [value]
        return [
            item.upper() if isinstance(item, str) else whole_number(item, key, low=0, high=len(PACK)) for item in items
        ]

    def _filled(self, packet: Sequence[Card | int] | None, seat: int) -> list[Card]:
        cards: list[Card] = []
        for item in packet or ():
            if isinstance(item, int):
                if item > len(self.free):
                    raise ImpossiblePosition("Both packs together have no more than 104 cards.")
                cards += drawn(self.free, item, seat)
            else:
                cards.append(item)
        return cards

    def _full_reserve(self, seat: int) -> list[Card | int]:
        own = sum(card[2] == str(seat + 1) for card in self.free)
        return [min(own, RESERVE_CARDS)]

    def _turned(self) -> Card | None:
        value = self.data.get("turned")
        if isinstance(value, Mapping):
            value = by_seat(value, SEATS, "turned")[self.state.turn]
        cards = card_list(value, "turned")
        if len(cards) > 1:
            raise ImpossiblePosition("turned: at most one card is turned up.")
        return cards[0] if cards else None

    # The game so far

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers("scores", high=10_000)
        state.draws = self.number("draws", 0, high=DRAWS_IN_A_ROW)
        state.deal_number = 1 + self.number("games_played", state.draws, low=state.draws, high=10_000)
        state.rounds = self.numbers("rounds", high=1_000)
        state.wrong_calls = self.numbers("wrong_calls", high=WRONG_CALLS)
        state.is_corrected = self.switch("corrected")

    def _read_phase(self) -> None:
        state = self.state
        is_dark = bool(state.stock[state.turn]) and self._face_up(state.turn) == 0
        default = OPENING if is_dark else TURN
        if "to_move" in self.data and self.data["to_move"] is None:
            default = OVER
        state.phase = self.read_phase(Phase, default)
        if state.phase is SHIFT and state.options["mode"] != "casual":
            raise ImpossiblePosition("phase: only in casual mode a turn waits for an answer.")
        for seat, pile in enumerate(state.stock):
            shown = self._face_up(seat)
            if shown is None:
                shown = 1 if pile and state.phase is not OPENING else 0
            state.stock_shown[seat] = shown
            if shown > len(pile):
                raise ImpossiblePosition("face_up: a stock does not show more cards than it has.")
        if state.phase is OPENING:
            self._check_opening()

    def _face_up(self, seat: int) -> int | None:
        given = by_seat(self.data.get("face_up"), SEATS, "face_up")[seat]
        return None if given is None else whole_number(given, "face_up", low=0, high=len(PACK))

    def _check_opening(self) -> None:
        state = self.state
        if self.data.get("dealer") is None:
            state.dealer = 1 - state.turn
        if state.turn == state.dealer or state.turned or state.stock_shown[state.turn]:
            raise ImpossiblePosition("phase: player one opens, before a stock or reserve card is turned up.")

    def _read_deeds(self) -> None:
        state = self.state
        state.log = self._deeds("turn")
        state.previous = tuple(self._deeds("previous_turn"))
        before = state.copy()
        for deed in reversed(state.log):
            if not before.can_undo(deed):
                raise ImpossiblePosition(f"turn: the cards do not lie as {deed} has left them.")
            before.undo(deed)
        state.arrangements = state.recent_arrangements()
        error = self.data.get("error")
        if error is not None:
            state.mark = self._mark(error)

    def _deeds(self, key: str) -> list[Deed]:
        value = self.data.get(key) or []
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ImpossiblePosition(f"{key}: write a list such as 0:T=9C1, 0:R>W 9C1.")
        return [self._deed(str(entry), key) for entry in value]

    def _deed(self, text: str, key: str) -> Deed:
        match = _DEED.fullmatch(" ".join(text.upper().split()))
        if match is None:
            raise ImpossiblePosition(f"{key}: {text!r} is no deed such as 0:S>F 5S1, 0:T=9C1 or 0:P.")
        what = match["what"] or match["play"] or match["turn"] or match["up"]
        if bool(match["what"]) == (match["card"] in PACK):
            raise ImpossiblePosition(f"{key}: {text!r} needs a card with its pack, and a pass or a call none.")
        return Deed(int(match["seat"]), what, match["card"])

    def _mark(self, error: Any) -> Mark:
        if not isinstance(error, Mapping) or self.state.options["mode"] != "casual":
            raise ImpossiblePosition("error: in casual mode, {after: number of deeds, rounds: by seat}.")
        after = whole_number(error.get("after"), "error", low=0, high=len(self.state.log))
        rounds = by_seat(error.get("rounds"), SEATS, "error")
        return Mark(after, tuple(whole_number(number or 0, "error", low=0, high=1_000) for number in rounds))

    def _settle(self) -> None:
        """Turns up what is due, or ends what is over."""
        state = self.state
        if state.phase is OVER:
            if not state.is_decided():
                raise ImpossiblePosition("to_move: no one has won yet, so it is a player's turn.")
            return
        if state.is_decided():
            raise ImpossiblePosition("scores, draws: with these the game is over, so to_move is null.")
        if state.phase is SHIFT:
            state.set_to_act()
        else:
            state.settle()
