"""Standings with names, and the cross-table of results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.formats import contract, tie_breaks
from tournaments.formats.duplicate import DuplicateTotal
from tournaments.formats.numbers import written
from tournaments.models import Entry, Event
from tournaments.presentation.match_box import MatchBox, result_sign
from tournaments.presentation.names import with_entry_names


@dataclass(frozen=True, slots=True)
class Heading:
    """Of a narrow column. name: in full."""

    short: str
    name: str


COMPARED_HEADINGS: dict[str, Heading] = {
    Event.ComparedBy.MATCHPOINTS: Heading("MP", "Matchpoints"),
    Event.ComparedBy.DIFFERENCES: Heading("Diff.", "Difference"),
}
WORD_JOINER = "\u2060"  # no line break here


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A tie-break. value: in the table. text: how it comes about."""

    code: str
    name: str
    value: str
    text: str


@dataclass(frozen=True, slots=True)
class StandingRow:
    """The standing of an entry. places: "1", "5–8", "" while it is open. points: "" in a format that counts none.

    compared, percent: of all deals of duplicate rounds that are over, "" without any.
    substituted: who played it before a substitute came, in words; else "".
    """

    places: str
    entry: Entry
    wins: int
    draws: int
    losses: int
    points: str
    reason: str
    figures: tuple[ShownFigure, ...]
    compared: str = ""
    percent: str = ""
    substituted: str = ""

    @property
    def medal(self) -> int | None:
        """The place that has a badge."""
        place = self.entry.place
        return place if place and place <= 3 and self.entry.event.is_finished and not self.entry.is_absent else None


def standing_row(
    standing: contract.Standing,
    entries: Mapping[int, Entry],
    names: Mapping[int, str],
    total: DuplicateTotal | None,
    substituted: str,
) -> StandingRow:
    """total: of duplicate rounds. substituted: as in `StandingRow`."""
    return StandingRow(
        places_in_words(standing.place, standing.last_place),
        entries[standing.entrant],
        standing.wins,
        standing.draws,
        standing.losses,
        "" if standing.points is None else written(standing.points),
        with_entry_names(standing.reason, names),
        tuple(_figure(figure, names) for figure in standing.figures),
        "" if total is None else written(total.made),
        "" if total is None or total.percent is None else percent_text(total.percent),
        substituted,
    )


def percent_text(percent: Fraction) -> str:
    """With one decimal, without its sign."""
    return f"{float(percent):.1f}"


def places_in_words(place: int | None, last_place: int | None) -> str:
    if place is None:
        return ""
    return str(place) if place == last_place else f"{place}{WORD_JOINER}–{WORD_JOINER}{last_place}"


def _figure(figure: contract.Figure, names: Mapping[int, str]) -> ShownFigure:
    name = tie_breaks.TIE_BREAKS[figure.code].name
    return ShownFigure(
        figure.code, capital(name), tie_breaks.figure_in_table(figure), with_entry_names(figure.text, names)
    )


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class StandingsColumns:
    """Which columns a table of standings needs. tie_breaks: in their order. points_name: of what ranks first.

    compared: of the totals of duplicate rounds, None without; is_percent: with their share.
    """

    points: bool
    draws: bool
    tie_breaks: tuple[tie_breaks.TieBreak, ...]
    compared: Heading | None = None
    is_percent: bool = False
    points_name: str = "Points"


def standings_columns(event: Event, ranking: Sequence[contract.Standing]) -> StandingsColumns:
    codes = [figure.code for figure in ranking[0].figures] if ranking else []
    return StandingsColumns(
        any(standing.points is not None for standing in ranking),
        any(standing.draws for standing in ranking),
        tuple(tie_breaks.TIE_BREAKS[code] for code in codes),
        COMPARED_HEADINGS.get(event.compared_by),
        event.compared_by == Event.ComparedBy.MATCHPOINTS,
        _points_name(event),
    )


def _points_name(event: Event) -> str:
    if not event.has_teams:
        return "Points"
    return "Match points" if event.team_scoring == Event.TeamScoring.MATCH else "Board points"


# Everybody against everybody


@dataclass(frozen=True, slots=True)
class CrossResult:
    """The result of one entry against another. sign: see `result_sign`."""

    sign: str
    box: MatchBox


@dataclass(frozen=True, slots=True)
class CrossRow:
    """cells: by opponent, in the order of the rows; None against itself."""

    row: StandingRow
    cells: tuple[tuple[CrossResult, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class ResultsCrosstable:
    """through: how many of the rows advance."""

    rows: tuple[CrossRow, ...]
    through: int


def results_crosstable(rows: Sequence[StandingRow], boxes: Iterable[MatchBox], *, through: int) -> ResultsCrosstable:
    found: dict[tuple[int, int], list[CrossResult]] = {}
    for box in boxes:
        if box.record and len(box.record.entrants) == 2:
            for side, (own, other) in enumerate((box.record.entrants, box.record.entrants[::-1])):
                points = contract.match_points(box.record, side)
                sign = result_sign(box.record.places, box.record.how, side, points)
                found.setdefault((own, other), []).append(CrossResult(sign, box))
    order = [row.entry.pk for row in rows]
    return ResultsCrosstable(
        tuple(
            CrossRow(row, tuple(None if own == other else tuple(found.get((own, other), ())) for other in order))
            for own, row in zip(order, rows, strict=True)
        ),
        through,
    )
