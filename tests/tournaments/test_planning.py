"""Planning an event: presets, clones, the form, estimates and dry runs."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.urls import reverse

from games.models import Table
from tests.pages import page_html
from tests.tournaments.factories import NOON, person, settings_of
from tournaments import formats, services
from tournaments.models import DryRun, Event, RoundTime, Series, game_choices
from tournaments.planning import dry_run, estimates
from tournaments.planning.edits import settings_snapshot
from tournaments.planning.presets import PRESETS
from tournaments.presentation.facts import facts_of

NEW = "/tournaments/new/"


def planned(director, **changes: object) -> Event:
    page = director.post(NEW, settings_of(Event(name="Spring cup"), **changes), follow=True)
    assert page.status_code == 200, page.context["form"].errors
    return Event.objects.get()


def small(**settings: object) -> Event:
    return Event(name="Small", game="casino", options={"target": 11}, starts_at=NOON, lots="fixed", **settings)


# The form


def test_a_director_plans_an_event(director):
    event = planned(director)
    assert (event.name, event.match_games, event.starts_at.isoformat()) == (
        "Spring cup", 3, "2058-01-02T12:30:00+00:00",
    )  # fmt: skip
    assert (event.options["target"], event.options["trail_with_build"]) == (11, "allowed")
    assert event.format_options == {"third_place": True}
    assert event.created_by == person("director")
    assert event.due_at == event.registration_at


def test_an_event_without_any_time_is_refused(director):
    page = director.post(NEW, settings_of(Event(name="Spring cup"), move_seconds=0))
    assert "Set a time for each move" in page_html(page) and not Event.objects.exists()
    assert planned(director, move_seconds=0, base_minutes=5).clock.base == 300


@pytest.mark.parametrize(("advance", "errors"), [(4, ["No more can advance than a group has."]), (3, [])])
def test_no_more_advance_than_a_group_has(director, advance, errors):
    chosen = {f"format-{name}": value for name, value in {"group_size": 3, "qualifiers": advance}.items()}
    usual = {"format-drawn": "snake", "format-leavers": "annul", "format-tie_breaks": ["DE", "LOTS"]}
    sent = settings_of(Event(name="Spring cup"), format="groups", **usual, **chosen)
    page = director.post(NEW, sent)
    assert (page.context["form"].errors.get("format-qualifiers", []) if page.status_code == 422 else []) == errors
    assert Event.objects.exists() is not bool(errors)


def test_a_start_in_the_past_is_refused_with_the_reason(director):
    page = director.post(
        NEW, settings_of(Event(name="Spring cup"), starts_at="2026-01-02T12:30", time_zone="Asia/Tokyo")
    )
    assert page.status_code == 422 and not Event.objects.exists()
    [reason] = page.context["form"].errors["starts_at"]
    assert re.fullmatch(r"This start is in the past: it is now \w+ \d+ \w+ \d+, \d\d:\d\d \(Asia/Tokyo\)\.", reason)


def test_an_edit_keeps_a_start_that_has_passed(director, event):
    """So that the director of an event that has missed its start can change its other settings."""
    noon = event(people="ann")
    sent = settings_of(noon, name="Late cup", starts_at=f"{noon.starts_at:%Y-%m-%dT%H:%M}")
    page = director.get(reverse("tournaments:edit", args=[noon.pk]))
    answer = director.post(reverse("tournaments:edit", args=[noon.pk]), sent | {"seen": page.context["seen"]})
    assert answer.status_code == 302, answer.context["form"].errors
    noon.refresh_from_db()
    assert (noon.name, noon.starts_at) == ("Late cup", NOON)
    page = director.get(reverse("tournaments:edit", args=[noon.pk]))
    sent |= {"starts_at": "2026-11-20T13:00", "seen": page.context["seen"]}
    assert "This start is in the past" in page_html(director.post(reverse("tournaments:edit", args=[noon.pk]), sent))
    noon.refresh_from_db()
    assert noon.starts_at == NOON


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("zone", ["UTC", "Etc/GMT+12", "Pacific/Kiritimati"])
@pytest.mark.parametrize("start", ["9999-12-31T23:59", "0001-01-01T00:00", "1999-12-31T23:59", "2100-01-01T00:00"])
def test_an_event_starts_in_this_century(start, zone, director):
    page = director.post(NEW, settings_of(Event(name="Spring cup"), starts_at=start, time_zone=zone))
    assert page.status_code == 422
    assert page.context["form"].errors["starts_at"] == ["Choose a start between 2000 and 2099."]
    assert not Event.objects.exists()


def test_the_admin_too_plans_only_in_this_century(event):
    noon = event()
    for year in (1, 1999, 2100, 9999):
        noon.starts_at = noon.starts_at.replace(year=year)
        with pytest.raises(ValidationError, match="Choose a start between 2000 and 2099."):
            noon.full_clean()
    series = Series(name="Spring", game="casino", options={"target": 11}, first_start_at=noon.starts_at)
    with pytest.raises(ValidationError, match="Choose a start between 2000 and 2099."):
        series.full_clean()


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize(
    "field",
    ["registration_minutes", "check_in_minutes", "move_seconds", "break_seconds", "hold_minutes", "match_games"],
)
def test_numbers_of_an_event_have_upper_limits(field, director):
    for number in ("99999999999", "9" * 20, "9" * 5000):
        page = director.post(
            NEW, settings_of(Event(name="Spring cup"), **{"registration_minutes": 600_000, field: number})
        )
        assert page.status_code == 422
        assert page.context["form"].errors[field]
    assert not Event.objects.exists()


def test_the_start_is_read_by_the_clock_of_the_organiser(director):
    summer = planned(director, starts_at="2058-07-01T19:30", time_zone="Europe/Vienna")
    assert summer.starts_at.isoformat() == "2058-07-01T17:30:00+00:00"
    page = director.get(reverse("tournaments:edit", args=[summer.pk]))
    assert 'value="2058-07-01T19:30"' in page_html(page)


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize(("slug", "name"), game_choices())
def test_every_game_has_a_form_for_its_events(director, slug, name):
    page = director.get(NEW, {"game": slug})
    assert page.context["form"].instance.rules.name == name
    assert f"<summary>Rules of {name}</summary>" in page_html(page)


@pytest.mark.parametrize("plan", formats.FORMATS)
def test_every_format_has_a_form_for_its_options(director, plan):
    game = "carousel" if plan.sides != (2,) else "casino"
    form = director.get(NEW, {"game": game, "format": plan.slug}).context["form"]
    values = {field.name: form.initial.get(field.name, field.field.initial) for field in form.format_fields()}
    sent = settings_of(Event(name="Cup"), game=game, format=plan.slug, seats=form.instance.seats)
    shown = {name: ", ".join(map(str, v)) if isinstance(v, tuple) else v for name, v in values.items()}
    own = {name: value for name, value in sent.items() if not name.startswith(("option-", "format-"))}
    options = {field.name: field.value() for field in form.game_fields()}
    director.post(NEW, own | {k: v for k, v in (shown | options).items() if v is not False and v is not None})
    assert Event.objects.get().plan == plan()


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize(
    "changes", [{"option-target": "12"}, {"match_games": "2"}, {"name": ""}, {"time_zone": "Mars"}, {"seats": "9"}]
)
def test_a_director_is_told_what_cannot_be_played(director, changes):
    page = director.post(NEW, settings_of(Event(name="Cup"), **changes))
    assert page.status_code == 422
    assert 'class="errorlist' in page_html(page)
    assert "The tournament isn't planned yet." in page_html(page)
    assert not Event.objects.exists()


def test_the_estimate_says_which_field_keeps_the_event_from_being_played(director):
    page = director.get(reverse("tournaments:estimate"), settings_of(Event(name="Cup"), match_games="2"))
    assert "Games in a match: Choose an odd number" in page_html(page)


def test_another_format_keeps_what_was_typed(director):
    typed = settings_of(Event(name="Half typed"), again="1", move_seconds="77", format="single-elimination")
    form = director.get(NEW, typed).context["form"]
    assert (form["name"].value(), form["move_seconds"].value()) == ("Half typed", "77")


def test_a_password_is_stored_as_a_hash_and_kept_when_nothing_is_written(director):
    event = planned(director, password="open sesame")
    assert check_password("open sesame", event.password)
    seen = settings_snapshot(event)
    director.post(reverse("tournaments:edit", args=[event.pk]), settings_of(event, name="Renamed", seen=seen))
    event.refresh_from_db()
    assert (event.name, check_password("open sesame", event.password)) == ("Renamed", True)
    assert "sesame" not in page_html(director.get(reverse("tournaments:edit", args=[event.pk])))


# What to start from


def test_every_preset_can_be_planned_as_it_is(director):
    for preset in PRESETS:
        event = director.get(NEW, {"preset": preset.slug}).context["form"].instance
        event.name = preset.name
        event.full_clean()
        assert event.has_pairs == (preset.slug == "pairs")


def test_every_format_has_a_preset():
    assert {preset.settings["format"] for preset in PRESETS} == {kind.slug for kind in formats.FORMATS}


def test_a_copy_has_the_settings_of_its_event_and_none_of_its_history(director, event):
    old = event(people="ann bob", match_games=5, fill_to=4)
    new = director.get(NEW, {"event": old.pk}).context["form"].instance
    assert new.setting_values() == old.setting_values()
    assert (new.pk, new.name, new.status) == (None, old.name, "scheduled")


def test_a_series_is_a_template(director):
    series = Series.objects.create(name="Fridays", game="sixty-six", fill_to=8, first_start_at=NOON)
    new = director.get(NEW, {"series": series.pk}).context["form"].instance
    assert (new.name, new.game, new.fill_to, new.series) == ("Fridays", "sixty-six", 8, None)


# How long it takes


def test_an_estimate_grows_with_rounds_games_and_breaks(db):
    short, long = estimates.estimate_event(small(), 8), estimates.estimate_event(small(), 16)
    assert (short.rounds, long.rounds) == (3, 4)
    assert long.minutes == pytest.approx(short.minutes * 4 / 3, rel=0.05)
    assert estimates.estimate_event(small(match_games=3), 8).minutes > 2 * short.minutes
    with_breaks = estimates.estimate_event(small(break_seconds=300), 8)
    assert with_breaks.minutes == pytest.approx(short.minutes + 10, abs=0.2)


def test_a_timeline_names_every_step_in_order(db):
    event = small(registration_minutes=30, check_in_minutes=5)
    steps = estimates.event_timeline(event, estimates.estimate_event(event, 8))
    assert [what for what, _ in steps] == [
        "Registration opens", "Check-in opens", "Start", "Round 2", "Round 3", "End",
    ]  # fmt: skip
    assert [at for _, at in steps] == sorted(at for _, at in steps)


def test_a_timeline_keeps_to_the_times_that_rounds_have_of_their_own(event):
    noon, week = event(people="ann bob cat dan eve fay"), timedelta(weeks=1)
    RoundTime.objects.create(event=noon, number=2, starts_at=NOON + week)
    found = estimates.estimate_event(noon, 8)
    steps = dict(estimates.event_timeline(noon, found))
    assert steps["Round 2"] == NOON + week
    length = timedelta(minutes=found.round_minutes, seconds=noon.break_seconds)
    assert steps["Round 3"] == NOON + week + length
    assert abs(steps["End"] - (steps["Round 3"] + timedelta(minutes=found.round_minutes))) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0.7, "1 minute"),
        (40, "40 minutes"),
        (59.6, "1 hour"),
        (130, "2 hours 10 minutes"),
        (2970, "2 days 1 hour 30 minutes"),
    ],
)
def test_an_estimate_in_words(minutes, words):
    assert estimates.Estimate(8, 3, 5.0, 10.0, minutes).in_words == words


def test_games_over_days_say_nothing_about_the_pace_at_a_table(db):
    live, over_days = (30, 4, estimates.ENOUGH_TABLES), (86_400, 40_000, 2 * estimates.ENOUGH_TABLES)
    for move_seconds, pace, count in (live, over_days):
        end = NOON + timedelta(seconds=10 * pace)
        played = {
            "seat_count": 2,
            "status": Table.Status.FINISHED,
            "move_count": 10,
            "started_at": NOON,
            "finished_at": end,
        }
        for number in range(count):
            code = f"{move_seconds}-{number}"
            table = Table.objects.create(
                game="casino", rules_version="1", code=code, commitment=code, move_seconds=move_seconds, **played
            )
            table.seats.create(number=0, user=person("ann"))
    cache.clear()
    assert estimates.seconds_a_move("casino") == 4


@pytest.mark.parametrize("over", [Event.Status.FINISHED, Event.Status.CANCELLED])
def test_nobody_is_told_how_long_a_tournament_that_is_over_takes(over, event):
    noon = event(people="ann bob")
    estimates.measure_moves(estimates.GameKind.of(noon))
    for status in (Event.Status.REGISTRATION, Event.Status.RUNNING):
        noon.status = status
        assert "Expected to take" in dict(facts_of(noon))
    noon.status = over
    assert "Expected to take" not in dict(facts_of(noon))


def test_a_fact_that_needs_another_option_is_told_only_with_it(event):
    label = "Twice around: the last two rounds of the first time change places"
    once = event(format="round-robin", format_options={"double": False})
    assert label not in dict(facts_of(once))
    once.format_options = {"double": True}
    assert dict(facts_of(once))[label] == "yes"


def test_nobody_is_told_how_long_a_tournament_over_days_takes(director, event):
    noon = event(people="ann bob", move_seconds=86_400)
    estimates.measure_moves(estimates.GameKind.of(noon))
    assert "Expected to take" not in dict(facts_of(noon))
    page = page_html(director.get(reverse("tournaments:dry-run", args=[noon.pk])))
    assert "Games go on over days, so there is no estimate." in page and "every 2s" not in page
    typed = settings_of(Event(name="Cup"), move_seconds=86_400)
    page = page_html(director.get(reverse("tournaments:estimate"), typed, HTTP_HX_REQUEST="true"))
    assert "Games go on over days, so there is no estimate." in page and "every 2s" not in page


def test_the_form_shows_estimates_while_it_is_filled_in(director):
    url = reverse("tournaments:estimate")
    page = director.get(url, settings_of(Event(name="")))
    estimates.measure_moves(estimates.GameKind.of(page.context["event"]))
    page = director.get(url, settings_of(Event(name="")))
    assert [found.entries for found in page.context["estimates"]] == [4, 8, 16, 32]
    bad = director.get(url, settings_of(Event(name="Cup"), match_games="2"))
    assert "odd number" in page_html(bad)


def test_a_length_that_nobody_knows_is_measured_by_a_worker(director, eager_tasks, django_capture_on_commit_callbacks):
    url = reverse("tournaments:estimate")
    cache.clear()
    with django_capture_on_commit_callbacks(execute=True):
        page = director.get(url, settings_of(Event(name="Cup")), HTTP_HX_REQUEST="true")
    assert "to see how long one takes" in page_html(page)
    again = director.get(url, settings_of(Event(name="Cup")), HTTP_HX_REQUEST="true")
    assert [found.entries for found in again.context["estimates"]] == [4, 8, 16, 32]


# Dry runs


def test_a_dry_run_plays_the_whole_event(db):
    report = dry_run.simulate_event(small(), entries=11, seconds_a_move=6)
    assert (report.matches, report.rounds, report.byes, report.most_byes) == (10, 4, 5, 1)
    assert (report.games_played, report.games_drawn, report.rematches) == (10, 0, 0)
    assert len(set(report.podium)) == 3
    assert report.minutes == pytest.approx(report.moves / report.load / 60, rel=0.05)


def test_the_same_event_gives_the_same_report(db):
    first, again = (dry_run.simulate_event(small(), entries=6, seconds_a_move=6) for _ in range(2))
    assert first == again


def test_a_slower_pace_takes_longer_and_nothing_else(db):
    slow, fast = (dry_run.simulate_event(small(), entries=6, seconds_a_move=pace) for pace in (8, 4))
    assert slow.minutes == pytest.approx(2 * fast.minutes, abs=0.2)
    assert replace(slow, minutes=0, load=0) == replace(fast, minutes=0, load=0)


def test_when_the_time_is_up_games_are_drawn_and_the_report_says_so(db):
    report = dry_run.simulate_event(small(), entries=16, seconds_a_move=6, budget_seconds=0)
    assert (report.games_played, report.games_drawn) == (1, 14)


def test_a_best_of_three_stops_when_it_is_decided(db):
    report = dry_run.simulate_event(small(match_games=3), entries=4, seconds_a_move=6)
    assert 6 <= report.games_played <= 9


@pytest.fixture
def ask(director, eager_tasks, django_capture_on_commit_callbacks):
    """Asks for a dry run with four entries, and waits for the worker."""

    def post(event: Event) -> str:
        url = reverse("tournaments:dry-run", args=[event.pk])
        with django_capture_on_commit_callbacks(execute=True):
            director.post(url, {"entries": 4})
        return url

    return post


def test_a_director_asks_for_a_dry_run_and_reads_its_report(director, event, ask):
    url = ask(event())
    report = DryRun.objects.get().report
    assert report["matches"] == 3
    page = page_html(director.get(url))
    assert f"{report['games_played']} played" in page
    services.make_dry_run(run_id=DryRun.objects.get().pk)
    assert DryRun.objects.get().report == report


def test_a_dry_run_leaves_the_event_as_it_is(event, ask):
    noon = event(people="ann bob")
    ask(noon)
    assert (noon.matches.count(), noon.entries.count(), Event.objects.get().version) == (0, 2, noon.version)


def test_a_dry_run_in_which_nobody_can_play_names_no_winners(director, event):
    noon = event(game="carousel", options={}, format="pods")
    run = DryRun.objects.create(
        event=noon, entries=2, report=dry_run.simulate_event(noon, entries=2, seconds_a_move=6).as_json()
    )
    page = page_html(director.get(reverse("tournaments:dry-run", args=[noon.pk])))
    assert run.report["matches"] == 0
    assert "With so few entries no match can be played." in page and "First places" not in page


def test_a_dry_run_says_nothing_of_the_length_of_games_over_days(director, event, ask):
    for settings, has_length in (({}, True), ({"move_seconds": 86_400}, False)):
        page = page_html(director.get(ask(event(**settings))))
        assert "at once" in page
        assert [text in page for text in ("<dt>Length</dt>", "moves per second")] == [has_length] * 2
