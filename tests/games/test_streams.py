"""Who may hear a live stream, and for how long: every stream of the site asks again with its heartbeat."""

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as site
from django.contrib.sessions.backends.cached_db import SessionStore
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.db.models import F
from django.test import AsyncClient
from django.utils import timezone

from accounts import services as accounts
from accounts import sessions
from accounts.models import User
from games import live
from games.live import hub
from games.models import Table
from games.record import table_store

pytestmark = [pytest.mark.django_db(transaction=True)]

PASSWORD = "a long enough one"
FOREVER = 9_999_999_999_999  # a version that no page has passed


@pytest.fixture
def quick_heartbeat(monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.01)


def make_table(table_of):
    return f"/tables/{table_of('alice', 'bob').code}/events/"


def make_event(table_of):
    from tests.tournaments.factories import NOON
    from tournaments.models import Event

    return f"/tournaments/{Event.objects.create(name='Noon', game='casino', starts_at=NOON).pk}/stream/"


def make_night(table_of):
    from tests.tournaments.factories import NOON
    from tests.tournaments.leagues import planned
    from tournaments.models import LeagueNight

    night = LeagueNight.objects.create(league=planned(), starts_at=NOON, rules_version=1)
    return f"/tournaments/leagues/nights/{night.pk}/stream/"


STREAMS = {
    "a table": make_table,
    "an event": make_event,
    "a league night": make_night,
    "the lobby": lambda _: "/play/events/",
    "the calendar": lambda _: "/tournaments/stream/",
    "notices": lambda _: "/notices/stream/",
}
every_stream = pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)


async def opened(path, user=None):
    """A stream that hears everything, with the browser that opened it."""
    browser = AsyncClient()
    if user:
        await browser.aforce_login(user)
    answer = await browser.get(f"{path}?seen={FOREVER}")
    assert answer.streaming, answer.status_code
    stream = (part.decode() async for part in answer.streaming_content)
    await asyncio.wait_for(anext(stream), 30)
    return stream, browser


async def beats(stream, times=3):
    """The stream goes on for some heartbeats."""
    for _ in range(times):
        assert await asyncio.wait_for(anext(stream), 30) == live.KEEPALIVE


async def is_closed(stream):
    """Nothing comes any more but the word that the page has to ask again."""
    async with asyncio.timeout(30):
        heard = [part async for part in stream if part != live.KEEPALIVE]
    return heard == [live.ACCESS_ENDED]


def end_session(user):
    for key in Session.objects.values_list("pk", flat=True):
        SessionStore(key).delete()  # from the cache, too


def let_session_run_out(user):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


def change_password(user):
    user.set_password("another good one")
    user.save()


def deactivate(user):
    User.objects.filter(pk=user.pk).update(is_active=False)


@every_stream
@pytest.mark.parametrize("end", [end_session, change_password, deactivate])
async def test_a_stream_closes_once_session_or_account_no_longer_hold(make, end, table_of, person, quick_heartbeat):
    path, carol = await sync_to_async(make)(table_of), await sync_to_async(person)("carol")
    stream, _ = await opened(path, carol)
    await beats(stream)
    await sync_to_async(end)(carol)
    assert await is_closed(stream)


async def test_a_stream_with_much_to_tell_asks_too(table_of, person, monkeypatch):
    """Otherwise a busy table would never have a moment without news."""
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0)
    table = await sync_to_async(table_of)("alice", "bob")
    alice = await sync_to_async(person)("alice")
    stream, _ = await opened(f"/tables/{table.code}/events/", alice)
    [news] = hub.current_hub().channels[table.channel].readers
    for number in range(100):
        news.put_nowait((live.chat_channel(table.code), b"%d" % number))
    await sync_to_async(end_session)(alice)
    assert await is_closed(stream)


@every_stream
async def test_a_stream_goes_on_while_nothing_has_changed(make, table_of, person, quick_heartbeat):
    path, carol = await sync_to_async(make)(table_of), await sync_to_async(person)("carol")
    for user in [carol] if path.startswith("/notices") else [carol, None]:
        stream, _ = await opened(path, user)
        await beats(stream)
        await stream.aclose()


@pytest.mark.parametrize("with_board", [True, False], ids=["page", "counter"])
async def test_a_change_whose_announcement_was_lost_is_told_with_the_next_heartbeat(
    with_board, table_of, quick_heartbeat
):
    """A process may be stopped between storing a move and announcing it."""
    table = await sync_to_async(table_of)("alice", "bob")
    if with_board:
        answer = await AsyncClient().get(f"/tables/{table.code}/events/?seen={table.version}")
        stream = (part.decode() async for part in answer.streaming_content)
    else:
        stream = live.stream(table.channel, lambda: Table.objects.get(pk=table.pk).version, seen=table.version)
    assert "retry" in await asyncio.wait_for(anext(stream), 30)
    for version in (table.version + 1, table.version + 2):
        await Table.objects.filter(pk=table.pk).aupdate(version=version)
        async with asyncio.timeout(30):
            heard = await anext(part async for part in stream if part != live.KEEPALIVE)
        assert f"\nid: {version}\n" in heard
        live.announce(table.channel, version)  # late: it tells nothing new


async def test_a_session_that_holds_something_new_still_holds(table_of, person, quick_heartbeat):
    path, carol = await sync_to_async(make_table)(table_of), await sync_to_async(person)("carol")
    stream, browser = await opened(path, carol)
    await beats(stream)

    def write():
        store = SessionStore(browser.cookies[site.SESSION_COOKIE_NAME].value)
        store["something"] = "new"
        store.save()

    await sync_to_async(write)()
    await beats(stream)
    await sync_to_async(end_session)(carol)
    assert await is_closed(stream)


async def test_the_streams_of_a_browser_that_logs_out_close_and_those_of_others_come_back(table_of, person):
    path, carol = await sync_to_async(make_table)(table_of), await sync_to_async(person)("carol")
    (here, browser), (elsewhere, _) = await opened(path, carol), await opened(path, carol)
    await browser.post("/accounts/logout/")
    assert await is_closed(here)
    async with asyncio.timeout(30):
        assert [part async for part in elsewhere] == []  # it ends, and its browser asks again by itself
    assert await Session.objects.acount() == 1


def test_to_ask_again_takes_one_query(client, person, django_assert_num_queries):
    client.force_login(person("carol"))
    login = sessions.login_of(client.get("/accounts/").wsgi_request)
    with django_assert_num_queries(1):
        assert sessions.still_holds(login)
    let_session_run_out(person("carol"))
    assert not sessions.still_holds(login)


def test_a_deleted_user_is_logged_in_nowhere(client, person):
    client.force_login(person("carol"))
    login = sessions.login_of(client.get("/accounts/").wsgi_request)
    person("carol").delete()
    assert not sessions.still_holds(login)


def test_what_is_asked_again_ends_no_session(client, person):
    """A request with an old password would; another tab may be about to renew this very session."""
    client.force_login(person("carol"))
    login = sessions.login_of(client.get("/accounts/").wsgi_request)
    change_password(person("carol"))
    assert not sessions.still_holds(login)
    assert Session.objects.count() == 1


def test_a_database_that_does_not_answer_closes_no_stream():
    def asks(version):
        raise OperationalError("the database is starting again")

    assert live.access_check(None, asks)(1)


# Access to a table


async def test_the_stream_of_a_hidden_table_is_for_its_players_as_its_page_is(table_of, person):
    table = await sync_to_async(table_of)("alice", "bob")
    await Table.objects.filter(pk=table.pk).aupdate(is_hidden=True)
    for name in ("nobody", "carol"):
        browser = AsyncClient()
        if name != "nobody":
            await browser.aforce_login(await sync_to_async(person)(name))
        for page in ("", "events/"):
            assert (await browser.get(f"/tables/{table.code}/{page}")).status_code == 403
    stream, _ = await opened(f"/tables/{table.code}/events/", await sync_to_async(person)("alice"))
    await stream.aclose()


async def test_the_stream_of_a_deal_that_one_may_still_play_is_as_closed_as_its_page(table_of, person):
    table = await sync_to_async(table_of)("alice", "bob")
    await Table.objects.filter(pk=table.pk).aupdate(offers_deal=True)
    for page in ("", "events/"):
        answer = await AsyncClient().get(f"/tables/{table.code}/{page}")
        assert (answer.status_code, answer["Location"]) == (302, f"/deals/{table.code}/")


@pytest.mark.parametrize("change", [{"is_hidden": True}, {"offers_deal": True}])
async def test_the_stream_of_who_may_no_longer_see_a_table_closes(change, table_of, person, quick_heartbeat):
    table = await sync_to_async(table_of)("alice", "bob")
    alice = await sync_to_async(person)("alice")
    path = f"/tables/{table.code}/events/"
    (watching, _), (playing, _) = await opened(path), await opened(path, alice)

    def hide():
        Table.objects.filter(pk=table.pk).update(version=F("version") + 1, **change)
        live.announce(table.channel, table.version + 1)

    await sync_to_async(hide)()
    assert await is_closed(watching)
    await beats(playing)
    await playing.aclose()


async def test_the_stream_of_a_table_that_is_gone_closes(table_of, quick_heartbeat):
    table = await sync_to_async(table_of)("alice", "bob")
    stream, _ = await opened(f"/tables/{table.code}/events/")
    await beats(stream)
    table_store._newest.clear()
    await Table.objects.filter(pk=table.pk).adelete()
    assert await is_closed(stream)


@pytest.mark.parametrize(
    "path", ["/tables/nowhere2/events/", "/tournaments/999/stream/", "/tournaments/leagues/nights/999/stream/"]
)
def test_a_stream_of_nothing_is_404(path, client):
    assert client.get(path).status_code == 404


def test_who_is_not_logged_in_has_no_stream_of_notices(client):
    assert client.get("/notices/stream/").status_code == 204


# In a browser


def test_a_page_whose_session_has_ended_loads_again(page, live_url, log_in, table_of, quick_heartbeat):
    table = table_of("alice", "bob")
    log_in(page.context, "alice")
    with page.expect_response("**/events/**"):  # a stream that begins later is one of a stranger
        page.goto(f"{live_url}/tables/{table.code}/")
    page.locator("#board .hand button, #board .hand label").first.wait_for()
    with page.expect_navigation():
        end_session(None)
    assert page.locator("#notices").count() == 0


def test_a_page_without_a_stream_of_its_own_leads_to_the_log_in(page, live_url, log_in, person, quick_heartbeat):
    accounts.sign_up(username="dora", password=PASSWORD)
    log_in(page.context, "dora")
    with page.expect_response("**/notices/stream/**"):
        page.goto(f"{live_url}/accounts/")
    end_session(None)
    page.wait_for_url("**/accounts/login/**")
