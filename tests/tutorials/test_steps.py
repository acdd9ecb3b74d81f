"""Every step of every course is gone through as a learner would, with every wrong turn its author foresaw."""

import re
from itertools import combinations
from random import Random

import pytest

from games import engines
from tutorials.content import library, runner, stage

TAUGHT_BY = {  # words of a game's own sentences, and the rules of the first step that explains them
    "casino": {"trail": "trail", "build": "build-single"},
    "royal-casino": {"trail": "trail", "build": "build-single"},
    "cuarenta": {"add": "add"},
    "four-hand-cuarenta": {"add": "add"},
    "sixty-six": {"marriage": "marriage"},
}
REFUSED_AFTER = {  # words of a game's refusals, and the rules of the first step that explains them
    "carousel": {"knock": "knock-limit"},
    "gin-rummy": {"knock": "knock-limit"},
    "partnership-cribbage": {"say go": "go"},
    "russian-bank": {"load": "load"},
    "sixty-six": {"marriage": "marriage"},
}
ENDS_OF_HANDS = {  # lines that end a hand at the end of a step, and cards that they leave on the table
    ("vatican", "hold-back"): (("D", "D", "P x1 > 4C1+4D1+4H1 / 4S1-5S1-6S1 / KC1+KD1+KH1"), {"5S1", "KH1", "TC1"}),
    ("krambambuli", "going-out"): (("M JH-QH-KH-AH", "M 5D+5H+5S", "M 3C-4C-5C-6C", "X TD"), {"AH", "5S", "6C"}),
}
MOST_MOVES = 60
SELECTIONS = 20
SIZES = (1, 1, 2, 2, 3, 4)
STEPS = [(slug, step) for slug, course in library.load_courses().items() for step in course.steps]


def with_turns(pairs):
    chosen = [(slug, step) for slug, step in pairs if step.turns]
    return pytest.mark.parametrize(("slug", "step"), chosen, ids=[f"{slug}-{step.id}" for slug, step in chosen])


def with_practice(pairs):
    chosen = [(slug, step) for slug, step in pairs if step.practice and not step.is_at_table]
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


def turns_of(game, step):
    """Each turn of a step with the line that leads to it, along the first right moves."""
    line = ()
    for turn in step.turns:
        yield turn, line
        line = right_lines(game, step, line, turn)[0]


@with_turns(STEPS)
def test_every_legal_move_is_answered(slug, step):
    """Right, or with a reason and what follows; some of them where there are very many."""
    game, rng = engines.get(slug), Random(step.id)
    for turn, line in turns_of(game, step):
        state, _ = runner.replay_line(game, step, line)
        legal = state.legal_moves(step.seat)
        written = {str(game.parse(text)) for text in (*turn.accept, *turn.unwanted)}
        for move in legal if len(legal) <= MOST_MOVES else rng.sample(list(legal), MOST_MOVES):
            tried = runner.try_move(game, step, line, str(move))
            if tried.verdict == "right":
                continue
            assert tried.verdict == "unwanted"
            assert tried.say.strip()
            assert tried.shown.dump() != state.dump()
            if str(move) not in written:
                [reason, hint] = tried.say.split(" <strong>Hint:</strong> ")
                assert reason.endswith(".")
                assert hint == runner.hint_texts(game, step, turn, state)[0]


@with_turns(STEPS)
def test_every_selection_is_answered(slug, step):
    """Random selections: each is a move that is answered, or means several, or gets a reason."""
    game, rng = engines.get(slug), Random(step.id)
    for turn, line in turns_of(game, step):
        state, _ = runner.replay_line(game, step, line)
        board = stage.lesson_board(game, step, state, turn, said="", seq=0)
        pickable = [value for value, _ in board.pickable]
        for _ in range(SELECTIONS if pickable else 0):
            picks = rng.sample(pickable, min(len(pickable), rng.choice(SIZES)))
            tried = stage.try_selection(game, step, line, picks)
            if tried.verdict == "refused":
                assert tried.refusal.text.endswith((".", "?", ")")), picks
                assert "@" not in tried.refusal.text
            elif tried.verdict == "unwanted":
                assert tried.say.strip()
            else:
                assert tried.verdict == "right" or len(tried.readings) > 1


@with_turns(STEPS)
def test_every_move_is_in_reach_on_the_board(slug, step):
    """A right move has a button, or a selection means it. A workbench arranges the table as a whole."""
    game = engines.get(slug)
    for turn, line in () if game.workbench else turns_of(game, step):
        state, _ = runner.replay_line(game, step, line)
        board = stage.lesson_board(game, step, state, turn, said="", seq=0)
        spoken = {offer.text for offer in board.spoken_offers}
        values = {value for value, _ in board.pickable}
        for move in runner.right_moves(game, step, turn, state):
            if str(move) in spoken:
                continue
            offered = next((offer.touches for offer in board.card_offers if offer.text == str(move)), None)
            picks = offered or values & {*state.view(step.seat).choice(move).touches}
            assert values.issuperset(picks)
            tried = stage.try_selection(game, step, line, [*picks])
            assert tried.verdict == "right" or in_effect(str(move)) in map(in_effect, tried.readings)


def in_effect(text: str) -> str:
    """The same for moves that differ in equal wild cards, in which twin is in which meld, or in the order of melds."""
    verb, *melds = re.split(r" (?=[SR]\()", re.sub(r"\b2[SHDC]\d", "2", text))
    return " ".join([verb, *sorted(re.sub(r"\d\b", "", meld) for meld in melds)])


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


@pytest.mark.parametrize(
    ("slug", "word", "rule"), [(slug, *pair) for slug, words in REFUSED_AFTER.items() for pair in words.items()]
)
def test_no_selection_is_refused_in_words_that_are_not_taught_yet(slug, word, rule):
    game, steps = engines.get(slug), library.load_courses()[slug].steps
    before = steps[: next(place for place, step in enumerate(steps) if rule in step.rules)]
    assert any(step.turns for step in before)
    for step in before:
        for turn, line in turns_of(game, step):
            state, _ = runner.replay_line(game, step, line)
            board = stage.lesson_board(game, step, state, turn, said="", seq=0)
            pickable = [value for value, _ in board.pickable]
            pairs = list(combinations(pickable, 2))
            for picks in [*zip(pickable), *Random(step.id).sample(pairs, min(len(pairs), SELECTIONS))]:
                refusal = stage.try_selection(game, step, line, picks).refusal
                assert refusal is None or word not in refusal.text.lower(), (step.id, picks, refusal.text)


def test_no_player_of_piquet_declares_anything_before_that_is_taught():
    """Cards left were decided on beside "Three jacks" and "Good", two chapters too early."""
    steps = library.load_courses()["piquet"].steps
    before = steps[: next(place for place, step in enumerate(steps) if "declare-order" in step.rules)]
    for step in before:
        if step.turns:
            state = runner.opening_position(engines.get("piquet"), step)
            said = [words for _seat, words in state.view(step.seat).announcements]
            assert all(words.startswith("No ") for words in said), step.id


def test_younger_of_piquet_declares_with_a_whole_hand():
    """Pip had "5 this deal" beside the seven cards with which the last declarations are made."""
    for step in library.load_courses()["piquet"].steps:
        if step.turns:
            view = runner.opening_position(engines.get("piquet"), step).view(step.seat)
            if view.phase == "claims":
                assert (len(view.hand), view.hand_counts) == (12, (11, 12)), step.id


@pytest.mark.parametrize(("slug", "step_id"), ENDS_OF_HANDS)
def test_the_melds_stay_in_sight_when_a_hand_is_over(slug, step_id):
    game, (line, laid) = engines.get(slug), ENDS_OF_HANDS[slug, step_id]
    step = next(step for step in library.load_courses()[slug].steps if step.id == step_id)
    state, own = runner.replay_line(game, step, line)
    assert runner.is_done(step, state, own)
    board = stage.still_lesson_board(game, step, state, seq=own, line=line, is_finished=True)
    assert laid <= {spot.card for panel in board.panels for spot in panel.spots}
