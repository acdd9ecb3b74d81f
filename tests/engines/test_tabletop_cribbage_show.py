"""The show at the end of a deal of Tabletop Cribbage, stage by stage: sentence | cards | zone | points."""

import pytest

from games.core.contract import HandEnd
from games.engines.tabletop_cribbage.game import TABLETOP_CRIBBAGE
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of

NEARLY = ["TC KS JC QH 6C", "8D 4S 5H 3D 6D", "8H 7H JD 6H 7C", "2C 2H QD 3C 9H", "2S 8S KD QC --"]
LAST = "4C@e5"  # then the rows give 30 and the columns 32
NOB = [*NEARLY[:2], "8H 7H QD 6H 7C", "2C 2H JD 3C 9H", NEARLY[4]]
JACKS = ["2H 4H 7H 9H KH", "JS 4S 5H 3D 6D", "8H 7C JC 6H 7D", "2C 2D QD JH 9C", "2S 8S KD QC --"]


def board_end(*moves: str, **position) -> HandEnd:
    return end_after(TABLETOP_CRIBBAGE, TABLETOP_CRIBBAGE.load({"board": NEARLY, "card": "4C", **position}), *moves)


def stages(end: HandEnd, viewer: int | None = None) -> list[str]:
    return stages_of(TABLETOP_CRIBBAGE.show(end), viewer)


def test_the_board_is_counted_row_by_row_and_column_by_column():
    end = board_end(LAST, scores=[20, 31])
    show = TABLETOP_CRIBBAGE.show(end)
    assert show.scores == (20, 31)
    zones = zones_of(show)
    assert zones.pop("unused") == "27 hidden"
    assert list(zones) == [f"cell:{column}{row}" for row in range(1, 6) for column in "abcde"]
    assert zones["cell:e5"] == "4C"
    assert stages(end) == [
        "Ben places 4C on e5. | 4C |  | ",
        "The rows count for Ada. |  |  | ",
        "Row 1: a run of four makes four. | TC JC QH KS |  | 4 0",
        "Row 2: fifteen four, a run of four makes eight. | 3D 4S 5H 6D 8D |  | 8 0",
        "Row 3: fifteen four, a pair makes six, two runs of three make twelve. | 6H 7C 7H 8H |  | 12 0",
        "Row 4: fifteen four, a pair makes six. | 2C 2H 3C QD |  | 6 0",
        "Row 5: no points. |  |  | ",
        "The columns count for Ben. |  |  | ",
        "Column a: two pairs make four. | 2C 2S 8D 8H |  | 0 4",
        "Column b: fifteen two. | 7H 8S |  | 0 2",
        "Column c: fifteen eight, a pair makes ten, two runs of three make sixteen. | 5H JC JD QD KD |  | 0 16",
        "Column d: two pairs make four. | 3C 3D QC QH |  | 0 4",
        "Column e: fifteen four, a pair makes six. | 6C 6D 9H |  | 0 6",
    ]
    assert stages(end, viewer=1)[7:8] == ["The columns count for you. |  |  | "]


def test_partners_own_the_rows_or_the_columns_together():
    end = board_end(LAST, seats=4)
    assert stages(end)[:3] == [
        "Dora places 4C on e5. | 4C |  | ",
        "The rows count for Ada and Cleo. |  |  | ",
        "Row 1: a run of four makes four. | TC JC QH KS |  | 4 0 4 0",
    ]
    assert stages(end)[-1:] == ["Column e: fifteen four, a pair makes six. | 6C 6D 9H |  | 0 6 0 6"]


def test_the_count_stops_where_a_side_reaches_the_target():
    assert stages(board_end(LAST, scores=[100, 118]))[-3:] == [
        "Row 2: fifteen four, a run of four makes eight. | 3D 4S 5H 6D 8D |  | 8 0",
        "Row 3: fifteen four, a pair makes six, two runs of three make twelve. | 6H 7C 7H 8H |  | 9 0",
        "Ada reached 121 first. |  |  | ",
    ]
    assert stages(board_end(LAST, scores=[90, 110]))[-4:] == [
        "Column a: two pairs make four. | 2C 2S 8D 8H |  | 0 4",
        "Column b: fifteen two. | 7H 8S |  | 0 2",
        "Column c: fifteen eight, a pair makes ten, two runs of three make sixteen. | 5H JC JD QD KD |  | 0 5",
        "Ben reached 121 first. |  |  | ",
    ]


def test_a_game_of_one_deal_counts_the_whole_board():
    assert len(stages(board_end(LAST, options={"target": "one-deal"}))) == 13


def test_a_flush_needs_five_cards_and_jacks_score_by_option():
    end = board_end("4D@e5", board=JACKS, card="4D", options={"heels_nobs": True})
    assert stages(end)[2:4] == [
        "Row 1: fifteen two, a flush makes seven. | 2H 4H 7H 9H KH |  | 7 0",
        "Row 2: fifteen four, a run of four makes eight. | 3D 4S 5H 6D JS |  | 8 0",
    ]
    assert [stage for stage in stages(end) if "his" in stage.lower()] == [
        "His heels: two for the jack in the middle. | JC |  | 0 2"
    ]
    nobs = stages(board_end(LAST, board=NOB, options={"heels_nobs": True}))
    assert [stage.partition(":")[0] for stage in nobs if "his nob" in stage] == ["Row 4", "Column c"]
    assert [stage for stage in nobs if stage.startswith("Row 4")] == [
        "Row 4: fifteen four, a pair makes six, one for his nob makes seven. | 2C 2H 3C JD QD |  | 7 0"
    ]
    assert not [stage for stage in stages(board_end("4D@e5", board=JACKS, card="4D")) if "his" in stage.lower()]


def test_by_difference_only_the_better_side_scores():
    options = {"scoring": "difference"}
    end = board_end(LAST, options=options)
    assert stages(end)[:3] == [
        "Ben places 4C on e5. | 4C |  | ",
        "The rows count for Ada. |  |  | ",
        "Row 1: a run of four makes four. | TC JC QH KS |  | ",
    ]
    assert stages(end)[-2:] == [
        "Column e: fifteen four, a pair makes six. | 6C 6D 9H |  | ",
        "32 in columns, 30 in rows. |  |  | 0 2",
    ]
    assert stages(board_end(LAST, options=options, scores=[0, 30]))[-2:] == [
        "32 in columns, 30 in rows. |  |  | 0 1",
        "Ben reached 31 first. |  |  | ",
    ]


@pytest.mark.parametrize("scoring", ["total", "difference"])
@pytest.mark.parametrize("seats", [2, 4])
def test_every_card_lies_in_one_zone(seats, scoring):
    for end in random_ends(TABLETOP_CRIBBAGE, seats, hands=6, options={"scoring": scoring, "heels_nobs": True}):
        check_cards(TABLETOP_CRIBBAGE, end)
