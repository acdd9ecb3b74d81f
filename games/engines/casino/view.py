"""The view of Casino: what one seat, or a spectator, may know."""

from dataclasses import dataclass, field

from games.core.cards import Card
from games.core.contract import Choice, Move, View, Zone, open_zone
from games.core.sides import side_in_words
from games.engines.casino import words
from games.engines.casino.builds import Build
from games.engines.casino.moves import HAND_SIZE, Capture, MakeBuild, Trail, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class CasinoView(View):
    """What a seat knows of a game of Casino.

    hand: in display order, () for a spectator. hand_counts: by seat. won_counts, remembered, sweeps,
    sweep_cards: by side.
    remembered: the cards of each pile, which all players saw before they were covered. Bots and the coach remember
    them; no page and no text shows them, and views that differ in them are equal.
    turns: the previous turn of each seat. last_taken: the cards of the last turn, () unless it was a capture;
    they lie on top of the capturing side's pile until the next card is played.
    """

    sides: int
    dealer: int
    deal_number: int
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    stock_count: int
    loose: tuple[Card, ...]
    builds: tuple[Build, ...]
    won_counts: tuple[int, ...]
    remembered: tuple[tuple[Card, ...], ...] = field(repr=False, compare=False)
    sweeps: tuple[int, ...]
    sweep_cards: tuple[tuple[Card, ...], ...]
    last_taken: tuple[Card, ...]
    last_capturer: int | None
    turns: tuple[Turn, ...]

    @property
    def log_note(self) -> str:
        return (
            "Only each player's last move of this hand is listed: "
            "captured cards are covered, and remembering them is part of the game."
        )

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        others = [(first + step) % self.seats for step in range(self.seats - (self.seat is not None))]
        note = "" if self.stock_count else "last deal"
        return (
            *(self._hand_zone(seat) for seat in others),
            Zone("stock", "stock", "Stock", count=self.stock_count, note=note),
            open_zone("table", "row", "Loose cards", self.loose),
            *(self._build_zone(build) for build in self.builds),
            *(self._won_zone(side) for side in range(self.sides)),
            *([] if self.seat is None else [self._hand_zone(self.seat)]),
        )

    def _hand_zone(self, seat: int) -> Zone:
        if seat == self.seat:
            return open_zone(f"hand:{seat}", "hand", f"@{seat}'s hand", self.hand, owner=seat)
        return Zone(f"hand:{seat}", "hand", f"@{seat}'s hand", count=self.hand_counts[seat], owner=seat)

    def _build_zone(self, build: Build) -> Zone:
        note = "" if build.is_single else "multiple"
        label = f"@{build.controller}'s build of {build.value}"
        return open_zone(f"build:{build.value}", "build", label, build.cards, note=note)

    def _won_zone(self, side: int) -> Zone:
        top = self.last_taken if self.last_capturer is not None and self.last_capturer % self.sides == side else ()
        label = f"Won by {side_in_words(side, self.seats, self.sides)}"
        sweeps = self.sweeps[side] if self.options["sweeps"] != "off" else 0
        note = f"sweeps: {sweeps}" if sweeps else ""
        cards = tuple([card for card in self.sweep_cards[side] if card not in top]) + top
        return Zone(f"won:{side}", "pile", label, cards, self.won_counts[side], side, note)

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        controlled = [build.value for build in self.builds if build.controller == self.seat]
        return words.prompt(controlled, may_trail=self.options["trail_with_build"] == "allowed")

    def choice(self, move: Move) -> Choice:
        match move:
            case Trail():
                touches: tuple[str, ...] = (move.card, "table")
            case Capture() | MakeBuild():
                touches = (move.card, *move.loose, *(f"build:{value}" for value in move.builds))
            case _:
                raise TypeError(f"not a legal move of Casino: {move!r}")
        return Choice(move, words.phrase(move), touches)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        deals_left = -(-self.stock_count // (HAND_SIZE * self.seats))
        return (
            ("Hand", str(self.deal_number)),
            ("Dealer", f"@{self.dealer}"),
            ("Deals left", str(deals_left) if deals_left else "none, this is the last"),
            ("Last capture", "none yet" if self.last_capturer is None else f"@{self.last_capturer}"),
            ("Target", f"{self.options['target']} points"),
        )
