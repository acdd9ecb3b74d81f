"""What becomes of events when an account is closed, and what its owner may take along."""

import re
import threading

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.bots import register_bot
from accounts.models import User
from accounts.services import close_account, export_account_data, join_account, suspend_account
from games.services import seat_and_start
from notifications.models import Notice
from tests.connections import at_once, wait_for_a_lock
from tests.pages import page_html
from tests.tournaments.factories import entry_of, match_of, names, person, started, status_of
from tournaments import services
from tournaments.models import CalendarToken, Entry, EventLog, EventRole, Match
from tournaments.services.common import locked_event

GOES = {
    "closed": lambda ann: close_account(user=ann),
    "shut": lambda ann: suspend_account(user=ann, why="insults"),
    "joined": lambda ann: join_account(guest=ann, user=person("account")),
}
LOCKS = re.compile(r"^(UPDATE|INSERT|DELETE)|FOR (NO KEY )?UPDATE")


def test_who_closes_the_account_withdraws_from_what_comes(event):
    noon = event(people="ann bob")
    close_account(user=person("ann"))
    assert names(noon.entries.present()) == ["bob"]


def test_who_is_shut_out_withdraws_as_well_and_keeps_the_name(event):
    noon = event(people="ann bob")
    suspend_account(user=person("ann"), why="insults")
    assert names(noon.entries.present()) == ["bob"]
    assert noon.log.filter(what="ann withdrew.").exists()


def test_in_a_running_event_the_match_is_lost_and_the_event_goes_on(event):
    noon = started(event(people="ann bob cat dan"))
    match, ann = match_of(noon, "ann"), person("ann")
    close_account(user=ann)
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert match.sides.get(entry__user=ann).place == 2
    assert "Former player" in noon.entries.get(user=ann).name


def test_no_text_about_the_event_has_the_name_any_more(event):
    noon = started(event(people="ann bob cat dan"))
    ann = person("ann")
    services.withdraw_entry(event_id=noon.pk, user=ann)
    assert "ann" in match_of(noon, "ann").reason
    close_account(user=ann)
    texts = [
        *EventLog.objects.values_list("what", flat=True),
        *Match.objects.values_list("reason", flat=True),
        *Notice.objects.values_list("text", flat=True),
    ]
    assert any("Former player" in text for text in texts)
    assert not [text for text in texts if "ann" in text.split()]


def test_the_result_of_an_event_that_is_over_stays(event, client):
    noon = started(event(people="ann bob"))
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    services.advance_running_event(event_id=noon.pk, now=noon.starts_at)
    place = entry_of(noon, "ann").place
    ann, page = person("ann"), noon.get_absolute_url()
    assert "Former player" not in page_html(client.get(page))
    close_account(user=ann)
    assert place and noon.entries.get(user=ann).place == place
    assert "Former player" in page_html(client.get(page))  # at once, though pages keep what they have read


def test_what_is_ones_own_is_deleted(event):
    noon, ann = event(), person("ann")
    CalendarToken.objects.create(user=ann)
    EventRole.objects.create(event=noon, user=ann, role=EventRole.Role.HELPER)
    services.admit_people(event_id=noon.pk, users=[ann], by=person("director"))
    close_account(user=ann)
    for model in (CalendarToken, EventRole):
        assert not model.objects.exists()
    assert not noon.invitations.exists()
    assert noon.log.get(what__startswith="Invited").what == "Invited Former player."


def test_the_file_has_entries_and_places(event):
    noon = event(people="ann bob")
    [entry] = export_account_data(person("ann"))["entries"]
    assert (entry["event"], entry["status"], entry["players"]) == (noon.name, "entered", ["ann"])
    assert status_of(noon, "ann") == Entry.Status.ENTERED


# At the same time as others


@pytest.mark.only_on("postgresql")
@pytest.mark.parametrize("goes", GOES)
def test_people_are_locked_first_and_then_events_seeks_and_tables(goes, event):
    """Those of an account and of its bot together."""
    ann, _ = person("ann"), person("account")
    bot, _ = register_bot(owner=ann, name="marvin")
    started(event(people="ann bob"))
    seat_and_start(game="casino", players=[bot, person("bob")], options=None)
    with CaptureQueriesContext(connection) as queries:
        GOES[goes](ann)
    asked = [query["sql"] for query in queries]
    locks = [sql for sql in asked if LOCKS.search(sql)]
    tables = ["accounts_user", "tournaments_event", "games_seek", "games_table"]
    assert [sql.partition("FROM ")[2].split()[0].strip('"') for sql in locks[:4]] == tables
    others = [sql for sql in locks[4:] if 'FROM "tournaments_event"' in sql]
    assert len(others) == (0 if goes == "joined" else 1)  # from which it withdraws


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("goes", GOES)
def test_who_goes_while_he_withdraws_waits_until_that_is_done(goes, event):
    """Either holds what the other wants, if they lock in another order, and PostgreSQL ends one of them."""
    noon = started(event(people="ann bob cat dan"))
    ann, account, is_locked = person("ann"), person("account"), threading.Event()

    def withdraw():
        with transaction.atomic():
            locked_event(noon.pk)
            is_locked.set()
            wait_for_a_lock()
            services.withdraw_entry(event_id=noon.pk, user=ann)

    def go():
        assert is_locked.wait(10)
        GOES[goes](User.objects.get(pk=ann.pk))

    at_once(go, withdraw)
    entry = noon.entries.get(user=account if goes == "joined" else ann)
    assert entry.status == Entry.Status.WITHDRAWN
