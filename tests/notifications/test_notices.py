"""Telling people things, and what they read of it on the site."""

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from games import live
from notifications import services
from notifications.models import FRESH_FOR, Notice
from tests.pages import page_html


def tell(user: User, key: str = "event:1:start", text: str = "The cup starts now.", url: str = "/play/") -> Notice:
    services.notify(user, key=key, text=text, url=url)
    return Notice.objects.get(user=user, key=key)


def page(browser: Client, path: str = "/games/") -> str:
    return page_html(browser.get(path))


def test_telling_the_same_thing_twice_is_harmless(ann):
    for _ in range(2):
        tell(ann)
    assert Notice.objects.count() == 1


def test_the_same_key_tells_each_person_once(ann):
    bob = User.objects.create(username="bob")
    tell(ann)
    services.notify_all([ann, bob], key="event:1:start", text="The cup starts now.", url="/play/")
    assert [notice.user for notice in Notice.objects.order_by("pk")] == [ann, bob]


def test_a_notice_that_is_too_long_shows_that_it_was_cut(ann):
    assert tell(ann, text="word " * 200).text.endswith(" word…")


def test_bots_are_told_nothing(db):
    bot = User.objects.create(username="bot-ada", is_bot=True)
    services.notify(bot, key="event:1:start", text="The cup starts now.", url="/play/")
    assert not Notice.objects.exists()


def test_every_page_shows_a_new_notice_and_counts_it(as_ann, ann):
    notice = tell(ann)
    text = page(as_ann)
    assert f'<a href="/notices/{notice.pk}/">The cup starts now.</a>' in text
    assert "data-bell-count>1<" in text


def test_an_old_notice_is_counted_but_interrupts_nobody(as_ann, ann):
    tell(ann)
    Notice.objects.update(created_at=timezone.now() - FRESH_FOR)
    text = page(as_ann)
    assert "The cup starts now." not in text
    assert "data-bell-count>1<" in text
    assert "The cup starts now." in page(as_ann, "/notices/")


def test_following_a_notice_marks_it_as_read(as_ann, ann):
    notice = tell(ann)
    assert as_ann.get(f"/notices/{notice.pk}/").url == "/play/"
    assert "The cup starts now." not in page(as_ann)


def test_whoever_is_at_the_place_already_has_read_the_notice(as_ann, ann):
    tell(ann, url="/games/")
    assert "The cup starts now." not in page(as_ann, "/games/")
    assert Notice.objects.get().read_at is not None


def test_without_script_a_notice_is_dismissed_and_one_stays_on_the_page(as_ann, ann):
    notice, other = tell(ann), tell(ann, key="event:2:start", text="The other cup starts now.")
    answer = as_ann.post("/notices/read/", {"notice": notice.pk, "next": "/games/casino/"})
    assert answer.url == "/games/casino/"
    assert list(Notice.objects.unread()) == [other]


def test_dismissing_leads_to_no_other_site(as_ann, ann):
    answer = as_ann.post("/notices/read/", {"notice": tell(ann).pk, "next": "https://elsewhere.example/"})
    assert answer.url == "/notices/"


def test_all_are_read_at_once_but_only_ones_own(as_ann, ann):
    bob = User.objects.create(username="bob")
    tell(ann), tell(ann, key="event:2:start"), tell(bob)
    as_ann.post("/notices/read/")
    assert [notice.user for notice in Notice.objects.unread()] == [bob]


def test_nobody_reads_the_notices_of_somebody_else(as_ann):
    bob = User.objects.create(username="bob")
    notice = tell(bob)
    assert as_ann.get(f"/notices/{notice.pk}/").status_code == 404
    as_ann.post("/notices/read/", {"notice": notice.pk})
    assert Notice.objects.unread().exists()


def test_strangers_have_no_notices_and_cost_no_query(db, client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert 'id="notices"' not in page(client, "/games/")
    assert client.get("/notices/stream/").status_code == 204


def test_a_page_takes_one_query_for_all_notices(as_ann, ann, django_assert_num_queries):
    for number in range(5):
        tell(ann, key=str(number))
    with django_assert_num_queries(1):
        services.unread_notices(ann, here="/games/")


def test_a_guest_who_logs_in_takes_his_notices_along(ann):
    guest = accounts.make_guest()
    tell(ann), tell(guest), tell(guest, key="event:2:start")
    accounts.join_account(guest=guest, user=ann)
    assert sorted(ann.notices.values_list("key", flat=True)) == ["event:1:start", "event:2:start"]


def test_what_was_not_stored_is_not_told(ann, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks, transaction.atomic():
        tell(ann)
        transaction.set_rollback(True)
    assert callbacks == []
    assert not Notice.objects.exists()


def test_a_notice_is_no_news_once_it_is_read_or_old(ann):
    notice = tell(ann)
    now = notice.created_at
    assert notice.is_news(now) and not notice.is_news(now + FRESH_FOR)
    notice.read_at = now
    assert not notice.is_news(now + timedelta(seconds=1))


# Over the live channel


async def next_event(events) -> str:
    while True:
        text = (await asyncio.wait_for(anext(events), 30)).decode()
        if not text.startswith((":", "retry")):
            return text


async def login(async_client, name: str) -> User:
    user = await User.objects.acreate(username=name)
    await async_client.aforce_login(user)
    return user


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/play/events/?seen=9999999999999", "/tournaments/stream/?seen=9999999999999"])
async def test_the_stream_of_any_page_brings_the_readers_own_notices(async_client, path):
    ann = await login(async_client, "ann")
    bob = await User.objects.acreate(username="bob")
    events = aiter(await async_client.get(path))
    await asyncio.wait_for(anext(events), 30)  # it hears
    await sync_to_async(tell)(bob)
    notice = await sync_to_async(tell)(ann)
    assert await next_event(events) == f"event: notice\ndata: {notice.pk}\n\n"
    await events.aclose()


@pytest.mark.django_db(transaction=True)
async def test_a_page_without_a_stream_hears_what_it_missed_and_what_comes(async_client):
    ann = await login(async_client, "ann")
    missed = await sync_to_async(tell)(ann)
    events = aiter(await async_client.get("/notices/stream/?seen=0"))
    await asyncio.wait_for(anext(events), 30)
    assert f"data: {missed.pk}\n" in await next_event(events)
    notice = await sync_to_async(tell)(ann, key="event:2:start")
    assert f"event: moved\nid: {notice.pk}\n" in await next_event(events)
    await events.aclose()


def test_a_notice_stays_where_the_live_channel_is_down(transactional_db, settings):
    settings.LIVE_REDIS_URL = "unix:///nowhere.sock"
    assert tell(User.objects.create(username="ann")).pk
    assert live.own_channel(1) == "user:1"


def test_the_admin_shows_notices_and_nobody_changes_or_deletes_them(ann, admin_client):
    path = f"/admin/notices/notice/{tell(ann).pk}"
    assert "The cup starts now." in page_html(admin_client.get(f"{path}/change/"))
    assert admin_client.post(f"{path}/delete/", {"post": "yes"}).status_code == 403
    assert Notice.objects.count() == 1
