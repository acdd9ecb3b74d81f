"""The show at the end of a hand of Sixty-Six, sentence | cards | zone to which they go | points."""

import pytest

from games.core.contract import HandEnd
from games.engines.sixty_six.game import SIXTY_SIX
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of

CLOSED = {"upcard": "JH", "closed_by": 0, "stock_count": 1, "to_move": 0}


def end_of(*moves: str, **position) -> HandEnd:
    return end_after(SIXTY_SIX, SIXTY_SIX.load(position), *moves)


def test_a_right_claim_is_counted_with_the_marriage():
    end = end_of(
        "66",
        hands=["QD JC", "9S JS"],
        upcard="9H",
        stock_count=1,
        won=["AS TS AH TH", "9C QC"],
        last_trick="AH TH",
        marriage_points=[40, 0],
        points=[82, 3],
        tricks=[2, 1],
        to_move=0,
        scores=[3, 5],
    )
    show = SIXTY_SIX.show(end)
    assert show.scores == (3, 5)
    assert zones_of(show) == {
        "hand:0": "2 hidden",
        "hand:1": "2 hidden",
        "stock": "1 hidden",
        "upcard": "9H",
        "trick": "AH TH",
        "won:0": "AS TS",
        "won:1": "9C QC",
    }
    assert stages_of(show) == [
        "Ada takes the trick. | AH TH | won:0 | ",
        "Ada claims 66. |  |  | ",
        "Ada counts 42 in tricks. | AS TS AH TH |  | ",
        "Ada adds 40 for marriages: 82. |  |  | ",
        "Ben counts 3 in tricks. | 9C QC |  | ",
        "Ada reaches 66 with 82. |  |  | ",
        "Ada scores 2 game points: the other player has fewer than 33 points. |  |  | 2 0",
    ]


def test_a_wrong_claim_pays_the_other_and_the_card_led_counts_for_nobody():
    end = end_of("66", hands=["TS", "9S JS"], upcard="9H", stock_count=1, led="AS", to_move=0, won=["AH TH", "9C QC"])
    assert stages_of(SIXTY_SIX.show(end), viewer=1) == [
        "Ada claims 66. |  |  | ",
        "The card led, AS, counts for no one. | AS |  | ",
        "Ada counts 21 in tricks. | AH TH |  | ",
        "You count 3 in tricks. | 9C QC |  | ",
        "Ada misses 66 with only 21. |  |  | ",
        "You score 2 game points: wrong claim. |  |  | 0 2",
    ]


def test_points_of_a_marriage_need_a_trick():
    end = end_of(
        "66", hands=["KD QD", "9S JS"], upcard="9H", stock_count=1, pending=[20, 0], to_move=0, won=["", "9C QC"]
    )
    assert stages_of(SIXTY_SIX.show(end)) == [
        "Ada claims 66. |  |  | ",
        "Ada counts 0 in tricks. |  |  | ",
        "Ada gets nothing for 20 in marriages without a trick. |  |  | ",
        "Ben counts 3 in tricks. | 9C QC |  | ",
        "Ada misses 66 with only 0. |  |  | ",
        "Ben scores 2 game points: wrong claim. |  |  | 0 2",
    ]


def test_the_closer_reaches_66_with_the_last_trick():
    end = end_of("AS", "QS", hands=["AS", "QS"], won=["AH TH AD TD TC KC", "9C QC"], **CLOSED)
    assert stages_of(SIXTY_SIX.show(end)) == [
        "Ben plays QS. | QS |  | ",
        "Ada takes the trick. | AS QS | won:0 | ",
        "Ada counts 70 in tricks. | AH TH AD TD TC KC AS QS |  | ",
        "Ben counts 3 in tricks. | 9C QC |  | ",
        "Ada reaches 66 with 70. |  |  | ",
        "Ada scores 2 game points: the other player has fewer than 33 points, after closing. |  |  | 2 0",
    ]


def test_the_closer_misses_66_and_the_other_reaches_it():
    end = end_of("JS", "AS", hands=["JS", "AS"], won=["9C QC", "AH TH AD TD TC KC"], **CLOSED)
    assert stages_of(SIXTY_SIX.show(end)) == [
        "Ben plays AS. | AS |  | ",
        "Ben takes the trick. | JS AS | won:1 | ",
        "Ada counts 3 in tricks. | 9C QC |  | ",
        "Ben counts 69 in tricks. | AH TH AD TD TC KC JS AS |  | ",
        "Ada misses 66 with only 3. |  |  | ",
        "Ben reaches 66 with 69. |  |  | ",
        "Ben scores 2 game points: 66 with the last trick, against the closer. |  |  | 0 2",
    ]


def test_a_table_may_pay_by_the_tricks_at_the_closing():
    end = end_of(
        "AS",
        "QS",
        options={"close_snapshot": True},
        hands=["AS", "QS"],
        won=["AH TH AD TD TC KC", "9C QC"],
        at_close=[0, 0],
        **CLOSED,
    )
    assert stages_of(SIXTY_SIX.show(end))[-2:] == [
        "When the stock was closed, Ben had 0 points and 0 tricks. |  |  | ",
        "Ada scores 3 game points: the other player has no trick, after closing. |  |  | 3 0",
    ]


def played_out(points: list[int]) -> HandEnd:
    return end_of("END", phase="final", trump="H", to_move=0, points=points, tricks=[7, 5], carry=1)


def test_a_hand_played_out_counts_the_last_trick_and_what_a_tie_left():
    assert stages_of(SIXTY_SIX.show(played_out([70, 60]))) == [
        "Ada ends the hand. |  |  | ",
        "Ada counts 60 in tricks. |  |  | ",
        "Ada adds 10 for the last trick: 70. |  |  | ",
        "Ben counts 60 in tricks. |  |  | ",
        "Ada scores 1 game point: more points in a hand played out. |  |  | 1 0",
        "Ada scores 1 game point: carried over from a tie. |  |  | 1 0",
    ]


def test_a_tie_scores_for_nobody():
    assert stages_of(SIXTY_SIX.show(played_out([65, 65]))) == [
        "Ada ends the hand. |  |  | ",
        "Ada counts 55 in tricks. |  |  | ",
        "Ada adds 10 for the last trick: 65. |  |  | ",
        "Ben counts 65 in tricks. |  |  | ",
        "Both have 65: no one scores, and the next hand is worth one more game point. |  |  | ",
    ]


@pytest.mark.parametrize(
    "options", [{}, {"close_snapshot": True, "late_marriages": True, "close_window": "after-draw"}]
)
def test_each_card_lies_in_one_zone_of_the_show(options: dict):
    for end in random_ends(SIXTY_SIX, 2, hands=8, options=options):
        check_cards(SIXTY_SIX, end)
