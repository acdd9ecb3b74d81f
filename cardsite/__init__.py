"""The site that holds the apps together: settings, accounts, the commands that run it."""

from cardsite.celery import app as celery_app

__all__ = ["celery_app"]
