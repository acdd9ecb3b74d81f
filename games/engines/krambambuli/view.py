"""View of a game of Krambambuli: what a seat knows and can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from games.core.cards import Card, by_display
from games.core.contract import Choice, Move, Phrase, Selection, Zone, ZoneKind, open_zone
from games.core.moves import TAKE, Discard, Draw, Take
from games.core.rummy.melds import LONGEST_RUN, SMALLEST_MELD, MeldRules
from games.core.rummy.stealing import StealingView
from games.core.rummy.steps import Step
from games.engines.krambambuli.melds import OwnMeld, meld_rules
from games.engines.krambambuli.moves import START
from games.engines.krambambuli.scoring import hand_points
from games.engines.krambambuli.words import melding_prompt, start_prompt, step_phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class KrambambuliView(StealingView):
    """What a seat knows of a game.

    known: by seat, cards taken from the discard pile that are still in that hand.
    discards: those that players may look at, the upcard last. taken_upcard: in this turn, while it is held.
    remembered: the whole discard pile, as everybody saw it being laid. Bots and the coach remember it; no page and no
    text shows it, and views that differ in it are equal.
    stolen: a card was stolen in this turn. had_melded: the seat to act had melded before this turn.
    """

    known: tuple[tuple[Card, ...], ...]
    table: tuple[tuple[int, OwnMeld], ...]
    discards: tuple[Card, ...]
    remembered: tuple[Card, ...] = field(repr=False, compare=False)
    discard_count: int
    taken_upcard: Card | None
    stolen: bool
    had_melded: bool
    turnovers: int
    upcard_turns: int

    @property
    def rules(self) -> MeldRules:
        return meld_rules(self.options)

    @property
    def upcard(self) -> Card | None:
        return self.discards[-1] if self.discards else None

    def _piles(self) -> tuple[Zone, ...]:
        kind: ZoneKind = "row" if self.options["review_discards"] else "pile"
        return (
            Zone("stock", "stock", "Stock", count=self.stock_count),
            Zone("discards", kind, "Discard pile", self.discards, self.discard_count),
        )

    def _melds(self) -> Iterator[Zone]:
        for number, own in self.table:
            yield open_zone(f"meld:{number}", "meld", f"@{own.owner}'s meld {number}", own.cards, owner=own.owner)

    def _note(self, seat: int) -> str:
        return f"took {' '.join(self.known[seat])}" if self.known[seat] and seat != self.seat else ""

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is START:
            return start_prompt(self.upcard if TAKE in self.moves else None)
        return melding_prompt([move for move in self.moves if isinstance(move, Step)])

    @property
    def selection(self) -> Selection | None:
        """A new meld of hand cards alone."""
        melds = [move.laid() for move in self.moves if isinstance(move, Step) and move.is_from_hand]
        if not melds:
            return None
        most = min(len(self.hand), LONGEST_RUN)
        return Selection("Lay", self.hand, SMALLEST_MELD, most, is_always_legal=False, likely=frozenset().union(*melds))

    @property
    def offered(self) -> Sequence[Move]:
        return [move for move in self.moves if not (isinstance(move, Step) and move.is_from_hand)]

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Draw):
            return Choice(move, Phrase("draw", "from the stock"), ("stock",), to=f"hand:{self.seat}")
        if isinstance(move, Take):
            touches = (str(self.upcard), "discards")
            return Choice(move, Phrase("take", f"the upcard {self.upcard}"), touches, to=f"hand:{self.seat}")
        if isinstance(move, Discard):
            return Choice(move, Phrase("discard", move.card), (move.card, "discards"))
        assert isinstance(move, Step), f"{move!r} is a move of another game"
        own = dict(self.table).get(move.number)
        laid = move.laid(own.meld if own else None)
        meld = [f"meld:{move.number}"] if own else []
        return Choice(move, step_phrase(move, laid), (*by_display(laid), *move.stolen, *meld))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        deals = int(self.options["deals"])
        facts = [("Dealer", f"@{self.dealer}")]
        if deals:
            facts.append(("Hand", f"{min(self.deal_number, deals)} of {deals}"))
        else:
            facts.append(("Target", f"{self.options['target']} points"))
        facts.append(("Winner", "the fewest points"))
        left = int(self.options["turnovers"]) - self.turnovers
        facts.append(("When the stock is empty", "the discards are turned over" if left else "the hand ends"))
        if self.seat is not None and self.to_act:
            facts.append(("Your cards count", str(hand_points(self.hand))))
        return tuple(facts)
