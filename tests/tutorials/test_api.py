"""Rule books, courses and puzzles by the HTTP API."""

import pytest

from tests.api import Program, problem
from tests.tutorials.puzzle_samples import store_sample
from tutorials.content import library
from tutorials.models import PuzzleAttempt

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def test_rule_books_and_courses_are_data():
    program = Program()
    book = program.get("/rule-books/casino").json()
    ids = {rule["id"] for section in book["sections"] for rule in section["rules"]}
    assert {f"casino:{rule}" for rule in library.rule_ids("casino")} <= ids
    course = program.get("/courses/casino").json()
    assert [chapter["id"] for chapter in course["chapters"]] == [
        chapter.id for chapter in library.load_course("casino").chapters
    ]
    assert problem(program.get("/rule-books/none")) == problem(program.get("/courses/none")) == (404, "not-found")


def test_a_puzzle_hides_its_solution_until_it_is_answered(person):
    puzzle, program = store_sample(), Program(person("alice"))
    asked = program.get(f"/puzzles/{puzzle.pk}").json()
    assert asked["answer"] is None and asked["view"]["moves"]
    assert "best" not in asked
    assert program.get("/puzzles/today").json()["id"] == puzzle.pk
    assert program.get("/puzzles/next", game=puzzle.game).json()["id"] == puzzle.pk
    path = f"/puzzles/{puzzle.pk}/answer"
    assert problem(program.post(path, move="nonsense")) == (422, "refused")
    assert not PuzzleAttempt.objects.exists()
    answer = program.post(path, move=puzzle.best[0]).json()["answer"]
    assert answer["is_right"] and answer["rating_after"] > answer["rating_before"]
    wrong = next(move["move"] for move in asked["view"]["moves"] if move["move"] not in puzzle.best)
    assert program.post(path, move=wrong).json()["answer"] == answer
    assert problem(program.get("/puzzles/next", game=puzzle.game)) == (404, "not-found")
