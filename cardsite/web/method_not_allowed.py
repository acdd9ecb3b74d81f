"""What one gets who opens an address that only takes what a form sends, or the other way round."""

from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import is_valid_path
from django.utils.deprecation import MiddlewareMixin


class NotAllowedPage(MiddlewareMixin):
    """Gives every answer 405 a page with words and a way on."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        is_read = request.method in ("GET", "HEAD")
        context = {"is_read": is_read, "way_on": page_above(request.path_info) if is_read else request.path_info}
        page = render(request, "405.html", context, status=405)
        page["Allow"] = response["Allow"]
        return page


def page_above(path: str) -> str:
    """The nearest address above this one that exists: "/tables/abc/" for "/tables/abc/what-if/"."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path):
            break
    return path
