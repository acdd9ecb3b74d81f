"""Calendar feeds, and the page that lists them."""

import hashlib
from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import http_date, quote_etag
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.requests import OwnRequest
from games import engines
from infra.release import release
from tournaments.files import icalendar
from tournaments.models import CalendarEntry, CalendarToken, Entry, Event, Series
from tournaments.models.calendar import new_token

FEED_KEPT_SECONDS = 3600


@require_safe
def feed_of_all(request: HttpRequest) -> HttpResponse:
    return feed_response(request, "Tournaments", icalendar.feed_entries(timezone.now()))


@require_safe
def feed_of_game(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        name = engines.get(slug).name
    except KeyError as error:
        raise Http404("There is no such game.") from error
    return feed_response(request, name, icalendar.feed_entries(timezone.now()).filter(event__game=slug))


@require_safe
def feed_of_series(request: HttpRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Series, pk=pk)
    return feed_response(request, found.name, icalendar.feed_entries(timezone.now()).filter(event__series=found))


@require_safe
def feed_of_event(request: HttpRequest, pk: int) -> HttpResponse:
    """Also long after the event."""
    found = get_object_or_404(Event, pk=pk)
    chosen = CalendarEntry.objects.filter(event=found).select_related("event")
    return feed_response(request, found.name, chosen, has_alarms=True)


@require_safe
def feed_of_own(request: HttpRequest, token: str) -> HttpResponse:
    user = get_object_or_404(CalendarToken.objects.select_related("user"), token=token).user
    entered = Entry.objects.of(user).entered().values("event")
    chosen = icalendar.feed_entries(timezone.now()).filter(event__in=entered)
    return feed_response(request, f"Tournaments of {user.display_name}", chosen, is_own=True, has_alarms=True)


def feed_response(
    request: HttpRequest,
    title: str,
    chosen: QuerySet[CalendarEntry],
    *,
    is_own: bool = False,
    has_alarms: bool = False,
) -> HttpResponse:
    """The feed, rendered once for each change, or 304 Not Modified.

    has_alarms: of events that the reader has chosen one by one.
    """
    count, newest = icalendar.feed_stamp(chosen)
    page = request.build_absolute_uri(request.path)
    version = hashlib.sha256(f"{release()} {page} {title} {count} {newest}".encode()).hexdigest()
    # Not for a user's own feed: after a withdrawal the feed differs, but no entry in it is newer.
    modified = int(newest.timestamp()) if newest and not is_own else None
    response = get_conditional_response(request, etag=quote_etag(version), last_modified=modified)
    if response is None or response.status_code != HTTPStatus.NOT_MODIFIED:
        body = cache.get(f"feed:{version}")
        if body is None:
            site = request.build_absolute_uri("/").rstrip("/")
            listed = chosen.order_by("-event__starts_at", "-event")[: icalendar.FEED_LIMIT]
            body = icalendar.render_calendar(title, listed, site=site, is_own=is_own, has_alarms=has_alarms)
            cache.set(f"feed:{version}", body, FEED_KEPT_SECONDS)
        response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
        response["Content-Disposition"] = f'inline; filename="{slugify(title) or "tournaments"}.ics"'
    response["ETag"] = quote_etag(version)
    if modified:
        response["Last-Modified"] = http_date(modified)
    response["Cache-Control"] = f"{'private' if is_own else 'public'}, max-age=60"
    return response


# The page


@require_GET
def feed_list(request: HttpRequest) -> HttpResponse:
    token = None
    if request.user.is_authenticated:
        token = CalendarToken.objects.filter(user=request.user).first()
    context = {
        "section": "events",
        "token": token,
        "games": engines.GAMES,
        "series_list": Series.objects.filter(is_active=True).order_by("name"),
    }
    return render(request, "tournaments/feeds.html", context)


@require_POST
@login_required
def renew_feed_address(request: OwnRequest) -> HttpResponse:
    """Creates a new secret address; the old one stops working."""
    new = {"token": new_token(), "created_at": timezone.now()}
    CalendarToken.objects.update_or_create(user=request.user, defaults=new)
    return redirect("tournaments:feeds")


@require_POST
@login_required
def revoke_feed_address(request: OwnRequest) -> HttpResponse:
    CalendarToken.objects.filter(user=request.user).delete()
    return redirect("tournaments:feeds")
