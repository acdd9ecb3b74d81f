"""Expert search, and the expert of every game."""

from dataclasses import fields, replace
from itertools import islice
from random import Random

import pytest

from games import bots, engines
from games.bots import experts, sixty_six
from games.bots.search import ROUND, Expert, SearchRollouts
from games.core.deals import random_decks
from games.core.rummy.deadwood import best_deadwood
from games.engines.gin_rummy.game import GIN_RUMMY
from tests.bots.test_puzzles import KNOCK_AT_ONCE, ONLY_THE_TEN_WINS

EVERY_GAME = [(game.slug, seats) for game in engines.GAMES for seats in game.seats]
SMALL = {"worlds": 2, "effort": 12, "candidates": 3, "exchanges": 2, "deals": 2, "hands": 10, "tries": 12}


class First:
    """Chooses the first move of a view."""

    def choose(self, view, rng):
        return view.moves[0]


class Last:
    """Chooses the last move of a view."""

    def choose(self, view, rng):
        return view.moves[-1]


def small(bot):
    """A bot with a budget that suits a test."""
    return replace(bot, **{name: SMALL[name] for name in SMALL if name in {field.name for field in fields(bot)}})


def test_every_game_has_an_expert():
    assert set(experts.EXPERTS) == {game.slug for game in engines.GAMES}
    assert bots.bot("casino", "expert") is experts.EXPERTS["casino"]
    with pytest.raises(KeyError):
        bots.bot("chess", "expert")


@pytest.mark.parametrize(("slug", "seats"), EVERY_GAME)
def test_experts_make_legal_moves_and_the_same_ones_again(slug, seats):
    game, expert, rng = engines.get(slug), small(experts.EXPERTS[slug]), Random(5)
    state = game.start(random_decks(game.deck(game.read_options(None, seats)), rng), seats=seats)
    chosen = 0
    while state.to_act and chosen < 2:
        seat = state.to_act[0]
        view, seed = state.view(seat), rng.getrandbits(32)
        if len(view.moves) > 1:
            move = expert.choose(view, Random(seed))
            assert move == expert.choose(view, Random(seed))
            chosen += 1
        state.play(seat, move if len(view.moves) > 1 else view.moves[0])


@pytest.mark.parametrize("adviser", [First(), Last()])
@pytest.mark.parametrize(("slug", "position"), [("gin-rummy", KNOCK_AT_ONCE), ("sixty-six", ONLY_THE_TEN_WINS)])
def test_the_search_finds_a_clearly_better_move_than_the_advised_one(slug, position, adviser):
    game = engines.get(slug)
    view = game.load(position).view(0)
    expert = Expert(game, adviser, bots.bot(slug, "club"), worlds=48, candidates=40)
    assert expert.choose(view, Random(1)) == bots.bot(slug, "strong").choose(view, Random(1))


def test_the_advised_move_stands_where_no_other_is_worth_trying():
    game = engines.get("sixty-six")
    view = game.load(ONLY_THE_TEN_WINS).view(0)
    expert = Expert(game, Last(), bots.bot("sixty-six", "club"), moves_of=lambda view: [])
    assert expert.choose(view, Random(1)) == view.moves[-1]


def test_the_advised_move_stands_where_few_worlds_were_tried():
    game = engines.get("sixty-six")
    view = game.load(ONLY_THE_TEN_WINS).view(0)
    few, enough = (
        Expert(game, Last(), bots.bot("sixty-six", "club"), worlds=worlds).choose(view, Random(1))
        for worlds in (ROUND - 1, ROUND)
    )
    assert few == view.moves[-1]
    assert enough == bots.bot("sixty-six", "strong").choose(view, Random(1)) != few


def test_the_budget_of_moves_ends_a_search():
    game = engines.get("gin-rummy")
    view = game.load(KNOCK_AT_ONCE).view(0)
    club = bots.bot("gin-rummy", "club")
    asked = []

    class Asked:
        def choose(self, view, rng):
            asked.append(view)
            return club.choose(view, rng)

    Expert(game, First(), Asked(), worlds=10_000, effort=50).choose(view, Random(1))
    assert 50 <= len(asked) < 1000


def test_a_world_is_the_likeliest_of_some():
    state = GIN_RUMMY.start(random_decks(GIN_RUMMY.deck(GIN_RUMMY.read_options(None, 2)), Random(3)))
    view = state.view(0)

    def likelihood(_view, world):
        return -best_deadwood(world.hands[1])

    def fit(draws):
        expert = Expert(GIN_RUMMY, First(), First(), likelihood=likelihood, draws=draws)
        rollouts = SearchRollouts(expert, view, First(), "a")
        return sum(likelihood(view, rollouts.world(Random(seed))) for seed in range(40))

    assert fit(4) > fit(1)


def test_nothing_is_searched_where_the_strong_bot_is_exact():
    view = engines.get("sixty-six").load(ONLY_THE_TEN_WINS).view(0)
    assert not sixty_six.worth_trying(view)
    assert bots.bot("sixty-six", "expert").choose(view, Random(1)) == bots.bot("sixty-six", "strong").choose(
        view, Random(1)
    )


def test_an_experts_search_is_for_workers_alone():
    assert tuple(islice(bots.LEVELS, 3)) == bots.QUICK_LEVELS
    assert bots.EXPERT not in bots.QUICK_LEVELS
