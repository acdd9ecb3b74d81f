"""Forms to plan an event."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass
from dataclasses import fields as dataclass_fields
from datetime import UTC
from typing import Any, ClassVar, TypeVar

from django import forms
from django.contrib.auth.hashers import make_password
from django.forms.renderers import BaseRenderer
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from accounts.models import User
from games.core.contract import BadOption
from games.forms.tables import OPTION, NumberSelect, option_field
from infra.forms import TypedModelForm
from infra.numbers import read_number
from infra.time_zones import ZoneField
from tournaments import formats
from tournaments.domain.questions import Question, questions_as_text, questions_from_text
from tournaments.domain.wall_clock import SkippedWallTime, past_start, utc_from_wall_time, wall_time_of
from tournaments.formats.contract import Format
from tournaments.formats.tie_breaks import TIE_BREAKS_TO_CHOOSE
from tournaments.models import BotLeague, Event, Series, check_start, game_choices, seats_for_two_sides

StartModel = TypeVar("StartModel", Event, Series, BotLeague)

FORMAT_OPTION = "format-"
KIND_FIELDS = ("game", "seats", "format")  # what decides which other fields there are
WALL_TIME = "%Y-%m-%dT%H:%M"


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields that belong together. is_open: shown at once, not folded."""

    title: str
    fields: tuple[str, ...]
    is_open: bool = False


LONGEST_EVENT_FILE = 20_000_000  # bytes; an event of thousands has all its matches in it
FIELD_GROUPS = (
    FieldGroup("The tournament", ("name", "starts_at", "time_zone", "description"), is_open=True),
    FieldGroup("A match", ("match_games", "match_rule", "deals", "dealing", "is_mirrored", "compared_by")),
    FieldGroup("Teams", ("team_boards", "team_substitutes", "team_scoring")),
    FieldGroup("The clock", ("move_seconds", "base_minutes", "increment_seconds", "allows_vacation")),
    FieldGroup(
        "Who plays",
        ("min_entries", "max_entries", "fill_to", "is_evened", "bots_only", "bot_level", "seeding", "late_rounds"),
    ),
    FieldGroup(
        "Who may enter",
        (
            "min_rating",
            "max_rating",
            "min_account_days",
            "min_games",
            "needs_course",
            "invited_only",
            "password",
            "fee",
            "questions",
        ),  # fmt: skip
    ),
    FieldGroup("What others read and write", ("chat", "reasons_are_private")),
    FieldGroup(
        "Times and absence",
        (
            "registration_minutes",
            "check_in_minutes",
            "break_seconds",
            "publishes_by_hand",
            "appear_minutes",
            "absence",
            "hold_minutes",
            "missed_matches",
            "no_shows",
            "half_byes",
        ),  # fmt: skip
    ),
)


class NumbersField(forms.CharField):
    """ "4, 2, 1" for (4, 2, 1)."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> list[int]:
        numbers = [read_number(word, -1, most=9999) for word in super().clean(value).replace(",", " ").split()]
        if -1 in numbers:
            raise forms.ValidationError("Enter whole numbers up to 9999, separated by commas.")
        return numbers


class CodesField(forms.CharField):
    """ "BH-C1, BH, LOTS" for a list of known codes."""

    def __init__(self, codes: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.codes = codes

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> list[str]:
        chosen = [word.upper() for word in super().clean(value).replace(",", " ").split()]
        for code in chosen:
            if code not in self.codes:
                raise forms.ValidationError(f"There is no {code}. Choose from {', '.join(self.codes)}.")
        return chosen


class TieBreaksInput(forms.TextInput):
    """Codes of tie-breaks in their order; with script a list to tick and to order."""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        field = super().render(name, value, attrs, renderer)
        chosen = [word.upper() for word in str(value or "").replace(",", " ").split()]
        rest = [code for code in TIE_BREAKS_TO_CHOOSE if code not in chosen]
        rules = [
            (TIE_BREAKS_TO_CHOOSE[code], code in chosen) for code in (*chosen, *rest) if code in TIE_BREAKS_TO_CHOOSE
        ]
        context = {"rules": rules, "input_id": (attrs or {}).get("id", name)}
        return mark_safe(field + render_to_string("tournaments/planning/_tie_breaks.html", context))  # both escaped


def format_field(field: Field[Any], value: Any) -> forms.Field:
    """The form field for an option of a format, by its type and metadata."""
    meta = field.metadata
    named = {"label": meta["label"], "help_text": meta.get("help", ""), "initial": value}
    if isinstance(value, bool):
        return forms.BooleanField(required=False, **named)
    if field.name == "tie_breaks":
        codes = {code: rule.name for code, rule in TIE_BREAKS_TO_CHOOSE.items()}
        named["help_text"] = ", ".join(f"{code}: {name}" for code, name in codes.items())
        return CodesField(codes, required=False, widget=TieBreaksInput(), **named)
    if isinstance(value, tuple):
        return NumbersField(**named)
    if "choices" in meta:
        return forms.ChoiceField(choices=list(meta["choices"].items()), **named)
    return forms.IntegerField(min_value=meta.get("low"), max_value=meta.get("high"), **named)


class QuestionsField(forms.CharField):
    """Questions at entry, one a line."""

    widget = forms.Textarea

    def prepare_value(self, value: Any) -> Any:
        return questions_as_text(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[Question]:
        try:
            return questions_from_text(super().clean(value))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error


class WallTimeForm(TypedModelForm[StartModel]):
    """A form whose start is entered and shown in its field `time_zone`.

    An unchanged start stays the same moment, even where its time comes twice or has seconds.
    """

    start: ClassVar[str] = "starts_at"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"] = ZoneField()
        self.stored_start, zone = getattr(self.instance, self.start), self.instance.time_zone
        self.shown_start = None
        if self.stored_start:
            wall = wall_time_of(self.stored_start, zone).replace(second=0, microsecond=0)
            self.shown_start, self.initial[self.start] = (wall, zone), wall.strftime(WALL_TIME)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get(self.start) and data.get("time_zone"):
            wall, zone = timezone.make_naive(data[self.start], UTC), data["time_zone"]
            check_start(self.start, wall)  # before its zone can push it past the last year of datetime
            try:
                is_kept = (wall, zone) == self.shown_start
                data[self.start] = self.stored_start if is_kept else utc_from_wall_time(wall, zone)
            except SkippedWallTime as error:
                self.add_error(self.start, str(error))
        return data


def start_field(label: str) -> forms.DateTimeField:
    return forms.DateTimeField(
        label=label,
        widget=forms.DateTimeInput(format=WALL_TIME, attrs={"type": "datetime-local"}),
        help_text="In the time zone you chose. If a time occurs twice when the clocks go back, the first one counts.",
    )


class EventFileForm(forms.Form):
    """The JSON file of an event, to make another one from it."""

    file = forms.FileField(label="JSON file of a tournament")

    def clean_file(self) -> str:
        """Its text."""
        file = self.cleaned_data["file"]
        if file.size > LONGEST_EVENT_FILE:
            raise forms.ValidationError("This file is too long.")
        return str(file.read(), "utf-8", errors="replace")


class EventForm(WallTimeForm[Event]):
    """An event. Its game and format decide which options it has, so they are chosen first.

    kind: game, seats and format by their names, as the visitor has chosen them; else those of the instance.
    """

    starts_at = start_field("Start")
    questions = QuestionsField(
        required=False,
        label="Questions at entry",
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text='One a line. For a choice, add the answers after a colon: "Club: North, South, none". '
        "Only directors see what players answer.",
    )

    class Meta:
        model = Event
        fields = (*KIND_FIELDS, *(name for group in FIELD_GROUPS for name in group.fields))
        widgets = {
            "description": forms.Textarea(attrs={"rows": 3}),
            "password": forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        }
        help_texts = {"password": "Players need it to enter. Leave it empty to keep the current password."}

    def __init__(self, *args: Any, kind: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choose_kind(kind or {})
        event = self.instance
        self.initial = {**self.initial, **{name: getattr(event, name) for name in KIND_FIELDS}}
        self.fields["seats"] = forms.TypedChoiceField(
            label="Seats at a table", coerce=int, choices=[(count, str(count)) for count in event.rules.seats]
        )
        values = event.rules.read_options(self._kept_options(), event.seats)
        for option in event.rules.open_options:
            if option.seats is None or event.seats in option.seats:
                self.fields[OPTION + option.name] = option_field(option, initial=values[option.name])
        plan = formats.make_format(event.format, event.format_options)
        for field in dataclass_fields(plan):
            self.fields[FORMAT_OPTION + field.name] = format_field(field, getattr(plan, field.name))

    def _choose_kind(self, kind: Mapping[str, str]) -> None:
        """Another game has other seats and options; another format has other options."""
        event = self.instance
        if kind.get("game") in dict(game_choices()) and kind["game"] != event.game:
            event.game, event.options = kind["game"], {}
        seats = read_number(kind.get("seats", ""), 0)
        if seats in event.rules.seats:
            event.seats = seats
        if event.seats not in event.rules.seats:
            event.seats = seats_for_two_sides(event.rules)
        if kind.get("format") in {plan.slug for plan in formats.FORMATS} and kind["format"] != event.format:
            event.format, event.format_options = kind["format"], {}

    def _kept_options(self) -> dict[str, Any]:
        """The options without those that this number of seats does not have."""
        rules, seats = self.instance.rules, self.instance.seats
        known = {option.name for option in rules.options if option.seats is None or seats in option.seats}
        return {name: value for name, value in self.instance.options.items() if name in known}

    def clean_password(self) -> str:
        """Stored as a hash; an empty field keeps the old password."""
        password = self.cleaned_data["password"]
        return make_password(password) if password else self.instance.password

    def clean_description(self) -> str:
        return _lines(self.cleaned_data["description"]) or ""

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.instance.pk is None and "starts_at" in data and "time_zone" in data:
            reason = past_start(data["starts_at"], data["time_zone"], now=timezone.now())
            if reason:
                self.add_error("starts_at", reason)
        try:
            self.instance.options = self.instance.rules.read_options(self._chosen(OPTION), self.instance.seats)
        except BadOption as error:
            raise forms.ValidationError(str(error)) from error
        self.instance.format_options = chosen = self._chosen(FORMAT_OPTION)
        if chosen.get("qualifiers", 0) > chosen.get("group_size", 0) > 0:
            self.add_error(f"{FORMAT_OPTION}qualifiers", "No more can advance than a group has.")
        return data

    def _chosen(self, prefix: str) -> dict[str, Any]:
        data = self.cleaned_data
        return {name.removeprefix(prefix): data[name] for name in data if name.startswith(prefix)}

    @property
    def formats(self) -> Sequence[type[Format]]:
        return formats.FORMATS

    def groups(self) -> Iterator[tuple[FieldGroup, list[forms.BoundField], bool]]:
        """Each group with its fields, and whether it must be open."""
        for group in FIELD_GROUPS:
            fields = [self[name] for name in group.fields]
            yield group, fields, group.is_open or any(field.errors for field in fields)

    def game_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(OPTION)]

    def format_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(FORMAT_OPTION)]


def with_own_changes(typed: QueryDict, *, seen: Event, stored: Event) -> QueryDict:
    """Merge two edits for the form: what was typed, and elsewhere what is stored now.

    seen: the event as it was when the form was opened.
    """
    before, now, result = EventForm(instance=seen), EventForm(instance=stored), typed.copy()
    for name in now.fields:
        was = _sent(before[name]) if name in before.fields else None
        if _lines(_typed(now[name], typed)) == _lines(was):
            value = _sent(now[name])
            result.setlist(name, [] if value is None else [value])
    return result


def _typed(field: forms.BoundField, typed: QueryDict) -> str | None:
    """What a browser sent of a field; of a number beside a list, the number."""
    widget = field.field.widget
    value: str | None = typed.get(field.name)
    return widget.value_from_datadict(typed, {}, field.name) if isinstance(widget, NumberSelect) else value


def _lines(text: str | None) -> str | None:
    """Normalises line ends, which browsers change."""
    return text and text.replace("\r\n", "\n")


def _sent(field: forms.BoundField) -> str | None:
    """What a browser sends of an untouched field."""
    widget, value = field.field.widget, field.value()
    if isinstance(widget, forms.CheckboxInput):
        return "on" if value else None
    if isinstance(widget, forms.PasswordInput):
        return ""
    shown = widget.format_value(value)
    return str(shown[0] if isinstance(shown, list) else shown) if shown else ""


class PersonField(forms.CharField):
    """A user name; cleans to the user, or to None."""

    default_error_messages = {"unknown": "There is no player with this name."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=150, **kwargs)

    def complete_at(self, address: str) -> None:
        """Offers the names of this address in the page's list `names`, as they are typed."""
        self.widget.attrs |= {
            "list": "names",
            "autocomplete": "off",
            "autocapitalize": "none",
            "hx-get": address,
            "hx-trigger": "input changed delay:200ms",
            "hx-target": "#names",
            "hx-swap": "innerHTML",
            "hx-select": "unset",
            "hx-select-oob": "unset",
        }

    def clean(self, value: Any) -> User | None:
        name = super().clean(value)
        user = User.objects.filter(username__iexact=name, is_active=True).first()
        if name and user is None:
            raise forms.ValidationError(self.error_messages["unknown"], code="unknown")
        return user


class DryRunForm(forms.Form):
    entries = forms.IntegerField(min_value=2, max_value=1000, label="Entries")
