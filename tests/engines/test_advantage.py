"""Advantage, rule by rule: positions in the notation of `Advantage.load`, moves in their text form."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.cards import pack
from games.core.contract import BadOption, ImpossiblePosition, UnreadableMove
from games.core.deals import numbered_decks
from games.core.words import render_text
from games.engines.advantage.game import ADVANTAGE
from games.engines.advantage.moves import FITTING
from games.engines.advantage.state import AdvantageState
from tests.engines.states import legal, play, refusal

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "advantage_examples.yaml").read_text())

DROPPING = {"piles": ["KD", "7S", "AH"], "hands": ["9C QH 3D", "2C 5C JS"], "stock": "8D 6C 4H"}
BLOCKED = {"piles": ["7H", "9D", "5D"], "hands": ["KC QS 4C", "2H 6D JS"]}
PICKING = {
    "phase": "pick",
    "piles": ["KD QH JD", "4C 6H 9S", "AH"],
    "hands": ["6S KC 2D", "5H 8D QS"],
    "stock": "3C 7D",
}
STUCK = {"phase": "pick", "piles": ["KH", "QD", "JH"], "hands": ["4S 5C 8C", "2S 3S 6C"]}
PAIRING = {
    "phase": "pair",
    "traded": [True, True],
    "piles": ["JD", "6S", "AH"],
    "hands": ["4C 4D 9S", "QS QC 8D"],
    "stock": "9C 3C KS",
}


def table(position=None, /, **more) -> AdvantageState:
    """Seat 1 deals and seat 0 is to move, unless the position says otherwise."""
    return ADVANTAGE.load({**(position or {}), **more})


def hand(state: AdvantageState, seat: int) -> str:
    return " ".join(state.hands[seat])


def piles(state: AdvantageState) -> list[str]:
    return [" ".join(pile) for pile in state.piles]


def counts(state: AdvantageState) -> list[int]:
    return [len(pairs) for pairs in state.pairs]


def whose(state: AdvantageState) -> tuple[str, int | None]:
    return str(state.phase), state.to_act[0] if state.to_act else None


def winner(state: AdvantageState) -> int | None:
    winners = state.outcome().winners
    return winners[0] if len(winners) == 1 else None


def decided_by(state: AdvantageState) -> str:
    return next((line.rule.removeprefix("advantage:") for line in state.outcome().lines), "win-pairs")


def zone(view, name):
    return next(zone for zone in view.zones if zone.id == name)


def fresh(seed: int = 1, dealer: int | None = None, **options) -> AdvantageState:
    return ADVANTAGE.start(numbered_decks(pack(), seed), seats=2, options=options, dealer=dealer)


# The worked examples

EXPECTATIONS = {
    "piles": lambda state, value: piles(state) == value,
    "hands": lambda state, value: all(hand(state, seat) == cards for seat, cards in value.items()),
    "next_card": lambda state, value: state.stock[-1] == value,
    "stock_count": lambda state, value: len(state.stock) == value,
    "to_move": lambda state, value: state.to_act == (value,),
    "phase": lambda state, value: state.phase == value,
    "moves": lambda state, value: legal(state) == value,
    "refused": lambda state, value: all(refusal(state, move) == rule for move, rule in value.items()),
    "pairs": lambda state, value: counts(state) == value,
    "over": lambda state, value: state.dump()["over"] == value,
    "winner": lambda state, value: winner(state) == value,
    "by": lambda state, value: decided_by(state) == value,
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = play(table(example["setup"]), *example.get("play", []))
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


# Setup


@rule("advantage:players-two")
def test_exactly_two_play():
    assert ADVANTAGE.seats == (2,)
    with pytest.raises(BadOption):
        ADVANTAGE.start(numbered_decks(pack()), seats=3)


@rule("advantage:first-dealer")
def test_the_dealer_is_given_and_the_other_goes_first():
    assert fresh(dealer=0).to_act == (1,)
    assert fresh(dealer=1).to_act == (0,)


@rule("advantage:deal")
@pytest.mark.parametrize("dealer", [0, 1])
def test_three_cards_to_the_centre_three_to_the_non_dealer_three_to_the_dealer(dealer):
    deck = list(numbered_decks(pack()).__next__())
    state = fresh(dealer=dealer)
    assert piles(state) == deck[:3]
    assert state.hands[1 - dealer] == deck[3:6]
    assert state.hands[dealer] == deck[6:9]
    assert state.dump()["stock"] == deck[9:]


@rule("advantage:deal")
def test_both_hands_are_dealt_open():
    for seat in (None, 0, 1):
        assert all(zone(fresh().view(seat), f"hand:{owner}").hidden == 0 for owner in (0, 1))


@rule("advantage:three-piles")
def test_dropping_adds_to_a_pile_and_trading_leaves_one_card():
    assert piles(play(table(DROPPING), "D QH>1")) == ["KD QH", "7S", "AH"]
    assert piles(play(table(PICKING), "T 6S>2")) == ["KD QH JD", "6S", "AH"]


@rule("advantage:three-piles")
def test_only_the_top_card_of_a_pile_counts():
    state = table(PICKING, piles=["KD 6D", "7H", "AH"], hands=["KC 2C 4C", "5H"])
    assert legal(state) == ["T+", "T-"]


@rule("advantage:three-piles")
@pytest.mark.parametrize("wrong", [["KD", "7S"], ["KD", "", "AH"], ["KD", "7S", "AH", "2C"], "KD 7S AH"])
def test_a_position_has_three_piles_and_none_is_empty(wrong):
    with pytest.raises(ImpossiblePosition, match="piles"):
        table(DROPPING, piles=wrong)


@rule("advantage:no-redeal")
def test_equal_ranks_and_tens_in_the_deal_are_played():
    state = table(deck="TC TD TH 4C 4D 4H TS 5C 5D".split())
    assert piles(state) == ["TC", "TD", "TH"]
    assert whose(state) == ("drop", 0)


# Fitting

FITS = {
    "KH/QD": True,
    "KH/7H": False,
    "KH/AD": True,
    "7C/AS": True,
    "7C/7H": True,
    "7C/8H": False,
    "AS/KC": True,
    "AS/KD": False,
    "AH/AS": True,
    "TC/KD": True,
    "4D/TS": True,
    "JS/QD": False,
    "JS/JD": True,
    "2C/9S": True,
    "AC/5S": True,
}


def may_drop(card: str, top: str, **options) -> bool:
    others = [other for other in ("2D", "2H", "3D", "3H") if other not in (card, top)][:2]
    state = table(piles=[top, *others], hands=[[card], "4S"], stock="6S 8S KS", options=options)
    return f"D {card}>1" in legal(state) if state.to_act == (0,) else False


@rule("advantage:fit-rank", "advantage:fit-ten", "advantage:fit-colour")
@pytest.mark.parametrize(("cards", "fits"), FITS.items())
def test_a_card_fits_by_rank_by_ten_or_by_colour(cards, fits):
    card, top = cards.split("/")
    assert may_drop(card, top) is fits
    assert may_drop(top, card) is fits


@rule("advantage:fit-rank")
def test_equal_ranks_fit_in_any_colour():
    assert all(may_drop(f"{rank}C", f"{rank}H") for rank in "A4TQ")


@rule("advantage:fit-ten")
def test_a_ten_fits_everything():
    assert all(len(FITTING["all"][f"T{suit}"]) == 51 for suit in "CDHS")


@rule("advantage:fit-colour")
@pytest.mark.parametrize(("card", "others"), [("AC", 29), ("5D", 23), ("QS", 13)])
def test_aces_fit_most_and_faces_least(card, others):
    assert len(FITTING["all"][card]) == others


@rule("advantage:fit-colour")
def test_with_aces_only_faces_and_numbers_need_no_colour():
    for cards, fits in {"JS/QD": True, "7C/8H": True, "KH/7H": False, "AS/KD": False, "AS/KC": True}.items():
        card, top = cards.split("/")
        assert may_drop(card, top, colour="aces_only") is fits


# The order of a round


@rule("advantage:round-order")
def test_the_non_dealer_goes_first_in_each_part_of_the_round():
    state = table(
        dealer=0,
        piles=["TC", "TD", "TH"],
        hands=["2C 3C 4C 2H", "5C 6C 7C 8C 5H"],
        stock="KC KD KH KS QC QD",
    )
    seen = []
    for move in ("D 5C>1", "D.", "D 2C>2", "D.", "T 4C>3", "T 8C>1"):
        seen.append(whose(state))
        play(state, move)
    assert seen == [("drop", 1), ("drop", 1), ("drop", 0), ("drop", 0), ("pick", 1), ("pick", 0)]
    assert whose(play(state, "P.")) == ("drop", 1)


@rule("advantage:round-order")
def test_the_non_dealer_pairs_first():
    state = table(PAIRING)
    assert whose(state) == ("pair", 0)
    assert whose(play(state, "P 4C4D")) == ("pair", 1)
    assert whose(play(state, "P QSQC")) == ("drop", 0)


@rule("advantage:round-order")
@pytest.mark.parametrize(
    ("position", "seat", "move"),
    [
        (DROPPING, 1, "D 2C>2"),
        (DROPPING, 1, "D."),
        (DROPPING, 0, "T QH>1"),
        (DROPPING, 1, "T+"),
        (DROPPING, 0, "T-"),
        (PICKING, 1, "T 5H>3"),
        (PICKING, 0, "D 2D>3"),
        (PICKING, 0, "D."),
        (PAIRING, 1, "P QSQC"),
        (PAIRING, 0, "D 9S>2"),
        (PAIRING, 0, "T+"),
    ],
)
def test_acting_out_of_turn_is_refused(position, seat, move):
    assert refusal(table(position), move, seat) == "round-order"


@rule("advantage:round-order")
def test_with_lead_alternate_the_dealer_goes_first_in_even_rounds():
    assert table(DROPPING, to_move=None, round=1, options={"lead": "alternate"}).to_act == (0,)
    assert table(DROPPING, to_move=None, round=2, options={"lead": "alternate"}).to_act == (1,)
    assert table(DROPPING, to_move=None, round=2).to_act == (0,)
    state = table(PAIRING, options={"lead": "alternate"})
    assert whose(play(state, "P.", "P.")) == ("drop", 1)


# Dropping


@rule("advantage:drop-one-or-two")
def test_one_card_must_be_dropped_and_a_second_may():
    state = table(DROPPING)
    assert "D." not in legal(state)
    assert refusal(state, "D.") == "drop-one-or-two"
    assert "D." in legal(play(state, "D QH>1"))
    assert whose(play(state, "D.")) == ("drop", 1)


@rule("advantage:drop-one-or-two")
def test_after_two_drops_the_turn_is_over():
    state = play(table(DROPPING), "D QH>1", "D 9C>2")
    assert whose(state) == ("drop", 1)
    assert refusal(state, "D 3D>3", seat=0) == "drop-one-or-two"


@rule("advantage:drop-one-or-two")
def test_the_dealer_cannot_drop_a_third_card_after_the_switch():
    state = play(table(DROPPING, to_move=1, hands=["9C QH 3D", "7C 5C 2C JS"]), "D 7C>2", "D 5C>2")
    assert whose(state) == ("pick", 0)
    assert refusal(state, "D 9C>2", seat=1) == "drop-one-or-two"


@rule("advantage:drop-one-or-two")
def test_a_card_that_is_not_held_cannot_be_dropped():
    assert refusal(table(DROPPING), "D 2C>2") == "drop-one-or-two"


@rule("advantage:drop-fit")
def test_a_card_that_does_not_fit_cannot_be_dropped():
    state = table(DROPPING)
    assert refusal(state, "D 9C>1") == "drop-fit"
    assert refusal(state, "D QH>2") == "drop-fit"


@rule("advantage:drop-second")
def test_the_second_card_may_go_on_the_first():
    state = play(table(DROPPING, hands=["9C 4S QH", "2C"]), "D 9C>2")
    assert "D 4S>2" in legal(state)


@rule("advantage:drop-second")
def test_a_first_drop_can_open_the_way_for_a_card_that_did_not_fit():
    state = table(piles=["7H", "9D", "5D"], hands=["9S 4C QS", "2H"], stock="8C KH 2C")
    assert legal(state) == ["D 9S>2"]
    assert legal(play(state, "D 9S>2")) == ["D 4C>2", "D."]


@rule("advantage:drop-second", "advantage:drop-no-draw-between")
def test_without_a_second_card_that_fits_the_turn_ends_without_a_draw():
    state = play(table(DROPPING, hands=["QH 9S KS 2S 4S", "2C"], piles=["KD", "6H", "AH"]), "D QH>1")
    assert whose(state) == ("drop", 1)
    assert hand(state, 0) == "9S KS 2S 4S"


@rule("advantage:drop-no-draw-between")
def test_nothing_is_drawn_for_a_second_drop():
    state = play(table(DROPPING), "D QH>1")
    assert hand(state, 0) == "9C 3D"
    assert refusal(state, "T+") == "drop-no-draw-between"


@rule("advantage:drop-blocked-draw")
def test_a_blocked_player_draws_exactly_one_card_and_drops_it_if_it_fits():
    state = table(BLOCKED, stock="9S 8C KH")
    assert hand(state, 0) == "KC QS 4C 9S"
    assert legal(state) == ["D 9S>2"]
    assert state.view(0).prompt == "No card fitted, so you drew 9S. Drop it."


@rule("advantage:drop-blocked-draw")
def test_the_prompt_names_the_drawn_card_wherever_it_lies_in_the_hand():
    state = table(BLOCKED, hands=["9S KC QS 4C", "2H"], stock="8C KH", has_drawn=True)
    assert state.view(0).prompt == "No card fitted, so you drew 9S. Drop it."


@rule("advantage:drop-blocked-draw")
def test_who_can_drop_may_not_draw_instead():
    assert refusal(table(DROPPING), "T+") == "drop-blocked-draw"


@rule("advantage:drop-blocked-pass")
def test_a_blocked_player_keeps_all_cards_when_the_drawn_one_does_not_fit_either():
    state = table(BLOCKED, stock="3S 8C")
    assert hand(state, 0) == "KC QS 4C 3S"
    assert whose(state) == ("drop", 1)
    assert len(state.stock) == 1
    assert ADVANTAGE.load(state.dump()).view(1).blocked == (("7H", "9D", "5D"), ())
    while whose(state) == ("drop", 1):
        state.play(1, state.legal_moves(1)[0])
    assert state.view(1).blocked == ((), ()), "both have seen all cards after the switch"


@rule("advantage:refill-after-drop")
def test_hands_are_refilled_to_three_before_the_other_drops():
    state = play(table(DROPPING), "D QH>1", "D.")
    assert hand(state, 0) == "9C 3D 8D"
    assert whose(state) == ("drop", 1)


@rule("advantage:refill-after-drop")
def test_a_short_stock_refills_as_far_as_it_goes():
    state = play(table(DROPPING, stock="8D"), "D QH>1", "D 9C>2")
    assert hand(state, 0) == "3D 8D"
    assert whose(state) == ("drop", 1)


@rule("advantage:no-maximum", "advantage:refill-after-drop")
def test_a_hand_of_more_than_three_is_kept_and_not_refilled():
    state = play(table(DROPPING, hands=["9C QH 3D 2H 5H 7D 9D TD", "2C"]), "D QH>1", "D 9C>2")
    assert hand(state, 0) == "3D 2H 5H 7D 9D TD"
    assert len(state.stock) == 3


# Switching


@rule("advantage:switch")
def test_complete_hands_change_owners_after_both_drop_turns():
    state = play(table(DROPPING, hands=["9C QH 3D 5D", "7C 5C JS 2H"]), "D QH>1", "D.")
    play(state, "D 7C>2", "D.")
    assert whose(state) == ("pick", 0)
    assert (hand(state, 0), hand(state, 1)) == ("5C JS 2H", "9C 3D 5D")


@rule("advantage:switch")
def test_hands_change_owners_after_a_blocked_pass_too():
    state = table(BLOCKED, to_move=1, hands=["2H 6D JS", "KC QS 4C"], stock="3S 8C")
    assert whose(state) == ("pick", 0)
    assert (hand(state, 0), hand(state, 1)) == ("KC QS 4C 3S", "2H 6D JS")


# Picking


@rule("advantage:pick-trade", "advantage:no-maximum")
def test_a_card_is_traded_for_a_whole_pile():
    state = play(table(PICKING), "T 2D>3")
    assert hand(state, 0) == "6S KC AH"
    state = play(table(PICKING), "T 6S>2")
    assert hand(state, 0) == "KC 2D 4C 6H 9S"
    assert whose(state) == ("pick", 1)


@rule("advantage:pick-trade")
def test_a_trade_needs_a_card_that_fits_the_top():
    assert refusal(table(PICKING), "T 6S>1") == "pick-trade"


@rule("advantage:pick-trade")
def test_one_trade_a_round():
    state = play(table(PICKING), "T 6S>2")
    assert refusal(state, "T 2D>3", seat=0) == "pick-trade"


@rule("advantage:pick-trade")
def test_the_second_player_may_take_the_card_just_left():
    state = play(table(PICKING, hands=["6S KC 2D", "5C 8D QS"]), "T 6S>2")
    assert "T 5C>2" in legal(state)


@rule("advantage:pick-own-card")
def test_a_card_of_the_pile_cannot_pay_for_it():
    assert refusal(table(PICKING), "T 6H>2") == "pick-own-card"


@rule("advantage:pick-own-card")
def test_a_card_of_the_other_hand_cannot_be_traded():
    assert refusal(table(PICKING), "T 5H>3") == "pick-own-card"


@rule("advantage:pick-may-pass")
def test_a_pick_may_be_passed_though_a_trade_is_possible():
    state = table(PICKING)
    assert "T-" in legal(state)
    assert whose(play(state, "T-")) == ("pick", 1)
    assert hand(state, 0) == "6S KC 2D"


@rule("advantage:pick-may-pass")
def test_passing_by_choice_never_ends_the_game():
    state = play(table(PICKING, stock=""), "T-", "T-")
    assert whose(state) == ("drop", 0)


@rule("advantage:pick-no-free-draw")
def test_nobody_draws_while_a_trade_is_possible():
    state = table(PICKING)
    assert "T+" not in legal(state)
    assert refusal(state, "T+") == "pick-no-free-draw"


@rule("advantage:pick-blocked-draw")
def test_a_blocked_picker_may_draw_or_pass():
    state = table(STUCK, stock="QS 2D")
    assert legal(state) == ["T+", "T-"]
    assert whose(play(state.copy(), "T-")) == ("pick", 1)
    assert legal(play(state, "T+")) == ["T QS>2", "T-"]


@rule("advantage:pick-blocked-draw")
def test_nobody_draws_twice():
    assert refusal(play(table(STUCK, stock="QS 2D"), "T+"), "T+") == "pick-blocked-draw"


@rule("advantage:pick-blocked-draw")
def test_a_draw_that_is_no_help_passes_by_itself():
    state = play(table(STUCK, stock="2C 2D"), "T+")
    assert whose(state) == ("pick", 1)
    assert hand(state, 0) == "4S 5C 8C 2C"


# Pairing


@rule("advantage:pair-when")
@pytest.mark.parametrize("position", [DROPPING, PICKING, STUCK])
def test_pairs_wait_until_both_have_picked(position):
    state = table(position, hands=["4C 4D KS", "2H 6D JS"], piles=["KH", "QD", "JH"], stock="9C")
    assert refusal(state, "P 4C4D") == "pair-when"
    assert refusal(state, "P.") == "pair-when"


@rule("advantage:pair-when")
def test_after_the_second_pick_the_pairing_begins():
    state = table(PICKING, hands=["4D 4H 2C 3D", "8D 8H 7S 2H"])
    assert whose(play(state, "T 3D>3")) == ("pick", 1)
    assert whose(play(state, "T 2H>3")) == ("pair", 0)


@rule("advantage:pair-needs-pick")
def test_who_passed_the_pick_lays_nothing_aside():
    state = table(PAIRING, traded=[True, False])
    assert refusal(state, "P QSQC", seat=1) == "pair-needs-pick"
    play(state, "P 4C4D")
    assert whose(state) == ("drop", 0)
    assert counts(state) == [1, 0]


@rule("advantage:pair-needs-pick")
def test_a_trade_of_an_earlier_round_does_not_count():
    state = play(table(PAIRING, hands=["4C 4D 9S", "QS QC 8D AC"]), "P 4C4D", "P QSQC")
    assert state.traded == [False, False]


@rule("advantage:pair-needs-pick")
def test_the_option_lets_pairs_be_laid_after_a_pass():
    state = table(PAIRING, traded=[False, False], options={"pair_after_pass": True})
    assert legal(state) == ["P 4C4D", "P."]
    assert whose(play(state, "P 4C4D")) == ("pair", 1)


@rule("advantage:pair-rank")
def test_a_pair_is_two_cards_of_one_rank():
    state = table(PAIRING, hands=["4C 4D TS 9S", "8D"])
    assert refusal(state, "P 4C9S") == "pair-rank"
    assert refusal(state, "P 4C4H") == "pair-rank"
    assert legal(state) == ["P 4C4D", "P."]


@rule("advantage:pair-rank")
def test_a_ten_pairs_with_a_ten_only():
    state = table(PAIRING, hands=["4C 4D TS TH", "8D"])
    assert refusal(state, "P 4CTS") == "pair-rank"
    assert legal(state) == ["P 4C4D", "P THTS", "P."]


@rule("advantage:pair-when")
def test_a_pairing_position_without_piles_can_be_played_on():
    state = play(table(PAIRING, piles=None, stock="9C 3C KS 7C 7D 8H 2C"), "P 4C4D", "P QSQC")
    assert whose(state) == ("pick", 0)
    assert state.view(0).prompt == "None of your cards fits a pile. Draw a card, or pass."


@rule("advantage:pair-optional")
def test_pairing_may_be_left_or_stopped_half_way():
    state = table(PAIRING, hands=["4C 4D 9S 9H 2C", "8D"])
    assert counts(play(state.copy(), "P.")) == [0, 0]
    assert legal(play(state, "P 9H9S")) == ["P 4C4D", "P."]
    play(state, "P.")
    assert hand(state, 0).startswith("4C 4D 2C")


@rule("advantage:pair-optional")
def test_of_three_cards_one_chooses_two():
    state = table(PAIRING, hands=["4C 4D 4S", "8D"])
    assert legal(state) == ["P 4C4D", "P 4C4S", "P 4D4S", "P."]


@rule("advantage:pair-optional")
def test_several_pairs_can_be_laid_in_one_turn():
    assert counts(play(table(PAIRING, hands=["4C 4D 4S 4H", "8D"]), "P 4C4S", "P 4D4H")) == [2, 0]


@rule("advantage:pair-once")
def test_cards_of_the_refill_are_not_paired_in_this_round():
    state = play(table(PAIRING), "P 4C4D")
    assert hand(state, 0) == "9S 9C 3C"
    assert whose(state) == ("pair", 1)
    assert refusal(state, "P 9S9C", seat=0) == "pair-once"


@rule("advantage:refill-after-pair")
def test_the_first_player_refills_before_the_second_pairs():
    state = play(table(PAIRING, stock="9C 3C KS 2H"), "P 4C4D")
    assert hand(state, 0) == "9S 9C 3C"
    play(state, "P QSQC")
    assert hand(state, 1) == "8D KS 2H"


@rule("advantage:pair-public")
def test_pairs_lie_open_before_their_owner_for_good():
    state = play(table(PAIRING), "P 4D 4C", "P QSQC")
    for viewer in (None, 0, 1):
        assert zone(state.view(viewer), "pairs:0").cards == ("4C", "4D")
        assert zone(state.view(viewer), "pairs:1").cards == ("QC", "QS")


# The end


@rule("advantage:end-cannot-drop")
def test_the_game_ends_when_nothing_can_be_dropped_and_the_stock_is_empty():
    state = table(BLOCKED)
    assert (state.over, state.to_act) == ("end-cannot-drop", ())


@rule("advantage:end-cannot-drop")
def test_the_game_ends_when_the_last_stock_card_is_no_help_to_a_blocked_dropper():
    state = table(BLOCKED, stock="3S")
    assert state.over == "end-cannot-drop"
    assert hand(state, 0) == "KC QS 4C 3S"
    loaded = ADVANTAGE.load(state.dump())
    assert (loaded.dump(), loaded.view(1)) == (state.dump(), state.view(1))


@rule("advantage:end-cannot-drop", "advantage:drop-blocked-draw")
def test_the_last_stock_card_saves_a_blocked_dropper_if_it_fits():
    assert legal(table(BLOCKED, stock="9S")) == ["D 9S>2"]


@rule("advantage:end-cannot-pick", "advantage:end-no-more-pairs")
def test_the_game_ends_when_nothing_can_be_traded_and_the_stock_is_empty():
    state = play(table(STUCK, hands=["7C 7D KS", "4S 5C"]), "T KS>1")
    assert state.over == "end-cannot-pick"
    assert counts(state) == [0, 0]


@rule("advantage:end-cannot-pick")
def test_the_game_ends_when_the_last_stock_card_is_no_help_to_a_blocked_picker():
    assert play(table(STUCK, stock="2C"), "T+").over == "end-cannot-pick"


@rule("advantage:end-cannot-pick")
def test_who_drew_the_last_stock_card_may_pass_if_it_fits():
    state = play(table(STUCK, hands=["4S 5C 8C", "2D 6C KS"], stock="QS"), "T+", "T-")
    assert whose(state) == ("pick", 1)


@rule("advantage:end-out-of-cards")
def test_dropping_the_last_cards_ends_the_game_at_once():
    state = play(table(DROPPING, hands=["9C QH", "2C"], stock=""), "D QH>1", "D 9C>2")
    assert state.over == "end-out-of-cards"


@rule("advantage:end-out-of-cards")
def test_dropping_the_last_cards_does_not_end_the_game_while_the_stock_has_cards():
    state = play(table(DROPPING, hands=["9C QH", "2C"], stock="8D"), "D QH>1", "D 9C>2")
    assert whose(state) == ("drop", 1)


@rule("advantage:end-out-of-cards")
def test_a_drop_turn_ends_the_game_if_the_other_has_no_cards():
    state = play(table(DROPPING, hands=["9C QH", ""], stock=""), "D QH>1", "D.")
    assert (state.over, state.log[-1]) == ("end-out-of-cards", "1:#out-of-cards")


@rule("advantage:end-out-of-cards")
def test_an_empty_hand_ends_no_round_while_the_stock_has_cards():
    state = play(table(PAIRING, to_move=1, hands=["", "QS QC 8D 5H 2D"]), "P QSQC")
    assert (state.over, state.round, len(state.stock)) == ("", 2, 2)


@rule("advantage:end-out-of-cards")
def test_running_out_by_pairing_lets_the_other_pair_first():
    state = play(table(PAIRING, hands=["4C 4D", "QS QC 8D"], stock=""), "P 4C4D")
    assert whose(state) == ("pair", 1)
    assert play(state, "P QSQC").over == "end-out-of-cards"
    assert counts(state) == [1, 1]


@rule("advantage:end-out-of-cards")
def test_with_at_once_running_out_by_pairing_ends_the_game():
    position = {**PAIRING, "hands": ["4C 4D", "QS QC 8D"], "options": {"out_by_pairing": "at_once"}}
    state = play(table(position, stock=""), "P 4C4D")
    assert (state.over, counts(state)) == ("end-out-of-cards", [1, 0])
    assert whose(play(table(position, stock="2C"), "P 4C4D")) == ("pair", 1)


@rule("advantage:end-no-more-pairs")
def test_after_the_end_nobody_acts_and_pairs_in_hands_count_nothing():
    state = table(BLOCKED, hands=["KC KS 4C", "2H 2D JS"], pairs={1: "6C6H"})
    assert refusal(state, "P KCKS", seat=0) == "end-no-more-pairs"
    assert refusal(state, "D 2H>1", seat=1) == "end-no-more-pairs"
    assert state.outcome().scores == (0, 1)


def idle_round(state: AdvantageState) -> AdvantageState:
    """Plays a round of one drop each and no trade, from large hands."""
    first = state.round
    while state.to_act and state.round == first:
        seat = state.to_act[0]
        calm = [move for move in state.legal_moves(seat) if str(move) in ("D.", "T-", "P.")]
        state.play(seat, (calm or state.legal_moves(seat))[0])
    return state


LARGE_HANDS = {
    "piles": ["TC", "TD", "TH"],
    "hands": [[rank + suit for suit in suits for rank in "23456789"] for suits in ("CD", "HS")],
    "stock": "KC KD",
}


@rule("advantage:end-stalled")
@pytest.mark.parametrize("limit", [4, 8])
def test_rounds_without_a_draw_or_a_pair_end_the_game(limit):
    state = table(LARGE_HANDS, options={"stall_limit": limit})
    for _ in range(limit - 1):
        idle_round(state)
    assert state.to_act
    assert idle_round(state).over == "end-stalled"


@rule("advantage:end-stalled")
@pytest.mark.parametrize("what", ["pair", "draw"])
def test_a_pair_or_a_draw_starts_the_count_of_still_rounds_again(what):
    state = table(PAIRING, still_rounds=8, hands=["4C 4D 9S 2H 3H", "8D 5H 6H 7H"], stock="KC KD")
    if what == "draw":
        state = table(PAIRING, still_rounds=8, hands=["4C 9S", "8D 5H 6H 7H"], stock="KC KD")
    else:
        play(state, "P 4C4D")
    assert state.still_rounds == 1
    assert state.round == 2


@rule("advantage:end-stalled")
def test_every_part_of_a_round_without_a_decision_is_played_on_for():
    assert table(PAIRING, still_rounds=8, hands=["4C 9S 2D", "8D 5H 6H"], stock="KC").over == "end-stalled"


# Who wins


@rule("advantage:win-pairs")
def test_more_pairs_win_whatever_their_ranks():
    state = table(pairs=["2C2D 3C3D", "ACAD"])
    assert state.outcome().places == (1, 2)
    assert state.outcome().scores == (2, 1)
    assert state.outcome().reason == "@0 [win] 2 pairs to 1."
    assert state.results[0].points == (2, 1)


@rule("advantage:win-pairs")
def test_a_four_of_a_kind_does_not_beat_more_pairs():
    assert winner(table(pairs=["2C2D 3C3D 4C4D", "ACAD AHAS"])) == 0


@rule("advantage:tie-quads")
@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (["5C5D 5H5S", "KCKD ACAD"], 0),
        (["5C5D 5H5S", "6C6D 6H6S"], 1),
        (["ACAD AHAS", "KCKD KHKS"], 0),
        (["TCTD THTS", "9C9D 9H9S"], 0),
        (["JCJD JHJS", "TCTD THTS"], 0),
        (["2C2D 2H2S 3C3D 3H3S 4C4D 4H4S", "5C5D 5H5S 6C6D 7C7D 8C8D 9C9D"], 1),
    ],
)
def test_level_pairs_go_to_the_best_four_of_a_kind_ace_high(pairs, expected):
    state = table(pairs=pairs)
    assert (winner(state), decided_by(state)) == (expected, "tie-quads")


@rule("advantage:tie-date")
@pytest.mark.parametrize(
    ("day", "expected"), [("2024-03-05", 1), ("2024-03-04", 0), ("2024-03-09", 1), ("2024-12-31", 1)]
)
def test_a_dead_tie_goes_to_the_dealer_on_an_odd_day(day, expected):
    pairs = ["5C5D", "KCKD"]
    assert winner(table(dealer=1, started_on=day, pairs=pairs)) == expected
    assert winner(table(dealer=0, started_on=day, pairs=pairs)) == 1 - expected


@rule("advantage:tie-date")
def test_the_option_day_is_the_date_of_the_game():
    pairs = ["5C5D", "KCKD"]
    assert winner(table(pairs=pairs, options={"day": "odd"})) == 1
    assert winner(table(pairs=pairs, options={"day": "even"})) == 0
    assert ADVANTAGE.load(table(started_on="2024-03-06").dump()).options["day"] == "even"


@rule("advantage:tie-date")
def test_the_date_names_the_dealer_even_if_the_lead_alternates():
    assert winner(table(pairs=["", ""], round=2, options={"lead": "alternate"})) == 1


@rule("advantage:tie-date")
def test_with_dead_tie_shared_the_game_is_drawn():
    shared = {"dead_tie": "shared"}
    assert table(pairs=["5C5D", "KCKD"], options=shared).outcome().places == (1, 1)
    assert winner(table(pairs=["5C5D 5H5S", "KCKD ACAD"], options=shared)) == 0


# What is hidden


@rule("advantage:switch")
def test_a_drawn_card_is_seen_by_its_drawer_alone_until_the_switch():
    state = play(table(DROPPING), "D QH>1", "D.")
    assert zone(state.view(0), "hand:0").cards == ("3D", "8D", "9C")
    for viewer in (None, 1):
        drawn = zone(state.view(viewer), "hand:0")
        assert (drawn.cards, drawn.hidden) == (("3D", "9C"), 1)
    play(state, "D 2C>2", "D.")
    assert whose(state) == ("pick", 0)
    assert state.drawn == [[], []]
    for viewer in (None, 0, 1):
        assert zone(state.view(viewer), "hand:1").cards == ("3D", "8D", "9C")


@rule("advantage:switch")
def test_the_option_draws_open_shows_drawn_cards():
    state = play(table(DROPPING, options={"draws": "open"}), "D QH>1", "D.")
    assert zone(state.view(1), "hand:0").cards == ("3D", "8D", "9C")


@rule("advantage:switch")
@pytest.mark.parametrize(("draws", "told"), [("closed", "a card"), ("open", "3S")])
def test_the_log_names_a_drawn_card_only_if_draws_are_open(draws, told):
    state = table(BLOCKED, stock="3S 8C KH", options={"draws": draws})
    assert f"draw {told} because no card fits" in [
        event.phrase.verb + " " + event.phrase.rest for event in state.view(1).log
    ]


def test_a_hidden_card_opens_when_it_is_dropped_traded_or_laid_aside():
    dropped = play(table(BLOCKED, stock="9S 8C KH"), "D 9S>2")
    traded = play(table(STUCK, stock="QS 2D"), "T+", "T QS>2")
    laid = play(table(PAIRING, hands=["4C 4D 4H 9S", "8D"], drawn=["4H", ""], stock=""), "P 4C4H")
    for state in (dropped, traded, laid):
        assert state.drawn[0] == []


def test_the_stock_and_the_hidden_cards_are_in_no_text_of_the_other():
    state = play(table(DROPPING), "D QH>1", "D.")
    for viewer in (None, 1):
        view = state.view(viewer)
        text = repr((view, view.zones, view.prompt, view.facts, [view.choice(move) for move in view.moves]))
        assert not any(card in text for card in ("8D", "6C", "4H"))


def test_stopping_by_choice_looks_like_having_to_stop():
    stopped = play(table(DROPPING, hands=["QH 9C 2H 3H", "2C"]), "D QH>1", "D.").view(1)
    ended = play(table(DROPPING, hands=["QH KC 2C 3C", "2S 2D"], piles=["KD", "6H", "4D"]), "D QH>1").view(1)
    assert stopped.log == ended.log


def test_every_card_of_the_piles_is_shown():
    assert zone(table(PICKING).view(None), "pile:2").cards == ("4C", "6H", "9S")


def test_a_sample_keeps_to_what_a_blocked_draw_gave_away():
    passed = table(BLOCKED, stock="3S 8C KH 2C 9S 9C 7S AD 3H KS")
    forced = table(BLOCKED, to_move=1, hands=["2H 6D JS", "KC QS 4C"], stock="9S 8C KH 2C 9C 7S AD 3H")
    for seed in range(20):
        guess = ADVANTAGE.sample(passed.view(1), Random(seed)).hands[0][-1]
        assert FITTING["all"][guess].isdisjoint(["7H", "9D", "5D"])
        guess = ADVANTAGE.sample(forced.view(0), Random(seed)).hands[1][-1]
        assert not FITTING["all"][guess].isdisjoint(["7H", "9D", "5D"])


def test_a_sample_leaves_the_seat_to_act_something_to_do():
    position = table(BLOCKED, to_move=1, hands=["2H 6D JS", "KC QS 4C 9S"], drawn=["", "9S"], stock="8C KH 2C 3S 4S")
    for seed in range(20):
        imagined = ADVANTAGE.sample(position.view(0), Random(seed))
        assert imagined.legal_moves(1)
        assert imagined.view(0) == position.view(0)


@pytest.mark.parametrize(
    ("position", "moves", "prompt"),
    [
        (DROPPING, [], "Drop a card on a pile that it fits. After the drops you swap hands."),
        (DROPPING, ["D QH>1"], "Drop a second card, or stop."),
        (PICKING, [], "Trade a card for a whole pile, or pass."),
        ({**STUCK, "stock": "QS 2D"}, [], "None of your cards fits a pile. Draw a card, or pass."),
        ({**STUCK, "stock": "QS 2D"}, ["T+"], "The card you drew fits. Trade it for a pile, or pass."),
        (PAIRING, [], "Lay a pair aside, or stop."),
    ],
)
def test_the_prompt_says_what_one_may_do(position, moves, prompt):
    assert play(table(position), *moves).view(0).prompt == prompt


def test_a_move_touches_its_own_card_first_and_then_the_top_of_the_pile():
    view = table(PICKING).view(0)
    choices = {str(move): view.choice(move) for move in view.moves}
    assert choices["T 6S>2"].touches == ("6S", "9S")
    assert render_text(choices["T 6S>2"].phrase.text, ()) == "Trade 6S for 4C 6H 9S"


# Moves and positions


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("d 8h > 2", "D 8H>2"),
        ("D8H>2", "D 8H>2"),
        ("D 10H>2", "D TH>2"),
        ("D 2 8H", "D 8H>2"),
        ("t 8h 2", "T 8H>2"),
        ("P 8H 8C", "P 8C8H"),
        ("p8h8c", "P 8C8H"),
        ("P 8H9C", "P 8H9C"),
        ("t +", "T+"),
        (" t-", "T-"),
        ("d .", "D."),
        ("p.", "P."),
    ],
)
def test_moves_are_read_in_any_case_order_and_spacing(text, move):
    assert str(ADVANTAGE.parse(text)) == move


@pytest.mark.parametrize("text", ["D 8H>4", "D 8H", "P 8H8H", "P 8H", "T", "D-", "X", "+8H", "T 1C>1", "D 8H>2 9H"])
def test_what_is_no_move_is_unreadable(text):
    with pytest.raises(UnreadableMove, match="no move of Advantage"):
        ADVANTAGE.parse(text)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"phase": "deal"}, "phase"),
        ({"piles": None}, "piles"),
        ({"piles": {1: "KD", 2: "7S", 3: "AH", 4: "9D"}}, "no pile 4"),
        ({"stock": "9C"}, "9C"),
        ({"stock": "ZZ"}, "ZZ"),
        ({"dealer": 2}, "dealer"),
        ({"to_move": 2}, "to_move"),
        ({"drawn": ["2C", ""]}, "drawn"),
        ({"dropped": [2, 0]}, "dropped"),
        ({"dropped": [3, 0]}, "dropped"),
        ({"dropped": [0, 1]}, "dropped"),
        ({"traded": [True, False]}, "traded"),
        ({"phase": "pick", "traded": [False, True]}, "traded"),
        ({"traded": [1, 0]}, "traded"),
        ({"pairs": ["2H3H", ""]}, "pairs"),
        ({"pairs": ["2H2D 3H", ""]}, "pairs"),
        ({"pairs": ["2H2H", ""]}, "2H"),
        ({"pairs": ["2H2D and so on", ""]}, "pairs"),
        ({"pairs": [5, ""]}, "pairs"),
        ({"over": "bored"}, "over"),
        ({"over": "stalled", "phase": "drop"}, "over"),
        ({"started_on": "yesterday"}, "started_on"),
        ({"still_rounds": 9}, "still_rounds"),
        ({"history": ["0:Z"]}, "history"),
        ({"history": ["0:P 8C8C"]}, "history"),
        ({"deck": "2H 3H"}, "deck"),
        ({"round": 0}, "round"),
    ],
)
def test_what_cannot_be_is_refused(wrong, named):
    with pytest.raises(ImpossiblePosition, match=named):
        table(DROPPING, **wrong)


def test_a_random_game_loses_no_card_and_tells_every_round_of_it():
    state, rng = fresh(7), Random(7)
    while state.to_act:
        seat = state.to_act[0]
        state.play(seat, rng.choice(state.legal_moves(seat)))
        assert Counter(state.cards()) == Counter(pack())
    log = [event.phrase.rest for event in state.view(None).log]
    assert log.count("The players swap hands.") in (state.round - 1, state.round)
    assert log[-1].startswith("the game: ")


def test_a_view_without_its_moves_still_has_a_prompt():
    """Lessons show positions to look at, from which no move is made."""
    view = replace(ADVANTAGE.start(numbered_decks(ADVANTAGE.deck({})), seats=2).view(0), moves=())
    assert view.prompt.startswith("Drop a card")
