"""Content security policy, strict on the site's pages and wider in Django's admin; and the CSRF failure page."""

from typing import Any

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.shortcuts import render

from infra.rendering import url


class ContentSecurityPolicyMiddleware(CSPMiddleware):
    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.path.startswith(url("admin:index")):
            parts.replace = settings.ADMIN_POLICY
        return parts


def headers_of_every_page(request: HttpRequest) -> dict[str, str] | None:
    """Security headers that the middlewares add to every response; None if they would refuse the request."""
    chain: Any = _empty_answer
    for middleware in (XFrameOptionsMiddleware, ContentSecurityPolicyMiddleware, SecurityMiddleware):
        chain = middleware(chain)
    response: HttpResponseBase = chain(request)
    if response.status_code != 200:
        return None
    return {name: value for name, value in response.items() if name != "Content-Type"} | {"Vary": "Cookie"}


def _empty_answer(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def csp_nonce(request: HttpRequest) -> dict[str, Any]:
    """The nonce under the name that Django 6 and the tags of django-htmx know; none in parts of a page."""
    return {"csp_nonce": getattr(request, "csp_nonce", "")}


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """CSRF failure, mostly a page older than the login: a short text; htmx reloads the page."""
    response = render(request, "403_csrf.html", status=403)
    if request.headers.get("HX-Request"):
        response["HX-Refresh"] = "true"
    return response
