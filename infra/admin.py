"""What the admin shows and does not let anybody change."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """For a ModelAdmin or an inline: only the services write these rows; looking needs the permission to look."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
