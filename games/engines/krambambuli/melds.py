"""Melds of Krambambuli: those that a hand can make, larger ones, and what a theft leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import TypeAlias

from games.core.cards import SUITS, Card, face
from games.core.contract import Options
from games.core.rummy.melds import (
    LONGEST_RUN,
    SMALLEST_MELD,
    Meld,
    MeldRules,
    SequenceKind,
    grown,
    meld_run,
    meld_set,
    windows,
)
from games.core.rummy.steps import Step, parts_left

LARGEST_SET = 8

MELD_RULES = {
    (sequence, distinct): MeldRules(sequence, "different" if distinct else "any", 4 if distinct else LARGEST_SET)
    for sequence in ("high", "high_or_low")
    for distinct in (False, True)
}


@dataclass(frozen=True, slots=True)
class OwnMeld:
    """A meld on the table and the seat that laid it."""

    meld: Meld
    owner: int

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.meld.cards


Table: TypeAlias = Mapping[int, OwnMeld]


def meld_rules(options: Options) -> MeldRules:
    return next(
        rules
        for (sequence, distinct), rules in MELD_RULES.items()
        if (sequence, distinct) == (options["ace"], options["distinct_suits"])
    )


@lru_cache(maxsize=4096)
def melds_of(rules: MeldRules, cards: tuple[Card, ...]) -> tuple[Meld, ...]:
    """Every meld that can be made of these cards."""
    by_rank: defaultdict[str, list[Card]] = defaultdict(list)
    by_face: defaultdict[str, list[Card]] = defaultdict(list)
    for card in cards:
        by_rank[card[0]].append(card)
        by_face[face(card)].append(card)
    sets = [
        meld_set(chosen)
        for same in by_rank.values()
        for size in range(SMALLEST_MELD, len(same) + 1)
        for chosen in combinations(same, size)
    ]
    return (*(meld for meld in sets if rules.fault(meld) is None), *_runs(rules.sequence, by_face))


def _runs(sequence: SequenceKind, by_face: Mapping[str, Sequence[Card]]) -> Iterator[Meld]:
    for suit in SUITS:
        held = {shown[0] for shown in by_face if shown[1] == suit}
        for length in range(SMALLEST_MELD, min(LONGEST_RUN, len(held)) + 1):
            for ranks in windows(sequence, length):
                if held.issuperset(ranks):
                    yield from map(meld_run, product(*(by_face[rank + suit] for rank in ranks)))


@lru_cache(maxsize=4096)
def enlarged(rules: MeldRules, meld: Meld, hand: tuple[Card, ...]) -> tuple[Meld, ...]:
    """Every meld that one or more hand cards make of a meld."""
    found: dict[Meld, None] = {meld: None}
    queue = [meld]
    for small in queue:
        for place, faces in rules.growth(small).items():
            for card in hand:
                if face(card) in faces and card not in small.cards:
                    larger = grown(small, card, place)
                    if larger not in found:
                        found[larger] = None
                        queue.append(larger)
    return tuple(found)[1:]


def spare_cards(rules: MeldRules, meld: Meld) -> list[Card]:
    """The cards of a meld that can be stolen: what is left must be one meld."""
    return [card for card in meld.cards if remains(rules, meld, card) is not None]


def remains(rules: MeldRules, meld: Meld, stolen: Card) -> Meld | None:
    """The meld without a card, None if that is no meld or more than one."""
    parts = parts_left(meld, (stolen,))
    return parts[0] if len(parts) == 1 and rules.fault(parts[0]) is None else None


def table_after_step(rules: MeldRules, table: Table, step: Step, seat: int) -> dict[int, OwnMeld]:
    """The melds by number, ascending, after a legal step by this seat."""
    after = dict(table)
    for theft in step.thefts:
        own = table[theft.number]
        left = remains(rules, own.meld, theft.card)
        assert left is not None, "the step is legal"
        after[theft.number] = OwnMeld(left, own.owner)
    number = step.number or next(free for free in range(1, len(table) + 2) if free not in table)
    after[number] = OwnMeld(step.meld, seat)
    return dict(sorted(after.items()))
