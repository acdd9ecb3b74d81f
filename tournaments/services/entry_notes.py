"""What directors note on an entry: a text, and whether the fee is paid. Not in the log, which everyone reads."""

from django.db import transaction

from tournaments.models import Entry
from tournaments.services.common import event_changed, locked_event


@transaction.atomic
def note_entry(*, entry_id: int, note: str) -> Entry:
    return _store(entry_id, note=note)


@transaction.atomic
def note_payment(*, entry_id: int, has_paid: bool) -> Entry:
    return _store(entry_id, has_paid=has_paid)


def _store(entry_id: int, **fields: object) -> Entry:
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    event.entries.filter(pk=entry_id).update(**fields)
    event_changed(event)
    return event.entries.with_players().get(pk=entry_id)
