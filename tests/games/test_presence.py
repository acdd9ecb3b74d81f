"""Who is there: signs of life, what the tick makes of them, and what follows when somebody does not come back."""

import asyncio
import re
import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from cardsite.asgi import application
from games import services
from games.live import presence
from games.models import Table
from games.presentation.absence import absence_at
from games.presentation.table_wording import result_reason, seat_note
from games.services import TableError
from infra.redis_client import redis_client
from tests.pages import page_html


async def post(path):
    """The status with which the site answers."""
    sent = []

    async def send(message):
        sent.append(message)

    await application({"type": "http", "method": "POST", "path": path, "headers": []}, None, send)
    return sent[0]["status"]


async def until_written():
    """Until all that was heard so far is in Redis; one more sign is written with it, or after it."""
    since, store = time.time(), redis_client(settings.LIVE_REDIS_URL)
    await post(presence.heartbeat_url(999, 999))
    async with asyncio.timeout(30):
        while (store.zscore(*presence.LAST_HEARTBEAT) or 0) < since:
            await asyncio.sleep(0.02)


# Signs of life


async def test_a_sign_holds_for_some_seconds_and_for_that_person_at_that_table_only(valkey, monkeypatch):
    monkeypatch.setattr(presence, "ONLINE_SECONDS", 300)
    before = time.time()
    assert await post(presence.heartbeat_url(1, 7)) == 204
    after = time.time()
    await until_written()
    assert presence.online_users(1, [7, 8]) == {7}
    assert presence.online_users(2, [7]) == set()
    until = presence.heartbeats([(1, 7)], now=time.time()).until[1, 7]
    assert before <= until - presence.ONLINE_SECONDS <= after


async def test_a_sign_runs_out(valkey, monkeypatch):
    monkeypatch.setattr(presence, "ONLINE_SECONDS", 0.2)
    await post(presence.heartbeat_url(1, 17))
    await until_written()
    assert presence.online_users(1, [17]) == set()


@pytest.mark.parametrize(
    "forge", [lambda path: path.replace("1-9", "1-6"), lambda path: path[:-1], lambda path: "/here/"]
)
async def test_a_forged_sign_is_refused(valkey, forge):
    assert await post(forge(presence.heartbeat_url(1, 9))) == 403
    await until_written()
    assert presence.online_users(1, [6, 9]) == set()


async def test_several_pages_of_a_person_count_as_one_and_are_written_together(valkey):
    for table in (3, 3, 4):
        await post(presence.heartbeat_url(table, 5))
    await until_written()
    assert presence.online_users(3, [5]) == presence.online_users(4, [5]) == {5}


async def test_who_watches_is_counted_once_and_is_not_taken_for_a_player(valkey):
    for visitor in (7, 7, 8, "10.0.0.1", "10.0.0.1", "10.0.0.2"):
        assert await post(presence.watcher_heartbeat_url(1, visitor)) == 204
    assert await post(presence.heartbeat_url(1, 7)) == 204
    await until_written()
    now = time.time()
    assert presence.count_watchers({1: [], 2: []}, now=now) == {1: 4, 2: 0}
    assert presence.count_watchers({1: [8, None]}, now=now) == {1: 3}
    assert presence.count_watchers({1: []}, now=now + presence.ONLINE_SECONDS + 1) == {1: 0}
    assert presence.online_users(1, [7, 8]) == {7}


def test_what_is_missing_while_nobody_is_heard_says_nothing(valkey, monkeypatch):
    presence.record_request(5, 1)
    now = time.time()
    started = presence.heartbeats([], now=now).listening_since
    assert presence.heartbeats([], now=now + 10).listening_since == started
    after_silence = now + presence.ONLINE_SECONDS + 1
    assert presence.heartbeats([], now=after_silence).listening_since == pytest.approx(after_silence)


def test_a_sign_that_is_written_late_does_not_make_it_silent(valkey):
    now = time.time() + 60
    presence.store_heartbeats({presence.heartbeat_member(5, 1): now}, now)
    started = presence.heartbeats([], now=now).listening_since
    presence.record_request(5, 1)  # written after it, a minute earlier
    assert presence.heartbeats([], now=now + 1).listening_since == started


# What the tick makes of them


@pytest.fixture
def tick(db):
    """`tick(table, "alice", after=40)`: what the site does so long after the start, with only alice heard there.

    after: seconds. deaf: nobody is heard anywhere.
    """

    def run(table, *names, after, deaf=False):
        now = table.started_at + timedelta(seconds=after)
        heard = [0, *(seat.user_id for seat in table.seats.all() if seat.name in names)]
        if not deaf:
            until = now.timestamp() + presence.ONLINE_SECONDS
            presence.store_heartbeats(
                {presence.heartbeat_member(table.pk, user): until for user in heard}, now.timestamp()
            )
        presence.heartbeats([], now=table.started_at.timestamp())  # the site hears since the start
        for pk in services.tables_with_presence_changes(now=now):
            services.settle_presence(table_id=pk, now=now)
        return Table.objects.with_seats().get(pk=table.pk)

    return run


def away(table):
    return [seat.name for seat in table.seats.all() if seat.away_since]


def played_by_bots(table):
    return [seat.name for seat in table.seats.all() if seat.has_left]


def test_whoever_is_not_heard_is_shown_as_away_until_the_next_sign(table_of, tick):
    table = table_of("alice", "bob")
    assert away(tick(table, "alice", after=10)) == []
    lost = tick(table, "alice", after=20)
    assert (away(lost), lost.version, lost.position_version) == (["bob"], table.version + 1, table.position_version)
    assert tick(table, "alice", after=25).version == lost.version
    assert seat_note(lost.seats.all()[1]) == "not connected"
    assert away(tick(table, "alice", "bob", after=30)) == []


def test_nobody_is_away_while_the_site_hears_nobody(table_of, tick):
    table = table_of("alice", "bob")
    assert away(tick(table, after=100, deaf=True)) == []
    assert away(tick(table, after=110)) == []  # they may not have found back yet
    assert away(tick(table, after=120)) == ["alice", "bob"]


def test_a_break_of_the_site_lengthens_the_grace_time(table_of, tick):
    table = table_of("alice", "bob", after_grace="bot")
    assert away(tick(table, "alice", after=20)) == ["bob"]
    tick(table, after=200, deaf=True)
    assert played_by_bots(tick(table, "alice", after=205)) == []
    assert played_by_bots(tick(table, "alice", after=265)) == ["bob"]


def test_nobody_is_missed_in_a_game_over_days(table_of, tick):
    assert away(tick(table_of("alice", "bob", move_seconds=86_400), "alice", after=100)) == []


def test_nobody_is_missed_in_a_game_against_bots(person, house_bot, tick):
    house_bot("Ada")
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None, bot_level="first-steps")
    assert away(tick(table, after=100)) == []


def test_nobody_stays_away_for_good_once_the_others_have_left(table_of, tick, person):
    table = tick(table_of("alice", "bob", "carl"), "alice", "bob", after=20)
    assert away(table) == ["carl"]
    services.resign(table_id=table.pk, user=person("alice"))
    assert away(tick(table, "bob", after=25)) == ["carl"]
    services.resign(table_id=table.pk, user=person("bob"))
    assert away(tick(table, "carl", after=30)) == []


def test_a_check_that_comes_after_the_last_person_has_left_does_not_end_the_game_of_the_bots(table_of, person):
    table = table_of("alice", "bob", "carl")
    for name in ("alice", "bob", "carl"):
        services.resign(table_id=table.pk, user=person(name))
    services.settle_presence(table_id=table.pk, now=table.started_at + timedelta(hours=2))
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING


def test_nobody_is_missed_while_the_game_is_paused(table_of, tick):
    table = table_of("alice", "bob")
    services.pause_table(table_id=table.pk)
    assert away(tick(table, "alice", after=100)) == []


# After the grace time


def gone(tick, table, *still_here):
    """The others have been away for the grace time."""
    tick(table, *still_here, after=20)
    return tick(table, *still_here, after=81)


@pytest.mark.parametrize(("clock", "seconds"), [({}, 60), ({"base_seconds": 300}, 60), ({"move_seconds": 30}, 30)])
def test_the_grace_time_is_a_minute_and_half_a_minute_in_quick_games(table_of, tick, clock, seconds):
    table = table_of("alice", "bob", "carl", **clock)
    tick(table, "alice", "bob", after=20)
    assert played_by_bots(tick(table, "alice", "bob", after=19 + seconds)) == []
    assert played_by_bots(tick(table, "alice", "bob", after=20 + seconds)) == ["carl"]


def test_of_more_than_two_a_club_bot_plays_on_and_the_person_takes_the_seat_again(table_of, tick, person):
    table = gone(tick, table_of("alice", "bob", "carl", "dan"), "alice", "bob", "carl")
    assert (table.status, played_by_bots(table)) == (Table.Status.RUNNING, ["dan"])
    assert seat_note(table.seats.all()[3]) == "away: a club bot plays on"
    table = services.come_back(table_id=table.pk, user=person("dan"))
    assert (played_by_bots(table), away(table)) == ([], [])


def test_of_two_the_other_may_claim_the_game(table_of, tick, person):
    table = gone(tick, table_of("alice", "bob"), "alice")
    assert (table.status, played_by_bots(table)) == (Table.Status.RUNNING, [])
    table = services.claim_game(table_id=table.pk, user=person("alice"))
    assert (table.ended_by, table.result["places"], table.result["gone"]) == (Table.EndedBy.LEFT, [1, 2], [1])
    assert result_reason(table) == "bob lost the connection and didn't come back."


def test_a_claim_of_more_than_two_puts_a_club_bot_in(table_of, tick, person):
    table = gone(tick, table_of("alice", "bob", "carl", after_grace="claim"), "alice", "bob")
    assert played_by_bots(table) == []
    table = services.claim_game(table_id=table.pk, user=person("bob"))
    assert (table.status, played_by_bots(table)) == (Table.Status.RUNNING, ["carl"])
    assert table.seats.all()[2].may_return


def test_of_two_a_club_bot_plays_on_where_the_table_says_so(table_of, tick):
    table = gone(tick, table_of("alice", "bob", after_grace="bot"), "alice")
    assert (table.status, played_by_bots(table)) == (Table.Status.RUNNING, ["bob"])


def test_where_the_table_waits_only_the_clock_decides(table_of, tick, person):
    table = gone(tick, table_of("alice", "bob", after_grace="wait", move_seconds=600), "alice")
    with pytest.raises(TableError):
        services.claim_game(table_id=table.pk, user=person("alice"))
    services.flag_overdue(table_id=table.pk, now=table.deadline_at)
    table.refresh_from_db()
    assert table.ended_by == Table.EndedBy.FLAG


def test_nobody_goes_on_without_himself(table_of, person):
    """He is back, and the tick has not seen it yet."""
    table = table_of("alice", "bob", after_grace="claim")
    table.seats.filter(user=person("alice")).update(is_gone=True)
    with pytest.raises(TableError):
        services.claim_game(table_id=table.pk, user=person("alice"))


def test_without_a_clock_no_table_waits_for_good(table_of):
    assert table_of("alice", "bob", after_grace="wait").absence_policy == "claim"


def test_a_game_without_a_clock_that_everybody_has_left_ends_for_nobody(table_of, tick):
    table = gone(tick, table_of("alice", "bob"), "alice")
    tick(table, after=100)
    tick(table, after=161)
    assert tick(table, after=3650).status == Table.Status.RUNNING
    table = tick(table, after=3750)
    assert (table.ended_by, table.result["places"], table.result["gone"]) == (Table.EndedBy.LEFT, [1, 1], [0, 1])


def test_nobody_claims_a_game_whose_players_are_there_or_have_just_gone(table_of, tick, person):
    table = tick(table_of("alice", "bob"), "alice", after=20)
    with pytest.raises(TableError, match="can still come back"):
        services.claim_game(table_id=table.pk, user=person("alice"))
    gone(tick, table, "alice")
    tick(table, "alice", "bob", after=90)
    with pytest.raises(TableError, match="everyone is here"):
        services.claim_game(table_id=table.pk, user=person("alice"))


def test_nobody_claims_a_game_of_others(table_of, tick, person):
    table = gone(tick, table_of("alice", "bob"), "alice")
    with pytest.raises(TableError, match="don't have a seat"):
        services.claim_game(table_id=table.pk, user=person("carl"))


def test_at_a_table_of_an_event_its_own_rule_counts(table_of, tick, person):
    table = gone(tick, table_of("alice", "bob", "carl", absence="forfeit"), "alice", "bob")
    assert (away(table), played_by_bots(table)) == (["carl"], [])
    with pytest.raises(TableError):
        services.claim_game(table_id=table.pk, user=person("alice"))


def test_whoever_resigns_does_not_take_the_seat_again(table_of, person):
    table = services.resign(table_id=table_of("alice", "bob", "carl").pk, user=person("carl"))
    assert not table.seats.all()[2].may_return


# Pages


def page_of(table, name, as_user, person):
    return page_html(as_user(person(name)).get(table.get_absolute_url()))


def test_the_page_of_the_other_has_a_button_that_claims_the_game_once_the_grace_time_is_over(
    table_of, tick, as_user, person
):
    table = tick(table_of("alice", "bob"), "alice", after=20)
    claim = reverse("games:claim", args=[table.code])
    page = page_of(table, "alice", as_user, person)
    assert "bob: you may claim the game after" in page and claim not in page
    gone(tick, table, "alice")
    assert claim in page_of(table, "alice", as_user, person)
    assert claim not in page_of(table, "carl", as_user, person)
    as_user(person("alice")).post(claim)
    table.refresh_from_db()
    assert table.ended_by == Table.EndedBy.LEFT


def lines(table, reader=None):
    """What the board says of those who are away: names, what follows, and after how many seconds of the game."""
    absence = absence_at(table, reader)
    return [(line.names, line.follows, (line.at - table.started_at).seconds) for line in absence.lines]


def test_players_with_the_same_time_to_come_back_share_a_line(table_of, tick):
    table = table_of("alice", "bob", "carl", "dan", "eve", game="vatican")
    tick(table, "alice", "carl", after=20)
    table = tick(table, "alice", after=50)
    assert lines(table) == [("bob, dan and eve", "club bots play on", 80), ("carl", "a club bot plays on", 110)]
    assert [who.name for who in absence_at(table, None).players] == ["bob", "carl", "dan", "eve"]


def test_of_several_who_are_away_those_who_are_late_can_be_replaced_at_once(table_of, tick):
    table = table_of("alice", "bob", "carl", "dan", after_grace="claim")
    alice = table.seat_rows[0]
    tick(table, "alice", "bob", after=20)
    table = tick(table, "alice", after=81)
    absence = absence_at(table, alice)
    assert lines(table, alice) == [("bob", "you may continue with a club bot", 141)]
    assert (absence.claim, absence.gone) == ("Continue with club bots", "carl and dan")


def test_a_bot_keeps_the_seat_and_every_page_leads_back_to_it(table_of, tick, as_user, person):
    table = gone(tick, table_of("alice", "bob", "carl"), "alice", "bob")
    assert "Take my seat again" in page_of(table, "carl", as_user, person)
    assert table.get_absolute_url() in page_html(as_user(person("carl")).get("/games/"))
    assert table.get_absolute_url() not in page_html(as_user(person("dan")).get("/games/"))


def test_a_request_counts_as_a_sign_of_those_whose_browser_runs_no_scripts(table_of, as_user, person):
    table = table_of("alice", "bob")
    page_of(table, "alice", as_user, person)
    page_of(table, "carl", as_user, person)
    assert presence.online_users(table.pk, [person(name).pk for name in ("alice", "bob", "carl")]) == {
        person("alice").pk
    }


# Browsers

LOST, BACK = "Connection lost. Trying again.", "You're connected again."


@pytest.fixture
def seated(live_url, new_context, log_in):
    """`seated("alice", table)`: the page of a table, in a browser of alice's own."""

    def open_page(name, table, **options):
        page = new_context(**options).new_page()
        log_in(page.context, name)
        page.goto(f"{live_url}{table.get_absolute_url()}")
        return page

    return open_page


def test_a_page_that_loses_the_network_says_so_and_is_back_by_itself(seated, table_of):
    page = seated("alice", table_of("alice", "bob"))
    bar = page.locator("#connection")
    expect(bar).to_be_empty()
    page.context.set_offline(True)
    expect(bar).to_have_text(LOST)
    page.context.set_offline(False)
    expect(bar).to_have_text(BACK)
    expect(bar).to_be_empty()


def test_the_other_player_is_told_who_has_gone_and_is_back_and_may_claim_the_game(seated, table_of, tick):
    table = table_of("alice", "bob")
    alice = seated("alice", table, viewport={"width": 360, "height": 740})
    alice.route("**/here/**", lambda route: route.fulfill(status=204))  # its own signs are older than those of `tick`
    said = alice.locator("#announce")
    tick(table, "alice", after=20)
    expect(said).to_have_text("Bob is not connected.")
    expect(alice.locator(".away-line")).to_have_text(re.compile(r"bob: you may claim the game after 1:\d\d"))
    tick(table, "alice", "bob", after=30)
    expect(said).to_have_text("Bob is back.")
    for after in (60, 121):
        tick(table, "alice", after=after)
    alice.get_by_role("button", name="Claim the game").click()
    expect(alice.locator(".ended")).to_contain_text("You win")
