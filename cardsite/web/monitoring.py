"""Pages for those who watch the site, before all other middlewares: they are asked by IP address and without TLS."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cardsite.web.health import health_page, ready_page
from cardsite.web.metrics import metrics_page

Handler = Callable[[HttpRequest], HttpResponseBase]

PAGES: dict[str, Handler] = {"/healthz": health_page, "/readyz": ready_page, "/metrics": metrics_page}


def monitoring_middleware(get_response: Handler) -> Handler:
    return lambda request: PAGES.get(request.path_info, get_response)(request)
