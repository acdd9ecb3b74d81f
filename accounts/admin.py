"""Accounts in the admin."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from accounts import second_factors, services
from accounts.forms import NewPasswordByAdminForm
from accounts.models import User
from accounts.preferences import SITE_NAME

if TYPE_CHECKING:  # generic for the type checker only
    DjangoUserAdmin = UserAdmin[User]
    UserForm = ModelForm[User]
    DjangoUserForm = UserChangeForm[User]
else:
    DjangoUserAdmin, UserForm, DjangoUserForm = UserAdmin, ModelForm, UserChangeForm

admin.site.site_title = admin.site.site_header = f"{SITE_NAME} admin"


class PersonForm(DjangoUserForm):
    class Meta(UserChangeForm.Meta):
        help_texts = {
            "is_active": "Untick to suspend the account: it can't log in, and it and its bots leave their games, "
            "tournaments and ladders. Its data stays. A bot of the site is only given no new games."
        }


@admin.register(User)
class PersonAdmin(DjangoUserAdmin):
    list_display = ("username", "first_name", "is_guest", "is_bot", "is_staff", "is_active", "date_joined")
    list_filter = ("is_guest", "is_bot", "is_former", "is_staff", "is_active")
    search_fields = ("username", "first_name", "email")
    form = PersonForm
    change_password_form = NewPasswordByAdminForm
    readonly_fields = ("is_guest", "is_bot", "owner", "is_former", "last_login", "date_joined")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Kind", {"fields": ("is_guest", "is_bot", "owner", "is_former")}))
    ordering = ("-date_joined",)
    actions = ("remove_second_factors", "close_accounts")

    def save_model(self, request: HttpRequest, obj: User, form: UserForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "is_active" not in form.changed_data or obj.is_bot:
            return
        if obj.is_active:
            services.lift_suspension(user=obj)
        else:
            services.suspend_account(user=obj, why="")

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Never: an account is closed, which gives up its games and keeps those that others share."""
        return False

    @admin.action(description="Close the selected accounts (can't be undone)", permissions=["change"])
    def close_accounts(self, request: HttpRequest, users: "QuerySet[User]") -> None:
        """As their owners could: with their bots. One's own is closed under Settings."""
        people = users.filter(is_former=False, is_bot=False, owner=None)
        closed = [user for user in people if user != request.user]
        names = ", ".join(str(user) for user in closed)
        for user in closed:
            self.log_change(request, user, "Closed the account.")
            services.close_account(user=user)
        self.message_user(request, f"Closed: {names or 'none'}.")

    @admin.action(description="Remove all second factors", permissions=["change"])
    def remove_second_factors(self, request: HttpRequest, users: "QuerySet[User]") -> None:
        """For people who have lost them and their recovery codes."""
        for user in users:
            for factor in user.second_factors.all():
                second_factors.remove_factor(factor)
                self.log_change(request, user, f"Removed the second factor {factor}.")
        self.message_user(request, "Their second factors are removed. They log in by their password alone.")
