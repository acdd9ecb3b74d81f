from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from cardsite.notices.models import Notice


@admin.register(Notice)
class NoticeAdmin(admin.ModelAdmin):
    """What was told to whom; to look at only."""

    list_display = ("created_at", "user", "text", "read_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "key", "text")
    date_hierarchy = "created_at"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
