"""Challenges: the challenger's form, and the page on which the other player answers."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.requests import OwnRequest
from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import services
from games.engines import GAMES
from games.forms.seeks import chosen_rules
from games.forms.tables import ChallengeForm, reads_shuffles
from games.models import Challenge, Table
from games.views import lobby


@limit_posts("challenges")
def challenge_player(request: HttpRequest, name: str) -> HttpResponse:
    """The challenge form; `?game=` chooses the game, otherwise it is the game of the last seek."""
    rivals = User.objects.filter(is_active=True, is_guest=False, is_bot=False)
    rival = get_object_or_404(rivals, username=name)
    rules = chosen_rules(request)
    can_be_rated = request.user.is_authenticated and request.user.has_account
    initial = {"key": lobby.new_form_key()}
    form = ChallengeForm(rules, request.POST or None, can_be_rated=can_be_rated, initial=initial)
    if form.is_valid():
        try:
            return redirect(challenge_from(request, form.cleaned_data, rules.slug, rival))
        except services.TableError as error:
            form.add_error(None, str(error))
    context = {"game": rules, "games": GAMES, "form": form, "rival": rival}
    status = lobby.REFUSED if form.is_bound else 200
    return render(request, "games/challenge_form.html", context | {"section": "play"}, status=status)


def challenge_from(request: HttpRequest, choices: dict[str, Any], slug: str, rival: User) -> Table:
    """The table at which the challenger waits; a form that is sent twice finds it."""

    def open_new(**wanted: Any) -> Table:
        return services.send_challenge(user=ensure_person(request), to=rival, **wanted).table

    return lobby.found_or_opened(choices, slug, open_new)


@require_GET
def challenge(request: HttpRequest, pk: int) -> HttpResponse:
    """The challenge for the player who is asked; the others involved are redirected to its table."""
    asked = Challenge.objects.with_table().filter(pk=pk).first()
    if asked is None or request.user not in (asked.to, asked.table.created_by):
        raise Http404("There is no such challenge.")
    if request.user != asked.to or asked.answer == Challenge.Answer.ACCEPTED:
        return redirect(asked.table)
    return render(request, "games/challenge.html", {"challenge": asked, "table": asked.table, "section": "play"})


@require_POST
@login_required  # only people can be challenged
def answer(request: OwnRequest, pk: int) -> HttpResponse:
    """`answer`: "accept" or "decline"."""
    person = request.user
    try:
        if request.POST.get("answer") == "accept":
            shuffles = reads_shuffles(request.POST)
            return redirect(services.accept_challenge(challenge_id=pk, user=person, shuffles=shuffles))
        services.decline_challenge(challenge_id=pk, user=person)
        messages.success(request, "You have declined the challenge. We'll tell the other player.")
    except services.TableError as error:
        messages.error(request, str(error))
    return redirect("games:lobby")
