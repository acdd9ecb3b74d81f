"""Check-in at the door: a list for helpers, and a code that hangs there, by which entrants check in themselves."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from accounts.requests import OwnRequest
from infra.qr_codes import qr_code
from infra.secret_codes import is_secret_code, secret_code
from tournaments import services
from tournaments.console import tabs
from tournaments.console.actions.event import CheckInEveryone
from tournaments.models import Event
from tournaments.queries.permissions import EventRank, for_rank

SALT = "tournaments.door"


def door_address(request: HttpRequest, event: Event) -> str:
    """The secret address of the code at the door."""
    return request.build_absolute_uri(reverse("tournaments:door", args=[event.pk, secret_code(SALT, event.pk)]))


@for_rank(EventRank.HELPER)
@require_GET
def door_list(request: OwnRequest, event: Event) -> HttpResponse:
    """Everyone by name, each one tap from being checked in."""
    context = {
        "section": "events",
        "event": event,
        **tabs.door_rows(event, request.user, request.GET.get("q", "")),
        "everyone": CheckInEveryone,
        "address": door_address(request, event),
    }
    return render(request, "tournaments/console/door.html", context)


@for_rank(EventRank.HELPER)
@require_GET
def door_code(request: OwnRequest, event: Event) -> HttpResponse:
    """The QR code, to print and hang up."""
    return HttpResponse(qr_code(door_address(request, event)), content_type="image/svg+xml")


@login_required
@require_http_methods(["GET", "POST"])
def check_in_at_door(request: OwnRequest, pk: int, token: str) -> HttpResponse:
    """The page behind the code: one button, which checks the visitor in."""
    event = get_object_or_404(Event, pk=pk)
    if not is_secret_code(token, SALT, event.pk):
        raise PermissionDenied("This code isn't valid. Scan the one at the door again.")
    if request.method == "POST":
        try:
            services.check_in_player(event_id=pk, user=request.user, is_at_door=True)
            messages.success(request, "You're checked in.")
        except services.EventError as error:
            messages.error(request, str(error))
        return redirect(event)
    own = event.entries.of(request.user).with_players().first()
    return render(request, "tournaments/door.html", {"section": "events", "event": event, "entry": own})
