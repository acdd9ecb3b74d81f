"""What follows from the results: pairings, places, the end of the event."""

from collections.abc import Iterable

from django.utils import timezone

from tournaments import records
from tournaments.formats import contract
from tournaments.models import Entry, Event, Match, MatchSide, Round
from tournaments.services.common import LOOK_AGAIN, close, queue
from tournaments.services.matches import decide, forfeit


def go_on(event: Event) -> None:
    """Pairs what can be paired, ranks who is out, and ends the event once nothing is left."""
    known = records.of(event)
    while paired := event.plan.next_matches(known):
        for pairing in paired:
            _create_match(event, pairing)
        known = records.of(event)
    is_over = event.plan.is_over(known)
    if is_over or event.plan.needs_winner:  # elsewhere a place is open until the end
        _rank(event, event.plan.standings(known))
    if is_over:
        champion = event.entries.filter(status=Entry.Status.CHAMPION).first()
        what = f"Finished: {champion.name} is the champion." if champion else "Finished without a champion."
        close(event, Event.Status.FINISHED, what, by=None)
        return
    event.due_at = timezone.now() + LOOK_AGAIN
    event.save(update_fields=["due_at"])
    for match_id in event.matches.filter(status=Match.Status.WAITING).values_list("pk", flat=True):
        queue("start_match", match_id)


def _create_match(event: Event, pairing: contract.Match) -> None:
    spot = pairing.spot
    event_round, _ = Round.objects.get_or_create(event=event, section=spot.section, number=spot.round)
    match = Match.objects.create(event=event, round=event_round, slot=spot.slot, why_paired=pairing.why[:300])
    MatchSide.objects.bulk_create(
        MatchSide(match=match, number=number, entry_id=entry_id)
        for number, entry_id in enumerate(pairing.entrants)
    )
    if pairing.is_bye:
        decide(match, (1,), Match.DecidedBy.BYE, "bye")
    elif match.sides.filter(entry__status__in=Entry.ABSENT).exists():
        forfeit(match)


def _rank(event: Event, standings: Iterable[contract.Standing]) -> None:
    entries = event.entries.in_bulk([standing.entrant for standing in standings])
    for standing in standings:
        entry = entries[standing.entrant]
        if standing.place == entry.place and standing.last_place == entry.last_place:
            continue
        entry.place, entry.last_place = standing.place, standing.last_place
        if not entry.is_absent:
            entry.status = Entry.Status.CHAMPION if standing.place == 1 else Entry.Status.ELIMINATED
        entry.save(update_fields=["place", "last_place", "status"])
