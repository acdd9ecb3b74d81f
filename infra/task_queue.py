"""Task queue: the one way to hand work to a Celery worker, by the name of its task.

Tasks call services, so a service names a task instead of importing it. The database says what is due and a tick finds
it again, so a task that is lost or runs twice does no harm.
"""

from typing import Any

from celery import current_app

from infra.after_commit import on_commit

QUEUES = ("default", "experts", "slow")  # `CELERY_TASK_ROUTES` says which tasks are for the last two
RETRY: dict[str, Any] = {"retry_backoff": 5, "retry_backoff_max": 120, "max_retries": 6}
"""Options (seconds) of a task that needs others who may be out of reach, such as a mail server."""


def enqueue(task: str, *arguments: object, countdown: float = 0) -> None:
    """Hands over `task`, such as "games.tasks.play_bot", now. countdown: seconds before a worker may start it.

    :raises kombu.exceptions.OperationalError: the broker cannot be reached.
    """
    current_app.signature(task, arguments).apply_async(countdown=countdown)


def enqueue_on_commit(task: str, *arguments: object, countdown: float = 0) -> None:
    """As `enqueue`, once the change is stored. If the broker is out of reach then, the change stays all the same."""
    on_commit(enqueue, task, *arguments, countdown=countdown)


def waiting_tasks(queue: str) -> int:
    """How many tasks no worker has taken yet. :raises kombu.exceptions.OperationalError: as for `enqueue`."""
    with current_app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        return int(channel.queue_declare(queue).message_count)
