"""Editing an event: what the log says, who is told, what has to be confirmed, and two directors at once."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.urls import reverse
from django.utils import timezone

from notifications.models import Notice
from tests.connections import in_own_connection
from tests.pages import page_html
from tests.tournaments.factories import NOON, person
from tournaments import services
from tournaments.models import Event
from tournaments.planning.edits import edit_changes, read_settings_snapshot, settings_snapshot

LATER = NOON + timedelta(hours=1)


def edit(event: Event, by: object, **settings: object) -> Event:
    edited = Event.objects.get(pk=event.pk)
    for name, value in settings.items():
        setattr(edited, name, value)
    return services.save_event(edited, by=by, now=NOON - timedelta(hours=1))


def lines(event: Event, since: int = 0) -> list[str]:
    """What the log says besides who has entered, oldest first."""
    rows = event.log.filter(pk__gt=since).order_by("pk").values_list("what", flat=True)
    return [what for what in rows if not what.endswith(("entered.", "Planned the tournament."))]


def notices_of(name: str) -> list[str]:
    notices = Notice.objects.filter(user=person(name), key__contains="edited")
    return list(notices.order_by("pk").values_list("text", flat=True))


# The log


def test_the_log_says_what_an_edit_has_changed(event, boss):
    noon = event(people="ann", time_zone="Europe/Vienna", format_options={"third_place": False})
    settings = {
        "name": "Evening cup", "starts_at": NOON + timedelta(hours=6), "options": {"target": 21, "sweeps": "each"},
        "match_games": 3, "move_seconds": 45, "max_entries": 8, "is_evened": True, "seeding": "rating",
        "format_options": {"third_place": True}, "description": "Bring cards.", "password": "secret",
    }  # fmt: skip
    edit(noon, boss, **settings)
    assert lines(noon) == [
        "Name: Noon knock-out → Evening cup.",
        "Start: Fri 20 Nov 2026, 13:00 (Europe/Vienna) → Fri 20 Nov 2026, 19:00 (Europe/Vienna).",
        "Target: 11 → 21.",
        "Sweeps: do not count → one point each.",
        "Match for third place: no → yes.",
        "Games in a match: 1 → 3.",
        "Seconds for a move: 60 → 45.",
        "Most entries: none → 8.",
        "A bot makes the number even: no → yes.",
        "Seeding: at random → by rating, then at random.",
        "Set the password.",
        "Changed the description.",
    ]
    assert all(line.by == boss for line in noon.log.all()[:12])
    assert not noon.log.filter(what__contains="secret").exists()
    assert check_password("secret", Event.objects.get().password)


def test_another_game_and_format_are_said_with_what_is_unusual_in_them(event, boss):
    noon = event(format_options={"third_place": True})
    edit(noon, boss, game="gin-rummy", options={}, format="swiss", format_options={"planned_rounds": 4})
    assert lines(noon) == [
        "Game: Casino → Gin Rummy.", "Format: Knock-out → Swiss.", "Rounds: 0 → 4.",
    ]  # fmt: skip


def test_an_edit_that_changes_nothing_is_not_logged(event, boss):
    noon = event(people="ann")
    version = Event.objects.get().version
    edit(noon, boss)
    edit(noon, boss, options=noon.rules.read_options(noon.options, noon.seats), description="")
    assert (lines(noon), Event.objects.get().version, notices_of("ann")) == ([], version, [])


def test_the_form_changes_nothing_in_an_event_that_is_saved_as_it_is_shown(director, event):
    noon = event(people="ann", description="One\nTwo", password="secret", format_options={"third_place": True})
    before = Event.objects.filter(pk=noon.pk).values().get()
    save(director, noon)
    assert Event.objects.filter(pk=noon.pk).values().get() == before
    assert lines(noon) == []


# Who is told


@pytest.mark.parametrize(
    ("settings", "news"),
    [
        ({"starts_at": LATER}, "Start: Fri 20 Nov 2026, 12:00 (UTC) → Fri 20 Nov 2026, 13:00 (UTC)."),
        ({"game": "gin-rummy", "options": {}}, "Game: Casino → Gin Rummy."),
        ({"format": "swiss"}, "Format: Knock-out → Swiss."),
        ({"move_seconds": 30}, "Seconds for a move: 60 → 30."),
        ({"options": {"target": 21}}, "Target: 11 → 21."),
        ({"match_games": 5}, "Games in a match: 1 → 5."),
    ],
)
def test_entrants_are_told_what_concerns_them(event, boss, settings, news):
    noon = event(people="ann bob", max_entries=1, min_entries=1)
    services.withdraw_entry(event_id=noon.pk, user=person("ann"))
    services.enter_event(event_id=noon.pk, user=person("cat"))
    edit(noon, boss, **settings)
    for name in ("bob", "cat"):  # a place, and the waiting list
        assert notices_of(name) == [f"Noon knock-out has changed. {news}"]
    assert notices_of("ann") == []


def test_nobody_is_told_of_what_does_not_concern_them(event, boss):
    noon = event(people="ann")
    edit(noon, boss, description="Tea at four.", name="Noon cup", max_entries=20)
    assert notices_of("ann") == []


def test_many_changes_are_counted_where_they_do_not_fit(event, boss):
    noon = event(people="ann", game="cuarenta", options={})
    others = {option.name: list(option.choices)[1] for option in noon.rules.open_options}
    edit(noon, boss, starts_at=NOON + timedelta(hours=1), options=others)
    (news,) = notices_of("ann")
    assert len(news) <= 500
    assert re.search(r"13:00 \(UTC\)\..*\. \d more changes: see its page\.$", news)


def test_a_start_that_is_edited_back_is_told_again(event, boss):
    noon = event(people="ann")
    for hours in (1, 0, 1):
        edit(noon, boss, starts_at=NOON + timedelta(hours=hours))
    assert len(notices_of("ann")) == 3


# The page


def shown(director, event: Event, **kind: str) -> dict[str, object]:
    """What a browser would send of the form as it is shown now, once this game or format is chosen."""
    page = director.get(reverse("tournaments:edit", args=[event.pk]), kind)
    form, sent = page.context["form"], {"seen": page.context["seen"]}
    for name in form.fields:
        value = form[name].value()
        if value is True:
            sent[name] = "on"
        elif value is not False and name != "password":
            sent[name] = "" if value is None else value
    return sent


def save(director, event: Event, form: dict[str, object] | None = None, **typed: object) -> object:
    url = reverse("tournaments:edit", args=[event.pk])
    return director.post(url, (form or shown(director, event)) | typed)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"game": "gin-rummy"}, "game"),
        ({"format": "swiss"}, "format"),
        ({"game": "gin-rummy", "format": "swiss"}, "game and the format"),
    ],
)
def test_another_game_or_format_is_confirmed_when_people_are_entered(director, event, change, what):
    noon = event(people="ann bob")
    form = shown(director, noon, **change)
    page = save(director, noon, form)
    assert page.status_code == 422
    assert f"2 entries stay entered. Change the {what} anyway?" in page_html(page)
    noon.refresh_from_db()
    assert (noon.game, noon.format) == ("casino", "single-elimination")
    wrong = save(director, noon, form, confirmed="piquet/2/swiss")
    assert wrong.status_code == 422
    assert save(director, noon, form, confirmed=page.context["confirmation"]).status_code == 302
    noon.refresh_from_db()
    assert (noon.game, noon.format) == (change.get("game", "casino"), change.get("format", "single-elimination"))
    assert len(notices_of("ann")) == 1


def test_nothing_is_confirmed_where_nobody_is_entered_or_only_the_clock_changes(director, event):
    noon = event()
    assert save(director, noon, shown(director, noon, game="gin-rummy")).status_code == 302
    services.add_entry(event_id=noon.pk, user=person("ann"), by=person("director"))
    noon.refresh_from_db()
    assert save(director, noon, move_seconds=33).status_code == 302


# Two directors


def test_a_stale_form_does_not_undo_what_somebody_else_has_changed(director, event):
    noon = event(people="ann", time_zone="Europe/Vienna")
    mine = shown(director, noon)
    edit(noon, person("boss"), starts_at=NOON + timedelta(hours=2), move_seconds=20, is_evened=True)
    page = save(director, noon, mine, name="My cup", move_seconds=99)
    assert page.status_code == 409
    seen = page_html(page)
    assert "Someone else changed this tournament while you edited it. Nothing is saved yet." in seen
    assert "Start: Fri 20 Nov 2026, 13:00 (Europe/Vienna) → Fri 20 Nov 2026, 15:00 (Europe/Vienna)" in seen
    assert "Seconds for a move: 60 → 20" in seen
    form = page.context["form"]
    values = {name: form[name].value() for name in ("name", "starts_at", "move_seconds", "is_evened")}
    assert values == {"name": "My cup", "starts_at": "2026-11-20T15:00", "move_seconds": "99", "is_evened": True}
    noon.refresh_from_db()
    assert (noon.name, noon.move_seconds) == ("Noon knock-out", 20)
    sent = {name: form[name].value() for name in form.fields} | {"is_evened": "on", "seen": page.context["seen"]}
    assert save(director, noon, {k: v for k, v in sent.items() if v not in (None, False)}).status_code == 302
    noon.refresh_from_db()
    assert (noon.name, noon.move_seconds, noon.is_evened) == ("My cup", 99, True)
    assert noon.starts_at == NOON + timedelta(hours=2)


def test_a_stale_form_merges_numbers_that_are_beside_a_list(director, event):
    noon = event(game="piquet", options={"target": 133, "double_under": 47})
    mine = shown(director, noon) | {
        "option-target": "other", "option-target_number": "133",
        "option-double_under": "other", "option-double_under_number": "63",
    }  # fmt: skip
    edit(noon, person("boss"), options={"target": 151, "double_under": 47})
    page = save(director, noon, mine)
    assert page.status_code == 409 and "Target: 133 → 151" in page_html(page)
    form = page.context["form"]
    assert (form["option-target"].value(), form["option-double_under"].value()) == ("151", "63")


def test_a_wrong_number_of_an_option_is_told_and_kept(director, event):
    noon = event(game="piquet", options={})
    page = save(director, noon, **{"option-target": "other", "option-target_number": "501"})
    assert page.status_code == 422 and "Enter a number from 50 to 500." in page_html(page)
    assert page.context["form"]["option-target"].value() == "501"
    save(director, noon, **{"option-target": "other", "option-target_number": "499"})
    noon.refresh_from_db()
    assert noon.options["target"] == 499


def test_a_stale_form_sees_a_shift_and_another_game(director, event):
    noon = event(starts_at=timezone.now().replace(microsecond=0) + timedelta(hours=2))
    mine = shown(director, noon)
    services.shift_time(event_id=noon.pk, minutes=10, by=person("boss"))
    edit(noon, person("boss"), game="gin-rummy", options={})
    page = save(director, noon, mine, name="Mine")
    assert page.status_code == 409
    assert "Game: Casino → Gin Rummy" in page_html(page)
    assert page.context["form"].instance.game == "gin-rummy"
    assert "<summary>Rules of Gin Rummy</summary>" in page_html(page)


def test_entries_meanwhile_are_no_conflict(director, event):
    noon = event()
    mine = shown(director, noon)
    services.add_entry(event_id=noon.pk, user=person("ann"), by=person("director"))
    assert save(director, noon, mine, name="Mine").status_code == 302


@pytest.mark.parametrize("seen", ["", "nonsense", "of another event"])
def test_a_form_that_does_not_say_what_it_showed_is_shown_again(director, event, seen):
    noon, other = event(), event(name="Other")
    sent = settings_snapshot(other) if seen == "of another event" else seen
    page = save(director, noon, shown(director, noon) | {"seen": sent}, name="Mine")
    assert page.status_code == 409
    assert page.context["form"]["name"].value() == "Mine"
    assert save(director, noon, shown(director, noon), name="Mine").status_code == 302


def test_what_a_form_showed_stays_when_its_fields_change(director, event):
    noon = event()
    mine = shown(director, noon)
    edit(noon, person("boss"), move_seconds=20)
    url = reverse("tournaments:edit", args=[noon.pk])
    page = director.get(url, mine | {"again": "1", "format": "swiss"})
    assert page.context["seen"] == mine["seen"]
    fresh = shown(director, noon, format="swiss")
    assert save(director, noon, fresh, seen=page.context["seen"]).status_code == 409


def test_a_snapshot_reads_as_the_event_that_it_is_of(event):
    noon = event(password="secret", format_options={"third_place": True}, max_entries=9)
    then = read_settings_snapshot(settings_snapshot(noon), noon.pk)
    then.password = noon.password
    assert edit_changes(then, noon) == []
    assert "secret" not in settings_snapshot(noon)


def test_the_second_of_two_edits_at_once_is_refused(transactional_db):
    noon = Event(name="Noon", game="casino", starts_at=NOON, status="registration")
    services.save_event(noon, by=None, now=NOON - timedelta(hours=1))
    first, second, seen = (Event.objects.get(pk=noon.pk) for _ in range(3))
    first.name, second.move_seconds = "First", 33
    in_own_connection(services.save_event, first, by=None, now=NOON, seen=seen)
    with pytest.raises(services.EditConflict) as conflict:
        services.save_event(second, by=None, now=NOON, seen=seen)
    assert [change.words for change in conflict.value.changes] == ["Name: Noon → First"]
    assert Event.objects.get().move_seconds == 60
