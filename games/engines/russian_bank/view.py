"""The view of Russian Bank: what everybody sees, in zones, choices and facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.core.cards import Card
from games.core.contract import Choice, Move, Phrase, View, Zone, open_zone
from games.engines.russian_bank.moves import (
    ALL,
    FOLLOWS,
    FOUNDATION,
    LOADS,
    OPENING,
    OWN_PILES,
    PASS,
    SHIFT,
    STOCK,
    STOP,
    TURN_UP,
    TURNED,
    WASTE,
    Deed,
    Mark,
    Phase,
    Play,
)
from games.engines.russian_bank.words import (
    CALL_PHRASES,
    DUE_PROMPT,
    OPENING_PROMPT,
    answer_prompt,
    place_prompt,
    play_phrase,
    turn_prompt,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RussianBankView(View):
    """What lies open on the table; both seats and spectators see the same.

    tableau, foundations: all cards, the top last. stock_cards: by seat, the face-up cards of the stock, top last.
    deeds: those of this turn. The other fields are those of the state.
    """

    dealer: int
    phase: Phase
    turn: int
    tableau: tuple[tuple[tuple[Card, ...], ...], ...]
    foundations: tuple[tuple[Card, ...], ...]
    stock_cards: tuple[tuple[Card, ...], ...]
    stock_counts: tuple[int, ...]
    reserve_counts: tuple[int, ...]
    waste_tops: tuple[Card | None, ...]
    waste_counts: tuple[int, ...]
    turned: Card | None
    rounds: tuple[int, ...]
    deeds: tuple[Deed, ...]
    previous: tuple[Deed, ...]
    mark: Mark | None
    is_corrected: bool
    wrong_calls: tuple[int, ...]
    draws: int
    deal_number: int

    @property
    def zones(self) -> tuple[Zone, ...]:
        own = self.seat or 0
        foundations = [
            open_zone(f"foundation:{number}", "pile", f"Foundation {number}", pile)
            for number, pile in enumerate(self.foundations, start=1)
        ]
        return (
            *self._packets(1 - own),
            *self._columns(1 - own),
            *foundations,
            *self._columns(own),
            *self._packets(own),
        )

    def _columns(self, seat: int) -> Iterator[Zone]:
        for number, pile in enumerate(self.tableau[seat], start=1):
            yield open_zone(f"tableau:{seat}:{number}", "column", f"@{seat}'s pile {number}", pile)

    def _packets(self, seat: int) -> tuple[Zone, ...]:
        """Stock, reserve with the turned card on top, and waste."""
        turned = (self.turned,) if self.turned and seat == self.turn else ()
        top = self.waste_tops[seat]
        return (
            Zone(f"stock:{seat}", "pile", f"@{seat}'s stock", self.stock_cards[seat], self.stock_counts[seat], seat),
            Zone(
                f"reserve:{seat}",
                "pile",
                f"@{seat}'s reserve",
                turned,
                self.reserve_counts[seat] + len(turned),
                seat,
                "turned up" if turned else "",
            ),
            Zone(f"waste:{seat}", "pile", f"@{seat}'s waste", (top,) if top else (), self.waste_counts[seat], seat),
        )

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        if self.seat != self.turn:
            return answer_prompt(self.turn, has_ended=self.phase is SHIFT, may_stop=STOP in self.moves)
        if self.phase is OPENING:
            return OPENING_PROMPT
        if self._is_due():
            return DUE_PROMPT
        if self.turned is not None:
            can_waste = any(isinstance(move, Play) and move.target == WASTE for move in self.moves)
            return place_prompt(self.turned, can_waste=can_waste)
        return turn_prompt(can_turn_up=TURN_UP in self.moves, can_pass=PASS in self.moves)

    def _is_due(self) -> bool:
        """Whether nothing but foundation plays is legal; in casual mode the table does not tell."""
        return all(isinstance(move, Play) and move.target == FOUNDATION for move in self.moves)

    def top(self, place: str) -> Card | None:
        """The face-up card on top of a place, as the seat on turn names it."""
        seat = self.turn
        if place == TURNED:
            return self.turned
        if place in ALL:
            number = int(place) - 1
            pile = self.tableau[seat ^ (number // OWN_PILES)][number % OWN_PILES]
            return pile[-1] if pile else None
        owner = 1 - seat if place in LOADS else seat
        if place.endswith(WASTE):
            return self.waste_tops[owner]
        return self.stock_cards[owner][-1] if self.stock_cards[owner] else None

    def foundation_for(self, card: Card) -> int:
        """The number of the foundation that takes a card, 0 if none does."""
        below = FOLLOWS[card]
        tops = [pile[-1] if pile else None for pile in self.foundations]
        fits = (number for number, top in enumerate(tops, start=1) if (top in below if top else not below))
        return next(fits, 0)

    def choice(self, move: Move) -> Choice:
        if isinstance(move, Play):
            card = move.card or self.top(move.source) or ""
            below = self.top(move.target) if move.target in ALL else None
            touches = tuple(filter(None, (card, self._touched(move.target, card))))
            return Choice(move, play_phrase(self.turn, move.target, card, below), touches)
        if move == TURN_UP:
            is_empty = not self.reserve_counts[self.turn]
            phrase = Phrase("turn", "the waste over and turn up a card" if is_empty else "up a reserve card")
            return Choice(move, phrase, (f"reserve:{self.turn}",))
        return Choice(move, CALL_PHRASES[str(move)])

    def _touched(self, target: str, card: Card) -> str:
        """The card that a play covers, or the zone where none lies open."""
        if target == FOUNDATION:
            number = self.foundation_for(card) or self._foundation_of_suit(card)
            pile = self.foundations[number - 1]
            return pile[-1] if pile else f"foundation:{number}"
        return self.top(target) or self._zone_id(target)

    def _foundation_of_suit(self, card: Card) -> int:
        """Where a card belongs that does not fit now: the first foundation of its suit, or the first empty one."""
        wanted = (number for number, pile in enumerate(self.foundations, start=1) if not pile or pile[0][1] == card[1])
        return next(wanted, 1)

    def _zone_id(self, place: str) -> str:
        if place in ALL:
            number = int(place) - 1
            return f"tableau:{self.turn ^ (number // OWN_PILES)}:{number % OWN_PILES + 1}"
        owner = 1 - self.turn if place in LOADS else self.turn
        return f"{'stock' if place.endswith(STOCK) else 'waste'}:{owner}"

    @property
    def forced(self) -> Move | None:
        """A call of STOP is never forced."""
        return self.moves[0] if len(self.moves) == 1 and self.moves[0] != STOP else None

    @property
    def waiting_on(self) -> tuple[int, ...]:
        return self.to_act[:1]

    @property
    def announcements(self) -> tuple[tuple[int, str], ...]:
        last = self.deeds[-1] if self.deeds else None
        return ((last.seat, "Stop"),) if last and last.source.startswith("STOP") else ()

    @property
    def has_scores(self) -> bool:
        return self.options["target"] != "none"

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        found = [("Player one", f"@{1 - self.dealer}")]
        if self.has_scores:
            found.append(("Target", f"{self.options['target']} points"))
        if any(self.rounds):
            found.append(("Rounds without a foundation card", f"@0 {self.rounds[0]}, @1 {self.rounds[1]}"))
        if any(self.wrong_calls):
            found.append(("Wrong calls", f"@0 {self.wrong_calls[0]}, @1 {self.wrong_calls[1]}"))
        return tuple(found)
