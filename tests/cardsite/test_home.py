"""The home page, and the icon that browsers ask for by themselves."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games import services as games
from tests.pages import page_html
from tournaments import services as tournaments
from tournaments.models import Event


@pytest.fixture
def ada(db, client):
    user = User.objects.create_user("ada")
    client.force_login(user)
    return user


def home_of(client) -> str:
    return page_html(client.get("/"))


def test_strangers_see_the_games_and_nothing_that_waits(client, db):
    page = home_of(client)
    assert "Gin Rummy" in page
    assert 'aria-label="Continue"' not in page
    assert "No account needed" in page


def test_who_has_an_account_is_not_told_that_none_is_needed(client, ada):
    assert "No account needed" not in home_of(client)


def test_on_the_play_page_bots_and_friends_come_before_the_search_for_people(client, db):
    page = page_html(client.get("/play/"))
    assert page.index(">Play a bot<") < page.index(">Invite a friend<") < page.index(">Find an opponent<")


def test_a_running_game_waits_for_who_sits_there(client, ada):
    table = games.open_and_sit(user=ada, game="casino", seats=2, options={})
    assert table.code not in home_of(client)
    games.sit_down(table_id=table.pk, user=User.objects.create_user("ben"))
    assert re.search(
        rf'href="/tables/{table.code}/"> ?<span>Playing:</span> <b>Casino</b> <span> with ben ?</span>', home_of(client)
    )
    games.resign(table_id=table.pk, user=ada)
    assert table.code not in home_of(client)


def test_the_next_event_that_one_is_in_waits_too(client, ada):
    starts_at = timezone.now() + timedelta(minutes=30)
    event = Event(name="Evening cup", game="casino", starts_at=starts_at, registration_minutes=60)
    event = tournaments.save_event(event, by=None, now=timezone.now())
    tournaments.open_registration(event_id=event.pk, now=timezone.now())
    assert 'aria-label="Continue"' not in home_of(client)
    tournaments.enter_event(event_id=event.pk, user=ada)
    assert "You're in:</span> <b>Evening cup</b>" in home_of(client)


def test_browsers_that_ask_for_an_icon_find_one(client):
    assert client.get("/favicon.ico").url == "/static/cardsite/icon.svg"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ("/games/casino/", "Games"),
        ("/games/casino/deals/", "Games"),
        ("/games/casino/ratings/", "Games"),
        ("/play/", "Play"),
        ("/watch/", "Play"),
        ("/learn/casino/", "Learn"),
    ],
)
def test_the_menu_marks_where_one_is(client, path, entry):
    menu = page_html(client.get(path)).partition('aria-label="Site"')[2].partition("</nav>")[0]
    assert re.findall(r'aria-current="\w+">(\w+)<', menu) == [entry]


# The step that is played on the home page

STEP = "/learn/casino/taking/same-rank/"
ALL, ONE = "9Sx9D+9H", "9Sx9D"


def play(client, text, **headers) -> str:
    return page_html(client.post("/", {"text": text, "version": "0"}, headers=headers))


@pytest.mark.django_db
def test_the_step_is_answered_by_the_rules_as_in_its_lesson(client):
    assert "What would have happened" in play(client, ONE) and "You left a nine behind" in play(client, ONE)
    assert "faces are captured" not in play(client, "9SxKC").lower()
    page = play(client, ALL)
    assert "Three nines for you" in page and "<!doctype html>" in page
    assert "Three nines for you" in page_html(client.get(STEP))


@pytest.mark.django_db
def test_htmx_gets_the_step_alone(client):
    part = play(client, ALL, hx_request="true")
    assert part.startswith('<div id="lesson"') and "<h1" not in part
    assert "<h1" not in page_html(client.get("/", headers={"HX-Request": "true"}))


@pytest.mark.django_db
def test_a_looker_gets_no_guest_account_and_who_plays_the_step_is_led_on_to_the_course(client):
    home_of(client)
    assert not User.objects.exists()
    play(client, ALL)
    assert "Casino, step 2</b>" in home_of(client)
    client.post("/learn/casino/taking/worth-a-point/", {"text": "AHxAS", "version": "0"})
    assert "Casino, step 3</b>" in home_of(client)
