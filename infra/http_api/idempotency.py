"""Idempotency keys: a request that is sent twice is carried out once, and answered twice in the same way.

The answer to a POST with the header `Idempotency-Key` is kept for a day, unless it says to try again later. The same
key with another request is refused, and so is a second request while the first one is being carried out.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from infra.http_api.problems import Problem

HEADER = "Idempotency-Key"
KEY = re.compile(r"[\x21-\x7e]{1,128}")
KEPT_SECONDS = 24 * 60 * 60
RUNNING_SECONDS = 60  # the process that carries it out may have been killed
TOO_MANY, SERVER_ERROR = 429, 500


def answer_once(request: HttpRequest, owner: str, carry_out: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The answer to this request, carried out unless its key is known. owner: whose keys they are.

    :raises Problem:
    """
    key = request.headers.get(HEADER, "")
    if not key:
        return carry_out()
    if not KEY.fullmatch(key):
        raise Problem(422, "invalid", f"{HEADER}: use 1 to 128 printable ASCII characters without spaces.")
    name, fingerprint = f"idempotent:{owner}:{hashlib.sha256(key.encode()).hexdigest()}", _fingerprint(request)
    if not cache.add(name, {"fingerprint": fingerprint}, RUNNING_SECONDS):
        return _known_answer(cache.get(name) or {"fingerprint": fingerprint}, fingerprint)
    try:
        response = carry_out()
    except BaseException:
        cache.delete(name)
        raise
    is_for_later = response.status_code == TOO_MANY or response.status_code >= SERVER_ERROR
    if is_for_later or not isinstance(response, HttpResponse):
        cache.delete(name)
    else:
        kept = {"status": response.status_code, "type": response["Content-Type"], "body": response.content}
        cache.set(name, {"fingerprint": fingerprint, **kept}, KEPT_SECONDS)
    return response


def _known_answer(known: Mapping[str, Any], fingerprint: str) -> HttpResponse:
    if known["fingerprint"] != fingerprint:
        raise Problem(422, "key-reused", f"This {HEADER} was used for another request. Send a new key.")
    if "status" not in known:
        raise Problem(
            409, "in-progress", "This request is still being carried out. Try again.", headers={"Retry-After": "1"}
        )
    return HttpResponse(
        known["body"], status=known["status"], content_type=known["type"], headers={"Idempotency-Replayed": "true"}
    )


def _fingerprint(request: HttpRequest) -> str:
    sent = f"{request.method} {request.get_full_path()} {request.content_type}\n".encode() + request.body
    return hashlib.sha256(sent).hexdigest()
