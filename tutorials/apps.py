"""Tutorials: app settings."""

from django.apps import AppConfig


class TutorialsConfig(AppConfig):
    name = "tutorials"

    def ready(self) -> None:
        from tutorials import receivers  # noqa: F401 (listens)
