"""The list of own logins: what it shows, who may end what, and how seldom it is written."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts import logins, services, tasks
from accounts.devices import device_name
from accounts.models import LoginRecord, User
from tests.pages import page_html, page_words

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough one"
LIST = "/accounts/logins/"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


@pytest.fixture
def alice() -> User:
    return services.sign_up(username="alice", password=PASSWORD)


def browser_of(agent: str, address: str = "192.0.2.77") -> Client:
    """A browser in which alice has logged in."""
    browser = Client(headers={"User-Agent": agent}, REMOTE_ADDR=address)
    assert browser.post("/accounts/login/", {"username": "alice", "password": PASSWORD}).status_code == 302
    return browser


def devices_of(browser: Client) -> list[str]:
    return [login.device for login in browser.get(LIST).context["logins"]]


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (IPHONE, "Safari on iPhone"),
        (FIREFOX, "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/140.0 Safari/537.36", "Chrome on ChromeOS"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15", "Safari on Mac"),
        ("curl/8", "Browser"),
    ],
)
def test_a_device_has_a_name_in_words(agent: str, name: str) -> None:
    assert device_name(agent) == name


def test_the_list_has_each_browser_and_marks_this_one(alice: User) -> None:
    browser_of(IPHONE, "2001:db8:12:34::5")
    here = browser_of(FIREFOX)
    words = page_words(here.get(LIST))
    assert "Firefox on Linux · this browser" in words and "from 192.0.2.x" in words
    assert "Safari on iPhone since" in words and "from 2001:db8:12::x" in words
    assert "192.0.2.77" not in words and page_html(here.get(LIST)).count("/end/") == 1


def test_another_login_can_be_ended(alice: User) -> None:
    phone, here = browser_of(IPHONE), browser_of(FIREFOX)
    record = LoginRecord.objects.get(device="Safari on iPhone")
    assert here.post(f"{LIST}{record.pk}/end/").url == LIST
    assert phone.get("/accounts/").status_code == 302 and here.get("/accounts/").status_code == 200
    assert devices_of(here) == ["Firefox on Linux"]


def test_nobody_ends_the_login_of_another_person_or_this_one(alice: User) -> None:
    phone = browser_of(IPHONE)
    record = LoginRecord.objects.get()
    stranger = Client()
    stranger.force_login(services.sign_up(username="bob", password=PASSWORD))
    assert stranger.post(f"{LIST}{record.pk}/end/").status_code == 404
    assert phone.post(f"{LIST}{record.pk}/end/").status_code == 404
    assert phone.get("/accounts/").status_code == 200


def test_changing_the_password_ends_the_others_and_the_list_says_so(alice: User) -> None:
    phone, here = browser_of(IPHONE), browser_of(FIREFOX)
    new = {"old_password": PASSWORD, "new_password1": "another good one", "new_password2": "another good one"}
    assert here.post("/accounts/password/", new).status_code == 302
    assert devices_of(here) == ["Firefox on Linux"]
    assert phone.get("/accounts/").status_code == 302


def test_a_log_out_and_an_expired_session_leave_the_list(alice: User) -> None:
    browser_of(IPHONE).post("/accounts/logout/")
    here = browser_of(FIREFOX)
    old = browser_of("curl/8")
    Session.objects.filter(pk=old.session.session_key).update(expire_date=timezone.now() - timedelta(days=1))
    assert devices_of(here) == ["Firefox on Linux"]
    assert LoginRecord.objects.count() == 3
    tasks.prune()
    assert LoginRecord.objects.get().device == "Firefox on Linux"


def test_a_session_from_before_is_listed_at_its_next_use(alice: User) -> None:
    here = browser_of(FIREFOX)
    LoginRecord.objects.all().delete()
    logins._noted.clear()
    assert devices_of(here) == []
    assert devices_of(here) == ["Firefox on Linux"]


def test_requests_write_once_in_ten_minutes(alice: User, django_assert_num_queries) -> None:
    here = browser_of(FIREFOX)
    long_ago = timezone.now() - timedelta(hours=1)
    LoginRecord.objects.update(last_seen_at=long_ago)
    here.get("/accounts/")
    assert LoginRecord.objects.get().last_seen_at == long_ago, "this process has noted it a moment ago"
    logins._noted.clear()  # as in another process, or later
    here.get("/accounts/")
    seen_at = LoginRecord.objects.get().last_seen_at
    assert seen_at > long_ago
    logins._noted.clear()
    here.get("/accounts/")
    assert LoginRecord.objects.get().last_seen_at == seen_at


def test_requests_without_a_login_leave_no_record() -> None:
    for path in ("/", "/accounts/login/", "/healthz"):
        Client().get(path)
    assert not LoginRecord.objects.exists()


@pytest.mark.only_on("sqlite")
def test_the_page_is_accessible(page, live_url: str, log_in, axe) -> None:
    log_in(page.context, "alice")
    page.goto(f"{live_url}{LIST}")
    page.get_by_role("heading", name="Where you're logged in").wait_for()
    axe(page)
