"""Course tests: mixed questions over all rules of a game, or over those of one chapter to skip it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction

from accounts.models import User
from games import engines
from tutorials import drill_stock, reviews
from tutorials.content import library
from tutorials.content.lessons import Chapter, QuestionAnswer
from tutorials.content.runner import AnyGame
from tutorials.drills.questions import DrillQuestion, Source, question_of
from tutorials.models import CourseTest, Drill, ReviewAnswer

MOST_QUESTIONS, CHAPTER_QUESTIONS = 12, 3
ENOUGH, ENOUGH_OF_A_CHAPTER = 0.8, 1.0


class StaleAnswer(ValueError):
    """An answer to another question than the one that is asked now."""


@dataclass(frozen=True, slots=True)
class MissedQuestion:
    """A question of a test with a wrong answer. number: in the test, from 1. marked: the answer given.

    drill: None where the question has changed since.
    """

    number: int
    rule: str
    drill: DrillQuestion | None = None
    marked: frozenset[int] = frozenset()

    @property
    def given(self) -> tuple[QuestionAnswer, ...]:
        return self._answers(self.marked)

    @property
    def right(self) -> tuple[QuestionAnswer, ...]:
        return self._answers(self.drill.question.right if self.drill else ())

    def _answers(self, indexes: Iterable[int]) -> tuple[QuestionAnswer, ...]:
        return tuple(self.drill.question.answers[index] for index in sorted(indexes)) if self.drill else ()


@dataclass(frozen=True, slots=True)
class Badge:
    """A course test that a user has passed."""

    game: AnyGame
    passed_at: datetime


def open_test(user: object, game: str, chapter: str) -> CourseTest | None:
    """The test that the user has begun and not finished."""
    if not isinstance(user, User):
        return None
    return CourseTest.objects.filter(user=user, game=game, chapter=chapter, finished_at=None).first()


def last_test(user: object, game: str, chapter: str) -> CourseTest | None:
    """The finished test that was begun last."""
    if not isinstance(user, User):
        return None
    finished = CourseTest.objects.filter(user=user, game=game, chapter=chapter).exclude(finished_at=None)
    return finished.order_by("-started_at").first()


@transaction.atomic
def start_test(*, user: User, game: str, chapter: Chapter | None = None, now: datetime) -> CourseTest | None:
    """The user's open test, else a new one; None where the rules have no questions."""
    id = chapter.id if chapter else ""
    if test := open_test(user, game, id):
        return test
    rng = Random(f"{user.pk} {game} {id} {now.isoformat()}")
    questions = chapter_questions(game, chapter, rng) if chapter else course_questions(game, rng)
    if not questions:
        return None
    test, _ = CourseTest.objects.get_or_create(  # a second press of the button may have made it meanwhile
        user=user, game=game, chapter=id, finished_at=None, defaults={"questions": questions, "started_at": now}
    )
    return test


def course_questions(game: str, rng: Random) -> list[dict[str, Any]]:
    """Questions about different rules, spread over the sections of the rule book; fresh positions where there are."""
    fresh = _fresh_sources(game)
    sections = [
        sorted(rng.sample(ids, len(ids)), key=lambda rule: rule not in fresh)
        for section in library.load_rule_book(game).sections
        if (ids := [rule.id for rule in section.rules if not rule.is_option])
    ]
    chosen: list[dict[str, Any]] = []
    steps: set[str] = set()
    while any(sections) and len(chosen) < MOST_QUESTIONS:
        for ids in sections:
            question = _next_question(game, ids, fresh, steps, rng)
            chosen += [question] if question and len(chosen) < MOST_QUESTIONS else []
    return rng.sample(chosen, len(chosen))


def _next_question(
    game: str, ids: list[str], fresh: dict[str, list[Source]], steps: set[str], rng: Random
) -> dict[str, Any] | None:
    """About the first rule left that has a question which was not asked yet; it leaves the list."""
    while ids:
        rule = ids.pop(0)
        sources = fresh.get(rule) or [s for s in drill_stock.step_sources(game, rule) if s["step"] not in steps]
        if sources:
            source = rng.choice(sources)
            steps.add(source.get("step", ""))
            return {"rule": rule, "source": dict(source)}
    return None


def chapter_questions(game: str, chapter: Chapter, rng: Random) -> list[dict[str, Any]]:
    """Questions about three rules that the chapter teaches, fresh positions first; [] without any of these."""
    taught = sorted({rule for step in chapter.steps for rule in step.rules})
    fresh = _fresh_sources(game)
    if fresh.keys().isdisjoint(taught):
        return []
    ids = sorted(rng.sample(taught, len(taught)), key=lambda rule: rule not in fresh)
    steps: set[str] = set()
    questions = (_next_question(game, ids, fresh, steps, rng) for _ in range(CHAPTER_QUESTIONS))
    return [question for question in questions if question]


def has_chapter_questions(game: str, chapter: Chapter) -> bool:
    """Whether there are fresh positions for a rule that the chapter teaches."""
    return Drill.objects.filter(game=game, rule__in={rule for step in chapter.steps for rule in step.rules}).exists()


def _fresh_sources(game: str) -> dict[str, list[Source]]:
    found: dict[str, list[Source]] = {}
    for rule, source in Drill.objects.filter(game=game).order_by("pk").values_list("rule", "source"):
        found.setdefault(rule, []).append(source)
    return found


def current_question(test: CourseTest) -> DrillQuestion | None:
    """None where a change of the course has made it impossible; such a question counts as right."""
    return question_of(engines.get(test.game), test.current["source"])


@transaction.atomic
def give_answer(*, user: User, test_id: int, number: int, marked: frozenset[int], now: datetime) -> CourseTest:
    """Adds the answer to question `number`. A missed rule becomes an item of the reviews.

    :raises CourseTest.DoesNotExist: the user has no such test. :raises StaleAnswer: another question is asked now.
    """
    test = CourseTest.objects.select_for_update().get(pk=test_id, user=user)
    if test.is_finished or test.number != number:
        raise StaleAnswer
    asked = current_question(test)
    is_right = asked is None or marked == asked.question.right
    if not is_right:
        rule = test.current["rule"]
        reviews.note_missed_rule(user, test.game, rule, source=ReviewAnswer.Source.TEST, now=now)
    test.give(marked, is_right, enough=ENOUGH_OF_A_CHAPTER if test.chapter else ENOUGH, now=now)
    test.save(update_fields=["questions", "answers", "finished_at", "passed_at"])
    return test


def missed_questions(test: CourseTest) -> list[MissedQuestion]:
    """The questions of a test that were answered wrongly, in their order."""
    game, answered = engines.get(test.game), zip(test.questions, test.answers, strict=False)
    return [_missed_question(game, number, asked) for number, (asked, right) in enumerate(answered, 1) if not right]


def _missed_question(game: AnyGame, number: int, asked: dict[str, Any]) -> MissedQuestion:
    drill, marked = question_of(game, asked["source"]), asked.get("marked", [])
    if drill is None or not marked or max(marked) >= len(drill.question.answers):
        return MissedQuestion(number, asked["rule"])
    return MissedQuestion(number, asked["rule"], drill, frozenset(marked))


def badges_of(user: User) -> list[Badge]:
    """The courses whose test the user has passed, in the order of the games."""
    passed = user.course_tests.filter(chapter="").exclude(passed_at=None).order_by("-passed_at")
    dates = {test.game: test.passed_at for test in passed if test.passed_at}
    return [Badge(game, dates[game.slug]) for game in engines.GAMES if game.slug in dates]
