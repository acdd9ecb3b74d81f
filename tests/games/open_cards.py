"""Who may know which cards, and which cards a text names in whatever way."""

import html
import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from urllib.parse import unquote

from games.core.cards import RANKS, Card, face
from games.models import Table
from games.record import replay
from games.record.hand_ends import hand_end

RANK_WORDS = dict(zip("ace two three four five six seven eight nine ten jack queen king".split(), RANKS, strict=True))
SUIT_WORDS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
SUIT_GLYPHS = dict(zip("♣♦♥♠♧♢♡♤", "CDHSCDHS", strict=True))
RANK = "10|[A2-9TJQK]"

CODE = re.compile(r"(?<![A-Za-z0-9])(X[BR]|(?:10|[A2-9TJQK])[CDHS])([12]?)(?![A-Za-z0-9])")
GLYPH = re.compile(rf"({RANK})\s?([{''.join(SUIT_GLYPHS)}])")
WORDS = re.compile(rf"\b({'|'.join(RANK_WORDS)}|{RANK}) of ({'|'.join(SUIT_WORDS)})\b", re.IGNORECASE)
JOKER = re.compile(r"\b(black|red) joker\b", re.IGNORECASE)
DRAWN = {
    chr(0x1F0A0 + 16 * row + place): rank + suit
    for row, suit in enumerate("SHDC")
    for place, rank in zip((*range(1, 12), 13, 14), "A23456789TJQK", strict=True)
}
"""The playing cards of Unicode."""
NO_CARDS = re.compile(r"""Or type your play, such as [^<]*|(?<=<path d=")[MmZzLlHhVvCcSsQqTtAa\d\s.,-]*""")
"""Cards that stand in a template, and lines of a drawing."""
NOT_READ = re.compile(r"<[^>]*>|\ufe0e|\ufe0f")


def named(text: str) -> set[Card]:
    """The cards in a text, those of a pack of two with their copy where it is written: {"8S", "7H2"}."""
    plain = NO_CARDS.sub("", unquote(html.unescape(_unescaped(text))))
    read = NOT_READ.sub("", plain)
    found = {_short(card) + copy for card, copy in CODE.findall(plain)}
    found |= {_short(rank) + SUIT_GLYPHS[suit] for rank, suit in GLYPH.findall(read)}
    for words in (plain, read):
        found |= {_short(RANK_WORDS.get(r.lower(), r)) + SUIT_WORDS[s.lower()] for r, s in WORDS.findall(words)}
        found |= {"X" + colour[0].upper() for colour in JOKER.findall(words)}
    return found | {DRAWN[sign] for sign in DRAWN.keys() & plain}


def _short(card: str) -> str:
    return card.replace("10", "T").upper()


def _unescaped(text: str) -> str:
    r"""Text with signs instead of the marks of JSON and of Python for them, such as \u2660."""
    return re.sub(r"\\u[0-9a-fA-F]{4}", lambda mark: json.loads(f'"{mark[0]}"'), text)


def may_know(table: Table, user_id: int | None) -> set[Card] | None:
    """The cards that somebody may know of a table now: those of his view, and of the hands that are over, whose ends
    can be looked at again, what he saw before the last move and that move. None if all of them, as the game is over.
    """
    if table.is_over and not (table.is_hidden or table.offers_deal or table.same_deal_as_id):
        return None
    if table.started_at is None:
        return set()
    seat, state = own_seat(table, user_id), replay.state_of(table)
    ends = (hand_end(table, hand) for hand in range(1, len(state.results) + 1))
    seen = [named(f"{end.before.view(seat)!r} {end.move}") for end in ends]
    return named(repr(state.view(seat))).union(*seen)


def own_seat(table: Table, user_id: int | None) -> int | None:
    """Where somebody plays now, None for everybody else."""
    places = table.seats.filter(user=user_id, has_left=False) if user_id is not None else []
    return next((place.number for place in places), None)


def hidden_in(text: str, known: Iterable[Card]) -> set[Card]:
    """The cards that a text names and its reader may not know."""
    known = set(known)
    faces = {face(card) for card in known}
    return {card for card in named(text) - known if len(card) == 3 or card not in faces}


def secrets_in(text: str, secret: bytes) -> list[str]:
    """The ways in which a text betrays what the cards were shuffled with."""
    ways = {
        "hexadecimal": secret.hex(),
        "base64": b64encode(secret).decode().rstrip("="),
        "base64 of addresses": urlsafe_b64encode(secret).decode().rstrip("="),
        "bytes": repr(secret)[2:-1],
        "number": str(int.from_bytes(secret)),
        "list": ", ".join(map(str, secret)),
    }
    plain = unquote(html.unescape(text))
    return [way for way, written in ways.items() if written.lower() in plain.lower()]


# Tokens are new for each page, and some numbers are the time.
CHANGING = re.compile(
    r"""(?<=csrfmiddlewaretoken" value=")\w+|(?<=CSRFToken": ")\w+|(?<=nonce[-=])["\w+/=-]+"""
    r"""|(?:csrftoken|sessionid|messages)=.*|\b\d{13}\b|Guest \d+|:[\w-]{43}\b|(?<=data-here=")[^"]*"""
)


def lasting(text):
    return CHANGING.sub("", text)


def check_of(what, text, table, reader):
    check(what, text, table, may_know(table, reader.user_id))


def check(what, text, table, known, sent=""):
    if known is not None:
        text = lasting(text)
        hidden = hidden_in(text, known | named(sent))
        assert not hidden, f"{what} names {sorted(hidden)}:\n{around(text, hidden)}"
        found = secrets_in(text, bytes(table.secret))
        assert not found, f"{what} betrays the secret: {found}"


def around(text, cards):
    """The lines that name these cards."""
    return "\n".join(line.strip()[:400] for line in text.splitlines() if cards & named(line))
