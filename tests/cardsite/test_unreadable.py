"""Requests with characters that no text of the site can have."""

import pytest
from django.conf import settings
from django.urls import reverse

pytestmark = pytest.mark.django_db

NUL_COOKIE = '"' + r"\000" * 8 + '"'


def assert_refused(answer):
    assert answer.status_code == 400
    assert "We couldn't read that request" in answer.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/players/a%00b/",
        "/players/a%00b/challenge/",
        "/tournaments/feeds/own/a%00b.ics",
        "/report/?player=a%00b",
        "/report/?table=a%00b",
        "/play/?game=a%00b",
        "/?a%00b=1",
    ],
)
def test_an_address_with_a_nul_is_refused(path, client, person):
    """PostgreSQL cannot even look for it."""
    client.force_login(person("alice"))
    assert_refused(client.get(path))


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("accounts:block", "player"),
        ("accounts:login", "username"),
        ("accounts:sign-up", "username"),
        ("notifications:subscribe", "endpoint"),
    ],
)
def test_a_form_with_a_nul_is_refused(name, field, client, person):
    client.force_login(person("alice"))
    assert_refused(client.post(reverse(name), {field: "a\0b"}))
    assert_refused(client.post(reverse(name), {f"a\0{field}": "b"}))


@pytest.mark.parametrize("name", [settings.SESSION_COOKIE_NAME, "wishes", "messages"])
def test_a_cookie_with_a_nul_is_refused(name, client):
    """Python reads `\\000` in a cookie as one."""
    client.cookies[name] = ""
    client.cookies[name].set(name, NUL_COOKIE, NUL_COOKIE)
    assert_refused(client.get("/play/"))


def test_other_odd_characters_are_just_text(client, person):
    client.force_login(person("alice"))
    for text in ("%ED%A0%80", "%FF%FE", "%F0%9F%92%A5", "%E2%80%AE", "%0D%0A", "%25s"):
        assert client.get(f"/players/{text}/").status_code == 404
        assert client.get(f"/play/?game={text}").status_code == 200
        body = f"player={text}".encode()
        answer = client.generic("POST", "/accounts/block/", body, content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 404
