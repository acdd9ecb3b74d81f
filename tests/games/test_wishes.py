"""Who fits together, whatever people wish."""

from itertools import combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from games import engines
from games.domain.matchmaking import Wish, agreed_terms, find_opponents

CASINO = engines.get("casino")
GIN = engines.get("gin-rummy")


def wish(person, **changes):
    return Wish(person, **{"seats": frozenset({2}), "paces": frozenset({"standard"}), **changes})


def some_of(*values):
    return st.frozensets(st.sampled_from(values), min_size=1)


@st.composite
def wishes(draw, most=6):
    """People at a casino, with some wishes that clash."""
    options = st.fixed_dictionaries({}, optional={"target": st.sampled_from([11, 21]), "partners": st.booleans()})
    return [
        Wish(
            person,
            seats=draw(some_of(2, 3, 4)),
            paces=draw(some_of("quick", "standard")),
            is_rated=draw(st.sampled_from([None, None, True, False])),
            options=draw(options),
            rating=draw(st.sampled_from([1300, 1500, 1700])),
            low=draw(st.sampled_from([None, None, 1400, 1600])),
            avoids=draw(st.frozensets(st.integers(0, most), max_size=1)),
        )
        for person in range(draw(st.integers(1, most)))
    ]


def test_who_minds_nothing_plays_by_the_usual_rules():
    agreed = agreed_terms(GIN, [wish(1), wish(2)], 2)
    assert agreed.options == GIN.read_options({}, 2)
    assert (agreed.pace, agreed.is_rated) == ("standard", False)


def test_who_minds_nothing_gets_what_the_other_wants():
    asks = wish(2, is_rated=True, options={"target": 50}, paces=frozenset({"quick"}))
    minds_nothing = wish(1, paces=frozenset({"quick", "standard"}))
    agreed = agreed_terms(GIN, [minds_nothing, asks], 2)
    assert (agreed.pace, agreed.is_rated, agreed.options["target"]) == ("quick", True, 50)


def test_opposite_wishes_do_not_meet():
    assert agreed_terms(GIN, [wish(1, options={"oklahoma": True}), wish(2, options={"oklahoma": False})], 2) is None
    assert agreed_terms(GIN, [wish(1, is_rated=True), wish(2, is_rated=False)], 2) is None
    assert agreed_terms(GIN, [wish(1), wish(2, paces=frozenset({"quick"}))], 2) is None
    assert agreed_terms(GIN, [wish(1), wish(2, seats=frozenset({3}))], 2) is None


def test_ratings_have_to_suit_both_sides():
    strong, choosy = wish(1, rating=1900), wish(2, high=1700)
    assert agreed_terms(GIN, [strong, choosy], 2) is None
    assert agreed_terms(GIN, [wish(1, rating=1700), choosy], 2)


def test_whom_one_avoids_one_does_not_meet_whoever_asks_first():
    assert agreed_terms(GIN, [wish(1, avoids=frozenset({2})), wish(2)], 2) is None
    assert agreed_terms(GIN, [wish(2), wish(1, avoids=frozenset({2}))], 2) is None


def test_an_option_for_four_seats_is_not_played_with_two():
    partners = wish(1, options={"partners": True}, seats=frozenset({2, 4}))
    assert agreed_terms(CASINO, [partners], 2) is None
    assert agreed_terms(CASINO, [partners], 4)


def test_whoever_comes_first_is_taken():
    found = find_opponents(GIN, [wish(1)], [wish(2, is_rated=True), wish(3), wish(4)], seats=2, people=2)
    assert [one.person for one in found] == [1, 2]


def test_people_are_found_though_the_first_two_do_not_like_each_other():
    three = frozenset({3})
    waiting = [wish(2, seats=three, avoids=frozenset({3})), wish(3, seats=three), wish(4, seats=three)]
    found = find_opponents(CASINO, [wish(1, seats=three)], waiting, seats=3, people=3)
    assert [one.person for one in found] == [1, 2, 4]


@settings(deadline=None)
@given(wishes(), st.sampled_from([2, 3, 4]))
def test_agreeing_does_not_depend_on_who_is_asked_first(people, seats):
    assert len({str(agreed_terms(CASINO, order, seats)) for order in permutations(people[:3])}) == 1


@settings(deadline=None)
@given(wishes(), st.sampled_from([2, 3, 4]))
def test_nobodys_wish_is_hurt(people, seats):
    agreed = agreed_terms(CASINO, people, seats)
    for one in people if agreed else ():
        assert seats in one.seats and agreed.pace in one.paces
        assert one.is_rated in (None, agreed.is_rated)
        assert one.options.items() <= agreed.options.items()
        assert all(other.person not in one.avoids for other in people if other is not one)
        assert all(one.low is None or other.rating >= one.low for other in people if other is not one)


@settings(deadline=None)
@given(wishes(), st.sampled_from([2, 3, 4]))
def test_people_who_fit_are_found_if_there_are_any(people, seats):
    first, *others = people
    groups = ((first, *some) for some in combinations(others, seats - 1))
    exists = any(agreed_terms(CASINO, group, seats) for group in groups)
    found = find_opponents(CASINO, [first], others, seats=seats, people=seats)
    assert bool(found) == exists
    assert found is None or (len(found) == seats and agreed_terms(CASINO, found, seats))
