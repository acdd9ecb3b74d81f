"""System checks of settings that are valid but probably wrong."""

from typing import Any

from django.conf import settings
from django.core.checks import Tags, Warning, register


@register(Tags.security, deploy=True)
def check_trusted_proxies(app_configs: Any, **kwargs: Any) -> list[Warning]:
    """Behind an untrusted proxy all visitors share its address, so wrong passwords of one lock all out."""
    if not settings.HTTPS or settings.FORWARDED_ALLOW_IPS:
        return []
    return [
        Warning(
            "HTTPS=1 says that a proxy is in front, but FORWARDED_ALLOW_IPS is not set: X-Forwarded-For is only "
            "believed from this machine.",
            hint="Set FORWARDED_ALLOW_IPS to the address or network of the proxy, 127.0.0.1 if it is on this machine.",
            id="cardsite.W001",
        )
    ]
