"""SQL injection: queries are those of the ORM or constants; what visitors send is a parameter, and in no statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction

from tests.cardsite.walk_visits import visits
from tests.cardsite.walk_world import built
from tests.games.recorder import Reader, has_failed

APPS = ("accounts", "cardsite", "chat", "games", "infra", "notifications", "tournaments", "tutorials")
ALLOWED = {  # by file: the first argument of `execute`
    "cardsite/server/backups.py": {"'PRAGMA integrity_check(1)'"},
    "cardsite/web/doctor.py": {"'SELECT 1'", "'SELECT clock_timestamp()'"},
    "cardsite/web/health.py": {"'SELECT 1'"},
    "games/fast_moves/store.py": {"SQL"},  # made of the names of tables and columns; values are parameters
    "infra/bulk.py": {"statement"},  # likewise
}
HOSTILE = "zq' OR 1=1 --\"); DROP TABLE zq"
MARK = "zq"


def sources() -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in (settings.BASE_DIR / app).rglob("*.py") if "migrations" not in path.parts)


def calls_of(path: Path, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in names:
                yield node


def test_nothing_but_the_orm_and_a_few_constants_makes_sql() -> None:
    found: dict[str, set[str]] = {}
    for path in sources():
        raw = [ast.unparse(call) for call in calls_of(path, "raw", "extra", "RawSQL")]
        assert not raw, f"{path}: {raw}"
        for call in calls_of(path, "execute", "executemany", "executescript"):
            if call.args:  # a pipeline of Redis has none
                found.setdefault(str(path.relative_to(settings.BASE_DIR)), set()).add(ast.unparse(call.args[0]))
    assert found == ALLOWED


def test_the_statement_of_a_move_is_made_of_names_alone() -> None:
    tree = ast.parse((settings.BASE_DIR / "games/fast_moves/store.py").read_text())
    [text] = [node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "SQL"]
    parts = {ast.unparse(part.value) for part in ast.walk(text) if isinstance(part, ast.FormattedValue)}
    tables = {f"{model}._meta.db_table" for model in ("Table", "Seat", "User", "Session", "Move")}
    assert parts - tables == {"', '.join((f'{name} = %({name})s' for name in MOVE_COLUMNS))", "name"}


def parameter_names() -> list[str]:
    """Every name by which a source reads the query or the form of a request."""
    names = set()
    for path in sources():
        for call in calls_of(path, "get", "getlist"):
            where = call.func.value if isinstance(call.func, ast.Attribute) else None
            is_request = isinstance(where, ast.Attribute) and where.attr in ("GET", "POST")
            if is_request and call.args and isinstance(call.args[0], ast.Constant):
                names.add(str(call.args[0].value))
    return sorted(names)


@contextmanager
def statements() -> Iterator[list[str]]:
    """The SQL that is sent meanwhile, without its parameters."""
    sent: list[str] = []

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        sent.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(listen):
        yield sent


@pytest.mark.django_db
@pytest.mark.only_on("sqlite")
def test_what_a_visitor_sends_is_in_no_statement() -> None:
    world = built()
    reader = Reader("admin", world.people["admin"])
    hostile = dict.fromkeys([*parameter_names(), "q", "o", "all", "page", "search"], HOSTILE)
    assert len(hostile) > 40
    asked = 0
    for visit in visits(world):
        for method in ("GET", "POST"):
            reader.browser.raise_request_exception = False
            cache.clear()
            path = f"{visit.path.partition('?')[0]}?{urlencode(hostile)}"
            with transaction.atomic(), statements() as sent:
                if method == "GET":
                    response = reader.browser.get(path)
                else:
                    response = reader.browser.post(path, hostile | dict.fromkeys(visit.sent, HOSTILE))
                transaction.set_rollback(True)
            asked += len(sent)
            assert not has_failed(response.status_code), f"{method} {visit}"
            assert not [sql for sql in sent if MARK in sql], f"{method} {visit}"
    assert asked > 1000
