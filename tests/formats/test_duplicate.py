from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats.duplicate import DIFFERENCES, MATCHPOINTS, DuplicateBoard, DuplicateField, DuplicateTotal
from tournaments.formats.match_play import Decision

WAYS = (MATCHPOINTS, DIFFERENCES)
points = st.integers(-8, 8).map(F)


def board(deal: int, first: int, second: int, *made: int) -> DuplicateBoard:
    return DuplicateBoard(deal, (first, second), tuple(map(F, made)))


def bridge(deal: int, pair: int, against: int, score: int) -> DuplicateBoard:
    """Partners sit across; what north and south win, east and west lose."""
    return DuplicateBoard(deal, (pair, against, pair, against), (F(score), F(-score), F(score), F(-score)))


@st.composite
def rounds(draw) -> list[DuplicateBoard]:
    """A round of up to six tables on up to three deals; some tables are missing. Table t has entrants 2t and 2t + 1."""
    tables, deals, turns = draw(st.integers(1, 6)), draw(st.integers(1, 3)), draw(st.booleans())
    boards = []
    for table in range(tables):
        for deal in range(deals):
            if draw(st.integers(0, 5)):
                pair = (2 * table, 2 * table + 1)
                boards.append(DuplicateBoard(deal, pair, (draw(points), draw(points))))
                if turns:
                    boards.append(DuplicateBoard(deal, pair[::-1], (draw(points), draw(points))))
    return boards


# A published example: the sample traveller of a club of seven tables (nofearbridge.co.uk, "Duplicate"), which gives two
# matchpoints for each pair beaten, and arithmetic by hand.

TRAVELLER = [(1, 8, 430), (2, 9, 430), (3, 10, 420), (4, 11, 460), (5, 12, 430), (6, 13, 450), (7, 14, -50)]
PUBLISHED = {1: 6, 2: 6, 3: 2, 4: 12, 5: 6, 6: 10, 7: 0, 8: 6, 9: 6, 10: 10, 11: 0, 12: 6, 13: 2, 14: 12}


def test_a_travellers_matchpoints_are_as_published():
    compared = DuplicateField([bridge(1, *line) for line in TRAVELLER]).compared(MATCHPOINTS)
    assert {pair: 2 * made for pair, made in compared.items()} == PUBLISHED


def test_differences_are_beyond_the_mean_of_the_other_tables():
    """10, 4 and −2: the first is 10 − (4 − 2) / 2 = 9 better than the others, the second 0, the third 9 worse."""
    field = DuplicateField([board(1, 1, 2, 15, 5), board(1, 3, 4, 7, 3), board(1, 5, 6, 0, 2)])
    made = field.compared(DIFFERENCES)
    assert made == {1: 9, 2: -9, 3: 0, 4: 0, 5: -9, 6: 9}


def test_who_lost_at_the_table_can_win_against_the_field():
    """With the bad cards everybody lost; 2 lost least."""
    field = DuplicateField([board(1, 1, 2, 10, 8), board(1, 3, 4, 20, 0), board(1, 5, 6, 12, 0)])
    assert field.decide((1, 2), by=MATCHPOINTS) == Decision((2, 1), "0 : 2 matchpoints")
    assert field.decide((2, 1), by=DIFFERENCES) == Decision((1, 2), "14 : −14 points against the field")


def test_a_final_alone_is_decided_by_the_points_at_its_table():
    boards = [board(1, 1, 2, 10, 8), board(2, 2, 1, 0, 30), board(1, 2, 1, 9, 0)]
    for by in WAYS:
        decision = DuplicateField(boards).decide((1, 2), by=by)
        assert decision == Decision((1, 2), "23 : −23 points; no one else had these cards")


def test_other_deals_of_the_round_are_no_comparison():
    field = DuplicateField([board(1, 1, 2, 10, 8), board(2, 3, 4, 1, 50)])
    assert field.decide((1, 2), by=MATCHPOINTS).places == (1, 2)


def test_level_against_the_field_the_table_decides_and_at_last_the_seed():
    """1 made most on deal 1 and least on deal 2, so one table each; but more points in all."""
    others = [board(1, 3, 4, 0, 0), board(2, 3, 4, 0, 0)]
    field = DuplicateField([board(1, 1, 2, 9, 0), board(2, 1, 2, 0, 3), *others])
    assert field.decide((1, 2), by=MATCHPOINTS).places == (1, 2)
    field = DuplicateField([board(1, 1, 2, 9, 0), board(2, 1, 2, 0, 9), *others])
    assert field.decide((1, 2), by=MATCHPOINTS).places == (1, 1)
    level = field.decide((1, 2), by=MATCHPOINTS, seeds=(5, 4))
    assert level == Decision((2, 1), "1 : 1 matchpoints; tied, so the better seed advances")


def test_a_match_without_a_finished_table_is_level():
    assert DuplicateField([board(1, 3, 4, 9, 0)]).decide((1, 2), by=MATCHPOINTS).places == (1, 1)


def test_three_sides_are_compared_seat_by_seat():
    field = DuplicateField(
        [DuplicateBoard(1, (1, 2, 3), (F(9), F(3), F(0))), DuplicateBoard(1, (4, 5, 6), (F(6), F(0), F(6)))]
    )
    assert field.compared(MATCHPOINTS) == {1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 1}
    assert field.decide((1, 2, 3), by=DIFFERENCES).places == (1, 2, 3)


def test_partners_make_the_mean_of_their_seats():
    field = DuplicateField([DuplicateBoard(1, (1, 2, 1, 2), (F(3), F(0), F(5), F(2)))])
    assert field.decide((1, 2), by=DIFFERENCES).reason == "3 : −3 points; no one else had these cards"


@pytest.mark.parametrize("by", WAYS)
def test_nobody_to_compare_with_gives_nothing(by):
    assert DuplicateField([board(1, 1, 2, 9, 0)]).compared(by) == {1: 0, 2: 0}


def test_another_way_to_compare_is_refused():
    with pytest.raises(KeyError):
        DuplicateField([board(1, 1, 2, 9, 0)]).compared("imps")


# Properties


@settings(deadline=None, max_examples=60)
@given(rounds())
def test_a_deal_gives_as_many_matchpoints_as_it_has_pairs_of_tables_for_each_side(boards):
    tables = [sum(b.deal == deal for b in boards) for deal in range(3)]
    compared = DuplicateField(boards).compared(MATCHPOINTS)
    assert sum(compared.values()) == sum(n * (n - 1) for n in tables)
    assert sum(DuplicateField(boards).compared(DIFFERENCES).values()) == 0


@settings(deadline=None, max_examples=60)
@given(rounds())
def test_what_one_side_wins_the_other_loses_so_every_match_is_decided_one_way(boards):
    field = DuplicateField(boards)
    matchpoints, differences = field.compared(MATCHPOINTS), field.compared(DIFFERENCES)
    tables = Counter(b.deal for b in boards)
    for pair in {frozenset(b.entrants) for b in boards}:
        one, other = pair
        comparisons = sum(tables[b.deal] - 1 for b in boards if frozenset(b.entrants) == pair)
        assert matchpoints[one] + matchpoints[other] == comparisons
        assert differences[one] == -differences[other]
        for by, compared in ((MATCHPOINTS, matchpoints), (DIFFERENCES, differences)):
            winner = field.decide((one, other), by=by, seeds=(1, 2)).places
            assert winner in ((1, 2), (2, 1))
            if compared[one] != compared[other] and is_held_elsewhere(boards, pair):
                assert (winner == (1, 2)) == (compared[one] > compared[other])


def is_held_elsewhere(boards: list[DuplicateBoard], pair: frozenset[int]) -> bool:
    deals = {b.deal for b in boards if frozenset(b.entrants) == pair}
    return any(b.deal in deals and frozenset(b.entrants) != pair for b in boards)


@settings(deadline=None, max_examples=60)
@given(rounds(), st.randoms(use_true_random=False), st.sampled_from(WAYS))
def test_the_order_of_the_tables_changes_nothing(boards, rng, by):
    shuffled = rng.sample(boards, len(boards))
    assert DuplicateField(shuffled).compared(by) == DuplicateField(boards).compared(by)


@settings(deadline=None, max_examples=60)
@given(rounds(), points, st.sampled_from(WAYS))
def test_good_cards_for_a_seat_change_nothing(boards, gift, by):
    """Seat 0 of deal 0 makes so much more at every table."""
    lucky = [replace(b, points=(b.points[0] + gift, b.points[1])) if b.deal == 0 else b for b in boards]
    assert DuplicateField(lucky).compared(by) == DuplicateField(boards).compared(by)


@settings(deadline=None, max_examples=60)
@given(rounds(), st.sampled_from(WAYS))
def test_matchpoints_and_differences_agree_with_comparing_every_two_tables(boards, by):
    made = dict.fromkeys((entrant for b in boards for entrant in b.entrants), F(0))
    for b in boards:
        others = [o for o in boards if o.deal == b.deal and o is not b]
        for seat, entrant in enumerate(b.entrants):
            for o in others:
                more = (b.points[seat] - b.points[1 - seat]) - (o.points[seat] - o.points[1 - seat])
                made[entrant] += (F(1 + (more > 0) - (more < 0), 2)) if by == MATCHPOINTS else more / len(others)
    assert DuplicateField(boards).compared(by) == made


# Travellers


def test_a_traveller_has_every_table_best_first_with_the_published_matchpoints():
    (traveller,) = DuplicateField([bridge(3, *line) for line in TRAVELLER]).travellers(MATCHPOINTS)
    assert (traveller.deal, traveller.sides) == (3, ((0, 2), (1, 3)))
    assert [line.results[0].difference for line in traveller.lines] == [920, 900, 860, 860, 860, 840, -100]
    shown = {result.entrant: 2 * result.compared for line in traveller.lines for result in line.results}
    assert shown == PUBLISHED


def test_frequencies_count_each_result_once_with_its_matchpoints():
    (traveller,) = DuplicateField([bridge(1, *line) for line in TRAVELLER]).travellers(MATCHPOINTS)
    counted = [(one.differences[0], one.tables, one.compared) for one in traveller.frequencies]
    assert counted == [
        (920, 1, (6, 0)),
        (900, 1, (5, 1)),
        (860, 3, (3, 3)),
        (840, 1, (1, 5)),
        (-100, 1, (0, 6)),
    ]


def test_a_deal_of_one_table_has_no_matchpoints():
    (traveller,) = DuplicateField([board(1, 1, 2, 9, 0)]).travellers(MATCHPOINTS)
    assert [result.compared for result in traveller.lines[0].results] == [None, None]


def test_tables_with_other_numbers_of_seats_have_travellers_of_their_own():
    boards = [DuplicateBoard(1, (1, 2, 3), (F(9), F(3), F(0)), 7), board(1, 4, 5, 1, 0), board(1, 6, 7, 2, 0)]
    found = DuplicateField(boards).travellers(MATCHPOINTS)
    assert [(len(one.sides), len(one.lines)) for one in found] == [(2, 2), (3, 1)]
    assert found[1].lines[0].board.game == 7


def test_totals_say_what_share_of_the_matchpoints_was_made():
    field = DuplicateField([board(1, 1, 2, 9, 0), board(1, 3, 4, 5, 0), board(1, 5, 6, 5, 0), board(2, 1, 2, 0, 4)])
    totals = field.totals(MATCHPOINTS)
    assert {entrant: total.percent for entrant, total in totals.items()} == {1: 100, 2: 0, 3: 25, 4: 75, 5: 25, 6: 75}
    assert totals[1] + totals[3] == DuplicateTotal(F(5, 2), 4)
    assert DuplicateField([board(1, 1, 2, 9, 0)]).totals(MATCHPOINTS)[1].percent is None


@settings(deadline=None, max_examples=60)
@given(rounds(), st.sampled_from(WAYS))
def test_travellers_add_up_to_what_decides_the_matches(boards, by):
    field = DuplicateField(boards)
    made = dict.fromkeys((entrant for b in boards for entrant in b.entrants), F(0))
    for traveller in field.travellers(by):
        assert sum(one.tables for one in traveller.frequencies) == len(traveller.lines)
        for line in traveller.lines:
            for result in line.results:
                made[result.entrant] += result.compared or 0
    assert made == field.compared(by) == {entrant: total.made for entrant, total in field.totals(by).items()}
