"""Positions of Casino: as a state is written down, and as it is read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from games.core.cards import Card
from games.core.contract import Game, ImpossiblePosition, Position, UnreadableMove
from games.core.deals import Decks, numbered_decks
from games.core.positions import SidesReader, as_json, by_seat, card_list, check_cards, known_keys, whole_number
from games.engines.casino.builds import Build
from games.engines.casino.imagining import announced, known_won
from games.engines.casino.moves import HAND_SIZE, PACK, Capture, CasinoMove, NotOneCard, Sweep, Turn, parse_move
from games.engines.casino.state import CasinoState
from games.engines.casino.view import CasinoView

# Keys with the fields of the state whose names they have.
FIELDS = ("hands", "stock", "loose", "won", "last_taken", "last_capturer", "sweeps", "sweep_cards")


def dump_position(state: CasinoState) -> Position:
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "dealer": state.dealer,
        "hand": state.deal_number,
        "to_move": state.to_act[0] if state.to_act else None,
        **{name: as_json(getattr(state, name)) for name in FIELDS},
        "builds": [
            {"value": value, "sets": as_json(build.sets), "controller": build.controller}
            for value, build in sorted(state.builds.items())
        ],
        "totals": list(state.scores),
        "turns": [[seat, str(move)] for seat, move in state.turns],
    }


class CasinoReader(SidesReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    KEYS = ("seats", "options", "dealer", "hand", "to_move", *FIELDS, "builds", "totals", "turns", "deck", "full")

    def __init__(
        self, game: Game[CasinoState, CasinoView, CasinoMove], data: Position, deals: Iterable[Sequence[Card]] | None
    ) -> None:
        super().__init__(game, data, self.KEYS)
        deals = numbered_decks(PACK) if deals is None else deals
        dealer = self.seat("dealer", 0) or 0
        self.state = game.undealt(Decks(deals), seats=self.seats, options=self.options, dealer=dealer)
        self.sides = self.state.sides
        self._read_scores()
        if data.get("deck") is not None:
            self._deal_deck(deals)
            return
        self._read_cards()
        self._read_history()
        self._check_cards()
        self._settle()

    def _read_scores(self) -> None:
        self.state.scores = self.numbers_by_side("totals", high=1000)
        self.state.sweeps = self.numbers_by_side("sweeps", high=1000)
        after_last = self.state.hand_cap + 1
        self.state.deal_number = self.number("hand", 1, low=1, high=after_last)

    def _deal_deck(self, deals: Iterable[Sequence[Card]]) -> None:
        self.check_nothing_beside_deck(("hands", "stock", "loose", "builds", "won", "turns", "last_taken"))
        deck = self.cards_of("deck")
        check_cards(deck, PACK)
        needed = HAND_SIZE * (self.seats + 1)
        if len(deck) < needed:
            raise ImpossiblePosition(f"deck: the first deal needs {needed} cards.")
        self._check_hand_is_played()
        if self.state.is_decided():
            raise ImpossiblePosition("totals: with these the game is over, so no deck is dealt.")
        self.state.decks = Decks(chain([deck], deals))
        self.state.deal_hand()
        self._check_turn_after_deal()

    def _read_cards(self) -> None:
        state = self.state
        for seat, cards in enumerate(by_seat(self.data.get("hands"), self.seats, "hands")):
            state.hands[seat] = card_list(cards, f"hands, seat {seat}")
            if len(state.hands[seat]) > HAND_SIZE:
                raise ImpossiblePosition(f"hands: seat {seat} holds more than {HAND_SIZE} cards.")
        state.stock, state.loose = self.cards_of("stock"), self.cards_of("loose")
        for side, piles in enumerate(self.by_side("won")):
            state.won[side] = [card for pile in piles for card in card_list(pile, "won")]
        for side, piles in enumerate(self.by_side("sweep_cards")):
            state.sweep_cards[side] = self._sweep_cards(side, piles)
        for entry in self._builds():
            build = self._build(entry)
            if build.value in state.builds:
                raise ImpossiblePosition(f"builds: two builds of {build.value} are one build; put their sets together.")
            state.builds[build.value] = build

    def _sweep_cards(self, side: int, piles: Iterable[Any]) -> list[Card]:
        cards = [card for pile in piles for card in card_list(pile, "sweep_cards")]
        if len(cards) > self.state.sweeps[side] or not set(cards) <= set(self.state.won[side]):
            raise ImpossiblePosition("sweep_cards: they lie in the pile of their side, one for each of its sweeps.")
        return cards

    def _builds(self) -> Sequence[Any]:
        builds = self.data.get("builds") or []
        if isinstance(builds, str):
            return re.findall(r"\[[^\]]*\]|[^\s\[\]]+", builds)
        if not isinstance(builds, Sequence):
            raise ImpossiblePosition("builds: a list is needed.")
        return builds

    def _build(self, entry: Any) -> Build:
        if isinstance(entry, str):
            entry = self._build_from_text(entry)
        if not isinstance(entry, Mapping) or not isinstance(entry.get("sets"), (list, tuple, str)):
            raise ImpossiblePosition("builds: each one needs its value, its sets and its controller.")
        known_keys(entry, ("value", "sets", "controller"))
        value = whole_number(entry.get("value"), "builds, value", low=1, high=self.state.card_values.highest)
        controller = whole_number(entry.get("controller"), "builds, controller", low=0, high=self.seats - 1)
        sets = entry["sets"].split("|") if isinstance(entry["sets"], str) else entry["sets"]
        build = Build(value, tuple(tuple(card_list(cards, f"build of {value}")) for cards in sets), controller)
        self._check_sets(build)
        return build

    def _check_sets(self, build: Build) -> None:
        for cards in build.sets:
            if not cards or self.state.card_values.set_value(cards) != build.value:
                raise ImpossiblePosition(
                    f"build of {build.value}: {' '.join(cards) or 'a set'} is not worth {build.value}."
                )
        if len(build.cards) < 2:
            raise ImpossiblePosition(f"build of {build.value}: a build has at least two cards.")

    def _build_from_text(self, text: str) -> Position:
        read = re.fullmatch(r"\[(\d+):([^@]*)@(\d+)\]", text.strip())
        if read is None:
            raise ImpossiblePosition(f"builds: {text} is not a build; write [8:3C 5H|8D@1].")
        value, sets, controller = read.groups()
        return {"value": int(value), "sets": sets, "controller": int(controller)}

    def _read_history(self) -> None:
        state = self.state
        state.last_capturer = self.seat("last_capturer", None)
        state.last_taken = tuple(self.cards_of("last_taken"))
        turns = self.data.get("turns") or ()
        if not isinstance(turns, Sequence):
            raise ImpossiblePosition("turns: a list is needed.")
        state.turns = [self._turn(entry) for entry in turns]
        self._check_turns()
        pile = [] if state.last_capturer is None else state.won[state.side(state.last_capturer)]
        if not set(state.last_taken) <= set(pile):
            raise ImpossiblePosition("last_taken: these cards lie in the pile of the side that captured last.")

    def _turn(self, entry: Any) -> Turn:
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 2:
            raise ImpossiblePosition("turns: each one is a seat and a move, such as [1, 8Sx8D].")
        seat = whole_number(entry[0], "turns", low=0, high=self.seats - 1)
        try:
            move = parse_move(str(entry[1]).removesuffix("*"))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"turns: {error}") from None
        if isinstance(move, NotOneCard):
            raise ImpossiblePosition(f"turns: {move} is not a turn.")
        if str(entry[1]).endswith("*") and isinstance(move, Capture):
            move = Sweep(move.card, move.loose, move.builds)
        return seat, move

    def _check_turns(self) -> None:
        """What the turns tell must be so, because views and samples rely on it."""
        state = self.state
        played = {move.card for _, move in state.turns if not isinstance(move, NotOneCard)}
        if not played.isdisjoint([*state.stock, *(card for hand in state.hands for card in hand)]):
            raise ImpossiblePosition("turns: a card that was played is no longer in a hand or in the stock.")
        known = known_won(state.turns, state.sides)
        if any(not set(cards) <= set(won) for cards, won in zip(known, state.won, strict=True)):
            raise ImpossiblePosition("turns: captured cards lie in the pile of the side that took them.")

    def _check_cards(self) -> None:
        state = self.state
        cards = state.cards()
        check_cards(cards, PACK)
        if cards:
            self._check_hand_is_played()
        if self.data.get("full") and len(cards) != len(PACK):
            raise ImpossiblePosition(f"full: all {len(PACK)} cards are needed, not {len(cards)}.")
        for seat, value in announced(state.builds.values(), state.turns):
            hand = state.hands[seat]
            is_left_out = not hand and not state.stock and any(state.hands)  # of a position cut down to other hands
            if not is_left_out and value not in map(state.card_values.alone.get, hand):
                raise ImpossiblePosition(
                    f"build of {value}: seat {seat} controls or has just made it and must hold such a card."
                )

    def _check_hand_is_played(self) -> None:
        if self.state.deal_number > self.state.hand_cap:
            raise ImpossiblePosition(f"hand: number {self.state.hand_cap} is the last hand of this game.")

    def _settle(self) -> None:
        """Gives the turn, or ends what is already over."""
        state = self.state
        to_move = self.seat("to_move", None)
        if any(state.hands):
            if state.is_decided():
                raise ImpossiblePosition("totals: with these the game is over, so nobody holds cards.")
            state.give_turn(after=state.dealer if to_move is None else to_move - 1)
            if to_move is not None and state.to_act != (to_move,):
                raise ImpossiblePosition(f"to_move: seat {to_move} holds no card.")
        elif state.stock:
            state.give_turn(after=state.dealer)
            self._check_turn_after_deal()
        elif "to_move" in self.data and to_move is None:
            self._settle_finished_game()
        elif state.cards():
            state.end_hand()
        else:
            self._settle_between_hands()

    def _check_turn_after_deal(self) -> None:
        if self.seat("to_move", None) not in (None, *self.state.to_act):
            raise ImpossiblePosition(f"to_move: after the deal it is the turn of seat {self.state.to_act[0]}.")

    def _settle_finished_game(self) -> None:
        """The hand in the piles is part of the totals already."""
        state = self.state
        if state.cards():
            state.results = (state.hand_result((), unclaimed=state.loose),)
        if not state.winners():
            raise ImpossiblePosition("to_move: nobody has won yet, so it is somebody's turn.")

    def _settle_between_hands(self) -> None:
        """`hand` is the next hand, unless the totals have decided."""
        state = self.state
        if not state.is_decided() and state.deal_number <= state.hand_cap:
            state.deal_hand()
