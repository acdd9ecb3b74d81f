"""The chat by the HTTP API: who may write what is decided as on the page."""

import pytest

from chat.models import Line
from tests.api import Program, problem

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def test_players_chat_and_watchers_do_not_disturb(person, table_of):
    table = table_of("alice", "bob")
    alice, bob, mallory = (Program(person(name)) for name in ("alice", "bob", "mallory"))
    path = f"/tables/{table.code}/chat"
    assert alice.post(path, text="Good luck").status_code == 201
    assert mallory.post(path, text="She has the ten").status_code == 201
    [line] = bob.get(path).json()["lines"]
    assert (line["name"], line["text"]) == ("alice", "Good luck")
    assert bob.get(path, after=line["id"]).json()["lines"] == []
    phrase = next(iter(bob.get(path).json()["phrases"]))
    assert bob.post(path, kind="phrase", text=phrase).status_code == 201
    assert problem(bob.post(path, kind="phrase", text="no such phrase")) == (422, "refused")
    assert problem(bob.post(path, text="")) == (422, "invalid")
    assert Line.objects.count() == 3


def test_the_scope_to_chat_is_its_own(person, table_of):
    table = table_of("alice", "bob")
    program = Program(person("alice"), scopes=["read", "play"])
    assert problem(program.post(f"/tables/{table.code}/chat", text="Hello")) == (403, "scope")
    assert not Line.objects.exists()
