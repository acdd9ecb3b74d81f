"""Whole events of every kind, at which anything happens, and what must be so at all times and at the end.

`CHAOS_SEEDS=100,200 pytest tests/tournaments/test_chaos.py` plays a hundred other events.
On PostgreSQL every second one is played.
"""

import os
from collections import Counter
from itertools import pairwise

import pytest
from django.utils import timezone

from games.models import Table
from tests.tournaments.chaos import Chaos
from tournaments.models import Badge, Entry, Event, Match

SEEDS = [
    pytest.param(seed, marks=[pytest.mark.only_on("sqlite")] if seed % 2 else [])
    for seed in range(*map(int, os.environ.get("CHAOS_SEEDS", "1,13").split(",")))
]
LOGGED = {
    "remove", "reinstate", "substitute", "set_seeds", "forbid", "publish", "pair_again", "swap", "arrange",
    "hold_rounds", "adjudicate", "annul", "correct", "pause", "resume", "shift", "close_entries", "announce", "undo",
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
