"""Forms to sign up, log in, set or reset a password, and set up second factors."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import AdminPasswordChangeForm, AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts import passkeys, second_factors, tokens
from accounts.brute_force import password_attempt, second_factor_attempt
from accounts.log_in_changes import email_log_in_change
from accounts.models import User, with_name
from accounts.requests import OwnRequest
from accounts.signals import sessions_ended

NAME_LENGTH = 24
PASSWORD_HELP = "At least eight characters."
WRONG_PASSWORD = "This password is wrong. Please try again."
RESERVED_NAMES = ("guest", "bot-")  # names that the site gives out


class NewNameForm(forms.Form):
    """The name of a new user."""

    username = forms.CharField(
        label="Name",
        min_length=2,
        max_length=NAME_LENGTH,
        validators=[UnicodeUsernameValidator(message="Please use only letters, digits and . + - _ @")],
        help_text="Letters, digits and . + - _ @. Everyone sees it, and it can't be changed later.",
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        if name.lower().startswith(RESERVED_NAMES):
            raise ValidationError("Names that start like this are reserved. Please choose another one.")
        if User.objects.filter(username__iexact=name).exists():
            raise ValidationError("This name is taken.")
        return name


class SignUpForm(NewNameForm):
    password = forms.CharField(
        help_text=PASSWORD_HELP,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    email = forms.EmailField(
        label="E-mail (optional)",
        required=False,
        help_text="Only you see it. You need it to reset your password if you forget it.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, User(username=self.cleaned_data.get("username", "")))
        return password


class LogInForm(AuthenticationForm):
    """Name and password. The owner of a suspended account, who knows the password, is told the reason."""

    error_messages = {"invalid_login": "The name or the password is wrong. Please try again."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"  # as it is called where one signs up

    def clean_username(self) -> str:
        """The name as its owner writes it."""
        name: str = self.cleaned_data["username"]
        return with_name(User.objects.all(), name).values_list("username", flat=True).first() or name

    def clean(self) -> dict[str, Any]:
        """:raises TooManyAttempts:"""
        if not self.cleaned_data.keys() >= self.fields.keys():
            return super().clean()  # there is nothing to check
        assert self.request is not None, "the view gives it"
        with password_attempt(self.request, self.cleaned_data["username"]):
            return super().clean()

    def get_invalid_login_error(self) -> ValidationError:
        name, password = self.cleaned_data["username"], self.cleaned_data["password"]
        user = User.objects.filter(username=name).exclude(shut_because="").first()
        if user is None or not user.check_password(password):
            return super().get_invalid_login_error()
        return ValidationError(f"Your account has been suspended: {user.shut_because}")


class ConfirmPasswordForm(forms.Form):
    """Asks users who have a password for it."""

    password = forms.CharField(
        label="Your password", widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, request: OwnRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        if not request.user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        """:raises TooManyAttempts:"""
        password: str = self.cleaned_data["password"]
        with password_attempt(self.request, self.request.user.username):
            if not self.request.user.check_password(password):
                raise ValidationError(WRONG_PASSWORD)
        return password


CODE_INPUT = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}


class SecondStepForm(forms.Form):
    """The second step of a log-in: a code, or the answer of a passkey, which a script fills in."""

    code = forms.CharField(
        label="Code", required=False, max_length=60, widget=forms.TextInput(attrs={**CODE_INPUT, "autofocus": True})
    )
    answer = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.user = request, user

    def clean(self) -> dict[str, Any]:
        """:raises TooManyAttempts:"""
        code, answer = self.cleaned_data.get("code", ""), self.cleaned_data.get("answer", "")
        with second_factor_attempt(self.request, self.user.username):
            if answer:
                passkeys.check_passkey(self.request, user=self.user, answer=answer)
            else:
                second_factors.check_code(self.user, code)
        return self.cleaned_data


class NewFactorForm(ConfirmPasswordForm):
    """A new second factor: its name, and the password of its user."""

    name = forms.CharField(
        label="Name (optional)", required=False, max_length=60, help_text="To tell it from others, such as Phone."
    )
    field_order = ["code", "answer", "name", "password"]


class NewAppForm(NewFactorForm):
    code = forms.CharField(
        label="Code that the app shows",
        max_length=20,
        widget=forms.TextInput(attrs={**CODE_INPUT, "inputmode": "numeric"}),
    )


class NewPasskeyForm(NewFactorForm):
    answer = forms.CharField(
        widget=forms.HiddenInput, error_messages={"required": "Your browser has sent no passkey. Please try again."}
    )


if TYPE_CHECKING:  # generic for the type checker only
    PasswordForm = SetPasswordForm[User]
    SetUserPasswordForm = SetPasswordForm[User]
    AdminUserPasswordForm = AdminPasswordChangeForm[User]
else:
    PasswordForm, SetUserPasswordForm, AdminUserPasswordForm = object, SetPasswordForm, AdminPasswordChangeForm


class EndsSessionsMixin(PasswordForm):
    """A new password ends the sessions of the old one, and its owner is told."""

    def save(self, commit: bool = True) -> User:
        user = super().save(commit)
        sessions_ended.send(sender=User, user=user)
        email_log_in_change(user, "Password changed.")
        return user


class PasswordFieldsMixin(PasswordForm):
    """Two fields for a new password, labelled as on the sign-up page."""

    error_messages = {
        "password_mismatch": "The two new passwords are not the same.",
        "password_incorrect": WRONG_PASSWORD,
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first, again = self.fields["new_password1"], self.fields["new_password2"]
        first.help_text, again.help_text, again.label = PASSWORD_HELP, "", "Repeat the new password"


class NewPasswordForm(PasswordFieldsMixin, EndsSessionsMixin, PasswordChangeForm):
    def __init__(self, *args: Any, request: OwnRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        """:raises TooManyAttempts:"""
        with password_attempt(self.request, self.user.username):
            return str(super().clean_old_password())


class PasswordResetRequestForm(forms.Form):
    address = forms.EmailField(
        label="E-mail address of your account", widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class ResetPasswordForm(PasswordFieldsMixin, EndsSessionsMixin, SetUserPasswordForm):
    pass


class NewPasswordByAdminForm(EndsSessionsMixin, AdminUserPasswordForm):
    pass


class NewBotForm(NewNameForm):
    """A bot that a person registers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["autocomplete"] = "off"


class NewTokenForm(forms.Form):
    """A new access token."""

    name = forms.CharField(label="Name", max_length=60, help_text="What you will use it for.")
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        choices=[(scope, f"{text} ({scope})") for scope, text in tokens.SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
        initial=["read"],
    )
    days = forms.TypedChoiceField(
        label="Expires",
        coerce=int,
        choices=[(30, "After 30 days"), (90, "After 90 days"), (365, "After a year"), (0, "Never")],
        initial=90,
    )
