"""The show at the end of a deal of Push."""

from games.engines.push.game import PUSH_GAME
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of

OTHERS = {"E": "KC1 2C1", "S": "XB1", "W": "AH1 3S1"}


def show(*moves: str, **more):
    """The show after these moves; N is to move and has drawn, unless there is an upcard."""
    end = end_after(PUSH_GAME, PUSH_GAME.load(more), *moves)
    check_cards(PUSH_GAME, end)
    return PUSH_GAME.show(end)


def test_the_other_side_pays_for_both_its_hands():
    shown = show("DISC QH1", hands={"N": "QH1", **OTHERS}, scores={"NS": 30, "EW": 45}, stock_count=3)
    assert shown.scores == (30, 45, 30, 45)
    assert stages_of(shown) == [
        "Ada discards QH1. | QH1 |  | ",
        "Ada goes out. |  |  | ",
        "Ben counts 30 for KC1 2C1. | KC1 2C1 |  | ",
        "Dora counts 20 for AH1 3S1. | AH1 3S1 |  | ",
        "Ben and Dora pay 50. |  |  | 0 50 0 50",
        "Cleo counts nothing for XB1, as Ada's partner. | XB1 |  | ",
    ]
    assert stages_of(shown, viewer=0)[-1] == "Cleo counts nothing for XB1, as your partner. | XB1 |  | "
    assert stages_of(shown, viewer=3)[4] == "You and Ben pay 50. |  |  | 0 50 0 50"
    assert zones_of(shown) == {
        "hand:1": "KC1 2C1",
        "hand:2": "XB1",
        "hand:3": "AH1 3S1",
        "stock": "3 hidden",
        "discards": "QH1",
    }


def test_the_last_card_lies_in_the_meld_to_which_it_was_added():
    table = ["S(8S1 8H2 8D1)", "R(4H1 5H1 6H1)"]
    shown = show("LAY 7H1>M2", hands={"N": "7H1", **OTHERS}, table=table, opened=True, stock_count=3)
    assert stages_of(shown)[0] == "Ada adds 7H1 to meld 2. | 7H1 |  | "
    assert zones_of(shown)["meld:1"] == "8S1 8H2 8D1"
    assert zones_of(shown)["meld:2"] == "4H1 5H1 6H1 7H1"
    assert "discards" not in zones_of(shown)


def test_an_initial_meld_of_all_cards_ends_the_deal():
    hands = {"N": "5S1 5H1 5D1 9S1 9H1 9D1", **OTHERS}
    shown = show("OPEN S(5S1 5H1 5D1) S(9S1 9H1 9D1)", hands=hands, stock_count=3)
    assert stages_of(shown)[:2] == [
        "Ada opens with the set 5S1 5H1 5D1 and the set 9S1 9H1 9D1. | 5S1 5H1 5D1 9S1 9H1 9D1 |  | ",
        "Ada goes out. |  |  | ",
    ]
    assert zones_of(shown)["meld:2"] == "9S1 9H1 9D1"


def test_a_freed_joker_may_be_the_last_card_laid():
    table = ["R(4H1 XR1 6H1)", "R(8C1 9C1 TC1)"]
    shown = show("SWAP 5H1>M1=XR1 LAY>M2+", hands={"N": "5H1", **OTHERS}, table=table, opened=True, stock_count=3)
    assert stages_of(shown)[0] == "Ada adds XR1 as JC to meld 2, freed by 5H1. | 5H1 XR1 |  | "
    assert zones_of(shown)["meld:1"] == "4H1 5H1 6H1"
    assert zones_of(shown)["meld:2"] == "8C1 9C1 TC1 XR1"


def test_both_sides_pay_where_the_stock_is_too_short_for_a_push():
    shown = show("END", hands={"N": "4C1", **OTHERS}, upcard="QH1", stock_count=1)
    assert stages_of(shown) == [
        "Ada ends the deal. |  |  | ",
        "The stock is too short for a push and no one has gone out, so both sides pay. |  |  | ",
        "Ada counts 5 for 4C1. | 4C1 |  | ",
        "Cleo counts 20 for XB1. | XB1 |  | ",
        "Ada and Cleo pay 25. |  |  | 25 0 25 0",
        "Ben counts 30 for KC1 2C1. | KC1 2C1 |  | ",
        "Dora counts 20 for AH1 3S1. | AH1 3S1 |  | ",
        "Ben and Dora pay 50. |  |  | 0 50 0 50",
    ]
    assert zones_of(shown)["discards"] == "QH1"
    assert zones_of(shown)["stock"] == "1 hidden"


def test_each_card_lies_in_one_zone_of_the_show():
    for end in random_ends(PUSH_GAME, 4, hands=5):
        check_cards(PUSH_GAME, end)
