"""Pages of one's own account: settings, a guest's name, data export, closing."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts import services
from accounts.forms import ConfirmPasswordForm
from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from infra.next_url import next_url


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/profile.html")


@require_POST
@login_required
@limit_posts("guest-name")
def name_guest(request: OwnRequest) -> HttpResponse:
    """Gives a guest a name that friends know. People with an account keep theirs."""
    if request.user.is_guest:
        services.name_guest(request.user, request.POST.get("name", ""))
    return redirect(next_url(request) or "accounts:profile")


@login_required
@require_POST
@limit_posts("export")
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
