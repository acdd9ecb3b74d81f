"""Declarations of Piquet: what a hand can claim, what was said about it, and what each player has heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from games.core.cards import Card
from games.engines.piquet.moves import (
    BIT,
    CATEGORIES,
    CLAIMS,
    EQUAL,
    GOOD,
    LOWEST_IN_SETS,
    MAKING,
    POINT,
    RANKS,
    RUNS_OF,
    SEQUENCE,
    SET,
    SUITS,
    VALUE_OF,
    Category,
    Claim,
    Hand,
    Phase,
    PiquetMove,
    Word,
    suit_of,
)

QUATORZE_POINTS, TRIO_POINTS = 14, 3
SEQUENCE_POINTS = {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}

# Holdings: what can be declared


@dataclass(frozen=True, slots=True)
class Holding:
    """A point, a whole run or a set.

    size: how many cards. height: the value of a point, else the index of the (top) rank. suit: "" for a set.
    """

    category: Category
    size: int
    height: int
    suit: str = ""

    @property
    def figure(self) -> tuple[int, int]:
        """The greater figure wins the category."""
        return self.size, self.height

    @property
    def notation(self) -> str:
        """Its notation behind the letters of the category: `H`, `KH4`, `K4`."""
        return self.suit if self.category is POINT else f"{RANKS[self.height]}{self.suit}{self.size}"

    @property
    def points(self) -> int:
        if self.category is POINT:
            return self.size
        if self.category is SEQUENCE:
            return SEQUENCE_POINTS[self.size]
        return QUATORZE_POINTS if self.size == 4 else TRIO_POINTS

    def covers(self, card: Card) -> bool:
        """Whether a card that its owner held belongs to it."""
        if self.category is SET:
            return card[0] == RANKS[self.height]
        return card[1] == self.suit if self.category is POINT else bool(BIT[card] & self.cards)

    @property
    def cards(self) -> Hand:
        """The cards of a run; 0 for one that the pack does not have."""
        lowest = self.height - self.size + 1
        return 0 if lowest < 0 else (1 << self.size) - 1 << 8 * SUITS.index(self.suit) + lowest


@lru_cache(maxsize=4096)
def holdings(hand: Hand, category: Category) -> tuple[Holding, ...]:
    """All that a hand can claim: suits in the order C D H S, runs and sets the highest first."""
    if category is SET:
        counted = [(sum(hand >> 8 * suit + rank & 1 for suit in range(4)), rank) for rank in range(7, 2, -1)]
        return tuple(Holding(SET, count, rank) for count, rank in counted if count >= 3)
    found = []
    for number, suit in enumerate(SUITS):
        byte = suit_of(hand, number)
        if category is SEQUENCE:
            found += [Holding(SEQUENCE, size, top, suit) for size, top in RUNS_OF[byte]]
        elif byte:
            found.append(Holding(POINT, byte.bit_count(), VALUE_OF[byte], suit))
    return tuple(found)


@lru_cache(maxsize=4096)
def best_holding(hand: Hand, category: Category) -> Holding | None:
    """The first of those with the greatest figure."""
    return max(holdings(hand, category), key=lambda holding: holding.figure, default=None)


def extras(hand: Hand, claimed: Holding) -> tuple[Holding, ...]:
    """What else counts for the winner of a category: all other runs or sets that do not outrank the claim."""
    if claimed.category is POINT:
        return ()
    others = holdings(hand, claimed.category)
    return tuple(other for other in others if other != claimed and other.figure <= claimed.figure)


@lru_cache(maxsize=4096)
def claims(hand: Hand, category: Category) -> tuple[PiquetMove, ...]:
    return tuple(Claim(category, holding.notation) for holding in holdings(hand, category))


# What is said about a category


class Stage(StrEnum):
    """How far a category is settled; ELDER, YOUNGER, EQUAL and NOBODY are final."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    MAKING = "making"
    PASSED = "passed"
    ELDER = "elder"
    YOUNGER = "younger"
    EQUAL = "equal"
    NOBODY = "nobody"


BEFORE_LEAD = (Stage.WAITING, Stage.CLAIMED, Stage.MAKING)


@dataclass(frozen=True, slots=True)
class Talk:
    """A category with all that is behind the words.

    asked: younger has asked for the tie-break figure. claim: elder's. reply: younger's, once it has won or is equal.
    extras: what else the winner counts.
    """

    stage: Stage = Stage.WAITING
    asked: bool = False
    claim: Holding | None = None
    reply: Holding | None = None
    extras: tuple[Holding, ...] = ()

    @property
    def counted(self) -> tuple[Holding, ...]:
        """What scores, the extras last; () if nobody scores."""
        winner = self.claim if self.stage is Stage.ELDER else self.reply if self.stage is Stage.YOUNGER else None
        return () if winner is None else (winner, *self.extras)

    @property
    def points(self) -> tuple[int, int]:
        """For elder and younger."""
        total = sum([holding.points for holding in self.counted])
        return (total, 0) if self.stage is Stage.ELDER else (0, total)


@dataclass(frozen=True, slots=True)
class Figures:
    """What is known of a holding; 0 and "" are unknown, `height` -1 too."""

    size: int = 0
    height: int = -1
    suit: str = ""

    @classmethod
    def of(cls, holding: Holding | None) -> Figures:
        """All figures of a holding."""
        return UNHEARD if holding is None else cls(holding.size, holding.height, holding.suit)

    def is_compatible(self, holding: Holding) -> bool:
        return (
            self.size in (0, holding.size) and self.height in (-1, holding.height) and self.suit in ("", holding.suit)
        )


@dataclass(frozen=True, slots=True)
class Heard:
    """A category as one viewer knows it: the stage, elder's and younger's holding, the extras announced."""

    stage: Stage
    asked: bool
    elder: Figures
    younger: Figures
    extras: tuple[Holding, ...]


UNHEARD = Figures()


def category_due(phase: Phase, talks: Sequence[Talk | Heard]) -> tuple[int, Category]:
    """The category that is being settled: elder's next before the lead, then younger's among those passed."""
    stages = (Stage.PASSED,) if phase is CLAIMS else BEFORE_LEAD
    place = next(place for place, talk in enumerate(talks) if talk.stage in stages)
    return place, CATEGORIES[place]


def heard_talk(talk: Talk, category: Category, *, is_elder: bool, is_younger: bool, is_led: bool, bare: bool) -> Heard:
    """What a viewer knows of a category. is_led: elder has led, so younger has scored. bare: `replies` is bare."""
    claim, reply = talk.claim, talk.reply
    names_rank = category is SET
    elder = younger = UNHEARD
    if claim is not None:
        is_named = talk.stage in (Stage.ELDER, Stage.EQUAL)
        elder = Figures(claim.size, claim.height if talk.asked or names_rank else -1, claim.suit if is_named else "")
    if reply is not None:
        is_told = is_led or not bare or talk.stage is Stage.EQUAL
        younger = Figures(
            reply.size if is_told or talk.asked else 0,
            reply.height if is_told and (talk.asked or names_rank) else -1,
            reply.suit if is_led else "",
        )
    if is_elder:
        elder = Figures.of(claim)
    if is_younger:
        younger = Figures.of(reply)
    shows_extras = talk.stage is Stage.ELDER or is_led or is_younger
    return Heard(talk.stage, talk.asked, elder, younger, talk.extras if shows_extras else ())


# What may not be said: the rule and the sentence


def claim_fault(hand: Hand, claim: Claim) -> tuple[str, str]:
    """Why a hand does not have this holding."""
    category, what = claim.category, claim.what
    if category is SET:
        rank, size = RANKS.index(what[0]), int(what[1])
        if rank < LOWEST_IN_SETS:
            return "set-def", "Nines, eights and sevens don't make sets. Declare tens or higher, or pass."
        if size == 3 and any(holding.height == rank for holding in holdings(hand, SET)):
            return "no-part-claims", "Declare all your cards of that rank: you have four."
    if category is SEQUENCE:
        run = Holding(SEQUENCE, int(what[2]), RANKS.index(what[0]), what[1]).cards
        if run and not run & ~hand:
            return "no-part-claims", "Declare the whole run, not a part of it."
    return "declare-truth", f"You don't have that {category}. Declare what is in your hand, or pass."


def answer_fault(word: Word, talk: Talk, best: Holding | None) -> tuple[str, str] | None:
    """Why younger, whose best holding this is, may not give this answer; None if it is allowed."""
    assert talk.claim is not None, "only a claim is answered"
    mine, claimed = (0, 0) if best is None else best.figure, talk.claim.figure
    is_set, is_same_size = talk.claim.category is SET, mine[0] == claimed[0]
    if word == GOOD:
        return None
    if word == MAKING:
        if is_set:
            return "reply-making", "You know the rank of the set already. Say good, or name a better set."
        if talk.asked:
            return "reply-making", "You've asked already. Say good, equal, or that yours is better."
        if not is_same_size:
            return "declare-truth", "You can ask only if you have the same number of cards. Choose another answer."
        return None
    if is_same_size and not is_set and not talk.asked:
        return "reply-making", "You have the same number of cards, so ask first what it is making."
    if word == EQUAL:
        return None if mine == claimed else ("declare-truth", "Yours isn't equal. Choose another answer.")
    return None if mine > claimed else ("declare-truth", "Yours isn't better. Choose another answer.")
