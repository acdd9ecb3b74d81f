"""Push messages on the screen."""

import json
import re
import time

import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def browser(windowed_browser):
    return windowed_browser


def test_the_service_worker_shows_what_is_pushed(new_context, live_url, log_in):
    context = new_context()
    context.grant_permissions(["notifications"], origin=live_url)
    log_in(context, "ann")
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    workers: list[str] = []
    displayed: list[str] = []  # not asked for again and again: to ask takes away what is just being displayed
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: workers.extend(found["registrationId"] for found in event["registrations"]),
    )
    devtools.on(
        "BackgroundService.backgroundServiceEventReceived",
        lambda event: displayed.append(event["backgroundServiceEvent"]["eventName"]),
    )
    devtools.send("ServiceWorker.enable")
    devtools.send("BackgroundService.startObserving", {"service": "notifications"})
    devtools.send("BackgroundService.setRecording", {"service": "notifications", "shouldRecord": True})

    def wait_for(events: list[str]) -> None:
        deadline = time.monotonic() + 30
        while not events and time.monotonic() < deadline:
            page.wait_for_timeout(50)

    page.goto(f"{live_url}/notices/settings/")
    page.get_by_role("button", name="Turn on push").wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_for(workers)
    message = {"text": "Cup 1 starts now.", "url": "/notices/1/", "tag": "event:1"}
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": live_url, "registrationId": workers[0], "data": json.dumps(message)},
    )
    wait_for(displayed)
    notes = "(await (await navigator.serviceWorker.ready).getNotifications())"
    shown = page.evaluate(f"(async () => {notes}.map(note => [note.title, note.data, note.tag]))()")
    assert shown == [["Cup 1 starts now.", "/notices/1/", "event:1"]]
    expect(page.locator("[data-push-state]")).to_contain_text("even when the site is closed")


def test_who_blocks_notifications_reads_why_there_is_no_button(new_context, live_url, log_in):
    page = new_context().new_page()
    log_in(page.context, "ann")
    page.add_init_script("""
        Notification.requestPermission = async () => {
            Object.defineProperty(Notification, "permission", { value: "denied" });
            return "denied";
        };
    """)
    page.goto(f"{live_url}/notices/settings/")
    page.get_by_role("button", name="Turn on push").click()
    expect(page.locator("[data-push-state]")).to_contain_text("You have blocked notifications")
    expect(page.get_by_role("button", name="Turn on push")).to_be_hidden()


@pytest.mark.parametrize("step", ["ServiceWorkerContainer.prototype.register", "PushManager.prototype.subscribe"])
def test_a_browser_that_refuses_push_says_so(new_context, live_url, log_in, step):
    context = new_context()
    context.grant_permissions(["notifications"], origin=live_url)
    page = context.new_page()
    log_in(context, "ann")
    page.add_init_script(f"{step} = () => Promise.reject(new DOMException('not here', 'SecurityError'));")
    page.goto(f"{live_url}/notices/settings/")
    if "subscribe" in step:
        page.get_by_role("button", name="Turn on push").click()
    expect(page.locator("[data-push-state]")).to_contain_text(re.compile("refuses notifications|not here"))
