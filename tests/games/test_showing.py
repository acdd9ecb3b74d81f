"""Boards that come over the stream: each reader sees his own, and nobody a hand that is not his."""

import asyncio
import re
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.test import AsyncClient
from django.utils import timezone

from accounts.models import User
from games import live, services
from games.domain.clocks import PACES, Timer
from games.engines import GAMES
from games.models import HouseBot, Seat, Table
from games.presentation import table_page
from games.presentation.move_log import LogLine
from games.presentation.parts import draw_part
from games.presentation.table_wording import seat_note, seat_remark
from games.record import replay, table_store
from infra import metrics
from tests.loop import run
from tests.pages import page_html

pytestmark = pytest.mark.only_on("sqlite")

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
FACE = re.compile(r'data-card="([^"]+)"')


def hand_in(html: str) -> set[str]:
    own = html.partition('class="zone zone-hand hand"')[2].partition("</div>")[0]
    return set(FACE.findall(own))


@pytest.mark.django_db(transaction=True)
async def test_each_stream_brings_the_board_of_its_reader(table_of, state_of):
    table = await sync_to_async(table_of)("alice", "bob")
    alice, bob = [seat.user for seat in table.seats.all()]
    streams = {name: await stream_of(table, user) for name, user in [("alice", alice), ("bob", bob), ("nobody", None)]}
    timed = boards_timed()
    await sync_to_async(play_first)(table, state_of)
    events = {name: await asyncio.wait_for(anext(stream), 30) for name, stream in streams.items()}
    assert boards_timed() == timed + 2
    state = await sync_to_async(state_of)(table)
    version = table.version + 1
    assert events["alice"] == f"event: moved\nid: {version}\ndata: {version}\n\n"  # the answer to her move is the board
    for name in ("bob", "nobody"):
        assert events[name].startswith(f"event: board\nid: {version}\ndata: ")
        assert f'data-seq="{version}"' in events[name]
        assert not set(FACE.findall(events[name])) & set(state.hands[0])
    assert hand_in(events["bob"]) == set(state.hands[1])
    assert not set(FACE.findall(events["nobody"])) & set(state.hands[1])
    for stream in streams.values():
        await stream.aclose()


def boards_timed():
    """How many boards of streams the metrics have timed."""
    [metric] = metrics.boards.collect()
    return next(sample.value for sample in metric.samples if sample.name.endswith("_count"))


async def decoded(answer):
    """The parts of a stream, which ends when this is closed."""
    async with aclosing(aiter(answer)) as parts:
        async for part in parts:
            yield part.decode()


async def stream_of(table, user):
    """The stream of a page at the newest version, up to where it hears everything."""
    client = AsyncClient()
    if user:
        await client.aforce_login(user)
    answer = await client.get(f"/tables/{table.code}/events/")
    stream = decoded(answer)
    while not (await asyncio.wait_for(anext(stream), 30)).startswith("event: moved"):
        pass
    return stream


def play_first(table, state_of):
    text = str(state_of(table).legal_moves(0)[0])
    return services.play_move(table_id=table.pk, seat=0, text=text, version=table.version)


@pytest.mark.django_db(transaction=True)
async def test_who_logs_out_is_shown_no_more_cards(table_of, person):
    table = await sync_to_async(table_of)("alice", "bob")
    client = AsyncClient()
    await client.aforce_login(await sync_to_async(person)("alice"))
    answer = await client.get(f"/tables/{table.code}/events/?seen={table.version}")
    stream = aiter(answer)
    await asyncio.wait_for(anext(stream), 30)
    await client.post("/accounts/logout/")
    assert (await asyncio.wait_for(anext(stream), 30)).decode() == live.ACCESS_ENDED
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(anext(stream), 30)


PASSWORD = "correct-horse-9"
CHANGE = {"old_password": PASSWORD, "new_password1": "another-horse-9", "new_password2": "another-horse-9"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "form"), [("/accounts/password/", CHANGE), ("/accounts/everywhere/", {"password": PASSWORD})]
)
async def test_who_ends_his_other_sessions_ends_their_streams(path, form, table_of, person):
    alice = await sync_to_async(person)("alice")
    alice.set_password(PASSWORD)
    await alice.asave()
    table = await sync_to_async(table_of)("alice", "bob")
    old, own = AsyncClient(), AsyncClient()
    await old.aforce_login(alice)
    await own.aforce_login(alice)
    streams = []
    for address in (f"/tables/{table.code}/events/?seen={table.version}", "/notices/stream/"):
        streams.append(aiter(await old.get(address)))
        await asyncio.wait_for(anext(streams[-1]), 30)  # it hears
    assert (await own.post(path, form)).status_code == 302
    for stream in streams:
        with pytest.raises(StopAsyncIteration):
            while True:
                await asyncio.wait_for(anext(stream), 30)
    again = await old.get(f"/tables/{table.code}/board/", headers={"hx-request": "true"})
    assert 'class="zone zone-hand hand"' not in page_html(again)
    assert (await old.get("/notices/stream/")).status_code == 204
    assert 'class="zone zone-hand hand"' in page_html(await own.get(f"/tables/{table.code}/board/"))


@pytest.mark.django_db(transaction=True)
def test_what_this_process_stored_is_shown_without_a_query(table_of, state_of, django_assert_num_queries):
    table = play_first(table_of("alice", "bob"), state_of)
    readers = [seat.user_id for seat in table.seats.all()] + [None, AnonymousUser().pk]
    with django_assert_num_queries(0):
        boards = [table_page.render_version(table.code, reader, table.version, token="t") for reader in readers]
    assert [board.version for board in boards] == [table.version] * 4
    assert boards[2] == boards[3]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", ["casino", "shanghai", "vatican"])
def test_a_view_of_a_table_in_memory_is_made_in_the_event_loop(game, table_of, person):
    """Also where its moves are searched for."""
    table = table_of("alice", "bob", game=game)
    shown = partial(table_page.render_version, table.code, person("alice").pk, table.version, token="t")
    table_store.table_since(table.code, table.version)
    replay.state_of(table)

    async def in_the_loop():
        return shown()

    assert run(in_the_loop()).version == table.version


def test_a_version_that_another_process_stored_is_read(table_of, play_on):
    table = play_on(table_of("alice", "bob"), 1)
    type(table).objects.filter(pk=table.pk).update(version=table.version + 1)
    assert table_page.render_version(table.code, None, table.version + 1, token="t").version == table.version + 1


@pytest.mark.django_db(transaction=True)
def test_who_has_handed_over_the_seat_sees_its_cards_no_more(table_of, play_on, person):
    table = play_on(table_of("alice", "bob"), 2)
    alice, carol = person("alice"), person("carol")
    services.hand_over(table_id=table.pk, user=alice, to=carol)
    table = table_store.table_by_code(table.code)
    assert table.seat_of(carol.pk).moves_before == 2
    spectator, before, after = (
        table_page.render_version(table.code, user_id, table.version, token="t").html
        for user_id in (None, alice.pk, carol.pk)
    )
    assert before == spectator
    assert not hand_in(before)
    assert hand_in(after)


@pytest.mark.django_db(transaction=True)
def test_each_reader_gets_a_token_of_his_own_in_a_drawing_that_is_shared(table_of, play_on):
    table = play_on(table_of("alice", "bob"), 2)
    first, second = (
        table_page.render_version(table.code, table.seats.all()[0].user_id, table.version, token=t)
        for t in ("A1", "B2")
    )
    assert 'name="csrfmiddlewaretoken" value="A1"' in first.html
    assert first.html.replace("A1", "B2") == second.html
    assert table_page.TOKEN not in first.html


@pytest.mark.django_db(transaction=True)
def test_a_hidden_table_shows_itself_only_to_its_players(table_of, play_on):
    table = play_on(table_of("alice", "bob"), 1)
    type(table).objects.filter(pk=table.pk).update(is_hidden=True, version=table.version + 1)
    alice = table.seats.all()[0].user_id
    assert table_page.render_version(table.code, None, table.version + 1, token="t") is None
    assert hand_in(table_page.render_version(table.code, alice, table.version + 1, token="t").html)


@pytest.mark.django_db(transaction=True)
def test_once_a_game_is_over_the_stream_leaves_it_to_the_page_what_is_shown(table_of, play_on, person):
    table = play_on(table_of("alice", "bob"), 1)
    table = services.resign(table_id=table.pk, user=person("alice"))
    readers = (None, person("bob").pk)
    assert [table_page.render_version(table.code, reader, table.version, token="t") for reader in readers] == [
        None,
        None,
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("whose", ["the same deal", "what if"])
def test_a_game_with_cards_of_another_shows_itself_only_to_who_plays_it(whose, table_of, play_on, person, house_bot):
    house_bot("Dot", "casino")
    first = play_on(table_of("alice", "bob"), 3)
    first = services.resign(table_id=first.pk, user=person("alice"))
    asked = {"user": person("carol"), "seat": 0, "level": "first-steps"}
    if whose == "the same deal":
        services.offer_deal(table_id=first.pk, user=person("alice"))
        table = services.play_same_deal(table_id=first.pk, **asked)
    else:
        table = services.branch_off(table=first, at=2, **asked)
    assert table_page.render_version(table.code, None, table.version, token="t") is None
    assert hand_in(table_page.render_version(table.code, person("carol").pk, table.version, token="t").html)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_stream_brings_what_the_page_would_fetch(game, table_of, play_on, as_user):
    table = play_on(table_of(*[f"player{seat}" for seat in range(max(game.seats))], game=game.slug), 3)
    for user in (table.seats.all()[0].user, table.seats.all()[1].user):
        page = as_user(user).get(f"/tables/{table.code}/board/", headers={"HX-Request": "true"})
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.text)[1]
        assert table_page.render_version(table.code, user.pk, table.version, token=token).html == page.text


PLATES = {
    "left: a club bot plays on": {"has_left": True},
    "away: a club bot plays on": {"has_left": True, "is_gone": True},
    "away: the game waits": {"is_waited_for": True, "away_since": NOON},
    "gave up this hand: a bot plays it out": {"gave_up_deal": True, "away_since": NOON},
    "not connected": {"away_since": NOON},
    "Club bot": {"user": User(is_bot=True, house_bot=HouseBot(level="club"))},
    "": {"user": User()},
}


@pytest.mark.parametrize("note", PLATES)
def test_a_plate_says_what_the_others_should_know_of_a_seat(note):
    assert seat_note(Seat(table=Table(game="casino", status=Table.Status.RUNNING), **PLATES[note])) == note


@pytest.mark.parametrize("note", PLATES)
def test_a_plate_with_little_room_says_only_who_is_not_there(note):
    table = Table(game="casino", status=Table.Status.RUNNING)
    brief = {"away: the game waits": "away"} | dict.fromkeys([*PLATES][:2] + [*PLATES][3:4], "bot plays on")
    assert seat_remark(Seat(table=table, **PLATES[note])).brief == brief.get(note, "")


def test_once_a_game_is_over_no_plate_says_who_is_not_connected():
    assert seat_note(Seat(table=Table(game="casino", status=Table.Status.FINISHED), away_since=NOON)) == ""


def test_no_plate_speaks_of_a_vacation_that_is_over_or_after_the_game():
    def note(status, until):
        table = Table(game="casino", status=status, **PACES["days-1"].fields)
        table.timers = [Timer.fresh(table.clock)._replace(rests_until=until.timestamp())] * 2
        return seat_note(Seat(table=table, number=0))

    now, day = timezone.now(), timedelta(days=1)
    assert note(Table.Status.RUNNING, now + day).startswith("on vacation until ")
    assert note(Table.Status.RUNNING, now - day) == note(Table.Status.FINISHED, now + day) == ""


def test_the_log_marks_the_last_move_counts_no_deal_and_is_escaped():
    lines = (LogLine(7, "<b> takes 3C."), LogLine(6, "You trail 4D."), LogLine(None, "The cards are dealt."))
    newest, earlier = draw_part("log", "log_lines", lines, True), draw_part("log", "log_lines", lines)
    assert newest.startswith('<li value="7" class="is-last">&lt;b&gt; takes <span class="glyph suit-c"')
    assert earlier.startswith('<li value="7">')
    assert newest.count("is-last") == 1
    assert newest.endswith('<li class="log-deal">The cards are dealt.</li>')
