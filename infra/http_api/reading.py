"""Reading of JSON bodies: refuses what no database can store, as `cardsite.web.unreadable` does for forms."""

import json
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser


class StrictParser(Parser):
    """Parser of the API. What it raises is answered by 400."""

    def parse_body(self, request: HttpRequest) -> Any:
        data = json.loads(request.body, parse_constant=_refuse_constant)
        _check_texts(data)
        return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _check_texts(data: Any) -> None:
    """:raises ValueError: a text has a NUL character or half a surrogate pair."""
    if isinstance(data, str):
        if "\0" in data:
            raise ValueError("a NUL character")
        data.encode()
    elif isinstance(data, dict):
        for name, value in data.items():
            _check_texts(name)
            _check_texts(value)
    elif isinstance(data, list):
        for value in data:
            _check_texts(value)
