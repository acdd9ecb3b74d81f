"""The draw of groups from pots as its page shows it, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from tournaments.formats.groups import group_title
from tournaments.formats.pots import DrawStep, fill_pots, lots_text, number_of_groups
from tournaments.models import Entry, Event
from tournaments.queries.group_draws import shown_steps
from tournaments.queries.records import records_of
from tournaments.services.seeding import entries_in_seed_order

LOT_DIGITS = 8  # that tell lots apart on the page


@dataclass(frozen=True, slots=True)
class ShownStep:
    """An entry that has come out of its pot. lot: its first digits."""

    pot: int
    entry: Entry
    group: str
    lot: str


class GroupDrawPage:
    """What everyone sees of the draw at this moment; before the start, who is in which pot by now."""

    def __init__(self, event: Event, now: datetime) -> None:
        self.event = event
        self._steps: Sequence[DrawStep] = event.plan.group_draw(records_of(event)) if event.started_at else ()
        self._shown = min(shown_steps(event, now), len(self._steps))

    @cached_property
    def entries(self) -> list[Entry]:
        """In the order of their seeds."""
        if self._steps:
            return list(self.event.entries.filter(seed__isnull=False).with_players().order_by("seed"))
        return entries_in_seed_order(self.event, self.event.entries.present().with_players())

    @cached_property
    def steps(self) -> list[ShownStep]:
        by_pk = {entry.pk: entry for entry in self.entries}
        return [
            ShownStep(step.pot, by_pk[step.entrant], group_title(step.group), step.lot[:LOT_DIGITS])
            for step in self._steps[: self._shown]
        ]

    @property
    def latest(self) -> ShownStep | None:
        return self.steps[-1] if self.steps else None

    @property
    def has_begun(self) -> bool:
        return bool(self._steps)

    @property
    def is_over(self) -> bool:
        return self.has_begun and self._shown == len(self._steps)

    @cached_property
    def pots(self) -> list[tuple[str, list[Entry]]]:
        """Titles, and who is still in the pot."""
        drawn = {step.entry for step in self.steps}
        pots = enumerate(pots_of(self.event, self.entries), start=1)
        return [(f"Pot {number}", [entry for entry in pot if entry not in drawn]) for number, pot in pots]

    @property
    def groups(self) -> list[tuple[str, list[Entry]]]:
        """Titles, and who is in the group by now."""
        titles = map(group_title, range(number_of_groups(len(self.entries), group_size(self.event))))
        return [(title, [step.entry for step in self.steps if step.group == title]) for title in titles]

    @property
    def lots_text(self) -> str:
        """What the number of an entry is put behind to get its lot."""
        return lots_text(self.event.lots)


def group_size(event: Event) -> int:
    """The places in a group, and so the number of pots."""
    size: int = getattr(event.plan, "group_size", 1)
    return size


def pots_of(event: Event, entries: Sequence[Entry]) -> list[list[Entry]]:
    """entries: in the order of their seeds."""
    return fill_pots(entries, group_size(event))
