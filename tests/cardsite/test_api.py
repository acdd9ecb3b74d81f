"""The HTTP API as a whole, walked by its description: who may ask, what an error looks like, and nonsense."""

import json
import re
from random import Random

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from cardsite.api.description import PROBLEMS, operations
from cardsite.api.v1 import api
from games.models import Table
from games.record import replay
from tests.api import V1, Program, problem
from tests.cardsite.walk_world import built
from tests.games.recorder import forget

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]

SCHEMA = json.loads(json.dumps(api.get_openapi_schema(path_prefix="api/v1/")))
OPERATIONS = list(operations(SCHEMA))
SOURCES = ("accounts", "cardsite", "chat", "games", "infra", "notifications", "tournaments", "tutorials")


def filled(path, **parts):
    known = {"code": "nothere1", "game": "casino", "slug": "close", "at": 0} | parts
    return re.sub(r"\{(\w+)\}", lambda part: str(known.get(part[1], 1)), path).removeprefix(V1)


def ask(program, operation, path=None, sent=None, **query):
    path = path or filled(operation.path)
    return program.get(path, **query) if operation.method == "get" else program.post(path, **(sent or {}))


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.details["operationId"])
def test_every_operation_is_described(operation):
    details = operation.details
    assert operation.method in ("get", "post")
    assert details["summary"] and details["description"] and len(details["tags"]) == 1
    assert {"422", "429"} <= details["responses"].keys()
    assert ("x-scope" in details) == ("security" in details) == ("401" in details["responses"])


def test_a_body_is_sent_only_where_it_has_to_say_something():
    bodies = {one.path: one.details["requestBody"] for one in OPERATIONS if "requestBody" in one.details}
    for path, body in bodies.items():
        name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        has_to = bool(SCHEMA["components"]["schemas"][name].get("required"))
        assert bool(body.get("required")) == has_to, path
    alice = Program(User.objects.create(username="alice"))
    path = f"{V1}/tables/nothere1/sit"
    nothing = alice.browser.post(path, content_type="application/json", headers=alice.headers)
    assert problem(nothing) == (404, "not-found")
    form = alice.browser.post(path, {"seat": 1}, headers=alice.headers)
    assert problem(form) == (400, "bad-request") and "Send JSON" in form.json()["detail"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"seat":\n 1,}', "The JSON is invalid at line 2, column 4. Send JSON in UTF-8"),
        (b'{"seat": NaN}', "can't be read. Send JSON in UTF-8, without NaN"),
        (b'{"seat": "\xff"}', "can't be read. Send JSON in UTF-8"),
    ],
)
def test_a_body_that_is_no_json_is_answered_by_where_and_what_to_send(body, words):
    alice = Program(User.objects.create(username="alice"))
    path = f"{V1}/tables/nothere1/sit"
    answer = alice.browser.post(path, body, content_type="application/json", headers=alice.headers)
    assert problem(answer) == (400, "bad-request") and words in answer.json()["detail"]


def test_an_error_says_where_by_the_names_that_were_sent():
    alice = Program(User.objects.create(username="alice"))
    told = [alice.post("/tables/nothere1/moves", move="D"), alice.get("/tournaments", phase="later")]
    assert [answer.json()["errors"][0]["at"] for answer in told] == [["body", "version"], ["query", "phase"]]


def test_the_description_can_be_read():
    names = [operation.details["operationId"] for operation in OPERATIONS]
    assert len(names) == len({*names}) > 50
    text = json.dumps(SCHEMA)
    for kind, name in re.findall(r'"#/components/(\w+)/(\w+)"', text):
        assert name in SCHEMA["components"][kind]
    answer = Program().get("/openapi.json")
    assert answer.json()["openapi"].startswith("3.1")
    assert answer["ETag"]
    assert answer.json()["paths"].keys() == SCHEMA["paths"].keys()


def test_the_page_has_the_guide_all_operations_and_all_objects(client):
    html = client.get("/api/").content.decode()
    assert "hmac.compare_digest" in html  # of the guide, in a block of code
    for operation in OPERATIONS:
        assert f'id="{operation.details["operationId"]}"' in html
    links = re.findall(r'href="#(\w+)"', html)
    assert {"TableDetails", "LegalMove", "EventDetails"} <= {*links} <= {*re.findall(r'id="([\w-]+)"', html)}
    assert {*SCHEMA["components"]["schemas"]} <= {*re.findall(r'id="(\w+)"', html)}


@pytest.mark.parametrize("name", ["bridge.py", "gin_bot.py"])
def test_the_example_clients_come_from_the_site(client, name):
    assert f'href="/api/{name}"' in client.get("/api/").content.decode()
    answer = client.get(f"/api/{name}")
    assert b"".join(answer.streaming_content) == (settings.BASE_DIR / "docs" / "api" / name).read_bytes()
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert client.get("/api/settings.py").status_code == 404


def test_streams_say_how_to_take_them_up_again():
    streams = {one.details["operationId"]: one.details for one in OPERATIONS if one.path.endswith("/stream")}
    taken = {name: {one["name"] for one in details["parameters"]} for name, details in streams.items()}
    assert {"seen", "Last-Event-ID"} <= taken["stream_account"] & taken["stream_table"]
    assert not any("If-None-Match" in names for names in taken.values())


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.details["operationId"])
def test_an_operation_asks_for_its_scope(operation, person):
    scope = operation.details.get("x-scope")
    if scope is None:
        assert operation.method == "get"
        assert ask(Program(), operation).status_code in (200, 404)
        return
    assert problem(ask(Program(), operation)) == (401, "unauthorized")
    others = [one for one in ("read", "play", "chat", "enter", "direct", "learn") if one != scope]
    refused = ask(Program(person("alice"), scopes=others), operation)
    assert problem(refused) == (403, "scope") and refused.json()["scope"] == scope


def test_every_kind_of_problem_is_explained():
    found = set()
    for app in SOURCES:
        for path in (settings.BASE_DIR / app).rglob("*.py"):
            found |= set(re.findall(r'Problem\(\s*\w+(?:\.\w+)?,\s*"([\w-]+)"', path.read_text()))
    assert found <= PROBLEMS.keys() and len(found) > 8


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/v1/nothing", 404),
        ("get", "/api/v1/", 404),
        ("get", "/api/v2/games", 404),
        ("delete", "/api/v1/games", 405),
        ("post", "/api/", 405),
        ("get", "/api/v1/games?game=%00", 400),
    ],
)
def test_errors_of_the_site_itself_are_problems_too(method, path, status):
    answer = getattr(Client(raise_request_exception=False), method)(path)
    assert problem(answer)[0] == status
    assert (status == 405) == ("Allow" in answer)
    assert answer["X-Content-Type-Options"] == "nosniff" and "default-src 'none'" in answer["Content-Security-Policy"]


def test_an_error_in_an_operation_is_a_problem(table_of, play_on):
    table = play_on(table_of("alice", "bob"), moves=3)
    Table.objects.filter(pk=table.pk).update(options="none")
    replay._newest.clear()
    alice = Program(User.objects.get(username="alice"))
    assert problem(alice.get(f"/tables/{table.code}")) == (500, "internal-server-error")


BODIES = ["", "{", "[]", "null", '"text"', '{"game": null}', '{"game": "casino", "seats": "x"}', "[" * 100_000]
BODIES += [
    '{"game": "\\u0000"}',
    '{"game": "\\ud83d"}',
    '{"game": "casino", "minutes": NaN}',
    '{"game": "casino", "\\u0000": 1}',
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:40])
def test_a_body_that_cannot_be_read_is_refused(person, body):
    program = Program(person("alice"))
    answer = program.browser.post(f"{V1}/tables", body, content_type="application/json", headers=program.headers)
    assert problem(answer)[0] in (400, 422)


NONSENSE = ("", "x", "-1", "0", "9" * 30, "\U0001f0cf", "a" * 300, "../..", "%00", "null", "casino", "1e9", "K 9C")


def nonsense(rng, schema):
    """A value for a parameter or a member, mostly of another type than it should have."""
    kinds = [rng.choice(NONSENSE), rng.randrange(-5, 5), 2**70, 1.5, True, None, [], {}, ["x"], {"x": "y"}]
    if "enum" in schema and rng.random() < 0.7:
        return rng.choice(schema["enum"])
    return rng.choice(kinds[:2] if rng.random() < 0.5 else kinds)


def test_nonsense_never_breaks_anything():
    """Every operation, by the people of the walk's world, with random values. No answer is an error of the site."""
    world, rng = built(), Random(20)
    director = User.objects.get(username="director")
    programs = [Program(world.player), Program(director), Program(world.people["admin"])]
    parts = {"code": world.table.code, "event_id": world.cup.pk, "puzzle_id": world.puzzle.pk, "league_id": 1}
    parts["ladder_id"] = world.ladder.pk
    for operation in OPERATIONS:
        shapes = SCHEMA["components"]["schemas"]
        content = operation.details.get("requestBody", {}).get("content", {}).get("application/json", {})
        shape = shapes.get(content.get("schema", {}).get("$ref", "").rpartition("/")[2], {}).get("properties", {})
        if operation.path.endswith("/stream"):
            continue
        for _ in range(6):
            program = rng.choice(programs)
            chosen = {name: rng.choice([value, value, rng.choice(NONSENSE[1:7])]) for name, value in parts.items()}
            path = filled(operation.path, **chosen).replace("\U0001f0cf", "x")
            query = {
                one["name"]: nonsense(rng, one["schema"]) or ""
                for one in operation.details["parameters"]
                if one["in"] == "query" and rng.random() < 0.8
            }
            sent = {name: nonsense(rng, one) for name, one in shape.items() if rng.random() < 0.8}
            answer = ask(program, operation, path, sent, **query)
            assert answer.status_code < 500, (operation.path, path, query, sent, answer.content)
            if answer.status_code >= 400:
                problem(answer)
        forget(world.table)
