"""Practice game: the last step of a course is a short game at a table of its own, against bots, with hints open."""

from hashlib import blake2s

from django.db import IntegrityError
from django.utils import timezone

from accounts.models import User
from games import services
from games.models import Table
from tutorials import progress
from tutorials.content import library, runner
from tutorials.content.lessons import LessonStep
from tutorials.navigation import step_at


def practice_table(user: object, path: str) -> Table | None:
    """The user's last table of the practice game at this address; None before the first."""
    if not isinstance(user, User):
        return None
    return Table.objects.of(user).filter(lesson_path=path).order_by("-pk").first()


def open_practice_table(*, user: User, game: str, step: LessonStep, path: str, shuffles: bool) -> Table:
    """The table at which the user is playing this practice game, else a new one. :raises TableError: no bot is free."""
    last = practice_table(user, path)
    if last is not None and not last.is_over:
        return last
    assert step.practice is not None
    key = blake2s(f"{user.pk} {path} {last.pk if last else ''}".encode(), digest_size=16).hexdigest()
    try:
        return services.open_and_sit(
            user=user,
            shuffles=shuffles,
            bot_level=step.practice.bot,
            bot_names=runner.seat_names(step.practice.seats, learner=0)[1:],
            game=game,
            seats=step.practice.seats,
            options=step.practice.options,
            deals=1 if step.practice.until == "hand" else None,
            is_private=True,
            lesson_path=path,
            form_key=key,
        )
    except IntegrityError:  # a second press of the button opened it meanwhile
        return Table.objects.get(form_key=key)


def finish_practice(table_id: int) -> None:
    """Marks the step of a practice game as done, if the table is one of it and was played to its end."""
    table = Table.objects.filter(pk=table_id, ended_by=Table.EndedBy.RULES).exclude(lesson_path="").first()
    if table is None or table.game not in library.games_with("lessons.yaml"):
        return
    step = step_at(library.load_course(table.game), table.lesson_path)
    player = next((seat.user for seat in table.seat_rows if seat.has_person), None)
    if step is not None and player is not None:
        progress.finish_step(user=player, game=table.game, step=step, now=timezone.now())
