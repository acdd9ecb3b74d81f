"""Lesson runner: plays steps of a course on the real engines. The state is the step and the moves made so far."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from random import Random
from typing import Any, Literal, TypeAlias

from games import bots
from games.core.contract import Event, Game, GameError, Move, State, View, Zone
from games.core.shows import end_of_hand, zones_after
from games.core.words import render_text, with_full_stop
from games.domain.wording import event_sentence
from games.presentation.board import Refusal
from tutorials.content.lessons import LessonStep, LessonTurn
from tutorials.content.seedfile import html_from_plain
from tutorials.content.values import fill_values

AnyGame: TypeAlias = Game[Any, Any, Any]
MoveLine: TypeAlias = tuple[str, ...]
AttemptVerdict: TypeAlias = Literal["right", "unwanted", "refused", "unclear"]

OTHER_PLAYERS = ("Pip", "Dot", "Kit", "Fay", "Ned")
NEXT_PLAYER = "club"  # plays the answer to a move without a written one
NOTHING_SELECTED = "Select the cards of your move first."
TAUGHT_LATER = "There is such a move, but a later chapter teaches it."
NOT_TOGETHER = "These cards make no move that you have learned so far."
ONLY_A_PART = "That is only part of a move. What goes with it?"


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of a move that the learner tried.

    line: all moves of the step that stand now, of all seats. shown: the position to look at; after an unwanted move
    what would have happened, and `seen` the moves up to it. say: HTML about an unwanted move. events: what follows it,
    in sentences. refusal: of an illegal one. readings: the moves that an unclear selection may mean.
    """

    verdict: AttemptVerdict
    line: MoveLine
    shown: State
    say: str = ""
    events: tuple[str, ...] = ()
    refusal: Refusal | None = None
    readings: tuple[str, ...] = ()
    seen: MoveLine = ()

    @property
    def is_mistake(self) -> bool:
        return self.verdict in ("unwanted", "refused")


def seat_names(seats: int, learner: int) -> list[str]:
    """By seat: "You" for the learner, the others clockwise from there."""
    others = dict(zip(((learner + step) % seats for step in range(1, seats)), OTHER_PLAYERS, strict=False))
    return [others.get(seat, "You") for seat in range(seats)]


def opening_position(game: AnyGame, step: LessonStep) -> State:
    """The position before the learner's first move, without the moves that others make before it."""
    state: State = game.load(step.position or {})
    return state


def first_line(game: AnyGame, step: LessonStep) -> MoveLine:
    """The moves before the learner's first move: only a practice game may begin with others."""
    return _bots_move(game, step, opening_position(game, step), step.practice.bot, ()) if step.practice else ()


def replay_line(game: AnyGame, step: LessonStep, line: MoveLine) -> tuple[State, int]:
    """The position after these moves, and how many of them were the learner's.

    :raises GameError: the moves cannot be played.
    """
    state, own = opening_position(game, step), 0
    for text in line:
        seat = _to_act(state, step.seat)
        if seat is None:
            raise GameError("The game is over, and moves are left.")
        state.play(seat, game.parse(text))
        own += seat == step.seat
    return state, own


def turn_of(step: LessonStep, own: int) -> LessonTurn | None:
    """The turn after that many moves of the learner; None if there is none left, and in a practice game."""
    return step.turns[own] if own < len(step.turns) else None


def is_done(step: LessonStep, state: State, own: int) -> bool:
    """Whether the step ends with this position, after that many moves of the learner."""
    return _is_over(step, state) if step.practice else own == len(step.turns)


def without_last(game: AnyGame, step: LessonStep, line: MoveLine) -> MoveLine:
    """The moves up to the learner's last move, which is undone."""
    state, last = opening_position(game, step), 0
    for number, text in enumerate(line):
        seat = _to_act(state, step.seat)
        assert seat is not None, "a line that can be played"
        last = number if seat == step.seat else last
        state.play(seat, game.parse(text))
    return line[:last]


def advised_move(game: AnyGame, step: LessonStep, state: State, line: MoveLine) -> Move:
    """The suggestion in a practice game; where arrangements may be proposed it need not be a listed move."""
    assert step.practice is not None
    return bots.bot(game.slug, step.practice.adviser).choose(state.view(step.seat), _rng(step, line))


def advice_in_words(game: AnyGame, step: LessonStep, state: State, line: MoveLine) -> str:
    """The suggestion in words, with its reason: "Take 3C 5H with 8S. Your pile gets 3 cards."."""
    return move_with_reason(game, step, state, advised_move(game, step, state, line))


def is_taught(step: LessonStep, move: Move) -> bool:
    """Whether the chapter of the step offers such a move."""
    return not any(fnmatchcase(str(move), pattern) for pattern in step.not_yet)


def taught_view(step: LessonStep, state: State) -> View:
    """The learner's view, its moves without those that are taught later."""
    view = state.view(step.seat)
    return replace(view, moves=tuple(move for move in view.moves if is_taught(step, move)))


def zones_at_end(view: View, hands: int) -> tuple[Zone, ...]:
    """The zones to look at when a step ends: if more than `hands` hands are over, those of the last one."""
    return view.results[-1].zones if len(view.results) > hands else view.zones


def melds_at_end(game: AnyGame, step: LessonStep, line: MoveLine) -> tuple[Zone, ...]:
    """The melds on the table when the last of the hands that this line ends was over; () if it ends none."""
    state, melds = opening_position(game, step), tuple[Zone, ...]()
    for text in line if game.melds_lie or game.workbench else ():
        seat = _to_act(state, step.seat)
        assert seat is not None, "a line that can be played"
        end = end_of_hand(state, seat, game.parse(text))
        if len(end.after.results) > len(state.results):
            melds = tuple(zone for zone in zones_after(game.show(end)) if zone.kind == "meld")
        state = end.after
    return melds


def opening_text(game: AnyGame, step: LessonStep, html: str) -> str:
    """A text of a step with the values of the position in which it begins."""
    if step.position is None:
        return html
    return fill_values(html, opening_position(game, step).view(step.seat), is_html=True)


def closing_text(step: LessonStep, html: str, state: State, hands: int) -> str:
    """A text with the values of the position in which the step ends. hands: that were over when it began."""
    view = state.view(step.seat)
    return fill_values(html, view, zones_at_end(view, hands), is_html=True)


def hint_texts(game: AnyGame, step: LessonStep, turn: LessonTurn, state: State) -> tuple[str, ...]:
    """The two stages of a hint as HTML: a nudge, then the reason with the answer, the author's or the bots'."""
    view = state.view(step.seat)
    written = tuple(fill_values(hint, view, is_html=True) for hint in turn.hints)
    move = next(right_moves(game, step, turn, state), None) if len(written) == 1 else None
    return written if move is None else (*written, html_from_plain(move_with_reason(game, step, state, move)))


def right_moves(game: AnyGame, step: LessonStep, turn: LessonTurn, state: State) -> Iterator[Move]:
    """The right moves of a turn: the author's first, then the legal ones that reach the goal."""
    legal = list(state.legal_moves(step.seat))
    written = [game.parse(text) for text in turn.accept]
    for move in written:
        if move in legal:
            yield legal[legal.index(move)]  # it may name another card of the same place
        elif _is_legal(state, step.seat, move):
            yield move
    for move in legal if turn.goal else ():
        if move not in written and is_right(game, turn, state, step.seat, move, position_after(state, step.seat, move)):
            yield move


def _is_legal(state: State, seat: int, move: Move) -> bool:
    try:
        position_after(state, seat, move)
    except GameError:
        return False
    return True


def move_with_reason(game: AnyGame, step: LessonStep, state: State, move: Move) -> str:
    """A legal move in words, with what speaks for it: "Take 9D 9H with 9S. Your pile gets 3 cards."."""
    view, names = state.view(step.seat), seat_names(state.seats, step.seat)
    words = render_text(view.choice(move).phrase.text, names, step.seat)
    return f"{with_full_stop(words)} {render_text(bots.reason(game.slug, view, move).text, names, step.seat)}"


def try_move(game: AnyGame, step: LessonStep, line: MoveLine, text: str) -> Attempt:
    """Tries a move after moves that can be played and do not finish the step."""
    state, own = replay_line(game, step, line)
    turn = turn_of(step, own)
    try:
        move = game.parse(text)
        after = position_after(state, step.seat, move)
    except GameError as error:
        return refused(game, step, line, state, _refusal(game, step, turn, state, text, error))
    if turn and not is_right(game, turn, state, step.seat, move, after):
        return _unwanted(game, step, turn, line, move, state, after)
    made = (*line, str(move))
    replies = play_replies(game, step, turn, after, made)
    return Attempt("right", (*made, *replies), after)


def refused(game: AnyGame, step: LessonStep, line: MoveLine, state: State, refusal: Refusal) -> Attempt:
    """An attempt that changes nothing, with its reason in words for the learner."""
    text = render_text(refusal.text, seat_names(state.seats, step.seat), step.seat)
    return Attempt("refused", line, state, refusal=Refusal(text, refusal.rule))


def is_right(game: AnyGame, turn: LessonTurn, before: State, seat: int, move: Move, after: State) -> bool:
    """Whether a legal move is one the turn asks for."""
    if move in [game.parse(text) for text in turn.accept]:
        return True
    return turn.goal is not None and turn.goal.is_reached(before, seat, move, after)


def position_after(state: State, seat: int, move: Move) -> State:
    """The position after a move; the old one stays as it is. :raises IllegalMove:"""
    after = state.copy()
    after.play(seat, move)
    return after


def _refusal(
    game: AnyGame, step: LessonStep, turn: LessonTurn | None, state: State, text: str, error: GameError
) -> Refusal:
    """The author's words if there are any, else the engine's."""
    found = Refusal.of(error)
    if not found.rule:
        return found
    return Refusal(written_refusal(game, step, turn, state, game.parse(text)) or found.text, found.rule)


def written_refusal(game: AnyGame, step: LessonStep, turn: LessonTurn | None, state: State, move: Move) -> str:
    """The author's words about a move that is refused, "" if there are none."""
    refused = turn.refused.items() if turn else ()
    return fill_values(next((one.say for key, one in refused if game.parse(key) == move), ""), state.view(step.seat))


def _unwanted(
    game: AnyGame, step: LessonStep, turn: LessonTurn, line: MoveLine, move: Move, before: State, after: State
) -> Attempt:
    """Plays what would have happened: the written replies, or else one move of the next player in the same hand."""
    written = next((item for key, item in turn.unwanted.items() if game.parse(key) == move), None)
    if written is None:
        is_over = len(after.results) > len(before.results)
        replies = () if is_over else next_player_moves(game, step, after, (*line, str(move)))
        say = objection(game, step, turn, before, move, after)
    else:
        replies = written.replies
        play_all(game, step, after, replies)
        say = fill_values(written.say, before.view(step.seat), is_html=True)
    events = events_in_words(step, before, (move, *map(game.parse, replies)))
    return Attempt("unwanted", line, after, say, events, seen=(*line, str(move), *replies))


def events_in_words(step: LessonStep, state: State, moves: Sequence[Move]) -> tuple[str, ...]:
    """What the others and the table do as these moves are played: "Pip claims QD.", "Pip lays 3H."."""
    state, names, events = state.copy(), seat_names(state.seats, step.seat), list[Event]()
    log = state.view(step.seat).log
    for move in moves:
        seat = _to_act(state, step.seat)
        assert seat is not None, "moves that were played before"
        state.play(seat, move)
        earlier, log = log, state.view(step.seat).log
        events += log[_number_known(earlier, log) :]
    return tuple(event_sentence(event, names, step.seat) for event in events if event.seat != step.seat)


def _number_known(earlier: Sequence[Event], log: Sequence[Event]) -> int:
    """How many events at the start of a log are not new since an earlier one.

    Some games drop the oldest, or hide a card of theirs; some show at the end of a hand what they had dropped.
    """
    for end in range(len(earlier), len(log) + 1) if earlier else ():
        if list(log[end - len(earlier) : end]) == list(earlier):
            return end
    before, after = ([(event.seat, event.phrase.verb) for event in events] for events in (earlier, log))
    sizes = range(min(len(before), len(after)), 0, -1)
    return next((size for size in sizes if before[len(before) - size :] == after[:size]), 0)


def objection(game: AnyGame, step: LessonStep, turn: LessonTurn, before: State, move: Move, after: State) -> str:
    """What there is to say against a legal move, as HTML: what it brings the others, what the bots know, the hint.

    after: the position after the move and the next player's answer.
    """
    view, names = before.view(step.seat), seat_names(before.seats, step.seat)
    facts = render_text(bots.reason(game.slug, view, move).text, names, step.seat)
    brings = [f"Then {names[seat]} scores {points}." for seat, points in _gains(game, step, before, after)]
    reasons = html_from_plain(" ".join([facts, *brings]))
    return f"{reasons} <strong>Hint:</strong> {fill_values(turn.hints[0], view, is_html=True)}"


def _gains(game: AnyGame, step: LessonStep, before: State, after: State) -> list[tuple[int, int]]:
    """The points that each opponent has gained, in games where points are good: (seat, points)."""
    if game.fewer_is_better(before.options) or not game.counts_points(before.options):
        return []
    own = next(side for side in game.sides(before.options, before.seats) if step.seat in side)
    then, now = before.view(step.seat).scores, after.view(step.seat).scores
    gained = [(seat, now[seat] - then[seat]) for seat in range(before.seats) if seat not in own]
    return [(seat, points) for seat, points in gained if points > 0]


def next_player_moves(game: AnyGame, step: LessonStep, state: State, line: MoveLine) -> MoveLine:
    """Plays one move of the seat to act: none for the learner, without a player, or of a kind that is taught later."""
    seat = _to_act(state, step.seat)
    if seat in (None, step.seat):
        return ()
    try:
        bot = bots.bot(game.slug, NEXT_PLAYER)
    except KeyError:
        return ()
    move = bot.choose(state.view(seat), _rng(step, line))
    if not is_taught(step, move):
        return ()
    state.play(seat, move)
    return (str(move),)


def play_all(game: AnyGame, step: LessonStep, state: State, replies: Sequence[str]) -> None:
    """The written moves of the others, one after the other. :raises GameError:"""
    for text in replies:
        seat = _to_act(state, step.seat)
        if seat is None or seat == step.seat:
            raise GameError(f"after the learner's move nobody else is to act, so {text} cannot follow.")
        state.play(seat, game.parse(text))


def play_replies(game: AnyGame, step: LessonStep, turn: LessonTurn | None, state: State, line: MoveLine) -> MoveLine:
    """Plays the answers to a right move, and describes them."""
    level = turn.bot if turn else step.practice.bot if step.practice else ""
    if level:
        return _bots_move(game, step, state, level, line)
    if turn:
        play_all(game, step, state, turn.replies)
        return turn.replies
    return ()


def _bots_move(game: AnyGame, step: LessonStep, state: State, level: str, line: MoveLine) -> MoveLine:
    """Bots move until the learner is to act, or a practice game is over; describes their moves."""
    made: MoveLine = ()
    bot = bots.bot(game.slug, level)
    while not _is_over(step, state) and (seat := _to_act(state, step.seat)) not in (None, step.seat):
        move = bot.choose(state.view(seat), _rng(step, (*line, *made)))
        state.play(seat, move)
        made = (*made, str(move))
    return made


def _is_over(step: LessonStep, state: State) -> bool:
    """Whether a practice game is over; other steps end with their turns."""
    if not step.practice:
        return False
    return state.outcome() is not None or (step.practice.until == "hand" and len(state.results) > 0)


def _to_act(state: State, learner: int) -> int | None:
    """The learner if they may move, else another seat; None when the game is over."""
    if learner in state.to_act:
        return learner
    return state.to_act[0] if state.to_act else None


def _rng(step: LessonStep, line: MoveLine) -> Random:
    """The same random choices after the same moves, so that a step can be repeated."""
    return Random(f"{step.id} {' '.join(line)}")
