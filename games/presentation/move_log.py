"""Move log: the events of a game in words, as one reader is told of them."""

from typing import NamedTuple

from games.core.contract import Event
from games.domain.wording import event_sentence
from infra.cache import LRUCache

READERS = 2_000  # cached last boards, by table and reader, from which the next one is built


class LogLine(NamedTuple):
    """A line of the log. `number` is None for an event of the table, not of a seat."""

    number: int | None
    text: str


_logs: LRUCache[tuple[tuple[str, ...], int | None], tuple[tuple[Event, ...], tuple[LogLine, ...]]] = LRUCache(READERS)


def log_of(events: tuple[Event, ...], names: tuple[str, ...], viewer: int | None) -> tuple[LogLine, ...]:
    """The events in words. What the same reader was last told of them is taken over, up to where they differ: a log
    grows at its end, and some games forget all turns but the last of each seat."""
    told_events, lines = _logs.get((names, viewer)) or ((), ())
    pairs = enumerate(zip(events, told_events, strict=False))
    same = next((at for at, (event, before) in pairs if event != before), min(len(events), len(told_events)))
    lines = lines[:same]
    number = next((line.number for line in reversed(lines) if line.number is not None), 0)
    new = []
    for event in events[same:]:
        is_move = event.seat is not None
        number += is_move
        new.append(LogLine(number if is_move else None, event_sentence(event, names, viewer)))
    lines = (*lines, *new)
    _logs.set((names, viewer), (events, lines))
    return lines
