"""Forms of the director's console."""

from collections.abc import Iterator
from dataclasses import fields as dataclass_fields
from typing import Any

from django import forms

from cardsite.accounts.models import User
from games.core.contract import BadOption
from games.forms import OPTION, option_field
from tournaments.models import Event

FORMAT_OPTION = "format-"


class EventForm(forms.ModelForm):
    """An event of the game that its instance names. The options of game and format come from themselves.

    Times are UTC, as everywhere on the server; a script lets the director enter them in his own zone.
    """

    class Meta:
        model = Event
        fields = (
            "name", "starts_at", "match_games", "move_seconds", "min_entries", "max_entries", "fill_to",
            "bot_level", "registration_minutes", "check_in_minutes",
        )  # fmt: skip
        labels = {"starts_at": "Start (UTC)"}
        widgets = {
            "starts_at": forms.DateTimeInput(
                format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local", "data-utc": True}
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        values = self.instance.rules.read_options(self.instance.options, self.instance.seats)
        for option in self.instance.rules.open_options:
            if option.seats is None or self.instance.seats in option.seats:
                self.fields[OPTION + option.name] = option_field(option, initial=values[option.name])
        for field in dataclass_fields(self.instance.plan):
            self.fields[FORMAT_OPTION + field.name] = forms.BooleanField(
                label=field.metadata["label"], initial=getattr(self.instance.plan, field.name), required=False
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        try:
            self.instance.options = self.instance.rules.read_options(self._chosen(OPTION), self.instance.seats)
        except BadOption as error:
            raise forms.ValidationError(str(error)) from error
        self.instance.format_options = self._chosen(FORMAT_OPTION)
        return data

    def _chosen(self, prefix: str) -> dict[str, Any]:
        data = self.cleaned_data
        return {name.removeprefix(prefix): data[name] for name in data if name.startswith(prefix)}

    def event_fields(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in self.Meta.fields)

    def option_fields(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in self.fields if name not in self.Meta.fields)


class AddEntryForm(forms.Form):
    """`name` cleans to the user who has it."""

    name = forms.CharField(
        max_length=150, label="Add an entry", help_text="The name of a person or a house bot."
    )

    def clean_name(self) -> User:
        user = User.objects.filter(username__iexact=self.cleaned_data["name"].strip()).first()
        if user is None:
            raise forms.ValidationError("Nobody has this name.")
        return user


class ReasonForm(forms.Form):
    why = forms.CharField(
        max_length=200, required=False, label="Reason", help_text="Everybody can read it in the log."
    )
