"""Seek form: what game a player looks for; everything but the game may be left open."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, QueryDict
from django.utils.html import format_html

from accounts.models import User
from games import engines
from games.core.contract import BadOption, Game, Option
from games.domain.clocks import PACES
from games.engines import FAMILIES, GAMES
from games.forms.tables import OPTION, choice_field, list_field, shuffles_field

REACH = 200
RATED = {"": "Either", "yes": "Rated", "no": "Not rated"}
FOUND_BY = {"": "Anyone", str(REACH): f"Within {REACH} points of my rating"}
LIVE_PACES = [slug for slug, pace in PACES.items() if pace.clock and not pace.clock.is_turn_based]
COOKIE = "wishes"  # cookie: the last seek of this browser
GAME_COOKIE = "game"  # cookie: the game that this browser has learned or played last
MANY = ("paces", "seats")
USUAL = {"game": GAMES[0].slug, "paces": ["standard"], "has_bots": True}


def pace_label(slug: str) -> str:
    pace = PACES[slug]
    short = pace.words.partition(",")[0].replace(" minutes", " min").replace(" seconds", " s")
    short = short.removesuffix(" a turn") if "+" in short else short
    return format_html("<span><b>{}</b> <small>{}</small></span>", pace.label, short)


class SeekForm(forms.Form):
    """The game that a player looks for. `wishes_of`: the game that the seats and options on the page belong to."""

    game = forms.ChoiceField(
        label="Game",
        choices=[(family.partition(":")[0], [(game.slug, game.name) for game in games]) for family, games in FAMILIES],
    )
    paces = forms.MultipleChoiceField(
        label="Time controls (choose one or more)",
        widget=forms.CheckboxSelectMultiple,
        choices=[(slug, pace_label(slug)) for slug, pace in PACES.items() if pace.clock],
        error_messages={"required": "Choose at least one time control."},
    )
    has_bots = forms.BooleanField(label="Fill empty seats with bots after 30 seconds", required=False)
    is_rated = forms.ChoiceField(label="Rating", choices=RATED.items(), initial="", required=False)
    reach = forms.TypedChoiceField(
        label="Opponents", choices=FOUND_BY.items(), initial="", coerce=int, empty_value=None, required=False
    )
    seats = forms.TypedMultipleChoiceField(
        label="Seats (choose one or more)", widget=forms.CheckboxSelectMultiple, coerce=int, required=False
    )
    wishes_of = forms.CharField(widget=forms.HiddenInput, required=False)
    shuffles = shuffles_field()

    def __init__(self, rules: Game[Any, Any, Any], *args: Any, user: User | AnonymousUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.fields["is_rated"].disabled = not (user.is_authenticated and user.has_account)
        choice_field(self, "seats").choices = [(count, str(count)) for count in rules.seats]
        seats = self.initial.get("seats") or [*rules.seats]
        self.initial = {**self.initial, "game": rules.slug, "wishes_of": rules.slug, "seats": seats}
        for option in rules.open_options:
            self.fields[OPTION + option.name] = wish_field(option)

    def clean_paces(self) -> list[str]:
        """Refuses real-time games together with games over days: no one should be called to a table days later."""
        paces: list[str] = self.cleaned_data["paces"]
        if len({pace in LIVE_PACES for pace in paces}) > 1:
            raise forms.ValidationError("Choose live games or correspondence games, not both.")
        return paces

    def clean_is_rated(self) -> bool | None:
        return {"yes": True, "no": False}.get(self.cleaned_data["is_rated"])

    def clean(self) -> dict[str, Any]:
        super().clean()
        data = self.cleaned_data
        wished = {option.name: data.get(OPTION + option.name) for option in self.rules.open_options}
        data["options"] = {
            option.name: option.read(wished[option.name])
            for option in self.rules.open_options
            if wished[option.name] not in ("", None)
        }
        data["seats"] = [count for count in data.get("seats") or self.rules.seats if self._fit(data["options"], count)]
        if not data["seats"]:
            raise forms.ValidationError(
                "These rules don't work with the seats you chose. Change the rules or the seats."
            )
        return data

    def _fit(self, options: dict[str, Any], seats: int) -> bool:
        try:
            self.rules.read_options(options, seats)
        except BadOption:
            return False
        return True

    def option_fields(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in self.fields if name.startswith(OPTION))


def wish_field(option: Option) -> forms.Field:
    """A field for an option: any value, or one of them; the default is marked."""
    choices = [
        (str(value), f"{label} (usual)" if value == option.default else label)
        for value, label in option.choices.items()
    ]
    return list_field(option, [("", "either"), *choices], help_text=option.help)


def rules_named(slug: str) -> Game[Any, Any, Any]:
    """The game of this name, the first one if there is none."""
    try:
        return engines.get(slug)
    except KeyError:
        return GAMES[0]


def last_wishes(request: HttpRequest) -> QueryDict:
    """The last seek of this browser; empty the first time."""
    return QueryDict(request.COOKIES.get(COOKIE, ""))


def chosen_rules(request: HttpRequest) -> Game[Any, Any, Any]:
    """The game of `?game=`, else the one that this browser has learned or played last, else the one sought last."""
    last = request.COOKIES.get(GAME_COOKIE) or last_wishes(request).get("game", "")
    return rules_named(request.GET.get("game") or last)


def seek_form(request: HttpRequest) -> SeekForm:
    """The form with what this browser looked for last; `?game=` chooses another game, with all its rules open."""
    last, rules = last_wishes(request), chosen_rules(request)
    kept = {name: last.getlist(name) if name in MANY else last[name] for name in last}
    if last.get("game") != rules.slug:
        kept = {name: value for name, value in kept.items() if name != "seats" and not name.startswith(OPTION)}
    return SeekForm(rules, user=request.user, initial=kept if last else USUAL)
