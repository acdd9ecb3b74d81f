"""Rows of a review: a judged decision as plain JSON types, and the record of a table as the coach reads it."""

from dataclasses import asdict, dataclass, field
from typing import Any

from games.bots.coach import Decision
from games.bots.puzzles import Record
from games.models import Table
from games.record import replay


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A judged decision; moves are texts. See `games.bots.coach.Decision`.

    at: how many rows of the record come before it, as in a replay. kind: verb of the move played.
    values: the other moves that were tried, best first: {"move", "behind", "error"}. made_of: by rule of scoring what a
    mistake lost; reviews from before this was measured have none.
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

    @property
    def cost(self) -> float:
        """What the decision has cost; nothing where it is no mistake."""
        return self.loss if self.is_mistake else 0.0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def row_of(decision: Decision, *, at: int) -> DecisionRow:
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
    )


def record_of(table: Table) -> Record:
    """The game without what was undone. :raises GameError: its rules are no longer those of today."""
    moves = [(row.seat, table.rules.parse(row.text)) for row in replay.standing(replay.rows_of(table))]
    return Record(table.rules, replay.first_state(table), moves)
