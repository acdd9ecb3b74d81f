"""Arena: play as often as you can until the time is up.

There are no rounds. Free players are paired again with a neighbour in the standings. What is paired at once is a
wave, and waves have numbers; longer pauses between waves leave more players free, and so give better pairings.

Points: 2 for a win, 1 for a draw. Two wins in a row start a streak, in which every match counts double until one is not
won; if that one is a draw, it still counts double. So two wins and a draw are 2 + 2 + 2, and three wins and a defeat
2 + 2 + 4 + 0. A bye from a director gives 2 and neither continues nor ends a streak. These are the usual rules of chess
arenas on the internet. A win by forfeit is not played: like a bye it gives 2 and leaves the streak as it is. Losing by
forfeit ends it.

Pairing: all who are free are ordered by points, then by seed, and neighbours meet. Where two would meet their last
opponent again, they exchange partners with a pair near by, if that helps (NEAR). Where it does not, they wait, as long
as anyone else is here whom one of them could meet, free or still playing. Of an odd number one who was paired most
recently waits, so that nobody waits while others come and go: the one of the last three (MAY_WAIT) who leaves fewest
rematches. A pair that a director forbids waits, too. Seats: the player who sat first more often, or else last time,
sits last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from tournaments.formats import lots, tie_breaks
from tournaments.formats.contract import (
    WIN,
    Cell,
    Column,
    Entrant,
    Format,
    MatchRecord,
    Records,
    Section,
    Side,
    Spot,
    Standing,
    match_points,
    sides_of,
)

ARENA = "arena"
WIN_POINTS = 2
STREAK = 2  # wins in a row, after which everything counts double
NEAR = 8  # pairs up or down the standings
MAY_WAIT = 3
SHOWN = 20  # matches in the draw
FORBIDDEN, REMATCH = 2, 1  # what is wrong with a pair

Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Arena(Format):
    """minutes: how long it is played; matches under way then are finished. streaks: wins in a row count double.

    tie_breaks: by default no Buchholz, because losing more often to good opponents would add to it.
    """

    slug = "arena"
    name = "Arena"
    summary = "Play as many games as you can until the time is up. Each win scores, and wins in a row score more."
    seats_in_order = True
    takes_late_entries = True

    minutes: int = field(default=30, metadata={"label": "Minutes", "low": 1, "high": 24 * 60})
    streaks: bool = field(
        default=True,
        metadata={"label": "Streaks", "help": "After two wins in a row, matches count double until you don't win one."},
    )
    tie_breaks: tuple[str, ...] = field(default=("WON", "SB", "LOTS"), metadata={"label": "Tie-breaks, in order"})

    def rounds(self, entrants: int) -> int:
        return 0

    def next_matches(self, records: Records) -> list[MatchRecord]:
        if records.is_closed:
            return []
        wave = max((match.spot.round for match in records.matches), default=0) + 1
        floor = _Floor(records, self.points(records))
        pairs = enumerate(floor.pairs())
        return [floor.match(Spot(ARENA, wave, slot), pair) for slot, pair in pairs]

    def is_over(self, records: Records) -> bool:
        return records.is_closed and records.all_decided

    def points(self, records: Records) -> dict[tuple[Spot, int], int]:
        """The points of every decided match, by spot and side."""
        found: dict[tuple[Spot, int], int] = {}
        in_a_row: Counter[int] = Counter()
        for match in sorted(records.matches, key=lambda match: match.spot):
            if match.places is None or match.how == "annulled":
                continue
            for side, entrant in enumerate(match.entrants):
                result = match_points(match, side)
                is_free = match.is_bye or (match.how == "forfeit" and result == WIN)
                is_double = self.streaks and in_a_row[entrant] >= STREAK and not is_free
                found[match.spot, side] = int(WIN_POINTS * result) * (2 if is_double else 1)
                if not is_free:
                    in_a_row[entrant] = in_a_row[entrant] + 1 if result == WIN else 0
        return found

    def standings(self, records: Records) -> list[Standing]:
        points = self.points(records)

        def points_of(match: MatchRecord, side: int) -> Fraction:
            return Fraction(points[match.spot, side])

        return tie_breaks.rank_by_tie_breaks(records, codes=self.tie_breaks, points_of=points_of, dummies=False)

    def draw(self, records: Records) -> tuple[Section, ...]:
        """The latest matches, newest first; all of them would be far too many for a page."""
        numbered = list(enumerate(sorted(records.matches, key=lambda match: match.spot), start=1))
        cells = tuple(_cell(number, match) for number, match in reversed(numbered[-SHOWN:]))
        return (Section(ARENA, "Latest matches", False, (Column(1, "Latest matches", cells),)),) if cells else ()

    def objections(self, records: Records, proposed: Sequence[MatchRecord]) -> list[str]:
        floor = _Floor(records, self.points(records))
        return [objection for match in proposed for objection in floor.objections(match)]


class _Floor:
    """The players who are free, and what they have played last.

    here: players who are free or playing, and can be paired again. last: the latest match of each entrant.
    firsts: how much more often each has sat first than last.
    """

    def __init__(self, records: Records, points: dict[tuple[Spot, int], int]) -> None:
        self.records = records
        self.points: Counter[int] = Counter()
        self.last: dict[int, MatchRecord] = {}
        self.firsts: Counter[int] = Counter()
        for match in sorted(records.matches, key=lambda match: match.spot):
            for side, entrant in enumerate(match.entrants):
                self.points[entrant] += points.get((match.spot, side), 0)
                if match.how != "annulled" and not match.is_bye:
                    self.last[entrant] = match
                    self.firsts[entrant] += 1 if side == 0 else -1
        self.busy = {e for match in records.matches if match.places is None for e in match.entrants}
        here = [entrant for entrant in records.entrants if entrant.can_play]
        self.here = {entrant.id for entrant in here}
        self.free = sorted((entrant for entrant in here if entrant.id not in self.busy), key=self._standing)

    def _standing(self, entrant: Entrant) -> tuple[int, int]:
        return -self.points[entrant.id], entrant.seed

    def pairs(self) -> list[Pair]:
        free = [entrant.id for entrant in self.free]
        crowds = [free]
        if len(free) % 2:
            latest = sorted(free, key=self._wave, reverse=True)[:MAY_WAIT]
            crowds = [[entrant for entrant in free if entrant != waiting] for waiting in latest]
        best = min(map(self._neighbours_exchanged, crowds), key=self._total_penalty)
        return [pair for pair in best if self._may_meet(pair)]

    def _may_meet(self, pair: Pair) -> bool:
        """Whether a pair is as good as possible with those who are here, so that it need not wait."""
        wrong = self._pair_penalty(pair)
        return not wrong or (wrong == REMATCH and not self._has_others(pair))

    def _has_others(self, pair: Pair) -> bool:
        """Whether one of the two could meet another entrant who is here."""
        others = self.here - {*pair}
        return any(frozenset((own, other)) not in self.records.forbidden for own in pair for other in others)

    def _wave(self, entrant: int) -> int:
        """The wave in which an entrant was last paired."""
        return self.last[entrant].spot.round if entrant in self.last else 0

    def _pair_penalty(self, pair: Pair) -> int:
        if frozenset(pair) in self.records.forbidden:
            return FORBIDDEN
        return REMATCH if any(e in self.last and set(pair) <= set(self.last[e].entrants) for e in pair) else 0

    def _total_penalty(self, pairs: Iterable[Pair]) -> int:
        return sum(map(self._pair_penalty, pairs))

    def _neighbours_exchanged(self, crowd: Sequence[int]) -> list[Pair]:
        """Neighbours; a pair with a fault exchanges partners with the nearest pair."""
        pairs = list(zip(crowd[::2], crowd[1::2], strict=True))
        for index, pair in enumerate(pairs):
            if not self._pair_penalty(pair):
                continue
            near = range(max(index - NEAR, 0), min(index + NEAR + 1, len(pairs)))
            for other in sorted(near, key=lambda other: abs(other - index)):
                exchanged = self._exchanged(pairs[index], pairs[other]) if other != index else None
                if exchanged:
                    pairs[index], pairs[other] = exchanged
                    break
        return pairs

    def _exchanged(self, pair: Pair, other: Pair) -> tuple[Pair, Pair] | None:
        """Two pairs of the same players with fewer faults, or None."""
        (a, b), (c, d) = pair, other
        best = min((((a, c), (b, d)), ((a, d), (b, c))), key=self._total_penalty)
        return best if self._total_penalty(best) < self._total_penalty((pair, other)) else None

    def match(self, spot: Spot, pair: Pair) -> MatchRecord:
        drawn = lots.order_by_lot(f"{self.records.lots}|{spot.round}", pair)
        first, last = sorted(drawn, key=lambda entrant: (self.firsts[entrant], self._sat_first(entrant)))
        return MatchRecord(spot, (first, last), why=f"{self._why(pair)} {self._why_first(first, last)}")

    def _sat_first(self, entrant: int) -> bool:
        """Whether an entrant sat first last time."""
        return entrant in self.last and self.last[entrant].entrants[0] == entrant

    def _why(self, pair: Pair) -> str:
        one, other = pair
        again = " They meet again because no one else is available." if self._pair_penalty(pair) else ""
        return f"Both were free, with {self.points[one]} and {self.points[other]} points.{again}"

    def _why_first(self, first: int, last: int) -> str:
        if self.firsts[first] < self.firsts[last]:
            return f"@{first} sits first, because they did so less often."
        if self._sat_first(first) != self._sat_first(last):
            return f"@{first} sits first, because they sat last the time before."
        return f"@{first} sits first by random draw."

    def objections(self, match: MatchRecord) -> list[str]:
        found = [f"@{e} is still playing." for e in match.entrants if e in self.busy]
        found += [f"@{e} has left." for e in match.entrants if not self.records.by_id[e].is_active]
        found += [f"@{e} sits out." for e in match.entrants if self.records.by_id[e].sits_out]
        if len(match.entrants) == 2:
            one, other = match.entrants
            wrong = {
                FORBIDDEN: f"A director doesn't want @{one} and @{other} to meet.",
                REMATCH: f"@{one} and @{other} would meet twice in a row.",
            }
            found += [text for kind, text in wrong.items() if kind == self._pair_penalty((one, other))]
        return found


def _cell(number: int, match: MatchRecord) -> Cell:
    sides = (Side(match.entrants[0]), Side(None, "bye")) if match.is_bye else sides_of(match)
    return Cell(match.spot, f"Match {number}", sides)
