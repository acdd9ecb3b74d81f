"""House bots of Tabletop Cribbage.

First steps looks at its own lines, and often not even at those. Club takes the best difference at once. Strong looks at
what the lines may become, and the expert also at who will reach the target first.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import exp
from random import Random

from games.bots import Reason
from games.bots.crib_race import LONGEST, Chances, Step, chances_of
from games.bots.rollouts import Scored, lead_of_scored
from games.core.card_bits import BIT, mask
from games.core.cards import RANKS, SUITS
from games.core.cribbage import SIDES, Count, line, rank_counts, rank_points
from games.engines.tabletop_cribbage.moves import CELLS, LINE_NAMES, LINES, SIZE, Place
from games.engines.tabletop_cribbage.scoring import count_line, score_limit
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
    """Maximizes what its own lines promise less what those of the opponent do. Quick enough to play a deal on."""

    prize = 0.0

    def choose(self, view: TabletopView, rng: Random) -> Place:
        lines = Lines.of_view(view, promise)
        rows, columns = own_and_other(view)
        return max(moves_of(view), key=lambda move: lines.gain(move, rows=rows - columns, columns=columns - rows))

    def lead_by_rule(self, world: TabletopState, move: Place) -> dict[str, float]:
        return lead_of_scored(played_out(world, move), world.to_act[0] % SIDES)


@dataclass(frozen=True, slots=True)
class Racer:
    """Like Strong, but weighs the points of each side by what they change in the chance to reach the target first.

    Near the end a dealer keeps the rows low, which are counted first.
    """

    def choose(self, view: TabletopView, rng: Random) -> Place:
        lines = Lines.of_view(view, promise)
        rows, columns = race_weights(view, lines)
        sign = 1 if own_and_other(view) == (1, 0) else -1
        return max(moves_of(view), key=lambda move: lines.gain(move, rows=sign * rows, columns=-sign * columns))


LEVELS = {"first-steps": FirstSteps(), "club": Club(), "strong": Strong()}


# What a view tells


def moves_of(view: TabletopView) -> list[Place]:
    return [move for move in view.moves if isinstance(move, Place)]


def own_and_other(view: TabletopView) -> tuple[int, int]:
    """(1, 0) for a seat that counts the rows, (0, 1) for one that counts the columns."""
    assert view.seat is not None, "a bot sits at the table"
    return (0, 1) if view.seat % 2 == view.dealer % 2 else (1, 0)


def best(moves: list[Place], gains: list[float], rng: Random) -> Place:
    """One of the moves that gain most."""
    most = max(gains)
    return rng.choice([move for move, gain in zip(moves, gains, strict=True) if gain == most])


# The lines of a board

_NUMBER = {name: cell for cell, name in enumerate(CELLS)}


@lru_cache(maxsize=1 << 15)
def worth(cards: int) -> int:
    """Score of a line so far."""
    return line(cards).total


@lru_cache(maxsize=1 << 15)
def worth_by_kind(cards: int) -> Count:
    return line(cards)


@lru_cache(maxsize=1 << 18)
def promise(cards: int) -> float:
    """Score of a line on average once other cards have filled it, whichever they are; flushes hardly ever happen."""
    missing = SIZE - cards.bit_count()
    return _filled(rank_counts(cards), missing) if missing else worth_by_kind(cards).total


@cache
def _filled(counts: int, missing: int) -> float:
    """Average points of cards, by the number of each rank, with so many others from the rest of the pack."""
    if not missing:
        return rank_points(counts)
    found = [(len(SUITS) - (counts >> 4 * rank & 15), counts + (1 << 4 * rank)) for rank in range(len(RANKS))]
    return sum(left * _filled(more, missing - 1) for left, more in found if left) / sum(left for left, _more in found)


class Lines:
    """The cards in each row and column, as bits. value: of a line."""

    def __init__(self, board: Iterable[int], value: Callable[[int], float] = worth) -> None:
        self.value = value
        self.rows, self.columns = [0] * SIZE, [0] * SIZE
        for cell, card in enumerate(board):
            self.add(cell, card)

    @classmethod
    def of_view(cls, view: TabletopView, value: Callable[[int], float] = worth) -> "Lines":
        return cls((BIT[card] if card else 0 for card in view.board), value)

    def add(self, cell: int, card: int) -> None:
        self.rows[cell // SIZE] |= card
        self.columns[cell % SIZE] |= card

    def gain(self, move: Place, *, rows: float, columns: float) -> float:
        """Value that a card adds to its row and its column, each weighted."""
        return self.gain_at(_NUMBER[move.cell], BIT[move.card], rows, columns)

    def gain_at(self, cell: int, card: int, rows: float, columns: float) -> float:
        value, row, column = self.value, self.rows[cell // SIZE], self.columns[cell % SIZE]
        return rows * (value(row | card) - value(row)) + columns * (value(column | card) - value(column))


# The race to the target

DEAL, DEAL_SPREAD = 25.6, 5.8  # what a side scores in a deal between strong bots, with its standard deviation
CARD = 0.1  # what a card to come adds to the promise of the lines of a side: players choose its place
NORMAL = ((-2.4, 0.03), (-1.6, 0.1), (-0.8, 0.22), (0.0, 0.3), (0.8, 0.22), (1.6, 0.1), (2.4, 0.03))
"""Some values of a normal distribution, in standard deviations, with their shares."""
STEP = 3  # points by which the weights look up and down
LEAST = 0.001  # weight of a side that is out of the race


@cache
def chances() -> Chances:
    """By what the dealer's and the other side need before a deal."""
    heights = [exp(-(((points - DEAL) / DEAL_SPREAD) ** 2) / 2) for points in range(int(2 * DEAL) + 1)]
    shares = [height / sum(heights) for height in heights]
    return chances_of([Step(shares, is_dealers=False), Step(shares, is_dealers=True)])


def race_weights(view: TabletopView, lines: Lines) -> tuple[float, float]:
    """How much a point in the rows and one in the columns change in the race; the same where there is none."""
    limit, missing = score_limit(view.options), view.board.count(None)
    if limit is None or view.options["scoring"] == "difference":
        return 1.0, 1.0
    dealer, other = (limit - view.scores[side] for side in (view.dealer % 2, 1 - view.dealer % 2))
    rows, columns = (sum(map(promise, side)) + CARD * missing for side in (lines.rows, lines.columns))
    spread = 2 * missing ** (1 / 3)  # of what a side will score

    def chance(more_rows: int, more_columns: int) -> float:
        """The dealer's chance, if the sides score so much more than they promise."""
        return sum(
            share
            * also
            * _chance_after(dealer - columns - more_columns - spread * away, other - rows - more_rows - spread * far)
            for far, share in NORMAL
            for away, also in NORMAL
        )

    return max(chance(-STEP, 0) - chance(STEP, 0), LEAST), max(chance(0, STEP) - chance(0, -STEP), LEAST)


def _chance_after(dealer: float, other: float) -> float:
    """The dealer's chance after the deal; the other side has counted first."""
    if other <= 0 or dealer <= 0:
        return float(other > 0)
    return 1 - chances()[_whole(other)][_whole(dealer)]


def _whole(need: float) -> int:
    return min(max(round(need), 1), LONGEST)


# Playing on


def played_out(world: TabletopState, move: Place) -> Iterator[Scored]:
    """What rows and columns score in a sampled deal that both sides play on like Strong."""
    board, lines = world.copy(), Lines(world.board, promise)
    seat = world.to_act[0]
    cell, upcoming = _NUMBER[move.cell], [list(pile) for pile in world.piles]
    while True:
        card = upcoming[seat].pop(0)
        board.lay(cell, card)
        lines.add(cell, BIT[card])
        if not board.empty:
            break
        seat = (seat + 1) % world.seats
        sign = -1 if seat % 2 == world.dealer % 2 else 1
        bit = BIT[upcoming[seat][0]]
        cell = max(board.open_cells(), key=lambda free: lines.gain_at(free, bit, sign, -sign))
    dealer = world.dealer % SIDES
    for side, own in ((1 - dealer, lines.rows), (dealer, lines.columns)):
        by_kind = map(sum, zip(*map(worth_by_kind, own), strict=True))
        for (rule, _what), points in zip(KINDS, by_kind, strict=True):
            yield f"tabletop-cribbage:{rule}", side, points


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
    other = "side" if view.seats > SIDES else "player"
    text = (
        f"It adds {_in_words(gain)} to your {LINE_NAMES[mine].lower()}, "
        f"and {_in_words(given)} to the other {other}'s {LINE_NAMES[theirs].lower()}. "
        f"Once filled with random cards, yours is worth {_promised(view, move, mine)}, "
        f"and theirs {_promised(view, move, theirs)}."
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


def _promised(view: TabletopView, move: Place, line: int) -> str:
    """What one of the `LINES` promises with a card and without it: "6.1 on average (4.2 without it)"."""
    before = mask(card for cell in LINES[line] if (card := view.board[cell]))
    return f"{promise(before | BIT[move.card]):.1f} on average ({promise(before):.1f} without it)"


def _in_words(gain: Count) -> str:
    parts = [f"{what} {points}" for (_rule, what), points in zip(KINDS, gain, strict=True) if points]
    return f"{gain.total} ({', '.join(parts)})" if parts else "nothing"
