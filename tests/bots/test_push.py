"""The Push bots: what each level must see, that they keep the rules, and that they are ordered."""

from random import Random

import pytest

from games.bots import bot
from games.bots.matches import compare
from games.bots.push import LEVELS
from games.core.deals import numbered_decks
from games.engines.push.game import PUSH_GAME
from games.engines.push.moves import PACK


def chosen(level: str, *, seed: int = 1, **position) -> str:
    state = PUSH_GAME.load(position)
    seat = state.to_act[0]
    return str(bot("push", level).choose(state.view(seat), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("options", [{"deals": 3}, {"deals": 1, "contract": 5, "set_duplicates": True}])
def test_every_level_plays_whole_deals_by_the_rules(level, options):
    state = PUSH_GAME.start(numbered_decks(PACK, 3), seats=4, options=options)
    player, rng = bot("push", level), Random(3)
    while not state.results:
        seat = state.to_act[0]
        view = state.view(seat)
        move = player.choose(view, rng)
        assert move in view.moves
        state.play(seat, move)


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_generator_give_the_same_move(level):
    position = {"hand": "4S1 4H1 9D1 TC1 TD1 2S1 KH1 8H1", "stock_count": 40}
    assert chosen(level, seed=3, **position) == chosen(level, seed=3, **position)


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_open_when_they_can(level):
    move = chosen(level, hand="4S1 4H1 4D2 TC1 TD1 2S1 KH1", stock_count=40)
    assert move == "OPEN S(4S1 4H1 4D2) S(TD1 TC1 2S1)"


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_take_what_brings_them_nearer_to_the_contract(level):
    position = {"hand": "6S1 6D2 TH1 TC2 3D1 KS1", "stock_count": 40}
    assert chosen(level, upcard="6C1", **position) == "TAKE 6C1"
    assert chosen(level, upcard="8C1", **position) == "PUSH"


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_discard_what_helps_least(level):
    move = chosen(level, hand="6S1 6D2 6C1 TH1 TC2 3D1 KS1", stock_count=40)
    assert move in ("DISC KS1", "DISC 3D1")


def test_the_strong_level_finds_the_way_out_that_needs_its_wild_cards_in_a_meld():
    """Laid off one by one, the wild cards would leave two cards in the hand."""
    position = {"opened": True, "table": ["S(KS1 KH1 KD1)"], "hand": "8C1 QD1 2S1 XB1", "stock_count": 40}
    move = chosen("strong", **position)
    assert move.startswith("MELD") and {"2S1", "XB1"} <= set(move.replace("(", " ").replace(")", " ").split())


def test_the_strong_level_takes_an_upcard_that_frees_a_joker():
    position = {"opened": [0, 1], "table": ["R(7S1 XB1 9S1)", "S(9H1 9D1 9C2)"]}
    hands = {0: "KS1 KD2 4C1 6H1 JC1", 1: "4H1 6D1 JD1 QH1 KH1"}
    assert chosen("strong", upcard="8S2", hands=hands, stock_count=40, **position) == "TAKE 8S2"
    assert chosen("strong", upcard="8C2", hands=hands, stock_count=40, **position) == "PUSH"


@pytest.mark.parametrize("upcard", ["8S2", "9S2", "3D1"])
def test_the_strong_level_takes_any_upcard_with_which_it_goes_out(upcard):
    """8S2 frees the joker, 9S2 is laid off, and 3D1 is the discard."""
    position = {"opened": [0, 1], "table": ["R(7S1 XB1 9S1)", "S(9H1 9D1 9C2)"]}
    hands = {0: "TS1" if upcard == "3D1" else "KS1", 1: "4C1 6H1"}
    assert chosen("strong", upcard=upcard, hands=hands, stock_count=40, **position) == f"TAKE {upcard}"


def test_the_strong_level_ends_a_deal_that_costs_the_others_more():
    others = {"E": "KS1 QS1 JS1 AS1 9C1", "S": "3C1", "W": "KH1 QH1 JH1"}
    assert chosen("strong", upcard="9D1", hands={"N": "4C1 5D1", **others}) == "END"
    heavy = {"E": "3C1", "S": "KS1 QS1 JS1 AS1 9C1", "W": "4C1"}
    assert chosen("strong", upcard="9D1", hands={"N": "KH1 AD1 JH1", **heavy}) == "TAKE 9D1"


@pytest.mark.parametrize(("better", "worse", "matches"), [("strong", "club", 3), ("club", "first-steps", 2)])
def test_the_levels_are_ordered(better, worse, matches):
    result = compare(PUSH_GAME, LEVELS[better], LEVELS[worse], seats=4, matches=matches, seed=5)
    assert result.mean > 0.6
