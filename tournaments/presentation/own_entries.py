"""The visitor's own entry in an event: how to enter, the partner, the next match, the final place."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from django.utils.text import get_text_list

from accounts.models import User
from tournaments import presentation
from tournaments.models import Badge, Entry, Event, Match, RequestedBye
from tournaments.models.event import EntryQuerySet
from tournaments.presentation.director_calls import CallPanel, call_panel
from tournaments.presentation.ladders import OwnLadder, own_ladders
from tournaments.presentation.match_box import MatchBox, SideLine
from tournaments.queries import conditions
from tournaments.services.byes import open_rounds
from tournaments.services.entries import (
    can_come_back,
    is_still_in,
    joining_round,
    next_round_number,
    takes_late_entries,
)
from tournaments.services.matches import with_games
from tournaments.services.waiting_list import waiting_number

LISTED_LOOKING = 30
LISTED_FINISHED = 50


@dataclass(frozen=True, slots=True)
class ComingMatch:
    """A match to play now, or the next one. opponents: in words. game: the newest one, 0 before the first.

    is_set_aside: it waits for a director. is_for_others: the visitor's team plays it without the visitor.
    match_id: None before it is paired. paired_after: what it waits for then, such as "as soon as round 2 is over".
    """

    title: str
    opponents: str
    is_paired: bool
    is_set_aside: bool = False
    game: int = 0
    table_url: str = ""
    is_for_others: bool = False
    match_id: int | None = None
    paired_after: str = ""


@dataclass(frozen=True, slots=True)
class OwnStanding:
    """The visitor's row in the standings. places: "" while it is open. points: "" in a format that counts none.

    reason: why they stand there; "" where it says no more than that they are in. page: of the standings, with that row.
    """

    places: str = ""
    points: str = ""
    reason: str = ""
    page: int = 1


@dataclass(frozen=True, slots=True)
class OwnCourse:
    """How a running event goes on for an entry.

    bye_round: the round in play, if the entry has a bye in it. plays_on: False after its last match.
    awaited: what those without a match wait for, such as "Group B is over"; "" where nothing has to end first.
    """

    coming: ComingMatch | None = None
    standing: OwnStanding = OwnStanding()
    bye_round: int | None = None
    plays_on: bool = True
    awaited: str = ""


@dataclass(frozen=True, slots=True)
class OwnEntryPanel:
    """What the visitor can do in an event. entry: None without one, and where they may enter again.

    can_enter: with a press, now. is_full: for the waiting list. late_round: the first one of a late entry.
    unmet: the conditions that keep the visitor out, also before registration opens. line: position on the waiting list.
    asked_by: entries that invite the visitor as partner, or teams. looking: others that look for a partner.
    bye_rounds: rounds that the visitor can still ask to sit out. requested_byes: those asked for and not paired yet.
    coming: as the visitor, who may be one of a team, plays it; the rest of the course is that of the entry.
    is_away: missed a board of the own team. director: to call the director in the match that is played now.
    """

    entry: Entry | None = None
    can_enter: bool = False
    can_come_back: bool = False
    is_full: bool = False
    late_round: int | None = None
    unmet: tuple[str, ...] = ()
    line: int | None = None
    asked_by: tuple[Entry, ...] = ()
    looking: tuple[Entry, ...] = ()
    coming: ComingMatch | None = None
    course: OwnCourse = OwnCourse()
    bye_rounds: tuple[int, ...] = ()
    requested_byes: tuple[RequestedBye, ...] = ()
    is_away: bool = False
    director: CallPanel | None = None

    @property
    def needs_partner(self) -> bool:
        return self.entry is not None and self.entry.partner_id is None


def own_entry_panel(event: Event, user: User | None) -> OwnEntryPanel:
    """user: None for a visitor without a name."""
    entry = event.entries.of(user).with_players().first() if user else None
    if entry is None or not (is_still_in(event, entry) or entry.status == Entry.Status.REMOVED):
        return _outside(event, entry, user)
    bye_rounds, asked = _byes(event, entry) if event.plan.pairs_around else ((), ())
    if event.is_before_start:
        asked_by, looking = _possible_partners(event, user) if entry.is_in else ((), ())
        line = waiting_number(entry) if entry.is_in_line else None
        return OwnEntryPanel(
            entry, line=line, asked_by=asked_by, looking=looking, bye_rounds=bye_rounds, requested_byes=asked
        )
    course = _courses(event).get(entry.pk, OwnCourse())
    coming = coming_board(event, user, course.coming) if event.has_teams else course.coming
    waits_for_round = entry.first_round > 1 and next_round_number(event) <= entry.first_round
    return OwnEntryPanel(
        entry,
        coming=coming,
        course=course,
        late_round=entry.first_round if waits_for_round else None,
        bye_rounds=bye_rounds,
        requested_byes=asked,
        director=call_panel(coming.match_id, user) if user and coming and coming.match_id else None,
        is_away=event.has_teams and entry.members.filter(user=user, is_away=True).exists(),
    )


def coming_board(event: Event, user: User | None, of_team: ComingMatch | None) -> ComingMatch | None:
    """What a member of a team plays: their board if they have an open one, else what the team plays without them."""
    if of_team is None or not of_team.is_paired:
        return of_team
    open_boards = event.matches.filter(board__gt=0, status__in=(Match.Status.WAITING, Match.Status.PLAYING))
    board = with_games(open_boards.filter(sides__player=user)).first()
    if board is None:
        return replace(of_team, is_for_others=True)
    games = list(board.games.all())
    return ComingMatch(
        f"{of_team.title}, board {board.board}",
        get_text_list([side.name for side in board.sides.all() if side.player != user], "and"),
        is_paired=True,
        is_set_aside=board.is_set_aside,
        game=len(games),
        table_url=games[-1].table.get_absolute_url() if games else "",
        match_id=board.pk,
    )


def _byes(event: Event, entry: Entry) -> tuple[tuple[int, ...], tuple[RequestedBye, ...]]:
    """The rounds that an entry can still ask to sit out, and its requests for rounds that are not paired yet."""
    asked = entry.requested_byes.filter(round__gte=next_round_number(event))
    return tuple(open_rounds(event, entry)), tuple(asked)


def _outside(event: Event, entry: Entry | None, user: User | None) -> OwnEntryPanel:
    """For visitors who are not entered, or no longer; one who is out for good keeps the entry."""
    if entry and entry.seed is not None:
        return OwnEntryPanel(entry, can_come_back=can_come_back(event, entry))
    is_late = takes_late_entries(event)
    if not (event.is_before_start or is_late):
        return OwnEntryPanel(entry)
    unmet = tuple(conditions.refusal_reasons(event, user or User(is_guest=True)))
    can_enter = (event.takes_entries or is_late) and not unmet and not (is_late and event.is_full)
    asked_by, looking = _possible_partners(event, user) if event.is_before_start else ((), ())
    return OwnEntryPanel(
        entry if event.is_running and not can_enter else None,
        can_enter=can_enter,
        is_full=event.is_full,
        late_round=joining_round(event) if is_late else None,
        unmet=unmet,
        asked_by=asked_by,
        looking=looking,
    )


def _possible_partners(event: Event, user: User | None) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Entries that invite the visitor, and those that can be joined."""
    if event.has_teams:
        return tuple(_inviting_teams(user).filter(event=event)) if user else (), ()
    if not event.has_pairs:
        return (), ()
    if user and event.entries.entered().of(user).exclude(partner=None).exists():
        return (), ()
    entries = event.entries.entered().looking().with_players()
    asked_by = entries.filter(invited=user) if user else ()
    looking = entries.filter(invited=None, user__is_bot=False) if event.takes_entries else entries.none()
    return tuple(asked_by), tuple(looking.exclude(user=user)[:LISTED_LOOKING])


def _courses(event: Event) -> dict[int, OwnCourse]:
    """By entry; none before the first match. Computed once for each version of the event."""
    return presentation.once(f"event:{event.pk}:{event.version}:own", lambda: _courses_now(event))


def _courses_now(event: Event) -> dict[int, OwnCourse]:
    draw = presentation.draw_of(event)
    coming, standings, byes, awaited = _coming(draw), _standings(draw), _byes_in_play(draw), _awaited(draw)
    finished = event.plan.out_of_matches(draw.known)
    return {
        pk: OwnCourse(
            coming.get(pk),
            standings.get(pk, OwnStanding()),
            byes.get(pk),
            plays_on=pk in coming or pk not in finished,
            awaited=awaited,
        )
        for pk in draw.entries
    }


def _byes_in_play(draw: presentation.EventDraw) -> dict[int, int]:
    """The number of the round that an entry sits out while others play it."""
    columns = [column for section in draw.sections for column in section.columns if column.is_open]
    return {pk: column.round for column in columns for box in column.boxes if box.is_bye for pk in box.entries()}


def _awaited(draw: presentation.EventDraw) -> str:
    """See `OwnCourse`: groups that aren't over, elsewhere the round in play."""
    if not draw.event.has_rounds:
        return ""
    groups = [section for section in draw.sections if section.crosstable and len(draw.sections) > 1]
    going = [group for group in groups if not group.is_over]
    if going:
        return f"{going[0].title} is over" if len(going) == 1 else "all groups are over"
    rounds = [section.now for section in draw.sections if section.now.is_open]
    return f"{rounds[0].title.lower()} is over" if len(rounds) == 1 else ""


def _standings(draw: presentation.EventDraw) -> dict[int, OwnStanding]:
    """By entry; {} before the first result, when only seeds and lots would tell places apart."""
    rows = draw.rows(draw.ranking) if draw.decided else []
    are_groups_in_play = any(one.crosstable for one in draw.sections) and not any(one.is_tree for one in draw.sections)
    return {
        row.entry.pk: OwnStanding(
            row.places,
            row.points,
            row.reason if row.places or row.points or are_groups_in_play else "",
            presentation.standings_page(index),
        )
        for index, row in enumerate(rows)
    }


def _coming(draw: presentation.EventDraw) -> dict[int, ComingMatch]:
    """By entry, its first match of the draw that is not over."""
    found: dict[int, ComingMatch] = {}
    if not draw.event.is_running:
        return found
    going = {section.id for section in draw.sections if section.now.is_open}
    for box in draw.boxes:
        if box.is_bye or (box.match and box.match.is_over):
            continue
        for pk in box.entries() - found.keys():
            others = [line for line in box.lines if line.entry is None or line.entry.pk != pk]
            names = [line.entry.name if line.entry else f"the {line.text.lower()}" for line in others]
            found[pk] = ComingMatch(
                box.title,
                get_text_list(names, "and"),
                is_paired=box.match is not None,
                is_set_aside=box.match is not None and box.match.is_set_aside,
                game=len(box.tables),
                table_url=box.table.get_absolute_url() if box.table else "",
                match_id=box.match.pk if box.match else None,
                paired_after=_paired_after(box, others, going),
            )
    return found


def _paired_after(box: MatchBox, others: Iterable[SideLine], going: Collection[str]) -> str:
    """See `ComingMatch`. going: the sections with a round in play."""
    if box.match:
        return ""
    if not all(line.entry for line in others):
        return "as soon as both are known"
    return f"as soon as round {box.round - 1} is over" if box.section in going else ""


# My tournaments


@dataclass(frozen=True, slots=True)
class OwnEntryRow:
    """An entry on the visitor's own page. coming, course: as in `OwnEntryPanel`. badge: the place that has a badge."""

    entry: Entry
    coming: ComingMatch | None = None
    course: OwnCourse = OwnCourse()
    badge: int | None = None

    @property
    def event(self) -> Event:
        return self.entry.event


@dataclass(frozen=True, slots=True)
class MyTournaments:
    """asked_by: entries of others that invite the user as partner, and teams, in events that have not started."""

    asked_by: tuple[Entry, ...]
    running: tuple[OwnEntryRow, ...]
    upcoming: tuple[OwnEntryRow, ...]
    over: tuple[OwnEntryRow, ...]
    ladders: tuple[OwnLadder, ...]

    @property
    def is_empty(self) -> bool:
        return not any((self.asked_by, self.running, self.upcoming, self.over, self.ladders))


def tournaments_of(user: User) -> MyTournaments:
    entries = Entry.objects.of(user).with_players().select_related("event").order_by("event__starts_at", "pk")
    entered = entries.entered()
    running = entered.filter(event__status=Event.Status.RUNNING, place=None).exclude(status__in=Entry.IN_LINE)
    upcoming = entered.filter(event__status__in=Event.BEFORE_START)
    return MyTournaments(
        tuple(_asking(user)),
        tuple(_running_row(entry, user) for entry in running),
        tuple(OwnEntryRow(entry) for entry in upcoming),
        finished_events_of(user),
        own_ladders(user),
    )


def _running_row(entry: Entry, user: User) -> OwnEntryRow:
    course = _courses(entry.event).get(entry.pk, OwnCourse())
    coming = coming_board(entry.event, user, course.coming) if entry.team_name else course.coming
    return OwnEntryRow(entry, coming, course)


def finished_events_of(user: User, *, most: int = LISTED_FINISHED) -> tuple[OwnEntryRow, ...]:
    """The finished events that a user has played in, newest first."""
    entries = Entry.objects.of(user).with_players().select_related("event")
    finished = entries.filter(event__status=Event.Status.FINISHED, seed__isnull=False)
    out = entries.filter(event__status=Event.Status.RUNNING, place__isnull=False)
    badges = dict(Badge.objects.filter(user=user).values_list("event_id", "place"))
    newest = (out | finished).order_by("-event__starts_at", "-pk")[:most]
    return tuple(OwnEntryRow(entry, badge=badges.get(entry.event_id)) for entry in newest)


def _asking(user: User) -> list[Entry]:
    asking = Entry.objects.entered().filter(invited=user, event__status__in=Event.BEFORE_START)
    partners = asking.with_players().select_related("event").order_by("event__starts_at", "pk")
    return [*partners, *_inviting_teams(user).select_related("event").order_by("event__starts_at", "pk")]


def _inviting_teams(user: User) -> EntryQuerySet:
    invited = Entry.objects.filter(members__user=user, members__has_accepted=False)
    return invited.entered().with_players().filter(event__status__in=Event.BEFORE_START)
