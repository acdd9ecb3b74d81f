"""What all actions of the director's console share: the form that runs a service, its preview, common fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounts.models import User
from infra.forms import TypedModelChoiceField
from infra.numbers import read_number
from tournaments.forms.events import PersonField
from tournaments.models import Entry, Event
from tournaments.models.directing import LONGEST_MESSAGE
from tournaments.queries.permissions import EventRank
from tournaments.services.adjudicating import Consequences

CAN_BE_UNDONE = "You can undo it in the log."
CANNOT_BE_UNDONE = "This can't be undone."


@dataclass(frozen=True, slots=True)
class ActionPreview:
    """The preview of an action. bent_rules: rules that it bends."""

    bent_rules: Sequence[str] = ()
    consequences: Consequences | None = None


def reason_field(*, required: bool = False) -> forms.CharField:
    return forms.CharField(max_length=200, required=required, label="Reason" if required else "Reason (optional)")


def message_field() -> forms.CharField:
    return forms.CharField(
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Text",
        help_text="Players get a notice, and an e-mail or push message if they have asked for them.",
    )


class Action(forms.Form):
    """A form that runs one service.

    slug: in its address. tab: of the console, to return to. has_preview: there is always a preview.
    confirm_label: of its button after the preview. refusal: to users whose rank would do, see `may_run`.
    params: what was sent, or asked for. hidden: what it is about, as it is sent along.
    """

    do_not_call_in_templates = True  # a template is also given the class, for its words

    slug: ClassVar[str]
    label: ClassVar[str]
    rank: ClassVar[EventRank] = EventRank.DIRECTOR
    tab: ClassVar[str] = "now"
    is_dangerous: ClassVar[bool] = False
    has_preview: ClassVar[bool] = False
    confirm_label: ClassVar[str] = "Do it anyway"
    refusal: ClassVar[str] = ""

    def __init__(self, event: Event, by: User, params: QueryDict, *, is_sent: bool = False) -> None:
        if not self.may_run(event, by):
            raise PermissionDenied(self.refusal)
        self.event, self.by, self.params = event, by, params
        self.hidden: dict[str, int] = {}
        super().__init__(params if is_sent else None, initial=None if is_sent else _parameters(params))
        for field in self.fields.values():
            if isinstance(field, PersonField):
                field.complete_at(reverse("tournaments:names", args=[event.pk]))
        if "why" in self.fields:
            readers = "Only directors" if event.reasons_are_private else "Everyone"
            self.fields["why"].help_text = f"{readers} can read it in the log."

    @classmethod
    def is_open(cls, event: Event) -> bool:
        """Whether the action makes sense now."""
        return not event.finished_at

    @classmethod
    def may_run(cls, event: Event, user: User) -> bool:
        """Whether a user of that rank may do it."""
        return True

    @classmethod
    def is_offered(cls, event: Event, user: User, rank: EventRank) -> bool:
        """Whether the action is shown to a user of this rank in the event."""
        return cls.rank <= rank and cls.is_open(event) and cls.may_run(event, user)

    @classmethod
    def is_button(cls) -> bool:
        return not cls.base_fields

    @property
    def title(self) -> str:
        return self.label

    @property
    def description(self) -> str:
        """What it will do, to whom, and whether it can be undone."""
        return CAN_BE_UNDONE

    def read_notices(self) -> None:
        """Marks as read what its page shows anyway."""

    def preview(self) -> ActionPreview | None:
        """The preview, None if none is needed. :raises EventError:"""
        return None

    def preview_key(self) -> str:
        """What a preview was for (the field `seen`): another choice needs a new one."""
        sent = {name: self.params.getlist(name) for name in self.fields if name not in ("why", "cancels")}
        chosen = {name: values for name, values in sent.items() if any(values)}
        return str(sorted(chosen.items()))

    def run(self) -> object:
        """:raises EventError:"""
        raise NotImplementedError

    def _chosen_row(self, name: str, rows: Any) -> Any:
        """The row that this is about. :raises Http404:"""
        self.hidden[name] = read_number(str(self.params.get(name, "")), 0)
        return get_object_or_404(rows, pk=self.hidden[name])


def _parameters(params: QueryDict) -> dict[str, Any]:
    return {name: params[name] for name in params}


class EntryChoice(TypedModelChoiceField[Entry]):
    """A choice among the entries of the event."""

    def __init__(self, label: str) -> None:
        super().__init__(Entry.objects.none(), label=label)
