"""Forms of tables. A game's options come from the game itself, with their help texts and presets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms

from games.bots import LEVELS
from games.core.contract import BadOption, Game, Option, OptionValue
from games.domain.clocks import MINUTE, PACES, Clock
from games.engines import GAMES
from games.forms.board_input import LONGEST
from games.models import Table
from games.presentation.game_list import SHORT, listed_game
from infra.numbers import LARGEST

COMPANY = {
    "bots": "Bots: play now",
    "anyone": "Anyone: wait in the lobby",
    "link": "Friends: send them a link",
}
OWN_CLOCK = "own"
OUT_OF_TIME = "If you run out of time you lose. With three or more players a bot takes your seat."
OPTION = "option-"
OTHER = "other"  # the last choice of an option that takes more numbers than its list has


PACE_CHOICES = [*((slug, pace.choice) for slug, pace in PACES.items()), (OWN_CLOCK, "Other")]


def form_key_field() -> forms.Field:
    """Hidden, different on each page: a form that is sent twice opens one table."""
    return forms.RegexField(r"^[0-9a-f]{32}$", widget=forms.HiddenInput, required=False)


def shuffles_field() -> forms.Field:
    """Hidden: filled in by a browser that can add a value to the shuffle."""
    return forms.BooleanField(widget=forms.HiddenInput, required=False)


class NewTableForm(forms.Form):
    """The settings of a new table."""

    company = forms.ChoiceField(label="Play with", choices=COMPANY.items(), initial="bots")
    level = forms.ChoiceField(label="Strength of the bots", choices=LEVELS.items(), initial="club")
    seats = forms.TypedChoiceField(label="Seats", coerce=int)
    pace = forms.ChoiceField(
        label="Clock",
        choices=[("", "The usual"), *PACE_CHOICES],
        required=False,
        help_text=f"Default: {PACES['standard'].words} with people, none with bots. {OUT_OF_TIME}",
    )
    minutes = forms.IntegerField(label="Minutes for the game", min_value=1, max_value=180, initial=10, required=False)
    increment = forms.IntegerField(
        label="Seconds added each turn", min_value=0, max_value=180, initial=5, required=False
    )
    is_rated = forms.BooleanField(
        label="Rated",
        required=False,
        help_text="The result changes the ratings of all players and appears on their pages. "
        "You need an account and a clock.",
    )
    after_grace = forms.ChoiceField(
        label="If a player loses the connection",
        choices=[("", "The usual"), *((choice.value, choice.label.capitalize()) for choice in Table.AfterGrace)],
        required=False,
        help_text="By default the other of two players may claim the game. With more players a club bot plays "
        "until the player "
        "is back. Without a clock a game never just waits.",
    )
    chat = forms.TypedChoiceField(
        label="Chat",
        choices=[(choice.value, choice.label.capitalize()) for choice in Table.Chat],
        initial=Table.Chat.FREE,
        empty_value=Table.Chat.FREE,
        required=False,
        help_text="With partners, chat is off during the game.",
    )
    opens_deals = forms.BooleanField(required=False)
    key = form_key_field()
    shuffles = shuffles_field()

    def __init__(
        self, game: Game[Any, Any, Any], *args: Any, can_be_rated: bool = False, preset: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.fields["is_rated"].disabled = not can_be_rated
        word = game.deal_word
        self.fields["opens_deals"].label = f"Open finished {word}s to spectators"
        self.fields["opens_deals"].help_text = (
            f"Spectators see all cards of a {word} once it is over, but nothing of the current {word}. "
            "Who sits down agrees to it."
        )
        choice_field(self, "seats").choices = [(count, str(count)) for count in game.seats]
        self.fields["seats"].initial = game.seats[0]
        chosen, short = game.presets.get(preset, {}), listed_game(game.slug).short
        self.first_options = [
            OPTION + option.name for option in game.open_options if option.seats or option.name in short
        ]
        for option in game.open_options:
            initial = chosen.get(option.name, option.default)
            self.fields[OPTION + option.name] = option_field(option, initial=initial, short=short.get(option.name))

    def clean_pace(self) -> str:
        return self.cleaned_data["pace"] or ("none" if self.cleaned_data.get("company") == "bots" else "standard")

    def clean(self) -> dict[str, Any]:
        super().clean()
        data = self.cleaned_data
        data["is_rated"] = data.get("is_rated", False) and data.get("company") != "bots"
        if data["is_rated"] and data.get("pace") == "none":
            self.add_error("pace", "A rated game needs a clock.")
        if data.get("pace") == OWN_CLOCK and not data.get("minutes"):
            self.add_error("minutes", "Enter the minutes for each player.")
        if self.errors:
            return data
        data["clock"] = self.clock_fields()
        chosen = {name: value for name, value in data.items() if name.startswith(OPTION) and value != ""}
        given = {name.removeprefix(OPTION): value for name, value in chosen.items()}
        try:
            data["options"] = self.game.read_options(given, data["seats"])
        except BadOption as error:
            raise forms.ValidationError(str(error)) from error
        return data

    def clock_fields(self) -> dict[str, Any]:
        """The columns of the clock that was chosen."""
        data = self.cleaned_data
        if data["pace"] != OWN_CLOCK:
            return PACES[data["pace"]].fields
        return Clock(base=data["minutes"] * MINUTE, increment=data["increment"] or 0).fields

    def first_option_fields(self) -> Iterator[forms.BoundField]:
        """What makes the game short, and what goes with the number of seats, such as partners."""
        return (self[name] for name in self.first_options)

    def other_option_fields(self) -> Iterator[forms.BoundField]:
        return (self[name] for name in self.fields if name.startswith(OPTION) and name not in self.first_options)


class ChallengeForm(NewTableForm):
    """The settings of a challenge."""

    company = None  # type: ignore[assignment]  # Django takes a field away that is None in a subclass
    level = None  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pace = choice_field(self, "pace")
        pace.choices = PACE_CHOICES
        pace.initial, pace.help_text = "standard", OUT_OF_TIME  # all of them are people


class NumberSelect(forms.MultiWidget):
    """A list of usual values, with a field for any other number. They are one value, under the name of the list."""

    use_fieldset = False

    def __init__(self, option: Option, usual: Sequence[tuple[str, str]]) -> None:
        self.usual = {value for value, _ in usual}
        other = (OTHER, f"another number, {option.span_in_words}")
        number = {
            "min": option.span[0],
            "max": option.span[-1],
            "placeholder": option.span_in_words,
            "aria-label": f"{option.label}, {option.span_in_words}",
        }
        super().__init__({"": forms.Select(choices=[*usual, other]), "number": forms.NumberInput(number)})

    def decompress(self, value: Any) -> list[str | None]:
        if value is None or value in self.usual:
            return [value, None]
        return [OTHER, None if value == OTHER else value]

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        usual, number = super().value_from_datadict(data, files, name)
        return number or OTHER if usual == OTHER else usual

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0"


class NumberField(forms.Field):
    """A usual value of an option, or any number of its span."""

    def __init__(self, option: Option, usual: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(widget=NumberSelect(option, usual), required=False, **kwargs)
        self.option = option

    def to_python(self, value: Any) -> OptionValue:
        if value in self.empty_values:
            return ""
        try:
            return self.option.read(value)
        except BadOption as error:
            raise forms.ValidationError(f"Enter a number from {self.option.span_in_words}.") from error


def option_field(option: Option, *, initial: object, short: object = None) -> forms.Field:
    """short: the value that a short game has, and the others have not."""
    is_switch = all(isinstance(choice, bool) for choice in option.choices)  # 1 and 0 are equal to those
    help_text = option.help
    if option.seats:
        help_text = f"{help_text} Only with {' or '.join(map(str, option.seats))} seats.".strip()
    if is_switch:
        return forms.BooleanField(label=option.label, initial=initial, required=False, help_text=help_text)
    choices = [
        (str(value), f"{label} (short game)" if value == short is not None else label)
        for value, label in option.choices.items()
    ]
    return list_field(option, choices, initial=str(initial), help_text=help_text)


def list_field(option: Option, choices: Sequence[tuple[str, str]], **kwargs: Any) -> forms.Field:
    """A field with a list of choices and, where the option has a span, any number of it."""
    if option.span:
        return NumberField(option, choices, label=option.label, **kwargs)
    return forms.ChoiceField(choices=choices, label=option.label, required=False, **kwargs)


class PlayNowForm(forms.Form):
    """A game against bots in one click: the smallest table, with the game's usual rules or those of a short game.

    after_course: the strength is that of beginners, and not the player's choice.
    """

    game = forms.ChoiceField(choices=[(game.slug, game.name) for game in GAMES])
    level = forms.ChoiceField(label="Strength of the bots", choices=LEVELS.items())
    length = forms.ChoiceField(label="Length of the game", choices=[("", "Usual"), (SHORT, "Short")], required=False)
    after_course = forms.BooleanField(required=False, widget=forms.HiddenInput)
    key = form_key_field()
    shuffles = shuffles_field()

    def __init__(self, *args: Any, lengths: Sequence[tuple[str, str]] = (), **kwargs: Any) -> None:
        """lengths: of the game that the page shows, with their labels."""
        super().__init__(*args, **kwargs)
        if not self.is_bound:
            choice_field(self, "length").choices = lengths


class ShuffleForm(forms.Form):
    """What a player's browser adds to the shuffle (`games.core.deals`)."""

    seal = forms.RegexField(r"^[0-9a-f]{64}$")
    commitment = forms.RegexField(r"^[0-9a-f]{64}$")
    value = forms.RegexField(r"^[0-9a-f]{32}$", required=False)


class SeenForm(forms.Form):
    """Going on from the end of a hand. hand: its number."""

    hand = forms.IntegerField(min_value=1, max_value=10_000)


class MoveForm(forms.Form):
    """A move made at a version of the table.

    text: the move, every meld of a rearranged table ("4H1 5H1 6H2 / 9C1 9D1 XB"), or a marked card, possibly several.
    `games.forms.board_input.written_move` reads the move. held: for how long the player's page has shown the board, in
    milliseconds that become seconds; only from a browser with script.
    """

    version = forms.IntegerField(min_value=0, max_value=LARGEST)
    text = forms.CharField(max_length=LONGEST)
    is_arrangement = forms.BooleanField(required=False)
    held = forms.IntegerField(min_value=0, max_value=LARGEST, required=False)

    def clean_held(self) -> float | None:
        held = self.cleaned_data["held"]
        return None if held is None else held / 1000


def choice_field(form: forms.Form, name: str) -> forms.ChoiceField:
    """A field of a form by its name, to set its choices."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    return field


def reads_shuffles(data: Mapping[str, str]) -> bool:
    """Whether the browser that sent a form will add a value to the shuffle."""
    return data.get("shuffles") == "1"
