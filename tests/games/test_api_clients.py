"""The clients of docs/api/, as processes of their own against a live site."""

import subprocess
import sys

import pytest
from django.conf import settings

from accounts import bots
from games import services
from games.models import Table

pytestmark = pytest.mark.django_db(transaction=True)

CLIENTS = settings.BASE_DIR / "docs" / "api"


@pytest.mark.only_on("sqlite")  # `cardsite.test_bench_live` plays over HTTP on both
def test_two_gin_bots_play_each_other_to_the_end(live_url, person):
    registered = [bots.register_bot(owner=person("alice"), name=name) for name in ("Deep", "Shallow")]
    code = services.open_and_sit(
        user=registered[0][0], game="gin-rummy", seats=2, options={"target": 50}, is_private=True
    ).code
    clients = [
        subprocess.Popen(
            [sys.executable, str(CLIENTS / "gin_bot.py"), live_url, text, code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _, text in registered
    ]
    said = [client.communicate(timeout=300) for client in clients]
    assert [client.returncode for client in clients] == [0, 0], said
    table = Table.objects.get(code=code)
    assert (table.status, table.ended_by) == (Table.Status.FINISHED, Table.EndedBy.RULES)
    assert said[0][0] == said[1][0] and " win" in said[0][0]


def test_the_small_bot_is_small():
    assert len((CLIENTS / "gin_bot.py").read_text().splitlines()) < 65
