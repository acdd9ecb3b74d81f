"""Notices in the admin, to look at."""

from django.contrib import admin

from infra.admin import AnyModelAdmin, ReadOnly
from notifications.models import Notice


@admin.register(Notice)
class NoticeAdmin(ReadOnly, AnyModelAdmin):
    list_display = ("created_at", "user", "text", "read_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "key", "text")
    date_hierarchy = "created_at"
