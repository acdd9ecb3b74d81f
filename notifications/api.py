"""Operations of the HTTP API about webhooks. They are made on the site, where their secrets are shown."""

from datetime import datetime
from typing import Any

from ninja import Router, Schema
from pydantic import Field

from accounts.api_access import NEEDS, ApiRequest
from notifications import webhooks

router = Router(tags=["Account"])


class WebhookSummary(Schema):
    id: int
    url: str
    kinds: list[str] = Field(description="When messages are sent, such as event.started")
    is_on: bool
    off_because: str = Field(description="Why the site has turned it off, empty if it hasn't")
    created_at: datetime


@router.get("/webhooks", response=list[WebhookSummary], auth=NEEDS["read"], summary="List your webhooks")
def list_webhooks(request: ApiRequest) -> list[dict[str, Any]]:
    """All of them, the oldest first. Make and delete them on the site."""
    return [webhooks.as_json(hook) for hook in request.user.webhooks.all()]
