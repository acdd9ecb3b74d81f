"""No card beside the table either: in streams, in the admin, in the chat, and where others play the same cards."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.contrib import admin
from django.core.cache import cache
from django.test import AsyncClient
from django.urls import reverse

from chat import services as chat
from games import engines, live, services
from tests.games.open_cards import check, check_of, may_know, named
from tests.games.recorder import Ask, Reader, addresses, addresses_of_tables
from tests.tables import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]
SECRET = b"thirty-two bytes of which no one"


# Streams


class Listener:
    """A browser with the streams of a table and of its reader's notices open."""

    def __init__(self, name, user):
        self.name, self.user, self.heard, self.streams, self.boards = name, user, [], [], 0

    @property
    def user_id(self):
        return self.user.pk if self.user else None

    async def listen(self, table):
        client = AsyncClient()
        if self.user:
            await client.aforce_login(self.user)
        for path in (f"/tables/{table.code}/events/?seen={table.version}", "/notices/stream/"):
            answer = await client.get(path)
            if answer.streaming:
                stream = aiter(answer)
                await asyncio.wait_for(anext(stream), 30)  # it hears
                self.streams.append((stream, asyncio.create_task(self.write_down(stream))))

    async def write_down(self, stream):
        async for part in stream:
            self.heard.append(part.decode())

    async def hears(self, words):
        """All that came up to where these words came."""
        async with asyncio.timeout(30):
            while not any(words in part for part in self.heard):
                await asyncio.sleep(0.005)
        heard, self.heard = "".join(self.heard), []
        return heard

    async def close(self):
        for stream, task in self.streams:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await stream.aclose()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("game", "names"),
    [("gin-rummy", ("alice", "bob")), ("four-hand-cuarenta", ("alice", "bob", "carol", "dan"))],
)
async def test_no_stream_names_a_card_that_its_reader_may_not_see(game, names, table_of, play_on, person):
    """Of two devices of a player, and of who watches. What a process draws once must reach the right ones."""
    table = await sync_to_async(table_of)(*names, game=game, secret=SECRET)
    readers = [("alice's phone", "alice"), *((name, name) for name in names), ("watcher", "watcher")]
    listeners = [Listener(label, await sync_to_async(person)(name)) for label, name in readers]
    listeners.append(Listener("nobody", None))
    for listener in listeners:
        await listener.listen(table)
    for _ in range(8):
        table = await sync_to_async(play_on)(table, 1)
        for listener in listeners:
            if listener.user:
                await sync_to_async(live.announce)(live.own_channel(listener.user_id), 1)
            text = await listener.hears(f"id: {table.version}\n")
            listener.boards += text.count("event: board")
            await sync_to_async(check_of)(f"the stream of {listener.name}", text, table, listener)
    for listener in listeners:
        assert listener.boards
        await listener.close()


# The admin


def pages_of_the_admin():
    """The lists of everything, and each row's own page and history."""
    for model in admin.site._registry:
        name = f"admin:{model._meta.label_lower.replace('.', '_')}"
        yield Ask(reverse(f"{name}_changelist"))
        for row in model._default_manager.all()[:20]:
            yield from (Ask(reverse(f"{name}_{page}", args=[row.pk])) for page in ("change", "history"))


def admin_reader(person, name="admin"):
    user = person(name)
    user.is_staff = user.is_superuser = True
    user.save()
    return Reader(name, user)


@pytest.mark.parametrize("game", ["gin-rummy", "partnership-cribbage"])  # moves of the second name cards laid away
def test_the_admin_shows_no_card_of_a_running_game(game, table_of, play_on, person):
    names = ("alice", "bob", "carol", "dan")[: engines.get(game).seats[0]]
    table = play_on(table_of(*names, game=game, secret=SECRET), 6)
    asks = list(pages_of_the_admin())
    assert reverse("admin:games_table_change", args=[table.pk]) in {ask.path for ask in asks}
    reader = admin_reader(person)
    for ask in asks:
        check_of(f"{ask} of {reader}", reader.does(ask), fresh(table), reader)


# Chat


def test_who_plays_learns_nothing_that_watchers_say(table_of, play_on, person):
    """Not even as a moderator; a watcher may know cards from elsewhere, or guess them."""
    table = play_on(table_of("alice", "bob", game="gin-rummy", secret=SECRET), 4)
    line = chat.post_line(table_id=table.pk, user=person("watcher"), kind="free", text="Bob waits for a queen.")
    watcher, alice = Reader("watcher", person("watcher")), admin_reader(person, "alice")
    about = Ask("/report/", {"line": line.pk})
    assert line.text in watcher.does(Ask(f"/tables/{table.code}/chat/", is_partial=True))
    Reader("carol", person("carol")).does(Ask(f"/report/?line={line.pk}", {"reason": "cheating"}, is_post=True))
    places = [one for one in addresses() if "code" in one.parts or one.name.startswith(("chat:", "notifications:"))]
    for ask in [about, *(Ask(one.path(table, "bob")) for one in places), Ask("/accounts/export/", is_post=True)]:
        cache.clear()
        assert line.text not in alice.tries(ask, table).text, f"{ask} tells what watchers say"


# The same cards elsewhere


@pytest.fixture
def tables_with_these_cards(table_of, play_on, person, house_bot):
    """A deal that alice offers: her table, and those at which others play it or go on from a position of it."""
    for name in "xyz":
        house_bot(name, game="gin-rummy")
    first = play_on(table_of("alice", "bob", game="gin-rummy", secret=SECRET), 8)
    services.resign(table_id=first.pk, user=person("alice"))
    first = fresh(first)
    before = services.branch_off(table=first, at=6, user=person("alice"), seat=0, level="first-steps")
    services.offer_deal(table_id=first.pk, user=person("alice"))
    again = services.play_same_deal(table_id=first.pk, user=person("done"), seat=0, level="first-steps")
    services.resign(table_id=play_on(again, 6).pk, user=person("done"))
    again = fresh(again)
    running = services.play_same_deal(table_id=first.pk, user=person("playing"), seat=0, level="first-steps")
    what_if = services.branch_off(table=again, at=1, user=person("done"), seat=0, level="first-steps")
    over = services.branch_off(table=first, at=2, user=person("alice"), seat=1, level="first-steps")
    services.resign(table_id=over.pk, user=person("alice"))
    return [fresh(table) for table in (first, before, again, running, what_if, over)]


@pytest.mark.parametrize("name", ["stranger", "nobody", "playing"])
def test_no_table_with_offered_cards_shows_them_to_who_may_still_play_them(name, tables_with_these_cards, person):
    first, running = tables_with_these_cards[0], tables_with_these_cards[3]
    reader = Reader("nobody") if name == "nobody" else admin_reader(person, name)
    known = may_know(running, reader.user_id) if name == "playing" else set()
    addresses = [one for one in addresses_of_tables() if name == "stranger" or is_of_cards(one)]
    for table in tables_with_these_cards:
        asks = [Ask(address.path(table, "alice")) for address in addresses]
        asks.append(Ask(reverse("admin:games_table_change", args=[table.pk])))
        for ask in asks:
            check(f"{ask} of {reader}", reader.does(ask), first, known if table == running else set())
    for ask in (Ask("/players/alice/"), Ask("/players/done/"), Ask("/deals/"), Ask("/accounts/export/", is_post=True)):
        check(f"{ask} of {reader}", reader.does(ask), first, known)


def is_of_cards(address):
    pages = ("table", "board", "replay", "result", "verify", "deals-json", "source", "deal")
    return address.name in [f"games:{page}" for page in pages]


def test_who_has_played_offered_cards_sees_them_at_every_table(tables_with_these_cards, person):
    reader = Reader("done", person("done"))
    for table in tables_with_these_cards:
        assert named(reader.does(Ask(table.get_absolute_url()))), table.code
