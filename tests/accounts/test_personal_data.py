"""Personal data: what the data export says of each relation to a user, and what closing the account does with it.

A new relation, or a new JSON column, fails until it is in the tables below.
"""

import json
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import models

from accounts import bots, services
from accounts.models import FORMER, User
from chat.models import Act, Report
from games.models import CoachSetting, Reliability, Seat, Table
from games.services import resign
from notifications.models import Notice
from tests.tournaments.factories import NOON, person, started
from tournaments.models import Announcement, DirectorCall, Entry, EntryImport, Event, EventLog, EventMessage, Match
from tournaments.services import add_entry, save_event, withdraw_entry

pytestmark = pytest.mark.django_db

GONE, STAYS, EMPTIED = "the row is deleted", "the row stays, with a former player", "the row stays, without the player"
NOT_TOLD = ""  # to whom it is about


class Fate(NamedTuple):
    """export: its part of the data export, `NOT_TOLD` if there is none."""

    export: str
    closing: str


RELATIONS = {
    "accounts.ApiToken.user": Fate("access tokens", GONE),
    "accounts.Block.blocked": Fate(NOT_TOLD, GONE),  # nobody learns who has blocked them
    "accounts.Block.blocker": Fate("people you have blocked", GONE),
    "accounts.LoginRecord.user": Fate("logins", GONE),
    "accounts.RecoveryCode.user": Fate("recovery codes left", GONE),
    "accounts.SecondFactor.user": Fate("second factors", GONE),
    "accounts.User.owner": Fate("bots", STAYS),  # closed, too
    "accounts.User_groups.user": Fate("account", GONE),
    "accounts.User_user_permissions.user": Fate("account", GONE),
    "admin.LogEntry.user": Fate("actions as an admin", STAYS),
    "games.Challenge.to": Fate("challenges", STAYS),  # pruned after a month
    "games.CoachReview.user": Fate("reviews by the coach", GONE),
    "games.CoachSetting.user": Fate("coach", GONE),
    "games.HouseBot.user": Fate(NOT_TOLD, STAYS),  # bots of the site
    "games.MoveNote.author": Fate("notes", GONE),
    "games.Rating.user": Fate("ratings", STAYS),  # opponents' ratings follow from it
    "games.Reliability.user": Fate("reliability", GONE),
    "games.Seat.user": Fate("games", STAYS),  # opponents have played this game, too
    "games.Seek.user": Fate("looking for a game", GONE),
    "games.Table.created_by": Fate("tables opened", STAYS),
    "games.Table_shown_to.user": Fate("deals seen without playing", GONE),
    "games.Vacation.user": Fate("vacations", GONE),
    "notices.MailAddress.user": Fate("notifications by e-mail to", GONE),
    "notices.Notice.user": Fate("notifications", GONE),
    "notices.PushSubscription.user": Fate("notifications in browsers", GONE),
    "notices.Webhook.user": Fate("webhooks", GONE),
    "talk.Act.about": Fate("moderators' decisions", STAYS),
    "talk.Act.by": Fate("decisions by you as a moderator", STAYS),
    "talk.Act.undone_by": Fate("decisions by you as a moderator", STAYS),
    "talk.Line.user": Fate("chat", GONE),
    "talk.Quiet.user": Fate("chat switched off at", GONE),
    "talk.Report.about": Fate(NOT_TOLD, STAYS),  # it would tell who has reported them
    "talk.Report.by": Fate("reports by you", GONE),
    "tournaments.Announcement.by": Fate("announcements", STAYS),
    "tournaments.Badge.user": Fate("badges", STAYS),
    "tournaments.CalendarToken.user": Fate("calendar address since", GONE),
    "tournaments.DirectorCall.answered_by": Fate("calls answered", STAYS),
    "tournaments.DirectorCall.by": Fate("calls for a director", GONE),
    "tournaments.DivisionLeague.created_by": Fate("leagues made", STAYS),
    "tournaments.DryRun.by": Fate("dry runs", STAYS),
    "tournaments.Entry.invited": Fate("invitations as a partner", EMPTIED),
    "tournaments.Entry.partner": Fate("entries", STAYS),
    "tournaments.Entry.user": Fate("entries", STAYS),  # without answers and the directors' note
    "tournaments.EntryImport.by": Fate("imports of entries", GONE),
    "tournaments.Event.created_by": Fate("events made", STAYS),
    "tournaments.EventLog.by": Fate("actions in events", STAYS),
    "tournaments.EventMessage.by": Fate("messages to entrants", STAYS),
    "tournaments.EventRole.user": Fate("roles in events", GONE),
    "tournaments.Invitation.user": Fate("invitations to events", GONE),
    "tournaments.Ladder.created_by": Fate("ladders made", STAYS),
    "tournaments.LadderPlayer.user": Fate("ladders", STAYS),  # others have played for these places
    "tournaments.MatchSide.partner": Fate("matches before a substitute", STAYS),
    "tournaments.MatchSide.player": Fate("matches before a substitute", STAYS),
    "tournaments.Season.created_by": Fate("seasons made", STAYS),
    "tournaments.Series.created_by": Fate("series made", STAYS),
    "tournaments.TeamMember.user": Fate("invitations to teams", GONE),  # who plays for a team stays in it
    "tutorials.CourseTest.user": Fate("course tests", GONE),
    "tutorials.LessonProgress.user": Fate("lessons", GONE),
    "tutorials.PuzzleAttempt.user": Fate("puzzles", GONE),
    "tutorials.PuzzleRating.user": Fate("puzzle ratings", GONE),
    "tutorials.ReviewItem.user": Fate("reviews", GONE),
}

THEIRS, NAMES, IMPERSONAL = "goes with the row of its user", "may name people, and is cleared", "names no person"
JSON_COLUMNS = {
    "accounts.ApiToken.scopes": THEIRS,
    "games.CoachQuestion.answer": IMPERSONAL,
    "games.CoachReview.decisions": THEIRS,
    "games.DeckCounts.counts": IMPERSONAL,
    "games.Seek.options": THEIRS,
    "games.Seek.paces": THEIRS,
    "games.Seek.seats": THEIRS,
    "games.Table.asked": IMPERSONAL,  # seats by number, like all of a table
    "games.Table.clocks": IMPERSONAL,
    "games.Table.options": IMPERSONAL,
    "games.Table.result": IMPERSONAL,
    "notices.Webhook.kinds": THEIRS,
    "tournaments.BotLeague.levels": IMPERSONAL,
    "tournaments.BotLeague.options": IMPERSONAL,
    "tournaments.DryRun.report": IMPERSONAL,  # bots play it
    "tournaments.Entry.answers": NAMES,
    "tournaments.EntryImport.refusals": NAMES,
    "tournaments.Event.format_options": IMPERSONAL,
    "tournaments.Event.options": IMPERSONAL,
    "tournaments.Event.own_settings": IMPERSONAL,
    "tournaments.Event.questions": IMPERSONAL,
    "tournaments.EventLog.undo": NAMES,
    "tournaments.Ladder.order": IMPERSONAL,
    "tournaments.LeagueChunk.shares": IMPERSONAL,  # bots of the site, like all of bot leagues
    "tournaments.LeagueGame.places": IMPERSONAL,
    "tournaments.LeagueGame.players": IMPERSONAL,
    "tournaments.LeagueGame.scores": IMPERSONAL,
    "tournaments.LeagueNight.levels": IMPERSONAL,
    "tournaments.LeagueNight.options": IMPERSONAL,
    "tournaments.LeagueNight.standings": IMPERSONAL,
    "tournaments.Season.place_points": IMPERSONAL,
    "tournaments.Season.tie_breaks": IMPERSONAL,
    "tournaments.Series.format_options": IMPERSONAL,
    "tournaments.Series.options": IMPERSONAL,
    "tournaments.Series.questions": IMPERSONAL,
    "tournaments.Series.skipped": IMPERSONAL,
    "tutorials.CourseTest.answers": THEIRS,
    "tutorials.CourseTest.questions": THEIRS,
    "tutorials.Drill.source": IMPERSONAL,
    "tutorials.LessonProgress.line": THEIRS,
    "tutorials.Puzzle.best": IMPERSONAL,
    "tutorials.Puzzle.checks": IMPERSONAL,
    "tutorials.Puzzle.chosen": IMPERSONAL,
    "tutorials.Puzzle.position": IMPERSONAL,
    "tutorials.Puzzle.values": IMPERSONAL,
}

NAME, ADDRESS = "wilhelmina", "wilhelmina@example.org"
NUMBERS = count()
GIVEN: dict[type[models.Model], dict[str, Any]] = {
    Table: {"game": "casino", "seat_count": 2, "status": Table.Status.FINISHED},
    Event: {"game": "casino", "status": Event.Status.FINISHED},
    Entry: {"is_pair": True},
    CoachSetting: {"reviews_bot_games": False},
    Reliability: {"games": 6, "finished": 4.0, "weight": 5.0},
}
VALUES: dict[type[models.Field], Any] = {
    models.BinaryField: bytes(32),
    models.BooleanField: False,
    models.DateField: NOON.date(),
    models.DateTimeField: NOON,
    models.FloatField: 1.0,
    models.IntegerField: 1,
    models.JSONField: [],
}


def columns() -> Iterator[tuple[type[models.Model], models.Field]]:
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            yield model, field


def label(model: type[models.Model], field: models.Field) -> str:
    return f"{model._meta.label}.{field.name}"


def row_of(model: type[models.Model], **given: Any) -> models.Model:
    """A row of any model, in which only what has to be filled is."""
    values = GIVEN.get(model, {}) | given
    for field in model._meta.local_concrete_fields:
        if field.name not in values and not (field.primary_key or field.null or field.has_default() or field.blank):
            values[field.name] = value_of(field)
    return model._default_manager.create(**values)


def value_of(field: models.Field) -> Any:
    if field.is_relation:
        if field.related_model in (Group, Permission):
            return field.related_model.objects.first()
        given = {"username": f"other{next(NUMBERS)}"} if field.related_model is User else {}
        return row_of(field.related_model, **given)
    if field.choices:
        return next(value for value, _ in field.flatchoices if value)
    if isinstance(field, models.CharField | models.TextField):
        return f"text {next(NUMBERS)}"[: field.max_length]
    return next(VALUES[kind] for kind in type(field).__mro__ if kind in VALUES)


@pytest.fixture
def user() -> User:
    return services.sign_up(username=NAME, password="a long enough one", email=ADDRESS)


def event_of(*names: str) -> Event:
    """An event at noon, open for entries, with these people."""
    noon = Event(name="Noon cup", game="casino", starts_at=NOON, check_in_minutes=0, status=Event.Status.REGISTRATION)
    save_event(noon, by=None, now=NOON - timedelta(hours=1))
    for name in names:
        add_entry(event_id=noon.pk, user=person(name), by=person("director"))
    noon.refresh_from_db()
    return noon


# The tables


def test_every_relation_to_a_user_is_in_the_table() -> None:
    assert {label(model, field) for model, field in columns() if field.related_model is User} == RELATIONS.keys()


def test_the_table_has_many_to_many_relations_by_their_rows() -> None:
    rows = {
        field.remote_field.through._meta.label
        for model in apps.get_models()
        for field in model._meta.local_many_to_many
        if User in (model, field.related_model)
    }
    assert rows <= {name.rpartition(".")[0] for name in RELATIONS}


def test_every_json_column_is_in_the_table() -> None:
    assert {label(model, field) for model, field in columns() if isinstance(field, models.JSONField)} == {*JSON_COLUMNS}


# What becomes of a row


@pytest.mark.parametrize("name", RELATIONS)
def test_the_export_has_it_and_closing_does_what_the_table_says(name: str, user: User) -> None:
    fate, (where, _, field) = RELATIONS[name], name.rpartition(".")
    model = apps.get_model(where)
    before = services.export_account_data(user)
    row = row_of(model, **{field: user}, **({"username": "deep"} if model is User else {}))
    after = services.export_account_data(user)
    assert {key for key in after if after[key] != before[key]} == {fate.export} - {NOT_TOLD}
    json.dumps(after, default=str)
    services.close_account(user=user)
    found = model._default_manager.filter(pk=row.pk).values_list(field, flat=True)
    assert [*found] == {GONE: [], STAYS: [user.pk], EMPTIED: [None]}[fate.closing]


# What is left


def stored() -> dict[str, str]:
    """Every value in the database, as text, by its column."""
    return {
        f"{model._meta.label} {row[model._meta.pk.attname]} {name}": str(value)
        for model in apps.get_models(include_auto_created=True)
        for row in model._default_manager.values()
        for name, value in row.items()
    }


def with_name() -> list[str]:
    return [where for where, text in stored().items() if NAME in text.lower()]


def test_nothing_stored_has_the_name_or_the_address(user, table_of) -> None:
    """After games, an event, chat and what directors and moderators have written."""
    bob = User.objects.create(username="bob")
    for model in {name.rpartition(".")[0] for name, fate in RELATIONS.items() if fate.closing == GONE}:
        fields = [name.rpartition(".")[2] for name in RELATIONS if name.startswith(f"{model}.")]
        for field in fields[:1]:
            row_of(apps.get_model(model), **{field: user})
    bot, _ = bots.register_bot(owner=user, name=f"{NAME}-bot")
    noon = started(event_of(NAME, "bob", "cat", "dan"))
    withdraw_entry(event_id=noon.pk, user=user)
    running, over = table_of(NAME, "bob"), table_of("bob", NAME, secret=bytes([1] * 32))
    resign(table_id=over.pk, user=bob)
    noon.entries.filter(user=user).update(answers={"Club?": NAME}, note=f"{NAME} pays later")
    says = f"{NAME} was late."
    Match.objects.filter(event=noon).update(reason=says, why_paired=says, set_aside_because=says)
    row_of(EventLog, event=noon, what=says, why=says, undo={"verb": "correct", "reason": says})
    row_of(Announcement, event=noon, text=says)
    row_of(EventMessage, event=noon, to=NAME, text=says)
    called = {"match": Match.objects.filter(event=noon).first(), "by": bob, "reason": says, "reply": says}
    row_of(DirectorCall, closed_at=NOON, answered_by=user, **called)
    row_of(EntryImport, event=noon, by=bob, text=f"{NAME}\n", rest=NAME, refusals=[says], finished_at=NOON)
    row_of(Report, about=user, note=says, context=says)
    row_of(Act, about=user, why=says)
    row_of(Notice, user=bob, key="table", text=says)
    content_type = ContentType.objects.get_for_model(User)
    changes = json.dumps([{"changed": {"name": "user", "object": NAME, "fields": ["rating"]}}])
    row_of(LogEntry, user=bob, content_type=content_type, object_id=user.pk, object_repr=NAME, change_message=changes)
    assert len(with_name()) > 20
    services.close_account(user=user)
    assert not with_name()
    for table in (running, over):
        assert FORMER in [seat.user.display_name for seat in Seat.objects.filter(table=table)]
    bot.refresh_from_db()
    assert bot.display_name == FORMER and not bot.is_active
    assert EventLog.objects.filter(event=noon, undo__isnull=True, what=f"{FORMER} was late.").exists()


def test_an_undo_that_names_nobody_stays(user) -> None:
    noon = event_of(NAME, "bob")
    line = row_of(EventLog, event=noon, undo={"verb": "open_entries", "left": [7, "registration"]})
    services.close_account(user=user)
    line.refresh_from_db()
    assert line.undo is not None


def test_answers_of_a_partner_stay_where_they_are(user) -> None:
    entry = row_of(Entry, user=User.objects.create(username="bob"), partner=user, answers={"Club?": "North"})
    assert services.export_account_data(user)["entries"][0]["answers"] == {}
    services.close_account(user=user)
    entry.refresh_from_db()
    assert entry.answers == {"Club?": "North"}
