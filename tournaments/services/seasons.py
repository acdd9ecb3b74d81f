"""Seasons: make, change and delete the table over several events."""

from accounts.models import User
from tournaments.models import Season


def save_season(season: Season, *, by: User) -> Season:
    """Stores a new or edited season, without the events that were chosen for it."""
    if season.pk is None:
        season.created_by = by
    season.save()
    return season


def delete_season(season: Season) -> None:
    """Deletes the table; its events stay."""
    season.delete()
