"""Settings pages of second factors: list, add, remove, recovery codes. The second step of a log-in is in `log_in`."""

from base64 import b64encode

from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache

from accounts import passkeys, second_factors
from accounts.forms import ConfirmPasswordForm, NewAppForm, NewPasskeyForm
from accounts.requests import OwnRequest
from accounts.views.access import REFUSED, for_accounts
from infra.qr_codes import qr_code

KEY_SALT = "accounts.new-app"
KEY_SECONDS = 3600


@never_cache
@for_accounts
def own_factors(request: OwnRequest) -> HttpResponse:
    context = {
        "factors": request.user.second_factors.all(),
        "codes_left": request.user.recovery_codes.count(),
        "lacks_one": request.user.lacks_second_factor,
    }
    return render(request, "accounts/second_factor.html", context)


@never_cache
@for_accounts
def add_app(request: OwnRequest) -> HttpResponse:
    """A QR code for an app, and the form that proves that the app has read it."""
    key = sent_key(request) or second_factors.new_app_key()
    form = NewAppForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        code, name = form.cleaned_data["code"], form.cleaned_data["name"]
        try:
            codes = second_factors.add_app(user=request.user, key=key, code=code, name=name)
        except ValidationError as error:
            form.add_error("code", error)
        else:
            return after_adding(request, codes)
    url = second_factors.app_url(request.user, key)
    context = {
        "form": form,
        "key": signing.dumps(key, salt=KEY_SALT),
        "url": url,
        "secret": second_factors.app_secret(key),
        "picture": b64encode(qr_code(url)).decode(),
    }
    return render(request, "accounts/add_app.html", context, status=REFUSED if form.errors else 200)


def sent_key(request: HttpRequest) -> str:
    """The key of the page that the form was on; "" if that page is too old."""
    try:
        return str(signing.loads(request.POST.get("key", ""), salt=KEY_SALT, max_age=KEY_SECONDS))
    except signing.BadSignature:
        return ""


@never_cache
@for_accounts
def add_passkey(request: OwnRequest) -> HttpResponse:
    form = NewPasskeyForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        answer, name = form.cleaned_data["answer"], form.cleaned_data["name"]
        try:
            codes = passkeys.add_passkey(request, user=request.user, answer=answer, name=name)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return after_adding(request, codes)
    context = {"form": form, "options": passkeys.registration_options(request, request.user)}
    return render(request, "accounts/add_passkey.html", context, status=REFUSED if form.errors else 200)


def after_adding(request: OwnRequest, codes: list[str]) -> HttpResponse:
    """Shows the recovery codes that came with the first factor."""
    if codes:
        return render(request, "accounts/recovery_codes.html", {"codes": codes, "is_first": True})
    messages.success(request, "You can log in with it from now on.")
    return redirect("accounts:second-factor")


@never_cache
@for_accounts
def remove(request: OwnRequest, pk: int) -> HttpResponse:
    factor = get_object_or_404(request.user.second_factors, pk=pk)
    form = ConfirmPasswordForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        second_factors.remove_factor(factor)
        messages.success(request, f'"{factor.name}" is removed.')
        return redirect("accounts:second-factor")
    return render(request, "accounts/remove_factor.html", {"form": form, "factor": factor})


@never_cache
@for_accounts
def renew_recovery_codes(request: OwnRequest) -> HttpResponse:
    """New recovery codes, shown once, in the answer to the form."""
    if not request.user.second_factors.exists():
        return redirect("accounts:second-factor")
    form = ConfirmPasswordForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        codes = second_factors.renew_recovery_codes(user=request.user)
        return render(request, "accounts/recovery_codes.html", {"codes": codes})
    return render(request, "accounts/renew_recovery_codes.html", {"form": form})
