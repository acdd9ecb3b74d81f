"""The page about the HTTP API: every operation, as the OpenAPI description has it."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET

from accounts.tokens import SCOPES
from cardsite.api.description import INTRODUCTION, PROBLEMS, DescribedOperation, operations
from cardsite.api.v1 import api
from tutorials.content.seedfile import render_markdown


class Field(NamedTuple):
    """A parameter of an operation, or a member of what it takes."""

    name: str
    where: str
    kind: str
    is_required: bool
    text: str


class ListedOperation(NamedTuple):
    id: str
    method: str
    path: str
    summary: str
    html: SafeString
    fields: list[Field]


@require_GET
def api_page(request: HttpRequest) -> HttpResponse:
    context = {
        "introduction": _html(INTRODUCTION),
        "groups": listed_operations().items(),
        "scopes": SCOPES.items(),
        "problems": PROBLEMS.items(),
    }
    return render(request, "cardsite/api.html", context)


@cache
def listed_operations() -> Mapping[str, list[ListedOperation]]:
    """The operations by their first tag, in the order of the description."""
    schema = api.get_openapi_schema()
    groups = defaultdict(list)
    for operation in operations(schema):
        groups[operation.details["tags"][0]].append(_listed(operation, schema["components"]["schemas"]))
    return dict(groups)


def _listed(operation: DescribedOperation, shapes: Mapping[str, Any]) -> ListedOperation:
    details = operation.details
    fields = [
        Field(one["name"], one["in"], _kind(one["schema"]), one["required"], one.get("description", ""))
        for one in details["parameters"]
        if one["in"] != "header"
    ]
    content = details.get("requestBody", {}).get("content", {})
    for sent in content.values():
        shape = shapes[sent["schema"]["$ref"].rpartition("/")[2]] if "$ref" in sent["schema"] else sent["schema"]
        needed = shape.get("required", ())
        fields += [
            Field(name, "body", _kind(one), name in needed, one.get("description", ""))
            for name, one in shape.get("properties", {}).items()
        ]
    html = _html(details["description"])
    return ListedOperation(
        details["operationId"], operation.method.upper(), operation.path, details["summary"], html, fields
    )


def _html(text: str) -> SafeString:
    return SafeString(render_markdown(text))


def _kind(schema: Mapping[str, Any]) -> str:
    """The type of a value in words: "integer", "string or null", "draw, knock or pass"."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_kind, schema["anyOf"])))
    if "enum" in schema:
        return ", ".join(map(str, filter(None, schema["enum"])))
    if "$ref" in schema:
        return "object"
    return str(schema.get("type", schema.get("const", "any")))
