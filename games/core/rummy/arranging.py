"""The arrangement solver: lay all table cards, and as many hand cards as possible, as valid melds.

Question: given table cards (all must be used), hand cards (any part) and jokers, is there a partition into
valid melds (sets of three or four suits, runs of three or more), and which one uses the most cards from
hand?

Method: dynamic programming through the ranks, after J. van Rijn, F. Takes and J. Vis, "The Complexity of
Rummikub Problems", BNAIC 2015. All that matters after a rank is how long the open runs of each suit are:
one, two, or "three or more". Given how many cards of a suit go into runs, what happens to these runs is
forced: short ones must be extended, then long ones may be, and only then a new one begins. Runs of three or
more can be cut anywhere, so longer runs need no states of their own.

Runs that cross the seam of the circle (or end with a high ace) are assumed before the first rank and must
be there after the last: `HEAD` assumes one card or more before the seam and needs two behind it, `TAIL`
assumes two or more and needs exactly one. The value of a state is a set, kept as the bits of one integer,
of (jokers used, hand cards used, assumption); so all assumptions and all numbers of hand cards are solved
in one pass.

Cards are *counts*: 52 small integers indexed by `rank * 4 + suit`, ranks A 2 ... K, suits C D H S.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import prod
from typing import TypeAlias

from games.core.cards import RANK_INDEX, RANKS, SUIT_INDEX, SUITS
from games.core.rummy.melds import LONGEST_RUN, SMALLEST_MELD, Kind, SequenceKind

Counts: TypeAlias = tuple[int, ...]
Four: TypeAlias = tuple[int, ...]

NONE: Counts = (0,) * 52
LONG = 3
HEAD = 1
TAIL = 4
MOST_RUNS = 4
DEFAULT_STEPS = 400_000
KEPT_RANKS = 1024
KEPT_STATES = 50
STATE_STEPS = 5  # what a state costs beside its moves
FEW_STATES = 60  # not worth a search for better ones


class Unfinished(Exception):
    """The search ran out of its budget."""


class Budget:
    """Search budget in steps of about two microseconds; several searches may share it."""

    __slots__ = ("steps",)

    def __init__(self, steps: int = DEFAULT_STEPS) -> None:
        self.steps = steps

    def spend(self, steps: int) -> None:
        """:raises Unfinished: there are not so many left."""
        if steps > self.steps:
            raise Unfinished
        self.steps -= steps


def face_index(face: str) -> int:
    return RANK_INDEX[face[0]] * 4 + SUIT_INDEX[face[1]]


def counts(faces: Iterable[str]) -> Counts:
    """Counts of faces such as `7H`."""
    result = [0] * 52
    for face in faces:
        result[face_index(face)] += 1
    return tuple(result)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Melds as faces; which of these come from the hand and which are jokers.

    melds: kind and faces, a run from low to high. hand: the natural faces played.
    wild: the faces that jokers stand for. spare: how many of the jokers are from the hand.
    """

    melds: tuple[tuple[Kind, tuple[str, ...]], ...]
    hand: tuple[str, ...]
    wild: tuple[str, ...]
    spare: int

    @property
    def played(self) -> int:
        return len(self.hand) + self.spare


# Open runs of one suit: sorted lengths, numbered


def _grown(runs: tuple[int, ...], cards: int) -> tuple[int, ...] | None:
    """The open runs after a rank of which `cards` go into runs; None if a short run would be left."""
    short = [length for length in runs if length != LONG]
    spare = cards - len(short)
    if spare < 0:
        return None
    extended = [length + 1 for length in short if length != TAIL]
    longer = min(spare, len(runs) - len(short))
    return tuple(sorted(extended + [LONG] * longer + [1] * (spare - longer)))


RUNS: list[tuple[int, ...]] = [
    runs for size in range(MOST_RUNS + 1) for runs in combinations_with_replacement((HEAD, 2, LONG, TAIL), size)
]
RUNS_INDEX = {runs: index for index, runs in enumerate(RUNS)}
SUIT_BITS = 7
SUIT_MASK = (1 << SUIT_BITS) - 1
DEAD = -1
# By suit, number of the open runs and cards that go into runs: the new number, in its place in the state.
ADVANCE = [
    [
        [
            DEAD if (after := _grown(runs, cards)) is None else RUNS_INDEX[after] << suit * SUIT_BITS
            for cards in range(MOST_RUNS + 1)
        ]
        for runs in RUNS
    ]
    for suit in range(4)
]


def _meets(end: tuple[int, ...], assumed: tuple[int, ...]) -> bool:
    """Whether runs open at the end are what was assumed, one for one; long ones may also just end there."""
    ones, twos = end.count(1), end.count(2)
    heads = assumed.count(HEAD)
    return ones <= heads and ones + twos <= len(assumed) <= len(end)


def _numbers(state: int) -> tuple[int, int, int, int]:
    return (
        state & SUIT_MASK,
        state >> SUIT_BITS & SUIT_MASK,
        state >> 2 * SUIT_BITS & SUIT_MASK,
        state >> 3 * SUIT_BITS,
    )


@cache
def _need(first: int, second: int) -> list[int]:
    """By number of the open runs: the jokers they need with so many cards of each of the next two faces."""
    return [max(0, len(runs) - runs.count(LONG) - first) + max(0, runs.count(HEAD) - second) for runs in RUNS]


NO_NEED = [0] * len(RUNS)


def _better(runs: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Open runs that can do all that these can: one of them is longer, or there is a long one more."""
    if TAIL in runs:
        return set()
    longer = {runs[:place] + (runs[place] + 1,) + runs[place + 1 :] for place in range(len(runs)) if runs[place] < LONG}
    more = {(*runs, LONG)} if len(runs) < MOST_RUNS else set()
    return {tuple(sorted(better)) for better in longer | more}


BETTER = [  # by suit and number of the open runs: what to add to the state for better ones
    [[RUNS_INDEX[better] - index << suit * SUIT_BITS for better in _better(runs)] for index, runs in enumerate(RUNS)]
    for suit in range(4)
]


def _undominated(layer: dict[int, int]) -> dict[int, int]:
    """The states without what a better state reaches with the same jokers, hand cards and assumption."""
    kept = {}
    for state, bits in layer.items():
        clubs, diamonds, hearts, spades = _numbers(state)
        for step in BETTER[0][clubs] + BETTER[1][diamonds] + BETTER[2][hearts] + BETTER[3][spades]:
            bits &= ~layer.get(state + step, 0)
        if bits:
            kept[state] = bits
    return kept


# One rank


def _sets(cards: int, most: int) -> int | None:
    """Into how many sets so many cards of a rank split, `most` of them of one suit; None if they do not."""
    number = max(most, -(-cards // 4))
    return number if number * SMALLEST_MELD <= cards else None


Step: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Use:
    """What happens to one suit at one rank."""

    runs: int
    sets: int
    hand: int
    wild: int


class _Rank:
    """The moves from state to state over one rank, found when first asked for and kept.

    A state is the four numbers of the suits' open runs in one integer.
    """

    __slots__ = ("_found", "_plans", "_uses")

    def __init__(self, table: Four, hand: Four, wild: int) -> None:
        self._uses = [_uses(*cards, wild) for cards in zip(table, hand, strict=True)]
        self._plans = _plans(self._uses, wild)
        self._found: dict[int, tuple[Step, ...]] = {}

    def moves(self, state: int) -> tuple[Step, ...]:
        """(next state, jokers used, most hand cards used for that)."""
        found = self._found.get(state)
        if found is None:
            if len(self._found) == KEPT_STATES:
                self._found.clear()
            found = self._found[state] = self._moves(state)
        return found

    def _moves(self, state: int) -> tuple[Step, ...]:
        clubs, diamonds, hearts, spades = (ADVANCE[suit][runs] for suit, runs in enumerate(_numbers(state)))
        found = []
        for first, by_second in self._plans.items():
            if (one := clubs[first]) == DEAD:
                continue
            for second, by_third in by_second.items():
                if (two := diamonds[second]) == DEAD:
                    continue
                for third, plans in by_third.items():
                    if (three := hearts[third]) == DEAD:
                        continue
                    for fourth, wild, hand in plans:
                        if (four := spades[fourth]) != DEAD:
                            found.append((one | two | three | four, wild, hand))
        return tuple(found)

    def way(self, state: int, step: Step) -> tuple[_Use, ...]:
        """What happens to each suit in one of the `moves` of this state."""
        after, wild, hand = step
        choices = []
        for suit, uses in enumerate(self._uses):
            advance = ADVANCE[suit][state >> suit * SUIT_BITS & SUIT_MASK]
            choices.append([use for use in uses if advance[use.runs] == after & SUIT_MASK << suit * SUIT_BITS])
        return next(
            uses
            for uses in product(*choices)
            if sum(use.wild for use in uses) == wild
            and sum(use.hand for use in uses) == hand
            and _sets(sum(use.sets for use in uses), max(use.sets for use in uses)) is not None
        )


Plans: TypeAlias = dict[int, dict[int, dict[int, list[Step]]]]


def _plans(uses: list[list[_Use]], wild: int) -> Plans:
    """How many cards of each suit can go into runs while the other cards of the rank form sets.

    Found by the cards of clubs, diamonds and hearts: those of spades, the jokers used and the most hand cards.
    """
    partial: dict[tuple[tuple[int, ...], int, int, int], int] = {((), 0, 0, 0): 0}
    for suit in range(4):
        grown: dict[tuple[tuple[int, ...], int, int, int], int] = {}
        for (runs, in_sets, most, used), hand in partial.items():
            for use in uses[suit]:
                if used + use.wild <= wild:
                    key = ((*runs, use.runs), in_sets + use.sets, max(most, use.sets), used + use.wild)
                    grown[key] = max(grown.get(key, 0), hand + use.hand)
        partial = grown
    best: dict[tuple[tuple[int, ...], int], int] = {}
    for (runs, in_sets, most, used), hand in partial.items():
        if _sets(in_sets, most) is not None:
            best[runs, used] = max(best.get((runs, used), 0), hand)
    plans: Plans = {}
    for ((first, second, third, fourth), used), hand in best.items():
        by_third = plans.setdefault(first, {}).setdefault(second, {})
        by_third.setdefault(third, []).append((fourth, used, hand))
    return plans


@cache
def _uses(table: int, hand: int, wild: int) -> list[_Use]:
    return [
        _Use(total - sets, sets, played, jokers)
        for played in range(hand + 1)
        for jokers in range(wild + 1)
        for total in [table + played + jokers]
        if total <= MOST_RUNS
        for sets in range(total + 1)
    ]


@lru_cache(maxsize=KEPT_RANKS)
def _rank(table: Four, hand: Four, wild: int) -> _Rank:
    return _Rank(table, hand, wild)


# The seam


def _order(sequence: SequenceKind, nature: Counts, jokers: int) -> list[int]:
    """The ranks in the order of the search; in the circle from the seam that the fewest runs can cross."""
    if sequence == "high":
        return [*range(1, 13), 0]
    if sequence != "round":
        return list(range(13))
    empty = [rank for rank in range(13) if not any(nature[rank * 4 : rank * 4 + 4])]
    if empty and not jokers:
        return [(empty[0] + step) % 13 for step in range(13)]
    orders = [[(start + step) % 13 for step in range(13)] for start in range(13)]
    return min(orders, key=lambda order: prod(map(len, _crossings(sequence, order, nature, jokers))))


Crossings: TypeAlias = list[tuple[int, tuple[int, ...]]]


def _crossings(sequence: SequenceKind, order: list[int], nature: Counts, jokers: int) -> list[Crossings]:
    """By suit the runs that may be assumed at the seam, each with the jokers needed for them at least."""
    if sequence in ("low", "high"):
        return [[(0, ())]] * 4
    near = [nature[rank * 4 : rank * 4 + 4] for rank in (*order[-2:], *order[:2])]
    return [_crossings_of(sequence == "round", *faces, jokers) for faces in zip(*near, strict=True)]


@cache
def _crossings_of(is_circle: bool, before: int, last: int, first: int, second: int, jokers: int) -> Crossings:
    """The same for one suit, given how many cards of the two faces on each side of the seam there are."""
    found = []
    most = min(first, last) + jokers
    for heads in range(most + 1 if is_circle else 1):
        for tails in range(most + 1 - heads):
            missing = (heads + tails - first, heads + tails - last, heads - second, tails - before)
            needed = sum(max(0, short) for short in missing)
            if needed <= jokers:
                found.append((needed, (HEAD,) * heads + (TAIL,) * tails))
    return found


def _assumptions(sequence: SequenceKind, order: list[int], nature: Counts, jokers: int) -> list[int]:
    """The states that may be assumed before the first rank; the first assumes nothing."""
    partial = [(0, 0)]
    for suit, options in enumerate(_crossings(sequence, order, nature, jokers)):
        partial = [
            (used + needed, state | RUNS_INDEX[runs] << suit * SUIT_BITS)
            for used, state in partial
            for needed, runs in options
            if used + needed <= jokers
        ]
    return [state for _, state in partial]


def _met(assumptions: Sequence[int], suit: int, end: int) -> int:
    """The assumptions, as bits, that the open runs `end` of a suit keep."""
    shift = suit * SUIT_BITS
    return sum(1 << bit for bit, state in enumerate(assumptions) if _meets(RUNS[end], RUNS[state >> shift & SUIT_MASK]))


# The search


def arrange(
    sequence: SequenceKind,
    table: Counts,
    hand: Counts = NONE,
    *,
    wild: int = 0,
    spare: int = 0,
    budget: Budget | None = None,
) -> Arrangement | None:
    """The arrangement of all `table` cards that plays the most from `hand`; None if there is none at all.

    wild: jokers that must be used. spare: jokers from the hand, counted as hand cards; at most two in all.
    budget: when the search is given up; it spends what it needs.
    :raises Unfinished:
    """
    assert wild + spare <= 2, "the arranger knows at most two free jokers"
    return _Search(sequence, table, hand, wild, spare).run(budget or Budget())


class _Search:
    """One search.

    Bit (jokers * (hand cards + 1) + played) * assumptions + assumption of a state's value: it is reached so.
    """

    def __init__(self, sequence: SequenceKind, table: Counts, hand: Counts, wild: int, spare: int) -> None:
        self.wild, self.spare, self.jokers = wild, spare, wild + spare
        nature = tuple(map(int.__add__, table, hand))
        self.order = _order(sequence, nature, self.jokers)
        self.assumptions = _assumptions(sequence, self.order, nature, self.jokers)
        self.hand_step = len(self.assumptions)
        self.wild_step = self.hand_step * (sum(hand) + 1)
        self.ranks = [
            _rank(table[rank * 4 : rank * 4 + 4], hand[rank * 4 : rank * 4 + 4], self.jokers) for rank in self.order
        ]
        self.nature = nature
        self.layers: list[dict[int, int]] = [{state: 1 << bit for bit, state in enumerate(self.assumptions)}]

    def run(self, budget: Budget) -> Arrangement | None:
        for place, rank in enumerate(self.ranks):
            self._step(rank, self._needs(place), budget)
        best = self._best()
        return None if best is None else _Layout(self, *best).arrangement()

    def _needs(self, place: int) -> list[list[int]]:
        """By suit: what `_need` says of its open runs before the rank at this place."""
        if place == 12:
            return [NO_NEED] * 4  # what lies behind the seam has been counted at the start
        first, second = self.order[place] * 4, self.order[place + 1] * 4
        return [_need(self.nature[first + suit], self.nature[second + suit]) for suit in range(4)]

    def _step(self, rank: _Rank, needs: list[list[int]], budget: Budget) -> None:
        grown: dict[int, int] = {}
        everything = (1 << self.wild_step * (self.jokers + 1)) - 1
        for state, bits in self.layers[-1].items():
            if self.jokers:
                clubs, diamonds, hearts, spades = _numbers(state)
                need = needs[0][clubs] + needs[1][diamonds] + needs[2][hearts] + needs[3][spades]
                bits &= everything >> self.wild_step * need
                if not bits:
                    continue
            moves = rank.moves(state)
            budget.spend(len(moves) + STATE_STEPS)
            for after, wild, hand in moves:
                moved = bits << wild * self.wild_step + hand * self.hand_step
                if wild:
                    moved &= everything
                grown[after] = grown.get(after, 0) | moved
        self.layers.append(_undominated(grown) if self.jokers or len(grown) > FEW_STATES else grown)

    def _best(self) -> tuple[int, int] | None:
        """End state and bit of the arrangement with the most hand cards, of these with the fewest jokers."""
        best: tuple[int, int, int, int] | None = None
        kept: list[dict[int, int]] = [{}, {}, {}, {}]
        block = (1 << self.wild_step) - 1
        for state, bits in self.layers[-1].items():
            met = (1 << self.hand_step) - 1
            for suit, runs in enumerate(_numbers(state)):
                if runs not in kept[suit]:
                    kept[suit][runs] = _met(self.assumptions, suit, runs)
                met &= kept[suit][runs]
            if not met:
                continue
            met *= block // ((1 << self.hand_step) - 1)
            for wild in range(self.wild, self.jokers + 1):
                reached = bits >> wild * self.wild_step & block & met
                if reached:
                    top = reached.bit_length() - 1
                    played = top // self.hand_step + wild - self.wild
                    found = (played, -wild, -state, wild * self.wild_step + top)
                    best = found if best is None else max(best, found)
        return None if best is None else (-best[2], best[3])

    def path(self, state: int, bit: int) -> list[tuple[_Use, ...]]:
        """What happens to each suit at each rank on one way to a bit of an end state."""
        uses = []
        for layer, rank in zip(reversed(self.layers[:-1]), reversed(self.ranks), strict=True):
            state, bit, use = self._back(layer, rank, state, bit)
            uses.append(use)
        return uses[::-1]

    def _back(self, layer: dict[int, int], rank: _Rank, target: int, bit: int) -> tuple[int, int, tuple[_Use, ...]]:
        for state, bits in layer.items():
            for move in rank.moves(state):
                after, wild, hand = move
                earlier = bit - wild * self.wild_step - hand * self.hand_step
                if after == target and earlier >= 0 and bits >> earlier & 1:
                    return state, earlier, rank.way(state, move)
        raise AssertionError("a reached state has no way to it")


# Laying the melds


class _Layout:
    """Turns a way through the ranks into melds."""

    def __init__(self, search: _Search, end: int, bit: int) -> None:
        self.search = search
        self.path = search.path(end, bit)
        self.assumed = search.assumptions[bit % search.hand_step]
        self.melds: list[tuple[Kind, tuple[str, ...]]] = []

    def arrangement(self) -> Arrangement:
        hand: list[str] = []
        wild: list[str] = []
        for rank, uses in zip(self.search.order, self.path, strict=True):
            for suit, use in enumerate(uses):
                hand += [RANKS[rank] + SUITS[suit]] * use.hand
                wild += [RANKS[rank] + SUITS[suit]] * use.wild
            self._lay_sets(rank, [use.sets for use in uses])
        for suit in range(4):
            self._lay_runs(suit)
        return Arrangement(tuple(self.melds), tuple(hand), tuple(wild), len(wild) - self.search.wild)

    def _lay_sets(self, rank: int, cards: list[int]) -> None:
        number = _sets(sum(cards), max(cards))
        assert number is not None
        dealt = [suit for suit in range(4) for _ in range(cards[suit])]
        for first in range(number):
            self.melds.append(("set", tuple(RANKS[rank] + SUITS[suit] for suit in dealt[first::number])))

    def _lay_runs(self, suit: int) -> None:
        """Follows the runs of a suit through the ranks and ties those that cross the seam."""
        seam = [_Open(length) for length in RUNS[self.assumed >> suit * SUIT_BITS & SUIT_MASK]]
        begun = list(seam)
        running = list(seam)
        for rank, uses in zip(self.search.order, self.path, strict=True):
            running = _extend(running, uses[suit].runs, RANKS[rank] + SUITS[suit], begun)
        _tie(running, seam)
        for run in sorted(begun, key=lambda run: run.continues):
            if not run.laid:
                self.melds += [("run", piece) for piece in _pieces(run.chain())]


class _Open:
    """A run while it is laid. length: as the state counts it. following: what goes on behind the seam."""

    __slots__ = ("continues", "faces", "following", "laid", "length")

    def __init__(self, length: int) -> None:
        self.length = length
        self.faces: list[str] = []
        self.following: _Open | None = None
        self.continues = False
        self.laid = False

    def chain(self) -> list[str]:
        faces: list[str] = []
        run: _Open | None = self
        while run is not None and not run.laid:
            run.laid = True
            faces += run.faces
            run = run.following
        return faces


def _extend(running: list[_Open], cards: int, face: str, begun: list[_Open]) -> list[_Open]:
    """The runs that are still open after `cards` of this face have been laid, as in `_grown`."""
    short = [run for run in running if run.length != LONG]
    longer = [run for run in running if run.length == LONG][: cards - len(short)]
    fresh = [_Open(0) for _ in range(cards - len(short) - len(longer))]
    begun += fresh
    for run in (*short, *longer, *fresh):
        run.faces.append(face)
    still_open = [run for run in short if run.length != TAIL] + longer + fresh
    for run in still_open:
        run.length = min(run.length + 1, LONG)
    return still_open


def _tie(ends: list[_Open], seam: list[_Open]) -> None:
    """Joins the runs open after the last rank with those assumed before the first, the shortest to heads."""
    for end, assumed in zip(sorted(ends, key=lambda run: run.length), seam, strict=False):
        end.following = assumed
        assumed.continues = True


def _pieces(faces: list[str]) -> list[tuple[str, ...]]:
    """A run cut into runs of at most thirteen cards."""
    pieces = []
    while len(faces) > LONGEST_RUN:
        size = min(LONGEST_RUN, len(faces) - SMALLEST_MELD)
        pieces.append(tuple(faces[:size]))
        faces = faces[size:]
    return [*pieces, tuple(faces)]
