"""What pages of accounts share: who may see them, and the status of a refused form."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.requests import OwnRequest

REFUSED = 422


def for_accounts(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: a page for people who have signed up. Guests are sent to sign up."""

    @login_required
    @wraps(view)
    def guarded(request: OwnRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs) if request.user.has_account else redirect("accounts:sign-up")

    return guarded
