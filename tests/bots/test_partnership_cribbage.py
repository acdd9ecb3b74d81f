"""What the house bots of Cribbage see and miss."""

from random import Random

import pytest

from games.bots.crib_worth import OTHERS_CRIB, OWN_CRIB
from games.bots.matches import compare
from games.bots.partnership_cribbage import LEVELS, average_worth
from games.core.cards import RANKS, pack
from games.core.deals import random_decks
from games.engines.partnership_cribbage.game import PARTNERSHIP_CRIBBAGE
from games.engines.partnership_cribbage.state import CribbageState
from games.management.commands.crib_table import scores_of, single_table, table_of


def table(**position) -> CribbageState:
    return PARTNERSHIP_CRIBBAGE.load(position)


def chosen(level: str, state: CribbageState, seat: int | None = None, seed: int = 1) -> str:
    seat = state.to_act[0] if seat is None else seat
    return str(LEVELS[level].choose(state.view(seat), Random(seed)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("options", [{}, {"counting": "muggins", "four_flush_in_hand": False}])
def test_every_move_of_a_bot_is_legal_to_the_end_of_the_game(level, seats, options):
    rng = Random(4)
    state = PARTNERSHIP_CRIBBAGE.start(random_decks(pack(), rng), seats=seats, options={"target": 61, **options})
    while state.to_act:
        seat = rng.choice(state.to_act)
        move = LEVELS[level].choose(state.view(seat), rng)
        assert move in state.legal_moves(seat)
        state.play(seat, move)
    assert state.outcome() is not None


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_answers_the_same_for_the_same_generator(level):
    state = table(players=2, dealer=1, hands=["5H 6C 7D JS KS 2C", "3C 4D 9H TS QD AS"])
    assert chosen(level, state, 0, 3) == chosen(level, state, 0, 3)


@pytest.mark.parametrize("level", ["club", "strong"])
def test_five_six_seven_is_kept_with_a_ten(level):
    state = table(dealer=1, hands={0: "5H 6C 7D JS KS"})
    assert chosen(level, state, 0) in {"D:JS", "D:KS"}


def test_strong_keeps_fives_out_of_the_other_crib():
    hand = "5C 5D 9H QH KH AH"
    for seed in range(3):
        assert "5" not in chosen("strong", table(players=2, dealer=1, hands={0: hand}), 0, seed)


@pytest.mark.parametrize("level", ["club", "strong"])
def test_points_are_taken(level):
    state = table(players=2, dealer=1, hands=["KD", "5H KS"], played=["0:4C", "1:2D", "0:4H"])
    assert chosen(level, state) == "5H"


def test_strong_does_not_lead_to_a_count_of_five():
    state = table(players=2, dealer=1, hands=["5C KC 4D 3H", "9C 8D 2H 7C"])
    assert chosen("strong", state) != "5C"


def test_strong_wins_with_the_points_it_needs():
    state = table(players=2, dealer=1, hands=["KC", "8D KD"], scores=[119, 119], played=["0:7C"])
    assert chosen("strong", state) == "8D"


def test_strong_keeps_the_points_it_needs_near_the_end_and_minds_the_crib_before():
    position = {"players": 2, "dealer": 1, "hands": ["2C 3S 5D JS KC KH", "AC 4D 6H 7S 9C QD"]}
    assert chosen("strong", table(**position), 0) == "D:2C,JS"
    assert chosen("strong", table(**position, scores=[113, 110]), 0) == "D:2C,3S"


def test_club_counts_in_full_and_first_steps_overlooks_fifteens_at_times():
    state = table(
        dealer=2,
        starter="6S",
        hands={0: "4H 5H 5C 6D", 1: "7C 7D 8H TD", 2: "JS JD QC KH", 3: "2C 3C TS QD"},
        crib="9C 9D AH KC",
        options={"counting": "muggins"},
    )
    assert chosen("club", state) == chosen("strong", state) == "S 4"
    assert {chosen("first-steps", state, seed=seed) for seed in range(20)} == {"S 4", "S 0"}
    state.play(3, PARTNERSHIP_CRIBBAGE.parse("S 1"))
    assert chosen("club", state) == "M 3"


def test_the_table_of_cribs_knows_every_discard_and_what_a_five_is_worth():
    assert len(OWN_CRIB) == len(OTHERS_CRIB) == 91 + 13
    assert max(OWN_CRIB, key=OWN_CRIB.__getitem__) == max(OTHERS_CRIB, key=OTHERS_CRIB.__getitem__) == "55"
    assert min(OWN_CRIB.values()) < min(OTHERS_CRIB.values())
    made = table_of({}, sign=1, deals=8, rng=Random(1))
    assert set(made) == {ranks for ranks in OWN_CRIB if len(ranks) == 2}
    assert made["55"] > made["9K"]
    single = single_table(is_own=True, deals=60, rng=Random(1))
    assert list(single) == list(RANKS)
    assert max(single, key=single.__getitem__) == "5"


def test_scores_of_a_deal_are_shares_of_all_deals():
    found = scores_of(50, Random(1))
    assert found.keys() == {"OWN_PEGS", "OTHERS_PEGS", "OWN_SHOW", "OTHERS_SHOW"}
    for shares in found.values():
        assert [sum(shares[seats]) for seats in (2, 4)] == pytest.approx([1, 1])


def test_the_crib_decides_between_hands_of_the_same_count():
    hand = "KC KD 4H 9S 2D QH"
    own = table(players=2, dealer=0, hands={0: hand}).view(0)
    other = table(players=2, dealer=1, hands={0: hand}).view(0)
    move = PARTNERSHIP_CRIBBAGE.parse("D:KC,KD")
    assert average_worth(own, move) > average_worth(other, move)


@pytest.mark.parametrize(("better", "worse"), [("strong", "first-steps"), ("club", "first-steps")])
def test_better_bots_win_most_of_some_mirrored_matches(better, worse):
    options = PARTNERSHIP_CRIBBAGE.read_options(None, 2)
    found = compare(PARTNERSHIP_CRIBBAGE, LEVELS[better], LEVELS[worse], seats=2, matches=4, seed=1, options=options)
    assert found.mean >= 0.75
