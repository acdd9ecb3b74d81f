"""Notices to entrants and directors of an event. Nobody is notified of what they did themselves."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.contrib.humanize.templatetags.humanize import ordinal
from django.urls import reverse
from django.utils import timezone
from django.utils.text import get_text_list

from accounts.models import User
from games.domain.clocks import duration
from notifications.models import LONGEST_NOTICE, MailAddress, Notice, NoticeQuerySet
from notifications.services import notify_all, notify_each, withdraw_notices
from tournaments.domain.wall_clock import wall_time_in_words
from tournaments.models import Announcement, DirectorCall, Entry, Event, EventRole, Match, MatchGame, MatchSide

CHECK_IN, FINISHED, LEFT, PAUSED, RESUMED = "check-in", "finished", "left", "paused", "resumed"


def notify_check_in_opened(event: Event) -> None:
    """Calls entries to check in; again when check-in opens once more for a later start."""
    text = f"Check-in for {event.name} is open. Check in before it starts, or you won't play."
    absent = event.entries.filter(status=Entry.Status.ENTERED).with_players()
    _tell_again(_players(absent), event, CHECK_IN, text)


def withdraw_check_in_call(entries: Iterable[Entry], event: Event) -> None:
    """Withdraws the call to check in."""
    _notices_about(event, CHECK_IN, _players(entries)).mark_read()


def notify_started(event: Event) -> None:
    """Notifies entries without a match in the first minute, or without a place; others are called to their tables."""
    withdraw_check_in_call(event.entries.with_players(), event)
    called = event.matches.filter(status__in=(Match.Status.WAITING, Match.Status.PLAYING)).values("sides__entry")
    rest = event.entries.present().exclude(pk__in=called).with_players()
    _tell(_players(rest), event, "started", f"{event.name} has started. We'll notify you when your first match starts.")
    for entry in event.entries.filter(status=Entry.Status.WAITING).with_players(teams=event.has_teams):
        _tell(entry.players, event, "left-out", f"{event.name} has started without you: {_why_left_out(event, entry)}.")


def _why_left_out(event: Event, entry: Entry) -> str:
    if event.has_teams:
        return "your team had no place, or fewer than half of its players"
    has_no_partner = event.has_pairs and entry.partner is None
    return "there was no partner left for you" if has_no_partner else "no place became free"


def notify_match_started(match: Match) -> None:
    """Calls the players to the table of their first game."""
    table = match.games.select_related("table").get(number=1).table
    sides = _sides(match)
    seconds = match.event.appear_seconds
    within = f" within {duration(seconds)}" if seconds is not None else ""
    for side in sides:
        others = get_text_list([other.name for other in sides if other != side], "and")
        text = f"{match.event.name}: your match against {others} starts now. Go to your table{within}."
        _tell(_concerned(side), match.event, f"match:{match.pk}", text, url=table.get_absolute_url())


def _concerned(side: MatchSide) -> list[User]:
    """At a board its player, else all players of the entry now."""
    return side.players if side.is_at_board else side.entry.players


def _sides(match: Match) -> list[MatchSide]:
    return list(match.sides.select_related("entry__user", "entry__partner", "player", "partner"))


def directors_of(event: Event) -> list[User]:
    """Those who run the event; [] for one that the site has planned by itself."""
    directors = [role.user for role in event.roles.filter(role=EventRole.Role.DIRECTOR).select_related("user")]
    return [*directors, event.created_by] if event.created_by else directors


def notify_start_missed(event: Event, why: str) -> None:
    """Notifies the directors, and the entrants."""
    key, directors = f"missed:{event.starts_at.timestamp()}", directors_of(event)
    text = f"{event.name} hasn't started. {why} Start it now, choose another start, or cancel it."
    _tell(directors, event, key, text, url=reverse("tournaments:console", args=[event.pk]))
    players = _players(event.entries.entered().with_players())
    _tell(players, event, key, f"{event.name} hasn't started. {why} A director decides when it starts.")


def notify_set_aside(match: Match) -> None:
    """Notifies the directors."""
    event = match.event
    text = f"{event.name}: no table could be opened for {match}. Please look at this match."
    url = reverse("tournaments:console", args=[event.pk])
    _tell(directors_of(event), event, f"set-aside:{match.pk}:{timezone.now().timestamp()}", text, url=url)


def notify_director_called(
    call: DirectorCall, match: Match, directors: Iterable[User], players: Iterable[User]
) -> None:
    """Notifies those who can answer, on every page of theirs, and the other players."""
    event, about = match.event, _call_key(call)
    url = f"{reverse('tournaments:console', args=[event.pk])}#console-calls"
    _tell(directors, event, about, f"{event.name}: {call.by} has called the director. Match: {match}", url=url)
    others = [player for player in players if player != call.by]
    where = "match" if match.is_between_teams else "table"
    text = f"{event.name}: {call.by} has called the director to your {where}."
    _tell(others, event, about, text, url=_call_url(match))


def read_director_called(director: User, event: Event, calls: Iterable[DirectorCall]) -> None:
    """A director has a page before their eyes that shows these calls."""
    withdraw_notices([director], [_key(event, _call_key(call)) for call in calls])


def withdraw_director_called(call: DirectorCall, event: Event, players: Iterable[User]) -> None:
    withdraw_notices([*directors_of(event), *players], [_key(event, _call_key(call))])


def notify_call_answered(call: DirectorCall, match: Match, players: Iterable[User]) -> None:
    text = f"{match.event.name}: {call.answered_by} has answered the call for the director. {call.reply}"
    _tell(players, match.event, f"{_call_key(call)}:answered", text, url=_call_url(match))


def _call_key(call: DirectorCall) -> str:
    return f"director-call:{call.pk}"


def _call_url(match: Match) -> str:
    """The table with a fragment, since a notice about the very page that is open isn't shown."""
    rows = list(match.games.all())
    return f"{rows[-1].table.get_absolute_url()}#director" if rows else ""


def notify_missed_matches(match: Match, entry: Entry) -> None:
    """Notifies an entry that sits out now, or is withdrawn."""
    event = match.event
    if not entry.sits_out:
        text = "you have missed too many matches, so you have been withdrawn."
    elif event.plan.takes_late_entries:
        text = "you missed your match, so you sit out. Press 'I'm back' on its page to be paired again."
    else:
        text = "you missed your match, so you forfeit the next ones too. Press 'I'm back' on its page to play on."
    _tell(entry.players, event, f"{_sits_out(entry)}:{match.pk}", f"{event.name}: {text}")


def withdraw_missed_notices(entry: Entry, matches: Iterable[int]) -> None:
    """Withdraws notices about missed matches. matches: ids."""
    withdraw_notices(entry.players, [_key(entry.event, f"{_sits_out(entry)}:{pk}") for pk in matches])


def _sits_out(entry: Entry) -> str:
    return f"sits-out:{entry.pk}"


def notify_late(row: MatchGame) -> None:
    """Notifies players whose game waits for them, or whose seat a bot has taken."""
    for seat in row.table.seats.select_related("user"):
        if seat.is_waited_for or seat.has_left:
            what = "your game waits for you" if seat.is_waited_for else "a bot plays in your seat"
            has_come = seat.has_come or row.match.event.appear_seconds is None
            why = "you ran out of time" if has_come else "you didn't come to your table in time"
            text = f"{row.match.event.name}: {why}, and {what}. Go back to your table."
            assert seat.user is not None, "every seat is taken at the table of a match"
            _tell([seat.user], row.match.event, _lateness_key(row), text, url=row.table.get_absolute_url())


def _lateness_key(row: MatchGame) -> str:
    return f"late:{row.table_id}"


def withdraw_match_calls(event: Event, matches: Iterable[Match]) -> None:
    """Withdraws the calls to the tables of these matches."""
    matches = list(matches)
    players = [player for match in matches for side in match.sides.all() for player in _concerned(side)]
    calls = [f"match:{match.pk}" for match in matches]
    calls += [_lateness_key(row) for match in matches for row in match.games.all()]
    withdraw_notices(players, [_key(event, call) for call in calls])


def notify_shifted(event: Event, what: str, at: datetime, why: str) -> None:
    """what: such as "the start". A new notice for each shift, also back and forth."""
    text = f"{event.name}: {what} is now on {wall_time_in_words(at, event.time_zone)}. {why}"
    _tell_again(_players(event.entries.entered().with_players()), event, "shifted", text)


def notify_paused(event: Event, why: str, *, by: User | None) -> None:
    """Notifies those who are still in, but not who did it."""
    text = f"{event.name} is paused: all clocks stop, and no match starts. {why}"
    _tell_pause(event, PAUSED, text, by=by, over=RESUMED)


def notify_resumed(event: Event, *, by: User | None) -> None:
    """As `notify_paused`."""
    _tell_pause(event, RESUMED, f"{event.name} has resumed, and the clocks run again.", by=by, over=PAUSED)


def _tell_pause(event: Event, about: str, text: str, *, by: User | None, over: str) -> None:
    """over: what the earlier notices are about that this one makes obsolete."""
    players = _players(event.entries.present().filter(place=None).with_players(teams=event.has_teams))
    _notices_about(event, over, players).mark_read()
    _tell_again([player for player in players if player != by], event, about, text)


def notify_timetable(event: Event, changes: Sequence[str], why: str) -> None:
    """changes: in words, such as "round 2: 27 November, 19:00"."""
    text = f"{event.name}: {', '.join(changes)}. {why}"
    text = text if len(text) <= LONGEST_NOTICE else f"{event.name} has a new timetable. See its page. {why}"
    _tell_again(_players(event.entries.entered().with_players()), event, "timetable", text)


def _start(event: Event) -> str:
    return f"It starts on {wall_time_in_words(event.starts_at, event.time_zone)}."


def notify_qualified(event: Event, source: Event, entries: Iterable[Entry]) -> None:
    """source: the event in whose standings they were among the best."""
    text = f"You play in {event.name}, after your place in {source.name}. {_start(event)}"
    _tell(_players(entries), event, "qualified", text)


def notify_division(event: Event, user: User, move: str) -> None:
    """event: a division of a league, which a director has entered the user in. move: "up", "down", or another one."""
    text = f"You play in {event.name}. {_start(event)}"
    _tell([user], event, "division", f"You move {move} a division. {text}" if move in ("up", "down") else text)


def notify_message(event: Event, users: Iterable[User], message_id: int, text: str) -> None:
    """A message of a director."""
    _tell(users, event, f"message:{message_id}", f"{event.name}: {text}")


def notify_reminded(event: Event, entries: Iterable[Entry]) -> None:
    """Notifies entries that asked for it, shortly before the start."""
    text = f"{event.name} starts at {event.starts_at.astimezone(ZoneInfo(event.time_zone)):%H:%M} ({event.time_zone})."
    if event.check_in_minutes:
        text += " Check in before it starts, or you won't play."
    _tell(_players(entries), event, f"reminder:{event.starts_at.timestamp()}", text)


def notify_edited(event: Event, changes: Sequence[str]) -> None:
    """changes: in words, the most important first; those for which there is no room are counted."""
    start, room = f"{event.name} has changed.", len(changes)
    while len(text := _with_changes(start, changes, room)) > LONGEST_NOTICE and room > 0:
        room -= 1
    _tell_again(_players(event.entries.entered().with_players()), event, "edited", text)


def _with_changes(start: str, changes: Sequence[str], room: int) -> str:
    rest = len(changes) - room
    more = [f"{rest} more {'change' if rest == 1 else 'changes'}: see its page"] if rest else []
    return " ".join([start, *(f"{words}." for words in [*changes[:room], *more])])


def notify_substituted(entry: Entry, out: User, to: User) -> None:
    for player in (*entry.players, out):
        whom = "you" if player == out else out.display_name
        text = f"You replace {whom}" if player == to else f"{to.display_name} replaces {whom}"
        _tell_again([player], entry.event, "substituted", f"{text} in {entry.event.name}.")


def notify_announcement(announcement: Announcement) -> None:
    event = announcement.event
    players = _players(event.entries.entered().with_players())
    _tell(players, event, f"announced:{announcement.pk}", f"{event.name}: {announcement.text}")


def notify_ruling(match: Match, text: str) -> None:
    """Notifies the players of a match of a director's decision. A new notice when it changes."""
    players = [player for side in _sides(match) for player in _concerned(side)]
    _tell(players, match.event, f"ruled:{match.pk}:{timezone.now().timestamp()}", text)


def notify_cancelled(event: Event, why: str) -> None:
    withdraw_check_in_call(event.entries.with_players(), event)
    _tell(_players(event.entries.entered().with_players()), event, "cancelled", f"{event.name} is cancelled. {why}")


def notify_finished(event: Event) -> None:
    """Notifies those who have played to the end of their place, or that no match was played; later only of a new place.

    E-mail as at the end of a game: of correspondence events, to those who want one for each turn.
    """
    entries = list(event.entries.with_players(teams=event.has_teams))
    count = sum(entry.place is not None for entry in entries)
    concerned = [entry for entry in entries if not entry.is_absent and (entry.place or not count)]
    ends = {player: _end(entry, count) for entry in concerned for player in entry.players}
    told = dict(_notices_about(event, FINISHED, ends).order_by("pk").values_list("user_id", "text"))
    again = {user for user, end in ends.items() if user.pk in told and not told[user.pk].endswith(end)}
    withdraw_finished(event, again)
    texts = {user: f"{event.name} is over: {end}" for user, end in ends.items() if user.pk not in told}
    texts |= {user: f"{event.name}: a result was corrected. Now {ends[user]}" for user in again}
    turns = (MailAddress.Turns.EACH,) if event.clock.is_turn_based else ()
    key = f"{_key(event, FINISHED)}:{event.version}"
    notify_each(texts, key=key, url=event.get_absolute_url(), email_turns=turns)


def withdraw_finished(event: Event, users: Iterable[User] | None = None) -> None:
    """Withdraws notices of places that no longer hold. users: None for all.

    Deletes unread ones, so that those who haven't seen theirs get one at the next end, also of the same place.
    """
    concerned = _players(event.entries.with_players(teams=event.has_teams)) if users is None else users
    _notices_about(event, FINISHED, concerned).unread().delete()


def _end(entry: Entry, count: int) -> str:
    """How an event of so many has ended for an entry."""
    if entry.place is None:
        return "no match was played, so it has no champion."
    is_shared = entry.place != entry.last_place
    if entry.place == 1:
        return f"{'you share first place' if is_shared else 'you have won'}. Congratulations!"
    places = f"share places {entry.place} to {entry.last_place}" if is_shared else f"are {ordinal(entry.place)}"
    return f"you {places} of {count}."


def notify_got_places(event: Event, entries: Iterable[Entry]) -> None:
    """Notifies entries that got a place from the waiting list; again after they gave one back."""
    text = f"You now have a place in {event.name}: you were first on the waiting list."
    _tell_again(_players(entries), event, "place", text)


def notify_invited(event: Event, users: Iterable[User]) -> None:
    _tell(users, event, "invited", f"You are invited to {event.name}.")


def notify_partner_asked(entry: Entry, partner: User) -> None:
    text = f"{entry.user} invites you to be their partner in {entry.event.name}."
    _tell_again([partner], entry.event, _asked(entry), text)


def withdraw_invitation(entry: Entry, user: User) -> None:
    """Withdraws the notice to a partner or a member of a team who is no longer invited."""
    _notices_about(entry.event, _asked(entry), [user]).mark_read()


def _asked(entry: Entry) -> str:
    return f"asked:{entry.pk}"


def notify_partner_declined(entry: Entry, by: User) -> None:
    text = (
        f"{by} won't be your partner in {entry.event.name}. You can invite someone else, or wait for others "
        f"to join you."
    )
    _tell_again([entry.user], entry.event, "declined", text)


def notify_paired(entry: Entry, *, by: User | None) -> None:
    """by: who made the pair, None for the site."""
    others = [player for player in entry.players if player != by]
    _tell_again(others, entry.event, "paired", f"{entry.name} play together in {entry.event.name}.")


def notify_team_asked(entry: Entry, user: User) -> None:
    text = f"{entry.user} invites you to play for {entry.name} in {entry.event.name}."
    _tell_again([user], entry.event, _asked(entry), text)


def notify_team_declined(entry: Entry, user: User) -> None:
    text = f"{user} won't play for {entry.name} in {entry.event.name}. You can invite someone else."
    _tell_again([entry.user], entry.event, "declined", text)


def notify_joined_team(entry: Entry, user: User, *, by: User) -> None:
    """Notifies the captain and the new member, but not who did it."""
    where = f"{entry.name} in {entry.event.name}."
    _tell_team(entry, user, "team-joined", f"{user} plays for {where}", f"You play for {where}", by)


def notify_left_team(entry: Entry, user: User, *, by: User) -> None:
    """As `notify_joined_team`."""
    where = f"{entry.name} in {entry.event.name}."
    _tell_team(entry, user, "team-left", f"{user} no longer plays for {where}", f"You no longer play for {where}", by)


def _tell_team(entry: Entry, user: User, about: str, text: str, own_text: str, by: User) -> None:
    """Notifies the captain, and the user in their own words, but not who did it."""
    for person in (entry.user, user):
        if person != by:
            _tell_again([person], entry.event, about, own_text if person == user else text)


def notify_captain(entry: Entry) -> None:
    """Notifies the member who takes over from a captain who has left."""
    text = f"You are now the captain of {entry.name} in {entry.event.name}."
    _tell_again([entry.user], entry.event, "captain", text)


def notify_left(entry: Entry, *, by: User) -> None:
    """Notifies the partner of an entry that withdrew, and players whom a director removed."""
    others = [player for player in entry.players if player != by]
    text = f"{by} has removed you from {entry.event.name}." if len(others) == len(entry.players) else ""
    text = text or f"{by} has withdrawn from {entry.event.name}, so {_pair_or_team(entry)} is out."
    _tell_again(others, entry.event, LEFT, text)


def notify_back(entry: Entry, *, by: User) -> None:
    """As `notify_left`, once they are in the tournament again."""
    others = [player for player in entry.players if player != by]
    _notices_about(entry.event, LEFT, others).mark_read()
    text = f"{by} has put you back in {entry.event.name}." if len(others) == len(entry.players) else ""
    text = text or f"{by} has come back to {entry.event.name}, so {_pair_or_team(entry)} plays again."
    _tell_again(others, entry.event, "back", text)


def _pair_or_team(entry: Entry) -> str:
    return entry.team_name or "your pair"


def _key(event: Event, about: str) -> str:
    return f"event:{event.pk}:{about}"


def _notices_about(event: Event, about: str, users: Iterable[User]) -> NoticeQuerySet:
    """Their notices about something that may happen again, each with the version of the event in its key."""
    return Notice.objects.filter(user__in=list(users), key__startswith=f"{_key(event, about)}:")


def _tell_again(users: Iterable[User], event: Event, about: str, text: str) -> None:
    """As `_tell`, about something that may happen again: a new notice each time."""
    _tell(users, event, f"{about}:{event.version}", text)


def _players(entries: Iterable[Entry]) -> list[User]:
    return [player for entry in entries for player in entry.players]


def _tell(users: Iterable[User], event: Event, about: str, text: str, url: str = "") -> None:
    notify_all(users, key=_key(event, about), text=text, url=url or event.get_absolute_url())
