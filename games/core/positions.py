"""Reading positions that people edit: small checks that say in a sentence what to mend."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.core.cards import Card, read_cards
from games.core.contract import ImpossiblePosition


def by_seat(value: Any, seats: int, name: str) -> list[Any]:
    """One entry a seat from a list, or from a mapping of seats ("0" or 0) to entries; None where nothing is given.

    :raises ImpossiblePosition:
    """
    if value is None:
        return [None] * seats
    if isinstance(value, Mapping):
        unknown = [key for key in value if str(key) not in map(str, range(seats))]
        if unknown:
            raise ImpossiblePosition(f"{name}: there is no seat {unknown[0]} at a table of {seats}.")
        return [value.get(seat, value.get(str(seat))) for seat in range(seats)]
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == seats:
        return list(value)
    raise ImpossiblePosition(f"{name}: one entry for each of the {seats} seats is needed.")


def card_list(value: Any, name: str) -> list[Card]:
    """Cards from a list or a text; [] for None. :raises ImpossiblePosition:"""
    if value is None:
        return []
    if isinstance(value, str) or (isinstance(value, Sequence) and all(isinstance(card, str) for card in value)):
        return read_cards(value)
    raise ImpossiblePosition(f"{name}: write cards as a list or as text, such as 8S TD.")


def whole_number(value: Any, name: str, *, low: int, high: int) -> int:
    """:raises ImpossiblePosition: not a whole number from low to high."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ImpossiblePosition(f"{name}: a whole number from {low} to {high} is needed, not {value!r}.")
    return value


def check_cards(cards: Iterable[Card], pack: Sequence[Card]) -> None:
    """:raises ImpossiblePosition: a card is not in the pack, or lies there more often than the pack has it."""
    stock = Counter(pack)
    for card, times in Counter(cards).items():
        if card not in stock:
            raise ImpossiblePosition(f"There is no card {card} in this pack.")
        if times > stock[card]:
            raise ImpossiblePosition(f"The card {card} lies there {times} times.")


def known_keys(data: Mapping[str, Any], keys: Iterable[str]) -> None:
    """:raises ImpossiblePosition: a key that no position of the game has, most likely misspelt."""
    allowed = sorted(keys)
    for key in data:
        if key not in allowed:
            raise ImpossiblePosition(f"A position has no {key!r}; it knows {', '.join(allowed)}.")
