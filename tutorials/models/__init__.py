"""Columns of the database, one file a model."""

from tutorials.models.lesson_progress import LessonProgress

__all__ = ["LessonProgress"]
