"""Duplicate rounds: decide and reveal a round of shared deals once its last table is over."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from django.db.models import Q

from games.models import Table
from infra.bulk import update_rows
from tournaments.formats import duplicate
from tournaments.models import Event, Match
from tournaments.queries.duplicate import board_of
from tournaments.services.matches import MatchVerdict, decide_matches, reveal_tables, waits_for_its_round, with_games


def close_rounds(event: Event) -> bool:
    """Decides the matches of finished rounds and reveals their tables. Returns whether there were any."""
    if event.dealing != Event.Dealing.SAME:
        return False
    is_open = Q(status__in=Match.OPEN) & ~Q(status=Match.Status.PLAYING) | Q(games__table__status=Table.Status.RUNNING)
    hidden = event.rounds.filter(matches__games__table__is_hidden=True).distinct()
    over = hidden.exclude(pk__in=event.matches.filter(is_open).values("round"))
    closed = [_close(event, list(with_games(found.matches.filter(boards=None)))) for found in over]
    return any(closed)


def _close(event: Event, matches: Sequence[Match]) -> bool:
    waiting = [match for match in matches if waits_for_its_round(match)]
    if any(match not in waiting and not match.is_over for match in matches):
        return False  # another game is to be played, once the event goes on
    if waiting:
        _compare(event, waiting)
    reveal_tables(matches)
    return True


def _compare(event: Event, matches: Sequence[Match]) -> None:
    field = duplicate.DuplicateField(board_of(row, match) for match in matches for row in match.games.all())
    figures = field.compared(event.compared_by)
    verdicts = []
    for match in matches:
        sides = list(match.sides.all())
        entrants = [side.entry_id for side in sides]
        seeds = [side.entry.known_seed for side in sides] if event.plan.needs_winner_in(match.round.section) else ()
        decision = field.decide(entrants, by=event.compared_by, seeds=seeds)
        verdicts.append(MatchVerdict(match, decision.places, Match.DecidedBy.GAMES, decision.reason))
        for side in sides if field.has_others(entrants) else ():
            side.compared = _decimal(figures[side.entry_id])
    update_rows([side for match in matches for side in match.sides.all()], ["compared"])
    decide_matches(event, verdicts)


def _decimal(figure: Fraction) -> Decimal:
    return Decimal(figure.numerator) / figure.denominator
