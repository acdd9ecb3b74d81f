"""The handler of the web process answers what Django's own would, whatever is asked."""

import asyncio
import re
from urllib.parse import urlencode

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.handlers.asgi import ASGIHandler
from django.utils import timezone

from accounts.models import User
from cardsite.web.handler import Handler
from games import services
from games.live import hub
from games.models import Move, Table
from games.record import replay
from tests.loop import run

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "t" * 32
CHANGING = re.compile(
    rb'(csrfmiddlewaretoken" value|X-CSRFToken": |nonce=)[^ >]*|nonce-[^\']+|data-now="[^"]*"|expires=[^;]*'
)


def request(method, path, *, cookies="", token=TOKEN, htmx=True, **form):
    body = urlencode(form).encode()
    headers = {
        "host": "localhost", "cookie": f"csrftoken={TOKEN}; {cookies}", "content-length": str(len(body)),
        "content-type": "application/x-www-form-urlencoded",
    } | ({"hx-request": "true"} if htmx else {}) | ({"x-csrftoken": token} if token else {})  # fmt: skip
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "path": path, "query_string": b"", "scheme": "http",
        "server": ("localhost", 80), "client": ("127.0.0.1", 1),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    return scope, body


async def answer(handler, scope, body):
    """Status, headers and body; what is new in every answer is left out."""
    talk = ApplicationCommunicator(handler, scope)
    await talk.send_input({"type": "http.request", "body": body})
    start, pieces, more = await talk.receive_output(10), [], True
    while more:
        message = await talk.receive_output(10)
        pieces.append(message.get("body", b""))
        more = message.get("more_body", False)
    await talk.wait()
    headers = sorted((name, CHANGING.sub(b"", value)) for name, value in start["headers"] if name != b"Content-Length")
    return start["status"], headers, CHANGING.sub(b"", b"".join(pieces))


def ask(handler, scope, body=b""):
    return run(answer(handler, scope, body))


@pytest.fixture
def table():
    """A table of casino at which seat 0 is to move, in the same position each time."""
    people = [User.objects.get_or_create(username=name)[0] for name in ("ann", "bob")]
    made = services.seat_and_start(game="casino", players=people, options=None, secret=bytes(32), first_dealer=1)
    return Table.objects.with_seats().get(pk=made.pk)


@pytest.fixture
def cookies(client):
    def of(name):
        client.force_login(User.objects.get_or_create(username=name)[0])
        return f"sessionid={client.cookies['sessionid'].value}"

    return of


def move(table, **changes):
    """A legal move of whoever is to act, but for the changes."""
    state = replay.state_of(table)
    form = {"version": table.version, "text": state.legal_moves(state.to_act[0])[0]}
    return request("POST", f"/tables/{table.code}/moves/", **form | changes)


def hidden(table):
    Table.objects.filter(pk=table.pk).update(is_hidden=True)


CASES = {
    "the opponent's board": (200, lambda t, c: request("GET", f"/tables/{t.code}/board/", cookies=c("bob"))),
    "a spectator's board": (200, lambda t, c: request("GET", f"/tables/{t.code}/board/")),
    "the whole page": (200, lambda t, c: request("GET", f"/tables/{t.code}/", cookies=c("ann"), htmx=False)),
    "no such table": (404, lambda t, c: request("POST", "/tables/nowhere/moves/", cookies=c("ann"), text="x")),
    "no token": (403, lambda t, c: move(t, cookies=c("ann"), token="")),
    "a forged token": (403, lambda t, c: move(t, cookies=c("ann"), token="f" * 32)),
    "logged out": (403, lambda t, c: move(t)),
    "somebody else's table": (403, lambda t, c: move(t, cookies=c("carol"))),
    "out of turn": (422, lambda t, c: move(t, cookies=c("bob"))),
    "an illegal move": (422, lambda t, c: move(t, cookies=c("ann"), text="AC takes 2C")),
    "no move at all": (422, lambda t, c: move(t, cookies=c("ann"), version="-1")),
    "a version of 5,000 digits": (422, lambda t, c: move(t, cookies=c("ann"), version="9" * 5000)),
    "a time of 20 digits": (422, lambda t, c: move(t, cookies=c("ann"), held="9" * 20)),
    "a NUL": (400, lambda t, c: move(t, cookies=c("ann"), text="\0")),
    "a stale version": (409, lambda t, c: move(t, cookies=c("ann"), version="0")),
    "a move by GET": (405, lambda t, c: request("GET", f"/tables/{t.code}/moves/", cookies=c("ann"))),
    "a hidden table, from outside": (
        403,
        lambda t, c: hidden(t) or request("GET", f"/tables/{t.code}/board/", cookies=c("carol")),
    ),
    "a hidden table, by a player": (
        200,
        lambda t, c: hidden(t) or request("GET", f"/tables/{t.code}/board/", cookies=c("ann")),
    ),
    "a paused table": (409, lambda t, c: services.pause_table(table_id=t.pk) or move(t, cookies=c("ann"))),
    "a host that is not ours": (400, lambda t, c: foreign(t)),
    "a file": (200, lambda t, c: file()),
    "the headers of a file": (200, lambda t, c: file("HEAD")),
    "a part of a file": (206, lambda t, c: file(range="bytes=5-9")),
    "a part after the end of a file": (416, lambda t, c: file(range="bytes=99999-")),
    "a file that the browser has": (304, lambda t, c: file(**{"if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT"})),
}


def file(method="GET", **headers):
    scope, body = request(method, "/static/cardsite/icon.svg")
    scope["headers"] += [(name.encode(), value.encode()) for name, value in headers.items()]
    return scope, body


def foreign(table):
    scope, body = request("GET", f"/tables/{table.code}/board/")
    scope["headers"] = [(b"host", b"evil.example")]
    return scope, body


@pytest.mark.parametrize("case", CASES)
def test_both_handlers_give_the_same_answer(case, table, cookies):
    status, make = CASES[case]
    asked = make(table, cookies)
    ours, django = ask(Handler(), *asked), ask(ASGIHandler(), *asked)
    assert ours == django
    assert ours[0] == status
    assert not Move.objects.exists()


def test_a_move_is_stored_and_its_second_half_is_refused_by_both(table, cookies):
    asked = move(table, cookies=cookies("ann"))
    first, second = ask(Handler(), *asked), ask(Handler(), *asked)
    assert (first[0], second[0]) == (200, 409)
    assert second == ask(ASGIHandler(), *asked)
    assert Move.objects.count() == 1
    assert b'data-seq="%d"' % (table.version + 1) in first[2]


def test_a_page_ends_its_stream_when_its_reader_goes_away(table):
    async def come_and_go():
        scope, body = request("GET", f"/tables/{table.code}/events/")
        talk = ApplicationCommunicator(Handler(), scope)
        await talk.send_input({"type": "http.request", "body": body})
        assert (await talk.receive_output(10))["status"] == 200
        assert b"retry" in (await talk.receive_output(10))["body"]
        heard = hub.current_hub().channels
        assert table.channel in heard
        await talk.send_input({"type": "http.disconnect"})
        await talk.wait(10)
        assert table.channel not in heard

    asyncio.run(come_and_go())


def test_a_page_ends_its_stream_when_its_reader_goes_away_in_the_middle_of_an_event(table):
    """The network takes no more, so the stream is suspended where it hands over what it tells.

    It ends although something still refers to it, as tracebacks do.
    """

    class KeepingHandler(Handler):
        async def stream(self, response, *network):
            self.response = response
            await super().stream(response, *network)

    async def stall_and_go():
        scope, body = request("GET", f"/tables/{table.code}/events/")
        asked, is_sending, is_gone = iter([{"type": "http.request", "body": body}]), asyncio.Event(), asyncio.Event()

        async def receive():
            if message := next(asked, None):
                return message
            await is_gone.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            if message["type"] == "http.response.body":
                is_sending.set()
                await asyncio.Event().wait()

        handler = KeepingHandler()
        serving = asyncio.create_task(handler(scope, receive, send))
        await asyncio.wait_for(is_sending.wait(), 30)
        heard = hub.current_hub().channels
        assert table.channel in heard
        is_gone.set()
        await asyncio.wait_for(serving, 30)
        assert handler.response.streaming and table.channel not in heard

    asyncio.run(stall_and_go())


def test_requests_do_not_wait_for_each_other(table):
    """Two moves at once, from both sides of a table: one is played, one is out of turn or stale, none hangs."""

    async def both():
        handler = Handler()
        return await asyncio.gather(*(answer(handler, *asked) for asked in moves))

    ann, bob = (User.objects.get(username=name) for name in ("ann", "bob"))
    moves = [move(table, cookies=session(user)) for user in (ann, bob)]
    assert sorted(status for status, *_ in asyncio.run(both())) in ([200, 409], [200, 422])
    assert Move.objects.get().played_at <= timezone.now()


def session(user):
    from django.test import Client

    browser = Client()
    browser.force_login(user)
    return f"sessionid={browser.cookies['sessionid'].value}"
