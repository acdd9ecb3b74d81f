from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from tests.receiver import serving
from tests.tables import account


@dataclass
class PushService:
    """A push service on this machine: keeps what it gets, as headers and body, and answers `status`."""

    origin: str
    status: int = 201
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def ann(db: None) -> Any:
    return account("ann")


@pytest.fixture
def as_ann(ann: Any) -> Client:
    browser = Client()
    browser.force_login(ann)
    return browser


@pytest.fixture
def push_service(settings) -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(service.status)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        service = PushService(f"http://127.0.0.1:{server.server_port}")
        settings.PUSH_SERVICES = [service.origin]
        yield service


@pytest.fixture
def browser_keys() -> SimpleNamespace:
    """What a browser keeps (`key`, `secret`) and what it hands out (`p256dh`, `auth`)."""
    import secrets
    from base64 import urlsafe_b64encode

    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key, secret = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16)
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    p256dh, auth = (urlsafe_b64encode(data).decode().rstrip("=") for data in (point, secret))
    return SimpleNamespace(key=key, secret=secret, p256dh=p256dh, auth=auth)
