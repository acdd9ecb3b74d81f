"""Second factors of a log-in: authenticator apps (TOTP, RFC 6238) and recovery codes. `passkeys` has the third kind.

The secret of an app follows from SECRET_KEY and a random key in the database, so the database alone does not give it
away. A recovery code has 80 random bits, so the database keeps only its hash.
"""

import base64
import hashlib
import re
import secrets
import time
from typing import Any

import pyotp
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.locking import lock_user
from accounts.log_in_changes import email_log_in_change
from accounts.models import RecoveryCode, SecondFactor, User
from accounts.preferences import SITE_NAME
from accounts.signals import second_factors_changed

MOST_FACTORS = 10  # of one user
RECOVERY_CODES = 10
STEP_SECONDS = 30
STEPS_OFF = 1  # by which the clock of an app may be ahead or behind
SEPARATORS = re.compile(r"[\s-]+")
Kind = SecondFactor.Kind


# Authenticator apps


def new_app_key() -> str:
    return secrets.token_hex(16)


def app_secret(key: str) -> str:
    """The secret of an app in Base32, as apps take it."""
    return base64.b32encode(salted_hmac("accounts.second_factors", key, algorithm="sha256").digest()[:20]).decode()


def app_url(user: User, key: str) -> str:
    """The otpauth: URL that an app reads from a QR code."""
    return pyotp.TOTP(app_secret(key)).provisioning_uri(name=user.username, issuer_name=SITE_NAME)


def matching_step(key: str, code: str) -> int | None:
    """The time step of which this is the code, if it is one of now."""
    app, now = pyotp.TOTP(app_secret(key), interval=STEP_SECONDS), int(time.time()) // STEP_SECONDS
    steps = range(now - STEPS_OFF, now + STEPS_OFF + 1)
    return next((step for step in steps if constant_time_compare(app.generate_otp(step), code)), None)


def add_app(*, user: User, key: str, code: str, name: str) -> list[str]:
    """Adds an app that shows the right code. Returns the recovery codes if it is the first factor.

    :raises ValidationError: the code is wrong.
    """
    step = matching_step(key, digits_of(code))
    if step is None:
        raise ValidationError("This code is wrong. Check the clock of your device, and try the next code.")
    return add_factor(SecondFactor(user=user, kind=Kind.APP, name=name or "Authenticator app", key=key, counter=step))


# Of all kinds


@transaction.atomic
def add_factor(factor: SecondFactor) -> list[str]:
    """Stores a factor that was checked. Returns the recovery codes if it is the first one of its user.

    :raises ValidationError: it is known already, or the user has too many.
    """
    user = lock_user(factor.user_id)
    known = user.second_factors.count()
    if known >= MOST_FACTORS:
        raise ValidationError(f"You have {MOST_FACTORS} second factors. Remove one of them first.")
    if SecondFactor.objects.filter(key=factor.key).exists():
        raise ValidationError("This one has been added already.")
    factor.save()
    _announce(user, f"{factor.get_kind_display().capitalize()} added.")
    return [] if known else _make_recovery_codes(user)


@transaction.atomic
def remove_factor(factor: SecondFactor) -> None:
    """Removes a factor, and with the last one the recovery codes."""
    lock_user(factor.user_id)
    factor.delete()
    change = f"{factor.get_kind_display().capitalize()} removed."
    if not factor.user.second_factors.exists():
        factor.user.recovery_codes.all().delete()
        change += " You log in by your password alone."
    _announce(factor.user, change)


def _announce(user: User, change: str) -> None:
    """Tells the user, on the site and by e-mail, so that nobody does it behind their back."""
    second_factors_changed.send(sender=User, user=user, change=change)
    email_log_in_change(user, change)


def note_use(factor: SecondFactor, counter: int) -> bool:
    """Stores a use; False if this counter, or a later one, has been used before."""
    unused = SecondFactor.objects.filter(pk=factor.pk, counter__lt=counter)
    return unused.update(counter=counter, last_used_at=timezone.now()) == 1


def as_json(factor: SecondFactor) -> dict[str, Any]:
    """What is stored about a factor, without its keys."""
    return {name: getattr(factor, name) for name in ("kind", "name", "created_at", "last_used_at")}


# Codes


def check_code(user: User, text: str) -> None:
    """Checks a code of an app, or a recovery code; either works once. :raises ValidationError: it is wrong."""
    code = digits_of(text)
    for app in user.second_factors.filter(kind=Kind.APP):
        step = matching_step(app.key, code)
        if step is not None and note_use(app, step):
            return
    if RecoveryCode.objects.filter(user=user, digest=_digest(code)).delete()[0]:
        left = user.recovery_codes.count()
        _announce(user, f"A recovery code was used. {left} {'is' if left == 1 else 'are'} left.")
        return
    raise ValidationError("This code is wrong, or has been used. Please try again.")


@transaction.atomic
def renew_recovery_codes(*, user: User) -> list[str]:
    """New recovery codes; those of before no longer work."""
    _announce(user, "New recovery codes made.")
    return _make_recovery_codes(user)


def _make_recovery_codes(user: User) -> list[str]:
    user.recovery_codes.all().delete()
    codes = [base64.b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=_digest(code)) for code in codes)
    return ["-".join(re.findall("....", code)) for code in codes]


def digits_of(text: str) -> str:
    """A code as it is compared, however it was grouped."""
    return SEPARATORS.sub("", text).lower()


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode(errors="replace")).hexdigest()
