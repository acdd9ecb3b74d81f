"""Admin site. Its login and password pages are the site's own, so their limits on wrong passwords apply."""

from typing import Any
from urllib.parse import urlencode

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from infra.next_url import next_url


class SiteAdminConfig(AdminConfig):
    default_site = "cardsite.admin_site.SiteAdmin"


class SiteAdmin(AdminSite):
    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not (
            request.user.is_authenticated and request.user.lacks_second_factor
        )

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        target = next_url(request) or reverse("admin:index")
        if self.has_permission(request):
            return redirect(target)
        if lacks_second_factor(request):
            return redirect("accounts:second-factor")
        if request.user.is_authenticated and request.user.has_account:
            raise PermissionDenied("These pages are for the staff of the site.")
        return redirect(f"{reverse('accounts:login')}?{urlencode({'next': target})}")

    def password_change(  # type: ignore[override]  # Django answers with a template
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("accounts:password")


def lacks_second_factor(request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user.lacks_second_factor
