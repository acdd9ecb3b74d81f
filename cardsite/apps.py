from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun, task_success
from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created


class CardsiteConfig(AppConfig):
    name = "cardsite"

    def ready(self) -> None:
        from cardsite import checks, error_reports  # noqa: F401  (checks register themselves)
        from cardsite.celery import app, log_as_the_site
        from cardsite.web import health, metrics
        from infra import log_context, tracing
        from infra import metrics as counted

        app.autodiscover_tasks(force=True)  # every process knows the tasks that it queues by name
        connection_created.connect(counted.time_statements)
        task_success.connect(health.note_tick)
        task_prerun.connect(metrics.note_start)
        task_postrun.connect(metrics.note_end)
        before_task_publish.connect(log_context.send_along)
        task_prerun.connect(log_context.begin_task)
        before_task_publish.connect(tracing.send_along)
        task_prerun.connect(tracing.begin_task)
        task_postrun.connect(tracing.end_task)
        task_postrun.connect(log_context.end_task)
        if settings.LOG_FORMAT == "json":
            setup_logging.connect(log_as_the_site)
        if settings.SENTRY_DSN:
            error_reports.start(settings.SENTRY_DSN)
