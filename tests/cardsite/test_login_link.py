from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth import get_user
from django.db import connections
from django.test import Client

from accounts.models import User
from cardsite.pages import login_link

pytestmark = pytest.mark.django_db


def is_admin(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def test_link_logs_in_once(client: Client) -> None:
    link = login_link.make_login_link()
    assert client.get(link).headers["Location"] == "/admin/"
    assert is_admin(client)
    stranger = Client()
    assert stranger.get(link).status_code == 403
    assert not is_admin(stranger)


def test_first_start_makes_an_admin_without_a_password(client: Client) -> None:
    client.get(login_link.make_login_link())
    admin = get_user(client)
    assert (admin.username, admin.is_superuser, admin.has_usable_password()) == ("admin", True, False)


def test_later_start_takes_the_superuser_that_is_there(client: Client) -> None:
    User.objects.create_user("alice")
    User.objects.create_superuser("boss", password="x")
    client.get(login_link.make_login_link())
    assert get_user(client).username == "boss"
    assert not User.objects.filter(username="admin").exists()


def test_new_link_ends_the_one_before(client: Client) -> None:
    old, new = login_link.make_login_link(), login_link.make_login_link()
    assert client.get(old).status_code == 403
    assert client.get(new).status_code == 302


def test_invented_link_does_not_log_in_and_does_not_use_up_the_real_one(client: Client) -> None:
    link = login_link.make_login_link()
    assert client.get("/login-link/invented/").status_code == 403
    assert not is_admin(client)
    assert client.get(link).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_several_visits_at_once_only_one_logs_in() -> None:
    link = login_link.make_login_link()

    def visit(_: int) -> int:
        try:
            return Client().get(link).status_code
        finally:
            connections.close_all()  # this thread's

    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(visit, range(4)))
    assert sorted(codes) == [302, 403, 403, 403]
