from celery.signals import task_success
from django.apps import AppConfig


class CardsiteConfig(AppConfig):
    name = "cardsite"

    def ready(self) -> None:
        from cardsite import checks  # noqa: F401  (checks register themselves)
        from cardsite.web import health

        task_success.connect(health.note_tick)
