"""Pages of accounts: sign up, log in, passwords, blocking, access tokens, bots, data export, closing."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.db import IntegrityError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts import blocking, bots, devices, passkeys, pending_log_in, services, throttle, tokens
from accounts.forms import (
    ConfirmPasswordForm,
    LogInForm,
    NewBotForm,
    NewPasswordForm,
    NewTokenForm,
    PasswordResetRequestForm,
    ResetPasswordForm,
    SecondStepForm,
    SignUpForm,
)
from accounts.models import ApiToken, User
from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from infra.next_url import next_url
from infra.task_queue import enqueue

REFUSED = 422
RESET_EMAILS_AN_HOUR = 3  # to one address in an hour, about a forgotten password


@limit_posts("sign-up", count=10, seconds=3600)
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    guest = request.user if request.user.is_authenticated else None
    if guest is not None and not guest.is_guest:
        return redirect("accounts:profile")
    if form.is_valid():
        try:
            user = services.sign_up(**form.cleaned_data, guest=guest)
        except IntegrityError:
            form.add_error("username", "This name is taken.")
        else:
            return log_in_and_continue(request, user)
    return render(request, "accounts/sign_up.html", {"form": form})


@require_POST
@login_required
@limit_posts("guest-name", count=20, seconds=3600)
def name_guest(request: OwnRequest) -> HttpResponse:
    """Gives a guest a name that friends know. People with an account keep theirs."""
    if request.user.is_guest:
        services.name_guest(request.user, request.POST.get("name", ""))
    return redirect(next_url(request) or "accounts:profile")


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
        return continue_log_in(self.request, form.user)


class ChangePassword(PasswordChangeView):
    form_class = NewPasswordForm
    template_name = "accounts/password.html"
    success_url = reverse_lazy("accounts:profile")

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"request": self.request}


@limit_posts("forgotten", count=10, seconds=3600, by_address=True)
def request_password_reset(request: HttpRequest) -> HttpResponse:
    """Sends a password reset e-mail. The answer doesn't reveal whether the address is known."""
    form = PasswordResetRequestForm(request.POST or None)
    if form.is_valid():
        address = form.cleaned_data["address"]
        if not throttle.count_one("forgotten-letters", address.lower(), count=RESET_EMAILS_AN_HOUR, seconds=3600):
            enqueue("accounts.tasks.mail_password_reset", address, request.build_absolute_uri("/").rstrip("/"))
        messages.success(request, f"If there is an account with the address {address}, we've e-mailed it a link.")
        return redirect("accounts:login")
    return render(request, "accounts/request_password_reset.html", {"form": form})


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/profile.html")


@login_required
def log_out_elsewhere(request: OwnRequest) -> HttpResponse:
    """Ends the sessions of the visitor on all other devices."""
    form = ConfirmPasswordForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        services.log_out_everywhere(user=request.user, password=form.cleaned_data.get("password", ""))
        update_session_auth_hash(request, request.user)
        messages.success(request, "You are logged out everywhere else.")
        return redirect("accounts:profile")
    return render(request, "accounts/log_out_elsewhere.html", {"form": form})


# Blocks


@login_required
def blocked_players(request: OwnRequest) -> HttpResponse:
    """The users that the visitor has blocked."""
    return render(request, "accounts/blocked.html", {"blocked": blocking.users_blocked_by(request.user)})


@limit_posts("blocks", count=60, seconds=3600, accounts_too=True)
@require_POST
@login_required
def block_player(request: OwnRequest) -> HttpResponse:
    """Blocks `player`, or unblocks with `off`."""
    other = get_object_or_404(User, username=request.POST.get("player", ""))
    if "off" in request.POST:
        blocking.unblock_user(blocker=request.user, blocked=other)
        messages.success(request, f"You have unblocked {other}.")
    else:
        try:
            blocking.block_user(blocker=request.user, blocked=other)
            messages.success(
                request, f"You have blocked {other}. You won't see each other's messages or challenge each other."
            )
        except ValueError as error:
            messages.error(request, str(error))
    return redirect(next_url(request) or "accounts:blocked")


# Access tokens and bots


def for_accounts(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: a page for people who have signed up. Guests are sent to sign up."""

    @login_required
    @wraps(view)
    def guarded(request: OwnRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs) if request.user.has_account else redirect("accounts:sign-up")

    return guarded


@never_cache
@limit_posts("tokens", count=30, seconds=3600, accounts_too=True)
@for_accounts
def api_tokens(request: OwnRequest) -> HttpResponse:
    """The visitor's access tokens. A new one is shown once, in the answer to the form."""
    form, text = NewTokenForm(request.POST or None), ""
    if form.is_valid():
        days = form.cleaned_data["days"]
        try:
            _, text = tokens.make_token(
                user=request.user,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                expires_at=timezone.now() + timedelta(days=days) if days else None,
            )
            form = NewTokenForm()
        except tokens.TooManyTokens as error:
            form.add_error(None, str(error))
    context = {"form": form, "text": text, "tokens": tokens.own_tokens(request.user), "scopes": tokens.SCOPES}
    return render(request, "accounts/api_tokens.html", context, status=REFUSED if form.errors else 200)


@require_POST
@for_accounts
def revoke_api_token(request: OwnRequest, pk: int) -> HttpResponse:
    """Revokes a token of the visitor, or of one of their bots."""
    found = ApiToken.objects.filter(Q(user=request.user) | Q(user__owner=request.user)).select_related("user")
    token = get_object_or_404(found, pk=pk)
    tokens.revoke_token(token)
    messages.success(request, f'The token "{token.name}" no longer works.')
    return redirect("accounts:bots" if token.user.is_api_bot else "accounts:tokens")


@never_cache
@limit_posts("tokens", count=30, seconds=3600, accounts_too=True)
@for_accounts
def own_bots(request: OwnRequest) -> HttpResponse:
    """The bots that the visitor runs. A POST registers one; its token is shown once, in the answer."""
    form, bot, text = NewBotForm(request.POST or None), None, ""
    if form.is_valid():
        try:
            bot, text = bots.register_bot(owner=request.user, name=form.cleaned_data["username"])
            form = NewBotForm()
        except bots.BotRefused as error:
            form.add_error(None, str(error))
    return render_bots(request, form, bot, text)


@never_cache
@require_POST
@limit_posts("tokens", count=30, seconds=3600, accounts_too=True)
@for_accounts
def renew_bot_token(request: OwnRequest, pk: int) -> HttpResponse:
    """Another token for a bot, shown once, in the answer."""
    bot, text = get_object_or_404(bots.own_bots(request.user), pk=pk), ""
    try:
        _, text = bots.make_bot_token(bot, "Another token")
    except tokens.TooManyTokens as error:
        messages.error(request, str(error))
    return render_bots(request, NewBotForm(), bot, text)


def render_bots(request: OwnRequest, form: NewBotForm, bot: User | None, text: str) -> HttpResponse:
    rows = [(one, tokens.own_tokens(one)) for one in bots.own_bots(request.user)]
    context = {"form": form, "bot": bot, "text": text, "rows": rows, "most": bots.MOST_BOTS}
    return render(request, "accounts/bots.html", context, status=REFUSED if form.errors else 200)


@require_POST
@for_accounts
def retire_bot(request: OwnRequest, pk: int) -> HttpResponse:
    bot = get_object_or_404(bots.own_bots(request.user), pk=pk)
    bots.retire_bot(bot=bot)
    messages.success(request, f"{bot} is retired. Its games stay.")
    return redirect("accounts:bots")


# Own data


@login_required
@require_POST
@limit_posts("export", count=5, seconds=3600, accounts_too=True)
def export_own_data(request: OwnRequest) -> HttpResponse:
    """Data export: everything that the site stores about the visitor, as a JSON file."""
    answer = JsonResponse(
        services.export_account_data(request.user), json_dumps_params={"indent": 1, "ensure_ascii": False}
    )
    answer["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return answer


@login_required
def close_own_account(request: OwnRequest) -> HttpResponse:
    """Explains what happens to the data, and closes the account."""
    form = ConfirmPasswordForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        services.close_account(user=request.user)
        logout(request)
        messages.success(request, "Your account is closed. Your name no longer appears on the site.")
        return redirect("home")
    return render(request, "accounts/close_account.html", {"form": form})
