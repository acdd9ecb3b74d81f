"""WebDriver clients for browsers that Playwright's packages do not drive: Debian's Firefox and WebKitGTK.

Firefox speaks WebDriver BiDi by itself, WebKitGTK classic WebDriver by `WebKitWebDriver`. Both take the same actions of
mouse and keys, so a `Browser` has few methods of its own.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socket import socket
from typing import Any, Protocol
from urllib.request import Request, urlopen

from websockets.sync.client import connect

from tests.ports import free_port

START_SECONDS = 60
PATIENCE_SECONDS = 30
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4*/MiniBrowser"


class Missing(Exception):
    """The browser is not installed; the message says what to install."""


class Browser(Protocol):
    def open(self, url: str) -> None:
        """Go to an address and wait until it has loaded."""

    def add_cookie(self, url: str, name: str, value: str) -> None:
        """Set a cookie of this site."""

    def run(self, expression: str) -> Any:
        """The value of an expression on the page, as JSON."""

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Perform actions of one input source, as the standard writes them."""

    def errors(self) -> list[str]:
        """What scripts of the pages have thrown so far."""


def wait_for(browser: Browser, expression: str) -> Any:
    """The value of an expression once it is true. :raises AssertionError: it stays false."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if found := browser.run(expression):
            return found
        time.sleep(0.1)
    raise AssertionError(f"not within {PATIENCE_SECONDS} s: {expression}; errors: {browser.errors()}")


# Firefox


class Firefox:
    def __init__(self, channel: Any) -> None:
        self.channel = channel
        self.numbers = itertools.count(1)
        self.thrown: list[str] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": 1280, "height": 860})

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self.numbers)
        self.channel.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.channel.recv(PATIENCE_SECONDS))
            if message.get("method") == "log.entryAdded" and message["params"]["type"] == "javascript":
                self.thrown.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def open(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def add_cookie(self, url: str, name: str, value: str) -> None:
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": "127.0.0.1"}
        self.send("storage.setCookie", cookie=cookie)

    def run(self, expression: str) -> Any:
        answer = self.send(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self.context},
            awaitPromise=False,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def act(self, actions: list[dict[str, Any]]) -> None:
        self.send("input.performActions", context=self.context, actions=actions)

    def errors(self) -> list[str]:
        return self.thrown


@contextmanager
def firefox() -> Iterator[Firefox]:
    """:raises Missing:"""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        raise Missing("no Firefox on PATH (Debian: apt install firefox-esr)")
    with tempfile.TemporaryDirectory(prefix="firefox-") as profile:
        command = [path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        env = os.environ | {"HOME": profile}  # it keeps its caches there
        with running(command, env=env, stderr=subprocess.PIPE, text=True) as process:
            lines = iter(process.stderr.readline, "")
            address = next(found[1] for line in lines if (found := re.search(r"BiDi listening on (ws://\S+)", line)))
            with connect(f"{address}/session", open_timeout=START_SECONDS, max_size=None) as channel:
                yield Firefox(channel)


# WebKitGTK

HEAR_ERRORS = """(() => {
    window.thrown ??= [];
    addEventListener("error", ({ message }) => thrown.push(message));
    addEventListener("unhandledrejection", ({ reason }) => thrown.push(String(reason)));
})()"""


class WebKit:
    def __init__(self, address: str, binary: str) -> None:
        self.address = address
        options = {"binary": binary, "args": ["--automation"]}
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self.session = ""
        wait_for_port(address)
        self.session = f"/session/{self.send('/session', capabilities=capabilities)['sessionId']}"

    def send(self, path: str, **parameters: Any) -> Any:
        request = Request(f"{self.address}{self.session}{path}", json.dumps(parameters).encode(), method="POST")
        with urlopen(request, timeout=START_SECONDS) as answer:
            return json.load(answer)["value"]

    def open(self, url: str) -> None:
        self.send("/url", url=url)
        self.run(HEAR_ERRORS)  # of what comes later: what fails before shows by what the page does not do

    def add_cookie(self, url: str, name: str, value: str) -> None:
        self.send("/url", url=url)
        self.send("/cookie", cookie={"name": name, "value": value})

    def run(self, expression: str) -> Any:
        return json.loads(self.send("/execute/sync", script=f"return JSON.stringify({expression})", args=[]) or "null")

    def act(self, actions: list[dict[str, Any]]) -> None:
        self.send("/actions", actions=actions)

    def errors(self) -> list[str]:
        return self.run("window.thrown ?? []")


@contextmanager
def webkit() -> Iterator[WebKit]:
    """:raises Missing:"""
    driver = shutil.which("WebKitWebDriver")
    browser = next(iter(sorted(Path("/").glob(MINI_BROWSERS.lstrip("/")))), None)
    if driver is None or browser is None:
        raise Missing("no WebKitGTK (Debian: apt install webkit2gtk-driver)")
    with ExitStack() as stack:
        env = os.environ | {"DISPLAY": os.environ.get("DISPLAY") or stack.enter_context(virtual_display())}
        port = free_port()
        stack.enter_context(running([driver, f"--port={port}"], env=env))
        yield WebKit(f"http://127.0.0.1:{port}", str(browser))


@contextmanager
def virtual_display() -> Iterator[str]:
    """:raises Missing:"""
    path = shutil.which("Xvfb")
    if path is None:
        raise Missing("no display, and no Xvfb (Debian: apt install xvfb)")
    with running(
        [path, "-displayfd", "1", "-screen", "0", "1400x1000x24"], stdout=subprocess.PIPE, text=True
    ) as server:
        yield f":{server.stdout.readline().strip()}"


@contextmanager
def running(command: list[str], **options: Any) -> Iterator[Any]:
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, **silent | options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def wait_for_port(address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket() as probe:
            if probe.connect_ex(("127.0.0.1", int(address.rpartition(":")[2]))) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"nothing answers at {address}")
