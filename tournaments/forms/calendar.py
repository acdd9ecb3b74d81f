"""Filter form of the calendar."""

from typing import Any

from django import forms

from tournaments.models.settings import format_choices, game_choices
from tournaments.queries.calendar import CalendarFilter


class CalendarFilterForm(forms.Form):
    game = forms.ChoiceField(required=False)
    format = forms.ChoiceField(required=False)
    is_open = forms.BooleanField(required=False, label="Only what I can enter")

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        games, formats = [("", "All games"), *game_choices()], [("", "All formats"), *format_choices()]
        self.fields["game"] = forms.ChoiceField(required=False, choices=games)
        self.fields["format"] = forms.ChoiceField(required=False, choices=formats)

    def chosen(self) -> CalendarFilter:
        """The filter; unknown values, from an edited address, are left out."""
        self.is_valid()
        return CalendarFilter(**self.cleaned_data)
