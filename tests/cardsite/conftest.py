"""The world of the walk over all addresses, and the example tables of the style guide."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import Page


@pytest.fixture(scope="module")
def world(kept: None) -> SimpleNamespace:
    """People, tables and events in every state."""
    from tests.cardsite.walk_world import built

    return built()


@pytest.fixture
def casino(page: Page, live_url: str) -> Page:
    page.goto(f"{live_url}/style/casino/")
    page.wait_for_selector(".pick[data-drag]")
    return page


@pytest.fixture
def vatican(page: Page, live_url: str) -> Page:
    page.goto(f"{live_url}/style/vatican/")
    page.wait_for_selector("[data-ready]")
    return page
