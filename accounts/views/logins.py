"""Pages of own logins: where the visitor is logged in, and logging out there."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import logins, services
from accounts.forms import ConfirmPasswordForm
from accounts.requests import OwnRequest


@never_cache
@require_safe
@login_required
def own_logins(request: OwnRequest) -> HttpResponse:
    context = {"logins": logins.holding_logins(request.user), "key": request.session.session_key}
    return render(request, "accounts/logins.html", context)


@require_POST
@login_required
def end_login(request: OwnRequest, pk: int) -> HttpResponse:
    """Ends a login of the visitor in another browser."""
    record = get_object_or_404(request.user.logins.exclude(session_key=request.session.session_key), pk=pk)
    logins.end_login(record)
    messages.success(request, f"{record.device} is logged out.")
    return redirect("accounts:logins")


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
