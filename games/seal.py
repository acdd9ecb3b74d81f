"""Secrets promised before a table exists.

The page that opens a table shows the commitment to its secret, and only then does the visitor's browser add
its entropy. Nothing is stored in between: the secret is derived from a signed number on the page, and the
unique commitment of a table sees to it that no number serves twice.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.core import signing
from django.utils.crypto import salted_hmac

from games.core import deals

VALID_FOR = timedelta(days=1)
_signer = signing.TimestampSigner(salt="games.seal")


@dataclass(frozen=True, slots=True)
class Seal:
    """token: what the page carries; worth nothing to its reader without the site's key."""

    token: str
    secret: bytes

    @property
    def commitment(self) -> str:
        return deals.commitment(self.secret)


def new_seal() -> Seal:
    return _seal(_signer.sign(secrets.token_hex(16)))


def read_seal(token: str) -> Seal | None:
    """The seal of a page, None if it is not one of ours or too old."""
    try:
        _signer.unsign(token, max_age=VALID_FOR)
    except signing.BadSignature:
        return None
    return _seal(token)


def _seal(token: str) -> Seal:
    return Seal(token, salted_hmac("games.seal.secret", token, algorithm="sha256").digest())
