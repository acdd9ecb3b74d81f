"""When the events of a series start. Pure; the one place to teach richer rules of recurrence."""

from datetime import datetime, timedelta


def occurrences(first: datetime, every: timedelta, *, after: datetime, count: int) -> list[datetime]:
    """The next `count` starts later than `after` of a series that began, or will begin, at `first`."""
    passed = max((after - first) // every + 1, 0)
    return [first + (passed + number) * every for number in range(count)]
