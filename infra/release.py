"""Which release of the site runs, for keys of what it has made and keeps elsewhere."""

import hashlib
from functools import cache

from django.conf import settings

ROOMS = (
    *("cardsite", "tournaments", "tutorials", "chat", "notifications", "games", "accounts", "infra"),
    "templates",
)


@cache
def release() -> str:
    """A hash of code, templates and static files: the same in all processes of a release, another one in the next."""
    files = sorted(
        path
        for room in ROOMS
        for path in (settings.BASE_DIR / room).rglob("*")
        if path.suffix in (".py", ".html", ".jinja", ".txt", ".css", ".js", ".svg")
    )
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(settings.BASE_DIR)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
