"""Outgoing HTTP requests to addresses that users choose, safe against SSRF.

The host is resolved once, each of its IP addresses must be public, and the connection goes to an address that was
checked, so a name that changes its address in between (DNS rebinding) reaches nothing else. Redirects are not followed,
no proxy of the environment is used, and only the status and the headers of the answer are read.
"""

import re
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 5  # to connect, and for each read
DEADLINE_SECONDS = 10  # for the whole request, against answers that trickle
LONGEST_URL = 400
PORTS = {"https": 443, "http": 80}
NOT_FOUND = "The host wasn't found on the public internet."  # whether a private name exists is not told

GLOBAL_UNICAST = ip_network("2000::/3")
NAT64 = ip_network("64:ff9b::/96")
ALSO_PRIVATE = [ip_network(text) for text in ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")]  # not for all Pythons


class AddressRefused(ValueError):
    """The site doesn't send anything to this address; the message says why."""


class RequestFailed(Exception):
    """There was no answer; the message says what happened, without details of the network."""


@dataclass(frozen=True, slots=True)
class Target:
    """A URL in parts. path: with the query."""

    scheme: str
    host: str
    port: int
    path: str


def parse_target(url: str, *, allows_loopback: bool = False) -> Target:
    """The parts of an https URL; of an http URL, too, if loopback is allowed. :raises AddressRefused:"""
    if len(url) > LONGEST_URL or not re.fullmatch(r"[!-~]+", url) or "\\" in url:
        raise AddressRefused("Enter an address of ASCII characters without spaces.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise AddressRefused("This is not a valid address.") from None
    if parts.scheme != "https" and not (allows_loopback and parts.scheme == "http"):
        raise AddressRefused("The address must start with https://.")
    if "@" in parts.netloc:
        raise AddressRefused("The address must not contain a user name or password.")
    if not re.fullmatch(r"[a-z0-9._-]+|[0-9a-f:.]+", host) or port == 0:
        raise AddressRefused("This is not a valid address.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or PORTS[parts.scheme], path)


def is_public(text: str) -> bool:
    """Whether this IP address is one of the public internet. An IPv4 address inside an IPv6 one is judged instead."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if address.scope_id or address not in GLOBAL_UNICAST:
            return False
    is_special = address.is_multicast or address.is_reserved or any(address in network for network in ALSO_PRIVATE)
    return address.is_global and not is_special


def resolve(target: Target, *, allows_loopback: bool = False) -> list[str]:
    """The IP addresses of a host, all of them allowed. :raises AddressRefused: :raises RequestFailed:"""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise RequestFailed(NOT_FOUND) from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    for address in addresses:
        is_allowed = is_public(address) or (allows_loopback and ip_address(address).is_loopback)
        if not is_allowed:
            raise AddressRefused(NOT_FOUND)
    return addresses


class _PinnedConnection(HTTPConnection):
    """A connection to the first of `addresses` that answers. The certificate is checked against the host's name."""

    def __init__(self, target: Target, addresses: Sequence[str]) -> None:
        self.default_port = PORTS[target.scheme]
        super().__init__(target.host, target.port, timeout=TIMEOUT_SECONDS)
        self.addresses, self.is_secure = addresses, target.scheme == "https"

    def connect(self) -> None:
        self.sock = self._connected()
        if self.is_secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock.do_handshake()

    def _connected(self) -> socket.socket:
        error: OSError = OSError("no address")
        for address in self.addresses:
            try:
                return socket.create_connection((address, self.port), timeout=TIMEOUT_SECONDS)
            except OSError as failed:
                error = failed
        raise error

    def shut_down(self) -> None:
        """Ends the connection under a thread that waits for it."""
        sock = self.sock
        if sock is not None:
            with suppress(OSError):  # it is closed already
                socket.socket.shutdown(sock, socket.SHUT_RDWR)  # the plain one: TLS drops its state under the reader


def post(url: str, body: bytes, headers: Mapping[str, str], *, allows_loopback: bool = False) -> int:
    """Sends a POST, and returns the status of the answer. :raises AddressRefused: :raises RequestFailed:"""
    target = parse_target(url, allows_loopback=allows_loopback)
    connection = _PinnedConnection(target, resolve(target, allows_loopback=allows_loopback)[:2])
    deadline = threading.Timer(DEADLINE_SECONDS, connection.shut_down)
    deadline.daemon = True
    deadline.start()
    try:
        connection.request("POST", target.path, body, {**headers, "Connection": "close"})
        return connection.getresponse().status
    except ssl.SSLError:
        raise RequestFailed("The certificate or the TLS connection isn't valid.") from None
    except TimeoutError:
        raise RequestFailed("The host didn't answer in time.") from None
    except (OSError, HTTPException, ValueError):
        raise RequestFailed("The host couldn't be reached, or its answer isn't HTTP.") from None
    finally:
        deadline.cancel()
        connection.close()
