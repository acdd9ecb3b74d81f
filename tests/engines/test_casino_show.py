"""The show at the end of a hand of Casino and Royal Casino, sentence | cards | zone to which they go | points."""

import pytest

from games.core.contract import HandEnd
from games.engines.casino.game import CASINO
from games.engines.royal_casino import ROYAL_CASINO
from tests.hand_ends import check_cards, end_after, random_ends, stages_of, zones_of


def casino_end(*moves: str, **position) -> HandEnd:
    return end_after(CASINO, CASINO.load(position), *moves)


def royal_end(*moves: str, **position) -> HandEnd:
    return end_after(ROYAL_CASINO, ROYAL_CASINO.load(position), *moves)


def test_the_last_capture_takes_the_rest_and_the_piles_are_counted():
    end = casino_end(
        "8Sx3C+5H",
        to_move=0,
        hands={0: ["8S"]},
        loose=["3C", "5H", "KD"],
        won={0: ["AS", "AH", "TD"], 1: ["2S", "AC", "4S", "JD"]},
        totals=[5, 9],
    )
    show = CASINO.show(end)
    assert show.scores == (5, 9)
    assert zones_of(show) == {"table": "KD", "won:0": "AH AS 3C 5H 8S TD", "won:1": "AC 2S 4S JD"}
    assert [zone.kind for zone in show.zones if zone.id.startswith("won:")] == ["row", "row"]
    assert stages_of(show) == [
        "Ada takes 3C 5H with 8S. | 8S 3C 5H |  | ",
        "Ada takes what is left, as the last to capture: KD. | KD | won:0 | ",
        "Ada scores 3 for most cards: 7. | AH AS 3C 5H 8S TD KD |  | 3 0",
        "Most spades: shared with 2 each, nobody scores. |  |  | ",
        "Ada scores 2 for big casino: TD. | TD |  | 2 0",
        "Ben scores 1 for little casino: 2S. | 2S |  | 0 1",
        "Ada scores 1 for AS. | AS |  | 1 0",
        "Ada scores 1 for AH. | AH |  | 1 0",
        "Ben scores 1 for AC. | AC |  | 0 1",
    ]


def test_without_any_capture_the_table_goes_to_nobody():
    end = casino_end("KS", to_move=0, hands={0: ["KS"]}, loose=["3C", "5H"])
    assert stages_of(CASINO.show(end)) == [
        "Ada trails KS. | KS |  | ",
        "Nobody captured, so nobody gets what is left: 3C 5H KS. | 3C 5H KS |  | ",
        "Most cards: shared with 0 each, nobody scores. |  |  | ",
        "Most spades: shared with 0 each, nobody scores. |  |  | ",
    ]
    assert zones_of(CASINO.show(end)) == {"table": "3C 5H KS"}


def test_partners_score_together_and_shared_counts_score_for_nobody():
    end = casino_end(
        "9D",
        seats=4,
        options={"partners": True, "sweeps": "each"},
        to_move=3,
        hands={3: ["9D"]},
        last_capturer=2,
        won={0: ["AS", "KD", "5S"], 1: ["2S", "3S", "QH", "TC"]},
        sweeps={1: 2},
        sweep_cards={1: ["3S", "QH"]},
    )
    assert stages_of(CASINO.show(end), viewer=0) == [
        "Dora trails 9D. | 9D |  | ",
        "Cleo takes what is left, as the last to capture: 9D. | 9D | won:0 | ",
        "Most cards: shared with 4 each, nobody scores. |  |  | ",
        "Most spades: shared with 2 each, nobody scores. |  |  | ",
        "Ben and Dora score 1 for little casino: 2S. | 2S |  | 0 1 0 1",
        "You and Cleo score 1 for AS. | AS |  | 1 0 1 0",
        "Ben and Dora score 2 for sweeps: 2. | 3S QH |  | 0 2 0 2",
    ]


def test_counting_out_stops_for_the_side_that_reaches_the_target_first():
    end = casino_end(
        "9D",
        options={"end": "count-out", "target": 11},
        to_move=0,
        hands={0: ["9D"]},
        last_capturer=1,
        won={0: ["AS", "AH", "AC"], 1: ["2S", "AD"]},
        totals=[9, 10],
    )
    assert stages_of(CASINO.show(end)) == [
        "Ada trails 9D. | 9D |  | ",
        "Ben takes what is left, as the last to capture: 9D. | 9D | won:1 | ",
        "Most cards: shared with 3 each, nobody scores. |  |  | ",
        "Most spades: shared with 1 each, nobody scores. |  |  | ",
        "Ben scores 1 for little casino: 2S. | 2S |  | 0 1",
        "Ben wins by reaching 11 first. |  |  | ",
        "Ada scores 1 for AS. | AS |  | 1 0",
        "Ada scores 1 for AH. | AH |  | 1 0",
        "Ada scores 1 for AC. | AC |  | 1 0",
        "Ben scores 1 for AD. | AD |  | 0 1",
    ]


def test_counting_out_calls_nobody_the_first_at_the_target_by_sweeps():
    end = casino_end(
        "9D",
        options={"end": "count-out", "target": 11, "sweeps": "each"},
        to_move=0,
        hands={0: ["9D"]},
        last_capturer=1,
        won={0: ["3C"], 1: ["4C"]},
        totals=[10, 7],
        sweeps=[1, 2],
    )
    assert stages_of(CASINO.show(end))[2:] == [
        "Ben scores 3 for most cards: 2. | 4C 9D |  | 0 3",
        "Most spades: shared with 0 each, nobody scores. |  |  | ",
        "Ada scores 1 for sweeps: 1. |  |  | 1 0",
        "Ben scores 2 for sweeps: 2. |  |  | 0 2",
    ]


SWEPT = {
    "to_move": 0,
    "hands": {0: ["KS"]},
    "loose": ["TH", "3D"],
    "won": {0: ["7C", "7D"], 1: ["5C", "5D", "6C", "6D"]},
    "sweeps": [1, 1],
    "sweep_cards": [["7C"], ["6D"]],
}


def test_a_sweep_with_the_last_card_is_counted():
    show = ROYAL_CASINO.show(royal_end("KSxTH+3D", **SWEPT))
    assert next(zone.note for zone in show.zones if zone.id == "won:0") == "sweeps: 2"
    assert stages_of(show) == [
        "Ada sweeps 3D TH off the table with KS. | KS 3D TH |  | ",
        "Ada scores 3 for most cards: 5. | 3D 7C 7D TH KS |  | 3 0",
        "Ada scores 1 for most spades: 1. | KS |  | 1 0",
        "Ada scores 2 for sweeps: 2. | 7C KS |  | 2 0",
        "Ben scores 1 for sweeps: 1. | 6D |  | 0 1",
    ]


def test_sweeps_are_set_off_against_each_other_where_the_table_wants_it():
    end = royal_end("KSxTH+3D", options={"sweeps": "difference"}, **SWEPT)
    assert stages_of(ROYAL_CASINO.show(end))[-1] == "Ada scores 1 for sweeps: 2 less 1. | 7C KS |  | 1 0"


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", [CASINO, ROYAL_CASINO], ids=lambda game: game.slug)
def test_each_card_lies_in_one_zone_of_the_show(game, seats: int):
    for end in random_ends(game, seats, hands=5):
        check_cards(game, end)
