"""Page of the draw of groups from pots, and the part of it that changes."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from tournaments.models import Event
from tournaments.presentation.group_draws import GroupDrawPage
from tournaments.queries.group_draws import draws_groups


@require_GET
def group_draw(request: HttpRequest, pk: int) -> HttpResponse:
    """Everyone who looks sees the same steps, by the clock of the site."""
    event = get_object_or_404(Event, pk=pk)
    if not draws_groups(event):
        raise Http404("The groups of this tournament aren't drawn from pots.")
    context = {"section": "events", "event": event, "draw": GroupDrawPage(event, timezone.now())}
    return render(request, "tournaments/group_draw.html", context)
