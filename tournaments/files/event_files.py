"""Whole events as files: the settings in the JSON export of an event make a new one."""

import json
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError

from tournaments.domain.errors import EventError
from tournaments.models import Event, EventSettings

SECRETS = ("password",)
KEPT = ("name", "description", "time_zone")
NO_EVENT = "This isn't the JSON file of a tournament. Download one from its page."


def settings_as_json(event: Event) -> dict[str, Any]:
    """Every setting by its name, without secrets."""
    kept = {name: getattr(event, name) for name in KEPT}
    return kept | {name: value for name, value in event.setting_values().items() if name not in SECRETS}


def event_from_json(text: str, *, starts_at: datetime) -> Event:
    """An unsaved event with the settings of an exported one. :raises EventError: it is no such file, or has faults."""
    try:
        found = json.loads(text)["setup"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise EventError(NO_EVENT) from None
    known = {*KEPT, *(field.name for field in EventSettings._meta.local_fields)} - {*SECRETS}
    if not isinstance(found, dict) or not found.keys() <= known:
        raise EventError(NO_EVENT)
    event = Event(starts_at=starts_at, **found)
    try:
        if not isinstance(event.options, dict):
            raise TypeError("options are named values")
        event.clean_fields(exclude=["created_by", "lots"])
        event.check_game()
        event.check_format()
    except ValidationError as error:
        raise EventError(f"The settings in this file can't be used: {'; '.join(error.messages)}") from None
    except (LookupError, TypeError, ValueError) as error:
        raise EventError(f"The settings in this file can't be used: {error}") from None
    return event
