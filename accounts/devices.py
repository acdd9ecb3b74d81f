"""Known devices: a cookie that marks browsers which have logged in to an account before; and names of devices.

Wrong passwords from them are counted apart, so that a stranger who guesses cannot keep the owner out.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

DEVICE_COOKIE = "device"
ONE_YEAR_SECONDS = 31_536_000
USER_AGENT_WORDS = ("Edg", "OPR", "Firefox", "Chrome", "Safari")  # the first in the user agent is the one
BROWSER_NAMES = {"Edg": "Edge", "OPR": "Opera"}
SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "CrOS", "Mac OS", "Linux")  # the first in the user agent is the one
SYSTEM_NAMES = {"CrOS": "ChromeOS", "Mac OS": "Mac"}


def is_known_device(request: HttpRequest, name: str) -> bool:
    """Whether this browser has last logged in by this user name, in any capitalisation."""
    return constant_time_compare(request.COOKIES.get(DEVICE_COOKIE, ""), _user_signature(name))


def remember_device(answer: HttpResponse, name: str) -> None:
    answer.set_cookie(
        DEVICE_COOKIE,
        _user_signature(name),
        max_age=ONE_YEAR_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )


def _user_signature(name: str) -> str:
    """Signature of the user name: only this site can make it, and it does not reveal the name."""
    return salted_hmac("accounts.devices", name.lower()).hexdigest()


def browser_name(user_agent: str) -> str:
    found = next((name for name in USER_AGENT_WORDS if f"{name}/" in user_agent), "Browser")
    return BROWSER_NAMES.get(found, found)


def device_name(user_agent: str) -> str:
    """Browser and system in words, such as "Firefox on Linux"."""
    system = next((name for name in SYSTEMS if name in user_agent), "")
    return f"{browser_name(user_agent)} on {SYSTEM_NAMES.get(system, system)}" if system else browser_name(user_agent)
