"""The house bots of Krambambuli: legal, repeatable, and stronger from level to level."""

from random import Random

import pytest

from games.bots.krambambuli import LEVELS, are_partners, outs_of, reason, still_to_come, time_left
from games.bots.matches import compare
from games.core.deals import numbered_decks
from games.core.moves import Discard
from games.engines.krambambuli.game import KRAMBAMBULI


def view(*melds: str, hand: str, others: str = "KS QS JS TS", **more):
    return KRAMBAMBULI.load({"to_move": 0, "table": list(melds), "hands": {0: hand, 1: others}, **more}).view(0)


def chosen(level: str, seen, seed: int = 1) -> str:
    return str(LEVELS[level].choose(seen, Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [2, 6])
def test_a_bot_plays_whole_hands_and_repeats_itself(level, seats):
    records = []
    for _ in range(2):
        pack = KRAMBAMBULI.deck(KRAMBAMBULI.read_options(None, seats))
        state, rng = KRAMBAMBULI.start(numbered_decks(pack, 3), seats=seats), Random(3)
        while state.to_act and len(state.results) < 2:
            seat = state.to_act[0]
            state.play(seat, LEVELS[level].choose(state.view(seat), rng))
        records.append((state.results, state.log))
    assert records[0] == records[1]


def test_each_level_wins_against_the_next_lower():
    """Strong wins two thirds of short games from club, with a standard error of 4 % in so many."""
    for better, worse, matches, least in (("strong", "club", 60, 0.55), ("club", "first-steps", 3, 0.6)):
        options = {"deals": 8}
        result = compare(KRAMBAMBULI, LEVELS[better], LEVELS[worse], seats=2, matches=matches, seed=5, options=options)
        assert result.mean > least, f"{better} against {worse}: {result.mean:.2f}"


@pytest.mark.parametrize("level", ["club", "strong"])
def test_the_upcard_is_taken_when_it_can_be_laid(level):
    hand = "7C 7D 3H KD"
    assert chosen(level, view(hand=hand, phase="start", discards="7S")) == "U"
    assert chosen(level, view(hand=hand, phase="start", discards="9S")) == "D"
    assert chosen(level, view("9C+9D+9H (0)", hand=hand, phase="start", discards="9S")) == "U"


def test_strong_divides_four_fives_so_that_it_goes_out():
    hands = {0: "JH QH KH AH 5C 5D 5H 5S 3C 4C 6C TD", 1: "KS QS JS TS"}
    state = KRAMBAMBULI.load({"to_move": 0, "hands": hands})
    for _ in range(4):
        state.play(0, LEVELS["strong"].choose(state.view(0), Random(1)))
    assert state.results[-1].summary == "@0 [go] out."


@pytest.mark.parametrize("level", ["club", "strong"])
def test_a_lone_king_goes_before_two_nines(level):
    assert chosen(level, view(hand="9C 9S KH 2S 4D", others="3C 3D 4C 6H 8D TH")) == "X KH"


def test_a_card_is_kept_for_what_can_still_come():
    seen = view("8C+8D+8S (1)", hand="8H 7S 9S 2D")
    assert outs_of(seen, "7S", ["9S", "8H", "2D"], still_to_come(seen)) == set()
    seen = view(hand="8H 7S 9S 2D")
    assert outs_of(seen, "7S", ["9S", "8H", "2D"], still_to_come(seen)) == {"8S"}


def test_the_strong_bot_remembers_covered_discards():
    """Kings count for more than nines, but a pair is no use once both other cards are gone."""
    position = {"hand": "KC KD 9H 9S 2S", "others": "2C 3D 4C 6H", "stock_count": 20, "turnovers": 1}
    alive, dead = (view(**position, discards=pile) for pile in ("7C 7D 5C", "9C 9D 5C"))
    assert alive == dead and alive.remembered != dead.remembered
    assert chosen("strong", alive) == "X KC" and chosen("strong", dead) in ("X 9H", "X 9S")
    turned_over_later = view(**position | {"turnovers": 0}, discards="9C 9D 5C")
    assert chosen("strong", turned_over_later) == "X KC"


def test_the_reason_for_a_discard_does_not_remind_the_player_of_covered_cards():
    alive, dead = (view(hand="9C 9D 2S", discards=pile) for pile in ("8C 8H 5C", "9S 9H 5C"))
    assert reason(alive, Discard("9C")) == reason(dead, Discard("9C"))


def test_cards_are_partners_if_a_meld_of_three_can_hold_both():
    assert are_partners("7S", "7H", "high") and are_partners("7S", "9S", "high")
    assert not are_partners("7S", "TS", "high") and not are_partners("7S", "8H", "high")
    assert are_partners("AS", "QS", "high") and not are_partners("AS", "2S", "high")
    assert are_partners("AS", "2S", "high_or_low")


def test_time_runs_out_with_the_stock_and_with_another_hand():
    assert time_left(view(hand="2C 3D")) == 1
    assert time_left(view(hand="2C 3D", others="KS")) == 0.25
    assert time_left(view(hand="2C 3D", stock_count=6, turnovers=1)) == 0.5


def test_first_steps_overlooks_melds_now_and_then():
    seen = view(hand="7C 7D 7S KD 2C")
    moves = {chosen("first-steps", seen, seed)[0] for seed in range(20)}
    assert moves == {"M", "X"}
