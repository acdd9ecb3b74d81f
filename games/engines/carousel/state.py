"""State of a game of Carousel: legal moves, play, the end of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from games.core.cards import Card, by_display, is_joker
from games.core.contract import (
    Game,
    HandResult,
    IllegalMove,
    Move,
    Options,
    Outcome,
    Phrase,
    open_zone,
)
from games.core.deals import Decks
from games.core.moves import DRAW, PASS, Draw, Pass
from games.core.rummy.common_table import play_phrase
from games.core.rummy.melds import Meld
from games.core.rummy.rearranging import Play
from games.core.rummy.scoring import points_by_seat
from games.core.rummy.stealing import StealingState
from games.core.rummy.steps import Step
from games.core.words import counted
from games.engines.carousel.moves import (
    AFTER_DRAW,
    END,
    KNOCK,
    MELDING,
    MOST_DRAWS,
    MOST_HANDS,
    OVER,
    START,
    CarouselMove,
    End,
    Knock,
    Phase,
    meld_rules,
)
from games.engines.carousel.rearranging import free_options, rearrangements
from games.engines.carousel.scoring import deadwood, has_winner, outcome_of, score_lines, summary
from games.engines.carousel.steps import (
    StepSituation,
    first_illegal,
    listed_steps,
    robbed,
    stands_for,
    table_after_step,
)
from games.engines.carousel.view import CarouselView
from games.engines.carousel.words import robbery_hint, step_phrase, what_now
from games.engines.vatican import VATICAN, VaticanState


class CarouselState(StealingState):
    """draws: by seat, the cards drawn in its latest turn. passes: in a row."""

    __slots__ = ("draws", "passes")

    HAND_CARDS = 10
    PUBLIC = (*StealingState.PUBLIC, "draws", "passes")
    TURN_RULE = "first-player"

    phase: Phase
    draws: list[int]
    passes: int
    table: dict[int, Meld]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, meld_rules(options), seats=seats, options=options, dealer=dealer)

    def clear_table(self) -> None:
        super().clear_table()
        self.phase = OVER
        self.draws = [0] * self.seats
        self.passes = 0

    def begin_turn(self, seat: int) -> None:
        self.to_act = (seat,)
        self.phase = START
        self.draws[seat] = 0

    def meld(self, number: int) -> Meld | None:
        return self.table.get(number)

    # What may be done

    def legal_moves(self, seat: int) -> Sequence[CarouselMove]:
        """The simple moves and the smallest steps; `play` accepts every other legal step as well."""
        if seat not in self.to_act:
            return ()
        if self.phase is START and self.stock:
            return (DRAW, *self._knocks(seat))
        if self.phase is START:
            return (*self._knocks(seat), *self._plays(seat), PASS)
        if self.phase is MELDING:
            return (*self._plays(seat), END)
        return (*([DRAW] if self._may_draw_again(seat) else [END]), *self._plays(seat))

    def _knocks(self, seat: int) -> list[CarouselMove]:
        return [KNOCK] if self.deadwood(seat) <= self.knock_limit else []

    def _plays(self, seat: int) -> Sequence[CarouselMove]:
        if self.is_free:
            return rearrangements(self.rules, self.table, self.hands[seat])
        adds, swaps = bool(self.options["add_to_melds"]), bool(self.options["joker_swap"])
        return listed_steps(StepSituation(self.rules, tuple(self.table.items()), self.hands[seat], adds, swaps))

    def _may_draw_again(self, seat: int) -> bool:
        return bool(self.stock) and self.draws[seat] < MOST_DRAWS

    @property
    def is_free(self) -> bool:
        """One play a turn rearranges the table, in place of steps that steal."""
        return self.options["manipulation"] == "free"

    @property
    def knock_limit(self) -> int:
        return int(self.options["knock_limit"])

    def deadwood(self, seat: int) -> int:
        return deadwood(self.options, self.rules, self.hands[seat])

    # Moves

    def play(self, seat: int, move: Move) -> None:
        self.check_turn(seat)
        if isinstance(move, Draw):
            self._draw(seat)
        elif isinstance(move, Knock):
            self._knock(seat)
        elif isinstance(move, End):
            self._end(seat)
        elif isinstance(move, Pass):
            self._pass(seat)
        elif isinstance(move, Step):
            self._step(seat, move)
        else:
            assert isinstance(move, Play), f"{move!r} is not a move of Carousel"
            self._rearrange(seat, move)

    def _draw(self, seat: int) -> None:
        self._check_draw(seat)
        self._receive(seat, self.stock.pop())
        self.draws[seat] += 1
        self._add_to_log(seat, Phrase("draw", "a card"), f"hand:{seat}", "stock")
        self.phase = AFTER_DRAW
        if self.has_drawn_out(seat):
            self.end_turn(seat)

    def has_drawn_out(self, seat: int) -> bool:
        """Whether the latest draw of the seat was its third and ended its turn."""
        return self.draws[seat] == MOST_DRAWS and not self.options["meld_after_third_draw"]

    def _knock(self, seat: int) -> None:
        if self.phase is not START:
            self.refuse(
                "knock-start-only", f"You can only knock at the start of your turn; now {self._what_now(seat)}."
            )
        left = self.deadwood(seat)
        if left > self.knock_limit:
            self.refuse(
                "knock-limit",
                f"Your deadwood is {left}; you can knock with {self.knock_limit} or less. Now {self._what_now(seat)}.",
            )
        self._add_to_log(seat, Phrase("knock", f"with {left}"), f"hand:{seat}")
        self.end_hand(seat)

    def _end(self, seat: int) -> None:
        if self.phase is START or self.phase is AFTER_DRAW and self._may_draw_again(seat):
            self.refuse("draw-or-meld", f"Your turn is not over yet: {self._what_now(seat)}.")
        self._add_to_log(seat, Phrase("end", "the turn"))
        self.end_turn(seat)

    def _pass(self, seat: int) -> None:
        if self.stock:
            self.refuse("turn-start", f"You can only pass when the stock is empty; {self._what_now(seat)}.")
        if self.phase is not START:
            self.refuse("stock-empty", f"You can only pass at the start of a turn; {self._what_now(seat)}.")
        self.passes += 1
        self._add_to_log(seat, Phrase("pass"))
        if self.passes == self.seats:
            self.end_hand(None)
        else:
            self.end_turn(seat)

    def _step(self, seat: int, step: Step) -> None:
        if self.is_free:
            self.refuse("step", "At this table you make one play a turn: lay out the whole table, then play.")
        self._check_meld_time(seat)
        self._check_step(seat, step)
        enlarged = self.table.get(step.number)
        laid = step.laid(enlarged)
        self._add_to_log(seat, step_phrase(step, enlarged), *by_display(laid), *step.stolen)
        self._lay(seat, laid, table_after_step(self.table, step))

    def _lay(self, seat: int, laid: Sequence[Card], table: dict[int, Meld]) -> None:
        self._part_with(seat, laid)
        self.table = table
        self.passes = 0
        self.phase = MELDING
        if not self.hands[seat] and self.options["go_out_ends"]:
            self.end_hand(seat)

    def _rearrange(self, seat: int, move: Play) -> None:
        if not self.is_free:
            self.refuse("steal", "At this table melds aren't rebuilt: lay a new meld, or add to one.")
        self._check_meld_time(seat)
        house = free_options(self.rules)
        table = VaticanState(VATICAN, self.decks, seats=self.seats, options=house, dealer=self.dealer)
        table.hands, table.table, table.to_act = self.hands[:], dict(self.table), (seat,)
        try:
            table.play(seat, move)
        except IllegalMove as refusal:
            self.refuse(_OWN_NAMES.get(refusal.rule, refusal.rule.partition(":")[2]), str(refusal))
        laid = move.from_hand(self.table)
        self._add_to_log(seat, play_phrase(move, self.table), *by_display(laid))
        self._lay(seat, laid, table.table)
        if self.phase is MELDING:
            self.end_turn(seat)

    def end_turn(self, seat: int) -> None:
        self.begin_turn(self.seat_after(seat))

    # Refusals

    def check_turn(self, seat: int) -> None:
        if seat in self.to_act:
            return
        is_at_table = seat in range(self.seats)
        if is_at_table and self.to_act == (self.seat_after(seat),) and self.has_drawn_out(seat):
            self.game.refuse_turn(
                "third-draw-ends", "Your third card ended your turn; you can lay what it completes in your next one."
            )
        super().check_turn(seat)

    def _what_now(self, seat: int) -> str:
        return what_now(self.phase, bool(self.stock), self._may_draw_again(seat))

    def _check_draw(self, seat: int) -> None:
        if self.phase is MELDING:
            self.refuse("no-draw-after-meld", "You can't draw after melding; keep melding or end your turn.")
        if self.draws[seat] >= MOST_DRAWS:
            self.refuse("third-draw-ends", "Three cards are the most you can draw; meld or end your turn.")
        if not self.stock:
            self.refuse("stock-empty", f"The stock is empty; {self._what_now(seat)}.")

    def _check_meld_time(self, seat: int) -> None:
        if self.phase is START and self.stock:
            instead = "draw a card, or knock" if self._knocks(seat) else "draw a card, then meld"
            self.refuse("turn-start", f"You can't meld at the start of a turn: {instead}.")

    def _check_step(self, seat: int, step: Step) -> None:
        """:raises IllegalMove: the first rule that the step breaks."""
        if step.number and not self.options["add_to_melds"]:
            self.refuse("step", "At this table you can't add to melds; lay a new one.")
        self._check_there(seat, step)
        if not step.laid(self.table.get(step.number)):
            self.refuse("step-hand-card", "Every step uses at least one card from your hand; add one to these.")
        self.check_fault(self.rules.fault(step.meld))
        self._check_swaps(step)
        broken = first_illegal(self.rules, robbed(self.table, step.thefts))
        if broken is not None:
            self._refuse_robbery(broken)

    def _check_swaps(self, step: Step) -> None:
        for theft in step.thefts:
            if not theft.swap:
                continue
            if not self.options["joker_swap"]:
                self.refuse("joker-swap", "At this table jokers aren't exchanged; steal it if its meld can spare it.")
            if theft.number == step.number:
                self.refuse("joker-swap", f"Just add {theft.swap}: the joker of a meld you add to may move.")
            meld = self.table[theft.number]
            if not is_joker(theft.card):
                self.refuse("joker-swap", f"Only a joker can be exchanged; {theft.card} can only be stolen.")
            if is_joker(theft.swap) or not stands_for(self.rules, meld, theft.card, theft.swap):
                faces = " or ".join(sorted(self.rules.faces(meld)[meld.cards.index(theft.card)]))
                self.refuse("joker-swap", f"{theft.card} in meld {theft.number} stands for {faces}; put that card in.")

    def _refuse_robbery(self, number: int) -> NoReturn:
        hint = robbery_hint(self.table[number])
        self.refuse("steal-leaves-legal", f"What's left of meld {number} wouldn't be a meld: {hint}.")

    # The end of a hand

    def end_hand(self, knocker: int | None) -> None:
        """Scores the showdown; knocker None: everybody has passed. Then deals again or ends the game."""
        self.close_hand(self._showdown(knocker))

    def _showdown(self, knocker: int | None) -> HandResult:
        left = [self.deadwood(seat) for seat in range(self.seats)]
        lines = tuple(score_lines(self.options, left, knocker))
        points = points_by_seat(lines, self.seats)
        zones = tuple(
            open_zone(f"hand:{seat}", "hand", f"@{seat}'s hand", hand, owner=seat, note=counted(left[seat], "point"))
            for seat, hand in enumerate(self.hands)
        )
        return HandResult(self.deal_number, summary(left, points, knocker), points, lines, zones)

    def is_decided(self) -> bool:
        return has_winner(self.scores, self.options) or self.deal_number > MOST_HANDS

    def outcome(self) -> Outcome | None:
        return None if self.to_act else outcome_of(self.scores, self.options)

    # What is seen and kept

    def view(self, seat: int | None) -> CarouselView:
        return CarouselView(**self.seen_by(seat))


# Rules of Vatican that have another name here.
_OWN_NAMES = {"vatican:rearrange": "cards-available", "vatican:play-at-least-one": "step-hand-card"}
