"""The game of Advantage: its options, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar, NoReturn

from games.core.cards import Card
from games.core.contract import Game, HandEnd, Option, Options, Position, Show, numbers, switch
from games.core.deals import Decks, random_decks
from games.engines.advantage.imagining import imagine
from games.engines.advantage.moves import (
    DRAW_TO_PICK,
    DROP,
    DROPS,
    FITTING,
    PACK,
    PAIR,
    SEATS,
    TRADES,
    AdvantageMove,
    LayPair,
    parse_move,
)
from games.engines.advantage.position import AdvantageReader, dump_position
from games.engines.advantage.show import show_game
from games.engines.advantage.state import AdvantageState
from games.engines.advantage.view import AdvantageView


class Advantage(Game[AdvantageState, AdvantageView, AdvantageMove]):
    slug: ClassVar[str] = "advantage"
    name: ClassVar[str] = "Advantage"
    summary: ClassVar[str] = "Drop cards on three piles, swap hands every round, and pick up piles to make pairs."
    seats: ClassVar[tuple[int, ...]] = (SEATS,)
    deal_word = "deal"  # a hand is what players swap
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "colour",
            "Same colour",
            "all",
            {"all": "for aces, faces and numbers", "aces_only": "for aces only"},
            "Which cards need the colour of the top card to fit.",
        ),
        Option(
            "out_by_pairing",
            "Out of cards by pairing",
            "after_both",
            {"after_both": "ends after both have paired", "at_once": "ends the game at once"},
        ),
        Option(
            "draws",
            "Drawn cards",
            "closed",
            {"closed": "hidden until the hands are swapped", "open": "open to both"},
        ),
        switch(
            "pair_after_pass",
            "Pairs after a pass",
            default=False,
            help="A player who passed the pick may lay pairs aside too.",
        ),
        Option(
            "lead",
            "First in the round",
            "nondealer",
            {"nondealer": "always the non-dealer", "alternate": "the players in turn"},
        ),
        numbers(
            "stall_limit",
            "Still rounds",
            (6, 8, 10, 12),
            default=8,
            help="This many rounds in a row without a draw or a pair end the game.",
            span=range(4, 21),
        ),
        Option(
            "dead_tie",
            "Dead tie",
            "date",
            {"date": "the date decides", "shared": "a draw"},
            "When pairs and fours of a kind are equal.",
        ),
        Option(
            "day",
            "Day of the month",
            "odd",
            {"odd": "odd: a dead tie goes to the dealer", "even": "even: a dead tie goes to the non-dealer"},
            "Of the day on which the game starts, in UTC.",
        ),
    )

    def dated_options(self, day: int) -> Options:
        return {"day": "odd" if day % 2 else "even"}

    def has_several_deals(self, options: Options) -> bool:
        return False

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> AdvantageState:
        return AdvantageState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> AdvantageMove:
        return parse_move(text)

    def attempt(self, view: AdvantageView, picks: Sequence[str]) -> AdvantageMove:
        """A card of the hand with a pile, two cards as a pair, or the stock."""
        assert view.seat is not None, "a seat at the table asks"
        mine = [pick for pick in picks if pick in view.hands[view.seat]]
        piles = [number for number, pile in enumerate(view.piles, 1) if not {f"pile:{number}", *pile}.isdisjoint(picks)]
        if len(mine) == 2 and not piles and (view.phase is PAIR or mine[0][0] == mine[1][0]):
            return LayPair.of(*mine)
        if len(mine) == 1 and piles:
            return (DROPS if view.phase is DROP else TRADES)[mine[0]][piles[0] - 1]
        if not mine and not piles and "stock" in picks:
            return DRAW_TO_PICK
        self._refuse_incomplete(view, mine)

    def _refuse_incomplete(self, view: AdvantageView, mine: Sequence[Card]) -> NoReturn:
        """Says what a selection lacks that is neither a drop nor a trade nor a pair. :raises UnreadableMove:"""
        if view.phase is PAIR:
            self.refuse_selection("pair-rank", "A pair is two cards of one rank: choose both from your hand.")
        rule = "drop-fit" if view.phase is DROP else "pick-trade"
        if len(mine) > 1:
            self.refuse_selection(rule, "A pile takes only one card. Choose the card, then a pile that it fits.")
        if not mine:
            self.refuse_selection(rule, "Choose one of your own cards for that pile.")
        tops = [pile[-1] for pile in view.piles if pile]
        if FITTING[str(view.options["colour"])][mine[0]].isdisjoint(tops):
            self.refuse_selection(rule, f"{mine[0]} doesn't fit {', '.join(tops[:-1])} or {tops[-1]}.")
        self.refuse_selection(rule, f"Now choose a pile for {mine[0]}.")

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> AdvantageState:
        """A position; every key may be left out. A seat with nothing to decide is played on for, as in a game.

        options: by name, the others at their defaults. started_on: a date, 2024-03-05, in place of the option `day`.
        dealer: seat 1 if not given. round: from 1. phase: drop, pick, pair or over; drop if not given, over where
        nothing but pairs lies anywhere. to_move: the first of the round if not given.
        deck: the top of the pack in dealing order, to be dealt; instead of piles, hands and stock.
        piles: three, each bottom to top; not needed for pairing. hands: by seat, lists or text. stock: next card first.
        drawn: by seat, cards of the hand that the other has not seen.
        blocked: by seat, the tops before a blocked draw in this round. pairs: by seat, lists of pairs or text, 8C8H.
        dropped: by seat, in this round. traded: by seat, true or false.
        has_drawn: the seat to move has made its blocked draw. still_rounds: rounds in a row, up to this one, in which
        nobody has drawn or laid a pair aside. over: why the game ended: cannot-drop, cannot-pick,
        out-of-cards or stalled. history: what everybody saw, `0:D 8H>2`.
        """
        return AdvantageReader(self, data, deals).state

    def dump(self, state: AdvantageState) -> Position:
        return dump_position(state)

    def show(self, end: HandEnd[AdvantageState, AdvantageMove]) -> Show:
        return show_game(end)

    def sample(self, view: AdvantageView, rng: Random) -> AdvantageState:
        decks = Decks(random_decks(PACK, rng))
        state = self.undealt(decks, seats=view.seats, options=view.options, dealer=view.dealer)
        imagine(state, view, rng)
        return state


ADVANTAGE = Advantage()
