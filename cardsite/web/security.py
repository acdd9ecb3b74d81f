"""The content security policy, strict on the site's pages and wider in Django's admin; and requests without a token."""

from typing import Any

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse


class ContentSecurityPolicy(CSPMiddleware):
    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.path.startswith(reverse("admin:index")):
            parts.replace = settings.ADMIN_POLICY
        return parts


def csp_nonce(request: HttpRequest) -> dict[str, Any]:
    """The nonce under the name that Django 6 and the tags of django-htmx know; none in what is put into a page."""
    return {"csp_nonce": getattr(request, "csp_nonce", "")}


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """What one gets who posts from a page that is older than the login: a word about it; htmx loads the page anew."""
    response = render(request, "403_csrf.html", status=403)
    if request.headers.get("HX-Request"):
        response["HX-Refresh"] = "true"
    return response
