"""Forms to enter an event, and to import entries."""

from typing import Any

from django import forms

from tournaments.domain.questions import Question
from tournaments.forms.events import PersonField
from tournaments.models import LONGEST_TEAM_NAME, Event

LONGEST_LIST = 100_000  # characters


class PartnerForm(forms.Form):
    partner = PersonField(label="Your partner's name", widget=forms.TextInput(attrs={"autocapitalize": "none"}))


class TeamMemberForm(forms.Form):
    member = PersonField(label="Player's name", widget=forms.TextInput(attrs={"autocapitalize": "none"}))


class EnterForm(forms.Form):
    """What an event asks of an entrant: nothing, its password, a partner, the name of a team, its own questions.

    comes_back: an entrant who returns is asked nothing.
    """

    password = forms.CharField(
        max_length=128,
        label="Tournament password",
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}, render_value=True),
    )
    partner = PersonField(
        required=False,
        label="Your partner's name",
        help_text="They have to accept. If you leave this empty, others can join you, or the site finds you a "
        "partner at the start.",
        widget=forms.TextInput(attrs={"autocapitalize": "none"}),
    )

    team = forms.CharField(
        max_length=LONGEST_TEAM_NAME,
        label="Name of your team",
        help_text="You are its captain. Then you invite players, or send them a link.",
    )

    def __init__(self, *args: Any, event: Event, comes_back: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not event.password or comes_back:
            del self.fields["password"]
        if not event.has_pairs or comes_back:
            del self.fields["partner"]
        if not event.has_teams or comes_back:
            del self.fields["team"]
        self.questions: list[Question] = [] if comes_back else event.questions
        for number, question in enumerate(self.questions):
            self.fields[f"question-{number}"] = _question_field(question)

    def clean(self) -> dict[str, Any]:
        """With the answers together, by question."""
        data = super().clean() or self.cleaned_data
        given = [data.pop(f"question-{number}", "") for number in range(len(self.questions))]
        answers = {question["label"]: answer for question, answer in zip(self.questions, given, strict=True)}
        return data | ({"answers": answers} if answers else {})


def _question_field(question: Question) -> forms.Field:
    if question["choices"]:
        choices = [("", "Choose"), *((choice, choice) for choice in question["choices"])]
        return forms.ChoiceField(label=question["label"], choices=choices)
    return forms.CharField(label=question["label"], max_length=200)


class ImportForm(forms.Form):
    """A list of names, in `text` also if it was uploaded."""

    text = forms.CharField(
        required=False,
        max_length=LONGEST_LIST,
        strip=False,
        label="Names",
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "none"}),
    )
    file = forms.FileField(required=False, label="Or a CSV file")

    def clean_file(self) -> str:
        """The text of the file. Spreadsheets write UTF-8 with a byte order mark, older ones Latin-1."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > LONGEST_LIST:
            raise forms.ValidationError("This file is too long. Split the list and import it in parts.")
        content = file.read()
        try:
            return str(content, "utf-8-sig")
        except UnicodeDecodeError:
            return str(content, "latin-1")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        data["text"] = "\n".join(filter(None, (data.get("text"), data.get("file"))))
        if not data["text"].strip() and not self.errors:
            raise forms.ValidationError("Paste a list of names, or choose a file.")
        return data
