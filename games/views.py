"""Pages: the games, the lobby, the table and what remains of it. `services` acts, `board` draws."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from cardsite.accounts.services import ensure_person
from cardsite.accounts.throttle import limit_posts
from games import board as boards
from games import engines, live, reading, replay, services
from games.arranging import judged, written_move
from games.board import Refusal
from games.bots import LEVELS
from games.core import deals
from games.core.contract import Game, GameError, View
from games.engines import FAMILIES, GAMES
from games.forms import MoveForm, NewTableForm, PlayNowForm, read_entropy
from games.models import Seat, Table
from games.seal import new_seal, read_seal
from games.services import StalePosition

LISTED_TABLES = 20
REFUSED, STALE = 422, 409
LEVEL_COOKIE = "level"
ONE_YEAR_SECONDS = 31_536_000


# Games and lobby


def index(request: HttpRequest) -> HttpResponse:
    return render(request, "games/index.html", {"families": FAMILIES, "section": "games"})


def game_or_404(slug: str) -> Game[Any, Any, Any]:
    try:
        return engines.get(slug)
    except KeyError:
        raise Http404(f"There is no game {slug!r} here.") from None


@limit_posts("tables", count=30, seconds=600)
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """What the game is, and the form that opens a table for it."""
    rules = game_or_404(slug)
    seal = new_seal()
    preset = request.GET.get("preset", "")
    wishes = {"seal": seal.token, "level": remembered_level(request), "company": request.GET.get("company", "bots")}
    can_be_rated = request.user.is_authenticated and request.user.has_account
    form = NewTableForm(rules, request.POST or None, can_be_rated=can_be_rated, preset=preset, initial=wishes)
    if form.is_valid():
        return redirect(open_from(request, form.cleaned_data, rules.slug))
    context = {
        "game": rules,
        "form": form,
        "preset": preset,
        "commitment": seal.commitment,
        "section": "games",
    }
    return render(request, "games/game.html", context, status=REFUSED if form.is_bound else 200)


def open_from(request: HttpRequest, choices: dict[str, Any], slug: str) -> Table:
    """The table that the form asks for; a form that is sent twice finds the table it has opened.

    One that comes back later, when that game is over or for another game, gets a new secret.
    """
    seal = read_seal(choices["seal"])
    opened = seal and Table.objects.filter(commitment=seal.commitment).first()
    if opened and opened.game == slug and not opened.is_over:
        return opened
    return services.open_and_sit(
        user=ensure_person(request),
        entropy=choices["entropy"],
        bot_level=choices["level"] if choices["company"] == "bots" else None,
        game=slug,
        seats=choices["seats"],
        options=choices["options"],
        move_seconds=choices["move_seconds"],
        is_private=choices["company"] != "anyone",
        is_rated=choices["is_rated"],
        secret=seal.secret if seal and not opened else None,
    )


def remembered_level(request: HttpRequest) -> str:
    """The strength of bots that this browser chose last."""
    level = request.COOKIES.get(LEVEL_COOKIE, "")
    return level if level in LEVELS else "club"


@require_POST
@limit_posts("tables", count=30, seconds=600)
def play_now(request: HttpRequest) -> HttpResponse:
    """Sits down with bots, in one click."""
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        return redirect("games:lobby")
    rules = game_or_404(form.cleaned_data["game"])
    seats = rules.seats[0]
    table = {"company": "bots", "seats": seats, "options": rules.read_options({}, seats)}
    table |= {"move_seconds": None, "is_rated": False}
    try:
        answer = redirect(open_from(request, form.cleaned_data | table, rules.slug))
    except services.TableError as error:
        messages.error(request, str(error))
        return redirect("games:lobby")
    level = form.cleaned_data["level"]
    answer.set_cookie(LEVEL_COOKIE, level, max_age=ONE_YEAR_SECONDS, samesite="Lax", secure=settings.HTTPS)
    return answer


def lobby(request: HttpRequest) -> HttpResponse:
    seal = new_seal()
    context = {
        "form": PlayNowForm(initial={"seal": seal.token, "level": remembered_level(request)}),
        "commitment": seal.commitment,
        "games": GAMES,
        "section": "play",
        "seen": live.moment(),
        **lobby_context(request),
    }
    return render(request, "games/lobby.html", context)


def lobby_tables(request: HttpRequest) -> HttpResponse:
    return render(request, "games/_lobby_tables.html", lobby_context(request))


def lobby_context(request: HttpRequest) -> dict[str, Any]:
    """Tables to join, to watch, and one's own that still run."""
    tables = Table.objects.with_seats()
    own = tables.none()
    if request.user.is_authenticated:
        own = tables.of(request.user).filter(status__in=[Table.Status.OPEN, Table.Status.RUNNING])
    return {
        "open_tables": tables.open().order_by("-created_at")[:LISTED_TABLES],
        "running_tables": tables.running().filter(is_private=False).order_by("-started_at")[:LISTED_TABLES],
        "own_tables": own.order_by("-created_at")[:LISTED_TABLES],
    }


@require_GET
def lobby_events(request: HttpRequest) -> HttpResponseBase:
    return live.respond(request, services.LOBBY, live.moment)


def mine(request: HttpRequest) -> HttpResponse:
    """The games one has played and plays, newest first."""
    tables = Table.objects.none()
    if request.user.is_authenticated:
        tables = Table.objects.with_seats().of(request.user).order_by("-created_at")[:100]
    return render(request, "games/mine.html", {"tables": tables, "section": "play"})


# The table


def table_or_404(code: str) -> Table:
    try:
        return reading.table_by_code(code)
    except Table.DoesNotExist:
        raise Http404("There is no such table.") from None


def seat_of(request: HttpRequest, table: Table) -> Seat | None:
    """Where the visitor sits, None for somebody who watches."""
    for seat in table.seats.all():
        if seat.user_id is not None and seat.user_id == request.user.pk and not seat.has_left:
            return seat
    return None


def own_place(request: HttpRequest, table: Table) -> Seat | None:
    """The visitor's place, also while a bot plays there."""
    places = (seat for seat in table.seats.all() if seat.user_id is not None and seat.user_id == request.user.pk)
    return next(places, None)


def while_hidden(*, players_may: bool) -> Callable[[Callable[[HttpRequest, Table], HttpResponseBase]], Any]:
    """A page of a table. While that is hidden it opens for nobody, or for those who sit there (`players_may`)."""

    def decorated(page: Callable[[HttpRequest, Table], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(page)
        def guarded(request: HttpRequest, code: str) -> HttpResponseBase:
            table = table_or_404(code)
            if table.is_hidden and not (players_may and own_place(request, table)):
                return render_hidden(request, table)
            return page(request, table)

        return guarded

    return decorated


def render_hidden(request: HttpRequest, table: Table) -> HttpResponse:
    context = {"table": table, "own_seat": own_place(request, table), "section": "play"}
    return render(request, "games/hidden.html", context, status=403)


@require_GET
@while_hidden(players_may=True)
def table(request: HttpRequest, table: Table) -> HttpResponse:
    return render_table(request, table)


@require_GET
@while_hidden(players_may=True)
def board(request: HttpRequest, table: Table) -> HttpResponse:
    """The part of the table page that changes."""
    return render(request, "games/_table.html", table_context(request, table))


@require_GET
def table_events(request: HttpRequest, code: str) -> HttpResponseBase:
    versions = Table.objects.filter(code=code).values_list("version", flat=True)
    return live.respond(request, f"table:{code}", lambda: versions.first() or 0)


@require_POST
@while_hidden(players_may=True)
def move(request: HttpRequest, table: Table) -> HttpResponse:
    """Plays a move. The answer is the board as it is then, also if the move was refused."""
    seat = seat_of(request, table)
    form = MoveForm(request.POST)
    if seat is None:
        return render_table(request, table, Refusal("You do not sit at this table."), status=403)
    if not form.is_valid():
        return render_table(request, table, Refusal("That is not a move."), status=REFUSED)
    data = form.cleaned_data
    try:
        text = written_move(table.rules, lambda: replay.state_of(table).view(seat.number), request.POST)
        table = services.play_move(table_id=table.pk, seat=seat.number, text=text, version=data["version"])
    except StalePosition as error:
        return render_table(request, table_or_404(table.code), Refusal.of(error), status=STALE)
    except GameError as error:
        refusal = Refusal.of(error)
        return render_table(request, table, refusal, status=REFUSED, show_ways=not data["is_arrangement"])
    return render_table(request, table) if request.htmx else redirect(table)


def render_table(
    request: HttpRequest,
    table: Table,
    refusal: Refusal | None = None,
    *,
    status: int = 200,
    show_ways: bool = False,
) -> HttpResponse:
    """The page, or for htmx its changing part. `show_ways`: a workbench lists the plays the game knows."""
    template = "games/_table.html" if request.htmx else "games/table.html"
    context = table_context(request, table, refusal) | {"show_ways": show_ways}
    return render(request, template, context, status=status)


def table_context(request: HttpRequest, table: Table, refusal: Refusal | None = None) -> dict[str, Any]:
    """What the table shows to this visitor: a view of his seat, or what a spectator may see."""
    seat = seat_of(request, table)
    context: dict[str, Any] = {
        "table": table,
        "game": table.rules,
        "own_seat": seat,
        "own_place": own_place(request, table),
        "names": tuple(table.names),
        "players": tuple((seat.name, seat.user.username if seat.has_page else "") for seat in table.seats.all()),
        "now": timezone.now(),
        "deadline_at": table.deadline_at,
        "refusal": refusal,
        "section": "play",
    }
    if table.started_at is None:
        context["invite_url"] = request.build_absolute_uri(table.get_absolute_url())
        return context
    view = replay.state_of(table).view(seat.number if seat else None)
    context["board"] = boards.build_board(view, names=table.names, notes=notes(table), seq=table.version)
    told = {label for label, _ in context["board"].facts}
    house_rules = [(label, text) for label, text in table.unusual_options if label not in told]
    context["facts"] = (*context["board"].facts, *table.terms, *house_rules)
    context["can_move"] = seat is not None and table.status == Table.Status.RUNNING and not table.stands
    context["goes_on_without_me"] = table.goes_on_without(is_resigned=True)
    context["is_arranging"] = context["can_move"] and table.rules.workbench and seat.number in view.to_act
    return context


def notes(table: Table) -> list[str]:
    """What the plates say below the names."""
    return [seat.note for seat in table.seats.all()]


# Arranging


@require_GET
def check(request: HttpRequest, code: str) -> JsonResponse:
    """Judges a table that is being rearranged, meld by meld. Nothing is played."""
    table = table_or_404(code)
    seat = seat_of(request, table)
    if seat is None or not table.rules.workbench or table.status != Table.Status.RUNNING:
        return JsonResponse(
            {"ok": False, "say": "There is nothing to arrange for you here.", "melds": []}, status=403
        )
    return JsonResponse(judged(table.rules, replay.state_of(table), seat.number, request.GET.get("text", "")))


# Sitting down and getting up


def at_table(service: Callable[..., Table]) -> Callable[..., HttpResponse]:
    """A POST that changes who sits where; a refusal is said on the page that follows."""

    @require_POST
    @wraps(service)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        table = get_object_or_404(Table, code=code)
        try:
            return redirect(service(request, table))
        except GameError as error:
            messages.error(request, str(error))
            return redirect(table)

    return view


@limit_posts("seats", count=60, seconds=600)
@at_table
def sit(request: HttpRequest, table: Table) -> Table:
    seat = request.POST.get("seat", "")
    return services.sit_down(
        table_id=table.pk,
        user=ensure_person(request),
        seat=int(seat) if seat.isdecimal() else None,
        entropy=read_entropy(request.POST),
    )


@at_table
def add_bot(request: HttpRequest, table: Table) -> Table:
    """Whoever opened the table may fill it with bots."""
    if request.user != table.created_by:
        raise services.TableError("Only the person who opened this table may invite bots.")
    return services.seat_bot(table_id=table.pk, level=request.POST.get("level", "club"))


@at_table
def leave(request: HttpRequest, table: Table) -> Table:
    return services.leave(table_id=table.pk, user=request.user)


@at_table
def come_back(request: HttpRequest, table: Table) -> Table:
    return services.come_back(table_id=table.pk, user=request.user)


@at_table
def rematch(request: HttpRequest, table: Table) -> Table:
    return services.rematch(table_id=table.pk, user=request.user, entropy=read_entropy(request.POST))


# Finished games


def require_finished(table: Table) -> None:
    """A game that is over: only then may everything be seen."""
    if not table.is_over or table.started_at is None:
        raise Http404("This game is not over.")


@require_GET
@while_hidden(players_may=True)
def result(request: HttpRequest, table: Table) -> HttpResponse:
    """The score sheet: every point with the rule that gives it."""
    require_finished(table)
    state = replay.state_of(table)
    outcome = state.outcome()
    context = {
        "table": table,
        "game": table.rules,
        "own_seat": seat_of(request, table),
        "hands": boards.score_sheets(state.results, table.names, scores=state.view(None).scores),
        "final_rows": boards.score_rows(outcome.lines, table.names) if outcome else (),
        "share_url": request.build_absolute_uri(),
        "section": "play",
    }
    return render(request, "games/result.html", context)


@require_GET
@while_hidden(players_may=False)
def replay_move(request: HttpRequest, table: Table) -> HttpResponse:
    """The position after `?at=` moves, all hands open."""
    require_finished(table)
    wanted = request.GET.get("at", "")
    at = min(int(wanted), table.move_count) if wanted.isdecimal() else 0
    state = replay.state_of(table, at)
    views: list[View] = [state.view(seat) for seat in (None, *range(table.seat_count))]
    seat = seat_of(request, table)
    context = {
        "table": table,
        "game": table.rules,
        "at": at,
        "prev": max(at - 1, 0),
        "next": min(at + 1, table.move_count),
        "board": boards.build_board(
            views[0],
            names=table.names,
            notes=notes(table),
            seq=at,
            bottom=seat.number if seat else 0,
            zones=boards.open_zones(views),
        ),
        "moves": [boards.told(event, table.names) for event in replay.told_moves(table)],
        "section": "play",
    }
    return render(request, "games/_replay.html" if request.htmx else "games/replay.html", context)


@require_GET
@while_hidden(players_may=True)
def verify(request: HttpRequest, table: Table) -> HttpResponse:
    """How the deals were made. The secret appears once the game is over, wherever its cards are played."""
    context = {"table": table, "game": table.rules, "section": "play"}
    if table.is_over and table.started_at and not table.is_hidden:
        context["record"] = deal_record(table)
        context["first_dealer"] = table.names[table.first_dealer]
    return render(request, "games/verify.html", context)


@require_GET
@while_hidden(players_may=False)
def deals_json(request: HttpRequest, table: Table) -> JsonResponse:
    require_finished(table)
    return JsonResponse(deal_record(table), json_dumps_params={"indent": 1})


def deal_record(table: Table) -> dict[str, Any]:
    """Everything that made the deals: input of the script on the verify page."""
    secret = bytes(table.secret)
    pack = table.rules.deck(table.options)
    hands = len(replay.state_of(table).results) + (table.ended_by != Table.EndedBy.RULES)
    return {
        "table": table.code,
        "commitment": table.commitment,
        "secret": secret.hex(),
        "entropy": table.entropy,
        "seats": table.seat_count,
        "first_dealer": table.first_dealer,
        "pack": list(pack),
        "decks": [deals.shuffled(pack, secret, table.entropy, number) for number in range(1, hands + 1)],
    }
