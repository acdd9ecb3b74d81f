"""The ranking list of a game."""

import pytest

from accounts.services import make_guest
from games.domain.rating_math import PROVISIONAL_SIGMA
from games.models import Rating
from games.queries import leaderboard
from tests.pages import page_html, page_words

pytestmark = pytest.mark.django_db

SETTLED, UNSURE = PROVISIONAL_SIGMA, PROVISIONAL_SIGMA + 0.01


def rate(user, mu, sigma=SETTLED, game="casino"):
    return Rating.objects.create(user=user, game=game, mu=mu, sigma=sigma, games=20)


def listed(game="casino", *, with_bots=True):
    return [
        (place, rating.user.display_name) for place, rating in leaderboard.leaderboard_rows(game, with_bots=with_bots)
    ]


def test_the_best_come_first_and_equals_share_a_place(person):
    for name, mu in (("ann", 27), ("bob", 30), ("cat", 27), ("dan", 25)):
        rate(person(name), mu)
    assert listed() == [(1, "bob"), (2, "ann"), (2, "cat"), (4, "dan")]
    assert listed("piquet") == []


def test_provisional_ratings_and_those_of_guests_and_closed_accounts_are_not_listed(person):
    rate(person("ann"), 30, UNSURE)
    rate(make_guest(), 30)
    gone = person("bob")
    gone.is_active = False
    gone.save()
    rate(gone, 30)
    assert listed() == []
    rate(person("cat"), 20)
    assert listed() == [(1, "cat")]


def test_bots_can_be_left_out(person, house_bot):
    rate(house_bot("Pip").user, 30)
    rate(person("ann"), 25)
    assert listed() == [(1, "Pip"), (2, "ann")]
    assert listed(with_bots=False) == [(1, "ann")]


def test_the_own_place_is_that_among_all_who_are_listed(person, house_bot):
    rate(house_bot("Pip").user, 30)
    best, ann, unsure = rate(person("bob"), 28), rate(person("ann"), 25), rate(person("cat"), 40, UNSURE)
    assert best
    assert leaderboard.leaderboard_place(ann.user, ann, with_bots=True) == 3
    assert leaderboard.leaderboard_place(ann.user, ann, with_bots=False) == 2
    assert leaderboard.leaderboard_place(unsure.user, unsure, with_bots=True) is None


def test_the_page_marks_bots_and_the_visitor_and_reads_little(
    person, house_bot, as_user, django_assert_max_num_queries
):
    rate(house_bot("Pip").user, 30)
    for number in range(30):
        rate(person(f"p{number}"), 25)
    browser = as_user(person("p7"))
    browser.get("/")
    with django_assert_max_num_queries(10):
        html = page_html(browser.get("/games/casino/ratings/"))
    assert "First steps bot" in html
    assert html.count('class="is-me"') == 1
    assert "You are number <b>2</b>" in html
    assert "Pip" not in page_words(browser.get("/games/casino/ratings/?who=people"))


def test_whoever_is_provisional_is_told_so(person, as_user):
    rate(person("ann"), 30, UNSURE)
    html = page_html(as_user(person("ann")).get("/games/casino/ratings/"))
    assert "provisional" in html and "You will be listed after" in html


def test_a_game_that_does_not_exist_has_no_list(client):
    assert client.get("/games/poker/ratings/").status_code == 404
