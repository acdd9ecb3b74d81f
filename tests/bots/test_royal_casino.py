"""The bots of Royal Casino are those of Casino, who must know its courts, aces and sweeps."""

from random import Random

import pytest

from games.bots import bot
from games.bots.casino import Strong, best_captures
from games.bots.matches import compare
from games.bots.royal_casino import LEVELS
from games.core.deals import numbered_decks
from games.engines.casino.builds import Build
from games.engines.royal_casino import ROYAL_CASINO, RoyalCasinoState


def chosen(level: str, *, seed: int = 1, **position) -> str:
    state = ROYAL_CASINO.load({"to_move": 1, **position})
    return str(bot("royal-casino", level).choose(state.view(1), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {"sweeps": "difference"}), (4, {"partners": True})])
def test_every_level_plays_a_whole_hand_at_every_table(level, seats, options):
    state = ROYAL_CASINO.start(numbered_decks(ROYAL_CASINO.deck({}), seats), seats=seats, options=options)
    player, rng = bot("royal-casino", level), Random(seats)
    if isinstance(player, Strong):
        player = Strong(ROYAL_CASINO, worlds=2)
    while not state.results:
        seat = state.to_act[0]
        view = state.view(seat)
        move = player.choose(view, rng)
        assert move in view.moves
        state.play(seat, move)


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_take_kings_and_sums_with_a_king(level):
    assert chosen(level, hands={1: "KS 4H", 0: "5C 6C"}, loose="KD KH TC 3D") == "KSx3D+TC+KD+KH"


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_sweep_when_they_can(level):
    assert chosen(level, hands={1: "AS 9D 2C", 0: "5C 6C 7C"}, loose="KD AH 8C 6S") == "ASxAH+6S+8C+KD"


def test_the_best_capture_with_an_ace_is_worth_a_sweep_more_when_it_clears_the_table():
    loose, builds = ["KD", "AH"], [Build(14, (("6C", "8D"),), 0)]
    swept = best_captures(loose, builds, RoyalCasinoState.card_values, sweeps=True)
    plain = best_captures(loose, builds, RoyalCasinoState.card_values, sweeps=False)
    assert swept["A"] == plain["A"] + 1
    assert swept["K"] == plain["K"]
    assert "2" not in swept


def test_club_beats_first_steps():
    outcome = compare(
        ROYAL_CASINO, LEVELS["club"], LEVELS["first-steps"], seats=2, matches=12, seed=4, options={"target": 11}
    )
    assert outcome.mean > 0.6
