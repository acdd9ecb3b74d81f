from __future__ import annotations

from fractions import Fraction as F

import pytest

from tournaments.formats.contract import Entrant, Match, Records, Spot
from tournaments.formats.tie_breaks import shown, standings

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
                matches.append(Match(spot, sides, (1,), what))
            elif what == "?":
                matches.append(Match(spot, sides))
            else:
                matches.append(Match(spot, sides, PLACES[what], "forfeit" if what in ("+", "--") else "played"))
    size = size or max(entrant for match in matches for entrant in match.entrants)
    return Records([Entrant(number, number) for number in range(1, size + 1)], matches, lots="autumn")


def column(records: Records, code: str, **options) -> dict[int, F]:
    return {row.entrant: row.figures[0].value for row in standings(records, codes=[code], **options)}


def numbers(text: str) -> dict[int, F]:
    return {number: F(part) for number, part in enumerate(text.split(), start=1)}


# Published examples


def test_fide_example_points_are_as_published():
    rows = standings(event(FIDE_SWISS), codes=[])
    assert {row.entrant: row.points for row in rows} == numbers(FIDE_POINTS)


@pytest.mark.parametrize("code", FIDE_ANSWERS)
def test_fide_example_figures_are_as_published(code):
    assert column(event(FIDE_SWISS), code) == numbers(FIDE_ANSWERS[code])


def test_fide_example_cuts_rounds_missed_of_ones_own_will_first():
    cut = column(event(FIDE_SWISS), "BH-C1")
    assert {number: cut[number] for number in FIDE_CUT_1} == {number: F(text) for number, text in FIDE_CUT_1.items()}


def test_fide_round_robin_is_as_published():
    records = event(FIDE_ROUND_ROBIN)
    assert {row.entrant: row.points for row in standings(records, codes=[])} == numbers("3.5 3.5 3.5 1.5 1.5 1.5")
    expected = numbers("9.25 6.25 6.25 4.25 3.25") | {6: F(1, 2) * F("1.5") + F("1.5")}
    assert column(records, "SB", dummies=False) == expected


def test_fide_round_robin_head_to_head():
    """1 beat 2 and 3, who drew; 6 drew with 4 and won from 5 by forfeit, 5 beat 4."""
    rows = standings(event(FIDE_ROUND_ROBIN), codes=["DE"], dummies=False)
    assert [(row.entrant, row.place, shown(row.figures[0])) for row in rows] == [
        (1, 1, "2"),
        (2, 2, "½, then ½"),
        (3, 2, "½, then ½"),
        (6, 4, "1½"),
        (5, 5, "1"),
        (4, 6, "½"),
    ]
