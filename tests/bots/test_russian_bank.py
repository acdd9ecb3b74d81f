"""What the house bots of Russian Bank see and miss."""

from random import Random

import pytest

from games.bots import bot
from games.bots.matches import compare
from games.bots.rollouts import lead_of_scored
from games.bots.russian_bank import LEVELS, Strong, playout, standing
from games.core.deals import numbered_decks
from games.engines.russian_bank.game import RUSSIAN_BANK
from games.engines.russian_bank.moves import PACK, Phase
from games.engines.russian_bank.state import RussianBankState
from tests.engines.states import play

DULL = "2C1 / 2S1 / 4C1 / 4S1"
MISSED = {
    "options": {"mode": "casual"},
    "foundations": "2C",
    "stock": {0: ["KD1", 2], 1: ["KH2", 2]},
    "reserve": {0: ["9S1", 4]},
    "tableau": {0: "3C1 / 5S1 / 2D1 / 2H1"},
}


def table(**position) -> RussianBankState:
    return RUSSIAN_BANK.load(position)


def choices(level: str, state: RussianBankState, tries: int = 20) -> set[str]:
    view = state.view(state.to_act[0])
    return {str(bot("russian-bank", level).choose(view, Random(seed))) for seed in range(tries)}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("options", [{}, {"mode": "casual"}, {"shared_tableau": True, "vacancy": "stock_first"}])
def test_every_level_plays_legal_moves_at_every_table(level, options):
    state, rng = RUSSIAN_BANK.start(numbered_decks(PACK, 5), options=options), Random(5)
    player = LEVELS[level]
    if isinstance(player, Strong):
        player = Strong()
        player.effort = 200
    for _ in range(120):
        if not state.to_act:
            break
        seat = state.to_act[0]
        move = player.choose(state.view(seat), rng)
        assert move in state.legal_moves(seat)
        state.play(seat, move)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_answers_the_same_for_the_same_generator(level):
    state = RUSSIAN_BANK.start(numbered_decks(PACK, 8))
    assert choices(level, state, 1) == choices(level, state, 1)


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_load_what_they_can(level):
    state = table(turned="9C1", stock={0: ["KD1", 4], 1: ["KH2", 4]}, waste={1: "TC2"}, tableau={0: DULL})
    assert choices(level, state, 3) == {"R>OW 9C1"}


@pytest.mark.parametrize("level", ["club", "strong"])
def test_better_levels_fill_a_vacancy_from_the_stock_before_they_turn(level):
    state = table(stock={0: ["KD1", 6], 1: 6}, tableau={0: "2C1 / / 4C1 / 4S1"})
    assert choices(level, state, 3) == {"S>2 KD1"}


def test_club_does_not_move_cards_to_no_purpose():
    state = table(stock={0: ["KD1", 6], 1: 6}, tableau={0: "7S1 6H1 / 7C1 / 2C1 / 2S1"})
    assert choices("club", state) == {"T"}
    assert choices("first-steps", state) == {"T", "1>2 6H1"}


def test_beginners_miss_priorities_and_errors_that_others_see():
    position = table(**MISSED)
    assert choices("strong", position) == {"1>F 3C1"}
    assert choices("first-steps", position) > {"1>F 3C1"}
    wrong = play(position, "T", "R>W 9S1")
    assert wrong.phase is Phase.SHIFT
    assert choices("strong", wrong) == {"STOP"}
    assert choices("first-steps", wrong) == {"STOP", "GO"}


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_calls_stop_without_an_error(level):
    right = play(table(**MISSED), "1>F 3C1", "T", "R>1 9S1", "T")
    right = play(right, *[str(move) for move in right.legal_moves(0) if "R>W" in str(move)])
    assert right.phase is Phase.SHIFT
    assert choices(level, right) == {"GO"}


def test_a_playout_counts_what_the_winner_scores():
    state = table(reserve={0: [], 1: 11}, turned="TD1", tableau={0: "JS1 / 2C1 / 2S1 / 4C1"}, stock={1: 4})
    assert playout(state, RUSSIAN_BANK.parse("R>1"), steps=5) == {"russian-bank:score-out": 30 + 8 + 11}


def test_the_lead_counts_cards_left_and_vacancies():
    state = table(stock={0: 2, 1: 4}, reserve={0: 5, 1: 5}, tableau={0: "2C1", 1: "2C2 / 2S2"})
    lead = {"russian-bank:stock-turn-up": 2 * 2, "russian-bank:reserve-turn": 0, "russian-bank:vacancy-fill": 1.5}
    assert lead_of_scored(standing(state), 0) == lead
    assert lead_of_scored(standing(state), 1) == {rule: -points for rule, points in lead.items()}


def test_club_beats_first_steps():
    found = compare(RUSSIAN_BANK, LEVELS["club"], LEVELS["first-steps"], seats=2, matches=15, seed=2)
    assert found.mean > 0.6
