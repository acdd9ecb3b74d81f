"""Promotion and relegation as pure functions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.domain.divisions import DivisionPlayer, DivisionRules, Placing, next_divisions

RULES = DivisionRules(size=4, up=1, down=1)


def tables(*levels: str, gone: str = "") -> list[list[DivisionPlayer]]:
    """Players are letters, best first."""
    return [[DivisionPlayer(ord(one), one in gone) for one in level] for level in levels]


def letters(found: list[list[Placing]]) -> list[str]:
    return ["".join(chr(one.person) for one in division) for division in found]


def moves(found: list[list[Placing]]) -> dict[str, str]:
    return {chr(one.person): one.move for division in found for one in division}


def new(text: str) -> list[int]:
    return [ord(one) for one in text]


def test_the_last_goes_down_and_the_first_comes_up():
    found = next_divisions(tables("abcd", "efgh", "ijkl"), [], RULES)
    assert letters(found) == ["abce", "dfgi", "hjkl"]
    assert moves(found)["e"] == moves(found)["i"] == "up"
    assert moves(found)["d"] == moves(found)["h"] == "down"
    assert {moves(found)[one] for one in "abcfgjkl"} == {"stays"}


def test_two_up_and_two_down():
    found = next_divisions(tables("abcd", "efgh"), [], DivisionRules(4, 2, 2))
    assert letters(found) == ["abef", "cdgh"]


def test_nobody_rises_above_the_first_nor_falls_below_the_last():
    found = next_divisions(tables("abcd", "efgh"), [], RULES)
    assert moves(found)["a"] == moves(found)["h"] == "stays"


def test_who_leaves_saves_the_last_place():
    found = next_divisions(tables("abcd", "efgh", gone="b"), [], RULES)
    assert letters(found) == ["acde", "fgh"]


def test_who_leaves_frees_a_place_in_every_division_below_but_the_last_has_those_who_are_left_over():
    found = next_divisions(tables("abcd", "efgh", "ijkl", "mnop", gone="b"), [], RULES)
    assert letters(found) == ["acde", "fghi", "jklm", "nop"]
    found = next_divisions(tables("abcd", "efgh", "ijkl", gone="bf"), [], RULES)
    assert letters(found) == ["acde", "ghij", "kl"]


def test_if_more_leave_than_would_go_down_more_come_up():
    found = next_divisions(tables("abcd", "efgh", gone="bc"), [], RULES)
    assert letters(found) == ["adef", "gh"]


def test_a_player_who_leaves_is_not_promoted_but_the_next_one():
    found = next_divisions(tables("abcd", "efgh", gone="e"), [], RULES)
    assert letters(found) == ["abcf", "dgh"]


def test_nobody_goes_up_and_down_at_once_in_a_small_division():
    found = next_divisions(tables("abcd", "e", "fghi"), [], DivisionRules(4, 1, 1))
    assert letters(found) == ["abce", "df", "ghi"]


def test_newcomers_begin_in_the_last_division_and_split_it():
    assert letters(next_divisions(tables("abcd", "efgh"), new("xy"), RULES)) == ["abce", "dfghxy"]
    assert letters(next_divisions(tables("abcd", "efgh"), new("wxyz"), RULES)) == ["abce", "dfgh", "wxyz"]


def test_a_last_division_of_one_joins_the_one_above():
    found = next_divisions(tables("abcd", "efg", gone="fg"), [], RULES)
    assert letters(found) == ["abced"]
    assert (moves(found)["d"], moves(found)["e"]) == ("stays", "up")


def test_a_new_league_is_divided_by_strength():
    cases = {
        "abcdefgh": ["abcd", "efgh"],
        "abcdefghij": ["abcd", "efgh", "ij"],
        "abcdefghi": ["abcd", "efghi"],
        "abc": ["abc"],
    }
    for names, divided in cases.items():
        assert letters(next_divisions([], new(names), RULES)) == divided


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.integers(2, 7), min_size=1, max_size=4),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 5),
    st.data(),
)
def test_everyone_who_stays_and_every_newcomer_is_in_one_division(sizes, up, down, extra, data):
    people = iter(range(100))
    before = [[DivisionPlayer(next(people), data.draw(st.booleans())) for _ in range(size)] for size in sizes]
    newcomers = [next(people) for _ in range(extra)]
    found = next_divisions(before, newcomers, DivisionRules(4, up, down))
    staying = {one.person: level for level, table in enumerate(before) for one in table if not one.has_left}
    placed = [one.person for division in found for one in division]
    assert sorted(placed) == sorted([*staying, *newcomers])
    for level, division in enumerate(found):
        for one in division:
            if one.person in staying:
                shift = level - staying[one.person]
                assert one.move == ("up" if shift < 0 else "down" if shift > 0 else "stays")
            else:
                assert one.move == "new"
