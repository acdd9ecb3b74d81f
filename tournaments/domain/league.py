"""Bot league arithmetic: pairings, mirrored deals, standings. Pure: records in, records out.

Bots of one level are one program, so levels meet. Every pairing plays numbered deals; each deal is a mirrored match
(`games.bots.matches`) whose decks, and whose bots' random choices, follow from the night's published text alone. A deal
that is played again therefore gives the same games, on any machine.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from games.bots import LEVELS, bot
from games.bots.matches import Comparison, MirroredGame, play_mirrored
from games.core.contract import Options
from games.core.deals import Decks, verifiable_decks
from games.engines import get

Pairing = tuple[str, str]


def level_pairings(levels: Sequence[str]) -> list[Pairing]:
    """Round robin of levels; the stronger level is the first of a pairing."""
    strongest_first = [level for level in reversed(LEVELS) if level in levels]
    return list(combinations(strongest_first, 2))


def deal_secret(lots: str, pairing: Pairing, deal: int) -> bytes:
    """The secret of the decks of a deal: SHA-256 of the night's text, both levels and the number of the deal."""
    return hashlib.sha256(f"{lots}|{pairing[0]}|{pairing[1]}|{deal}".encode()).digest()


def bot_entropy(seats: int) -> str:
    """`Table.entropy` of seats that add nothing to the shuffle."""
    return ",".join([""] * seats)


def play_mirrored_deal(
    game: str, pairing: Pairing, deal: int, *, lots: str, seats: int, options: Options
) -> list[MirroredGame]:
    """Plays the mirrored match of a deal. The last seat deals first."""
    rules, secret = get(game), deal_secret(lots, pairing, deal)
    decks = Decks(verifiable_decks(rules.deck(options), secret, bot_entropy(seats)))
    first, second = (bot(game, level) for level in pairing)
    return play_mirrored(rules, first, second, decks, Random(secret), seats=seats, options=options)


# Who plays for a level


@dataclass(frozen=True, slots=True)
class DealCrews:
    """The bots that play a deal for the two levels. first, second: user ids, as many as the level can have seats."""

    first: tuple[int, ...]
    second: tuple[int, ...]

    def seated(self, side: Sequence[int], seats: int) -> list[int]:
        """User ids by seat, with the first crew on these seats."""
        first, second = iter(self.first), iter(self.second)
        return [next(first) if seat in side else next(second) for seat in range(seats)]


def crews_for_deal(first: Sequence[int], second: Sequence[int], deal: int, *, side_size: int, seats: int) -> DealCrews:
    """Takes the bots of two levels in turn, and moves the second on once the first have all played.

    first, second: user ids; of the second at least seats - side_size. deal: from 1.
    """
    rounds, start = divmod(deal - 1, len(first))
    return DealCrews(_in_turn(first, start, side_size), _in_turn(second, start + rounds, seats - side_size))


def _in_turn(bots: Sequence[int], start: int, count: int) -> tuple[int, ...]:
    return tuple(bots[(start + number) % len(bots)] for number in range(count))


# Results


def rating_places(share: float, sides: int) -> tuple[int, ...]:
    """Places by side for the ratings: the first side ahead of all others, level with them, or behind."""
    if share == 0.5:
        return (1,) * sides
    return (1, *[2] * (sides - 1)) if share > 0.5 else (2, *[1] * (sides - 1))


@dataclass(frozen=True, slots=True)
class LevelStanding:
    """The standing of a level. share: of its opponents left behind, from 0 to 1; low, high: its 95 % confidence
    interval.

    deals: mirrored matches played. won, drawn, lost: of these.
    """

    level: str
    share: float
    low: float
    high: float
    deals: int
    won: int
    drawn: int
    lost: int


def level_standing(level: str, shares: Sequence[float]) -> LevelStanding:
    """shares: one for each mirrored match, at least one."""
    comparison = Comparison(tuple(shares))
    low, high = comparison.interval
    won, lost = sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares)
    return LevelStanding(level, comparison.mean, low, high, len(shares), won, len(shares) - won - lost, lost)


def level_standings(results: Mapping[Pairing, Sequence[float]]) -> list[LevelStanding]:
    """Best share first. results: by pairing, the first level's share of each mirrored match; [] for none yet."""
    shares: dict[str, list[float]] = {}
    for (first, second), played in results.items():
        shares.setdefault(first, []).extend(played)
        shares.setdefault(second, []).extend(1 - share for share in played)
    rows = [level_standing(level, own) for level, own in shares.items() if own]
    return sorted(rows, key=lambda row: -row.share)
