"""Form of a series: when it takes place, as people plan and not as a rule to type."""

import re
from dataclasses import asdict
from datetime import date
from typing import Any

from django import forms

from tournaments.domain.recurrence import (
    DAYS,
    ORDINALS,
    SIMPLE_UNITS,
    SimpleRule,
    rule_in_words,
    simple_rule,
    simple_rule_text,
)
from tournaments.domain.wall_clock import wall_time_of
from tournaments.forms.events import WallTimeForm, start_field
from tournaments.models import Series

MOST_SKIPPED = 100
KEEP = "keep"


class SeriesPlanForm(WallTimeForm[Series]):
    """Name, first start, how often, until when, which dates not. A rule that only an admin can write may be kept."""

    start = "first_start_at"
    field_order = (
        "name", "first_start_at", "time_zone", "interval", "unit", "days", "nth", "until", "skipped", "ahead",
        "is_active",
    )  # fmt: skip
    first_start_at = start_field("First start")
    interval = forms.IntegerField(label="Every", min_value=1, max_value=99, initial=1)
    unit = forms.ChoiceField(label="Unit", choices=list(SIMPLE_UNITS.items()), initial="WEEKLY")
    days = forms.MultipleChoiceField(
        label="On",
        choices=list(DAYS.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="For weeks. None: the weekday of the first start.",
    )
    nth = forms.ChoiceField(
        label="In the month",
        choices=[
            ("", "the same day of the month"),
            *((key, f"the {word} such weekday") for key, word in ORDINALS.items()),
        ],
        required=False,
        help_text="For months.",
    )
    until = forms.DateField(label="Last day", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    skipped = forms.CharField(
        label="Not on",
        required=False,
        max_length=2000,
        help_text="Dates such as 2026-12-25, separated by spaces or commas.",
    )

    class Meta:
        model = Series
        fields = ("name", "first_start_at", "time_zone", "ahead", "is_active")
        labels = {"is_active": "Takes place"}
        error_messages = {"name": {"unique": "There is already a series with this name. Choose another one."}}
        help_texts = {"is_active": "Off: the series pauses, and its coming tournaments are cancelled."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = simple_rule(self.instance.rrule) if self.instance.pk else SimpleRule()
        if known is None:
            self.fields["unit"] = forms.ChoiceField(
                label="Unit",
                choices=[
                    (KEEP, f"as an admin has set it: {rule_in_words(self.instance.rrule)}"),
                    *SIMPLE_UNITS.items(),
                ],
                initial=KEEP,
            )
            known = SimpleRule(KEEP)
        shown = asdict(known) | {"skipped": " ".join(self.instance.skipped)}
        self.initial = {**self.initial, **shown}

    def clean_skipped(self) -> list[str]:
        found = re.split(r"[\s,;]+", self.cleaned_data["skipped"].strip())
        dates = [text for text in found if text]
        if len(dates) > MOST_SKIPPED:
            raise forms.ValidationError(f"Enter at most {MOST_SKIPPED} dates.")
        for text in dates:
            try:
                date.fromisoformat(text)
            except ValueError:
                raise forms.ValidationError(f"{text} isn't a date. Write dates like 2026-12-25.") from None
        return sorted({str(date.fromisoformat(text)) for text in dates})

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.errors:
            return data
        self.instance.skipped = data["skipped"]
        if data["unit"] != KEEP:
            first = wall_time_of(data["first_start_at"], data["time_zone"]).date()
            until: date | None = data["until"]
            if until and until < first:
                self.add_error("until", "The last day is before the first start.")
            rule = SimpleRule(data["unit"], data["interval"], tuple(data["days"]), data["nth"], str(until or ""))
            self.instance.rrule = simple_rule_text(rule, first)
        return data
