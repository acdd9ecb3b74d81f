"""Position parsing: checks for positions that people edit, whose messages say what to fix."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, TypeVar

from games.core.cards import Card, read_cards
from games.core.contract import BadOption, Game, ImpossiblePosition, OptionValue
from games.core.deals import Decks, numbered_decks

PhaseT = TypeVar("PhaseT", bound=StrEnum)


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


def as_json(value: Any) -> Any:
    """A value of a state as a position has it: tuples and lists as lists, also inside another one."""
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, (list, tuple)) else value


def whole_number(value: Any, name: str, *, low: int, high: int) -> int:
    """:raises ImpossiblePosition: not a whole number from low to high."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ImpossiblePosition(f"{name}: a whole number from {low} to {high} is needed, not {value!r}.")
    return value


def numbered_melds(value: Any, *, most: int, such_as: str) -> Iterator[tuple[int, Any]]:
    """The melds of a table with their numbers, from a mapping of numbers or a list that starts with 1.

    most: the highest number. such_as: a meld as the game writes it, for the message. :raises ImpossiblePosition:
    """
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = dict(enumerate(value, start=1))
    if value is not None and not isinstance(value, Mapping):
        raise ImpossiblePosition(f"table: number the melds, such as 1: {such_as}.")
    seen = set()
    for key, meld in (value or {}).items():
        number = int(key) if str(key).isdecimal() and len(str(key)) <= 3 else 0
        whole_number(number or key, "table", low=1, high=most)
        if number in seen:
            raise ImpossiblePosition(f"table: there are two melds with the number {number}.")
        seen.add(number)
        yield number, meld


def check_cards(cards: Iterable[Card], pack: Sequence[Card]) -> None:
    """:raises ImpossiblePosition: a card is not in the pack, or occurs more often than in the pack."""
    stock = Counter(pack)
    for card, times in Counter(cards).items():
        if card not in stock:
            raise ImpossiblePosition(f"There is no card {card} in this pack.")
        if times > stock[card]:
            raise ImpossiblePosition(f"The card {card} lies there {times} times.")


@cache
def first_numbered_deck(pack: tuple[Card, ...]) -> Sequence[Card]:
    return next(numbered_decks(pack))


def check_pegs(scores: Iterable[int], rear: Iterable[int]) -> None:
    """:raises ImpossiblePosition: a rear peg of a cribbage board is farther than the front peg of its side."""
    if any(behind > score for score, behind in zip(scores, rear, strict=True)):
        raise ImpossiblePosition("rear: a rear peg stands behind its front peg.")


def known_keys(data: Mapping[str, Any], keys: Iterable[str]) -> None:
    """:raises ImpossiblePosition: a key that no position of the game has, most likely misspelt."""
    allowed = sorted(keys)
    for key in data:
        if key not in allowed:
            raise ImpossiblePosition(f"A position has no {key!r}; it knows {', '.join(allowed)}.")


class PositionReader:
    """Base reader of position mappings. All methods raise `ImpossiblePosition`."""

    default_seats: ClassVar[int | None] = None
    """The seats if none are named, where these are not the fewest of the game."""

    def __init__(self, game: Game[Any, Any, Any], data: Any, keys: Iterable[str]) -> None:
        if not isinstance(data, Mapping):
            raise ImpossiblePosition("A position is a mapping of names to zones.")
        known_keys(data, keys)
        self.game = game
        self.data = data
        self.seats = self._seats()
        self.options = self._options()

    def _seats(self) -> int:
        """The seats named, as `seats` or `players`, also among the options; or else `default_seats`."""
        options = self.data.get("options")
        among_options = options.get("players") if isinstance(options, Mapping) else None
        given = (self.data.get("seats"), self.data.get("players"), among_options)
        named = list(dict.fromkeys(str(seats) for seats in given if seats is not None))
        if len(named) > 1:
            raise ImpossiblePosition(f"seats: {' and '.join(named)} players cannot both be meant.")
        if not set(named) <= set(map(str, self.game.seats)):
            words = self.game.seats_in_words
            raise ImpossiblePosition(f"seats: {self.game.name} is played with {words}, not {named[0]}.")
        return int(named[0]) if named else self.default_seats or min(self.game.seats)

    def _options(self) -> dict[str, OptionValue]:
        given = self.data.get("options") or {}
        if not isinstance(given, Mapping):
            raise ImpossiblePosition("options: write them as names with values.")
        try:
            return self.game.read_options({name: given[name] for name in given if name != "players"}, self.seats)
        except BadOption as error:
            raise ImpossiblePosition(f"options: {error}") from None

    def number(self, key: str, default: int, *, low: int = 0, high: int) -> int:
        value = self.data.get(key)
        return default if value is None else whole_number(value, key, low=low, high=high)

    def seat(self, key: str, default: int | None) -> int | None:
        value = self.data.get(key)
        return default if value is None else whole_number(value, key, low=0, high=self.seats - 1)

    def read_phase(self, phases: type[PhaseT], default: str) -> PhaseT:
        """The `phase`, in any capitals; `default` where none is given."""
        try:
            return phases(str(self.data.get("phase") or default).lower())
        except ValueError:
            raise ImpossiblePosition(f"phase: choose one of {', '.join(phases)}.") from None

    def following_decks(self, deals: Iterable[Sequence[Card]] | None) -> Decks:
        """The decks of the following hands: those given, or the numbered deals."""
        return Decks(numbered_decks(self.game.deck(self.options)) if deals is None else deals)

    def unused_cards(self, used: Iterable[Card]) -> list[Card]:
        """The cards of the pack that are in no other zone, in the order of the first numbered deal."""
        placed = set(used)
        return [card for card in first_numbered_deck(self.game.deck(self.options)) if card not in placed]

    def switch(self, key: str, default: bool = False) -> bool:
        value = self.data.get(key)
        if value is not None and not isinstance(value, bool):
            raise ImpossiblePosition(f"{key}: it is true or false, not {value!r}.")
        return default if value is None else value

    def numbers(self, key: str, *, low: int = 0, high: int) -> list[int]:
        """One number a seat, 0 where none is given."""
        entries = by_seat(self.data.get(key), self.seats, key)
        return [0 if entry is None else whole_number(entry, key, low=low, high=high) for entry in entries]

    def cards_of(self, key: str) -> list[Card]:
        return card_list(self.data.get(key), key)

    def card_of(self, key: str) -> Card | None:
        cards = self.cards_of(key)
        if len(cards) > 1:
            raise ImpossiblePosition(f"{key}: it is one card.")
        return cards[0] if cards else None

    def card_lists(self, key: str) -> list[list[Card]]:
        """The cards of every seat."""
        return [card_list(cards, key) for cards in by_seat(self.data.get(key), self.seats, key)]

    def check_nothing_beside_deck(self, keys: Iterable[str]) -> None:
        for key in keys:
            if self.data.get(key):
                raise ImpossiblePosition(f"deck: a deck is dealt by itself, so leave out {key}.")


def with_seats(data: Any, *, fewest: int, most: int, keys: Iterable[str] = ("hands", "scores")) -> Any:
    """The mapping with its number of `seats`: as given, also under `players`, else as many as its other keys need.

    keys: those with an entry a seat; `to_move` and `dealer` name a seat. What is no mapping is left to the reader.
    """
    if not isinstance(data, Mapping) or data.get("seats") is not None:
        return data
    given = {key: value for key, value in data.items() if key not in ("seats", "players")}
    if data.get("players") is not None:
        return {**given, "seats": data["players"]}
    needed = [fewest]
    for value in map(data.get, keys):
        if isinstance(value, Mapping):
            needed += [int(seat) + 1 for seat in map(str, value) if seat.isdecimal()]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            needed.append(len(value))
    needed += [seat + 1 for seat in map(data.get, ("to_move", "dealer")) if isinstance(seat, int)]
    return {**given, "seats": min(max(needed), most)}


class SidesReader(PositionReader):
    """For games in which seats may share a side: that of a seat is `seat % sides`."""

    sides = 2

    def by_side(self, key: str) -> list[list[Any]]:
        """The entries given for each side; a list has one for each side or seat, a mapping names seats."""
        value = self.data.get(key)
        is_by_side = isinstance(value, Sequence) and len(value) == self.sides
        entries = by_seat(value, self.sides if is_by_side else self.seats, key)
        return [[entry for entry in entries[side :: self.sides] if entry is not None] for side in range(self.sides)]

    def numbers_by_side(self, key: str, *, high: int) -> list[int]:
        """One number a side, 0 where none is given; written by side or, the same for all partners, by seat."""
        found = []
        for entries in self.by_side(key):
            given = {whole_number(entry, key, low=0, high=high) for entry in entries}
            if len(given) > 1:
                raise ImpossiblePosition(f"{key}: partners have one number together.")
            found.append(given.pop() if given else 0)
        return found
