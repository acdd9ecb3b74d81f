"""`manage.py screenshots`: the pictures of the README, taken from the site itself."""

import base64
import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.utils import timezone

from accounts.models import User
from cardsite.server import valkey
from cardsite.server.processes import stop
from cardsite.server.web import site
from games import bots, services
from games.core import deals
from games.core.contract import View
from games.models import Table
from games.record import replay
from tournaments import services as tournaments
from tournaments.models import Event, Match

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
MOST_BYTES = 120_000
WEBP_QUALITIES = (0.9, 0.8, 0.65)
PASSWORD = "screenshots-only"
LESSON = "/learn/casino/taking/same-rank/"
PEOPLE = ("Ada", "Benno", "Clara", "Dmitri", "Elif", "Farid", "Greta", "Hugo")


class Command(BaseCommand):
    help = "Take the pictures of the README from a site of its own, in a Chromium, and put them into docs/."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, default=settings.BASE_DIR / "docs", help="(default: docs/)")
        parser.add_argument("--here", action="store_true", help="use this environment; the command calls itself so")

    def handle(self, *, out: Path, here: bool, **options: object) -> None:
        if here:
            take_all(out)
            return
        run_in_scratch_environment("screenshots", "--here", f"--out={out.resolve()}")
        for path in sorted(out.glob("*.webp")):
            self.stdout.write(f"{path}: {path.stat().st_size // 1000} kB")


def run_in_scratch_environment(*arguments: str) -> None:
    """Run a command of manage.py in a process whose database and Redis are gone afterwards.

    :raises CommandError: there is no browser, or the command failed.
    """
    find_browser()
    with tempfile.TemporaryDirectory(prefix="cardsite-pages-") as var:
        env = os.environ | {"VAR_DIR": var, "DATABASE_URL": "", "REDIS_URL": "", "ALLOWED_HOSTS": "", "HTTPS": ""}
        env["PYTHONWARNINGS"] = "ignore"  # of Django about files that it serves itself
        if subprocess.run([sys.executable, sys.argv[0], *arguments], env=env).returncode:
            raise CommandError(f"{arguments[0]} failed; see above.")


def find_browser() -> str:
    """:raises CommandError: with what to install."""
    try:
        import playwright  # noqa: F401
    except ImportError as error:
        raise CommandError("Playwright is missing; `python3 manage.py setup --dev` installs it.") from error
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise CommandError("No Chromium on PATH; install it (Debian: apt install chromium).")
    return found


@contextmanager
def demo_site() -> Iterator[str]:
    """The address of a running site with PEOPLE, who log in with PASSWORD."""
    data, log = settings.VAR_DIR / "valkey", settings.VAR_DIR / "valkey.log"
    server = valkey.server(settings.EMBEDDED_SOCKET, data=data, log=log)
    valkey.start(server, settings.EMBEDDED_SOCKET, data=data)
    try:
        call_command("prepare")
        for name in PEOPLE:
            User.objects.create_user(name, password=PASSWORD)
        with site(log=settings.VAR_DIR / "web.log") as (address, _):
            yield address
    finally:
        stop([server])


def take_all(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with demo_site() as address:
        table, event = game_in_progress(), knockout_in_progress()
        with open_browser() as chromium:
            take_screenshot(
                chromium, f"{address}{table.get_absolute_url()}", out / "table.webp", 1200, 780, login=address
            )
            take_screenshot(chromium, f"{address}{LESSON}#lesson", out / "lesson.webp", 360, 640)
            take_screenshot(chromium, f"{address}{event.get_absolute_url()}", out / "bracket.webp", 1200, 890)


# What there is to see


def demo_person(name: str) -> User:
    return User.objects.get(username=name)


def game_in_progress(deal: int = 7) -> Table:
    """A game of Casino for three from one of 256 fixed deals. In deal 7 Ada is to move and a build is on the table."""
    secret = bytes(31) + bytes([deal])
    opened = services.open_table(game="casino", seats=3, options={}, created_by=demo_person("Ada"), secret=secret)
    players = [demo_person(name) for name in PEOPLE[:3]]
    for user in players:
        services.sit_down(table_id=opened.pk, user=user, shuffles=True)
    own = {"seal": opened.commitment, "commitment": deals.bound_commitment(opened.commitment, "ab")}
    for value in ("", "ab"):
        for user in players:
            table = services.add_to_shuffle(table_id=opened.pk, user=user, value=value, **own)
    return play_to_good_picture(table, until=is_good_picture)


def is_good_picture(view: View) -> bool:
    """Whether the first player is to move, late enough, with most of their hand left and a build on the table."""
    hand = sum(zone.count for zone in view.zones if zone.kind == "hand" and zone.owner == 0)
    return view.to_act == (0,) and hand >= 3 and len(view.log) > 12 and any(z.kind == "build" for z in view.zones)


def play_to_good_picture(table: Table, *, until: Callable[[View], bool] = lambda view: False) -> Table:
    """Plays as club players would, up to such a position or the end."""
    rng, player = Random(1), bots.bot(table.game, "club")
    while table.status == Table.Status.RUNNING:
        state = replay.state_of(Table.objects.with_seats().get(pk=table.pk))
        if until(state.view(0)):
            break
        seat = state.to_act[0]
        text = str(player.choose(state.view(seat), rng))
        table = services.play_move(table_id=table.pk, seat=seat, text=text, version=table.version)
    return table


def knockout_in_progress() -> Event:
    """A knock-out of eight in its second round: four quarter-finals and one semi-final are over. Winners vary."""
    now = timezone.now()
    event = Event(name="Friday knock-out", game="casino", starts_at=now, lots="screenshots", options={"target": 11})
    event = tournaments.save_event(event, by=None, now=now - timedelta(hours=1))
    tournaments.open_registration(event_id=event.pk, now=now)
    for name in PEOPLE:
        tournaments.enter_event(event_id=event.pk, user=demo_person(name))
    tournaments.run_due_steps(event_id=event.pk, now=now)
    for decided in (4, 1, 0):
        waiting = event.matches.filter(status=Match.Status.WAITING).values_list("pk", flat=True)
        for pk in list(waiting):
            tournaments.start_match(match_id=pk, now=now)
        for match in event.matches.filter(status=Match.Status.PLAYING).order_by("slot")[:decided]:
            play_to_good_picture(match.games.get().table)
        tournaments.advance_running_event(event_id=event.pk, now=now)
    return event


# The site and the pictures


@contextmanager
def open_browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=list(BROWSER_FLAGS))
        yield chromium
        chromium.close()


def take_screenshot(chromium: Any, url: str, path: Path, width: int, height: int, *, login: str = "") -> None:
    """Saves a screenshot of a window of this size. login: the address of the site, to log in as Ada."""
    size = {"width": width, "height": height}
    context = chromium.new_context(viewport=size, color_scheme="light", reduced_motion="reduce")
    page = context.new_page()
    if login:
        log_in(page, login)
    page.goto(url)
    page.wait_for_timeout(500)  # local times and the live channel
    path.write_bytes(compressed_webp(page.screenshot(), context.new_page()))
    context.close()


def log_in(page: Any, address: str) -> None:
    """Logs in as Ada."""
    page.goto(f"{address}/accounts/login/")
    page.fill("[name=username]", PEOPLE[0])
    page.fill("[name=password]", PASSWORD)
    with page.expect_navigation():
        page.click("main button[type=submit]")


def compressed_webp(png: bytes, page: Any) -> bytes:
    """The picture as WebP, redrawn by the browser in the best quality below MOST_BYTES."""
    source = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    for quality in WEBP_QUALITIES:
        url = page.evaluate(
            """async ([source, quality]) => {
                 const image = new Image();
                 image.src = source;
                 await image.decode();
                 const canvas = new OffscreenCanvas(image.width, image.height);
                 canvas.getContext("2d").drawImage(image, 0, 0);
                 const blob = await canvas.convertToBlob({type: "image/webp", quality});
                 return new Promise((done) => {
                   const reader = new FileReader();
                   reader.onload = () => done(reader.result);
                   reader.readAsDataURL(blob);
                 });
               }""",
            [source, quality],
        )
        data = base64.b64decode(url.split(",", 1)[1])
        if len(data) < MOST_BYTES:
            return data
    raise CommandError(f"A picture is larger than {MOST_BYTES // 1000} kB.")
