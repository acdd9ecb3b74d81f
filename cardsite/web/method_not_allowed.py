"""405 page: for addresses that only take a form, or only show a page."""

from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import is_valid_path
from django.utils.deprecation import MiddlewareMixin


class MethodNotAllowedPage(MiddlewareMixin):
    """Middleware: gives every 405 response a page with words and a link."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        is_read = request.method in ("GET", "HEAD")
        context = {"is_read": is_read, "way_on": parent_page(request.path_info) if is_read else request.path_info}
        page = render(request, "405.html", context, status=405)
        page["Allow"] = response["Allow"]
        return page


def parent_page(path: str) -> str:
    """The nearest address above this one that exists: "/tables/abc/" for "/tables/abc/what-if/"."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path):
            break
    return path
