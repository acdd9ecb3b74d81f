"""Every step of every course is gone through as a learner would, with every wrong turn its author foresaw."""

import pytest

from games import engines
from tutorials import stage
from tutorials.content import library, runner

TAUGHT_BY = {  # words of a game's own sentences, and the rules of the first step that explains them
    "casino": {"trail": "trail", "build": "build-single"},
    "royal-casino": {"trail": "trail", "build": "build-single"},
    "cuarenta": {"add": "add"},
    "four-hand-cuarenta": {"add": "add"},
    "sixty-six": {"marriage": "marriage"},
}
STEPS = [(slug, step) for slug, course in library.load_courses().items() for step in course.steps]


def with_turns(pairs):
    chosen = [(slug, step) for slug, step in pairs if step.turns]
    return pytest.mark.parametrize(("slug", "step"), chosen, ids=[f"{slug}-{step.id}" for slug, step in chosen])


def with_practice(pairs):
    chosen = [(slug, step) for slug, step in pairs if step.practice]
    return pytest.mark.parametrize(("slug", "step"), chosen, ids=[f"{slug}-{step.id}" for slug, step in chosen])


def right_lines(game, step, line, turn):
    """The lines that stand after each right move: those that are written, or else all that reach the goal."""
    state, _ = runner.replay_line(game, step, line)
    texts = turn.accept or [str(move) for move in state.legal_moves(step.seat)]
    tried = [runner.try_move(game, step, line, text) for text in texts]
    return [each.line for each in tried if each.verdict == "right"]


@with_turns(STEPS)
def test_every_right_move_leads_to_the_end(slug, step):
    game = engines.get(slug)
    lines = [()]
    for turn in step.turns:
        branches = [right_lines(game, step, line, turn) for line in lines]
        assert all(branches), "a branch has no right move"
        lines = [line for branch in branches for line in branch]
    for line in lines:
        assert runner.is_done(step, *runner.replay_line(game, step, line))


@with_turns(STEPS)
def test_every_wrong_move_gets_its_answer_and_changes_nothing(slug, step):
    game, line = engines.get(slug), ()
    for turn in step.turns:
        for text, unwanted in turn.unwanted.items():
            tried = runner.try_move(game, step, line, text)
            if tried.verdict == "unwanted":
                assert (tried.say, tried.line) == (unwanted.say, line)
        for text, refused in turn.refused.items():
            tried = runner.try_move(game, step, line, text)
            assert (tried.verdict, tried.refusal.rule) == ("refused", f"{slug}:{refused.rule}")
            assert tried.refusal.text and tried.line == line
        line = right_lines(game, step, line, turn)[0]


@with_turns(STEPS)
def test_every_other_legal_move_is_answered_by_what_follows(slug, step):
    game = engines.get(slug)
    state, turn = runner.opening_position(game, step), step.turns[0]
    written = {str(game.parse(text)) for text in (*turn.accept, *turn.unwanted)}
    for move in state.legal_moves(step.seat):
        tried = runner.try_move(game, step, (), str(move))
        if str(move) not in written and tried.verdict != "right":
            assert (tried.verdict, tried.say) == ("unwanted", runner.NOT_THE_POINT)
            assert tried.shown.dump() != state.dump()


@with_practice(STEPS)
def test_a_practice_game_can_be_played_to_its_end_by_its_own_advice(slug, step):
    game = engines.get(slug)
    line = runner.first_line(game, step)
    state, own = runner.replay_line(game, step, line)
    while not runner.is_done(step, state, own):
        assert runner.advice_in_words(game, step, state, line)
        tried = runner.try_move(game, step, line, str(runner.advised_move(game, step, state, line)))
        assert tried.verdict == "right"
        line = tried.line
        state, own = runner.replay_line(game, step, line)
    assert len(state.results) == 1 or state.outcome()


def test_every_course_ends_with_a_practice_game():
    for course in library.load_courses().values():
        assert course.steps[-1].practice


@pytest.mark.parametrize(
    ("slug", "word", "rule"), [(slug, *pair) for slug, words in TAUGHT_BY.items() for pair in words.items()]
)
def test_no_table_speaks_of_what_is_not_taught_yet(slug, word, rule):
    steps = library.load_courses()[slug].steps
    before = steps[: next(place for place, step in enumerate(steps) if rule in step.rules)]
    assert before
    for step in before:
        state = runner.opening_position(engines.get(slug), step) if step.turns else None
        for turn in step.turns[:1]:
            board = stage.lesson_board(engines.get(slug), step, state, turn, said="", seq=1)
            assert word not in board.prompt.lower(), step.id
