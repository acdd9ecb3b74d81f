"""Pages of access tokens, and of the bots that play with them."""

from datetime import timedelta

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts import bots, tokens
from accounts.forms import NewBotForm, NewTokenForm
from accounts.models import ApiToken, User
from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from accounts.views.access import REFUSED, for_accounts


@never_cache
@limit_posts("tokens")
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
@limit_posts("tokens")
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
@limit_posts("tokens")
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
