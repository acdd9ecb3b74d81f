"""Bots that people run: registering and retiring them.

A bot is a user of its own with the name of its author's choice. It plays with access tokens (`accounts.tokens`), is
shown as a bot everywhere, plays no rated games, and has neither password nor e-mail.
"""

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts import tokens
from accounts.locking import lock_accounts, lock_user
from accounts.models import ApiToken, User
from accounts.signals import account_suspended

MOST_BOTS = 5  # of one person
SCOPES_OF_BOTS = ("read", "play", "enter")


class BotRefused(ValueError):
    """The bot can't be registered; the message says why."""


def register_bot(*, owner: User, name: str) -> tuple[User, str]:
    """A new bot, and the text of its first token. :raises BotRefused:"""
    if not owner.has_account:
        raise BotRefused("Sign up to register bots.")
    with transaction.atomic():
        lock_user(owner.pk)
        if own_bots(owner).count() >= MOST_BOTS:
            raise BotRefused(f"You have {MOST_BOTS} bots. Retire one of them first.")
        bot = User(username=name, owner=owner)
        bot.set_unusable_password()
        try:
            with transaction.atomic():
                bot.save()
        except IntegrityError:
            raise BotRefused("This name is taken.") from None
        _, text = make_bot_token(bot, "First token")
    return bot, text


def make_bot_token(bot: User, name: str) -> tuple[ApiToken, str]:
    """A token for a bot. :raises TooManyTokens:"""
    return tokens.make_token(user=bot, name=name, scopes=SCOPES_OF_BOTS)


def own_bots(owner: User) -> QuerySet[User]:
    """The bots of a person that still play, by name."""
    return owner.bots.filter(is_active=True).order_by("username")


@transaction.atomic
def retire_bot(*, bot: User) -> None:
    """Retires a bot: it leaves its games, and its tokens stop. Its name and its games stay."""
    lock_accounts(bot)
    bot.is_active = False
    bot.save(update_fields=["is_active"])
    ApiToken.objects.filter(user=bot).delete()
    account_suspended.send(sender=User, user=bot)
