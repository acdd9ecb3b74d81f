"""The show at the end of a deal of Cribbage, stage by stage: sentence | cards | zone to which they go | points."""

import pytest

from games.core.contract import HandEnd
from games.engines.partnership_cribbage.game import PARTNERSHIP_CRIBBAGE
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of

TWO_PLAYERS = {
    "seats": 2,
    "dealer": 0,
    "starter": "5H",
    "hands": {0: "KS", 1: ""},
    "played": "1:5C 0:TD 1:6D 0:4S 1:4C 0:2C 1:JH",
    "crib": {0: "9C 9D", 1: "3H 7D"},
    "scores": [60, 50],
}
COUNTED_BY_PLAYERS = {
    "seats": 2,
    "dealer": 0,
    "starter": "6S",
    "hands": {0: "4H 5H 5C 6D", 1: "2C 3C TS QD"},
    "crib": {0: "7C 8C", 1: "9C KD"},
}


def cribbage_end(*moves: str, **position) -> HandEnd:
    return end_after(PARTNERSHIP_CRIBBAGE, PARTNERSHIP_CRIBBAGE.load(position), *moves)


def stages(end: HandEnd, viewer: int | None = None) -> list[str]:
    return stages_of(PARTNERSHIP_CRIBBAGE.show(end), viewer)


def rules(end: HandEnd) -> list[str]:
    return [stage.rule.removeprefix("partnership-cribbage:") for stage in PARTNERSHIP_CRIBBAGE.show(end).stages]


def test_after_the_last_card_hands_and_crib_are_counted_aloud():
    end = cribbage_end("KS", **TWO_PLAYERS)
    show = PARTNERSHIP_CRIBBAGE.show(end)
    assert show.scores == (60, 50)
    assert zones_of(show) == {
        "played:0": "TD 4S 2C",
        "played:1": "5C 6D 4C",
        "count": "JH KS",
        "stock": "5H 39 hidden",
        "crib": "3H 7D 9C 9D",
    }
    assert stages(end) == [
        "Ada plays KS: 20 for 1 (the last card). | KS |  | 1 0",
        "Ben shows 4C 5C 6D JH. | 4C 5C 6D JH | hand:1 | ",
        "Fifteen two. | 5C JH |  | 0 2",
        "Fifteen four. | 5H JH |  | 0 2",
        "Fifteen six. | 4C 5C 6D |  | 0 2",
        "Fifteen eight. | 4C 5H 6D |  | 0 2",
        "A pair makes ten. | 5C 5H |  | 0 2",
        "A run of three makes thirteen. | 4C 5C 6D |  | 0 3",
        "A run of three makes sixteen. | 4C 5H 6D |  | 0 3",
        "One for his nob makes seventeen. | 5H JH |  | 0 1",
        "Ada shows 2C 4S TD KS. | 2C 4S TD KS | hand:0 | ",
        "Fifteen two. | 5H TD |  | 2 0",
        "Fifteen four. | 5H KS |  | 2 0",
        "Ada turns up the crib: 3H 7D 9C 9D. | 3H 7D 9C 9D |  | ",
        "Fifteen two. | 3H 5H 7D |  | 2 0",
        "A pair makes four. | 9C 9D |  | 2 0",
    ]
    assert rules(end) == [
        "last-card",
        "",
        "show-fifteen",
        "show-fifteen",
        "show-fifteen",
        "show-fifteen",
        "show-pair",
        "show-run",
        "show-run",
        "his-nobs",
        "",
        "show-fifteen",
        "show-fifteen",
        "",
        "show-fifteen",
        "show-pair",
    ]


def test_a_player_reads_of_the_own_hand_as_you():
    assert stages(cribbage_end("KS", **TWO_PLAYERS), viewer=0)[:1] == [
        "You play KS: 20 for 1 (the last card). | KS |  | 1 0"
    ]


def test_partners_count_after_their_opponents_and_score_together():
    end = cribbage_end(
        "JD",
        dealer=2,
        starter="6S",
        hands={2: "JD"},
        played="3:2C 0:4H 1:7C 2:JS 3:3C 0:5H 1:TD 2:KH 3:TS 0:GO 1:GO 2:GO"
        " 0:5C 1:8H 2:QC 3:GO 0:6D 1:GO 2:GO 3:QD 1:7D",
        crib="9C 9D AH KC",
    )
    assert stages(end) == [
        "Cleo plays JD: 27 for 1 (the last card). | JD |  | 1 0 1 0",
        "Dora shows 2C 3C TS QD. | 2C 3C TS QD | hand:3 | ",
        "Fifteen two. | 2C 3C TS |  | 0 2 0 2",
        "Fifteen four. | 2C 3C QD |  | 0 2 0 2",
        "Ben shows 7C 7D 8H TD. | 7C 7D 8H TD | hand:1 | ",
        "Fifteen two. | 7C 8H |  | 0 2 0 2",
        "Fifteen four. | 7D 8H |  | 0 2 0 2",
        "A pair makes six. | 7C 7D |  | 0 2 0 2",
        "A run of three makes nine. | 6S 7C 8H |  | 0 3 0 3",
        "A run of three makes twelve. | 6S 7D 8H |  | 0 3 0 3",
        "Ada shows 4H 5C 5H 6D. | 4H 5C 5H 6D | hand:0 | ",
        "Fifteen two. | 4H 5C 6D |  | 2 0 2 0",
        "Fifteen four. | 4H 5C 6S |  | 2 0 2 0",
        "Fifteen six. | 4H 5H 6D |  | 2 0 2 0",
        "Fifteen eight. | 4H 5H 6S |  | 2 0 2 0",
        "A pair makes ten. | 5C 5H |  | 2 0 2 0",
        "A pair makes twelve. | 6D 6S |  | 2 0 2 0",
        "A run of three makes fifteen. | 4H 5C 6D |  | 3 0 3 0",
        "A run of three makes eighteen. | 4H 5C 6S |  | 3 0 3 0",
        "A run of three makes twenty-one. | 4H 5H 6D |  | 3 0 3 0",
        "A run of three makes twenty-four. | 4H 5H 6S |  | 3 0 3 0",
        "Cleo shows JD JS QC KH. | JD JS QC KH | hand:2 | ",
        "A pair makes two. | JD JS |  | 2 0 2 0",
        "A run of three makes five. | JD QC KH |  | 3 0 3 0",
        "A run of three makes eight. | JS QC KH |  | 3 0 3 0",
        "One for his nob makes nine. | 6S JS |  | 1 0 1 0",
        "Cleo turns up the crib: AH 9C 9D KC. | AH 9C 9D KC |  | ",
        "Fifteen two. | 6S 9C |  | 2 0 2 0",
        "Fifteen four. | 6S 9D |  | 2 0 2 0",
        "A pair makes six. | 9C 9D |  | 2 0 2 0",
    ]


def test_a_flush_counts_in_the_hand_and_with_the_starter_in_the_crib():
    end = cribbage_end(
        "8D", seats=2, dealer=0, starter="TS", hands={1: "8D"}, played="1:2D 1:4D 1:KD", crib="2S 4S 8S KS"
    )
    assert stages(end)[1:] == [
        "Ben shows 2D 4D 8D KD. | 2D 4D 8D KD | hand:1 | ",
        "A flush makes four. | 2D 4D 8D KD |  | 0 4",
        "Ada turns up the crib: 2S 4S 8S KS. | 2S 4S 8S KS |  | ",
        "A flush makes five. | 2S 4S 8S TS KS |  | 5 0",
    ]
    assert rules(end)[1:] == [
        "",
        "show-flush",
        "",
        "crib-flush",
    ]
    end = cribbage_end(
        "8D",
        seats=2,
        dealer=0,
        starter="TS",
        hands={1: "8D"},
        played="1:2D 1:4D 1:KD",
        options={"four_flush_in_hand": False},
    )
    assert stages(end)[1:] == ["Ben shows 2D 4D 8D KD; no points. | 2D 4D 8D KD | hand:1 | "]


def test_the_count_stops_where_a_side_reaches_the_target():
    end = cribbage_end("KS", **{**TWO_PLAYERS, "scores": [118, 115]})
    assert stages(end) == [
        "Ada plays KS: 20 for 1 (the last card). | KS |  | 1 0",
        "Ben shows 4C 5C 6D JH. | 4C 5C 6D JH | hand:1 | ",
        "Fifteen two. | 5C JH |  | 0 2",
        "Fifteen four. | 5H JH |  | 0 2",
        "Fifteen six. | 4C 5C 6D |  | 0 2",
        "Ben reached 121 first. |  |  | ",
    ]
    assert zones_of(PARTNERSHIP_CRIBBAGE.show(end)) == {
        "played:0": "TD 4S 2C",
        "played:1": "5C 6D 4C",
        "count": "JH KS",
        "stock": "5H 39 hidden",
        "crib": "3H 7D 9C 9D",
    }


def test_a_card_that_wins_leaves_the_hands_uncounted_and_turned_up():
    end = cribbage_end("5D", **{**TWO_PLAYERS, "hands": {0: "5D KS", 1: "JH 8C"}, "played": "1:TC", "scores": [120, 0]})
    assert stages(end) == [
        "Ada plays 5D: 15 for 1 (fifteen). | 5D |  | 1 0",
        "Ada reached 121 first. |  |  | ",
    ]
    assert zones_of(PARTNERSHIP_CRIBBAGE.show(end)) == {
        "hand:0": "KS",
        "hand:1": "8C JH",
        "count": "TC 5D",
        "stock": "5H 42 hidden",
        "crib": "3H 7D 9C 9D",
    }


def test_a_go_that_wins_is_said_and_pegged_for_the_last_card():
    position = {"hands": {0: "KS", 1: "JH"}, "played": "1:TC 0:KC 1:8C", "scores": [9, 120]}
    end = cribbage_end("GO", **{**TWO_PLAYERS, **position})
    assert stages(end) == [
        "Ada says go. |  |  | ",
        "Ben pegs 1 for the go. |  |  | 0 1",
        "Ben reached 121 first. |  |  | ",
    ]


def test_heels_that_win_come_right_after_the_discard():
    end = cribbage_end("D:2C", dealer=1, phase="discard", hands={0: "2C 3C 4C 5C 6C"}, stock="JS 2D", scores=[5, 119])
    assert stages(end) == [
        "Ada discards 2C to Ben's crib. | 2C |  | ",
        "Ben pegs 2 for his heels. | JS |  | 0 2 0 2",
        "Ben and Dora reached 121 first. |  |  | ",
    ]
    assert zones_of(PARTNERSHIP_CRIBBAGE.show(end)) == {
        "hand:0": "3C 4C 5C 6C",
        "stock": "JS 1 hidden",
        "crib": "2C",
    }


def test_where_players_count_the_last_number_is_checked():
    position = {**COUNTED_BY_PLAYERS, "options": {"counting": "manual"}}
    end = cribbage_end("S 4", "S 24", "S 8", **position)
    assert PARTNERSHIP_CRIBBAGE.show(end).scores == (24, 4)
    assert stages(end) == [
        "Ada counts 8 points. |  |  | ",
        "Fifteen two. | 6S 9C |  | 2 0",
        "Fifteen four. | 7C 8C |  | 2 0",
        "A run of four makes eight. | 6S 7C 8C 9C |  | 4 0",
    ]
    assert zones_of(PARTNERSHIP_CRIBBAGE.show(end)) == {
        "hand:0": "4H 5C 5H 6D",
        "hand:1": "2C 3C TS QD",
        "stock": "6S 39 hidden",
        "crib": "7C 8C 9C KD",
    }
    assert stages(cribbage_end("S 4", "S 24", "S 29", **position))[-1:] == [
        "A run of four makes eight. | 6S 7C 8C 9C |  | 4 0"
    ]
    assert stages(cribbage_end("S 4", "S 24", "S 3", **position)) == [
        "Ada counts 3 points. |  |  | ",
        "Fifteen two. | 6S 9C |  | 2 0",
        "Fifteen four. | 7C 8C |  | 1 0",
        "A run of four makes eight. | 6S 7C 8C 9C |  | ",
        "5 points missed. |  |  | ",
    ]


def test_with_muggins_the_overlooked_points_are_looked_for():
    position = {**COUNTED_BY_PLAYERS, "options": {"counting": "muggins"}}
    end = cribbage_end("S 4", "M 0", "S 24", "M 0", "S 6", "M 2", **position)
    assert stages(end) == [
        "Ben claims 2 missed points. |  |  | 0 2",
        "Fifteen two. | 6S 9C |  | ",
        "Fifteen four. | 7C 8C |  | ",
        "A run of four makes eight. | 6S 7C 8C 9C |  | ",
    ]
    assert stages(cribbage_end("S 4", "M 0", "S 24", "M 0", "S 6", "M 9", **{**position, "scores": [0, 110]})) == [
        "Ben claims 9 missed points. |  |  | 0 2",
        "Fifteen two. | 6S 9C |  | ",
        "Fifteen four. | 7C 8C |  | ",
        "A run of four makes eight. | 6S 7C 8C 9C |  | ",
    ]


@pytest.mark.parametrize("counting", ["auto", "manual", "muggins"])
@pytest.mark.parametrize("seats", [2, 4])
def test_every_card_lies_in_one_zone(seats, counting):
    options = {"counting": counting, "target": 61}
    for end in random_ends(PARTNERSHIP_CRIBBAGE, seats, hands=12, options=options):
        check_cards(PARTNERSHIP_CRIBBAGE, end)
