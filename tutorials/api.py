"""Operations of the HTTP API about rule books, courses and puzzles."""

from dataclasses import asdict
from datetime import UTC
from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Router, Schema
from pydantic import Field

from accounts.api_access import NEEDS, ApiRequest, limit_operation
from games.api import schemas
from games.core.plain_view import plain_view
from games.core.words import render_text
from games.views.lobby import game_or_404
from tutorials import puzzles
from tutorials.content import library
from tutorials.content.lessons import Course
from tutorials.content.rulebook import Rule, RuleBook
from tutorials.content.runner import seat_names
from tutorials.models import Puzzle

router = Router()


# Rule books and courses


class RuleParagraph(Schema):
    id: str = Field(description="As refusals name it, such as casino:build-hold")
    number: str
    origin: str
    html: str = Field(description="Cards are in notation, such as 8S")
    rulings: list[dict[str, str]]


class BookSection(Schema):
    title: str
    number: int
    html: str
    rules: list[RuleParagraph]


class BookSummary(Schema):
    game: str
    title: str


class RuleBookData(BookSummary):
    html: str
    in_one_minute: str
    sections: list[BookSection]


class CourseData(Schema):
    game: str
    title: str
    html: str
    chapters: list[dict[str, Any]] = Field(
        description="As in the files of the lessons: id, title, say, placement, steps"
    )


@router.get("/rule-books", response=list[BookSummary], auth=None, tags=["Rules"], summary="List the rule books")
def list_rule_books(request: HttpRequest) -> list[dict[str, Any]]:
    """All rule books. No token is needed."""
    return [{"game": slug, "title": book.title} for slug, book in library.load_rule_books().items()]


@router.get("/rule-books/{game}", response=RuleBookData, auth=None, tags=["Rules"], summary="Read a rule book")
def read_rule_book(request: HttpRequest, game: str) -> dict[str, Any]:
    """A rule book with the id of each rule, which refused moves name. No token is needed."""
    if game not in library.games_with("rules.md"):
        raise Http404(f"There is no rule book for {game}.")
    return plain_book(game, library.load_rule_book(game))


def plain_book(game: str, book: RuleBook) -> dict[str, Any]:
    sections = [
        {
            "title": section.title,
            "number": section.number,
            "html": section.html,
            "rules": [plain_rule(game, rule) for rule in section.rules],
        }
        for section in book.sections
    ]
    return {"game": game, "title": book.title, "html": book.html, "in_one_minute": book.minute, "sections": sections}


def plain_rule(game: str, rule: Rule) -> dict[str, Any]:
    return {
        "id": f"{game}:{rule.id}",
        "number": rule.number,
        "origin": rule.origin,
        "html": rule.html,
        "rulings": [asdict(ruling) for ruling in rule.rulings],
    }


@router.get("/courses", response=list[BookSummary], auth=None, tags=["Rules"], summary="List the courses")
def list_courses(request: HttpRequest) -> list[dict[str, Any]]:
    """All courses. No token is needed."""
    return [{"game": slug, "title": course.title} for slug, course in library.load_courses().items()]


@router.get("/courses/{game}", response=CourseData, auth=None, tags=["Rules"], summary="Read a course")
def read_course(request: HttpRequest, game: str) -> dict[str, Any]:
    """The lessons of a game as data: positions, right moves, answers to tempting ones. No token is needed."""
    if game not in library.games_with("lessons.yaml"):
        raise Http404(f"There is no course for {game}.")
    return plain_course(library.load_course(game))


def plain_course(course: Course) -> dict[str, Any]:
    chapters = asdict(course)["chapters"]
    for step in (step for chapter in chapters for step in chapter["steps"]):
        del step["place"]  # of the file
    return {"game": course.game, "title": course.title, "html": course.say, "chapters": chapters}


# Puzzles


class PuzzleAnswer(Schema):
    move: schemas.MoveText
    is_right: bool
    best: list[str] = Field(description="The best moves")
    reason: str
    rule: str
    rating_before: int
    rating_after: int


class PuzzleData(Schema):
    id: int
    game: str
    rating: int
    view: schemas.View
    answer: PuzzleAnswer | None = Field(description="null before you have answered")


class NewAnswer(Schema):
    move: schemas.MoveText


@router.get("/puzzles/today", response=PuzzleData, auth=NEEDS["read"], tags=["Puzzles"], summary="Puzzle of the day")
def read_puzzle_of_the_day(request: ApiRequest) -> dict[str, Any]:
    """The puzzle of the day, in UTC."""
    puzzle = puzzles.puzzle_of_the_day(timezone.now().astimezone(UTC).date())
    if puzzle is None:
        raise Http404("There are no puzzles yet.")
    return plain_puzzle(request, puzzle)


@router.get("/puzzles/next", response=PuzzleData, auth=NEEDS["read"], tags=["Puzzles"], summary="Next puzzle of a game")
def read_next_puzzle(request: ApiRequest, game: str) -> dict[str, Any]:
    """The puzzle closest to your rating among those that you have not tried."""
    puzzle = puzzles.next_puzzle(request.user, game_or_404(game).slug)
    if puzzle is None:
        raise Http404("You have tried all puzzles of this game.")
    return plain_puzzle(request, puzzle)


@router.get("/puzzles/{puzzle_id}", response=PuzzleData, auth=NEEDS["read"], tags=["Puzzles"], summary="Read a puzzle")
def read_puzzle(request: ApiRequest, puzzle_id: schemas.RowId) -> dict[str, Any]:
    """A puzzle as the seat to act sees it; the solution once you have answered."""
    return plain_puzzle(request, get_object_or_404(Puzzle.objects.open(), pk=puzzle_id))


@router.post(
    "/puzzles/{puzzle_id}/answer", response=PuzzleData, auth=NEEDS["learn"], tags=["Puzzles"], summary="Answer a puzzle"
)
def answer_puzzle(request: ApiRequest, puzzle_id: schemas.RowId, sent: NewAnswer) -> dict[str, Any]:
    """Answers with a legal move. The first answer counts, and changes your rating and that of the puzzle."""
    limit_operation(request, "puzzles")
    puzzle, now = get_object_or_404(Puzzle.objects.open(), pk=puzzle_id), timezone.now()
    puzzles.answer_puzzle(user=request.user, puzzle=puzzle, text=sent.move, day=now.astimezone(UTC).date(), now=now)
    return plain_puzzle(request, Puzzle.objects.get(pk=puzzle.pk))


def plain_puzzle(request: ApiRequest, puzzle: Puzzle) -> dict[str, Any]:
    view = puzzle.state.view(puzzle.seat)
    names = seat_names(view.seats, puzzle.seat)
    attempt = puzzles.attempt_of(request.user, puzzle)
    return {
        "id": puzzle.pk,
        "game": puzzle.game,
        "rating": puzzle.skill.number,
        "view": plain_view(view, names),
        "answer": attempt
        and {
            "move": attempt.move,
            "is_right": attempt.is_right,
            "best": puzzle.best,
            "reason": render_text(puzzle.reason, names, puzzle.seat),
            "rule": puzzle.rule,
            "rating_before": attempt.before,
            "rating_after": attempt.after,
        },
    }
