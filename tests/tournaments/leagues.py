"""What happens in a bot league, in a word or two."""

from __future__ import annotations

from datetime import timedelta

from accounts.models import User
from games.models import HouseBot
from tests.tournaments.factories import NOON
from tournaments.models import BotLeague, LeagueChunk, LeagueNight
from tournaments.services import league as services

SOON = NOON + timedelta(seconds=1)
ALL_LEVELS = ["first-steps", "club", "strong"]


def planned(**settings: object) -> BotLeague:
    """A small league of Sixty-Six at noon, of quick bots; its 12 deals are three chunks."""
    chosen = {
        "game": "sixty-six", "options": {"target": 5}, "levels": ["first-steps", "club"], "deals": 12,
        "name": "Noon bots", "first_start_at": NOON,
    }  # fmt: skip
    league = BotLeague(**chosen | settings)
    league.full_clean()
    make_bots(league.game)
    return services.save_league(league, now=NOON - timedelta(days=1))


def make_bots(game: str) -> None:
    """Eight of each level, as the site has them."""
    for level in ALL_LEVELS:
        bots = (User(username=f"{level}-{number}", first_name=f"{level} {number}", is_bot=True) for number in range(8))
        HouseBot.objects.bulk_create(
            HouseBot(user=user, game=game, level=level) for user in User.objects.bulk_create(bots)
        )


def play(night: LeagueNight) -> LeagueNight:
    """All that is out and whatever that lets out."""
    while chunks := list(night.chunks.filter(status=LeagueChunk.Status.CLAIMED)):
        for chunk in chunks:
            services.play_chunk(chunk_id=chunk.pk, now=SOON)
    night.refresh_from_db()
    return night
