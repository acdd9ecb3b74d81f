"""Every address, asked by all sorts of people: nothing fails, and nobody gets where he has no business."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from accounts import blocking
from accounts.models import User
from accounts.services import make_guest
from chat.models import Act
from games import services as games
from games.models import Table
from tests.games.recorder import Ask, Reader, addresses, has_failed, undone
from tests.tournaments.factories import person

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]
PEOPLE = ("nobody", "guest", "stranger", "opponent", "muted", "blocked", "closed", "staff")
NEAR_THE_TABLE = ("guest", "opponent", "muted", "blocked")  # who differ from others only there
RUN_BY = ("admin:", "chat:moderation", *(f"tournaments:{page}" for page in ("console", "act", "edit", "seeds")))
"""Beginnings of the names of pages for those who run the site, or an event."""


@pytest.fixture
def reader_of(event):
    """`reader_of("muted")`: somebody of that sort, at a table of Casino beside an event."""
    event(people="ann bob")
    player = person("player")

    def make(sort):
        if sort == "nobody":
            return Reader(sort)
        user = make_guest() if sort == "guest" else person(sort)
        reader = Reader(sort, user)
        if sort == "muted":
            until = timezone.now() + timedelta(days=1)
            Act.objects.create(what=Act.What.MUTE, about=user, by=player, why="insults", until=until)
        elif sort == "blocked":
            blocking.block_user(blocker=player, blocked=user)
        elif sort in ("closed", "staff"):
            User.objects.filter(pk=user.pk).update(is_active=sort != "closed", is_staff=sort == "staff")
        return reader

    return make


def status_of(text: str) -> int:
    """That of the first answer (`recorder.in_words`)."""
    return int(text.partition("\n")[0])


@pytest.mark.parametrize("sort", PEOPLE)
def test_no_address_fails_or_lets_anybody_in_who_has_no_business_there(sort, reader_of):
    reader = reader_of(sort)
    table = games.seat_and_start(game="casino", players=[person("player"), person("opponent")], options=None)
    table = Table.objects.with_seats().get(pk=table.pk)
    wild = {"at": "x", "seat": "99", "text": "no card", "version": "-1", "kind": "none", "name": "?", "line": "0"}
    near = [one for one in addresses() if {"code", "name"} & {*one.parts} or one.name.startswith("chat:")]
    for address in near if sort in NEAR_THE_TABLE else addresses():
        if address.name.startswith("admin:") and sort not in ("nobody", "staff"):
            continue
        path = address.path(table, "player")
        for ask in (Ask(path), Ask(path, wild, is_post=True)):
            cache.clear()
            with undone(table):
                status = status_of(reader.does(ask))
            assert not has_failed(status), f"{ask} of {reader}"
            if address.name.startswith(RUN_BY) and address.name not in ("admin:login", "admin:logout"):
                is_index = sort == "staff" and status == 200 and address.name in OF_ALL_STAFF
                assert status in (302, 403, 404, 405) or is_index, f"{ask} of {reader}: {status}"


OF_ALL_STAFF = ("admin:index", "admin:password_change", "admin:password_change_done", "admin:jsi18n")


def test_whoever_is_closed_is_nobody(reader_of):
    """Also with a session that was open before."""
    closed, nobody = reader_of("closed"), reader_of("nobody")
    for name in (
        "accounts:profile",
        "notifications:index",
        "games:mine",
        "games:vacation",
        "chat:moderation",
        "admin:index",
    ):
        ask = Ask(reverse(name))
        assert status_of(closed.does(ask)) == status_of(nobody.does(ask)), name
    assert status_of(closed.does(Ask(reverse("accounts:profile")))) == 302
