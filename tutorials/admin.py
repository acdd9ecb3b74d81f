"""Lesson progress in the admin."""

from django.contrib import admin

from infra.admin import AnyModelAdmin
from tutorials.models import LessonProgress


@admin.register(LessonProgress)
class LessonProgressAdmin(AnyModelAdmin):
    list_display = ["user", "game", "step", "is_first_try", "done_at"]
    list_filter = ["game", "is_first_try"]
    list_select_related = ["user"]
    search_fields = ["user__username", "step"]
    raw_id_fields = ["user"]
    readonly_fields = ["line"]
