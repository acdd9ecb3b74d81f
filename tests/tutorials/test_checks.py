"""A lesson or an example that lies is not loaded, and the reason is named."""

from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, call_command

from games.engines.casino.game import CASINO
from tests.tutorials.samples import ENDGAME, MOVE, PRACTICE, QUESTION, TURNS, course_text
from tutorials.content import lessons, library, rulebook
from tutorials.content.checks import book_problems, course_problems


def problems(*steps: dict, **chapter_keys) -> list[str]:
    course = lessons.parse_course(course_text(*steps, **chapter_keys), path="lessons.yaml")
    found = course_problems(course, CASINO, library.load_rule_book("casino"), path="lessons.yaml")
    return [str(problem) for problem in found]


def test_honest_steps_have_no_problems():
    assert problems(MOVE, TURNS, QUESTION, ENDGAME, PRACTICE) == []


def test_each_step_is_judged_by_itself():
    assert len(problems(MOVE | {"do": "9SxKC"}, TURNS, QUESTION | {"rules": ["no-such-rule"]})) == 2


def second_turn(**changes) -> dict:
    first, second = TURNS["turns"]
    return TURNS | {"turns": [first, second | changes]}


def first_turn(**changes) -> dict:
    first, second = TURNS["turns"]
    return TURNS | {"turns": [first | changes, second]}


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (MOVE | {"rules": ["no-such-rule"]}, "no rule of the book"),
        (MOVE | {"decided_by": ["capture-face"]}, "decided by 'capture-face', which it does not teach"),
        (MOVE | {"position": MOVE["position"] | {"loose": "9D 9D"}}, "the position cannot be"),
        (MOVE | {"position": MOVE["position"] | {"losse": "9D"}}, "the position cannot be"),
        (MOVE | {"seat": 1}, "seat 1 is the learner's"),
        (MOVE | {"do": "9SxKC"}, "9SxKC is said to be right, but is refused by casino:capture-face"),
        (MOVE | {"do": ["9Sx9D+9H", "9SxKC"]}, "9SxKC is said to be right, but is refused"),
        (MOVE | {"do": "nine takes nine"}, "nine takes nine: "),
        (MOVE | {"goal": {"touches": "KC"}}, "does not reach the goal"),
        (
            MOVE | {"refused": {"9SxKC": "capture-sum"}},
            "refused by casino:capture-sum, but the engine says casino:cap",
        ),
        (MOVE | {"refused": {"9Sx9H": "capture-sum"}}, "the engine says legal"),
        (MOVE | {"refused": {"9S+9C": "one-card"}}, "cannot be offered on the board"),
        (
            MOVE | {"unwanted": {"9SxKC": "No."}},
            "9SxKC is said to be legal, but is refused by casino:capture-face",
        ),
        (MOVE | {"unwanted": {"9Sx9D+9H": "No."}}, "said to be unwanted, but is right"),
        (MOVE | {"unwanted": {"9Sx9D": {"say": "", "replies": ["TS"]}}}, "the reply cannot be played"),
        (MOVE | {"unwanted": {"9Sx9D": {"say": "", "replies": ["9C", "2C"]}}}, "nobody else is to act"),
        (MOVE | {"replies": ["9C", "2C"]}, "nobody else is to act"),
        (MOVE | {"bot": "grandmaster"}, "no bot 'grandmaster'"),
        (first_turn(replies=["8H"]), "turn 1: after 5H=8:3C the reply cannot be played"),
        (first_turn(replies=[]), "turn 2: the learner is not to move"),
        (
            second_turn(do="8Sx4D"),
            "turn 2: 8Sx4D is said to be right, but is refused by casino:capture-sum",
        ),
        (
            second_turn(do="8S"),
            "turn 2: 8S is said to be right, but is refused by casino:no-trail-with-build",
        ),
        (second_turn(refused={"6C": "trail"}), "turn 2: 6C is said to be refused by casino:trail"),
        (second_turn(refused={"6Cx3C": "build-unit"}), "no selection is answered as 6Cx3C"),
        (PRACTICE | {"practice": PRACTICE["practice"] | {"bot": "grandmaster"}}, "no bot 'grandmaster'"),
        (PRACTICE | {"practice": PRACTICE["practice"] | {"bot": "expert"}}, "no bot 'expert' that is quick"),
        (PRACTICE | {"practice": PRACTICE["practice"] | {"seats": 7}}, "the game cannot begin"),
        (
            PRACTICE | {"practice": PRACTICE["practice"] | {"options": {"target": 20}}},
            "the game cannot begin",
        ),
    ],
)
def test_a_lie_is_refused_with_its_place(step, reason):
    (problem,) = problems(step)
    assert problem.startswith(f"lessons.yaml, chapter one, step {step['id']}")
    assert reason in problem


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (MOVE | {"say": "{score 2}"}, "{score 2}: there is no such seat"),
        (MOVE | {"task": "{running 0}"}, "no such points in this game"),
        (MOVE | {"hint": "{hand 2}"}, "{hand 2}: there is no such hand"),
        (MOVE | {"done": "{count waste}"}, "{count waste}: there is no such zone, but hand:1, "),
        (MOVE | {"then": "{cards stock}"}, "{cards stock}: no card is face up there"),
        (MOVE | {"unwanted": {"9Sx9D": "{cards build:8}"}}, "{cards build:8}: there is no such zone"),
        (MOVE | {"refused": {"9SxKC": {"rule": "capture-face", "say": "{score 3}"}}}, "no such seat"),
        (first_turn(then="{cards build:7}"), "turn 1: {cards build:7}: there is no such zone"),
    ],
)
def test_a_value_must_be_on_the_table_when_it_is_shown(step, reason):
    (problem,) = problems(step)
    assert reason in problem


def test_values_are_those_of_the_moment_at_which_they_are_shown():
    assert problems(first_turn(then="{cards build:8}")) == []
    assert "no such zone" in problems(first_turn(say="{cards build:8}"))[0]


def test_moves_that_are_taught_later_exist_and_are_never_right():
    assert problems(MOVE, TURNS, not_yet=["5H=8:*", "QD"])[0].endswith("5H=8:3C is right, but not_yet has '5H=8:*'.")
    assert problems(MOVE, not_yet=["QD"]) == []
    assert "which matches no legal move" in problems(MOVE, not_yet=["CL"])[0]


def test_moves_that_are_taught_later_may_be_legal_only_later():
    course = yaml.safe_load(course_text(MOVE, not_yet=["5H=8:*"]))
    course["chapters"] += [chapter | {"id": "two"} for chapter in yaml.safe_load(course_text(TURNS))["chapters"]]
    parsed = lessons.parse_course(yaml.safe_dump(course), path="lessons.yaml")
    assert course_problems(parsed, CASINO, library.load_rule_book("casino"), path="lessons.yaml") == []


def without_do(**changes) -> dict:
    return {key: value for key, value in MOVE.items() if key not in ("do", "unwanted")} | changes


def test_a_goal_needs_a_move_that_reaches_it():
    assert problems(without_do(goal={"touches": "9D 9H"})) == []
    assert "no legal move reaches the goal" in problems(without_do(goal={"touches": "9D KC"}))[0]


@pytest.mark.parametrize(
    ("goal", "is_reachable"),
    [
        ({"zones": {"table": "KC 3C"}}, True),
        ({"zones": {"table": "QH"}}, False),
        ({"zones": {"build:8": "3C"}}, False),
        ({"hand_at_most": 3}, True),
        ({"hand_at_most": 2}, False),
        ({"ends": "hand"}, False),
        ({"wins": True}, False),
    ],
)
def test_a_goal_looks_at_the_position_after_the_move(goal, is_reachable):
    assert bool(problems(without_do(goal=goal))) is not is_reachable


@pytest.mark.parametrize("goal", [{"ends": "hand"}, {"ends": "game"}, {"ends": "game", "wins": True}])
def test_the_last_card_ends_the_hand_and_perhaps_the_game(goal):
    position = {"dealer": 0, "to_move": 0, "hands": {0: "7D"}, "loose": "7C AH", "totals": [20, 3]}
    assert problems(without_do(position=position, refused={}, goal=goal)) == []


def test_every_branch_of_a_step_must_go_on():
    """Both first moves are legal, but after the second one the build of 8 is not there."""
    step = first_turn(do=["5H=8:3C", "5H"])
    assert "turn 2: 8Sx[8] is said to be right, but is refused by casino:build-unit" in problems(step)[0]


# Rule books


def book_problem(example: str) -> list[str]:
    text = f"# Casino\n\n## One\n\n[capture-face] source\nA king takes a king.\n\n{example}\n"
    book = rulebook.parse_rule_book(text, path="rules.md")
    found = book_problems(book, CASINO, path="rules.md")
    return [str(problem) for problem in found if "has no entry" not in str(problem)]


def position(moves: str, cards: str = "KD QC") -> str:
    data = f"{{to_move: 1, hands: {{1: KS}}, loose: {cards}}}"
    return f"```position\ncaption: Kings.\nseat: 1\nposition: {data}\nmoves:\n  {moves}\n```"


def test_an_honest_example_has_no_problems():
    assert book_problem(position("KSxKD: legal")) == []
    assert book_problem(position("KSxQC: capture-face")) == []


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        (position("KSxQC: legal"), "KSxQC is said to be legal, but the engine says casino:capture-face"),
        (position("KSxKD: capture-face"), "KSxKD is said to be capture-face, but the engine says legal"),
        (position("KSxKD: legal", cards="KD KD"), "the position cannot be"),
        ("```cards\ncaption: What is this?\nrows: {one: 1S}\n```", "there is no card 1S"),
    ],
)
def test_an_example_that_lies_is_refused_with_its_line(example, reason):
    (problem,) = book_problem(example)
    assert problem.startswith("rules.md:8: ")
    assert reason in problem


def test_options_and_entries_must_be_the_same():
    text = "# Casino\n\n## Options\n\n[tempo] option\nHow fast.\n"
    found = [str(p) for p in book_problems(rulebook.parse_rule_book(text, path="rules.md"), CASINO, path="rules.md")]
    assert "rules.md: the option 'tempo' is not one of the engine." in found
    assert "rules.md: the option 'target' of the engine has no entry." in found


# The command


def test_load_seeds_tells_what_it_read(capsys):
    call_command("load_seeds")
    assert "casino: 57 rules" in capsys.readouterr().out


def test_load_seeds_names_every_lie(monkeypatch, tmp_path: Path):
    folder = tmp_path / "casino"
    folder.mkdir()
    (folder / "rules.md").write_bytes((library.SEEDS / "casino" / "rules.md").read_bytes())
    (folder / "lessons.yaml").write_text(course_text(MOVE | {"do": "9SxKC"}, TURNS | {"seat": 1}))
    monkeypatch.setattr(library, "SEEDS", tmp_path)
    with pytest.raises(CommandError) as error:
        call_command("load_seeds")
    first, second = str(error.value).splitlines()
    assert first.startswith("seeds/casino/lessons.yaml, chapter one, step nines: 9SxKC")
    assert second.startswith("seeds/casino/lessons.yaml, chapter one, step build: seat 1")
