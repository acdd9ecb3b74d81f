"""Real workers that are killed in the middle of a round."""

from datetime import timedelta
from random import Random

import pytest
import redis
from django.conf import settings
from django.core.management import call_command
from django.db.models import Count
from django.utils import timezone

from accounts.models import User
from games import services as games
from games.models import RatingChange, Table
from tests.tournaments.factories import end_with, person, status_of, table_of
from tests.waiting import wait_until
from tournaments import services, tasks
from tournaments.models import (
    BotLeague,
    Entry,
    EntryImport,
    Event,
    Ladder,
    LadderChallenge,
    LadderMove,
    LeagueChunk,
    LeagueGame,
    Match,
    MatchSide,
)
from tournaments.services import importing, ladders
from tournaments.services import league as leagues


def planned(name: str, **changes: object) -> Event:
    now = timezone.now()
    event = Event(
        name=name,
        game="casino",
        options={"target": 11},
        status=Event.Status.REGISTRATION,
        starts_at=now + timedelta(hours=1),
        check_in_minutes=0,
        **changes,
    )
    return services.save_event(event, by=None, now=now)


def let_start(*events: Event) -> None:
    """The next tick of the worker starts these events."""
    for event in events:
        event.starts_at = event.due_at = timezone.now()
        event.save(update_fields=["starts_at", "due_at"])


def tables_in_play(event: Event) -> list[Table]:
    return [table_of(match) for match in event.matches.filter(status=Match.Status.PLAYING)]


@pytest.mark.only_on("postgresql")
def test_events_go_on_after_the_workers_are_killed_and_nothing_starts_twice(celery_worker_process):
    call_command("make_house_bots", verbosity=0)
    people, bots = planned("People"), planned("Bots", fill_to=2, bot_level="first-steps")
    for name in ("ann", "bob", "cat", "dan"):
        services.enter_event(event_id=people.pk, user=person(name))
    let_start(people, bots)
    starts = {event.pk: event.starts_at for event in (people, bots)}

    wait_until(lambda: len(tables_in_play(bots)) == 1, "the match of the bots")
    wait_until(lambda: tables_in_play(bots)[0].move_count > 5, "moves by the bots")
    celery_worker_process.kill()

    # While no worker runs, a game ends; the message that says so is lost with the broker.
    wait_until(lambda: len(tables_in_play(people)) == 2, "both semi-finals of the people")
    loser = tables_in_play(people)[0].seats.get(number=0).user
    games.resign(table_id=tables_in_play(people)[0].pk, user=loser)
    redis.Redis.from_url(settings.LIVE_REDIS_URL).flushall()
    moves = tables_in_play(bots)[0].move_count
    assert people.matches.filter(status=Match.Status.FINISHED).count() == 0

    celery_worker_process.start()
    wait_until(lambda: people.matches.filter(status=Match.Status.FINISHED).count() == 1, "the result that was lost")
    assert status_of(people, loser.username) == Entry.Status.ELIMINATED
    (other,) = tables_in_play(people)
    games.resign(table_id=other.pk, user=other.seats.get(number=0).user)
    celery_worker_process.kill()  # perhaps before the final has been paired, perhaps after
    celery_worker_process.start()
    wait_until(lambda: people.matches.filter(round__number=2, status="playing").exists(), "the final of the people")
    final = table_of(people.matches.get(round__number=2))
    games.resign(table_id=final.pk, user=final.seats.get(number=0).user)

    for event in (people, bots):
        wait_until(lambda pk=event.pk: Event.objects.get(pk=pk).is_finished, f"the end of {event}")
        event.refresh_from_db()
        assert event.started_at >= starts[event.pk]
        assert event.entries.filter(status=Entry.Status.CHAMPION).count() == 1
        assert not event.matches.annotate(count=Count("games")).exclude(count=1).exists()
    assert sorted(people.matches.values_list("round__number", "slot")) == [(1, 0), (1, 1), (2, 0)]
    assert table_of(bots.matches.get()).move_count > moves
    assert Table.objects.count() == 4


def running_tables(event: Event) -> list[Table]:
    return list(Table.objects.running().with_seats().filter(match_game__match__event=event))


def end_some_tables(event: Event, rng: Random, winners: dict[int, int]) -> None:
    """Games end, as by a last move on a page; of some the message that says so is lost.

    winners: takes the winner of each table.
    """
    tables = running_tables(event)
    at_tables = [seat.user_id for table in tables for seat in table.seats.all()]
    assert len(set(at_tables)) == len(at_tables), "somebody sits at two tables"
    for table in tables:
        if rng.random() < 0.5:
            best = rng.randrange(table.seat_count)
            end_with(table, [11 if seat == best else seat for seat in range(table.seat_count)])
            winners[table.pk] = table.seats.all()[best].user_id
            if rng.random() < 0.5:
                tasks.advance_event_of_table.delay(table.pk)


@pytest.mark.parametrize("celery_worker_process", [2], indirect=True)
def test_rounds_go_on_although_two_workers_are_killed_again_and_again(celery_worker_process):
    swiss = planned("Swiss", format="swiss", format_options={"planned_rounds": 3}, break_seconds=1)
    pods = planned("Pods", format="pods", format_options={"sizes": [4, 3], "planned_rounds": 2}, break_seconds=1)
    for number in range(11):
        for event in (swiss, pods):
            services.enter_event(event_id=event.pk, user=person(f"u{number}"))
    let_start(swiss, pods)
    rng, winners = Random(4), {}

    def is_played(games_wanted: int) -> bool:
        for event in (swiss, pods):
            end_some_tables(event, rng, winners)
        return len(winners) >= games_wanted

    def are_counted(results: int) -> bool:
        return Match.objects.filter(event__in=(swiss, pods), status=Match.Status.FINISHED).count() >= results

    for kill_after, results in ((1, 0), (11, 8)):
        wait_until(lambda wanted=kill_after: is_played(wanted), f"{kill_after} games")
        wait_until(lambda wanted=results: are_counted(wanted), f"{results} results")
        celery_worker_process.kill()
        redis.Redis.from_url(settings.LIVE_REDIS_URL).flushall()
        celery_worker_process.start()
    wait_until(lambda: is_played(21), "all games")
    for event, rounds, size in ((swiss, 3, 6), (pods, 2, 3)):
        wait_until(lambda pk=event.pk: Event.objects.get(pk=pk).is_finished, f"the end of {event}")
        spots = sorted(event.matches.values_list("round__number", "slot"))
        assert spots == [(number, slot) for number in range(1, rounds + 1) for slot in range(size)]
        played = MatchSide.objects.filter(match__event=event).values_list("match__round__number", "entry")
        assert len(set(played)) == len(played) == rounds * 11, "somebody plays a round twice, or not at all"
        assert not event.entries.filter(place=None).exists()
    results = MatchSide.objects.filter(place=1, match__games__isnull=False)
    assert dict(results.values_list("match__games__table", "entry__user")) == winners
    assert Table.objects.count() == 21


@pytest.mark.only_on("postgresql")
def test_a_night_of_bots_is_played_to_its_end_by_workers_that_are_killed(celery_worker_process):
    call_command("make_house_bots", verbosity=0)
    now = timezone.now()
    quick = {"game": "sixty-six", "options": {"target": 5}, "levels": ["first-steps", "club"], "deals": 200}
    league = leagues.save_league(BotLeague(name="Bots", first_start_at=now + timedelta(seconds=1), **quick), now=now)
    done = LeagueChunk.objects.filter(night__league=league, status=LeagueChunk.Status.DONE)
    wait_until(lambda: done.count() >= 5, "some chunks")
    celery_worker_process.kill()
    redis.Redis.from_url(settings.LIVE_REDIS_URL).flushall()
    assert not league.nights.get().is_finished
    # Those who wait for a lost chunk have waited long enough.
    LeagueChunk.objects.filter(status=LeagueChunk.Status.CLAIMED).update(claimed_until=timezone.now())
    league.nights.update(due_at=timezone.now())
    celery_worker_process.start()
    wait_until(lambda: league.nights.get().is_finished, "the end of the night")
    counted = LeagueGame.objects.values_list("deal", "turn")
    assert sorted(counted) == [(deal, turn) for deal in range(1, 201) for turn in (0, 1)]
    assert {row.deals for row in leagues.league_standings(league.nights.get())} == {200}
    assert RatingChange.objects.count() == 17  # nine beginners and eight club bots


@pytest.mark.only_on("postgresql")
def test_an_import_and_a_ladder_go_on_after_the_worker_is_killed(celery_worker_process):
    names = [f"u{number}" for number in range(1500)]
    User.objects.bulk_create(User(username=name) for name in names)
    wide = planned("Wide", max_entries=5000)
    now = timezone.now()
    ladder = ladders.save_ladder(Ladder(name="Ladder", game="casino"), by=person("dora"))
    for name in ("ann", "bob", "cat", "dan"):
        ladders.join_ladder(ladder_id=ladder.pk, user=person(name), now=now)
    ann, bob, cat, dan = ladder.players.order_by("pk")
    played = ladders.challenge_player(ladder_id=ladder.pk, user=cat.user, player_id=ann.pk, now=now)
    table = ladders.accept_ladder_challenge(challenge_id=played.pk, user=ann.user, now=now)
    silent = ladders.challenge_player(ladder_id=ladder.pk, user=dan.user, player_id=bob.pk, now=now)

    begun = importing.begin_import(wide, "\n".join(names), by=person("dora"))
    wait_until(lambda: EntryImport.objects.get(pk=begun.pk).done >= 100, "some of the names")
    celery_worker_process.kill()
    redis.Redis.from_url(settings.LIVE_REDIS_URL).flushall()
    assert EntryImport.objects.get(pk=begun.pk).finished_at is None
    # While no worker runs, a game ends, a challenge is over without an answer, and the lost tasks have waited enough.
    games.resign(table_id=table.pk, user=ann.user)
    redis.Redis.from_url(settings.LIVE_REDIS_URL).flushall()
    EntryImport.objects.update(due_at=timezone.now())
    LadderChallenge.objects.filter(pk=silent.pk).update(answer_by=timezone.now())
    LadderChallenge.objects.update(due_at=timezone.now())

    celery_worker_process.start()
    wait_until(lambda: not LadderChallenge.objects.filter(finished_at=None).exists(), "the end of both challenges")
    wait_until(lambda: EntryImport.objects.get(pk=begun.pk).finished_at is not None, "the end of the import")
    entered = list(wide.entries.values_list("user__username", flat=True))
    assert sorted(entered) == sorted(names)
    assert EntryImport.objects.get(pk=begun.pk).entered == len(names)
    ladder.refresh_from_db()
    assert ladder.order == [cat.pk, ann.pk, dan.pk, bob.pk]
    taken = ladder.moves.filter(why__in=(LadderMove.Why.WON, LadderMove.Why.REFUSED)).values_list("player", "why")
    assert sorted(taken) == [(cat.pk, LadderMove.Why.WON), (dan.pk, LadderMove.Why.REFUSED)]
