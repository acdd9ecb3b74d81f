"""Signal receivers: finished games advance their event; accounts merge, close, or are suspended; games of bot leagues
are searched for puzzles.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import User
from accounts.services import anonymize, name_pattern
from accounts.signals import account_changes, account_closed, account_suspended, data_export_requested, guest_joined
from games.signals import player_late, table_finished
from infra.task_queue import enqueue
from notifications.models import Notice
from tournaments.models import (
    Announcement,
    Badge,
    CalendarToken,
    DirectorCall,
    Entry,
    EntryImport,
    Event,
    EventLog,
    EventMessage,
    EventRole,
    Invitation,
    LadderPlayer,
    Match,
    MatchGame,
    MatchSide,
    TeamMember,
)
from tournaments.queries import personal_data
from tournaments.services import EventError, ladders, league, notices, withdraw_entry
from tournaments.services.common import event_changed
from tournaments.services.teams import drop_out
from tutorials.puzzle_search import FinishedGame
from tutorials.signals import bot_games_wanted


@receiver(table_finished)
def advance_its_event(table_id: int, **kwargs: Any) -> None:
    """In a task, so that the last move of a game is answered at once."""
    enqueue("tournaments.tasks.advance_event_of_table", table_id)


@receiver(bot_games_wanted)
def offer_league_games(most: int, **kwargs: Any) -> Sequence[FinishedGame]:
    return league.games_for_puzzles(most)


@receiver(player_late)
def call_back_to_the_table(table_id: int, **kwargs: Any) -> None:
    for row in MatchGame.objects.filter(table=table_id).select_related("match__event", "table"):
        notices.notify_late(row)


@receiver(account_changes)
def lock_events(users: Sequence[User], **kwargs: Any) -> None:
    """Locks events before `games` locks tables, in the order of `INSTALLED_APPS`."""
    own = Event.objects.filter(reduce(or_, (_has_to_do_with(user) for user in users))).values("pk")
    list(Event.objects.select_for_update().filter(pk__in=own).order_by("pk").values_list("pk"))


@receiver(guest_joined)
def hand_over_entries(guest: User, user: User, **kwargs: Any) -> None:
    """Moves the guest's entries, prizes and invitations to the account, except in events it is in itself."""
    own = list(Entry.objects.of(user).values_list("event_id", flat=True))
    others = Entry.objects.exclude(event__in=own)
    for field in ("user", "partner", "invited"):
        others.filter(**{field: guest}).update(**{field: user})
    TeamMember.objects.filter(user=guest).exclude(entry__event__in=own).update(user=user)
    at_boards = MatchSide.objects.filter(player=guest, match__parent__isnull=False)
    at_boards.exclude(match__event__in=own).update(player=user)
    DirectorCall.objects.filter(by=guest).exclude(match__event__in=own).update(by=user)
    Badge.objects.filter(user=guest).exclude(event__badges__user=user).update(user=user)


@receiver(data_export_requested)
def export_events(user: User, **kwargs: Any) -> dict[str, Any]:
    """The tournaments part of the data export."""
    return personal_data.entries_of(user) | personal_data.directing_of(user)


@receiver([account_closed, account_suspended])
def leave_events(user: User, **kwargs: Any) -> None:
    """Withdraws; places and badges stay, for those who played against the user."""
    for entry in Entry.objects.of(user).order_by("event"):
        with suppress(EventError):  # the event is over for the user
            if not (entry.team_name and drop_out(entry_id=entry.pk, user=user)):
                withdraw_entry(event_id=entry.event_id, user=user)


@receiver([account_closed, account_suspended])
def leave_ladders(user: User, **kwargs: Any) -> None:
    for ladder_id in LadderPlayer.objects.filter(user=user).order_by("ladder").values_list("ladder", flat=True):
        with suppress(EventError):  # the user has left it already
            ladders.leave_ladder(ladder_id=ladder_id, user=user, now=timezone.now())


@receiver(account_closed)
def forget_in_events(user: User, name: str, **kwargs: Any) -> None:
    """Takes the name out of the records, and deletes what is the user's alone.

    Texts that directors wrote stay with their events.
    """
    events = list(Event.objects.filter(_has_to_do_with(user) | _may_name(user)).order_by("pk").distinct())
    user.invitations.update(invited=None)
    user.team_memberships.filter(has_accepted=False).delete()
    for model in (Invitation, EventRole, CalendarToken):
        model.objects.filter(user=user).delete()
    DirectorCall.objects.filter(by=user).delete()
    Entry.objects.filter(user=user).update(answers={})
    Entry.objects.of(user).update(note="")
    EntryImport.objects.filter(by=user).delete()
    EntryImport.objects.filter(event__in=events, text__icontains=name).exclude(finished_at=None).delete()
    may_name: list[tuple[QuerySet[Any], tuple[str, ...]]] = [
        (EventLog.objects.filter(event__in=events), ("what", "why")),
        (Match.objects.filter(event__in=events), ("reason", "why_paired", "set_aside_because")),
        (Announcement.objects.filter(event__in=events), ("text",)),
        (EventMessage.objects.filter(event__in=events), ("to", "text")),
        (DirectorCall.objects.filter(match__event__in=events), ("reason", "reply")),
        (Entry.objects.filter(event__in=events), ("team_name",)),
    ]
    for rows, fields in may_name:
        for field in fields:
            anonymize(rows, field, name)
    _end_undo_that_names(name, events)
    in_teams = Q(team_memberships__entry__event__in=events)
    plays = Q(entries__event__in=events) | Q(partner_entries__event__in=events) | in_teams
    directs = Q(event_roles__event__in=events) | Q(pk__in=[event.created_by_id for event in events])
    people = User.objects.filter(plays | directs)
    anonymize(Notice.objects.filter(user__in=people), "text", name)
    for event in events:
        event_changed(event)


def _has_to_do_with(user: User) -> Q:
    return Q(entries__in=Entry.objects.of(user)) | Q(invitations__user=user) | Q(roles__user=user)


def _may_name(user: User) -> Q:
    """Events in which the user no longer takes part, or directs others."""
    played = MatchSide.objects.filter(Q(player=user) | Q(partner=user)).values("match__event")
    said = EventLog.objects.filter(Q(by=user) | Q(undo__user_id=user.pk)).values("event")
    imported = EntryImport.objects.filter(by=user).values("event")
    is_partner = Q(entries__in=user.invitations.all())
    called = DirectorCall.objects.filter(Q(by=user) | Q(answered_by=user)).values("match__event")
    ids = Q(pk__in=played) | Q(pk__in=said) | Q(pk__in=imported) | Q(pk__in=called)
    return Q(created_by=user) | is_partner | ids


def _end_undo_that_names(name: str, events: list[Event]) -> None:
    """An action whose undo record holds the name, such as in an earlier reason, can no longer be undone."""
    word = name_pattern(name)
    for line in EventLog.objects.filter(event__in=events, undo__isnull=False):
        if any(word.search(text) for text in _texts({**(line.undo or {}), "verb": ""})):
            line.undo = None
            line.save(update_fields=["undo"])


def _texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value, without keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
