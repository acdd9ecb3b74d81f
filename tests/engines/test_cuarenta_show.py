"""The show at the end of a hand of Cuarenta, for two and four: sentence | cards | zone to which they go | points."""

from dataclasses import replace

import pytest

from games.core.contract import HandEnd
from games.engines.cuarenta.game import CUARENTA
from games.engines.cuarenta.moves import PACK
from games.engines.four_hand_cuarenta import FOUR_HAND_CUARENTA
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of

CAUGHT = {"rondas": {1: "4H 6H QH"}, "falls": [[0, 1, "4H"]], "captured": ["4H 4S", "2C"]}


def end_of(*moves: str, **position) -> HandEnd:
    return end_after(CUARENTA, CUARENTA.load(position), *moves)


def deck_of(*first: str) -> list[list[str]]:
    """A deck that begins with these cards."""
    cards = " ".join(first).split()
    return [[*cards, *(card for card in PACK if card not in cards)]]


def test_the_pot_is_left_to_nobody_and_the_cards_are_counted():
    end = end_of("7D", to_move=0, hands={0: "7D"}, pot="KC 2H", captured=["AS AC", "5D"], scores=[12, 20])
    show = CUARENTA.show(end)
    assert show.scores == (12, 20)
    assert zones_of(show) == {"pot": "KC 2H 7D", "pile:0": "AC AS", "pile:1": "5D"}
    assert stages_of(show) == [
        "Ada lays 7D. | 7D |  | ",
        "Nobody gets what is left in the pot: KC 2H 7D. | KC 2H 7D |  | ",
        "Ada scores 2 for cards: 2 against 1. | AC AS |  | 2 0",
    ]


def test_twenty_cards_score_six_and_a_point_for_two_more():
    end = end_of("7D", to_move=0, hands={0: "7D"}, captured=[15, 24])
    count = stages_of(CUARENTA.show(end))[-1]
    assert count.startswith("Ben scores 8 for cards: 24 against 15 (6 for twenty, 2 for 4 more).")
    assert count.endswith(" KS |  | 0 8")


def test_a_caida_and_limpia_that_reach_forty_end_the_game_before_any_count():
    end = end_of(
        "5Cx5D",
        to_move=1,
        hands={0: "7D", 1: "5C"},
        stock="AC 2C",
        pot="5D",
        last_play=[0, "5D"],
        captured=["", "QC QD"],
        scores=[39, 37],
    )
    assert zones_of(CUARENTA.show(end)) == {"hand:0": "1 hidden", "stock": "2 hidden", "pile:1": "5C 5D QC QD"}
    assert stages_of(CUARENTA.show(end), viewer=1) == [
        "You take 5D with 5C. | 5D 5C |  | ",
        "You score 2 for a caída. |  |  | 0 2",
        "You score 2 for a limpia. |  |  | 0 2",
        "You win the game. |  |  | ",
    ]


def test_a_ronda_declared_after_the_last_card_is_followed_by_the_count():
    end = end_of("KS", "R:4H", to_move=0, hands={0: "KS"}, **CAUGHT)
    assert stages_of(CUARENTA.show(end)) == [
        "Ada declares 4H a ronda card. | 4H |  | ",
        "Ada scores 10 for catching a ronda. |  |  | 10 0",
        "Nobody gets what is left in the pot: KS. | KS |  | ",
        "Ada scores 2 for cards: 2 against 1. | 4H 4S |  | 2 0",
    ]


def test_a_ronda_that_the_table_books_is_said_too():
    end = end_of("KSxKC", options={"ronda_claim": "auto"}, to_move=0, hands={0: "KS"}, pot="KC", **CAUGHT)
    assert stages_of(CUARENTA.show(end)) == [
        "Ada takes KC with KS. | KC KS |  | ",
        "Ada scores 2 for a limpia. |  |  | 2 0",
        "Ada scores 10 for catching a ronda. |  |  | 10 0",
        "Ada scores 2 for cards: 4 against 1. | 4H 4S KC KS |  | 2 0",
    ]


def test_overlooked_cards_are_claimed_before_the_count():
    end = end_of("5Cx5D", "O:6D", to_move=1, hands={1: "5C"}, pot="5D 6D KC", captured=["AC", ""])
    assert stages_of(CUARENTA.show(end)) == [
        "Ada claims 6D. | 6D |  | ",
        "Nobody gets what is left in the pot: KC. | KC |  | ",
        "Ben scores 2 for cards: 2 against 2, as the side that did not deal. | 5C 5D |  | 0 2",
    ]


def test_partners_count_together_and_the_last_capturer_takes_the_pot():
    end = end_after(
        FOUR_HAND_CUARENTA,
        FOUR_HAND_CUARENTA.load(
            {
                "options": {"residue": "last"},
                "to_move": 2,
                "hands": {2: "7D"},
                "pot": "KC",
                "captured": ["AC", "2C 2D"],
                "last_capturer": 0,
            }
        ),
        "7D",
    )
    assert stages_of(FOUR_HAND_CUARENTA.show(end), viewer=2) == [
        "You lay 7D. | 7D |  | ",
        "Ada takes what is left in the pot: KC 7D. | KC 7D | pile:0 | ",
        "You and Ada score 2 for cards: 3 against 2. | AC 7D KC |  | 2 0 2 0",
    ]


def test_from_38_points_on_the_count_may_score_nothing():
    end = end_of("7D", options={"at_38": "only-caida"}, to_move=0, hands={0: "7D"}, captured=["AC", ""], scores=[38, 9])
    assert stages_of(CUARENTA.show(end)) == [
        "Ada lays 7D. | 7D |  | ",
        "Nobody gets what is left in the pot: 7D. | 7D |  | ",
        "Cards: 1 against 0, but now only caídas score. |  |  | ",
    ]


def test_the_next_game_of_a_match_begins_without_points():
    end = end_of("7D", options={"match": "best-of-3"}, to_move=0, hands={0: "7D"}, captured=["AC", ""], scores=[38, 9])
    assert stages_of(CUARENTA.show(end)) == [
        "Ada lays 7D. | 7D |  | ",
        "Nobody gets what is left in the pot: 7D. | 7D |  | ",
        "Ada scores 2 for cards: 1 against 0. | AC |  | 2 0",
        "Ada wins the game. |  |  | ",
        "The next game starts at 0. |  |  | -40 -9",
    ]


COUNT = [
    "Ada lays 7D. | 7D |  | ",
    "Nobody gets what is left in the pot: 7D. | 7D |  | ",
    "Ada scores 2 for cards: 1 against 0. | AC |  | 2 0",
]


def dealt_after_the_count(*deck: str, game=CUARENTA, **more) -> HandEnd:
    """The end of a hand after which these cards are dealt."""
    position = {"to_move": 0, "hands": {0: "7D"}, "captured": ["AC", ""], **more}
    return end_after(game, game.load(position, deck_of(*deck) * 2), "7D")


def test_a_ronda_of_the_next_hand_belongs_to_that_hand():
    end = dealt_after_the_count("2C AH JS 3D KC", "4H 5H 6H KD AS")
    assert stages_of(CUARENTA.show(end)) == COUNT
    assert end.after.scores == [2, 4]


def test_four_of_a_kind_in_the_next_hand_win_at_once():
    end = dealt_after_the_count("2C 2H 2S 2D KC")
    assert stages_of(CUARENTA.show(end)) == COUNT
    assert stages_of(CUARENTA.show(replace(end, further=1))) == [
        "Four of a kind dealt to Ada. | 2C 2D 2H 2S |  | ",
        "Ada wins the game. |  |  | ",
    ]


def test_a_ronda_that_reaches_forty_is_shown_as_a_hand_of_its_own_with_its_cards_open():
    end = dealt_after_the_count("2C AH JS 3D KC", "4H 5H 6H KD AS", scores=[36, 36])
    assert stages_of(CUARENTA.show(end)) == COUNT
    show = CUARENTA.show(replace(end, further=1))
    assert show.scores == (38, 36)
    assert zones_of(show) == {"hand:0": "5 hidden", "hand:1": "4H 5H 6H 2 hidden", "stock": "30 hidden"}
    assert stages_of(show) == ["Ben scores 4 for a ronda. | 4H 5H 6H |  | 0 4", "Ben wins the game. |  |  | "]
    assert end.after.outcome().reason == "@1 reached 40 with the 4 points of a ronda."


def test_partners_win_together_by_a_ronda_of_the_next_hand():
    hands = ("2C AH JS 3D KC", "4H 5H 6H KD AS", "7C 7H 6C QS JD", "4C 4D 5S QD 3S")
    end = dealt_after_the_count(*hands, game=FOUR_HAND_CUARENTA, scores=[36, 36])
    assert stages_of(FOUR_HAND_CUARENTA.show(replace(end, further=1))) == [
        "Ben and Dora score 4 for a ronda. | 4H 5H 6H |  | 0 4 0 4",
        "Ben and Dora win the game. |  |  | ",
    ]


def test_the_next_game_of_a_match_shows_none_of_its_cards_beside_the_ronda_that_won_the_last_one():
    hands = ("2C AH JS 3D KC", "4H 5H 6H KD AS")
    end = dealt_after_the_count(*hands, scores=[36, 36], options={"match": "best-of-3"})
    show = CUARENTA.show(replace(end, further=1))
    assert zones_of(show) == {"hand:1": "4H 5H 6H", "stock": "27 hidden"}
    assert stages_of(show)[1:] == ["Ben wins the game. |  |  | ", "The next game starts at 0. |  |  | -38 -40"]


def test_a_ronda_of_a_later_deal_that_reaches_forty_is_laid_open_on_the_table_as_it_lies():
    end = end_of(
        *["7D"],
        options={"announce": "every"},
        to_move=0,
        hands={0: "7D"},
        stock="4H 5H 6H KD AS 2C AH JS 3D KC QC QD",
        captured=["AC", ""],
        scores=[30, 36],
    )
    show = CUARENTA.show(end)
    assert zones_of(show) == {"hand:1": "4H 5H 6H", "stock": "9 hidden", "pot": "7D", "pile:0": "AC"}
    assert stages_of(show)[1:] == ["Ben scores 4 for a ronda. | 4H 5H 6H |  | 0 4", "Ben wins the game. |  |  | "]


@pytest.mark.parametrize("options", [{}, {"preset": "ecuador"}, {"announce": "every", "ronda_claim": "auto"}])
@pytest.mark.parametrize(("game", "seats"), [(CUARENTA, 2), (FOUR_HAND_CUARENTA, 4)], ids=["two", "four"])
def test_each_card_lies_in_one_zone_of_the_show(game, seats: int, options: dict):
    for end in random_ends(game, seats, hands=6, options=options):
        check_cards(game, end)
