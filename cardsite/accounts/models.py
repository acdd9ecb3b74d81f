from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower


class User(AbstractUser):
    """A person with an account, a guest who has not made one yet, or a house bot.

    A guest's row becomes the account when the guest signs up, so games and progress stay where they are.
    """

    is_guest = models.BooleanField("guest", default=False)
    is_bot = models.BooleanField("bot", default=False)

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
        return self.first_name if self.is_bot else self.username

    @property
    def is_person(self) -> bool:
        return not self.is_bot

    @property
    def has_account(self) -> bool:
        """A person who has signed up. Only such people play rated games outside events."""
        return not (self.is_bot or self.is_guest)
