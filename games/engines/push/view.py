"""View of a game of Push: what a seat knows and can do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.core.cards import Card
from games.core.contract import Choice, Move, Phrase, Selection, Zone, open_zone
from games.core.rummy.initial_melds import Contract
from games.core.rummy.melds import SMALLEST_MELD, MeldRules
from games.core.rummy.view import RummyView
from games.engines.push.melds import CONTRACTS, alike, meld_rules
from games.engines.push.moves import (
    DRAW,
    PLAY,
    STALL_TURNS,
    Discard,
    LayOff,
    NewMeld,
    Open,
    Phase,
    Push,
    PushMeld,
    Spot,
    Swap,
    Take,
    in_hand_order,
    is_wild,
)
from games.engines.push.words import (
    contract_note,
    deal_name,
    draw_prompt,
    laid_phrase,
    lay_off_phrase,
    play_prompt,
    swap_phrase,
    wild_note,
)


def meld_zones(
    rules: MeldRules, table: Iterable[tuple[int, PushMeld]], laid_by: Iterable[int | None]
) -> Iterator[Zone]:
    for (number, meld), seat in zip(table, laid_by, strict=True):
        label = f"Meld {number}" if seat is None else f"@{seat}'s meld {number}"
        yield open_zone(f"meld:{number}", "meld", label, meld.cards, owner=seat, note=wild_note(rules, meld))


def _has_wild(move: NewMeld) -> bool:
    return any(map(is_wild, move.cards))


@dataclass(frozen=True, slots=True, kw_only=True)
class PushView(RummyView):
    """What a seat knows of a game of Push; the fields are those of `PushState`.

    scores: by seat. known: by seat, the cards that everybody saw going there.
    """

    phase: Phase
    extra_deals: int
    deals_won: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    table: tuple[tuple[int, PushMeld], ...]
    laid_by: tuple[int | None, ...]
    opened: tuple[bool, ...]
    upcard: Card | None
    taken_upcard: Card | None
    turned_back: tuple[Card, ...]
    stall: int
    just_out: bool

    @property
    def contract(self) -> Contract:
        return CONTRACTS[self.deal_number]

    @property
    def rules(self) -> MeldRules:
        return meld_rules(self.options)

    def _piles(self) -> tuple[Zone, ...]:
        upcard = [] if self.upcard is None else [self.upcard]
        return (*RummyView._piles(self), open_zone("discards", "pile", "Upcard", upcard))

    def _melds(self) -> Iterator[Zone]:
        return meld_zones(self.rules, self.table, self.laid_by)

    def _note(self, seat: int) -> str:
        return "open" if self.opened[seat] else ""

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is DRAW:
            asked = draw_prompt(self.upcard, self.stock_count, self.stall)
            return asked if self.opened[self.seat] else f"{asked} {contract_note(self.contract)}"
        return play_prompt(self.contract, self.opened[self.seat])

    @property
    def _receiver(self) -> int:
        """The seat that gets the cards of a push."""
        return (self.to_act[0] + 1) % self.seats

    def choice(self, move: Move) -> Choice:
        match move:
            case Take():
                return Choice(move, Phrase("take", move.card), (move.card,), to=f"hand:{self.seat}")
            case Push():
                phrase = Phrase("push", f"{self.upcard} to @{self._receiver} and [draw]")
                return Choice(move, phrase, ("stock",), to=f"hand:{self.seat}")
            case Discard():
                return Choice(move, Phrase("discard", move.card), (move.card, "discards"))
            case LayOff():
                phrase = lay_off_phrase(self.rules, dict(self.table), move, self._owner(move.spot.number))
                return Choice(move, phrase, (move.card, f"meld:{move.spot.number}"))
            case Swap():
                owner = self._owner(move.use.number) if isinstance(move.use, Spot) else None
                phrase = swap_phrase(self.rules, dict(self.table), move, owner)
                return Choice(move, phrase, (*move.from_hand, *self._touched(move)))
            case NewMeld():
                return Choice(move, laid_phrase(move), in_hand_order(move.cards))
            case Open():
                return Choice(move, laid_phrase(move), move.cards)
        return Choice(move, Phrase("end", "the deal"))

    def _owner(self, number: int) -> int | None:
        """The seat that laid a meld, None if that is not known."""
        seats = {meld_number: seat for (meld_number, _), seat in zip(self.table, self.laid_by, strict=True)}
        return seats.get(number)

    @staticmethod
    def _touched(move: Swap) -> tuple[str, ...]:
        """The joker, its meld, and the meld where it goes."""
        to = (f"meld:{move.use.number}",) if isinstance(move.use, Spot) else ()
        return (move.joker, f"meld:{move.number}", *to)

    @property
    def offered(self) -> Sequence[Move]:
        """Melds are made by choosing their cards; those with wild cards are buttons too, as they can differ.

        Of melds that differ only in equal cards one is offered: sets first, then runs from low to high.
        """
        melds = {alike(move.meld): move for move in self.moves if isinstance(move, NewMeld) and _has_wild(move)}
        others = [move for move in self.moves if not isinstance(move, Open | NewMeld)]
        return [*others, *(melds[key] for key in sorted(melds))]

    @property
    def selection(self) -> Selection | None:
        if self.seat not in self.to_act or self.phase is not PLAY:
            return None
        verb, fewest = ("Lay", SMALLEST_MELD) if self.opened[self.seat] else ("Open with", self.contract.cards)
        if len(self.hand) < fewest:
            return None
        melds = (move.cards for move in self.moves if isinstance(move, Open | NewMeld))
        likely = frozenset().union(*melds)
        return Selection(verb, self.hand, fewest, len(self.hand), is_always_legal=False, likely=likely)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        deal = deal_name(self.options, self.deal_number, self.extra_deals)
        found = [("Deal", deal), ("Contract", self.contract.words)]
        if self.to_act:  # after the last deal it is the one who would deal next
            found.append(("Dealer", f"@{self.dealer}"))
        if any(self.deals_won):
            ours, theirs = self.deals_won
            found.append(("Went out", f"@0 and @2 {ours}, @1 and @3 {theirs}"))
        if self.stall:
            found.append(("Upcards taken in a row", f"{self.stall} of {STALL_TURNS}"))
        return tuple(found)
