"""Two-factor log-in: apps, recovery codes, passkeys, and every door that leads to a session."""

import json
import threading
import time
from collections.abc import Callable

import pyotp
import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.db import transaction
from django.test import Client
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts import brute_force, second_factors, services, tokens
from accounts.models import RecoveryCode, SecondFactor, User
from notifications.models import Notice
from tests.connections import at_once, wait_for_a_lock
from tests.pages import page_html

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough one"
SETTINGS = "/accounts/second-factor/"
STEP = "/accounts/login/second-step/"


@pytest.fixture
def alice() -> User:
    return services.sign_up(username="alice", password=PASSWORD, email="alice@example.org")


def code_of(key: str, steps_later: int = 0) -> str:
    return pyotp.TOTP(second_factors.app_secret(key)).at(int(time.time()) + 30 * steps_later)


def with_app(user: User) -> tuple[SecondFactor, list[str]]:
    """The user has an app whose code of now is used up, and recovery codes."""
    key = second_factors.new_app_key()
    codes = second_factors.add_app(user=user, key=key, code=code_of(key), name="Phone")
    return user.second_factors.get(), codes


def enter_password(browser: Client, name: str = "alice", **more: str) -> str:
    return browser.post("/accounts/login/", {"username": name, "password": PASSWORD} | more).url


def is_logged_in(browser: Client) -> bool:
    return browser.get("/accounts/").status_code == 200


# Setting up


def test_an_app_is_added_by_the_code_that_it_shows_and_recovery_codes_are_shown_once(alice: User) -> None:
    browser = Client()
    browser.force_login(alice)
    page = browser.get(f"{SETTINGS}app/")
    sent = {"key": page.context["key"], "name": "Phone", "password": PASSWORD}
    wrong = browser.post(f"{SETTINGS}app/", sent | {"code": "000000"})
    assert wrong.status_code == 422 and not SecondFactor.objects.exists()
    assert wrong.context["secret"] == page.context["secret"], "the app would have to read another QR code"
    added = browser.post(f"{SETTINGS}app/", sent | {"code": pyotp.TOTP(page.context["secret"]).now()})
    codes = added.context["codes"]
    assert len({*codes}) == 10 and all(code in page_html(added) for code in codes)
    again = page_html(browser.get(SETTINGS))
    assert "10 recovery codes" in again and "Phone" in again and not any(code in again for code in codes)


def test_the_qr_code_and_the_key_are_of_the_same_secret(alice: User) -> None:
    url = pyotp.parse_uri(second_factors.app_url(alice, "key"))
    assert url.secret == second_factors.app_secret("key") and url.name == "alice" and url.issuer == "Fourth Seat"


@pytest.mark.parametrize("path", ["app/", "passkey/", "codes/", "remove/"])
def test_nothing_changes_without_the_password(alice: User, path: str) -> None:
    factor, _ = with_app(alice)
    before = [*SecondFactor.objects.values()], [*RecoveryCode.objects.order_by("pk").values()]
    browser = Client()
    browser.force_login(alice)
    path = f"{factor.pk}/{path}" if path == "remove/" else path
    page = browser.post(f"{SETTINGS}{path}", {"code": "1", "answer": "{}", "password": "a guess"})
    assert "This password is wrong" in page_html(page)
    assert before == ([*SecondFactor.objects.values()], [*RecoveryCode.objects.order_by("pk").values()])


def test_nobody_removes_the_factor_of_another_person(alice: User) -> None:
    factor, _ = with_app(alice)
    browser = Client()
    browser.force_login(services.sign_up(username="bob", password=PASSWORD))
    assert browser.post(f"{SETTINGS}{factor.pk}/remove/", {"password": PASSWORD}).status_code == 404
    assert SecondFactor.objects.exists()


def test_with_the_last_factor_its_recovery_codes_go(alice: User) -> None:
    factor, _ = with_app(alice)
    browser = Client()
    browser.force_login(alice)
    assert browser.post(f"{SETTINGS}{factor.pk}/remove/", {"password": PASSWORD}).url == SETTINGS
    assert not SecondFactor.objects.exists() and not RecoveryCode.objects.exists()
    assert enter_password(Client()) == "/accounts/"


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
def test_recovery_codes_go_with_the_last_two_factors_at_the_same_moment(alice: User) -> None:
    is_removed, (phone, _) = threading.Event(), with_app(alice)
    tablet = SecondFactor.objects.create(user=alice, kind=SecondFactor.Kind.APP, name="Tablet", key="tablet")

    def remove_phone() -> None:
        with transaction.atomic():
            second_factors.remove_factor(phone)
            is_removed.set()
            wait_for_a_lock()

    def remove_tablet() -> None:
        assert is_removed.wait(10)
        second_factors.remove_factor(tablet)

    at_once(remove_phone, remove_tablet)
    assert not RecoveryCode.objects.exists()


def test_new_recovery_codes_replace_the_old_ones(alice: User) -> None:
    _, old = with_app(alice)
    browser = Client()
    browser.force_login(alice)
    new = browser.post(f"{SETTINGS}codes/", {"password": PASSWORD}).context["codes"]
    visitor = Client()
    enter_password(visitor)
    assert visitor.post(STEP, {"code": old[0]}).status_code == 200
    assert visitor.post(STEP, {"code": new[0]}).status_code == 302


def test_the_database_holds_no_secret_and_no_code(alice: User) -> None:
    factor, codes = with_app(alice)
    stored = f"{[*SecondFactor.objects.values()]} {[*RecoveryCode.objects.values()]}"
    plain = [code.replace("-", "") for code in codes]
    assert not any(text in stored for text in [second_factors.app_secret(factor.key), *codes, *plain])


@pytest.mark.usefixtures("eager_tasks")
def test_the_owner_hears_of_every_change_on_the_site_and_by_email(
    alice: User, django_capture_on_commit_callbacks: Callable
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        factor, codes = with_app(alice)
        second_factors.check_code(alice, codes[0])
        second_factors.renew_recovery_codes(user=alice)
        second_factors.remove_factor(factor)
    said = [
        "Authenticator app added.", "A recovery code was used. 9 are left.", "New recovery codes made.",
        "Authenticator app removed.",
    ]  # fmt: skip
    notices = [*Notice.objects.filter(user=alice).order_by("pk").values_list("text", flat=True)]
    assert all(what in text for what, text in zip(said, notices, strict=True))
    assert all(what in letter.body for what, letter in zip(said, mail.outbox, strict=True))
    assert {letter.to[0] for letter in mail.outbox} == {"alice@example.org"}


def test_the_last_but_one_recovery_code_leaves_one(alice: User) -> None:
    _, codes = with_app(alice)
    for code in codes[:-1]:
        second_factors.check_code(alice, code)
    assert "1 is left." in Notice.objects.filter(user=alice).latest("pk").text


def test_the_page_of_a_new_app_has_a_link_for_an_app_on_the_same_device(alice: User, client: Client) -> None:
    client.force_login(alice)
    assert 'href="otpauth://totp/' in client.get("/accounts/second-factor/app/").text


# The second step


def test_the_password_alone_logs_nobody_in(alice: User) -> None:
    with_app(alice)
    browser = Client()
    assert enter_password(browser, next="/play/") == f"{STEP}?next=%2Fplay%2F"
    assert not is_logged_in(browser)


def test_a_code_of_the_app_logs_in_and_leads_on(alice: User) -> None:
    factor, _ = with_app(alice)
    browser = Client()
    enter_password(browser)
    entered = browser.post(STEP, {"code": code_of(factor.key, 1), "next": "/play/"})
    assert entered.url == "/play/" and is_logged_in(browser)


def test_a_code_works_once(alice: User) -> None:
    factor, codes = with_app(alice)
    for code in (code_of(factor.key, 1), codes[0]):
        for status in (302, 200):
            browser = Client()
            enter_password(browser)
            assert browser.post(STEP, {"code": code}).status_code == status


def test_a_code_may_be_grouped_and_in_capitals(alice: User) -> None:
    _, codes = with_app(alice)
    browser = Client()
    enter_password(browser)
    assert browser.post(STEP, {"code": f" {codes[0].replace('-', ' ').upper()} "}).status_code == 302


@pytest.mark.parametrize("code", ["", "000000", "١٢٣٤٥٦", "\ud800", "x" * 1000])
def test_a_wrong_code_does_not(alice: User, code: str) -> None:
    with_app(alice)
    browser = Client()
    enter_password(browser)
    assert browser.post(STEP, {"code": code.encode(errors="surrogatepass")}).status_code == 200
    assert not is_logged_in(browser)


def test_a_code_of_another_person_does_not(alice: User) -> None:
    with_app(alice)
    _, codes = with_app(services.sign_up(username="bob", password=PASSWORD))
    browser = Client()
    enter_password(browser)
    assert browser.post(STEP, {"code": codes[0]}).status_code == 200


def test_ten_wrong_codes_are_the_limit(alice: User) -> None:
    _, codes = with_app(alice)
    for number in range(brute_force.ATTEMPTS_PER_NAME):
        browser = Client(REMOTE_ADDR=f"10.0.0.{number}")
        enter_password(browser)
        assert browser.post(STEP, {"code": "000000"}).status_code == 200
    browser = Client(REMOTE_ADDR="10.0.0.99")
    enter_password(browser)
    assert browser.post(STEP, {"code": codes[0]}).status_code == 429
    assert alice.recovery_codes.count() == 10


@pytest.mark.parametrize("end", ["time", "password", "suspension", "no password"])
def test_the_second_step_needs_the_first(alice: User, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, codes = with_app(alice)
    browser = Client()
    if end != "no password":
        enter_password(browser)
    if end == "time":
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + 601)
    elif end == "password":
        services.log_out_everywhere(user=User.objects.get(pk=alice.pk), password="another good one")
    elif end == "suspension":
        services.suspend_account(user=alice, why="Insults")
    assert browser.post(STEP, {"code": codes[0]}).url == "/accounts/login/"
    assert not is_logged_in(browser)


# Every door


def test_a_reset_password_leads_to_the_second_step(alice: User) -> None:
    _, codes = with_app(alice)
    browser = Client()
    who = urlsafe_base64_encode(force_bytes(alice.pk))
    form = browser.get(f"/accounts/forgotten/{who}/{default_token_generator.make_token(alice)}/").url
    new = {"new_password1": "another good one", "new_password2": "another good one"}
    assert browser.post(form, new).url.startswith(STEP)
    assert not is_logged_in(browser)
    assert browser.post(STEP, {"code": codes[0]}).status_code == 302 and is_logged_in(browser)


def test_the_admin_has_the_same_door(alice: User) -> None:
    _, codes = with_app(alice)
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    browser = Client()
    door = browser.get("/admin/").url
    door = browser.get(door).url
    assert browser.post(door, {"username": "alice", "password": PASSWORD}).url == f"{STEP}?next=%2Fadmin%2F"
    assert browser.get("/admin/").status_code == 302
    assert browser.post(f"{STEP}?next=/admin/", {"code": codes[0]}).url == "/admin/"
    assert browser.get("/admin/").status_code == 200


def test_a_guest_is_joined_after_the_second_step(alice: User) -> None:
    _, codes = with_app(alice)
    guest = services.make_guest()
    browser = Client()
    browser.force_login(guest)
    enter_password(browser)
    assert User.objects.get(pk=guest.pk).is_active
    browser.post(STEP, {"code": codes[0]})
    assert not User.objects.get(pk=guest.pk).is_active and browser.get("/accounts/").context["user"] == alice


def test_a_token_needs_no_second_factor(alice: User) -> None:
    with_app(alice)
    _, text = tokens.make_token(user=alice, name="laptop", scopes=["read"])
    assert Client().get("/api/v1/me", headers={"Authorization": f"Bearer {text}"}).status_code == 200


# Staff


@pytest.fixture
def admin(settings) -> User:
    settings.STAFF_SECOND_FACTOR = True
    return User.objects.create_superuser("admin", password=PASSWORD)


def test_staff_without_one_is_led_to_the_settings_and_has_no_rights(admin: User) -> None:
    browser = Client()
    assert enter_password(browser, "admin", next="/admin/") == SETTINGS
    assert "before you can use your rights" in page_html(browser.get(SETTINGS))
    assert browser.get("/admin/accounts/user/").url.startswith("/admin/login/")
    assert browser.get("/admin/login/").url == SETTINGS
    assert browser.get("/moderation/").status_code == 403
    page = browser.get(f"{SETTINGS}app/")
    code = pyotp.TOTP(page.context["secret"]).now()
    browser.post(f"{SETTINGS}app/", {"key": page.context["key"], "code": code, "password": PASSWORD})
    assert browser.get("/admin/accounts/user/").status_code == 200
    assert browser.get("/moderation/").status_code == 200


def test_people_without_rights_need_none(admin: User, alice: User) -> None:
    assert enter_password(Client()) == "/accounts/"


def test_an_admin_removes_the_factor_of_a_person_who_has_lost_all(admin: User, alice: User) -> None:
    factor, _ = with_app(alice)
    with_app(admin)
    browser = Client()
    browser.force_login(admin)
    sent = {"action": "remove_second_factors", "_selected_action": [alice.pk]}
    assert browser.post("/admin/accounts/user/", sent).status_code == 302
    assert not alice.second_factors.exists() and enter_password(Client()) == "/accounts/"
    assert factor.name in LogEntry.objects.get().change_message
    assert "Authenticator app removed." in Notice.objects.filter(user=alice).first().text


# Passkeys


@pytest.mark.parametrize("answer", ["", "{", "[]", "{}", '{"id": 1}', "[" * 5000, '{"id": "\\u0000"}', "null"])
def test_an_odd_passkey_is_refused(alice: User, answer: str) -> None:
    with_app(alice)
    browser = Client()
    enter_password(browser)
    browser.get(STEP)
    assert browser.post(STEP, {"answer": answer}).status_code == 200
    browser.force_login(alice)
    browser.get(f"{SETTINGS}passkey/")
    assert browser.post(f"{SETTINGS}passkey/", {"answer": answer, "password": PASSWORD}).status_code == 422
    assert SecondFactor.objects.count() == 1


class Authenticator:
    """A virtual security key of Chromium, for one page."""

    def __init__(self, page) -> None:
        self.tools = page.context.new_cdp_session(page)
        self.tools.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "usb", "hasUserVerification": True, "isUserVerified": True}
        made = self.tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self.id = made["authenticatorId"]

    @property
    def credentials(self) -> list[dict]:
        return self.tools.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def set_counter(self, number: int) -> None:
        """The key is a copy that has signed so often."""
        [credential] = self.credentials
        self.tools.send("WebAuthn.clearCredentials", {"authenticatorId": self.id})
        credential |= {"signCount": number}
        self.tools.send("WebAuthn.addCredential", {"authenticatorId": self.id, "credential": credential})


@pytest.fixture
def at_localhost(browser, live_url: str):
    """A page of the site under a name: browsers make no passkeys for numeric addresses."""
    context = browser.new_context(base_url=live_url.replace("127.0.0.1", "localhost"))
    yield context.new_page()
    context.close()


def test_a_passkey_is_added_and_logs_in(at_localhost, alice: User, axe: Callable) -> None:
    page = at_localhost
    key = Authenticator(page)

    def enter() -> None:
        page.goto("/accounts/login/")
        page.get_by_label("Name").fill("alice")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()

    enter()
    page.wait_for_url("**/accounts/")
    page.get_by_role("link", name="Two-factor log-in").click()
    page.get_by_role("link", name="Passkey").click()
    axe(page)
    page.get_by_label("Name (optional)").fill("Blue key")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Add the passkey").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    axe(page)
    page.get_by_role("link", name="I have saved them").click()
    page.get_by_role("link", name="Remove Blue key").wait_for()
    axe(page)
    page.context.clear_cookies()
    enter()
    axe(page)
    page.get_by_role("button", name="Use your passkey").click()
    page.wait_for_url("**/accounts/")
    assert alice.second_factors.get().counter == key.credentials[0]["signCount"] > 0

    # A copy of the key, whose counter is behind, is refused.
    page.context.clear_cookies()
    key.set_counter(0)
    enter()
    page.get_by_role("button", name="Use your passkey").click()
    page.locator("main").get_by_text("This passkey could not be checked").wait_for()  # it is read out, too


def test_a_signature_counts_once(at_localhost, alice: User) -> None:
    page = at_localhost
    Authenticator(page)
    page.goto("/accounts/login/")
    page.get_by_label("Name").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/accounts/")
    page.goto(f"{SETTINGS}passkey/")
    page.get_by_label("Your password").fill(PASSWORD)
    with page.expect_request(lambda request: request.method == "POST" and "passkey" in request.url) as sent:
        page.get_by_role("button", name="Add the passkey").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    SecondFactor.objects.all().delete()
    form = sent.value.post_data_json
    assert json.loads(form["answer"])["type"] == "public-key"
    again = page.request.post(f"{SETTINGS}passkey/", form=form, headers={"Referer": page.url})
    assert again.status == 422 and "This page is too old" in again.text()
    assert not SecondFactor.objects.exists()


def test_without_script_the_page_says_that_passkeys_need_it(browser, live_url: str, alice: User, log_in) -> None:
    context = browser.new_context(base_url=live_url, java_script_enabled=False)
    log_in(context, "alice")
    page = context.new_page()
    page.goto(f"{SETTINGS}passkey/")
    assert page.get_by_text("Passkeys need JavaScript").is_visible()
    page.get_by_role("link", name="An authenticator app").click()
    assert page.get_by_role("img", name="QR code for your authenticator app").is_visible()
    context.close()
