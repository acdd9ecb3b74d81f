"""A game of Cribbage: the deal, the discards, the play and the show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NoReturn, Self, overload

from games.core.cards import Card
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
)
from games.core.cribbage import FITS, MOST, VALUE, Count, after, pegged, show, side_names, side_seats
from games.core.deals import Decks
from games.core.rummy.deadwood import BIT, CARD, bits, cards, mask, union
from games.engines.partnership_cribbage.moves import (
    AFTER,
    BEST_HAND,
    DEALT,
    DISCARD,
    LAID_AWAY,
    OVER,
    PLAY,
    SHOW,
    Claim,
    CribbageMove,
    Deed,
    Discard,
    Go,
    Muggins,
    Play,
    deed_text,
)
from games.engines.partnership_cribbage.scoring import (
    BY_CARD,
    HEELS,
    NEVER,
    SKUNK_LINES,
    Line,
    Pegging,
    Shown,
    peg_lines,
    show_lines,
    show_order,
    up_to,
)
from games.engines.partnership_cribbage.view import STUCK, CribbageView
from games.engines.partnership_cribbage.words import claim_phrase, counted, deed_event, scored_words

_CLAIMS: tuple[CribbageMove, ...] = tuple(map(Claim, range(BEST_HAND + 1)))
_MUGGINS: tuple[CribbageMove, ...] = tuple(map(Muggins, range(BEST_HAND + 1)))
_PLAY_OF = {bit: Play(card) for bit, card in CARD.items()}
_LOWER_HALF = (1 << 26) - 1

_TURN = ((0,), (1,), (2,), (3,))
_ALL = {2: (0, 1), 4: (0, 1, 2, 3)}

_DISCARDS = [Discard((card,)) for card in CARD.values()]
_DISCARDS_OF_TWO = [[Discard.of({one, other}) for other in CARD.values()] for one in CARD.values()]


# What a hand holds of a part of the pack; few enough to keep them all.


@cache
def _plays(half: int) -> tuple[CribbageMove, ...]:
    return tuple(_PLAY_OF[bit] for bit in bits(half))


@cache
def _places(quarter: int) -> tuple[int, ...]:
    """The places of its cards in the pack."""
    return tuple(bit.bit_length() - 1 for bit in bits(quarter))


def _discards(hand: int, number: int) -> list[CribbageMove]:
    """Every way to lay away one or two cards."""
    found = (
        _places(hand & 0x1FFF)
        + _places(hand & 0x1FFF << 13)
        + _places(hand & 0x1FFF << 26)
        + _places(hand & 0x1FFF << 39)
    )
    if number == 1:
        return [_DISCARDS[place] for place in found]
    return [_DISCARDS_OF_TWO[one][other] for one, other in combinations(found, 2)]


class CribbageState(State):
    """A game of Cribbage. Cards are bits of `games.core.rummy.deadwood`, hands their unions, lists go by seat or side.

    hands: cards still held. kept: the hands as they will be counted. crib: what each seat has laid away.
    starter: 0 before it is turned. stock: the rest of the deck, next card first.
    played: the cards and gos of this deal as seat, card or 0, the count then.
    trail, count: of the count that runs, see `games.core.cribbage`.
    last: who played its last card. stuck: who said go in it, in this order. left: cards held by all.
    pegs, shown: what scored in this deal. claims: what was said of the hands where players count themselves;
    overlooked: what an opponent may name now, None if nobody is asked.
    rear: the rear pegs, by side. before: the scores when the deal began.
    """

    __slots__ = (
        "_decks", "_next_deck", "before", "claims", "count", "crib", "dealer", "hands", "kept", "last", "left",
        "options", "overlooked", "pegs", "phase", "played", "rear", "results", "scores", "seats", "shown", "starter",
        "stock", "stuck", "target", "to_act", "trail",
    )  # fmt: skip

    results: Sequence[HandResult]

    def __init__(self, seats: int, options: Options, decks: Decks, dealer: int) -> None:
        self.seats = seats
        self.options = options
        self.target = int(options["target"])
        self._decks = decks
        self._next_deck = 0
        self.dealer = dealer
        self.scores = [0, 0]
        self.rear = [0, 0]
        self.results = ()

    def clear_table(self) -> None:
        self.phase = OVER
        self.hands = [0] * self.seats
        self.kept = [0] * self.seats
        self.crib = [0] * self.seats
        self.starter = 0
        self.stock: tuple[Card, ...] = ()
        self.played: list[tuple[int, int, int]] = []
        self.pegs: list[Pegging] = []
        self.shown: list[Shown] = []
        self.claims: list[tuple[int, Claim | Muggins]] = []
        self.overlooked: int | None = None
        self.before = self.scores[:]
        self.left = 0
        self.last = 0
        self.trail = 0
        self.count = 0
        self.stuck: tuple[int, ...] = ()
        self.to_act: tuple[int, ...] = ()

    def deal_hand(self) -> None:
        """Clears the table for the next hand, which is dealt when somebody looks at it: few simulations do."""
        self.clear_table()
        self.phase = DISCARD
        self.to_act = _ALL[self.seats]

    def deal(self) -> None:
        """Deals the hand if that is still to be done: one card at a time from the dealer's left."""
        if self.phase is not DISCARD or self.stock:
            return
        deck = self._decks[self._next_deck]
        self._next_deck += 1
        seats = self.seats
        dealt = seats * DEALT[seats]
        found = [BIT[card] for card in deck[:dealt]]
        for place, seat in enumerate(AFTER[seats][self.dealer]):
            self.hands[seat] = sum(found[place::seats])
        self.stock = deck[dealt:]

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in CribbageState.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if type(value) is list else value)
        return twin

    def cards(self) -> list[Card]:
        self.deal()
        found = union(self.hands) | union(self.crib) | union(card for _seat, card, counted in self.played)
        return [*cards(found | self.starter), *self.stock]

    # Legal moves

    def legal_moves(self, seat: int) -> Sequence[CribbageMove]:
        if seat not in self.to_act:
            return ()
        if self.phase is PLAY:
            fitting = self.hands[seat] & FITS[self.count]
            return _plays(fitting & _LOWER_HALF) + _plays(fitting & ~_LOWER_HALF) if fitting else STUCK
        if self.phase is DISCARD:
            self.deal()
            return _discards(self.hands[seat], LAID_AWAY[self.seats])
        return _CLAIMS if self.overlooked is None else _MUGGINS

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn(move)
        _PLAYS[type(move)](self, seat, move)

    def _discard(self, seat: int, move: Discard) -> None:
        self.deal()
        laid = mask(move.cards)
        if self.phase is not DISCARD or laid & ~self.hands[seat] or len(move.cards) != LAID_AWAY[self.seats]:
            self._refuse_discard(seat, move)
        self.hands[seat] ^= laid
        self.crib[seat] = laid
        self.to_act = tuple([other for other in self.to_act if other != seat])
        if not self.to_act:
            self.turn_up()

    def turn_up(self) -> None:
        """Turns up the starter: all cards are laid away, and the play begins."""
        self.starter, self.stock = BIT[self.stock[0]], self.stock[1:]
        self.kept = self.hands[:]
        if not (self.is_heels() and self._peg(self.dealer, (("his-heels", HEELS),))):
            self.begin_play()

    def is_heels(self) -> bool:
        return bool(self.starter) and CARD[self.starter][0] == "J"

    def begin_play(self) -> None:
        """Lets the first holder of cards from the dealer's left lead; without cards it is already the show."""
        self.left = union(self.hands).bit_count()
        if self.left:
            self.phase = PLAY
            self._lead(self._next_holder(self.dealer))
        else:
            self.begin_show()

    def _next_holder(self, seat: int) -> int:
        """The next player clockwise who still has cards; the seat itself comes last."""
        return next(other for other in AFTER[self.seats][seat] if self.hands[other])

    def _lead(self, seat: int) -> None:
        """Starts a new count."""
        self.trail = 0
        self.count = 0
        self.stuck = ()
        self.to_act = _TURN[seat]

    def _play_card(self, seat: int, move: Play) -> None:
        bit = BIT[move.card]
        hand = self.hands[seat]
        if self.phase is not PLAY or not hand & bit & FITS[self.count]:
            self._refuse_card(seat, move.card)
        self.hands[seat] = hand ^ bit
        self.left -= 1
        self.last = seat
        self.trail = after(self.trail, bit)
        gained = pegged(self.trail)
        self.count = gained.reached
        self.played.append((seat, bit, self.count))
        if gained.points and self._peg(seat, peg_lines(gained)):
            return
        if not self.left:
            self._end_play(seat)
        elif self.count == MOST:
            self._lead(self._next_holder(seat))
        else:
            self._pass_on(seat)

    def _go(self, seat: int, _move: Go) -> None:
        if self.phase is not PLAY or self.hands[seat] & FITS[self.count]:
            self._refuse_go(seat)
        self.stuck += (seat,)
        self.played.append((seat, 0, self.count))
        self._pass_on(seat)

    def _pass_on(self, seat: int) -> None:
        """The next player clockwise who has cards and has not said go, until the turn is back at the last card."""
        for other in AFTER[self.seats][seat]:
            if other == self.last:
                if self.hands[other] & FITS[self.count]:
                    self.to_act = _TURN[other]
                else:
                    self._end_count()
                return
            if self.hands[other] and other not in self.stuck:
                self.to_act = _TURN[other]
                return

    def _end_count(self) -> None:
        """Nobody can play below 31."""
        if self._peg(self.last, (("go-point", 1),)):
            return
        if self.options["lead_after_go"] == "left-of-last":
            self._lead(self._next_holder(self.last))
        else:
            self._lead(self.stuck[0] if self.stuck else self.last)

    def _end_play(self, seat: int) -> None:
        """The very last card of the deal has been played."""
        if self.count == MOST or not self._peg(seat, (("last-card", 1),)):
            self.begin_show()

    def _peg(self, seat: int, lines: Iterable[Line]) -> bool:
        """Pegs for the side of a seat, up to the target; whether that ends the game."""
        side, deeds = seat % 2, len(self.played)
        score = self.rear[side] = self.scores[side]
        for rule, points in lines:
            points = min(points, self.target - score)
            if points:
                self.pegs.append(Pegging(deeds, seat, rule, points))
                score += points
        self.scores[side] = score
        if score < self.target:
            return False
        self._end_deal()
        return True

    # The show

    def show_order(self) -> tuple[tuple[int, bool], ...]:
        return show_order(self.seats, self.dealer, self.options["show_order"] == "by-team")

    def worth(self, seat: int, is_crib: bool) -> Count:
        hand = union(self.crib) if is_crib else self.kept[seat]
        four_flush = bool(self.options["four_flush_in_hand"])
        return show(hand, self.starter, is_crib=is_crib, four_flush=four_flush)

    def begin_show(self) -> None:
        """Counts hands and crib. A position without a starter, made by hand, has no show."""
        if not self.starter:
            self._end_deal()
        elif self.options["counting"] == "auto":
            self._show_all()
        else:
            self.phase = SHOW
            self.hands = self.kept[:]
            self._ask()

    def _show_all(self) -> None:
        for seat, is_crib in self.show_order():
            if self._score_show(seat, is_crib, seat, self.worth(seat, is_crib).total):
                return
        self._end_deal()

    def _score_show(self, owner: int, is_crib: bool, seat: int, points: int) -> bool:
        """Scores a hand or crib for the side of `seat`; whether that ends the game."""
        side = seat % 2
        score = self.scores[side]
        points = min(points, self.target - score)
        self.shown.append(Shown(owner, is_crib, seat, points))
        if points:
            self.rear[side] = score
            self.scores[side] = score + points
        if score + points < self.target:
            return False
        self._end_deal()
        return True

    def counted_now(self) -> tuple[int, bool] | None:
        """The hand or crib (True) that is being counted, and its owner."""
        if self.phase is not SHOW:
            return None
        done = sum(one.owner == one.seat for one in self.shown) - (self.overlooked is not None)
        return self.show_order()[done]

    def _ask(self) -> None:
        """Asks the next owner what his cards are worth."""
        self.overlooked = None
        if self.shown and self.shown[-1].is_crib:
            self._end_deal()
        else:
            self.to_act = _TURN[self._now()[0]]

    def _now(self) -> tuple[int, bool]:
        now = self.counted_now()
        assert now is not None, "somebody counts"
        return now

    def _claim(self, seat: int, move: Claim) -> None:
        if self.phase is not SHOW or self.overlooked is not None:
            self._refuse_count()
        owner, is_crib = self._now()
        worth = self.worth(owner, is_crib).total
        self.claims.append((seat, move))
        if self._score_show(owner, is_crib, owner, min(move.points, worth)):
            return
        if self.options["counting"] == "muggins" and move.points <= worth:
            self.overlooked = worth - move.points
            self.to_act = _TURN[AFTER[self.seats][seat][0]]
        else:
            self._ask()

    def _muggins(self, seat: int, move: Muggins) -> None:
        if self.overlooked is None:
            self._refuse_count()
        owner, is_crib = self._now()
        self.claims.append((seat, move))
        if not self._score_show(owner, is_crib, seat, min(move.points, self.overlooked)):
            self._ask()

    def _end_deal(self) -> None:
        self.results = Sheets.of(self.results, FinishedDeal(len(self.results) + 1, self))
        if max(self.scores) >= self.target:
            self.clear_table()
        else:
            self.dealer = AFTER[self.seats][self.dealer][0]
            self.deal_hand()

    # Positions

    def restore(
        self,
        deeds: Iterable[tuple[int, CribbageMove]],
        claims: Iterable[tuple[int, CribbageMove]],
        *,
        leader: int | None,
        scores: Sequence[int],
    ) -> None:
        """Plays a deal again whose cards lie ready as when the play began; without a leader it goes to the show.

        scores: those after these deeds and claims. :raises IllegalMove: one of them could not have been made.
        """
        self.scores, self.target = [0, 0], NEVER
        self.kept = self.hands[:]
        if self.is_heels():
            self._peg(self.dealer, (("his-heels", HEELS),))
        if leader is None:
            self.begin_show()
        else:
            self.begin_play()
            self._lead(leader)
        for seat, move in (*deeds, *claims):
            self.play(seat, move)
        self.target = int(self.options["target"])
        self.before = [score - gained for score, gained in zip(scores, self.scores, strict=True)]
        self.scores = list(scores)

    # Refusals

    def _refuse_turn(self, move: Move) -> NoReturn:
        rule, message = self._why_not(move)
        raise NotYourTurn(message, rule=f"partnership-cribbage:{rule}")

    def _why_not(self, move: Move) -> tuple[str, str]:
        if self.phase is OVER:
            return "game-121", "The game is over; start another one."
        if self.phase is DISCARD:
            return "discard-final", "Your discard is made and stays; the play starts when all are in."
        if isinstance(move, Discard):
            return "discard-final", "The discards are made and stay; wait for your turn."
        if self.phase is SHOW:
            return "show-order", "Another player counts now; hands are counted in their order."
        if self.count or not self.played:
            return "turn-order", "It is another player's turn; turns go clockwise."
        if self.played[-1][2] == MOST:
            return "lead-after-31", "After 31 the next player with cards leads; wait for that card."
        return "lead-after-go", "Another player leads after this go; wait for that card."

    def _refuse_discard(self, seat: int, move: Discard) -> NoReturn:
        if self.phase is not DISCARD:
            _refuse("discard-final", "The discards are made and stay; " + self._what_now())
        number = LAID_AWAY[self.seats]
        if len(move.cards) != number:
            _refuse("crib-discard", f"Everybody lays away {counted(number, 'card')}; choose that many.")
        missing = cards(mask(move.cards) & ~self.hands[seat])
        _refuse("crib-discard", f"You do not hold {missing[0]}; lay away cards of your hand.")

    def _refuse_card(self, seat: int, card: Card) -> NoReturn:
        if self.phase is not PLAY:
            self._refuse_early_or_late()
        if not self.hands[seat] & BIT[card]:
            _refuse("turn-order", f"You do not hold {card}; " + self._what_now())
        reached, room = self.count + VALUE[BIT[card]], MOST - self.count
        _refuse("count-limit", f"{card} would take the count to {reached}; {self._within(seat, room)}")

    def _within(self, seat: int, room: int) -> str:
        return f"play a card of {room} or less." if self.hands[seat] & FITS[self.count] else "say go."

    def _refuse_go(self, seat: int) -> NoReturn:
        if self.phase is not PLAY:
            self._refuse_early_or_late()
        card = cards(self.hands[seat] & FITS[self.count])[0]
        _refuse("must-play", f"You can play {card}, so you may not say go; play a card that fits.")

    def _refuse_early_or_late(self) -> NoReturn:
        if self.phase is DISCARD:
            _refuse("crib-discard", "The play has not begun; " + self._what_now())
        _refuse("play-all", "All cards have been played; " + self._what_now())

    def _refuse_count(self) -> NoReturn:
        if self.options["counting"] == "auto":
            _refuse("auto-count", "The table counts all hands; " + self._what_now())
        _refuse("show-order", "Now is not the time for this number; " + self._what_now())

    def _what_now(self) -> str:
        if self.phase is DISCARD:
            return f"lay away {counted(LAID_AWAY[self.seats], 'card')} first."
        if self.phase is PLAY:
            return "play a card that fits, or say go if none does."
        return "name what the cards are worth." if self.overlooked is None else "name what was overlooked."

    # The end of the game

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        winner = 0 if self.scores[0] > self.scores[1] else 1
        theirs = self.scores[1 - winner]
        games = 1 + sum(theirs <= line for line in SKUNK_LINES[self.target])
        skunk = ("", ", a skunk", ", a double skunk")[games - 1]
        lines: tuple[ScoreLine, ...] = ()
        if games > 1 and self.options["skunk"]:
            counts = f"The game counts as {('two', 'three')[games - 2]}"
            lines = (ScoreLine(side_seats(winner, self.seats), "partnership-cribbage:skunk", counts, 0),)
        reason = f"{side_names(winner, self.seats)} reached {self.target} against {theirs}{skunk}."
        by_seat = tuple(self.scores[seat % 2] for seat in range(self.seats))
        return Outcome(by_seat, tuple(1 if seat % 2 == winner else 2 for seat in range(self.seats)), reason, lines)

    # Views and positions

    def view(self, seat: int | None) -> CribbageView:
        self.deal()
        now = self.counted_now()
        seats = range(self.seats)
        return CribbageView(
            seat=seat,
            seats=self.seats,
            options=self.options,
            to_act=self.to_act,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores[seat % 2] for seat in seats),
            log=tuple(self._events()),
            results=tuple(self.results),
            dealer=self.dealer,
            phase=self.phase,
            hand=() if seat is None else cards(self.hands[seat]),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            open_hands=tuple(map(cards, self.hands)) if now else (),
            laid_away=() if seat is None else cards(self.crib[seat]),
            crib_counts=tuple(laid.bit_count() for laid in self.crib),
            open_crib=cards(union(self.crib)) if now and now[1] else (),
            starter=CARD.get(self.starter),
            stock_count=len(self.stock),
            played=tuple(Deed(seat, CARD.get(card), count) for seat, card, count in self.played),
            count=self.count,
            pegs=tuple(self.pegs),
            shown=tuple(self.shown),
            claims=tuple(self.claims),
            counted_now=now,
            overlooked=self.overlooked is not None,
            rear=tuple(self.rear),
        )

    def _events(self) -> Iterator[Event]:
        """What everybody saw since the last hand ended, oldest first."""
        for result in self.results[-1:]:
            yield Event(None, Phrase("", f"Hand {result.number}: {result.summary}"))
        for seat in AFTER[self.seats][self.dealer]:
            if self.crib[seat]:
                laid = counted(self.crib[seat].bit_count(), "card")
                yield Event(seat, Phrase("lay", f"{laid} away to the crib of @{self.dealer}"), ("crib",))
        if self.starter:
            yield Event(None, Phrase("", f"{CARD[self.starter]} is turned up"), (CARD[self.starter],))
        yield from self._table_events(0)
        for number, (seat, card, count) in enumerate(self.played, start=1):
            gained = [peg for peg in self.pegs if peg.deeds == number and peg.rule in BY_CARD]
            yield deed_event(seat, CARD.get(card), count, gained)
            yield from self._table_events(number)
        yield from (Event(seat, claim_phrase(move)) for seat, move in self.claims)

    def _table_events(self, deeds: int) -> Iterator[Event]:
        """What was pegged after so many deeds by no card: his heels, a go, the last card."""
        for peg in self.pegs:
            if peg.deeds == deeds and peg.rule not in BY_CARD:
                yield Event(None, Phrase("", f"@{peg.seat} pegs {peg.points} for {scored_words(peg.rule, peg.points)}"))

    def dump(self) -> Position:
        self.deal()
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "dealer": self.dealer,
            "phase": str(self.phase),
            "to_move": self.to_act[0] if self.to_act else None,
            "hands": [list(cards(hand)) for hand in self.hands],
            "crib": [list(cards(laid)) for laid in self.crib],
            "starter": CARD.get(self.starter),
            "stock": list(self.stock),
            "played": [deed_text(Deed(seat, CARD.get(card), count)) for seat, card, count in self.played],
            "claims": [f"{seat}:{move}" for seat, move in self.claims],
            "scores": self.scores[:],
            "rear": self.rear[:],
        }


_PLAYS: Mapping[type[Move], Callable[[CribbageState, int, Any], None]] = {
    Discard: CribbageState._discard,
    Play: CribbageState._play_card,
    Go: CribbageState._go,
    Claim: CribbageState._claim,
    Muggins: CribbageState._muggins,
}


def _refuse(rule: str, message: str) -> NoReturn:
    raise IllegalMove(message, rule=f"partnership-cribbage:{rule}")


# Finished deals


class FinishedDeal:
    """What is needed to write out the result of a deal, should anybody read it."""

    __slots__ = (
        "_result", "crib", "dealer", "four_flush", "gained", "hands", "number", "pegs", "seats", "shown", "starter",
    )  # fmt: skip

    def __init__(self, number: int, state: CribbageState) -> None:
        self._result: HandResult | None = None
        self.number = number
        self.seats = state.seats
        self.dealer = state.dealer
        self.starter = state.starter
        self.hands = state.kept
        self.crib = state.crib
        self.four_flush = bool(state.options["four_flush_in_hand"])
        self.pegs = state.pegs
        self.shown = state.shown
        self.gained = (state.scores[0] - state.before[0], state.scores[1] - state.before[1])

    @property
    def result(self) -> HandResult:
        if self._result is None:
            self._result = self._written()
        return self._result

    def _written(self) -> HandResult:
        sides = " and ".join(f"{gained} for {side_names(side, self.seats)}" for side, gained in enumerate(self.gained))
        return HandResult(
            number=self.number,
            summary=f"Points: {sides}.",
            points=tuple(self.gained[seat % 2] for seat in range(self.seats)),
            lines=tuple(self._lines()),
            zones=tuple(self._zones()),
        )

    def _worth(self, owner: int, is_crib: bool) -> Count:
        hand = union(self.crib) if is_crib else self.hands[owner]
        return show(hand, self.starter, is_crib=is_crib, four_flush=self.four_flush)

    def _lines(self) -> Iterator[ScoreLine]:
        for peg in self.pegs:
            text = f"@{peg.seat}: {scored_words(peg.rule, peg.points)}"
            yield self._line(peg.seat, peg.rule, text, peg.points)
        for one in self.shown:
            whose = f"{'Crib' if one.is_crib else 'Hand'} of @{one.owner}"
            if one.owner != one.seat:
                yield self._line(one.seat, "auto-count", f"{whose}: overlooked", one.points)
                continue
            lines = show_lines(self._worth(one.owner, one.is_crib), is_crib=one.is_crib)
            for rule, points in up_to(lines, one.points):
                yield self._line(one.owner, rule, f"{whose}: {scored_words(rule, points)}", points)

    def _line(self, seat: int, rule: str, text: str, points: int) -> ScoreLine:
        return ScoreLine(side_seats(seat % 2, self.seats), f"partnership-cribbage:{rule}", text, points)

    def _zones(self) -> Iterator[Zone]:
        """All hands and the crib are open; a note says what they gave to their owner, if they were counted."""
        given = {(one.owner, one.is_crib): one.points for one in self.shown if one.owner == one.seat}
        for seat in AFTER[self.seats][self.dealer]:
            yield self._zone(f"hand:{seat}", f"Hand of @{seat}", self.hands[seat], seat, given.get((seat, False)))
        crib = given.get((self.dealer, True))
        yield self._zone("crib", f"Crib of @{self.dealer}", union(self.crib), self.dealer, crib)
        yield self._zone("starter", "Starter", self.starter, None, None)

    def _zone(self, id: str, label: str, hand: int, owner: int | None, points: int | None) -> Zone:
        note = "" if points is None else counted(points, "point")
        return open_zone(id, "row", label, cards(hand), owner=owner, note=note)


class Sheets(Sequence[HandResult]):
    """The results of finished deals, each written out when it is first read: games that nobody watches never are."""

    __slots__ = ("_deals",)

    def __init__(self, deals: tuple[HandResult | FinishedDeal, ...]) -> None:
        self._deals = deals

    @classmethod
    def of(cls, results: Sequence[HandResult], last: FinishedDeal) -> Self:
        return cls((*(results._deals if isinstance(results, Sheets) else results), last))

    def __len__(self) -> int:
        return len(self._deals)

    @overload
    def __getitem__(self, index: int) -> HandResult: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[HandResult, ...]: ...
    def __getitem__(self, index: int | slice) -> HandResult | tuple[HandResult, ...]:
        if isinstance(index, slice):
            return tuple(_written(deal) for deal in self._deals[index])
        return _written(self._deals[index])


def _written(deal: HandResult | FinishedDeal) -> HandResult:
    return deal if isinstance(deal, HandResult) else deal.result
