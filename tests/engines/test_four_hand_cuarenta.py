"""Four-hand Cuarenta, rule by rule. What does not depend on the number of seats is tried more closely in
`test_cuarenta.py`; here it is shown to hold at a table of four."""

import re
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.contract import BadOption, ImpossiblePosition, NotYourTurn
from games.core.deals import numbered_decks
from games.engines.cuarenta.moves import PACK, QUIET_DEAL
from games.engines.cuarenta.state import CuarentaState
from games.engines.four_hand_cuarenta import FOUR_HAND_CUARENTA
from tests.engines.states import legal, play, refusal

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "four_hand_cuarenta_examples.yaml").read_text())
QUIET = "3D JD 5S AH 2H"  # five cards without a ronda


def table(**position) -> CuarentaState:
    """Seat 0 deals and seat 1 is to move, unless the position says otherwise."""
    return FOUR_HAND_CUARENTA.load(position)


def pot(cards: str, *, mine: str, options: dict | None = None, **more) -> CuarentaState:
    """Seat 1, to move, holds `mine`; the others have two cards each."""
    hands = {1: mine, 2: "2H KD", 3: "3H JD", 0: "AH QD", **more.pop("hands", {})}
    return table(to_move=1, pot=cards, hands=hands, options=options or {}, **more)


def piles(state: CuarentaState) -> list[int]:
    return [len(cards) for cards in state.dump()["captured"]]


def last_lines(state: CuarentaState) -> list[tuple[str, tuple[int, ...], int]]:
    return [
        (line.rule.removeprefix("four-hand-cuarenta:"), line.seats, line.points) for line in state.results[-1].lines
    ]


def result_zones(state: CuarentaState) -> dict[str, tuple[str, ...]]:
    return {zone.id: zone.cards for zone in state.results[-1].zones}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = play(FOUR_HAND_CUARENTA.load(example["setup"]), *example.get("play", []))
    position = state.dump()
    for what, expected in example["expect"].items():
        if what == "moves":
            assert set(legal(state)) == set(expected)
        elif what == "illegal":
            assert {move: refusal(state, move) for move in expected} == expected
        elif what == "captured":
            assert dict(enumerate(piles(state))) == expected
        elif what == "result_captured":
            assert {side: len(result_zones(state)[f"pile:{side}"]) for side in expected} == expected
        elif what == "result_pot":
            assert result_zones(state)["pot"] == tuple(expected)
        elif what == "next_dealer":
            assert position["dealer"] == expected
        elif isinstance(expected, dict):
            assert {place: position[what][place] for place in expected} == expected
        else:
            assert position[what] == expected


# Seats, sides and the deal


@rule("four-hand-cuarenta:partners")
def test_partners_sit_opposite_and_the_turn_passes_to_an_opponent():
    assert FOUR_HAND_CUARENTA.sides({}, 4) == ((0, 2), (1, 3))
    state = play(pot("7C", mine="KS 5D"), "KS")
    assert state.to_act == (2,)
    assert state.side(2) != state.side(1) == state.side(3)
    with pytest.raises(BadOption):
        FOUR_HAND_CUARENTA.read_options(None, 2)


@rule("four-hand-cuarenta:side-pile")
def test_partners_put_what_they_take_on_one_pile():
    state = play(pot("5C 3C KC", mine="5D 6S", captured=[4, 6]), "5Dx5C", "2H", "3Hx3C")
    assert piles(state) == [4, 10]
    zones = {zone.id: zone for zone in state.view(0).zones}
    assert zones["pile:1"].label == "Captured by @1 and @3"
    assert zones["pile:1"].count == 10


@rule("four-hand-cuarenta:side-score", "four-hand-cuarenta:forty-wins")
def test_partners_score_and_win_together():
    state = play(pot("5C KC", mine="5D 6S", last_play=[0, "5C"], scores=[20, 38]), "5Dx5C")
    outcome = state.outcome()
    assert (outcome.scores, outcome.places, outcome.winners) == ((20, 40, 20, 40), (3, 1, 3, 1), (1, 3))
    assert outcome.reason == "@1 and @3 reached 40."
    assert state.results[-1].points == (0, 2, 0, 2)
    assert refusal(state, "2H", seat=2) == "forty-wins"


@rule("four-hand-cuarenta:no-table-talk")
def test_nobody_sees_or_hears_of_a_partners_cards():
    state = table(dealer=3, deck=f"AC 3C 6C 2D KH 4S 4D JH QC 6S 2S 5H 7H QH AS {QUIET}")
    view = state.view(2)
    assert [cards is None for cards in view.hands] == [True, True, False, True]
    assert view.announcements == ((0, "Ronda"), (2, "Ronda"))
    texts = repr([view.log, view.facts, view.announcements, view.moves, [zone.cards for zone in view.zones]])
    assert not {"AC", "3C", "6C", "2D", "KH"} & set(re.findall(r"[A2-7JQK][CDHS]", texts))


@rule("four-hand-cuarenta:deck-40", "four-hand-cuarenta:deal-five", "four-hand-cuarenta:four-deal")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_five_cards_go_round_from_the_dealers_left_and_two_deals_use_the_pack(dealer):
    deck = next(numbered_decks(PACK, QUIET_DEAL))
    assert len(deck) == 40 and {card[0] for card in deck} == set("A234567JQK")
    state = FOUR_HAND_CUARENTA.start(numbered_decks(PACK, QUIET_DEAL), seats=4, dealer=dealer)
    for place in range(4):
        assert state.hands[(dealer + 1 + place) % 4] == list(deck[5 * place : 5 * place + 5])
    assert len(state.stock) == 20
    rng = Random(dealer)
    deals = set()
    while not state.results:
        deals.add(state.batch_number)
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    assert deals == {1, 2}


@rule("four-hand-cuarenta:four-lead", "four-hand-cuarenta:first-dealer")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_the_player_left_of_the_drawn_dealer_plays_first(dealer):
    state = FOUR_HAND_CUARENTA.start(numbered_decks(PACK, QUIET_DEAL), seats=4, dealer=dealer)
    assert (state.dealer, state.to_act) == (dealer, ((dealer + 1) % 4,))


STOCK = "2C 4C 7C JD QC 3D 6D AD JC KD 3H 4H AH 6S 2S 3S 5S JS QH KS"
LATER_STOCK = "2C 4C 7C JD QC 3D 6D AD JH KD 3H 4H AH 6S QS 3S 5S JS QH KS"


@rule("four-hand-cuarenta:deal-again", "four-hand-cuarenta:pot-stays", "four-hand-cuarenta:four-lead")
def test_the_second_deal_follows_when_all_hands_are_empty_and_the_pot_stays():
    state = play(table(dealer=2, to_move=2, pot="QD", hands={2: "KC"}, stock=STOCK), "KC")
    assert (state.to_act, state.batch_number, state.stock, state.pot) == ((3,), 2, [], ["QD", "KC"])
    assert state.hands[3] == "2C 4C 7C JD QC".split()
    assert state.hands[2] == "3S 5S JS QH KS".split()


@rule("four-hand-cuarenta:deal-alternates", "four-hand-cuarenta:four-rotation")
def test_the_deal_passes_to_the_left():
    for dealer in range(4):
        assert table(dealer=dealer, captured=[14, 24]).dealer == (dealer + 1) % 4


@rule("four-hand-cuarenta:no-misdeal")
def test_every_deal_stands():
    state = table(deck=f"AC AD AH 2C 2D {QUIET.replace('AH', 'AS')} 4C 4D 5C 5D JH KS KC QC QD 6H")
    assert set(legal(state)) == set("AC AD AH 2C 2D".split())


# Announcements


FOUR_FOURS = "4S 4D 4C 4H 6S"
THREE_CLUBS = "AC 3C 6C 2D KH"


@rule("four-hand-cuarenta:four-wins", "four-hand-cuarenta:four-announce-order")
def test_four_of_a_kind_wins_for_the_side_before_any_ronda():
    state = table(
        dealer=3, deck=f"{THREE_CLUBS} 5H 5D JH QC 7S {QUIET.replace('3D', '3S')} {FOUR_FOURS}", scores=[36, 0]
    )
    assert state.outcome().winners == (1, 3)
    assert state.scores == [36, 0]
    two = f"{QUIET} {FOUR_FOURS} 5H 5D 5C 5S 7S AC 3C 6D 2D KH".replace("5S AH 2H 4S", "QS AH 2S 4S")
    assert table(dealer=3, deck=two).outcome().winners == (1, 3)
    assert table(dealer=0, deck=two).outcome().winners == (0, 2)


@rule("four-hand-cuarenta:ronda", "four-hand-cuarenta:ronda-auto", "four-hand-cuarenta:four-ronda-each")
def test_every_ronda_scores_for_its_side_and_hands_are_not_put_together():
    hearts = "4H 5H 7H QH AS"
    both = table(dealer=3, deck=f"{THREE_CLUBS} 4S 4D JH QC 6S {hearts} 5C 5D 7S 7D KC")
    assert (both.scores, both.view(1).proclaimers) == ([8, 0], (0, 2))
    split = table(dealer=3, deck="AC 3C 6D 2D KH 4S 4D JH QD 6S 4C 5C 7H QH AS 5H 5D 7S 7C KC")
    assert split.scores == [0, 0], "two clubs here and two there are no ronda"


@rule("four-hand-cuarenta:four-announce-order", "four-hand-cuarenta:order-of-points")
def test_rondas_are_booked_from_the_dealers_left_and_the_first_to_forty_has_won():
    deck = f"{THREE_CLUBS} 4S 5S JS QC 6D {QUIET.replace('5S', '5C')} KC KD 7H 7D 2C"
    assert table(dealer=3, deck=deck).scores == [4, 4]
    assert table(dealer=3, deck=deck, scores=[36, 36]).scores == [40, 36]
    assert table(dealer=0, deck=deck, scores=[36, 36]).scores == [36, 40]


@rule("four-hand-cuarenta:ronda-cards")
def test_all_cards_of_the_suit_belong_to_the_ronda():
    assert table(dealer=3, deck="2H 5H 7H QH AS 4S 4D JC QC 6S AC 3C 6D 2D KH 5C 5D 7S 7D KC").rondas[0] == tuple(
        "2H 5H 7H QH".split()
    )


# Playing a card


@rule("four-hand-cuarenta:turn-order")
def test_nobody_plays_out_of_turn_or_for_his_partner():
    state = pot("7C", mine="KS 5D")
    with pytest.raises(NotYourTurn):
        state.play(3, FOUR_HAND_CUARENTA.parse("3H"))
    assert refusal(state, "3H", seat=3) == refusal(state, "2H", seat=2) == "turn-order"
    assert refusal(state, "3H") == "turn-order"
    play(state, "KS", "2H", "3H", "AH")
    assert state.to_act == (1,)


@rule("four-hand-cuarenta:lay", "four-hand-cuarenta:match", "four-hand-cuarenta:capture-must")
def test_a_card_matches_or_is_laid():
    state = pot("7C QS", mine="QC 5D")
    assert legal(state) == ["5D", "QCxQS"]
    assert (refusal(state, "QCx7C"), refusal(state, "QC")) == ("match", "capture-must")
    assert play(state, "5D").pot == ["7C", "QS", "5D"]


@rule("four-hand-cuarenta:add", "four-hand-cuarenta:add-no-faces", "four-hand-cuarenta:one-capture")
def test_number_cards_add_and_a_turn_has_one_capture():
    state = pot("AC 3D 4H 7S QS", mine="4S QC")
    assert legal(state) == ["4Sx4H", "4SxAC+3D", "QCxQS"]
    assert refusal(state, "4SxAC+3D+4H") == "one-capture"
    assert refusal(state, "4SxAC+7S") == "add"
    assert refusal(state, "QCx3D+7S") == "add-no-faces"


@rule("four-hand-cuarenta:sequence", "four-hand-cuarenta:sequence-gap")
def test_a_sequence_runs_upward_without_a_gap():
    state = pot("4C 5H 6S 7C JS", mine="5D")
    assert legal(state) == ["5Dx5H", "5Dx5H>6S", "5Dx5H>6S7C", "5Dx5H>6S7CJS"]
    assert (refusal(state, "5Dx5H>7C"), refusal(state, "5Dx5H>4C")) == ("sequence-gap", "sequence")


@rule("four-hand-cuarenta:pile")
def test_captured_cards_show_until_the_next_card_and_are_then_closed_to_all():
    state = play(pot("5H KC", mine="5D 6S"), "5Dx5H")
    assert {zone.id: zone.cards for zone in state.view(2).zones}["pile:1"] == ("5D", "5H")
    play(state, "2H")
    for viewer in (0, 1, 2, 3, None):
        assert {zone.id: zone.cards for zone in state.view(viewer).zones}["pile:1"] == ()
        assert "5H" not in repr(state.view(viewer))


@rule("four-hand-cuarenta:distinct-ranks")
def test_the_pot_never_holds_two_cards_of_one_rank():
    rng = Random(5)
    state = FOUR_HAND_CUARENTA.start(numbered_decks(PACK, 5), seats=4)
    while state.to_act:
        assert len({card[0] for card in state.pot}) == len(state.pot)
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    with pytest.raises(ImpossiblePosition):
        table(pot="4C 4D")


# Overlooked cards


def overlooked(**more) -> CuarentaState:
    """Seat 1 took the five and overlooked the six and the seven."""
    return play(pot("5H 6S 7C QS", mine="5S QH", **more), "5Sx5H")


@rule("four-hand-cuarenta:oversight", "four-hand-cuarenta:four-oversight", "four-hand-cuarenta:oversight-no-score")
def test_only_the_next_player_claims_all_of_it_and_scores_nothing():
    state = overlooked()
    for seat in (0, 1, 3):
        assert refusal(state, "O:6S7C", seat=seat) == "four-oversight"
    assert refusal(state, "O:6S") == "oversight"
    play(state, "O:6S7C")
    assert (piles(state), state.scores, state.to_act) == ([2, 2], [0, 0], (2,))
    assert refusal(pot("5H QS", mine="5S"), "O:QS") == "oversight"


@rule("four-hand-cuarenta:oversight-expires", "four-hand-cuarenta:four-oversight")
def test_after_the_next_players_card_nobody_may_claim():
    state = play(overlooked(), "2H")
    assert refusal(state, "O:6S7C") == "four-oversight"
    assert "O:6S7C" not in legal(state)


@rule("four-hand-cuarenta:oversight-expires")
def test_the_right_survives_the_second_deal():
    state = play(table(dealer=2, to_move=2, pot="5H 6C 7D", hands={2: "5C"}, stock=STOCK), "5Cx5H")
    assert (state.to_act, legal(state)[0]) == ((3,), "O:6C7D")


@rule("four-hand-cuarenta:four-oversight")
def test_after_the_last_play_the_player_left_of_the_dealer_may_claim():
    state = play(table(dealer=2, to_move=2, pot="5H 6C 7D", hands={2: "5C"}, captured=[12, 18]), "5Cx5H")
    assert (state.phase, state.to_act, legal(state)) == ("claim", (3,), ["O:6C7D", "O-"])
    assert play(state, "O:6C7D").scores == [0, 6]


# Points during play


@rule("four-hand-cuarenta:caida", "four-hand-cuarenta:four-caida")
def test_only_the_card_of_the_player_before_can_fall():
    laid = {"hands": {2: "4H KD", 3: "4C 4S", 0: "AH 7H"}}
    state = play(pot("QS", mine="4D 5D", **laid), "4D")
    assert play(state.copy(), "4Hx4D").scores == [2, 0]
    later = play(state.copy(), "KD", "4Cx4D")
    assert later.scores == [0, 0], "the partner's card, two turns old"
    third = play(pot("QS", mine="7D 5D", **laid), "7D", "KD", "4C", "7Hx7D")
    assert third.scores == [0, 0], "the other opponent's card, three turns old"


@rule("four-hand-cuarenta:four-caida")
@pytest.mark.parametrize("layer", [0, 2, 3])
def test_a_last_play_of_anybody_but_the_player_before_cannot_fall(layer):
    state = pot("5C KC", mine="5D 6S", last_play=[layer, "5C"])
    assert play(state, "5Dx5C").scores == ([0, 2] if layer == 0 else [0, 0])


@rule("four-hand-cuarenta:caida-deal")
def test_the_first_play_of_a_deal_is_no_caida():
    state = play(table(dealer=2, to_move=2, pot="QD", hands={2: "JH"}, stock=STOCK), "JH", "JDxJH")
    assert state.scores == [0, 0]


@rule("four-hand-cuarenta:limpia", "four-hand-cuarenta:limpia-38", "four-hand-cuarenta:side-38")
@pytest.mark.parametrize(("before", "after"), [(12, 14), (37, 39), (38, 38)])
def test_an_empty_pot_is_worth_two_below_38_of_the_side(before, after):
    assert play(pot("5H", mine="5S QH", scores=[0, before]), "5Sx5H").scores == [0, after]
    partner = table(to_move=3, pot="5H", hands={3: "5S QH"}, scores=[0, before])
    assert play(partner, "5Sx5H").scores == [0, after]


# Catching a ronda


def caught(**more) -> CuarentaState:
    """Seats 0 and 2 have proclaimed; seat 1 fell on a ronda card, seat 3 on another card."""
    position = {
        "dealer": 3, "to_move": 3, "hands": {3: "KC"}, "pot": "QD", "stock": LATER_STOCK,
        "rondas": {0: "AC 3C 6C", 2: "2H 5H 7H"}, "falls": [[1, 0, "6C"], [3, 2, "AS"]], "scores": [8, 4], **more,
    }  # fmt: skip
    return table(**position)


@rule("four-hand-cuarenta:four-ronda-caida", "four-hand-cuarenta:ronda-caida")
def test_only_the_catcher_declares():
    state = play(caught(), "KC")
    assert (state.phase, state.to_act, legal(state)) == ("declare", (1,), ["R:6C", "R-"])
    assert refusal(state, "R:AS") == "four-ronda-caida"
    assert refusal(state, "R:5H") == "ronda-caida"
    assert refusal(state, "R:AS", seat=3) == "turn-order"
    assert play(state, "R:6C").scores == [8, 14]


@rule("four-hand-cuarenta:four-ronda-caida")
def test_a_side_may_catch_both_rondas_of_the_other():
    state = play(caught(falls=[[1, 0, "6C"], [3, 2, "5H"]]), "KC", "R:6C", "R:5H")
    assert state.scores == [8, 24]


@rule("four-hand-cuarenta:four-declare-order")
@pytest.mark.parametrize(("dealer", "order"), [(3, [1, 3]), (0, [1, 3]), (1, [3, 1]), (2, [3, 1])])
def test_catchers_are_asked_from_the_dealers_left(dealer, order):
    state = play(caught(dealer=dealer), "KC")
    asked = []
    while state.phase == "declare":
        asked += state.to_act
        play(state, "R-")
    assert asked == order


@rule("four-hand-cuarenta:ronda-declare")
def test_a_wrong_card_scores_nothing_and_there_is_no_second_try():
    state = caught(to_move=1, hands={1: "7S", 3: "KC"}, falls=[[1, 0, "6C"], [1, 0, "2D"]], pot="QD")
    play(state, "R:2D")
    assert (state.scores, legal(state)) == ([8, 4], ["7S"])
    assert refusal(state, "R:6C") == "ronda-declare"
    assert refusal(state, "R-") == "ronda-declare"


@rule("four-hand-cuarenta:ronda-caida")
def test_the_ten_points_are_paid_once_where_any_capture_counts():
    options = {"ronda_capture": "any"}
    falls = [[1, 0, "6C"], [3, 0, "3C"], [3, 2, "5H"]]
    state = play(caught(options=options, falls=falls), "KC", "R:6C")
    assert (state.to_act, legal(state)) == ((3,), ["R:5H", "R-"])
    wrong = play(caught(options=options, falls=[[1, 0, "2D"], [3, 0, "3C"]]), "KC", "R:2D")
    assert (wrong.to_act, legal(wrong)) == ((3,), ["R:3C", "R-"])


def test_no_partner_catches_a_ronda_of_his_own_side():
    options = {"ronda_capture": "any"}
    position = {"dealer": 3, "to_move": 2, "pot": "6C KH", "laid_by": {"6C": 0}, "hands": {2: "6D 5D", 1: "2C"}}
    state = table(**position, rondas={0: "AC 3C 6C"}, options=options)
    assert play(state, "6Dx6C", "2C").view(2).falls == ()


# The end of a hand


@rule("four-hand-cuarenta:four-count", "four-hand-cuarenta:count-twenty", "four-hand-cuarenta:residue")
def test_the_cards_of_a_side_are_counted_together_and_the_rest_is_nobodys():
    state = play(table(dealer=3, to_move=3, hands={3: "7S"}, pot="3C QD", captured=[10, 22], last_capturer=1), "7S")
    assert last_lines(state) == [("count-twenty", (1, 3), 7)]
    assert result_zones(state)["pot"] == ("3C", "QD", "7S")
    assert state.results[-1].summary == "This hand: @0 and @2 0, @1 and @3 7."


@rule("four-hand-cuarenta:count-both", "four-hand-cuarenta:four-count")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_with_twenty_each_the_side_that_did_not_deal_scores(dealer):
    seats = (1, 3) if dealer in (0, 2) else (0, 2)
    assert last_lines(table(dealer=dealer, captured=[20, 20])) == [("count-both", seats, 6)]


@rule("four-hand-cuarenta:count-neither", "four-hand-cuarenta:four-count")
@pytest.mark.parametrize(
    ("counts", "dealer", "seats"), [([18, 17], 0, (0, 2)), ([18, 18], 0, (1, 3)), ([18, 18], 3, (0, 2))]
)
def test_below_twenty_the_majority_scores_two_and_a_tie_goes_to_the_side_that_did_not_deal(counts, dealer, seats):
    assert last_lines(table(dealer=dealer, captured=counts)) == [("count-neither", seats, 2)]


def test_the_next_seat_of_the_losing_side_deals_the_next_game():
    options = {"match": "best-of-3"}
    for dealer, following in [(0, 2), (1, 2), (2, 0), (3, 0)]:
        state = pot("5C KC", mine="5D 6S", last_play=[0, "5C"], scores=[20, 38], dealer=dealer, options=options)
        assert play(state, "5Dx5C").dealer == following


# Tables for teaching


@pytest.mark.parametrize(("option", "seen"), [("none", None), ("after-hand", ("AH", "QD"))])
def test_a_teaching_table_shows_the_partners_hand_to_who_has_played_his_own(option, seen):
    hands = {2: "2H", 1: "5D", 3: "3H JD", 0: "AH QD"}
    state = table(to_move=2, pot="KC", hands=hands, options={"partner_view": option})
    assert state.view(2).hands[0] is None
    assert state.view(2).hands[2] == ("2H",)
    play(state, "2H")
    assert state.view(2).hands[0] == seen
    assert state.view(2).hands[1] is state.view(2).hands[3] is state.view(None).hands[0] is None
    assert state.view(0).hands[2] is None
    view = state.view(2)
    assert FOUR_HAND_CUARENTA.sample(view, Random(1)).view(2) == view


def test_scores_and_piles_are_written_by_side():
    state = table(scores={1: 7}, captured={0: 5}, hands={1: "2C"})
    assert (state.view(3).scores, piles(state)) == ((0, 7, 0, 7), [5, 0])
    with pytest.raises(ImpossiblePosition, match="one number together"):
        table(scores=[1, 2, 3, 4])
