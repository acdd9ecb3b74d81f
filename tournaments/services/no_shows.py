"""No-shows: an entry that misses as many matches as its event allows sits out until it is back, or is withdrawn.

A side misses a match if one of its players has been at none of its tables. Heartbeats of the page count, and moves.
In an arena a player has to move, so that nobody is paired again and again with players who leave a page open. Where a
move has an hour or more, only moves count. Bots miss nothing. Who is in a match that a director decides, and not by
forfeit, has come as well.

A team misses a match if everyone in its line-up does. A single player who missed a board is away: the next line-ups
take others as long as there are any.

An entry that sits out is not paired where rounds are paired anew; elsewhere its matches are forfeited without waiting.
"""

from collections.abc import Iterable

from tournaments.models import Entry, Event, Match, MatchSide
from tournaments.queries import records
from tournaments.services import notices
from tournaments.services.common import changed_on_calendar, log_action
from tournaments.services.tables import was_there, went_on_without


def record_attendance(event: Event, matches: Iterable[Match]) -> None:
    """Records who came to these matches, which have just been decided, and who missed them."""
    must_move, came = _must_move(event), []
    for match in matches:
        rows = list(match.games.all())
        for side in match.sides.all():
            if any(was_there(row, side.number, must_move=must_move) for row in rows):
                came.append(side.entry_id)
                _note_member(side, is_away=False)
            elif any(went_on_without(row, side.number, must_move=must_move) for row in rows):
                _note_member(side, is_away=True)
                if not side.is_at_board:
                    _count_missed(event, match, side.entry)
            elif match.is_between_teams and _is_team_away(match, side.entry):
                _count_missed(event, match, side.entry)
    event.entries.filter(pk__in=came, has_come=False).update(has_come=True)


def record_as_played(match: Match) -> list[Entry]:
    """Records that everyone came to a match which a director has decided as played, perhaps away from its table.

    Returns the entries that sit out although they have now missed fewer matches than their event allows.
    """
    event, free = match.event, []
    for side in match.sides.all():
        entry, rows = side.entry, list(match.games.all())
        if match.parent is not None:
            has_missed = _is_team_away(match.parent, entry)
            _note_member(side, is_away=False)
        else:
            must_move = _must_move(event)
            has_missed = any(went_on_without(row, side.number, must_move=must_move) for row in rows)
        entry.has_come, entry.missed = True, max(entry.missed - has_missed, 0)
        entry.save(update_fields=["has_come", "missed"])
        if has_missed and entry.is_sitting_out and entry.missed < event.missed_matches:
            free.append(entry)
    return free


def _must_move(event: Event) -> bool:
    """Whether an open page at a table is not enough to have come."""
    return event.minutes is not None or event.appear_seconds is None


def _note_member(side: MatchSide, *, is_away: bool) -> None:
    """At a board: a player of a team who is away plays again only if the team has too few others."""
    if side.is_at_board:
        side.entry.members.filter(user=side.player_id).update(is_away=is_away)


def _is_team_away(match: Match, entry: Entry) -> bool:
    """Whether everyone missed their board."""
    players = MatchSide.objects.filter(match__parent=match, entry=entry, player__isnull=False).values("player")
    played = entry.members.filter(user__in=players)
    return played.exists() and not played.filter(is_away=False).exists()


def _count_missed(event: Event, match: Match, entry: Entry) -> None:
    if entry.is_absent:
        return
    entry.missed += 1
    is_too_much = entry.missed >= event.missed_matches and not _is_out(event, entry)
    withdraws = is_too_much and event.no_shows == Event.NoShows.WITHDRAW
    entry.sits_out = is_too_much and not withdraws
    entry.status = Entry.Status.WITHDRAWN if withdraws else entry.status
    entry.save(update_fields=["missed", "sits_out", "status"])
    if not is_too_much:
        return
    how_often = f"{entry.missed} match{'es' * (entry.missed > 1)}"
    log_action(event, f"{entry.name} missed {how_often} and {'is withdrawn' if withdraws else 'sits out'}.")
    notices.notify_missed_matches(match, entry)
    if withdraws:
        changed_on_calendar(event)


def _is_out(event: Event, entry: Entry) -> bool:
    """Whether this was the last match of the entry anyway, as in a knock-out."""
    if not event.plan.needs_winner:
        return False
    standings = event.plan.standings(records.records_of(event))
    return any(standing.place is not None for standing in standings if standing.entrant == entry.pk)


def mark_back(entry: Entry) -> None:
    """Ends sitting out; not stored yet."""
    entry.has_come, entry.missed, entry.sits_out = True, 0, False
