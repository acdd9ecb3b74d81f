"""Security e-mails: the owner of an account is told of every change of its log-in."""

from accounts.models import User
from infra.task_queue import enqueue_on_commit


def email_log_in_change(user: User, change: str, *, to: str = "") -> None:
    """Queues an e-mail about a change of the log-in.

    change: a sentence. to: an address that was the account's until now; by default the one that it has.
    """
    if to or user.email:
        enqueue_on_commit("accounts.tasks.mail_log_in_change", user.pk, change, to)
