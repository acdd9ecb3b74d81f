"""Teams: who is in them, in which order, and who plays the next match.

The captain enters the team and invites players, or sends them a link. They play in the order of the team, the first on
board 1; the order is fixed once the event has started. Before a match is published the captain can leave players out of
it, and later players move up. Directors can do all of this, and add players during the event.

Nobody is in two teams of an event.
"""

from collections.abc import Collection, Sequence

from django.db import transaction

from accounts.models import User
from infra.secret_codes import is_secret_code, secret_code
from tournaments.domain.errors import EventError
from tournaments.formats.team_match import TeamPlayer, line_up
from tournaments.models import Entry, Event, MatchSide, TeamMember
from tournaments.queries import conditions
from tournaments.queries.permissions import EventRank, event_rank
from tournaments.services import notices
from tournaments.services.common import event_changed, locked_event, log_action, require_no_opponent

SALT = "tournaments.team"
ENTERS_ALONE = "Everyone plays alone in this tournament."
NO_MEMBER = "This player isn't in the team."


def team_code(entry: Entry) -> str:
    """The secret part of the link by which players join the team."""
    return secret_code(SALT, entry.pk)


def is_team_code(entry: Entry, code: str) -> bool:
    return is_secret_code(code, SALT, entry.pk)


def most_members(event: Event) -> int:
    return (event.team_boards or 0) + event.team_substitutes


def fewest_players(event: Event) -> int:
    """With fewer a team does not play: half of the boards."""
    return ((event.team_boards or 0) + 1) // 2


def can_manage(event: Event, entry: Entry, user: User) -> bool:
    """Whether a user may change a team: its captain, and directors."""
    return entry.user_id == user.pk or event_rank(user, event) == EventRank.DIRECTOR


# Founding


def require_team_name(event: Event, name: str) -> None:
    """:raises EventError: a team can't have this name."""
    if not event.has_teams:
        raise EventError(ENTERS_ALONE)
    if not name:
        raise EventError("Enter the name of your team.")
    other = event.entries.entered().filter(team_name__iexact=name).first()
    if other:
        raise EventError(f"There is already a team named {other.name}. Choose another name.")


def add_captain(entry: Entry) -> None:
    """Makes the user of a new team its first member."""
    TeamMember.objects.create(entry=entry, user=entry.user, number=1, has_accepted=True)
    _leave_others(entry, entry.user)


# Joining


@transaction.atomic
def invite_member(*, entry_id: int, member: User, by: User) -> TeamMember:
    """The captain asks a player, who has to accept; a director adds the player at once. :raises EventError:"""
    event, entry = _managed_team(entry_id, by)
    _require_room(event, entry)
    require_free_member(event, member, unless=entry)
    if entry.members.filter(user=member).exists():
        raise EventError(f"{member.display_name} is already invited.")
    is_director = event_rank(by, event) == EventRank.DIRECTOR
    if not is_director:
        _require_before_start(event)
        if member.is_bot:
            raise EventError("You can't invite a bot. Bots fill empty boards where they may play.")
        if conditions.unmet_conditions(event, member):
            raise EventError(f"{member.display_name} doesn't meet the conditions of this tournament.")
    invited = _new_member(entry, member, has_accepted=is_director)
    if is_director:
        _joined(event, entry, member, by=by)
    else:
        notices.notify_team_asked(entry, member)
        event_changed(event)
    return invited


@transaction.atomic
def accept_team(*, entry_id: int, user: User) -> TeamMember:
    """Accepts an invitation to a team; the tournament password is not asked for. :raises EventError:"""
    event, entry = _locked_team(entry_id)
    member = _invited(entry, user)
    _require_before_start(event)
    require_free_member(event, user, unless=entry)
    if reasons := conditions.refusal_reasons(event, user):
        raise EventError(" ".join(reasons))
    member.has_accepted = True
    member.save(update_fields=["has_accepted"])
    _joined(event, entry, user, by=user)
    return member


@transaction.atomic
def decline_team(*, entry_id: int, user: User) -> None:
    """Declines an invitation. :raises EventError: there is none."""
    event, entry = _locked_team(entry_id)
    _invited(entry, user).delete()
    notices.notify_team_declined(entry, user)
    event_changed(event)


def join_team(*, entry_id: int, user: User, code: str, password: str = "") -> TeamMember:
    """Joins by the link of the team. :raises EventError:"""
    event, entry = _team(entry_id)
    if not is_team_code(entry, code):
        raise EventError("This link isn't valid. Ask the captain for another one.")
    if not entry.members.filter(user=user).exists():
        conditions.require_conditions(event, user, password=password)  # not under the lock, since a hash takes its time
    return _join(entry_id, user)


@transaction.atomic
def _join(entry_id: int, user: User) -> TeamMember:
    event, entry = _locked_team(entry_id)
    member = entry.members.filter(user=user).first()
    if member and member.has_accepted:
        return member
    _require_before_start(event)
    require_free_member(event, user, unless=entry)
    if member is None:
        _require_room(event, entry)
        member = _new_member(entry, user, has_accepted=True)
    else:
        member.has_accepted = True
        member.save(update_fields=["has_accepted"])
    _joined(event, entry, user, by=user)
    return member


def _new_member(entry: Entry, user: User, *, has_accepted: bool) -> TeamMember:
    last = entry.members.order_by("-number").values_list("number", flat=True).first() or 0
    return TeamMember.objects.create(entry=entry, user=user, number=last + 1, has_accepted=has_accepted)


def _joined(event: Event, entry: Entry, user: User, *, by: User) -> None:
    _leave_others(entry, user)
    log_action(event, f"{user.display_name} plays for {entry.name}.", by=by)
    notices.notify_joined_team(entry, user, by=by)
    event_changed(event)


def _leave_others(entry: Entry, user: User) -> None:
    """Forgets other invitations of this event, and teams that have withdrawn."""
    others = TeamMember.objects.filter(entry__event=entry.event_id, user=user).exclude(entry=entry)
    others.delete()
    entry.event.entries.filter(user=user).exclude(pk=entry.pk).delete()


def require_free_member(event: Event, user: User, *, unless: Entry) -> None:
    """:raises EventError: the user is in a team already, or may not play. unless: the team that they are to join."""
    for entry in event.entries.of(user):
        if entry.status == Entry.Status.REMOVED:
            raise EventError(f"A director has removed {user.display_name} from this tournament.")
        if entry != unless and (entry.is_in or entry.seed is not None):
            raise EventError(f"{user.display_name} already plays for {entry.name}.")
    if unless.members.filter(user=user, has_accepted=True).exists():
        raise EventError(f"{user.display_name} already plays for {unless.name}.")


# Leaving


@transaction.atomic
def leave_team(*, entry_id: int, user: User) -> None:
    """A member leaves; from a captain the first of the others takes over. :raises EventError:"""
    event, entry = _locked_team(entry_id)
    _take_out(entry, _member(entry, user))
    log_action(event, f"{user.display_name} left {entry.name}.", by=user)
    notices.notify_left_team(entry, user, by=user)
    event_changed(event)


@transaction.atomic
def remove_member(*, entry_id: int, member_id: int, by: User) -> None:
    """Removes a member, or takes an invitation back. :raises EventError:"""
    event, entry = _managed_team(entry_id, by)
    member = entry.members.filter(pk=member_id).first()
    if member is None:
        raise EventError(NO_MEMBER)
    _take_out(entry, member)
    if member.has_accepted:
        log_action(event, f"{member.user.display_name} no longer plays for {entry.name}.", by=by)
        notices.notify_left_team(entry, member.user, by=by)
    else:
        notices.withdraw_invitation(entry, member.user)
    event_changed(event)


@transaction.atomic
def drop_out(*, entry_id: int, user: User) -> bool:
    """A member whose account is closed is away from now on. Returns False if nobody is left to be the captain."""
    event, entry = _locked_team(entry_id)
    if not _hand_on(entry, _member(entry, user)):
        return False
    entry.members.filter(user=user).update(is_away=True)
    log_action(event, f"{user.display_name} no longer plays for {entry.name}.")
    event_changed(event)
    return True


def _hand_on(entry: Entry, member: TeamMember) -> bool:
    """Makes the first of the others captain in place of this member; False if there is none."""
    if entry.user_id != member.user_id:
        return True
    heir = next((other.user for other in entry.team if other != member and not other.user.is_bot), None)
    if heir is not None:
        entry.user = heir
        entry.save(update_fields=["user"])
        notices.notify_captain(entry)
    return heir is not None


def _take_out(entry: Entry, member: TeamMember) -> None:
    if MatchSide.objects.filter(entry=entry, player=member.user, match__parent__isnull=False).exists():
        raise EventError(f"{member.user.display_name} has played for the team and stays in it, but can rest.")
    if not _hand_on(entry, member):
        raise EventError("A team needs a captain. Withdraw the team instead.")
    TeamMember.objects.filter(pk=member.pk).delete()


# Order and line-up


@transaction.atomic
def order_members(*, entry_id: int, order: Sequence[int], by: User) -> None:
    """Sets the order of the boards. order: ids of members; the others follow. :raises EventError:"""
    event, entry = _managed_team(entry_id, by)
    if not event.is_before_start and event_rank(by, event) != EventRank.DIRECTOR:
        raise EventError("The order of the boards is fixed once the tournament has started.")
    members = list(entry.members.all())
    wanted = {pk: number for number, pk in enumerate(order)}
    for number, member in enumerate(sorted(members, key=lambda m: (wanted.get(m.pk, len(wanted)), m.number)), start=1):
        member.number = number
    TeamMember.objects.bulk_update(members, ["number"])
    _log_director(event, entry, f"Set the order of {entry.name}.", by)
    event_changed(event)


def next_line_up(event: Event, entry: Entry) -> list[TeamMember]:
    """Who of a team plays if its next match is published now, top board first."""
    team = entry.team
    players = [TeamPlayer(member.pk, member.rests, member.is_away) for member in team]
    chosen = line_up(players, event.team_boards or 0)
    return [member for member in team if member.pk in chosen]


def line_up_key(event: Event, entry: Entry) -> int:
    """The number of matches of a team that are published: a line-up is for the one after them."""
    return event.matches.between_entries().published().filter(sides__entry=entry).count()


@transaction.atomic
def set_line_up(*, entry_id: int, players: Collection[int], seen: int, by: User) -> None:
    """Chooses who plays the next match of a team. :raises EventError:

    players: ids of members. seen: the `line_up_key` when they were chosen; once that match is published it is too late.
    """
    event, entry = _managed_team(entry_id, by)
    if event.finished_at or not entry.is_in or entry.place is not None:
        raise EventError("This team has no further match.")
    if seen != line_up_key(event, entry):
        raise EventError("This match has been published, so its line-up can't change. Choose one for the next match.")
    team = entry.team
    chosen = [member for member in team if member.pk in players]
    boards = event.team_boards or 0
    if len(chosen) != min(boards, len(team)):
        raise EventError(f"Choose {min(boards, len(team))} players: one for each board.")
    for member in team:
        member.rests = member not in chosen
        member.is_away = member.is_away and member.rests
    TeamMember.objects.bulk_update(team, ["rests", "is_away"])
    _log_director(event, entry, f"Set the line-up of {entry.name}.", by)
    event_changed(event)


def _log_director(event: Event, entry: Entry, what: str, by: User) -> None:
    """What captains do with their own team is not logged. Everyone reads the log, so it names no player."""
    if entry.user_id != by.pk:
        log_action(event, what, by=by)


def member_is_back(entry: Entry, user: User) -> bool:
    """Ends the absence of a member who missed a board. Returns whether there was one."""
    return bool(entry.members.filter(user=user, is_away=True).update(is_away=False))


# Checks


def _team(entry_id: int) -> tuple[Event, Entry]:
    entry = Entry.objects.with_players().select_related("event").get(pk=entry_id)
    if not entry.team_name:
        raise EventError(ENTERS_ALONE)
    return entry.event, entry


def _locked_team(entry_id: int) -> tuple[Event, Entry]:
    event = locked_event(Entry.objects.values_list("event_id", flat=True).get(pk=entry_id))
    entry = event.entries.with_players().get(pk=entry_id)
    if not entry.team_name:
        raise EventError(ENTERS_ALONE)
    if not entry.is_in:
        raise EventError(f"{entry.name} is no longer in this tournament.")
    return event, entry


def _managed_team(entry_id: int, by: User) -> tuple[Event, Entry]:
    """:raises EventError: this user may not change the team."""
    event, entry = _locked_team(entry_id)
    if not can_manage(event, entry, by):
        raise EventError("Only the captain can change the team.")
    if event.finished_at:
        raise EventError("This tournament is over.")
    require_no_opponent(by, entry)
    return event, entry


def _member(entry: Entry, user: User) -> TeamMember:
    member = entry.members.filter(user=user, has_accepted=True).first()
    if member is None:
        raise EventError("You aren't in this team.")
    return member


def _invited(entry: Entry, user: User) -> TeamMember:
    member = entry.members.filter(user=user, has_accepted=False).first()
    if member is None:
        raise EventError("This invitation is no longer open.")
    return member


def _require_room(event: Event, entry: Entry) -> None:
    if entry.members.count() >= most_members(event):
        raise EventError(f"{entry.name} is complete: {most_members(event)} players at most.")


def _require_before_start(event: Event) -> None:
    if not event.is_before_start:
        raise EventError("This tournament has started. Only a director can add players to a team now.")
