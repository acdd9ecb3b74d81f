"""Positions of Cribbage: writes those of states, and reads those that people write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.core.card_bits import BIT, CARD, cards, mask
from games.core.cards import Card
from games.core.contract import Game, GameError, ImpossiblePosition, Move, Position, UnreadableMove
from games.core.positions import SidesReader, as_json, card_list, check_cards, check_pegs
from games.core.words import counted
from games.engines.partnership_cribbage.moves import (
    AFTER,
    DEALT,
    DISCARD,
    GO,
    KEPT,
    LAID_AWAY,
    OVER,
    PACK,
    PLAY,
    SHOW,
    Claim,
    CribbageMove,
    Go,
    Muggins,
    Phase,
    Play,
    parse_move,
)
from games.engines.partnership_cribbage.state import CribbageState
from games.engines.partnership_cribbage.view import CribbageView

_JUST_TURNED = "starter"  # a phase that positions may name

# Keys with the fields of the state whose names they have.
FIELDS = ("stock", "scores", "rear")


def dump_position(state: CribbageState) -> Position:
    state.deal_cards()
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "dealer": state.dealer,
        "phase": str(state.phase),
        "to_move": state.to_act[0] if state.to_act else None,
        "hands_played": state.deal_number - 1,
        "hands": [list(cards(hand)) for hand in state.hands],
        "crib": [list(cards(laid)) for laid in state.crib],
        "starter": CARD.get(state.starter),
        "played": [f"{seat}:{CARD.get(card, GO)}" for seat, card, _count in state.played],
        "claims": [f"{seat}:{move}" for seat, move in state.claims],
        **{name: as_json(getattr(state, name)) for name in FIELDS},
    }


class CribbageReader(SidesReader):
    """Reads a position into a fresh state. :raises ImpossiblePosition:"""

    KEYS = (
        "seats", "players", "options", "dealer", "phase", "to_move", "hands_played", *FIELDS, "hands", "hand", "crib",
        "starter", "played", "claims",
    )  # fmt: skip
    default_seats = 4

    def __init__(
        self,
        game: Game[CribbageState, CribbageView, CribbageMove],
        data: Position,
        deals: Iterable[Sequence[Card]] | None,
    ) -> None:
        super().__init__(game, data, self.KEYS)
        dealer = self.seat("dealer", self.seats - 1) or 0
        self.state = game.undealt(self.following_decks(deals), seats=self.seats, options=self.options, dealer=dealer)
        self.state.deal_number = 1 + self.number("hands_played", 0, high=1000)
        self.scores = self.numbers_by_side("scores", high=121)
        self.state.rear = self.numbers_by_side("rear", high=121)
        check_pegs(self.scores, self.state.rear)
        self.turn = self.seat("to_move", None)
        self.deeds = self._entries("played", (Play, Go))
        self.claims = self._entries("claims", (Claim, Muggins))
        self._read_cards()
        self.phase = self._phase()
        self._check_scores()
        if self.phase == OVER:
            if any(self.state.hands):
                raise ImpossiblePosition("hands: a game that is over has no cards.")
        else:
            self._check_hands()
            self._begin()
            self._check_turn()

    def _check_turn(self) -> None:
        possible = self.state.to_act
        if self.turn is not None and self.phase in (DISCARD, PLAY, SHOW) and self.turn not in possible:
            raise ImpossiblePosition(f"to_move: seat {self.turn} cannot be to move; {possible} would be.")

    def _entries(self, key: str, kinds: tuple[type[Move], ...]) -> list[tuple[int, Any]]:
        """Seats with their moves, `1:KH`."""
        value = self.data.get(key) or []
        texts = value.split() if isinstance(value, str) else value
        if not isinstance(texts, Sequence):
            raise ImpossiblePosition(f"{key}: write a list such as 1:KH, 0:GO.")
        found = []
        for text in texts:
            seat, _, move = str(text).partition(":")
            try:
                entry = int(seat), parse_move(move)
            except (ValueError, UnreadableMove):
                raise ImpossiblePosition(f"{key}: {text!r} is no seat with its move.") from None
            if entry[0] not in range(self.seats) or not isinstance(entry[1], kinds):
                raise ImpossiblePosition(f"{key}: {text!r} does not belong here.")
            found.append(entry)
        return found

    def _read_cards(self) -> None:
        state, data = self.state, self.data
        hands = self.card_lists("hands")
        if data.get("hand") is not None:
            if data.get("hands") is not None:
                raise ImpossiblePosition("hand, hands: write only one of them.")
            hands[self.turn or 0] = card_list(data["hand"], "hand")
        crib = self._crib_lists()
        starter, stock = self.card_of("starter"), self.cards_of("stock")
        self.played = [(seat, move.card) for seat, move in self.deeds if isinstance(move, Play)]
        again = [card for _seat, card in self.played if not self.claims and str(data.get("phase")).lower() != SHOW]
        used = [*(card for zone in (*hands, *crib) for card in zone), *filter(None, [starter]), *again]
        check_cards([*used, *stock], PACK)
        state.hands, state.crib = [mask(hand) for hand in hands], [mask(laid) for laid in crib]
        state.starter = BIT[starter] if starter else 0
        state.stock = tuple(stock) if data.get("stock") is not None else tuple(self.unused_cards(used))

    def _crib_lists(self) -> list[list[Card]]:
        """By seat; cards without seats go round in seat order."""
        value = self.data.get("crib")
        is_flat = isinstance(value, str) or (isinstance(value, Sequence) and len(value) != self.seats)
        if not is_flat:
            return self.card_lists("crib")
        laid, number = card_list(value, "crib"), LAID_AWAY[self.seats]
        if len(laid) > KEPT:
            raise ImpossiblePosition("crib: it has four cards at most.")
        return [laid[seat * number : (seat + 1) * number] for seat in range(self.seats)]

    def _phase(self) -> str:
        named = self.data.get("phase")
        phase = self._likely_phase() if named is None else str(named).lower()
        if phase not in (*Phase, _JUST_TURNED):
            raise ImpossiblePosition(f"phase: choose one of {', '.join((*Phase, _JUST_TURNED))}.")
        return phase

    def _likely_phase(self) -> str:
        state = self.state
        if max(self.scores) >= state.target:
            return OVER
        if max(hand.bit_count() for hand in state.hands) > KEPT:
            return DISCARD
        if not state.starter or self.deeds or self.turn is not None:
            return PLAY
        return SHOW if any(state.hands) else _JUST_TURNED

    def _check_scores(self) -> None:
        reached = [score for score in self.scores if score >= self.state.target]
        if self.phase == OVER and (len(reached) != 1 or reached[0] > self.state.target):
            raise ImpossiblePosition("scores: a game is over when one side has reached the target.")
        if self.phase != OVER and reached:
            raise ImpossiblePosition("scores: with a side at the target the game is over.")
        self.state.scores = self.scores[:]

    def _check_hands(self) -> None:
        state = self.state
        laid_away = LAID_AWAY[self.seats]
        for seat, (hand, laid) in enumerate(zip(state.hands, state.crib, strict=True)):
            if laid.bit_count() not in (0, laid_away):
                raise ImpossiblePosition(f"crib: every seat lays away {counted(laid_away, 'card')}.")
            most = DEALT[self.seats] if self.phase == DISCARD and not laid else KEPT
            played = [card for by, card in self.played if by == seat and self.phase == PLAY]
            if hand.bit_count() + len(played) > most:
                raise ImpossiblePosition(f"hands: seat {seat} can have {most} cards now.")
        if self.claims and (self.phase != SHOW or state.options["counting"] == "auto"):
            raise ImpossiblePosition("claims: they belong to the show where players count themselves.")

    def _begin(self) -> None:
        {DISCARD: self._discard, _JUST_TURNED: self._turn_up, PLAY: self._play, SHOW: self._show}[self.phase]()

    def _discard(self) -> None:
        state, number = self.state, LAID_AWAY[self.seats]
        if self.deeds:
            raise ImpossiblePosition("played: nothing is played before the discards are in.")
        if state.starter:
            state.stock, state.starter = (CARD[state.starter], *state.stock), 0
        if not state.stock:
            raise ImpossiblePosition("stock: the starter has to come from there.")
        waiting = zip(range(self.seats), state.hands, state.crib, strict=True)
        state.to_act = tuple(seat for seat, hand, laid in waiting if hand.bit_count() >= number and not laid)
        if not state.to_act:
            raise ImpossiblePosition("hands: nobody has cards to discard.")
        state.phase = DISCARD
        state.before = state.scores[:]

    def _turn_up(self) -> None:
        state = self.state
        if not state.starter:
            raise ImpossiblePosition("starter: the card that is turned up is missing.")
        state.stock = (CARD[state.starter], *state.stock)
        state.before = state.scores[:]
        state.turn_up()

    def _play(self) -> None:
        state = self.state
        for seat, card in self.played:
            state.hands[seat] |= BIT[card]
        if not any(state.hands):
            raise ImpossiblePosition("hands: nobody has a card to play.")
        first = next(seat for seat in AFTER[self.seats][state.dealer] if state.hands[seat])
        leader = self.deeds[0][0] if self.deeds else first if self.turn is None else self.turn
        if not state.hands[leader]:
            raise ImpossiblePosition(f"to_move: seat {leader} has no card to lead.")
        self._restore(leader)
        if state.phase is not PLAY or not state.left or state.results:
            raise ImpossiblePosition("played: after these cards the play is over.")

    def _show(self) -> None:
        state = self.state
        if not state.starter:
            raise ImpossiblePosition("starter: hands are counted with a starter.")
        if state.options["counting"] == "auto":
            if self.deeds:
                raise ImpossiblePosition("played: where the table counts, the show needs the hands alone.")
            state.kept, state.before = state.hands[:], state.scores[:]
            state.begin_show()
            return
        self._restore(self.deeds[0][0] if self.deeds else None)
        if state.phase is not SHOW or state.results:
            raise ImpossiblePosition("phase: after this play and these claims nobody counts.")

    def _restore(self, leader: int | None) -> None:
        rear = self.state.rear[:]
        try:
            self.state.restore(self.deeds, self.claims, leader=leader, scores=self.scores)
        except GameError as error:
            raise ImpossiblePosition(f"played: {error}") from None
        self.state.rear = rear
