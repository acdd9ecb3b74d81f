"""Closing calls for the director: with an answer, by who made them, by a result, or because the event is cancelled."""

from collections.abc import Sequence

from django.utils import timezone

from accounts.models import User
from games import live
from infra.after_commit import on_commit
from tournaments.models import DirectorCall, Event, Match
from tournaments.services import notices
from tournaments.services.common import event_changed, log_action


def callers_of(match: Match) -> list[User]:
    """Who can call the director: the players of the match, or the captains of its teams. match: with its sides."""
    sides = match.sides.all()
    if match.is_between_teams:
        return [side.entry.user for side in sides]
    return [player for side in sides for player in side.players]


def close_calls_with_result(event: Event, matches: Sequence[Match]) -> None:
    """Closes the open calls of matches that have a result now. matches: with their games and sides."""
    by_id = {match.pk: match for match in matches}
    for call in DirectorCall.objects.open().filter(match__in=by_id):
        _close_unanswered(event, by_id[call.match_id], call, DirectorCall.ClosedBecause.RESULT)


def close_calls_of_cancelled(event: Event) -> None:
    for call in DirectorCall.objects.open().filter(match__event=event).select_related("match__round"):
        _close_unanswered(event, call.match, call, DirectorCall.ClosedBecause.CANCELLED)


def _close_unanswered(event: Event, match: Match, call: DirectorCall, because: DirectorCall.ClosedBecause) -> None:
    log_action(event, f"Closed the call of {call.by}, because {because.label}: {match}.", by=None)
    close_call(event, match, call, because)


def close_call(event: Event, match: Match, call: DirectorCall, because: DirectorCall.ClosedBecause) -> None:
    call.closed_at, call.closed_because = timezone.now(), because
    call.save(update_fields=["closed_at", "closed_because", "answered_by", "reply"])
    notices.withdraw_director_called(call, event, callers_of(match))
    announce_call(event, match)


def withdraw_calls_with(match: Match, event: Event) -> None:
    """Withdraws the notices of open calls that are about to be deleted with their match. match: as above."""
    for call in match.calls.open():
        notices.withdraw_director_called(call, event, callers_of(match))


def announce_call(event: Event, match: Match) -> None:
    """To the pages of the event, its console and the tables of the match."""
    for row in match.games.all():
        on_commit(live.announce, live.director_channel(row.table.code), live.moment())
    event_changed(event)
