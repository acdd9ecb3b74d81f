"""View of a game of Carousel: what a seat knows and can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.cards import by_display
from games.core.contract import Choice, Move, Phrase, Selection
from games.core.moves import DRAW, Draw
from games.core.rummy.common_table import play_phrase
from games.core.rummy.melds import LONGEST_RUN, SMALLEST_MELD, Meld, MeldRules
from games.core.rummy.rearranging import Play
from games.core.rummy.stealing import StealingView
from games.core.rummy.steps import Step
from games.engines.carousel.moves import END, KNOCK, MELDING, MOST_DRAWS, START, End, Knock, meld_rules
from games.engines.carousel.scoring import deadwood
from games.engines.carousel.words import draw_prompt, melding_prompt, start_prompt, step_phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class CarouselView(StealingView):
    """draws: by seat, in the seat's latest turn. passes: in a row, without stock."""

    table: tuple[tuple[int, Meld], ...]
    draws: tuple[int, ...]
    passes: int

    @property
    def rules(self) -> MeldRules:
        return meld_rules(self.options)

    @property
    def deadwood(self) -> int:
        """What the viewer's hand would count now."""
        return deadwood(self.options, self.rules, self.hand)

    def _note(self, seat: int) -> str:
        return f"drew {self.draws[seat]}" if seat in self.to_act and self.draws[seat] else ""

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is START:
            return start_prompt(bool(self.stock_count), KNOCK in self.moves)
        if self.phase is MELDING:
            return melding_prompt(bool(self.hand))
        return draw_prompt(DRAW in self.moves, self._is_next_draw_last)

    @property
    def _is_next_draw_last(self) -> bool:
        is_last = self.draws[self.to_act[0]] == MOST_DRAWS - 1 and DRAW in self.moves
        return is_last and not self.options["meld_after_third_draw"]

    @property
    def _may_meld(self) -> bool:
        return self.seat in self.to_act and not (self.phase is START and self.stock_count)

    @property
    def selection(self) -> Selection | None:
        """A new meld of hand cards alone."""
        if not self._may_meld or len(self.hand) < SMALLEST_MELD:
            return None
        most = min(len(self.hand), LONGEST_RUN)
        melds = (self.choice(move).touches for move in self.moves if self._is_from_hand(move))
        return Selection("Lay", self.hand, SMALLEST_MELD, most, is_always_legal=False, likely=frozenset().union(*melds))

    @property
    def offered(self) -> Sequence[Move]:
        return [move for move in self.moves if not self._is_from_hand(move)]

    def _is_from_hand(self, move: Move) -> bool:
        if isinstance(move, Play):
            return not move.dissolved and len(move.melds) == 1
        return isinstance(move, Step) and move.is_from_hand

    @property
    def forced(self) -> Move | None:
        """The end of the turn with an empty hand; elsewhere there may be steps that are not listed."""
        return self.moves[0] if self.moves == (END,) and not self.hand else None

    def choice(self, move: Move) -> Choice:
        table = dict(self.table)
        if isinstance(move, Step):
            enlarged = table.get(move.number)
            # With the cards of the meld, since some of them may be chosen singly, to be stolen.
            meld = (f"meld:{move.number}", *enlarged.cards) if enlarged else ()
            touches = (*by_display(move.laid(enlarged)), *move.stolen, *meld)
            return Choice(move, step_phrase(move, enlarged), touches)
        if isinstance(move, Play):
            touches = (*by_display(move.from_hand(table)), *(f"meld:{number}" for number in move.dissolved))
            return Choice(move, play_phrase(move, table), touches)
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "a card"), ("stock",), to=f"hand:{self.seat}")
        if isinstance(move, Knock):
            return Choice(move, Phrase("knock", f"with {self.deadwood}"))
        return Choice(move, Phrase("end", "the turn") if isinstance(move, End) else Phrase("pass"))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        facts = [
            ("Dealer", f"@{self.dealer}"),
            ("Knock limit", str(self.options["knock_limit"])),
            ("Target", f"{self.options['target']} points"),
        ]
        if self.seat is not None and self.to_act:
            facts.append(("Your deadwood", str(self.deadwood)))
        if self.passes:
            facts.append(("Passes in a row", str(self.passes)))
        return tuple(facts)
