"""What htmx gets in place of a whole page that would be pasted into a part of the one that asked."""

import pytest
from django.urls import reverse

from accounts import services
from games.models import Table

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/games/casino/?company=anyone"}


def test_a_request_that_needs_a_login_sends_the_whole_page_there_and_back(client):
    answer = client.post(reverse("notifications:read"), headers=HTMX)
    login = "/accounts/login/?next=%2Fgames%2Fcasino%2F%3Fcompany%3Danyone"
    assert (answer.status_code, answer["HX-Redirect"]) == (200, login)


def test_without_script_the_log_in_is_a_redirect_as_ever(client):
    answer = client.post(reverse("notifications:read"))
    assert answer.status_code == 302 and "HX-Redirect" not in answer


def test_a_page_that_says_no_is_not_put_into_the_board(client, table_of):
    table = table_of("alice", "bob")
    Table.objects.update(is_hidden=True)
    answer = client.get(reverse("games:board", args=[table.code]), headers=HTMX)
    assert (answer.status_code, answer["HX-Reswap"]) == (403, "none")


def test_a_refusal_with_the_board_is_put_in(client, table_of):
    table = table_of("alice", "bob")
    client.force_login(services.sign_up(username="carol", password="a long enough one"))
    answer = client.post(reverse("games:move", args=[table.code]), {"text": "AH", "version": 1}, headers=HTMX)
    assert answer.status_code == 403 and "HX-Reswap" not in answer
    assert 'id="board"' in answer.content.decode()
