"""The show at the end of a deal of Piquet and Rubicon Piquet, sentence | cards | zone to which they go | points.

Seat 0 is elder.
"""

import pytest

from games.core.contract import HandEnd
from games.engines.piquet.game import PIQUET
from games.engines.rubicon_piquet import RUBICON_PIQUET
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of

ELEVEN_TRICKS = "AS 8S KS 7S QS 7H JS 8H TS JD 9S QD AH 9H KH TH QH JH AD KD AC QC"
RUNS = "a sixième to the ace in spades and a tierce to the ace in hearts."
LAST_TRICK = {"phase": "play", "elder": "AH", "younger": "7H"}


def end_of(game, *moves: str, **position) -> HandEnd:
    return end_after(game, game.load(position), *moves)


def twelve_tricks(elders_last: str, youngers_last: str) -> HandEnd:
    """Elder declares a point of six, a sixième and four aces, and wins the first eleven tricks."""
    position = {
        "phase": "play",
        "hands": {0: elders_last, 1: youngers_last},
        "said": "PT:S GD SQ:AS6 GD ST:A4 GD",
        "played": ELEVEN_TRICKS,
        "discards": {0: "7C 8D 9D", 1: "7D TC"},
        "talon": "9C",
        "scores": [20, 31],
    }
    return end_of(PIQUET, elders_last, youngers_last, **position)


def test_a_repique_is_counted_before_the_play():
    show = PIQUET.show(twelve_tricks("8C", "KC"))
    assert show.scores == (20, 31)
    assert zones_of(show) == {
        "tricks:0": ELEVEN_TRICKS,
        "discards:0": "3 hidden",
        "discards:1": "2 hidden",
        "talon": "1 hidden",
        "trick": "8C KC",
    }
    assert stages_of(show) == [
        "Ben plays KC. | KC |  | ",
        "Ada scores 6 for a point of six in spades. | AS KS QS JS TS 9S |  | 6 0",
        f"Ada scores 19 for {RUNS} | AS KS QS JS TS 9S AH KH QH |  | 19 0",
        "Ada scores 14 for four aces. | AS AH AD AC |  | 14 0",
        "Ada scores 60 for repique: 30 in hand against nothing. |  |  | 60 0",
        "Ada scores 12 for leads. | AS KS QS JS TS 9S AH KH QH AD AC 8C |  | 12 0",
        "Ben scores 1 for tricks won as second player. | KC |  | 0 1",
        "Ben scores 1 for the last trick. | 8C KC | tricks:1 | 0 1",
        f"Ada scores 10 for the cards: more than six tricks. | {ELEVEN_TRICKS} |  | 10 0",
    ]


@pytest.mark.parametrize(
    ("cards", "notes"), [(("8C", "KC"), ["11 tricks", "1 trick"]), (("KC", "8C"), ["12 tricks", "0 tricks"])]
)
def test_the_count_names_as_many_tricks_as_each_has_won(cards, notes):
    zones = {zone.id: zone.note for zone in PIQUET.show(twelve_tricks(*cards)).zones}
    assert [zones[f"tricks:{seat}"] for seat in (0, 1)] == notes


def test_a_capot_counts_all_twelve_tricks():
    assert stages_of(PIQUET.show(twelve_tricks("KC", "8C"))) == [
        "Ben plays 8C. | 8C |  | ",
        "Ada scores 6 for a point of six in spades. | AS KS QS JS TS 9S |  | 6 0",
        f"Ada scores 19 for {RUNS} | AS KS QS JS TS 9S AH KH QH |  | 19 0",
        "Ada scores 17 for four aces and three kings. | AS KS AH KH AD AC KC |  | 17 0",
        "Ada scores 60 for repique: 30 in hand against nothing. |  |  | 60 0",
        "Ada scores 12 for leads. | AS KS QS JS TS 9S AH KH QH AD AC KC |  | 12 0",
        "Ada scores 1 for the last trick. | KC 8C | tricks:0 | 1 0",
        f"Ada scores 40 for all twelve tricks: capot. | {ELEVEN_TRICKS} KC 8C |  | 40 0",
    ]


def test_six_tricks_each_divide_the_cards():
    end = end_of(PIQUET, "AH", "7H", **LAST_TRICK, tricks=[5, 6], counted=[{"point": 5, "pique": 30}, {"wins": 2}])
    assert stages_of(PIQUET.show(end), viewer=0) == [
        "Ben plays 7H. | 7H |  | ",
        "You score 5 for point. |  |  | 5 0",
        "You score 1 for leads. | AH |  | 1 0",
        "Ben scores 2 for tricks won as second player. |  |  | 0 2",
        "You score 1 for the last trick. | AH 7H | tricks:0 | 1 0",
        "You score 30 for pique: 30 in hand and play against nothing. |  |  | 30 0",
        "Six tricks each: no points for the cards. |  |  | ",
    ]


def test_the_first_deal_of_a_short_partie_counts_double():
    end = end_of(
        RUBICON_PIQUET,
        "AH",
        "7H",
        **LAST_TRICK,
        options={"deals": 4},
        tricks=[6, 5],
        counted=[{"leads": 6}, {"leads": 5}],
    )
    assert stages_of(RUBICON_PIQUET.show(end)) == [
        "Ben plays 7H. | 7H |  | ",
        "Ada scores 7 for leads. | AH |  | 7 0",
        "Ben scores 5 for leads. |  |  | 0 5",
        "Ada scores 1 for the last trick. | AH 7H | tricks:0 | 1 0",
        "Ada scores 10 for the cards: more than six tricks. | AH 7H |  | 10 0",
        "Ada scores 18 more: the first and the last deal count double. |  |  | 18 0",
        "Ben scores 5 more: the first and the last deal count double. |  |  | 0 5",
    ]


@pytest.mark.parametrize("game", [PIQUET, RUBICON_PIQUET], ids=lambda game: game.slug)
def test_each_card_lies_in_one_zone_of_the_show(game):
    for end in random_ends(game, 2, hands=6):
        check_cards(game, end)
