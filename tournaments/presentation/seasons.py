"""Seasons as pages show them: what counts, in words, and the columns of the table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils import formats

from tournaments.domain.season import TIE_BREAKS, SeasonResult
from tournaments.formats.numbers import written
from tournaments.models import Event, Season
from tournaments.presentation.standings import places_in_words
from tournaments.queries.seasons import SeasonRow

HEADING_SHAPES = ("j M", "j M Y", "j M H:i")


@dataclass(frozen=True, slots=True)
class SeasonCell:
    """A result of the table; all "" where there is none."""

    points: str = ""
    places: str = ""
    is_dropped: bool = False

    @classmethod
    def of_result(cls, result: SeasonResult | None) -> "SeasonCell":
        if result is None:
            return cls()
        return cls(written(result.points), places_in_words(result.place, result.last_place), result.is_dropped)


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A row of the table."""

    row: SeasonRow
    places: str
    points: str
    cells: tuple[SeasonCell, ...]

    @classmethod
    def of_row(cls, row: SeasonRow) -> "SeasonLine":
        standing = row.standing
        return cls(
            row,
            places_in_words(standing.place, standing.last_place),
            written(standing.points),
            tuple(map(SeasonCell.of_result, row.cells)),
        )


def day_of_event(event: Event) -> str:
    """The date where the event is organised, such as "25 Oct"."""
    return _date_of(event, HEADING_SHAPES[0])


def headings_of_events(events: Sequence[Event]) -> list[str]:
    """The dates where they are organised, such as "25 Oct". Equal ones have the year, the time or the name as well."""
    headings: dict[int, str] = {}
    for shape in HEADING_SHAPES:
        dates = {event.pk: _date_of(event, shape) for event in events if event.pk not in headings}
        often = Counter(dates.values())
        headings |= {pk: text for pk, text in dates.items() if often[text] == 1}
    return [headings.get(event.pk) or f"{day_of_event(event)} {event.name}" for event in events]


def _date_of(event: Event, shape: str) -> str:
    return formats.date_format(event.starts_at.astimezone(ZoneInfo(event.time_zone)), shape)


def season_facts(season: Season) -> list[tuple[str, str]]:
    """Names and values of what counts."""
    rules = season.rules
    by_place = f"by place: {', '.join(map(str, rules.place_points))}; a shared place gives the mean"
    codes = ", then ".join(TIE_BREAKS[code].name for code in rules.tie_breaks)
    return [
        (
            "Points",
            by_place if rules.place_points else "one for each player beaten, half for each who shares the place",
        ),
        ("Results that count", f"the best {rules.best} of each player" if rules.best else "all"),
        *([("Bonus", f"{rules.attendance} for each tournament played")] if rules.attendance else []),
        ("If points are level", codes or "the place is shared"),
        ("Bots", "are in the table" if season.counts_bots else "don't count; places are counted among players"),
    ]
