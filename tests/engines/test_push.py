"""Push, rule by rule: positions in the notation of `PushGame.load`, moves in their text form."""

import re
from collections import Counter
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.cards import RANKS
from games.core.contract import (
    BadOption,
    IllegalMove,
    ImpossiblePosition,
    NotYourTurn,
    UnclearSelection,
    UnreadableMove,
)
from games.core.deals import numbered_decks
from games.core.rummy.initial_melds import divisions, find_initial_meld, split_into
from games.core.words import render_text
from games.engines.push.game import PUSH_GAME
from games.engines.push.melds import CONTRACTS, ONE_OF_A_SUIT, alike, laid_out, meld_fault
from games.engines.push.moves import PACK, NewMeld, in_hand_order, is_wild, run_of, set_of
from games.engines.push.state import PushState
from tests.engines.states import play, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "push_examples.yaml").read_text())
N, E, S, W = range(4)


def table(**position) -> PushState:
    """W deals and N is to move, unless the position says otherwise."""
    return PUSH_GAME.load(position)


def opened(hand: str, *melds: str, **position) -> PushState:
    """N, who is open, has drawn and holds this hand."""
    return table(hand=hand, opened=True, table=list(melds), **position)


def legal(state: PushState, *words: str) -> set[str]:
    """The legal moves, those that begin with one of these words."""
    moves = map(str, state.legal_moves(state.to_act[0]))
    return {move for move in moves if not words or move.split()[0] in words}


def melds(state: PushState) -> list[str]:
    return [str(meld) for meld in state.table.values()]


def fresh(seed: int = 1, dealer: int | None = None, **options) -> PushState:
    return PUSH_GAME.start(numbered_decks(PACK, seed), seats=4, options=options, dealer=dealer)


def stacked(*dealt: str, **options) -> PushState:
    """A game whose first deck begins with these cards."""
    deck = " ".join(dealt).split()
    return PUSH_GAME.start([[*deck, *(card for card in PACK if card not in deck)]] * 9, seats=4, options=options)


# The worked examples

EXPECTATIONS = {
    "counts": lambda state, value: list(map(len, state.hands)) == value,
    "hand_of": lambda state, value: all(set(cards.split()) <= set(state.hands[seat]) for seat, cards in value.items()),
    "next_stock": lambda state, value: state.stock[-1] == value,
    "unseen_by": lambda state, value: all(
        card not in repr(state.view(seat)) for seat, cards in value.items() for card in cards
    ),
    "melds": lambda state, value: legal(state, "MELD") == set(value),
    "out": lambda state, value: state.results[-1].summary.startswith(f"@{value} went out"),
    "refused": lambda state, value: all(
        refusal(state, move if move[1:2] != "(" else f"MELD {move}") == rule for move, rule in value.items()
    ),
    "allowed": lambda state, value: all(play(state.copy(), move).table != state.table for move in value),
    "table": lambda state, value: melds(state) == value,
    "points": lambda state, value: list(state.results[-1].points) == value,
    "rules": lambda state, value: {line.rule for line in state.results[-1].lines} == {f"push:{name}" for name in value},
    "legal": lambda state, value: legal(state) == set(value),
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = play(table(**example["setup"]), *example.get("play", []))
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


# Players, pack and deal


@rule("push:players-partners")
def test_four_play_in_two_partnerships_that_win_and_lose_together():
    assert PUSH_GAME.sides({}, 4) == ((N, S), (E, W))
    with pytest.raises(BadOption):
        PUSH_GAME.read_options({}, 3)
    assert table(scores={"NS": 5, "EW": 20}, hand="4C1").view(S).scores == (5, 20, 5, 20)


@rule("push:pack-108")
def test_the_pack_has_two_of_each_card_and_four_jokers_all_told_apart():
    assert len(PACK) == len(set(PACK)) == 108
    assert sum(map(is_wild, PACK)) == 12
    assert {card for card in PACK if card[0] == "X"} == {"XB1", "XR1", "XB2", "XR2"}
    assert sorted(fresh().cards()) == sorted(PACK)


@rule("push:five-deals", "push:deal-size", "push:stock-size")
def test_each_of_the_five_deals_gives_one_card_more():
    state, sizes, stocks = fresh(), [], []
    while state.to_act:
        sizes.append([len(hand) for hand in state.hands])
        stocks.append(len(state.stock))
        state.hands[state.to_act[0]] = ("4C1",)
        state.opened = [True] * 4
        state.phase, state.upcard = state.phase.PLAY, None
        play(state, "DISC 4C1")
    assert sizes == [[number] * 4 for number in (6, 7, 8, 9, 10)]
    assert stocks == [83, 79, 75, 71, 67]


@rule("push:deal-size", "push:first-turn")
def test_cards_are_dealt_singly_from_the_dealers_left_which_also_begins():
    deck = next(numbered_decks(PACK, 1))
    state = fresh(dealer=E)
    assert state.hands[S] == in_hand_order(deck[0:24:4])
    assert state.hands[E] == in_hand_order(deck[3:24:4])
    assert state.to_act == (S,)
    natural = [card for card in deck[24:] if not is_wild(card)]
    assert state.upcard == natural[0]


@rule("push:first-dealer", "push:first-turn")
def test_the_deal_passes_to_the_left_after_every_deal_even_a_dead_one():
    assert fresh().dealer == W and fresh(dealer=S).to_act == (W,)
    state = play(table(dealer="E", upcard="QH1", hand="4C1"), "END")
    assert (state.dealer, state.to_act) == (S, (W,))
    state = play(opened("4C1", dealer="W"), "DISC 4C1")
    assert (state.dealer, state.to_act) == (N, (E,))


HANDS = "3C1 3D1 3H1 3S1 4C1 4D1 4H1 4S1 5C1 5D1 5H1 5S1 6C1 6D1 6H1 6S1 7C1 7D1 7H1 7S1 8C1 8D1 8H1 8S1"


@rule("push:first-upcard")
def test_wild_cards_turned_up_go_back_into_the_stock_until_a_natural_one_comes():
    state = stacked(HANDS, "XB1 2C1 QH1")
    assert state.upcard == "QH1"
    assert {"XB1", "2C1"} <= set(state.stock) and len(state.stock) == 83
    assert state.view(N).turned_back == ("XB1", "2C1")


@rule("push:first-upcard")
def test_the_place_where_a_wild_upcard_goes_back_depends_on_the_whole_deck():
    rest = [card for card in PACK if card not in HANDS.split() and card != "XB1"]
    places = set()
    for seed in range(12):
        natural = [card for card in rest if not is_wild(card)]
        Random(seed).shuffle(natural)
        places.add(stacked(HANDS, "XB1", *natural).stock.index("XB1"))
    assert len(places) > 6


@rule("push:first-upcard")
def test_a_sample_keeps_wild_cards_that_went_back_in_the_stock_until_somebody_draws():
    state = stacked(HANDS, "XB1 QH1")
    assert all("XB1" in PUSH_GAME.sample(state.view(N), Random(seed)).stock for seed in range(30))
    play(state, "PUSH")
    assert state.view(N).turned_back == ()


@rule("push:first-upcard")
@pytest.mark.parametrize("wild", ["XB1", "XB1 2C1", "2C1 XR1 XR2"])
def test_a_wild_card_that_goes_back_on_top_is_turned_again(wild):
    natural = [card for card in PACK if card not in HANDS.split() and not is_wild(card)]
    turned = 0
    for seed in range(300):
        Random(seed).shuffle(natural)
        state = stacked(HANDS, wild, *natural)
        assert not is_wild(state.upcard) and len(state.stock) == 83
        turned += sum("goes back into the stock" in event.text for event in state.log)
    assert turned > 300 * len(wild.split())


@rule("push:first-upcard")
def test_wild_cards_that_went_back_are_known_to_be_in_the_stock_while_upcards_are_only_taken():
    state = play(stacked(HANDS, "XB1 QH1"), "TAKE QH1")
    assert state.view(S).turned_back == ("XB1",)
    assert all("XB1" in PUSH_GAME.sample(state.view(S), Random(seed)).stock for seed in range(30))


@rule("push:misdeal")
def test_every_deal_counts_as_it_lies():
    wild = "XB1 XR1 XB2 XR2 2C1 2D1 2H1 2S1 2C2 2D2 2H2 2S2"
    state = stacked(wild, "3C1 3D1 3H1 3S1 4C1 4D1 4H1 4S1 5C1 5D1 5H1 5S1", "QH1")
    assert legal(state) == {"TAKE QH1", "PUSH"}


# The turn


@rule("push:turn-order")
@pytest.mark.parametrize("move", ["MELD S(4C1 4D1 4H1)", "LAY 4C1>M1", "DISC 4C1", "SWAP 9S1>M1=XB1 LAY>M1"])
def test_nothing_is_laid_or_discarded_before_the_draw(move):
    state = opened("4C1 4D1 4H1 9S1", "S(9C1 9D1 XB1)", upcard="QH1", stock_count=9)
    assert refusal(state, move) == "turn-order"


@rule("push:turn-order")
def test_nobody_opens_before_the_draw():
    state = table(hand="4S1 4H1 4D2 TC1 TD1 2S1", upcard="QH1", stock_count=9)
    opening = "OPEN S(4S1 4H1 4D2) S(TD1 TC1 2S1)"
    assert refusal(state, opening) == "turn-order"
    assert len(play(state, "PUSH", opening).table) == 2


@rule("push:turn-order")
@pytest.mark.parametrize("move", ["TAKE QH1", "PUSH", "END"])
def test_one_draws_only_once_in_a_turn(move):
    assert refusal(table(hand="4C1 QH1", stock_count=9), move) == "turn-order"


@rule("push:turn-order", "push:discard-end")
def test_a_turn_ends_with_one_discard_that_the_next_player_may_take():
    state = play(table(hand="4C1 5C1", upcard="QH1", stock_count=9), "TAKE QH1", "DISC 5C1")
    assert state.to_act == (E,) and state.upcard == "5C1"
    assert set(state.hands[N]) == {"4C1", "QH1"}
    assert refusal(state, "DISC 4C1", seat=N) == "turn-order"


@rule("push:draw-take")
def test_taking_the_upcard_is_the_whole_draw():
    state = play(table(hand="4C1", upcard="QH1", stock="9C1 8C1"), "TAKE QH1")
    assert set(state.hands[N]) == {"4C1", "QH1"}
    assert state.stock == ["8C1", "9C1"]
    assert state.upcard is None


@rule("push:draw-take")
def test_only_the_card_that_lies_there_can_be_taken():
    assert "QH1" in str(refused(table(hand="4C1", upcard="QH1", stock_count=9), "TAKE QH2"))


@rule("push:draw-push")
def test_a_push_gives_two_cards_to_the_left_and_one_to_the_pusher():
    state = play(table(to_move="W", hands={W: "4C1", N: "5C1"}, upcard="QH1", stock="9C1 8C1 7C1"), "PUSH")
    assert set(state.hands[N]) == {"5C1", "QH1", "9C1"}
    assert set(state.hands[W]) == {"4C1", "8C1"}
    assert state.stock == ["7C1"]
    assert state.to_act == (W,)


@rule("push:push-unseen")
def test_only_the_receiver_sees_the_pushed_card():
    state = play(table(hands={N: "4C1", E: "5C1"}, upcard="QH1", stock="9C1 8C1 7C1"), "PUSH")
    assert "9C1" in state.view(E).hand
    for seat in (None, N, S, W):
        view = state.view(seat)
        assert "9C1" not in repr((view, view.zones, view.facts, view.prompt))
        assert view.known[E] == ("QH1",)
    others = {"9C1" in PUSH_GAME.sample(state.view(N), Random(seed)).hands[E] for seed in range(40)}
    assert False in others
    assert all("QH1" in PUSH_GAME.sample(state.view(N), Random(seed)).hands[E] for seed in range(5))


@rule("push:push-unseen")
def test_what_was_known_to_be_in_a_hand_is_forgotten_when_it_leaves_it():
    hands = {N: "4C1 5C1", E: "5D1", S: "6C1"}
    state = play(table(hands=hands, upcard="QH1", stock="9C1 8C1 7C1 TC1"), "TAKE QH1", "DISC 4C1", "PUSH", "DISC 8C1")
    assert state.view(E).known == (("QH1",), (), ("4C1",), ())
    play(state, "TAKE 8C1", "DISC 4C1")
    assert state.view(E).known == (("QH1",), (), ("8C1",), ())


@rule("push:one-upcard")
def test_the_pile_holds_one_card_when_a_turn_begins_and_none_while_it_lasts():
    rng, state = Random(1), fresh()
    for _ in range(200):
        assert (state.upcard is not None) == (state.phase is state.phase.DRAW)
        zone = next(zone for zone in state.view(None).zones if zone.id == "discards")
        assert zone.count == (state.upcard is not None)
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    with pytest.raises(ImpossiblePosition):
        table(hand="4C1", upcard="QH1", phase="play")
    with pytest.raises(ImpossiblePosition):
        table(hand="4C1", phase="draw")


@rule("push:push-needs-two")
@pytest.mark.parametrize("left", [0, 1])
def test_a_push_needs_two_cards_in_the_stock(left):
    state = table(hand="4C1", upcard="QH1", stock_count=left)
    assert refusal(state, "PUSH") == "push-needs-two"
    assert legal(state) == {"TAKE QH1", "END"}
    assert legal(table(hand="4C1", upcard="QH1", stock_count=2)) == {"TAKE QH1", "PUSH"}


@rule("push:end-only-when-stock-out")
def test_a_deal_cannot_be_ended_while_a_push_is_possible():
    assert refusal(table(hand="4C1", upcard="QH1", stock_count=2), "END") == "end-only-when-stock-out"


@rule("push:stall-limit")
def test_after_eight_idle_turns_the_upcard_has_to_be_pushed():
    state = table(hand="4C1", upcard="QH1", stock_count=9, stall=8)
    assert refusal(state, "TAKE QH1") == "stall-limit"
    assert legal(state) == {"PUSH"}
    assert legal(table(hand="4C1", upcard="QH1", stock_count=1, stall=8)) == {"END"}


@rule("push:stall-limit")
def test_eight_upcards_taken_in_a_row_are_eight_idle_turns():
    hands = {N: "4C1 4D1", E: "5C1 5D1", S: "6C1 6D1", W: "7C1 7D1"}
    state = table(hands=hands, upcard="QH1", stock_count=9)
    for _ in range(8):
        assert f"TAKE {state.upcard}" in legal(state)
        play(state, f"TAKE {state.upcard}")
        play(state, sorted(legal(state))[0])
    assert legal(state) == {"PUSH"}
    play(state, "PUSH")
    assert state.stall == 0


@rule("push:stall-limit")
def test_a_play_starts_the_count_again():
    state = opened("4C1 9S1", "S(4D1 4H1 4S1)", upcard="QH1", stock_count=9, stall=7, phase="draw")
    play(state, "TAKE QH1", "LAY 4C1>M1", "DISC 9S1")
    assert state.stall == 0
    assert legal(state) == {"TAKE 9S1", "PUSH"}


@rule("push:taken-upcard-kept")
def test_the_upcard_just_taken_stays_but_its_twin_may_go():
    state = play(table(hand="7S1 4D1", upcard="7S2", stock_count=9), "TAKE 7S2")
    assert refusal(state, "DISC 7S2") == "taken-upcard-kept"
    assert legal(state) == {"DISC 7S1", "DISC 4D1"}
    assert play(state, "DISC 7S1", "TAKE 7S1").taken_upcard == "7S1"


@rule("push:taken-upcard-kept")
def test_the_upcard_just_taken_may_be_the_last_discard():
    state = opened("4C1", "S(4D1 4H1 4S1)", upcard="QH1", stock_count=9, phase="draw")
    play(state, "TAKE QH1", "LAY 4C1>M1", "DISC QH1")
    assert state.results[0].summary.startswith("@0 went out")


@rule("push:taken-upcard-kept")
def test_the_upcard_may_be_discarded_in_the_next_turn():
    hands = {N: "4C1 4D1", E: "5C1 5D1", S: "6C1 6D1", W: "7C1 7D1"}
    state = play(table(hands=hands, upcard="QH1", stock_count=9), "TAKE QH1", "DISC 4C1")
    for _ in range(3):
        play(state, "PUSH")
        play(state, sorted(legal(state, "DISC"))[0])
    play(state, "PUSH")
    assert "DISC QH1" in legal(state)


@rule("push:discard-any")
def test_any_other_card_may_be_discarded_wild_ones_too():
    assert legal(table(hand="4C1 2D1 XB1")) == {"DISC 4C1", "DISC 2D1", "DISC XB1"}


# Melds


@rule("push:meld-kinds", "push:meld-set", "push:meld-run")
def test_sets_and_runs_are_the_melds():
    state = opened("6H1 7H2 8H1 QS1 QD1 QC2 4C1")
    assert legal(state, "MELD") == {"MELD S(QS1 QD1 QC2)", "MELD R(6H1 7H2 8H1)"}
    play(state, "MELD S(QC2 QS1 QD1)", "MELD R(6H1 7H2 8H1)")
    assert melds(state) == ["S(QS1 QD1 QC2)", "R(6H1 7H2 8H1)"]
    assert state.hands[N] == ("4C1",)


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        pytest.param("S(4C1 4D1)", "meld-min-three", marks=rule("push:meld-min-three")),
        pytest.param("R(4C1 5C1)", "meld-min-three", marks=rule("push:meld-min-three")),
        pytest.param("S(2C1 XB1)", "meld-min-three", marks=rule("push:meld-min-three")),
        pytest.param("S(4C1 4D1 5C1)", "meld-set", marks=rule("push:meld-set")),
        pytest.param("S(4C1 4C2 5C1)", "meld-set", marks=rule("push:meld-set")),
        pytest.param("S(4C1 4C2 4D1)", "set-suits-differ", marks=rule("push:set-suits-differ")),
        pytest.param("S(4C1 4D1 4H1 4S1 4C2)", "set-suits-differ", marks=rule("push:set-suits-differ")),
        pytest.param("S(4C1 4D1 4H1 4S1 2C1)", "set-max-four", marks=rule("push:set-max-four")),
        pytest.param("S(4C1 2C1 2C2 XB1 XR1)", "set-max-four", marks=rule("push:set-max-four")),
        pytest.param("R(4C1 5C1 6D1)", "meld-run", marks=rule("push:meld-run")),
        pytest.param("R(4C1 5C1 7C1)", "meld-run", marks=rule("push:meld-run")),
        pytest.param("R(4C1 XB1 5C1)", "meld-run", marks=rule("push:meld-run")),
        pytest.param("R(4C1 4C2 5C1)", "meld-run", marks=rule("push:meld-run")),
        pytest.param("R(KC1 AC1 2C1)", "run-ace-ends", marks=rule("push:run-ace-ends", "push:wild-deuce-always")),
        pytest.param("R(XB1 AC1 2C1)", "run-ace-ends", marks=rule("push:run-ace-ends")),
        pytest.param("R(QC1 KC1 AC1 2C1 3C1)", "run-ace-ends", marks=rule("push:run-ace-ends")),
        pytest.param(
            "S(2C1 2D1 2H1)", "wild-one-natural", marks=rule("push:wild-one-natural", "push:wild-deuce-always")
        ),
        pytest.param("R(2C1 XB1 XR1)", "wild-one-natural", marks=rule("push:wild-one-natural")),
        pytest.param("S(9H1 9D1 9S1)", "cards-from-hand", marks=rule("push:cards-from-hand")),
        pytest.param("S(4C1 4D1 4D1)", "cards-from-hand", marks=rule("push:cards-from-hand")),
    ],
)
def test_each_faulty_meld_is_refused_by_its_rule(move, broken):
    hand = "3C1 4C1 4C2 4D1 4H1 4S1 5C1 6C1 6D1 7C1 QC1 KC1 AC1 2C1 2C2 2D1 2H1 XB1 XR1"
    assert refusal(opened(hand), f"MELD {move}") == broken


@rule("push:run-ace-ends")
def test_a_run_has_thirteen_cards_at_most():
    ace_to_king = "AC1 2D1 3C1 4C1 5C1 6C1 7C1 8C1 9C1 TC1 JC1 QC1 KC1"
    state = opened(f"{ace_to_king} AC2 9S1")
    assert refusal(state, f"MELD R({ace_to_king} AC2)") == "run-ace-ends"
    play(state, f"MELD R({ace_to_king})")
    assert refusal(state, "LAY AC2>M1+") == "run-ace-ends"


@rule("push:meld-run")
def test_a_gap_is_refused_before_the_length_of_a_run():
    cards = "AC1 3C1 4C1 5C1 6C1 7C1 8C1 9C1 TC1 JC1 QC1 KC1 AC2 3C2"
    assert refusal(opened(f"{cards} 9S1"), f"MELD R({cards})") == "meld-run"


@rule("push:run-ace-ends")
def test_nothing_is_laid_beyond_an_ace():
    state = opened("KS2 2H1 JS1 9D1", "R(QS1 KS1 AS1)", "R(AH1 2D1 3H1)")
    assert refusal(state, "LAY 2H1>M1+") == "run-ace-ends"
    assert refusal(state, "LAY KS2>M2-") == "run-ace-ends"
    assert "LAY JS1>M1-" in legal(state)


@rule("push:set-twice")
def test_two_sets_of_one_rank_may_lie_on_the_table():
    state = play(opened("9S1 9H1 9D1 9S2 9C1 9D2 4C1"), "MELD S(9S1 9H1 9D1)", "MELD S(9S2 9C1 9D2)")
    assert len(state.table) == 2


@rule("push:meld-fixed")
def test_melds_grow_but_nothing_natural_leaves_them():
    rng, state = (
        Random(3),
        opened("4C1 5C1", "R(5S1 XB1 7S2)", "S(9H1 9D1 9C2)", stock_count=60, upcard="8S1", phase="draw"),
    )
    natural = {card for meld in state.table.values() for card in meld.cards if not is_wild(card)}
    for _ in range(40):
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
        if state.results:
            break
        assert natural <= {card for meld in (state.table[1], state.table[2]) for card in meld.cards}
    assert refusal(opened("4C1 6S1", "R(5S1 6S2 7S2)"), "MELD R(5S1 6S1 7S2)") == "cards-from-hand"


@rule("push:meld-fixed")
def test_a_wild_card_keeps_the_place_it_was_laid_for():
    state = opened("8S1 4S1 9D1", "R(5S1 6S1 XB1)")
    assert refusal(state, "LAY 4S1>M1+") == "lay-off-fits"
    play(state, "LAY 8S1>M1+", "LAY 4S1>M1-")
    assert melds(state) == ["R(4S1 5S1 6S1 XB1 8S1)"]


@rule("push:cards-from-hand")
@pytest.mark.parametrize("move", ["LAY 9S2>M1", "DISC 9S2", "SWAP 9S2>M1=XB1 LAY>M2"])
def test_only_cards_of_the_own_hand_are_played(move):
    assert refusal(opened("4C1 5D1", "S(9C1 9D1 XB1)", "S(8C1 8D1 8H1)"), move) == "cards-from-hand"


# Wild cards


@rule("push:wild-cards")
@pytest.mark.parametrize("wild", ["2C1", "2H2", "XB1", "XR2"])
def test_deuces_and_jokers_stand_for_any_card(wild):
    state = opened(f"8H1 TH2 {wild} KC1")
    play(state, f"MELD R(8H1 {wild} TH2)")
    assert melds(opened("4C1", f"R(AS1 {wild} 3S1)")) == [f"R(AS1 {wild} 3S1)"]


@rule("push:wild-one-natural")
def test_one_natural_card_carries_any_number_of_wild_ones():
    state = play(opened("7S1 2C1 2D1 2H1 XB1 XR1 9C1"), "MELD R(2C1 2D1 7S1 2H1 XB1 XR1)")
    assert state.hands[N] == ("9C1",)


@rule("push:wild-declare")
def test_the_kind_and_the_order_say_what_an_ambiguous_meld_is():
    low = play(opened("7S1 XB1 2D1 9C1"), "MELD R(XB1 2D1 7S1)")
    assert refusal(low.copy(), "LAY 9C1>M1-") == "lay-off-fits"
    zone = next(zone for zone in low.view(E).zones if zone.id == "meld:1")
    assert zone.note == "XB1 is 5S, 2D1 is 6S"
    as_set = play(opened("7S1 XB1 2D1 9C1"), "MELD S(XB1 2D1 7S1)")
    assert melds(as_set) == ["S(7S1 2D1 XB1)"]


@rule("push:wild-declare")
def test_the_ace_at_the_end_of_a_run_says_which_end_it_is():
    high = opened("JS1 9C1", "R(2D1 XB1 AS1)")
    assert "LAY JS1>M1-" in legal(high)
    low = opened("4S1 9C1", "R(AS1 2D1 XB1)")
    assert "LAY 4S1>M1+" in legal(low)


@rule("push:wild-set-no-suit")
def test_a_wild_card_in_a_set_is_any_suit_that_the_set_lacks():
    state = opened("7D1 7C1 4C1", "S(7S1 7H1 2D1)")
    assert legal(state, "LAY") == {"LAY 7D1>M1", "LAY 7C1>M1"}


# The initial meld


@rule("push:contract-table", "push:open-all-at-once")
@pytest.mark.parametrize(
    ("deal", "hand", "right", "wrong"),
    [
        (1, "4S1 4H1 4D2 TC1 TD1 2S1 KH1", "S(4S1 4H1 4D2) S(TC1 TD1 2S1)", "S(4S1 4H1 4D2)"),
        (2, "4S1 4H1 4D2 9C1 TC1 JC1 QC1 KH1", "S(4S1 4H1 4D2) R(9C1 TC1 JC1 QC1)", "S(4S1 4H1 4D2) R(9C1 TC1 JC1)"),
        (3, "4S1 5S1 6S1 7S1 9C1 TC1 JC1 QC1 KH1", "R(4S1 5S1 6S1 7S1) R(9C1 TC1 JC1 QC1)", "R(4S1 5S1 6S1 7S1)"),
        (
            4,
            "4S1 4H1 4D2 5S1 5H1 5D2 6S1 6H1 6D2 KH1",
            "S(4S1 4H1 4D2) S(5S1 5H1 5D2) S(6S1 6H1 6D2)",
            "R(4S1 5S1 6S1) R(4H1 5H1 6H1) R(4D2 5D2 6D2)",
        ),
        (
            5,
            "3S1 4S1 5S1 6S1 7S1 8C1 9C1 TC1 JC1 QC1 KH1",
            "R(3S1 4S1 5S1 6S1 7S1) R(8C1 9C1 TC1 JC1 QC1)",
            "R(3S1 4S1 5S1 6S1 7S1) R(8C1 9C1 TC1 JC1)",
        ),
    ],
)
def test_each_deal_has_its_contract(deal, hand, right, wrong):
    state = table(deal=deal, hand=hand)
    assert refusal(state, f"OPEN {wrong}") == "contract-table"
    assert CONTRACTS[deal].words in str(refused(state, f"OPEN {wrong}"))
    assert len(legal(state, "OPEN")) == 1
    play(state, f"OPEN {right}")
    assert state.hands[N] == ("KH1",)
    assert state.opened == [True, False, False, False]


@rule("push:contract-table")
def test_the_contract_has_as_many_cards_as_each_player_is_dealt():
    assert [CONTRACTS[number].cards for number in range(1, 6)] == [6, 7, 8, 9, 10]


@rule("push:open-all-at-once", "push:contract-table")
def test_melds_of_the_initial_meld_are_tested_before_its_shape():
    state = table(hand="4S1 4H1 5D2 TC1 TD1 2S1 KH1")
    assert refusal(state, "OPEN S(4S1 4H1 5D2)") == "meld-set"
    assert refusal(state, "OPEN S(4S1 4H1 2S1) S(TC1 TD1 2S1)") == "cards-from-hand"


@rule("push:open-at-least")
def test_a_required_meld_may_be_longer_but_one_long_run_is_not_two():
    state = table(deal=2, hand="4S1 4H1 4D2 4C1 9C1 TC1 JC1 QC1 KC1 KH1")
    play(state.copy(), "OPEN S(4S1 4H1 4D2 4C1) R(9C1 TC1 JC1 QC1 KC1)")
    state = table(deal=3, hand="4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 KH1")
    assert refusal(state, "OPEN R(4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1)") == "contract-table"


@rule("push:open-from-hand")
def test_the_upcard_just_taken_helps_to_open_but_a_card_of_the_table_does_not():
    state = table(hand="4S1 4H1 TC1 TD1 2S1 KH1", upcard="4D2", table=["S(9C1 9D1 XB1)"], stock_count=9)
    play(state, "TAKE 4D2")
    assert refusal(state, "OPEN S(4S1 4H1 XB1) S(TC1 TD1 2S1)") == "cards-from-hand"
    play(state, "OPEN S(4S1 4H1 4D2) S(TC1 TD1 2S1)")
    assert state.taken_upcard is None
    assert legal(state, "DISC") == {"DISC KH1"}


@rule("push:open-individual")
@pytest.mark.parametrize("move", ["MELD S(4S1 4H1 4D2)", "LAY JC1>M1"])
def test_the_partners_initial_meld_does_not_count(move):
    state = table(hand="JC1 4S1 4H1 4D2 9D1", table=["S(JS1 JH1 JD1)"], laid_by=["S"])
    assert refusal(state, move) == "open-individual"
    assert state.opened == [False, False, True, False]


@rule("push:meld-further", "push:open-individual", "push:meld-optional")
def test_after_the_initial_meld_more_may_follow_in_the_same_turn():
    state = table(hand="JC1 3S1 3H1 3C2 9D1 9S2 2H2 5C1", table=["S(JS1 JH1 JD1)"], laid_by=["S"])
    play(state, "OPEN S(3S1 3H1 3C2) S(9D1 9S2 2H2)")
    assert refusal(state, "OPEN S(3S1 3H1 3C2) S(9D1 9S2 2H2)") == "meld-further"
    assert {"LAY JC1>M1", "DISC JC1", "DISC 5C1"} <= legal(state)
    play(state, "LAY JC1>M1")
    assert state.hands[N] == ("5C1",)
    assert state.to_act == (N,)


@rule("push:meld-further")
def test_further_melds_may_be_of_any_kind_and_size():
    state = play(opened("4C1 5C1 6C1 7C1 8C1 9H1", deal=1), "MELD R(4C1 5C1 6C1 7C1 8C1)")
    assert melds(state) == ["R(4C1 5C1 6C1 7C1 8C1)"]


@rule("push:meld-optional")
def test_nobody_has_to_meld():
    state = table(hand="4S1 4H1 4D2 TC1 TD1 2S1 KH1")
    assert "DISC KH1" in legal(state)
    play(state, "DISC KH1")
    assert state.to_act == (E,)
    assert "DISC 9S1" in legal(opened("JC1 9S1", "S(JS1 JH1 JD1)"))


@rule("push:lay-off-any")
@pytest.mark.parametrize("owner", ["N", "E", "S", "W"])
def test_one_lays_off_to_melds_of_anybody(owner):
    state = opened("JC1 9S1", "S(JS1 JH1 JD1)", laid_by=[owner])
    assert melds(play(state, "LAY JC1>M1")) == ["S(JS1 JH1 JD1 JC1)"]


@rule("push:lay-off-fits")
def test_a_card_is_laid_off_where_the_meld_stays_legal():
    state = opened("4S1 8S1 9C1 JC1 QC1 2H1 5S2 JS2", "R(5S1 6S1 7S1)", "S(JS1 JH1 JD1)")
    laying = {"LAY 4S1>M1-", "LAY 8S1>M1+", "LAY JC1>M2", "LAY 2H1>M1+", "LAY 2H1>M1-", "LAY 2H1>M2"}
    assert legal(state, "LAY") == laying
    assert refusal(state, "LAY 9C1>M1+") == "lay-off-fits"
    assert refusal(state, "LAY 4S1>M1+") == "lay-off-fits"
    assert refusal(state, "LAY 5S2>M1-") == "lay-off-fits"
    assert refusal(state, "LAY QC1>M2") == "lay-off-fits"
    assert refusal(state, "LAY 9C1>M7") == "lay-off-fits"


@rule("push:set-suits-differ", "push:set-max-four")
def test_lay_offs_keep_the_suits_and_the_size_of_a_set():
    state = opened("JS2 JC1 2H1 9C1", "S(JS1 JH1 JD1)")
    assert refusal(state, "LAY JS2>M1") == "set-suits-differ"
    play(state, "LAY JC1>M1")
    assert refusal(state, "LAY 2H1>M1") == "set-max-four"
    assert refusal(state, "LAY 9C1>M1") == "set-max-four"
    assert refusal(state, "LAY JS2>M1") == "set-suits-differ"
    assert legal(state, "LAY") == set()
    twin_deuce = opened("2H2 9C1", "S(JS1 JH1 JD1 2H1)")
    assert refusal(twin_deuce, "LAY 2H2>M1") == "set-max-four"


@rule("push:lay-off-fits")
def test_the_end_of_a_run_need_only_be_said_where_the_card_fits_both():
    state = opened("8S1 2H1 9C1", "R(5S1 6S1 7S1)")
    assert refusal(state, "LAY 2H1>M1") == "lay-off-fits"
    assert melds(play(state, "LAY 8S1>M1")) == ["R(5S1 6S1 7S1 8S1)"]
    assert melds(play(state, "LAY 2H1>M1-")) == ["R(2H1 5S1 6S1 7S1 8S1)"]


# Exchanging jokers

EXCHANGE = ("R(5S1 XB1 7S2)", "S(9H1 9D1 9C2)")


@rule("push:swap-joker", "push:swap-exact-card")
def test_the_natural_card_takes_the_jokers_place_in_anybodys_meld():
    state = opened("6S2 KD1 QC1", *EXCHANGE, laid_by=["E", "W"])
    assert legal(state, "SWAP") == {"SWAP 6S2>M1=XB1 LAY>M2"}
    play(state, "SWAP 6S2>M1=XB1 LAY>M2")
    assert melds(state) == ["R(5S1 6S2 7S2)", "S(9H1 9D1 9C2 XB1)"]
    assert state.laid_by == (E, W)


@rule("push:swap-joker")
@pytest.mark.parametrize("move", ["SWAP 6S2>M2=XB1 LAY>M1", "SWAP 6S2>M1=XR1 LAY>M2", "SWAP 6S2>M9=XB1 LAY>M2"])
def test_the_joker_must_lie_in_the_meld_that_is_named(move):
    assert refusal(opened("6S2 KD1 QC1", *EXCHANGE), move) == "swap-joker"


@rule("push:swap-timing")
def test_jokers_are_exchanged_between_draw_and_discard():
    state = opened("6S2 KD1", *EXCHANGE, upcard="QC1", stock_count=9, phase="draw")
    assert refusal(state, "SWAP 6S2>M1=XB1 LAY>M2") == "turn-order"
    play(state, "TAKE QC1")
    play(state.copy(), "SWAP 6S2>M1=XB1 LAY>M2")
    assert refusal(play(state, "DISC KD1"), "SWAP 6S2>M1=XB1 LAY>M2", seat=N) == "turn-order"


@rule("push:swap-use-at-once")
@pytest.mark.parametrize("move", ["SWAP 6S2>M1=XB1", "SWAP 6S2>M1=XB1 MELD S(KD1 KC1 KH1)"])
def test_the_joker_cannot_be_kept(move):
    assert refusal(opened("6S2 KD1 KC1 KH1", *EXCHANGE), move) == "swap-use-at-once"


@rule("push:swap-use-at-once")
def test_the_joker_may_go_into_a_new_meld():
    state = opened("6S2 8H1 TH2 QC1", *EXCHANGE)
    assert "SWAP 6S2>M1=XB1 MELD R(8H1 XB1 TH2)" in legal(state)
    play(state, "SWAP 6S2>M1=XB1 MELD R(8H1 XB1 TH2)")
    assert melds(state)[2] == "R(8H1 XB1 TH2)"
    assert state.hands[N] == ("QC1",)


@rule("push:swap-use-at-once", "push:lay-off-fits")
@pytest.mark.parametrize(
    ("move", "broken"),
    [
        ("SWAP 6S2>M1=XB1 LAY>M9", "lay-off-fits"),
        ("SWAP 6S2>M1=XB1 LAY>M3", "set-max-four"),
        ("SWAP 6S2>M1=XB1 MELD R(8H1 XB1 JH1)", "meld-run"),
        ("SWAP 6S2>M1=XB1 MELD R(6S2 XB1 8H1)", "cards-from-hand"),
        ("SWAP 6S2>M1=XB1 MELD R(8H1 XB1 XB1)", "cards-from-hand"),
    ],
)
def test_the_jokers_new_place_keeps_the_rules_of_melds(move, broken):
    state = opened("6S2 8H1 JH1 QC1", *EXCHANGE, "S(KS1 KH1 KD1 KC1)")
    assert refusal(state, move) == broken


@rule("push:swap-joker", "push:wild-cards")
def test_the_joker_may_be_melded_with_another_wild_card():
    state = opened("6S2 8H1 2D1 XR2 XB2 QC1", *EXCHANGE)
    assert {
        "SWAP 6S2>M1=XB1 MELD R(8H1 XB1 2D1)",
        "SWAP 6S2>M1=XB1 MELD R(2D1 XB1 8H1)",
        "SWAP 6S2>M1=XB1 MELD S(8H1 2D1 XB1)",
        "SWAP 6S2>M1=XB1 MELD S(QC1 XB1 XB2)",
    } <= legal(state, "SWAP")
    play(state, "SWAP 6S2>M1=XB1 MELD R(8H1 XB1 2D1)")
    assert melds(state)[2] == "R(8H1 XB1 2D1)"


@rule("push:swap-other-meld")
@pytest.mark.parametrize("end", ["", "+", "-"])
def test_the_joker_cannot_go_back_where_it_was(end):
    assert refusal(opened("6S2 KD1 QC1", *EXCHANGE), f"SWAP 6S2>M1=XB1 LAY>M1{end}") == "swap-other-meld"


@rule("push:swap-after-open")
def test_jokers_are_exchanged_after_the_own_initial_meld_which_may_be_of_the_same_turn():
    hand = "6S2 4S1 4H1 4D2 TC1 TD1 2S1 KH1"
    state = table(hand=hand, table=list(EXCHANGE), laid_by=["S", "S"])
    assert refusal(state, "SWAP 6S2>M1=XB1 LAY>M2") == "swap-after-open"
    assert refusal(state, "SWAP 6S2>M1=XB1 OPEN S(4S1 4H1 XB1) S(TC1 TD1 2S1)") == "swap-after-open"
    play(state, "OPEN S(4S1 4H1 4D2) S(TC1 TD1 2S1)", "SWAP 6S2>M1=XB1 LAY>M2")
    assert state.hands[N] == ("KH1",)
    assert refusal(opened("6S2 4S1 4H1 4D2", *EXCHANGE), "SWAP 6S2>M1=XB1 OPEN S(4S1 4H1 XB1)") == "meld-further"


@rule("push:swap-joker-only")
def test_a_deuce_or_a_natural_card_stays_where_it_is():
    state = opened("6S1 QC1", "R(5S1 2D1 7S1)", "S(QH1 QD1 QS1)")
    assert refusal(state, "SWAP 6S1>M1=2D1 LAY>M2") == "swap-joker-only"
    assert legal(state, "SWAP") == set()
    assert refusal(state, "SWAP QC1>M2=QH1 LAY>M1+") == "swap-joker-only"
    assert "QH1 is no joker" in str(refused(state, "SWAP QC1>M2=QH1 LAY>M1+"))


@rule("push:swap-natural-only", "push:wild-deuce-always")
def test_a_deuce_frees_no_joker_not_even_one_in_the_twos_place():
    state = opened("2S1 JC1", "R(AS1 XR1 3S2 4S1)", "S(QH1 QD1 QS1)")
    assert refusal(state, "SWAP 2S1>M1=XR1 LAY>M2") == "swap-natural-only"


@rule("push:swap-not-two")
def test_a_joker_that_stands_for_a_two_stays():
    state = opened("6S1 JC1", "R(AS1 XR1 3S2 4S1)", "S(QH1 QD1 QS1)")
    assert refusal(state, "SWAP 6S1>M1=XR1 LAY>M2") == "swap-not-two"


@pytest.mark.parametrize(
    ("move", "first"),
    [
        ("SWAP KD1>M2=XB1", "cards-from-hand"),
        ("SWAP 8S1>M2=XB1", "swap-joker"),
        ("SWAP 8S1>M1=XB1", "swap-exact-card"),
        ("SWAP 8S1>M1=XB1 LAY>M1+", "swap-exact-card"),
        ("SWAP 6S1>M1=XB1 MELD S(8S1 8H1)", "swap-use-at-once"),
    ],
)
def test_of_several_faults_an_exchange_is_refused_for_the_first(move, first):
    state = opened("6S1 8S1 8H1 JC1", "R(5S1 XB1 7S2)", "S(QH1 QD1 QS1)")
    assert refusal(state, move) == first


@rule("push:swap-exact-card")
@pytest.mark.parametrize(
    ("card", "meld", "is_right"),
    [
        ("6S2", "R(5S1 XB1 7S2)", True),
        ("6H1", "R(5S1 XB1 7S2)", False),
        ("8S1", "R(5S1 XB1 7S2)", False),
        ("7D1", "S(7S1 7H1 XB1)", True),
        ("7C2", "S(7S1 7H1 XB1)", True),
        ("7H2", "S(7S1 7H1 XB1)", False),
        ("8D1", "S(7S1 7H1 XB1)", False),
        ("7D1", "S(7S1 7H1 7C1 XB1)", True),
    ],
)
def test_only_the_card_that_the_joker_stands_for_frees_it(card, meld, is_right):
    state = opened(f"{card} JC1", meld, "S(QH1 QD1 QS1)")
    move = f"SWAP {card}>M1=XB1 LAY>M2"
    assert (move in legal(state)) == is_right
    if is_right:
        play(state, move)
    else:
        assert refusal(state, move) == "swap-exact-card"


@rule("push:swap-one-at-a-time")
def test_several_jokers_are_exchanged_one_after_another():
    state = opened("6S2 KD1 9S1 9D2", *EXCHANGE, "S(KS1 KH1 XR1)", "S(4C1 4D1 4H1)")
    play(state, "SWAP 6S2>M1=XB1 LAY>M2", "SWAP KD1>M3=XR1 LAY>M4")
    assert melds(state)[2:] == ["S(KS1 KH1 KD1)", "S(4H1 4D1 4C1 XR1)"]


# Going out and counting


@rule("push:out-immediate")
@pytest.mark.parametrize(
    ("hand", "moves"),
    [
        ("4C1 4D1 4H1", ["MELD S(4C1 4D1 4H1)"]),
        ("9S1", ["LAY 9S1>M2"]),
        ("6S2", ["SWAP 6S2>M1=XB1 LAY>M2"]),
        ("9S1 KD1", ["LAY 9S1>M2", "DISC KD1"]),
    ],
)
def test_the_deal_ends_when_a_hand_is_empty(hand, moves):
    state = play(opened(hand, *EXCHANGE), *moves)
    assert state.results[0].summary.startswith("@0 went out")
    assert state.deal_number == 2


@rule("push:out-immediate")
def test_nobody_plays_on_after_somebody_went_out():
    state = play(opened("9S1", *EXCHANGE), "LAY 9S1>M2")
    for after in (state, PUSH_GAME.load(state.dump())):
        assert refusal(after, "DISC 4C1", seat=N) == "out-immediate"
    over = play(opened("9S1", *EXCHANGE, options={"deals": 1}), "LAY 9S1>M2")
    with pytest.raises(NotYourTurn) as refusal_:
        over.play(N, PUSH_GAME.parse("DISC 4C1"))
    assert refusal_.value.rule == "push:out-immediate"
    with pytest.raises(ImpossiblePosition, match="just_out"):
        PUSH_GAME.load({"hands": {0: "4C1 5C1"}, "phase": "play", "just_out": True})


@rule("push:turn-order")
def test_after_somebody_went_out_the_next_deal_begins_with_the_upcard():
    state = play(opened("9S1", *EXCHANGE), "LAY 9S1>M2")
    for after in (state, PUSH_GAME.load(state.dump())):
        assert refusal(after, f"DISC {after.hands[after.to_act[0]][0]}") == "turn-order"
        assert refusal(after, "DISC 4C1") == "turn-order"


HOLDING = {N: "JC1", E: "KS1 2H1 5D1", S: "AH1 AD1 2C1", W: "AS1 TD1 XB1 9C1"}


def counted(**position) -> PushState:
    """N has gone out; E and W hold 35 and 50."""
    return play(table(hands=HOLDING, opened=True, table=["S(JH1 JD1 JS1)"], **position), "LAY JC1>M1")


@rule("push:score-winner-side-zero", "push:score-losers-both-hands")
def test_the_side_that_goes_out_pays_nothing_and_the_other_for_both_hands():
    state = counted(scores={"NS": 40, "EW": 10})
    assert state.results[0].points == (0, 85, 0, 85)
    assert state.scores == [40, 95]
    assert [(line.rule, line.seats, line.points) for line in state.results[0].lines] == [
        ("push:score-winner-side-zero", (N, S), 0),
        ("push:score-losers-both-hands", (E, W), 35),
        ("push:score-losers-both-hands", (E, W), 50),
    ]
    left = {zone.id: zone.note for zone in state.results[0].zones if zone.id.startswith("hand")}
    assert left == {"hand:1": "35 points", "hand:2": "pays nothing", "hand:3": "50 points"}


def test_a_finished_deal_is_numbered_as_it_was_played_also_from_a_position():
    assert counted(deal=4).results[0].number == 4
    assert counted(deal=5, extra_deals=2, options={"tiebreak": "extra_deal"}).results[0].number == 7
    assert counted(deal=4, options={"deals": 1}).results[0].number == 1


@rule("push:score-losers-both-hands")
def test_complete_melds_left_in_a_hand_cost_like_other_cards():
    hands = {N: "JC1", E: "KS1 KH1 KD1"}
    state = play(table(hands=hands, opened=True, table=["S(JH1 JD1 JS1)"]), "LAY JC1>M1")
    assert state.results[0].points[E] == 30


@rule("push:score-values")
@pytest.mark.parametrize(
    ("cards", "points"),
    [("2C1", 20), ("XB1", 20), ("AS1", 15), ("KS1 QS1 JS1 TS1", 40), ("9S1 8S1 7S1 6S1 5S1 4S1 3S1", 35)],
)
def test_each_card_has_its_penalty(cards, points):
    state = play(table(hands={N: "JC1", E: cards}), "DISC JC1")
    assert state.results[0].points[W] == points


@rule("push:score-dead-deal")
def test_in_a_dead_deal_each_side_pays_for_its_own_hands():
    state = play(table(hands={N: "4C1", E: "2C1", S: "KC1 AC1", W: "9C1 8C1 7C1"}, upcard="QH1"), "END")
    assert state.results[0].points == (30, 35, 30, 35)
    assert {line.rule for line in state.results[0].lines} == {"push:score-dead-deal"}
    summary = "No one went out; 30 points against @0 and @2, 35 against @1 and @3."
    assert state.results[0].summary == summary
    assert state.deals_won == [0, 0]


@rule("push:game-end")
def test_after_the_last_deal_the_fewer_points_win():
    state = counted(deal=5, scores={"NS": 100, "EW": 10})
    assert state.outcome().scores == (100, 95, 100, 95)
    assert state.outcome().places == (3, 1, 3, 1)
    assert counted(deal=4).outcome() is None


@rule("push:game-tie")
def test_equal_totals_are_decided_by_the_deals_gone_out():
    state = counted(deal=5, scores={"NS": 95, "EW": 10}, deals_won={"NS": 2, "EW": 2})
    assert state.outcome().places == (1, 3, 1, 3)
    state = counted(deal=5, scores={"NS": 95, "EW": 10}, deals_won={"NS": 1, "EW": 2})
    assert state.outcome().places == (1, 1, 1, 1)
    state = counted(deal=5, scores={"NS": 95, "EW": 10}, deals_won={"NS": 0, "EW": 2})
    assert state.outcome().places == (3, 1, 3, 1)


# Options


def test_three_deals_end_after_the_third():
    assert counted(deal=3, options={"deals": 3}).outcome() is not None
    assert counted(deal=2, options={"deals": 3}).deal_number == 3


@pytest.mark.parametrize("contract", CONTRACTS)
def test_one_deal_for_practice_has_the_contract_one_wants(contract):
    state = fresh(deals=1, contract=contract)
    assert len(state.hands[N]) == CONTRACTS[contract].cards
    assert play(table(options={"deals": 1}, deal=contract, hand="4C1"), "DISC 4C1").outcome() is not None


def test_extra_deals_repeat_the_last_contract_until_it_is_decided_three_at_most():
    tied = {"deal": 5, "scores": {"NS": 95, "EW": 10}, "options": {"tiebreak": "extra_deal"}}
    state = counted(**tied)
    assert (state.deal_number, state.extra_deals) == (5, 1) and state.to_act
    assert counted(**tied, extra_deals=2).extra_deals == 3
    assert counted(**tied, extra_deals=3).outcome().places == (1, 1, 1, 1)
    assert counted(**{**tied, "scores": {"NS": 0, "EW": 0}}, extra_deals=1).outcome().places == (1, 3, 1, 3)


def test_a_tie_can_be_a_draw_whoever_went_out_more_often():
    options = {"tiebreak": "draw"}
    state = counted(deal=5, scores={"NS": 95, "EW": 10}, deals_won={"NS": 3, "EW": 1}, options=options)
    assert state.outcome().places == (1, 1, 1, 1)


def test_a_joker_won_by_exchange_may_help_to_open_where_that_is_chosen():
    position = {"hand": "6S2 4S1 4H1 TC1 TD1 2S1 KH1", "table": list(EXCHANGE), "laid_by": ["S", "S"]}
    state = table(**position, options={"swap_before_open": True})
    move = "SWAP 6S2>M1=XB1 OPEN S(4S1 4H1 2S1) S(TD1 TC1 XB1)"
    assert legal(state, "OPEN", "SWAP") == {move}
    assert refusal(state, "SWAP 6S2>M1=XB1 LAY>M2") == "open-individual"
    assert refusal(state, "SWAP 6S2>M1=XB1 MELD R(6S2 XB1 KH1)") == "open-individual"
    assert refusal(state, "SWAP KH1>M1=XB1 LAY>M2") == "swap-exact-card"
    assert refusal(state, "SWAP 6S2>M1=XB1") == "swap-use-at-once"
    assert refusal(state, "SWAP 6S2>M1=XB1 OPEN S(4S1 4H1 XB1)") == "contract-table"
    play(state, move)
    assert melds(state) == ["R(5S1 6S2 7S2)", EXCHANGE[1], "S(4S1 4H1 2S1)", "S(TD1 TC1 XB1)"]
    assert refusal(table(**position), move) == "swap-after-open"


def test_the_upcard_may_go_straight_back_where_that_is_chosen():
    state = play(table(hand="4D1", upcard="7S2", stock_count=9, options={"taken_upcard_discard": True}), "TAKE 7S2")
    assert legal(state) == {"DISC 4D1", "DISC 7S2"}


def test_twins_share_a_set_where_that_is_chosen():
    options = {"set_duplicates": True}
    state = opened("8C1 8C2 8H1 8D1 8D2 8H2 8S1 8S2 4C1 XB1", options=options)
    assert refusal(state, "MELD S(8C1 8C2 8H1 8D1 8D2 8H2 8S1 8S2 XB1)") == "set-max-four"
    play(state, "MELD S(8C1 8C2 XB1)", "LAY 8H1>M1", "SWAP 8H2>M1=XB1 MELD S(8D1 8D2 XB1)")
    assert melds(state) == ["S(8H1 8H2 8C1 8C2)", "S(8D1 8D2 XB1)"]
    assert legal(table(hand="8C1 8C2 8H1 8D1 8D2 8H2 4C1", options=options), "OPEN")


def test_wild_cards_may_have_to_stay_to_the_last():
    options = {"wild_discard": "only_last"}
    state = table(hand="4C1 2D1 XB1", options=options)
    assert legal(state) == {"DISC 4C1"}
    assert refusal(state, "DISC 2D1") == "discard-any"
    assert legal(table(hand="2D1 XB1", options=options)) == {"DISC 2D1", "DISC XB1"}
    taken = table(hand="4C1 2D1 XB1", taken_upcard="4C1", options=options)
    assert legal(taken) == {"DISC 2D1", "DISC XB1"}


# Notation


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("take 9d1", "TAKE 9D1"),
        ("push", "PUSH"),
        ("PUSH 9D1+?", "PUSH"),
        ("PUSH 9D1+4C2=KH1", "PUSH"),
        (" open  r(9d1 td2 jd1 2h1)  s( 5c1, 5h1 5s2 )", "OPEN R(9D1 TD2 JD1 2H1) S(5S2 5H1 5C1)"),
        ("MELD R(TH2 XB1 8H1)", "MELD R(8H1 XB1 TH2)"),
        ("MELD R(9H1 8H1 TH2)", "MELD R(8H1 9H1 TH2)"),
        ("MELD R(9H1 XB1 TH2)", "MELD R(9H1 XB1 TH2)"),
        ("meld s(xb1 2d1 7s1)", "MELD S(7S1 2D1 XB1)"),
        ("lay 8s1 > m3 +", "LAY 8S1>M3+"),
        ("swap 6s2 > m1 = xb1 lay > m2", "SWAP 6S2>M1=XB1 LAY>M2"),
        ("SWAP 6S2>M1=XB1 meld r (8h1 xb1 th2)", "SWAP 6S2>M1=XB1 MELD R(8H1 XB1 TH2)"),
    ],
)
def test_moves_are_read_in_any_case_and_spacing(text, move):
    assert str(PUSH_GAME.parse(text)) == move
    assert PUSH_GAME.parse(move) == PUSH_GAME.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "TAKE",
        "TAKE 9D",
        "TAKE 9D3",
        "OPEN",
        "OPEN S()",
        "MELD 7S1",
        "MELD S(7S1) S(7H1)",
        "LAY 8S1",
        "LAY 8S1>3",
        "DISC",
    ],
)
def test_what_is_no_move_is_unreadable(text):
    with pytest.raises(UnreadableMove) as error:
        PUSH_GAME.parse(text)
    assert str(error.value).endswith(".")


# Finding and marking initial melds


def test_an_initial_meld_is_found_exactly_where_some_cards_of_the_hand_make_one():
    """Against trying every choice of as many cards as the contract has."""
    rng = Random(11)
    found = Counter()
    for _ in range(150):
        number = rng.choice([1, 2, 3])
        cards = rng.sample([card for card in PACK if card[1] in "SHX" or is_wild(card) or card[0] in "789"], 9)
        hand = in_hand_order(cards)
        contract = CONTRACTS[number]
        melds = find_initial_meld(ONE_OF_A_SUIT, contract, hand)
        choices = combinations(hand, contract.cards)
        assert (melds is not None) == any(split_into(ONE_OF_A_SUIT, contract, part) for part in choices)
        found[melds is not None] += 1
        if melds is not None:
            assert contract.is_met_by(melds)
            assert not any(map(ONE_OF_A_SUIT.fault, melds))
            assert Counter(card for meld in melds for card in meld.cards) <= Counter(hand)
    assert min(found.values()) > 20


def test_an_initial_meld_is_found_when_two_melds_want_the_same_card():
    contract = CONTRACTS[2]
    for hand in ("7S1 7H1 XB1 4S1 5S1 6S1 XR1", "7S1 XB1 XR1 5S1 6S1 8S1 2C1", "7S1 7H1 7D1 7C1 4S1 5S1 6S1"):
        assert find_initial_meld(ONE_OF_A_SUIT, contract, in_hand_order(hand.split())) is not None


@pytest.mark.parametrize(
    ("deal", "marked", "move"),
    [
        (1, "TC1 4S1 2S1 4H1 TD1 4D2", "OPEN S(4S1 4H1 4D2) S(TD1 TC1 2S1)"),
        (2, "2H1 5C1 9D1 5S2 JD1 5H1 TD2", "OPEN S(5S2 5H1 5C1) R(9D1 TD2 JD1 2H1)"),
        (3, "4S1 5S1 6S2 7S1 8S1 9S1 TS1 JS2", "OPEN R(4S1 5S1 6S2 7S1) R(8S1 9S1 TS1 JS2)"),
        (2, "4S1 4H1 4D2 4C1 QC1 KC1 AC1 XB1 JC1", "OPEN S(4S1 4H1 4D2 4C1) R(XB1 JC1 QC1 KC1 AC1)"),
    ],
)
def test_marked_cards_are_split_into_the_contract(deal, marked, move):
    state = table(deal=deal, hand=f"{marked} KH1")
    selection = state.view(N).selection
    assert selection is not None and set(marked.split()) <= set(selection.cards)
    assert str(PUSH_GAME.select(state.view(N), marked.split())) == move
    play(state, move)


def test_marked_cards_that_miss_the_contract_are_refused_by_its_rule():
    state = table(hand="4S1 4H1 4D2 TC1 TD1 2S1 KH1")
    for marked in ("4S1 4H1 4D2", "4S1 4H1 4D2 TC1 TD1 KH1", "4S1 4H1 4D2 TC1 TD1 2S1 KH1"):
        with pytest.raises(IllegalMove) as error:
            PUSH_GAME.select(state.view(N), marked.split())
        assert error.value.rule == "push:contract-table"


@pytest.mark.parametrize(
    ("marked", "move"),
    [
        ("8H1 6H1 7H1", "MELD R(6H1 7H1 8H1)"),
        ("QC1 QS1 XB1", "MELD S(QS1 QC1 XB1)"),
        ("XB1 8H1 6H1", "MELD R(6H1 XB1 8H1)"),
        ("6H1 7H1 XB1", "MELD R(6H1 7H1 XB1)"),
        ("XB1 6H1 7H1", "MELD R(XB1 6H1 7H1)"),
        ("QH1 KH1 AH1 XB1", "MELD R(XB1 QH1 KH1 AH1)"),
        ("7H1 XB1 2C1", "MELD R(7H1 XB1 2C1)"),
        ("AH1 2C1 7H1", "MELD R(AH1 7H1 2C1)"),
    ],
)
def test_marked_cards_of_an_open_player_are_read_as_one_meld(marked, move):
    state = opened("6H1 7H1 8H1 QC1 QS1 XB1 QH1 KH1 AH1 2C1 4D1")
    assert str(PUSH_GAME.select(state.view(N), marked.split())) == move


@pytest.mark.parametrize(
    ("deal", "marked", "moves"),
    [
        (1, "4S1 4H1 4D2 TC1 TD1 2S1", ["OPEN S(4S1 4H1 4D2) S(TD1 TC1 2S1)"]),
        (
            1,
            "6H1 6D1 6C1 6D2 2S1 XB1",
            [
                "OPEN S(6H1 6D1 6C1) S(6D2 2S1 XB1)",
                "OPEN S(6D1 6C1 2S1) S(6H1 6D2 XB1)",
                "OPEN S(6D1 6C1 XB1) S(6H1 6D2 2S1)",
            ],
        ),
        (
            2,
            "5S2 5H1 5C1 9D1 TD2 JD1 2H1",
            ["OPEN S(5S2 5H1 5C1) R(9D1 TD2 JD1 2H1)", "OPEN S(5S2 5H1 5C1) R(2H1 9D1 TD2 JD1)"],
        ),
        (3, "4S1 5S1 6S2 7S1 8S1 9S1 TS1 JS2", ["OPEN R(4S1 5S1 6S2 7S1) R(8S1 9S1 TS1 JS2)"]),
    ],
)
@rule("wild-declare")
def test_marked_cards_are_read_in_every_way_that_makes_the_contract(deal, marked, moves):
    """Ways that differ only in twins, or in deuces, count once."""
    state = table(deal=deal, hand=f"{marked} KH1")
    assert [str(move) for move in PUSH_GAME.readings(state.view(N), marked.split())] == moves
    for move in moves:
        play(state.copy(), move)
    if len(moves) == 1:
        assert str(PUSH_GAME.read_selection(state.view(N), marked.split())) == moves[0]
        return
    with pytest.raises(UnclearSelection) as error:
        PUSH_GAME.read_selection(state.view(N), marked.split())
    assert [str(choice.move) for choice in error.value.choices] == moves


def test_the_ways_to_lay_many_wild_cards_are_legal_and_not_too_many():
    marked = "JS2 QS1 2S1 2H1 2D1 2C1 XB1 XR1 2S2 2H2"
    state = table(deal=5, hand=f"{marked} KH1")
    found = [str(move) for move in PUSH_GAME.readings(state.view(N), marked.split())]
    assert len(found) == len(set(found)) == 24
    for move in found:
        play(state.copy(), move)


def test_every_division_is_found():
    """Against trying every choice of cards for the first meld, and every order of a run."""
    rng, several = Random(3), 0
    pool = [card for card in PACK if card[0] in "678X2" and card[1] in "SHBR"]
    for _ in range(60):
        contract = CONTRACTS[rng.choice([1, 2])]
        cards = rng.sample(pool, contract.cards)
        found = [differing(map(laid_out, melds)) for melds in divisions(ONE_OF_A_SUIT, contract, cards)]
        assert len(found) == len(set(found))
        assert {*found} == {*map(differing, divisions_by_trying(contract, cards))}
        several += len(found) > 1
    assert several > 10


def divisions_by_trying(contract, cards):
    (kind, size), (other_kind, _size) = contract.needs
    for part in combinations(cards, size):
        rest = [card for card in cards if card not in part]
        yield from product(melds_by_trying(kind, part), melds_by_trying(other_kind, rest))


def melds_by_trying(kind, cards):
    orders = [set_of(cards)] if kind == "set" else map(run_of, permutations(cards))
    return [meld for meld in orders if meld_fault(ONE_OF_A_SUIT, meld) is None]


def differing(melds):
    """The same for melds in another order, or with other twins."""
    return frozenset(Counter(map(alike, melds)).items())


def test_marked_cards_with_wild_cards_can_be_several_further_melds():
    view = opened("6H1 7H1 8H1 XB1 2D1 QC1 KC2").view(N)
    found = PUSH_GAME.readings(view, ["6H1", "7H1", "8H1", "2D1"])
    assert [str(move) for move in found] == ["MELD R(6H1 7H1 8H1 2D1)", "MELD R(2D1 6H1 7H1 8H1)"]
    assert [str(move) for move in PUSH_GAME.readings(view, ["6H1", "7H1", "8H1"])] == ["MELD R(6H1 7H1 8H1)"]
    assert len(PUSH_GAME.readings(view, ["7H1", "XB1", "2D1"])) == 7  # worked example 2


@pytest.mark.parametrize("marked", ["6H1 7H1 8H1 QC1 QS1 XB1", "QC1 QS1 XB1 QH1 KH1 AH1", "6H1 7H1 8H1 QH1 KH1 AH1"])
def test_two_melds_of_an_open_player_are_laid_one_at_a_time(marked):
    state = opened("6H1 7H1 8H1 QC1 QS1 XB1 QH1 KH1 AH1 2C1 4D1")
    with pytest.raises(IllegalMove, match="One meld at a time") as error:
        PUSH_GAME.select(state.view(N), marked.split())
    assert error.value.rule == "push:meld-further"


def test_cards_that_all_fit_a_meld_are_added_one_at_a_time():
    state = opened("4S1 9S1 KH1", "R(5S1 6S1 7S1 8S1)")
    with pytest.raises(UnreadableMove, match="Add one card at a time") as error:
        PUSH_GAME.attempt(state.view(N), ["4S1", "9S1", "meld:1"])
    assert error.value.rule == "push:lay-off-any"
    assert str(PUSH_GAME.attempt(state.view(N), ["4S1", "KH1", "meld:1"])) == "LAY 4S1>M1-"


@pytest.mark.parametrize(
    ("marked", "why"),
    [
        ("4C1 9H1 QD1", "have different ranks and suits: they make no meld."),
        ("6H1 7H1 8C1", "have different suits: a run has one suit."),
        ("AC1 2D1 3H1", "have different suits: a run has one suit."),
        ("QH1 KD1 AC1", "have different suits: a run has one suit."),
    ],
)
def test_cards_far_from_a_run_are_not_told_of_runs(marked, why):
    error = refused(opened(f"{marked} KS2"), f"MELD R({marked})")
    assert str(error).endswith(why)
    assert error.rule == "push:meld-run"


def test_a_melding_with_wild_cards_is_a_button_too_since_it_can_be_several():
    view = opened("7S1 XB1 2D1 QS1 QH1 QD1").view(N)
    shown = {str(move) for move in view.offered}
    assert "MELD S(QS1 QH1 QD1)" not in shown
    assert {"MELD R(XB1 2D1 7S1)", "MELD S(7S1 2D1 XB1)", "DISC 7S1"} <= shown
    assert len([move for move in view.moves if isinstance(move, NewMeld)]) > 7


def test_the_table_does_not_offer_the_initial_meld_that_the_engine_found():
    view = table(hand="4S1 4H1 4D2 TC1 TD1 2S1 KH1").view(N)
    assert {str(move).split()[0] for move in view.offered} == {"DISC"}
    assert (view.selection.verb, view.selection.low) == ("Open with", 6)
    assert table(hand="4S1 4H1").view(N).selection is None
    assert table(hand="4S1", upcard="QH1").view(N).selection is None


# Positions and views


@pytest.mark.parametrize(
    "position",
    [
        {"hands": {N: "4C1 4C1"}},
        {"hands": {N: "4C3"}},
        {"hands": {"Q": "4C1"}},
        {"hands": {N: "4C1"}, "stock": "4C1"},
        {"hands": {N: "4C1"}, "dealer": "Q"},
        {"hands": {N: "4C1"}, "table": ["S(8S1 8H1)"]},
        {"hands": {N: "4C1"}, "table": ["8S1 8H1 8D1"]},
        {"hands": {N: "4C1"}, "table": ["Q(8S1 9S1 TS1)"]},
        {"hands": {N: "4C1"}, "table": {"M1": "S(8S1 8H1 8D1)", "M3": "S(9S1 9H1 9D1)"}},
        {"hands": {N: "4C1"}, "table": 5},
        {"hands": {N: "4C1"}, "opened": 5},
        {"hands": {N: "4C1"}, "hand": "5C1"},
        {"hands": {N: "4C1"}, "upcard": "9D1", "taken_upcard": "4C1"},
        {"hands": {N: "4C1", E: "5C1"}, "taken_upcard": "5C1"},
        {"hands": {N: "4C1"}, "table": {"M2": "S(8S1 8H1 8D1)"}},
        {"hands": {N: "4C1"}, "table": "S(8S1 8H1 8D1)"},
        {"hands": {N: "4C1"}, "laid_by": ["N"]},
        {"hands": {N: "4C1"}, "opened": "yes"},
        {"hands": {N: "4C1"}, "upcard": "QH1 KH1"},
        {"hands": {N: "4C1"}, "taken_upcard": "QH1"},
        {"hands": {N: "4C1"}, "known": "QH1"},
        {"hands": {N: "4C1"}, "turned_back": "XB1"},
        {"hands": {N: "4C1"}, "turned_back": "XB1 XB1", "stock": "XB1", "upcard": "QH1"},
        {"hands": {N: "4C1"}, "deal": 6},
        {"hands": {N: "4C1"}, "phase": "nap"},
        {"hands": {N: "4C1"}, "scores": [1, 2, 3, 4]},
        {"hands": {N: "4C1"}, "upcard": "QH1", "stall": 9},
        {"hands": {E: "4C1"}},
        {"hands": {N: "4C1"}, "stall": 9},
        {"hands": {N: "4C1"}, "opened": {"Q": True}},
        {"hands": {N: "4C1"}, "deal": 5, "extra_deals": 1},
        {"hands": {N: "4C1"}, "deal": 4, "extra_deals": 1, "options": {"tiebreak": "extra_deal"}},
        {"to_move": None, "deal": 4},
        {"to_move": None, "deal": 5, "hands": {N: "4C1"}},
    ],
)
def test_positions_that_cannot_be_are_refused(position):
    with pytest.raises(ImpossiblePosition) as error:
        table(**position)
    assert str(error.value).endswith(".")


def test_sides_and_open_seats_may_be_written_as_lists_or_text():
    state = table(hand="4C1", opened="s, W", scores=[10, 20], deals_won=(1, 2), table=["S(8S1 8H1 8D1)"], laid_by="n")
    assert state.opened == [True, False, True, True]
    assert (state.scores, state.deals_won, state.laid_by) == ([10, 20], [1, 2], (N,))
    assert table(hand="4C1", opened={"E": True, "S": None}).opened == [False, True, False, False]


def test_seats_and_sides_may_be_named_by_letters():
    state = table(
        dealer="n", to_move="E", hands={"E": "4C1", "w": "5C1"}, opened=["E", "S"], scores={"ns": 10, "EW": 20}
    )
    assert (state.dealer, state.to_act) == (N, (E,))
    assert state.opened == [False, True, True, False]
    assert state.scores == [10, 20]


def test_a_finished_game_can_be_loaded():
    state = table(to_move=None, deal=5, scores={"NS": 10, "EW": 20})
    assert state.outcome().places == (1, 3, 1, 3)
    assert refusal_when_over(state) == "push:game-end"
    assert table(phase="over", scores={"NS": 10, "EW": 20}).outcome().places == (1, 3, 1, 3)
    assert table(phase="over", options={"deals": 3}, deals_won=[2, 1]).outcome().places == (1, 3, 1, 3)


def refusal_when_over(state: PushState) -> str:
    with pytest.raises(NotYourTurn) as error:
        state.play(N, PUSH_GAME.parse("PUSH"))
    return error.value.rule


def test_what_the_table_says_of_itself():
    state = counted(deal=1)
    facts = dict(state.view(E).facts)
    assert facts["Deal"] == "2 of 5"
    assert facts["Contract"] == "a set of three and a run of four"
    assert facts["Went out"] == "@0 and @2 1, @1 and @3 0"
    assert facts["Dealer"] == "@0"
    assert "Dealer" not in dict(table(phase="over", scores={"NS": 10, "EW": 20}).view(N).facts)
    assert dict(fresh(deals=1, contract=4).view(N).facts)["Deal"] == "for practice"
    assert dict(table(hand="4C1", upcard="QH1", stall=3).view(N).facts)["Upcards taken in a row"] == "3 of 8"


@pytest.mark.parametrize(
    ("position", "prompt"),
    [
        ({"upcard": "QH1", "stock_count": 9}, "Take QH1, or push it and a stock card. Contract: two sets of three."),
        ({"upcard": "QH1"}, "Take QH1, or end the deal. Contract: two sets of three."),
        ({"upcard": "QH1", "opened": True}, "Take QH1, or end the deal."),
        ({}, "Discard a card, or choose all the cards of your contract: two sets of three."),
        ({"opened": True}, "Add cards to melds, or choose three or more for a new meld; then discard a card."),
    ],
)
def test_the_prompt_says_what_one_may_do(position, prompt):
    assert table(hand="4C1", **position).view(N).prompt == prompt


def test_log_lines_read_as_sentences():
    state = opened("6S2 8H1 TH2 QC1 4C1 2H1", *EXCHANGE, upcard="QD1", stock_count=9, phase="draw")
    play(state, "TAKE QD1", "SWAP 6S2>M1=XB1 MELD R(8H1 XB1 TH2)", "LAY 2H1>M1+", "DISC QC1", "PUSH")
    assert [render_text(event.text, ["Ann", "Bob", "Cleo", "Dora"]) for event in state.log] == [
        "Ann takes the upcard QD1",
        "Ann lays the run from 8H to TH: 8H1 XB1 TH2, with XB1 freed by 6S2",
        "Ann adds 2H1 to meld 1",
        "Ann discards QC1",
        "Bob pushes QC1 and a card from the stock to Cleo",
    ]


def test_of_melds_with_equal_wild_cards_one_is_offered_sets_first_then_runs_upwards():
    state = PUSH_GAME.load(
        {
            "deal": 1,
            "hands": {0: "6C1 6S1 7C1 2D1 2H1 KH1"},
            "table": ["S(8S1 8H2 8D1)"],
            "opened": [0],
            "to_move": 0,
            "stock_count": 20,
        }
    )
    view = state.view(0)
    offered = [view.choice(move) for move in view.offered if isinstance(move, NewMeld)]
    named = [choice.phrase.text for choice in offered]
    assert named
    assert len(named) == len({re.sub("2[DH]1", "2", text) for text in named}), named
    kinds = ["set" if "the set" in text else "run" for text in named]
    assert kinds == sorted(kinds, key=["set", "run"].index)
    starts = [RANKS.index(re.search(r"from (.)", text)[1]) for text in named if "from" in text]
    assert starts == sorted(starts)
    assert all(choice.touches == in_hand_order(choice.touches) for choice in offered)


def test_a_card_is_added_to_a_meld_named_by_its_owner_and_kind():
    state = PUSH_GAME.load(
        {
            "deal": 1,
            "hands": {0: "TH1 8C1 KC1 KS1"},
            "table": ["S(8S1 8H2 8D1)", "R(7H1 8H1 9H1)"],
            "laid_by": [0, 3],
            "opened": [0, 3],
            "to_move": 0,
            "stock_count": 20,
        }
    )
    view = state.view(0)
    named = {str(move): view.choice(move).phrase.text for move in view.offered}
    assert named["LAY TH1>M2+"] == "[add] TH1 to @3's run from 7H to 9H"
    assert named["LAY 8C1>M1"] == "[add] 8C1 to @0's set of 8S1 8H2 8D1"


def test_a_set_is_named_with_its_wild_cards():
    view = opened("6C1 KH1 KS1", "S(6D1 2S1 XB1)", laid_by=[N]).view(N)
    named = {str(move): view.choice(move).phrase.text for move in view.offered}
    assert named["LAY 6C1>M1"] == "[add] 6C1 to @0's set of 6D1 2S1 XB1"
