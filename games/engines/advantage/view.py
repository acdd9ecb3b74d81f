"""The view of Advantage: what one seat, or a spectator, may know."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.cards import Card, by_display
from games.core.contract import Choice, Move, View, Zone, open_zone
from games.engines.advantage import words
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
    StopPairing,
    Trade,
)
from games.engines.advantage.scoring import dead_tie_winner, pairs_zone


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageView(View):
    """What a seat knows of a game of Advantage.

    first: the seat that goes first in this round. piles: every card of each, the top card last.
    hands: by seat, the cards that the viewer sees. drawn: those of the own hand that the other does not see.
    history: the log as the state has it. The other fields are those of the state.
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
        return Zone(
            f"hand:{seat}", "hand", f"@{seat}'s hand", tuple(by_display(self.hands[seat])), self.hand_counts[seat], seat
        )

    @property
    def prompt(self) -> str:
        if self.seat is None or self.seat not in self.to_act:
            return ""
        if self.phase is DROP:
            first = next(iter(self.moves), None)
            drawn = first.card if self.has_drawn and isinstance(first, Drop) else None
            return words.drop_prompt(has_dropped=bool(self.dropped[self.seat]), drawn=drawn)
        if self.phase is PICK:
            return words.pick_prompt(may_draw=DRAW_TO_PICK in self.moves, has_drawn=self.has_drawn)
        return "Lay a pair aside, or stop."

    def choice(self, move: Move) -> Choice:
        to = ""
        match move:
            case Drop(card, pile) | Trade(card, pile):
                touches: tuple[str, ...] = (card, self.piles[pile - 1][-1])
            case LayPair(cards):
                touches, to = cards, f"pairs:{self.seat}"
            case DrawToPick():
                touches, to = ("stock",), f"hand:{self.seat}"
            case PassPick() | StopDropping() | StopPairing():
                touches = ()
            case _:
                raise TypeError(f"not a move of Advantage: {move!r}")
        return Choice(move, words.phrase(move, self.piles), touches, to)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Dealer", f"@{self.dealer}"), ("Round", str(self.round)), ("First in the round", f"@{self.first}")]
        if self.options["dead_tie"] == "date":
            found.append(("A dead tie goes to", f"@{dead_tie_winner(self.options, self.dealer)}"))
        return tuple(found)
