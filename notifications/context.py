"""What every page knows of the visitor's notices."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from notifications import services


def own_notices(request: HttpRequest) -> dict[str, object]:
    """`own_notices`: a `services.Unread`, read only where it is printed."""

    def unread() -> services.Unread:
        if not request.user.is_authenticated:
            return services.Unread()
        return services.unread(request.user, here=request.path)

    return {"own_notices": SimpleLazyObject(unread)}
