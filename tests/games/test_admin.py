"""Who looks for a game and who stays, for those who run the site: to look at, not to change."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Challenge, Reliability, Seek, Vacation

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows(person, table_of):
    alice, soon = person("alice"), timezone.now() + timedelta(hours=1)
    seek = {"game": "casino", "rating": 1500, "here_until": soon}
    return [
        Seek.objects.create(user=alice, **seek),
        Challenge.objects.create(table=table_of("alice", "bob"), to=person("carol"), expires_at=soon),
        Reliability.objects.create(user=alice, games=9, finished=4, weight=5),
        Vacation.objects.create(user=alice, begins_at=soon, ends_at=soon + timedelta(days=2)),
    ]


def test_the_admin_lists_and_searches_them_and_nobody_changes_them(admin_client, rows):
    for row in rows:
        name = f"admin:games_{row._meta.model_name}"
        listed = admin_client.get(reverse(f"{name}_changelist"), {"q": "alice"}).content.decode()
        address = reverse(f"{name}_change", args=[row.pk])
        assert address in listed
        assert admin_client.get(address).status_code == 200
        assert admin_client.post(address, {}).status_code == 403
