"""Types of requests that have gone through the middlewares."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """htmx: true where a script asks for a part of a page."""

    htmx: HtmxDetails
