"""Full pages for htmx: a log-in or a 403 page must not be pasted into a part of the page that asked."""

from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.deprecation import MiddlewareMixin
from django_htmx.http import HttpResponseClientRedirect, reswap

from infra.requests import HtmxRequest

FORBIDDEN = 403  # of the statuses that htmx swaps (base.html), the one that often comes with a whole page


class NoPagesInParts(MiddlewareMixin):
    """Middleware: answers htmx requests with a log-in by a redirect of the whole page, and keeps 403 pages out.

    unanswered.js says what the player should do about a page that was kept out.
    """

    def process_response(self, request: HtmxRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not request.htmx:
            return response
        if "Location" in response and urlsplit(response["Location"]).path == (login := resolve_url(settings.LOGIN_URL)):
            query = urlencode({"next": request.htmx.current_url_abs_path or "/"})
            return HttpResponseClientRedirect(f"{login}?{query}")
        if response.status_code == FORBIDDEN and isinstance(response, HttpResponse) and is_page(response):
            return reswap(response, "none")
        return response


def is_page(response: HttpResponse) -> bool:
    """Whether it is a whole page, not a part of one."""
    return response.content.lstrip().lower().startswith(b"<!doctype")
