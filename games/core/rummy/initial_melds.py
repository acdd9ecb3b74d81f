"""Contract rummy: finding the melds that a deal asks for first, in a whole hand or in cards that were marked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from typing import TypeAlias

from games.core.cards import RANK_INDEX, RANKS, SUITS, Card, face
from games.core.rummy.melds import LONGEST_RUN, SEQUENCES, Kind, Meld, MeldRules, meld_run, meld_set

Need: TypeAlias = tuple[Kind, int]  # a meld and its least size


@dataclass(frozen=True, slots=True)
class Contract:
    """The initial meld of a deal: its melds with their least sizes, and its wording."""

    needs: tuple[Need, ...]
    words: str

    @property
    def cards(self) -> int:
        return sum(size for _kind, size in self.needs)

    def is_met_by(self, melds: Sequence[Meld]) -> bool:
        """Whether valid melds have the kinds and sizes of the contract, where all melds of a kind have one size."""
        sizes = dict(self.needs)
        kinds = Counter(kind for kind, _size in self.needs)
        return Counter(meld.kind for meld in melds) == kinds and all(
            len(meld.cards) >= sizes[meld.kind] for meld in melds
        )


# In a whole hand. Natural faces are bits; `have` are those held, `twice` those held in both copies.

Core: TypeAlias = tuple[int, int]  # the faces that a meld uses once or more, and those that it uses twice
Cores: TypeAlias = tuple[int, tuple[Core, ...]]  # places left to wild cards, and the naturals of each meld

FACE_BIT = {rank + suit: 1 << 13 * number + RANK_INDEX[rank] for number, suit in enumerate(SUITS) for rank in RANKS}


@cache
def _rank_bits(rules: MeldRules) -> tuple[int, ...]:
    """The faces of every rank that makes sets."""
    return tuple(sum(FACE_BIT[rank + suit] for suit in SUITS) for rank in RANKS if rank not in rules.wild)


@cache
def _windows(rules: MeldRules, size: int) -> tuple[int, ...]:
    """The faces of every run of this size."""
    ranks = SEQUENCES[rules.sequence]
    starts = range(len(ranks) - size + 1)
    return tuple(
        sum(FACE_BIT[rank + suit] for rank in ranks[start : start + size]) for suit in SUITS for start in starts
    )


def _parts(faces: int) -> Iterator[int]:
    """Every choice of one or more of these faces."""
    part = faces
    while part:
        yield part
        part = (part - 1) & faces


def _count(core: Core) -> int:
    return core[0].bit_count() + core[1].bit_count()


@lru_cache(maxsize=65536)
def _set_cores(have: int, twice: int, size: int) -> tuple[Core, ...]:
    """The naturals that a set may be made of, all of one rank."""
    cores = [(part, again) for part in _parts(have) for again in (0, *_parts(part & twice))]
    return tuple(core for core in cores if _count(core) <= size)


def _cores(rules: MeldRules, need: Need, have: int, twice: int, least: int) -> list[Core]:
    """The naturals that one meld may be made of, at least so many of them, the most first."""
    kind, size = need
    if kind == "run":
        found = [(part, 0) for window in _windows(rules, size) if (part := window & have).bit_count() >= least]
    else:
        again = twice if rules.set_suits == "any" else 0
        held = [(have & rank, again & rank) for rank in _rank_bits(rules) if have & rank]
        found = [core for faces in held for core in _set_cores(*faces, size) if _count(core) >= least]
    return sorted(found, key=_count, reverse=True)


def _fewest_gaps(rules: MeldRules, needs: Sequence[Need], have: int, twice: int, limit: int) -> Cores | None:
    """The naturals of melds that leave the fewest places to wild cards, None if they leave more than the limit."""
    if not needs:
        return 0, ()
    best: Cores | None = None
    size = needs[0][1]
    for part, again in _cores(rules, needs[0], have, twice, max(1, size - limit)):
        gaps = size - _count((part, again))
        if gaps > limit:
            break
        rest = _fewest_gaps(rules, needs[1:], have & ~part | part & twice & ~again, twice & ~part, limit - gaps)
        if rest is not None:
            best = gaps + rest[0], ((part, again), *rest[1])
            limit = best[0] - 1
    return best


@lru_cache(maxsize=8192)
def fewest_gaps(rules: MeldRules, contract: Contract, hand: tuple[Card, ...], limit: int) -> Cores | None:
    """The naturals of a hand for the melds of a contract, in its order, with the fewest gaps, at most `limit`.

    Two packs at most. Which meld takes a card first matters, so both orders are tried.
    """
    copies = Counter(face(card) for card in hand if not rules.is_wild(card))
    have = sum(FACE_BIT[name] for name in copies)
    twice = sum(FACE_BIT[name] for name, times in copies.items() if times > 1)
    first = _fewest_gaps(rules, contract.needs, have, twice, limit)
    if len(set(contract.needs)) == 1:
        return first
    second = _fewest_gaps(rules, contract.needs[::-1], have, twice, limit if first is None else first[0] - 1)
    return first if second is None else (second[0], second[1][::-1])


@lru_cache(maxsize=8192)
def find_initial_meld(rules: MeldRules, contract: Contract, hand: tuple[Card, ...]) -> tuple[Meld, ...] | None:
    """A way to lay the contract with as few wild cards as possible, the first of the hand; None if there is none."""
    wilds = [card for card in hand if rules.is_wild(card)]
    found = fewest_gaps(rules, contract, hand, len(wilds)) if len(hand) >= contract.cards else None
    if found is None:
        return None
    held = defaultdict(list)
    for card in hand:
        held[face(card)].append(card)
    melds = []
    for (kind, size), (part, again) in zip(contract.needs, found[1], strict=True):
        naturals = [held[name].pop() for used in (part, again) for name, bit in FACE_BIT.items() if used & bit]
        fill = [wilds.pop(0) for _ in range(size - len(naturals))]
        meld = meld_set((*naturals, *fill)) if kind == "set" else run_with(rules, naturals, fill)
        assert meld is not None, "the naturals lie within a run of that size"
        melds.append(meld)
    return tuple(melds)


# In marked cards


def run_with(rules: MeldRules, naturals: Sequence[Card], wilds: Sequence[Card]) -> Meld | None:
    """The first of `runs_with`; None without one."""
    return next(runs_with(rules, naturals, wilds), None)


def runs_with(rules: MeldRules, naturals: Sequence[Card], wilds: Sequence[Card]) -> Iterator[Meld]:
    """Every run of these cards: wild cards in its gaps, then as many at its high end as possible, then fewer."""
    ranks = SEQUENCES[rules.sequence]
    size = len(naturals) + len(wilds)
    for ace in sorted({ranks.index("A"), ranks.rindex("A")}):
        by_place = {ace if card[0] == "A" else ranks.index(card[0]): card for card in naturals}
        is_run = len(by_place) == len(naturals) and len({card[1] for card in naturals}) == 1
        if is_run and max(by_place) - min(by_place) < size <= LONGEST_RUN:
            highest, lowest = min(*by_place, len(ranks) - size), max(0, max(by_place) - size + 1)
            for start, order in product(range(highest, lowest - 1, -1), _orders(wilds)):
                fill = iter(order)
                yield meld_run(by_place.get(place) or next(fill) for place in range(start, start + size))


def _orders(wilds: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every order of wild cards, of which those of one rank are alike."""
    if not wilds:
        yield ()
    for (card,) in _choices(wilds, 1):
        for others in _orders([other for other in wilds if other != card]):
            yield (card, *others)


def _choices(wilds: Sequence[Card], count: int) -> Iterable[tuple[Card, ...]]:
    """Every choice of so many wild cards, of which those of one rank are alike."""
    found: dict[tuple[str, ...], tuple[Card, ...]] = {}
    for part in combinations(wilds, count):
        found.setdefault(tuple(sorted(card[0] for card in part)), part)
    return found.values()


def split_into(rules: MeldRules, contract: Contract, cards: Sequence[Card]) -> tuple[Meld, ...] | None:
    """The first of `divisions`; None without one."""
    return next(divisions(rules, contract, cards), None)


def divisions(rules: MeldRules, contract: Contract, cards: Sequence[Card]) -> Iterator[tuple[Meld, ...]]:
    """The melds of a contract, in its order, that use all of these cards, in every way that differs in more than twins.

    The first melds take as few wild cards as they can in the first one.
    """
    naturals = sorted((card for card in cards if not rules.is_wild(card)), key=lambda card: (card[0], card[1]))
    wilds = [card for card in cards if rules.is_wild(card)]
    found = set()
    for melds in _divided(rules, contract.needs, naturals, wilds, [[] for _need in contract.needs]):
        shown = tuple(sorted(_shown(rules, meld) for meld in melds))
        if shown not in found:
            found.add(shown)
            yield melds


def _shown(rules: MeldRules, meld: Meld) -> tuple[Kind, tuple[str, ...]]:
    """The same for melds that differ only in twins, or in wild cards of one rank."""
    shown = [card[0] if rules.is_wild(card) else face(card) for card in meld.cards]
    return meld.kind, tuple(sorted(shown) if meld.kind == "set" else shown)


def _divided(
    rules: MeldRules, needs: Sequence[Need], naturals: Sequence[Card], wilds: Sequence[Card], groups: list[list[Card]]
) -> Iterator[tuple[Meld, ...]]:
    """Puts the first natural card into one group after another, and tries the rest."""
    if not naturals:
        yield from _filled(rules, needs, groups, wilds)
        return
    card = naturals[0]
    for (kind, _size), group in zip(needs, groups, strict=True):
        if _may_join(rules, kind, group, card):
            group.append(card)
            yield from _divided(rules, needs, naturals[1:], wilds, groups)
            group.pop()


def _may_join(rules: MeldRules, kind: Kind, group: Sequence[Card], card: Card) -> bool:
    if kind == "run":
        return all(other[1] == card[1] and other[0] != card[0] for other in group)
    suits_agree = rules.set_suits == "any" or all(other[1] != card[1] for other in group)
    return suits_agree and all(other[0] == card[0] for other in group) and len(group) < rules.largest_set


def _filled(
    rules: MeldRules, needs: Sequence[Need], groups: Sequence[Sequence[Card]], wilds: Sequence[Card]
) -> Iterator[tuple[Meld, ...]]:
    """The groups made up to melds by all of the wild cards, the first ones taking as few as they can."""
    if not needs:
        if not wilds:
            yield ()
        return
    (kind, size), group = needs[0], groups[0]
    fewest = max(0, size - len(group)) if needs[1:] else len(wilds)
    for count in range(fewest, len(wilds) + 1 if group else 0):
        for fill in _choices(wilds, count):
            own = [meld for meld in _melds_of(rules, kind, group, fill) if len(meld.cards) >= size]
            rest = [card for card in wilds if card not in fill]
            for others in _filled(rules, needs[1:], groups[1:], rest) if own else ():
                yield from ((meld, *others) for meld in own)


def _melds_of(rules: MeldRules, kind: Kind, naturals: Sequence[Card], wilds: Sequence[Card]) -> Iterator[Meld]:
    melds = runs_with(rules, naturals, wilds) if kind == "run" else [meld_set((*naturals, *wilds))]
    return (meld for meld in melds if rules.fault(meld) is None)
