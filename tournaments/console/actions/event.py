"""Actions of the director's console on the event as a whole: entry, pauses, times, its end, undoing."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from accounts.models import User
from tournaments import services
from tournaments.console.actions.base import CAN_BE_UNDONE, CANNOT_BE_UNDONE, Action, reason_field
from tournaments.domain.wall_clock import SkippedWallTime, utc_from_wall_time, wall_time_in_words, wall_time_of
from tournaments.formats import FORMATS
from tournaments.forms.events import WALL_TIME
from tournaments.models import Entry, Event, check_start
from tournaments.queries.permissions import NO_PLANNER, REFUSALS, EventRank, event_rank, may_change_series, may_plan
from tournaments.services.entries import takes_late_entries

MOST_SHIFT_MINUTES = 24 * 60
VERBS_OF_HELPERS = ("check_in_entry", "check_out_entry", "correct")


class OpenEntries(Action):
    slug, label = "open", "Open entries"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        could_enter = event.is_before_start or (event.is_running and event.plan.takes_late_entries)
        return event.status == Event.Status.SCHEDULED or (event.is_closed and could_enter)

    def run(self) -> object:
        return services.open_entries(event_id=self.event.pk, by=self.by)


class CloseEntries(Action):
    slug, label = "close", "Close entries"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.takes_entries or takes_late_entries(event)

    def run(self) -> object:
        return services.close_entries(event_id=self.event.pk, by=self.by)


class HoldRounds(Action):
    slug, label, tab = "hold-rounds", "Publish rounds manually", "rounds"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return not event.finished_at and event.has_rounds and not event.publishes_by_hand

    def run(self) -> object:
        return services.hold_rounds(event_id=self.event.pk, by=self.by)


class ReleaseRounds(Action):
    slug, label, tab = "let-rounds-go", "Publish rounds automatically", "rounds"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return not event.finished_at and event.has_rounds and event.publishes_by_hand

    def run(self) -> object:
        return services.let_rounds_go(event_id=self.event.pk, by=self.by)


class Pause(Action):
    slug, label = "pause", "Pause"
    why = reason_field()
    description = "No match starts, all clocks stop and no one can move until you resume the tournament."

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_running and not event.is_paused

    def run(self) -> object:
        return services.pause_event(event_id=self.event.pk, by=self.by, why=self.cleaned_data["why"])


class Resume(Action):
    slug, label = "resume", "Resume"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_running and event.is_paused

    def run(self) -> object:
        return services.resume_event(event_id=self.event.pk, by=self.by)


class Shift(Action):
    slug, label = "shift", "Shift the time"
    minutes = forms.IntegerField(
        min_value=-MOST_SHIFT_MINUTES,
        max_value=MOST_SHIFT_MINUTES,
        label="Minutes",
        help_text="For example, -10 starts ten minutes earlier.",
    )
    why = reason_field()

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return services.next_shiftable_time(event) is not None

    @property
    def title(self) -> str:
        moment = services.next_shiftable_time(self.event)
        return f"Shift {moment[0]}" if moment else self.label

    @property
    def description(self) -> str:
        return f"We notify everyone in the tournament. {CAN_BE_UNDONE}"

    def run(self) -> object:
        minutes = self.cleaned_data["minutes"]
        return services.shift_time(event_id=self.event.pk, minutes=minutes, by=self.by, why=self.cleaned_data["why"])


class MoveFollowing(Action):
    """Another day or hour for an event of a series and for those after it."""

    slug, label = "move-following", "Move this and all that follow"
    start = forms.DateTimeField(
        label="New start", widget=forms.DateTimeInput(format=WALL_TIME, attrs={"type": "datetime-local"})
    )
    why = reason_field()
    refusal = "Only the director who planned this series can move its tournaments."

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = self.event.series.time_zone if self.event.series else self.event.time_zone
        self.initial = {"start": wall_time_of(self.event.starts_at, self.zone).strftime(WALL_TIME), **self.initial}

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_before_start and event.planned_at is not None

    @classmethod
    def may_run(cls, event: Event, user: User) -> bool:
        return event.series is not None and may_change_series(user, event.series)

    @property
    def description(self) -> str:
        return (
            f"From this tournament on, the series takes place on the weekday and at the hour of the new start "
            f"({self.zone}). Earlier tournaments stay as planned. We notify everyone who has entered. "
            f"{CANNOT_BE_UNDONE}"
        )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("start"):
            wall = timezone.make_naive(data["start"], UTC)
            try:
                check_start("start", wall)
                self.starts_at = utc_from_wall_time(wall, self.zone)
            except SkippedWallTime as error:
                self.add_error("start", str(error))
        return data

    def run(self) -> object:
        moved = {"starts_at": self.starts_at, "by": self.by, "why": self.cleaned_data["why"]}
        return services.move_following(event_id=self.event.pk, **moved, now=timezone.now())


class StartNow(Action):
    slug, label, is_dangerous = "start-now", "Start now", True
    why = reason_field()

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_before_start

    @property
    def description(self) -> str:
        """What is skipped, and who does not play."""
        event, at = self.event, wall_time_in_words(self.event.starts_at, self.event.time_zone)
        present = event.entries.present()
        skipped = [f"No one can register from now on, although registration was open until {at}."]
        if event.status == Event.Status.CHECK_IN:
            missing = present.exclude(status=Entry.Status.CHECKED_IN).count()
            skipped.append(f"{missing} of {present.count()} entries haven't checked in and won't play.")
        elif event.check_in_minutes:
            skipped.append(f"Check-in is skipped, so all {present.count()} entries play.")
        return f"The first matches start at once, instead of on {at}. {' '.join(skipped)} {CANNOT_BE_UNDONE}"

    def run(self) -> object:
        return services.start_now(event_id=self.event.pk, by=self.by, why=self.cleaned_data["why"])


class CheckInEveryone(Action):
    slug, label, rank, tab = "all-here", "All here", EventRank.HELPER, "entries"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_before_start

    def run(self) -> object:
        return services.check_in_everyone(event_id=self.event.pk, by=self.by)


class Timetable(Action):
    """When rounds begin: a time for each, or days between those that are left empty."""

    slug, label, tab = "timetable", "Timetable of rounds", "rounds"
    days = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=60,
        label="Days between rounds",
        help_text="Fills the rounds you leave empty: 7 for one round a week, at the same time of day.",
    )
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = services.rounds_to_plan(self.event)
        known = dict(self.event.round_times.values_list("number", "starts_at"))
        for number in self.numbers:
            at = known.get(number)
            wall = wall_time_of(at, self.event.time_zone).strftime(WALL_TIME) if at else None
            widget = forms.DateTimeInput(format=WALL_TIME, attrs={"type": "datetime-local"})
            label = f"Round {number}"
            self.fields[f"round-{number}"] = forms.DateTimeField(
                required=False, label=label, widget=widget, initial=wall
            )
        self.order_fields([*(f"round-{number}" for number in self.numbers), "days", "why"])

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return not event.finished_at and bool(services.rounds_to_plan(event))

    @property
    def description(self) -> str:
        return (
            f"A round doesn't begin before its time ({self.event.time_zone}), nor before the previous round is over. "
            "If you leave it empty, it follows at once. We notify everyone in the tournament."
        )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        zone, self.times = self.event.time_zone, dict[int, datetime | None]()
        known = self.event.round_times.filter(number__lt=min(self.numbers, default=2)).last()
        last = wall_time_of(known.starts_at if known else self.event.starts_at, zone)
        for number in self.numbers:
            wall = data.get(f"round-{number}")
            wall = timezone.make_naive(wall, UTC) if wall else None
            if wall is None and data.get("days"):
                wall = last + timedelta(days=data["days"])
            try:
                if wall:
                    check_start(f"round-{number}", wall)
                self.times[number] = utc_from_wall_time(wall, zone) if wall else None
            except SkippedWallTime as error:
                self.add_error(f"round-{number}", str(error))
            last = wall or last
        return data

    def run(self) -> object:
        why = self.cleaned_data["why"]
        return services.set_round_times(event_id=self.event.pk, times=self.times, by=self.by, why=why)


class PlanBest(Action):
    """A new event from the standings, such as a knock-out of the best 8 after a Swiss."""

    slug, label = "best", "New event of the best"
    count = forms.IntegerField(min_value=2, max_value=1000, initial=8, label="How many")
    plan = forms.ChoiceField(label="Format")
    minutes = forms.IntegerField(min_value=1, max_value=60 * 24 * 60, initial=10, label="Starts in how many minutes")
    refusal = NO_PLANNER

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        plans = [(plan.slug, plan.name) for plan in FORMATS if plan.sides == self.event.plan.sides]
        self.fields["plan"] = forms.ChoiceField(label="Format", choices=plans, initial="single-elimination")
        self.order_fields(["count", "plan", "minutes"])

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_finished

    @classmethod
    def may_run(cls, event: Event, user: User) -> bool:
        return may_plan(user)

    @property
    def description(self) -> str:
        return (
            "The best in the standings who haven't left are entered, seeded by their places, and notified. Game and "
            "clock stay the same, and entries are closed. You can edit the new tournament until it starts."
        )

    def run(self) -> object:
        data, now = self.cleaned_data, timezone.now()
        try:
            return services.plan_event_of_best(
                event_id=self.event.pk,
                count=data["count"],
                plan=data["plan"],
                starts_at=now + timedelta(minutes=data["minutes"]),
                by=self.by,
                now=now,
            )
        except ValidationError as error:
            raise services.EventError(" ".join(error.messages)) from error


class Cancel(Action):
    slug, label, is_dangerous = "cancel", "Cancel the tournament", True
    why = reason_field()

    @property
    def description(self) -> str:
        count = self.event.entries.entered().count()
        entries = f"{count} {'entry is' if count == 1 else 'entries are'} notified at once."
        return f"{entries} Games in progress can be finished, but they won't count. {CANNOT_BE_UNDONE}"

    def run(self) -> object:
        return services.cancel_event(event_id=self.event.pk, by=self.by, why=self.cleaned_data["why"])


class Undo(Action):
    """Undo a logged action. A helper can undo only what a helper may do."""

    slug, label, rank = "undo", "Undo", EventRank.HELPER

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.line = self._chosen_row("line", self.event.log.all())
        if not may_undo(self.by, self.event, self.line.undo):
            raise PermissionDenied(REFUSALS[EventRank.DIRECTOR])

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return True

    def run(self) -> object:
        return services.undo_action(line_id=self.line.pk, by=self.by)


def may_undo(user: User | AnonymousUser, event: Event, undo: Mapping[str, Any] | None) -> bool:
    return event_rank(user, event) == EventRank.DIRECTOR or (undo is not None and undo["verb"] in VERBS_OF_HELPERS)


EVENT_ACTIONS = (
    OpenEntries, CloseEntries, Resume, Pause, Shift, MoveFollowing, StartNow, Timetable, HoldRounds, ReleaseRounds,
    PlanBest, Cancel,
)  # fmt: skip
