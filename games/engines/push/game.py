"""Push as a game to choose: options, selections, imagined states, positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from random import Random
from typing import cast

from games.core.cards import Card, face
from games.core.contract import (
    Game,
    HandEnd,
    IllegalMove,
    Option,
    Options,
    Position,
    Show,
    UnreadableMove,
    move_that_touches,
    switch,
)
from games.core.deals import Decks
from games.core.rummy.initial_melds import divisions
from games.core.rummy.state import undealt_for
from games.engines.push.melds import CONTRACTS, alike, are_two_melds, faces, laid_out, reading, readings
from games.engines.push.moves import (
    DRAW,
    KNOWN_CARDS,
    PACK,
    PUSH,
    SEATS,
    SIDES,
    Discard,
    LayOff,
    NewMeld,
    Open,
    PushMove,
    Spot,
    Swap,
    Take,
    is_wild,
    parse_move,
)
from games.engines.push.position import PushReader, dump_position
from games.engines.push.show import show_deal
from games.engines.push.state import PushState
from games.engines.push.view import PushView

MOST_READINGS = 24  # of marked cards with several wild cards


class PushGame(Game[PushState, PushView, PushMove]):
    slug = "push"
    name = "Push"
    summary = "Partnership rummy with a contract for each deal: what you don't want, you push to the left."
    seats = (SEATS,)
    deal_word = "deal"
    proposals = True
    melds_lie = "seats"
    options = (
        Option(
            "deals",
            "Deals",
            5,
            {5: "all five", 3: "the first three", 1: "one, for practice"},
            "Each deal has a contract of its own.",
        ),
        Option(
            "contract",
            "Contract to practise",
            1,
            {number: contract.words for number, contract in CONTRACTS.items()},
            "What to lay first when only one deal is played.",
        ),
        Option(
            "tiebreak",
            "Equal totals",
            "deals_won",
            {"deals_won": "who went out more often", "extra_deal": "extra deals, three at most", "draw": "a draw"},
            "What decides when both sides have the same penalty points.",
        ),
        switch(
            "swap_before_open",
            "Joker in the contract",
            default=False,
            help="You can use a freed joker in your contract.",
        ),
        switch(
            "taken_upcard_discard",
            "Upcard straight back",
            default=False,
            help="You can discard the upcard in the turn you took it.",
        ),
        switch(
            "set_duplicates",
            "Twins in a set",
            default=False,
            help="Both copies of a card can be in one set, which can have up to eight cards.",
        ),
        Option(
            "wild_discard",
            "Discarding wild cards",
            "any",
            {"any": "always", "only_last": "only last"},
            "Only last: you can't discard a wild card while you can discard another card.",
        ),
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return SIDES

    def has_several_deals(self, options: Options) -> bool:
        return options["deals"] != 1

    def fewer_is_better(self, options: Options) -> bool:
        return True

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> PushState:
        return PushState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> PushMove:
        return parse_move(text)

    def attempt(self, view: PushView, picks: Sequence[str]) -> PushMove:
        """A draw, a discard, a meld, or hand cards for melds of the table or for a wild card there."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(PushMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if "stock" in picks:
            return PUSH
        if not mine and view.upcard is not None and {*picks} <= {view.upcard, "discards"}:
            return Take(view.upcard)
        if not mine:
            self.refuse_selection("cards-from-hand", "Choose cards from your hand to lay, add or discard.")
        if view.phase is DRAW or {*picks} <= {mine[0], "discards"}:
            return Discard(mine[0])
        if "discards" in picks:
            self.refuse_selection("discard-end", f"You discard one card; choose {' or '.join(mine)}.")
        meant = _for_the_table(view, mine, picks)
        added = {move.card for move in meant if isinstance(move, LayOff) and move in view.moves}
        if len(mine) > 1 and added.issuperset(mine):
            self.refuse_selection("lay-off-any", "Add one card at a time.")
        return next((move for move in meant if move in view.moves), meant[0]) if meant else self._melding(view, mine)

    def _melding(self, view: PushView, cards: Sequence[Card]) -> Open | NewMeld:
        try:
            return self.select(view, cards)
        except IllegalMove as refusal:
            raise UnreadableMove(str(refusal), rule=refusal.rule) from None

    def select(self, view: PushView, cards: Sequence[Card]) -> Open | NewMeld:
        """The initial meld or the further meld of the marked cards: the first of several readings.

        Wild cards fill the gaps of a run, then go to its high end, unless the cards are a run as they were marked.
        Cards that make no further meld are given as what they are closest to, which `play` refuses.
        :raises IllegalMove: the cards do not go into the contract, or are two melds.
        """
        return self.readings(view, cards)[0]

    def readings(self, view: PushView, cards: Sequence[Card]) -> Sequence[Open | NewMeld]:
        unknown = [card for card in cards if card not in KNOWN_CARDS]
        if unknown or not cards:
            raise UnreadableMove("Choose cards from your hand that make a meld.")
        if view.seat is not None and view.opened[view.seat]:
            return self._further_melds(view, cards)
        ways = islice(divisions(view.rules, view.contract, cards), MOST_READINGS)
        found = [Open(tuple(map(laid_out, melds))) for melds in ways]
        if not found:
            self.refuse(
                "contract-table",
                f"These cards don't make {view.contract.words}. Choose all the cards of your contract, and no others.",
            )
        return found

    def _further_melds(self, view: PushView, cards: Sequence[Card]) -> Sequence[NewMeld]:
        """A meld that the view offers is given as it is written there."""
        melds = [*islice(readings(view.rules, cards), MOST_READINGS)]
        if not melds and are_two_melds(view.rules, cards):
            self.refuse("meld-further", "One meld at a time: choose the cards of one, then lay the other.")
        further = (move for move in view.offered if isinstance(move, NewMeld) and set(move.cards) == set(cards))
        offered = {alike(move.meld): move for move in further}
        return [offered.get(alike(meld), NewMeld(meld)) for meld in melds] or [NewMeld(reading(view.rules, cards))]

    def show(self, end: HandEnd[PushState, PushMove]) -> Show:
        return show_deal(end)

    def sample(self, view: PushView, rng: Random) -> PushState:
        """`rng` deals the cards that are neither the viewer's, nor open, nor known to be in a hand."""
        state = undealt_for(self, view, rng)
        state.hands, state.known, state.stock = list(view.known), frozenset(chain(*view.known)), [*view.turned_back]
        unseen = state.take_over(view, rng)
        state.stock = [*view.turned_back, *unseen][: view.stock_count]
        rng.shuffle(state.stock)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> PushState:
        """A position; every key may be left out. Seats are 0 to 3 or N E S W; what is said by seat may be a list.

        options: by name. dealer: seat 3 (W). to_move: the seat at the dealer's left; null once the game is over.
        deal: 1 to 5, the contract; without it the first, or the last once the game is over.
        extra_deals: played so far to break a tie.
        phase: draw, play or over; without it `draw` where there is an upcard, else `play`.
        scores, deals_won: by side, {NS: 30, EW: 0} or [30, 0], or by seat.
        hands: by seat, lists or text; `hand` is that of the seat to move.
        known: cards that everybody saw going into the hand that holds them.
        opened: by seat; a list of the seats that are open, or text, "N S"; true or false for the seat to move.
        A seat that laid a meld is open.
        table: melds in the order of their numbers, "S(8S1 8H2 8D1)", or by number, {M1: "S(..)"}.
        laid_by: by meld, the seat that laid it. upcard: at the beginning of a turn.
        taken_upcard: taken in this turn and still in the hand. stall: turns in a row that took the upcard and laid
        nothing. stock: the next card first, or stock_count cards that lie nowhere else.
        turned_back: wild cards that went back into the stock before the first turn, none after the first push.
        just_out: true as long as nobody has drawn since a player went out and so ended the last deal.
        """
        return PushReader(self, data, deals).state

    def dump(self, state: PushState) -> Position:
        return dump_position(state)


_SPOT_ENDS = ("", "+", "-")


def _for_the_table(view: PushView, mine: Sequence[Card], picks: Sequence[str]) -> list[PushMove]:
    """What hand cards can mean beside picks of the table, the likeliest first; [] without any."""
    melds = dict(view.table)
    touched = [number for number, meld in melds.items() if not {f"meld:{number}", *meld.cards}.isdisjoint(picks)]
    spots = [Spot(number, end) for number in touched for end in _SPOT_ENDS]
    freed = [(number, card) for number in touched for card in melds[number].cards if is_wild(card) and card in picks]
    swaps = [swap for number, wild in freed for swap in _swaps_meant(view, mine, number, wild, spots)]
    return [*swaps, *(LayOff(card, spot) for card in mine for spot in spots)]


def _swaps_meant(view: PushView, mine: Sequence[Card], number: int, wild: Card, spots: Iterable[Spot]) -> list[Swap]:
    """Exchanges of a wild card: for another meld that was chosen, else for a new one with the rest of the cards."""
    meld = dict(view.table)[number]
    wanted = faces(view.rules, meld)[meld.cards.index(wild)]
    elsewhere = [spot for spot in spots if spot.number != number]
    found: list[Swap] = []
    for card in sorted(mine, key=lambda card: face(card) not in wanted):
        rest = [other for other in mine if other != card]
        melded = NewMeld(reading(view.rules, [*rest, wild])) if rest else None
        found += [Swap(card, number, wild, spot) for spot in elsewhere] or [Swap(card, number, wild, melded)]
    return found


PUSH_GAME = PushGame()
