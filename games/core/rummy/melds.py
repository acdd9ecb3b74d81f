"""Sets and runs: one validator for every game that lays melds.

A `MeldRules` says which melds a game knows: how the ranks follow each other in a run and which suits a set
may hold. Wild cards, in most games the jokers, stand for any card. In a run a wild card stands for the card of its
place; in a set whose suits must differ it covers every suit that the set does not show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import permutations
from typing import Literal, NamedTuple, TypeAlias, TypeVar, cast

from games.core.cards import RANK_INDEX, RANKS, SUITS, Card, by_display, face, in_capitals

Kind: TypeAlias = Literal["set", "run"]
SequenceKind: TypeAlias = Literal["low", "high", "high_or_low", "round"]
SetSuits: TypeAlias = Literal["different", "any"]
Growth: TypeAlias = Literal["set", "low", "high"]

MARKS: dict[Kind, str] = {"set": "+", "run": "-"}
SEQUENCES: dict[SequenceKind, str] = {
    "low": RANKS,
    "high": RANKS[1:] + RANKS[0],
    "high_or_low": RANKS + RANKS[0],
    "round": RANKS + RANKS[:-1],
}
_CARD = re.compile(r"(?:[A2-9TJQK][CDHS]|X[BR])[12]?")
SMALLEST_MELD = 3
LONGEST_RUN = len(RANKS)
KEPT_ANSWERS = 4096


class Meld(NamedTuple):
    """Cards laid together. A run keeps its order, low to high; a set is kept in display order."""

    kind: Kind
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return MARKS[self.kind].join(self.cards)


def meld_set(cards: Iterable[Card]) -> Meld:
    return Meld("set", tuple(by_display(cards)))


def meld_run(cards: Iterable[Card]) -> Meld:
    return Meld("run", tuple(cards))


def grown(meld: Meld, card: Card, place: Growth) -> Meld:
    """The meld with one more card: anywhere in a set, at one end of a run."""
    if place == "set":
        return meld_set((*meld.cards, card))
    return meld_run((card, *meld.cards) if place == "low" else (*meld.cards, card))


def read_meld(text: str) -> Meld:
    """`9C1+9D1+XB` is a set, `4H1-5H1-6H2` a run; a run may be written in any order that tells where jokers stand.

    :raises ValueError: no mark between the cards, or both marks; text that is no card of any pack.
    """
    compact = in_capitals("".join(text.split()))
    if ("+" in compact) == ("-" in compact):
        raise ValueError(f"{text.strip()!r} is neither a set such as 9C+9D+9H nor a run such as 4H-5H-6H")
    kind: Kind = "set" if "+" in compact else "run"
    cards = compact.split(MARKS[kind])
    if not all(cards):
        raise ValueError(f"a card is missing in {text.strip()!r}")
    if unknown := [card for card in cards if not _CARD.fullmatch(card)]:
        raise ValueError(f"there is no card {unknown[0][:12]}")
    if kind == "set":
        return meld_set(cards)
    return meld_run(upwards(cards))


def upwards(cards: Sequence[Card], wild: str = "X") -> list[Card]:
    """The cards of a run from low to high, as far as they are one.

    Naturals alone may come in any order; with wild cards, which stand where they are written, they go up or down.
    """
    ranks = [RANK_INDEX[card[0]] for card in cards if card[0] not in wild]
    starts = [rank for rank in ranks if (rank - 1) % len(RANKS) not in ranks]
    if len(set(ranks)) == len(cards) and len(starts) == 1:
        return sorted(cards, key=lambda card: (RANK_INDEX[card[0]] - starts[0]) % len(RANKS))
    return list(reversed(cards) if _descends(cards, wild) else cards)


def _descends(cards: Sequence[Card], wild: str) -> bool:
    """Whether the naturals go down by one rank for each place, an ace above a king as well as below a two."""
    ranks = [(place, card[:1]) for place, card in enumerate(cards)]
    places = [(place, RANK_INDEX[rank]) for place, rank in ranks if rank in RANK_INDEX and rank not in wild]
    if len(places) < 2:
        return False
    first_place, first_rank = places[0]
    return all((first_rank - rank - place + first_place) % len(RANKS) == 0 for place, rank in places[1:])


_NO_GAP = "its ranks must follow each other without a gap"
_PLACES_OF_ACE: dict[SequenceKind, str] = {
    "low": "an ace only goes before the two, and there must be no gap",
    "high": "an ace only goes after the king, and there must be no gap",
    "high_or_low": "an ace goes before the two or after the king, not between them, and there must be no gap",
    "round": _NO_GAP,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why cards are no meld: a short rule id and a sentence that says what would be one."""

    rule: str
    message: str


CallT = TypeVar("CallT", bound=Callable[..., object])


def _keeping_answers(method: CallT) -> CallT:
    """An LRU cache for a method of rules, of which there are a few, kept for good."""
    return cast(CallT, lru_cache(maxsize=KEPT_ANSWERS)(method))


class MeldRules(NamedTuple):
    """The melds of a game.

    sequence: `low` A to K; `high` 2 to A; `high_or_low` both; `round` goes on from king through ace to two.
    set_suits: `different`, three or four cards; `any`, three cards or more up to `largest_set`.
    wild: the ranks that stand for any card, `X` being that of the jokers.
    """

    sequence: SequenceKind = "low"
    set_suits: SetSuits = "different"
    largest_set: int = 4
    wild: str = "X"

    def is_wild(self, card: Card) -> bool:
        return card[0] in self.wild

    @_keeping_answers
    def fault(self, meld: Meld) -> Fault | None:
        """The first rule that the meld breaks, None when it is valid."""
        if len(meld.cards) < SMALLEST_MELD:
            return Fault("meld-size", f"{_listed(meld)} isn't enough: a meld needs at least three cards.")
        naturals = [card for card in meld.cards if not self.is_wild(card)]
        if not naturals:
            return Fault("meld-natural", f"{_listed(meld)} has only jokers: add a card that says what they stand for.")
        return self._set_fault(meld, naturals) if meld.kind == "set" else self._run_fault(meld, naturals)

    def _set_fault(self, meld: Meld, naturals: list[Card]) -> Fault | None:
        if len({card[0] for card in naturals}) > 1:
            return Fault("set-rank", f"{_listed(meld)} mixes ranks: all cards of a set have the same rank.")
        if len(meld.cards) > self.largest_set:
            return Fault("set-suits", f"{_listed(meld)} is too large: a set has at most {self.largest_set} cards.")
        if self.set_suits == "different" and len({card[1] for card in naturals}) < len(naturals):
            return Fault("set-suits", f"{_listed(meld)} shows a suit twice: a set has each suit only once.")
        return None

    def _run_fault(self, meld: Meld, naturals: list[Card]) -> Fault | None:
        if len({card[1] for card in naturals}) > 1:
            return Fault("run-suit", f"{_listed(meld)} mixes suits: all cards of a run have the same suit.")
        if len(meld.cards) > LONGEST_RUN:
            return Fault("run-length", f"{_listed(meld)} is too long: a run has each rank only once, so split it.")
        if self.run_start(meld.cards) is None:
            return self._sequence_fault(meld, naturals)
        return None

    def _sequence_fault(self, meld: Meld, naturals: list[Card]) -> Fault:
        """What keeps cards of one suit from being a run. On the circle of ranks only its length ends a run."""
        if len({card[0] for card in naturals}) < len(naturals):
            rule = "run-length" if self.sequence == "round" else "run-sequence"
            return Fault(rule, f"{_listed(meld)} shows a rank twice: a run has each rank only once.")
        has_ace = any(card[0] == "A" for card in naturals)
        gap = _PLACES_OF_ACE[self.sequence] if has_ace else _NO_GAP
        return Fault("run-sequence", f"{_listed(meld)} isn't a run: {gap}.")

    def run_start(self, cards: Sequence[Card]) -> int | None:
        """The place of the first card in `SEQUENCES[sequence]`, None if the cards are no run."""
        shown = "".join("." if self.is_wild(card) else card[0] for card in cards)
        found = re.search(shown, SEQUENCES[self.sequence])
        return None if found is None else found.start()

    @_keeping_answers
    def faces(self, meld: Meld) -> tuple[frozenset[str], ...]:
        """For each card of a valid meld the faces that it shows or, as a joker, may stand for.

        A joker in a set of any suits may stand for every suit.
        """
        naturals = [card for card in meld.cards if not self.is_wild(card)]
        if meld.kind == "run":
            return tuple(frozenset((place,)) for place in self.run_faces(meld.cards))
        wild = self._faces_of_set(naturals)
        return tuple(wild if self.is_wild(card) else frozenset((face(card),)) for card in meld.cards)

    def run_faces(self, cards: Sequence[Card]) -> tuple[str, ...]:
        """The face of every place of a valid run."""
        start = self.run_start(cards)
        assert start is not None, f"{cards} is not a run"
        suit = next(card[1] for card in cards if not self.is_wild(card))
        ranks = SEQUENCES[self.sequence]
        return tuple(ranks[start + place] + suit for place in range(len(cards)))

    @_keeping_answers
    def growth(self, meld: Meld) -> Mapping[Growth, frozenset[str]]:
        """Where a valid meld can take one more card, and the faces that fit there; a wild card fits each place."""
        if meld.kind == "run":
            return self._run_growth(meld.cards)
        naturals = [card for card in meld.cards if not self.is_wild(card)]
        return {"set": self._faces_of_set(naturals)} if len(meld.cards) < self.largest_set else {}

    def _faces_of_set(self, naturals: Sequence[Card]) -> frozenset[str]:
        """The faces that may join these naturals of a set."""
        shown = {card[1] for card in naturals} if self.set_suits == "different" else set()
        return frozenset(naturals[0][0] + suit for suit in SUITS if suit not in shown)

    def _run_growth(self, cards: Sequence[Card]) -> dict[Growth, frozenset[str]]:
        start = self.run_start(cards)
        assert start is not None, f"{cards} is not a run"
        suit = next(card[1] for card in cards if not self.is_wild(card))
        ranks = SEQUENCES[self.sequence]
        ends: dict[Growth, int] = {"low": start - 1, "high": start + len(cards)}
        return {
            end: frozenset((ranks[place % len(RANKS)] + suit,))
            for end, place in ends.items()
            if len(cards) < LONGEST_RUN and (self.sequence == "round" or 0 <= place < len(ranks))
        }

    def readings(self, cards: Sequence[Card]) -> list[Meld]:
        """Every valid meld that these cards can be, in any order: a set, and a run with jokers in all places.

        Runs with the jokers inside come before runs with jokers at an end, and jokers high before jokers low.
        """
        as_set = meld_set(cards)
        found = [] if self.fault(as_set) else [as_set]
        return found + self._runs_of(cards)

    def likeliest(self, cards: Sequence[Card]) -> Meld:
        """Cards as the meld that they are or, where they are none, as the set or run that they come nearest to."""
        naturals = [card for card in cards if not self.is_wild(card)]
        ranks, suits = (Counter(card[part] for card in naturals) for part in (0, 1))
        is_set = len(ranks) == 1 or max(ranks.values(), default=0) > max(suits.values(), default=0)
        near = meld_set(cards) if is_set else meld_run(by_display(cards))
        return next(iter(self.readings(cards)), near)

    def _runs_of(self, cards: Sequence[Card]) -> list[Meld]:
        naturals = {card[0]: card for card in cards if not self.is_wild(card)}
        jokers = [card for card in cards if self.is_wild(card)]
        if not naturals or len(naturals) + len(jokers) < len(cards) or len(cards) > LONGEST_RUN:
            return []
        runs: dict[Meld, tuple[int, bool]] = {}
        for window in self._windows(len(cards)):
            if naturals.keys() <= set(window):
                for order in permutations(jokers):
                    fill = iter(order)
                    run = meld_run(naturals.get(rank) or next(fill) for rank in window)
                    if self.fault(run) is None:
                        ends = self.is_wild(run.cards[0]) + self.is_wild(run.cards[-1])
                        runs.setdefault(run, (ends, self.is_wild(run.cards[0])))
        return sorted(runs, key=runs.__getitem__)

    def _windows(self, length: int) -> tuple[str, ...]:
        return windows(self.sequence, length)


def _listed(meld: Meld) -> str:
    """The cards of a meld in a sentence."""
    return " ".join(meld.cards)


@cache
def windows(sequence: SequenceKind, length: int) -> tuple[str, ...]:
    """The ranks of every run of this length."""
    ranks = SEQUENCES[sequence]
    starts = len(RANKS) if sequence == "round" else len(ranks) - length + 1
    return tuple(ranks[start : start + length] for start in range(starts))
