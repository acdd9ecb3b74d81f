"""The world of the walk over all addresses."""

from types import SimpleNamespace

import pytest


@pytest.fixture(scope="module")
def world(kept: None) -> SimpleNamespace:
    """People, tables and events in every state."""
    from tests.cardsite.walk_world import built

    return built()
