"""Replay of a game: any position of it, from any side, with notes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from games import services
from games.bots import LEVELS
from games.core.contract import State
from games.domain.wording import event_sentence
from games.models import LONGEST_NOTE, MoveNote, Table
from games.presentation import board as boards
from games.presentation import coach_page
from games.presentation.panels import open_zones
from games.presentation.table_page import notes
from games.presentation.table_wording import headline
from games.queries.coach_reviews import readable_reviews
from games.queries.notes import others_notes, own_note, readable_notes
from games.queries.public_games import is_public_game
from games.record import playback
from games.record.playback import Playback
from games.views.access import assigned_seat, while_hidden
from games.views.lobby import remembered_level
from games.views.table import REFUSED
from infra.numbers import read_number
from infra.requests import HtmxRequest

SPEEDS = ((3000, "slow"), (1500, "normal"), (600, "fast"))  # milliseconds from one move to the next


@dataclass(frozen=True, slots=True)
class Look:
    """What a visitor looks at: the position after `at` moves, seen from `seat`.

    is_own: only what that seat saw then, instead of all hands. home: the seat that is shown by default.
    """

    at: int
    seat: int
    is_own: bool
    home: int = 0

    @property
    def side(self) -> str:
        """The query without the move: "", or for example "&seat=1&hands=own"."""
        query = QueryDict(mutable=True)
        if self.seat != self.home:
            query["seat"] = str(self.seat)
        if self.is_own:
            query["hands"] = "own"
        return f"&{query.urlencode()}" if query else ""

    @property
    def query(self) -> str:
        return f"?at={self.at}{self.side}"

    @property
    def shared_query(self) -> str:
        """The query for a link to share: others have another default seat."""
        return replace(self, home=-1).query


def read_look(request: HttpRequest, table: Table, last: int) -> Look:
    own = assigned_seat(request, table)
    home = own.number if own else 0
    return Look(
        at=min(read_number(request.GET.get("at", ""), 0), last),
        seat=read_number(request.GET.get("seat", ""), home, most=table.seat_count - 1),
        is_own=request.GET.get("hands") == "own",
        home=home,
    )


@require_GET
@while_hidden(players_may=False)
def replay_move(request: HtmxRequest, table: Table) -> HttpResponse:
    """The position after `?at=` moves, as `?seat=` sits; all hands open, or with `?hands=own` as that seat saw it.

    A running game shows its finished deals, if all its players agreed to that. A step loads only what changes.
    """
    if table.started_at is None or not (table.is_over or table.opens_deals):
        raise Http404("This game is not over.")
    game = playback.playback_of(table)
    last = table.move_count if table.is_over else game.last_open
    if last is None:
        word = table.rules.deal_word
        messages.info(request, f"The first {word} isn't over. You'll see all its cards here when it is.")
        return redirect(table)
    look = read_look(request, table, last)
    if request.htmx:
        return render(request, "games/_replay_step.html", position_context(request, table, game, look, last))
    return render(request, "games/replay.html", page_context(request, table, game, look, last))


def page_context(request: HttpRequest, table: Table, game: Playback, look: Look, last: int) -> dict[str, Any]:
    """What the whole page shows."""
    moves = moves_and_deals(table, game, last, request.user)
    return position_context(request, table, game, look, last) | moves


def position_context(request: HttpRequest, table: Table, game: Playback, look: Look, last: int) -> dict[str, Any]:
    """What changes from one move to the next."""
    state = game.state_at(look.at)
    reviews = readable_reviews(table, request.user) if table.is_over else []
    verdict = coach_page.verdict_at(table, reviews, look.at)
    address = request.build_absolute_uri(reverse("games:replay", args=[table.code]))
    board = replay_board(table, state, look, verdict.touches if verdict else ())
    return {
        "table": table,
        "game": table.rules,
        "assigned_seat": assigned_seat(request, table),
        "can_be_reviewed": bool(services.seats_to_review(table, request.user.pk)),
        "look": look,
        "last": last,
        "prev": max(look.at - 1, 0),
        "next": min(look.at + 1, last),
        "board": board,
        # A log that is new, or in which a player said nothing, tells no last move.
        "moved": look.at and (board.last or event_sentence(game.events[look.at - 1], table.names)),
        "result": headline(table) if table.is_over and look.at == last else "",
        "verdict": verdict,
        "names": tuple(table.names),
        "share_url": address + look.shared_query,
        "sides": [(replace(look, seat=seat).query, name, seat == look.seat) for seat, name in enumerate(table.names)],
        "open_query": replace(look, is_own=False).query,
        "own_query": replace(look, is_own=True).query,
        "own_note": own_note(table, request.user, look.at),
        "others_notes": others_notes(table, request.user, look.at),
        "longest_note": LONGEST_NOTE,
        "can_branch": bool(state.to_act) and table.status == Table.Status.FINISHED,
        "levels": LEVELS.items(),
        "level": remembered_level(request),
        "section": "play",
    }


def replay_board(table: Table, state: State, look: Look, best: Sequence[str] = ()) -> boards.Board:
    """The position from the table's side, with the cards of one hand or of all. best: what the best move touches."""
    seats = [look.seat] if look.is_own else range(table.seat_count)
    public = state.view(None)
    return boards.build_board(
        public,
        names=table.names,
        notes=notes(table),
        seq=look.at,
        bottom=look.seat,
        zones=open_zones([public, *(state.view(seat) for seat in seats)]),
        best=best,
        sides=table.sides,
    )


def moves_and_deals(table: Table, game: Playback, last: int, reader: Any) -> dict[str, Any]:
    """The moves and deals beside the board."""
    lines = zip(game.events[:last], thinking_times(table.started_at, game.times), strict=False)
    costs = coach_page.costs_of(table, readable_reviews(table, reader) if table.is_over else [])
    asked = coach_page.asked_moves(table, game)
    return {
        "moves": [
            (event_sentence(event, table.names), seconds, costs.get(number, ""), number in asked)
            for number, (event, seconds) in enumerate(lines, 1)
        ],
        "deals": [deal for deal in game.deals if deal.start <= last],
        "noted": set(readable_notes(table, reader).values_list("number", flat=True)),
        "speeds": SPEEDS,
        "is_public": is_public_game(table),
    }


def thinking_times(start: datetime | None, times: Sequence[datetime]) -> list[str]:
    """How long each move took, in words; "" for less than a second."""
    before = [start or times[0], *times] if times else []
    return [_duration(int((after - first).total_seconds())) for first, after in zip(before, times, strict=False)]


def _duration(seconds: int) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return ""


@require_POST
@login_required
@limit_posts("notes")
@while_hidden(players_may=False)
def write_note(request: OwnRequest, table: Table) -> HttpResponse:
    number = read_number(request.POST.get("at", ""), -1)
    # A form counts a line break as one character in `maxlength`, and sends two.
    text = request.POST.get("text", "").replace("\r\n", "\n").strip()
    is_public = "is_public" in request.POST
    try:
        services.write_note(table=table, author=request.user, number=number, text=text, is_public=is_public)
    except services.TableError as error:
        messages.error(request, str(error))
        if 0 <= number <= table.move_count and table.is_over and table.started_at:
            return refused_note(request, table, MoveNote(number=number, text=text, is_public=is_public))
    return redirect(f"{reverse('games:replay', args=[table.code])}?at={max(number, 0)}")


def refused_note(request: HttpRequest, table: Table, draft: MoveNote) -> HttpResponse:
    """The position with a note that was not saved, so that its text is not lost."""
    look = replace(read_look(request, table, table.move_count), at=draft.number)
    context = page_context(request, table, playback.playback_of(table), look, table.move_count)
    return render(request, "games/replay.html", context | {"own_note": draft}, status=REFUSED)
