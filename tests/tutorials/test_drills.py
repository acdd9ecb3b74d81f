"""Drills: fresh positions out of bots' play, and the questions that positions and steps make."""

import json
import re
from dataclasses import replace

import pytest

from games import engines
from games.core.cards import CARD_IN_TEXT, card_signs
from games.core.contract import IllegalMove
from games.core.words import render_text
from games.templatetags.cards import card_glyphs
from tests.pages import words_of
from tutorials import drill_stock
from tutorials.content import library, runner
from tutorials.content.lessons import parse_course
from tutorials.content.seedfile import html_from_plain
from tutorials.course_tests import MOST_QUESTIONS
from tutorials.drills.counts import fresh_counts
from tutorials.drills.near_misses import FreshPosition, fresh_positions
from tutorials.drills.questions import asked_rules, fresh_source, question_of, step_question

from .samples import MOVE, PRACTICE, QUESTION, course_text

CASINO = engines.get("casino")
BUILDER = FreshPosition(
    rule="build-hold",
    position={"dealer": 1, "to_move": 0, "hands": {"0": "5H 8S 6C", "1": "KD TC QS"}, "loose": "3C 4D QH"},
    seat=0,
    moves=("5H=9:4D", "5H=8:3C", "6C"),
    right=0,
    asks_for_refused=True,
)


def refusing_rule(game, fresh, text):
    """Short id of the rule that refuses a move, "" if none does."""
    try:
        game.load(json.loads(json.dumps(fresh.position))).play(fresh.seat, game.parse(text))
    except IllegalMove as error:
        return error.rule.removeprefix(f"{game.slug}:")
    return ""


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_in_a_fresh_position_exactly_its_rule_decides(game):
    found = fresh_positions(game, seed=1)
    assert found
    for fresh in found:
        assert fresh.rule in library.rule_ids(game.slug)
        verdicts = [refusing_rule(game, fresh, text) for text in fresh.moves]
        asked_for = verdicts.pop(fresh.right)
        refused, allowed = ([asked_for], verdicts) if fresh.asks_for_refused else (verdicts, [asked_for])
        assert set(refused) == {fresh.rule}
        assert set(allowed) == {""}


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_card_and_its_twin_are_never_two_answers_nor_once_allowed_and_once_not(seed):
    push = engines.get("push")
    for fresh in fresh_positions(push, seed):
        view = push.load(fresh.position).view(fresh.seat)
        in_words = [card_signs(str(view.choice(push.parse(text)).phrase)) for text in fresh.moves]
        assert len({*in_words}) == len(in_words)
        refused = {in_words[fresh.right]} if fresh.asks_for_refused else {*in_words} - {in_words[fresh.right]}
        assert refused.isdisjoint(card_signs(str(view.choice(move).phrase)) for move in view.offered)


@pytest.mark.parametrize("slug", ["casino", "cuarenta", "gin-rummy"])
def test_no_answer_names_a_card_that_is_not_in_sight(slug):
    game = engines.get(slug)
    for fresh in [*fresh_positions(game, seed=0), *fresh_positions(game, seed=1)]:
        view = game.load(fresh.position).view(fresh.seat)
        seen = {card for zone in view.zones for card in zone.cards}
        named = {touch for text in fresh.moves for touch in view.choice(game.parse(text)).touches}
        assert {card for card in named if CARD_IN_TEXT.fullmatch(card)} <= seen


def test_the_same_seed_finds_the_same_positions_and_another_finds_others():
    assert fresh_positions(CASINO, seed=5) == fresh_positions(CASINO, seed=5)
    assert fresh_positions(CASINO, seed=5) != fresh_positions(CASINO, seed=6)


def test_a_position_asks_for_the_move_that_its_rule_refuses():
    drill = question_of(CASINO, json.loads(json.dumps(fresh_source(BUILDER))))
    assert "against the rules" in drill.question.ask
    assert [answer.is_right for answer in drill.question.answers] == [True, False, False]
    refused, built, _ = drill.question.answers
    assert refused.html == "Build 9 from <code>5H</code> <code>4D</code>"
    assert "card worth 9" in refused.because
    assert built.because == "You may do that."


def test_two_answers_ask_which_of_the_two():
    source = {**fresh_source(BUILDER), "moves": BUILDER.moves[:2]}
    assert "One of these two" in question_of(CASINO, source).question.ask


@pytest.mark.parametrize(
    "change",
    [{"moves": ["nonsense"]}, {"position": {"hands": {"0": "ZZ"}}}, {"rulers": 1}, {"right": 1}, {"rule": "trail"}],
)
def test_a_position_of_earlier_rules_makes_no_question(change):
    assert question_of(CASINO, {**fresh_source(BUILDER), **change}) is None


@pytest.mark.parametrize("game", engines.GAMES, ids=lambda game: game.slug)
def test_a_fresh_count_asks_for_one_number_of_its_rule(game):
    found = fresh_counts(game, seed=1)
    assert found or game.slug == "vatican"  # whose hands are longer
    for fresh in found:
        drill = question_of(game, json.loads(json.dumps(fresh_source(fresh))))
        assert fresh.rule in library.rule_ids(game.slug)
        assert sum(answer.is_right for answer in drill.question.answers) == 1
        assert len({answer.html for answer in drill.question.answers}) > 2
        assert drill.zones and drill.question.ask.count("…") == 1
        assert f"The {game.deal_word} is over" in drill.question.ask


def a_count(**changes):
    fresh = next(fresh for fresh in fresh_counts(CASINO, seed=1) if fresh.rule == "score-cards")
    return json.loads(json.dumps(fresh_source(fresh))) | changes


def test_a_count_leaves_out_its_number_and_tells_it_afterwards():
    drill = question_of(CASINO, a_count())
    assert re.search(r"(You score|scores) … for most cards: \d\d<", drill.question.ask)
    assert [answer.html for answer in drill.question.answers if answer.is_right] == ["3"]
    assert re.search(r"(You score|scores) 3 for most cards", drill.question.answers[0].because)


@pytest.mark.parametrize("change", [{"rule": "score-big"}, {"step": 99}, {"numbers": [5, 6]}, {"move": "nonsense"}])
def test_a_count_of_earlier_rules_makes_no_question(change):
    assert question_of(CASINO, a_count(**change)) is None


def test_cards_that_are_counted_aloud_are_named():
    cribbage = engines.get("partnership-cribbage")
    fresh = next(fresh for seed in range(9) for fresh in fresh_counts(cribbage, seed) if fresh.rule == "show-fifteen")
    drill = question_of(cribbage, fresh_source(fresh))
    assert re.search(r"<code>\w\w</code> <code>\w\w</code>.* score …", drill.question.ask)
    assert [answer.html for answer in drill.question.answers if answer.is_right] == ["2"]


def test_a_step_that_is_gone_makes_no_question():
    assert question_of(CASINO, {"step": "no-such-step"}) is None


def step_of(sample):
    return parse_course(course_text(sample), path="test.yaml").steps[0]


def test_a_step_asks_for_its_move_among_those_that_the_author_expects():
    drill = step_question(CASINO, step_of(MOVE))
    answers = {answer.html: answer for answer in drill.question.answers}
    assert [html for html, answer in answers.items() if answer.is_right] == [
        "Take <code>9D</code> <code>9H</code> with <code>9S</code>"
    ]
    assert answers["Take <code>9D</code> with <code>9S</code>"].because == "One was left."
    assert "no number value" in answers["Take <code>KC</code> with <code>9S</code>"].because
    assert (drill.rule, drill.seat) == ("capture-equal", 0)


def test_a_step_asks_without_its_task_and_its_teaching():
    step = step_of(MOVE)
    assert step_question(CASINO, step).question.ask == "<p>Which of these is the best move?</p>"
    [turn] = step.turns
    asked = step_question(CASINO, replace(step, turns=(replace(turn, unwanted={}),))).question
    assert asked.ask == "<p>Which of these are you allowed to do?</p>" and len(asked.answers) == 1 + len(turn.refused)
    unforeseen = replace(turn, unwanted={}, refused={}, say="Take both nines.")  # so the task has to say what is wrong
    assert step_question(CASINO, replace(step, turns=(unforeseen,))).question.ask == "<p>Take both nines.</p>"


def test_of_moves_with_twins_one_is_an_answer():
    steps = {step.id: step for step in library.load_course("push").steps}
    answers = step_question(engines.get("push"), steps["twins"]).question.answers
    assert len({card_glyphs(answer.html) for answer in answers}) == len(answers) > 2


def test_a_step_with_a_question_keeps_it_and_a_practice_game_has_none():
    assert [answer.is_right for answer in step_question(CASINO, step_of(QUESTION)).question.answers] == [True, False]
    assert step_question(CASINO, step_of(PRACTICE)) is None


def test_a_text_of_a_step_has_the_values_of_its_table():
    table = {"position": MOVE["position"], "seat": MOVE["seat"]}
    step = step_of(QUESTION | table | {"ask": "You hold {hand 0} cards."})
    assert "You hold 4 cards." in step_question(CASINO, step).question.ask


def test_a_step_asks_only_about_rules_that_decide_its_question():
    """ "Who deals the second?" cited that a game has five deals."""
    for rule, steps in {
        "first-turn": {"around-the-table"},
        "first-dealer": {"five-deals"},
        "deal-size": {"five-deals"},
        "five-deals": set(),
        "players-partners": set(),
    }.items():
        assert {source["step"] for source in drill_stock.step_sources("push", rule)} == steps, rule


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_a_wrong_move_in_a_question_of_a_step_is_refused_by_its_rule_or_by_none(slug):
    game = engines.get(slug)
    for step in library.load_course(slug).steps:
        for rule in asked_rules(game, step):
            if not step.turns or rule not in {refused.rule for refused in step.turns[0].refused.values()}:
                assert rule in step.decided_by, step.place
            if step.turns:
                answers = step_question(game, step, rule).question.answers
                verdicts = refusals_of_answers(game, step)
                refused = {
                    verdicts[answer.html] for answer in answers if not answer.is_right and answer.html in verdicts
                }
                assert refused == ({rule} if rule in verdicts.values() else set()), f"{step.place}: {rule}"


def refusals_of_answers(game, step):
    """The engine's verdict on each refused move of the first turn, by how an answer says it."""
    state = game.load(step.position)
    names, view = runner.seat_names(state.seats, step.seat), state.view(step.seat)
    said = {text: str(view.choice(game.parse(text)).phrase.text) for text in step.turns[0].refused}
    return {
        html_from_plain(render_text(words, names, step.seat)): refusing_rule(
            game, FreshPosition("", step.position, step.seat, (), 0, asks_for_refused=True), text
        )
        for text, words in said.items()
    }


def test_a_question_about_a_rule_leaves_out_the_moves_that_others_refuse():
    """Learners could answer "9S takes KC" wrongly without missing that all equal cards are to be taken."""
    answers = step_question(CASINO, step_of(MOVE), "capture-equal").question.answers
    assert "Take <code>KC</code> with <code>9S</code>" not in {answer.html for answer in answers}
    refused = step_question(CASINO, step_of(MOVE), "capture-face").question
    assert refused.ask == "<p>Which of these are you allowed to do?</p>"
    assert {answer.html for answer in refused.answers if not answer.is_right} == {
        "Take <code>KC</code> with <code>9S</code>"
    }


def test_a_move_of_a_step_with_several_rules_asks_about_those_that_refuse_or_that_it_names():
    several = MOVE | {"rules": ["capture-equal", "deal-first"]}
    assert asked_rules(CASINO, step_of(several)) == {"capture-face"}
    assert asked_rules(CASINO, step_of(several | {"decided_by": ["capture-equal"]})) == {
        "capture-equal",
        "capture-face",
    }
    assert asked_rules(CASINO, step_of(MOVE | {"decided_by": []})) == {"capture-face"}


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_a_course_asks_about_more_rules_than_one_test_of_it(slug):
    game, course = engines.get(slug), library.load_course(slug)
    assert len({rule for step in course.steps for rule in asked_rules(game, step)}) > MOST_QUESTIONS


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_a_question_without_a_table_tells_what_it_is_about(slug):
    """Tests asked "Who wins?" and "What now?", since the story of these steps stood in words that teach the rule."""
    game = engines.get(slug)
    for step in library.load_course(slug).steps:
        if step.question and step.position is None and asked_rules(game, step):
            shows_cards = all(answer.cards for answer in step.question.answers)
            assert shows_cards or len(words_of(step.question.ask).split()) >= 5, step.place


@pytest.mark.parametrize("slug", library.games_with("lessons.yaml"))
def test_no_answer_to_a_question_is_wrong_only_by_the_task_of_its_lesson(slug):
    """ "A good place for the three. But begin with the queen this time", of which a test says nothing."""
    game = engines.get(slug)
    for step in library.load_course(slug).steps:
        refusing = {refused.rule for turn in step.turns[:1] for refused in turn.refused.values()}
        for rule in asked_rules(game, step) - refusing if step.turns else ():
            for answer in step_question(game, step, rule).question.answers:
                said = re.search(r"your task|But (begin|find|start)|That works,|just as good|for now", answer.because)
                assert answer.is_right or not said, step.place
