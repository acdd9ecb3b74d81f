"""Closing an account, and taking one's data along."""

import json
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts import bots, services, tasks
from accounts.models import FORMER, User
from notifications.models import Notice
from notifications.services import notify
from tests.pages import page_html

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough one"


@pytest.fixture
def ann():
    return services.sign_up(username="ann", password=PASSWORD, email="ann@example.org")


@pytest.fixture
def as_ann(ann):
    browser = Client()
    browser.force_login(ann)
    return browser


def test_name_address_password_and_rights_are_gone(ann):
    ann.is_staff = ann.is_superuser = True
    ann.save()
    services.close_account(user=ann)
    row = User.objects.get(pk=ann.pk)
    assert row.display_name == FORMER
    assert "ann" not in json.dumps([row.username, row.first_name, row.last_name, row.email]).lower()
    assert not (row.has_usable_password() or row.is_active or row.is_staff or row.is_superuser)
    assert row.profile_url == ""


def test_an_admin_closes_accounts_and_deletes_none(ann, house_bot):
    admin = User.objects.create_superuser("ada", password=PASSWORD)
    bot, _ = bots.register_bot(owner=ann, name="Robot")
    browser = Client()
    browser.force_login(admin)
    listed = browser.get("/admin/accounts/user/")
    assert "delete_selected" not in page_html(listed)
    assert browser.get(f"/admin/accounts/user/{ann.pk}/delete/").status_code == 403
    everyone = [ann.pk, bot.pk, admin.pk, house_bot("Pip").user_id]
    sent = {"action": "close_accounts", "_selected_action": everyone}
    assert "Closed: ann." in page_html(browser.post("/admin/accounts/user/", sent, follow=True))
    assert list(User.objects.filter(pk__in=everyone, is_former=True).order_by("pk")) == [ann, bot]
    assert "ann" not in json.dumps(list(LogEntry.objects.values_list("object_repr", "change_message")))


def test_who_is_made_inactive_in_the_admin_is_out_as_if_suspended(ann, table_of, admin_client, house_bot):
    bot, _ = bots.register_bot(owner=ann, name="Robot")
    pip = house_bot("Pip").user
    names = ("ann", "Robot", pip.username)
    theirs, its, pips = (table_of(name, "bob", secret=bytes([number]) * 32) for number, name in enumerate(names))

    def set_active(user, **active):
        sent = {"username": user.username, "date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"} | active
        assert admin_client.post(f"/admin/accounts/user/{user.pk}/change/", sent).status_code == 302
        user.refresh_from_db()

    assert "it and its bots leave their games" in page_html(admin_client.get(f"/admin/accounts/user/{ann.pk}/change/"))
    for user in (ann, pip):
        set_active(user)
        assert not user.is_active
    for table, status in ((theirs, "finished"), (its, "finished"), (pips, "running")):
        table.refresh_from_db()
        assert table.status == status
    services.suspend_account(user=ann, why="insults")
    set_active(ann, is_active="on")
    assert (ann.is_active, ann.shut_because) == (True, "")


def test_one_has_to_give_the_password(as_ann):
    answer = as_ann.post("/accounts/close/", {"password": "another one"})
    assert "This password is wrong. Please try again." in page_html(answer)
    assert User.objects.get(username="ann").is_active


def test_with_the_password_it_is_closed_in_every_browser(as_ann, ann):
    elsewhere = Client()
    elsewhere.force_login(ann)
    assert as_ann.post("/accounts/close/", {"password": PASSWORD}).status_code == 302
    assert "Log in" in page_html(elsewhere.get("/"))
    assert "Log in" in page_html(as_ann.get("/"))
    assert Client().post("/accounts/login/", {"username": "ann", "password": PASSWORD}).status_code == 200


def test_looking_at_the_page_closes_nothing(as_ann):
    assert "This can't be undone." in page_html(as_ann.get("/accounts/close/"))
    assert User.objects.get(username="ann").is_active


def test_a_guest_who_has_no_password_closes_without_one():
    guest, browser = services.make_guest(), Client()
    browser.force_login(guest)
    browser.post("/accounts/close/")
    guest.refresh_from_db()
    assert guest.is_former


@pytest.fixture
def guest():
    """A guest who came as long ago as guests are kept, and whose session has ended."""
    return guest_of(services.GUESTS_KEPT)


def guest_of(age):
    guest, browser = services.make_guest(), Client()
    browser.force_login(guest)
    browser.get("/")  # notes the login
    User.objects.filter(pk=guest.pk).update(last_login=timezone.now() - age)
    Session.objects.filter(pk=browser.session.session_key).delete()
    return guest


def test_a_guest_whom_nobody_can_be_again_leaves_nothing(guest):
    tasks.prune()
    assert not User.objects.exists()


def test_the_row_of_a_forgotten_guest_stays_for_those_who_played_with_them(guest, table_of):
    table = table_of("bob", guest.username)
    tasks.prune()
    guest.refresh_from_db()
    assert guest.is_former and table.seats.filter(user=guest).exists()


def test_guests_who_may_come_back_and_accounts_stay(ann):
    User.objects.filter(pk=ann.pk).update(last_login=timezone.now() - 2 * services.GUESTS_KEPT)
    came_later = guest_of(services.GUESTS_KEPT - timedelta(hours=1))
    is_still_here, browser = services.make_guest(), Client()
    browser.force_login(is_still_here)
    browser.get("/")
    User.objects.filter(pk=is_still_here.pk).update(last_login=timezone.now() - 2 * services.GUESTS_KEPT)
    tasks.prune()
    assert {*User.objects.filter(is_former=False)} == {ann, came_later, is_still_here}


def test_the_name_is_free_again_and_nobody_can_take_that_of_a_closed_account(ann):
    services.close_account(user=ann)
    again = services.sign_up(username="ann", password=PASSWORD)
    assert again.pk != ann.pk
    form = {"username": User.objects.get(pk=ann.pk).username.upper(), "password": PASSWORD}
    assert Client().post("/accounts/sign-up/", form).status_code == 200


def test_notices_go_and_no_more_come(ann):
    notify(ann, key="one", text="The cup starts.", url="/play/")
    services.close_account(user=ann)
    ann.refresh_from_db()
    notify(ann, key="two", text="The cup starts.", url="/play/")
    assert not Notice.objects.exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ann withdrew.", "Former player withdrew."),
        ("Pair 1: bob & ann won (ann left).", "Pair 1: bob & Former player won (Former player left)."),
        ("Removed ann.", "Removed Former player."),
        ("ann.b, annabel, j-ann and Ann stay.", "ann.b, annabel, j-ann and Ann stay."),
    ],
)
def test_a_name_is_taken_out_of_texts_where_it_stands_alone(text, expected):
    reader = User.objects.create(username="reader")
    notice = Notice.objects.create(user=reader, key="one", text=text, url="/")
    services.anonymize(Notice.objects.all(), "text", "ann")
    notice.refresh_from_db()
    assert notice.text == expected


def test_a_text_does_not_grow_beyond_its_column():
    reader = User.objects.create(username="reader")
    notice = Notice.objects.create(user=reader, key="one", text="ann " * 125, url="/")
    services.anonymize(Notice.objects.all(), "text", "ann")
    notice.refresh_from_db()
    assert len(notice.text) == 500


def test_the_file_has_the_account_and_what_was_told(as_ann, ann):
    notify(ann, key="one", text="The cup starts.", url="/play/")
    answer = as_ann.post("/accounts/export/")
    data = json.loads(answer.content)
    assert (data["account"]["name"], data["account"]["e-mail"]) == ("ann", "ann@example.org")
    assert [notice["text"] for notice in data["notifications"]] == ["The cup starts."]
    assert "attachment" in answer["Content-Disposition"]
    assert data.keys() >= {"games", "ratings", "lessons", "entries", "badges"}


def test_the_file_is_only_for_people_who_are_logged_in_and_not_without_end(as_ann):
    assert Client().post("/accounts/export/").status_code == 302
    assert as_ann.get("/accounts/export/").status_code == 405
    assert [as_ann.post("/accounts/export/").status_code for _ in range(6)] == [200] * 5 + [429]
