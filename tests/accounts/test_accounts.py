"""Names and passwords."""

from datetime import timedelta

import pytest
import redis
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import services, tasks
from accounts.models import User
from tests.pages import page_html

pytestmark = pytest.mark.django_db

GOOD = {"username": "alice", "password": "a long enough one"}


def sign_up(browser=None, **changes):
    return (browser or Client()).post("/accounts/sign-up/", GOOD | changes)


def test_a_name_and_a_password_make_an_account_and_log_in():
    browser = Client()
    assert sign_up(browser).status_code == 302
    alice = User.objects.get()
    assert alice.check_password("a long enough one")
    html = page_html(browser.get("/accounts/"))
    assert "Your account is ready, alice." in html
    assert "as a guest" not in html
    assert "Your account is ready" not in page_html(browser.get("/accounts/"))


@pytest.mark.parametrize(
    "changes",
    [
        {"username": "ALICE"},
        {"username": "a b"},
        {"username": "Guest 1"},
        {"username": "bot-ada"},
        {"password": "12345678"},
    ],
)
def test_a_taken_or_reserved_name_or_a_weak_password_makes_no_account(changes):
    sign_up()
    answer = sign_up(**({"username": "bob"} | changes))
    assert answer.status_code == 200
    assert "errorlist" in page_html(answer)
    assert User.objects.count() == 1


def test_two_names_may_not_differ_only_in_case():
    from django.db import IntegrityError, transaction

    services.sign_up(username="alice", password="a long enough one")
    with pytest.raises(IntegrityError), transaction.atomic():
        services.sign_up(username="Alice", password="a long enough one")


def test_a_guest_gets_a_number_and_no_password():
    guest = services.make_guest()
    assert guest.is_guest
    assert guest.username.startswith("Guest ")
    assert not guest.has_usable_password()


def test_the_guest_and_the_account_are_the_same_person():
    guest = services.make_guest()
    user = services.sign_up(username="alice", password="a long enough one", guest=guest)
    assert user.pk == guest.pk
    assert not user.is_guest


def test_a_guest_who_signs_up_reads_where_he_was_that_the_account_has_his_games():
    browser = Client()
    browser.force_login(services.make_guest())
    answer = sign_up(browser, next="/play/")
    assert answer.url == "/play/"
    assert "Your account is ready, alice. It has everything you played as a guest." in page_html(browser.get("/play/"))


def test_a_guest_whose_name_is_taken_at_the_last_moment_is_still_the_guest():
    guest, browser, others = services.make_guest(), Client(), []
    browser.force_login(guest)

    def take_first(execute, sql, *rest):
        if sql.startswith('UPDATE "accounts_user" SET "password"') and not others:
            others.append(User.objects.create(username="alice"))
        return execute(sql, *rest)

    with connection.execute_wrapper(take_first):
        page = page_html(sign_up(browser))
    assert others and "This name is taken." in page
    assert f"You keep everything you have played as {guest.username}." in page
    assert sign_up(browser, username="bob").status_code == 302
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest, guest.is_active) == ("bob", False, True)


def test_somebody_with_an_account_does_not_sign_up_again():
    browser = Client()
    sign_up(browser)
    sign_up(browser, username="bob")
    assert list(User.objects.values_list("username", flat=True)) == ["alice"]


def test_login_leads_back_to_where_one_came_from_but_not_off_the_site():
    sign_up()
    for url, target in (("/play/", "/play/"), ("https://elsewhere.example/", "/accounts/")):
        answer = Client().post("/accounts/login/", GOOD | {"next": url})
        assert answer.url == target


def test_capitals_of_a_name_do_not_matter_at_log_in():
    sign_up(username="Alice")
    browser = Client()
    assert browser.post("/accounts/login/", GOOD | {"username": "aLICE"}).status_code == 302
    assert "Alice" in page_html(browser.get("/accounts/"))


def test_what_forms_refuse_is_said_in_the_words_of_their_fields():
    browser = Client()
    assert "use only letters, digits and . + - _ @" in page_html(sign_up(username="a b"))
    sign_up(browser)
    wrong = page_html(Client().post("/accounts/login/", GOOD | {"password": "wrong"}))
    assert "The name or the password is wrong." in wrong
    new = {"old_password": "wrong", "new_password1": "another-horse-9", "new_password2": "another-horse-8"}
    html = page_html(browser.post("/accounts/password/", new))
    assert "This password is wrong." in html and "The two new passwords are not the same." in html
    assert "for verification" not in html


@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("alice-alic", "This password is too much like your name or e-mail address. Please choose another one."),
        ("x9-Qv2", "This password is too short. Use at least 8 characters."),
        ("password1", "This password is too common. Please choose another one."),
    ],
)
def test_a_password_that_is_refused_is_refused_in_our_words(password, said):
    assert said in page_html(sign_up(username="alice-alice", password=password))


def test_logging_out_needs_a_post():
    browser = Client()
    sign_up(browser)
    assert browser.get("/accounts/logout/").status_code == 405
    assert browser.post("/accounts/logout/").status_code == 302
    assert browser.get("/accounts/").status_code == 302


def test_sign_ups_from_one_address_are_limited():
    codes = [sign_up(username=f"person{number}").status_code for number in range(11)]
    assert codes == [302] * 10 + [429]
    assert User.objects.count() == 10


def test_the_password_can_be_changed():
    browser = Client()
    sign_up(browser)
    new = {
        "old_password": GOOD["password"],
        "new_password1": "another good one",
        "new_password2": "another good one",
    }
    assert "Your password is changed." in page_html(browser.post("/accounts/password/", new, follow=True))
    assert User.objects.get().check_password("another good one")


def test_a_session_from_before_the_backend_of_our_own_goes_on(client, db):
    user = User.objects.create_user("ann", password="correct-horse-9")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/accounts/profile/").context["user"] == user


def test_sessions_that_have_run_out_go_once_a_day(client):
    client.force_login(User.objects.create(username="alice"))
    Session.objects.create(session_key="old", expire_date=timezone.now() - timedelta(days=1))
    tasks.prune()
    assert [session.session_key for session in Session.objects.all()] == [client.session.session_key]


def test_who_logs_out_everywhere_else_stays_here_and_keeps_the_password():
    user = User.objects.create_user("ann", password="correct-horse-9")
    here, elsewhere = Client(), Client()
    for browser in (here, elsewhere):
        browser.force_login(user)
    refused = here.post("/accounts/everywhere/", {"password": "a guess"})
    assert "This password is wrong" in page_html(refused)
    assert elsewhere.get("/accounts/").status_code == 200
    assert here.post("/accounts/everywhere/", {"password": "correct-horse-9"}).status_code == 302
    assert here.get("/accounts/").status_code == 200
    assert elsewhere.get("/accounts/").status_code == 302
    assert User.objects.get().check_password("correct-horse-9")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("password/", {"password1": "another-horse-9", "password2": "another-horse-9", "usable_password": "true"}),
        ("change/", {"username": "ann", "is_active": ""}),
    ],
)
def test_an_admin_who_locks_somebody_out_ends_his_sessions(path, change, admin_client, settings):
    user = User.objects.create_user("ann", password="correct-horse-9")
    hearing = redis.Redis.from_url(settings.LIVE_REDIS_URL).pubsub(ignore_subscribe_messages=True)
    hearing.subscribe(f"user:{user.pk}")
    hearing.get_message(timeout=30)
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    answer = admin_client.post(f"/admin/accounts/user/{user.pk}/{path}", change | joined)
    assert answer.status_code == 302, answer.context["errors"]
    assert hearing.get_message(timeout=30)["data"] == b"bye"
    hearing.close()
