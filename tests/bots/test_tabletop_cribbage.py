"""What the house bots of Tabletop Cribbage see and miss."""

from random import Random

import pytest

from games.bots.matches import compare
from games.bots.tabletop_cribbage import LEVELS, Lines, promise, race_weights, worth
from games.core.card_bits import ALL_CARDS, bits, mask
from games.core.cards import pack
from games.core.deals import random_decks
from games.engines.tabletop_cribbage.game import TABLETOP_CRIBBAGE
from games.engines.tabletop_cribbage.state import TabletopState

BARE = "-- -- -- -- --"


def table(**position) -> TabletopState:
    return TABLETOP_CRIBBAGE.load({"to_move": "nondealer", **position})


def chosen(level: str, state: TabletopState, seed: int = 1) -> str:
    return str(LEVELS[level].choose(state.view(state.to_act[0]), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("options", [{}, {"contact": "anywhere", "scoring": "difference", "heels_nobs": True}])
def test_every_move_of_a_bot_is_legal_to_the_end_of_a_deal(level, seats, options):
    rng = Random(4)
    state = TABLETOP_CRIBBAGE.start(random_decks(pack(), rng), seats=seats, options=options)
    while not state.results:
        seat = state.to_act[0]
        move = LEVELS[level].choose(state.view(seat), rng)
        assert move in state.legal_moves(seat)
        state.play(seat, move)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_answers_the_same_for_the_same_generator(level):
    state = table(centre="JD", card="5C")
    assert chosen(level, state, 3) == chosen(level, state, 3)


def test_club_takes_the_best_difference():
    state = table(board=[BARE, "-- 5S -- KH --", "-- -- JD -- --", BARE, BARE], card="TC")
    assert {chosen("club", state, seed) for seed in range(30)} == {"TC@a2", "TC@c2", "TC@e2"}


def test_first_steps_does_not_see_what_it_gives_to_the_columns():
    state = table(board=["-- -- QS -- --", "5S -- -- -- --", "-- -- JD -- --", BARE, BARE], card="5C")
    found = {chosen("first-steps", state, seed) for seed in range(60)}
    assert "5C@c2" in found
    assert "5C@c2" not in {chosen("club", state, seed) for seed in range(30)}


def test_the_dealer_plays_for_the_columns():
    state = table(board=[BARE, "-- 5S -- -- --", "-- -- JD -- --", BARE, BARE], to_move="dealer", card="TC")
    assert {chosen("club", state, seed)[-2] for seed in range(30)} == {"b"}


def test_a_line_promises_the_average_of_what_other_cards_make_of_it():
    four = mask("5C 5D JS QH".split())
    others = [four | card for card in bits(ALL_CARDS & ~four)]
    assert promise(four) == pytest.approx(sum(worth(cards) for cards in others) / len(others))
    assert promise(others[0]) == worth(others[0])
    assert promise(mask(["6C", "7D"])) > promise(mask(["6C", "KD"]))


def test_strong_sees_what_a_line_may_become():
    state = table(board=["-- -- QS -- --", "-- 6S -- -- --", "-- -- JD -- --", "-- KH -- -- --", BARE], card="7C")
    assert chosen("strong", state)[-1] == "2"


def test_the_expert_weighs_what_decides_the_race():
    """The rows are counted first and need few points, so all that helps the dealer is to keep them low."""
    board = [BARE, "-- 5S -- KH --", "-- -- JD -- --", "-- 8H -- 2S --", BARE]
    near = table(board=board, card="TC", to_move="dealer", scores={"nondealer": 101, "dealer": 90}).view(1)
    rows, columns = race_weights(near, Lines.of_view(near, promise))
    assert rows > 20 * columns
    far = table(board=board, card="TC", to_move="dealer").view(1)
    rows, columns = race_weights(far, Lines.of_view(far, promise))
    assert 0.2 < rows / columns < 5
    short = table(board=board, card="TC", to_move="dealer", options={"target": "one-deal"}).view(1)
    assert race_weights(short, Lines.of_view(short, promise)) == (1, 1)


@pytest.mark.parametrize(("better", "worse"), [("strong", "first-steps"), ("club", "first-steps"), ("strong", "club")])
def test_better_bots_win_most_of_some_mirrored_deals(better, worse):
    options = TABLETOP_CRIBBAGE.read_options({"target": "one-deal"}, 2)
    found = compare(TABLETOP_CRIBBAGE, LEVELS[better], LEVELS[worse], seats=2, matches=5, seed=1, options=options)
    assert found.mean >= 0.6
