"""Lesson progress and puzzles in the admin."""

from django.contrib import admin
from django.http import HttpRequest

from infra.admin import AnyModelAdmin
from tutorials.models import LessonProgress, Puzzle


@admin.register(LessonProgress)
class LessonProgressAdmin(AnyModelAdmin):
    list_display = ["user", "game", "step", "is_first_try", "done_at"]
    list_filter = ["game", "is_first_try"]
    list_select_related = ["user"]
    search_fields = ["user__username", "step"]
    raw_id_fields = ["user"]
    readonly_fields = ["line"]


@admin.register(Puzzle)
class PuzzleAdmin(AnyModelAdmin):
    """Puzzles are found, not written: the admin only looks at them and deletes."""

    list_display = ["pk", "game", "gain", "in_percent", "day", "found_at"]
    list_filter = ["game"]
    list_select_related = ["source"]
    date_hierarchy = "found_at"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
