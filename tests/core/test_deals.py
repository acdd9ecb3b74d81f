from collections import Counter
from itertools import islice
from random import Random

import pytest

from games.core.cards import pack
from games.core.deals import (
    Decks,
    commitment,
    first_dealer,
    numbered_decks,
    random_decks,
    shuffled,
    verifiable_decks,
)

SECRET = bytes(range(32))


def test_a_deck_is_the_whole_pack_and_the_same_each_time():
    deck = shuffled(pack(), SECRET, "abc", 1)
    assert sorted(deck) == sorted(pack())
    assert deck == shuffled(pack(), SECRET, "abc", 1)


def test_the_shuffle_is_pinned_because_old_tables_must_stay_verifiable():
    assert " ".join(shuffled(pack(), SECRET, "abc", 1)[:8]) == "KH KD 5H 2S 7C 6H 8S 6C"
    assert first_dealer(SECRET, "abc", 4) == 3


@pytest.mark.parametrize("other", [(bytes(32), "abc", 1), (SECRET, "abd", 1), (SECRET, "abc", 2)])
def test_secret_entropy_and_number_each_change_the_deck(other):
    assert shuffled(pack(), *other) != shuffled(pack(), SECRET, "abc", 1)


def test_every_card_comes_first_about_equally_often():
    firsts = Counter(shuffled(pack(), SECRET, "fair", number)[0] for number in range(1, 2601))
    chi_square = sum((firsts[card] - 50) ** 2 / 50 for card in pack())
    assert chi_square < 87.97, "51 degrees of freedom, 0.1 % level"


def test_decks_of_a_table_are_numbered_from_one():
    decks = list(islice(verifiable_decks(pack(), SECRET, "abc"), 2))
    assert decks == [shuffled(pack(), SECRET, "abc", 1), shuffled(pack(), SECRET, "abc", 2)]


def test_numbered_decks_start_where_they_are_asked_to():
    assert next(numbered_decks(pack(), 3)) == list(islice(numbered_decks(pack()), 3))[2]


def test_random_decks_do_not_change_the_pack():
    cards = list(pack())
    deck = next(random_decks(cards, Random(1)))
    assert cards == list(pack()) and sorted(deck) == sorted(cards) and list(deck) != cards


def test_random_decks_have_every_card_on_top_equally_often():
    decks = islice(random_decks(pack(), Random(1)), 5200)
    tops = Counter(deck[0] for deck in decks)
    chi_square = sum((tops[card] - 100) ** 2 / 100 for card in pack())
    assert chi_square < 87.97, "51 degrees of freedom, 0.1 % level"


def test_the_commitment_is_the_sha256_of_the_secret():
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_decks_are_drawn_once_and_only_as_needed():
    drawn = []

    def source():
        for number in range(2):
            drawn.append(number)
            yield [f"deck {number}"]

    decks = Decks(source())
    assert drawn == []
    assert decks[1] == ("deck 1",) and decks[0] == ("deck 0",)
    assert drawn == [0, 1]
    with pytest.raises(IndexError):
        decks[2]
