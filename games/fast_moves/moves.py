"""Fast path of a move, once it is known who sent it: judged like every other move, stored by one statement."""

from collections.abc import Sequence

from django.core.exceptions import SynchronousOnlyOperation
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.preferences import preference
from games.core.contract import GameError
from games.fast_moves import following
from games.fast_moves.logins import KnownLogin
from games.fast_moves.store import FastMove
from games.forms.board_input import written_move
from games.models import Move, Table
from games.presentation import table_page
from games.record import table_store
from games.record.copies import copy_with_seats
from games.record.table_store import Snapshot
from games.services.common import Effects, apply_move, set_pace
from games.services.moves import judge
from games.views.table import own_token
from infra import tracing
from infra.after_commit import DeferredCallbacks
from infra.numbers import read_number
from infra.threads import inline_or_in_thread


async def answer_move(request: HttpRequest, code: str, login: KnownLogin) -> HttpResponse | None:
    """The board after a move that only passes the turn; None for others, which are not played here (`play_fast`)."""
    sent = request.POST
    version, held = (read_number(sent.get(name, ""), None) for name in ("version", "held"))
    if version is None or (held is None and sent.get("held")):
        return None
    try:
        snapshot = await inline_or_in_thread(table_store.snapshot_since, code, version)
        table = snapshot.table
        seat = table.seat_of(login.user_id)
        if seat is None:
            return None
        position = await inline_or_in_thread(lambda: snapshot.position)
        text = written_move(table.rules, lambda: position.view(seat.number), sent)
    except (Table.DoesNotExist, GameError):
        return None
    seconds = None if held is None else held / 1000
    pace = preference(request, "pace")
    with tracing.span("fast move"):
        after = await play_fast(snapshot, login, seat=seat.number, text=text, version=version, held=seconds, pace=pace)
    if after is None:
        return None
    following.follow(after.channel)
    context = table_page.context(after, after.seat_of(login.user_id))
    return HttpResponse(table_page.draw(context, token=own_token(request)), charset="utf-8")


async def play_fast(
    snapshot: Snapshot,
    login: KnownLogin,
    *,
    seat: int,
    text: str,
    version: int,
    held: float | None,
    pace: str | None = None,
) -> Table | None:
    """Plays a move that only passes the turn, with one statement. The table after it.

    None, and nothing has happened, where `play_move` must look closer: the move is refused, more follows from it, the
    position is not in memory, or anything has changed that this process does not know of. It runs in the event loop,
    which waits only for that statement.
    """
    after, callbacks = copy_with_seats(snapshot.table), DeferredCallbacks()
    now = timezone.now()
    try:
        verdict = judge(snapshot, seat=seat, user_id=login.user_id, text=text, version=version, held=held, now=now)
        if isinstance(verdict, GameError) or verdict.effects != Effects():
            return None
        set_pace(after, pace)
        with callbacks.capture():
            apply_move(after, verdict, write=_stored_later)
    except SynchronousOnlyOperation:
        return None
    if not await FastMove(after, snapshot.table.version, verdict.row, login).store():
        return None
    table_store.cache_snapshot(Snapshot(after, snapshot.trusted_until))
    await callbacks.run()
    return after


def _stored_later(table: Table, row: Move | None, columns: Sequence[str]) -> None:
    """`FastMove.store` does it."""
