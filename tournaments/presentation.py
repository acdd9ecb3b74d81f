"""Events as pages show them. What everybody sees of an event is rendered once for each of its versions."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from django.core.cache import cache
from django.template.loader import render_to_string

from games.models import Table
from tournaments import records
from tournaments.formats import contract
from tournaments.models import Entry, Event, Match
from tournaments.services.conditions import conditions_of

PUBLIC_PART_SECONDS = 300
LOG_LINES = 100
WORD_JOINER = "\u2060"  # no line break here


@dataclass(frozen=True, slots=True)
class Line:
    """A side of a match in the draw: an entry, or in words who will come."""

    entry: Entry | None
    text: str = ""
    score: int | None = None
    has_won: bool | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A match of the draw, also one that is still to be paired. tables: of its games, in order."""

    title: str
    lines: tuple[Line, ...]
    match: Match | None = None
    tables: tuple[Table, ...] = ()

    @property
    def table(self) -> Table | None:
        """Of the newest game."""
        return self.tables[-1] if self.tables else None

    @property
    def is_live(self) -> bool:
        return self.match is not None and self.match.status == Match.Status.PLAYING

    def entries(self) -> set[int]:
        return {line.entry.pk for line in self.lines if line.entry}


@dataclass(frozen=True, slots=True)
class Column:
    """leads_straight: in a tree, each box to the one beside it, not two to one."""

    title: str
    boxes: tuple[Box, ...]
    leads_straight: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    is_tree: bool
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """places: "1", "5–8", "" while it is open."""

    places: str
    entry: Entry
    wins: int
    losses: int
    reason: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Sections and standings of an event that has been seeded."""

    sections: tuple[Section, ...] = ()
    standings: tuple[Standing, ...] = ()

    @property
    def boxes(self) -> list[Box]:
        return [box for section in self.sections for column in section.columns for box in column.boxes]

    @property
    def live(self) -> list[Box]:
        return [box for box in self.boxes if box.is_live]

    @property
    def decided(self) -> list[Box]:
        """Matches that were played, or not for want of a player; newest first."""
        over = [(box.match.finished_at, box) for box in self.boxes if box.match and box.match.finished_at]
        newest_first = sorted(over, key=lambda pair: pair[0], reverse=True)
        return [box for _, box in newest_first if box.match and box.match.decided_by != Match.DecidedBy.BYE]


def draw_of(event: Event) -> Draw:
    entries = event.entries.filter(seed__isnull=False).with_players().in_bulk()
    if not entries:
        return Draw()
    known = records.of(event, is_public=True)
    rows = event.matches.published().select_related("round").prefetch_related("sides", "games__table__seats__user")
    by_spot = {records.spot(row): row for row in rows}
    sections = tuple(
        Section(
            section.id, section.title, section.is_tree, _columns(section, entries, by_spot, event.match_games)
        )
        for section in event.plan.draw(known)
    )
    standings = tuple(_standing(record, entries) for record in event.plan.standings(known))
    return Draw(sections, standings)


def _columns(
    section: contract.Section, entries: Mapping[int, Entry], rows: Mapping[contract.Spot, Match], games: int
) -> tuple[Column, ...]:
    return tuple(
        Column(
            column.title,
            tuple(_box(cell, entries, rows.get(cell.spot), games) for cell in column.cells),
            leads_straight=following is not None and len(following.cells) == len(column.cells),
        )
        for column, following in zip_longest(section.columns, section.columns[1:])
    )


def _box(cell: contract.Cell, entries: Mapping[int, Entry], match: Match | None, games: int) -> Box:
    """With one game in a match the score is that of the game, with more it is the games won."""
    scores = {}
    if match and (match.is_over or games > 1) and match.decided_by != Match.DecidedBy.BYE:
        scores = {side.entry_id: side.games_won if games > 1 else side.points for side in match.sides.all()}
    lines = tuple(
        Line(entries[side.entrant], "", scores.get(side.entrant), side.has_won)
        if side.entrant is not None
        else Line(None, side.text)
        for side in cell.sides
    )
    games = sorted(match.games.all(), key=lambda game: game.number) if match else []
    return Box(cell.title, lines, match, tuple(game.table for game in games))


def _standing(record: contract.Standing, entries: Mapping[int, Entry]) -> Standing:
    places = "" if record.place is None else str(record.place)
    if record.place != record.last_place:
        places = f"{record.place}{WORD_JOINER}–{WORD_JOINER}{record.last_place}"
    return Standing(places, entries[record.entrant], record.wins, record.losses, record.reason)


def facts_of(event: Event) -> list[tuple[str, str]]:
    """What one wants to know before entering."""
    rules = event.rules
    values = rules.read_options(event.options, event.seats)
    own = [option for option in rules.options if values[option.name] != option.default]
    options = [(option.label, str(option.choices[values[option.name]])) for option in own]
    return [
        ("Game", rules.name),
        *options,
        ("Format", event.plan.name),
        ("A match", _match_in_words(event)),
        *([("The cards", _cards_in_words(event))] if event.shares_deals else []),
        ("Time for a move", f"{event.move_seconds} seconds"),
        ("Who leaves or is late", event.absence_in_words),
        ("Places", _places(event)),
        *([("To enter", needs)] if (needs := _needs(event)) else []),
    ]


def _match_in_words(event: Event) -> str:
    deals = f" of {event.deals} deal{'s' if event.deals > 1 else ''}" if event.deals else ""
    if event.match_games == 1:
        return f"one game{deals}"
    rules = {
        Event.MatchRule.BEST_OF: f"best of {event.match_games} games{deals}",
        Event.MatchRule.ALL_GAMES: f"{event.match_games} games{deals}, games won decide",
        Event.MatchRule.POINTS: f"{event.match_games} games{deals}, the points of all decide",
    }
    return f"{rules[Event.MatchRule(event.match_rule)]}; seats change"


def _cards_in_words(event: Event) -> str:
    same = ["the same at every table of a round"] if event.dealing == Event.Dealing.SAME else []
    twice = ["each deal twice, the second time with seats changed"] if event.is_mirrored else []
    by = [f"a result is {event.get_compared_by_display()}"] if event.is_compared else []
    return "; ".join([*same, *twice, *by, "nobody may watch before the last of them is over"])


def _needs(event: Event) -> str:
    """What it takes to enter; "" if nothing does."""
    needs = [condition.needs for condition in conditions_of(event)]
    return "; ".join([*needs, "the password of the event"] if event.password else needs)


def _places(event: Event) -> str:
    most = f"at most {event.max_entries}" if event.max_entries else "for everybody who comes"
    level = event.get_bot_level_display().lower()
    return f"{most}; bots ({level}) fill up to {event.fill_to}" if event.fill_to else most


def public_part(event: Event) -> str:
    """HTML that is the same for everybody: rendered once for each version, whoever asks."""
    key = f"event:{event.pk}:{event.version}"
    html = cache.get(key)
    if html is None:
        entries = event.entries.present().with_players().order_by("seed", "entered_at", "pk")
        log = event.log.select_related("by")[:LOG_LINES]
        champion = next((entry for entry in entries if entry.status == Entry.Status.CHAMPION), None)
        context = {
            "event": event,
            "draw": draw_of(event),
            "entries": entries,
            "log": log,
            "champion": champion,
        }
        html = render_to_string("tournaments/_public.html", context)
        cache.set(key, html, PUBLIC_PART_SECONDS)
    return html
