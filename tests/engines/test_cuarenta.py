"""Cuarenta, rule by rule: positions in the notation of `Cuarenta.load`, moves in their text form."""

import re
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.contract import BadOption, ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks
from games.core.words import render_text
from games.engines.cuarenta.game import CUARENTA
from games.engines.cuarenta.moves import PACK, QUIET_DEAL, RANKS
from games.engines.cuarenta.rondas import four_in, ronda_in
from games.engines.cuarenta.state import CuarentaState
from tests.engines.states import legal, play, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "cuarenta_examples.yaml").read_text())


def table(**position) -> CuarentaState:
    """Seat 0 deals and seat 1 is to move, unless the position says otherwise."""
    return CUARENTA.load(position)


def pot(cards: str, *, mine: str, theirs: str = "2H 7D", options: dict | None = None, **more) -> CuarentaState:
    """Seat 1, to move, holds `mine`."""
    return table(to_move=1, pot=cards, hands={1: mine, 0: theirs}, options=options or {}, **more)


def piles(state: CuarentaState) -> list[int]:
    return [len(cards) for cards in state.dump()["captured"]]


def last_lines(state: CuarentaState) -> list[tuple[str, tuple[int, ...], int]]:
    return [(line.rule.removeprefix("cuarenta:"), line.seats, line.points) for line in state.results[-1].lines]


# The worked examples


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = play(CUARENTA.load(example["setup"]), *example.get("play", []))
    position = state.dump()
    for what, expected in example["expect"].items():
        if what == "moves":
            assert set(legal(state)) == set(expected)
        elif what == "illegal":
            assert {move: refusal(state, move) for move in expected} == expected
        elif what == "captured":
            assert dict(enumerate(piles(state))) == expected
        elif what == "next_dealer":
            assert position["dealer"] == expected
        elif isinstance(expected, dict):
            assert {place: position[what][place] for place in expected} == expected
        else:
            assert position[what] == expected


# The pack and the deal


@rule("cuarenta:deck-40")
def test_the_pack_has_no_eights_nines_and_tens_and_the_ace_is_low():
    assert len(CUARENTA.deck({})) == 40
    assert {card[0] for card in CUARENTA.deck({})} == set("A234567JQK")
    assert RANKS == "A234567JQK"
    for card in ("8S", "9D", "TC", "10C"):
        with pytest.raises(UnreadableMove, match="8, 9 and 10"):
            CUARENTA.parse(card)


@rule("cuarenta:first-dealer")
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_drawn_dealer_deals_first_and_the_other_plays_first(dealer):
    state = CUARENTA.start(numbered_decks(PACK, QUIET_DEAL), seats=2, dealer=dealer)
    assert (state.dealer, state.to_act) == (dealer, (1 - dealer,))


@rule("cuarenta:deal-five", "cuarenta:turn-order")
def test_five_cards_each_go_out_in_one_batch_to_the_non_dealer_first():
    deck = next(numbered_decks(PACK, QUIET_DEAL))
    state = CUARENTA.start(numbered_decks(PACK, QUIET_DEAL), seats=2, dealer=1)
    assert state.hands == [list(deck[:5]), list(deck[5:10])]
    assert state.stock == list(deck[10:])
    assert state.pot == []


@rule("cuarenta:deal-again", "cuarenta:pot-stays", "cuarenta:turn-order")
def test_five_more_are_dealt_when_both_hands_are_empty_and_the_pot_stays():
    stock = "AC 2C 3C 4C 5D AD 2D 3D 4D 5S"
    state = play(table(to_move=1, pot="7C", hands={1: "JC", 0: "QC"}, stock=stock), "JC")
    assert state.to_act == (0,)
    play(state, "QC")
    assert state.hands == ["AD 2D 3D 4D 5S".split(), "AC 2C 3C 4C 5D".split()]
    assert (state.pot, state.to_act, state.batch_number) == (["7C", "JC", "QC"], (1,), 2)


@rule("cuarenta:deal-again")
def test_a_hand_has_four_deals():
    state = CUARENTA.start(numbered_decks(PACK, QUIET_DEAL), seats=2)
    deals = set()
    rng = Random(3)
    while not state.results:
        deals.add((state.batch_number, len(state.stock)))
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    assert deals == {(1, 30), (2, 20), (3, 10), (4, 0)}


@rule("cuarenta:deal-alternates")
def test_after_each_hand_the_other_player_deals():
    assert table(dealer=0, captured=[14, 24], pot="3C QD").dealer == 1
    state = table(dealer=1, captured=[14, 24], pot="3C QD")
    assert (state.dealer, state.to_act, state.deal_number) == (0, (1,), 2)


@rule("cuarenta:no-misdeal")
def test_every_deal_stands_and_there_is_nothing_to_play_but_the_cards():
    state = table(deck="AC AD AH 2C 2D 3C 3D 3H 4C 4D")
    assert set(legal(state)) == set("AC AD AH 2C 2D".split())
    assert not any(rule_id == "no-misdeal" for rule_id, _, _ in last_lines(table(captured=[20, 20])))


# Announcements


FOUR_FOURS = "4S 4D 4C 4H 6S"


@rule("cuarenta:four-wins")
@pytest.mark.parametrize(("deck", "winner"), [(f"{FOUR_FOURS} AC 2D 3H JS QC", 1), (f"AC 2D 3H JS QC {FOUR_FOURS}", 0)])
def test_four_of_a_kind_wins_the_whole_game_at_once(deck, winner):
    state = table(deck=deck, scores=[39, 39])
    outcome = state.outcome()
    assert outcome.winners == (winner,)
    assert outcome.scores == (39, 39)
    assert state.to_act == ()
    assert last_lines(state) == [("four-wins", (winner,), 0)]
    assert CUARENTA.load(state.dump()).outcome() == outcome


@rule("cuarenta:four-wins")
def test_with_four_of_a_kind_on_both_sides_the_non_dealer_wins():
    assert table(dealer=0, deck=f"{FOUR_FOURS} 5S 5D 5C 5H 7S").outcome().winners == (1,)
    assert table(dealer=1, deck=f"{FOUR_FOURS} 5S 5D 5C 5H 7S").outcome().winners == (0,)


@rule("cuarenta:ronda")
@pytest.mark.parametrize(
    ("hand", "ronda"),
    [("AC 5C 7C 2D KH", 3), ("AC 5C 7C KC 2D", 4), ("AC 5C 7C KC QC", 5), ("AC 5C 7D KD QH", 0)],
)
def test_three_or_more_of_a_suit_are_worth_four_points_once(hand, ronda):
    state = table(deck=f"{hand} 4S 4D JH QD 6S")
    assert state.scores == [0, 4 if ronda else 0]
    assert len(state.rondas[1]) == ronda


@rule("cuarenta:ronda", "cuarenta:ronda-auto")
def test_both_may_have_a_ronda_and_the_non_dealers_is_booked_first():
    deck = "AC 5C 7C 2D KH 4S 5S JS QC 6D"
    assert table(deck=deck).scores == [4, 4]
    assert table(dealer=0, deck=deck, scores=[36, 36]).outcome().winners == (1,)
    assert table(dealer=1, deck=deck, scores=[36, 36]).outcome().winners == (0,)


@rule("cuarenta:ronda", "cuarenta:ronda-auto")
def test_only_the_word_is_said_and_the_suit_stays_hidden():
    state = table(deck="AC 5C 7C 2D KH 4S 4D JH QC 6S")
    other = state.view(0)
    assert other.proclaimers == (1,)
    assert other.announcements == ((1, "Ronda"),)
    assert other.ronda == ()
    texts = [repr(other.log), repr(other.facts), repr([zone.note for zone in other.zones]), other.prompt]
    assert not re.search(r"\b[A2-7JQK][CDHS]\b", " ".join(texts))
    assert "announces a ronda: 4 points" in render_text(other.log[-1].text, ["Anna"] * 4)
    assert [state.view(seat).ronda for seat in (1, None)] == [("AC", "5C", "7C"), ()]


@rule("cuarenta:ronda-cards")
def test_all_cards_of_the_suit_belong_to_the_ronda():
    state = table(deck="AC 5C 7C KC 2D 4S 4D JH QC 6S")
    assert set(state.rondas[1]) == {"AC", "5C", "7C", "KC"}
    for card in ("AC", "KC"):
        caught = table(to_move=0, hands={0: "3S"}, rondas={1: "AC 5C 7C KC"}, falls=[[0, 1, card]])
        assert play(caught, "3S", f"R:{card}").results[-1].points[0] == 10


def test_the_ronda_of_a_table_may_be_three_of_a_rank():
    deck = "4S 4D 4C 2H KD AC 5C 7C KC 6S"
    state = table(deck=deck, options={"ronda": "rank"})
    assert (state.scores, state.rondas) == ([0, 4], [(), ("4S", "4D", "4C")])
    assert table(deck=deck).scores == [4, 0]


STOCK_WITH_RONDA = "AC 2C 3C 4D 5D AS 2D 3H 4H 5S"


@pytest.mark.parametrize(("announce", "scores"), [("first", [0, 0]), ("every", [0, 4])])
def test_rondas_may_count_at_every_deal(announce, scores):
    options = {"announce": announce}
    state = table(to_move=0, hands={0: "JC"}, pot="7C", stock=STOCK_WITH_RONDA, options=options)
    assert play(state, "JC").scores == scores
    fours = table(to_move=0, hands={0: "JC"}, stock="4S 4C 4D 4H 2C AS 2D 3H 7H 5S", options=options)
    assert (play(fours, "JC").winner is None) == (announce == "first")


# Playing a card


@rule("cuarenta:turn-order")
def test_the_turn_alternates_and_one_card_is_played():
    state = pot("3C", mine="KS QH", theirs="2H 7D")
    assert refusal(state, "2H", seat=0) == "turn-order"
    play(state, "KS")
    assert state.to_act == (0,)
    with pytest.raises(NotYourTurn):
        state.play(1, CUARENTA.parse("QH"))
    assert refusal(state, "QH", seat=0) == refusal(state, "3Hx3C", seat=0) == "turn-order"
    play(state, "2H")
    assert (state.to_act, state.hands) == ((1,), [["7D"], ["QH"]])


@rule("cuarenta:lay")
def test_a_card_that_takes_nothing_lies_open_in_the_pot():
    state = play(pot("3C QD", mine="KS 7S"), "KS")
    assert state.pot == ["3C", "QD", "KS"]
    assert piles(state) == [0, 0]
    assert {zone.id: zone.cards for zone in state.view(None).zones}["pot"] == ("3C", "QD", "KS")
    assert [render_text(event.text, ["Anna"] * 4) for event in state.view(0).log] == ["Anna lays KS"]


@rule("cuarenta:match")
@pytest.mark.parametrize("rank", RANKS)
def test_any_rank_matches_its_own(rank):
    assert legal(pot(f"{rank}C", mine=f"{rank}S", theirs="")) == [f"{rank}Sx{rank}C"]


@rule("cuarenta:match")
def test_a_match_takes_no_other_rank_and_nothing_that_is_not_there():
    state = pot("4C KD", mine="5S KH")
    assert refusal(state, "5Sx4C") == "match"
    assert refusal(state, "KHx4C") == "match"
    assert refusal(state, "KHxKC") == "match"
    assert "Choose from 4C KD" in str(refused(state, "KHxKC"))


@rule("cuarenta:add")
def test_two_or_more_cards_are_taken_if_they_add_up():
    state = pot("AC 2C 3D 4H 6S KD", mine="7S")
    assert set(legal(state)) == {"7SxAC+2C+4H", "7SxAC+6S", "7Sx3D+4H"}
    assert refusal(state, "7Sx2C+4H") == "add"
    assert refusal(state, "7Sx3D+5C") == "add"
    assert refusal(state, "7SxAC+AC+2C+3D") == "add"
    assert refusal(state, "7S") == "capture-must"


@rule("cuarenta:add")
def test_a_table_may_add_exactly_two_cards():
    state = pot("AC 2C 3D 4H 6S KD", mine="7S 6D", options={"add_size": "two"})
    assert set(legal(state)) == {"6Dx6S", "6Dx2C+4H", "7SxAC+6S", "7Sx3D+4H"}
    assert refusal(state, "7SxAC+2C+4H") == "add"
    alone = pot("AC 2C 4H", mine="7S", options={"add_size": "two"})
    assert legal(alone) == ["7S"]


@rule("cuarenta:add-no-faces")
def test_faces_neither_add_nor_are_added():
    state = pot("2C 5D QD JC", mine="7S QH KS")
    assert legal(state) == ["7Sx2C+5D", "7Sx2C+5D>JC", "7Sx2C+5D>JCQD", "QHxQD", "KS"]
    assert refusal(state, "7SxJC+5D") == "add-no-faces"
    assert refusal(state, "KSx2C+5D") == "add-no-faces"
    assert refusal(state, "QHx2C+QD") == "add-no-faces"
    assert refusal(state, "7S") == "capture-must"


@rule("cuarenta:one-capture")
def test_a_turn_has_one_capture_and_the_sequence_comes_on_top_of_either():
    state = pot("2C 3D 4H AS 5D 6S", mine="5S")
    assert set(legal(state)) == {f"5Sx{taken}{run}" for taken in ("5D", "AS+4H", "2C+3D") for run in ("", ">6S")}
    assert refusal(state, "5SxAS+4H+5D") == "one-capture"
    assert refusal(state, "5SxAS+2C+3D+4H") == "one-capture"
    assert refusal(state, "5SxAS+5D") == "one-capture"
    assert refusal(state, "5SxAS+3D") == "add"


@rule("cuarenta:sequence")
def test_the_sequence_runs_up_to_the_king_and_not_round_to_the_ace():
    state = pot("AC 6D 7H JC QD KS", mine="6S KH")
    assert "6Sx6D>7HJCQDKS" in legal(state)
    assert [move for move in legal(state) if move.startswith("KH")] == ["KHxKS"]
    assert refusal(state, "KHxKS>AC") == "sequence"


@rule("cuarenta:sequence")
def test_the_sequence_starts_right_above_the_card_played():
    state = pot("2C 3D 4C 6H 7S", mine="5D 3S")
    assert refusal(state, "5Dx2C+3D>4C") == "sequence"
    assert refusal(state, "5Dx2C+3D>4C6H7S") == "sequence"
    assert refusal(state, "3Sx3D>2C") == "sequence"
    assert refusal(state, "5Dx2C+3D>6D") == "sequence"
    play(state, "3Sx3D>4C")
    assert state.pot == ["2C", "6H", "7S"]


@rule("cuarenta:sequence")
def test_without_a_capture_there_is_no_sequence():
    state = pot("5D 6H", mine="4S")
    assert legal(state) == ["4S"]
    assert refusal(state, "4Sx5D") == "match"


@rule("cuarenta:sequence-gap")
def test_a_sequence_may_be_short_but_has_no_gap():
    state = pot("4D 5H 6S 7C QD", mine="4S")
    assert legal(state) == ["4Sx4D", "4Sx4D>5H", "4Sx4D>5H6S", "4Sx4D>5H6S7C"]
    assert refusal(state, "4Sx4D>6S") == "sequence-gap"
    assert refusal(state, "4Sx4D>5H7C") == "sequence-gap"
    assert refusal(state, "4Sx4D>5H6S7CQD") == "sequence-gap"


@rule("cuarenta:capture-must")
def test_a_card_that_can_capture_must_but_another_card_may_be_played():
    state = pot("4D AC 2C KH", mine="4S 3S KD 7S")
    for move in ("4S", "3S", "KD", "7S"):
        assert refusal(state, move) == "capture-must"
    assert legal(pot("4D KH", mine="4S QC")) == ["4Sx4D", "QC"]


@rule("cuarenta:pile")
def test_the_card_played_and_what_it_took_go_to_the_pile_and_show_until_the_next_card():
    state = play(pot("4D 5H KC", mine="4S QH"), "4Sx4D>5H")
    assert (state.piles, state.pot) == ([[], ["4S", "4D", "5H"]], ["KC"])
    zones = {zone.id: zone for zone in state.view(0).zones}
    assert (zones["pile:1"].cards, zones["pile:1"].count) == (("4S", "4D", "5H"), 3)
    play(state, "2H")
    for viewer in (0, 1, None):
        view = state.view(viewer)
        zones = {zone.id: zone for zone in view.zones}
        assert (zones["pile:1"].cards, zones["pile:1"].count) == ((), 3)
        assert not re.search(r"4S|4D|5H", repr(view.log) + repr(view))


@rule("cuarenta:pile")
def test_the_piles_and_the_record_open_after_the_hand():
    state = play(table(to_move=0, pot="KC", hands={0: "KD"}, captured=["AC AD", "2C 2D"]), "KDxKC")
    zones = {zone.id: zone.cards for zone in state.results[-1].zones}
    assert zones == {"pile:0": ("AC", "AD", "KC", "KD"), "pile:1": ("2C", "2D")}
    assert render_text(state.view(1).log[0].text, ["@0"] * 4) == "@0 takes KC with KD: limpia, 2 points"


@rule("cuarenta:distinct-ranks")
def test_the_pot_never_holds_two_cards_of_one_rank():
    rng = Random(5)
    state = CUARENTA.start(numbered_decks(PACK, 5), seats=2)
    while state.to_act:
        assert len({card[0] for card in state.pot}) == len(state.pot)
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    with pytest.raises(ImpossiblePosition, match="two cards of one rank"):
        table(pot="4C 4D")
    assert table(pot="4C 4D", hands={1: "KS"}, options={"capture": "may"}).pot == ["4C", "4D"]


# Overlooked cards


def overlooked(**more) -> CuarentaState:
    """Seat 1 has taken the four and the five and overlooked the six and the seven; seat 0 is to move."""
    setting = {"theirs": "2H KD", "captured": [5, 5], **more}
    return play(pot("4D 5H 6S 7C QD", mine="4S QH", **setting), "4Sx4D>5H")


@rule("cuarenta:oversight")
def test_overlooked_cards_are_claimed_before_playing_and_the_turn_stays():
    state = overlooked()
    assert legal(state) == ["O:6S7C", "2H", "KD"]
    play(state, "o: 7c, 6s")
    assert (piles(state), state.pot, state.to_act) == ([7, 8], ["QD"], (0,))
    assert legal(state) == ["2H", "KD"]
    assert refusal(state, "O:6S7C") == "oversight"


@rule("cuarenta:oversight")
def test_all_overlooked_cards_are_claimed_and_no_others():
    state = overlooked()
    for claim in ("O:6S", "O:7C", "O:6S7CQD", "O:QD"):
        assert refusal(state, claim) == "oversight"
    assert refusal(state, "O-") == "oversight"
    assert refusal(pot("4D 5H", mine="4S"), "O:5H") == "oversight"
    assert refusal(play(pot("4D 5H KC", mine="4S KS"), "4Sx4D>5H"), "O:KC") == "oversight"


@rule("cuarenta:oversight")
def test_the_table_does_not_mark_what_was_overlooked():
    view = overlooked().view(0)
    assert [str(move) for move in view.offered] == ["2H", "KD"]
    assert view.selection.cards == ("6S", "7C", "QD")
    whole = play(pot("4D 5H QD", mine="4S QH"), "4Sx4D>5H").view(0)
    assert (whole.selection.verb, whole.selection.cards) == ("Claim", ("QD",))
    assert whole.prompt == view.prompt
    shown = repr([view.zones, view.facts, view.prompt, view.log, view.announcements])
    assert shown.count("6S") == 1, "only where it lies in the pot"
    assert CUARENTA.select(view, ["7C", "6S"]) == CUARENTA.parse("O:6S7C")
    with pytest.raises(UnreadableMove):
        CUARENTA.select(view, [])


def test_a_last_card_is_not_played_unasked_where_there_may_be_a_claim():
    short, whole = (play(pot("4D 5H QD", mine="4S", theirs="KS"), move) for move in ("4Sx4D", "4Sx4D>5H"))
    assert short.view(0).forced is whole.view(0).forced is None
    laid = play(pot("4D", mine="KS", theirs="QS"), "KS")
    assert laid.view(0).forced == CUARENTA.parse("QS")
    assert laid.view(0).selection is None
    swept = play(pot("4D", mine="4S KS", theirs="QS"), "4Sx4D").view(0)
    assert swept.forced == CUARENTA.parse("QS")
    assert "claim" not in swept.prompt


@rule("cuarenta:oversight-expires")
def test_the_right_ends_when_its_owner_plays_a_card():
    state = overlooked()
    assert refusal(state, "O:6S7C", seat=1) == "oversight-expires"
    play(state, "2H")
    assert refusal(state, "O:6S7C") == "oversight-expires"
    assert refusal(state, "O:6S7C", seat=0) == "oversight-expires"
    play(state, "QHxQD")
    assert refusal(state, "O:6S7C") == "oversight-expires"
    assert state.pot == ["6S", "7C", "2H"]


@rule("cuarenta:oversight-expires")
def test_the_right_survives_a_new_deal():
    stock = "AC 2C 3C 4C 5D AD 2D 3D 4H 5S"
    state = play(table(dealer=0, to_move=0, pot="4D 6S 5H", hands={0: "4S"}, stock=stock), "4Sx4D")
    assert (state.to_act, state.batch_number) == ((1,), 2)
    play(state, "O:5H6S")
    assert piles(state) == [2, 2]
    assert state.to_act == (1,)


@rule("cuarenta:oversight-expires")
def test_after_the_last_play_of_a_hand_the_claim_comes_before_the_count():
    position = {"dealer": 0, "to_move": 0, "pot": "4D 6S 5H", "hands": {0: "4S"}, "captured": [16, 18]}
    state = play(table(**position), "4Sx4D")
    assert (state.phase, state.to_act, legal(state)) == ("claim", (1,), ["O:5H6S", "O-"])
    assert refusal(state, "O:6S") == "oversight"
    assert refusal(state, "4C") == "oversight"
    assert refusal(state, "R-") == "oversight"
    assert [str(move) for move in state.view(1).offered] == ["O-"]
    assert state.view(1).selection.cards == ("5H", "6S")
    assert play(state.copy(), "O:5H6S").scores == [0, 6]
    assert play(state.copy(), "O-").scores == [0, 2]
    nothing_overlooked = play(table(**{**position, "pot": "4D 6S 5H QD"}), "4Sx4D>5H6S")
    assert nothing_overlooked.results[-1].points == (6, 0)


@rule("cuarenta:oversight-no-score")
def test_claimed_cards_make_no_caida_and_no_limpia():
    state = play(pot("4D 5H", mine="4S KS"), "4Sx4D", "O:5H")
    assert (state.scores, state.pot) == ([0, 0], [])
    assert state.view(None).announcements == ()


def test_a_table_may_take_sequences_whole():
    options = {"oversight": "auto"}
    state = pot("4D 5H 6S QD", mine="4S QH", options=options)
    assert legal(state) == ["4Sx4D>5H6S", "QHxQD"]
    assert refusal(state, "4Sx4D") == refusal(state, "4Sx4D>5H") == "oversight"
    play(state, "4Sx4D>5H6S")
    assert legal(state) == ["2H", "7D"]
    assert refusal(state, "O:QD") == "oversight"
    assert state.view(0).selection is None


# Points during play


@rule("cuarenta:caida")
def test_a_caida_takes_the_card_just_laid_by_a_match():
    state = play(pot("2D 6H KC", mine="5S QS", theirs="5C 2H"), "QS", "5C")
    assert play(state.copy(), "5Sx5C").scores == [0, 2]
    assert play(state.copy(), "5Sx5C>6H").scores == [0, 2]
    assert dict(state.view(None).facts)["Card that can fall (caída)"] == "@0's 5C"
    assert dict(play(state.copy(), "5Sx5C").view(None).facts)["Card that can fall (caída)"] == "none"


@rule("cuarenta:caida")
def test_adding_or_a_sequence_is_no_caida_and_nor_is_an_older_card():
    added = play(pot("2D KC", mine="5S QS", theirs="3C AC"), "QS", "3C", "5Sx2D+3C")
    assert added.scores == [0, 0]
    run = play(pot("4D KC", mine="4S QS", theirs="5C AC"), "QS", "5C", "4Sx4D>5C")
    assert run.scores == [0, 0]
    old = play(pot("2D KC", mine="QS 5S JS", theirs="5C 6C"), "QS", "5C", "JS", "6C", "5Sx5C")
    assert old.scores == [0, 0]
    own = pot("5C KC", mine="5S", last_play=[0, "KC"])
    assert play(own, "5Sx5C").scores == [0, 0]


@rule("cuarenta:caida")
def test_after_a_capture_there_is_no_card_to_fall_on():
    state = play(pot("2D KC", mine="QS 5S", theirs="5C 2H KH"), "QS", "2Hx2D", "5S")
    assert state.last_play == (1, "5S")
    state = play(pot("5D 2D", mine="QS 5S", theirs="2H KH"), "QS", "2Hx2D", "5Sx5D")
    assert state.scores == [0, 0]


@rule("cuarenta:caida")
def test_nobody_falls_on_a_card_of_his_own():
    own = pot("5C KC", mine="5S KS", last_play=[1, "5C"])
    assert dict(own.view(1).facts)["Card that can fall (caída)"] == "none"
    assert play(own, "5Sx5C").scores == [0, 0]
    alone = play(pot("KC", mine="5S 5C QS", theirs=""), "5C", "5Sx5C")
    assert alone.scores == [0, 0], "seat 0 had no card to play in between"


@rule("cuarenta:caida-deal")
def test_the_first_play_of_a_deal_is_no_caida():
    stock = "JD 2C 3C 5D 7H AD 3D 4S 6H QC"
    state = play(table(dealer=0, to_move=0, pot="KS", hands={0: "JC"}, stock=stock), "JC")
    assert state.last_play is None
    assert play(state, "JDxJC").scores == [0, 0]


@rule("cuarenta:limpia")
def test_a_capture_that_empties_the_pot_is_worth_two_by_any_kind_of_capture():
    assert play(pot("2C 3D", mine="5S KS"), "5Sx2C+3D").scores == [0, 2]
    assert play(pot("5D 6D 7H", mine="5S KS"), "5Sx5D>6D7H").scores == [0, 2]
    assert play(pot("5D 6D 7H", mine="5S KS"), "5Sx5D>6D").scores == [0, 0]
    both = play(pot("5D", mine="5S KS", last_play=[0, "5D"]), "5Sx5D")
    assert (both.scores, both.view(0).announcements) == ([0, 4], ((1, "Caída and limpia"),))


@rule("cuarenta:limpia-38")
@pytest.mark.parametrize(("before", "after"), [(35, 37), (36, 38), (37, 39), (38, 38), (39, 39)])
def test_from_38_on_a_limpia_is_worth_nothing(before, after):
    assert play(pot("5D", mine="5S KS", scores=[0, before]), "5Sx5D").scores == [0, after]


@rule("cuarenta:limpia-38", "cuarenta:forty-wins")
def test_at_36_a_caida_with_a_limpia_wins_because_38_is_looked_at_before_the_play():
    state = play(pot("5D", mine="5S KS", scores=[0, 36], last_play=[0, "5D"]), "5Sx5D")
    assert state.outcome().scores == (0, 40)
    assert last_lines(state) == [("caida", (1,), 2), ("limpia", (1,), 2)]


@rule("cuarenta:limpia-38")
def test_at_38_and_39_everything_else_still_scores():
    assert play(pot("5D KC", mine="5S KS", scores=[0, 38], last_play=[0, "5D"]), "5Sx5D").winner == 1
    assert table(deck="AC 5C 7C 2D KH 4S 4D JH QC 6S", scores=[0, 38]).winner == 1
    assert table(captured=[14, 20], scores=[0, 39]).winner == 1
    caught = table(to_move=0, hands={0: "3S"}, rondas={1: "4H 6H QH"}, falls=[[0, 1, "4H"]], scores=[38, 0])
    assert play(caught, "3S", "R:4H").winner == 0


AT_38 = {"at_38": "only-caida"}


def test_a_table_may_let_only_caidas_score_from_38_on():
    assert table(deck="AC 5C 7C 2D KH 4S 4D JH QC 6S", scores=[0, 38], options=AT_38).scores == [0, 38]
    assert table(deck="AC 5C 7C 2D KH 4S 4D JH QC 6S", scores=[0, 37], options=AT_38).winner == 1
    assert table(captured=[14, 20], scores=[0, 38], options=AT_38).scores == [0, 38]
    caught = table(
        to_move=0,
        hands={0: "3S"},
        pot="KC",
        rondas={1: "4H 6H QH"},
        falls=[[0, 1, "4H"]],
        scores=[38, 0],
        options=AT_38,
    )
    assert play(caught, "3S", "R:4H").scores[0] == 38
    assert play(pot("5D KC", mine="5S KS", scores=[0, 38], last_play=[0, "5D"], options=AT_38), "5Sx5D").winner == 1
    assert table(deck=f"{FOUR_FOURS} AC 2D 3H JS QC", scores=[0, 38], options=AT_38).winner == 1


@pytest.mark.parametrize(
    "state",
    [
        pot("5D KC", mine="5S KS", last_play=[0, "5D"]),
        pot("5D", mine="5S KS", last_play=[0, "5D"]),
        table(deck="AC 5C 7C 2D KH 4S 4D JH QC 6S", scores=[0, 38], options=AT_38),
    ],
    ids=["caída", "caída y limpia", "ronda barred"],
)
def test_a_dump_keeps_what_was_announced_last(state):
    if state.pot:
        play(state, "5Sx5D")
    loaded = CUARENTA.load(state.dump())
    assert state.view(None).announcements != ()
    assert loaded.view(None).announcements == state.view(None).announcements
    assert loaded.view(None).log == state.view(None).log
    assert loaded.dump() == state.dump()


def test_a_ronda_is_proclaimed_even_where_38_points_bar_it():
    view = table(deck="AC 5C 7C 2D KH 4S 4D JH QC 6S", scores=[0, 38], options=AT_38).view(0)
    assert (view.announcements, view.proclaimers) == (((1, "Ronda"),), (1,))
    assert render_text(view.log[-1].text, ["Anna"] * 4) == "Anna announces a ronda: no points"


@pytest.mark.parametrize(
    ("scores", "dealer", "winner"), [([38, 39], 0, 1), ([39, 38], 0, 0), ([38, 38], 0, 1), ([38, 38], 1, 0)]
)
def test_hand_sixty_is_the_last_one(scores, dealer, winner):
    state = table(hand=60, dealer=dealer, captured=[18, 18], scores=scores, options=AT_38)
    assert state.outcome().winners == (winner,)
    assert state.outcome().reason.startswith("Hand 60 was the last one")
    assert table(hand=59, dealer=dealer, captured=[18, 18], scores=scores, options=AT_38).outcome() is None


# Catching a ronda


def proclaimed(**more) -> CuarentaState:
    """Seat 1 proclaimed hearts; seat 0 is to move and falls on the four that seat 1 has just laid."""
    position = {
        "dealer": 0, "to_move": 0, "pot": "KC 4H", "last_play": [1, "4H"], "hands": {0: "4S 3S", 1: "6H"},
        "rondas": {1: "4H 6H QH"}, "stock": "2C 3C 5D 7D AD 3D 4D 6C QC JD", **more,
    }  # fmt: skip
    return table(**position)


@rule("cuarenta:ronda-caida")
def test_a_caught_ronda_card_may_be_declared_at_the_start_of_a_later_turn_of_the_deal():
    state = play(proclaimed(), "4Sx4H")
    assert state.scores == [2, 0]
    assert refusal(state, "R:4H") == "ronda-caida"
    play(state, "6H")
    assert legal(state) == ["R:4H", "3S"]
    play(state, "R:4H")
    assert (state.scores, state.to_act, legal(state)) == ([12, 0], (0,), ["3S"])
    assert play(state, "3S").phase == "play"


def test_the_prompt_says_what_is_to_be_done_now():
    laid = play(pot("4D", mine="KS", theirs="QS"), "KS").view(0)
    missed = play(pot("4D 5H QD", mine="4S", theirs="KS"), "4Sx4D").view(0)
    asked = play(proclaimed(), "4Sx4H", "6H", "3S").view(0)
    last = {"dealer": 0, "to_move": 0, "pot": "4D 6S 5H", "hands": {0: "4S"}, "captured": [16, 18]}
    assert laid.prompt == "Play one card: match, add, or lay it in the pot."
    assert missed.prompt == (
        f"{laid.prompt} If the last play left cards that it could have taken, choose them first to claim them."
    )
    assert asked.prompt.startswith("The deal is over. Which card you caught was part of the ronda?")
    assert play(table(**last), "4Sx4D").view(1).prompt.startswith("The hand is over. Claim")


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("4SxQD", "4S takes a card of its own rank, or cards that add up to 4. QD alone is neither."),
        ("KSxQD", "KS only takes a card of its own rank, and QD isn't one."),
        ("4SxAC+2D", "AC 2D add up to 3, not 4."),
        ("4SxAC+QD", "QD has no number, so it can't be part of a sum."),
        ("4SxAC+3D+4H", "4S takes one equal card, or one set that adds up to 4."),
        ("4Sx4H>QD", "4S without a gap. 5C may come along, lowest first."),
        ("KSxKH>5C", "A sequence only goes up from KS. Nothing follows it here."),
        ("4S", "4S can take something, so you may not just lay it."),
        ("O:5C", "The last play overlooked nothing that you may claim."),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_may_be_done(move, told):
    state = table(to_move=1, pot="AC 2D 3D 4H 5C QD KH", hands={0: "2H", 1: "4S KS"})
    assert told in str(refused(state, move))


@rule("cuarenta:ronda-caida")
def test_after_the_deal_the_player_is_asked_before_the_next_deal_or_the_count():
    state = play(proclaimed(), "4Sx4H", "6H", "3S")
    assert (state.phase, state.to_act, legal(state)) == ("declare", (0,), ["R:4H", "R-"])
    assert dict(state.view(0).facts)["Card that can fall (caída)"] == "none", "the deal is over"
    assert refusal(state, "O:KC") == refusal(state, "KC") == "ronda-declare"
    assert play(state.copy(), "R-").scores == [2, 0]
    play(state, "R:4H")
    assert (state.scores, state.batch_number) == ([12, 0], 2)
    at_the_end = play(proclaimed(stock=[]), "4Sx4H", "6H", "3S", "R:4H")
    assert ("ronda-caida", (0,), 10) in last_lines(at_the_end)


@rule("cuarenta:ronda-caida")
def test_a_fall_on_somebody_without_a_ronda_is_not_to_be_declared():
    state = table(to_move=0, hands={0: "3S", 1: "2D"}, falls=[[0, 1, "4H"]])
    assert refusal(state, "R:4H") == "ronda-caida"


@rule("cuarenta:ronda-caida")
def test_nobody_is_asked_without_a_caida_on_a_proclaimer():
    state = play(proclaimed(rondas={}), "4Sx4H", "6H", "3S")
    assert (state.phase, state.scores, state.batch_number) == ("play", [2, 0], 2)
    older = play(proclaimed(last_play=None), "4Sx4H", "6H", "3S")
    assert (older.phase, older.scores) == ("play", [0, 0])


@rule("cuarenta:ronda-caida")
def test_a_card_that_was_no_own_caida_of_this_deal_cannot_be_declared():
    state = play(proclaimed(), "4Sx4H", "6H")
    for card in ("R:6H", "R:QH", "R:KC"):
        assert refusal(state, card) == "ronda-caida"
    assert "You may name 4H" in str(refused(state, "R:QH"))
    assert refusal(pot("5D", mine="KS"), "R:5D") == "ronda-caida"
    later = play(proclaimed(), "4Sx4H", "6H", "3S", "R-")
    assert refusal(later, "R:4H") == "ronda-caida"


@rule("cuarenta:ronda-caida")
def test_the_ten_points_are_paid_once_for_a_ronda():
    falls = [[0, 1, "4H"], [0, 1, "QH"]]
    state = table(dealer=0, to_move=0, hands={0: "3S"}, pot="KC", rondas={1: "4H 6H QH"}, falls=falls)
    state.stock = "2C 3C 5D 7D AD 3D 4D 6C QC JD".split()
    play(state, "3S")
    assert legal(state) == ["R:4H", "R:QH", "R-"]
    play(state, "R:QH")
    assert (state.scores, state.phase, state.batch_number) == ([10, 0], "play", 2)


@rule("cuarenta:ronda-declare")
def test_a_wrong_card_scores_nothing_and_there_is_no_second_try():
    falls = [[0, 1, "4H"], [0, 1, "2S"]]
    state = table(dealer=0, to_move=0, hands={0: "3S 5S", 1: "6H"}, pot="KC", rondas={1: "4H 6H QH"}, falls=falls)
    assert legal(state) == ["R:4H", "R:2S", "3S", "5S"]
    assert refusal(state, "R-") == "ronda-declare"
    play(state, "R:2S")
    assert (state.scores, legal(state)) == ([0, 0], ["3S", "5S"])
    assert refusal(state, "R:4H") == "ronda-declare"
    assert "no points" in render_text(state.view(1).log[-1].text, ["Anna"] * 4)
    play(state, "3S", "6H", "5S")
    assert state.results[-1].points[0] == 0


@rule("cuarenta:ronda-declare")
def test_only_the_catcher_sees_the_list_of_what_he_caught():
    state = play(proclaimed(), "4Sx4H", "6H")
    assert [fall.card for fall in state.view(0).falls] == ["4H"]
    assert state.view(1).falls == state.view(None).falls == ()
    assert "4H" not in repr(state.view(None))


@pytest.mark.parametrize(
    ("falls", "points"),
    [
        ([[0, 1, "4H"]], 10),
        ([[0, 1, "2S"]], 0),
        ([[0, 1, "2S"], [0, 1, "QH"]], 10),
        ([[0, 1, "4H"], [0, 1, "QH"]], 10),
    ],
)
def test_a_table_may_book_caught_rondas_by_itself(falls, points):
    state = table(
        dealer=0, to_move=0, hands={0: "3S"}, pot="KC", rondas={1: "4H 6H QH"}, falls=falls,
        options={"ronda_claim": "auto"},
    )  # fmt: skip
    assert legal(state) == ["3S"]
    assert refusal(state, "R:4H") == "ronda-declare"
    assert play(state, "3S").results[-1].points[0] == points


def test_a_booked_ronda_can_win_the_game():
    options = {"ronda_claim": "auto"}
    state = play(proclaimed(options=options, scores=[29, 0]), "4Sx4H", "6H", "3S")
    assert state.outcome().scores == (41, 0)


@pytest.mark.parametrize(("option", "declared"), [("caida", []), ("any", ["R:4H"])])
def test_a_table_may_pay_for_any_capture_of_a_ronda_card(option, declared):
    position = {
        "dealer": 0, "to_move": 0, "pot": "3C 4H", "laid_by": {"4H": 1, "3C": 0}, "hands": {0: "3S AS", 1: "JH"},
        "rondas": {1: "4H 6H JH"}, "options": {"ronda_capture": option},
    }  # fmt: skip
    state = play(table(**position), "3Sx3C>4H", "JH")
    assert [move for move in legal(state) if move.startswith("R")] == declared
    added = play(table(**{**position, "hands": {0: "7S AS", 1: "JH"}}), "7Sx3C+4H", "JH")
    assert [move for move in legal(added) if move.startswith("R")] == declared


@pytest.mark.parametrize(("rondas", "falls"), [({1: "4H 6H JH", 0: "2C 5C 6C"}, ((0, 1, "4H"),)), ({}, ())])
def test_only_what_an_opponent_laid_in_this_deal_after_his_ronda_is_caught(rondas, falls):
    """The three is of an earlier deal, and the five is seat 0's own."""
    position = {"dealer": 0, "to_move": 0, "pot": "3C 4H 5C", "laid_by": {"4H": 1, "5C": 0}, "rondas": rondas}
    state = table(**position, hands={0: "3S AS", 1: "JH"}, options={"ronda_capture": "any"})
    assert play(state, "3Sx3C>4H5C").falls == falls


# The end of a hand


@rule("cuarenta:residue")
def test_what_is_left_in_the_pot_belongs_to_nobody():
    state = play(table(to_move=0, pot="3C QD", hands={0: "7S"}, captured=[17, 20], last_capturer=1), "7S")
    assert state.scores == [0, 6]
    zones = {zone.id: zone for zone in state.results[-1].zones}
    assert (zones["pot"].cards, zones["pile:1"].count) == (("3C", "QD", "7S"), 20)


def test_a_table_may_give_what_is_left_to_the_last_capturer_without_a_limpia():
    options = {"residue": "last"}
    position = {"to_move": 0, "pot": "3C QD", "hands": {0: "7S"}, "captured": [18, 19], "options": options}
    assert play(table(**position, last_capturer=0), "7S").scores == [6, 0]
    assert play(table(**position, last_capturer=1), "7S").scores == [0, 7]
    assert play(table(**position), "7S").scores == [0, 2]
    over = play(table(**position, last_capturer=0, scores=[36, 0]), "7S")
    assert CUARENTA.load(over.dump()).outcome() == over.outcome()


@rule("cuarenta:count-twenty")
@pytest.mark.parametrize(
    ("cards", "single", "even"),
    [
        (20, 6, 6),
        (21, 6, 8),
        (22, 7, 8),
        (23, 7, 10),
        (24, 8, 10),
        (26, 9, 12),
        (28, 10, 14),
        (30, 11, 16),
        (40, 16, 26),
    ],
)
def test_twenty_cards_are_worth_six_and_every_two_more_a_point(cards, single, even):
    counts = [40 - cards if cards > 20 else 19, cards]
    assert table(captured=counts).results[-1].points == (0, single)
    assert last_lines(table(captured=counts)) == [("count-twenty", (1,), single)]
    assert table(captured=counts, options={"count": "even"}).results[-1].points == (0, even)


@rule("cuarenta:count-both")
@pytest.mark.parametrize("dealer", [0, 1])
def test_with_twenty_each_only_the_non_dealer_scores_six(dealer):
    state = table(dealer=dealer, captured=[20, 20])
    assert last_lines(state) == [("count-both", (1 - dealer,), 6)]


@rule("cuarenta:count-neither")
@pytest.mark.parametrize(
    ("counts", "dealer", "side"), [([18, 17], 0, 0), ([3, 19], 1, 1), ([17, 17], 0, 1), ([17, 17], 1, 0)]
)
def test_below_twenty_the_majority_is_worth_two_and_a_tie_goes_to_the_non_dealer(counts, dealer, side):
    state = table(dealer=dealer, captured=counts)
    assert last_lines(state) == [("count-neither", (side,), 2)]


def test_the_result_of_a_hand_lists_everything_that_was_scored_in_it():
    tally = {"ronda": [1, 1], "caida": [3, 0], "limpia": [0, 2], "ronda-caida": [1, 0]}
    state = table(captured=[14, 24], tally=tally, scores=[20, 8])
    assert last_lines(state) == [
        ("ronda", (0,), 4), ("ronda", (1,), 4), ("caida", (0,), 6), ("limpia", (1,), 4), ("ronda-caida", (0,), 10),
        ("count-twenty", (1,), 8),
    ]  # fmt: skip
    assert state.results[-1].points == (20, 16)
    assert state.results[-1].summary == "This hand: @0 20, @1 16."


# The end of the game


@rule("cuarenta:forty-wins")
def test_the_game_ends_the_moment_a_player_has_forty_even_in_the_middle_of_a_deal():
    state = play(pot("5D KC", mine="5S KS", theirs="2H 7D", scores=[30, 38], last_play=[0, "5D"]), "5Sx5D")
    outcome = state.outcome()
    assert (outcome.winners, outcome.scores, outcome.places) == ((1,), (30, 40), (2, 1))
    assert outcome.reason == "@1 reached 40."
    assert state.dump()["phase"] == "over"
    assert refusal(state, "2H", seat=0) == "forty-wins"
    assert refusal(state, "O:KC", seat=0) == "forty-wins"


@rule("cuarenta:forty-wins", "cuarenta:order-of-points")
def test_a_declaration_wins_before_the_count():
    position = {"to_move": 0, "hands": {0: "3S"}, "rondas": {1: "4H 6H QH"}, "falls": [[0, 1, "4H"]]}
    state = play(table(**position, captured=[10, 24], scores=[31, 38]), "3S", "R:4H")
    assert (state.outcome().winners, state.scores) == ((0,), [41, 38])


@rule("cuarenta:order-of-points")
def test_points_are_booked_in_order_so_the_first_to_forty_has_won():
    rondas = "AC 5C 7C 2D KH 4S 5S JS QC 6D"
    assert table(dealer=0, deck=rondas, scores=[39, 36]).scores == [39, 40]
    assert table(dealer=0, deck=rondas, scores=[36, 35]).scores == [40, 39]
    four = "AC 5C 7C 2C KH 4S 4D 4C 4H 6S"
    assert table(dealer=0, deck=four, scores=[0, 36]).outcome().winners == (0,)


def test_the_best_of_three_is_won_with_two_games_and_the_loser_deals_the_next():
    options = {"match": "best-of-3"}
    position = {"scores": [30, 38], "last_play": [0, "5D"], "options": options}
    state = play(pot("5D KC", mine="5S KS", **position, dealer=0), "5Sx5D")
    assert (state.games, state.scores, state.dealer, state.deal_number) == ([0, 1], [0, 0], 0, 1)
    assert (state.outcome(), state.pot, list(map(len, state.hands))) == (None, [], [5, 5])
    again = play(pot("5D KC", mine="5S KS", **position, dealer=1, hand=3), "5Sx5D")
    assert (again.dealer, again.hands_before) == (0, 3)
    won = play(pot("5D KC", mine="5S KS", **position, games=[1, 1]), "5Sx5D")
    assert (won.outcome().winners, won.outcome().scores) == ((1,), (1, 2))
    assert won.outcome().reason == "@1 reached 40 and won 40 to 30. That makes 2 games to 1."
    assert CUARENTA.load(won.dump()).outcome() == won.outcome()


# Tables where a capture may be left out


MAY = {"capture": "may"}


def test_a_card_that_could_capture_may_be_laid_by_option():
    state = pot("4D 5H KC", mine="4S", theirs="KS", options=MAY)
    assert legal(state) == ["4S", "4Sx4D", "4Sx4D>5H"]
    play(state, "4S")
    assert legal(state) == ["O:4D5H", "KS", "KSxKC"]
    play(state, "O:4D5H")
    assert (state.pot, piles(state)) == (["KC", "4S"], [2, 0])


def test_a_capture_left_out_is_claimed_also_where_sequences_are_taken_whole():
    state = play(pot("4D 5H KC", mine="4S", theirs="KS", options={**MAY, "oversight": "auto"}), "4S")
    assert legal(state) == ["O:4D5H", "KS", "KSxKC"]


def test_with_two_cards_of_a_rank_a_match_takes_one_of_them():
    state = pot("4D 4C 5D 5H", mine="4S", options=MAY)
    assert legal(state) == ["4S", *(f"4Sx{card}{run}" for card in ("4C", "4D") for run in ("", ">5D"))]
    assert refusal(state, "4Sx4C+4D") == "one-capture"
    assert refusal(state, "4Sx4C>5H") == "sequence"
    assert refusal(state, "4Sx4C>5D5H") == "sequence-gap"


def test_one_of_several_captures_left_out_is_claimed():
    state = play(pot("AC 3D 4H 7S", mine="4S QS", options=MAY), "4S")
    assert [move for move in legal(state) if move.startswith("O")] == ["O:4H", "O:AC3D"]
    assert refusal(state, "O:AC3D4H") == "oversight"
    assert [str(move) for move in state.view(0).offered if str(move).startswith("O")] == []
    assert CUARENTA.load(state.dump()).dump() == state.dump()


def test_the_card_just_laid_may_still_be_fallen_upon_after_a_claim():
    state = play(pot("4D KC", mine="4S QS", theirs="4H 2H", options=MAY), "4S", "O:4D", "4Hx4S")
    assert state.scores == [2, 0]


# Reading moves and positions


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("4h", "4H"), (" 4Hx4C ", "4Hx4C"), ("4h X 4c > 6s 5d", "4Hx4C>5D6S"), ("5Hx3D+2C", "5Hx2C+3D"),
        ("5H x 3d, 2c > 6S", "5Hx2C+3D>6S"), ("o:6s5d", "O:5D6S"), ("O : 5D 6S", "O:5D6S"), ("o -", "O-"),
        ("r:4h", "R:4H"), ("R -", "R-"), ("QSxQD>KC", "QSxQD>KC"), ("2Sx AD + AC", "2SxAC+AD"),
    ],
)  # fmt: skip
def test_a_move_is_read_in_any_order_case_and_spacing(text, move):
    assert str(CUARENTA.parse(text)) == move


@pytest.mark.parametrize(
    "text", ["", "4", "4Hx", "x4C", "4H>5D", "4Hx>5D", "O:", "O", "R:", "R:4H5H", "4H 5H", "8C", "pass", "4Hx4C>"]
)
def test_garbage_is_unreadable_and_says_how_to_write(text):
    with pytest.raises(UnreadableMove, match="Write 4S to lay it"):
        CUARENTA.parse(text)


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"pot": "8C"}, "no card 8C"),
        ({"pot": "4C", "hands": {1: "4C"}}, "lies there 2 times"),
        ({"hands": {1: "AC 2C 3C 4C 5C 6C"}}, "more than 5"),
        ({"hands": {2: "AC"}}, "no seat 2"),
        ({"scores": [40, 41]}, "only one side"),
        ({"scores": {2: 5}}, "no seat 2"),
        ({"pot": "KC", "last_play": [0, "5C"], "hands": {1: "2C"}}, "must lie in the pot"),
        ({"pot": "KC", "laid_by": {"5C": 0}}, "must lie in the pot"),
        ({"pot": "KC", "last_play": "5C"}, "the seat and the card"),
        ({"pot": "KC", "overlooked": ["5C"], "to_move": 1, "hands": {1: "2C"}}, "must lie in the pot"),
        ({"rondas": {1: "4H 6H"}, "hands": {1: "2C"}}, "three or more of one suit"),
        ({"rondas": {1: "4H 6H 5C"}, "hands": {1: "2C"}}, "three or more of one suit"),
        ({"rondas": {1: "4H 6H QH"}, "hands": {0: "4H", 1: "2C"}}, "in its hand or were played"),
        ({"rondas": {0: "4H 6H QH", 1: "2H 3H 4H"}, "hands": {1: "2C"}}, "lies there 2 times"),
        ({"rondas": {1: "AH 2H 3H 4H 6H QH"}, "hands": {1: "2C"}}, "more than 5"),
        ({"stock": "2C", "deal_no": 4, "hands": {1: "AC"}}, "0 cards are left at most"),
        ({"deck": "AC 2C 3D 4C 5D AD 2D 3S 4H 5S 6C", "deal_no": 4}, "0 cards are left at most"),
        ({"falls": [[0, 0, "4H"]], "hands": {1: "2C"}}, "cards of an opponent"),
        ({"falls": [[0, 1, "4H"]], "hands": {1: "4H"}}, "lie in a pile"),
        ({"falls": [[0, "4H"]], "hands": {1: "2C"}}, "the seats and the card"),
        ({"tried": [0], "hands": {1: "2C"}}, "pairs of seats"),
        ({"tried": [[0]], "hands": {1: "2C"}}, "pairs of seats"),
        ({"captured": [30, 20]}, "not left in the pack"),
        ({"shown": [["4C"], []], "captured": [["5C"], []]}, "must lie in the side's pile"),
        ({"to_move": 0, "hands": {1: "2C"}}, "not the turn of seat 0"),
        ({"phase": "claim", "hands": {1: "2C"}}, "it is play, not claim"),
        ({"deck": "AC 2C", }, "needs 10 cards"),
        ({"deck": "AC 2C", "pot": "KC"}, "leave out pot"),
        ({"winner": 0, "scores": [0, 40]}, "does not go with the scores"),
        ({"winner": 0}, "does not go with the scores"),
        ({"winner": 0, "by": "four", "scores": [3, 40]}, "does not go with the scores"),
        ({"winner": 0, "by": "luck"}, "four, forty or last"),
        ({"scores": [40, 0], "options": {"match": "best-of-3"}}, "not over yet"),
        ({"games": [2, 0], "options": {"match": "best-of-3"}, "hands": {1: "2C"}}, "name its winner"),
        ({"games": [0, 1]}, "name its winner"),
        ({"games": [2, 2], "scores": [40, 0], "options": {"match": "best-of-3"}}, "only one side can have won"),
        ({"tally": {"caida": 3}}, "two numbers"),
        ({"tally": {"caida": [3]}}, "two numbers"),
        ({"tally": {"luck": [1, 1]}}, "numbers by side"),
        ({"options": {"ronda": "colour"}}, "cannot be 'colour'"),
        ({"pot": "KC", "overlooked": ["no card"]}, "must lie in the pot"),
        ({"overlooked": 5}, "list"),
        ({"falls": "0 1 4H"}, "list"),
        ({"falls": 5}, "list"),
        ({"turns": 5}, "list"),
        ({"turns": [[1, "5Sx5D"]]}, "seat, its move and the rules"),
        ({"turns": [[1, "5Sx5D", ["luck"]]]}, "seat, its move and the rules"),
        ({"turns": [[1, "five", []]]}, "not a move of Cuarenta"),
        ({"turns": [[2, "5S", []]]}, "from 0 to 1"),
    ],
)  # fmt: skip
def test_impossible_positions_say_what_to_mend(position, words):
    with pytest.raises(ImpossiblePosition, match=words):
        table(**position)


@pytest.mark.parametrize(("options", "scores"), [({}, [0, 0]), ({"announce": "every"}, [0, 4])])
def test_a_deck_can_be_that_of_a_later_deal(options, scores):
    state = table(deck="AC 5C 7C 2D KH 4S 4D JH QC 6S", deal_no=2, options=options, tally={"caida": [1, 0]})
    assert (state.batch_number, state.scores, state.tally["caida"]) == (2, scores, [1, 0])


def test_without_a_seat_to_move_the_one_after_the_last_play_is():
    assert table(dealer=1, pot="5C", last_play=[0, "5C"], hands={0: "2H", 1: "5S"}).to_act == (1,)


def test_a_finished_game_is_loaded_from_its_scores():
    state = table(scores=[12, 41], hands={0: "2C"})
    assert (state.outcome().winners, state.to_act) == ((1,), ())
    assert refusal(state, "2C", seat=0) == "forty-wins"


def test_an_overlooked_card_can_be_part_of_a_position():
    state = table(to_move=0, pot="6S QD", hands={0: "2H", 1: "3C"}, overlooked="6S")
    assert legal(state) == ["O:6S", "2H"]
    assert legal(table(to_move=0, pot="6S QD", hands={0: "2H", 1: "3C"}, overlooked=[["6S"]])) == ["O:6S", "2H"]
    assert legal(table(to_move=0, pot="6S QD", hands={0: "2H", 1: "3C"}, claimer=0, overlooked=[[]])) == ["2H"]


def test_overlooked_cards_may_be_claimed_by_the_seat_to_move_where_no_claimer_is_named():
    assert legal(table(pot="6S QD", hands={0: "2H", 1: "3C"}, overlooked="6S")) == ["O:6S", "3C"]
    ended = table(pot="6S QD", overlooked="6S", deal_no=4)
    assert (ended.to_act, legal(ended)) == ((1,), ["O:6S", "O-"])


def test_pile_sizes_are_made_up_of_cards_that_lie_nowhere_else():
    state = table(to_move=1, hands={1: "AC", 0: "2C"}, captured={0: 3, 1: "KC KD"}, falls=[[0, 1, "QH"]])
    assert piles(state) == [3, 2]
    assert "QH" in state.piles[0]
    assert len(set(state.cards())) == 7


@pytest.mark.parametrize("match", [1, "1"])
def test_one_game_may_be_written_as_a_number(match):
    assert table(options={"match": match}).options["match"] == "1"


def test_options_and_the_preset_are_read_by_name():
    chosen = CUARENTA.read_options({"preset": "ecuador"}, 2)
    assert chosen["ronda"] == "rank" and chosen["match"] == "best-of-3" and chosen["residue"] == "none"
    with pytest.raises(BadOption):
        CUARENTA.read_options(None, 4)


# Views and samples


def test_a_view_shows_the_own_hand_and_counts_of_the_rest():
    state = pot("3C", mine="KS QH", theirs="2H 7D", captured=[4, 6], stock="AC 2C 3D 4C 5C AD 2D 3H 4D 5D")
    zones = {zone.id: (zone.cards, zone.count) for zone in state.view(1).zones}
    assert zones == {
        "hand:0": ((), 2), "stock": ((), 10), "pot": (("3C",), 1), "pile:0": ((), 4), "pile:1": ((), 6),
        "hand:1": (("QH", "KS"), 2),
    }  # fmt: skip


def test_a_sample_gives_every_proclaimer_a_ronda_that_fits_the_view():
    rng = Random(2)
    state = CUARENTA.start(numbered_decks(PACK, 1), seats=2, options={"announce": "every"})
    seen = 0
    for _ in range(60):
        for viewer in (0, 1, None):
            view = state.view(viewer)
            world = CUARENTA.sample(view, rng)
            for seat in view.proclaimers:
                cards = world.rondas[seat]
                assert len(cards) >= 3 and len({card[1] for card in cards}) == 1
                assert set(cards).isdisjoint([*world.stock, *world.hands[1 - seat]])
                seen += 1
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
        if not state.to_act:
            break
    assert seen > 20


def test_a_sample_thinks_that_the_cards_laid_were_likely_of_the_ronda():
    falls = [[0, 1, "4H"], [0, 1, "6H"]]
    state = table(to_move=0, hands={0: "3S", 1: "QH"}, pot="KC", rondas={1: "4H 6H QH"}, falls=falls)
    rng = Random(1)
    worlds = [CUARENTA.sample(state.view(0), rng) for _ in range(100)]
    hearts = sum(world.rondas[1][0][1] == "H" for world in worlds)
    assert hearts > 80


def test_a_sample_remembers_who_played_which_card():
    """Seat 1 has played all five cards of the deal, and those of hearts alone make a ronda. Most are covered by now."""
    state = table(to_move=1, hands={0: "QC QD JC JD KD", 1: "4H 6H QH 5S 3D"}, pot="KC", rondas={1: "4H 6H QH"})
    play(state, "4H", "KDxKC", "QH", "QCxQH", "6H", "JC", "5S", "JDxJC", "3D")
    assert state.view(0).to_act == (0,) and "QH" not in str(state.view(0).zones)
    for seed in range(20):
        world = CUARENTA.sample(state.view(0), Random(seed))
        assert set(world.rondas[1]) == {"4H", "6H", "QH"}


def test_views_that_differ_only_in_what_one_remembers_are_equal():
    views = [pot("KC", mine="2C", captured=captured).view(1) for captured in (["4H 5H", 0], ["4S 5S", 0])]
    assert views[0] == views[1] and views[0].remembered != views[1].remembered
    assert "4H" not in repr(views[0])


def test_phrases_read_well_on_a_button_and_in_the_log():
    state = play(proclaimed(), "4Sx4H", "6H")
    view = state.view(0)
    words = {str(move): render_text(view.choice(move).phrase.text, ()) for move in view.moves}
    assert words == {"R:4H": "Declare 4H a ronda card", "3S": "Lay 3S"}
    assert view.choice(view.moves[0]).touches == ("pile:0",)
    play(state, "R:4H")
    assert render_text(state.view(1).log[-1].text, ["@0"] * 4) == "@0 declares 4H a ronda card: 10 points"
    fallen = play(proclaimed(), "4Sx4H").view(1)
    assert render_text(fallen.log[-1].text, ["@0"] * 4) == "@0 takes 4H with 4S: caída, 2 points"
    assert fallen.announcements == ((0, "Caída"),)
    claim = play(overlooked(), "O:6S7C").view(1)
    assert [render_text(event.text, ["@0"] * 4) for event in claim.log][-1] == "@0 claims 6S 7C"


# Against a plain reading of the rules


def plain_plays(hand: list[str], lying: list[str]) -> set[str]:
    """All plays of a table with the default options, by trying every group of pot cards."""
    number = {card: RANKS.index(card[0]) + 1 for card in PACK}
    found = set()
    for card in hand:
        sets = [group for size in (2, 3, 4) for group in combinations(sorted(lying, key=number.get), size)]
        sums = [g for g in sets if max(map(number.get, g)) <= 7 and sum(map(number.get, g)) == number[card] <= 7]
        matches = [(other,) for other in lying if other[0] == card[0]]
        run = ""
        runs = [""]
        for rank in RANKS[number[card] :]:
            follower = next((other for other in lying if other[0] == rank), None)
            if follower is None:
                break
            run += follower
            runs.append(f">{run}")
        found |= {f"{card}x{'+'.join(group)}{run}" for group in [*sums, *matches] for run in runs}
        if not sums and not matches:
            found.add(card)
    return found


def test_the_moves_are_those_of_a_plain_reading_of_the_rules():
    rng = Random(11)
    for _ in range(150):
        cards = rng.sample(PACK, 15)
        lying = list({card[0]: card for card in cards[5:]}.values())
        state = pot(" ".join(lying), mine=" ".join(cards[:5]), theirs="")
        assert set(legal(state)) == plain_plays(cards[:5], lying)


def test_rondas_and_fours_are_found_in_a_hand():
    assert ronda_in("AC 5C 7C KC QC".split(), "suit") == ("AC", "5C", "7C", "KC", "QC")
    assert ronda_in("4S 4D 4C 2H KD".split(), "rank") == ("4S", "4D", "4C")
    assert ronda_in("4S 4D 4C 2H KD".split(), "suit") == ()
    assert four_in("4S 4D 4C 4H KD".split()) == ("4S", "4D", "4C", "4H")
    assert not four_in("4S 4D 4C KH KD".split())


def test_the_table_speaks_of_claims_only_where_a_capture_could_have_overlooked_something():
    conceivable = play(pot("5C 7H", mine="5S KS"), "5Sx5C").view(0)
    assert "claim" in conceivable.prompt
    assert conceivable.selection is not None
    nothing_above = play(pot("5C 3H", mine="5S KS"), "5Sx5C").view(0)
    assert "claim" not in nothing_above.prompt
    assert nothing_above.selection is None


def test_what_was_scored_in_this_hand_can_be_read_and_why_the_log_is_short():
    state = play(pot("4D 7H", mine="4S KS", theirs="7C QD", tally={"ronda": [0, 1]}), "4Sx4D", "7Cx7H")
    view = state.view(0)
    assert dict(view.facts)["Scored in this hand"] == "@0 limpia 2; @1 ronda 4"
    assert len(view.log) == 1
    assert view.log_note.startswith("Earlier moves of this hand aren't listed")
    assert "Scored in this hand" not in dict(pot("4D", mine="4S").view(0).facts)
