"""Webhooks in the browser: made, with a secret that is shown once, turned off, deleted."""

import pytest
from playwright.sync_api import expect

from notifications.models import Webhook, WebhookDelivery


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=str)
def test_a_person_makes_a_webhook_and_looks_at_its_log(new_context, live_url, log_in, axe, size):
    page = new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    log_in(page.context, "alice")
    page.goto(f"{live_url}/accounts/")
    page.get_by_role("link", name="Webhooks").click()
    page.get_by_label("Address").fill("https://8.8.8.8/" + "long" * 30)
    page.get_by_label("It's your bot's turn").check()
    page.get_by_role("button", name="Create webhook").click()
    expect(page.get_by_label("Secret of your new webhook")).to_be_visible()
    axe(page)
    assert_fits(page)
    hook = Webhook.objects.get()
    assert hook.site == live_url
    WebhookDelivery.objects.create(webhook=hook, kind="bot.turn", body="{}", attempts=6, problem="The answer was 500.")
    page.get_by_role("link", name="https://8.8.8.8/").click()
    expect(page.get_by_text("The answer was 500.")).to_be_visible()
    axe(page)
    assert_fits(page)
    page.get_by_role("button", name="Turn off").click()
    expect(page.locator(".messages", has_text="The webhook is off.")).to_be_visible()
    page.get_by_role("button", name="Delete webhook").click()
    expect(page.locator(".messages", has_text="The webhook is deleted.")).to_be_visible()
    assert not Webhook.objects.exists()


def assert_fits(page):
    """Nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
