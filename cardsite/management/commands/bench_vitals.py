"""`manage.py bench_vitals`: Web Vitals of the pages that people see first and most, in Chromium."""

import os
from argparse import SUPPRESS, ArgumentParser
from itertools import islice, repeat
from statistics import median
from typing import Any, NamedTuple

from django.core.management import BaseCommand

from cardsite.management.commands.screenshots import (
    LESSON,
    demo_site,
    game_in_progress,
    log_in,
    open_browser,
    run_in_scratch_environment,
)

QUIET_MS = 1_000  # after which a page is taken to have loaded, or to have answered
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
OBSERVE = """
window.vitals = { lcp: 0, cls: 0, inp: 0, tbt: 0 };
const observe = (type, take, more = {}) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, ...more });
observe("largest-contentful-paint", (entry) => { vitals.lcp = entry.startTime; });
observe("layout-shift", (entry) => { if (!entry.hadRecentInput) vitals.cls += entry.value; });
observe("longtask", (entry) => { vitals.tbt += Math.max(0, entry.duration - 50); });
const answer = (entry) => { if (entry.interactionId) vitals.inp = Math.max(vitals.inp, entry.duration); };
observe("event", answer, { durationThreshold: 16 });
"""
READ = """() => {
    const bytes = performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
    return { ...vitals, kb: bytes / 1000 };
}"""


class Window(NamedTuple):
    name: str
    context: dict[str, Any]
    slowdown: int


WINDOWS = (Window("phone", PHONE, 4), Window("desktop", DESKTOP, 1))


class Command(BaseCommand):
    help = (
        "Prints Web Vitals of home, a lesson step and a table, each the median of some visits with an empty cache: "
        "LCP (ms), TBT until it is quiet (ms), kB sent, CLS while it loads and is played, INP (ms) of a few taps "
        "on cards and of one on a button that plays. "
        "A phone is 390 wide, its processor 4 times slower; a desktop is 1440 wide. The network is this machine."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--visits", type=int, default=3)
        parser.add_argument("--here", action="store_true", help=SUPPRESS)  # the command calls itself so

    def handle(self, *, visits: int, here: bool, **options: object) -> None:
        if not here:
            run_in_scratch_environment("bench_vitals", "--here", f"--visits={visits}")
            return
        self.stdout.write(f"median of {visits} visits, load {os.getloadavg()[0]:.1f}")
        self.stdout.write(f"{'page':<8}{'window':<9}{'LCP':>6}{'TBT':>6}{'kB':>6}{'CLS':>8}{'INP':>6}")
        with demo_site() as address:
            pages = {"home": repeat("/"), "lesson": repeat(LESSON), "table": iter(tables(visits * len(WINDOWS)))}
            with open_browser() as chromium:
                for name, paths in pages.items():
                    for window in WINDOWS:
                        runs = [visit(chromium, window, address, next(paths)) for _ in range(visits)]
                        found = {key: median(run[key] for run in runs) for key in runs[0]}
                        self.stdout.write(
                            f"{name:<8}{window.name:<9}{found['lcp']:>6.0f}{found['tbt']:>6.0f}{found['kb']:>6.0f}"
                            f"{found['cls']:>8.3f}{found['inp']:>6.0f}"
                        )


def tables(number: int) -> list[str]:
    """The addresses of so many tables where Ada is to move, one for each visit, which plays a move."""
    played = map(game_in_progress, range(256))
    return [table.get_absolute_url() for table in islice((table for table in played if not table.is_over), number)]


def visit(chromium: Any, window: Window, address: str, path: str) -> dict[str, float]:
    """What is measured in one visit with an empty cache, as Ada."""
    context = chromium.new_context(**window.context)
    page = context.new_page()
    log_in(page, address)
    page.close()
    page = context.new_page()
    page.add_init_script(OBSERVE)
    developer = context.new_cdp_session(page)
    developer.send("Network.clearBrowserCache")
    developer.send("Emulation.setCPUThrottlingRate", {"rate": window.slowdown})
    page.goto(f"{address}{path}")
    page.wait_for_timeout(QUIET_MS)
    loaded: dict[str, float] = page.evaluate(READ)
    tap_cards(page)
    press_offered_move(page)
    page.wait_for_timeout(QUIET_MS)
    played = page.evaluate(READ)
    context.close()
    return loaded | {"cls": played["cls"], "inp": played["inp"]}


def tap_cards(page: Any) -> None:
    """Takes a few cards up, one after the other."""
    for card in page.locator(".hand .pick").all()[:3]:
        card.click(position={"x": 8, "y": 20})
        page.wait_for_timeout(QUIET_MS / 2)


def press_offered_move(page: Any) -> None:
    """Plays what the cards make that were taken up last, or tries it in a lesson."""
    buttons = page.locator(".choices .is-offered button").filter(visible=True)
    if buttons.count():
        buttons.first.click()
        page.wait_for_timeout(QUIET_MS)
