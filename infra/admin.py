"""Bases for the admin: read-only rows, and ModelAdmin with the type of its model."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

if TYPE_CHECKING:  # generic for the type checker only
    AnyModelAdmin = admin.ModelAdmin[Any]
    AnyTabularInline = admin.TabularInline[Any, Any]
else:
    AnyModelAdmin, AnyTabularInline = admin.ModelAdmin, admin.TabularInline


class ReadOnly:
    """For a ModelAdmin or an inline: only the services write these rows; looking needs the permission to look."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
