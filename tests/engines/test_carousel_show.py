"""The show at the end of a hand of Carousel."""

import pytest

from games.engines.carousel.game import CAROUSEL
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of


def position(*melds: str, hands: list[str], **more):
    """Seat 0 is about to begin the turn."""
    return CAROUSEL.load({"to_move": 0, "phase": "start", "table": list(melds), "hands": hands, **more})


def stages(*moves: str, viewer: int | None = None, **more) -> list[str]:
    return stages_of(CAROUSEL.show(end_after(CAROUSEL, position(**more), *moves)), viewer)


def test_the_knocker_scores_the_difference_to_each_other_hand():
    state = position("4H1-5H1-6H2", hands=["AD1 3S2", "KC2", "2S1 9D1"], stock_count=5, scores=[10, 20, 30])
    show = CAROUSEL.show(end_after(CAROUSEL, state, "K"))
    assert show.scores == (10, 20, 30)
    assert stages_of(show) == [
        "Ada knocks with 4. |  |  | ",
        "Ada counts 4 for AD1 3S2. | AD1 3S2 |  | ",
        "Ben counts 10 for KC2. | KC2 |  | ",
        "Cleo counts 11 for 2S1 9D1. | 2S1 9D1 |  | ",
        "Ada scores 6, the difference to Ben. | KC2 |  | 6 0 0",
        "Ada scores 7, the difference to Cleo. | 2S1 9D1 |  | 7 0 0",
    ]
    assert zones_of(show) == {
        "hand:0": "AD1 3S2",
        "hand:1": "KC2",
        "hand:2": "2S1 9D1",
        "stock": "5 hidden",
        "meld:1": "4H1 5H1 6H2",
    }


def test_a_lower_hand_undercuts_the_knocker_and_no_deadwood_has_a_bonus():
    assert stages("K", hands=["AD 3S", ""], stock_count=5, viewer=1) == [
        "Ada knocks with 4. |  |  | ",
        "Ada counts 4 for AD 3S. | AD 3S |  | ",
        "You count 0, with no cards left. |  |  | ",
        "You score 4, the difference to Ada. | AD 3S |  | 0 4",
        "You score 10 for the undercut. |  |  | 0 10",
        "You score 25 for no deadwood. |  |  | 0 25",
    ]


def test_a_bonus_of_nothing_is_not_counted():
    options = {"undercut_bonus": 0, "zero_bonus": 0}
    assert stages("K", hands=["AD 3S", ""], stock_count=5, options=options)[3:] == [
        "Ben scores 4, the difference to Ada. | AD 3S |  | 0 4"
    ]


def test_players_with_the_same_lowest_deadwood_share_all_that_is_scored():
    assert stages("K", hands=["AD1 3S2", "2C2", "AC1 AC2", "KC2"], stock_count=5)[5:] == [
        "Differences to the other hands: 10. |  |  | ",
        "Knocker undercut: 10. |  |  | ",
        "Ben and Cleo share 20, 10 each. |  |  | 0 10 10 0",
    ]


def test_nobody_scores_where_all_hands_count_the_same():
    assert stages("K", hands=["AD 3S", "4C"], stock_count=5)[-1:] == [
        "All hands count the same, so no one scores. |  |  | 0 0"
    ]


def test_the_hands_are_compared_when_everyone_has_passed():
    assert stages("-", "-", hands=["AD 9S", "4C"]) == [
        "Ben passes. |  |  | ",
        "Everyone has passed, so the hands are compared. |  |  | ",
        "Ben counts 4 for 4C. | 4C |  | ",
        "Ada counts 10 for AD 9S. | AD 9S |  | ",
        "Ben scores 6, the difference to Ada. | AD 9S |  | 0 6",
    ]


def test_melds_in_a_hand_count_nothing_where_they_are_free():
    hands = ["AD 6C 7C 8C KD KC KH", "4C"]
    assert stages("K", hands=hands, stock_count=5, options={"hand_melds": "free"})[:2] == [
        "Ada knocks with 1. |  |  | ",
        "Ada counts 1 for AD, beside 6C-7C-8C and KC+KD+KH. | AD |  | ",
    ]


def test_of_two_melds_the_costlier_counts_nothing_even_if_it_has_fewer_cards():
    hands = ["AD", "AC 2C 4C KC KD XB"]
    assert stages("K", hands=hands, stock_count=5, options={"hand_melds": "free"})[2] == (
        "Ben counts 7 for AC 2C 4C, beside KC+KD+XB. | AC 2C 4C |  | "
    )


def test_going_out_may_end_the_hand_like_a_knock():
    state = position("4H-5H-6H-7H", hands=["7C 7D", "4C"], phase="after-draw", options={"go_out_ends": True})
    show = CAROUSEL.show(end_after(CAROUSEL, state, "M 7H<1+7C+7D"))
    assert stages_of(show) == [
        "Ada lays 7C+7D+7H with 7H from meld 1. | 7C 7D 7H |  | ",
        "Ada goes out, which ends the hand like a knock. |  |  | ",
        "Ada counts 0, with no cards left. |  |  | ",
        "Ben counts 4 for 4C. | 4C |  | ",
        "Ada scores 4, the difference to Ben. | 4C |  | 4 0",
        "Ada scores 25 for no deadwood. |  |  | 25 0",
    ]
    assert zones_of(show) == {"hand:1": "4C", "meld:1": "4H 5H 6H", "meld:2": "7C 7D 7H"}


def test_a_play_that_rearranges_the_table_may_end_the_hand():
    options = {"go_out_ends": True, "manipulation": "free"}
    state = position("4H-5H-6H-7H", hands=["7C 7D", "4C"], phase="after-draw", options=options)
    show = CAROUSEL.show(end_after(CAROUSEL, state, "P x1 > 4H-5H-6H / 7C+7D+7H"))
    assert zones_of(show) == {"hand:1": "4C", "meld:1": "4H 5H 6H", "meld:2": "7C 7D 7H"}


@pytest.mark.parametrize("seats", CAROUSEL.seats)
def test_each_card_lies_in_one_zone_of_the_show(seats: int):
    for end in random_ends(CAROUSEL, seats, hands=2, options={"go_out_ends": True}):
        check_cards(CAROUSEL, end)
