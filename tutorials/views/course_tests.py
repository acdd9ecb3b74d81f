"""Pages of course tests: a start page, one question after the other, and the result."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import engines
from infra.numbers import read_number
from tutorials import course_tests, progress
from tutorials.content import library
from tutorials.content.lessons import Chapter
from tutorials.content.rulebook import Rule
from tutorials.course_tests import MissedQuestion
from tutorials.models import CourseTest
from tutorials.views.addresses import course_or_404, marked_answers
from tutorials.views.drill_pages import drill_context

ANSWERED = "You have answered this question already. Here is the current one."
NOTHING_MARKED = "Choose an answer first."
NO_QUESTIONS = "There are no questions for this game yet. Please try again later."


@require_http_methods(["GET", "POST"])
@limit_posts("lessons")
def course_test(request: HttpRequest, game: str) -> HttpResponse:
    """The test of a course: over all its rules."""
    return test_page(request, game, None)


def test_page(request: HttpRequest, slug: str, chapter: Chapter | None) -> HttpResponse:
    """The test of a course, or of a chapter. A POST starts it, answers the current question, or skips the chapter."""
    course = course_or_404(slug)
    id = chapter.id if chapter else ""
    address = reverse("tutorials:placement", args=[slug, id]) if chapter else reverse("tutorials:test", args=[slug])
    if request.method == "POST":
        if "start" in request.POST:
            user = ensure_person(request)
            if course_tests.start_test(user=user, game=slug, chapter=chapter, now=timezone.now()) is None:
                messages.info(request, NO_QUESTIONS)
        elif "skip" in request.POST and chapter:
            return skip_chapter(request, slug, chapter, address)
        else:
            give_answer(request)
        return redirect(address)
    context = {"game": engines.get(slug), "course": course, "chapter": chapter, "section": "learn"}
    test = course_tests.open_test(request.user, slug, id)
    if test is None:
        last = course_tests.last_test(request.user, slug, id)
        if last and (missed := missed_context(last, request.GET.get("missed", ""))):
            return render(request, "tutorials/test_question.html", context | missed)
        most = course_tests.CHAPTER_QUESTIONS if chapter else course_tests.MOST_QUESTIONS
        return render(request, "tutorials/test.html", context | result_context(last) | {"most": most})
    drill = course_tests.current_question(test)
    hidden: dict[str, object] = {"test": test.pk, "number": test.number}
    context |= {"test": test, "number": test.number, "hidden": hidden, "after": "tutorials/_test_progress.html"}
    return render(
        request,
        "tutorials/test_question.html",
        context | (drill_context(engines.get(slug), drill, hidden=hidden) if drill else {}),
    )


def give_answer(request: HttpRequest) -> None:
    """Stores the answer of a form; an old or a foreign one changes nothing, and the next page says so."""
    test_id, number = (read_number(request.POST.get(name, ""), -1) for name in ("test", "number"))
    user = request.user
    own = CourseTest.objects.filter(pk=test_id, user=user) if isinstance(user, User) else CourseTest.objects.none()
    test = own.first()
    if test is None or test.is_finished or test.number != number:
        messages.info(request, ANSWERED)
        return
    drill = course_tests.current_question(test)
    marked = marked_answers(request, drill.question) if drill else frozenset[int]()
    if marked is None:
        messages.info(request, NOTHING_MARKED)
        return
    assert isinstance(user, User), "only users have tests"
    try:
        course_tests.give_answer(user=user, test_id=test.pk, number=number, marked=marked, now=timezone.now())
    except course_tests.StaleAnswer:
        messages.info(request, ANSWERED)


def skip_chapter(request: HttpRequest, slug: str, chapter: Chapter, address: str) -> HttpResponse:
    """Marks the steps as done, for a user who has passed the test of the chapter."""
    last = course_tests.last_test(request.user, slug, chapter.id)
    if last is None or last.passed_at is None:
        return redirect(address)
    progress.skip_steps(user=last.user, game=slug, steps=chapter.steps, now=timezone.now())
    return redirect("tutorials:course", slug)


def result_context(test: CourseTest | None) -> dict[str, Any]:
    """The result of a finished test: its score, and the questions that were missed, each with its rule."""
    if test is None:
        return {}
    return {"last": test, "missed": missed_with_rules(test)}


def missed_context(test: CourseTest, number: str) -> dict[str, Any]:
    """A missed question of a finished test at its table, with both answers; {} where there is no such question."""
    for item, rule in missed_with_rules(test):
        if item.drill and str(item.number) == number:
            context = {"test": test, "number": item.number, "rule": rule, "after": "tutorials/_missed_answer.html"}
            return context | drill_context(engines.get(test.game), item.drill, hidden={}, marked=item.marked)
    return {}


def missed_with_rules(test: CourseTest) -> list[tuple[MissedQuestion, Rule]]:
    """Without those whose rule is no longer in the book."""
    rules = {rule.id: rule for rule in library.load_rule_book(test.game).rules}
    return [(item, rules[item.rule]) for item in course_tests.missed_questions(test) if item.rule in rules]
