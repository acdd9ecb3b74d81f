"""The site behind nginx with the configuration of `deploy/`, where nginx is installed."""

import http.client
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from accounts.brute_force import ATTEMPTS_PER_ADDRESS
from tests.nginx import CONFIGURATION, PROGRAM, make_certificate
from tests.ports import free_port
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.only_on("sqlite"),
    pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed, so the site was not tried behind it"),
]

LOG_INS_AT_ONCE = 21  # one, and the burst


class Proxy(NamedTuple):
    """A running nginx. log: what it says of requests."""

    http_port: int
    https_port: int
    log: Path

    def connect(self, visitor: str = "127.0.0.1", protocol: str = "http/1.1") -> http.client.HTTPSConnection:
        """A connection by TLS from an address of this machine."""
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        trusting.set_alpn_protocols([protocol])
        return http.client.HTTPSConnection(
            "127.0.0.1", self.https_port, timeout=PATIENCE_SECONDS, source_address=(visitor, 0), context=trusting
        )

    def ask(
        self, path: str, method: str = "GET", visitor: str = "127.0.0.1", **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        connection = self.connect(visitor)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body


@pytest.fixture
def nginx(live_url: str, tmp_path: Path) -> Iterator[Proxy]:
    """In front of a site with one web process; the other one that the file names is away."""
    make_certificate(tmp_path)
    http_port, https_port, away = free_port(), free_port(), free_port()
    sockets = count()
    own = {
        "/etc/letsencrypt/live/cards.example": str(tmp_path),
        "/var/log/nginx": str(tmp_path),
        "server 127.0.0.1:8000;": f"server {urlsplit(live_url).netloc};",
        "server 127.0.0.1:8001;": f"server 127.0.0.1:{away};",
        "listen 80;": f"listen 127.0.0.1:{http_port};",
        "listen 443 ": f"listen 127.0.0.1:{https_port} ",
    }
    site = CONFIGURATION
    for theirs, ours in own.items():
        assert theirs in site
        site = site.replace(theirs, ours)
    site = re.sub(r"listen \[::\]:\d+", lambda _: f"listen unix:{tmp_path}/{next(sockets)}", site)
    folders = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = tmp_path / "nginx.conf"
    main.write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}} http {{ {folders} {site} }}"
    )
    process = subprocess.Popen([PROGRAM, "-p", tmp_path, "-c", main], stderr=subprocess.PIPE, text=True)

    def is_open() -> bool:
        assert process.poll() is None, process.stderr.read()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", https_port)) == 0

    try:
        wait_until(is_open, "nginx")
        yield Proxy(http_port, https_port, tmp_path / "cardsite.log")
    finally:
        process.terminate()
        process.communicate()


def test_visitors_are_told_apart_by_their_real_addresses(nginx: Proxy) -> None:
    def guess(visitor: str, claimed: str) -> int:
        return nginx.ask("/login-link/invented/", visitor=visitor, **{"X-Forwarded-For": claimed})[0].status

    statuses = [guess("127.0.0.2", f"203.0.113.{number}") for number in range(ATTEMPTS_PER_ADDRESS + 1)]
    assert statuses == [403] * ATTEMPTS_PER_ADDRESS + [429]
    assert guess("127.0.0.3", "203.0.113.1") == 403
    assert "invented" not in nginx.log.read_text()
    assert "127.0.0.2 [" in nginx.log.read_text()


def test_log_ins_are_limited_and_pages_are_not(nginx: Proxy) -> None:
    def log_in(visitor: str) -> int:
        return nginx.ask("/accounts/login/", "POST", visitor)[0].status

    statuses = [log_in("127.0.0.2") for _ in range(LOG_INS_AT_ONCE + 5)]
    assert statuses[:LOG_INS_AT_ONCE] == [403] * LOG_INS_AT_ONCE  # without a token
    assert 429 in statuses
    assert log_in("127.0.0.3") == 403
    assert nginx.ask("/healthz", visitor="127.0.0.2")[0].status == 200


def test_a_live_stream_is_not_held_back(nginx: Proxy, table_of: Callable, play_on: Callable) -> None:
    table = table_of("alice", "bob")
    connection = nginx.connect()
    connection.request("GET", f"/tables/{table.code}/events/?seen={table.version}")
    stream = connection.getresponse()
    assert stream.readline().startswith(b"retry: ")
    play_on(table, 1)
    wait_for_line(stream, f"id: {table.version + 1}\n".encode())
    connection.close()


def wait_for_line(stream: http.client.HTTPResponse, wanted: bytes) -> None:
    """Until it comes; in between the stream says that it is still there."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while stream.readline() != wanted:
        assert time.monotonic() < deadline


def test_files_come_compressed_and_are_kept(nginx: Proxy) -> None:
    _, page = nginx.ask("/")
    [sheet, *_] = re.findall(r'href="(/static/[^"]+site\.\w+\.css)"', page.decode())
    answer, body = nginx.ask(sheet, **{"Accept-Encoding": "gzip"})
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
    assert "immutable" in answer.headers["Cache-Control"]
    assert len(body) < len(nginx.ask(sheet)[1]) / 2
    assert nginx.ask("/", **{"Accept-Encoding": "gzip"})[0].headers["Content-Encoding"] is None


def test_visitors_are_led_to_tls_and_http_2(nginx: Proxy) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", nginx.http_port, timeout=PATIENCE_SECONDS)
    connection.request("GET", "/play/?game=casino")
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, "https://cards.example/play/?game=casino")
    connection.close()
    secure = nginx.connect(protocol="h2")
    secure.connect()
    assert secure.sock.selected_alpn_protocol() == "h2"
    secure.close()
