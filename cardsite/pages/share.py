"""Share pictures of pages, and what a link to them says: home, games, finished tables, puzzles, events, courses."""

from collections.abc import Callable
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from accounts.preferences import SITE_NAME
from cardsite.web.share_pictures import SharePicture, legible
from games.core.cards import Card
from games.engines import GAMES, AnyGame
from games.models import Table
from games.presentation.table_wording import headline
from games.queries.public_games import is_public_game
from games.record import table_store
from games.templatetags.cards import TILE_CARDS
from games.views.lobby import game_or_404
from infra.numbers import read_number
from infra.once import once
from tournaments.models import Entry, Event
from tutorials.content.lessons import Course
from tutorials.models import Puzzle
from tutorials.views.addresses import course_or_404

IMMUTABLE = cache_control(public=True, max_age=31_536_000, immutable=True)
WELCOME_CARDS = ("AS", "KH", "QD")


class Shared(NamedTuple):
    """What a link says. kind, key: in the address of the picture."""

    kind: str
    key: str
    title: str
    description: str
    picture: SharePicture

    @property
    def picture_path(self) -> str:
        return reverse("share-picture", args=[self.kind, self.key, self.picture.version])


def shared_home() -> Shared:
    text = f"Learn {len(GAMES)} card games by playing them"
    lines = ("Lessons, bots, puzzles, tournaments",)
    picture = SharePicture(SITE_NAME, text, lines, (WELCOME_CARDS,))
    return Shared("site", "home", text, "Learn, play and compete at card games.", picture)


def shared_rules(rules: AnyGame) -> Shared:
    """A game, such as Casino, with its page."""
    picture = SharePicture("Card game", rules.name, ("Lessons, bots, people to play with",), (_tile_cards(rules.slug),))
    return Shared("rules", rules.slug, rules.name, rules.summary, picture)


def shared_game(table: Table) -> Shared | None:
    """The result of a finished game, None if it is not public."""
    if not is_public_game(table):
        return None
    title = drawn = headline(table)
    names = [legible(name, f"Player {number}") for number, name in enumerate(table.names, 1)]
    for name, plain in zip(table.names, names, strict=True):
        drawn = drawn.replace(name, plain)
    picture = SharePicture(
        table.rules.name, legible(drawn, "The game is over"), (" - ".join(names),), (_tile_cards(table.game),)
    )
    return Shared("games", table.code, title, f"{table.rules.name}: score sheet and replay.", picture)


def shared_puzzle(puzzle: Puzzle) -> Shared:
    """The position as the player to move sees it; nothing of the answer."""
    view = puzzle.state.view(puzzle.seat)
    hand: list[Card] = []
    others: list[Card] = []
    for zone in view.zones:
        cards = zone.cards[-1:] if zone.kind in ("stock", "pile") else zone.cards
        (hand if zone.kind == "hand" and zone.owner == puzzle.seat else others).extend(cards)
    rows = tuple(tuple(row) for row in (others, hand) if row)
    title = "What is your best move?"
    picture = SharePicture(f"{puzzle.rules.name} puzzle", title, (), rows)
    return Shared("puzzles", str(puzzle.pk), title, "One move is clearly the best. Can you find it?", picture)


def shared_event(event: Event) -> Shared:
    winner = event.entries.filter(place=1).first() if event.status == Event.Status.FINISHED else None
    when = date_format(localtime(event.starts_at), "j M Y, H:i")
    lines = (f"{event.plan.name}, {when} UTC", _champion(winner) if winner else "")
    picture = SharePicture(
        f"{event.rules.name} tournament", legible(event.name, "A tournament"), tuple(filter(None, lines)),
        (_tile_cards(event.game),),
    )  # fmt: skip
    return Shared(
        "tournaments", str(event.pk), event.name, f"{event.rules.name}, {event.plan.name}, {when} UTC.", picture
    )


def _champion(entry: Entry) -> str:
    name = legible(entry.name, "")
    return f"Champion: {name}" if name else ""


def shared_course(course: Course) -> Shared:
    lines = (f"{len(course.chapters)} chapters, {len(course.steps)} steps", "At a real table, from the first card")
    picture = SharePicture("Course", legible(course.title, "A course"), lines, (_tile_cards(course.game),))
    return Shared(
        "courses", course.game, course.title, "Short lessons at a real table, with answers to every move.", picture
    )


def _tile_cards(game: str) -> tuple[Card, ...]:
    return TILE_CARDS.get(game, ("AS", "AH"))


def _game(code: str) -> Shared | None:
    try:
        return shared_game(table_store.table_by_code(code))
    except Table.DoesNotExist:
        return None


def _event(key: str) -> Shared:
    return shared_event(get_object_or_404(Event, pk=read_number(key, 0)))


def _puzzle(key: str) -> Shared:
    return shared_puzzle(get_object_or_404(Puzzle.objects.open(), pk=read_number(key, 0)))


KINDS: dict[str, Callable[[str], Shared | None]] = {
    "site": lambda key: shared_home(),
    "rules": lambda key: shared_rules(game_or_404(key)),
    "games": _game,
    "puzzles": _puzzle,
    "tournaments": _event,
    "courses": lambda key: shared_course(course_or_404(key)),
}


@require_GET
def picture(request: HttpRequest, kind: str, key: str, version: str) -> HttpResponse:
    """A picture under its address for good; an older address leads to the present one."""
    shared = KINDS[kind](key) if kind in KINDS else None
    if shared is None:
        raise Http404("There is no picture of this.")
    if version != shared.picture.version:
        return redirect(shared.picture_path)
    return _immutable_picture(request, shared.picture)


@IMMUTABLE
def _immutable_picture(request: HttpRequest, shown: SharePicture) -> HttpResponse:
    return HttpResponse(once(f"share:{shown.version}", shown.png), content_type="image/png")
