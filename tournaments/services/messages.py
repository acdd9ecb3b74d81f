"""Messages of directors: to everyone in an event, to the players of a round, or to one entry.

They come as notices, and by e-mail and push where their readers have asked for it. Unlike an announcement, a message is
not on the page of the event.
"""

from django.db import transaction

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.models import Entry, Event, EventMessage
from tournaments.services import notices, webhooks
from tournaments.services.common import event_changed, locked_event, log_action


@transaction.atomic
def message_everyone(*, event_id: int, text: str, by: User) -> EventMessage:
    """To all who are entered, also on the waiting list. :raises EventError:"""
    event = locked_event(event_id)
    return _send(event, list(event.entries.entered().with_players()), "everyone", text, by)


@transaction.atomic
def message_round(*, event_id: int, number: int, text: str, by: User) -> EventMessage:
    """To all who have a match in a round. :raises EventError:"""
    event = locked_event(event_id)
    paired = event.matches.published().filter(round__number=number).values("sides__entry")
    return _send(event, list(event.entries.filter(pk__in=paired).with_players()), f"round {number}", text, by)


@transaction.atomic
def message_entry(*, entry_id: int, text: str, by: User) -> EventMessage:
    """To the player, or players, of an entry. :raises EventError:"""
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    entry = event.entries.with_players().get(pk=entry_id)
    return _send(event, [entry], entry.name, text, by)


def _send(event: Event, entries: list[Entry], to: str, text: str, by: User) -> EventMessage:
    people = [player for entry in entries for player in entry.players if player.is_person and player.is_active]
    if not people:
        raise EventError("There is no one here to read it.")
    sent = EventMessage.objects.create(event=event, by=by, to=to[:120], text=text, people=len(people))
    log_action(event, f"Sent a message to {to}.", by=by)
    notices.notify_message(event, people, sent.pk, text)
    webhooks.publish_message(sent)
    event_changed(event)
    return sent
