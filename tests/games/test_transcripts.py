"""What somebody hears who does not look: all that the live region of the table page says during a hand.

A transcript in `transcripts/` holds the moves (`> X AH`) of both seats, the listener's being seat 0, and the keys that
are pressed (`key h`; `next` is the button after a hand); below each stands what was said then. It has to be read, too:
it should make sense on its own.
"""

import re
from pathlib import Path

import pytest
from django.conf import settings

from games import services

SECRETS = {  # of the deals
    "casino": bytes(32), "gin-rummy": bytes([6]) * 32, "sixty-six": bytes([5]) * 32, "vatican": bytes(32),
}  # fmt: skip
TRANSCRIPTS = Path(__file__).parent / "transcripts"
LISTEN = """() => {
    window.heard = [];
    const region = document.getElementById("announce");
    new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
}"""
FALLS_SILENT = "([count, seq]) => heard.length > count && document.getElementById('board').dataset.seq == seq"


@pytest.fixture
def listener(live_url, new_context, as_user, person):
    """Alice's page at a table, which keeps all that is said there in `heard`."""

    def sit(table):
        page = new_context().new_page()
        session = as_user(person("Alice")).cookies[settings.SESSION_COOKIE_NAME].value
        cookies = {settings.SESSION_COOKIE_NAME: session, "forced": "ask", "count": "all", "order": "rank"}
        page.context.add_cookies([{"name": name, "value": value, "url": live_url} for name, value in cookies.items()])
        page.goto(live_url + table.get_absolute_url())
        page.evaluate(LISTEN)
        return page

    return sit


@pytest.mark.parametrize("name", SECRETS)
def test_a_listener_hears_what_the_transcript_says(name, listener, table_of, state_of):
    transcript = (TRANSCRIPTS / f"{name}.txt").read_text()
    table = table_of("Alice", "Bob", game=name, secret=SECRETS[name])
    page, lines = listener(table), []
    for line in [line for line in transcript.splitlines() if re.match("> |key |next$", line)]:
        known = page.evaluate("heard.length")
        if line == "next":
            page.get_by_role("button", name=re.compile("Next (hand|deal)")).click()
            page.wait_for_function(FALLS_SILENT, arg=[known, str(table.version + 1)])
            table.refresh_from_db()
        elif line.startswith("key "):
            page.locator("#board").press(line[4:])
        else:
            seat = state_of(table).to_act[0]
            table = services.play_move(table_id=table.pk, seat=seat, text=line[2:], version=table.version)
        page.wait_for_function(FALLS_SILENT, arg=[known, str(table.version)])
        lines += [line, *page.evaluate("from => heard.slice(from)", known)]
    assert "\n".join(lines) + "\n" == transcript
