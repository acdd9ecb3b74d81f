"""Tournaments: app settings, and the group of directors."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from infra.permissions import make_group

DIRECTORS = "Directors"


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from tournaments import receivers  # noqa: F401

        post_migrate.connect(make_group_of_directors, sender=self)


def make_group_of_directors(sender: AppConfig, **kwargs: Any) -> None:
    """Creates the group "Directors", whose members may plan events."""
    make_group(sender, DIRECTORS, "add_event")
