"""Users, blocks, access tokens, second factors and logins."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property

FORMER = "Former player"  # a name, since it begins sentences and cells as names do


class User(AbstractUser):
    """A person with an account, a guest who has not signed up, a house bot, or a bot that a person runs.

    A guest's row becomes the account at sign-up, so games and progress stay. The row of a closed account stays without
    a name, for the games of others. shut_because: the reason of a suspension, "" without one.
    owner: of a bot that plays by the HTTP API (`accounts.bots`). The site's own bots have none; only those are
    `is_bot`, since the site moves for them.
    """

    is_guest = models.BooleanField("guest", default=False)
    is_bot = models.BooleanField("bot", default=False)
    is_former = models.BooleanField("closed their account", default=False)
    shut_because = models.CharField("why a moderator has suspended the account", max_length=300, blank=True)
    owner = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="bots")

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="accounts_user_name_any_case",
                violation_error_message="This name is taken.",
            )
        ]

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """The name that others see. House bots of different games share first names, not user names."""
        if self.is_former:
            return FORMER
        return self.first_name if self.is_bot else self.username

    @property
    def profile_url(self) -> str:
        """The public page of a person with an account, or of a house bot; "" for guests and former players."""
        return reverse("player", args=[self.username]) if self.has_page else ""

    @property
    def has_page(self) -> bool:
        return self.is_active and not self.is_guest

    @property
    def is_api_bot(self) -> bool:
        """A bot that a person runs by the HTTP API."""
        return self.owner_id is not None

    @property
    def is_person(self) -> bool:
        return not (self.is_bot or self.is_api_bot)

    @property
    def has_account(self) -> bool:
        """A person who has signed up. Only such people play rated games outside events."""
        return self.is_person and not self.is_guest

    @cached_property
    def lacks_second_factor(self) -> bool:
        """A member of the staff who has to set up a second factor first, and has no rights until then."""
        is_asked = settings.STAFF_SECOND_FACTOR and (self.is_staff or self.is_superuser)
        return is_asked and not self.second_factors.exists()

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        return not self.lacks_second_factor and super().has_perm(perm, obj)

    def has_module_perms(self, app_label: str) -> bool:
        return not self.lacks_second_factor and super().has_module_perms(app_label)


def with_name(users: "models.QuerySet[User]", name: str) -> "models.QuerySet[User]":
    """The user with this name, in small letters or capitals: no two names differ only by these."""
    return users.alias(lower_name=Lower("username")).filter(lower_name=Lower(models.Value(name)))


class Block(models.Model):
    """One user has blocked another (`accounts.blocking`)."""

    blocker = models.ForeignKey(User, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(User, models.CASCADE, related_name="blocks_against")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["blocker", "blocked"], name="block_once")]

    def __str__(self) -> str:
        return f"{self.blocker} blocks {self.blocked}"


class ApiToken(models.Model):
    """An access token of the HTTP API (`accounts.tokens`). The token itself is shown once and not stored.

    start: its first characters, by which people tell their tokens apart. digest: SHA-256 of the token.
    last_used_at: to about ten minutes. scopes: of `accounts.tokens.SCOPES`.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    start = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"


class SecondFactor(models.Model):
    """An authenticator app (`accounts.second_factors`) or a passkey (`accounts.passkeys`) of a user.

    key: of an app, random text from which its secret follows; of a passkey, its credential id.
    counter: the last time step of an app, or the signature counter of a passkey. It only grows, so that nothing that
    was overheard counts again.
    """

    class Kind(models.TextChoices):
        APP = "app", "authenticator app"
        PASSKEY = "passkey", "passkey"

    user = models.ForeignKey(User, models.CASCADE, related_name="second_factors")
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=60)
    key = models.CharField(max_length=1400, unique=True)
    public_key = models.BinaryField(default=bytes)
    counter = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name


class RecoveryCode(models.Model):
    """A code that replaces a second factor once. digest: SHA-256; the code itself is not stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"a recovery code of {self.user}"


class LoginRecord(models.Model):
    """A login of a user in one browser (`accounts.logins`). Its session may have ended.

    network: where it started, without the last part of the address. last_seen_at: to about ten minutes.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="logins")
    session_key = models.CharField(max_length=40, unique=True)
    device = models.CharField(max_length=40)
    network = models.CharField(max_length=45)
    created_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-last_seen_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user}: {self.device}"
