"""Pages of ladders: the list, a ladder with its challenges, its history, and the form for directors."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from infra.numbers import read_number
from tournaments.domain.errors import EventError
from tournaments.forms.ladders import LadderForm
from tournaments.models import Ladder, LadderMove
from tournaments.presentation import ladders as presentation
from tournaments.queries.ladders import ladder_state
from tournaments.queries.permissions import for_planners, may_change_season, may_plan
from tournaments.services import ladders as services

NOT_OWN = "Only the director who made this ladder can change it."
LATEST_MOVES, MOVES_A_PAGE = 8, 60
LadderAct = Callable[[OwnRequest, Ladder], str]
Answer = Callable[..., object]
ANSWERS: dict[str, tuple[Answer, str]] = {
    "accept": (services.accept_ladder_challenge, "The game has started. Go to your table."),
    "decline": (services.decline_ladder_challenge, "You have declined the challenge."),
    "withdraw": (services.withdraw_ladder_challenge, "You have withdrawn your challenge."),
}


@require_GET
def ladder_list(request: HttpRequest) -> HttpResponse:
    lines = [(ladder, len(ladder.order)) for ladder in Ladder.objects.all()]
    context = {"section": "events", "lines": lines, "may_plan": may_plan(request.user)}
    return render(request, "tournaments/ladders/index.html", context)


@require_GET
def ladder_page(request: HttpRequest, pk: int) -> HttpResponse:
    ladder = get_object_or_404(Ladder, pk=pk)
    visitor = request.user if request.user.is_authenticated else None
    state = ladder_state(ladder, visitor, now=timezone.now())
    rows = presentation.ladder_rows(state)
    context = {
        "section": "events",
        "ladder": ladder,
        "rows": rows,
        "own": next((row for row in rows if row.is_own), None),
        "keep_by": state.keep_by,
        "asked": presentation.own_challenge(state),
        "if_declined": presentation.if_declined(state),
        "moves": _moves(ladder).exclude(why=LadderMove.Why.SHIFTED)[:LATEST_MOVES],
        "may_change": may_change_season(request.user, ladder),
    }
    return render(request, "tournaments/ladders/ladder.html", context)


@require_GET
def ladder_history(request: HttpRequest, pk: int) -> HttpResponse:
    """`?player=`: of one player."""
    ladder = get_object_or_404(Ladder, pk=pk)
    player = ladder.players.filter(pk=read_number(request.GET.get("player", ""), 0)).first()
    moves = _moves(ladder).filter(player=player) if player else _moves(ladder)
    page = Paginator(moves, MOVES_A_PAGE).get_page(request.GET.get("page"))
    context = {"section": "events", "ladder": ladder, "player": player, "page": page}
    return render(request, "tournaments/ladders/history.html", context)


def _moves(ladder: Ladder) -> QuerySet[LadderMove]:
    moves: QuerySet[LadderMove] = ladder.moves.select_related(
        "player__user", "challenge__table", "challenge__challenger__user"
    )
    return moves


@for_planners
def new_ladder(request: OwnRequest) -> HttpResponse:
    return _ladder_form(request, Ladder())


@for_planners
def edit_ladder(request: OwnRequest, pk: int) -> HttpResponse:
    return _ladder_form(request, _own_ladder(request, pk))


def _ladder_form(request: OwnRequest, ladder: Ladder) -> HttpResponse:
    form = LadderForm(request.POST or None, instance=ladder)
    if request.method == "POST" and form.is_valid():
        return redirect(services.save_ladder(form.save(commit=False), by=request.user))
    context = {"section": "events", "form": form, "ladder": ladder}
    return render(request, "tournaments/ladders/form.html", context, status=422 if form.errors else 200)


def _own_ladder(request: OwnRequest, pk: int) -> Ladder:
    ladder = get_object_or_404(Ladder, pk=pk)
    if not may_change_season(request.user, ladder):
        raise PermissionDenied(NOT_OWN)
    return ladder


def ladder_action(act: LadderAct) -> Callable[..., HttpResponseBase]:
    """Decorator: a POST of a user that does something on a ladder and returns to its page with what it says."""

    @limit_posts("ladders")
    @login_required
    @require_POST
    @wraps(act)
    def view(request: OwnRequest, pk: int) -> HttpResponse:
        ladder = get_object_or_404(Ladder, pk=pk)
        try:
            messages.success(request, act(request, ladder))
        except EventError as error:
            messages.error(request, str(error))
        return redirect(ladder)

    return view


@ladder_action
def join_ladder(request: OwnRequest, ladder: Ladder) -> str:
    services.join_ladder(ladder_id=ladder.pk, user=request.user, now=timezone.now())
    return "You're on the ladder, in the last place."


@ladder_action
def leave_ladder(request: OwnRequest, ladder: Ladder) -> str:
    services.leave_ladder(ladder_id=ladder.pk, user=request.user, now=timezone.now())
    return "You have left the ladder."


@ladder_action
def remove_player(request: OwnRequest, ladder: Ladder) -> str:
    """`player`: the id of a player of the ladder."""
    if not may_change_season(request.user, ladder):
        raise PermissionDenied(NOT_OWN)
    player = ladder.players.filter(pk=_number(request, "player")).select_related("user").first()
    if player is None:
        raise EventError("Choose a player of this ladder.")
    services.leave_ladder(ladder_id=ladder.pk, user=player.user, now=timezone.now(), by=request.user)
    return f"{player} is no longer on the ladder."


@ladder_action
def challenge_player(request: OwnRequest, ladder: Ladder) -> str:
    """`player`: the id of the player who is challenged."""
    made = services.challenge_player(
        ladder_id=ladder.pk, user=request.user, player_id=_number(request, "player"), now=timezone.now()
    )
    return f"You have challenged {made.challenged}. We'll tell you when they answer."


@ladder_action
def answer_challenge(request: OwnRequest, ladder: Ladder) -> str:
    """`challenge`: its id. `answer`: one of `ANSWERS`."""
    answer = ANSWERS.get(request.POST.get("answer", ""))
    if answer is None:
        raise EventError("Choose an answer.")
    act, said = answer
    act(challenge_id=_number(request, "challenge"), user=request.user, now=timezone.now())
    return said


def _number(request: HttpRequest, name: str) -> int:
    return read_number(request.POST.get(name, ""), 0)
