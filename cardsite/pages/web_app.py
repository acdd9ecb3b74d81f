"""Web app: its manifest, its service worker, and the page that the worker shows without a connection."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.views.decorators.http import require_GET

from accounts.preferences import SITE_NAME
from infra.release import release

PAPER = "#faf7f0"  # as in base/tokens.css, light


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest, with which browsers offer to install the site."""
    icon = {"src": static("cardsite/icon.svg"), "type": "image/svg+xml", "sizes": "any", "purpose": "any"}
    content = {
        "id": "/",
        "name": SITE_NAME,
        "short_name": SITE_NAME,
        "description": "Learn, play and compete at card games.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [icon, icon | {"src": static("cardsite/icon-maskable.svg"), "purpose": "maskable"}],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root: a worker sees only pages below its own address."""
    script = render_to_string("cardsite/sw.js", {"release": release()})
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """The offline page, alike for everyone, because the worker keeps it."""
    return HttpResponse(render_to_string("cardsite/offline.html"))
