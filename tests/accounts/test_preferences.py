import pytest
from django.test import Client

from tests.pages import page_html

CHOICE = {"theme": "dark", "deck": "four", "sound": "on", "next": "/style/"}


def test_page_is_drawn_as_the_cookies_say(client: Client) -> None:
    client.cookies["theme"] = "dark"
    client.cookies["deck"] = "four"
    page = page_html(client.get("/style/"))
    assert 'data-theme="dark" data-deck="four" data-sound="off"' in page


def test_unknown_cookie_counts_as_the_default(client: Client) -> None:
    client.cookies["theme"] = '"><script>'
    assert 'data-theme="auto"' in page_html(client.get("/style/"))


def test_form_without_script_saves_and_returns(client: Client) -> None:
    response = client.post("/preferences/", CHOICE)
    assert (response.status_code, response.url) == (302, "/style/")
    assert {name: response.cookies[name].value for name in ("theme", "deck", "sound")} == {
        "theme": "dark",
        "deck": "four",
        "sound": "on",
    }


def test_it_ignores_a_value_that_is_not_offered(client: Client) -> None:
    response = client.post("/preferences/", CHOICE | {"theme": "neon"})
    assert "theme" not in response.cookies


@pytest.mark.parametrize("next", ["https://elsewhere.example/", "//elsewhere.example/", "", "17", "nowhere"])
def test_it_never_sends_one_to_another_site(client: Client, next: str) -> None:
    assert client.post("/preferences/", CHOICE | {"next": next}).url == "/"
