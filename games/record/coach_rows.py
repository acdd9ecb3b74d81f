"""Rows of a review: a judged decision as plain JSON types, and the record of a table as the coach reads it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from games.bots.coach import Decision
from games.bots.puzzles import Record
from games.bots.rollouts import PERCENT
from games.models import CoachReview, Table
from games.record import replay


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A judged decision; moves are texts. See `games.bots.coach.Decision`.

    at: how many rows of the record come before it, as in a replay. kind: verb of the move played.
    values: the other moves that were tried, best first: {"move", "behind", "error"}. made_of: by rule of scoring what a
    mistake lost; reviews from before this was measured have none. is_open: the strong bot would have made another move,
    and a closer look is still to come.
    """

    at: int
    hand: int
    kind: str
    played: str
    best: str
    loss: float
    error: float
    in_percent: bool
    is_mistake: bool
    lead: float
    best_lead: float
    spread: float
    worlds: int
    values: list[dict[str, Any]]
    chosen: dict[str, str]
    made_of: dict[str, float] = field(default_factory=dict)
    is_open: bool = False

    @property
    def is_unjudged(self) -> bool:
        """Whether the move may be a mistake, and was not compared with any other."""
        return self.is_open and not self.worlds

    @property
    def cost(self) -> float:
        """What the decision has cost; nothing where it is no mistake."""
        return self.loss if self.is_mistake else 0.0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def row_of(decision: Decision, *, at: int, is_open: bool = False) -> DecisionRow:
    view = decision.choice.view
    return DecisionRow(
        at=at,
        hand=decision.choice.hand,
        kind=view.choice(decision.choice.played).phrase.verb,
        played=str(decision.choice.played),
        best=str(decision.best),
        loss=decision.loss.mean,
        error=decision.loss.error,
        in_percent=decision.in_percent,
        is_mistake=decision.is_mistake,
        lead=decision.lead,
        best_lead=decision.best_lead,
        spread=decision.spread,
        worlds=decision.worlds,
        values=[{"move": str(value.move), "behind": value.behind, "error": value.error} for value in decision.values],
        chosen={level: str(move) for level, move in decision.chosen.items()},
        made_of=decision.made_of,
        is_open=is_open,
    )


def rows_of(review: CoachReview) -> list[DecisionRow]:
    return [DecisionRow(**row) for row in review.decisions]


def costliest_first(rows: Iterable[DecisionRow]) -> list[DecisionRow]:
    """By the number that a page shows.

    Those in percent of winning are ranked among those in points by what a hand of this game swings on average.
    """
    found = list(rows)
    spreads = [row.spread for row in found if not row.in_percent]
    swing = max(4 * sum(spreads) / len(spreads), 1.0) if spreads else 1.0
    return sorted(found, key=lambda row: row.loss * swing / PERCENT if row.in_percent else row.loss, reverse=True)


def record_of(table: Table) -> Record:
    """The game without what was undone. :raises GameError: its rules are no longer those of today."""
    moves = [(row.seat, table.rules.parse(row.text)) for row in replay.standing(replay.rows_of(table))]
    return Record(table.rules, replay.first_state(table), moves)
