"""Checks of seed files against the real engines: a wrong example in a rule book or a course stops `load_seeds`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from games import bots
from games.core.contract import GameError, IllegalMove, Move, State, Zone
from tutorials.content import runner, stage
from tutorials.content.lessons import Chapter, Course, LessonStep, LessonTurn
from tutorials.content.rulebook import Example, RuleBook
from tutorials.content.runner import AnyGame
from tutorials.content.seedfile import SeedError
from tutorials.content.values import UnknownValue, fill_values

LEGAL = "legal"


def book_problems(book: RuleBook, game: AnyGame, *, path: str) -> list[SeedError]:
    """Wrong examples, options without an entry and entries without an option."""
    problems = []
    for rule in (*book.rules, *book.options):
        for example in rule.examples:
            problems += _errors_of(_check_example, example, game)
    written, known = {option.id for option in book.options}, {option.name for option in game.options}
    problems += [SeedError(path, f"the option {name!r} is not one of the engine.") for name in written - known]
    problems += [SeedError(path, f"the option {name!r} of the engine has no entry.") for name in known - written]
    return problems


def _errors_of(check: Callable[..., None], *about: object) -> list[SeedError]:
    try:
        check(*about)
    except SeedError as error:
        return [error]
    return []


def _check_example(example: Example, game: AnyGame) -> None:
    if example.position is None:
        known = {*game.deck(game.read_options({}, game.seats[0]))}
        for card in " ".join(example.rows.values()).split():
            if card not in known:
                raise SeedError(example.place, f"there is no card {card} in this pack.")
        return
    state = _load(game, example.position, example.place)
    for text, verdict in example.moves.items():
        seat = state.to_act[0]
        found = _verdict(game, state, seat, text)
        if found != (verdict if verdict == LEGAL else f"{game.slug}:{verdict}"):
            raise SeedError(example.place, f"{text} is said to be {verdict}, but the engine says {found}.")


def course_problems(course: Course, game: AnyGame, book: RuleBook, *, path: str) -> list[SeedError]:
    """Steps that cannot be done as described, in any of their branches: at most one problem a step."""
    problems = []
    if course.game != game.slug:
        problems.append(SeedError(path, f"this is the course of {game.slug!r}, not of {course.game!r}."))
    for step in course.steps:
        problems += _errors_of(_check_step, step, game, book)
    for chapter in course.chapters:
        problems += _errors_of(_check_not_yet, chapter, course, game, path)
    return problems


def _check_not_yet(chapter: Chapter, course: Course, game: AnyGame, path: str) -> None:
    """Each pattern of moves that are taught later matches some move in the course, and no right one in the chapter."""
    place = f"{path}, chapter {chapter.id}"
    for pattern in chapter.not_yet:
        for step in chapter.steps:
            for text in (text for turn in step.turns for text in turn.accept):
                if fnmatchcase(str(_parse(game, text, step.place)), pattern):
                    raise SeedError(step.place, f"{text} is right, but not_yet has {pattern!r}.")
    unmet = {pattern for pattern in chapter.not_yet if not _is_met(course, game, pattern)}
    if unmet:
        raise SeedError(place, f"not_yet has {', '.join(sorted(unmet))!r}, which matches no legal move of the course.")


def _is_met(course: Course, game: AnyGame, pattern: str) -> bool:
    return any(fnmatchcase(str(move), pattern) for step in course.steps for move in _legal_moves(game, step))


def _legal_moves(game: AnyGame, step: LessonStep) -> Iterator[Move]:
    """The learner's legal moves in the positions of a step, along the first right moves."""
    for _, line in _turns(game, step):
        state, _ = runner.replay_line(game, step, line)
        yield from state.legal_moves(step.seat)


def _turns(game: AnyGame, step: LessonStep) -> Iterator[tuple[LessonTurn | None, runner.MoveLine]]:
    """The turns of a step, each with the first right moves that lead to it; None for a practice game in the lesson."""
    if step.question or step.is_at_table:
        return
    try:
        line = runner.first_line(game, step)
        for turn in step.turns or (None,):
            yield turn, line
            state, _ = runner.replay_line(game, step, line)
            move = next(runner.right_moves(game, step, turn, state), None) if turn else None
            if move is None:
                return
            line = runner.try_move(game, step, line, str(move)).line
    except GameError:  # the step has a problem of its own
        return


def _check_step(step: LessonStep, game: AnyGame, book: RuleBook) -> None:
    _check_rules(step, book)
    if step.practice:
        _check_practice(step, game)
    if step.position is None:
        return
    state = _load(game, step.position, step.place)
    _check_values(step, state, step.place, [step.say, step.question.ask if step.question else ""])
    if step.turns and step.seat not in state.to_act:
        raise SeedError(step.place, f"seat {step.seat} is the learner's, but {state.to_act} is to move.")
    branches = [state]
    for number, turn in enumerate(step.turns, 1):
        place = f"{step.place}, turn {number}" if len(step.turns) > 1 else step.place
        _check_values_of_turn(step, turn, branches, place)
        branches = _check_turn(step, turn, branches, game, place)
        for after in branches:
            _check_values(step, after, place, [turn.then])
    _check_selections(step, game)
    hands = len(state.results)
    for after in branches:
        view = after.view(step.seat)
        if "{running " in step.done and len(view.results) > hands:
            raise SeedError(step.place, "the deal is over at the end of the step; its points are in the score.")
        _check_values(step, after, f"{step.place}, done", [step.done], runner.zones_at_end(view, hands))


def _check_rules(step: LessonStep, book: RuleBook) -> None:
    for rule in step.rules:
        if rule not in book.rule_ids:
            raise SeedError(step.place, f"it teaches {rule!r}, which is no rule of the book.")
    for rule in step.decided_by:
        if rule not in step.rules:
            raise SeedError(step.place, f"it is decided by {rule!r}, which it does not teach.")


def _check_values_of_turn(step: LessonStep, turn: LessonTurn, branches: Iterable[State], place: str) -> None:
    says = [*(item.say for item in turn.refused.values()), *(item.say for item in turn.unwanted.values())]
    for state in branches:
        _check_values(step, state, place, [turn.say, *turn.hints, *says])


def _check_values(
    step: LessonStep, state: State, place: str, texts: Iterable[str], zones: Sequence[Zone] | None = None
) -> None:
    for text in texts:
        if "{" not in text:
            continue
        try:
            fill_values(text, state.view(step.seat), zones)
        except UnknownValue as error:
            raise SeedError(place, str(error)) from None


def _check_practice(step: LessonStep, game: AnyGame) -> None:
    assert step.practice is not None
    for level in filter(None, (step.practice.bot, step.practice.adviser)):
        _check_bot(game, level, step.place)
    if step.is_at_table:
        try:
            game.read_options(step.practice.options, step.practice.seats)
        except GameError as error:
            raise SeedError(step.place, f"the game cannot begin: {error}") from None


def _check_turn(step: LessonStep, turn: LessonTurn, branches: list[State], game: AnyGame, place: str) -> list[State]:
    """The positions in which the next turn may begin.

    Every branch must offer a right move. Refused moves are refused in all branches, right and unwanted ones are legal
    in some.
    """
    after: list[State] = []
    for state in branches:
        if step.seat not in state.to_act:
            raise SeedError(place, "the learner is not to move; are replies missing, or too many?")
        right = _right_moves(step, turn, state, game, place)
        if not right:
            raise SeedError(place, _why_nothing_is_right(step, turn, state, game))
        after += [_after_answers(step, turn, state, move, game, place) for move in right]
    _check_accepted(step, turn, branches, game, place)
    _check_refused(step, turn, branches, game, place)
    _check_unwanted(step, turn, branches, game, place)
    return _without_duplicates(after)


def _right_moves(step: LessonStep, turn: LessonTurn, state: State, game: AnyGame, place: str) -> list[Move]:
    accepted = [_parse(game, text, place) for text in turn.accept]
    written = [move for move in accepted if _verdict(game, state, step.seat, str(move)) == LEGAL]
    if turn.goal is None:
        return written
    for move in written:
        if not turn.goal.is_reached(state, step.seat, move, runner.position_after(state, step.seat, move)):
            raise SeedError(place, f"{move} is said to be right, but does not reach the goal.")
    others = [move for move in state.legal_moves(step.seat) if move not in written]
    reaching = [
        m for m in others if turn.goal.is_reached(state, step.seat, m, runner.position_after(state, step.seat, m))
    ]
    return [*written, *reaching]


def _why_nothing_is_right(step: LessonStep, turn: LessonTurn, state: State, game: AnyGame) -> str:
    if not turn.accept:
        return "no legal move reaches the goal."
    text = turn.accept[0]
    return f"{text} is said to be right, but is refused by {_verdict(game, state, step.seat, text)}."


def _after_answers(step: LessonStep, turn: LessonTurn, state: State, move: Move, game: AnyGame, place: str) -> State:
    """The position after a right move and the answers of the others."""
    after = runner.position_after(state, step.seat, move)
    if turn.bot:
        _check_bot(game, turn.bot, place)
    try:
        runner.play_replies(game, step, turn, after, (str(move),))
    except GameError as error:
        raise SeedError(place, f"after {move} the reply cannot be played: {error}") from None
    return after


def _check_accepted(step: LessonStep, turn: LessonTurn, branches: Iterable[State], game: AnyGame, place: str) -> None:
    for text in turn.accept:
        found = {_verdict(game, state, step.seat, text) for state in branches}
        if LEGAL not in found:
            raise SeedError(place, f"{text} is said to be right, but is refused by {found.pop()}.")


def _check_refused(step: LessonStep, turn: LessonTurn, branches: Iterable[State], game: AnyGame, place: str) -> None:
    for text, refused in turn.refused.items():
        rule = f"{game.slug}:{refused.rule}"
        for state in branches:
            found = _verdict(game, state, step.seat, text)
            if found != rule:
                raise SeedError(place, f"{text} is said to be refused by {rule}, but the engine says {found}.")
            try:
                state.view(step.seat).choice(_parse(game, text, place))
            except (TypeError, KeyError, LookupError, AssertionError):
                raise SeedError(
                    place, f"{text} cannot be offered on the board; the engine has no words for it."
                ) from None


def _check_selections(step: LessonStep, game: AnyGame) -> None:
    """Each refused move is met by selecting cards and places. A workbench takes any arrangement."""
    if game.workbench:
        return
    for turn, line in _turns(game, step):
        for text in turn.refused if turn else ():
            if not stage.is_met(game, step, line, text):
                raise SeedError(
                    step.place,
                    f"no selection is answered as {text}, so nobody meets what it says; "
                    "write it in unwanted or hint, or refuse what can be selected.",
                )


def _check_unwanted(step: LessonStep, turn: LessonTurn, branches: Iterable[State], game: AnyGame, place: str) -> None:
    for text, unwanted in turn.unwanted.items():
        move, is_met = _parse(game, text, place), False
        for state in branches:
            found = _verdict(game, state, step.seat, text)
            if found != LEGAL:
                continue
            is_met = True
            after = runner.position_after(state, step.seat, move)
            if runner.is_right(game, turn, state, step.seat, move, after):
                raise SeedError(place, f"{text} is said to be unwanted, but is right.")
            try:
                runner.play_all(game, step, after, unwanted.replies)
            except GameError as error:
                raise SeedError(place, f"after {text} the reply cannot be played: {error}") from None
        if not is_met:
            raise SeedError(place, f"{text} is said to be legal, but is refused by {found}.")


def _verdict(game: AnyGame, state: State, seat: int, text: str) -> str:
    """ "legal", or the full id of the rule that refuses the move, or why the text is no move."""
    try:
        state.copy().play(seat, game.parse(text))
    except IllegalMove as error:
        return error.rule
    except GameError as error:
        return f"unreadable: {error}"
    return LEGAL


def _parse(game: AnyGame, text: str, place: str) -> Move:
    try:
        move: Move = game.parse(text)
    except GameError as error:
        raise SeedError(place, f"{text}: {error}") from None
    return move


def _load(game: AnyGame, position: dict[str, Any], place: str) -> State:
    try:
        state: State = game.load(position)
    except GameError as error:
        raise SeedError(place, f"the position cannot be: {error}") from None
    return state


def _check_bot(game: AnyGame, level: str, place: str) -> None:
    if level not in bots.QUICK_LEVELS:
        raise SeedError(place, f"{game.name} has no bot {level!r} that is quick enough for a lesson.")


def _without_duplicates(states: list[State]) -> list[State]:
    return list({repr(state.dump()): state for state in states}.values())
