"""Actions of the director's console: each with its words, its form fields and the service it calls.

An action without fields is a button. One with fields has a page of its own, which says what it does, to whom, and
whether it can be undone. Some show a preview first (`Action.preview`), and run once it was seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from infra.forms import TypedModelChoiceField
from infra.numbers import read_number
from tournaments import services
from tournaments.domain.wall_clock import SkippedWallTime, utc_from_wall_time, wall_time_in_words, wall_time_of
from tournaments.formats import FORMATS
from tournaments.formats.contract import How
from tournaments.forms.events import WALL_TIME, PersonField
from tournaments.models import LONGEST_TEAM_NAME, Entry, Event, EventRole, Match, MatchSide, check_start
from tournaments.models.directing import LONGEST_MESSAGE
from tournaments.presentation.names import with_entry_names
from tournaments.queries.permissions import NO_PLANNER, REFUSALS, EventRank, event_rank, may_change_series, may_plan
from tournaments.services.adjudicating import BYE_RESULTS as BYE_RESULTS
from tournaments.services.adjudicating import Consequences
from tournaments.services.arranging import BYE_KINDS, unpublished_round
from tournaments.services.teams import line_up_key, most_members, next_line_up

CAN_BE_UNDONE = "You can undo it in the log."
CANNOT_BE_UNDONE = "This can't be undone."
MOST_SHIFT_MINUTES = 24 * 60
MOST_POINTS = 99_999
VERBS_OF_HELPERS = ("check_in_entry", "check_out_entry", "correct")


@dataclass(frozen=True, slots=True)
class ActionPreview:
    """The preview of an action. bent_rules: rules that it bends."""

    bent_rules: Sequence[str] = ()
    consequences: Consequences | None = None


def reason_field(*, required: bool = False) -> forms.CharField:
    return forms.CharField(max_length=200, required=required, label="Reason")


def message_field() -> forms.CharField:
    return forms.CharField(
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Text",
        help_text="Players get a notice, and an e-mail or push message if they have asked for them.",
    )


class Action(forms.Form):
    """A form that runs one service.

    slug: in its address. tab: of the console, to return to. has_preview: there is always a preview.
    confirm_label: of its button after the preview. refusal: to users whose rank would do, see `may_run`.
    params: what was sent, or asked for. hidden: what it is about, as it is sent along.
    """

    do_not_call_in_templates = True  # a template is also given the class, for its words

    slug: ClassVar[str]
    label: ClassVar[str]
    rank: ClassVar[EventRank] = EventRank.DIRECTOR
    tab: ClassVar[str] = "now"
    is_dangerous: ClassVar[bool] = False
    has_preview: ClassVar[bool] = False
    confirm_label: ClassVar[str] = "Do it anyway"
    refusal: ClassVar[str] = ""

    def __init__(self, event: Event, by: User, params: QueryDict, *, is_sent: bool = False) -> None:
        if not self.may_run(event, by):
            raise PermissionDenied(self.refusal)
        self.event, self.by, self.params = event, by, params
        self.hidden: dict[str, int] = {}
        super().__init__(params if is_sent else None, initial=None if is_sent else _parameters(params))
        for field in self.fields.values():
            if isinstance(field, PersonField):
                field.complete_at(reverse("tournaments:names", args=[event.pk]))
        if "why" in self.fields:
            readers = "Only directors" if event.reasons_are_private else "Everyone"
            self.fields["why"].help_text = f"{readers} can read it in the log."

    @classmethod
    def is_open(cls, event: Event) -> bool:
        """Whether the action makes sense now."""
        return not event.finished_at

    @classmethod
    def may_run(cls, event: Event, user: User) -> bool:
        """Whether a user of that rank may do it."""
        return True

    @classmethod
    def is_offered(cls, event: Event, user: User, rank: EventRank) -> bool:
        """Whether the action is shown to a user of this rank in the event."""
        return cls.rank <= rank and cls.is_open(event) and cls.may_run(event, user)

    @classmethod
    def is_button(cls) -> bool:
        return not cls.base_fields

    @property
    def title(self) -> str:
        return self.label

    @property
    def description(self) -> str:
        """What it will do, to whom, and whether it can be undone."""
        return CAN_BE_UNDONE

    def preview(self) -> ActionPreview | None:
        """The preview, None if none is needed. :raises EventError:"""
        return None

    def preview_key(self) -> str:
        """What a preview was for (the field `seen`): another choice needs a new one."""
        sent = {name: self.params.getlist(name) for name in self.fields if name not in ("why", "cancels")}
        chosen = {name: values for name, values in sent.items() if any(values)}
        return str(sorted(chosen.items()))

    def run(self) -> object:
        """:raises EventError:"""
        raise NotImplementedError

    def _chosen_row(self, name: str, rows: Any) -> Any:
        """The row that this is about. :raises Http404:"""
        self.hidden[name] = read_number(str(self.params.get(name, "")), 0)
        return get_object_or_404(rows, pk=self.hidden[name])


def _parameters(params: QueryDict) -> dict[str, Any]:
    return {name: params[name] for name in params}


class EntryChoice(TypedModelChoiceField[Entry]):
    """A choice among the entries of the event."""

    def __init__(self, label: str) -> None:
        super().__init__(Entry.objects.none(), label=label)


# The event


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
        is_late = event.is_running and event.plan.takes_late_entries and event.late_rounds > 0
        return event.takes_entries or (is_late and not event.is_closed)

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


# Entries


class AddEntry(Action):
    slug, label, tab = "add", "Add an entry", "entries"
    name = PersonField(label="Name", help_text="The name of a player or bot. You can ignore the entry conditions.")
    partner = PersonField(required=False, label="Partner")
    team = forms.CharField(
        max_length=LONGEST_TEAM_NAME,
        label="Team",
        help_text="The player above is its captain. You can add more players.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.event.has_pairs:
            del self.fields["partner"]
        if not self.event.has_teams:
            del self.fields["team"]

    @property
    def description(self) -> str:
        if self.event.is_before_start:
            return CAN_BE_UNDONE
        number = services.joining_round(self.event)
        return f"The tournament is running, so a late entry starts in round {number}. {CANNOT_BE_UNDONE}"

    def run(self) -> object:
        data = self.cleaned_data
        also = {"partner": data.get("partner"), "team": data.get("team", "")}
        return services.add_entry(event_id=self.event.pk, user=data["name"], **also, by=self.by, late=True)


class EntryAction(Action):
    """An action on one `entry`."""

    tab = "entries"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entry: Entry = self._chosen_row("entry", self.event.entries.with_players())

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        """Whether the action makes sense now for this entry."""
        return cls.is_open(event)

    @property
    def title(self) -> str:
        return f"{self.label}: {self.entry.name}"


class CheckIn(EntryAction):
    slug, label, rank = "check-in", "Check in", EventRank.HELPER

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        is_early = event.is_before_start and entry.is_in and not entry.is_here
        return is_early or (event.is_running and entry.is_sitting_out)

    def run(self) -> object:
        return services.check_in_entry(entry_id=self.entry.pk, by=self.by)


class CheckOut(EntryAction):
    slug, label, rank = "check-out", "Not here", EventRank.HELPER

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return event.is_before_start and entry.is_here

    def run(self) -> object:
        return services.check_out_entry(entry_id=self.entry.pk, by=self.by)


class Withdraw(EntryAction):
    """For a player who has asked a director to withdraw them."""

    slug, label = "withdraw", "Withdraw"
    why = reason_field()

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return Disqualify.is_for(event, entry)

    @property
    def description(self) -> str:
        back = "They can come back." if self.event.is_before_start or self.event.plan.takes_late_entries else ""
        return (
            f"{self.entry.name} leaves the tournament and is notified. A match in progress is decided by the rule for "
            f"players who leave. {back}"
        )

    def run(self) -> object:
        return services.withdraw_for(entry_id=self.entry.pk, by=self.by, why=self.cleaned_data["why"])


class SitOut(EntryAction):
    """Rounds that an entry does not play, asked for before they are paired."""

    slug, label = "sit-out", "Sits out a round"
    round = forms.TypedChoiceField(label="Round", coerce=int)
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        asked = self.entry.requested_byes.filter(round__gte=unpublished_round(self.event))
        choices = [(number, f"Sits out round {number}") for number in services.open_rounds(self.event, self.entry)]
        choices += [(-bye.round, f"Plays round {bye.round} after all") for bye in asked]
        self.fields["round"] = forms.TypedChoiceField(label="Round", coerce=int, choices=choices)

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return cls.is_open(event) and event.plan.pairs_around and entry.is_in and entry.place is None

    @property
    def description(self) -> str:
        return (
            f"{self.entry.name} isn't paired in this round. The first {self.event.half_byes} of these byes give "
            f"{self.event.half_bye_worth} each; more of them, and any in the last round, give no points. You can "
            "change it until the round is paired."
        )

    def run(self) -> object:
        number, why = self.cleaned_data["round"], self.cleaned_data["why"]
        if number < 0:
            return services.play_round(entry_id=self.entry.pk, number=-number, by=self.by)
        return services.sit_out_round(entry_id=self.entry.pk, number=number, by=self.by, why=why)


class Disqualify(EntryAction):
    slug, label, is_dangerous = "disqualify", "Disqualify", True
    why = reason_field(required=True)

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return cls.is_open(event) and entry.is_in and entry.place is None

    @property
    def description(self) -> str:
        name = self.entry.name
        if self.event.is_before_start:
            return f"{name} is removed and can't enter again without a director. {CAN_BE_UNDONE}"
        return (
            f"{name} is removed and notified. A match in progress is decided by the rule for players who leave, "
            f"and then this can't be undone. Between matches you can undo it."
        )

    def run(self) -> object:
        return services.remove_entry(entry_id=self.entry.pk, by=self.by, why=self.cleaned_data["why"])


class Substitute(EntryAction):
    slug, label = "substitute", "Substitute"
    out = forms.ChoiceField(label="Player who leaves")
    name = PersonField(label="Replacement", help_text="The name of a player or bot.")
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        players = [(player.pk, player.display_name) for player in self.entry.players]
        self.fields["out"] = forms.ChoiceField(label="Player who leaves", choices=players)

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return cls.is_open(event) and entry.is_in and entry.place is None

    @property
    def description(self) -> str:
        return (
            "The new player keeps the results so far. A game in progress is handed over at once, with the same "
            "cards and "
            f"a full clock, and is not rated. {CAN_BE_UNDONE}"
        )

    def run(self) -> object:
        data = self.cleaned_data
        return services.substitute(
            entry_id=self.entry.pk, out_id=int(data["out"]), to_id=data["name"].pk, by=self.by, why=data["why"]
        )


class AddMember(EntryAction):
    """A director adds a player to a team, also while the event runs."""

    slug, label = "add-member", "Add a player"
    name = PersonField(label="Name", help_text="The name of a player or bot, who plays after the others of the team.")

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        has_room = event.has_teams and entry.members.count() < most_members(event)
        return has_room and Substitute.is_for(event, entry)

    @property
    def description(self) -> str:
        return f"{self.entry.name} may have {most_members(self.event)} players. You can remove a player on its page."

    def run(self) -> object:
        return services.invite_member(entry_id=self.entry.pk, member=self.cleaned_data["name"], by=self.by)


class LineUp(EntryAction):
    """Who of a team plays its next match."""

    slug, label = "line-up", "Line-up"
    players = forms.TypedMultipleChoiceField(label="Players", coerce=int, widget=forms.CheckboxSelectMultiple)
    published = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(member.pk, str(member)) for member in self.entry.team]
        self.fields["players"] = forms.TypedMultipleChoiceField(
            label="Players", coerce=int, choices=choices, widget=forms.CheckboxSelectMultiple
        )
        self.initial = {
            **self.initial,
            "players": [member.pk for member in next_line_up(self.event, self.entry)],
            "published": line_up_key(self.event, self.entry),
        }

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        has_choice = event.team_boards is not None and len(entry.team) > event.team_boards
        return has_choice and Substitute.is_for(event, entry)

    @property
    def description(self) -> str:
        return (
            f"For the next match of {self.entry.name} that isn't published yet. They play in the order of the team, "
            f"one at each of {self.event.team_boards} boards. After that the first players have their turn again."
        )

    def run(self) -> object:
        data = self.cleaned_data
        chosen = {"players": data["players"], "seen": data["published"]}
        return services.set_line_up(entry_id=self.entry.pk, **chosen, by=self.by)


class Reinstate(EntryAction):
    slug, label = "reinstate", "Reinstate"
    why = reason_field()

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        has_left = not entry.is_in and entry.place is None and not LetIn.is_for(event, entry)
        return has_left and (event.is_before_start or event.is_running and event.plan.takes_late_entries)

    @property
    def description(self) -> str:
        when = "at once" if self.event.is_before_start else f"from round {services.joining_round(self.event)} on"
        return f"{self.entry.name} plays {when}. You can disqualify {self.entry.name} again."

    def run(self) -> object:
        return services.reinstate_entry(entry_id=self.entry.pk, by=self.by, why=self.cleaned_data["why"])


class LetIn(EntryAction):
    """For an entry on the waiting list, or one that was absent at the start."""

    slug, label = "let-in", "Admit late"

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        came_late = entry.is_in_line or entry.status == Entry.Status.NO_SHOW
        return event.is_running and event.plan.takes_late_entries and came_late and not event.has_teams

    def run(self) -> object:
        user, partner = self.entry.user, self.entry.partner
        return services.add_entry(event_id=self.event.pk, user=user, partner=partner, by=self.by, late=True)


class MessageEntry(EntryAction):
    slug, label = "message-entry", "Message"
    message = message_field()
    description = CANNOT_BE_UNDONE

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return not entry.is_bot

    def run(self) -> object:
        return services.message_entry(entry_id=self.entry.pk, text=self.cleaned_data["message"], by=self.by)


class Note(EntryAction):
    slug, label = "note", "Note"
    note = forms.CharField(max_length=300, required=False, widget=forms.Textarea(attrs={"rows": 3}), label="Note")
    description = "Only directors of this tournament can read it. Players find it in a download of their data."

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["note"].initial = self.initial["note"] = self.entry.note

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return True

    def run(self) -> object:
        return services.note_entry(entry_id=self.entry.pk, note=self.cleaned_data["note"])


class Paid(EntryAction):
    """The fee is paid. It is one tap in the list of entries."""

    slug, label, rank = "paid", "Paid", EventRank.HELPER

    def run(self) -> object:
        return services.note_payment(entry_id=self.entry.pk, has_paid=True)


class NotPaid(EntryAction):
    slug, label, rank = "not-paid", "Not paid", EventRank.HELPER

    def run(self) -> object:
        return services.note_payment(entry_id=self.entry.pk, has_paid=False)


ENTRY_ACTIONS = (
    CheckIn, CheckOut, LetIn, Note, MessageEntry, SitOut, LineUp, AddMember, Substitute, Reinstate, Withdraw,
    Disqualify,
)  # fmt: skip


class SeedBy(Action):
    slug, label, tab = "seed-by", "Seed", "entries"
    how = forms.ChoiceField(choices=Event.Seeding.choices, label="Seeds go")

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_before_start

    def run(self) -> object:
        return services.seed_by(event_id=self.event.pk, how=self.cleaned_data["how"], by=self.by)


# Rounds


class PairAction(Action):
    """An action on two entries."""

    tab = "rounds"
    first = EntryChoice("One entry")
    second = EntryChoice("The other")
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            field = self.fields[name]
            assert isinstance(field, EntryChoice)
            field.queryset = self.choices()

    def choices(self) -> Any:
        return self.event.entries.present().with_players()

    def pair(self) -> dict[str, int]:
        return {name: self.cleaned_data[name].pk for name in ("first", "second")}


class Swap(PairAction):
    slug, label = "swap", "Swap two entries"
    confirm_label = "Swap anyway"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_running and event.matches.filter(status=Match.Status.PROPOSED).exists()

    def choices(self) -> Any:
        proposed = self.event.matches.filter(status=Match.Status.PROPOSED)
        return super().choices().filter(sides__match__in=proposed).distinct()

    @property
    def description(self) -> str:
        within = " If they play each other, they change seats." if self.event.plan.seats_in_order else ""
        return f"They swap places in the unpublished round.{within} {CAN_BE_UNDONE}"

    def preview(self) -> ActionPreview | None:
        bent = services.bent_by_swap(self.event, **self.pair())
        return ActionPreview(_named(self.event, bent)) if bent else None

    def run(self) -> object:
        return services.swap_entries(event_id=self.event.pk, **self.pair(), by=self.by, why=self.cleaned_data["why"])


class Forbid(PairAction):
    slug, label = "forbid", "Forbid a pairing"

    @property
    def description(self) -> str:
        again = "an unpublished round can be paired again"
        return f"They won't be paired in new rounds; {again}. {CAN_BE_UNDONE}"

    def run(self) -> object:
        return services.forbid_pair(event_id=self.event.pk, **self.pair(), by=self.by, why=self.cleaned_data["why"])


class Allow(Action):
    slug, label, tab = "allow", "Allow the pairing", "rounds"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pair = self._chosen_row("pair", self.event.forbidden_pairs.all())

    def run(self) -> object:
        pair = {"first": self.pair.first_id, "second": self.pair.second_id}
        return services.allow_pair(event_id=self.event.pk, **pair, by=self.by)


class Arrange(Action):
    """A match or bye by hand. entries: by choice, in seat order."""

    tab = "rounds"
    confirm_label = "Arrange anyway"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_running and event.publishes_by_hand and event.plan.pairs_around

    @property
    def how(self) -> How:
        return "bye"

    def entries(self) -> list[int]:
        return [self.cleaned_data[name].pk for name in self.fields if name.startswith("entry")]

    def players(self) -> Any:
        return self.event.entries.present().with_players()

    @property
    def description(self) -> str:
        return f"The rest of round {unpublished_round(self.event)} is paired again without them. {CAN_BE_UNDONE}"

    def preview(self) -> ActionPreview | None:
        bent = services.bent_by_arranging(self.event, self.entries(), how=self.how)
        return ActionPreview(_named(self.event, bent)) if bent else None

    def run(self) -> object:
        why = self.cleaned_data["why"]
        return services.arrange_match(event_id=self.event.pk, entries=self.entries(), how=self.how, by=self.by, why=why)


class GiveBye(Arrange):
    slug, label = "bye", "Give a bye"
    entry = EntryChoice("Entry")
    kind = forms.ChoiceField(choices=list(BYE_KINDS.items()), label="Type of bye")
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["entry"]
        assert isinstance(field, EntryChoice)
        field.queryset = self.players()

    @property
    def how(self) -> How:
        kind: How = self.cleaned_data["kind"]
        return kind


class PairByHand(Arrange):
    slug, label = "pair", "Arrange a match"
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sizes = self.event.plan.sides
        for number in range(1, max(sizes) + 1):
            field = EntryChoice(f"Entry {number}")
            field.queryset, field.required = self.players(), number <= min(sizes)
            self.fields[f"entry-{number}"] = field
        self.order_fields([*[name for name in self.fields if name != "why"], "why"])

    def entries(self) -> list[int]:
        chosen = [self.cleaned_data[name] for name in self.fields if name.startswith("entry")]
        return [entry.pk for entry in chosen if entry]


class RoundAction(Action):
    """An action on the unpublished matches of a section and round."""

    tab = "rounds"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.round = self._chosen_row("round", self.event.rounds.all())

    def which(self) -> dict[str, Any]:
        return {"event_id": self.event.pk, "section": self.round.section, "number": self.round.number, "by": self.by}


class Publish(RoundAction):
    slug, label = "publish", "Publish"

    def run(self) -> object:
        return services.publish_round(**self.which())


class PairAgain(RoundAction):
    slug, label = "pair-again", "Pair the rest again"

    def run(self) -> object:
        return services.pair_again(**self.which())


class PairAfresh(RoundAction):
    slug, label = "pair-afresh", "Pair everything again"

    def run(self) -> object:
        return services.pair_again(**self.which(), keep_fixed=False)


# Results


def has_boards(match: Match) -> bool:
    """A match between teams that is decided by its boards, and not by itself."""
    return match.is_between_teams and match.boards.exists()


class MatchAction(Action):
    """An action on a `match`. A result is chosen among `results`; with more than two sides the places are typed in."""

    tab, rank = "results", EventRank.HELPER

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.match: Match = self._chosen_row("match", services.with_games(self.event.matches.all()))
        self.sides = list(self.match.sides.all())

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.status in (Event.Status.RUNNING, Event.Status.FINISHED)

    @property
    def title(self) -> str:
        return f"{self.label}: {self.match}"


class ResultAction(MatchAction):
    """An action that gives a match its result: places, perhaps by forfeit, perhaps with a score."""

    by_score: ClassVar[bool] = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(self.sides) == 2:
            self.fields["result"] = forms.ChoiceField(choices=self.results(), widget=forms.RadioSelect, label="Result")
        else:
            for side in self.sides:
                field = forms.IntegerField(min_value=1, max_value=len(self.sides), label=f"Place of {side.entry.name}")
                self.fields[f"place-{side.number}"] = field
        self.fields["forfeit"] = forms.BooleanField(
            required=False, label="By forfeit", help_text="The match was not played: no score, and no win at the table."
        )
        for name, side, label, limits in self._score_fields():
            self.fields[name] = forms.IntegerField(
                required=False, label=f"{label} {side.name}", min_value=limits[0], max_value=limits[1]
            )
        self.order_fields([name for name in self.fields if name not in ("why", "cancels")])

    def _score_fields(self) -> Iterator[tuple[str, MatchSide, str, tuple[int, int]]]:
        """Field, side, label and limits of what a score consists of in this event."""
        if self.event.match_games > 1:
            most = self.event.match_games
            yield from ((f"games-{side.number}", side, "Games won by", (0, most)) for side in self.sides)
        if self.event.has_scores and not self.event.is_compared:
            most = MOST_POINTS
            yield from ((f"points-{side.number}", side, "Points of", (-most, most)) for side in self.sides)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        given = [data.get(name) is not None for name, *_ in self._score_fields()]
        if any(given) and not all(given):
            raise forms.ValidationError("Enter the whole score, or leave it empty.")
        if any(given) and data.get("forfeit"):
            raise forms.ValidationError("A match that was not played has no score.")
        return data

    def score(self) -> list[tuple[int, int]] | None:
        """By side, games won and points; None if none was entered."""
        data = self.cleaned_data
        if all(data.get(name) is None for name, *_ in self._score_fields()):
            return None
        return [(data.get(f"games-{n}") or 0, data.get(f"points-{n}") or 0) for n in range(len(self.sides))]

    def results(self) -> list[tuple[str, str]]:
        found = [("1 2", f"{self.sides[0].name} wins"), ("2 1", f"{self.sides[1].name} wins")]
        if not self.match.needs_winner:
            found.append(("1 1", "A draw"))
        found.append(("2 2", "Both lose"))
        if self.by_score and services.score_so_far(self.match):
            found.append(("score", "Current score decides"))
        return found

    def places(self) -> list[int]:
        if "result" in self.fields:
            return [int(place) for place in self.cleaned_data["result"].split()]
        return [self.cleaned_data[f"place-{side.number}"] for side in self.sides]

    def result(self) -> dict[str, Any]:
        """Arguments of the services that store a result."""
        decided_by = Match.DecidedBy.FORFEIT if self.cleaned_data["forfeit"] else Match.DecidedBy.DIRECTOR
        return {"places": self.places(), "score": self.score(), "decided_by": decided_by}


class Decide(ResultAction):
    slug, label, by_score = "decide", "Decide", True
    why = reason_field(required=True)

    @classmethod
    def is_for(cls, match: Match) -> bool:
        return match.status in (Match.Status.WAITING, Match.Status.PLAYING) and not has_boards(match)

    @property
    def description(self) -> str:
        return "A game in progress stops, isn't rated and can't be resumed. You can correct the result later."

    def run(self) -> object:
        which = {"match_id": self.match.pk, "by": self.by, "why": self.cleaned_data["why"]}
        if self.cleaned_data.get("result") == "score":
            return services.adjudicate_by_score(**which)
        return services.adjudicate(**self.result(), **which)


class Correct(ResultAction):
    slug, label, confirm_label, has_preview = "correct", "Correct", "Correct the result", True
    why = reason_field(required=True)
    cancels = forms.BooleanField(required=False, widget=forms.HiddenInput)

    @classmethod
    def is_for(cls, match: Match) -> bool:
        is_decided = match.status == Match.Status.FINISHED and match.decided_by not in BYE_RESULTS
        return is_decided and not has_boards(match)

    @property
    def description(self) -> str:
        return f"You'll see the changes before you confirm. {CAN_BE_UNDONE}"

    def preview(self) -> ActionPreview | None:
        how: How = "forfeit" if self.cleaned_data["forfeit"] else "played"
        return ActionPreview(consequences=services.consequences(self.event, self.match, self.places(), how=how))

    def run(self) -> object:
        data = self.cleaned_data
        which = {"match_id": self.match.pk, "by": self.by, "why": data["why"], "cancels": data["cancels"]}
        return services.correct_result(**self.result(), **which)


class Annul(MatchAction):
    slug, label, rank, is_dangerous = "annul", "Annul", EventRank.DIRECTOR, True
    confirm_label, has_preview = "Annul the match", True
    why = reason_field(required=True)

    @classmethod
    def is_for(cls, match: Match) -> bool:
        annulled = match.decided_by == Match.DecidedBy.ANNULLED
        return (Decide.is_for(match) or Correct.is_for(match)) and not annulled and not match.needs_winner

    @property
    def description(self) -> str:
        undone = "A game in progress stops, and this can't be undone." if Decide.is_for(self.match) else CAN_BE_UNDONE
        return f"The match doesn't count for anyone. {undone}"

    def preview(self) -> ActionPreview | None:
        places = [2] * len(self.sides)
        return ActionPreview(consequences=services.consequences(self.event, self.match, places, how="annulled"))

    def run(self) -> object:
        return services.annul_match(match_id=self.match.pk, by=self.by, why=self.cleaned_data["why"])


class TryAgain(MatchAction):
    """For a match that was set aside."""

    slug, label, tab = "try-again", "Try again", "now"

    @classmethod
    def is_for(cls, match: Match) -> bool:
        return match.is_set_aside

    def run(self) -> object:
        return services.retry_match(match_id=self.match.pk, by=self.by)


MATCH_ACTIONS = (TryAgain, Decide, Correct, Annul)


# People, announcements


class NameRole(Action):
    slug, label, tab = "name", "Add a helper", "people"
    name = PersonField(label="Name")
    role = forms.ChoiceField(choices=EventRole.Role.choices, initial=EventRole.Role.HELPER, label="Role")

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return True

    @property
    def description(self) -> str:
        return (
            f"A director can do everything you can do here. A helper can check players in and correct "
            f"results. {CAN_BE_UNDONE}"
        )

    def run(self) -> object:
        user, role = self.cleaned_data["name"], self.cleaned_data["role"]
        return services.name_role(event_id=self.event.pk, user_id=user.pk, role=role, by=self.by)


class DropRole(Action):
    slug, label, tab = "drop", "Remove the role", "people"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.role = self._chosen_row("role", self.event.roles.all())

    def run(self) -> object:
        return services.drop_role(event_id=self.event.pk, user_id=self.role.user_id, by=self.by)


class Announce(Action):
    slug, label, tab = "announce", "Announce", "announcements"
    text = forms.CharField(max_length=300, widget=forms.Textarea(attrs={"rows": 3}), label="Message")

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.status != Event.Status.CANCELLED

    @property
    def description(self) -> str:
        return (
            "It appears on the tournament page, and we notify everyone in the tournament. You can take it down, "
            "but people "
            "may have read it."
        )

    def run(self) -> object:
        return services.post_announcement(event_id=self.event.pk, text=self.cleaned_data["text"], by=self.by)


class SendMessage(Action):
    slug, label, tab = "message", "Send message", "announcements"
    to = forms.TypedChoiceField(label="To", coerce=int)
    message = message_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        published = self.event.matches.published().order_by("-round__number")
        numbers = dict.fromkeys(published.values_list("round__number", flat=True))
        choices = [(0, "Everyone in the tournament"), *((n, f"Players of round {n}") for n in numbers)]
        self.fields["to"] = forms.TypedChoiceField(label="To", coerce=int, choices=choices)
        self.order_fields(["to", "message"])

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.status != Event.Status.CANCELLED

    @property
    def description(self) -> str:
        return f"Unlike an announcement, it isn't shown on the tournament page. {CANNOT_BE_UNDONE}"

    def run(self) -> object:
        number, text = self.cleaned_data["to"], self.cleaned_data["message"]
        if number:
            return services.message_round(event_id=self.event.pk, number=number, text=text, by=self.by)
        return services.message_everyone(event_id=self.event.pk, text=text, by=self.by)


class TakeDown(Action):
    slug, label, tab = "take-down", "Take down", "announcements"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.said = self._chosen_row("announcement", self.event.announcements.shown())

    def run(self) -> object:
        return services.remove_announcement(announcement_id=self.said.pk, by=self.by)


EVENT_ACTIONS = (
    OpenEntries, CloseEntries, Resume, Pause, Shift, MoveFollowing, StartNow, Timetable, HoldRounds, ReleaseRounds,
    PlanBest, Cancel,
)  # fmt: skip
ACTIONS: dict[str, type[Action]] = {
    kind.slug: kind
    for kind in (
        *EVENT_ACTIONS, *ENTRY_ACTIONS, *MATCH_ACTIONS, Undo, AddEntry, CheckInEveryone, Paid, NotPaid, SeedBy, Swap,
        Forbid, Allow, GiveBye, PairByHand, Publish, PairAgain, PairAfresh, NameRole, DropRole, Announce, SendMessage,
        TakeDown,
    )
}  # fmt: skip


def _named(event: Event, sentences: Sequence[str]) -> list[str]:
    names = {entry.pk: entry.name for entry in event.entries.with_players()}
    return [with_entry_names(sentence, names) for sentence in sentences]
