"""Trying, taking back and coming back: what a step makes of moves."""

import pytest

from games import engines
from games.core.contract import GameError
from games.engines.casino.game import CASINO
from tests.tutorials.samples import ENDGAME, MOVE, TURNS, course_text
from tutorials.content import runner
from tutorials.content.lessons import parse_course
from tutorials.content.library import load_course


def a_step(data: dict):
    return parse_course(course_text(data), path="lessons.yaml").steps[0]


def tried_in_course(slug: str, step_id: str, *texts: str):
    """The last of these moves of the learner, after the right ones before it."""
    game, step = engines.get(slug), next(step for step in load_course(slug).steps if step.id == step_id)
    tried = runner.try_move(game, step, (), texts[0])
    for text in texts[1:]:
        tried = runner.try_move(game, step, tried.line, text)
    return tried


def test_a_right_move_is_followed_by_the_written_replies():
    tried = runner.try_move(CASINO, a_step(TURNS), (), "5h = 8 : 3c")
    assert (tried.verdict, tried.line) == ("right", ("5H=8:3C", "KD"))


def test_an_unwanted_move_shows_what_would_have_happened():
    tried = runner.try_move(CASINO, a_step(MOVE), (), "9Sx9D")
    assert (tried.verdict, tried.say, tried.line) == ("unwanted", "One was left.", ())
    assert (tried.shown.loose, tried.shown.to_act) == (["KC", "3C"], (0,))


def test_the_events_after_an_unwanted_move_are_all_told():
    """Also where a game's log keeps the last turn or trick only, and where it hides a card that was open before."""
    claimed = tried_in_course("cuarenta", "over-the-hole", "7Sx7H>JC")
    assert claimed.events == ("Pip claims QD.", "Pip lays 3H.")
    knocked = tried_in_course("gin-rummy", "watch-the-pile", "X TH")
    assert knocked.events[0] == "Pip takes the upcard TH." and "Pip knocks" in knocked.events[1]
    assert not tried_in_course("gin-rummy", "no-way-back", "X KS", "U").events
    ended = tried_in_course("sixty-six", "shut-it", "CL", "AH", "TH", "66")
    assert ended.events == ("Hand 1: you claim 66 with only 38: 2 game points for Pip.",)


def test_a_move_that_ends_the_hand_is_followed_by_no_move_of_the_next():
    shown = tried_in_course("gin-rummy", "lay-off", "S: / 4H>1 8H>1 9H>1")
    assert shown.events == ("Hand 1: Pip knocks with 10 against 57; 47 points for Pip.",)


def test_a_win_of_the_next_player_is_no_score_in_a_game_without_points():
    won = tried_in_course("vatican", "hold-back", "P x1 > 4S1-5S1-6S1 / 4C1+4D1+4H1")
    assert won.events[-1] == "Deal 1: Pip goes out and wins."
    assert "scores" not in won.say


def test_a_move_that_nobody_wrote_about_is_answered_by_a_reason_the_hint_and_the_next_player():
    tried = runner.try_move(CASINO, a_step(MOVE), (), "QD")
    assert tried.verdict == "unwanted"
    reason = "You take nothing now, which is allowed; <code>QD</code> scores nothing by itself."
    assert tried.say == f"{reason} <strong>Hint:</strong> Both."
    assert tried.shown.to_act == (0,)


def test_a_move_that_is_taught_later_answers_no_unwanted_move():
    tried = tried_in_course("casino", "same-rank", "2C")
    assert (tried.verdict, tried.events, tried.seen) == ("unwanted", (), ("2C",))


def test_an_illegal_move_is_refused_by_the_engine_with_its_rule():
    tried = runner.try_move(CASINO, a_step(MOVE), (), "9SxKC")
    assert (tried.verdict, tried.refusal.rule) == ("refused", "casino:capture-face")
    assert "K" in tried.refusal.text


def test_the_author_may_answer_instead_of_the_engine():
    step = a_step(MOVE | {"refused": {"9SxKC": {"rule": "capture-face", "say": "A king is no number."}}})
    tried = runner.try_move(CASINO, step, (), "9SxKC")
    assert (tried.refusal.text, tried.refusal.rule) == ("A king is no number.", "casino:capture-face")


def test_what_is_no_move_is_refused_without_a_rule():
    tried = runner.try_move(CASINO, a_step(MOVE), (), "nine takes nine")
    assert (tried.verdict, tried.refusal.rule) == ("refused", "")


def test_texts_show_the_values_of_their_moment():
    step = a_step(MOVE | {"say": "Won: {count won:0}.", "done": "You took `{cards won:0}`."})
    assert runner.opening_text(CASINO, step, step.say) == "<p>Won: 0.</p>\n"
    state, _ = runner.replay_line(CASINO, step, ("9Sx9D+9H",))
    assert runner.closing_text(step, step.done, state, hands=0) == "<p>You took <code>9S 9D 9H</code>.</p>\n"


def test_what_is_said_of_a_wrong_move_has_the_values_from_before_it():
    tried = runner.try_move(CASINO, a_step(MOVE | {"unwanted": {"9Sx9D": "You held {hand 0}."}}), (), "9Sx9D")
    assert tried.say == "You held 4."


def test_the_second_stage_of_a_hint_is_the_move_with_its_reason_unless_it_is_written():
    step = a_step(MOVE)
    nudge, reason = runner.hint_texts(CASINO, step, step.turns[0], runner.opening_position(CASINO, step))
    assert nudge == "Both."
    assert reason.startswith("Take <code>9D</code> <code>9H</code> with <code>9S</code>. Your pile gets 3 cards")
    step = a_step(MOVE | {"hint": ["Look.", "You hold {hand 0}."]})
    texts = runner.hint_texts(CASINO, step, step.turns[0], runner.opening_position(CASINO, step))
    assert texts == ("Look.", "You hold 4.")


def test_a_bot_may_reply():
    first, second = TURNS["turns"]
    replied_by_bot = {key: value for key, value in first.items() if key != "replies"} | {"bot": "first-steps"}
    tried = runner.try_move(CASINO, a_step(TURNS | {"turns": [replied_by_bot, second]}), (), "5H=8:3C")
    assert len(tried.line) == 2


def test_taking_back_takes_back_the_replies_too():
    step = a_step(TURNS)
    assert runner.without_last(CASINO, step, ("5H=8:3C", "KD")) == ()
    assert runner.without_last(CASINO, step, ("5H=8:3C", "KD", "8Sx[8]")) == ("5H=8:3C", "KD")


def test_a_line_that_the_rules_forbid_cannot_be_replayed():
    with pytest.raises(GameError):
        runner.replay_line(CASINO, a_step(TURNS), ("6C", "8H"))


def test_a_step_is_done_after_its_last_turn():
    step = a_step(TURNS)
    assert not runner.is_done(step, *runner.replay_line(CASINO, step, ("5H=8:3C", "KD")))
    assert runner.is_done(step, *runner.replay_line(CASINO, step, ("5H=8:3C", "KD", "8Sx[8]")))


def test_a_practice_game_may_begin_in_a_position():
    step = a_step(ENDGAME | {"position": {"dealer": 1, "to_move": 0, "hands": {0: "9S", 1: "KD"}, "loose": "9D"}})
    state = runner.opening_position(CASINO, step)
    assert [str(move) for move in state.legal_moves(0)] == ["9S", "9Sx9D"]


def test_the_same_moves_meet_the_same_replies_in_a_practice_game():
    step = a_step(ENDGAME)
    text = str(runner.opening_position(CASINO, step).legal_moves(0)[0])
    lines = {runner.try_move(CASINO, step, (), text).line for _ in range(3)}
    assert len(lines) == 1
    assert len(lines.pop()) == 2


def test_the_others_have_names_from_the_learners_left():
    assert runner.seat_names(4, 0) == ["You", "Pip", "Dot", "Kit"]
    assert runner.seat_names(3, 1) == ["Dot", "You", "Pip"]
