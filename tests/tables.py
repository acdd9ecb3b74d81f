"""People, tables and moves, for tests of any app. Models are imported late: Django is not set up yet."""

from datetime import timedelta

import pytest
from django.urls import reverse


@pytest.fixture
def person(db):
    """`person("alice")`: an account of that name."""
    return account


def account(name):
    from accounts.models import User

    return User.objects.get_or_create(username=name)[0]


@pytest.fixture
def house_bot(db):
    """`house_bot("Ada", game, level)`: a house bot."""
    from accounts.models import User
    from games.models import HouseBot

    def make(name, game="casino", level="first-steps"):
        user = User.objects.create(username=f"bot-{game}-{name}", first_name=name, is_bot=True)
        return HouseBot.objects.create(user=user, game=game, level=level)

    return make


@pytest.fixture
def table_of(db):
    """`table_of("alice", "bob")`: a running table with these people, in this order; the last one deals."""
    return table_with


def table_with(*names, game="casino", options=None, secret=bytes(32), **more):
    from games import services
    from games.models import Table

    people = [account(name) for name in names]
    table = services.open_table(
        game=game, seats=len(names), options=options, created_by=people[0], secret=secret, **more
    )
    Table.objects.filter(pk=table.pk).update(first_dealer=len(names) - 1)
    for user in people:
        table = services.sit_down(table_id=table.pk, user=user, shuffles=True)
    return add_values(table)


def commit(table, user, value="ab"):
    """What the browser of a player sends first."""
    from games import services
    from games.core import deals

    commitment = deals.bound_commitment(table.commitment, value)
    return services.add_to_shuffle(table_id=table.pk, user=user, seal=table.commitment, commitment=commitment)


def reveal(table, user, value="ab", **more):
    """What it sends when it is asked for the value."""
    from games import services
    from games.core import deals

    sent = {"seal": table.commitment, "commitment": deals.bound_commitment(table.commitment, value), "value": value}
    return services.add_to_shuffle(table_id=table.pk, user=user, **sent | more)


def add_values(table, *values):
    """All browsers of a full table commit and reveal, "ab" without `values`; then the cards are dealt."""
    people = [seat.user for seat in table.seats.all() if seat.is_entropy_own]
    values = values or ["ab"] * len(people)
    for user, value in zip(people, values, strict=True):
        commit(table, user, value)
    for user, value in zip(people, values, strict=True):
        table = reveal(table, user, value)
    return table


def url(name, table):
    """The address of a page of a table."""
    return reverse(f"games:{name}", args=[table.code])


def fresh(table):
    """The table as it is stored, with nothing remembered."""
    from games.models import Table

    return Table.objects.with_seats().get(pk=table.pk)


@pytest.fixture
def state_of():
    """The position of a table as it is in the database now."""
    return position_at


def position_at(table):
    from games.record import replay

    return replay.state_of(fresh(table))


@pytest.fixture
def play_on():
    """`play_on(table, moves)`: plays that many moves, the last legal ones, up to the end if None."""
    return play_last_moves


def play_last_moves(table, moves=None):
    from games import services
    from games.models import Table
    from games.record import replay

    while table.status == Table.Status.RUNNING and moves != 0:
        state = replay.state_of(table)
        seat = state.to_act[0]
        text = str(state.legal_moves(seat)[-1])
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
        moves = None if moves is None else moves - 1
    return table


@pytest.fixture
def time_stands(monkeypatch):
    """Time stands still, so that a busy machine takes nobody's; `let_pass` moves it on."""
    from django.utils import timezone

    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


@pytest.fixture
def let_pass():
    """`let_pass(table, seconds)`: what has happened there so far, and vacations, are longer ago by that much."""
    from django.db.models import F

    from games.models import Vacation

    def pass_time(table, seconds):
        table = fresh(table)
        for name in ("deadline_at", "short_at", "rests_until"):
            moment = getattr(table, name)
            setattr(table, name, moment and moment - timedelta(seconds=seconds))
        table.timers = [
            timer._replace(
                since=timer.since and timer.since - seconds,
                rests_until=timer.rests_until and timer.rests_until - seconds,
            )
            for timer in table.timers
        ]
        table.save(update_fields=["clocks", "deadline_at", "short_at", "rests_until"])
        back = timedelta(seconds=seconds)
        Vacation.objects.update(begins_at=F("begins_at") - back, ends_at=F("ends_at") - back)

    return pass_time


@pytest.fixture
def as_user():
    """`as_user(alice)`: a test client in which she is logged in."""
    from django.test import Client

    def login(user):
        browser = Client()
        browser.force_login(user)
        return browser

    return login


@pytest.fixture
def seat_of_ada(live_url, new_context, table_of):
    """Ada's page at a running table of a game; the other seats are moved by `tests.at_table.others_move`."""

    from django.conf import settings
    from django.test import Client

    from accounts.models import User

    def sit(game, seats, screen, forced="ask", by="mouse", options=None, **more):
        table = table_of(*[f"player{seat}" for seat in range(seats)], game=game.slug, options=options)
        touch = {"has_touch": True, "is_mobile": True}
        browser = Client()
        browser.force_login(User.objects.get(username="player0"))
        page = new_context(**touch if by == "finger" else {}, viewport=screen, **more).new_page()
        session = browser.cookies[settings.SESSION_COOKIE_NAME].value
        cookies = {settings.SESSION_COOKIE_NAME: session, "forced": forced, "pace": "quick"}
        page.context.add_cookies([{"name": name, "value": value, "url": live_url} for name, value in cookies.items()])
        page.goto(f"{live_url}{table.get_absolute_url()}")
        return table, page

    return sit
