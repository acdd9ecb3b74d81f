"""Rounds: pair what follows from the results, rank entries, and end the event."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import get_text_list

from accounts.models import User
from infra.bulk import insert_rows, update_rows
from infra.task_queue import enqueue_on_commit
from tournaments.domain.errors import EventError
from tournaments.formats import contract
from tournaments.models import Badge, Entry, Event, Match, MatchSide, Round
from tournaments.models.settings import WAVE_SECONDS
from tournaments.queries import records
from tournaments.queries.group_draws import draw_ends_at
from tournaments.services import notices, timetable, webhooks
from tournaments.services.byes import requested_matches, withdraw_leaving
from tournaments.services.common import CLAIM_TIMEOUT, close_event, event_changed, locked_event, log_action
from tournaments.services.comparing import close_rounds
from tournaments.services.matches import decide_matches, possible_walkovers, walkover, with_games
from tournaments.services.team_matches import close_team_matches, open_boards

BADGE_PLACES = 3  # places that have a badge


def advance_event(event: Event) -> bool:
    """Pairs what can be paired, ranks entries that are out, and ends the event once nothing is left.

    Returns whether anything changed; the caller announces it (`event_changed`), once for its whole step.
    """
    is_new, break_end = close_rounds(event), event.next_round_at
    is_new |= close_team_matches(event)
    known = records.records_of(event)
    if withdraw_leaving(event, known):
        known, is_new = records.records_of(event), True
    while paired := _to_pair(event, known):
        create_matches(event, paired)
        known, is_new = records.records_of(event), True
    is_over = event.plan.is_over(known) and not _waits_for_returns(event, known)
    if is_over or event.plan.needs_winner:  # elsewhere every place is open until the end
        is_new |= _rank(event, known, is_over=is_over)
    if is_over:
        _finish(event)
        return True
    _look_again(event)
    if not event.is_paused:
        for match_id in event.matches.to_start().values_list("pk", flat=True):
            enqueue_on_commit("tournaments.tasks.start_match", match_id)
    return is_new or (not event.minutes and event.next_round_at != break_end)


def _look_again(event: Event) -> None:
    """Sets the next step of the clock: soon, or when a break or the whole event ends."""
    now = timezone.now()
    moments = [at for at in (event.next_round_at, event.ends_at) if at is not None and at > now]
    event.due_at = None if event.is_paused else min([now + CLAIM_TIMEOUT, *moments])
    event.save(update_fields=["due_at", "next_round_at"])


# Pairing


def _to_pair(event: Event, known: contract.Records) -> list[contract.MatchRecord]:
    """The matches to create now."""
    if event.is_paused or _waits_for_draw(event, known):
        return []
    paired = timetable.due_matches(event, matches_to_pair(event, known))
    if event.waits_for_rounds:
        paired = _whole_rounds(known, paired)
    if event.minutes and not paired:
        event.next_round_at = None  # the next two who are free wait for others as long as these did
    if paired and (event.publishes_by_hand or timetable.has_own_time(event, paired)):
        event.next_round_at = None
        return paired
    return [] if not paired or _is_break(event, known) else paired


def _waits_for_draw(event: Event, known: contract.Records) -> bool:
    """Whether the groups are still being drawn, where everyone can watch it."""
    ends_at = None if known.matches else draw_ends_at(event, known)
    if ends_at is None:
        return False
    event.next_round_at = ends_at if ends_at > timezone.now() else None
    return event.next_round_at is not None


def matches_to_pair(event: Event, known: contract.Records) -> list[contract.MatchRecord]:
    """What can be paired now, around the byes that players have asked for."""
    paired = event.plan.next_matches(known)
    resting = requested_matches(event, known) if paired and event.plan.pairs_around else []
    if not resting:
        return paired
    return [*resting, *event.plan.next_matches(replace(known, matches=[*known.matches, *resting]))]


def _whole_rounds(known: contract.Records, paired: Sequence[contract.MatchRecord]) -> list[contract.MatchRecord]:
    """The matches of whole rounds: none before all results are there, none that wait for another new match.

    A round that is being paired may have matches already that a director has arranged.
    """
    new = {(match.spot.section, match.spot.round) for match in paired}
    if any(match.places is None and (match.spot.section, match.spot.round) not in new for match in known.matches):
        return []
    first = {match.spot.section: match.spot.round for match in reversed(paired) if match.places is None}
    return [match for match in paired if match.spot.round <= first.get(match.spot.section, match.spot.round)]


def _is_break(event: Event, known: contract.Records) -> bool:
    """Whether the next matches wait: between two rounds, or in an arena until more players are free.

    After a round to which no one came they wait at least as long as a match does for its players.
    """
    seconds = WAVE_SECONDS if event.minutes else event.break_seconds
    if _was_empty(event, known):
        seconds = max(seconds, event.appear_seconds or event.move_seconds)
    if not seconds or not known.matches:
        return False
    now = timezone.now()
    if event.next_round_at is None:
        event.next_round_at = now + timedelta(seconds=seconds)
    if now < event.next_round_at:
        return True
    event.next_round_at = None
    return False


def _was_empty(event: Event, known: contract.Records) -> bool:
    """Whether no one came to the last round, or to that of each group.

    Not where no one can return: after a match of a knock-out both are out, and an arena goes on anyway.
    """
    last = {spot.section: spot.round for spot in sorted(match.spot for match in known.matches)}
    if event.minutes or any(event.plan.needs_winner_in(section) for section in last):
        return False
    matches = [match for match in known.matches if match.spot.round == last[match.spot.section] and not match.is_bye]
    return bool(matches) and all(match.is_missed_by_all for match in matches)


def _was_never_played(known: contract.Records) -> bool:
    """Whether every match was missed by all its players. A walkover is a win, but byes alone make no champion."""
    matches = [match for match in known.matches if not match.is_bye]
    return bool(matches) and all(match.is_missed_by_all for match in matches)


def _waits_for_returns(event: Event, known: contract.Records) -> bool:
    """Whether an event that would be over only because its entries sit out gives them time to return."""
    if not _was_empty(event, known):
        return False
    returned = [replace(entrant, sits_out=False) for entrant in known.entrants]
    return not event.plan.is_over(replace(known, entrants=returned)) and (event.is_paused or _is_break(event, known))


def create_matches(event: Event, pairings: Sequence[contract.MatchRecord], *, is_fixed: bool = False) -> None:
    """Stores matches. Where directors publish the rounds, only they see those of an unpublished round.

    is_fixed: a director has arranged them.
    """
    rounds = _rounds_of(event, pairings)
    matches = [
        Match(
            event=event,
            round=rounds[pairing.spot.section, pairing.spot.round],
            slot=pairing.spot.slot,
            status=Match.Status.PROPOSED,
            decided_by=records.DECIDED_BY.get(pairing.how, "") if pairing.is_bye else "",
            why_paired=pairing.why[:300],
            is_fixed=is_fixed,
        )
        for pairing in pairings
    ]
    Match.objects.bulk_create(matches)
    insert_rows(
        MatchSide(match=match, number=number, entry_id=entrant)
        for match, pairing in zip(matches, pairings, strict=True)
        for number, entrant in enumerate(pairing.entrants)
    )
    ids = [match.pk for match in matches]
    new = event.matches.filter(pk__range=(min(ids), max(ids)))  # all are new, since the event is locked
    _release(event, new.exclude(round__published_at=None) if event.publishes_by_hand else new)


def _rounds_of(event: Event, pairings: Iterable[contract.MatchRecord]) -> dict[tuple[str, int], Round]:
    """The rounds of these matches, new ones with a secret that their tables deal from."""
    known = {(found.section, found.number): found for found in event.rounds.all()}
    published_at = None if event.publishes_by_hand else timezone.now()
    for section, number in {(pairing.spot.section, pairing.spot.round) for pairing in pairings} - known.keys():
        secret = secrets.token_bytes(32) if event.shares_deals else None
        known[section, number] = Round(
            event=event, section=section, number=number, secret=secret, published_at=published_at
        )
    Round.objects.bulk_create(found for found in known.values() if found.pk is None)
    return known


def _release(event: Event, matches: QuerySet[Match]) -> None:
    """Decides byes and walkovers at once; the others, or their boards, wait for their tables."""
    webhooks.publish_rounds(event, matches)
    doubtful = with_games(possible_walkovers(matches))
    decide_matches(event, [verdict for match in doubtful if (verdict := walkover(match))])
    matches.filter(status=Match.Status.PROPOSED).update(status=Match.Status.WAITING)
    if event.has_teams:
        open_boards(event, matches)


# Publishing by hand


@transaction.atomic
def publish_round(*, event_id: int, section: str, number: int, by: User) -> None:
    """Publishes the matches of a round, which then start. :raises EventError:"""
    event = locked_event(event_id)
    proposed = _proposed(event, section, number)
    if event.plan.by_rounds and event.matches.filter(round__number__lt=number, status__in=Match.OPEN).exists():
        raise EventError("The previous round isn't over yet.")
    timetable.require_time_has_come(event, number)
    event.rounds.filter(section=section, number=number).update(published_at=timezone.now())
    _release(event, event.matches.filter(pk__in=list(proposed.values_list("pk", flat=True))))
    log_action(event, f"Published round {number}.", by=by)
    advance_event(event)
    event_changed(event)


@transaction.atomic
def pair_again(*, event_id: int, section: str, number: int, by: User, keep_fixed: bool = True, why: str = "") -> None:
    """Discards the proposed matches of a round and pairs it again. :raises EventError:

    keep_fixed: what a director has arranged stays, and the rest is paired around it.
    """
    event = locked_event(event_id)
    proposed = _proposed(event, section, number)
    (proposed.filter(is_fixed=False) if keep_fixed else proposed).delete()
    log_action(event, f"Paired round {number} again.", by=by, why=why)
    advance_event(event)
    event_changed(event)


def drop_matches_of(event: Event, entry: Entry) -> None:
    """Removes proposed matches of an entry that has left, so that nobody is paired with it in vain.

    Only where rounds are paired anew from the entries that are there; the rest of the round is removed, too, except
    what a director has arranged.
    """
    if not event.plan.pairs_around:
        return
    proposed = event.matches.filter(status=Match.Status.PROPOSED)
    own = list(proposed.filter(sides__entry=entry).values_list("pk", "round"))
    proposed.filter(round__in=[number for _, number in own], is_fixed=False).delete()
    proposed.filter(pk__in=[pk for pk, _ in own]).delete()


def pair_again_with_everybody(event: Event) -> None:
    """Pairs an unpublished round again because an entry is back; what a director arranged stays."""
    if event.plan.pairs_around:
        event.matches.filter(status=Match.Status.PROPOSED, is_fixed=False).delete()
    advance_event(event)


def _proposed(event: Event, section: str, number: int) -> QuerySet[Match]:
    if not event.is_running:
        raise EventError("This tournament isn't running.")
    found = event.matches.filter(status=Match.Status.PROPOSED, round__section=section, round__number=number)
    if not found.exists():
        raise EventError("This round has no unpublished matches.")
    return found


# Places


def _rank(event: Event, known: contract.Records, *, is_over: bool) -> bool:
    """Stores final places; in formats that count points once the event is over. None if no match was played."""
    standings = event.plan.standings(known)
    entries, moved = event.entries.in_bulk([standing.entrant for standing in standings]), []
    has_places = not (is_over and _was_never_played(known))
    for standing in standings:
        entry, is_final = entries[standing.entrant], is_over or standing.points is None
        places = (standing.place, standing.last_place) if is_final and has_places else (None, None)
        status = entry.status if entry.is_absent else _status_at(places[0], is_over=is_over)
        if (*places, status) != (entry.place, entry.last_place, entry.status):
            (entry.place, entry.last_place), entry.status = places, status
            moved.append(entry)
    update_rows(moved, ["place", "last_place", "status"])
    return bool(moved)


def _status_at(place: int | None, *, is_over: bool) -> str:
    if place is None and not is_over:
        return Entry.Status.PLAYING
    return Entry.Status.CHAMPION if place == 1 else Entry.Status.ELIMINATED


def _finish(event: Event) -> None:
    """Names the champions, and tells everyone their place; the first three get a badge. Equals share a place."""
    best = event.entries.present().with_players().filter(place__lte=BADGE_PLACES).order_by("place", "seed")
    Badge.objects.bulk_create(
        Badge(event=event, user=player, place=entry.place)
        for entry in best
        if entry.place is not None
        for player in entry.players
    )
    names = [entry.name for entry in best if entry.status == Entry.Status.CHAMPION]
    are = "share first place" if len(names) > 1 else "are the champions" if event.has_pairs else "is the champion"
    what = f"Finished: {get_text_list(names, 'and')} {are}." if names else "Finished without a champion."
    why = "" if event.entries.filter(place__isnull=False).exists() else "No match was played."
    notices.notify_finished(event)
    close_event(event, Event.Status.FINISHED, what, by=None, why=why)
