"""The page about the HTTP API: the guide of `docs/api.md`, and all of the OpenAPI description; its example clients."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET
from markdown_it import MarkdownIt

from accounts.tokens import SCOPES
from cardsite.api.description import PROBLEMS, DescribedOperation, operations
from cardsite.api.v1 import api
from tutorials.content.seedfile import render_markdown

DOCS = settings.BASE_DIR / "docs"
EXAMPLES = ("bridge", "gin_bot")  # in docs/api/
REFERENCE = "#/components/schemas/"


class Field(NamedTuple):
    """A parameter of an operation, or a member of an object. shape: the name of the object that it holds, or ""."""

    name: str
    where: str
    kind: str
    shape: str
    is_required: bool
    text: str


class Shape(NamedTuple):
    """An object of a request or an answer."""

    name: str
    text: str
    fields: list[Field]


class ListedOperation(NamedTuple):
    id: str
    method: str
    path: str
    summary: str
    html: SafeString
    fields: list[Field]
    answers: str
    answer_shape: str


@require_GET
def api_page(request: HttpRequest) -> HttpResponse:
    context = {
        "guide": guide_html(),
        "examples": EXAMPLES,
        "groups": listed_operations().items(),
        "shapes": listed_shapes(),
        "scopes": SCOPES.items(),
        "problems": PROBLEMS.items(),
    }
    return render(request, "cardsite/api.html", context)


@require_GET
def example_client(request: HttpRequest, stem: str) -> FileResponse:
    """One of the clients in `docs/api/`, as a file."""
    if stem not in EXAMPLES:
        raise Http404("There is no such example.")
    return FileResponse((DOCS / "api" / f"{stem}.py").open("rb"), as_attachment=True, content_type="text/x-python")


@cache
def guide_html() -> SafeString:
    """`docs/api.md` without its heading; its links to `api/…` lead to the examples at `/api/…`."""
    _, _, text = (DOCS / "api.md").read_text().partition("\n")
    html = MarkdownIt("commonmark", {"html": False}).render(text.replace("](api/", "](/api/"))
    return SafeString(html.replace("<pre>", '<pre tabindex="0">'))  # scrolls on a phone, also by keyboard


@cache
def listed_operations() -> Mapping[str, list[ListedOperation]]:
    """The operations by their first tag, in the order of the description."""
    schema = api.get_openapi_schema()
    groups = defaultdict(list)
    for operation in operations(schema):
        groups[operation.details["tags"][0]].append(_listed(operation, schema["components"]["schemas"]))
    return dict(groups)


@cache
def listed_shapes() -> list[Shape]:
    """The objects of requests and answers, by name."""
    shapes = api.get_openapi_schema()["components"]["schemas"]
    return [Shape(name, shape.get("description", ""), _members(shape)) for name, shape in sorted(shapes.items())]


def _listed(operation: DescribedOperation, shapes: Mapping[str, Any]) -> ListedOperation:
    details = operation.details
    fields = [
        _field(one["name"], one["schema"], where=one["in"], is_required=one["required"], text=one.get("description"))
        for one in details["parameters"]
        if one["in"] != "header"
    ]
    for sent in details.get("requestBody", {}).get("content", {}).values():
        shape = sent["schema"]
        fields += _members(shapes[_shape(shape)] if "$ref" in shape else shape, where="body")
    given = next(answer for status, answer in details["responses"].items() if str(status).startswith("2"))
    answer = given.get("content", {}).get("application/json", {}).get("schema")
    return ListedOperation(
        details["operationId"],
        operation.method.upper(),
        operation.path,
        details["summary"],
        _html(details["description"]),
        fields,
        _kind(answer) if answer else "",
        _shape(answer) if answer else "",
    )


def _members(shape: Mapping[str, Any], *, where: str = "") -> list[Field]:
    needed = shape.get("required", ())
    return [
        _field(name, one, where=where, is_required=name in needed, text=one.get("description"))
        for name, one in shape.get("properties", {}).items()
    ]


def _field(name: str, schema: Mapping[str, Any], *, where: str, is_required: bool, text: str | None) -> Field:
    return Field(name, where, _kind(schema), _shape(schema), is_required, text or "")


def _shape(schema: Mapping[str, Any]) -> str:
    """The name of the object that a value is or holds; "" if there is none."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REFERENCE)
    inner = [*schema.get("anyOf", ()), *filter(None, [schema.get("items")])]
    return next(filter(None, map(_shape, inner)), "")


def _html(text: str) -> SafeString:
    return SafeString(render_markdown(text))


def _kind(schema: Mapping[str, Any]) -> str:
    """The type of a value in words: "integer", "string or null", "quick, standard", "list of Zone"."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_kind, schema["anyOf"])))
    if "enum" in schema:
        return ", ".join(map(str, filter(None, schema["enum"])))
    if "$ref" in schema:
        return _shape(schema)
    if "items" in schema:
        return f"list of {_kind(schema['items'])}"
    return str(schema.get("type", schema.get("const", "any")))
