"""Shanghai, rule by rule: positions in the notation of `Shanghai.load`, moves in their text form."""

import json
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.cards import pack
from games.core.contract import BadOption, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks, random_decks
from games.core.moves import DRAW, PASS
from games.core.words import render_text
from games.engines.shanghai import SHANGHAI, ShanghaiState, card_count
from tests.engines.states import legal, play, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "shanghai_examples.yaml").read_text())
PACK = pack(copies=2)
THIRTEEN_CLUBS = "-".join(f"{rank}C1" for rank in "A23456789TJQK")


def table(
    *melds: str, hand: str = "2C2 9D2", other: str = "KC2 4H2", stock: int | str = 12, **position
) -> ShanghaiState:
    """Seat 0 is to move with this hand, seat 1 holds the other. stock: so many cards, or these."""
    position.setdefault("hands", {0: hand, 1: other})
    position["stock_count" if isinstance(stock, int) else "stock"] = stock
    return SHANGHAI.load({"to_move": 0, "table": list(melds), **position})


def melds(state: ShanghaiState) -> dict[int, str]:
    return {number: str(meld) for number, meld in state.table.items()}


def left_in_hand(state: ShanghaiState, seat: int) -> tuple[str, ...]:
    """The hand, or what was left of it when the last hand ended."""
    if not state.results:
        return state.hands[seat]
    return next(zone.cards for zone in state.results[-1].zones if zone.id == f"hand:{seat}")


# The worked examples


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=example["id"], marks=rule(*(f"shanghai:{name}" for name in example["rules"])))
        for example in EXAMPLES
    ],
)
def test_the_worked_example_holds(example):
    state = SHANGHAI.load(example["setup"])
    seat = state.to_act[0] if state.to_act else None
    if "largest" in example:
        found = state.suggestions(seat)
        assert len(found.largest.from_hand(state.table)) == example["largest"]
        assert sorted(found.singles) == example["singles"]
    for card in example.get("draws", "").split():
        assert legal(state) == ["D"]
        assert card in play(state, "D").hands[seat]
    if "refused" in example:
        assert refusal(state, example["move"]) == example["refused"]
    elif "move" in example:
        play(state, example["move"])
        assert " ".join(left_in_hand(state, seat)) == example["left"]
    if "points" in example:
        assert list(state.results[-1].points) == example["points"]
        assert state.scores == example["scores"]
    if "winners" in example:
        assert list(state.outcome().winners) == example["winners"]


# Cards and deal


@rule("shanghai:deck-104", "shanghai:deal-10")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_gets_ten_of_104_cards_and_the_rest_is_stock(seats):
    state = SHANGHAI.start(numbered_decks(PACK), seats=seats)
    assert sorted(state.cards()) == sorted(PACK) and len(PACK) == 104
    assert [len(hand) for hand in state.hands] == [10] * seats
    assert len(state.stock) == 104 - 10 * seats
    assert not state.table


@rule("shanghai:deal-10", "shanghai:first-player")
def test_the_deck_is_dealt_from_the_left_of_the_dealer_who_starts():
    state = SHANGHAI.start([PACK], seats=3, dealer=0)
    assert state.to_act == (1,)
    assert [set(state.hands[seat]) for seat in (1, 2, 0)] == [set(PACK[:10]), set(PACK[10:20]), set(PACK[20:30])]
    assert state.stock[::-1] == list(PACK[30:])


def test_the_option_for_the_deal_sets_the_size_of_the_hands():
    state = SHANGHAI.start(numbered_decks(PACK), seats=5, options={"deal": 7})
    assert [len(hand) for hand in state.hands] == [7] * 5


@rule("shanghai:seats")
def test_play_goes_clockwise_and_out_of_turn_is_refused():
    state = table("7C1+7D1+7H1", hands={0: "7S1 2C2", 1: "7S2 9D1", 2: "KC1 KD1"})
    assert play(state, "P x1 > 7C1+7D1+7H1+7S1").to_act == (1,)
    with pytest.raises(NotYourTurn):
        state.play(0, DRAW)
    assert refusal(state, "D", seat=2) == "seats"


@rule("shanghai:first-dealer")
def test_the_deal_passes_to_the_left_after_each_hand():
    state = table("7C1+7D1+7H1", hand="7S1", dealer=1)
    assert play(state, "P x1 > 7C1+7D1+7H1+7S1").dealer == 0
    assert state.to_act == (1,) and state.deal_number == 2
    assert [len(hand) for hand in state.hands] == [10, 10]


# Melds


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        pytest.param("P > 8C2+8D2", "meld-size", marks=rule("shanghai:meld-size")),
        pytest.param("P > 8C2+8D2+9D2", "set-rank", marks=rule("shanghai:set-rank")),
        pytest.param("P x1 > 7C1+7D1+7H1+7H2", "set-suits", marks=rule("shanghai:set-suits")),
        pytest.param("P x1 > 7C1+7D1+7H1+7S2+7H2", "set-suits", marks=rule("shanghai:set-suits")),
        pytest.param("P > 8D2-9D2-TH2", "run-suit", marks=rule("shanghai:run-suit")),
        pytest.param("P > 8D2-9D2-JD2", "run-sequence", marks=rule("shanghai:run-sequence")),
        pytest.param("P > KD2-AD2-2D2", "run-sequence", marks=rule("shanghai:run-sequence")),
        pytest.param(f"P x2 > {THIRTEEN_CLUBS}-AC2", "run-length", marks=rule("shanghai:run-length")),
    ],
)
@rule("shanghai:table-legal")
def test_every_new_meld_must_be_valid(move, broken):
    hand = "8C2 8D2 9D2 TH2 JD2 7H2 7S2 AC2 KD2 AD2 2D2"
    state = table("7C1+7D1+7H1", THIRTEEN_CLUBS.replace("7C1", "7C2"), hand=hand)
    assert refusal(state, move.replace("6C1-7C1", "6C1-7C2")) == broken


@rule("shanghai:run-sequence")
@pytest.mark.parametrize(
    ("sequence", "runs"),
    [
        ("high_or_low", {"QS1-KS1-AS1", "AS1-2S1-3S1"}),
        ("high", {"QS1-KS1-AS1"}),
        ("low", {"AS1-2S1-3S1"}),
        ("round", {"QS1-KS1-AS1", "AS1-2S1-3S1", "KS1-AS1-2S1"}),
    ],
)
def test_the_option_for_the_order_says_what_an_ace_joins(sequence, runs):
    state = table(hand="QS1 KS1 AS1 2S1 3S1", options={"sequence": sequence})
    every = {"QS1-KS1-AS1", "AS1-2S1-3S1", "KS1-AS1-2S1"}
    assert {text.removeprefix("P > ") for text in legal(state)} & every == runs
    for run in every - runs:
        assert refusal(state, f"P > {run}") == "run-sequence"
    for run in runs:
        play(state.copy(), f"P > {run}")


@rule("shanghai:run-length")
def test_thirteen_cards_are_the_longest_run():
    longest = "2C1-" + THIRTEEN_CLUBS.removeprefix("AC1-2C1-") + "-AC2"
    state = table(longest.removesuffix("-AC2"), hand="AC2 4D1")
    assert melds(play(state, f"P x1 > {longest}")) == {1: longest}


# The turn


@rule("shanghai:must-meld")
def test_who_can_play_may_neither_draw_nor_pass():
    state = table("7C1+7D1+7H1", hand="7S1 2C2")
    assert legal(state) == ["P x1 > 7C1+7D1+7H1+7S1"]
    assert refusal(state, "D") == refusal(state, "-") == "must-meld"
    assert "7S1" not in str(refused(state, "D"))
    dry = table("7C1+7D1+7H1", hand="7S1 2C2", stock=0)
    assert refusal(dry, "D") == refusal(dry, "-") == "must-meld"


@rule("shanghai:must-meld", "shanghai:rearrange")
def test_a_play_that_needs_the_whole_table_is_found():
    state = table("JC1+JD1+JH1", "6C1-7C1-8C1-9C1", "6H1-7H1-8H1-9H1", hand="6D1 KC1")
    assert refusal(state, "D") == "must-meld"
    assert melds(play(state, "P x2,3 > 7C1-8C1-9C1 / 7H1-8H1-9H1 / 6C1+6D1+6H1"))[4] == "6C1+6D1+6H1"


@rule("shanghai:draw-until-able")
def test_who_cannot_play_goes_on_drawing_in_the_same_turn():
    state = table("7C1+7D1+7H1", hand="2C2 9D1", stock="KS1 4D1 7S1 3H1")
    play(state, "D", "D")
    assert state.to_act == (0,) and state.drawn == 2 and legal(state) == ["D"]
    assert refusal(state, "-") == "draw-until-able"


@rule("shanghai:play-after-draw")
def test_as_soon_as_a_drawn_card_fits_it_must_be_played():
    state = play(table("7C1+7D1+7H1", hand="2C2 9D1", stock="7S1 3H1"), "D")
    assert legal(state) == ["P x1 > 7C1+7D1+7H1+7S1"] and refusal(state, "D") == "must-meld"
    play(state, "P x1 > 7C1+7D1+7H1+7S1")
    assert state.to_act == (1,) and state.drawn == 0


@rule("shanghai:play-at-least-one")
def test_rearranging_alone_is_no_play_and_one_card_ends_the_turn():
    state = table("4H1-5H1-6H1-7H1-8H1-9H1", hand="TH1 JH1 2C2")
    assert refusal(state, "P x1 > 4H1-5H1-6H1 / 7H1-8H1-9H1") == "play-at-least-one"
    assert play(state, "P x1 > 4H1-5H1-6H1-7H1-8H1-9H1-TH1").to_act == (1,)
    assert state.hands[0] == ("2C2", "JH1")


@rule("shanghai:rearrange")
def test_a_seven_is_taken_from_four_sevens_and_not_from_three():
    state = table("7C1+7D1+7H1+7S1", hand="5S1 6S1 KD1")
    play(state, "P x1 > 7C1+7D1+7H1 / 5S1-6S1-7S1")
    assert melds(state) == {1: "7C1+7D1+7H1", 2: "5S1-6S1-7S1"}
    assert refusal(table("7C1+7D1+7S1", hand="5S1 6S1 KD1"), "P x1 > 7C1+7D1 / 5S1-6S1-7S1") == "meld-size"
    assert refusal(table("7C1+7D1+7S1", hand="7H1"), "P x3 > 7C1+7D1+7S1+7H1") == "rearrange"


@rule("shanghai:rearrange")
def test_a_run_of_five_is_split_by_the_other_copy_of_its_middle():
    state = table("4D1-5D1-6D1-7D1-8D1", hand="6D2 KC1")
    assert legal(state) == ["P x1 > 4D1-5D1-6D1 / 6D2-7D1-8D1"]
    assert refusal(state, "P x1 > 4D1-5D1-6D1-6D2-7D1-8D1") == "run-sequence"


@rule("shanghai:table-stays")
def test_no_card_leaves_the_table():
    state = table("7C1+7D1+7H1+7S1", hand="7S2 KD1")
    assert "7H1" in str(refused(state, "P x1 > 7C1+7D1+7S2"))
    assert refusal(state, "P x1 > 7C1+7D1+7S2") == "table-stays"


@rule("shanghai:cards-available")
@pytest.mark.parametrize("move", ["P > 5D1-6D2-7D2", "P > 7C1-8C2-9C2", "P > 5D2-6D2-7D2-5D2", "P > XB-6D2-7D2"])
def test_a_card_must_be_held_and_is_there_only_once(move):
    assert refusal(table("7C1+7D1+7H1", hand="5D2 6D2 7D2 8C2 9C2"), move) == "cards-available"


@rule("shanghai:table-legal")
def test_an_arrangement_is_judged_part_by_part():
    state = table("7C1+7D1+7H1", "JS1+JD1+JC1", hand="7S1 8S1 9S1")
    groups = [["7C1", "7D1", "7H1", "7S1"], ["JS1", "JD1"], ["JC1", "8S1", "9S1"]]
    verdicts = state.check(0, SHANGHAI.arrange(state.view(0), groups))
    assert [verdict.refusal and verdict.refusal.rule for verdict in verdicts] == [
        None,
        "shanghai:meld-size",
        "shanghai:run-suit",
    ]
    good = SHANGHAI.arrange(state.view(0), [["7C1", "7D1", "7H1", "7S1"], ["JS1", "JD1", "JC1"]])
    assert str(good) == "P x1 > 7C1+7D1+7H1+7S1"
    assert all(verdict.refusal is None for verdict in state.check(0, good))


# Without stock


@rule("shanghai:stock-empty")
def test_without_stock_one_passes_or_plays():
    state = table("7C1+7D1+7H1", hand="2C2 9D1", stock=0)
    assert legal(state) == ["-"] and refusal(state, "D") == "stock-empty"
    assert play(state, "-").to_act == (1,)


@rule("shanghai:stock-empty", "shanghai:draw-until-able")
def test_the_last_card_may_be_drawn_in_vain():
    state = play(table("7C1+7D1+7H1", hand="2C2 9D1", stock="KS1"), "D")
    assert legal(state) == ["-"]
    assert play(state, "-").to_act == (1,)


def test_without_the_strict_rule_one_may_draw_or_pass_although_a_card_fits():
    options = {"strict": False}
    state = table("7C1+7D1+7H1", hand="7S1 2C2", options=options)
    assert legal(state) == ["D", "P x1 > 7C1+7D1+7H1+7S1"]
    assert play(state, "D").to_act == (0,) and len(state.hands[0]) == 3
    assert refusal(state, "-") == "draw-until-able"
    dry = table("7C1+7D1+7H1", hand="7S1 2C2", stock=0, options=options)
    assert legal(dry) == ["-", "P x1 > 7C1+7D1+7H1+7S1"]
    assert refusal(dry, "D") == "stock-empty"
    assert play(dry, "-").to_act == (1,)


# The end of a hand and of the game


@rule("shanghai:going-out", "shanghai:card-count")
def test_the_hand_ends_at_once_when_a_hand_is_empty():
    state = table("7C1+7D1+7H1", hands={0: "7S1", 1: "KC2 9D2 AC1 TD1", 2: "2C1"})
    play(state, "P x1 > 7C1+7D1+7H1+7S1")
    result = state.results[0]
    assert result.points == (0, 10 + 5 + 15 + 10, 5)
    assert [line.rule for line in result.lines] == ["shanghai:going-out", "shanghai:card-count", "shanghai:card-count"]
    assert {zone.id: zone.cards for zone in result.zones}["hand:1"] == ("AC1", "9D2", "TD1", "KC2")
    assert state.scores == [0, 40, 5] and state.to_act == (1,)


@rule("shanghai:card-count")
def test_numerals_below_ten_count_five_the_others_ten_and_aces_fifteen():
    assert [card_count(f"{rank}S1") for rank in "A23456789TJQK"] == [15, *[5] * 8, 10, 10, 10, 10]
    assert card_count("XB") == 25


def test_with_the_option_each_card_left_counts_one():
    state = table("7C1+7D1+7H1", hand="7S1", other="KC2 AD1 2H1", options={"count": "cards"})
    assert play(state, "P x1 > 7C1+7D1+7H1+7S1").results[0].points == (0, 3)


@rule("shanghai:blocked")
def test_when_all_pass_in_turn_everybody_counts():
    state = table("7C1+7D1+7H1", hand="2C2 9D1", other="KC2 KD1", stock=0)
    play(state, "-", "-")
    assert state.results[0].points == (10, 20) and "No one can play" in state.results[0].summary
    between = table("7C1+7D1+7H1", hand="2C2 9D1", other="7S1 KD1", stock=0)
    play(between, "-", "P x1 > 7C1+7D1+7H1+7S1", "-")
    assert between.passes == 1 and not between.results


@rule("shanghai:target")
@pytest.mark.parametrize(
    ("target", "score", "is_over"), [(200, 185, False), (200, 190, True), (100, 90, True), (300, 190, False)]
)
def test_the_game_ends_after_the_hand_that_reaches_the_target(target, score, is_over):
    state = table("7C1+7D1+7H1", hand="7S1", other="KC2", scores=[7, score], options={"target": target})
    play(state, "P x1 > 7C1+7D1+7H1+7S1")
    assert (state.outcome() is not None) is is_over
    if is_over:
        assert state.to_act == () and state.outcome().scores == (7, score + 10)


@rule("shanghai:lowest-wins")
def test_the_fewest_points_win_and_equal_ones_share():
    assert ("Winner", "the fewest points") in SHANGHAI.load({"scores": [105, 95]}).view(None).facts
    outcome = SHANGHAI.load({"scores": [205, 95, 95, 140]}).outcome()
    assert outcome.places == (4, 1, 1, 3) and "share" in outcome.reason
    assert SHANGHAI.load({"scores": [205, 95, 96, 140]}).outcome().winners == (1,)


@rule("shanghai:play-after-draw", "shanghai:going-out")
def test_who_goes_out_with_a_drawn_card_leaves_no_draws_to_the_next_hand():
    state = table("7C1+7D1+7H1", hand="2H1", stock="2S1 2D1")
    play(state, "D", "D")
    assert state.drawn == 2 and state.view(1).zones[0].note == "drew 2 cards"
    assert play(state, "P > 2D1+2H1+2S1").deal_number == 2
    assert state.drawn == 0 and all(not zone.note for zone in state.view(None).zones)


@pytest.mark.parametrize("option", [{"deals": 21}, {"target": 150}, {"deal": 8}, {"jokers": 1}])
def test_options_have_the_values_of_the_book(option):
    with pytest.raises(BadOption):
        SHANGHAI.start(numbered_decks(PACK), seats=2, options=option)


def test_the_option_for_the_number_of_hands_takes_the_place_of_the_target():
    options = {"deals": 2}
    state = table("7C1+7D1+7H1", hand="7S1", other="KC2", scores=[7, 400], options=options)
    play(state, "P x1 > 7C1+7D1+7H1+7S1")
    assert state.outcome() is None and ("Hand", "2 of 2") in state.view(0).facts
    last = {"to_move": 0, "table": ["7C1+7D1+7H1"], "hands": ["7S1", "KC2"], "scores": [7, 4], "hand": 2}
    assert play(SHANGHAI.load({**last, "options": options}), "P x1 > 7C1+7D1+7H1+7S1").outcome().scores == (7, 14)


# Jokers


@rule("shanghai:joker-bound")
def test_a_joker_stays_what_it_was_until_the_real_card_lies_on_the_table():
    options = {"jokers": 2}
    state = table("5H1-6H1-XB", "9C1+9D1+9S1", hand="4H1 KD1 KC1 7H2", options=options)
    assert refusal(state, "P x1 > 4H1-5H1-6H1 / KD1+KC1+XB") == "joker-bound"
    assert len(play(state, "P x1 > 4H1-5H1-6H1-7H2 / KD1+KC1+XB").results) == 1


@rule("shanghai:joker-bound")
def test_jokers_are_in_the_pack_and_count_25_only_with_the_option():
    assert len(SHANGHAI.deck(SHANGHAI.read_options({"jokers": 2}, 2))) == 106
    with pytest.raises(ImpossiblePosition):
        table("5H1-6H1-XB")
    state = table("7C1+7D1+7H1", hand="7S1", other="XB", options={"jokers": 2})
    assert play(state, "P x1 > 7C1+7D1+7H1+7S1").results[0].points == (0, 25)


@rule("shanghai:meld-natural")
def test_no_meld_is_made_of_jokers_alone():
    state = table(hand="XB XR 2C1 3C1", options={"jokers": 2})
    assert refusal(state, "P > XB+XR") == "meld-size"
    assert legal(state)[0].startswith("P > ")


# What the table does by itself


def test_when_time_runs_out_the_play_with_the_fewest_changes_is_made():
    state = table("7C1+7D1+7H1", "JC1+JD1+JH1", hand="7S1 4S1 5S1 6S1 2C2")
    assert str(state.timeout_move(0)) == "P > 4S1-5S1-6S1"
    assert table("7C1+7D1+7H1").timeout_move(0) == DRAW
    assert table("7C1+7D1+7H1", stock=0).timeout_move(0) == PASS


def test_a_draw_or_a_pass_without_alternative_is_made_by_the_table_unless_the_option_is_off():
    assert table("7C1+7D1+7H1").view(0).forced == DRAW
    assert table("7C1+7D1+7H1", stock=0).view(0).forced == PASS
    assert table("7C1+7D1+7H1", options={"auto_draw": False}).view(0).forced is None
    assert table("7C1+7D1+7H1", hand="7S1 2C2").view(0).forced is None
    assert table("7C1+7D1+7H1", hand="7S1 2C2", options={"strict": False}).view(0).forced is None


# Views, texts and positions


def test_a_view_shows_the_own_hand_the_table_and_only_numbers_of_other_cards():
    state = play(table("7C1+7D1+7H1", hand="2C2 9D1", other="KC2 KD2 KH2", stock="QS1 3H1"), "D")
    zones = {zone.id: zone for zone in state.view(1).zones}
    assert list(zones) == ["hand:0", "stock", "meld:1", "hand:1"]
    assert zones["hand:0"].cards == () and zones["hand:0"].count == 3
    assert zones["hand:0"].note == "drew 1 card"
    assert "QS1" in repr(state.view(0)) and "3H1" not in repr(state.view(0))
    assert "QS1" not in repr(state.view(1)) and "QS1" not in repr(state.view(None))


def test_the_prompt_says_what_is_open():
    assert "You can play, so you must" in table("7C1+7D1+7H1", hand="7S1 2C2").view(0).prompt
    assert table("7C1+7D1+7H1").view(0).prompt == "Nothing fits: draw a card."
    assert "pass" in table("7C1+7D1+7H1", stock=0).view(0).prompt
    assert table("7C1+7D1+7H1").view(1).prompt == ""


def test_a_new_hand_begins_with_a_fresh_log():
    state = play(table("7C1+7D1+7H1", hand="7S1"), "P x1 > 7C1+7D1+7H1+7S1")
    told = [render_text(event.text, [f"@{seat}" for seat in range(4)]) for event in state.log]
    assert len(told) == 2 and told[0].startswith("Hand 1: @0 goes out") and "deals 10 cards" in told[1]


@pytest.mark.parametrize("text", ["P", "P x1", "P > 4H1 5H1 6H1", "fold", "P xx > Q"])
def test_text_that_is_no_move_says_how_to_write_one(text):
    with pytest.raises(UnreadableMove) as unreadable:
        SHANGHAI.parse(text)
    assert str(unreadable.value).endswith(".")


@pytest.mark.parametrize(
    "data",
    [
        {"table": {1: "7C1+7D1"}},
        {"table": {1: "KC1-AC1-2C1"}},
        {"table": {1: "7C1+7D1+7H1"}, "hands": {0: "7C1"}},
        {"hands": {0: "7C"}},
        {"hands": {0: "XB"}},
        {"to_move": 5},
        {"seats": 6},
        {"passes_in_a_row": 1, "stock_count": 3},
        {"to_move": None, "hands": {0: "7C1", 1: "8C1"}},
        {"to_move": 0, "scores": [200, 0]},
        {"hand": 3, "options": {"deals": 2}},
        {"drawn": -1},
        {"opened": True},
    ],
    ids=str,
)
def test_positions_that_cannot_be_are_refused_with_a_sentence(data):
    with pytest.raises(ImpossiblePosition) as impossible:
        SHANGHAI.load(data)
    assert str(impossible.value)


def test_positions_with_hands_cut_down_round_trip():
    for position in ({"hands": {0: "7C1 8D2"}, "stock_count": 5, "seats": 3}, {"scores": [200, 3]}, {}):
        data = json.loads(json.dumps(SHANGHAI.load(position).dump()))
        assert SHANGHAI.load(data).dump() == data


def test_exactly_one_kind_of_move_is_open_in_every_turn():
    rng = Random(5)
    state = SHANGHAI.start(random_decks(PACK, rng), seats=3)
    kinds = set()
    while state.deal_number == 1:
        moves = state.legal_moves(state.to_act[0])
        assert len({type(move) for move in moves}) == 1
        kinds.add(type(moves[0]).__name__)
        state.play(state.to_act[0], rng.choice(moves))
    assert {"Play", "Draw"} <= kinds
