"""Signal receivers: what accounts have learned, when they merge, export or close; what happens at tables."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import account_closed, data_export_requested, guest_joined
from games.signals import move_refused, table_finished
from infra.task_queue import enqueue, enqueue_on_commit
from tutorials.models import LessonProgress, ReviewAnswer


@receiver(guest_joined)
def hand_over_progress(guest: User, user: User, **kwargs: Any) -> None:
    """Moves the guest's progress to the account, except steps that it has begun itself."""
    known = LessonProgress.objects.filter(user=user).values_list("game", "step")
    for row in LessonProgress.objects.filter(user=guest):
        if (row.game, row.step) not in known:
            row.user = user
            row.save(update_fields=["user"])


@receiver(guest_joined)
def hand_over_reviews(guest: User, user: User, **kwargs: Any) -> None:
    """Moves the guest's reviews and tests to the account, except rules and open tests that it has itself."""
    own_rules = set(user.review_items.values_list("game", "rule"))
    for item in guest.review_items.all():
        if (item.game, item.rule) not in own_rules:
            item.user = user
            item.save(update_fields=["user"])
    own_tests = set(user.course_tests.filter(finished_at=None).values_list("game", "chapter"))
    for test in guest.course_tests.all():
        if test.is_finished or (test.game, test.chapter) not in own_tests:
            test.user = user
            test.save(update_fields=["user"])


@receiver(data_export_requested)
def export_lessons(user: User, **kwargs: Any) -> dict[str, object]:
    """The lessons part of the data export."""
    return {"lessons": list(user.lesson_progress.values("game", "step", "line", "is_first_try", "done_at"))}


@receiver(data_export_requested)
def export_reviews(user: User, **kwargs: Any) -> dict[str, object]:
    """The reviews and course tests in the data export."""
    history = ReviewAnswer.objects.filter(item__user=user).order_by("at")
    return {
        "reviews": list(user.review_items.values("game", "rule", "due_at", "reviewed_at", "stability", "difficulty")),
        "review answers": list(history.values("item__game", "item__rule", "at", "source", "is_right")),
        "course tests": list(
            user.course_tests.values(
                "game", "chapter", "questions", "answers", "started_at", "finished_at", "passed_at"
            )
        ),
    }


@receiver(account_closed)
def delete_progress(user: User, **kwargs: Any) -> None:
    user.lesson_progress.all().delete()
    user.review_items.all().delete()
    user.course_tests.all().delete()


@receiver(move_refused)
def queue_missed_rule(user_id: int, rule: str, **kwargs: Any) -> None:
    """A rule that refused a move at a table comes back in the player's reviews."""
    enqueue_on_commit("tutorials.tasks.note_refused_move", user_id, rule)


@receiver(table_finished)
def finish_practice(table_id: int, **kwargs: Any) -> None:
    """In a task, so that the last move of a game is answered at once."""
    enqueue("tutorials.tasks.finish_practice", table_id)


@receiver(guest_joined)
def hand_over_puzzles(guest: User, user: User, **kwargs: Any) -> None:
    """Moves the guest's attempts and ratings to the account, except those that it has itself."""
    guest.puzzle_attempts.exclude(puzzle__in=user.puzzle_attempts.values("puzzle")).update(user=user)
    guest.puzzle_ratings.exclude(game__in=user.puzzle_ratings.values("game")).update(user=user)


@receiver(data_export_requested)
def export_puzzles(user: User, **kwargs: Any) -> dict[str, object]:
    """The puzzles part of the data export."""
    attempts = user.puzzle_attempts.values("puzzle", "puzzle__game", "move", "is_right", "before", "after", "day", "at")
    ratings = {rating.game: rating.skill.number for rating in user.puzzle_ratings.all()}
    return {"puzzles": list(attempts), "puzzle ratings": ratings}


@receiver(account_closed)
def delete_puzzles(user: User, **kwargs: Any) -> None:
    user.puzzle_attempts.all().delete()
    user.puzzle_ratings.all().delete()
