"""Pages to sign up, log in, and set, change or reset a password."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.views.decorators.cache import never_cache

from accounts import devices, passkeys, pending_log_in, services, throttle
from accounts.forms import (
    LogInForm,
    NewPasswordForm,
    PasswordResetRequestForm,
    ResetPasswordForm,
    SecondStepForm,
    SignUpForm,
)
from accounts.models import User
from accounts.throttle import limit_posts
from infra.next_url import next_url
from infra.task_queue import enqueue

RESET_EMAILS_AN_HOUR = 3  # to one address in an hour, about a forgotten password


@limit_posts("sign-up")
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    guest = request.user if request.user.is_authenticated else None
    if guest is not None and not guest.is_guest:
        return redirect("accounts:profile")
    if form.is_valid():
        try:
            user = services.sign_up(**form.cleaned_data, guest=guest)
        except IntegrityError:
            if guest is not None:
                guest.refresh_from_db()  # else the page greets the guest by a name that is someone else's
            form.add_error("username", "This name is taken.")
        else:
            kept = " It has everything you played as a guest." if guest else ""
            messages.success(request, f"Your account is ready, {user}.{kept}")
            return log_in_and_continue(request, user)
    return render(request, "accounts/sign_up.html", {"form": form})


def log_in_and_continue(request: HttpRequest, user: User) -> HttpResponse:
    """Logs in, with the games of a guest, and redirects to where the visitor came from."""
    guest = request.user
    if guest.is_authenticated and guest.is_guest:
        services.join_account(guest=guest, user=user)
    login(request, user)
    answer = redirect(next_url(request) or "accounts:profile")
    if user.lacks_second_factor:
        messages.info(request, "The staff of this site logs in with a second factor. Please set one up.")
        answer = redirect("accounts:second-factor")
    devices.remember_device(answer, user.username)
    return answer


def continue_log_in(request: HttpRequest, user: User) -> HttpResponse:
    """After the right password, or a link of ours: asks for the second factor, if the account has one, or logs in."""
    if not user.second_factors.exists():
        return log_in_and_continue(request, user)
    pending_log_in.begin(request, user)
    target = urlencode({"next": next_url(request)})
    return redirect(f"{reverse('accounts:second-step')}?{target}")


def log_in(request: HttpRequest) -> HttpResponse:
    form = LogInForm(request, data=request.POST or None)
    if form.is_valid():
        return continue_log_in(request, form.get_user())
    return render(request, "accounts/login.html", {"form": form})


@never_cache
def second_step(request: HttpRequest) -> HttpResponse:
    """The second step of a log-in."""
    user = pending_log_in.user_of(request)
    if user is None:
        return redirect("accounts:login")
    form = SecondStepForm(request, user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        pending_log_in.end(request)
        return log_in_and_continue(request, user)
    context = {"form": form, "options": passkeys.log_in_options(request, user)}
    return render(request, "accounts/second_step.html", context)


class NewPassword(PasswordResetConfirmView):
    """Sets a new password by the link of an e-mail, and logs in."""

    form_class = ResetPasswordForm
    template_name = "accounts/reset_password.html"
    success_url = reverse_lazy("accounts:profile")

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        super().form_valid(form)
        messages.success(self.request, "Your new password is saved.")
        return continue_log_in(self.request, form.user)


class ChangePassword(PasswordChangeView):
    form_class = NewPasswordForm
    template_name = "accounts/password.html"
    success_url = reverse_lazy("accounts:profile")

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"request": self.request}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        messages.success(self.request, "Your password is changed. Your other browsers are logged out.")
        return super().form_valid(form)


@limit_posts("password-reset")
def request_password_reset(request: HttpRequest) -> HttpResponse:
    """Sends a password reset e-mail. The answer doesn't reveal whether the address is known."""
    form = PasswordResetRequestForm(request.POST or None)
    if form.is_valid():
        address = form.cleaned_data["address"]
        if not throttle.count_one("password-reset-emails", address.lower(), count=RESET_EMAILS_AN_HOUR, seconds=3600):
            enqueue("accounts.tasks.mail_password_reset", address, request.build_absolute_uri("/").rstrip("/"))
        messages.success(request, f"If there is an account with the address {address}, we've e-mailed it a link.")
        return redirect("accounts:login")
    return render(request, "accounts/request_password_reset.html", {"form": form})
