"""Puzzles for tests: a stored one with known values."""

from datetime import UTC, datetime

from games import bots, engines
from games.domain.rating_math import Skill
from tests.bots.test_puzzles import ONLY_THE_TEN_WINS
from tutorials.models import Puzzle, PuzzleSource

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def store_sample(name="a game", *, day=None, rating=1500, table=None, found_at=NOW):
    """The puzzle of `ONLY_THE_TEN_WINS`, as the search stores it."""
    rules = engines.get("sixty-six")
    state = rules.load(ONLY_THE_TEN_WINS)
    source = PuzzleSource.objects.create(name=name, game="sixty-six", table=table, searched_at=found_at)
    return Puzzle.objects.create(
        source=source,
        number=0,
        game="sixty-six",
        rules_version=rules.rules_version,
        position=state.dump(),
        seat=0,
        best=["TH"],
        gain=2.0,
        values=[
            {"move": "QD", "behind": 2.0, "error": 0.0},
            {"move": "TS", "behind": 2.0, "error": 0.0},
            {"move": "JS", "behind": 2.0, "error": 0.0},
            {"move": "66", "behind": 3.0, "error": 0.0},
        ],
        checks=[
            {"seed": "a first", "worlds": 12, "gain": 2.0, "error": 0.0},
            {"seed": "a second", "worlds": 12, "gain": 2.0, "error": 0.0},
        ],
        chosen={"first-steps": {"TS": 8}, "club": {"TS": 8}, "strong": {"TH": 4}},
        reason=bots.reason("sixty-six", state.view(0), rules.parse("TH")).text,
        rule="sixty-six:strict-follow",
        mu=Skill.of_number(rating).mu,
        day=day,
        found_at=found_at,
    )
