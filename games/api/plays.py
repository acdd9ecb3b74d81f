"""Operations at a running table: looking, moving, asking; and the record of a finished game."""

from typing import Annotated, Any

from django.http import Http404
from ninja import Query

from accounts.api_access import NEEDS, ApiRequest, limit_operation
from games import services
from games.api import schemas
from games.api.access import visible_table
from games.api.routing import router
from games.api.seating import own_table
from games.core.plain_view import plain_view
from games.models import Seat, Table
from games.presentation.plain_table import plain_result
from games.record import playback
from games.views.results import deal_record, require_finished
from infra.http_api.problems import Problem


def own_seat(request: ApiRequest, table: Table) -> Seat:
    """The player's seat, also while a bot plays there. :raises Problem:"""
    seat = table.seat_of(request.user.pk)
    if seat is None:
        raise Problem(403, "no-seat", "You don't have a seat at this table.")
    return seat


@router.get(
    "/tables/{code}", response=schemas.TableDetails, auth=NEEDS["read"], tags=["Tables"], summary="Look at a table"
)
def read_table(request: ApiRequest, code: str) -> dict[str, Any]:
    """A table, with the view of your seat, or a spectator's.

    While you ask at least every two minutes you count as present; a stream counts as well.
    """
    return own_table(request, visible_table(request, code))


@router.post(
    "/tables/{code}/moves", response=schemas.TableDetails, auth=NEEDS["play"], tags=["Tables"], summary="Make a move"
)
def play_move(request: ApiRequest, code: str, sent: schemas.NewMove) -> dict[str, Any]:
    """Plays a move in your seat: the `move` of a legal move of your view, or other text in the game's notation.

    `version` is that of the table you chose it for. If another player has changed the position since then, the answer
    is the problem `stale`, and nothing was played. A move that breaks a rule is `refused`; the problem names the rule.
    """
    table = visible_table(request, code)
    seat = own_seat(request, table)
    return own_table(
        request,
        services.play_move(
            table_id=table.pk, seat=seat.number, user_id=request.user.pk, text=sent.move, version=sent.version
        ),
    )


@router.post(
    "/tables/{code}/seen",
    response=schemas.TableDetails,
    auth=NEEDS["play"],
    tags=["Tables"],
    summary="Go on to the next hand",
)
def see_hand(request: ApiRequest, code: str, sent: schemas.SeenHand) -> dict[str, Any]:
    """Goes on from the end of a hand (`hand_end`). Your next move does this as well; bots needn't."""
    table = visible_table(request, code)
    own_seat(request, table)
    return own_table(request, services.see_hand(table_id=table.pk, user=request.user, hand=sent.hand))


@router.post(
    "/tables/{code}/questions",
    response=schemas.TableDetails,
    auth=NEEDS["play"],
    tags=["Tables"],
    summary="Ask the others",
)
def ask_question(request: ApiRequest, code: str, sent: schemas.NewQuestion) -> dict[str, Any]:
    """Asks the other players for something: one of `can_ask`, such as a draw or to take back a move."""
    limit_operation(request, "asks")
    table = visible_table(request, code)
    return own_table(request, services.ask_question(table_id=table.pk, user=request.user, kind=sent.kind))


@router.post(
    "/tables/{code}/questions/answer",
    response=schemas.TableDetails,
    auth=NEEDS["play"],
    tags=["Tables"],
    summary="Answer a question",
)
def answer_question(request: ApiRequest, code: str, sent: schemas.QuestionReply) -> dict[str, Any]:
    """Accepts or refuses the open question, or withdraws your own."""
    table = visible_table(request, code)
    if sent.answer == "withdraw":
        table = services.withdraw_question(table_id=table.pk, user=request.user, key=sent.key)
    else:
        agrees = sent.answer == "agree"
        table = services.answer_question(table_id=table.pk, user=request.user, key=sent.key, agrees=agrees)
    return own_table(request, table)


@router.get(
    "/tables/{code}/replay",
    response=schemas.Replay,
    auth=NEEDS["read"],
    tags=["Tables"],
    summary="Read the record of a game",
)
def read_replay(request: ApiRequest, code: str) -> dict[str, Any]:
    """All moves of a finished game, in the notation of the rule book."""
    table = visible_table(request, code, players_may=False)
    require_finished(table)
    names = ("number", "seat", "text", "takes_back_to", "is_by_clock", "is_by_stand_in", "played_at")
    return {
        "code": table.code,
        "game": table.game,
        "rules_version": table.rules_version,
        "options": table.options,
        "players": [seat.user and seat.user.display_name for seat in table.seat_rows],
        "first_dealer": table.first_dealer,
        "moves": list(table.moves.values(*names)),
        "result": plain_result(table),
    }


@router.get(
    "/tables/{code}/replay/{at}",
    response=schemas.View,
    auth=NEEDS["read"],
    tags=["Tables"],
    summary="Look at a position of a game",
)
def read_position(
    request: ApiRequest, code: str, at: int, seat: Annotated[int | None, Query(ge=0, le=9)] = None
) -> dict[str, Any]:
    """The position of a finished game after `at` moves, as this seat saw it; without one, as spectators did."""
    table = visible_table(request, code, players_may=False)
    require_finished(table)
    if not 0 <= at <= table.move_count or (seat is not None and seat >= table.seat_count):
        raise Http404("There is no such position.")
    return plain_view(playback.playback_of(table).state_at(at).view(seat), table.names)


@router.get(
    "/tables/{code}/deals",
    auth=NEEDS["read"],
    tags=["Tables"],
    summary="Check the deals of a game",
    response=dict[str, Any],
)
def read_deals(request: ApiRequest, code: str) -> dict[str, Any]:
    """Everything that made the deals of a finished game: seal, secret, the players' numbers, and each deck."""
    table = visible_table(request, code, players_may=False)
    require_finished(table)
    return deal_record(table)
