"""Web app: what browsers need to install the site, and what they show without a connection."""

import json
import re
import struct
from pathlib import Path

import pytest
from django.contrib.auth.models import AbstractUser
from django.contrib.staticfiles import finders
from django.test import Client
from playwright.sync_api import expect

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def kept_by(worker: str) -> list[str]:
    """The addresses that the service worker keeps."""
    found = re.search(r"const KEPT = \[OFFLINE, ([^\]]+)\]", worker)
    assert found
    return ["/offline/", *json.loads(f"[{found[1]}]")]


def test_the_manifest_names_icons_that_are_there(client: Client) -> None:
    response = client.get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    manifest = response.json()
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))
    assert '<link rel="manifest" href="/manifest.webmanifest">' in client.get("/").content.decode()


def test_ios_finds_an_icon_in_its_size(client: Client) -> None:
    found = re.search(r'<link rel="apple-touch-icon" href="/static/([^"]+)">', client.get("/").content.decode())
    assert found
    png = Path(finders.find(found[1])).read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (180, 180)


def test_the_service_worker_stands_at_the_root_and_may_load_nothing_else(client: Client) -> None:
    response = client.get("/sw.js")
    assert response["Content-Type"] == "text/javascript"
    assert response["Cache-Control"] == "no-cache"
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert 'addEventListener("push"' in response.content.decode()


def test_the_service_worker_keeps_the_offline_page_and_its_stylesheet(client: Client) -> None:
    sheets = re.findall(r'rel="stylesheet" href="([^"]+)"', client.get("/offline/").content.decode())
    assert kept_by(client.get("/sw.js").content.decode()) == ["/offline/", *sheets]


def test_the_offline_page_holds_nothing_of_a_person(client: Client, person: type[AbstractUser]) -> None:
    plain = client.get("/offline/")
    client.force_login(person("alice"))
    own = client.get("/offline/")
    assert own.content == plain.content
    assert not own.cookies


def test_without_a_connection_a_page_of_ours_says_so(new_context, live_url, log_in, axe) -> None:
    context = new_context(service_workers="allow")
    log_in(context, "alice")
    page = context.new_page()
    page.goto(f"{live_url}/games/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    kept = page.evaluate(
        """async () => {
             const names = await caches.keys();
             const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
             return requests.flat().map((request) => new URL(request.url).pathname);
           }"""
    )
    assert sorted(kept) == sorted(kept_by(page.request.get(f"{live_url}/sw.js").text()))
    context.set_offline(True)
    page.goto(f"{live_url}/tournaments/")
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    assert page.url == f"{live_url}/tournaments/"
    axe(page)
    context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Tournaments", exact=True)).to_be_visible()
