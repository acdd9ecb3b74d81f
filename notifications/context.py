"""Context processor: the visitor's unread notices, for every page."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from notifications import services


def own_notices(request: HttpRequest) -> dict[str, object]:
    """`own_notices`: a `services.UnreadNotices`, read only if the page prints it."""

    def unread() -> services.UnreadNotices:
        if not request.user.is_authenticated:
            return services.UnreadNotices()
        return services.unread_notices(request.user, here=request.path)

    return {"own_notices": SimpleLazyObject(unread)}
