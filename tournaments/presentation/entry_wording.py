"""Wording of entries for pages: their names and status."""

from tournaments.models import Entry


def is_named(entry: Entry, text: str) -> bool:
    """Whether a part of its name is this text, as a search finds it."""
    return text.strip().casefold() in entry.name.casefold()


def status_in_words(entry: Entry) -> str:
    """The status; where nobody is knocked out, those who don't win have finished."""
    if entry.is_sitting_out:
        return "sits out"
    if entry.status == Entry.Status.ELIMINATED and not entry.event.plan.needs_winner:
        return "finished"
    return str(entry.get_status_display())
