"""Page of own logins: where the visitor is logged in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import logins
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
