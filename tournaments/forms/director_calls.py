"""Form to call the director."""

from django import forms

from tournaments.models import LONGEST_CALL_REASON


class CallForm(forms.Form):
    reason = forms.CharField(
        max_length=LONGEST_CALL_REASON,
        required=False,
        label="Reason (optional)",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
