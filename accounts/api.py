"""Operations of the HTTP API about the caller."""

from datetime import datetime
from typing import Any

from ninja import Router, Schema
from pydantic import Field

from accounts.api_access import NEEDS, ApiRequest

router = Router(tags=["Account"])


class Caller(Schema):
    name: str
    is_bot: bool
    owner: str | None = Field(description="Who runs this bot, null for people")
    scopes: list[str]
    expires_at: datetime | None


@router.get("/me", response=Caller, auth=NEEDS["read"], summary="Who am I?")
def read_caller(request: ApiRequest) -> dict[str, Any]:
    """Whose token this is, and what it may do."""
    user = request.user
    return {
        "name": user.display_name,
        "is_bot": user.is_api_bot,
        "owner": user.owner and user.owner.display_name,
        "scopes": request.token.scopes,
        "expires_at": request.token.expires_at,
    }
