"""Personal data for the GDPR export: a user's entries, and what they did as a director, as plain JSON types."""

from typing import Any

from django.db.models import Q

from accounts.models import User
from tournaments.models import (
    Announcement,
    CalendarToken,
    DirectorCall,
    DivisionLeague,
    DryRun,
    Entry,
    EntryImport,
    Event,
    EventLog,
    EventMessage,
    Ladder,
    MatchSide,
    Season,
    Series,
)
from tournaments.queries.ladders import ladders_of


def entries_of(user: User) -> dict[str, Any]:
    entries = Entry.objects.of(user).with_players().select_related("event").order_by("pk")
    replaced = MatchSide.objects.filter(Q(player=user) | Q(partner=user)).order_by("pk")
    return {
        "entries": [_entry(entry, user) for entry in entries],
        "matches before a substitute": list(replaced.values("match__event__name", "match__round__number", "place")),
        "invitations to teams": list(
            user.team_memberships.filter(has_accepted=False).values("entry__event__name", "entry__team_name")
        ),
        "invitations as a partner": list(user.invitations.values("event__name", "user__username")),
        "invitations to events": list(user.event_invitations.values_list("event__name", flat=True)),
        "badges": list(user.badges.values("event__name", "place", "given_at")),
        "calendar address since": list(CalendarToken.objects.filter(user=user).values_list("created_at", flat=True)),
        "calls for a director": list(
            user.director_calls.order_by("pk").values("match__event__name", "reason", "called_at", "closed_at", "reply")
        ),
        "ladders": [{"ladder": ladder.name, "place": place} for ladder, place in ladders_of(user)],
    }


def _entry(entry: Entry, user: User) -> dict[str, Any]:
    """answers: only to the user who gave them."""
    return {
        "event": entry.event.name,
        "url": entry.event.get_absolute_url(),
        "starts_at": entry.event.starts_at,
        "entered_at": entry.entered_at,
        "team": entry.team_name,
        "players": [player.display_name for player in entry.players],
        "status": entry.get_status_display(),
        "seed": entry.seed,
        "place": entry.place,
        "last_place": entry.last_place,
        "answers": entry.answers if entry.user == user else {},
        "reminder": entry.wants_reminder,
        "has paid": entry.has_paid,
        "note by directors": entry.note,
    }


def directing_of(user: User) -> dict[str, Any]:
    """What the user has planned, said and done as a director."""

    def made(model: type[Event | Series | Season | DivisionLeague | Ladder]) -> list[str]:
        return list(model.objects.filter(created_by=user).order_by("pk").values_list("name", flat=True))

    def done(model: type[Announcement | EventMessage | EventLog | DryRun], *columns: str) -> list[dict[str, Any]]:
        return list(model.objects.filter(by=user).order_by("pk").values("event__name", *columns))

    answered = DirectorCall.objects.filter(answered_by=user)
    return {
        "roles in events": list(user.event_roles.values("event__name", "role")),
        "events made": made(Event),
        "series made": made(Series),
        "seasons made": made(Season),
        "leagues made": made(DivisionLeague),
        "ladders made": made(Ladder),
        "announcements": done(Announcement, "text", "at"),
        "messages to entrants": done(EventMessage, "to", "text", "at"),
        "calls answered": list(answered.order_by("pk").values("match__event__name", "reply", "closed_at")),
        "actions in events": done(EventLog, "what", "why", "at"),
        "dry runs": done(DryRun, "created_at"),
        "imports of entries": list(EntryImport.objects.filter(by=user).values("event__name", "text", "finished_at")),
    }
