"""Questions at entry: as a director writes them, one a line, and as they are stored. Pure.

"Club: North, South" is a choice; "Which club are you from?" is answered in words.
"""

from collections.abc import Sequence
from typing import Any, TypedDict

MOST_QUESTIONS, MOST_CHOICES, LONGEST_PART = 10, 20, 100


class Question(TypedDict):
    """choices: () for an answer in words."""

    label: str
    choices: list[str]


def questions_from_text(text: str) -> list[Question]:
    """:raises ValueError: a sentence for the writer."""
    found: list[Question] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        label, colon, rest = line.partition(":")
        choices = [part.strip() for part in rest.split(",") if part.strip()]
        if colon and len(choices) < 2:
            raise ValueError(f"Enter at least two answers after the colon: {line}")
        found.append({"label": label.strip(), "choices": list(dict.fromkeys(choices))})
    check_questions(found)
    return found


def questions_as_text(questions: Sequence[Question]) -> str:
    return "\n".join(
        f"{question['label']}: {', '.join(question['choices'])}" if question["choices"] else question["label"]
        for question in questions
    )


def check_questions(questions: Any) -> None:
    """:raises ValueError: this is no list of questions, or there are too many."""
    if not isinstance(questions, list) or not all(map(_is_question, questions)):
        raise ValueError("This is no list of questions.")
    if len(questions) > MOST_QUESTIONS:
        raise ValueError(f"Ask at most {MOST_QUESTIONS} questions.")
    labels = [question["label"] for question in questions]
    if len(set(labels)) < len(labels):
        raise ValueError("Two questions are the same.")
    parts = [part for question in questions for part in (question["label"], *question["choices"])]
    if any(not 0 < len(part) <= LONGEST_PART for part in parts):
        raise ValueError(f"Questions and answers have at most {LONGEST_PART} characters.")
    if any(len(question["choices"]) > MOST_CHOICES for question in questions):
        raise ValueError(f"Give at most {MOST_CHOICES} answers to choose from.")


def _is_question(question: Any) -> bool:
    if not isinstance(question, dict) or question.keys() != {"label", "choices"}:
        return False
    choices = question["choices"]
    return (
        isinstance(question["label"], str)
        and isinstance(choices, list)
        and all(isinstance(choice, str) for choice in choices)
    )
