"""Wording: labels and events of engines as a page shows them. The markup of their texts is in `games.core.words`."""

import re
from collections.abc import Sequence
from functools import lru_cache

from games.core.contract import Event
from games.core.words import capitalized, render_text, with_full_stop

OWNER_IN_LABEL = re.compile(r"@\d's | by @\d$")
KEPT_LABELS = 1_000


@lru_cache(KEPT_LABELS)
def without_owner(label: str) -> str:
    """ "Meld 3" for "@1's meld 3", "Won" for "Won by @1"; a zone that partners share keeps the names."""
    return capitalized(OWNER_IN_LABEL.sub("", label))


def event_sentence(event: Event, names: Sequence[str], viewer: int | None = None) -> str:
    """An event in a sentence: "Ada takes 3C with 3S.", "You take ...", "The deal passes ...\""""
    return with_full_stop(render_text(event.text, names, viewer))
