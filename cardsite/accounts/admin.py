from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from cardsite.accounts.models import User
from cardsite.preferences import SITE_NAME

admin.site.site_title = admin.site.site_header = f"{SITE_NAME} admin"


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ("username", "first_name", "is_guest", "is_bot", "is_staff", "is_active", "date_joined")
    list_filter = ("is_guest", "is_bot", "is_former", "is_staff", "is_active")
    search_fields = ("username", "first_name", "email")
    readonly_fields = ("is_guest", "is_bot", "is_former", "last_login", "date_joined")
    fieldsets = (*UserAdmin.fieldsets, ("Kind", {"fields": ("is_guest", "is_bot", "is_former")}))
    ordering = ("-date_joined",)
