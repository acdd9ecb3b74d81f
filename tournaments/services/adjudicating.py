"""Adjudication: directors decide, correct and annul matches.

No director decides a match of their own. A correction shows its `consequences` first, since later matches may not
follow from it any more: those that nobody has begun are paired again, those that were begun stay unless the director
cancels them, and in formats whose pairings stand once they are made nothing is paired again.

A director may record the score, too: games won and points by side. Without one the score of the games stays where it
fits the result, and otherwise none is kept; a forfeit has none.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.formats import contract
from tournaments.formats.numbers import written
from tournaments.models import Entry, Event, Match
from tournaments.queries import records
from tournaments.services import no_shows, notices, webhooks
from tournaments.services.closing_calls import withdraw_calls_with
from tournaments.services.common import (
    bracketed_reason,
    changed_on_calendar,
    locked_event,
    log_action,
    public_reason,
    require_neutral,
)
from tournaments.services.entries import end_sitting_out
from tournaments.services.matches import MatchVerdict, score_so_far, stop_tables, store_verdict, with_games
from tournaments.services.rounds import advance_event
from tournaments.services.team_matches import decide_again, record_with_board
from tournaments.services.undo_records import undo_record

Score: TypeAlias = Sequence[tuple[int, int]]
"""By side: games won, and points of all games together."""
BYE_RESULTS = (Match.DecidedBy.BYE, Match.DecidedBy.HALF_BYE, Match.DecidedBy.ZERO_BYE)


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """How an entry stands before and after. points: None where the format counts none.

    last_places: of those that entries may share.
    """

    entry: Entry
    places: tuple[int | None, int | None]
    last_places: tuple[int | None, int | None]
    points: tuple[Fraction | None, Fraction | None]

    @property
    def shared_places(self) -> list[tuple[int | None, int | None]]:
        return [*zip(self.places, self.last_places, strict=True)]

    @property
    def points_in_words(self) -> tuple[str, ...]:
        return tuple("" if number is None else written(number) for number in self.points)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What another result of a match changes.

    shifts: entries whose place or points change; shifts_if_cancelled: if begun matches are cancelled, too. unbegun:
    matches that no longer follow and are removed. begun: those that no longer follow, but were begun. new: matches that
    are paired instead. new_if_cancelled: these and those that would be paired instead of begun ones. is_round_again: a
    round that is not published yet is paired again.
    """

    shifts: tuple[PlaceChange, ...]
    shifts_if_cancelled: tuple[PlaceChange, ...]
    unbegun: tuple[Match, ...]
    begun: tuple[Match, ...]
    new: tuple[tuple[Entry, ...], ...]
    new_if_cancelled: tuple[tuple[Entry, ...], ...]
    is_round_again: bool


# Results


@transaction.atomic
def adjudicate(
    *,
    match_id: int,
    places: Sequence[int],
    by: User,
    why: str = "",
    score: Score | None = None,
    decided_by: str = Match.DecidedBy.DIRECTOR,
) -> Match:
    """Decides an open match; a game in play stops. :raises EventError:

    places: by side; no side is first where all lose. decided_by: `DIRECTOR`, or `FORFEIT` for a match not played.
    """
    event, match = _own_match(match_id, by)
    _require_open(match)
    _check(match, places, decided_by)
    kept = _score_of(match, places, decided_by, score)
    reason = public_reason(event, why) or "decided by a director"
    _settle_by_hand(event, MatchVerdict(match, places, decided_by, reason, kept), by, why)
    return match


@transaction.atomic
def adjudicate_by_score(*, match_id: int, by: User, why: str = "") -> Match:
    """Decides an open match on the score so far. :raises EventError:"""
    event, match = _own_match(match_id, by)
    _require_open(match)
    verdict = score_so_far(match)
    if verdict is None:
        raise EventError("This match has no score yet that could decide it.")
    _settle_by_hand(event, verdict, by, why)
    return match


@transaction.atomic
def annul_match(*, match_id: int, by: User, why: str = "") -> Match:
    """Annuls a match: it does not count. :raises EventError:"""
    event, match = _own_match(match_id, by)
    if match.needs_winner:
        raise EventError("A side has to advance in this format. Decide or correct the match instead.")
    if match.status == Match.Status.PROPOSED:
        raise EventError("This match isn't published yet.")
    before = None
    if match.status == Match.Status.FINISHED:
        _require_decided(match)
        before = _stored_result(match)
    reason = public_reason(event, why) or "annulled by a director"
    verdict = MatchVerdict(match, [2] * len(match.sides.all()), Match.DecidedBy.ANNULLED, reason, _no_score(match))
    _settle_by_hand(event, verdict, by, why, before=before)
    return match


@transaction.atomic
def correct_result(
    *,
    match_id: int,
    places: Sequence[int],
    by: User,
    why: str = "",
    cancels: bool = False,
    score: Score | None = None,
    decided_by: str = Match.DecidedBy.DIRECTOR,
    reason: str = "",
) -> Match:
    """Gives a decided match another result. :raises EventError:

    cancels: also the matches that do not follow from it although they were begun. decided_by, reason: what is stored
    for it.
    """
    event, match = _own_match(match_id, by)
    _require_decided(match)
    _check(match, places, decided_by)
    before, kept = _stored_result(match), _score_of(match, places, decided_by, score)
    text = reason or public_reason(event, why) or "corrected by a director"
    verdict = MatchVerdict(match, places, decided_by, text, kept)
    _settle_by_hand(event, verdict, by, why, before=before, cancels=cancels)
    return match


def _settle_by_hand(
    event: Event,
    verdict: MatchVerdict,
    by: User,
    why: str,
    *,
    before: dict[str, object] | None = None,
    cancels: bool = False,
) -> None:
    """Stores a result and what follows from it. before: the result of a match that was decided already."""
    match, held = verdict.match, set(_contradicted(event))
    store_verdict(event, [verdict])
    if verdict.by == Match.DecidedBy.DIRECTOR:
        for entry in no_shows.record_as_played(match):
            end_sitting_out(event, entry, by=by, why=why)
    if match.parent_id:
        decide_again(event, match)
    undo = undo_record(event, "correct", **before) if before else None
    verb, what = _ruling(verdict, undo)
    log_action(event, f"{verb} {what}.", by=by, why=why or verdict.reason, undo=undo)
    because = bracketed_reason(event, why)
    notices.notify_ruling(match, f"{event.name}: a director has {verb.lower()} {what}{because}.")
    webhooks.publish_results(event, [match], corrected=before is not None or verdict.by == Match.DecidedBy.ANNULLED)
    stale = [spot for spot in _contradicted(event) if spot not in held]
    _take_away(event, stale, by, begun_too=cancels)
    _proposed_after(match).delete()
    was_over = event.is_finished
    if was_over:
        _reopen(event)
    advance_event(event)
    if was_over and not event.is_finished:
        notices.withdraw_finished(event)
    changed_on_calendar(event)


def _ruling(verdict: MatchVerdict, undo: dict[str, object] | None) -> tuple[str, str]:
    """What a director did, as a verb, and to which match or with which result."""
    if verdict.by == Match.DecidedBy.ANNULLED:
        return "Annulled", str(verdict.match)
    return "Corrected" if undo else "Decided", verdict.result


def _take_away(event: Event, spots: Collection[contract.Spot], by: User, *, begun_too: bool) -> None:
    """Removes matches that do not follow from the results; their games can still be replayed."""
    for match in _matches_at(event, spots):
        if _has_begun(match) and not begun_too:
            told = f"{event.name}: an earlier result was corrected, but your match {match} counts."
            notices.notify_ruling(match, told)
            log_action(event, f"{match} is kept, although it no longer follows from the results.", by=by)
            continue
        for played in (match, *with_games(match.boards.all())):
            stop_tables(played)
            withdraw_calls_with(played, event)
            notices.withdraw_match_calls(event, [played])
        notices.notify_ruling(
            match, f"{event.name}: your match {match} is cancelled, because an earlier result was corrected."
        )
        log_action(event, f"Cancelled {match}, which no longer follows from the results.", by=by)
        match.delete()


def _proposed_after(match: Match) -> QuerySet[Match]:
    """Pairs again what was paired by the old result and is not published."""
    later = match.event.matches.filter(status=Match.Status.PROPOSED, round__number__gt=match.round.number)
    return later.filter(is_fixed=False) if match.event.plan.by_rounds else later.none()


def _reopen(event: Event) -> None:
    """Reopens a finished event whose results have changed; it is closed at once if nothing is left to play."""
    event.status, event.finished_at = Event.Status.RUNNING, None
    event.save(update_fields=["status", "finished_at"])
    event.badges.all().delete()


# What a correction would bring


def consequences(
    event: Event,
    match: Match,
    places: Sequence[int],
    *,
    decided_by: str = Match.DecidedBy.DIRECTOR,
    score: Score | None = None,
) -> Consequences:
    """What changes if a match has this result. Nothing is stored. :raises EventError: it cannot have it."""
    how = records.HOW_DECIDED.get(decided_by, "played")
    if how != "annulled":
        _require_decided(match)
        _check(match, places, decided_by)
    kept = _score_of(match, places, decided_by, score)
    before = records.records_of(event)
    spot = records.spot_of(match)
    changed = _changed(event, before.by_spot[spot], match, places, how, kept)
    after = replace(before, matches=[changed if other.spot == spot else other for other in before.matches])
    held = set(event.plan.contradicted(before))
    stale = _matches_at(event, [spot for spot in event.plan.contradicted(after) if spot not in held])
    unbegun = tuple(row for row in stale if not _has_begun(row))
    entries = event.entries.with_players().in_bulk()

    def without(of: Iterable[Match]) -> contract.Records:
        gone = {records.spot_of(row) for row in of}
        return replace(after, matches=[other for other in after.matches if other.spot not in gone])

    def paired_instead(of: Iterable[Match]) -> tuple[tuple[Entry, ...], ...]:
        gone = {records.spot_of(row) for row in of}
        new = [pairing for pairing in event.plan.next_matches(without(of)) if pairing.spot in gone]
        return tuple(tuple(entries[pk] for pk in pairing.entrants) for pairing in new)

    return Consequences(
        _shifts(event, before, without(unbegun), entries),
        _shifts(event, before, without(stale), entries),
        unbegun,
        tuple(row for row in stale if _has_begun(row)),
        paired_instead(unbegun),
        paired_instead(stale),
        _proposed_after(match).exists(),
    )


def _changed(
    event: Event, record: contract.MatchRecord, match: Match, places: Sequence[int], how: contract.How, score: Score
) -> contract.MatchRecord:
    """The record of a match, or of the team match that it is a board of, with this result."""
    if match.parent_id:
        return record_with_board(event, record, match, places, how)
    sign = -1 if event.fewer_is_better else 1
    points = record.points if event.is_compared else tuple(Fraction(sign * points) for _, points in score)
    changed = replace(record, places=tuple(places), how=how, points=points)
    return records.with_worth(event.team_points, changed, [None] * len(places)) if event.team_points else changed


def _shifts(
    event: Event, before: contract.Records, after: contract.Records, entries: dict[int, Entry]
) -> tuple[PlaceChange, ...]:
    old = {standing.entrant: standing for standing in event.plan.standings(before)}
    pairs = [(old[new.entrant], new) for new in event.plan.standings(after)]
    return tuple(
        PlaceChange(
            entries[new.entrant],
            (was.place, new.place),
            (was.last_place, new.last_place),
            (was.points, new.points),
        )
        for was, new in pairs
        if (was.place, was.last_place, was.points) != (new.place, new.last_place, new.points)
    )


def _has_begun(match: Match) -> bool:
    """Whether it, or a board of it, has had a table."""
    return bool(match.games.all()) or match.boards.filter(games__isnull=False).exists()


def _contradicted(event: Event) -> list[contract.Spot]:
    return event.plan.contradicted(records.records_of(event))


def _matches_at(event: Event, spots: Collection[contract.Spot]) -> list[Match]:
    if not spots:
        return []
    rows = {records.spot_of(row): row for row in with_games(event.matches.between_entries())}
    return [rows[spot] for spot in spots]


# Checks


def _own_match(match_id: int, by: User) -> tuple[Event, Match]:
    """The event, locked, and its match. :raises EventError:"""
    event = locked_event(Match.objects.values_list("event_id", flat=True).get(pk=match_id))
    match = with_games(event.matches.all()).get(pk=match_id)
    require_neutral(by, [side.entry for side in match.sides.all()], "decide this match")
    if match.is_between_teams and match.boards.exists():
        raise EventError("A team match is decided by its boards. Decide or correct these.")
    if event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        raise EventError("This tournament isn't running.")
    return event, match


def _require_open(match: Match) -> None:
    if match.status not in (Match.Status.WAITING, Match.Status.PLAYING):
        raise EventError("This match isn't open. You can correct a decided match.")


def _require_decided(match: Match) -> None:
    if match.status != Match.Status.FINISHED or match.decided_by in BYE_RESULTS:
        raise EventError("This match has no result to correct or annul.")


def _check(match: Match, places: Sequence[int], decided_by: str) -> None:
    """:raises EventError: a result that the format does not have."""
    if len(places) != len(match.sides.all()):
        raise EventError("Choose a place for every side.")
    if decided_by == Match.DecidedBy.FORFEIT and min(places) == max(places) == 1:
        raise EventError("A forfeited match can't be a draw.")
    if match.needs_winner and list(places).count(1) > 1:
        raise EventError("One side has to advance in this format, so a match can't be a draw.")


def _stored_result(match: Match) -> dict[str, object]:
    """Its result, for `correct_result`."""
    sides = match.sides.all()
    kept = {"decided_by": match.decided_by, "reason": match.reason, "score": _stored_score(match)}
    return {"match_id": match.pk, "places": [side.place for side in sides], **kept}


# Scores


def _stored_score(match: Match) -> Score:
    return [(side.games_won, side.points) for side in match.sides.all()]


def _no_score(match: Match) -> Score:
    return [(0, 0)] * len(match.sides.all())


def _score_of(match: Match, places: Sequence[int], decided_by: str, score: Score | None) -> Score:
    """The score that goes with a result: the given one, else the stored one, if it fits. :raises EventError:

    The score of a result that was not decided by a director need not fit: a player who resigned may have been ahead.
    """
    none = _no_score(match)
    if decided_by in (Match.DecidedBy.FORFEIT, Match.DecidedBy.ANNULLED):
        return score or none
    if score is None:
        stored = _stored_score(match)
        return stored if _fits(match.event, places, stored) else none
    if len(score) != len(places):
        raise EventError("Enter the score of every side, or of none.")
    if decided_by == Match.DecidedBy.DIRECTOR and not _fits(match.event, places, score):
        raise EventError("This score doesn't fit the result.")
    return score


def _fits(event: Event, places: Sequence[int], score: Score) -> bool:
    """Whether the better place never has the worse score, and the same place the same one."""
    if 1 not in places:
        return True
    if event.match_games > 1 and event.match_rule != Event.MatchRule.POINTS:
        merits = [games_won for games_won, _ in score]
    else:
        merits = [-points if event.fewer_is_better else points for _, points in score]
    ranked = sorted(zip(places, merits, strict=True))
    return all(
        merit >= next_merit if place < next_place else merit == next_merit
        for (place, merit), (next_place, next_merit) in pairwise(ranked)
    )
