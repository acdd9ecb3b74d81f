"""Columns of the database, one file a feature."""

from tutorials.models.lesson_progress import LessonProgress
from tutorials.models.puzzle import Puzzle, PuzzleAttempt, PuzzleNight, PuzzleRating, PuzzleSource
from tutorials.models.review import CourseTest, Drill, DrillStock, ReviewAnswer, ReviewItem

__all__ = [
    "CourseTest",
    "Drill",
    "DrillStock",
    "LessonProgress",
    "Puzzle",
    "PuzzleAttempt",
    "PuzzleNight",
    "PuzzleRating",
    "PuzzleSource",
    "ReviewAnswer",
    "ReviewItem",
]
