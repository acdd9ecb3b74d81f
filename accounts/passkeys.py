"""Passkeys (WebAuthn) as a second factor: their registration and their check.

The browser signs a challenge with a key that never leaves the device. Each challenge is kept in the session and counts
once. Browsers tie passkeys to the host name, so they work under the name at which they were added, and nowhere else.
"""

import json
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
)

from accounts.models import SecondFactor, User
from accounts.preferences import SITE_NAME
from accounts.second_factors import Kind, add_factor

CHALLENGE = "passkey_challenge"  # in the session
LONGEST_ANSWER = 20_000
WRONG = "This passkey could not be checked. Please try again."


def registration_options(request: HttpRequest, user: User) -> str:
    """What the browser needs to make a passkey, as JSON."""
    options = generate_registration_options(
        rp_id=_host(request),
        rp_name=SITE_NAME,
        user_name=user.username,
        user_id=salted_hmac("accounts.passkeys", str(user.pk), algorithm="sha256").digest(),
        authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.DISCOURAGED),
        exclude_credentials=_known(user),
    )
    request.session[CHALLENGE] = bytes_to_base64url(options.challenge)
    return options_to_json(options)


def add_passkey(request: HttpRequest, *, user: User, answer: str, name: str) -> list[str]:
    """Adds the passkey that the browser has made. Returns the recovery codes if it is the first factor.

    :raises ValidationError:
    """
    challenge = _take_challenge(request)
    try:
        verified = verify_registration_response(
            credential=_parsed(answer),
            expected_challenge=challenge,
            expected_rp_id=_host(request),
            expected_origin=_origin(request),
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise ValidationError(WRONG) from None
    passkey = SecondFactor(
        user=user,
        kind=Kind.PASSKEY,
        name=name or "Passkey",
        key=bytes_to_base64url(verified.credential_id),
        public_key=verified.credential_public_key,
        counter=verified.sign_count,
    )
    return add_factor(passkey)


def log_in_options(request: HttpRequest, user: User) -> str:
    """What the browser needs to use a passkey of the user, as JSON; "" if there is none."""
    known = _known(user)
    if not known:
        return ""
    options = generate_authentication_options(rp_id=_host(request), allow_credentials=known)
    request.session[CHALLENGE] = bytes_to_base64url(options.challenge)
    return options_to_json(options)


def check_passkey(request: HttpRequest, *, user: User, answer: str) -> None:
    """:raises ValidationError: the browser has not signed the challenge with a passkey of this user."""
    challenge = _take_challenge(request)
    parsed = _parsed(answer)
    passkey = user.second_factors.filter(kind=Kind.PASSKEY, key=str(parsed.get("id"))).first()
    if passkey is None:
        raise ValidationError("This passkey belongs to no one here. Please try another.")
    try:
        verified = verify_authentication_response(
            credential=parsed,
            expected_challenge=challenge,
            expected_rp_id=_host(request),
            expected_origin=_origin(request),
            credential_public_key=bytes(passkey.public_key),
            credential_current_sign_count=passkey.counter,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise ValidationError(WRONG) from None
    passkey.counter, passkey.last_used_at = verified.new_sign_count, timezone.now()
    passkey.save(update_fields=["counter", "last_used_at"])


def _known(user: User) -> list[PublicKeyCredentialDescriptor]:
    keys = user.second_factors.filter(kind=Kind.PASSKEY).values_list("key", flat=True)
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(key)) for key in keys]


def _take_challenge(request: HttpRequest) -> bytes:
    challenge = request.session.pop(CHALLENGE, "")
    if not challenge:
        raise ValidationError("This page is too old. Please try again.")
    return base64url_to_bytes(challenge)


def _parsed(answer: str) -> dict[str, Any]:
    try:
        parsed = json.loads(answer[:LONGEST_ANSWER])
    except (ValueError, RecursionError):
        raise ValidationError(WRONG) from None
    if not isinstance(parsed, dict):
        raise ValidationError(WRONG)
    return parsed


def _host(request: HttpRequest) -> str:
    return urlsplit(f"//{request.get_host()}").hostname or ""


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"
