"""The show at the end of a hand of Krambambuli."""

import pytest

from games.engines.krambambuli.game import KRAMBAMBULI
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of


def position(*melds: str, hands: list[str], **more):
    """Seat 0 has drawn."""
    return KRAMBAMBULI.load({"to_move": 0, "phase": "after-draw", "table": list(melds), "hands": hands, **more})


def test_the_last_discard_lies_on_the_pile_and_the_others_pay_for_their_hands():
    hands = ["KH", "AC TD 4S", "2C"]
    state = position("4H-5H-6H (0)", hands=hands, discards="9D QC", stock_count=3, scores=[480, 455, 490])
    show = KRAMBAMBULI.show(end_after(KRAMBAMBULI, state, "X KH"))
    assert show.scores == (480, 455, 490)
    assert stages_of(show) == [
        "Ada discards KH. | KH |  | ",
        "Ada goes out. |  |  | ",
        "Ben counts 24 for AC 4S TD. | AC 4S TD |  | 0 24 0",
        "Cleo counts 2 for 2C. | 2C |  | 0 0 2",
    ]
    assert zones_of(show) == {
        "hand:1": "AC 4S TD",
        "hand:2": "2C",
        "stock": "3 hidden",
        "discards": "KH 2 hidden",
        "meld:1": "4H 5H 6H",
    }


def test_the_last_meld_lies_on_the_table_with_a_stolen_card():
    melds = "2S+2D+2C (0)", "7H-8H-9H-TH (1)"
    state = position(*melds, hands=["7C 7D", "KS"], melded_before=True, discards="QC", stock_count=3)
    show = KRAMBAMBULI.show(end_after(KRAMBAMBULI, state, "M 7H<2+7C+7D"))
    assert stages_of(show, viewer=1) == [
        "Ada lays 7C+7D+7H with 7H from meld 2. | 7C 7D 7H |  | ",
        "Ada goes out. |  |  | ",
        "You count 10 for KS. | KS |  | 0 10",
    ]
    assert zones_of(show) == {
        "hand:1": "KS",
        "stock": "3 hidden",
        "discards": "QC",
        "meld:1": "2C 2D 2S",
        "meld:2": "8H 9H TH",
        "meld:3": "7C 7D 7H",
    }
    assert [zone.owner for zone in show.zones if zone.kind == "meld"] == [0, 1, 0]


def test_the_last_card_may_enlarge_a_meld():
    state = position("4H-5H-6H (0)", hands=["7H", "KS"], stock_count=3)
    show = KRAMBAMBULI.show(end_after(KRAMBAMBULI, state, "L1 4H-5H-6H-7H"))
    assert stages_of(show)[0] == "Ada adds 7H to meld 1. | 7H |  | "
    assert zones_of(show)["meld:1"] == "4H 5H 6H 7H"


def test_all_hands_count_when_the_stock_is_used_up():
    options = {"turnovers": 0, "review_discards": True}
    state = position(hands=["KH 3C", "AC"], discards="9D QC", stock=[], options=options)
    show = KRAMBAMBULI.show(end_after(KRAMBAMBULI, state, "X KH"))
    assert stages_of(show) == [
        "Ada discards KH. | KH |  | ",
        "The stock is empty, so all hands count. |  |  | ",
        "Ben counts 10 for AC. | AC |  | 0 10",
        "Ada counts 3 for 3C. | 3C |  | 3 0",
    ]
    assert zones_of(show) == {"hand:0": "3C", "hand:1": "AC", "discards": "9D QC KH"}


@pytest.mark.parametrize("seats", KRAMBAMBULI.seats)
def test_each_card_lies_in_one_zone_of_the_show(seats: int):
    for end in random_ends(KRAMBAMBULI, seats, hands=4):
        check_cards(KRAMBAMBULI, end)
