"""Path converters: what may stand in an address beside Django's own kinds of parts."""

from django.urls.converters import IntConverter

from infra.numbers import LARGEST, read_number


class IdConverter(IntConverter):
    """`<id:pk>`: the id of a row. A larger number than any row can have is no address, so it answers 404."""

    regex = f"[0-9]{{1,{len(str(LARGEST))}}}"

    def to_python(self, value: str) -> int:
        """:raises ValueError: the address does not match."""
        number = read_number(value, None)
        if number is None:
            raise ValueError(value)
        return number
