"""Problem details (RFC 9457): every error below `/api/` is `application/problem+json`.

An operation raises `Problem`. Errors of Django itself, such as an unknown address, become problems in
`ProblemMiddleware`.
"""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from infra.http_api import API_PATH

CONTENT_TYPE = "application/problem+json"

DETAILS = {
    400: "The request can't be read.",
    403: "You may not do this.",
    404: "There is nothing at this address.",
    405: "This address doesn't take this method. The header Allow names those it takes.",
    500: "Something went wrong on the site. It isn't your request.",
    503: "The site can't answer right now. Try again in a few seconds.",
}
"""What is said of an error that says nothing itself."""


class Problem(Exception):
    """An error that the client is told.

    kind: a word for programs, such as "stale"; `/api/#problems` explains each. detail: a sentence for people.
    more: further members of the JSON object.
    """

    def __init__(
        self, status: int, kind: str, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail, self.more = status, kind, detail, more
        self.headers = headers or {}

    def response(self) -> HttpResponse:
        members = {
            "type": f"{API_PATH}#{self.kind}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            **self.more,
        }
        text = json.dumps(members, ensure_ascii=False)
        return HttpResponse(text, status=self.status, content_type=CONTENT_TYPE, headers={**self.headers})


class ProblemMiddleware:
    """Middleware: gives error pages below `/api/` the form of a problem. It comes before all that may refuse."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_error = response.status_code >= HTTPStatus.BAD_REQUEST and request.path_info.startswith(API_PATH)
        if not is_error or response.get("Content-Type", "") == CONTENT_TYPE:
            return response
        status = response.status_code
        kind = HTTPStatus(status).name.lower().replace("_", "-")
        told = Problem(status, kind, DETAILS.get(status, HTTPStatus(status).description)).response()
        for name, value in response.items():  # those of security, and such as Allow
            if name != "Content-Length":
                told.headers.setdefault(name, value)
        return told
