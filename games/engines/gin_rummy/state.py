"""The state of Gin Rummy: dealing, legal moves and play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NoReturn

from games.core.card_bits import BIT, CARD, bits, cards, mask, union
from games.core.cards import Card
from games.core.contract import Event, Game, Move, Options, Outcome, Zone, open_zone
from games.core.deals import Decks
from games.core.dealt import DealtState
from games.core.moves import TAKE, Discard, Draw, Take
from games.core.rummy.deadwood import MELDS, Defence, best_defence, may_fit, points
from games.engines.gin_rummy.endings import big_gins, knocks, showdowns
from games.engines.gin_rummy.moves import (
    DISCARD,
    DISCARD_OF,
    DRAW,
    DRAW_CARD,
    FIRST_UPCARD,
    HAND_CARDS,
    OVER,
    PASS,
    SEATS,
    SHOWDOWN,
    UNDRAWN_CARDS,
    UPCARD_TURNS_IN_A_ROW,
    BigGin,
    Deed,
    GinRummyMove,
    Knock,
    Meld,
    Pass,
    Phase,
    Showdown,
    turns_in_a_row,
)
from games.engines.gin_rummy.scoring import (
    DEAD_HAND,
    DEAD_HANDS_IN_A_ROW,
    HandScore,
    game_outcome,
    hand_result,
    showdown_score,
)
from games.engines.gin_rummy.view import GinRummyView, OpenKnock, deadwood_zone, meld_zone
from games.engines.gin_rummy.words import (
    WHAT_NOW,
    WHY_NO_UPCARD,
    event_of,
    knock_event,
    result_events,
    why_no_meld,
    why_no_second_card,
)

_ANSWERS: tuple[GinRummyMove, ...] = (TAKE, PASS)
_DRAWS: tuple[GinRummyMove, ...] = (DRAW_CARD, TAKE)
_STOCK_ONLY: tuple[GinRummyMove, ...] = (DRAW_CARD,)
TURN_OF = ((0,), (1,))
_TURN_AFTER = ((1,), (0,))


@cache
def _quarter_discards(part: int) -> tuple[GinRummyMove, ...]:
    """The discards of the cards that a hand holds of a quarter of the pack; few enough to keep them all."""
    return tuple(DISCARD_OF[bit] for bit in bits(part))


class GinRummyState(DealtState):
    """A game of Gin Rummy. Cards are the bits of `games.core.card_bits`, hands their unions.

    stock: the next card last. discards: the upcard last. known: cards that everybody saw being taken into a hand.
    taken_upcard: the upcard just taken in this turn, else 0. bar: the rule that forbids to take the upcard, or "".
    upcard_turns: how many turns in a row began with the upcard. log: the deeds of this hand.
    knocker, knock: the knock that waits for the defender; the knocker's hand no longer holds the discard.
    limit, is_doubled: the knock limit of this hand and whether its points count double.
    hands_won: by seat. dead_hands: in a row.
    """

    __slots__ = (
        "bar", "dead_hands", "discards", "hands", "hands_won", "is_doubled", "knock", "knocker", "known", "limit",
        "log", "phase", "stock", "taken_upcard", "upcard_turns",
    )  # fmt: skip

    PUBLIC = (*DealtState.PUBLIC, "deal_number", "phase", "upcard_turns", "limit", "is_doubled", "dead_hands")

    phase: Phase
    hands: list[int]
    stock: list[int]
    discards: list[int]
    known: int
    taken_upcard: int
    bar: str
    upcard_turns: int
    log: list[Deed]
    knocker: int
    knock: Knock | BigGin | None
    limit: int
    is_doubled: bool
    hands_won: list[int]
    dead_hands: int

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.hands_won = [0] * seats
        self.dead_hands = 0

    def clear_table(self) -> None:
        self.phase = OVER
        self.to_act = ()
        self.hands = [0] * SEATS
        self.stock = []
        self.discards = []
        self.log = []
        self.known = 0
        self.taken_upcard = 0
        self.bar = ""
        self.upcard_turns = 0
        self.knocker = 0
        self.knock = None
        self.limit = int(self.options["knock_limit"])
        self.is_doubled = False

    def deal_hand(self) -> None:
        """Deals the next hand: ten cards each, one at a time, then the upcard; the rest is the stock."""
        self.clear_table()
        deck = list(map(BIT.__getitem__, self.next_deck()))
        eldest = 1 - self.dealer
        dealt = SEATS * HAND_CARDS
        self.hands[eldest] = sum(deck[0:dealt:2])
        self.hands[self.dealer] = sum(deck[1:dealt:2])
        self.stock = deck[: dealt - 1 : -1]
        self.discards = [self.stock.pop()]
        self.set_limit(self.discards[0])
        self.phase = FIRST_UPCARD
        self.to_act = TURN_OF[eldest]

    def set_limit(self, upcard: int) -> None:
        """With Oklahoma the first upcard sets the knock limit of the hand."""
        if self.options["oklahoma"]:
            self.limit = points(upcard)
            self.is_doubled = bool(self.options["oklahoma_spades"]) and CARD[upcard][1] == "S"

    def set_bar(self) -> None:
        """Finds the rule that keeps the upcard on the pile in the next turn, in a hand that was not played here."""
        self.bar = ""
        if self.upcard_turns == UPCARD_TURNS_IN_A_ROW:
            self.bar = "draw-cap"
        elif self.phase is DRAW and turns_in_a_row("P", self.log) == SEATS:
            self.bar = "first-upcard"
        elif self.phase is DRAW and not self.discards:
            self.bar = "turn-draw"

    def cards(self) -> list[Card]:
        found = [card for hand in self.hands for card in cards(hand)]
        found += [CARD[bit] for bit in (*self.discards, *reversed(self.stock))]
        if isinstance(self.knock, Knock):
            found.append(self.knock.card)
        return found

    # Legal moves

    def legal_moves(self, seat: int) -> tuple[GinRummyMove, ...]:
        if seat not in self.to_act:
            return ()
        phase = self.phase
        if phase is DISCARD:
            hand = self.hands[seat]
            loose = hand ^ self.taken_upcard
            moves = (
                _quarter_discards(loose & 0x1FFF)
                + _quarter_discards(loose & 0x1FFF << 13)
                + _quarter_discards(loose & 0x1FFF << 26)
                + _quarter_discards(loose & 0x1FFF << 39)
            )
            return moves + self._endings(hand) if may_fit(hand, self.limit) else moves
        if phase is DRAW:
            return _STOCK_ONLY if self.bar else _DRAWS
        if phase is FIRST_UPCARD:
            return _ANSWERS
        return showdowns(self.hands[seat], self._open_melds())

    def _endings(self, hand: int) -> tuple[GinRummyMove, ...]:
        found = knocks(hand, self.taken_upcard, self.limit)
        return found + big_gins(hand) if self.options["big_gin"] and hand.bit_count() > HAND_CARDS else found

    def _open_melds(self) -> tuple[int, ...]:
        """The knocker's melds that take lay-offs: none of a gin hand."""
        if self.knock is None or self.knocker_deadwood() == 0:
            return ()
        return tuple(map(mask, self.knock.melds))

    def knocker_deadwood(self) -> int:
        assert self.knock is not None, "a knock is on the table"
        return points(self.hands[self.knocker] & ~union(map(mask, self.knock.melds)))

    # Playing

    def play(self, seat: int, move: Move) -> None:
        if seat not in self.to_act:
            self._refuse_turn()
        _PLAYS[type(move)](self, seat, move)

    def _discard(self, seat: int, move: Discard) -> None:
        bit = BIT[move.card]
        hand = self.hands[seat]
        if self.phase is not DISCARD or bit == self.taken_upcard or not hand & bit:
            self._refuse_discard(seat, bit)
        self.hands[seat] = hand ^ bit
        self.known &= ~bit
        self.taken_upcard = 0
        self.discards.append(bit)
        self.log.append((seat, "X", bit))
        if len(self.stock) <= UNDRAWN_CARDS:
            self.end_hand(DEAD_HAND)
        else:
            self.phase = DRAW
            self.to_act = _TURN_AFTER[seat]

    def _draw(self, seat: int, _move: Draw) -> None:
        if self.phase is not DRAW:
            self._refuse_draw()
        self._receive(seat, self.stock.pop())
        self.upcard_turns = 0
        self.bar = ""
        self.log.append((seat, "D", 0))
        self.phase = DISCARD

    def _take(self, seat: int, _move: Take) -> None:
        if self.bar or self.phase is not DRAW and self.phase is not FIRST_UPCARD:
            self._refuse_take()
        bit = self.discards.pop()
        # A hand without cards, in a position that is cut down, has no other card to discard.
        self.taken_upcard = bit if self.hands[seat] else 0
        self._receive(seat, bit)
        self.known |= bit
        self.upcard_turns += 1
        if self.upcard_turns == UPCARD_TURNS_IN_A_ROW:
            self.bar = "draw-cap"
        self.log.append((seat, "U", bit))
        self.phase = DISCARD

    def _receive(self, seat: int, bit: int) -> None:
        self.hands[seat] |= bit
        self.mark_fresh(seat, (CARD[bit],), self.hands[seat].bit_count())

    def _pass(self, seat: int, _move: Pass) -> None:
        if self.phase is not FIRST_UPCARD:
            self._refuse_pass()
        self.log.append((seat, "P", 0))
        self.to_act = _TURN_AFTER[seat]
        if seat == self.dealer:
            self.bar = "first-upcard"
            self.phase = DRAW

    def _knock(self, seat: int, move: Knock) -> None:
        bit = BIT[move.card]
        if self.phase is not DISCARD or bit == self.taken_upcard or not self.hands[seat] & bit:
            self._refuse_discard(seat, bit)
        melded = self.melded(move.melds, self.hands[seat])
        if melded & bit:
            self.refuse(
                "knock-discard",
                f"{move.card} goes face down, so it can't be in a meld too.",
            )
        left = points(self.hands[seat] & ~melded & ~bit)
        if left > self.limit:
            self.refuse(
                "knock-limit",
                f"These melds leave {left} points of deadwood, and the limit is {self.limit}. Discard instead.",
            )
        self.hands[seat] ^= bit
        self.known &= ~bit
        self.taken_upcard = 0
        self._lay_open(seat, move)

    def _big_gin(self, seat: int, move: BigGin) -> None:
        if self.phase is not DISCARD:
            self.refuse("turn-draw", self._what_now().capitalize())
        if not self.options["big_gin"]:
            self.refuse("big-gin", "This table doesn't play big gin; discard one card to knock.")
        melded = self.melded(move.melds, self.hands[seat])
        if melded.bit_count() <= HAND_CARDS:
            self.refuse("big-gin", "Big gin needs all eleven cards in melds; discard one card to knock.")
        self.taken_upcard = 0
        self._lay_open(seat, move)

    def _lay_open(self, seat: int, move: Knock | BigGin) -> None:
        self.knocker, self.knock = seat, move
        if self.options["defence"] == "manual":
            self.phase = SHOWDOWN
            self.to_act = _TURN_AFTER[seat]
        else:
            self._score(best_defence(self.hands[1 - seat], self._open_melds()))

    def _showdown(self, seat: int, move: Showdown) -> None:
        if self.phase is not SHOWDOWN:
            self.refuse("turn-draw", "No one has knocked; " + self._what_now())
        hand = self.hands[seat]
        melded = self.melded(move.melds, hand)
        layoffs = self._laid_off(move.layoffs, hand, melded)
        left = points(hand & ~melded & ~union(layoffs))
        self._score(Defence(tuple(map(mask, move.melds)), layoffs, left))

    # Refusals

    def _refuse_turn(self) -> NoReturn:
        is_over = not self.to_act
        self.game.refuse_turn(
            "turn-draw",
            "The game is over; start another one." if is_over else "It's the other player's turn.",
        )

    def _what_now(self) -> str:
        return WHAT_NOW[self.phase]

    def _refuse_discard(self, seat: int, bit: int) -> NoReturn:
        card = CARD[bit]
        if self.phase is not DISCARD:
            self.refuse("turn-draw", self._what_now().capitalize())
        if not self.hands[seat] & bit:
            self.refuse("turn-discard", f"You don't have {card}; choose a card from your hand.")
        self.refuse(
            "no-return-upcard",
            f"You took {card} from the discard pile this turn, so it has to stay; discard another card.",
        )

    def _refuse_draw(self) -> NoReturn:
        if self.phase is FIRST_UPCARD:
            self.refuse("first-upcard", "Take the upcard or pass; the stock opens when both players have passed.")
        self._refuse_second_card()

    def _refuse_take(self) -> NoReturn:
        if self.phase is not DRAW:
            self._refuse_second_card()
        self.refuse(self.bar, WHY_NO_UPCARD[self.bar])

    def _refuse_second_card(self) -> NoReturn:
        self.refuse("turn-draw", why_no_second_card(self.phase))

    def _refuse_pass(self) -> NoReturn:
        self.refuse("first-upcard", "You can pass only on the first upcard of a hand; " + self._what_now())

    def melded(self, melds: tuple[Meld, ...], hand: int) -> int:
        """The cards of announced melds. :raises IllegalMove: not held, in two melds, or no meld."""
        melded = 0
        named = [card for meld in melds for card in meld]
        for card in named:
            if not hand & BIT[card]:
                self.refuse("turn-discard", f"You don't have {card}; meld cards from your hand.")
        for card in named:
            if melded & BIT[card]:
                self.refuse("meld-disjoint", f"A card can be in one meld only; choose one meld for {card}.")
            melded |= BIT[card]
        for meld in melds:
            if mask(meld) not in MELDS:
                self.refuse(*why_no_meld(meld))
        return melded

    def _laid_off(self, layoffs: tuple[tuple[Card, int], ...], hand: int, melded: int) -> tuple[int, ...]:
        """The cards added to each of the knocker's melds. :raises IllegalMove: they do not fit there."""
        assert self.knock is not None, "a knock is on the table"
        if layoffs and self.knocker_deadwood() == 0:
            self.refuse("layoff-not-gin", "You can't lay off against gin; those cards count as deadwood.")
        open_melds = self._open_melds()
        added = [0] * len(open_melds)
        for card, number in layoffs:
            if not hand & BIT[card]:
                self.refuse("layoff", f"You don't have {card}; lay off cards from your hand.")
            if (melded | union(added)) & BIT[card]:
                self.refuse("meld-disjoint", f"A card can be in one meld only; use {card} once.")
            if not 1 <= number <= len(added):
                self.refuse("layoff", f"There is no meld {number}; the knocker's melds are 1 to {len(added)}.")
            added[number - 1] |= BIT[card]
        for meld, more, shown in zip(open_melds, added, self.knock.melds, strict=False):
            if meld | more not in MELDS:
                what = f"{' '.join(cards(more))} does not fit on {' '.join(shown)}"
                self.refuse("layoff", f"{what}; add the fourth card of a set or the next card of a run.")
        return tuple(added)

    # The end of a hand

    def _score(self, defence: Defence) -> None:
        """Scores the knock on the table against a defence."""
        is_big_gin = isinstance(self.knock, BigGin)
        mine, theirs = self.knocker_deadwood(), defence.deadwood
        score = showdown_score(self.knocker, mine, theirs, is_big_gin=is_big_gin, options=self.options)
        self.end_hand(score, self._open_zones(defence))

    def _open_zones(self, defence: Defence) -> tuple[Zone, ...]:
        """Both hands laid open: the knocker's melds with the lay-offs, the defender's melds, what is left."""
        assert self.knock is not None, "a knock is on the table"
        knocker, defender = self.knocker, 1 - self.knocker
        melds = [mask(meld) for meld in self.knock.melds]
        layoffs = defence.layoffs or (0,) * len(melds)
        zones = [
            meld_zone(number, f"@{knocker}'s meld", meld, knocker, laid_off=more)
            for number, (meld, more) in enumerate(zip(melds, layoffs, strict=True), start=1)
        ]
        zones += [
            meld_zone(number, f"@{defender}'s meld", meld, defender)
            for number, meld in enumerate(defence.melds, start=len(melds) + 1)
        ]
        loose = {knocker: self.hands[knocker] & ~union(melds)}
        loose[defender] = self.hands[defender] & ~union(defence.melds) & ~union(layoffs)
        zones += [deadwood_zone(seat, cards(hand)) for seat, hand in loose.items() if hand]
        if isinstance(self.knock, Knock):
            zones.append(open_zone("discards", "pile", f"@{knocker}'s last discard", [self.knock.card]))
        return tuple(zones)

    def end_hand(self, score: HandScore, zones: tuple[Zone, ...] = ()) -> None:
        """Writes the hand down, then deals the next one or ends the game."""
        result = hand_result(self.deal_number, score, zones, is_doubled=self.is_doubled)
        self.results += (result,)
        self.deal_number += 1
        if score.winner is None:
            self.dead_hands += 1
        else:
            self.scores[score.winner] += result.points[score.winner]
            self.hands_won[score.winner] += 1
            self.dead_hands = 0
            self.dealer = self._next_dealer(score.winner)
        if self.is_decided():
            self.clear_table()
        else:
            self.deal_hand()

    def _next_dealer(self, winner: int) -> int:
        return {"loser": 1 - winner, "winner": winner, "alternate": 1 - self.dealer}[str(self.options["next_dealer"])]

    # The end of the game

    def is_decided(self) -> bool:
        return max(self.scores) >= int(self.options["target"]) or self.dead_hands >= DEAD_HANDS_IN_A_ROW

    def outcome(self) -> Outcome | None:
        return None if self.to_act else game_outcome(self.scores, self.hands_won, self.options)

    # What a seat sees

    def view(self, seat: int | None) -> GinRummyView:
        deeds, discards = self._open_deeds(), tuple(map(CARD.__getitem__, self.discards))
        return GinRummyView(
            seat=seat,
            moves=() if seat is None else self.legal_moves(seat),
            scores=tuple(self.scores),
            log=(*result_events(self.results), *map(event_of, deeds), *self._knock_events()),
            hand=() if seat is None else cards(self.hands[seat]),
            discards=discards if self.options["review_discards"] else discards[-1:],
            remembered=discards,
            discard_count=len(self.discards),
            stock_count=len(self.stock),
            hand_counts=tuple(hand.bit_count() for hand in self.hands),
            known=tuple(cards(hand & self.known) for hand in self.hands),
            taken_upcard=CARD.get(self.taken_upcard),
            deeds=tuple(deeds),
            remembered_deeds=tuple(self.log),
            hands_won=tuple(self.hands_won),
            knock=self._open_knock(seat),
            fresh=() if seat is None else self.fresh_cards(seat, cards(self.hands[seat])),
            **self.public_fields(),
        )

    def _open_deeds(self) -> list[Deed]:
        """The deeds of this hand with the discards that can still be looked at."""
        if self.options["review_discards"]:
            return self.log
        last = max((index for index, deed in enumerate(self.log) if deed[1] in "UX"), default=0)
        return [
            (seat, letter, bit if letter != "X" or index == last else 0)
            for index, (seat, letter, bit) in enumerate(self.log)
        ]

    def _knock_events(self) -> list[Event]:
        return [] if self.knock is None else [knock_event(self.knocker, self.knock, self.knocker_deadwood())]

    def _open_knock(self, seat: int | None) -> OpenKnock | None:
        if self.knock is None:
            return None
        loose = self.hands[self.knocker] & ~union(map(mask, self.knock.melds))
        discard = self.knock.card if isinstance(self.knock, Knock) and seat == self.knocker else None
        return OpenKnock(self.knocker, self.knock.melds, cards(loose), discard)


_PLAYS: Mapping[type[Move], Callable[[GinRummyState, int, Any], None]] = {
    Pass: GinRummyState._pass,
    Take: GinRummyState._take,
    Draw: GinRummyState._draw,
    Discard: GinRummyState._discard,
    Knock: GinRummyState._knock,
    BigGin: GinRummyState._big_gin,
    Showdown: GinRummyState._showdown,
}
