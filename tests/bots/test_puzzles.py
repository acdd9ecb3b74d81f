"""The puzzle finder: what it takes for a position, and what it drops."""

from collections import Counter
from itertools import count

import pytest

from games import engines
from games.bots import puzzles
from games.bots.puzzles import Search, find_puzzles, played_by_bots, share_missed

# The last tricks of a hand of Sixty-Six, all cards known: only the ten of hearts wins the hand, and club bots do not
# see it.
ONLY_THE_TEN_WINS = {
    "hands": ["TH JS QD TS", "JD 9D 9H AH"],
    "upcard": None,
    "trump": "C",
    "stock": "",
    "to_move": 0,
    "won": ["KC JC AC 9C AS KS QC TC", "KD QH JH 9S KH QS AD TD"],
    "points": [45, 37],
    "tricks": [4, 4],
}
# Here every card loses the hand, and club and strong bots choose different ones.
ALL_THE_SAME = {
    **ONLY_THE_TEN_WINS,
    "hands": ["9H QD JH AS", "9C JS KH TH"],
    "won": ["QH AC JD TS QC KD QS 9S", "KS KC TC AD JC AH 9D TD"],
    "points": [36, 52],
}
KNOCK_AT_ONCE = {
    "hands": ["AH AS 2H 4C 4D 4H 5D 5H 5S 6C 8H", "2C 2D 6S 7S 9C 9D JC JD KH KC"],
    "phase": "discard",
    "to_move": 0,
}
# Beginners let the knock go by, and the stock is all but drawn.
LAST_CHANCE_TO_KNOCK = {
    "hands": ["2H 2S 3C 3S 5C 5D 5S 6C 6D 6H 8H", "2C 2D 6S 7S 9C 9D JC JD KH KC"],
    "phase": "discard",
    "to_move": 0,
    "stock_count": 4,
}
# From a game of club bots: the trump jack looks best in the first worlds, which more worlds do not confirm.
CLEAR_AT_FIRST = {
    "hands": ["TC JC QD TH QH AS", "AC QC 9C AD KD QS"],
    "upcard": "KC",
    "trump": "C",
    "stock": "KH 9D AH",
    "to_move": 0,
    "won": ["JH 9H JD TD KS 9S", "JS TS"],
    "points": [18, 12],
    "tricks": [3, 1],
}


def search(slug, position, *, seat=0, clock=lambda: 0.0):
    game = engines.get(slug)
    return Search(game, game.load(position), seat, seed="a", clock=clock, until=1.0)


def test_a_forced_win_that_club_bots_miss_is_a_puzzle():
    found = search("sixty-six", ONLY_THE_TEN_WINS).puzzle()
    assert [str(move) for move in found.best] == ["TH"]
    assert {str(value.move): value.behind for value in found.values} == {"QD": 2, "TS": 2, "JS": 2, "66": 3}
    assert (found.gain, found.checks[0].error) == (2, 0)
    assert share_missed(found.chosen["club"], found.best) == 1
    assert share_missed(found.chosen["strong"], found.best) == 0
    assert found.reason.text.startswith("TH ")


def test_a_position_with_equal_moves_is_none():
    position = search("sixty-six", ALL_THE_SAME)
    chosen = {level: position._choices(level, 4) for level in ("club", "first-steps")}
    assert position._is_missed(chosen, list(position._choices("strong", 1)))  # so it is not dropped for that
    assert position.puzzle() is None


def test_what_weak_bots_see_is_none():
    """The same position twice: as club bots play it, and as if they saw the move."""
    position = search("sixty-six", ONLY_THE_TEN_WINS)
    ((best, _),) = position._choices("strong", 1).most_common(1)
    missed = {level: position._choices(level, 4) for level in ("club", "first-steps")}
    seen = {level: Counter({best: 4}) for level in missed}
    assert position._checked(0, {**missed, "strong": Counter([best])}, best) is not None
    assert position._checked(0, {**seen, "strong": Counter([best])}, best) is None


def test_both_checks_use_other_worlds_and_are_clear_of_the_margin_with_their_intervals():
    found = search("gin-rummy", LAST_CHANCE_TO_KNOCK).puzzle()
    assert str(found.best[0]).startswith("K ")
    first, second = found.checks
    assert first.seed != second.seed and first.gain != second.gain
    assert all(check.gain - check.error > puzzles.LEAST_POINTS for check in found.checks)
    assert all(check.worlds >= puzzles.FEWEST_WORLDS for check in found.checks)
    assert found.gain == min(first.gain, second.gain)


def test_a_puzzle_that_the_second_check_does_not_confirm_is_dropped():
    found = search("sixty-six", CLEAR_AT_FIRST)
    first, second = found._rollouts("first"), found._rollouts("second")
    jack = found.game.parse("JC")
    assert list(found._choices("strong", 4)) == [jack] and share_missed(found._choices("club", 8), [jack]) > 0.5
    assert found._first_check(first, [jack]) == [jack]
    for _ in range(puzzles.MORE_WORLDS * first.worlds):
        second.add(first.outcomes)
    assert found._leaders(second) != [jack]
    assert found.puzzle() is None


def test_a_position_that_takes_too_long_is_dropped():
    ticks = count()
    assert search("gin-rummy", LAST_CHANCE_TO_KNOCK, clock=lambda: next(ticks)).puzzle() is None
    assert next(ticks) < 5


def test_the_same_seed_finds_the_same():
    first, second = (search("gin-rummy", LAST_CHANCE_TO_KNOCK).puzzle() for _ in range(2))
    assert (first.checks, first.values, first.difficulty) == (second.checks, second.values, second.difficulty)


def test_moves_that_only_beginners_miss_make_an_easier_puzzle():
    hard = search("sixty-six", ONLY_THE_TEN_WINS)
    chosen = {level: hard._choices(level, 8) for level in ("first-steps", "club", "strong")}
    chosen["club"] = chosen["strong"]
    (favourite,) = chosen["strong"]
    easier = hard._checked(0, chosen, favourite)
    assert easier.difficulty == search("sixty-six", ONLY_THE_TEN_WINS).puzzle().difficulty - puzzles.CLUB_MISSES


def test_the_search_of_a_game_ends_with_its_time():
    record = played_by_bots(engines.get("sixty-six"), seats=2, seed="a")
    assert list(find_puzzles(record, seed="a", clock=lambda: 2.0, until=1.0)) == []


@pytest.mark.parametrize("slug", ["casino", "gin-rummy", "four-hand-cuarenta"])
def test_a_record_of_club_bots_can_be_replayed(slug):
    game = engines.get(slug)
    record = played_by_bots(game, seats=game.seats[0], seed="a")
    state = record.start.copy()
    for seat, move in record.moves:
        state.play(seat, move)
    assert state.outcome() is not None
