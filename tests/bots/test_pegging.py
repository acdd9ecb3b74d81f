"""Imagined deals of Cribbage, and the race to the target that bots play for."""

from random import Random

import pytest

from games.bots.crib_race import LONGEST, Step, chances_in, chances_of
from games.bots.pegging import RANK_CARDS, Imagination, Table, choices_of, kept_of, preferred, rank_card
from games.core.card_bits import CARD, bits, mask
from games.core.cards import pack
from games.core.cribbage import FITS, rank_counts, rank_points
from games.core.deals import random_decks
from games.engines.partnership_cribbage.game import PARTNERSHIP_CRIBBAGE
from games.engines.partnership_cribbage.moves import GO, Go, Phase, Play
from games.engines.partnership_cribbage.state import CribbageState

FIVE, SIX, SEVEN, EIGHT, TEN, QUEEN, KING = (RANK_CARDS[rank] for rank in (4, 5, 6, 7, 9, 11, 12))


def table(**position) -> CribbageState:
    return PARTNERSHIP_CRIBBAGE.load(position)


def playing(seats: int, rng: Random, cards: int) -> CribbageState:
    """A deal with any cards laid away, and some of the others played."""
    options = {"counting": "manual"}  # so that the deal stops before the show
    state = PARTNERSHIP_CRIBBAGE.start(random_decks(pack(), rng), seats=seats, options=options)
    while state.phase is Phase.DISCARD or (state.phase is Phase.PLAY and len(state.played) < cards):
        seat = state.to_act[0]
        state.play(seat, rng.choice(state.legal_moves(seat)))
    return state


def by_habit(state: CribbageState) -> Play | Go:
    hand = state.hands[state.to_act[0]]
    card = preferred(rank_counts(hand), state.trail)
    return next((Play(CARD[bit]) for bit in bits(hand) if rank_card(bit) == card), GO)


@pytest.mark.parametrize("seats", [2, 4])
def test_an_imagined_play_goes_on_as_at_the_table(seats):
    for seed in range(60):
        rng = Random(seed)
        state = playing(seats, rng, cards=rng.randrange(7))
        now, held = Table.of(state.view(state.to_act[0])), [rank_counts(hand) for hand in state.hands]
        needs = now.after_play(held, preferred(held[now.turn], now.trail))
        while state.phase is Phase.PLAY:
            state.play(state.to_act[0], by_habit(state))
        assert needs == [121 - score for score in state.scores], seed


def test_an_imagined_play_ends_with_the_game():
    state = table(players=2, dealer=1, hands=["KC", "8D KD"], scores=[119, 119], played="0:7C")
    held = [rank_counts(hand) for hand in state.hands]
    assert Table.of(state.view(1)).after_play(held, RANK_CARDS[7]) == [2, 0]


@pytest.mark.parametrize("seats", [2, 4])
def test_imagined_hands_fit_what_was_seen(seats):
    for seed in range(20):
        rng = Random(seed)
        state = playing(seats, rng, cards=seats + rng.randrange(3))
        view = state.view(state.to_act[0])
        imagination = Imagination(view)
        unseen = rank_counts(mask(pack()) & ~mask([*view.hand, *view.laid_away, view.starter]))
        for others in imagination.deals(5, rng):
            assert others.kept[view.seat] == 0
            assert all(sum(others.kept[seat] // rank & 15 for rank in RANK_CARDS) == 4 for seat in imagination.others)
            together = [others.laid, *others.kept]
            for rank in RANK_CARDS:
                assert sum(hand // rank & 15 for hand in together) <= unseen // rank & 15
                for seat in imagination.others:
                    assert others.kept[seat] // rank & 15 >= imagination.played[seat] // rank & 15


def test_who_could_not_go_on_is_thought_to_have_no_low_cards():
    position = {"players": 2, "dealer": 1, "crib": "2C 2D 2H 2S", "starter": "AS"}
    state = table(**position, hands=["4D 3H", "TD 9C"], played="0:KC 1:QD 0:9H 1:GO 1:8D")
    view, at_29 = state.view(0), 13 << 8 | 12 << 4 | 9
    assert list(choices_of(view))[3:5] == [(1, at_29, 0), (0, at_29, 0)]
    for others in Imagination(view).deals(40, Random(1)):
        assert (others.kept[1] - QUEEN - EIGHT) & FITS[29] == 0


def test_others_are_thought_to_have_kept_cards_that_count_and_to_have_played_by_habit():
    view = table(players=2, dealer=1, hands=["2C 3D 4C", "9C 9D 9H"], played="0:7C 1:KC", crib="AC AD AH AS").view(0)
    found = list(Imagination(view).deals(2000, Random(1)))
    assert sum(rank_points(others.kept[1]) for others in found) > 3 * len(found)
    assert sum(others.kept[1] // EIGHT & 15 > 0 for others in found) < 0.105 * len(
        found
    )  # fifteen for two; 0.13 without habits


def test_players_keep_what_counts_and_mind_whose_crib_it_is():
    five_six_seven = FIVE + SIX + SEVEN
    assert kept_of(five_six_seven + TEN + KING, 1, is_own=True) in {five_six_seven + TEN, five_six_seven + KING}
    pair_and_others = 2 * KING + sum(RANK_CARDS[rank] for rank in (1, 3, 8, 11))
    assert kept_of(pair_and_others, 2, is_own=False) // KING & 15 == 2


@pytest.mark.parametrize("seats", [2, 4])
def test_the_dealer_is_ahead_at_the_start_and_the_other_near_the_end(seats):
    chances = chances_in(seats)
    assert 0.52 < chances[LONGEST][LONGEST] < 0.62
    assert chances[5][5] < 0.4
    assert chances[LONGEST][1] < 0.01
    row = [chances[need][40] for need in range(1, LONGEST + 1)]
    assert row == sorted(row, reverse=True)


def test_the_chance_follows_from_the_last_deal_backwards():
    """Each side scores two points in a deal, the other one first."""
    chances = chances_of([Step((0, 0, 1), is_dealers=False), Step((0, 0, 1), is_dealers=True)])
    assert [chances[2][2], chances[2][3], chances[3][3], chances[5][5]] == [0, 1, 1, 0]
