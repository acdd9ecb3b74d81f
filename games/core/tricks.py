"""Trick-taking: which card wins, and cards by suit. Ranks are given as text, the lowest first, such as `789TJQKA`."""

from collections.abc import Iterable

from games.core.cards import SUIT_INDEX, Card

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def beats(answer: Card, led: Card, ranks: str, trump: str | None = None) -> bool:
    """Whether the second card of a trick takes it: higher in the suit led, or a trump on a plain suit."""
    if answer[1] == led[1]:
        return ranks.index(answer[0]) > ranks.index(led[0])
    return answer[1] == trump


def of_suit(cards: Iterable[Card], suit: str) -> tuple[Card, ...]:
    """The cards of one suit, in the order given."""
    return tuple([card for card in cards if card[1] == suit])


def by_suit(cards: Iterable[Card], ranks: str) -> list[Card]:
    """A hand as it is held for tricks: suit by suit, the highest card of each first."""
    return sorted(cards, key=lambda card: (SUIT_INDEX[card[1]], -ranks.index(card[0])))
