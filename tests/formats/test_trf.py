from __future__ import annotations

from fractions import Fraction

from tournaments.formats.contract import Entrant, MatchRecord, Records, Spot, Standing
from tournaments.formats.trf import trf_document

NAMES = {11: "ann", 12: "bob", 13: "cat", 14: "dan with a name that is longer than the column"}


def match(number: int, *entrants: int, places=(1, 2), how="played") -> MatchRecord:
    return MatchRecord(Spot("rounds", number, entrants[0]), entrants, places, how)


def written() -> list[str]:
    entrants = [Entrant(id, seed) for seed, id in enumerate(NAMES, start=1)]
    matches = [
        match(1, 11, 13),
        match(1, 12, 14, places=(1, 1)),
        match(2, 12, 11, how="forfeit"),
        match(2, 13, places=(1,), how="half-bye"),
        match(3, 13, 12, places=None),
        match(3, 11, 14, how="annulled"),
    ]
    points = {11: 1, 12: Fraction(3, 2), 13: Fraction(1, 2), 14: Fraction(1, 2)}
    standings = [Standing(id, seed, seed, 0, 0, "", points=Fraction(points[id])) for seed, id in enumerate(NAMES, 1)]
    return trf_document(Records(entrants, matches), standings, title="Spring", names=NAMES, rounds=3).splitlines()


def test_everything_stands_in_the_columns_of_the_handbook():
    ann = written()[3]
    assert (ann[:3], ann[4:8], ann[14:47].strip(), ann[80:84], ann[85:89]) == ("001", "   1", "ann", " 1.0", "   1")
    assert (ann[91:95], ann[96], ann[98]) == ("   3", "w", "1")
    assert (ann[101:105], ann[106], ann[108]) == ("   2", "b", "-")


def test_every_kind_of_result_has_its_sign():
    assert [line[91:].rstrip() for line in written()[3:]] == [
        "   3 w 1     2 b -  0000 - Z",
        "   4 w =     1 w +     3 b",
        "   1 b 0  0000 - H     2 w",
        "   2 b =  0000 - Z  0000 - Z",
    ]


def test_a_long_name_is_cut_and_the_head_says_how_many_rounds_there_are():
    assert written()[:3] == ["012 Spring", "XXR 3", "XXC white1"]
    assert written()[6][14:48] == "dan with a name that is longer th "
