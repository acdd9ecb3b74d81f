"""Operations of the HTTP API for directors of tournaments: plan one, and run the actions of the console."""

import json
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Schema, Status
from pydantic import AwareDatetime, Field

from accounts.api_access import NEEDS, ApiRequest
from games.api.schemas import RowId
from infra.http_api.problems import Problem
from tournaments import services
from tournaments.api.entering import invalid_fields
from tournaments.api.events import EventDetails, plain_event, read_tournament
from tournaments.api.routing import router
from tournaments.console.actions import ACTIONS
from tournaments.console.actions.base import Action
from tournaments.domain.wall_clock import past_start
from tournaments.files.event_files import event_from_json
from tournaments.models import Event
from tournaments.queries import permissions
from tournaments.queries.permissions import EventRank
from tournaments.services.adjudicating import Consequences

CREATED = 201


class NewTournament(Schema):
    setup: dict[str, Any] = Field(description="Settings by name, as in the `setup` of an exported tournament")
    starts_at: AwareDatetime


class ActionField(Schema):
    name: str
    label: str
    is_required: bool
    choices: list[str]


class DirectorAction(Schema):
    slug: str
    label: str
    rank: str
    fields: list[ActionField]


class ActionData(Schema):
    fields: dict[str, str | int | bool | list[str | int]] = Field({}, description="What the action is about, by name")
    seen: str = Field("", description="`key` of the preview that you have seen")


NO_FIELDS = ActionData.model_validate({})  # of a request without a body


@router.post(
    "/tournaments",
    response={CREATED: EventDetails},
    auth=NEEDS["direct"],
    tags=["Directors"],
    summary="Plan a tournament",
)
def plan_tournament(request: ApiRequest, sent: NewTournament) -> Status[dict[str, Any]]:
    """Plans a tournament, which you then direct, if you may plan tournaments."""
    if not permissions.may_plan(request.user):
        raise PermissionDenied(permissions.NO_PLANNER)
    event = event_from_json(json.dumps({"setup": sent.setup}), starts_at=sent.starts_at)
    if reason := past_start(event.starts_at, event.time_zone, now=timezone.now()):
        raise Problem(422, "invalid", "These settings can't be used.", errors={"starts_at": [reason]})
    try:
        event.full_clean(exclude=["created_by", "lots"])
    except ValidationError as error:
        raise Problem(422, "invalid", "These settings can't be used.", errors=error.message_dict) from None
    services.save_event(event, by=request.user, now=timezone.now())
    return Status(CREATED, plain_event(request, event))


def directed_event(request: ApiRequest, event_id: int, needed: EventRank) -> Event:
    """:raises PermissionDenied:"""
    event = get_object_or_404(Event, pk=event_id)
    permissions.require_rank(request.user, event, needed)
    return event


@router.get(
    "/tournaments/{event_id}/actions",
    response=list[DirectorAction],
    auth=NEEDS["direct"],
    tags=["Directors"],
    summary="List the actions of directors",
)
def list_actions(request: ApiRequest, event_id: RowId) -> list[dict[str, Any]]:
    """The actions of the console that make sense now, for your rank, with their fields.

    Many are about a row, named by its id besides these fields: `entry`, `match`, `call` or `line` (of the log).
    """
    event = directed_event(request, event_id, EventRank.HELPER)
    rank = permissions.event_rank(request.user, event)
    return [plain_action(kind) for kind in ACTIONS.values() if kind.is_offered(event, request.user, rank)]


def plain_action(kind: type[Action]) -> dict[str, Any]:
    fields = [
        {
            "name": name,
            "label": str(field.label or name),
            "is_required": field.required,
            "choices": [str(value) for value, _ in getattr(field, "choices", ())],
        }
        for name, field in kind.base_fields.items()
    ]
    return {"slug": kind.slug, "label": kind.label, "rank": kind.rank.name.lower(), "fields": fields}


@router.post(
    "/tournaments/{event_id}/actions/{slug}",
    response=EventDetails,
    auth=NEEDS["direct"],
    tags=["Directors"],
    summary="Run an action of a director",
)
def run_action(request: ApiRequest, event_id: RowId, slug: str, sent: ActionData = NO_FIELDS) -> dict[str, Any]:
    """Runs an action as the console does, by the same rules and with the same line in the log.

    One that bends rules or changes results answers the problem `preview` first, with what would follow; send it again
    with its `key` as `seen`.
    """
    kind = ACTIONS.get(slug)
    if kind is None:
        raise Http404("There is no such action.")
    event = directed_event(request, event_id, kind.rank)
    action = kind(event, request.user, as_form_data(sent.fields), is_sent=True)
    if not action.is_valid():
        raise invalid_fields("The action can't be run with these fields.", action)
    preview = action.preview()
    if preview is not None and sent.seen != action.preview_key():
        raise Problem(
            409,
            "preview",
            "Look at what follows, then confirm it.",
            key=action.preview_key(),
            bent_rules=[*preview.bent_rules],
            consequences=preview.consequences and plain_consequences(preview.consequences),
        )
    action.run()
    return read_tournament(request, event_id)


def plain_consequences(found: Consequences) -> dict[str, Any]:
    """What another result of a match changes: matches by their ids, new ones by those of their entries."""
    return {
        "places_changed": len(found.shifts),
        "matches_removed": [match.pk for match in found.unbegun],
        "matches_begun": [match.pk for match in found.begun],
        "matches_new": [[entry.pk for entry in match] for match in found.new],
        "matches_new_if_cancelled": [[entry.pk for entry in match] for match in found.new_if_cancelled],
        "is_round_again": found.is_round_again,
    }


def as_form_data(fields: dict[str, Any]) -> QueryDict:
    """The fields as a form of the console sends them."""
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        values = value if isinstance(value, list) else [value]
        data.setlist(name, [str(one) for one in values if one is not False])
    return data
