"""Secret codes in links that let those in who were given them, such as that of a team or of the door of an event."""

from django.core import signing
from django.utils.crypto import constant_time_compare


def secret_code(salt: str, pk: int) -> str:
    """The code of a row. It follows from SECRET_KEY, so none is stored. salt: what it is for."""
    return signing.Signer(salt=salt).sign(str(pk)).partition(":")[2]


def is_secret_code(code: str, salt: str, pk: int) -> bool:
    """In constant time, so that nobody can find it letter by letter."""
    return constant_time_compare(code, secret_code(salt, pk))
