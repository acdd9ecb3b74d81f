"""People: names to choose from."""

from django.db.models import Q

from accounts.models import User


def people_beginning_with(typed: str, *, most: int) -> list[User]:
    """Players with a page, and bots, also by the name that is shown: no guests and closed accounts."""
    if not typed:
        return []
    begins = Q(username__istartswith=typed) | Q(is_bot=True, first_name__istartswith=typed)
    return list(User.objects.filter(begins, is_active=True, is_guest=False).order_by("username")[:most])
