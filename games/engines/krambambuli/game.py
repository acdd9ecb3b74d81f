"""Krambambuli as a game to choose: options, selections, imagined states, positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from random import Random
from typing import cast

from games.core.cards import Card, pack
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
from games.core.moves import DRAW, TAKE, Discard
from games.core.picks import choices_with
from games.core.rummy.hand_melds import best_melds
from games.core.rummy.packs import PackBySeats
from games.core.rummy.state import undealt_for
from games.core.rummy.steps import Step, steps_meant
from games.engines.krambambuli.moves import KrambambuliMove, parse_move
from games.engines.krambambuli.position import KrambambuliReader, dump_position
from games.engines.krambambuli.show import show_hand
from games.engines.krambambuli.state import KrambambuliState
from games.engines.krambambuli.view import KrambambuliView


class Krambambuli(PackBySeats[KrambambuliState, KrambambuliView, KrambambuliMove]):
    slug = "krambambuli"
    name = "Krambambuli"
    summary = "Lay sets and runs, add to your own, and steal a card from the others for a new one."
    seats = (2, 3, 4, 5, 6)
    one_pack_seats = 3
    packs = (pack(), pack(copies=2))
    has_hand_melds = True
    melds_lie = "seats"
    presets = {"short": {"target": 100}, "five-deals": {"deals": 5}}
    options = (
        numbers(
            "target",
            "Target",
            range(100, 501, 50),
            default=500,
            help="Points that end the game.",
            span=range(100, 501),
        ),
        numbers(
            "deals",
            "Number of deals",
            (0, 3, 5, 10),
            default=0,
            help="With 0 the target decides.",
            span=range(21),
        ),
        switch("distinct_suits", "Sets of different suits", default=False, help="On: no suit twice in a set."),
        Option(
            "final_discard",
            "Last discard",
            "optional",
            {"optional": "not needed to go out", "required": "needed to go out"},
        ),
        numbers("turnovers", "Stock renewed", (0, 1, 2), default=1, help="How often the discards become the stock."),
        switch("may_return_upcard", "Return the upcard", default=False, help="The upcard just taken may be discarded."),
        Option("ace", "Ace", "high", {"high": "high", "high_or_low": "high or low"}, "Its place in runs."),
        switch("review_discards", "Open discard pile", default=False, help="All discards may be looked at."),
    )

    def fewer_is_better(self, options: Options) -> bool:
        return True

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> KrambambuliState:
        return KrambambuliState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> KrambambuliMove:
        return parse_move(text)

    def hand_melds(self, view: KrambambuliView) -> Sequence[Sequence[Card]]:
        return [meld.cards for meld in best_melds(view.rules, view.hand)]

    def attempt(self, view: KrambambuliView, picks: Sequence[str]) -> KrambambuliMove:
        """A draw, a discard, or a meld: a new one, a larger one, or one with cards of other melds."""
        offered = move_that_touches(view, picks)
        if offered is not None:
            return cast(KrambambuliMove, offered)
        mine = [pick for pick in picks if pick in view.hand]
        if "stock" in picks:
            return DRAW
        if view.upcard in picks or (not mine and "discards" in picks):
            return TAKE
        if len(mine) == 1 and set(picks) <= {*mine, "discards"}:
            return Discard(mine[0])
        if "discards" in picks:
            self.refuse_selection("turn-discard", f"A turn ends with one discard; choose one of {' '.join(mine)}.")
        table = {number: own.meld for number, own in view.table}
        steps = steps_meant(view.rules, table, view.hand, picks)
        if not steps:
            self.refuse_selection("turn-meld", "Choose cards from your hand to lay, add or discard.")
        legal = [step for step in steps if step in view.moves]
        part_of_theft = [step for step in steps if step.thefts] if choices_with(view, picks) else []
        return next(chain(legal, part_of_theft, steps))

    def select(self, view: KrambambuliView, cards: Sequence[Card]) -> KrambambuliMove:
        """The new meld that hand cards make."""
        meld = view.rules.likeliest(cards)
        fault = view.rules.fault(meld)
        if fault is not None:
            raise UnreadableMove(fault.message)
        return Step.of(meld)

    # Positions

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> KrambambuliState:
        """A position; every key may be left out.

        seats (or players): as many as the other keys need, four or more if cards name their copy. options: by name.
        dealer: the last seat. to_move: the seat at the dealer's left; null once the game is over. Without it a hand
        that is written and empty has gone out, and the hands are counted.
        phase: `start` or `after-draw`, the latter if not given and the seat to move has cards.
        hands: by seat, lists or texts. table: by number, {meld: 7C+7D+7H, owner: 1} or the text "7C+7D+7H (1)".
        stock: the next card first, or stock_count cards that lie nowhere else; all of them without both.
        discards: the upcard last, or upcard alone. taken_upcard: taken in this turn. known: cards seen being taken.
        melded_before: the seat to move had melded before this turn, as it has if it owns a meld. stolen: in this turn.
        turnovers: how often the stock was renewed. upcard_turns: turns in a row that began with the upcard.
        scores: by seat. hands_played: finished hands.
        """
        return KrambambuliReader(self, data, deals, fewest_seats=self.fewest_seats(data)).state()

    def dump(self, state: KrambambuliState) -> Position:
        return dump_position(state)

    def show(self, end: HandEnd[KrambambuliState, KrambambuliMove]) -> Show:
        return show_hand(end)

    def sample(self, view: KrambambuliView, rng: Random) -> KrambambuliState:
        state = undealt_for(self, view, rng)
        state.hands, state.known = list(view.known), frozenset(chain(*view.known))
        state.discards = list(view.remembered)
        unseen = state.take_over(view, rng)
        state.stock = [unseen.pop() for _ in range(view.stock_count)]
        return state


KRAMBAMBULI = Krambambuli()
