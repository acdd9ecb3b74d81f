"""Looking for a game by the HTTP API: bots that people run are a pool of their own."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import services
from games.live import presence
from games.models import Seek, Table
from games.models.seek import SEEN_FOR
from tests.api import Program, problem
from tests.games.test_api_tables import bot_of
from tests.pages import page_words

pytestmark = pytest.mark.django_db


def look(program, **more):
    answer = program.post("/seek", game="casino", **more)
    assert answer.status_code == 201, answer.content
    return answer.json()


@pytest.fixture
def deep(person):
    return bot_of(person("ann"), "Deep")


@pytest.fixture
def blue(person):
    return bot_of(person("bob"), "Blue")


def test_two_bots_that_look_for_the_same_find_each_other(deep, blue):
    first = look(deep)
    assert (first["table"], first["others"]) == (None, 0)
    code = look(blue)["table"]
    assert deep.get("/seek").json()["table"] == code
    assert deep.get(f"/tables/{code}").json()["status"] == "running"
    assert [seat["name"] for seat in deep.get(f"/tables/{code}").json()["seats"]] == ["Deep", "Blue"]


def test_a_bot_finds_no_person_and_people_do_not_see_it_wait(deep, person):
    look(deep, seats=[2])
    assert look(Program(person("cat")), seats=[2]) | {"created_at": 0} == {
        "game": "casino", "seats": [2], "paces": ["standard"], "is_rated": None, "options": {}, "created_at": 0,
        "others": 0, "fitting": 0, "table": None,
    }  # fmt: skip
    assert not Table.objects.exists()
    browser = Client()
    browser.force_login(person("dan"))
    page = page_words(browser.get("/play/"))
    assert "cat" in page and "Deep" not in page
    of_deep = Seek.objects.get(user=deep.user)
    with pytest.raises(services.TableError):
        services.join_seek(seek_id=of_deep.pk, user=person("dan"))


def test_nobody_is_put_to_a_table_of_the_other_pool(deep, person):
    cat = Program(person("cat"))
    code = cat.post("/tables", game="casino", company="anyone", pace="standard").json()["code"]
    presence.record_request(Table.objects.get(code=code).pk, cat.user.pk)
    assert look(deep, seats=[2])["table"] is None
    assert look(Program(person("dan")), seats=[2])["table"] == code


def test_the_wishes_count(deep, blue, person):
    look(deep, paces=["quick", "calm"], seats=[2, 3], options={"target": 11})
    assert look(blue, paces=["calm"], options={"target": 21})["table"] is None
    table = Table.objects.get(code=look(blue, paces=["calm"], options={"target": 11})["table"])
    assert (table.base_seconds, table.options["target"], table.is_rated) == (900, 11, False)


def test_who_does_not_ask_counts_as_away_until_they_do(deep, blue):
    look(deep)
    Seek.objects.update(here_until=timezone.now() - timedelta(seconds=1))
    assert look(blue)["table"] is None
    assert deep.get("/seek").json()["table"]
    assert timedelta(minutes=1) < SEEN_FOR  # as the description says


def test_looking_can_be_stopped(deep, blue):
    look(deep)
    assert deep.post("/seek/stop").status_code == 204
    assert problem(deep.get("/seek")) == (404, "not-found")
    assert look(blue)["table"] is None


def test_odd_wishes_are_refused(deep):
    assert problem(deep.post("/seek", game="whist")) == (404, "not-found")
    assert problem(deep.post("/seek", game="casino", is_rated=True)) == (422, "refused")
    for wish in ({"options": {"x": 1}}, {"options": {"target": 12345}}, {"seats": [9]}, {"paces": []}):
        assert problem(deep.post("/seek", game="casino", **wish)) == (422, "invalid")
    for wish in ({"paces": ["standard", "days-1"]}, {"paces": ["never"]}):
        assert problem(deep.post("/seek", game="casino", **wish)) == (422, "invalid")
