"""People: names to choose from."""

from accounts.models import User


def names_beginning_with(typed: str, *, most: int) -> list[str]:
    """Names of players with a page, and of bots: not of guests and closed accounts."""
    if not typed:
        return []
    public = User.objects.filter(is_active=True, is_guest=False, username__istartswith=typed)
    return list(public.order_by("username").values_list("username", flat=True)[:most])
