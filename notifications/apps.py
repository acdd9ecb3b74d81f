"""Notifications: app settings."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "notifications"
    label = "notices"

    def ready(self) -> None:
        from notifications import receivers  # noqa: F401
