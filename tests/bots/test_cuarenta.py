"""The Cuarenta bots: what each level must see, that they keep the rules, and that they are ordered."""

from random import Random

import pytest

from games.bots import bot
from games.bots.cuarenta import LEVELS, WON, Judgement, Sight, Strong, fits_last_play, playout, plays
from games.bots.matches import compare
from games.core.deals import numbered_decks
from games.engines import get
from games.engines.cuarenta.game import CUARENTA
from games.engines.cuarenta.moves import Phase

BETTER = ["club", "strong"]


def chosen(level: str, *, seed: int = 1, game: str = "cuarenta", **position) -> str:
    state = get(game).load(position)
    seat = state.to_act[0]
    return str(bot(game, level).choose(state.view(seat), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("slug", "seats", "options"),
    [("cuarenta", 2, {}), ("cuarenta", 2, {"capture": "may", "announce": "every"}), ("four-hand-cuarenta", 4, {})],
)
def test_every_level_plays_a_whole_hand_at_every_table(level, slug, seats, options):
    game = get(slug)
    state = game.start(numbered_decks(game.deck({}), seats), seats=seats, options=options)
    player, rng = bot(slug, level), Random(seats)
    if isinstance(player, Strong):
        player = Strong(game, worlds=2)
    while not state.results:
        seat = state.to_act[0]
        view = state.view(seat)
        move = player.choose(view, rng)
        assert move in view.moves
        state.play(seat, move)


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_generator_give_the_same_move(level):
    position = {"to_move": 1, "hands": {1: "5S KD 2C", 0: "3C QD 4D"}, "pot": "5C 6D AH"}
    assert chosen(level, seed=3, **position) == chosen(level, seed=3, **position)


@pytest.mark.parametrize("level", BETTER)
def test_better_levels_fall_on_the_card_just_laid_and_take_the_whole_sequence(level):
    position = {"to_move": 1, "hands": {1: "5S KD 2C", 0: "3C QD 4D"}, "pot": "5C 6D 7H KC", "last_play": [0, "5C"]}
    assert chosen(level, **position) == "5Sx5C>6D7H"


@pytest.mark.parametrize("level", BETTER)
def test_better_levels_claim_what_was_overlooked(level):
    position = {"to_move": 1, "hands": {1: "4S KD", 0: "3C QD"}, "pot": "6D 7H KC", "overlooked": "6D 7H"}
    assert chosen(level, **position) == "O:6D7H"


def test_the_strong_level_leads_from_a_pair_into_an_empty_pot():
    position = {"to_move": 1, "hands": {1: "6C 6D KH 2S 4C", 0: "AC 3D 5S JH QD"}, "pot": ""}
    assert chosen("strong", **position)[0] == "6"


@pytest.mark.parametrize("level", BETTER)
def test_better_levels_do_not_lead_a_card_of_their_ronda(level):
    position = {"to_move": 1, "hands": {1: "6C 6H KH 2H 4C", 0: "AC 3D 5S JH QD"}, "pot": "", "rondas": {1: "6H KH 2H"}}
    assert chosen(level, **position) in ("6C", "4C")


def test_the_card_of_a_pair_that_is_in_the_ronda_is_kept_for_the_other_one():
    """Taking a six that you laid yourself is no caída, whichever of the two lies there."""
    position = {"to_move": 1, "hands": {1: "6C 6H KH 2H 4C", 0: "AC 3D 5S JH QD"}, "pot": "", "rondas": {1: "6H KH 2H"}}
    judgement = Judgement(Sight.of_view(CUARENTA.load(position).view(1)))
    assert judgement.value(CUARENTA.parse("6C")) > judgement.value(CUARENTA.parse("6H"))


@pytest.mark.parametrize("level", BETTER)
def test_better_levels_name_the_suit_they_caught_most_of(level):
    """Two hearts and a spade fell; whoever had a ronda had most likely three hearts."""
    position = {
        "dealer": 1, "to_move": 0, "hands": {}, "pot": "KC", "stock": "2C 3C 5D 7D AD 3D 4S 6C QC JD",
        "rondas": {1: "4H 6H QH"}, "falls": [[0, 1, "2S"], [0, 1, "4H"], [0, 1, "6H"]],
    }  # fmt: skip

    assert chosen(level, **position) in ("R:4H", "R:6H")


def test_a_playout_sees_the_fall_at_the_beginning_of_the_next_turn():
    """The king laid into the empty pot is taken by the other king, which is a caída and a limpia."""
    position = {"to_move": 1, "hands": {1: "KS 2C", 0: "KD 5D"}, "stock": "3C 4C 6C 7C JC 3D 4D 6D 7D QD"}
    king = playout(CUARENTA.load(position), CUARENTA.parse("KS"))
    two = playout(CUARENTA.load(position), CUARENTA.parse("2C"))
    assert sum(king.values()) < sum(two.values()) - 3


COUNTED = {"cuarenta:caida": 2, "cuarenta:count-neither": 2}


@pytest.mark.parametrize(
    ("scores", "parts"),
    [
        ([0, 2], COUNTED),
        ([10, 30], COUNTED),
        ([38, 30], {"cuarenta:caida": 2, "cuarenta:forty-wins": WON}),
        ([36, 30], COUNTED | {"cuarenta:forty-wins": WON}),
    ],
)
def test_a_playout_is_worth_what_it_adds_to_the_scores_and_the_game(scores, parts):
    """The others have made a caída before. The king makes one now, and then the hand is counted."""
    position = {
        "to_move": 0,
        "hands": {0: "KS", 1: "2C"},
        "pot": "5D KD",
        "last_play": [1, "KD"],
        "tally": {"caida": [0, 1]},
        "scores": scores,
    }
    found = playout(CUARENTA.load(position), CUARENTA.parse("KSxKD"))
    assert {rule: points for rule, points in found.items() if points} == parts


@pytest.mark.parametrize(("rest", "misses"), [("KS", True), ("6S", True), ("QS", False), ("JS", False)])
def test_who_lays_a_card_is_thought_to_hold_nothing_that_takes_another(rest, misses):
    state = CUARENTA.load({"to_move": 0, "hands": {0: ["JC", rest], 1: "3C QD"}, "pot": "KC 4D 2H"})
    state.play(0, CUARENTA.parse("JC"))
    assert (fits_last_play(state.view(1), state) < 0) is misses


@pytest.mark.parametrize(
    ("slug", "seats", "options"),
    [("cuarenta", 2, {"announce": "every"}), ("cuarenta", 2, {"capture": "may"}), ("four-hand-cuarenta", 4, {})],
)
def test_who_plays_an_imagined_deal_on_weighs_cards_as_at_the_table(slug, seats, options):
    game = get(slug)
    state, weighed = game.start(numbered_decks(game.deck({}), 3), seats=seats, options=options), 0
    while not state.results:
        view = state.view(state.to_act[0])
        if view.phase is Phase.PLAY:
            at_table, imagined = Judgement(Sight.of_view(view)), Judgement(Sight.of_mover(state))
            assert [at_table.value(move) for move in plays(view)] == [imagined.value(move) for move in plays(view)]
            weighed += 1
        state.play(view.seat, LEVELS["club"].choose(view, Random(1)))
    assert weighed > 20


@pytest.mark.parametrize(("slug", "seats"), [("cuarenta", 2), ("four-hand-cuarenta", 4)])
def test_club_beats_first_steps(slug, seats):
    outcome = compare(get(slug), LEVELS["club"], LEVELS["first-steps"], seats=seats, matches=12, seed=4)
    assert outcome.mean > 0.55


def test_playing_on_does_not_spend_the_one_try_on_a_card_that_is_in_no_ronda():
    state = CUARENTA.load(
        {
            "to_move": 1,
            "hands": {1: "JH 5D", 0: "5C KS"},
            "rondas": ["", "2D 5D 6D"],
            "falls": [[0, 1, "QS"]],
            "captured": ["QS QH", "2D 6D 2C 6C"],
        }
    )
    found = LEVELS["strong"].lead_by_rule(state, CUARENTA.parse("JH"))
    assert sum(found.values()) == -10, "12 points to the 2 of the count"
