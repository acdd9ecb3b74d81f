"""Web Push: encrypted messages to a browser, by way of its maker (RFC 8030, 8291, 8292)."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.urls import reverse
from django.utils.crypto import salted_hmac
from py_vapid import Vapid
from pywebpush import WebPushException, webpush

from notifications.models import FRESH, Notice, PushSubscription

CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # P-256
TIMEOUT_SECONDS = 10
GONE = (403, 404, 410)  # 403: made for another key of ours
WORTH_ANOTHER_TRY = (408, 429)


class PushFailed(Exception):
    """The service could not take the message; it may later."""


def private_key() -> ec.EllipticCurvePrivateKey:
    """By which push services know this site. It follows from SECRET_KEY: the same on all its machines, always."""
    digest = salted_hmac("notifications.web_push", "vapid", algorithm="sha512").digest()
    return ec.derive_private_key(int.from_bytes(digest) % (CURVE_ORDER - 1) + 1, ec.SECP256R1())


def public_key() -> str:
    """As `PushManager.subscribe` wants it: the uncompressed point in base64url."""
    point = private_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).decode().rstrip("=")


def is_service(endpoint: str) -> bool:
    """Whether this is the address of a push service: the site must not be made to call anybody else."""
    try:
        parts = urlsplit(endpoint)
        origin = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
    except ValueError:
        return False
    is_plain = re.fullmatch(r"https?://[a-z0-9.-]+(:\d+)?", origin) is not None and "@" not in parts.netloc
    return is_plain and any(fnmatchcase(origin, service) for service in settings.PUSH_SERVICES)


def are_keys(p256dh: str, auth: str) -> bool:
    """Whether a browser's keys can be encrypted for: a point of the curve, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == 16
    except ValueError:
        return False


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def send(notice: Notice, to: PushSubscription) -> None:
    """A subscription that has ended is deleted. :raises PushFailed:"""
    message = {"text": notice.text, "url": reverse("notifications:go", args=[notice.pk]), "tag": notice.key}
    try:
        webpush(
            {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}},
            json.dumps(message),
            vapid_private_key=Vapid(private_key()),
            vapid_claims={"sub": f"mailto:{settings.DEFAULT_FROM_EMAIL}"},
            headers={"Urgency": "high"},
            ttl=int(FRESH.total_seconds()),
            timeout=TIMEOUT_SECONDS,
        )
    except WebPushException as error:
        status = error.response.status_code
        if status in GONE:
            to.delete()
        elif status >= 500 or status in WORTH_ANOTHER_TRY:
            raise PushFailed(f"The push service answered {status}.") from error
        else:
            raise
