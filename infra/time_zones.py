"""Time zones to choose from."""

from zoneinfo import available_timezones


def zone_choices() -> list[tuple[str, str]]:
    """For a field of a form: the name of each zone, and how a page writes it."""
    return [(zone, zone.replace("_", " ")) for zone in sorted(available_timezones())]
