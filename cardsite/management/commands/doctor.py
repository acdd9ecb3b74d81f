"""`manage.py doctor`: what is wrong with the set-up of this site."""

from django.core.management import BaseCommand

from cardsite.web.doctor import PARTS, examine


class Command(BaseCommand):
    help = "Say in sentences what is wrong with the set-up of this site. Changes nothing."
    requires_system_checks = ()

    def handle(self, **options: object) -> None:
        """:raises SystemExit: something is wrong (1)."""
        is_well = True
        for finding in examine(PARTS):
            is_well = is_well and not finding.is_wrong
            self.stdout.write(f"{'!' if finding.is_wrong else ' '} {finding.text}")
        self.stdout.write("All is well." if is_well else "See the lines with an exclamation mark.")
        if not is_well:
            raise SystemExit(1)
