"""Form of a season: which tournaments count, and for how much."""

import re
from typing import Any

from django import forms
from django.db.models import Q

from accounts.models import User
from infra.forms import TypedModelForm
from tournaments.domain.season import SCALES, TIE_BREAKS
from tournaments.models import Event, Season, Series

BEATEN, OWN = "beaten", "own"
EVENTS_OFFERED = 60
TIE_BREAK_FIELDS = {"first_tie_break": "First", "second_tie_break": "Second", "third_tie_break": "Third"}


def day_field(label: str) -> forms.DateField:
    return forms.DateField(label=label, required=False, widget=forms.DateInput(attrs={"type": "date"}))


class SeasonForm(TypedModelForm[Season]):
    """Points are chosen by name, as a list, or by the number of players beaten."""

    series = forms.ModelChoiceField(
        Series.objects.all(), label="Tournaments of this series", required=False, empty_label="none"
    )
    first_day = day_field("First day")
    last_day = day_field("Last day")
    scale = forms.ChoiceField(
        label="Points",
        choices=[
            *((name, f"by place: {name.replace('-', ', ')}") for name in SCALES),
            (BEATEN, "one for each player beaten"),
            (OWN, "by place, as listed below"),
        ],
    )
    own_points = forms.CharField(
        label="Your own points",
        required=False,
        max_length=400,
        help_text="For the first place, the second and so on: 12, 9, 7, 5",
    )
    first_tie_break = forms.ChoiceField(required=False)
    second_tie_break = forms.ChoiceField(required=False)
    third_tie_break = forms.ChoiceField(required=False)

    class Meta:
        model = Season
        fields = (
            "name", "description", "series", "first_day", "last_day", "events", "scale", "own_points", "best",
            "attendance", "counts_bots", "first_tie_break", "second_tie_break", "third_tie_break",
        )  # fmt: skip
        widgets = {"description": forms.Textarea(attrs={"rows": 2})}
        labels = {
            "best": "Best results that count",
            "counts_bots": "Bots are in the table",
        }
        help_texts = {
            "best": "Such as 3 of 4. Leave empty to count all.",
            "attendance": "For everyone who came, whatever their place.",
            "counts_bots": "Without them places are counted among players.",
        }
        error_messages = {"name": {"unique": "There is already a season with this name. Choose another one."}}

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        season = self.instance
        if offered := _offered(season, user):
            self.fields["events"] = forms.ModelMultipleChoiceField(
                label="More tournaments", queryset=offered, required=False, widget=forms.CheckboxSelectMultiple
            )
        else:
            del self.fields["events"]
        for (name, which), code in zip(TIE_BREAK_FIELDS.items(), _three(season.tie_breaks), strict=True):
            choices = [("", "none"), *((key, one.name) for key, one in TIE_BREAKS.items())]
            self.fields[name] = forms.ChoiceField(
                label=f"{which} tie-break", choices=choices, required=False, initial=code
            )
        points = tuple(season.place_points)
        named = next((name for name, scale in SCALES.items() if scale == points), OWN if points else BEATEN)
        self.initial["scale"] = named if season.pk else next(iter(SCALES))
        self.initial["own_points"] = ", ".join(map(str, points)) if named == OWN else ""

    def clean_own_points(self) -> list[int]:
        texts = re.split(r"[\s,;]+", self.cleaned_data["own_points"].strip())
        if any(text and not re.fullmatch(r"[0-9]{1,4}", text) for text in texts):
            raise forms.ValidationError("Write whole numbers, such as 12, 9, 7, 5.")
        return [int(text) for text in texts if text]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        scale = data.get("scale")
        if scale == OWN and "own_points" in data and not data["own_points"]:
            self.add_error("own_points", "Enter the points for each place.")
        if not (data.get("series") or data.get("events")):
            self.add_error("series", "Choose a series, or tournaments below.")
        own = data.get("own_points", []) if scale == OWN else []
        self.instance.place_points = [*SCALES.get(scale or "", own)]
        self.instance.tie_breaks = [data[name] for name in TIE_BREAK_FIELDS if data.get(name)]
        return data


def _three(codes: list[str]) -> list[str]:
    return [*codes, "", "", ""][:3]


def _offered(season: Season, user: User) -> Any:
    """The newest tournaments without a series or of this director, and those that are chosen already."""
    own = Event.objects.filter(Q(series=None) | Q(created_by=user)).exclude(status=Event.Status.CANCELLED)
    newest = own.order_by("-starts_at").values_list("pk", flat=True)[:EVENTS_OFFERED]
    chosen = season.events.values_list("pk", flat=True) if season.pk else ()
    return Event.objects.filter(pk__in={*newest, *chosen}).order_by("-starts_at")
