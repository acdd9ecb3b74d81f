"""The show at the end of a game of Advantage, sentence | cards | zone to which they go | points."""

import pytest

from games.core.contract import HandEnd
from games.engines.advantage.game import ADVANTAGE
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of

LAST_DROP = {"piles": ["KD", "7H", "6H"], "hands": ["KS 3C", "4S 9C"], "stock": ""}


def end_of(*moves: str, **position) -> HandEnd:
    return end_after(ADVANTAGE, ADVANTAGE.load(position), *moves)


def test_a_game_ends_by_itself_after_the_last_drop():
    end = end_of("D KS>1", **LAST_DROP, pairs=["8C8H 2C2H", "5C5H"])
    show = ADVANTAGE.show(end)
    assert show.scores == (2, 1)
    assert zones_of(show) == {
        "hand:0": "3C",
        "hand:1": "4S 9C",
        "pile:1": "KD KS",
        "pile:2": "7H",
        "pile:3": "6H",
        "pairs:0": "8C 8H 2C 2H",
        "pairs:1": "5C 5H",
    }
    assert stages_of(show) == [
        "Ada drops KS on pile 1. | KS |  | ",
        "Ben ends the game: no card can be dropped and the stock is empty. |  |  | ",
        "Ada counts 2 pairs. | 8C 8H 2C 2H |  | ",
        "Ben counts 1 pair. | 5C 5H |  | ",
        "Ada wins 2 pairs to 1. |  |  | ",
    ]


def test_the_last_pair_counts_before_all_are_counted():
    end = end_of(
        "P 4C4D",
        phase="pair",
        to_move=1,
        traded=[True, True],
        piles=["JD", "6S", "AH"],
        hands=["9S", "4C 4D"],
        stock="",
        pairs=["8C8H", "5C5H"],
    )
    assert stages_of(ADVANTAGE.show(end), viewer=1) == [
        "You lay 4C 4D aside. | 4C 4D |  | 0 1",
        "You end the game: a hand and the stock are empty. |  |  | ",
        "Ada counts 1 pair. | 8C 8H |  | ",
        "You count 2 pairs. | 5C 5H 4C 4D |  | ",
        "You win 2 pairs to 1. |  |  | ",
    ]


def test_a_four_of_a_kind_decides_a_tie():
    end = end_of("D KS>1", **LAST_DROP, pairs=["8C8H 2C2H", "5C5H 5D5S"])
    assert stages_of(ADVANTAGE.show(end)) == [
        "Ada drops KS on pile 1. | KS |  | ",
        "Ben ends the game: no card can be dropped and the stock is empty. |  |  | ",
        "Ada counts 2 pairs. | 8C 8H 2C 2H |  | ",
        "Ben counts 2 pairs. | 5C 5H 5D 5S |  | ",
        "Both have 2 pairs. Ben wins with all four fives. | 5C 5H 5D 5S |  | ",
    ]


def test_a_tie_without_fours_may_be_a_drawn_game():
    end = end_of("D KS>1", options={"dead_tie": "shared"}, **LAST_DROP, pairs=["8C8H", "5C5H"])
    assert stages_of(ADVANTAGE.show(end)) == [
        "Ada drops KS on pile 1. | KS |  | ",
        "Ben ends the game: no card can be dropped and the stock is empty. |  |  | ",
        "Ada counts 1 pair. | 8C 8H |  | ",
        "Ben counts 1 pair. | 5C 5H |  | ",
        "Both have 1 pair, and no four of a kind decides: a draw. |  |  | ",
    ]


@pytest.mark.parametrize("options", [{}, {"draws": "open", "out_by_pairing": "at_once"}])
def test_each_card_lies_in_one_zone_of_the_show(options: dict):
    for seed in range(6):
        for end in random_ends(ADVANTAGE, 2, hands=1, options=options, seed=seed):
            check_cards(ADVANTAGE, end)
