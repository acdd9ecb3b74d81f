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

Cards are *counts*: 52 small integers indexed by `rank * 4 + suit`, ranks A 2 ... K, suits C D H S.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product, zip_longest
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
MOST_JOKERS = 2
KEPT_RANKS = 2048
KEPT_PLACES = 2048
FAILED = 999  # more cards than any search may skip


FACE_INDEX = {rank + suit: RANK_INDEX[rank] * 4 + SUIT_INDEX[suit] for rank in RANKS for suit in SUITS}


def face_index(face: str) -> int:
    return FACE_INDEX[face]


def counts(faces: Iterable[str]) -> Counts:
    """Counts of faces such as `7H`."""
    result = [0] * 52
    for face in faces:
        result[FACE_INDEX[face]] += 1
    return tuple(result)


def _by_rank(cards: Counts) -> list[Four]:
    return [cards[first : first + 4] for first in range(0, 52, 4)]


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
SHORT = [len(runs) - runs.count(LONG) for runs in RUNS]
SUIT_BITS = 7
SUIT_MASK = (1 << SUIT_BITS) - 1
STATE_BITS = 4 * SUIT_BITS
STATE_MASK = (1 << STATE_BITS) - 1
"""A state: the numbers of the suits' open runs in one integer."""

PLENTY = (4, 4, 4, 4)
"""Cards by suit that are enough for all runs."""


def _numbers(state: int) -> tuple[int, int, int, int]:
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


@cache
def _most(first: int, second: int) -> list[list[int]]:
    """By number of the open runs and jokers left: the most cards that may go into runs, see `_steps`."""
    needed = [[step >> STATE_BITS for step in steps] for steps in _steps(0, first, second)]
    return [
        [
            max((cards for cards, jokers in enumerate(line) if jokers <= left), default=-1)
            for left in range(MOST_JOKERS + 1)
        ]
        for line in needed
    ]


@lru_cache(maxsize=KEPT_RANKS)
def _after(near: Four, far: Four) -> tuple[list[list[list[int]]], list[list[list[int]]]]:
    """By suit, `_steps` and `_most` before ranks with so many cards."""
    return [_steps(suit, near[suit], far[suit]) for suit in range(4)], list(map(_most, near, far))


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


Plans: TypeAlias = list[tuple[int, list[Four]]]
"""By the hand cards skipped, fewest first: how many cards of each suit go into runs."""


@cache
def _plans(suits: tuple[tuple[int, int], ...], jokers: int) -> Plans:
    """The plans for a rank in which the cards that go into no run form sets, with so many jokers used.

    suits: table and hand cards of each, ascending, so that there are only a few hundred different questions.
    """
    partial: dict[tuple[Four, int, int, int], int] = {((), 0, 0, 0): 0}
    for table, hand in suits:
        grown: dict[tuple[Four, int, int, int], int] = {}
        for (runs, in_sets, most, wild), skipped in partial.items():
            for use in _uses(table, hand, jokers - wild):
                key = ((*runs, use.runs), in_sets + use.sets, max(most, use.sets), wild + use.wild)
                grown[key] = min(grown.get(key, FAILED), skipped + use.skipped)
        partial = grown
    fewest: dict[Four, int] = {}
    for (runs, in_sets, most, wild), skipped in partial.items():
        if wild == jokers and _sets(in_sets, most) is not None:
            fewest[runs] = min(fewest.get(runs, FAILED), skipped)
    groups: dict[int, list[Four]] = {}
    for runs, skipped in fewest.items():
        groups.setdefault(skipped, []).append(runs)
    return sorted(groups.items())


class _Rank:
    """The cards of one rank. lying: by suit, how many of them lie in runs. both: table and hand cards."""

    __slots__ = ("_found", "_lying", "_order", "_suits", "_ways", "both", "held")

    def __init__(self, table: Four, hand: Four, lying: Four) -> None:
        cards = list(zip(table, hand, strict=True))
        self._suits = tuple(sorted(cards))
        by_cards = sorted(range(4), key=cards.__getitem__)
        self._order = [by_cards.index(suit) for suit in range(4)]
        self._lying = lying
        self.both: Four = tuple(map(int.__add__, table, hand))
        self.held = sum(hand)
        self._found: dict[tuple[Four, Four, int, int], list[Four]] = {}
        self._ways: dict[tuple[Four, int, int], tuple[_Use, ...]] = {}

    def plans(self, least: Four, most: Four, jokers: int) -> Iterator[tuple[int, list[Four]]]:
        """The plans that put so many cards of each suit into runs, the likest to what lies there first."""
        for skipped, plans in _plans(self._suits, jokers):
            key = least, most, jokers, skipped
            found = self._found.get(key)
            if found is None:
                found = self._found[key] = self._fitting(plans, least, most)
            yield skipped, found

    def _fitting(self, plans: list[Four], least: Four, most: Four) -> list[Four]:
        first, second, third, fourth = self._order
        clubs, diamonds, hearts, spades = map(range, least, [cards + 1 for cards in most])
        kept: list[Four] = [
            (runs[first], runs[second], runs[third], runs[fourth])
            for runs in plans
            if runs[first] in clubs and runs[second] in diamonds and runs[third] in hearts and runs[fourth] in spades
        ]
        return sorted(kept, key=self._changes)

    def _changes(self, runs: Four) -> int:
        (clubs, diamonds, hearts, spades), lying = runs, self._lying
        return abs(clubs - lying[0]) + abs(diamonds - lying[1]) + abs(hearts - lying[2]) + abs(spades - lying[3])

    def way(self, runs: Four, skipped: int, jokers: int) -> tuple[_Use, ...]:
        """What happens to each suit in one of the plans."""
        found = self._ways.get((runs, skipped, jokers))
        if found is None:
            found = self._ways[runs, skipped, jokers] = self._way(runs, skipped, jokers)
        return found

    def _way(self, runs: Four, skipped: int, jokers: int) -> tuple[_Use, ...]:
        choices = [
            [use for use in _uses(*self._suits[place], jokers) if use.runs == cards]
            for place, cards in zip(self._order, runs, strict=True)
        ]
        return next(
            uses
            for uses in product(*choices)
            if sum(use.skipped for use in uses) == skipped
            and sum(use.wild for use in uses) == jokers
            and _sets(sum(use.sets for use in uses), max(use.sets for use in uses)) is not None
        )


@lru_cache(maxsize=KEPT_RANKS)
def _rank(table: Four, hand: Four, lying: Four) -> _Rank:
    return _Rank(table, hand, lying)


# The seam


def _order(sequence: SequenceKind, both: Sequence[Four]) -> list[int]:
    """The ranks in the order of the search; in the circle from a seam that few runs can cross."""
    if sequence == "high":
        return [*range(1, 13), 0]
    if sequence != "round":
        return list(range(13))
    crossing = [sum(map(min, before, here)) for before, here in zip((both[-1], *both), both, strict=False)]
    start = crossing.index(min(crossing))
    return [*range(start, 13), *range(start)]


Crossings: TypeAlias = list[tuple[int, tuple[int, ...]]]


def _crossings(sequence: SequenceKind, order: list[int], both: Sequence[Four], jokers: int) -> list[Crossings]:
    """By suit the runs that may be assumed at the seam, each with the jokers needed for them at least."""
    if sequence in ("low", "high"):
        return [[(0, ())]] * 4
    near = [both[rank] for rank in (*order[-2:], *order[:2])]
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


def _assumptions(sequence: SequenceKind, order: list[int], both: Sequence[Four], jokers: int) -> tuple[int, ...]:
    """The states that may be assumed before the first rank; the first assumes nothing."""
    partial = [(0, 0)]
    for suit, options in enumerate(_crossings(sequence, order, both, jokers)):
        partial = [
            (used + needed, state | RUNS_INDEX[runs] << suit * SUIT_BITS)
            for used, state in partial
            for needed, runs in options
            if used + needed <= jokers
        ]
    return tuple([state for _, state in partial])


# The search


def arrange(
    sequence: SequenceKind,
    table: Counts,
    hand: Counts = NONE,
    *,
    wild: int = 0,
    spare: int = 0,
    least: int = 0,
    runs: Counts = NONE,
) -> Arrangement | None:
    """The arrangement of all `table` cards that plays the most from `hand`; None if that is less than `least`.

    wild: jokers that must be used. spare: jokers from the hand, counted as hand cards; at most two in all.
    runs: the cards that lie in runs now; of equally good arrangements those that leave them there are tried first.
    """
    assert wild + spare <= MOST_JOKERS, "the arranger knows at most two free jokers"
    return _Question(sequence, table, hand, wild, spare, runs).answer(least)


class _Question:
    """One question to the arranger. order: the ranks in the order of the search, see `_order`."""

    def __init__(
        self, sequence: SequenceKind, table: Counts, hand: Counts, wild: int, spare: int, runs: Counts
    ) -> None:
        self.spare, self.jokers = spare, wild + spare
        self.left = sum(hand) + spare
        self.ranks = list(map(_rank, _by_rank(table), _by_rank(hand), _by_rank(runs)))
        both = [rank.both for rank in self.ranks]
        self.order = _order(sequence, both)
        self.assumptions = _assumptions(sequence, self.order, both, self.jokers)

    def answer(self, least: int) -> Arrangement | None:
        best: tuple[list[_Place], int] | None = None
        limit = self.left - least
        any_end = self._places(self.assumptions)
        for assumed in self.assumptions:
            places = any_end if len(self.assumptions) == 1 else []
            while limit >= 0 and any_end[0].skipped(assumed, self.jokers, limit) != FAILED:
                places = places or self._places((assumed,), any_end)
                fewest = places[0].skipped(assumed, self.jokers, limit)
                if fewest == FAILED:
                    break
                best = places, assumed
                limit = fewest - 1
        return None if best is None else _Layout(self, *best).arrangement()

    def _places(self, ends: tuple[int, ...], bound: Sequence[_Place] = ()) -> list[_Place]:
        """The ranks in their order, for a search that ends as one of `ends` assumes. bound: those with more ends.

        Without hand cards there is only one thing to ask of a place, so its answers hold for all questions.
        """
        make = _Place if self.left else _shared_place
        following: _Place | _End = _end(ends, self.spare)
        places: list[_Place] = []
        for rank, bounding in zip_longest(reversed(self.order), reversed(bound)):
            following = make(self.ranks[rank], following, bounding)
            places.append(following)
        return places[::-1]


Found: TypeAlias = tuple[int, Four, int, int, int]
"""The cards skipped from a rank on, and the way there: cards in runs, cards skipped, jokers used, the next state."""


class _End:
    """What is behind the last rank: the runs must end as one of the `ends` assumes.

    Which cards are behind the seam has been counted at the start.
    """

    __slots__ = ("_ends", "both", "following", "left")

    def __init__(self, ends: tuple[int, ...], spare: int) -> None:
        self._ends = [_numbers(end) for end in ends]
        self.both = PLENTY
        self.following = self
        self.left = spare

    def skipped(self, state: int, jokers: int, limit: int) -> int:
        """The jokers left over, `limit` at most, or `FAILED`."""
        if jokers > min(limit, self.left):
            return FAILED
        numbers = _numbers(state)
        return jokers if any(all(map(_meets, numbers, end)) for end in self._ends) else FAILED


class _Place:
    """A rank in the order of the search, and what is known of the way from there to the end.

    both: its cards, by suit. left: the hand cards from there on. steps, most: by suit, see `_steps` and `_most`.
    found, failed: what is known for each state and number of jokers left. bound: the same place in a search with more
    ends; what fails there fails here.
    """

    __slots__ = ("both", "failed", "following", "found", "known_to_fail", "left", "most", "rank", "steps")

    def __init__(self, rank: _Rank, following: _Place | _End, bound: _Place | None = None) -> None:
        self.rank = rank
        self.both = rank.both
        self.following = following
        self.left: int = rank.held + following.left
        self.steps, self.most = _after(following.both, following.following.both)
        self.found: dict[int, Found] = {}
        self.failed: dict[int, int] = {}
        self.known_to_fail = self.failed if bound is None else bound.failed

    def skipped(self, state: int, jokers: int, limit: int) -> int:
        """The hand cards that an arrangement from this place on skips, `limit` at most, or `FAILED`."""
        limit = min(limit, self.left)
        key = _key(state, jokers)
        if self.known_to_fail.get(key, -1) >= limit or self.failed.get(key, -1) >= limit:
            return FAILED
        known = self.found.get(key)
        if known is not None and known[0] <= limit:
            return known[0]
        clubs, diamonds, hearts, spades = _numbers(state)
        short = SHORT[clubs], SHORT[diamonds], SHORT[hearts], SHORT[spades]
        steps = self.steps
        one, two, three, four = steps[0][clubs], steps[1][diamonds], steps[2][hearts], steps[3][spades]
        limits = self.most[0][clubs], self.most[1][diamonds], self.most[2][hearts], self.most[3][spades]
        for wild in range(jokers + 1):
            left = jokers - wild
            most = limits[0][left], limits[1][left], limits[2][left], limits[3][left]
            for skipped, plans in self.rank.plans(short, most, wild):
                if skipped > limit:
                    break
                for runs in plans:
                    step = one[runs[0]] + two[runs[1]] + three[runs[2]] + four[runs[3]]
                    if step >> STATE_BITS > left:
                        continue
                    after = step & STATE_MASK
                    later = self.following.skipped(after, left, limit - skipped)
                    if later != FAILED:
                        self.found[key] = skipped + later, runs, skipped, wild, after
                        return skipped + later
        self.failed[key] = limit
        return FAILED


_end = lru_cache(maxsize=KEPT_PLACES)(_End)
_shared_place = lru_cache(maxsize=KEPT_PLACES)(_Place)


def _key(state: int, jokers: int) -> int:
    return jokers << STATE_BITS | state


# Laying the melds


class _Layout:
    """Turns a way through the ranks into melds."""

    def __init__(self, question: _Question, places: Sequence[_Place], assumed: int) -> None:
        self.question = question
        self.assumed = assumed
        self.path = list(self._path(places))
        self.melds: list[tuple[Kind, tuple[str, ...]]] = []

    def _path(self, places: Sequence[_Place]) -> Iterator[tuple[_Use, ...]]:
        """What happens to each suit at each rank in the best arrangement found."""
        state, jokers = self.assumed, self.question.jokers
        for place in places:
            _, runs, skipped, wild, after = place.found[_key(state, jokers)]
            yield place.rank.way(runs, skipped, wild)
            state, jokers = after, jokers - wild

    def arrangement(self) -> Arrangement:
        hand: list[str] = []
        wild: list[str] = []
        for rank, uses in zip(self.question.order, self.path, strict=True):
            for suit, use in enumerate(uses):
                hand += [RANKS[rank] + SUITS[suit]] * use.hand
                wild += [RANKS[rank] + SUITS[suit]] * use.wild
            self._lay_sets(rank, [use.sets for use in uses])
        for suit in range(4):
            self._lay_runs(suit)
        spare = len(wild) - (self.question.jokers - self.question.spare)
        return Arrangement(tuple(self.melds), tuple(hand), tuple(wild), spare)

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
        for rank, uses in zip(self.question.order, self.path, strict=True):
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
