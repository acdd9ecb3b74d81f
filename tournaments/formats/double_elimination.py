"""Double elimination: out after two defeats.

Losers of the winners' draw go on in the losers' draw. Its odd rounds are played among those who are in it, in its even
rounds the losers of the next round of the winners' draw come in. The winners of both draws play the grand final; if it
is the first defeat of the winner of the winners' draw, they play once more (the reset).

The order in which losers come in decides how soon two can meet again. As in the printed draw for 8, the losers of the
second winners' round change halves; for larger draws each round is crossed differently, so that a rematch comes as late
as it can: match m of round r goes to place m XOR b, where b is r - 1 with its binary digits in reverse order. So losers
of two rounds that follow each other are in opposite halves, those of every other round in opposite quarters, and so
on. (Compared with all crossings that swap halves, quarters, ...: none delays rematches more for up to 64 places.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from tournaments.formats import bracket
from tournaments.formats.bracket import (
    Bracket,
    BracketPlan,
    EntrantFate,
    Fixture,
    KnockoutFormat,
    LoserOf,
    Source,
    WinnerOf,
)
from tournaments.formats.contract import Records, Section, Spot, Standing

WINNERS = "winners"
LOSERS = "losers"
FINAL = "final"
GRAND_FINAL, RESET = Spot(FINAL, 1, 0), Spot(FINAL, 2, 0)


@dataclass(frozen=True)
class DoubleElimination(KnockoutFormat):
    """reset: the grand final is played again if it is the first defeat of its loser."""

    slug = "double-elimination"
    name = "Double elimination"
    summary = "Lose twice and you are out. After your first loss you continue in the losers' draw."

    reset: bool = field(
        default=True,
        metadata={
            "label": "Second grand final",
            "help": "Played if the winner of the losers' draw wins the first final, because then both have lost once.",
        },
    )

    def rounds(self, entrants: int) -> int:
        """Rounds one after another, where both draws are played at the same time; without the reset."""
        return 2 * bracket.rounds_of(entrants)

    def standings(self, records: Records) -> list[Standing]:
        known = self.bracket(records)
        return known.standings(partial(_reason, known))

    def draw(self, records: Records) -> tuple[Section, ...]:
        known, rounds = self.bracket(records), bracket.rounds_of(len(records.entrants))
        sections = (
            Section(WINNERS, "Winners' draw", True, known.columns(WINNERS, partial(winners_title, rounds=rounds))),
            Section(LOSERS, "Losers' draw", True, known.columns(LOSERS, partial(losers_title, rounds=rounds))),
            Section(FINAL, "Grand final", False, known.columns(FINAL, final_title)),
        )
        return tuple(section for section in sections if section.columns)

    def bracket(self, records: Records) -> Bracket:
        places = bracket.first_places(records, WINNERS)
        known = Bracket(_plan(places), records)
        if self.reset and _needs_reset(known):
            again = (LoserOf(GRAND_FINAL), WinnerOf(GRAND_FINAL))
            level = known.plan[GRAND_FINAL].level
            return Bracket(known.plan | {RESET: Fixture(final_title(2), again, level)}, records)
        return known


def _needs_reset(known: Bracket) -> bool:
    final = known.matches.get(GRAND_FINAL)
    if GRAND_FINAL not in known.plan or final is None or final.winner is None:
        return False
    return not final.is_bye and final.winner == known.comers(GRAND_FINAL)[1].entrant


def _plan(places: list[int | None]) -> BracketPlan:
    rounds = bracket.rounds_of(len(places))
    if not rounds:
        return {}
    winners = bracket.knockout_fixtures(
        places,
        section=WINNERS,
        title=lambda number, slot: _match_title(winners_title(number, rounds), slot, number == rounds),
        level=lambda number: max(1, 2 * (number - 1)),  # of the losers' round they would have come to
    )
    last = 2 * (rounds - 1)
    losers = {
        Spot(LOSERS, number, slot): Fixture(
            _match_title(losers_title(number, rounds), slot, number >= last - 1),
            _losers_sources(number, slot, rounds),
            number,
        )
        for number in range(1, last + 1)
        for slot in range(2 ** (rounds - 1 - (number + 1) // 2))
    }
    runner_up: Source = WinnerOf(Spot(LOSERS, last, 0)) if last else LoserOf(Spot(WINNERS, 1, 0))
    finalists = (WinnerOf(Spot(WINNERS, rounds, 0)), runner_up)
    return winners | losers | {GRAND_FINAL: Fixture(final_title(1), finalists, last + 1)}


def _losers_sources(number: int, slot: int, rounds: int) -> tuple[Source, Source]:
    """The sources of a match of the losers' draw of an event with so many rounds of the winners' draw."""
    if number == 1:
        return LoserOf(Spot(WINNERS, 1, 2 * slot)), LoserOf(Spot(WINNERS, 1, 2 * slot + 1))
    if number % 2:
        return WinnerOf(Spot(LOSERS, number - 1, 2 * slot)), WinnerOf(Spot(LOSERS, number - 1, 2 * slot + 1))
    lost_in = number // 2 + 1
    loser = LoserOf(Spot(WINNERS, lost_in, slot ^ losers_crossing(lost_in, rounds)))
    return WinnerOf(Spot(LOSERS, number - 1, slot)), loser


def losers_crossing(number: int, rounds: int) -> int:
    """What the slots of a winners' round are crossed with on their way down: its number less one, bits reversed."""
    digits = rounds - number
    return sum(((number - 1) >> digit & 1) << (digits - 1 - digit) for digit in range(digits))


def winners_title(number: int, rounds: int) -> str:
    return "Winners' final" if number == rounds else f"Winners' round {number}"


def losers_title(number: int, rounds: int) -> str:
    return "Losers' final" if number == 2 * (rounds - 1) else f"Losers' round {number}"


def final_title(number: int) -> str:
    return "Grand final" if number == 1 else "Second grand final"


def _match_title(round_title: str, slot: int, is_alone: bool) -> str:
    return round_title if is_alone else f"{round_title}, match {slot + 1}"


def _reason(known: Bracket, fate: EntrantFate) -> str:
    if fate.is_in and fate.spot is not None:
        return "still in, unbeaten" if fate.spot.section == WINNERS else "still in"
    if fate.merit == known.top:
        return "champion"
    if fate.spot is None:
        return "has no place in the draw"
    title = known.plan[fate.spot].title.partition(",")[0]
    title = f"{'the ' if 'final' in title else ''}{title[:1].lower()}{title[1:]}"
    return f"won in {title}, {bracket.TOO_LATE}" if fate.merit[1] else f"lost in {title}"
