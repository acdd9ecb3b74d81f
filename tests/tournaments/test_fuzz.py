"""No request answers 500, whatever stands in its fields, its query, its headers and its cookies.

`FUZZ_EXAMPLES=40 pytest tests/tournaments/test_fuzz.py` sends many times as many requests to each address. They are the
same ones each time; `DATABASE_URL` chooses the database, as for all tests.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from zlib import crc32

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import NoReverseMatch, resolve, reverse
from hypothesis import HealthCheck, Phase, given, seed, settings

from accounts.models import User
from chat.models import Report
from games import services
from games.models import Table
from games.presentation import table_page
from games.record import replay, table_store
from notifications.models import Notice
from tests.fuzzing import Fields, Forms, Sent, field_names, parameters_of, requests
from tests.games.recorder import FILLED, Address, Reader, addresses, has_failed
from tests.tournaments.factories import NOON, person, started
from tests.tournaments.leagues import planned
from tournaments.console.actions import ACTIONS
from tournaments.console.tabs import TABS
from tournaments.models import Event, EventRole
from tournaments.services.league import start_due_night
from tutorials.content import library

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "3"))
LOOKED_AT = 2  # places of each address whose forms are known
STEPS = [("casino", False), ("casino", True), ("vatican", False), ("cuarenta", False)]
"""Lessons of which a step is looked at: the game, and whether it is a question."""
WORDS_IN_ADDRESSES = ["player", "?", "a\0b", "%00", "💥", "x" * 300, "9" * 20]
ACT = Address("tournaments:act", ("pk", "slug"))
PEOPLE = ("nobody", "player", "director", "admin")


@dataclass
class World:
    """What the addresses name. rows: ids of what there is. forms: what pages send, by path.

    subjects: what the actions of a director can be about.
    """

    tables: list[Table] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    rows: set[int] = field(default_factory=set)
    forms: dict[str, list[Fields]] = field(default_factory=dict)
    subjects: Fields = ()

    def paths(self, address: Address) -> Iterator[str]:
        for named in self.named(address):
            try:
                yield reverse(address.name, kwargs={**{part: FILLED.get(part, "x") for part in address.parts}, **named})
            except NoReverseMatch:
                continue

    def named(self, address: Address) -> Iterator[dict[str, Any]]:
        parts, events = set(address.parts), [event.pk for event in self.events]
        if "code" in parts:
            yield from ({"code": table.code} for table in self.tables)
        elif "step" in parts or "chapter" in parts:
            yield from ({part: step[part] for part in parts} for step in self.steps())
        elif "entry_id" in parts:
            yield from ({"pk": event.pk, "entry_id": event.entries.first().pk} for event in self.events)
        elif address == ACT:
            yield from ({"pk": pk, "slug": slug} for slug in ACTIONS for pk in events[:2])
        elif "tab" in parts:
            yield from ({"pk": pk, "tab": tab} for tab in TABS for pk in events[:2])
        elif "pk" in parts and address.name.startswith("tournaments:"):
            yield from ({"pk": pk} for pk in [*events, *sorted(self.rows)])
        elif "pk" in parts:
            yield from ({"pk": pk} for pk in sorted(self.rows))
        elif "object_id" in parts:
            yield from ({"object_id": pk} for pk in [*sorted(self.rows), "9" * 20, "x"])
        elif parts & {"game", "slug"}:
            yield from (dict.fromkeys(parts, slug) for slug in ("casino", "vatican", "x" * 60))
        else:
            yield {}
            yield from (dict.fromkeys(parts, word) for word in WORDS_IN_ADDRESSES if parts)

    @staticmethod
    def steps() -> Iterator[dict[str, str]]:
        for game, is_question in STEPS:
            chapters = library.load_course(game).chapters
            yield next(
                {"game": game, "chapter": chapter.id, "step": step.id}
                for chapter in chapters
                for step in chapter.steps
                if bool(step.question) == is_question
            )


@pytest.fixture
def world(event, table_of, play_on, house_bot) -> World:
    """Tables and events of every age, with the player, the director and others in them."""
    house_bot("Ada")
    director = person("director")
    games = ["casino", "cuarenta", "vatican", "krambambuli", "piquet"]
    running = [
        table_of("player", "opponent", game=game, secret=bytes([number] * 32)) for number, game in enumerate(games, 1)
    ]
    over = services.resign(table_id=play_on(table_of("player", "opponent"), 6).pk, user=person("opponent"))
    services.offer_deal(table_id=over.pk, user=person("player"))
    waiting = services.open_and_sit(user=person("player"), game="casino", seats=2, options=None)
    found = World([over, waiting, *running])
    found.events = [
        event(people="player ann bob", seeding=Event.Seeding.HAND),
        started(event(people="player ann bob carl", format="swiss", name="Swiss")),
        event(people="ann", game="push", options={}, seats=4, invited_only=True),
    ]
    for one in found.events:
        EventRole.objects.create(event=one, user=director, role=EventRole.Role.DIRECTOR)
    league = planned()
    night = start_due_night(league_id=league.pk, now=league.due_at)
    asked = services.send_challenge(user=person("opponent"), to=person("player"), game="casino", seats=2, options=None)
    services.take_vacation(user=person("player"), first=NOON.date(), last=NOON.date(), now=NOON)
    notice = Notice.objects.create(user=person("player"), key="won", text="You won.", url="/")
    report = Report.objects.create(by=person("player"), about=person("opponent"), reason=Report.Reason.values[0])
    vacation = person("player").vacations.get()
    swiss = found.events[1]
    about = {
        "entry": swiss.entries, "match": swiss.matches, "round": swiss.rounds, "line": swiss.log, "role": swiss.roles,
    }  # fmt: skip
    found.subjects = tuple((name, str(rows.first().pk)) for name, rows in about.items())
    found.rows = {row.pk for row in (league, night, asked, notice, report, vacation, director)}
    return found


@pytest.fixture
def reader(request, world) -> Reader:
    if request.param == "nobody":
        return Reader("nobody")
    user = person(request.param)
    if request.param == "admin":
        User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    return Reader(request.param, User.objects.get(pk=user.pk))


@pytest.mark.parametrize("reader", PEOPLE, indirect=True)
def test_no_request_answers_500(world, reader):
    asked = [one for one in addresses() if reader.name == "admin" or not one.name.startswith("admin:")]
    places = {address: list(dict.fromkeys(world.paths(address))) for address in asked}
    for paths in places.values():
        for path in paths[:LOOKED_AT]:
            look(world, reader, path)
    for path in places[ACT] if reader.name == "director" else ():
        look(world, reader, path, world.subjects)
    for address, paths in places.items():
        send_all_sorts(world, reader, address, paths)


def look(world: World, reader: Reader, path: str, query: Fields = ()) -> None:
    """Opens a page, and keeps what its forms send."""
    response = tried(reader, Sent(path, query))
    if not response.streaming and response["Content-Type"].startswith("text/html"):
        for action, fields in Forms(path, response.content.decode()).found:
            known = world.forms.setdefault(action, [])
            if tuple(fields) not in known:
                known.append(tuple(fields))


def send_all_sorts(world: World, reader: Reader, address: Address, paths: list[str]) -> None:
    names = (*parameters_of(resolve(paths[0]).func.__module__), *field_names())

    @seed(crc32(f"{address.name} {reader.name}".encode()))
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(sent=requests(paths, world.forms, names))
    def send(sent: Sent) -> None:
        tried(reader, sent)

    send()


def tried(reader: Reader, sent: Sent) -> Any:
    """The answer to a request whose changes are undone. :raises Exception: what the site did not expect."""
    cache.clear()
    reader.browser.cookies = SimpleCookie(reader.cookies)
    with transaction.atomic():
        response = sent.by(reader.browser)
        transaction.set_rollback(True)
    if sent.fields is not None:
        forget()
    assert not has_failed(response.status_code), sent
    return response


def forget() -> None:
    """Drops what this process remembers of tables: it may have been undone."""
    for known in (replay._newest, table_store._newest, table_page._drawings):
        known.clear()
