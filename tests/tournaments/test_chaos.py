"""Whole events of every kind, at which anything happens, and what must be so at all times and at the end.

`CHAOS_SEEDS=100,200 pytest tests/tournaments/test_chaos.py` plays a hundred other events.
On PostgreSQL every second one is played.
"""

import os
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from itertools import count, pairwise
from random import Random

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Table
from tests.tournaments.chaos import Chaos
from tests.tournaments.factories import NOON, advance, end_with, open_tables, person, running_tables
from tests.tournaments.ladder_chaos import LadderChaos
from tournaments import services
from tournaments.models import Badge, DivisionLeague, Entry, Event, Ladder, LadderMove, Match
from tournaments.queries.divisions import plan_next_stage, ranked_entries
from tournaments.services import best_entries
from tournaments.services.divisions import create_stage, plan_fingerprint

SEEDS = [
    pytest.param(seed, marks=[pytest.mark.only_on("sqlite")] if seed % 2 else [])
    for seed in range(*map(int, os.environ.get("CHAOS_SEEDS", "1,13").split(",")))
]
LOGGED = {
    "remove", "reinstate", "substitute", "set_seeds", "forbid", "publish", "pair_again", "swap", "arrange",
    "hold_rounds", "adjudicate", "annul", "correct", "pause", "resume", "shift", "close_entries", "announce", "undo",
    "withdraw", "message",
}  # fmt: skip
IN_PLAY = (Match.Status.WAITING, Match.Status.PLAYING)
PAIRS_ANEW = {"correct", "undo"}  # what a correction contradicts is cancelled


@pytest.mark.parametrize("seed", SEEDS)
def test_an_event_at_which_anything_happens_ends_well(seed, db, monkeypatch):
    chaos = Chaos(seed)
    monkeypatch.setattr(timezone, "now", chaos.now)
    picture, version, meetings, lines, seen = chaos.picture(), 0, {}, 0, set()
    try:
        for act in chaos.run():
            event, before = chaos.event, (picture, meetings, lines)
            picture, meetings, lines = chaos.picture(), meetings_of(event), event.log.filter(by=chaos.director).count()
            assert picture == before[0] or event.version > version, "nobody is told of a change"
            assert act in PAIRS_ANEW or before[1].items() <= meetings.items(), "a match has gone, or has changed"
            assert act not in LOGGED or lines > before[2], "an action is not in the log"
            check_now(event)
            check_byes(event, seen)
            seen |= {*event.matches.values_list("pk", flat=True)}
            version = event.version
        check_end(chaos.event)
        check_best(chaos.event, chaos.director)
    except BaseException:
        print(chaos.report())
        raise


def meetings_of(event: Event) -> dict[tuple[str, int, int], tuple[int, ...]]:
    return {
        (match.round.section, match.round.number, match.slot): tuple(side.entry_id for side in match.sides.all())
        for match in event.matches.published().select_related("round").prefetch_related("sides")
    }


def check_now(event: Event) -> None:
    matches = list(event.matches.prefetch_related("sides__entry", "games__table__seats"))
    busy = Counter(side.entry_id for match in matches if match.status in IN_PLAY for side in match.sides.all())
    assert not [entry for entry, times in busy.items() if times > 1], "somebody has two matches at once"
    away = event.entries.filter(sits_out=True).values_list("pk", flat=True)
    assert busy.keys().isdisjoint(away), "somebody who sits out has a match"
    at_tables = Counter(
        Table.objects.running().filter(match_game__match__event=event).values_list("seats__user", flat=True)
    )
    assert not [user for user, times in at_tables.items() if times > 1], "somebody sits at two tables at once"
    for match in matches:
        check_match(event, match)


def check_byes(event: Event, seen: set[int]) -> None:
    """Of rounds that are paired anew. seen: matches that are older than the last act."""
    if not (event.plan.by_rounds and event.plan.takes_late_entries):
        return
    new = event.matches.filter(is_fixed=False).exclude(pk__in=seen)
    for bye in new.filter(decided_by=Match.DecidedBy.BYE, sides__entry__has_come=False):
        others = new.filter(round=bye.round, sides__entry__has_come=True)
        assert not others.exists(), "a bye for somebody who has not come"


def check_match(event: Event, match: Match) -> None:
    sides, rows = list(match.sides.all()), list(match.games.all())
    assert [side.number for side in sides] == list(range(len(sides)))
    assert len({side.entry_id for side in sides}) == len(sides) in (1, *event.plan.sides)
    assert {side.place is None for side in sides} == {match.status != Match.Status.FINISHED}
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert len([row for row in rows if not row.table.is_over]) <= (match.status == Match.Status.PLAYING)
    if match.status == Match.Status.FINISHED and match.decided_by == Match.DecidedBy.GAMES and not event.is_compared:
        check_result(event, match)


def check_result(event: Event, match: Match) -> None:
    """The winner has won more games, or made more points, where these decide."""
    sides, tally = list(match.sides.all()), Counter()
    for row in match.games.all():
        table = row.table
        for seat in table.seats.all():
            side = next(number for number in range(len(table.sides)) if seat.number in table.sides[number])
            own = (row.first_side + side) % len(sides)
            if seat.number != table.sides[side][0]:
                continue
            places, scores = table.result["places"], table.result["scores"]
            points = scores[seat.number] * (-1 if event.fewer_is_better else 1)
            won = places[seat.number] == 1 and places.count(1) == len(table.sides[side])
            tally[own] += points if event.match_rule == Event.MatchRule.POINTS else won
    if len(sides) == 2 and tally[0] != tally[1]:
        winner = 0 if tally[0] > tally[1] else 1
        assert [side.place for side in sides] == ([1, 2] if winner == 0 else [2, 1]), "the wrong side has won"


def check_end(event: Event) -> None:
    assert event.status in (Event.Status.FINISHED, Event.Status.CANCELLED)
    tables = Table.objects.filter(match_game__match__event=event)
    assert not tables.filter(is_hidden=True).exists(), "a table is still hidden"
    assert not tables.exclude(paused_at=None).exists(), "a table is still paused"
    if event.is_finished:
        assert not event.matches.filter(status__in=Match.OPEN).exists()
        assert not tables.running().exists(), "somebody still plays"
        check_places(event)
        check_badges(event)


def check_places(event: Event) -> None:
    spans = sorted(event.entries.filter(seed__isnull=False).values_list("place", "last_place"))
    if {*spans} == {(None, None)}:
        won = event.matches.filter(sides__place=1).exclude(decided_by=Match.DecidedBy.BYE)
        assert not won.exists(), "a match was won, and no one has a place"
        return
    assert all(None not in span for span in spans), "somebody has no place"
    if nobody_went_on(event):
        return
    expected = 1
    for place, last_place in sorted(set(spans)):
        assert (place, last_place) == (expected, expected + spans.count((place, last_place)) - 1)
        expected = last_place + 1
    if event.format == "swiss":
        check_points_of_swiss(event)


def nobody_went_on(event: Event) -> bool:
    """Both have lost a match whose winner would have gone on, so that a place may be left out."""
    decided = event.matches.select_related("round").filter(status=Match.Status.FINISHED).exclude(sides__place=1)
    return any(event.plan.needs_winner_in(match.round.section) for match in decided)


def check_points_of_swiss(event: Event) -> None:
    half_points = Counter()
    for match in event.matches.prefetch_related("sides"):
        places = [side.place for side in match.sides.all()]
        for side in match.sides.all():
            if match.decided_by in (Match.DecidedBy.ANNULLED, Match.DecidedBy.ZERO_BYE) or side.place != 1:
                continue
            is_half = match.decided_by == Match.DecidedBy.HALF_BYE or places.count(1) > 1
            half_points[side.entry_id] += 1 if is_half else 2
    ranked = [half_points[entry.pk] for entry in event.entries.filter(seed__isnull=False).order_by("place")]
    assert all(one >= other for one, other in pairwise(ranked)), "fewer points are ranked higher"


def check_badges(event: Event) -> None:
    wanted = {
        (player.pk, entry.place)
        for entry in event.entries.filter(place__lte=3).with_players()
        if entry.status in (Entry.Status.CHAMPION, Entry.Status.ELIMINATED)
        for player in entry.players
    }
    assert set(Badge.objects.filter(event=event).values_list("user", "place")) == wanted


def check_best(event: Event, director: User) -> None:
    """An event of the best in this one has them in their order, and starts."""
    best = best_entries(event, 4)
    if not event.is_finished or event.has_pods or len(best) < 2:
        return
    now, plan = timezone.now(), "single-elimination"
    settings = {"count": len(best), "plan": plan, "starts_at": now, "by": director, "now": now}
    final = services.plan_event_of_best(event_id=event.pk, **settings)
    services.start_event(event_id=final.pk, now=now)
    entered = list(final.entries.order_by("seed").values_list("user", "partner"))
    assert entered == [(entry.user_id, entry.partner_id) for entry in best]
    assert final.matches.exists()
    with pytest.raises(services.EventError):
        services.plan_event_of_best(event_id=event.pk, **settings | {"count": len(best_entries(event, 999)) + 1})


# Leagues in divisions


@pytest.mark.parametrize("seed", [1, 2])
def test_divisions_move_everyone_although_players_come_and_go(seed, event):
    rng, director = Random(seed), person("director")
    template = event(name="Template", format="round-robin", format_options={})
    league = DivisionLeague.objects.create(name="City", size=3, up=1, down=1, template=template, created_by=director)
    numbers, newcomers = count(1), [person(f"p{number}") for number in range(7)]
    for _ in range(3):
        plan = plan_next_stage(league, newcomers)
        stage = {
            "league_id": league.pk, "newcomers": newcomers, "starts_at": NOON, "time_zone": "UTC",
            "seen": plan_fingerprint(plan), "by": director, "now": NOON - timedelta(hours=1),
        }  # fmt: skip
        made = create_stage(**stage)
        with pytest.raises(services.EventError):
            create_stage(**stage)
        for division, planned in zip(made, plan, strict=True):
            entered = division.event.entries.order_by("wanted_seed").values_list("user", flat=True)
            assert [*entered] == [line.user.pk for line in planned.lines]
            play_with_leavers(division.event, rng)
        before = {entry.user for one in made for entry in ranked_entries(one.event) if not entry.is_absent}
        newcomers = [person(f"n{next(numbers)}") for _ in range(rng.randint(1, 3))]
        placed = [line.user for one in plan_next_stage(league, newcomers) for line in one.lines]
        assert len(set(placed)) == len(placed) and set(placed) == before | set(newcomers)


def play_with_leavers(event: Event, rng: Random) -> None:
    """A round robin to its end; some leave before it starts or while it is played, so it may be cancelled."""
    players = [entry.user for entry in event.entries.with_players().order_by("pk")]
    leavers = [user for user in players if rng.random() < 0.2]
    if leavers and rng.random() < 0.5:
        services.withdraw_entry(event_id=event.pk, user=leavers.pop())
    services.run_due_steps(event_id=event.pk, now=NOON)
    open_tables(event)
    for _ in range(30):
        if not event.is_running:
            return
        for table in running_tables(event):
            end_with(table, rng.choice([[11, 3], [3, 11], [8, 8]]))
        if leavers:
            with suppress(services.EventError):
                services.withdraw_entry(event_id=event.pk, user=leavers.pop())
        advance(event)
    raise AssertionError("The division does not come to its end.")


# A ladder


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_ladder_on_which_anything_happens_keeps_its_order(seed, db):
    chaos = LadderChaos(seed)
    try:
        for _ in chaos.run():
            check_ladder(chaos.ladder)
        ladder = chaos.ladder
        assert not ladder.challenges.filter(finished_at=None).exists(), "a challenge never ends"
        assert not ladder.challenges.exclude(due_at=None).exists()
        accepted = ladder.challenges.exclude(table=None).count()
        assert accepted == Table.objects.count() > 0, "a table more, or fewer, than accepted challenges"
    except BaseException:
        print("\n".join(chaos.acts))
        raise


def check_ladder(ladder: Ladder) -> None:
    """The order, its history and its challenges agree."""
    places: dict[int, int | None] = {}
    for move in ladder.moves.order_by("pk"):
        assert places.get(move.player_id) == move.old_place, "the history has a gap"
        assert (move.old_place == move.place) == (move.why == LadderMove.Why.KEPT), "a line without a change"
        places[move.player_id] = move.place
    there = {player: place for player, place in places.items() if place}
    assert sorted(there, key=there.__getitem__) == ladder.order, "the history leads to another order"
    assert sorted(there.values()) == list(range(1, len(there) + 1))
    waiting = ladder.challenges.filter(finished_at=None)
    busy = Counter(pk for pair in waiting.values_list("challenger", "challenged") for pk in pair)
    assert not busy or busy.most_common(1)[0][1] == 1, "a player has two challenges at once"
    for asked in waiting:
        assert asked.due_at is not None and (asked.table is None) == (asked.status == asked.Status.OPEN)
        assert asked.table or {asked.challenger_id, asked.challenged_id} <= {*ladder.order}
    results = ladder.moves.filter(why=LadderMove.Why.WON).values_list("challenge", flat=True)
    assert len(set(results)) == len(results), "a result has counted twice"
