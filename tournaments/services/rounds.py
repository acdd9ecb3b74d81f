"""What follows from the results: pairings, places, the end of the event."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from infra.task_queue import enqueue_on_commit
from tournaments.domain.errors import EventError
from tournaments.formats import contract
from tournaments.models import Badge, Entry, Event, Match, MatchSide, Round
from tournaments.models.settings import WAVE_SECONDS
from tournaments.queries import records
from tournaments.services.common import LOOK_AGAIN, changed, close, locked, log
from tournaments.services.comparing import close_rounds
from tournaments.services.matches import decide, walkover, with_games

PRIZES = 3  # places that have a badge


def go_on(event: Event) -> bool:
    """Pairs what can be paired, ranks who is out, and ends the event once nothing is left.

    Answers whether that has changed anything; the caller tells everybody (`changed`), once for its whole step.
    """
    is_new, break_end = close_rounds(event), event.next_round_at
    known = records.of(event)
    while paired := _to_pair(event, known):
        create_matches(event, paired)
        known, is_new = records.of(event), True
    is_over = event.plan.is_over(known)
    if is_over or event.plan.needs_winner:  # elsewhere every place is open until the end
        is_new |= _rank(event, event.plan.standings(known), is_over=is_over)
    if is_over:
        _finish(event)
        return True
    _look_again(event)
    if not event.is_paused:
        for match_id in event.matches.to_start().values_list("pk", flat=True):
            enqueue_on_commit("tournaments.tasks.start_match", match_id)
    return is_new or (not event.minutes and event.next_round_at != break_end)


def _look_again(event: Event) -> None:
    """When the clock comes back: soon, and at the moment at which a break or the whole event ends."""
    now = timezone.now()
    moments = [at for at in (event.next_round_at, event.ends_at) if at is not None and at > now]
    event.due_at = None if event.is_paused else min([now + LOOK_AGAIN, *moments])
    event.save(update_fields=["due_at", "next_round_at"])


# Pairing


def _to_pair(event: Event, known: contract.Records) -> list[contract.Match]:
    """The matches to create now."""
    if event.is_paused:
        return []
    paired = event.plan.next_matches(known)
    if event.waits_for_rounds:
        paired = _whole_rounds(known, paired)
    if event.minutes and not paired:
        event.next_round_at = None  # the next two who are free wait for others as long as these did
    return [] if not paired or _is_break(event, known) else paired


def _whole_rounds(known: contract.Records, paired: Sequence[contract.Match]) -> list[contract.Match]:
    """Nothing before all other results are there, and of each section only what waits for none of the new matches.

    Of the rounds being paired there may be matches already that a director has arranged.
    """
    new = {(match.spot.section, match.spot.round) for match in paired}
    if any(match.places is None and (match.spot.section, match.spot.round) not in new for match in known.matches):
        return []
    first = {match.spot.section: match.spot.round for match in reversed(paired) if match.places is None}
    return [match for match in paired if match.spot.round <= first.get(match.spot.section, match.spot.round)]


def _is_break(event: Event, known: contract.Records) -> bool:
    """Whether the next matches wait: between two rounds, or in an event with a time until some more are free."""
    seconds = WAVE_SECONDS if event.minutes else event.break_seconds
    if not seconds or not known.matches or event.publishes_by_hand:
        return False
    now = timezone.now()
    if event.next_round_at is None:
        event.next_round_at = now + timedelta(seconds=seconds)
    if now < event.next_round_at:
        return True
    event.next_round_at = None
    return False


def create_matches(event: Event, pairings: Sequence[contract.Match], *, is_fixed: bool = False) -> None:
    """Stores matches; where directors publish the rounds, only they see those of a round that they have not published.

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
    MatchSide.objects.bulk_create(
        MatchSide(match=match, number=number, entry_id=entrant)
        for match, pairing in zip(matches, pairings, strict=True)
        for number, entrant in enumerate(pairing.entrants)
    )
    new = event.matches.filter(pk__in=[match.pk for match in matches])
    _release(event, new.exclude(round__published_at=None) if event.publishes_by_hand else new)


def _rounds_of(event: Event, pairings: Iterable[contract.Match]) -> dict[tuple[str, int], Round]:
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
    """Byes, and matches that somebody cannot come to, are decided at once; the others wait for their tables."""
    walkovers = [verdict for match in with_games(matches) if (verdict := walkover(match))]
    decide(event, walkovers)
    matches.filter(status=Match.Status.PROPOSED).update(status=Match.Status.WAITING)


# Publishing by hand


@transaction.atomic
def publish_round(*, event_id: int, section: str, number: int, by: User) -> None:
    """Lets everybody see the matches of a round, which then start. :raises EventError:"""
    event = locked(event_id)
    proposed = _proposed(event, section, number)
    if event.plan.by_rounds and event.matches.filter(round__number__lt=number, status__in=Match.OPEN).exists():
        raise EventError("The round before it is not over yet.")
    event.rounds.filter(section=section, number=number).update(published_at=timezone.now())
    _release(event, event.matches.filter(pk__in=list(proposed.values_list("pk", flat=True))))
    log(event, f"Published round {number}.", by=by)
    go_on(event)
    changed(event)


@transaction.atomic
def pair_again(*, event_id: int, section: str, number: int, by: User, keep_fixed: bool = True, why: str = "") -> None:
    """Throws the proposed matches of a round away and computes new ones. :raises EventError:

    keep_fixed: what a director has arranged stays, and the rest is paired around it.
    """
    event = locked(event_id)
    proposed = _proposed(event, section, number)
    (proposed.filter(is_fixed=False) if keep_fixed else proposed).delete()
    log(event, f"Paired round {number} again.", by=by, why=why)
    go_on(event)
    changed(event)


def drop_matches_of(event: Event, entry: Entry) -> None:
    """Takes back what was proposed for somebody who has left, so that nobody is paired with him for nothing.

    Only where a round is paired anew from whoever is there; the rest of it goes too, but for what a director arranged.
    """
    if not pairs_around(event):
        return
    proposed = event.matches.filter(status=Match.Status.PROPOSED)
    own = list(proposed.filter(sides__entry=entry).values_list("pk", "round"))
    proposed.filter(round__in=[number for _, number in own], is_fixed=False).delete()
    proposed.filter(pk__in=[pk for pk, _ in own]).delete()


def pair_again_with_everybody(event: Event) -> None:
    """Pairs a round that is not published again because an entry is back; what a director arranged stays."""
    if pairs_around(event):
        event.matches.filter(status=Match.Status.PROPOSED, is_fixed=False).delete()
    go_on(event)


def pairs_around(event: Event) -> bool:
    """Whether rounds are paired anew each time, from whoever is there: the rest of a round can follow a director."""
    return event.plan.by_rounds and event.plan.takes_late_entries


def _proposed(event: Event, section: str, number: int) -> QuerySet[Match]:
    if not event.is_running:
        raise EventError("This event is not being played.")
    found = event.matches.filter(status=Match.Status.PROPOSED, round__section=section, round__number=number)
    if not found.exists():
        raise EventError("This round has no matches that are still to be published.")
    return found


# Places


def _rank(event: Event, standings: Sequence[contract.Standing], *, is_over: bool) -> bool:
    """Writes down final places: those of a format that counts points are, once the event is over."""
    entries, moved = event.entries.in_bulk([standing.entrant for standing in standings]), []
    for standing in standings:
        entry, is_final = entries[standing.entrant], is_over or standing.points is None
        places = (standing.place, standing.last_place) if is_final else (None, None)
        if places != (entry.place, entry.last_place):
            entry.place, entry.last_place = places
            entry.status = entry.status if entry.is_absent else _status_at(entry.place)
            moved.append(entry)
    Entry.objects.bulk_update(moved, ["place", "last_place", "status"])
    return bool(moved)


def _status_at(place: int | None) -> str:
    if place is None:
        return Entry.Status.PLAYING
    return Entry.Status.CHAMPION if place == 1 else Entry.Status.ELIMINATED


def _finish(event: Event) -> None:
    """Names the champions; the first three places have a badge. Equals share what they have won."""
    best = event.entries.present().with_players().filter(place__lte=PRIZES).order_by("place", "seed")
    Badge.objects.bulk_create(
        Badge(event=event, user=player, place=entry.place)
        for entry in best
        if entry.place is not None
        for player in entry.players
    )
    names = [entry.name for entry in best if entry.status == Entry.Status.CHAMPION]
    if len(names) > 1:
        what = f"Finished: {', '.join(names[:-1])} and {names[-1]} share the first place."
    else:
        are = "are the champions" if event.has_pairs else "is the champion"
        what = f"Finished: {names[0]} {are}." if names else "Finished without a champion."
    close(event, Event.Status.FINISHED, what, by=None)
