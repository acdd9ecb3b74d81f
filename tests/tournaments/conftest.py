from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone


@pytest.fixture
def event(db: None) -> Callable:
    """A knock-out of Casino at noon, open for entries, with whoever is named in `people`."""
    from tests.tournaments.factories import NOON, person
    from tournaments import services
    from tournaments.models import Event

    def make(*, people: str = "", status: str = Event.Status.REGISTRATION, **settings: object) -> Event:
        chosen = {
            "name": "Noon knock-out", "game": "casino", "options": {"target": 11}, "check_in_minutes": 0,
            "starts_at": NOON,
        }  # fmt: skip
        event = Event(status=status, **chosen | settings)
        event.full_clean()
        services.save_event(event, by=None, now=NOON - timedelta(hours=1))
        for name in people.split():
            services.add_entry(event_id=event.pk, user=person(name), by=person("director"))
        event.refresh_from_db()
        return event

    return make


@pytest.fixture
def soon(event: Callable) -> Callable:
    """Like `event`, an hour from now."""
    return lambda **settings: event(starts_at=timezone.now() + timedelta(hours=1), **settings)


@pytest.fixture
def pairs(event: Callable) -> Callable:
    """Like `event`, of Push for partners."""
    return lambda **settings: event(game="push", options={}, seats=4, **settings)


@pytest.fixture
def proposed(event: Callable) -> Callable:
    """A Swiss whose first round waits to be published."""
    from tests.tournaments.factories import NOON
    from tournaments import services

    def make(people: str = "ann bob cat dan", **settings: object) -> object:
        noon = event(people=people, format="swiss", publishes_by_hand=True, **settings)
        services.start_event(event_id=noon.pk, now=NOON)
        noon.refresh_from_db()
        return noon

    return make


@pytest.fixture
def ann(db: None, client: Client) -> Client:
    """The browser of somebody who is logged in as ann."""
    from tests.tournaments.factories import person

    client.force_login(person("ann"))
    return client


@pytest.fixture
def director(db: None, client: Client) -> Client:
    """The browser of an admin, called director."""
    from tests.tournaments.factories import person

    user = person("director")
    user.is_staff = user.is_superuser = True
    user.save()
    client.force_login(user)
    return client


@pytest.fixture
def planner(db: None, client: Client) -> Client:
    """The browser of dora, who may plan events."""
    from django.contrib.auth.models import Group

    from tests.tournaments.factories import person

    user = person("dora")
    user.groups.add(Group.objects.get(name="Directors"))
    client.force_login(user)
    return client


@pytest.fixture
def boss(db: None) -> object:
    """An admin, called director."""
    from tests.tournaments.factories import person

    user = person("director")
    user.is_staff = user.is_superuser = True
    user.save()
    return user


@pytest.fixture
def teams_of_two(event: Callable, boss: object) -> Callable:
    """A round robin of teams of two boards, with teams from lines such as "Reds: ann bob cat"."""
    from tests.tournaments.factories import person
    from tournaments import services

    def make(lines: str = "", **settings: object) -> object:
        made = event(**{"team_boards": 2, "seeding": "hand", "format": "round-robin", **settings})
        for seed, line in enumerate(lines.splitlines(), start=1):
            name, _, people = line.partition(": ")
            captain, *others = people.split()
            entry = services.add_entry(event_id=made.pk, user=person(captain), team=name, seed=seed, by=boss)
            for other in others:
                services.invite_member(entry_id=entry.pk, member=person(other), by=boss)
        made.refresh_from_db()
        return made

    return make


@pytest.fixture
def house_bots(db: None) -> None:
    from django.core.management import call_command

    call_command("make_house_bots", verbosity=0)


@pytest.fixture
def league(db: None) -> Callable:
    """A small bot league, see `tests.tournaments.leagues.planned`."""
    from tests.tournaments.leagues import planned

    return planned


@pytest.fixture
def night(league: Callable) -> Callable:
    """A night of such a league that has just started; nobody has played any of it yet."""
    from tournaments.services.league import start_due_night

    def make(**settings: object) -> object:
        due = league(**settings)
        return start_due_night(league_id=due.pk, now=due.due_at)

    return make
