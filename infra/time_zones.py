"""Time zones: those to choose from, and that of a visitor's browser."""

from datetime import date, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest

COOKIE = "zone"  # set by js/times.js


def zone_choices() -> list[tuple[str, str]]:
    """For a field of a form: the name of each zone, and how a page writes it."""
    return [(zone, zone.replace("_", " ")) for zone in sorted(available_timezones())]


def local_day(request: HttpRequest, now: datetime) -> date:
    """The date where the visitor is; in UTC before a page has told the zone."""
    return now.astimezone(_zone(request.COOKIES.get(COOKIE, ""))).date()


def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name if name in _known_zones() else "UTC")


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())
