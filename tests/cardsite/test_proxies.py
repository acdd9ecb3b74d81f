"""Whose visitor it is that a proxy sends: real requests to uvicorn, told apart by the limit on wrong links."""

import http.client
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from accounts.brute_force import ATTEMPTS_PER_ADDRESS
from cardsite import checks
from cardsite.server.processes import Child, stop

ROOT = Path(__file__).parents[2]
STRANGER = "203.0.113.9"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("sqlite")]


@pytest.fixture(scope="module")
def web(request: pytest.FixtureRequest, start_site: Callable, valkey: None) -> Iterator[tuple[str, Child]]:
    """A site that trusts the proxies of the parameter; requests come from 127.0.0.1."""
    with start_site("proxied", FORWARDED_ALLOW_IPS=request.param) as (address, process):
        yield address, process


@pytest.fixture
def site(web: tuple[str, Child]) -> str:
    """Its address."""
    return web[0]


def guess(address: str, forwarded: str) -> int:
    """The status of a try at a secret link: 403 if it was checked, 429 after too many by one address."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
    connection.request("GET", "/login-link/invented/", headers={"X-Forwarded-For": forwarded})
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize("web", ["127.0.0.1"], indirect=True)
def test_a_trusted_proxy_says_who_the_visitors_are(site: str) -> None:
    assert [guess(site, STRANGER) for _ in range(ATTEMPTS_PER_ADDRESS + 1)] == [403] * ATTEMPTS_PER_ADDRESS + [429]
    assert guess(site, "198.51.100.4") == 403


@pytest.mark.parametrize("web", ["127.0.0.1,10.0.0.0/8"], indirect=True)
@pytest.mark.parametrize("hops", ["{}, " + STRANGER, "{}, " + STRANGER + ", 10.0.0.7"])
def test_what_a_visitor_claims_before_the_proxies_counts_for_nothing(site: str, hops: str) -> None:
    statuses = [guess(site, hops.format(f"192.0.2.{number}")) for number in range(ATTEMPTS_PER_ADDRESS + 1)]
    assert statuses == [403] * ATTEMPTS_PER_ADDRESS + [429]


@pytest.mark.parametrize("web", ["127.0.0.1"], indirect=True)
def test_one_visitor_with_many_ipv6_addresses_is_one(site: str) -> None:
    statuses = [guess(site, f"2001:db8:1:2::{number:x}") for number in range(ATTEMPTS_PER_ADDRESS + 1)]
    assert statuses == [403] * ATTEMPTS_PER_ADDRESS + [429]
    assert guess(site, "2001:db8:1:3::1") == 403


@pytest.mark.parametrize("web", ["192.0.2.1"], indirect=True)
def test_nobody_else_can_claim_an_address_and_the_log_tells_of_it(site: str, web: tuple[str, Child]) -> None:
    statuses = [guess(site, f"203.0.113.{number}") for number in range(ATTEMPTS_PER_ADDRESS + 1)]
    assert statuses == [403] * ATTEMPTS_PER_ADDRESS + [429]
    stop([web[1]])
    [said] = [line for line in web[1].lines if " accounts.throttle: " in line]
    assert "127.0.0.1 names another visitor" in said and "FORWARDED_ALLOW_IPS" in said


def test_a_web_server_that_would_believe_everyone_does_not_start(tmp_path: Path) -> None:
    env = os.environ | {"FORWARDED_ALLOW_IPS": "*", "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "uvicorn", "cardsite.asgi:application", "--port=0"]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "FORWARDED_ALLOW_IPS must not be *" in done.stderr.splitlines()[-1]


def test_a_proxy_that_nobody_named_is_told_of(settings) -> None:
    assert checks.check_trusted_proxies(None) == []
    settings.HTTPS = True
    [warning] = checks.check_trusted_proxies(None)
    assert warning.id == "cardsite.W001"
    settings.FORWARDED_ALLOW_IPS = ["10.0.0.5"]
    assert checks.check_trusted_proxies(None) == []
