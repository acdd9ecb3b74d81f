from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.formats import swiss_checker
from tournaments.formats.contract import Entrant, Match, Records, Spot
from tournaments.formats.swiss import ROUNDS, Swiss

CHUNKS = 20
EVENTS = 250  # in each chunk
WIN, LOSS, DRAW = (1, 2), (2, 1), (1, 1)


def field(size: int) -> list[Entrant]:
    """Ids are seeds."""
    return [Entrant(seed, seed) for seed in range(1, size + 1)]


def favourite(match: Match) -> tuple[int, ...]:
    return WIN if match.entrants[0] < match.entrants[1] else LOSS


def decided(matches: list[Match], result=favourite) -> list[Match]:
    return [match if match.places else replace(match, places=result(match)) for match in matches]


def play(swiss: Swiss, entrants: list[Entrant], rounds: int, result=favourite) -> list[Match]:
    matches: list[Match] = []
    for _ in range(rounds):
        matches += decided(swiss.next_matches(Records(entrants, matches)), result)
    return matches


def tables(matches: list[Match]) -> list[tuple[int, ...]]:
    """From the top, the better seed first."""
    return [tuple(sorted(match.entrants)) for match in matches]


# Thousands of events, checked round by round


class Event:
    """An event in which everything happens that can."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        size = rng.choice((2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 13, 16, rng.randint(17, 40)))
        self.swiss = Swiss(
            planned_rounds=rng.choice((0, 4, 5, 7)),
            accelerated=rng.random() < 0.2,
            late_points=rng.choice(("zero", "half")),
        )
        self.entrants, self.matches = field(size), []
        self.forbidden: set[frozenset[int]] = set()
        self.is_lively = rng.random() < 0.7

    @property
    def records(self) -> Records:
        return Records(self.entrants, self.matches, frozenset(self.forbidden))

    def virtual(self, number: int) -> dict[int, Fraction]:
        if not self.swiss.accelerated:
            return dict.fromkeys((entrant.id for entrant in self.entrants), Fraction(0))
        return swiss_checker.extra(self.records, number, self.swiss.rounds(len(self.entrants)))

    def result(self, match: Match) -> Match:
        places = self.rng.choice((WIN, WIN, LOSS, DRAW))
        how = self.rng.choice(("played",) * 12 + ("forfeit", "annulled")) if self.is_lively else "played"
        if how == "forfeit":
            places = self.rng.choice((WIN, LOSS, (2, 2)))
        return match if match.places else replace(match, places=places, how=how)

    def disturb(self, number: int) -> None:
        """People come, leave, come back; a director forbids a pair or puts one into the coming round."""
        for i, entrant in enumerate(self.entrants):
            if self.rng.random() < 0.05:
                came_back = not entrant.is_active
                self.entrants[i] = replace(
                    entrant, is_active=came_back, first_round=number if came_back else entrant.first_round
                )
        if self.rng.random() < 0.2:
            new = len(self.entrants) + 1
            self.entrants.append(Entrant(new, new, first_round=number + self.rng.randint(0, 1)))
        ready = [e.id for e in self.entrants if e.is_active and e.first_round <= number]
        if len(ready) >= 2 and self.rng.random() < 0.2:
            self.forbidden.add(frozenset(self.rng.sample(ready, 2)))
        if len(ready) >= 2 and self.rng.random() < 0.1:
            self.matches.append(Match(Spot(ROUNDS, number, self.rng.randint(0, 3)), tuple(self.rng.sample(ready, 2))))

    def play_round(self) -> list[str]:
        """Pairs and plays a round; what the checker says about it."""
        number = max((match.spot.round for match in self.matches), default=0) + 1
        if self.is_lively:
            self.disturb(number)
        new = self.swiss.next_matches(self.records)
        late = [match for match in new if match.spot.round < number]
        known = replace(self.records, matches=[*self.matches, *late])
        found = (
            list(swiss_checker.faults(known, [m for m in new if m not in late], number, self.virtual)) if new else []
        )
        self.matches = [self.result(match) for match in [*self.matches, *new]]
        return found


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_round_of_hundreds_of_events_keeps_the_rules(chunk):
    for number in range(EVENTS):
        event = Event(Random(f"{chunk} {number}"))
        while not event.swiss.is_over(event.records):
            assert not event.play_round(), f"event {chunk} {number}: {event.records}"


# Worked examples: the first rounds of a Swiss as handbooks print them


def test_the_top_half_meets_the_bottom_half_in_round_one():
    assert tables(Swiss().next_matches(Records(field(8)))) == [(1, 5), (2, 6), (3, 7), (4, 8)]


def test_an_odd_last_one_has_the_bye_in_round_one():
    *pairs, bye = Swiss().next_matches(Records(field(7)))
    assert tables(pairs) == [(1, 4), (2, 5), (3, 6)]
    assert (bye.entrants, bye.places, bye.how) == ((7,), (1,), "bye")


def test_winners_meet_winners_in_round_two():
    matches = play(Swiss(), field(8), 1)
    assert tables(Swiss().next_matches(Records(field(8), matches))) == [(1, 3), (2, 4), (5, 7), (6, 8)]


def test_with_favourites_winning_the_best_two_meet_in_the_third_round_of_eight():
    matches = play(Swiss(), field(8), 3)
    assert tables(matches)[8:] == [(1, 2), (3, 5), (4, 6), (7, 8)]
