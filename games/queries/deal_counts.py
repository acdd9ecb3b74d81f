"""Deal counts of a game for its page and for download (`games.domain.shuffle_statistics` has the maths)."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

from django.db.models import F

from games.core.cards import Card
from games.core.contract import Game
from games.domain import shuffle_statistics
from games.domain.heat_map import HeatMap, heat_map
from games.domain.shuffle_statistics import NO_HAND, Evenness, Strength, Tally
from games.models import CountedTable, DeckCounts
from games.models.table import Table

FARTHEST = 5
KEPT_PAGES = 40
STREAMED_AT_ONCE = 500  # tables


@dataclass(frozen=True, slots=True)
class Test:
    """A statistical test of the counts, fixed before there were any."""

    label: str
    evenness: Evenness

    @property
    def verdict(self) -> str:
        return shuffle_statistics.verdict(self.evenness.p)

    @property
    def is_odd(self) -> bool:
        """Whether the result is worth a word: one fair test in twenty is."""
        return not shuffle_statistics.is_usual(self.evenness.p)


@dataclass(frozen=True, slots=True)
class Far:
    """A card and a place of the deck where it came up more or less often than expected."""

    card: Card
    place: int
    count: int
    expected: float
    deviation: float


@dataclass(frozen=True)
class Way:
    """One way of dealing a pack, to a number of hands."""

    tally: Tally

    @property
    def title(self) -> str:
        return f"{self.tally.hands} hands of {self.tally.widths[0]}"

    @property
    def tests(self) -> list[Test]:
        by_hand = shuffle_statistics.evenness(self.tally.by_hand, self.tally.widths)
        strength = shuffle_statistics.evenness_of_strengths(self.tally)
        found = [Test(f"Cards by hand, {self.title}", by_hand)]
        return [*found, Test(f"Strength, {self.title}", strength)] if strength else found

    @property
    def strengths(self) -> list[tuple[str, Strength]]:
        return [(hand_name(one.hand, self.tally.hands), one) for one in shuffle_statistics.strengths(self.tally)]

    @property
    def columns(self) -> list[tuple[str, float]]:
        """The columns of `rows`: the name of each with the count that is expected in it."""
        hands = self.tally.hands
        names = [*(hand_name(hand, hands) for hand in range(hands)), "Not dealt at first"]
        shares = [width / len(self.tally.pack) for width in self.tally.widths]
        return [(name, self.tally.decks * share) for name, share in zip(names, shares, strict=True)]

    @property
    def rows(self) -> list[tuple[Card, list[int]]]:
        return list(zip(self.tally.pack, self.tally.by_hand, strict=True))


def hand_name(hand: int, hands: int) -> str:
    """The name of a hand by its player's seat: 0 is the dealer's left, the last is the dealer."""
    if hand == hands - 1:
        return "Dealer"
    if hands == 2:
        return "Opponent of the dealer"
    return "Dealer's left" if hand == 0 else f"Seat {hand + 1} after the dealer"


@dataclass(frozen=True)
class PackSheet:
    """All decks of one pack with their statistics, which are cached with the page."""

    pack: tuple[Card, ...]
    tallies: tuple[Tally, ...]

    @cached_property
    def decks(self) -> int:
        return sum(tally.decks for tally in self.tallies)

    @property
    def is_enough(self) -> bool:
        return self.decks >= shuffle_statistics.FEWEST_DECKS

    @cached_property
    def ways(self) -> list[Way]:
        """The ways of dealing the pack to hands for which there are enough decks."""
        return [Way(tally) for tally in self.tallies if tally.hands and tally.decks >= shuffle_statistics.FEWEST_DECKS]

    @cached_property
    def tests(self) -> list[Test]:
        by_place = shuffle_statistics.evenness(self._positions, self._widths)
        return [Test("Cards by place in the deck", by_place), *(test for way in self.ways for test in way.tests)]

    @cached_property
    def map(self) -> HeatMap:
        return heat_map(self.pack, self._deviations)

    @property
    def expected(self) -> float:
        return self.decks / len(self.pack)

    @property
    def numbers(self) -> int:
        return len(self.pack) ** 2

    @cached_property
    def farthest(self) -> list[Far]:
        """The cards and places farthest from what is expected."""
        cells = [
            Far(card, place, self._positions[row][place - 1], self.expected, deviation)
            for row, card in enumerate(self.pack)
            for place, deviation in enumerate(self._deviations[row], start=1)
        ]
        return sorted(cells, key=lambda far: -abs(far.deviation))[:FARTHEST]

    @property
    def chance_of_farthest(self) -> float:
        return shuffle_statistics.chance_of_farthest(self.farthest[0].count, self.decks, len(self.pack))

    @cached_property
    def _positions(self) -> list[list[int]]:
        return shuffle_statistics.merged(self.tallies)

    @cached_property
    def _deviations(self) -> list[list[float]]:
        return shuffle_statistics.deviations(self._positions, self._widths)

    @property
    def _widths(self) -> list[int]:
        return [1] * len(self.pack)


def sheets_of(slug: str) -> tuple[PackSheet, ...]:
    """The decks of a game by pack; () before the first."""
    counted = DeckCounts.objects.filter(game=slug, decks__gt=0).values_list("pk", "decks")
    return _sheets(tuple(counted))


@lru_cache(maxsize=KEPT_PAGES)
def _sheets(counted: tuple[tuple[int, int], ...]) -> tuple[PackSheet, ...]:
    """counted: ids of `DeckCounts` with their numbers of decks, so that new decks make a new sheet."""
    rows = DeckCounts.objects.filter(pk__in=[pk for pk, _ in counted])
    tallies = sorted((row.tally for row in rows), key=lambda tally: (len(tally.pack), tally.pack, tally.places))
    return tuple(PackSheet(pack, tuple(group)) for pack, group in groupby(tallies, key=lambda tally: tally.pack))


def as_json(game: Game[Any, Any, Any], sheets: tuple[PackSheet, ...]) -> dict[str, Any]:
    """The counts and what follows from them; `Tally` says what they are."""
    return {
        "game": game.slug,
        "strength_means": game.strength_means,
        "packs": [_pack_as_json(sheet) for sheet in sheets if sheet.is_enough],
    }


def _pack_as_json(sheet: PackSheet) -> dict[str, Any]:
    return {
        "pack": sheet.pack,
        "decks": sheet.decks,
        "tests": [_test_as_json(test.label, test.evenness) for test in sheet.tests],
        "ways_of_dealing": [
            {
                "places": tally.places,
                "decks": tally.decks,
                "positions": tally.positions,
                "strength_sums": tally.sums,
                "strength_squares": tally.squares,
                "strength_squared_totals": tally.squared_totals,
            }
            for tally in sheet.tallies
        ],
    }


def _test_as_json(label: str, found: Evenness) -> dict[str, Any]:
    return {"test": label, "chi_square": found.chi_square, "degrees_of_freedom": found.freedom, "p": found.p}


COUNT_COLUMNS = ("hands", "cards_in_pack", "card", "place_in_deck", "dealt_to", "count")


def count_rows(sheets: tuple[PackSheet, ...]) -> Iterator[tuple[object, ...]]:
    """All counts in `COUNT_COLUMNS`; dealt_to: the number of the hand from the dealer's left, "" for none."""
    for tally in (tally for sheet in sheets if sheet.is_enough for tally in sheet.tallies):
        for card, row in zip(tally.pack, tally.positions, strict=True):
            for place, (count, hand) in enumerate(zip(row, tally.places, strict=True), start=1):
                dealt_to = "" if hand == NO_HAND else int(hand) + 1
                yield tally.hands, len(tally.pack), card, place, dealt_to, count


async def deck_lines(slug: str) -> AsyncIterator[str]:
    """A line of JSON for each table whose decks were counted, so that anyone can count them again."""
    ways = {row.pk: row async for row in DeckCounts.objects.filter(game=slug).only("pack", "places")}
    tables = CountedTable.objects.filter(counts__in=ways, first_deck__lte=F("last_deck")).order_by("pk")
    async for counted in tables.select_related("table").prefetch_related("table__seats").aiterator(STREAMED_AT_ONCE):
        yield json.dumps(_made_of(counted, ways[counted.counts_id])) + "\n"


def _made_of(counted: CountedTable, way: DeckCounts) -> dict[str, Any]:
    """secret: None while the cards are offered to people who have not seen them yet (`games.queries.shared_deals`)."""
    table: Table = counted.table
    return {
        "table": table.code,
        "commitment": table.commitment,
        "secret": None if table.offers_deal else bytes(table.secret).hex(),
        "entropy": table.entropy,
        "first_deck": counted.first_deck,
        "last_deck": counted.last_deck,
        "pack": way.pack,
        "places": way.places,
    }
