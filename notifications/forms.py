"""Forms of the notification settings and of webhooks."""

from typing import Any

from django import forms
from django.utils import timezone

from infra.forms import TypedModelForm
from infra.outgoing import LONGEST_URL
from infra.time_zones import ZoneField
from notifications import web_push, webhooks
from notifications.models import MailAddress, PushSubscription


class AddressForm(forms.Form):
    address = forms.EmailField(
        label="Your address",
        help_text="We'll send a link there to confirm it. Links to reset your password go there too.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class TurnEmailsForm(TypedModelForm[MailAddress]):
    """Which e-mails to send about correspondence games, and when the daily one is sent."""

    class Meta:
        model = MailAddress
        fields = ("turns", "daily_at", "time_zone")
        labels = {"turns": "E-mails about correspondence games", "daily_at": "Time of the daily e-mail"}
        widgets = {"daily_at": forms.TimeInput(format="%H:%M", attrs={"type": "time"})}

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["time_zone"] = ZoneField()

    def save(self, commit: bool = True) -> MailAddress:
        self.instance.daily_due_at = self.instance.next_daily(after=timezone.now())
        mail: MailAddress = super().save(commit)
        return mail


class PushForm(TypedModelForm[PushSubscription]):
    """A browser's push subscription. The browser may have subscribed before, for another user."""

    class Meta:
        model = PushSubscription
        fields = ("endpoint", "p256dh", "auth")
        field_classes = {"endpoint": forms.CharField}

    def validate_unique(self) -> None:
        """The same browser may subscribe again."""

    def clean_endpoint(self) -> str:
        endpoint: str = self.cleaned_data["endpoint"]
        if not web_push.is_push_service(endpoint):
            raise forms.ValidationError("The site doesn't support this browser's push service.")
        return endpoint

    def clean(self) -> None:
        if not web_push.are_push_keys(self.cleaned_data.get("p256dh", ""), self.cleaned_data.get("auth", "")):
            raise forms.ValidationError("Your browser sent invalid push keys. Please try again.")


class NewWebhookForm(forms.Form):
    """A new webhook."""

    url = forms.CharField(
        label="Address",
        max_length=LONGEST_URL,
        help_text="It starts with https:// and is on the public internet.",
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label="When to send a message", choices=webhooks.KINDS.items, widget=forms.CheckboxSelectMultiple
    )
