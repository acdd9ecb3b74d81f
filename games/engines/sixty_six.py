"""Sixty-Six for two: tricks with a stock, marriages, and points that nobody writes down.

Source: "Ultimate Book of Card Games", "Sixty-Six" (pack, deal, points, scoring); it breaks off before the play.
Leading, drawing, the nine, closing and claims follow the next page of the same book, Hoyle and pagat.com.
Rulings, where they are silent or disagree:
- the points of a running hand and the tricks of it are shown to nobody; the last trick lies open until the next
  lead, and everything is laid open when the hand ends. Asking for them is a move that is always refused;
- closing is possible on lead and, before the draw, after a trick; never between lead and answer;
- a claim needs one's own turn; a card that lies on the table then counts for nobody;
- the winner of the twelfth trick may still claim. In a closed hand nothing is left to claim: the closer is paid
  for 66 points, and his opponent for 66 that the last trick brings;
- a tie makes the next hand worth one more, and ties add up; after thirty hands the higher score wins;
- a position may leave out the cards of won tricks; its points and numbers of tricks then stand by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, ClassVar, NoReturn, Self, TypeAlias

from games.core.cards import SUITS, Card
from games.core.contract import (
    Choice,
    Event,
    Game,
    HandResult,
    IllegalMove,
    ImpossiblePosition,
    Move,
    NotYourTurn,
    Option,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    State,
    UnreadableMove,
    View,
    Zone,
    numbers,
    open_zone,
    places,
    switch,
)
from games.core.deals import Decks, numbered_decks, random_decks
from games.core.positions import PositionReader, card_list, check_cards
from games.core.tricks import beats, by_suit, of_suit

SEATS = 2
RANKS = "9JQKTA"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
HAND_CARDS = 6
STOCK_CARDS = 11
GOAL = 66
HALF = 33
TRUMP_MARRIAGE, PLAIN_MARRIAGE = 40, 20
PENALTY = 2
HAND_CAP = 30

PACK = tuple(rank + suit for suit in SUITS for rank in "ATKQJ9")
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_PLACE = {card: place for place, card in enumerate(by_suit(PACK, RANKS))}


class Phase(StrEnum):
    LEAD = "lead"
    FOLLOW = "follow"
    AFTER = "after"
    FINAL = "final"
    OVER = "over"


LEAD, FOLLOW, AFTER, FINAL, OVER = Phase


def card_points(cards: Iterable[Card]) -> int:
    return sum([POINTS[card[0]] for card in cards])


def pair_of(suit: str) -> tuple[Card, Card]:
    """King and queen."""
    return "K" + suit, "Q" + suit


# Moves


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """Leads or plays a card: `AS`."""

    card: Card

    def __str__(self) -> str:
        return self.card


@dataclass(frozen=True, slots=True)
class Marry(Move):
    """Declares the marriage of a suit before leading one of the pair: `MH`."""

    suit: str

    def __str__(self) -> str:
        return f"M{self.suit}"


@dataclass(frozen=True, slots=True)
class Call(Move):
    """A move without a choice in it: `X9`, `CL`, `DR`, `END`, `66`.

    `PTS` and `LOOK` ask for points and for old tricks, which nobody may see while a hand lasts.
    """

    text: str

    def __str__(self) -> str:
        return self.text


SixtySixMove: TypeAlias = Lay | Marry | Call

EXCHANGE, CLOSE, DRAW, END, CLAIM = map(Call, ("X9", "CL", "DR", "END", "66"))
ASK_POINTS, LOOK_BACK = Call("PTS"), Call("LOOK")

_LAY = {card: Lay(card) for card in PACK}
_MARRY = {suit: Marry(suit) for suit in SUITS}
_CALLS = (EXCHANGE, CLOSE, DRAW, END, CLAIM, ASK_POINTS, LOOK_BACK)
_ALL_MOVES: tuple[SixtySixMove, ...] = (*_LAY.values(), *_MARRY.values(), *_CALLS)
_MOVES = {str(move): move for move in _ALL_MOVES}


def _read_move(text: str) -> SixtySixMove:
    move = _MOVES.get("".join(text.upper().split()).replace("10", "T"))
    if move is None:
        raise UnreadableMove(
            f"{text.strip()[:40]!r} is no move of Sixty-Six. Write a card such as AS, MH for a marriage in "
            "hearts, X9, CL to close, DR to draw, END, or 66 to claim."
        )
    return move


# State


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


class SixtySixState(State):
    """A game of Sixty-Six.

    hands: as they are held, suit by suit. stock: the next card last; upcard: drawn after it, None once it is drawn.
    won: the cards of tricks in the order taken; points and tricks are counted beside them. declared: the suit of the
    marriage that has to be led now. carry: game points that ties have added to the next hand.
    deeds: what happened in this hand; those from `shown_from` on may still be looked at, the trick in progress
    began with `trick_from`. told: the deeds of the hand before, which are open, and its result.
    """

    __slots__ = (
        "_decks",
        "_next_deck",
        "at_close",
        "carry",
        "closed_by",
        "dealer",
        "declared",
        "deeds",
        "hands",
        "hands_played",
        "known",
        "last_trick",
        "led",
        "marriage_points",
        "options",
        "pending",
        "phase",
        "points",
        "results",
        "scores",
        "seats",
        "shown_from",
        "stock",
        "to_act",
        "told",
        "trick_from",
        "tricks",
        "trump",
        "upcard",
        "won",
    )

    results: tuple[HandResult, ...]

    def __init__(self, options: Options, decks: Decks, dealer: int) -> None:
        self.seats = SEATS
        self.options = options
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.scores = [0] * SEATS
        self.carry = 0
        self.hands_played = 0
        self.results = ()
        self.told: tuple[Event, ...] = ()
        self.clear_table()

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act: tuple[int, ...] = ()
        self.trump = ""
        self.upcard: Card | None = None
        self.stock: list[Card] = []
        self.hands: list[list[Card]] = [[], []]
        self.won: list[list[Card]] = [[], []]
        self.points = [0] * SEATS
        self.tricks = [0] * SEATS
        self.marriage_points = [0] * SEATS
        self.pending = [0] * SEATS
        self.known: list[frozenset[Card]] = [frozenset(), frozenset()]
        self.led: Card | None = None
        self.last_trick: tuple[Card, ...] = ()
        self.declared: str | None = None
        self.closed_by: int | None = None
        self.at_close: tuple[int, int] | None = None
        self.deeds: list[Event] = []
        self.shown_from = 0
        self.trick_from = 0

    def deal_hand(self) -> None:
        """Deals the next hand: six cards each in two batches of three, then the upcard; the rest is the stock."""
        self.clear_table()
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        eldest = 1 - self.dealer
        self.hands[eldest] = _held(deck[0:3] + deck[6:9])
        self.hands[self.dealer] = _held(deck[3:6] + deck[9:12])
        self.upcard = deck[12]
        self.trump = self.upcard[1]
        self.stock = list(deck[:12:-1])
        self._turn(LEAD, eldest)

    def _turn(self, phase: Phase, seat: int) -> None:
        self.phase = phase
        self.to_act = (seat,)

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in SixtySixState.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = [self.hands[0][:], self.hands[1][:]]
        twin.won = [self.won[0][:], self.won[1][:]]
        twin.scores = self.scores[:]
        twin.stock = self.stock[:]
        twin.points = self.points[:]
        twin.tricks = self.tricks[:]
        twin.marriage_points = self.marriage_points[:]
        twin.pending = self.pending[:]
        twin.known = self.known[:]
        twin.deeds = self.deeds[:]
        return twin

    def cards(self) -> list[Card]:
        on_table = [card for card in (self.led, self.upcard) if card is not None]
        return [*self.hands[0], *self.hands[1], *self.won[0], *self.won[1], *reversed(self.stock), *on_table]

    @property
    def is_open(self) -> bool:
        """Whether cards are still drawn."""
        return self.upcard is not None and self.closed_by is None

    # Legal moves

    def legal_moves(self, seat: int) -> tuple[SixtySixMove, ...]:
        if seat not in self.to_act:
            return ()
        if self.phase is FOLLOW:
            return (*map(_LAY.__getitem__, self._answers(seat)), CLAIM)
        if self.phase is AFTER:
            return (DRAW, CLOSE, CLAIM)
        if self.phase is FINAL:
            return (END, CLAIM)
        if self.declared is not None:
            return (*map(_LAY.__getitem__, pair_of(self.declared)), CLAIM)
        return (*map(_LAY.__getitem__, self.hands[seat]), *self._extras(seat), CLAIM)

    def _extras(self, seat: int) -> list[SixtySixMove]:
        """What the leader may do besides leading a card."""
        hand = self.hands[seat]
        found: list[SixtySixMove] = []
        if self.is_open and self.tricks[seat] and "9" + self.trump in hand:
            found.append(EXCHANGE)
        if self._may_marry:
            found += [_MARRY[suit] for suit in SUITS if "K" + suit in hand and "Q" + suit in hand]
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
        same = of_suit(hand, self.led[1])
        if self.options["endgame_follow"] == "suit-only":
            return same or hand
        higher = [card for card in same if beats(card, self.led, RANKS)]
        return higher or same or of_suit(hand, self.trump) or hand

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn(move)
        if isinstance(move, Lay):
            if self.phase is LEAD:
                self._lead(seat, move.card)
            else:
                self._follow(seat, move.card)
        elif isinstance(move, Marry):
            self._marry(seat, move.suit)
        else:
            _PLAYS[str(move)](self, seat)

    def _tell(self, seat: int, verb: str, rest: str = "", *touches: str) -> None:
        self.deeds.append(Event(seat, Phrase(verb, rest), touches))

    def _lead(self, seat: int, card: Card) -> None:
        if card not in self.hands[seat]:
            _refuse("nondealer-leads", f"You do not hold {card}; lead a card of your hand.")
        if self.declared is not None and card not in pair_of(self.declared):
            king, queen = pair_of(self.declared)
            _refuse("marriage-lead", f"You have declared {king} and {queen}; lead one of them now.")
        self.shown_from = self.trick_from
        self.last_trick = ()
        self.declared = None
        self._leave_hand(seat, card)
        self.led = card
        self._tell(seat, "lead", card, card, "trick")
        self._turn(FOLLOW, 1 - seat)

    def _follow(self, seat: int, card: Card) -> None:
        if self.phase is not FOLLOW or card not in self._answers(seat):
            self._refuse_card(seat, card)
        assert self.led is not None, "somebody has led"
        self._leave_hand(seat, card)
        self._tell(seat, "play", card, card, "trick")
        self._take_trick(seat if beats(card, self.led, RANKS, self.trump) else 1 - seat, self.led, card)

    def _leave_hand(self, seat: int, card: Card) -> None:
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat] -= {card}

    def _take_trick(self, winner: int, led: Card, answer: Card) -> None:
        self.won[winner] += (led, answer)
        self.tricks[winner] += 1
        brought = POINTS[led[0]] + POINTS[answer[0]] + self.pending[winner]
        self.marriage_points[winner] += self.pending[winner]
        self.pending[winner] = 0
        self.points[winner] += brought
        self.led = None
        self.last_trick = (led, answer)
        self._tell(winner, "win", "the trick", "trick")
        self.trick_from = len(self.deeds)
        if self.is_open:
            self._turn(AFTER, winner)
            if self.options["close_window"] == "after-draw":
                self._draw(winner)
        elif self.hands[0] and self.hands[1]:
            self._turn(LEAD, winner)
        else:
            self._finish_tricks(winner, brought)

    def _finish_tricks(self, winner: int, brought: int) -> None:
        """After the last trick: a closed hand is settled, in the other the winner has one last chance to claim.

        brought: the points that the last trick gave its winner.
        """
        if self.closed_by is not None:
            self._settle_closed(winner, brought)
            return
        self.points[winner] += int(self.options["last_trick_bonus"])
        self._turn(FINAL, winner)

    def _draw(self, seat: int) -> None:
        if self.phase is not AFTER:
            self._refuse_draw()
        assert self.upcard is not None, "the stock is open"
        self._take_card(seat, self.stock.pop())
        other = 1 - seat
        self._tell(seat, "draw", "", "stock")
        if self.stock:
            self._take_card(other, self.stock.pop())
        else:
            self._take_card(other, self.upcard)
            self.known[other] |= {self.upcard}
            self._tell(other, "take", f"the upcard {self.upcard}", self.upcard)
            self.upcard = None
        self._turn(LEAD, seat)

    def _take_card(self, seat: int, card: Card) -> None:
        self.hands[seat] = _held((*self.hands[seat], card))

    def _exchange(self, seat: int) -> None:
        nine = "9" + self.trump
        self._check_exchange(seat, nine)
        assert self.upcard is not None, "the stock is open"
        self._tell(seat, "exchange", f"{nine} for {self.upcard}", self.upcard, nine)
        self._leave_hand(seat, nine)
        self._take_card(seat, self.upcard)
        self.known[seat] |= {self.upcard}
        self.upcard = nine

    def _check_exchange(self, seat: int, nine: Card) -> None:
        if not self.is_open:
            why = "The stock is closed" if self.closed_by is not None else "The upcard has been drawn"
            _refuse("nine-too-late", f"{why}, so {nine} stays where it is; play on without the exchange.")
        if self.phase is not LEAD:
            _refuse("nine-window", "Exchange the nine when you are on lead, after the draw and before your card.")
        self._check_undeclared()
        if nine not in self.hands[seat]:
            _refuse("nine-exchange", f"Only {nine} can be exchanged, and you do not hold it; lead a card.")
        if not self.tricks[seat]:
            _refuse("nine-exchange", "Win a trick first; then you may exchange the nine when you are on lead.")

    def _check_undeclared(self) -> None:
        if self.declared is not None:
            king, queen = pair_of(self.declared)
            _refuse("marriage-lead", f"After the marriage comes the lead: play {king} or {queen}.")

    def _marry(self, seat: int, suit: str) -> None:
        self._check_marriage(seat, suit)
        worth = TRUMP_MARRIAGE if suit == self.trump else PLAIN_MARRIAGE
        if self.tricks[seat]:
            self.marriage_points[seat] += worth
            self.points[seat] += worth
        else:
            self.pending[seat] += worth
        self.declared = suit
        self.known[seat] |= set(pair_of(suit))
        king, queen = pair_of(suit)
        self._tell(seat, "declare", f"the marriage {king} {queen} for {worth}", king, queen)

    def _check_marriage(self, seat: int, suit: str) -> None:
        king, queen = pair_of(suit)
        if self.phase is not LEAD:
            _refuse("marriage", "A marriage is declared on lead; wait until it is your turn to lead.")
        if king not in self.hands[seat] or queen not in self.hands[seat]:
            _refuse("marriage", f"A marriage needs {king} and {queen} in your hand; lead a card instead.")
        if self.declared is not None:
            first = " or ".join(pair_of(self.declared))
            _refuse("marriage-one-per-lead", f"One marriage for each lead; play {first} first.")
        if not self._may_marry:
            _refuse("marriage-stock-out", "The stock is used up, so no marriage counts any more; lead a card.")

    def _close(self, seat: int) -> None:
        if self.phase not in (LEAD, AFTER):
            _refuse("close-window", "Close when it is your turn to lead, or after your trick before the draw.")
        if not self.is_open:
            why = "The stock is closed already" if self.closed_by is not None else "The upcard has been drawn"
            _refuse("close-needs-stock", f"{why}, so there is nothing to close; lead a card.")
        self._check_undeclared()
        self.closed_by = seat
        self.at_close = (self.points[1 - seat], self.tricks[1 - seat])
        self._tell(seat, "close", "the stock", "stock", "upcard")
        self.phase = LEAD

    def _end(self, seat: int) -> None:
        if self.phase is not FINAL:
            _refuse("played-out", "The hand is not played out yet; " + self._what_now(seat))
        self._tally()

    def _refuse_points(self, seat: int) -> NoReturn:
        _refuse("no-scorekeeping", "Points are counted in the head until the hand ends; " + self._what_now(seat))

    def _refuse_look(self, seat: int) -> NoReturn:
        _refuse("no-looking-back", "Tricks that were won stay face down; " + self._what_now(seat))

    # Refusals

    def _refuse_turn(self, move: Move) -> NoReturn:
        rule = "marriage" if isinstance(move, Marry) else _OUT_OF_TURN.get(str(move), "nondealer-leads")
        if not self.to_act:
            raise NotYourTurn("The game is over; start another one.", rule=f"sixty-six:{rule}")
        what = "claim" if move == CLAIM else "play"
        raise NotYourTurn(f"It is the other player's turn; you may {what} in yours.", rule=f"sixty-six:{rule}")

    def _what_now(self, seat: int) -> str:
        if self.phase is FOLLOW:
            return f"play {' or '.join(self._answers(seat))}."
        if self.declared is not None:
            return f"lead {' or '.join(pair_of(self.declared))}."
        return {
            LEAD: "lead a card.",
            AFTER: "draw, or close the stock.",
            FINAL: "end the hand, or claim.",
        }[self.phase]

    def _refuse_card(self, seat: int, card: Card) -> NoReturn:
        if self.phase is AFTER:
            _refuse("draw-order", "Draw first, with DR; then lead.")
        if self.phase is FINAL:
            _refuse("played-out", "All tricks have been played; end the hand with END, or claim with 66.")
        rule = "open-any-card" if self.is_open else "strict-follow"
        if card not in self.hands[seat]:
            _refuse(rule, f"You do not hold {card}; {self._what_now(seat)}")
        assert self.led is not None, "somebody has led"
        allowed = self._answers(seat)
        if beats(allowed[0], self.led, RANKS) and allowed[0][1] == self.led[1] and card[1] == self.led[1]:
            why = f"You can beat {self.led}, so you must"
        elif allowed[0][1] == self.led[1]:
            why = f"You must follow suit to {self.led}"
        else:
            why = f"You cannot follow to {self.led}, so you must trump"
        _refuse(rule, f"{why}; {self._what_now(seat)}")

    def _refuse_draw(self) -> NoReturn:
        if self.closed_by is not None:
            _refuse("close-effects", "The stock is closed and nobody draws; play with the cards you hold.")
        if self.upcard is None:
            _refuse("stock-out", "The stock is used up; play with the cards you hold.")
        _refuse("draw-order", "Cards are drawn after a trick, the winner first; play a card now.")

    # The end of a hand

    def _claim(self, seat: int) -> None:
        """Ends the hand: the claimant has 66 and a trick, or the other is paid for his mistake."""
        has = self.points[seat]
        if has >= GOAL and self.tricks[seat]:
            rule, points = self._rate(seat)
            if self.closed_by == 1 - seat and points < PENALTY:
                rule, points = "claim-against-closer", PENALTY
            self._score(seat, rule, points, f"@{seat} goes out with {has}")
        else:
            told = f"@{seat} claims with only {has}" if self.tricks[seat] else f"@{seat} claims without a trick"
            self._score(1 - seat, "claim-wrong", self._penalty(seat), told)

    def _rate(self, winner: int) -> tuple[str, int]:
        """The rule and the game points of a hand won with 66, by what the loser has."""
        points, tricks = self.points[1 - winner], self.tricks[1 - winner]
        if self.closed_by == winner and self.options["close_snapshot"] and self.at_close is not None:
            points, tricks = self.at_close
        if not tricks:
            return "rate-3", 3
        return ("rate-2", 2) if points < HALF else ("rate-1", 1)

    def _penalty(self, loser: int) -> int:
        """What a wrong claim or a failed close costs."""
        return PENALTY if self.tricks[1 - loser] else int(self.options["trickless_penalty"])

    def _settle_closed(self, last: int, brought: int) -> None:
        """A closed hand in which nobody went out. last: the winner of the last trick."""
        closer = self.closed_by
        assert closer is not None, "the hand is closed"
        other = 1 - closer
        if self.points[closer] >= GOAL:
            rule, points = self._rate(closer)
            self._score(closer, rule, points, f"@{closer} closed and has {self.points[closer]}", "close-made")
        elif last == other and self.points[other] >= GOAL > self.points[other] - brought:
            points = max(PENALTY, self._rate(other)[1])
            self._score(other, "claim-after-last", points, f"@{other} reaches 66 with the last trick")
        else:
            told = f"@{closer} closed and has only {self.points[closer]}"
            self._score(other, "close-failed", self._penalty(closer), told)

    def _tally(self) -> None:
        """A hand played out without a claim."""
        if self.points[0] == self.points[1]:
            self.carry += 1
            self._end_hand(None, [], f"Both have {self.points[0]}; nobody scores, and the next hand brings one more")
            return
        winner = 0 if self.points[0] > self.points[1] else 1
        self._score(winner, "played-out", 1, f"The hand is played out and @{winner} has more")

    def _score(self, winner: int, rule: str, points: int, told: str, also: str = "") -> None:
        text = f"{_RULE_TEXTS[rule]}, {_RULE_TEXTS[also]}" if also else _RULE_TEXTS[rule]
        lines = [ScoreLine((winner,), f"sixty-six:{rule}", text[0].upper() + text[1:], points)]
        if self.carry:
            lines.append(ScoreLine((winner,), "sixty-six:tie-carry", "Carried over from a tie", self.carry))
        self.carry = 0
        self._end_hand(winner, lines, told)

    def _end_hand(self, winner: int | None, lines: list[ScoreLine], told: str) -> None:
        gained = [0] * SEATS
        summary = f"{told}; {self.points[0]} against {self.points[1]}."
        if winner is not None:
            gained[winner] = sum(line.points for line in lines)
            self.scores[winner] += gained[winner]
            summary = f"{summary[:-1]}, {_count(gained[winner], 'game point')} for @{winner}."
        self.hands_played += 1
        number = self.hands_played
        self.results += (HandResult(number, summary, tuple(gained), tuple(lines), self._won_zones()),)
        self.told = (*self.deeds, Event(None, Phrase("", f"Hand {number}: {summary}")))
        self.dealer = 1 - self.dealer
        if self.is_decided():
            self.clear_table()
        else:
            self.deal_hand()

    def _won_zones(self) -> tuple[Zone, ...]:
        """The tricks of both, laid open."""
        return tuple(
            open_zone(
                f"won:{seat}", "row", f"Tricks of @{seat}", cards, owner=seat, note=_count(self.points[seat], "point")
            )
            for seat, cards in enumerate(self.won)
        )

    # The end of the game

    @property
    def target(self) -> int:
        return int(self.options["target"])

    def is_decided(self) -> bool:
        return max(self.scores) >= self.target or self.hands_played >= HAND_CAP

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        ours, theirs = max(self.scores), min(self.scores)
        found = places(self.scores)
        if ours == theirs:
            reason = f"Thirty hands have been played and the scores are equal, {ours} each: a draw."
        elif ours >= self.target:
            reason = f"@{found.index(1)} reaches {self.target} game points and wins {ours} to {theirs}."
        else:
            reason = f"Thirty hands have been played, and @{found.index(1)} is ahead with {ours} to {theirs}."
        return Outcome(tuple(self.scores), found, reason)

    # Views and positions

    def view(self, seat: int | None) -> SixtySixView:
        moments = tuple(self.deeds[self.shown_from :])
        return SixtySixView(
            seat=seat,
            seats=SEATS,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=self.told + moments,
            results=self.results,
            dealer=self.dealer,
            phase=self.phase,
            trump=self.trump,
            hand=() if seat is None else tuple(self.hands[seat]),
            hand_counts=tuple(map(len, self.hands)),
            upcard=self.upcard if self.closed_by is None else None,
            stock_count=len(self.stock),
            closed_by=self.closed_by,
            led=self.led,
            last_trick=self.last_trick,
            tricks=tuple(self.tricks),
            declared=self.declared,
            moments=moments,
            trick_from=self.trick_from - self.shown_from,
            carry=self.carry,
            hands_played=self.hands_played,
            points=None if seat is None or self.options["memory"] == "strict" else self.points[seat],
            waiting=None if seat is None or self.options["memory"] == "strict" else self.pending[seat],
            memory=self._memory(),
        )

    def _memory(self) -> Memory:
        return Memory(
            won=tuple(map(tuple, self.won)),
            points=tuple(self.points),
            marriage_points=tuple(self.marriage_points),
            pending=tuple(self.pending),
            known=tuple(self.known),
            turned_down=self.upcard if self.closed_by is not None else None,
            at_close=self.at_close,
        )

    def dump(self) -> Position:
        return {
            "seats": SEATS,
            "options": dict(self.options),
            "dealer": self.dealer,
            "scores": list(self.scores),
            "carry": self.carry,
            "hands_played": self.hands_played,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "trump": self.trump or None,
            "upcard": self.upcard,
            "stock": self.stock[::-1],
            "hands": [list(hand) for hand in self.hands],
            "led": self.led,
            "last_trick": list(self.last_trick),
            "won": [list(cards) for cards in self.won],
            "points": list(self.points),
            "tricks": list(self.tricks),
            "marriage_points": list(self.marriage_points),
            "pending": list(self.pending),
            "declared": self.declared,
            "closed_by": self.closed_by,
            "at_close": None if self.at_close is None else list(self.at_close),
            "known": [_held(cards) for cards in self.known],
        }


_PLAYS: Mapping[str, Callable[[SixtySixState, int], None]] = {
    "X9": SixtySixState._exchange,
    "CL": SixtySixState._close,
    "DR": SixtySixState._draw,
    "END": SixtySixState._end,
    "66": SixtySixState._claim,
    "PTS": SixtySixState._refuse_points,
    "LOOK": SixtySixState._refuse_look,
}

# The rules that say when these are done; a marriage and a card have theirs, too.
_OUT_OF_TURN = {
    "X9": "nine-window",
    "CL": "close-window",
    "DR": "draw-order",
    "66": "claim-when",
    "PTS": "no-scorekeeping",
    "LOOK": "no-looking-back",
}

_RULE_TEXTS = {
    "rate-1": "the other has 33 points or more",
    "rate-2": "the other has fewer than 33 points",
    "rate-3": "the other has no trick",
    "claim-wrong": "wrong claim",
    "claim-against-closer": "going out against the closer",
    "claim-after-last": "66 with the last trick, against the closer",
    "close-made": "after closing",
    "close-failed": "closed without reaching 66",
    "played-out": "more points in a hand played out",
}


def _held(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=_PLACE.__getitem__)


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"sixty-six:{rule}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


# View


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
        return Zone(f"won:{seat}", "pile", f"Won by @{seat}", (), 2 * won, seat, _count(won, "trick") if won else "")

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
            found.append(("Carried over from ties", _count(self.carry, "game point")))
        if self.points is not None:
            waiting = f", {self.waiting} waiting for a trick" if self.waiting else ""
            found.append(("Your points", f"{self.points}{waiting}"))
        return tuple(found)


def _meant_marriage(mine: Sequence[Card]) -> Marry:
    if sorted(card[0] for card in mine) != ["K", "Q"]:
        message = "One card is played at a time; only the king and queen of a suit go together, as a marriage."
        raise UnreadableMove(message, rule="sixty-six:marriage")
    return _MARRY[mine[0][1]]


# The game

_POSITION_KEYS = (
    "seats options dealer scores carry hands_played phase to_move trump upcard stock stock_count hands led last_trick "
    "won points tricks marriage_points pending declared closed_by at_close known"
).split()
_FILLER = next(numbered_decks(PACK))


class SixtySix(Game[SixtySixState, SixtySixView, SixtySixMove]):
    slug: ClassVar[str] = "sixty-six"
    name: ClassVar[str] = "Sixty-Six"
    summary: ClassVar[str] = "Count to 66 in your head, marry kings to queens, and say so before the other does."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    options: ClassVar[tuple[Option, ...]] = (
        numbers("target", "Target", (5, 7, 9, 11), default=7, help="Game points that end the game."),
        Option(
            "memory",
            "Points of the hand",
            "strict",
            {"strict": "counted in the head", "assist": "the table shows each player his own"},
        ),
        Option(
            "endgame_follow",
            "Last tricks",
            "strict",
            {"strict": "beat, follow or trump if you can", "suit-only": "follow suit if you can"},
            "How to answer once nobody draws any more.",
        ),
        switch("late_marriages", "Late marriages", default=False, help="Also once the stock is used up."),
        Option(
            "close_window",
            "Closing",
            "either",
            {"either": "before or after the draw", "after-draw": "after the draw only"},
            "With the second the table draws for both by itself.",
        ),
        switch(
            "close_snapshot",
            "Freeze at closing",
            default=False,
            help="A closer's win is paid by what the other had when the stock was closed.",
        ),
        numbers(
            "trickless_penalty",
            "Penalty without a trick",
            (2, 3),
            default=2,
            help="For a wrong claim or a failed close while the other has no trick.",
        ),
        numbers("last_trick_bonus", "Last trick", (10, 0), default=10, help="Points for the twelfth trick."),
    )

    strength_means: ClassVar[str] = "its card points"

    def hand_strength(self, hand: Sequence[Card]) -> int:
        return card_points(hand)

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> SixtySixState:
        return SixtySixState(options, decks, dealer)

    def parse(self, text: str) -> SixtySixMove:
        return _read_move(text)

    def attempt(self, view: SixtySixView, picks: Sequence[str]) -> SixtySixMove:
        """A card of the hand, two as a marriage, the nine with the upcard; or the stock or the upcard alone."""
        mine = [pick for pick in picks if pick in view.hand]
        takes_upcard = "upcard" in picks or view.upcard in picks
        if len(mine) > 1:
            return _meant_marriage(mine)
        if mine:
            return EXCHANGE if takes_upcard else _LAY[mine[0]]
        if takes_upcard:
            return CLOSE
        if "stock" in picks:
            return DRAW
        if any(pick.startswith("won:") for pick in picks):
            return LOOK_BACK
        raise UnreadableMove("Choose a card of your own hand to play.", rule="sixty-six:trick-winner")

    def sample(self, view: SixtySixView, rng: Random) -> SixtySixState:
        """`rng` deals the cards that were never seen: the other's hand and the stock."""
        state = SixtySixState(view.options, Decks(random_decks(PACK, rng)), view.dealer)
        _copy_public(view, state)
        if view.phase is OVER:
            return state
        _remember(view.memory, state)
        for seat in range(SEATS):
            state.hands[seat] = list(view.hand if seat == view.seat else view.memory.known[seat])
        placed = {*state.cards()}
        hidden = [card for card in PACK if card not in placed]
        rng.shuffle(hidden)
        for seat, count in enumerate(view.hand_counts):
            missing = count - len(state.hands[seat])
            state.hands[seat] = _held(state.hands[seat] + [hidden.pop() for _ in range(missing)])
        state.stock = [hidden.pop() for _ in range(view.stock_count)]
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> SixtySixState:
        """A position; every key may be left out. Seats are 0 and 1, or A and B.

        options: by name. dealer: seat 1 if not given. scores: game points. carry: what ties add to the next hand.
        hands_played: before this one. phase: lead, follow, after (a trick is won, nothing drawn yet), final (all tricks
        are played) or over; follow if a card was led, else lead. to_move: the non-dealer if not given.
        hands: by seat, or under A and B. upcard: null once it is drawn; trump: its suit, needed without an upcard.
        stock: face down, the next card first, without the upcard; or `stock_count` cards that lie nowhere else, as
        many as there can be if neither is given. led: the card to be answered. last_trick: the one still shown.
        won: the cards of tricks, by seat. points and tricks are counted from them, or given where some are left out;
        points include marriage_points and, in the final phase, the last trick's; pending ones wait for a trick.
        declared: the suit that must be led now. closed_by: seat. at_close: points and tricks of its opponent at
        that time. known: cards in hands that were seen getting there.
        """
        reader = _Reader(self, _with_numbers(data), _POSITION_KEYS)
        return reader.read(Decks(numbered_decks(PACK) if deals is None else deals))


def _copy_public(view: SixtySixView, state: SixtySixState) -> None:
    """What everybody sees, without the cards in hands and stock."""
    state.phase, state.to_act = view.phase, view.to_act
    state.scores, state.results = list(view.scores), view.results
    state.carry, state.hands_played = view.carry, view.hands_played
    state.trump, state.closed_by, state.declared = view.trump, view.closed_by, view.declared
    state.upcard, state.led, state.last_trick = view.upcard, view.led, view.last_trick
    state.tricks = list(view.tricks)
    state.told = view.log[: len(view.log) - len(view.moments)]
    state.deeds, state.trick_from = list(view.moments), view.trick_from


def _remember(memory: Memory, state: SixtySixState) -> None:
    state.won = [list(cards) for cards in memory.won]
    state.points, state.marriage_points = list(memory.points), list(memory.marriage_points)
    state.pending, state.known = list(memory.pending), list(memory.known)
    state.at_close = memory.at_close
    if memory.turned_down is not None:
        state.upcard = memory.turned_down


# Reading positions

_LETTERS = {"A": 0, "B": 1}
_BY_SEAT = ("hands", "won", "points", "tricks", "marriage_points", "pending", "known", "scores")


def _with_numbers(data: Any) -> Any:
    """The position with seats 0 and 1 where it says A and B."""
    if not isinstance(data, Mapping):
        return data
    found = {key: value for key, value in data.items() if key not in _LETTERS}
    if len(found) < len(data):
        if "hands" in data:
            raise ImpossiblePosition("hands, A, B: write the hands in one way only.")
        found["hands"] = {seat: data[letter] for letter, seat in _LETTERS.items() if letter in data}
    for key in ("dealer", "to_move", "closed_by"):
        if isinstance(found.get(key), str):
            found[key] = _LETTERS.get(found[key].upper(), found[key])
    for key in _BY_SEAT:
        if isinstance(found.get(key), Mapping):
            found[key] = {_LETTERS.get(str(seat).upper(), seat): value for seat, value in found[key].items()}
    return found


class _Reader(PositionReader):
    """Reads a position into a fresh state, zone by zone. :raises ImpossiblePosition:"""

    state: SixtySixState

    def read(self, decks: Decks) -> SixtySixState:
        dealer = self.seat("dealer", 1)
        assert dealer is not None, "it has a default"
        self.state = SixtySixState(self.options, decks, dealer)
        self._read_scores()
        if self.state.is_decided():
            if self._phase(OVER) is not OVER:
                raise ImpossiblePosition("phase: with these scores the game is over.")
            return self.state
        self._read_cards()
        self._read_turn()
        self._read_counts()
        if self.state.phase is AFTER:
            self._check_after(self.state.to_act[0])
        self._read_memory()
        return self.state

    def _read_scores(self) -> None:
        state = self.state
        state.scores = self.numbers("scores", high=state.target + HAND_CAP)
        state.carry = self.number("carry", 0, high=HAND_CAP)
        state.hands_played = self.number("hands_played", 0, high=HAND_CAP)
        if min(state.scores) >= state.target:
            raise ImpossiblePosition("scores: only one player can have reached the target.")

    def _phase(self, default: Phase) -> Phase:
        try:
            return Phase(str(self.data.get("phase") or default).lower())
        except ValueError:
            raise ImpossiblePosition(f"phase: choose one of {', '.join(Phase)}.") from None

    def _card(self, key: str) -> Card | None:
        cards = card_list(self.data.get(key), key)
        if len(cards) > 1:
            raise ImpossiblePosition(f"{key}: it is one card.")
        return cards[0] if cards else None

    def _read_cards(self) -> None:
        state = self.state
        hands, state.won = self.card_lists("hands"), self.card_lists("won")
        state.upcard, state.led = self._card("upcard"), self._card("led")
        state.stock = card_list(self.data.get("stock"), "stock")[::-1]
        state.hands = hands
        check_cards(state.cards(), PACK)
        state.hands = [_held(hand) for hand in hands]
        if max(map(len, hands)) > HAND_CARDS:
            raise ImpossiblePosition(f"hands: nobody holds more than {HAND_CARDS} cards.")
        state.trump = self._suit("trump") or (state.upcard[1] if state.upcard else "")
        if not state.trump:
            raise ImpossiblePosition("trump: without an upcard the suit of the trumps is needed.")
        if state.upcard and state.upcard[1] != state.trump:
            raise ImpossiblePosition("trump: it is the suit of the upcard.")
        state.closed_by = self.seat("closed_by", None)
        self._fill_stock()

    def _suit(self, key: str) -> str | None:
        value = self.data.get(key)
        if value is None:
            return None
        if str(value).upper() not in SUIT_NAMES:
            raise ImpossiblePosition(f"{key}: write one of the suits C, D, H and S.")
        return str(value).upper()

    def _fill_stock(self) -> None:
        """Face-down cards that lie nowhere else, under those that are named."""
        state = self.state
        placed = set(state.cards())
        unseen = [card for card in _FILLER if card not in placed]
        named = len(state.stock)
        count = self.number("stock_count", self._likely_stock(named, len(unseen)), high=STOCK_CARDS)
        if not named <= count <= named + len(unseen):
            raise ImpossiblePosition(f"stock_count: there cannot be {count} cards in the stock.")
        state.stock = unseen[: count - named] + state.stock
        if state.stock and not state.upcard and state.closed_by is None:
            raise ImpossiblePosition("upcard: it lies there as long as there is a stock.")
        if state.is_open and count % 2 == 0:
            raise ImpossiblePosition(
                "stock: both draw each time and the upcard goes last, so an odd number lies there."
            )

    def _likely_stock(self, named: int, unseen: int) -> int:
        """The number of cards where none is given: with an upcard as many as there can be."""
        if self.data.get("stock") is not None or not self.state.upcard:
            return named
        most = min(STOCK_CARDS, unseen)
        return most if most % 2 else max(most - 1, 0)

    def _read_turn(self) -> None:
        state = self.state
        phase = self._phase(FOLLOW if state.led else LEAD)
        if phase is OVER:
            raise ImpossiblePosition("phase: the game is not over before somebody reaches the target.")
        seat = self.seat("to_move", 1 - state.dealer)
        assert seat is not None, "it has a default"
        state._turn(phase, seat)
        if (phase is FOLLOW) != (state.led is not None):
            raise ImpossiblePosition("led: it belongs to the phase follow, and that phase to a card led.")
        if phase is FOLLOW and len(state.hands[1 - seat]) == HAND_CARDS:
            raise ImpossiblePosition(f"hands: who has led holds fewer than {HAND_CARDS} cards.")
        if phase is LEAD and not state.hands[seat]:
            raise ImpossiblePosition("hands: the seat to lead needs a card.")
        if phase is FINAL and (any(state.hands) or state.upcard or state.closed_by is not None):
            raise ImpossiblePosition("phase: in the final phase no cards are left, and nobody has closed.")

    def _read_counts(self) -> None:
        """Points and tricks, from the cards won or as they are given."""
        state = self.state
        state.marriage_points = self._marriages("marriage_points")
        state.pending = self._marriages("pending")
        if any(len(cards) % 2 for cards in state.won):
            raise ImpossiblePosition("won: a trick has two cards.")
        state.points = [card_points(cards) for cards in state.won]
        state.points = [has + more for has, more in zip(state.points, state.marriage_points, strict=True)]
        if state.phase is FINAL:
            state.points[state.to_act[0]] += int(state.options["last_trick_bonus"])
        counted, state.points = state.points, self._given("points", state.points) or state.points
        taken = [len(cards) // 2 for cards in state.won]
        likely = taken if any(taken) else [min(has, 1) for has in state.points]
        state.tricks = self._given("tricks", taken) or likely
        for seat in range(SEATS):
            if state.pending[seat] and state.tricks[seat]:
                raise ImpossiblePosition("pending: these points count from the first trick on.")
            if state.points[seat] and not state.tricks[seat]:
                raise ImpossiblePosition("points: without a trick nothing counts; write marriages as pending.")
            if taken[seat] == state.tricks[seat] and state.points[seat] != counted[seat]:
                raise ImpossiblePosition(f"points: from the cards won they are {counted[0]} and {counted[1]}.")

    def _marriages(self, key: str) -> list[int]:
        found = self.numbers(key, high=100)
        if any(points % PLAIN_MARRIAGE for points in found):
            raise ImpossiblePosition(f"{key}: marriages count {TRUMP_MARRIAGE} or {PLAIN_MARRIAGE} each.")
        return found

    def _given(self, key: str, least: Sequence[int]) -> list[int] | None:
        """The numbers given, None if none are. least: what the cards named in `won` count; others may be left out."""
        if self.data.get(key) is None:
            return None
        given = self.numbers(key, high=250)
        if any(number < fewest for number, fewest in zip(given, least, strict=True)):
            raise ImpossiblePosition(f"{key}: from the cards won they are at least {least[0]} and {least[1]}.")
        return given

    def _check_after(self, seat: int) -> None:
        state = self.state
        if not state.is_open or state.options["close_window"] == "after-draw":
            raise ImpossiblePosition("phase: after a trick one waits only if the stock is open to be closed.")
        if max(map(len, state.hands)) >= HAND_CARDS or not state.tricks[seat]:
            raise ImpossiblePosition("phase: after a trick hands have five cards, and the seat to move won it.")

    def _read_memory(self) -> None:
        """What was seen in this hand and matters later."""
        state = self.state
        state.last_trick = tuple(card_list(self.data.get("last_trick"), "last_trick"))
        if len(state.last_trick) not in (0, 2) or not {*state.last_trick} <= {*state.won[0], *state.won[1]}:
            raise ImpossiblePosition("last_trick: it has two cards, which lie in the tricks won.")
        if state.last_trick and state.led:
            raise ImpossiblePosition("last_trick: it is turned down when the next card is led.")
        state.known = [frozenset(cards) for cards in self.card_lists("known")]
        if not all(state.known[seat] <= {*state.hands[seat]} for seat in range(SEATS)):
            raise ImpossiblePosition("known: these cards lie in the hand of that seat.")
        self._read_declared()
        self._read_closing()

    def _read_declared(self) -> None:
        state = self.state
        state.declared = self._suit("declared")
        if state.declared is None:
            return
        seat = state.to_act[0]
        if state.phase is not LEAD or not {*pair_of(state.declared)} <= {*state.hands[seat]}:
            raise ImpossiblePosition("declared: the seat to lead holds king and queen of that suit.")
        state.known[seat] |= {*pair_of(state.declared)}

    def _read_closing(self) -> None:
        state = self.state
        if state.closed_by is None:
            return
        other = 1 - state.closed_by
        found = self.data.get("at_close")
        if found is None:
            found = (state.points[other], state.tricks[other])
        if not isinstance(found, Sequence) or len(found) != 2 or not all(type(number) is int for number in found):
            raise ImpossiblePosition("at_close: write points and tricks, such as [14, 1].")
        state.at_close = (found[0], found[1])


SIXTY_SIX = SixtySix()
