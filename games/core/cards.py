"""Cards as text: rank, suit and, where two packs are in play, the copy.

`8S` is the eight of spades, `TD` the ten of diamonds, `7H2` the second pack's seven of hearts,
`XB` and `XR` the black and the red joker. The text is the card everywhere: in decks, positions, moves
and views. An engine that needs speed maps it to numbers of its own when a hand is dealt.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

Card: TypeAlias = str

RANKS = "A23456789TJQK"
SUITS = "CDHS"
JOKERS = ("XB", "XR")

RANK_NAMES = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip

RANK_INDEX = {rank: index for index, rank in enumerate(RANKS)}
SUIT_INDEX = {suit: index for index, suit in enumerate(SUITS)}

# U+FE0E asks for the plain sign where a font would draw a coloured picture.
SUIT_SIGNS = {"C": "♣\ufe0e", "D": "♦\ufe0e", "H": "♥\ufe0e", "S": "♠\ufe0e"}
JOKER_SIGN = "★\ufe0e"

# A card within a sentence: its code stands alone. Group 1 is the face.
CARD_IN_TEXT = re.compile(r"(?<![\w#&])(X[BR]|[A2-9TJQK][CDHS])[12]?(?!\w)")
_TEN = re.compile(rf"10(?=[{SUITS}])")


def pack(*, copies: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """`copies` packs of 52 in suit and rank order, then `jokers` of the two jokers.

    With more than one copy each card carries its copy, from 1: `AC1`, `AC2`. So do more than two jokers: `XB1`.
    """
    marks = [""] if copies == 1 else [str(copy) for copy in range(1, copies + 1)]
    cards = [rank + suit + mark for mark in marks for suit in SUITS for rank in RANKS]
    all_jokers = JOKERS if jokers <= len(JOKERS) else [joker + mark for mark in marks for joker in JOKERS]
    return (*cards, *all_jokers[:jokers])


def is_joker(card: Card) -> bool:
    return card[0] == "X"


def a_rank(rank: str) -> str:
    """A card of a rank, in words: "an ace", "a seven"."""
    return f"{'an' if rank in 'A8' else 'a'} {RANK_NAMES[rank]}"


def face(card: Card) -> str:
    """Rank and suit without the copy: `7H2` shows the face `7H`."""
    return card[:2]


def sign(card: Card) -> str:
    """The sign of a card in a sentence: `10♠` for `TS1`, a star for a joker."""
    return JOKER_SIGN if is_joker(card) else card[0].replace("T", "10") + SUIT_SIGNS[card[1]]


def card_signs(text: str) -> str:
    """Plain text with every card as its sign, for answers that are not HTML."""
    return CARD_IN_TEXT.sub(lambda match: sign(match[1]), text)


@lru_cache(maxsize=512)
def display_key(card: Card) -> tuple[int, int, str]:
    """Sorts cards by rank A 2 ... K, then by suit C D H S, jokers last."""
    if is_joker(card):
        return (len(RANKS), 0, card)
    return (RANK_INDEX[card[0]], SUIT_INDEX[card[1]], card)


def by_display(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=display_key)


def in_capitals(text: str) -> str:
    """The text in upper case, with tens as cards have them: `10s` is `TS`."""
    return _TEN.sub("T", text.upper())


def read_cards(value: str | Sequence[Card]) -> list[Card]:
    """Cards from a list or from text with spaces between them; upper case, not checked against a pack."""
    return [in_capitals(card) for card in (value.split() if isinstance(value, str) else value)]
