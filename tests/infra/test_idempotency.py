"""Idempotency keys: what is carried out meanwhile, and what is not kept. The API's own requests: `test_api_access`."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from infra.http_api.idempotency import HEADER, answer_once
from infra.http_api.problems import Problem

REQUEST = RequestFactory().post("/api/v1/tables", "{}", content_type="application/json", headers={HEADER: "the-key"})
pytestmark = pytest.mark.usefixtures("valkey")


def answer(text, status=200):
    return lambda: HttpResponse(text, status=status)


def test_a_second_request_is_refused_while_the_first_is_carried_out():
    refusals = []

    def carry_out_slowly():
        with pytest.raises(Problem) as caught:
            answer_once(REQUEST, "alice", answer("twice"))
        refusals.append((caught.value.status, caught.value.kind))
        return HttpResponse("once")

    assert answer_once(REQUEST, "alice", carry_out_slowly).content == b"once"
    assert refusals == [(409, "in-progress")]
    later = answer_once(REQUEST, "alice", answer("later"))
    assert later.content == b"once" and later["Idempotency-Replayed"] == "true"


def test_owners_do_not_share_keys():
    answer_once(REQUEST, "alice", answer("for alice"))
    assert answer_once(REQUEST, "bob", answer("for bob")).content == b"for bob"


def test_an_error_page_of_the_site_is_not_kept():
    assert answer_once(REQUEST, "alice", answer("sorry", status=500)).status_code == 500
    assert answer_once(REQUEST, "alice", answer("well")).content == b"well"


def test_a_request_that_came_too_often_is_carried_out_once_it_waited():
    assert answer_once(REQUEST, "alice", answer("too many", status=429)).status_code == 429
    assert answer_once(REQUEST, "alice", answer("well")).content == b"well"


def test_a_crash_is_not_kept():
    with pytest.raises(ZeroDivisionError):
        answer_once(REQUEST, "alice", lambda: HttpResponse(str(1 // 0)))
    assert answer_once(REQUEST, "alice", answer("well")).content == b"well"
