"""The game of Partnership Cribbage: its options, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar

from games.core.card_bits import BIT
from games.core.cards import Card
from games.core.contract import Game, HandEnd, Option, Options, Position, Show, UnreadableMove, numbers, switch
from games.core.cribbage import SIDES
from games.core.deals import Decks, random_decks
from games.core.sides import seats_of_side
from games.core.words import counted
from games.engines.partnership_cribbage.imagining import imagine
from games.engines.partnership_cribbage.moves import (
    DISCARD,
    LAID_AWAY,
    PACK,
    SHOW,
    CribbageMove,
    Discard,
    Play,
    parse_move,
)
from games.engines.partnership_cribbage.position import CribbageReader, dump_position
from games.engines.partnership_cribbage.show import show_hand
from games.engines.partnership_cribbage.state import CribbageState
from games.engines.partnership_cribbage.view import CribbageView


class PartnershipCribbage(Game[CribbageState, CribbageView, CribbageMove]):
    slug: ClassVar[str] = "partnership-cribbage"
    name: ClassVar[str] = "Cribbage (2 or 4)"
    summary: ClassVar[str] = "Peg fifteens, pairs and runs up to thirty-one, then count your hand and the crib."
    seats: ClassVar[tuple[int, ...]] = (2, 4)
    deal_word = "deal"
    options: ClassVar[tuple[Option, ...]] = (
        numbers("target", "Target", (121, 61), default=121, help="Points that win the game."),
        Option(
            "lead_after_go",
            "Lead after a go",
            "first-unable",
            {"first-unable": "the first player who could not play", "left-of-last": "left of the last card"},
            "With two players it makes no difference.",
        ),
        Option(
            "show_order",
            "Order of the show",
            "by-team",
            {"by-team": "the dealer's opponents first", "clockwise": "clockwise from the dealer's left"},
            "Near the target, it matters who counts first.",
        ),
        Option(
            "counting",
            "Counting",
            "auto",
            {
                "auto": "the table counts",
                "manual": "players count their own cards",
                "muggins": "and opponents can claim missed points",
            },
        ),
        switch("skunk", "Skunks", default=False, help="A loser far behind loses two or three games at once."),
        switch("four_flush_in_hand", "Four-card flush", default=True, help="Whether four of a suit in a hand count."),
    )

    def deck(self, options: Options) -> tuple[Card, ...]:
        return PACK

    def sides(self, options: Options, seats: int) -> tuple[tuple[int, ...], ...]:
        return (seats_of_side(0, seats, SIDES), seats_of_side(1, seats, SIDES))

    def undealt(self, decks: Decks, *, seats: int, options: Options, dealer: int) -> CribbageState:
        return CribbageState(self, decks, seats=seats, options=options, dealer=dealer)

    def parse(self, text: str) -> CribbageMove:
        return parse_move(text)

    def attempt(self, view: CribbageView, picks: Sequence[str]) -> CribbageMove:
        """Cards to discard or one to play, the viewer's own if there are any; none while players count."""
        named = [pick for pick in picks if pick in BIT]
        mine = [card for card in named if card in view.hand]
        number = LAID_AWAY[view.seats] if view.phase is DISCARD else 1
        if "crib" in picks and not mine and not view.open_crib and view.phase is not DISCARD:
            self.refuse_selection("crib-blind", "No one sees the crib before it's counted; choose from your own cards.")
        if view.phase is SHOW:
            self.refuse_selection(
                "show-five-cards", "The play is over: say how many points these cards are worth with the starter."
            )
        if view.phase is DISCARD and mine:
            return Discard.of(mine)
        if not named:
            rule = "crib-discard" if view.phase is DISCARD else "turn-order"
            deed = "discard" if view.phase is DISCARD else "play"
            self.refuse_selection(rule, f"Choose {counted(number, 'card')} from your hand to {deed}.")
        if len(mine) > 1:
            self.refuse_selection("turn-order", "You play one card at a time. Choose one.")
        return Play((mine or named)[0])

    def select(self, view: CribbageView, cards: Sequence[Card]) -> CribbageMove:
        if len(cards) != LAID_AWAY[view.seats]:
            raise UnreadableMove(f"Choose {counted(LAID_AWAY[view.seats], 'card')} to discard.")
        return Discard.of(cards)

    def show(self, end: HandEnd[CribbageState, CribbageMove]) -> Show:
        return show_hand(end)

    def sample(self, view: CribbageView, rng: Random) -> CribbageState:
        """`rng` deals the unseen cards, so that every go was true and the seat to play can."""
        decks = Decks(random_decks(PACK, rng))
        state = CribbageState(self, decks, seats=view.seats, options=view.options, dealer=view.dealer)
        imagine(state, view, rng)
        return state

    def load(self, data: Position, deals: Iterable[Sequence[Card]] | None = None) -> CribbageState:
        """A position; every key may be left out.

        seats: 2 or 4 (4); `players` is the same, also among the options. options: by name.
        dealer: the last seat. phase: discard, starter (it is just being turned up), play, show (the hands are to be
        counted) or over; found from the cards where it is missing: hands of more than four are to be discarded from,
        a starter alone is just being turned, hands with a starter but neither `to_move` nor `played` are counted.
        to_move: the seat to act; in the play the first holder of cards from the dealer's left.
        hands: by seat, lists or text: the cards held, in the show the cards kept. `hand` is that of the seat to move.
        crib: by seat, or as a text, whose cards are given to the seats in order. starter: without one there is no show.
        stock: the next card first; without it all cards that lie nowhere else.
        played: the cards and gos of this deal from its first lead, `1:KH 0:GO` as a list or text.
        claims: what was said in a show where players count, `1:S 8`, `2:M 4`, as a list.
        scores, rear (the rear pegs): by side, or by seat. hands_played: before this one.
        """
        return CribbageReader(self, data, deals).state

    def dump(self, state: CribbageState) -> Position:
        return dump_position(state)


PARTNERSHIP_CRIBBAGE = PartnershipCribbage()
