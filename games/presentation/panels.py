"""Panels: the zones of a table as a template draws them, with spots for their cards."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from games.core.cards import Card
from games.core.contract import View, Zone
from games.core.words import render_text

STACKED = ("stock", "pile")
TOPPED = (*STACKED, "column", "cell")
SHOWN_EMPTY = ("stock", "pile", "column", "cell")
FANNED = ("hand", "build", "meld")


class Spot(NamedTuple):
    """A card on the table. `card` None: it is face down.

    pick: the card or zone id that choosing it means, "" if it cannot be chosen. is_idle: no move touches it; it is
    chosen to ask why not. is_fresh: it has just come into the reader's hand. is_open: choosing it alone is a move, such
    as a draw, and a lesson shows that. is_best: it belongs to the move that the coach would make.
    arrives_from: the zone it glides in from when it was not in sight before.
    """

    card: Card | None
    pick: str = ""
    is_last: bool = False
    arrives_from: str = ""
    is_idle: bool = False
    is_fresh: bool = False
    is_open: bool = False
    is_best: bool = False

    @property
    def copy(self) -> str:
        """The number of the pack whose back it has."""
        return self.card[2:] if self.card and self.card[2:] else "1"


BACK = Spot(None)


class Panel(NamedTuple):
    """A zone with its spots. `pick`: the zone's id when it is chosen as a whole; see `Spot` for what else it is.

    tag: the label without its owner, for a place beside the owner's plate.
    """

    zone: Zone
    label: str
    note: str
    spots: tuple[Spot, ...]
    tag: str = ""
    pick: str = ""
    is_last: bool = False
    is_idle: bool = False
    is_open: bool = False
    is_best: bool = False

    @property
    def id(self) -> str:
        return self.zone.id

    @property
    def kind(self) -> str:
        return self.zone.kind

    @property
    def is_stacked(self) -> bool:
        """Whether one card stands for the whole pile."""
        return self.kind in STACKED

    @property
    def is_fanned(self) -> bool:
        return self.kind in FANNED

    @property
    def is_deep(self) -> bool:
        return self.is_stacked and self.zone.count > 1

    @property
    def depth(self) -> int:
        """The number of cards shown on the top card; 0 where none is shown."""
        return self.zone.count if self.is_deep else 0

    @property
    def is_shown_empty(self) -> bool:
        return self.kind in SHOWN_EMPTY

    @property
    def is_bare(self) -> bool:
        """Whether nothing lies there and nothing can be chosen."""
        return not self.spots and not self.pick

    @property
    def is_pickable(self) -> bool:
        """Whether it can be chosen, as a whole or card by card."""
        return bool(self.pick) or any(spot.pick for spot in self.spots)

    @property
    def number(self) -> str:
        """The part of its id after the colon: the value of `build:8`, the number of `meld:3`."""
        return self.id.partition(":")[2]

    @property
    def value(self) -> str:
        """The value of a build."""
        return self.number if self.kind == "build" else ""

    @property
    def open_pile(self) -> tuple[Card, ...]:
        """The open cards of a pile that may be looked through, the top one first; () where only that one is open."""
        return self.zone.cards[::-1] if self.is_stacked and len(self.zone.cards) > 1 else ()

    @property
    def sentence(self) -> str:
        """Text for screen readers: "Table: 3C, 5D", "Ada's hand, 4 cards face down", "Stock, 24 cards"."""
        zone, label = self.zone, f"{self.label} ({self.note})" if self.note else self.label
        if not zone.count:
            return f"{label}, empty"
        if self.is_stacked:
            top = f", {zone.cards[-1]} on top" if zone.cards else ""
            return f"{label}, {cards_in_words(zone.count)}{top}"
        return f"{label}{':' if zone.cards else ','} {self.contents}"

    @property
    def contents(self) -> str:
        """All cards of a zone that does not lie on a pile: "3C, 5D", "4 cards face down"."""
        hidden = [f"{cards_in_words(self.zone.hidden)} face down"] if self.zone.hidden else []
        return ", ".join([*self.zone.cards, *hidden])


def cards_in_words(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def open_panel(zone: Zone, names: Sequence[str], viewer: int | None) -> Panel:
    spots = tuple(Spot(card) for card in zone.cards) + (Spot(None),) * zone.hidden
    return Panel(zone, render_text(zone.label, names, viewer), render_text(zone.note, names, viewer), spots)


def open_zones(views: Collection[View]) -> tuple[Zone, ...]:
    """The zones of the first view, each from the view that sees most of it: for open hands.

    They keep the labels of the first view: others may say "Your card".
    """
    first, *others = views
    best = {zone.id: zone for zone in first.zones}
    for view in others:
        for zone in view.zones:
            if zone.id in best and len(zone.cards) > len(best[zone.id].cards):
                best[zone.id] = replace(zone, label=best[zone.id].label)
    return tuple(best.values())
