"""Header link: leads from every page back to the visitor's own games."""

from dataclasses import dataclass

from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from games.models import Seek
from games.queries.own_games import own_games
from infra.requests import HtmxRequest


@dataclass(frozen=True, slots=True)
class HeaderLink:
    url: str
    text: str
    short: str = ""  # what a phone shows at a table, where the text has no room


def current_game_link(request: HtmxRequest) -> dict[str, object]:
    """`current_game_link`: a `HeaderLink`, or None. Asked for only where it is printed.

    A game at one sitting comes first, then those that wait for a move, any other, and one that is looked for.
    """
    return {"current_game_link": SimpleLazyObject(lambda: _link(request) if request.user.is_authenticated else None)}


def _link(request: HtmxRequest) -> HeaderLink | None:
    at = _page(request)
    page = at.view_name if at else ""
    at_table = at.kwargs["code"] if at and page == "games:table" else ""
    found = own_games(request.user, timezone.now())
    next_ones = found.next_after(at_table)
    newest = found.newest
    if newest is not None and (newest.code == at_table or page == "home"):  # which shows it itself
        newest = None
    if next_ones and (newest is None or newest.is_turn_based):
        return _next_game_link(len(next_ones), next_ones[0].rules.name, after=at_table)
    if newest is not None:
        return HeaderLink(newest.get_absolute_url(), f"Back to your game of {newest.rules.name}", "Your game")
    if at_table or page == "games:seek":
        return None
    seek = Seek.objects.waiting().filter(user=request.user.pk).first()
    return HeaderLink(reverse("games:seek"), f"Looking for a game of {seek.rules.name}") if seek else None


def _next_game_link(count: int, name: str, *, after: str) -> HeaderLink:
    """after: the code of the table that one looks at, "" elsewhere."""
    url = reverse("games:next")
    if after:
        return HeaderLink(f"{url}?after={after}", f"Next game ({count})")
    return HeaderLink(url, f"Your turn in {name}" if count == 1 else f"Your turn in {count} games")


def _page(request: HtmxRequest) -> ResolverMatch | None:
    """The current page, also if only a part of it is requested; None if it is unknown."""
    if request.htmx and request.htmx.current_url_abs_path:
        try:
            return resolve(request.htmx.current_url_abs_path.partition("?")[0])
        except Resolver404:
            pass
    return request.resolver_match
