"""Template tag `{% director_call %}`: to call the director from `table`, for pages of apps that know no tournaments."""

from typing import Any

from django import template

from tournaments.presentation.director_calls import call_panel_at

register = template.Library()


@register.inclusion_tag("tournaments/director_calls/_live.html", takes_context=True)
def director_call(context: template.Context) -> dict[str, Any]:
    """Empty at a table of no event, and for those who only watch."""
    request = context["request"]
    return {"director": call_panel_at(context["table"], request.user), "request": request}
