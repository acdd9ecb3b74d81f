"""Round timetable: rounds that begin on a day and at a time of their own, such as one a week."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.domain.wall_clock import wall_time_in_words
from tournaments.formats import contract
from tournaments.models import Event, Match, RoundTime
from tournaments.services import notices
from tournaments.services.byes import last_round
from tournaments.services.common import changed_on_calendar, locked_event, log_action, public_reason

MOST_ROUNDS = 60  # with a time of their own


def rounds_to_plan(event: Event) -> range:
    """The rounds whose time can be set: after the first, and not published yet."""
    published = event.matches.published().exclude(status=Match.Status.CANCELLED).order_by("-round__number")
    newest = published.values_list("round__number", flat=True).first() or 1
    return range(newest + 1, min(_expected_rounds(event), MOST_ROUNDS) + 1) if event.has_rounds else range(0)


def _expected_rounds(event: Event) -> int:
    if not event.is_before_start:
        return last_round(event)
    return event.plan.rounds(max(event.entries.present().count(), event.fill_to, event.min_entries))


@transaction.atomic
def set_round_times(*, event_id: int, times: Mapping[int, datetime | None], by: User, why: str = "") -> Event:
    """Sets when rounds begin; None: after the round before. Notifies entrants. :raises EventError:"""
    event = locked_event(event_id)
    if event.finished_at or not times.keys() <= {*rounds_to_plan(event)}:
        raise EventError("One of these rounds has begun, so its time can't change.")
    before = dict(event.round_times.values_list("number", "starts_at"))
    after = {number: at for number, at in (before | dict(times)).items() if at}
    _require_order(event, after, new=times)
    if before == after:
        return event
    event.round_times.all().delete()
    RoundTime.objects.bulk_create(RoundTime(event=event, number=n, starts_at=at) for n, at in sorted(after.items()))
    if event.is_running:
        event.next_round_at = None
        event.due_at = event.due_at and timezone.now()  # a paused event stays so
        event.save(update_fields=["next_round_at", "due_at"])
    changed = [number for number in sorted(before | after) if before.get(number) != after.get(number)]
    words = [f"round {n}: {_in_words(event, after.get(n))}" for n in changed]
    log_action(event, f"Timetable: {', '.join(words)}.", by=by, why=why)
    notices.notify_timetable(event, words, public_reason(event, why))
    return changed_on_calendar(event)


def _require_order(event: Event, times: Mapping[int, datetime], *, new: Mapping[int, datetime | None]) -> None:
    """:raises EventError: a round would begin before the one before it, or in the past."""
    earliest = event.starts_at
    for number, at in sorted(times.items()):
        if new.get(number) and at <= timezone.now():
            raise EventError(f"Round {number} would begin in the past.")
        if at <= earliest:
            raise EventError(f"Round {number} would begin before the round before it.")
        earliest = at


def _in_words(event: Event, at: datetime | None) -> str:
    return wall_time_in_words(at, event.time_zone) if at else "after the round before"


def due_matches(event: Event, paired: Sequence[contract.MatchRecord]) -> list[contract.MatchRecord]:
    """The matches whose round may begin by now. Notes when the next of the others may (`Event.next_round_at`)."""
    times = dict(event.round_times.filter(starts_at__gt=timezone.now()).values_list("number", "starts_at"))
    waiting = [times[match.spot.round] for match in paired if match.spot.round in times]
    if waiting:
        event.next_round_at = min(waiting)
    return [match for match in paired if match.spot.round not in times]


def has_own_time(event: Event, paired: Sequence[contract.MatchRecord]) -> bool:
    """Whether one of these rounds begins by the timetable, so that no break comes before it."""
    return event.round_times.filter(number__in={match.spot.round for match in paired}).exists()


def require_time_has_come(event: Event, number: int) -> None:
    """:raises EventError: the round begins later."""
    coming = event.round_times.filter(number=number, starts_at__gt=timezone.now()).first()
    if coming:
        raise EventError(
            f"Round {number} begins on {wall_time_in_words(coming.starts_at, event.time_zone)}. "
            "Change the timetable to publish it earlier."
        )
