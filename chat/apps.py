from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from infra.permissions import make_group

MODERATORS = "Moderators"


class TalkConfig(AppConfig):
    name = "chat"
    label = "talk"

    def ready(self) -> None:
        from chat import receivers  # noqa: F401

        post_migrate.connect(make_group_of_moderators, sender=self)


def make_group_of_moderators(sender: AppConfig, **kwargs: Any) -> None:
    """Whoever is in this group sees to reports."""
    make_group(sender, MODERATORS, "moderate")
