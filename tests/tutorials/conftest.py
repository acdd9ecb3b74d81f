from typing import Any

import pytest
from django.test import Client

from tests.tables import account


@pytest.fixture
def ann(db: None) -> Any:
    return account("ann")


@pytest.fixture
def own(client: Client, ann: Any) -> Client:
    """The browser of ann."""
    client.force_login(ann)
    return client
