"""Rollouts: values of moves over sampled worlds."""

from random import Random

import pytest

from games import bots, engines
from games.bots.rollouts import Rollouts
from tests.bots.test_puzzles import KNOCK_AT_ONCE, ONLY_THE_TEN_WINS


def rollouts(slug, position, level="club", worlds=6):
    game = engines.get(slug)
    view = game.load(position).view(0)
    found = Rollouts(game, view, bots.bot(slug, level), "a")
    for _ in range(worlds):
        found.add(view.moves)
    return found


def test_all_moves_are_tried_in_the_same_worlds():
    found = rollouts("gin-rummy", KNOCK_AT_ONCE)
    assert {len(outcomes) for outcomes in found.outcomes.values()} == {6}
    best, other = found.ranked()[:2]
    assert found.difference(best, other).mean == pytest.approx(found.mean(best) - found.mean(other))
    assert found.difference(best, best).error == 0


def test_more_worlds_make_the_error_smaller():
    few, many = (rollouts("gin-rummy", KNOCK_AT_ONCE, worlds=worlds) for worlds in (6, 60))
    knock = next(move for move in many.outcomes if str(move).startswith("K"))
    discard = next(move for move in many.outcomes if str(move).endswith("8H") and not str(move).startswith("K"))
    assert many.difference(knock, discard).error < few.difference(knock, discard).error


def test_it_is_certain_where_chance_has_no_part():
    assert rollouts("sixty-six", ONLY_THE_TEN_WINS).is_certain
    assert not rollouts("gin-rummy", KNOCK_AT_ONCE).is_certain


def test_fewer_penalty_points_are_a_lead():
    game = engines.get("push")
    record = rollouts_of_push(game)
    assert record._lead((0, 10, 0, 10)) == 10
    assert record._lead((10, 0, 10, 0)) == -10


def rollouts_of_push(game):
    state = game.start([game.deck(game.read_options(None, 4))], seats=4)
    return Rollouts(game, state.view(state.to_act[0]), bots.bot("push", "club"), "a")


def test_a_bot_with_a_way_of_its_own_plays_on_by_itself():
    game = engines.get("casino")
    state = game.start([game.deck(game.read_options(None, 2))] * 2, seats=2)
    view = state.view(state.to_act[0])
    found = Rollouts(game, view, bots.bot("casino", "strong"), "a")
    found.add(view.moves)
    world_lead = found.outcomes[view.moves[0]][0]
    parts = bots.bot("casino", "strong").lead_by_rule(game.sample(view, Random("a 0")), view.moves[0])
    assert world_lead == sum(parts.values())
