"""Events in the admin. What runs by itself is read-only; changes go through the services."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from accounts.requests import OwnRequest
from games.bots import LEVELS, QUICK_LEVELS
from infra.admin import AnyModelAdmin, AnyTabularInline, ReadOnly
from tournaments import services
from tournaments.domain.recurrence import rule_in_words
from tournaments.domain.wall_clock import wall_time_in_words
from tournaments.forms.events import WallTimeForm, start_field
from tournaments.models import (
    BotLeague,
    Entry,
    Event,
    EventLog,
    EventRole,
    ForbiddenPair,
    Invitation,
    LeagueChunk,
    LeagueNight,
    Match,
    MatchGame,
    MatchSide,
    Series,
)
from tournaments.services import league

if TYPE_CHECKING:
    from django.contrib.admin.options import _FieldsetSpec as Fieldsets

SETTINGS_FIELDSETS: "Fieldsets" = (
    ("Play", {"fields": (
        "game", "options", "seats", "format", "format_options", "match_games", "match_rule", "deals", "dealing",
        "is_mirrored", "compared_by", "move_seconds", "base_minutes", "increment_seconds", "allows_vacation", "absence",
        "hold_minutes", "chat", "appear_minutes", "missed_matches", "no_shows",
    )}),
    ("Teams", {"fields": ("team_boards", "team_substitutes", "team_scoring")}),
    ("Entries", {"fields": (
        "min_entries", "max_entries", "fill_to", "is_evened", "bots_only", "bot_level", "seeding", "fee", "questions",
    )}),
    ("Conditions", {"fields": (
        "min_rating", "max_rating", "min_account_days", "min_games", "needs_course", "invited_only", "password",
    )}),
    ("Times", {"fields": (
        "registration_minutes", "check_in_minutes", "late_rounds", "break_seconds", "publishes_by_hand", "half_byes",
        "reasons_are_private",
    )}),
)  # fmt: skip
STATE = ("status", "due_at", "lots", "series", "created_by", "started_at", "finished_at")


def _without_password(fieldsets: "Fieldsets") -> "Fieldsets":
    return [(title, {"fields": [name for name in shown["fields"] if name != "password"]}) for title, shown in fieldsets]


class EntryInline(ReadOnly, AnyTabularInline):
    model = Entry
    extra = 0
    fields = readonly_fields = ("user", "partner", "status", "seed", "place", "entered_at")
    show_change_link = True


class LogInline(ReadOnly, AnyTabularInline):
    model = EventLog
    extra = 0
    fields = readonly_fields = ("at", "by", "what", "why")


class RoleInline(ReadOnly, AnyTabularInline):
    """Roles, read-only: the console names them, and logs it."""

    model = EventRole
    extra = 0


class InvitationInline(AnyTabularInline):
    model = Invitation
    extra = 0
    raw_id_fields = ("user",)


class ForbiddenPairInline(ReadOnly, AnyTabularInline):
    model = ForbiddenPair
    extra = 0


class SeriesForm(WallTimeForm[Series]):
    start = "first_start_at"
    first_start_at = start_field("First start")

    class Meta:
        model = Series
        fields = "__all__"
        help_texts = {
            "is_active": "Planned tournaments follow a change of the series. Once a tournament has entries only "
            "its start "
            "changes, and we notify everyone who has entered. If you turn the series off, its planned tournaments with "
            "entries are cancelled, and the others are deleted."
        }


@admin.display(description="first start", ordering="first_start_at")
def first_start(series: Series | BotLeague) -> str:
    """In the time zone of the organiser."""
    return wall_time_in_words(series.first_start_at, series.time_zone)


@admin.register(Series)
class SeriesAdmin(AnyModelAdmin):
    form = SeriesForm
    list_display = ("name", "game", "again", first_start, "is_active")
    list_filter = ("game", "is_active")
    search_fields = ("name",)
    readonly_fields = ("due_at",)
    fieldsets = (
        (None, {"fields": ("name", "is_active", "first_start_at", "rrule", "time_zone", "ahead", "due_at")}),
        *SETTINGS_FIELDSETS,
    )

    @admin.display(description="comes again", ordering="rrule")
    def again(self, series: Series) -> str:
        return f"{rule_in_words(series.rrule)} ({series.time_zone})"

    def save_model(self, request: HttpRequest, obj: Series, form: Any, change: bool) -> None:
        services.save_series(obj, now=timezone.now())

    def delete_model(self, request: HttpRequest, obj: Series) -> None:
        services.delete_series(series_id=obj.pk, now=timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Series]) -> None:
        for series in queryset:
            self.delete_model(request, series)


@admin.register(Event)
class EventAdmin(AnyModelAdmin):
    """Events, which are planned and edited on the site: it logs changes, notifies entrants and asks before surprising
    them.

    Here they can be looked at, cancelled, and opened for invited people.
    """

    list_display = ("name", "starts_at", "status", "game", "entry_count", "due_at")
    list_filter = ("status", "game", "series")
    list_select_related = ("series",)
    search_fields = ("name",)
    date_hierarchy = "starts_at"
    actions = ("cancel_events",)
    inlines = (EntryInline, InvitationInline, RoleInline, ForbiddenPairInline, LogInline)
    exclude = ("password",)
    fieldsets = (
        (None, {"fields": ("name", "description", "wall_time")}),
        *_without_password(SETTINGS_FIELDSETS),
        ("State", {"fields": STATE}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        return Event.objects.with_counts()

    @admin.display(description="start on the organiser's clock")
    def wall_time(self, event: Event) -> str:
        return wall_time_in_words(event.starts_at, event.time_zone)

    @admin.display(description="entries", ordering="entry_count")
    def entry_count(self, event: Event) -> int:
        return event.entry_count

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> list[str]:
        return flatten_fieldsets(self.fieldsets)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """Only of the invitations."""
        return super().has_change_permission(request, obj) and (obj is None or obj.is_before_start)

    def has_delete_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """Events are cancelled, which leaves a trace."""
        return False

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        """Saves nothing: the event itself has not been changed."""

    @admin.action(description="Cancel the selected tournaments (can't be undone)", permissions=["change"])
    def cancel_events(self, request: OwnRequest, events: QuerySet[Event]) -> None:
        for event in events:
            try:
                services.cancel_event(event_id=event.pk, by=request.user, why="")
            except services.EventError as error:
                self.message_user(request, f"{event}: {error}", messages.WARNING)
            else:
                self.message_user(request, f"{event} is cancelled.", messages.SUCCESS)


@admin.register(Entry)
class EntryAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("user", "partner", "team_name", "event", "status", "seed", "place")
    list_filter = ("status",)
    list_select_related = ("user", "partner", "event")
    search_fields = ("user__username", "partner__username", "team_name", "event__name")
    actions = ("remove_entries",)

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("tournaments.change_entry")

    @admin.action(description="Remove the selected entries from their tournaments", permissions=["remove"])
    def remove_entries(self, request: OwnRequest, entries: QuerySet[Entry]) -> None:
        for entry in entries:
            try:
                services.remove_entry(entry_id=entry.pk, by=request.user, why="")
            except services.EventError as error:
                self.message_user(request, f"{entry}: {error}", messages.WARNING)
            else:
                self.message_user(request, f"{entry} is removed.", messages.SUCCESS)


class SideInline(ReadOnly, AnyTabularInline):
    model = MatchSide
    extra = 0


class GameInline(ReadOnly, AnyTabularInline):
    model = MatchGame
    extra = 0


@admin.register(Match)
class MatchAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("__str__", "event", "round", "slot", "status", "decided_by", "reason")
    list_filter = ("status", "decided_by")
    list_select_related = ("event", "round")
    search_fields = ("event__name", "sides__entry__user__username")
    inlines = (SideInline, GameInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).prefetch_related("sides__entry__user")


@admin.register(EventLog)
class EventLogAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("at", "event", "what", "by", "why")
    list_filter = ("at",)
    list_select_related = ("event", "by")
    search_fields = ("event__name", "what")


class LeagueForm(WallTimeForm[BotLeague]):
    start = "first_start_at"
    first_start_at = start_field("First start")
    levels = forms.MultipleChoiceField(choices=LEVELS, initial=QUICK_LEVELS, widget=forms.CheckboxSelectMultiple)

    class Meta:
        model = BotLeague
        fields = (
            "name", "game", "options", "seats", "levels", "deals", "first_start_at", "rrule", "time_zone", "is_active",
        )  # fmt: skip


@admin.register(BotLeague)
class BotLeagueAdmin(AnyModelAdmin):
    form = LeagueForm
    list_display = ("name", "game", "rrule", first_start, "is_active")
    list_filter = ("game", "is_active")
    search_fields = ("name",)
    readonly_fields = ("due_at",)
    actions = ("play_a_night_now",)

    def save_model(self, request: HttpRequest, obj: BotLeague, form: Any, change: bool) -> None:
        league.save_league(obj, now=timezone.now())

    @admin.action(description="Play a night of the selected leagues now", permissions=["change"])
    def play_a_night_now(self, request: HttpRequest, leagues: QuerySet[BotLeague]) -> None:
        for one in leagues:
            try:
                night = league.play_night_now(league_id=one.pk, now=timezone.now())
            except services.EventError as error:
                self.message_user(request, f"{one}: {error}", messages.WARNING)
            else:
                link = format_html('<a href="{}">{}</a> is being played.', night.get_absolute_url(), night)
                self.message_user(request, link, messages.SUCCESS)


class ChunkInline(ReadOnly, AnyTabularInline):
    model = LeagueChunk
    extra = 0
    fields = ("first", "second", "first_deal", "deals", "status", "attempts", "claimed_until", "seconds")


@admin.register(LeagueNight)
class LeagueNightAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("league", "starts_at", "status", "finished_at")
    list_filter = ("league", "status")
    list_select_related = ("league",)
    inlines = (ChunkInline,)
