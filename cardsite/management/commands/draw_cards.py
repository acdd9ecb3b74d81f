"""`manage.py draw_cards`: draws the sheet of playing cards (SVG sprite)."""

from pathlib import Path

from django.core.management.base import BaseCommand

from games.presentation import cards_svg

SHEET = Path(cards_svg.__file__).parent / "static" / "cardsite" / "cards.svg"


class Command(BaseCommand):
    help = "Draw the sheet of playing cards anew."

    def handle(self, *args: object, **options: object) -> None:
        SHEET.write_text(cards_svg.sheet())
        self.stdout.write(f"{SHEET.name}: {SHEET.stat().st_size / 1024:.0f} kB")
