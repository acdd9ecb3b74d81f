"""Error reports to a Sentry server, if SENTRY_DSN names one; sentry-sdk is imported only then.

A report holds the message, the stack without the values of variables, the route and the fields of the log context: no
card, no name, no address of a person.
"""

from typing import Any

from infra.log_context import log_fields
from infra.release import release

PERSONAL = ("request", "user", "server_name")


def start(dsn: str) -> None:
    """:raises ImproperlyConfigured: the library is not installed."""
    try:
        import sentry_sdk
    except ImportError as error:
        from django.core.exceptions import ImproperlyConfigured

        raise ImproperlyConfigured(
            "SENTRY_DSN needs the package sentry-sdk: pip install 'cardsite[sentry]'."
        ) from error
    sentry_sdk.init(
        dsn,
        release=release(),
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,  # queries and log lines may name people
        before_send=_without_people,
    )


def _without_people(event: Any, hint: Any) -> Any:
    for part in PERSONAL:
        event.pop(part, None)
    event["tags"] = {**(event.get("tags") or {}), **log_fields()}
    return event
