"""The format of courses: what the parser reads, and what it refuses, naming chapter and step."""

import pytest
import yaml

from tests.tutorials.samples import MOVE, QUESTION, course_text
from tutorials.content.lessons import parse_course
from tutorials.content.seedfile import SeedError


def read(*steps: dict):
    return parse_course(course_text(*steps), path="lessons.yaml")


def refused(*steps: dict) -> str:
    with pytest.raises(SeedError) as error:
        read(*steps)
    return str(error.value)


def test_a_step_with_one_move_is_one_turn():
    (step,) = read(MOVE).steps
    (turn,) = step.turns
    assert turn.accept == ("9Sx9D+9H",)
    assert turn.unwanted["9Sx9D"].replies == ("9Cx9H",)
    assert turn.refused["9SxKC"].rule == "capture-face"


def test_a_task_stands_on_the_table_of_a_single_move():
    assert read(MOVE | {"task": "Take the `9D`."}).steps[0].turns[0].say == "Take the 9D."
    assert read(MOVE).steps[0].turns[0].say == ""


def test_words_on_the_table_are_plain_text():
    step = MOVE | {"turns": [{"say": "Take the `9D` **now**.", "do": "9S", "hint": "Go on."}]}
    for key in ("do", "unwanted", "refused", "hint"):
        step.pop(key)
    assert read(step).steps[0].turns[0].say == "Take the 9D now."


def test_an_answer_of_nothing_but_cards_is_drawn():
    answers = [{"right": "AS 2S", "because": "Points."}, {"wrong": "the king", "because": "None."}]
    question = read(QUESTION | {"answers": answers}).steps[0].question
    assert question.answers[0].cards == ("AS", "2S")
    assert question.answers[1].cards == ()


def test_several_right_answers_are_all_to_be_marked():
    answers = [{"right": "a", "because": "."}, {"right": "b", "because": "."}, {"wrong": "c", "because": "."}]
    question = read(QUESTION | {"answers": answers}).steps[0].question
    assert question.asks_for_all
    assert question.right == {0, 1}


def without(step: dict, *keys: str) -> dict:
    return {key: value for key, value in step.items() if key not in keys}


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (MOVE | {"seats": 0}, "there is no 'seats'"),
        (without(MOVE, "say"), "'say' is missing"),
        (without(MOVE, "hint"), "'hint' is missing"),
        (without(MOVE, "do"), "something to do"),
        (without(MOVE, "position"), "needs a position"),
        (without(MOVE, "do", "unwanted", "refused", "hint"), "has one of"),
        (MOVE | {"ask": "?", "answers": []}, "has one of"),
        (QUESTION | {"task": "Take it."}, "belongs to a move"),
        (MOVE | {"goal": {}}, "empty goal"),
        (MOVE | {"goal": {"ends": "soon"}}, "ends the hand or the game"),
        (MOVE | {"goal": {"touch": "9D"}}, "there is no 'touch'"),
        (MOVE | {"refused": {"9SxKC": {"say": "No."}}}, "'rule' is missing"),
        (MOVE | {"unwanted": {"9S": {"replies": ["9C"]}}}, "'say' is missing"),
        (MOVE | {"replies": ["9C"], "bot": "club"}, "either make the written replies or"),
        (QUESTION | {"answers": [{"right": "a", "because": "."}]}, "a right answer and a wrong one"),
        (QUESTION | {"answers": [{"wrong": "a", "because": "."}]}, "a right answer and a wrong one"),
        (QUESTION | {"answers": [{"right": "a"}, {"wrong": "b", "because": "."}]}, "'because' is missing"),
        (QUESTION | {"answers": []}, "at least one entry"),
        (QUESTION | {"rules": ["score-aces", "score-big"]}, "says which of them decide it"),
    ],
)
def test_a_broken_step_is_refused_by_name(step, reason):
    message = refused(step)
    assert message.startswith(f"lessons.yaml, chapter one, step {step['id']}")
    assert reason in message


def test_values_are_kept_until_the_text_is_shown():
    (step,) = read(MOVE | {"done": "You hold `{cards hand:0}`, {hand 0} cards."}).steps
    assert step.done == "<p>You hold {cards hand:0}, {hand 0} cards.</p>\n"


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (MOVE | {"say": "You have {scroe 0}."}, "{scroe 0} is no value"),
        (MOVE | {"hint": "You have {score you}."}, "{score you} is no value"),
        (MOVE | {"task": "{count}"}, "{count} is no value"),
        (QUESTION | {"ask": "Is {score 0} good?"}, "{score 0} needs a position"),
        (MOVE | {"done": "You lead 3 to 2."}, "the score '3 to 2' is typed"),
        (MOVE | {"unwanted": {"9Sx9D": "Then it is 12:16."}}, "the score '12:16' is typed"),
        (MOVE | {"hint": ["One.", "Two.", "Three."]}, "one text, or two"),
    ],
)
def test_a_value_that_is_none_and_a_typed_score_are_refused(step, reason):
    assert reason in refused(step)


def test_numbers_that_are_no_score_may_be_typed():
    assert read(MOVE | {"say": "The run from 2 to 4, and 2, 6 and 9: 17 points."})
    assert read(QUESTION | {"ask": "You lead 3 to 2. Which one?"})


def test_a_hint_has_one_or_two_stages():
    assert read(MOVE).steps[0].turns[0].hints == ("Both.",)
    assert read(MOVE | {"hint": ["Look.", "Both nines."]}).steps[0].turns[0].hints == ("Look.", "Both nines.")


def test_steps_know_what_their_chapter_does_not_offer_yet():
    course = parse_course(course_text(MOVE, not_yet=["*=*"]), path="lessons.yaml")
    assert course.chapters[0].not_yet == course.steps[0].not_yet == ("*=*",)


def test_an_id_may_not_be_used_twice():
    assert refused(MOVE, MOVE) == "lessons.yaml, step nines: the id is there twice."


def test_a_key_that_is_written_twice_is_refused_with_its_line():
    text = course_text(MOVE)
    line = text.count("\n") + 1
    with pytest.raises(SeedError, match=rf"^lessons.yaml:{line}: .*'game' is there twice"):
        parse_course(text + "game: snap\n", path="lessons.yaml")


def test_every_chapter_can_be_skipped_by_a_question():
    data = yaml.safe_load(course_text(MOVE))
    del data["chapters"][0]["placement"]
    with pytest.raises(SeedError, match="chapter one: 'placement' is missing"):
        parse_course(yaml.safe_dump(data), path="lessons.yaml")
