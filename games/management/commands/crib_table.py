from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from django.core.management.base import BaseCommand, CommandParser

from games import bots
from games.core.card_bits import ALL_CARDS, BIT, CARD, bits, union
from games.core.cards import RANKS
from games.core.cribbage import line, show

Worth: TypeAlias = dict[str, float]  # average count of a crib by the ranks of the two cards laid in it, "A5"

TARGET = Path(bots.__file__).with_name("crib_worth.py")
HEAD = '''"""Crib discard table: what two cards bring in a crib of two players on average, by their ranks.

Made by `manage.py crib_table`: deals in which the other player keeps the cards with the best count, more or less what
they bring in the crib by the table of the round before.
"""

'''


class Command(BaseCommand):
    help = (
        "Simulates the discards of Cribbage for two and writes the average count of cribs to games/bots/crib_worth.py."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--deals", type=int, default=800, help="for each pair of ranks and each player")
        parser.add_argument("--rounds", type=int, default=3, help="so that each player knows the other's habits")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *, deals: int, rounds: int, seed: int, **_: Any) -> None:
        rng = Random(seed)
        own: Worth = {}
        others: Worth = {}
        for left in reversed(range(rounds)):
            number = deals if not left else deals // 4
            own, others = (
                table_of(others, sign=-1, deals=number, rng=rng),
                table_of(own, sign=1, deals=number, rng=rng),
            )
        TARGET.write_text(HEAD + _source("OWN_CRIB", own) + "\n" + _source("OTHERS_CRIB", others))
        self.stdout.write(f"{TARGET.name}: {len(own)} pairs of ranks.")


def table_of(habits: Mapping[str, float], *, sign: int, deals: int, rng: Random) -> Worth:
    """The crib by what one player lays away, if the other follows these habits. sign: 1 if the crib is the other's."""
    found = {}
    for one, other in combinations_with_replacement(RANKS, 2):
        laid = BIT[one + "C"] | BIT[other + "D"]
        unseen = list(bits(ALL_CARDS ^ laid))
        counts = [_crib(laid, rng.sample(unseen, 7), habits, sign) for _deal in range(deals)]
        found[one + other] = sum(counts) / deals
    return found


def _crib(laid: int, dealt: Sequence[int], habits: Mapping[str, float], sign: int) -> int:
    *six, starter = dealt
    hand = union(six)

    def kept(two: Iterable[int]) -> float:
        ranks = "".join(CARD[card][0] for card in sorted(two))
        return line(hand ^ union(two)).total + sign * habits.get(ranks, 0.0)

    return show(laid | union(max(combinations(six, 2), key=kept)), starter, is_crib=True).total


def _source(name: str, table: Worth) -> str:
    lines = [f"{name} = {{"]
    for one in RANKS:
        row = [f'"{pair}": {worth:.2f}' for pair, worth in table.items() if pair[0] == one]
        lines += [f"    {', '.join(part)}," for part in (row[:7], row[7:]) if part]
    return "\n".join([*lines, "}  # fmt: skip"]) + "\n"
