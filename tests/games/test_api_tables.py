"""Tables by the HTTP API: the same services as the pages, and each reader's own view."""

import json
import re
from random import Random

import pytest

from accounts import bots
from accounts.models import User
from games.engines import GAMES
from games.models import Table
from games.record import replay
from tests.api import Program, problem
from tests.games.open_cards import check, may_know, own_seat

pytestmark = pytest.mark.django_db


def bot_of(owner, name="Deep"):
    """A program that plays as a bot of this person."""
    bot, text = bots.register_bot(owner=owner, name=name)
    program = Program()
    program.user, program.headers = bot, {"Authorization": f"Bearer {text}"}
    return program


def opened(alice, bob, **table):
    """The code of a running table of two programs, the first of which has opened it."""
    code = alice.post("/tables", **{"game": "gin-rummy"} | table).json()["code"]
    assert bob.post(f"/tables/{code}/sit").json()["status"] == "running"
    return code


def test_two_programs_play_a_game_to_its_end(person):
    players = [Program(person("alice")), bot_of(person("bob"))]
    code, rng = opened(*players, game="sixty-six"), Random(1)
    while True:
        looks = [player.get(f"/tables/{code}").json() for player in players]
        assert [look["view"]["seat"] for look in looks] == [0, 1]
        if looks[0]["status"] == "finished":
            break
        seat = looks[0]["view"]["to_act"][0]
        move = rng.choice(looks[seat]["view"]["moves"])
        assert not looks[1 - seat]["view"]["moves"]
        answer = players[seat].post(f"/tables/{code}/moves", move=move["move"], version=looks[seat]["version"])
        assert answer.status_code == 200, answer.content
    record = players[0].get(f"/tables/{code}/replay").json()
    assert len(record["moves"]) == Table.objects.get().move_count
    assert record["players"] == ["alice", "Deep"]
    last = players[0].get(f"/tables/{code}/replay/{len(record['moves'])}", seat=1).json()
    assert last["seat"] == 1 and last["scores"] == looks[0]["view"]["scores"]
    assert players[0].get(f"/tables/{code}/deals").json()["secret"]
    assert players[0].post(f"/tables/{code}/rematch").json()["status"] == "open"


def test_a_finished_game_alone_has_a_record(person):
    alice, bob = Program(person("alice")), Program(person("bob"))
    code = opened(alice, bob)
    for path in ("replay", "replay/0", "deals"):
        assert problem(alice.get(f"/tables/{code}/{path}"))[0] == 404
    alice.post(f"/tables/{code}/leave")
    assert alice.get(f"/tables/{code}").json()["result"]["places"] == [2, 1]
    assert alice.get(f"/tables/{code}/replay").status_code == 200
    assert problem(alice.get(f"/tables/{code}/replay/1")) == (404, "not-found")


def test_refused_moves_change_nothing_and_name_the_rule(person):
    alice, bob = Program(person("alice")), Program(person("bob"))
    code = opened(alice, bob)
    look = alice.get(f"/tables/{code}").json()
    mover, other = (alice, bob) if look["view"]["moves"] else (bob, alice)
    version = look["version"]
    assert problem(other.post(f"/tables/{code}/moves", move="pass", version=version)) == (422, "refused")
    refused = mover.post(f"/tables/{code}/moves", move="D", version=version)
    assert problem(refused) == (422, "refused") and refused.json()["rule"].startswith("gin-rummy:")
    assert problem(mover.post(f"/tables/{code}/moves", move="take", version=version - 1)) == (409, "stale")
    stranger = Program(person("mallory"))
    assert problem(stranger.post(f"/tables/{code}/moves", move="pass", version=version)) == (403, "no-seat")
    assert alice.get(f"/tables/{code}").json()["version"] == version
    assert Table.objects.get().move_count == 0


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_no_answer_names_a_card_that_its_reader_may_not_see(game, person, table_of):
    """`tests.core.test_plain_view` compares the view itself, in every game and number of seats."""
    seats, rng = game.seats[-1], Random(game.slug)
    names = "alice bob cleo dan eve finn".split()[:seats]
    table = table_of(*names, game=game.slug, secret=bytes(range(32)))
    readers = [Program(person(name)) for name in (*names, "mallory")]
    for _ in range(3):
        for reader in readers:
            answer = reader.get(f"/tables/{table.code}")
            told = answer.json()
            assert told["view"]["seat"] == told["own_seat"] == own_seat(table, reader.user.pk)
            check("the answer", answer.content.decode(), table, may_know(table, reader.user.pk))
        state = replay.state_of(table)
        seat = state.to_act[0]
        text = str(rng.choice(state.legal_moves(seat)))
        answer = readers[seat].post(f"/tables/{table.code}/moves", move=text, version=table.version)
        table = Table.objects.with_seats().get(pk=table.pk)
        check("the answer to a move", answer.content.decode(), table, may_know(table, readers[seat].user.pk))


def test_hidden_tables_and_unplayed_deals_stay_closed(person, table_of):
    table = table_of("alice", "bob")
    alice, mallory = Program(person("alice")), Program(person("mallory"))
    Table.objects.update(is_hidden=True)
    assert alice.get(f"/tables/{table.code}").status_code == 200
    for path in ("", "/replay", "/replay/0", "/deals", "/stream"):
        assert problem(mallory.get(f"/tables/{table.code}{path}")) == (403, "hidden")
    assert problem(alice.get(f"/tables/{table.code}/replay")) == (403, "hidden")
    Table.objects.update(is_hidden=False, offers_deal=True)
    for path in ("", "/replay", "/stream"):
        assert problem(mallory.get(f"/tables/{table.code}{path}")) == (403, "unplayed-deal")


def test_lists_come_in_pages(person):
    alice = Program(person("alice"))
    codes = [alice.post("/tables", game="casino").json()["code"] for _ in range(5)]
    found, cursor = [], ""
    while cursor is not None:
        page = alice.get("/tables", which="own", limit=2, cursor=cursor).json()
        assert len(page["items"]) <= 2
        found += [table["code"] for table in page["items"]]
        cursor = page["next"]
    assert found == codes[::-1]
    assert problem(alice.get("/tables", cursor="nonsense")) == (422, "invalid")
    assert problem(alice.get("/tables", limit=101)) == (422, "invalid")
    assert alice.get("/tables", which="open").json()["items"] == []
    alice.post("/tables", game="casino", company="anyone")
    assert len(Program(person("bob")).get("/tables", which="open").json()["items"]) == 1


def test_the_settings_of_a_table_are_those_of_its_form(person):
    alice = Program(person("alice"))
    table = alice.post("/tables", game="casino", seats=3, options={"target": 11}, pace="own", minutes=3, increment=2)
    assert table.json()["options"]["target"] == 11 and len(table.json()["seats"]) == 3
    assert table.json()["clock"]["base"] == 180
    assert problem(alice.post("/tables", game="casino", options={"target": 12}))[0] == 422
    assert problem(alice.post("/tables", game="casino", seats=9))[0] == 422
    assert problem(alice.post("/tables", game="casino", is_rated=True, pace="none"))[0] == 422
    assert problem(alice.post("/tables", game="nothing")) == (404, "not-found")
    rated = alice.post("/tables", game="casino", is_rated=True, pace="standard").json()
    assert rated["is_rated"]
    schema = alice.get("/games/casino").json()["options_schema"]
    assert 11 in schema["properties"]["target"]["enum"]
    assert {name: option["default"] for name, option in schema["properties"].items()}.items() <= rated[
        "options"
    ].items()


def test_an_option_with_a_range_takes_every_number_of_it(person):
    alice = Program(person("alice"))
    table = alice.post("/tables", game="piquet", options={"target": 133, "double_under": "47"}).json()
    assert (table["options"]["target"], table["options"]["double_under"]) == (133, 47)
    refused = alice.post("/tables", game="piquet", options={"target": 49})
    assert problem(refused) == (422, "invalid")
    assert refused.json()["errors"] == {"target": ["Enter a number from 50 to 500."]}
    details = alice.get("/games/piquet").json()
    listed = {option["name"]: option for option in details["options"]}
    assert (listed["target"]["minimum"], listed["target"]["maximum"]) == (50, 500)
    assert (listed["replies"]["minimum"], listed["replies"]["maximum"]) == (None, None)
    number, schema = {"type": "integer", "minimum": 50, "maximum": 500}, details["options_schema"]["properties"]
    assert number.items() <= schema["target"].items() and "enum" not in schema["target"]
    assert schema["double_under"]["anyOf"] == [{"enum": [0, "half"]}, number | {"minimum": 1}]
    seek = alice.post("/seek", game="piquet", paces=["standard"], options={"target": 133}).json()
    assert seek["options"] == {"target": 133}


def test_bots_of_people_play_no_rated_games(person):
    alice, bot = Program(person("alice")), bot_of(person("bob"))
    assert problem(bot.post("/tables", game="casino", is_rated=True)) == (422, "refused")
    code = alice.post("/tables", game="casino", is_rated=True).json()["code"]
    assert problem(bot.post(f"/tables/{code}/sit")) == (422, "refused")


def test_a_bot_is_shown_as_one(person, as_user):
    alice, bot = Program(person("alice")), bot_of(person("bob"))
    code = opened(alice, bot)
    assert [seat["kind"] for seat in alice.get(f"/tables/{code}").json()["seats"]] == ["person", "bot"]
    page = as_user(alice.user).get(f"/tables/{code}/").content.decode()
    assert re.search(r"Deep.{0,400}?plate-note\">.{0,100}?bot", page, re.DOTALL)
    assert "A bot that" in as_user(alice.user).get("/players/Deep/").content.decode()


def test_a_bot_plays_against_bots_of_the_site(person, house_bot, eager_tasks, django_capture_on_commit_callbacks):
    """Nobody has to look at the end of a hand first."""
    house_bot("Ada", "gin-rummy", "club")
    bot = bot_of(person("bob"))
    with django_capture_on_commit_callbacks(execute=True):
        code = bot.post("/tables", game="gin-rummy", company="bots", options={"target": 50}).json()["code"]
    look = bot.get(f"/tables/{code}").json()
    for _ in range(500):
        if look["status"] == "finished":
            return
        move = look["view"]["moves"][-1]["move"]
        with django_capture_on_commit_callbacks(execute=True):
            assert bot.post(f"/tables/{code}/moves", move=move, version=look["version"]).status_code == 200
        look = bot.get(f"/tables/{code}").json()
        assert look["status"] == "finished" or look["view"]["moves"], "the bot of the site waits"
    pytest.fail("the game has no end")


def test_players_agree_by_program(person):
    alice, bob = Program(person("alice")), Program(person("bob"))
    code = opened(alice, bob)
    assert "share" in alice.get(f"/tables/{code}").json()["can_ask"]
    key = alice.post(f"/tables/{code}/questions", kind="share").json()["question"]["key"]
    assert problem(bob.post(f"/tables/{code}/questions/answer", key="other", answer="agree")) == (422, "refused")
    done = bob.post(f"/tables/{code}/questions/answer", key=key, answer="agree").json()
    assert done["result"]["ended_by"] == "agreement"


def test_everyone_reads_games_and_ratings():
    games = Program().get("/games").json()
    assert [game["id"] for game in games] == [game.slug for game in GAMES]
    for game in games:
        details = Program().get(f"/games/{game['id']}").json()
        json.dumps(details["options_schema"])
        assert Program().get(f"/games/{game['id']}/leaderboard").json() == []
    assert problem(Program().get("/games/none")) == (404, "not-found")


def test_bots_have_names_of_their_own(person):
    bot_of(person("alice"))
    with pytest.raises(bots.BotRefused, match="taken"):
        bots.register_bot(owner=person("bob"), name="deep")
    assert User.objects.filter(username__iexact="deep").count() == 1
