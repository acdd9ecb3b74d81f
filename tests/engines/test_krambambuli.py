"""Krambambuli, rule by rule: positions in the notation of `Krambambuli.load`, moves in their text form."""

from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.contract import BadOption, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks
from games.core.words import render_text
from games.engines.krambambuli.game import KRAMBAMBULI
from games.engines.krambambuli.scoring import card_points
from games.engines.krambambuli.state import KrambambuliState
from tests.engines.states import legal, play, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "krambambuli_examples.yaml").read_text())
OWN, THEIRS = "2C+2D+2S (0)", "7H-8H-9H-TH (1)"
FULL_SUIT = "-".join(f"{rank}C1" for rank in "23456789TJQKA")


def table(*melds: str, hand: str = "4C 9D KD", **position) -> KrambambuliState:
    """Two players; seat 0 has drawn a card and holds this hand, seat 1 a lone king."""
    position.setdefault("hands", {0: hand, 1: "KS"})
    return KRAMBAMBULI.load({"to_move": 0, "table": list(melds), **position})


def at_start(*melds: str, upcard: str = "QC", **position) -> KrambambuliState:
    """Seat 0 is about to begin the turn."""
    return table(*melds, phase="start", **{"discards": upcard, **position})


def two_packs(*melds: str, hand: str, **position) -> KrambambuliState:
    return table(*melds, hands={0: hand, 1: "KS1", 2: "KS2", 3: "KD1"}, **position)


def fresh(seats: int = 3, seed: int = 1, dealer: int | None = None, **options) -> KrambambuliState:
    pack = KRAMBAMBULI.deck(KRAMBAMBULI.read_options(None, seats))
    return KRAMBAMBULI.start(numbered_decks(pack, seed), seats=seats, options=options, dealer=dealer)


def lies(state: KrambambuliState) -> dict[int, str]:
    return {number: f"{own.meld} ({own.owner})" for number, own in state.table.items()}


# The worked examples


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=example["id"], marks=rule(*(f"krambambuli:{name}" for name in example["rules"])))
        for example in EXAMPLES
    ],
)
def test_the_worked_example_holds(example):
    state = KRAMBAMBULI.load(example["setup"])
    seat = example["setup"].get("to_move")
    *moves, last = example.get("moves", [None])
    play(state, *moves)
    if "refused" in example:
        assert refusal(state, last) == example["refused"]
    elif last is not None:
        play(state, last)
    if "left" in example:
        assert " ".join(state.hands[seat]) == example["left"]
        assert lies(state) == example["lies"]
    if "out" in example:
        assert state.results[-1].summary == f"@{example['out']} [go] out."
        assert state.results[-1].points[seat] == 0
    if "winners" in example:
        assert list(state.results[-1].points) == example["points"]
        assert state.scores == example["scores"] and list(state.outcome().winners) == example["winners"]


# Cards and deal


@rule("krambambuli:deck", "krambambuli:deal-11", "krambambuli:upcard")
@pytest.mark.parametrize(("seats", "cards"), [(2, 52), (3, 52), (4, 104), (5, 104), (6, 104)])
def test_eleven_cards_each_of_one_pack_or_two_and_an_upcard(seats, cards):
    state = fresh(seats)
    assert len(set(state.cards())) == len(state.cards()) == cards
    assert [len(hand) for hand in state.hands] == [11] * seats
    assert len(state.discards) == 1 and len(state.stock) == cards - 11 * seats - 1
    assert state.view(None).upcard == state.discards[-1]


@rule("krambambuli:deal-11", "krambambuli:upcard", "krambambuli:first-player")
def test_the_deck_is_dealt_from_the_left_of_the_dealer_then_the_upcard_then_the_stock():
    pack = KRAMBAMBULI.deck(KRAMBAMBULI.read_options(None, 3))
    state = KRAMBAMBULI.start([pack], seats=3, dealer=0)
    assert state.to_act == (1,)
    assert [set(state.hands[seat]) for seat in (1, 2, 0)] == [set(pack[:11]), set(pack[11:22]), set(pack[22:33])]
    assert state.discards == [pack[33]]
    assert pack[34] in play(state, "D").hands[1]


@rule("krambambuli:first-player")
def test_play_goes_clockwise_and_out_of_turn_is_refused():
    state = fresh(3)
    turns = []
    for _ in range(4):
        play(state, "D")
        play(state, f"X {state.hands[state.to_act[0]][0]}")
        turns.append(state.to_act[0])
    assert turns == [1, 2, 0, 1]
    assert refusal(state, "D", seat=2) == "first-player"
    with pytest.raises(NotYourTurn):
        state.play(0, KRAMBAMBULI.parse("D"))


@rule("krambambuli:first-dealer")
def test_the_deal_passes_to_the_left_after_every_hand():
    state = play(table(OWN, hand="4C", dealer=0), "X 4C")
    assert state.dealer == 1 and state.to_act == (0,) and len(state.hands[0]) == 11


# Melds


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        pytest.param("M 8C2+8D2", "meld-size", marks=rule("krambambuli:meld-size")),
        pytest.param("M 8C2", "meld-size", marks=rule("krambambuli:meld-size")),
        pytest.param("M 8C2+8D2+9D2", "set-rank", marks=rule("krambambuli:set-rank")),
        pytest.param("M 8D2-9D2-TH2", "run-suit", marks=rule("krambambuli:run-suit")),
        pytest.param("M 8D2-9D2-JD2", "run-sequence", marks=rule("krambambuli:run-sequence")),
        pytest.param("M AS2-2S2-3S2", "run-sequence", marks=rule("krambambuli:run-sequence")),
        pytest.param("M KS2-AS2-2S2", "run-sequence", marks=rule("krambambuli:run-sequence")),
        pytest.param(f"L1 {FULL_SUIT}-2C2", "run-length", marks=rule("krambambuli:run-length")),
        pytest.param("M 8C2+8D2+8D1", "", marks=rule("krambambuli:set-rank")),
        pytest.param("M QS2-KS2-AS2", "", marks=rule("krambambuli:run-sequence")),
        pytest.param("M 8D2-9D2-TD1", "", marks=rule("krambambuli:run-suit")),
    ],
)
def test_a_step_makes_a_meld_or_names_the_rule_that_it_breaks(move, broken):
    hand = "8C2 8D2 8D1 9D2 TH2 TD1 JD2 2C2 QS2 KS2 AS2 2S2 3S2"
    state = table(f"{FULL_SUIT} (0)", hands={0: hand})
    if broken:
        assert refusal(state, move) == broken
    else:
        assert move_text(move) in legal(state)
        assert play(state, move).table[2].owner == 0


def move_text(text: str) -> str:
    return str(KRAMBAMBULI.parse(text))


@rule("krambambuli:set-rank")
def test_a_set_may_grow_to_eight_cards():
    eight = "7C1+7C2+7D1+7D2+7H1+7H2+7S1+7S2"
    state = two_packs("7C1+7C2+7D1+7D2+7H1+7H2+7S1 (0)", hand="7S2 KC1")
    assert lies(play(state, f"L1 {eight}")) == {1: f"{eight} (0)"}


@rule("krambambuli:set-suits")
def test_suits_of_a_set_differ_only_by_option():
    assert "M 7C1+7C2+7D1" in legal(two_packs(hand="7C1 7C2 7D1 4C1"))
    strict = two_packs(hand="7C1 7C2 7D1 4C1", options={"distinct_suits": True})
    assert refusal(strict, "M 7C1+7C2+7D1") == "set-suits"
    grown = two_packs("7C1+7D1+7H1+7S1 (0)", hand="7C2 4C1", options={"distinct_suits": True})
    assert refusal(grown, "L1 7C1+7C2+7D1+7H1+7S1") == "set-suits"


@rule("krambambuli:meld-owner")
def test_a_meld_belongs_to_who_laid_it():
    state = play(table(hands={0: "5C 5D 5H KD 4S", 1: "5S QD"}), "M 5C+5D+5H", "X KD", "D")
    assert lies(state) == {1: "5C+5D+5H (0)"}
    assert refusal(state, "L1 5C+5D+5H+5S") == "layoff-own-only"


# Turn


@rule("krambambuli:turn-draw")
def test_a_turn_begins_with_one_card_from_the_stock_or_the_upcard():
    state = at_start(OWN, hand="2H KD 4C")
    assert legal(state) == ["D", "U"]
    for move in ("X KD", "L1 2C+2D+2H+2S", "M 2H+4C+KD"):
        assert refusal(state, move) == "turn-draw"
    taken = play(state.copy(), "U")
    assert "QC" in taken.hands[0] and taken.discards == [] and taken.taken_upcard == "QC"
    drawn = play(state, "D")
    assert len(drawn.hands[0]) == 4 and drawn.discards == ["QC"]
    for state in (taken, drawn):
        assert refusal(state, "D") == "turn-draw" and refusal(state, "U") == "turn-draw"


@rule("krambambuli:upcard")
def test_without_an_upcard_a_turn_begins_with_the_stock():
    state = at_start(upcard="")
    assert legal(state) == ["D"]
    assert refusal(state, "U") == "upcard"


@rule("krambambuli:turn-meld")
def test_any_number_of_melds_may_be_laid_in_a_turn():
    state = play(table(hand="5C 5D 5H 8S 9S TS KD 4C"), "M 5C+5D+5H", "M 8S-9S-TS")
    assert lies(state) == {1: "5C+5D+5H (0)", 2: "8S-9S-TS (0)"} and state.to_act == (0,)


@rule("krambambuli:turn-meld")
def test_melding_is_never_compulsory():
    assert play(table(hand="5C 5D 5H KD"), "X KD").to_act == (1,)


@rule("krambambuli:turn-discard")
def test_a_discard_ends_the_turn_and_becomes_the_upcard():
    state = play(table(hand="4C 9D KD"), "X KD")
    assert state.to_act == (1,) and state.discards == ["KD"] and legal(state) == ["D", "U"]


@rule("krambambuli:layoff-after-melding")
def test_cards_are_added_to_own_melds_in_the_turn_of_the_first_meld_and_later():
    state = table(hand="5C 5D 5H 5S 8S 9S TS JS QS KD 4C")
    play(state, "M 5C+5D+5H", "L1 5C+5D+5H+5S", "M 8S-9S-TS", "L2 8S-9S-TS-JS-QS")
    assert lies(state) == {1: "5C+5D+5H+5S (0)", 2: "8S-9S-TS-JS-QS (0)"}


@rule("krambambuli:layoff-after-melding")
def test_every_way_to_enlarge_an_own_meld_is_listed():
    state = table("5S-6S-7S (0)", hand="3S 4S 8S KD")
    assert {move for move in legal(state) if move.startswith("L")} == {
        "L1 4S-5S-6S-7S",
        "L1 5S-6S-7S-8S",
        "L1 3S-4S-5S-6S-7S",
        "L1 4S-5S-6S-7S-8S",
        "L1 3S-4S-5S-6S-7S-8S",
    }
    assert refusal(state, "L1 5S-6S-7S") == "layoff-after-melding"


@rule("krambambuli:layoff-own-only")
def test_nobody_adds_to_the_meld_of_another():
    assert refusal(table(THEIRS, OWN, hand="JH 4C"), "L1 7H-8H-9H-TH-JH") == "layoff-own-only"


@rule("krambambuli:no-return-upcard")
def test_the_upcard_just_taken_is_not_discarded_unless_it_is_the_last_card():
    state = play(at_start(OWN, hand="2H 4C"), "U")
    assert refusal(state, "X QC") == "no-return-upcard"
    play(state, "L1 2C+2D+2H+2S")
    assert legal(state) == ["X 4C"]
    last = play(at_start(OWN, hand="2H"), "U", "L1 2C+2D+2H+2S")
    assert legal(last) == ["X QC"]
    assert play(last, "X QC").results[-1].summary == "@0 [go] out."


@rule("krambambuli:draw-cap")
def test_after_twelve_turns_with_the_upcard_the_next_begins_with_the_stock():
    state = at_start(hand="4C 9D", upcard_turns=11)
    play(state, "U", "X 9D")
    assert legal(state) == ["D"]
    assert refusal(state, "U") == "draw-cap"
    play(state, "D", "X KS")
    assert legal(state) == ["D", "U"]
    assert refusal(at_start(upcard="", upcard_turns=12), "U") == "draw-cap"


@rule("krambambuli:draw-cap")
def test_a_card_from_the_stock_starts_the_count_again():
    state = play(at_start(hand="4C 9D", upcard_turns=11), "D", "X 9D")
    assert legal(state) == ["D", "U"] and state.upcard_turns == 0


@rule("krambambuli:table-stays")
def test_no_card_of_the_table_goes_back():
    state = table(OWN, hand="2H KD 4C")
    assert refusal(state, "L1 2C+2D+2H") == "table-stays"


@rule("krambambuli:cards-available")
@pytest.mark.parametrize(
    "move",
    [
        "M 5C+5D+5H",
        "M 7H+7C+7D",
        "M 7H<2+7C+7D",
        "M 7H<9+7C+7D",
        "M 7H<1(7C)+7D+7S",
        "M 7C+7D+7C",
        "L9 2C+2D+2S+2H",
        "L2 2C+2D+2S+2H",
        "X 2H",
        "X 7H",
        "X 7C1",
    ],
)
def test_only_cards_held_or_rightly_stolen_are_used(move):
    assert refusal(table(THEIRS, OWN, hand="7C 7D 7S KD"), move) == "cards-available"


# Stealing


@rule("krambambuli:steal-after-melding")
def test_stealing_begins_with_the_turn_after_the_first_meld():
    hands = {0: "5C 5D 5H 7C 7D KD 4C", 1: "3H KS QS"}
    state = table(THEIRS, hands=hands)
    assert refusal(state, "M 7H<1+7C+7D") == "steal-after-melding"
    play(state, "M 5C+5D+5H")
    assert refusal(state, "M 7H<1+7C+7D") == "steal-after-melding"
    play(state, "X KD", "D", "X KS", "D")
    assert lies(play(state, "M 7H<1+7C+7D"))[3] == "7C+7D+7H (0)"


@rule("krambambuli:steal-after-melding")
def test_a_position_at_the_start_of_a_turn_may_tell_that_the_seat_has_melded():
    for melded in (True, False):
        state = at_start(THEIRS, hand="7C 7D KD", melded_before=melded)
        assert ("M 7C+7D+7H<1" in legal(play(state, "D"))) == melded


@rule("krambambuli:steal-from-others")
def test_nobody_steals_from_an_own_meld():
    state = table("7H-8H-9H-TH (0)", hand="7C 7D KD")
    assert refusal(state, "M 7H<1+7C+7D") == "steal-from-others"


@rule("krambambuli:steal-leaves-valid")
@pytest.mark.parametrize(
    ("meld", "is_legal"),
    [
        ("7H-8H-9H-TH", True),
        ("4H-5H-6H-7H", True),
        ("7H-8H-9H", False),
        ("6H-7H-8H-9H", False),
        ("4H-5H-6H-7H-8H-9H-TH", False),
        ("7H+7S+7C+7D", True),
        ("7H+7S+7C", False),
    ],
)
def test_what_is_left_must_be_one_meld(meld, is_legal):
    hand = "7C 7D KD" if "-" in meld else "8H 9H KD"
    move = "M 7H<1+7C+7D" if "-" in meld else "M 7H<1-8H-9H"
    state = table(f"{meld} (1)", OWN, hand=hand)
    if is_legal:
        assert move_text(move) in legal(state)
        assert "7H" not in lies(play(state, move))[1]
    else:
        assert refusal(state, move) == "steal-leaves-valid"


@rule("krambambuli:steal-two-from-hand")
def test_more_than_two_hand_cards_may_go_with_a_stolen_one():
    state = table(THEIRS, OWN, hand="JH QH KH KD")
    assert {"M TH<1-JH-QH", "M TH<1-JH-QH-KH"} <= set(legal(state))
    assert refusal(state, "M TH<1-JH") == "steal-two-from-hand"
    assert refusal(state, "M TH<1+KD") == "steal-two-from-hand"


@rule("krambambuli:steal-new-meld")
def test_the_new_meld_belongs_to_the_thief():
    state = play(table(THEIRS, OWN, hand="JH QH KD"), "M TH<1-JH-QH")
    assert lies(state) == {1: "7H-8H-9H (1)", 2: OWN, 3: "TH-JH-QH (0)"}


@rule("krambambuli:steal-one-per-turn")
def test_one_card_is_stolen_in_a_turn():
    state = table(THEIRS, "4D-5D-6D-7D (1)", OWN, hand="7C 7S JH QH KD")
    assert refusal(state, "M 7H<1+7D<2+7C+7S") == "steal-one-per-turn"
    play(state, "M 7D<2+7C+7S")
    assert refusal(state, "M TH<1-JH-QH") == "steal-one-per-turn"


def test_the_checks_of_a_theft_come_in_the_order_of_the_book():
    """A theft that breaks several rules is refused by the first of them."""
    novice = table("7H-8H-9H (1)", hand="4C 9D KD")
    assert refusal(novice, "M 7H<1+4S+9D") == "cards-available"
    assert refusal(novice, "M 7H<1+4C") == "steal-after-melding"
    thief = table("7H-8H-9H (1)", "3S-4S-5S-6S (0)", hand="4C 9D KD", stolen=True)
    assert refusal(thief, "M 3S<2+4C") == "steal-one-per-turn"
    owner = table("7H-8H-9H (1)", "3S-4S-5S-6S (0)", hand="4C 9D KD")
    assert refusal(owner, "M 4S<2+4C") == "steal-from-others"
    assert refusal(owner, "M 7H<1+4C") == "steal-two-from-hand"
    assert refusal(owner, "M 7H<1+4C+9D") == "steal-leaves-valid"
    assert refusal(owner, "L1 7H-8H-9H-3S<2") == "layoff-own-only"


# The end of a hand


@rule("krambambuli:going-out")
def test_a_player_goes_out_by_the_last_discard_by_melding_or_by_adding():
    for hand, move in (("4C", "X 4C"), ("5C 5D 5H", "M 5C+5D+5H"), ("2H", "L1 2C+2D+2H+2S")):
        state = play(table(OWN, hand=hand), move)
        assert state.results[-1].summary == "@0 [go] out." and state.results[-1].points == (0, 10)


@rule("krambambuli:going-out")
def test_a_last_discard_may_be_required():
    required = {"final_discard": "required"}
    assert refusal(table(OWN, hand="2H", options=required), "L1 2C+2D+2H+2S") == "going-out"
    state = table(OWN, hand="5C 5D 5H", options=required)
    assert refusal(state, "M 5C+5D+5H") == "going-out"
    assert legal(state) == ["X 5C", "X 5D", "X 5H"]
    assert play(table(OWN, hand="2H 4C", options=required), "L1 2C+2D+2H+2S", "X 4C").results


@rule("krambambuli:stock-turnover")
def test_an_empty_stock_is_renewed_from_the_discards_the_oldest_first():
    state = table(hand="4C 9D KD", stock_count=0, discards="3D 5H QC")
    play(state, "X KD")
    assert state.discards == ["KD"] and state.stock[::-1] == ["3D", "5H", "QC"] and state.turnovers == 1
    assert "3D" in play(state, "D").hands[1]


@rule("krambambuli:blocked")
def test_a_stock_that_is_used_up_again_ends_the_hand_and_all_count():
    state = table(hand="4C 9D KD", stock_count=0, discards="3D 5H QC", turnovers=1)
    play(state, "X KD")
    assert state.results[-1].points == (13, 10) and "[go] out" not in state.results[-1].summary
    without = table(hand="4C 9D KD", stock_count=0, discards="3D", options={"turnovers": 0})
    assert play(without, "X KD").results
    twice = table(hand="4C 9D KD", stock_count=0, discards="3D", options={"turnovers": 2}, turnovers=1)
    assert not play(twice, "X KD").results and twice.turnovers == 2


@rule("krambambuli:blocked")
def test_the_upcard_alone_does_not_renew_the_stock():
    assert play(table(hand="4C 9D KD", stock_count=0), "X KD").results[-1].points == (13, 10)


@rule("krambambuli:card-count")
@pytest.mark.parametrize(
    ("card", "points"), [("AS", 10), ("KS", 10), ("QS", 10), ("JS", 10), ("TS", 10), ("9S", 9), ("2S", 2)]
)
def test_each_card_left_in_hand_counts_its_points(card, points):
    assert card_points(card) == points


@rule("krambambuli:card-count")
def test_melds_in_the_hand_count_and_cards_on_the_table_do_not():
    state = table(OWN, THEIRS, hands={0: "4C", 1: "5C 5D 5H"})
    result = play(state, "X 4C").results[-1]
    assert result.points == (0, 15)
    assert [(line.seats, line.points) for line in result.lines] == [((1,), 15)]


# The end of the game


@rule("krambambuli:target", "krambambuli:lowest-wins")
def test_the_game_ends_when_somebody_reaches_the_target_and_the_fewest_points_win():
    hands = {0: "4C", 1: "5C 5D 5H"}
    running = play(table(OWN, hands=hands, scores=[10, 484]), "X 4C")
    assert running.outcome() is None and {"Winner", "Your cards count"} <= dict(running.view(0).facts).keys()
    over = play(table(OWN, hands=hands, scores=[499, 485]), "X 4C")
    assert over.outcome().winners == (0,) and over.outcome().scores == (499, 500)
    assert refused(over, "D", seat=0).rule == "krambambuli:first-player"
    assert "Your cards count" not in dict(over.view(0).facts)


@rule("krambambuli:lowest-wins")
def test_equal_lowest_totals_share_the_win():
    outcome = KRAMBAMBULI.load({"scores": [205, 500, 205], "seats": 3}).outcome()
    assert outcome.winners == (0, 2) and outcome.places == (1, 3, 1)
    assert outcome.reason == "@0 and @2 [share] the win with the fewest points, 205."
    alone = KRAMBAMBULI.load({"scores": [205, 500]}).outcome()
    assert alone.reason == "@0 [win] with the fewest points, 205."


@rule("krambambuli:target")
def test_a_lower_target_or_a_number_of_deals_may_be_agreed():
    hands = {0: "4C", 1: "5C 5D 5H"}
    assert play(table(OWN, hands=hands, scores=[0, 90], options={"target": 100}), "X 4C").outcome().winners == (0,)
    deals = {"deals": 3}
    assert play(table(OWN, hands=hands, scores=[0, 600], options=deals, hands_played=1), "X 4C").outcome() is None
    assert play(table(OWN, hands=hands, options=deals, hands_played=2), "X 4C").outcome().winners == (0,)


# Options


@rule("krambambuli:no-return-upcard")
def test_the_upcard_may_be_returned_by_option():
    state = play(at_start(hand="4C", options={"may_return_upcard": True}), "U")
    assert "X QC" in legal(state)


@rule("krambambuli:run-sequence")
def test_the_ace_may_be_low_as_well():
    state = table(hand="AH 2H 3H KH QH", options={"ace": "high_or_low"})
    assert {"M AH-2H-3H", "M QH-KH-AH"} <= set(legal(state))
    assert refusal(state, "M KH-AH-2H") == "run-sequence"


@rule("krambambuli:target")
def test_the_target_and_the_number_of_deals_reach_over_the_ranges_of_the_book():
    for name, values in {"target": (100, 233, 250, 500), "deals": (0, 1, 7, 20)}.items():
        assert [KRAMBAMBULI.read_options({name: str(value)}, 3)[name] for value in values] == list(values)
        with pytest.raises(BadOption):
            KRAMBAMBULI.read_options({name: values[-1] + 1}, 3)


@rule("krambambuli:target")
@pytest.mark.parametrize(("target", "is_over"), [(233, True), (234, False)])
def test_an_odd_target_counts_to_the_point(target, is_over):
    state = play(table(OWN, hands={0: "4C", 1: "5C 5D 5H"}, scores=[0, 218], options={"target": target}), "X 4C")
    assert state.scores == [0, 233] and (state.outcome() is not None) == is_over


def test_presets_make_short_games():
    assert KRAMBAMBULI.read_options({"preset": "short"}, 2)["target"] == 100
    assert KRAMBAMBULI.read_options({"preset": "five-deals"}, 2)["deals"] == 5


# What is listed, seen and read


def test_a_hand_lists_every_meld_in_it():
    melds = {move for move in legal(two_packs(hand="7C1 7C2 7D1 8C1 9C1 KD2")) if move.startswith("M")}
    assert melds == {"M 7C1+7C2+7D1", "M 7C1-8C1-9C1", "M 7C2-8C1-9C1"}


def test_a_covered_discard_can_be_looked_at_only_by_option():
    for review in (False, True):
        state = table(hands={0: "4C 9D KD 3C", 1: "KS QS 2H"}, options={"review_discards": review})
        play(state, "X KD", "D", "X KS")
        view = state.view(0)
        assert view.discards == (("KD", "KS") if review else ("KS",)) and view.discard_count == 2
        told = [event.phrase.rest for event in view.log if event.phrase.verb == "discard"]
        assert told == (["KD", "KS"] if review else ["a card", "KS"])


def test_covered_discards_are_remembered_but_not_shown_until_they_are_turned_over():
    position = {"hands": {0: "4C 9D KD 3C", 1: "KS QS 2H"}, "stock_count": 1}
    state, other = (table(**position, discards=pile) for pile in ("QH QC 8D", "JH JC 8D"))
    view = state.view(1)
    assert view.remembered == ("QH", "QC", "8D") and view == other.view(1) and "QH" not in repr(view)
    for seed in range(20):
        assert KRAMBAMBULI.sample(view, Random(seed)).discards == ["QH", "QC", "8D"]
    play(state, "X KD", "D", "X KS")
    assert state.turnovers == 1 and state.view(1).remembered == ("KS",)


def test_everybody_knows_an_upcard_that_was_taken_until_it_leaves_the_hand():
    state = play(at_start(hands={0: "4C 9D QD QS", 1: "KS 3H"}), "U", "X 4C")
    assert state.view(1).known == (("QC",), ())
    assert "QC" in next(zone.note for zone in state.view(1).zones if zone.id == "hand:0")
    play(state, "D", "X KS", "D", "M QC+QD+QS")
    assert state.view(1).known == ((), ())


def test_the_prompt_says_what_one_may_do():
    assert at_start().view(0).prompt == "Draw from the stock, or take the upcard QC."
    assert at_start(upcard_turns=12).view(0).prompt == "Draw from the stock."
    assert table(hand="7C 7D 7S KD").view(0).prompt == "You can lay a meld. Then discard a card."
    assert table(hand="7C 7D KD").view(0).prompt == "Discard a card."
    assert table(hand="7C 7D KD").view(1).prompt == at_start().view(None).prompt == ""


def test_a_view_hides_hands_and_stock():
    state = at_start(THEIRS, hands={0: "4C 9D", 1: "KS 3H"})
    shown = {card for zone in state.view(1).zones for card in zone.cards}
    assert shown == {"7H", "8H", "9H", "TH", "KS", "3H", "QC"}


def test_hand_cards_alone_are_selected_and_all_other_moves_are_offered():
    view = table(THEIRS, OWN, hand="7C 7D 7S 2H KD").view(0)
    offered = {str(move) for move in view.offered}
    assert "M 7C+7D+7S" not in offered
    assert {"M 7C+7D+7H<1", "L2 2C+2D+2H+2S", "X KD"} <= offered
    assert str(KRAMBAMBULI.select(view, ["7S", "7C", "7D"])) == "M 7C+7D+7S"
    for cards, wrong in ((["7S", "7C", "KD"], "mixes ranks"), (["7S", "7C"], "isn't enough")):
        with pytest.raises(UnreadableMove, match=wrong):
            KRAMBAMBULI.select(view, cards)
    with pytest.raises(UnreadableMove, match="suit twice"):
        strict = two_packs(hand="7C1 7C2 7D1 4C1", options={"distinct_suits": True})
        KRAMBAMBULI.select(strict.view(0), ["7C1", "7C2", "7D1"])
    assert table(hand="4C 9D KD").view(0).selection is None


def test_a_step_touches_all_its_cards():
    view = table(THEIRS, OWN, hand="7C 7D 2H KD").view(0)
    touches = {str(move): view.choice(move).touches for move in view.moves}
    assert touches["M 7C+7D+7H<1"] == ("7C", "7D", "7H")
    assert touches["L2 2C+2D+2H+2S"] == ("2H", "meld:2")
    assert touches["X KD"] == ("KD", "discards")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        (" d ", "D"),
        ("take", "U"),
        ("x kd", "X KD"),
        ("XKD1", "X KD1"),
        ("x 10d", "X TD"),
        ("m 7h <2 + 7c+7d", "M 7C+7D+7H<2"),
        ("M 6H-5H-4H", "M 4H-5H-6H"),
        ("l3 7h-6h-5h-4h", "L3 4H-5H-6H-7H"),
    ],
)
def test_moves_are_read_in_any_order_of_their_parts(text, move):
    assert str(KRAMBAMBULI.parse(text)) == move


@pytest.mark.parametrize("text", ["X", "X ZZ", "X KD KS", "M", "M 7C+7D-7H", "L0 7C+7D+7H", "K", "P"])
def test_what_is_no_move_is_unreadable(text):
    with pytest.raises(UnreadableMove) as error:
        KRAMBAMBULI.parse(text)
    assert "M 7C+7D+7S" in str(error.value)


@pytest.mark.parametrize(
    "position",
    [
        {"table": {1: "9C+9D+9H"}},
        {"table": {1: {"meld": "9C+9D", "owner": 0}}},
        {"table": {1: {"meld": "9C+9D+9H", "owner": 7}}},
        {"table": {1: {"meld": "9C+ZZ+9H", "owner": 0}}},
        {"table": {1: "9C+9D+9H (0)", "01": "8C+8D+8H (0)"}},
        {"table": "9C+9D+9H (0)"},
        {"table": ["AC-2C-3C (0)"]},
        {"hands": {0: "9C 9C"}},
        {"hands": {0: "XB"}},
        {"seats": 2, "hands": {0: "9C1"}},
        {"upcard": "9C 9D"},
        {"to_move": 0, "taken_upcard": "9C", "hands": {0: "9D"}},
        {"to_move": 0, "taken_upcard": "9C 9D", "hands": {0: "9C 9D"}},
        {"to_move": 0, "known": "9C", "hands": {0: "9D"}},
        {"to_move": 0, "taken_upcard": "9C", "phase": "start", "hands": {0: "9C"}},
        {"to_move": 0, "phase": "after-draw"},
        {"phase": "dreaming"},
        {"to_move": None, "hands": {0: "9C"}},
        {"upcard_turns": 13},
        {"turnovers": 2},
        {"stock_count": 53},
    ],
)
def test_positions_that_cannot_be_are_refused(position):
    with pytest.raises(ImpossiblePosition) as error:
        KRAMBAMBULI.load(position)
    assert str(error.value).endswith(".")


def test_a_position_is_kept_in_the_words_in_which_it_is_written():
    assert table(phase="after draw").dump()["phase"] == table(phase="After-Draw").dump()["phase"] == "after-draw"


def test_a_position_needs_as_many_seats_as_it_names():
    assert KRAMBAMBULI.load({"hands": {0: "9C"}}).seats == 2
    assert KRAMBAMBULI.load({"hands": {0: "9C1"}}).seats == 4
    assert KRAMBAMBULI.load({"table": ["10C1+10C2+10D1 (0)"]}).seats == 4
    assert KRAMBAMBULI.load({"upcard": "9C1"}).seats == 4
    assert KRAMBAMBULI.load({"players": 6}).seats == 6


def test_a_position_without_stock_gets_all_cards_that_lie_nowhere_else():
    assert len(KRAMBAMBULI.load({"to_move": 0, "hands": {0: "9C KD"}}).stock) == 50
    assert KRAMBAMBULI.load({"to_move": 0, "hands": {0: "9C KD"}, "stock": "4C 5C"}).stock == ["5C", "4C"]


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("M 7C+7D+7H<1", "Lay 7C+7D+7H with 7H from meld 1"),
        ("M 7C-7H<1-JC<2", "Lay 7C-7H-JC with 7H from meld 1 and JC from meld 2"),
        ("L3 2C+2D+2H+2S", "Add 2H to meld 3"),
        ("L3 2C+2D+2S+7H<1", "Add 7H from meld 1 to meld 3"),
        ("L3 2C+2D+2H+2S+7H<1", "Add 2H and 7H from meld 1 to meld 3"),
    ],
)
def test_a_step_names_all_that_it_uses_also_where_no_rule_allows_it(move, words):
    view = table(THEIRS, "JC+JD+JH+JS (1)", OWN, hand="7C 7D 2H KD").view(0)
    assert render_text(view.choice(KRAMBAMBULI.parse(move)).phrase.text, ()) == words
