"""Web Push: encrypted messages to a browser through its maker's push service (RFC 8030, 8291, 8292)."""

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

from notifications.models import FRESH_FOR, Notice, PushSubscription

CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # P-256
TIMEOUT_SECONDS = 10
SUBSCRIPTION_GONE = (403, 404, 410)  # 403: made for another key of ours
RETRY_STATUSES = (408, 429)


class PushFailed(Exception):
    """The push service did not take the message; it may later."""


def vapid_private_key() -> ec.EllipticCurvePrivateKey:
    """The VAPID key of this site. It follows from SECRET_KEY, so it is the same on all machines."""
    digest = salted_hmac("notifications.web_push", "vapid", algorithm="sha512").digest()
    return ec.derive_private_key(int.from_bytes(digest) % (CURVE_ORDER - 1) + 1, ec.SECP256R1())


def vapid_public_key() -> str:
    """The uncompressed point in base64url, as `PushManager.subscribe` takes it."""
    point = vapid_private_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).decode().rstrip("=")


def is_push_service(endpoint: str) -> bool:
    """Whether the address is a known push service: the site must not call other addresses (SSRF)."""
    try:
        parts = urlsplit(endpoint)
        origin = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
    except ValueError:
        return False
    is_plain = re.fullmatch(r"https?://[a-z0-9.-]+(:\d+)?", origin) is not None and "@" not in parts.netloc
    return is_plain and any(fnmatchcase(origin, service) for service in settings.PUSH_SERVICES)


def are_push_keys(p256dh: str, auth: str) -> bool:
    """Whether a browser's keys are valid: a point of the curve, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == 16
    except ValueError:
        return False


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def send_push(notice: Notice, to: PushSubscription) -> None:
    """Sends a message; deletes a subscription that has ended. :raises PushFailed:"""
    from pywebpush import WebPushException, webpush  # takes a tenth of the start of every process: it needs aiohttp

    message = {"text": notice.text, "url": reverse("notifications:go", args=[notice.pk]), "tag": notice.key}
    try:
        webpush(
            {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}},
            json.dumps(message),
            vapid_private_key=Vapid(vapid_private_key()),
            vapid_claims={"sub": f"mailto:{settings.EMAIL_FROM}"},
            headers={"Urgency": "high"},
            ttl=int(FRESH_FOR.total_seconds()),
            timeout=TIMEOUT_SECONDS,
        )
    except WebPushException as error:
        status = error.response.status_code
        if status in SUBSCRIPTION_GONE:
            to.delete()
        elif status >= 500 or status in RETRY_STATUSES:
            raise PushFailed(f"The push service answered {status}.") from error
        else:
            raise
