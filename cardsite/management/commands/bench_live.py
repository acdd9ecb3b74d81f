"""`manage.py bench_live`: how soon a move is on the other player's screen, with many tables at once."""

import asyncio
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
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


class Command(BaseCommand):
    help = (
        "Starts a site of its own with one web process on one core, lets two players at each of many tables play over "
        "HTTP, and prints moves a second and how soon each player sees a move. A run in which a move was lost, or a "
        "board was wrong, does not count."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tables", type=int, nargs="+", default=[200], help="one run for each number")
        parser.add_argument("--seconds", type=float, default=10.0, help="length of a run")
        parser.add_argument("--pace", type=float, default=0.0, help="seconds between the moves of a table")
        parser.add_argument("--game", default="casino", help="one for two seats (default: %(default)s)")
        parser.add_argument("--database", choices=["sqlite", "postgresql"], default="postgresql")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--at", metavar="URL", help="a site that runs already, on the database of this process")
        parser.add_argument("--web", type=int, metavar="PID", help="its process, to count its processor time")

    def handle(self, *, at: str | None, database: str, **options: Any) -> None:
        if at is not None:
            self.measure(at, **options)
            return
        try:
            with scratch_site(database) as (address, pid, env):
                again = [sys.executable, sys.argv[0], "bench_live", f"--at={address}", f"--web={pid}", *sys.argv[2:]]
                code = subprocess.run(again, env=env).returncode
        except ImportError:
            self.stdout.write("Not measured on PostgreSQL: the tools for development are not installed.")
            return
        if code:
            raise CommandError("This run does not count.")

    def measure(
        self, address: str, *, tables: Sequence[int], game: str, web: int | None, pace: float, **options: Any
    ) -> None:
        name = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
        pacing = f"a move each {pace:g} s" if pace else "unpaced"
        self.stdout.write(f"{engines.get(game).name} on {name}, {pacing}, load {os.getloadavg()[0]:.1f}")
        self.stdout.write(
            f"{'tables':>8}{'moves':>8}{'moves/s':>9}{'ms: own p50':>13}{'p95':>7}{'p99':>7}"
            f"{'other p50':>11}{'p95':>7}{'p99':>7}{'web CPU ms/move':>17}"
        )
        for count in tables:
            sittings = open_tables(game, count)
            run = new_run(address, pace=pace, seconds=options["seconds"], seed=options["seed"], web=web)
            players = [player for table in sittings for player in seat_players(run, table)]
            try:
                asyncio.run(run.play(players))
                check(sittings, players)
            except* (WrongAnswer, OSError, TimeoutError, asyncio.IncompleteReadError) as group:
                raise CommandError(f"This run does not count: {group.exceptions[0]!r}") from group
            self.print_run(count, run)

    def print_run(self, count: int, run: Run) -> None:
        moves = len(run.to_own)
        own, other = ("".join(f"{1000 * percentile(times, share):>7.1f}" for share in PERCENTILES)
                      for times in (run.to_own, run.to_other))  # fmt: skip
        self.stdout.write(
            f"{count:>8}{moves:>8}{moves / run.took:>9.0f}{'':>6}{own}{'':>4}{other}{1000 * run.spent / moves:>17.2f}"
        )


# The site


@contextmanager
def scratch_site(database: str) -> Iterator[tuple[str, int, dict[str, str]]]:
    """A site with nobody in it: its address, its web process, and the environment of its processes."""
    with ExitStack() as stack:
        var = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cardsite-bench-")))
        url = f"sqlite:///{var / 'site.sqlite3'}" if database == "sqlite" else stack.enter_context(scratch_server())
        env = {"VAR_DIR": str(var), "DATABASE_URL": url, "REDIS_URL": "", "HTTPS": "0", "ALLOWED_HOSTS": ""}
        redis, redis_socket = var / "valkey", environment.embedded_socket(var)
        store = valkey.server(redis_socket, data=redis, log=var / "valkey.log")
        stack.callback(stop, [store])
        valkey.start(store, redis_socket, data=redis)
        subprocess.run([sys.executable, sys.argv[0], "migrate", "--verbosity=0"], env=os.environ | env, check=True)
        address, child = stack.enter_context(web.site(log=var / "web.log", env=env))
        pid = child.process.pid if child.process else 0
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(pid, {0})
        yield address, pid, os.environ | env


def processor_seconds(pid: int | None) -> float:
    """What a process has used, all its threads together; NaN where the machine does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
        for seat in table.seats.all()
        if seat.user
    ]


def log_in(user: User) -> str:
    """The key of a new session of this person."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def new_run(address: str, *, web: int | None, **options: Any) -> Run:
    parts = urlsplit(address)

    def is_stored(code: str, version: int) -> bool:
        return Table.objects.filter(code=code, version__gte=version).exists()

    meter = partial(processor_seconds, web)
    host, port = parts.hostname or "", parts.port or 80
    return Run(host=host, port=port, is_stored=sync_to_async(is_stored), meter=meter, **options)


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
