"""`manage.py bench_live`: how soon a move is on the other player's screen, with many tables at once."""

import asyncio
import os
import subprocess
import sys
import tempfile
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.management import BaseCommand, CommandError
from django.utils.crypto import get_random_string

from accounts.models import User
from cardsite import environment
from cardsite.server import valkey, web
from cardsite.server.postgresql import scratch_server
from cardsite.server.processes import stop
from games import engines, services
from games.management.bench.live_tables import Player, Run, Sitting, WrongAnswer, percentile
from games.models import Move, Table
from games.record import replay

PERCENTILES = (0.5, 0.95, 0.99)
CHECKED_TABLES = 20  # whose every board is made again


class Setup(NamedTuple):
    """How the site of a run is set up. is_routed: see `Run`."""

    fast_moves: bool
    processes: int
    is_routed: bool

    def __str__(self) -> str:
        routing = ("by table" if self.is_routed else "at random") if self.processes > 1 else ""
        return f"{'fast' if self.fast_moves else 'plain':<7}{self.processes:>3}  {routing:<10}"


class Site(NamedTuple):
    """A running site: the addresses of its web processes, and their ids."""

    addresses: list[str]
    pids: list[int]


class Command(BaseCommand):
    help = (
        "Starts sites of its own, lets two players at each of many tables play over HTTP, and prints moves a second, "
        "how soon each player sees a move, and the processor time of the web processes. It measures with the fast path "
        "of moves and without, and with each number of web processes. A run in which a move was lost, or a board was "
        "wrong, does not count."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tables", type=int, nargs="+", default=[200], help="one run for each number")
        parser.add_argument("--seconds", type=float, default=10.0, help="length of a run")
        parser.add_argument("--pace", type=float, default=0.0, help="seconds between the moves of a table")
        parser.add_argument("--processes", type=int, nargs="+", default=[1], help="numbers of web processes")
        parser.add_argument("--moves", choices=["fast", "plain"], nargs="+", default=["fast", "plain"])
        parser.add_argument("--game", default="casino", help="one for two seats (default: %(default)s)")
        parser.add_argument("--database", choices=["sqlite", "postgresql"], default="postgresql")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--at", metavar="URL", help="a site that runs already, on the database of this process")
        parser.add_argument("--web", type=int, metavar="PID", help="its process, to count its processor time")
        parser.add_argument("--inside", action="store_true", help=SUPPRESS)  # this process has a scratch database

    def handle(self, *, at: str | None, web: int | None, inside: bool, database: str, **options: Any) -> None:
        if at is not None:
            self.print_head(**options)
            setup = Setup(settings.FAST_MOVES, 1, is_routed=True)
            self.measure(setup, Site([at], [web] if web else []), **options)
        elif inside:
            self.compare(**options)
        else:
            self.run_inside(database)

    def run_inside(self, database: str) -> None:
        """Again, in a process whose settings name a database and a Redis that are gone afterwards."""
        try:
            with scratch_servers(database) as env:
                code = subprocess.run([sys.executable, *sys.argv[:2], "--inside", *sys.argv[2:]], env=env).returncode
        except ImportError:
            self.stdout.write("Not measured on PostgreSQL: the tools for development are not installed.")
            return
        if code:
            raise CommandError("This run does not count.")

    def compare(self, *, processes: Sequence[int], moves: Sequence[str], **options: Any) -> None:
        self.print_head(**options)
        for way in moves:
            first: list[Run] = []
            for count in processes:
                for is_routed in (False, True) if count > 1 else (True,):
                    setup = Setup(way == "fast", count, is_routed)
                    with running_site(setup) as site:
                        runs = self.measure(setup, site, first, **options)
                    first = first or runs

    def print_head(self, *, game: str, pace: float, **options: Any) -> None:
        name = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
        pacing = f"a move each {pace:g} s" if pace else "unpaced"
        self.stdout.write(f"{engines.get(game).name} on {name}, {pacing}, load {os.getloadavg()[0]:.1f}")
        self.stdout.write(
            f"{'moves':<7}{'web':>3}  {'routed':<10}{'tables':>8}{'moves':>8}{'moves/s':>9}{'ms: own p50':>13}"
            f"{'p95':>7}{'p99':>7}{'other p50':>11}{'p95':>7}{'p99':>7}{'web CPU ms/move':>17}"
            f"{'x moves/s':>11}{'x CPU':>7}"
        )

    def measure(
        self, setup: Setup, site: Site, first: Sequence[Run] = (), *, tables: Sequence[int], game: str, **options: Any
    ) -> list[Run]:
        """A run for each number of tables. first: those to compare them with."""
        runs = []
        for number, count in enumerate(tables):
            sittings = open_tables(game, count)
            run = new_run(
                site, is_routed=setup.is_routed, **{name: options[name] for name in ("pace", "seconds", "seed")}
            )
            players = [player for table in sittings for player in seat_players(run, table)]
            try:
                asyncio.run(run.play(players))
                check(sittings, players)
            except* (WrongAnswer, OSError, TimeoutError, asyncio.IncompleteReadError) as group:
                raise CommandError(f"This run does not count: {group.exceptions[0]!r}") from group
            runs.append(run)
            self.print_run(setup, count, run, first[number] if first else run)
        return runs

    def print_run(self, setup: Setup, count: int, run: Run, first: Run) -> None:
        own, other = ("".join(f"{1000 * percentile(times, share):>7.1f}" for share in PERCENTILES)
                      for times in (run.to_own, run.to_other))  # fmt: skip
        self.stdout.write(
            f"{setup}{count:>8}{len(run.to_own):>8}{run.pace_reached:>9.0f}{'':>6}{own}{'':>4}{other}"
            f"{1000 * run.spent_a_move:>17.2f}{run.pace_reached / first.pace_reached:>11.2f}"
            f"{run.spent_a_move / first.spent_a_move:>7.2f}"
        )


# The site


@contextmanager
def scratch_servers(database: str) -> Iterator[dict[str, str]]:
    """An empty database and an empty Redis: the environment of processes that use them."""
    with ExitStack() as stack:
        var = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cardsite-bench-")))
        url = f"sqlite:///{var / 'site.sqlite3'}" if database == "sqlite" else stack.enter_context(scratch_server())
        own = {"VAR_DIR": str(var), "DATABASE_URL": url, "REDIS_URL": "", "HTTPS": "0", "ALLOWED_HOSTS": ""}
        redis, redis_socket = var / "valkey", environment.embedded_socket(var)
        store = valkey.server(redis_socket, data=redis, log=var / "valkey.log")
        stack.callback(stop, [store])
        valkey.start(store, redis_socket, data=redis)
        env = os.environ | own
        subprocess.run([sys.executable, sys.argv[0], "migrate", "--verbosity=0"], env=env, check=True)
        yield env


@contextmanager
def running_site(setup: Setup) -> Iterator[Site]:
    """Web processes on the database of this one, each on a core of its own as long as there are enough."""
    with ExitStack() as stack:
        site = Site([], [])
        for number in range(setup.processes):
            log = settings.VAR_DIR / f"web-{number}.log"
            address, child = stack.enter_context(web.site(log=log, env={"FAST_MOVES": str(int(setup.fast_moves))}))
            pid = child.process.pid if child.process else 0
            if hasattr(os, "sched_setaffinity"):
                cores = sorted(os.sched_getaffinity(0))
                os.sched_setaffinity(pid, {cores[number % len(cores)]})
            site.addresses.append(address)
            site.pids.append(pid)
        yield site


def processor_seconds(pids: Sequence[int]) -> float:
    """What these processes have used, all their threads together; NaN where the machine does not tell."""
    try:
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    except OSError:
        return float("nan")
    used = sum(int(fields[11]) + int(fields[12]) for fields in stats)
    return used / os.sysconf("SC_CLK_TCK") if stats else float("nan")


# The players


def open_tables(game: str, count: int) -> list[Sitting]:
    """Tables of two that have just begun, each with two people of its own."""
    mark = get_random_string(6)
    users = [User(username=f"{mark}-{number}", password="!") for number in range(2 * count)]
    users = User.objects.bulk_create(users)
    pairs = zip(users[::2], users[1::2], strict=True)
    return [Sitting(services.seat_and_start(game=game, players=pair, options=None).code) for pair in pairs]


def seat_players(run: Run, sitting: Sitting) -> list[Player]:
    token = get_random_string(32)
    table = Table.objects.with_seats().get(code=sitting.code)
    return [
        Player(run, sitting, seat.number, cookies=f"sessionid={log_in(seat.user)}; csrftoken={token}", token=token)
        for seat in table.seat_rows
        if seat.user
    ]


def log_in(user: User) -> str:
    """The key of a new session of this person."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def new_run(site: Site, **options: Any) -> Run:
    parts = [urlsplit(address) for address in site.addresses]
    addresses = [(part.hostname or "", part.port or 80) for part in parts]

    def is_stored(code: str, version: int) -> bool:
        return Table.objects.filter(code=code, version__gte=version).exists()

    meter = partial(processor_seconds, site.pids)
    return Run(addresses=addresses, is_stored=sync_to_async(is_stored), meter=meter, **options)


def check(sittings: Sequence[Sitting], players: Sequence[Player]) -> None:
    """Compares what the players saw with the database. :raises WrongAnswer:"""
    if not any(sitting.accepted for sitting in sittings):
        raise WrongAnswer("Nobody moved.")
    for number, sitting in enumerate(sittings):
        table = Table.objects.with_seats().get(code=sitting.code)
        stored = list(Move.objects.filter(table=table).values_list("seat", "text"))
        accepted = [(move.seat, move.text) for move in sorted(sitting.accepted)]
        if stored != accepted:
            raise WrongAnswer(f"{sitting.code}: {len(accepted)} moves were accepted and {len(stored)} are stored.")
        if number < CHECKED_TABLES:
            check_boards(table, sitting)
    versions = dict(Table.objects.values_list("code", "version"))
    for player in players:
        if player.board.version != versions[player.sitting.code]:
            raise WrongAnswer(f"{player.sitting.code}: the last board is not the newest.")


def check_boards(table: Table, sitting: Sitting) -> None:
    """Every board on which somebody moved offered exactly the moves of its position."""
    state = replay.first_state(table)
    for move in sorted(sitting.accepted):
        if sorted(move.offers) != sorted(map(str, state.view(move.seat).offered)):
            raise WrongAnswer(f"{sitting.code}: version {move.version} showed other moves than its position has.")
        state.play(move.seat, table.rules.parse(move.text))
