"""Tabletop Cribbage, rule by rule: positions in the notation of `TabletopCribbage.load`."""

import re
from pathlib import Path
from random import Random

import pytest
import yaml

from games.core.card_bits import mask
from games.core.cards import pack
from games.core.contract import ImpossiblePosition, NotYourTurn, UnreadableMove
from games.core.cribbage import line
from games.core.deals import numbered_decks, random_decks
from games.engines.tabletop_cribbage.game import TABLETOP_CRIBBAGE
from games.engines.tabletop_cribbage.moves import CELLS, Place
from games.engines.tabletop_cribbage.state import TabletopState
from tests.engines.states import refusal, refused

rule = pytest.mark.rule

EXAMPLES = yaml.safe_load((Path(__file__).parent / "tabletop_cribbage_examples.yaml").read_text())

FULL = ["TC KS JC QH 6C", "8D 4S 5H 3D 6D", "8H 7H JD 6H 7C", "2C 2H QD 3C 9H", "2S 8S KD QC 4C"]  # 30 to 32
NEARLY = [*FULL[:4], "2S 8S KD QC --"]
BARE = "-- -- -- -- --"


def table(**position) -> TabletopState:
    """Seat 1 deals, so that seat 0 begins, unless the position says otherwise."""
    return TABLETOP_CRIBBAGE.load(position)


def fresh(seats: int = 2, seed: int = 1, dealer: int | None = None, **options) -> TabletopState:
    return TABLETOP_CRIBBAGE.start(numbered_decks(pack(), seed), seats=seats, options=options, dealer=dealer)


def legal(state: TabletopState) -> str:
    return " ".join(move.cell for move in state.legal_moves(state.to_act[0]))


def play(state: TabletopState, *cells: str) -> TabletopState:
    """Places the cards as they are turned up."""
    for cell in cells:
        state.play(state.to_act[0], Place(state.turned, cell))
    return state


def play_out(state: TabletopState, seed: int = 1) -> TabletopState:
    """Plays the deal to its end."""
    rng, deals = Random(seed), len(state.results)
    while len(state.results) == deals:
        state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
    return state


def counted(state: TabletopState) -> list[int]:
    """The values of the rows and columns of the last deal, as its notes tell them."""
    return [int(zone.note.split()[0]) for zone in state.results[-1].zones if zone.id.startswith("line:")]


def best_gain(state: TabletopState) -> list:
    """The cells that gain most for rows less columns, and how much."""
    view = state.view(state.to_act[0])

    def lead(position: TabletopState) -> int:
        values = position.view(None).line_values
        return sum(values[:5]) - sum(values[5:])

    gains = {}
    for move in view.moves:
        after = state.copy()
        after.play(view.seat, move)
        gains[move.cell] = lead(after) - lead(state)
    most = max(gains.values())
    return [" ".join(cell for cell in gains if gains[cell] == most), most]


# The worked examples

EXPECTATIONS = {
    "legal": lambda state, value: legal(state) == value,
    "legal_count": lambda state, value: len(state.legal_moves(state.to_act[0])) == value,
    "counted": lambda state, value: counted(state) == value,
    "scores": lambda state, value: state.scores == value,
    "winners": lambda state, value: list(state.outcome().winners) == value,
    "best": lambda state, value: best_gain(state) == value,
}


@pytest.mark.parametrize("example", [one for one in EXAMPLES if "setup" in one], ids=lambda example: example["id"])
def test_the_worked_example_holds(example):
    state = table(**example["setup"])
    for what, expected in example["expect"].items():
        assert EXPECTATIONS[what](state, expected), what


@rule("tabletop-cribbage:line-as-hand")
@pytest.mark.parametrize("example", [one for one in EXAMPLES if "line" in one], ids=lambda example: example["id"])
def test_the_worked_line_is_worth_what_it_should(example):
    cards, expected = example["line"].split(), example["expect"]
    for order in (cards, cards[::-1], [cards[place] for place in (2, 0, 4, 1, 3)]):
        found = line(mask(order))
        assert {**found._asdict(), "total": found.total} == {**expected, "nobs": 0}


# Setting up


@rule("tabletop-cribbage:deck-52")
def test_one_pack_with_the_ace_low_and_court_cards_ten():
    assert sorted(fresh().cards()) == sorted(pack())
    assert line(mask("QC KD AH 7S 2S".split())).runs == 0
    assert line(mask("KC 5D AH 4S 9S".split())).fifteens == 3 * 2


@rule("tabletop-cribbage:first-dealer")
def test_the_first_dealer_is_an_argument_and_the_deal_alternates():
    assert fresh().dealer == 1
    state = fresh(dealer=0)
    dealers = [state.dealer]
    for seed in range(3):
        dealers.append(play_out(state, seed).dealer)
    assert dealers == [0, 1, 0, 1]
    assert fresh(4).dealer == 3
    assert play_out(fresh(4, dealer=2)).dealer == 3, "clockwise, to the other side"


@rule("tabletop-cribbage:deal-twelve")
@pytest.mark.parametrize(("seats", "each"), [(2, 12), (4, 6)])
def test_the_piles_are_dealt_one_card_at_a_time(seats, each):
    deck = next(numbered_decks(pack(), 1))
    piles = fresh(seats, dealer=0).dump()["piles"]
    assert [len(pile) for pile in piles] == [each] * seats
    assert piles[1] == list(deck[0:24:seats])
    assert piles[0] == list(deck[seats - 1 : 24 : seats])


@rule("tabletop-cribbage:centre-card")
def test_the_next_card_is_the_middle_of_the_board():
    deck = next(numbered_decks(pack(), 1))
    board = fresh().view(None).board
    assert board[CELLS.index("c3")] == deck[24]
    assert sum(card is not None for card in board) == 1
    assert next(zone for zone in fresh().view(0).zones if zone.id == "cell:c3").note == "middle"


@rule("tabletop-cribbage:rest-unused")
def test_the_other_cards_stay_out_until_the_deal_is_over():
    deck = next(numbered_decks(pack(), 1))
    state = fresh()
    assert len(state.unused) == 27
    play_out(state)
    assert next(zone for zone in state.results[0].zones if zone.id == "unused").cards == deck[25:]


@rule("tabletop-cribbage:rows-columns")
@pytest.mark.parametrize(("seats", "dealer"), [(2, 0), (2, 1), (4, 0), (4, 2), (4, 3)])
def test_the_dealers_side_counts_the_columns(seats, dealer):
    state = table(seats=seats, dealer=dealer, board=FULL)
    expected = [32 if seat % 2 == dealer % 2 else 30 for seat in range(seats)]
    assert list(state.results[-1].points) == expected


@rule("tabletop-cribbage:rows-columns")
def test_players_are_told_what_they_count():
    assert fresh().view(0).prompt.endswith("You count the rows.")
    assert play(fresh(), "c2").view(1).prompt.endswith("You count the columns.")


@rule("tabletop-cribbage:no-peeking")
@pytest.mark.parametrize("seats", [2, 4])
def test_nobody_sees_any_card_of_a_pile_but_the_one_turned_up(seats):
    state = play(fresh(seats), "c2", "d2", "b2")
    dump = state.dump()
    hidden = {card for pile in dump["piles"] for card in pile} - {state.turned} | set(dump["unused"])
    views = [state.view(viewer) for viewer in (None, *range(seats))]
    for view in views:
        shown = {card for zone in view.zones for card in zone.cards}
        assert not shown & hidden
        assert not set(re.findall(r"\b[A2-9TJQK][CDHS]\b", repr(view))) & hidden
    assert all(view.turned == state.turned and view.board == views[0].board for view in views)


# The play


@rule("tabletop-cribbage:nondealer-first")
def test_the_non_dealer_begins_and_turns_alternate():
    state = fresh(dealer=0)
    assert state.to_act == (1,)
    assert refusal(state, f"{state.dump()['piles'][0][0]}@c2", 0) == "nondealer-first"
    assert play(state, "c2").to_act == (0,)
    with pytest.raises(NotYourTurn):
        state.play(1, Place(state.dump()["piles"][1][0], "d2"))


@rule("tabletop-cribbage:nondealer-first")
def test_four_take_turns_clockwise_from_the_dealers_left():
    state = fresh(4, dealer=1)
    turns = []
    for cell in ("c2", "d2", "b2", "b3", "d3"):
        turns.append(state.to_act[0])
        play(state, cell)
    assert turns == [2, 3, 0, 1, 2]


@rule("tabletop-cribbage:turn-up-then-place")
def test_the_card_turned_up_is_open_to_all_and_must_be_placed():
    state = table(centre="JD", piles=["7H 8H", "9H TH"])
    to_move, waiting = state.to_act[0], 1 - state.to_act[0]
    for viewer in (None, 0, 1):
        shown = {zone.id: zone.cards for zone in state.view(viewer).zones if zone.kind in ("row", "hand")}
        assert shown.get(f"turned:{to_move}", ()) + shown["turned"] == ("7H",)
        assert (f"turned:{viewer}" in shown) == (viewer is not None), "also while it holds no card"
        assert f"turned:{waiting}" not in shown or shown[f"turned:{waiting}"] == ()
    assert refusal(state, "8H@c2") == "turn-up-then-place"
    assert "7H" in str(refused(state, "9H@c2"))
    assert play(state, "c2").turned == "9H"
    assert play(state, "d2").turned == "8H"


@rule("tabletop-cribbage:touching")
def test_an_occupied_space_and_one_without_contact_are_refused():
    state = table(centre="JD", piles=["7H", ""])
    assert refusal(state, "7H@c3") == "touching"
    assert "already" in str(refused(state, "7H@c3"))
    assert refusal(state, "7H@c1") == "touching"
    assert "touch a card" in str(refused(state, "7H@c1"))
    play(state, "d2")
    assert {"c1", "d1", "e1", "e2", "e3"} <= set(legal(state).split()), "corners touch, too"


@rule("tabletop-cribbage:touching")
@pytest.mark.parametrize(
    ("contact", "cells"),
    [
        ("touch", "b2 c2 d2 b3 d3 b4 c4 d4"),
        ("orthogonal", "c2 b3 d3 c4"),
        ("anywhere", " ".join(cell for cell in CELLS if cell != "c3")),
    ],
)
def test_the_option_says_what_contact_is(contact, cells):
    assert legal(table(centre="JD", options={"contact": contact})) == cells


@rule("tabletop-cribbage:touching")
@pytest.mark.parametrize(
    ("contact", "where"),
    [
        ("touch", "next to a card, corners included."),
        ("orthogonal", "beside, above or below a card."),
        ("anywhere", "anywhere on the board."),
    ],
)
def test_a_player_is_told_what_contact_is_at_this_table(contact, where):
    state = table(centre="JD", piles=["7H", ""], options={"contact": contact})
    with pytest.raises(UnreadableMove) as missing_space:
        TABLETOP_CRIBBAGE.attempt(state.view(0), ["7H"])
    assert str(missing_space.value).endswith(where)
    if contact != "anywhere":
        assert str(refused(state, "7H@a1")).endswith(where)


@rule("tabletop-cribbage:inside-board")
@pytest.mark.parametrize("cell", ["f3", "c0", "c6", "z9", "c33"])
def test_there_is_no_space_outside_the_square(cell):
    state = play(fresh(), "c4", "d4", "d2")
    assert refusal(state, f"{state.turned}@{cell}") == "inside-board"


@rule("tabletop-cribbage:no-moving")
def test_a_placed_card_stays_where_it_is():
    state = table(centre="JD", piles=["7H", "9H"])
    play(state, "c2")
    assert refusal(state, "7H@c4") == "no-moving"
    assert refusal(state, "JD@c4") == "no-moving"


@rule("tabletop-cribbage:no-pass")
@pytest.mark.parametrize("contact", ["touch", "orthogonal", "anywhere"])
def test_there_is_always_a_space_and_no_way_to_pass(contact):
    for seed in range(5):
        state, rng = fresh(seed=seed + 1, contact=contact), Random(seed)
        for _turn in range(24):
            state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
        assert len(state.results) == 1
    with pytest.raises(UnreadableMove):
        TABLETOP_CRIBBAGE.parse("pass")


@rule("tabletop-cribbage:board-full")
def test_nothing_scores_before_the_last_card_is_placed():
    state = table(board=NEARLY, piles=["", "4C"])
    assert state.to_act == (1,)
    assert state.scores == [0, 0]
    play(state, "e5")
    assert state.scores == [30, 32]
    assert counted(state) == [4, 8, 12, 6, 0, 4, 2, 16, 4, 6]


# Counting


def lines_of(state: TabletopState, name: str) -> dict[str, int]:
    """What a row or column scored, by short rule."""
    return {
        scored.rule.removeprefix("tabletop-cribbage:"): scored.points
        for scored in state.results[-1].lines
        if scored.text.startswith(f"{name}:")
    }


def with_row(cards: str, **position) -> TabletopState:
    """A full board with this row in the middle."""
    used = cards.split()
    rest = [card for card in pack() if card not in used][:20]
    rows = [" ".join(rest[place : place + 5]) for place in range(0, 20, 5)]
    return table(board=[*rows[:2], cards, *rows[2:]], **position)


@rule("tabletop-cribbage:count-order")
def test_all_rows_are_counted_before_the_columns():
    texts = [scored.text for scored in table(board=FULL).results[-1].lines]
    kinds = [text.split()[0] for text in texts]
    assert kinds == sorted(kinds, reverse=True)
    assert texts[0].startswith("Row 1")
    assert texts[-1].startswith("Column e")


@rule("tabletop-cribbage:line-fifteen")
def test_each_combination_of_fifteen_counts_two():
    assert lines_of(with_row("7C 8D 7H QS 2S"), "Row 3")["line-fifteen"] == 4


@rule("tabletop-cribbage:line-pair")
@pytest.mark.parametrize(("cards", "points"), [("9C 9D KH QS TD", 2), ("9C 9D 9H QS TD", 6), ("9C 9D 9H 9S TD", 12)])
def test_each_pair_counts_two(cards, points):
    assert lines_of(with_row(cards), "Row 3")["line-pair"] == points


@rule("tabletop-cribbage:line-run")
@pytest.mark.parametrize(
    ("cards", "points"), [("JC 9D TH QS 2D", 4), ("JC 9D TH QS KD", 5), ("JC JD TH QS 2D", 6), ("JC JD TH TS QD", 12)]
)
def test_each_different_run_counts_its_length(cards, points):
    assert lines_of(with_row(cards), "Row 3")["line-run"] == points


@rule("tabletop-cribbage:line-flush")
def test_only_five_of_a_suit_are_a_flush():
    assert lines_of(with_row("2H 4H 7H 9H KH"), "Row 3")["line-flush"] == 5
    assert "line-flush" not in lines_of(with_row("2H 4H 7H 9H KS"), "Row 3")


@rule("tabletop-cribbage:line-as-hand")
def test_the_order_in_a_line_does_not_matter():
    for cards in ("TC KS JC QH 6C", "KS TC 6C JC QH"):
        assert lines_of(with_row(cards), "Row 3") == {"line-run": 4}


@rule("tabletop-cribbage:no-jack-points")
def test_jacks_bring_nothing_of_their_own():
    state = with_row("2D 9D JD 6S JC")
    assert not any(scored.rule.endswith("no-jack-points") for scored in state.results[-1].lines)


@rule("tabletop-cribbage:no-jack-points")
def test_the_option_lets_jacks_score():
    board = ["TD KS 3C QH 6C", "8D 4S JD 3D 6D", "8H 7H 5D 6H 7C", "2C 2H QD JC 9H", "2S 8S KD QC 4C"]
    off, on = table(board=board), table(board=board, options={"heels_nobs": True})
    assert [now - then for now, then in zip(on.scores, off.scores, strict=True)] == [1, 1]
    assert lines_of(on, "Row 2")["no-jack-points"] == 1
    assert lines_of(on, "Column c")["no-jack-points"] == 1
    off, on = table(board=FULL), table(board=FULL, options={"heels_nobs": True})
    assert [now - then for now, then in zip(on.scores, off.scores, strict=True)] == [0, 2], "no nobs for the centre"


@rule("tabletop-cribbage:no-jack-points", "tabletop-cribbage:race-order")
def test_heels_come_after_the_rows():
    state = table(board=FULL, options={"heels_nobs": True}, scores=[91, 120])
    assert state.outcome().winners == (0,)


@rule("tabletop-cribbage:both-use-centre")
def test_every_card_counts_in_its_row_and_in_its_column():
    state = table(board=FULL)
    assert lines_of(state, "Row 3") == {"line-fifteen": 4, "line-pair": 2, "line-run": 6}
    assert lines_of(state, "Column c") == {"line-fifteen": 8, "line-pair": 2, "line-run": 6}
    view = table(board=[BARE, "-- -- 5H -- --", "-- -- JD JC --", BARE, BARE]).view(None)
    assert view.line_values == (0, 0, 2, 0, 0, 0, 0, 2, 0, 0)


# The game


@rule("tabletop-cribbage:game-121")
@pytest.mark.parametrize("target", [121, 61])
def test_points_add_up_to_the_target(target):
    state = table(board=FULL, scores=[0, target - 32], options={"target": target})
    assert state.outcome().scores == (30, target)
    assert state.outcome().places == (2, 1)
    assert state.view(0).track.length == target
    assert refusal(state, "7H@c2", 0) == "game-121"
    assert table(board=FULL, scores=[0, target - 33], options={"target": target}).outcome() is None


@rule("tabletop-cribbage:game-121")
def test_one_deal_goes_to_the_higher_total_and_may_be_drawn():
    state = table(board=FULL, options={"target": "one-deal"})
    assert state.outcome().winners == (1,)
    assert state.outcome().reason == "@1 led after 1 deal."
    assert state.view(0).track is None
    even = table(board=FULL, scores=[2, 0], options={"target": "one-deal"}).outcome()
    assert (even.places, even.scores) == ((1, 1), (32, 32))
    assert even.reason == "The scores are equal after 1 deal: a draw."


@rule("tabletop-cribbage:game-121")
def test_two_deals_give_each_side_a_turn_as_dealer():
    state = play_out(fresh(target="two-deals"))
    assert state.outcome() is None
    assert play_out(state).outcome().reason.endswith("led after 2 deals.")
    assert table(board=FULL, deals=1, options={"target": "two-deals"}).outcome() is not None


@rule("tabletop-cribbage:game-121")
def test_with_differences_only_the_better_one_scores():
    state = table(board=FULL, options={"scoring": "difference", "target": "one-deal"})
    assert state.scores == [0, 2]
    assert state.outcome() is None, "the target has no effect"
    assert TABLETOP_CRIBBAGE.has_several_deals(state.options)
    assert [scored.text for scored in state.results[-1].lines] == ["32 in columns, 30 in rows"]
    state = table(board=FULL, scores=[3, 30], options={"scoring": "difference"})
    assert state.outcome().scores == (3, 31)
    assert state.view(0).track.length == 31
    state = table(dealer=0, board=FULL, options={"scoring": "difference"})
    assert state.scores == [2, 0]


@rule("tabletop-cribbage:race-order")
def test_of_two_who_would_reach_the_target_the_non_dealer_wins():
    state = table(board=FULL, scores=[91, 120])
    assert state.outcome().winners == (0,)
    assert state.outcome().scores == (121, 120)
    assert not any(scored.text.startswith("Column") for scored in state.results[-1].lines)


@rule("tabletop-cribbage:score-cap")
def test_points_past_the_target_are_not_counted():
    state = table(board=FULL, scores=[100, 100])
    assert state.outcome().scores == (121, 100)
    assert sum(scored.points for scored in state.results[-1].lines) == 21


@rule("tabletop-cribbage:finite")
def test_after_twenty_deals_the_higher_score_wins():
    state = table(board=FULL, deals=19, scores=[3, 0])
    assert state.outcome().scores == (33, 32)
    assert state.outcome().reason == "@0 led after 20 deals."
    assert state.results[-1].number == 20
    assert table(board=FULL, deals=19, scores=[2, 0]).outcome().places == (1, 1)
    assert table(board=FULL, deals=18, scores=[2, 0]).outcome() is None
    state = fresh()
    for _turn in range(24):
        play(state, legal(state).split()[0])
    assert len(state.results) == 1


def test_the_rear_peg_shows_the_score_before():
    state = table(board=FULL, scores=[10, 20], rear=[7, 0])
    assert [(peg.front, peg.rear) for peg in state.view(None).track.pegs] == [(40, 10), (52, 20)]


# Moves and views


@pytest.mark.parametrize("text", ["7h@b4", " 7H @ B4 ", "b4 7h", "B4@7H", "7hb4"])
def test_moves_are_read_in_any_order_and_case(text):
    assert str(TABLETOP_CRIBBAGE.parse(text)) == "7H@b4"
    assert str(TABLETOP_CRIBBAGE.parse(text.replace("7", "10"))) == "TH@b4"


@pytest.mark.parametrize("text", ["7H", "b4", "7X@b4", "7H@b4 c4", "7H@4b", "pass"])
def test_what_is_no_move_is_unreadable(text):
    with pytest.raises(UnreadableMove):
        TABLETOP_CRIBBAGE.parse(text)


def test_the_grid_is_twenty_five_cells_row_by_row():
    zones = fresh().view(0).zones
    cells = [zone.id for zone in zones if zone.kind == "cell"]
    assert cells == [f"cell:{name}" for name in CELLS]
    assert cells[:6] == ["cell:a1", "cell:b1", "cell:c1", "cell:d1", "cell:e1", "cell:a2"]
    assert zones[0].id == "pile:1"
    assert [zone.id for zone in zones[-3:]] == ["pile:0", "turned", "turned:0"]
    assert [zones[0].count, zones[-3].count] == [12, 11], "the card turned up lies beside its pile"


def test_a_move_touches_the_card_turned_up_and_its_space():
    view = fresh().view(0)
    assert view.choice(view.moves[0]).touches == (view.turned, "cell:b2")


def test_the_running_values_are_told():
    facts = dict(table(board=[BARE, "-- -- 5H -- --", "-- -- JD JC --", BARE, BARE]).view(0).facts)
    assert facts["Rows for @0"] == "0 0 2 0 0, in all 2"
    assert facts["Columns for @1"] == "0 0 2 0 0, in all 2"
    over = table(board=FULL, options={"target": "one-deal"})
    assert over.outcome() and over.view(0).facts == (("Dealer", "@1"),), (
        "nothing of the empty square after the last deal"
    )


# Positions


def test_a_card_goes_on_top_of_the_pile_of_the_player_to_move():
    state = table(centre="JD", to_move="dealer", card="TC", piles=["", "7H"])
    assert state.turned == "TC"
    assert state.piles[1][:2] == ("TC", "7H")
    assert [len(pile) for pile in state.piles] == [12, 12]


def test_whose_turn_it_is_follows_from_the_board():
    assert table(centre="JD").to_act == (0,)
    assert table(board=[BARE, "-- -- 5H -- --", "-- -- JD -- --", BARE, BARE]).to_act == (1,)
    assert table(seats=4, dealer=0, board=[BARE, "-- -- 5H -- --", "-- -- JD -- --", BARE, BARE]).to_act == (2,)


def test_scores_may_be_named_by_dealer_and_non_dealer():
    assert table(dealer=0, centre="JD", scores={"nondealer": 5, "dealer": 8}).scores == [8, 5]
    assert table(dealer=1, centre="JD", scores={"nondealer": 5, "dealer": 8}).scores == [5, 8]
    assert table(dealer=1, centre="JD", scores={"dealer": 8}).scores == [0, 8]
    assert table(seats=4, centre="JD", scores=[5, 8, 5, 8]).scores == [5, 8]


def test_a_position_with_its_moves_is_loaded_as_it_was_dumped():
    state = play(fresh(4), "c2", "d2", "b2")
    again = TABLETOP_CRIBBAGE.load(state.dump())
    assert again.view(2) == state.view(2)
    assert again.dump() == state.dump()


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({}, "centre card"),
        ({"board": [BARE] * 5}, "centre card"),
        ({"board": [BARE] * 4}, "five rows"),
        ({"board": NEARLY, "centre": "4C"}, "centre card"),
        ({"board": ["-- --", *[BARE] * 4]}, "five spaces"),
        ({"centre": "JX"}, "no card"),
        ({"centre": "JD", "piles": ["JD", ""]}, "2 times"),
        ({"board": NEARLY, "piles": ["AS", ""]}, "0 cards to place"),
        ({"centre": "JD", "scores": [121, 0]}, "game is over"),
        ({"centre": "JD", "deals": 20}, "game is over"),
        ({"scores": [122, 0]}, "past 121"),
        ({"scores": [121, 121]}, "only one side"),
        ({"options": {"scoring": "difference"}, "scores": [31, 31]}, "only one side"),
        ({"centre": "JD", "scores": [5, 0], "rear": [6, 0]}, "behind its front peg"),
        ({"centre": "JD 5H"}, "centre: it is one card"),
        ({"centre": "JD", "card": "9H TH"}, "card: it is one card"),
        ({"centre": "JD", "placed": ["0:7H@b4"]}, "no card on the board"),
        ({"centre": "JD", "placed": ["7:JD@c3"]}, "no card on the board"),
        ({"centre": "JD", "placed": ["nonsense"]}, "'nonsense' is no seat with its move"),
        ({"centre": "JD", "placed": 4}, "write a list"),
        ({"centre": "JD", "to_move": 2}, "to_move"),
        ({"centre": "JD", "unused": " ".join(pack()[:40])}, "unused|2 times"),
        ({"centre": "JD", "options": {"target": 99}}, "Length"),
        ({"centre": "JD", "players": 3}, "2 or 4"),
    ],
)
def test_impossible_positions_are_refused_in_words(position, words):
    with pytest.raises(ImpossiblePosition, match=words):
        table(**position)


def test_a_sample_keeps_the_card_turned_up_and_shuffles_the_rest():
    state = play(fresh(), "c2")
    worlds = [TABLETOP_CRIBBAGE.sample(state.view(0), Random(seed)) for seed in range(30)]
    assert {world.turned for world in worlds} == {state.turned}
    assert len({world.piles[0] for world in worlds}) == 30
    assert all(sorted(world.cards()) == sorted(pack()) for world in worlds)


def test_random_play_scores_about_twenty_three_a_side():
    decks, rng = random_decks(pack(), Random(1)), Random(1)
    totals = [0, 0]
    for _deal in range(60):
        state = TABLETOP_CRIBBAGE.start(decks, seats=2)
        while not state.results:
            state.play(state.to_act[0], rng.choice(state.legal_moves(state.to_act[0])))
        totals = [total + points for total, points in zip(totals, state.results[0].points, strict=True)]
    assert all(20 < total / 60 < 26 for total in totals)
