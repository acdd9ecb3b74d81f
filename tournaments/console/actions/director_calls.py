"""Action of the director's console: answering a call from a table."""

from typing import Any

from django import forms

from tournaments import services
from tournaments.console.actions.base import CANNOT_BE_UNDONE, Action
from tournaments.models import LONGEST_CALL_REPLY, DirectorCall, Event
from tournaments.queries.permissions import EventRank
from tournaments.services import notices


class AnswerCall(Action):
    slug, label, rank = "answer-call", "Answer", EventRank.HELPER
    reply = forms.CharField(
        max_length=LONGEST_CALL_REPLY,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Reply (optional)",
        help_text="The players at the table read it.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        calls = DirectorCall.objects.neutral_for(self.by).filter(match__event=self.event)
        self.call: DirectorCall = self._chosen_row("call", calls.select_related("by", "match__event"))

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return DirectorCall.objects.open().filter(match__event=event).exists()

    @property
    def title(self) -> str:
        return f"Answer the call of {self.call.by}: {self.call.match}"

    @property
    def description(self) -> str:
        reason = f'{self.call.by} writes: "{self.call.reason}" ' if self.call.reason else ""
        return f"{reason}This closes the call. {CANNOT_BE_UNDONE}"

    def read_notices(self) -> None:
        notices.read_director_called(self.by, self.event, [self.call])

    def run(self) -> object:
        return services.answer_call(call_id=self.call.pk, by=self.by, reply=self.cleaned_data["reply"])
