"""Team matches: boards won, who wins the match, and who plays.

Source: the usual rules of team chess (FIDE Olympiad, D.02). A won board counts one board point, a drawn one half; the
team with more board points wins the match and has two match points, a drawn match gives one to each. Rulings:

- a board that both sides forfeit counts for nobody; a match without any board point is lost by both teams;
- where a match needs a winner, the board count decides: the sum of the numbers of the boards won, a drawn board
  counting half for both, and the lower sum wins, because the top boards weigh most. Then the lowest board is left out,
  then the two lowest, and so on; then the points of all games, and last the better seed. A team that has left the
  event never wins a level match;
- a match is a forfeit if each of its boards is one;
- the line-up keeps the order of the team: a substitute comes in at the end of the players who stay, as in chess, where
  everyone below the missing player moves up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from tournaments.formats.contract import HALF, NOTHING, WIN, Format, How
from tournaments.formats.match_play import places_of
from tournaments.formats.numbers import written
from tournaments.formats.tie_breaks import BOARD_POINTS, MATCH_POINTS

TeamScore: TypeAlias = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class BoardResult:
    """A decided board. places: by side, as in `MatchRecord`. points: of its games, by side."""

    places: tuple[int, ...]
    how: How = "played"
    points: tuple[int, ...] = (0, 0)


@dataclass(frozen=True, slots=True)
class TeamDecision:
    """The result of a team match. places and score, its board points: by side. reason: in words."""

    places: tuple[int, ...]
    score: TeamScore
    how: How
    reason: str


def board_points(boards: Sequence[BoardResult]) -> TeamScore:
    one, other = (sum((_share(board, side) for board in boards), NOTHING) for side in (0, 1))
    return one, other


def decide_team_match(
    boards: Sequence[BoardResult], *, needs_winner: bool, seeds: Sequence[int], gone: Collection[int] = ()
) -> TeamDecision:
    """boards: all of them, in their order. seeds: of the teams, by side. gone: sides that have left the event."""
    score = board_points(boards)
    how: How = "forfeit" if all(board.how == "forfeit" for board in boards) else "played"
    in_words = f"{written(score[0])} : {written(score[1])} board points"
    if not any(score):
        return TeamDecision((2, 2), score, how, "no one won a board")
    places = places_of(score)
    if places.count(1) == 1:
        return TeamDecision(places, score, how, in_words)
    if not needs_winner:
        return TeamDecision(places, score, how, f"drawn, {in_words}")
    if len(gone) == 1:
        return TeamDecision(places_of([-(side in gone) for side in (0, 1)]), score, how, f"{in_words}; the other left")
    places, by = _tie_broken(boards, seeds)
    return TeamDecision(places, score, how, f"{in_words}; {by}")


def _tie_broken(boards: Sequence[BoardResult], seeds: Sequence[int]) -> tuple[tuple[int, ...], str]:
    counts = [sum((_share(board, side) * n for n, board in enumerate(boards, start=1)), NOTHING) for side in (0, 1)]
    if counts[0] != counts[1]:
        return places_of([-count for count in counts]), f"board count {written(counts[0])} to {written(counts[1])}"
    for last in range(len(boards) - 1, 0, -1):
        score = board_points(boards[:last])
        if score[0] != score[1]:
            which = "board 1" if last == 1 else f"boards 1 to {last}"
            return places_of(score), f"{written(score[0])} : {written(score[1])} on {which}"
    made = [sum(board.points[side] for board in boards) for side in (0, 1)]
    if made[0] != made[1]:
        return places_of(made), "more points in all games"
    return places_of([-seed for seed in seeds]), "level on every board, so the better seed advances"


def _share(board: BoardResult, side: int) -> Fraction:
    if board.how == "annulled" or board.places[side] != 1:
        return NOTHING
    return WIN if board.places.count(1) == 1 else HALF


# Points of the event


@dataclass(frozen=True, slots=True)
class TeamPoints:
    """What matches of teams are worth. boards: of a team. by_boards: board points rank first."""

    boards: int
    by_boards: bool = False

    @property
    def draw(self) -> Fraction:
        """What a drawn match, or a bye for half the points, is worth."""
        return Fraction(self.boards, 2) if self.by_boards else Fraction(1)

    def score(self, places: Sequence[int], how: How, score: Sequence[Fraction | None]) -> tuple[Fraction, ...]:
        """The board points of a decided match. score: by side, None where it was decided as a whole.

        As a whole it counts as if every board had its result. A bye gives the board points of a drawn match.
        """
        half = Fraction(self.boards, 2)
        if len(places) == 1:
            return (NOTHING if how == "zero-bye" else half,)
        whole = 2 * half if places.count(1) == 1 else half
        return tuple(
            points if points is not None else whole if place == 1 else NOTHING
            for points, place in zip(score, places, strict=True)
        )

    def worth(self, places: Sequence[int], how: How, score: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """By side, what the match gives. score: its board points."""
        if self.by_boards:
            return score
        if how == "half-bye":
            return (self.draw,)
        win = 2 * self.draw if places.count(1) == 1 else self.draw
        return tuple(win if place == 1 and how != "zero-bye" else NOTHING for place in places)


def with_team_points(plan: Format, code: str) -> Format:
    """A format in which this is the first tie-break: the points of teams that do not rank first."""
    codes = getattr(plan, "tie_breaks", None)
    if codes is None:
        return plan
    own = tuple(other for other in codes if other not in (BOARD_POINTS, MATCH_POINTS))
    return replace(plan, **{"tie_breaks": (code, *own)})


# Who plays


@dataclass(frozen=True, slots=True)
class TeamPlayer:
    """A player in the order of the team. rests: by the captain's wish. is_away: missed the last board."""

    id: int
    rests: bool = False
    is_away: bool = False


def line_up(team: Sequence[TeamPlayer], boards: int) -> tuple[int, ...]:
    """Who plays the next match, top board first; fewer than `boards` where the team has no more.

    The first ones who are there. Where they are too few, the captain's wish comes before presence: a player who was
    away may come, one who rests will not.
    """
    here = [player for player in team if not (player.rests or player.is_away)]
    away = [player for player in team if player.is_away and not player.rests]
    chosen = {player.id for player in [*here[:boards], *away[: max(boards - len(here), 0)]]}
    return tuple(player.id for player in team if player.id in chosen)
