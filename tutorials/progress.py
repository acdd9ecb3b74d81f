"""Lesson progress: stored for every user who has tried a step, guests too."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import engines
from games.core.contract import Game
from tutorials import reviews
from tutorials.content import library
from tutorials.content.lessons import LessonStep
from tutorials.models import LessonProgress, ReviewAnswer

Progress = dict[str, LessonProgress]


def progress_of(user: object, *, game: str) -> Progress:
    """By step id; {} for a user without progress."""
    if not isinstance(user, User) or user.pk is None:
        return {}
    return {row.step: row for row in LessonProgress.objects.filter(user=user, game=game)}


def progress_by_game(user: object) -> dict[str, Progress]:
    """Of every course that the user has begun."""
    found: defaultdict[str, Progress] = defaultdict(dict)
    if isinstance(user, User):
        for row in user.lesson_progress.all():
            found[row.game][row.step] = row
    return found


def steps_left(user: object, *, game: str) -> int:
    """How many steps of the course of a game are still to be done; 0 also for a game without a course."""
    if game not in library.games_with("lessons.yaml"):
        return 0
    done = {step for step, row in progress_of(user, game=game).items() if row.done_at}
    return sum(step.id not in done for step in library.load_course(game).steps)


@dataclass(frozen=True, slots=True)
class FinishedCourse:
    """A course that a user has finished. stars: steps done without a mistake."""

    game: Game[Any, Any, Any]
    stars: int
    steps: int


def finished_courses(user: User) -> list[FinishedCourse]:
    """In the order of the games."""
    done: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for row in user.lesson_progress.exclude(done_at=None):
        done[row.game][row.step] = row.has_star
    known = [game for game in engines.GAMES if game.slug in done and game.slug in library.games_with("lessons.yaml")]
    steps = {game: [step.id for step in library.load_course(game.slug).steps] for game in known}
    return [
        FinishedCourse(game, sum(done[game.slug][step] for step in steps[game]), len(steps[game]))
        for game in known
        if done[game.slug].keys() >= set(steps[game])
    ]


def latest_course_game(user: object) -> str | None:
    """The game of the step that was begun last."""
    if not isinstance(user, User):
        return None
    newest = LessonProgress.objects.filter(user=user).order_by("pk").last()
    return newest.game if newest else None


@transaction.atomic
def store_line(*, user: User, game: str, step: LessonStep, line: Iterable[str]) -> None:
    """Stores the moves made so far."""
    row = _row(user, game, step)
    row.line = list(line)
    row.save(update_fields=["line"])


@transaction.atomic
def lose_star(*, user: User, game: str, step: LessonStep) -> None:
    """Notes a mistake: a step that is not done yet loses its star, and its rule is to be reviewed."""
    row = _row(user, game, step)
    if row.done_at is None and row.is_first_try:
        row.is_first_try = False
        row.save(update_fields=["is_first_try"])
        now = timezone.now()
        reviews.note_missed_rule(user, game, step.missed_rule, source=ReviewAnswer.Source.LESSON, now=now)


@transaction.atomic
def finish_step(*, user: User, game: str, step: LessonStep, now: datetime) -> None:
    """Marks a step as done; only the first time counts."""
    row = _row(user, game, step)
    if row.done_at is None:
        row.done_at = now
        row.save(update_fields=["done_at"])


@transaction.atomic
def skip_steps(*, user: User, game: str, steps: Iterable[LessonStep], now: datetime) -> None:
    """Marks steps as done without a star, except those that are done already."""
    for step in steps:
        row = _row(user, game, step)
        if row.done_at is None:
            row.done_at, row.is_first_try = now, False
            row.save(update_fields=["done_at", "is_first_try"])


def _row(user: User, game: str, step: LessonStep) -> LessonProgress:
    return LessonProgress.objects.select_for_update().get_or_create(user=user, game=game, step=step.id)[0]
