"""The Celery application: `celery --app cardsite worker`, `celery --app cardsite beat`."""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init
from django.conf import settings
from django.urls import reverse

from infra import tracing
from infra.garbage import freeze_what_is_loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")

app = Celery("cardsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def start_process(**_: Any) -> None:
    tracing.start()
    reverse("home")  # loads all views now, and not in the first transaction that names an address
    freeze_what_is_loaded()


def log_as_the_site(loglevel: int, **_: Any) -> None:
    """Receiver of `setup_logging`: workers and beat log as the settings say, and not in Celery's own format."""
    logging.config.dictConfig(settings.LOGGING)
    logging.getLogger().setLevel(loglevel)
