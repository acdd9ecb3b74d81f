"""Positions of Sixty-Six: writes them, and reads those that people write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.core.cards import Card
from games.core.contract import Game, ImpossiblePosition, Position
from games.core.positions import PositionReader, as_json, check_cards
from games.core.tricks import SUIT_NAMES
from games.core.words import counted
from games.engines.sixty_six.moves import (
    AFTER,
    FINAL,
    FOLLOW,
    HAND_CARDS,
    LEAD,
    OVER,
    PACK,
    PLAIN_MARRIAGE,
    SEATS,
    STOCK_CARDS,
    TRUMP_MARRIAGE,
    Phase,
    SixtySixMove,
    card_points,
    held_cards,
    pair_of,
)
from games.engines.sixty_six.scoring import HAND_CAP
from games.engines.sixty_six.state import SixtySixState
from games.engines.sixty_six.view import SixtySixView

# Keys with the fields of the state whose names they have.
FIELDS = (
    "dealer", "scores", "carry", "upcard", "hands", "led", "last_trick", "won", "points", "tricks", "marriage_points",
    "pending", "declared", "closed_by", "at_close",
)  # fmt: skip

ALL_MARRIAGES = TRUMP_MARRIAGE + 3 * PLAIN_MARRIAGE

_LETTERS = {"A": 0, "B": 1}
_BY_SEAT = ("hands", "won", "points", "tricks", "marriage_points", "pending", "known", "lacking", "scores")


def dump_position(state: SixtySixState) -> Position:
    """The whole position as plain JSON types, with the keys of `SixtySix.load`."""
    return {
        "seats": SEATS,
        "options": dict(state.options),
        "phase": str(state.phase),
        "to_move": state.to_act[0] if state.to_act else None,
        "hands_played": state.deal_number - 1,
        "trump": state.trump or None,
        "stock": state.stock[::-1],
        **{name: as_json(getattr(state, name)) for name in FIELDS},
        "known": [held_cards(cards) for cards in state.known],
        "lacking": [held_cards(cards) for cards in state.lacking],
    }


def _with_numbers(data: Any) -> Any:
    """The position with seats 0 and 1 where it says A and B."""
    if not isinstance(data, Mapping):
        return data
    found = {key: value for key, value in data.items() if key not in _LETTERS}
    if len(found) < len(data):
        if "hands" in data:
            raise ImpossiblePosition("hands, A, B: write the hands in one way only.")
        found["hands"] = {seat: data[letter] for letter, seat in _LETTERS.items() if letter in data}
    for key in ("dealer", "to_move", "closed_by"):
        if isinstance(found.get(key), str):
            found[key] = _LETTERS.get(found[key].upper(), found[key])
    for key in _BY_SEAT:
        if isinstance(found.get(key), Mapping):
            found[key] = {_LETTERS.get(str(seat).upper(), seat): value for seat, value in found[key].items()}
    return found


class SixtySixReader(PositionReader):
    """Reads one position and refuses what cannot be. :raises ImpossiblePosition:"""

    KEYS = (
        "seats", "options", "phase", "to_move", "hands_played", "trump", "stock", "stock_count", *FIELDS, "known",
        "lacking",
    )  # fmt: skip

    def __init__(
        self,
        game: Game[SixtySixState, SixtySixView, SixtySixMove],
        data: Position,
        deals: Iterable[Sequence[Card]] | None,
    ) -> None:
        super().__init__(game, _with_numbers(data), self.KEYS)
        dealer = self.seat("dealer", 1)
        assert dealer is not None, "it has a default"
        decks = self.following_decks(deals)
        self.state = game.undealt(decks, seats=SEATS, options=self.options, dealer=dealer)
        self._read_scores()
        if self.state.is_decided():
            if self.read_phase(Phase, OVER) is not OVER:
                raise ImpossiblePosition("phase: with these scores the game is over.")
            return
        self._read_cards()
        self._read_turn()
        self._read_counts()
        self._check_numbers()
        self._fill_stock()
        if self.state.phase is AFTER:
            self._check_after(self.state.to_act[0])
        self._read_memory()

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers("scores", high=state.target + HAND_CAP)
        state.carry = self.number("carry", 0, high=HAND_CAP)
        state.deal_number = self.number("hands_played", 0, high=HAND_CAP) + 1
        if min(state.scores) >= state.target:
            raise ImpossiblePosition("scores: only one player can have reached the target.")

    def _read_cards(self) -> None:
        state = self.state
        hands, state.won = self.card_lists("hands"), self.card_lists("won")
        state.upcard, state.led = self.card_of("upcard"), self.card_of("led")
        state.stock = self.cards_of("stock")[::-1]
        state.hands = hands
        check_cards(state.cards(), PACK)
        state.hands = [held_cards(hand) for hand in hands]
        if max(map(len, hands)) > HAND_CARDS:
            raise ImpossiblePosition(f"hands: nobody holds more than {HAND_CARDS} cards.")
        state.trump = self._suit("trump") or (state.upcard[1] if state.upcard else "")
        if not state.trump:
            raise ImpossiblePosition("trump: without an upcard the suit of the trumps is needed.")
        if state.upcard and state.upcard[1] != state.trump:
            raise ImpossiblePosition("trump: it is the suit of the upcard.")
        state.closed_by = self.seat("closed_by", None)

    def _suit(self, key: str) -> str | None:
        value = self.data.get(key)
        if value is None:
            return None
        if str(value).upper() not in SUIT_NAMES:
            raise ImpossiblePosition(f"{key}: write one of the suits C, D, H and S.")
        return str(value).upper()

    def _fill_stock(self) -> None:
        """Face-down cards that lie nowhere else, under those that are named; tricks keep what they need of them."""
        state = self.state
        unseen = self.unused_cards(state.cards())
        free = len(unseen) + sum(map(len, state.won)) - 2 * sum(state.tricks)
        named = len(state.stock)
        count = self.number("stock_count", self._likely_stock(named, free), high=STOCK_CARDS)
        if not named <= count <= named + free:
            raise ImpossiblePosition(f"stock_count: there cannot be {count} cards in the stock.")
        state.stock = unseen[: count - named] + state.stock
        if state.stock and not state.upcard and state.closed_by is None:
            raise ImpossiblePosition("upcard: it lies there as long as there is a stock.")
        if state.is_open and count % 2 == 0:
            raise ImpossiblePosition(
                "stock: both draw each time and the upcard goes last, so an odd number lies there."
            )

    def _likely_stock(self, named: int, free: int) -> int:
        """The number of cards where none is given: with an upcard as many as there can be."""
        if self.data.get("stock") is not None or not self.state.upcard:
            return named
        most = min(STOCK_CARDS, free)
        return most if most % 2 else max(most - 1, 0)

    def _read_turn(self) -> None:
        state = self.state
        phase = self.read_phase(Phase, FOLLOW if state.led else LEAD)
        if phase is OVER:
            raise ImpossiblePosition("phase: the game is not over before somebody reaches the target.")
        seat = self.seat("to_move", 1 - state.dealer)
        assert seat is not None, "it has a default"
        state.give_turn(phase, seat)
        if (phase is FOLLOW) != (state.led is not None):
            raise ImpossiblePosition("led: it belongs to the phase follow, and that phase to a card led.")
        if phase is FOLLOW and len(state.hands[1 - seat]) == HAND_CARDS:
            raise ImpossiblePosition(f"hands: who has led holds fewer than {HAND_CARDS} cards.")
        if phase is LEAD and not state.hands[seat]:
            raise ImpossiblePosition("hands: the seat to lead needs a card.")
        if phase is FINAL and (any(state.hands) or state.upcard or state.closed_by is not None):
            raise ImpossiblePosition("phase: in the final phase no cards are left, and nobody has closed.")

    def _read_counts(self) -> None:
        """Points and tricks, from the cards won or as they are given."""
        state = self.state
        state.marriage_points = self._marriages("marriage_points")
        state.pending = self._marriages("pending")
        if any(len(cards) % 2 for cards in state.won):
            raise ImpossiblePosition("won: a trick has two cards.")
        state.points = [card_points(cards) for cards in state.won]
        state.points = [has + more for has, more in zip(state.points, state.marriage_points, strict=True)]
        if state.phase is FINAL:
            state.points[state.to_act[0]] += int(state.options["last_trick_bonus"])
        counted, state.points = state.points, self._given("points", state.points) or state.points
        taken = [len(cards) // 2 for cards in state.won]
        likely = taken if any(taken) else [min(has, 1) for has in state.points]
        state.tricks = self._given("tricks", taken) or likely
        for seat in range(SEATS):
            if state.pending[seat] and state.tricks[seat]:
                raise ImpossiblePosition("pending: these points count from the first trick on.")
            if state.points[seat] and not state.tricks[seat]:
                raise ImpossiblePosition("points: without a trick nothing counts; write marriages as pending.")
            if taken[seat] == state.tricks[seat] and state.points[seat] != counted[seat]:
                raise ImpossiblePosition(f"points: from the cards won they are {counted[0]} and {counted[1]}.")

    def _marriages(self, key: str) -> list[int]:
        found = self.numbers(key, high=100)
        if any(points % PLAIN_MARRIAGE for points in found):
            raise ImpossiblePosition(f"{key}: marriages count {TRUMP_MARRIAGE} or {PLAIN_MARRIAGE} each.")
        return found

    def _given(self, key: str, least: Sequence[int]) -> list[int] | None:
        """The numbers given, None if none are. least: what the cards named in `won` count; others may be left out."""
        if self.data.get(key) is None:
            return None
        given = self.numbers(key, high=250)
        if any(number < fewest for number, fewest in zip(given, least, strict=True)):
            raise ImpossiblePosition(f"{key}: from the cards won they are at least {least[0]} and {least[1]}.")
        return given

    def _check_after(self, seat: int) -> None:
        state = self.state
        if not state.is_open or state.options["close_window"] == "after-draw":
            raise ImpossiblePosition("phase: after a trick one waits only if the stock is open to be closed.")
        if max(map(len, state.hands)) >= HAND_CARDS or not state.tricks[seat]:
            raise ImpossiblePosition("phase: after a trick hands have five cards, and the seat to move won it.")

    def _check_numbers(self) -> None:
        """Tricks and points need the cards that are named nowhere else, and each suit has one marriage."""
        state = self.state
        marriages = sum(state.marriage_points)
        if marriages + sum(state.pending) > ALL_MARRIAGES:
            raise ImpossiblePosition(f"marriage_points, pending: all marriages together count {ALL_MARRIAGES}.")
        elsewhere = {*state.hands[0], *state.hands[1], *self.cards_of("stock"), state.upcard, state.led}
        taken = [card for card in PACK if card not in elsewhere]
        if 2 * sum(state.tricks) > len(taken):
            raise ImpossiblePosition(f"tricks: there are only {counted(len(taken), 'card')} for so many tricks.")
        most = card_points(taken) + (marriages if self.data.get("marriage_points") else ALL_MARRIAGES)
        if state.phase is FINAL:
            most += int(state.options["last_trick_bonus"])
        if sum(state.points) > most:
            raise ImpossiblePosition(f"points: the cards that can lie in tricks, with marriages, count only {most}.")

    def _read_memory(self) -> None:
        """What was seen in this hand and matters later."""
        state = self.state
        state.last_trick = tuple(self.cards_of("last_trick"))
        if len(state.last_trick) not in (0, 2) or not {*state.last_trick} <= {*state.won[0], *state.won[1]}:
            raise ImpossiblePosition("last_trick: it has two cards, which lie in the tricks won.")
        if state.last_trick and state.led:
            raise ImpossiblePosition("last_trick: it is turned down when the next card is led.")
        state.known = [frozenset(cards) for cards in self.card_lists("known")]
        if not all(state.known[seat] <= {*state.hands[seat]} for seat in range(SEATS)):
            raise ImpossiblePosition("known: these cards lie in the hand of that seat.")
        self._read_lacking()
        self._read_declared()
        self._read_closing()

    def _read_lacking(self) -> None:
        state = self.state
        state.lacking = [frozenset(cards) for cards in self.card_lists("lacking")]
        for cards, hand in zip(state.lacking, state.hands, strict=True):
            check_cards(cards, PACK)
            if not cards.isdisjoint(hand):
                raise ImpossiblePosition("lacking: these cards do not lie in the hand of that seat.")
        if state.is_open and any(state.lacking):
            raise ImpossiblePosition("lacking: an answer shows this only once the stock is used up or closed.")

    def _read_declared(self) -> None:
        state = self.state
        state.declared = self._suit("declared")
        if state.declared is None:
            return
        seat = state.to_act[0]
        if state.phase is not LEAD or not {*pair_of(state.declared)} <= {*state.hands[seat]}:
            raise ImpossiblePosition("declared: the seat to lead holds king and queen of that suit.")
        state.known[seat] |= {*pair_of(state.declared)}

    def _read_closing(self) -> None:
        state = self.state
        if state.closed_by is None:
            return
        other = 1 - state.closed_by
        found = self.data.get("at_close")
        if found is None:
            found = (state.points[other], state.tricks[other])
        if not isinstance(found, Sequence) or len(found) != 2 or not all(type(number) is int for number in found):
            raise ImpossiblePosition("at_close: write points and tricks, such as [14, 1].")
        if not (0 <= found[0] <= state.points[other] and 0 <= found[1] <= state.tricks[other]):
            raise ImpossiblePosition("at_close: the closer's opponent had no more points and tricks then than now.")
        state.at_close = (found[0], found[1])
