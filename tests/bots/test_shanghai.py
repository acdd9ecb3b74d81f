"""What the house bots of Shanghai see, and what they leave behind."""

from random import Random

import pytest

from games.bots.matches import compare
from games.bots.shanghai import LEVELS
from games.core.deals import random_decks
from games.core.rummy.rearranging import Play
from games.engines.shanghai import SHANGHAI, ShanghaiState

SEVENS = {1: "7C1+7D1+7H1"}


def table(hand: str, melds=SEVENS, **position) -> ShanghaiState:
    return SHANGHAI.load({"to_move": 0, "table": melds, "hands": {0: hand, 1: "KC2"}, "stock_count": 9, **position})


def chosen(level: str, state: ShanghaiState, seed: int = 1) -> str:
    return str(LEVELS[level].choose(state.view(0), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("options", [{}, {"jokers": 2, "sequence": "round"}, {"strict": False}])
def test_every_move_of_a_bot_is_legal_to_the_end_of_a_hand(level, options):
    rng = Random(4)
    chosen_options = SHANGHAI.read_options(options, 3)
    state = SHANGHAI.start(random_decks(SHANGHAI.deck(chosen_options), rng), seats=3, options=chosen_options)
    while not state.results:
        seat = state.to_act[0]
        state.play(seat, LEVELS[level].choose(state.view(seat), rng))
    assert state.results[0].points.count(0) >= 1


@pytest.mark.parametrize("level", LEVELS)
def test_without_a_play_a_bot_draws_or_passes(level):
    assert chosen(level, table("2C2 9D1")) == "D"
    assert chosen(level, table("2C2 9D1", stock_count=0)) == "-"


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_that_overlooks_a_play_makes_one_that_the_table_shows(level):
    for seed in range(20):
        assert chosen(level, table("7S1 2C2"), seed) == "P x1 > 7C1+7D1+7H1+7S1"


def test_strong_always_lays_all_that_fits_and_first_steps_rarely():
    state = table("7S1 4S1 5S1 6S1 2C2")

    def sizes(level: str) -> list[int]:
        plays = [LEVELS[level].choose(state.view(0), Random(seed)) for seed in range(40)]
        return [len(play.from_hand(state.table)) for play in plays]

    assert set(sizes("strong")) == {4}
    assert sizes("club").count(4) > 30 > sizes("first-steps").count(4)


def test_strong_sees_what_needs_three_melds():
    melds = {1: "2C1-3C1-4C1", 2: "5C1-6C1-7C1-8C1", 3: "AH1-2H1-3H1", 4: "JD1-QD1-KD1-AD1", 5: "2D1+2H2+2S1"}
    play = SHANGHAI.parse(chosen("strong", table("AH2 3H2", melds)))
    assert isinstance(play, Play) and len(play.dissolved) == 3


def test_of_equally_large_plays_strong_leaves_the_fewest_points():
    state = table("QS1 KS1 AS1 2S1 3S1", {})
    state.play(0, LEVELS["strong"].choose(state.view(0), Random(1)))
    assert state.hands[0] == ("2S1", "3S1")


@pytest.mark.parametrize(("better", "worse"), [("strong", "club"), ("club", "first-steps")])
def test_better_bots_win_most_of_some_mirrored_matches(better, worse):
    options = SHANGHAI.read_options({"deals": 3}, 2)
    found = compare(SHANGHAI, LEVELS[better], LEVELS[worse], seats=2, matches=4, seed=2, options=options)
    assert found.mean >= 0.6
