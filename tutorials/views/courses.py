"""Pages of courses: list, chapters, quick test of a chapter."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import engines
from games.presentation.game_list import LISTED_GAMES, ListedGame
from games.views.lobby import play_now_form
from infra.time_zones import local_day
from tutorials import course_tests, progress, puzzles, reviews
from tutorials.content import library
from tutorials.content.durations import minutes_of
from tutorials.navigation import (
    CourseProgress,
    StepLink,
    course_progress,
    left_off,
    next_step_link,
    progress_cards,
)
from tutorials.views.addresses import chapter_or_404, course_or_404, marked_answers
from tutorials.views.course_tests import test_page


@dataclass(frozen=True, slots=True)
class ListedCourse:
    """A course with the visitor's progress. here: the next step, None when all are done."""

    entry: ListedGame
    here: StepLink | None
    so_far: CourseProgress


@require_GET
def course_list(request: HttpRequest) -> HttpResponse:
    """All courses with the visitor's progress: those in progress, complete ones, then the others."""
    found = library.load_courses()
    begun_courses = progress.progress_by_game(request.user)
    courses: list[ListedCourse] = []
    for entry in LISTED_GAMES:
        if course := found.get(entry.game.slug):
            known = begun_courses.get(entry.game.slug, {})
            courses.append(ListedCourse(entry, next_step_link(course, known), course_progress(course, known)))
    begun = [course for course in courses if course.so_far.is_begun]
    context = {
        "begun": sorted(begun, key=lambda course: course.here is None),
        "new": [course for course in courses if not course.so_far.is_begun],
        "left": left_off(request.user),
        "due": reviews.due_reviews(request.user, now=timezone.now()),
        "daily": puzzles.daily_puzzle(request.user, local_day(request, timezone.now())),
        "section": "learn",
    }
    return render(request, "tutorials/index.html", context)


@require_GET
def course_page(request: HttpRequest, game: str) -> HttpResponse:
    """The chapters with the visitor's progress, and where to continue."""
    found = course_or_404(game)
    known = progress.progress_of(request.user, game=game)
    chapters = []
    for number, chapter in enumerate(found.chapters, 1):
        cards = progress_cards(game, found, chapter, known)
        stars, is_all_done = sum(card.has_star for card in cards), all(card.is_done for card in cards)
        entry = {"number": number, "chapter": chapter, "cards": cards, "stars": stars, "is_done": is_all_done}
        entry["minutes"] = minutes_of(chapter.steps)
        chapters.append(entry)
    here = next((entry["number"] for entry in chapters if not entry["is_done"]), None)
    context = {
        "game": engines.get(game),
        "course": found,
        "chapters": chapters,
        "so_far": course_progress(found, known),
        "here": next_step_link(found, known),
        "here_chapter": here,
        "play_form": play_now_form(request, after_course=True),
        "section": "learn",
    }
    return render(request, "tutorials/course.html", context)


@require_http_methods(["GET", "POST"])
@limit_posts("lessons")
def chapter_quick_test(request: HttpRequest, game: str, chapter: str) -> HttpResponse:
    """Quick test: fresh positions, else one question. Who passes may skip the chapter."""
    found = course_or_404(game)
    part = chapter_or_404(found, chapter)
    if course_tests.has_chapter_questions(game, part):
        return test_page(request, game, part)
    marked = marked_answers(request, part.placement)
    is_right = marked is not None and marked == part.placement.right
    if is_right and "skip" in request.POST:
        person = ensure_person(request)
        progress.skip_steps(user=person, game=game, steps=part.steps, now=timezone.now())
        return redirect("tutorials:course", game)
    context = {
        "game": engines.get(game),
        "course": found,
        "chapter": part,
        "question": part.placement,
        "marked": marked,
        "is_right": is_right,
        "section": "learn",
    }
    return render(request, "tutorials/placement.html", context)
