"""The show at the end of a hand of Gin Rummy, stage by stage: sentence | cards | zone to which they go | points."""

from random import Random

import pytest

from games.core.cards import pack
from games.core.contract import HandEnd
from games.core.deals import numbered_decks
from games.core.shows import end_of_hand
from games.engines.gin_rummy.game import GIN_RUMMY
from games.engines.gin_rummy.moves import BigGin, Knock
from tests.hand_ends import check_cards, end_after, stages_of, zones_of

KNOCKER = "5H 6H 7H TC TD TS 2C 3D 4S AC QC"
KNOCK = "K QC: 5H-6H-7H TC+TD+TS"
DEFENDER = "4H 8H 9H TH KC KD KS 2D 6S 9C"
GIN = "5H 6H 7H TC TD TS 2C 3C 4C 5C JD"
GO_GIN = "K JD: 5H-6H-7H TC+TD+TS 2C-3C-4C-5C"


def gin_end(*moves: str, hand: str = KNOCKER, other: str = DEFENDER, **position) -> HandEnd:
    """The end of a hand in which seat 0 has drawn and plays the first of these moves."""
    position = {"phase": "discard", "to_move": 0, **position}
    return end_after(GIN_RUMMY, GIN_RUMMY.load({"hands": [hand, other], **position}), *moves)


def stages(end: HandEnd, viewer: int | None = None) -> list[str]:
    return stages_of(GIN_RUMMY.show(end), viewer)


def zones(end: HandEnd) -> dict[str, str]:
    return zones_of(GIN_RUMMY.show(end))


def rules(end: HandEnd) -> list[str]:
    return [stage.rule.removeprefix("gin-rummy:") for stage in GIN_RUMMY.show(end).stages]


def test_a_knock_lays_melds_open_and_takes_lay_offs():
    end = gin_end(KNOCK, scores=[10, 20], discards="3C")
    assert GIN_RUMMY.show(end).scores == (10, 20)
    assert zones(end) == {
        "hand:0": "AC 2C 3D 4S",
        "hand:1": "2D 4H 6S 8H 9C 9H TH KC KD KS",
        "meld:1": "5H 6H 7H",
        "meld:2": "TC TD TS",
        "stock": "30 hidden",
        "discards": "QC 1 hidden",
    }
    assert stages(end) == [
        "Ada knocks with 10. | QC |  | ",
        "Ada melds 5H 6H 7H. | 5H 6H 7H |  | ",
        "Ada melds TC TD TS. | TC TD TS |  | ",
        "Ada counts 10 points of deadwood: AC 2C 3D 4S. | AC 2C 3D 4S |  | ",
        "Ben melds 8H 9H TH. | 8H 9H TH | meld:3 | ",
        "Ben melds KC KD KS. | KC KD KS | meld:4 | ",
        "Ben lays 4H off on 5H 6H 7H. | 4H | meld:1 | ",
        "Ben counts 17 points of deadwood: 2D 6S 9C. | 2D 6S 9C |  | ",
        "Ada scores 7: 17 less 10. |  |  | 7 0",
    ]
    assert rules(end) == [
        "knock-limit",
        "",
        "",
        "deadwood",
        "",
        "",
        "layoff",
        "deadwood",
        "score-knock",
    ]


def test_the_players_read_of_themselves_as_you():
    end = gin_end(KNOCK)
    assert stages(end, viewer=0)[:2] == [
        "You knock with 10. | QC |  | ",
        "You meld 5H 6H 7H. | 5H 6H 7H |  | ",
    ]
    assert stages(end, viewer=1)[-3:] == [
        "You lay 4H off on 5H 6H 7H. | 4H | meld:1 | ",
        "You count 17 points of deadwood: 2D 6S 9C. | 2D 6S 9C |  | ",
        "Ada scores 7: 17 less 10. |  |  | 7 0",
    ]


def test_gin_takes_no_lay_offs_and_scores_its_bonus():
    end = gin_end(GO_GIN, hand=GIN, other="4H 8H KC KD KS 2D 6S 9C 9D TH")
    assert stages(end) == [
        "Ada goes gin. | JD |  | ",
        "Ada melds 2C 3C 4C 5C. | 2C 3C 4C 5C |  | ",
        "Ada melds 5H 6H 7H. | 5H 6H 7H |  | ",
        "Ada melds TC TD TS. | TC TD TS |  | ",
        "Ben melds KC KD KS. | KC KD KS | meld:4 | ",
        "Ben counts 48 points of deadwood: 2D 4H 6S 8H 9C 9D TH. | 2D 4H 6S 8H 9C 9D TH |  | ",
        "Ada scores 48: deadwood of the other hand. |  |  | 48 0",
        "Ada scores 20: gin bonus. |  |  | 20 0",
    ]
    assert rules(end)[-2:] == [
        "score-gin",
        "score-gin",
    ]


def test_big_gin_ends_a_hand_without_a_discard():
    end = gin_end(
        "B: 5H-6H-7H TC+TD+TS 2C-3C-4C-5C-6C",
        hand="5H 6H 7H TC TD TS 2C 3C 4C 5C 6C",
        options={"big_gin": 31},
        discards="9S",
    )
    assert stages(end) == [
        "Ada goes big gin. |  |  | ",
        "Ada melds 2C 3C 4C 5C 6C. | 2C 3C 4C 5C 6C |  | ",
        "Ada melds 5H 6H 7H. | 5H 6H 7H |  | ",
        "Ada melds TC TD TS. | TC TD TS |  | ",
        "Ben melds 8H 9H TH. | 8H 9H TH | meld:4 | ",
        "Ben melds KC KD KS. | KC KD KS | meld:5 | ",
        "Ben counts 21 points of deadwood: 2D 4H 6S 9C. | 2D 4H 6S 9C |  | ",
        "Ada scores 21: deadwood of the other hand. |  |  | 21 0",
        "Ada scores 31: big gin bonus. |  |  | 31 0",
    ]
    assert zones(end)["discards"] == "9S"


def test_gin_against_a_hand_without_deadwood_scores_the_bonus_alone():
    end = gin_end(GO_GIN, hand=GIN, other="8H 9H TH JH KC KD KS 2D 2H 2S")
    assert stages(end)[-2:] == [
        "Ben counts no deadwood. |  |  | ",
        "Ada scores 20: gin bonus. |  |  | 20 0",
    ]


def test_an_undercut_scores_the_difference_and_its_bonus():
    end = gin_end(KNOCK, other="4H 8H 9H TH KC KD KS 2D 2H 2S")
    assert stages(end)[-5:] == [
        "Ben lays 4H off on 5H 6H 7H. | 4H | meld:1 | ",
        "Ben counts no deadwood. |  |  | ",
        "Ben undercuts the knock with 0 against 10. |  |  | ",
        "Ben scores 10: 10 less 0. |  |  | 0 10",
        "Ben scores 10: undercut bonus. |  |  | 0 10",
    ]


def test_equal_deadwood_undercuts_or_scores_nothing():
    hand, other = "5H 6H 7H TC TD TS 2C 3D AC AD QC", "9C 9D 9S JC JD JS 7S 2D 2H 2S"
    assert stages(gin_end(KNOCK, hand=hand, other=other))[-3:] == [
        "Ben counts 7 points of deadwood: 7S. | 7S |  | ",
        "Ben undercuts the knock with 7 against 7. |  |  | ",
        "Ben scores 10: undercut bonus. |  |  | 0 10",
    ]
    end = gin_end(KNOCK, hand=hand, other=other, options={"undercut_on_tie": False})
    assert stages(end)[-2:] == [
        "Ben counts 7 points of deadwood: 7S. | 7S |  | ",
        "Both have the same deadwood, so no one scores. |  |  | ",
    ]


def test_a_spade_doubles_the_hand():
    end = gin_end(
        GO_GIN,
        hand=GIN,
        other="4H 8H KC KD KS 2D 6S 9C 9D TH",
        options={"oklahoma": True, "oklahoma_spades": True},
        doubled=True,
        scores=[50, 0],
    )
    assert stages(end)[-4:] == [
        "Ada scores 48: deadwood of the other hand. |  |  | 48 0",
        "Ada scores 20: gin bonus. |  |  | 20 0",
        "Ada scores 68: doubled, because the first upcard was a spade. |  |  | 68 0",
        "Ada reaches the target of 100. |  |  | ",
    ]


def test_a_defender_who_melds_by_hand_is_shown_as_they_played():
    end = gin_end(KNOCK, "S: KC+KD+KS / 8H>1", options={"defence": "manual", "review_discards": True}, discards="3C 9S")
    assert zones(end) == {
        "hand:0": "AC 2C 3D 4S",
        "hand:1": "2D 4H 6S 8H 9C 9H TH KC KD KS",
        "meld:1": "5H 6H 7H",
        "meld:2": "TC TD TS",
        "stock": "29 hidden",
        "discards": "3C 9S QC",
    }
    assert stages(end) == [
        "Ada knocks with 10. | QC |  | ",
        "Ada melds 5H 6H 7H. | 5H 6H 7H |  | ",
        "Ada melds TC TD TS. | TC TD TS |  | ",
        "Ada counts 10 points of deadwood: AC 2C 3D 4S. | AC 2C 3D 4S |  | ",
        "Ben melds KC KD KS. | KC KD KS | meld:3 | ",
        "Ben lays 8H off on 5H 6H 7H. | 8H | meld:1 | ",
        "Ben counts 40 points of deadwood: 2D 4H 6S 9C 9H TH. | 2D 4H 6S 9C 9H TH |  | ",
        "Ada scores 30: 40 less 10. |  |  | 30 0",
    ]


def test_a_dead_hand_shows_the_last_discard_and_no_hand():
    end = gin_end("X QC", stock="AD AH", discards="3C")
    assert zones(end) == {
        "hand:0": "10 hidden",
        "hand:1": "10 hidden",
        "stock": "2 hidden",
        "discards": "QC 1 hidden",
    }
    assert stages(end) == [
        "Ada discards QC. | QC |  | ",
        "Only two cards are left in the stock, so the hand is dead and no one scores. |  |  | ",
    ]
    assert stages(gin_end("X QC", stock="AD AH", dead_hands=4, hands_played=4))[-1:] == [
        "Five hands in a row were dead, so the game ends. |  |  | "
    ]


@pytest.mark.parametrize("options", [{}, {"defence": "manual", "review_discards": True}, {"big_gin": 31, "target": 50}])
def test_every_card_lies_in_one_zone(options):
    rng, state = Random(3), GIN_RUMMY.start(numbered_decks(pack(), 3), options=options)
    knocks = 0
    while state.to_act:
        before, seat = state.copy(), state.to_act[0]
        moves = state.legal_moves(seat)
        knock = [move for move in moves if isinstance(move, Knock | BigGin)]
        move = rng.choice(knock or moves)
        state.play(seat, move)
        if len(state.results) > len(before.results):
            knocks += bool(state.results[-1].zones)
            check_cards(GIN_RUMMY, end_of_hand(before, seat, move))
    assert knocks
