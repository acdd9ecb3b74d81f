"""Messages of directors, their notes, the fee, and what players are asked at entry."""

from __future__ import annotations

import csv
import json

import pytest
from django.urls import reverse

from tests.pages import page_words
from tests.tournaments.factories import entry_of, notices_of, person, settings_of, started
from tournaments import services
from tournaments.domain.errors import EventError
from tournaments.domain.questions import questions_as_text, questions_from_text
from tournaments.files.event_files import event_from_json, settings_as_json
from tournaments.models import Entry, Event
from tournaments.models.directing import LONGEST_MESSAGE

pytestmark = pytest.mark.django_db

CLUB_AND_NAME = "Club: North, South\nYour first name"


def act(event: Event, slug: str) -> str:
    return reverse("tournaments:act", args=[event.pk, slug])


# Messages


def test_a_message_to_everyone_reaches_entrants_and_the_waiting_list_only(director, event):
    noon = event(people="ann bob", max_entries=2)
    services.enter_event(event_id=noon.pk, user=person("cat"))
    person("dan")
    director.post(act(noon, "message"), {"to": "0", "message": "Bring a pen."})
    assert [notices_of(name) for name in ("ann", "cat", "dan")] == [["Noon knock-out: Bring a pen."]] * 2 + [[]]
    assert "Bring a pen." not in page_words(director.get(noon.get_absolute_url())), "it isn't public"
    shown = page_words(director.get(reverse("tournaments:console-tab", args=[noon.pk, "announcements"])))
    assert "Bring a pen. to everyone (3 people)" in shown


def test_the_longest_message_arrives_whole(director, event):
    noon = event(people="ann", name="N" * 100)
    text = "Bring a pen. " * 23
    director.post(act(noon, "message"), {"to": "0", "message": text[:LONGEST_MESSAGE]})
    assert notices_of("ann") == [f"{'N' * 100}: {text.strip()}"], "it is to be read nowhere else"


def test_a_message_to_a_round_reaches_its_players(director, event):
    noon = started(event(people="ann bob cat"))
    meets = {side.entry.name for side in noon.matches.get(round__number=1, status="playing").sides.all()}
    rests = ({"ann", "bob", "cat"} - meets).pop()
    director.post(act(noon, "message"), {"to": "1", "message": "Table 1 is by the door."})
    got = {name for name in ("ann", "bob", "cat") if any("by the door" in text for text in notices_of(name))}
    bye_too = noon.matches.filter(round__number=1, sides__entry=entry_of(noon, rests)).exists()
    assert got == (meets | {rests} if bye_too else meets)


def test_a_message_to_one_entry_reaches_it_alone(director, event):
    noon = event(people="ann bob")
    director.post(act(noon, "message-entry"), {"entry": entry_of(noon, "ann").pk, "message": "Call me."})
    assert (notices_of("ann"), notices_of("bob")) == (["Noon knock-out: Call me."], [])
    assert noon.messages.get().to == "ann"


def test_there_is_no_message_without_a_reader(director, event):
    noon = event()
    assert "no one here to read it" in page_words(director.post(act(noon, "message"), {"to": "0", "message": "Hi."}))


# Notes and the fee


def test_a_note_is_for_directors_alone(director, event):
    noon = event(people="ann")
    entry = entry_of(noon, "ann")
    director.post(act(noon, "note"), {"entry": entry.pk, "note": "Needs a chair."})
    of_entry = reverse("tournaments:console-entry", args=[noon.pk, entry.pk])
    pages = [of_entry, reverse("tournaments:console-tab", args=[noon.pk, "entries"])]
    assert all("Needs a chair." in page_words(director.get(page)) for page in pages)
    services.name_role(event_id=noon.pk, user_id=person("bob").pk, role="helper", by=person("director"))
    director.force_login(person("bob"))
    assert not any("Needs a chair." in page_words(director.get(page)) for page in pages)
    assert "Needs a chair." not in page_words(director.get(reverse("tournaments:entries", args=[noon.pk])))
    assert "Needs a chair." not in page_words(director.get(noon.get_absolute_url()))


def test_who_has_paid_is_noted_with_one_press_and_counted(director, client, event):
    noon = event(people="ann bob", fee="5 euros")
    entries = reverse("tournaments:console-tab", args=[noon.pk, "entries"])
    assert "Fee: 5 euros. 0 of 2 have paid." in page_words(director.get(entries))
    director.post(act(noon, "paid"), {"entry": entry_of(noon, "ann").pk})
    assert "1 of 2 have paid." in page_words(director.get(entries))
    sheet = reverse("tournaments:sheet", args=[noon.pk, "entries"])
    assert "1 of 2 have paid." in page_words(director.get(sheet))
    director.post(act(noon, "not-paid"), {"entry": entry_of(noon, "ann").pk})
    assert "0 of 2 have paid." in page_words(director.get(entries))
    client.logout()
    assert "paid" not in page_words(client.get(sheet))
    assert "5 euros" in page_words(client.get(noon.get_absolute_url()))


# Questions


def test_players_answer_what_the_event_asks_and_directors_read_it(director, event):
    noon = event(questions=questions_from_text(CLUB_AND_NAME))
    director.force_login(person("ann"))
    enter = reverse("tournaments:enter", args=[noon.pk])
    assert "Club" in page_words(director.get(noon.get_absolute_url()))
    assert director.post(enter, {"question-0": "East", "question-1": "Ann"}).status_code == 422
    assert director.post(enter, {"question-0": "South", "question-1": "Ann"}).status_code == 302
    entry = entry_of(noon, "ann")
    assert entry.answers == {"Club": "South", "Your first name": "Ann"}
    assert "South" not in page_words(director.get(reverse("tournaments:entries", args=[noon.pk])))
    download = reverse("tournaments:download-entries", args=[noon.pk])
    assert director.get(download).status_code == 403
    boss = person("director")
    director.force_login(boss)
    row = next(csv.DictReader(director.get(download).content.decode().splitlines()))
    assert (row["Name"], row["Club"], row["Your first name"], row["Paid"]) == ("ann", "South", "Ann", "no")
    assert "South" in page_words(director.get(reverse("tournaments:console-entry", args=[noon.pk, entry.pk])))


def test_a_player_who_comes_back_is_asked_nothing(client, event):
    asks = {"questions": questions_from_text("Club"), "password": "secret"}
    noon = started(event(people="ann bob cat", format="swiss", **asks))
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    client.force_login(person("ann"))
    assert client.post(reverse("tournaments:enter", args=[noon.pk])).status_code == 302
    assert entry_of(noon, "ann").status == Entry.Status.PLAYING


def test_questions_are_planned_as_lines_and_stay_so(director, event):
    noon = event()
    director.post(reverse("tournaments:new"), settings_of(noon, name="Asks", questions=CLUB_AND_NAME, fee="5 euros"))
    asks = Event.objects.get(name="Asks")
    assert questions_as_text(asks.questions) == CLUB_AND_NAME
    assert "Club: North, South" in director.get(reverse("tournaments:edit", args=[asks.pk])).content.decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Club: North", "at least two answers"),
        ("Club\nClub", "are the same"),
        ("x" * 101, "at most 100"),
        ("\n".join(f"Question {number}" for number in range(11)), "at most 10"),
        (": a, b", "at most 100"),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        questions_from_text(text)


@pytest.mark.parametrize("questions", [{"label": "x"}, ["x"], [{"label": 1, "choices": []}], [{"label": "x"}], "x"])
def test_a_file_with_odd_questions_is_refused(director, event, questions):
    noon = event()
    text = json.dumps({"setup": settings_as_json(noon) | {"questions": questions}})
    with pytest.raises(EventError):
        event_from_json(text, starts_at=noon.starts_at)
