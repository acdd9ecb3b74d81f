"""Vatican, rule by rule: positions in the notation of `Vatican.load`, moves in their text form."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.cards import is_joker
from games.core.contract import BadOption, IllegalMove, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks
from games.core.moves import DRAW, PASS
from games.core.rummy.rearranging import PACK, Play
from games.core.words import render_text
from games.engines.vatican import VATICAN, VaticanState
from tests.engines.states import legal, play, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "vatican_examples.yaml").read_text())
FULL_CIRCLE = "-".join(f"{rank}C1" for rank in "A23456789TJQK")


def table(*melds: str, hand: str = "2C2 9D2", stock: int = 12, opened: bool = True, **position) -> VaticanState:
    """Seat 0 is to move with this hand, seat 1 holds a lone king."""
    position.setdefault("hands", {0: hand, 1: "KC2"})
    return VATICAN.load({"to_move": 0, "opened": opened, "stock_count": stock, "table": list(melds), **position})


def melds(state: VaticanState) -> dict[int, str]:
    return {number: str(meld) for number, meld in state.table.items()}


# The worked examples


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=example["id"], marks=rule(*(f"vatican:{name}" for name in example["rules"])))
        for example in EXAMPLES
    ],
)
def test_the_worked_example_holds(example):
    state = VATICAN.load(example["setup"])
    if "largest" in example:
        found = state.suggestions(state.to_act[0])
        assert len(found.largest.from_hand(state.table)) == example["largest"]
        assert list(found.singles) == example["singles"]
    if "refused" in example:
        assert refusal(state, example["move"]) == example["refused"]
    elif "move" in example:
        seat = state.to_act[0]
        play(state, example["move"])
        assert " ".join(state.hands[seat]) == example["left"]
    if "winners" in example:
        assert list(state.outcome().winners) == example["winners"]


# Cards and deal


@rule("vatican:deck-106", "vatican:deal-13")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_gets_thirteen_of_106_cards_and_the_rest_is_stock(seats):
    state = VATICAN.start(numbered_decks(PACK), seats=seats)
    assert len(set(state.cards())) == len(state.cards()) == 106
    assert [len(hand) for hand in state.hands] == [13] * seats
    assert len(state.stock) == 106 - 13 * seats
    assert not state.table


@rule("vatican:deal-13", "vatican:first-player")
def test_the_deck_is_dealt_from_the_left_of_the_dealer_first_card_first():
    state = VATICAN.start([PACK], seats=3, dealer=0)
    assert state.to_act == (1,)
    assert [set(state.hands[seat]) for seat in (1, 2, 0)] == [
        set(PACK[:13]),
        set(PACK[13:26]),
        set(PACK[26:39]),
    ]
    assert PACK[39] in play(state, "D").hands[1]


@rule("vatican:seats")
def test_play_goes_clockwise_and_out_of_turn_is_refused():
    state = VATICAN.start(numbered_decks(PACK), seats=3)
    turns = [play(state, "D").to_act[0] for _ in range(4)]
    assert turns == [1, 2, 0, 1]
    with pytest.raises(NotYourTurn):
        state.play(0, DRAW)
    assert refusal(state, "D", seat=2) == "seats"


@rule("vatican:first-dealer")
def test_the_deal_passes_to_the_left_after_each_game():
    state = table("7C1+7D1+7H1", hand="7S1", options={"penalty_scoring": True}, dealer=1)
    assert play(state, "P x1 > 7C1+7D1+7H1+7S1").dealer == 0
    assert state.to_act == (1,)


# The turn


@rule("vatican:draw-or-play")
def test_drawing_is_allowed_although_a_card_could_be_played():
    state = table("7C1+7D1+7H1", hand="7S1 2C2")
    play(state, "D")
    assert len(state.hands[0]) == 3 and state.to_act == (1,)


@rule("vatican:draw-or-play")
def test_who_plays_does_not_draw():
    state = play(table("7C1+7D1+7H1", hand="7S1 2C2"), "P x1 > 7C1+7D1+7H1+7S1")
    assert state.hands[0] == ("2C2",) and len(state.stock) == 12 and state.to_act == (1,)


@rule("vatican:play-at-least-one")
def test_rearranging_alone_is_no_turn():
    assert refusal(table("4H1-5H1-6H1-7H1-8H1-9H1"), "P x1 > 4H1-5H1-6H1 / 7H1-8H1-9H1") == "play-at-least-one"
    assert refusal(table("7C1+7D1+7H1"), "P >") == "play-at-least-one"


@rule("vatican:table-stays", "vatican:joker-stays")
def test_no_card_leaves_the_table_and_a_joker_is_named():
    state = table("7C1+7D1+7H1+7S1", hand="7S2 KD1")
    refusal_of_card = refused(state, "P x1 > 7C1+7D1+7S2")
    assert refusal_of_card.rule == "vatican:table-stays" and "7H1" in str(refusal_of_card)
    refusal_of_joker = refused(table("5H1-6H1-XB", hand="7H2 2C1"), "P x1 > 5H1-6H1-7H2")
    assert refusal_of_joker.rule == "vatican:table-stays" and "XB" in str(refusal_of_joker)


@rule("vatican:cards-available")
@pytest.mark.parametrize(
    "move",
    [
        "P > 5D1-6D1-7D1",
        "P > 5D2-6D2-7D2",
        "P > 7C1-8C2-9C2",
        "P > 5D2-6D2-5D2",
        "P x1 > 7C1+7D1+7H1+7C1 / 5D2-6D2-8D2",
    ],
)
def test_a_card_must_be_held_and_is_there_only_once(move):
    assert refusal(table("7C1+7D1+7H1", hand="5D2 6D2 8D2 8C2 9C2"), move) == "cards-available"


@rule("vatican:cards-available")
def test_a_card_of_a_meld_that_was_not_dissolved_is_refused_with_its_meld():
    assert "meld 1" in str(refused(table("7C1+7D1+7H1+7S1", hand="8C2 9C2"), "P > 7C1-8C2-9C2"))


@rule("vatican:rearrange")
def test_a_meld_that_is_not_there_cannot_be_dissolved():
    assert refusal(table("7C1+7D1+7H1", hand="7S1"), "P x3 > 7C1+7D1+7H1+7S1") == "rearrange"
    assert refusal(table(hand="7S1"), "P x1 > 7C1+7D1+7H1+7S1") == "rearrange"


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        pytest.param("P > 8C2+8D2", "meld-size", marks=rule("vatican:meld-size")),
        pytest.param("P > 8C2", "meld-size", marks=rule("vatican:meld-size")),
        pytest.param("P > 8C2+8D2+9D2", "set-rank", marks=rule("vatican:set-rank")),
        pytest.param("P x1 > 7C1+7D1+7H1+7H2", "set-suits", marks=rule("vatican:set-suits")),
        pytest.param("P x1 > 7C1+7D1+7H1+7S2+XB", "set-suits", marks=rule("vatican:set-suits")),
        pytest.param("P > 8D2-9D2-TH2", "run-suit", marks=rule("vatican:run-suit")),
        pytest.param("P > 8D2-9D2-JD2", "run-sequence", marks=rule("vatican:run-sequence")),
        pytest.param(f"P x2 > {FULL_CIRCLE}-AC2", "run-length", marks=rule("vatican:run-length")),
    ],
)
@rule("vatican:table-legal")
def test_every_new_meld_must_be_valid(move, broken):
    state = table("7C1+7D1+7H1", FULL_CIRCLE.replace("7C1", "7C2"), hand="8C2 8D2 9D2 TH2 JD2 7H2 7S2 XB AC2")
    assert refusal(state, move.replace("6C1-7C1", "6C1-7C2")) == broken


@rule("vatican:meld-natural")
def test_jokers_alone_are_no_meld():
    state = VATICAN.load({"opened": True, "stock_count": 3, "hands": {0: "XB XR 2C1"}})
    assert refusal(state, "P > XB+XR") == "meld-size"
    assert (
        VATICAN.load({"opened": True, "hands": {0: "XB XR 2C1"}}).check(0, VATICAN.parse("P > XB-XR-2C1"))[0].refusal
        is None
    )


def test_the_first_check_that_fails_is_the_refusal():
    state = table("7C1+7D1+7H1", "5H1-6H1-XB", hand="4S1 KD1 KC1", opened=False)
    order = [
        ("P x9 > 7C1+7D1 / QS1+QS1", "rearrange"),
        ("P x1 > 7C1+7D1 / QS1+QS1", "cards-available"),
        ("P x1 > 7C1+7D1 / QS1", "table-stays"),
        ("P x1 > 7C1+7D1+7H1+7S1", "cards-available"),
        ("P x1,2 > 7C1+7D1+7H1 / 5H1-6H1 / XB", "play-at-least-one"),
        ("P x2 > 5H1-6H1 / KD1+KC1+XB", "meld-size"),
        ("P x1,2 > 5H1-6H1-7H1 / KD1+KC1+XB / 7C1+7D1+4S1", "set-rank"),
    ]
    assert [refusal(state, move) for move, _ in order] == [broken for _, broken in order]
    bound = table("9C1+9D1+9H1", "4H1-5H1-6H1-XB", hand="KD1 KC1 2C2", opened=False)
    assert refusal(bound, "P x2 > 4H1-5H1-6H1 / KD1+KC1+XB") == "opening-run"
    bound.opened[0] = True
    assert refusal(bound, "P x2 > 4H1-5H1-6H1 / KD1+KC1+XB") == "joker-bound"


@rule("vatican:retrieve")
def test_a_refused_play_changes_nothing_and_may_be_mended():
    state = table("7C1+7D1+7H1", hand="7S1 8S1 2C2")
    assert refusal(state, "P x1 > 7C1+7D1+7H1+7S1 / 8S1+2C2") == "meld-size"
    assert play(state, "P x1 > 7C1+7D1+7H1+7S1").hands[0] == ("2C2", "8S1")


# The opening


@rule("vatican:opening-run")
@pytest.mark.parametrize("hand", ["7S1 8C2 9C2", "9C1 9D1 9S1"])
def test_without_a_run_in_hand_nothing_can_be_opened(hand):
    state = table("7C1+7D1+7H1", hand=hand, opened=False)
    assert legal(state) == ["D"]


@rule("vatican:opening-run")
def test_opening_runs_in_hand_are_listed_and_the_next_play_is_free():
    state = table("7C1+7D1+7H1", hand="4S1 5S1 6S1 7S1 2C2 9H1", opened=False, stock=12)
    assert {"P > 4S1-5S1-6S1", "P > 5S1-6S1-7S1", "P > 4S1-5S1-6S1-7S1"} <= set(legal(state))
    play(state, "P > 4S1-5S1-6S1", "D", "P x1 > 7C1+7D1+7H1+7S1")
    assert state.opened == [True, False]


@rule("vatican:opening-run")
def test_the_opening_run_goes_round_the_corner_and_may_be_laid_in_pieces():
    state = table("QS1+QD1+QH1", "3S1+3D1+3H1+3C1", hand="KS1 AS1 2S1 9D2", opened=False)
    play(state, "P x1,2 > KS1-AS1-2S1-3S1 / QS1+QD1+QH1 / 3D1+3H1+3C1")
    assert state.opened[0]


@rule("vatican:opening-then-free")
def test_the_cards_of_the_opening_run_may_lie_in_different_melds():
    state = table("2S1-3S1-4S2", "6D1+6H1+6C1", hand="4S1 5S1 6S1 9D2 3D1 5D1 4D1", opened=False)
    play(state, "P x1,2 > 2S1-3S1-4S2-5S1 / 6D1+6H1+6C1+6S1 / 3D1-4D1-5D1")
    assert state.hands[0] == ("4S1", "9D2")
    scattered = table("2S1-3S1-4S2", "6D1+6H1+6C1", "4C1+4D1+4H1", hand="4S1 5S1 6S1 9D2", opened=False)
    play(scattered, "P x1,2,3 > 2S1-3S1-4S2-5S1 / 6D1+6H1+6C1+6S1 / 4C1+4D1+4H1+4S1")
    assert scattered.hands[0] == ("9D2",)


@rule("vatican:opening-joker")
def test_a_joker_may_fill_the_opening_run_unless_the_option_forbids_it():
    assert "P > 4S1-XB-6S1" in legal(table(hand="4S1 6S1 XB 9D2", opened=False))
    state = table(hand="4S1 6S1 XB 9D2", opened=False, options={"opening_joker": False})
    assert legal(state) == ["D"]
    assert refusal(state, "P > 4S1-XB-6S1") == "opening-run"


@rule("vatican:opening-run")
def test_the_option_without_opening_makes_the_first_play_free():
    state = table("7C1+7D1+7H1", hand="7S1 2C2", opened=False, options={"opening_run": False})
    assert "P x1 > 7C1+7D1+7H1+7S1" in legal(state)
    assert play(state, "P x1 > 7C1+7D1+7H1+7S1").hands[0] == ("2C2",)


@rule("vatican:opening-then-free")
def test_the_largest_opening_uses_the_table_too():
    state = table("7C1+7D1+7H1+7S2", hand="4S1 5S1 6S1 8S1 9D2", opened=False)
    largest = state.suggestions(0).largest
    assert set(largest.from_hand(state.table)) == {"4S1", "5S1", "6S1", "8S1"}


# Jokers


@rule("vatican:joker-wild", "vatican:joker-face")
def test_a_bound_joker_moves_freely_as_the_card_that_it_is():
    state = table("5H1-6H1-XB", "7C1+7D1+7S1", hand="4H1 2C2 9D1")
    play(state, "P x1,2 > 4H1-5H1-6H1 / 7C1+7D1+7S1+XB")
    assert state.hands[0] == ("2C2", "9D1")


@rule("vatican:joker-bound")
def test_a_joker_in_a_set_is_replaced_by_either_missing_suit():
    for seven in ("7H1", "7S1"):
        state = table("7C1+7D1+XB", hand=f"{seven} KD1 KC1 2C2")
        play(state, f"P x1 > 7C1+7D1+{seven} / KD1+KC1+XB")
    assert (
        refusal(table("7C1+7D1+XB", hand="7D2 8D1 9D1 KD1 KC1"), "P x1 > 7D1-8D1-9D1 / KD1+KC1+XB / 7C1+7D2")
        == "meld-size"
    )


@rule("vatican:joker-bound")
def test_two_freed_jokers_need_two_cards_of_their_own():
    one_seven = table("5H1-6H1-XB", "XR-8H1-9H1", hand="4H1 7H1 TH1 KD1 KC1 QD1 QC1")
    move = "P x1,2 > 4H1-5H1-6H1-7H1-8H1-9H1-TH1 / KD1+KC1+XB / QD1+QC1+XR"
    assert refusal(one_seven, move) == "joker-bound"
    two_sevens = table("5H1-6H1-XB", "XR-8H1-9H1", "7C1+7D1+7S1+7H2", hand="4H1 7H1 TH1 KD1 KC1 QD1 QC1")
    play(two_sevens, move)


@rule("vatican:joker-bound")
def test_a_joker_in_a_run_may_move_to_the_other_end_when_its_card_comes():
    play(table("5H1-6H1-XB", hand="7H1 2C2"), "P x1 > 5H1-6H1-7H1-XB")
    assert refusal(table("5H1-6H1-XB", hand="8H1 2C2"), "P x1 > XB-5H1-6H1 / 8H1") == "meld-size"
    assert refusal(table("5H1-6H1-7H2-XB", hand="3H1 2C2"), "P x1 > 3H1-XB-5H1-6H1-7H2") == "joker-bound"


@rule("vatican:joker-bound")
def test_two_jokers_in_one_set_are_two_different_suits():
    melds_of = ("7C1+XB+XR", "4H1-5H1-6H1", "8H1-9H1-TH1", "8C1-9C1-TC1", "4D1-5D1-6D1")
    state = table(*melds_of, hand="JC1 2C2")
    two_hearts = "P x1,2,3,4 > 4H1-5H1-6H1-XB / XR-8H1-9H1-TH1 / 7C1-8C1-9C1-TC1-JC1"
    assert refusal(state, two_hearts) == "joker-bound"
    heart_and_diamond = "P x1,2,4,5 > 4H1-5H1-6H1-XB / 4D1-5D1-6D1-XR / 7C1-8C1-9C1-TC1-JC1"
    assert play(state, heart_and_diamond).hands[0] == ("2C2",)


@rule("vatican:joker-bound")
def test_the_option_hand_only_wants_the_card_from_the_hand():
    melds_of = ("5H1-6H1-XB", "7C1+7D1+7H1+7S1")
    move = "P x1,2 > 5H1-6H1-7H1 / 7C1+7D1+7S1 / KD1+KC1+XB"
    assert refusal(table(*melds_of, hand="KD1 KC1 2S1", options={"joker_release": "hand_only"}), move) == "joker-bound"
    state = table(*melds_of, hand="KD1 KC1 7H2 2S1", options={"joker_release": "hand_only"})
    play(state, "P x1 > 5H1-6H1-7H2 / KD1+KC1+XB")


@rule("vatican:joker-bound")
def test_the_option_free_never_binds_a_joker():
    state = table("4H1-5H1-6H1-XB", hand="KD1 KC1 2S1", options={"joker_release": "free"})
    play(state, "P x1 > 4H1-5H1-6H1 / KD1+KC1+XB")


# Sequences


@rule("vatican:run-sequence")
@pytest.mark.parametrize(
    ("sequence", "runs"),
    [
        ("round", {"QS1-KS1-AS1", "AS1-2S1-3S1", "KS1-AS1-2S1"}),
        ("high_or_low", {"QS1-KS1-AS1", "AS1-2S1-3S1"}),
        ("low", {"AS1-2S1-3S1"}),
    ],
)
def test_the_option_for_the_order_says_what_an_ace_joins(sequence, runs):
    state = table(hand="QS1 KS1 AS1 2S1 3S1", options={"sequence": sequence}, opened=False)
    listed = {text.removeprefix("P > ") for text in legal(state) if len(text) == len("P > QS1-KS1-AS1")}
    assert listed - {"D"} == runs
    for run in {"QS1-KS1-AS1", "AS1-2S1-3S1", "KS1-AS1-2S1"} - runs:
        assert refusal(state, f"P > {run}") == "run-sequence"


# Without stock


@rule("vatican:stock-empty")
def test_nobody_draws_without_stock():
    assert refusal(table("7C1+7D1+7H1", hand="7S1 2C2", stock=0), "D") == "stock-empty"


@rule("vatican:pass-only-when-empty")
def test_nobody_passes_while_there_is_stock():
    assert refusal(table("7C1+7D1+7H1", hand="2C2 9D1"), "-") == "pass-only-when-empty"


@rule("vatican:stock-empty-pass")
def test_who_cannot_play_passes():
    state = table("7C1+7D1+7H1", hand="2C2 9D1", stock=0)
    assert legal(state) == ["-"]
    assert play(state, "-").to_act == (1,)


@rule("vatican:stock-empty-pass", "vatican:stock-empty-must-play")
def test_who_has_not_opened_can_play_only_with_a_run_in_hand():
    assert legal(table("7C1+7D1+7H1", hand="7S1 9D1", stock=0, opened=False)) == ["-"]
    state = table("7C1+7D1+7H1", hand="4S1 5S1 6S1 9D1", stock=0, opened=False)
    assert legal(state) == ["P > 4S1-5S1-6S1"]
    assert refusal(state, "-") == "stock-empty-must-play"


@rule("vatican:stock-empty-must-play")
def test_the_refusal_says_that_a_play_exists_but_not_which():
    text = str(refused(table("7C1+7D1+7H1", hand="7S1 2C2", stock=0), "-"))
    assert "7S1" not in text and "can play" in text


# The end


@rule("vatican:going-out", "vatican:no-score")
def test_the_first_without_cards_wins_at_once_and_all_others_lose():
    state = table("7C1+7D1+7H1", hands={0: "7S1", 1: "KC2 KD2", 2: "9C1"})
    play(state, "P x1 > 7C1+7D1+7H1+7S1")
    outcome = state.outcome()
    assert (outcome.scores, outcome.places) == ((1, 0, 0), (1, 2, 2))
    assert state.to_act == () and state.results[0].lines[0].rule == "vatican:going-out"
    assert not state.view(0).has_scores
    assert {zone.id: zone.cards for zone in state.results[0].zones}["hand:1"] == ("KC2", "KD2")


@rule("vatican:going-out")
def test_a_position_with_an_empty_hand_and_nobody_to_move_has_been_won():
    state = VATICAN.load({"hands": {0: "2C1 9D1", 1: "", 2: "KH1"}, "stock_count": 9})
    assert state.outcome().winners == (1,) and state.to_act == ()
    assert VATICAN.load({"hands": {0: "2C1 9D1", 2: "KH1"}, "stock_count": 9}).outcome() is None
    points = VATICAN.load({"hands": {0: "2C1 9D1", 1: ""}, "options": {"penalty_scoring": True}})
    assert (points.scores, points.deal_number) == ([11, 0], 2)


@rule("vatican:blocked")
def test_when_all_pass_the_fewest_cards_win():
    state = table("7C1+7D1+7H1", hands={0: "2C2 9D1", 1: "KC2 QD1", 2: "4S1"}, stock=0)
    assert play(state, "-", "-").outcome() is None
    assert play(state, "-").outcome().winners == (2,)
    assert state.outcome().reason == "No one can play: @2 [win] with the fewest cards, 1."
    tied = play(table(hands={0: "2C2 9D1", 1: "KC2 QD1"}, stock=0), "-", "-")
    assert tied.outcome().reason == "No one can play: @0 and @1 [share] the win with the fewest cards, 2."


@rule("vatican:blocked")
def test_a_play_between_passes_begins_the_count_again():
    state = table("7C1+7D1+7H1", hands={0: "2C2 9D1", 1: "7S1 QD1"}, stock=0, opened={0: True, 1: True})
    play(state, "-", "P x1 > 7C1+7D1+7H1+7S1")
    assert state.passes == 0
    assert play(state, "-", "-").outcome().winners == (1,)


@rule("vatican:no-score")
def test_penalty_points_count_over_a_round_of_deals():
    state = table("7C1+7D1+7H1", hands={0: "7S1", 1: "KC2 9D2 AC1 XB TD1"}, options={"penalty_scoring": True})
    play(state, "P x1 > 7C1+7D1+7H1+7S1")
    assert state.results[0].points == (0, 10 + 9 + 11 + 30 + 10)
    assert state.outcome() is None and state.deal_number == 2 and len(state.hands[0]) == 13
    second = {"to_move": 0, "opened": True, "hand": 2, "scores": [5, 1], "options": {"penalty_scoring": True}}
    last = VATICAN.load({**second, "table": ["7C1+7D1+7H1"], "hands": {0: "7S1", 1: "2C2"}})
    outcome = play(last, "P x1 > 7C1+7D1+7H1+7S1").outcome()
    assert (outcome.scores, outcome.places) == ((5, 3), (2, 1))
    assert VATICAN.load(last.dump()).outcome() == outcome
    assert ("Deal", "2 of 2") in VATICAN.load(second).view(0).facts


# Options of other tables


def test_the_option_draw_after_play_gives_a_card_except_to_the_winner():
    option = {"draw_after_play": True}
    state = play(table("7C1+7D1+7H1", hand="7S1 2C2", options=option), "P x1 > 7C1+7D1+7H1+7S1")
    assert len(state.hands[0]) == 2 and len(state.stock) == 11
    assert play(table("7C1+7D1+7H1", hand="7S1", options=option), "P x1 > 7C1+7D1+7H1+7S1").outcome()


@pytest.mark.parametrize("cards", [10, 15])
def test_the_option_for_the_deal_sets_the_size_of_the_hands(cards):
    state = VATICAN.start(numbered_decks(PACK), seats=5, options={"deal": cards})
    assert [len(hand) for hand in state.hands] == [cards] * 5


@pytest.mark.parametrize("cards", [9, 16])
def test_the_deal_is_of_ten_to_fifteen_cards(cards):
    with pytest.raises(BadOption):
        VATICAN.start(numbered_decks(PACK), seats=2, options={"deal": cards})


@rule("vatican:retrieve")
def test_the_option_for_failed_plays_costs_three_cards_and_the_turn():
    option = {"failed_play_penalty": 3}
    state = play(table("7C1+7D1+7H1", hand="7S1 2C2", options=option), "P x1 > 7C1+7D1+7H1+2C2")
    assert len(state.hands[0]) == 5 and state.to_act == (1,) and melds(state) == {1: "7C1+7D1+7H1"}
    assert "2C2" not in repr(state.log), "a card that was taken back stays secret"
    assert refusal(table("7C1+7D1+7H1", hand="7S1 2C2", options=option), "P > 4H1-5H1-6H1") == "cards-available"
    assert refusal(table("7C1+7D1+7H1", hand="2C2", options=option, stock=0), "P x1 > 7C1+7D1+7H1+2C2") == "set-rank"


# Meld numbers


def test_new_melds_get_the_lowest_free_numbers_in_the_order_written():
    state = table("7C1+7D1+7H1", "4C1-5C1-6C1", "JS1+JD1+JC1", hand="7S1 8S1 9S1 JH1 2C2")
    play(state, "P x1,3 > JS1+JD1+JC1+JH1 / 7S1-8S1-9S1 / 7C1+7D1+7H1")
    assert melds(state) == {1: "JC1+JD1+JH1+JS1", 2: "4C1-5C1-6C1", 3: "7S1-8S1-9S1", 4: "7C1+7D1+7H1"}


# Suggestions


@rule("vatican:stock-empty-must-play")
def test_a_play_that_takes_long_to_find_forbids_to_pass_as_well():
    melds_of = """6H2-7H1-8H1-9H1-TH2 3C1+3D2+3H1+3S1 AD1-XR-3D1-4D1 3S2-4S1-5S2-6S2-7S2 4D2-XB-6D2-7D2 QD2+QH2+QS2
        JC2+JD2+JH1 TC2+TD2+TH1 QH1-KH2-AH1 5C2+5H2+5S1 KC1-AC1-2C1-3C2-4C1 9C2-TC1-JC1-QC1-KC2 5D2-6D1-7D1-8D2
        9D1+9H2+9S2 QC2+QD1+QS1 5C1-6C1-7C2-8C1-9C1 2C2+2D1+2S2 4H2-5H1-6H1-7H2"""
    state = table(*melds_of.split(), hands={0: "JD1", 1: "8C2"}, stock=0)
    assert refusal(state, "-") == "stock-empty-must-play"
    play(state, *legal(state)[:1])
    assert state.outcome().winners == (0,)


def all_plays(state):
    """Every set of hand cards that can be played, by laying all cards anew in every way and asking `play`."""
    on_table = [card for meld in state.table.values() for card in meld.cards]
    hand = state.hands[0]
    return [
        part
        for size in range(1, len(hand) + 1)
        for part in combinations(hand, size)
        if can_be_laid(state, on_table, part)
    ]


def can_be_laid(state, on_table, part):
    for groups in groupings((*on_table, *part), VATICAN.load({"opened": True}).house.melds):
        try:
            state.copy().play(0, Play(tuple(state.table), groups))
        except IllegalMove as refused_play:
            assert refused_play.rule == "vatican:joker-bound"
        else:
            return True
    return False


def groupings(cards, rules):
    """Every way to lay these cards as melds, jokers in all places."""
    if not cards:
        yield ()
        return
    first, rest = cards[0], cards[1:]
    for size in range(2, len(rest) + 1):
        for others in combinations(rest, size):
            for meld in rules.readings((first, *others)):
                for more in groupings(tuple(card for card in rest if card not in others), rules):
                    yield (meld, *more)


POOLS = [
    ("5H1-6H1-XB", "7C1+7D1+7S1", "4H1 7H1 8H1 6D1 5D1 KD1"),
    ("5H1-6H1-XB", "7C1+7D1+7H1+7S1", "KD1 KC1 8S1 9D1"),
    ("7C1+7D1+XB", "4H1-5H1-6H1", "7H1 7S1 8H1 3H1 6C1"),
    ("7C1+XB+XR", "8S1-9S1-TS1", "7S1 7H1 JS1 7D1 6S1"),
    ("XB-AS1-2S1", "KD1+KH1+KC1", "KS1 3S1 QS1 AD1 AH1"),
    ("4D1-5D1-6D1-7D1", "6C1+6H1+6S1", "5D2 6D2 3D1 XR 8D1"),
    ("QC1-KC1-AC1", "2C1+2D1+2H1", "XB XR 2S1 JC1 3C1"),
]


@pytest.mark.parametrize("release", ["any", "hand_only", "free"])
@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: f"{pool[0]} {pool[1]}")
def test_the_largest_play_and_the_singles_are_those_of_a_plain_search(pool, release):
    one, other, near = pool
    rng = Random(f"{pool}")
    for _ in range(4):
        hand = " ".join(rng.sample(near.split(), 3))
        state = table(one, other, hand=hand, options={"joker_release": release}, hands={0: hand})
        found = state.suggestions(0)
        parts = all_plays(state)
        largest = len(found.largest.from_hand(state.table)) if found.largest else 0
        assert largest == max(map(len, parts), default=0), hand
        plain = {card for card in state.hands[0] if not is_joker(card)}
        assert {card for card in found.singles if card in plain} == {
            part[0] for part in parts if len(part) == 1
        } & plain
        for suggested in found.plays:
            state.copy().play(0, suggested)


def test_a_single_card_changes_one_meld_if_that_is_enough():
    state = table("7C1+7D1+7H1", "7S2-8S2-9S2", "4S1-5S1-6S1", hand="7S1 9D2")
    assert {str(play) for play in state.suggestions(0).singles.values()} == {"P x1 > 7C1+7D1+7H1+7S1"}


def test_suggestions_leave_alone_what_they_do_not_need():
    state = table("JC1+JD1+JH1", "6C1-7C1-8C1-9C1", "2C1+2D1+2H1", "6H1-7H1-8H1-9H1", hand="6D1 KC1")
    assert [str(move) for move in state.legal_moves(0)] == [
        "D",
        "P x2,4 > 7C1-8C1-9C1 / 7H1-8H1-9H1 / 6C1+6D1+6H1",
    ]


def test_when_time_runs_out_a_card_is_drawn_or_the_smallest_play_made():
    assert table("7C1+7D1+7H1", hand="7S1 2C2").timeout_move(0) == DRAW
    state = table("7C1+7D1+7H1", hand="7S1 8S1 9S1 2C2", stock=0)
    assert str(state.timeout_move(0)) == "P x1 > 7C1+7D1+7H1+7S1"
    assert table("7C1+7D1+7H1", hand="2C2 9D1", stock=0).timeout_move(0) == PASS


# Text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("d", "D"),
        (" - ", "-"),
        ("p X5 , 2>9c1 + 9D1 +xb/6h2-5H1-4h1", "P x2,5 > 4H1-5H1-6H2 / 9C1+9D1+XB"),
        ("P x2 x5 > 4H1-5H1-6H2", "P x2,5 > 4H1-5H1-6H2"),
        ("P>8D1-9D1-TD2", "P > 8D1-9D1-TD2"),
        ("P > 8D1-9D1-10d2 / 10s1", "P > 8D1-9D1-TD2 / TS1"),
    ],
)
def test_moves_are_read_in_any_order_and_spelling(text, move):
    parsed = VATICAN.parse(text)
    if move.startswith("P x2,5 > 4H1-5H1-6H2 /"):
        assert {str(meld) for meld in parsed.melds} == {"4H1-5H1-6H2", "9C1+9D1+XB"} and parsed.dissolved == (
            2,
            5,
        )
    else:
        assert str(parsed) == move


@pytest.mark.parametrize(
    "text", ["P", "P x1", "P x1 > 4H-5H-6H", "P > 4H1 5H1 6H1", "P xx > Q", "P x1y > 7C1", "P x99999999 >"]
)
def test_text_that_is_no_move_says_how_to_write_one(text):
    with pytest.raises(UnreadableMove) as unreadable:
        VATICAN.parse(text)
    assert str(unreadable.value).endswith(".")


# The workbench


def arranged(state: VaticanState, text: str) -> str:
    return str(VATICAN.arrange(state.view(0), [group.split() for group in text.split("/")]))


def test_groups_of_cards_become_a_play_that_leaves_other_melds_alone():
    state = table("6C1-7C1-8C1-9C1", "JS1+JD1+JC1", "6H1-7H1-8H1-9H1", hand="6D1 KC1")
    text = "9C1 7C1 8C1 / JD1 JC1 JS1 / 7H1 8H1 9H1 / 6H1 6D1 6C1"
    assert arranged(state, text) == "P x1,3 > 7C1-8C1-9C1 / 7H1-8H1-9H1 / 6C1+6D1+6H1"
    assert arranged(state, "6C1 7C1 8C1 9C1 / JS1 JC1 JD1 / 6H1 7H1 8H1 9H1") == "P >"


@rule("vatican:joker-bound")
def test_jokers_are_read_so_that_they_are_not_bound_if_that_is_possible():
    state = table("5H1-6H1-XB", "JS1+JD1+JC1", hand="8H1 4H1 7H1")
    assert arranged(state, "JS1 JD1 JC1 / XB 4H1 5H1 6H1") == "P x1 > 4H1-5H1-6H1-XB"
    assert arranged(state, "JS1 JD1 JC1 / 8H1 XB 5H1 6H1") == "P x1 > 5H1-6H1-XB-8H1"
    assert arranged(state, "JS1 JD1 JC1 / XB 5H1 6H1 7H1") == "P x1 > XB-5H1-6H1-7H1"
    assert arranged(state, "JS1 JD1 JC1 / 5H1 XB 6H1 7H1") == "P x1 > 5H1-6H1-7H1-XB"


def test_groups_that_are_no_melds_yet_are_judged_one_by_one():
    state = table("7C1+7D1+7H1", "JS1+JD1+JC1", hand="7S1 8S1 9S1")
    move = VATICAN.arrange(state.view(0), [["7C1", "7D1", "7H1", "7S1"], ["JS1", "JD1"], ["JC1", "8S1", "9S1"]])
    verdicts = state.check(0, move)
    assert [(verdict.part, verdict.refusal and verdict.refusal.rule) for verdict in verdicts] == [
        ("7C1+7D1+7H1+7S1", None),
        ("JD1+JS1", "vatican:meld-size"),
        ("8S1-9S1-JC1", "vatican:run-suit"),
    ]


def test_an_arrangement_of_good_melds_is_also_judged_as_a_whole():
    state = table("7C1+7D1+7H1", hand="7S1 8S1 9S1", opened=False)
    verdicts = state.check(0, VATICAN.parse("P x1 > 7C1+7D1+7H1+7S1"))
    assert [verdict.refusal and verdict.refusal.rule for verdict in verdicts] == [None, "vatican:opening-run"]
    assert all(verdict.refusal is None for verdict in state.check(0, VATICAN.parse("P > 7S1-8S1-9S1")))
    assert state.check(0, DRAW) == []


# Views


def test_a_view_shows_the_own_hand_the_table_and_only_numbers_of_other_cards():
    state = table("7C1+7D1+7H1", hands={0: "7S1 2C2", 1: "KC2 KD2 KH2"}, opened={0: True})
    view = state.view(0)
    zones = {zone.id: zone for zone in view.zones}
    assert list(zones) == ["hand:1", "stock", "meld:1", "hand:0"]
    assert zones["hand:1"].cards == () and zones["hand:1"].count == 3 and zones["hand:1"].note == "not opened"
    assert zones["stock"].cards == () and zones["stock"].count == 12
    assert ("Opened", "@0") in view.facts
    assert "KC2" not in repr(view)
    assert "7S1" not in repr(state.view(None)) and "7S1" not in repr(state.view(1))


@pytest.mark.parametrize(
    ("position", "prompt"),
    [
        ({}, "Draw a card, or play cards and rearrange the table as you like."),
        ({"opened": False}, "Draw a card, or open with a run of three or more from your hand."),
        (
            {"opened": False, "options": {"opening_run": False}},
            "Draw a card, or play cards and rearrange the table as you like.",
        ),
        ({"stock": 0}, "The stock is empty: play if you can, or pass."),
    ],
)
def test_the_prompt_says_what_is_open(position, prompt):
    state = table("7C1+7D1+7H1", **position)
    assert (state.view(0).prompt, state.view(1).prompt) == (prompt, "")


def test_moves_are_offered_in_words_with_what_they_touch():
    view = table("7C1+7D1+7H1", "6C1-7C2-8C1-9C1", "6H1-7H2-8H1-9H1", hand="7S1 2C2 6D1").view(0)
    told = {render_text(choice.phrase.text, ()): choice.touches for choice in map(view.choice, view.moves)}
    assert told["Draw a card"] == ("stock",)
    assert told["Add 7S1 to meld 1"] == ("7S1", "meld:1")
    assert told["Play 6D1, rearranging melds 2 and 3"] == ("6D1", "meld:2", "meld:3")


@pytest.mark.parametrize(
    ("play", "words"),
    [
        ("P > 2C1-3C1-4C1", "Lay 2C1-3C1-4C1"),
        ("P x1,2 > 7C1+7D1+7H1+7S1 / 9S1-TS1-JS1-QS1", "Add 7S1 to meld 1 and QS1 to meld 2"),
        ("P x1 > 7C1+7D1+7H1+7S1 / 2C1-3C1-4C1", "Lay 2C1-3C1-4C1 and add 7S1 to meld 1"),
        ("P x1,2 > 7C1+7D1+7H1 / 9S1-TS1-JS1-QS1", "Play QS1, rearranging melds 1 and 2"),
        ("P x1 > 7C1+7D1+7H1", "Rearrange meld 1"),
    ],
)
def test_a_play_that_only_adds_rearranges_nothing(play, words):
    view = table("7C1+7D1+7H1", "9S1-TS1-JS1", hand="7S1 QS1 2C1 3C1 4C1").view(0)
    assert render_text(view.choice(VATICAN.parse(play)).phrase.text, ()) == words


@rule("vatican:run-length")
def test_a_rank_twice_in_a_run_is_no_gap():
    state = table("4D1-5D1-6D1-7D1-8D1", hand="6D2")
    refusal_of_card = refused(state, "P x1 > 4D1-5D1-6D1-6D2-7D1-8D1")
    assert refusal_of_card.rule == "vatican:run-length"
    assert "shows a rank twice" in str(refusal_of_card)


def test_a_play_that_names_no_meld_of_the_table_has_words():
    view = table("7C1+7D1+7H1", hand="7S1 2C1 3C1 4C1").view(0)
    assert view.choice(VATICAN.parse("P x9 > 2C1-3C1-4C1")).phrase.text == "[lay] 2C1-3C1-4C1"


# Positions


@pytest.mark.parametrize(
    "data",
    [
        {"table": {1: "7C1+7D1"}},
        {"table": {1: "7C1+7D1+7D2"}},
        {"table": {1: "7C1 7D1 7H1"}},
        {"table": {"one": "7C1+7D1+7H1"}},
        {"table": {0: "7C1+7D1+7H1"}},
        {"table": {"1": "7C1+7D1+7H1", 1: "8C1+8D1+8H1"}},
        {"table": "7C1+7D1+7H1"},
        {"table": {1: "7C1+7D1+7H1"}, "hands": {0: "7C1"}},
        {"table": {1: "KC1-AC1-2C1"}, "options": {"sequence": "low"}},
        {"hands": {0: "7C"}},
        {"hands": {5: "7C1"}},
        {"hands": {0: "7C1"}, "stock": "7C1"},
        {"stock_count": 200},
        {"to_move": 5},
        {"to_move": 2, "seats": 2},
        {"seats": 1},
        {"players": 6},
        {"opened": "yes"},
        {"opened": {0: "yes"}},
        {"opened": {7: True}},
        {"passes_in_a_row": 1, "stock_count": 3},
        {"passes_in_a_row": 9},
        {"to_move": None, "hands": {0: "7C1", 1: "8C1"}},
        {"options": {"deal": 9}},
        {"hand": 2},
        {"scores": {0: -1}},
        {"scores": {0: 1}},
        {"discards": "7C1"},
    ],
    ids=str,
)
def test_positions_that_cannot_be_are_refused_with_a_sentence(data):
    with pytest.raises(ImpossiblePosition) as impossible:
        VATICAN.load(data)
    assert str(impossible.value).endswith(".")


def test_seats_that_are_not_named_are_found_from_the_position():
    assert VATICAN.load({}).seats == 2
    assert VATICAN.load({"to_move": 3}).seats == 4
    assert VATICAN.load({"hands": {4: "7C1"}}).seats == 5
    assert VATICAN.load({"hands": ["7C1", ["8C1"], None]}).seats == 3


def test_a_finished_game_is_kept():
    state = play(table("7C1+7D1+7H1", hand="7S1"), "P x1 > 7C1+7D1+7H1+7S1")
    loaded = VATICAN.load(state.dump())
    assert loaded.dump() == state.dump() and loaded.outcome() == state.outcome()
