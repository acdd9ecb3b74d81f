"""The list of games, and one press from there to a game."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.bots.experts import EXPERTS
from games.engines import GAMES
from games.models import Seek, Table
from games.presentation.game_list import FACTS, LISTED_GAMES, WELL_KNOWN_GAMES
from games.templatetags.cards import TILE_CARDS
from tests.pages import page_html, page_words
from tutorials.content.coverage import source_statements


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_game_has_its_entry_in_each_list(game):
    lists = {
        "FACTS in games/presentation/game_list.py": FACTS,
        "TILE_CARDS in games/templatetags/cards.py": TILE_CARDS,
        "EXPERTS in games/bots/experts.py": EXPERTS,
        "seeds/coverage.yaml": source_statements(),
    }
    assert [f"no {game.slug} in {name}" for name, entries in lists.items() if game.slug not in entries] == []


def test_every_game_is_listed_once_and_variants_below_their_parents():
    listed = [entry.game for entry in LISTED_GAMES]
    assert len(listed) == len({*listed}) and {*listed} == {*GAMES}
    for before, entry in zip(LISTED_GAMES, LISTED_GAMES[1:], strict=False):
        assert entry.parent in (None, before.game, before.parent), entry
    assert LISTED_GAMES[0] in WELL_KNOWN_GAMES and len(WELL_KNOWN_GAMES) == 6


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/games/",
        "/play/",
        "/learn/",
        "/learn/partnership-cribbage/",
        "/rules/",
        "/rules/partnership-cribbage/",
        "/tournaments/",
    ],
)
@pytest.mark.django_db
def test_partnership_cribbage_is_found_as_cribbage(client, path):
    page = page_words(client.get(path))
    assert "Cribbage (2 or 4)" in page and "Partnership Cribbage" not in page


@pytest.mark.django_db
def test_a_tile_says_how_many_play_how_long_and_how_hard_it_is(client):
    tiles = page_html(client.get("/games/")).split('<li class="tile">')
    words = next(tile for tile in tiles if "/games/royal-casino/" in tile)
    for fact in (
        "2 to 4 players",
        "15 minutes",
        "Medium",
        "Variant of Casino",
        "/learn/royal-casino/",
        "/rules/royal-casino/",
    ):
        assert fact in words
    assert "<span>3 hours</span>" in next(tile for tile in tiles if "/games/krambambuli/" in tile)


@pytest.mark.parametrize("path", ["/play/", "/learn/", "/rules/"])
@pytest.mark.django_db
def test_only_the_list_of_games_has_tiles(client, path):
    assert page_html(client.get("/games/")).count('<li class="tile">') == len(GAMES)
    assert '<li class="tile">' not in page_html(client.get(path))


@pytest.mark.parametrize("path", ["/", "/games/"])
@pytest.mark.django_db
def test_one_press_starts_a_game_against_a_bot(client, house_bot, path):
    house_bot("Ada", level="club")
    page = page_html(client.get(path))
    assert re.search(r'<button type="submit" form="play-bot"[^>]* name="game" value="casino">', page)
    form = page[page.index('<form id="play-bot"') :].partition("</form>")[0]
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)"', form))
    client.post("/play/now/", {**sent, "game": "casino"})
    assert Table.objects.get().status == Table.Status.RUNNING


@pytest.mark.django_db
def test_one_press_opens_a_table_for_a_friend_and_another_starts_a_bot_game(client, house_bot):
    house_bot("Ada", level="club")
    sent = {"game": "casino", "level": "club", "key": "0" * 32}
    first = client.post("/play/invite/", sent).url
    assert client.post("/play/invite/", sent).url == first
    table = Table.objects.get()
    assert (table.is_private, table.is_rated, table.status) == (True, False, Table.Status.OPEN)
    assert client.post("/play/now/", sent).url != first


@pytest.mark.django_db
def test_the_invited_person_reads_who_invites_to_what_and_joins_by_a_name(client, person, as_user):
    alice = as_user(person("alice"))
    url = alice.post("/play/invite/", {"game": "casino", "level": "club"}).url
    page = page_words(client.get(url))
    assert "alice invites you to Casino" in page
    assert "About 15 minutes, 2 players. Clock: 5 minutes + 10 seconds a turn." in page
    client.post(f"{url}sit/", {"seat": "1", "name": " Ben <b>"})
    assert Table.objects.get().seats.get(number=1).name == "Guest Ben b"


@pytest.mark.django_db
def test_pages_say_how_many_wait_for_a_game(client, person):
    services.start_seek(user=person("alice"), game="casino", seats=[2], paces=["standard"])
    assert "1 player waiting." in page_words(client.get("/games/casino/"))
    assert "No one is waiting right now." in page_words(client.get("/games/push/"))
    assert "1 player waiting for Casino." in page_words(client.get("/play/seek/wishes/?game=casino"))
    assert "No one is waiting for Push right now." in page_words(client.get("/play/seek/wishes/?game=push"))


@pytest.mark.django_db
def test_after_ten_seconds_of_waiting_a_bot_is_offered(person, as_user, house_bot, django_capture_on_commit_callbacks):
    house_bot("Ada", level="club")
    alice = as_user(person("alice"))
    services.start_seek(user=person("alice"), game="casino", seats=[2], paces=["standard"])
    assert "Play a bot" not in page_words(alice.get("/play/seek/state/"))
    Seek.objects.update(created_at=timezone.now() - timedelta(seconds=10))
    assert "Play a bot" in page_words(alice.get("/play/seek/state/"))
    with django_capture_on_commit_callbacks(execute=True):
        alice.post("/play/now/", {"game": "casino", "level": "club"})
    assert Table.objects.get().status == Table.Status.RUNNING and not Seek.objects.exists()


@pytest.mark.parametrize("path", ["/games/casino/", "/play/", "{table}"])
@pytest.mark.django_db
def test_players_read_that_deals_are_fair_and_no_hashes(client, person, path):
    table = services.open_and_sit(user=person("alice"), game="casino", seats=2, options=None)
    page = page_words(client.get(path.format(table=table.get_absolute_url())))
    assert "provably fair" in page and table.commitment not in page and "seal" not in page.lower()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("players=6", ["krambambuli"]),
        ("kind=Rummy&players=4&minutes=20", ["vatican"]),
        ("kind=Fishing&players=3", ["casino", "royal-casino"]),
        ("kind=Tricks&players=5", []),
    ],
)
def test_the_list_shows_the_games_that_a_player_looks_for(client, asked, names):
    html = page_html(client.get(f"/games/?{asked}"))
    assert re.findall(r'class="tile-title"><a href="/games/([\w-]+)/"', html) == names
    assert ("No game is like that." in html) == (not names)
    assert ("1 card game, best" in " ".join(html.split())) == (len(names) == 1)


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["players=99", "players=two", "kind=Bridge&minutes=-1", "minutes="])
def test_a_filter_that_there_is_not_hides_no_game(client, asked):
    assert page_html(client.get(f"/games/?{asked}")).count('class="tile"') == len(LISTED_GAMES)
