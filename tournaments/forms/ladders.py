"""Form of a ladder: its game, and the rules of its challenges."""

from typing import Any

from django import forms

from infra.forms import TypedModelForm
from tournaments.models import Ladder


class LadderForm(TypedModelForm[Ladder]):
    """The game stays as it is once the ladder is made."""

    class Meta:
        model = Ladder
        fields = (
            "name", "description", "game", "pace", "is_rated", "reach", "answer_days", "allowed_declines",
            "rematch_days", "idle_weeks", "is_open",
        )  # fmt: skip
        widgets = {"description": forms.Textarea(attrs={"rows": 2})}
        labels = {
            "reach": "How many places above can be challenged",
            "allowed_declines": "Challenges a player may decline in a row",
            "idle_weeks": "Weeks without a game before a player drops",
            "is_open": "Players can join and challenge",
        }
        help_texts = {
            "answer_days": "No answer by then counts as declining.",
            "allowed_declines": "After these, the challenger takes the place. 0: at once.",
            "rematch_days": "After a loss, a draw or a decline, a challenger can't challenge the same player so long.",
            "idle_weeks": "Then they drop one place a week. Leave empty to keep places.",
        }
        error_messages = {"name": {"unique": "There is already a ladder with this name. Choose another one."}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].disabled = self.instance.pk is not None
