"""Accounts in the admin."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.forms import NewPasswordByAdminForm
from accounts.models import User
from accounts.preferences import SITE_NAME
from accounts.signals import sessions_ended

if TYPE_CHECKING:  # generic for the type checker only
    DjangoUserAdmin = UserAdmin[User]
    UserForm = ModelForm[User]
else:
    DjangoUserAdmin, UserForm = UserAdmin, ModelForm

admin.site.site_title = admin.site.site_header = f"{SITE_NAME} admin"


@admin.register(User)
class PersonAdmin(DjangoUserAdmin):
    list_display = ("username", "first_name", "is_guest", "is_bot", "is_staff", "is_active", "date_joined")
    list_filter = ("is_guest", "is_bot", "is_former", "is_staff", "is_active")
    search_fields = ("username", "first_name", "email")
    change_password_form = NewPasswordByAdminForm
    readonly_fields = ("is_guest", "is_bot", "owner", "is_former", "last_login", "date_joined")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Kind", {"fields": ("is_guest", "is_bot", "owner", "is_former")}))
    ordering = ("-date_joined",)

    def save_model(self, request: HttpRequest, obj: User, form: UserForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "is_active" in form.changed_data:
            sessions_ended.send(sender=User, user=obj)
