"""Recent opponents: whom the play page offers to challenge again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.blocking import block_user
from accounts.models import User
from games.models import Table
from games.queries.recent_opponents import SHOWN, recent_opponents
from tests.pages import page_html, page_words
from tests.tables import account, table_with

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


@pytest.fixture
def play(db):
    """`play("ann", "bob", days_ago=2)`: a finished game of these players."""

    def played(*names, game="casino", days_ago=1):
        table = table_with(*names, game=game, secret=f"{names} {game}".encode().ljust(32)[:32])
        ended_at = timezone.now() - timedelta(days=days_ago)
        Table.objects.filter(pk=table.pk).update(status=Table.Status.FINISHED, finished_at=ended_at)

    return played


def opponents_of(name):
    return [(seat.user.username, seat.table.game) for seat in recent_opponents(account(name))]


def test_each_player_is_named_once_with_the_last_game_together(play):
    play("ann", "bob", days_ago=3)
    play("carol", "ann", days_ago=2)
    play("bob", "ann", game="piquet", days_ago=1)
    assert opponents_of("ann") == [("bob", "piquet"), ("carol", "casino")]
    assert opponents_of("carol") == [("ann", "casino")]


def test_all_players_of_a_table_are_named(play):
    play("ann", "bob", "carol")
    assert opponents_of("ann") == [("bob", "casino"), ("carol", "casino")]


@pytest.mark.parametrize("change", [{"is_bot": True}, {"is_guest": True}, {"is_active": False}])
def test_only_people_with_an_open_account_are_named(play, change):
    play("ann", "bob")
    assert opponents_of("ann")
    User.objects.filter(username="bob").update(**change)
    assert not opponents_of("ann")


@pytest.mark.parametrize(("blocker", "blocked"), [("ann", "bob"), ("bob", "ann")])
def test_a_block_takes_both_from_each_others_list(play, blocker, blocked):
    play("ann", "bob")
    block_user(blocker=account(blocker), blocked=account(blocked))
    assert not opponents_of("ann") and not opponents_of("bob")


def test_a_running_game_does_not_count():
    table_with("ann", "bob")
    assert not opponents_of("ann")


def test_only_the_last_ones_are_named(play):
    for number in range(SHOWN + 2):
        play("ann", f"player{number}", days_ago=number)
    assert [name for name, _ in opponents_of("ann")] == [f"player{number}" for number in range(SHOWN)]


def test_the_play_page_leads_to_the_challenge_with_that_game(play, as_user, person, client):
    play("ann", "bob", game="piquet")
    html = page_html(as_user(person("ann")).get("/play/"))
    assert 'href="/players/bob/challenge/?game=piquet"' in html
    assert "someone you've played" not in page_words(client.get("/play/"))
