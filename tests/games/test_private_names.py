"""Private names of Django: none outside the fast path, and those that it uses are still what it takes them for."""

import ast
import re
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest
from django.conf import settings
from django.core.handlers import asgi, base, exception
from django.db import connection
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.test import RequestFactory

PACKAGES = ("accounts", "cardsite", "chat", "games", "infra", "notifications", "tournaments", "tutorials")
FAST_PATH = settings.BASE_DIR / "games" / "fast_moves"

USED = {"_reject"}
"""The private names of Django that the fast path uses, with a test below."""

KNOWN = USED | {
    "_fetch_all", "_get_failure_view", "_get_session_from_db", "_handler_class", "_known_related_objects",
    "_middleware_chain", "_prefetch_done", "_prefetched_objects_cache", "_resource_closers", "_result_cache",
    "_session_cache", "_session_key", "_state", "fields_cache", "get_compiler", "get_related_populators",
    "klass_info", "ModelState",
}  # fmt: skip
"""Private names that this site uses, or once did."""

DOCUMENTED = {"_meta", "_base_manager", "_default_manager", "_replace", "_fields", "_asdict", "_exit"}
"""They begin with an underscore and are public all the same."""


OF_THE_STUBS = {"_FieldsetSpec"}
"""Names of django-stubs that only the type checker reads."""


def sources(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "migrations" not in path.parts and "static" not in path.parts]


def elsewhere() -> list[Path]:
    found = [path for package in PACKAGES for path in sources(settings.BASE_DIR / package)]
    return [path for path in found if not path.is_relative_to(FAST_PATH)]


def underscored(path: Path) -> Iterator[tuple[str, bool]]:
    """The private names in a file, and whether it defines them itself, as attributes of `self` for example."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, True
        elif isinstance(node, ast.Name):
            yield node.id, True
        elif isinstance(node, ast.alias):
            yield node.name, False
        elif isinstance(node, ast.Attribute):
            owner = node.value
            yield node.attr, isinstance(owner, ast.Name) and owner.id in ("self", "cls")


def foreign(paths: list[Path]) -> set[str]:
    """Private names of others that these files use."""
    found = [pair for path in paths for pair in underscored(path)]
    own = {name for name, is_own in found if is_own} | DOCUMENTED | OF_THE_STUBS
    return {name for name, _ in found if name.startswith("_") and not name.startswith("__")} - own


def test_only_the_fast_path_uses_private_names():
    assert foreign(elsewhere()) == set()
    for path in elsewhere():
        assert not {*re.findall(r"\w+", path.read_text())} & KNOWN, path


def test_the_fast_path_uses_no_others():
    words = {word for path in sources(FAST_PATH) for word in re.findall(r"\w+", path.read_text())}
    assert words & KNOWN == USED
    assert foreign(sources(FAST_PATH)) - USED == set()


def test_the_csrf_check_calls_reject_with_request_and_reason(rf: RequestFactory):
    class Check(CsrfViewMiddleware):
        def _reject(self, request: object, reason: str) -> str:
            return f"rejected: {reason}"

    assert [*signature(CsrfViewMiddleware._reject).parameters] == ["self", "request", "reason"]
    request = rf.post("/")
    check = Check(lambda request: HttpResponse())
    check.process_request(request)
    assert check.process_view(request, lambda request: None, (), {}).startswith("rejected: ")


UNDOCUMENTED = {
    asgi.ASGIHandler.read_body: ["self", "receive"],
    asgi.ASGIHandler.create_request: ["self", "scope", "body_file"],
    asgi.ASGIHandler.send_response: ["self", "response", "send"],
    asgi.ASGIHandler.listen_for_disconnect: ["self", "receive"],
    asgi.get_script_prefix: ["scope"],
    base.BaseHandler.load_middleware: ["self", "is_async"],
    base.BaseHandler.get_response: ["self", "request"],
    exception.convert_exception_to_response: ["get_response"],
}
"""Public by name, but not documented: what `cardsite.web.handler` and the fast path build on."""


@pytest.mark.parametrize("call", UNDOCUMENTED, ids=lambda call: call.__qualname__)
def test_the_handler_is_still_built_from_these_parts(call):
    assert [*signature(call).parameters] == UNDOCUMENTED[call]


def test_psycopg_connects_by_the_parameters_that_django_gives():
    assert [*signature(connection.get_connection_params).parameters] == []
