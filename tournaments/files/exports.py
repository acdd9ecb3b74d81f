"""The results of an event as files: tables for spreadsheets, everything as JSON, a Swiss as a tournament report.

The JSON object has these keys:

- `event`: `id`, `name`, `url`, `series` (name or null), `game`, `format`, `status`, `starts_at`, `finished_at`
  (ISO 8601 or null), `settings` (what one wants to know before entering, by name), `lots` (what lots are drawn by);
- `setup`: every setting by its name; a new event can be made from it (`event_files`);
- `entries`: `id`, `team` (its name, "" elsewhere), `players` (user names as others see them), `is_bot`, `seed`,
  `rating` (when it was seeded, or null), `first_round`, `status`, `sits_out` (after missed matches), `place`,
  `last_place` (null while they are open);
- `standings`, best first: `entry` (id), `place`, `last_place`, `points` (null where none are counted), `wins`, `draws`,
  `losses`, `reason`, `tie_breaks` (`code`, `value` as shown, `text`), `compared` and `percent` (totals of duplicate
  rounds that are over, null without);
- `matches`, in the order of their rounds: `section`, `round` (from 1), `table` (from 1), `title`, `status`,
  `decided_by`, `reason`, `why_paired`, `sides` (`entry`, `played_by` (names of those who played it, where a
  substitute has come since, or null), `place`, `games_won`, `points`), `games` (addresses), and of a match between
  teams `boards`: `board` (from 1), `status`, `decided_by`, `reason`, `players` and `results` by side ("1", "½", "0",
  "+" or "−" for a forfeit, "" while it is open), `game` (address or null). `points` of teams are board points.
- `travellers`, of each deal of a duplicate round that is over: `section`, `round`, `deal`, `seats` (of each side),
  `tables`, best first for the first side: `game` (address) and `results` by side (`entry`, `score`, `difference`,
  `compared`, `percent`; the last two null where no other table had the cards).
"""

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from tournaments.files.event_files import settings_as_json
from tournaments.formats import trf
from tournaments.formats.contract import Standing
from tournaments.formats.duplicate import DuplicateTotal
from tournaments.formats.numbers import plain_number, written
from tournaments.models import Entry, Event
from tournaments.presentation import EventDraw, MatchBox, entry_wording, facts_of
from tournaments.presentation.match_box import BoardLine
from tournaments.presentation.standings import StandingRow
from tournaments.presentation.travellers import TravellerSheet, traveller_sheets

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

CsvCell = str | int | None


def rows_as_csv(rows: Iterable[Sequence[CsvCell]]) -> str:
    """A text that a spreadsheet would take for a formula gets an apostrophe (CSV injection)."""
    text = io.StringIO()
    csv.writer(text).writerows([_without_formula(cell) for cell in row] for row in rows)
    return text.getvalue()


def _without_formula(cell: CsvCell) -> CsvCell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def standings_table(draw: EventDraw) -> Iterator[list[CsvCell]]:
    """A heading, then a row for each entry, best first."""
    columns = draw.columns
    codes = [tie_break.code for tie_break in columns.tie_breaks]
    duplicate = [columns.compared.name, *(["Percent"] if columns.is_percent else [])] if columns.compared else []
    heading = ["Place", "Last place", "Name", "Seed", "Points", "Won", "Drawn", "Lost", *codes, *duplicate]
    yield [*heading, "Why", "Played before"]
    for standing, row in zip(draw.ranking, draw.rows(draw.ranking), strict=True):
        about: list[CsvCell] = [standing.place, standing.last_place, row.entry.name, row.entry.seed]
        counts: list[CsvCell] = [plain_number(row.points), row.wins, row.draws, row.losses]
        figures: list[CsvCell] = [plain_number(figure.value) for figure in row.figures]
        figures += [plain_number(row.compared), row.percent][: len(duplicate)]
        yield [*about, *counts, *figures, row.reason, row.substituted]


def entries_table(event: Event) -> Iterator[list[CsvCell]]:
    """For directors: a heading, then a row for each entry, with what was asked and noted."""
    labels = [question["label"] for question in event.questions]
    yield ["Seed", "Name", "Rating", "Status", "Paid", "Note", *labels]
    for entry in event.entries.with_players().order_by("seed", "entered_at", "pk"):
        rating = None if entry.rating is None else round(entry.rating)
        about: list[CsvCell] = [entry.seed, entry.name, rating, entry_wording.status_in_words(entry)]
        yield [*about, "yes" if entry.has_paid else "no", entry.note, *(entry.answers.get(label) for label in labels)]


def results_table(draw: EventDraw) -> Iterator[list[CsvCell]]:
    """A heading, then a row for each side of each match; of teams also one for each player at its boards."""
    yield ["Section", "Round", "Match", "Name", "Place", "Games won", "Points", "Status", "Decided by", "Reason"]
    for box in draw.every_match:
        for side in box.sides:
            name = side.played_by or draw.names[side.entry_id]
            points = side.points if side.board_points is None else plain_number(written(Fraction(side.board_points)))
            yield [
                box.section, box.round, box.title, name, side.place, side.games_won, points,
                box.paired.get_status_display(), box.paired.get_decided_by_display(), box.paired.reason,
            ]  # fmt: skip
        for board in box.boards:
            for player in board.sides:
                yield [
                    box.section, box.round, f"{box.title}, board {board.number}", player.name, "", "", player.sign,
                    board.match.get_status_display(), board.match.get_decided_by_display(), board.match.reason,
                ]  # fmt: skip


def event_as_json(draw: EventDraw, *, site: str) -> dict[str, Any]:
    """The JSON object described above. site: origin of the addresses."""
    return {
        "event": _event(draw.event, site),
        "setup": settings_as_json(draw.event),
        "entries": [
            entry_as_json(entry) for entry in sorted(draw.entries.values(), key=lambda entry: entry.known_seed)
        ],
        "standings": [
            _standing(standing, row, draw.duplicate_totals.get(standing.entrant))
            for standing, row in zip(draw.ranking, draw.rows(draw.ranking), strict=True)
        ],
        "matches": [_match(box, site) for box in draw.every_match],
        "travellers": [_traveller(sheet, site) for sheet in traveller_sheets(draw.event)],
    }


ENTRY_FIELDS = ("seed", "rating", "first_round", "status", "sits_out", "place", "last_place")


def entry_as_json(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.pk,
        "team": entry.team_name,
        "players": [player.display_name for player in entry.players],
        "is_bot": entry.has_bot_badge,
        **{name: getattr(entry, name) for name in ENTRY_FIELDS},
    }


def _event(event: Event, site: str) -> dict[str, Any]:
    return {
        "id": event.pk,
        "name": event.name,
        "url": site + event.get_absolute_url(),
        "series": event.series.name if event.series else None,
        "game": event.game,
        "format": event.format,
        "status": event.status,
        "starts_at": event.starts_at,
        "finished_at": event.finished_at,
        "settings": dict(facts_of(event)),
        "lots": event.lots,
    }


def _standing(standing: Standing, row: StandingRow, total: DuplicateTotal | None) -> dict[str, Any]:
    return {
        "entry": row.entry.pk,
        "place": standing.place,
        "last_place": standing.last_place,
        "points": None if standing.points is None else float(standing.points),
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "reason": row.reason,
        "tie_breaks": [{"code": figure.code, "value": figure.value, "text": figure.text} for figure in row.figures],
        "compared": float(total.made) if total else None,
        "percent": _rounded(total.percent) if total else None,
    }


def _rounded(number: Fraction | None) -> float | None:
    return None if number is None else round(float(number), 4)


def _match(box: MatchBox, site: str) -> dict[str, Any]:
    return {
        "id": box.paired.pk,
        "section": box.section,
        "round": box.round,
        "table": None if box.is_bye else box.paired.slot + 1,
        "title": box.title,
        "status": box.paired.status,
        "decided_by": box.paired.decided_by,
        "reason": box.paired.reason,
        "why_paired": box.why,
        "sides": [
            {
                "entry": side.entry_id,
                "played_by": side.played_by or None,
                "place": side.place,
                "games_won": side.games_won,
                "points": side.points if side.board_points is None else float(side.board_points),
            }
            for side in box.sides
        ],
        "games": [site + table.get_absolute_url() for table in box.tables if not table.is_hidden],
        "boards": [_board(board, site) for board in box.boards],
    }


def _board(board: BoardLine, site: str) -> dict[str, Any]:
    return {
        "id": board.match.pk,
        "board": board.number,
        "status": board.match.status,
        "decided_by": board.match.decided_by,
        "reason": board.match.reason,
        "players": [side.name for side in board.sides],
        "results": [side.sign for side in board.sides],
        "game": site + board.watch_url if board.watch_url else None,
    }


def travellers_table(event: Event) -> Iterator[list[CsvCell]]:
    """A heading, then a row for each side at each table of each deal of a round that is over."""
    yield ["Section", "Round", "Deal", "Game", "Seats", "Name", "Score", "Difference", "Compared", "Percent"]
    for sheet in traveller_sheets(event):
        for number, row in enumerate(sheet.rows, start=1):
            for seats, side in zip(sheet.seats, row.sides, strict=True):
                yield [
                    sheet.round.section, sheet.round.number, sheet.deal, number, " ".join(map(str, seats)),
                    side.entry.name, side.score, plain_number(side.difference), plain_number(side.compared),
                    side.percent,
                ]  # fmt: skip


def _traveller(sheet: TravellerSheet, site: str) -> dict[str, Any]:
    return {
        "section": sheet.round.section,
        "round": sheet.round.number,
        "deal": sheet.deal,
        "seats": sheet.seats,
        "tables": [
            {
                "game": site + row.table.get_absolute_url(),
                "results": [
                    {
                        "entry": side.entry.pk,
                        "score": side.score,
                        "difference": _rounded(side.result.difference),
                        "compared": _rounded(side.result.compared),
                        "percent": _rounded(side.share),
                    }
                    for side in row.sides
                ],
            }
            for row in sheet.rows
        ],
    }


def swiss_as_trf(draw: EventDraw) -> str:
    """A Swiss as a tournament report file, see `tournaments.formats.trf`."""
    names = {pk: ascii_name(name) or f"Entry {draw.entries[pk].seed}" for pk, name in draw.names.items()}
    event = draw.event
    rounds = event.plan.rounds(len(draw.entries))
    about = [f"042 {event.starts_at:%Y/%m/%d}"]
    if event.finished_at:
        about.append(f"052 {event.finished_at:%Y/%m/%d}")
    about += [f"062 {len(draw.entries)}", f"092 {event.plan.name}, {event.rules.name}"]
    published = event.rounds.exclude(published_at=None).order_by("number").values_list("published_at", flat=True)
    about += [trf.dates_line([f"{at:%y/%m/%d}" for at in published if at]), f"142 {rounds}"]
    about += trf.tie_breaks_lines(getattr(event.plan, "tie_breaks", ()))
    about += [] if event.reasons_are_private else trf.forbidden_lines(draw.known, rounds)
    title = ascii_name(event.name)
    return trf.trf_document(draw.known, draw.ranking, title=title, names=names, rounds=rounds, about=about)


def ascii_name(name: str) -> str:
    """Without accents, and without characters that ASCII does not have."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().strip()
