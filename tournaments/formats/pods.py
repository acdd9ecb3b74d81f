"""Pods: rounds of tables of three to six; places at the tables give points.

Sizes. As few as possible sit out; see `seating.table_sizes`. An entrant who sits out has come, has had the fewest byes,
and of those stands last; entrants who have not come yet sit out only if no one else can. Smaller tables of a round go
to those who have sat there least often.

Company. Round 1 spreads the seeds over the tables. Later rounds put entrants together who are near in points, as in a
Swiss, and then exchange them, within a bound, to bend as little as possible, in this order: pairs that a director
forbids; smaller tables for those who had none yet; meetings (each pair costs the square of its meetings so far);
differences in points.

Seats. Side 0 sits first and the last side deals. The one who has started least often starts, then everyone sits where
they sat least often, then next to those they followed least often; what is equal is settled by lot.

Points. Places are counted from the top at a table of any size, so a smaller table has fewer places that give little
or nothing. A shared place shares its points. A bye gives the points of a first place, a half-bye half of them.
In a match decided by absence only those in first place have points. Rounds missed by a late entry give nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm
from random import Random
from typing import ClassVar

from tournaments.formats import lots, rounds, seating, tie_breaks
from tournaments.formats.contract import (
    HALF,
    NOTHING,
    Entrant,
    Format,
    MatchRecord,
    Records,
    Section,
    Spot,
    Standing,
)
from tournaments.formats.numbers import written
from tournaments.formats.tie_breaks import CAPPED, UNPLAYED_FIELD

NAMED = 3  # pairs who meet again, in the words for a table


@dataclass(frozen=True)
class Pods(Format):
    """sizes: of the tables, the favourite first. points: by place, from the first; further places have none."""

    slug = "pods"
    name = "Pods"
    summary = (
        "Each round is played at tables of three to six, with new opponents. Your place at the table gives points."
    )
    sides: ClassVar[tuple[int, ...]] = (2, 3, 4, 5, 6)
    by_rounds = True
    seats_in_order = True
    takes_late_entries = True

    sizes: tuple[int, ...] = field(
        default=(4, 3, 5), metadata={"label": "Table sizes", "help": "The preferred size first.", "low": 2, "high": 6}
    )
    planned_rounds: int = field(default=3, metadata={"label": "Rounds", "low": 1, "high": 30})
    points: tuple[int, ...] = field(
        default=(4, 2, 1),
        metadata={"label": "Points by place", "help": "From first place down. Lower places get none.", "low": 0},
    )
    tie_breaks: tuple[str, ...] = field(default=("WON", "AVG", "BH", "LOTS"), metadata={"label": "Tie-breaks"})
    unplayed: str = field(default=CAPPED, metadata=UNPLAYED_FIELD)

    def __post_init__(self) -> None:
        """:raises ValueError: there are no such tables."""
        if not self.sizes or not set(self.sizes) <= set(self.sides):
            raise ValueError("Enter table sizes from 2 to 6.")

    def rounds(self, entrants: int) -> int:
        return self.planned_rounds

    def next_matches(self, records: Records) -> list[MatchRecord]:
        number = rounds.coming_round(records)
        if number is None or number > self.planned_rounds:
            return []
        past = _Past(self, records, number)
        here = sorted(rounds.unpaired(records, number), key=past.standing)
        sizes = seating.table_sizes(len(here), self.sizes)
        if not sizes and all(match.is_bye for match in rounds.matches_of_round(records, number)):
            return []  # nobody could play
        resting = sorted(here, key=past.next_to_rest)[: len(here) - sum(sizes)]
        pairing, spots = _Pairing(records, number, past), rounds.free_spots(records, number)
        tables = pairing.tables([entrant for entrant in here if entrant not in resting], sizes)
        return [
            *(pairing.table(next(spots), table) for table in tables),
            *(pairing.bye(next(spots), entrant.id) for entrant in resting),
        ]

    def points_of(self, match: MatchRecord, side: int) -> Fraction:
        """What a table or a bye gives a side."""
        if match.places is None or match.how in ("zero-bye", "annulled"):
            return NOTHING
        if match.how == "half-bye":
            return HALF * self._points_for(0)
        if 1 not in match.places:
            return NOTHING
        if match.how == "forfeit" and match.places[side] != 1:
            return NOTHING
        better = sum(place < match.places[side] for place in match.places)
        sharing = match.places.count(match.places[side])
        return Fraction(sum(map(self._points_for, range(better, better + sharing))), sharing)

    def _points_for(self, place: int) -> int:
        """place: 0 is first."""
        return self.points[place] if place < len(self.points) else 0

    def standings(self, records: Records) -> list[Standing]:
        capped = self.unplayed == CAPPED
        return tie_breaks.rank_by_tie_breaks(records, codes=self.tie_breaks, points_of=self.points_of, capped=capped)

    def draw(self, records: Records) -> tuple[Section, ...]:
        return rounds.draw_rounds(records, self.planned_rounds)

    def objections(self, records: Records, proposed: Sequence[MatchRecord]) -> list[str]:
        if not proposed:
            return []
        number = proposed[0].spot.round
        matches = [*rounds.matches_of_round(records, number), *proposed]
        critic = _Critic(self.sizes, records, _Past(self, records, number), matches)
        return [objection for match in proposed for objection in critic.objections(match)]


class _Past:
    """The rounds before one. Only tables that were really played count as company and seats.

    met: by pair. small: times at a smaller table. sat, before: see `seating.seat_order`.
    """

    def __init__(self, pods: Pods, records: Records, number: int) -> None:
        self.points = dict.fromkeys(records.by_id, NOTHING)
        self.byes: Counter[int] = Counter()
        self.met: Counter[frozenset[int]] = Counter()
        self.small: Counter[int] = Counter()
        self.sat: Counter[tuple[int, int]] = Counter()
        self.before: Counter[tuple[int, int]] = Counter()
        earlier = [match for match in records.matches if match.spot.round < number and match.how != "annulled"]
        for match in earlier:
            for side, entrant in enumerate(match.entrants):
                self.points[entrant] += pods.points_of(match, side)
            if match.is_bye:
                self.byes[match.entrants[0]] += 1
        self._count_tables([match for match in earlier if match.how == "played"])

    def _count_tables(self, played: Sequence[MatchRecord]) -> None:
        full: dict[int, int] = {}
        for match in played:
            full[match.spot.round] = max(len(match.entrants), full.get(match.spot.round, 0))
        for match in played:
            self.met.update(map(frozenset, combinations(match.entrants, 2)))
            self.sat.update(seating.seats_and_last(match.entrants))
            self.before.update(seating.neighbours(match.entrants))
            if len(match.entrants) < full[match.spot.round]:
                self.small.update(match.entrants)

    def starts(self, entrant: int) -> int:
        return self.sat[entrant, 0]

    def meetings(self, entrants: Sequence[int]) -> list[tuple[int, int, str]]:
        """Pairs who have met, and how often, in words."""
        return [
            (one, other, _times_in_words(self.met[frozenset((one, other))]))
            for one, other in combinations(entrants, 2)
            if self.met[frozenset((one, other))]
        ]

    def standing(self, entrant: Entrant) -> tuple[Fraction, int]:
        """Sort key: the best first."""
        return -self.points[entrant.id], entrant.seed

    def next_to_rest(self, entrant: Entrant) -> tuple[bool, int, Fraction, int]:
        """Sort key: the next to sit out first."""
        return not entrant.has_come, self.byes[entrant.id], self.points[entrant.id], -entrant.seed


class _Pairing:
    """A round that is to be paired."""

    def __init__(self, records: Records, number: int, past: _Past) -> None:
        self.records, self.number, self.past = records, number, past
        self.lots = f"{records.lots}|{number}"

    def tables(self, players: Sequence[Entrant], sizes: Sequence[int]) -> list[list[int]]:
        """Ids by table. players: best first, as many as there are seats. sizes: largest first."""
        if not sizes:
            return []
        pairs, seats, good = self._costs(players, sizes)
        arrangement = seating.TableArrangement(self._first_guess(players, sizes), pairs, seats)
        arrangement.improve(Random(self.lots), good)
        return [[players[person].id for person in table] for table in arrangement.tables]

    def _first_guess(self, players: Sequence[Entrant], sizes: Sequence[int]) -> list[list[int]]:
        """By seeds, or by points with the smaller tables for the last of those who have sat there least often."""
        if self.number == 1:
            return seating.serpentine(sizes)
        small_seats = sum(size for size in sizes if size < sizes[0])
        by_need = sorted(range(len(players)), key=lambda person: (self.past.small[players[person].id], -person))
        small, full = by_need[:small_seats], by_need[small_seats:]
        return seating.fill_in_order(sorted(full) + sorted(small), sizes)

    def _costs(self, players: Sequence[Entrant], sizes: Sequence[int]) -> tuple[list[list[int]], list[list[int]], int]:
        """Of pairs, of seats, and what a meeting costs; any one rule outweighs all that come after it together."""
        past, ids = self.past, [player.id for player in players]
        scale = lcm(*(past.points[one].denominator for one in ids))
        points = [int(past.points[one] * scale) for one in ids]
        least = min(past.small[one] for one in ids)
        small = [past.small[one] - least for one in ids]
        couples = sum(size * (size - 1) // 2 for size in sizes)
        meeting = 1 + couples * (max(points) - min(points))
        small_table = meeting * (1 + couples * max(past.met.values(), default=0) ** 2)
        forbidden = small_table * (1 + sum(small))
        pairs = [[abs(one - other) for other in points] for one in points]
        person_of = {one: person for person, one in enumerate(ids)}
        bent = Counter({pair: meeting * times**2 for pair, times in past.met.items()})
        bent.update(dict.fromkeys(self.records.forbidden, forbidden))
        for pair, cost in bent.items():
            if pair <= person_of.keys():
                one, other = (person_of[entrant] for entrant in pair)
                pairs[one][other] += cost
                pairs[other][one] += cost
        seats = [[small_table * had * (size < sizes[0]) for size in sizes] for had in small]
        return pairs, seats, meeting

    def table(self, spot: Spot, entrants: Sequence[int]) -> MatchRecord:
        order = seating.seat_order(lots.order_by_lot(self.lots, entrants), self.past.sat, self.past.before)
        return MatchRecord(spot, order, why=f"{self._company(entrants)}. {self._start(order)}.")

    def _company(self, entrants: Sequence[int]) -> str:
        if self.number == 1:
            return "The seeds are spread over the tables"
        points = ", ".join(written(self.past.points[entrant]) for entrant in entrants)
        met = [f"@{one} and @{other} {times}" for one, other, times in self.past.meetings(entrants)]
        if not met:
            return f"Close in points ({points}), and no one has met before"
        more = [f"{len(met) - NAMED} more pairs"] if len(met) > NAMED else []
        return f"Close in points ({points}); met before: {', '.join(met[:NAMED] + more)}"

    def _start(self, order: Sequence[int]) -> str:
        starts = [self.past.starts(entrant) for entrant in order]
        if starts.count(starts[0]) == 1:
            return f"@{order[0]} sits first, because they did so least often"
        return f"@{order[0]} sits first, and no one here has done so less often"

    def bye(self, spot: Spot, entrant: int) -> MatchRecord:
        come = "" if all(other.has_come for other in self.records.entrants) else "who are here "
        byes = self.past.byes[entrant]
        why = f"There is no table left. Of those {come}with the fewest byes ({byes}), @{entrant} is last."
        return MatchRecord(spot, (entrant,), (1,), "bye", why=why)


class _Critic:
    """The rules that a match of a round would bend. matches: all that the round would have."""

    def __init__(self, sizes: Sequence[int], records: Records, past: _Past, matches: Sequence[MatchRecord]) -> None:
        self.sizes, self.records, self.past = sizes, records, past
        self.full = max(len(match.entrants) for match in matches)
        number = matches[0].spot.round
        self.here = [e.id for e in records.entrants if e.can_play and e.first_round <= number]
        self.has_come = {e.id: e.has_come for e in records.entrants}
        self.small = [e for match in matches if 1 < len(match.entrants) < self.full for e in match.entrants]
        self.resting = [e for match in matches if match.is_bye for e in match.entrants]

    def objections(self, match: MatchRecord) -> list[str]:
        if match.is_bye:
            return [*self._not_come_yet(match), *self._bye(match)]
        return [*self._size(match), *self._forbidden(match), *self._small(match), *self._met(match), *self._seat(match)]

    def _not_come_yet(self, match: MatchRecord) -> list[str]:
        has_others = any(self.has_come[e] for e in self.here if e not in self.resting)
        return [f"@{e} isn't here yet." for e in match.entrants if has_others and not self.has_come[e]]

    def _bye(self, match: MatchRecord) -> list[str]:
        """Who has come is compared with others who have."""
        others = [
            e for e in self.here if e not in self.resting and self.has_come[e] == self.has_come[match.entrants[0]]
        ]
        return self._turns(match.entrants, self.past.byes, others, "sat out")

    def _size(self, match: MatchRecord) -> list[str]:
        seats = len(match.entrants)
        return [] if seats in self.sizes else [f"This tournament has no tables of {seats}."]

    def _forbidden(self, match: MatchRecord) -> list[str]:
        return [
            f"A director doesn't want @{one} and @{other} to meet."
            for one, other in combinations(match.entrants, 2)
            if frozenset((one, other)) in self.records.forbidden
        ]

    def _met(self, match: MatchRecord) -> list[str]:
        meetings = self.past.meetings(match.entrants)
        return [f"@{one} and @{other} have met {times} before." for one, other, times in meetings]

    def _small(self, match: MatchRecord) -> list[str]:
        if len(match.entrants) == self.full:
            return []
        others = [e for e in self.here if e not in (*self.small, *self.resting)]
        return self._turns(match.entrants, self.past.small, others, "sat at a smaller table")

    def _seat(self, match: MatchRecord) -> list[str]:
        starts = Counter({entrant: self.past.starts(entrant) for entrant in match.entrants})
        return self._turns(match.entrants[:1], starts, match.entrants[1:], "sat first")

    def _turns(self, entrants: Sequence[int], had: Counter[int], others: Sequence[int], what: str) -> list[str]:
        """Entrants whose turn it is not: others, who do not get one in this round either, have had fewer."""
        least = min(others, key=had.__getitem__, default=None)
        return [
            f"@{one} has {what} {_times_in_words(had[one])} already, @{least} {_times_in_words(had[least])}."
            for one in entrants
            if least is not None and had[least] < had[one]
        ]


def _times_in_words(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")
