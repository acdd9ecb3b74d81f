"""Checks a round of a Swiss by its rules, with code of its own: nothing here comes from the pairing.

What is least is found by trying: all pairings of up to ten players; of more, whether one without rematches exists
(by the rank of the Tutte matrix), and whether any two pairs would be better off with partners exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from random import Random

from tournaments.formats.contract import MatchRecord, Records

ALL_PAIRINGS = 10
PRIME = 2_147_483_647
BYE = -1
MISSED = ("half-bye", "zero-bye")


@dataclass
class Past:
    """What one entrant brings into a round."""

    halves: int = 0  # half points
    opponents: list[int] = field(default_factory=list)
    free_wins: int = 0
    seats: list[int] = field(default_factory=list)
    fell: bool = False
    rose: bool = False
    stayed_away: bool = False

    @property
    def lead(self) -> int:
        """Matches on side 0 more than on side 1."""
        return self.seats.count(0) - self.seats.count(1)

    @property
    def must_change(self) -> int | None:
        """The side that it is time for."""
        if abs(self.lead) > 1:
            return 1 if self.lead > 0 else 0
        return 1 - self.seats[-1] if len(self.seats) > 1 and len(set(self.seats[-2:])) == 1 else None


def extra(records: Records, number: int, rounds: int) -> dict[int, int]:
    """Virtual half points in an accelerated event of so many rounds, as the published rule counts them."""
    fast = -(-rounds // 2)
    opened = [match for match in records.matches if match.spot.round == 1]
    seen = {entrant for match in opened for entrant in match.entrants}
    in_time = sum(match.how not in MISSED for match in opened for _ in match.entrants)
    in_time += sum(e.can_play and e.first_round == 1 and e.id not in seen for e in records.entrants)
    upper = 2 * -(-in_time // 4)
    size = 2 if number <= -(-fast // 2) else 1 if number <= fast else 0
    return {entrant.id: size if entrant.seed <= upper else 0 for entrant in records.entrants}


def gained(match: MatchRecord, side: int) -> int:
    """Half points."""
    if match.how in ("annulled", "zero-bye") or match.places is None or match.places[side] != 1:
        return 0
    return 1 if match.how == "half-bye" or match.places == (1, 1) else 2


def past(records: Records, number: int, virtual) -> dict[int, Past]:
    """virtual: from the number of a round to virtual half points by entrant."""
    known = {entrant.id: Past() for entrant in records.entrants}
    for at in range(1, number):
        before = {entrant: known[entrant].halves + virtual(at)[entrant] for entrant in known}
        for one in known.values():
            one.fell = one.rose = False
        for match in records.matches:
            if match.spot.round != at or match.how == "annulled":
                continue
            for side, entrant in enumerate(match.entrants):
                one = known[entrant]
                one.halves += gained(match, side)
                one.fell = match.how == "bye" or any(before[e] < before[entrant] for e in match.entrants)
                one.rose = any(before[e] > before[entrant] for e in match.entrants)
                one.free_wins += match.how == "bye" or (match.how == "forfeit" and match.places[side] == 1)
                if match.how == "played":
                    one.opponents += [e for e in match.entrants if e != entrant]
                    one.seats.append(side)
    for entrant in records.entrants:
        one = known[entrant.id]
        one.halves += virtual(number)[entrant.id]
        one.stayed_away = not entrant.has_come
    return known


Cost = tuple[int, ...]


def cost(known: dict[int, Past], forbidden, one: int, other: int) -> Cost:
    """Less is better: a bye for one who has not come, byes had, forbidden, met, points with the bye, squared distance,
    the same float again, seats."""
    if other == BYE:
        own = known[one]
        return int(own.stayed_away), own.free_wins, 0, 0, own.halves, 0, int(own.fell), 0
    high, low = sorted((known[one], known[other]), key=lambda past: -past.halves)
    gap = high.halves - low.halves
    again = (high.fell + low.rose) if gap else 0
    stuck = high.must_change is not None and high.must_change == low.must_change
    met = known[one].opponents.count(other)
    return 0, 0, int(frozenset((one, other)) in forbidden), met, 0, gap**2, again, int(stuck)


def total(costs) -> Cost:
    return tuple(map(sum, zip(*costs, strict=True)))


def least(known: dict[int, Past], forbidden, players: list[int]) -> Cost:
    """Over all pairings of the players, with a bye where their number is odd."""
    everyone = tuple(players) + (BYE,) * (len(players) % 2)
    of = cache(partial(cost, known, forbidden))

    @cache
    def best(left: tuple[int, ...]) -> Cost:
        if not left:
            return (0,) * 8
        first, rest = left[0], left[1:]
        return min(total((of(first, other), best(tuple(e for e in rest if e != other)))) for other in rest)

    return best(everyone)


def can_be_matched(players: list[int], is_edge) -> bool:
    """True only if there is a perfect matching; wrong with a chance of about one in a hundred million.

    Source: W. T. Tutte (1947), L. Lovász (1979): the determinant of a random skew-symmetric matrix.
    """
    rng, size = Random(1), len(players)
    rows = [[0] * size for _ in players]
    for a, b in combinations(range(size), 2):
        if is_edge(players[a], players[b]):
            rows[a][b] = rng.randrange(1, PRIME)
            rows[b][a] = PRIME - rows[a][b]
    for column in range(size):
        pivot = next((row for row in range(column, size) if rows[row][column]), None)
        if pivot is None:
            return False
        rows[column], rows[pivot] = rows[pivot], rows[column]
        inverse = pow(rows[column][column], -1, PRIME)
        for row in range(column + 1, size):
            factor = rows[row][column] * inverse % PRIME
            if factor:
                rows[row] = [(x - factor * y) % PRIME for x, y in zip(rows[row], rows[column], strict=True)]
    return True


def faults(records: Records, new: list[MatchRecord], number: int, virtual) -> Iterator[str]:
    """What is wrong with the matches that were added to a round.

    records: before them, with byes that late entrants have for the rounds they missed.
    """
    known = past(records, number, virtual)
    engaged = [entrant for match in records.matches if match.spot.round == number for entrant in match.entrants]
    ready = [e.id for e in records.entrants if e.can_play and e.first_round <= number and e.id not in engaged]
    new = [match for match in new if match.how not in MISSED]
    paired = [entrant for match in new for entrant in match.entrants]
    if sorted(paired) != sorted(ready):
        yield f"{sorted(ready)} can play, {sorted(paired)} are paired"
        return
    if len({match.spot for match in [*records.matches, *new]}) != len(records.matches) + len(new):
        yield "two matches at one spot"
    pairs = [(*match.entrants, BYE)[:2] for match in new]
    yield from _bye_faults(known, ready, [one for one, other in pairs if other == BYE])
    found = total([cost(known, records.forbidden, *pair) for pair in pairs] or [(0,) * 8])
    if len(ready) <= ALL_PAIRINGS:
        if found != (best := least(known, records.forbidden, ready)):
            yield f"costs {found}, {best} is possible"
    else:
        yield from _faults_of_many(known, records.forbidden, pairs)
    yield from _seat_faults(known, new)


def _bye_faults(known: dict[int, Past], ready: list[int], with_bye: list[int]) -> Iterator[str]:
    if len(with_bye) != len(ready) % 2:
        yield f"{len(with_bye)} byes among {len(ready)}"
    came = [e for e in ready if not known[e].stayed_away] or ready
    for entrant in with_bye:
        if entrant not in came:
            yield f"{entrant} has a bye without having come"
        elif known[entrant].free_wins > min(known[e].free_wins for e in came):
            yield f"{entrant} has another bye before all have had one"


def _faults_of_many(known: dict[int, Past], forbidden, pairs: list[tuple[int, int]]) -> Iterator[str]:
    of = cache(partial(cost, known, forbidden))

    def is_new(one: int, other: int) -> bool:
        stayed_away, byes, is_forbidden, met, *_ = of(one, other)
        return (stayed_away, byes) == (least_bye if other == BYE else (0, 0)) and not is_forbidden and not met

    players = [entrant for pair in pairs for entrant in pair]
    least_bye = min(of(entrant, BYE)[:2] for entrant in players if entrant != BYE)
    if not all(is_new(*pair) for pair in pairs) and can_be_matched(sorted(players, reverse=True), is_new):
        yield "a rematch, or a pair that is forbidden, though it can be avoided"
    for (a, b), (c, d) in combinations(pairs, 2):
        own = total((of(a, b), of(c, d)))
        for first, second in (((a, c), (b, d)), ((a, d), (b, c))):
            swapped = [pair if pair[0] != BYE else pair[::-1] for pair in (first, second)]
            if total(of(*pair) for pair in swapped) < own:
                yield f"{a}-{b} and {c}-{d} would better be {swapped}"


def _seat_faults(known: dict[int, Past], new: list[MatchRecord]) -> Iterator[str]:
    for match in new:
        if len(match.entrants) == 2:
            first, last = (known[entrant] for entrant in match.entrants)
            if first.lead > last.lead:
                yield f"{match.entrants[0]} sits first, who did so more often than {match.entrants[1]}"
