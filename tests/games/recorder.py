"""Everything that the site answers, written down: whatever address it has, whoever asks, as one text with its headers.

Addresses are read from the URL configuration, so that a new one is asked for without anybody thinking of it; one with
a new kind of part fails until `FILLED` says what to put there.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games import live
from games.core.cards import Card
from games.models import Table
from games.presentation import table_page
from games.record import replay, table_store
from tests.games.open_cards import may_know

SERVER_ERROR, NOT_IMPLEMENTED = 500, 501
FILLED = {
    "pk": 1,
    "hand": 1,
    "entry_id": 1,
    "match_id": 1,
    "object_id": 1,
    "content_type_id": 1,
    "id": "1",
    "url": "nowhere",
    "app_label": "games",
    "token": "token",
    "uidb64": "MQ",
    "tab": "entries",
    "sheet": "pairings",
    "round_id": 1,
    "deal": 1,
    "kind": "site",
    "key": "home",
    "version": "old",
    "chapter": "basics",
    "step": "one",
    "stem": "bridge",
}
"""What stands in an address where it names neither table, game nor player."""


def has_failed(status: int) -> bool:
    """Whether the site could not answer; 501 is the answer that oEmbed asks for where only JSON is spoken."""
    return status >= SERVER_ERROR and status != NOT_IMPLEMENTED


@dataclass(frozen=True, slots=True)
class Address:
    """name: with its namespaces, such as "games:move". parts: what is to be filled in."""

    name: str
    parts: tuple[str, ...]

    def path(self, table: Table, other: str, **more: object) -> str:
        """Its path for a table. other: name of a player. more: what else `FILLED` does not say."""
        known = {**FILLED, "code": table.code or "none", "slug": table.game, "game": table.game, "name": other, **more}
        return reverse(self.name, kwargs={part: known[part] for part in self.parts})


def addresses() -> list[Address]:
    """Every named address of the site. Those of the HTTP API, which no cookie opens, are walked by their description
    (`tests/cardsite/test_api.py`).
    """
    return [address for address in _named(get_resolver(), (), ()) if not address.name.startswith("api:")]


def addresses_of_tables() -> list[Address]:
    return [address for address in addresses() if "code" in address.parts]


def _named(resolver: URLResolver, spaces: tuple[str, ...], parts: tuple[str, ...]) -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        its_parts = (*parts, *pattern.pattern.converters, *_groups(pattern))
        if isinstance(pattern, URLResolver):
            yield from _named(pattern, (*spaces, *filter(None, [pattern.namespace])), its_parts)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield Address(":".join([*spaces, pattern.name]), its_parts)


def _groups(pattern: URLPattern | URLResolver) -> tuple[str, ...]:
    """The parts of an address that is written as a regular expression."""
    regex = pattern.pattern.regex
    return tuple(name for name in regex.groupindex if name not in pattern.pattern.converters)


@dataclass(frozen=True, slots=True)
class Ask:
    """A request. is_partial: as htmx asks."""

    path: str
    data: Mapping[str, Any] = field(default_factory=dict)
    is_post: bool = False
    is_partial: bool = False

    def __str__(self) -> str:
        method, part = "POST" if self.is_post else "GET", " (part)" if self.is_partial else ""
        return f"{method} {self.path} {dict(self.data)}{part}"


@dataclass(frozen=True, slots=True)
class Answer:
    """text: all of it, with the pages it sends to. known: the cards that the reader may know then, None: all of them.

    has_changed: the request moved the table on.
    """

    ask: Ask
    text: str
    known: set[Card] | None
    has_changed: bool


class Reader:
    """Somebody with a browser. user: None for nobody in particular."""

    def __init__(self, name: str, user: Any = None) -> None:
        self.name, self.user, self.browser = name, user, Client()
        if user is not None:
            self.browser.force_login(user)
        self.cookies = self.browser.cookies.output(header="", sep=";")

    def __repr__(self) -> str:
        return self.name

    @property
    def user_id(self) -> int | None:
        return self.user.pk if self.user else None

    def does(self, ask: Ask) -> str:
        """The answer in words, and pages of the same table that it sends to; whatever the request changes stays."""
        self.browser.cookies = SimpleCookie(self.cookies)
        response = send(self.browser, ask)
        texts, here = [in_words(response)], place(ask.path)
        while response.has_header("Location") and place(response["Location"]) == here and len(texts) < 3:
            response = self.browser.get(response["Location"])
            texts.append(in_words(response))
        return "\n".join(texts)

    def tries(self, ask: Ask, table: Table) -> Answer:
        """The answer to a request whose changes are undone afterwards."""
        with undone(table):
            text = self.does(ask)
            after = Table.objects.with_seats().filter(pk=table.pk).first()
            known = may_know(after, self.user_id) if after else set()
        has_changed = after is None or (after.version, after.status) != (table.version, table.status)
        return Answer(ask, text, known, has_changed)


@contextmanager
def undone(table: Table) -> Iterator[None]:
    """What requests change meanwhile is undone, also in what this process remembers of the table."""
    with transaction.atomic():
        yield
        is_same = Table.objects.filter(pk=table.pk, version=table.version, status=table.status).exists()
        transaction.set_rollback(True)
    if not is_same:
        forget(table)


def place(address: str) -> list[str]:
    """What an address begins with: that of a table with its code."""
    return urlsplit(address).path.split("/")[:3]


def send(browser: Client, ask: Ask) -> Any:
    headers = {"HX-Request": "true"} if ask.is_partial else {}
    send = browser.post if ask.is_post else browser.get
    return send(ask.path, ask.data, headers=headers)


def in_words(response: Any) -> str:
    """Status, headers, cookies and body; of a stream, which is recorded elsewhere, no body."""
    headers = [f"{name}: {value}" for name, value in response.items()]
    cookies = [morsel.OutputString() for morsel in response.cookies.values()]
    body = "" if response.streaming else response.content.decode(errors="backslashreplace")
    return "\n".join([str(response.status_code), *headers, *cookies, "", body])


def forget(table: Table) -> None:
    """Drops what this process remembers of a table, because it was undone or is not what others see."""
    replay._newest.delete(table.code)
    table_store._newest.delete(table.code)
    table_page._drawings.clear()


def watched(reader: Reader, table: Table) -> str:
    """The event that brings this reader the newest version over a stream, "" if he is only told to ask."""
    shown = table_page.render_version(table.code, reader.user_id, table.version, token="token")
    return live.board_event(shown) if shown else ""
