"""Locks of people's rows, for steps of one person that must come one after the other, and for changes of accounts.

Others may refer to a locked row meanwhile, as the end of a game does while it holds a table that the person waits for.
"""

from accounts.models import User
from accounts.signals import account_changes


def lock_user(pk: int) -> User:
    """A user, locked until the transaction ends. :raises User.DoesNotExist:"""
    return User.objects.select_for_update(no_key=True).get(pk=pk)


def lock_accounts(*users: User) -> None:
    """Locks people who are about to change or go, and what they take part in, until the transaction ends."""
    people = User.objects.filter(pk__in=[user.pk for user in users]).order_by("pk")
    list(people.select_for_update(no_key=True).values_list("pk"))
    account_changes.send(sender=User, users=users)
