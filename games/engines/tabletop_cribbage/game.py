"""The game of Tabletop Cribbage: its options, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from games.core.cards import Card
from games.core.contract import Game, HandEnd, Option, Options, Position, Show, switch
from games.core.cribbage import SIDES
from games.core.deals import Decks, random_decks
from games.core.sides import seats_of_side
from games.engines.tabletop_cribbage.moves import CELL_NUMBER, CELLS, PACK, WHERE, Place, parse_move
from games.engines.tabletop_cribbage.position import TabletopReader, dump_position
from games.engines.tabletop_cribbage.show import show_hand
from games.engines.tabletop_cribbage.state import TabletopState
from games.engines.tabletop_cribbage.view import TabletopView


class TabletopCribbage(Game[TabletopState, TabletopView, Place]):
    slug: ClassVar[str] = "tabletop-cribbage"
    name: ClassVar[str] = "Tabletop Cribbage"
    summary: ClassVar[str] = "Place cards on a square: one side counts its rows, the other its columns."
    seats: ClassVar[tuple[int, ...]] = (2, 4)
    deal_word = "deal"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "target",
            "Length",
            121,
            {121: "to 121 points", 61: "to 61 points", "one-deal": "one deal", "two-deals": "one deal each as dealer"},
            "After a number of deals, the higher total wins.",
        ),
        Option(
            "scoring",
            "Scoring",
            "total",
            {"total": "both sides score their totals", "difference": "the better side scores the difference, to 31"},
            "A game of differences is always to 31.",
        ),
        Option(
            "contact",
            "Contact",
            "touch",
            {"touch": "sides and corners", "orthogonal": "sides only", "anywhere": "none needed"},
            "What a new card must touch.",
        ),
        switch("heels_nobs", "Jacks", default=False, help="Whether his heels and his nobs score."),
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def has_several_deals(self, options: Options) -> bool:
        return options["target"] != "one-deal" or options["scoring"] == "difference"

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return (seats_of_side(0, seats, SIDES), seats_of_side(1, seats, SIDES))

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> TabletopState:
        return TabletopState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> Place:
        return parse_move(text)

    def attempt(self, view: TabletopView, picks: Sequence[str]) -> Place:
        """The card turned up with a space, or a card of the board that is to lie elsewhere."""
        assert view.turned is not None, "a card is to be placed"
        lies_on = {card: cell for card, cell in zip(view.board, CELLS, strict=True) if card}
        spaces = dict.fromkeys(lies_on.get(pick, pick.removeprefix("cell:")) for pick in picks)
        cells = [cell for cell in spaces if cell in CELL_NUMBER]
        moved = [pick for pick in picks if pick in lies_on]
        if any(pick.startswith("pile:") for pick in picks):
            self.refuse_selection("no-peeking", f"No one looks at the piles; place {view.turned}.")
        if moved and not {view.turned, "turned"} & {*picks}:
            return Place(moved[0], cells[-1])
        if not cells:
            where = WHERE[str(view.options["contact"])]
            self.refuse_selection("touching", f"Now choose an empty space for {view.turned}, {where}.")
        if len(cells) > 1:
            self.refuse_selection(
                "turn-up-then-place", f"You place one card a turn; choose one space for {view.turned}."
            )
        return Place(view.turned, cells[0])

    def show(self, end: HandEnd[TabletopState, Place]) -> Show:
        return show_hand(end)

    def sample(self, view: TabletopView, rng: Random) -> TabletopState:
        """`rng` deals all closed cards."""
        decks = Decks(random_decks(PACK, rng))
        state = TabletopState(self, decks, seats=view.seats, options=view.options, dealer=view.dealer)
        state.take_public(view)
        state.scores, state.rear = list(view.scores[:2]), list(view.rear)
        if view.to_act:
            seen = {*view.board, view.turned}
            closed = [card for card in PACK if card not in seen]
            rng.shuffle(closed)
            for cell, card in enumerate(view.board):
                if card:
                    state.lay(cell, card)
            for seat, count in enumerate(view.pile_counts):
                top = [view.turned] if seat in view.to_act and view.turned else []
                state.piles[seat] = (*top, *closed[:count])
                closed = closed[count:]
            state.unused = tuple(closed)
            state.placed = list(view.placed)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> TabletopState:
        """A position; every key may be left out.

        seats: 2 or 4 (2); `players` is the same, also among the options. options: by name; `target` may stand alone.
        dealer: the last seat. deals: finished ones. scores, rear (the rear pegs): by side, by seat, or as a mapping of
        `nondealer` and `dealer`.
        board: five rows from top to bottom, texts or lists, `--` is empty; or `centre`, the card in the middle alone.
        Without either the game must be over. A full board is counted at once.
        to_move: a seat, `nondealer` or `dealer`; by the number of cards on the board if not given.
        piles: by seat, the next card first; cards that are wanting are taken from those that lie nowhere else.
        card: the card turned up. unused: the rest of the pack. placed: the moves of this deal, `0:QS@c2`.
        """
        return TabletopReader(self, data, deals).state

    def dump(self, state: TabletopState) -> Position:
        return dump_position(state)


TABLETOP_CRIBBAGE = TabletopCribbage()
