"""Edits of an event: what changes, field by field, in words; and a signed snapshot of what the editor saw."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django.core import signing
from django.db.models import Field
from django.utils.text import capfirst

from tournaments.domain.wall_clock import wall_time_in_words
from tournaments.formats.contract import Format
from tournaments.models import Event, EventSettings

EDITABLE_SETTINGS = tuple(field.name for field in EventSettings._meta.local_fields)
FIELDS = ("name", "starts_at", "time_zone", *EDITABLE_SETTINGS, "description")  # what a director edits
KIND = ("game", "seats", "format")
NOTIFIED_FIELDS = {
    "starts_at", *KIND, "options", "format_options", "match_games", "match_rule", "deals", "dealing", "is_mirrored",
    "compared_by", "move_seconds", "base_minutes", "increment_seconds", "allows_vacation", "absence", "hold_minutes",
    "appear_minutes", "missed_matches", "no_shows", "team_boards", "team_substitutes", "team_scoring",
}  # fmt: skip
"""Entrants are notified when one of these changes."""
SALT = "tournaments.planning.edits"


@dataclass(frozen=True, slots=True)
class SettingChange:
    """field: of the event, several changes may be of one, such as its options. words: "Start: 12:00 → 13:00"."""

    field: str
    words: str

    @property
    def is_notified(self) -> bool:
        return self.field in NOTIFIED_FIELDS


def edit_changes(old: Event, new: Event) -> list[SettingChange]:
    """In the order of `FIELDS`; [] if both are played alike."""
    return [SettingChange(name, words) for name in FIELDS for words in _words(name, old, new)]


def _words(name: str, old: Event, new: Event) -> Iterator[str]:
    if name == "options":
        yield from _words_of_options(old, new)
    elif name == "format_options":
        yield from _words_of_format(old, new)
    elif getattr(old, name) != getattr(new, name):
        yield _words_of_field(name, old, new)


def _words_of_field(name: str, old: Event, new: Event) -> str:
    field = Event._meta.get_field(name)
    assert isinstance(field, Field), "settings are columns of their own"
    label = capfirst(str(field.verbose_name))
    if name == "description":
        return "Changed the description"
    if name == "questions":
        return "Changed the questions at entry"
    if name == "password":
        verb = "Set" if not old.password else "Changed" if new.password else "Removed"
        return f"{verb} the password"
    if name == "starts_at":
        was, now = (wall_time_in_words(event.starts_at, new.time_zone) for event in (old, new))
        return f"{label}: {was} → {now}"
    return f"{label}: {_value(name, old)} → {_value(name, new)}"


def _value(name: str, event: Event) -> str:
    if name == "game":
        return event.rules.name
    if name == "format":
        return event.plan.name
    return _plain(getattr(event, f"get_{name}_display", lambda: getattr(event, name))())


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)


def _words_of_options(old: Event, new: Event) -> Iterator[str]:
    """Options of another game are compared with its defaults."""
    after = new.rules.read_options(new.options, new.seats)
    is_same = old.game == new.game
    before = old.rules.read_options(old.options, old.seats) if is_same else new.rules.read_options(None, new.seats)
    for option in new.rules.options:
        was, now = before[option.name], after[option.name]
        if was != now:
            yield f"{option.label}: {option.label_of(was)} → {option.label_of(now)}"


def _words_of_format(old: Event, new: Event) -> Iterator[str]:
    """Options of another format are compared with its defaults."""
    after = new.plan
    before = old.plan if old.format == new.format else type(after)()
    for field in fields(after):
        was, now = (_option_value(plan, field.name, field.metadata) for plan in (before, after))
        if was != now:
            yield f"{field.metadata['label']}: {was} → {now}"


def _option_value(plan: Format, name: str, metadata: Mapping[str, Any]) -> str:
    value = getattr(plan, name)
    return str(metadata["choices"][value]) if "choices" in metadata else _plain(value)


# What an editor has seen


def settings_snapshot(event: Event) -> str:
    """The settings of an event as signed text for a form. Without the password, which no form shows."""
    values = {name: getattr(event, name) for name in FIELDS if name != "password"}
    return signing.dumps(values | {"starts_at": event.starts_at.isoformat()}, salt=f"{SALT}:{event.pk}", compress=True)


def read_settings_snapshot(text: str, event_id: int) -> Event | None:
    """The event as it was; None for the text of another event, or of other settings than there are now."""
    try:
        values = signing.loads(text, salt=f"{SALT}:{event_id}")
    except signing.BadSignature:
        return None
    if set(values) != {*FIELDS} - {"password"}:
        return None
    values["starts_at"] = datetime.fromisoformat(values["starts_at"])
    return Event(pk=event_id, **values)
