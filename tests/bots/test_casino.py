"""The Casino bots: what each level must see, that they keep the rules, and that they are ordered."""

from random import Random

import pytest

from games.bots import bot
from games.bots.casino import LEVELS, Judgement, Sight, Strong, fits_turns, playout
from games.bots.matches import compare
from games.core.deals import numbered_decks
from games.engines.casino.game import CASINO


def chosen(level: str, *, seed: int = 1, **position) -> str:
    state = CASINO.load(position)
    seat = state.to_act[0]
    return str(bot("casino", level).choose(state.view(seat), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {"sweeps": "each"}), (4, {"partners": True})])
def test_every_level_plays_a_whole_hand_at_every_table(level, seats, options):
    state = CASINO.start(numbered_decks(CASINO.deck({}), seats), seats=seats, options=options)
    player, rng = bot("casino", level), Random(seats)
    if isinstance(player, Strong):
        player = Strong(worlds=2)
    while not state.results:
        seat = state.to_act[0]
        view = state.view(seat)
        move = player.choose(view, rng)
        assert move in view.moves
        state.play(seat, move)


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_generator_give_the_same_move(level):
    position = {"hands": {1: "8S 5D KC 2H", 0: "9C TC QD 3D"}, "loose": "8D 5H 3C KD 4S"}
    assert chosen(level, seed=3, **position) == chosen(level, seed=3, **position)


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_take_the_ten_of_diamonds_with_all_that_goes_with_it(level):
    move = chosen(level, hands={1: "TS 9D QD", 0: "9C 3D KS"}, loose="TD 6H 4S KD")
    assert move == "TSx4S+6H+TD"


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_do_not_lay_the_ten_of_diamonds_on_the_table(level):
    assert chosen(level, hands={1: "TD QD 9C", 0: "7C 5C KS"}, loose="KD 3C") not in ("TD", "TDx")


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_take_the_last_trick_of_a_rich_table(level):
    """The king takes the king and with it everything that nobody else can take any more."""
    move = chosen(level, dealer=1, to_move=1, hands={1: "KS"}, loose="KD 9C TC AH 6D", last_capturer=0)
    assert move == "KSxKD"


def test_a_playout_sees_what_the_next_deal_takes_from_the_table():
    """The last card of a deal is the ten of diamonds, and the first card of the next takes it."""
    position = {"dealer": 0, "to_move": 0, "hands": {0: "TD"}, "stock": "TS QC 3C 4C QD JH 7C 8C 9C 9D 9H 2D"}
    assert sum(playout(CASINO.load(position), CASINO.parse("TD")).values()) < -2


def test_a_playout_that_does_not_end_the_hand_counts_what_lies_in_the_piles_by_rule():
    """A ten takes the other one, and nobody takes anything after it."""
    position = {"dealer": 1, "to_move": 0, "hands": {0: "TC", 1: "KS"}, "loose": "TD", "won": {1: "AH AS 7C"}}
    position |= {"stock": "2C 3C 4C 5C 6D 7D 8D 9D JH QH QC 2H 3H 4H 5H 6H"}
    found = playout(CASINO.load(position), CASINO.parse("TCxTD"))
    assert {rule.removeprefix("casino:score-"): round(lead, 2) for rule, lead in found.items()} == {
        "cards": -0.15,
        "spades": -0.15,
        "big": 2,
        "aces": -2,
    }


@pytest.mark.parametrize(("seats", "options"), [(2, {"sweeps": "each"}), (3, {}), (4, {"partners": True})])
def test_who_plays_an_imagined_deal_on_weighs_moves_as_at_the_table(seats, options):
    state, club = CASINO.start(numbered_decks(CASINO.deck({}), seats), seats=seats, options=options), LEVELS["club"]
    while not state.results:
        view = state.view(state.to_act[0])
        assert Sight.of_mover(state).hidden == Sight.of_view(view).hidden
        judges = [Judgement(sight, state.card_values) for sight in (Sight.of_view(view), Sight.of_mover(state))]
        assert [judges[0].value(move) for move in view.moves] == [judges[1].value(move) for move in view.moves]
        state.play(view.seat, club.choose(view, Random(1)))


@pytest.mark.parametrize(("rest", "misses"), [("KS", True), ("QS", False), ("2D", False)])
def test_who_trails_is_thought_to_hold_nothing_that_takes_a_card_of_the_table(rest, misses):
    """Seat 0 trails the two beside a king; the nine came to the table later."""
    state = CASINO.load({"to_move": 0, "hands": {0: ["2C", rest], 1: "9S 7D QC JH"}, "loose": "KD 6H", "stock": ""})
    state.play(0, CASINO.parse("2C"))
    state.play(1, CASINO.parse("9S"))
    assert (fits_turns(state.view(1), state) < 0) is misses
    assert fits_turns(state.view(0), state) == 0, "a player's own misses tell nothing"


def test_a_new_hand_has_missed_nothing():
    position = {"dealer": 0, "to_move": 0, "hands": {0: "2C"}, "loose": "KD", "stock": "3C 4C KS KH 5C 6C 7C 8C"}
    state = CASINO.load(position)
    state.play(0, CASINO.parse("2C"))
    assert "KS" in state.hands[0] + state.hands[1]
    assert all(fits_turns(state.view(seat), state) == 0 for seat in (0, 1))


def test_the_strong_level_finds_a_move_on_a_crowded_table():
    loose = [rank + suit for rank in "A2345" for suit in "CDHS"]
    state = CASINO.load({"hands": {1: "TS 9S 8S 8C", 0: "TC 9C 7C 7D"}, "loose": loose})
    assert Strong(worlds=2).choose(state.view(1), Random(1)) in state.legal_moves(1)


def test_club_beats_first_steps():
    outcome = compare(
        CASINO, LEVELS["club"], LEVELS["first-steps"], seats=2, matches=12, seed=4, options={"target": 11}
    )
    assert outcome.mean > 0.6
