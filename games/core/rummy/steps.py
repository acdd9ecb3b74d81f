"""Steps of rummy games in which a meld may take cards from melds on the table: their text, and what is left.

A step lays a new meld, `M 6C1+6S1+6H1<1` with the six of hearts stolen from meld 1, or enlarges one,
`L3 5H1-6H1-7H1-8H1`, which names the whole meld as it then is. `XB<4(7H1)` is the joker of meld 4 for which the
seven of hearts from the hand is left there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, Self

from games.core.cards import Card, in_capitals
from games.core.contract import Move
from games.core.rummy.melds import MARKS, SMALLEST_MELD, Meld, MeldRules, meld_run, meld_set, read_meld

_CARD = r"(?:[A2-9TJQK][CDHS][12]?|X[BR])"
_FROM = r"0*[1-9]\d{0,2}"
_PART = rf"{_CARD}(?:<{_FROM}(?:\({_CARD}\))?)?"
_STEP = re.compile(rf"(?:M|L(?P<number>[1-9]\d{{0,2}})):?(?P<parts>{_PART}(?:\+{_PART})*|{_PART}(?:-{_PART})*)")
_STOLEN = re.compile(rf"({_CARD})<({_FROM})(?:\(({_CARD})\))?")


class Theft(NamedTuple):
    """A card taken from meld `number`; `swap` is the hand card left for it, "" for none."""

    card: Card
    number: int
    swap: Card = ""

    def __str__(self) -> str:
        return f"{self.card}<{self.number}" + (f"({self.swap})" if self.swap else "")


@dataclass(frozen=True, slots=True)
class Step(Move):
    """Lays `meld` as a new one or, with a `number`, in place of that meld on the table. Build it by `Step.of`.

    thefts: the cards of the meld that come from other melds, in its order.
    """

    meld: Meld
    thefts: tuple[Theft, ...] = ()
    number: int = 0

    @classmethod
    def of(cls, meld: Meld, thefts: Iterable[Theft] = (), number: int = 0) -> Self:
        place = {card: index for index, card in enumerate(meld.cards)}
        return cls(meld, tuple(sorted(thefts, key=lambda theft: (place[theft.card], theft.number))), number)

    def __str__(self) -> str:
        stolen = {theft.card: str(theft) for theft in self.thefts}
        parts = MARKS[self.meld.kind].join(stolen.get(card, card) for card in self.meld.cards)
        return f"L{self.number} {parts}" if self.number else f"M {parts}"

    @property
    def is_from_hand(self) -> bool:
        """A new meld of hand cards alone."""
        return not self.thefts and not self.number

    @property
    def stolen(self) -> tuple[Card, ...]:
        return tuple(theft.card for theft in self.thefts)

    def laid(self, enlarged: Meld | None = None) -> tuple[Card, ...]:
        """The cards that come from the hand: those left for jokers, too. enlarged: the meld of that number."""
        there = {*self.stolen, *(enlarged.cards if enlarged else ())}
        swaps = (theft.swap for theft in self.thefts if theft.swap)
        return (*(card for card in self.meld.cards if card not in there), *swaps)


def read_step(text: str) -> Step | None:
    """The step that a text means, its cards in any order that makes the same meld; None if it is no step."""
    match = _STEP.fullmatch(in_capitals("".join(text.split())))
    if match is None or len(match["parts"]) > 400:
        return None
    enlarged = int(match["number"] or 0)
    thefts = [Theft(card, int(number), swap) for card, number, swap in _STOLEN.findall(match["parts"])]
    plain = _STOLEN.sub(r"\1", match["parts"])
    meld = read_meld(plain) if set(plain) & set("+-") else meld_set([plain])
    # A card of the enlarged meld is no theft, even if it is written as one.
    return Step.of(meld, (theft for theft in thefts if theft.swap or theft.number != enlarged), enlarged)


def parts_left(meld: Meld, taken: Collection[Card]) -> list[Meld]:
    """The rest of a meld without these cards: one set, or the pieces of a run from low to high; valid or not."""
    if meld.kind == "set":
        rest = [card for card in meld.cards if card not in taken]
        return [meld_set(rest)] if rest else []
    pieces = groupby(meld.cards, key=lambda card: card in taken)
    return [meld_run(cards) for is_taken, cards in pieces if not is_taken]


def steps_meant(rules: MeldRules, table: Mapping[int, Meld], hand: Sequence[Card], picks: Sequence[str]) -> list[Step]:
    """The steps that picks of the hand and of melds may mean, legal or not, the likeliest first; [] without a card.

    picks: cards, and `meld:3` for a whole meld. Three cards or more are rather a new meld, with those of the table
    stolen; fewer are added to the melds that they touch. A whole meld may also stand for the one of its cards that
    makes a meld with the others. What makes no meld comes last.
    """
    lies_in = {card: number for number, meld in table.items() for card in meld.cards}
    mine = [pick for pick in picks if pick in hand]
    taken = [pick for pick in picks if pick in lies_in]
    touched = [number for number in table if f"meld:{number}" in picks or number in map(lies_in.get, taken)]
    larger = [Step.of(rules.likeliest([*table[number].cards, *mine]), (), number) for number in touched if mine]
    thefts = [Theft(card, lies_in[card]) for card in taken]
    new = [Step.of(rules.likeliest([*mine, *taken]), thefts)] if taken or (mine and not touched) else []
    steps = [*new, *larger] if len(mine) + len(taken) >= SMALLEST_MELD else [*larger, *new]
    wholes = [number for number in touched if mine and f"meld:{number}" in picks]
    meant = [Theft(card, number) for number in wholes for card in sorted(table[number].cards, key=rules.is_wild)]
    steps += [Step.of(rules.likeliest([*mine, *taken, theft.card]), [*thefts, theft]) for theft in meant]
    return sorted(steps, key=lambda step: rules.fault(step.meld) is not None)
