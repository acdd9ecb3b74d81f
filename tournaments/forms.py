"""Forms of the director's console."""

from typing import Any

from django import forms

from cardsite.accounts.models import User
from tournaments.models import Event


class EventForm(forms.ModelForm):
    """Times are UTC, as everywhere on the server; pages show them in the reader's own zone."""

    class Meta:
        model = Event
        fields = (
            "name", "starts_at", "game", "options", "format", "format_options", "best_of", "move_seconds",
            "min_entries", "max_entries", "fill_to", "bot_level", "registration_minutes", "check_in_minutes",
        )  # fmt: skip
        labels = {"starts_at": "Start (UTC)"}
        widgets = {
            "starts_at": forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
            "options": forms.TextInput,
            "format_options": forms.TextInput,
        }

    def clean_options(self) -> dict[str, Any]:
        return self.cleaned_data["options"] or {}

    def clean_format_options(self) -> dict[str, Any]:
        return self.cleaned_data["format_options"] or {}


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
