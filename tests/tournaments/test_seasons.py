"""Seasons: the table over a series or over chosen events, its page, its form and its file."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse

from accounts.bots import register_bot
from accounts.models import User
from accounts.services import close_account
from games import services as games
from tests.pages import page_html, page_words
from tests.tournaments.factories import NOON, come, entry_of, lose, open_tables, person, running_tables, started
from tournaments import services
from tournaments.models import Entry, Event, Season, Series
from tournaments.presentation.seasons import headings_of_events
from tournaments.queries.seasons import table_of_season

ROBIN = {"format": "round-robin", "options": {"target": 11}}


def play(event: Event, order: str, *, now: datetime = NOON) -> Event:
    """From its start to its end: who is named earlier in `order` wins."""
    names = order.split()
    started(event, now=now)
    while event.matches.filter(status="playing").exists():
        for match in event.matches.filter(status="playing"):
            players = [side.entry.user.username for side in match.sides.all()]
            lose(event, max(players, key=names.index))
    event.refresh_from_db()
    assert event.is_finished
    return event


@pytest.fixture
def evening(event):
    """`evening("ann bob cat")`: a round robin that ends in this order."""

    def make(order: str, **settings: object) -> Event:
        return play(event(people=order, **{"name": f"Evening {Event.objects.count()}"} | ROBIN | settings), order)

    return make


def season(*events: Event, **settings: object) -> Season:
    made = Season(**{"name": f"Season {Season.objects.count()}", "place_points": [10, 7, 5]} | settings)
    made.full_clean()
    made.save()
    made.events.set(events)
    return made


def points(made: Season) -> dict[str, float]:
    return {row.user.display_name: float(row.standing.points) for row in table_of_season(made).rows}


def sent(**changes: object) -> dict[str, object]:
    fields = {
        "name": "Winter", "description": "", "series": "", "first_day": "", "last_day": "", "events": [],
        "scale": "10-7-5-4-3-2-1", "own_points": "", "best": "", "attendance": "0",
        "first_tie_break": "places", "second_tie_break": "", "third_tie_break": "",
    }  # fmt: skip
    return fields | changes


def test_tournaments_to_choose_are_named_with_their_start_by_the_organisers_clocks(planner, event):
    event(name="Friday Casino", time_zone="Europe/Vienna", starts_at=datetime(2026, 10, 16, 17, 30, tzinfo=UTC))
    page = page_words(planner.get(reverse("tournaments:new-season")))
    assert "Friday Casino, Fri 16 Oct 2026, 19:30 (Europe/Vienna)" in page


# A season of four weekly events across the change of clocks


def test_a_director_without_admin_rights_plans_four_weeks_across_the_change_of_clocks(planner, event):
    first = datetime(2026, 10, 16, 17, 30, tzinfo=UTC)  # 19:30 in Vienna, in summer time until 25 October
    made = event(name="Friday Casino", time_zone="Europe/Vienna", starts_at=first - timedelta(days=7), **ROBIN)
    Event.objects.filter(pk=made.pk).update(created_by=person("dora"))
    plan = {
        "name": "Fridays", "first_start_at": "2026-10-16T19:30", "time_zone": "Europe/Vienna", "ahead": 4,
        "is_active": "on", "interval": 1, "unit": "WEEKLY", "days": ["FR"], "nth": "", "until": "2026-11-06",
        "skipped": "",
    }  # fmt: skip
    assert planner.post(reverse("tournaments:repeat", args=[made.pk]), plan).status_code == 302
    fridays = Series.objects.get()
    days = {"first_day": "2026-10-16", "last_day": "2026-11-06"}
    form = sent(name="Autumn", series=fridays.pk, best="3", attendance="1", **days)
    assert planner.post(reverse("tournaments:new-season"), form).status_code == 302
    autumn = Season.objects.get()
    assert autumn.created_by == person("dora")
    services.plan_series(series_id=fridays.pk, now=first - timedelta(days=1))
    evenings = list(fridays.events.order_by("starts_at"))
    assert [one.starts_at.hour for one in evenings] == [17, 17, 18, 18]
    orders = ["ann bob cat", "bob cat ann", "ann bob cat", "ann cat bob"]
    for one, order in zip(evenings, orders, strict=True):
        services.run_due_steps(event_id=one.pk, now=one.registration_at)
        for name in order.split():
            services.add_entry(event_id=one.pk, user=person(name), by=person("dora"))
        play(one, order, now=one.starts_at)
    table = table_of_season(autumn)
    assert [one.pk for one in table.events] == [one.pk for one in evenings]
    assert points(autumn) == {"ann": 34, "bob": 28, "cat": 23}
    assert [[cell.is_dropped for cell in row.cells].index(True) for row in table.rows] == [1, 3, 0]
    page = planner.get(autumn.get_absolute_url())
    assert "16 Oct 23 Oct 30 Oct 6 Nov" in page_words(page)
    assert "# Player Points Bonus" in page_words(page)
    assert "1 ann 34 4 10 (1) 5 dropped (3) 10 (1) 10 (1)" in page_words(page)
    for one in evenings:
        assert one.get_absolute_url() in page_html(page)
    rows = list(
        csv.DictReader(planner.get(reverse("tournaments:season-csv", args=[autumn.pk])).content.decode().splitlines())
    )
    assert [(row["Place"], row["Name"], row["Points"], row["Bonus"]) for row in rows] == [
        ("1", "ann", "34", "4"), ("2", "bob", "28", "4"), ("3", "cat", "23", "4"),
    ]  # fmt: skip
    assert rows[0]["2026-10-23 Fridays"] == "5"
    assert rows[0]["Dropped"] == "2026-10-23 Fridays"


@pytest.mark.parametrize(
    ("days", "counted"), [({}, 3), ({"first_day": date(2026, 10, 25)}, 2), ({"last_day": date(2026, 10, 24)}, 1)]
)
def test_days_are_those_of_the_organisers_calendar(event, days, counted):
    """Half past midnight in Vienna is the day before in UTC, in summer and in winter time."""
    series = Series.objects.create(name="Nights", game="casino", first_start_at=NOON, time_zone="Europe/Vienna")
    for at in (datetime(2026, 10, 23, 22, 30, tzinfo=UTC), datetime(2026, 10, 24, 22, 30, tzinfo=UTC), NOON):
        event(name="Night", series=series, starts_at=at, time_zone="Europe/Vienna")
    table = table_of_season(season(series=series, **days))
    assert len(table.coming) == counted


# Whose results count


def test_a_chosen_event_counts_whatever_the_days_say_and_a_cancelled_one_never(event, evening):
    other, gone = evening("ann bob"), event(name="Gone", people="ann bob")
    services.cancel_event(event_id=gone.pk, by=None, why="")
    made = season(other, gone, first_day=date(2058, 1, 1))
    assert ([one.pk for one in table_of_season(made).events], table_of_season(made).coming) == ([other.pk], ())
    assert points(made) == {"ann": 10, "bob": 7}


def test_an_event_of_the_series_that_is_also_chosen_counts_once(evening):
    series = Series.objects.create(name="Nights", game="casino", first_start_at=NOON)
    assert points(season(evening("ann bob", series=series), series=series)) == {"ann": 10, "bob": 7}


def test_columns_of_tournaments_on_one_day_have_their_time_or_their_name(event):
    def made(name: str, hour: int, year: int = 2026, day: int = 25) -> Event:
        return event(name=name, starts_at=datetime(year, 10, day, hour, tzinfo=UTC), time_zone="Europe/Vienna")

    headings = {
        made("Alone", 12, day=24): "24 Oct",
        made("Early", 12): "25 Oct 13:00",
        made("Late", 18): "25 Oct 19:00",
        made("Twin", 20): "25 Oct Twin",
        made("Other twin", 20): "25 Oct Other twin",
        made("Next year", 12, year=2027): "25 Oct 2027",
    }
    assert headings_of_events([*headings]) == [*headings.values()]


def test_renamed_and_closed_accounts_keep_their_results(client, evening):
    one, other = evening("ann bob cat"), evening("bob cat ann")
    made = season(one, other)
    User.objects.filter(username="bob").update(username="robert")
    assert points(made) == {"robert": 17, "ann": 15, "cat": 12}
    close_account(user=person("ann"))
    assert sorted(points(made).values()) == [12, 15, 17]
    page = page_words(client.get(made.get_absolute_url()))
    assert "robert 17" in page and "ann" not in page.split()


def test_who_left_during_play_has_the_place_they_ended_at_and_a_disqualified_player_none(event):
    noon = started(event(people="ann bob cat dan", **ROBIN))
    services.withdraw_entry(event_id=noon.pk, user=person("dan"))
    Entry.objects.filter(event=noon, user=person("cat")).update(status=Entry.Status.REMOVED)
    while noon.matches.filter(status="playing").exists():
        for match in noon.matches.filter(status="playing"):
            lose(noon, max(side.entry.user.username for side in match.sides.all()))
    noon.refresh_from_db()
    assert noon.is_finished
    assert points(season(noon)) == {"ann": 10, "bob": 7}  # dan never came
    Entry.objects.filter(event=noon, user=person("dan")).update(has_come=True)
    assert points(season(noon)) == {"ann": 10, "bob": 7, "dan": 5}


def test_who_checked_in_and_never_came_to_the_table_has_no_points(event):
    noon = started(event(people="ann bob cat", **ROBIN))
    noon.entries.update(has_come=True)  # all three have checked in
    come(noon, "ann", "bob")
    while tables := running_tables(noon):
        for table in tables:
            table.refresh_from_db()
            if table.appear_by:
                games.flag_overdue(table_id=table.pk, now=table.appear_by + timedelta(seconds=1))
                services.advance_running_event(event_id=noon.pk, now=NOON)
            else:
                lose(noon, "bob")
        open_tables(noon)
        come(noon, "ann", "bob")
    noon.refresh_from_db()
    assert noon.is_finished
    assert points(season(noon, attendance=1)) == {"ann": 11, "bob": 8}


def test_a_season_without_a_result_says_whether_a_tournament_is_over(client, evening):
    made = season(evening("ann bob"))
    Entry.objects.update(status=Entry.Status.REMOVED)
    assert "No one has a result yet." in page_words(client.get(made.get_absolute_url()))


def test_bots_count_or_places_are_those_among_players(house_bots, event):
    noon = play_with_bots(event)
    with_bots, without = season(noon, counts_bots=True), season(noon, place_points=[10, 7, 5])
    shown = table_of_season(without).rows
    assert [row.user.is_bot for row in shown] == [False, False]
    assert sorted(points(without).values()) == [7, 10]
    assert len(table_of_season(with_bots).rows) == 4


def play_with_bots(event) -> Event:
    """Two people and two bots; the bots come first and second."""
    noon = started(event(people="ann bob", fill_to=4, **ROBIN))
    while noon.matches.filter(status="playing").exists():
        for match in noon.matches.filter(status="playing"):
            people = [side.entry.user for side in match.sides.all()]
            worst = max(people, key=lambda user: (not user.is_bot, user.username))
            lose(noon, worst.username)
    noon.refresh_from_db()
    assert noon.is_finished
    return noon


def test_partners_both_are_in_the_table(event):
    noon = event(people="ann bob", name="Pairs", game="push", options={}, seats=4, deals=1)
    for name, partner in (("ann", "cat"), ("bob", "dan")):
        services.join_partner(entry_id=entry_of(noon, name).pk, user=person(partner))
    started(noon)
    lose(noon, "bob")
    noon.refresh_from_db()
    assert noon.is_finished
    assert points(season(noon)) == {"ann": 10, "cat": 10, "bob": 7, "dan": 7}


def test_an_event_leads_to_the_seasons_that_it_counts_for(client, event):
    series = Series.objects.create(name="Nights", game="casino", first_start_at=NOON)
    night = event(name="Night", series=series)
    season(series=series, name="Now")
    season(series=series, name="Later", first_day=date(2058, 1, 1))
    season(night, series=series, name="Chosen", first_day=date(2058, 1, 1))
    words = page_words(client.get(night.get_absolute_url()))
    assert "Counts for Now" in words and "Counts for Chosen" in words and "Later" not in words
    services.cancel_event(event_id=night.pk, by=None, why="")
    assert "Counts for" not in page_words(client.get(night.get_absolute_url()))


# The form


def test_the_form_shows_what_is_stored_and_takes_points_of_ones_own(planner, evening):
    one = evening("ann bob cat")
    form = sent(events=[one.pk], scale="own", own_points="12, 9; 7 0", first_tie_break="best")
    assert planner.post(reverse("tournaments:new-season"), form).status_code == 302
    made = Season.objects.get()
    assert (made.place_points, made.tie_breaks, [*made.events.all()]) == ([12, 9, 7, 0], ["best"], [one])
    page = page_html(planner.get(reverse("tournaments:edit-season", args=[made.pk])))
    assert 'value="12, 9, 7, 0"' in page and '<option value="" selected>none</option>' in page and "-----" not in page
    assert '<option value="own" selected>' in page and '<option value="best" selected>' in page
    planner.post(reverse("tournaments:edit-season", args=[made.pk]), sent(events=[one.pk], scale="beaten"))
    made.refresh_from_db()
    assert made.place_points == []
    assert points(made) == {"ann": 2, "bob": 1, "cat": 0}
    assert "one for each player beaten" in page_words(planner.get(made.get_absolute_url()))


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize(
    ("changes", "field", "text"),
    [
        ({"scale": "own"}, "own_points", "Enter the points for each place."),
        ({"scale": "own", "own_points": "10, x"}, "own_points", "Write whole numbers, such as 12, 9, 7, 5."),
        ({"scale": "own", "own_points": "5 7"}, "__all__", "A lower place can't give more points than a higher one."),
        ({"scale": "own", "own_points": "1001"}, "__all__", "Enter at most 64 numbers of points, from 0 to 1000."),
        ({"events": []}, "series", "Choose a series, or tournaments below."),
        ({"second_tie_break": "places"}, "__all__", "Choose each tie-break at most once."),
        ({"first_day": "2026-02-02", "last_day": "2026-02-01"}, "last_day", "The last day is before the first one."),
        ({"best": "0"}, "best", "Ensure this value is greater than or equal to 1."),
        ({"name": "Season 0"}, "name", "There is already a season with this name. Choose another one."),
    ],
)  # fmt: skip
def test_what_makes_no_table_is_refused(planner, event, changes, field, text):
    season()
    answer = planner.post(reverse("tournaments:new-season"), sent(events=[event().pk]) | changes)
    assert answer.status_code == 422
    assert text in answer.context["form"].errors[field]
    assert Season.objects.count() == 1


def test_a_season_is_changed_by_who_made_it_and_by_admins(client, planner, event):
    made = season(event())
    for name in ("edit-season", "delete-season"):
        assert planner.post(reverse(f"tournaments:{name}", args=[made.pk]), sent()).status_code == 403
    Season.objects.update(created_by=person("dora"))
    assert "Change the season" in page_words(planner.get(made.get_absolute_url()))
    assert planner.post(reverse("tournaments:delete-season", args=[made.pk])).status_code == 302
    assert not Season.objects.exists()
    assert Event.objects.count() == 1
    client.force_login(person("ann"))
    assert client.get(reverse("tournaments:new-season")).status_code == 403


def test_the_series_and_the_list_lead_to_its_seasons(planner, event):
    series = Series.objects.create(name="Nights", game="casino", first_start_at=NOON)
    made = season(series=series)
    for address in (series.get_absolute_url(), reverse("tournaments:seasons")):
        assert made.get_absolute_url() in page_html(planner.get(address))
    assert f'<option value="{series.pk}" selected>' in page_html(
        planner.get(reverse("tournaments:new-season"), {"series": series.pk})
    )
    assert "No tournament of this season is over yet." in page_words(planner.get(made.get_absolute_url()))


def test_the_form_offers_events_without_a_series_and_the_directors_own(planner, event):
    series = Series.objects.create(name="Nights", game="casino", first_start_at=NOON)
    free, foreign, own = event(name="Free"), event(name="Foreign", series=series), event(name="Own", series=series)
    Event.objects.filter(pk=own.pk).update(created_by=person("dora"))
    Event.objects.filter(pk=foreign.pk).update(created_by=None)
    form = planner.get(reverse("tournaments:new-season")).context["form"]
    assert {one.pk for one in form.fields["events"].queryset} == {free.pk, own.pk}


def test_bots_of_people_count_where_bots_count_and_nowhere_else(event):
    bot, _ = register_bot(owner=person("olga"), name="ann-bot")
    mixed = event(people="bob cat", fill_to=2, **ROBIN)
    services.enter_event(event_id=mixed.pk, user=bot)
    play(mixed, "ann-bot bob cat")
    assert points(season(mixed)) == {"bob": 10, "cat": 7}
    assert points(season(mixed, counts_bots=True)) == {"ann-bot": 10, "bob": 7, "cat": 5}
