"""Many tables played at once over HTTP, as browsers play them: how soon is a move on the other's screen?

Each player has a stream, over which the boards after the moves of others come, and one connection for everything
else. A notice without a board makes the player fetch it, unless an answer on its way will show it already; a board with
moves makes him play one of them, drawn by lot.
"""

import asyncio
import html
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlencode
from zlib import crc32

SEQ = re.compile(r'<section id="board"[^>]* data-seq="(\d+)"')
OFFER = re.compile(r'name="text" value="([^"]+)"')
CONNECT_AT_ONCE = 20
PATIENCE_SECONDS = 20  # for one answer
IDLE_SECONDS = 3  # after this a connection is not used again: the server is about to close it
LOOKED_UP = 25  # one board in so many is looked up in the database the moment it arrives


class WrongAnswer(Exception):
    """The site did something that no correct site does; the run does not count."""


@dataclass(slots=True)
class Board:
    """What a player needs of the page: its version, and the moves on its buttons."""

    version: int
    offers: tuple[str, ...]

    @classmethod
    def read(cls, page: str) -> "Board":
        version = SEQ.search(page)
        if version is None:
            raise WrongAnswer(f"An answer without a board: {page[:200]!r}")
        return cls(int(version[1]), tuple(map(html.unescape, OFFER.findall(page))))


@dataclass(slots=True)
class Sitting:
    """A table that is played. accepted: every move that the site has taken."""

    code: str
    accepted: list["Accepted"] = field(default_factory=list)
    is_over: bool = False


class Accepted(NamedTuple):
    """A move with the version it was made at, and the moves that the board offered beside it."""

    version: int
    seat: int
    text: str
    offers: tuple[str, ...]


class Wire:
    """A connection that carries one request after the other."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=2**20)
        self.used_at = perf_counter()

    def send(self, method: str, path: str, headers: str, body: str = "") -> None:
        length = f"Content-Length: {len(body)}\r\nContent-Type: application/x-www-form-urlencoded\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n{headers}{length}\r\n"
        self.writer.write((head + body).encode())

    async def status(self) -> tuple[int, int]:
        """The status of the answer and the length of its body, 0 for a stream."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = re.search(r"\ncontent-length: (\d+)", head)
        return int(head.split(" ", 2)[1]), int(length[1]) if length else 0

    async def ask(self, method: str, path: str, headers: str, body: str = "") -> tuple[int, str]:
        async with asyncio.timeout(PATIENCE_SECONDS):
            if perf_counter() - self.used_at > IDLE_SECONDS:
                self.close()
                await self.open()
            self.send(method, path, headers, body)
            status, length = await self.status()
            page = (await self.reader.readexactly(length)).decode()
            self.used_at = perf_counter()
            return status, page

    async def chunks(self) -> AsyncIterator[bytes]:
        """What arrives of a stream: a length in hexadecimal, so many bytes, and so on."""
        while size := int(await self.reader.readline() or b"0", 16):
            yield await self.reader.readexactly(size)
            await self.reader.readexactly(len(b"\r\n"))

    def close(self) -> None:
        self.writer.close()


class Player:
    """A browser at one table. cookies: the whole header line's value. token: what the site wants with a POST."""

    def __init__(self, run: "Run", sitting: Sitting, seat: int, *, cookies: str, token: str) -> None:
        self.run, self.sitting, self.seat = run, sitting, seat
        self.path = f"/tables/{sitting.code}"
        self.headers = f"Cookie: {cookies}\r\nHX-Request: true\r\nX-CSRFToken: {token}\r\n"
        self.wire, self.stream = run.wire(sitting.code), run.wire(sitting.code)
        self.board = Board(-1, ())
        self.heard = -1
        self.news = asyncio.Event()

    async def enter(self) -> None:
        """Opens the stream, then fetches the first board, so that nothing falls in between."""
        await self.stream.open()
        self.stream.send("GET", f"{self.path}/events/", self.headers)
        status, _ = await self.stream.status()
        if status != 200:
            raise WrongAnswer(f"The stream of {self.sitting.code} answered {status}.")
        await self.wire.open()
        await self.fetch()

    async def fetch(self) -> None:
        known = max(self.heard, self.board.version)
        status, page = await self.wire.ask("GET", f"{self.path}/board/", self.headers)
        if status != 200:
            raise WrongAnswer(f"The board of {self.sitting.code} answered {status}.")
        board = Board.read(page)
        if board.version < known:
            raise WrongAnswer(f"{self.sitting.code}: version {board.version} after {known} was announced.")
        self.put(board)

    async def listen(self) -> None:
        """Hears notices and sees boards until the stream ends."""
        rest = b""
        async for chunk in self.stream.chunks():
            *events, rest = (rest + chunk).split(b"\n\n")
            for event in events:
                await self.hear([line.partition(": ") for line in event.decode().split("\n")])

    async def hear(self, lines: Sequence[tuple[str, str, str]]) -> None:
        data = "\n".join(value for name, _, value in lines if name == "data")
        if ("event", ": ", "moved") in lines:
            self.heard = max(self.heard, int(data))
        elif ("event", ": ", "board") in lines:
            board = Board.read(data)
            await self.run.saw(self.sitting, board.version)
            self.put(board)
        self.news.set()

    def put(self, board: Board) -> None:
        """A page never goes back to an older board."""
        if board.version > self.board.version:
            self.board = board

    async def play(self) -> None:
        """Plays and follows until the run is over."""
        while not self.run.is_over and not self.sitting.is_over:
            if self.heard > self.board.version:
                await self.fetch()
            elif self.board.offers:
                if await self.run.comes_to(self.sitting):
                    await self.move()
            else:
                self.news.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await self.news.wait()

    async def move(self) -> None:
        """Plays one of the offered moves; the answer is the board after it."""
        before, text = self.board, self.run.rng.choice(self.board.offers)
        self.run.sent[self.sitting.code, before.version + 1] = sent = perf_counter()
        body = urlencode({"version": before.version, "text": text})
        status, page = await self.wire.ask("POST", f"{self.path}/moves/", self.headers, body)
        if status != 200:
            raise WrongAnswer(f"{self.sitting.code}: the move {text!r} was offered but answered {status}.")
        self.run.to_own.append(perf_counter() - sent)
        self.sitting.accepted.append(Accepted(before.version, self.seat, text, before.offers))
        self.put(Board.read(page))
        self.sitting.is_over = 'class="ended"' in page

    def leave(self) -> None:
        for wire in (self.wire, self.stream):
            if hasattr(wire, "writer"):
                wire.close()


class Run:
    """One measurement. pace: seconds between the moves of a table, 0 for as fast as it goes.

    addresses: host and port of each web process. is_routed: all connections of a table go to the same process, chosen
    by its code, as deploy/nginx.conf has it; otherwise each goes to any.
    is_stored: whether the database has the move that made this version of the table, asked now and then.
    meter: the processor time of the site in seconds. took, spent: seconds of the run and of the site's processor.
    to_own, to_other: seconds from sending a move to the last byte of a board that shows it, to the mover and the other.
    """

    def __init__(
        self,
        *,
        addresses: Sequence[tuple[str, int]],
        is_routed: bool = True,
        seconds: float,
        pace: float,
        seed: int,
        is_stored: Callable[[str, int], Awaitable[bool]],
        meter: Callable[[], float],
    ) -> None:
        self.addresses, self.is_routed, self.seconds, self.pace = addresses, is_routed, seconds, pace
        self.is_stored, self.meter = is_stored, meter
        self.rng, self.choosing = Random(seed), Random(seed)
        self.to_own: list[float] = []
        self.to_other: list[float] = []
        self.sent: dict[tuple[str, int], float] = {}
        self.next_turn: dict[str, float] = {}
        self.is_over = False

    @property
    def pace_reached(self) -> float:
        """Moves a second."""
        return len(self.to_own) / self.took

    @property
    def spent_a_move(self) -> float:
        """Seconds of the processor time of the web processes."""
        return self.spent / len(self.to_own) if self.to_own else float("nan")

    def wire(self, code: str) -> Wire:
        """A connection for this table."""
        number = crc32(code.encode()) if self.is_routed else self.choosing.randrange(len(self.addresses))
        return Wire(*self.addresses[number % len(self.addresses)])

    async def saw(self, sitting: Sitting, version: int) -> None:
        """A board with this version has come to somebody who did not make it, completely."""
        sent = self.sent.get((sitting.code, version))
        if sent is None or self.is_over:
            return
        self.to_other.append(perf_counter() - sent)
        is_due = len(self.to_other) % LOOKED_UP == 0
        if is_due and not await self.is_stored(sitting.code, version):
            raise WrongAnswer(f"{sitting.code}: version {version} was shown before it was stored.")

    async def comes_to(self, sitting: Sitting) -> bool:
        """Waits for the time at which this table moves next, and says whether that is within the run.

        The tables are spread over the pace. Those whose time comes after the end do not move: all would at once.
        """
        if self.pace:
            now = perf_counter()
            due = self.next_turn.get(sitting.code) or now + self.rng.random() * self.pace
            await asyncio.sleep(max(0, min(due, self.end) - now))
            self.next_turn[sitting.code] = max(due, now) + self.pace
            if due > self.end:
                return False
        return not self.is_over

    async def play(self, players: Sequence[Player]) -> None:
        """Everybody enters, plays for the time of the run, sees the last board, and leaves. :raises WrongAnswer:"""
        gate = asyncio.Semaphore(CONNECT_AT_ONCE)

        async def enter(player: Player) -> None:
            async with gate:
                await player.enter()

        listeners: list[asyncio.Task[None]] = []
        try:
            await _all(enter(player) for player in players)
            listeners = [asyncio.create_task(player.listen()) for player in players]
            begin, spent = perf_counter(), self.meter()
            self.end = begin + self.seconds
            asyncio.get_running_loop().call_later(self.seconds, self._stop)
            await _all(player.play() for player in players)
            self.took, self.spent = perf_counter() - begin, self.meter() - spent
            await _all(player.fetch() for player in players)
        finally:
            for listener in listeners:
                listener.cancel()
            for player in players:
                player.leave()

    def _stop(self) -> None:
        self.is_over = True


async def _all(coroutines: Iterable[Coroutine[None, None, None]]) -> None:
    async with asyncio.TaskGroup() as group:
        for coroutine in coroutines:
            group.create_task(coroutine)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of all do not exceed; 0.0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
