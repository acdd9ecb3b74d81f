"""Pages of lesson steps. The engines know the rules; `runner` knows what is right."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import engines, services
from games.core.contract import GameError, State, UnclearSelection
from games.forms.board_input import LONGEST, MOST_PICKS, entered_in, judged, written_move
from games.forms.tables import reads_shuffles
from games.presentation.board import Board, Refusal
from games.views.lobby import play_now_form, remember_game
from infra.requests import HtmxRequest
from tutorials import practice, progress
from tutorials.content import library, runner, stage
from tutorials.content.lessons import Chapter, Course, LessonStep
from tutorials.content.runner import AnyGame, Attempt, MoveLine
from tutorials.models import LessonProgress
from tutorials.navigation import (
    progress_cards,
    step_link_after,
    step_url,
)
from tutorials.views.addresses import chapter_or_404, course_or_404, marked_answers

FEW_READINGS = 2  # buttons that fit into the usual space


@dataclass(frozen=True, slots=True)
class OpenLesson:
    """A step of a course, with the visitor's progress. url: of the page that it is played on."""

    game: AnyGame
    course: Course
    chapter: Chapter
    step: LessonStep
    row: LessonProgress | None
    line: MoveLine
    url: str


def lesson_or_404(request: HttpRequest, slug: str, chapter: str, step: str, *, url: str = "") -> OpenLesson:
    """A step on its own page, or on the page at `url`."""
    found = course_or_404(slug)
    part = chapter_or_404(found, chapter)
    item = next((item for item in part.steps if item.id == step), None)
    if item is None:
        raise Http404(f"The chapter {chapter!r} has no step {step!r}.")
    game = engines.get(slug)
    row = progress.progress_of(request.user, game=slug).get(step)
    line = stored_line(game, item, row)
    return OpenLesson(game, found, part, item, row, line, url or step_url(slug, part, item))


def stored_line(game: AnyGame, step: LessonStep, row: LessonProgress | None) -> MoveLine:
    """The stored moves. Those that a changed lesson no longer allows, or with which it cannot go on, are dropped."""
    kept = tuple(row.line) if row else ()
    if step.question or step.is_at_table:
        return ()
    if not kept:
        return runner.first_line(game, step)
    try:
        state, own = runner.replay_line(game, step, kept)
    except GameError:
        return runner.first_line(game, step)
    goes_on = step.seat in state.to_act and (step.practice or runner.turn_of(step, own))
    return kept if goes_on or runner.is_done(step, state, own) else runner.first_line(game, step)


@require_http_methods(["GET", "POST"])
@limit_posts("lessons")
def lesson_step(request: HtmxRequest, game: str, chapter: str, step: str) -> HttpResponse:
    lesson = lesson_or_404(request, game, chapter, step)
    if request.method == "POST" and lesson.step.is_at_table:
        return redirect(lesson.url)
    if request.method == "POST" and lesson.step.question and marked_answers(request, lesson.step.question) is None:
        return redirect(lesson.url)
    context = lesson_context(request, lesson)
    answer = render(request, "tutorials/_step.html" if request.htmx else "tutorials/step.html", context)
    return remember_game(answer, game) if request.method == "POST" else answer


def lesson_context(request: HtmxRequest, lesson: OpenLesson) -> dict[str, Any]:
    """What a page shows of a step, after what the learner has sent, if anything."""
    if request.method == "GET":
        return step_context(request, lesson)
    if lesson.step.question:
        return answer_question(request, lesson)
    if "again" in request.POST or "back" in request.POST:
        return go_back_in_step(request, lesson)
    return play_lesson_move(request, lesson)


def answer_question(request: HtmxRequest, lesson: OpenLesson) -> dict[str, Any]:
    assert lesson.step.question is not None
    marked = marked_answers(request, lesson.step.question)
    person = ensure_person(request)
    if marked == lesson.step.question.right:
        progress.finish_step(user=person, game=lesson.game.slug, step=lesson.step, now=timezone.now())
    else:
        progress.lose_star(user=person, game=lesson.game.slug, step=lesson.step)
    return step_context(request, fresh_lesson(request, lesson), marked=marked)


def go_back_in_step(request: HtmxRequest, lesson: OpenLesson) -> dict[str, Any]:
    """Restarts the step, or undoes the learner's last move."""
    line: MoveLine = ()
    if "back" in request.POST:
        line = runner.without_last(lesson.game, lesson.step, lesson.line)
    progress.store_line(user=ensure_person(request), game=lesson.game.slug, step=lesson.step, line=line)
    return step_context(request, fresh_lesson(request, lesson))


def play_lesson_move(request: HtmxRequest, lesson: OpenLesson) -> dict[str, Any]:
    """Tries a move. One that was sent twice, or for another position, only shows the current position."""
    state, own = runner.replay_line(lesson.game, lesson.step, lesson.line)
    is_stale = request.POST.get("version") != str(len(lesson.line))
    if is_stale or runner.is_done(lesson.step, state, own):
        return step_context(request, lesson)
    person = ensure_person(request)
    slug = lesson.game.slug
    tried = read_attempt(request, lesson, state)
    if tried.is_mistake:
        progress.lose_star(user=person, game=slug, step=lesson.step)
    if tried.verdict != "right":
        return step_context(request, fresh_lesson(request, lesson), tried=tried) | {"entered": entered_in(request)}
    progress.store_line(user=person, game=slug, step=lesson.step, line=tried.line)
    if runner.is_done(lesson.step, *runner.replay_line(lesson.game, lesson.step, tried.line)):
        progress.finish_step(user=person, game=slug, step=lesson.step, now=timezone.now())
    return step_context(request, fresh_lesson(request, lesson), tried=tried)


def read_attempt(request: HtmxRequest, lesson: OpenLesson, state: State) -> Attempt:
    """What became of the move or of the selection that a form of the board has sent."""
    if "is_pick" in request.POST:
        return stage.try_selection(lesson.game, lesson.step, lesson.line, request.POST.getlist("pick")[:MOST_PICKS])
    try:
        text = written_move(lesson.game, lambda: state.view(lesson.step.seat), request.POST)
    except UnclearSelection:
        return stage.try_selection(lesson.game, lesson.step, lesson.line, request.POST.getlist("text")[:MOST_PICKS])
    except GameError as error:
        return runner.refused(lesson.game, lesson.step, lesson.line, state, Refusal.of(error))
    return runner.try_move(lesson.game, lesson.step, lesson.line, text)


@require_POST
@limit_posts("tables")
def play_practice(request: HttpRequest, game: str, chapter: str, step: str) -> HttpResponse:
    """Deals the practice game of a course, or leads back to it."""
    lesson = lesson_or_404(request, game, chapter, step)
    if not lesson.step.is_at_table:
        raise Http404("This step has no game at a table.")
    try:
        table = practice.open_practice_table(
            user=ensure_person(request),
            game=game,
            step=lesson.step,
            path=lesson.url,
            shuffles=reads_shuffles(request.POST),
        )
    except services.TableError as error:
        messages.error(request, str(error))
        return redirect(lesson.url)
    return remember_game(redirect(table), game)


@require_GET
def check_arrangement(request: HtmxRequest, game: str, chapter: str, step: str) -> JsonResponse:
    """Judges a table that is being rearranged, meld by meld. Nothing is played."""
    lesson = lesson_or_404(request, game, chapter, step)
    if lesson.step.question or lesson.step.is_at_table or not lesson.game.workbench:
        raise Http404("There is nothing to arrange here.")
    state, own = runner.replay_line(lesson.game, lesson.step, lesson.line)
    turn = runner.turn_of(lesson.step, own)
    words = partial(runner.written_refusal, lesson.game, lesson.step, turn, state)
    text = request.GET.get("text", "")[:LONGEST]
    return JsonResponse(judged(lesson.game, state, lesson.step.seat, text, words=words))


def fresh_lesson(request: HtmxRequest, lesson: OpenLesson) -> OpenLesson:
    """The same step with its current progress."""
    return lesson_or_404(request, lesson.game.slug, lesson.chapter.id, lesson.step.id, url=lesson.url)


def step_context(
    request: HtmxRequest, lesson: OpenLesson, *, tried: Attempt | None = None, marked: frozenset[int] | None = None
) -> dict[str, Any]:
    """What a page shows of a step, after a tried move or answers if there were any."""
    known = progress.progress_of(request.user, game=lesson.game.slug)
    following = step_link_after(lesson.course, lesson.step)
    context = {
        "lesson": lesson,
        "game": lesson.game,
        "course": lesson.course,
        "chapter": lesson.chapter,
        "step": lesson.step,
        "say": runner.opening_text(lesson.game, lesson.step, lesson.step.say),
        "cards": progress_cards(lesson.game.slug, lesson.course, lesson.chapter, known, now=lesson.step),
        "rules": [rule for rule in library.load_rule_book(lesson.game.slug).rules if rule.id in lesson.step.rules],
        "next": following,
        "is_answer": request.method == "POST",
        "play_form": None if following else play_now_form(request, after_course=True),
        "section": "learn",
    }
    if lesson.step.question:
        return context | question_context(lesson, marked)
    return context | (practice_context(request, lesson) if lesson.step.is_at_table else board_context(lesson, tried))


def most_readings(board: Board) -> int:
    """How many moves the same selection may mean, at most: buttons that appear above the hand."""
    return max(Counter(frozenset(offer.needs) for offer in board.card_offers).values(), default=0)


def practice_context(request: HtmxRequest, lesson: OpenLesson) -> dict[str, Any]:
    """What a page shows of a practice game, which is played at a table. is_running: whether the user has begun one."""
    table = practice.practice_table(request.user, lesson.url)
    return {
        "is_running": table is not None and not table.is_over,
        "is_done": lesson.row is not None and lesson.row.done_at is not None,
        "done": lesson.step.done,
    }


def question_context(lesson: OpenLesson, marked: frozenset[int] | None) -> dict[str, Any]:
    step = lesson.step
    assert step.question is not None
    is_known = lesson.row is not None and lesson.row.done_at is not None and marked is None
    given = step.question.right if is_known else marked
    context: dict[str, Any] = {
        "question": replace(step.question, ask=runner.opening_text(lesson.game, step, step.question.ask)),
        "marked": given,
        "is_done": given == step.question.right,
        "done": runner.opening_text(lesson.game, step, step.done),
    }
    if step.position is not None:
        context["board"] = stage.still_lesson_board(
            lesson.game, step, runner.opening_position(lesson.game, step), seq=0
        )
    return context


def board_context(lesson: OpenLesson, tried: Attempt | None) -> dict[str, Any]:
    """The board after the last attempt, or as it is."""
    game, step, line = lesson.game, lesson.step, lesson.line
    state, own = runner.replay_line(game, step, line)
    turn, is_over = runner.turn_of(step, own), runner.is_done(step, state, own)
    hands = len(runner.opening_position(game, step).results)
    context: dict[str, Any] = {
        "turn": turn,
        "is_done": is_over,
        "seq": len(line),
        "refusal": tried and tried.refusal,
    }
    if tried and tried.verdict == "unwanted":
        board = stage.still_lesson_board(game, step, tried.shown, seq=len(line) + 1, hands=hands, line=tried.seen)
        return context | {"board": board, "unwanted": tried.say, "events": " ".join(tried.events) or board.last}
    if is_over:
        board = stage.still_lesson_board(game, step, state, seq=len(line), hands=hands, line=line, is_finished=True)
        is_counted = len(board.hands) > hands and game.counts_points(state.options)
        sheet = board.hands[-1] if is_counted else None
        names = runner.seat_names(state.seats, step.seat)
        done = runner.closing_text(step, step.done, state, hands)
        return context | {
            "board": board,
            "sheet": sheet,
            "names": names,
            "sides": game.sides(state.options, state.seats),
            "done": done,
        }
    before = runner.turn_of(step, own - 1) if own else None
    board = stage.lesson_board(game, step, state, turn, said=before.then if before else "", seq=len(line))
    if tried and tried.readings:
        context["readings"] = stage.readings(game, step, state, board, tried.readings)
    context |= {"board": board, "can_go_back": own > 0, "is_arranging": game.workbench}
    context["has_many_readings"] = most_readings(board) > FEW_READINGS
    context["hints"] = runner.hint_texts(game, step, turn, state) if turn else []
    if step.practice:
        context["advice"] = runner.advice_in_words(game, step, state, line)
    return context
