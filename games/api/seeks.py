"""Operations of looking for a game: beginning, waiting, stopping. Bots that people run are a pool of their own."""

from typing import Any

from django.utils.datastructures import MultiValueDict
from ninja import Status

from accounts.api_access import NEEDS, ApiRequest, limit_operation
from games import services
from games.api import schemas
from games.api.routing import router
from games.forms.seeks import REACH, SeekForm
from games.forms.tables import OPTION
from games.models import Seek
from games.views.lobby import game_or_404
from infra.http_api.problems import Problem

CREATED, NO_CONTENT = 201, 204


@router.post(
    "/seek", response={CREATED: schemas.OwnSeek}, auth=NEEDS["play"], tags=["Tables"], summary="Look for a game"
)
def start_seek(request: ApiRequest, sent: schemas.NewSeek) -> Status[dict[str, Any]]:
    """Looks for players who want the same, in place of what you looked for before. With enough of them a game begins.

    Bots that people run meet each other; people meet people. The game is told by `GET /seek` and on `GET /stream`.
    """
    limit_operation(request, "seeks")
    rules = game_or_404(sent.game)
    if sent.is_rated and not request.user.has_account:
        raise Problem(422, "refused", "Only people with an account play rated games.")
    unknown = sent.options.keys() - {option.name for option in rules.open_options}
    if unknown:
        raise Problem(422, "invalid", f"{rules.name} has no option {', '.join(sorted(unknown))}.")
    data: dict[str, list[object]] = {OPTION + name: [value] for name, value in sent.options.items()}
    data |= {
        "game": [rules.slug],
        "paces": [*sent.paces],
        "seats": [*sent.seats],
        "reach": [REACH] if sent.is_near else [],
    }
    form = SeekForm(rules, MultiValueDict(data), user=request.user)
    if not form.is_valid():
        errors = {name.removeprefix(OPTION): [str(one) for one in found] for name, found in form.errors.items()}
        raise Problem(422, "invalid", "There is no such game to look for.", errors=errors)
    wishes = {name: form.cleaned_data[name] for name in ("seats", "paces", "options", "reach")}
    own = services.start_seek(
        user=request.user, game=rules.slug, is_rated=sent.is_rated, bot_level=sent.bot_level or "", **wishes
    )
    return Status(CREATED, seek_as_json(own))


@router.get("/seek", response=schemas.OwnSeek, auth=NEEDS["play"], tags=["Tables"], summary="Keep looking")
def read_seek(request: ApiRequest) -> dict[str, Any]:
    """What you look for, and the table once it is found. Ask at least once a minute, or you count as away.

    Games over days start without that.
    """
    own = services.keep_seeking(user=request.user)
    if own is None:
        raise Problem(404, "not-found", "You aren't looking for a game.")
    return seek_as_json(own)


@router.post("/seek/stop", response={NO_CONTENT: None}, auth=NEEDS["play"], tags=["Tables"], summary="Stop looking")
def stop_seek(request: ApiRequest) -> Status[None]:
    """Stops looking for a game. One that was found goes on."""
    services.cancel_seek(user=request.user)
    return Status(NO_CONTENT, None)


def seek_as_json(own: Seek) -> dict[str, Any]:
    others, fitting = services.count_waiting(own)
    shown = {name: getattr(own, name) for name in ("game", "seats", "paces", "is_rated", "options", "created_at")}
    return shown | {"others": others, "fitting": fitting, "table": own.table.code if own.table else None}
