"""Share pictures: what chats and social sites show beside a link to this site, drawn by Pillow with its own font.

The font has no accents and no letters beyond English ones: `legible` says what stands for a name that needs more.
"""

import hashlib
import io
import unicodedata
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from accounts.preferences import SITE_NAME
from games.core.cards import Card
from games.presentation.card_images import card_image
from infra.release import release

SIZE = WIDTH, HEIGHT = 1200, 630
MARGIN = 72
FELT, CREAM, SOFT, BRASS = "#1f4d3a", "#f3efe4", "#c3d3c8", "#d0a350"
PLAIN = str.maketrans({"–": "-", "—": "-", "−": "-", "×": "x", "\xa0": " "})
NO_LETTER = "\U0010ffff"
MOST_CARDS = 14  # in a row


@dataclass(frozen=True, slots=True)
class SharePicture:
    """What a picture shows: `kind` above the title, lines below it, and cards.

    rows: beside the text the cards of one row as a fan; two rows (the table and a hand) below it.
    """

    kind: str
    title: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[Card, ...], ...] = ()

    @property
    def version(self) -> str:
        """Another one for another picture, so that its address can be cached for good."""
        return hashlib.sha256(f"{release()} {self!r}".encode()).hexdigest()[:16]

    def png(self) -> bytes:
        image = Image.new("RGB", SIZE, FELT)
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 0, 14, HEIGHT), BRASS)
        if len(self.rows) == 1:
            _fan(image, self.rows[0])
        text_width = 590 if len(self.rows) == 1 else WIDTH - 2 * MARGIN
        y = _lines(draw, MARGIN, self.kind, 34, BRASS, text_width, most=1)
        y = _lines(draw, y + 14, self.title, 62, CREAM, text_width, most=3 if len(self.rows) < 2 else 1, is_bold=True)
        for line in self.lines:
            y = _lines(draw, y + 12, line, 34, SOFT, text_width, most=2)
        if len(self.rows) > 1:
            _rows(image, self.rows)
            draw.text((WIDTH - MARGIN, MARGIN + 34), SITE_NAME, CREAM, _font(34), anchor="rs")
        else:
            draw.text((MARGIN, HEIGHT - MARGIN), SITE_NAME, CREAM, _font(34), anchor="ls")
        written = io.BytesIO()
        image.save(written, "PNG")
        return written.getvalue()


def legible(text: str, otherwise: str) -> str:
    """The text in letters that the font has, accents left out; `otherwise` if that leaves letters that it lacks."""
    plain = unicodedata.normalize("NFKD", text.translate(PLAIN))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return plain if plain.strip() and all(map(_has_letter, plain)) else otherwise


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow is built with FreeType"
    return font


@cache
def _has_letter(letter: str) -> bool:
    if letter == " ":
        return True
    font = _font(34)
    return bytes(font.getmask(letter)) not in (b"", bytes(font.getmask(NO_LETTER)))


def _lines(
    draw: ImageDraw.ImageDraw,
    y: float,
    text: str,
    size: int,
    colour: str,
    width: int,
    *,
    most: int,
    is_bold: bool = False,
) -> float:
    """Writes a text from this height downwards, in `most` lines or fewer; returns the height below it."""
    font, lines = _font(size), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]}…"]
    for line in lines:
        while font.getlength(line) > width:
            line = f"{line.rstrip('…')[:-1]}…"
        draw.text((MARGIN, y), line, colour, font, stroke_width=1 if is_bold else 0)
        y += size * 1.22
    return y


def _fan(image: Image.Image, cards: tuple[Card, ...]) -> None:
    """A few cards on the right, turned like those in a hand."""
    for place, card in enumerate(cards):
        aside = place - (len(cards) - 1) / 2
        turned = card_image(card, 230).rotate(-11 * aside, Image.Resampling.BICUBIC, expand=True)
        x, y = 930 + 95 * aside - turned.width / 2, 315 + 14 * aside * aside - turned.height / 2
        image.paste(turned, (round(x), round(y)), turned)


def _rows(image: Image.Image, rows: tuple[tuple[Card, ...], ...]) -> None:
    """Rows of cards over the whole width, the last one at the bottom edge."""
    width = 130
    height = round(width * 1.4)
    for number, cards in enumerate(rows):
        shown = cards[:MOST_CARDS]
        step = min(width + 12, (WIDTH - 2 * MARGIN - width) / max(len(shown) - 1, 1))
        y = HEIGHT - (len(rows) - number) * (height + 18)
        for place, card in enumerate(shown):
            drawn = card_image(card, width)
            image.paste(drawn, (round(MARGIN + place * step), y), drawn)
