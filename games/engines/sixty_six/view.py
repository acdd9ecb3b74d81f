"""The view of a seat: zones, prompt, choices, and what a careful player remembers."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.cards import Card
from games.core.contract import Choice, Event, Move, Phrase, View, Zone, open_zone
from games.engines.sixty_six.moves import (
    AFTER,
    ASK_POINTS,
    CLAIM,
    CLOSE,
    DRAW,
    END,
    EXCHANGE,
    FINAL,
    FOLLOW,
    LOOK_BACK,
    PLAIN_MARRIAGE,
    SEATS,
    SUIT_NAMES,
    TRUMP_MARRIAGE,
    Call,
    Lay,
    Marry,
    Phase,
    pair_of,
)
from games.engines.sixty_six.words import counted


@dataclass(frozen=True, slots=True)
class Memory:
    """What anyone who watched this hand and forgot nothing knows; all by seat.

    won: the cards of the tricks taken. points: with the marriages that count; pending: those that wait for a trick.
    known: cards seen on their way into a hand that are still there. turned_down: the upcard of a closed stock.
    at_close: points and tricks of the closer's opponent when the stock was closed.
    """

    won: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    marriage_points: tuple[int, ...]
    pending: tuple[int, ...]
    known: tuple[frozenset[Card], ...]
    turned_down: Card | None
    at_close: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SixtySixView(View):
    """What a seat is shown of a game of Sixty-Six.

    hand: the viewer's cards, () for a spectator. upcard: None once it is drawn or turned down. last_trick: both cards
    of the trick before, until the next lead. moments: what can be seen of this hand, `trick_from` where the trick
    in progress begins. points, waiting: the viewer's own, where the table helps to remember.
    memory: what the viewer has seen go by. It is for bots and imagined worlds; no page and no text shows it, and
    views are equal when they show the same.
    """

    dealer: int
    phase: Phase
    trump: str
    hand: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    upcard: Card | None
    stock_count: int
    closed_by: int | None
    led: Card | None
    last_trick: tuple[Card, ...]
    tricks: tuple[int, ...]
    declared: str | None
    moments: tuple[Event, ...]
    trick_from: int
    carry: int
    hands_played: int
    points: int | None
    waiting: int | None
    memory: Memory = field(repr=False, compare=False)

    @property
    def is_open(self) -> bool:
        """Whether cards are still drawn."""
        return self.upcard is not None

    @property
    def zones(self) -> tuple[Zone, ...]:
        others = [seat for seat in range(SEATS) if seat != self.seat]
        hands = [Zone(f"hand:{seat}", "hand", f"Hand of @{seat}", (), self.hand_counts[seat], seat) for seat in others]
        own = [] if self.seat is None else [self._own_hand(self.seat)]
        won = [self._won_zone(seat) for seat in (*others, *([] if self.seat is None else [self.seat]))]
        return (*hands, *self._shared_zones(), *won, *own)

    def _own_hand(self, seat: int) -> Zone:
        return open_zone(f"hand:{seat}", "hand", "Your hand", self.hand, owner=seat)

    def _won_zone(self, seat: int) -> Zone:
        won = self.tricks[seat]
        return Zone(f"won:{seat}", "pile", f"Won by @{seat}", (), 2 * won, seat, counted(won, "trick") if won else "")

    def _shared_zones(self) -> list[Zone]:
        trick = self.last_trick if self.led is None else (self.led,)
        closed = f"closed by @{self.closed_by}" if self.closed_by is not None else ""
        turned = Zone("upcard", "pile", "Trump card", (), 1, note="turned down")
        shown = open_zone("upcard", "pile", "Trump card", () if self.upcard is None else (self.upcard,))
        return [
            Zone("stock", "stock", "Stock", (), self.stock_count, note=closed),
            turned if closed else shown,
            open_zone("trick", "row", "Last trick" if self.last_trick else "Trick", trick),
        ]

    @property
    def said(self) -> tuple[tuple[int, str], ...]:
        spoken = {"declare": "Marriage", "close": "I close", "exchange": "The nine"}
        return tuple(
            (event.seat, spoken[event.phrase.verb])
            for event in self.moments
            if event.seat is not None and event.phrase.verb in spoken
        )

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.phase is FOLLOW:
            cards = [move.card for move in self.moves if isinstance(move, Lay)]
            may = "any card" if len(cards) == len(self.hand) else " or ".join(cards)
            return f"{self.led} was led. Play {may}."
        if self.phase is AFTER:
            return "Your trick. Draw, or close the stock before the draw."
        if self.phase is FINAL:
            return "All tricks are played and the last was yours. End the hand, or claim 66 if you have it."
        if self.declared is not None:
            return f"Lead {' or '.join(pair_of(self.declared))}, or claim 66 if you have it."
        married = any(isinstance(move, Marry) for move in self.moves)
        return "Lead a card, or declare a marriage first." if married else "Lead a card."

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Lay):
            verb = "play" if self.phase is FOLLOW else "lead"
            return Choice(move, Phrase(verb, move.card), (move.card,))
        if isinstance(move, Marry):
            pair = pair_of(move.suit)
            worth = TRUMP_MARRIAGE if move.suit == self.trump else PLAIN_MARRIAGE
            return Choice(move, Phrase("declare", f"the marriage {' '.join(pair)} for {worth}"), pair)
        assert isinstance(move, Call), f"{move!r} is a move of another game"
        phrase, touches = {
            EXCHANGE: (Phrase("exchange", f"9{self.trump} for {self.upcard}"), (f"9{self.trump}", str(self.upcard))),
            CLOSE: (Phrase("close", "the stock"), (str(self.upcard),)),
            DRAW: (Phrase("draw"), ("stock",)),
            END: (Phrase("end", "the hand"), ()),
            CLAIM: (Phrase("claim", "66"), ()),
            ASK_POINTS: (Phrase("ask", "for the points"), ()),
            LOOK_BACK: (Phrase("look", "at the tricks won"), ()),
        }[move]
        return Choice(move, phrase, touches)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Dealer", f"@{self.dealer}")]
        if self.trump:
            found.append(("Trumps", SUIT_NAMES[self.trump]))
        found.append(("Target", str(self.options["target"])))
        if self.carry:
            found.append(("Carried over from ties", counted(self.carry, "game point")))
        if self.points is not None:
            waiting = f", {self.waiting} waiting for a trick" if self.waiting else ""
            found.append(("Your points", f"{self.points}{waiting}"))
        return tuple(found)
