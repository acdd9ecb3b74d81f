"""How often something may be done."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import services, throttle
from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough one"


def test_so_many_are_counted_and_then_one_has_to_wait():
    waits = [throttle.count_one("tests", "alice", count=3, seconds=60) for _ in range(5)]
    assert waits[:3] == [0, 0, 0]
    assert all(55 <= wait <= 60 for wait in waits[3:])
    assert throttle.count_one("tests", "bob", count=3, seconds=60) == 0


def test_after_that_time_it_counts_anew():
    assert [throttle.count_one("tests", "alice", count=1, seconds=60) > 0 for _ in range(2)] == [False, True]
    cache.delete("posts:tests:alice")  # as Redis does then
    assert throttle.count_one("tests", "alice", count=1, seconds=60) == 0


def test_what_is_taken_back_does_not_count_and_a_count_always_has_an_end():
    counter = throttle.RateCounter("tests", "alice", 1, 60)
    for _ in range(3):
        assert throttle.count_all([counter]) == [0]
        throttle.uncount([counter])
    cache.delete("posts:tests:alice")  # its time is over, and then a try turns out right
    throttle.uncount([counter])
    assert throttle._server().ttl(counter.key) > 0
    assert throttle.count_all([counter]) == [0]


def test_of_many_at_the_same_moment_no_more_than_allowed_get_through():
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda _: throttle.count_one("tests", "alice", count=5, seconds=60), range(100)))
    assert waits.count(0) == 5


@pytest.mark.parametrize(
    ("meta", "address"),
    [
        ({"REMOTE_ADDR": "192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "::ffff:192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::/64"),
        ({"REMOTE_ADDR": "2001:db8:1:2::9"}, "2001:db8:1:2::/64"),
        ({"REMOTE_ADDR": "2001:db8:1:3::9"}, "2001:db8:1:3::/64"),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_X_FORWARDED_FOR": "203.0.113.9"}, "192.0.2.7"),
        ({"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "203.0.113.9, 192.0.2.7"}, "192.0.2.7"),
        ({"REMOTE_ADDR": ""}, ""),
        ({"REMOTE_ADDR": "unknown" * 100}, ("unknown" * 100)[:60]),
    ],
)
def test_an_address_is_what_one_visitor_has(rf, meta, address):
    request = rf.get("/")
    request.META |= meta
    assert throttle.address_of(request) == address
    if not meta["REMOTE_ADDR"]:
        del request.META["REMOTE_ADDR"]  # as it is on a Unix socket
        assert throttle.address_of(request) == address


def test_a_header_that_is_not_believed_is_told_of_once(rf, caplog, monkeypatch):
    monkeypatch.setattr(throttle, "_untrusted", set())
    request = rf.get("/", REMOTE_ADDR="192.0.2.77", headers={"X-Forwarded-For": "203.0.113.9"})
    for _ in range(3):
        throttle.address_of(request)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 1
    assert "192.0.2.77" in said[0] and "FORWARDED_ALLOW_IPS" in said[0]
    assert throttle.address_of(rf.get("/", REMOTE_ADDR="203.0.113.9", headers={"X-Forwarded-For": "203.0.113.9"}))
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1, "1 second"), (40, "40 seconds"), (100, "2 minutes"), (120, "2 minutes"), (121, "3 minutes")],
)
def test_whoever_waits_as_long_as_it_says_has_waited_long_enough(seconds, words):
    assert throttle.wait_in_words(seconds) == words


def test_an_account_may_open_thirty_tables_in_ten_minutes():
    from games.models import HouseBot, Table

    for name in ("Pip", "Dot"):
        bot = User.objects.create(username=f"bot-{name}", is_bot=True)
        HouseBot.objects.create(user=bot, game="casino", level="club")
    browser = Client()
    browser.force_login(services.sign_up(username="alice", password=PASSWORD))
    codes = [browser.post("/play/now/", {"game": "casino", "level": "club"}).status_code for _ in range(31)]
    assert codes == [302] * 30 + [429]
    assert Table.objects.count() == 30


def test_an_account_may_sit_down_sixty_times_in_ten_minutes():
    from games import services as games

    table = games.open_table(game="casino", seats=2, options=None, created_by=None)
    browser = Client()
    browser.force_login(services.sign_up(username="alice", password=PASSWORD))
    codes = [browser.post(f"/tables/{table.code}/sit/").status_code for _ in range(61)]
    assert codes == [302] * 60 + [429]
