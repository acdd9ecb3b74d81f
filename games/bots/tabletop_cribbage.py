"""House bots of Tabletop Cribbage.

First steps looks at its own lines, and often not even at those. Club takes the best difference at once. Strong plays
each space on to the full board, with imagined cards that both sides place as Club would.
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random

from games.bots import Reason
from games.core.card_bits import BIT
from games.core.cribbage import Count, line
from games.engines.tabletop_cribbage.game import TABLETOP_CRIBBAGE
from games.engines.tabletop_cribbage.moves import CELLS, LINE_NAMES, LINES, SIZE, Place
from games.engines.tabletop_cribbage.scoring import count_line
from games.engines.tabletop_cribbage.state import TabletopState
from games.engines.tabletop_cribbage.view import TabletopView


class FirstSteps:
    """Sees what a card scores in its own lines, not what it gives away.

    whim: how often it places a card just so.
    """

    whim = 0.35

    def choose(self, view: TabletopView, rng: Random) -> Place:
        moves = moves_of(view)
        if rng.random() < self.whim:
            return rng.choice(moves)
        lines = Lines.of_view(view)
        rows, _columns = own_and_other(view)
        return best(moves, [lines.gain(move, rows=rows, columns=1 - rows) for move in moves], rng)


class Club:
    """Maximizes the score of its own lines less that of the opponent's."""

    def choose(self, view: TabletopView, rng: Random) -> Place:
        moves, lines = moves_of(view), Lines.of_view(view)
        rows, columns = own_and_other(view)
        return best(moves, [lines.gain(move, rows=rows - columns, columns=columns - rows) for move in moves], rng)


class Strong:
    """Monte Carlo search with sampled cards. worlds: samples for each space."""

    worlds = 16

    def choose(self, view: TabletopView, rng: Random) -> Place:
        moves = moves_of(view)
        if len(moves) == 1:
            return moves[0]
        worlds = [TABLETOP_CRIBBAGE.sample(view, rng) for _ in range(self.worlds)]
        rows, columns = own_and_other(view)
        sign = rows - columns
        return max(moves, key=lambda move: sign * sum([lead_of_rows(world, move) for world in worlds]))


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


# What a view tells


def moves_of(view: TabletopView) -> list[Place]:
    return [move for move in view.moves if isinstance(move, Place)]


def own_and_other(view: TabletopView) -> tuple[int, int]:
    """(1, 0) for a seat that counts the rows, (0, 1) for one that counts the columns."""
    assert view.seat is not None, "a bot sits at the table"
    return (0, 1) if view.seat % 2 == view.dealer % 2 else (1, 0)


def best(moves: list[Place], gains: list[int], rng: Random) -> Place:
    """One of the moves that gain most."""
    most = max(gains)
    return rng.choice([move for move, gain in zip(moves, gains, strict=True) if gain == most])


# The lines of a board

_NUMBER = {name: cell for cell, name in enumerate(CELLS)}


@lru_cache(maxsize=1 << 15)
def worth(cards: int) -> int:
    """Score of a line so far."""
    return line(cards).total


class Lines:
    """The cards in each row and column, as bits."""

    def __init__(self, board: Iterable[int]) -> None:
        self.rows, self.columns = [0] * SIZE, [0] * SIZE
        for cell, card in enumerate(board):
            self.add(cell, card)

    @classmethod
    def of_view(cls, view: TabletopView) -> "Lines":
        return cls(BIT[card] if card else 0 for card in view.board)

    def add(self, cell: int, card: int) -> None:
        self.rows[cell // SIZE] |= card
        self.columns[cell % SIZE] |= card

    def gain(self, move: Place, *, rows: int, columns: int) -> int:
        """Score that a card adds to its row and its column, each weighted."""
        return self.gain_at(_NUMBER[move.cell], BIT[move.card], rows, columns)

    def gain_at(self, cell: int, card: int, rows: int, columns: int) -> int:
        row, column = self.rows[cell // SIZE], self.columns[cell % SIZE]
        return rows * (worth(row | card) - worth(row)) + columns * (worth(column | card) - worth(column))

    def lead_of_rows(self) -> int:
        return sum(map(worth, self.rows)) - sum(map(worth, self.columns))


def lead_of_rows(world: TabletopState, move: Place) -> int:
    """Score of the rows less the columns in a sampled deal that both sides play on like Club."""
    board, lines = world.copy(), Lines(world.board)
    seat = world.to_act[0]
    cell, upcoming = _NUMBER[move.cell], [list(pile) for pile in world.piles]
    while True:
        card = upcoming[seat].pop(0)
        board.lay(cell, card)
        lines.add(cell, BIT[card])
        if not board.empty:
            return lines.lead_of_rows()
        seat = (seat + 1) % world.seats
        sign = -1 if seat % 2 == world.dealer % 2 else 1
        bit = BIT[upcoming[seat][0]]
        cell = max(board.open_cells(), key=lambda free: lines.gain_at(free, bit, sign, -sign))


class Playouts:
    """Quick way to play a deal on, as Club would."""

    def outcome(self, world: TabletopState, move: Place) -> float:
        lead = lead_of_rows(world, move)
        return -lead if world.to_act[0] % 2 == world.dealer % 2 else lead


# What speaks for a move

KINDS = (
    ("line-fifteen", "fifteens"),
    ("line-pair", "pairs"),
    ("line-run", "runs"),
    ("line-flush", "a flush"),
    ("no-jack-points", "his nobs"),
)


def reason(view: TabletopView, move: Place) -> Reason:
    row, column = (number for number, cells in enumerate(LINES) if _NUMBER[move.cell] in cells)
    rows, _columns = own_and_other(view)
    mine, theirs = (row, column) if rows else (column, row)
    gain, given = _gain(view, move, mine), _gain(view, move, theirs)
    text = (
        f"It adds {_in_words(gain)} to your {LINE_NAMES[mine].lower()}, "
        f"and {_in_words(given)} to the other side's {LINE_NAMES[theirs].lower()}."
    )
    most = max(gain) and KINDS[gain.index(max(gain))][0]
    return Reason(text, f"tabletop-cribbage:{most or 'rows-columns'}")


def _gain(view: TabletopView, move: Place, line: int) -> Count:
    """Score that a card adds to one of the `LINES`, by kind."""
    before = [BIT[card] if card else 0 for card in view.board]
    after = [BIT[move.card] if cell == _NUMBER[move.cell] else card for cell, card in enumerate(before)]
    jacks = bool(view.options["heels_nobs"])
    then, now = (count_line(board, LINES[line], jacks=jacks) for board in (before, after))
    return Count(*(new - old for new, old in zip(now, then, strict=True)))


def _in_words(gain: Count) -> str:
    parts = [f"{what} {points}" for (_rule, what), points in zip(KINDS, gain, strict=True) if points]
    return f"{gain.total} ({', '.join(parts)})" if parts else "nothing"
