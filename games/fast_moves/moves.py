"""A move on the fast path, once it is known who makes it: judged like every other, stored by one statement."""

from django.core.exceptions import SynchronousOnlyOperation
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.core.contract import GameError
from games.forms.board_input import written_move
from games.models import Seat, Table
from games.presentation import table_page
from games.record import table_store, table_writes
from games.record.table_store import Snapshot
from games.services.common import Effects, apply_move
from games.services.moves import judge
from games.views.table import own_token
from infra.after_commit import Follow
from infra.numbers import read_number
from infra.prepared import Condition, Prepared
from infra.threads import at_hand

_seats = Prepared(
    lambda table, number, user: Seat.objects.filter(table=table, number=number, user=user, has_left=False),
    like=[-1, 99, -2],
)


async def move_at_once(request: HttpRequest, code: str, *, user_id: int, still: Condition) -> HttpResponse | None:
    """The board after a move that is nothing special; None for others, with which nothing is done (`play_at_once`)."""
    sent = request.POST
    version, held = (read_number(sent.get(name, ""), None) for name in ("version", "held"))
    if version is None or (held is None and sent.get("held")):
        return None
    try:
        table = await at_hand(table_store.table_since, code, version)
        place = table.place_of(user_id)
        if place is None or table.rules.views_take_long:
            return None
        snapshot = Snapshot(table)
        text = written_move(table.rules, lambda: snapshot.position.view(place.number), sent)
    except (Table.DoesNotExist, GameError, SynchronousOnlyOperation):
        return None
    after = await play_at_once(
        snapshot,
        seat=place.number,
        user_id=user_id,
        text=text,
        version=version,
        held=None if held is None else held / 1000,
        still=still,
    )
    if after is None:
        return None
    context = table_page.context(after, after.place_of(user_id))
    return HttpResponse(table_page.draw(context, token=own_token(request)), charset="utf-8")


async def play_at_once(
    snapshot: Snapshot, *, seat: int, user_id: int, text: str, version: int, held: float | None, still: Condition
) -> Table | None:
    """Plays a move that only passes the turn, with one statement, and gives the table as it is then.

    snapshot: as this process knows the table. still: what else must be so in the database, such as that the person is
    logged in. None, and nothing has happened, where `play_move` must look closer: if the move is refused, or more
    follows from it, if anything has changed that this process does not know of, and if it does not remember the
    position. Runs in the event loop, which never waits here but for that statement.
    """
    table, after, follow = snapshot.table, snapshot.table.twin(), Follow()
    try:
        verdict = judge(snapshot, seat=seat, user_id=user_id, text=text, version=version, held=held, now=timezone.now())
        if isinstance(verdict, GameError) or verdict.effects != Effects():
            return None
        with follow.collected():
            apply_move(after, verdict, write=_later)
    except SynchronousOnlyOperation:
        return None
    is_seated = Condition.found(_seats.statement(table.pk, seat, user_id))
    is_unchanged = Condition("version = %s", [table.version])
    if not await table_writes.write_move_if(after, is_unchanged, is_seated, still):
        return None
    await follow.carry_out()
    return after


def _later(table: Table) -> None:
    """Leaves it to `write_move_if` to store the table."""
