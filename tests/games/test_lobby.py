"""What the lobby shows is drawn once for all who look, and anew when something has changed."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import engines, services
from games.forms.tables import NewTableForm
from games.models import Seek, Table
from games.presentation.game_list import LISTED_GAMES
from games.queries import open_tables
from tests.pages import page_html

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_table(person, django_capture_on_commit_callbacks):
    def make(name):
        with django_capture_on_commit_callbacks(execute=True):
            return services.open_and_sit(user=person(name), game="casino", seats=2, options=None)

    return make


def listed(browser):
    return page_html(browser.get("/play/tables/"))


def test_the_second_reader_costs_no_look_at_the_tables(open_table):
    table = open_table("alice")
    assert table.code in listed(Client())
    with CaptureQueriesContext(connection) as asked:
        assert table.code in listed(Client())
    assert not any("games_table" in query["sql"] and "games_seek" not in query["sql"] for query in asked)


def test_every_change_is_seen_at_once(open_table, person, django_capture_on_commit_callbacks):
    first = open_table("alice")
    assert first.code in listed(Client())
    second = open_table("bob")
    assert second.code in listed(Client())
    with django_capture_on_commit_callbacks(execute=True):
        services.sit_down(table_id=first.pk, user=person("carol"))
    html = listed(Client())
    assert second.code in html and first.code not in html


def test_ones_own_table_is_listed_among_ones_own_only(open_table, person, as_user):
    table = open_table("alice")
    html = listed(as_user(person("alice")))
    assert "Your tables" in html and html.count(f"table {table.code}<") == 1


def test_what_was_drawn_is_drawn_anew_after_a_while(open_table, monkeypatch):
    open_table("alice")
    listed(Client())
    User.objects.filter(username="alice").update(username="anna")
    assert "anna" not in listed(Client())
    monkeypatch.setattr(open_tables, "KEPT_SECONDS", 0)
    assert "anna" in listed(Client())


def test_without_a_known_change_nothing_is_kept(open_table):
    table = open_table("alice")
    listed(Client())
    cache.delete(open_tables.CHANGED)
    services.leave_table(table_id=table.pk, user=table.seats.first().user)
    assert table.code not in listed(Client())


def test_who_looks_for_a_game_finds_the_way_back_to_waiting(person, as_user):
    services.start_seek(user=person("alice"), game="casino", seats=[2], paces=["standard"])
    assert Seek.objects.exists()
    assert "Keep waiting" in listed(as_user(person("alice")))
    assert "Keep waiting" not in listed(as_user(person("bob")))


# A game against bots in one press


def play_bot(browser, **choices):
    browser.post("/play/now/", {"game": "piquet", "level": "first-steps", **choices})
    return Table.objects.latest("pk")


@pytest.fixture
def bots(house_bot):
    house_bot("Ada", "piquet")


def test_a_short_game_is_offered_where_the_rules_have_one(client):
    page = page_html(client.get("/play/?game=piquet"))
    assert re.search(r'value="short"\s*>Short: 50 points', page)
    assert re.search(r'value=""\s+checked>Usual: 100 points', page)
    assert 'name="length"' not in page_html(client.get("/play/?game=cuarenta"))
    part = page_html(client.get("/play/seek/wishes/?game=push", headers={"HX-Request": "true"}))
    assert re.search(r'id="length" hx-swap-oob="true".*Short: 3 deals.*Usual: 5 deals', part, re.DOTALL)


def test_the_page_of_a_game_offers_strength_and_length_as_chosen_last(client, bots):
    def choices(slug):
        page = page_html(client.get(f"/games/{slug}/"))
        form = re.search(r'<form[^>]* action="/play/now/">.*?</form>', page, re.DOTALL)
        return re.findall(r'type="radio" name="(\w+)" value="([\w-]*)"\s*(checked)?', form[0])

    assert ("level", "club", "checked") in choices("piquet")
    assert {name for name, _, _ in choices("cuarenta")} == {"level"}
    play_bot(client, length="short")
    assert ("level", "first-steps", "checked") in choices("piquet")
    assert [(value, checked) for name, value, checked in choices("piquet") if name == "length"] == [
        ("short", ""),
        ("", "checked"),
    ]
    assert ("length", "short", "checked") in choices("krambambuli"), "a usual game takes hours"


@pytest.mark.parametrize("listed", LISTED_GAMES, ids=lambda listed: listed.game.slug)
def test_a_short_game_is_shorter_than_the_usual_one(listed):
    usual = listed.game.read_options({}, listed.game.seats[0])
    short = listed.game.read_options(listed.short, listed.game.seats[0])
    assert all(short[name] < usual[name] for name in ("target", "deals") if name in listed.short)
    assert len(listed.lengths) == (2 if listed.short else 0)


def test_a_game_against_a_bot_is_as_long_as_was_chosen(client, bots):
    key = "0" * 32
    short, usual = play_bot(client, length="short", key=key), play_bot(client, length="", key=key)
    assert (short.options["target"], usual.options["target"]) == (50, 100)
    assert play_bot(client, key=key) == usual


def test_the_page_starts_with_the_game_that_was_played_or_learned_last(client, bots):
    def chosen():
        return re.search(r'<option value="([\w-]+)" selected>', page_html(client.get("/play/")))[1]

    assert chosen() == "casino"
    play_bot(client)
    assert chosen() == "piquet"
    client.post("/learn/cuarenta/pot/equal-ranks/", {"again": "1"})
    assert chosen() == "cuarenta"


@pytest.mark.parametrize("path", ["/games/casino/", "/players/bob/challenge/?game=casino"])
def test_partners_and_a_short_game_are_offered_before_the_other_rules(path, as_user, person):
    person("bob")
    form = re.search(
        r'<form class="form new-table".*?</form>', page_html(as_user(person("alice")).get(path)), re.DOTALL
    )[0]
    first, _, others = form.partition("Rules of this table")
    assert re.findall(r'name="option-(\w+)"', first) == ["partners", "target"]
    assert re.search(r'value="11"\s*>11 \(short game\)', first) and "option-target" not in others


def test_a_long_list_of_numbers_has_round_ones_only(client):
    page = page_html(client.get("/games/piquet/"))
    targets = re.search(r'name="option-target".*?</select>', page, re.DOTALL)[0]
    values = [int(value) for value in re.findall(r'<option value="(\d+)"', targets)]
    assert values == [*range(50, 501, 25)]
    assert "another number, 50 to 500" in targets
    for sent in ({"option-target": "55"}, {"option-target": "other", "option-target_number": "55"}):
        form = NewTableForm(engines.get("piquet"), {"company": "bots", "level": "club", "seats": 2, **sent})
        assert form.is_valid() and form.cleaned_data["options"]["target"] == 55


@pytest.mark.parametrize("number", ["", "49", "501"])
def test_a_number_outside_the_range_is_refused_and_kept(client, number):
    sent = {"company": "bots", "level": "strong", "seats": "2", "option-replies": "bare"}
    answer = client.post("/games/piquet/", sent | {"option-target": "other", "option-target_number": number})
    page = page_html(answer)
    assert answer.status_code == 422 and not Table.objects.exists()
    assert "Enter a number from 50 to 500." in page
    assert re.search(r'<option value="other" selected', page) and re.search(r'<option value="bare" selected', page)
    typed = re.search(r'<input type="number" name="option-target_number"[^>]*>', page)[0]
    assert (f'value="{number}"' in typed) == bool(number) and 'min="50" max="500"' in typed
    assert 'aria-invalid="true"' in typed
    assert re.search(r'<form class="form new-table"[^>]* novalidate', page), "a browser refuses a closed fold silently"


def test_a_number_that_was_left_beside_the_list_does_not_count(client):
    sent = {"company": "bots", "level": "club", "seats": 2, "option-target": "150", "option-target_number": "55"}
    form = NewTableForm(engines.get("piquet"), sent)
    assert form.is_valid() and form.cleaned_data["options"]["target"] == 150
