"""The Celery application: `celery --app cardsite worker`, `celery --app cardsite beat`."""

import os

from celery import Celery

AGAIN = {"retry_backoff": 5, "retry_backoff_max": 120, "max_retries": 6}  # seconds; where others may be out of reach

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")

app = Celery("cardsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
