"""Starts are written and shown by the clocks of the organiser, also where these are put forward or back."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from tests.pages import page_html
from tests.tournaments.factories import NOON, settings_of
from tests.tournaments.leagues import planned as planned_league
from tournaments import services
from tournaments.models import BotLeague, Event, Series

EVENING = datetime(2026, 11, 20, 19, tzinfo=UTC)  # 20:00 in Vienna
PUT_BACK = "2026-10-25T02:30"  # comes twice in Vienna
PUT_FORWARD = "2027-03-28T02:30"  # does not come at all


@pytest.fixture
def series(db):
    settings = {"game": "casino", "options": {"target": 21}, "format_options": {"third_place": True}}
    made = Series(name="Fridays", first_start_at=EVENING, rrule="FREQ=WEEKLY", time_zone="Europe/Vienna", **settings)
    return services.save_series(made, now=NOON)


def sent(page: object, **changes: object) -> dict[str, object]:
    """What a browser sends of a form in the admin in which somebody writes this."""
    form = page.context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in (values | changes).items() if value is not None and value is not False}


@pytest.fixture(params=["series", "botleague"])
def row(request, series):
    """A series, or a league of bots, and its page in the admin."""
    row = series if request.param == "series" else planned_league()
    type(row).objects.filter(pk=row.pk).update(first_start_at=EVENING, time_zone="Europe/Vienna")
    row.refresh_from_db()
    return row, reverse(f"admin:tournaments_{request.param}_change", args=[row.pk])


def save(director, row, url, **changes: object) -> object:
    page = director.post(url, sent(director.get(url), **changes))
    row.refresh_from_db()
    return page


def test_a_first_start_is_shown_and_read_by_the_clocks_of_its_zone(director, row):
    row, url = row
    assert 'value="2026-11-20T20:00"' in page_html(director.get(url))
    assert save(director, row, url, first_start_at="2026-12-04T21:00").status_code == 302
    assert row.first_start_at == datetime(2026, 12, 4, 20, tzinfo=UTC)
    save(director, row, url, time_zone="America/New_York")
    assert row.first_start_at == datetime(2026, 12, 5, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "start",
    [
        EVENING,
        EVENING + timedelta(seconds=7, microseconds=8),
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 25, 1, 30, tzinfo=UTC),  # the second 02:30
    ],
)
def test_opening_and_saving_does_not_move_a_first_start(director, row, start):
    row, url = row
    type(row).objects.filter(pk=row.pk).update(first_start_at=start)
    assert save(director, row, url).status_code == 302
    assert row.first_start_at == start


def test_a_first_start_that_the_clocks_skip_is_refused_and_a_doubled_one_is_the_first(director, row):
    row, url = row
    page = save(director, row, url, first_start_at=PUT_FORWARD)
    assert "exist on 28 Mar 2027 in Europe/Vienna, because the clocks go forward" in page_html(page)
    assert row.first_start_at == EVENING
    save(director, row, url, first_start_at=PUT_BACK)
    assert row.first_start_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_a_series_and_a_league_say_their_first_start_by_their_clocks(client, series):
    league = planned_league()
    BotLeague.objects.update(first_start_at=EVENING, time_zone="Asia/Tokyo")
    assert "Fri 20 Nov 2026, 20:00 (Europe/Vienna)" in page_html(client.get(series.get_absolute_url()))
    assert "Sat 21 Nov 2026, 04:00 (Asia/Tokyo)" in page_html(client.get(league.get_absolute_url()))


def test_an_event_is_not_planned_for_a_time_that_the_clocks_skip(director):
    fields = settings_of(Event(name="Cup"), starts_at=PUT_FORWARD, time_zone="Europe/Vienna")
    page = director.post("/tournaments/new/", fields)
    assert page.status_code == 422
    assert "exist on 28 Mar 2027 in Europe/Vienna, because the clocks go forward" in page_html(page)
    assert not Event.objects.exists()


def test_an_event_at_a_doubled_time_is_the_first_one_and_stays_the_second_one_where_it_was(director):
    put_back = "2059-10-26T02:30"
    fields = settings_of(Event(name="Cup"), starts_at=put_back, time_zone="Europe/Vienna")
    director.post("/tournaments/new/", fields)
    event = Event.objects.get()
    assert event.starts_at == datetime(2059, 10, 26, 0, 30, tzinfo=UTC)
    second = event.starts_at + timedelta(hours=1)
    Event.objects.update(starts_at=second)
    url = reverse("tournaments:edit", args=[event.pk])
    page = director.get(url)
    assert page.context["form"]["starts_at"].value() == put_back
    director.post(url, fields | {"name": "Renamed", "seen": page.context["seen"]})
    event.refresh_from_db()
    assert (event.name, event.starts_at) == ("Renamed", second)


def test_the_admin_shows_an_event_by_its_clocks_and_leaves_editing_to_the_site(director, event):
    noon = event(people="ann bob", time_zone="Europe/Vienna")
    url = reverse("admin:tournaments_event_change", args=[noon.pk])
    page = page_html(director.get(url))
    assert "Fri 20 Nov 2026, 13:00 (Europe/Vienna)" in page
    assert 'name="match_games"' not in page and 'name="starts_at_0"' not in page
    assert director.get(reverse("admin:tournaments_event_add")).status_code == 403
