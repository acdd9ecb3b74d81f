"""Casino, rule by rule: positions in the notation of `Casino.load`, moves in their text form."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.cards import pack
from games.core.contract import BadOption, IllegalMove, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks
from games.core.words import render_text
from games.engines.casino.game import CASINO
from games.engines.casino.moves import VALUES
from games.engines.casino.state import CasinoState
from tests.engines.states import legal, play, refusal

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "casino_examples.yaml").read_text())


def table(**position) -> CasinoState:
    """Seat 1 is to move and seat 0 deals, unless the position says otherwise."""
    return CASINO.load(position)


def legal_with(state: CasinoState, card: str) -> set[str]:
    return {move for move in legal(state) if move[:2] == card}


def words(state: CasinoState, move: str) -> str:
    """What the player is told who tries the move."""
    with pytest.raises(IllegalMove) as refused:
        play(state, move)
    return str(refused.value)


# The worked examples


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = CASINO.load(example["setup"])
    play(state, *example.get("play", []))
    for what, expected in example["expect"].items():
        EXPECTATIONS[what](state, expected)


def expect_moves_with(state, expected):
    for card, moves in expected.items():
        assert legal_with(state, card) == {str(CASINO.parse(move)) for move in moves}


def expect_moves(state, expected):
    assert set(legal(state)) == {str(CASINO.parse(move)) for move in expected}


def expect_legal(state, expected):
    for move in expected:
        assert str(CASINO.parse(move)) in legal(state)
        play(state.copy(), move)


def expect_illegal(state, expected):
    for move, rule_id in expected.items():
        assert str(CASINO.parse(move)) not in legal(state)
        assert refusal(state, move) == rule_id


def expect_builds(state, expected):
    def normal(build):
        return build["value"], sorted(map(sorted, build["sets"])), build["controller"]

    assert sorted(map(normal, state.dump()["builds"])) == sorted(map(normal, expected))


def expect_hands(state, expected):
    for seat, cards in expected.items():
        assert state.dump()["hands"][seat] == cards


def expect_won_count(state, expected):
    zones = {zone.id: zone for zone in state.results[-1].zones}
    assert {side: zones[f"won:{side}"].count for side in expected} == expected


def expect_unclaimed(state, expected):
    assert [zone.cards for zone in state.results[-1].zones if zone.id == "unclaimed"] == [tuple(c) for c in expected]


def expect_winner(state, expected):
    outcome = state.outcome()
    assert (outcome and outcome.winners) == (None if expected is None else (expected,))


EXPECTATIONS = {
    "moves_with": expect_moves_with,
    "moves": expect_moves,
    "legal": expect_legal,
    "illegal": expect_illegal,
    "builds": expect_builds,
    "hands": expect_hands,
    "won_count": expect_won_count,
    "unclaimed": expect_unclaimed,
    "winner": expect_winner,
    "loose": lambda state, expected: _same(sorted(state.dump()["loose"]), sorted(expected)),
    "to_move": lambda state, expected: _same(state.to_act, (expected,)),
    "stock_count": lambda state, expected: _same(len(state.dump()["stock"]), expected),
    "hand_over": lambda state, expected: _same(len(state.results) == 1, expected),
    "points": lambda state, expected: _same(dict(enumerate(state.results[-1].points)), expected),
}


def _same(actual, expected):
    assert actual == expected


# Setup and deal


@rule("casino:players")
def test_two_three_or_four_play_and_only_four_in_partnerships():
    assert CASINO.seats == (2, 3, 4)
    assert CASINO.read_options({"partners": True}, 4)["partners"] is True
    for seats in (2, 3):
        with pytest.raises(BadOption):
            CASINO.read_options({"partners": True}, seats)
    with pytest.raises(BadOption):
        CASINO.read_options({}, 5)


@rule("casino:players", "casino:partner-pile")
def test_partners_sit_opposite_and_share_one_pile_and_one_score():
    state = table(
        options={"players": 4, "partners": True},
        hands={1: "KS 2D", 3: "QC 3D"},
        loose="KH QS",
        dealer=0,
        to_move=1,
    )
    play(state, "KSxKH", "QCxQS")
    assert [len(won) for won in state.won] == [0, 4]
    play(state, "2D", "3D")
    assert state.results[-1].points == (0, 4, 0, 4)
    assert state.view(0).scores == (0, 4, 0, 4)


@rule("casino:partner-pile")
def test_partners_numbers_are_read_by_side_and_by_seat():
    options = {"players": 4, "partners": True}
    for totals in ([3, 5], [3, 5, 3, 5], {0: 3, 3: 5}):
        assert table(options=options, totals=totals, hands={1: "2C"}).view(0).scores == (3, 5, 3, 5)
    for won in (["AC AD", "3C"], ["AC", "3C", "AD", ""]):
        assert table(options=options, won=won, hands={1: "2C"}).won == [["AC", "AD"], ["3C"]]


@rule("casino:values")
def test_an_ace_counts_one_and_face_cards_count_nothing():
    assert [VALUES.get(rank + "S") for rank in "A23456789TJQK"] == [*range(1, 11), None, None, None]
    state = table(hands={1: "TD 3C"}, loose="9S AH JC QC")
    assert legal_with(state, "TD") == {"TD", "TDxAH+9S"}


@rule("casino:first-dealer")
def test_any_seat_can_be_the_first_dealer():
    for dealer in range(3):
        assert start(3, dealer=dealer).to_act == ((dealer + 1) % 3,)


def start(seats, seed=1, dealer=None, **options):
    return CASINO.start(numbered_decks(pack(), seed), seats=seats, options=options, dealer=dealer)


@rule("casino:deal-first", "casino:no-redeal")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_four_cards_each_and_four_on_the_table_are_dealt_in_twos(seats):
    deck = pack()
    dealer = seats - 1
    state = CASINO.start([deck], seats=seats, dealer=dealer)
    half = 2 * seats + 2
    for seat in range(dealer):
        assert state.hands[seat] == [
            *deck[2 * seat : 2 * seat + 2],
            *deck[half + 2 * seat : half + 2 * seat + 2],
        ]
    assert state.loose == [*deck[half - 4 : half - 2], *deck[2 * half - 4 : 2 * half - 2]]
    assert state.hands[dealer] == [*deck[half - 2 : half], *deck[2 * half - 2 : 2 * half]]
    assert state.stock == list(deck[2 * half :])


@rule("casino:deal-next")
def test_empty_hands_are_dealt_four_more_and_the_table_gets_none():
    state = table(hands={1: "KS", 0: "QS"}, loose="2D", stock="AC 2C 3C 4C 5C 6C 7C 8C 9C", dealer=0)
    play(state, "KS")
    assert state.hands == [["QS"], []]
    play(state, "QS")
    assert state.hands == [["3C", "4C", "7C", "8C"], ["AC", "2C", "5C", "6C"]]
    assert state.loose == ["2D", "KS", "QS"]
    assert state.stock == ["9C"]
    assert state.to_act == (1,)


@rule("casino:deal-count")
@pytest.mark.parametrize(("seats", "deals"), [(2, 6), (3, 4), (4, 3)])
def test_the_pack_comes_out_exactly(seats, deals):
    state = start(seats)
    stocks = [len(state.stock)]
    while not state.results:
        play(state, Random(1).choice(legal(state)))
        stocks.append(len(state.stock))
    assert len(set(stocks[:-1])) == deals
    assert stocks[-2] == 0


@rule("casino:deal-last")
def test_the_table_shows_that_the_last_cards_are_dealt():
    def stock(state):
        return next(zone.note for zone in state.view(None).zones if zone.id == "stock")

    assert stock(start(2)) == ""
    assert stock(table(hands={1: "KS", 0: "QS"})) == "last deal"


@rule("casino:dealer-rotation")
def test_the_deal_passes_to_the_left_after_a_hand():
    state = table(options={"players": 3}, dealer=2, hands={0: "KS"}, loose="2C", to_move=0)
    play(state, "KS")
    assert (state.dealer, state.to_act, state.deal_number) == (0, (1,), 2)
    assert [len(hand) for hand in state.hands] == [4, 4, 4]


def test_every_hand_is_dealt_from_the_next_deck():
    decks = [tuple(reversed(pack())), pack()]
    state = CASINO.start(decks)
    assert state.hands[0] == ["KS", "QS", "7S", "6S"]
    while not state.results:
        play(state, legal(state)[0])
    assert state.hands[1] == ["AC", "2C", "7C", "8C"]


# Turn


@rule("casino:turn-order")
def test_the_seat_left_of_the_dealer_begins_and_play_goes_clockwise():
    state = start(4, dealer=1)
    order = []
    for _ in range(8):
        order.append(state.to_act[0])
        play(state, legal(state)[0])
    assert order == [2, 3, 0, 1, 2, 3, 0, 1]


@rule("casino:turn-order")
def test_the_seat_left_of_the_dealer_begins_again_after_a_further_deal():
    state = table(options={"players": 3}, dealer=2, hands={1: "KS"}, stock="2C 3C 4C 5C 6C 7C")
    assert play(state, "KS").to_act == (0,)


@rule("casino:turn-order")
def test_a_move_out_of_turn_is_refused():
    state = table(hands={0: "8S", 1: "9S"})
    assert refusal(state, "8S", seat=0) == "turn-order"
    with pytest.raises(NotYourTurn):
        state.play(0, CASINO.parse("8S"))
    with pytest.raises(NotYourTurn, match="game is over"):
        table(totals={0: 21}).play(0, CASINO.parse("KS"))


@rule("casino:one-card")
@pytest.mark.parametrize("move", ["QD", "QDxQS", "QD=8:3C", "pass", "8S+9C", "8S 9C"])
def test_a_turn_is_one_card_of_the_hand(move):
    assert refusal(table(hands={1: "8S 9C"}, loose="QS 3C"), move) == "one-card"


# Capturing


@rule("casino:capture-min")
def test_a_capture_takes_something():
    assert refusal(table(hands={1: "8S"}, loose="8D"), "8Sx") == "capture-min"


@rule("casino:capture-face")
@pytest.mark.parametrize("move", ["KSxQC", "KSx3D", "KSx[5]", "7CxQC", "KSxKD+QC", "7CxQC+4C+3D"])
def test_faces_take_only_their_own_rank_and_numbers_no_faces(move):
    state = table(
        hands={1: "KS 7C 5C", 0: "5D"},
        loose="QC 3D 4C KD",
        builds=[{"value": 5, "sets": ["2H 3H"], "controller": 0}],
    )
    assert refusal(state, move) == "capture-face"


@rule("casino:capture-face-one")
def test_a_face_card_takes_one_of_several_equal_cards():
    state = table(hands={1: "KS"}, loose="KD KH KC")
    assert legal_with(state, "KS") == {"KS", "KSxKD", "KSxKH", "KSxKC"}
    assert refusal(state, "KSxKD+KH") == "capture-face-one"


@rule("casino:capture-equal")
def test_a_number_card_takes_any_equal_cards():
    state = table(hands={1: "6S"}, loose="6D 6H 6C")
    assert legal_with(state, "6S") == {
        "6S", "6Sx6C", "6Sx6D", "6Sx6H", "6Sx6C+6D", "6Sx6C+6H", "6Sx6D+6H", "6Sx6C+6D+6H",
    }  # fmt: skip


@rule("casino:capture-sum")
def test_three_twos_and_two_threes_are_two_sets_for_a_six():
    state = table(hands={1: "6S"}, loose="2C 2D 2H 3C 3D")
    assert legal_with(state, "6S") == {"6S", "6Sx2C+2D+2H", "6Sx3C+3D", "6Sx2C+2D+2H+3C+3D"}
    assert refusal(state, "6Sx2C+2D") == "capture-sum"


@rule("casino:capture-disjoint")
@pytest.mark.parametrize("move", ["8Sx4C+4C", "8Sx8D+8D", "8Sx3C+5H+5D"])
def test_a_card_counts_in_one_set_only(move):
    assert refusal(table(hands={1: "8S"}, loose="4C 8D 3C 5H 5D"), move) == "capture-sum"


@rule("casino:capture-build", "casino:capture-combine")
def test_a_build_is_taken_by_its_value_alone_or_together_with_sets():
    state = table(hands={1: "8S 5C", 0: "8H"}, loose="8D 3D", builds=[{"value": 8, "sets": ["3C 5H"], "controller": 0}])
    assert legal_with(state, "8S") == {"8S", "8Sx8D", "8Sx[8]", "8Sx8D+[8]"}
    assert refusal(state, "5Cx[8]") == "capture-build"
    assert refusal(state, "8Sx[8]+[8]") == "capture-sum"


@rule("casino:capture-build")
def test_a_build_is_no_part_of_a_sum():
    state = table(hands={1: "8S", 0: "5D"}, loose="3D", builds=[{"value": 5, "sets": ["2C 3C"], "controller": 0}])
    assert refusal(state, "8Sx3D+[5]") == "capture-build"


@rule("casino:capture-optional", "casino:trail-free")
def test_nothing_forces_a_capture():
    state = table(hands={1: "8S", 0: "KC"}, loose="8D 8H")
    assert {"8S", "8Sx8D"} < set(legal(state))
    assert play(state, "8Sx8D").won[1] == ["8S", "8D"]


@rule("casino:capture-pile")
def test_what_is_captured_goes_to_the_pile_with_the_card_that_took_it():
    state = table(hands={1: "8S 2C", 0: "8H"}, loose="8D KC", builds=["[8:3C 5H@0]"])
    play(state, "8Sx8D+[8]")
    assert sorted(state.won[1]) == ["3C", "5H", "8D", "8S"]
    assert (state.loose, state.builds, state.last_capturer) == (["KC"], {}, 1)


# Building


@rule("casino:build-numbers-only")
@pytest.mark.parametrize("move", ["KS=8:3C", "5H=8:QD", "5H=8:3C+QD"])
def test_builds_are_made_of_number_cards(move):
    assert refusal(table(hands={1: "KS 5H 8S"}, loose="3C QD"), move) == "build-numbers-only"


@rule("casino:build-min")
def test_a_build_has_at_least_two_cards():
    state = table(hands={1: "8S 8H"}, loose="3C")
    assert refusal(state, "8S=8:") == "build-min"
    assert refusal(state, "8S=8") == "build-min"


@rule("casino:build-sets", "casino:build-hand-card")
@pytest.mark.parametrize("move", ["4D=8:3C+5H", "5D=8:3C+3H", "4D=8:6C+2C", "3D=8:5H+8C+2C"])
def test_all_cards_of_a_build_divide_into_sets_and_the_played_card_is_in_one(move):
    state = table(hands={1: "4D 8S 5D 3D"}, loose="3C 5H 3H 6C 2C 8C")
    assert refusal(state, move) == "build-sets"


@rule("casino:build-hold")
def test_the_hand_keeps_a_card_of_the_announced_value():
    state = table(hands={1: "8S 5H 3D"}, loose="8D 3C")
    assert refusal(state, "8S=8:8D") == "build-hold"
    assert refusal(state, "5H=11:3C") == "build-hold"
    assert legal_with(state, "5H") == {"5H", "5H=8:3C", "5H=8:3C+8D"}


@rule("casino:build-announce")
def test_everybody_sees_the_value_of_a_build():
    state = play(table(hands={1: "5H 8S", 0: "2C"}, loose="3C"), "5H=8:3C")
    for viewer in (None, 0, 1):
        zone = next(zone for zone in state.view(viewer).zones if zone.id == "build:8")
        assert (zone.cards, zone.label, zone.note) == (("3C", "5H"), "@1's build of 8", "")


@rule("casino:build-single", "casino:build-multiple")
def test_one_set_is_a_single_build_and_more_are_a_multiple_one():
    state = table(hands={1: "5H 8S", 0: "2C"}, loose="3C 8D")
    assert play(state.copy(), "5H=8:3C").builds[8].is_single
    assert not play(state.copy(), "5H=8:3C+8D").builds[8].is_single


def test_a_build_is_loaded_from_sets_or_text_in_any_of_its_forms():
    forms = (
        "[8:3C 5H|8D@0]",
        ["[8:3C 5H|8D@0]"],
        [{"value": 8, "sets": "3C 5H|8D", "controller": 0}],
        [{"value": 8, "sets": ["3C 5H", "8D"], "controller": 0}],
        [{"value": 8, "sets": [["3C", "5H"], ["8D"]], "controller": 0}],
    )
    for builds in forms:
        assert str(table(hands={1: "2C"}, builds=builds).builds[8]) == "[8:3C 5H|8D@0]"


@rule("casino:build-unit")
@pytest.mark.parametrize("move", ["3SxAC", "3Sx3C", "3S=8:5H", "8Sx[9]", "8SxQD", "3S=8:5D"])
def test_build_cards_and_cards_elsewhere_cannot_be_used(move):
    state = table(hands={1: "3S 8S", 0: "8H"}, loose="2C", builds=["[8:3C 5H@0]"])
    assert refusal(state, move) == "build-unit"


@rule("casino:build-unit")
def test_who_asks_for_a_build_card_is_told_to_choose_the_build():
    assert "part of the build of 8, which can only be taken or added to as a whole" in words(
        table(hands={1: "3S 8S", 0: "8H"}, builds=["[8:3C 5H@0]"]), "3Sx3C"
    )


@rule("casino:build-join", "casino:build-control")
def test_anyone_may_add_sets_to_a_build_and_then_controls_it():
    state = table(hands={1: "8S 8C 5D", 0: "8H"}, loose="3D", builds=["[8:2C 6C@0]"])
    assert legal_with(state, "8C") >= {"8C=8:[8]"}
    play(state, "5D=8:3D+[8]")
    assert state.builds[8].controller == 1
    assert [sorted(cards) for cards in state.builds[8].sets] == [["2C", "6C"], ["3D", "5D"]]


@rule("casino:build-merge")
def test_a_build_that_joins_an_older_one_need_not_name_it():
    position = {"hands": {1: "8S 8C 5D", 0: "8H"}, "loose": "3D", "builds": ["[8:2C 6C@0]"]}
    assert "5D=8:3D" not in legal(table(**position))
    assert play(table(**position), "5D=8:3D").dump() == play(table(**position), "5D=8:3D+[8]").dump()
    assert CASINO.proposals


@rule("casino:build-raise")
def test_a_single_build_of_anyone_is_raised_by_the_card_played():
    for owner in (0, 1):
        state = table(hands={1: "3H 9S 6D", 0: "6H"}, loose="9D 5C", builds=[f"[6:2C 4C@{owner}]"])
        assert {"3H=9:[6]", "3H=9:9D+[6]"} <= set(legal(state))
        play(state, "3H=9:9D+[6]")
        assert list(state.builds) == [9]
        assert sorted(map(sorted, state.builds[9].sets)) == [["2C", "3H", "4C"], ["9D"]]
        assert state.builds[9].controller == 1


@rule("casino:build-raise-exact")
@pytest.mark.parametrize("move", ["2D=9:AS+[6]", "2D=9:[6]", "3H=9:[2]+[4]", "3H=9:[6]+[8]"])
def test_only_the_card_from_the_hand_raises_a_build(move):
    builds = ["[6:3C 3D@0]", "[2:AC AD@0]", "[4:2H 2C@0]", "[8:3S 5C@0]"]
    state = table(hands={1: "2D 3H 9S"}, loose="AS", builds=builds)
    assert refusal(state, move) == "build-raise-exact"


@rule("casino:build-raise-multiple")
def test_a_multiple_build_is_never_raised():
    state = table(hands={1: "2D 9S"}, builds=["[7:3C 4C|7D@0]"])
    assert refusal(state, "2D=9:[7]") == "build-raise-multiple"
    assert legal(state) == ["2D", "9S"]


@rule("casino:build-merge")
def test_a_new_build_unites_with_the_one_of_its_value():
    state = table(hands={1: "5H 8S 4D"}, loose="3D", builds=["[8:2C 6C@0]"])
    assert "5H=8:3D+[8]" in legal(state)
    assert "5H=8:3D" not in legal(state)
    for text in ("5H=8:3D+[8]", "5H=8:3D"):
        merged = play(state.copy(), text)
        assert list(merged.builds) == [8]
        assert len(merged.builds[8].sets) == 2
        assert str(merged.turns[-1][1]) == "5H=8:3D+[8]"


@rule("casino:build-merge", "casino:build-raise")
def test_a_raised_build_unites_with_the_one_of_its_new_value():
    state = table(hands={1: "3H 9S"}, builds=["[6:2C 4C@0]", "[9:4D 5D@0]"])
    assert legal_with(state, "3H") == {"3H", "3H=9:[6]+[9]"}
    assert len(play(state, "3H=9:[6]+[9]").builds[9].sets) == 2


@rule("casino:build-sets")
def test_aces_can_be_built_with_a_third_ace_in_hand():
    state = table(hands={1: "AS AC 4D", 0: "KC"}, loose="AD")
    assert legal_with(state, "AS") == {"AS", "ASxAD", "AS=1:AD"}
    assert not play(state, "AS=1:AD").builds[1].is_single


# Duties of a builder


@rule("casino:no-trail-with-build")
def test_a_builder_captures_or_builds_and_never_trails():
    state = table(hands={1: "8S 2D KC", 0: "4C"}, loose="AD KD", builds=["[8:3C 5H@1]"])
    assert refusal(state, "KC") == "no-trail-with-build"
    assert set(legal(state)) == {"8Sx[8]", "KCxKD"}


@rule("casino:keep-capture-card")
def test_the_only_card_for_a_build_is_kept():
    state = table(hands={1: "8S 2D TC", 0: "4C"}, loose="8D 2C", builds=["[8:3C 5H@1]"])
    assert refusal(state, "8Sx8D") == "keep-capture-card"
    assert refusal(state, "8S=10:2C") == "keep-capture-card"
    assert {"8Sx[8]", "8Sx8D+[8]", "2D=10:[8]"} <= set(legal(state))


@rule("casino:keep-capture-card")
def test_raising_ones_own_build_releases_the_old_card():
    state = table(hands={1: "3H 9S 6D", 0: "4C 4D"}, builds=["[6:2C 4H@1]"], loose="6C")
    play(state, "3H=9:[6]", "4C")
    assert "6Dx6C" in legal(state)
    assert refusal(state, "9S") == "no-trail-with-build"


@rule("casino:always-a-move")
def test_the_card_of_a_build_can_always_take_it():
    assert legal(table(hands={1: "8S"}, builds=["[8:3C 5H@1]"])) == ["8Sx[8]"]


@rule("casino:trail")
def test_a_trailed_card_lies_loose_on_the_table():
    state = play(table(hands={1: "8S", 0: "2C"}, loose="KD"), "8S")
    assert (state.loose, state.won) == (["KD", "8S"], [[], []])


# End of the hand


@rule("casino:no-build-left", "casino:always-a-move")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_build_lies_on_the_table_when_all_hands_are_empty(seats):
    rng = Random(seats)
    state = start(seats, seed=seats)
    for _ in range(600):
        moves = legal(state)
        assert moves
        builds = [move for move in moves if "=" in move]
        play(state, rng.choice(builds or moves))
        if not state.to_act:
            break
        if all(len(hand) == 4 for hand in state.hands):
            assert not state.builds


@rule("casino:last-capture")
def test_the_last_of_several_captures_counts():
    state = table(hands={1: "9S 2C", 0: "KC 3H"}, loose="9D KD QD JD", dealer=0)
    play(state, "9Sx9D", "KCxKD", "2C", "3H")
    assert [zone.count for zone in state.results[-1].zones] == [6, 2]


@rule("casino:last-capture")
def test_what_is_left_goes_to_the_last_capturer_or_to_nobody():
    state = play(table(dealer=0, to_move=0, hands={0: "KC"}, loose="7C 2D", last_capturer=1, won={1: "4C"}), "KC")
    assert [zone.count for zone in state.results[-1].zones] == [0, 4]
    state = play(table(dealer=0, to_move=0, hands={0: "KC"}, loose="7C AD"), "KC")
    assert [(zone.id, zone.count) for zone in state.results[-1].zones] == [
        ("won:0", 0),
        ("won:1", 0),
        ("unclaimed", 3),
    ]
    assert state.results[-1].points == (0, 0)
    state = play(table(hand=14, dealer=0, to_move=0, hands={0: "KC"}, loose="7C AD"), "KC")
    assert state.outcome() is not None
    assert sorted(state.cards()) == ["7C", "AD", "KC"]


# Scoring


def scored(options=None, sweeps=None, **won):
    """The lines of a hand with these piles, as (rule, seats, points), those without points left out."""
    piles = {int(side[1]): cards for side, cards in won.items()}
    seats = {"players": max(len(piles), 2), **(options or {})}
    state = table(options=seats, won=piles, sweeps=sweeps or {}, last_capturer=0)
    return [
        (line.rule.removeprefix("casino:"), line.seats, line.points) for line in state.results[0].lines if line.points
    ]


@rule("casino:score-cards")
def test_most_cards_score_three_and_a_tie_nothing():
    assert scored(_0="3C 4C 5C", _1="6C 7C") == [("score-cards", (0,), 3)]
    assert scored(_0="3C 4C", _1="6C 7C") == []


@rule("casino:score-spades")
def test_most_spades_score_one_and_a_tie_nothing():
    assert scored(_0="3S 4C", _1="6S 7S") == [("score-spades", (1,), 1)]
    assert scored(_0="3S 4C", _1="6S 7C") == []


@rule("casino:score-aces", "casino:score-big", "casino:score-little")
def test_aces_and_both_casinos_score_for_their_pile():
    assert scored(_0="AS AC 2S", _1="TD AH AD") == [
        ("score-spades", (0,), 1),
        ("score-big", (1,), 2),
        ("score-little", (0,), 1),
        ("score-aces", (0,), 1),
        ("score-aces", (1,), 1),
        ("score-aces", (0,), 1),
        ("score-aces", (1,), 1),
    ]


@rule("casino:score-tie-many")
def test_with_three_sides_a_tie_for_most_gives_the_points_to_nobody():
    assert scored(_0="3C 4C", _1="6C 7C", _2="8C") == []
    state = table(options={"players": 3}, won={0: "3C 4C", 1: "6C 7C", 2: "8C"}, last_capturer=0)
    assert [line.rule for line in state.results[0].lines] == ["casino:score-tie-many"] * 2
    state = table(options={"players": 4, "partners": True}, won=["3C 4C", "6C 7C"], last_capturer=0)
    assert [line.rule for line in state.results[0].lines] == ["casino:score-cards", "casino:score-spades"]


# Partners


@rule("casino:partner-build")
def test_partners_build_and_keep_cards_each_for_himself():
    state = table(
        options={"players": 4, "partners": True},
        to_move=1,
        hands={1: "6D 9H", 3: "TH 9D 9S"},
        loose="4S 3C 6C",
        builds=["[9:2H 7H@3]"],
    )
    assert refusal(state, "6D=10:4S") == "build-hold"
    assert "6D" in legal(state)
    play(state, "6D=9:3C+[9]")
    assert state.builds[9].controller == 1
    play(state, "9S=9:[9]")
    assert state.builds[9].controller == 3


# End of the game


@rule("casino:game-target")
def test_points_count_after_the_hand_and_the_highest_total_wins():
    state = table(dealer=0, to_move=0, hands={0: "KC"}, loose="KD", totals={0: 20, 1: 15}, won={0: "AS AH"})
    assert state.outcome() is None
    play(state, "KCxKD")
    assert state.outcome().scores == (26, 15)
    assert state.outcome().winners == (0,)
    assert table(totals={0: 21, 1: 20}).outcome().winners == (0,)
    assert table(totals={0: 20, 1: 20}).outcome() is None


@rule("casino:game-target", "casino:partner-pile")
def test_partners_win_together():
    options = {"players": 4, "partners": True}
    outcome = table(options=options, totals=[12, 22]).outcome()
    assert (outcome.winners, outcome.places) == ((1, 3), (3, 1, 3, 1))
    assert outcome.reason == "@1 and @3 reached the target of 21."
    position = {"won": ["3C 4C 5C 6C 7C", "AS AH AC AD"], "totals": [18, 20], "last_capturer": 0}
    counted = table(options={**options, "end": "count-out"}, **position).outcome()
    assert (counted.winners, counted.scores) == ((0, 2), (21, 25, 21, 25))
    assert counted.reason == "@0 and @2 reached 21 points first when the hand was counted."


@rule("casino:game-tie")
def test_a_shared_highest_total_needs_another_hand():
    state = table(totals={0: 23, 1: 23})
    assert state.outcome() is None
    assert [len(hand) for hand in state.hands] == [4, 4]
    assert table(options={"players": 3}, totals={0: 23, 1: 23, 2: 21}).outcome() is None


@rule("casino:hand-cap")
@pytest.mark.parametrize(("seats", "cap"), [(2, 14), (3, 17), (4, 20)])
def test_the_last_hand_ends_the_game_even_with_a_tie(seats, cap):
    before = table(options={"players": seats}, hand=cap - 1, dealer=0, to_move=0, hands={0: "KC"})
    assert play(before, "KC").outcome() is None
    last = table(options={"players": seats}, hand=cap, dealer=0, to_move=0, hands={0: "KC"}, totals={0: 5, 1: 5})
    assert last.outcome() is None
    outcome = play(last, "KC").outcome()
    assert outcome.winners == (0, 1)
    assert f"Hand {cap} was the last one" in outcome.reason
    tied = table(options={"players": seats}, hand=cap + 1, totals=[23] * seats).outcome()
    assert tied.reason.startswith(f"Hand {cap} was the last one")
    after = table(options={"players": seats}, hand=cap + 1, totals={0: 5, 1: 5})
    assert after.outcome() == outcome
    with pytest.raises(ImpossiblePosition, match="hand:"):
        table(options={"players": seats}, hand=cap + 2, totals={0: 5, 1: 5})


@rule("casino:hand-cap")
@pytest.mark.parametrize(
    ("seats", "options", "cap"),
    [(2, {"target": 11}, 11), (2, {"target": 31}, 17), (2, {"target": 50}, 22), (4, {"partners": True}, 14)],
)
def test_the_last_hand_depends_on_the_target_and_the_number_of_sides(seats, options, cap):
    assert start(seats, **options).hand_cap == cap


# Options


@rule("casino:no-trail-with-build", "casino:keep-capture-card")
def test_the_option_lets_a_builder_trail_but_not_the_card_that_he_owes():
    state = table(
        options={"trail_with_build": "allowed"},
        hands={1: "8S KC", 0: "4C"},
        loose="2C",
        builds=["[8:3C 5H@1]"],
    )
    assert set(legal(state)) == {"KC", "8Sx[8]"}
    assert refusal(state, "8S") == "keep-capture-card"


@rule("casino:capture-face-one")
def test_the_option_lets_a_face_card_take_several():
    state = table(options={"face_capture": "any"}, hands={1: "KS"}, loose="KD KH QC")
    assert legal_with(state, "KS") == {"KS", "KSxKD", "KSxKH", "KSxKD+KH"}
    assert refusal(state, "KSxKD+KD") == "capture-sum"
    assert refusal(state, "KSxKD+QC") == "capture-face"


@rule("casino:game-target")
@pytest.mark.parametrize("target", [11, 21, 31, 50])
def test_the_target_can_be_chosen(target):
    assert table(options={"target": target}, totals={0: target - 1}).outcome() is None
    assert table(options={"target": target}, totals={0: target}).outcome().winners == (0,)


@rule("casino:sweep", "casino:sweep-last-card")
def test_a_capture_that_empties_the_table_scores_a_point_where_sweeps_count():
    for sweeps, points in (("off", 0), ("each", 1)):
        state = table(
            options={"sweeps": sweeps},
            hands={1: "8S", 0: "8C"},
            loose="8D",
            builds=["[8:3C 5H@0]"],
            to_move=1,
        )
        play(state, "8Sx8D+[8]", "8C")
        lines = [line for line in state.results[0].lines if line.rule == "casino:sweep"]
        assert sum(line.points for line in lines) == points
    state = table(options={"sweeps": "each"}, dealer=0, to_move=0, hands={0: "KC"}, loose="KD", last_capturer=1)
    play(state, "KCxKD")
    assert [line.seats for line in state.results[0].lines if line.rule == "casino:sweep"] == [(0,)]


@rule("casino:sweep")
def test_a_build_that_stays_prevents_a_sweep():
    state = table(options={"sweeps": "each"}, hands={1: "8S", 0: "5D"}, loose="8D", builds=["[5:2H 3H@0]"], to_move=1)
    play(state, "8Sx8D")
    assert state.sweeps == [0, 0]
    play(state, "5Dx[5]")
    assert [line.seats for line in state.results[0].lines if line.rule == "casino:sweep"] == [(0,)]


@rule("casino:sweep", "casino:sweep-residue")
def test_leaving_a_card_or_receiving_the_rest_is_no_sweep():
    state = table(options={"sweeps": "each"}, hands={1: "8S", 0: "KC"}, loose="8D QD", dealer=1, to_move=1)
    play(state, "8Sx8D", "KC")
    assert [line for line in state.results[0].lines if line.rule == "casino:sweep"] == []
    assert state.results[0].zones[1].count == 4


@rule("casino:game-target")
def test_counting_out_gives_the_game_to_the_first_side_at_the_target():
    """Seat 1 gets more points, seat 0 gets his first: cards before aces."""
    position = {"won": {0: "3C 4C 5C 6C 7C", 1: "AS AH AC AD"}, "totals": {0: 18, 1: 20}, "last_capturer": 0}
    assert table(**position).outcome().winners == (1,)
    counted = table(options={"end": "count-out"}, **position)
    assert counted.outcome().scores == (21, 25)
    assert counted.outcome().places == (1, 2)
    assert CASINO.load(counted.dump()).outcome() == counted.outcome()


@rule("casino:game-target")
@pytest.mark.parametrize(
    ("won", "winner"),
    [
        ({0: "3S 3C", 1: "TD 4C"}, 0),  # spades before the ten of diamonds
        ({0: "2S 3C", 1: "TD 4S"}, 1),  # the ten of diamonds before the two of spades
        ({0: "AS 3C", 1: "2S 4C"}, 1),  # the two of spades before the aces
        ({0: "AS 3C", 1: "AH 4S"}, 0),  # the ace of spades before that of hearts
        ({0: "AC 3C", 1: "AH 4C"}, 1),  # hearts before clubs
        ({0: "AC 3C", 1: "AD 4C"}, 0),  # clubs before diamonds
    ],
)
def test_counting_out_follows_its_order(won, winner):
    state = table(options={"end": "count-out"}, won=won, totals={0: 20, 1: 20}, last_capturer=0)
    assert state.outcome().winners == (winner,)


@rule("casino:game-target")
def test_of_equal_totals_the_first_side_at_the_target_wins_and_the_reason_says_so():
    """21 each: the ace of clubs is counted before that of diamonds."""
    position = {"won": {0: "AC 3C", 1: "AD 4C"}, "totals": {0: 20, 1: 20}, "last_capturer": 0}
    assert table(**position).outcome() is None
    counted = table(options={"end": "count-out"}, **position).outcome()
    assert (counted.scores, counted.places) == ((21, 21), (1, 2))
    assert counted.reason == "@0 reached 21 points first when the hand was counted."


@rule("casino:game-target", "casino:game-tie")
@pytest.mark.parametrize(("sweeps", "places"), [((1, 3), (2, 1)), ((2, 1), (1, 2)), ((1, 1), None), ((0, 1), (2, 1))])
def test_sweeps_are_counted_out_last_and_together(sweeps, places):
    """Of sides that only their sweeps bring to the target, none is first: the higher total wins."""
    options = {"end": "count-out", "sweeps": "each"}
    outcome = table(options=options, won={0: "3C", 1: "4C"}, totals={0: 20, 1: 20}, sweeps=sweeps).outcome()
    assert (outcome and outcome.places) == places
    first = table(options=options, won={0: "AC", 1: "4C"}, totals={0: 20, 1: 20}, sweeps=(0, 9)).outcome()
    assert (first.scores, first.places) == ((21, 29), (1, 2))


@rule("casino:game-tie")
def test_after_a_tie_past_the_target_counting_out_decides_nothing():
    """Seat 0 scores first, but both were past the target already: the highest total wins."""
    won = {0: "3C 4C 5C 6C 7C", 1: "AS AH AC AD"}
    state = table(options={"end": "count-out"}, won=won, totals={0: 23, 1: 23}, last_capturer=0)
    assert state.outcome().scores == (26, 28)
    assert state.outcome().winners == (1,)


# What refused players are told


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("KSxQC", "KS only takes another king."),
        ("JSx3C+8C", "JS only takes another jack."),
        ("3SxQC", "so only another queen takes it. 3S takes number cards that add up to 3."),
        ("KSxKD+KH", "exactly one card. Choose one king."),
        ("3Sx[5]", "Only a card worth 5 takes the build of 5. 3S takes cards, sets and a build worth 3."),
        ("3Sx3C+3C", "Name each of them once."),
        ("3Sx8C", "8C counts 8, and 3S takes what adds up to 3."),
        ("8Sx3C", "3C counts 3, and 8S takes what adds up to 8."),
        ("8Sx3C+8C", "8S takes cards worth 8 and sums of 8, each card once. It can't take all of 3C 8C."),
        ("3Sx9C", "9C isn't a loose card on the table. Choose from 3C 8C QC KD KH."),
        ("3Sx[9]", "There is no build of 9. The table has only the builds of 2, 5 and 10."),
        ("JS=5:3C", "JS isn't one. Capture with it or trail it."),
        ("3S=8:QC", "QC isn't one. Leave it out."),
        ("3S=6:3C", "Build a value that you hold, or use 3S in another way."),
        ("3S=11:8C", "you must keep a card worth 11 in your hand"),
        ("8S=3:[5]", "8S would raise the build of 5 to 13. No card takes 13."),
        ("3S=8:[2]", "3S raises the build of 2 to 5."),
        ("3S=8:[5]+3C", "divide into sets worth 8, each card once. 3C can't be divided that way."),
        ("8S=3:3C+3C", "Name each of them once."),
    ],
)
def test_a_refusal_says_what_may_be_played_instead(move, told):
    builds = ["[5:2D 3D@0]", "[10:9D AD@0]", "[2:AC AH@0]"]
    state = table(hands={1: "KS JS 3S 8S"}, loose="QC KD KH 3C 8C", builds=builds)
    assert told in words(state, move)


def test_several_builds_are_named_together():
    builds = ["[5:2D 3D@1]", "[9:8D AD@1]", "[2:AC AH@1]"]
    state = table(hands={1: "5S 9S 2S KC"}, builds=builds)
    assert "the builds of 5, 9 and 2, so you may not trail" in words(state, "KC")
    assert "You control the builds of 2, 5 and 9" in state.view(1).prompt
    assert "The table has no builds" in words(table(hands={1: "3S"}), "3Sx[3]")
    assert "There is none now" in words(table(hands={1: "3S"}), "3Sx3C")


# Notation


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("8s X 5h + 3c+[8]", "8Sx3C+5H+[8]"),
        ("8S x [8], 5H 3C", "8Sx3C+5H+[8]"),
        ("5h = 8 : 8d, 2h, 6d,3c", "5H=8:2H+3C+6D+8D"),
        ("3H=9:[6]+9D", "3H=9:9D+[6]"),
        ("10dx10h", "TDxTH"),
        (" kc ", "KC"),
        ("PASS", "pass"),
    ],
)
def test_moves_are_read_in_any_order_and_printed_in_one(written, meant):
    assert str(CASINO.parse(written)) == meant
    assert CASINO.parse(written) == CASINO.parse(meant)


@pytest.mark.parametrize("text", ["8Sx1D", "8S=x:3C", "[8]", "8Sx[8", "x3C", "8S=8:3C!", "take 8D", "8Sy8D"])
def test_what_is_no_move_is_refused_with_a_word_how_to_write_one(text):
    with pytest.raises(UnreadableMove, match="Write 8S to trail"):
        CASINO.parse(text)


@pytest.mark.parametrize("text", ["8S" + " " * 50_000 + "8", "8Sx" + "+" * 50_000 + "?", "[ " * 50_000])
def test_long_nonsense_is_refused(text):
    """A pattern that backtracks would still be trying when the run is given up."""
    with pytest.raises(UnreadableMove):
        CASINO.parse(text)


# Positions


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ({"hands": {1: "8S"}, "loose": "8S"}, "lies there 2 times"),
        ({"hands": {1: "1S"}}, "no card 1S"),
        ({"hands": {5: "8S"}}, "no seat 5"),
        ({"hands": {1: "8S 7S 6S 5S 4S"}}, "more than 4"),
        ({"hands": {1: "8S"}, "to_move": 0}, "holds no card"),
        ({"hands": {1: "8S"}, "builds": ["[8:3C 4H@0]"]}, "not worth 8"),
        ({"hands": {1: "8S"}, "builds": ["[8:KC@0]"]}, "not worth 8"),
        ({"hands": {1: "7S"}, "builds": ["[8:8C@1]"]}, "at least two cards"),
        ({"hands": {1: "7S"}, "builds": ["[8:3C 5C@1]"]}, "must hold"),
        ({"hands": {1: "7S"}, "builds": ["[8:3C 5C@2]"]}, "controller"),
        ({"hands": {1: "8S"}, "builds": [{"value": 8, "sets": ["3C 5C"], "owner": 0}]}, "owner"),
        ({"hands": {1: "8S"}, "builds": ["[8:3C 5C@0]", "[8:3D 5D@0]"]}, "one build"),
        ({"hands": {1: "8S"}, "builds": ["eight"]}, "is not a build"),
        ({"hands": {1: "8S"}, "totals": {0: 30}}, "game is over"),
        ({"hands": {1: "8S"}, "options": {"target": 22}}, "cannot be 22"),
        ({"hands": {1: "8S"}, "tabel": "8D"}, "tabel"),
        ({"won": {0: "8S"}, "full": True}, "all 52"),
        ({"deck": "8S 7S"}, "first deal needs 12"),
        ({"deck": ["8S"] * 12}, "lies there 12 times"),
        ({"seats": 3, "options": {"players": 2}}, "2 players"),
        ({"options": {"players": 4, "partners": True}, "totals": {0: 3, 2: 4}}, "partners"),
        ({"hands": {1: "8S"}, "last_taken": "7S"}, "last_taken"),
        ({"hands": {1: "8S"}, "turns": [[0, "7Sx7D"]]}, "turns: captured cards"),
        ({"hands": {1: "8S"}, "turns": [[1, "8S"]]}, "turns: a card that was played"),
        ({"hands": {1: "8S"}, "stock": "7S", "turns": [[1, "7S"]]}, "turns: a card that was played"),
        ({"hands": {1: "8S"}, "turns": [[1, "pass"]]}, "turns: pass is not a turn"),
        (
            {"hands": {0: "9S"}, "won": {0: "8H"}, "turns": [[1, "3C=8:5C"], [0, "8Hx[8]"]]},
            "turns: captured cards",
        ),
        ({"hands": {1: "7S"}, "loose": "3C 5C", "turns": [[1, "3C=8:5C"]]}, "build of 8"),
        ({"deck": list(pack()), "to_move": 0}, "turn of seat 1"),
        ({"deck": list(pack()), "totals": {0: 21}}, "game is over"),
        ({"to_move": None, "won": {0: "8S"}}, "nobody has won"),
        ({"to_move": 0, "dealer": 0, "stock": "8S 7S"}, "turn of seat 1"),
        ({"builds": ["[8:3C 5C@0]"], "won": {0: "7S"}, "last_capturer": 0}, "must hold"),
        ({"hand": 15, "hands": {1: "8S"}}, "14 is the last hand"),
        ({"hand": 15, "won": {1: "8S"}}, "14 is the last hand"),
        ({"hand": 15, "deck": list(pack())}, "14 is the last hand"),
    ],
)
def test_impossible_positions_are_refused_in_words(position, complaint):
    with pytest.raises(ImpossiblePosition, match=complaint):
        CASINO.load(position)


def test_after_a_deck_in_a_position_come_the_following_ones():
    state = CASINO.load({"deck": list(pack())}, numbered_decks(pack(), 7))
    while not state.results:
        play(state, legal(state)[0])
    assert state.hands == CASINO.start(numbered_decks(pack(), 7), dealer=1).hands


@pytest.mark.parametrize(
    "value", [5, -1, "ZZ", "8S 8S", [5], [[5]], {"x": 1}, {0: 5}, [[0, 1, 2]], [{"value": 8}], True, 1.5]
)
def test_positions_of_the_wrong_kind_are_refused_or_read_but_never_break(value):
    keys = [
        "dealer",
        "hand",
        "hands",
        "stock",
        "loose",
        "builds",
        "won",
        "last_taken",
        "last_capturer",
        "sweeps",
    ]
    for key in [*keys, "seats", "options", "to_move", "totals", "turns", "deck"]:
        try:
            state = CASINO.load({"hands": {0: "2C", 1: "3C"}, key: value})
        except ImpossiblePosition as refused:
            assert str(refused)
        else:
            assert CASINO.load(state.dump()).dump() == state.dump()


# Information


def test_a_view_shows_the_own_hand_and_only_counts_of_what_is_hidden():
    state = start(3, seed=5)
    view = state.view(1)
    assert Counter(view.hand) == Counter(state.hands[1])
    shown = {card for zone in view.zones for card in zone.cards}
    assert shown == {*state.hands[1], *state.loose}
    assert {zone.id: zone.count for zone in view.zones}["stock"] == 36
    assert [zone.id for zone in view.zones][:2] == ["hand:2", "hand:0"]
    assert view.zones[-1].id == "hand:1"
    assert state.view(None).hand == ()


@pytest.mark.parametrize("next_move", ["QD", "2C=5:3D"])
def test_won_cards_are_seen_until_the_next_card_is_played(next_move):
    state = table(hands={1: "8S KC", 0: "QD 2C 5D"}, loose="8D 3D", last_capturer=None)
    play(state, "8Sx8D")
    won = {zone.id: zone for zone in state.view(0).zones}["won:1"]
    assert (set(won.cards), won.count) == ({"8S", "8D"}, 2)
    play(state, next_move)
    for viewer in (0, 1, None):
        won = {zone.id: zone for zone in state.view(viewer).zones}["won:1"]
        assert (won.cards, won.count) == ((), 2)


def test_the_log_holds_the_previous_turn_of_each_seat_and_all_of_finished_hands():
    state = table(hands={1: "8S KC 2H", 0: "QD 2C 7H"}, loose="3D", dealer=0)
    play(state, "8S", "QD", "KC")
    assert [event.phrase.rest for event in state.view(0).log] == ["QD", "KC"]
    play(state, "2C", "2Hx2C", "7H")
    assert [render_text(event.phrase.text, ("Ada", "Bob")) for event in state.view(None).log] == [
        "Trail 8S",
        "Trail QD",
        "Trail KC",
        "Trail 2C",
        "Take 2C with 2H",
        "Trail 7H",
        "Hand 1 is over. This hand: Ada 0, Bob 4.",
    ]


def test_the_log_of_a_finished_game_holds_every_turn_once():
    state = table(hands={1: "8S", 0: "QD"}, loose="8D", totals={0: 20, 1: 18}, won={1: "TD AC"})
    play(state, "8Sx8D", "QD")
    assert state.outcome().winners == (1,)
    assert [render_text(event.phrase.text, ("Ada", "Bob")) for event in state.view(0).log] == [
        "Take 8D with 8S",
        "Trail QD",
        "Hand 1 is over. This hand: Ada 0, Bob 7.",
    ]


def test_only_the_last_turn_of_a_seat_is_told_when_the_others_have_no_cards():
    state = play(table(hands={1: "8S QD KC"}), "8S", "QD")
    assert [event.phrase.rest for event in state.view(0).log] == ["QD"]


def test_partners_see_the_last_capture_on_their_common_pile():
    state = table(options={"players": 4, "partners": True}, to_move=3, hands={3: "8S", 0: "2C"}, loose="8D")
    play(state, "8Sx8D")
    won = {zone.id: zone for zone in state.view(0).zones}["won:1"]
    assert (won.cards, won.label) == (("8S", "8D"), "Won by @1 and @3")


@rule("casino:sweep")
def test_sweeps_are_shown_on_the_pile_where_they_count():
    for option, note in (("each", "sweeps: 2"), ("off", "")):
        state = table(options={"sweeps": option}, sweeps={1: 2}, hands={1: "8S"})
        assert {zone.id: zone.note for zone in state.view(0).zones}["won:1"] == note


@rule("casino:no-trail-with-build")
def test_the_prompt_says_what_a_builder_may_do():
    for option, prompt in (
        ("forbidden", "Play one card: capture or build. You control the build of 8, so you may not trail."),
        ("allowed", "Play one card: capture, build or trail. Keep a card for the build of 8."),
    ):
        state = table(options={"trail_with_build": option}, hands={1: "8S KC"}, builds=["[8:3C 5H@1]"])
        assert state.view(1).prompt == prompt
        assert state.view(0).prompt == ""


def test_who_captured_last_and_who_controls_a_build_is_public():
    state = table(hands={1: "8S KC", 0: "QD 2C"}, loose="8D 3D", builds=["[2:AC AD@0]"])
    assert ("Last capture", "none yet") in state.view(None).facts
    play(state, "8Sx8D")
    view = state.view(None)
    assert (view.last_capturer, view.builds[0].controller) == (1, 0)
    assert ("Last capture", "@1") in view.facts


@pytest.mark.parametrize(("seats", "options"), [(2, {"end": "count-out"}), (3, {}), (4, {"partners": True})])
def test_texts_read_well_with_you_for_the_name_of_a_seat(seats, options):
    """A verb after a seat is in the past tense or marked, so that "You wins" cannot be made."""
    rng, state = Random(seats), start(seats, seed=3, target=11, **options)
    texts = []
    while state.to_act:
        play(state, rng.choice(legal(state)))
        for viewer in (None, *range(seats)):
            view = state.view(viewer)
            texts += [zone.label for zone in view.zones] + [text for _, text in view.facts] + [view.prompt]
    for result in state.results:
        texts += [result.summary, *(line.text for line in result.lines), *(zone.label for zone in result.zones)]
    texts.append(state.outcome().reason)
    assert any("@0 " in text or "@0's " in text for text in texts)
    assert [text for text in texts if re.search(r"@\d (is|was|has|[a-z]+s)\b", text)] == []


def test_samples_give_the_controller_of_a_build_a_card_for_it():
    state = table(seats=2, hands={1: "8S KC 2C 3C", 0: "9C 9H"}, builds=["[9:4D 5D@0]"], loose="QD")
    for seed in range(20):
        imagined = CASINO.sample(state.view(1), Random(seed))
        assert any(card[0] == "9" for card in imagined.hands[0])


def test_samples_remember_what_a_build_told_after_it_was_taken():
    """Seat 1 made a build of 8 in its last turn, so it holds an eight, whoever has taken the build since."""
    state = table(hands={1: "5H 8S KC QC", 0: "8H 2C 3D 4D"}, loose="3C", stock="8C 8D 9C 9D TC JC JD JH")
    play(state, "5H=8:3C", "8Hx[8]")
    for viewer in (0, None):
        for seed in range(20):
            imagined = CASINO.sample(state.view(viewer), Random(seed))
            assert any(card[0] == "8" for card in imagined.hands[1])


def test_samples_keep_cards_of_a_taken_build_out_of_the_hands():
    """Seat 2 took the build that the log still names: its cards lie in the pile of seat 2."""
    hands = {0: "KC KD", 1: "5H 8S", 2: "8H 2C", 3: "QC QD"}
    state = table(options={"players": 4}, hands=hands, loose="3C 6C", stock="9C 9D TC JC JD JH 4C 4D 4H 4S")
    play(state, "5H=8:3C", "8Hx[8]", "QC")
    for seed in range(20):
        imagined = CASINO.sample(state.view(0), Random(seed))
        assert {"5H", "3C", "8H"} <= set(imagined.won[2])
        assert CASINO.load(imagined.dump()).dump() == imagined.dump()


# Counting and comparing


@pytest.mark.parametrize(
    ("seats", "seed", "counts"),
    [(2, 7, (10, 69, 441, 2311)), (3, 8, (5, 26, 162, 550)), (4, 9, (7, 65, 359, 3262))],
)
def test_the_number_of_lines_of_play_from_a_fixed_deal(seats, seed, counts):
    state = start(seats, seed=seed)
    assert tuple(lines(state, depth) for depth in range(1, len(counts) + 1)) == counts


def lines(state: CasinoState, depth: int) -> int:
    """How many different sequences of so many moves there are."""
    moves = state.legal_moves(state.to_act[0])
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = state.copy()
        after.play(after.to_act[0], move)
        total += lines(after, depth - 1)
    return total


@pytest.mark.parametrize(
    "options", [{}, {"face_capture": "any", "trail_with_build": "allowed"}], ids=["default", "house"]
)
def test_the_moves_are_those_of_a_plain_reading_of_the_rules(options):
    compared = 0
    for seed in range(5):
        rng = Random(seed)
        state = start(2 + seed % 3, seed=seed, **options)
        while not state.results:
            if len(state.loose) <= 6:
                assert sorted(legal(state)) == sorted(plain_moves(state))
                compared += 1
            builds = [move for move in legal(state) if "=" in move]
            play(state, rng.choice(builds or legal(state)))
    assert compared > 100


def plain_moves(state: CasinoState) -> list[str]:
    """Every choice of cards and builds, kept if the rules allow it: slow, and without the engine's sums."""
    seat = state.to_act[0]
    found = []
    for card in state.hands[seat]:
        rest = [VALUES.get(other) for other in state.hands[seat] if other != card]
        owed = {build.value for build in state.builds.values() if build.controller == seat}
        if owed <= set(rest) and (not owed or state.options["trail_with_build"] == "allowed"):
            found.append(card)
        for loose in subsets(state.loose):
            for values in subsets(sorted(state.builds)):
                items = "+".join([*sorted(loose, key=in_order), *(f"[{value}]" for value in values)])
                if plain_capture(state, card, loose, values) and owed - set(values) <= set(rest):
                    found.append(f"{card}x{items}")
                for value in range(1, 11):
                    is_built = plain_build(state, card, value, loose, values) and value in rest
                    if is_built and owed - set(values) <= set(rest):
                        found.append(f"{card}={value}:{items}")
    return found


def plain_capture(state, card, loose, values):
    if card not in VALUES:
        most = 1 if state.options["face_capture"] == "one" else 4
        return not values and 1 <= len(loose) <= most and all(other[0] == card[0] for other in loose)
    divides = all(other in VALUES for other in loose) and is_divisible([VALUES[c] for c in loose], VALUES[card])
    return bool(loose or values) and divides and set(values) <= {VALUES[card]}


def plain_build(state, card, value, loose, values):
    if any(other not in VALUES for other in (card, *loose)) or (value in state.builds) != (value in values):
        return False
    raised = [state.builds[other] for other in values if other != value]
    worths = [VALUES[other] for other in loose]
    if raised:
        fits = len(raised) == 1 and len(raised[0].sets) == 1 and raised[0].value + VALUES[card] == value
        return fits and is_divisible(worths, value)
    return bool(loose or values) and is_divisible([VALUES[card], *worths], value)


def is_divisible(worths, value):
    """Whether all numbers fall into groups with this sum: the first is tried with every choice of others."""
    if not worths:
        return True
    first, others = worths[0], worths[1:]
    return any(
        is_divisible([worth for place, worth in enumerate(others) if place not in partners], value)
        for partners in subsets(range(len(others)))
        if first + sum(others[place] for place in partners) == value
    )


def subsets(items):
    return [chosen for size in range(len(items) + 1) for chosen in combinations(items, size)]


def in_order(card):
    return "A23456789TJQK".index(card[0]), "CDHS".index(card[1])


def test_a_crowded_table_stays_quick_and_any_right_move_can_be_played():
    """Nobody ever captured: of the moves on 28 loose number cards only a selection is listed."""
    loose = [rank + suit for rank in "A234567" for suit in "CDHS"]
    state = table(hands={1: "TS 9S 8S 8C"}, loose=loose)
    moves = legal(state)
    assert {"TS", "9S", "8S", "8C"} < set(moves)
    assert len(moves) == len(set(moves)) < 1500
    for move in moves[:: len(moves) // 50]:
        play(state.copy(), move)
    taking_all = "8Sx" + "+".join(loose)
    assert taking_all.count("+") == 27
    assert len(play(state.copy(), taking_all).won[1]) == 29
    assert refusal(state, "8Sx" + "+".join(loose[1:])) == "capture-sum"
    assert max(len(move) for move in moves if move.startswith("8Sx")) > 40


def test_partners_sit_opposite_and_without_partners_everybody_is_a_side():
    assert CASINO.sides(CASINO.read_options({"partners": True}, 4), 4) == ((0, 2), (1, 3))
    assert CASINO.sides(CASINO.read_options({}, 3), 3) == ((0,), (1,), (2,))
