"""What every page knows of the visitor's games."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.models import Table


def own_game(request: HttpRequest) -> dict[str, object]:
    """`own_game`: the newest running game of the visitor, None without one; asked for only where it is printed."""

    def newest() -> Table | None:
        if not request.user.is_authenticated:
            return None
        seated = Table.objects.running().filter(seats__user=request.user, seats__has_left=False)
        return seated.order_by("-started_at").first()

    return {"own_game": SimpleLazyObject(newest)}
