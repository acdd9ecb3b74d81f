"""Preferences: how the site looks and sounds in one browser, in cookies, so that the first page is right at once."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from infra.next_url import next_url

SITE_NAME = settings.SITE_NAME

# Name of the cookie, its allowed values with their labels; the first is the default.
PREFERENCES = {
    "theme": ("Colours", {"auto": "Auto", "light": "Light", "dark": "Dark"}),
    "deck": ("Suits", {"two": "Two colours", "four": "Four colours"}),
    "order": ("Hand", {"game": "As the game suggests", "rank": "By rank", "suit": "By suit", "melds": "Melds first"}),
    "tap": ("One tap", {"ask": "Selects a card", "play": "Plays its only move"}),
    "forced": ("Only moves", {"ask": "I play them", "self": "Play themselves"}),
    "count": ("End of a hand", {"steps": "Step by step", "all": "All at once"}),
    "pace": ("Pace", {"normal": "Normal", "relaxed": "Relaxed", "quick": "Quick"}),
    "wait": ("Next hand", {"8": "After 8 s", "4": "4 s", "15": "15 s"}),
    "sound": ("Sounds", {"off": "Off", "quiet": "Quiet", "on": "On"}),
}
ONE_YEAR_SECONDS = 31_536_000


def preference(request: HttpRequest, name: str) -> str:
    """The value of one preference; an unknown value in a cookie counts as the default."""
    _, choices = PREFERENCES[name]
    value = request.COOKIES.get(name, "")
    return value if value in choices else next(iter(choices))


def chosen_preferences(request: HttpRequest) -> dict[str, str]:
    """The value of every preference."""
    return {name: preference(request, name) for name in PREFERENCES}


def preferences_context(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `site_name`, `preferences`, and the fields of the preferences form."""
    values = chosen_preferences(request)
    fields = [(name, label, choices.items(), values[name]) for name, (label, choices) in PREFERENCES.items()]
    return {"site_name": SITE_NAME, "preferences": values, "preference_fields": fields}


@require_POST
def save_preferences(request: HttpRequest) -> HttpResponse:
    """Saves the form when scripts are off, and redirects back."""
    response = redirect(next_url(request) or "/")
    for name, (_, choices) in PREFERENCES.items():
        value = request.POST.get(name, "")
        if value in choices:
            response.set_cookie(name, value, max_age=ONE_YEAR_SECONDS, samesite="Lax", secure=settings.HTTPS)
    return response
