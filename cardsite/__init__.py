"""The site that joins the apps: settings, URLs, and the commands that run it."""

from infra.garbage import collect_seldom

collect_seldom()  # before everything else is loaded

from cardsite.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
