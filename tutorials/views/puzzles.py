"""Pages of puzzles: the puzzle of the day, the stream of a game, and one puzzle."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from accounts.services import ensure_person
from accounts.throttle import limit_posts
from games import engines
from games.bots import LEVELS
from games.core.contract import GameError, View
from games.core.words import render_text
from games.forms.board_input import LONGEST, entered_in, judged, written_move
from games.presentation.board import Refusal, build_board
from games.presentation.coach_page import board_with_move
from games.presentation.game_list import LISTED_GAMES
from infra.requests import HtmxRequest
from infra.time_zones import local_day
from tutorials import puzzles
from tutorials.content.runner import seat_names
from tutorials.models import Puzzle, PuzzleAttempt

MOVES_SHOWN = 6


@require_GET
def puzzle_list(request: HttpRequest) -> HttpResponse:
    """The puzzle of the day, the streak, and the streams of all games."""
    daily = puzzles.daily_puzzle(request.user, local_day(request, timezone.now()))
    with_puzzles = set(Puzzle.objects.open().values_list("game", flat=True).distinct())
    left = dict(puzzles.untried_puzzles(request.user).values_list("game").annotate(Count("pk")))
    favourite = puzzles.favourite_game(request.user)
    games = sorted(
        (entry.game for entry in LISTED_GAMES if entry.game.slug in with_puzzles),
        key=lambda game: game.slug != favourite,
    )
    context: dict[str, Any] = {
        "daily": daily,
        "streams": [(game, left.get(game.slug, 0)) for game in games],
        "section": "learn",
    }
    if daily is not None:
        context |= puzzle_context(request, daily.puzzle) | {"is_daily": True}
    return render(request, "tutorials/puzzles.html", context)


@require_GET
def puzzle_stream(request: HtmxRequest, game: str) -> HttpResponse:
    """The next puzzle of a game for this visitor."""
    try:
        rules = engines.get(game)
    except KeyError:
        raise Http404(f"There is no game {game!r}.") from None
    puzzle = puzzles.next_puzzle(request.user, game)
    if puzzle is None:
        has_any = Puzzle.objects.open().filter(game=game).exists()
        return render(request, "tutorials/no_puzzle.html", {"game": rules, "has_any": has_any, "section": "learn"})
    return render(request, "tutorials/puzzle.html", puzzle_context(request, puzzle))


@require_http_methods(["GET", "POST"])
@limit_posts("puzzles")
def puzzle_page(request: HtmxRequest, pk: int) -> HttpResponse:
    """A puzzle; a POST answers it. The first answer counts, and then the solution is shown."""
    puzzle = get_object_or_404(Puzzle.objects.open(), pk=pk)
    refusal = try_move(request, puzzle) if request.method == "POST" else None
    context = puzzle_context(request, puzzle) | {"refusal": refusal, "entered": entered_in(request)}
    return render(request, "tutorials/_puzzle.html" if request.htmx else "tutorials/puzzle.html", context)


@require_GET
def check_arrangement(request: HtmxRequest, pk: int) -> JsonResponse:
    """Judges a table that is being rearranged, meld by meld. Nothing is played."""
    puzzle = get_object_or_404(Puzzle.objects.open(), pk=pk)
    if not puzzle.rules.workbench:
        raise Http404("There is nothing to arrange here.")
    text = request.GET.get("text", "")[:LONGEST]
    return JsonResponse(judged(puzzle.rules, puzzle.state, puzzle.seat, text))


def try_move(request: HtmxRequest, puzzle: Puzzle) -> Refusal | None:
    """Takes a legal move as the answer; an illegal one is refused, and the visitor may try again."""
    state, now = puzzle.state, timezone.now()
    try:
        text = written_move(puzzle.rules, lambda: state.view(puzzle.seat), request.POST)
        puzzles.require_legal(puzzle, text)
    except GameError as error:
        return Refusal.of(error)
    puzzles.answer_puzzle(user=ensure_person(request), puzzle=puzzle, text=text, day=local_day(request, now), now=now)
    return None


def puzzle_context(request: HttpRequest, puzzle: Puzzle) -> dict[str, Any]:
    """What a page shows of a puzzle: before the answer only what its seat sees, then the solution, too."""
    attempt = puzzles.attempt_of(request.user, puzzle)
    view: View = puzzle.state.view(puzzle.seat)
    names = seat_names(view.seats, puzzle.seat)
    sides = puzzle.rules.sides(view.options, view.seats)
    today = local_day(request, timezone.now())
    context = {
        "puzzle": puzzle,
        "game": puzzle.rules,
        "rating": puzzles.rating_of(request.user, puzzle.game),
        "attempt": attempt,
        "is_arranging": puzzle.rules.workbench,
        "is_daily": puzzle.day == today,
        "streak": puzzles.streak_of(request.user, today),
        "share_url": request.build_absolute_uri(puzzle.get_absolute_url()),
        "section": "learn",
    }
    if attempt is None:
        return context | {"board": build_board(view, names=names, sides=sides)}
    return context | {
        "board": board_with_move(view, puzzle.rules.parse(puzzle.best[0]), names, seq=0, sides=sides),
        "answer": answer_of(puzzle, view, attempt),
        "reason": Refusal(render_text(puzzle.reason, names, puzzle.seat), puzzle.rule),
    }


@dataclass(frozen=True, slots=True)
class TriedMove:
    """A move in words. behind: what it brings less than the best one, None where that was not measured.

    who: chose it: "you, Club bot", "" for nobody.
    """

    text: str
    behind: float | None
    is_best: bool
    who: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The solution of a puzzle beside the visitor's move.

    tempting: what weaker bots mostly choose, None if the visitor has chosen it, too. moves: best first, these among
    them.
    """

    best: TriedMove
    own: TriedMove
    tempting: TriedMove | None
    moves: tuple[TriedMove, ...]


def answer_of(puzzle: Puzzle, view: View, attempt: PuzzleAttempt) -> Answer:
    names = seat_names(view.seats, puzzle.seat)
    behind: dict[str, float | None] = dict.fromkeys(puzzle.best, 0.0)
    behind |= {value["move"]: value["behind"] for value in puzzle.values}
    behind.setdefault(attempt.move, 0.0 if attempt.is_right else None)
    favourites = {level: max(chosen, key=chosen.__getitem__) for level, chosen in puzzle.chosen.items()}

    def tried(text: str) -> TriedMove:
        phrase = view.choice(puzzle.rules.parse(text)).phrase.text
        is_own = text == attempt.move
        who = ["you"] * is_own + [f"{LEVELS[level]} bot" for level in LEVELS if favourites.get(level) == text]
        is_best = text in puzzle.best or (is_own and attempt.is_right)
        return TriedMove(render_text(phrase, names, puzzle.seat), behind[text], is_best, ", ".join(who))

    wanted = [*list(behind)[:MOVES_SHOWN], *favourites.values(), attempt.move]
    moves = tuple(tried(text) for text in behind if text in wanted)
    weak = (favourites[level] for level in ("club", "first-steps"))
    tempting = next((text for text in weak if text not in puzzle.best and text != attempt.move), None)
    return Answer(moves[0], tried(attempt.move), tried(tempting) if tempting else None, moves)
