"""Watch page: running games that anyone may see."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games import live
from games.queries.watchable import worth_watching
from infra.requests import HtmxRequest


@require_GET
def watch(request: HtmxRequest) -> HttpResponse:
    """The watch page; for htmx only its list."""
    watched = worth_watching()
    context = {
        "groups": [
            ("Tournament games", [one for one in watched if one.table.event_name]),
            ("Casual and rated games", [one for one in watched if not one.table.event_name]),
        ],
        "seen": live.moment(),
        "section": "play",
    }
    return render(request, "games/_watch_list.html" if request.htmx else "games/watch.html", context)
