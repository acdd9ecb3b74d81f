"""Template tag `{% embed_field "embed-bracket" event.pk title=… label=… %}`: the HTML that embeds a page, to copy."""

from typing import Any

from django import template
from django.urls import reverse

from cardsite.web.embedding import frame_code

register = template.Library()


@register.inclusion_tag("embeds/_field.html", takes_context=True)
def embed_field(context: template.Context, name: str, key: object, *, title: str, label: str) -> dict[str, Any]:
    """name: of the embedded page's address; key: what the address names."""
    address = context["request"].build_absolute_uri(reverse(name, args=[key]))
    return {"id": f"code-{name}", "label": label, "code": frame_code(address, title)}
