from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from cardsite.accounts import services
from cardsite.accounts.forms import CloseAccountForm, SignUpForm
from cardsite.accounts.throttle import limit_posts


def next_url(request: HttpRequest) -> str:
    """Where the visitor came from, if that is a page of this site."""
    url = request.POST.get("next") or request.GET.get("next", "")
    return url if url_has_allowed_host_and_scheme(url, allowed_hosts={request.get_host()}) else ""


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
            login(request, user, backend=services.BACKEND)
            return redirect(next_url(request) or "accounts:profile")
    return render(request, "accounts/sign_up.html", {"form": form, "next": next_url(request)})


@limit_posts("login", count=20, seconds=600)
def log_in(request: HttpRequest) -> HttpResponse:
    form = AuthenticationForm(request, data=request.POST or None)
    form.fields["username"].label = "Name"  # as it is called where one signs up
    if form.is_valid():
        guest, user = request.user, form.get_user()
        if guest.is_authenticated and guest.is_guest:
            services.join_account(guest=guest, user=user)
        login(request, user)
        return redirect(next_url(request) or "accounts:profile")
    return render(request, "accounts/login.html", {"form": form, "next": next_url(request)})


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/profile.html")


@login_required
@require_POST
@limit_posts("export", count=5, seconds=3600, accounts_too=True)
def export(request: HttpRequest) -> HttpResponse:
    """Everything that the site keeps of the visitor, as a file."""
    answer = JsonResponse(services.data_of(request.user), json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return answer


@login_required
@limit_posts("close", count=10, seconds=600, accounts_too=True)
def close(request: HttpRequest) -> HttpResponse:
    """Says what becomes of everything, and closes the account."""
    form = CloseAccountForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        services.close_account(user=request.user)
        logout(request)
        messages.success(request, "Your account is closed, and your name is gone from the site.")
        return redirect("home")
    return render(request, "accounts/close.html", {"form": form})
