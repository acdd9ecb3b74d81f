"""Lesson boards: active while the learner is to move, static otherwise; and what a selection on them means."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import islice, product

from games.core.contract import GameError, State, UnclearSelection, UnreadableMove, View, Zone, describe_picks
from games.core.picks import choices_with, picks_on_table, untouched_picks
from games.core.words import capitalized
from games.presentation.board import Board, MoveButton, Refusal, build_board, reading_of
from games.presentation.panels import TOPPED
from tutorials.content import runner
from tutorials.content.lessons import LessonStep, LessonTurn
from tutorials.content.runner import AnyGame, Attempt, MoveLine
from tutorials.content.values import fill_values

MOST_WAYS = 200  # to select one move


def lesson_board(
    game: AnyGame, step: LessonStep, state: State, turn: LessonTurn | None, *, said: str, seq: int
) -> Board:
    """The board while the learner may move. said: before the prompt."""
    view = runner.taught_view(step, state)
    board = build_board(
        view,
        names=runner.seat_names(state.seats, step.seat),
        seq=seq,
        zones=_worth_drawing(view),
        in_lesson=not game.workbench,
        sides=game.sides(state.options, state.seats),
    )
    prompt = (fill_values(turn.say, view) if turn else "") or board.prompt
    return replace(board, prompt=" ".join(filter(None, (fill_values(said, view), prompt))))


def still_lesson_board(
    game: AnyGame,
    step: LessonStep,
    state: State,
    *,
    seq: int,
    hands: int = 0,
    line: MoveLine = (),
    is_finished: bool = False,
) -> Board:
    """A board without moves. If more than `hands` hands are over, it shows what was laid and won, not the next deal.

    line: the moves that led to it. is_finished: the step is over, so it is no longer anyone's turn.
    """
    view: View = state.view(step.seat)
    is_over = len(view.results) > hands
    shown = runner.zones_at_end(view, hands)
    zones = _worth_drawing(view)
    if is_over:
        known = {zone.id for zone in shown}
        melds = [zone for zone in runner.melds_at_end(game, step, line) if zone.id not in known]
        zones = [*melds, *(_laid_out(zone) for zone in shown if zone.count)]
    names = runner.seat_names(state.seats, step.seat)
    sides = game.sides(state.options, state.seats)
    board = build_board(replace(view, moves=()), names=names, seq=seq, zones=zones, sides=sides)
    return board.without_turn() if is_finished else board


def _worth_drawing(view: View) -> list[Zone]:
    """All zones but an empty stock, which most positions of lessons have, unless a move touches it."""
    touched = {touch for move in view.offered for touch in view.choice(move).touches}
    return [zone for zone in view.zones if zone.count or zone.kind != "stock" or zone.id in touched]


def try_selection(game: AnyGame, step: LessonStep, line: MoveLine, picks: Sequence[str]) -> Attempt:
    """Tries the move that a selection of cards and places means; if it means none, the answer says why."""
    state, own = runner.replay_line(game, step, line)
    turn = runner.turn_of(step, own)
    if not picks:
        return runner.refused(game, step, line, state, Refusal(runner.NOTHING_SELECTED))
    board = lesson_board(game, step, state, turn, said="", seq=0)
    texts = [offer.text for offer in board.readings(picks)]
    view, refusal = runner.taught_view(step, state), None
    fewest = view.selection.low if view.selection and texts else 0  # with too few cards only an offered move is meant
    if view.selection and set(picks) <= set(view.selection.cards) and len(picks) >= fewest:
        try:
            texts.append(str(game.read_selection(view, picks)))
        except UnclearSelection as error:
            texts += [str(choice.move) for choice in error.choices if runner.is_taught(step, choice.move)]
        except GameError as error:
            refusal = Refusal.of(error)
    readings = tuple(dict.fromkeys(texts))
    if len(readings) > 1:
        return Attempt("unclear", line, state, readings=readings)
    if readings:
        return runner.try_move(game, step, line, readings[0])
    pickable = {value for value, _ in board.pickable}
    for text in turn.refused if turn else ():
        if _means(game, view, pickable, picks, text):
            return runner.try_move(game, step, line, text)
    return _try_other_selection(game, step, line, picks, refusal)


def readings(game: AnyGame, step: LessonStep, state: State, board: Board, texts: Sequence[str]) -> list[MoveButton]:
    """The moves that an unclear selection may mean, as buttons."""
    view, offered = runner.taught_view(step, state), {offer.text: offer for offer in board.offers}
    return [offered.get(text) or reading_of(view.choice(game.parse(text))) for text in texts]


def _try_other_selection(
    game: AnyGame, step: LessonStep, line: MoveLine, picks: Sequence[str], refusal: Refusal | None
) -> Attempt:
    """Tries a selection that is no offered move: the engine says what is most probably meant, and what is wrong.

    refusal: what the game says of cards that it reads as a whole.
    """
    state, _ = runner.replay_line(game, step, line)
    view = runner.taught_view(step, state)
    if refusal is not None:
        is_part = len(picks) == 1 and choices_with(view, picks)
        return runner.refused(game, step, line, state, Refusal(runner.ONLY_A_PART) if is_part else refusal)
    try:
        move = game.attempt(view, picks_on_table(view, picks))
        runner.position_after(state, step.seat, move)
    except UnreadableMove as error:
        part = Refusal(runner.ONLY_A_PART) if choices_with(view, picks) else None
        return runner.refused(game, step, line, state, part or Refusal.of(error))
    except GameError:
        if not runner.is_taught(step, move):
            return runner.refused(game, step, line, state, Refusal(runner.NOT_TOGETHER))
        return runner.try_move(game, step, line, str(move))
    if not runner.is_taught(step, move):
        return runner.refused(game, step, line, state, Refusal(runner.TAUGHT_LATER))
    idle = untouched_picks(view, view.choice(move), picks)
    if idle:
        verb = "have" if len(idle) > 1 else "has"
        rest = "with the rest of your selection" if len(idle) < len(picks) else "now"
        words = f"{describe_picks(view, idle)} {verb} no part in a move {rest}."
        return runner.refused(game, step, line, state, Refusal(capitalized(words)))
    return runner.try_move(game, step, line, str(move))


def is_met(game: AnyGame, step: LessonStep, line: MoveLine, text: str) -> bool:
    """Whether some selection is answered as this refused move is: by its rule or, if written, by the author's words."""
    state, own = runner.replay_line(game, step, line)
    turn = runner.turn_of(step, own)
    assert turn is not None, "a line that does not finish the step"
    expected = runner.try_move(game, step, line, text).refusal
    assert expected is not None, "an illegal move"
    for picks in _selections_for(game, step, state, turn, text):
        found = try_selection(game, step, line, picks).refusal
        if found and (found == expected if turn.refused[text].say else found.rule == expected.rule):
            return True
    return False


def _selections_for(game: AnyGame, step: LessonStep, state: State, turn: LessonTurn, text: str) -> Iterator[list[str]]:
    """The selections by which a learner may mean a move: each card or place, or what can be selected in its stead."""
    view = state.view(step.seat)
    pickable = dict(lesson_board(game, step, state, turn, said="", seq=0).pickable)
    choice = view.choice(game.parse(text))
    ways = []
    for touch in dict.fromkeys([*choice.touches, *filter(None, [choice.to])]):
        zones = [zone for zone in view.zones if touch in (zone.id, *zone.cards)]
        named = [touch, *(pick for zone in zones for pick in ([*zone.cards] if touch == zone.id else [zone.id]))]
        ways.append([pick for pick in named if pick in pickable] + ([""] if zones and touch == zones[0].id else []))
    for picks in islice(product(*(way or [""] for way in ways)), MOST_WAYS):
        if any(picks):
            yield list(dict.fromkeys(filter(None, picks)))


def _means(game: AnyGame, view: View, pickable: Set[str], picks: Sequence[str], text: str) -> bool:
    """Whether a selection means this illegal move: all cards that it touches, and no other card or place.

    A place may be left out, but not one that could still be selected for a legal move.
    """
    tops = {zone.id: zone.cards[-1] for zone in view.zones if zone.kind in TOPPED and zone.cards}
    choice = view.choice(game.parse(text))
    touches = {tops.get(touch, touch) for touch in choice.touches}
    chosen = {tops.get(pick, pick) for pick in picks if pick != choice.to}
    places = {zone.id for zone in view.zones}
    missing = touches - chosen
    if not chosen or not chosen <= touches or not missing <= places:
        return False
    return missing.isdisjoint(pickable) or not choices_with(view, picks)


def _laid_out(zone: Zone) -> Zone:
    """A won pile as an open row in the middle, with every card visible."""
    return replace(zone, kind="row", owner=None)
