"""The content security policy: strict on the site's pages, a little wider where Django's admin needs it."""

from typing import Any

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
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
    """The nonce under the name that Django 6 and the tags of django-htmx know."""
    return {"csp_nonce": request.csp_nonce}
