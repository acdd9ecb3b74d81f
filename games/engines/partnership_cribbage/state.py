"""The state of Cribbage: dealing, legal moves, play and show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NoReturn

from games.core.card_bits import BIT, CARD, bits, cards, mask, union
from games.core.cards import Card
from games.core.contract import Event, Game, Move, Options, Outcome
from games.core.cribbage import FITS, MOST, VALUE, Count, after, pegged, show
from games.core.deals import Decks
from games.core.dealt import DealtState
from games.core.words import counted
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
    Pegging,
    Phase,
    Play,
    Shown,
)
from games.engines.partnership_cribbage.scoring import (
    HEELS,
    FinishedDeal,
    LateResult,
    Line,
    game_outcome,
    peg_lines,
    show_order,
)
from games.engines.partnership_cribbage.view import STUCK, CribbageView
from games.engines.partnership_cribbage.words import (
    BY_CARD,
    claim_phrase,
    deed_event,
    laid_event,
    pegged_event,
    result_event,
    starter_event,
    what_now,
    who_leads_after_go,
    why_not_now,
)

_CLAIMS: tuple[CribbageMove, ...] = tuple(map(Claim, range(BEST_HAND + 1)))
_MUGGINS: tuple[CribbageMove, ...] = tuple(map(Muggins, range(BEST_HAND + 1)))
_PLAY_OF = {bit: Play(card) for bit, card in CARD.items()}
_LOWER_HALF = (1 << 26) - 1

_NEVER = 1000  # a target that no deal reaches
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


class CribbageState(DealtState):
    """A game of Cribbage. Cards are bits of `games.core.card_bits`, hands their unions.

    Lists go by seat; scores, rear (the rear pegs) and before (the scores when the deal began) by side.
    hands: cards still held. kept: the hands as they will be counted. crib: what each seat has laid away.
    starter: 0 before it is turned. stock: the rest of the deck, next card first.
    played: the cards and gos of this deal as seat, card or 0, the count then.
    trail, count: of the count that runs, see `games.core.cribbage`.
    last: who played its last card. stuck: who said go in it, in this order. left: cards held by all.
    pegs, shown: what scored in this deal. claims: what was said of the hands where players count themselves;
    overlooked: what an opponent may name now, None if nobody is asked.
    """

    __slots__ = (
        "before", "claims", "count", "crib", "hands", "kept", "last", "left", "overlooked", "pegs", "phase", "played",
        "rear", "shown", "starter", "stock", "stuck", "target", "trail",
    )  # fmt: skip

    PUBLIC = (*DealtState.PUBLIC, "deal_number", "phase", "count")

    target: int
    phase: Phase
    hands: list[int]
    kept: list[int]
    crib: list[int]
    starter: int
    stock: tuple[Card, ...]
    played: list[tuple[int, int, int]]
    trail: int
    count: int
    last: int
    stuck: tuple[int, ...]
    left: int
    pegs: list[Pegging]
    shown: list[Shown]
    claims: list[tuple[int, Claim | Muggins]]
    overlooked: int | None
    rear: list[int]
    before: list[int]

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.target = int(options["target"])
        self.scores = [0, 0]
        self.rear = [0, 0]
        self.before = [0, 0]

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act = ()
        self.hands = [0] * self.seats
        self.kept = [0] * self.seats
        self.crib = [0] * self.seats
        self.starter = 0
        self.stock = ()
        self.played = []
        self.pegs = []
        self.shown = []
        self.claims = []
        self.overlooked = None
        self.before = self.scores[:]
        self.left = 0
        self.last = 0
        self.trail = 0
        self.count = 0
        self.stuck = ()

    def deal_hand(self) -> None:
        """Clears the table for the next hand, which is dealt when its cards are first needed: few simulations do."""
        self.clear_table()
        self.phase = DISCARD
        self.to_act = _ALL[self.seats]

    def deal_cards(self) -> None:
        """Deals the hand if that is still to be done: one card at a time from the dealer's left."""
        if self.phase is not DISCARD or self.stock:
            return
        deck = tuple(self.next_deck())
        seats = self.seats
        dealt = seats * DEALT[seats]
        found = [BIT[card] for card in deck[:dealt]]
        for place, seat in enumerate(AFTER[seats][self.dealer]):
            self.hands[seat] = sum(found[place::seats])
        self.stock = deck[dealt:]

    def cards(self) -> list[Card]:
        self.deal_cards()
        found = union(self.hands) | union(self.crib) | union(card for _seat, card, _count in self.played)
        return [*cards(found | self.starter), *self.stock]

    # Legal moves

    def legal_moves(self, seat: int) -> Sequence[CribbageMove]:
        if seat not in self.to_act:
            return ()
        if self.phase is PLAY:
            fitting = self.hands[seat] & FITS[self.count]
            return _plays(fitting & _LOWER_HALF) + _plays(fitting & ~_LOWER_HALF) if fitting else STUCK
        if self.phase is DISCARD:
            self.deal_cards()
            return _discards(self.hands[seat], LAID_AWAY[self.seats])
        return _CLAIMS if self.overlooked is None else _MUGGINS

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            ended_at = self.played[-1][2] if self.played and not self.count else None
            after_go = who_leads_after_go(self.options["lead_after_go"], is_last=self.to_act == (self.last,))
            self.game.refuse_turn(*why_not_now(self.phase, ended_at, after_go, is_discard=isinstance(move, Discard)))
        _PLAYS[type(move)](self, seat, move)

    def _discard(self, seat: int, move: Discard) -> None:
        self.deal_cards()
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
        """Ends a count below 31, because no player can go on."""
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
        self.end_hand()
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
            self.end_hand()
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
        self.end_hand()

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
        self.end_hand()
        return True

    def counted_now(self) -> tuple[int, bool] | None:
        """The hand or crib (True) that is being counted, and its owner."""
        if self.phase is not SHOW:
            return None
        done = sum(one.owner == one.seat for one in self.shown) - (self.overlooked is not None)
        return self.show_order()[done]

    def _ask(self) -> None:
        """Asks the next owner what the cards are worth."""
        self.overlooked = None
        if self.shown and self.shown[-1].is_crib:
            self.end_hand()
        else:
            self.to_act = _TURN[self._now()[0]]

    def _now(self) -> tuple[int, bool]:
        now = self.counted_now()
        assert now is not None, "a hand is being counted"
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

    def end_hand(self) -> None:
        """Writes the deal down, then begins the next one or ends the game."""
        deal = FinishedDeal(
            number=self.deal_number,
            seats=self.seats,
            dealer=self.dealer,
            hands=self.kept,
            crib=self.crib,
            starter=self.starter,
            four_flush=bool(self.options["four_flush_in_hand"]),
            pegs=self.pegs,
            shown=self.shown,
            gained=(self.scores[0] - self.before[0], self.scores[1] - self.before[1]),
        )
        self.results += (LateResult(deal),)
        self.deal_number += 1
        if self.is_decided():
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
        self.scores, self.target = [0, 0], _NEVER
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

    def _refuse_discard(self, seat: int, move: Discard) -> NoReturn:
        if self.phase is not DISCARD:
            self.refuse("discard-final", "The discards are final; " + self._what_now())
        number = LAID_AWAY[self.seats]
        if len(move.cards) != number:
            self.refuse(
                "crib-discard",
                f"Each player discards {counted(number, 'card')}; choose exactly {counted(number, 'card')}.",
            )
        missing = cards(mask(move.cards) & ~self.hands[seat])
        self.refuse("crib-discard", f"You don't have {missing[0]}; discard from your hand.")

    def _refuse_card(self, seat: int, card: Card) -> NoReturn:
        if self.phase is not PLAY:
            self._refuse_early_or_late()
        if not self.hands[seat] & BIT[card]:
            instead = "play a card from your hand." if self.hands[seat] & FITS[self.count] else "say go."
            self.refuse("turn-order", f"You don't have {card}; {instead}")
        reached, room = self.count + VALUE[BIT[card]], MOST - self.count
        self.refuse("count-limit", f"{card} would take the count to {reached}; {self._within(seat, room)}")

    def _within(self, seat: int, room: int) -> str:
        return f"play a card of {room} or less." if self.hands[seat] & FITS[self.count] else "say go."

    def _refuse_go(self, seat: int) -> NoReturn:
        if self.phase is not PLAY:
            self._refuse_early_or_late()
        card = cards(self.hands[seat] & FITS[self.count])[0]
        self.refuse("must-play", f"You can play {card}, so you can't say go.")

    def _refuse_early_or_late(self) -> NoReturn:
        if self.phase is DISCARD:
            self.refuse("crib-discard", "The play hasn't started; " + self._what_now())
        self.refuse("play-all", "All cards have been played; " + self._what_now())

    def _refuse_count(self) -> NoReturn:
        if self.options["counting"] == "auto":
            self.refuse("auto-count", "The table counts all hands; " + self._what_now())
        self.refuse("show-order", "There's nothing of yours to count with that number now; " + self._what_now())

    def _what_now(self) -> str:
        return what_now(self.phase, LAID_AWAY[self.seats], is_overlooked_asked=self.overlooked is not None)

    # The end of the game

    def is_decided(self) -> bool:
        return max(self.scores) >= self.target

    def outcome(self) -> Outcome | None:
        if self.to_act:
            return None
        return game_outcome(self.scores, seats=self.seats, target=self.target, skunks=bool(self.options["skunk"]))

    # What a seat sees

    def view(self, seat: int | None) -> CribbageView:
        self.deal_cards()
        now = self.counted_now()
        return CribbageView(
            seat=seat,
            moves=() if seat is None else tuple(self.legal_moves(seat)),
            scores=tuple(self.scores[seat % 2] for seat in range(self.seats)),
            log=tuple(self._events()),
            hand=() if seat is None else cards(self.hands[seat]),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            open_hands=tuple(map(cards, self.hands)) if now else (),
            laid_away=() if seat is None else cards(self.crib[seat]),
            crib_counts=tuple(laid.bit_count() for laid in self.crib),
            open_crib=cards(union(self.crib)) if now and now[1] else (),
            starter=CARD.get(self.starter),
            stock_count=len(self.stock),
            played=tuple(Deed(seat, CARD.get(card), count) for seat, card, count in self.played),
            pegs=tuple(self.pegs),
            shown=tuple(self.shown),
            claims=tuple(self.claims),
            counted_now=now,
            overlooked=self.overlooked is not None,
            rear=tuple(self.rear),
            **self.public_fields(),
        )

    def _events(self) -> Iterator[Event]:
        """What everybody saw since the last hand ended, oldest first."""
        yield from map(result_event, self.results[-1:])
        for seat in AFTER[self.seats][self.dealer]:
            if self.crib[seat]:
                yield laid_event(seat, self.crib[seat].bit_count(), self.dealer)
        if self.starter:
            yield starter_event(CARD[self.starter])
        yield from self._table_events(0)
        for number, (seat, card, count) in enumerate(self.played, start=1):
            gained = [peg for peg in self.pegs if peg.deeds == number and peg.rule in BY_CARD]
            yield deed_event(seat, CARD.get(card), count, gained)
            yield from self._table_events(number)
        yield from (Event(seat, claim_phrase(move)) for seat, move in self.claims)

    def _table_events(self, deeds: int) -> Iterator[Event]:
        """What was pegged after so many deeds by no card."""
        yield from (pegged_event(peg) for peg in self.pegs if peg.deeds == deeds and peg.rule not in BY_CARD)


_PLAYS: Mapping[type[Move], Callable[[CribbageState, int, Any], None]] = {
    Discard: CribbageState._discard,
    Play: CribbageState._play_card,
    Go: CribbageState._go,
    Claim: CribbageState._claim,
    Muggins: CribbageState._muggins,
}
