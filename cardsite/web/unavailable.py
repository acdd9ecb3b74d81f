"""500 and 503 pages: 503 where database or Redis cannot serve the request now, 500 for our own mistakes."""

import sqlite3
import sys

import redis
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error
from kombu.exceptions import OperationalError as QueueError

RETRY_SECONDS = 5


def handler500(request: HttpRequest) -> HttpResponse:
    """Django calls it while it handles the exception, whichever middleware or view has raised it."""
    if not is_unavailable(sys.exc_info()[1]):
        return server_error(request)
    page = render_to_string("503.html")  # without a request: the header of other pages asks the database
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})


def is_unavailable(error: BaseException | None) -> bool:
    """Whether a server behind us is locked, full, overloaded or down; the transaction was rolled back.

    SQLite reports a broken statement as an operational error, too.
    """
    if isinstance(error, OperationalError):
        return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
    return isinstance(error, redis.RedisError | QueueError)
