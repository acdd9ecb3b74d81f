"""The arrangement solver: lay all table cards, and as many hand cards as possible, as valid melds.

Question: given table cards (all must be used), hand cards (any part) and jokers, is there a partition into
valid melds (sets of three or four suits, runs of three or more), and which one uses the most cards from
hand?

Method: depth-first search through the ranks, with the states of J. van Rijn, F. Takes and J. Vis, "The Complexity of
Rummikub Problems", BNAIC 2015. All that matters after a rank is how long the open runs of each suit are: one, two, or
"three or more". Given how many cards of a suit go into runs, what happens to these runs is forced: short ones must be
extended, then long ones may be, and only then a new one begins. Runs of three or more can be cut anywhere, so longer
runs need no states of their own.

Each search has a limit, the hand cards that may be skipped, and tries the plans that skip fewest cards first. What it
found is kept by rank, state and jokers left: the fewest cards skipped with success, and the most without. So the next
search, with a lower limit, is short, and the last, which fails, proves that no more cards can be played.

Runs that cross the seam of the circle (or end with a high ace) are assumed before the first rank and must be there
after the last: `HEAD` assumes one card or more before the seam and needs two behind it, `TAIL` assumes two or more and
needs exactly one. A search that accepts every end shows quickly which assumptions cannot help.

Cards are *counts*: one integer with three bits for each face, ranks A 2 ... K, in each rank the suits C D H S. So the
cards of a rank are twelve bits, and cards are put together by adding their counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations_with_replacement, product, zip_longest
from operator import attrgetter
from typing import TypeAlias

from games.core.cards import RANK_INDEX, RANKS, SUIT_INDEX, SUITS
from games.core.rummy.melds import LONGEST_RUN, SMALLEST_MELD, Kind, SequenceKind

Counts: TypeAlias = int
Four: TypeAlias = tuple[int, int, int, int]

LONG = 3
HEAD = 1
TAIL = 4
MOST_RUNS = 4
MOST_JOKERS = 2
KEPT_RANKS = 2048
KEPT_PLACES = 2048
KEPT_ANSWERS = 8192
FAILED = 999  # more cards than any search may skip

FACE_BITS = 3
RANK_BITS = 4 * FACE_BITS
FACE_INDEX = {rank + suit: RANK_INDEX[rank] * 4 + SUIT_INDEX[suit] for rank in RANKS for suit in SUITS}
ONE: dict[str, Counts] = {shown: 1 << FACE_BITS * index for shown, index in FACE_INDEX.items()}
PLENTY = 0o4444
"""Cards of a rank that are enough for all runs."""


def counts(faces: Iterable[str]) -> Counts:
    """Counts of faces such as `7H`."""
    return sum(map(ONE.__getitem__, faces))


def _by_rank(cards: Counts) -> list[int]:
    return [cards >> first & RANK_MASK for first in range(0, 13 * RANK_BITS, RANK_BITS)]


RANK_MASK = (1 << RANK_BITS) - 1
FOURS: list[Four] = [(cards & 7, cards >> 3 & 7, cards >> 6 & 7, cards >> 9) for cards in range(RANK_MASK + 1)]
"""The cards of a rank by suit."""


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
SHORT = [len(runs) - runs.count(LONG) for runs in RUNS]
SUIT_BITS = 7
SUIT_MASK = (1 << SUIT_BITS) - 1
STATE_BITS = 4 * SUIT_BITS
STATE_MASK = (1 << STATE_BITS) - 1
"""A state: the numbers of the suits' open runs in one integer."""


def _numbers(state: int) -> Four:
    return (
        state & SUIT_MASK,
        state >> SUIT_BITS & SUIT_MASK,
        state >> 2 * SUIT_BITS & SUIT_MASK,
        state >> 3 * SUIT_BITS,
    )


@cache
def _steps(suit: int, first: int, second: int) -> list[list[int]]:
    """By number of the open runs and cards that go into runs: the new number, in its place in the state.

    Above the state are the jokers that the new runs need, with so many cards of each of the next two faces.
    """
    return [[_step(suit, _grown(runs, cards), first, second) for cards in range(MOST_RUNS + 1)] for runs in RUNS]


def _step(suit: int, runs: tuple[int, ...] | None, first: int, second: int) -> int:
    if runs is None:
        return FAILED << STATE_BITS
    needed = max(0, len(runs) - runs.count(LONG) - first) + max(0, runs.count(HEAD) - second)
    return (needed << STATE_BITS) + (RUNS_INDEX[runs] << suit * SUIT_BITS)


WINDOW_BITS = 4
GUARDS = 0x8888
"""Windows check the cards of all suits at once: four bits for each suit, the highest of which stays if they fit."""


@cache
def _windows(suit: int, first: int, second: int) -> list[list[int]]:
    """By jokers left and number of the open runs: how many cards may go into runs, see `_steps`.

    The lower half is eight less the fewest in the suit's place, the upper half eight more than the most.
    """
    needed = [[step >> STATE_BITS for step in steps] for steps in _steps(suit, first, second)]
    return [
        [
            (8 - short | 8 + _most(line, left) << 4 * WINDOW_BITS) << suit * WINDOW_BITS
            for short, line in zip(SHORT, needed, strict=True)
        ]
        for left in range(MOST_JOKERS + 1)
    ]


def _most(needed: list[int], left: int) -> int:
    """The most cards that may go into runs, given the jokers that each number needs; -1 if none may."""
    return max((cards for cards, jokers in enumerate(needed) if jokers <= left), default=-1)


Steps: TypeAlias = list[list[list[int]]]


@lru_cache(maxsize=KEPT_ANSWERS)
def _before(near: int, far: int) -> tuple[Steps, Steps]:
    """By suit `_steps`, and by jokers left and suit `_windows`, before ranks with so many cards."""
    following = list(zip(range(4), FOURS[near], FOURS[far], strict=True))
    windows = zip(*(_windows(*place) for place in following), strict=True)
    return [_steps(*place) for place in following], list(map(list, windows))


@cache
def _meets(end: int, assumed: int) -> bool:
    """Whether the runs open at the end are what was assumed, one for one; long ones may also just end there."""
    open_runs, wanted = RUNS[end], RUNS[assumed]
    ones, twos = open_runs.count(1), open_runs.count(2)
    return ones <= wanted.count(HEAD) and ones + twos <= len(wanted) <= len(open_runs)


# One rank


def _sets(cards: int, most: int) -> int | None:
    """Into how many sets so many cards of a rank split, `most` of them of one suit; None if they do not."""
    number = max(most, -(-cards // 4))
    return number if number * SMALLEST_MELD <= cards else None


@dataclass(frozen=True, slots=True)
class _Use:
    """What happens to one suit at one rank. skipped: hand cards that stay in the hand."""

    runs: int
    sets: int
    hand: int
    skipped: int
    wild: int


@cache
def _uses(table: int, hand: int, wild: int) -> list[_Use]:
    return [
        _Use(total - sets, sets, played, hand - played, jokers)
        for played in range(hand + 1)
        for jokers in range(wild + 1)
        for total in [table + played + jokers]
        if total <= MOST_RUNS
        for sets in range(total + 1)
    ]


@cache
def _plans(suits: tuple[tuple[int, int], ...], jokers: int) -> list[tuple[tuple[int, ...], int]]:
    """The plans for a rank: how many cards of each suit go into runs, and how many hand cards are skipped.

    The cards that go into no run form sets. jokers: so many are used.

    suits: table and hand cards of each, ascending, so that there are only a few hundred different questions.
    """
    partial: dict[tuple[tuple[int, ...], int, int, int], int] = {((), 0, 0, 0): 0}
    for table, hand in suits:
        grown: dict[tuple[tuple[int, ...], int, int, int], int] = {}
        for (runs, in_sets, most, wild), skipped in partial.items():
            for use in _uses(table, hand, jokers - wild):
                key = ((*runs, use.runs), in_sets + use.sets, max(most, use.sets), wild + use.wild)
                grown[key] = min(grown.get(key, FAILED), skipped + use.skipped)
        partial = grown
    fewest: dict[tuple[int, ...], int] = {}
    for (runs, in_sets, most, wild), skipped in partial.items():
        if wild == jokers and _sets(in_sets, most) is not None:
            fewest[runs] = min(fewest.get(runs, FAILED), skipped)
    return list(fewest.items())


Plan: TypeAlias = tuple[int, int, Four]
"""Cards of each suit that go into runs, as a window compares them, the hand cards then skipped, and the cards again."""


@lru_cache(maxsize=KEPT_ANSWERS)
def _plans_of(table: int, hand: int, lying: int, jokers: int) -> list[Plan]:
    """The plans for the cards of a rank, with so many jokers used.

    Few cards skipped come first, then what is likest to what is `lying` in runs now.
    """
    cards = list(zip(FOURS[table], FOURS[hand], strict=True))
    ascending = sorted(range(4), key=cards.__getitem__)
    first, second, third, fourth = map(ascending.index, range(4))
    found: list[tuple[int, int, int, Four]] = []
    for place, (runs, skipped) in enumerate(_plans(tuple(sorted(cards)), jokers)):
        four = runs[first], runs[second], runs[third], runs[fourth]
        found.append((skipped, sum(map(abs, map(int.__sub__, four, FOURS[lying]))), place, four))
    return [
        (sum(cards << suit * WINDOW_BITS for suit, cards in enumerate(runs)), skipped, runs)
        for skipped, _changes, _place, runs in sorted(found)
    ]


Move: TypeAlias = tuple[int, int, Four]
"""One way through a rank: the hand cards skipped, the state behind it as a key, the cards of each suit in runs."""


class _Moves(dict[int, list[Move]]):
    """The moves through a rank from each state with the jokers left, see `_key`, found when they are first asked for.

    near, far: the cards of the next two ranks, without which no run needs to begin. Few jokers come first.
    """

    def __init__(self, cards: tuple[int, int, int], near: int, far: int) -> None:
        self._cards = cards
        self._steps, self._windows = _before(near, far)

    def __missing__(self, key: int) -> list[Move]:
        clubs, diamonds, hearts, spades = _numbers(key & STATE_MASK)
        steps = self._steps
        one, two, three, four = steps[0][clubs], steps[1][diamonds], steps[2][hearts], steps[3][spades]
        jokers = key >> STATE_BITS
        moves = self[key] = []
        for wild in range(jokers + 1):
            left = jokers - wild
            windows = self._windows[left]
            window = windows[0][clubs] + windows[1][diamonds] + windows[2][hearts] + windows[3][spades]
            low, high = window & 0xFFFF, window >> 16
            for cards, skipped, runs in _plans_of(*self._cards, wild):
                if (cards + low) & (high - cards) & GUARDS == GUARDS:
                    step = one[runs[0]] + two[runs[1]] + three[runs[2]] + four[runs[3]]
                    if step >> STATE_BITS <= left:
                        moves.append((skipped, _key(step & STATE_MASK, left), runs))
        return moves


class _Rank:
    """The table and hand cards of one rank, which of them lie in runs now, and the moves through it."""

    __slots__ = ("cards", "held", "moves")

    def __init__(self, table: int, hand: int, lying: int, near: int, far: int) -> None:
        self.cards = table, hand
        self.held = sum(FOURS[hand])
        self.moves = _Moves((table, hand, lying), near, far)


_rank = lru_cache(maxsize=KEPT_RANKS)(_Rank)


@lru_cache(maxsize=KEPT_ANSWERS)
def _uses_in(table: int, hand: int, runs: Four, skipped: int, jokers: int) -> tuple[_Use, ...]:
    """What happens to each suit in one of the plans for these cards."""
    choices = [
        [use for use in _uses(there, held, jokers) if use.runs == cards]
        for there, held, cards in zip(FOURS[table], FOURS[hand], runs, strict=True)
    ]
    return next(
        uses
        for uses in product(*choices)
        if sum(use.skipped for use in uses) == skipped
        and sum(use.wild for use in uses) == jokers
        and _sets(sum(use.sets for use in uses), max(use.sets for use in uses)) is not None
    )


# The seam


def _start(sequence: SequenceKind, both: Sequence[int]) -> int:
    """The rank with which the search begins; in the circle it is behind a seam that few runs can cross."""
    if sequence == "high":
        return 1
    if sequence != "round":
        return 0
    crossing = list(map(_most_runs, (both[-1], *both), both))
    return crossing.index(min(crossing))


@lru_cache(maxsize=KEPT_ANSWERS)
def _most_runs(before: int, here: int) -> int:
    """How many runs can go on from one rank to the next, jokers apart."""
    return sum(map(min, FOURS[before], FOURS[here]))


Crossings: TypeAlias = list[tuple[int, tuple[int, ...]]]


@cache
def _crossings(is_circle: bool, before: int, last: int, first: int, second: int, jokers: int) -> Crossings:
    """The runs of one suit that may be assumed at the seam, each with the jokers needed for them at least.

    The other numbers: how many cards of the two faces on each side of the seam there are.
    """
    found = []
    most = min(first, last) + jokers
    for heads in range(most + 1 if is_circle else 1):
        for tails in range(most + 1 - heads):
            missing = (heads + tails - first, heads + tails - last, heads - second, tails - before)
            needed = sum(max(0, short) for short in missing)
            if needed <= jokers:
                found.append((needed, (HEAD,) * heads + (TAIL,) * tails))
    return found


def _assumptions(sequence: SequenceKind, ranks: Sequence[int], jokers: int) -> tuple[int, ...]:
    """The states that may be assumed before the first rank; the first assumes nothing. ranks: in their order."""
    if sequence in ("low", "high"):
        return (0,)
    return _assumptions_at(sequence == "round", *ranks[-2:], *ranks[:2], jokers)


@lru_cache(maxsize=KEPT_ANSWERS)
def _assumptions_at(is_circle: bool, before: int, last: int, first: int, second: int, jokers: int) -> tuple[int, ...]:
    """The same, given the cards of the two ranks on each side of the seam."""
    partial = [(0, 0)]
    near = zip(FOURS[before], FOURS[last], FOURS[first], FOURS[second], strict=True)
    for suit, faces in enumerate(near):
        partial = [
            (used + needed, state | RUNS_INDEX[runs] << suit * SUIT_BITS)
            for used, state in partial
            for needed, runs in _crossings(is_circle, *faces, jokers)
            if used + needed <= jokers
        ]
    return tuple([state for _, state in partial])


# The search


def arrange(
    sequence: SequenceKind,
    table: Counts,
    hand: Counts = 0,
    *,
    wild: int = 0,
    spare: int = 0,
    least: int = 0,
    runs: Counts = 0,
) -> Arrangement | None:
    """The arrangement of all `table` cards that plays the most from `hand`; None if that is less than `least`.

    wild: jokers that must be used. spare: jokers from the hand, counted as hand cards; at most two in all.
    runs: the cards that lie in runs now; of equally good arrangements those that leave them there are tried first.
    """
    assert wild + spare <= MOST_JOKERS, "the arranger knows at most two free jokers"
    return _Question(sequence, table, hand, wild, spare, runs).answer(least)


class _Question:
    """One question to the arranger. order: the ranks in the order of the search, see `_start`."""

    def __init__(
        self, sequence: SequenceKind, table: Counts, hand: Counts, wild: int, spare: int, runs: Counts
    ) -> None:
        self.spare, self.jokers = spare, wild + spare
        both = _by_rank(table + hand)
        start = _start(sequence, both)
        self.order = (*range(start, 13), *range(start))
        both = both[start:] + both[:start]
        self.assumptions = _assumptions(sequence, both, self.jokers)
        cards = [(ranks[start:] + ranks[:start]) for ranks in map(_by_rank, (table, hand, runs))]
        self.ranks = list(map(_rank, *cards, [*both[1:], PLENTY], [*both[2:], PLENTY, PLENTY]))
        self.left = sum(rank.held for rank in self.ranks) + spare

    def answer(self, least: int) -> Arrangement | None:
        best: Arrangement | None = None
        limit = self.left - least
        any_end = self._places(self.assumptions)
        for assumed in self.assumptions:
            key = _key(assumed, self.jokers)
            places = any_end if len(self.assumptions) == 1 else []
            fewest = FAILED
            while limit >= 0 and any_end[0].skipped(key, limit) != FAILED:
                places = places or self._places((assumed,), any_end)
                skipped = places[0].skipped(key, limit)
                if skipped == FAILED:
                    break
                fewest, limit = skipped, skipped - 1
            if fewest != FAILED:
                way = tuple(_way(places, key))
                best = Arrangement(self.left - fewest, self.jokers - self.spare, self.order, assumed, way)
        return best

    def _places(self, ends: tuple[int, ...], bound: Sequence[_Place] = ()) -> list[_Place]:
        """The ranks in their order, for a search that ends as one of `ends` assumes. bound: those with more ends.

        Where no hand cards follow there is only one thing to ask of a place, so its answers hold for all questions.
        """
        following: _Place | _End = _end(ends, self.spare)
        places: list[_Place] = []
        for rank, bounding in zip_longest(reversed(self.ranks), reversed(bound)):
            make = _Place if rank.held or following.left else _shared_place
            following = make(rank, following, bounding)
            places.append(following)
        return places[::-1]


class _End:
    """What is behind the last rank: the runs must end as one of the `ends` assumes.

    Which cards are behind the seam has been counted at the start.
    """

    __slots__ = ("_ends", "left")

    def __init__(self, ends: tuple[int, ...], spare: int) -> None:
        self._ends = [_numbers(end) for end in ends]
        self.left = spare

    def skipped(self, key: int, limit: int) -> int:
        """The jokers left over, `limit` at most, or `FAILED`."""
        jokers = key >> STATE_BITS
        if jokers > min(limit, self.left):
            return FAILED
        numbers = _numbers(key & STATE_MASK)
        return jokers if any(all(map(_meets, numbers, end)) for end in self._ends) else FAILED


class _Place:
    """A rank in the order of the search, and what is known of the way from there to the end.

    left: the hand cards from there on. found, failed: for each state with the jokers left, see `_key`, the fewest cards
    skipped so far with the move that leads there, and the most without success. bound: the same place in a search with
    more ends; what fails there fails here.
    """

    __slots__ = ("failed", "following", "found", "known_to_fail", "left", "moves", "rank")

    def __init__(self, rank: _Rank, following: _Place | _End, bound: _Place | None = None) -> None:
        self.rank = rank
        self.moves = rank.moves
        self.following = following
        self.left: int = rank.held + following.left
        self.found: dict[int, tuple[int, Move]] = {}
        self.failed: dict[int, int] = {}
        self.known_to_fail = self.failed if bound is None else bound.failed

    def skipped(self, key: int, limit: int) -> int:
        """The hand cards that an arrangement from this place on skips, `limit` at most, or `FAILED`."""
        if limit > self.left:
            limit = self.left
        if self.known_to_fail.get(key, -1) >= limit or self.failed.get(key, -1) >= limit:
            return FAILED
        known = self.found.get(key)
        if known is not None and known[0] <= limit:
            return known[0]
        for move in self.moves[key]:
            rest = limit - move[0]
            if rest >= 0:
                later = self.following.skipped(move[1], rest)
                if later != FAILED:
                    self.found[key] = move[0] + later, move
                    return move[0] + later
        self.failed[key] = limit
        return FAILED


_end = lru_cache(maxsize=KEPT_PLACES)(_End)
_shared_place = lru_cache(maxsize=KEPT_PLACES)(_Place)


def _key(state: int, jokers: int) -> int:
    """A state and the jokers left in one integer."""
    return jokers << STATE_BITS | state


Way: TypeAlias = tuple[tuple[int, int, Four, int, int], ...]
"""By rank its table and hand cards, the cards in runs by suit, the hand cards skipped and the jokers used."""


def _way(places: Sequence[_Place], key: int) -> Iterator[tuple[int, int, Four, int, int]]:
    """The best way found through the ranks, from the first state."""
    for place in places:
        _, (skipped, after, runs) = place.found[key]
        yield *place.rank.cards, runs, skipped, (key >> STATE_BITS) - (after >> STATE_BITS)
        key = after


# Laying the melds


class Arrangement:
    """Melds as faces; which of these come from the hand and which are jokers: laid when they are first asked for.

    played: how many cards come from the hand, jokers included.
    """

    def __init__(self, played: int, wild_on_table: int, order: Sequence[int], assumed: int, way: Way) -> None:
        self.played = played
        self._wild_on_table = wild_on_table
        self._order = order
        self._assumed = assumed
        self._way = way

    @cached_property
    def melds(self) -> tuple[tuple[Kind, tuple[str, ...]], ...]:
        """Kind and faces, a run from low to high."""
        sets = (_sets_of(rank, [use.sets for use in uses]) for rank, uses in self._uses)
        return (*chain.from_iterable(sets), *chain.from_iterable(map(self._runs, range(4))))

    @cached_property
    def hand(self) -> tuple[str, ...]:
        """The natural faces played."""
        return self._faces(attrgetter("hand"))

    @cached_property
    def wild(self) -> tuple[str, ...]:
        """The faces that jokers stand for."""
        return self._faces(attrgetter("wild"))

    @property
    def spare(self) -> int:
        """How many of the jokers are from the hand."""
        return len(self.wild) - self._wild_on_table

    @cached_property
    def _uses(self) -> list[tuple[int, tuple[_Use, ...]]]:
        """The ranks in their order, each with what happens to its suits."""
        return [(rank, _uses_in(*cards)) for rank, cards in zip(self._order, self._way, strict=True)]

    def _faces(self, number: Callable[[_Use], int]) -> tuple[str, ...]:
        return tuple(
            RANKS[rank] + SUITS[suit]
            for rank, uses in self._uses
            for suit, use in enumerate(uses)
            for _ in range(number(use))
        )

    def _runs(self, suit: int) -> Iterator[tuple[Kind, tuple[str, ...]]]:
        """Follows the runs of a suit through the ranks and ties those that cross the seam."""
        seam = [_Open(length) for length in RUNS[self._assumed >> suit * SUIT_BITS & SUIT_MASK]]
        begun = list(seam)
        running = list(seam)
        for rank, uses in self._uses:
            if running or uses[suit].runs:
                running = _extend(running, uses[suit].runs, RANKS[rank] + SUITS[suit], begun)
        _tie(running, seam)
        for run in sorted(begun, key=lambda run: run.continues):
            if not run.laid:
                for piece in _pieces(run.chain()):
                    yield "run", piece


def _sets_of(rank: int, cards: list[int]) -> Iterator[tuple[Kind, tuple[str, ...]]]:
    """The sets of a rank. cards: by suit, how many go into sets."""
    number = _sets(sum(cards), max(cards))
    assert number is not None
    dealt = [RANKS[rank] + SUITS[suit] for suit in range(4) for _ in range(cards[suit])]
    for first in range(number):
        yield "set", tuple(dealt[first::number])


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
