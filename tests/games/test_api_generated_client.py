"""A client that is generated from the OpenAPI description plays a game: the description says all that one needs."""

import json
from random import Random

import pytest
from django.test import Client

from tests.api import V1, Program

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def generated(description):
    """Functions by operation id, made from the description alone, as generators of clients do."""
    shapes = description["components"]["schemas"]

    def function(path, method, details):
        places = {one["name"]: one["in"] for one in details["parameters"]}
        body = details.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        shape = shapes[body["$ref"].rpartition("/")[2]] if body else {}
        known = {200, 201} & {int(status) for status in details["responses"]}

        def call(headers, **values):
            unknown = values.keys() - places.keys() - shape.get("properties", {}).keys()
            missing = {*shape.get("required", ())} - values.keys()
            assert not unknown and not missing, (unknown, missing)
            sent = {name: value for name, value in values.items() if name not in places}
            query = {name: value for name, value in values.items() if places.get(name) == "query"}
            answer = Client().generic(
                method.upper(),
                path.format(**values),
                json.dumps(sent) if body else "",
                content_type="application/json",
                query_params=query,
                headers=headers,
            )
            assert answer.status_code in known, answer.content
            [content] = details["responses"][str(answer.status_code)]["content"].values()
            fits(answer.json(), content["schema"], shapes)
            return answer.json()

        return call

    return {
        details["operationId"]: function(path, method, details)
        for path, methods in description["paths"].items()
        for method, details in methods.items()
    }


TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}


def fits(value, schema, shapes):
    """Fails unless the value is as its schema says, as far as types, members and choices go."""
    if "$ref" in schema:
        schema = shapes[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        assert any(does_fit(value, one, shapes) for one in schema["anyOf"]), (value, schema)
        return
    kind = schema.get("type")
    if kind == "object":
        assert isinstance(value, dict) and {*schema.get("required", ())} <= value.keys(), (value, schema)
        for name, one in schema.get("properties", {}).items():
            if name in value:
                fits(value[name], one, shapes)
    elif kind == "array":
        assert isinstance(value, list), (value, schema)
        for one in value:
            fits(one, schema["items"], shapes)
    elif kind:
        assert isinstance(value, TYPES[kind]), (value, schema)
    assert value in schema.get("enum", [value])


def does_fit(value, schema, shapes):
    try:
        fits(value, schema, shapes)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("game", ["gin-rummy", "casino", "carousel", "tabletop-cribbage"])
def test_a_generated_client_plays_a_game(person, game):
    api, rng = generated(json.loads(Client().get(f"{V1}/openapi.json").content)), Random(1)
    seats = 4 if game == "carousel" else 2
    players = [Program(person(name)).headers for name in ("alice", "bob", "cleo", "dan")[:seats]]
    assert game in [one["id"] for one in api["list_games"]({})]
    chosen = {
        name: one["default"] for name, one in api["read_game"]({}, game=game)["options_schema"]["properties"].items()
    }
    code = api["open_table"](players[0], game=game, seats=seats, options=chosen)["code"]
    for player in players[1:]:
        api["sit_down"](player, code=code)
    for _ in range(25):
        table = api["read_table"](players[0], code=code)
        if table["status"] == "finished":
            break
        mover = players[table["view"]["to_act"][0]]
        look = api["read_table"](mover, code=code)
        move = rng.choice(look["view"]["moves"])["move"]
        api["play_move"](mover, code=code, move=move, version=look["version"])
    if table["status"] != "finished":
        table = api["leave_table"](players[0], code=code)
    assert api["list_tables"](players[0], which="own")["items"][0]["code"] == code
    if table["status"] == "finished":
        assert api["read_replay"](players[0], code=code)["moves"]
