"""Team matches: boards are made when the match is published, and decide it once the last of them is decided.

Between these two moments the match itself is in play, and everything that happens at a table happens at its boards,
which are matches like all others (`tournaments.models.match`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from infra.bulk import update_rows
from tournaments.formats import contract, team_match
from tournaments.formats.team_match import BoardResult, TeamDecision
from tournaments.models import Event, Match, MatchSide, TeamMember
from tournaments.queries import records
from tournaments.services.matches import MatchVerdict, decide_matches, store_verdict, walkover, with_games
from tournaments.services.teams import next_line_up


def open_boards(event: Event, matches: QuerySet[Match]) -> None:
    """Makes the boards of published team matches. Every team has a line-up of its own choice again afterwards."""
    waiting = list(with_games(matches.filter(status=Match.Status.WAITING)))
    boards, sides = [], []
    for match in waiting:
        line_ups = [(side, next_line_up(event, side.entry)) for side in match.sides.all()]
        for number in range(1, (event.team_boards or 0) + 1):
            board = Match(event=event, round=match.round, slot=match.slot, parent=match, board=number)
            boards.append(board)
            sides += [
                MatchSide(
                    match=board,
                    number=side.number,
                    entry=side.entry,
                    player=members[number - 1].user if number <= len(members) else None,
                )
                for side, members in line_ups
            ]
    Match.objects.bulk_create(boards)
    MatchSide.objects.bulk_create(sides)
    pks = [match.pk for match in waiting]
    event.matches.filter(pk__in=pks).update(status=Match.Status.PLAYING, started_at=timezone.now())
    TeamMember.objects.filter(entry__sides__match__in=pks).update(rests=False)
    new = with_games(event.matches.filter(parent__in=pks))
    decide_matches(event, [verdict for board in new if (verdict := walkover(board))])
    close_team_matches(event)


def close_team_matches(event: Event) -> bool:
    """Decides the team matches whose boards are all decided. Returns whether there were any."""
    if not event.has_teams:
        return False
    in_play = event.matches.between_entries().filter(status=Match.Status.PLAYING)
    over = list(_with_boards(in_play.exclude(boards__status__in=Match.OPEN)))
    decide_matches(event, [_verdict(match) for match in over])
    return bool(over)


def decide_again(event: Event, board: Match) -> None:
    """Stores the result of a decided team match once more, after one of its boards was corrected."""
    for match in _with_boards(event.matches.filter(boards=board, status=Match.Status.FINISHED)):
        store_verdict(event, [_verdict(match)])


def record_with_board(
    event: Event, before: contract.MatchRecord, board: Match, places: Sequence[int], how: contract.How
) -> contract.MatchRecord:
    """The record of a team match if one of its boards had this result. before: as it is now."""
    if before.places is None:
        return before
    match = _with_boards(event.matches.all()).get(boards=board)
    decision = _decision(match, {board.pk: (tuple(places), how)})
    changed = replace(before, places=decision.places, how=decision.how)
    return changed if event.team_points is None else records.with_worth(event.team_points, changed, decision.score)


def _with_boards(matches: QuerySet[Match]) -> QuerySet[Match]:
    sides = Prefetch("sides", MatchSide.objects.order_by("number"))
    boards = Prefetch("boards", Match.objects.order_by("board").prefetch_related(sides))
    return with_games(matches).prefetch_related(boards)


def _verdict(match: Match) -> MatchVerdict:
    """The result by the boards, whose points are stored at once."""
    decision, sides = _decision(match), list(match.sides.all())
    for side, points in zip(sides, decision.score, strict=True):
        side.board_points = Decimal(points.numerator) / points.denominator
    update_rows(sides, ["board_points"])
    by = Match.DecidedBy.FORFEIT if decision.how == "forfeit" else Match.DecidedBy.GAMES
    return MatchVerdict(match, decision.places, by, decision.reason)


def _decision(match: Match, changed: Mapping[int, tuple[tuple[int, ...], contract.How]] | None = None) -> TeamDecision:
    """changed: results of boards, by id, in place of those that they have."""
    sign = -1 if match.event.fewer_is_better else 1
    boards = []
    for board in match.boards.all():
        places_now = tuple(side.place or 0 for side in board.sides.all())
        stored = places_now, records.HOW_DECIDED.get(board.decided_by, "played")
        places, how = (changed or {}).get(board.pk, stored)
        boards.append(BoardResult(places, how, tuple(sign * side.points for side in board.sides.all())))
    sides = match.sides.all()
    seeds = [side.entry.known_seed for side in sides]
    gone = {side.number for side in sides if side.entry.is_absent}
    return team_match.decide_team_match(boards, needs_winner=match.needs_winner, seeds=seeds, gone=gone)
