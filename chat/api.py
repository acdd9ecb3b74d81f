"""Operations of the HTTP API about the chat at a table."""

from datetime import datetime
from typing import Any, Literal

from ninja import Router, Schema, Status
from pydantic import Field

from accounts.api_access import NEEDS, ApiRequest
from chat import services
from chat.models import LONGEST_CHAT_LINE, Line
from chat.panel import LINES_SHOWN
from games.api.access import visible_table
from infra.numbers import LARGEST

router = Router(tags=["Chat"])
CREATED = 201


class ChatLine(Schema):
    id: int
    name: str
    kind: str
    text: str = Field(description="In words, also for phrases")
    written_at: datetime


class Chat(Schema):
    lines: list[ChatLine]
    may_write: bool
    phrases: dict[str, str] = Field(description="Phrases that you may send, by key")
    reactions: dict[str, str]
    note: str = Field(description="Why you may not write more")


class NewLine(Schema):
    kind: Literal["free", "phrase", "reaction"] = "free"
    text: str = Field(min_length=1, max_length=LONGEST_CHAT_LINE, description="Your words, or the key of a phrase")


@router.get("/tables/{code}/chat", response=Chat, auth=NEEDS["read"], summary="Read the chat")
def read_chat(request: ApiRequest, code: str, after: int = 0) -> dict[str, Any]:
    """The newest lines that you may see, and what you may write. `after` is the id of the last line that you know."""
    table = visible_table(request, code)
    lines = services.visible_lines(table, request.user, after=min(after, LARGEST)).reverse()[:LINES_SHOWN]
    leave = services.chat_permissions(table, request.user)
    return {
        "lines": [plain_line(line) for line in lines][::-1],
        "may_write": leave.may_write,
        "phrases": dict(leave.phrases),
        "reactions": dict(leave.reactions),
        "note": leave.note,
    }


@router.post("/tables/{code}/chat", response={CREATED: ChatLine}, auth=NEEDS["chat"], summary="Write in the chat")
def write_line(request: ApiRequest, code: str, sent: NewLine) -> Status[dict[str, Any]]:
    """Writes a line, a phrase or a reaction, as the table allows."""
    table = visible_table(request, code)
    line = services.post_line(table_id=table.pk, user=request.user, kind=sent.kind, text=sent.text)
    return Status(CREATED, plain_line(line))


def plain_line(line: Line) -> dict[str, Any]:
    return {
        "id": line.pk,
        "name": line.user.display_name,
        "kind": line.kind,
        "text": line.words,
        "written_at": line.at,
    }
