"""The view of Piquet: what a seat, or a spectator, may know, and how the table shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.cards import Card
from games.core.contract import RUNNING_FACT, Choice, Move, Phrase, Selection, View, Zone, open_zone
from games.core.words import counted
from games.engines.piquet import words
from games.engines.piquet.declaring import Heard, Holding, best_holding, category_due
from games.engines.piquet.moves import (
    CLAIMS,
    EXCHANGE,
    LEAD,
    LEFT,
    NOT_GOOD,
    PLAY,
    POINT,
    RANKS,
    SEATS,
    SEQUENCE,
    SUITS,
    VALUE_OF,
    Blanche,
    CarteBlanche,
    Category,
    Claim,
    Exchange,
    Pass,
    Phase,
    Play,
    Word,
    cards_of,
    exchange_limits,
    mask,
    suit_of,
)
from games.engines.piquet.scoring import double_game_line, won_cards, won_zone

ONLY_ELDER_SEES = "only you see the cards you left"


@dataclass(frozen=True, slots=True, kw_only=True)
class PiquetView(View):
    """What a seat knows of a game of Piquet.

    hand, discards, drawn: the viewer's own, () for a spectator. looked_at: for elder, those of the top five that they
    left. left: the cards left in the talon, if they were turned up. blanche: `cards` 0 while they are hidden.
    talks: what is known of point, sequence and set. sheet: by seat, the points of this deal by `Item`.
    """

    dealer: int
    phase: Phase
    deal_number: int
    extra_deals: int
    hand: tuple[Card, ...]
    discards: tuple[Card, ...]
    drawn: tuple[Card, ...]
    looked_at: tuple[Card, ...]
    left: tuple[Card, ...]
    hand_counts: tuple[int, ...]
    discard_counts: tuple[int, ...]
    drawn_counts: tuple[int, ...]
    talon_count: int
    turned_up: bool
    blanche: Blanche | None
    talks: tuple[Heard, ...]
    spoken: tuple[tuple[int, str], ...]
    led: Card | None
    played: tuple[tuple[int, Card], ...]
    tricks: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    has_bonus: bool

    @property
    def elder(self) -> int:
        return 1 - self.dealer

    @property
    def younger(self) -> int:
        return self.dealer

    @property
    def deal_score(self) -> tuple[int, ...]:
        return tuple(map(sum, self.sheet))

    @property
    def running(self) -> tuple[int, ...]:
        return self.deal_score

    @property
    def known_talon(self) -> tuple[Card, ...]:
        """The cards left in the talon that the viewer knows, from its top."""
        return self.left or self.looked_at[self.drawn_counts[self.younger] :]

    @property
    def known_of_other(self) -> tuple[Card, ...]:
        """Cards that the other has taken from the talon after the viewer, as elder, has looked at them."""
        return self.looked_at[: self.drawn_counts[self.younger]]

    @property
    def due(self) -> tuple[int, Category]:
        """The category that is being settled, with its place among the talks."""
        return category_due(self.phase, self.talks)

    @property
    def exchange_limits(self) -> tuple[int, int]:
        """The fewest and the most cards that the viewer may exchange now."""
        is_elder = self.seat == self.elder
        return exchange_limits(self.options, self.blanche, len(self.hand), self.talon_count, is_elder=is_elder)

    @property
    def zones(self) -> tuple[Zone, ...]:
        others = [seat for seat in range(SEATS) if seat != self.seat]
        found = [zone for seat in others for zone in self._places_of(seat)]
        if self.talon_count:
            note = ONLY_ELDER_SEES if self.known_talon and not self.turned_up else ""
            found.append(Zone("talon", "row", "Talon", self.known_talon, self.talon_count, note=note))
        if self.phase in (LEAD, CLAIMS, LEFT, PLAY):
            found.append(self._trick_zone())
        if self.seat is not None:
            found += self._places_of(self.seat)
        return tuple(found)

    def _places_of(self, seat: int) -> list[Zone]:
        """The tricks, the discards and the hand of a seat."""
        is_own = seat == self.seat
        found = [self._tricks_zone(seat)] if self.played else []
        if self.discard_counts[seat]:
            cards = self.discards if is_own else ()
            found.append(Zone(f"discards:{seat}", "row", f"@{seat}'s discards", cards, self.discard_counts[seat], seat))
        if is_own:
            return [*found, open_zone(f"hand:{seat}", "hand", f"@{seat}'s hand", self.hand, owner=seat)]
        shown, note = self._shown_of(seat)
        return [*found, Zone(f"hand:{seat}", "hand", f"@{seat}'s hand", shown, self.hand_counts[seat], seat, note)]

    def _tricks_zone(self, seat: int) -> Zone:
        """The tricks that a seat has put aside; the last one is still on the table until the next lead."""
        is_complete = self.led is None
        taken = self.played[:-2] if is_complete else self.played[:-1]
        is_on_table = is_complete and bool(won_cards(self.played[-2:], seat))
        return won_zone(seat, won_cards(taken, seat), self.tricks[seat], is_last_on_table=is_on_table)

    def _shown_of(self, seat: int) -> tuple[tuple[Card, ...], str]:
        """The cards that the viewer knows to be in another's hand, and what else they know of it.

        They are those of a carte blanche, until some may be discarded, and those that elder left and younger took.
        """
        gone = {card for _seat, card in self.played}
        known = tuple(card for card in self.known_of_other if card not in gone)
        notes = [f"{counted(len(known), 'card')} known to you"] if known else []
        if self.blanche is not None and self.blanche.seat == seat and self.blanche.cards:
            dealt = cards_of(self.blanche.cards)
            if not self.discard_counts[seat]:
                return dealt, "carte blanche"
            notes.append(f"carte blanche, dealt {' '.join(dealt)}")
        return known, ", ".join(notes)

    def _trick_zone(self) -> Zone:
        """The card led; before the next lead the trick just played."""
        if self.led is not None:
            return open_zone("trick", "row", "Trick", [self.led], note=f"led by @{self.played[-1][0]}")
        last = [card for _seat, card in self.played[-2:]]
        return open_zone("trick", "row", "Last trick" if last else "Trick", last)

    @property
    def prompt(self) -> str:
        if self.seat not in self.to_act:
            return ""
        match self.phase:
            case Phase.BLANCHE:
                return words.blanche_prompt(self.elder, can_declare=len(self.moves) > 1)
            case Phase.EXCHANGE:
                return words.exchange_prompt(*self.exchange_limits)
            case Phase.DECLARE if self.seat == self.elder:
                return words.declare_prompt(self.due[1])
            case Phase.DECLARE:
                return words.answer_prompt(self.elder, self.spoken)
            case Phase.CLAIMS:
                return words.claim_prompt(self.elder, self.due[1])
            case Phase.LEFT:
                return words.left_prompt(self.talon_count)
        return words.play_prompt(self.led, self.hand)

    def choice(self, move: Move) -> Choice:
        match move:
            case Play():
                return Choice(move, Phrase("play" if self.led else "lead", move.card), (move.card,), to="trick")
            case Exchange():
                return Choice(move, words.exchange_phrase(move.cards), (*move.cards, "talon"))
            case Claim():
                return Choice(move, words.claim_phrase(self._holding(move)))
            case Pass():
                category = move.category or (self.due[1] if self.phase is CLAIMS else "category")
                return Choice(move, Phrase("pass", f"the {category}"))
            case CarteBlanche():
                return Choice(move, words.blanche_phrase(move.number))
            case Word():
                return Choice(move, self._word_phrase(move))
        raise TypeError(f"{move!r} is no move of Piquet")

    def _holding(self, move: Claim) -> Holding:
        """What a claim would be; lessons show such moves even where they are refused."""
        what = move.what
        if move.category is POINT:
            byte = suit_of(mask(self.hand), SUITS.index(what))
            return Holding(POINT, byte.bit_count(), VALUE_OF[byte], what)
        suit = what[1] if move.category is SEQUENCE else ""
        return Holding(move.category, int(what[-1]), RANKS.index(what[0]), suit)

    def _word_phrase(self, word: Word) -> Phrase:
        if word != NOT_GOOD or word not in self.moves:
            return words.word_phrase(word, self.talon_count)
        place, category = self.due
        best = best_holding(mask(self.hand), category)
        assert best is not None, "a better holding has been found"
        is_longer = best.size > self.talks[place].elder.size
        return Phrase("say", f'"{words.says_better(best, is_longer=is_longer, options=self.options)}"')

    @property
    def offered(self) -> Sequence[Move]:
        return [move for move in self.moves if not isinstance(move, Exchange)]

    @property
    def selection(self) -> Selection | None:
        if self.phase is not EXCHANGE or self.seat not in self.to_act:
            return None
        low, high = self.exchange_limits
        return Selection("Exchange", self.hand, low, high, to="talon")

    @property
    def forced(self) -> Move | None:
        """Only the last card: an answer or a card played unasked would show that there was no choice."""
        return self.moves[0] if self.phase is PLAY and len(self.hand) == 1 and self.moves else None

    @property
    def announcements(self) -> tuple[tuple[int, str], ...]:
        return self.spoken

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        if self.phase is Phase.OVER:
            return self.match_facts
        elder, younger = self.elder, self.younger
        return (
            ("Elder", f"@{elder}"),
            ("Dealer", f"@{younger}"),
            (RUNNING_FACT, f"@{elder} {self.deal_score[elder]}, @{younger} {self.deal_score[younger]}"),
            *self.match_facts,
        )

    @property
    def match_facts(self) -> tuple[tuple[str, str], ...]:
        """How far the match is."""
        line = double_game_line(self.options)
        double = [("Double game below", f"{line} points")] if line else []
        return (("Deal", str(self.deal_number)), ("Target", f"{self.options['target']} points"), *double)
