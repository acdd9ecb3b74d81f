"""The show at the end of a deal of Vatican."""

import pytest

from games.engines.vatican import VATICAN
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of


def position(*melds: str, hands: list[str], **more):
    """Seat 0 is to move; all have opened."""
    opened = [True] * len(hands)
    return VATICAN.load({"to_move": 0, "opened": opened, "table": list(melds), "hands": hands, **more})


def test_the_last_play_lies_on_the_table_and_the_other_hands_are_turned_up():
    state = position("4H1-5H1-6H2", "9C1+9D1+9S1", hands=["7H1", "KC2 2S1", "AD1"], stock_count=5)
    show = VATICAN.show(end_after(VATICAN, state, "P x1 > 4H1-5H1-6H2-7H1"))
    assert stages_of(show) == [
        "Ada adds 7H1 to meld 1. | 7H1 |  | ",
        "Ada goes out. |  |  | ",
        "Ben holds 2S1 KC2. | 2S1 KC2 |  | ",
        "Cleo holds AD1. | AD1 |  | ",
        "Ada wins the game. |  |  | 1 0 0",
    ]
    assert zones_of(show) == {
        "hand:1": "2S1 KC2",
        "hand:2": "AD1",
        "stock": "5 hidden",
        "meld:1": "4H1 5H1 6H2 7H1",
        "meld:2": "9C1 9D1 9S1",
    }
    assert show.scores == (0, 0, 0)
    assert VATICAN.show(end_after(VATICAN, state, "P x1 > 4H1-5H1-6H2-7H1")) == show


def test_the_fewest_cards_win_where_everyone_passes():
    state = position(hands=["KC2 2S1", "AD1", "4D1 8S1 JH2"])
    assert stages_of(VATICAN.show(end_after(VATICAN, state, "-", "-", "-"))) == [
        "Cleo passes. |  |  | ",
        "Everyone has passed, so the fewest cards win. |  |  | ",
        "Ada holds 2S1 KC2. | 2S1 KC2 |  | ",
        "Ben holds AD1. | AD1 |  | ",
        "Cleo holds 4D1 8S1 JH2. | 4D1 8S1 JH2 |  | ",
        "Ben wins the game with the fewest cards, 1. |  |  | 0 1 0",
    ]


def test_many_cards_are_counted_instead_of_named():
    hand = "2C1 3D1 4C1 5D1 6C1 7D1 8C1 8S1 9H1 TC1 JH1 QC1 KH1"
    end = end_after(VATICAN, position(hands=[hand, "KC2"]), "-", "-")
    assert stages_of(VATICAN.show(end))[2] == f"Ada holds 13 cards. | {hand} |  | "


def test_equally_few_cards_share_the_win():
    end = end_after(VATICAN, position(hands=["KC2", "AD1", "4D1 8S1"]), "-", "-", "-")
    assert stages_of(VATICAN.show(end))[-1] == "Ada and Ben share the win. |  |  | 1 1 0"
    assert stages_of(VATICAN.show(end), viewer=0)[-1] == "You and Ben share the win. |  |  | 1 1 0"


def test_with_penalty_points_each_hand_is_paid_for():
    options = {"penalty_scoring": True}
    state = position(hands=["7C1 8C1 9C1", "KC2 2S1", "XB"], stock_count=5, options=options, scores=[5, 7, 0])
    show = VATICAN.show(end_after(VATICAN, state, "P > 7C1-8C1-9C1"))
    assert show.scores == (5, 7, 0)
    assert stages_of(show) == [
        "Ada lays 7C1-8C1-9C1. | 7C1 8C1 9C1 |  | ",
        "Ada goes out. |  |  | ",
        "Ben counts 12 for 2S1 KC2. | 2S1 KC2 |  | 0 12 0",
        "Cleo counts 30 for XB. | XB |  | 0 0 30",
    ]


def test_with_penalty_points_the_fewest_cards_of_a_blocked_deal_cost_nothing():
    state = position(hands=["KC2", "AD1 2S1", "4D1"], options={"penalty_scoring": True})
    assert stages_of(VATICAN.show(end_after(VATICAN, state, "-", "-", "-")), viewer=2) == [
        "You pass. |  |  | ",
        "Everyone has passed, so the fewest cards win. |  |  | ",
        "Ada counts nothing for KC2. | KC2 |  | ",
        "Ben counts 13 for AD1 2S1. | AD1 2S1 |  | 0 13 0",
        "You count nothing for 4D1. | 4D1 |  | ",
    ]


@pytest.mark.parametrize("seats", VATICAN.seats)
def test_each_card_lies_in_one_zone_of_the_show(seats: int):
    for end in random_ends(VATICAN, seats, hands=1, options={"penalty_scoring": True}):
        check_cards(VATICAN, end)
