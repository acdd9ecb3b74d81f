"""The OpenAPI description: what the operations do not say themselves, and what the page about the API lists."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from accounts.preferences import SITE_NAME
from infra.http_api import idempotency, problems

TITLE = f"{SITE_NAME} API"
INTRODUCTION = f"""\
Play, follow and run games and tournaments of {SITE_NAME} by program.

Send an access token (`Authorization: Bearer fs_…`), made under Settings, API tokens; a bot has tokens of its own
(Settings, Your bots). Errors are problem details (RFC 9457). Lists come in pages: pass `next` on as `cursor`. Send
`If-None-Match` to read only what has changed. A POST with an `Idempotency-Key` is carried out once, however often it is
sent within a day. The headers `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` tell how many requests are
left; after too many, `Retry-After` says how long to wait."""

PROBLEMS = {
    "invalid": "The request does not fit the description of the operation. `errors` says where.",
    "unauthorized": "There is no token, or it doesn't work: revoked, expired, or its user may no longer log in.",
    "scope": "The token lacks the `scope` of the operation.",
    "forbidden": "You may not do this.",
    "no-seat": "You don't have a seat at this table.",
    "hidden": "The table is hidden until the event shows its games.",
    "unplayed-deal": "The cards of this table are offered to you for play, so you can't see them yet.",
    "not-found": "There is no such thing.",
    "method-not-allowed": "The address doesn't take this method. The header `Allow` names those it takes.",
    "stale": "The table has changed since the `version` you sent. Nothing was played; look again.",
    "refused": "A rule or the state of things is against it. A refused move names the `rule` of the rule book.",
    "preview": "A director's action that wants to be confirmed: send it again with `seen` as `key` says.",
    "in-progress": "The first request with this Idempotency-Key is still being carried out.",
    "key-reused": "The Idempotency-Key was used for another request.",
    "other-rules": "The game was played by earlier rules, by which its moves may mean something else.",
    "too-many": "Too many requests. `Retry-After` says how long to wait.",
    "bad-request": "The request can't be read.",
    "internal-server-error": "Something went wrong on the site.",
    "service-unavailable": "The site can't answer right now. Try again in a few seconds.",
}
"""Kinds of problems (`Problem.kind`) and what they mean."""

KEY_PARAMETER = {
    "in": "header",
    "name": idempotency.HEADER,
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 128},
    "description": "Chosen by you, new for each request: the same one again gets the same answer, for a day",
}
TAG_PARAMETER = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "schema": {"type": "string"},
    "description": "The `ETag` of the answer that you have: 304 if nothing has changed",
}
PROBLEM_SCHEMA = {
    "type": "object",
    "title": "Problem",
    "description": "Problem details (RFC 9457)",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "examples": ["/api/#stale"]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence for people"},
        "rule": {"type": "string", "description": "Id of the rule that a refused move breaks"},
        "errors": {"description": "What does not fit, and where"},
    },
}
PROBLEM_ANSWER = {
    "description": "A problem",
    "content": {problems.CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


def completed(schema: dict[str, Any], scopes: Mapping[str, str]) -> dict[str, Any]:
    """Adds what all operations share: problems, the headers that they take, and the scope of each.

    scopes: by operation id, what its token needs.
    """
    schema["components"]["schemas"]["Problem"] = PROBLEM_SCHEMA
    schema["components"]["responses"] = {"Problem": PROBLEM_ANSWER}
    for operation in operations(schema):
        details, statuses = operation.details, ["422", "429"]
        for content in details.get("requestBody", {}).get("content", {}).values():
            content["schema"] = content["schema"].get("allOf", [content["schema"]])[0]  # as of a body that is required
        is_stream = operation.path.endswith("/stream")
        if not is_stream:
            details["parameters"].append(TAG_PARAMETER if operation.method == "get" else KEY_PARAMETER)
        if scope := scopes.get(details["operationId"]):
            details["x-scope"] = scope
            details["description"] = f"{details.get('description', '')}\n\nScope: `{scope}`.".strip()
            statuses += ["401", "403"]
        if operation.method == "post":
            statuses.append("409")
        elif not is_stream:
            details["responses"]["304"] = {"description": "Nothing has changed"}
        if "{" in operation.path:
            statuses.append("404")
        for status in sorted(statuses):
            details["responses"].setdefault(status, {"$ref": "#/components/responses/Problem"})
    return schema


class DescribedOperation(NamedTuple):
    path: str
    method: str
    details: dict[str, Any]


def operations(schema: dict[str, Any]) -> Iterator[DescribedOperation]:
    for path, methods in schema["paths"].items():
        for method, details in methods.items():
            yield DescribedOperation(path, method, details)
