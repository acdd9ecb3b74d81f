"""What follows once a change is stored."""

from collections.abc import Callable

from django.db import transaction


def on_commit(call: Callable[..., object], *arguments: object, **named: object) -> None:
    """Calls once the change is stored. If it fails, without Redis say, the change stays all the same."""

    def called() -> None:  # not a partial: Django wants to name what failed
        call(*arguments, **named)

    transaction.on_commit(called, robust=True)
