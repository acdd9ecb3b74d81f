"""oEmbed: the frame that shows an event or a finished game, for sites that turn a pasted address into one.

https://oembed.com/ describes request, answer and statuses.
"""

from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import resolve, reverse
from django.views.decorators.http import require_GET

from accounts.preferences import SITE_NAME
from cardsite.pages.share import shared_event, shared_game
from cardsite.web import share_pictures
from cardsite.web.embedding import CACHED_SECONDS, HEIGHT, WIDTH, frame_code
from games.views.access import table_or_404
from infra.numbers import read_number
from tournaments.models import Event

PAGES_OF_GAMES = ("games:table", "games:replay", "games:result", "embed-replay")
PAGES_OF_EVENTS = {
    "tournaments:event": "embed-bracket",
    "embed-bracket": "embed-bracket",
    "embed-standings": "embed-standings",
}

UNLIMITED = 100_000


class NotPublic(Exception):
    """The page exists, and not everyone may see it."""


class Frame(NamedTuple):
    """path: of the embedded page, with its query. picture_path: of its share picture."""

    path: str
    title: str
    picture_path: str


@require_GET
def oembed(request: HttpRequest) -> HttpResponse:
    """The answer for the page `?url=`: a frame of at most `maxwidth` by `maxheight` pixels; a picture if it fits."""
    if request.GET.get("format", "json") != "json":
        return _refusal(501, "Only format=json is supported.")
    address = request.GET.get("url", "")
    widest = read_number(request.GET.get("maxwidth") or str(UNLIMITED), None)
    highest = read_number(request.GET.get("maxheight") or str(UNLIMITED), None)
    if not address or not widest or not highest:
        return _refusal(400, "url is needed; maxwidth and maxheight are numbers of pixels.")
    try:
        frame = frame_of(request, address)
    except Http404:
        return _refusal(404, "This page can't be embedded.")
    except NotPublic:
        return _refusal(401, "This page isn't public.")
    width, height = min(widest, WIDTH), min(highest, HEIGHT)
    shown = request.build_absolute_uri(frame.path)
    answer = {
        "version": "1.0",
        "type": "rich",
        "title": frame.title,
        "provider_name": SITE_NAME,
        "provider_url": request.build_absolute_uri("/"),
        "cache_age": CACHED_SECONDS,
        "width": width,
        "height": height,
        "html": frame_code(shown, frame.title, width=width, height=height),
    }
    if widest >= share_pictures.WIDTH and highest >= share_pictures.HEIGHT:
        answer |= {
            "thumbnail_url": request.build_absolute_uri(frame.picture_path),
            "thumbnail_width": share_pictures.WIDTH,
            "thumbnail_height": share_pictures.HEIGHT,
        }
    return JsonResponse(answer)


def frame_of(request: HttpRequest, address: str) -> Frame:
    """The embedded page for an address of this site.

    :raises Http404: there is none.
    :raises NotPublic:
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        raise Http404("This is no address.") from None
    if parts.scheme not in ("http", "https") or parts.netloc != request.get_host():
        raise Http404("This address is on another site.")
    page = resolve(parts.path)
    if page.view_name in PAGES_OF_GAMES:
        return _frame_of_game(page.kwargs["code"], QueryDict(parts.query))
    if page.view_name not in PAGES_OF_EVENTS:
        raise Http404("This page has no embedded form.")
    event = get_object_or_404(Event, pk=page.kwargs["pk"])
    name = "embed-standings" if parts.fragment == "standings" else PAGES_OF_EVENTS[page.view_name]
    return Frame(reverse(name, args=[event.pk]), event.name, shared_event(event).picture_path)


def _frame_of_game(code: str, query: QueryDict) -> Frame:
    table = table_or_404(code)
    if not table.is_over:
        raise Http404("This game isn't over.")
    shared = shared_game(table)
    if shared is None:
        raise NotPublic
    chosen = {name: query[name] for name in ("at", "seat") if query.get(name, "").isdecimal()}
    path = reverse("embed-replay", args=[code])
    if chosen:
        path = f"{path}?{urlencode(chosen)}"
    return Frame(path, f"{table.rules.name}: {shared.title}", shared.picture_path)


def _refusal(status: int, text: str) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")
