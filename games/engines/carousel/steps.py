"""Steps of Carousel: what they do to the table, and those that are listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from games.core.card_bits import mask
from games.core.cards import RANKS, SUITS, Card, display_key, face, is_joker
from games.core.rummy.melds import (
    SMALLEST_MELD,
    Growth,
    Kind,
    Meld,
    MeldRules,
    SequenceKind,
    grown,
    meld_run,
    meld_set,
    windows,
)
from games.core.rummy.steps import Step, Theft, parts_left

LONGEST_LISTED = 5
LONGEST_BRIDGE = 2
KEPT_MELDS = 1024

Table: TypeAlias = Mapping[int, Meld]

# What a step does to the table


def after_swaps(meld: Meld, swaps: Mapping[Card, Card]) -> Meld:
    """The meld with natural cards in place of these jokers."""
    cards = [swaps.get(card, card) for card in meld.cards]
    return meld_set(cards) if meld.kind == "set" else meld_run(cards)


def robbed(table: Table, thefts: Sequence[Theft]) -> dict[int, list[Meld]]:
    """What is left of each meld that gives cards, by its number; [] for a meld that gives them all."""
    numbers = sorted({theft.number for theft in thefts})
    return {
        number: _left_of(table[number], [theft for theft in thefts if theft.number == number]) for number in numbers
    }


def _left_of(meld: Meld, thefts: Sequence[Theft]) -> list[Meld]:
    after = after_swaps(meld, {theft.card: theft.swap for theft in thefts if theft.swap})
    return parts_left(after, [theft.card for theft in thefts if not theft.swap])


def first_illegal(rules: MeldRules, left: Mapping[int, Sequence[Meld]]) -> int | None:
    """The first robbed meld of which no legal meld, or no legal runs, are left; None if all melds are legal."""
    return next((number for number, parts in left.items() if not parts or any(map(rules.fault, parts))), None)


def table_after_step(table: Table, step: Step) -> dict[int, Meld]:
    """The melds by number, ascending, after a legal step."""
    left = robbed(table, step.thefts)
    after = dict(table) | {number: parts[0] for number, parts in left.items()}
    new = [part for parts in left.values() for part in parts[1:]]
    if step.number:
        after[step.number] = step.meld
    else:
        new.append(step.meld)
    free = [number for number in range(1, len(after) + len(new) + 1) if number not in after]
    return dict(sorted((after | dict(zip(free, new, strict=False))).items()))


def stands_for(rules: MeldRules, meld: Meld, joker: Card, natural: Card) -> bool:
    return face(natural) in rules.faces(meld)[meld.cards.index(joker)]


# The steps that are listed: the smallest new melds and single additions


class StepSituation(NamedTuple):
    """All that decides which steps there are. table: number and meld, ascending; hand: in display order."""

    rules: MeldRules
    table: tuple[tuple[int, Meld], ...]
    hand: tuple[Card, ...]
    adds: bool = True
    swaps: bool = True


@lru_cache(maxsize=4096)
def listed_steps(situation: StepSituation) -> tuple[Step, ...]:
    """New melds that need every one of their cards, and single cards added to melds, if need be over stolen ones.

    Other steps are legal as well. Of two copies in hand only the first is listed, and at most one joker in a new meld,
    where the hand has no natural card for its place.
    """
    return tuple(_StepFinder(situation).steps())


@cache
def _patterns(sequence: SequenceKind) -> tuple[tuple[int, Kind, tuple[str, ...]], ...]:
    """The faces, also as bits, of every set of three and of every run of three to five."""
    sets: list[tuple[Kind, tuple[str, ...]]] = [
        ("set", tuple(rank + suit for suit in suits)) for rank in RANKS for suits in combinations(SUITS, SMALLEST_MELD)
    ]
    orders = [ranks for length in range(SMALLEST_MELD, LONGEST_LISTED + 1) for ranks in windows(sequence, length)]
    runs: list[tuple[Kind, tuple[str, ...]]] = [
        ("run", tuple(rank + suit for rank in ranks)) for ranks in orders for suit in SUITS
    ]
    return tuple((mask(faces), kind, faces) for kind, faces in (*sets, *runs))


def _place_in_set(part: Theft) -> tuple[int, int, str]:
    return display_key(part.card)


Parts: TypeAlias = tuple[Theft, ...]
"""The cards of a meld and where each comes from; `number` 0 is the hand."""


class _TableMeld:
    """A meld of the table: what it can give and take. Kept, since most melds stay as they are from step to step.

    sources, stolen_jokers: for melds that can give cards, the naturals by face and the jokers. spare: the cards that
    it can lose alone. jokers: each with the faces that it may stand for. takes: the faces that it may take. ends: for a
    run, the faces that follow each other beyond its ends, as many as a bridge has with the card behind it.
    """

    def __init__(self, rules: MeldRules, number: int, meld: Meld) -> None:
        self.rules = rules
        self.meld = meld
        self._bits = {card: 1 << place for place, card in enumerate(meld.cards)}
        self._all = sum(self._bits.values())
        self._enlarged: dict[Card, tuple[Meld, ...]] = {}
        thefts = [Theft(card, number) for card in meld.cards] if len(meld.cards) > SMALLEST_MELD else []
        self.sources = [(face(theft.card), theft) for theft in thefts if not is_joker(theft.card)]
        self.stolen_jokers = [theft for theft in thefts if is_joker(theft.card)]
        self.spare = [theft for theft in thefts if self.can_give((theft,))]
        faces = zip(meld.cards, rules.faces(meld), strict=True)
        self.jokers = [(card, sorted(fits)) for card, fits in faces if is_joker(card)]
        self._moves_jokers = meld.kind == "run" and bool(self.jokers)
        self.takes = _like(meld) if self._moves_jokers else frozenset[str]().union(*rules.growth(meld).values())
        places: tuple[Growth, ...] = ("low", "high") if meld.kind == "run" else ()
        self.ends = [(place, self._beyond(place)) for place in places]

    def _beyond(self, place: Growth) -> list[str]:
        meld, found = self.meld, list[str]()
        while len(found) <= LONGEST_BRIDGE and (fits := self.rules.growth(meld).get(place)):
            found += fits
            meld = grown(meld, found[-1], place)
        return found

    def can_give(self, thefts: Iterable[Theft]) -> bool:
        """Whether legal melds are left when the meld gives these cards, one at most for a card in its place.

        Three cards are left wherever some are; as there are only two jokers, one of the three is a natural.
        """
        left = self._all - sum([self._bits[theft.card] for theft in thefts if not theft.swap])
        if self.meld.kind == "set":
            return left.bit_count() >= SMALLEST_MELD
        middles = left & left >> 1 & left << 1
        return middles > 0 and left == middles | middles << 1 | middles >> 1

    def enlarged(self, card: Card) -> tuple[Meld, ...]:
        """The melds that the meld and one more card can be."""
        if card not in self._enlarged:
            self._enlarged[card] = self._with(card)
        return self._enlarged[card]

    def _with(self, card: Card) -> tuple[Meld, ...]:
        if self._moves_jokers:
            return tuple(self.rules.readings((*self.meld.cards, card)))
        growth = self.rules.growth(self.meld).items()
        fits = [place for place, faces in growth if is_joker(card) or face(card) in faces]
        return tuple(grown(self.meld, card, place) for place in fits)


def _like(meld: Meld) -> frozenset[str]:
    """The faces with the rank or the suit of a natural: those that a meld may take if all its jokers can move."""
    naturals = {card[0]: card[1] for card in meld.cards if not is_joker(card)}
    return frozenset(rank + suit for rank in RANKS for suit in SUITS if rank in naturals or suit in naturals.values())


_table_meld = lru_cache(maxsize=KEPT_MELDS)(_TableMeld)


class _StepFinder:
    """sources, jokers: by face the cards that show it, and those that stand for any.

    spare: the cards that a meld can lose alone, those that are exchanged included.
    """

    def __init__(self, situation: StepSituation) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.table = {number: _table_meld(self.rules, number, meld) for number, meld in situation.table}
        self.held = {face(card): card for card in reversed(situation.hand) if not is_joker(card)}
        self.own_jokers = [Theft(card, 0) for card in situation.hand if is_joker(card)][:1]
        self.sources = {shown: [Theft(card, 0)] for shown, card in self.held.items()}
        for meld in self.table.values():
            for shown, theft in meld.sources:
                self.sources.setdefault(shown, []).append(theft)
        self.stolen_jokers = [theft for meld in self.table.values() for theft in meld.stolen_jokers]
        swaps = list(self._swaps()) if situation.swaps else []
        self.spare = {*swaps, *(theft for meld in self.table.values() for theft in meld.spare)}
        self.own_jokers += swaps
        self.jokers = self.stolen_jokers + self.own_jokers

    def _swaps(self) -> Iterator[Theft]:
        for number, meld in self.table.items():
            for joker, fits in meld.jokers:
                yield from (Theft(joker, number, self.held[shown]) for shown in fits if shown in self.held)

    def steps(self) -> Iterator[Step]:
        yield from self._new_melds()
        if self.situation.adds:
            yield from self._additions()

    # New melds

    def _new_melds(self) -> Iterator[Step]:
        found: set[Parts] = set()
        unseen = ~mask(self.sources)
        needed = -1 if self.own_jokers else mask(self.held)
        wild = bool(self.jokers)
        for shown, kind, faces in _patterns(self.rules.sequence):
            missing = shown & unseen
            if missing and (not wild or missing.bit_count() > 1) or not shown & needed:
                continue
            for parts in self._ways_to_show(faces):
                if kind == "set":
                    parts = tuple(sorted(parts, key=_place_in_set))
                    is_listed = parts in found  # with the joker as another suit
                else:  # reducible: without one of its end cards it is listed, too
                    is_listed = parts[1:] in found or parts[:-1] in found
                if not is_listed:
                    found.add(parts)
                    meld = Meld(kind, tuple([part.card for part in parts]))
                    yield Step(meld, tuple([part for part in parts if part.number]))

    def _ways_to_show(self, faces: Sequence[str]) -> Iterator[Parts]:
        """The legal new melds that show these faces, a joker in place of one at most."""
        missing = [shown for shown in faces if shown not in self.sources]
        has_held = not self.held.keys().isdisjoint(faces)
        jokers = self.jokers if has_held else self.own_jokers
        choices = [self.sources.get(shown, jokers) for shown in faces]
        if has_held or missing:
            yield from filter(self._is_legal, product(*choices))
        if jokers and not missing:
            for place, shown in enumerate(faces):
                if shown not in self.held:
                    yield from filter(self._is_legal, product(*choices[:place], jokers, *choices[place + 1 :]))

    def _is_legal(self, parts: Parts) -> bool:
        """Whether one of the cards comes from the hand, none is used twice and a legal table is left."""
        thefts = [part for part in parts if part.number]
        if not thefts:
            return True
        swaps = [theft.swap for theft in thefts if theft.swap]
        if len(thefts) == len(parts) and not swaps or swaps and any(part.card in swaps for part in parts):
            return False
        return self._can_spare(thefts)

    def _can_spare(self, thefts: Sequence[Theft]) -> bool:
        numbers = {theft.number for theft in thefts}
        if len(numbers) == len(thefts):
            return self.spare.issuperset(thefts)
        return all(
            self.table[number].can_give(theft for theft in thefts if theft.number == number) for number in numbers
        )

    # Cards added to melds

    def _additions(self) -> Iterator[Step]:
        for number, meld in self.table.items():
            for part in self._fitting(meld):
                if part.number != number:
                    for larger in meld.enlarged(part.card):
                        yield Step(larger, (part,) if part.number else (), number)
            for place, faces in meld.ends:
                yield from self._bridges(number, meld.meld, place, faces)

    def _fitting(self, meld: _TableMeld) -> list[Theft]:
        """The own cards that a meld may take."""
        if meld.takes.isdisjoint(self.held):
            return self.own_jokers
        return [self.sources[shown][0] for shown in self.held if shown in meld.takes] + self.own_jokers

    def _bridges(
        self, number: int, meld: Meld, place: Growth, faces: Sequence[str], thefts: tuple[Theft, ...] = ()
    ) -> Iterator[Step]:
        """Runs that grow at one end by stolen cards and by a hand card behind them. faces: those beyond the end."""
        if self.held.keys().isdisjoint(faces if thefts else faces[1:]):
            return
        shown, *beyond = faces
        if thefts and shown in self.held and self._can_spare(thefts):
            yield Step.of(grown(meld, self.held[shown], place), thefts, number)
        if len(thefts) < LONGEST_BRIDGE:
            for theft in (*self.sources.get(shown, ()), *self.stolen_jokers):
                if theft.number not in (0, number) and theft not in thefts:
                    yield from self._bridges(number, grown(meld, theft.card, place), place, beyond, (*thefts, theft))
