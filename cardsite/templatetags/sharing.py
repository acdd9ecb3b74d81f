"""Template tag `{% share_tags "game" table %}`: Open Graph, which says in chats and elsewhere what a link leads to."""

from collections.abc import Callable
from typing import Any

from django import template

from cardsite.pages import share

register = template.Library()

SHARED: dict[str, Callable[[Any], share.Shared | None]] = {
    "home": lambda nothing: share.shared_home(),
    "list": share.shared_list,
    "ratings": share.shared_ratings,
    "rules": share.shared_rules,
    "rule-book": share.shared_rule_book,
    "table": share.shared_table,
    "game": share.shared_game,
    "deal": share.shared_deal,
    "puzzle": share.shared_puzzle,
    "event": share.shared_event,
    "series": share.shared_series,
    "season": share.shared_season,
    "divisions": share.shared_divisions,
    "ladder": share.shared_ladder,
    "bot-league": share.shared_bot_league,
    "player": share.shared_player,
    "course": share.shared_course,
    "lesson": share.shared_lesson,
}


@register.inclusion_tag("_share_tags.html", takes_context=True)
def share_tags(context: template.Context, kind: str, thing: Any = None) -> dict[str, Any]:
    """Nothing for what is not public."""
    request, shared = context["request"], SHARED[kind](thing)
    return {
        "shared": shared,
        "site_name": context["site_name"],
        "page_url": request.build_absolute_uri(request.path),
        "picture_url": shared and request.build_absolute_uri(shared.picture_path),
    }
