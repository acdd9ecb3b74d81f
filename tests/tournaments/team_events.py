"""Events for teams, in a word or two."""

from __future__ import annotations

from datetime import timedelta

from games import services as games
from tests.tournaments.factories import advance, end_in_a_draw, end_in_favour, person, table_of
from tournaments import services
from tournaments.models import Entry, Event, Match
from tournaments.queries.records import records_of
from tournaments.services import teams

TWO = "Reds: ann bob\nBlues: cat dan"
THREE = f"{TWO}\nGreens: eve fay"
FOUR = f"{THREE}\nWhites: gil hal"


def team(event: Event, name: str) -> Entry:
    return event.entries.with_players().get(team_name=name)


def board_of(event: Event, name: str) -> Match:
    """The newest board of this player."""
    return event.matches.filter(parent__isnull=False, sides__player__username=name).order_by("-round__number")[0]


def win(event: Event, *names: str) -> Event:
    """These players win their boards, and the event goes on."""
    for name in names:
        end_in_favour(table_of(board_of(event, name)), name)
    return advance(event)


def draw(event: Event, *names: str) -> Event:
    for name in names:
        end_in_a_draw(table_of(board_of(event, name)))
    return advance(event)


def team_matches(event: Event) -> list[str]:
    """Every team match with its result."""
    found = []
    for match in services.with_games(event.matches.between_entries()):
        score = [
            f"{side.board_points.normalize():f}" if side.board_points is not None else "" for side in match.sides.all()
        ]
        found.append(f"{match.round.number}: {match} {':'.join(score)} {match.reason}".strip())
    return found


def boards(event: Event, number: int = 1) -> list[str]:
    return [str(board) for board in services.with_games(event.matches.filter(round__number=number, board__gt=0))]


def standings(event: Event) -> list[tuple[str, str, str]]:
    """Team, points, and the first tie-break."""
    names = {entry.pk: entry.name for entry in event.entries.with_players()}
    rows = event.plan.standings(records_of(event))
    return [(names[row.entrant], str(row.points), row.figures[0].text.partition(":")[0]) for row in rows]


def rest(event: Event, name: str, *players: str, by: str = "", seen: int | None = None) -> None:
    """The captain leaves these players out of the next match."""
    entry = team(event, name)
    playing = [member.pk for member in entry.team if member.user.username not in players]
    seen = teams.line_up_key(event, entry) if seen is None else seen
    captain = person(by) if by else entry.user
    services.set_line_up(entry_id=entry.pk, players=playing, seen=seen, by=captain)


def overdue(event: Event, name: str) -> None:
    """The clock finds that this player's time, or the time to appear, is up."""
    table = table_of(board_of(event, name))
    games.flag_overdue(table_id=table.pk, now=table.deadline_at + timedelta(seconds=1))
    advance(event)


def board_in_round(event: Event, name: str, number: int) -> Match:
    return event.matches.get(parent__isnull=False, sides__player__username=name, round__number=number)
