from django.contrib import admin

from cardsite.notices.models import Notice
from cardsite.read_only import ReadOnly


@admin.register(Notice)
class NoticeAdmin(ReadOnly, admin.ModelAdmin):
    """What was told to whom."""

    list_display = ("created_at", "user", "text", "read_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "key", "text")
    date_hierarchy = "created_at"
