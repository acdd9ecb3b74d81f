"""Estimates: how long an event will take, before anybody has entered it."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from statistics import median
from typing import Any, Self

from django.core.cache import cache

from games import engines
from games.domain.clocks import HOUR, MINUTE, duration
from games.models import Table
from tournaments.models import Event
from tournaments.planning.dry_run import played_by_bots

SECONDS_A_MOVE = 6.0  # assumed until enough games with people have been played here
ENOUGH_TABLES = 20
SAMPLE_GAMES = 3
ESTIMATE_KEPT_SECONDS = 24 * 3600
SLOWEST_MATCH = 1.4  # the last table of a round takes that much longer than one usually does
EARLY_END = 0.75  # of the games that a best-of match may have, so many are played on average


@dataclass(frozen=True, slots=True)
class Estimate:
    """rounds: 0 for an event with a time. round_minutes and minutes: of a round, and of the whole event."""

    entries: int
    rounds: int
    game_minutes: float
    round_minutes: float
    minutes: float

    @property
    def in_words(self) -> str:
        """ "40 minutes", "2 hours 10 minutes"."""
        return duration(round(self.minutes) * MINUTE)

    def ends_at(self, start: datetime) -> datetime:
        return start + timedelta(minutes=self.minutes)


def seconds_a_move(game: str) -> float:
    """Median over the newest games with a person, `SECONDS_A_MOVE` while there are too few; not those over days."""
    key = f"seconds-a-move:{game}"
    known = cache.get(key)
    if known is None:
        played = (
            Table.objects.games()
            .filter(game=game, status=Table.Status.FINISHED, move_count__gt=0, seats__user__is_bot=False)
            .exclude(move_seconds__gte=HOUR)
            .order_by("-pk")
        )
        times = [
            (end - start).total_seconds() / moves
            for start, end, moves in played.values_list("started_at", "finished_at", "move_count").distinct()[:200]
            if start and end
        ]
        known = median(times) if len(times) >= ENOUGH_TABLES else SECONDS_A_MOVE
        cache.set(key, known, ESTIMATE_KEPT_SECONDS)
    return float(known)


@dataclass(frozen=True, slots=True)
class GameKind:
    """What decides how many moves a game takes."""

    game: str
    seats: int
    deals: int | None
    options: dict[str, Any]

    @classmethod
    def of(cls, event: Event) -> Self:
        return cls(event.game, event.table_sizes[0], event.deals, dict(event.options))

    @property
    def key(self) -> str:
        values = json.dumps([self.game, self.seats, self.deals, self.options], sort_keys=True)
        return f"moves-in-a-game:{hashlib.sha256(values.encode()).hexdigest()}"


def known_moves(kind: GameKind) -> float | None:
    """Moves of all seats in a game; None until it has been measured, which can take half a minute."""
    known: float | None = cache.get(kind.key)
    return known


def measure_moves(kind: GameKind) -> float:
    """Measures a few games of bots, or takes what is known."""
    known = known_moves(kind)
    if known is None:
        rng, rules = Random(1), engines.get(kind.game)
        games = [played_by_bots(rules, kind.options, kind.seats, kind.deals, rng) for _ in range(SAMPLE_GAMES)]
        known = float(median(game.moves for game in games))
        cache.set(kind.key, known, ESTIMATE_KEPT_SECONDS)
    return known


def estimate_event(event: Event, entries: int) -> Estimate:
    """For so many entries; a round is as long as its slowest match. Measures the game first if needed."""
    game = measure_moves(GameKind.of(event)) * seconds_a_move(event.game) / 60
    is_short = event.match_rule == event.MatchRule.BEST_OF and event.match_games > 1
    match = game * event.match_games * (EARLY_END if is_short else 1)
    rounds = event.plan.rounds(entries)
    length = match * SLOWEST_MATCH
    limit = getattr(event.plan, "minutes", None)
    total = limit + match if limit else rounds * length + max(rounds - 1, 0) * event.break_seconds / 60
    return Estimate(entries, rounds, round(game, 1), round(length, 1), round(total, 1))


def event_timeline(event: Event, found: Estimate) -> list[tuple[str, datetime]]:
    """What happens when: registration, check-in, start, every round, the end. Rounds keep to times of their own."""
    steps = [("Registration opens", event.registration_at)]
    if event.check_in_at:
        steps.append(("Check-in opens", event.check_in_at))
    steps.append(("Start", event.starts_at))
    gap = timedelta(minutes=found.round_minutes, seconds=event.break_seconds)
    own_times = dict(event.round_times.values_list("number", "starts_at")) if event.pk else {}
    late, start = timedelta(0), event.starts_at
    for number in range(2, found.rounds + 1):
        follows = start + gap
        start = max(follows, own_times.get(number, follows))
        late += start - follows
        steps.append((f"Round {number}", start))
    return [*steps, ("End", found.ends_at(event.starts_at) + late)]
