"""Four-hand Cuarenta: two partnerships, seats 0 and 2 against 1 and 3, one pile and one score a side.

Source: document "cuarenta", section "Four-hand Cuarenta"; all else as in Cuarenta.
Rulings, where it is silent:
- only the next player in turn may claim overlooked cards, and only the player who caught a ronda card may declare it;
- rondas are found in each hand by itself, and booked in turn order from the dealer's left;
- the "non-dealer" of tied counts is the side that did not deal.
"""

from collections.abc import Sequence
from typing import ClassVar, NoReturn

from games.core.cards import Card
from games.core.contract import Option, Options
from games.engines.cuarenta.game import Cuarenta
from games.engines.cuarenta.moves import SIDES
from games.engines.cuarenta.state import CuarentaState


class FourHandCuarentaState(CuarentaState):
    __slots__ = ()

    expired_claim_rule: ClassVar[str] = "four-oversight"

    def may_see(self, owner: int, viewer: int | None) -> bool:
        """Where the table is for teaching, partners see each other's cards once their own are played."""
        if viewer is None or owner == viewer or self.options["partner_view"] == "none":
            return owner == viewer
        return self.side(owner) == self.side(viewer) and not self.hands[viewer]

    def refuse_declaration(self, seat: int, card: Card, declarable: Sequence[Card]) -> NoReturn:
        partner = (seat + SIDES) % self.seats
        if any((fall.catcher, fall.card) == (partner, card) for fall in self.falls):
            self.refuse(
                "four-ronda-caida", f"Your partner caught {card}. Only the player who caught a card may declare it."
            )
        super().refuse_declaration(seat, card, declarable)


class FourHandCuarenta(Cuarenta):
    slug = "four-hand-cuarenta"
    name = "Four-hand Cuarenta"
    summary = "Cuarenta in two partnerships: the card laid before you is always an opponent's."
    seats = (4,)
    options = (
        *Cuarenta.options,
        Option(
            "partner_view",
            "A partner's cards",
            "none",
            {"none": "stay hidden", "after-hand": "may be looked at when your own are played"},
            "For teaching tables.",
        ),
    )
    state_class: ClassVar[type[CuarentaState]] = FourHandCuarentaState

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return ((0, 2), (1, 3))


FOUR_HAND_CUARENTA = FourHandCuarenta()
