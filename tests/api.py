"""Programs that use the HTTP API, for tests of any app."""

import json

from django.test import Client

from accounts import tokens
from accounts.tokens import SCOPES

V1 = "/api/v1"


class Program:
    """A program with an access token of this user; without one, a visitor's."""

    def __init__(self, user=None, *, scopes=tuple(SCOPES), **more):
        self.user, self.browser, self.token = user, Client(enforce_csrf_checks=True), None
        self.headers = {}
        if user is not None:
            self.token, text = tokens.make_token(user=user, name="test", scopes=scopes, **more)
            self.headers = {"Authorization": f"Bearer {text}"}
        self.browser.raise_request_exception = False

    def get(self, path, *, headers=None, **query):
        return self.browser.get(V1 + path, query, headers=self.headers | (headers or {}))

    def post(self, path, *, headers=None, **sent):
        return self.browser.post(
            V1 + path, json.dumps(sent), content_type="application/json", headers=self.headers | (headers or {})
        )


def problem(response):
    """Status and kind of a problem, whose form is checked."""
    assert response["Content-Type"] == "application/problem+json", response.content
    told = response.json()
    assert told["status"] == response.status_code
    assert told["title"] and told["detail"]
    return response.status_code, told["type"].rpartition("#")[2]
