"""What the pages of reviews and of course tests share: a drill question beside its table."""

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

from games.core.contract import State
from games.presentation.board import build_board
from tutorials.content import runner
from tutorials.content.runner import AnyGame
from tutorials.drills.questions import DrillQuestion, Source


def drill_context(
    game: AnyGame, drill: DrillQuestion, *, hidden: dict[str, object], marked: frozenset[int] | None = None
) -> dict[str, Any]:
    """What `tutorials/_drill.html` shows. hidden: names the question in its form. marked: the answers given."""
    is_right = marked == drill.question.right
    context: dict[str, Any] = {
        "game": game,
        "question": drill.question,
        "hidden": hidden,
        "marked": marked if marked is None or is_right else marked | drill.question.right,
        "is_done": marked is not None,
        "is_right": is_right,
        "section": "learn",
    }
    if drill.position is not None:
        state: State = game.load(drill.position)
        view = state.view(drill.seat)
        names = runner.seat_names(state.seats, drill.seat)
        context["board"] = build_board(
            replace(view, moves=()),
            names=names,
            zones=drill.zones or None,
            sides=game.sides(state.options, state.seats),
        )
    return context


def question_key(source: Source) -> str:
    """A short name of a question: a page that shows another one is old."""
    return sha256(json.dumps(source, sort_keys=True).encode()).hexdigest()[:16]
