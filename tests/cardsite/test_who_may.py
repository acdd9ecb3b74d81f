"""Who may do what: every address of the site, asked by every role, and what that changes in the database.

The table is `who_may.txt`: for each address and method the status of the answer and the rows that are made (+),
changed (~) and deleted (-), by role. An address that is not in it fails.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection, transaction

from games.models import Table
from tests.cardsite.walk_visits import Visit, World, visits
from tests.cardsite.walk_world import ROLES
from tests.games.recorder import Reader, forget

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

TABLE = Path(__file__).with_name("who_may.txt")
AREAS = ("accounts", "admin", "chat", "games", "notifications", "site", "tournaments", "tutorials")
FEW_ROLES = {  # where nothing belongs to an event or a table
    "admin": ("anonymous", "member", "director", "admin"),
    "site": ("anonymous", "guest", "player", "admin"),
    "tutorials": ("anonymous", "guest", "player", "admin"),
}
BOOKKEEPING = {"django_session"}
NO_CHANGE = {"accounts_user": {"last_login"}}  # columns
WRITES = re.compile(r'(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM) "(\w+)"')
MODELS = {model._meta.db_table: model.__name__ for model in apps.get_models(include_auto_created=True)}

Rows = dict[Any, tuple[Any, ...]]


def area_of(name: str) -> str:
    return name.partition(":")[0] if ":" in name else "site"


def lines_of(area: str) -> dict[str, str]:
    """The part of the table for an area: what stands after each address."""
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    known = dict(line.split(" | ", 1) for line in lines)
    return {key: rest for key, rest in known.items() if area_of(key.split()[1]) == area}


@pytest.mark.parametrize("area", AREAS)
def test_every_role_changes_what_it_may_and_nothing_else(area: str, world: World) -> None:
    assert walked(area, world) == lines_of(area)


def test_the_table_has_one_line_for_each_request() -> None:
    keys = [line.split(" | ")[0] for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    assert len(keys) == len({*keys})
    assert {area_of(key.split()[1]) for key in keys} == {*AREAS}


def walked(area: str, world: World) -> dict[str, str]:
    """Lines as in the table, of the site as it is."""
    readers = [Reader(role, world.people.get(role)) for role in FEW_ROLES.get(area, ROLES)]
    before = {table: rows_of(table) for table in MODELS}
    return {
        f"{method} {visit}": in_words({reader.name: outcome(reader, visit, method, before) for reader in readers})
        for visit in visits(world)
        if area_of(visit.name) == area
        for method in ("GET", "POST")
    }


def outcome(reader: Reader, visit: Visit, method: str, before: dict[str, Rows]) -> str:
    """Such as "302 +EventLog ~Entry". Whatever the request changes is undone."""
    browser = reader.browser
    browser.cookies, browser.raise_request_exception = SimpleCookie(reader.cookies), False
    cache.clear()
    with transaction.atomic(), written() as tables:
        response = browser.post(visit.path, visit.sent) if method == "POST" else browser.get(visit.path)
        changes = [change for table in sorted(tables) for change in changed(table, before[table])]
        transaction.set_rollback(True)
    if changes:
        for table in Table.objects.all():
            forget(table)
    return " ".join([str(response.status_code), *changes])


@contextmanager
def written() -> Iterator[set[str]]:
    """The database tables to which anything is written meanwhile."""
    tables: set[str] = set()

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if found := WRITES.match(sql):
            tables.add(found[1])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(listen):
        yield tables
    tables -= BOOKKEEPING


def rows_of(table: str) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')
        names = [column[0] for column in cursor.description]
        kept = [at for at, name in enumerate(names) if name not in NO_CHANGE.get(table, ())]
        return {row[0]: tuple(row[at] for at in kept) for row in cursor.fetchall()}


def changed(table: str, before: Rows) -> Iterator[str]:
    after, name = rows_of(table), MODELS[table]
    if after.keys() - before.keys():
        yield f"+{name}"
    if any(after[key] != before[key] for key in after.keys() & before.keys()):
        yield f"~{name}"
    if before.keys() - after.keys():
        yield f"-{name}"


def in_words(outcomes: dict[str, str]) -> str:
    """The roles of each outcome; those of the most frequent one without a change are "others"."""
    roles = defaultdict(list)
    for role, what in outcomes.items():
        roles[what].append(role)
    idle = Counter({what: len(who) for what, who in roles.items() if " " not in what})
    rest = idle.most_common(1)[0][0] if idle else None
    told = [f"{' '.join(who)}: {what}" for what, who in roles.items() if what != rest]
    if rest:
        told.append(f"{'all' if len(roles) == 1 else 'others'}: {rest}")
    return " | ".join(told)
