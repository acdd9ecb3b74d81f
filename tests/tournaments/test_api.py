"""Tournaments by the HTTP API: the services of the pages, with the same permissions and the same log."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import bots
from accounts.models import User
from tests.api import Program, problem
from tests.tournaments.factories import NOON, lose, match_of, open_tables, person, table_of
from tournaments import services
from tournaments.files.event_files import settings_as_json
from tournaments.models import Event, Ladder, Season
from tournaments.services import ladders

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def planned(**settings):
    chosen = {"game": "casino", "options": {"target": 11}, "check_in_minutes": 0, "name": "Cup", "lots": "Cup"}
    chosen |= {"starts_at": timezone.now() + timedelta(days=1), "status": Event.Status.REGISTRATION}
    event = Event(**chosen | settings)
    event.full_clean()
    return services.save_event(event, by=person("director"), now=NOON)


def bot_of(name):
    """A program that plays as a bot of this person."""
    bot, text = bots.register_bot(owner=person(name), name=f"{name}s-bot")
    program = Program()
    program.user, program.headers = bot, {"Authorization": f"Bearer {text}"}
    return program


def test_a_player_enters_and_withdraws():
    event, alice = planned(), Program(person("alice"))
    path = f"/tournaments/{event.pk}"
    assert alice.get(path).json()["can_enter"]
    assert alice.post(f"{path}/enter").json()["own_entry"]["status"] == "entered"
    assert [entry["players"] for entry in alice.get(f"{path}/entries").json()] == [["alice"]]
    assert alice.post(f"{path}/withdraw").json()["own_entry"] is None
    assert problem(alice.post(f"{path}/check-in")) == (422, "refused")
    assert problem(alice.post("/tournaments/999/enter")) == (404, "not-found")


def test_a_tournament_asks_its_questions():
    event = planned(questions=[{"label": "Club", "choices": []}, {"label": "Lunch", "choices": ["yes", "no"]}])
    alice, path = Program(person("alice")), f"/tournaments/{event.pk}"
    assert [one["label"] for one in alice.get(path).json()["questions"]] == ["Club", "Lunch"]
    assert problem(alice.post(f"{path}/enter")) == (422, "invalid")
    assert problem(alice.post(f"{path}/enter", answers={"Club": "Aces", "Lunch": "perhaps"})) == (422, "invalid")
    assert alice.post(f"{path}/enter", answers={"Club": "Aces", "Lunch": "no"}).status_code == 200
    assert event.entries.get().answers == {"Club": "Aces", "Lunch": "no"}


def test_a_wrong_password_is_counted():
    event, alice = planned(password="secret"), Program(person("alice"))
    for _ in range(10):
        assert problem(alice.post(f"/tournaments/{event.pk}/enter", password="wrong")) == (422, "refused")
    assert problem(alice.post(f"/tournaments/{event.pk}/enter", password="secret")) == (429, "too-many")


def test_an_event_is_played_and_told():
    event, alice = planned(starts_at=NOON, format="round-robin"), Program(person("alice"))
    for name in ("alice", "bob", "cleo", "dan"):
        services.add_entry(event_id=event.pk, user=person(name), by=person("director"))
    services.start_event(event_id=event.pk, now=NOON)
    open_tables(event)
    path = f"/tournaments/{event.pk}"
    table = table_of(match_of(event, "alice"))
    entry = alice.get(path).json()["own_entry"]
    assert entry["table"] == table.get_absolute_url()
    assert alice.get(f"/tables/{table.code}").json()["event"]["name"] == "Cup"
    assert {one["round"] for one in alice.get(f"{path}/matches").json()} == {1}
    assert len(alice.get(f"{path}/standings").json()) == 4
    assert alice.get(f"{path}/export").json()["setup"]["game"] == "casino"
    assert [one["id"] for one in Program().get("/tournaments", phase="running").json()["items"]] == [event.pk]
    assert problem(Program().get("/tournaments", series=2**70)) == (422, "invalid")


def test_bots_of_people_enter_where_bots_play_and_play_unrated():
    bot = bot_of("alice")
    alone, mixed = planned(), planned(starts_at=NOON, name="Mixed", fill_to=2)
    refused = bot.post(f"/tournaments/{alone.pk}/enter")
    assert problem(refused) == (422, "refused") and "you are a bot" in refused.json()["detail"]
    assert bot.post(f"/tournaments/{mixed.pk}/enter").json()["own_entry"]["status"] == "entered"
    services.add_entry(event_id=mixed.pk, user=person("bob"), by=person("director"))
    services.start_event(event_id=mixed.pk, now=NOON)
    open_tables(mixed)
    table = table_of(match_of(mixed, "bob"))
    assert not table.is_rated
    assert {entry["is_bot"] for entry in bot.get(f"/tournaments/{mixed.pk}/entries").json()} == {True, False}


def test_a_league_of_bots_is_found_and_its_season_read():
    bot, alice = bot_of("bob"), Program(person("alice"))
    planned(name="For people")
    cup = planned(bots_only=True, fill_to=2, format="round-robin", starts_at=NOON, check_in_minutes=5)
    made = Season.objects.create(name="League", counts_bots=True)
    made.events.add(cup)
    assert [one["id"] for one in bot.get("/tournaments", bots_only=True).json()["items"]] == [cup.pk]
    path = f"/tournaments/{cup.pk}"
    assert problem(alice.post(f"{path}/enter")) == (422, "refused")
    assert bot.get(path).json()["check_in_at"] == (NOON - timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert bot.post(f"{path}/enter").status_code == 200
    services.run_due_steps(event_id=cup.pk, now=NOON - timedelta(minutes=1))
    assert bot.post(f"{path}/check-in").json()["own_entry"]["status"] == "checked-in"
    assert [one["name"] for one in Program().get(f"/seasons/{made.pk}").json()["coming"]] == ["Cup"]
    services.start_event(event_id=cup.pk, now=NOON)
    open_tables(cup)
    lose(cup, "bobs-bot")
    league = Program().get(f"/seasons/{made.pk}").json()
    assert [one["id"] for one in league["tournaments"]] == [cup.pk] and not league["coming"]
    places = [(row["place"], row["player"] == "bobs-bot", row["is_bot"], row["points"]) for row in league["standings"]]
    assert places == [(1, False, True, 1.0), (2, True, True, 0.0)]
    assert league["standings"][0]["results"] == [1.0]
    assert [one["name"] for one in Program().get("/seasons").json()] == ["League"]


def test_who_may_plan_does_so_by_program():
    setup = settings_as_json(planned())
    admin = User.objects.create(username="admin", is_superuser=True, is_staff=True)
    sent = {"setup": setup | {"name": "Made"}, "starts_at": (timezone.now() + timedelta(days=2)).isoformat()}
    assert problem(Program(person("alice")).post("/tournaments", **sent)) == (403, "forbidden")
    made = Program(admin).post("/tournaments", **sent)
    assert made.status_code == 201 and made.json()["rank"] == "director"
    event = Event.objects.get(pk=made.json()["id"])
    assert (event.name, event.created_by) == ("Made", admin)
    no_zone = Program(admin).post("/tournaments", **sent | {"starts_at": "2099-01-02T12:30:00"})
    assert problem(no_zone) == (422, "invalid") and "timezone" in str(no_zone.json()["errors"])
    past = Program(admin).post("/tournaments", **sent | {"starts_at": "2026-01-02T12:30:00Z"})
    assert problem(past) == (422, "invalid") and "in the past" in past.json()["errors"]["starts_at"][0]
    for wrong in ({"game": "nothing"}, {"secret": 1}, {"max_entries": 1}, {"options": 7}):
        assert problem(Program(admin).post("/tournaments", **sent | {"setup": setup | wrong}))[0] == 422


def test_actions_of_directors_have_their_permissions_and_their_log():
    event = planned()
    director, helper, alice = (Program(person(name)) for name in ("director", "helper", "alice"))
    services.name_role(event_id=event.pk, user_id=helper.user.pk, role="helper", by=director.user)
    path = f"/tournaments/{event.pk}/actions"
    assert problem(alice.get(path)) == (403, "forbidden")
    assert {one["rank"] for one in helper.get(path).json()} == {"helper"}
    assert "close" in {one["slug"] for one in director.get(path).json()}
    assert problem(helper.post(f"{path}/close")) == (403, "forbidden")
    assert director.post(f"{path}/close").status_code == 200
    event.refresh_from_db()
    assert event.is_closed
    assert event.log.latest("pk").by == director.user
    assert problem(director.post(f"{path}/add", fields={"name": "nobody"})) == (422, "invalid")
    assert director.post(f"{path}/add", fields={"name": "alice"}).status_code == 200
    assert event.entries.of(alice.user).exists()
    assert problem(director.post(f"{path}/nothing")) == (404, "not-found")
    assert problem(director.post(f"{path}/check-in", fields={"entry": 999})) == (404, "not-found")


def test_what_follows_from_an_action_is_seen_before_it_is_done():
    event, director = planned(starts_at=NOON, format="round-robin"), Program(person("director"))
    for name in ("alice", "bob", "cleo", "dan"):
        services.add_entry(event_id=event.pk, user=person(name), by=person("director"))
    services.start_event(event_id=event.pk, now=NOON)
    open_tables(event)
    match = match_of(event, "alice")
    lose(event, "alice")
    path, sent = f"/tournaments/{event.pk}/actions/annul", {"fields": {"match": match.pk, "why": "Wrong deck"}}
    answer = director.post(path, **sent)
    assert problem(answer) == (409, "preview")
    assert answer.json()["consequences"]["places_changed"] > 0
    assert problem(director.post(path, **sent, seen="something else")) == (409, "preview")
    match.refresh_from_db()
    assert match.status == "finished"
    assert director.post(path, **sent, seen=answer.json()["key"]).status_code == 200
    assert event.log.latest("pk").by == director.user


def test_a_program_plays_on_a_ladder():
    """Join, challenge, answer, leave: with the rules of the pages, and with their refusals."""
    ladder = ladders.save_ladder(Ladder(name="Gin ladder", game="gin-rummy"), by=person("director"))
    path, visitor = f"/ladders/{ladder.pk}", Program()
    alice, bob, reader = Program(person("alice")), Program(person("bob")), Program(person("cleo"), scopes=["read"])
    assert problem(alice.post(f"{path}/leave")) == (422, "refused")
    assert alice.post(f"{path}/join").json()["own_place"] == 1
    joined = bob.post(f"{path}/join").json()
    assert [(row["place"], row["name"], row["can_challenge"]) for row in joined["places"]] == [
        (1, "alice", True),
        (2, "bob", False),
    ]
    assert problem(reader.post(f"{path}/join")) == (403, "scope")
    assert reader.get(path).json()["own_place"] is None
    assert problem(bot_of("bob").post(f"{path}/join")) == (422, "refused")

    asked = bob.post(f"{path}/challenge", player=joined["places"][0]["player"]).json()["own_challenge"]
    assert (asked["is_yours"], asked["status"], asked["challenged"]) == (True, "open", "alice")
    assert problem(bob.post(f"{path}/answer", challenge=asked["id"], answer="accept")) == (422, "refused")
    started = alice.post(f"{path}/answer", challenge=asked["id"], answer="accept").json()
    code = started["own_challenge"]["table"].split("/")[-2]
    assert started["places"][1]["doing"] == "plays alice"
    assert bob.get(f"/tables/{code}").json()["event"]["name"] == "Gin ladder"
    assert alice.post(f"/tables/{code}/leave").status_code == 200
    ladders.run_due_challenge(challenge_id=asked["id"], now=timezone.now())
    assert bob.get(path).json()["own_place"] == 1
    [newest, *_] = visitor.get(f"{path}/history").json()["items"]
    assert {newest["name"], newest["why"]} <= {"alice", "bob", "won", "shifted"} and code in newest["table"]
    assert [one["name"] for one in visitor.get("/ladders").json()] == ["Gin ladder"]
    assert alice.post(f"{path}/leave").json()["own_place"] is None


def test_everyone_reads_series_and_leagues():
    assert Program().get("/series").json() == Program().get("/leagues").json() == []
    assert problem(Program().get("/series/1")) == (404, "not-found")
    assert problem(Program().get("/leagues/1")) == (404, "not-found")


def test_a_player_calls_the_director_and_is_answered():
    event = planned(starts_at=NOON, format="round-robin")
    alice, bob, stranger, helper, director = (
        Program(person(name)) for name in ("alice", "bob", "stranger", "helper", "director")
    )
    for player in (alice, bob):
        services.add_entry(event_id=event.pk, user=player.user, by=director.user)
    services.name_role(event_id=event.pk, user_id=helper.user.pk, role="helper", by=director.user)
    services.start_event(event_id=event.pk, now=NOON)
    open_tables(event)
    path = f"/tournaments/{event.pk}"
    own = alice.get(path).json()["own_entry"]
    call = f"{path}/matches/{own['match']}/call"
    assert own["match"] == alice.get(f"{path}/matches").json()[0]["id"] and own["can_call"] and own["call"] is None
    assert problem(stranger.post(call)) == (422, "refused")
    assert problem(alice.post(f"{path}/matches/{own['match'] + 1}/call")) == (404, "not-found")
    assert problem(alice.post(call, reason="x" * 281)) == (422, "invalid")
    assert problem(alice.post(f"{call}/back")) == (422, "refused")
    assert alice.post(call).json()["own_entry"]["call"]["is_yours"]
    assert alice.post(f"{call}/back").json()["own_entry"]["call"] is None
    assert not alice.post(call, reason="A card fell.").json()["own_entry"]["can_call"]
    heard = bob.get(path).json()["own_entry"]
    assert heard["call"]["by"] == "alice" and "A card fell." not in str(heard)

    assert problem(alice.get(f"{path}/calls")) == (403, "forbidden")
    listed = helper.get(f"{path}/calls").json()
    assert [(one["by"], one["reason"], one["closed_because"]) for one in listed] == [("alice", "A card fell.", "")]
    assert listed[0]["match"] == own["match"] and {"alice", "bob"} == {*listed[0]["title"].split(" against ")}
    assert "answer-call" in {one["slug"] for one in helper.get(f"{path}/actions").json()}
    fields = {"call": listed[0]["id"], "reply": "Coming."}
    assert helper.post(f"{path}/actions/answer-call", fields=fields).status_code == 200
    answer = bob.get(path).json()["own_entry"]["call"]
    assert (answer["closed_because"], answer["answered_by"], answer["reply"]) == ("answered", "helper", "Coming.")
    assert director.get(f"{path}/calls").json()[0]["reply"] == "Coming."


def test_a_director_reads_no_calls_from_their_own_match():
    event = planned(starts_at=NOON, format="round-robin")
    for name in ("alice", "director"):
        services.add_entry(event_id=event.pk, user=person(name), by=person("director"))
    services.name_role(event_id=event.pk, user_id=person("other").pk, role="director", by=person("director"))
    services.start_event(event_id=event.pk, now=NOON)
    open_tables(event)
    services.call_director(match_id=event.matches.get().pk, user=person("alice"))
    assert Program(person("director")).get(f"/tournaments/{event.pk}/calls").json() == []
    assert len(Program(person("other")).get(f"/tournaments/{event.pk}/calls").json()) == 1
