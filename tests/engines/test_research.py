"""PettingZoo environments: PettingZoo's own test of an environment, over all games."""

import warnings
from random import Random

import pytest
from pettingzoo.test import api_test

from games.engines import GAMES
from games.research import GameEnv

TABLES = [
    pytest.param(game.slug, seats, id=f"{game.slug}-{seats}")
    for game in GAMES
    for seats in sorted({game.seats[0], game.seats[-1]})
]


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_every_game_is_an_environment(slug, seats):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of PettingZoo, about zeros and ones in the table of cards
        api_test(GameEnv(slug, seats=seats), num_cycles=40)


@pytest.mark.parametrize("slug", ["gin-rummy", "casino", "sixty-six"])
def test_a_game_has_an_end_and_its_winner_a_reward(slug):
    env, rng = GameEnv(slug, options={} if slug != "gin-rummy" else {"target": 50}), Random(1)
    env.reset(seed=1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, is_over, _, info = env.last()
        total[agent] += reward
        if not is_over:
            assert observation["action_mask"].sum() == len(info["moves"]) > 0
        env.step(None if is_over else rng.randrange(len(info["moves"])))
    won = env.state_of_game.outcome().winners
    assert total == {f"player_{seat}": (len(won) == 1) * (1 if seat in won else -1) for seat in range(2)}
