"""The games in which somebody is to move, and the way from one to the next."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.domain.clocks import PACES
from games.models import Table
from games.queries.own_games import own_games
from tests.pages import page_html

pytestmark = pytest.mark.django_db
DAYS, SLOW = PACES["days-1"].fields, PACES["days-3"].fields


@pytest.fixture
def three(table_of):
    """Games of ann's over days that wait for her, the one with the least time left first."""
    games = (("bob", SLOW), ("cat", DAYS), ("dan", SLOW))
    tables = [table_of("ann", name, **pace, secret=bytes([at]) * 32) for at, (name, pace) in enumerate(games, start=1)]
    return [tables[1], tables[0], tables[2]]


def line(browser, path: str) -> tuple[str, str] | None:
    """Address and words of the way to the own games in the header."""
    found = re.search(r'class="own-game" href="([^"]+)"[^>]*>([^<]+)', page_html(browser.get(path)))
    return found.groups() if found else None


def waiting(user) -> tuple[Table, ...]:
    return own_games(user, timezone.now()).waiting


def test_games_wait_for_whose_turn_it_is_the_least_time_first(three, person, play_on):
    assert waiting(person("ann")) == tuple(three)
    assert waiting(person("bob")) == ()
    play_on(three[1], 1)
    assert waiting(person("ann")) == (three[0], three[2])
    assert waiting(person("bob")) == (three[1],)


def test_a_game_at_one_sitting_is_not_among_them(table_of, person):
    table_of("ann", "bob", **PACES["standard"].fields)
    assert waiting(person("ann")) == ()


def test_nobody_is_waited_for_during_a_vacation(three, person):
    today = timezone.now().date()
    services.take_vacation(user=person("ann"), first=today, last=today + timedelta(days=2), now=timezone.now())
    assert waiting(person("ann")) == ()


def test_every_page_counts_the_games_that_wait_and_leads_to_the_first(three, person, as_user):
    ann = as_user(person("ann"))
    for path in ("/games/", "/play/", "/"):
        assert line(ann, path) == ("/play/next/", "Your turn in 3 games")
    assert ann.get("/play/next/").url == three[0].get_absolute_url()


def test_one_steps_from_table_to_table_and_back_to_the_first(three, person, as_user):
    ann, seen = as_user(person("ann")), [three[0]]
    for _ in range(3):
        url, words = line(ann, seen[-1].get_absolute_url())
        assert words == "Next game (2)"
        seen.append(next(table for table in three if table.get_absolute_url() == ann.get(url).url))
    assert seen == [*three, three[0]]


def test_a_game_at_one_sitting_comes_before_those_that_wait(three, table_of, person, as_user):
    table = table_of("ann", "eve")
    for path in ("/games/", "/play/"):
        assert line(as_user(person("ann")), path) == (table.get_absolute_url(), "Back to your game of Casino")


def test_pages_that_do_not_exist_and_other_tables_lead_to_the_own_game_too(table_of, person, as_user):
    own, other = table_of("ann", "eve"), table_of("bob", "cat", secret=b"9" * 32)
    for path in ("/no-such-page/", "/tables/no-such-table/", other.get_absolute_url()):
        assert line(as_user(person("ann")), path) == (own.get_absolute_url(), "Back to your game of Casino")
    assert line(as_user(person("ann")), own.get_absolute_url()) is None


def test_where_no_game_waits_the_way_leads_to_the_list(table_of, person, as_user):
    table_of("ann", "bob", **DAYS)
    assert "There is no other game" in page_html(as_user(person("bob")).get("/play/next/", follow=True))
    assert "<b>your turn</b>" in page_html(as_user(person("ann")).get("/play/mine/"))


def test_the_way_comes_anew_with_the_notices_for_the_page_that_shows_it(three, person, as_user):
    page = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{three[0].get_absolute_url()}"}
    text = page_html(as_user(person("ann")).get("/notices/banner/", headers=page))
    assert 'hx-swap-oob="true"' in text and "Next game (2)" in text


def test_the_way_comes_anew_with_the_lobby(table_of, person, as_user):
    table = table_of("ann", "eve")
    page = {"HX-Request": "true", "HX-Current-URL": "http://testserver/play/"}
    text = page_html(as_user(person("ann")).get("/play/tables/", headers=page))
    assert 'hx-swap-oob="true"' in text
    assert f'<a class="own-game" href="{table.get_absolute_url()}"' in text


def test_all_of_them_take_one_query(three, person, django_assert_num_queries):
    ann = person("ann")
    with django_assert_num_queries(1):
        assert len(waiting(ann)) == 3


def test_the_title_of_a_table_says_whose_turn_it_is_without_script(table_of, person, as_user):
    url = table_of("ann", "bob").get_absolute_url()
    assert "<title>Your turn · Casino" in page_html(as_user(person("ann")).get(url))
    assert "<title>Casino" in page_html(as_user(person("bob")).get(url))
