"""How the walk asks for each address: whose things stand in it, and what a form sends that would really do something.

An address that is not named here is asked for with the parts of `usual`, and its POST sends nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from django.core import signing
from django.urls import reverse
from django.utils import timezone

from games.record import replay
from notifications import web_push
from tests.cardsite.walk_world import PASSWORD
from tests.games.recorder import FILLED, Address, addresses
from tests.tournaments.factories import entry_of, match_of, person, settings_of
from tournaments.console.actions import ACTIONS
from tournaments.planning.edits import settings_snapshot
from tournaments.presentation.sheets import SHEETS
from tournaments.services.teams import team_code
from tournaments.views.door import SALT

World = SimpleNamespace


def door_token(event: Any) -> str:
    return signing.Signer(salt=SALT).sign(str(event.pk)).partition(":")[2]


Sent = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Visit:
    """An address with everything filled in. label: what sets it apart from other visits to the same address."""

    name: str
    label: str = ""
    parts: Mapping[str, object] = field(default_factory=dict)
    query: str = ""
    sent: Sent = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name} {self.label}".strip()

    @property
    def path(self) -> str:
        return reverse(self.name, kwargs=dict(self.parts)) + self.query


@dataclass(frozen=True, slots=True)
class Way:
    """How to ask: `parts` and `sent` are those that differ from the usual."""

    parts: Mapping[str, object] = field(default_factory=dict)
    sent: Sent = field(default_factory=dict)
    label: str = ""
    query: str = ""


def visits(world: World) -> Iterator[Visit]:
    special = ways(world)
    gone = special.keys() - {address.name for address in addresses()}
    assert not gone, f"these addresses are gone: {', '.join(sorted(gone))}"
    for address in addresses():
        for way in special.get(address.name, [Way()]):
            parts = {
                part: value for part, value in (usual(world, address) | way.parts).items() if part in address.parts
            }
            yield Visit(address.name, way.label, parts, way.query, way.sent)


def usual(world: World, address: Address) -> dict[str, object]:
    """Parts of an address: the running table of `player`, the event in which `player` may still be entered or left."""
    known: dict[str, object] = {**FILLED, "code": world.table.code, "slug": "casino", "game": "casino"}
    known |= {"name": "player", "chapter": "taking", "step": "same-rank"}
    if address.name.startswith("tournaments:"):
        known["pk"] = world.singles.pk
    if address.name.startswith("admin:"):
        model = address.name.removeprefix("admin:").rpartition("_")[0]
        known["object_id"] = ADMIN.get(model, lambda world: 1)(world)
        known["id"] = known["object_id"]
    return known


ADMIN: dict[str, Callable[[World], object]] = {
    "accounts_user": lambda world: world.player.pk,
    "auth_user_password": lambda world: world.player.pk,
    "notices_notice": lambda world: world.notice.pk,
    "tournaments_series": lambda world: world.series.pk,
    "tournaments_event": lambda world: world.singles.pk,
    "tournaments_entry": lambda world: entry_of(world.singles, "player").pk,
    "tournaments_match": lambda world: world.match.pk,
    "tournaments_eventlog": lambda world: world.singles.log.latest("pk").pk,
    "tournaments_botleague": lambda world: world.league.pk,
    "tournaments_leaguenight": lambda world: world.night.pk,
    "games_table": lambda world: world.table.pk,
    "games_seek": lambda world: world.seek.pk,
    "games_challenge": lambda world: world.challenge.pk,
    "games_vacation": lambda world: world.vacation.pk,
    "tutorials_puzzle": lambda world: world.puzzle.pk,
}


def ways(world: World) -> dict[str, list[Way]]:
    return {
        **of_accounts(world),
        **of_tables(world),
        **of_events(world),
        **of_embeds(world),
        "tournaments:act": list(acts(world)),
    }


def of_embeds(world: World) -> dict[str, list[Way]]:
    return {
        "embed-replay": [Way({"code": world.finished.code})],
        "embed-bracket": [Way({"pk": world.cup.pk})],
        "embed-standings": [Way({"pk": world.cup.pk})],
        "oembed": [Way(query=f"?url=http://testserver{world.cup.get_absolute_url()}")],
    }


def of_accounts(world: World) -> dict[str, list[Way]]:
    twice = {"new_password1": "another horse 9", "new_password2": "another horse 9"}
    return {
        "accounts:sign-up": [Way(sent={"username": "newcomer", "password": PASSWORD})],
        "accounts:login": [Way(sent={"username": "player", "password": PASSWORD})],
        "admin:login": [Way(sent={"username": "admin", "password": "wrong"})],
        "accounts:end-login": [Way({"pk": world.login.pk})],
        "accounts:remove-factor": [Way({"pk": world.factor.pk}, {"password": PASSWORD})],
        "accounts:recovery-codes": [Way(sent={"password": PASSWORD})],
        "accounts:password": [Way(sent={"old_password": PASSWORD, **twice})],
        "accounts:forgotten": [Way(sent={"address": "player@example.org"})],
        "accounts:new-password": [Way(sent=twice)],
        "accounts:log-out-elsewhere": [Way(sent={"password": PASSWORD})],
        "accounts:close": [Way(sent={"password": PASSWORD})],
        "accounts:tokens": [Way(sent={"name": "laptop", "scopes": ["read"], "days": 30})],
        "accounts:revoke-token": [Way({"pk": world.token.pk})],
        "accounts:bots": [Way(sent={"username": "Newbot"})],
        "accounts:bot-token": [Way({"pk": world.bot.pk})],
        "accounts:retire-bot": [Way({"pk": world.bot.pk})],
        "accounts:block": [
            Way(sent={"player": "third"}),
            Way(sent={"player": "player", "off": "yes"}, label="of a block that is not there"),
        ],
        "notifications:webhooks": [Way(sent={"url": "https://8.8.8.8/hook", "kinds": ["bot.turn"]})],
        "notifications:webhook": [Way({"pk": world.webhook.pk})],
        "notifications:switch-webhook": [Way({"pk": world.webhook.pk}, {"off": "yes"})],
        "notifications:test-webhook": [Way({"pk": world.webhook.pk})],
        "notifications:delete-webhook": [Way({"pk": world.webhook.pk})],
        "notifications:redeliver-webhook": [Way({"pk": world.delivery.pk})],
        "notifications:go": [Way({"pk": world.notice.pk})],
        "notifications:read": [Way(sent={"notice": world.notice.pk}, label="of player's notice"), Way(label="of all")],
        "notifications:ask-for-mail": [Way(sent={"address": "new@example.org"})],
        "notifications:choose-turns": [Way(sent={"turns": "each", "daily_at": "09:00", "time_zone": "UTC"})],
        "notifications:confirm-mail": [Way({"token": world.wish}, label="of player"), Way(label="that is damaged")],
        "notifications:stop-mail": [Way({"token": world.stop}, label="of player"), Way(label="that is damaged")],
        "notifications:subscribe": [
            Way(
                sent={
                    "endpoint": "https://fcm.googleapis.com/fcm/send/1",
                    "p256dh": web_push.vapid_public_key(),
                    "auth": "A" * 22,
                }
            )
        ],
        "notifications:unsubscribe": [Way({"pk": world.push.pk})],
        "chat:report": [Way(query=f"?line={world.line.pk}", sent={"reason": "insult"})],
        "chat:hide": [Way(query=f"?line={world.line.pk}", sent={"why": "Insults"})],
        "chat:reported": [Way({"pk": world.report.pk})],
        "chat:act": [Way({"pk": world.report.pk}, sent={"act": "shut", "why": "Insults"})],
        "chat:undo": [Way({"pk": world.act.pk})],
        "chat:decision": [Way({"pk": world.act.pk})],
        "chat:lines": [Way(sent={"phrase": "thanks"})],
        "chat:switch": [Way(sent={"on": "no"})],
        "tutorials:review": [Way(sent={"item": "1", "answers": "1", "answer": "0"})],
        "tutorials:test": [Way(sent={"start": "1"})],
        "tutorials:placement": [Way(sent={"answer": "1"})],
        "tutorials:step": [Way(sent={"version": "0", "text": "9Sx9D+9H"})],
        "tutorials:practice": [Way()],
        "tutorials:puzzle": [Way({"pk": world.puzzle.pk}, {"text": "TH"})],
        "tutorials:puzzle-stream": [Way({"game": "sixty-six"})],
        "preferences": [Way(sent={"theme": "dark"})],
    }


def of_tables(world: World) -> dict[str, list[Way]]:
    state = replay.state_of(world.table)
    move = {"version": world.table.version, "text": str(state.legal_moves(0)[-1])}
    day = str((timezone.now() + timedelta(days=9)).date())
    here, over = {"code": world.open.code}, {"code": world.finished.code}
    offered, against_bots = {"code": world.offered.code}, {"seat": "0", "level": "first-steps", "at": "0"}
    answer = {"mark": world.question.key, "answer": "agree"}
    return {
        "games:move": [Way(sent=move)],
        "games:seen": [Way(sent={"hand": "1"})],
        "games:sit": [Way(here, {"seat": "2"}), Way(label="at a running table")],
        "games:shuffle": [
            Way(here, {"seal": world.open.commitment, "commitment": "0" * 64}, "before the start"),
            Way(sent={"seal": world.table.commitment, "commitment": "0" * 64}, label="of a running game"),
        ],
        "games:change-seat": [Way(here, {"seat": "3"})],
        "games:open-to-all": [Way(here)],
        "games:add-bot": [Way(here, {"level": "first-steps"})],
        "games:leave": [Way(here, label="before the start"), Way(label="of a running game")],
        "games:come-back": [Way({"code": world.left.code})],
        "games:claim": [Way({"code": world.gone.code})],
        "games:rematch": [Way(over)],
        "games:ask": [Way(sent={"kind": "pause"})],
        "games:answer": [Way({"code": world.asked.code}, answer)],
        "games:go-on": [Way({"code": world.paused_table.code})],
        "games:result": [Way(over)],
        "games:replay": [Way(over)],
        "games:coach": [Way(over)],
        "games:note": [Way(over, {"at": "0", "text": "Well played."})],
        "games:what-if": [Way(over, against_bots)],
        "games:offer": [Way(over)],
        "games:source": [Way({"code": world.branch.code})],
        "games:verify": [Way(over)],
        "games:deals-json": [Way(over)],
        "games:deal": [Way(offered)],
        "games:play-deal": [Way(offered, against_bots)],
        "games:show-deal": [Way(offered)],
        "games:play-now": [Way(sent={"game": "casino", "level": "first-steps"})],
        "games:invite": [Way(sent={"game": "casino", "level": "first-steps"})],
        "games:game": [Way(sent={"company": "link", "level": "club", "seats": "2"})],
        "games:seek": [Way(sent={"game": "casino", "wishes_of": "casino", "paces": "days-3", "seats": "2"})],
        "games:seek-join": [Way({"pk": world.seek.pk})],
        "games:challenge": [Way({"pk": world.challenge.pk})],
        "games:challenge-answer": [
            Way({"pk": world.challenge.pk}, {"answer": "accept"}, "with yes"),
            Way({"pk": world.challenge.pk}, {"answer": "decline"}, "with no"),
        ],
        "games:challenge-player": [Way(sent={"pace": "standard", "seats": "2"}, query="?game=casino")],
        "games:vacation": [Way(sent={"first": day, "last": day, "time_zone": "UTC"})],
        "games:vacation-end": [Way({"pk": world.vacation.pk})],
    }


def of_events(world: World) -> dict[str, list[Way]]:
    def of(event: Any, name: str) -> dict[str, object]:
        return {"pk": event.pk, "entry_id": entry_of(event, name).pk}

    doubles, elsewhere = world.doubles, {"pk": world.cup.pk}
    team = {"pk": world.teams.pk, "entry_id": world.team.pk}
    members = {member.user.username: member.pk for member in world.team.team}
    playing = {"pk": world.cup.pk, "match_id": world.match.pk}
    called = {"pk": world.called.match.event_id, "match_id": world.called.match_id}
    edited = settings_of(world.singles, name="Renamed") | {"seen": settings_snapshot(world.singles)}
    return {
        "tournaments:series": [Way({"pk": world.series.pk})],
        "tournaments:edit-series": [Way({"pk": world.series.pk}, {"name": "Mondays"})],
        "tournaments:feed-series": [Way({"pk": world.series.pk})],
        "tournaments:feed-own": [Way({"token": world.feed.token}, label="of player"), Way(label="that is damaged")],
        "tournaments:league": [Way({"pk": world.league.pk})],
        "tournaments:league-night": [Way({"pk": world.night.pk})],
        "tournaments:league-night-live": [Way({"pk": world.night.pk})],
        "tournaments:league-night-stream": [Way({"pk": world.night.pk})],
        "tournaments:league-replay": [Way(sent={"game": world.league_game.pk})],
        "tournaments:season": [Way({"pk": world.season.pk})],
        "tournaments:season-csv": [Way({"pk": world.season.pk})],
        "tournaments:new-season": [Way(sent=season_form(world))],
        "tournaments:edit-season": [Way({"pk": world.season.pk}, season_form(world))],
        "tournaments:delete-season": [Way({"pk": world.season.pk})],
        "tournaments:divisions": [Way({"pk": world.divisions.pk})],
        "tournaments:new-divisions": [Way(sent=divisions_form(world))],
        "tournaments:edit-divisions": [Way({"pk": world.divisions.pk}, divisions_form(world))],
        "tournaments:next-stage": [Way({"pk": world.divisions.pk}, next_stage_form(world))],
        "tournaments:group-draw": [Way({"pk": world.drawn.pk})],
        "tournaments:ladder": [Way({"pk": world.ladder.pk})],
        "tournaments:new-ladder": [Way(sent=ladder_form("New"))],
        "tournaments:edit-ladder": [Way({"pk": world.ladder.pk}, ladder_form("Other"))],
        "tournaments:ladder-history": [Way({"pk": world.ladder.pk})],
        "tournaments:join-ladder": [Way({"pk": world.ladder.pk})],
        "tournaments:leave-ladder": [Way({"pk": world.ladder.pk})],
        "tournaments:remove-from-ladder": [Way({"pk": world.ladder.pk}, {"player": world.ladder_top.pk})],
        "tournaments:ladder-challenge": [Way({"pk": world.ladder.pk}, {"player": world.ladder_top.pk})],
        "tournaments:answer-ladder-challenge": [
            Way({"pk": world.ladder.pk}, {"challenge": world.ladder_challenge.pk, "answer": answer}, answer)
            for answer in ("accept", "decline", "withdraw")
        ],
        "tournaments:traveller": [Way({"pk": world.duplicate.pk, "round_id": world.duplicate.rounds.get().pk})],
        "tournaments:travellers": [Way({"pk": world.duplicate.pk})],
        "tournaments:download-travellers": [Way({"pk": world.duplicate.pk})],
        "tournaments:download-trf": [Way({"pk": world.swiss.pk})],
        "tournaments:say-back": [Way({"pk": world.paused.pk})],
        "tournaments:new": [Way(sent=settings_of(world.singles, name="New"))],
        "tournaments:new-from-file": [Way(sent={"file": ""})],
        "tournaments:edit": [Way(sent=edited)],
        "tournaments:sheet": [Way({"sheet": name}, label=name) for name in SHEETS],
        "tournaments:dry-run": [Way(sent={"entries": "8"})],
        "tournaments:import-entries": [Way(sent={"text": "newcomer\nfourth", "confirm": "yes"})],
        "tournaments:door": [
            Way({"pk": world.doubles.pk, "token": door_token(world.doubles)}),
            Way({"token": "made-up"}, label="that is made up"),
        ],
        "tournaments:seeds": [Way(sent={"down": entry_of(world.singles, "player").pk})],
        "tournaments:console-entry": [
            Way(of(world.singles, "player")),
            Way({**elsewhere, "entry_id": entry_of(world.singles, "player").pk}, label="of another event"),
        ],
        "tournaments:console-tab": [
            Way({"tab": tab}, label=tab) for tab in ("now", "entries", "rounds", "results", "people", "announcements")
        ],
        "tournaments:enter": [Way(), Way({"pk": world.closed.pk}, label="closed")],
        "tournaments:invite": [
            Way({"pk": doubles.pk}, {"partner": "third"}),
            Way(sent={"partner": "fourth"}, label="where all play alone"),
        ],
        "tournaments:check-in": [Way({"pk": doubles.pk})],
        "tournaments:withdraw": [
            Way(),
            Way({"pk": doubles.pk}, label="of a pair"),
            Way({"pk": world.cup.pk}, label="during play"),
        ],
        "tournaments:reminder": [Way(sent={"on": "1"})],
        "tournaments:team": [
            Way(team, query=f"?code={team_code(world.team)}"),
            Way(of(world.singles, "player"), label="where all play alone"),
        ],
        "tournaments:invite-member": [Way(team, {"member": "third"})],
        "tournaments:join-team": [
            Way(team, {"code": team_code(world.team)}),
            Way(team, {"code": "made-up"}, label="by a link that is made up"),
        ],
        "tournaments:leave-team": [Way(team), Way(team, {"remove": members["here"]}, label="with another member")],
        "tournaments:order-team": [Way(team, {"down": members["player"]})],
        "tournaments:line-up": [Way(team, {"plays": [members["player"], members["here"]], "seen": "0"})],
        "tournaments:bye": [
            Way({"pk": world.swiss.pk}, {"round": "2"}),
            Way({"pk": world.swiss.pk}, {"round": "99"}, label="of no round"),
            Way({"pk": world.cup.pk}, {"cancel": "1"}, label="that no one asked for"),
        ],
        "tournaments:call-director": [
            Way(playing, {"reason": "A card fell."}),
            Way({**playing, "pk": world.other.pk}, label="in a match of another event"),
        ],
        "tournaments:take-back-call": [Way(called), Way(playing, label="where there is none")],
        "tournaments:join": [
            Way(of(doubles, "lonely")),
            Way(of(doubles, "player"), label="of a pair"),
            Way(of(world.singles, "player"), label="where all play alone"),
            Way({"pk": doubles.pk, "entry_id": entry_of(world.other_doubles, "lonely").pk}, label="of another event"),
        ],
        "tournaments:accept": [
            Way(of(doubles, "asking")),
            Way(team, label="a team"),
            Way({"pk": world.other.pk, "entry_id": entry_of(doubles, "asking").pk}, label="of another event"),
        ],
        "tournaments:decline": [
            Way(of(doubles, "asking")),
            Way(team, label="a team"),
            Way({"pk": world.other.pk, "entry_id": entry_of(doubles, "asking").pk}, label="of another event"),
        ],
    }


def season_form(world: World) -> dict[str, object]:
    """A season of the world's series."""
    return {"name": "New", "series": world.series.pk, "scale": "beaten", "attendance": "0"}


def divisions_form(world: World) -> dict[str, object]:
    """A league with the settings of the cup."""
    return {"name": "New", "size": "8", "up": "2", "down": "2", "template": world.cup.pk}


def ladder_form(name: str) -> dict[str, object]:
    """A ladder of Casino."""
    return {
        "name": name,
        "game": "casino",
        "pace": "days-1",
        "reach": "3",
        "answer_days": "3",
        "allowed_declines": "0",
        "rematch_days": "7",
        "is_open": "on",
    }


def next_stage_form(world: World) -> dict[str, object]:
    """The first stage, as its preview shows it."""
    names, start = ("third", "fourth"), timezone.now() + timedelta(days=9)
    seen = ",".join(str(person(name).pk) for name in names)
    return {
        "starts_at": f"{start:%Y-%m-%dT%H:%M}",
        "time_zone": "UTC",
        "names": "\n".join(names),
        "create": "1",
        "seen": seen,
    }


THINGS = {"entry", "match", "line", "pair", "round", "role", "announcement", "first", "entry-1", "call"}


def acts(world: World) -> Iterator[Way]:
    """Every action of the console on the event in which it makes sense, and with things of another event."""
    found = dict(_acts(world))
    assert found.keys() == ACTIONS.keys(), "actions of the console without a visit, or visits without an action"
    for slug, (event, sent) in found.items():
        yield Way({"pk": event.pk, "slug": slug}, sent, slug)
        if about := sent.keys() & THINGS - {"role" if slug == "name" else ""}:
            yield Way({"pk": world.other.pk, "slug": slug}, sent, f"{slug} with the {min(about)} of another event")


def seen(**chosen: object) -> dict[str, object]:
    """What a form sends once its consequences were looked at (`Action.seen`)."""
    return {**chosen, "seen": str(sorted((name, [str(value)]) for name, value in chosen.items()))}


def _acts(world: World) -> Iterator[tuple[str, tuple[Any, Sent]]]:
    singles, doubles, swiss, cup = world.singles, world.doubles, world.swiss, world.cup

    def entry(event: Any, name: str) -> dict[str, object]:
        return {"entry": entry_of(event, name).pk}

    def match(one: Any) -> dict[str, object]:
        return {"match": one.pk}

    fourth, fifth = (entry_of(swiss, name).pk for name in ("fourth", "fifth"))
    player, third = (entry_of(swiss, name).pk for name in ("player", "third"))
    apart = match_of(swiss, "player")
    others = next(pk for pk in (fourth, fifth) if not apart.sides.filter(entry=pk).exists())
    one_round = {"round": swiss.rounds.get().pk}
    added = singles.log.get(undo__verb="take_back_entry", undo__entry_id=entry_of(singles, "player").pk)
    why = {"why": "It was seen."}
    yield "open", (world.closed, {})
    yield "close", (singles, {})
    yield "resume", (world.paused, {})
    yield "pause", (cup, why)
    yield "shift", (singles, {"minutes": "5", **why})
    yield (
        "move-following",
        (world.evening, {"start": f"{world.evening.starts_at + timedelta(days=1):%Y-%m-%dT%H:%M}", **why}),
    )
    yield "hold-rounds", (cup, {})
    yield "let-rounds-go", (swiss, {})
    yield "start-now", (singles, why)
    yield "timetable", (swiss, {"round-2": "2059-11-28T12:00", "days": "7", **why})
    yield "best", (world.cup, {"count": "2", "plan": "single-elimination", "minutes": "10"})
    yield "all-here", (doubles, {})
    yield "cancel", (singles, why)
    yield "undo", (singles, {"line": added.pk})
    yield "add", (singles, {"name": "fourth"})
    yield "check-in", (doubles, entry(doubles, "player"))
    yield "check-out", (doubles, entry(doubles, "here"))
    yield "let-in", (swiss, entry(swiss, "late"))
    yield "substitute", (singles, {**entry(singles, "player"), "out": world.player.pk, "name": "fourth"})
    yield "add-member", (world.teams, {"entry": world.team.pk, "name": "fourth"})
    members = {member.user.username: member.pk for member in world.team.team}
    line_up = {"players": [members["player"], members["here"]], "published": "0"}
    yield "line-up", (world.teams, {"entry": world.team.pk, **line_up})
    yield "reinstate", (singles, entry(singles, "gone"))
    yield "note", (singles, {**entry(singles, "player"), "note": "Comes late."})
    yield "message-entry", (singles, {**entry(singles, "player"), "message": "Hurry up."})
    yield "paid", (singles, entry(singles, "player"))
    yield "not-paid", (singles, entry(singles, "player"))
    yield "message", (singles, {"to": "0", "message": "Hurry up."})
    yield "sit-out", (swiss, {**entry(swiss, "player"), "round": "3", **why})
    yield "withdraw", (singles, {**entry(singles, "player"), **why})
    yield "disqualify", (singles, {**entry(singles, "player"), **why})
    yield "seed-by", (singles, {"how": "rating"})
    yield "swap", (swiss, seen(first=player, second=others))
    yield "forbid", (swiss, {"first": fourth, "second": fifth})
    yield "allow", (swiss, {"pair": world.forbidden.pk})
    yield "bye", (swiss, seen(entry=fourth, kind="bye"))
    yield "pair", (swiss, seen(**{"entry-1": player, "entry-2": third}))
    yield "publish", (swiss, one_round)
    yield "pair-again", (swiss, one_round)
    yield "pair-afresh", (swiss, one_round)
    yield "try-again", (cup, match(world.set_aside))
    yield "add-time", (cup, {**match(world.match), "player": "all", "minutes": "5", **why})
    yield "decide", (cup, {**match(world.match), "result": "1 2", **why})
    yield "correct", (cup, {**match(world.decided), **seen(result="2 1"), **why})
    yield "annul", (cup, {**match(world.decided), **seen(), **why})
    yield "name", (cup, {"name": person("fourth").username, "role": "helper"})
    yield "drop", (cup, {"role": world.aide.pk})
    yield "announce", (cup, {"text": "Hurry up."})
    yield "take-down", (cup, {"announcement": world.announcement.pk})
    yield "answer-call", (world.hall, {"call": world.called.pk, "reply": "Coming."})
