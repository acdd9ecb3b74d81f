"""Pages in frames of other sites, and oEmbed, by which those sites find them."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Table
from tests.cardsite.test_security import directives
from tests.pages import page_html
from tests.tables import account, play_last_moves, table_with
from tests.tournaments.factories import NOON, started, win
from tests.tournaments.test_api import planned
from tournaments import services
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("sqlite")]


@pytest.fixture(scope="module")
def begun(kept):
    """A running knock-out of four, whose first semi-final ann has won."""
    event = planned(starts_at=NOON)
    for name in ("ann", "bob", "cat", "dan"):
        services.add_entry(event_id=event.pk, user=account(name), by=account("director"))
    win(started(event), "ann")
    return event


@pytest.fixture
def cup(begun):
    return Event.objects.get(pk=begun.pk)


@pytest.fixture(scope="module")
def played(kept):
    return play_last_moves(table_with("alice", "bob", options={"target": 11}))


@pytest.fixture
def finished(played):
    return Table.objects.with_seats().get(pk=played.pk)


def part_of(event, part="bracket"):
    return reverse(f"embed-{part}", args=[event.pk])


def replay_of(table):
    return reverse("embed-replay", args=[table.code])


def is_framed_anywhere(answer):
    return "X-Frame-Options" not in answer and directives(answer["Content-Security-Policy"])["frame-ancestors"] == "*"


# Frames


def test_only_embedded_pages_may_be_framed_by_other_sites(client, cup, finished):
    for path in (part_of(cup), part_of(cup, "standings"), replay_of(finished), replay_of(finished)[:-3] + "/"):
        answer = client.get(path)
        assert is_framed_anywhere(answer)
        policy = directives(answer["Content-Security-Policy"])
        assert (policy["default-src"], policy["form-action"]) == ("'none'", "'none'")
        assert "unsafe" not in str(policy) and "nonce" not in str(policy)
    for path in ("/", cup.get_absolute_url(), finished.get_absolute_url(), reverse("oembed")):
        answer = client.get(path)
        assert answer["X-Frame-Options"] == "DENY"
        assert directives(answer["Content-Security-Policy"])["frame-ancestors"] == "'none'"


def test_an_embedded_page_is_the_same_for_all_and_sets_no_cookie(client, cup, finished, person):
    member = Client()
    member.force_login(person("alice"))
    member.cookies["theme"] = "dark"
    for path in (part_of(cup), part_of(cup, "standings"), f"{replay_of(finished)}?at=3"):
        answers = [client.get(path), member.get(path)]
        assert not any(answer.cookies or answer.has_header("Vary") for answer in answers)
        assert answers[0].content == answers[1].content
        assert answers[0]["Cache-Control"] == "public, max-age=60"


def test_an_embedded_page_has_no_form_and_its_links_open_the_site(client, cup, finished):
    for path in (part_of(cup), part_of(cup, "standings"), f"{replay_of(finished)}?at=3"):
        html = page_html(client.get(path))
        assert "<form" not in html and "hx-" not in html and "nonce" not in html
        links = re.findall(r"<a\b[^>]*>", html)
        assert links and all(
            'target="_blank" rel="noopener"' in link if 'href="/' in link else re.search('href="[?#]', link)
            for link in links
        )


def test_a_bracket_shows_matches_and_winners_and_standings_the_places(client, cup):
    html = page_html(client.get(part_of(cup)))
    assert 'class="bracket"' in html and "data-renewed" in html
    assert all(name in html for name in ("ann", "bob", "cat", "dan"))
    assert 'class="standings"' in page_html(client.get(part_of(cup, "standings")))


def test_an_event_without_results_shows_its_entries(client, person):
    event = planned()
    services.add_entry(event_id=event.pk, user=person("quentin"), by=person("director"))
    for part in ("bracket", "standings"):
        assert "quentin" in page_html(client.get(part_of(event, part)))
    assert client.get(reverse("embed-bracket", args=[event.pk + 1])).status_code == 404


def test_a_replay_steps_by_links(client, finished):
    html = page_html(client.get(f"{replay_of(finished)}?at=3&seat=1"))
    assert "3 of " in html
    steps = dict(re.findall(r'data-go="(\w+)"[^>]* href="([^"]+)"', html))
    last = finished.move_count
    assert {name: unescape(href) for name, href in steps.items()} == {
        "first": "?at=0&seat=1", "prev": "?at=2&seat=1", "next": "?at=4&seat=1", "last": f"?at={last}&seat=1",
    }  # fmt: skip


def test_only_public_games_that_are_over_are_embedded(client, table_of, play_on, person):
    running = play_on(table_of("carol", "dave", secret=bytes([1] * 32)), 3)
    # Not `finished`: it may be in memory, and is shown from there whatever the version of its rules.
    finished = play_on(table_of("alice", "bob", options={"target": 11}, secret=bytes([2] * 32)))
    assert client.get(replay_of(running)).status_code == 404
    member = Client()
    member.force_login(person("alice"))
    for change in ({"is_private": True}, {"is_hidden": True}, {"offers_deal": True}, {"rules_version": 0}):
        before = Table.objects.filter(pk=finished.pk).values(*change).get()
        Table.objects.filter(pk=finished.pk).update(**change)
        for reader in (client, member):
            answer = reader.get(replay_of(finished))
            assert answer.status_code == 404 and is_framed_anywhere(answer), change
            assert "data-card" not in page_html(answer)
        Table.objects.filter(pk=finished.pk).update(**before)
    assert client.get(replay_of(finished)).status_code == 200


def test_a_private_game_that_is_rated_or_of_an_event_is_embedded(client, finished):
    for change in ({"is_rated": True}, {"event_name": "Cup"}):
        Table.objects.filter(pk=finished.pk).update(is_private=True, is_rated=False, event_name="")
        assert client.get(replay_of(finished)).status_code == 404
        Table.objects.filter(pk=finished.pk).update(**change)
        assert client.get(replay_of(finished)).status_code == 200


def test_pages_have_the_code_to_copy(client, cup, finished):
    for path, embeds in (
        (cup.get_absolute_url(), [part_of(cup), part_of(cup, "standings")]),
        (reverse("games:replay", args=[finished.code]), [replay_of(finished)]),
        (reverse("games:result", args=[finished.code]), [replay_of(finished)]),
    ):
        html = client.get(path).content.decode()
        codes = [unescape(code) for code in re.findall(r'readonly value="(&lt;iframe[^"]+)"', html)]
        assert [re.search('src="([^"]+)"', code)[1] for code in codes] == [f"http://testserver{one}" for one in embeds]
    Table.objects.filter(pk=finished.pk).update(is_private=True)
    assert "&lt;iframe" not in client.get(reverse("games:replay", args=[finished.code])).content.decode()


# oEmbed


def oembed(client, url, **more):
    return client.get(reverse("oembed"), {"url": f"http://testserver{url}", **more})


def test_oembed_answers_the_frame_of_a_page(client, cup, finished):
    standings = part_of(cup, "standings")
    result = reverse("games:result", args=[finished.code])
    for page, embed in (
        (cup.get_absolute_url(), part_of(cup)),
        (f"{cup.get_absolute_url()}#standings", standings),
        (standings, standings),
        (result, replay_of(finished)),
        (
            reverse("games:replay", args=[finished.code]) + "?at=4&hands=own&seat=1",
            replay_of(finished) + "?at=4&seat=1",
        ),
    ):
        answer = oembed(client, page)
        assert answer.status_code == 200 and answer["Content-Type"] == "application/json"
        said = answer.json()
        assert (said["version"], said["type"]) == ("1.0", "rich")
        source = unescape(re.search('src="([^"]+)"', said["html"])[1])
        assert source == f"http://testserver{embed}"
        assert is_framed_anywhere(client.get(embed))


def test_pages_name_the_address_of_their_oembed_answer(client, cup, finished):
    replay = reverse("games:replay", args=[finished.code]) + "?at=4"
    for page in (
        cup.get_absolute_url(),
        replay,
        reverse("games:result", args=[finished.code]),
        finished.get_absolute_url(),
    ):
        link = re.search(r'type="application/json\+oembed"[^>]* href="([^"]+)"', page_html(client.get(page)))[1]
        assert client.get(unescape(link)).json()["type"] == "rich"
    Table.objects.filter(pk=finished.pk).update(is_private=True)
    for page in (replay, finished.get_absolute_url()):
        assert "oembed" not in page_html(client.get(page))


def test_oembed_keeps_to_the_size_that_is_asked_for(client, cup):
    said = oembed(client, cup.get_absolute_url(), maxwidth="400", maxheight="5000", format="json").json()
    assert (said["width"], said["height"]) == (400, 640)
    assert 'width="400" height="640"' in said["html"]


def test_oembed_names_the_share_picture_where_it_fits(client, cup, finished):
    for page in (cup.get_absolute_url(), finished.get_absolute_url()):
        said = oembed(client, page, maxwidth="1200").json()
        picture = client.get(said["thumbnail_url"].removeprefix("http://testserver"))
        width, height = (int.from_bytes(picture.content[at : at + 4]) for at in (16, 20))
        assert (said["thumbnail_width"], said["thumbnail_height"]) == (width, height)
        assert "thumbnail_url" in oembed(client, page).json()
        assert "thumbnail_url" not in oembed(client, page, maxwidth="1199").json()


def test_oembed_refuses_with_the_status_that_says_why(client, finished, table_of, cup):
    assert oembed(client, cup.get_absolute_url(), format="xml").status_code == 501
    assert client.get(reverse("oembed")).status_code == 400
    assert oembed(client, cup.get_absolute_url(), maxwidth="wide").status_code == 400
    for address in (
        "/privacy/",
        "/tournaments/999/",
        "/nowhere/",
        "/tables/none/",
        table_of("carol", "dave", secret=bytes([1] * 32)).get_absolute_url(),
    ):
        assert oembed(client, address).status_code == 404, address
    for elsewhere in (f"https://elsewhere.example{cup.get_absolute_url()}", "http://[", "javascript:1"):
        assert client.get(reverse("oembed"), {"url": elsewhere}).status_code == 404, elsewhere
    Table.objects.filter(pk=finished.pk).update(is_private=True)
    assert oembed(client, finished.get_absolute_url()).status_code == 401
