"""The melds of a hand and the most points in them, against Gin's count and by hand for copies and jokers."""

from random import Random

import pytest

from games.core.card_bits import mask
from games.core.cards import by_display, pack
from games.core.deals import numbered_decks
from games.core.rummy.deadwood import best_deadwood
from games.core.rummy.hand_melds import best_melds, most_matched
from games.core.rummy.melds import MeldRules
from games.engines import GAMES

LOW, HIGH_OR_LOW = MeldRules("low"), MeldRules("high_or_low")
DOUBLED = MeldRules("high", "any", 8)


def points(card: str) -> int:
    return {"X": 25, "A": 1}.get(card[0]) or (int(card[0]) if card[0].isdigit() else 10)


@pytest.mark.parametrize("seed", range(25))
def test_it_agrees_with_the_deadwood_of_gin(seed):
    hand = tuple(Random(seed).sample(pack(), 14))
    assert sum(map(points, hand)) - most_matched(LOW, hand, points) == best_deadwood(mask(hand))


@pytest.mark.parametrize(
    ("hand", "matched"),
    [
        ("7C1 7C2 7D1", 0),
        ("7C1 7D1 7H2", 21),
        ("7C1 7D1 XB", 14 + 25),
        ("7C1 9C1 XB", 16 + 25),
        ("7C1 XB XR", 7 + 50),
        ("7C1 8C1 XB XR KD1", 15 + 50),
        ("5H1 6H1 7H1 7C1 7D1 XB", 5 + 6 + 7 + 7 + 7 + 25),
        ("5H1 6H1 7H1 5H2 6H2 7H2", 36),
        ("7C1 8D1 9H1", 0),
        ("3C1 4C1 5C1 6C1 7C1 8C1", 33),
        ("KC1 KD1 QC1 QD1 JC1 JD1", 60),
    ],
)
def test_copies_lie_in_different_melds_and_jokers_fill_places(hand, matched):
    assert most_matched(LOW, tuple(hand.split()), points) == matched


def test_the_ace_is_high_only_where_the_rules_say_so():
    hand = ("QC1", "KC1", "AC1")
    assert most_matched(LOW, hand, points) == 0
    assert most_matched(HIGH_OR_LOW, hand, points) == 21


@pytest.mark.parametrize("rules", [LOW, HIGH_OR_LOW, DOUBLED])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_melds_are_melds_of_different_cards_of_the_hand_and_no_more_can_be_laid(rules, seed):
    hand = tuple(by_display(Random(seed).sample(pack(copies=2, jokers=2), 18)))
    melds = best_melds(rules, hand)
    laid = [card for meld in melds for card in meld.cards]
    assert [rules.fault(meld) for meld in melds] == [None] * len(melds)
    assert set(laid) <= set(hand)
    assert len(set(laid)) == len(laid)
    assert len(laid) >= most_matched(rules, hand, lambda card: 1)
    if rules.set_suits == "different":
        assert len(laid) == most_matched(rules, hand, lambda card: 1)


def test_a_suit_is_twice_in_a_set_only_where_the_rules_allow_it():
    hand = ("7C1", "7C2", "7D1", "KS1")
    assert best_melds(LOW, hand) == ()
    assert [meld.cards for meld in best_melds(DOUBLED, hand)] == [("7C1", "7C2", "7D1")]


def test_a_joker_lies_in_the_run_where_it_is_missing():
    assert [str(meld) for meld in best_melds(LOW, ("7C1", "9C1", "KS1", "XB"))] == ["7C1-XB-9C1"]


@pytest.mark.parametrize("game", [game for game in GAMES if game.has_hand_melds], ids=lambda game: game.slug)
def test_every_game_with_melds_finds_those_of_a_hand_and_none_where_there_is_no_hand(game):
    found = 0
    for number in range(20):
        state = game.start(numbered_decks(game.deck(game.read_options({}, 2)), number), seats=2)
        view = state.view(0)
        melds = game.hand_melds(view)
        found += len(melds)
        assert {card for meld in melds for card in meld} <= {*view.hand}
        assert not game.hand_melds(state.view(None))
    assert found
