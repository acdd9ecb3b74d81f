"""The short way of a move asks who it is, and whether the page is ours, like the long one."""

from io import BytesIO
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client

from cardsite.accounts.models import User
from cardsite.accounts.services import log_out_everywhere, shut_account
from cardsite.handler import Handler
from games import services
from games.models import Move, Table

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "a" * 32


@pytest.fixture
def table():
    people = [User.objects.create(username=name) for name in ("alice", "bob")]
    return Table.objects.with_seats().get(pk=services.seat_and_start(game="casino", players=people, options=None).pk)


def post(table, *, cookies=(), token=TOKEN, htmx=True, host="localhost"):
    """The answer to the first legal move of the seat that begins."""
    text = str(services.common.replay.state_of(table).legal_moves(1 - table.first_dealer)[0])
    cookies = {"csrftoken": TOKEN, **dict(cookies)}
    headers = {
        "host": host,
        "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "x-csrftoken": token,
        "content-type": "application/x-www-form-urlencoded",
    } | ({"hx-request": "true"} if htmx else {})
    body = urlencode({"version": table.version, "text": text}).encode()
    scope = {
        "type": "http", "method": "POST", "path": f"/tables/{table.code}/moves/", "query_string": b"", "scheme": "http",
        "headers": [(b"content-length", b"%d" % len(body)), *((k.encode(), v.encode()) for k, v in headers.items())],
    }  # fmt: skip
    return Handler().respond(scope, BytesIO(body))


def session_of(user):
    browser = Client()
    browser.force_login(user)
    return {settings.SESSION_COOKIE_NAME: browser.cookies[settings.SESSION_COOKIE_NAME].value}


def beginner(table):
    return table.seats.all()[1 - table.first_dealer].user


def test_a_player_moves_and_gets_the_board(table):
    answer = post(table, cookies=session_of(beginner(table)))
    assert answer.status_code == 200
    assert f'data-seq="{table.version + 1}"' in answer.text
    assert "Content-Security-Policy" not in answer  # it took the short way
    assert int(answer["Content-Length"]) == len(answer.content)
    assert Move.objects.count() == 1


def test_without_script_the_move_takes_the_long_way(table):
    answer = post(table, cookies=session_of(beginner(table)), htmx=False)
    assert answer.status_code == 302
    assert "Content-Security-Policy" in answer
    assert Move.objects.count() == 1


def test_a_foreign_page_moves_for_nobody(table):
    answer = post(table, cookies=session_of(beginner(table)), token="b" * 32)
    assert answer.status_code == 403
    assert answer["HX-Refresh"] == "true"
    assert not Move.objects.exists()


@pytest.mark.parametrize("who", ["nobody", "a forger", "the opponent"])
def test_nobody_moves_for_a_player(table, who):
    opponent = table.seats.all()[table.first_dealer].user
    cookies = {"nobody": {}, "a forger": {"sessionid": "x" * 32}, "the opponent": session_of(opponent)}[who]
    answer = post(table, cookies=cookies)
    assert answer.status_code in (403, 422)
    assert not Move.objects.exists()


def test_who_has_logged_out_moves_no_more(table):
    cookies = session_of(beginner(table))
    browser = Client()
    browser.cookies.load(cookies)
    browser.post("/accounts/logout/")
    assert post(table, cookies=cookies).status_code == 403
    assert not Move.objects.exists()


def test_a_remembered_seat_that_has_been_handed_over_is_looked_up_again(table, django_user_model):
    alice, carol = beginner(table), django_user_model.objects.create(username="carol")
    cookies = session_of(alice)
    services.common.reading.remember(table)
    table.seats.filter(user=alice).update(user=carol)  # another process did, and this one has not heard of it
    assert post(table, cookies=cookies).status_code == 422
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    "end", [lambda user: log_out_everywhere(user=user), lambda user: shut_account(user=user, why="")]
)
def test_an_old_session_moves_nothing_any_more(table, end):
    user = beginner(table)
    cookies = session_of(user)
    end(user)
    assert post(table, cookies=cookies).status_code == 403
    assert not Move.objects.exists()
