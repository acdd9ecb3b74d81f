"""A match in the draw: its sides, its tables, and what it is worth to each side."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from django.urls import reverse

from tournaments.formats import contract
from tournaments.formats.numbers import written
from tournaments.models import Entry, Match

BYE_DECISIONS = (Match.DecidedBy.BYE, Match.DecidedBy.HALF_BYE, Match.DecidedBy.ZERO_BYE)


@dataclass(frozen=True, slots=True)
class TableLink:
    """A link to the table of a game.

    deal: its number, None where tables share none. traveller: the address of all its results, "" without.
    """

    code: str
    is_hidden: bool
    deal: int | None = None
    traveller: str = ""

    def get_absolute_url(self) -> str:
        return reverse("games:table", args=[self.code])


def result_sign(places: Sequence[int] | None, how: contract.How, side: int, points: Fraction) -> str:
    """A result as tables of results show it for one side.

    Its points, such as "1", "½" or "0"; "+" or "−" for a forfeit, "–" if it does not count, "" while it is open.
    """
    if places is None:
        return ""
    if how == "annulled":
        return "–"
    if how == "forfeit":
        return "+" if places[side] == 1 else "−"
    return written(points)


@dataclass(frozen=True, slots=True)
class BoardSide:
    """A player at a board of a team match. sign: see `result_sign`."""

    name: str
    sign: str
    has_won: bool


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board of a team match. sides: in the order of the teams. table: of its newest game."""

    number: int
    match: Match
    sides: tuple[BoardSide, ...]
    table: TableLink | None

    @property
    def is_live(self) -> bool:
        return self.match.status == Match.Status.PLAYING

    @property
    def watch_url(self) -> str:
        """Where to watch or replay the newest game; "" without one, or while it is hidden."""
        return self.table.get_absolute_url() if self.table and not self.table.is_hidden else ""

    @property
    def against(self) -> str:
        return " against ".join(side.name for side in self.sides)


@dataclass(frozen=True, slots=True)
class SideResult:
    """The result of a match so far for one side. As in `MatchSide`.

    played_by: the name of those who played it, where a substitute has come since; else "".
    """

    entry_id: int
    place: int | None
    games_won: int
    points: int
    compared: Decimal | None
    played_by: str = ""
    board_points: Decimal | None = None


@dataclass(frozen=True, slots=True)
class SideLine:
    """A side of a match in the draw: an entry, or in words who will come.

    has_won: None until the match is decided, and where nobody has won. place: at a table of more than two.
    played_by: as in `SideResult`. came_from: as in `contract.Side`.
    """

    entry: Entry | None
    text: str = ""
    score: str = ""
    has_won: bool | None = None
    place: int | None = None
    played_by: str = ""
    came_from: str = ""

    @property
    def name(self) -> str:
        return self.played_by or (self.entry.name if self.entry else self.text)


@dataclass(frozen=True, slots=True)
class MatchBox:
    """A match of the draw, also one that is still to be paired.

    round: from 1. sides: of a paired match. tables: of its games, in order. record: the match as formats know it.
    why: why these were paired. boards: of a team match, once it is published. will_be_bye: that is planned as a bye.
    """

    title: str
    section: str
    round: int
    lines: tuple[SideLine, ...]
    match: Match | None = None
    sides: tuple[SideResult, ...] = ()
    tables: tuple[TableLink, ...] = ()
    record: contract.MatchRecord | None = None
    why: str = ""
    boards: tuple[BoardLine, ...] = ()
    will_be_bye: bool = False

    @property
    def table(self) -> TableLink | None:
        """The table of the newest game."""
        return self.tables[-1] if self.tables else None

    @property
    def paired(self) -> Match:
        """The match of a box that is paired."""
        assert self.match is not None, "this match isn't paired yet"
        return self.match

    @property
    def is_live(self) -> bool:
        return self.match is not None and self.match.status == Match.Status.PLAYING

    @property
    def is_open(self) -> bool:
        """Paired, and not decided."""
        return self.match is not None and not self.match.is_over

    @property
    def is_bye(self) -> bool:
        return self.match.decided_by in BYE_DECISIONS if self.match else self.will_be_bye

    @property
    def watch_url(self) -> str:
        """Where to watch or replay the newest game; "" without one, or while it is hidden."""
        return self.table.get_absolute_url() if self.table and not self.table.is_hidden else ""

    @property
    def against(self) -> str:
        return " against ".join(line.name for line in self.lines)

    def entries(self) -> set[int]:
        return {line.entry.pk for line in self.lines if line.entry}
