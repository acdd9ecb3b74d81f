"""Steps of Carousel: what they do to the table, and those that are listed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from games.core.card_bits import mask
from games.core.cards import RANKS, SUITS, Card, face, is_joker
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
    return tuple(dict.fromkeys(_StepFinder(situation).steps()))


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


class _StepFinder:
    """sources, jokers: by face the cards that show it, and those that stand for any; `number` 0 is the hand.

    spare: the cards that a meld can lose alone.
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
        self.own_jokers += self.swaps
        self.jokers += self.own_jokers

    def _swaps(self, number: int, meld: Meld) -> Iterator[Theft]:
        for place, card in enumerate(meld.cards):
            if is_joker(card):
                fits = sorted(self.rules.faces(meld)[place])
                yield from (Theft(card, number, self.held[shown]) for shown in fits if shown in self.held)

    def _add_sources(self, number: int, meld: Meld) -> None:
        for card in meld.cards:
            theft = Theft(card, number)
            (self.jokers if is_joker(card) else self.sources.setdefault(face(card), [])).append(theft)
            if _can_give(self.rules, meld, (theft,)):
                self.spare.add(theft)

    def steps(self) -> Iterator[Step]:
        found: set[Step] = set()
        there, held = mask(self.sources), mask(self.held)
        for shown, kind, faces in _patterns(self.rules.sequence):
            missing = (shown & ~there).bit_count()
            if missing > bool(self.jokers) or not (shown & held or self.own_jokers):
                continue
            for step in self._melds(kind, faces):
                if len(faces) == SMALLEST_MELD or not self._is_reducible(step, found):
                    found.add(step)
                    yield step
        if self.situation.adds:
            yield from self._additions()

    def _melds(self, kind: Kind, faces: Sequence[str]) -> Iterator[Step]:
        """The legal new melds that show these faces, a joker in place of one at most."""
        missing = [shown for shown in faces if shown not in self.sources]
        has_held = not self.held.keys().isdisjoint(faces)
        jokers = self.jokers if has_held else self.own_jokers
        if has_held and not missing:
            yield from self._filled(kind, [self.sources[shown] for shown in faces])
        for shown in missing or [shown for shown in faces if shown not in self.held]:
            yield from self._filled(kind, [jokers if other == shown else self.sources[other] for other in faces])

    def _filled(self, kind: Kind, choices: Sequence[Sequence[Theft]]) -> Iterator[Step]:
        for parts in product(*choices):
            if any(part.swap or not part.number for part in parts):
                step = self._step(kind, parts)
                if step is not None:
                    yield step

    def _step(self, kind: Kind, parts: Sequence[Theft]) -> Step | None:
        """The step with these cards; None if it uses a card twice or leaves no legal table."""
        thefts = [part for part in parts if part.number]
        cards = [part.card for part in parts]
        if any(part.swap in cards for part in thefts) or not self._can_spare(thefts):
            return None
        meld = meld_set(cards) if kind == "set" else meld_run(cards)
        return None if self.rules.fault(meld) else Step.of(meld, thefts)

    def _can_spare(self, thefts: Sequence[Theft]) -> bool:
        numbers = {theft.number for theft in thefts}
        if len(numbers) == len(thefts):
            return all(theft.swap or theft in self.spare for theft in thefts)
        return all(
            _can_give(self.rules, self.table[number], tuple(theft for theft in thefts if theft.number == number))
            for number in numbers
        )

    def _is_reducible(self, step: Step, found: Collection[Step]) -> bool:
        """Whether a run without one of its end cards is listed, too."""
        for cards in (step.meld.cards[1:], step.meld.cards[:-1]):
            thefts = [theft for theft in step.thefts if theft.card in cards]
            if Step.of(meld_run(cards), thefts) in found:
                return True
        return False

    def _additions(self) -> Iterator[Step]:
        cards = [*(Theft(card, 0) for card in self.held.values()), *self.own_jokers]
        for number, meld in self.situation.table:
            for part in cards:
                if part.number != number:
                    for larger in _enlarged(self.rules, meld, part.card):
                        yield Step.of(larger, [part] if part.number else [], number)
            if meld.kind == "run":
                yield from self._bridges(number, meld, "low")
                yield from self._bridges(number, meld, "high")

    def _bridges(self, number: int, meld: Meld, place: Growth, thefts: tuple[Theft, ...] = ()) -> Iterator[Step]:
        """Runs that grow at one end by stolen cards and by a hand card behind them."""
        for shown in self.rules.growth(meld).get(place, ()):
            if thefts and shown in self.held and self._can_spare(thefts):
                yield Step.of(grown(meld, self.held[shown], place), thefts, number)
            if len(thefts) < LONGEST_BRIDGE:
                for theft in (*self.sources.get(shown, ()), *self.jokers):
                    if theft.number not in (0, number) and not theft.swap and theft not in thefts:
                        yield from self._bridges(number, grown(meld, theft.card, place), place, (*thefts, theft))
