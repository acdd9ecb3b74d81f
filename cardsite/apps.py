from celery.signals import task_success
from django.apps import AppConfig


class CardsiteConfig(AppConfig):
    name = "cardsite"

    def ready(self) -> None:
        from cardsite import checks, health  # noqa: F401  (checks register themselves)

        task_success.connect(health.note_tick)
