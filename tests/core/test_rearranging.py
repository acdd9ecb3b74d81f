"""Plays on a common table: their numbers, their readings, and single cards against the arrangement solver."""

from itertools import combinations
from random import Random

import pytest

from games.core.cards import RANKS, by_display, face
from games.core.rummy.arranging import arrange, counts
from games.core.rummy.melds import SEQUENCES, Meld, meld_run, meld_set, read_meld
from games.core.rummy.rearranging import (
    PACK,
    HouseRules,
    Play,
    Situation,
    keeps_jokers,
    opens,
    parse_move,
    play_to,
    suggestions,
    table_after,
)

HOUSE = HouseRules("high_or_low")


def table(*melds: str):
    return {number: read_meld(text) for number, text in enumerate(melds, start=1)}


def situation(house: HouseRules, melds, hand: str) -> Situation:
    return Situation(house, tuple(melds.items()), tuple(hand.split()), has_opened=True)


def test_new_melds_take_the_lowest_free_numbers():
    play = parse_move("P x1 > 8S1-9S1-TS1 / 7C1+7D1+7H1")
    assert isinstance(play, Play)
    after = table_after(table("7C1+7D1+7H1", "4C1-5C1-6C1"), play)
    assert {number: str(meld) for number, meld in after.items()} == {
        1: "8S1-9S1-TS1",
        2: "4C1-5C1-6C1",
        3: "7C1+7D1+7H1",
    }


def test_groups_in_any_order_become_a_play_that_leaves_other_melds_alone():
    melds = table("6C1-7C1-8C1-9C1", "JS1+JD1+JC1")
    groups = [["9C1", "7C1", "8C1"], ["JD1", "JC1", "JS1"], ["6H1", "6D1", "6C1"]]
    assert str(play_to(HOUSE, melds, groups)) == "P x1 > 7C1-8C1-9C1 / 6C1+6D1+6H1"


def some_meld(house: HouseRules, rng: Random):
    if rng.random() < 0.4:
        rank = rng.choice("A23456789TJQK")
        return meld_set(rank + suit + "1" for suit in rng.sample("CDHS", rng.choice([3, 4])))
    ranks = SEQUENCES[house.sequence]
    length = rng.randint(3, 9)
    start = rng.randrange(13 if house.sequence == "round" else len(ranks) - length + 1)
    return meld_run(rank + "H1" for rank in ranks[start : start + length])


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_a_card_goes_to_a_single_meld_exactly_if_the_solver_says_so(sequence):
    rng, house, fits = Random(1), HouseRules(sequence), 0
    for _ in range(300):
        meld = some_meld(house, rng)
        card = rng.choice([card for card in PACK if card[1] in "HS" and card[0] != "X" and card not in meld.cards])
        plays = suggestions(situation(house, {1: meld}, card)).easy
        assert bool(plays) == (arrange(sequence, counts(map(face, (*meld.cards, card)))) is not None)
        for play in plays:
            assert sorted(play.cards) == sorted((*meld.cards, card))
            assert not any(map(house.melds.fault, play.melds))
        fits += bool(plays)
    assert fits > 10


def test_cards_that_can_fit_nowhere_do_not_change_what_is_found():
    melds = table("2C1-3C1-4C1", "5C1-6C1-7C1-8C1", "AH1-2H1-3H1", "2D1+2H2+2S1")
    few, many = "AH2 3H2", "AH2 3H2 9S1 JD1 KC2 KS1"
    assert suggestions(situation(HOUSE, melds, few)).largest == suggestions(situation(HOUSE, melds, many)).largest
    assert suggestions(situation(HOUSE, melds, "9S1 JD1 KC2 KS1")).plays == ()


def tables_of(house: HouseRules, cards: tuple[str, ...]):
    """Every way to lay all of these cards in melds, by plain search."""
    if not cards:
        yield ()
    for size in range(3, len(cards) + 1):
        for others in combinations(cards[1:], size - 1) if len(cards) - size not in (1, 2) else ():
            for meld in house.melds.readings((cards[0], *others)):
                yield from ((meld, *rest) for rest in tables_of(house, without(cards[1:], others)))


def without(cards: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card in cards if card not in others)


def most_played(house: HouseRules, melds: dict[int, Meld], hand: list[str]) -> int:
    """The most cards of a hand that can be played, by plain search."""
    lying = tuple(card for meld in melds.values() for card in meld.cards)
    for size in range(len(hand), 0, -1):
        for part in combinations(hand, size):
            plays = (Play(tuple(melds), after) for after in tables_of(house, (*lying, *part)))
            if any(keeps_jokers(house, melds, play) for play in plays):
                return size
    return 0


def most_opened(house: HouseRules, melds: dict[int, Meld], hand: tuple[str, ...]) -> int:
    """The most cards that a player who has not opened can play, by plain search."""
    lying = tuple(card for meld in melds.values() for card in meld.cards)
    for size in range(len(hand), 2, -1):
        for part in combinations(hand, size):
            if opens(house, part):
                plays = (Play(tuple(melds), after) for after in tables_of(house, (*lying, *part)))
                if any(keeps_jokers(house, melds, play) for play in plays):
                    return size
    return 0


@pytest.mark.parametrize("opening_joker", [True, False])
def test_the_largest_opening_is_that_of_a_plain_search(opening_joker):
    rng, played = Random(3), []
    house = HouseRules("round", opening_run=True, opening_joker=opening_joker)
    for _ in range(25):
        melds, others = crowded_table(house, rng)
        first, *_ = melds.items()
        suit = rng.choice("CDH")
        same = [card for card in others if card[1] == suit]
        left = [card for card in ("XB", "XR") if card not in first[1].cards]
        hand = tuple(by_display({*same[:3], *rng.sample(others, 2), *left[: rng.choice([0, 1])]}))
        asked = Situation(house, (first,), hand, has_opened=False)
        largest = suggestions(asked).largest
        played.append(len(largest.from_hand(dict([first]))) if largest else 0)
        assert played[-1] == most_opened(house, dict([first]), hand)
        assert largest is None or opens(house, largest.from_hand(dict([first])))
        assert bool(largest) == suggestions(asked).exist
    assert {0, 3, 4} <= {*played}


def crowded_table(house: HouseRules, rng: Random) -> tuple[dict[int, Meld], list[str]]:
    """Two or three small melds of neighbouring cards, one or two with a joker, and other such cards."""
    first = rng.randrange(13)
    near = [RANKS[(first + step) % 13] + suit + copy for step in range(4) for suit in "CDH" for copy in "12"]
    melds: dict[int, Meld] = {}
    for jokers in ([], ["XB"], ["XR"])[: rng.choice([2, 2, 3])]:
        found: list[Meld] = []
        while not found:
            part = rng.sample(near, rng.choice([3, 4]) - len(jokers))
            found = house.melds.readings((*part, *jokers))
        near = [card for card in near if card not in part]
        melds[len(melds) + 1] = rng.choice(found)
    return melds, near


@pytest.mark.parametrize("release", ["any", "hand_only", "free"])
def test_with_jokers_on_the_table_the_largest_play_is_that_of_a_plain_search(release):
    rng, played = Random(7), []
    for number in range(40):
        house = HouseRules(list(SEQUENCES)[number % len(SEQUENCES)], release)
        melds, others = crowded_table(house, rng)
        hand = sorted(rng.sample(others, 2))
        largest = suggestions(situation(house, melds, " ".join(hand))).largest
        played.append(len(largest.from_hand(melds)) if largest else 0)
        assert played[-1] == most_played(house, melds, hand)
        assert largest is None or keeps_jokers(house, melds, largest)
    assert {0, 1, 2} <= {*played}
