"""Templates of both languages that know no visitor."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString

KEPT_URLS = 20_000


@lru_cache(maxsize=0 if settings.DEBUG else None)
def _template(name: str) -> Any:
    """Django looks for a template anew each time, which takes longer than many of them do."""
    return get_template(name, using="jinja2" if name.endswith(".jinja") else "django")


def macro(template_name: str, name: str) -> Any:
    """A macro of a Jinja2 template, to be called with its arguments; it sees nothing else."""
    return getattr(_template(template_name).template.module, name)


def rendered(template_name: str, values: dict[str, Any]) -> SafeString:
    return SafeString(_template(template_name).render(values))


@lru_cache(KEPT_URLS)
def url(name: str, *args: str) -> str:
    """Memoized `reverse`: a board has a dozen addresses."""
    return reverse(name, args=args)
