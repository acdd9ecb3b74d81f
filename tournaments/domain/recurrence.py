"""Recurrence rules (RFC 5545, 3.3.10): when the events of a series start. Pure; the one place that reads them.

A rule and the first start are wall time of the organiser: a Friday at eight stays at eight in summer and winter.
A time that clocks skip in spring becomes the first moment after; of one that comes twice in autumn the first counts.
Two starts that fall together so are one.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rrulestr

from games.domain.clocks import duration
from infra.numbers import read_number

UNITS = {
    "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year",
}  # fmt: skip
STEP_UNITS = {
    "MINUTELY": timedelta(minutes=1),
    "HOURLY": timedelta(hours=1),
}  # of rules that need not count from the start
PARTS_OF_STEPS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYHOUR", "BYMINUTE"}
PARTS = PARTS_OF_STEPS | {"WKST", "BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS"}
LARGEST_PARTS = {"INTERVAL": 100_000, "COUNT": 10_000}
HORIZON = timedelta(days=30 * 366)  # what does not come within this never comes
SOME_DAY = datetime(9969, 1, 1)  # dateutil looks for a start up to the year 9999, 30 years on
DAYS = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
ORDINALS = {
    "1": "first",
    "2": "second",
    "3": "third",
    "4": "fourth",
    "5": "fifth",
    "-1": "last",
    "-2": "second to last",
}


class BadRecurrenceRule(ValueError):
    """The message is for the author of the rule."""


def check_rule(rule: str, zone: str) -> None:
    """:raises BadRecurrenceRule: not a rule that a series can have, or no such time zone."""
    try:
        local = ZoneInfo(zone)
    except (ValueError, OSError, KeyError) as error:
        raise BadRecurrenceRule(f"There is no time zone {zone!r}.") from error
    parts = _read(rule)
    try:
        _until(parts, local)
        a_start = next(_wall_times(parts, SOME_DAY, SOME_DAY - timedelta(days=1), datetime.max), None)
    except (ValueError, TypeError, OverflowError) as error:
        raise BadRecurrenceRule(f"This rule can't be read: {error}.") from error
    if a_start is None:
        raise BadRecurrenceRule("With this rule nothing would ever take place.")


def occurrences_after(
    rule: str, first: datetime, zone: str, *, after: datetime, count: int, skipped: Collection[str] = ()
) -> list[datetime]:
    """The next `count` starts later than `after`, in UTC, of a series whose first start is `first`.

    Fewer where the rule ends. skipped: days of the zone without a start, such as "2026-12-25".
    :raises BadRecurrenceRule:
    """
    local, parts = ZoneInfo(zone), _read(rule)
    walls = _wall_times(parts, _on_wall(first, local), _on_wall(after, local), _until(parts, local))
    starts = (start for start in (wall_time_to_utc(wall, local) for wall in walls) if start > after)
    held = (start for start in starts if str(start.astimezone(local).date()) not in skipped)
    return list(islice(_without_repeats(held), count))


def wall_time_to_utc(wall: datetime, zone: ZoneInfo) -> datetime:
    """Wall time in UTC: the first one if it comes twice, the moment of the jump if clocks skip it."""
    found = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if _on_wall(found, zone) == wall:
        return found
    before_jump = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    seconds = range(int((found - before_jump).total_seconds()))
    old = before_jump.astimezone(zone).utcoffset()
    jump = bisect_left(
        seconds, True, key=lambda n: (before_jump + timedelta(seconds=n)).astimezone(zone).utcoffset() != old
    )
    return before_jump + timedelta(seconds=jump)


def rule_in_words(rule: str) -> str:
    """Such as "every 2 weeks on Friday and Saturday"; a rule that is hard to say stays as it is written."""
    try:
        parts = _read(rule)
        text = _every(parts) + _on_days(parts) + _end(parts)
    except (BadRecurrenceRule, KeyError, ValueError):
        return rule
    return text if not parts else rule


@dataclass(frozen=True, slots=True)
class SimpleRule:
    """A rule as people plan: every so many weeks on some days, or every so many months on a day or weekday.

    unit: a key of `SIMPLE_UNITS`. days: keys of `DAYS`, of a weekly rule; () for the day of the first start. nth: of a
    monthly rule, a key of `ORDINALS` for its weekday, "" for the day of the month. until: the last day, "" for no end.
    """

    unit: str = "WEEKLY"
    interval: int = 1
    days: tuple[str, ...] = ()
    nth: str = ""
    until: str = ""


SIMPLE_UNITS = {"DAILY": "days", "WEEKLY": "weeks", "MONTHLY": "months"}


def simple_rule_text(rule: SimpleRule, first: date) -> str:
    """The rule as text. first: the day of the first start, which says the weekday of a monthly rule."""
    parts = [f"FREQ={rule.unit}"]
    if rule.interval > 1:
        parts.append(f"INTERVAL={rule.interval}")
    if rule.unit == "WEEKLY" and rule.days:
        parts.append(f"BYDAY={','.join(day for day in DAYS if day in rule.days)}")
    if rule.unit == "MONTHLY" and rule.nth:
        parts.append(f"BYDAY={rule.nth}{list(DAYS)[first.weekday()]}")
    if rule.until:
        parts.append(f"UNTIL={rule.until.replace('-', '')}")
    return ";".join(parts)


def simple_rule(text: str) -> SimpleRule | None:
    """A rule that `simple_rule_text` could have written; None for any other."""
    try:
        parts = _read(text)
    except BadRecurrenceRule:
        return None
    unit, interval, until = parts.pop("FREQ"), int(parts.pop("INTERVAL", "1")), parts.pop("UNTIL", "")
    days = tuple(filter(None, parts.pop("BYDAY", "").split(",")))
    if parts or unit not in SIMPLE_UNITS or (until and len(until) != 8):
        return None
    until = f"{until[:4]}-{until[4:6]}-{until[6:]}" if until else ""
    if unit == "WEEKLY" and {*days} <= {*DAYS}:
        return SimpleRule(unit, interval, days, until=until)
    if unit == "MONTHLY" and len(days) == 1 and days[0][:-2] in ORDINALS:
        return SimpleRule(unit, interval, nth=days[0][:-2], until=until)
    return None if days else SimpleRule(unit, interval, until=until)


def moved_rule(text: str, old: date, new: date) -> str:
    """The rule once the start of one day, and all after it, have moved to another day.

    :raises BadRecurrenceRule: it can't be moved; the message is for the director.
    """
    if old == new:
        return text
    rule = simple_rule(text)
    if rule is None:
        raise BadRecurrenceRule("An admin has written the rule of this series, so only the time of day can move.")
    if len(rule.days) > 1:
        raise BadRecurrenceRule("This series has several days a week. Change them on its page.")
    days = tuple(list(DAYS)[new.weekday()] for _ in rule.days)
    return simple_rule_text(replace(rule, days=days, nth=_moved_nth(rule.nth, new)), new)


def _moved_nth(nth: str, new: date) -> str:
    """Which weekday of its month a monthly rule means on another day: the last one of those that have no fifth."""
    if nth in ("", "-1", "-2"):
        return nth
    week = (new.day - 1) // 7 + 1
    if nth == "5" and week < 5:
        day = list(DAYS.values())[new.weekday()]
        raise BadRecurrenceRule(
            f"This series is only in months with a fifth weekday, and this is {ORDINALS[str(week)]} {day}. "
            "Change the rule on its page."
        )
    return "-1" if nth != "5" and week == 5 else str(week)


# Reading


def _read(rule: str) -> dict[str, str]:
    """The parts of a rule by name. Values are left to dateutil, except what would keep it busy forever."""
    parts: dict[str, str] = {}
    for part in rule.strip().upper().removeprefix("RRULE:").split(";"):
        name, _, value = part.partition("=")
        if name in parts or not value:
            raise BadRecurrenceRule(f"A rule looks like FREQ=WEEKLY;BYDAY=FR,SA; {part!r} doesn't fit.")
        parts[name] = value
    frequency = parts.get("FREQ")
    if "BYSECOND" in parts or frequency == "SECONDLY":
        raise BadRecurrenceRule("Tournaments start on the minute, so BYSECOND and FREQ=SECONDLY are not allowed.")
    if frequency not in UNITS:
        raise BadRecurrenceRule(f"FREQ must be one of {', '.join(UNITS)}.")
    allowed = PARTS_OF_STEPS if frequency in STEP_UNITS else PARTS
    if unknown := sorted(parts.keys() - allowed):
        raise BadRecurrenceRule(f"{unknown[0]} can't be used with FREQ={frequency} here.")
    if "COUNT" in parts and "UNTIL" in parts:
        raise BadRecurrenceRule("Use COUNT or UNTIL, not both.")
    for name, most in LARGEST_PARTS.items():
        value = parts.get(name, "1")
        if not (value.isascii() and read_number(value, 0, most=most)):
            raise BadRecurrenceRule(f"{name} must be a number from 1 to {most}.")
    return parts


def _until(parts: dict[str, str], zone: ZoneInfo) -> datetime:
    """The last wall time; a day counts to its end. :raises ValueError:"""
    text = parts.get("UNTIL")
    if text is None:
        return datetime.max
    if len(text) == 8:
        return datetime.strptime(text, "%Y%m%d") + timedelta(days=1, microseconds=-1)
    end = datetime.strptime(text.removesuffix("Z"), "%Y%m%dT%H%M%S")
    return _on_wall(end.replace(tzinfo=UTC), zone) if text.endswith("Z") else end


# Counting


def _wall_times(parts: dict[str, str], first: datetime, after: datetime, until: datetime) -> Iterator[datetime]:
    """Wall times later than `after`, in order."""
    count = int(parts["COUNT"]) if "COUNT" in parts else None
    text = ";".join(f"{name}={value}" for name, value in parts.items() if name not in ("COUNT", "UNTIL"))
    start = first if count else _nearby_start(parts, first, after)
    end = min(until, max(first, after) + HORIZON)
    endless = rrulestr(text, dtstart=start)
    assert isinstance(endless, rrule), "one rule, not a set of them"
    return (wall for wall in islice(endless.replace(until=end), count) if wall > after)


def _nearby_start(parts: dict[str, str], first: datetime, after: datetime) -> datetime:
    """A start from which a rule of minutes or hours goes on as from the first, without years to count through."""
    step = STEP_UNITS.get(parts["FREQ"], timedelta(0)) * int(parts.get("INTERVAL", "1"))
    return first + max((after - first) // step, 0) * step if step else first


def _on_wall(at: datetime, zone: ZoneInfo) -> datetime:
    return at.astimezone(zone).replace(tzinfo=None)


def _without_repeats(starts: Iterator[datetime]) -> Iterator[datetime]:
    last = None
    for start in starts:
        if start != last:
            yield start
        last = start


# In words; each takes the parts that it says


def _every(parts: dict[str, str]) -> str:
    frequency, interval = parts.pop("FREQ"), int(parts.pop("INTERVAL", "1"))
    if step := STEP_UNITS.get(frequency):
        return f"every {duration(int((step * interval).total_seconds())).removeprefix('1 ')}"
    return f"every {UNITS[frequency]}" if interval == 1 else f"every {interval} {UNITS[frequency]}s"


def _on_days(parts: dict[str, str]) -> str:
    days = [_day(text) for text in parts.pop("BYDAY", "").split(",") if text]
    days += [_day_of_month(text) for text in parts.pop("BYMONTHDAY", "").split(",") if text]
    return f" on {_listed(days)}" if days else ""


def _day(text: str) -> str:
    ordinal, day = text[:-2].removeprefix("+"), DAYS[text[-2:]]
    return f"the {ORDINALS[ordinal]} {day}" if ordinal else day


def _day_of_month(text: str) -> str:
    return f"the {ORDINALS[text]} day" if text.startswith("-") else f"day {int(text)}"


def _end(parts: dict[str, str]) -> str:
    if "COUNT" in parts:
        return f", {parts.pop('COUNT')} times"
    if "UNTIL" in parts:
        return f", until {datetime.strptime(parts.pop('UNTIL')[:8], '%Y%m%d'):%d %B %Y}".replace(" 0", " ")
    return ""


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
