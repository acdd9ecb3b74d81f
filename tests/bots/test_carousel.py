"""The house bots of Carousel: legal, repeatable, and stronger from level to level."""

from random import Random

import pytest

from games.bots.carousel import LEVELS, net_gain
from games.bots.matches import compare
from games.core.deals import numbered_decks
from games.core.moves import DRAW
from games.engines.carousel.game import CAROUSEL
from games.engines.carousel.moves import KNOCK


def view(*melds: str, hand: str, others: str = "KC2 QC2 JC2 TC2", phase: str = "after-draw", **more):
    position = {"to_move": 0, "phase": phase, "stock_count": 30, "table": list(melds)}
    return CAROUSEL.load({**position, "hands": {0: hand, 1: others, 2: "KD2 QD2 JD2 TD2"}, **more}).view(0)


def chosen(level: str, seen, seed: int = 1) -> str:
    return str(LEVELS[level].choose(seen, Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [2, 5])
def test_a_bot_plays_whole_hands_and_repeats_itself(level, seats):
    records = []
    for _ in range(2):
        pack = CAROUSEL.deck(CAROUSEL.read_options(None, seats))
        state, rng = CAROUSEL.start(numbered_decks(pack, 3), seats=seats), Random(3)
        while state.to_act and len(state.results) < 2:
            seat = state.to_act[0]
            state.play(seat, LEVELS[level].choose(state.view(seat), rng))
        records.append((state.results, state.log))
    assert records[0] == records[1]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("option", [{"manipulation": "free"}, {"go_out_ends": True}, {"meld_after_third_draw": True}])
def test_a_bot_plays_by_every_way_to_meld(level, option):
    pack = CAROUSEL.deck(CAROUSEL.read_options(None, 3))
    state, rng = CAROUSEL.start(numbered_decks(pack, 4), seats=3, options=option), Random(4)
    while state.to_act and not state.results:
        seat = state.to_act[0]
        state.play(seat, LEVELS[level].choose(state.view(seat), rng))
    assert state.results


def test_each_level_wins_against_the_next_lower():
    for better, worse, matches in (("strong", "club", 2), ("club", "first-steps", 1)):
        result = compare(
            CAROUSEL, LEVELS[better], LEVELS[worse], seats=2, matches=matches, seed=5, options={"target": 100}
        )
        assert result.mean > 0.6, f"{better} against {worse}: {result.mean:.2f}"


def test_strong_enlarges_the_run_before_it_robs_its_other_end():
    seen = view("5H1-6H1-7H1", hand="5C1 5S1 8H1")
    assert chosen("strong", seen) == "L1 5H1-6H1-7H1-8H1"


def test_strong_leaves_cards_to_spare_for_its_next_steps():
    fours = "7C1+7D1+7H1+7S1", "8C1+8D1+8H1+8S1"
    seen = view(*fours, "9C1+9D1+9H1", hand="9S1 TC1 JC1 KD1")
    assert chosen("strong", seen) == "L3 9C1+9D1+9H1+9S1"


def test_strong_lays_the_joker_with_the_meld_that_leaves_least():
    assert chosen("strong", view(hand="2C1 2D1 KC1 KD1 XB 9H1")) == "M KC1+KD1+XB"


def test_strong_does_not_knock_into_an_almost_empty_hand_and_club_does():
    seen = view(hand="2C1 3D1", others="", phase="start")
    assert chosen("club", seen) == str(KNOCK)
    assert chosen("strong", seen) == str(DRAW)
    assert chosen("strong", view(hand="2C1 3D1", phase="start")) == str(KNOCK)
    assert chosen("strong", view(hand="", others="", phase="start")) == str(KNOCK)


def test_a_knock_gains_the_differences_or_loses_what_the_lowest_scores():
    assert net_gain([3, 14, 8], knocker=0, undercut=10) == 16
    assert net_gain([3, 14, 2], knocker=0, undercut=10) == -23
    assert net_gain([3, 3, 8], knocker=0, undercut=10) == 2


def test_first_steps_overlooks_thefts_most_of_the_time():
    seen = view("6H1-7H1-8H1-9H1", hand="6C1 6S1 KD1")
    moves = [chosen("first-steps", seen, seed) for seed in range(40)]
    assert 0 < sum("<" in move for move in moves) < 15 and "D" in moves
