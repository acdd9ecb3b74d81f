"""What addresses and forms of courses name, or 404."""

from django.http import Http404, HttpRequest

from infra.numbers import read_number
from tutorials.content import library
from tutorials.content.lessons import Chapter, Course, LessonQuestion


def course_or_404(slug: str) -> Course:
    if slug not in library.games_with("lessons.yaml"):
        raise Http404(f"There are no lessons for {slug!r}.")
    return library.load_course(slug)


def chapter_or_404(course: Course, id: str) -> Chapter:
    found = next((chapter for chapter in course.chapters if chapter.id == id), None)
    if found is None:
        raise Http404(f"The course has no chapter {id!r}.")
    return found


def marked_answers(request: HttpRequest, question: LessonQuestion) -> frozenset[int] | None:
    """The marked answers of a form; None if there are none, or some do not exist."""
    marked = frozenset(read_number(mark, -1, most=len(question.answers) - 1) for mark in request.POST.getlist("answer"))
    return marked if marked and -1 not in marked else None
