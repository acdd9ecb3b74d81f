"""Every door at which a password or another secret can be tried, and the one limit on wrong tries."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connections
from django.forms import BaseForm, PasswordInput
from django.test import Client
from django.utils import timezone

from accounts import brute_force, second_factors, services
from accounts.models import SecondFactor, User
from cardsite.pages import login_link
from tests.pages import page_html

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

RIGHT, WRONG = "a long enough one", "a guess"


def visitor(number: int) -> Client:
    """Somebody at an address of their own."""
    return Client(REMOTE_ADDR=f"10.0.0.{number}")


def account(name: str) -> User:
    user = User.objects.filter(username=name).first()
    return user or services.sign_up(username=name, password=RIGHT)


def enters_by_password(browser: Client, name: str) -> Client:
    """The browser, which has logged in by this name and has a cookie that says so."""
    account(name)
    assert browser.post("/accounts/login/", {"username": name, "password": RIGHT}).status_code == 302
    return browser


def has_session(browser: Client, name: str) -> Client:
    """The browser with a session of this name, and without the cookie: perhaps a stolen one."""
    browser.force_login(account(name))
    return browser


# The doors. Each tries a secret of `name` and gives the status: 200 or 4xx for a wrong one, 302 for the right one.


def log_in(browser: Client, name: str, password: str) -> int:
    account(name)
    return browser.post("/accounts/login/", {"username": name, "password": password}).status_code


def second_step(browser: Client, name: str, password: str) -> int:
    user = account(name)
    if not user.second_factors.exists():
        SecondFactor.objects.create(user=user, kind=SecondFactor.Kind.APP, key=name)
    asked = log_in(browser, name, RIGHT)
    if asked != 302:
        return asked
    code = second_factors.renew_recovery_codes(user=user)[0] if password == RIGHT else password
    return browser.post("/accounts/login/second-step/", {"code": code}).status_code


def log_in_as_admin(browser: Client, name: str, password: str) -> int:
    User.objects.filter(pk=account(name).pk).update(is_staff=True)
    form = {"username": name, "password": password, "next": "/admin/"}
    browser.post("/accounts/logout/")
    asked = browser.post("/admin/login/?next=/admin/", form)
    assert asked.status_code == 302, "the admin has a log-in of its own"
    return browser.post(asked.url, form).status_code


def confirm(path: str) -> Callable[[Client, str, str], int]:
    def door(browser: Client, name: str, password: str) -> int:
        if "_auth_user_id" not in browser.session or browser.session["_auth_user_id"] != str(account(name).pk):
            has_session(browser, name)
        new = {"new_password1": "another good one", "new_password2": "another good one"}
        return browser.post(path, {"password": password, "old_password": password} | new).status_code

    return door


def change_as_admin(browser: Client, name: str, password: str) -> int:
    User.objects.filter(pk=account(name).pk).update(is_staff=True)
    has_session(browser, name)
    new = {"new_password1": "another good one", "new_password2": "another good one"}
    asked = browser.post("/admin/password_change/", {"old_password": password} | new)
    assert asked.status_code == 302, "the admin has a form of its own"
    return browser.post(asked.url, {"old_password": password} | new).status_code


def event_of(name: str):
    from tournaments.models import Event
    from tournaments.services import save_event

    known = Event.objects.filter(name=name).first()
    if known is None:
        rules = {"game": "push", "seats": 4} if name == "pairs" else {"game": "casino", "options": {"target": 11}}
        starts_at = timezone.now() + timedelta(days=1)
        known = Event(name=name, starts_at=starts_at, status=Event.Status.REGISTRATION, password=RIGHT, **rules)
        save_event(known, by=None, now=timezone.now())
    return known


def enter_event(browser: Client, name: str, password: str) -> int:
    event = event_of(name)
    return browser.post(f"/tournaments/{event.pk}/enter/", {"password": password}).status_code


def follow_login_link(browser: Client, name: str, password: str) -> int:
    path = login_link.make_login_link() if password == RIGHT else f"/login-link/{name}/"
    return browser.get(path).status_code


@dataclass(frozen=True)
class Door:
    tries: Callable[[Client, str, str], int]
    has_names: bool = True
    """Tries are counted by the name, too: the secret is one that people choose."""


DOORS = {
    "log-in": Door(log_in),
    "second step": Door(second_step),
    "log-in of the admin": Door(log_in_as_admin),
    "closing the account": Door(confirm("/accounts/close/")),
    "logging out elsewhere": Door(confirm("/accounts/everywhere/")),
    "changing the password": Door(confirm("/accounts/password/")),
    "changing the password in the admin": Door(change_as_admin),
    "entering an event": Door(enter_event),
    "link of the first start": Door(follow_login_link, has_names=False),
}
OWNED = [name for name in DOORS if name not in ("entering an event", "link of the first start")]
every_door = pytest.mark.parametrize("door", DOORS)


@every_door
def test_one_address_has_twenty_wrong_tries_at_any_names(door):
    tries = DOORS[door].tries
    browser = visitor(1)
    statuses = [tries(browser, f"name{number}", WRONG) for number in range(brute_force.ATTEMPTS_PER_ADDRESS)]
    assert set(statuses) <= {200, 403, 422}
    assert tries(browser, "last", RIGHT) == 429
    assert tries(visitor(2), "last", RIGHT) == 302


@every_door
def test_the_limit_of_an_address_is_one_for_all_doors(door):
    for number in range(brute_force.ATTEMPTS_PER_ADDRESS):
        log_in(visitor(1), f"name{number}", WRONG)
    assert DOORS[door].tries(visitor(1), "last", RIGHT) == 429


@pytest.mark.parametrize("door", [name for name, door in DOORS.items() if door.has_names])
def test_one_name_has_ten_wrong_tries_from_all_addresses(door):
    tries = DOORS[door].tries
    statuses = [tries(visitor(number), "alice", WRONG) for number in range(brute_force.ATTEMPTS_PER_NAME)]
    assert set(statuses) <= {200, 422}
    assert tries(visitor(99), "alice", RIGHT) == 429
    assert tries(visitor(99), "bob", RIGHT) == 302


@pytest.mark.parametrize("door", OWNED)
def test_a_browser_that_has_logged_in_before_is_not_kept_out_by_strangers(door):
    tries = DOORS[door].tries
    hers = enters_by_password(visitor(1), "alice")
    for number in range(brute_force.ATTEMPTS_PER_NAME):
        tries(visitor(number), "alice", WRONG)
    for number in range(brute_force.ATTEMPTS_PER_ADDRESS):
        log_in(visitor(1), f"name{number}", WRONG)
    assert tries(visitor(1), "alice", RIGHT) == 429
    assert tries(hers, "alice", RIGHT) == 302


@pytest.mark.parametrize("door", OWNED)
def test_a_browser_that_has_logged_in_before_has_ten_wrong_tries_too(door):
    tries = DOORS[door].tries
    hers = enters_by_password(visitor(1), "alice")
    statuses = [tries(hers, "alice", WRONG) for _ in range(brute_force.ATTEMPTS_PER_NAME)]
    assert set(statuses) == {200}
    assert tries(hers, "alice", RIGHT) == 429


def test_strangers_do_not_keep_people_with_an_account_out_of_an_event():
    for number in range(brute_force.ATTEMPTS_PER_NAME):
        enter_event(visitor(number), "Noon", WRONG)
    assert enter_event(visitor(98), "Noon", RIGHT) == 429
    assert enter_event(has_session(visitor(99), "alice"), "Noon", RIGHT) == 302


def test_joining_a_partner_has_the_limit_of_the_event():
    event = event_of("pairs")
    assert enter_event(has_session(visitor(1), "alice"), "pairs", RIGHT) == 302
    entry = event.entries.get()
    path = f"/tournaments/{event.pk}/entries/{entry.pk}/join/"
    statuses = [visitor(number).post(path, {"password": WRONG}).status_code for number in range(2, 14)]
    assert statuses == [302] * brute_force.ATTEMPTS_PER_NAME + [429] * 2
    assert visitor(99).post(f"/tournaments/{event.pk}/enter/", {"password": RIGHT}).status_code == 429
    entry.refresh_from_db()
    assert entry.partner is None


@pytest.mark.parametrize("who", ["an account", "a guest"])
def test_who_is_logged_in_is_counted_as_everyone(who):
    user = account("mallory") if who == "an account" else services.make_guest()
    browser = visitor(1)
    browser.force_login(user)
    statuses = [log_in(browser, f"name{number}", WRONG) for number in range(brute_force.ATTEMPTS_PER_ADDRESS + 1)]
    assert statuses == [200] * brute_force.ATTEMPTS_PER_ADDRESS + [429]


def test_right_passwords_do_not_count():
    names = [f"name{number}" for number in range(brute_force.ATTEMPTS_PER_ADDRESS + 5)]
    assert {log_in(visitor(1), name, RIGHT) for name in names} == {302}
    logins = range(brute_force.ATTEMPTS_PER_NAME + 5)
    assert {log_in(Client(REMOTE_ADDR="10.0.0.2"), "alice", RIGHT) for _ in logins} == {302}


@pytest.mark.parametrize("spelling", ["alice{}", "{}alice", "ALICE{}", "\uff41\uff4c\uff49\uff43\uff45{}"])
def test_other_spellings_of_a_name_are_not_another_name(spelling):
    account("alice")
    for number in range(brute_force.ATTEMPTS_PER_NAME):
        log_in_by(visitor(number), spelling.format(" " * number), WRONG)
    assert log_in_by(visitor(99), "alice", RIGHT).status_code == 429


def log_in_by(browser, spelling, password):
    return browser.post("/accounts/login/", {"username": spelling, "password": password})


def test_the_page_says_when_to_try_again():
    for number in range(brute_force.ATTEMPTS_PER_NAME):
        log_in(visitor(number), "alice", WRONG)
    answer = visitor(99).post("/accounts/login/", {"username": "alice", "password": RIGHT})
    assert answer.status_code == 429
    assert 590 <= int(answer["Retry-After"]) <= 600
    assert "too many wrong passwords" in page_html(answer)


def test_an_empty_form_is_no_try():
    account("alice")
    for _ in range(brute_force.ATTEMPTS_PER_ADDRESS + 1):
        assert visitor(1).post("/accounts/login/", {"username": "alice"}).status_code == 200
    assert log_in(visitor(1), "alice", RIGHT) == 302


def test_a_weak_new_password_is_no_wrong_try():
    browser = has_session(visitor(1), "alice")
    form = {"old_password": RIGHT, "new_password1": "123", "new_password2": "123"}
    statuses = {browser.post("/accounts/password/", form).status_code for _ in range(brute_force.ATTEMPTS_PER_NAME + 1)}
    assert statuses == {200}


def test_without_redis_no_password_is_checked(settings):
    account("alice")
    settings.CACHES = {name: cache | {"LOCATION": "unix:///nowhere.sock"} for name, cache in settings.CACHES.items()}
    for password in (WRONG, RIGHT):
        answer = visitor(1).post("/accounts/login/", {"username": "alice", "password": password})
        assert answer.status_code == 503
        assert "can't check passwords right now" in page_html(answer)
    assert User.objects.get().last_login is None


@pytest.mark.django_db(transaction=True)
def test_tries_at_the_same_moment_do_not_slip_through():
    account("alice")

    def guess(number: int) -> int:
        try:
            return log_in(visitor(number), "alice", WRONG)
        finally:
            connections.close_all()  # this thread's

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(guess, range(40)))
    assert statuses.count(200) <= brute_force.ATTEMPTS_PER_NAME
    assert statuses.count(200) + statuses.count(429) == 40


# Admin


def test_the_admin_sends_visitors_to_the_log_in_and_back():
    boss = User.objects.create_superuser("boss", password=RIGHT)
    browser = visitor(1)
    page = browser.get("/admin/accounts/user/", follow=True)
    assert page.redirect_chain[-1][0] == "/accounts/login/?next=%2Fadmin%2Faccounts%2Fuser%2F"
    form = {"username": "boss", "password": RIGHT, "next": page.context["way_back"]}
    assert browser.post("/accounts/login/", form).url == "/admin/accounts/user/"
    assert browser.get("/admin/accounts/user/").context["user"] == boss
    assert browser.get("/admin/login/").url == "/admin/"


def test_the_admin_is_for_staff_only():
    browser = has_session(visitor(1), "alice")
    page = browser.get("/admin/", follow=True)
    assert page.status_code == 403
    assert "for the staff of the site" in page_html(page)


def test_the_admin_does_not_lead_off_the_site():
    assert "elsewhere" not in visitor(1).get("/admin/login/?next=https://elsewhere.example/").url


# Nothing is forgotten


NO_SECRET_IS_ASKED_FOR = {
    "SignUpForm": "a new password, by address (limit_posts)",
    "ResetPasswordForm": "a new password, behind a token of a letter",
    "NewPasswordByAdminForm": "a new password of somebody else",
    "EventForm": "what people have to know, set by a director",
}
GUARDED = {"LogInForm", "ConfirmPasswordForm", "NewPasswordForm", "EnterForm"}
GUARDED |= {"NewFactorForm", "NewAppForm", "NewPasskeyForm"}


def test_every_form_with_a_password_is_known_here(client):
    client.get("/tournaments/")  # loads all views, and their forms
    assert {form.__name__ for form in forms_with_passwords(BaseForm)} == GUARDED | NO_SECRET_IS_ASKED_FOR.keys()


def forms_with_passwords(kind):
    for form in kind.__subclasses__():
        is_ours = not form.__module__.startswith("django.")
        fields = getattr(form, "base_fields", {}).values()
        if is_ours and any(isinstance(field.widget, PasswordInput) for field in fields):
            yield form
        yield from forms_with_passwords(form)


def test_letters_about_a_forgotten_password_are_limited_by_address_for_accounts_too():
    asked = [
        has_session(visitor(1), f"name{number}").post("/accounts/forgotten/", {"address": f"{number}@cards.example"})
        for number in range(11)
    ]
    assert [answer.status_code for answer in asked] == [302] * 10 + [429]


def test_tokens_that_are_not_counted_cannot_be_guessed():
    from django.contrib.auth.tokens import default_token_generator
    from django.core import signing

    from notifications import email
    from tournaments.models import CalendarToken

    alice = account("alice")
    assert len(CalendarToken.objects.create(user=alice).token) * 6 >= 128
    assert len(default_token_generator.make_token(alice).rpartition("-")[2]) * 4 >= 128
    assert len(signing.dumps(alice.pk, salt=email.UNSUBSCRIBE_SALT).rpartition(":")[2]) * 6 >= 128


@pytest.fixture(autouse=True)
def _uncounted():
    cache.clear()
