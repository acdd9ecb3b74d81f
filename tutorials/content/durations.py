"""Minutes that a lesson takes, from its words and turns. The figures are estimates, rounded up to whole minutes."""

import re
from collections.abc import Iterable

from tutorials.content.lessons import LessonStep

WORDS_A_MINUTE = 150  # adults read about 240 a minute; here they look at the cards as well
TURN_SECONDS = 15  # to find and select the cards, try them, and watch the answer
QUESTION_SECONDS = 15  # to look and decide
PRACTICE_SECONDS = {"hand": 240, "game": 600}
_TAG = re.compile(r"<[^>]+>")


def minutes_of(steps: Iterable[LessonStep]) -> int:
    """How many minutes these steps take somebody new to the game, at least one if there are any."""
    return -(-round(sum(map(_seconds_of, steps))) // 60)


def _seconds_of(step: LessonStep) -> float:
    texts = [step.say, step.done, *(text for turn in step.turns for text in (turn.say, turn.then))]
    seconds = TURN_SECONDS * len(step.turns)
    if step.question:
        texts += [step.question.ask, *(answer.html for answer in step.question.answers)]
        seconds += QUESTION_SECONDS
    if step.practice:
        seconds += PRACTICE_SECONDS[step.practice.until]
    words = sum(len(_TAG.sub(" ", text).split()) for text in texts)
    return seconds + 60 * words / WORDS_A_MINUTE
