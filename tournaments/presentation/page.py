"""The public page of an event, rendered once for each version of the event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Generic, Literal, TypeVar
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import QueryDict
from django.template.loader import render_to_string

from infra.numbers import read_number
from infra.once import once
from tournaments.formats import contract
from tournaments.formats.groups import Groups
from tournaments.models import Entry, Event, EventLog
from tournaments.presentation.draw import DrawSection, RoundColumn, draw_of
from tournaments.presentation.match_box import MatchBox
from tournaments.presentation.standings import StandingRow, StandingsColumns
from tournaments.presentation.team_boards import BestOnBoard, best_by_board

T = TypeVar("T")
LOG_LINES = 100
STANDINGS_A_PAGE = 60
MATCHES_A_PAGE = 60
GROUPS_A_PAGE = 12
TABLES_TO_WATCH = 12  # tables that are listed to watch
WIDEST_TREE = 32  # matches in the first round of a drawn tree; earlier rounds are lists
LATEST_RESULTS = 8  # results, in a format without a list of the round


@dataclass(frozen=True, slots=True)
class EventPageQuery:
    """Which part of a large event is shown. All are 0 for the default.

    round: whose matches. tables: page of them, or of the groups. page: of the standings.
    """

    round: int = 0
    tables: int = 0
    page: int = 0

    @classmethod
    def of_query(cls, query: QueryDict) -> EventPageQuery:
        """Anything but a number of reasonable size counts as 0: the address has been edited."""
        return cls(**{name: read_number(query.get(name, ""), 0, most=9999) for name in ("round", "tables", "page")})

    @property
    def query(self) -> str:
        chosen = {name: getattr(self, name) for name in ("round", "tables", "page")}
        return urlencode({name: number for name, number in chosen.items() if number})

    def href(self, anchor: str, **changes: int) -> str:
        return f"?{replace(self, **changes).query}#{anchor}"


DEFAULT_QUERY = EventPageQuery()


@dataclass(frozen=True, slots=True)
class PageLink:
    label: str
    href: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class PagedList(Generic[T]):
    """A page of a long list. links: to all pages, () where one page holds everything."""

    items: Sequence[T]
    links: tuple[PageLink, ...]


def paginate(items: Sequence[T], size: int, look: EventPageQuery, *, by: str, anchor: str) -> PagedList[T]:
    """by: the name in the query that says which page, from 1."""
    paginator = Paginator(items, size)
    if paginator.num_pages == 1:
        return PagedList(items, ())
    current = paginator.get_page(max(getattr(look, by), 1))
    links = tuple(
        PageLink(
            f"{page.start_index()}–{page.end_index()}",
            look.href(anchor, **{by: page.number}),
            page.number == current.number,
        )
        for page in paginator
    )
    return PagedList(items[current.start_index() - 1 : current.end_index()], links)


def standings_page(index: int) -> int:
    """The page of the standings with this row. index: from 0."""
    return index // STANDINGS_A_PAGE + 1


@dataclass(frozen=True, slots=True)
class RoundsList:
    """A section as a list of rounds, with the matches of one of them. links: to the rounds."""

    section: DrawSection
    column: RoundColumn
    links: tuple[PageLink, ...]
    boxes: PagedList[MatchBox]


@dataclass(frozen=True, slots=True)
class ScheduledStep:
    """A step that happens by itself, such as "Round 3 starts"."""

    text: str
    at: datetime


class EventPage:
    """An event as its page shows it."""

    def __init__(self, event: Event, look: EventPageQuery) -> None:
        self.event, self.look, self.draw = event, look, draw_of(event)

    @cached_property
    def entries(self) -> list[Entry]:
        entries = self.event.entries.present().with_players(teams=self.event.has_teams)
        return list(entries.order_by("seed", "entered_at", "pk"))

    @property
    def winners(self) -> list[Entry]:
        """Entries with a badge, best first."""
        best = [entry for entry in self.entries if entry.place and entry.place <= 3]
        return sorted(best, key=lambda entry: entry.place or 0) if self.event.is_finished else []

    @property
    def without_champion(self) -> str:
        """What a finished event says in place of its champion; "" if it has one."""
        if not self.event.is_finished or any(entry.place == 1 for entry in self.entries):
            return ""
        why = ": no match was played" if self.draw.is_without_places else ""
        return f"This tournament has no champion{why}."

    @property
    def paused_because(self) -> str:
        """The reason of a pause; "" without one, or where only directors read it."""
        if not self.event.is_paused or self.event.reasons_are_private:
            return ""
        return self.event.log.filter(what=EventLog.PAUSED).values_list("why", flat=True).first() or ""

    @property
    def scheduled_steps(self) -> list[ScheduledStep]:
        event = self.event
        if event.is_paused or event.waits_for_director:
            return []
        steps: list[tuple[str, datetime | None]] = []
        if event.status == Event.Status.SCHEDULED:
            steps.append(("Registration opens", event.registration_at))
        if event.status == Event.Status.REGISTRATION:
            steps.append(("Check-in opens", event.check_in_at))
        if event.is_before_start:
            steps.append(("It starts", event.starts_at))
        if event.is_running:
            steps += [("The time is up", event.ends_at), (self._next_round, self._break_end)]
        return [ScheduledStep(text, at) for text, at in steps if at]

    @property
    def _break_end(self) -> datetime | None:
        """Not of an arena, which pairs again every few seconds."""
        return None if self.event.minutes else self.event.next_round_at

    @property
    def _next_round(self) -> str:
        numbers = [box.round for box in self.draw.boxes if box.match]
        is_one_after_the_other = len(self.draw.sections) == 1 and not self.draw.sections[0].is_tree
        return f"Round {max(numbers) + 1} starts" if numbers and is_one_after_the_other else "The next round starts"

    @property
    def exists(self) -> bool:
        """Whether the chosen part exists; the address may have been made up."""
        rounds = {column.round for part in self.rounds for column in part.section.columns}
        lists = [part.boxes for part in self.rounds] + ([self.groups] if self.groups else [])
        tables = max((len(pages.links) for pages in lists), default=0)
        look = self.look
        return look.round in {0, *rounds} and look.tables <= tables and look.page <= len(self.standings.links)

    # The draw

    @cached_property
    def trees(self) -> list[DrawSection]:
        """Trees, and single matches beside them, such as that for third place. Of a large tree the last rounds."""
        trees = [section for section in self.draw.sections if section.is_tree or self._is_beside_tree(section)]
        return [replace(tree, columns=tuple(column for column in tree.columns if is_drawn(column))) for tree in trees]

    def _is_beside_tree(self, section: DrawSection) -> bool:
        return not section.crosstable and any(other.is_tree for other in self.draw.sections)

    @cached_property
    def groups(self) -> PagedList[DrawSection] | None:
        """Sections with standings of their own."""
        found = [section for section in self.draw.sections if self._is_group(section)]
        return paginate(found, GROUPS_A_PAGE, self.look, by="tables", anchor="groups") if found else None

    @property
    def after_groups(self) -> str:
        """Who advances from the groups, and when; "" once the knock-out is drawn, and without groups."""
        if not isinstance(self.event.plan, Groups) or self.trees:
            return ""
        number = self.event.plan.qualifiers
        best = "The winner of each group advances" if number == 1 else f"The best {number} of each group advance"
        return f"{best} to the knock-out. It is drawn once all groups are over."

    @cached_property
    def rounds(self) -> list[RoundsList]:
        """Sections shown round by round, and the early rounds of trees that are too large to be drawn."""
        found = []
        for section in self.draw.sections:
            columns = [column for column in section.columns if not is_drawn(column)] if section.is_tree else []
            if not section.is_tree and not self._is_beside_tree(section) and not self._is_group(section):
                columns = list(section.columns)
            if columns:
                found.append(self._rounds(replace(section, columns=tuple(columns))))
        return found

    def _is_group(self, section: DrawSection) -> bool:
        return section.crosstable is not None and len(self.draw.sections) > 1

    def _rounds(self, section: DrawSection) -> RoundsList:
        anchor = f"section-{section.id}"
        chosen = next((column for column in section.columns if column.round == self.look.round), section.now)
        links = tuple(
            PageLink(column.title, self.look.href(anchor, round=column.round, tables=0), column is chosen)
            for column in section.columns
        )
        byes_last = sorted(chosen.boxes, key=lambda box: box.is_bye)
        boxes = paginate(byes_last, MATCHES_A_PAGE, self.look, by="tables", anchor=anchor)
        return RoundsList(section, chosen, links if len(links) > 1 else (), boxes)

    @property
    def watched(self) -> list[MatchBox]:
        """Tables to watch that no list of the round shows."""
        return [] if self._lists_round else [box for box in self.draw.live if box.watch_url][:TABLES_TO_WATCH]

    @property
    def latest(self) -> list[MatchBox]:
        """The newest results that no list of the round shows."""
        return [] if self._lists_round else self.draw.decided[:LATEST_RESULTS]

    @property
    def _lists_round(self) -> bool:
        return len(self.draw.sections) == 1 and bool(self.rounds) and not self.trees

    @property
    def rounds_first(self) -> bool:
        """Whether rounds too large to be drawn come before their tree, as they do while they are played."""
        return any(column.is_open for part in self.rounds for column in part.section.columns)

    @property
    def best_by_board(self) -> list[BestOnBoard]:
        """In an event for teams."""
        return best_by_board(self.event)

    # The standings

    @property
    def standings_first(self) -> bool:
        """Whether standings come first: in an arena, and in finished events without a tree."""
        return not any(section.is_tree for section in self.draw.sections) and (
            not self.event.has_rounds or not self.event.is_running
        )

    @property
    def columns(self) -> StandingsColumns:
        return self.draw.columns

    @cached_property
    def standings(self) -> PagedList[StandingRow]:
        page: PagedList[contract.Standing] = paginate(
            self.draw.ranking, STANDINGS_A_PAGE, self.look, by="page", anchor="standings"
        )
        return PagedList(self.draw.rows(page.items), page.links)

    @property
    def results(self) -> list[tuple[str, Sequence[MatchBox]]]:
        """Every match that is paired, by rounds with their titles."""
        if not self.event.has_rounds:
            return [("Matches", self.draw.every_match)]
        several = len(self.draw.sections) > 1

        def title_of(section: DrawSection, column: RoundColumn) -> str:
            is_told_apart = several and section.title != column.title
            return f"{section.title}, {column.title}" if is_told_apart else column.title

        return [
            (title_of(section, column), column.boxes)
            for section in self.draw.sections
            for column in section.columns
            if column.is_paired
        ]

    @property
    def all_standings(self) -> list[StandingRow]:
        return self.draw.rows(self.draw.ranking)


PART_TEMPLATES = {
    "public_event": "tournaments/_public_event.html",
    "print": "tournaments/_print.html",
    "bracket": "tournaments/_embedded_bracket.html",
    "standings": "tournaments/_embedded_standings.html",
}


def is_drawn(column: RoundColumn) -> bool:
    return len(column.boxes) <= WIDEST_TREE


def public_event_html(event: Event, look: EventPageQuery = DEFAULT_QUERY) -> str:
    """HTML that is the same for all visitors."""
    return _rendered(event, "public_event", look)


def printable_event_html(event: Event) -> str:
    """HTML with every result, for paper."""
    return _rendered(event, "print", DEFAULT_QUERY)


def embedded_event_html(event: Event, part: Literal["bracket", "standings"], look: EventPageQuery) -> str:
    """HTML of one part, for a frame on another site."""
    return _rendered(event, part, look)


def public_log(event: Event) -> list[EventLog]:
    """The latest lines that everyone may read."""
    lines = event.log.all()[:LOG_LINES]
    return [line for line in lines if not (event.reasons_are_private and line.is_about_forbidden_pair)]


def _rendered(event: Event, name: str, look: EventPageQuery) -> str:
    html = once(f"event:{event.pk}:{event.version}:{name}:{look.query}", lambda: _render(event, name, look))
    return html or _rendered(event, name, DEFAULT_QUERY)


def _render(event: Event, name: str, look: EventPageQuery) -> str:
    """HTML, "" if there is no such part."""
    page = EventPage(event, look)
    if not page.exists:
        return ""
    context = {
        "event": event,
        "page": page,
        "draw": page.draw,
        "announcements": event.announcements.shown(),
        "log": public_log(event),
    }
    return render_to_string(PART_TEMPLATES[name], context)
