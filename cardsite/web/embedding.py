"""Pages in frames of other sites (iframes): any site may frame them, they are the same for all, and use no cookie.

Only their answers have `settings.EMBED_POLICY`; all other pages refuse to be framed.
"""

import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET

from accounts.preferences import SITE_NAME

WIDTH, HEIGHT = 720, 640  # of a frame, unless its site says otherwise
CACHED_SECONDS = 60
LINK_TO_SITE = re.compile(r'<a\s(?=[^>]*href="/)')


def embeddable(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Decorator: a page for frames of other sites. Its reader is always a visitor who is not logged in."""

    @require_GET
    @xframe_options_exempt
    @csp_replace(settings.EMBED_POLICY)
    @cache_control(public=True, max_age=CACHED_SECONDS)
    @wraps(page)
    def shown_to_visitors(request: HttpRequest, *parts: Any, **named: Any) -> HttpResponse:
        request.user = AnonymousUser()
        try:
            return page(request, *parts, **named)
        except Http404:
            return render_embed("embeds/gone.html", {}, status=404)

    return shown_to_visitors


def render_embed(template: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """Without the request, so that nothing in it can depend on the reader. Links to the site open outside the frame."""
    html = render_to_string(template, {"site_name": SITE_NAME, **context})
    return HttpResponse(LINK_TO_SITE.sub('<a target="_blank" rel="noopener" ', html), status=status)


def frame_code(address: str, title: str, *, width: int = WIDTH, height: int = HEIGHT) -> SafeString:
    """HTML that shows an embedded page on another site. address: with the host."""
    return format_html(
        '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy" '
        'style="border: 0; max-width: 100%"></iframe>',
        address,
        title,
        width,
        height,
    )
