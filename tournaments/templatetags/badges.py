"""Template tag `badges_of`: the badges of a user, for pages of apps that know no tournaments."""

from typing import Any

from django import template

from accounts.models import User
from tournaments.models import Badge

BADGES_LISTED = 24

register = template.Library()


@register.inclusion_tag("tournaments/badges.html")
def badges_of(user: User) -> dict[str, Any]:
    return {"badges": Badge.objects.filter(user=user).select_related("event")[:BADGES_LISTED]}
