"""Tallies of the coach: decisions by kind of move and by part of a hand, and how many were mistakes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from games.core.words import capitalized
from games.record.coach_rows import DecisionRow

PARTS = ("First third", "Middle", "Last third")


@dataclass(frozen=True, slots=True)
class Tally:
    """Decisions of one kind, and how many were mistakes. cost: of the mistakes, in points."""

    label: str
    decisions: int
    mistakes: int
    cost: float

    @property
    def accuracy(self) -> int:
        return whole_percent(self.decisions - self.mistakes, self.decisions)


def kinds_of(rows: Iterable[DecisionRow]) -> tuple[Tally, ...]:
    """By the verb of the move played."""
    return _tallies(rows, lambda row: capitalized(row.kind) or "Other moves")


def parts_of(games: Sequence[Sequence[DecisionRow]], deal_word: str) -> tuple[Tally, ...]:
    """By part of a hand, which players call `deal_word`, measured in decisions. games: with all decisions of each."""
    labels = [f"{part} of a {deal_word}" for part in PARTS]
    label_of: dict[int, str] = {}
    for rows in games:
        by_hand: defaultdict[int, list[DecisionRow]] = defaultdict(list)
        for row in rows:
            by_hand[row.hand].append(row)
        for hand in by_hand.values():
            label_of |= {id(row): labels[len(labels) * index // len(hand)] for index, row in enumerate(hand)}
    tallies = _tallies(chain.from_iterable(games), lambda row: label_of[id(row)])
    found = {tally.label: tally for tally in tallies}
    return tuple(found[label] for label in labels if label in found)


def _tallies(rows: Iterable[DecisionRow], label_of: Callable[[DecisionRow], str]) -> tuple[Tally, ...]:
    """Of the decisions that were judged."""
    grouped: defaultdict[str, list[DecisionRow]] = defaultdict(list)
    for row in rows:
        if not row.is_unjudged:
            grouped[label_of(row)].append(row)
    return tuple(
        Tally(
            label,
            len(group),
            sum(row.is_mistake for row in group),
            sum(row.cost for row in group if not row.in_percent),
        )
        for label, group in grouped.items()
    )


def whole_percent(part: int, whole: int) -> int:
    """A share in percent without decimals: 100 only for all, 0 only for none."""
    return min(max(round(100 * part / whole), 1), 99) if 0 < part < whole else 100 * part // whole
