"""Forms of a league in divisions: its numbers, and its next stage."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.models import User
from infra.forms import TypedModelForm
from infra.time_zones import ZoneField
from tournaments.domain.wall_clock import SkippedWallTime, utc_from_wall_time
from tournaments.forms.events import start_field
from tournaments.models import DivisionLeague, Event, check_start

MOST_NEWCOMERS = 400
TEMPLATES_OFFERED = 60
TEMPLATES_ORDER = ("bots_only", "-starts_at")  # people play in divisions


class DivisionLeagueForm(TypedModelForm[DivisionLeague]):
    class Meta:
        model = DivisionLeague
        fields = ("name", "size", "up", "down", "template")
        labels = {"template": "Settings of"}
        help_texts = {
            "size": "The last division has the players who are left over.",
            "up": "From each division to the one above.",
            "down": "From each division to the one below.",
            "template": "A round robin whose game, clock and rules the first stage takes. Later stages keep them.",
        }
        error_messages = {"name": {"unique": "There is already a league with this name. Choose another one."}}

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fits = Event.objects.filter(format="round-robin").exclude(status=Event.Status.CANCELLED)
        newest = fits.order_by(*TEMPLATES_ORDER).values_list("pk", flat=True)[:TEMPLATES_OFFERED]
        offered = Event.objects.filter(Q(pk__in=[*newest]) | Q(pk=self.instance.template_id)).order_by(*TEMPLATES_ORDER)
        field = self.fields["template"]
        self.fields["template"] = forms.ModelChoiceField(
            label=field.label, queryset=offered, help_text=field.help_text, empty_label=None
        )

    def clean_template(self) -> Event | None:
        template: Event | None = self.cleaned_data["template"]
        if template and template.has_pairs:
            raise forms.ValidationError("Partners play there, and in divisions everyone plays for themselves.")
        return template


class StageForm(forms.Form):
    """When the next stage starts, who joins, and who of those who missed every match doesn't play on.

    is_first: no stage has been played, and the names fill all divisions.
    """

    starts_at = start_field("Start")
    time_zone = ZoneField()
    names = forms.CharField(
        label="New players",
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="One name a line, the strongest first. They begin in the last division.",
    )

    def __init__(self, *args: Any, missing: QuerySet[User], is_first: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_first:
            names = self.fields["names"]
            names.label = "Players"
            names.help_text = "One name a line, the strongest first. They fill the divisions from the top."
        self.fields["left_out"] = forms.ModelMultipleChoiceField(
            label="Leave out",
            queryset=missing,
            required=False,
            widget=forms.CheckboxSelectMultiple,
            help_text="They missed every match of the last stage. If you leave them out, others get their places.",
        )

    def clean_names(self) -> list[User]:
        names = [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]
        if len(names) > MOST_NEWCOMERS:
            raise forms.ValidationError(f"Enter at most {MOST_NEWCOMERS} names.")
        people = User.objects.filter(is_active=True, is_guest=False, is_bot=False).annotate(lower=Lower("username"))
        known = {user.username.lower(): user for user in people.filter(lower__in=[name.lower() for name in names])}
        for name in names:
            if name.lower() not in known:
                raise forms.ValidationError(_why_unknown(name))
        if len({name.lower() for name in names}) < len(names):
            raise forms.ValidationError("Each name must be there only once.")
        return [known[name.lower()] for name in names]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("starts_at") and data.get("time_zone"):
            wall: datetime = timezone.make_naive(data["starts_at"], UTC)
            check_start("starts_at", wall)  # before its zone can push it past the last year of datetime
            try:
                data["starts_at"] = utc_from_wall_time(wall, data["time_zone"])
            except SkippedWallTime as error:
                self.add_error("starts_at", str(error))
            else:
                if data["starts_at"] <= timezone.now():
                    self.add_error("starts_at", "Choose a time in the future.")
        return data


def _why_unknown(name: str) -> str:
    named = Q(username__iexact=name) | Q(first_name__iexact=name)
    if User.objects.filter(named, is_bot=True).exists():
        return f"{name} is a bot of the site. Divisions are for people and the bots they run."
    return f"There is no player named {name}."
