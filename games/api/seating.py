"""Operations before a game: opening a table, joining and leaving it, adding bots; and the rematch after it."""

from collections.abc import Mapping
from typing import Any

from ninja import Status

from accounts.api_access import NEEDS, ApiRequest, limit_operation
from games import services
from games.api import schemas
from games.api.access import require_access, visible_table
from games.api.routing import router
from games.core.contract import Game
from games.forms.tables import OPTION, NewTableForm
from games.live import presence
from games.models import Table
from games.presentation.plain_table import plain_table
from games.views.access import table_or_404
from games.views.lobby import game_or_404, open_from
from games.views.seating import with_others
from infra.http_api.problems import Problem

CREATED = 201
ANY_SEAT = schemas.SeatChoice.model_validate({})  # of a request without a body
CLUB_BOT = schemas.BotChoice.model_validate({})


@router.post(
    "/tables", response={CREATED: schemas.TableDetails}, auth=NEEDS["play"], tags=["Tables"], summary="Open a table"
)
def open_table(request: ApiRequest, sent: schemas.NewTable) -> Status[dict[str, Any]]:
    """Opens a table and takes its first seat. With `bots` the game begins at once.

    Bots that people run play no rated games.
    """
    limit_operation(request, "tables")
    rules = game_or_404(sent.game)
    form = NewTableForm(rules, form_data(rules, sent), can_be_rated=request.user.has_account)
    if sent.is_rated and not request.user.has_account:
        raise Problem(422, "refused", "Only people with an account play rated games.")
    if not form.is_valid():
        errors = {name.removeprefix(OPTION): [str(one) for one in found] for name, found in form.errors.items()}
        raise Problem(422, "invalid", "The table can't be opened with these settings.", errors=errors)
    table = open_from(request, form.cleaned_data, rules.slug)
    return Status(CREATED, own_table(request, table))


def form_data(rules: Game[Any, Any, Any], sent: schemas.NewTable) -> Mapping[str, Any]:
    """What the form of the site sends for the same table. :raises Problem: there is no such option."""
    unknown = sent.options.keys() - {option.name for option in rules.open_options}
    if unknown:
        raise Problem(422, "invalid", f"{rules.name} has no option {', '.join(sorted(unknown))}.")
    chosen = {OPTION + option.name: sent.options.get(option.name, option.default) for option in rules.open_options}
    data = sent.dict(exclude={"game", "options"}, exclude_none=True) | {"seats": sent.seats or rules.seats[0]}
    return {name: value for name, value in (data | chosen).items() if value is not False}


def own_table(request: ApiRequest, table: Table) -> dict[str, Any]:
    """The table as this player sees it now; they are there."""
    if not table.is_turn_based:
        presence.record_request(table.pk, request.user.pk)
    table = table_or_404(table.code)
    require_access(table, request.user)
    return plain_table(table, table.seat_of(request.user.pk))


@router.post(
    "/tables/{code}/sit", response=schemas.TableDetails, auth=NEEDS["play"], tags=["Tables"], summary="Take a seat"
)
def sit_down(request: ApiRequest, code: str, sent: schemas.SeatChoice = ANY_SEAT) -> dict[str, Any]:
    """Takes a free seat. The game begins when the last one is taken."""
    limit_operation(request, "seats")
    table = services.sit_down(table_id=table_or_404(code).pk, user=request.user, seat=sent.seat)
    return own_table(request, with_others(table, request.user.pk))


@router.post(
    "/tables/{code}/bots",
    response=schemas.TableDetails,
    auth=NEEDS["play"],
    tags=["Tables"],
    summary="Add a bot of the site",
)
def add_bot(request: ApiRequest, code: str, sent: schemas.BotChoice = CLUB_BOT) -> dict[str, Any]:
    """Adds one of the site's bots to a table that you have opened."""
    table = table_or_404(code)
    if table.created_by_id != request.user.pk:
        raise services.TableError("Only the player who opened this table can add bots.")
    return own_table(request, services.seat_bot(table_id=table.pk, level=sent.level, seat=sent.seat))


@router.post(
    "/tables/{code}/leave",
    response=schemas.TableDetails,
    auth=NEEDS["play"],
    tags=["Tables"],
    summary="Leave or resign",
)
def leave_table(request: ApiRequest, code: str) -> dict[str, Any]:
    """Leaves the table before the game; resigns during it: with two players the other one wins."""
    return own_table(request, services.leave_table(table_id=table_or_404(code).pk, user=request.user))


@router.post(
    "/tables/{code}/back", response=schemas.TableDetails, auth=NEEDS["play"], tags=["Tables"], summary="Come back"
)
def come_back(request: ApiRequest, code: str) -> dict[str, Any]:
    """Returns to a game that waits for you, or in which a bot has played on for you."""
    return own_table(request, services.come_back(table_id=table_or_404(code).pk, user=request.user))


@router.post(
    "/tables/{code}/claim", response=schemas.TableDetails, auth=NEEDS["play"], tags=["Tables"], summary="Claim the game"
)
def claim_game(request: ApiRequest, code: str) -> dict[str, Any]:
    """Claims the game when the others have been away for longer than the grace time."""
    return own_table(request, services.claim_game(table_id=table_or_404(code).pk, user=request.user))


@router.post(
    "/tables/{code}/rematch",
    response=schemas.TableDetails,
    auth=NEEDS["play"],
    tags=["Tables"],
    summary="Ask for a rematch",
)
def join_rematch(request: ApiRequest, code: str) -> dict[str, Any]:
    """Joins another game with the same players and settings; the answer is its table."""
    limit_operation(request, "tables")
    table = visible_table(request, code)
    return own_table(request, services.join_rematch(table_id=table.pk, user=request.user))
