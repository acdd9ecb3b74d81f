"""Admin of games: read-only records. Hands, decks and secrets of running games stay hidden here too."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.models import (
    Challenge,
    HouseBot,
    Move,
    Rating,
    RatingChange,
    Reliability,
    Seat,
    Seek,
    Table,
    Vacation,
)
from games.models.querysets import TableQuerySet
from infra.admin import AnyModelAdmin, AnyTabularInline, ReadOnly


class SeatInline(ReadOnly, AnyTabularInline):
    model = Seat
    fields = ("number", "user", "has_left", "is_entropy_own")
    extra = 0


class MoveInline(ReadOnly, AnyTabularInline):
    """The moves of a finished game; those of a running one, or of cards still in play, tell what a hand holds."""

    model = Move
    fields = ("number", "seat", "text", "played_at")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        over = (Table.Status.FINISHED, Table.Status.ABORTED)
        known = super().get_queryset(request).filter(table__status__in=over, table__is_hidden=False)
        return known.filter(table__offers_deal=False, table__same_deal_as=None, table__branch_at=None)


@admin.register(Table)
class TableAdmin(ReadOnly, AnyModelAdmin):
    list_display = (
        "code",
        "game",
        "status",
        "players",
        "move_count",
        "ended_by",
        "created_at",
        "finished_at",
    )
    list_filter = ("status", "game", "ended_by", "is_private")
    search_fields = ("code", "seats__user__username", "seats__user__first_name")
    date_hierarchy = "created_at"
    exclude = ("secret",)
    readonly_fields = ("page",)
    inlines = (SeatInline, MoveInline)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables = super().get_queryset(request)
        assert isinstance(tables, TableQuerySet)
        return tables.with_seats()

    def players(self, table: Table) -> str:
        return ", ".join(table.names)

    def page(self, table: Table) -> SafeString:
        return format_html('<a href="{}">{}</a>', table.get_absolute_url(), table)


@admin.register(HouseBot)
class HouseBotAdmin(AnyModelAdmin):
    list_display = ("user", "game", "level")
    list_filter = ("game", "level")
    list_select_related = ("user",)
    raw_id_fields = ("user",)
    search_fields = ("user__username", "user__first_name")


class RatingChangeInline(ReadOnly, AnyTabularInline):
    model = RatingChange
    fields = ("at", "table", "before", "after")
    extra = 0


@admin.register(Rating)
class RatingAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("user", "game", "number", "is_provisional", "games", "updated_at")
    list_filter = ("game",)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__first_name")
    inlines = (RatingChangeInline,)

    @admin.display(boolean=True)
    def is_provisional(self, rating: Rating) -> bool:
        return rating.is_provisional


@admin.register(Seek)
class SeekAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("user", "game", "is_rated", "created_at", "here_until", "table")
    list_filter = ("game",)
    list_select_related = ("user", "table")
    search_fields = ("user__username", "user__first_name")


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("by", "to", "table", "answer", "created_at", "expires_at")
    list_filter = ("answer",)
    list_select_related = ("to", "table__created_by")
    search_fields = ("to__username", "to__first_name", "table__code", "table__created_by__username")

    def by(self, challenge: Challenge) -> str:
        return str(challenge.table.created_by)


@admin.register(Reliability)
class ReliabilityAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("user", "games", "percent")
    list_select_related = ("user",)
    search_fields = ("user__username", "user__first_name")


@admin.register(Vacation)
class VacationAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("user", "begins_at", "ends_at", "has_begun")
    list_select_related = ("user",)
    search_fields = ("user__username", "user__first_name")
