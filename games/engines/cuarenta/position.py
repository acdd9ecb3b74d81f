"""Positions of Cuarenta: as a state is written down, and as it is read."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from games.core.cards import Card, by_display
from games.core.contract import Game, ImpossiblePosition, Position, UnreadableMove
from games.core.deals import Decks, numbered_decks
from games.core.positions import SidesReader, as_json, card_list, check_cards, whole_number
from games.engines.cuarenta.moves import (
    HAND_SIZE,
    PACK,
    QUIET_DEAL,
    RONDA_CARDS,
    SIDES,
    CuarentaMove,
    Fall,
    Phase,
    Turn,
    batches_of_a_hand,
    parse_move,
)
from games.engines.cuarenta.rondas import groups_of
from games.engines.cuarenta.scoring import FORTY, FOUR, GAMES_TO_WIN, LAST, LAST_HAND, POINTS, TARGET
from games.engines.cuarenta.state import CuarentaState
from games.engines.cuarenta.view import CuarentaView

# Keys with the fields of the state whose names they have.
FIELDS = (
    "hands_before", "hands", "stock", "pot", "laid_by", "last_play", "claimer", "overlooked", "lapsed", "shown",
    "last_capturer", "rondas", "falls", "tried", "tally", "scores", "games", "winner",
)  # fmt: skip
# Keys that cannot stand beside a deck to be dealt.
ZONES = ("hands", "stock", "pot", "captured", "shown", "rondas", "falls", "overlooked", "last_play", "turns")


def dump_position(state: CuarentaState) -> Position:
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "dealer": state.dealer,
        "hand": state.deal_number,
        "deal_no": state.batch_number,
        "phase": str(state.phase),
        "to_move": state.to_act[0] if state.to_act else None,
        **{name: as_json(getattr(state, name)) for name in FIELDS},
        "captured": as_json(state.piles),
        "turns": [
            [turn.seat, str(turn.move) if turn.move else None, list(turn.gains)] for turn in state.turns[state.recent :]
        ],
        "by": state.by or None,
    }


class CuarentaReader(SidesReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    KEYS = (
        "seats", "options", "dealer", "hand", "deal_no", "phase", "to_move", *FIELDS, "captured", "turns", "by", "deck",
    )  # fmt: skip

    def __init__(
        self,
        game: Game[CuarentaState, CuarentaView, CuarentaMove],
        data: Position,
        deals: Iterable[Sequence[Card]] | None,
    ) -> None:
        super().__init__(game, data, self.KEYS)
        decks = Decks(numbered_decks(PACK, QUIET_DEAL) if deals is None else deals)
        deck = self.cards_of("deck")
        dealer = self.seat("dealer", 0) or 0
        self.state = game.undealt(decks, seats=self.seats, options=self.options, dealer=dealer)
        self._read_scores()
        self.state.batch_number = self.number("deal_no", 1, low=1, high=batches_of_a_hand(self.seats))
        if deck:
            self._deal(deck)
        else:
            self._read_cards()
            self._read_turn()
            self._read_rondas()
            self._read_captured()
            self._check()
            self._settle()
        self._check_agrees()

    def _by_side(self, key: str) -> list[Any]:
        value = self.data.get(key)
        if value is None:
            return [None] * SIDES
        if isinstance(value, Mapping) and all(str(side) in ("0", "1") for side in value):
            return [value.get(side, value.get(str(side))) for side in range(SIDES)]
        if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == SIDES:
            return list(value)
        raise ImpossiblePosition(f"{key}: write one entry for each of the two sides, 0 and 1.")

    def _entries(self, key: str) -> list[Any]:
        value = self.data.get(key) or []
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ImpossiblePosition(f"{key}: a list is needed.")
        return list(value)

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers_by_side("scores", high=1000)
        if min(state.scores) >= TARGET:
            raise ImpossiblePosition(f"scores: only one side can have reached {TARGET}.")
        needed = GAMES_TO_WIN[str(state.options["match"])]
        state.games = self.numbers_by_side("games", high=needed)
        if max(state.games) == needed and not self._is_finished:
            raise ImpossiblePosition("games: with these the match is over; name its winner.")
        state.deal_number = self.number("hand", 1, low=1, high=LAST_HAND)
        state.hands_before = self.number("hands_before", 0, high=2 * LAST_HAND)
        tally = self.data.get("tally") or {}
        if not isinstance(tally, Mapping) or not set(tally) <= set(POINTS):
            raise ImpossiblePosition(f"tally: write numbers by side for {', '.join(POINTS)}.")
        for rule, times in tally.items():
            if not isinstance(times, Sequence) or len(times) != SIDES:
                raise ImpossiblePosition(f"tally, {rule}: two numbers are needed.")
            state.tally[rule] = [whole_number(n, f"tally, {rule}", low=0, high=1000) for n in times]

    def _deal(self, deck: list[Card]) -> None:
        self.check_nothing_beside_deck(ZONES)
        check_cards(deck, PACK)
        if len(deck) < HAND_SIZE * self.seats:
            raise ImpossiblePosition(f"deck: the first deal needs {HAND_SIZE * self.seats} cards.")
        if max(self.state.scores) >= TARGET:
            raise ImpossiblePosition("scores: with these the game is over, so no deck is dealt.")
        self.state.stock = deck
        self.state.batch_number -= 1
        self.state.deal_batch()
        self._check_stock()

    def _read_cards(self) -> None:
        state = self.state
        state.hands = self.card_lists("hands")
        state.stock, state.pot = self.cards_of("stock"), self.cards_of("pot")
        for seat, hand in enumerate(state.hands):
            if len(hand) > HAND_SIZE:
                raise ImpossiblePosition(f"hands: seat {seat} holds more than {HAND_SIZE} cards.")
        if state.options["capture"] == "must" and len({card[0] for card in state.pot}) < len(state.pot):
            raise ImpossiblePosition("pot: two cards of one rank cannot lie there where captures must be made.")

    def _read_turn(self) -> None:
        state = self.state
        state.last_capturer = self.seat("last_capturer", None)
        last_play = self.data.get("last_play")
        if last_play is not None:
            seat, card = self._seats_and_card(last_play, "last_play", 1)
            state.last_play = (seat, card)
            if card not in state.pot:
                raise ImpossiblePosition("last_play: this card must lie in the pot.")
        laid_by = self.data.get("laid_by") or {}
        if not isinstance(laid_by, Mapping):
            raise ImpossiblePosition("laid_by: write cards with the seats that laid them.")
        for card, seat in laid_by.items():
            state.laid_by[str(card).upper()] = whole_number(seat, "laid_by", low=0, high=self.seats - 1)
        if state.last_play:
            state.laid_by[state.last_play[1]] = state.last_play[0]
        self._read_overlooked()
        state.turns = [self._turn(entry) for entry in self._entries("turns")]

    def _turn(self, entry: Any) -> Turn:
        is_triple = isinstance(entry, Sequence) and len(entry) == 3 and isinstance(entry[2], Sequence)
        if not is_triple or not all(rule in tuple(POINTS) for rule in entry[2]):
            raise ImpossiblePosition("turns: write each with its seat, its move and the rules by which it scored.")
        seat, text, gains = entry
        try:
            move = None if text is None else parse_move(str(text))
        except UnreadableMove as error:
            raise ImpossiblePosition(f"turns: {error}") from None
        return Turn(whole_number(seat, "turns", low=0, high=self.seats - 1), move, tuple(gains))

    def _read_overlooked(self) -> None:
        state = self.state
        given = self.data.get("overlooked") or []
        entries = [given] if isinstance(given, str) else self._entries("overlooked")
        if entries and all(isinstance(entry, str) and len(entry) == 2 for entry in entries):
            entries = [entries]
        overlooked = [cards for entry in entries if (cards := card_list(entry, "overlooked"))]
        state.lapsed = tuple(self.cards_of("lapsed"))
        if not {*chain.from_iterable(overlooked), *state.lapsed} <= set(state.pot):
            raise ImpossiblePosition("overlooked, lapsed: these cards must lie in the pot.")
        state.overlooked = tuple(tuple(by_display(cards)) for cards in overlooked)
        state.claimer = self.seat("claimer", self._next_seat() if state.overlooked else None)

    def _next_seat(self) -> int:
        """The seat to move: as named, else the first with cards after the last play, or after the dealer."""
        state = self.state
        to_move = self.seat("to_move", None)
        if to_move is not None:
            return to_move
        order = list(state.seats_after(state.last_play[0] if state.last_play else state.dealer))
        return next((seat for seat in order if state.hands[seat]), order[0])

    def _seats_and_card(self, entry: Any, key: str, seats: int) -> list[Any]:
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != seats + 1:
            raise ImpossiblePosition(f"{key}: write {'the seats' if seats > 1 else 'the seat'} and the card.")
        read = [whole_number(seat, key, low=0, high=self.seats - 1) for seat in entry[:seats]]
        return [*read, *card_list([entry[-1]], key)]

    def _read_rondas(self) -> None:
        state = self.state
        state.rondas = [tuple(cards) for cards in self.card_lists("rondas")]
        check_cards(chain.from_iterable(state.rondas), PACK)
        for cards in state.rondas:
            if len(cards) > HAND_SIZE:
                raise ImpossiblePosition(f"rondas: nobody was dealt more than {HAND_SIZE} cards.")
            if cards and (len(cards) < RONDA_CARDS or len(groups_of(cards, str(state.options["ronda"]))) > 1):
                raise ImpossiblePosition(
                    f"rondas: {' '.join(cards)} are not three or more of one {state.options['ronda']}."
                )
        falls = [self._seats_and_card(entry, "falls", 2) for entry in self._entries("falls")]
        state.falls = tuple(Fall(*fall) for fall in falls)
        for fall in state.falls:
            if state.side(fall.catcher) == state.side(fall.layer):
                raise ImpossiblePosition("falls: one catches the cards of an opponent.")
        for entry in self._entries("tried"):
            if not isinstance(entry, Sequence) or len(entry) != 2:
                raise ImpossiblePosition("tried: write pairs of seats, catcher and layer.")
            catcher, layer = (whole_number(seat, "tried", low=0, high=self.seats - 1) for seat in entry)
            state.tried += ((catcher, layer),)

    def _read_captured(self) -> None:
        """Piles of cards, or of a number of cards: the side's own catches, then others that lie nowhere else."""
        state = self.state
        given = self._by_side("captured")
        for side, cards in enumerate(given):
            if cards is not None and not isinstance(cards, int):
                state.piles[side] = card_list(cards, "captured")
        state.shown = [tuple(card_list(cards, "shown")) for cards in self._by_side("shown")]
        for side, count in enumerate(given):
            if isinstance(count, int):
                state.piles[side] = self._made_up(side, whole_number(count, "captured", low=0, high=len(PACK)))
        for pile, shown in zip(state.piles, state.shown, strict=True):
            if not set(shown) <= set(pile):
                raise ImpossiblePosition("shown: these cards must lie in the side's pile.")
        if not set(state.laid_by) <= {*state.pot, *chain.from_iterable(state.piles)}:
            raise ImpossiblePosition("last_play, laid_by: these cards must lie in the pot or in a pile.")

    def _made_up(self, side: int, count: int) -> list[Card]:
        state = self.state
        used = {*state.cards(), *chain.from_iterable(state.shown)} - set(state.shown[side])
        caught = [fall.card for fall in state.falls]
        own = [fall.card for fall in state.falls if state.side(fall.catcher) == side]
        rondas = set(chain.from_iterable(state.rondas))
        others = [card for card in PACK if card not in caught]
        wanted = dict.fromkeys([*state.shown[side], *own, *sorted(others, key=lambda card: card in rondas)])
        free = [card for card in wanted if card not in used]
        if len(free) < count:
            raise ImpossiblePosition("captured: so many cards are not left in the pack.")
        return free[:count]

    def _check(self) -> None:
        state = self.state
        check_cards(state.cards(), PACK)
        self._check_stock()
        for seat, cards in enumerate(state.rondas):
            elsewhere = {*state.stock, *chain.from_iterable(h for s, h in enumerate(state.hands) if s != seat)}
            if elsewhere & set(cards):
                raise ImpossiblePosition(f"rondas: the cards of seat {seat} are in its hand or were played.")
        lying = {*state.stock, *state.pot, *chain.from_iterable(state.hands)}
        if any(fall.card in lying for fall in state.falls):
            raise ImpossiblePosition("falls: cards that were caught lie in a pile.")

    def _check_stock(self) -> None:
        state = self.state
        most = HAND_SIZE * self.seats * (batches_of_a_hand(self.seats) - state.batch_number)
        if len(state.stock) > most:
            raise ImpossiblePosition(f"stock: after deal {state.batch_number} of a hand {most} cards are left at most.")

    def _settle(self) -> None:
        """Gives the turn, or goes on where a deal, a hand or the game has ended."""
        state = self.state
        if self._is_finished:
            self._settle_finished_game()
        elif any(state.hands):
            state.give_turn(after=self._next_seat() - 1)
        elif state.cards():
            state.close_batch()
        else:
            state.deal_hand()

    @property
    def _is_finished(self) -> bool:
        return self.data.get("winner") is not None or max(self.state.scores) >= TARGET

    def _settle_finished_game(self) -> None:
        state = self.state
        reached = next((side for side, score in enumerate(state.scores) if score >= TARGET), None)
        winner = self.number("winner", reached or 0, high=SIDES - 1)
        by = str(self.data.get("by") or FORTY)
        if by not in (FOUR, FORTY, LAST):
            raise ImpossiblePosition(f"by: write {FOUR}, {FORTY} or {LAST}.")
        if (by == FORTY and reached != winner) or (reached not in (None, winner)):
            raise ImpossiblePosition("winner: it does not go with the scores.")
        needed = GAMES_TO_WIN[str(state.options["match"])]
        if state.options["match"] == "1":
            state.games[winner] = needed
        if state.games[winner] != needed:
            raise ImpossiblePosition("games: the match is not over yet; write the position of the next game.")
        if state.games[1 - winner] == needed:
            raise ImpossiblePosition("games: only one side can have won the match.")
        state.winner, state.by, state.phase = winner, by, Phase.OVER

    def _check_agrees(self) -> None:
        state = self.state
        phase, to_move = self.data.get("phase"), self.seat("to_move", None)
        if phase is not None and str(phase).lower() != state.phase:
            raise ImpossiblePosition(f"phase: with these cards and scores it is {state.phase}, not {phase}.")
        if to_move is not None and state.to_act != (to_move,):
            raise ImpossiblePosition(f"to_move: it is not the turn of seat {to_move} here.")
