"""Names in sentences of formats, which call entries `@` and their id."""

import re
from collections.abc import Mapping


def with_entry_names(text: str, names: Mapping[int, str]) -> str:
    return re.sub(r"@(\d+)", lambda found: names[int(found[1])], text)
