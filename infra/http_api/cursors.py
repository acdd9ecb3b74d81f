"""Cursor pagination: a list in pages, each of which says where the next one begins.

A cursor is the value of the last row of a page, in a form that clients pass on and don't read. Rows that come or go
meanwhile neither repeat nor hide others.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from infra.http_api.problems import Problem
from infra.numbers import LARGEST

PAGE_LENGTH, LONGEST_PAGE = 20, 100

M = TypeVar("M", bound=Model)


def cursor_page(
    rows: "QuerySet[M]", *, cursor: str, limit: int, as_json: Callable[[M], dict[str, Any]]
) -> dict[str, Any]:
    """The page of rows after this cursor, the newest (the largest id) first: {items, next}.

    next: the cursor of the next page, None after the last one. :raises Problem: no such cursor.
    """
    found = list(rows.order_by("-pk").filter(pk__lt=read_cursor(cursor))[: limit + 1])
    page = found[:limit]
    return {"items": [as_json(row) for row in page], "next": write_cursor(page[-1].pk) if len(found) > limit else None}


def write_cursor(last: int) -> str:
    return urlsafe_b64encode(json.dumps(last).encode()).decode().rstrip("=")


def read_cursor(text: str) -> int:
    """The id before which the page begins; the largest for "". :raises Problem:"""
    if not text:
        return LARGEST
    try:
        last = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except ValueError:
        last = None
    if type(last) is not int or not 0 <= last <= LARGEST:
        raise Problem(422, "invalid", "This cursor is not one that a page has named.")
    return last
