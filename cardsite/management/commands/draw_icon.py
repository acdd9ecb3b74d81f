"""`manage.py draw_icon`: draws the icon for the home screen of iOS (PNG), which takes no SVG."""

from django.conf import settings
from django.core.management.base import BaseCommand

from cardsite.management.commands.screenshots import open_browser

ICONS = settings.BASE_DIR / "cardsite" / "static" / "cardsite"
SOURCE = ICONS / "icon-maskable.svg"
TARGET = ICONS / "apple-touch-icon.png"
SIZE = 180


class Command(BaseCommand):
    help = f"Draw {TARGET.name} from {SOURCE.name}, in a Chromium."
    requires_system_checks = ()

    def handle(self, *args: object, **options: object) -> None:
        with open_browser() as chromium:
            page = chromium.new_page(viewport={"width": SIZE, "height": SIZE})
            page.goto(SOURCE.as_uri())
            TARGET.write_bytes(page.screenshot())
        self.stdout.write(f"{TARGET.name}: {TARGET.stat().st_size} bytes")
