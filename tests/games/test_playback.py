"""Looking at a finished game again: its positions, deals, sides and notes."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games import services
from games.models import Move, MoveNote, Table
from games.record import playback, replay
from games.services import TableError
from tests.pages import page_html
from tests.tables import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


def url(table, name="replay"):
    return reverse(f"games:{name}", args=[table.code])


def html_of(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200
    return page_html(answer)


def shown_cards(html):
    return set(re.findall(r'data-card="(\w+)"', html))


def hand(state, seat):
    return {card for zone in state.view(seat).zones if zone.id == f"hand:{seat}" for card in zone.cards}


@pytest.fixture
def finished(table_of, play_on):
    """Casino to 11 points, of several deals."""
    return fresh(play_on(table_of("alice", "bob", options={"target": 11})))


@pytest.fixture
def given_up(table_of, play_on, person):
    table = play_on(table_of("alice", "bob"), 5)
    services.resign(table_id=table.pk, user=person("alice"))
    return fresh(table)


@pytest.mark.parametrize("game", ["casino", "gin-rummy", "vatican", "piquet"])
def test_every_position_is_the_one_that_a_replay_from_the_start_gives(game, table_of, play_on):
    table = fresh(play_on(table_of("alice", "bob", game=game), 45))
    looked = playback.playback_of(table)
    for at in range(table.move_count + 1):
        replay._newest.clear()
        assert looked.state_at(at).dump() == replay.state_of(table, at).dump()


def test_a_step_in_which_a_player_says_nothing_has_its_words_too(table_of, play_on):
    table = play_on(table_of("alice", "bob", game="piquet"), 1)
    services.resign(table_id=table.pk, user=table.seats.all()[0].user)
    assert '<p class="prompt">bob goes on' in html_of(Client(), f"{url(table)}?at=1")


def test_each_deal_starts_where_the_last_one_ended(finished, state_of):
    deals = playback.playback_of(finished).deals
    assert [deal.result for deal in deals] == list(state_of(finished).results)
    assert [deal.start for deal in deals] == [0, *(deal.end for deal in deals[:-1])]
    assert deals[-1].end == finished.move_count
    for deal in deals:
        assert len(playback.playback_of(finished).state_at(deal.start).results) == deal.number - 1


def test_a_deal_that_was_not_played_to_its_end_is_the_last_one(given_up):
    [deal] = playback.playback_of(given_up).deals
    assert (deal.number, deal.start, deal.end, deal.result) == (1, 0, None, None)


def test_a_step_reads_no_moves_once_the_game_is_known(finished, django_assert_max_num_queries):
    client, step = Client(headers={"HX-Request": "true"}), url(finished)
    html_of(client, f"{step}?at=3")
    with django_assert_max_num_queries(4) as captured:
        html_of(client, f"{step}?at=40")
    assert not [query for query in captured.captured_queries if '"games_move"' in query["sql"]]


def test_a_step_sends_the_board_and_not_the_list_of_moves(finished):
    html = html_of(Client(headers={"HX-Request": "true"}), f"{url(finished)}?at=3")
    assert 'id="board"' in html
    assert 'id="replay-moves"' not in html


def test_one_looks_from_the_side_one_likes(given_up):
    state = playback.playback_of(given_up).state_at(2)
    for seat in (0, 1):
        html = html_of(Client(), f"{url(given_up)}?at=2&seat={seat}&hands=own")
        shown = shown_cards(html)
        assert hand(state, seat) <= shown
        assert not hand(state, 1 - seat) & shown


def test_the_plates_name_the_partner_of_the_side_one_looks_from(table_of, play_on):
    table = fresh(play_on(table_of("ann", "bob", "cat", "dan", options={"partners": True, "target": 11})))
    for seat in range(4):
        board = Client().get(f"{url(table)}?at=2&seat={seat}").context["board"]
        partners = [plate.number for plate in (board.own, *board.others) if "partner" in plate.note]
        assert partners == [(seat + 2) % 4]


@pytest.mark.parametrize("seat", ["7", "x", "-1"])
def test_a_side_that_does_not_exist_is_the_usual_one(given_up, seat):
    html = html_of(Client(), f"{url(given_up)}?at=2&seat={seat}")
    assert re.findall(r'aria-current="true">(\w+)', html)[1] == "alice"  # after the menu


def test_the_link_to_a_moment_names_the_side_for_others(given_up, as_user, person):
    html = html_of(as_user(person("bob")), f"{url(given_up)}?at=3")
    address = re.search(r'id="moment"[^>]*value="([^"]+)"', html)[1]
    assert address.endswith(f"{url(given_up)}?at=3&amp;seat=1")


def test_the_list_says_how_long_a_move_took(given_up):
    moves = list(given_up.moves.all())
    for move, seconds in zip(moves, (1, 70, 75, 7300, 7300), strict=True):
        move.played_at = given_up.started_at + timedelta(seconds=seconds)
        move.save()
    html = html_of(Client(), url(given_up))
    found = re.findall(r'</a> <span class="soft">([^<]+)</span>', html)
    assert found == ["1 s", "1 min", "5 s", "2 h"]


def test_the_result_leads_to_each_deal(finished):
    html = html_of(Client(), url(finished, "result"))
    for deal in playback.playback_of(finished).deals:
        assert f'{url(finished)}?at={deal.start}"' in html


def test_the_result_opens_the_last_hand_and_tells_each_other_in_a_line(finished, state_of):
    html = html_of(Client(), url(finished, "result"))
    hands = re.findall(r'<details class="fold hand-result"( open)?><summary>(.*?)</summary>', html)
    results = state_of(finished).results
    assert len(results) > 1
    assert [is_open for is_open, _ in hands] == [""] * (len(results) - 1) + [" open"]
    for result, (_, line) in zip(results, hands, strict=True):
        points = ", ".join(f"{name} {gain}" for name, gain in zip(finished.names, result.points, strict=True))
        assert re.sub("<[^>]+>", "", line) == f"Hand {result.number}: {points}"


@pytest.mark.parametrize("ended_by", Table.EndedBy)
def test_a_result_is_told_however_the_game_ended(given_up, ended_by):
    Table.objects.update(ended_by=ended_by)
    html = html_of(Client(), url(given_up, "result"))
    assert "alice resigned" in html
    assert f'{url(given_up)}?at=0"' in html


# Notes


def write(browser, table, **data):
    return browser.post(url(table, "note"), {"at": 2, **data})


def test_a_note_is_for_its_author_alone(given_up, as_user, person):
    write(as_user(person("alice")), given_up, text="Too early.")
    at = f"{url(given_up)}?at=2"
    html = html_of(as_user(person("alice")), at)
    assert "Too early." in html
    assert re.search(r'value="2".*?✎.*?</li>', html)
    assert "✎" not in html_of(as_user(person("bob")), at)
    assert "Too early." not in html_of(as_user(person("bob")), at)
    assert "Too early." not in html_of(as_user(person("alice")), f"{url(given_up)}?at=3")


def test_a_player_may_show_a_note_to_everybody(given_up, as_user, person):
    write(as_user(person("alice")), given_up, text="Too early.", is_public="on")
    assert "Too early." in html_of(Client(), f"{url(given_up)}?at=2")


def test_who_did_not_play_cannot_show_notes_to_everybody(given_up, as_user, person):
    write(as_user(person("carol")), given_up, text="Buy my book.", is_public="on")
    assert not MoveNote.objects.exists()


def test_a_note_that_is_refused_stays_in_its_form(given_up, as_user, person):
    write(as_user(person("alice")), given_up, text="Too early.")
    answer = write(as_user(person("alice")), given_up, text="Long. " * 101, is_public="on")
    html = page_html(answer)
    assert answer.status_code == 422
    assert "yours has 605. Shorten it" in html
    assert re.search(r"<textarea[^>]*>(Long\. ){100}Long\.</textarea>", html)
    assert 'name="is_public" checked' in html
    assert MoveNote.objects.get().text == "Too early."


def test_a_line_break_of_a_note_counts_as_in_its_form(given_up, as_user, person):
    write(as_user(person("alice")), given_up, text="\r\n".join(["x" * 299, "y" * 300]))
    assert len(MoveNote.objects.get().text) == 600


def test_an_empty_note_takes_the_old_one_away(given_up, as_user, person):
    browser = as_user(person("alice"))
    write(browser, given_up, text="Too early.")
    write(browser, given_up, text="Too late.")
    assert MoveNote.objects.get().text == "Too late."
    write(browser, given_up, text=" ")
    assert not MoveNote.objects.exists()


def test_nothing_is_noted_by_guests_or_while_the_game_lasts(given_up, table_of, as_user, person):
    guest = person("guest")
    guest.is_guest = True
    guest.save()
    write(as_user(guest), given_up, text="Hm.")
    write(Client(), given_up, text="Hm.")
    write(as_user(person("dan")), table_of("dan", "eve", secret=bytes(31) + b"1"), text="Hm.", at=0)
    assert not MoveNote.objects.exists()
    assert Move.objects.exists()


@pytest.mark.parametrize(
    ("number", "text", "why"),
    [
        (6, "Hm.", "has no such move"),
        (-1, "Hm.", "has no such move"),
        (5, "x" * 601, "600 characters, and yours has 601"),
    ],
)
def test_a_note_has_a_position_and_an_end(given_up, person, number, text, why):
    services.write_note(table=given_up, author=person("alice"), number=5, text="x" * 600)
    with pytest.raises(TableError, match=why):
        services.write_note(table=given_up, author=person("alice"), number=number, text=text)
    assert [len(note.text) for note in MoveNote.objects.all()] == [600]


def test_notes_are_part_of_what_the_site_keeps_of_somebody(given_up, as_user, person):
    from games.queries import personal_data

    write(as_user(person("alice")), given_up, text="Too early.")
    assert personal_data.notes_of(person("alice")) == [
        {"table": given_up.code, "move": 2, "text": "Too early.", "public": False}
    ]
