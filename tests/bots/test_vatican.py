"""The house bots of Vatican: legal, repeatable, and stronger from level to level."""

from collections import Counter
from random import Random

import pytest

from games.bots import bot
from games.bots.matches import compare
from games.bots.vatican import LEVELS
from games.core.deals import numbered_decks
from games.core.moves import DRAW
from games.core.rummy.rearranging import PACK, Play
from games.engines.vatican import VATICAN


def position(*melds: str, hand: str, **more):
    return VATICAN.load(
        {"to_move": 0, "opened": True, "stock_count": 20, "table": list(melds), "hands": {0: hand, 1: "KC2"}, **more}
    )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [2, 5])
def test_a_bot_plays_whole_games_and_repeats_itself(level, seats):
    """Two that overlook much would play very long, so that of two seats a strong one has the other."""
    outcomes = []
    for _ in range(2):
        state, rng = VATICAN.start(numbered_decks(PACK, 3), seats=seats), Random(3)
        while state.to_act:
            seat = state.to_act[0]
            state.play(seat, LEVELS["strong" if (seats, seat) == (2, 1) else level].choose(state.view(seat), rng))
        outcomes.append((state.outcome(), state.log))
    assert outcomes[0] == outcomes[1]


def test_each_level_wins_against_the_next_lower():
    for better, worse in (("expert", "strong"), ("strong", "club"), ("club", "first-steps")):
        players = bot("vatican", better), bot("vatican", worse)
        result = compare(VATICAN, *players, seats=2, matches=4, seed=5)
        assert result.mean > 0.6, f"{better} against {worse}: {result.mean:.2f}"


def test_each_level_lays_more_cards_than_the_next_lower_in_the_same_positions():
    laid = Counter()
    for seed in range(4):
        state, rng = VATICAN.start(numbered_decks(PACK, seed), seats=3), Random(seed)
        while state.to_act:
            seat = state.to_act[0]
            moves = {level: bot.choose(state.view(seat), rng) for level, bot in LEVELS.items()}
            for level, move in moves.items():
                laid[level] += len(move.from_hand(state.table)) if isinstance(move, Play) else 0
            state.play(seat, moves["strong"])
    assert laid["strong"] > 1.1 * laid["club"] > 1.3 * laid["first-steps"], laid


def test_strong_finds_the_only_arrangement_and_club_does_not():
    hard = ("7C1+7H1+7S1", "5C1+5D1+5S1", "4C1-5C2-6C1-7C2", "8S1-9S1-TS1", "8C1-9C1-TC1")
    view = position(*hard, hand="9H1 8H1").view(0)
    assert set(LEVELS["strong"].choose(view, Random(1)).from_hand(dict(view.table))) == {"8H1", "9H1"}
    assert LEVELS["club"].choose(view, Random(1)) == DRAW


def test_club_lays_several_melds_in_one_turn():
    state = position("9C1+9D1+9H1", hand="4S1 5S1 6S1 9S1 2C1 2D1 2H1 KD1")
    play = LEVELS["club"].choose(state.view(0), Random(2))
    state.play(0, play)
    assert isinstance(play, Play) and state.hands[0] == ("KD1",)


def test_first_steps_sometimes_overlooks_a_play():
    view = position("9C1+9D1+9H1", hand="9S1 2C1 KD1").view(0)
    chosen = {str(LEVELS["first-steps"].choose(view, Random(seed))) for seed in range(20)}
    assert chosen == {"D", "P x1 > 9C1+9D1+9H1+9S1"}


def test_expert_waits_until_its_whole_hand_fits_or_the_stock_is_empty():
    expert, sevens = bot("vatican", "expert"), "7C1+7D1+7H1"
    out = "P x1 > 7C1+7D1+7H1+7S1"
    assert str(expert.choose(position(sevens, hand="7S1 2C1").view(0), Random(1))) == "D"
    assert str(expert.choose(position(sevens, hand="7S1").view(0), Random(1))) == out
    assert str(expert.choose(position(sevens, hand="7S1 2C1", stock_count=0).view(0), Random(1))) == out
    assert str(expert.choose(position(sevens, hand="2C1", stock_count=0).view(0), Random(1))) == "-"
