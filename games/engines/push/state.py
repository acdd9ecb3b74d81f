"""State of a game of Push: dealing, legal moves, play, the end of a deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from games.core.cards import Card, face, is_joker
from games.core.contract import (
    Event,
    Game,
    HandResult,
    Move,
    Options,
    Outcome,
    Phrase,
    Zone,
    open_zone,
)
from games.core.deals import Decks
from games.core.rummy.initial_melds import Contract, find_initial_meld
from games.core.rummy.melds import Fault, Growth, MeldRules
from games.core.rummy.scoring import points_by_seat
from games.core.rummy.state import RummyState
from games.core.rummy.view import RummyView
from games.engines.push.melds import (
    CONTRACTS,
    exchanged,
    faces,
    grown,
    laid_out,
    meld_fault,
    meld_rules,
    melds_of_three,
)
from games.engines.push.moves import (
    DISCARD_OF,
    DRAW,
    END,
    END_OF,
    GROWTH_AT,
    MOST_EXTRA_DEALS,
    OVER,
    PLAY,
    PUSH,
    PUSHED_CARDS,
    SIDES,
    STALL_TURNS,
    TAKE_OF,
    WILD,
    Discard,
    End,
    LayOff,
    NewMeld,
    Open,
    Phase,
    Push,
    PushMeld,
    PushMove,
    Spot,
    Swap,
    Take,
    in_hand_order,
    is_wild,
)
from games.engines.push.scoring import outcome_of, penalty, score_lines, summary
from games.engines.push.view import PushView, meld_zones
from games.engines.push.words import laid_phrase, lay_off_fault, swap_phrase


class PushState(RummyState):
    """A game of Push.

    deal_number: that of the contract, 1 to 5; extra_deals: played to break a tie, this one included.
    scores, deals_won: by side, NS first; scores are penalty points. laid_by: by meld, the seat that laid it, None where
    a position does not say. upcard: None while a turn is in progress. taken_upcard: taken in this turn and still in the
    hand. stall: turns in a row that took the upcard and laid nothing, this one included.
    known: cards that everybody saw being taken or pushed into the hand that holds them.
    turned_back: wild cards that were turned up after the deal, as long as nobody has drawn from the stock.
    just_out: a player has gone out, and nothing has been done since.
    """

    __slots__ = (
        "deals_won",
        "extra_deals",
        "just_out",
        "known",
        "laid_by",
        "opened",
        "phase",
        "rules",
        "stall",
        "taken_upcard",
        "turned_back",
        "upcard",
    )

    PUBLIC = (
        *RummyState.PUBLIC,
        *("phase", "extra_deals", "deals_won", "laid_by", "opened", "upcard", "taken_upcard"),
        *("turned_back", "stall", "just_out"),
    )
    TURN_RULE = "turn-order"

    rules: MeldRules
    phase: Phase
    extra_deals: int
    deals_won: list[int]
    table: dict[int, PushMeld]
    laid_by: tuple[int | None, ...]
    opened: list[bool]
    upcard: Card | None
    taken_upcard: Card | None
    stall: int
    known: frozenset[Card]
    turned_back: tuple[Card, ...]
    just_out: bool

    def __init__(self, game: Game[Any, Any, Any], decks: Decks, *, seats: int, options: Options, dealer: int) -> None:
        super().__init__(game, decks, seats=seats, options=options, dealer=dealer)
        self.rules = meld_rules(options)
        self.deal_number = int(options["contract"]) if options["deals"] == 1 else 1
        self.extra_deals = 0
        self.scores = [0] * len(SIDES)
        self.deals_won = [0] * len(SIDES)
        self.just_out = False

    def clear_table(self) -> None:
        super().clear_table()
        self.phase = OVER
        self.upcard = None
        self.taken_upcard = None
        self.laid_by = ()
        self.opened = [False] * self.seats
        self.stall = 0
        self.known = frozenset()
        self.turned_back = ()

    @property
    def contract(self) -> Contract:
        return CONTRACTS[self.deal_number]

    @property
    def last_deal(self) -> int:
        return self.deal_number if self.options["deals"] == 1 else int(self.options["deals"])

    def deal_hand(self) -> None:
        """Deals one card at a time from the dealer's left, then turns an upcard that is natural."""
        self.clear_table()
        deck = self.next_deck()
        each = self.contract.cards
        for place, seat in enumerate(self.seats_after(self.dealer)):
            self.hands[seat] = self.in_order(deck[place : self.seats * each : self.seats])
        self.stock = list(deck[: self.seats * each - 1 : -1])
        self._turn_upcard(deck)
        self.phase = DRAW
        self.to_act = (self.seat_after(self.dealer),)
        self._add_to_log(None, Phrase("", f"@{self.dealer} [deal] {each} cards each; {self.upcard} is turned up"))

    def _turn_upcard(self, deck: Sequence[Card]) -> None:
        turned: list[Card] = []
        while is_wild(self.stock[-1]):
            wild = self.stock.pop()
            self.stock.insert(_random_place((*deck, *turned), len(self.stock)), wild)
            self._add_to_log(None, Phrase("", f"{wild} is turned up and goes back into the stock"))
            turned.append(wild)
        self.turned_back = tuple(dict.fromkeys(turned))
        self.upcard = self.stock.pop()

    def cards(self) -> list[Card]:
        return [*super().cards(), *([self.upcard] if self.upcard else [])]

    @staticmethod
    def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
        return in_hand_order(cards)

    # Legal moves

    def legal_moves(self, seat: int) -> Sequence[PushMove]:
        """Draws and discards, single cards laid off, melds of three, exchanges, and one way to open.

        Longer melds are reached by laying off, other initial melds are proposed.
        """
        if seat not in self.to_act:
            return ()
        if self.phase is DRAW:
            return self._draws()
        if self.opened[seat]:
            return (*self._discards(seat), *self._lay_offs(seat), *self._swaps(seat), *self._new_melds(seat))
        return (*self._discards(seat), *self._openings(seat))

    def _draws(self) -> tuple[PushMove, ...]:
        decline = PUSH if len(self.stock) >= PUSHED_CARDS else END
        return (TAKE_OF[self.upcard], decline) if self.upcard and self.stall < STALL_TURNS else (decline,)

    def _discards(self, seat: int) -> Iterator[Discard]:
        return (DISCARD_OF[card] for card in self.hands[seat] if self._discard_fault(seat, card) is None)

    def _lay_offs(self, seat: int) -> Iterator[LayOff]:
        spots = self._spots()
        return (
            LayOff(card, spot)
            for card in self.hands[seat]
            for spot, fitting in spots
            if is_wild(card) or face(card) in fitting
        )

    def spots_for(self, card: Card) -> Iterator[Spot]:
        """Where a card fits on the table."""
        return (spot for spot, fitting in self._spots() if is_wild(card) or face(card) in fitting)

    def _spots(self) -> list[tuple[Spot, frozenset[str]]]:
        """Where melds can grow, and the natural faces that fit there."""
        return [
            (Spot(number, END_OF[end]), fitting)
            for number, meld in self.table.items()
            for end, fitting in self.rules.growth(meld).items()
        ]

    def _new_melds(self, seat: int) -> Iterator[NewMeld]:
        return map(NewMeld, melds_of_three(self.rules, self.hands[seat]))

    def _swaps(self, seat: int) -> Iterator[Swap]:
        """Every exchange, the joker being laid off or in a meld of three."""
        for card, number, joker in self.exchanges(seat):
            for spot in self.spots_for(joker):
                if spot.number != number:
                    yield Swap(card, number, joker, spot)
            hand = (own for own in self.hands[seat] if own != card)
            for meld in melds_of_three(self.rules, (joker, *hand)):
                if joker in meld.cards:
                    yield Swap(card, number, joker, NewMeld(meld))

    def exchanges(self, seat: int) -> Iterator[tuple[Card, int, Card]]:
        """A natural card of the hand, the meld and the joker that it could free."""
        for number, meld in self.table.items():
            for joker, wanted in zip(meld.cards, faces(self.rules, meld), strict=True):
                if is_joker(joker):
                    for card in self.hands[seat]:
                        if face(card) in wanted and not is_wild(card):
                            yield card, number, joker

    def _openings(self, seat: int) -> Iterator[Open | Swap]:
        found = find_initial_meld(self.rules, self.contract, self.hands[seat])
        if found is not None:
            yield Open(tuple(map(laid_out, found)))
        elif self.options["swap_before_open"]:
            for card, number, joker in self.exchanges(seat):
                hand = in_hand_order([*(own for own in self.hands[seat] if own != card), joker])
                found = find_initial_meld(self.rules, self.contract, hand)
                if found is not None:  # with the joker, as nothing was found without it
                    yield Swap(card, number, joker, Open(tuple(map(laid_out, found))))

    # Playing

    def play(self, seat: int, move: Move) -> None:
        self.check_turn(seat)
        _PLAYS[type(move)](self, seat, move)

    def _take(self, seat: int, move: Take) -> None:
        self._check_draw()
        upcard = self.upcard
        if upcard is None or move.card != upcard:
            self.refuse("draw-take", f"The upcard is {upcard}: take that one, or push it.")
        if self.stall >= STALL_TURNS:
            self.refuse(
                "stall-limit",
                f"The upcard was taken {STALL_TURNS} times in a row and nothing was laid: {self._decline()} instead.",
            )
        self._receive(seat, upcard)
        self.known |= {upcard}
        self.stall += 1
        self.taken_upcard, self.upcard = upcard, None
        self._add_to_log(seat, Phrase("take", f"the upcard {upcard}"), upcard)
        self._begin_play()

    def _push(self, seat: int, _move: Push) -> None:
        self._check_draw()
        if len(self.stock) < PUSHED_CARDS:
            self.refuse(
                "push-needs-two",
                f"A push takes two cards from the stock, which has {len(self.stock)}: {self._upcard_or_end()}.",
            )
        assert self.upcard is not None, "a turn begins with an upcard"
        receiver = self.seat_after(seat)
        self._receive(receiver, self.upcard, self.stock.pop())
        self._receive(seat, self.stock.pop())
        self.known |= {self.upcard}
        self.stall = 0
        phrase = Phrase("push", f"{self.upcard} and a card from the stock to @{receiver}")
        self._add_to_log(seat, phrase, self.upcard, "stock", f"hand:{receiver}")
        self.taken_upcard = self.upcard = None
        self.turned_back = ()
        self._begin_play()

    def _begin_play(self) -> None:
        self.just_out = False
        self.phase = PLAY

    def _end(self, seat: int, _move: End) -> None:
        self._check_draw()
        if len(self.stock) >= PUSHED_CARDS:
            self.refuse(
                "end-only-when-stock-out",
                "You can end a deal only when the stock is too short for a push: take the upcard, or push it.",
            )
        self._add_to_log(seat, Phrase("end", "the deal"))
        self.end_hand(None)

    def _open(self, seat: int, move: Open) -> None:
        self._check_play()
        if self.opened[seat]:
            self.refuse("meld-further", "You're open already: lay further melds one at a time.")
        self.check_fault(self._not_held(seat, move.cards))
        self._check_contract(move)
        self._add_to_log(seat, laid_phrase(move), *move.cards)
        self._lay(seat, move.cards, move.melds)

    def _new_meld(self, seat: int, move: NewMeld) -> None:
        self._check_opened(seat)
        self.check_fault(self._not_held(seat, move.cards))
        self.check_fault(meld_fault(self.rules, move.meld))
        self._add_to_log(seat, laid_phrase(move), *move.cards)
        self._lay(seat, move.cards, [move.meld])

    def _lay_off(self, seat: int, move: LayOff) -> None:
        self._check_opened(seat)
        self.check_fault(self._not_held(seat, [move.card]))
        number, end = self._end_for(move.card, move.spot)
        self._add_to_log(seat, Phrase("add", f"{move.card} to meld {number}"), move.card, f"meld:{number}")
        self._lay(seat, [move.card], grow={number: grown(self.table[number], move.card, end)})

    def _swap(self, seat: int, move: Swap) -> None:
        self._check_play()
        self._check_exchange(seat, move)
        changed = {move.number: exchanged(self.table[move.number], move.joker, move.card)}
        melds: Sequence[PushMeld] = ()
        if isinstance(move.use, Spot):
            number, end = self._end_for(move.joker, move.use)
            changed[number] = grown(self.table[number], move.joker, end)
        else:
            assert move.use is not None, "checked with the exchange"
            melds = self._melds_with_joker(seat, move, move.use)
        self._add_to_log(
            seat,
            swap_phrase(self.rules, self.table, move),
            *move.from_hand,
            move.joker,
            *(f"meld:{number}" for number in changed),
        )
        self._lay(seat, move.from_hand, melds, changed)

    def _melds_with_joker(self, seat: int, move: Swap, use: NewMeld | Open) -> Sequence[PushMeld]:
        """The new melds of an exchange. :raises IllegalMove: they are none, or not of these cards."""
        if use.cards.count(move.joker) > 1:
            self.refuse("cards-from-hand", f"{move.joker} is there only once; use it in one place.")
        self.check_fault(self._not_held(seat, move.from_hand))
        if isinstance(use, Open):
            self._check_contract(use)
            return use.melds
        self.check_fault(meld_fault(self.rules, use.meld))
        return [use.meld]

    def _lay(
        self,
        seat: int,
        cards: Sequence[Card],
        melds: Sequence[PushMeld] = (),
        grow: dict[int, PushMeld] | None = None,
    ) -> None:
        """Moves cards from a hand into new melds and into those that grow."""
        self._drop(seat, cards)
        self.table |= dict(enumerate(melds, start=len(self.table) + 1)) | (grow or {})
        self.laid_by = (*self.laid_by, *(seat for _meld in melds))
        self.opened[seat] = True
        self.stall = 0
        if not self.hands[seat]:
            self.end_hand(seat)

    def _drop(self, seat: int, cards: Sequence[Card]) -> None:
        self._part_with(seat, cards)
        self.known = self.known.difference(cards)
        if self.taken_upcard in cards:
            self.taken_upcard = None

    def _discard(self, seat: int, move: Discard) -> None:
        self._check_play()
        self.check_fault(self._not_held(seat, [move.card]))
        self.check_fault(self._discard_fault(seat, move.card))
        self._drop(seat, [move.card])
        self._add_to_log(seat, Phrase("discard", move.card), move.card, "discards")
        self.upcard, self.taken_upcard = move.card, None
        if not self.hands[seat]:
            return self.end_hand(seat)
        self.phase = DRAW
        self.to_act = (self.seat_after(seat),)

    # What is wrong with a move

    def check_turn(self, seat: int) -> None:
        if seat in self.to_act:
            return
        rule, why = "game-end", "The game is over; start another one."
        if self.to_act:
            rule, why = self.TURN_RULE, "It's another player's turn."
        if self.just_out:
            rule, why = "out-immediate", f"A player has gone out, and the deal ended at once. {why}"
        self.game.refuse_turn(rule, why)

    def _check_draw(self) -> None:
        if self.phase is PLAY:
            self.refuse("turn-order", "You've already drawn this turn: lay cards if you like, then discard one.")

    def _check_play(self) -> None:
        if self.phase is DRAW:
            self.refuse("turn-order", f"Start your turn with the upcard: {self._upcard_or_end()}.")

    def _decline(self) -> str:
        return "push it" if len(self.stock) >= PUSHED_CARDS else "end the deal"

    def _upcard_or_end(self) -> str:
        return f"take {self.upcard}, or {self._decline()}" if self.stall < STALL_TURNS else self._decline()

    def _check_opened(self, seat: int) -> None:
        self._check_play()
        if not self.opened[seat]:
            self.refuse(
                "open-individual",
                f"Lay your own contract first, {self.contract.words}; your partner's doesn't count for you.",
            )

    def _check_contract(self, move: Open) -> None:
        for meld in move.melds:
            self.check_fault(meld_fault(self.rules, meld))
        if not self.contract.is_met_by(move.melds):
            self.refuse(
                "contract-table",
                f"The contract of this deal is {self.contract.words}, all at once: choose the cards for that.",
            )

    def _not_held(self, seat: int, cards: Sequence[Card]) -> Fault | None:
        for card, times in Counter(cards).items():
            if card not in self.hands[seat]:
                return Fault("cards-from-hand", f"You don't have {card}; use cards from your own hand.")
            if times > 1:
                return Fault("cards-from-hand", f"You have {card} only once; use it in one place.")
        return None

    def _discard_fault(self, seat: int, card: Card) -> Fault | None:
        hand = self.hands[seat]
        if len(hand) == 1:
            return None
        kept = None if self.options["taken_upcard_discard"] else self.taken_upcard
        if card == kept:
            return Fault("taken-upcard-kept", f"You took {card} this turn, so it has to stay: discard another card.")
        if self.options["wild_discard"] == "only_last" and is_wild(card):
            natural = next((other for other in hand if other != kept and not is_wild(other)), None)
            if natural is not None:
                return Fault(
                    "discard-any",
                    f"At this table you can discard a wild card only last: choose another card, such as {natural}.",
                )
        return None

    def _end_for(self, card: Card, spot: Spot) -> tuple[int, Growth]:
        """The meld and the end where a card goes. :raises IllegalMove: it does not fit there."""
        meld = self._meld_at(spot.number)
        ends: list[Growth] = ["set"] if meld.kind == "set" else ["high", "low"]
        if meld.kind == "run" and spot.end:
            ends = [GROWTH_AT[spot.end]]
        faults = {end: lay_off_fault(self.rules, meld, spot.number, card, end) for end in ends}
        fitting = [end for end, fault in faults.items() if fault is None]
        if len(fitting) > 1:
            self.refuse("lay-off-fits", f"{card} fits both ends of meld {spot.number}: say which end.")
        if not fitting:
            self.check_fault(faults[ends[0]])
        return spot.number, fitting[0]

    def _meld_at(self, number: int) -> PushMeld:
        if number not in self.table:
            there = f"choose from meld 1 to {len(self.table)}" if self.table else "there are none on the table yet"
            self.refuse("lay-off-fits", f"There is no meld {number}; {there}.")
        return self.table[number]

    def _check_exchange(self, seat: int, move: Swap) -> None:
        if not self.opened[seat] and not self.options["swap_before_open"]:
            self.refuse(
                "swap-after-open",
                f"You can exchange jokers only after laying your contract, {self.contract.words}.",
            )
        self.check_fault(self._not_held(seat, [move.card]))
        self.check_fault(self._wrong_joker(move))
        self.check_fault(self._joker_kept(move))
        if self.opened[seat] and isinstance(move.use, Open):
            self.refuse("meld-further", "You're open already: use the joker in a further meld.")
        if not self.opened[seat] and not isinstance(move.use, Open):
            self.refuse("open-individual", f"Use the joker in your contract, {self.contract.words}.")

    def _wrong_joker(self, move: Swap) -> Fault | None:
        meld = self.table.get(move.number)
        if meld is None or move.joker not in meld.cards:
            return Fault("swap-joker", f"{move.joker} isn't in meld {move.number}: choose a joker and its meld.")
        if not is_joker(move.joker):
            what = "a deuce" if is_wild(move.joker) else "no joker"
            return Fault(
                "swap-joker-only", f"{move.joker} is {what} and stays where it is: only jokers can be exchanged."
            )
        if is_wild(move.card):
            return Fault(
                "swap-natural-only", f"{move.card} is wild: only the natural card that the joker stands for frees it."
            )
        wanted = faces(self.rules, meld)[meld.cards.index(move.joker)]
        if all(name[0] in WILD for name in wanted):
            return Fault("swap-not-two", f"{move.joker} stands for a two and stays for ever: there is no natural two.")
        if face(move.card) not in wanted:
            names = " or ".join(sorted(wanted))
            return Fault(
                "swap-exact-card", f"{move.joker} stands for {names} in meld {move.number}: only that card frees it."
            )
        return None

    def _joker_kept(self, move: Swap) -> Fault | None:
        laid = move.use.cards if isinstance(move.use, NewMeld | Open) else ()
        if not isinstance(move.use, Spot) and move.joker not in laid:
            return Fault(
                "swap-use-at-once",
                f"{move.joker} can't go to your hand: add it to another meld, or lay it in a new one.",
            )
        if isinstance(move.use, Spot) and move.use.number == move.number:
            return Fault("swap-other-meld", f"{move.joker} came from meld {move.number}: add it to another meld.")
        return None

    # The end of a deal and of the game

    def end_hand(self, out: int | None) -> None:
        """Scores the deal that a seat has ended by going out, or nobody, and deals again."""
        lines = tuple(score_lines(self.hands, out))
        points = points_by_seat(lines, self.seats)
        for side, (first, _partner) in enumerate(SIDES):
            self.scores[side] += points[first]
        if out is not None:
            self.deals_won[out % 2] += 1
        number = self.extra_deals + (1 if self.options["deals"] == 1 else self.deal_number)
        result = HandResult(number, summary(out, points), points, lines, self._zones_after(out))
        self.results = (*self.results, result)
        self.log = (Event(None, Phrase("", f"Deal {result.number}: {result.summary}")),)
        self.just_out = out is not None
        self.dealer = self.seat_after(self.dealer)
        if self._go_on():
            self.deal_hand()
        else:
            self.clear_table()

    def _zones_after(self, out: int | None) -> tuple[Zone, ...]:
        """The melds, and what was left in the hands, which costs nothing on the side that went out."""
        notes = [
            "pays nothing" if out is not None and seat % 2 == out % 2 else f"{penalty(hand)} points"
            for seat, hand in enumerate(self.hands)
        ]
        left = (
            open_zone(f"hand:{seat}", "row", f"Left in @{seat}'s hand", hand, owner=seat, note=notes[seat])
            for seat, hand in enumerate(self.hands)
            if hand
        )
        return (*meld_zones(self.rules, self.table.items(), self.laid_by), *left)

    def _go_on(self) -> bool:
        """Whether another deal follows; its contract is set."""
        if self.deal_number < self.last_deal:
            self.deal_number += 1
            return True
        if not self.is_decided():
            self.extra_deals += 1
            return True
        return False

    def is_decided(self) -> bool:
        """Whether the game is over if its last contract has been played."""
        is_tied = self.scores[0] == self.scores[1]
        return not is_tied or self.options["tiebreak"] != "extra_deal" or self.extra_deals >= MOST_EXTRA_DEALS

    def outcome(self) -> Outcome | None:
        return None if self.to_act else outcome_of(self.scores, self.deals_won, self.options)

    # What is seen and kept

    def view(self, seat: int | None) -> PushView:
        known = tuple(tuple(card for card in hand if card in self.known) for hand in self.hands)
        return PushView(**self.seen_by(seat), known=known)

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        return super().seen_by(seat) | {"scores": tuple(self.scores[other % 2] for other in range(self.seats))}

    def take_over(self, view: RummyView, rng: Random) -> list[Card]:
        unseen = super().take_over(view, rng)
        self.scores = list(view.scores[: len(SIDES)])
        return unseen


_PLAYS: Mapping[type[Move], Callable[[PushState, int, Any], None]] = {
    Take: PushState._take,
    Push: PushState._push,
    End: PushState._end,
    Open: PushState._open,
    NewMeld: PushState._new_meld,
    LayOff: PushState._lay_off,
    Swap: PushState._swap,
    Discard: PushState._discard,
}


def _random_place(cards: Sequence[Card], places: int) -> int:
    """A place from 0 to `places` that nobody can choose, computed from the places and the order of these cards.

    cards: a whole deck and the wild cards turned up before. Without those one that goes back on top would stay there.
    """
    digest = sha256(f"{' '.join(cards)} {places}".encode()).digest()
    return int.from_bytes(digest, "big") % (places + 1)
