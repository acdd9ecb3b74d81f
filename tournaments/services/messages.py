"""Messages of directors: to everyone in an event, to the players of a round, or to one entry.

They come as notices, and by e-mail and push where their readers have asked for it. Unlike an announcement, a message is
not on the page of the event.
"""

from django.db import transaction

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.models import Entry, EventMessage, Match
from tournaments.models.event import EntryQuerySet
from tournaments.services import notices, webhooks
from tournaments.services.common import event_changed, locked_event, log_action


def message_everyone(*, event_id: int, text: str, by: User) -> EventMessage:
    """To all who are entered, also on the waiting list. :raises EventError:"""
    return _send(event_id, Entry.objects.filter(event=event_id).entered(), "everyone", text, by)


def message_round(*, event_id: int, number: int, text: str, by: User) -> EventMessage:
    """To all who have a match in a round. :raises EventError:"""
    paired = Match.objects.filter(event=event_id, round__number=number).published().values("sides__entry")
    return _send(event_id, Entry.objects.filter(pk__in=paired), f"round {number}", text, by)


def message_entry(*, entry_id: int, text: str, by: User) -> EventMessage:
    """To the player, or players, of an entry. :raises EventError:"""
    entry = Entry.objects.with_players().get(pk=entry_id)
    return _send(entry.event_id, Entry.objects.filter(pk=entry_id), entry.name, text, by)


def _send(event_id: int, entries: EntryQuerySet, to: str, text: str, by: User) -> EventMessage:
    """Finds the readers first, since many of them take longer than what is stored."""
    players = [player for entry in entries.with_players() for player in entry.players]
    people = [player for player in players if player.is_person and player.is_active]
    if not people:
        raise EventError("There is no one here to read it.")
    with transaction.atomic():
        event = locked_event(event_id)
        sent = EventMessage.objects.create(event=event, by=by, to=to[:120], text=text, people=len(people))
        log_action(event, f"Sent a message to {to}.", by=by)
        notices.notify_message(event, people, sent.pk, text)
        webhooks.publish_message(sent)
        event_changed(event)
    return sent
