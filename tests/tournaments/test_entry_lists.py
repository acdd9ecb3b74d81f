"""Lists of entries with search and pages, names offered while a director types, and forms that are sent twice."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import User
from tests.pages import page_words
from tests.tournaments.factories import entry_of, lose, person, settings_of, started, url
from tournaments.models import Entry, Event
from tournaments.presentation.entry_wording import status_in_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def large(event) -> Event:
    """An event with 130 entries, player0 to player129."""
    noon = event()
    people = User.objects.bulk_create(User(username=f"player{number}") for number in range(130))
    Entry.objects.bulk_create(Entry(event=noon, user=user) for user in people)
    return noon


def test_everyone_finds_an_entry_in_pages_or_by_a_part_of_its_name(client, large):
    first = page_words(client.get(url("entries", large)))
    assert "130 players" in first
    assert "player59 " in first
    assert "player60 " not in first
    assert "player60 " in page_words(client.get(url("entries", large), {"page": 2}))
    found = page_words(client.get(url("entries", large), {"q": "YER12"}))
    assert "11 players" in found
    assert "player129 " in found
    assert "No name here contains" in page_words(client.get(url("entries", large), {"q": "nobody"}))
    assert "All 130 entries" in page_words(client.get(large.get_absolute_url()))


def test_the_console_lists_entries_in_pages_with_their_numbers(director, large):
    rows = director.get(url("console-tab", large, "entries"), {"page": 3}).context["rows"]
    assert [row.number for row in rows] == list(range(121, 131))
    found = director.get(url("console-tab", large, "entries"), {"q": "player7"}).context["rows"]
    assert {row.entry.user.username for row in found} == {"player7", *(f"player7{n}" for n in range(10))}


def offered(client, event: Event, typed: str) -> list[str]:
    answer = client.get(url("names", event), {"name": typed})
    return [part.split('"')[0] for part in answer.content.decode().split('value="')[1:]]


def test_only_a_knock_out_has_players_who_are_out(director, event):
    swiss, knock_out = (started(event(people="ann bob", format=kind)) for kind in ("swiss", "single-elimination"))
    for noon, word in ((swiss, "finished"), (knock_out, "out")):
        lose(noon, "ann")
        assert status_in_words(entry_of(noon, "ann")) == word
        assert f"ann,1500,{word}," in director.get(url("download-entries", noon)).content.decode()


def test_names_are_offered_while_a_director_types(director, event):
    noon = event()
    for name in ("anna", "anneliese", "bertha"):
        person(name)
    assert offered(director, noon, "Ann") == ["anna", "anneliese"]
    assert offered(director, noon, " ") == []
    assert offered(director, noon, "nn") == []
    assert 'list="names"' in director.get(url("console-tab", noon, "entries")).content.decode()


def test_bots_are_offered_by_the_name_that_everyone_sees(director, event):
    User.objects.create_user("bot-casino-cardano", first_name="Cardano", is_bot=True)
    User.objects.create_user("zoe", first_name="Carla")
    assert offered(director, event(), "card") == ["bot-casino-cardano"]
    assert offered(director, Event.objects.get(), "Car") == ["bot-casino-cardano"], "real names of people are private"


@pytest.mark.parametrize("hidden", [{"is_guest": True}, {"is_active": False}])
def test_no_names_of_guests_and_closed_accounts_are_offered(director, event, hidden):
    noon = event()
    person("anna")
    User.objects.create(username="annoyed", **hidden)
    assert offered(director, noon, "ann") == ["anna"]


def test_names_are_offered_to_directors_only(client, event):
    noon = event()
    client.force_login(person("anna"))
    assert client.get(url("names", noon), {"name": "a"}).status_code == 403


def test_an_event_whose_form_is_sent_twice_is_planned_once(director, event):
    sent = settings_of(event(), name="Twice") | {"form_id": "abc"}
    first, again = (director.post(reverse("tournaments:new"), sent) for _ in range(2))
    assert Event.objects.filter(name="Twice").count() == 1
    assert first.url == again.url == url("console", Event.objects.get(name="Twice"))
    assert "You have already sent this form" in page_words(director.get(again.url))
    director.post(reverse("tournaments:new"), sent | {"form_id": "other"})
    assert Event.objects.filter(name="Twice").count() == 2


def test_an_announcement_that_is_sent_twice_is_made_once(director, event):
    noon = event(people="ann")
    for _ in range(2):
        director.post(url("act", noon, "announce"), {"text": "Tea.", "form_id": "abc"})
    assert noon.announcements.count() == 1


def test_a_form_that_was_refused_can_be_sent_again(director, event):
    noon = event(people="ann")
    sent = {"name": "ann", "role": "helper"}
    director.post(url("act", noon, "name"), sent)
    director.post(url("act", noon, "name"), sent | {"form_id": "refused"})
    director.post(url("act", noon, "drop"), {"role": noon.roles.get().pk})
    director.post(url("act", noon, "name"), sent | {"form_id": "refused"})
    assert noon.roles.count() == 1


def test_earlier_announcements_stay_to_be_read(director, event):
    noon = event(people="ann")
    for text in ("First.", "Second.", "Third."):
        director.post(url("act", noon, "announce"), {"text": text})
    page = page_words(director.get(noon.get_absolute_url()))
    assert page.index("Third.") < page.index("Second.") < page.index("Earlier announcements") < page.index("First.")
