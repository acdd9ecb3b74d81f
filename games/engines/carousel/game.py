"""Carousel as a game to choose: options, selections, imagined states, positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import cast

from games.core.cards import Card, is_joker, pack
from games.core.contract import (
    HandEnd,
    Option,
    Options,
    Position,
    Show,
    UnreadableMove,
    move_that_touches,
    numbers,
    switch,
)
from games.core.deals import Decks
from games.core.moves import DRAW
from games.core.rummy.common_table import tables_meant
from games.core.rummy.hand_melds import best_melds
from games.core.rummy.melds import Meld, MeldRules
from games.core.rummy.packs import PackBySeats
from games.core.rummy.rearranging import Play, play_to
from games.core.rummy.state import undealt_for
from games.core.rummy.steps import Step, Theft, steps_meant
from games.engines.carousel.moves import CarouselMove, parse_move
from games.engines.carousel.position import CarouselReader, dump_position
from games.engines.carousel.rearranging import free_options
from games.engines.carousel.show import show_hand
from games.engines.carousel.state import CarouselState
from games.engines.carousel.steps import Table, stands_for
from games.engines.carousel.view import CarouselView
from games.engines.vatican import VATICAN

BONUSES = range(51)


class Carousel(PackBySeats[CarouselState, CarouselView, CarouselMove]):
    slug = "carousel"
    name = "Carousel"
    summary = "Rummy with shared melds: steal what you need, and knock when little is left."
    seats = (2, 3, 4, 5)
    one_pack_seats = 2
    packs = (pack(jokers=1), pack(copies=2, jokers=2))
    proposals = True
    has_hand_melds = True
    melds_lie = "middle"
    options = (
        numbers("knock_limit", "Knock limit", (5, 10), default=5, help="The most deadwood for a knock."),
        Option(
            "manipulation",
            "Melds on the table",
            "steal",
            {"steal": "give cards to other melds", "free": "may be rebuilt as in Vatican"},
            "How melds on the table may be used.",
        ),
        Option("ace", "Ace", "low", {"low": "low", "high_or_low": "high or low"}, "Its place in runs."),
        switch("add_to_melds", "Add to melds", default=True, help="Off: only new melds may be laid."),
        switch(
            "meld_after_third_draw",
            "Meld after the third card",
            default=False,
            help="Off: the third card ends the turn.",
        ),
        switch(
            "joker_swap",
            "Exchange of jokers",
            default=True,
            help="You take a joker by putting in the card it stands for.",
        ),
        Option(
            "hand_melds",
            "Melds in the hand",
            "count",
            {"count": "count as deadwood", "free": "count nothing"},
            "What melds that were not laid count at a showdown.",
        ),
        numbers(
            "undercut_bonus",
            "Undercut bonus",
            BONUSES[::5],
            default=10,
            help="For less than the knocker.",
            span=BONUSES,
        ),
        numbers("zero_bonus", "Bonus for zero", BONUSES[::5], default=25, help="For no deadwood at all.", span=BONUSES),
        numbers(
            "target",
            "Target",
            range(100, 301, 25),
            default=150,
            help="Points that end the game.",
            span=range(100, 301),
        ),
        numbers(
            "game_bonus",
            "Game bonus",
            range(0, 101, 25),
            default=100,
            help="For the winner of the game.",
            span=range(101),
        ),
        switch("go_out_ends", "Going out ends the hand", default=False, help="The last card laid is like a knock."),
    )

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> CarouselState:
        return CarouselState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> CarouselMove:
        return parse_move(text)

    def hand_melds(self, view: CarouselView) -> Sequence[Sequence[Card]]:
        return [meld.cards for meld in best_melds(view.rules, view.hand)]

    def attempt(self, view: CarouselView, picks: Sequence[str]) -> CarouselMove:
        """A draw, or cards of the hand as a meld, with a meld of the table, or with cards out of melds."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(CarouselMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if not mine and "stock" in picks:
            return DRAW
        if not mine:
            self.refuse_selection("step-hand-card", "Choose a card from your hand to go with these.")
        moves = self._moves_meant(view, mine, picks)
        return next((move for move in moves if not any(map(view.rules.fault, _melds_of(move)))), moves[0])

    def _moves_meant(self, view: CarouselView, mine: Sequence[Card], picks: Sequence[str]) -> Sequence[Step | Play]:
        """The likeliest first."""
        table = dict(view.table)
        if view.options["manipulation"] == "free":
            house = VATICAN.house_rules(free_options(view.rules))
            return [play_to(house, table, groups) for groups in tables_meant(table, mine, picks)]
        return [*_swaps_meant(view.rules, table, mine, picks), *steps_meant(view.rules, table, view.hand, picks)]

    def select(self, view: CarouselView, cards: Sequence[Card]) -> CarouselMove:
        """The new meld that hand cards make; of several readings the first, with its jokers inside or high."""
        meld = view.rules.likeliest(cards)
        fault = view.rules.fault(meld)
        if fault is not None:
            raise UnreadableMove(fault.message)
        return Play((), (meld,)) if view.options["manipulation"] == "free" else Step.of(meld)

    # Positions

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> CarouselState:
        """A position; every key may be left out.

        seats (or players): as many as the other keys need, three or more if cards name their copy. options: by name.
        dealer: the last seat. to_move: the seat at the dealer's left; null once the game is over.
        phase: `start`, `after-draw` or `melding`. draws: cards drawn in this turn, or in the latest turn of each seat.
        With a third draw the turn is over, so that the next seat is to move.
        hands: by seat, lists or texts. table: melds by number, such as "9C1+9D1+XB".
        stock: the next card first, or stock_count cards that lie nowhere else. passes_in_a_row: up to now.
        knocker: the seat that has just knocked; the hand is then scored. scores: by seat. hands_played: finished hands.
        """
        return CarouselReader(self, data, deals, fewest_seats=self.fewest_seats(data)).state()

    def dump(self, state: CarouselState) -> Position:
        return dump_position(state)

    def show(self, end: HandEnd[CarouselState, CarouselMove]) -> Show:
        return show_hand(end)

    def sample(self, view: CarouselView, rng: Random) -> CarouselState:
        state = undealt_for(self, view, rng)
        unseen = state.take_over(view, rng)
        state.stock = [unseen.pop() for _ in range(view.stock_count)]
        return state


def _melds_of(move: Step | Play) -> Sequence[Meld]:
    return move.melds if isinstance(move, Play) else (move.meld,)


def _swaps_meant(rules: MeldRules, table: Table, mine: Sequence[Card], picks: Sequence[str]) -> Iterator[Step]:
    """New melds with one joker of the table, for which one of the hand cards is left."""
    for number, meld in table.items():
        for joker in filter(is_joker, meld.cards):
            if joker in picks:
                for card in mine:
                    if not is_joker(card) and stands_for(rules, meld, joker, card):
                        kept = [other for other in mine if other != card]
                        yield Step.of(rules.likeliest([*kept, joker]), [Theft(joker, number, card)])


CAROUSEL = Carousel()
