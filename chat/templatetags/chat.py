"""Template tag `{% chat table %}`: the chat, for pages of apps that know nothing of it."""

from typing import Any

from django import template

from chat.panel import chat_panel

register = template.Library()


@register.inclusion_tag("chat/_panel.html", takes_context=True)
def chat(context: template.Context) -> dict[str, Any]:
    """The chat of `table`; empty where there is none."""
    return chat_panel(context["request"], context["table"])
