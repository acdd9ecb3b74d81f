"""What a result page says of a game in two figures: by how much it was won, and where it turned."""

import pytest

from games import services
from games.presentation.game_story import BiggestSwing, biggest_swing, margin
from games.presentation.score_sheets import HandSheet
from tests.pages import page_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(table_of, play_on):
    return play_on(table_of("alice", "bob", game="sixty-six"))


def sheets(*points):
    """Hands with these points by seat."""
    totals = [0] * len(points[0])
    for number, gained in enumerate(points, start=1):
        totals = [total + more for total, more in zip(totals, gained, strict=True)]
        yield HandSheet(number, "", (), gained, tuple(totals), ())


def for_winner(table, *points):
    """The same with the points of the winner first."""
    [winner] = table.winners
    return list(sheets(*((one[winner.number], one[1 - winner.number]) for one in points)))


def names(table):
    [winner] = table.winners
    return table.names[winner.number], table.names[1 - winner.number]


def test_the_biggest_swing_is_the_hand_in_which_the_winner_gained_most(over):
    winner, loser = names(over)
    hands = for_winner(over, (5, 3), (4, 13), (20, 9), (3, 0))
    assert biggest_swing(over, hands) == BiggestSwing(3, f"in hand 3 {winner} gains 11 points on {loser}")


def test_it_is_none_that_the_winner_lost_even_by_more(over):
    winner, loser = names(over)
    hands = for_winner(over, (5, 3), (4, 25), (20, 1), (20, 1))
    assert biggest_swing(over, hands) == BiggestSwing(3, f"in hand 3 {winner} gains 19 points on {loser}")


def test_it_is_told_in_the_word_that_players_of_the_game_use(table_of, play_on):
    table = play_on(table_of("alice", "bob", game="piquet", deals=2))
    winner, loser = names(table)
    hands = for_winner(table, (5, 3), (40, 9))
    assert biggest_swing(table, hands) == BiggestSwing(2, f"in deal 2 {winner} gains 31 points on {loser}")


@pytest.fixture
def resigned(table_of, person):
    """A game of which the lowest score wins; alice has resigned."""
    table = table_of("alice", "bob", game="shanghai", secret=bytes([1]) * 32)
    return services.resign(table_id=table.pk, user=person("alice"))


def test_where_the_lowest_score_wins_the_winner_takes_fewer_points(resigned):
    hands = for_winner(resigned, (10, 12), (0, 30))
    assert biggest_swing(resigned, hands) == BiggestSwing(2, "in hand 2 bob takes 30 points fewer than alice")


def test_a_winner_by_resignation_has_no_swing_where_all_hands_went_against_them(resigned, over):
    assert biggest_swing(resigned, for_winner(resigned, (5, 0), (30, 0))) is None
    assert biggest_swing(over, for_winner(over, (0, 5), (0, 30))) is None


def test_it_is_named_as_players_of_the_game_call_it(table_of, play_on):
    table = play_on(table_of("alice", "bob", game="piquet"))
    assert biggest_swing(table, for_winner(table, (5, 3), (20, 9))).text.startswith("in deal 2 ")


def test_one_hand_has_no_biggest_swing_nor_have_equal_ones(over):
    assert biggest_swing(over, for_winner(over, (5, 3))) is None
    assert biggest_swing(over, for_winner(over, (5, 5), (2, 2))) is None


def test_the_result_page_tells_the_story_and_offers_a_rematch_first(over, person, as_user):
    first, second = sorted(over.result["scores"], reverse=True)
    assert margin(over) == first - second > 0
    page = page_words(as_user(person("alice")).get(f"{over.get_absolute_url()}result/"))
    assert f"Won by {first - second} point" in page
    assert "The biggest swing: in hand" in page
    offers = ["Rematch", "Replay", "Score sheet", "New opponent"]
    assert sorted(offers, key=page.index) == offers


def test_a_game_without_points_has_no_margin(table_of):
    table = table_of("alice", "bob", game="vatican")
    table.ended_by, table.result = table.EndedBy.RULES, {"scores": [1, 0], "places": [1, 2], "reason": ""}
    assert margin(table) == 0
    table.options = table.options | {"penalty_scoring": True}
    assert margin(table) == 1


def test_the_result_page_of_a_game_without_points_speaks_of_none(table_of, play_on, person, as_user):
    table = play_on(table_of("alice", "bob", game="vatican"))
    page = page_words(as_user(person("alice")).get(f"{table.get_absolute_url()}result/"))
    assert "How it ended" in page and "goes out" in page
    assert "point" not in page.lower() and "Score sheet" not in page
