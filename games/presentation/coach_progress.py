"""Progress with the coach: a player's reviewed games of one kind together, from the rows that are stored."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from games.core.contract import Game
from games.models import CoachReview, Table
from games.presentation.coach_page import about, measured_chance
from games.presentation.coach_tallies import Tally, kinds_of, parts_of, whole_percent
from games.presentation.percent_graph import PercentGraph, percent_graph
from games.presentation.score_words import made_of
from games.record.coach_rows import DecisionRow, costliest_first, rows_of

COMPARED = 10  # games, the last ones, with as many before them
LEAST_GAMES = 3  # on a graph
COSTLIEST_SHOWN, COSTLIEST_OF_A_GAME = 5, 2


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A game of the player that the coach has reviewed. rows: all decisions; at least one was judged."""

    table: Table
    seat: int
    rows: tuple[DecisionRow, ...]

    @property
    def judged(self) -> int:
        return sum(not row.is_unjudged for row in self.rows)

    @property
    def mistakes(self) -> int:
        return sum(row.is_mistake for row in self.rows)

    @property
    def accuracy(self) -> int:
        return accuracy_of([self])

    @property
    def cost(self) -> float:
        """Of its mistakes that are measured in points."""
        return sum(row.cost for row in self.rows if not row.in_percent)

    @property
    def others(self) -> list[str]:
        return [seat.name for seat in self.table.seat_rows if seat.number != self.seat]


@dataclass(frozen=True, slots=True)
class CostlyMistake:
    """A mistake of one of the games. number: its place in the review of its game, from the costliest."""

    game: ReviewedGame
    row: DecisionRow
    number: int

    @property
    def about(self) -> str:
        return about(self.row.loss, measured_chance(self.row, self.game.table))


@dataclass(frozen=True, slots=True)
class Trend:
    """Accuracy in the last games and in those before, in percent. is_clear: chance alone hardly explains the change."""

    last: int
    before: int
    is_clear: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """games: the newest first, at least one. has_points: some mistakes are measured in points, not in chances.

    kinds: of decisions, those that cost most first. lost: about how many points by which rules of scoring, in words;
    empty for one rule alone. graph: accuracy of each game, the oldest first; None for too few games. trend: None
    without as many games before the last ones. costliest: at most two of a game.
    """

    rules: Game[Any, Any, Any]
    games: tuple[ReviewedGame, ...]
    has_points: bool
    kinds: tuple[Tally, ...]
    parts: tuple[Tally, ...]
    lost: tuple[tuple[str, int], ...]
    costliest: tuple[CostlyMistake, ...]
    graph: PercentGraph | None
    trend: Trend | None

    @property
    def accuracy(self) -> int:
        return accuracy_of(self.games)

    @property
    def mistakes_a_game(self) -> float:
        return sum(game.mistakes for game in self.games) / len(self.games)

    @property
    def cost_a_game(self) -> float:
        return sum(game.cost for game in self.games) / len(self.games)


def accuracy_of(games: Iterable[ReviewedGame]) -> int:
    """Percent of the decisions in these games that were no mistakes."""
    decisions, mistakes = _counted(games)
    return whole_percent(decisions - mistakes, decisions)


def progress_of(rules: Game[Any, Any, Any], reviews: Iterable[CoachReview]) -> Progress | None:
    """reviews: of the player's own games of this kind, the newest first. None if no decision was judged."""
    reviewed = [ReviewedGame(review.table, review.seat, tuple(rows_of(review))) for review in reviews]
    games = [game for game in reviewed if game.judged]
    if not games:
        return None
    kinds = kinds_of(row for game in games for row in game.rows)
    return Progress(
        rules,
        tuple(games),
        has_points=any(not row.in_percent for game in games for row in game.rows),
        kinds=tuple(sorted(kinds, key=lambda tally: (tally.cost, tally.mistakes), reverse=True)),
        parts=parts_of([game.rows for game in games], rules.deal_word),
        lost=_lost(games),
        costliest=_costliest(games),
        graph=_graph(games) if len(games) >= LEAST_GAMES else None,
        trend=_trend(games),
    )


def _counted(games: Iterable[ReviewedGame]) -> tuple[int, int]:
    """Judged decisions, and mistakes."""
    counts = [(game.judged, game.mistakes) for game in games]
    return sum(decisions for decisions, _ in counts), sum(mistakes for _, mistakes in counts)


def _lost(games: Sequence[ReviewedGame]) -> tuple[tuple[str, int], ...]:
    by_rule: defaultdict[str, float] = defaultdict(float)
    for row in (row for game in games for row in game.rows if row.is_mistake):
        for rule, points in row.made_of.items():
            by_rule[rule] += points
    rounded = [(words, round(points)) for words, points in made_of(by_rule, sum(by_rule.values()))]
    lost = tuple((words, points) for words, points in rounded if points > 0)
    return lost if len(lost) > 1 else ()


def _costliest(games: Sequence[ReviewedGame]) -> tuple[CostlyMistake, ...]:
    found: dict[int, CostlyMistake] = {}
    for game in games:
        mistakes = costliest_first(row for row in game.rows if row.is_mistake)
        worst = enumerate(mistakes[:COSTLIEST_OF_A_GAME], 1)
        found |= {id(row): CostlyMistake(game, row, number) for number, row in worst}
    ranked = costliest_first(mistake.row for mistake in found.values())
    return tuple(found[id(row)] for row in ranked[:COSTLIEST_SHOWN])


def _graph(games: Sequence[ReviewedGame]) -> PercentGraph:
    percents = [(at, float(game.accuracy)) for at, game in enumerate(reversed(games))]
    return percent_graph(percents, last=len(games) - 1, marks=[], spots=range(len(games)))


def _trend(games: Sequence[ReviewedGame]) -> Trend | None:
    last, before = games[:COMPARED], games[COMPARED : 2 * COMPARED]
    if len(before) < COMPARED:
        return None
    shares, squares = [], []
    for some in (last, before):
        decisions, mistakes = _counted(some)
        share = mistakes / decisions
        shares.append(share)
        squares.append(share * (1 - share) / decisions)
    is_clear = abs(shares[0] - shares[1]) > 1.96 * sqrt(sum(squares))
    return Trend(accuracy_of(last), accuracy_of(before), is_clear)
