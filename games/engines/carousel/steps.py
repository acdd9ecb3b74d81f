"""Steps of Carousel: what they do to the table, and those that are listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
KEPT_ANSWERS = 8192

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


@lru_cache(maxsize=KEPT_ANSWERS)
def _can_give(rules: MeldRules, meld: Meld, thefts: tuple[Theft, ...]) -> bool:
    """Whether legal melds are left when a meld gives these cards."""
    return first_illegal(rules, {0: _left_of(meld, thefts)}) is None


@lru_cache(maxsize=KEPT_ANSWERS)
def _spare_cards(rules: MeldRules, meld: Meld) -> frozenset[Card]:
    """The cards that a meld can lose alone."""
    return frozenset(card for card in meld.cards if _can_give(rules, meld, (Theft(card, 0),)))


@lru_cache(maxsize=KEPT_ANSWERS)
def _takes(rules: MeldRules, meld: Meld) -> frozenset[str] | None:
    """The faces that a meld can take; None if a joker in a run may move for them."""
    if meld.kind == "run" and any(map(is_joker, meld.cards)):
        return None
    return frozenset().union(*rules.growth(meld).values())


@lru_cache(maxsize=KEPT_ANSWERS)
def _enlarged(rules: MeldRules, meld: Meld, card: Card) -> tuple[Meld, ...]:
    """The melds that a meld and one more card can be."""
    if meld.kind == "run" and any(map(is_joker, meld.cards)):
        return tuple(rules.readings((*meld.cards, card)))
    fits = [place for place, faces in rules.growth(meld).items() if is_joker(card) or face(card) in faces]
    return tuple(grown(meld, card, place) for place in fits)


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


class _StepFinder:
    """sources, jokers: by face the cards that show it, and those that stand for any.

    spare: the cards that a meld can lose alone, those that are exchanged included.
    """

    def __init__(self, situation: StepSituation) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.table = dict(situation.table)
        self.held = {face(card): card for card in reversed(situation.hand) if not is_joker(card)}
        self.own_jokers = [Theft(card, 0) for card in situation.hand if is_joker(card)][:1]
        self.sources = {shown: [Theft(card, 0)] for shown, card in self.held.items()}
        self.jokers: list[Theft] = []
        self.swaps: list[Theft] = []
        self.spare: set[Theft] = set()
        for number, meld in situation.table:
            if situation.swaps:
                self.swaps += self._swaps(number, meld)
            if len(meld.cards) > SMALLEST_MELD:
                self._add_sources(number, meld)
        self.stolen_jokers = self.jokers[:]
        self.spare.update(self.swaps)
        self.own_jokers += self.swaps
        self.jokers += self.own_jokers

    def _swaps(self, number: int, meld: Meld) -> Iterator[Theft]:
        for place, card in enumerate(meld.cards):
            if is_joker(card):
                fits = sorted(self.rules.faces(meld)[place])
                yield from (Theft(card, number, self.held[shown]) for shown in fits if shown in self.held)

    def _add_sources(self, number: int, meld: Meld) -> None:
        spare = _spare_cards(self.rules, meld)
        for card in meld.cards:
            theft = Theft(card, number)
            (self.jokers if is_joker(card) else self.sources.setdefault(face(card), [])).append(theft)
            if card in spare:
                self.spare.add(theft)

    def steps(self) -> Iterator[Step]:
        yield from self._new_melds()
        if self.situation.adds:
            yield from self._additions()

    # New melds

    def _new_melds(self) -> Iterator[Step]:
        found: set[Parts] = set()
        there, held = mask(self.sources), mask(self.held)
        for shown, kind, faces in _patterns(self.rules.sequence):
            missing = (shown & ~there).bit_count()
            if missing > bool(self.jokers) or not (shown & held or self.own_jokers):
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
        if not swaps and len(thefts) == len(parts) or any(part.card in swaps for part in parts):
            return False
        return self._can_spare(thefts)

    def _can_spare(self, thefts: Sequence[Theft]) -> bool:
        numbers = {theft.number for theft in thefts}
        if len(numbers) == len(thefts):
            return self.spare.issuperset(thefts)
        return all(
            _can_give(self.rules, self.table[number], tuple([theft for theft in thefts if theft.number == number]))
            for number in numbers
        )

    # Cards added to melds

    def _additions(self) -> Iterator[Step]:
        for number, meld in self.situation.table:
            for part in self._fitting(meld):
                if part.number != number:
                    for larger in _enlarged(self.rules, meld, part.card):
                        yield Step(larger, (part,) if part.number else (), number)
            if meld.kind == "run":
                yield from self._bridges(number, meld, "low")
                yield from self._bridges(number, meld, "high")

    def _fitting(self, meld: Meld) -> list[Theft]:
        """The own cards that a meld may take: all of them, where a joker of the meld can make room."""
        fits = _takes(self.rules, meld)
        if fits is not None and fits.isdisjoint(self.held):
            return self.own_jokers
        held = [Theft(card, 0) for shown, card in self.held.items() if fits is None or shown in fits]
        return held + self.own_jokers

    def _bridges(self, number: int, meld: Meld, place: Growth, thefts: tuple[Theft, ...] = ()) -> Iterator[Step]:
        """Runs that grow at one end by stolen cards and by a hand card behind them."""
        for shown in self.rules.growth(meld).get(place, ()):
            if thefts and shown in self.held and self._can_spare(thefts):
                yield Step.of(grown(meld, self.held[shown], place), thefts, number)
            if len(thefts) < LONGEST_BRIDGE:
                for theft in (*self.sources.get(shown, ()), *self.stolen_jokers):
                    if theft.number not in (0, number) and theft not in thefts:
                        yield from self._bridges(number, grown(meld, theft.card, place), place, (*thefts, theft))
