"""The fast path of a request checks login and page as the normal path does."""

from datetime import timedelta
from io import BytesIO
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.contrib.sessions.backends.cached_db import SessionStore
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import log_out_everywhere, suspend_account
from cardsite.web.handler import Handler
from games import services
from games.models import Move, Table
from games.record import replay, table_store
from tests.loop import run

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "a" * 32


@pytest.fixture(autouse=True)
def _fast_moves(settings):
    settings.FAST_MOVES = True


@pytest.fixture
def table():
    people = [User.objects.create(username=name) for name in ("alice", "bob")]
    return Table.objects.with_seats().get(pk=services.seat_and_start(game="casino", players=people, options=None).pk)


def post(table, *, cookies=(), token=TOKEN, htmx=True, host="localhost", scheme="http", version=None):
    """The answer to the first legal move of the seat to act. version: of the board, if it is not the newest."""
    table.refresh_from_db(fields=["version", "move_count"])
    state = replay.state_of(table)
    text = str(state.legal_moves(state.to_act[0])[0])
    cookies = {"csrftoken": TOKEN, **dict(cookies)}
    headers = {
        "host": host,
        "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "x-csrftoken": token,
        "content-type": "application/x-www-form-urlencoded",
        "referer": f"{scheme}://{host}/",
    } | ({"hx-request": "true"} if htmx else {})
    body = urlencode({"version": table.version if version is None else version, "text": text}).encode()
    scope = {
        "type": "http", "method": "POST", "path": f"/tables/{table.code}/moves/", "query_string": b"", "scheme": scheme,
        "headers": [(b"content-length", b"%d" % len(body)), *((k.encode(), v.encode()) for k, v in headers.items())],
    }  # fmt: skip
    return run(WatchedHandler().answer(scope, BytesIO(body)))


class WatchedHandler(Handler):
    """Marks the answers that went through all middlewares."""

    def respond(self, *request):
        response = super().respond(*request)
        response.went_through_middlewares = True
        return response


def session_of(user):
    browser = Client()
    browser.force_login(user)
    return {settings.SESSION_COOKIE_NAME: browser.cookies[settings.SESSION_COOKIE_NAME].value}


def beginner(table):
    return table.seats.all()[1 - table.first_dealer].user


def played_by(table, user):
    """The cookies of this player, who begins; both have moved once."""
    other = next(seat.user for seat in table.seats.all() if seat.user != user)
    cookies = session_of(user)
    assert [post(table, cookies=by).status_code for by in (cookies, session_of(other))] == [200, 200]
    return cookies


def is_fast(answer):
    return answer.status_code == 200 and not hasattr(answer, "went_through_middlewares")


def test_a_player_moves_and_gets_the_board(table):
    answer = post(table, cookies=session_of(beginner(table)))
    assert answer.status_code == 200
    assert f'data-seq="{table.version + 1}"' in answer.text
    assert not is_fast(answer)  # nobody knew him
    assert Move.objects.count() == 1


def test_who_has_moved_before_takes_the_fast_path_to_the_same_board(table):
    cookies = played_by(table, beginner(table))
    answer = post(table, cookies=cookies)
    assert is_fast(answer)
    assert f'data-seq="{table.version + 1}"' in answer.text
    assert int(answer["Content-Length"]) == len(answer.content)
    assert Move.objects.count() == 3


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_fast_path_answers_with_the_headers_of_the_normal_one(table, settings, scheme):
    settings.SECURE_HSTS_SECONDS = 60
    cookies = [session_of(beginner(table)), session_of(table.seats.all()[table.first_dealer].user)]
    normal, _, fast = (post(table, cookies=cookies[number % 2], scheme=scheme) for number in range(3))
    assert is_fast(fast) and not is_fast(normal)
    assert {**fast.headers, "Content-Length": ""} == {**normal.headers, "Content-Length": ""}
    assert ("Strict-Transport-Security" in fast) == (scheme == "https")


def test_a_request_that_a_middleware_answers_by_itself_takes_the_normal_path(table, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert post(table, cookies=session_of(beginner(table))).status_code == 301
    assert Move.objects.count() == 0


def test_moves_work_without_the_fast_path(table, settings):
    settings.FAST_MOVES = False
    cookies = played_by(table, beginner(table))
    answer = post(table, cookies=cookies)
    assert answer.status_code == 200 and not is_fast(answer)
    assert Move.objects.count() == 3


def test_a_page_that_has_been_fetched_lets_the_first_move_take_the_fast_path(table):
    scope = {"type": "http", "method": "GET", "path": table.get_absolute_url(), "query_string": b"", "headers": []}
    cookies = session_of(beginner(table))
    named = "; ".join(f"{name}={value}" for name, value in cookies.items())
    scope["headers"] = [(b"host", b"localhost"), (b"cookie", named.encode())]
    assert run(Handler().answer(scope, BytesIO())).status_code == 200
    assert is_fast(post(table, cookies=cookies))


def test_a_move_after_which_others_are_searched_for_takes_the_fast_path_as_well(django_user_model):
    people = [django_user_model.objects.create(username=name) for name in ("alice", "bob")]
    table = services.seat_and_start(game="vatican", players=people, options=None)
    cookies = [session_of(seat.user) for seat in table.seats.all()]
    for number in range(6):
        table = Table.objects.with_seats().get(pk=table.pk)
        answer = post(table, cookies=cookies[replay.state_of(table).to_act[0]])
        assert answer.status_code == 200 and is_fast(answer) == (number >= 2)  # by then both players are known


def test_on_the_fast_path_no_thread_waits_for_the_database(table, django_assert_num_queries):
    """Django refuses its own connection to an event loop; SQLite has no other."""
    cookies = played_by(table, beginner(table))
    with django_assert_num_queries(1):  # ours, for the version
        assert is_fast(post(table, cookies=cookies))


def log_out(user, cookies):
    browser = Client()
    browser.cookies.load(cookies)
    browser.post("/accounts/logout/")


def change_password(user, cookies):
    user.set_password("another one")
    user.save()


def let_expire(user, cookies):
    key = cookies[settings.SESSION_COOKIE_NAME]
    past = timezone.now() - timedelta(seconds=1)
    Session.objects.filter(pk=key).update(expire_date=past)
    caches[settings.SESSION_CACHE_ALIAS].delete(SessionStore.cache_key_prefix + key)  # Redis has forgotten it as well


ENDS = {
    "logs out": log_out,
    "logs out elsewhere": lambda user, cookies: log_out_everywhere(user=user),
    "changes the password": change_password,
    "is shut out": lambda user, cookies: suspend_account(user=user, why=""),
    "is locked in the admin": lambda user, cookies: User.objects.filter(pk=user.pk).update(is_active=False),
    "stays away": let_expire,
}


@pytest.mark.parametrize("event", ENDS)
def test_who_is_logged_in_no_more_moves_no_more(table, event):
    """What this process remembers of somebody is not believed once another has changed it."""
    cookies = played_by(table, beginner(table))
    ENDS[event](beginner(table), cookies)
    assert post(table, cookies=cookies).status_code == 403
    assert Move.objects.count() == 2


def test_who_gives_the_session_to_somebody_else_is_known_as_him(table, django_user_model):
    cookies = played_by(table, beginner(table))
    key, carol = cookies[settings.SESSION_COOKIE_NAME], django_user_model.objects.create(username="carol")
    other = session_of(carol)[settings.SESSION_COOKIE_NAME]
    store = SessionStore(key)
    store.update(SessionStore(other).load())
    store.save()
    assert post(table, cookies=cookies).status_code == 403
    assert Move.objects.count() == 2


def test_without_script_the_move_takes_the_normal_path(table):
    answer = post(table, cookies=session_of(beginner(table)), htmx=False)
    assert answer.status_code == 302
    assert hasattr(answer, "went_through_middlewares")
    assert Move.objects.count() == 1


def test_a_foreign_page_moves_for_nobody(table):
    cookies = played_by(table, beginner(table))
    answer = post(table, cookies=cookies, token="b" * 32)
    assert answer.status_code == 403
    assert answer["HX-Refresh"] == "true"
    assert Move.objects.count() == 2


@pytest.mark.parametrize("who", ["nobody", "a forger", "the opponent"])
def test_nobody_moves_for_a_player(table, who):
    opponent = table.seats.all()[table.first_dealer].user
    cookies = {"nobody": {}, "a forger": {"sessionid": "x" * 32}, "the opponent": session_of(opponent)}[who]
    answer = post(table, cookies=cookies)
    assert answer.status_code in (403, 422)
    assert not Move.objects.exists()


def test_a_remembered_seat_that_has_been_handed_over_is_looked_up_again(table, django_user_model):
    alice, carol = beginner(table), django_user_model.objects.create(username="carol")
    cookies = played_by(table, alice)
    table.refresh_from_db(fields=["version"])
    seen = table.version
    services.hand_over(table_id=table.pk, user=alice, to=carol)  # another process could have done it just as well
    assert table_store.cached_snapshot(table.code).table.version == seen
    assert post(table, cookies=cookies, version=seen).status_code == 422
    assert Move.objects.count() == 2
