"""Numbers that visitors send, however long they are."""

import re

import pytest
from django.urls import URLPattern, get_resolver, reverse

from games import services as games
from games.models import Table
from infra.numbers import LARGEST, read_number
from notifications.models import Notice
from tests.games.recorder import addresses
from tests.tournaments.leagues import planned
from tournaments.services.league import start_due_night

TOO_LONG = pytest.mark.parametrize("number", ["9" * 20, "9" * 5000], ids=["20 digits", "5000 digits"])


@pytest.mark.parametrize(
    ("text", "read"),
    [("0", 0), ("17", 17), ("007", 7), ("٣", 3), (str(LARGEST), LARGEST)]
    + [(text, None) for text in ("", "-1", "+1", "1.0", "1e3", " 1", "²", "x", "\x00", "9" * 20, "9" * 5000)],
)
def test_a_number_is_read_and_anything_else_is_the_default(text, read):
    assert read_number(text, None) == read
    assert read_number(text, -1) == (-1 if read is None else read)


def test_a_number_has_bounds():
    assert read_number("60", 0, most=60) == 60
    assert read_number("61", 0, most=60) == 0
    assert read_number(str(LARGEST + 1), 0) == 0


@pytest.mark.django_db
@TOO_LONG
def test_no_row_has_an_id_that_the_database_cannot_hold(client, number):
    for path in (f"/tournaments/{number}/", f"/notices/{number}/", f"/challenges/{number}/"):
        assert client.get(path).status_code == 404


def test_every_number_in_an_address_is_bounded():
    def patterns(resolver):
        for pattern in resolver.url_patterns:
            yield from [pattern] if isinstance(pattern, URLPattern) else patterns(pattern)

    unbounded = [str(one.pattern) for one in patterns(get_resolver()) if re.search(r"<int:", str(one.pattern))]
    assert unbounded == []
    assert {address.name for address in addresses() if "pk" in address.parts}


@pytest.fixture
def finished(table_of, person):
    """A game that alice has won against bob."""
    table = table_of("alice", "bob")
    games.resign(table_id=table.pk, user=person("bob"))
    return Table.objects.with_seats().get(pk=table.pk)


@TOO_LONG
@pytest.mark.parametrize("name", ["at", "seat"])
def test_a_replay_shows_its_start_for_a_number_that_it_does_not_have(name, number, finished, client):
    answer = client.get(reverse("games:replay", args=[finished.code]), {name: number})
    assert answer.status_code == 200
    assert (answer.context["look"].at, answer.context["look"].seat) == (0, 0)


@TOO_LONG
def test_a_note_to_a_move_that_cannot_be_is_not_kept(number, finished, person, as_user):
    answer = as_user(person("alice")).post(reverse("games:note", args=[finished.code]), {"at": number, "text": "Good."})
    assert answer.status_code == 302
    assert not finished.move_notes.exists()


@TOO_LONG
def test_sitting_down_on_a_seat_that_cannot_be_is_refused(number, person, as_user):
    alice = person("alice")
    table = games.open_table(game="casino", seats=2, options=None, created_by=alice)
    for name in ("sit", "change-seat", "add-bot"):
        answer = as_user(alice).post(reverse(f"games:{name}", args=[table.code]), {"seat": number})
        assert answer.status_code == 302
        assert answer["Location"] == table.get_absolute_url()
    assert not table.seats.filter(user__isnull=False).exists()


@TOO_LONG
def test_a_notice_that_cannot_be_is_not_marked_as_read(number, person, as_user):
    alice = person("alice")
    notice = Notice.objects.create(user=alice, key="won", text="You won.", url="/")
    assert as_user(alice).post(reverse("notifications:read"), {"notice": number}).status_code == 302
    notice.refresh_from_db()
    assert notice.read_at is None


@TOO_LONG
@pytest.mark.parametrize("name", ["line", "remark"])
def test_a_line_that_cannot_be_is_not_found(name, number, person, as_user):
    answer = as_user(person("alice")).get(reverse("chat:report"), {name: number})
    assert answer.status_code == 404


@TOO_LONG
def test_the_chat_after_a_line_that_cannot_be_has_all_lines(number, table_of, person, as_user):
    table = table_of("alice", "bob")
    alice = as_user(person("alice"))
    alice.post(reverse("chat:lines", args=[table.code]), {"text": "Good luck"})
    answer = alice.get(reverse("chat:lines", args=[table.code]), {"after": number}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "Good luck" in answer.content.decode()


@TOO_LONG
def test_a_stream_begins_where_the_page_is(number, table_of, client):
    table = table_of("alice", "bob")
    path = reverse("games:table-events", args=[table.code])
    for named in ({"query_params": {"seen": number}}, {"headers": {"Last-Event-ID": number}}):
        assert client.get(path, **named).status_code == 200


@TOO_LONG
@pytest.mark.parametrize("name", ["version", "held"])
def test_a_move_with_a_number_that_cannot_be_is_not_played(name, number, table_of, person, as_user, state_of):
    table = table_of("alice", "bob")
    text = str(state_of(table).view(0).moves[0])
    sent = {"version": str(table.version), "text": text, name: number}
    answer = as_user(person("alice")).post(reverse("games:move", args=[table.code]), sent)
    assert answer.status_code in (409, 422)
    assert Table.objects.get(pk=table.pk).move_count == 0


@TOO_LONG
def test_a_page_that_cannot_be_is_the_first(number, db, client):
    league = planned()
    night = start_due_night(league_id=league.pk, now=league.due_at)
    path = reverse("tournaments:league-night", args=[night.pk])
    answer = client.get(path, {"page": number, "pairing": number})
    assert answer.status_code == 200
    assert answer.context["public"] == client.get(path).context["public"]
