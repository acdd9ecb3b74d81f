"""Three web processes and two workers share the tables, through PgBouncer where it is installed.

Each request and each stream goes to the next web process, and one web process and one worker are killed on the way.
"""

import http.client
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from django.core.management import call_command
from django.utils import timezone

from cardsite.server.processes import Child
from games.management.bench.live_tables import Board
from games.models import Move, Table
from tests import pgbouncer
from tests.waiting import PATIENCE_SECONDS, wait_until
from tournaments import services
from tournaments.models import Event, Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]

WEB_PROCESSES = 3
QUICK_GAME = {"game": "sixty-six", "options": {"target": 5}}
TOKEN = "t" * 32
HAND = re.compile(r'name="hand" value="(\d+)"')


class Answer(NamedTuple):
    status: int
    page: str


class Site:
    """The web processes, asked one after the other. answered: how many requests each has answered."""

    def __init__(self, addresses: list[str]) -> None:
        self.addresses = [urlsplit(address).netloc for address in addresses]
        self.turn = count()
        self.answered: Counter[str] = Counter()

    def connect(self) -> http.client.HTTPConnection:
        address = self.addresses[next(self.turn) % len(self.addresses)]
        return http.client.HTTPConnection(address, timeout=PATIENCE_SECONDS)

    def ask(self, path: str, cookies: str, fields: dict[str, object] | None = None) -> Answer:
        """A GET, or a POST of fields. If a process is gone, the next one is asked, as a proxy or a player would."""
        headers = {"Cookie": cookies, "HX-Request": "true", "X-CSRFToken": TOKEN}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        method, body = ("GET", None) if fields is None else ("POST", urlencode(fields))
        for _ in range(2 * WEB_PROCESSES):
            connection = self.connect()
            with suppress(OSError, http.client.HTTPException):
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                page = answer.read().decode()
                self.answered[f"{connection.host}:{connection.port}"] += 1
                return Answer(answer.status, page)
            connection.close()
        raise AssertionError(f"no process answered {path}")


class Spectator(threading.Thread):
    """A stream of a table, which a visitor without account watches. versions: those that it has announced, in order."""

    def __init__(self, site: Site, code: str, version: int) -> None:
        super().__init__(daemon=True)
        self.site, self.code = site, code
        self.versions = [version]
        self.has_left = False

    def run(self) -> None:
        while not self.has_left:
            connection = self.site.connect()
            with suppress(OSError, http.client.HTTPException):
                seen = {"Last-Event-ID": str(self.versions[-1])}
                connection.request("GET", f"/tables/{self.code}/events/", headers=seen)
                for line in connection.getresponse():
                    if self.has_left:
                        break
                    if line.startswith(b"id: "):
                        self.versions.append(int(line[4:]))
            connection.close()


class Game(threading.Thread):
    """A table that its people play over HTTP; spectators on all processes see each move before the next is made.

    people: the cookies of each. own_moves: after so many each of them resigns; None: they play to the end.
    """

    def __init__(self, site: Site, table: Table, people: list[str], own_moves: int | None = None) -> None:
        super().__init__(daemon=True)
        self.site, self.code, self.people, self.own_moves = site, table.code, people, own_moves
        self.spectators = [Spectator(site, table.code, table.version) for _ in range(WEB_PROCESSES)]
        self.sent: list[str] = []
        self.is_over = False

    def run(self) -> None:
        for spectator in self.spectators:
            spectator.start()
        while not self.is_over:
            seen = min(spectator.versions[-1] for spectator in self.spectators)
            for cookies in self.people:
                if not self.is_over:
                    self.play_turn(cookies)
            if not self.is_over and len(self.people) == 1:  # a bot plays next
                self.wait_for(seen + 1)

    def play_turn(self, cookies: str) -> None:
        """All that this person can do now."""
        answer = self.ask("board/", cookies)
        while not self.is_over:
            board = Board.read(answer.page)
            if hand := HAND.search(answer.page):
                answer = self.ask("seen/", cookies, hand=hand[1])
            elif not board.offers:
                break
            elif self.own_moves is not None and len(self.sent) >= self.own_moves:
                answer = self.ask("leave/", cookies)
                self.is_over = True
            else:
                text = board.offers[0]
                answer = self.ask("moves/", cookies, version=board.version, text=text)
                # One that a process has stored and then died is refused by the next, which shows the board after it.
                assert Board.read(answer.page).version > board.version, answer
                self.sent.append(text)
            self.is_over = self.is_over or 'class="ended"' in answer.page

    def ask(self, path: str, cookies: str, **fields: object) -> Answer:
        answer = self.site.ask(f"/tables/{self.code}/{path}", cookies, fields if path != "board/" else None)
        if path != "leave/":
            self.wait_for(Board.read(answer.page).version)
        return answer

    def wait_for(self, version: int) -> None:
        wait_until(
            lambda: all(spectator.versions[-1] >= version for spectator in self.spectators),
            f"version {version} of {self.code} on all processes",
        )


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def processes_url(processes_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if pgbouncer.PROGRAM is None:
        yield processes_url
    else:
        monkeypatch.setenv("PGBOUNCER", "1")
        with pgbouncer.pooled(processes_url, tmp_path) as url:
            yield url


@pytest.fixture
def webs(start_site: Callable, processes_url: str, valkey: None) -> Iterator[list[tuple[str, Child]]]:
    """Web processes, each with its address."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(start_site(f"web-{number}", DATABASE_URL=processes_url))
            for number in range(WEB_PROCESSES)
        ]


@pytest.fixture
def cookies(person: Callable, as_user: Callable) -> Callable[[str], str]:
    def make(name: str) -> str:
        return f"sessionid={as_user(person(name)).cookies['sessionid'].value}; csrftoken={TOKEN}"

    return make


def planned_swiss() -> Event:
    """It starts once `due_at` is put forward: nobody knows how long the entries take."""
    now = timezone.now()
    event = Event(
        name="Swiss",
        **QUICK_GAME,
        format="swiss",
        format_options={"planned_rounds": 2},
        status=Event.Status.REGISTRATION,
        starts_at=now + timedelta(hours=1),
        check_in_minutes=0,
        fill_to=4,
        bot_level="first-steps",
    )
    return services.save_event(event, by=None, now=now)


@pytest.mark.parametrize("celery_worker_process", [2], indirect=True)
def test_games_and_an_event_are_played_to_the_end_although_processes_are_killed(
    webs: list[tuple[str, Child]], celery_worker_process: Any, cookies: Callable, table_of: Callable
) -> None:
    site = Site([address for address, _ in webs])
    call_command("make_house_bots", verbosity=0)
    event = planned_swiss()
    entrants = {name: cookies(name) for name in ("ann", "bob", "cat")}
    for own in entrants.values():
        assert site.ask(f"/tournaments/{event.pk}/enter/", own, {}).status == 302
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now(), due_at=timezone.now())
    games = []
    for number in range(3):
        pair = [f"south{number}", f"north{number}"]
        table = table_of(*pair, secret=bytes([number]) * 32, **QUICK_GAME)
        games.append(Game(site, table, [cookies(name) for name in pair]))
        games[-1].start()

    wait_until(lambda: sum(len(game.sent) for game in games) > 10, "some moves")
    webs[1][1].kill()
    celery_worker_process.workers[1].kill()  # not the beat: its ticks find the bots' moves that die with this one
    assert set(site.answered) == {*site.addresses}
    wait_until(lambda: play_event(site, event, entrants, games), "the end of the event")
    for game in games:
        game.join(PATIENCE_SECONDS)
        check(game)
    assert sorted(event.entries.values_list("place", flat=True)) == [1, 2, 3, 4]
    assert event.entries.filter(user__is_bot=True).count() == 1
    assert sorted(event.matches.values_list("round__number", "slot")) == [(1, 0), (1, 1), (2, 0), (2, 1)]
    assert set(event.matches.values_list("status", flat=True)) == {Match.Status.FINISHED}
    assert Table.objects.count() == len(games) == 7
    assert not [line for _, web in webs for line in web.lines if "Traceback" in line]


def play_event(site: Site, event: Event, entrants: dict[str, str], games: list[Game]) -> bool:
    """Begins the games of the event that have got a table. True once it is over."""
    known = {game.code for game in games}
    for table in Table.objects.running().with_seats().filter(match_game__match__event=event).exclude(code__in=known):
        people = [entrants[seat.user.username] for seat in table.seats.all() if not seat.user.is_bot]
        games.append(Game(site, table, people, own_moves=3))
        games[-1].start()
    event.refresh_from_db()
    return event.is_finished


def check(game: Game) -> None:
    """Nothing that was answered is lost, and the spectators saw each version once, in order."""
    table = Table.objects.get(code=game.code)
    assert game.is_over and table.is_over
    texts = list(Move.objects.filter(table=table, seat__in=seats_of_people(table)).values_list("text", flat=True))
    assert texts == game.sent
    game.wait_for(table.version)
    for spectator in game.spectators:
        spectator.has_left = True
        assert spectator.versions == list(range(spectator.versions[0], table.version + 1))


def seats_of_people(table: Table) -> list[int]:
    return list(table.seats.filter(user__is_bot=False).values_list("number", flat=True))
