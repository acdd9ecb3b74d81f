"""Royal Casino: Casino in which court cards count 11 to 13, an ace counts 1 or 14, and sweeps score.

Source: document "casino", section "Variation".
Rulings, where it is silent or unclear:
- court cards are number cards in every respect: they take several cards, and go into sums and builds;
- an ace counts 14 when it takes, when it is a set of its own and when it backs a build, and 1 in a set of several;
- aces built as equals make a build of 14, and an ace raises a build by 1;
- a sweep with the last card of the hand counts; receiving the rest of the table is no sweep.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from games.core.captures import Sums
from games.core.cards import RANKS, Card
from games.core.contract import Option, OptionValue, ScoreLine
from games.engines.casino.builds import CardValues
from games.engines.casino.game import CASINO, Casino
from games.engines.casino.moves import PACK, Capture
from games.engines.casino.scoring import SWEEP_POINTS, HandCount
from games.engines.casino.state import CasinoState

COURTS = "JQK"
ACE_ALONE = 14
# In a set of several cards, and by itself.
VALUES: Mapping[Card, int] = {card: RANKS.index(card[0]) + 1 for card in PACK}
ALONE: Mapping[Card, int] = {card: ACE_ALONE if card[0] == "A" else value for card, value in VALUES.items()}


class RoyalHandCount(HandCount):
    __slots__ = ()

    def sweep_lines(self) -> Iterator[ScoreLine]:
        if self.sweep_option != "difference":
            yield from super().sweep_lines()
            return
        fewest = min(self.sweeps)
        for side, sweeps in enumerate(self.sweeps):
            if sweeps > fewest:
                yield self.line(side, "sweep", f"Sweeps: {sweeps} less {fewest}", (sweeps - fewest) * SWEEP_POINTS)


class RoyalCasinoState(CasinoState):
    __slots__ = ()

    card_values: ClassVar[CardValues] = CardValues(VALUES, ALONE, highest=ACE_ALONE, complete=12)
    count_class: ClassVar[type[HandCount]] = RoyalHandCount

    def captures_with(self, card: Card, sums: Sums) -> Iterator[Capture]:
        return (move for move in super().captures_with(card, sums) if not self._takes_too_many_courts(move))

    def _takes_too_many_courts(self, move: Capture) -> bool:
        equal = sum(card[0] == move.card[0] for card in move.loose)
        return self.options["face_capture"] == "one" and move.card[0] in COURTS and equal > 1

    def check_number_capture(self, move: Capture, value: int) -> None:
        if self._takes_too_many_courts(move):
            self.refuse("royal-courts", f"At this table {move.card} takes one loose card of its rank. Choose one.")
        super().check_number_capture(move, value)

    def reminder(self, cards: Iterable[Card]) -> str:
        ranks = {card[0] for card in cards}
        courts = " A jack counts 11, a queen 12, a king 13." if not ranks.isdisjoint(COURTS) else ""
        return courts + (" An ace counts 14 alone and 1 in a sum." if "A" in ranks else "")

    def is_sweep(self) -> bool:
        is_last_card = not any(self.hands) and not self.stock
        return super().is_sweep() and not (is_last_card and self.options["sweep_last_card"] == "none")


def _changed(option: Option) -> Option:
    """An option of Casino as Royal Casino has it."""
    match option.name:
        case "face_capture":
            return replace(
                option,
                label="Court cards take",
                default="any",
                help="How many loose court cards of its own rank a jack, queen or king may take in one play.",
            )
        case "sweeps":
            surplus: dict[OptionValue, str] = {"difference": "only those more than the lowest side's"}
            return replace(option, default="each", choices={**option.choices, **surplus})
    return option


class RoyalCasino(Casino):
    slug = "royal-casino"
    name = "Royal Casino"
    summary = "Casino with courts worth 11 to 13, aces worth 14, and a point for every sweep."
    options = (
        *map(_changed, CASINO.options),
        Option(
            "sweep_last_card",
            "Sweep with the last card",
            "counts",
            {"counts": "counts", "none": "does not count"},
            "The very last card of a hand.",
        ),
    )

    state_class: ClassVar[type[CasinoState]] = RoyalCasinoState


ROYAL_CASINO = RoyalCasino()
