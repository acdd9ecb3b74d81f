"""Wording of entries for pages: their status."""

from tournaments.models import Entry


def status_in_words(entry: Entry) -> str:
    return "sits out" if entry.is_sitting_out else entry.get_status_display()
