"""The coach: verdicts on known positions, and what strong bots and random play are told in every game."""

from dataclasses import replace
from functools import cache
from itertools import count
from math import ceil
from random import Random

import pytest

from games import bots, engines
from games.bots import coach
from games.bots.coach import NONE, Budget, Choice, Evaluator, choices_of, judge
from games.bots.puzzles import played_by_bots
from games.bots.rollouts import Difference, Rollouts
from tests.bots.test_puzzles import ALL_THE_SAME, KNOCK_AT_ONCE, ONLY_THE_TEN_WINS

SMALL = Budget(glance=2, first=6, most=24, candidates=6)
FULL = Budget()
TINY = Budget(glance=1, first=3, most=12, candidates=3)


def no_clock():
    return 0.0


def verdict(slug, position, text, *, seat=0, budget=FULL, clock=no_clock, until=1.0, evaluator=None):
    game = engines.get(slug)
    view = game.load(position).view(seat)
    choice = Choice(0, 1, view, game.parse(text))
    return judge(game, choice, seed="a", clock=clock, until=until, budget=budget, evaluator=evaluator)


def cribbage(hand, *, dealer):
    """The discard of seat 0 in a game for two; the other hand is any other six cards."""
    pack = engines.get("partnership-cribbage").deck({})
    others = [card for card in pack if card not in hand.split()]
    return {"seats": 2, "hands": [hand, " ".join(others[:6])], "dealer": dealer, "phase": "discard", "to_move": 0}


# Known positions


@pytest.mark.parametrize("text", ["QD", "TS", "JS"])
def test_a_card_that_gives_a_forced_win_away_is_a_mistake(text):
    found = verdict("sixty-six", ONLY_THE_TEN_WINS, text)
    assert found.is_mistake and str(found.best) == "TH"
    assert (found.loss.mean, found.loss.error) == (2, 0)


def test_the_forced_win_itself_is_right():
    found = verdict("sixty-six", ONLY_THE_TEN_WINS, "TH")
    assert not found.is_mistake and found.loss.mean == 0


@pytest.mark.parametrize("text", ["9H", "QD", "JH", "AS"])
def test_where_all_moves_lose_none_is_a_mistake(text):
    assert not verdict("sixty-six", ALL_THE_SAME, text).is_mistake


def test_a_knock_that_is_let_go_by_is_a_mistake():
    found = verdict("gin-rummy", KNOCK_AT_ONCE, "X 8H")
    assert found.is_mistake and str(found.best).startswith("K ")
    assert found.loss.low > coach.LEAST_POINTS and not found.in_percent


LOSES_A_KING = {
    "hands": ["AC AH 3C 4H 5C 9H QC KC KD KH KS", "2D 2H 4C 4D 6D 7D 8D TS JS QS"],
    "phase": "discard",
    "to_move": 0,
    "discards": "5S QH TH",
    "scores": [0, 21],
}


def test_a_loss_is_known_to_half_of_it_where_there_is_time():
    """It was told as "about 17 points" when it lay between 2 and 32."""
    found = verdict("gin-rummy", LOSES_A_KING, "X KH")
    assert found.is_mistake
    assert 2 * found.loss.error <= found.loss.mean or found.worlds == FULL.most


SIX_TRICKS_TO_COME = {
    "hands": ["JC TC AD AS QS JS", "QD 9D JH TH KS 8S"],
    "discards": ["9C 7C KD TD QH", "8C 7D 7S"],
    "drawn": ["JD KC TS TC AD", "9H 8H 9D"],
    "dealer": 1,
    "phase": "play",
    "to_move": 0,
    "leader": 0,
    "said": ["PT:S", "NG", "SQ:KC4", "NG", "ST:J3", "GD"],
    "played": "KH AH AC KC 7H 9S 8H TS 8D JD QC 9H".split(),
    "counted": [{"set": 3, "leads": 2, "wins": 1}, {"point": 6, "sequence": 15, "leads": 4, "wins": 1}],
}


def test_a_winner_of_piquet_is_no_mistake_because_weak_players_would_waste_it():
    """Strong bots that play worlds on to the end get 9 points less for the queen, which loses to the king; club bots,
    which took that king and led into the hand, called the ace a mistake of 6 points."""
    for text in ("AD", "QS"):
        found = verdict("piquet", SIX_TRICKS_TO_COME, text)
        assert found.is_mistake == (text == "QS") and str(found.best) != "QS"


def test_the_lead_at_the_end_of_a_hand_has_no_bonuses_of_the_game():
    """At 95 of 100 points a knock wins the game, and 300 points more at its end."""
    knock = next(move for move in engines.get("gin-rummy").load(KNOCK_AT_ONCE).legal_moves(0) if str(move)[0] == "K")
    found = verdict("gin-rummy", {**KNOCK_AT_ONCE, "scores": [95, 0]}, str(knock))
    assert 95 < found.lead < 200 and found.spread < 100


@pytest.mark.parametrize(
    ("hand", "dealer", "right", "wrong"),
    [
        ("5C 5D 5H JS 2D KC", 1, "D:2D,KC", "D:5C,5D"),  # a pair of fives is worth nine points in the other crib
        ("4C 5D 6H 6S QD KC", 1, "D:QD,KC", "D:5D,6H"),  # a double run stays whole
        ("7C 7D 8H 8S 2D 3C", 0, "D:2D,3C", "D:7C,8H"),  # 2 and 3 are among the best pairs for the own crib
    ],
)
def test_known_discards_at_cribbage(hand, dealer, right, wrong):
    assert not verdict("partnership-cribbage", cribbage(hand, dealer=dealer), right).is_mistake
    found = verdict("partnership-cribbage", cribbage(hand, dealer=dealer), wrong)
    assert found.is_mistake and str(found.best) == right
    assert sum(found.made_of.values()) == pytest.approx(found.loss.mean)
    assert set(found.made_of) > {"partnership-cribbage:show-fifteen", "partnership-cribbage:show-pair"}


THE_LAST_CARD = {"dealer": 0, "to_move": 0, "hands": {0: "TC"}, "loose": "TD KD", "last_capturer": 1}
THE_WAY_OUT = {
    "options": {"mode": "casual"},
    "reserve": {0: [], 1: 11},
    "turned": "TD1",
    "tableau": {0: "JS1 / 2C1 / 2S1 / 4C1"},
    "stock": {1: 4},
}
A_FALL = {"to_move": 0, "hands": {0: "KS 2C"}, "pot": "7D KD", "last_play": [1, "KD"]}
TWO_FIVES = {
    "board": ["-- -- -- -- --", "5H 5S -- JH --", "-- -- JD -- --", "-- -- -- -- --", "-- -- -- -- --"],
    "to_move": "nondealer",
    "card": "5C",
}


@pytest.mark.parametrize(
    ("slug", "position", "text", "part"),
    [
        ("casino", THE_LAST_CARD, "TC", "score-cards"),
        ("royal-casino", THE_LAST_CARD, "TC", "score-cards"),
        ("cuarenta", A_FALL, "2C", "caida"),
        ("four-hand-cuarenta", A_FALL | {"last_play": [3, "KD"]}, "2C", "caida"),
        ("tabletop-cribbage", TWO_FIVES, "5C@e4", "line-pair"),
        ("russian-bank", THE_WAY_OUT, "R>W TD1", "score-out"),
    ],
)
def test_a_playout_says_by_which_rules_a_mistake_loses(slug, position, text, part):
    found = verdict(slug, position, text)
    assert found.is_mistake and not found.in_percent
    assert max(found.made_of, key=found.made_of.__getitem__) == f"{slug}:{part}"
    assert sum(found.made_of.values()) == pytest.approx(found.loss.mean)


def test_aces_are_not_exchanged_at_piquet():
    position = {
        "hands": ["AC AD AH AS KC QC 9D 8D 7H 8H 7S 8S", "KD QD JD TD KH QH JH TH KS QS JS TS"],
        "dealer": 1,
        "phase": "exchange",
        "to_move": 0,
    }
    found = verdict("piquet", position, "EX AC AD AH")
    assert found.is_mistake and not any(ace in str(found.best) for ace in ("AC", "AD", "AH", "AS"))
    assert len(found.values) < 40  # of the hundreds of exchanges


# Honesty


def test_the_loss_is_measured_in_other_worlds_than_those_that_chose_the_best_move():
    """Both are measured once more here, from the seeds of their worlds."""
    found = verdict("gin-rummy", KNOCK_AT_ONCE, "X 8H")
    view, played, plays_on = found.choice.view, found.choice.played, coach.evaluator_of("gin-rummy").plays_on
    assert found.worlds >= 2 * FULL.first

    def losses(name):
        """By number of worlds."""
        rollouts = Rollouts(engines.get("gin-rummy"), view, plays_on, f"a 0 {name}")
        for _ in range(found.worlds):
            rollouts.add([found.best, played])
            yield rollouts.difference(found.best, played)

    measured, glanced = ([*losses(name)] for name in ("measure", "glance"))
    assert measured[-1] == found.loss
    [behind] = [value.behind for value in found.values if value.move == played]
    worlds = [loss.mean for loss in glanced].index(behind)
    assert behind != measured[worlds].mean


def test_a_move_that_the_adviser_makes_too_is_no_mistake():
    """Both bots agree on a bad move: the coach has no second opinion to call it a mistake."""
    game = engines.get("gin-rummy")
    view = game.load(KNOCK_AT_ONCE).view(0)
    advised = bots.bot("gin-rummy", "strong").choose(view, Random("a 0 strong first"))
    found = verdict("gin-rummy", KNOCK_AT_ONCE, str(advised))
    assert found.worlds == 0 and not found.is_mistake


def test_without_an_adviser_the_worlds_alone_decide():
    club = Evaluator(bots.bot("sixty-six", "club"), adviser="")
    found = verdict("sixty-six", ONLY_THE_TEN_WINS, "QD", evaluator=club)
    assert found.is_mistake and set(found.chosen) == set(coach.LEVELS_ASKED)


def test_without_time_there_are_few_worlds_and_no_mistake():
    """Two worlds may agree by chance; the forced win is won in all of them."""
    ticks = count()
    found = verdict("gin-rummy", KNOCK_AT_ONCE, "X 8H", clock=lambda: next(ticks), until=0)
    assert found.worlds == 2
    found = verdict("sixty-six", ONLY_THE_TEN_WINS, "QD", clock=lambda: next(ticks), until=0)
    assert (found.loss.mean, found.loss.error) == (2, 0) and not found.is_mistake


def test_time_is_left_to_measure_the_loss():
    ticks, position = count(), cribbage("5C 5D 5H JS 2D KC", dealer=1)
    found = verdict("partnership-cribbage", position, "D:5C,5D", clock=lambda: next(ticks), until=24)
    assert found.worlds >= coach.FEWEST_WORLDS and found.is_mistake


def test_the_same_seed_gives_the_same_verdict():
    first, second = (verdict("gin-rummy", KNOCK_AT_ONCE, "X 8H", budget=SMALL) for _ in range(2))
    assert first == second


def test_a_first_look_only_says_whether_the_strong_bot_moves_otherwise():
    look = coach.first_look(100)
    wrong, right = (verdict("sixty-six", ONLY_THE_TEN_WINS, text, budget=look) for text in ("QD", "TH"))
    assert right.is_advised and not wrong.is_advised
    assert not wrong.is_mistake and wrong.loss == NONE and wrong.worlds == 0


def test_a_comparison_finds_a_mistake_against_the_strong_bots_move_alone():
    found = verdict("sixty-six", ONLY_THE_TEN_WINS, "QD", budget=coach.COMPARISON)
    assert found.is_mistake and found.loss == Difference(2, 0)
    assert found.best == found.chosen["strong"] and [value.move for value in found.values] == [found.choice.played]


def test_a_comparison_has_worlds_of_its_own():
    """Worlds that made a decision worth a closer look would make it look worse than it is."""
    position = cribbage("5C 5D 5H JS 2D KC", dealer=1)
    budgets = (coach.COMPARISON, replace(coach.COMPARISON, worlds=FULL.worlds))
    ours, same = (verdict("partnership-cribbage", position, "D:5C,5D", budget=budget) for budget in budgets)
    assert ours.best == same.best and ours.loss.mean != same.loss.mean


def test_the_first_look_at_a_long_game_takes_fewer_worlds():
    assert coach.first_look(200).glance == FULL.glance
    assert FULL.glance > coach.first_look(1500).glance > coach.first_look(4000).glance == coach.FEWEST_GLANCED


def test_near_the_end_of_a_game_chances_of_winning_count():
    near_the_end = KNOCK_AT_ONCE | {"scores": [95, 90]}
    found = verdict("gin-rummy", near_the_end, "X 8H")
    assert found.in_percent and 0 < found.loss.mean <= 100


# Every game


LATE = 3
THROUGH_THE_HAND = {  # so many decisions, where the last ones cost nothing
    "advantage": 6,
    "carousel": 13,
    "cuarenta": 12,
    "four-hand-cuarenta": 8,
    "krambambuli": 13,
    "push": 20,
    "royal-casino": 8,
    "rubicon-piquet": 7,
    "russian-bank": 8,
    "sixty-six": 8,
}


@cache
def choices_in_first_hand(game):
    """The decisions of a club bot with a choice."""
    record = played_by_bots(game, seats=game.seats[0], seed="coach")
    return [choice for choice in choices_of(record, 0) if choice.hand == 1 and len(choice.view.moves) > 1]


def judged(game, chosen_by, *, number):
    """Decisions of another player in these positions: the last ones, after which little follows, or all through."""
    known = choices_in_first_hand(game)
    positions = known[-LATE:] if number == LATE else known[:: ceil(len(known) / number)]
    rng = Random("played")
    choices = [replace(choice, played=chosen_by(choice.view, rng)) for choice in positions]
    return [judge(game, choice, seed="b", clock=no_clock, until=1, budget=TINY) for choice in choices]


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_the_strong_bot_is_told_of_no_mistake(game):
    found = judged(game, bots.bot(game.slug, "strong").choose, number=LATE)
    assert found and not any(decision.is_mistake for decision in found)


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_random_play_is_reviewed_as_bad(game):
    number = THROUGH_THE_HAND.get(game.slug, LATE)
    found = judged(game, lambda view, rng: rng.choice(list(view.moves)), number=number)
    assert sum(decision.loss.mean for decision in found) > 0
    assert number == LATE or any(decision.is_mistake for decision in found)
    for decision in found:
        in_points = decision.is_mistake and not decision.in_percent
        assert sum(decision.made_of.values()) == pytest.approx(decision.loss.mean if in_points else 0)
