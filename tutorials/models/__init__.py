"""Columns of the database, one file a feature."""

from tutorials.models.lesson_progress import LessonProgress
from tutorials.models.review import CourseTest, Drill, DrillStock, ReviewAnswer, ReviewItem

__all__ = ["CourseTest", "Drill", "DrillStock", "LessonProgress", "ReviewAnswer", "ReviewItem"]
