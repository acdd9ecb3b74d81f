"""Calls for the director: a player calls, and takes it back; a director or helper answers.

A call doesn't stop the clocks: a director who wants that pauses the event. The reason is for those who run the event;
the other players see that there is a call, and whose.
"""

from django.db import transaction

from accounts.models import User
from accounts.throttle import count_one, wait_in_words
from tournaments.domain.errors import EventError
from tournaments.models import DirectorCall, Event, Match
from tournaments.services import notices
from tournaments.services.closing_calls import announce_call, callers_of, close_call
from tournaments.services.common import locked_event, log_action, require_neutral
from tournaments.services.matches import with_games

MOST_CALLS, CALLS_SECONDS = 6, 3600  # of one player


def directors_to_call(match: Match) -> list[User]:
    """Those who run the event, are people and don't play in this match; [] where nobody can be called."""
    entries = [side.entry for side in match.sides.all()]
    directors = [user for user in notices.directors_of(match.event) if user.is_person and user.is_active]
    return [user for user in directors if not any(entry.includes(user) for entry in entries)]


@transaction.atomic
def call_director(*, match_id: int, user: User, reason: str = "") -> DirectorCall:
    """:raises EventError:"""
    event, match = _locked_match(match_id)
    if user not in callers_of(match):
        raise EventError("You don't play in this match.")
    if match.status != Match.Status.PLAYING:
        raise EventError("This match isn't in play.")
    directors = directors_to_call(match)
    if not directors:
        raise EventError("There is no director to call.")
    if call := match.calls.open().first():
        raise EventError(f"{'You have' if call.by == user else f'{call.by} has'} already called the director.")
    if wait := count_one("director-calls", str(user.pk), count=MOST_CALLS, seconds=CALLS_SECONDS):
        raise EventError(f"You have called too often. Please wait {wait_in_words(wait)}.")
    call = match.calls.create(by=user, reason=reason)
    notices.notify_director_called(call, match, directors, callers_of(match))
    announce_call(event, match)
    return call


@transaction.atomic
def take_back_call(*, match_id: int, user: User) -> DirectorCall:
    """:raises EventError: there is no open call of this user."""
    event, match = _locked_match(match_id)
    call = match.calls.open().filter(by=user).first()
    if call is None:
        raise EventError("You have no open call here.")
    close_call(event, match, call, DirectorCall.ClosedBecause.TAKEN_BACK)
    return call


@transaction.atomic
def answer_call(*, call_id: int, by: User, reply: str = "") -> DirectorCall:
    """:raises EventError:"""
    event, match = _locked_match(DirectorCall.objects.values_list("match_id", flat=True).get(pk=call_id))
    call = match.calls.select_related("by", "answered_by").get(pk=call_id)
    require_neutral(by, [side.entry for side in match.sides.all()], "answer this call")
    if call.closed_because == DirectorCall.ClosedBecause.ANSWERED:
        raise EventError(f"{call.answered_by or 'A director'} has already answered this call.")
    if call.closed_because == DirectorCall.ClosedBecause.TAKEN_BACK:
        raise EventError(f"{call.by} has taken this call back.")
    if call.closed_at:
        raise EventError(f"This call is closed: {call.get_closed_because_display()}.")
    call.answered_by, call.reply = by, reply
    log_action(event, f"Answered the call of {call.by}: {match}.", by=by)
    notices.notify_call_answered(call, match, callers_of(match))
    close_call(event, match, call, DirectorCall.ClosedBecause.ANSWERED)
    return call


def _locked_match(match_id: int) -> tuple[Event, Match]:
    """The event, locked, and its match."""
    event = locked_event(Match.objects.values_list("event_id", flat=True).get(pk=match_id))
    return event, with_games(event.matches.all()).get(pk=match_id)
