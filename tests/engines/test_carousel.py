"""Carousel, rule by rule: positions in the notation of `Carousel.load`, moves in their text form."""

from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.contract import BadOption, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks
from games.core.rummy.melds import read_meld
from games.engines.carousel.game import CAROUSEL
from games.engines.carousel.scoring import card_points
from games.engines.carousel.state import CarouselState
from tests.engines.states import legal, play, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "carousel_examples.yaml").read_text())
FULL_SUIT = "-".join(f"{rank}C1" for rank in "A23456789TJQK")


def table(*melds: str, hand: str = "2C2 9D2", stock: int = 12, **position) -> CarouselState:
    """Three players; seat 0 has drawn a card and holds this hand, seats 1 and 2 a lone king."""
    position.setdefault("hands", {0: hand, 1: "KC2", 2: "KD2"})
    position.setdefault("phase", "after-draw")
    return CAROUSEL.load({"to_move": 0, "stock_count": stock, "table": list(melds), **position})


def at_start(*melds: str, **position) -> CarouselState:
    """Seat 0 is about to begin the turn."""
    return table(*melds, phase="start", **position)


def fresh(seats: int = 3, seed: int = 1, dealer: int | None = None, **options) -> CarouselState:
    pack = CAROUSEL.deck(CAROUSEL.read_options(None, seats))
    return CAROUSEL.start(numbered_decks(pack, seed), seats=seats, options=options, dealer=dealer)


def lies(state: CarouselState) -> dict[int, str]:
    return {number: str(meld) for number, meld in state.table.items()}


def counts(state: CarouselState) -> list[int]:
    """What each hand counted at the last showdown."""
    return [int(zone.note.split()[0]) for zone in state.results[-1].zones]


def showdown(*hands: str, knocker: int = 0, **position) -> list[int]:
    """The points of a hand that ends with these cards."""
    state = CAROUSEL.load({"knocker": knocker, "hands": list(hands), **position})
    return list(state.results[-1].points)


def rules_scored(state: CarouselState) -> list[str]:
    return [line.rule.removeprefix("carousel:") for line in state.results[-1].lines]


# The worked examples


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=example["id"], marks=rule(*(f"carousel:{name}" for name in example["rules"])))
        for example in EXAMPLES
    ],
)
def test_the_worked_example_holds(example):
    state = CAROUSEL.load(example["setup"])
    if "refused" in example:
        assert refusal(state, example["move"]) == example["refused"]
    elif "move" in example:
        play(state, example["move"])
    if "left" in example:
        assert " ".join(state.hands[0]) == example["left"]
        assert lies(state) == example["lies"]
    if "next" in example:
        assert state.to_act == (example["next"],) and legal(state, seat=0) == []
    if "points" in example:
        assert counts(state) == example["counts"]
        assert list(state.results[-1].points) == example["points"]
    if "settlement" in example:
        assert list(state.outcome().winners) == example["winners"]
        assert list(state.outcome().scores) == example["settlement"]


# Cards and deal


@rule("carousel:deck", "carousel:deal-10")
@pytest.mark.parametrize(("seats", "cards"), [(2, 53), (3, 106), (4, 106), (5, 106)])
def test_two_players_use_one_pack_and_a_joker_and_more_players_two_packs_and_two_jokers(seats, cards):
    state = fresh(seats)
    assert len(set(state.cards())) == len(state.cards()) == cards
    assert sum(card[0] == "X" for card in state.cards()) == (1 if seats == 2 else 2)
    assert [len(hand) for hand in state.hands] == [10] * seats
    assert len(state.stock) == cards - 10 * seats and not state.table


@rule("carousel:deal-10", "carousel:first-player")
def test_the_deck_is_dealt_from_the_left_of_the_dealer_and_the_stock_follows():
    pack = CAROUSEL.deck(CAROUSEL.read_options(None, 3))
    state = CAROUSEL.start([pack], seats=3, dealer=0)
    assert state.to_act == (1,)
    assert [set(state.hands[seat]) for seat in (1, 2, 0)] == [set(pack[:10]), set(pack[10:20]), set(pack[20:30])]
    assert pack[30] in play(state, "D").hands[1]


@rule("carousel:first-player")
def test_play_goes_clockwise_and_out_of_turn_is_refused():
    state = fresh(3)
    turns = [play(state, "D", "D", "D").to_act[0] for _ in range(4)]
    assert turns == [1, 2, 0, 1]
    assert refusal(state, "D", seat=2) == "first-player"
    with pytest.raises(NotYourTurn):
        state.play(0, CAROUSEL.parse("D"))


@rule("carousel:first-dealer")
def test_the_deal_passes_to_the_left_after_every_hand():
    state = at_start(hand="AC1", dealer=1)
    play(state, "K")
    assert state.dealer == 2 and state.to_act == (0,) and len(state.hands[0]) == 10


# Melds


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        pytest.param("M 8C2+8D2", "meld-size", marks=rule("carousel:meld-size")),
        pytest.param("M 8C2", "meld-size", marks=rule("carousel:meld-size")),
        pytest.param("M 8C2+8D2+9D2", "set-rank", marks=rule("carousel:set-rank")),
        pytest.param("L1 7C2+7D1+7H1+7H2", "set-suits", marks=rule("carousel:set-suits")),
        pytest.param("L3 JC2+JD1+JH1+JS1+XB", "set-suits", marks=rule("carousel:set-suits")),
        pytest.param("M 8D2-9D2-TH2", "run-suit", marks=rule("carousel:run-suit")),
        pytest.param("M 8D2-9D2-JD2", "run-sequence", marks=rule("carousel:run-sequence")),
        pytest.param("M QS2-KS2-AS2", "run-sequence", marks=rule("carousel:run-sequence")),
        pytest.param(f"L2 {FULL_SUIT}-AC2", "run-length", marks=rule("carousel:run-length")),
        pytest.param("M XB+XR+7H2", "", marks=rule("carousel:meld-natural")),
        pytest.param("M AC2-2C2-3C2", "", marks=rule("carousel:run-sequence")),
    ],
)
def test_a_step_makes_a_meld_or_names_the_rule_that_it_breaks(move, broken):
    hand = "8C2 8D2 9D2 TH2 JD2 7H2 AC2 2C2 3C2 QS2 KS2 AS2 XB XR"
    state = table("7C2+7D1+7H1", FULL_SUIT, "JC2+JD1+JH1+JS1", hand=hand)
    if broken:
        assert refusal(state, move) == broken
    else:
        assert play(state, move).phase == "melding"


@rule("carousel:meld-natural")
def test_jokers_alone_are_no_meld_and_may_not_be_left_alone():
    state = table("XB-XR-6H1-7H1", hand="6C1 6D1 7C1 7D1")
    assert refusal(state, "M 6H1<1+6C1+6D1") == "steal-leaves-legal"
    assert play(state, "M 7H1<1+7C1+7D1").table[1] == read_meld("XB-XR-6H1")


@rule("carousel:common-melds")
def test_a_meld_may_be_robbed_and_enlarged_by_who_has_just_laid_it():
    state = table(hand="6H1 7H1 8H1 9H1 6C1 6S1 TH1")
    play(state, "M 6H1-7H1-8H1-9H1", "M 6H1<1+6C1+6S1", "L1 7H1-8H1-9H1-TH1")
    assert lies(state) == {1: "7H1-8H1-9H1-TH1", 2: "6C1+6H1+6S1"} and state.hands[0] == ()


# Turn


@rule("carousel:turn-start")
def test_a_turn_with_stock_begins_with_a_draw_or_a_knock_and_nothing_else():
    state = at_start("7C1+7D1+7H1", hand="7S1 2C2")
    assert legal(state) == ["D"]
    assert refusal(state, "L1 7C1+7D1+7H1+7S1") == "turn-start"
    assert refusal(state, "-") == "turn-start"
    assert refusal(state, "E") == "draw-or-meld"
    assert legal(at_start(hand="2C2 3C2")) == ["D", "K"]


@rule("carousel:draw-or-meld")
def test_after_the_first_and_the_second_card_one_melds_or_draws_again():
    state = at_start("7C1+7D1+7H1", hand="7S1 KC1 QD1")
    for _ in range(2):
        play(state, "D")
        assert legal(state)[0] == "D" and "L1 7C1+7D1+7H1+7S1" in legal(state)
        assert refusal(state, "E") == "draw-or-meld"
    assert len(state.hands[0]) == 5 and state.draws[0] == 2 and state.to_act == (0,)


@rule("carousel:third-draw-ends")
def test_the_third_card_ends_the_turn_and_melding_is_too_late():
    state = play(at_start("7C1+7D1+7H1", hand="7S1 2C2"), "D", "D", "D")
    assert state.to_act == (1,) and len(state.hands[0]) == 5
    assert refusal(state, "L1 7C1+7D1+7H1+7S1", seat=0) == "third-draw-ends"
    assert refusal(state, "D", seat=0) == "third-draw-ends"
    assert refusal(state, "D", seat=2) == "first-player"


@rule("carousel:no-draw-after-meld")
def test_after_a_step_no_card_is_drawn_and_the_turn_is_ended_at_will():
    state = play(table("7C1+7D1+7H1", hand="7S1 2C2"), "L1 7C1+7D1+7H1+7S1")
    assert refusal(state, "D") == "no-draw-after-meld"
    assert refusal(state, "K") == "knock-start-only"
    assert legal(state) == ["E"]
    assert play(state, "E").to_act == (1,)


@rule("carousel:step")
def test_a_turn_may_have_any_number_of_steps():
    state = table("7C1+7D1+7H1", hand="7S1 2C1 2D1 2H1 2S1 KD1")
    play(state, "L1 7C1+7D1+7H1+7S1", "M 2C1+2D1+2H1", "L2 2C1+2D1+2H1+2S1")
    assert state.to_act == (0,) and state.hands[0] == ("KD1",)


@rule("carousel:step-hand-card")
def test_a_step_without_a_card_of_the_hand_is_refused():
    state = table("4H1-5H1-6H1-7H1", "7C1+7D1+7S1")
    assert refusal(state, "L2 7C1+7D1+7S1+7H1<1") == "step-hand-card"
    assert refusal(state, "L2 7C1+7D1+7S1") == "step-hand-card"


@rule("carousel:steal", "carousel:step")
def test_an_enlarged_meld_may_take_cards_of_several_others():
    state = table("4H1-5H1-6H1", "8H1+8C1+8D1+8S1", "9H1-TH1-JH1-QH1", hand="7H1 KD1")
    play(state, "L1 4H1-5H1-6H1-7H1-8H1<2-9H1<3")
    assert lies(state) == {1: "4H1-5H1-6H1-7H1-8H1-9H1", 2: "8C1+8D1+8S1", 3: "TH1-JH1-QH1"}


@rule("carousel:steal-leaves-legal")
@pytest.mark.parametrize(
    ("meld", "stolen", "is_legal"),
    [
        ("6C1+6D1+6H1+6S1", "6D1", True),
        ("6C1+6D1+6H1", "6D1", False),
        ("6C1+6D1+6H1+XB", "6D1", True),
        ("6D1-7D1-8D1", "6D1", False),
        ("4D1-5D1-6D1-7D1-8D1-9D1", "6D1", False),
        ("3D1-4D1-5D1-6D1-7D1-8D1-9D1", "6D1", True),
        ("4D1-5D1-6D1", "6D1", False),
        ("3D1-4D1-5D1-6D1", "6D1", True),
        ("3D1-4D1-5D1-6D1-7D1-8D1", "6D1", False),
        ("3D1-4D1-5D1-6D1-XB-8D1-9D1", "6D1", True),
        ("4D1-XB-6D1-7D1", "6D1", False),
    ],
)
def test_what_is_left_of_a_robbed_meld_must_be_legal(meld, stolen, is_legal):
    state = table(meld, hand="6D2 6C2 6S2 KD1")
    move = f"M {stolen}<1+6C2+6S2"
    assert (move_text(move) in legal(state)) == is_legal
    if is_legal:
        play(state, move)
    else:
        assert refusal(state, move) == "steal-leaves-legal"


def move_text(text: str) -> str:
    return str(CAROUSEL.parse(text))


@rule("carousel:steal-leaves-legal")
def test_a_run_gives_several_cards_if_legal_runs_remain():
    state = table("4H1-5H1-6H1-7H1-8H1-9H1", hand="6H2 KD1")
    assert "M 6H2-7H1<1-8H1<1-9H1<1" in legal(state)
    assert refusal(state, "M 6H2-7H1<1-8H1<1") == "steal-leaves-legal"
    play(state, "M 6H2-7H1<1-8H1<1-9H1<1")
    assert lies(state) == {1: "4H1-5H1-6H1", 2: "6H2-7H1-8H1-9H1"}


@rule("carousel:steal-leaves-legal")
def test_new_numbers_go_to_the_upper_parts_of_split_runs_first_then_to_the_new_meld():
    state = table("4H1-5H1-6H1-7H1-8H1-9H1-TH1", "4S1-5S1-6S1-7S1-8S1-9S1-TS1", hand="7C1 7D1")
    play(state, "M 7S1<2+7H1<1+7C1+7D1")
    assert lies(state) == {
        1: "4H1-5H1-6H1",
        2: "4S1-5S1-6S1",
        3: "8H1-9H1-TH1",
        4: "8S1-9S1-TS1",
        5: "7C1+7D1+7H1+7S1",
    }


@rule("carousel:table-stays")
def test_the_enlarged_meld_keeps_all_its_cards():
    state = table("7C1+7D1+7H1", "4H1-5H1-6H1-7H2", hand="7S1 3H1")
    assert refusal(state, "L1 7C1+7D1+7S1") == "table-stays"
    assert refusal(state, "L2 3H1-4H1-5H1-6H1") == "table-stays"


@rule("carousel:cards-available")
@pytest.mark.parametrize(
    "move",
    [
        "M 5D1+5C1+5S1",
        "M 8D1-9D2-TD2",
        "M 6H1+6C2+6S2",
        "M 6H1<2+6C2+6S2",
        "M 6H2<1+6C2+6S2",
        "M 6H1<9+6C2+6S2",
        "L9 6C2+6S2+6D2",
        "L1 5H1-6H1-7H1-8H1-9H1-TH1",
        "M 6C2+6S2+6C2",
        "M XB<3(6H2)+6C2+6S2",
        "M 6C2+6S2+7",
        "M 6C+6S+6D",
    ],
)
def test_a_step_uses_cards_of_the_hand_and_of_the_melds_named_each_once(move):
    state = table("6H1-7H1-8H1-9H1", "7C1+7D1+7S1", "5H2-XB-7H2", hand="6C2 6S2 6D2 9D2 TD2 5H1")
    if move.endswith("+7"):
        with pytest.raises(UnreadableMove):
            CAROUSEL.parse(move)
    else:
        assert refusal(state, move) == "cards-available"


@rule("carousel:cards-available")
def test_a_refusal_tells_where_a_table_card_lies():
    assert "6H1 is in meld 1" in str(refused(table("6H1-7H1-8H1-9H1", hand="6C2 6S2"), "M 6H1+6C2+6S2"))


def test_the_checks_of_a_step_come_in_the_order_of_the_book():
    """A step that breaks several rules is refused by the first: cards, hand card, meld, exchange, robbery."""
    state = table("6H1-7H1-8H1", "4H2-5H2-XB", hand="6C1 7C1 9S1")
    assert refusal(state, "M 6H1<1+9S1+6D1") == "cards-available"
    assert refusal(state, "M 6H1<1+7H1<1") == "step-hand-card"
    assert refusal(state, "M 6H1<1+9S1+6C1") == "set-rank"
    assert refusal(state, "M XB<2(9S1)+6H1<1+6C1") == "joker-swap"
    assert refusal(state, "M 6H1<1+7C1+XB<2") == "set-rank"
    assert refusal(state, "M 6H1<1+6C1+XB<2") == "steal-leaves-legal"


# Jokers


@rule("carousel:joker-wild")
def test_a_joker_in_a_set_stands_for_any_missing_suit_and_in_a_run_for_its_place():
    state = table("7C1+7D1+XB", "4H1-XR-6H1", hand="7S1 7H1 7D2 5H2 5D1 KC1 KD1")
    for swap, fits in (("7S1", True), ("7H1", True), ("7D2", False)):
        move = f"M XB<1({swap})+KC1+KD1"
        assert (refusal(state, move) == "joker-swap") if not fits else play(state.copy(), move)
    assert refusal(state, "M XR<2(5D1)+KC1+KD1") == "joker-swap"
    assert lies(play(state, "M XR<2(5H2)+KC1+KD1"))[2] == "4H1-5H2-6H1"


@rule("carousel:joker-steal")
def test_a_stolen_joker_must_leave_a_legal_meld_and_is_free_again():
    state = table("7C1+7D1+XB", "4H1-5H1-6H1-XR", hand="KC1 KD1")
    assert refusal(state, "M XB<1+KC1+KD1") == "steal-leaves-legal"
    assert lies(play(state, "M XR<2+KC1+KD1")) == {1: "7C1+7D1+XB", 2: "4H1-5H1-6H1", 3: "KC1+KD1+XR"}


@rule("carousel:joker-swap", "carousel:step-hand-card")
def test_the_card_left_for_a_joker_is_the_hand_card_of_the_step():
    state = table("4H1-5H1-XB", "9C1+9D1+9H1", hand="6H2 2D1")
    assert "L2 9C1+9D1+9H1+XB<1(6H2)" in legal(state)
    play(state, "L2 9C1+9D1+9H1+XB<1(6H2)")
    assert lies(state) == {1: "4H1-5H1-6H2", 2: "9C1+9D1+9H1+XB"} and state.hands[0] == ("2D1",)


@rule("carousel:joker-swap")
def test_only_jokers_are_exchanged_not_a_card_for_its_twin():
    state = table("6H1-7H1-8H1", hand="6H2 6C1 6S1 KD1")
    assert refusal(state, "M 6H1<1(6H2)+6C1+6S1") == "joker-swap"


@rule("carousel:joker-swap")
def test_only_a_joker_is_exchanged_and_not_within_the_meld_that_grows():
    state = table("4H1-5H1-6H1-7H1", "4S1-5S1-XB", hand="4H2 6S1 KC1 KD1 7S1")
    assert refusal(state, "M 4H1<1(4H2)+KC1+KD1") in ("set-rank", "joker-swap")
    assert refusal(state, "L2 4S1-5S1-XB<2(6S1)-7S1") == "joker-swap"


@rule("carousel:joker-shift")
def test_the_joker_of_an_enlarged_meld_may_take_another_place():
    state = table("4H1-5H1-XB-7H1", hand="6H2 2D1")
    assert {"L1 4H1-5H1-6H2-7H1-XB", "L1 XB-4H1-5H1-6H2-7H1"} <= set(legal(state))
    view = state.view(0)
    assert [view.choice(move).phrase.rest for move in view.moves if str(move).startswith("L1")] == [
        "6H2 to meld 1: 4H1-5H1-6H2-7H1-XB",
        "6H2 to meld 1: XB-4H1-5H1-6H2-7H1",
    ]
    assert lies(play(state, "L1 4H1-5H1-6H2-7H1-XB")) == {1: "4H1-5H1-6H2-7H1-XB"}


# Knock and showdown


@rule("carousel:deadwood")
@pytest.mark.parametrize(
    ("card", "points"),
    [("AS1", 1), ("2S1", 2), ("9S1", 9), ("TS1", 10), ("JS1", 10), ("QS1", 10), ("KS1", 10), ("XB", 25)],
)
def test_each_card_in_hand_counts_its_points(card, points):
    assert card_points(card) == points
    assert table(hand=f"{card} 2C2").view(0).deadwood == points + 2


@rule("carousel:deadwood")
def test_cards_that_would_be_a_meld_count_all_the_same():
    assert refusal(at_start(hand="6C1 6D1 6S1"), "K") == "knock-limit"


@rule("carousel:knock-limit")
@pytest.mark.parametrize(
    ("hand", "may"), [("AS1 4D1", True), ("2S1 4D1", False), ("5H1", True), ("XB", False), ("", True)]
)
def test_a_player_with_five_or_less_may_knock(hand, may):
    state = at_start(hand=hand)
    assert ("K" in legal(state)) == may
    assert play(state, "K").results if may else refusal(state, "K") == "knock-limit"


@rule("carousel:knock-start-only")
def test_a_knock_takes_the_place_of_the_draw():
    state = at_start(hand="AS1")
    play(state, "D")
    assert refusal(state, "K") == "knock-start-only"


@rule("carousel:showdown")
def test_after_a_knock_all_hands_lie_open_and_the_next_hand_is_dealt():
    state = play(at_start("9C1+9D1+9H1", hand="AS1", hands={0: "AS1", 1: "9S1 KC2", 2: "2D1"}), "K")
    result = state.results[-1]
    assert [zone.cards for zone in result.zones] == [("AS1",), ("9S1", "KC2"), ("2D1",)]
    assert result.points == (18 + 1, 0, 0), "the nine cannot be added to the nines any more"
    assert state.deal_number == 2 and not state.table and state.phase == "start"


@rule("carousel:empty-hand")
def test_laying_the_last_card_does_not_end_the_hand():
    state = play(table("7C1+7D1+7H1", hand="7S1"), "L1 7C1+7D1+7H1+7S1")
    assert not state.results and legal(state) == ["E"]
    assert state.view(0).forced == state.legal_moves(0)[0]
    play(state, "E", "D", "D", "D", "D", "D", "D")
    assert state.to_act == (0,) and legal(state) == ["D", "K"]
    assert play(state, "K").results[-1].points[0] > 25


@rule("carousel:score-lowest")
def test_the_lowest_deadwood_scores_the_differences_to_all_others():
    assert showdown("AS1 2C1", "KD1 4C1", "8S1") == [11 + 5, 0, 0]


@rule("carousel:score-undercut")
def test_ten_points_are_added_if_the_knocker_is_undercut():
    assert showdown("AS1 2C1", "2D1", "8S1") == [0, 1 + 6 + 10, 0]
    assert showdown("AS1 2C1", "KD1", "8S1") == [7 + 5, 0, 0]
    assert showdown("AS1 2C1", "AD1", "AS2") == [0, (2 + 10) // 2, (2 + 10) // 2]


@rule("carousel:score-zero")
def test_twenty_five_points_are_added_for_no_deadwood():
    assert showdown("", "2D1", "8S1") == [2 + 8 + 25, 0, 0]
    assert showdown("AS1", "", "8S1") == [0, 1 + 8 + 10 + 25, 0]


@rule("carousel:score-tie")
def test_players_with_equally_little_share_everything_and_drop_fractions():
    state = CAROUSEL.load({"knocker": 0, "hands": ["", "", "8S1"]})
    assert state.results[-1].points == ((8 + 25) // 2, (8 + 25) // 2, 0)
    assert rules_scored(state) == ["score-tie"]
    assert showdown("AS1", "AD1", "AH1") == [0, 0, 0]


# Without stock


@rule("carousel:stock-empty")
def test_without_stock_a_turn_begins_with_a_knock_a_meld_or_a_pass():
    state = at_start("7C1+7D1+7H1", hand="7S1 2C1", stock=0)
    assert legal(state) == ["L1 7C1+7D1+7H1+7S1", "-"]
    assert refusal(state, "D") == "stock-empty"
    assert refusal(state, "E") == "draw-or-meld"
    play(state, "L1 7C1+7D1+7H1+7S1")
    assert refusal(state, "-") == "stock-empty"
    assert play(state, "E").to_act == (1,) and state.passes == 0
    assert legal(at_start(hand="2C1", stock=0)) == ["K", "-"]


@rule("carousel:stock-empty")
def test_who_draws_the_last_card_may_meld_or_end_the_turn():
    state = table("7C1+7D1+7H1", hand="KS1", stock=0)
    assert legal(state) == ["E"]
    assert refusal(state, "D") == "stock-empty"
    assert refusal(state, "-") == "stock-empty"
    assert play(state, "E").to_act == (1,) and state.passes == 0


@rule("carousel:blocked")
def test_if_all_pass_in_turn_there_is_a_showdown_without_a_knocker():
    state = at_start(hand="9D1", stock=0, hands={0: "9D1", 1: "8C1", 2: "TD1"})
    play(state, "-", "-")
    assert not state.results and state.passes == 2
    play(state, "-")
    assert state.results[-1].points == (0, 1 + 2, 0) and rules_scored(state) == ["score-lowest"]


@rule("carousel:blocked")
def test_a_meld_between_passes_starts_the_count_again():
    state = at_start("7C1+7D1+7H1", hand="9D1", stock=0, hands={0: "9D1", 1: "7S1 KC1", 2: "TD1"})
    play(state, "-", "L1 7C1+7D1+7H1+7S1", "E", "-", "-")
    assert not state.results and state.passes == 2


# The end of the game


@rule("carousel:target")
def test_the_game_ends_after_a_hand_in_which_somebody_reaches_the_target():
    position = {"knocker": 0, "hands": ["AS1", "KD1", "KC1"]}
    assert CAROUSEL.load({**position, "scores": [131, 20, 148]}).outcome() is None
    over = CAROUSEL.load({**position, "scores": [132, 20, 149]})
    assert over.outcome().winners == (0,) and over.scores == [150, 20, 149]
    assert refused(over, "D", seat=0).rule == "carousel:first-player"


@rule("carousel:target-tie")
def test_equal_highest_totals_play_another_hand():
    state = CAROUSEL.load({"knocker": 0, "hands": ["AS1", "AD1", "KC1"], "scores": [150, 150, 10]})
    assert state.scores == [154, 154, 10] and state.outcome() is None and len(state.hands[0]) == 10


@rule("carousel:game-bonus", "carousel:zero-double")
def test_losers_pay_the_difference_and_double_without_points():
    outcome = CAROUSEL.load({"scores": [160, 100, 0, 40]}).outcome()
    assert outcome.scores == (160 + 520 + 220, -160, -520, -220)
    assert sum(outcome.scores) == 0 and outcome.places == (1, 2, 4, 3)
    assert outcome.reason == "@0 [win] with 160 points and a bonus of 100. Together, @1, @2 and @3 [pay] 900."
    assert [line.rule for line in outcome.lines][0] == "carousel:game-bonus"


@rule("carousel:game-bonus")
def test_the_bonus_is_an_option():
    outcome = CAROUSEL.load({"scores": [160, 100, 50], "options": {"game_bonus": 0}}).outcome()
    assert outcome.scores == (170, -60, -110)
    assert outcome.reason == "@0 [win] with 160 points. Together, @1 and @2 [pay] 170."


@rule("carousel:hand-cap")
def test_after_forty_hands_the_highest_total_wins():
    position = {"knocker": 0, "hands": ["AS1", "2D1", "3C1"]}
    assert CAROUSEL.load({**position, "hands_played": 38}).outcome() is None
    state = CAROUSEL.load({**position, "hands_played": 39, "scores": [10, 20, 0]})
    assert state.scores == [13, 20, 0] and state.outcome().winners == (1,)
    assert state.outcome().scores == (-107, 107 + 240, -240)


@rule("carousel:hand-cap")
def test_a_shared_win_has_no_bonus_and_the_winners_divide_what_the_others_pay():
    outcome = CAROUSEL.load({"hands_played": 40, "scores": [30, 30, 5, 0, 30]}).outcome()
    assert outcome.winners == (0, 1, 4)
    assert outcome.reason.endswith(" with 30 points after 40 hands. Together, @2 and @3 [pay] 28 to each winner.")
    assert outcome.scores == (28, 28, -25, -60, 28)
    assert CAROUSEL.load({"hands_played": 40}).outcome().scores == (0, 0)
    over_target = CAROUSEL.load({"hands_played": 40, "scores": [160, 160]}).outcome()
    assert over_target.reason.startswith("@0 and @1 [share] the win with 160 points after 40 hands")


def test_a_finished_game_counts_no_hand():
    running, over = ({"scores": [40, 60]}, {"scores": [40, 160]})
    labels = [[label for label, _ in CAROUSEL.load(position).view(0).facts] for position in (running, over)]
    assert ["Your deadwood" in found for found in labels] == [True, False]


# Options


def test_the_knock_limit_may_be_ten():
    state = at_start(hand="KS1", options={"knock_limit": 10})
    assert "K" in legal(state)
    assert refusal(at_start(hand="KS1 AS1", options={"knock_limit": 10}), "K") == "knock-limit"


@rule("carousel:run-sequence")
def test_the_ace_may_be_high_as_well():
    state = table(hand="QS1 KS1 AS1 2S1 3S1", options={"ace": "high_or_low"})
    assert {"M QS1-KS1-AS1", "M AS1-2S1-3S1"} <= set(legal(state))
    assert refusal(state, "M KS1-AS1-2S1") == "run-sequence"


@rule("carousel:step")
def test_without_add_to_melds_a_step_lays_a_new_meld():
    state = table("7C1+7D1+7H1+7S1", hand="7S2 8S1 9S1", options={"add_to_melds": False})
    assert refusal(state, "L1 7C1+7D1+7H1+7S1+7S2") == "step"
    assert legal(state) == ["D", "M 7S2-8S1-9S1", "M 7S1<1-8S1-9S1"]


@rule("carousel:third-draw-ends")
def test_a_meld_may_be_allowed_after_the_third_card():
    state = at_start("7C1+7D1+7H1", hand="7S1", options={"meld_after_third_draw": True})
    play(state, "D", "D", "D")
    assert state.to_act == (0,) and legal(state)[0] == "E" and "D" not in legal(state)
    assert refusal(state, "D") == "third-draw-ends"
    assert play(state, "L1 7C1+7D1+7H1+7S1", "E").to_act == (1,)
    assert refusal(state, "D", seat=0) == "first-player", "the third card has not ended the turn"


@rule("carousel:joker-swap")
def test_the_exchange_of_jokers_may_be_forbidden():
    state = table("4H1-5H1-XB-7H1", hand="6H2 KC1 KS1", options={"joker_swap": False})
    assert refusal(state, "M XB<1(6H2)+KC1+KS1") == "joker-swap"
    assert not any("(" in move for move in legal(state))


def test_melds_in_the_hand_may_count_nothing():
    state = at_start(hand="6C1 6D1 6S1 5H1", options={"hand_melds": "free"})
    assert state.view(0).deadwood == 5 and "K" in legal(state)
    assert counts(play(state, "K")) == [5, 10, 10]


def test_the_bonuses_of_a_hand_and_the_target_are_options():
    options = {"undercut_bonus": 20, "zero_bonus": 50, "target": 100}
    state = CAROUSEL.load({"knocker": 0, "hands": ["AS1", "", "9S1"], "scores": [0, 20, 0], "options": options})
    assert state.results[-1].points == (0, 10 + 20 + 50, 0) and state.outcome().winners == (1,)


@rule("carousel:score-undercut", "carousel:score-zero", "carousel:target", "carousel:game-bonus")
def test_the_options_reach_over_the_ranges_of_the_book():
    for name, values in {
        "undercut_bonus": (0, 7, 30, 50),
        "zero_bonus": (0, 12, 40, 50),
        "target": (100, 133, 225, 300),
        "game_bonus": (0, 1, 50, 100),
    }.items():
        assert [CAROUSEL.read_options({name: str(value)}, 3)[name] for value in values] == list(values)
        with pytest.raises(BadOption):
            CAROUSEL.read_options({name: values[-1] + 1}, 3)


@rule("carousel:score-undercut", "carousel:score-zero", "carousel:target", "carousel:game-bonus")
@pytest.mark.parametrize(("target", "is_over"), [(101, True), (102, False)])
def test_odd_bonuses_and_an_odd_target_count_to_the_point(target, is_over):
    options = {"undercut_bonus": 7, "zero_bonus": 13, "target": target, "game_bonus": 37}
    state = CAROUSEL.load({"knocker": 0, "hands": ["AS1", "", "9S1"], "scores": [0, 71, 0], "options": options})
    assert state.results[-1].points == (0, 10 + 7 + 13, 0) and (state.outcome() is not None) == is_over
    if is_over:
        assert state.outcome().scores == (-2 * 138, 4 * 138, -2 * 138)  # 101 and 37, twice from players without points


@rule("carousel:empty-hand")
def test_the_last_card_may_end_the_hand_like_a_knock():
    state = table("7C1+7D1+7H1", hand="7S1", options={"go_out_ends": True})
    play(state, "L1 7C1+7D1+7H1+7S1")
    assert state.results[-1].points == (10 + 10 + 25, 0, 0)


def free(*melds: str, **position) -> CarouselState:
    return table(*melds, options={"manipulation": "free"}, **position)


def test_with_free_manipulation_one_play_rearranges_the_table_and_ends_the_turn():
    state = free("6C1-7C1-8C1-9C1", "6H1-7H1-8H1-9H1", hand="6D1 KC1")
    play(state, "P x1,2 > 7C1-8C1-9C1 / 7H1-8H1-9H1 / 6C1+6D1+6H1")
    assert state.hands[0] == ("KC1",) and state.to_act == (1,)
    assert sorted(lies(state).values()) == ["6C1+6D1+6H1", "7C1-8C1-9C1", "7H1-8H1-9H1"]


@rule("carousel:joker-bound")
def test_with_free_manipulation_a_joker_stays_what_it_is_until_the_card_is_there():
    state = free("5H1-6H1-XB", hand="4H1 KD1 KC1 7H2")
    assert refusal(state, "P x1 > 4H1-5H1-6H1 / KD1+KC1+XB") == "joker-bound"
    assert play(state, "P x1 > 4H1-5H1-6H1-7H2 / KD1+KC1+XB").hands[0] == ()


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        ("P x3 > 7C1+7D1+7S1", "cards-available"),
        ("P x1 > 7C1+7D1+7S1", "table-stays"),
        ("P x1 > 7C1+7D1+7H1", "step-hand-card"),
        ("P > 7S1+8C1", "meld-size"),
        ("M 8C1+8D1+8H1", "step"),
    ],
)
def test_with_free_manipulation_refusals_name_rules_of_this_book(move, broken):
    assert refusal(free("7C1+7D1+7H1", hand="7S1 8C1 8D1 8H1"), move) == broken


def test_free_plays_need_a_draw_first_and_are_offered_afterwards():
    state = free("7C1+7D1+7H1", hand="7S1 2C1", phase="start")
    assert refusal(state, "P x1 > 7C1+7D1+7H1+7S1") == "turn-start"
    assert "P x1 > 7C1+7D1+7H1+7S1" in legal(play(state, "D"))


@rule("carousel:steal")
def test_a_table_that_steals_does_not_rebuild():
    assert refusal(table("7C1+7D1+7H1", hand="7S1"), "P x1 > 7C1+7D1+7H1+7S1") == "steal"


# What is listed, seen and read


def test_new_melds_are_listed_without_cards_that_they_do_not_need():
    state = table(hand="4H1 5H1 6H1 7H1 9C1 9D1 9S1 9H1")
    melds = [move for move in legal(state) if move.startswith("M")]
    assert "M 4H1-5H1-6H1" in melds and "M 5H1-6H1-7H1" in melds
    assert "M 4H1-5H1-6H1-7H1" not in melds and "M 9C1+9D1+9H1+9S1" not in melds
    assert play(state.copy(), "M 4H1-5H1-6H1-7H1").hands[0] == ("9C1", "9D1", "9H1", "9S1")


@rule("carousel:steal")
def test_a_hand_card_is_added_over_stolen_cards_that_bridge_a_gap():
    state = table("4H1-5H1-6H1", "7C1+7D1+7H1+7S1", "8C1+8D1+8S1+XB", "8H2-9H2-TH2", hand="9H1 2H1 KD1")
    assert {move for move in legal(state) if move.startswith("L") and "<" in move} == {
        "L1 4H1-5H1-6H1-7H1<2-XB<3-9H1",
        "L1 2H1-XB<3-4H1-5H1-6H1",
    }
    play(state, "L1 4H1-5H1-6H1-7H1<2-XB<3-9H1")
    assert lies(state)[3] == "8C1+8D1+8S1" and state.hands[0] == ("2H1", "KD1")


def test_every_listed_step_is_legal_and_touches_all_its_cards():
    rng = Random(5)
    state = fresh(4, seed=5)
    for _ in range(150):
        seat = state.to_act[0]
        view = state.view(seat)
        for move in view.moves:
            state.copy().play(seat, move)
            touches = view.choice(move).touches
            if str(move)[0] in "ML":
                assert {*move.laid(state.table.get(move.number)), *move.stolen} <= set(touches)
        state.play(seat, rng.choice(view.moves))


def test_hand_cards_alone_are_selected_and_all_other_steps_are_offered():
    view = table("6H1-7H1-8H1-9H1", hand="6C1 6S1 6D1 TH1").view(0)
    offered = [str(move) for move in view.offered]
    assert "M 6C1+6D1+6S1" in map(str, view.moves) and "M 6C1+6D1+6S1" not in offered
    assert {"D", "M 6C1+6H1<1+6S1", "L1 6H1-7H1-8H1-9H1-TH1"} <= set(offered)
    assert set(view.selection.cards) == {"6C1", "6S1", "6D1", "TH1"}
    assert str(CAROUSEL.select(view, ["6D1", "6S1", "6C1"])) == "M 6C1+6D1+6S1"
    for cards, wrong in ((["6D1", "6S1", "TH1"], "mixes ranks"), (["6D1", "6S1"], "isn't enough")):
        with pytest.raises(UnreadableMove, match=wrong):
            CAROUSEL.select(view, cards)
    with pytest.raises(UnreadableMove, match="suit twice"):
        CAROUSEL.select(table(hand="6C1 6C2 6D1").view(0), ["6C1", "6C2", "6D1"])
    assert at_start(hand="6C1 6S1 6D1 TH1").view(0).selection is None
    assert str(CAROUSEL.select(free(hand="6C1 6S1 6D1").view(0), ["6D1", "6S1", "6C1"])) == "P > 6C1+6D1+6S1"


def test_nothing_is_played_unasked_while_steps_may_be_there_that_are_not_listed():
    assert play(table("7C1+7D1+7H1", hand="7S1 2C2"), "L1 7C1+7D1+7H1+7S1").view(0).forced is None
    assert at_start(hand="KC1 KD1").view(0).forced is None


@pytest.mark.parametrize(
    ("text", "move"),
    [
        (" d ", "D"),
        ("knock", "K"),
        ("e", "E"),
        ("-", "-"),
        ("m 6c1 + 6h1 < 1 + 6s1", "M 6C1+6H1<1+6S1"),
        ("M6S1+6H1<01+6C1", "M 6C1+6H1<1+6S1"),
        ("M 7H1-6H1-5H1<2", "M 5H1<2-6H1-7H1"),
        ("m xb<4( 7h1 )+kc1+kd1", "M KC1+KD1+XB<4(7H1)"),
        ("L1 10c1+10d1+10h1+xb<4(10s2)", "L1 TC1+TD1+TH1+XB<4(TS2)"),
        ("L 3 5H1-6H1-7H1-8H1", "L3 5H1-6H1-7H1-8H1"),
        ("L3 8H1-7H1-6H1-5H1<3", "L3 5H1-6H1-7H1-8H1"),
        ("L12 5H-6H-7H-8H", "L12 5H-6H-7H-8H"),
        ("p X2,1>7h1+7c1+7d1/8h1-9h1-th1", "P x1,2 > 7C1+7D1+7H1 / 8H1-9H1-TH1"),
    ],
)
def test_moves_are_read_in_any_order_of_their_parts(text, move):
    assert str(CAROUSEL.parse(text)) == move


@pytest.mark.parametrize(
    "text", ["M", "M 6H1+7H1-8H1", "M 1H1+2C1+2D1", "L0 6H1+6C1", "L 6H1<", "P 1 2", "M 6H1<1(", "DD", "M 6H3+6C1"]
)
def test_what_is_no_move_is_unreadable(text):
    with pytest.raises(UnreadableMove) as error:
        CAROUSEL.parse(text)
    assert "M 6C1" in str(error.value)


@pytest.mark.parametrize(
    "position",
    [
        {"table": {1: "9C1+9D1"}},
        {"table": {1: "9C1+9D1+9H1", "01": "8C1+8D1+8H1"}},
        {"table": {0: "9C1+9D1+9H1"}},
        {"table": "9C1+9D1+9H1"},
        {"table": ["9C1+9D1+ZZ"]},
        {"table": ["9C1 9D1 9H1"]},
        {"hands": {0: "9C1 9C1"}},
        {"hands": {0: "9C1 9C"}},
        {"seats": 2, "hands": {0: "9C1"}},
        {"seats": 3, "hands": {0: "9C"}},
        {"phase": "start", "draws": 2},
        {"phase": "over"},
        {"phase": "dreaming"},
        {"phase": "melding", "draws": 3},
        {"draws": 4},
        {"passes_in_a_row": 1, "stock_count": 3},
        {"knocker": 0, "hands": {0: "KC"}},
        {"to_move": None},
        {"hands_played": 41},
        {"stock_count": 54},
    ],
)
def test_positions_that_cannot_be_are_refused(position):
    with pytest.raises(ImpossiblePosition) as error:
        CAROUSEL.load(position)
    assert str(error.value).endswith(".")


def test_a_meld_that_is_no_text_is_refused_with_an_example():
    with pytest.raises(ImpossiblePosition, match="9C\\+9D\\+9H"):
        CAROUSEL.load({"table": {1: ["6H1", "7H1", "8H1"]}})


def test_a_position_is_kept_in_the_words_in_which_it_is_written():
    assert table(phase="after draw").dump()["phase"] == table(phase="After-Draw").dump()["phase"] == "after-draw"


def test_a_position_needs_as_many_seats_as_it_names():
    assert CAROUSEL.load({"hands": {0: "9C"}}).seats == 2
    assert CAROUSEL.load({"hands": {0: "9C1"}}).seats == 3
    assert CAROUSEL.load({"players": 5}).seats == 5
    assert CAROUSEL.load({"to_move": 3}).seats == 4


@pytest.mark.parametrize(
    ("position", "prompt"),
    [
        ({"phase": "start"}, "Draw a card."),
        ({"phase": "start", "hand": "2C2 3D2"}, "Draw a card, or knock."),
        ({"phase": "start", "stock": 0}, "The stock is empty: lay a meld, or pass."),
        ({}, "Meld, or draw again."),
        ({"draws": 2}, "Meld, or draw again. A third card ends your turn."),
        ({"draws": 2, "options": {"meld_after_third_draw": True}}, "Meld, or draw again."),
        ({"draws": 2, "stock": 0}, "Meld, or end your turn."),
        ({"phase": "melding"}, "Keep melding, or end your turn."),
        ({"phase": "melding", "hand": ""}, "Your hand is empty: end your turn."),
    ],
)
def test_the_prompt_says_what_one_may_do(position, prompt):
    state = table("4H1-5H1-6H1", **position)
    assert (state.view(0).prompt, state.view(1).prompt, state.view(None).prompt) == (prompt, "", "")


def test_a_view_hides_the_cards_of_the_others_and_of_the_stock():
    state = table("7C1+7D1+7H1", hand="2C2 9D2")
    shown = {card for zone in state.view(1).zones for card in zone.cards}
    assert shown == {"7C1", "7D1", "7H1", "KC2"}
    assert {card for zone in state.view(None).zones for card in zone.cards} == {"7C1", "7D1", "7H1"}
    assert "drew 1" in [zone.note for zone in state.view(1).zones]
