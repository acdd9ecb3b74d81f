"""Outgoing requests: which addresses are refused (SSRF), and that the connection goes to the one that was checked."""

import socket
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from infra import outgoing
from infra.outgoing import AddressRefused, RequestFailed, is_public, parse_target, post, resolve
from tests.receiver import serving

PUBLIC = """
8.8.8.8 1.1.1.1 93.184.216.34 2606:4700:4700::1111 2a00:1450:4001:81b::200e ::ffff:8.8.8.8 64:ff9b::808:808
2002:808:808::1
""".split()

PRIVATE = """
127.0.0.1 127.8.9.1 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
192.0.0.8 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
fe80::1 fe80::1%eth0 fe80::1%1 2606:4700:4700::1111%eth0 fec0::1 fc00::1 fd12:3456::1 ff02::1 ff0e::1 2001:db8::1
100::1 2001::1 2001:0:7f00:1:: 2002:7f00:1:: 2002:a00:1:: 2002:c0a8:101::1 2002:a9fe:a9fe:: 64:ff9b::7f00:1
64:ff9b::a00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1 3fff::1 5f00::1
2130706433 0x7f000001 017700000001 127.1 0177.0.0.1 localhost 8.8.8.8.8 8.8.8.08
""".split()


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address):
    assert is_public(address)


@pytest.mark.parametrize("address", [*PRIVATE, ""])
def test_other_addresses_are_refused(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "host",
    "127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.1 0 [::1] [::] [::ffff:127.0.0.1] "
    "[::ffff:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] [fe80::1] 10.0.0.1 3232235777 "
    "localhost LOCALHOST localhost.".split(),
)
def test_whatever_its_spelling_a_host_of_this_network_is_refused(host):
    with pytest.raises((AddressRefused, RequestFailed)):
        post(f"https://{host}/hook", b"", {})
    with pytest.raises((AddressRefused, RequestFailed)):
        resolve(parse_target(f"https://{host}/hook"))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "example.org",
        "//example.org/", "https://", "https:///path", "https://ann:secret@example.org/", "https://ann@example.org/",
        "https://@example.org/", "https://example.org:0/", "https://example.org:99999/", "https://example.org:x/",
        "https://example.org\\@127.0.0.1/", "https://exa mple.org/", "https://example.org/\r\nX: y", "https://exämple.org/",
        "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/", "https://[::1/", "https://exa%6dple.org/",
        "https://example.org/" + "a" * 400, "https://①②⑦.⓪.⓪.①/", "https://example.org/\x00", "",
    ],
)  # fmt: skip
def test_addresses_of_another_form_are_refused(url):
    with pytest.raises(AddressRefused):
        parse_target(url)


def test_one_private_address_of_several_is_enough_to_refuse(monkeypatch):
    """A host with a public and a private address must not be tried until the private one is used."""
    found = [(2, 1, 6, "", (address, 443)) for address in ("8.8.8.8", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *arguments, **named: found)
    with pytest.raises(AddressRefused, match="public"):
        resolve(parse_target("https://example.org/"))


def test_loopback_is_allowed_only_where_it_is_set_and_never_the_rest_of_the_network():
    target = parse_target("http://127.0.0.1:8080/hook?a=1", allows_loopback=True)
    assert (target.host, target.port, target.path) == ("127.0.0.1", 8080, "/hook?a=1")
    assert resolve(target, allows_loopback=True) == ["127.0.0.1"]
    for host in ("10.0.0.1", "169.254.169.254", "0.0.0.0"):
        with pytest.raises(AddressRefused):
            resolve(parse_target(f"http://{host}/", allows_loopback=True), allows_loopback=True)


@pytest.fixture
def server():
    """A server on this machine: `answer` writes to the connection; `got` has the requests."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            server.got.append((self.path, dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            server.answer(self)

        def log_message(self, *arguments):
            pass

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        server.got, server.answer = [], lambda handler: (handler.send_response(204), handler.end_headers())
        server.origin = f"http://127.0.0.1:{server.server_port}"
        yield server


def test_a_post_arrives_as_it_was_sent(server):
    assert post(f"{server.origin}/hook?a=1", b"{}", {"Content-Type": "application/json"}, allows_loopback=True) == 204
    [(path, headers, body)] = server.got
    assert (path, body, headers["Content-Type"]) == ("/hook?a=1", b"{}", "application/json")
    assert headers["Host"] == server.origin.removeprefix("http://")


def test_the_connection_goes_to_the_address_that_was_checked(server, monkeypatch):
    """A name that is resolved twice could have another address the second time."""
    real, asked = socket.getaddrinfo, []

    def resolve_once(host, *arguments, **named):
        asked.append(host)
        return real("127.0.0.1" if host == "rebinds.example" else host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve_once)
    assert post(f"http://rebinds.example:{server.server_port}/", b"", {}, allows_loopback=True) == 204
    assert asked.count("rebinds.example") == 1
    assert server.got[0][1]["Host"] == f"rebinds.example:{server.server_port}"


def test_a_redirect_is_not_followed(server):
    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", f"{server.origin}/elsewhere")
        handler.end_headers()

    server.answer = answer
    assert post(f"{server.origin}/hook", b"", {}, allows_loopback=True) == 302
    assert [path for path, *_ in server.got] == ["/hook"]


def test_a_proxy_of_the_environment_is_not_used(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert post(f"{server.origin}/hook", b"", {}, allows_loopback=True) == 204


def test_an_answer_that_trickles_ends_at_the_deadline(server, monkeypatch):
    monkeypatch.setattr(outgoing, "DEADLINE_SECONDS", 0.5)

    def answer(handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        for _ in range(40):
            time.sleep(0.1)
            try:
                handler.wfile.write(b"a")
            except OSError:
                return

    server.answer, started = answer, time.monotonic()
    with suppress(RequestFailed):
        post(f"{server.origin}/hook", b"", {}, allows_loopback=True)
    assert time.monotonic() - started < 3


def test_a_long_body_is_not_read(server):
    def answer(handler):
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(10_000):
                handler.wfile.write(b"a" * 10_000)
        except OSError:
            server.got.append("cut")

    server.answer = answer
    assert post(f"{server.origin}/hook", b"", {}, allows_loopback=True) == 200


def test_a_host_that_does_not_answer_is_a_failure_without_details():
    with pytest.raises(RequestFailed, match="reached"):
        post("http://127.0.0.1:1/", b"", {}, allows_loopback=True)


def test_https_checks_the_certificate(server):
    """The server speaks no TLS, so nothing is sent."""
    with pytest.raises(RequestFailed, match="TLS"):
        post(f"https://127.0.0.1:{server.server_port}/", b"secret", {}, allows_loopback=True)
    assert server.got == []
