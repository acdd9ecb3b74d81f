from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise
from random import Random

import pytest

from tests.formats.naive_standings import Naive
from tests.work import calls_in
from tournaments.formats.contract import Entrant, MatchRecord, Records, Spot, match_points
from tournaments.formats.numbers import plain_number, written
from tournaments.formats.tie_breaks import TIE_BREAKS, figure_in_table, rank_by_tie_breaks

# FIDE's own example, "Exercises in Tie-Breaking (C.07)", the Swiss event of 16 players in section 2.1 and the answers
# to exercises 1 to 12, 28 and 32. A line is a round: "10-2 0" is a win of player 2, "=" a draw, "12-14 +" a win of 12
# by forfeit, "4 half" a bye. Player 12 leaves after round 3.
FIDE_SWISS = """
10-2 0, 1-9 1, 3-11 =, 12-4 0, 16-8 =, 14-6 1, 5-13 0, 7-15 1
2-7 1, 13-1 =, 6-3 0, 11-16 0, 15-5 1, 8-14 1, 9-10 0, 4 half-bye, 12 bye
1-2 =, 3-8 1, 4-13 1, 16-7 1, 5-11 1, 12-14 +, 10-15 0, 6 bye, 9 half-bye
2-16 1, 15-1 0, 4-3 =, 6-10 1, 7-5 =, 8-13 1, 11-9 +, 14 zero-bye
3-2 =, 1-4 =, 16-15 1, 8-6 0, 5-10 1, 11-7 1, 13-14 0, 9 bye
"""
FIDE_POINTS = "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"
FIDE_ANSWERS = {
    "BH": "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5",
    "SB": "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25",
    "WON": "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3",
    "PS": "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5",
}
FIDE_CUT_1 = {1: "11", 3: "13", 4: "11.5", 16: "11", 5: "7.5", 8: "12", 11: "12", 7: "12.5", 9: "7.5", 13: "12"} | {
    12: "9.5", 14: "9", 15: "11"
}  # fmt: skip
# The round robin of section 2.2, exercise 14. Its player 6 wins a match by forfeit, for which the rules have changed
# since; here it counts as a match (Art. 15).
FIDE_ROUND_ROBIN = """
1-5 =, 2-6 1, 3-4 1
1-2 1, 6-3 0, 5-4 1
3-1 0, 2-5 1, 4-6 =
1-4 0, 2-3 =, 6-5 +
6-1 0, 4-2 0, 3-5 1
"""
PLACES = {"1": (1, 2), "0": (2, 1), "=": (1, 1), "+": (1, 2), "--": (2, 2)}


def event(rounds: str, size: int = 0) -> Records:
    """An event from its results; entrant and seed are the number in the text."""
    matches = []
    for number, line in enumerate(rounds.strip().splitlines(), start=1):
        for slot, cell in enumerate(line.split(", ")):
            who, what = cell.split()
            sides = tuple(int(side) for side in who.split("-"))
            spot = Spot("rounds", number, slot)
            if len(sides) == 1:
                matches.append(MatchRecord(spot, sides, (1,), what))
            elif what == "?":
                matches.append(MatchRecord(spot, sides))
            else:
                matches.append(MatchRecord(spot, sides, PLACES[what], "forfeit" if what in ("+", "--") else "played"))
    size = size or max(entrant for match in matches for entrant in match.entrants)
    return Records([Entrant(number, number) for number in range(1, size + 1)], matches, lots="autumn")


def column(records: Records, code: str, **options) -> dict[int, F]:
    return {row.entrant: row.figures[0].value for row in rank_by_tie_breaks(records, codes=[code], **options)}


def numbers(text: str) -> dict[int, F]:
    return {number: F(part) for number, part in enumerate(text.split(), start=1)}


# Published examples


def test_fide_example_points_are_as_published():
    rows = rank_by_tie_breaks(event(FIDE_SWISS), codes=[])
    assert {row.entrant: row.points for row in rows} == numbers(FIDE_POINTS)


@pytest.mark.parametrize("code", FIDE_ANSWERS)
def test_fide_example_figures_are_as_published(code):
    """The exercises follow the text of 2024."""
    assert column(event(FIDE_SWISS), code, capped=False) == numbers(FIDE_ANSWERS[code])


def test_fide_example_cuts_rounds_missed_of_ones_own_will_first():
    cut = column(event(FIDE_SWISS), "BH-C1", capped=False)
    assert {number: cut[number] for number in FIDE_CUT_1} == {number: F(text) for number, text in FIDE_CUT_1.items()}


def test_fide_round_robin_is_as_published():
    records = event(FIDE_ROUND_ROBIN)
    assert {row.entrant: row.points for row in rank_by_tie_breaks(records, codes=[])} == numbers(
        "3.5 3.5 3.5 1.5 1.5 1.5"
    )
    expected = numbers("9.25 6.25 6.25 4.25 3.25") | {6: F(1, 2) * F("1.5") + F("1.5")}
    assert column(records, "SB", dummies=False) == expected


def test_fide_round_robin_head_to_head():
    """1 beat 2 and 3, who drew; 6 drew with 4 and won from 5 by forfeit, 5 beat 4."""
    rows = rank_by_tie_breaks(event(FIDE_ROUND_ROBIN), codes=["DE"], dummies=False)
    assert [(row.entrant, row.place, figure_in_table(row.figures[0])) for row in rows] == [
        (1, 1, "2"),
        (2, 2, "½, then ½"),
        (3, 2, "½, then ½"),
        (6, 4, "1½"),
        (5, 5, "1"),
        (4, 6, "½"),
    ]


# The text of 2026


def test_an_unplayed_round_counts_at_most_a_draw_in_every_round():
    """1 wins two matches and has a bye: 3 points, and the bye counts 1½, half a point for each of three rounds."""
    records = event("1-2 1, 3-4 1\n1-3 1, 2-4 1\n1 bye, 2-3 1, 4 zero-bye")
    assert column(records, "BH")[1] == 2 + 1 + F("1.5")
    assert column(records, "BH", capped=False)[1] == 2 + 1 + 3


def test_an_unplayed_round_counts_with_the_own_points_where_they_are_fewer():
    records = event("1-2 1, 3-4 1\n1-3 1, 2-4 1\n1 bye, 2-3 1, 4 zero-bye")
    assert column(records, "BH")[4] == column(records, "BH", capped=False)[4] == 1 + 2 + 0


def test_a_forfeit_counts_at_most_the_points_of_the_scheduled_opponent():
    """1 has 2 points, one of them from 3, who did not come and has none; 3 had more to lose than to give."""
    records = event("1-2 1, 3-4 0\n1-3 +, 2-4 1")
    assert (column(records, "BH")[1], column(records, "BH", capped=False)[1]) == (1 + 0, 1 + 2)
    assert column(records, "SB")[1] == 1 + 0
    assert column(records, "BH")[3] == 1 + 0  # the own points, which are fewer than those of 1


def test_head_to_head_puts_first_who_is_ahead_whatever_the_missing_results():
    """1, 2 and 3 have 2 points each. 1 beat 2 and 3, who have not met."""
    records = event("1-2 1, 3-4 1\n1-3 1, 2-4 1\n1-5 0, 2-6 1, 3-7 1")
    rows = {row.entrant: row for row in rank_by_tie_breaks(records, codes=["DE"])}
    assert [(rows[e].place, rows[e].last_place) for e in (1, 2, 3)] == [(1, 1), (2, 3), (2, 3)]
    assert figure_in_table(rows[1].figures[0]) == "2"


def test_head_to_head_takes_the_mean_of_two_meetings_among_three_who_are_level():
    """All have 3 points. 1 has ½ against 2, and ½ and 1 against 3, so ¾; 2 and 3 have met once (FIDE 6.1.2)."""
    records = event("1-3 =, 2-4 1\n1-2 =, 3-4 1\n2-3 =, 1-5 0\n3-1 0, 2-6 1\n3-5 1, 1-4 1")
    rows = {row.entrant: row for row in rank_by_tie_breaks(records, codes=["DE"])}
    assert [rows[e].points for e in (1, 2, 3)] == [3, 3, 3]
    assert [(rows[e].place, figure_in_table(rows[e].figures[0])) for e in (1, 2, 3)] == [(1, "1¼"), (2, "1"), (3, "¾")]


def test_head_to_head_finds_a_sure_second_as_well():
    """All four have 3 points. 1 beat the others, 2 beat 3 and 4, who have not met."""
    records = event("1-2 1, 3-5 1, 4-6 1\n1-3 1, 2-4 1\n1-4 1, 2-3 1\n2-5 1, 3-6 1, 4-7 1\n3-7 1, 4-5 1")
    rows = {row.entrant: row for row in rank_by_tie_breaks(records, codes=["DE"])}
    assert {rows[e].points for e in (1, 2, 3, 4)} == {3}
    assert [rows[e].place for e in (1, 2, 3, 4)] == [1, 2, 3, 3]


def test_head_to_head_leaves_level_who_could_still_be_caught():
    records = event("1-2 1, 3-4 1\n1-5 0, 2-6 1, 3-7 0, 4-8 1")
    assert {column(records, "DE")[entrant] for entrant in (1, 2, 3, 4)} == {0}


# Against the naive implementation


def chance_event(rng: Random) -> Records:
    """A small event with everything in it: byes, forfeits, late entries, leavers, annulments, open matches, tables."""
    size, rounds, seats = rng.randint(1, 7), rng.randint(0, 5), rng.choice([(2,), (2,), (3, 4), (2, 3, 4, 5)])
    entrants = [Entrant(10 + number, number, first_round=rng.choice([1, 1, 1, 2])) for number in range(1, size + 1)]
    matches = []
    for number in range(1, rounds + 1):
        free = [entrant.id for entrant in entrants if entrant.first_round <= number and rng.random() < 0.9]
        rng.shuffle(free)
        while free:
            seated = min(rng.choice((1, *seats, *seats)), len(free))
            sides, free = tuple(free[:seated]), free[seated:]
            matches.append(chance_match(rng, Spot("rounds", number, len(matches)), sides))
    rng.shuffle(matches)
    return Records(entrants, matches, lots=str(rng.random()))


def chance_match(rng: Random, spot: Spot, sides: tuple[int, ...]) -> MatchRecord:
    if len(sides) == 1:
        return MatchRecord(spot, sides, (1,), rng.choice(["bye", "half-bye", "zero-bye"]))
    if rng.random() < 0.07:
        return MatchRecord(spot, sides, rng.choice([None, (2,) * len(sides)]), "annulled")
    if rng.random() < 0.07:
        return MatchRecord(spot, sides)
    merits = [rng.randint(1, 3) for _ in sides]
    places = tuple(1 + sum(other > own for other in merits) for own in merits)
    if rng.random() < 0.15:
        return MatchRecord(spot, sides, rng.choice([places, (2,) * len(sides)]), "forfeit", tuple(map(F, merits)))
    return MatchRecord(spot, sides, places, points=rng.choice([(), tuple(F(rng.randint(-20, 20), 2) for _ in sides)]))


def place_points(match: MatchRecord, side: int) -> F:
    """4, 2, 1 for the first three places, shared by equals; of a bye 4, 2 or nothing."""
    if match.places is None or match.is_bye:
        return {"bye": F(4), "half-bye": F(2)}.get(match.how, F(0))
    own = match.places[side]
    return sum(
        (F(dict(enumerate((4, 2, 1), 1)).get(own + extra, 0)) for extra in range(match.places.count(own))), F(0)
    ) / (match.places.count(own))


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize(("dummies", "capped"), [(True, True), (True, False), (False, True)])
def test_a_naive_implementation_ranks_thousands_of_events_alike(part, dummies, capped):
    rng = Random(f"{part} {dummies} {capped}")
    for _ in range(500):
        records, codes = chance_event(rng), rng.sample(sorted(TIE_BREAKS), rng.randint(0, 4))
        points_of, half_bye = rng.choice([(match_points, F(1, 2)), (place_points, F(2))])
        rows = rank_by_tie_breaks(records, codes=codes, points_of=points_of, dummies=dummies, capped=capped)
        assert [
            (r.entrant, r.place, r.last_place, r.points, [f.value for f in r.figures], (r.wins, r.draws, r.losses))
            for r in rows
        ] == Naive(records, points_of, half_bye, dummies, capped).standings(codes), (records, codes)


# Properties


@pytest.mark.parametrize("part", range(4))
def test_a_reason_names_the_first_criterion_that_separates(part):
    rng = Random(part)
    for _ in range(100):
        rows = rank_by_tie_breaks(chance_event(rng), codes=rng.sample(sorted(TIE_BREAKS), 3))
        for above, own in pairwise(rows):
            differing = [
                f" by {TIE_BREAKS[mine.code].name}: {figure_in_table(mine)} to {figure_in_table(theirs)}"
                for mine, theirs in zip(own.figures, above.figures, strict=True)
                if mine.value != theirs.value
            ]
            if own.points != above.points:
                differing.insert(0, f" by points: {written(own.points)} to {written(above.points)}")
            expected = (
                f"behind @{above.entrant}{differing[0]}" if differing else f"tied with @{above.entrant} in everything"
            )
            assert own.reason == expected
            assert (own.place == above.place) == (not differing)


def test_lots_leave_nobody_level():
    rng = Random(7)
    for _ in range(100):
        rows = rank_by_tie_breaks(chance_event(rng), codes=["DE", "LOTS"])
        assert [row.place for row in rows] == list(range(1, len(rows) + 1))


def test_the_order_of_the_records_does_not_matter():
    rng = Random(8)
    for _ in range(50):
        records = chance_event(rng)
        turned = replace(records, matches=records.matches[::-1], entrants=records.entrants[::-1])
        assert rank_by_tie_breaks(records, codes=[*TIE_BREAKS]) == rank_by_tie_breaks(turned, codes=[*TIE_BREAKS])


def nine_rounds_of(size: int) -> Records:
    rng, order, matches = Random(9), list(range(1, size + 1)), []
    for number in range(1, 10):
        rng.shuffle(order)
        pairs = zip(order[::2], order[1::2], strict=True)
        matches += [
            MatchRecord(Spot("rounds", number, slot), pair, rng.choice([(1, 2), (2, 1), (1, 1)]))
            for slot, pair in enumerate(pairs)
        ]
    return Records([Entrant(number, number) for number in range(1, size + 1)], matches, lots="autumn")


def test_ranking_twice_as_many_is_little_more_than_twice_the_work():
    def work(size: int) -> int:
        records = nine_rounds_of(size)
        return calls_in(lambda: rank_by_tie_breaks(records, codes=["BH-C1", "BH", "SB", "DE", "LOTS"]))

    assert work(500) < 2.5 * work(250)


# Cases, counted by hand


def text(records: Records, code: str, entrant: int, **options) -> str:
    rows = {row.entrant: row for row in rank_by_tie_breaks(records, codes=[code], **options)}
    return rows[entrant].figures[0].text


ODD = """
1-2 1, 3-4 =, 5 bye
5-1 0, 3-2 1, 4 half-bye
1-3 =, 4-5 +, 2 bye
"""  # 1 has 2½, 2 has 1, 3 has 2, 4 has 2, 5 has 1


def test_a_figure_says_how_it_comes_about():
    records = event(ODD)
    assert text(records, "BH", 1) == "4: @2 1, @5 1, @3 2"
    assert text(records, "BH", 4) == "4½: @3 2, round 2 unplayed 1½, round 3 unplayed 1"
    assert text(records, "BH-C1", 4) == "3: @3 2, round 3 unplayed 1; without round 2 unplayed 1½"
    assert text(records, "BH-M1", 3) == "2: @4 2; without @2 1, @1 2½"
    assert text(records, "SB", 3) == "3¼: @4 1, @2 1, @1 1¼"
    assert text(records, "WON", 4) == "0: nothing"
    assert text(records, "PS", 3) == "4: ½, 1½, 2"
    assert text(records, "AVG", 3) == "1⅓: 1½, 1, 1½"


def test_reasons_are_for_people():
    rows = rank_by_tie_breaks(event(ODD), codes=["BH"])
    assert [(row.entrant, row.place, row.reason) for row in rows] == [
        (1, 1, "most points"),
        (3, 2, "behind @1 by points: 2 to 2½"),
        (4, 3, "behind @3 by Buchholz: 4½ to 5½"),
        (2, 4, "behind @4 by points: 1 to 2"),
        (5, 5, "behind @2 by Buchholz: 4½ to 5½"),
    ]


def test_the_first_of_several_level_on_points_says_what_decided():
    assert rank_by_tie_breaks(event("1-2 =, 3-4 0"), codes=["LOTS"])[0].reason == "most points"
    rows = rank_by_tie_breaks(event("1-2 =", size=2), codes=["BH"])
    assert [row.reason for row in rows] == ["most points, tied with @2 in everything", "tied with @1 in everything"]
    rows = rank_by_tie_breaks(event("1-2 1, 3-4 1\n1-3 =, 2-4 1"), codes=["BH"])
    assert rows[0].reason == "most points, ahead of @3 by Buchholz: 2½ to 1½"


def test_whoever_enters_late_missed_rounds_of_their_own_will():
    """5 enters for round 2: own points twice, since round 1 counts like somebody with 1 point, cut first."""
    records = event("1-2 1, 3-4 1\n5-2 1, 1-3 =, 4 bye")
    assert text(records, "BH-C1", 5) == "0: @2 0; without round 1 unplayed 1"


def test_whoever_leaves_counts_for_opponents_with_a_draw_for_each_round_since():
    """2 leaves after round 1 with nothing; two rounds later that is one point for the one who won."""
    records = event("1-2 1, 3-4 1\n1-3 1, 4 bye\n1-4 1, 3 bye")
    assert text(records, "BH", 1) == "4: @2 1, @3 2, @4 1"


def test_a_match_in_play_counts_for_nothing_yet():
    records = event("1-2 1, 3-4 1\n1-3 ?, 2-4 1")
    assert text(records, "BH", 1) == "1: @2 1"
    assert [(row.wins, row.losses) for row in rank_by_tie_breaks(records, codes=[])] == [(1, 0), (1, 1), (1, 0), (0, 2)]


def test_annulled_matches_have_never_been():
    records = event(FIDE_ROUND_ROBIN)
    gone = [replace(match, how="annulled") if 6 in match.entrants else match for match in records.matches]
    kept = [match for match in records.matches if 6 not in match.entrants]
    codes = [code for code in TIE_BREAKS if code != "LOTS"]
    assert rank_by_tie_breaks(replace(records, matches=gone), codes=codes, dummies=False) == rank_by_tie_breaks(
        replace(records, matches=kept), codes=codes, dummies=False
    )


def test_head_to_head_goes_on_among_those_who_are_still_level():
    """1 to 4 have two points; among them 1 and 2 made two, 3 and 4 one; 1 beat 2, and 3 beat 4."""
    records = event("1-2 1, 3-4 1, 5-6 1\n1-3 1, 2-4 1\n4-1 1, 2-3 1\n5-1 1, 3-5 1\n5-2 1\n4-5 1\n5-6 1")
    level = [row for row in rank_by_tie_breaks(records, codes=["DE"]) if row.points == 2]
    assert [(row.entrant, figure_in_table(row.figures[0])) for row in level] == [
        (1, "2, then 1"),
        (2, "2, then 0"),
        (3, "1, then 1"),
        (4, "1, then 0"),
    ]
    assert level[1].reason == "behind @1 by head to head: 2, then 0 to 2, then 1"


def test_head_to_head_says_nothing_unless_all_who_are_level_have_met():
    assert text(event("1-2 1, 3-4 1"), "DE", 1) == "–: not all tied players have met"
    assert text(event("1-2 +"), "DE", 1) == "–: no one is tied"


def test_a_table_counts_as_one_round():
    """Three at a table, one bye: the mean of 2 and 1 is as much as a single opponent."""
    matches = [
        MatchRecord(Spot("rounds", 1, 0), (1, 2, 3), (1, 2, 3), points=(F(30), F(20), F(10))),
        MatchRecord(Spot("rounds", 1, 1), (4,), (1,), "bye"),
    ]
    records = Records([Entrant(number, number) for number in range(1, 5)], matches)
    assert text(records, "BH", 1, points_of=place_points) == "1½: round 1 (@2, @3) 1½"
    assert text(records, "SB", 2, points_of=place_points) == "½: round 1 (@1, @3) ½"
    assert text(records, "DIFF", 2) == "0: round 1 (@1, @3) 0"
    assert text(records, "MADE", 1) == "30: round 1 (@2, @3) 30"
    assert text(records, "BH", 4, points_of=place_points) == "2: round 1 unplayed 2"
    assert text(records, "AVG", 4) == "–: nothing played"


def test_an_unknown_code_is_refused_with_those_there_are():
    with pytest.raises(LookupError, match="no tie-break 'ELO', only BH, BH-C1"):
        rank_by_tie_breaks(event(ODD), codes=["ELO"])


def test_every_tie_break_has_a_name_and_an_explanation_in_whole_sentences():
    assert all(tie_break.name and tie_break.explanation.endswith(".") for tie_break in TIE_BREAKS.values())


@pytest.mark.parametrize(
    ("value", "expected"),
    [(F(3), "3"), (F(15, 2), "7½"), (F(1, 3), "⅓"), (F(-1, 4), "−¼"), (F(17, 7), "2.43"), (F(0), "0"), (F(-12), "−12")],
)
def test_numbers_are_written_as_on_a_scoresheet(value, expected):
    assert written(value) == expected


@pytest.mark.parametrize(
    ("text", "plain"),
    [("7½", "7.5"), ("−¼", "-0.25"), ("3", "3"), ("2.43", "2.43"), ("–", "–"), ("2, then ½", "2, then ½"), ("", "")],
)
def test_a_spreadsheet_reads_plain_numbers(text, plain):
    assert plain_number(text) == plain


def test_whoever_has_left_stands_behind_all_others_with_as_many_points():
    entrants = [Entrant(1, 1, is_active=False), Entrant(2, 2), Entrant(3, 3)]
    rows = rank_by_tie_breaks(Records(entrants, [], lots="x"), codes=["LOTS"])
    assert rows[-1].entrant == 1
    assert rows[-1].reason.endswith("with equal points, because one of them has left")
