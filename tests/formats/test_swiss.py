"""`SWISS_EVENTS=250 pytest tests/formats/test_swiss.py` plays five times as many events as usual."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.formats import swiss_checker
from tests.formats.playing import chance, favourite
from tests.work import calls_in
from tournaments.formats.contract import Entrant, MatchRecord, Records, Spot
from tournaments.formats.rounds import ROUNDS
from tournaments.formats.swiss import Swiss
from tournaments.formats.swiss_pairing import EXACT

CHUNKS = 20
EVENTS = int(os.environ.get("SWISS_EVENTS", "50"))  # in each chunk
FURTHEST = 3  # that anybody sat on one side more often than on the other
WIN, LOSS, DRAW, NOBODY = (1, 2), (2, 1), (1, 1), (2, 2)


def field(size: int) -> list[Entrant]:
    """Ids are seeds."""
    return [Entrant(seed, seed) for seed in range(1, size + 1)]


def match(number: int, slot: int, *entrants: int, places=WIN, how="played") -> MatchRecord:
    return MatchRecord(Spot(ROUNDS, number, slot), entrants, places, how)


def decided(matches: list[MatchRecord], result=favourite) -> list[MatchRecord]:
    return [match if match.places else replace(match, places=result(match)) for match in matches]


def play(swiss: Swiss, entrants: list[Entrant], rounds: int, result=favourite) -> list[MatchRecord]:
    matches: list[MatchRecord] = []
    for _ in range(rounds):
        matches += decided(swiss.next_matches(Records(entrants, matches)), result)
    return matches


def tables(matches: list[MatchRecord]) -> list[tuple[int, ...]]:
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

    def virtual(self, number: int) -> dict[int, int]:
        if not self.swiss.accelerated:
            return dict.fromkeys((entrant.id for entrant in self.entrants), 0)
        return swiss_checker.extra(self.records, number, self.swiss.rounds(len(self.entrants)))

    def result(self, match: MatchRecord) -> MatchRecord:
        places = self.rng.choice((WIN, WIN, LOSS, DRAW))
        how = self.rng.choice(("played",) * 12 + ("forfeit", "annulled")) if self.is_lively else "played"
        if how == "forfeit":
            places = self.rng.choice((WIN, LOSS, NOBODY))
        return match if match.places else replace(match, places=places, how=how)

    def disturb(self, number: int) -> None:
        """People come, leave, come back; a director forbids a pair or puts one into the coming round."""
        for i, entrant in enumerate(self.entrants):
            if self.rng.random() < 0.05:
                came_back = not entrant.is_active
                self.entrants[i] = replace(
                    entrant, is_active=came_back, first_round=number if came_back else entrant.first_round
                )
            elif self.rng.random() < 0.05:
                is_back = entrant.sits_out
                first_round = number if is_back else entrant.first_round
                self.entrants[i] = replace(entrant, sits_out=not is_back, has_come=is_back, first_round=first_round)
        if self.rng.random() < 0.2:
            new = len(self.entrants) + 1
            has_come = self.rng.random() < 0.7
            first_round = number + self.rng.randint(0, 1)
            self.entrants.append(Entrant(new, new, first_round=first_round, has_come=has_come))
        ready = [e.id for e in self.entrants if e.can_play and e.first_round <= number]
        if len(ready) >= 2 and self.rng.random() < 0.2:
            self.forbidden.add(frozenset(self.rng.sample(ready, 2)))
        if len(ready) >= 2 and self.rng.random() < 0.1:
            self.matches.append(
                MatchRecord(Spot(ROUNDS, number, self.rng.randint(0, 3)), tuple(self.rng.sample(ready, 2)))
            )

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

    def leads(self) -> list[int]:
        """How much more often everyone sat on one side than on the other."""
        number = max((match.spot.round for match in self.matches), default=0) + 1
        return [abs(one.lead) for one in swiss_checker.past(self.records, number, self.virtual).values()]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_round_of_hundreds_of_events_keeps_the_rules(chunk):
    for number in range(EVENTS):
        event = Event(Random(f"{chunk} {number}"))
        while not event.swiss.is_over(event.records):
            assert not event.play_round(), f"event {chunk} {number}: {event.records}"
        assert max(event.leads()) <= FURTHEST, f"event {chunk} {number}"


def nothing_virtual(records: Records):
    return lambda _: dict.fromkeys(records.by_id, 0)


def halves_before(records: Records, number: int) -> dict[int, int]:
    """Half points by entrant."""
    known = swiss_checker.past(records, number, nothing_virtual(records))
    return {entrant: one.halves for entrant, one in known.items()}


@pytest.mark.parametrize("size", [150, 301])
def test_a_large_field_has_no_more_pairs_across_groups_than_their_sizes_demand(size):
    entrants, matches, swiss = field(size), [], Swiss(planned_rounds=6)
    rng = Random(size)
    for number in range(1, 7):
        records = Records(entrants, matches)
        halves, new = halves_before(records, number), swiss.next_matches(records)
        assert not list(swiss_checker.faults(records, new, number, nothing_virtual(records)))
        resting = {m.entrants[0] for m in new if m.is_bye}
        sizes = Counter(halves[e.id] for e in entrants if e.id not in resting)
        above = [sum(sizes[h] for h in sizes if h >= half) for half in sizes]
        across = [m for m in new if not m.is_bye and len({halves[e] for e in m.entrants}) == 2]
        assert len(across) == sum(count % 2 for count in above)
        matches += decided(new, chance(rng, draws=True))
    known = swiss_checker.past(Records(entrants, matches), 7, nothing_virtual(records))
    assert max(abs(one.lead) for one in known.values()) <= 2


def test_pairing_twice_as_many_is_little_more_than_twice_the_work():
    def work(size: int) -> int:
        entrants, swiss = field(size), Swiss()
        matches = play(swiss, entrants, 4, chance(Random(5), draws=True))
        return calls_in(lambda: swiss.next_matches(Records(entrants, matches)))

    assert work(1000) < 2.5 * work(500)


# Worked examples: the first rounds of a Swiss as handbooks print them


@pytest.mark.parametrize(("size", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 3), (8, 3), (9, 4), (64, 6), (65, 7)])
def test_enough_rounds_to_leave_one_unbeaten_are_planned(size, rounds):
    assert Swiss().rounds(size) == rounds
    assert Swiss(planned_rounds=7).rounds(size) == (7 if size > 1 else 0)


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


def test_the_last_of_an_odd_group_meets_the_first_of_the_next_one():
    matches = play(Swiss(), field(10), 1)
    assert tables(Swiss().next_matches(Records(field(10), matches))) == [(1, 3), (2, 4), (5, 6), (7, 9), (8, 10)]


@pytest.mark.parametrize(
    ("size", "first_round"), [(161, [(1, 42), (41, 82), (83, 122)]), (8, [(1, 3), (2, 4), (5, 7)])]
)
def test_an_accelerated_first_round_keeps_the_halves_apart_as_the_handbook_counts_them(size, first_round):
    pairs = tables(Swiss(accelerated=True).next_matches(Records(field(size))))
    assert set(first_round) <= set(pairs)


@pytest.mark.parametrize(("played", "are_apart"), [(0, True), (2, True), (3, True), (4, True), (5, False)])
def test_of_nine_rounds_five_are_accelerated(played, are_apart):
    """Everybody has drawn all matches, so that only virtual points tell them apart."""
    swiss = Swiss(planned_rounds=9, accelerated=True)
    matches = play(swiss, field(40), played, lambda _: DRAW)
    across = [1 for a, b in tables(swiss.next_matches(Records(field(40), matches))) if a <= 20 < b]
    assert (not across) == are_apart


# Byes


def test_nobody_has_a_second_bye_before_all_have_had_one():
    matches = play(Swiss(planned_rounds=10), field(5), 10, chance(Random(1)))
    assert Counter(m.entrants[0] for m in matches if m.is_bye) == dict.fromkeys(range(1, 6), 2)


def test_a_win_by_forfeit_counts_as_a_bye():
    matches = [match(1, 0, 1, 2), match(1, 1, 3, 4, how="forfeit"), match(1, 2, 5, how="bye", places=(1,))]
    matches += [match(2, 0, 1, 5), match(2, 1, 3, 2, places=LOSS), match(2, 2, 4, how="bye", places=(1,))]
    bye = Swiss(planned_rounds=5).next_matches(Records(field(5), matches))[-1]
    assert bye.entrants == (2,)  # 3, 4 and 5 have one point, too


@pytest.mark.parametrize("size", [5, EXACT + 1])
def test_somebody_who_has_not_come_yet_has_no_bye(size):
    entrants = [replace(e, has_come=e.id <= 2) for e in field(size)]
    bye = Swiss().next_matches(Records(entrants))[-1]
    assert bye.entrants == (2,)
    assert (
        bye.why
        == "The number of players is odd. @2 has 0 points, the fewest of all who have come and have not had a bye."
    )


def test_a_second_bye_is_rather_for_who_is_here_than_a_first_one_for_who_never_came():
    byes = [match(number, 2, 5, how="bye", places=(1,)) for number in (1, 2)]
    played = [match(1, 0, 1, 3), match(1, 1, 2, 4), match(2, 0, 1, 2), match(2, 1, 3, 4)]
    entrants = [replace(e, has_come=e.id == 5) for e in field(5)]
    bye = Swiss(planned_rounds=4).next_matches(Records(entrants, [*played, *byes]))[-1]
    assert bye.entrants == (5,)


def test_where_nobody_has_come_the_last_one_has_the_bye():
    entrants = [replace(e, has_come=False) for e in field(5)]
    bye = Swiss().next_matches(Records(entrants))[-1]
    assert bye.entrants == (5,)
    assert bye.why == "The number of players is odd. @5 has 0 points, the fewest of all who have not had a bye."


# Who is there


def test_who_sits_out_is_not_paired_and_is_again_once_back():
    entrants = field(8)
    matches = play(Swiss(), entrants, 1)
    away = [replace(e, sits_out=e.id == 1) for e in entrants]
    second = Swiss().next_matches(Records(away, matches))
    assert {e for m in second for e in m.entrants} == set(range(2, 9))
    back = [replace(e, first_round=3 if e.id == 1 else 1) for e in entrants]
    third = Swiss().next_matches(Records(back, [*matches, *decided(second)]))
    assert sorted(e for m in third for e in m.entrants) == list(range(1, 9))


def test_whoever_sits_out_is_not_behind_those_with_as_many_points_as_who_has_left_is():
    entrants = field(4)
    matches = play(Swiss(tie_breaks=("LOTS",)), entrants, 1)
    here = [s.entrant for s in Swiss(tie_breaks=("LOTS",)).standings(Records(entrants, matches))]
    for one in here:
        away = [replace(e, sits_out=e.id == one) for e in entrants]
        assert [s.entrant for s in Swiss(tie_breaks=("LOTS",)).standings(Records(away, matches))] == here


def test_a_round_waits_for_the_last_result_of_the_one_before():
    first, *others = Swiss().next_matches(Records(field(8)))
    assert Swiss().next_matches(Records(field(8), [first, *decided(others)])) == []


def test_who_has_left_is_not_paired_and_is_again_after_coming_back():
    entrants = field(8)
    matches = play(Swiss(), entrants, 1)
    gone = [replace(e, is_active=e.id != 1) for e in entrants]
    second = Swiss().next_matches(Records(gone, matches))
    assert {e for m in second for e in m.entrants} == set(range(2, 9))
    back = [replace(e, first_round=3 if e.id == 1 else 1) for e in entrants]
    third = Swiss().next_matches(Records(back, [*matches, *decided(second)]))
    assert sorted(e for m in third for e in m.entrants) == list(range(1, 9))
    assert {m.spot.round for m in third} == {3}


def test_who_comes_back_while_a_round_is_played_waits_for_the_next():
    entrants = field(6)
    gone = [replace(e, is_active=e.id != 6) for e in entrants]
    first, *others = Swiss().next_matches(Records(gone))
    assert Swiss().next_matches(Records(entrants, [*decided([first]), *others])) == []


@pytest.mark.parametrize(("late_points", "how", "points"), [("zero", "zero-bye", 0), ("half", "half-bye", 1)])
def test_a_late_entry_has_byes_for_the_rounds_missed(late_points, how, points):
    swiss = Swiss(planned_rounds=5, late_points=late_points)
    entrants = field(8)
    matches = play(swiss, entrants, 2)
    new = swiss.next_matches(Records([*entrants, Entrant(9, 9, first_round=4)], matches))
    assert [(m.spot.round, m.how, m.places) for m in new if m.entrants == (9,)] == [
        (1, how, (1,)),
        (2, how, (1,)),
        (3, how, (1,)),
    ]
    matches += decided(new)
    records = Records([*entrants, Entrant(9, 9, first_round=4)], matches)
    assert len({m.spot for m in matches}) == len(matches)
    assert next(s.points for s in swiss.standings(records) if s.entrant == 9) == Fraction(3 * points, 2)
    fourth = swiss.next_matches(records)
    assert sum(9 in m.entrants for m in fourth) == 1
    assert swiss.next_matches(replace(records, matches=[*matches, *fourth])) == []


def test_an_event_is_over_after_its_rounds_or_when_only_one_is_left():
    entrants = field(4)
    matches = play(Swiss(), entrants, 3)
    assert Swiss().is_over(Records(entrants, matches))
    assert not Swiss().is_over(Records(entrants, matches[:4]))
    left_alone = [replace(e, is_active=e.id == 1) for e in entrants]
    assert Swiss().is_over(Records(left_alone, matches[:4]))
    assert Swiss().is_over(Records(entrants, matches[:4], is_closed=True))
    assert Swiss().is_over(Records([])) and Swiss().is_over(Records(field(1)))


# What a director does


def test_what_a_director_has_put_into_a_round_stays_and_the_rest_is_paired_around_it():
    entrants = field(7)
    matches = play(Swiss(), entrants, 1)
    by_hand = [match(2, 1, 1, 7, places=None), match(2, 3, 2, how="bye", places=(1,))]
    new = Swiss().next_matches(Records(entrants, [*matches, *by_hand]))
    assert [m.spot.slot for m in new] == [0, 2]
    assert sorted(e for m in new for e in m.entrants) == [3, 4, 5, 6]
    assert Swiss().next_matches(Records(entrants, [*matches, *by_hand, *new])) == []


def test_a_forbidden_pair_is_made_only_where_nothing_else_is_left():
    forbidden = frozenset({frozenset({1, 5})})
    assert (1, 5) not in tables(Swiss().next_matches(Records(field(8), forbidden=forbidden)))
    only = Records(field(2), forbidden=frozenset({frozenset({1, 2})}))
    (pair,) = Swiss().next_matches(only)
    assert "A director didn't want this pair" in pair.why


@pytest.mark.parametrize(("how", "meets_again"), [("played", False), ("forfeit", True), ("annulled", True)])
def test_only_what_was_played_is_a_meeting(how, meets_again):
    matches = [match(1, 0, 1, 3, places=DRAW, how=how), match(1, 1, 2, 4, places=DRAW, how=how)]
    assert ((1, 3) in tables(Swiss().next_matches(Records(field(4), matches)))) == meets_again


def test_a_rematch_comes_when_all_have_met():
    swiss = Swiss(planned_rounds=4)
    matches = play(swiss, field(4), 3)
    new = swiss.next_matches(Records(field(4), matches))
    assert all("They meet again because this round" in m.why for m in new)


DOWN_AGAIN = "@9 meets an opponent with fewer points, or no one, for the second round in a row."
OBJECTIONS = {
    "met": (match(3, 0, 1, 5, places=None), ["@1 and @5 met in round 1."]),
    "forbidden": (match(3, 0, 9, 3, places=None), ["@9 and @3 can't be paired: a director has forbidden it."]),
    "far apart": (match(3, 0, 7, 1, places=None), ["@1 has 2 points, @7 0 points: more than one point apart."]),
    "second bye": (
        match(3, 0, 9, how="bye", places=(1,)),
        ["@9 has had a bye, or a win by forfeit, more often than others.", DOWN_AGAIN],
    ),
    "same float": (match(3, 0, 9, 4, places=None), [DOWN_AGAIN]),
    "same seat": (match(3, 0, 3, 1, places=None), ["@3 sits first for the third time in a row."]),
}


def two_rounds_of_nine() -> Records:
    """2 points have 1, 3 and 9; one has 2, 4, 5 and 8; none 6 and 7."""
    first = [match(1, slot, slot + 1, slot + 5) for slot in range(4)]
    second = [match(2, 0, 2, 1, places=LOSS), match(2, 1, 3, 4), match(2, 2, 9, 6), match(2, 3, 5, 7)]
    byes = [match(1, 4, 9, how="bye", places=(1,)), match(2, 4, 8, how="bye", places=(1,))]
    return Records(field(9), [*first, *second, *byes], frozenset({frozenset({3, 9})}))


@pytest.mark.parametrize("rule", OBJECTIONS)
def test_objections_name_the_rule_that_is_bent(rule):
    proposed, sentences = OBJECTIONS[rule]
    assert Swiss().objections(two_rounds_of_nine(), [proposed]) == sentences


def test_a_bye_for_somebody_who_has_not_come_yet_is_objected_to():
    known = two_rounds_of_nine()
    bye = match(3, 0, 7, how="bye", places=(1,))
    entrants = [replace(e, has_come=e.id != 7) for e in known.entrants]
    assert Swiss().objections(replace(known, entrants=entrants), [bye]) == ["@7 isn't here yet."]
    nobody = [replace(e, has_come=False) for e in known.entrants]
    assert Swiss().objections(replace(known, entrants=nobody), [bye]) == []


def test_there_is_no_objection_where_no_rule_is_bent():
    assert Swiss().objections(two_rounds_of_nine(), [match(3, 0, 4, 5, places=None)]) == []
    assert Swiss().objections(two_rounds_of_nine(), []) == []


# What people read


def test_a_pairing_says_why():
    swiss, entrants = Swiss(), field(6)
    matches = play(swiss, entrants, 1)
    assert [m.why for m in swiss.next_matches(Records(entrants, matches))] == [
        "Both have 1 point, as numbers 1 and 2 of 3 by seed. @2 sits first, because they did so less often.",
        "@3 has 1 point, @4 0 points: not everyone can meet an opponent with the same points. "
        "@4 sits first, because they did so less often.",
        "Both have 0 points, as numbers 2 and 3 of 3 by seed. @6 sits first, because they did so less often.",
    ]


def test_virtual_points_are_named():
    swiss, entrants = Swiss(planned_rounds=4, accelerated=True), field(8)
    matches = play(swiss, entrants, 1, lambda m: DRAW if 1 in m.entrants else favourite(m))
    whys = {tuple(sorted(m.entrants)): m.why for m in swiss.next_matches(Records(entrants, matches))}
    assert whys[1, 5].startswith("@1 has ½ point and ½ virtual, @5 1 point, which counts as much.")


def test_a_bye_says_why():
    bye = Swiss().next_matches(two_rounds_of_nine())[-1]
    assert bye.why == "The number of players is odd. @6 has 0 points, the fewest of all who have not had a bye."


def test_the_draw_has_a_column_for_every_round():
    entrants = field(5)
    matches = play(Swiss(), entrants, 1)
    (section,) = Swiss().draw(Records(entrants, matches))
    assert [(c.title, len(c.cells)) for c in section.columns] == [("Round 1", 3), ("Round 2", 0), ("Round 3", 0)]
    assert [(side.entrant, side.text, side.has_won) for side in section.columns[0].cells[0].sides] == [
        (1, "", True),
        (3, "", False),
    ]
    assert [(side.entrant, side.text) for side in section.columns[0].cells[2].sides] == [(5, ""), (None, "bye")]
    assert Swiss().draw(Records([])) == ()


def test_standings_go_by_points_and_then_by_the_chosen_tie_breaks():
    entrants = field(8)
    records = Records(entrants, play(Swiss(), entrants, 3), lots="a text")
    standings = Swiss(tie_breaks=("BH", "LOTS")).standings(records)
    assert [s.points for s in standings] == sorted((s.points for s in standings), reverse=True)
    assert (standings[0].entrant, standings[0].place) == (1, 1)
    assert [figure.code for figure in standings[0].figures] == ["BH", "LOTS"]
