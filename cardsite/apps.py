from celery.signals import task_postrun, task_prerun, task_success
from django.apps import AppConfig


class CardsiteConfig(AppConfig):
    name = "cardsite"

    def ready(self) -> None:
        from cardsite import checks  # noqa: F401  (checks register themselves)
        from cardsite.celery import app
        from cardsite.web import health, metrics

        app.autodiscover_tasks(force=True)  # every process knows the tasks that it queues by name
        task_success.connect(health.note_tick)
        task_prerun.connect(metrics.note_start)
        task_postrun.connect(metrics.note_end)
