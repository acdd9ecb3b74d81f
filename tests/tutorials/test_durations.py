"""How long a chapter takes: from its words and turns."""

from tests.tutorials.samples import MOVE, PRACTICE, QUESTION, course_text
from tutorials.content.durations import PRACTICE_SECONDS, TURN_SECONDS, WORDS_A_MINUTE, minutes_of
from tutorials.content.lessons import parse_course


def steps(*data: dict):
    return parse_course(course_text(*data), path="lessons.yaml").steps


def test_no_step_takes_no_time_and_a_short_one_a_minute():
    assert minutes_of([]) == 0
    assert minutes_of(steps(MOVE)) == 1
    assert minutes_of(steps(QUESTION)) == 1


def test_words_are_read_and_tags_are_not():
    say = " ".join(["**word**"] * (2 * WORDS_A_MINUTE - WORDS_A_MINUTE * TURN_SECONDS // 60))
    assert minutes_of(steps(MOVE | {"say": say, "done": ""})) == 2
    assert minutes_of(steps(MOVE | {"say": f"{say} one more", "done": ""})) == 3


def test_a_practice_game_takes_as_long_as_a_hand():
    assert minutes_of(steps(PRACTICE)) == PRACTICE_SECONDS["hand"] // 60
