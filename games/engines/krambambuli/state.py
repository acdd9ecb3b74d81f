"""State of a game of Krambambuli: legal moves, play, the end of a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from games.core.cards import Card, by_display
from games.core.contract import (
    Event,
    Game,
    HandResult,
    Move,
    Options,
    Outcome,
    Phrase,
)
from games.core.deals import Decks
from games.core.moves import DRAW, TAKE, Discard, Draw, Take
from games.core.rummy.melds import Meld
from games.core.rummy.scoring import outcome_of_fewest, points_by_seat
from games.core.rummy.stealing import StealingState
from games.core.rummy.steps import Step, Theft
from games.engines.krambambuli.melds import (
    OwnMeld,
    enlarged,
    meld_rules,
    melds_of,
    remains,
    spare_cards,
    table_after_step,
)
from games.engines.krambambuli.moves import AFTER_DRAW, OVER, START, UPCARD_TURNS_IN_A_ROW, KrambambuliMove, Phase
from games.engines.krambambuli.scoring import score_lines, summary
from games.engines.krambambuli.view import KrambambuliView
from games.engines.krambambuli.words import step_phrase

CARDS_WITH_A_THEFT = 2


class KrambambuliState(StealingState):
    """discards: the upcard last. taken_upcard: the upcard taken in this turn while it is held.

    stolen: a card was stolen in this turn. had_melded: the seat to act had laid a meld before this turn.
    turnovers: how often the stock was renewed. upcard_turns: turns in a row that began with the upcard.
    known: upcards taken that are still held.
    """

    __slots__ = ("discards", "had_melded", "known", "stolen", "taken_upcard", "turnovers", "upcard_turns")

    HAND_CARDS = 11
    PUBLIC = (*StealingState.PUBLIC, "taken_upcard", "stolen", "had_melded", "turnovers", "upcard_turns")
    TURN_RULE = "first-player"

    phase: Phase
    discards: list[Card]
    taken_upcard: Card | None
    stolen: bool
    had_melded: bool
    turnovers: int
    upcard_turns: int
    known: frozenset[Card]
    table: dict[int, OwnMeld]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, meld_rules(options), seats=seats, options=options, dealer=dealer)

    def clear_table(self) -> None:
        super().clear_table()
        self.phase = OVER
        self.discards = []
        self.taken_upcard = None
        self.stolen = False
        self.had_melded = False
        self.turnovers = 0
        self.upcard_turns = 0
        self.known = frozenset()

    def _deal(self, each: int) -> None:
        super()._deal(each)
        self.discards = [self.stock.pop()]

    def begin_turn(self, seat: int) -> None:
        """Renews the stock where it must be; without a stock the hand is over."""
        if not self.stock and self._may_renew():
            self.stock = self.discards[-2::-1]
            del self.discards[:-1]
            self.turnovers += 1
            self._add_to_log(None, Phrase("", "The discard pile is turned over and becomes the stock"), "stock")
        if not self.stock:
            return self.end_hand(None)
        self.to_act = (seat,)
        self.phase = START
        self.taken_upcard = None
        self.stolen = False
        self.had_melded = self.owns_a_meld(seat)

    def _may_renew(self) -> bool:
        return len(self.discards) > 1 and self.turnovers < int(self.options["turnovers"])

    def owns_a_meld(self, seat: int) -> bool:
        return any(own.owner == seat for own in self.table.values())

    def cards(self) -> list[Card]:
        return [*super().cards(), *self.discards]

    def meld(self, number: int) -> Meld | None:
        own = self.table.get(number)
        return own.meld if own else None

    # What may be done

    def legal_moves(self, seat: int) -> Sequence[KrambambuliMove]:
        if seat not in self.to_act:
            return ()
        if self.phase is START:
            return (DRAW, TAKE) if self._may_take() else (DRAW,)
        hand = self.hands[seat]
        steps = [*self._melds(hand), *self._additions(seat, hand), *self._thefts(seat, hand)]
        if self.options["final_discard"] == "required":
            steps = [step for step in steps if len(self._laid(step)) < len(hand)]
        return (*steps, *(Discard(card) for card in hand if self._may_discard(card, hand)))

    def _may_take(self) -> bool:
        return bool(self.discards) and self.upcard_turns < UPCARD_TURNS_IN_A_ROW

    def _may_discard(self, card: Card, hand: Sequence[Card]) -> bool:
        return card != self.taken_upcard or len(hand) == 1 or bool(self.options["may_return_upcard"])

    def _melds(self, hand: tuple[Card, ...]) -> Iterator[Step]:
        return (Step.of(meld) for meld in melds_of(self.rules, hand))

    def _additions(self, seat: int, hand: tuple[Card, ...]) -> Iterator[Step]:
        for number, own in self.table.items():
            if own.owner == seat:
                yield from (Step.of(larger, (), number) for larger in enlarged(self.rules, own.meld, hand))

    def _thefts(self, seat: int, hand: tuple[Card, ...]) -> Iterator[Step]:
        if not self.had_melded or self.stolen:
            return
        for number, own in self.table.items():
            if own.owner == seat:
                continue
            for card in spare_cards(self.rules, own.meld):
                for meld in melds_of(self.rules, (*hand, card)):
                    if card in meld.cards:
                        yield Step.of(meld, [Theft(card, number)])

    def _laid(self, step: Step) -> tuple[Card, ...]:
        """The cards of a step that come from the hand."""
        return step.laid(self.meld(step.number))

    # Moves

    def play(self, seat: int, move: Move) -> None:
        self.check_turn(seat)
        if isinstance(move, Draw):
            self._draw(seat)
        elif isinstance(move, Take):
            self._take(seat)
        elif isinstance(move, Discard):
            self._discard(seat, move.card)
        else:
            assert isinstance(move, Step), f"{move!r} is not a move of Krambambuli"
            self._step(seat, move)

    def _draw(self, seat: int) -> None:
        if self.phase is not START:
            self._refuse_second_card()
        self._receive(seat, self.stock.pop())
        self.upcard_turns = 0
        self._add_to_log(seat, Phrase("draw", "a card"), f"hand:{seat}", "stock")
        self.phase = AFTER_DRAW

    def _take(self, seat: int) -> None:
        if self.phase is not START:
            self._refuse_second_card()
        if self.upcard_turns >= UPCARD_TURNS_IN_A_ROW:
            self.refuse(
                "draw-cap", f"The last {UPCARD_TURNS_IN_A_ROW} turns began with the upcard; draw from the stock."
            )
        if not self.discards:
            self.refuse("upcard", "There's no upcard; draw from the stock.")
        self.taken_upcard = card = self.discards.pop()
        self._receive(seat, card)
        self.known |= {card}
        self.upcard_turns += 1
        self._add_to_log(seat, Phrase("take", f"the upcard {card}"), f"hand:{seat}", "discards")
        self.phase = AFTER_DRAW

    def _discard(self, seat: int, card: Card) -> None:
        self._check_drawn()
        if card not in self.hands[seat]:
            self.refuse("cards-available", self._zone_in_words(seat, card))
        if not self._may_discard(card, self.hands[seat]):
            self.refuse("no-return-upcard", f"You took {card} this turn, so you can't discard it; choose another card.")
        self._leave_hand(seat, (card,))
        self._cover_last_discard()
        self.discards.append(card)
        self._add_to_log(seat, Phrase("discard", card), card, "discards")
        if self.hands[seat]:
            self.begin_turn(self.seat_after(seat))
        else:
            self.end_hand(seat)

    def _step(self, seat: int, step: Step) -> None:
        self._check_drawn()
        self._check_step(seat, step)
        laid = self._laid(step)
        self._check_last_card(seat, laid)
        self._add_to_log(seat, step_phrase(step, laid), *by_display(laid), *step.stolen)
        self._leave_hand(seat, laid)
        self.table = table_after_step(self.rules, self.table, step, seat)
        self.stolen = self.stolen or bool(step.thefts)
        if not self.hands[seat]:
            self.end_hand(seat)

    def _leave_hand(self, seat: int, cards: Sequence[Card]) -> None:
        self._part_with(seat, cards)
        self.known = self.known.difference(cards)
        if self.taken_upcard in cards:
            self.taken_upcard = None

    def _cover_last_discard(self) -> None:
        """Takes the name of the discard that is about to be covered out of the log."""
        if self.options["review_discards"]:
            return
        for place in range(len(self.log) - 1, -1, -1):
            event = self.log[place]
            if event.phrase.verb == "discard":
                covered = Event(event.seat, Phrase("discard", "a card"), ("discards",))
                self.log = (*self.log[:place], covered, *self.log[place + 1 :])
                return

    # Refusals

    def _refuse_second_card(self) -> NoReturn:
        self.refuse("turn-draw", "You already have your card for this turn; play on, then discard.")

    def _check_drawn(self) -> None:
        if self.phase is START:
            what = "draw from the stock or take the upcard" if self._may_take() else "draw from the stock"
            self.refuse("turn-draw", f"A turn begins with one card: {what}.")

    def _check_last_card(self, seat: int, laid: Sequence[Card]) -> None:
        if self.options["final_discard"] == "required" and len(laid) == len(self.hands[seat]):
            self.refuse("going-out", "At this table your last card must be a discard; keep one back.")

    def _check_step(self, seat: int, step: Step) -> None:
        """:raises IllegalMove: the first rule that the step breaks."""
        self._check_no_swap(step)
        self._check_there(seat, step)
        if step.number:
            self._check_addition(seat, step)
        elif step.thefts:
            self._check_theft(seat, step)
        self.check_fault(self.rules.fault(step.meld))

    def _check_no_swap(self, step: Step) -> None:
        for theft in step.thefts:
            if theft.swap:
                self.refuse("cards-available", f"You leave nothing in exchange for {theft.card}; just steal it.")

    def _check_addition(self, seat: int, step: Step) -> None:
        own = self.table[step.number]
        if own.owner != seat:
            self.refuse("layoff-own-only", f"Meld {step.number} is another player's; you can only add to your own.")
        if step.thefts:
            self.refuse(
                "steal-new-meld",
                "A stolen card makes a new meld with two cards from your hand; you can't add it to one.",
            )
        if len(step.meld.cards) == len(own.meld.cards):
            self.refuse("layoff-after-melding", f"Choose a card from your hand to add to meld {step.number}.")

    def _check_theft(self, seat: int, step: Step) -> None:
        theft = step.thefts[0]
        own = self.table[theft.number]
        if not self.had_melded:
            when = "the turn after your first meld" if not self.owns_a_meld(seat) else "your next turn"
            self.refuse("steal-after-melding", f"You can't steal before {when}; use only your own cards now.")
        if self.stolen or len(step.thefts) > 1:
            instead = "wait for your next turn" if self.stolen else "choose just one"
            self.refuse("steal-one-per-turn", f"You can steal one card a turn; {instead}.")
        if own.owner == seat:
            self.refuse("steal-from-others", f"Meld {theft.number} is your own; steal from another player's.")
        if len(self._laid(step)) < CARDS_WITH_A_THEFT:
            self.refuse(
                "steal-two-from-hand", "A stolen card needs at least two cards from your hand to make a new meld."
            )
        if remains(self.rules, own.meld, theft.card) is None:
            spare = "a set can give a card" if own.meld.kind == "set" else "a run can give an end card"
            self.refuse(
                "steal-leaves-valid", f"What's left of meld {theft.number} must be one meld: {spare} if it has four."
            )

    # The end of a hand

    def end_hand(self, out: int | None) -> None:
        """Counts the hands; out: the seat without cards, None if the stock is used up. Deals again or ends the game."""
        self.close_hand(self._result(out))

    def _result(self, out: int | None) -> HandResult:
        lines = tuple(score_lines(self.hands))
        points = points_by_seat(lines, self.seats)
        return HandResult(self.deal_number, summary(out), points, lines, self._hand_zones())

    def is_decided(self) -> bool:
        deals = int(self.options["deals"])
        return self.deal_number > deals if deals else max(self.scores) >= int(self.options["target"])

    def outcome(self) -> Outcome | None:
        return None if self.to_act else outcome_of_fewest(self.scores)

    # What is seen and kept

    def view(self, seat: int | None) -> KrambambuliView:
        shown = self.discards if self.options["review_discards"] else self.discards[-1:]
        return KrambambuliView(
            **self.seen_by(seat),
            known=tuple(tuple(card for card in hand if card in self.known) for hand in self.hands),
            discards=tuple(shown),
            remembered=tuple(self.discards),
            discard_count=len(self.discards),
        )
