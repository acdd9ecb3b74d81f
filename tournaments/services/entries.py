"""Entries: enter, check in, withdraw. Either of two partners can do it for both."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from accounts.models import User
from tournaments.domain.errors import EventError
from tournaments.models import Entry, Event, Invitation, Match
from tournaments.queries import conditions
from tournaments.services import notices, partners, teams, webhooks
from tournaments.services.common import (
    changed_on_calendar,
    event_changed,
    locked_event,
    log_action,
    log_actions,
    open_matches,
    own_entry,
    require_no_opponent,
)
from tournaments.services.matches import apply_absence_policy, settle_matches, with_games
from tournaments.services.no_shows import mark_back
from tournaments.services.rounds import advance_event, drop_matches_of
from tournaments.services.seeding import set_ratings
from tournaments.services.undo_records import undo_record, undo_record_of_entry
from tournaments.services.waiting_list import admit_waiting

HAS_STARTED = "This tournament has started, so no one can be added."


def enter_event(
    *,
    event_id: int,
    user: User,
    password: str = "",
    partner: User | None = None,
    team: str = "",
    answers: Mapping[str, str] = MappingProxyType({}),
) -> Entry:
    """Enters, enters again, or joins the waiting list of a full event. Also returns to a running event.

    An entry during check-in is checked in. partner: whom to ask. team: the name of the team whose captain the user is.
    answers: to the event's questions. :raises EventError:
    """
    event = Event.objects.get(pk=event_id)
    own = event.entries.of(user).first()
    if own is None or own.seed is None and not is_still_in(event, own):
        conditions.require_conditions(event, user, password=password)  # not under the lock, since a hash takes its time
    return _enter(event_id, user, partner, team.strip(), answers)


@transaction.atomic
def _enter(event_id: int, user: User, partner: User | None, team: str, answers: Mapping[str, str]) -> Entry:
    event = locked_event(event_id)
    own = event.entries.of(user).with_players().first()
    if own and is_still_in(event, own):
        return own
    if own and own.status == Entry.Status.REMOVED:
        raise EventError("A director has removed you from this tournament.")
    if own and can_come_back(event, own):
        return come_back(event, own, by=user)
    if own and own.seed is not None:
        raise EventError("You are out of this tournament.")
    is_late = takes_late_entries(event)
    if not (is_late or event.takes_entries):
        raise EventError("This tournament isn't open for entries.")
    entry = _add_late(event, [user], by=user) if is_late else _add(event, [user], team=team, by=user)
    if answers:
        entry.answers = dict(answers)
        entry.save(update_fields=["answers"])
    if not is_late and event.has_pairs and partner:
        partners.send_invitation(event, entry, partner)
    return entry


@transaction.atomic
def add_entry(
    *,
    event_id: int,
    user: User,
    by: User,
    partner: User | None = None,
    team: str = "",
    seed: int | None = None,
    late: bool = False,
) -> Entry:
    """A director enters a player, without conditions, also before registration opens. seed: the wanted one.

    team: the name of the team whose captain the player is. late: also into a running event, if its format takes late
    entries. :raises EventError:
    """
    event = locked_event(event_id)
    if partner:
        partners.require_pairs(event)
    if not event.is_before_start:
        return _add_late_by_director(event, [user, partner] if partner else [user], team.strip(), by=by, late=late)
    entry = event.entries.entered().of(user).with_players().first()
    if entry is None:
        entry = _add(event, [user], team=team.strip(), by=by)
    if partner and not entry.includes(partner):
        _add_partner(event, entry, partner, by=by)
    if seed is not None:
        entry.wanted_seed = seed
        entry.save(update_fields=["wanted_seed"])
    return entry


@transaction.atomic
def add_entries(*, event_id: int, seeds: Mapping[User, int | None], by: User) -> None:
    """As `add_entry` for many people, in few queries. seeds: the wanted one, by person. :raises EventError:"""
    event = locked_event(event_id)
    if not event.is_before_start:
        raise EventError(HAS_STARTED)
    if event.has_teams:
        raise EventError("Teams are entered one by one.")
    players = Q(user__in=seeds) | Q(partner__in=seeds)
    there = {user.pk for entry in event.entries.entered().filter(players).with_players() for user in entry.players}
    new = [user for user in seeds if user.pk not in there]
    event.entries.filter(players, status__in=Entry.GONE).delete()
    free = len(new) if event.max_entries is None else event.max_entries - event.entries.present().count()
    entries = [Entry(event=event, user=user, is_pair=event.has_pairs, wanted_seed=seeds[user]) for user in new]
    for number, entry in enumerate(entries):
        entry.status = first_status(event, entry, has_place=number < free)
    Entry.objects.bulk_create(entries)
    log_actions(event, [_entered(entry, by) for entry in entries], by=by)
    changed_on_calendar(event)


def _add_partner(event: Event, entry: Entry, partner: User, *, by: User) -> None:
    if entry.partner_id:
        raise EventError(f"{entry.name} already play together.")
    partners.require_free_partner(event, partner)
    partners.pair_up(event, entry, partner, is_here=partner.is_bot)
    log_action(event, f"{entry.name} play together.", by=by)
    notices.notify_paired(entry, by=by)
    admit_waiting(event)
    changed_on_calendar(event)


def _add(event: Event, players: Sequence[User], *, by: User, team: str = "") -> Entry:
    """A new entry, with a place or on the waiting list, in place of one that was withdrawn."""
    if team or event.has_teams:
        teams.require_team_name(event, team)
    entry = _create_entry(event, players)
    entry.team_name = team
    entry.status = first_status(event, entry, has_place=not event.is_full)
    entry.save()
    if team:
        teams.add_captain(entry)
    log_actions(event, [_entered(entry, by)], by=by)
    changed_on_calendar(event)
    return entry


def first_status(event: Event, entry: Entry, *, has_place: bool) -> str:
    """The status of an entry that is made, or comes back, before the start. An open check-in counts it as there."""
    is_here = event.status == Event.Status.CHECK_IN or entry.is_bot
    return Entry.status_before_start(has_place=has_place, is_here=is_here)


def _entered(entry: Entry, by: User) -> tuple[str, dict[str, Any] | None]:
    """A log entry, with an undo record unless the player entered by themselves."""
    what = f"{entry.name} {'joined the waiting list' if entry.is_in_line else 'entered'}."
    return what, None if entry.includes(by) else undo_record_of_entry(entry)


def _create_entry(event: Event, players: Sequence[User]) -> Entry:
    for player in players:
        own = event.entries.filter(user=player) if event.has_teams else event.entries.of(player)
        own.delete()
    partner = players[1] if len(players) > 1 else None
    return Entry(event=event, user=players[0], partner=partner, is_pair=event.has_pairs)


@transaction.atomic
def admit_people(*, event_id: int, users: Iterable[User], by: User) -> None:
    """Invites people to an event for invited players, and notifies them."""
    event = locked_event(event_id)
    known = set(event.invitations.values_list("user_id", flat=True))
    new = [user for user in users if user.pk not in known]
    Invitation.objects.bulk_create(Invitation(event=event, user=user) for user in new)
    if new:
        log_action(event, f"Invited {', '.join(user.display_name for user in new)}.", by=by)
        notices.notify_invited(event, new)
        webhooks.publish_invitations(event, new)


# After the start


def is_still_in(event: Event, entry: Entry) -> bool:
    """Has a place, or is on the waiting list in time."""
    return entry.is_in and (event.is_before_start or not entry.is_in_line)


def takes_late_entries(event: Event) -> bool:
    """Whether players can enter a running event by themselves, one with a time until it is up.

    Pairs and teams are entered by a director then.
    """
    return (
        can_be_joined(event)
        and not (event.is_closed or event.has_pairs or event.has_teams)
        and (event.minutes is not None or joining_round(event) <= event.late_rounds)
    )


def can_be_joined(event: Event) -> bool:
    """Whether the format has room for an entry that comes, or comes back, in the middle."""
    return event.is_running and event.plan.takes_late_entries and not event.is_time_up


def can_come_back(event: Event, entry: Entry) -> bool:
    """Whether an entry that has played and withdrawn can return."""
    has_left = entry.status == Entry.Status.WITHDRAWN and entry.seed is not None
    return has_left and can_be_joined(event)


def next_round_number(event: Event) -> int:
    """The number of the next round to be paired."""
    return int(event.matches.aggregate(newest=Max("round__number"))["newest"] or 0) + 1


def joining_round(event: Event) -> int:
    """The first round of an entry that comes now: one with a bye that is not published yet, else the next to pair."""
    bye = _open_bye(event)
    return bye.round.number if bye else next_round_number(event)


def _open_bye(event: Event) -> Match | None:
    """A bye of an unpublished round that a director has not given, whose entry could have an opponent."""
    if not event.plan.pairs_around or event.has_pods:
        return None
    byes = event.matches.filter(status=Match.Status.PROPOSED, decided_by=Match.DecidedBy.BYE, is_fixed=False)
    return byes.select_related("round").first()


def _join_round(event: Event, entry: Entry) -> None:
    """Pairs an entry that has just come, if an unpublished round has a bye; otherwise it waits for the next round."""
    bye = _open_bye(event)
    if bye and bye.round.number == entry.first_round:
        bye.delete()
        advance_event(event)


def come_back(event: Event, entry: Entry, *, by: User, why: str = "") -> Entry:
    """Returns for the next round: in a round that is paired already, a single entry would have a bye."""
    entry.status, entry.first_round = Entry.Status.PLAYING, joining_round(event)
    mark_back(entry)
    entry.is_leaving = False
    entry.save(update_fields=["status", "first_round", "has_come", "missed", "sits_out", "is_leaving"])
    log_action(event, f"{entry.name} came back.", by=by, why=why)
    notices.notify_back(entry, by=by)
    _join_round(event, entry)
    changed_on_calendar(event)
    return entry


@transaction.atomic
def return_to_play(*, event_id: int, user: User) -> Entry:
    """The player's own entry ends sitting out and is paired again. :raises EventError:"""
    event = locked_event(event_id)
    return end_sitting_out(event, own_entry(event, user), by=user)


@transaction.atomic
def return_to_team(*, event_id: int, user: User) -> None:
    """A member of a team who missed a board is there again for the next one. :raises EventError:"""
    event = locked_event(event_id)
    entry = own_entry(event, user)
    is_back = teams.member_is_back(entry, user)
    if event.is_running and entry.is_sitting_out:
        end_sitting_out(event, entry, by=user)
    elif not is_back:
        raise EventError("You haven't missed a board.")
    event_changed(event)


def end_sitting_out(event: Event, entry: Entry, *, by: User, why: str = "") -> Entry:
    """:raises EventError: the entry does not sit out, or is over."""
    if not event.is_running or not entry.is_sitting_out:
        raise EventError(f"{entry.name} isn't sitting out.")
    mark_back(entry)
    if event.plan.takes_late_entries:
        entry.first_round = joining_round(event)
    entry.save(update_fields=["first_round", "has_come", "missed", "sits_out"])
    log_action(event, f"{entry.name} is back.", by=by, why=why)
    _join_round(event, entry)
    notices.withdraw_missed_notices(entry, event.matches.filter(sides__entry=entry).values_list("pk", flat=True))
    event_changed(event)
    return entry


def _add_late(event: Event, players: Sequence[User], *, by: User, team: str = "") -> Entry:
    """Adds an entry for the next round; one of these players that did not get to play keeps what is noted of it.

    team: its name, where teams play.
    """
    own = None if event.has_teams else event.entries.of(players[0]).with_players().first()
    if own and own.players == [*players]:
        return join_late(event, own, by=by)
    if event.has_teams:
        teams.require_team_name(event, team)
    entry = _create_entry(event, players)
    entry.team_name, entry.status = team, Entry.Status.WAITING
    entry.save()
    if team:
        teams.add_captain(entry)
    return join_late(event, entry, by=by)


def join_late(event: Event, entry: Entry, *, by: User, why: str = "") -> Entry:
    """Gives an entry without a place the next seed in a running event, for the next round. :raises EventError:"""
    if event.is_full:
        raise EventError("This tournament is full.")
    _require_whole(event, entry.players)
    entry.status, entry.first_round = Entry.Status.PLAYING, joining_round(event)
    entry.has_come = entry.is_bot or entry.includes(by)
    entry.seed = int(event.entries.aggregate(last=Max("seed"))["last"] or 0) + 1
    set_ratings(event, [entry])
    entry.save()
    round_text = f", from round {entry.first_round}" if event.has_rounds else ""
    log_action(event, f"{entry.name} entered late{round_text}.", by=by, why=why)
    _join_round(event, entry)
    changed_on_calendar(event)
    return entry


def _add_late_by_director(event: Event, players: Sequence[User], team: str, *, by: User, late: bool) -> Entry:
    if not late or not can_be_joined(event):
        is_planned = event.is_running and not event.plan.takes_late_entries
        why = f" All matches of this format ({event.plan.name}) follow from its first draw." if is_planned else ""
        raise EventError(f"{HAS_STARTED}{why}")
    _require_whole(event, players)
    for player in players:
        own = event.entries.of(player).with_players().first()
        if own and own.seed is not None:
            if event.has_teams and own.user_id != player.pk:
                raise EventError(f"{player.display_name} already plays for {own.name}.")
            return _back_in_play(event, own, by=by)
    return _add_late(event, players, by=by, team=team)


def _require_whole(event: Event, players: Sequence[User]) -> None:
    if len(players) < event.entry_size:
        raise EventError("Only pairs can enter now. Enter your partner's name, too.")


def _back_in_play(event: Event, entry: Entry, *, by: User) -> Entry:
    """An entry with a seed that is in play, or returns, even if a director had removed it."""
    return entry if entry.is_in else come_back(event, entry, by=by)


# Being here, leaving


@transaction.atomic
def check_in_player(*, event_id: int, user: User, is_at_door: bool = False) -> Entry:
    """Checks in an entry, or one on the waiting list. :raises EventError:

    is_at_door: by the code that hangs there, which also works before check-in opens, and for players who are back.
    """
    event = locked_event(event_id)
    entry = own_entry(event, user)
    if is_at_door and event.is_running and entry.is_sitting_out:
        return end_sitting_out(event, entry, by=user)
    if event.status != Event.Status.CHECK_IN and not (is_at_door and event.is_before_start):
        raise EventError("Check-in isn't open.")
    if not entry.is_here:
        entry.status = Entry.status_before_start(has_place=not entry.is_in_line, is_here=True)
        entry.save(update_fields=["status"])
        log_action(event, f"{entry.name} checked in.", by=user)
        notices.withdraw_check_in_call([entry], event)
        event_changed(event)
    return entry


@transaction.atomic
def withdraw_entry(*, event_id: int, user: User) -> Entry:
    """Withdraws an entry, or the captain a team; in a running event its match is forfeited. :raises EventError:"""
    event = locked_event(event_id)
    entry = own_entry(event, user)
    if entry.team_name and entry.user_id != user.pk:
        raise EventError("Only the captain can withdraw the team. You can leave it on its page.")
    return _take_out(event, entry, Entry.Status.WITHDRAWN, f"{entry.name} withdrew.", by=user)


def remove_entry(*, entry_id: int, by: User, why: str) -> Entry:
    """Removes an entry, which then cannot enter again. :raises EventError:"""
    return _take_out_by_director(entry_id, Entry.Status.REMOVED, "Removed {}.", by=by, why=why)


def withdraw_for(*, entry_id: int, by: User, why: str = "") -> Entry:
    """A director withdraws an entry whose player has asked for it; it may come back. :raises EventError:"""
    return _take_out_by_director(entry_id, Entry.Status.WITHDRAWN, "{} withdrew.", by=by, why=why)


@transaction.atomic
def _take_out_by_director(entry_id: int, status: str, what: str, *, by: User, why: str) -> Entry:
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    entry = event.entries.with_players().get(pk=entry_id)
    require_no_opponent(by, entry)
    is_undoable = not open_matches(event).filter(sides__entry=entry).exists()  # else something follows at once
    return _take_out(event, entry, status, what.format(entry.name), by=by, why=why, is_undoable=is_undoable)


def _take_out(
    event: Event,
    entry: Entry,
    status: str,
    what: str,
    *,
    by: User,
    why: str = "",
    is_undoable: bool = False,
) -> Entry:
    if not (event.is_before_start or event.is_running) or entry.place is not None:
        raise EventError("This entry is already out of the tournament.")
    own_matches = open_matches(event).filter(sides__entry=entry)
    settle_matches(event, with_games(own_matches))  # a game that has just ended counts
    if entry.invited is not None:
        notices.withdraw_invitation(entry, entry.invited)
    entry.status, entry.invited = status, None
    entry.save(update_fields=["status", "invited"])
    removal = {"entry_id": entry.pk, "since": timezone.now().isoformat()}
    undo = undo_record(event, "take_back_removal", **removal) if is_undoable else None
    log_action(event, what, by=by, why=why, undo=undo)
    notices.notify_left(entry, by=by)
    if event.is_before_start:
        admit_waiting(event)
    for match in with_games(own_matches.all()):
        apply_absence_policy(match)
    if event.is_running:
        drop_matches_of(event, entry)
        advance_event(event)
    changed_on_calendar(event)
    return entry
