"""Who may know which cards, and which cards a text names in whatever way."""

import html
import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from games.core.cards import RANKS, Card, face
from games.models import Table
from games.record import replay
from games.record.hand_ends import hand_end

RANK_WORDS = dict(zip("ace two three four five six seven eight nine ten jack queen king".split(), RANKS, strict=True))
SUIT_WORDS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
SUIT_GLYPHS = dict(zip("♣♦♥♠♧♢♡♤", "CDHSCDHS", strict=True))
COLOURS = {"black": "B", "red": "R"}
RANK = "10|[A2-9TJQK]"

CODE = re.compile(r"(?<![A-Za-z0-9])(X[BR]|(?:10|[A2-9TJQK])[CDHS])([12]?)(?![A-Za-z0-9])")
GLYPH = re.compile(rf"({RANK})\s?([{''.join(SUIT_GLYPHS)}])")
# For texts in small letters. What is searched for begins with fixed letters and is found quickly; the word before it
# is looked at then.
OF_SUIT = re.compile(rf" of ({'|'.join(SUIT_WORDS)})\b")
RANK_BEFORE = re.compile(rf"\b({'|'.join(RANK_WORDS)}|{RANK.lower()})$")
JOKER = re.compile(r" joker\b")
COLOUR_BEFORE = re.compile(rf"\b({'|'.join(COLOURS)})$")
LONGEST_WORD = max(map(len, [*RANK_WORDS, *COLOURS]))
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
    for words in (plain.lower(), read.lower()):
        found |= {_short(RANK_WORDS.get(r, r)) + SUIT_WORDS[of[1]] for r, of in _pairs(RANK_BEFORE, OF_SUIT, words)}
        found |= {"X" + COLOURS[colour] for colour, _ in _pairs(COLOUR_BEFORE, JOKER, words)}
    return found | {card for sign, card in DRAWN.items() if sign in plain}


def _pairs(first: re.Pattern[str], second: re.Pattern[str], text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Each match of `second` with the word just before it, if that is one of `first`."""
    for match in second.finditer(text):
        if before := first.search(text, max(match.start() - LONGEST_WORD, 0), match.start()):
            yield before[1], match


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
    plain = unquote(html.unescape(text)).lower()
    return [way for way, written in ways.items() if written.lower() in plain]


# Tokens are new for each page, and some numbers are the time.
# The group of each stays. They are removed one after the other, since one pattern for all takes four times as long.
CHANGING = [
    re.compile(pattern)
    for pattern in (
        r'(csrfmiddlewaretoken" value=")\w+',
        r'(CSRFToken": ")\w+',
        r'(nonce[-=])["\w+/=-]+',
        r"(challenge&quot;: &quot;)[\w-]+",
        r"()csrftoken=.*",
        r"()sessionid=.*",
        r"()messages=.*",
        r"()\d{13}(?!\w)(?<!\w\d{13})",
        r"()Guest \d+",
        r"():[\w-]{43}(?![\w-])",
        r"(/feeds/own/)[\w-]+",
        r'(data-here=")[^"]*',
    )
]


def lasting(text):
    for pattern in CHANGING:
        text = pattern.sub(r"\1", text)
    return text


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
