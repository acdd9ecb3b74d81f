"""Templates of both languages that know no visitor."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template.loader import get_template
from django.utils.safestring import SafeString


@lru_cache(maxsize=0 if settings.DEBUG else None)
def _template(name: str) -> Any:
    """Django looks for a template anew each time, which takes longer than many of them do."""
    return get_template(name, using="jinja2" if name.endswith(".jinja") else "django")


def rendered(template_name: str, values: dict[str, Any]) -> SafeString:
    return SafeString(_template(template_name).render(values))
