"""My games: the list of all of a player's games, and those on the play page."""

import pytest
from django.utils import timezone

from games import services
from games.models import Seat, Table
from games.views.lobby import OWN_GAMES_A_PAGE
from tests.pages import page_html, page_words

pytestmark = pytest.mark.django_db
PATH = "/play/mine/"


@pytest.fixture
def finished(person):
    """`finished("ann", "bob")`: a game of casino that the first one won by 21 to 14."""

    def make(*names, game="casino"):
        table = services.open_table(game=game, seats=len(names), options=None, created_by=person(names[0]))
        for number, name in enumerate(names):
            Seat.objects.filter(table=table, number=number).update(user=person(name))
        Table.objects.filter(pk=table.pk).update(
            status=Table.Status.FINISHED,
            ended_by=Table.EndedBy.RULES,
            finished_at=timezone.now(),
            result={"scores": [21, 14], "places": [1, 2], "reason": "", "gone": []},
        )
        return table

    return make


def test_every_game_can_be_reached_and_an_unfinished_one_is_on_the_first_page(table_of, finished, person, as_user):
    going_on, first = table_of("ann", "bob"), finished("ann", "bob")
    for _ in range(OWN_GAMES_A_PAGE):
        finished("ann", "cat")
    ann = as_user(person("ann"))
    front, back = page_html(ann.get(PATH)), page_html(ann.get(f"{PATH}?page=2"))
    assert f'href="{going_on.get_absolute_url()}"' in front and f"/tables/{first.code}/" not in front
    assert f'href="/tables/{first.code}/result/"' in back and 'href="?page=1"' in back


def test_the_list_can_be_of_one_game(finished, person, as_user):
    casino, gin = finished("ann", "bob"), finished("ann", "bob", game="gin-rummy")
    ann = as_user(person("ann"))
    html = page_html(ann.get(f"{PATH}?game=gin-rummy"))
    assert gin.code in html and casino.code not in html
    assert '<option value="gin-rummy" selected>Gin Rummy</option>' in html and "Push" not in html
    html = page_html(ann.get(f"{PATH}?game=push"))
    assert gin.code in html and casino.code in html


def test_the_list_speaks_to_its_reader(finished, person, as_user):
    finished("ann", "bob")
    assert "You win, 21 to 14" in page_words(as_user(person("ann")).get(PATH))
    assert "ann wins, 21 to 14" in page_words(as_user(person("bob")).get(PATH))


def test_a_game_that_a_player_has_left_for_good_is_no_longer_theirs_to_continue(table_of, play_on, person, as_user):
    table = table_of("ann", "bob", "cat")
    play_on(table, 3)
    services.leave_table(table_id=table.pk, user=person("ann"))
    ann, bob = as_user(person("ann")), as_user(person("bob"))
    assert "you left: a bot plays on View" in page_words(ann.get(PATH))
    assert "in progress Continue" in page_words(bob.get(PATH))
    assert "Your tables" not in page_words(ann.get("/play/")) and "Your tables" in page_words(bob.get("/play/"))
