"""What a link to each kind of public page says: title, description and picture."""

import pytest
from django.test import Client
from django.urls import reverse

from games.engines import GAMES
from tests.cardsite.test_share_pictures import shown, tags
from tutorials.content import library

pytestmark = pytest.mark.only_on("sqlite")


def lesson_url(world):
    chapter = library.load_course("casino").chapters[0]
    return reverse("tutorials:step", args=["casino", chapter.id, chapter.steps[0].id])


PAGES = {
    "games": (lambda world: reverse("games:index"), "All games", f"{len(GAMES)} card games"),
    "learn": (lambda world: reverse("tutorials:index"), "Learn by playing", "Short lessons"),
    "play": (lambda world: reverse("games:lobby"), "Play", "a friend, or someone online"),
    "puzzles": (lambda world: reverse("tutorials:puzzles"), "Puzzles", "One move is clearly the best."),
    "tournaments": (lambda world: reverse("tournaments:index"), "Tournaments", "They start on time."),
    "leaderboard": (lambda world: reverse("games:leaderboard", args=["casino"]), "Casino ratings", "strongest"),
    "rule book": (lambda world: reverse("tutorials:rule-book", args=["casino"]), "Casino: the rules", "Capture"),
    "lesson": (lesson_url, "Learn Casino: ", "Short lessons"),
    "course test": (lambda world: reverse("tutorials:test", args=["casino"]), "Learn Casino", "Short lessons"),
    "offered deal": (
        lambda world: reverse("games:deal", args=[world.offered.code]),
        "Casino: the same deal",
        "Play the cards that player and opponent had",
    ),
    "series": (lambda world: world.series.get_absolute_url(), "Fridays", "Casino, Knock-out, "),
    "season": (lambda world: world.season.get_absolute_url(), "Season", "Points from several tournaments"),
    "divisions": (lambda world: world.divisions.get_absolute_url(), "League", "the best go up"),
    "ladder": (lambda world: world.ladder.get_absolute_url(), "Ladder", "Casino: challenge a player"),
    "bot league": (lambda world: world.league.get_absolute_url(), "", "how strong each level of bot is"),
    "league night": (lambda world: world.night.get_absolute_url(), "", "how strong each level of bot is"),
    "player": (lambda world: world.player.profile_url, "player", "tournaments of this player."),
}


@pytest.mark.parametrize("kind", PAGES)
def test_a_public_page_says_what_a_link_to_it_shows(world, kind):
    address, title, description = PAGES[kind]
    path, visitor = address(world), Client()
    said = tags(visitor, path)
    assert title in said["og:title"] and description in said["og:description"]
    assert said["og:url"] == f"http://testserver{path}"
    assert shown(visitor.get(said["og:image"])).size == (1200, 630)
