"""Provably fair shuffle (commit-reveal): no one can choose the decks, and anyone can check them afterwards.

A commit-reveal protocol. A new table draws a secret and publishes its seal, `commitment(secret)`. Each player's browser
draws a value and sends `bound_commitment(seal, value)`. Once all commitments are in, every browser keeps the list of
them and reveals its value. The entropy is the list of the values, and deck `number` of the table is
`shuffled(pack, secret, entropy, number)`. After the game the secret is published and anyone can repeat the calculation.

So nobody can choose a value after seeing another one, not even the last player in league with the site, which knows the
secret. A weakness remains: such a player can withhold the value, which leaves a choice between two shuffles, or leave
the table, so that all begin again with a new secret; the others see both.

The shuffle is Fisher-Yates from the last place to the first. Its random numbers are the big-endian 32-bit words of
HMAC-SHA256(secret, "entropy|number|counter"), counter = 0, 1, 2 ...; a word that would favour low numbers is thrown
away (rejection sampling), so every order of the pack is equally likely.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from random import Random

from games.core.cards import Card

WORD = 1 << 32


def commitment(secret: bytes) -> str:
    """SHA-256 of the secret in hexadecimal: published before the first card."""
    return hashlib.sha256(secret).hexdigest()


def bound_commitment(seal: str, value: str) -> str:
    """SHA-256 of "seal:value" in hexadecimal: a browser's commitment, which counts under this seal only."""
    return hashlib.sha256(f"{seal}:{value}".encode()).hexdigest()


def _words(secret: bytes, entropy: str, number: int) -> Iterator[int]:
    for counter in count():
        block = hmac.digest(secret, f"{entropy}|{number}|{counter}".encode(), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")


def _below(bound: int, words: Iterator[int]) -> int:
    """A number from 0 to bound - 1, each equally likely."""
    limit = WORD - WORD % bound
    return next(word for word in words if word < limit) % bound


def shuffled(pack: Sequence[Card], secret: bytes, entropy: str, number: int) -> tuple[Card, ...]:
    """Deck `number` of a table, in dealing order. Hands are numbered from 1."""
    words = _words(secret, entropy, number)
    deck = list(pack)
    for last in range(len(deck) - 1, 0, -1):
        other = _below(last + 1, words)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def first_dealer(secret: bytes, entropy: str, seats: int) -> int:
    """The seat that deals the first hand: the draw with number 0."""
    return _below(seats, _words(secret, entropy, 0))


def verifiable_decks(pack: Sequence[Card], secret: bytes, entropy: str) -> Iterator[tuple[Card, ...]]:
    """Deck 1, 2, 3 ... of a table."""
    return (shuffled(pack, secret, entropy, number) for number in count(1))


def numbered_decks(pack: Sequence[Card], first: int = 1) -> Iterator[tuple[Card, ...]]:
    """The public deals `first`, `first` + 1 ...: the same for everyone who plays that number."""
    return (shuffled(pack, b"numbered deals", "", number) for number in count(first))


def random_decks(pack: Sequence[Card], rng: Random) -> Iterator[tuple[Card, ...]]:
    """Decks for simulations, where `rng` is all the fairness that is needed.

    Sorted by one random number a card, which takes half the time of `rng.shuffle`; two equal numbers of 53 bits,
    the only bias, do not happen.
    """
    random = rng.random
    while True:
        yield tuple(sorted(pack, key=lambda _card: random()))


class Decks:
    """The decks of a game by hand, drawn one at a time from any iterable and shared by a state and its copies."""

    __slots__ = ("_drawn", "_source")

    def __init__(self, deals: Iterable[Sequence[Card]]) -> None:
        self._source = iter(deals)
        self._drawn: list[tuple[Card, ...]] = []

    def __getitem__(self, index: int) -> tuple[Card, ...]:
        """Deck for the hand with this index, from 0. :raises IndexError: the source has no more decks."""
        while len(self._drawn) <= index:
            try:
                self._drawn.append(tuple(next(self._source)))
            except StopIteration:
                raise IndexError(f"only {len(self._drawn)} decks were given") from None
        return self._drawn[index]
