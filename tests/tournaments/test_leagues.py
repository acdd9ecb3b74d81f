"""Bot leagues: schedule, chunks, standings, ratings, replays."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from math import sqrt
from statistics import mean, stdev
from threading import Barrier

import pytest
from celery import current_app
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.forms.models import model_to_dict
from django.utils import timezone

from games.core import deals
from games.core.contract import GameError
from games.models import HouseBot, Rating, RatingChange, Table
from games.record import replay
from tests.connections import at_once
from tests.tournaments.factories import NOON
from tests.tournaments.leagues import ALL_LEVELS, SOON, play
from tournaments import tasks
from tournaments.domain import league as pure
from tournaments.models import BotLeague, LeagueChunk, LeagueGame, LeagueNight
from tournaments.services import league as services
from tournaments.services.common import EventError

LATER = NOON + services.CHUNK_TIMEOUT + timedelta(seconds=1)


def records(night: LeagueNight) -> list[tuple]:
    fields = ("chunk__first", "chunk__second", "deal", "turn", "players", "moves", "places", "scores")
    return list(LeagueGame.objects.filter(chunk__night=night).order_by(*fields[:4]).values_list(*fields))


# The schedule


def test_a_night_starts_when_it_is_due_and_only_once(league):
    noon = league()
    assert noon.due_at == NOON
    assert services.start_due_night(league_id=noon.pk, now=NOON - timedelta(seconds=1)) is None
    assert services.start_due_night(league_id=noon.pk, now=SOON).starts_at == NOON
    assert services.start_due_night(league_id=noon.pk, now=SOON) is None
    noon.refresh_from_db()
    assert noon.due_at == NOON + timedelta(days=1)


def test_a_league_keeps_its_hour_when_the_clocks_change(league):
    """Noon UTC in November is 13:00 in Vienna, which is 11:00 UTC in summer."""
    vienna = league(time_zone="Europe/Vienna")
    summer = NOON.replace(year=2027, month=6, hour=0)
    assert services.save_league(vienna, now=summer).due_at == summer.replace(hour=11)


def test_nights_that_the_site_slept_through_are_left_out(league):
    noon = league()
    services.start_due_night(league_id=noon.pk, now=NOON + timedelta(days=3, hours=1))
    noon.refresh_from_db()
    assert noon.nights.count() == 1
    assert noon.due_at == NOON + timedelta(days=4)


def test_the_next_night_is_left_out_while_the_last_one_is_being_played(league):
    noon = league()
    for day in (0, 1):
        services.start_due_night(league_id=noon.pk, now=NOON + timedelta(days=day))
    assert noon.nights.count() == 1
    with pytest.raises(EventError, match="still in progress"):
        services.play_night_now(league_id=noon.pk, now=SOON)


def test_a_league_that_is_switched_off_plays_only_by_hand(league):
    noon = league(is_active=False)
    assert services.start_due_night(league_id=noon.pk, now=SOON) is None
    assert services.play_night_now(league_id=noon.pk, now=SOON).starts_at == SOON


@pytest.mark.parametrize(("day", "kind"), [(20, "even"), (21, "odd")])
def test_the_day_of_a_night_decides_what_the_calendar_decides(night, day, kind):
    noon = night(game="advantage", options={}, first_start_at=NOON.replace(day=day))
    assert noon.options["day"] == kind


def test_a_game_with_too_few_bots_is_not_played(league):
    noon = league()
    HouseBot.objects.filter(game="sixty-six", level="club").delete()
    assert services.start_due_night(league_id=noon.pk, now=NOON) is None
    with pytest.raises(EventError, match="enough bots for this game: club"):
        services.play_night_now(league_id=noon.pk, now=NOON)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"levels": ["club"]}, "levels"),
        ({"levels": ["club", "club"]}, "levels"),
        ({"levels": ["club", "grand master"]}, "levels"),
        ({"levels": "club"}, "levels"),
        ({"deals": 0}, "deals"),
        ({"seats": 5}, "options"),
        ({"options": {"target": 4000}}, "options"),
        ({"rrule": "FREQ=NEVER"}, "rrule"),
    ],
)
def test_a_league_that_cannot_be_played_is_refused(league, settings, field):
    with pytest.raises(ValidationError) as refusal:
        league(**settings)
    assert field in refusal.value.error_dict


# Chunks


def test_every_pairing_of_levels_plays_every_deal_in_one_chunk(night):
    played = Counter()
    for chunk in play(night(levels=ALL_LEVELS, game="advantage", options={}, deals=4)).chunks.all():
        played.update((chunk.first, chunk.second, deal) for deal in chunk.deal_numbers)
    pairs = {("strong", "club"), ("strong", "first-steps"), ("club", "first-steps")}
    assert played == Counter({(*pair, deal): 1 for pair in pairs for deal in range(1, 5)})


def test_every_deal_is_played_once_for_each_way_to_turn_the_table(night):
    played = play(night())
    games = LeagueGame.objects.filter(chunk__night=played)
    assert Counter(games.values_list("deal", flat=True)) == Counter(dict.fromkeys(range(1, 13), 2))
    levels = dict(HouseBot.objects.values_list("user_id", "level"))
    for game in games:
        wanted = ["club", "first-steps"]
        assert [levels[user] for user in game.players] == (wanted if game.turn == 0 else wanted[::-1])


def test_all_house_bots_of_a_level_play_for_it(night):
    played = play(night(deals=8))
    users = {user for game in LeagueGame.objects.filter(chunk__night=played) for user in game.players}
    bots = HouseBot.objects.filter(game="sixty-six", level__in=played.levels)
    assert users == set(bots.values_list("user_id", flat=True))


def test_a_chunk_that_is_played_twice_counts_once(night):
    noon = night()
    chunk = noon.chunks.first()
    played = services._played(chunk)
    assert services.store_chunk(chunk_id=chunk.pk, played=played, seconds=1, now=SOON)
    before = records(noon)
    assert not services.store_chunk(chunk_id=chunk.pk, played=played, seconds=9, now=SOON)
    services.play_chunk(chunk_id=chunk.pk, now=SOON)
    assert records(noon) == before
    chunk.refresh_from_db()
    assert chunk.seconds == 1


@pytest.mark.django_db(transaction=True)
def test_of_workers_that_come_back_at_the_same_moment_one_stores_the_games(night):
    noon = night()
    chunk = noon.chunks.first()
    played = services._played(chunk)
    barrier = Barrier(3)

    def store() -> bool:
        try:
            barrier.wait()
            return services.store_chunk(chunk_id=chunk.pk, played=played, seconds=1, now=SOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as workers:
        stored = [worker.result() for worker in [workers.submit(store) for _ in range(3)]]
    assert sorted(stored) == [False, False, True]
    assert chunk.games.count() == 2 * chunk.deals


def test_two_workers_find_the_same_games(night):
    noon = night()
    first, second = (services._played(noon.chunks.first()) for _ in range(2))
    assert first == second


def test_games_follow_from_the_lots_and_not_from_how_the_night_is_cut(night):
    whole = play(night())
    LeagueChunk.objects.update(seconds=F("deals") * services.CHUNK_SECONDS / 2)  # so that two deals fill a chunk
    cut = services.play_night_now(league_id=whole.league_id, now=LATER)
    LeagueNight.objects.update(lots=whole.lots)
    play(cut)
    assert (cut.chunks.first().deals, whole.chunks.first().deals) == (2, 1)
    assert records(cut) == records(whole)


def test_a_crash_while_storing_leaves_nothing_and_the_chunk_is_played_again(night):
    noon = night()
    chunk = noon.chunks.first()
    played = services._played(chunk)
    LeagueGame.objects.create(chunk=chunk, deal=played[-1][0], turn=1, players=[], moves="", places=[], scores=[])
    with pytest.raises(IntegrityError), transaction.atomic():  # at the last of its games
        services.store_chunk(chunk_id=chunk.pk, played=played, seconds=1, now=SOON)
    chunk.refresh_from_db()
    assert (chunk.status, chunk.shares, chunk.games.count()) == ("claimed", [], 1)
    chunk.games.all().delete()
    services.play_chunk(chunk_id=chunk.pk, now=SOON)
    assert chunk.games.count() == 2 * chunk.deals


def test_a_chunk_that_does_not_come_back_is_handed_out_again(night):
    noon = night()
    lost, slow, *_ = noon.chunks.all()
    services.hand_out_chunks(night_id=noon.pk, now=SOON)
    lost.refresh_from_db()
    assert lost.attempts == 1  # nobody else gets it in the meantime
    assert services.claim_due_nights(now=SOON) == []
    assert services.claim_due_nights(now=LATER) == [noon.pk]
    assert services.claim_due_nights(now=LATER) == []
    services.hand_out_chunks(night_id=noon.pk, now=LATER)
    lost.refresh_from_db()
    assert (lost.attempts, lost.claimed_until) == (2, LATER + services.CHUNK_TIMEOUT)
    played = play(noon)
    assert played.is_finished
    assert len(records(played)) == 24


def test_only_some_chunks_are_out_at_a_time(night):
    noon = night()
    out = noon.chunks.filter(status=LeagueChunk.Status.CLAIMED)
    assert out.count() == services.MAX_CHUNKS_OUT
    services.play_chunk(chunk_id=out.first().pk, now=SOON)
    assert out.count() == services.MAX_CHUNKS_OUT
    assert noon.chunks.filter(status=LeagueChunk.Status.DONE).count() == 1


def test_a_chunk_that_never_comes_back_is_given_up_and_the_night_ends_without_it(night):
    noon = night()
    broken = noon.chunks.first()
    while others := noon.chunks.filter(status=LeagueChunk.Status.CLAIMED).exclude(pk=broken.pk):
        services.play_chunk(chunk_id=others[0].pk, now=SOON)
    now = NOON
    for _ in range(services.MAX_ATTEMPTS):
        noon.refresh_from_db()
        assert not noon.is_finished
        now += services.CHUNK_TIMEOUT
        services.hand_out_chunks(night_id=noon.pk, now=now)
    noon.refresh_from_db()
    assert noon.is_finished
    assert {row.deals for row in services.league_standings(noon)} == {11}
    services.play_chunk(chunk_id=broken.pk, now=now)  # it comes back after all
    assert broken.games.count() == 0


def test_chunks_take_about_a_second_going_by_the_last_one_of_their_pairing(night):
    noon = night()
    first, *others = noon.chunks.all()
    assert {chunk.deals for chunk in others} == {first.deals} == {1}  # nobody knows yet
    services.store_chunk(chunk_id=first.pk, played=services._played(first), seconds=0.4, now=SOON)
    assert noon.chunks.get(first_deal=9).deals == 2
    play(noon).chunks.update(seconds=10)
    assert {chunk.deals for chunk in services.play_night_now(league_id=noon.league_id, now=LATER).chunks.all()} == {1}


def test_pairings_go_on_side_by_side(night):
    chunks = night(levels=ALL_LEVELS).chunks
    assert sorted(Counter(chunks.values_list("first", "second")).values()) == [2, 3, 3]


@pytest.mark.django_db(transaction=True)
def test_the_tick_starts_a_night_and_finds_lost_chunks(league, request):
    now = timezone.now()
    noon = services.save_league(league(first_start_at=now), now=now - timedelta(seconds=1))
    services.start_due_night(league_id=noon.pk, now=now)
    current_app.control.purge()  # all messages are lost
    request.getfixturevalue("eager_tasks")
    tasks.tick()
    assert not LeagueGame.objects.exists()
    LeagueNight.objects.update(due_at=now)
    LeagueChunk.objects.update(claimed_until=now)
    tasks.tick()
    assert noon.nights.get().is_finished
    BotLeague.objects.update(due_at=now)
    tasks.tick()
    assert noon.nights.count() == 2


# Standings and ratings


def test_standings_are_those_of_a_naive_count(night):
    noon = play(night(levels=ALL_LEVELS, game="advantage", options={}, deals=4))
    shares: dict[str, list[float]] = {level: [] for level in ALL_LEVELS}
    for first, second in (("strong", "club"), ("strong", "first-steps"), ("club", "first-steps")):
        for deal in range(1, 5):
            games = LeagueGame.objects.filter(chunk__first=first, chunk__second=second, deal=deal)
            won = [{(1, 2): 1, (1, 1): 0.5, (2, 1): 0}[tuple(game.places)] for game in games]
            share = (won[0] + 1 - won[1]) / 2  # `first` sat in seat 0, then in seat 1
            shares[first].append(share)
            shares[second].append(1 - share)
    rows = services.league_standings(noon)
    assert [row.share for row in rows] == sorted((row.share for row in rows), reverse=True)
    for row in rows:
        own = shares[row.level]
        margin = 1.96 * stdev(own) / sqrt(len(own))
        assert (row.share, row.low, row.high) == pytest.approx((mean(own), mean(own) - margin, mean(own) + margin))
        assert (row.won, row.drawn, row.lost, row.deals) == (
            *(sum(1 for share in own if (share > 0.5) - (share < 0.5) == sign) for sign in (1, 0, -1)), 8,
        )  # fmt: skip


def test_standings_up_to_now_count_what_is_done(night):
    noon = night()
    assert services.league_standings(noon) == []
    services.play_chunk(chunk_id=noon.chunks.first().pk, now=SOON)
    assert {row.deals for row in services.league_standings(noon)} == {1}


def test_partners_are_of_one_level_and_every_side_is_taken_once(night):
    noon = play(night(game="four-hand-cuarenta", options={}, seats=4, deals=1, levels=["first-steps", "club"]))
    levels = dict(HouseBot.objects.values_list("user_id", "level"))
    seated = [[levels[user] for user in game.players] for game in LeagueGame.objects.filter(chunk__night=noon)]
    assert seated == [["club", "first-steps"] * 2, ["first-steps", "club"] * 2]


def test_at_a_table_of_three_the_first_level_takes_each_seat_once_among_the_others(night):
    noon = play(night(game="casino", options={"target": 11}, seats=3, deals=1))
    levels = dict(HouseBot.objects.values_list("user_id", "level"))
    for game in LeagueGame.objects.filter(chunk__night=noon):
        assert len(set(game.players)) == 3
        assert [seat for seat in range(3) if levels[game.players[seat]] == "club"] == [game.turn]
    assert LeagueGame.objects.filter(chunk__night=noon).count() == 3


def test_two_bots_of_different_levels_do_not_always_meet_each_other():
    first, second = range(8), range(10, 18)
    met = {
        (*crews.first, *crews.second)
        for crews in (pure.crews_for_deal(first, second, deal, side_size=1, seats=2) for deal in range(1, 65))
    }
    assert len(met) == 64


@pytest.mark.parametrize(("share", "places"), [(0.75, (1, 2, 2)), (0.5, (1, 1, 1)), (0.25, (2, 1, 1))])
def test_a_mirrored_match_counts_as_one_result_for_the_ratings(share, places):
    assert pure.rating_places(share, 3) == places


def test_a_night_changes_the_ratings_of_its_bots_once(night):
    noon = night(levels=["first-steps", "club"], deals=8)
    assert not Rating.objects.exists()
    play(noon)
    ratings = {rating.user_id: rating for rating in Rating.objects.filter(game="sixty-six")}
    assert len(ratings) == 16
    assert {rating.games for rating in ratings.values()} == {1}
    assert RatingChange.objects.filter(table=None).count() == 16
    for game in LeagueGame.objects.filter(turn=0).select_related("chunk"):
        share = game.chunk.shares[game.deal - game.chunk.first_deal]
        club, starter = (ratings[user].number for user in game.players)
        assert (club > starter) - (club < starter) == (share > 0.5) - (share < 0.5)
    services.hand_out_chunks(night_id=noon.pk, now=LATER)
    assert RatingChange.objects.count() == 16


# Replays


@pytest.mark.parametrize(
    "settings",
    [
        {"levels": ALL_LEVELS, "game": "advantage", "options": {}},
        {"game": "casino", "options": {"target": 11}, "seats": 3},
    ],
)
def test_a_game_is_replayed_as_it_was_played(night, settings):
    noon = play(night(deals=1, **settings))
    for game in LeagueGame.objects.filter(chunk__night=noon).select_related("chunk"):
        table = services.open_replay(game_id=game.pk)
        played = dict(services._played(game.chunk))[game.deal][game.turn].record
        assert list(table.moves.values_list("seat", "text")) == [(seat, str(move)) for seat, move in played.moves]
        assert replay.state_of(table).outcome() == played.outcome
        assert (table.result["places"], table.result["scores"]) == (game.places, game.scores)
        assert list(table.seats.values_list("user", flat=True)) == game.players


def test_a_replay_is_made_once_and_tells_nobody(night):
    noon = play(night(deals=1))
    game, turned = LeagueGame.objects.filter(chunk__night=noon)
    table = services.open_replay(game_id=game.pk)
    assert services.open_replay(game_id=game.pk) == table
    assert (table.status, table.is_private, table.is_rated) == (Table.Status.FINISHED, True, False)
    other = services.open_replay(game_id=turned.pk)
    assert other.commitment == table.commitment == deals.commitment(bytes(table.secret))
    assert Table.objects.count() == 2


def test_the_replay_of_a_record_with_an_impossible_move_leaves_no_table(night):
    noon = play(night(deals=1))
    game = LeagueGame.objects.filter(chunk__night=noon).first()
    first, *_ = played = game.moves.splitlines()
    game.moves = "\n".join([first, *played])  # nothing can be done twice at the start
    game.save()
    with pytest.raises(GameError):
        services.open_replay(game_id=game.pk)
    assert not Table.objects.exists()


def test_games_go_ninety_days_after_the_night_except_those_that_somebody_has_opened(night, client):
    played = play(night())
    opened = LeagueGame.objects.first()
    services.open_replay(game_id=opened.pk)
    results = services.night_results(played)
    services.prune_games(now=played.finished_at + timedelta(days=89))
    assert LeagueGame.objects.count() == 24
    services.prune_games(now=played.finished_at + timedelta(days=90))
    assert LeagueGame.objects.get() == opened
    assert services.night_results(played) == results
    opened.delete()
    assert "Only the results of this night" in client.get(played.get_absolute_url()).content.decode()


def test_games_of_finished_nights_are_offered_for_puzzles_and_can_be_replayed(league):
    night = services.play_night_now(league_id=league(deals=1).pk, now=NOON)
    assert services.games_for_puzzles(30) == []
    play(night)
    offered = services.games_for_puzzles(30)
    assert [game.name for game in offered] == [f"league game {game.pk}" for game in LeagueGame.objects.order_by("-pk")]
    for game in offered:
        record = game.load()
        state = record.start.copy()
        for seat, move in record.moves:
            state.play(seat, move)
        assert state.outcome() is not None
    LeagueNight.objects.update(rules_version=0)
    with pytest.raises(GameError):
        services.games_for_puzzles(1)[0].load()


@pytest.mark.only_on("sqlite")
@pytest.mark.django_db(transaction=True)
def test_games_offered_for_puzzles_keep_nothing_open_that_a_later_write_would_stumble_over(league):
    """SQLite refuses a transaction beside a query that is still being read, once another connection has written."""
    night = play(services.play_night_now(league_id=league(deals=1).pk, now=NOON))
    game = LeagueGame.objects.first()
    again = [LeagueGame(**model_to_dict(game, exclude=["id", "chunk", "table"]), chunk=game.chunk) for _ in range(200)]
    for number, copy in enumerate(again, 100):
        copy.deal = number
    LeagueGame.objects.bulk_create(again)
    offered = iter(services.games_for_puzzles(150))
    next(offered)
    at_once(lambda: LeagueNight.objects.filter(pk=night.pk).update(deals=F("deals") + 1))
    LeagueNight.objects.filter(pk=night.pk).update(deals=F("deals") + 1)
    with transaction.atomic():
        night.refresh_from_db()
    assert night.deals == 3
    assert len(list(offered)) == 149
