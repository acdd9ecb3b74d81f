"""Divisions: make the round robins of the next stage of a league."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.models import Division, DivisionLeague, Event
from tournaments.queries.divisions import PlannedDivision, latest_stage, plan_next_stage
from tournaments.services import notices
from tournaments.services.entries import add_entries
from tournaments.services.schedule import save_event

PLAN_CHANGED = "The divisions have changed since you looked. Check them and create them again."


def plan_fingerprint(plan: Sequence[PlannedDivision]) -> str:
    """A text that is the same only for the same divisions, to create what was looked at."""
    return ";".join(",".join(str(line.user.pk) for line in division.lines) for division in plan)


def save_league(league: DivisionLeague, *, by: User) -> DivisionLeague:
    """Stores a new or edited league; divisions that are planned stay as they are."""
    if league.pk is None:
        league.created_by = by
    league.save()
    return league


@transaction.atomic
def create_stage(
    *,
    league_id: int,
    newcomers: Sequence[User],
    left_out: Collection[User] = (),
    starts_at: datetime,
    time_zone: str,
    seen: str,
    by: User,
    now: datetime,
) -> list[Division]:
    """Plans an event for each division of the next stage, with its players. seen: `plan_fingerprint` of the preview.

    :raises EventError: a division isn't over, the plan is no longer the one that was looked at, or its settings fail.
    """
    league = DivisionLeague.objects.select_for_update().get(pk=league_id)
    plan, before = plan_next_stage(league, newcomers, left_out), latest_stage(league)
    if plan_fingerprint(plan) != seen:
        raise EventError(PLAN_CHANGED)
    stage, made = before[0].stage + 1 if before else 1, []
    templates = [division.event for division in before] or ([league.template] if league.template else [])
    if not templates:
        raise EventError("The tournament whose settings this league takes is gone. Choose another one.")
    for division in plan:
        template = templates[min(division.level, len(templates)) - 1]
        event = _event(league, template, stage, division.level, starts_at, time_zone)
        save_event(event, by=by, now=now)
        seeds = {line.user: number for number, line in enumerate(division.lines, start=1)}
        add_entries(event_id=event.pk, seeds=seeds, by=by)
        made.append(Division.objects.create(league=league, stage=stage, level=division.level, event=event))
        for line in division.lines:
            notices.notify_division(event, line.user, line.move)
    return made


def _event(
    league: DivisionLeague, template: Event, stage: int, level: int, starts_at: datetime, time_zone: str
) -> Event:
    """With the settings of the template, for the players of the division alone."""
    own = {
        "format": "round-robin", "invited_only": True, "password": "", "fill_to": 0, "is_evened": False,
        "bots_only": False, "max_entries": None, "min_entries": 2, "late_rounds": 0, "seeding": Event.Seeding.HAND,
        "team_boards": None,
    }  # fmt: skip
    if template.format != "round-robin":
        own["format_options"] = {}
    event = Event(
        name=f"{league.name} {stage}, division {level}",
        description=template.description if stage > 1 else "",  # the first template is another event
        starts_at=starts_at,
        time_zone=time_zone,
        **template.setting_values() | own,
    )
    try:
        event.clean()
    except ValidationError as error:
        raise EventError(f"These settings can't be used: {' '.join(error.messages)}") from None
    return event
