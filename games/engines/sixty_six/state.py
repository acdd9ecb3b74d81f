"""The state of a game of Sixty-Six: dealing, legal moves, play, the end of a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, Self

from games.core.cards import SUITS, Card
from games.core.contract import (
    Event,
    HandResult,
    IllegalMove,
    Move,
    NotYourTurn,
    Options,
    Outcome,
    Phrase,
    Position,
    ScoreLine,
    State,
    Zone,
    open_zone,
    places,
)
from games.core.deals import Decks
from games.core.tricks import beats, of_suit
from games.engines.sixty_six.moves import (
    AFTER,
    CLAIM,
    CLOSE,
    DRAW,
    END,
    EXCHANGE,
    FINAL,
    FOLLOW,
    LAY_OF,
    LEAD,
    MARRY_OF,
    OVER,
    PLAIN_MARRIAGE,
    POINTS,
    RANKS,
    SEATS,
    TRUMP_MARRIAGE,
    Lay,
    Marry,
    Phase,
    SixtySixMove,
    held_cards,
    pair_of,
)
from games.engines.sixty_six.scoring import GOAL, HALF, HAND_CAP, PENALTY, RULE_TEXTS
from games.engines.sixty_six.view import Memory, SixtySixView
from games.engines.sixty_six.words import OUT_OF_TURN, counted


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
        self.hands[eldest] = held_cards(deck[0:3] + deck[6:9])
        self.hands[self.dealer] = held_cards(deck[3:6] + deck[9:12])
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
        self.hands[seat] = held_cards((*self.hands[seat], card))

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
        rule = "marriage" if isinstance(move, Marry) else OUT_OF_TURN.get(str(move), "nondealer-leads")
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
        text = f"{RULE_TEXTS[rule]}, {RULE_TEXTS[also]}" if also else RULE_TEXTS[rule]
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
            summary = f"{summary[:-1]}, {counted(gained[winner], 'game point')} for @{winner}."
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
                f"won:{seat}",
                "row",
                f"Tricks of @{seat}",
                cards,
                owner=seat,
                note=counted(self.points[seat], "point"),
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
            "known": [held_cards(cards) for cards in self.known],
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


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"sixty-six:{rule}")
