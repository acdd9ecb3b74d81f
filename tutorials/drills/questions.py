"""Drill questions: a table and answers to choose from, out of a fresh position or a step of the course.

A source says in JSON where a question comes from: `{"step": "same-rank"}`, or the fields of a `FreshPosition` or a
`FreshCount`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any, TypeAlias

from games.core.cards import CARD_IN_TEXT
from games.core.contract import GameError, Move, Position, State, Zone
from games.core.words import render_text, with_full_stop
from tutorials.content import library, runner
from tutorials.content.lessons import LessonQuestion, LessonStep, LessonTurn, QuestionAnswer
from tutorials.content.seedfile import html_from_plain
from tutorials.content.values import fill_values
from tutorials.drills.counts import GAP, CountStep, FreshCount, counted_step
from tutorials.drills.near_misses import ANSWERS, AnyGame, FreshPosition, is_exact

Source: TypeAlias = Mapping[str, Any]

ASKS = {True: "Which of these is against the rules?", False: "Which of these are you allowed to do?"}
ASKS_FOR_BEST = "Which of these is the best move?"
ASKS_YES_OR_NO = "One of these two is against the rules. Which one?"
ASKS_FOR_NUMBER = "The {} is over and is counted. Which number is missing?"
ALLOWED = "You may do that."


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    """A question about a rule. rule: short id. position: None where no table is shown, which `seat` looks at.

    zones: drawn instead of those of the position, such as the open cards at the end of a hand.
    """

    rule: str
    question: LessonQuestion
    position: Position | None
    seat: int
    zones: tuple[Zone, ...] = ()


def fresh_source(fresh: FreshPosition | FreshCount) -> Source:
    return asdict(fresh)


def step_source(step: LessonStep) -> Source:
    return {"step": step.id}


def question_of(game: AnyGame, source: Source) -> DrillQuestion | None:
    """None where the rules or the course have changed so that the source no longer makes a question."""
    try:
        if "numbers" in source:
            count = FreshCount(**{**source, "numbers": tuple(source["numbers"])})
            counted = counted_step(game, count)
            return _count_question(game, count, counted) if counted else None
        if "moves" in source:
            fresh = FreshPosition(**{**source, "moves": tuple(source["moves"])})
            return _fresh_question(game, fresh) if is_exact(game, fresh) else None
        steps = {step.id: step for step in library.load_course(game.slug).steps}
        return step_question(game, steps[source["step"]], source.get("rule", ""))
    except (GameError, KeyError, TypeError):
        return None


def _fresh_question(game: AnyGame, fresh: FreshPosition) -> DrillQuestion:
    """:raises GameError: the position or a move is not one of the game."""
    state: State = game.load(fresh.position)
    answers = []
    for index, text in enumerate(fresh.moves):
        because = _why_refused(game, state, fresh.seat, text) or ALLOWED
        answers.append(_answer(game, state, fresh.seat, game.parse(text), index == fresh.right, because))
    ask = ASKS_YES_OR_NO if fresh.asks_for_refused and len(answers) == 2 else ASKS[fresh.asks_for_refused]
    return DrillQuestion(fresh.rule, LessonQuestion(f"<p>{ask}</p>", tuple(answers)), fresh.position, fresh.seat)


def _count_question(game: AnyGame, fresh: FreshCount, counted: CountStep) -> DrillQuestion:
    state: State = game.load(fresh.position)
    words = render_text(counted.text, runner.seat_names(state.seats, fresh.seat), fresh.seat)
    shown = "" if all(card in words for card in counted.cards) else f" ({' '.join(counted.cards)})"
    gap = f"<strong>{html_from_plain(words)}</strong>{html_from_plain(shown)}"
    ask = f"<p>{ASKS_FOR_NUMBER.format(game.deal_word)}</p><p>{gap}</p>"
    because = html_from_plain(with_full_stop(words.replace(GAP, str(counted.number))))
    answers = (QuestionAnswer(str(number), number == counted.number, because) for number in fresh.numbers)
    return DrillQuestion(fresh.rule, LessonQuestion(ask, tuple(answers)), fresh.position, fresh.seat, counted.zones)


def asked_rules(game: AnyGame, step: LessonStep) -> frozenset[str]:
    """Short ids of the rules that a question of a step can be about: a right answer needs them."""
    refusing = {refused.rule for turn in step.turns[:1] for refused in turn.refused.values()}
    return frozenset(rule for rule in {*step.decided_by, *refusing} if step_question(game, step, rule))


def step_question(game: AnyGame, step: LessonStep, rule: str = "") -> DrillQuestion | None:
    """The question of a step, or its first turn as a choice of moves; None for others, such as practice games.

    rule: one of `asked_rules`, so that the wrong moves are those that it decides.
    """
    asked: LessonQuestion | None = None
    if step.question is not None:
        asked = _with_values(game, step, step.question)
    elif step.turns:
        asked = _choice_of_moves(game, step, _turn_about(rule, step.turns[0]) if rule else step.turns[0])
    return DrillQuestion(rule or step.rules[0], asked, step.position, step.seat) if asked else None


def _turn_about(rule: str, turn: LessonTurn) -> LessonTurn:
    """A turn with the wrong moves that a rule refuses; if it refuses none, with those that are legal."""
    refused = {text: move for text, move in turn.refused.items() if move.rule == rule}
    return replace(turn, refused=refused, unwanted={} if refused else turn.unwanted)


def _with_values(game: AnyGame, step: LessonStep, question: LessonQuestion) -> LessonQuestion:
    answers = (
        replace(
            answer,
            html=runner.opening_text(game, step, answer.html),
            because=runner.opening_text(game, step, answer.because),
        )
        for answer in question.answers
    )
    return LessonQuestion(runner.opening_text(game, step, question.ask), tuple(answers))


def _choice_of_moves(game: AnyGame, step: LessonStep, turn: LessonTurn) -> LessonQuestion | None:
    """Asks by the table alone, since the text of the step gives the answer away. None without a wrong move."""
    state = runner.opening_position(game, step)
    right = next(runner.right_moves(game, step, turn, state), None)
    if right is None:
        return None
    is_foreseen = bool(turn.unwanted or turn.refused)
    wrong = _foreseen_moves(game, turn, state, step.seat) if is_foreseen else _other_moves(game, step, turn, state)
    answers: dict[str, QuestionAnswer] = {}  # by what one reads, the same for a card and its twin
    for move, because in chain([(right, "")], wrong):
        answer = _answer(game, state, step.seat, move, move == right, because)
        answers.setdefault(CARD_IN_TEXT.sub(r"\1", answer.html), answer)
        if len(answers) == ANSWERS:
            break
    task = "" if is_foreseen else html_from_plain(fill_values(turn.say, state.view(step.seat)))
    ask = task or (ASKS[False] if turn.refused and not turn.unwanted else ASKS_FOR_BEST)
    return (
        LessonQuestion(f"<p>{ask}</p>", tuple(answers[html] for html in sorted(answers))) if len(answers) > 1 else None
    )


def _foreseen_moves(game: AnyGame, turn: LessonTurn, state: State, seat: int) -> Iterator[tuple[Move, str]]:
    """Moves of which the author says what is wrong. Other legal ones may be as good where the task is not known."""
    for text, unwanted in turn.unwanted.items():
        yield game.parse(text), fill_values(unwanted.say, state.view(seat), is_html=True)
    for text in turn.refused:
        yield game.parse(text), _why_refused(game, state, seat, text)


def _other_moves(game: AnyGame, step: LessonStep, turn: LessonTurn, state: State) -> Iterator[tuple[Move, str]]:
    """Legal moves that miss the task, with what the bots know against them."""
    for move in runner.taught_view(step, state).offered:
        after = runner.position_after(state, step.seat, move)
        if not runner.is_right(game, turn, state, step.seat, move, after):
            yield move, runner.objection(game, step, turn, state, move, after)


def _answer(game: AnyGame, state: State, seat: int, move: Move, is_right: bool, because: str) -> QuestionAnswer:
    choice = state.view(seat).choice(move)
    words = render_text(choice.phrase.text, runner.seat_names(state.seats, seat), seat)
    return QuestionAnswer(html_from_plain(words), is_right, because)


def _why_refused(game: AnyGame, state: State, seat: int, text: str) -> str:
    """HTML; "" for a legal move."""
    try:
        state.copy().play(seat, game.parse(text))
    except GameError as error:
        return html_from_plain(with_full_stop(render_text(str(error), runner.seat_names(state.seats, seat), seat)))
    return ""
