"""Puzzles for visitors: answers and their ratings, streaks, the puzzle of the day and the next one of a stream."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import F

from accounts.models import User
from games.core.contract import Move, State
from games.domain.rating_math import Skill, after_game
from tutorials.models import Puzzle, PuzzleAttempt, PuzzleRating, ReviewAnswer
from tutorials.models.puzzle import PuzzleQuerySet
from tutorials.reviews import note_missed_rule

RIGHT, WRONG = (1, 2), (2, 1)  # places of the player and the puzzle


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row with a puzzle tried. has_today: today is one of them."""

    days: int
    has_today: bool


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """The puzzle of the day for a visitor. attempt: None before their answer. day: in their time zone."""

    day: date
    puzzle: Puzzle
    attempt: PuzzleAttempt | None
    streak: Streak


def daily_puzzle(user: object, today: date) -> DailyPuzzle | None:
    """today: in the visitor's time zone. None as long as the site has no puzzles."""
    puzzle = puzzle_of_the_day(today)
    return DailyPuzzle(today, puzzle, attempt_of(user, puzzle), streak_of(user, today)) if puzzle else None


def puzzle_of_the_day(day: date) -> Puzzle | None:
    """day: in the visitor's time zone. Before one is chosen it is the newest puzzle that had no day yet, if any."""
    newest = Puzzle.objects.open().order_by(F("day").asc(nulls_first=True), "-pk")
    return Puzzle.objects.open().filter(day=day).first() or newest.first()


def next_puzzle(user: object, game: str) -> Puzzle | None:
    """The puzzle closest to the user's rating among those that the user has not tried; None if all are done."""
    return untried_puzzles(user).filter(game=game).nearest(rating_of(user, game)).first()


def untried_puzzles(user: object) -> PuzzleQuerySet:
    puzzles = Puzzle.objects.open()
    return puzzles.exclude(attempts__user=user) if isinstance(user, User) else puzzles


def rating_of(user: object, game: str) -> Skill:
    """The user's rating in the puzzles of a game; a newcomer's without one."""
    row = PuzzleRating.objects.filter(user=user, game=game).first() if isinstance(user, User) else None
    return row.skill if row else Skill()


def attempt_of(user: object, puzzle: Puzzle) -> PuzzleAttempt | None:
    return PuzzleAttempt.objects.filter(user=user, puzzle=puzzle).first() if isinstance(user, User) else None


def is_solution(puzzle: Puzzle, state: State, move: Move) -> bool:
    """Whether a legal move is one of the best.

    Where tables are rearranged there are more ways to write a move than are listed: what counts is the hand it leaves.
    """
    if str(move) in puzzle.best:
        return True
    if not puzzle.rules.workbench:
        return False
    return hand_after(state, puzzle.seat, move) in [
        hand_after(state, puzzle.seat, puzzle.rules.parse(text)) for text in puzzle.best
    ]


def hand_after(state: State, seat: int, move: Move) -> list[str]:
    """The seat's own cards after a move."""
    after = state.copy()
    after.play(seat, move)
    return sorted(card for zone in after.view(seat).zones if zone.owner == seat for card in zone.cards)


def require_legal(puzzle: Puzzle, text: str) -> Move:
    """The move that a text means in a puzzle. :raises GameError: it is none, or not legal there."""
    move: Move = puzzle.rules.parse(text)
    puzzle.state.copy().play(puzzle.seat, move)
    return move


def answer_puzzle(*, user: User, puzzle: Puzzle, text: str, day: date, now: datetime) -> PuzzleAttempt:
    """Takes a legal move as the user's answer (`record_attempt`). :raises GameError: it is not legal."""
    move = require_legal(puzzle, text)
    is_right = is_solution(puzzle, puzzle.state, move)
    attempt = record_attempt(user=user, puzzle_id=puzzle.pk, move=str(move), is_right=is_right, day=day, now=now)
    puzzle.refresh_from_db(fields=["mu", "sigma"])
    return attempt


@transaction.atomic
def record_attempt(*, user: User, puzzle_id: int, move: str, is_right: bool, day: date, now: datetime) -> PuzzleAttempt:
    """Stores a user's first answer to a puzzle and rates both; a later answer changes nothing.

    A wrong answer brings the rule of the reason into the user's reviews.

    day: in the user's time zone.
    """
    puzzle = Puzzle.objects.select_for_update().get(pk=puzzle_id)
    known = PuzzleAttempt.objects.filter(user=user, puzzle=puzzle).first()
    if known is not None:
        return known
    PuzzleRating.objects.get_or_create(user=user, game=puzzle.game)
    rating = PuzzleRating.objects.select_for_update().get(user=user, game=puzzle.game)
    before = rating.skill
    (player,), (position,) = after_game([[before], [puzzle.skill]], RIGHT if is_right else WRONG)
    rating.mu, rating.sigma = player.mu, player.sigma
    rating.save(update_fields=["mu", "sigma"])
    puzzle.mu, puzzle.sigma = position.mu, position.sigma
    puzzle.save(update_fields=["mu", "sigma"])
    if not is_right and puzzle.rule:
        note_missed_rule(user, puzzle.game, puzzle.rule.partition(":")[2], source=ReviewAnswer.Source.PUZZLE, now=now)
    return PuzzleAttempt.objects.create(
        user=user,
        puzzle=puzzle,
        move=move,
        is_right=is_right,
        before=before.number,
        after=player.number,
        day=day,
        at=now,
    )


def streak_of(user: object, today: date) -> Streak:
    """today: in the user's time zone. A streak lasts until a whole day has gone by without a puzzle."""
    if not isinstance(user, User):
        return Streak(0, False)
    days = set(PuzzleAttempt.objects.filter(user=user, day__lte=today).values_list("day", flat=True))
    last = today if today in days else today - timedelta(days=1)
    length = 0
    while last - timedelta(days=length) in days:
        length += 1
    return Streak(length, today in days)


def favourite_game(user: object) -> str | None:
    """The game of the puzzle that the user tried last."""
    if not isinstance(user, User):
        return None
    last = PuzzleAttempt.objects.filter(user=user).order_by("-pk").select_related("puzzle").first()
    return last.puzzle.game if last else None
