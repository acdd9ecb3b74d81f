"""Positions of Carousel: writes those of states, and reads those that people write."""

from __future__ import annotations

from games.core.contract import ImpossiblePosition, Position
from games.core.positions import whole_number
from games.core.rummy.stealing import StealingReader, dump_stealing
from games.engines.carousel.moves import AFTER_DRAW, MELDING, MOST_DRAWS, MOST_HANDS, START, Phase
from games.engines.carousel.state import CarouselState


def dump_position(state: CarouselState) -> Position:
    return dump_stealing(state) | {"draws": list(state.draws), "passes_in_a_row": state.passes}


class CarouselReader(StealingReader):
    """Reads a position. :raises ImpossiblePosition:"""

    KEYS = (*StealingReader.KEYS, "draws", "passes_in_a_row", "knocker")

    def state(self) -> CarouselState:
        state: CarouselState = self.table(self.game, most_hands=MOST_HANDS)
        if state.is_decided():
            state.clear_table()
        elif self.is_over:
            raise ImpossiblePosition("to_move: no one has won yet, so it is a player's turn.")
        else:
            self._read_turn(state, self.number("to_move", (state.dealer + 1) % self.seats, high=self.seats - 1))
        return state

    def _read_turn(self, state: CarouselState, seat: int) -> None:
        state.begin_turn(seat)
        given = self.data.get("draws")
        state.draws = [0] * self.seats if isinstance(given, int) else self.numbers("draws", high=MOST_DRAWS)
        if isinstance(given, int):
            state.draws[seat] = whole_number(given, "draws", low=0, high=MOST_DRAWS)
        state.phase = self._phase(state.draws[seat])
        if state.phase is AFTER_DRAW:
            state.draws[seat] = state.draws[seat] or 1
        state.passes = self.number("passes_in_a_row", 0, high=self.seats)
        if state.passes and state.stock:
            raise ImpossiblePosition("passes_in_a_row: no one passes while there is stock.")
        self._settle(state, seat)

    def _phase(self, draws: int) -> Phase:
        phase = self.read_turn_phase((START, AFTER_DRAW, MELDING), AFTER_DRAW if draws else START)
        if phase is START and draws:
            raise ImpossiblePosition("phase, draws: at the start of a turn nothing has been drawn.")
        return phase

    def _settle(self, state: CarouselState, seat: int) -> None:
        """What has followed at once: the end of a turn by its third draw, the showdown."""
        if state.has_drawn_out(seat):
            if state.phase is MELDING:
                raise ImpossiblePosition("draws: no one melds after a third draw.")
            state.end_turn(seat)
        knocker = self.seat("knocker", None)
        if knocker is not None:
            self._check_knocker(state, knocker)
            state.end_hand(knocker)
        elif state.passes == self.seats:
            state.end_hand(None)

    def _check_knocker(self, state: CarouselState, knocker: int) -> None:
        left = state.deadwood(knocker)
        if left > state.knock_limit:
            raise ImpossiblePosition(f"knocker: with a deadwood of {left} seat {knocker} cannot have knocked.")
