"""The show at the end of a hand of Shanghai."""

import pytest

from games.engines.shanghai import SHANGHAI
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of


def position(*melds: str, hands: list[str], **more):
    """Seat 0 is to move."""
    return SHANGHAI.load({"to_move": 0, "table": list(melds), "hands": hands, **more})


def test_each_hand_is_paid_for_when_a_player_goes_out():
    hands = ["7H1 8H1", "KC2 2S1", "AD1 TC1 9S1"]
    state = position("4H1-5H1-6H2", hands=hands, stock_count=5, scores=[20, 40, 60])
    show = SHANGHAI.show(end_after(SHANGHAI, state, "P x1 > 4H1-5H1-6H2-7H1-8H1"))
    assert show.scores == (20, 40, 60)
    assert stages_of(show) == [
        "Ada adds 7H1 8H1 to meld 1. | 7H1 8H1 |  | ",
        "Ada goes out. |  |  | ",
        "Ben counts 15 for 2S1 KC2. | 2S1 KC2 |  | 0 15 0",
        "Cleo counts 30 for AD1 9S1 TC1. | AD1 9S1 TC1 |  | 0 0 30",
    ]
    assert zones_of(show) == {
        "hand:1": "2S1 KC2",
        "hand:2": "AD1 9S1 TC1",
        "stock": "5 hidden",
        "meld:1": "4H1 5H1 6H2 7H1 8H1",
    }


def test_a_rearranged_table_is_shown_as_it_is_in_the_end():
    state = position("4H1-5H1-6H2-7H1", hands=["7C2 7S2", "KC2"])
    end = end_after(SHANGHAI, state, "P x1 > 4H1-5H1-6H2 / 7H1+7C2+7S2")
    show = SHANGHAI.show(end)
    assert zones_of(show) == {"hand:1": "KC2", "meld:1": "4H1 5H1 6H2", "meld:2": "7C2 7H1 7S2"}


def test_all_hands_count_when_everyone_passes():
    end = end_after(SHANGHAI, position(hands=["KC2", "AD1"]), "-", "-")
    assert stages_of(SHANGHAI.show(end)) == [
        "Ben passes. |  |  | ",
        "Everyone has passed and the stock is empty, so all hands count. |  |  | ",
        "Ada counts 10 for KC2. | KC2 |  | 10 0",
        "Ben counts 15 for AD1. | AD1 |  | 0 15",
    ]


def test_cards_may_cost_1_each():
    state = position(hands=["7C1 8C1 9C1", "KC2 2S1"], options={"count": "cards"})
    end = end_after(SHANGHAI, state, "P > 7C1-8C1-9C1")
    assert stages_of(SHANGHAI.show(end), viewer=1)[-1] == "You count 2 for 2S1 KC2. | 2S1 KC2 |  | 0 2"


@pytest.mark.parametrize("seats", SHANGHAI.seats)
def test_each_card_lies_in_one_zone_of_the_show(seats: int):
    for end in random_ends(SHANGHAI, seats, hands=3, options={"jokers": 2}):
        check_cards(SHANGHAI, end)
