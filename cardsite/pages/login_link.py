"""One-time login link for an administrator, for the person who has just started the site."""

import hashlib
import secrets

from django.contrib.auth import get_user_model, login
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.brute_force import secret_attempt

LOGIN_LINK_KEY = "login-link"
LIFETIME_SECONDS = 24 * 60 * 60


class WrongLoginLink(Exception):
    """The link was never made, or has been used."""


def make_login_link() -> str:
    """The path of a new link; every earlier link stops working.

    It logs the first superuser in. If there is none, "admin" is created, without a password.
    """
    User = get_user_model()
    admin = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if admin is None:
        admin = User.objects.create_superuser("admin", password=None)
    token = secrets.token_urlsafe(32)
    cache.set(LOGIN_LINK_KEY, (_hash(token), admin.pk), LIFETIME_SECONDS)
    return reverse("login-link", args=[token])


@never_cache
@require_GET
def log_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    try:
        with secret_attempt(request, wrong=WrongLoginLink):
            user_id = _owner(token)
    except WrongLoginLink:
        return HttpResponseForbidden("This link has been used or is out of date. Restart the site to get a new one.")
    user = get_user_model().objects.get(pk=user_id)
    login(request, user)
    return HttpResponseRedirect(reverse("admin:index"))


def _owner(token: str) -> int:
    """The id of the user whom the link logs in; the link is used up then. :raises WrongLoginLink:"""
    expected, user_id = cache.get(LOGIN_LINK_KEY, ("", None))
    # Only one of several requests at the same moment deletes the key.
    if not (secrets.compare_digest(_hash(token), expected) and cache.delete(LOGIN_LINK_KEY)):
        raise WrongLoginLink
    return int(user_id)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
