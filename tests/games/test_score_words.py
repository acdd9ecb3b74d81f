"""Words for the rules that score."""

from random import Random

import pytest

from games import engines
from games.bots import PlaysOut, bot
from games.bots.matches import decks_from
from games.core.deals import Decks, random_decks
from games.presentation.score_words import WORDS, made_of

GAMES = (
    "casino", "royal-casino", "cuarenta", "four-hand-cuarenta", "gin-rummy", "carousel", "piquet", "rubicon-piquet",
    "sixty-six", "partnership-cribbage", "tabletop-cribbage",
)  # fmt: skip
HANDS = 12


def rules_that_score(game, rng):
    """The names of the rules by which some hands of first-steps bots were scored."""
    player, found, hands = bot(game.slug, "first-steps"), set(), 0
    while hands < HANDS:
        decks = Decks(random_decks(game.deck(game.read_options(None, game.seats[0])), rng))
        state = game.start(decks_from(decks), seats=game.seats[0])
        while state.to_act and hands + len(state.results) < HANDS:
            seat = state.to_act[0]
            state.play(seat, player.choose(state.view(seat), rng))
        hands += len(state.results)
        found |= {line.rule.partition(":")[2] for result in state.results for line in result.lines if line.points}
    return found


@pytest.mark.parametrize("slug", GAMES)
def test_every_rule_that_scores_has_words_where_there_are_several(slug):
    found = rules_that_score(engines.get(slug), Random(1))
    assert len(found) > 1
    assert found <= WORDS.keys()


PLAYED_OUT = [game.slug for game in engines.GAMES if isinstance(bot(game.slug, "strong"), PlaysOut)]


@pytest.mark.parametrize("slug", PLAYED_OUT)
def test_every_part_of_what_the_coach_expects_has_words(slug):
    game, player, rng = engines.get(slug), bot(slug, "strong"), Random(2)
    state, found = game.start([game.deck(game.read_options(None, game.seats[0]))] * 9, seats=game.seats[0]), set()
    for _ in range(30):
        seat = state.to_act[0]
        move = rng.choice(list(state.legal_moves(seat)))
        found |= player.lead_by_rule(state, move).keys()
        state.play(seat, move)
    assert len(found) > 2
    assert {rule.removeprefix(f"{slug}:") for rule in found} <= WORDS.keys()


def test_a_loss_is_made_of_its_large_parts_the_largest_first():
    lost = {"casino:score-cards": 0.6, "casino:sweep": -2.0, "casino:score-aces": 3.4, "casino:score-big": 0.2}
    assert made_of(lost, 2.2) == [("aces", 3.4), ("sweeps", -2.0), ("most cards", 0.6)]


def test_rules_with_the_same_words_are_one_part():
    lost = {"cuarenta:count-twenty": 1.0, "cuarenta:count-neither": 0.5, "cuarenta:caida": 1.0}
    assert made_of(lost, 2.5) == [("the count of cards", 1.5), ("caídas", 1.0)]


def test_a_loss_from_one_source_needs_no_parts():
    assert made_of({"gin-rummy:score-knock": 7.0}, 7.0) == []
    assert made_of({"krambambuli:card-count": 7.0}, 7.0) == []
