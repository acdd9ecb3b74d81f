"""How often something may be done."""

import pytest
from django.core.cache import cache
from django.test import Client

from cardsite.accounts import services, throttle
from cardsite.accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough one"


def log_in(name="alice", password=PASSWORD, address="10.0.0.1"):
    data = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post("/accounts/login/", data)


def test_so_many_are_counted_and_then_one_has_to_wait():
    waits = [throttle.count_one("tests", "alice", count=3, seconds=60) for _ in range(5)]
    assert waits[:3] == [0, 0, 0]
    assert all(55 <= wait <= 60 for wait in waits[3:])
    assert throttle.count_one("tests", "bob", count=3, seconds=60) == 0


def test_after_that_time_it_counts_anew():
    assert [throttle.count_one("tests", "alice", count=1, seconds=60) > 0 for _ in range(2)] == [False, True]
    cache.delete("posts:tests:alice")  # as Redis does then
    assert throttle.count_one("tests", "alice", count=1, seconds=60) == 0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1, "1 second"), (40, "40 seconds"), (100, "2 minutes"), (120, "2 minutes"), (121, "3 minutes")],
)
def test_whoever_waits_as_long_as_it_says_has_waited_long_enough(seconds, words):
    assert throttle.wait_in_words(seconds) == words


def test_after_ten_wrong_passwords_a_name_has_to_wait_from_every_address():
    services.sign_up(username="alice", password=PASSWORD)
    for number in range(10):
        assert log_in(password="a guess", address=f"10.0.0.{number}").status_code == 200
    answer = log_in(name="ALICE", address="10.0.1.1")
    assert answer.status_code == 429
    assert "many wrong passwords for this name" in answer.content.decode()
    assert 590 <= int(answer["Retry-After"]) <= 600
    services.sign_up(username="bob", password=PASSWORD)
    assert log_in(name="bob").status_code == 302


def test_strangers_do_not_keep_the_owner_of_a_name_out_of_a_browser_used_before():
    services.sign_up(username="alice", password=PASSWORD)
    services.sign_up(username="bob", password=PASSWORD)
    hers, his = Client(REMOTE_ADDR="10.0.1.1"), Client(REMOTE_ADDR="10.0.1.2")
    right = {"username": "alice", "password": PASSWORD}
    hers.post("/accounts/login/", right)
    his.post("/accounts/login/", right | {"username": "bob"})
    for browser in (hers, his):
        browser.post("/accounts/logout/")
    for number in range(10):
        log_in(password="a guess", address=f"10.0.0.{number}")
    assert his.post("/accounts/login/", right).status_code == 429
    assert hers.post("/accounts/login/", right).status_code == 302
    hers.post("/accounts/logout/")
    codes = [hers.post("/accounts/login/", right | {"password": "a guess"}).status_code for _ in range(11)]
    assert codes == [200] * 10 + [429]


def test_right_passwords_are_not_counted_against_a_name():
    services.sign_up(username="alice", password=PASSWORD)
    assert {log_in(address=f"10.0.0.{number}").status_code for number in range(12)} == {302}


def test_attempts_from_one_address_are_limited_whatever_the_names():
    codes = [log_in(name=f"name{number}").status_code for number in range(21)]
    assert codes == [200] * 20 + [429]


def test_an_account_may_open_thirty_tables_in_ten_minutes():
    from games.models import HouseBot, Table

    for name in ("Pip", "Deuce"):
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
