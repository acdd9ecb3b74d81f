"""Score sheets: finished hands with what was scored in them, by which rule, and running totals."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.core.contract import HandResult, ScoreLine
from games.core.words import render_text, with_full_stop
from games.presentation.move_log import READERS, LogLine
from games.presentation.panels import Panel, open_panel
from games.presentation.rule_links import rule_url
from infra.cache import LRUCache


class ScoreRow(NamedTuple):
    """A line of a score sheet: points by seat, None for a seat without points."""

    text: str
    rule: str
    points: tuple[int | None, ...]

    @property
    def rule_url(self) -> str:
        return rule_url(self.rule)

    def has_room(self, points: Sequence[int | None]) -> bool:
        """Whether no seat would have two numbers in this row."""
        return all(old is None or new is None for old, new in zip(self.points, points, strict=True))


class HandSheet(NamedTuple):
    """A finished hand on the score sheet; `totals` are the scores after it."""

    number: int
    summary: str
    rows: tuple[ScoreRow, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    panels: tuple[Panel, ...]

    def is_told_by(self, line: LogLine) -> bool:
        """Whether a line of the log tells of its end."""
        return self.summary != "" and self.summary.lower() in line.text.lower()

    def __hash__(self) -> int:
        """Cheap hash, since every board looks up the cached HTML of all its hands."""
        return hash((self.number, self.summary, self.totals))


_sheets: LRUCache[
    tuple[tuple[str, ...], int | None, tuple[int, ...]], tuple[tuple[HandResult, ...], tuple[HandSheet, ...]]
] = LRUCache(READERS)


def score_sheets(
    results: Sequence[HandResult], names: Sequence[str], *, scores: Sequence[int], viewer: int | None = None
) -> tuple[HandSheet, ...]:
    """The finished hands with running totals that end at `scores`: a loaded position may start with some.

    Those that the same reader was shown last are taken over.
    """
    reader = (tuple(names), viewer, tuple(scores))
    known, sheets = _sheets.get(reader) or ((), ())
    if known != tuple(results):
        sheets = _score_sheets(results, names, scores, viewer)
        _sheets.set(reader, (tuple(results), sheets))
    return sheets


def _score_sheets(
    results: Sequence[HandResult], names: Sequence[str], scores: Sequence[int], viewer: int | None
) -> tuple[HandSheet, ...]:
    gained = [sum(result.points[seat] for result in results) for seat in range(len(names))]
    totals = [score - points for score, points in zip(scores, gained, strict=True)]
    sheets = []
    for result in results:
        totals = [total + points for total, points in zip(totals, result.points, strict=True)]
        sheets.append(
            HandSheet(
                number=result.number,
                summary=with_full_stop(render_text(result.summary, names, viewer)),
                rows=score_rows(result.lines, names, viewer),
                points=result.points,
                totals=tuple(totals),
                panels=tuple(open_panel(zone, names, viewer) for zone in result.zones if zone.count),
            )
        )
    return tuple(sheets)


def score_rows(lines: Iterable[ScoreLine], names: Sequence[str], viewer: int | None = None) -> tuple[ScoreRow, ...]:
    """One row for each line; what different seats score by the same rule, in the same words, shares a row."""
    rows: list[ScoreRow] = []
    for line in lines:
        text = render_text(line.text, names, viewer)
        points = tuple(line.points if seat in line.seats else None for seat in range(len(names)))
        shared = next((row for row in rows if (row.text, row.rule) == (text, line.rule) and row.has_room(points)), None)
        if shared is None:
            rows.append(ScoreRow(text, line.rule, points))
        else:
            both = zip(shared.points, points, strict=True)
            rows[rows.index(shared)] = shared._replace(points=tuple([old if new is None else new for old, new in both]))
    return tuple(rows)
