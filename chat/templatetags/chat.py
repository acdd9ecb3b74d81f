"""The chat, for pages of apps that know nothing of it."""

from typing import Any

from django import template

from chat.panel import panel

register = template.Library()


@register.inclusion_tag("chat/_panel.html", takes_context=True)
def chat(context: template.Context) -> dict[str, Any]:
    """The chat of `table`; it is empty where there is none."""
    return panel(context["request"], context["table"])
