"""What becomes of games when an account is closed, and what its owner may take along."""

import pytest
from django.utils import timezone

from accounts.services import close_account, export_account_data
from games import services
from games.models import Rating, Table
from games.queries.ratings import Result
from games.services import ratings
from tests.pages import page_html

pytestmark = pytest.mark.django_db


def exported(user, table):
    return next(game for game in export_account_data(user)["games"] if game["table"] == table.code)


def test_who_closes_the_account_gives_up_games_and_frees_seats(table_of, person):
    running = table_of("ann", "bob")
    waiting = services.open_and_sit(user=person("ann"), game="casino", seats=2, options=None)
    close_account(user=person("ann"))
    running.refresh_from_db()
    waiting.refresh_from_db()
    assert (running.status, running.result["places"]) == ("finished", [2, 1])
    assert waiting.status == Table.Status.ABORTED


def test_finished_games_stay_with_a_former_player(table_of, play_on, person, client):
    table = play_on(table_of("ann", "bob", options={"target": 11}, is_rated=True))
    ratings.rate_table(table_id=table.pk)
    close_account(user=person("ann"))
    assert Table.objects.with_seats().get(pk=table.pk).names == ["Former player", "bob"]
    for part in ("result/", "replay/", "board/"):
        html = page_html(client.get(f"/tables/{table.code}/{part}"))
        assert "Former player" in html and ">ann<" not in html and "/players/ann/" not in html


def test_notes_go_with_the_account(table_of, person):
    table = table_of("ann", "bob")
    services.resign(table_id=table.pk, user=person("ann"))
    table.refresh_from_db()
    services.write_note(table=table, author=person("ann"), number=0, text="Too early.", is_public=True)
    assert export_account_data(person("ann"))["notes"][0]["text"] == "Too early."
    close_account(user=person("ann"))
    assert not table.move_notes.exists()


def test_a_seat_that_a_bot_plays_stays_with_the_bot(table_of, person):
    table = table_of("ann", "bob", "cat")
    services.resign(table_id=table.pk, user=person("ann"))
    close_account(user=person("ann"))
    table.refresh_from_db()
    assert table.status == Table.Status.RUNNING


def test_a_game_that_is_given_up_this_way_is_still_rated(table_of, play_on, person):
    table = play_on(table_of("ann", "bob", is_rated=True), 2)
    ann, bob = person("ann"), person("bob")
    close_account(user=ann)
    ratings.rate_table(table_id=table.pk)
    assert Rating.objects.get(user=bob).number > 1500


def test_the_file_has_finished_games_with_all_moves(table_of, play_on, person):
    table = play_on(table_of("ann", "bob", options={"target": 11}))
    game = exported(person("ann"), table)
    assert [(move["seat"], move["text"]) for move in game["moves"]] == list(table.moves.values_list("seat", "text"))
    assert (game["players"], game["own_seat"], game["result"]) == (["ann", "bob"], 0, table.result)


@pytest.mark.parametrize("is_over", [False, True])
def test_while_cards_are_in_play_the_file_has_only_ones_own_moves(is_over, table_of, play_on, person):
    """In a running game, and in one whose cards are played at other tables still."""
    table = play_on(table_of("ann", "bob", options={"target": 11}, is_hidden=is_over), None if is_over else 5)
    moves = exported(person("ann"), table)["moves"]
    assert [move["number"] for move in moves] == list(table.moves.filter(seat=0).values_list("number", flat=True))
    assert {move.seat for move in table.moves.all()} == {0, 1}


def test_who_has_left_a_running_game_learns_nothing_of_it(table_of, play_on, person):
    table = play_on(table_of("ann", "bob", "cat"), 5)
    services.resign(table_id=table.pk, user=person("ann"))
    assert exported(person("ann"), table)["moves"] == []


def test_the_file_has_ratings_with_their_changes(person):
    ann, bob = person("ann"), person("bob")
    ratings.rate_results([Result(((ann.pk,), (bob.pk,)), (1, 2))], game="casino", at=timezone.now())
    [rating] = export_account_data(ann)["ratings"]
    assert rating["number"] > 1500
    assert [(change["before"], change["after"]) for change in rating["changes"]] == [(1500, rating["number"])]
