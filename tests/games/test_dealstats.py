"""What is counted of decks, and what chance says of the counts."""

from itertools import islice
from random import Random

import pytest

from games.core.cards import pack
from games.core.deals import random_decks, verifiable_decks
from games.domain.shuffle_statistics import (
    Tally,
    chance_above,
    chance_of_farthest,
    dealt,
    deviations,
    evenness,
    evenness_of_strengths,
    merged,
    places_dealt,
    strengths,
    verdict,
)
from games.engines import GAMES, get

PACK = tuple(card for card in pack() if card[0] in "A2345")


def tally_of(decks, places="00001111000011110000"):
    tally = Tally(PACK, places)
    for deck in decks:
        tally.take(deck, get("casino").hand_strength)
    return tally


def fair(count, seed=1):
    return islice(random_decks(PACK, Random(seed)), count)


def test_chi_square_agrees_with_printed_tables():
    """The 5 % and 1 % points, to the three decimals in which they are printed."""
    for point, freedom in ((3.841, 1), (5.991, 2), (18.307, 10), (43.773, 30), (124.342, 100)):
        assert chance_above(point, freedom) == pytest.approx(0.05, abs=3e-5)
    for point, freedom in ((6.635, 1), (23.209, 10), (135.807, 100)):
        assert chance_above(point, freedom) == pytest.approx(0.01, abs=3e-6)
    assert chance_above(8.547, 15) == pytest.approx(0.9, abs=1e-4)  # far below the mean, by the series
    assert chance_above(0, 5) == 1


def test_one_deck_alone_is_as_even_as_the_mean_says():
    """Each card lies in one place and each place holds one card, so the sum is the same for every deck."""
    for deck in fair(5):
        assert evenness(tally_of([deck]).positions, [1] * 20).chi_square == pytest.approx(19 * 19)


def test_a_fair_shuffle_is_found_fair_and_one_in_twenty_is_not():
    chances = []
    for seed in range(60):
        tally = tally_of(fair(60, seed))
        chances += [evenness(tally.positions, [1] * 20).p, evenness(tally.by_hand, tally.widths).p]
    assert 1 <= sum(p < 0.05 for p in chances) <= 14
    assert 40 <= sum(p < 0.5 for p in chances) <= 80


def test_a_shuffle_that_forgets_the_last_card_is_found():
    """A common mistake: the last card is never moved as often as the others."""
    rng = Random(4)

    def careless():
        deck = list(PACK)
        for place in range(len(deck) - 2):
            other = rng.randrange(place, len(deck) - 1)
            deck[place], deck[other] = deck[other], deck[place]
        if rng.random() < 0.8:
            other = rng.randrange(len(deck))
            deck[-1], deck[other] = deck[other], deck[-1]
        return deck

    tally = tally_of(careless() for _ in range(400))
    assert evenness(tally.positions, [1] * 20).p < 1e-6
    far = deviations(tally.positions, [1] * 20)
    assert max((abs(z), card) for row, card in zip(far, PACK, strict=True) for z in row)[1] == PACK[-1]


def test_a_dealer_who_favours_himself_is_found():
    def stacked(deck):
        """The dealer gets a five instead of an ace, if he can."""
        deck, rng = list(deck), Random(str(deck))
        aces = [place for place in range(4, 8) if deck[place][0] == "A"]
        fives = [place for place in range(8, 20) if deck[place][0] == "5"]
        if aces and fives and rng.random() < 0.5:
            deck[aces[0]], deck[fives[0]] = deck[fives[0]], deck[aces[0]]
        return deck

    places = "00001111------------"
    assert evenness_of_strengths(tally_of(fair(1000), places)).p > 0.05
    tally = tally_of(map(stacked, fair(1000)), places)
    assert evenness_of_strengths(tally).p < 0.001
    assert evenness(tally.by_hand, tally.widths).p < 0.001
    lower, higher = strengths(tally)
    assert lower.mean + lower.margin < higher.mean - higher.margin


def test_deviations_are_those_of_so_many_draws_with_such_a_chance():
    counts = [[30, 70], [20, 80], [25, 75], [25, 75]]
    assert [round(row[0], 4) for row in deviations(counts, [1, 3])] == [1.1547, -1.1547, 0, 0]
    assert deviations([[7], [7]], [2]) == [[0.0], [0.0]]


def test_the_farthest_of_many_counts_may_be_far():
    """Of 10 decks with 2 cards: 1 - (the chance of 3 to 7 heads in 10 throws) ** 4."""
    assert chance_of_farthest(8, 10, 2) == pytest.approx(1 - (912 / 1024) ** 4)
    assert chance_of_farthest(2, 10, 2) == chance_of_farthest(8, 10, 2)
    assert chance_of_farthest(5, 10, 2) == 1
    assert chance_of_farthest(16, 270, 52) > 0.05  # 4.8 standard deviations, but small counts are not normal
    assert chance_of_farthest(20_000, 1_000_000, 52) < 0.001


def test_a_tally_counts_places_hands_and_strengths():
    tally = Tally(("AC", "2C", "3C", "4C"), "01-0")
    strength = get("casino").hand_strength
    tally.take(("4C", "3C", "2C", "AC"), strength)
    tally.take(("AC", "3C", "2C", "4C"), strength)
    assert tally.positions == [[1, 0, 0, 1], [0, 0, 2, 0], [0, 2, 0, 0], [1, 0, 0, 1]]
    assert tally.by_hand == [[2, 0, 0], [0, 0, 2], [0, 2, 0], [2, 0, 0]]
    assert tally.widths == [2, 1, 1]
    assert (tally.sums, tally.squares, tally.squared_totals) == ([10, 6], [50, 18], 128)
    assert evenness_of_strengths(tally) is None  # of hands with two cards and with one
    assert merged([tally, tally])[1] == [0, 0, 4, 0]


def test_the_mean_strength_has_a_margin_and_two_decks_at_least():
    tally = Tally(("AC", "2C", "3C", "4C"), "0---")
    strength = get("casino").hand_strength
    for card in (1, 2, 3, 4):
        assert len(strengths(tally)) == (card > 2)
        tally.take([f"{'A234'[(card + shift) % 4 - 1]}C" for shift in range(4)], strength)
    [one] = strengths(tally)
    assert (one.mean, round(one.deviation, 4), round(one.margin, 4)) == (2.5, 1.291, 1.2652)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_players_hold_what_the_places_say_whoever_deals(game):
    for seats in game.seats:
        options = game.read_options(None, seats)
        decks, places = verifiable_decks(game.deck(options), b"secret", "ab"), places_dealt(game, options, seats)
        hands = len(set(places) - {"-"})
        assert hands in (0, seats)
        for dealer, deck in zip(range(seats), decks, strict=False):
            views = game.start(iter([deck] * 2), seats=seats, options=options, dealer=dealer).view
            for hand, cards in enumerate(dealt(deck, places, hands)):
                seat = (dealer + 1 + hand) % seats
                held = [zone.cards for zone in views(seat).zones if zone.id == f"hand:{seat}"]
                assert [sorted(cards)] == [sorted(zone) for zone in held]


def test_a_hand_has_a_strength_that_its_game_gives_a_meaning():
    assert get("casino").hand_strength(["AC", "TD", "KS", "XB"]) == 1 + 10 + 13
    assert get("sixty-six").hand_strength(["AC", "TD", "9S"]) == 21
    assert get("gin-rummy").hand_strength(["AC", "2C", "3C", "KS"]) == 10


def test_words_follow_the_probability():
    said = [verdict(p) for p in (0.9999, 0.5, 0.05, 0.049, 0.0009)]
    assert said[1] == said[2] and len(set(said)) == 4
