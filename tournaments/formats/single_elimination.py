"""Single elimination: out after one defeat; the last one left is the champion.

The draw has the next power of two of places, filled by standard seeding: the sum of the seeds in a
first-round match is one more than the number of places, and if no favourite ever loses, seeds 1 and 2 meet
in the final, 1 to 4 in the semi-finals, and so on. Places without an entrant are byes, which so go to the
best seeds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from tournaments.formats import bracket
from tournaments.formats.bracket import Bracket, EntrantFate, Fixture, KnockoutFormat, LoserOf
from tournaments.formats.contract import Records, Section, Spot, Standing

MAIN = "main"
THIRD_PLACE = "third-place"


@dataclass(frozen=True)
class SingleElimination(KnockoutFormat):
    """third_place: the losers of the semi-finals play one more match."""

    slug = "single-elimination"
    name = "Knock-out"
    summary = "Lose a match and you are out. The last one left wins."
    suits_teams = True

    third_place: bool = field(default=False, metadata={"label": "Match for third place"})

    def rounds(self, entrants: int) -> int:
        return bracket.rounds_of(entrants)

    def standings(self, records: Records) -> list[Standing]:
        known = self.bracket(records)
        return known.standings(partial(_reason, known, self.rounds(len(records.entrants))))

    def draw(self, records: Records) -> tuple[Section, ...]:
        known, rounds = self.bracket(records), self.rounds(len(records.entrants))
        main = Section(MAIN, "Draw", True, known.columns(MAIN, lambda number: round_title(number, rounds)))
        third = Section(THIRD_PLACE, "Third place", False, known.columns(THIRD_PLACE, lambda _: "Third place"))
        return tuple(section for section in (main, third) if section.columns)

    def bracket(self, records: Records) -> Bracket:
        rounds = self.rounds(len(records.entrants))
        plan = bracket.knockout_fixtures(
            bracket.first_places(records, MAIN),
            section=MAIN,
            title=partial(match_title, rounds=rounds),
            level=lambda number: number,
        )
        if self.third_place and rounds >= 2:
            first, second = (LoserOf(Spot(MAIN, rounds - 1, slot)) for slot in (0, 1))
            plan[Spot(THIRD_PLACE, rounds, 0)] = Fixture("Match for third place", (first, second), rounds - 1)
        return Bracket(plan, records)


def _reason(known: Bracket, rounds: int, fate: EntrantFate) -> str:
    is_for_third = fate.spot is not None and fate.spot.section == THIRD_PLACE
    if fate.is_in:
        return "plays for third place" if is_for_third else "still in"
    if fate.merit == known.top:
        return "champion"
    if fate.spot is None:
        return "has no place in the draw"
    if is_for_third:
        return f"{'won' if fate.merit[1] else 'lost'} the match for third place"
    if fate.merit[1]:
        return f"won in the {round_title(fate.merit[0], rounds).lower()}, {bracket.TOO_LATE}"
    return f"lost in the {round_title(fate.merit[0], rounds).lower()}"


def round_title(number: int, rounds: int) -> str:
    """The usual name of a round, counted back from the final."""
    left = rounds - number
    names = {0: "Final", 1: "Semi-finals", 2: "Quarter-finals"}
    return names.get(left, f"Round of {2 ** (left + 1)}")


def match_title(number: int, slot: int, rounds: int) -> str:
    if number == rounds:
        return "Final"
    title = round_title(number, rounds)
    return f"{title.removesuffix('s')} {slot + 1}" if number >= rounds - 2 else f"{title}, match {slot + 1}"
