"""`manage.py make_demo_schedule`: recurring tournaments, so that a new site has something to enter and to watch."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments import services
from tournaments.domain.recurrence import rule_in_words
from tournaments.models import BotLeague, Season, Series
from tournaments.services.league import save_league

EVERY_MINUTES = 15
FIRST_START = datetime(2026, 1, 1, tzinfo=UTC)
# Short games, so that an event is over before the next one starts. Every kind of event is among them.
SERIES: tuple[dict[str, Any], ...] = (
    {"name": "Casino knock-out", "game": "casino", "options": {"target": 11}, "fill_to": 8},
    {
        "name": "Sixty-Six arena",
        "game": "sixty-six",
        "options": {"target": 5},
        "format": "arena",
        "format_options": {"minutes": 10},
        "check_in_minutes": 0,
        "fill_to": 6,
    },
    {
        "name": "Cribbage Swiss",
        "game": "partnership-cribbage",
        "options": {"target": 61},
        "format": "swiss",
        "late_rounds": 2,
        "is_evened": True,
        "fill_to": 8,
        "break_seconds": 15,
    },
    {
        "name": "Carousel tables",
        "game": "carousel",
        "seats": 4,
        "deals": 2,
        "format": "pods",
        "format_options": {"planned_rounds": 2},
        "absence": "bot",
        "fill_to": 8,
        "break_seconds": 15,
    },
    {
        "name": "Gin Rummy duplicate",
        "game": "gin-rummy",
        "deals": 3,
        "match_games": 2,
        "match_rule": "points",
        "dealing": "same",
        "compared_by": "matchpoints",
        "fill_to": 4,
    },
    {
        "name": "Push for pairs",
        "game": "push",
        "seats": 4,
        "deals": 3,
        "absence": "bot",
        "fill_to": 4,
    },
    {
        "name": "Cuarenta double knock-out",
        "game": "cuarenta",
        "format": "double-elimination",
        "fill_to": 4,
    },
    {"name": "Advantage round robin", "game": "advantage", "format": "round-robin", "fill_to": 4, "max_entries": 6},
    {
        "name": "Piquet groups",
        "game": "piquet",
        "deals": 2,
        "format": "groups",
        "format_options": {"group_size": 3},
        "fill_to": 6,
    },
    {"name": "Vatican knock-out", "game": "vatican", "options": {"deal": 10}, "fill_to": 4, "move_seconds": 120},
)
SHARED = {
    "rrule": f"FREQ=MINUTELY;INTERVAL={EVERY_MINUTES * len(SERIES)}",
    "max_entries": 32,
    "check_in_minutes": 5,
    "move_seconds": 60,
    "ahead": 2,
}

# Once a day, for bots that people run; its season is their league.
BOT_SERIES: dict[str, Any] = {
    "name": "League of people's bots",
    "game": "gin-rummy",
    "options": {"target": 50},
    "format": "round-robin",
    "rrule": "FREQ=DAILY",
    "bots_only": True,
    "fill_to": 4,
    "max_entries": 12,
    "move_seconds": 30,
    "registration_minutes": 24 * 60,
}
BOTS_FROM = FIRST_START + timedelta(hours=18)

# Quick bots, so that a night takes a minute.
LEAGUES: tuple[dict[str, Any], ...] = (
    {"name": "Gin Rummy bots", "game": "gin-rummy", "options": {"target": 50}, "deals": 50},
    {"name": "Cribbage bots", "game": "partnership-cribbage", "options": {"target": 61}, "deals": 50},
    {"name": "Sixty-Six bots", "game": "sixty-six", "options": {"target": 5}, "deals": 20},
)
NIGHTLY_FROM = FIRST_START + timedelta(hours=3)
FIRST_LEAGUE = {"name": "Advantage bots", "game": "advantage", "deals": 100}
FIRST_LEAGUE_AFTER = timedelta(minutes=3)


class Command(BaseCommand):
    help = "Schedule tournaments all day and bot leagues at night. Harmless to repeat; what was edited stays."

    def handle(self, **options: Any) -> None:
        now = timezone.now()
        planned = [*self.plan_series(now), *self.plan_leagues(now)]
        if options["verbosity"]:
            for one in planned:
                self.stdout.write(f"Planned: {one}, {rule_in_words(one.rrule)}.")

    def plan_series(self, now: datetime) -> Iterator[Series]:
        starts = [FIRST_START + number * timedelta(minutes=EVERY_MINUTES) for number in range(len(SERIES))]
        for first, settings in zip((*starts, BOTS_FROM), (*SERIES, BOT_SERIES), strict=True):
            if Series.objects.filter(name=settings["name"]).exists():
                continue
            series = services.save_series(Series(first_start_at=first, **SHARED | settings), now=now)
            services.plan_series(series_id=series.pk, now=now)
            if settings is BOT_SERIES:
                Season.objects.get_or_create(name=series.name, defaults={"series": series, "counts_bots": True})
            yield series

    def plan_leagues(self, now: datetime) -> Iterator[BotLeague]:
        """One of them begins soon, so that a new site has a league to look at."""
        nightly = [
            settings | {"first_start_at": NIGHTLY_FROM + number * timedelta(minutes=EVERY_MINUTES)}
            for number, settings in enumerate(LEAGUES)
        ]
        for settings in (*nightly, FIRST_LEAGUE | {"first_start_at": now + FIRST_LEAGUE_AFTER}):
            if not BotLeague.objects.filter(name=settings["name"]).exists():
                yield save_league(BotLeague(**settings), now=now)
