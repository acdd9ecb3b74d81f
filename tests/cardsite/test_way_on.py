"""Pages for what went wrong, and the way back from the pages of the account."""

import re

import pytest
from django.test import Client

from accounts import services
from accounts.models import User
from games.models import Table
from tests.pages import page_html

pytestmark = pytest.mark.django_db

GOOD = {"username": "carol", "password": "a long enough one"}


def html_of(browser, path):
    return page_html(browser.get(path))


def account_link(html):
    return re.search(r'<a href="(/accounts/[^"]*)">', html)[1]


def next_of(html):
    """What the form in the main part says; the one in the header comes first."""
    return re.findall(r'name="next" value="([^"]*)"', html)[-1]


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("/tables/{code}/what-if/", "/tables/{code}/"),
        ("/tables/{code}/moves/", "/tables/{code}/"),
        ("/tables/{code}/replay/note/", "/tables/{code}/replay/"),
        ("/play/seek/5/join/", "/play/seek/"),
        ("/accounts/logout/", "/accounts/"),
        ("/preferences/", "/"),
    ],
)
def test_an_address_for_forms_alone_says_so_and_leads_on(client, table_of, path, above):
    code = table_of("alice", "bob").code
    answer = client.get(path.format(code=code))
    assert answer.status_code == 405 and "POST" in answer["Allow"]
    html = page_html(answer)
    assert "only works with a button or form" in html
    assert f'class="button button-main" href="{above.format(code=code)}"' in html


def test_a_page_that_takes_nothing_leads_to_itself(client):
    answer = client.post("/deals/")
    assert answer.status_code == 405 and "You can view this page" in page_html(answer)
    assert 'class="button button-main" href="/deals/"' in page_html(answer)


def test_whoever_logs_in_is_back_on_the_page_with_its_query(client):
    services.sign_up(**GOOD)
    login = account_link(html_of(client, "/games/casino/?company=anyone"))
    html = html_of(client, login)
    assert account_link(html) == login  # its own header leads to the same place
    sign_up = re.search(r'href="(/accounts/sign-up/[^"]*)"', html)[1]
    for address, values in ((login, GOOD), (sign_up, GOOD | {"username": "dora"})):
        browser = Client()
        hidden = next_of(html_of(browser, address))
        assert browser.post(address, values | {"next": hidden}).url == "/games/casino/?company=anyone"


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_no_link_leads_off_the_site(client, elsewhere):
    services.sign_up(**GOOD)
    for path in ("/accounts/login/", "/accounts/sign-up/"):
        page = page_html(client.get(path, {"next": elsewhere}))
        assert next_of(page) == ""
    assert client.post("/accounts/login/", GOOD | {"next": elsewhere}).url == "/accounts/"
    assert client.post("/accounts/sign-up/", GOOD | {"username": "dora", "next": elsewhere}).url == "/accounts/"
    assert client.post("/preferences/", {"next": elsewhere}).url == "/"


@pytest.mark.parametrize("has_account", [False, True])
def test_a_guest_at_a_table_gets_an_account_and_sits_there_still(
    client, as_user, person, table_of, play_on, has_account
):
    table = play_on(table_of("alice", "bob"), 2)
    guest = person("bob")
    guest.is_guest = True
    guest.save()
    browser, page = as_user(guest), table.get_absolute_url()
    profile = account_link(html_of(browser, page))
    address = re.search(r'href="(/accounts/sign-up/[^"]*)"', html_of(browser, profile))[1]
    if has_account:
        services.sign_up(**GOOD)
        address = re.search(r'href="(/accounts/login/[^"]*)"', html_of(browser, address))[1]
    hidden = next_of(html_of(browser, address))
    assert browser.post(address, GOOD | {"next": hidden}).url == page
    assert Table.objects.get(pk=table.pk).seat_of(User.objects.get(username="carol").pk).number == 1
    assert "Your hand" in html_of(browser, page)
