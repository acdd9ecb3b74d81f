"""What the lobby shows is drawn once for all who look, and anew when something has changed."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import services
from games.models import Seek
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
