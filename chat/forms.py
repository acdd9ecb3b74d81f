"""Forms of the chat and of reports."""

from django import forms

from chat.models import LONGEST_REASON, Line, Report
from infra.forms import TypedModelForm


class ChatLineForm(forms.Form):
    """One chat line: a phrase or reaction by its key, from the button that was pressed, or the text of the field."""

    text = forms.CharField(required=False, max_length=2000)  # services say what is too long
    phrase = forms.CharField(required=False, max_length=20)
    reaction = forms.CharField(required=False, max_length=20)

    def kind_and_text(self) -> tuple[str, str]:
        """The kind of the line (`Line.Kind`) and its text or key."""
        for kind in (Line.Kind.PHRASE, Line.Kind.REACTION):
            if self.cleaned_data.get(kind):
                return kind, self.cleaned_data[kind]
        return Line.Kind.FREE, self.cleaned_data.get("text", "")


class ReportForm(TypedModelForm[Report]):
    reason = forms.ChoiceField(label="What's wrong?", choices=[("", "Choose"), *Report.Reason.choices])

    class Meta:
        model = Report
        fields = ("reason", "note")
        labels = {"note": "What should the moderators know?"}
        help_texts = {"note": "Optional. The chat at the table is sent with your report."}
        widgets = {"note": forms.Textarea(attrs={"rows": 4, "maxlength": 1000})}


class ReasonForm(forms.Form):
    why = forms.CharField(max_length=LONGEST_REASON)
