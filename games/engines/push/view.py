"""View of a game of Push: what a seat knows and can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.core.cards import Card
from games.core.contract import Choice, Move, Phrase, Selection, View, Zone, open_zone
from games.core.rummy.initial_melds import Contract
from games.core.rummy.melds import SMALLEST_MELD, MeldRules
from games.engines.push.melds import ANY_SUITS, CONTRACTS, ONE_OF_A_SUIT, faces, growth
from games.engines.push.moves import (
    DRAW,
    GROWTH_AT,
    PLAY,
    PUSHED_CARDS,
    SEATS,
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
    is_wild,
)
from games.engines.push.words import laid_phrase, swap_phrase


def meld_zones(rules: MeldRules, table: Sequence[PushMeld], laid_by: Sequence[int | None]) -> Iterator[Zone]:
    for number, (meld, seat) in enumerate(zip(table, laid_by, strict=True), start=1):
        label = f"Meld {number}" if seat is None else f"Meld {number} of @{seat}"
        note = _wild_note(rules, meld)
        yield open_zone(f"meld:{number}", "meld", label, meld.cards, owner=seat, note=note)


def _wild_note(rules: MeldRules, meld: PushMeld) -> str:
    """What the wild cards of a run stand for; in a set they stand for whatever suit is missing."""
    if meld.kind == "set":
        return ""
    shown = zip(meld.cards, faces(rules, meld), strict=True)
    return ", ".join(f"{card} is {next(iter(names))}" for card, names in shown if is_wild(card))


@dataclass(frozen=True, slots=True, kw_only=True)
class PushView(View):
    """What a seat knows of a game of Push; the fields are those of `PushState`.

    hand: the viewer's cards, () for a spectator. known: by seat, the cards that everybody saw going there.
    """

    dealer: int
    deal_number: int
    extra_deals: int
    deals_won: tuple[int, int]
    phase: Phase
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    table: tuple[PushMeld, ...]
    laid_by: tuple[int | None, ...]
    opened: tuple[bool, ...]
    upcard: Card | None
    taken: Card | None
    stock_count: int
    turned_back: tuple[Card, ...]
    stall: int
    just_out: bool

    @property
    def contract(self) -> Contract:
        return CONTRACTS[self.deal_number]

    @property
    def rules(self) -> MeldRules:
        return ANY_SUITS if self.options["set_duplicates"] else ONE_OF_A_SUIT

    @property
    def zones(self) -> tuple[Zone, ...]:
        first = 0 if self.seat is None else self.seat + 1
        around = [(first + step) % SEATS for step in range(SEATS)]
        others = [self._hidden_hand(seat) for seat in around if seat != self.seat]
        shared = (
            Zone("stock", "stock", "Stock", count=self.stock_count, note="" if self.stock_count else "used up"),
            open_zone("discards", "pile", "Upcard", [] if self.upcard is None else [self.upcard]),
        )
        return (*others, *shared, *meld_zones(self.rules, self.table, self.laid_by), *self._own_hand())

    def _hidden_hand(self, seat: int) -> Zone:
        count, note = self.hand_counts[seat], self._note(seat)
        return Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", count=count, owner=seat, note=note)

    def _own_hand(self) -> Iterator[Zone]:
        if self.seat is not None:
            note = self._note(self.seat)
            yield open_zone(f"hand:{self.seat}", "hand", "Your hand", self.hand, owner=self.seat, note=note)

    def _note(self, seat: int) -> str:
        return "open" if self.opened[seat] else ""

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is DRAW:
            return self._draw_prompt()
        if not self.opened[self.seat]:
            return f"Discard a card, or mark cards for the initial meld: {self.contract.words}."
        return "Lay off cards, or mark three or more for a new meld; then discard a card."

    def _draw_prompt(self) -> str:
        if self.stock_count < PUSHED_CARDS:
            decline = "end the deal"
        else:
            decline = f"push it and a card from the stock to @{(self.to_act[0] + 1) % SEATS} and draw"
        if self.stall >= STALL_TURNS:
            return f"{STALL_TURNS} turns in a row laid nothing: {decline}."
        return f"Take {self.upcard}, or {decline}."

    def choice(self, move: Move) -> Choice:
        match move:
            case Take():
                return Choice(move, Phrase("take", move.card), (move.card,))
            case Push():
                phrase = Phrase("push", f"{self.upcard} to @{(self.to_act[0] + 1) % SEATS} and draw")
                return Choice(move, phrase, ("stock",))
            case Discard():
                return Choice(move, Phrase("discard", move.card), (move.card, "discards"))
            case LayOff():
                return Choice(move, self._lay_off_phrase(move), (move.card, f"meld:{move.spot.number}"))
            case Swap():
                return Choice(move, swap_phrase(move), (*move.from_hand, *self._touched(move)))
            case Open() | NewMeld():
                return Choice(move, laid_phrase(move), move.cards)
        return Choice(move, Phrase("end", "the deal"))

    def _lay_off_phrase(self, move: LayOff) -> Phrase:
        """What a wild card of a run stands for is said, since it may fit both ends."""
        number, end = move.spot.number, GROWTH_AT[move.spot.end]
        fitting = growth(self.rules, self.table[number - 1]).get(end, ())
        shown = f" as {min(fitting)}" if is_wild(move.card) and end != "set" and fitting else ""
        return Phrase("add", f"{move.card}{shown} to meld {number}")

    @staticmethod
    def _touched(move: Swap) -> tuple[str, ...]:
        """The joker, its meld, and the meld where it goes."""
        to = (f"meld:{move.use.number}",) if isinstance(move.use, Spot) else ()
        return (move.joker, f"meld:{move.number}", *to)

    @property
    def offered(self) -> Sequence[Move]:
        """Melds are made by marking their cards; those with wild cards are buttons too, as they can differ."""
        return [
            move
            for move in self.moves
            if not isinstance(move, Open | NewMeld) or isinstance(move, NewMeld) and any(map(is_wild, move.cards))
        ]

    @property
    def selection(self) -> Selection | None:
        if self.seat not in self.to_act or self.phase is not PLAY:
            return None
        is_open = self.opened[self.seat]
        if len(self.hand) < (SMALLEST_MELD if is_open else self.contract.cards):
            return None
        return Selection("Lay" if is_open else "Open with", self.hand, SMALLEST_MELD, len(self.hand))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Deal", self._deal_name()), ("Initial meld", self.contract.words), ("Dealer", f"@{self.dealer}")]
        if any(self.deals_won):
            ours, theirs = self.deals_won
            found.append(("Deals gone out", f"@0 and @2 {ours}, @1 and @3 {theirs}"))
        if self.stall:
            found.append(("Upcards taken in a row", f"{self.stall} of {STALL_TURNS}"))
        return tuple(found)

    def _deal_name(self) -> str:
        if self.extra_deals:
            return f"extra deal {self.extra_deals}"
        return "for practice" if self.options["deals"] == 1 else f"{self.deal_number} of {self.options['deals']}"
