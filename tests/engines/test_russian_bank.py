"""Russian Bank, rule by rule: positions in the notation of `RussianBank.load`, moves in their text form.

Unless a position says otherwise seat 0 is to move and both reserves hold cards that do not matter.
"""

from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.cards import RANKS
from games.core.contract import ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.deals import numbered_decks
from games.core.words import render_text
from games.engines.russian_bank.game import RUSSIAN_BANK
from games.engines.russian_bank.moves import PACK, Phase
from games.engines.russian_bank.state import RussianBankState
from tests.engines.states import legal, refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "russian_bank_examples.yaml").read_text())

DULL = "2C1 / 2S1 / 4C1 / 4S1"  # piles on which nothing goes and of which nothing goes
CASUAL = {"mode": "casual"}


def table(**position) -> RussianBankState:
    return RUSSIAN_BANK.load(position)


def two(first, second="") -> dict:
    return {0: first, 1: second}


def seat_of(state: RussianBankState, move: str) -> int:
    return 1 - state.turn if move in ("STOP", "GO") else state.turn


def play(state: RussianBankState, *moves: str) -> RussianBankState:
    for move in moves:
        state.play(seat_of(state, move), RUSSIAN_BANK.parse(move))
    return state


def fresh(seed: int = 1, dealer: int | None = None, **options) -> RussianBankState:
    return RUSSIAN_BANK.start(numbered_decks(PACK, seed), seats=2, options=options, dealer=dealer)


def stacked(first: str, second: str = "", **options) -> RussianBankState:
    """A game in which the packs of both seats begin with these cards."""
    decks = []
    for copy, dealt in (("1", first), ("2", second)):
        cards = [card + copy for card in dealt.split()]
        decks += [*cards, *(card for card in PACK if card[2] == copy and card not in cards)]
    return RUSSIAN_BANK.start([decks] * 5, seats=2, options=options)


def log(state: RussianBankState) -> list[str]:
    return [str(deed) for deed in state.log]


def zone(state: RussianBankState, name: str, seat: int | None = None):
    return next(zone for zone in state.view(seat).zones if zone.id == name)


# The worked examples

EXPECTATIONS = {
    "legal": lambda state, value: legal(state) == value,
    "refused": lambda state, value: all(refusal(state, move) == rule for move, rule in value.items()),
    "stock_card": lambda state, value: state.top(0, "S") == value,
    "their_stock": lambda state, value: list(state.view(None).stock_cards[1]) == value,
    "their_stock_count": lambda state, value: len(state.stock[1]) == value,
    "vacancies": lambda state, value: state.tableau[0].count([]) == value,
    "turn": lambda state, value: state.turn == value,
    "turned": lambda state, value: state.turned == value,
    "reserve": lambda state, value: state.dump()["reserve"][0] == value,
    "reserve_next": lambda state, value: state.dump()["reserve"][0][0] == value,
    "waste_count": lambda state, value: len(state.waste[0]) == value,
    "log": lambda state, value: log(state)[-1] == value,
    "points": lambda state, value: list(state.results[-1].points) == value,
    "lines": lambda state, value: (
        [line.rule for line in state.results[-1].lines] == [f"russian-bank:{name}" for name in value]
    ),
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = play(table(**example["setup"]), *example.get("play", []))
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


# The deal and the opening


@rule("russian-bank:two-packs", "russian-bank:deal-stock", "russian-bank:deal-tableau", "russian-bank:deal-reserve")
def test_each_player_lays_out_an_own_pack():
    state = fresh(seed=4)
    for seat in (0, 1):
        laid = [*state.stock[seat], *(card for pile in state.tableau[seat] for card in pile), *state.reserve[seat]]
        laid += [card for pile in state.foundations for card in pile if card[2] == str(seat + 1)]
        assert sorted(laid) == sorted(card for card in PACK if card[2] == str(seat + 1))
        assert (len(state.stock[seat]), len(state.reserve[seat]), state.waste[seat]) == (12, 36, [])
        assert [len(pile) for pile in state.tableau[seat]] == [1, 1, 1, 1]


@rule("russian-bank:deal-stock", "russian-bank:deal-tableau", "russian-bank:deal-reserve")
def test_the_pack_gives_the_stock_then_the_piles_then_the_reserve():
    deck = next(numbered_decks(PACK, 4))
    own = [card for card in deck if card[2] == "2"]
    data = fresh(seed=4).dump()
    assert data["stock"][1] == own[:12]
    assert data["tableau"][1] == [[card] for card in own[12:16]]
    assert data["reserve"][1] == own[16:]


@rule("russian-bank:foundations-common")
def test_both_players_build_on_the_same_eight_foundations():
    state = table(foundations="AH1", stock=two(["2H1", 1], ["3H2", 1]), turned="KC1", tableau=two(DULL))
    assert len([name for name in (zone.id for zone in state.view(0).zones) if name.startswith("foundation")]) == 8
    play(state, "S>F 2H1", "R>W KC1")
    assert legal(state) == ["S>F 3H2"]


@rule("russian-bank:first-player")
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_chosen_dealer_leaves_the_first_turn_to_player_one(dealer):
    state = fresh(dealer=dealer)
    assert state.to_act == (1 - dealer,)
    assert ("Player one", f"@{1 - dealer}") in state.view(None).facts


@rule("russian-bank:first-player", "russian-bank:match-target")
def test_the_players_begin_in_turn():
    state = table(options={"target": 300}, reserve=two([]), turned="TD1", tableau=two("JS1"), stock=two("", 1))
    assert (state.turn, state.dealer) == (0, 1)
    play(state, "R>1 TD1")
    assert (state.turn, state.dealer) == (1, 0)


STOCK = "KC KD KH KS QC QD QH QS JC JD JH JS"


@rule("russian-bank:start-aces")
def test_the_game_opens_with_the_aces_of_the_own_piles_and_what_follows_them():
    state = stacked(f"{STOCK} AS 7H 2S 3S")
    assert state.phase is Phase.OPENING
    assert zone(state, "stock:0").cards == ()
    assert refusal(state, "S>2") == refusal(state, "T") == refusal(state, "3>F") == "start-aces"
    play(state, "1>F AS1", "3>F 2S1")
    assert refusal(state, "2>1 7H1") == "start-aces"
    play(state, "4>F 3S1")
    assert (state.phase, state.top(0, "S")) == (Phase.TURN, "KC1")


@rule("russian-bank:start-aces")
def test_without_an_ace_the_stock_card_is_turned_up_at_once():
    state = stacked(f"{STOCK} 4S 7H 2S 3S", f"{STOCK} AS 7H 2S 3S")
    assert (state.phase, state.top(0, "S"), log(state)) == (Phase.TURN, "KC1", ["0:+KC1"])


@rule("russian-bank:start-aces")
def test_player_two_has_no_opening_but_begins_with_a_stock_card():
    state = stacked(f"{STOCK} 4S 7H 2S 3S TD", f"{STOCK} AS 7H 2S 3S")
    play(state, "T", "R>W TD1")
    assert (state.turn, state.phase, state.top(1, "S")) == (1, Phase.TURN, "KC2")
    assert legal(state) == ["1>F AS2"]


# Foundations


@rule("russian-bank:foundation-ace")
def test_an_empty_foundation_takes_any_ace_and_nothing_else():
    state = table(stock=two("AH1", "3"), turned="AH2", tableau=two("2H1 / 5C1 / 7C1 / 9C1"))
    play(state, "S>F AH1", "R>F AH2")
    assert [pile[:1] for pile in state.foundations[:3]] == [["AH1"], ["AH2"], []]
    other = table(stock=two("2D1"), foundations="4S", tableau=two(DULL))
    assert refusal(other, "S>F 2D1") == "foundation-ace"


@rule("russian-bank:foundation-build")
@pytest.mark.parametrize("card", ["7S1", "5S1", "4S1", "6C1"])
def test_a_foundation_goes_up_in_suit_one_card_at_a_time(card):
    state = table(stock=two(card), foundations="5S2 4C2", tableau=two("KD1 / KH1 / 9D1 / 2D1"))
    assert refusal(state, f"S>F {card}") == "foundation-build"
    assert legal(table(stock=two("6S1"), foundations="5S2 4C2", tableau=two(DULL))) == ["S>F 6S1"]


@rule("russian-bank:foundation-build")
def test_of_two_equal_foundations_the_first_takes_the_card():
    state = play(table(stock=two(["5D1", 2]), foundations="4D1 4D2", tableau=two(DULL)), "S>F")
    assert [pile[-1] for pile in state.foundations[:2]] == ["5D1", "4D2"]


@rule("russian-bank:foundation-final")
def test_a_card_on_a_foundation_stays_there():
    state = table(stock=two("KC1"), foundations="5D2", tableau=two(DULL))
    with pytest.raises(UnreadableMove):
        RUSSIAN_BANK.parse("F>1 5D2")
    assert not [move for move in legal(state) if "5D2" in move]


@rule("russian-bank:foundation-forced")
@pytest.mark.parametrize("move", ["T", "2>3 8S1", "1>2 7H1", "S>4 KD1", "2>OW 8S1"])
def test_nothing_else_is_played_while_a_card_fits_a_foundation(move):
    state = table(foundations="6H", stock=two("KD1", "2"), waste={1: "9S2"}, tableau=two("7H1 / 8S1 / 9D1 / KC1"))
    assert legal(state) == ["1>F 7H1"]
    assert refusal(state, move) == "foundation-forced"


@rule("russian-bank:foundation-forced")
def test_the_turned_card_is_forced_too_and_cannot_be_wasted():
    state = table(foundations="6H", turned="7H1", stock=two("KD1"), tableau=two("8S1 / 9D1 / KC1 / 2C1"))
    assert legal(state) == ["R>F 7H1"]
    assert refusal(state, "R>1 7H1") == refusal(state, "R>W 7H1") == "foundation-forced"


@rule("russian-bank:stock-first")
def test_the_stock_card_goes_to_its_foundation_before_any_other():
    state = table(foundations="6H 3C", turned="4C1", stock=two("7H1"), tableau=two("4C2 / 9D1 / KC1 / 2C1"))
    assert legal(state) == ["S>F 7H1"]
    assert refusal(state, "1>F 4C2") == refusal(state, "R>F 4C1") == "stock-first"
    assert refusal(state, "2>F 9D1") == refusal(state, "1>2") == "foundation-forced"


@rule("russian-bank:forced-order-free")
def test_among_the_other_foundation_cards_one_chooses():
    state = table(foundations="6H 3C", turned="4C1", stock=two("KD1"), tableau=two("7H1 / 9D1 / 4C2 / 2C1"))
    assert legal(state) == ["R>F 4C1", "1>F 7H1", "3>F 4C2"]


# The turn


@rule("russian-bank:stock-turn-up")
def test_the_next_stock_card_is_turned_up_as_soon_as_one_has_left():
    state = table(stock=two(["8S1", "TD1", "3C1"]), tableau=two("9H1 / JS1 / 2C1 / 2S1"))
    play(state, "S>1 8S1")
    assert (state.top(0, "S"), log(state)) == ("TD1", ["0:S>1 8S1", "0:+TD1"])
    assert zone(state, "stock:0").cards == ("TD1",)
    play(state, "S>2 TD1", "T")
    assert state.top(0, "S") == "3C1"


@rule("russian-bank:stock-turn-up")
def test_an_empty_stock_offers_no_card():
    state = table(tableau=two(DULL))
    assert refusal(state, "S>1") == "stock-turn-up"
    assert refusal(table(stock=two("KH1"), tableau=two(DULL)), "S>1 QH1") == "stock-turn-up"


@rule("russian-bank:turn-priorities")
def test_free_moves_may_be_made_before_and_after_turning_a_reserve_card():
    state = table(stock=two(["8S1", "KD1"]), reserve=two(["JC1", 5]), tableau=two("9H1 / QH1 / 6C1 / 7D1"))
    assert legal(state) == ["S>1 8S1", "3>4 6C1", "T"]
    assert legal(play(state, "T")) == ["S>1 8S1", "R>2 JC1", "3>4 6C1"]
    play(state, "3>4 6C1")
    assert "S>3 8S1" in legal(state)


@rule("russian-bank:reserve-turn")
def test_the_top_reserve_card_is_turned_up_and_lies_open():
    state = play(table(reserve=two(["KS1", "KH1", 3]), tableau=two(DULL), stock=two("KD1", 2)), "T")
    assert (state.turned, log(state)[-1]) == ("KS1", "0:T=KS1")
    reserve = zone(state, "reserve:0", seat=1)
    assert (reserve.cards, reserve.count, reserve.note) == (("KS1",), 5, "turned up")


@rule("russian-bank:reserve-turn")
def test_without_a_turned_card_there_is_none_to_place():
    state = table(tableau=two(DULL), stock=two("KD1"))
    assert refusal(state, "R>W") == refusal(state, "R>1") == "reserve-turn"
    assert refusal(table(turned="KC1", tableau=two(DULL)), "R>W KS1") == "reserve-turn"


@rule("russian-bank:reserve-one-at-a-time")
def test_a_turned_card_is_placed_before_the_next_is_turned():
    assert refusal(table(turned="KC1", tableau=two(DULL)), "T") == "reserve-one-at-a-time"
    state = play(table(turned="3H1", reserve=two(["KC1", 3]), tableau=two(DULL)), "R>3 3H1", "T")
    assert state.turned == "KC1"


@rule("russian-bank:reserve-play")
def test_a_turned_card_that_fits_the_own_tableau_is_not_wasted():
    for tableau in ("7D1 / 3C1 / 4C1 / 9S1", "2C1 / / 4C1 / 9S1"):
        state = table(turned="6C1", tableau=two(tableau), waste={1: "7C2"})
        assert refusal(state, "R>W 6C1") == "reserve-play"
        assert "R>OW 6C1" in legal(state)


@rule("russian-bank:reserve-play")
def test_only_the_position_as_it_stands_counts_for_the_waste():
    state = table(turned="6C1", tableau=two("7D1 / 3C1 / 4C1 / 9S1"), stock=two(["6S1", "KD1"], 2))
    play(state, "S>1 6S1")
    assert "R>W 6C1" in legal(state)


@rule("russian-bank:reserve-play")
def test_the_other_players_tableau_makes_no_room_for_a_turned_card():
    assert "R>W 6C1" in legal(table(turned="6C1", tableau=two(DULL, "7D2 / / 7H2 / KS2")))


@rule("russian-bank:reserve-waste")
def test_a_card_that_fits_nowhere_may_be_wasted_although_it_could_be_loaded():
    state = table(turned="9C1", waste={1: "TC2"}, tableau=two(DULL))
    assert legal(state) == ["R>OW 9C1", "R>W 9C1"]
    play(state, "R>W 9C1")
    assert zone(state, "waste:0", seat=1).cards == ("9C1",)


@rule("russian-bank:waste-reserve-only")
def test_stock_and_tableau_cards_do_not_go_to_the_own_waste():
    state = table(turned="9C1", stock=two("KD1"), tableau=two(DULL))
    assert refusal(state, "S>W KD1") == refusal(state, "1>W 2C1") == "waste-reserve-only"


@rule("russian-bank:turn-end")
def test_the_turn_goes_on_until_a_card_is_wasted():
    state = table(reserve=two(["3H1", "KD1", 4]), stock=two("JD1", "2"), tableau=two(DULL))
    play(state, "T", "R>3 3H1", "T")
    assert state.to_act == (0,)
    assert refusal(state, "P") == "pass-no-reserve"
    assert refused(state, "T", seat=1).rule == "russian-bank:turn-end"
    play(state, "R>W KD1")
    assert (state.to_act, state.turn) == ((1,), 1)


@rule("russian-bank:turn-end")
def test_a_move_of_the_waiting_player_is_refused_as_out_of_turn():
    with pytest.raises(NotYourTurn):
        fresh().play(1, RUSSIAN_BANK.parse("T"))


@rule("russian-bank:pass-no-reserve")
def test_one_passes_with_neither_reserve_nor_waste_nor_turned_card():
    bare = {"reserve": two([]), "stock": two(["QH1", 2], ["2D2", 1]), "tableau": two("KS1 / KH1 / 9S1 / 8C1")}
    state = table(**bare)
    assert legal(state) == ["S>1 QH1", "P"]
    assert refusal(state, "T") == "pass-no-reserve"
    play(state, "P")
    assert (state.turn, state.rounds) == (1, [1, 0])
    assert "P" not in legal(table(**bare, waste={0: "5D1"}))
    assert "P" not in legal(table(**bare, turned="5D1"))
    assert refusal(table(**bare, foundations="8S"), "P") == "foundation-forced"


@rule("russian-bank:waste-closed")
def test_nothing_is_played_from_the_own_waste():
    state = table(waste={0: "3D1"}, foundations="2D", stock=two("KD1"), tableau=two(DULL))
    assert refusal(state, "W>F 3D1") == refusal(state, "W>3 3D1") == "waste-closed"
    assert legal(state) == ["T"]


@rule("russian-bank:waste-turn-over")
def test_the_waste_is_turned_over_when_a_card_is_wanted_and_the_reserve_is_empty():
    state = table(reserve={0: ["KH1"], 1: 5}, waste={0: "3D1 9D1"}, stock=two("KD1", "KC2"), tableau=two(DULL))
    play(state, "T", "R>W KH1")
    assert (state.reserve[0], state.waste[0], state.rounds) == ([], ["3D1", "9D1", "KH1"], [0, 0])


@rule("russian-bank:waste-turn-over")
def test_the_card_wasted_first_comes_out_first_and_the_turn_goes_on():
    state = table(
        reserve={0: [], 1: 5}, waste={0: "3D1 9D1 KH1"}, stock=two("KD1"), tableau=two("KC1 / KS1 / 8C1 / 8S1")
    )
    play(state, "T")
    assert (state.turned, state.waste[0], state.rounds, state.to_act) == ("3D1", [], [1, 0], (0,))
    assert state.dump()["reserve"][0] == ["9D1", "KH1"]


@rule("russian-bank:waste-turn-over", "russian-bank:load")
def test_a_waste_stays_where_it_is_until_it_is_turned_over_and_can_be_loaded():
    state = table(
        to_move=1,
        reserve={0: [], 1: 5},
        waste={0: "3D1 9D1"},
        stock={0: "KD1", 1: ["TD2", 1]},
        tableau={1: "2C2 / 2S2 / 4C2 / 4S2"},
    )
    assert "S>OW TD2" in legal(state)
    play(state, "S>OW TD2")
    assert state.waste[0] == ["3D1", "9D1", "TD2"]


# The tableau


@rule("russian-bank:tableau-own")
@pytest.mark.parametrize("move", ["S>5 8S1", "5>1 9H2", "OS>1", "OW>2", "5>F"])
def test_the_other_players_cards_are_not_touched(move):
    state = table(stock=two("8S1", "9D2"), waste={1: "KD2"}, tableau=two(DULL, "9H2 / KH2 / 3C2 / 3S2"))
    assert refusal(state, move) == "tableau-own"


@rule("russian-bank:tableau-build")
@pytest.mark.parametrize(
    ("card", "onto"), [("8S1", "9C1"), ("8S1", "8D1"), ("8S1", "TD1"), ("8S1", "7D1"), ("KS1", "QD1")]
)
def test_a_pile_goes_down_by_one_in_the_other_colour(card, onto):
    state = table(stock=two(card), tableau=two(f"{onto} / 2C1 / 2S1 / 4C1"))
    assert refusal(state, f"S>1 {card}") == "tableau-build"


@rule("russian-bank:tableau-build")
@pytest.mark.parametrize(("card", "onto"), [("8S1", "9D1"), ("8S1", "9H2"), ("QH1", "KC1"), ("2D1", "3S2")])
def test_the_next_lower_card_of_the_other_colour_goes_on(card, onto):
    state = table(turned=card, tableau=two(f"{onto} / 2C1 / 2S1 / 4C1"))
    assert f"R>1 {card}" in legal(state)
    assert play(state, f"R>1 {card}").tableau[0][0] == [onto, card]


@rule("russian-bank:tableau-build")
@pytest.mark.parametrize("card", ["2C2", "KC2"])
def test_nothing_goes_on_an_ace(card):
    state = table(options=CASUAL, turned=card, tableau=two("AD1 / 2C1 / 2S1 / 4C1"))
    assert refusal(state, f"R>1 {card}") == "tableau-build"


@rule("russian-bank:tableau-single")
def test_only_the_top_card_of_a_pile_moves():
    state = table(tableau=two("QH1 JC1 / KS1 / KH1 / QD1"), stock=two("9D1"))
    assert refusal(state, "1>2 QH1") == "tableau-single"
    play(state, "1>4 JC1", "1>2 QH1")
    assert "S>1 9D1" in legal(state)
    assert refusal(state, "1>3") == "tableau-single"
    assert str(refused(state, "1>3")) == "Pile 1 is empty; choose a pile with a card."


@rule("russian-bank:vacancy-fill")
def test_a_vacancy_takes_any_free_card_or_stays_open():
    state = table(stock=two("5C1", 2), turned="TH1", tableau=two("7S1 6H1 / / KD1 / 2C1"))
    assert legal(state) == ["S>1 5C1", "S>2 5C1", "R>2 TH1", "1>2 6H1"]
    play(state, "S>1 5C1")
    assert refusal(table(stock=two("KC1"), tableau=two("7S1 / / KD1 / 2C1")), "1>2") == "no-repeat-arrangement"


@rule("russian-bank:vacancy-fill")
def test_without_the_option_a_reserve_card_is_turned_beside_a_vacancy():
    assert "T" in legal(table(stock=two("5C1"), tableau=two("7S1 / / KD1 / 2C1")))


@rule("russian-bank:vacancy-fill")
def test_with_stock_first_a_vacancy_is_filled_before_the_reserve_is_turned():
    options = {"vacancy": "stock_first"}
    state = table(options=options, stock=two(["5C1", "KC1"]), tableau=two("7S1 / / KD1 / 2C1"))
    assert legal(state) == ["S>2 5C1"]
    assert refusal(state, "T") == "vacancy-fill"
    assert "T" in legal(play(state, "S>2 5C1"))
    assert legal(table(options=options, tableau=two("7S1 / / KD1 / 2C1"))) == ["T"]


@rule("russian-bank:stock-to-tableau-optional")
def test_a_stock_card_that_fits_the_tableau_may_wait():
    assert legal(table(stock=two("8S1"), tableau=two("9H1 / 2C1 / 2S1 / 4C1"))) == ["S>1 8S1", "T"]


@rule("russian-bank:no-repeat-arrangement")
def test_a_longer_circle_is_refused_as_well():
    state = table(tableau=two("7S1 6H1 / 7C1 / 7C2 / 2C1"))
    play(state, "1>2 6H1", "2>3 6H1")
    assert refusal(state, "3>1 6H1") == refusal(state, "3>2") == "no-repeat-arrangement"


@rule("russian-bank:no-repeat-arrangement")
def test_a_lone_card_does_not_move_to_a_vacancy_whatever_the_order_of_the_piles():
    state = table(tableau=two("7S1 6H1 / / 7C1 / 2C1"))
    assert refusal(state, "3>2 7C1") == "no-repeat-arrangement"
    play(state, "1>2 6H1")
    assert refusal(state, "2>1") == "no-repeat-arrangement"
    assert "2>3 6H1" in legal(state)


@rule("russian-bank:no-repeat-arrangement")
@pytest.mark.parametrize("between", ["T", "S>4 KC1"])
def test_a_move_of_another_kind_lets_an_arrangement_come_again(between):
    state = table(tableau=two("7S1 6H1 / 7C1 / KD1 / "), stock=two(["KC1", "KS1"]), reserve=two(["KS2", 3]))
    play(state, "1>2 6H1", between)
    assert "2>1 6H1" in legal(state)


@rule("russian-bank:no-repeat-arrangement")
def test_a_loaded_position_knows_the_arrangements_of_its_turn():
    state = play(table(tableau=two("7S1 6H1 / 7C1 / 7C2 / 2C1")), "1>2 6H1", "2>3 6H1")
    again = RUSSIAN_BANK.load(state.dump())
    sample = RUSSIAN_BANK.sample(state.view(0), Random(1))
    for twin in (again, sample):
        assert refusal(twin, "3>1") == "no-repeat-arrangement"


# Loading


@rule("russian-bank:load")
def test_stock_turned_and_tableau_cards_are_loaded_on_stock_and_waste():
    state = table(
        stock=two(["6D1", "KS1"], ["5D2", 3]), turned="TC1", waste={1: "JC2"}, tableau=two("4D1 / 2S1 / 2C1 / 4S1")
    )
    assert {"S>OS 6D1", "R>OW TC1", "1>OS 4D1"} <= set(legal(state))
    play(state, "R>OW TC1", "1>OS 4D1")
    assert (state.waste[1][-1], state.top(0, "OS"), state.turn) == ("TC1", "4D1", 0)


@rule("russian-bank:load-neighbour")
@pytest.mark.parametrize("card", ["6H1", "7D1", "3D1", "5D1", "4S1"])
def test_only_the_next_card_up_or_down_in_suit_is_loaded(card):
    state = table(stock=two(card, "5D2"), tableau=two("2C1 / 2S1 / 9C1 / 9S1"))
    assert refusal(state, f"S>OS {card}") == "load-neighbour"


@rule("russian-bank:load-neighbour")
def test_the_direction_may_change_from_card_to_card():
    state = table(stock=two(["6D1", "7D1", "6D2", "5D1"], "5D2"), tableau=two("2C1 / 2S1 / 9C1 / 9S1"))
    play(state, "S>OS 6D1", "S>OS 7D1", "S>OS 6D2", "S>OS 5D1")
    assert state.view(None).stock_cards[1] == ("5D2", "6D1", "7D1", "6D2", "5D1")


@rule("russian-bank:load-no-wrap")
@pytest.mark.parametrize(("card", "onto"), [("KD1", "AD2")])
def test_king_and_ace_are_no_neighbours(card, onto):
    state = table(stock=two(card), waste={1: onto}, tableau=two(DULL))
    assert refusal(state, f"S>OW {card}") == "load-no-wrap"


@rule("russian-bank:load-no-wrap")
def test_an_ace_cannot_be_loaded_since_it_must_go_to_a_foundation():
    state = table(stock=two("AD1"), waste={1: "KD2"}, tableau=two(DULL))
    assert refusal(state, "S>OW AD1") == "foundation-forced"


@rule("russian-bank:load-face-up-only")
def test_there_is_no_loading_on_face_down_or_missing_cards():
    dark = table(stock=two("7H1", "6H2 4"), face_up={1: 0}, tableau=two(DULL))
    bare = table(stock=two("7H1"), tableau=two(DULL))
    for state in (dark, bare):
        assert refusal(state, "S>OS 7H1") == refusal(state, "S>OW 7H1") == "load-face-up-only"
    assert "S>OS 7H1" in legal(table(stock=two("7H1", "6H2 4"), tableau=two(DULL)))


@rule("russian-bank:load-optional")
def test_loading_waits_for_foundation_plays_and_is_never_forced():
    tableau = two("5C1 / KS1 / 2D1 / QD1")
    state = table(foundations="4C", stock=two("9H1", "8H2"), tableau=tableau)
    assert legal(state) == ["1>F 5C1"]
    assert refusal(state, "S>OS 9H1") == "foundation-forced"
    play(state, "1>F 5C1")
    assert {"S>OS 9H1", "T"} <= set(legal(state))


@rule("russian-bank:load-becomes-theirs")
def test_loaded_cards_are_played_first_from_the_stock_and_come_round_with_the_waste():
    state = table(
        stock=two(["6D1", "KS1"], ["5D2", "KH2"]),
        reserve={1: []},
        waste={0: "QH1", 1: "9C2"},
        turned="TC1",
        tableau=two("QC1 / 2S1 / 2C1 / 4S1", "7S2 / 2C2 / 2S2 / 4C2"),
    )
    play(state, "S>OS 6D1", "R>OW TC1", "T")
    state = play(state, legal(state)[-1])
    assert state.turn == 1
    assert legal(state)[0] == "S>1 6D1"
    assert (state.top(1, "S"), len(state.stock[1])) == ("6D1", 3)
    play(state, "T")
    assert (state.turned, state.dump()["reserve"][1]) == ("9C2", ["TC1"])


# The end of a game


@rule("russian-bank:out-win")
@pytest.mark.parametrize("move", ["R>2 TD1", "R>OS TD1"])
def test_whoever_has_no_stock_reserve_or_waste_wins_at_once(move):
    state = table(reserve=two([], 3), turned="TD1", tableau=two("9H1 / JS1 / 3D1 / KC1"), stock=two("", "9D2 3"))
    play(state, move)
    assert (state.to_act, state.outcome().places) == ((), (1, 2))
    assert "@0 [go] out" in state.outcome().reason
    with pytest.raises(NotYourTurn) as refusal:
        state.play(1, RUSSIAN_BANK.parse("T"))
    assert refusal.value.rule == "russian-bank:out-win"


@rule("russian-bank:out-win")
def test_a_turned_card_a_waste_or_a_stock_card_keeps_the_game_going():
    last = {"reserve": two([], 3), "tableau": two("JS1 / 2C1 / 2S1 / 4C1"), "stock": two("TD1", 3)}
    assert play(table(**last), "S>1 TD1").outcome() is not None
    assert play(table(**last, turned="KC1"), "S>1 TD1").outcome() is None
    assert play(table(**last, waste={0: "KC1"}), "S>1 TD1").outcome() is None
    assert play(table(**{**last, "stock": two(["TD1", "KC1"], 3)}), "S>1 TD1").outcome() is None


@rule("russian-bank:out-win")
def test_the_last_card_may_go_to_a_foundation():
    state = table(reserve=two([], 3), foundations="3D", stock=two("4D1", 2), tableau=two(DULL))
    assert play(state, "S>F 4D1").results[-1].points == (30 + 4 + 3, 0)


@rule("russian-bank:score-out")
def test_going_out_scores_thirty_two_a_stock_card_and_one_for_the_rest():
    state = table(
        reserve=two([], 11),
        waste={1: 6},
        stock=two("TD1", 4),
        tableau=two("JS1 / 2C1 / 2S1 / 4C1", "KC2 / 3C2 / 5C2 / 7C2"),
    )
    result = play(state, "S>1 TD1").results[-1]
    assert [line.points for line in result.lines] == [30, 8, 17]
    assert {line.rule for line in result.lines} == {"russian-bank:score-out"}
    assert result.points == state.outcome().scores == (55, 0)


def about_to_end(rounds, **changes) -> RussianBankState:
    position = {
        "rounds": rounds, "turned": "KC1", "tableau": two(DULL), "stock": two(["KD1", 1], 3),
        "reserve": two(9, 14), "waste": two(3, 2),
    }  # fmt: skip
    return table(**{**position, **changes})


@rule("russian-bank:blocked")
@pytest.mark.parametrize(("rounds", "is_over"), [([2, 2], True), ([3, 2], True), ([2, 1], False), ([5, 0], False)])
def test_a_game_is_blocked_when_both_have_gone_round_twice(rounds, is_over):
    state = about_to_end(rounds)
    assert state.outcome() is None
    play(state, "R>W KC1")
    assert (state.outcome() is not None) == is_over
    if is_over:
        with pytest.raises(NotYourTurn) as refusal:
            state.play(0, RUSSIAN_BANK.parse("T"))
        assert refusal.value.rule == "russian-bank:blocked"


@rule("russian-bank:blocked")
def test_a_foundation_card_starts_the_count_again():
    state = about_to_end([2, 2], foundations="3C", tableau=two("2C1 / 2S1 / 4C1 / 6S1"))
    play(state, "3>F 4C1")
    assert state.rounds == [0, 0]
    play(state, "R>3 KC1", "T")
    assert state.outcome() is None


@rule("russian-bank:blocked")
def test_turning_the_waste_over_and_passing_are_counted():
    state = table(reserve=two([], 5), waste={0: "KC1 KS1"}, stock=two("KD1", "2"), tableau=two(DULL))
    assert play(state, "T").rounds == [1, 0]
    bare = table(rounds=[1, 2], reserve=two([], 5), stock=two("KD1", "2"), tableau=two(DULL))
    assert play(bare, "P").outcome() is not None


@rule("russian-bank:score-blocked")
def test_in_a_blocked_game_the_side_with_less_wins_the_difference():
    state = play(about_to_end([2, 2]), "R>W KC1")
    assert state.results[-1].points == (22 - 17, 0)
    assert [line.rule for line in state.results[-1].lines] == ["russian-bank:score-blocked"]
    other = play(about_to_end([2, 2], reserve=two(30, 14)), "R>W KC1")
    assert other.results[-1].points == (0, 38 - 22)


@rule("russian-bank:score-blocked")
def test_equal_counts_draw_a_blocked_game():
    state = play(about_to_end([2, 2], reserve=two(14, 14)), "R>W KC1")
    assert (state.outcome().scores, state.outcome().places) == ((0, 0), (1, 1))


@rule("russian-bank:match-target")
def test_a_single_game_decides_unless_there_is_a_target():
    last = {"reserve": two([], 11), "turned": "TD1", "tableau": two("JS1"), "stock": two("", 4)}
    assert play(table(**last), "R>1").outcome().scores == (49, 0)
    match = play(table(**last, options={"target": 100}, scores=[50, 20]), "R>1")
    assert (match.outcome(), match.scores) == (None, [99, 20])
    assert len(match.cards()) == 104
    won = play(table(**last, options={"target": 100}, scores=[51, 20]), "R>1")
    assert (won.outcome().scores, won.outcome().places) == ((100, 20), (1, 2))


def test_the_games_of_a_match_are_numbered_on_from_a_position():
    last = {"reserve": two([]), "turned": "TD1", "tableau": two("JS1"), "options": {"target": 300}}
    state = play(table(**last, stock=two("", 1), games_played=4), "R>1")
    assert state.results[0].number == 5 and state.dump()["games_played"] == 5
    assert RUSSIAN_BANK.sample(state.view(0), Random(1)).deal_number == 6
    assert play(table(**last, stock=two("", 1), draws=2), "R>1").results[0].number == 3
    with pytest.raises(ImpossiblePosition, match="games_played"):
        table(draws=2, games_played=1)


@rule("russian-bank:match-target")
def test_three_drawn_games_in_a_row_end_a_match():
    assert fresh(target=100).draws == 0
    even = {"reserve": two(14, 14), "options": {"target": 100}, "scores": [30, 44]}
    assert play(about_to_end([2, 2], **even, draws=1), "R>W KC1").outcome() is None
    last = play(about_to_end([2, 2], **even, draws=2), "R>W KC1")
    assert last.outcome().places == (2, 1)


@rule("russian-bank:match-target")
def test_a_won_game_ends_a_row_of_draws_and_wrong_calls_and_rounds_count_anew_in_the_next():
    position = {"reserve": two([], 11), "turned": "TD1", "tableau": two("JS1"), "stock": two("", 4)}
    options = {"target": 100, "mode": "casual"}
    state = play(table(**position, options=options, draws=2, wrong_calls=[1, 2], rounds=[3, 1]), "R>1", "GO")
    assert (state.draws, state.wrong_calls, state.rounds, state.is_corrected) == (0, [0, 0], [0, 0], False)
    assert len(state.results) == 1


# Errors, strict and casual games


@rule("russian-bank:strict-mode")
def test_a_strict_game_offers_legal_moves_only_and_no_stop():
    state = table(foundations="2C", tableau=two("3C1 / 5S1 / 2D1 / 2H1"), stock=two("KD1", 3))
    assert (state.to_act, legal(state)) == ((0,), ["1>F 3C1"])
    assert refusal(state, "STOP") == refusal(state, "GO") == "strict-mode"
    assert refused(state, "STOP", seat=1).rule == "russian-bank:strict-mode"


MISSED = {
    "options": CASUAL,
    "foundations": "2C",
    "stock": two(["KD1", 2], ["KH2", 2]),
    "reserve": two(["9S1", "JS1", 4]),
    "tableau": two("3C1 / 5S1 / 2D1 / 2H1"),
}


@rule("russian-bank:errors-stand", "russian-bank:casual-shift")
def test_after_go_an_error_stands():
    state = play(table(**MISSED), "T", "R>W 9S1", "GO")
    assert (state.turn, state.mark, state.waste[0]) == (1, None, ["9S1"])
    play(state, "STOP")
    assert state.wrong_calls == [1, 0]


@rule("russian-bank:errors-stand", "russian-bank:casual-stop")
def test_before_the_turn_shifts_an_error_is_corrected():
    state = play(table(**MISSED), "T", "R>W 9S1", "STOP")
    assert (state.to_act, state.turned, state.dump()["reserve"][0][:2]) == ((0, 1), None, ["9S1", "JS1"])
    assert legal(state) == ["1>F 3C1"]
    assert state.view(0).announcements == ((1, "Stop"),)


@rule("russian-bank:casual-mode")
def test_in_a_casual_game_the_mover_may_neglect_a_priority_and_the_other_may_call():
    state = table(**MISSED)
    assert state.to_act == (0, 1)
    assert legal(state, 1) == ["STOP"]
    assert legal(state, 0) == ["1>F 3C1", "3>1 2D1", "4>1 2H1", "T"]
    assert "due" not in state.view(0).prompt
    assert state.view(1).forced is None
    assert state.waiting_on == state.view(1).waiting_on == (0,)


@rule("russian-bank:casual-scope")
@pytest.mark.parametrize("move", ["T", "3>1 2D1", "S>OS QH1", "2>F 3C2"])
def test_the_four_kinds_of_error_are_possible(move):
    state = table(**{**MISSED, "stock": two(["QH1", 2], ["KH2", 2]), "tableau": two("3C1 / 3C2 / 2D1 / 2H1")})
    assert move in legal(state)
    assert (play(state, move).mark is None) == (move == "2>F 3C2")


@rule("russian-bank:casual-scope")
def test_a_foundation_card_before_the_stock_card_is_an_error():
    state = table(**{**MISSED, "stock": two(["3C2", 2], 2)})
    assert legal(state)[:2] == ["S>F 3C2", "1>F 3C1"]
    assert play(state, "1>F 3C1").mark is not None


@rule("russian-bank:casual-scope")
def test_wasting_a_card_that_fits_is_an_error():
    state = table(options=CASUAL, turned="6C1", tableau=two("7D1 / 2C1 / 2S1 / 4C1"), stock=two("KD1", 2))
    assert legal(state) == ["R>1 6C1", "R>W 6C1"]
    assert play(state, "R>W 6C1").mark is not None
    forced = table(options=CASUAL, foundations="5C", turned="6C1", tableau=two(DULL), stock=two("KD1", 2))
    assert legal(forced) == ["R>F 6C1", "R>W 6C1"]


@rule("russian-bank:casual-scope")
@pytest.mark.parametrize(
    ("move", "why"),
    [("S>1 KD1", "tableau-build"), ("W>1", "waste-closed"), ("5>1", "tableau-own"), ("S>W", "waste-reserve-only")],
)
def test_other_errors_stay_impossible(move, why):
    assert refusal(table(**MISSED), move) == why


@rule("russian-bank:casual-scope")
def test_the_aces_of_the_opening_cannot_be_overlooked():
    state = stacked(f"{STOCK} AS 7H 2S 3S", mode="casual")
    assert legal(state) == ["1>F AS1"]
    assert refusal(state, "T") == "start-aces"


@rule("russian-bank:casual-stop")
def test_stop_goes_back_to_the_first_error_and_turns_stock_cards_down_again():
    state = table(**{**MISSED, "stock": two(["QH1", "KC1", "KD1"], ["KH2", 2]), "rounds": [1, 1]})
    play(state, "S>OS QH1", "T", "STOP")
    assert state.dump()["stock"] == [["QH1", "KC1", "KD1"], table(**MISSED).dump()["stock"][1]]
    assert (state.stock_shown, state.top(0, "S"), state.turned, state.rounds) == ([1, 1], "QH1", None, [1, 1])
    assert legal(state) == ["1>F 3C1"]


@rule("russian-bank:casual-stop")
def test_stop_leaves_what_was_right_before_the_error():
    state = table(
        options=CASUAL,
        foundations="2C",
        turned="TD1",
        stock=two("KD1", 2),
        reserve=two(["3C1", 4]),
        tableau=two("JC1 / JS1 / 2D1 / 2H1"),
    )
    play(state, "R>1 TD1", "T", "R>W 3C1", "STOP")
    assert (state.tableau[0][0], state.turned) == (["JC1", "TD1"], "3C1")
    assert legal(state) == ["R>F 3C1"]


@rule("russian-bank:casual-stop")
def test_stop_takes_back_a_turned_over_waste_and_its_count():
    state = table(**{**MISSED, "reserve": two([], 4), "waste": {0: "9S1 JS1"}})
    play(state, "T", "STOP")
    assert (state.waste[0], state.reserve[0], state.rounds) == (["9S1", "JS1"], [], [0, 0])


@rule("russian-bank:casual-stop")
def test_after_a_correction_one_legal_move_is_due_then_errors_are_possible_again():
    state = play(table(**{**MISSED, "tableau": two("3C1 / 3C2 / 2D1 / 2H1"), "foundations": "2C 2C"}), "T", "STOP")
    assert legal(state) == ["1>F 3C1", "2>F 3C2"]
    assert refusal(state, "T") == "foundation-forced"
    assert "T" in legal(play(state, "1>F 3C1"))


def too_early(state: RussianBankState, move: str) -> NotYourTurn:
    """The refusal of a move by seat 1, which may only stop the other player or take its turn."""
    before = state.dump()
    with pytest.raises(NotYourTurn) as refusal:
        state.play(1, RUSSIAN_BANK.parse(move))
    assert state.dump() == before
    return refusal.value


@rule("russian-bank:casual-stop", "russian-bank:casual-shift")
def test_stop_and_go_are_for_the_player_who_is_not_on_turn():
    state = table(**MISSED)
    assert refusal(state, "STOP", seat=0) == "casual-stop"
    assert refusal(state, "GO", seat=0) == "casual-shift"
    assert refusal(state, "GO", seat=1) == "casual-shift"
    assert too_early(state, "T").rule == "russian-bank:turn-end"


@rule("russian-bank:casual-shift")
def test_the_turn_waits_for_the_other_player_whose_stock_card_comes_up_then():
    state = table(**{**MISSED, "face_up": {1: 0}})
    play(state, "1>F 3C1", "T", "R>1 9S1", "T", "R>W JS1")
    assert (state.phase, state.to_act, legal(state, 1)) == (Phase.SHIFT, (1,), ["GO", "STOP"])
    assert refusal(state, "T", seat=0) == "turn-end"
    assert "Your turn is over" in str(refused(state, "STOP", seat=0))
    assert too_early(state, "T").rule == too_early(state, "S>1 KH2").rule == "russian-bank:casual-shift"
    assert str(too_early(state, "T")) == "The other player has finished: take your turn first, then play."
    assert state.stock_shown == [1, 0]
    play(state, "GO")
    assert (state.turn, state.stock_shown, log(state)) == (1, [1, 1], ["1:+KH2"])


@rule("russian-bank:casual-win-pending")
def test_going_out_wins_only_after_go():
    position = {
        "options": CASUAL, "foundations": "2C", "reserve": two([], 3), "stock": two("TD1", "KH2"),
        "tableau": two("JS1 / 3C1 / 2S1 / 4C1"),
    }  # fmt: skip
    state = play(table(**position), "S>1 TD1")
    assert (state.outcome(), state.to_act) == (None, (1,))
    assert play(state.copy(), "GO").outcome().places == (1, 2)
    stopped = play(state, "STOP")
    assert (stopped.outcome(), legal(stopped)) == (None, ["2>F 3C1"])
    assert play(stopped, "2>F 3C1").outcome() is None


@rule("russian-bank:casual-win-pending")
def test_a_blocked_game_too_is_judged_only_after_go():
    state = play(about_to_end([2, 2], options=CASUAL), "R>W KC1")
    assert state.outcome() is None
    assert play(state, "GO").outcome().scores == (5, 0)


@rule("russian-bank:casual-wrong-call")
def test_a_call_without_an_error_changes_nothing_and_three_are_too_many():
    state = table(**{**MISSED, "foundations": "", "reserve": two(["KS1", 3])})
    before = state.dump()
    play(state, "STOP", "STOP")
    assert (state.wrong_calls, state.to_act) == ([0, 2], (0, 1))
    assert {**state.dump(), "wrong_calls": [0, 0], "turn": []} == before
    play(state, "STOP")
    assert (state.to_act, state.legal_moves(1)) == ((0,), ())
    assert refused(state, "STOP", seat=1).rule == "russian-bank:casual-wrong-call"
    play(state, "T", "R>W KS1")
    assert legal(state, 1) == ["GO"]
    assert refusal(state, "STOP", seat=1) == "casual-wrong-call"


@rule("russian-bank:casual-penalty")
def test_at_some_tables_a_stop_costs_the_turn():
    options = {"mode": "casual", "stop_penalty": "lose_turn"}
    state = play(table(**{**MISSED, "options": options}), "T", "STOP")
    assert (state.turn, state.reserve[0][-1], state.rounds) == (1, "9S1", [1, 0])
    assert play(table(**MISSED), "T", "STOP").turn == 0


@rule("russian-bank:casual-penalty")
def test_a_card_turned_before_the_error_goes_back_face_down_when_the_turn_is_lost():
    options = {"mode": "casual", "stop_penalty": "lose_turn"}
    position = {"turned": "6C1", "tableau": two("7D1 / 2C1 / 2S1 / 4C1"), "stock": two("KD1", 2)}
    state = play(table(options=options, **position), "R>W 6C1", "STOP")
    assert (state.turn, state.turned, state.reserve[0][-1]) == (1, None, "6C1")


# Options on the tableau


@rule("russian-bank:tableau-own", "russian-bank:reserve-play")
def test_a_shared_tableau_has_eight_piles():
    options = {"shared_tableau": True}
    state = table(options=options, turned="6C1", stock=two("8S1", 2), tableau=two(DULL, "7D2 / 9H2 / KD2 / KH2"))
    assert legal(state) == ["S>6 8S1", "R>5 6C1"]
    assert refusal(state, "R>W 6C1") == "reserve-play"
    play(state, "S>6 8S1")
    assert state.tableau[1][1] == ["9H2", "8S1"]
    assert "5>6 7D2" in legal(state)


@rule("russian-bank:start-aces", "russian-bank:foundation-forced")
def test_with_a_shared_tableau_the_opening_is_for_the_own_aces_and_the_others_come_after():
    state = stacked(f"{STOCK} AS 7H 9S 9C", f"{STOCK} AH 2S 9H 9D", shared_tableau=True)
    assert legal(state) == ["1>F AS1"]
    play(state, "1>F AS1")
    assert (state.phase, state.top(0, "S")) == (Phase.TURN, "KC1")
    assert set(legal(state)) == {"5>F AH2", "6>F 2S2"}


@rule("russian-bank:no-repeat-arrangement", "russian-bank:vacancy-fill", "russian-bank:load")
def test_with_a_shared_tableau_circles_vacancies_and_loads_count_over_all_piles():
    options = {"shared_tableau": True}
    state = table(options=options, stock=two("", "9D2"), tableau=two("7S1 6H1 / 2C1 / 2S1 / 4C1", "7C2 / / 8D2 / KH2"))
    assert {"7>OS 8D2", "1>6 6H1", "1>5 6H1"} <= set(legal(state))
    play(state, "1>5 6H1")
    assert refusal(state, "5>1") == "no-repeat-arrangement"


@rule("russian-bank:reserve-play")
def test_with_the_option_a_fitting_card_may_be_wasted():
    state = table(options={"optional_waste": True}, turned="6C1", tableau=two("7D1 / 2C1 / 2S1 / 4C1"))
    assert legal(state) == ["R>1 6C1", "R>W 6C1"]


# Moves as text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("s > f 5s1", "S>F 5S1"),
        ("5S1 S>F", "S>F 5S1"),
        ("1>4", "1>4"),
        ("r>ow 7d1", "R>OW 7D1"),
        ("R>2 10h1", "R>2 TH1"),
        ("S>3 9C", "S>3 9C"),
        ("t", "T"),
        ("T=9C1", "T"),
        ("VT=9C1", "T"),
        (" stop! ", "STOP"),
        ("go", "GO"),
        ("p", "P"),
    ],
)
def test_moves_are_read_in_any_order_and_case(text, move):
    assert str(RUSSIAN_BANK.parse(text)) == move


@pytest.mark.parametrize(
    "text", ["S>R 5S1", "F>1 5S1", "9>1", "S>F 5S1 6S1", "S>F S>1", "5S1", "S>F now", "S>OW>1", "Q"]
)
def test_other_text_is_unreadable(text):
    with pytest.raises(UnreadableMove) as refusal:
        RUSSIAN_BANK.parse(text)
    assert "R>W" in str(refusal.value)


def test_source_and_target_define_a_play_and_a_wrong_card_is_refused():
    state = table(stock=two("8S1", 2), tableau=two("9H1 / 2C1 / 2S1 / 4C1"))
    assert RUSSIAN_BANK.parse("S>1") in state.legal_moves(0)
    assert refusal(state, "S>1 9H1") == "stock-turn-up"
    assert play(state, "S>1 8S").tableau[0][0] == ["9H1", "8S1"]


# What the table shows


def test_the_table_shows_the_other_row_then_the_foundations_then_the_own_row():
    ids = [zone.id for zone in fresh().view(1).zones if zone.owner is None]
    rows = [[f"tableau:{seat}:{pile}" for pile in range(1, 5)] for seat in (0, 1)]
    assert ids == [*rows[0], *(f"foundation:{number}" for number in range(1, 9)), *rows[1]]
    assert {zone.kind for zone in fresh().view(1).zones if zone.id in rows[0]} == {"column"}


def test_moves_touch_the_card_and_what_it_covers():
    state = table(
        foundations="", stock=two("8S1", "9S2"), turned="TC1", waste={1: "JC2"}, tableau=two("9H1 / / 2S1 / 4C1")
    )
    view = state.view(0)
    touches = {str(move): view.choice(move).touches for move in view.moves}
    assert touches["S>1 8S1"] == ("8S1", "9H1")
    assert touches["S>2 8S1"] == ("8S1", "tableau:0:2")
    assert touches["S>OS 8S1"] == ("8S1", "9S2")
    assert touches["R>OW TC1"] == ("TC1", "JC2")
    wasting = table(turned="KC1", tableau=two(DULL)).view(0)
    assert wasting.choice(wasting.moves[-1]).touches == ("KC1", "waste:0")
    turning = table(tableau=two(DULL)).view(0)
    assert turning.choice(turning.moves[-1]).touches == ("reserve:0",)
    founding = table(foundations="2C", stock=two("3C1"), tableau=two(DULL)).view(0)
    assert [founding.choice(move).touches[1][:2] for move in founding.moves] == ["2C"]
    ace = table(foundations="2C", stock=two("AH1"), tableau=two(DULL)).view(0)
    assert ace.choice(ace.moves[0]).touches == ("AH1", "foundation:2")


def test_moves_read_well_as_buttons_and_in_the_log():
    state = table(stock=two(["8S1", "KC1"], "9S2"), tableau=two("9H1 / 2C1 / 2S1 / 4C1"))
    view = state.view(0)
    assert [render_text(view.choice(move).phrase.text, ("Ada", "Bob")) for move in view.moves] == [
        "Move 8S1 on 9H1", "Load 8S1 on Bob's stock", "Turn up a reserve card",
    ]  # fmt: skip
    told = [render_text(event.text, ["Ada"] * 4) for event in play(state, "S>1 8S1").view(1).log]
    assert told == ["Ada moves 8S1 to pile 1; the next stock card is KC1"]


def test_the_log_keeps_the_current_and_the_previous_turn():
    state = table(
        stock=two("KD1", "KH2"), reserve=two(["QC1", 9], ["QC2", 9]), tableau=two(DULL, "2C2 / 2S2 / 4C2 / 4S2")
    )
    play(state, "T", "R>W QC1", "T", "R>W QC2")
    assert [event.seat for event in state.view(0).log] == [1, 1]
    assert "QC1" not in repr(state.view(0).log)


def test_covered_waste_cards_and_face_down_cards_are_in_no_view():
    state = table(stock=two(["KD1", "JD1"], "KH2"), reserve=two("QC1"), waste={0: "7C1 9C1"}, tableau=two(DULL))
    for viewer in (None, 0, 1):
        assert not any(card in repr(state.view(viewer)) for card in ("JD1", "QC1", "7C1"))


def test_a_sample_remembers_the_wasted_cards_that_the_log_still_names():
    state = table(
        stock=two(["KD1", 4], ["JC2", "KS2", 4]), reserve=two(["TC1", 9], 9), waste=two(5, 5), tableau=two(DULL)
    )
    play(state, "T", "R>W TC1", "S>OW JC2")
    for seed in range(5):
        sample = RUSSIAN_BANK.sample(state.view(0), Random(seed))
        assert sample.waste[0][-2:] == ["TC1", "JC2"]
        assert all(card[2] == str(seat + 1) for seat in (0, 1) for card in sample.stock[seat])


def test_only_a_match_shows_scores():
    assert not fresh().view(0).has_scores
    assert fresh(target=100).view(0).has_scores


# Positions


def test_a_foundation_may_be_given_by_its_top_card():
    state = table(foundations="4S, 3S1", tableau=two("5H2 / KD1 / KH1 / KC1"))
    assert [len(pile) for pile in state.foundations[:2]] == [4, 3]
    assert [card[:2] for card in state.foundations[0]] == ["AS", "2S", "3S", "4S"]
    with pytest.raises(ImpossiblePosition, match="2S"):
        table(foundations="4S", tableau=two("2S2 / 2S1 / KH1 / KC1"))


def test_piles_may_be_given_by_their_numbers():
    state = table(tableau={"P1": {1: "2C1", "3": ["9H1", "8S1"]}}, foundations={2: "4S"})
    assert state.tableau[0] == [["2C1"], [], ["9H1", "8S1"], []]
    assert [len(pile) for pile in state.foundations[:2]] == [0, 4]


def test_players_may_be_named_everywhere():
    state = table(options=CASUAL, turn=["0:T=9S1"], turned="9S1", error={"after": 0, "rounds": {"P2": 1}})
    assert state.mark.rounds == (0, 1)


def test_numbers_stand_for_cards_that_lie_nowhere_else():
    state = table(stock=two("KD1 3", [2]), waste={1: [5, "8C2"]}, reserve=two(4, 0), tableau=two(DULL))
    assert [len(pile) for pile in (*state.stock, *state.reserve, *state.waste)] == [4, 2, 4, 0, 0, 6]
    assert len(set(state.cards())) == len(state.cards())
    assert {card[2] for card in state.stock[1]} == {"2"}


def test_a_reserve_that_is_left_out_is_there():
    assert [len(pile) for pile in table(tableau=two(DULL)).reserve] == [36, 36]


def test_the_finished_game_is_loaded_as_finished():
    state = play(table(reserve=two([]), turned="TD1", tableau=two("JS1"), stock=two("", 1)), "R>1")
    assert RUSSIAN_BANK.load(state.dump()).outcome() == state.outcome()


@pytest.mark.parametrize(
    ("position", "part"),
    [
        ({"tableau": two("9H1 8D1 / KC1")}, "8D1 cannot lie on 9H1"),
        ({"tableau": two("1 / 2 / 3 / 4 / 5")}, "four piles"),
        ({"tableau": two("9H1 / 9H1")}, "lies there 2 times"),
        ({"tableau": two("9H / 8C1")}, "no card 9H"),
        ({"tableau": two({5: "9H1"})}, "from 1 to 4"),
        ({"foundations": ["AS1 3S1"]}, "from the ace"),
        ({"foundations": " ".join(["AS1"] * 9)}, "eight"),
        ({"foundations": "ZZ"}, "no card ZZ"),
        ({"turned": "9H1 8H1"}, "at most one"),
        ({"stock": two(99, 99)}, "104"),
        ({"stock": two("KD1"), "face_up": {0: 2}}, "face_up"),
        ({"phase": "shift"}, "casual"),
        ({"phase": "lunch"}, "phase"),
        ({"phase": "opening", "dealer": 0}, "player one"),
        ({"scores": [30, 0]}, "the game is over"),
        ({"draws": 1}, "the game is over"),
        ({"to_move": None}, "no one has won"),
        ({"to_move": None, "options": {"target": 100}}, "no one has won"),
        ({"turn": ["0:1>2 9H1"], "tableau": two("8S1 / KC1")}, "has left them"),
        ({"turn": ["0:1>2"]}, "no deed"),
        ({"turn": ["0:T=9C"]}, "needs a card with its pack"),
        ({"turn": ["0:P9C1"]}, "a pass or a call none"),
        ({"tableau": two(5)}, "up to four piles"),
        ({"foundations": 5}, "foundations: write"),
        ({"turn": ["0:P 9H1"]}, "no deed"),
        ({"turn": "0:P"}, "write a list"),
        ({"error": {"after": 0, "rounds": [0, 0]}}, "casual"),
        ({"to_move": "P3"}, "to_move"),
    ],
)
def test_impossible_positions_are_refused_in_words(position, part):
    with pytest.raises(ImpossiblePosition, match=part):
        table(**position)


def test_a_position_without_face_up_shows_the_top_card_of_each_stock_and_can_be_loaded_again():
    state = table(stock=two([3], []), reserve=two([5], [5]))
    assert state.dump()["face_up"] == [1, 0]
    assert RUSSIAN_BANK.load(state.dump()).dump() == state.dump()


def test_every_kind_of_state_can_be_loaded_again():
    rng = Random(7)
    for options in ({}, {"mode": "casual"}, {"mode": "casual", "stop_penalty": "lose_turn", "shared_tableau": True}):
        state = fresh(seed=9, **options)
        for _ in range(150):
            seat = rng.choice(state.to_act)
            state.play(seat, rng.choice(state.legal_moves(seat)))
            if state.outcome():
                break
            again = RUSSIAN_BANK.load(state.dump())
            assert (again.mark, again.arrangements, again.is_corrected) == (
                state.mark, state.arrangements, state.is_corrected,
            )  # fmt: skip


def test_the_ranks_of_a_whole_foundation_run_from_ace_to_king():
    state = table(foundations="QH", stock=two(["KH1", 1]), tableau=two(DULL))
    play(state, "S>F KH1")
    assert "".join(card[0] for card in state.foundations[0]) == RANKS
    assert legal(state) == ["T"]
