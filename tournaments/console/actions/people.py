"""Actions of the director's console for people: roles, announcements, messages."""

from typing import Any

from django import forms

from tournaments import services
from tournaments.console.actions.base import CAN_BE_UNDONE, CANNOT_BE_UNDONE, Action, message_field
from tournaments.forms.events import PersonField
from tournaments.models import Event, EventRole


class NameRole(Action):
    slug, label, tab = "name", "Add a helper", "people"
    name = PersonField(label="Name")
    role = forms.ChoiceField(choices=EventRole.Role.choices, initial=EventRole.Role.HELPER, label="Role")

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return True

    @property
    def description(self) -> str:
        return (
            f"A director can do everything you can do here. A helper can check players in and correct results. "
            f"{CAN_BE_UNDONE}"
        )

    def run(self) -> object:
        user, role = self.cleaned_data["name"], self.cleaned_data["role"]
        return services.name_role(event_id=self.event.pk, user_id=user.pk, role=role, by=self.by)


class DropRole(Action):
    slug, label, tab = "drop", "Remove the role", "people"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.role = self._chosen_row("role", self.event.roles.all())

    def run(self) -> object:
        return services.drop_role(event_id=self.event.pk, user_id=self.role.user_id, by=self.by)


class Announce(Action):
    slug, label, tab = "announce", "Announce", "announcements"
    text = forms.CharField(max_length=300, widget=forms.Textarea(attrs={"rows": 3}), label="Message")

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.status != Event.Status.CANCELLED

    @property
    def description(self) -> str:
        return (
            "It appears on the tournament page, and we notify everyone in the tournament. You can take it down, "
            "but people may have read it."
        )

    def run(self) -> object:
        return services.post_announcement(event_id=self.event.pk, text=self.cleaned_data["text"], by=self.by)


class SendMessage(Action):
    slug, label, tab = "message", "Send message", "announcements"
    to = forms.TypedChoiceField(label="To", coerce=int)
    message = message_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        published = self.event.matches.published().order_by("-round__number")
        numbers = dict.fromkeys(published.values_list("round__number", flat=True))
        choices = [(0, "Everyone in the tournament"), *((n, f"Players of round {n}") for n in numbers)]
        self.fields["to"] = forms.TypedChoiceField(label="To", coerce=int, choices=choices)
        self.order_fields(["to", "message"])

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.status != Event.Status.CANCELLED

    @property
    def description(self) -> str:
        return f"Unlike an announcement, it isn't shown on the tournament page. {CANNOT_BE_UNDONE}"

    def run(self) -> object:
        number, text = self.cleaned_data["to"], self.cleaned_data["message"]
        if number:
            return services.message_round(event_id=self.event.pk, number=number, text=text, by=self.by)
        return services.message_everyone(event_id=self.event.pk, text=text, by=self.by)


class TakeDown(Action):
    slug, label, tab = "take-down", "Take down", "announcements"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.said = self._chosen_row("announcement", self.event.announcements.shown())

    def run(self) -> object:
        return services.remove_announcement(announcement_id=self.said.pk, by=self.by)
