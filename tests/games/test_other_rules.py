"""What becomes of games when an update changes the rules of their engine."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from games import services
from games.engines import get
from games.models import Table
from games.presentation.table_wording import result_reason
from games.record import replay
from games.views.access import GONE
from tests.games.recorder import addresses_of_tables
from tests.pages import page_html
from tests.tables import fresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def update_rules(monkeypatch):
    """`update_rules()`: an update of the site changes the rules of Casino; all processes are new."""

    def change():
        monkeypatch.setattr(type(get("casino")), "rules_version", 2)
        replay._newest.clear()

    return change


def test_a_finished_game_keeps_its_result_and_says_why_its_cards_are_not_shown(
    table_of, play_on, person, as_user, update_rules
):
    table = play_on(table_of("alice", "bob"), 6)
    services.resign(table_id=table.pk, user=person("alice"))
    update_rules()
    browser = as_user(person("alice"))
    for name in ("table", "replay", "result", "verify"):
        page = browser.get(reverse(f"games:{name}", args=[table.code]))
        assert page.status_code == GONE
        assert "Played under earlier rules" in page_html(page)
        assert "bob wins" in page_html(page)
    assert browser.get("/players/alice/").status_code == 200
    assert len(browser.post("/accounts/export/").json()["games"][0]["moves"]) == 6


def test_nothing_at_such_a_table_fails(table_of, play_on, person, as_user, update_rules):
    table = play_on(table_of("alice", "bob"), 6)
    services.resign(table_id=table.pk, user=person("alice"))
    services.offer_deal(table_id=table.pk, user=person("alice"))
    update_rules()
    for browser in (as_user(person("alice")), as_user(person("carol"))):
        for address in addresses_of_tables():
            path = address.path(fresh(table), "bob")
            for answer in (browser.get(path), browser.post(path, {"at": "2", "seat": "0", "level": "club"})):
                assert answer.status_code < 500, path
        assert table.code not in page_html(browser.get("/deals/"))
    assert not Table.objects.exclude(pk=table.pk).exclude(rematch_of=table).exists()  # neither "what if" nor its deals


def test_a_deployment_ends_running_games_for_nobody_and_lets_waiting_ones_begin(
    table_of, play_on, person, update_rules, state_of
):
    running = play_on(table_of("alice", "bob", is_rated=True, secret=bytes(31) + b"1"), 6)
    other = table_of("alice", "bob", game="gin-rummy", secret=bytes(31) + b"2")
    over = table_of("alice", "bob", secret=bytes(31) + b"3")
    services.resign(table_id=over.pk, user=person("alice"))
    asked = {"user": person("carol"), "game": "casino", "seats": 2, "options": None}
    waiting = [services.open_and_sit(**asked, is_private=is_private) for is_private in (False, True)]
    update_rules()
    call_command("end_outdated_games")
    running = fresh(running)
    assert (running.status, running.is_rated, running.result["places"]) == (Table.Status.FINISHED, False, [1, 1])
    assert "changed during this game" in result_reason(running)
    assert fresh(other).status == Table.Status.RUNNING
    assert fresh(over).rules_version == 1
    for table in waiting:
        begun = services.sit_down(table_id=table.pk, user=person("dan"))
        assert fresh(begun).status == Table.Status.RUNNING
        assert state_of(begun).to_act
