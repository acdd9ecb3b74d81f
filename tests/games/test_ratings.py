"""What a rated game does to ratings, once and only once."""

from datetime import timedelta

import pytest
import redis
from celery import current_app
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.services import join_account, make_guest
from games import services, tasks
from games.domain.rating_math import POINTS_PER_UNIT, Skill, after_game
from games.models import Rating, RatingChange, Table
from games.queries.ratings import Result, ratings_of
from games.services import ratings

# The maths


def test_a_newcomer_has_1500_points_and_gains_what_the_other_loses():
    [[winner], [loser]] = after_game([[Skill()], [Skill()]], [1, 2])
    assert Skill().number == 1500
    assert winner.number > 1500
    assert winner.number + loser.number == 3000


def test_400_points_more_mean_odds_of_ten_to_one():
    """With such odds one win in eleven leaves a rating where it is, so it is worth ten defeats."""
    strong, weak = Skill(25 + 400 / POINTS_PER_UNIT, 0.1), Skill(25, 0.1)
    [[_], [won]] = after_game([[strong], [weak]], [2, 1])
    [[_], [lost]] = after_game([[strong], [weak]], [1, 2])
    assert (won.mu - weak.mu) / (weak.mu - lost.mu) == pytest.approx(10, rel=0.01)


def test_a_draw_brings_the_weaker_one_up():
    [[strong], [weak]] = after_game([[Skill(30)], [Skill(20)]], [1, 1])
    assert (strong.mu < 30, weak.mu > 20) == (True, True)


def test_of_six_the_places_decide_in_order():
    after = after_game([[Skill()]] * 6, [3, 1, 6, 2, 5, 4])
    numbers = [skill.number for [skill] in after]
    assert sorted(range(6), key=lambda seat: -numbers[seat]) == [1, 3, 0, 5, 4, 2]


def test_partners_win_and_lose_together():
    [[ann, cat], [bob, dan]] = after_game([[Skill(), Skill(30)], [Skill(), Skill()]], [1, 2])
    assert ann.number > 1500 and cat.number > Skill(30).number
    assert bob.number == dan.number < 1500


@pytest.mark.parametrize("other", [Skill(), Skill(25, 1)])
def test_a_rating_stops_to_be_provisional_after_ten_to_twenty_games(other):
    skill, games = Skill(), 0
    while skill.is_provisional:
        [[skill], [other]] = after_game([[skill], [other]], [1, 1])
        games += 1
    assert 10 <= games <= 20


# Tables


@pytest.fixture
def play_rated(table_of, play_on):
    """`play_rated("ann", "bob")`: a finished rated game of Casino between these."""

    def play(*names, **more):
        return play_on(table_of(*names, **{"options": {"target": 11}, "is_rated": True, **more}))

    return play


def number(person, game: str = "casino") -> int:
    return ratings_of([person], game)[person.pk].number


def numbers(*people) -> list[int]:
    return [number(person) for person in people]


def test_whoever_has_not_played_has_the_rating_of_a_newcomer_which_is_not_stored(person):
    assert number(person("ann")) == 1500
    assert not Rating.objects.exists()


def test_a_rated_game_changes_the_ratings_of_its_players(play_rated, person):
    table = play_rated("ann", "bob")
    ratings.rate_table(table_id=table.pk)
    loser = table.result["places"].index(2)
    winner, other = person(table.names[1 - loser]), person(table.names[loser])
    assert number(winner) > 1500 > number(other)
    change = RatingChange.objects.get(rating__user=winner)
    assert (change.table, change.before, change.after) == (table, 1500, number(winner))
    assert number(winner, "piquet") == 1500


def test_a_second_call_changes_nothing(play_rated, person):
    table = play_rated("ann", "bob")
    ratings.rate_table(table_id=table.pk)
    once = numbers(person("ann"), person("bob"))
    ratings.rate_table(table_id=table.pk)
    assert numbers(person("ann"), person("bob")) == once
    assert list(Rating.objects.values_list("games", flat=True)) == [1, 1]


def test_the_database_knows_a_change_of_a_table_and_a_user_only_once(play_rated):
    table = play_rated("ann", "bob")
    ratings.rate_table(table_id=table.pk)
    Table.objects.update(rating_due_at=timezone.now())  # as if nobody had noted that it is done
    with pytest.raises(IntegrityError), transaction.atomic():
        ratings.rate_table(table_id=table.pk)
    assert list(Rating.objects.values_list("games", flat=True)) == [1, 1]


def test_a_game_that_is_not_rated_changes_nothing(play_rated):
    table = play_rated("ann", "bob", is_rated=False)
    ratings.rate_table(table_id=table.pk)
    assert not Rating.objects.exists()


def test_a_running_game_changes_nothing_yet(table_of):
    ratings.rate_table(table_id=table_of("ann", "bob", is_rated=True).pk)
    assert not Rating.objects.exists()


def test_a_game_given_up_before_everybody_has_moved_is_not_rated(table_of, play_on, person):
    early, late = (play_on(table_of("ann", "bob", is_rated=True, secret=bytes([n]) * 32), n) for n in (1, 2))
    for table in (early, late):
        services.resign(table_id=table.pk, user=person("ann"))
    ratings.rate_table(table_id=early.pk)
    assert not Rating.objects.exists()
    ratings.rate_table(table_id=late.pk)
    assert number(person("ann")) < 1500 < number(person("bob"))


def test_whoever_leaves_is_behind_all_who_stay_whatever_the_bot_makes_of_it(play_rated, person):
    table = play_rated("ann", "bob", "cat")
    first = table.result["places"].index(1)
    table.seats.filter(number=first).update(has_left=True)
    ratings.rate_table(table_id=table.pk)
    assert number(person(table.names[first])) == min(numbers(*map(person, table.names)))


def test_a_partner_keeps_what_a_bot_has_won_for_the_side(play_rated, person):
    table = play_rated(*"ann bob cat dan".split(), options={"partners": True, "target": 11})
    first = table.result["places"].index(1)
    table.seats.filter(number=first).update(has_left=True)
    ratings.rate_table(table_id=table.pk)
    sides = [numbers(person(table.names[seat]), person(table.names[seat + 2])) for seat in (0, 1)]
    winners, losers = sides[first % 2], sides[1 - first % 2]
    assert winners[0] == winners[1] > 1500 > losers[0] == losers[1]


@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_game_rates_it(play_rated, request):
    request.getfixturevalue("eager_tasks")
    play_rated("ann", "bob")
    assert RatingChange.objects.count() == 2
    assert Table.objects.get().rating_due_at is None


@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_game_is_announced_before_its_rating(table_of, play_on, person, request, settings):
    """A stream that hears of the rating first takes the end for old news."""
    table = play_on(table_of("ann", "bob", is_rated=True), 2)
    request.getfixturevalue("eager_tasks")
    with redis.Redis.from_url(settings.LIVE_REDIS_URL).pubsub(ignore_subscribe_messages=True) as hearing:
        hearing.subscribe(table.channel)
        hearing.get_message(timeout=30)
        services.resign(table_id=table.pk, user=person("ann"))
        heard = [hearing.get_message(timeout=30)["data"].split()[0] for _ in ("the end", "the rating")]
    assert [int(version) for version in heard] == [table.version + 1, table.version + 2]


@pytest.mark.django_db(transaction=True)
def test_the_tick_finds_a_game_that_was_not_rated(play_rated, request):
    table = play_rated("ann", "bob")
    current_app.control.purge()  # the message is lost
    request.getfixturevalue("eager_tasks")
    tasks.tick()
    assert not RatingChange.objects.exists()
    Table.objects.filter(pk=table.pk).update(rating_due_at=timezone.now() - timedelta(seconds=1))
    tasks.tick()
    assert RatingChange.objects.filter(table=table).count() == 2


def test_many_results_at_once_leave_one_change_for_each_user(person):
    ann, bob = person("ann"), person("bob")
    one_win = Result(((ann.pk,), (bob.pk,)), (1, 2))
    changes = ratings.rate_results([one_win] * 3, game="casino", at=timezone.now())
    assert len(changes) == 2
    skills = [[Skill()], [Skill()]]
    for _ in range(3):
        skills = after_game(skills, [1, 2])
    assert numbers(ann, bob) == [skill.number for [skill] in skills]
    assert Rating.objects.get(user=ann).games == 3


def test_an_account_takes_a_guests_rating_unless_it_has_one(person):
    ann, bob, guest = person("ann"), person("bob"), make_guest()
    for game, winner in (("casino", guest), ("piquet", guest), ("piquet", ann)):
        ratings.rate_results([Result(((winner.pk,), (bob.pk,)), (1, 2))], game=game, at=timezone.now())
    before = number(ann, "piquet")
    join_account(guest=guest, user=ann)
    assert number(ann, "casino") > 1500
    assert number(ann, "piquet") == before
