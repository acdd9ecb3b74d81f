"""Directing: what directors do with an event and its people: entries, times, seeds, roles, announcements.

Everything is logged, with its undo record where there is one (`services.undoing`). `why` is the director's reason.
Permissions are checked in `tournaments.queries.permissions`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import services as games
from games.domain.clocks import MINUTE, duration
from games.models import Table
from infra.bulk import update_rows
from tournaments.domain.errors import EventError
from tournaments.domain.wall_clock import wall_time_in_words
from tournaments.models import Announcement, Entry, Event, EventRole, Match, MatchSide, TeamMember
from tournaments.services import notices
from tournaments.services.common import (
    bracketed_reason,
    changed_on_calendar,
    event_changed,
    locked_event,
    log_action,
    note_own_settings,
    open_matches,
    public_reason,
    require_neutral,
    require_no_opponent,
)
from tournaments.services.entries import can_be_joined, come_back, end_sitting_out, first_status, join_late
from tournaments.services.matches import table_in_play, with_games
from tournaments.services.rounds import pair_again_with_everybody
from tournaments.services.schedule import next_step_at, reopen_before_check_in
from tournaments.services.teams import require_team_name
from tournaments.services.undo_records import undo_record
from tournaments.services.waiting_list import admit_waiting

# Open and closed


@transaction.atomic
def open_entries(*, event_id: int, by: User, why: str = "") -> Event:
    """Opens entries before registration would, or again. :raises EventError:"""
    event, undo = locked_event(event_id), "close_entries"
    if event.status == Event.Status.SCHEDULED:
        undo = "reschedule_opening"
        event.status = Event.Status.REGISTRATION
        event.due_at = next_step_at(event)
    elif not event.is_closed:
        raise EventError("Entries are already open.")
    elif not (event.is_before_start or can_be_joined(event)):
        raise EventError("It's too late to enter.")
    event.is_closed = False
    event.save(update_fields=["status", "due_at", "is_closed"])
    log_action(event, "Opened entries.", by=by, why=why, undo=undo_record(event, undo, event_id=event.pk))
    return changed_on_calendar(event)


@transaction.atomic
def close_entries(*, event_id: int, by: User, why: str = "") -> Event:
    """Closes entries for everyone but directors. :raises EventError:"""
    event = locked_event(event_id)
    if event.is_closed or not (event.takes_entries or event.is_running):
        raise EventError("Entries aren't open.")
    event.is_closed = True
    event.save(update_fields=["is_closed"])
    log_action(event, "Closed entries.", by=by, why=why, undo=undo_record(event, "open_entries", event_id=event.pk))
    return changed_on_calendar(event)


@transaction.atomic
def reschedule_opening(*, event_id: int, by: User, why: str = "") -> Event:
    """Undoes early entries: they open by themselves when it is time."""
    event = locked_event(event_id)
    event.status = Event.Status.SCHEDULED
    event.due_at = next_step_at(event)
    event.save(update_fields=["status", "due_at"])
    log_action(event, "Entries will open on schedule.", by=by, why=why)
    return changed_on_calendar(event)


# Times


def next_shiftable_time(event: Event) -> tuple[str, datetime] | None:
    """What can be shifted now, and its time: "the start", "the next round" after a break, or "the end"."""
    if event.is_before_start:
        return "the start", event.starts_at
    if event.is_running and event.ends_at and not event.is_time_up:
        return "the end", event.ends_at
    if event.is_running and event.next_round_at and not event.minutes:
        return "the next round", event.next_round_at
    return None


@transaction.atomic
def shift_time(*, event_id: int, minutes: int, by: User, why: str = "", what: str = "") -> Event:
    """Shifts what comes next. what: only if it is this, see `next_shiftable_time`. :raises EventError:"""
    event, now = locked_event(event_id), timezone.now()
    what, at = shifted_moment(event, minutes, what=what, now=now)
    if what == "the start":
        event.starts_at = at
        event.reminded_at = None
        reopen_before_check_in(event, now)
        event.due_at = next_step_at(event)
    elif what == "the end":
        event.ends_at = at
    else:
        event.round_times.filter(starts_at=at - timedelta(minutes=minutes)).update(starts_at=at)
        event.next_round_at = at
    if event.is_running and not event.is_paused:
        event.due_at = now  # the clock sets the next step again
    event.save(update_fields=["starts_at", "ends_at", "next_round_at", "status", "due_at", "reminded_at"])
    undo = undo_record(event, "shift", event_id=event.pk, minutes=-minutes, what=what)
    by_how_much = f"{duration(abs(minutes) * MINUTE)} {'later' if minutes > 0 else 'earlier'}"
    text = f"Shifted {what}: {by_how_much}, to {wall_time_in_words(at, event.time_zone)}."
    log_action(event, text, by=by, why=why, undo=undo)
    notices.notify_shifted(event, what, at, public_reason(event, why))
    return changed_on_calendar(event)


def shifted_moment(event: Event, minutes: int, *, what: str, now: datetime) -> tuple[str, datetime]:
    """What a shift moves, and to when. what: only if it is this, see `next_shiftable_time`. :raises EventError:"""
    moment = next_shiftable_time(event)
    if moment is None or (what and moment[0] != what):
        raise EventError(f"It's too late to shift {what or 'anything'}.")
    what, at = moment[0], moment[1] + timedelta(minutes=minutes)
    if at <= now:
        raise EventError(f"{what.capitalize()} would be in the past.")
    return what, at


@transaction.atomic
def add_time(*, match_id: int, minutes: int, user: User | None = None, by: User, why: str = "") -> Match:
    """Adds time to the clock of a player in a match in play, by default of everyone in it. :raises EventError:"""
    whose = f"the clock of {user.display_name}" if user else "all clocks"
    add = partial(games.add_time, seconds=minutes * MINUTE, user=user)
    return _time_added(match_id, add, f"{duration(minutes * MINUTE)} to {whose}", by, why)


@transaction.atomic
def add_time_to_appear(*, match_id: int, minutes: int, by: User, why: str = "") -> Match:
    """Adds time in which the players of a match may still come to their table. :raises EventError:"""
    add = partial(games.add_time_to_appear, seconds=minutes * MINUTE)
    return _time_added(match_id, add, f"{duration(minutes * MINUTE)} to come to the table", by, why)


def _time_added(match_id: int, add: Callable[..., None], what: str, by: User, why: str) -> Match:
    """add: called with the `table_id` of the game in play. what: as the log and the players of the match are told."""
    event = locked_event(Match.objects.values_list("event_id", flat=True).get(pk=match_id))
    match = with_games(event.matches.all()).get(pk=match_id)
    require_neutral(by, [side.entry for side in match.sides.all()], "add time in this match")
    table = table_in_play(match)
    if table is None:
        raise EventError("This match has no game in play.")
    try:
        add(table_id=table.pk)
    except games.TableError as error:
        raise EventError(str(error)) from None
    log_action(event, f"Added {what}: {match}.", by=by, why=why)
    because = bracketed_reason(event, why)
    notices.notify_ruling(match, f"{event.name}: a director has added {what}: {match}{because}.")
    event_changed(event)
    return match


# Check-in


@transaction.atomic
def check_in_entry(*, entry_id: int, by: User, why: str = "") -> Entry:
    """A director checks an entry in, or ends its sitting out. :raises EventError:"""
    event, entry = _locked_entry(entry_id)
    if event.is_running and entry.is_sitting_out:
        return end_sitting_out(event, entry, by=by, why=why)
    return _set_here(entry_id, True, "{} is checked in.", by, why, undo="check_out_entry")


@transaction.atomic
def check_out_entry(*, entry_id: int, by: User, why: str = "") -> Entry:
    """A director takes a check-in back. :raises EventError:"""
    return _set_here(entry_id, False, "{} is no longer checked in.", by, why, undo="check_in_entry")


def _set_here(entry_id: int, is_here: bool, what: str, by: User, why: str, *, undo: str) -> Entry:
    event, entry = _locked_entry(entry_id)
    if not event.is_before_start or not entry.is_in:
        raise EventError("Check-in is over for this entry.")
    if entry.is_here == is_here:
        raise EventError(f"{entry.name} {'has' if is_here else 'has not'} checked in.")
    entry.status = Entry.status_before_start(has_place=not entry.is_in_line, is_here=is_here)
    entry.save(update_fields=["status"])
    log_action(event, what.format(entry.name), by=by, why=why, undo=undo_record(event, undo, entry_id=entry.pk))
    if is_here:
        notices.withdraw_check_in_call([entry], event)
    event_changed(event)
    return entry


@transaction.atomic
def check_in_everyone(*, event_id: int, by: User) -> int:
    """Checks in every entry that is not here yet. Returns how many. :raises EventError:"""
    event = locked_event(event_id)
    if not event.is_before_start:
        raise EventError("Check-in is over.")
    absent = [entry for entry in event.entries.entered().with_players() if not entry.is_here]
    if not absent:
        raise EventError("Everyone has checked in.")
    for entry in absent:
        entry.status = Entry.status_before_start(has_place=not entry.is_in_line, is_here=True)
    update_rows(absent, ["status"])
    log_action(event, f"Checked in everyone: {len(absent)} entries.", by=by)
    notices.withdraw_check_in_call(absent, event)
    event_changed(event)
    return len(absent)


# Seeds


@transaction.atomic
def seed_by(*, event_id: int, how: str, by: User, why: str = "") -> Event:
    """Chooses the order of seeds at the start. how: an `Event.Seeding`. :raises EventError:"""
    event = _before_start(event_id)
    before, event.seeding = event.seeding, how
    note_own_settings(event, "seeding")
    event.save(update_fields=["seeding", "own_settings"])
    undo = undo_record(event, "seed_by", event_id=event.pk, how=before)
    log_action(event, f"Seeding: {event.get_seeding_display()}.", by=by, why=why, undo=undo)
    return event_changed(event)


@transaction.atomic
def set_seeds(*, event_id: int, order: Sequence[int], by: User) -> Event:
    """Seeds by hand. order: entries, the strongest first; the others follow by lot. :raises EventError:"""
    event = _before_start(event_id)
    require_neutral(by, event.entries.present().with_players(), "seed by hand")
    return _want_seeds(event, Event.Seeding.HAND, {pk: number for number, pk in enumerate(order, 1)}, by, why="")


@transaction.atomic
def put_seeds_back(*, event_id: int, how: str, seeds: Mapping[str, int], by: User, why: str = "") -> Event:
    """Undoes `set_seeds`. seeds: by entry."""
    return _want_seeds(_before_start(event_id), how, {int(pk): seed for pk, seed in seeds.items()}, by, why)


def _want_seeds(event: Event, how: str, seeds: Mapping[int, int], by: User, why: str) -> Event:
    entries = list(event.entries.all())
    before = {str(entry.pk): entry.wanted_seed for entry in entries if entry.wanted_seed is not None}
    before_how, event.seeding = event.seeding, how
    for entry in entries:
        entry.wanted_seed = seeds.get(entry.pk)
    update_rows(entries, ["wanted_seed"])
    note_own_settings(event, "seeding")
    event.save(update_fields=["seeding", "own_settings"])
    undo = undo_record(event, "put_seeds_back", event_id=event.pk, how=before_how, seeds=before)
    log_action(event, "Set the seeds manually." if seeds else "Removed the manual seeds.", by=by, why=why, undo=undo)
    return event_changed(event)


def _before_start(event_id: int) -> Event:
    event = locked_event(event_id)
    if not event.is_before_start:
        raise EventError("This tournament has started, so its seeds can't change.")
    return event


# Who plays


@transaction.atomic
def take_back_entry(*, entry_id: int, by: User, why: str = "") -> None:
    """Undoes an entry that a director has added."""
    event, entry = _locked_entry(entry_id)
    log_action(event, f"{entry.name} is no longer entered.", by=by, why=why)
    notices.notify_left(entry, by=by)
    entry.delete()
    admit_waiting(event)
    changed_on_calendar(event)


@transaction.atomic
def reinstate_entry(*, entry_id: int, by: User, why: str = "") -> Entry:
    """Lets an entry that has left, or was not there, play again. :raises EventError:"""
    event, entry = _locked_entry(entry_id)
    if entry.is_in:
        raise EventError(f"{entry.name} hasn't left.")
    if entry.team_name:
        require_team_name(event, entry.team_name)  # another team may have it by now
    if event.is_before_start:
        return _play_again(event, entry, by=by, why=why)
    if entry.place is not None or not can_be_joined(event):
        raise EventError(f"{entry.name} can't come back to this tournament.")
    if entry.seed is not None:
        return come_back(event, entry, by=by, why=why)
    return join_late(event, entry, by=by, why=why)


@transaction.atomic
def take_back_removal(*, entry_id: int, since: str, by: User, why: str = "") -> Entry:
    """Undoes a disqualification that has had no consequences yet. :raises EventError:"""
    event, entry = _locked_entry(entry_id)
    require_nothing_forfeited(event, entry_id, since=since)
    entry = _play_again(event, entry, by=by, why=why)
    if event.is_running:
        pair_again_with_everybody(event)
    return entry


def require_nothing_forfeited(event: Event, entry_id: int, *, since: str) -> None:
    """:raises EventError: a match was decided because the entry was removed."""
    entry = event.entries.with_players().get(pk=entry_id)
    forfeits = event.matches.filter(sides__entry=entry, decided_by=Match.DecidedBy.FORFEIT)
    if entry.place is not None or forfeits.filter(finished_at__gte=datetime.fromisoformat(since)).exists():
        raise EventError(f"{entry.name} has forfeited a match since.")


def _play_again(event: Event, entry: Entry, *, by: User, why: str) -> Entry:
    entry.status = Entry.Status.PLAYING
    if event.is_before_start:
        entry.status = first_status(event, entry, has_place=not event.is_full)
    entry.missed, entry.sits_out = 0, False
    entry.save(update_fields=["status", "missed", "sits_out"])
    log_action(event, f"{entry.name} plays again.", by=by, why=why)
    notices.notify_back(entry, by=by)
    changed_on_calendar(event)
    return entry


@transaction.atomic
def substitute(*, entry_id: int, out_id: int, to_id: int, by: User, why: str = "") -> bool:
    """Replaces a player of an entry from now on. Returns whether also at a table in play.

    :raises EventError:
    """
    event, entry = _locked_entry(entry_id)
    out, to = User.objects.get(pk=out_id), User.objects.get(pk=to_id)
    require_substitute(event, entry, out, to, by=by)
    if entry.team_name:
        _replace_member(event, entry, out, to)
    else:
        event.entries.of(to).delete()
        _keep_names(event, entry)
    if entry.user_id == out.pk:
        entry.user = to
    elif not entry.team_name:
        entry.partner = to
    entry.invited = None
    entry.save(update_fields=["user", "partner", "invited"])
    if entry.is_sitting_out and event.is_running:
        end_sitting_out(event, entry, by=by)
    is_seated = _hand_over_tables(event, out, to)
    undo = undo_record(event, "substitute", entry_id=entry.pk, out_id=to.pk, to_id=out.pk)
    at_table = ", also in the game in play" if is_seated else ""
    log_action(event, f"{to.display_name} replaces {out.display_name}{at_table}.", by=by, why=why, undo=undo)
    notices.notify_substituted(entry, out, to)
    changed_on_calendar(event)
    return is_seated


def _replace_member(event: Event, entry: Entry, out: User, to: User) -> None:
    """A team has the new player in the place of the other, also at a board that is still open."""
    event.entries.filter(user=to).delete()
    TeamMember.objects.filter(entry__event=event, user=to).delete()
    entry.members.filter(user=out).update(user=to, is_away=False)
    MatchSide.objects.filter(match__in=open_matches(event), entry=entry, player=out).update(player=to)


def _keep_names(event: Event, entry: Entry) -> None:
    """The results so far keep the names of those who played."""
    played = MatchSide.objects.filter(match__event=event, match__status=Match.Status.FINISHED, entry=entry)
    played.filter(player=None).update(player=entry.user, partner=entry.partner)


def require_substitute(event: Event, entry: Entry, out: User, to: User, *, by: User) -> None:
    """:raises EventError: this user cannot replace that player of an entry."""
    if not (event.is_before_start or event.is_running) or not entry.is_in or entry.place is not None:
        raise EventError("This entry is out of the tournament.")
    if not entry.includes(out):
        raise EventError(f"{out.display_name} isn't in this entry.")
    if not to.is_active:
        raise EventError(f"The account of {to.display_name} is closed.")
    require_no_opponent(by, entry)
    if any(own.is_in or own.seed is not None for own in event.entries.of(to)):
        raise EventError(f"{to.display_name} is or was already in this tournament.")


def _hand_over_tables(event: Event, out: User, to: User) -> bool:
    is_seated = False
    in_play = Table.objects.running().filter(match_game__match__in=open_matches(event), seats__user=out)
    for table_id in list(in_play.values_list("pk", flat=True)):
        with suppress(games.TableError):  # it ended this very moment
            games.hand_over(table_id=table_id, user=out, to=to)
            is_seated = True
    return is_seated


# Who helps


@transaction.atomic
def name_role(*, event_id: int, user_id: int, role: str, by: User, why: str = "") -> EventRole:
    """Makes a user a director or a helper of the event. :raises EventError:"""
    event, user = locked_event(event_id), User.objects.get(pk=user_id)
    require_account(user)
    before = event.roles.filter(user=user).first()
    if before and before.role == role:
        raise EventError(f"{user} is already {before.get_role_display()}.")
    named, _ = event.roles.update_or_create(user=user, defaults={"role": role})
    undo = undo_record(event, "drop_role", event_id=event.pk, user_id=user.pk)
    if before:
        undo = undo_record(event, "name_role", event_id=event.pk, user_id=user.pk, role=before.role)
    log_action(event, f"{user} is now a {named.get_role_display()}.", by=by, why=why, undo=undo)
    event_changed(event)
    return named


def require_account(user: User) -> None:
    """:raises EventError: this user cannot help in an event."""
    if user.is_bot or user.is_guest or not user.is_active:
        raise EventError("Only players with an account can help.")


@transaction.atomic
def drop_role(*, event_id: int, user_id: int, by: User, why: str = "") -> None:
    """Takes the role away. :raises EventError:"""
    event = locked_event(event_id)
    named = event.roles.select_related("user").filter(user=user_id).first()
    if named is None:
        raise EventError("This person has no role in this tournament.")
    named.delete()
    undo = undo_record(event, "name_role", event_id=event.pk, user_id=user_id, role=named.role)
    log_action(event, f"{named.user} is no longer a {named.get_role_display()}.", by=by, why=why, undo=undo)
    event_changed(event)


# Announcements


@transaction.atomic
def post_announcement(*, event_id: int, text: str, by: User) -> Announcement:
    """Shows a text on the page of the event, and notifies everyone who is entered."""
    event = locked_event(event_id)
    said = event.announcements.create(text=text, by=by)
    undo = undo_record(event, "take_down", announcement_id=said.pk)
    log_action(event, f"Announced: {text}", by=by, undo=undo)
    notices.notify_announcement(said)
    event_changed(event)
    return said


@transaction.atomic
def remove_announcement(*, announcement_id: int, by: User, why: str = "") -> None:
    """Removes an announcement from the page. :raises EventError:"""
    event = locked_event(Announcement.objects.values_list("event_id", flat=True).get(pk=announcement_id))
    said = event.announcements.shown().filter(pk=announcement_id).first()
    if said is None:
        raise EventError("This announcement has been taken down.")
    said.taken_down_at = timezone.now()
    said.save(update_fields=["taken_down_at"])
    log_action(event, f"Took down: {said.text}", by=by, why=why)
    event_changed(event)


def _locked_entry(entry_id: int) -> tuple[Event, Entry]:
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    return event, event.entries.with_players().get(pk=entry_id)
