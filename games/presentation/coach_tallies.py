"""Tallies of the coach: decisions by kind of move and by part of a hand, and how many were mistakes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

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


def kinds_of(rows: Sequence[DecisionRow]) -> tuple[Tally, ...]:
    """By the verb of the move played."""
    return _tallies(rows, lambda row: capitalized(row.kind) or "Other moves")


def parts_of(rows: Sequence[DecisionRow], deal_word: str) -> tuple[Tally, ...]:
    """By part of a hand, which players call `deal_word`, measured in the player's decisions."""
    labels = [f"{part} of a {deal_word}" for part in PARTS]
    by_hand: defaultdict[int, list[int]] = defaultdict(list)
    for row in rows:
        by_hand[row.hand].append(row.at)

    def part(row: DecisionRow) -> str:
        decisions = by_hand[row.hand]
        return labels[len(labels) * decisions.index(row.at) // len(decisions)]

    found = {tally.label: tally for tally in _tallies(rows, part)}
    return tuple(found[label] for label in labels if label in found)


def added_up(tallies: Iterable[Tally]) -> tuple[Tally, ...]:
    """Tallies of several games with the same label as one."""
    found: dict[str, Tally] = {}
    for one in tallies:
        so_far = found.get(one.label, Tally(one.label, 0, 0, 0.0))
        found[one.label] = Tally(
            one.label, so_far.decisions + one.decisions, so_far.mistakes + one.mistakes, so_far.cost + one.cost
        )
    return tuple(found.values())


def _tallies(rows: Sequence[DecisionRow], label_of: Callable[[DecisionRow], str]) -> tuple[Tally, ...]:
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
