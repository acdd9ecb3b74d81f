"""The show at the end of a game of Russian Bank."""

from games.core.shows import end_of_hand
from games.engines.russian_bank.game import RUSSIAN_BANK
from games.engines.russian_bank.state import RussianBankState
from tests.hand_ends import check_cards, random_ends, stages_of, zones_of

DULL = "2C1 / 2S1 / 4C1 / 4S1"


def two(first, second="") -> dict:
    return {0: first, 1: second}


def seat_of(state: RussianBankState, move: str) -> int:
    return 1 - state.turn if move in ("STOP", "GO") else state.turn


def show(*moves: str, **more):
    """The show after these moves; seat 0 is on turn."""
    state = RUSSIAN_BANK.load(more)
    *first, last = moves
    for move in first:
        state.play(seat_of(state, move), RUSSIAN_BANK.parse(move))
    end = end_of_hand(state, seat_of(state, last), RUSSIAN_BANK.parse(last))
    check_cards(RUSSIAN_BANK, end)
    return RUSSIAN_BANK.show(end)


OUT = {
    "reserve": two([], ["9C2", "8C2"]), "waste": two("", "QC2"), "stock": two("TD1", ["5H2", "6H2"]),
    "tableau": two("JS1 / 2C1 / 2S1 / 4C1", "KC2 / 3C2 / 5C2 / 7C2"),
}  # fmt: skip


def test_going_out_scores_for_what_is_left_in_stock_reserve_and_waste():
    shown = show("S>1 TD1", **OUT, options={"target": 100}, scores=[10, 20])
    assert shown.scores == (10, 20)
    assert stages_of(shown) == [
        "Ada moves TD1 to pile 1. | TD1 |  | ",
        "Ada scores 30 for going out. |  |  | 30 0",
        "Ada scores 4 for 2 cards in Ben's stock, at 2 each. | 6H2 5H2 |  | 4 0",
        "Ada scores 3 for 3 cards in Ben's reserve and waste. | 8C2 9C2 QC2 |  | 3 0",
    ]
    assert stages_of(shown, viewer=1)[2:] == [
        "Ada scores 4 for 2 cards in your stock, at 2 each. | 6H2 5H2 |  | 4 0",
        "Ada scores 3 for 3 cards in your reserve and waste. | 8C2 9C2 QC2 |  | 3 0",
    ]
    assert zones_of(shown) == {
        "stock:1": "6H2 5H2",
        "reserve:1": "8C2 9C2",
        "waste:1": "QC2",
        "tableau:1:1": "KC2",
        "tableau:1:2": "3C2",
        "tableau:1:3": "5C2",
        "tableau:1:4": "7C2",
        "tableau:0:1": "JS1 TD1",
        "tableau:0:2": "2C1",
        "tableau:0:3": "2S1",
        "tableau:0:4": "4C1",
    }


def test_an_empty_stock_scores_nothing_and_the_last_card_may_be_loaded():
    shown = show("S>OW TD1", **{**OUT, "stock": two("TD1"), "waste": two("", "JD2")})
    assert stages_of(shown) == [
        "Ada loads TD1 on Ben's waste. | TD1 |  | ",
        "Ada scores 30 for going out. |  |  | 30 0",
        "Ada scores 4 for 4 cards in Ben's reserve and waste. | 8C2 9C2 JD2 TD1 |  | 4 0",
    ]
    assert zones_of(shown)["waste:1"] == "JD2 TD1"


def test_the_last_card_may_go_to_a_foundation():
    shown = show("S>F TD1", **{**OUT, "foundations": "9D"})
    assert stages_of(shown)[0] == "Ada plays TD1 to a foundation. | TD1 |  | "
    assert zones_of(shown)["foundation:1"].endswith("9D1 TD1")


BLOCKED = {
    "rounds": [2, 2], "turned": "KC1", "tableau": two(DULL), "stock": two(["KD1", "QD1"], ["5H2"]),
    "reserve": two([], ["9C2", "8C2"]), "waste": two(["7S1"], "QC2"),
}  # fmt: skip


def test_in_a_blocked_game_both_count_and_the_difference_is_scored():
    shown = show("R>W KC1", **BLOCKED)
    assert stages_of(shown) == [
        "Ada puts KC1 on the waste. | KC1 |  | ",
        "The game is blocked: both have gone round twice without a foundation card. |  |  | ",
        "Ada counts 6, 4 for the stock and 2 for reserve and waste. | QD1 KD1 7S1 KC1 |  | ",
        "Ben counts 5, 2 for the stock and 3 for reserve and waste. | 5H2 8C2 9C2 QC2 |  | ",
        "Ben scores 1, the difference. |  |  | 0 1",
    ]
    assert zones_of(shown)["waste:0"] == "7S1 KC1"


def test_nobody_scores_in_a_blocked_game_if_both_count_the_same():
    shown = show("R>W KC1", **{**BLOCKED, "waste": two(["7S1"], "QC2 KC2")})
    assert stages_of(shown)[-1] == "Both count the same, so no one scores. |  |  | "


def test_a_pass_may_block_the_game():
    position = {**BLOCKED, "turned": None, "waste": two([], "QC2"), "rounds": [1, 2]}
    assert stages_of(show("P", **position)) == [
        "Ada passes. |  |  | ",
        "The game is blocked: both have gone round twice without a foundation card. |  |  | ",
        "Ada counts 4, 4 for the stock and 0 for reserve and waste. | QD1 KD1 |  | ",
        "Ben counts 5, 2 for the stock and 3 for reserve and waste. | 5H2 8C2 9C2 QC2 |  | ",
        "Ada scores 1, the difference. |  |  | 1 0",
    ]


def test_the_last_deed_is_shown_and_not_what_the_other_player_calls():
    shown = show("S>1 TD1", "STOP", "GO", **OUT, options={"mode": "casual"})
    assert stages_of(shown)[:2] == [
        "Ada moves TD1 to pile 1. | TD1 |  | ",
        "Ada scores 30 for going out. |  |  | 30 0",
    ]
    assert zones_of(shown)["tableau:0:1"] == "JS1 TD1"


def test_a_position_may_be_without_the_last_deed():
    position = {**OUT, "stock": two([], ["5H2", "6H2"]), "options": {"mode": "casual"}, "phase": "shift"}
    assert stages_of(show("GO", **position))[0] == "Ada scores 30 for going out. |  |  | 30 0"


def test_a_stop_that_costs_the_turn_may_block_the_game():
    options = {"mode": "casual", "stop_penalty": "lose_turn"}
    tableau = two("7D1 / 2C1 / 2S1 / 4C1")
    position = {**BLOCKED, "turned": "6C1", "tableau": tableau, "rounds": [1, 2], "options": options}
    shown = show("R>W 6C1", "STOP", **position)
    assert stages_of(shown)[:3] == [
        "Ben calls stop: a card was missed, and the cards go back. |  |  | ",
        "The game is blocked: both have gone round twice without a foundation card. |  |  | ",
        "Ada counts 6, 4 for the stock and 2 for reserve and waste. | QD1 KD1 6C1 7S1 |  | ",
    ]
    assert zones_of(shown)["reserve:0"] == "6C1"


def test_each_card_lies_in_one_zone_of_the_show():
    for options in ({}, {"mode": "casual", "stop_penalty": "lose_turn"}):
        for end in random_ends(RUSSIAN_BANK, 2, hands=1, options={**options, "target": 100}):
            check_cards(RUSSIAN_BANK, end)
