"""Byes on request: players and directors say in advance which rounds an entry sits out, or after which it leaves.

Only where each round is paired from the entries that are there (`rounds.pairs_around`). The event says how many of them
are worth half the points of a win (`Event.half_byes`); further ones, and any in the last round, give nothing.
"""

from django.db import transaction

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.formats import contract, rounds
from tournaments.models import Entry, Event, RequestedBye
from tournaments.services.common import event_changed, locked_event, log_action, own_entry


def last_round(event: Event) -> int:
    """The number of the last round, with the entries so far."""
    return event.plan.rounds(event.entries.present().count())


def open_rounds(event: Event, entry: Entry) -> list[int]:
    """The rounds that an entry can still ask to sit out: those that are not paired yet."""
    if not event.plan.pairs_around or event.finished_at or not entry.is_in or entry.place is not None:
        return []
    newest = event.matches.order_by("-round__number").values_list("round__number", flat=True).first() or 0
    asked = set(entry.requested_byes.values_list("round", flat=True))
    first = max(newest + 1, entry.first_round)
    return [number for number in range(first, last_round(event) + 1) if number not in asked]


def is_half(event: Event, entry: Entry, number: int) -> bool:
    """Whether a bye asked for now is worth half the points of a win."""
    halves = entry.requested_byes.filter(is_half=True).count()
    return number < last_round(event) and halves < event.half_byes


@transaction.atomic
def request_bye(*, event_id: int, user: User, number: int) -> RequestedBye:
    """The player's own entry sits out a round that is not paired yet. :raises EventError:"""
    event = locked_event(event_id)
    return _ask(event, own_entry(event, user), number, by=user)


@transaction.atomic
def sit_out_round(*, entry_id: int, number: int, by: User, why: str = "") -> RequestedBye:
    """A director notes that an entry sits out a round. :raises EventError:"""
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    return _ask(event, event.entries.with_players().get(pk=entry_id), number, by=by, why=why)


def _ask(event: Event, entry: Entry, number: int, *, by: User, why: str = "") -> RequestedBye:
    if number not in open_rounds(event, entry):
        raise EventError("This round can't be sat out: it is paired already, or there is no such round.")
    bye = RequestedBye.objects.create(entry=entry, round=number, is_half=is_half(event, entry, number))
    log_action(event, f"{entry.name} sits out round {number}, for {_worth(event, bye.is_half)}.", by=by, why=why)
    event_changed(event)
    return bye


@transaction.atomic
def cancel_bye(*, event_id: int, user: User, number: int) -> None:
    """Takes back a request while its round is not paired. :raises EventError:"""
    event = locked_event(event_id)
    _take_back(event, own_entry(event, user), number, by=user)


@transaction.atomic
def play_round(*, entry_id: int, number: int, by: User) -> None:
    """A director takes back that an entry sits out a round. :raises EventError:"""
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    _take_back(event, event.entries.with_players().get(pk=entry_id), number, by=by)


def _take_back(event: Event, entry: Entry, number: int, *, by: User) -> None:
    is_paired = event.matches.filter(round__number__gte=number).exists()
    if is_paired or not entry.requested_byes.filter(round=number).delete()[0]:
        raise EventError("There is no bye to cancel for this round, or the round is paired already.")
    log_action(event, f"{entry.name} plays in round {number} after all.", by=by)
    event_changed(event)


@transaction.atomic
def leave_after_round(*, event_id: int, user: User, is_leaving: bool = True) -> Entry:
    """The player's own entry is withdrawn before the next round is paired, or stays after all. :raises EventError:"""
    event = locked_event(event_id)
    entry = own_entry(event, user)
    if not event.is_running or not event.plan.pairs_around or entry.is_absent or entry.place is not None:
        raise EventError("You can't leave after a round here.")
    if entry.is_leaving != is_leaving:
        entry.is_leaving = is_leaving
        entry.save(update_fields=["is_leaving"])
        what = "leaves after this round" if is_leaving else "stays after all"
        log_action(event, f"{entry.name} {what}.", by=user)
        event_changed(event)
    return entry


# When a round is paired


def withdraw_leaving(event: Event, known: contract.Records) -> bool:
    """Withdraws the entries that wanted to leave, if another round is to be paired. Returns whether there were any."""
    leaving = list(event.entries.present().with_players().filter(is_leaving=True))
    if not leaving or not event.plan.next_matches(known):
        return False
    for entry in leaving:
        entry.status, entry.is_leaving = Entry.Status.WITHDRAWN, False
        log_action(event, f"{entry.name} left after the round, as they had said.")
    Entry.objects.bulk_update(leaving, ["status", "is_leaving"])
    return True


def requested_matches(event: Event, known: contract.Records) -> list[contract.MatchRecord]:
    """The byes on request of the round to pair now."""
    number = rounds.coming_round(known)
    if number is None:
        return []
    asked = dict(
        RequestedBye.objects.filter(entry__event=event, round=number).values_list("entry", "is_half").order_by("entry")
    )
    here = [entrant.id for entrant in rounds.unpaired(known, number) if entrant.id in asked]
    spots = zip(here, rounds.free_spots_of_byes(known, number), strict=False)
    return [
        contract.MatchRecord(
            spot,
            (pk,),
            (1,),
            "half-bye" if asked[pk] else "zero-bye",
            why=f"bye on request, for {_worth(event, asked[pk])}",
        )
        for pk, spot in spots
    ]


def _worth(event: Event, is_half: bool) -> str:
    return event.half_bye_worth if is_half else "no points"
