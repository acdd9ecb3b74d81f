"""The view of Sixty-Six: what a seat, or a spectator, may know, how the table shows it, and what can be remembered."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.cards import Card
from games.core.contract import Choice, Event, Move, Phrase, View, Zone, open_zone
from games.core.tricks import SUIT_NAMES
from games.core.words import counted
from games.engines.sixty_six import words
from games.engines.sixty_six.moves import (
    CLOSE,
    DRAW,
    EXCHANGE,
    FOLLOW,
    LOOK_BACK,
    SEATS,
    Call,
    Lay,
    Marry,
    Phase,
    marriage_worth,
    pair_of,
)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a player who watched this hand and forgot nothing knows; all by seat.

    won: the cards of the tricks taken. points: with the marriages that count; pending: those that wait for a trick.
    known: cards seen on their way into a hand that are still there. lacking: cards that are not there, as an answer
    under strict following has shown. turned_down: the upcard of a closed stock. at_close: points and tricks of the
    closer's opponent when the stock was closed.
    """

    won: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    marriage_points: tuple[int, ...]
    pending: tuple[int, ...]
    known: tuple[frozenset[Card], ...]
    lacking: tuple[frozenset[Card], ...]
    turned_down: Card | None
    at_close: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SixtySixView(View):
    """What a seat is shown of a game of Sixty-Six.

    hand: the viewer's cards, () for a spectator. upcard: None once it is drawn or turned down. last_trick: both cards
    of the trick before, until the next lead. shown_log: what can be seen of this hand, `trick_from` where the trick
    in progress begins. points, waiting: the viewer's own, where the table helps to remember.
    memory: what the viewer has seen go by. It is for bots and imagined worlds; no page and no text shows it, and
    views are equal when they show the same.
    """

    dealer: int
    deal_number: int
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
    shown_log: tuple[Event, ...]
    trick_from: int
    carry: int
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
        hands = [Zone(f"hand:{seat}", "hand", f"@{seat}'s hand", (), self.hand_counts[seat], seat) for seat in others]
        own = [] if self.seat is None else [self._own_hand(self.seat)]
        won = [self._won_zone(seat) for seat in (*others, *([] if self.seat is None else [self.seat]))]
        return (*hands, *self._shared_zones(), *won, *own)

    def _own_hand(self, seat: int) -> Zone:
        return open_zone(f"hand:{seat}", "hand", f"@{seat}'s hand", self.hand, owner=seat)

    def _won_zone(self, seat: int) -> Zone:
        won = self.tricks[seat]
        notes = [counted(won, "trick")] if won else []
        if seat == self.seat and self.points is not None:
            notes.append(self._own_points)
        return Zone(f"won:{seat}", "pile", f"Won by @{seat}", (), 2 * won, seat, ", ".join(notes))

    @property
    def _own_points(self) -> str:
        waiting = f" ({self.waiting} waiting for a trick)" if self.waiting else ""
        return f"{counted(self.points or 0, 'point')}{waiting}"

    def _shared_zones(self) -> list[Zone]:
        trick = self.last_trick if self.led is None else (self.led,)
        closed = f"closed by @{self.closed_by}" if self.closed_by is not None else ""
        turned = Zone("upcard", "pile", "Upcard", (), 1, note="turned down")
        shown = open_zone("upcard", "pile", "Upcard", () if self.upcard is None else (self.upcard,))
        stock = [Zone("stock", "stock", "Stock", (), self.stock_count, note=closed), turned if closed else shown]
        return [
            *(stock if closed or self.is_open else []),
            open_zone("trick", "row", "Last trick" if self.last_trick else "Trick", trick),
        ]

    @property
    def announcements(self) -> tuple[tuple[int, str], ...]:
        return tuple(
            (event.seat, words.SPOKEN[event.phrase.verb])
            for event in self.shown_log
            if event.seat is not None and event.phrase.verb in words.SPOKEN
        )

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        match self.phase:
            case Phase.FOLLOW:
                cards = [move.card for move in self.moves if isinstance(move, Lay)]
                return words.follow_prompt(self.led, cards, self.hand)
            case Phase.AFTER:
                return words.AFTER_PROMPT
            case Phase.FINAL:
                return words.FINAL_PROMPT
        return words.lead_prompt(self.declared, can_marry=any(isinstance(move, Marry) for move in self.moves))

    def choice(self, move: Move) -> Choice:
        match move:
            case Lay():
                phrase = Phrase("play" if self.phase is FOLLOW else "lead", move.card)
                return Choice(move, phrase, (move.card,), to="trick")
            case Marry():
                phrase = words.marriage_phrase(move.suit, marriage_worth(move.suit, self.trump))
                return Choice(move, phrase, pair_of(move.suit), to="trick")
            case Call():
                return Choice(move, *self._call(move), to=f"hand:{self.seat}" if move == DRAW else "")
        raise TypeError(f"{move!r} is no move of Sixty-Six")

    def _call(self, move: Call) -> tuple[Phrase, tuple[str, ...]]:
        """The words of a call, and what it touches."""
        nine, upcard = f"9{self.trump}", str(self.upcard)
        if move == EXCHANGE:
            return words.exchange_phrase(nine, self.upcard), (nine, upcard)
        touches = {CLOSE: (upcard,), DRAW: ("stock",), LOOK_BACK: (f"won:{self.seat}",)}
        return words.CALL_PHRASES[move], touches.get(move, ())

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Dealer", f"@{self.dealer}")]
        if self.trump:
            found.append(("Trumps", SUIT_NAMES[self.trump]))
        found.append(("Target", f"{self.options['target']} game points"))
        if self.carry:
            found.append(("Carried over from ties", counted(self.carry, "game point")))
        if self.points is not None:
            found.append(("Your points", self._own_points))
        return tuple(found)
