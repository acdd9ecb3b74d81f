"""Tree search, as the expert of Sixty-Six uses it."""

from random import Random

import pytest

from games import bots
from games.bots import sixty_six
from games.bots.tree import Node, TreeSearch
from games.core.deals import random_decks
from games.engines.sixty_six.game import SIXTY_SIX
from games.engines.sixty_six.moves import PACK

MARRIAGE_WINS = {
    "to_move": 0,
    "hands": ["KH QH TS 9D", "9S JS AD TC"],
    "upcard": "AH",
    "stock": "9H JD",
    "points": [26, 21],
    "tricks": [2, 1],
    "closed_by": 0,
}


class Last:
    """Chooses the last move of a view."""

    def choose(self, view, rng):
        return view.moves[-1]


def search(tries, **changes):
    return TreeSearch(
        SIXTY_SIX,
        Last(),
        changes.get("moves_of", sixty_six.worth_trying),
        sixty_six.sensible_moves,
        sixty_six.gain_of_hand,
        tries=tries,
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_tree_finds_the_marriage_that_wins_at_once(seed):
    view = SIXTY_SIX.load(MARRIAGE_WINS).view(0)
    assert str(search(60).choose(view, Random(seed))) == "MH"


def test_the_adviser_decides_where_no_move_or_only_one_is_worth_trying():
    view = SIXTY_SIX.load(MARRIAGE_WINS).view(0)
    for moves in ([], view.moves[:1]):
        assert search(10, moves_of=lambda view, moves=moves: moves).choose(view, Random(1)) == view.moves[-1]


def test_a_whole_hand_is_searched_with_legal_moves_to_the_end_of_the_game():
    state = SIXTY_SIX.start(random_decks(PACK, Random(7)), seats=2)
    state.scores = [6, 6]
    rng = Random(2)
    while state.to_act:
        seat = state.to_act[0]
        move = (
            search(30).choose(state.view(seat), rng)
            if seat == 0
            else bots.bot("sixty-six", "club").choose(state.view(seat), rng)
        )
        assert move in state.legal_moves(seat)
        state.play(seat, move)


def test_what_gained_much_or_was_seldom_tried_appeals():
    often, seldom = Node(tried=50, offered=100, gained=25.0), Node(tried=5, offered=100, gained=2.5)
    assert often.appeal(0.0) == seldom.appeal(0.0) == 0.5
    assert seldom.appeal(1.0) > often.appeal(1.0) > 0.5
    assert Node(tried=5, offered=1000, gained=2.5).appeal(1.0) > seldom.appeal(1.0)


def test_only_what_may_be_right_is_tried():
    state = SIXTY_SIX.load({"hands": ["9H KD QD TS JC AC", "9S JS AD TC KH QC"], "upcard": "JH", "to_move": 0})
    assert set(map(str, sixty_six.sensible_moves(state))) == {"9H", "TS", "JC", "AC", "MD", "CL"}
    state = SIXTY_SIX.load(
        {"hands": ["9H KD QD TS JC", "9S JS AD TC KH"], "upcard": "JH", "won": ["KS KC", ""], "to_move": 0}
    )
    assert list(map(str, sixty_six.sensible_moves(state))) == ["X9"]
    state.points[0] = 66
    assert list(map(str, sixty_six.sensible_moves(state))) == ["66"]
