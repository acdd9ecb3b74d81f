"""The view of Gin Rummy: what a seat sees, in zones, choices and facts."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.card_bits import BIT, CARD, bits, cards, mask
from games.core.cards import Card
from games.core.contract import Choice, Move, Phrase, View, Zone, ZoneKind, open_zone
from games.core.moves import TAKE, Discard, Draw, Take
from games.core.rummy.deadwood import best_deadwood, points
from games.core.words import counted
from games.engines.gin_rummy.moves import (
    DISCARD,
    FIRST_UPCARD,
    SEATS,
    SHOWDOWN,
    BigGin,
    Deed,
    Knock,
    Meld,
    Pass,
    Phase,
    Showdown,
    all_cards,
)
from games.engines.gin_rummy.words import (
    discard_prompt,
    draw_prompt,
    knock_phrase,
    melds_in_words,
    showdown_phrase,
    showdown_prompt,
    upcard_prompt,
)


@dataclass(frozen=True, slots=True)
class OpenKnock:
    """A knock on the table before the defender's showdown. `discard` is known to the knocker alone."""

    seat: int
    melds: tuple[Meld, ...]
    deadwood: tuple[Card, ...]
    discard: Card | None


def meld_zone(number: int, label: str, meld: int, owner: int, *, laid_off: int = 0) -> Zone:
    note = f"{' '.join(cards(laid_off))} laid off" if laid_off else ""
    return open_zone(f"meld:{number}", "meld", label, cards(meld | laid_off), owner=owner, note=note)


def deadwood_zone(seat: int, loose: tuple[Card, ...]) -> Zone:
    note = counted(points(mask(loose)), "point")
    return open_zone(f"hand:{seat}", "row", f"@{seat}'s deadwood", loose, owner=seat, note=note)


@dataclass(frozen=True, slots=True, kw_only=True)
class GinRummyView(View):
    """What a seat knows of a game of Gin Rummy.

    hand: the viewer's cards, () for a spectator. discards: those that may be looked at, the upcard last.
    remembered, remembered_deeds: all discards, the upcard last, and all deeds of this hand, as everybody saw them.
    Bots and the coach remember them; no page and no text shows them, and views that differ in them are equal.
    known: by seat, cards taken from the discard pile that are still in that hand.
    taken_upcard: taken in this turn. deeds: those of this hand, without covered discards.
    knock: what lies open before the showdown.
    """

    dealer: int
    phase: Phase
    hand: tuple[Card, ...]
    discards: tuple[Card, ...]
    remembered: tuple[Card, ...] = field(repr=False, compare=False)
    discard_count: int
    stock_count: int
    hand_counts: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    taken_upcard: Card | None
    upcard_turns: int
    deeds: tuple[Deed, ...]
    remembered_deeds: tuple[Deed, ...] = field(repr=False, compare=False)
    limit: int
    is_doubled: bool
    hands_won: tuple[int, ...]
    deal_number: int
    dead_hands: int
    knock: OpenKnock | None

    @property
    def upcard(self) -> Card | None:
        return self.discards[-1] if self.discards else None

    @property
    def deadwood(self) -> int:
        """The least deadwood of the viewer's hand, after the best discard when one is due."""
        hand = mask(self.hand)
        if self.phase is not DISCARD or self.seat not in self.to_act:
            return best_deadwood(hand)
        return min(best_deadwood(hand ^ bit) for bit in bits(hand) if CARD[bit] != self.taken_upcard)

    @property
    def zones(self) -> tuple[Zone, ...]:
        others = [seat for seat in range(SEATS) if seat != self.seat]
        own = (
            []
            if self.seat is None
            else [open_zone(f"hand:{self.seat}", "hand", f"@{self.seat}'s hand", self.hand, owner=self.seat)]
        )
        return (*(self._hand_zone(seat) for seat in others), *self._meld_zones(), *self._shared_zones(), *own)

    def _hand_zone(self, seat: int) -> Zone:
        if self.knock is not None and self.knock.seat == seat:
            return deadwood_zone(seat, self.knock.deadwood)
        note = f"took {' '.join(self.known[seat])}" if self.known[seat] else ""
        return Zone(f"hand:{seat}", "hand", f"@{seat}'s hand", (), self.hand_counts[seat], seat, note)

    def _meld_zones(self) -> list[Zone]:
        if self.knock is None or self.knock.seat == self.seat:
            return []
        return [
            meld_zone(number, f"@{self.knock.seat}'s meld {number}", mask(meld), self.knock.seat)
            for number, meld in enumerate(self.knock.melds, start=1)
        ]

    def _shared_zones(self) -> list[Zone]:
        kind: ZoneKind = "row" if self.options["review_discards"] else "pile"
        return [
            Zone("stock", "stock", "Stock", (), self.stock_count),
            Zone("discards", kind, "Discard pile", self.discards, self.discard_count),
        ]

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is FIRST_UPCARD:
            return upcard_prompt(self.upcard)
        if self.phase is SHOWDOWN:
            assert self.knock is not None, "a showdown follows a knock"
            return showdown_prompt(self.knock.seat, is_gin=not self.knock.deadwood)
        if self.phase is DISCARD:
            return discard_prompt(can_knock=any(isinstance(move, Knock | BigGin) for move in self.moves))
        return draw_prompt(self.upcard, may_take=TAKE in self.moves, is_capped=self.upcard_turns > 0)

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Pass):
            return Choice(move, Phrase("pass"))
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "from the stock"), ("stock",), to=f"hand:{self.seat}")
        if isinstance(move, Take):
            touches = (str(self.upcard), "discards")
            return Choice(move, Phrase("take", f"the upcard {self.upcard}"), touches, to=f"hand:{self.seat}")
        if isinstance(move, Discard):
            return Choice(move, Phrase("discard", move.card), (move.card, "discards"))
        if isinstance(move, Knock):
            return Choice(move, self._knock_phrase(move), (move.card, "discards", *all_cards(move.melds)))
        if isinstance(move, BigGin):
            return Choice(move, Phrase("go", f"big gin: {melds_in_words(move.melds)}"), all_cards(move.melds))
        assert isinstance(move, Showdown), f"{move!r} is a move of another game"
        return self._showdown_choice(move)

    def _knock_phrase(self, move: Knock) -> Phrase:
        left = points(mask(self.hand) & ~BIT[move.card] & ~mask(all_cards(move.melds)))
        return knock_phrase(move, left, self.deadwood)

    def _showdown_choice(self, move: Showdown) -> Choice:
        laid = [card for card, _meld in move.layoffs]
        left = points(mask(self.hand) & ~mask(all_cards(move.melds)) & ~mask(laid))
        melds = sorted({meld for _card, meld in move.layoffs})
        touches = (*all_cards(move.melds), *laid, *(f"meld:{meld}" for meld in melds))
        return Choice(move, showdown_phrase(move, left), touches)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [
            ("Dealer", f"@{self.dealer}"),
            ("Knock limit", str(self.limit)),
            ("Target", f"{self.options['target']} points"),
        ]
        if self.is_doubled:
            found.append(("This hand", "counts double"))
        if self.dead_hands:
            found.append(("Dead hands in a row", str(self.dead_hands)))
        if self.hand:
            found.append(("Your deadwood", str(self.deadwood)))
        return tuple(found)
