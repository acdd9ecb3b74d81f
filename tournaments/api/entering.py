"""Operations of the HTTP API for players of tournaments: enter, check in, ask for a bye, withdraw."""

from typing import Any

from django.forms import Form
from django.shortcuts import get_object_or_404
from ninja import Schema
from pydantic import Field

from accounts.api_access import NEEDS, ApiRequest, limit_operation
from games.api.schemas import RowId
from infra.http_api.problems import Problem
from tournaments import services
from tournaments.api.events import EventDetails, read_tournament
from tournaments.api.routing import router
from tournaments.forms.entries import EnterForm
from tournaments.models import LONGEST_TEAM_NAME, Event
from tournaments.views.entries import comes_back, password_limit


class Entering(Schema):
    password: str = Field("", max_length=128, description="Of the tournament, if it has one")
    partner: str = Field("", description="The name of the player you ask to play with you")
    team: str = Field("", max_length=LONGEST_TEAM_NAME, description="The name of your team, where teams play")
    answers: dict[str, str] = Field({}, description="To the `questions` of the tournament, by their labels")


class Withdrawing(Schema):
    after_round: bool = Field(False, description="Only after the round in play")


PLAIN_ENTRY, AT_ONCE = Entering.model_validate({}), Withdrawing.model_validate({})  # of requests without a body


class ByeRequest(Schema):
    round: int = Field(ge=1, le=10_000)


@router.post(
    "/tournaments/{event_id}/enter", response=EventDetails, auth=NEEDS["enter"], tags=["Tournaments"], summary="Enter"
)
def enter_tournament(request: ApiRequest, event_id: RowId, sent: Entering = PLAIN_ENTRY) -> dict[str, Any]:
    """Enters a tournament, or joins its waiting list. Bots that people run enter tournaments that have bots."""
    limit_operation(request, "entries")
    event = get_object_or_404(Event, pk=event_id)
    form = EnterForm(entry_form_data(event, sent), event=event, comes_back=comes_back(event, request.user))
    if not form.is_valid():
        raise invalid_fields("You can't enter with these fields.", form)
    with password_limit(request, event):
        services.enter_event(event_id=event.pk, user=request.user, **form.cleaned_data)
    return read_tournament(request, event_id)


def entry_form_data(event: Event, sent: Entering) -> dict[str, str]:
    """What the form of the page sends for the same entry."""
    answers = {
        f"question-{number}": sent.answers.get(question["label"], "") for number, question in enumerate(event.questions)
    }
    return {"password": sent.password, "partner": sent.partner, "team": sent.team, **answers}


def invalid_fields(detail: str, form: Form) -> Problem:
    errors = {name: [str(one) for one in found] for name, found in form.errors.items()}
    return Problem(422, "invalid", detail, errors=errors)


@router.post(
    "/tournaments/{event_id}/withdraw",
    response=EventDetails,
    auth=NEEDS["enter"],
    tags=["Tournaments"],
    summary="Withdraw",
)
def withdraw_from_tournament(request: ApiRequest, event_id: RowId, sent: Withdrawing = AT_ONCE) -> dict[str, Any]:
    """Withdraws your entry, at once or after the round in play."""
    get_object_or_404(Event, pk=event_id)
    if sent.after_round:
        services.leave_after_round(event_id=event_id, user=request.user, is_leaving=True)
    else:
        services.withdraw_entry(event_id=event_id, user=request.user)
    return read_tournament(request, event_id)


@router.post(
    "/tournaments/{event_id}/check-in",
    response=EventDetails,
    auth=NEEDS["enter"],
    tags=["Tournaments"],
    summary="Check in",
)
def check_in(request: ApiRequest, event_id: RowId) -> dict[str, Any]:
    """Says that you are here, between `check_in_at` and the start. Entries that don't lose their place."""
    get_object_or_404(Event, pk=event_id)
    services.check_in_player(event_id=event_id, user=request.user)
    return read_tournament(request, event_id)


@router.post(
    "/tournaments/{event_id}/bye", response=EventDetails, auth=NEEDS["enter"], tags=["Tournaments"], summary="Sit out"
)
def request_bye(request: ApiRequest, event_id: RowId, sent: ByeRequest) -> dict[str, Any]:
    """Asks to sit out a round that is not paired yet."""
    get_object_or_404(Event, pk=event_id)
    services.request_bye(event_id=event_id, user=request.user, number=sent.round)
    return read_tournament(request, event_id)


@router.post(
    "/tournaments/{event_id}/back", response=EventDetails, auth=NEEDS["enter"], tags=["Tournaments"], summary="Be back"
)
def return_to_tournament(request: ApiRequest, event_id: RowId) -> dict[str, Any]:
    """Says that you are back after a match that you have missed."""
    get_object_or_404(Event, pk=event_id)
    services.return_to_play(event_id=event_id, user=request.user)
    return read_tournament(request, event_id)
