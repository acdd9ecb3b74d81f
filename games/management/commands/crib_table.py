from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any, TypeAlias

from django.core.management.base import BaseCommand, CommandParser

from games import bots
from games.bots.pegging import RANK_CARDS, Table, kept_of, preferred
from games.core.card_bits import ALL_CARDS, BIT, CARD, bits, union
from games.core.cards import RANKS, SUITS
from games.core.cribbage import SIDES, line, rank_points, show
from games.engines.partnership_cribbage.moves import DEALT, LAID_AWAY

Worth: TypeAlias = dict[str, float]  # average count of a crib by the ranks of the two cards laid in it, "A5"

TARGET = Path(bots.__file__).with_name("crib_worth.py")
HEAD = '''"""Tables of Cribbage: what is laid away brings in a crib, and how much a deal brings.

Made by `manage.py crib_table`, from deals of players who keep the cards with the best count, more or less what the rest
brings in the crib. First the average count of a crib, by the ranks of the two cards that a player lays away, or the one
card where there are four players. Then, by the number of seats, how often the dealer's side pegs and counts (hands and
crib) 0, 1, 2 ... points, and how often the other side does.
"""

'''
NO_TARGET = (1000, 1000)
RAREST = 0.00005  # share of deals


class Command(BaseCommand):
    help = (
        "Simulates deals of Cribbage and writes to games/bots/crib_worth.py what the cards laid away bring in a crib, "
        "and how much the sides score in a deal."
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
        own |= single_table(is_own=True, deals=5 * deals, rng=rng)
        others |= single_table(is_own=False, deals=5 * deals, rng=rng)
        TARGET.write_text(HEAD + _source("OWN_CRIB", own) + "\n" + _source("OTHERS_CRIB", others))
        with TARGET.open("a") as file:
            for name, shares in scores_of(20 * deals, rng).items():
                file.write("\n" + _lines(name, shares))
        self.stdout.write(f"{TARGET.name}: {len(own)} discards.")


def table_of(habits: Mapping[str, float], *, sign: int, deals: int, rng: Random) -> Worth:
    """The crib by what one player lays away, if the other follows these habits. sign: 1 if the crib is the other's."""
    found = {}
    for one, other in combinations_with_replacement(RANKS, 2):
        laid = BIT[one + "C"] | BIT[other + "D"]
        unseen = list(bits(ALL_CARDS ^ laid))
        counts = [_crib(laid, rng.sample(unseen, 7), habits, sign) for _deal in range(deals)]
        found[one + other] = sum(counts) / deals
    return found


def single_table(*, is_own: bool, deals: int, rng: Random) -> Worth:
    """The crib of four players by the rank of the card that one of them lays away, if the others have habits."""
    found = {}
    for rank, card in zip(RANKS, RANK_CARDS, strict=True):
        unseen = RANK_CARDS * len(SUITS)
        unseen.remove(card)
        found[rank] = sum(_crib_of_four(card, unseen, is_own, rng) for _deal in range(deals)) / deals
    return found


def _crib_of_four(laid: int, unseen: Sequence[int], is_own: bool, rng: Random) -> int:
    *cards, starter = rng.sample(unseen, 3 * DEALT[4] + 1)
    crib = laid
    for seat, is_of_others in enumerate((not is_own, is_own, not is_own)):
        hand = sum(cards[seat::3])
        crib += hand - kept_of(hand, LAID_AWAY[4], is_own=is_of_others)
    return rank_points(crib + starter)


def _crib(laid: int, dealt: Sequence[int], habits: Mapping[str, float], sign: int) -> int:
    *six, starter = dealt
    hand = union(six)

    def kept(two: Iterable[int]) -> float:
        ranks = "".join(CARD[card][0] for card in sorted(two))
        return line(hand ^ union(two)).total + sign * habits.get(ranks, 0.0)

    return show(laid | union(max(combinations(six, 2), key=kept)), starter, is_crib=True).total


def scores_of(deals: int, rng: Random) -> dict[str, dict[int, list[float]]]:
    """How often each side scores 0, 1, 2 ... points in a deal, by the number of seats."""
    found: dict[str, dict[int, list[float]]] = {"OWN_PEGS": {}, "OTHERS_PEGS": {}, "OWN_SHOW": {}, "OTHERS_SHOW": {}}
    for seats in DEALT:
        rows = [_scores(seats, rng) for _deal in range(deals)]
        for shares, points in zip(found.values(), zip(*rows, strict=True), strict=True):
            most = max(number for number in points if points.count(number) > RAREST * deals)
            shares[seats] = [points.count(number) / deals for number in range(most + 1)]
    return found


def _scores(seats: int, rng: Random) -> tuple[int, int, int, int]:
    """What the dealer's side and the other one peg, then what they count, in a deal of players with habits."""
    number, dealer = DEALT[seats], seats - 1
    *cards, starter = rng.sample(RANK_CARDS * len(SUITS), seats * number + 1)
    hands = [sum(cards[place::seats]) for place in range(seats)]
    kept = [kept_of(hand, LAID_AWAY[seats], is_own=seat % SIDES == 1) for seat, hand in enumerate(hands)]
    table = Table(seats=seats, dealer=dealer, by_team=True, needs=NO_TARGET, turn=0, trail=0, last=0, stuck=())
    needs = table.after_play(kept, preferred(kept[0], 0))
    counts = [rank_points(hand + starter) for hand in (*kept, sum(hands) - sum(kept))]
    return NO_TARGET[1] - needs[1], NO_TARGET[0] - needs[0], sum(counts[1::2]) + counts[-1], sum(counts[:-1:2])


def _lines(name: str, shares: Mapping[int, Sequence[float]]) -> str:
    rows = [wrap(f"{seats}: ({', '.join(f'{share:.4f}' for share in row)}),") for seats, row in shares.items()]
    return "\n".join([f"{name} = {{", *(f"    {line}" for row in rows for line in row), "}  # fmt: skip"]) + "\n"


def _source(name: str, table: Worth) -> str:
    lines = [f"{name} = {{"]
    for one in RANKS:
        row = [f'"{ranks}": {worth:.2f}' for ranks, worth in table.items() if ranks[0] == one]
        lines += [f"    {', '.join(part)}," for part in (row[:7], row[7:]) if part]
    return "\n".join([*lines, "}  # fmt: skip"]) + "\n"
