"""The site that joins the apps: settings, URLs, and the commands that run it."""

from cardsite.celery import app as celery_app

__all__ = ["celery_app"]
