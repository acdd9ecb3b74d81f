"""Time zones: those to choose from, and that of a visitor's browser."""

from datetime import date, datetime
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.http import HttpRequest

COOKIE = "zone"  # set by js/times.js
NO_PLACES = {"Factory", "localtime"}  # what these mean depends on the machine


class ZoneField(forms.ChoiceField):
    """The name of a time zone. It offers UTC and one name for each area.

    Aliases such as "Asia/Calcutta" are read and kept as well, since browsers and older events may have them.
    """

    def __init__(self) -> None:
        super().__init__(label="Time zone", choices=[(zone, _written(zone)) for zone in ("UTC", *_areas())])

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        """Offers what the form shows, too, at its place in the list."""
        bound = super().get_bound_field(form, field_name)
        shown = bound.value()
        utc, *areas = self.widget.choices
        if shown in _known_zones() and shown not in dict([utc, *areas]):
            self.widget.choices = [utc, *sorted([*areas, (shown, _written(shown))])]
        return bound

    def valid_value(self, value: str) -> bool:
        return value in _known_zones()


def local_day(request: HttpRequest, now: datetime) -> date:
    """The date where the visitor is; in UTC before a page has told the zone."""
    return now.astimezone(known_zone(request.COOKIES.get(COOKIE, ""))).date()


def known_zone(name: str) -> ZoneInfo:
    """The time zone with this name, or UTC if this system does not know it, or no longer."""
    return ZoneInfo(name if name in _known_zones() else "UTC")


def _written(zone: str) -> str:
    return zone.replace("_", " ")


@cache
def _areas() -> list[str]:
    """One name for each area of a country where clocks agree, such as "Europe/Vienna"."""
    lines = files("tzdata.zoneinfo").joinpath("zone.tab").read_text().splitlines()
    return sorted(line.split("\t")[2] for line in lines if not line.startswith("#"))


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones() - NO_PLACES)
