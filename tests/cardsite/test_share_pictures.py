"""Share pictures, and what a link says in chats and on social sites."""

import io
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.models import User
from cardsite.pages import share
from cardsite.web.share_pictures import SIZE, SharePicture, legible
from games.core.cards import JOKERS, RANKS, SUITS
from games.engines import GAMES
from games.models import Table
from games.presentation.card_images import card_image
from games.services import leave_table, open_table, sit_down
from tests.tournaments.factories import NOON, started, win
from tests.tournaments.test_api import planned
from tests.tutorials.puzzle_samples import store_sample
from tournaments import services
from tutorials.models import Puzzle

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


@pytest.fixture
def finished(table_of, play_on):
    return Table.objects.with_seats().get(pk=play_on(table_of("alice", "bob", options={"target": 11})).pk)


def tags(client, path):
    html = client.get(path).content.decode()
    found = re.findall(r'(?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"', html)
    return {name: unescape(said) for name, said in found}


def shown(answer):
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    return Image.open(io.BytesIO(answer.content))


# Drawing


def test_every_face_is_drawn_in_the_colour_of_its_suit():
    faces = {card: card_image(card, 100) for card in [*(rank + suit for suit in SUITS for rank in RANKS), *JOKERS]}
    assert len({image.tobytes() for image in faces.values()}) == 54
    for card, image in faces.items():
        assert image.size == (100, 140)
        assert image.getpixel((0, 0))[3] == 0 and image.getpixel((50, 3))[3] == 255  # its corners are round
        bands = [band.tobytes() for band in image.split()]
        pixels = [(red, green, blue) for red, green, blue, solid in zip(*bands, strict=True) if solid == 255]
        reds = sum(red > 150 and green < 90 for red, green, _ in pixels)
        inks = sum(red < 60 and blue < 80 for red, _, blue in pixels)
        assert reds > 100 > inks if card[1] in "HDR" else inks > 100 > reds, card


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("alice", "alice"),
        ("Jürgen", "Jurgen"),
        ("O’Neil", "O’Neil"),
        ("ann – bob", "ann - bob"),
        ("李", "A player"),
        ("Łukasz", "A player"),
        ("ann 😀", "A player"),
        (" ", "A player"),
    ],
)
def test_a_name_is_drawn_only_in_letters_that_the_font_has(name, drawn):
    assert legible(name, "A player") == drawn


def test_a_picture_has_the_size_that_sites_want_and_long_texts_stay_inside():
    long = SharePicture("Casino tournament", "The longest night " * 20, ("Donaudampfschifffahrt" * 9,), (("AS", "KH"),))
    image = Image.open(io.BytesIO(long.png()))
    assert image.size == SIZE
    assert {image.getpixel((x, y)) for x in (680, 690) for y in range(630)} == {image.getpixel((40, 40))}


def test_another_picture_has_another_version():
    one, other = (SharePicture("Casino", title) for title in ("ann wins", "bob wins"))
    assert one.version != other.version == SharePicture("Casino", "bob wins").version


# Pages and their pictures


def test_pages_say_what_a_link_shows_and_its_picture_can_be_kept(client, finished):
    event, puzzle = planned(), store_sample()
    for path, title in (
        ("/", f"Learn {len(GAMES)} card games by playing them"),
        (reverse("games:game", args=["casino"]), "Casino"),
        (finished.get_absolute_url(), "wins"),
        (reverse("games:result", args=[finished.code]), "wins"),
        (reverse("games:replay", args=[finished.code]), "wins"),
        (event.get_absolute_url(), "Cup"),
        (puzzle.get_absolute_url(), "What is your best move?"),
        (reverse("tutorials:course", args=["casino"]), ""),
    ):
        said = tags(client, path)
        assert title in said["og:title"] and said["og:description"] and said["og:image:alt"]
        assert (said["og:type"], said["twitter:card"]) == ("website", "summary_large_image")
        assert said["og:url"] == f"http://testserver{path}"
        answer = client.get(said["og:image"])
        assert shown(answer).size == (1200, 630)
        assert "immutable" in answer["Cache-Control"] and not answer.has_header("Vary") and not answer.cookies


def test_an_old_address_leads_to_the_present_picture(client, finished):
    now = share.shared_game(finished).picture_path
    answer = client.get(reverse("share-picture", args=["games", finished.code, "old"]))
    assert (answer.status_code, answer["Location"]) == (302, now)
    assert "immutable" not in answer.get("Cache-Control", "")


@pytest.mark.parametrize(
    ("kind", "key"),
    [("games", "none"), ("tournaments", "9"), ("tournaments", "x"), ("puzzles", "9"), ("courses", "x"), ("x", "y")],
)
def test_there_is_no_picture_of_what_does_not_exist(client, kind, key):
    assert client.get(reverse("share-picture", args=[kind, key, "old"])).status_code == 404


def test_a_link_to_a_game_in_play_says_who_plays_and_nothing_else(client, table_of, play_on):
    table = play_on(table_of("carol", "dave", is_private=True), 3)
    said = tags(client, table.get_absolute_url())
    assert (said["og:title"], said["og:description"]) == ("Casino: carol, dave", "Watch this game.")
    assert shown(client.get(said["og:image"])).size == SIZE
    play_on(table, 1)
    assert tags(client, table.get_absolute_url())["og:image"] == said["og:image"]


def test_a_link_to_a_table_that_waits_invites_as_its_page_does(client, person):
    carol = person("carol")
    for private, title in ((True, "carol invites you to Casino"), (False, "Casino: 1 seat free")):
        table = open_table(game="casino", seats=2, options=None, created_by=carol, is_private=private)
        sit_down(table_id=table.pk, user=carol)
        said = tags(client, table.get_absolute_url())
        assert (
            said["og:title"] == title and f"<h2>{title}</h2>" in client.get(table.get_absolute_url()).content.decode()
        )
        assert said["og:description"].startswith("2 players, no clock. Capture")
        assert shown(client.get(said["og:image"])).size == SIZE


def test_a_table_whose_cards_are_in_play_elsewhere_says_nothing(client, table_of, play_on, person):
    table = play_on(table_of("carol", "dave"), 3)
    Table.objects.filter(pk=table.pk).update(is_hidden=True)
    carol = Client()
    carol.force_login(person("carol"))
    for reader in (client, carol):
        assert not tags(reader, table.get_absolute_url())
        assert reader.get(reverse("share-picture", args=["games", table.code, "old"])).status_code == 404


def test_a_game_that_nobody_started_has_no_picture(client, person):
    carol = person("carol")
    table = open_table(game="casino", seats=2, options=None, created_by=carol)
    sit_down(table_id=table.pk, user=carol)
    leave_table(table_id=table.pk, user=carol)
    assert not tags(client, table.get_absolute_url())


def test_games_that_are_not_public_have_no_picture(client, finished, person):
    alice = Client()
    alice.force_login(person("alice"))
    result = reverse("games:result", args=[finished.code])
    picture = share.shared_game(finished).picture_path
    for change in ({"is_private": True}, {"is_hidden": True}, {"offers_deal": True}):
        before = Table.objects.filter(pk=finished.pk).values(*change).get()
        Table.objects.filter(pk=finished.pk).update(**change)
        for reader in (client, alice):
            assert reader.get(picture).status_code == 404, change
            assert not tags(reader, result), change
        Table.objects.filter(pk=finished.pk).update(**before)
    assert client.get(picture).status_code == 200


def test_a_name_in_other_letters_is_told_in_words_and_drawn_by_the_seat(finished):
    winner = finished.winners[0]
    User.objects.filter(pk=winner.user_id).update(username="李娜")
    shared = share.shared_game(Table.objects.with_seats().get(pk=finished.pk))
    assert shared.title.startswith("李娜 wins")
    assert "李娜" not in repr(shared.picture)
    assert shared.picture.title.startswith(f"Player {winner.number + 1} wins")


def test_a_puzzle_shows_what_its_player_sees_and_nothing_of_the_answer():
    puzzle = store_sample()
    view = puzzle.state.view(puzzle.seat)
    seen = {card for zone in view.zones for card in zone.cards}
    picture = share.shared_puzzle(puzzle).picture
    drawn = [card for row in picture.rows for card in row]
    assert drawn and set(drawn) <= seen
    [hand] = [zone for zone in view.zones if zone.id == f"hand:{puzzle.seat}"]
    assert picture.rows[-1] == hand.cards
    Puzzle.objects.update(best=["X"], gain=99.0, reason="Another one.", values=[])
    assert share.shared_puzzle(Puzzle.objects.get()).picture.version == picture.version


def test_the_picture_of_a_finished_event_names_its_champion(person):
    event = planned(starts_at=NOON)
    for name in ("ann", "bob"):
        services.add_entry(event_id=event.pk, user=person(name), by=person("director"))
    assert len(share.shared_event(event).picture.lines) == 1
    win(started(event), "ann")
    event.refresh_from_db()
    assert share.shared_event(event).picture.lines[-1] == "Champion: ann"
