"""Notices of the end of an event: what place its players took."""

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from notifications.models import MailAddress, Notice
from notifications.services import mark_read
from tests.tournaments.factories import (
    advance,
    end_in_a_draw,
    entry_of,
    lose,
    match_of,
    open_tables,
    person,
    running_tables,
    started,
)
from tests.tournaments.team_events import TWO, win
from tournaments import services
from tournaments.models import Event, Match
from tournaments.services import notices

WON = "Noon knock-out is over: you have won. Congratulations!"
SWISS = {"format": "swiss", "format_options": {"planned_rounds": 1}}


def found(event: Event, *, unread: bool = False) -> dict[str, list[str]]:
    """By player, what the notices of the end say, the oldest first."""
    rows = Notice.objects.filter(key__contains=":finished:", url=event.get_absolute_url()).order_by("pk")
    texts: dict[str, list[str]] = {}
    for name, text in (rows.unread() if unread else rows).values_list("user__username", "text"):
        texts.setdefault(name, []).append(text)
    return texts


def names_in(match: Match) -> list[str]:
    return [side.entry.user.username for side in match.sides.select_related("entry__user")]


def decide(event: Event, boss: object, *, winner: str, loser: str) -> None:
    """A director decides the match of these two, or corrects its result."""
    [match] = [match for match in event.matches.all() if set(names_in(match)) == {winner, loser}]
    act = services.correct_result if match.is_over else services.adjudicate
    act(match_id=match.pk, places=[1 if name == winner else 2 for name in names_in(match)], by=boss)
    event.refresh_from_db()


def test_each_player_gets_their_place_once(event):
    noon = started(event(people="ann bob cat dan"))
    (out, second), (other, winner) = [names_in(match) for match in noon.matches.all()]
    lose(noon, out)
    lose(noon, other)
    assert found(noon) == {}, "the event is not over"
    lose(noon, second)
    shared = ["Noon knock-out is over: you share places 3 to 4 of 4."]
    runner_up = ["Noon knock-out is over: you are 2nd of 4."]
    assert found(noon) == {winner: [WON], second: runner_up, out: shared, other: shared}
    advance(noon)
    assert Notice.objects.filter(key__contains=":finished:").count() == 4


def test_equals_share_the_first_place(event):
    noon = started(event(people="ann bob", format="swiss", format_options={"planned_rounds": 1, "tie_breaks": []}))
    end_in_a_draw(running_tables(noon)[0])
    advance(noon)
    shared = ["Noon knock-out is over: you share first place. Congratulations!"]
    assert found(noon) == {"ann": shared, "bob": shared}


def test_neither_bots_nor_those_who_have_left_get_one(event, boss, house_bots):
    noon = started(event(people="ann bob cat", fill_to=4, **SWISS))
    bot = noon.entries.get(user__is_bot=True).user.username
    rival = next(name for name in names_in(match_of(noon, bot)) if name != bot)
    leaver, stayer = {"ann", "bob", "cat"} - {rival}
    services.remove_entry(entry_id=entry_of(noon, leaver).pk, by=boss, why="")
    decide(noon, boss, winner=bot, loser=rival)
    assert noon.is_finished
    assert set(found(noon)) == {rival, stayer}


def test_each_member_of_a_team_gets_its_place(teams_of_two):
    noon = started(teams_of_two(TWO))
    win(noon, "ann", "bob")
    second = ["Noon knock-out is over: you are 2nd of 2."]
    assert found(noon) == {"ann": [WON], "bob": [WON], "cat": second, "dan": second}


def test_a_correction_tells_only_those_whose_place_it_changes(event, boss):
    noon = started(event(people="ann bob cat", format="round-robin"))
    while noon.is_running:
        winner, loser = sorted(names_in(noon.matches.get(status="playing")))
        decide(noon, boss, winner=winner, loser=loser)
        open_tables(noon)
    assert found(noon)["bob"] == ["Noon knock-out is over: you are 2nd of 3."]
    decide(noon, boss, winner="cat", loser="bob")
    assert found(noon, unread=True) == {
        "ann": [WON],
        "bob": ["Noon knock-out: a result was corrected. Now you are 3rd of 3."],
        "cat": ["Noon knock-out: a result was corrected. Now you are 2nd of 3."],
    }


def test_a_reopened_event_withdraws_them(event, boss):
    noon = started(event(people="ann bob cat dan"))
    (out, second), (other, _) = [names_in(match) for match in noon.matches.all()]
    for name in (out, other, second):
        lose(noon, name)
    assert len(found(noon, unread=True)) == 4
    semi_final = noon.matches.get(sides__entry=entry_of(noon, out))
    services.correct_result(match_id=semi_final.pk, places=[1, 2], by=boss, cancels=True)
    noon.refresh_from_db()
    assert noon.is_running
    assert found(noon) == {}


def test_a_reopened_event_tells_its_places_to_those_who_have_not_read_them(event, boss):
    noon = started(event(people="ann bob cat dan"))
    (out, second), (other, winner) = [names_in(match) for match in noon.matches.all()]
    for name in (out, other, second):
        lose(noon, name)
    mark_read(person(other))
    semi_final = noon.matches.get(sides__entry=entry_of(noon, out))
    for places in ([1, 2], [2, 1]):
        services.correct_result(match_id=semi_final.pk, places=places, by=boss, cancels=True)
    open_tables(noon)
    lose(noon, second)
    assert found(noon) == {
        winner: [WON],
        second: ["Noon knock-out is over: you are 2nd of 4."],
        out: ["Noon knock-out is over: you share places 3 to 4 of 4."],
        other: ["Noon knock-out is over: you share places 3 to 4 of 4."],
    }
    assert set(found(noon, unread=True)) == {winner, second, out}, "the other has read it, and it is true again"


@pytest.mark.parametrize(("seconds", "letters"), [(60, 0), (86400, 1)])
def test_only_the_end_of_a_correspondence_event_is_mailed_and_only_for_each_turn(
    event, boss, seconds, letters, eager_tasks, django_capture_on_commit_callbacks
):
    for name, turns in ("ann", "each"), ("bob", "daily"):
        address = f"{name}@cards.example"
        MailAddress.objects.create(user=person(name), address=address, site="https://cards.example", turns=turns)
    noon = event(people="ann bob", move_seconds=seconds)
    services.start_event(event_id=noon.pk, now=noon.starts_at)
    with django_capture_on_commit_callbacks(execute=True):
        decide(noon, boss, winner="ann", loser="bob")
    sent = [letter for letter in mail.outbox if "you have won" in letter.body or "you are 2nd" in letter.body]
    assert len(sent) == letters
    assert all(letter.to == ["ann@cards.example"] for letter in sent)


def test_a_large_event_takes_no_more_queries(event, boss):
    counts = []
    for people in ("ann bob", "cat dan eve fay gil hal ivy jim"):
        noon = event(people=people)
        for place, entry in enumerate(noon.entries.all(), start=1):
            entry.place = entry.last_place = place
            entry.save()
        with CaptureQueriesContext(
            connection,
        ) as taken:
            notices.notify_finished(noon)
        counts.append(len(taken))
    assert len(found(noon)) == 8
    assert counts[0] == counts[1]
