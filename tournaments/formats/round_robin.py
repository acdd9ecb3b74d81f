"""Round robin: everyone meets everyone, once or twice.

Pairings, rounds and seats follow the Berger tables (FIDE Handbook C.05, Annex 1), which are the circle method: the last
number stays, the others move on around it, and sides alternate so that nobody sits first more than once oftener than
second. In an odd field one sits out each round: a bye (no points). The second time around the seats are swapped. As the
Handbook recommends, the last two rounds of the first time around change places then, so that nobody has the same seat
three times in a row.

Withdrawals: as FIDE has it (Tournament Rules C.06, V.4), the results of an entrant who has completed less than half of
their matches count for nobody. Completed is what was played, and what was won because the opponent did not come. From
half on all their results stay, and what is left to play is lost by forfeit. `leavers` can ask for the latter always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tournaments.formats import rounds, tie_breaks
from tournaments.formats.contract import (
    NOTHING,
    Figure,
    Format,
    MatchRecord,
    Records,
    Section,
    Spot,
    Standing,
)
from tournaments.formats.rounds import ROUNDS

TIE_BREAKS = ("DE", "SB", "WON", "DIFF", "LOTS")
TIE_BREAKS_FIELD = {"label": "Tie-breaks, in order"}
SWAPS_LAST_FIELD = {
    "label": "Twice around: the last two rounds of the first time change places",
    "help": "FIDE's advice: no one has the same seat three times in a row.",
    "only_with": "double",
}
LEAVERS_FIELD = {
    "label": "Players who leave",
    "choices": {
        "annul": "before half of their matches: all their results are annulled; later: they forfeit the rest",
        "keep": "they forfeit the rest, and all results count",
    },
}


@dataclass(frozen=True)
class RoundRobin(Format):
    """double: everybody meets twice. swaps_last: the last two rounds of the first time around change places then.

    tie_breaks: codes, see `tie_breaks`. leavers: "annul" or "keep".
    """

    slug = "round-robin"
    name = "Round robin"
    summary = "Everyone plays everyone."
    by_rounds = True
    seats_in_order = True
    all_play_all = True
    suits_teams = True

    double: bool = field(default=False, metadata={"label": "Everyone plays everyone twice, with seats swapped"})
    swaps_last: bool = field(default=True, metadata=SWAPS_LAST_FIELD)
    tie_breaks: tuple[str, ...] = field(default=TIE_BREAKS, metadata=TIE_BREAKS_FIELD)
    leavers: str = field(default="annul", metadata=LEAVERS_FIELD)

    def rounds(self, entrants: int) -> int:
        return 0 if entrants < 2 else (_even(entrants) - 1) * (1 + self.double)

    def next_matches(self, records: Records) -> list[MatchRecord]:
        for number in self._numbers(records):
            if missing := self._missing(records, number):
                return missing
            if any(match.places is None for match in rounds.matches_of_round(records, number)):
                return []
        return []

    def standings(self, records: Records) -> list[Standing]:
        """Annulled entrants stand behind all others, without points."""
        annulled = {entrant.id for entrant in records.entrants if self._is_annulled(records, entrant.id)}
        counted = [m for m in records.matches if not m.is_bye and annulled.isdisjoint(m.entrants)]
        staying = [entrant for entrant in records.entrants if entrant.id not in annulled]
        ranked = tie_breaks.rank_by_tie_breaks(
            replace(records, entrants=staying, matches=counted), codes=self.tie_breaks, dummies=False
        )
        place, last_place = len(staying) + 1, len(records.entrants)
        reason = "left before half of their matches, so all results are annulled"
        figures = tuple(Figure(code, NOTHING, f"{tie_breaks.NOT_USED}: annulled") for code in self.tie_breaks)
        gone = [entrant.id for entrant in records.entrants if entrant.id in annulled]
        return ranked + [
            Standing(entrant, place, last_place, 0, 0, reason, points=NOTHING, figures=figures) for entrant in gone
        ]

    def _is_annulled(self, records: Records, entrant: int) -> bool:
        if self.leavers == "keep" or records.by_id[entrant].is_active:
            return False
        own = [match for match in records.matches if entrant in match.entrants and match.places is not None]
        completed = sum(m.how == "played" or (m.how == "forfeit" and m.winner == entrant) for m in own)
        return 2 * completed < (len(records.entrants) - 1) * (1 + self.double)

    def draw(self, records: Records) -> tuple[Section, ...]:
        """With everything that the table has."""
        numbers = self._numbers(records)
        coming = [match for number in numbers for match in self._missing(records, number)]
        return rounds.draw_rounds(replace(records, matches=[*records.matches, *coming]), len(numbers))

    def objections(self, records: Records, proposed: Sequence[MatchRecord]) -> list[str]:
        found = []
        for match in proposed:
            due = [
                number
                for number in self._numbers(records)
                if set(match.entrants) in [set(planned.entrants) for planned in self._planned(records, number)]
            ]
            if match.spot.round not in due:
                who = " and ".join(f"@{entrant}" for entrant in match.entrants)
                what = f"{who} {'sits out' if match.is_bye else 'meet'}"
                when = f"in round {' and '.join(map(str, due))}" if due else "in no round"
                found.append(f"According to the schedule {what} {when}.")
        return found

    def _planned(self, records: Records, number: int) -> list[MatchRecord]:
        last = _even(len(records.entrants)) - 1  # round of the first time around
        swapped = {last: last - 1, last - 1: last} if self.double and self.swaps_last and last > 1 else {}
        return _planned(records, number, in_table=swapped.get(number, number))

    def _missing(self, records: Records, number: int) -> list[MatchRecord]:
        """The matches of a round that the table has and that are not there; nobody gets a second match."""
        busy = {entrant for match in rounds.matches_of_round(records, number) for entrant in match.entrants}
        missing = [match for match in self._planned(records, number) if busy.isdisjoint(match.entrants)]
        spots = rounds.free_spots(records, number)
        return [replace(match, spot=spot) for match, spot in zip(missing, spots, strict=False)]

    def _numbers(self, records: Records) -> range:
        """Of all rounds."""
        return range(1, self.rounds(len(records.entrants)) + 1)


def berger_round(entrants: int, number: int) -> list[tuple[int, int]]:
    """The pairings as numbers from 1; the first of a pair sits first.

    entrants: an even number. number: of the round, from 1 to one less than that.
    """
    others = entrants - 1
    against_last = (number - 1) * entrants // 2 % others
    pairs = [(against_last, others) if number % 2 else (others, against_last)]
    pairs += [((against_last + k) % others, (against_last - k) % others) for k in range(1, entrants // 2)]
    return [(first + 1, second + 1) for first, second in pairs]


def _even(entrants: int) -> int:
    return entrants + entrants % 2


def _planned(records: Records, number: int, *, in_table: int) -> list[MatchRecord]:
    """The matches of a round by the table, where numbers are seeds; the one who sits out comes last.

    in_table: the number of the round in the table, which goes on for the second time around.
    """
    by_seed = {entrant.seed: entrant.id for entrant in records.entrants}
    even = _even(len(by_seed))
    again, number_in_table = divmod(in_table - 1, even - 1)
    matches = []
    pairs = sorted(berger_round(even, number_in_table + 1), key=lambda pair: max(pair) > len(by_seed))
    for slot, pair in enumerate(pairs):
        seeds = pair[::-1] if again else pair
        spot, present = Spot(ROUNDS, number, slot), tuple(by_seed[seed] for seed in seeds if seed in by_seed)
        if len(present) == 1:
            why = "the number of entries is odd, so everyone sits out once"
            matches.append(MatchRecord(spot, present, (1,), "zero-bye", why=why))
        else:
            why = f"round {in_table} of the Berger table for {even}: number {seeds[0]} sits first against {seeds[1]}"
            matches.append(MatchRecord(spot, present, why=why))
    return matches
