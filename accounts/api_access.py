"""Access to the HTTP API: who asks (Bearer token), how often, and answers that are sent once.

No cookie counts below `/api/`: without a token a request is a visitor's, so a page of another site can do nothing
there in the name of the person who opens it.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from ninja.security import HttpBearer

from accounts import tokens
from accounts.models import ApiToken, User
from accounts.throttle import LIMITS, Quota, RateCounter, address_of, count_one, use_quotas, wait_in_words
from infra.http_api import VERSION_PATH, idempotency
from infra.http_api.problems import Problem

LIMIT_SECONDS = 60
REQUESTS_OF_USER, REQUESTS_OF_ADDRESS = 1200, 120
OK, TOO_MANY = 200, 429


class ApiRequest(HttpRequest):
    """A request of the API with a token."""

    user: User
    token: ApiToken


class ApiAccess:
    """Middleware of the API, the last before the operation: token, limit, stored answers, ETag."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(VERSION_PATH):
            return self.get_response(request)
        del request.session  # so that nothing here can ask for it, or take the token's user for the session's
        quota = None
        try:
            token = read_token(request)
            quota = use_quota(request, token)
            response = self.answer(request, token, quota)
        except Problem as problem:
            response = problem.response()
        for name, value in (quota.headers if quota else {}).items():
            response[name] = value
        patch_vary_headers(response, ["Authorization"])
        response.setdefault("Cache-Control", "private, no-cache")
        return response

    def answer(self, request: HttpRequest, token: ApiToken | None, quota: Quota) -> HttpResponseBase:
        if quota.is_used_up:
            raise too_many(quota.reset)
        if request.method == "POST" and token is not None:
            return idempotency.answer_once(request, f"token-{token.pk}", lambda: self.get_response(request))
        response = self.get_response(request)
        if request.method in ("GET", "HEAD") and response.status_code == OK and isinstance(response, HttpResponse):
            response["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
            return get_conditional_response(request, response["ETag"], None, response) or response
        return response


def read_token(request: HttpRequest) -> ApiToken | None:
    """The token of a request, which becomes its user's; None without one. :raises Problem: it does not work."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    token = None
    if scheme:
        token = tokens.find_token(text.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            use_quota(request, None)
            raise unauthorized("This token doesn't work. It may be revoked or expired.")
        tokens.note_use(token)
    request.user = token.user if token else AnonymousUser()
    request.token = token  # type: ignore[attr-defined]  # see `ApiRequest`
    return token


def unauthorized(detail: str) -> Problem:
    return Problem(401, "unauthorized", detail, headers={"WWW-Authenticate": 'Bearer realm="api"'})


def use_quota(request: HttpRequest, token: ApiToken | None) -> Quota:
    """Counts the request: by user, or by address without a token."""
    poster = f"user-{token.user_id}" if token else address_of(request)
    count = REQUESTS_OF_USER if token else REQUESTS_OF_ADDRESS
    [quota] = use_quotas([RateCounter("api", poster, count, LIMIT_SECONDS)])
    return quota


def too_many(wait: int, *, what: str = "requests") -> Problem:
    detail = f"Too many {what}. Try again in {wait_in_words(wait)}."
    return Problem(TOO_MANY, "too-many", detail, headers={"Retry-After": str(wait)})


def limit_operation(request: ApiRequest, name: str) -> None:
    """The limit of a form on the site (`accounts.throttle.LIMITS`), counted together with it.

    All bots of a person share the person's limit. :raises Problem:
    """
    limit, poster = LIMITS[name], f"account-{request.user.owner_id or request.user.pk}"
    wait = count_one(name, poster, count=limit.count, seconds=limit.seconds)
    if wait:
        raise too_many(wait, what="requests of this kind")


class BearerToken(HttpBearer):
    """Authentication of an operation: a token with this scope."""

    openapi_description = "An access token, made under Settings, API tokens."

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Any:
        token: ApiToken | None = getattr(request, "token", None)
        if token is None:
            raise unauthorized("This operation needs an access token in the header Authorization: Bearer.")
        if self.scope not in token.scopes:
            raise Problem(403, "scope", f"This token lacks the scope {self.scope}.", scope=self.scope)
        return token

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        return token


NEEDS = {scope: BearerToken(scope) for scope in tokens.SCOPES}
"""By scope: the `auth` of an operation."""
