"""Filter form of the list of games: kind, number of players, length."""

from django import forms

from games.domain.clocks import MINUTE, duration
from games.engines import FAMILIES
from games.presentation.game_list import LISTED_GAMES, ListedGame

LENGTHS = (20, 45)  # minutes
KINDS = {family.partition(":")[0]: games for family, games in FAMILIES}
SEATS = sorted({seats for entry in LISTED_GAMES for seats in entry.game.seats})


class GameFilterForm(forms.Form):
    """What a player looks for; every field may be left open."""

    kind = forms.ChoiceField(required=False, choices=[("", "All kinds"), *((kind, kind) for kind in KINDS)])
    players = forms.TypedChoiceField(
        required=False,
        coerce=int,
        choices=[("", "Any players"), *((seats, f"{seats} players") for seats in SEATS)],
    )
    minutes = forms.TypedChoiceField(
        label="Length",
        required=False,
        coerce=int,
        choices=[("", "Any length"), *((most, f"Up to {duration(most * MINUTE)}") for most in LENGTHS)],
    )

    def found(self) -> list[ListedGame]:
        """The games that fit, in the order of the list; unknown values, from an edited address, are left out."""
        self.is_valid()
        chosen = self.cleaned_data
        return [
            entry
            for entry in LISTED_GAMES
            if (not chosen.get("kind") or entry.game in KINDS[chosen["kind"]])
            and (not chosen.get("players") or chosen["players"] in entry.game.seats)
            and (not chosen.get("minutes") or entry.minutes <= chosen["minutes"])
        ]
