"""`manage.py collect_static`: static files under hashed names, if any of them has changed."""

from django.conf import settings
from django.core.management import BaseCommand

from cardsite.web import static_files


class Command(BaseCommand):
    help = "Collect the static files in STATIC_ROOT, compressed and under hashed names, unless nothing has changed."
    requires_system_checks = ()

    def handle(self, **options: object) -> None:
        static_files.collect(settings.STATIC_ROOT)
