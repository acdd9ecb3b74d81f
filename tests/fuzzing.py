"""Requests that no page of ours sends: the site's own forms with a field gone, doubled or full of something else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from django.conf import settings
from django.forms import BaseForm
from hypothesis import strategies as st

from games.core.cards import pack

Fields = tuple[tuple[str, str], ...]

NUMBERS = "0 1 2 3 7 60 -1 +1 1e3 1.5 1e999 NaN Infinity 0x1F 1_000 ٣ ² 007 32768 2147483648 4294967296".split()
LONG_NUMBERS = [str(2**63 - 1), str(2**63), "9" * 20, "-" + "9" * 20, "9" * 400, "9" * 5000]
DATES = (
    "0001-01-01 0001-01-01T00:00 1000-02-29 2024-02-29 2025-02-29 2026-03-29T02:30 2026-10-25T02:30 2030-01-02T12:30 "
    "9999-12-31 9999-12-31T23:59 10000-01-01T00:00 2030-13-45T25:61 24:00 23:59:60 Etc/GMT+12 Pacific/Kiritimati "
    "America/New_York Nowhere/At_All"
).split()
WORDS = (
    "yes no on off true false none null undefined own self all accept decline agree withdraw casino vatican swiss "
    "arena club strong first-steps bots anyone link admin player opponent director opened deal stock waste hand:0 "
    "hand:1 meld:1 build:8 talon crib 1:2 K D E P - + * % _ . .. / // ; FREQ=DAILY;INTERVAL=99999999999 "
    'FREQ=DAILY;UNTIL=99991231 {} [] [1,2] {"a":{"b":[null]}} \\ \' " <b> {{7*7}} %s %(x)s ${x} SELECT'
).split()
TEXTS = ["", " ", "\n", "\t", "\0", "a\0b", "\ud800", "x\udfff", "\ufeff", "\u202e", "é" * 300, "💥" * 70, "A" * 3000]
LISTS = ["1,2,3", "3 3 3", "9" * 20 + ",1", "AS KD", "9C1 9D1 XB / 4H1 5H1", "name;partner;1\nann\tbob\t99999999999999"]
NASTY = [*NUMBERS, *LONG_NUMBERS, *DATES, *WORDS, *TEXTS, *LISTS, *pack(copies=1, jokers=2), "9H1", "XB1"]

FORM_TAGS = re.compile(r"<form\b.*?</form>", re.DOTALL)
FORM, FILES, JSON, PLAIN, BROKEN = "form", "files", "json", "plain", "broken"
HEADERS = ("HX-Request", "HX-Current-URL", "HX-Target", "Last-Event-ID", "Referer", "User-Agent", "Accept-Language")
COOKIES = ("wishes", "level", "theme", "order", "messages", "device", settings.CSRF_COOKIE_NAME, "sessionid")
COOKIE_TEXTS = [
    "x",
    "é",
    "9" * 30,
    '"\\000\\000\\000\\000\\000\\000\\000\\000"',
    "%00",
    "game=\0",
    "game=vatican&paces=x",
]


# What the site asks for


class Forms(HTMLParser):
    """The forms of a page: where they are sent, and what they send if nobody changes anything."""

    def __init__(self, path: str, html: str) -> None:
        super().__init__()
        self.path, self.found = path, []
        self.fields: list[tuple[str, str]] | None = None
        self.select: str | None = None
        for form in FORM_TAGS.findall(html):  # to read the whole page takes much longer
            self.feed(form)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        name = values.get("name", "")
        if tag == "form":
            address = values.get("hx-post") or values.get("action") or self.path
            self.fields = []
            self.found.append((urlsplit(address).path, self.fields))
        elif self.fields is None or not name and tag != "option":
            return
        elif tag == "select":
            self.select = name
            self.fields.append((name, ""))
        elif tag == "option" and self.select and "selected" in values:
            self.fields[-1] = (self.select, values.get("value", ""))
        elif tag in ("input", "button", "textarea"):
            is_off = values.get("type") in ("checkbox", "radio") and "checked" not in values
            self.fields += [] if is_off else [(name, values.get("value", ""))]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.fields = None


@cache
def field_names() -> tuple[str, ...]:
    """Every name of a field or parameter that forms declare, templates write and views read."""
    names: set[str] = set()
    kinds: list[type[BaseForm]] = [BaseForm]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        names |= set(getattr(kind, "base_fields", ()))
    for file in (settings.BASE_DIR / "templates").rglob("*.*"):
        names |= set(re.findall(r'\bname="([\w-]+)"', file.read_text()))
        names |= set(re.findall(r"[?&]([a-z_]+)=", file.read_text()))
    return tuple(sorted(names))


@cache
def parameters_of(module: str) -> tuple[str, ...]:
    """The names that a module reads from a request: `request.POST.get("seat", "")`, `"again" in request.GET`."""
    source = Path(settings.BASE_DIR, *module.split(".")).with_suffix(".py")
    text = source.read_text() if source.exists() else ""
    found = re.findall(r'(?:get|getlist)\(f?"([\w-]+)"|"([\w-]+)" in (?:request|sent|query)|\["([\w-]+)"\]', text)
    return tuple(sorted({name for names in found for name in names if name}))


# What is sent


@dataclass(frozen=True, slots=True)
class Sent:
    """A request. body: how the fields are written. headers and cookies: beside those of the browser."""

    path: str
    query: Fields = ()
    fields: Fields | None = None
    body: str = FORM
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)

    def by(self, client: object) -> object:
        """The answer."""
        for name, value in self.cookies.items():
            client.cookies[name] = ""
            client.cookies[name].set(name, value, value)  # as it is, where Python would quote it
        named = {"headers": dict(self.headers), "QUERY_STRING": encoded(self.query)}
        if self.fields is None:
            return client.generic("GET", self.path, **named)
        data, content_type = self.written()
        return client.generic("POST", self.path, data, content_type=content_type, **named)

    def written(self) -> tuple[bytes, str]:
        """The body with its type."""
        fields = self.fields or ()
        if self.body == JSON:
            return json.dumps(dict(fields)).encode(), "application/json"
        if self.body == PLAIN:
            return encoded(fields).encode(), "text/plain; charset=utf-16"
        if self.body == BROKEN:
            return b"text=%ff%fe%ZZ&seat=\xff\xfe&&==&text", "application/x-www-form-urlencoded; charset=nothing"
        if self.body == FILES:
            return multipart(fields), "multipart/form-data; boundary=edge"
        return encoded(fields).encode(), "application/x-www-form-urlencoded"


def encoded(fields: Iterable[tuple[str, str]]) -> str:
    return urlencode(list(fields), errors="surrogatepass")


def multipart(fields: Fields) -> bytes:
    """The first field is a file, whatever it should be; the others are text."""
    parts = []
    for number, (name, value) in enumerate(fields):
        filename = '; filename="list.csv"' if not number else ""
        head = f'--edge\r\nContent-Disposition: form-data; name="{quote(name)}"{filename}\r\n\r\n'
        parts.append(head.encode() + value.encode(errors="surrogatepass") + b"\r\n")
    return b"".join([*parts, b"--edge--\r\n"])


VALUES: st.SearchStrategy[str] = st.one_of(
    st.sampled_from(NASTY),
    st.sampled_from(NASTY),
    st.integers().map(str),
    st.floats().map(str),
    st.dates().map(str),
    st.text(max_size=8),
)
"""Made once: to make it takes longer than to draw from it."""


@st.composite
def requests(
    draw: st.DrawFn, paths: Sequence[str], forms: Mapping[str, Sequence[Fields]], names: Sequence[str]
) -> Sent:
    """A request to one of these paths: a form that is sent there, or none, with some fields changed.

    forms: by path. names: of other fields that may be sent.
    """
    path = draw(st.sampled_from(paths))
    fields = list(draw(st.sampled_from([*forms.get(path, ()), ()])))
    known = [name for name, _ in fields] + [*names]
    query = [(draw(st.sampled_from(known)), draw(VALUES)) for _ in range(draw(st.integers(0, 3)))] if known else []
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(fields)))
        if at < len(fields) and draw(st.integers(0, 3)) == 0:
            fields.pop(at)
        elif at < len(fields):
            fields[at] = (fields[at][0], draw(VALUES))
        elif known:
            fields.append((draw(st.sampled_from(known)), draw(VALUES)))
    is_post = draw(st.sampled_from([True, True, False]))
    headers = {"HX-Request": "true"} if draw(st.booleans()) else {}
    if draw(st.integers(0, 4)) == 0:
        headers[draw(st.sampled_from(HEADERS))] = draw(st.sampled_from(["true", *LONG_NUMBERS, "%00", "/x?y", "é" * 9]))
    cookies = {}
    if draw(st.integers(0, 5)) == 0:
        cookies[draw(st.sampled_from(COOKIES))] = draw(st.sampled_from(COOKIE_TEXTS))
    body = draw(st.sampled_from([FORM, FORM, FORM, FORM, FILES, JSON, PLAIN, BROKEN]))
    return Sent(path, tuple(query), tuple(fields) if is_post else None, body, headers, cookies)
