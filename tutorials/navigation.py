"""Course navigation: the next step, progress bars, and the small cards that show the steps."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from django.urls import reverse

from games import engines
from tutorials.content import library
from tutorials.content.durations import minutes_of
from tutorials.content.lessons import Chapter, Course, LessonStep
from tutorials.content.runner import AnyGame
from tutorials.progress import Progress, latest_course_game, progress_of

CHAPTER_SUITS = "SHDC"
STEP_RANKS = "A23456789TJQK"


def step_url(slug: str, chapter: Chapter, step: LessonStep) -> str:
    return reverse("tutorials:step", args=[slug, chapter.id, step.id])


@dataclass(frozen=True, slots=True)
class StepLink:
    """A link to a step. number: of the step in its course, from 1. opens: the chapter that begins with it, if any."""

    url: str
    title: str
    number: int
    opens: Chapter | None


def _places(course: Course) -> Iterator[tuple[LessonStep, StepLink]]:
    number = count(1)
    for chapter in course.chapters:
        for step in chapter.steps:
            opens = chapter if step is chapter.steps[0] else None
            yield step, StepLink(step_url(course.game, chapter, step), step.title, next(number), opens)


def next_step_link(course: Course, known: Progress) -> StepLink | None:
    """The first step that is not done; None when all are."""
    return next((place for step, place in _places(course) if not is_course_done(known, step)), None)


@dataclass(frozen=True, slots=True)
class LeftOff:
    """Where a learner left the course that they used last."""

    game: AnyGame
    step: StepLink


def left_off(user: object) -> LeftOff | None:
    """None for a visitor without progress, and when that course is done."""
    slug = latest_course_game(user)
    if slug is None or slug not in library.games_with("lessons.yaml"):
        return None
    step = next_step_link(library.load_course(slug), progress_of(user, game=slug))
    return LeftOff(engines.get(slug), step) if step else None


def step_at(course: Course, url: str) -> LessonStep | None:
    """The step with this address; None where the course no longer has it."""
    return next((step for step, place in _places(course) if place.url == url), None)


def step_link_after(course: Course, step: LessonStep) -> StepLink | None:
    places = _places(course)
    next(item for item, _ in places if item.id == step.id)
    return next((place for _, place in places), None)


@dataclass(frozen=True, slots=True)
class CourseProgress:
    """How much of a course is done. steps: of the whole course. minutes_left: for the steps that are not done."""

    steps: int
    done: int
    stars: int
    is_begun: bool
    minutes_left: int


def course_progress(course: Course, known: Progress) -> CourseProgress:
    rows = [known[step.id] for step in course.steps if step.id in known]
    done, stars = sum(row.done_at is not None for row in rows), sum(row.has_star for row in rows)
    left = minutes_of(step for step in course.steps if not is_course_done(known, step))
    return CourseProgress(len(course.steps), done, stars, bool(rows), left)


@dataclass(frozen=True, slots=True)
class ProgressCard:
    """A small card above a lesson, face up once its step is done."""

    step: LessonStep
    card: str
    url: str
    is_done: bool
    has_star: bool
    is_now: bool


def progress_cards(
    slug: str, course: Course, chapter: Chapter, known: Progress, now: LessonStep | None = None
) -> list[ProgressCard]:
    """One card a step: ace, two, three ... of the chapter's suit."""
    suit = CHAPTER_SUITS[course.chapters.index(chapter) % len(CHAPTER_SUITS)]
    return [
        ProgressCard(
            step=step,
            card=STEP_RANKS[number % len(STEP_RANKS)] + suit,
            url=step_url(slug, chapter, step),
            is_done=is_course_done(known, step),
            has_star=step.id in known and known[step.id].has_star,
            is_now=step is now,
        )
        for number, step in enumerate(chapter.steps)
    ]


def is_course_done(known: Progress, step: LessonStep) -> bool:
    return step.id in known and known[step.id].done_at is not None
