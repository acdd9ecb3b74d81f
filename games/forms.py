"""Forms. A game's options come from the game itself, with their help texts and presets."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

from games.arranging import LONGEST
from games.bots import LEVELS
from games.core.contract import BadOption, Game, Option
from games.engines import GAMES
from games.models import clock_label

CLOCKS = (None, 20, 45, 120, 86_400)  # seconds
COMPANY = {
    "bots": "Bots: play now",
    "anyone": "Anyone: wait in the lobby",
    "link": "Friends: send them a link",
}
OPTION = "option-"
ENTROPY = r"^[0-9a-f]{1,64}$"


class NewTableForm(forms.Form):
    """Everything one chooses before the cards are dealt."""

    company = forms.ChoiceField(label="Play with", choices=COMPANY.items(), initial="bots")
    level = forms.ChoiceField(label="Strength of the bots", choices=LEVELS.items(), initial="club")
    seats = forms.TypedChoiceField(label="Seats", coerce=int)
    move_seconds = forms.TypedChoiceField(
        label="Time for a move",
        choices=[(seconds or "", clock_label(seconds).capitalize()) for seconds in CLOCKS],
        coerce=int,
        empty_value=None,
        required=False,
        help_text="Whoever runs out of time loses; with three or more at the table a bot plays on instead.",
    )
    is_rated = forms.BooleanField(
        label="Rated",
        required=False,
        help_text="The result changes the ratings of all who play, and shows on their pages. "
        "For people with an account, with a clock.",
    )
    seal = forms.CharField(widget=forms.HiddenInput, required=False)
    entropy = forms.RegexField(ENTROPY, widget=forms.HiddenInput, required=False)

    def __init__(
        self, game: Game[Any, Any, Any], *args: Any, can_be_rated: bool = False, preset: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.fields["is_rated"].disabled = not can_be_rated
        self.fields["seats"].choices = [(count, str(count)) for count in game.seats]
        self.fields["seats"].initial = game.seats[0]
        chosen = game.presets.get(preset, {})
        for option in game.open_options:
            self.fields[OPTION + option.name] = option_field(
                option, initial=chosen.get(option.name, option.default)
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        data["is_rated"] = data.get("is_rated", False) and data.get("company") != "bots"
        if data["is_rated"] and not data.get("move_seconds"):
            self.add_error("move_seconds", "A rated game needs a clock.")
        if self.errors:
            return data
        chosen = {name: value for name, value in data.items() if name.startswith(OPTION) and value != ""}
        given = {name.removeprefix(OPTION): value for name, value in chosen.items()}
        try:
            data["options"] = self.game.read_options(given, data["seats"])
        except BadOption as error:
            raise forms.ValidationError(str(error)) from error
        return data

    def option_fields(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in self.fields if name.startswith(OPTION))


def option_field(option: Option, *, initial: object) -> forms.Field:
    is_switch = set(option.choices) == {False, True}
    help_text = option.help
    if option.seats:
        help_text = f"{help_text} Only with {' or '.join(map(str, option.seats))} seats.".strip()
    if is_switch:
        return forms.BooleanField(label=option.label, initial=initial, required=False, help_text=help_text)
    choices = [(str(value), label) for value, label in option.choices.items()]
    return forms.ChoiceField(
        label=option.label, choices=choices, initial=str(initial), help_text=help_text, required=False
    )


class PlayNowForm(forms.Form):
    """A game against bots in one click: the smallest table, with the game's usual rules."""

    game = forms.ChoiceField(choices=[(game.slug, game.name) for game in GAMES])
    level = forms.ChoiceField(label="Strength of the bots", choices=LEVELS.items())
    seal = forms.CharField(widget=forms.HiddenInput, required=False)
    entropy = forms.RegexField(ENTROPY, widget=forms.HiddenInput, required=False)


class MoveForm(forms.Form):
    """A move made at a version of the table.

    text: the move, every meld of a rearranged table ("4H1 5H1 6H2 / 9C1 9D1 XB"), or a marked card; then there
    may be several. `games.arranging.written_move` makes the move of them.
    """

    version = forms.IntegerField(min_value=0)
    text = forms.CharField(max_length=LONGEST)
    is_arrangement = forms.BooleanField(required=False)


def read_entropy(data: Mapping[str, str]) -> str:
    """What the browser adds to the shuffle, "" if it is missing or not in form."""
    field = NewTableForm.base_fields["entropy"]
    try:
        return str(field.clean(data.get("entropy", "")))
    except forms.ValidationError:
        return ""
