"""The show at the end of a deal of Tabletop Cribbage: the board counted line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from games.core.card_bits import BIT, cards, union
from games.core.contract import HandEnd, Phrase, Show, Stage, Zone
from games.core.cribbage import SIDES, Count, combinations_of, said_together, spoken
from games.core.shows import last_move, line_stages, points_for, with_cards
from games.core.sides import seats_of_side, side_in_words
from games.engines.tabletop_cribbage.moves import CELL_NUMBER, CENTRE, LINE_NAMES, LINES, SIZE, Place
from games.engines.tabletop_cribbage.scoring import BoardCount, count_board
from games.engines.tabletop_cribbage.state import TabletopState


def show_hand(end: HandEnd[TabletopState, Place]) -> Show:
    """The show of a deal. Lines that score only by their difference are counted first, without points."""
    before = end.before
    board = before.board[:]
    board[CELL_NUMBER[end.move.cell]] = BIT[end.move.card]
    counted = _counted_lines(end, board, count_board(board, jacks=bool(before.options["heels_nobs"])))
    if before.options["scoring"] == "difference":
        count = (*(line.stage for line in counted), *_difference(end))
    else:
        count = tuple(_pegged(counted, before))
    return Show(before.view(None).scores, tuple(_zones(end)), (last_move(end), *count, *_end_of_game(end)))


def _zones(end: HandEnd[TabletopState, Place]) -> Iterator[Zone]:
    """The full board without a card to place; the cards that were not used stay closed."""
    for zone in end.before.view(None).zones:
        if zone.id == f"cell:{end.move.cell}":
            yield with_cards(zone, [end.move.card], note=zone.note)
        elif zone.id != "turned":
            yield zone
    yield Zone("unused", "stock", "Not used", (), len(end.before.unused))


class CountedLine(NamedTuple):
    """A stage of the count that gives points to a side."""

    side: int
    stage: Stage
    points: int = 0


def _counted_lines(
    end: HandEnd[TabletopState, Place], board: Sequence[int], found: BoardCount
) -> Iterator[CountedLine]:
    """The rows, then the columns."""
    column_side = end.before.dealer % SIDES
    row_side = 1 - column_side
    yield CountedLine(row_side, _whose("rows", row_side, end.before.seats))
    for number in range(SIZE):
        yield CountedLine(row_side, _line_stage(board, number, found.counts[number]), found.counts[number].total)
    yield CountedLine(column_side, _whose("columns", column_side, end.before.seats))
    if found.heels:
        phrase = Phrase("", "His heels: two for the jack in the middle")
        heels = Stage(phrase, cards=cards(board[CENTRE]), rule="tabletop-cribbage:no-jack-points")
        yield CountedLine(column_side, heels, found.heels)
    for number in range(SIZE, len(LINES)):
        yield CountedLine(column_side, _line_stage(board, number, found.counts[number]), found.counts[number].total)


def _whose(lines: str, side: int, seats: int) -> Stage:
    phrase = Phrase("", f"The {lines} count for {side_in_words(side, seats, SIDES)}")
    return Stage(phrase, rule="tabletop-cribbage:rows-columns")


def _line_stage(board: Sequence[int], number: int, count: Count) -> Stage:
    """A line counted aloud, with the cards that score in it."""
    line, centre = union(board[cell] for cell in LINES[number]), board[CENTRE]
    found = list(combinations_of(count, line, line & ~centre, centre))
    words = ", ".join(spoken(said_together(found))) or "no points"
    lifted = cards(union(one.cards for one in found))
    return Stage(Phrase("", f"{LINE_NAMES[number]}: {words}"), cards=lifted, rule="tabletop-cribbage:line-as-hand")


def _pegged(lines: Iterable[CountedLine], before: TabletopState) -> Iterator[Stage]:
    """The stages with their points, until a side reaches the target."""
    scores = before.scores[:]
    for side, stage, worth in lines:
        points = worth if before.limit is None else min(worth, before.limit - scores[side])
        scores[side] += points
        by_seat = points_for(seats_of_side(side, before.seats, SIDES), points, before.seats)
        yield stage._replace(points=by_seat if points else ())
        if scores[side] == before.limit:
            return


def _difference(end: HandEnd[TabletopState, Place]) -> Iterator[Stage]:
    """What the better side scores."""
    if not end.result.lines:
        yield Stage(Phrase("", "Rows and columns are equal, so no one scores"))
    yield from line_stages(end)


def _end_of_game(end: HandEnd[TabletopState, Place]) -> Iterator[Stage]:
    limit, scores = end.after.limit, end.after.scores
    if limit is not None and limit in scores:
        winner = side_in_words(scores.index(limit), end.after.seats, SIDES)
        yield Stage(Phrase("", f"{winner} reached {limit} first"), rule="tabletop-cribbage:game-121")
