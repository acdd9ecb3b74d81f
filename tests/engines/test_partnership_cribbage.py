"""Partnership Cribbage and ordinary Cribbage, rule by rule: positions in the notation of `PartnershipCribbage.load`."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.card_bits import BIT, mask
from games.core.cards import pack
from games.core.contract import ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.cribbage import FITS, after, pegged, show
from games.core.deals import numbered_decks, random_decks
from games.core.words import render_text
from games.engines.partnership_cribbage.game import PARTNERSHIP_CRIBBAGE
from games.engines.partnership_cribbage.moves import Discard, Phase, Play
from games.engines.partnership_cribbage.state import CribbageState
from tests.engines.states import legal, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "partnership_cribbage_examples.yaml").read_text())

FOUR_HANDS = {0: "QD JC 9C TH", 1: "KH 4C 9S JD", 2: "8C TC QH KS", 3: "7D 6H 9D TD"}


def table(**position) -> CribbageState:
    return PARTNERSHIP_CRIBBAGE.load(position)


def fresh(seats: int = 4, seed: int = 1, dealer: int | None = None, **options) -> CribbageState:
    decks = numbered_decks(pack(), seed)
    return PARTNERSHIP_CRIBBAGE.start(decks, seats=seats, options=options, dealer=dealer)


def stacked(dealt: str, seats: int = 4, **options) -> CribbageState:
    """A game whose decks all begin with these cards."""
    first = dealt.split()
    deck = [*first, *(card for card in pack() if card not in first)]
    return PARTNERSHIP_CRIBBAGE.start([deck] * 20, seats=seats, options=options)


def play(state: CribbageState, moves: str) -> CribbageState:
    """Plays moves such as `1:KH 0:GO`; an underscore stands for a space."""
    for text in moves.split():
        seat, _, move = text.partition(":")
        state.play(int(seat), PARTNERSHIP_CRIBBAGE.parse(move.replace("_", " ")))
    return state


def lay_away_first(state: CribbageState) -> CribbageState:
    """Everybody lays away the first cards of the hand."""
    while state.phase is Phase.DISCARD:
        state.play(state.to_act[0], state.legal_moves(state.to_act[0])[0])
    return state


def lines(state: CribbageState) -> list[str]:
    return [line.rule.removeprefix("partnership-cribbage:") for line in state.results[-1].lines]


def points_of(state: CribbageState, text: str) -> int:
    return sum(line.points for line in state.results[-1].lines if line.text.startswith(text))


def log(state: CribbageState, seat: int | None = None) -> list[str]:
    events = state.view(seat).log
    return [render_text(event.text, [f"@{seat}" for seat in range(4)]) for event in events]


# The worked examples

EXPECTATIONS = {
    "scores": lambda state, value: state.scores == value,
    "to_act": lambda state, value: list(state.to_act) == value,
    "count": lambda state, value: state.count == value,
    "results": lambda state, value: len(state.results) == value,
    "lines": lambda state, value: lines(state) == value,
    "winners": lambda state, value: list(state.outcome().winners) == value,
    "counted": lambda state, value: (
        {seat: points_of(state, f"@{seat}'s hand") for seat in range(4) if points_of(state, f"@{seat}'s hand")} == value
    ),
}


@pytest.mark.parametrize("example", [one for one in EXAMPLES if "setup" in one], ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = play(table(**example["setup"]), example.get("moves", ""))
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


@pytest.mark.parametrize("example", [one for one in EXAMPLES if "count" in one], ids=lambda example: example["id"])
def test_the_worked_hand_is_worth_what_it_should(example):
    given, expected = example["count"], example["expect"]
    cards, starter = (given.get("hand") or given["crib"]).split(), given["starter"]
    found = show(mask(cards), BIT[starter], is_crib="crib" in given)
    assert {**found._asdict(), "total": found.total} == expected
    zone = {"crib": given["crib"]} if "crib" in given else {"hands": {0: given["hand"]}}
    shown = table(dealer=0, starter=starter, phase="show", **zone)
    assert shown.results[-1].points == (expected["total"], 0, expected["total"], 0)


@pytest.mark.parametrize("example", [one for one in EXAMPLES if "trail" in one], ids=lambda example: example["id"])
def test_the_worked_count_pegs_what_it_should(example):
    trail, found = 0, []
    for card in example["trail"].split():
        trail = after(trail, BIT[card])
        found.append(pegged(trail).points)
    assert found == example["expect"]["pegged"]
    assert pegged(trail).reached == example["expect"]["reached"]


# Setting up


@rule("partnership-cribbage:deck-52")
def test_one_pack_of_fifty_two_is_dealt():
    assert sorted(fresh().cards()) == sorted(pack())
    assert PARTNERSHIP_CRIBBAGE.deck(fresh().options) == pack()


@rule("partnership-cribbage:deck-52")
@pytest.mark.parametrize(
    ("hand", "runs"), [("QS KD AH 5C", 0), ("AS 2D 3H 9C", 3), ("JS QD KH 4C", 3), ("KS AD 2H 8C", 0)]
)
def test_a_run_does_not_go_round_the_corner(hand, runs):
    assert show(mask(hand.split()), BIT["7S"]).runs == runs


@rule("partnership-cribbage:pip-value")
def test_court_cards_and_tens_count_ten_and_the_ace_one():
    state = table(to_move=0, hands={0: "AC 9D KH 4C", 1: "TS", 2: "2C", 3: "3C"})
    play(state, "0:AC 1:TS 2:2C 3:3C 0:9D")
    assert [reached for _seat, _card, reached in state.played] == [1, 11, 13, 16, 25]


@rule("partnership-cribbage:teams", "partnership-cribbage:team-score")
def test_partners_sit_opposite_and_share_a_score():
    state = play(table(to_move=1, hands={1: "5C", 2: "TD", 3: "TH", 0: "5S"}), "1:5C 2:TD")
    assert state.view(0).scores == (2, 0, 2, 0)
    play(state, "3:TH")
    assert state.view(None).scores == (2, 2, 2, 2)
    assert PARTNERSHIP_CRIBBAGE.sides(state.options, 4) == ((0, 2), (1, 3))
    assert PARTNERSHIP_CRIBBAGE.sides(state.options, 2) == ((0,), (1,))


@rule("partnership-cribbage:first-dealer")
def test_the_first_dealer_is_an_argument_and_otherwise_the_last_seat():
    assert fresh().dealer == 3
    assert fresh(dealer=1).dealer == 1
    assert fresh(2).view(0).dealer == 1


@rule("partnership-cribbage:deal-rotates")
def test_the_deal_goes_to_the_left_after_every_hand():
    state, rng = fresh(dealer=2), Random(1)
    dealers = [state.dealer]
    while len(state.results) < 3:
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
        if len(dealers) == len(state.results):
            dealers.append(state.dealer)
    assert dealers == [2, 3, 0, 1]
    assert log(state)[0].startswith("Deal 3: "), "the word of this game, in which a hand is what is counted"


@rule("partnership-cribbage:deal-five")
def test_five_cards_each_are_dealt_one_at_a_time_from_the_dealers_left():
    deck = next(numbered_decks(pack(), 1))
    dump = fresh(dealer=1).dump()
    assert sorted(dump["hands"][2]) == sorted(deck[0:20:4])
    assert sorted(dump["hands"][1]) == sorted(deck[3:20:4])
    assert dump["stock"] == list(deck[20:])


@rule("partnership-cribbage:deal-five", "partnership-cribbage:two-player-deal")
def test_two_players_get_six_cards_each():
    deck = next(numbered_decks(pack(), 1))
    dump = fresh(2, dealer=1).dump()
    assert sorted(dump["hands"][0]) == sorted(deck[0:12:2])
    assert [len(hand) for hand in dump["hands"]] == [6, 6]


def test_a_hand_is_dealt_only_when_somebody_looks_at_it():
    deck = next(numbered_decks(pack(), 1))
    state, rng = PARTNERSHIP_CRIBBAGE.start([deck], seats=2), Random(1)
    while not state.results:
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    assert state.to_act == (0, 1)
    assert not state.outcome()


# The crib


@rule("partnership-cribbage:crib-discard")
def test_four_players_lay_away_one_card_each():
    state = fresh()
    assert state.to_act == (0, 1, 2, 3)
    assert legal(state, 2) == [f"D:{card}" for card in state.view(2).hand]
    lay_away_first(state)
    view = state.view(None)
    assert view.crib_counts == (1, 1, 1, 1)
    assert view.hand_counts == (4, 4, 4, 4)


@rule("partnership-cribbage:crib-discard", "partnership-cribbage:two-player-deal")
def test_two_players_lay_away_two_of_six_cards():
    state = fresh(2)
    assert len(set(legal(state, 1))) == 15
    one, other = state.view(1).hand[1:3]
    play(state, f"1:D:{other},{one}")
    assert state.view(1).laid_away == (one, other)
    lay_away_first(state)
    assert state.view(None).crib_counts == (2, 2)


@rule("partnership-cribbage:crib-discard")
@pytest.mark.parametrize(("seats", "number"), [(4, 2), (2, 1), (2, 3)])
def test_another_number_of_cards_is_refused(seats, number):
    state = fresh(seats)
    assert refusal(state, "D:" + ",".join(state.view(0).hand[:number]), seat=0) == "crib-discard"


@rule("partnership-cribbage:crib-discard")
def test_cards_of_another_hand_cannot_be_laid_away():
    state = fresh()
    assert "don't have" in str(refused(state, f"D:{state.view(1).hand[0]}", seat=0))
    assert refusal(state, f"D:{state.view(1).hand[0]}", seat=0) == "crib-discard"


@rule("partnership-cribbage:crib-discard")
@pytest.mark.parametrize("move", ["first", "GO"])
def test_before_the_discard_nothing_is_played(move):
    state = fresh()
    move = state.view(0).hand[0] if move == "first" else move
    assert refusal(state, move, seat=0) == "crib-discard"


@rule("partnership-cribbage:discard-final")
def test_discards_come_in_any_order_and_stay():
    state = fresh()
    hands = [state.view(seat).hand for seat in range(4)]
    play(state, f"2:D:{hands[2][0]} 0:D:{hands[0][4]}")
    assert state.to_act == (1, 3)
    assert refusal(state, f"D:{hands[0][1]}", seat=0) == "discard-final"
    with pytest.raises(NotYourTurn):
        state.play(0, Discard((hands[0][1],)))
    play(state, f"3:D:{hands[3][0]} 1:D:{hands[1][0]}")
    assert state.phase is Phase.PLAY
    assert refusal(state, f"D:{hands[state.to_act[0]][1]}") == "discard-final"


@rule("partnership-cribbage:discard-final")
@pytest.mark.parametrize("seat", range(4))
def test_during_the_play_nobody_lays_away_again_whosever_turn_it_is(seat):
    state = lay_away_first(fresh())
    assert refusal(state, f"D:{state.view(seat).hand[0]}", seat=seat) == "discard-final"


@rule("partnership-cribbage:crib-owner")
def test_the_crib_scores_for_the_dealers_side():
    state = table(dealer=1, starter="9S", phase="show", crib="5C 5D TH KH")
    assert state.results[-1].points == (0, 10, 0, 10)
    assert lines(state) == ["show-fifteen", "show-pair"]
    assert fresh(dealer=2).view(0).prompt == "Discard 1 card to @2's crib (your partner)."
    assert fresh(dealer=2).view(1).prompt == "Discard 1 card to @2's crib (your opponent)."
    assert fresh(dealer=2).view(2).prompt == "Discard 1 card to @2's crib."
    assert fresh(2, dealer=1).view(0).prompt == "Discard 2 cards to @1's crib."


@rule("partnership-cribbage:crib-blind")
@pytest.mark.parametrize("seats", [2, 4])
def test_nobody_sees_more_of_the_crib_than_his_own_discard(seats):
    state = lay_away_first(fresh(seats))
    for viewer in (None, *range(seats)):
        view = state.view(viewer)
        zone = next(zone for zone in view.zones if zone.id == "crib")
        own = set() if viewer is None else set(state.dump()["crib"][viewer])
        assert set(zone.cards) == own
        assert zone.count == 4
        others = {card for laid in state.dump()["crib"] for card in laid} - own
        assert not any(card in repr(view) for card in others)


@rule("partnership-cribbage:crib-blind")
def test_the_crib_cannot_be_looked_at_before_it_is_counted():
    state = table(starter="9S", options={"counting": "manual"}, phase="show", crib="5C 5D TH KH")
    asked = []
    while state.phase == "show":
        with pytest.raises(UnreadableMove) as refused:
            PARTNERSHIP_CRIBBAGE.attempt(state.view(state.to_act[0]), ["crib"])
        asked.append((state.counted_now()[1], refused.value.rule.partition(":")[2]))
        play(state, f"{state.to_act[0]}:S_0")
    assert asked == [(False, "crib-blind")] * 4 + [(True, "show-five-cards")]


@rule("partnership-cribbage:starter")
def test_the_starter_is_turned_up_when_all_discards_are_in():
    state = fresh()
    starter = state.stock[0] if state.view(0) else ""
    assert state.view(0).starter is None
    lay_away_first(state)
    assert state.view(0).starter == starter
    assert next(zone for zone in state.view(0).zones if zone.id == "stock").cards == (starter,)
    assert len(state.stock) == 52 - 20 - 1


@rule("partnership-cribbage:his-heels")
def test_a_jack_turned_up_pegs_two_for_the_dealer():
    state = table(dealer=1, phase="discard", hands={0: "2C 3C 4C 5C 6C"}, stock="JS 2D")
    play(state, "0:D:2C")
    assert state.scores == [0, 2]
    assert "@1 pegs 2 for his heels" in log(state)
    assert table(dealer=1, starter="QS").scores == [0, 0]


@rule("partnership-cribbage:his-heels", "partnership-cribbage:stop-at-once")
def test_heels_can_win_the_game():
    state = table(dealer=2, phase="starter", starter="JH", scores=[119, 120], hands={1: "5C"})
    assert state.outcome().winners == (0, 2)
    assert state.results[-1].points == (2, 0, 2, 0)
    assert next(zone for zone in state.results[-1].zones if zone.id == "hand:1").cards == ("5C",)


# The play


@rule("partnership-cribbage:first-lead")
@pytest.mark.parametrize(("seats", "dealer", "leader"), [(4, 0, 1), (4, 3, 0), (2, 0, 1), (2, 1, 0)])
def test_the_player_at_the_dealers_left_leads(seats, dealer, leader):
    state = lay_away_first(fresh(seats, dealer=dealer))
    assert state.to_act == (leader,)
    for other in set(range(seats)) - {leader}:
        assert state.legal_moves(other) == ()


@rule("partnership-cribbage:turn-order")
@pytest.mark.parametrize("position", [{}, {"to_move": 3}], ids=["first lead of a deal", "lead of a later count"])
def test_nobody_leads_out_of_turn(position):
    state = table(dealer=0, hands=FOUR_HANDS, **position)
    assert refusal(state, "8C", seat=2) == "turn-order"


@rule("partnership-cribbage:turn-order")
def test_turns_go_clockwise():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH")
    assert state.to_act == (2,)
    assert refusal(state, "7D", seat=3) == "turn-order"
    assert play(state, "2:8C 3:7D").to_act == (0,)
    assert state.view(0).announcements == ((1, "10"), (2, "18"), (3, "25"))


@rule("partnership-cribbage:turn-order")
def test_one_plays_cards_of_ones_own_hand():
    state = table(dealer=0, hands=FOUR_HANDS)
    assert "don't have" in str(refused(state, "8C", seat=1))
    assert refusal(state, "8C", seat=1) == "turn-order"


@rule("partnership-cribbage:count-limit")
def test_a_card_past_thirty_one_is_refused():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D 0:GO")
    assert legal(state) == ["4C"]
    assert refusal(state, "9S", seat=1) == "count-limit"
    assert "6 or less" in str(refused(state, "JD", seat=1))


@rule("partnership-cribbage:count-limit")
def test_one_without_a_card_that_fits_is_told_to_say_go():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D")
    assert legal(state) == ["GO"]
    assert str(refused(state, "9C", seat=0)) == "9C would take the count to 34; say go."
    assert state.view(0).prompt == "The count is 25 and none of your cards fits: say go."


@rule("partnership-cribbage:must-play")
def test_who_can_play_may_not_say_go():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D 0:GO")
    assert refusal(state, "GO", seat=1) == "must-play"
    assert "4C" in str(refused(state, "GO", seat=1))


@rule("partnership-cribbage:go")
def test_who_said_go_is_not_asked_again_in_this_count():
    hands = {0: "2C AD KC", 1: "KD QS", 2: "JH TD", 3: "AH AS 6D"}
    state = play(table(dealer=3, to_move=3, hands=hands), "3:6D 0:KC 1:KD 2:GO 3:AH 0:2C 1:GO")
    assert state.to_act == (3,)
    play(state, "3:AS")
    assert state.to_act == (0,), "2 and 1 are passed over"
    assert state.view(0).announcements == ((3, "30"), (0, "29"), (1, "Go"), (2, "Go"))


@rule("partnership-cribbage:go")
def test_a_go_shows_beside_the_hand_until_the_count_restarts():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D 0:GO")
    assert next(zone for zone in state.view(1).zones if zone.id == "hand:0").note == "said go"
    play(state, "1:4C 2:GO 3:GO")
    assert {zone.note for zone in state.view(1).zones if zone.kind == "hand"} == {""}


@rule("partnership-cribbage:count-end")
def test_the_count_ends_when_the_turn_is_back_and_the_last_player_cannot_go_on():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D 0:GO 1:4C 2:GO")
    assert state.to_act == (3,)
    play(state, "3:GO")
    assert (state.count, state.stuck) == (0, ())
    assert state.scores == [0, 1]


@rule("partnership-cribbage:count-end")
def test_the_last_player_goes_on_while_he_can():
    hands = {0: "KC AD 2D", 1: "QS JH"}
    state = play(table(players=2, dealer=1, hands=hands), "0:KC 1:QS 0:2D 1:GO")
    assert state.to_act == (0,)
    play(state, "0:AD")
    assert (state.count, state.to_act) == (0, (1,))
    assert state.scores == [1, 0]


@rule("partnership-cribbage:count-end")
def test_the_count_ends_without_a_go_of_the_last_player_who_has_no_cards_left():
    state = play(table(players=2, dealer=1, hands={0: "KC 9D", 1: "QS KH"}), "0:KC 1:QS 0:9D 1:GO")
    assert state.scores == [1, 0]
    assert state.to_act == (1,)
    assert [card for _seat, card, _count in state.played].count(0) == 1


@rule("partnership-cribbage:skip-empty")
def test_players_without_cards_are_passed_over_and_say_nothing():
    state = play(table(dealer=3, to_move=0, hands={0: "2C 3C", 2: "4H KD"}), "0:2C")
    assert state.to_act == (2,)
    play(state, "2:4H")
    assert state.to_act == (0,)


@rule("partnership-cribbage:go-point")
def test_the_go_point_goes_to_the_side_of_the_last_card():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D 0:GO 1:4C 2:GO 3:GO")
    assert state.scores == [0, 1]
    assert log(state)[-1] == "@1 pegs 1 for the go"


@rule("partnership-cribbage:thirty-one")
def test_thirty_one_pegs_two_and_no_go_point():
    state = play(table(players=2, dealer=1, hands={0: "KC AD 5C", 1: "QS TH"}), "0:KC 1:QS 0:AD 1:TH")
    assert state.scores == [0, 2]
    assert state.count == 0


@rule("partnership-cribbage:lead-after-go")
def test_after_a_go_the_first_who_was_stuck_leads():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D 0:GO 1:4C 2:GO 3:GO")
    assert state.to_act == (0,)
    refused_lead = refused(state, "TC", seat=2)
    assert refused_lead.rule == "partnership-cribbage:lead-after-go" and "first to say go" in str(refused_lead)


@rule("partnership-cribbage:lead-after-go")
def test_the_option_gives_the_lead_to_the_left_of_the_last_card():
    state = table(dealer=0, hands=FOUR_HANDS, options={"lead_after_go": "left-of-last"})
    assert play(state, "1:KH 2:8C 3:7D 0:GO 1:4C 2:GO 3:GO").to_act == (2,)
    assert "to the left of the last card" in str(refused(state, "QD", seat=0))


@rule("partnership-cribbage:lead-after-go")
@pytest.mark.parametrize("option", ["first-unable", "left-of-last"])
def test_one_who_alone_holds_cards_leads_again(option):
    state = table(dealer=3, to_move=0, hands={0: "9C", 2: "4H", 3: "KD QS"}, options={"lead_after_go": option})
    assert play(state, "0:9C 2:4H 3:KD").to_act == (3,)
    assert "the last card leads again" in str(refused(state, "4H", seat=2))


@rule("partnership-cribbage:lead-after-31")
def test_after_thirty_one_the_next_holder_of_cards_leads():
    hands = {**FOUR_HANDS, 1: "KH 6C 9S JD"}
    state = play(table(dealer=0, hands=hands), "1:KH 2:8C 3:7D 0:GO 1:6C")
    assert state.to_act == (2,), "not seat 0, who was stuck"
    assert refusal(state, "QD", seat=0) == "lead-after-31"
    state = play(table(dealer=3, to_move=0, hands={0: "KC", 1: "KD", 2: "AC", 3: "TC 9C"}), "0:KC 1:KD 2:AC 3:TC")
    assert state.to_act == (3,), "nobody else has cards"


@rule("partnership-cribbage:last-card")
def test_the_very_last_card_pegs_one_more():
    state = play(table(players=2, dealer=1, hands={0: "9C", 1: "6D"}), "0:9C 1:6D")
    assert state.results[-1].points == (0, 3)
    assert lines(state) == ["peg-fifteen", "last-card"]


@rule("partnership-cribbage:last-card")
def test_a_last_card_that_makes_thirty_one_pegs_only_two():
    state = play(table(players=2, dealer=1, hands={0: "KC AD", 1: "QS TH"}), "0:KC 1:QS 0:AD 1:TH")
    assert lines(state) == ["thirty-one"]


@rule("partnership-cribbage:play-all")
def test_play_goes_on_until_all_cards_are_out_and_earlier_counts_score_no_more():
    state = play(table(players=2, dealer=0, hands={0: "TH JD QC", 1: "KD QH JC"}), "1:KD 0:TH 1:QH")
    assert state.scores == [0, 0]
    play(state, "0:GO")
    assert (state.scores, state.to_act) == ([0, 1], (0,))
    play(state, "0:JD")
    assert state.scores == [0, 1], "no run with the ten and the queen of the count before"
    assert [card for zone in state.view(0).zones if zone.id == "played:1" for card in zone.cards] == ["KD", "QH"]
    play(state, "1:JC 0:QC")
    assert state.results
    assert lines(state) == ["go-point", "peg-pair", "last-card"]


# Pegging


def pegs_of(cards: str) -> list[int]:
    """What each card pegs when two play them in turns."""
    played = cards.split()
    hands = {0: played[0::2], 1: played[1::2]}
    extra = {0: [*hands[0], "KS"], 1: [*hands[1], "KH"]} if len(played) < 8 else hands
    state, found = table(players=2, dealer=1, to_move=0, hands=extra), []
    for place, card in enumerate(played):
        before = sum(state.scores)
        state.play(place % 2, Play(card))
        found.append(sum(state.scores) - before)
    return found


@rule("partnership-cribbage:peg-fifteen")
@pytest.mark.parametrize(("cards", "points"), [("7C 8D", [0, 2]), ("KC 5D", [0, 2]), ("9C 4D 2C", [0, 0, 2])])
def test_fifteen_pegs_two(cards, points):
    assert pegs_of(cards) == points


@rule("partnership-cribbage:peg-pair")
@pytest.mark.parametrize(
    ("cards", "points"), [("4C 4D 4H 4S", [0, 2, 6, 12]), ("KC QD", [0, 0]), ("KC KD", [0, 2]), ("3C 4D 3H", [0, 0, 0])]
)
def test_equal_ranks_in_a_row_are_pairs(cards, points):
    assert pegs_of(cards) == points


@rule("partnership-cribbage:peg-run")
@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("2C 3D 4H", [0, 0, 3]),
        ("4C 2D 3H", [0, 0, 3]),
        ("2C 4D 3H 6S 5C", [0, 0, 3, 2, 5]),
        ("3C 4D 4H 5S", [0, 0, 2, 0]),
        ("QC KD AH", [0, 0, 0]),
        ("AC 6D 5H 4C", [0, 0, 0, 3]),
    ],
)
def test_the_longest_run_at_the_end_pegs_its_length_in_any_order(cards, points):
    assert pegs_of(cards) == points


@rule("partnership-cribbage:peg-all")
def test_all_that_a_card_makes_is_added():
    assert pegs_of("4C 6D 5H") == [0, 0, 5]
    assert pegs_of("5C 5D 5H") == [0, 2, 8]
    state = play(table(players=2, dealer=1, hands={0: "4C 5H KD", 1: "6D KS"}), "0:4C 1:6D 0:5H")
    assert log(state)[-1] == "@0 plays 5H: 15 for 5 (fifteen, a run of 3)"
    assert state.view(1).track.pegs[0].front == 5
    assert state.view(1).track.pegs[0].rear == 0


@rule("partnership-cribbage:peg-go-no-break")
def test_a_go_between_two_cards_breaks_neither_pair_nor_run():
    state = play(table(players=2, dealer=1, hands={0: "KC 4C 4D", 1: "TD KS"}), "0:KC 1:TD 0:4C 1:GO 0:4D")
    assert state.scores[0] == 2 + 1
    hands = {**FOUR_HANDS, 1: "KH 6C 9S JD"}
    assert play(table(dealer=0, hands=hands), "1:KH 2:8C 3:7D 0:GO 1:6C").scores == [0, 3 + 2]


# The show

SHOWDOWN = {
    "dealer": 2,
    "starter": "6S",
    "hands": {0: "4H 5H 5C 6D", 1: "7C 7D 8H TD", 2: "JS JD QC KH", 3: "2C 3C TS QD"},
    "crib": "9C 9D AH KC",
}


def counted(state: CribbageState) -> list[str]:
    """Whose cards were counted, in order, by the lines of the last hand."""
    texts = [line.text.split(":")[0] for line in state.results[-1].lines]
    return list(dict.fromkeys(text for text in texts if "'s " in text))


@rule("partnership-cribbage:show-order")
def test_the_team_that_did_not_deal_counts_both_hands_first():
    assert counted(table(**SHOWDOWN)) == ["@3's hand", "@1's hand", "@0's hand", "@2's hand", "@2's crib"]


@rule("partnership-cribbage:show-order")
def test_the_option_counts_clockwise():
    found = counted(table(**SHOWDOWN, options={"show_order": "clockwise"}))
    assert found == ["@3's hand", "@0's hand", "@1's hand", "@2's hand", "@2's crib"]


@rule("partnership-cribbage:show-order", "partnership-cribbage:two-player-deal")
def test_of_two_the_dealer_counts_second_and_then_his_crib():
    state = table(players=2, dealer=0, starter="6S", hands=["4H 5H 5C 6D", "7C 7D 8H TD"], crib="9C 9D AH KC")
    assert counted(state) == ["@1's hand", "@0's hand", "@0's crib"]


@rule("partnership-cribbage:show-five-cards")
def test_hands_and_crib_are_counted_with_the_starter():
    state = table(dealer=0, starter="5S", hands={1: "TC JD 2H 3C"}, crib="5C 5D 9H KC", phase="show")
    assert points_of(state, "@1's hand") == 2 + 2 + 2 + 2
    assert points_of(state, "@0's crib") == 8 + 6
    assert {zone.id: zone.note for zone in state.results[-1].zones} == {
        **{f"hand:{seat}": "0 points" for seat in (0, 2, 3)}, "hand:1": "8 points", "crib": "14 points", "starter": "",
    }  # fmt: skip


@rule("partnership-cribbage:show-fifteen")
@pytest.mark.parametrize(
    ("hand", "points"), [("7C 8D 2H AC", 2), ("5C 5D 5H JC", 14), ("QC KD 9H 8C", 0), ("AC 4D KH TC", 6)]
)
def test_every_combination_of_fifteen_counts_two(hand, points):
    assert show(mask(hand.split()), BIT["QS"]).fifteens == points


@rule("partnership-cribbage:show-pair")
@pytest.mark.parametrize(
    ("hand", "points"), [("8C 8D 2H KC", 2), ("8C 8D 8H KC", 6), ("8C 8D 8H 8S", 12), ("8C 8D KH KC", 4)]
)
def test_pairs_count_two_each(hand, points):
    assert show(mask(hand.split()), BIT["3S"]).pairs == points


@rule("partnership-cribbage:show-run")
@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("9C TD JH 2C", "KS", 3),
        ("9C TD TH JC", "KS", 6),
        ("9C TD TH JC", "QS", 8),
        ("9C 9D TH TC", "JS", 12),
        ("9C 9D 9H TC", "JS", 9),
        ("9C TD JH QC", "KS", 5),
        ("9C TD QH KC", "2S", 0),
    ],
)
def test_every_different_run_counts_its_length(hand, starter, points):
    assert show(mask(hand.split()), BIT[starter]).runs == points


@rule("partnership-cribbage:show-flush")
@pytest.mark.parametrize(("starter", "points"), [("TS", 4), ("TD", 5)])
def test_a_flush_in_the_hand_counts_four_or_five(starter, points):
    state = table(dealer=0, starter=starter, hands={1: "2D 4D 8D KD"}, phase="show")
    assert [line.points for line in state.results[-1].lines if line.rule.endswith("show-flush")] == [points]


@rule("partnership-cribbage:show-flush")
def test_the_option_asks_for_five_of_a_suit_in_the_hand_too():
    hand = {"dealer": 0, "hands": {1: "2D 4D 8D KD"}, "phase": "show", "options": {"four_flush_in_hand": False}}
    assert "show-flush" not in lines(table(starter="TS", **hand))
    assert "show-flush" in lines(table(starter="TD", **hand))


@rule("partnership-cribbage:crib-flush")
@pytest.mark.parametrize(("starter", "found"), [("TS", []), ("TD", [5])])
def test_a_flush_in_the_crib_needs_all_five(starter, found):
    state = table(dealer=0, starter=starter, crib="2D 4D 8D KD", phase="show")
    assert [line.points for line in state.results[-1].lines if line.rule.endswith("crib-flush")] == found


@rule("partnership-cribbage:his-nobs")
def test_the_jack_of_the_starters_suit_counts_one_in_hand_and_crib():
    state = table(dealer=0, starter="9S", hands={1: "JS 2D 4H 8C"}, phase="show")
    assert "his-nobs" in lines(state)
    state = table(dealer=0, starter="9S", crib="JS 2D 4H 8C", phase="show")
    assert "his-nobs" in lines(state)
    assert "his-nobs" not in lines(table(dealer=0, starter="9H", hands={1: "JS 2D 4H 8C"}, phase="show"))


@rule("partnership-cribbage:auto-count")
def test_the_table_counts_every_hand_in_full():
    state = table(**SHOWDOWN)
    assert sum(line.points for line in state.results[-1].lines if 0 in line.seats) == 24 + 9 + 6
    assert state.to_act == (0, 1, 2, 3), "the next hand is dealt"
    assert refusal(table(dealer=0, hands=FOUR_HANDS), "S 12", seat=1) == "auto-count"
    assert refusal(fresh(), "M 3", seat=1) == "auto-count"


# Counting by hand

BY_HAND = {**SHOWDOWN, "options": {"counting": "manual"}}
MUGGINS = {**SHOWDOWN, "options": {"counting": "muggins"}}


@rule("partnership-cribbage:auto-count", "partnership-cribbage:show-order")
def test_where_players_count_each_owner_names_a_number_in_turn():
    state = table(**BY_HAND)
    assert state.to_act == (3,)
    assert legal(state) == [f"S {points}" for points in range(30)]
    assert refusal(state, "S 12", seat=1) == "show-order"
    assert refusal(state, "TS", seat=3) == "play-all"
    assert refusal(state, "M 3", seat=3) == "show-order"
    play(state, "3:S_4 1:S_12 0:S_24 2:S_9")
    assert state.to_act == (2,)
    assert "crib" in state.view(2).prompt
    play(state, "2:S_4")
    assert state.results[-1].points == (37, 16, 37, 16)


@rule("partnership-cribbage:auto-count")
def test_a_number_too_low_is_kept_and_one_too_high_is_put_right():
    state = play(table(**BY_HAND), "3:S_2 1:S_29")
    assert state.scores == [0, 2 + 12]
    assert state.to_act == (0,)
    assert state.view(1).announcements == ((3, "2 points"), (1, "29 points"))


@rule("partnership-cribbage:auto-count")
def test_with_muggins_the_opponent_at_the_left_claims_what_was_overlooked():
    state = play(table(**MUGGINS), "3:S_4")
    assert state.to_act == (0,), "the question is asked after a full count too"
    assert legal(state)[:2] == ["M 0", "M 1"]
    assert refusal(state, "S 3", seat=0) == "show-order"
    play(state, "0:M_5 1:S_9")
    assert (state.scores, state.to_act) == ([0, 13], (2,))
    play(state, "2:M_3")
    assert (state.scores, state.to_act) == ([3, 13], (0,))
    play(state, "0:S_29")
    assert state.to_act == (2,), "a number put right leaves nothing to claim"
    play(state, "2:S_9 3:M_0 2:S_4 3:M_0")
    assert state.results[-1].points == (40, 13, 40, 13)
    assert "@1's hand: missed" in [line.text for line in state.results[-1].lines]


@rule("partnership-cribbage:stop-at-once", "partnership-cribbage:auto-count")
def test_a_claim_can_win_the_game():
    state = play(table(**MUGGINS, scores=[120, 100]), "3:S_1 0:M_3")
    assert state.outcome().winners == (0, 2)
    assert state.outcome().scores == (121, 101, 121, 101)


def test_the_crib_opens_when_it_is_counted():
    state = play(table(**BY_HAND), "3:S_4 1:S_12 0:S_24")
    assert "9C" not in repr(state.view(1))
    assert state.view(1).open_hands[2] == ("JS" in "JS") * ("JD", "JS", "QC", "KH")
    play(state, "2:S_9")
    assert state.view(1).open_crib == ("AH", "9C", "9D", "KC")


@pytest.mark.parametrize("counting", ["manual", "muggins"])
def test_a_show_in_progress_is_loaded_as_it_was_dumped(counting):
    state = lay_away_first(fresh(counting=counting))
    while state.phase is Phase.PLAY:
        state.play(state.to_act[0], state.legal_moves(state.to_act[0])[0])
    while state.phase is Phase.SHOW:
        again = PARTNERSHIP_CRIBBAGE.load(state.dump())
        assert again.dump() == state.dump()
        assert again.view(0) == state.view(0)
        assert PARTNERSHIP_CRIBBAGE.sample(state.view(1), Random(1)).view(1) == state.view(1)
        assert sorted(state.cards()) == sorted(pack())
        state.play(state.to_act[0], state.legal_moves(state.to_act[0])[2])
    assert len(state.results) == 1


@pytest.mark.parametrize("seats", [2, 4])
def test_a_position_says_which_deal_it_is(seats):
    state = fresh(seats)
    while len(state.results) < 2:
        state.play(state.to_act[0], state.legal_moves(state.to_act[0])[0])
    again = PARTNERSHIP_CRIBBAGE.load(state.dump())
    assert again.deal_number == again.view(0).deal_number == 3
    older = {key: value for key, value in state.dump().items() if key != "hands_played"}
    assert PARTNERSHIP_CRIBBAGE.load(older).deal_number == 1


# The end


@rule("partnership-cribbage:game-121")
@pytest.mark.parametrize("target", [121, 61])
def test_the_first_side_at_the_target_wins(target):
    state = table(
        players=2, dealer=1, hands={0: "7C KC", 1: "8D"}, scores=[target - 3, target - 2], options={"target": target}
    )
    play(state, "0:7C 1:8D")
    assert state.to_act == ()
    assert state.outcome().places == (2, 1)
    assert state.outcome().scores == (target - 3, target)
    assert refusal(state, "KC", seat=0) == "game-121"


@rule("partnership-cribbage:stop-at-once")
def test_the_game_stops_in_the_middle_of_the_show():
    state = table(**SHOWDOWN, scores=[118, 103])
    assert state.outcome().scores == (121, 119, 121, 119)
    assert counted(state) == ["@3's hand", "@1's hand", "@0's hand"]
    zones = {zone.id: zone for zone in state.results[-1].zones}
    assert zones["hand:2"].note == ""
    assert zones["crib"].cards == ("AH", "9C", "9D", "KC")


@rule("partnership-cribbage:stop-at-once")
def test_the_game_stops_at_a_go_point():
    state = play(table(dealer=0, hands=FOUR_HANDS, scores=[0, 120]), "1:KH 2:8C 3:7D 0:GO 1:4C 2:GO 3:GO")
    assert state.outcome().winners == (1, 3)
    assert {zone.id: zone.cards for zone in state.results[-1].zones}["hand:2"] == ("8C", "TC", "QH", "KS")


@rule("partnership-cribbage:score-cap")
def test_points_past_the_target_are_not_pegged():
    state = play(table(players=2, dealer=1, hands={0: "4C 5H KD", 1: "6D"}, scores=[118, 0]), "0:4C 1:6D 0:5H")
    assert state.outcome().scores == (121, 0)
    assert [line.points for line in state.results[-1].lines] == [2, 1]
    assert state.results[-1].points == (3, 0)


@rule("partnership-cribbage:no-tie")
def test_of_two_sides_near_home_only_one_gets_there():
    state = table(**SHOWDOWN, scores=[120, 120])
    assert state.outcome().scores == (120, 121, 120, 121)
    assert state.outcome().winners == (1, 3)


@rule("partnership-cribbage:skunk")
@pytest.mark.parametrize(
    ("target", "theirs", "reason", "counts"),
    [
        (121, 91, "", None),
        (121, 90, ": a skunk", "two"),
        (121, 61, ": a skunk", "two"),
        (121, 60, ": a double skunk", "three"),
        (61, 31, "", None),
        (61, 30, ": a skunk", "two"),
        (61, 0, ": a skunk", "two"),
    ],
)
def test_a_loser_far_behind_is_skunked(target, theirs, reason, counts):
    for skunk in (False, True):
        position = {"scores": [target, theirs], "options": {"target": target, "skunk": skunk}}
        outcome = table(**position).outcome()
        assert outcome.reason == f"@0 and @2 reached {target}{reason}."
        shown = [f"The game counts as {counts}"] if skunk and counts else []
        assert [line.text for line in outcome.lines] == shown
        assert outcome.scores == (target, theirs, target, theirs)


@rule("partnership-cribbage:finite")
@pytest.mark.parametrize("seats", [2, 4])
def test_every_deal_pegs_at_least_a_point(seats):
    state, rng = PARTNERSHIP_CRIBBAGE.start(random_decks(pack(), Random(5)), seats=seats), Random(5)
    while state.to_act:
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    assert all(sum(result.points) > 0 for result in state.results)
    assert len(state.results) <= 241


# Reading moves


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("7c", "7C"),
        (" go ", "GO"),
        ("d:7c", "D:7C"),
        ("D 7C", "D:7C"),
        ("D:KD,7C", "D:7C,KD"),
        ("D:10d,10c", "D:TC,TD"),
        ("d : kd 7c", "D:7C,KD"),
        ("s8", "S 8"),
        ("S: 12", "S 12"),
        ("S10", "S 10"),
        ("m 0", "M 0"),
    ],
)
def test_moves_are_read_in_any_order_and_case(text, move):
    assert str(PARTNERSHIP_CRIBBAGE.parse(text)) == move


@pytest.mark.parametrize("text", ["7X", "11C", "D:", "D:7C,7C", "S 30", "S", "7C 8C", "GO GO", "D:7C,KD,"])
def test_what_is_no_move_is_unreadable(text):
    with pytest.raises(UnreadableMove):
        PARTNERSHIP_CRIBBAGE.parse(text)


# Views


def test_two_players_mark_the_two_cards_that_they_lay_away():
    view = fresh(2).view(0)
    assert (view.selection.low, view.selection.high, view.selection.cards) == (2, 2, view.hand)
    assert view.offered == ()
    assert PARTNERSHIP_CRIBBAGE.select(view, view.hand[3:1:-1]) == Discard(view.hand[2:4])
    with pytest.raises(UnreadableMove):
        PARTNERSHIP_CRIBBAGE.select(view, view.hand[:1])
    assert fresh(4).view(0).selection is None
    assert lay_away_first(fresh(2)).view(0).selection is None


def test_gos_and_last_cards_play_themselves_but_not_the_only_card_that_fits():
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D")
    assert str(state.view(0).forced) == "GO"
    play(state, "0:GO")
    assert len(state.view(1).moves) == 1
    assert state.view(1).forced is None
    state = play(table(players=2, dealer=1, hands={0: "9C", 1: "6D"}), "0:9C")
    assert str(state.view(1).forced) == "6D"


def test_a_card_is_offered_with_what_it_would_peg():
    def offered(state: CribbageState, card: str) -> str:
        return render_text(state.view(state.to_act[0]).choice(Play(card)).phrase.text, ())

    state = play(table(players=2, dealer=1, hands={0: "4C KD", 1: "6D 5H"}), "0:4C")
    assert offered(state, "6D") == "Play 6D: 10"
    state = table(players=2, dealer=1, hands=["KS", "5H QD"], played=["0:4C", "1:6D", "0:KH"])
    assert offered(state, "5H") == "Play 5H: 25"
    state = table(players=2, dealer=1, hands=["5H QD KS", "AS"], played=["0:4C", "1:6D"])
    assert offered(state, "5H") == "Play 5H: 15 for 5"
    state = table(players=2, dealer=1, hands=["AH QD", "2S"], played=["0:KC", "1:KH", "0:AS"])
    assert offered(state, "2S") == "Play 2S: 23"
    state = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D")
    assert offered(state, "9C") == "Play 9C", "it does not fit and would peg nothing"


def test_the_track_shows_two_pegs_a_side():
    state = play(table(dealer=0, hands=FOUR_HANDS, scores=[10, 20], rear=[7, 18]), "1:KH 2:8C 3:7D 0:GO 1:4C 2:GO 3:GO")
    track = state.view(None).track
    assert track.length == 121
    assert [(peg.seats, peg.front, peg.rear) for peg in track.pegs] == [((0, 2), 10, 7), ((1, 3), 21, 20)]


def test_a_hand_worth_nothing_leaves_the_pegs_where_they_are():
    state = table(
        players=2, dealer=0, starter="2S", hands=["KC QD 9H 8C", "JC 7D 4H 6H"], scores=[20, 30], rear=[15, 24]
    )
    assert points_of(state, "@0's hand") == 0
    assert [peg.rear for peg in state.view(0).track.pegs] == [15, 30]


def test_the_cards_of_the_count_lie_in_one_row():
    view = play(table(dealer=0, hands=FOUR_HANDS), "1:KH 2:8C 3:7D").view(0)
    zones = {zone.id: zone for zone in view.zones}
    assert zones["count"].cards == ("KH", "8C", "7D")
    assert zones["count"].note == "25"
    assert list(zones)[-1] == "hand:0"
    assert zones["played:1"].cards == ()


# Samples


@rule("partnership-cribbage:go")
def test_an_imagined_hand_keeps_to_what_a_go_has_told():
    state = play(table(dealer=0, hands=FOUR_HANDS, to_move=1, starter="2S", crib="AC AD AH AS"), "1:KH 2:8C 3:7D 0:GO")
    for seed in range(40):
        world = PARTNERSHIP_CRIBBAGE.sample(state.view(2), Random(seed))
        assert not world.hands[0] & FITS[25]
    play(state, "1:4C 2:GO 3:GO")
    for seed in range(40):
        world = PARTNERSHIP_CRIBBAGE.sample(state.view(2), Random(seed))
        assert not world.hands[1] & FITS[29], "the count ended, so seat 1 could not go on"


def test_an_imagined_hand_can_go_on_where_the_turn_is_back_at_it():
    state = play(table(players=2, dealer=1, hands={0: "KC AD 2D", 1: "QS JH"}), "0:KC 1:QS 0:2D 1:GO")
    worlds = [PARTNERSHIP_CRIBBAGE.sample(state.view(1), Random(seed)) for seed in range(40)]
    assert all(world.hands[0] & FITS[22] for world in worlds)


def test_an_imagined_hand_remembers_that_it_could_not_go_on_in_an_earlier_count():
    state = play(table(players=2, dealer=1, hands={0: "KC 9D 4C 5S", 1: "QS TH JH"}), "0:KC 1:QS 0:9D 1:GO 1:TH")
    for seed in range(60):
        assert not PARTNERSHIP_CRIBBAGE.sample(state.view(1), Random(seed)).hands[0] & FITS[29]


@pytest.mark.parametrize("phase", ["discard", "play"])
def test_an_imagined_stock_is_as_long_as_the_one_that_is_seen(phase):
    state = table(hands=FOUR_HANDS, phase=phase, stock="AD 9H AC")
    for seat in (*range(4), None):
        assert PARTNERSHIP_CRIBBAGE.sample(state.view(seat), Random(1)).view(seat) == state.view(seat)


def test_every_unseen_card_may_be_anywhere():
    state = lay_away_first(fresh(2))
    seen = Counter()
    for seed in range(300):
        seen.update(PARTNERSHIP_CRIBBAGE.sample(state.view(0), Random(seed)).dump()["hands"][1])
    assert len(seen) == 52 - 4 - 2 - 1
    assert max(seen.values()) < 3 * min(seen.values())
    assert len({PARTNERSHIP_CRIBBAGE.sample(fresh(2).view(0), Random(seed)).stock[0] for seed in range(300)}) == 52 - 6


# Positions


@pytest.mark.parametrize(
    "crib",
    ["9C 9D AH KC", ["9C", "9D", "AH", "KC"], {0: "9C", 1: "9D", 2: "AH", 3: "KC"}, [["9C"], ["9D"], ["AH"], ["KC"]]],
)
def test_a_crib_is_read_with_and_without_its_seats(crib):
    state = table(dealer=0, hands={**FOUR_HANDS, 0: "QD JC TH", 3: "7D"}, crib=crib, starter="2S", to_move=1)
    assert state.dump()["crib"] == [["9C"], ["9D"], ["AH"], ["KC"]]


def test_the_phase_is_found_from_the_cards():
    assert table(hands={0: "2C 3C 4C 5C 6C"}).phase is Phase.DISCARD
    assert table(hands=FOUR_HANDS).phase is Phase.PLAY
    assert table(hands=FOUR_HANDS, starter="2S", to_move=0).phase is Phase.PLAY
    assert table(hands=FOUR_HANDS, starter="2S").results, "counted at once"
    assert table(scores=[121, 3]).phase is Phase.OVER


def test_a_hand_alone_is_that_of_the_seat_to_move():
    state = table(hand="4D 5C", to_move=2)
    assert state.view(2).hand == ("4D", "5C")
    assert state.to_act == (2,)


def test_a_starter_in_a_position_with_discards_to_make_is_the_next_card_of_the_stock():
    state = table(phase="discard", hands=["2C 3C", "4D 5D", "6H 7H", "8S TS"], starter="9H")
    assert state.view(None).starter is None
    assert lay_away_first(state).view(None).starter == "9H"


def test_cards_played_give_the_count():
    state = table(dealer=0, hands={1: "4C 9S JD", 2: "TC", 3: "6H", 0: "QD"}, played="1:KH 2:8C 3:7D 0:GO")
    assert (state.count, state.to_act, state.last) == (25, (1,), 3)
    assert state.view(1).scores == (0, 0, 0, 0), "scores are those after the cards played"


def test_without_a_starter_there_is_no_show():
    state = play(table(players=2, dealer=1, hands={0: "5C", 1: "JD"}), "0:5C 1:JD")
    assert lines(state) == ["peg-fifteen", "last-card"]


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"hands": {0: "2C 2C"}}, "lies there 2 times"),
        ({"hands": {0: "2X"}}, "no card 2X"),
        ({"hands": {7: "2C"}}, "no seat 7"),
        ({"hands": {0: "2C 3C 4C 5C 6C 7C"}}, "can have 5 cards"),
        ({"hands": {0: "2C 3C 4C 5C"}, "played": ["0:9C"]}, "can have 4 cards"),
        ({"hands": {0: "2C"}, "scores": [121, 3]}, "no cards"),
        ({"hands": {0: "2C"}, "scores": [121, 3], "phase": "play"}, "game is over"),
        ({"phase": "over", "scores": [3, 3]}, "reached the target"),
        ({"scores": [121, 121]}, "one side"),
        ({"hands": {0: "2C"}, "scores": [0, 5, 1, 5]}, "one number together"),
        ({"hands": {0: "2C"}, "rear": [1, 0]}, "rear"),
        ({"hands": {0: "2C"}, "to_move": 1}, "no card to lead"),
        ({"hands": {0: "2C", 1: "3C"}, "played": ["0:9C"], "to_move": 0}, "to_move"),
        ({"hands": {0: "2C", 1: "3C"}, "played": ["0:9C", "0:8C"]}, "another player"),
        ({"hands": {0: "2C", 1: "3C"}, "played": ["nonsense"]}, "no seat with its move"),
        ({"hands": {0: "2C", 1: "3C"}, "played": ["0:D:9C"]}, "does not belong"),
        ({"hands": {0: "2C", 1: "3C"}, "played": 5}, "write a list"),
        ({"hands": {0: ""}, "played": ["0:9C"]}, "over"),
        ({"hands": {0: "2C"}, "claims": ["0:S 4"]}, "claims"),
        ({"hands": {0: "2C"}, "phase": "show"}, "starter"),
        ({"phase": "starter"}, "starter"),
        ({"hands": {0: "2C 3C"}, "starter": "4C 5C"}, "one card"),
        ({"hands": {0: "2C"}, "hand": "3C"}, "only one of them"),
        ({"hands": {0: "2C"}, "crib": "3C 4C 5C 6C 7C"}, "four cards"),
        ({"hands": {0: "2C"}, "crib": {0: "3C 4C"}}, "lays away"),
        ({"hands": {0: "2C 3C 4C 5C 6C", 1: "2D"}, "crib": {0: "7C"}}, "can have 4 cards"),
        ({"hands": {0: "2C"}, "phase": "nonsense"}, "choose one of"),
        ({"hands": {0: "2C 3C 4C 5C 6C"}, "played": ["1:KH"]}, "before the discards"),
        ({"hands": {0: "2C 3C 4C 5C 6C"}, "stock": []}, "starter"),
        ({"players": 3}, "2 or 4"),
        ({"players": 2, "seats": 4}, "4 and 2"),
        ({}, "nobody has a card"),
    ],
)
def test_impossible_positions_are_refused_in_words(position, words):
    with pytest.raises(ImpossiblePosition, match=words):
        table(**position)


def test_the_number_of_players_may_stand_among_the_options():
    assert table(options={"players": 2}, hands=["5C", "6C"]).seats == 2
    assert table(seats=2, hands=["5C", "6C"]).seats == 2
    assert table(hands={0: "5C"}).seats == 4
