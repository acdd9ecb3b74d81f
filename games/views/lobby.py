"""Lobby: the games, the play page, and opening a table."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import engines, live, services
from games.bots import LEVELS
from games.core.contract import Game
from games.domain.clocks import NO_CLOCK, PACES
from games.forms.game_list import GameFilterForm
from games.forms.seeks import GAME_COOKIE, seek_form
from games.forms.tables import NewTableForm, PlayNowForm
from games.models import Challenge, Seek, Table
from games.presentation.game_list import SHORT, ListedGame, listed_game
from games.queries.open_tables import LOBBY, open_table_rows
from games.queries.own_games import own_games, unfinished_tables
from games.queries.recent_opponents import recent_opponents
from games.queries.watchable import worth_watching

OWN_LISTED = 20
OWN_GAMES_A_PAGE = 50
LIVE_LISTED = 3
REFUSED = 422
LEVEL_COOKIE = "level"
ONE_YEAR_SECONDS = 31_536_000


def index(request: HttpRequest) -> HttpResponse:
    """The list of all games, or of those that a player looks for."""
    form = GameFilterForm(request.GET)
    context = {
        "filter_form": form,
        "listed_games": form.found(),
        "play_form": play_now_form(request),
        "section": "games",
    }
    return render(request, "games/index.html", context)


def game_or_404(slug: str) -> Game[Any, Any, Any]:
    try:
        return engines.get(slug)
    except KeyError:
        raise Http404(f"There is no game {slug!r} here.") from None


@limit_posts("tables")
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """What the game is, ways to play it in one press, and the form for a table with other settings."""
    rules, listed = game_or_404(slug), listed_game(slug)
    preset = request.GET.get("preset", "")
    wishes = {"key": new_form_key(), "level": remembered_level(request), "company": request.GET.get("company", "bots")}
    can_be_rated = request.user.is_authenticated and request.user.has_account
    form = NewTableForm(rules, request.POST or None, can_be_rated=can_be_rated, preset=preset, initial=wishes)
    if form.is_valid():
        try:
            return remember_game(redirect(open_from(request, form.cleaned_data, rules.slug)), rules.slug)
        except services.TableError as error:
            form.add_error(None, str(error))
    context = {
        "game": rules,
        "listed": listed,
        "form": form,
        "play_form": play_now_form(request, listed),
        "waiting": services.count_seekers(slug, besides=request.user.pk),
        "preset": preset,
        "section": "games",
    }
    return render(request, "games/game.html", context, status=REFUSED if form.is_bound else 200)


def open_from(request: HttpRequest, choices: dict[str, Any], slug: str) -> Table:
    """The table that the form asks for; a form that is sent twice finds the table it has opened.

    A form that is sent again later, when that game is over or for another game, opens a new table.
    """

    def open_new(**wanted: Any) -> Table:
        table = services.open_and_sit(
            user=ensure_person(request),
            bot_level=choices["level"] if choices["company"] == "bots" else None,
            is_private=choices["company"] != "anyone",
            **wanted,
        )
        if choices["company"] == "anyone":
            services.complete_table(table_id=table.pk)
        return table

    return found_or_opened(choices, slug, open_new)


def found_or_opened(choices: dict[str, Any], slug: str, open_new: Callable[..., Table]) -> Table:
    """The table that this form has opened already, also in a concurrent request, or else a new one."""
    opened, wanted = table_from(choices, slug)
    if opened:
        return opened
    try:
        return open_new(**wanted)
    except IntegrityError:  # a form opens one table
        opened, _ = table_from(choices, slug)
        if opened is None:
            raise
        return opened


def table_from(choices: dict[str, Any], slug: str) -> tuple[Table | None, dict[str, Any]]:
    """The table that this form has opened already, if any; and the key to open a new one with."""
    key = choices["key"] or None
    opened = Table.objects.filter(form_key=key).first() if key else None
    if opened and opened.game == slug and not opened.is_over:
        return opened, {}
    return None, {
        "form_key": None if opened else key,
        "shuffles": choices["shuffles"],
        "game": slug,
        "seats": choices["seats"],
        "options": choices["options"],
        **choices["clock"],
        "is_rated": choices["is_rated"],
        "after_grace": choices["after_grace"],
        "chat": choices["chat"],
        "opens_deals": choices["opens_deals"],
    }


def new_form_key() -> str:
    return secrets.token_hex(16)


def remembered_level(request: HttpRequest) -> str:
    """The strength of bots that this browser chose last."""
    level = request.COOKIES.get(LEVEL_COOKIE, "")
    return level if level in LEVELS else "club"


def remember(answer: HttpResponse, cookie: str, value: str) -> None:
    """Sets a cookie for a choice of this browser."""
    answer.set_cookie(cookie, value, max_age=ONE_YEAR_SECONDS, samesite="Lax", secure=settings.HTTPS)


def remember_game(answer: HttpResponse, slug: str) -> HttpResponse:
    """The same answer, after which the play page starts with this game."""
    remember(answer, GAME_COOKIE, slug)
    return answer


def play_now_form(request: HttpRequest, listed: ListedGame | None = None, *, after_course: bool = False) -> PlayNowForm:
    """The form of all buttons of a page that start a game against bots.

    listed: the game that the page shows, whose lengths can be chosen. after_course: of a game that the player has just
    learned, so that the bots are beginners.
    """
    level = "first-steps" if after_course else remembered_level(request)
    length, lengths = (listed.proposed_length, listed.lengths) if listed else ("", [])
    initial = {"key": new_form_key(), "level": level, "length": length, "after_course": after_course}
    return PlayNowForm(initial=initial, auto_id=False, lengths=lengths)


@require_POST
@limit_posts("tables")
def play_now(request: HttpRequest) -> HttpResponse:
    """Sits down with bots, in one click."""
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        return redirect("games:lobby")
    try:
        answer = redirect(open_usual_table(request, form, company="bots", clock=NO_CLOCK))
    except services.TableError as error:
        messages.error(request, str(error))
        return redirect("games:lobby")
    if not form.cleaned_data["after_course"]:
        remember(answer, LEVEL_COOKIE, form.cleaned_data["level"])
    return remember_game(answer, form.cleaned_data["game"])


@require_POST
@limit_posts("tables")
def invite(request: HttpRequest) -> HttpResponse:
    """Opens a table for a friend, in one click; its page has the link to send."""
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        return redirect("games:lobby")
    table = open_usual_table(request, form, company="link", clock=PACES["standard"].fields)
    return remember_game(redirect(table), table.game)


def open_usual_table(request: HttpRequest, form: PlayNowForm, *, company: str, clock: dict[str, Any]) -> Table:
    """A table by the game's usual rules with the fewest seats, against bots also for a short game.

    :raises TableError: no bot is free.
    """
    rules = game_or_404(form.cleaned_data["game"])
    seats, is_short = rules.seats[0], company == "bots" and form.cleaned_data["length"] == SHORT
    options = rules.read_options(listed_game(rules.slug).short if is_short else {}, seats)
    table = {"company": company, "clock": clock, "seats": seats, "options": options}
    table |= {"is_rated": False, "after_grace": "", "chat": Table.Chat.FREE, "opens_deals": False}
    if key := form.cleaned_data["key"]:  # a page has one key for its buttons, which open different tables
        table["key"] = hashlib.blake2s(f"{company} {key}{' short' * is_short}".encode(), digest_size=16).hexdigest()
    return open_from(request, form.cleaned_data | table, rules.slug)


def lobby(request: HttpRequest) -> HttpResponse:
    return render(request, "games/lobby.html", play_context(request))


def play_context(request: HttpRequest) -> dict[str, Any]:
    """Context of the play page: the seek form, one-click games, what is going on, and a few games to watch."""
    return {
        **seek_context(request),
        "section": "play",
        "seen": live.moment(),
        **lobby_context(request),
        "opponents": recent_opponents(request.user) if request.user.is_authenticated else [],
        "live_games": [game for game in worth_watching() if not game.is_played_by(request.user)][:LIVE_LISTED],
    }


def seek_context(request: HttpRequest) -> dict[str, Any]:
    """Context of the seek form: the form, how many wait for a game of this kind, and how long one against bots is."""
    form = seek_form(request)
    return {
        "seek_form": form,
        "waiting": services.count_seekers(form.rules.slug, besides=request.user.pk),
        "play_form": play_now_form(request, listed_game(form.rules.slug)),
    }


def lobby_tables(request: HttpRequest) -> HttpResponse:
    return render(request, "games/_lobby_tables.html", lobby_context(request))


def lobby_context(request: HttpRequest) -> dict[str, Any]:
    """Context of the lobby: seeks, tables to join, and the visitor's running games."""
    user = request.user if request.user.is_authenticated else None
    return {
        "challenges": Challenge.objects.waiting().filter(to=user).with_table() if user else [],
        "own_seek": Seek.objects.waiting().filter(user=user).first() if user else None,
        "seeks": services.seeks_for(user),
        "open_tables": open_table_rows(request.user.pk),
        "own_tables": unfinished_tables(user)[:OWN_LISTED] if user else [],
    }


@require_GET
def lobby_events(request: HttpRequest) -> HttpResponseBase:
    return live.respond(request, LOBBY, None)


def mine(request: HttpRequest) -> HttpResponse:
    """The visitor's games, page by page: unfinished ones, then the newest. `?game=` leaves those of one game."""
    user = request.user
    if not user.is_authenticated:
        return render(request, "games/mine.html", {"section": "play"})
    own = Table.objects.of(user)
    played = set(own.values_list("game", flat=True).distinct())
    choices = [game for game in engines.GAMES if game.slug in played]
    chosen = next((game for game in choices if game.slug == request.GET.get("game")), None)
    listed = (own.filter(game=chosen.slug) if chosen else own).with_seats()
    marked = listed.annotate(is_unfinished=Q(pk__in=unfinished_tables(user).values("pk")))
    newest = marked.order_by("-is_unfinished", "-created_at", "-pk")
    context = {
        "page": Paginator(newest, OWN_GAMES_A_PAGE).get_page(request.GET.get("page")),
        "choices": choices,
        "chosen": chosen,
        "waiting": own_games(user, timezone.now()).waiting,
        "section": "play",
    }
    return render(request, "games/mine.html", context)


@require_GET
def next_game(request: HttpRequest) -> HttpResponse:
    """Redirects to a game that waits for the visitor's move; `?after=` one, to the next."""
    found = own_games(request.user, timezone.now()).next_after(request.GET.get("after", ""))
    if found:
        return redirect(found[0])
    messages.info(request, "There is no other game where it's your turn.")
    return redirect("games:mine")
