"""The world of the walk over all addresses."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any, valkey: None) -> Iterator[SimpleNamespace]:
    """People, tables and events in every state, made once for all tests of a file: each undoes what it changes."""
    from django.db import transaction

    from tests.cardsite.walk_world import built

    with django_db_blocker.unblock(), transaction.atomic():
        yield built()
        transaction.set_rollback(True)
