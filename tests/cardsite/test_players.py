"""The public page about somebody."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import make_guest
from cardsite.pages.players import GAMES_A_PAGE
from games import services
from games.models import HouseBot, Rating, Seat, Table
from games.queries.head_to_head import head_to_head
from games.queries.ratings import Result
from games.services import ratings
from tests.pages import page_html
from tutorials import progress
from tutorials.content import library

pytestmark = pytest.mark.django_db


def person(name, **more):
    return User.objects.get_or_create(username=name, defaults=more)[0]


def played(*people, places, game="casino", **more):
    """A finished game of these, by seat."""
    table = services.open_table(game=game, seats=len(people), options=None, created_by=None)
    for number, user in enumerate(people):
        Seat.objects.filter(table=table, number=number).update(user=user)
    result = {"scores": [0] * len(people), "places": places, "reason": ""}
    fields = {"status": Table.Status.FINISHED, "ended_by": Table.EndedBy.RULES, "finished_at": timezone.now()}
    Table.objects.filter(pk=table.pk).update(result=result, **(fields | more))
    return Table.objects.with_seats().get(pk=table.pk)


def rated(*people, places):
    table = played(*people, places=places, is_rated=True, rating_due_at=timezone.now())
    ratings.rate_table(table_id=table.pk)
    return table


def page(name, viewer=None, query=""):
    browser = Client()
    if viewer:
        browser.force_login(viewer)
    return page_html(browser.get(f"/players/{name}/{query}"))


def status(name):
    return Client().get(f"/players/{name}/").status_code


def tallies(one, other):
    return [(tally.game.slug, tally.ahead, tally.level, tally.behind) for tally in head_to_head(one, other)]


def test_a_name_in_other_letters_leads_to_the_page_with_the_right_ones():
    person("Annlee")
    assert Client().get("/players/annlee/").headers["Location"] == "/players/Annlee/"
    assert Client().get("/players/ANNLEE/?game=casino").headers["Location"] == "/players/Annlee/?game=casino"
    assert (status("Annlee"), status("annle")) == (200, 404)


def test_people_with_an_account_and_house_bots_have_a_page():
    bot = User.objects.create(username="bot-casino-pip", first_name="Pip", is_bot=True)
    HouseBot.objects.create(user=bot, game="casino", level="club")
    for user in (person("ann"), bot):
        assert f"<h1>{user.display_name}</h1>" in page(user.username)
        assert user.profile_url == f"/players/{user.username}/"


def test_guests_and_closed_accounts_have_none():
    guest, closed = make_guest(), person("bob", is_active=False)
    for user in (guest, closed):
        assert status(user.username) == 404
        assert user.profile_url == ""
    assert status("nobody") == 404


def test_a_rating_is_shown_with_what_it_does_not_know_and_its_history():
    ann = person("ann")
    table = rated(ann, person("bob"), places=[1, 2])
    rating = Rating.objects.get(user=ann)
    html = page("ann")
    assert f"± {rating.skill.margin}<" in html
    assert ">provisional<" in html
    assert "<polyline points=" in html
    assert f'<a href="{table.get_absolute_url()}">table {table.code}</a>' in html


def test_the_history_of_another_game_can_be_chosen():
    ann, bob = person("ann"), person("bob")
    rated(ann, bob, places=[1, 2])
    ratings.rate_results([Result(((ann.pk,), (bob.pk,)), (1, 2))] * 2, game="piquet", at=timezone.now())
    assert "Rating in Piquet over time" in page("ann")
    assert "Rating in Casino over time" in page("ann", query="?game=casino")


def test_games_among_friends_and_hidden_ones_are_not_listed():
    ann, bob = person("ann"), person("bob")
    public = played(ann, bob, places=[1, 2])
    rated_by_link = played(ann, bob, places=[1, 2], is_private=True, is_rated=True)
    among_friends = played(ann, bob, places=[1, 2], is_private=True)
    hidden = played(ann, bob, places=[1, 2], is_rated=True, is_hidden=True)
    html = page("ann", viewer=ann)
    assert all(table.code in html for table in (public, rated_by_link))
    assert not any(table.code in html for table in (among_friends, hidden))


def test_a_game_that_changed_no_rating_is_not_called_rated():
    """A game that is resigned before each player has moved changes none."""
    ann, bob = person("ann"), person("bob")
    played(ann, bob, places=[1, 2], is_rated=True, ended_by=Table.EndedBy.RESIGN)
    assert "ratings unchanged" in page("ann")
    assert "<span>rated</span>" not in page("ann")
    rated(ann, bob, places=[1, 2])
    played(ann, bob, places=[1, 2], is_rated=True, rating_due_at=timezone.now())
    assert page("ann").count("<span>rated</span>") == 2
    assert page("ann").count("ratings unchanged") == 1


def test_head_to_head_counts_by_game_who_came_out_ahead():
    ann, bob, cat = map(person, ("ann", "bob", "cat"))
    played(ann, bob, places=[1, 2])
    played(bob, ann, places=[1, 2], is_private=True)
    played(cat, ann, bob, places=[1, 3, 2])
    played(ann, bob, places=[1, 1])
    played(ann, bob, places=[1, 2], game="piquet")
    played(ann, cat, places=[1, 2])
    assert tallies(ann, bob) == [("casino", 1, 1, 2), ("piquet", 1, 0, 0)]
    assert tallies(bob, ann) == [("casino", 2, 1, 1), ("piquet", 0, 0, 1)]
    assert "You against ann" in page("ann", viewer=bob)
    assert "You against" not in page("ann", viewer=ann) + page("ann")


def test_head_to_head_leaves_out_what_says_nothing():
    """Games of partners, games a director stopped, and games whose cards are still in play."""
    ann, bob, cat, dan = map(person, ("ann", "bob", "cat", "dan"))
    played(ann, cat, bob, dan, places=[1, 2, 1, 2], options={"partners": True})
    played(ann, bob, places=[1, 1], ended_by=Table.EndedBy.DIRECTOR)
    played(ann, bob, places=[1, 2], is_hidden=True)
    assert tallies(ann, bob) == []
    assert tallies(ann, dan) == [("casino", 1, 0, 0)]


def test_whoever_left_came_out_behind_whatever_the_bot_made_of_it():
    ann, bob, cat = map(person, ("ann", "bob", "cat"))
    table = played(ann, bob, cat, places=[1, 2, 3])
    table.seats.filter(user=ann).update(has_left=True)
    assert tallies(ann, bob) == [("casino", 0, 0, 1)]


def test_a_course_is_finished_with_its_last_step():
    ann, now = person("ann"), timezone.now()
    *steps, last = library.load_course("casino").steps
    progress.lose_star(user=ann, game="casino", step=steps[0])
    for step in steps:
        progress.finish_step(user=ann, game="casino", step=step, now=now)
    assert progress.finished_courses(ann) == []
    progress.finish_step(user=ann, game="casino", step=last, now=now)
    [course] = progress.finished_courses(ann)
    assert (course.game.slug, course.stars, course.steps) == ("casino", len(steps), len(steps) + 1)
    assert "Courses finished" in page("ann")


def test_the_page_reads_the_database_as_often_for_many_games_as_for_few(django_assert_max_num_queries):
    ann, bob = person("ann"), person("bob")
    for _ in range(12):
        rated(ann, bob, places=[1, 2])
    browser = Client()
    browser.force_login(bob)
    with django_assert_max_num_queries(20):
        html = page_html(browser.get("/players/ann/"))
    assert html.count("ann wins") == 12


def test_all_public_games_can_be_reached():
    ann, bob = person("ann"), person("bob")
    oldest, *_ = [played(ann, bob, places=[1, 2]) for _ in range(GAMES_A_PAGE + 1)]
    Table.objects.update(is_private=False)
    assert oldest.code not in page("ann")
    assert 'href="?page=2#games-title"' in page("ann")
    assert oldest.code in page("ann", query="?page=2")
