"""Partners: invite, accept, join, or be matched by the site.

Nobody is in an event twice, as a player or as a partner: a player who finds a partner gives up an entry of their own.
"""

from collections.abc import Iterable

from django.db import transaction

from accounts.models import User
from games.queries.ratings import ratings_of
from tournaments.domain.errors import EventError
from tournaments.formats import lots
from tournaments.models import Entry, Event
from tournaments.queries import conditions
from tournaments.services import notices
from tournaments.services.common import changed_on_calendar, locked_event, log_action
from tournaments.services.waiting_list import admit_waiting, waiting_line


@transaction.atomic
def invite_partner(*, event_id: int, user: User, partner: User) -> Entry:
    """Invites a partner, in place of an earlier invitation. :raises EventError:"""
    event = locked_event(event_id)
    require_pairs(event)
    _require_not_started(event)
    entry = _looking_entry(event, user)
    send_invitation(event, entry, partner)
    changed_on_calendar(event)
    return entry


@transaction.atomic
def accept_invitation(*, entry_id: int, user: User) -> Entry:
    """Accepts an invitation; the tournament password is not asked for. :raises EventError:"""
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    _require_not_started(event)
    entry = _invitation(event, entry_id, user)
    require_free_partner(event, user)
    reasons = [] if has_other_entry(event, user) else conditions.refusal_reasons(event, user)
    if reasons:
        raise EventError(" ".join(reasons))
    return _play_together(event, entry, user)


@transaction.atomic
def decline_invitation(*, entry_id: int, user: User) -> Entry:
    """Declines an invitation. :raises EventError: there is none."""
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    entry = _invitation(event, entry_id, user)
    entry.invited = None
    entry.save(update_fields=["invited"])
    notices.notify_partner_declined(entry, user)
    changed_on_calendar(event)
    return entry


def join_partner(*, entry_id: int, user: User, password: str = "") -> Entry:
    """Joins an entry that is looking for a partner. :raises EventError:"""
    entry = Entry.objects.select_related("event").get(pk=entry_id)
    if not has_other_entry(entry.event, user):
        conditions.require_conditions(entry.event, user, password=password)
    return _join(entry, user)


@transaction.atomic
def _join(entry: Entry, user: User) -> Entry:
    event = locked_event(entry.event_id)
    if not event.takes_entries:
        raise EventError("This tournament isn't open for entries.")
    if user.pk == entry.user_id:
        raise EventError("You can't be your own partner.")
    entry.refresh_from_db()
    if entry.partner_id or entry.invited_id or not entry.is_in:
        raise EventError(f"{entry.user} is no longer looking for a partner.")
    require_free_partner(event, user)
    return _play_together(event, entry, user)


def _play_together(event: Event, entry: Entry, user: User) -> Entry:
    """Makes the pair that an entry and a player have agreed on. During check-in it is checked in."""
    pair_up(event, entry, user, is_here=event.status == Event.Status.CHECK_IN)
    log_action(event, f"{entry.name} play together.", by=user)
    notices.notify_paired(entry, by=user)
    admit_waiting(event)  # if both had a place
    entry.refresh_from_db(fields=["status"])
    changed_on_calendar(event)
    return entry


def send_invitation(event: Event, entry: Entry, partner: User) -> None:
    """Sends an invitation; two who invite each other are a pair at once. :raises EventError:"""
    if partner.pk == entry.user_id:
        raise EventError("You can't be your own partner.")
    if partner.is_bot:
        raise EventError("You can't invite a bot. If you have no partner, you may get one at the start.")
    require_free_partner(event, partner)
    if not has_other_entry(event, partner) and conditions.unmet_conditions(event, partner):
        raise EventError(f"{partner.display_name} doesn't meet the conditions of this tournament.")
    if event.entries.filter(user=partner, invited=entry.user).exists():
        _play_together(event, entry, partner)
        return
    if entry.invited is not None:
        notices.withdraw_invitation(entry, entry.invited)
    entry.invited = partner
    entry.save(update_fields=["invited"])
    notices.notify_partner_asked(entry, partner)


def pair_up(event: Event, entry: Entry, partner: User, *, is_here: bool) -> None:
    """Makes a player the partner in an entry that has none, in place of an entry of their own."""
    _merge(entry, partner, event.entries.entered().of(partner), is_here=is_here)
    event.entries.of(partner).exclude(pk=entry.pk).delete()
    event.entries.filter(invited__in=entry.players).update(invited=None)
    entry.save(update_fields=PAIRED)


PAIRED = ["partner", "invited", "status", "entered_at"]


def _merge(entry: Entry, partner: User, others: Iterable[Entry], *, is_here: bool = False) -> None:
    """The better of their places, also on the waiting list, goes to the pair. Not stored yet."""
    entries = [entry, *others]
    entry.partner, entry.invited = partner, None
    entry.status = Entry.status_before_start(
        has_place=not all(each.is_absent for each in entries),
        is_here=is_here or any(each.is_here for each in entries),
    )
    entry.entered_at = min(each.entered_at for each in entries)


def match_up_partners(event: Event, *, only_ready: bool) -> bool:
    """Pairs up those who are still looking for a partner, by rating, then by lot; True if it made any.

    Of an odd number, the last to enter plays with the first on the waiting list, or stays alone.
    """
    looking = list(event.entries.present().looking().with_players().order_by("entered_at", "pk"))
    if len(looking) % 2:
        looking += waiting_line(event, only_ready=only_ready).looking()[:1]
    looking = looking[: len(looking) // 2 * 2]
    known = ratings_of((entry.user for entry in looking), event.game)
    drawn = sorted(looking, key=lambda entry: lots.lot(event.lots, entry.pk))
    ranked = sorted(drawn, key=lambda entry: -known[entry.user_id].number)
    for entry, other in zip(ranked[::2], ranked[1::2], strict=True):
        _merge(entry, other.user, [other])
    event.entries.filter(pk__in=[other.pk for other in ranked[1::2]]).delete()
    Entry.objects.bulk_update(ranked[::2], PAIRED)
    if ranked:
        log_action(event, f"The site made pairs of {len(ranked)} players.")
    return bool(ranked)


def has_other_entry(event: Event, user: User) -> bool:
    """Has a place or is on the waiting list."""
    return event.entries.entered().of(user).exists()


def require_pairs(event: Event) -> None:
    """:raises EventError: the event is not for pairs."""
    if not event.has_pairs:
        raise EventError("Everyone plays alone in this tournament.")


def require_free_partner(event: Event, user: User) -> None:
    """:raises EventError: this user can't be a partner."""
    require_pairs(event)
    for entry in event.entries.of(user).with_players():
        if entry.status == Entry.Status.REMOVED:
            raise EventError(f"A director has removed {user.display_name} from this tournament.")
        if entry.partner_id and entry.status != Entry.Status.WITHDRAWN:
            raise EventError(f"{entry.name} already play together.")


def _require_not_started(event: Event) -> None:
    if not event.is_before_start:
        raise EventError("This tournament has started, so partners can't change.")


def _looking_entry(event: Event, user: User) -> Entry:
    entry = event.entries.entered().looking().filter(user=user).first()
    if entry is None:
        raise EventError("You aren't looking for a partner in this tournament.")
    return entry


def _invitation(event: Event, entry_id: int, user: User) -> Entry:
    entry = event.entries.with_players().filter(pk=entry_id, invited=user).first()
    if entry is None:
        raise EventError("This invitation is no longer open.")
    return entry
