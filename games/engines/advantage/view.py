"""The view of Advantage: what one seat, or a spectator, may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.cards import Card, by_display
from games.core.contract import Choice, Move, Phrase, View, Zone, open_zone
from games.engines.advantage.moves import (
    DRAW_TO_PICK,
    DROP,
    PICK,
    SEATS,
    DrawToPick,
    Drop,
    LayPair,
    Pair,
    PassPick,
    Phase,
    StopDropping,
    Trade,
)
from games.engines.advantage.scoring import dead_tie_winner


def pairs_zone(seat: int, pairs: Sequence[Pair], label: str = "") -> Zone:
    cards = [card for pair in pairs for card in pair]
    return open_zone(f"pairs:{seat}", "row", label or f"Pairs of @{seat}", cards, owner=seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageView(View):
    """What a seat knows of a game of Advantage.

    first: the seat that goes first in this round. piles: every card of each, the top card last.
    hands: by seat, the cards that the viewer sees. drawn: those of the own hand that the other does not see.
    The other fields are those of the state.
    """

    dealer: int
    first: int
    round: int
    phase: Phase
    piles: tuple[tuple[Card, ...], ...]
    hands: tuple[tuple[Card, ...], ...]
    hand_counts: tuple[int, ...]
    drawn: tuple[Card, ...]
    blocked: tuple[tuple[Card, ...], ...]
    pairs: tuple[tuple[Pair, ...], ...]
    stock_count: int
    dropped: tuple[int, ...]
    traded: tuple[bool, ...]
    has_drawn: bool
    still_rounds: int
    over: str
    history: tuple[str, ...]

    @property
    def zones(self) -> tuple[Zone, ...]:
        others = [seat for seat in range(SEATS) if seat != self.seat]
        shown = [*others, *([] if self.seat is None else [self.seat])]
        hands = [self._hand_zone(seat) for seat in shown]
        piles = [
            open_zone(f"pile:{number}", "pile", f"Pile {number}", pile)
            for number, pile in enumerate(self.piles, start=1)
        ]
        pairs = [pairs_zone(seat, self.pairs[seat], "Your pairs" if seat == self.seat else "") for seat in shown]
        stock = Zone("stock", "stock", "Stock", (), self.stock_count)
        return (*hands[: len(others)], *piles, stock, *pairs, *hands[len(others) :])

    def _hand_zone(self, seat: int) -> Zone:
        label = "Your hand" if seat == self.seat else f"Hand of @{seat}"
        return Zone(f"hand:{seat}", "hand", label, tuple(by_display(self.hands[seat])), self.hand_counts[seat], seat)

    @property
    def prompt(self) -> str:
        if self.seat is None or self.seat not in self.to_act:
            return ""
        if self.phase is DROP:
            return self._drop_prompt(self.seat)
        if self.phase is PICK:
            return self._pick_prompt()
        return "Lay a pair aside, or stop."

    def _drop_prompt(self, seat: int) -> str:
        if self.dropped[seat]:
            return "Drop a second card, or stop."
        first = next(iter(self.moves), None)
        if self.has_drawn and isinstance(first, Drop):
            return f"Nothing fitted, so you drew {first.card}: drop it."
        return "Drop a card on a pile that it fits. Your hand goes to the other player afterwards."

    def _pick_prompt(self) -> str:
        if DRAW_TO_PICK in self.moves:
            return "No card of your hand fits a pile. Draw a card, or pass."
        if self.has_drawn:
            return "The card that you drew fits: trade it for a pile, or pass."
        return "Trade a card for a whole pile, or pass."

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Drop):
            top = self.piles[move.pile - 1][-1]
            return Choice(move, Phrase("drop", f"{move.card} on {top}"), (move.card, top))
        if isinstance(move, Trade):
            pile = self.piles[move.pile - 1]
            return Choice(move, Phrase("trade", f"{move.card} for {' '.join(pile)}"), (move.card, pile[-1]))
        if isinstance(move, LayPair):
            return Choice(move, Phrase("lay", f"{' '.join(move.cards)} aside"), move.cards)
        if isinstance(move, DrawToPick):
            return Choice(move, Phrase("draw", "from the stock"), ("stock",))
        if isinstance(move, PassPick):
            return Choice(move, Phrase("pass", "the pick"))
        return Choice(move, Phrase("stop", "dropping" if isinstance(move, StopDropping) else "pairing"))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Dealer", f"@{self.dealer}"), ("Round", str(self.round)), ("First in the round", f"@{self.first}")]
        if self.options["dead_tie"] == "date":
            found.append(("A dead tie goes to", f"@{dead_tie_winner(self.options, self.dealer)}"))
        return tuple(found)
