"""Servers on this machine to which the site sends, such as one that keeps error reports and traces."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from threading import Thread
from typing import TypeVar

SECONDS_TO_STOP = 0.01  # Python's own servers look every half second whether they are to stop
S = TypeVar("S", bound=BaseServer)


@contextmanager
def serving(server: S) -> Iterator[S]:
    """The server answers meanwhile, in a thread of its own."""
    with server:
        Thread(target=server.serve_forever, args=(SECONDS_TO_STOP,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


class Receiver(ThreadingHTTPServer):
    """bodies: of the POST requests so far, unpacked."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        super().__init__(("127.0.0.1", 0), Endpoint)

    @property
    def text(self) -> str:
        return b"\n".join(self.bodies).decode()


class Endpoint(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_packed = self.headers.get("Content-Encoding") == "gzip"
        self.server.bodies.append(gzip.decompress(body) if is_packed else body)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        pass
