"""Operations of the HTTP API about ladders: read them, join, challenge and answer."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Schema
from pydantic import Field

from accounts.api_access import NEEDS, ApiRequest, limit_operation
from games.api.lists import Cursor, Limit
from games.api.schemas import RowId
from infra.http_api.cursors import PAGE_LENGTH, cursor_page
from tournaments.api.routing import router
from tournaments.models import Ladder, LadderMove
from tournaments.presentation import ladders as presentation
from tournaments.presentation.ladders import LadderRow
from tournaments.queries.ladders import ladder_state
from tournaments.services import ladders as services
from tournaments.views.ladders import ANSWERS


class LadderSummary(Schema):
    id: int
    name: str
    url: str
    game: str
    time_control: str
    is_rated: bool
    is_open: bool = Field(description="It takes players and challenges")
    players: int


class LadderPlace(Schema):
    place: int
    player: int = Field(description="Id of the player on this ladder, for a challenge")
    name: str
    doing: str = Field(description="Their challenge or game in words")
    table: str = Field(description="Address of the table of the game they play for a place")
    answer_by: datetime | None
    away_until: datetime | None = Field(description="End of a vacation")
    can_challenge: bool = Field(description="You can challenge them now")
    refusal: str = Field(description="Why you can't yet, or ever, if they are in reach")


class OwnChallenge(Schema):
    id: int
    challenger: str
    challenged: str
    is_yours: bool = Field(description="You have made it, so you can withdraw it; the other player answers")
    status: Literal["open", "playing"]
    answer_by: datetime
    table: str


class LadderDetails(LadderSummary):
    description: str
    reach: int = Field(description="How many places above you can challenge")
    answer_days: int
    allowed_declines: int
    rematch_days: int
    idle_weeks: int | None
    places: list[LadderPlace] = Field(description="The top first")
    own_place: int | None
    keep_by: datetime | None = Field(description="Play by then to keep your place; null in the last one")
    own_challenge: OwnChallenge | None = Field(description="Yours, if it is not over")


class LadderChange(Schema):
    id: int
    at: datetime
    player: int
    name: str
    old_place: int | None
    place: int | None
    why: str = Field(description="joined, left, won, refused, kept (declined), idle, or shifted because of others")
    table: str = Field(description="Address of the game")


class LadderHistory(Schema):
    items: list[LadderChange]
    next: str | None


class ChallengeMade(Schema):
    player: int = Field(ge=1, le=2**63 - 1, description="From `places` of the ladder")


class ChallengeAnswer(Schema):
    challenge: int = Field(ge=1, le=2**63 - 1, description="`id` of `own_challenge`")
    answer: Literal["accept", "decline", "withdraw"]


def ladder_summary(ladder: Ladder) -> dict[str, Any]:
    return {
        "id": ladder.pk,
        "name": ladder.name,
        "url": ladder.get_absolute_url(),
        "game": ladder.game,
        "time_control": ladder.time_control.words,
        "is_rated": ladder.is_rated,
        "is_open": ladder.is_open,
        "players": len(ladder.order),
    }


def plain_place(row: LadderRow) -> dict[str, Any]:
    return {
        "place": row.place,
        "player": row.player.pk,
        "name": str(row.player),
        "doing": row.doing,
        "table": row.table.get_absolute_url() if row.table else "",
        "answer_by": row.answer_by,
        "away_until": row.away_until,
        "can_challenge": row.can_challenge,
        "refusal": row.refusal,
    }


def plain_ladder(request: ApiRequest, ladder: Ladder) -> dict[str, Any]:
    state = ladder_state(ladder, request.user, now=timezone.now())
    asked = presentation.own_challenge(state)
    challenge = asked and {
        "id": asked.pk,
        "challenger": str(asked.challenger),
        "challenged": str(asked.challenged),
        "is_yours": asked.challenger == state.own,
        "status": asked.status,
        "answer_by": asked.answer_by,
        "table": asked.table.get_absolute_url() if asked.table else "",
    }
    rules = ("description", "reach", "answer_days", "allowed_declines", "rematch_days", "idle_weeks")
    return ladder_summary(ladder) | {
        **{name: getattr(ladder, name) for name in rules},
        "places": [plain_place(row) for row in presentation.ladder_rows(state)],
        "own_place": state.order.index(state.own.pk) + 1 if state.own else None,
        "keep_by": state.keep_by,
        "own_challenge": challenge,
    }


def plain_change(move: LadderMove) -> dict[str, Any]:
    table = move.challenge.table if move.challenge else None
    return {
        "id": move.pk,
        "at": move.at,
        "player": move.player_id,
        "name": str(move.player),
        "old_place": move.old_place,
        "place": move.place,
        "why": move.why,
        "table": table.get_absolute_url() if table else "",
    }


@router.get("/ladders", response=list[LadderSummary], auth=None, tags=["Ladders"], summary="List the ladders")
def list_ladders(request: HttpRequest) -> list[dict[str, Any]]:
    """All ladders. No token is needed."""
    return [ladder_summary(ladder) for ladder in Ladder.objects.all()]


@router.get(
    "/ladders/{ladder_id}", response=LadderDetails, auth=NEEDS["read"], tags=["Ladders"], summary="Read a ladder"
)
def read_ladder(request: ApiRequest, ladder_id: RowId) -> dict[str, Any]:
    """A ladder with its places and rules, and your challenge, if there is one."""
    return plain_ladder(request, get_object_or_404(Ladder, pk=ladder_id))


@router.get(
    "/ladders/{ladder_id}/history",
    response=LadderHistory,
    auth=None,
    tags=["Ladders"],
    summary="Read a ladder's history",
)
def read_ladder_history(
    request: HttpRequest, ladder_id: RowId, cursor: Cursor = "", limit: Limit = PAGE_LENGTH
) -> dict[str, Any]:
    """Every change of places, the newest first. No token is needed."""
    moves = get_object_or_404(Ladder, pk=ladder_id).moves.select_related("player__user", "challenge__table")
    return cursor_page(moves, cursor=cursor, limit=limit, as_json=plain_change)


def asked_ladder(request: ApiRequest, ladder_id: int) -> Ladder:
    """The ladder that a user wants to change, within the limit of its pages."""
    limit_operation(request, "ladders")
    return get_object_or_404(Ladder, pk=ladder_id)


@router.post(
    "/ladders/{ladder_id}/join", response=LadderDetails, auth=NEEDS["enter"], tags=["Ladders"], summary="Join a ladder"
)
def join_ladder(request: ApiRequest, ladder_id: RowId) -> dict[str, Any]:
    """Takes the last place of a ladder. Guests and bots can't."""
    ladder = asked_ladder(request, ladder_id)
    services.join_ladder(ladder_id=ladder.pk, user=request.user, now=timezone.now())
    return read_ladder(request, ladder_id)


@router.post(
    "/ladders/{ladder_id}/leave",
    response=LadderDetails,
    auth=NEEDS["enter"],
    tags=["Ladders"],
    summary="Leave a ladder",
)
def leave_ladder(request: ApiRequest, ladder_id: RowId) -> dict[str, Any]:
    """Gives up your place. A challenge that isn't answered ends; a game in play goes on."""
    ladder = asked_ladder(request, ladder_id)
    services.leave_ladder(ladder_id=ladder.pk, user=request.user, now=timezone.now())
    return read_ladder(request, ladder_id)


@router.post(
    "/ladders/{ladder_id}/challenge",
    response=LadderDetails,
    auth=NEEDS["enter"],
    tags=["Ladders"],
    summary="Challenge a player",
)
def challenge_ladder_player(request: ApiRequest, ladder_id: RowId, sent: ChallengeMade) -> dict[str, Any]:
    """Challenges a player above you, as far as the ladder allows."""
    ladder = asked_ladder(request, ladder_id)
    services.challenge_player(ladder_id=ladder.pk, user=request.user, player_id=sent.player, now=timezone.now())
    return read_ladder(request, ladder_id)


@router.post(
    "/ladders/{ladder_id}/answer",
    response=LadderDetails,
    auth=NEEDS["enter"],
    tags=["Ladders"],
    summary="Answer a challenge",
)
def answer_ladder_challenge(request: ApiRequest, ladder_id: RowId, sent: ChallengeAnswer) -> dict[str, Any]:
    """Accepts a challenge, which starts the game, or declines it; or withdraws your own."""
    asked_ladder(request, ladder_id)
    act, _ = ANSWERS[sent.answer]
    act(challenge_id=sent.challenge, user=request.user, now=timezone.now())
    return read_ladder(request, ladder_id)
