"""What every test may ask for.

A test that asks for `page`, `context`, `new_context` or `browser` is a browser test: it is marked `e2e`,
runs last and is skipped, with a note, where there is no Chromium (with CI=true that is an error). A test that
uses the database runs on SQLite and on PostgreSQL, all others once: `manage.py test` sees to that, while
`pytest` alone is the SQLite half. What cannot differ there may say `only_on("sqlite")`: pages that show what
services, which have tests of their own, have made, and what a form refuses, so that nothing is stored; and
`only_on("postgresql")` what takes long and is hardest there. No test reaches the site that `manage.py up` may be
running beside it.

    valkey                 a real Valkey for the whole session, empty at the start of each test that uses
                           the database; such tests need not ask for it
    kept                   the database for fixtures of a whole file: what takes long to make is made once
    eager_tasks            Celery tasks run at once, inside the caller
    celery_worker_process  a real worker and beat on the test database; `.kill()` and `.start()` them as
                           often as you like
    live_url               address of the site, a process of its own as in production; implies transactional_db.
                           It sees what the test stores, and nothing that a test patches
    page, new_context      pytest-playwright's, on the machine's Chromium; the test fails if a page asks
                           another host for anything, breaks the content security policy or throws in a script
    log_in                 `log_in(page.context, "alice")`: she is logged in to every page of this browser
    axe                    `axe(page)` fails with axe's report if the page has accessibility violations
    person, table_of, ...  people, tables and moves: see tests/tables.py

Without one of `eager_tasks` and `celery_worker_process`, queued tasks wait in Valkey and nobody runs them.
"""

import gc
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect
from pytest_django.plugin import blocking_manager_key

from cardsite.server import valkey as valkey_server
from cardsite.server import web
from cardsite.server.processes import Child, stop
from infra.garbage import freeze_what_is_loaded
from tests.fingers import IS_STILL

pytest_plugins = ["tests.tables"]

TESTS = Path(__file__).parent
SCRATCH = Path(tempfile.mkdtemp(prefix="cardsite-test-"))  # one for each process of pytest-xdist
SOCKET = SCRATCH / "valkey.sock"
COLLECTED = SCRATCH / "collected"
ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")
MIGRATED = os.environ.get("MIGRATED_DATABASE")  # which each worker of pytest-xdist copies
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HEADLESS = CHROMIUM and (shutil.which("chromium-headless-shell") or CHROMIUM)  # the shell has no windows to keep up
CHROMIUM_FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
CHROMIUM_FEATURES_OFF = [
    # Processes for its own windows and for the next page, which cost each context half a second of work.
    *("InitialWebUI", "PreloadTopChromeWebUI", "SpareRendererForSitePerProcess", "WebUIOmniboxAimPopup"),
    *("WebUIOmniboxFullPopup", "WebUIOmniboxPopup", "WebUIReloadButton", "WebUIToolbar"),
    # What Playwright switches off: of two such lists the last one counts.
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    *("TcpPortRandomizationWin", "ThirdPartyStoragePartitioning"),
]
PURE_ROOMS = ("bots", "core", "engines", "formats")  # no test there uses the database
TAKES_A_PAGE = re.compile(r"[(,]\s*(browser|context|new_context|page)\b")
MADE_BY_MIGRATIONS = {"django_content_type", "auth_permission", "auth_group", "auth_group_permissions"}
WORKER_START_SECONDS = 120  # on a machine with much else to do
PATIENCE_MS = 30_000  # as long as Playwright waits for anything else
OUTLINE_MS = 2_000  # a page that hangs is not waited for
OFTEN = (700, 10, 10)  # Python's own
CONTEXTS = pytest.StashKey[list[BrowserContext]]()  # the browsers of a test

# Before Django reads its settings, which pytest-django lets it do after this file is loaded.
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "tests.settings",
    "SECRET_KEY": "for tests only",
    "VAR_DIR": str(SCRATCH),
    "REDIS_URL": f"unix://{SOCKET}",
    "ALLOWED_HOSTS": "",
    "DEBUG": "0",
    "HTTPS": "0",
    "DJANGO_ALLOW_ASYNC_UNSAFE": "true",  # synchronous Playwright keeps an event loop running
}
if not ON_POSTGRESQL:
    os.environ["DATABASE_URL"] = f"sqlite:///{SCRATCH / 'unused.sqlite3'}"


# The run as a whole


def pytest_configure(config: pytest.Config) -> None:
    import django

    django.setup()
    expect.set_options(timeout=PATIENCE_MS)
    if CHROMIUM is None and os.environ.get("CI") == "true":
        raise pytest.UsageError("CI=true, but there is no Chromium on PATH for the browser tests.")
    freeze_what_is_loaded()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the garbage collector the modules and the thousands of tests, too, which stay to the end.

    On PostgreSQL it still comes often: the connection of a thread that has ended stays open until then.
    """
    freeze_what_is_loaded()
    if ON_POSTGRESQL:
        gc.set_threshold(*OFTEN)


def pytest_xdist_setupnodes(config: pytest.Config, specs: list[object]) -> None:
    """Let each worker process read its settings after this file, too, and not while pytest-django starts.

    PostgreSQL is migrated once, for all of them: they copy it.
    """
    del os.environ["DJANGO_SETTINGS_MODULE"]
    if ON_POSTGRESQL:
        os.environ["MIGRATED_DATABASE"] = make_migrated_database(config)


def make_migrated_database(config: pytest.Config) -> str:
    """Its name. It goes at the end of the run."""
    from django.db import connection

    with config.stash[blocking_manager_key].unblock():
        own = str(connection.settings_dict["NAME"])
        name = connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        connection.close()  # a database in use cannot be copied
    config.add_cleanup(lambda: connection.creation.destroy_test_db(own, verbosity=0))
    return name


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(SCRATCH, ignore_errors=True)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files in which this run has no test: to collect all of them takes each process ten seconds."""
    if ON_POSTGRESQL and is_pure(collection_path):
        return True
    is_test = collection_path.match("test_*.py")
    return True if config.option.markexpr == "e2e" and is_test and not takes_a_page(collection_path) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    for item in items:
        if "playwright" in item.fixturenames:
            item.add_marker("e2e")
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no Chromium on PATH"))
            if not takes_a_page(item.path):
                raise pytest.UsageError(f"{item.nodeid}: no function in its file takes a page, so it would not run.")
        if is_pure(item.path) and uses_database(item):
            raise pytest.UsageError(f"{item.nodeid}: a test in this room would not run on PostgreSQL.")
    yield  # -m, -k and the order that pytest-django likes
    elsewhere = [item for item in items if not runs_here(item)]
    items[:] = [item for item in items if runs_here(item)]
    config.hook.pytest_deselected(items=elsewhere)
    items.sort(key=is_e2e)  # no async test can run after synchronous Playwright


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to a failed browser test what its pages show, as a screen reader would find it."""
    report = yield
    if report.when == "call" and report.failed:
        pages = [page for context in item.stash.get(CONTEXTS, []) for page in context.pages]
        report.sections += [(f"page {page.url}", outline(page)) for page in pages]
    return report


def outline(page: Page) -> str:
    try:
        return page.locator("body").aria_snapshot(timeout=OUTLINE_MS)
    except Error as error:
        return f"It gave no answer: {error}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("skipped", [])
    count = sum("no Chromium" in str(report.longrepr) for report in reports)
    if count:
        note = f"NOTE: {count} browser tests did not run, because no Chromium was found."
        terminalreporter.write_line(note, yellow=True, bold=True)
    reasons = {report.longrepr[2].removeprefix("Skipped: ") for report in reports}
    for reason in sorted(reason for reason in reasons if " is not installed" in reason):
        terminalreporter.write_line(f"NOTE: {reason}.", yellow=True, bold=True)


def is_pure(path: Path) -> bool:
    return path.is_relative_to(TESTS) and path.relative_to(TESTS).parts[:1] in {(room,) for room in PURE_ROOMS}


@cache
def takes_a_page(path: Path) -> bool:
    """True if the file may hold browser tests: a function there takes a page, or what makes one."""
    return TAKES_A_PAGE.search(path.read_text()) is not None


def is_e2e(item: pytest.Item) -> bool:
    return item.get_closest_marker("e2e") is not None


def runs_here(item: pytest.Item) -> bool:
    """True if this database is one on which the test is to run."""
    here = "postgresql" if ON_POSTGRESQL else "sqlite"
    if only := item.get_closest_marker("only_on"):
        return here in only.args
    return not ON_POSTGRESQL or (uses_database(item) and not is_e2e(item))


def uses_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return bool(item.get_closest_marker("django_db") or {"db", "transactional_db"} & set(fixtures))


# Database, Valkey, Celery


@pytest.fixture(scope="session")
def django_db_use_migrations() -> bool:
    """PostgreSQL is prepared by the migrations; on SQLite the tests of `manage.py up` go through them."""
    return ON_POSTGRESQL and MIGRATED is None


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """SQLite stands in a file, because servers and workers of the tests open it too."""
    from django.conf import settings

    tests = settings.DATABASES["default"].setdefault("TEST", {})
    if ON_POSTGRESQL:
        tests["TEMPLATE"] = MIGRATED
    else:
        tests["NAME"] = str(SCRATCH / "test.sqlite3")


@pytest.fixture(scope="session", autouse=True)
def _quick_emptying() -> Iterator[None]:
    """After a test that commits, its rows go by DELETE, and what the migrations have made stays.

    Django would truncate every table, which takes PostgreSQL longer, and then make all permissions and groups anew.
    """
    from django.test import TransactionTestCase

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


def empty_tables(test: object) -> None:
    from django.db import connection, transaction

    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    with transaction.atomic(), connection.cursor() as cursor:
        for name in {*names} - MADE_BY_MIGRATIONS:
            cursor.execute(f'DELETE FROM "{name}"')


@pytest.fixture(scope="module")
def kept(django_db_setup: None, django_db_blocker: Any, valkey: None) -> Iterator[None]:
    """The database for fixtures of a whole file, for what takes long to make: what they store stays, and each test
    undoes only what it changes itself. No test of such a file may commit.
    """
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session", autouse=True)
def _static_files_listed_once() -> Iterator[None]:
    """WhiteNoise's list of static files is the same for all test clients.

    Each client loads the middleware anew, which would read the folders and describe all files again.
    """
    from whitenoise.middleware import WhiteNoiseMiddleware

    list_files, listed = WhiteNoiseMiddleware.add_files_from_finders, {}

    def list_files_once(middleware: WhiteNoiseMiddleware) -> None:
        if not listed:
            list_files(middleware)
            listed.update(middleware.files)
        middleware.files.update(listed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", list_files_once)
        yield


@pytest.fixture(scope="session")
def valkey() -> Iterator[None]:
    """A Valkey of this session's own, at REDIS_URL."""
    child = valkey_server.server(SOCKET, data=SCRATCH / "valkey", log=SCRATCH / "valkey.log")
    valkey_server.start(child, SOCKET, data=SCRATCH / "valkey")
    yield
    stop([child])


@pytest.fixture(scope="session")
def _client_of_valkey(valkey: None) -> Iterator[Any]:
    """Kept, because connecting takes thirty times as long as emptying."""
    import redis

    with redis.Redis(unix_socket_path=str(SOCKET)) as client:
        yield client


@pytest.fixture(autouse=True)
def _empty_valkey(request: pytest.FixtureRequest) -> None:
    if "valkey" in request.fixturenames or uses_database(request.node):
        request.getfixturevalue("_client_of_valkey").flushall()


@pytest.fixture
def eager_tasks() -> Iterator[None]:
    """`task.delay()` runs the task at once, and its errors reach the caller."""
    from cardsite import celery_app

    celery_app.conf.update(task_always_eager=True, task_eager_propagates=True)
    yield
    celery_app.conf.update(task_always_eager=False, task_eager_propagates=False)


def database_url() -> str:
    """The DATABASE_URL of processes that work on the database of the test."""
    from django.db import connection

    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "postgresql":
        return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
    return f"sqlite:///{name}"


class CeleryProcesses:
    """Workers for all queues, of two processes each, on the database of the test. The first one is the beat, too."""

    def __init__(self, database_url: str, workers: int) -> None:
        def child(name: str, *arguments: str) -> Child:
            command = [sys.executable, "-m", "celery", "--app=cardsite", *arguments, "--loglevel=INFO"]
            return Child(name, command, log=SCRATCH / f"{name}.log", env={"DATABASE_URL": database_url})

        usual = ["--queues=default,experts,slow", "--concurrency=2", "--without-gossip", "--without-mingle"]
        beat = ["--beat", f"--schedule={SCRATCH / 'beat-schedule'}"]
        self.workers = [
            child(f"worker-{number}", "worker", f"--hostname=worker-{number}", *usual, *([] if number else beat))
            for number in range(workers)
        ]
        self.worker = self.workers[0]

    def start(self) -> None:
        """Start all and wait until the workers take tasks."""
        for worker in self.workers:
            worker.start()
        deadline = time.monotonic() + WORKER_START_SECONDS
        for worker in self.workers:
            while " ready." not in worker.last_lines(1000):
                assert worker.is_running and time.monotonic() < deadline, worker.last_lines(50)
                time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL all, and the pools of the workers, in the middle of whatever they do."""
        for worker in self.workers:
            worker.kill()

    def stop(self) -> None:
        stop(self.workers)


@pytest.fixture
def processes_url(transactional_db: None) -> str:
    """The DATABASE_URL of workers. A file of tests may override it, to put something in between."""
    return database_url()


@pytest.fixture
def celery_worker_process(
    request: pytest.FixtureRequest, processes_url: str, valkey: None
) -> Iterator[CeleryProcesses]:
    """A running worker, or as many as an indirect parameter says, and beat.

    Their logs are the `last_lines()` of `.worker`, or of each of `.workers`.
    """
    processes = CeleryProcesses(processes_url, workers=getattr(request, "param", 1))
    try:
        processes.start()
        yield processes
    finally:
        processes.stop()


# The site and its browsers


@pytest.fixture(scope="session")
def start_site(django_db_setup: None, django_db_blocker: Any) -> Callable[..., Any]:
    """`with start_site("name", OPTION="value") as (address, process)`: the site as production runs it, on the database
    of the test, with further variables in its environment. Its static files are collected; this process has none.
    """
    from cardsite.web import static_files

    def start(name: str, **env: str) -> Any:
        with django_db_blocker.unblock():
            url = database_url()
        static_files.collect(COLLECTED)
        env = {"DATABASE_URL": url, "STATIC_ROOT": str(COLLECTED), "DJANGO_ALLOW_ASYNC_UNSAFE": ""} | env
        return web.site(log=SCRATCH / f"{name}.log", env=env)

    return start


@pytest.fixture(scope="session")
def _live_address(start_site: Callable, valkey: None) -> Iterator[str]:
    with start_site("web") as (address, _):
        yield address


@pytest.fixture
def live_url(transactional_db: None, valkey: None, _live_address: str) -> str:
    """The address of the running site, without a slash at the end."""
    return _live_address


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    off = f"--disable-features={','.join(CHROMIUM_FEATURES_OFF)}"
    return {"executable_path": HEADLESS, "args": [*CHROMIUM_FLAGS, off]}


@pytest.fixture(scope="session")
def windowed_browser(launch_browser: Callable[..., Any]) -> Iterator[Any]:
    """The whole Chromium, for what its headless shell lacks, such as notifications."""
    browser = launch_browser(executable_path=CHROMIUM)
    yield browser
    browser.close()


@pytest.fixture
def new_context(request: pytest.FixtureRequest, new_context: Callable, live_url: str) -> Iterator[Callable]:
    """Make one more browser of its own, with its own cookies: `new_context(viewport=...).new_page()`."""
    complaints: list[str] = []
    contexts = request.node.stash.setdefault(CONTEXTS, [])

    def hear_request(request: object) -> None:
        if not request.url.startswith((live_url, "data:", "blob:")):
            complaints.append(f"a request left the site: {request.url}")

    def hear_console(message: object) -> None:
        if "Content Security Policy" in message.text:
            complaints.append(message.text)

    def make(**options: object) -> object:
        context = new_context(**options)
        contexts.append(context)
        context.on("request", hear_request)
        context.on("console", hear_console)
        context.on("weberror", lambda error: complaints.append(f"a script failed: {error.error}"))
        return context

    yield make
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def log_in(live_url: str, person: Callable, as_user: Callable) -> Callable[[object, str], None]:
    """`log_in(page.context, "alice")`: she is logged in to every page of this browser, by the cookie of a session."""
    from django.conf import settings

    def act(context: object, name: str) -> None:
        session = as_user(person(name)).cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_url}])

    return act


@pytest.fixture
def axe() -> Callable[[object], None]:
    """`axe(page)`: no accessibility violation may be found on the page, once nothing moves there."""
    from axe_playwright_python.sync_playwright import Axe

    def check(page: object) -> None:
        page.wait_for_load_state()  # a click on a link waits only for the first bytes of its page
        page.wait_for_function(IS_STILL)  # what fades in has other colours
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()

    return check
