"""What the house bots of Advantage see and miss."""

from random import Random

import pytest

from games.bots.advantage import LEVELS, pairs_of, ranks_of
from games.bots.matches import compare
from games.core.cards import pack
from games.core.deals import random_decks
from games.engines.advantage.game import ADVANTAGE
from games.engines.advantage.state import AdvantageState


def table(**position) -> AdvantageState:
    return ADVANTAGE.load({"to_move": 0, **position})


def chosen(level: str, state: AdvantageState, seed: int = 1) -> str:
    return str(LEVELS[level].choose(state.view(state.to_act[0]), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "options", [{}, {"colour": "aces_only", "draws": "open"}, {"pair_after_pass": True, "lead": "alternate"}]
)
def test_every_move_of_a_bot_is_legal_to_the_end_of_the_game(level, options):
    rng = Random(4)
    state = ADVANTAGE.start(random_decks(pack(), rng), seats=2, options=options)
    while state.to_act:
        seat = state.to_act[0]
        move = LEVELS[level].choose(state.view(seat), rng)
        assert move in state.legal_moves(seat)
        state.play(seat, move)
    assert state.outcome() is not None


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_answers_the_same_for_the_same_generator(level):
    state = table(piles=["TC", "7S", "AH"], hands=["9C QH 3D", "2C 5C JS"], stock="8D 6C 4H")
    assert chosen(level, state, 3) == chosen(level, state, 3)


def test_pairs_are_counted_by_rank():
    assert pairs_of(ranks_of("2C 2D 2H 2S KC KD KH 5C".split())) == 3


@pytest.mark.parametrize("level", LEVELS)
def test_no_bot_leaves_a_pair_in_its_hand(level):
    state = table(
        phase="pair", traded=[True, True], piles=["JD", "6S", "AH"], hands=["4C 4D 9S", "QS"], stock="9C 3C KS"
    )
    assert {chosen(level, state, seed) for seed in range(10)} == {"P 4C4D"}


@pytest.mark.parametrize("level", ["club", "strong"])
def test_the_card_that_makes_a_pair_with_the_pile_is_kept(level):
    state = table(phase="pick", piles=["4C 6H 7S", "KD", "2H"], hands=["6S 9D 3C", "8C JS QS"], stock="5C 5D")
    assert chosen(level, state) == "T 3C>1"


@pytest.mark.parametrize("level", ["club", "strong"])
def test_a_pair_is_not_handed_over_whole(level):
    state = table(piles=["QC", "QH", "5H"], hands=["KC KH 4D", "2S 7S 9S"], stock="8C 3C JD")
    assert chosen(level, state) in {"D KC>1", "D KH>2"}


def test_strong_ends_the_game_when_it_leads():
    state = table(piles=["KH", "8C", "JH"], hands=["QD 5S", "9H 9D 2C"], pairs=["2H2D", ""])
    while state.to_act == (0,) and not state.over:
        state.play(0, LEVELS["strong"].choose(state.view(0), Random(1)))
    assert state.outcome().winners == (0,)


@pytest.mark.parametrize(("pairs", "move"), [(["", "2H2D"], "T-"), (["2H2D", ""], "T+")])
def test_strong_does_not_draw_the_last_card_when_it_is_behind(pairs, move):
    state = table(phase="pick", piles=["KH", "QD", "JH"], hands=["4S 5C 8C", "2S 3S 6C"], stock="9C", pairs=pairs)
    assert chosen("strong", state) == move


def test_strong_takes_the_pair_that_the_other_could_take():
    state = table(phase="pick", piles=["4C", "5C", "KD"], hands=["2C 4D 5D", "5S 8C 9H"], stock="7C 7D")
    assert chosen("strong", state) == "T 2C>2"


@pytest.mark.parametrize(("better", "worse"), [("club", "first-steps"), ("strong", "first-steps")])
def test_better_bots_win_most_of_some_mirrored_matches(better, worse):
    found = compare(
        ADVANTAGE,
        LEVELS[better],
        LEVELS[worse],
        seats=2,
        matches=10,
        seed=1,
        options=ADVANTAGE.read_options(None, 2),
    )
    assert found.mean >= 0.75
