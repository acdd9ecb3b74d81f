"""A match from its first game to its result."""

from contextlib import suppress

from django.utils import timezone

from games import services as games
from games.models import Table
from tournaments.formats import lots, match_play
from tournaments.models import Event, Match, MatchGame, MatchSide
from tournaments.services.common import changed, log


def open_game(match: Match, *, number: int) -> None:
    """Deals the next game of a match. The side that begins is drawn by lot for the first one."""
    event, sides = match.event, list(match.sides.select_related("entry__user"))
    first = lots.number(event.lots, f"{match.round} {match.slot}", len(sides))
    order = match_play.seat_order(number, len(sides), first=first)
    table = games.seat_and_start(
        game=event.game,
        players=[sides[side].entry.user for side in order],
        options=event.options,
        move_seconds=event.move_seconds,
        first_dealer=len(sides) - 1,
        is_rated=True,
    )
    MatchGame.objects.create(match=match, number=number, table=table, first_side=order[0])


def settle(match: Match) -> None:
    """Takes in the games of a match and decides it or starts its next game, unless one is being played."""
    rows = list(match.games.select_related("table"))
    if not rows or not rows[-1].table.is_over:
        return
    sides = list(match.sides.select_related("entry"))
    ended = [row for row in rows if row.table.result]
    played = [_game_record(row, len(sides)) for row in ended]
    for side, won, points in zip(
        sides, match_play.wins(played, len(sides)), match_play.points(played, len(sides)), strict=True
    ):
        side.games_won, side.points = won, points
    MatchSide.objects.bulk_update(sides, ["games_won", "points"])
    absent = _absent_side(rows[-1], len(sides))
    if absent is not None:
        places = tuple(2 if side == absent else 1 for side in range(len(sides)))
        decide(
            match, places, Match.DecidedBy.FORFEIT, f"{sides[absent].entry.name} did not come to the table"
        )
        return
    seeds = [side.entry.seed for side in sides]
    decision = _rule(match.event).decide(played, seeds=seeds)
    if decision:
        decide(match, decision.places, Match.DecidedBy.GAMES, decision.reason)
    else:
        open_game(match, number=len(rows) + 1)
        changed(match.event)


def _rule(event: Event) -> match_play.MatchRule:
    return match_play.MatchRule(event.match_rule, event.match_games, event.plan.needs_winner)


def _game_record(row: MatchGame, sides: int) -> match_play.Game:
    """The result of a table, from seats to sides."""
    order = [(row.first_side + seat) % sides for seat in range(sides)]
    seat_of = {side: seat for seat, side in enumerate(order)}
    places, scores = row.table.result["places"], row.table.result["scores"]
    return match_play.Game(
        tuple(places[seat_of[side]] for side in range(sides)),
        tuple(scores[seat_of[side]] for side in range(sides)),
    )


def _absent_side(row: MatchGame, sides: int) -> int | None:
    """The side that ran out of time without a single move: it never came."""
    if row.table.ended_by != Table.EndedBy.FLAG:
        return None
    loser = row.table.result["places"].index(2)
    if row.table.moves.filter(seat=loser, is_by_clock=False).exists():
        return None
    return (row.first_side + loser) % sides


def forfeit(match: Match) -> None:
    """Decides a match against every side that has left; their game at the table is given up."""
    sides = list(match.sides.select_related("entry__user"))
    places = tuple(2 if side.entry.is_absent else 1 for side in sides)
    gone = [side.entry for side in sides if side.entry.is_absent]
    decide(
        match, places, Match.DecidedBy.FORFEIT, f"{' and '.join(entry.name for entry in gone)} left the event"
    )
    for row in match.games.filter(table__status=Table.Status.RUNNING):
        with suppress(games.TableError):  # it ended this very moment
            games.resign(table_id=row.table_id, user=gone[0].user)


def decide(match: Match, places: tuple[int, ...], decided_by: str, reason: str) -> None:
    for side, place in zip(match.sides.all(), places, strict=True):
        side.place = place
        side.save(update_fields=["place"])
    match.status, match.decided_by, match.reason = Match.Status.FINISHED, decided_by, reason
    match.finished_at = timezone.now()
    match.save(update_fields=["status", "decided_by", "reason", "finished_at"])
    if decided_by != Match.DecidedBy.BYE:
        winner = next((side.entry.name for side in match.sides.all() if side.place == 1), "nobody")
        log(match.event, f"{match}: {winner} won ({reason}).")
    changed(match.event)
