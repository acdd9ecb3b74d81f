"""Where a visitor goes on after a form that any page can lead to: logging in, say, or how the site looks."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def next_url(request: HttpRequest) -> str:
    """The path that the visitor came from, as the form or the link says; "" if it is not one of this site."""
    url = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return url if is_ours and url.startswith("/") else ""


def context(request: HttpRequest) -> dict[str, str]:
    """`way_back`, for links to the pages of the account: this page; on those pages, the one they were opened from."""
    at = request.resolver_match
    if at is not None and at.app_name == "accounts":
        return {"way_back": next_url(request)}
    return {"way_back": request.get_full_path() if request.method == "GET" else ""}
