"""The state of Sixty-Six: dealing, legal moves, play, and the rules that a move is tested by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from games.core.cards import SUITS, Card
from games.core.contract import Event, Game, HandResult, Move, Options, Outcome, Phrase, Zone, open_zone
from games.core.deals import Decks
from games.core.dealt import DealtState
from games.core.tricks import beats
from games.core.words import counted
from games.engines.sixty_six import scoring, words
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
    LAY_OF,
    LEAD,
    LOOK_BACK,
    MARRY_OF,
    OVER,
    POINTS,
    RANKS,
    SEATS,
    Call,
    Lay,
    Marry,
    Phase,
    SixtySixMove,
    held_cards,
    marriage_worth,
    pair_of,
    ruled_out,
    strict_answers,
)
from games.engines.sixty_six.scoring import HAND_CAP, HandCount, Win
from games.engines.sixty_six.view import Memory, SixtySixView


class SixtySixState(DealtState):
    """A game of Sixty-Six.

    hands: as they are held, suit by suit. stock: the next card last; upcard: drawn after it, None once it is drawn.
    won: the cards of tricks in the order taken; points and tricks are counted beside them. declared: the suit of the
    marriage that has to be led now. carry: game points that ties have added to the next hand.
    log: what happened in this hand; from `shown_from` on it may still be looked at, and the trick in progress began
    with `trick_from`. last_log: the log of the hand before, which is open, and its result.
    """

    __slots__ = (
        "at_close", "carry", "closed_by", "declared", "hands", "known", "lacking", "last_log", "last_trick", "led",
        "log", "marriage_points", "pending", "phase", "points", "shown_from", "stock", "trick_from", "tricks", "trump",
        "upcard", "won",
    )  # fmt: skip

    PUBLIC = (
        *DealtState.PUBLIC,
        *("deal_number", "phase", "trump", "closed_by", "led", "last_trick", "declared", "carry"),
    )

    phase: Phase
    trump: str
    upcard: Card | None
    stock: list[Card]
    hands: list[list[Card]]
    won: list[list[Card]]
    points: list[int]
    tricks: list[int]
    marriage_points: list[int]
    pending: list[int]
    known: list[frozenset[Card]]
    lacking: list[frozenset[Card]]
    led: Card | None
    last_trick: tuple[Card, ...]
    declared: str | None
    closed_by: int | None
    at_close: tuple[int, int] | None
    carry: int
    log: list[Event]
    last_log: tuple[Event, ...]
    shown_from: int
    trick_from: int

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.carry = 0
        self.last_log = ()

    def clear_table(self) -> None:
        self.phase, self.to_act = OVER, ()
        self.trump, self.upcard, self.stock = "", None, []
        self.hands, self.won = [[], []], [[], []]
        self.points, self.tricks = [0] * SEATS, [0] * SEATS
        self.marriage_points, self.pending = [0] * SEATS, [0] * SEATS
        self.known, self.lacking = [frozenset(), frozenset()], [frozenset(), frozenset()]
        self.led, self.last_trick, self.declared = None, (), None
        self.closed_by, self.at_close = None, None
        self.log, self.shown_from, self.trick_from = [], 0, 0

    # What is on the table

    def cards(self) -> list[Card]:
        on_table = [card for card in (self.led, self.upcard) if card is not None]
        return [*self.hands[0], *self.hands[1], *self.won[0], *self.won[1], *reversed(self.stock), *on_table]

    @property
    def is_open(self) -> bool:
        """Whether cards are still drawn."""
        return self.upcard is not None and self.closed_by is None

    # Dealing

    def deal_hand(self) -> None:
        """Deals the next hand: six cards each in two batches of three, then the upcard; the rest is the stock."""
        self.clear_table()
        deck = self.next_deck()
        eldest = 1 - self.dealer
        self.hands[eldest] = held_cards((*deck[0:3], *deck[6:9]))
        self.hands[self.dealer] = held_cards((*deck[3:6], *deck[9:12]))
        self.upcard = deck[12]
        self.trump = self.upcard[1]
        self.stock = list(deck[:12:-1])
        self.give_turn(LEAD, eldest)

    def give_turn(self, phase: Phase, seat: int) -> None:
        """The seat is to act, in this phase."""
        self.phase = phase
        self.to_act = (seat,)

    # Legal moves

    def legal_moves(self, seat: int) -> tuple[SixtySixMove, ...]:
        if seat not in self.to_act:
            return ()
        if self.phase is FOLLOW:
            return (*map(LAY_OF.__getitem__, self._answers(seat)), CLAIM)
        if self.phase is AFTER:
            return (DRAW, CLOSE, CLAIM)
        if self.phase is FINAL:
            return (END, CLAIM)
        if self.declared is not None:
            return (*map(LAY_OF.__getitem__, pair_of(self.declared)), CLAIM)
        return (*map(LAY_OF.__getitem__, self.hands[seat]), *self._extras(seat), CLAIM)

    def _extras(self, seat: int) -> list[SixtySixMove]:
        """What the leader may do besides leading a card."""
        hand = self.hands[seat]
        found: list[SixtySixMove] = []
        if self.is_open and self.tricks[seat] and "9" + self.trump in hand:
            found.append(EXCHANGE)
        if self._may_marry:
            found += [MARRY_OF[suit] for suit in SUITS if "K" + suit in hand and "Q" + suit in hand]
        if self.is_open:
            found.append(CLOSE)
        return found

    @property
    def _may_marry(self) -> bool:
        is_used_up = self.upcard is None and self.closed_by is None
        return not is_used_up or bool(self.options["late_marriages"])

    def _answers(self, seat: int) -> Sequence[Card]:
        """The cards that may be played to the card led."""
        hand = self.hands[seat]
        if self.is_open:
            return hand
        assert self.led is not None, "somebody has led"
        return strict_answers(hand, self.led, self.trump, must_beat=self._must_beat)

    @property
    def _must_beat(self) -> bool:
        return self.options["endgame_follow"] == "strict"

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self.game.refuse_turn(words.turn_rule(move), words.not_your_turn(move, is_over=not self.to_act))
        if isinstance(move, Lay):
            if self.phase is LEAD:
                self._lead(seat, move.card)
            else:
                self._follow(seat, move.card)
        elif isinstance(move, Marry):
            self._marry(seat, move.suit)
        else:
            assert isinstance(move, Call), f"{move!r} is a move of another game"
            _CALLS[move.text](self, seat)

    def _add_to_log(self, seat: int, phrase: Phrase, *touches: str) -> None:
        self.log.append(Event(seat, phrase, touches))

    def _lead(self, seat: int, card: Card) -> None:
        if card not in self.hands[seat]:
            self.refuse("nondealer-leads", f"{card} isn't in your hand. Lead one of your own cards.")
        if self.declared is not None and card not in pair_of(self.declared):
            king, queen = pair_of(self.declared)
            self.refuse("marriage-lead", f"You declared {king} and {queen}. Lead one of them now.")
        self.shown_from = self.trick_from
        self.last_trick = ()
        self.declared = None
        self._leave_hand(seat, card)
        self.led = card
        self._add_to_log(seat, Phrase("lead", card), card, "trick")
        self.give_turn(FOLLOW, 1 - seat)

    def _follow(self, seat: int, card: Card) -> None:
        if self.phase is not FOLLOW or card not in self._answers(seat):
            self._refuse_card(seat, card)
        winner, brought = self.complete_trick(seat, card)
        if self.is_open:
            self.give_turn(AFTER, winner)
            if self.options["close_window"] == "after-draw":
                self._draw(winner)
        elif self.hands[0] and self.hands[1]:
            self.give_turn(LEAD, winner)
        else:
            self._finish_tricks(winner, brought)

    def complete_trick(self, seat: int, answer: Card) -> tuple[int, int]:
        """Plays the answer to the card led. Returns who wins the trick and what it brings; the turn does not pass."""
        led = self.led
        assert led is not None, "somebody has led"
        self._leave_hand(seat, answer)
        if not self.is_open:
            self.lacking[seat] |= ruled_out(answer, led, self.trump, must_beat=self._must_beat)
        self._add_to_log(seat, Phrase("play", answer), answer, "trick")
        winner = seat if beats(answer, led, RANKS, self.trump) else 1 - seat
        self.won[winner] += (led, answer)
        self.tricks[winner] += 1
        brought = POINTS[led[0]] + POINTS[answer[0]] + self.pending[winner]
        self.marriage_points[winner] += self.pending[winner]
        self.pending[winner] = 0
        self.points[winner] += brought
        self.led = None
        self.last_trick = (led, answer)
        self._add_to_log(winner, Phrase("win", "the trick"), "trick")
        self.trick_from = len(self.log)
        return winner, brought

    def _leave_hand(self, seat: int, card: Card) -> None:
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat] -= {card}

    def _finish_tricks(self, winner: int, brought: int) -> None:
        """After the last trick: a closed hand is settled, in the other the winner has one last chance to claim.

        brought: the points that the last trick gave its winner.
        """
        if self.closed_by is not None:
            self.end_hand(self._hand_count().closed(self.closed_by, last=winner, brought=brought))
            return
        self.points[winner] += int(self.options["last_trick_bonus"])
        self.give_turn(FINAL, winner)

    def _draw(self, seat: int) -> None:
        if self.phase is not AFTER:
            self._refuse_draw()
        assert self.upcard is not None, "the stock is open"
        self._take_card(seat, self.stock.pop())
        other = 1 - seat
        self._add_to_log(seat, Phrase("draw"), "stock", *([f"hand:{other}"] if self.stock else []))
        if self.stock:
            self._take_card(other, self.stock.pop())
        else:
            self._take_card(other, self.upcard)
            self.known[other] |= {self.upcard}
            self._add_to_log(other, Phrase("take", f"the upcard {self.upcard}"), self.upcard)
            self.upcard = None
        self.give_turn(LEAD, seat)

    def _take_card(self, seat: int, card: Card) -> None:
        self.hands[seat] = held_cards((*self.hands[seat], card))
        self.mark_fresh(seat, (card,), len(self.hands[seat]))

    def _exchange(self, seat: int) -> None:
        nine = "9" + self.trump
        self._check_exchange(seat, nine)
        assert self.upcard is not None, "the stock is open"
        self._add_to_log(seat, words.exchange_phrase(nine, self.upcard), self.upcard, nine)
        self._leave_hand(seat, nine)
        self._take_card(seat, self.upcard)
        self.known[seat] |= {self.upcard}
        self.upcard = nine

    def _check_exchange(self, seat: int, nine: Card) -> None:
        if not self.is_open:
            ending = f"{nine} can no longer be exchanged."
            self.refuse("nine-too-late", self._no_open_stock("The stock is closed", ending))
        if nine not in self.hands[seat]:
            self.refuse("nine-exchange", f"Only {nine} can be exchanged for the upcard, and you don't have it.")
        if self.phase is not LEAD:
            when = "only after the draw, just before you lead"
            self.refuse("nine-window", f"You can exchange {nine} for the upcard {when}.")
        self._check_undeclared()
        if not self.tricks[seat]:
            self.refuse("nine-exchange", "Win a trick first. After that you can exchange the nine before you lead.")

    def _check_undeclared(self) -> None:
        if self.declared is not None:
            pair = words.either(pair_of(self.declared))
            self.refuse("marriage-lead", f"You declared a marriage, so lead {pair} now.")

    def _marry(self, seat: int, suit: str) -> None:
        self._check_marriage(seat, suit)
        worth = marriage_worth(suit, self.trump)
        if self.tricks[seat]:
            self.marriage_points[seat] += worth
            self.points[seat] += worth
        else:
            self.pending[seat] += worth
        self.declared = suit
        self.known[seat] |= set(pair_of(suit))
        self._add_to_log(seat, words.marriage_phrase(suit, worth), *pair_of(suit))

    def _check_marriage(self, seat: int, suit: str) -> None:
        king, queen = pair_of(suit)
        if self.phase is not LEAD:
            self.refuse("marriage", "You can declare a king and queen only just before you lead.")
        if king not in self.hands[seat] or queen not in self.hands[seat]:
            self.refuse("marriage", f"A marriage needs both {king} and {queen} in your hand.")
        if self.declared is not None:
            first = words.either(pair_of(self.declared))
            self.refuse("marriage-one-per-lead", f"You can declare one marriage before each lead. Lead {first} first.")
        if not self._may_marry:
            self.refuse("marriage-stock-out", "The stock is used up, so marriages no longer count. Lead a card.")

    def _close(self, seat: int) -> None:
        if self.phase not in (LEAD, AFTER):
            when = "only before you lead, or before the draw after your own trick"
            self.refuse("close-window", f"You can close the stock {when}.")
        if not self.is_open:
            ending = "there is nothing left to close."
            self.refuse("close-needs-stock", self._no_open_stock("The stock is closed already", ending))
        self._check_undeclared()
        self.closed_by = seat
        self.at_close = (self.points[1 - seat], self.tricks[1 - seat])
        self._add_to_log(seat, words.CALL_PHRASES[CLOSE], "stock", "upcard")
        self.phase = LEAD

    def _end(self, seat: int) -> None:
        if self.phase is not FINAL:
            self.refuse("played-out", f"The hand isn't played out yet. {self._what_now(seat)}")
        self.end_hand(self._hand_count().played_out())

    def _refuse_points(self, seat: int) -> NoReturn:
        self.refuse("no-scorekeeping", f"You keep count in your head until the hand ends. {self._what_now(seat)}")

    def _refuse_look(self, seat: int) -> NoReturn:
        self.refuse("no-looking-back", f"Won tricks stay face down. {self._what_now(seat)}")

    # Refusals

    def _what_now(self, seat: int) -> str:
        cards = self._answers(seat) if self.phase is FOLLOW else pair_of(self.declared) if self.declared else ()
        return words.what_now(self.phase, cards)

    def _no_open_stock(self, closed: str, ending: str) -> str:
        """closed: how a closed stock is named."""
        return f"{closed if self.closed_by is not None else 'The upcard has been drawn'}, so {ending}"

    def _refuse_card(self, seat: int, card: Card) -> NoReturn:
        if self.phase is AFTER:
            self.refuse("draw-order", "Draw first, then lead.")
        if self.phase is FINAL:
            self.refuse("played-out", "All tricks have been played. End the hand, or claim 66.")
        rule = "open-any-card" if self.is_open else "strict-follow"
        if card not in self.hands[seat]:
            self.refuse(rule, f"{card} isn't in your hand. {self._what_now(seat)}")
        assert self.led is not None, "somebody has led"
        self.refuse(rule, words.must_answer(self.led, card, self._answers(seat)))

    def _refuse_draw(self) -> NoReturn:
        if self.closed_by is not None:
            self.refuse("close-effects", "The stock is closed, so no one draws. Play with the cards you have.")
        if self.upcard is None:
            self.refuse("stock-out", "The stock is used up. Play with the cards you have.")
        self.refuse("draw-order", "You draw after a trick, the winner first. Play a card now.")

    # The end of a hand

    def _claim(self, seat: int) -> None:
        self.end_hand(self._hand_count().claimed(seat))

    def _hand_count(self) -> HandCount:
        return HandCount(self.options, self.points, self.tricks, self.closed_by, self.at_close)

    def end_hand(self, win: Win | None) -> None:
        """Counts the hand for its winner, or carries a point over, and deals the next one. win: None for a tie."""
        gained = [0] * SEATS
        lines = []
        summary = f"Both have {self.points[0]}: no one scores, and the next hand is worth one more game point."
        if win is None:
            self.carry += 1
        else:
            lines = win.lines(self.game.slug, self.carry)
            gained[win.seat] = sum(line.points for line in lines)
            summary = f"{win.how}: {counted(gained[win.seat], 'game point')} for @{win.seat}."
            self.scores[win.seat] += gained[win.seat]
            self.carry = 0
        number = self.deal_number
        self.results += (HandResult(number, summary, tuple(gained), tuple(lines), self._won_zones()),)
        self.last_log = (*self.log, Event(None, Phrase("", f"Hand {number}: {summary}")))
        self.deal_number += 1
        self.dealer = 1 - self.dealer
        if self.is_decided():
            self.clear_table()
        else:
            self.deal_hand()

    def _won_zones(self) -> tuple[Zone, ...]:
        """The tricks of both, laid open."""
        notes = [counted(points, "point") for points in self.points]
        return tuple(
            open_zone(f"won:{seat}", "row", f"@{seat}'s tricks", cards, owner=seat, note=notes[seat])
            for seat, cards in enumerate(self.won)
        )

    # The end of the game

    @property
    def target(self) -> int:
        return int(self.options["target"])

    def is_decided(self) -> bool:
        return max(self.scores) >= self.target or self.deal_number > HAND_CAP

    def outcome(self) -> Outcome | None:
        return None if self.to_act else scoring.game_outcome(self.scores, self.target)

    # The view

    def view(self, seat: int | None) -> SixtySixView:
        shown_log = tuple(self.log[self.shown_from :])
        helped = seat if self.options["memory"] == "assist" else None
        return SixtySixView(
            **self.public_fields(),
            seat=seat,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=self.last_log + shown_log,
            hand=() if seat is None else tuple(self.hands[seat]),
            fresh=() if seat is None else self.fresh_cards(seat, self.hands[seat]),
            hand_counts=tuple(map(len, self.hands)),
            upcard=self.upcard if self.closed_by is None else None,
            stock_count=len(self.stock),
            tricks=tuple(self.tricks),
            shown_log=shown_log,
            trick_from=self.trick_from - self.shown_from,
            points=None if helped is None else self.points[helped],
            waiting=None if helped is None else self.pending[helped],
            memory=self._memory(),
        )

    def _memory(self) -> Memory:
        return Memory(
            won=tuple(map(tuple, self.won)),
            points=tuple(self.points),
            marriage_points=tuple(self.marriage_points),
            pending=tuple(self.pending),
            known=tuple(self.known),
            lacking=tuple(self.lacking),
            turned_down=self.upcard if self.closed_by is not None else None,
            at_close=self.at_close,
        )


_CALLS: Mapping[str, Callable[[SixtySixState, int], None]] = {
    EXCHANGE.text: SixtySixState._exchange,
    CLOSE.text: SixtySixState._close,
    DRAW.text: SixtySixState._draw,
    END.text: SixtySixState._end,
    CLAIM.text: SixtySixState._claim,
    ASK_POINTS.text: SixtySixState._refuse_points,
    LOOK_BACK.text: SixtySixState._refuse_look,
}
