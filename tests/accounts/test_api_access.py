"""Access to the HTTP API: tokens, scopes, limits, idempotency keys, ETags."""

import threading
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts import api_access, bots, services, tokens
from accounts.models import ApiToken, User
from games.models import Table
from infra.http_api import idempotency
from tests.api import V1, Program, problem
from tests.connections import at_once, wait_for_a_lock

pytestmark = pytest.mark.django_db


def test_a_token_is_its_users_and_is_not_stored(person):
    program = Program(person("alice"))
    assert program.get("/me").json()["name"] == "alice"
    text = program.headers["Authorization"].removeprefix("Bearer ")
    assert text.startswith(program.token.start)
    stored = ApiToken.objects.values().get()
    assert text not in str(stored) and len(stored["digest"]) == 64


@pytest.mark.parametrize("header", ["Bearer fs_wrong", "Bearer", "Basic YTpi", "Bearer \ud83d"])
def test_a_token_that_does_not_work_is_refused_also_where_none_is_needed(header):
    answer = Program().get("/games", headers={"Authorization": header})
    assert problem(answer) == (401, "unauthorized")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_no_cookie_counts(person, as_user):
    browser = as_user(person("alice"))
    assert problem(browser.get(f"{V1}/me")) == (401, "unauthorized")
    bob = Program(person("bob"))
    assert browser.get(f"{V1}/me", headers=bob.headers).json()["name"] == "bob"
    assert "Set-Cookie" not in str(browser.get(f"{V1}/games").headers)


def test_a_token_beside_a_session_does_not_become_its_login(person, as_user):
    """The fast path of moves remembers whose session a request had (`games.fast_moves.logins`)."""
    from games.fast_moves import logins

    browser, bob = as_user(person("alice")), Program(person("bob"))
    request = browser.get(f"{V1}/me", headers=bob.headers).wsgi_request
    logins.remember_login(request)
    assert not hasattr(request, "session")
    assert logins._logins.get(browser.cookies["sessionid"].value) is None


def test_a_scope_that_is_missing_is_named(person):
    answer = Program(person("alice"), scopes=["read"]).post("/tables", game="casino")
    assert problem(answer) == (403, "scope")
    assert answer.json()["scope"] == "play"
    assert not Table.objects.exists()


def revoked(program):
    tokens.revoke_token(program.token)


def expired(program):
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def suspended(program):
    services.suspend_account(user=program.user, why="cheating")


def closed(program):
    services.close_account(user=program.user)


def deactivated(program):
    User.objects.filter(pk=program.user.pk).update(is_active=False)


@pytest.mark.parametrize("end", [revoked, expired, suspended, closed, deactivated])
def test_a_token_stops_at_once(person, end):
    program = Program(person("alice"))
    assert program.get("/me").status_code == 200
    end(program)
    assert problem(program.get("/me")) == (401, "unauthorized")


@pytest.mark.parametrize("end", [suspended, closed, deactivated])
def test_the_token_of_a_bot_stops_with_its_owners_account(person, end):
    owner = Program(person("alice"))
    bot, text = bots.register_bot(owner=owner.user, name="Deep")
    bearer = {"Authorization": f"Bearer {text}"}
    assert Program().get("/me", headers=bearer).json()["owner"] == "alice"
    end(owner)
    assert problem(Program().get("/me", headers=bearer)) == (401, "unauthorized")


def test_the_use_of_a_token_is_written_rarely(person, django_assert_num_queries):
    program = Program(person("alice"))
    program.get("/me")
    used = ApiToken.objects.get().last_used_at
    assert used is not None
    program.get("/me")
    assert ApiToken.objects.get().last_used_at == used


def test_limits_are_told(person, monkeypatch):
    monkeypatch.setattr(api_access, "REQUESTS_OF_USER", 2)
    program = Program(person("alice"))
    answers = [program.get("/me") for _ in range(3)]
    assert [one["RateLimit-Remaining"] for one in answers] == ["1", "0", "0"]
    assert {one["RateLimit-Limit"] for one in answers} == {"2"}
    assert problem(answers[2]) == (429, "too-many")
    assert 0 < int(answers[2]["Retry-After"]) <= 60
    assert Program(person("bob")).get("/me").status_code == 200


def test_wrong_tokens_count_for_their_address(monkeypatch):
    monkeypatch.setattr(api_access, "REQUESTS_OF_ADDRESS", 2)
    for _ in range(2):
        Program().get("/me", headers={"Authorization": "Bearer fs_wrong"})
    assert problem(Program().get("/games")) == (429, "too-many")


def test_what_has_not_changed_is_not_sent_again(person):
    program = Program(person("alice"))
    first = program.get("/me")
    again = program.get("/me", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert program.get("/me", headers={"If-None-Match": '"other"'}).status_code == 200
    assert first["Vary"] == "Authorization" and first["Cache-Control"] == "private, no-cache"


# Idempotency keys

KEY = {idempotency.HEADER: "a1"}


def test_a_request_that_is_sent_twice_is_carried_out_once(person):
    program = Program(person("alice"))
    first = program.post("/tables", headers=KEY, game="casino")
    again = program.post("/tables", headers=KEY, game="casino")
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert Table.objects.count() == 1
    program.post("/tables", headers={idempotency.HEADER: "a2"}, game="casino")
    assert Table.objects.count() == 2


def test_a_key_is_for_one_request_of_one_token(person):
    alice, bob = Program(person("alice")), Program(person("bob"))
    alice.post("/tables", headers=KEY, game="casino")
    assert problem(alice.post("/tables", headers=KEY, game="push")) == (422, "key-reused")
    assert bob.post("/tables", headers=KEY, game="casino").json()["seats"][0]["name"] == "bob"


def test_a_refusal_is_the_same_the_second_time(person):
    program = Program(person("alice"))
    answers = [program.post("/tables", headers=KEY, game="casino", options={"no": 1}) for _ in range(2)]
    assert [problem(one) for one in answers] == [(422, "invalid")] * 2


@pytest.mark.parametrize("key", ["a b", "x" * 129, "\x7f"])
def test_a_key_has_a_form(person, key):
    answer = Program(person("alice")).post("/tables", headers={idempotency.HEADER: key}, game="casino")
    assert problem(answer) == (422, "invalid")


# Pages of the account


def test_a_new_token_is_shown_once(person, as_user):
    browser = as_user(person("alice"))
    page = browser.post("/accounts/tokens/", {"name": "laptop", "scopes": ["read", "play"], "days": "30"})
    token = ApiToken.objects.get()
    assert "no-store" in page["Cache-Control"]
    text = page.content.decode().partition('value="fs_')[2].partition('"')[0]
    assert tokens.find_token(f"fs_{text}") == token
    assert token.scopes == ["read", "play"] and token.expires_at is not None
    again = browser.get("/accounts/tokens/").content.decode()
    assert token.start in again and text not in again


def test_tokens_and_bots_are_their_owners(person, as_user):
    program = Program(person("alice"))
    bot, text = bots.register_bot(owner=person("alice"), name="Deep")
    mallory = as_user(person("mallory"))
    for path in (f"tokens/{program.token.pk}/revoke", f"bots/{bot.pk}/token", f"bots/{bot.pk}/retire"):
        assert mallory.post(f"/accounts/{path}/").status_code == 404
    alice = as_user(person("alice"))
    alice.post(f"/accounts/tokens/{program.token.pk}/revoke/")
    assert problem(program.get("/me")) == (401, "unauthorized")
    alice.post(f"/accounts/bots/{bot.pk}/retire/")
    assert tokens.find_token(text) is None
    bot.refresh_from_db()
    assert (bot.username, bot.is_active) == ("Deep", False)


def test_guests_and_bots_make_no_bots(person):
    guest = services.make_guest()
    bot, _ = bots.register_bot(owner=person("alice"), name="Deep")
    for user in (guest, bot):
        with pytest.raises(bots.BotRefused):
            bots.register_bot(owner=user, name="Deeper")


def test_a_person_has_few_bots_and_tokens(person, as_user):
    alice = person("alice")
    for number in range(bots.MOST_BOTS):
        bots.register_bot(owner=alice, name=f"Deep{number}")
    cache.clear()
    page = as_user(alice).post("/accounts/bots/", {"username": "OneMore"})
    assert page.status_code == 422 and b"Retire one of them first" in page.content
    for number in range(tokens.MOST_TOKENS):
        tokens.make_token(user=alice, name=str(number), scopes=["read"])
    with pytest.raises(tokens.TooManyTokens):
        tokens.make_token(user=alice, name="more", scopes=["read"])


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
def test_tokens_that_are_made_at_the_same_moment_are_counted_one_after_the_other(person):
    alice, is_made = person("alice"), threading.Event()
    for number in range(tokens.MOST_TOKENS - 1):
        tokens.make_token(user=alice, name=str(number), scopes=["read"])

    def make_last():
        with transaction.atomic():
            tokens.make_token(user=alice, name="last", scopes=["read"])
            is_made.set()
            wait_for_a_lock()

    def make_one_more():
        assert is_made.wait(10)
        with pytest.raises(tokens.TooManyTokens):
            tokens.make_token(user=alice, name="more", scopes=["read"])

    at_once(make_last, make_one_more)
    assert tokens.own_tokens(alice).count() == tokens.MOST_TOKENS


def test_a_bot_cannot_log_in(person):
    bot, _ = bots.register_bot(owner=person("alice"), name="Deep")
    assert not Client().login(username="Deep", password="")
    assert not bot.has_account and not bot.is_person
