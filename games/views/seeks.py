"""Seeks: the form, the waiting page, and the list of other players who look for a game."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import services
from games.forms.seeks import COOKIE, SeekForm, rules_named
from games.forms.tables import OPTION, reads_shuffles
from games.models import Seek
from games.views import lobby

BOT_OFFERED_AFTER = timedelta(seconds=10)
KEPT = ("game", "paces", "has_bots", "is_rated", "reach", "seats")


def wishes(request: HttpRequest) -> HttpResponse:
    """The part of the form that depends on the game."""
    return render(request, "games/_wishes.html", lobby.seek_context(request))


@limit_posts("seeks")
def seek(request: HttpRequest) -> HttpResponse:
    """The waiting page; a POST starts a seek, or takes a seat where a matching player waits already."""
    if request.method == "POST":
        return begin(request)
    own = own_seek(request)
    if own is None:
        return redirect("games:lobby")
    return redirect(own.table) if own.table else render(request, "games/seek.html", waiting_context(request, own))


def begin(request: HttpRequest) -> HttpResponse:
    rules = rules_named(request.POST.get("game", ""))
    sent = request.POST.copy()
    if sent.get("wishes_of") != rules.slug:  # chosen for another game
        for name in [name for name in sent if name == "seats" or name.startswith(OPTION)]:
            del sent[name]
    form = SeekForm(rules, sent, user=request.user)
    if not form.is_valid():
        context = lobby.play_context(request) | {"seek_form": form}
        return render(request, "games/lobby.html", context, status=lobby.REFUSED)
    data = form.cleaned_data
    answer = found_or_waiting(
        services.start_seek(
            user=ensure_person(request),
            game=rules.slug,
            bot_level=lobby.remembered_level(request) if data["has_bots"] else "",
            **{name: data[name] for name in ("seats", "paces", "is_rated", "options", "reach", "shuffles")},
        )
    )
    remember_seek(answer, sent, form)
    return lobby.remember_game(answer, rules.slug)


def remember_seek(answer: HttpResponse, sent: QueryDict, form: SeekForm) -> None:
    kept = QueryDict(mutable=True)
    for name, values in sent.lists():
        if name in KEPT:
            kept.setlist(name, values)
    kept.update({field.name: field.data for field in form.option_fields() if field.data})
    lobby.remember(answer, COOKIE, kept.urlencode())


def found_or_waiting(own: Seek) -> HttpResponse:
    return redirect(own.table) if own.table else redirect("games:seek")


def own_seek(request: HttpRequest) -> Seek | None:
    """The visitor's seek; the request itself keeps it alive."""
    return services.keep_seeking(user=request.user) if request.user.is_authenticated else None


def waiting_context(request: HttpRequest, own: Seek) -> dict[str, Any]:
    others, fitting = services.count_waiting(own)
    has_waited = timezone.now() - own.created_at >= BOT_OFFERED_AFTER
    return {
        "seek": own,
        "play_form": lobby.play_now_form(request) if has_waited else None,
        "rules": own.rules,
        "others": others,
        "fitting": fitting,
        "section": "play",
    }


def seek_state(request: HttpRequest) -> HttpResponse:
    """The part of the waiting page that changes; from there to the table once it is found."""
    own = own_seek(request)
    if own is None:
        return HttpResponseClientRedirect(reverse("games:lobby"))
    if own.table:
        return HttpResponseClientRedirect(own.table.get_absolute_url())
    return render(request, "games/_seek.html", waiting_context(request, own))


@require_POST
def stop(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        services.cancel_seek(user=request.user)
    return redirect("games:lobby")


@require_POST
def away(request: HttpRequest) -> HttpResponse:
    """The waiting page is being closed."""
    if request.user.is_authenticated:
        services.suspend_seek(user=request.user)
    return HttpResponse(status=204)


@require_POST
@limit_posts("seeks")
def join(request: HttpRequest, pk: int) -> HttpResponse:
    """Answers a waiting player's seek."""
    try:
        own = services.join_seek(seek_id=pk, user=ensure_person(request), shuffles=reads_shuffles(request.POST))
    except services.TableError as error:
        messages.error(request, str(error))
        return redirect("games:lobby")
    return found_or_waiting(own)
