"""Chat: app settings, and the group of moderators."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from infra.permissions import make_group

MODERATORS = "Moderators"


class ChatConfig(AppConfig):
    name = "chat"
    label = "talk"

    def ready(self) -> None:
        from chat import receivers  # noqa: F401

        post_migrate.connect(make_group_of_moderators, sender=self)


def make_group_of_moderators(sender: AppConfig, **kwargs: Any) -> None:
    """Creates the group "Moderators", whose members decide about reports."""
    make_group(sender, MODERATORS, "moderate")
